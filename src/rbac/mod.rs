//! Which rights agents need at the API server, and which ones an account has.
//!
//! ```text
//! Plan   ─▶ discovery, scrape, additional ─▶ Needs ┐
//! Access ─▶ Grants                                 ┴─▶ what is missing (`check`), what has to be granted (`manifest`)
//! ```
//!
//! Needs are the same for every target: discovery is Prometheus' own code in Grafana Agent and in Grafana Alloy.

mod additional;
mod grants;
mod needs;
mod right;
mod scrape;

pub use grants::Grants;
pub use needs::{Account, Needs, Reason, accounts};
pub use right::{Right, Rule, rules};
pub use scrape::TOKEN_DIRECTORIES;

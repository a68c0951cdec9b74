//! Which rights agents need at the API server, and which ones an account has.
//!
//! ```text
//! Plan   ─▶ discovery, scrape, additional ─▶ Needs ┐
//! Access ─▶ Grants                                 ┴─▶ what is missing (`check`), what has to be granted (`manifest`)
//! ```
//!
//! Discovery is Prometheus' own code in Grafana Agent and in Grafana Alloy, so both need the same. Alloy needs more where it finds
//! monitors itself.

mod additional;
mod grants;
mod needs;
mod right;
mod scrape;

pub use grants::{BoundRoles, Grants};
pub use needs::{Account, Needs, Reason, accounts};
pub use right::{Right, Rule, rules};
pub use scrape::TOKEN_DIRECTORIES;

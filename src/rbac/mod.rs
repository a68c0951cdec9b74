//! Which rights agents need at the API server, and which ones an account has.
//!
//! ```text
//! Plan   ─▶ jobs of the configuration ─▶ Needs ┐
//! Access ─▶ Grants                             ┴─▶ what is missing (`check`), what has to be granted (`manifest`)
//! ```
//!
//! Discovery is Prometheus' own code in Grafana Agent and in Grafana Alloy, so both need the same. Alloy needs more where it finds
//! monitors itself.

mod grants;
mod job;
mod needs;
mod right;

pub use grants::{BoundRoles, Grants};
pub use job::TOKEN_DIRECTORIES;
pub use needs::{Account, Needs, Reason, accounts};
pub use right::{Right, Rule, rules};

//! Permissions that agents need on the API server, and permissions that accounts have.
//!
//! ```text
//! Plan   ─▶ jobs of the configuration ─▶ Needs ┐
//! Access ─▶ Grants                             ┴─▶ missing permissions (`check`), permissions to grant (`manifest`)
//! ```
//!
//! Grafana Agent and Grafana Alloy both use Prometheus' service discovery, so they need the same permissions. Alloy
//! needs additional permissions if it discovers monitors itself.

mod grants;
mod job;
mod needs;
mod right;

pub use grants::{BoundRoles, Grants};
pub use job::TOKEN_DIRECTORIES;
pub use needs::{Account, NeededRights, RightReason, accounts};
pub use right::{Right, RoleRule, rules};

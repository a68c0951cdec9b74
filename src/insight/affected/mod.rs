//! Which agents, and which of their objects, change: with what is given as changed, or between two inputs.

mod dependencies;
mod dependents;
mod difference;
mod json;
mod namespace;
mod roles;
mod text;

pub use dependents::{Affected, AffectedAgent, AffectedObject, Change, dependents};
pub use difference::difference;
pub use json::to_json;
pub use text::text;

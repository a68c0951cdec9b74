//! Which agents, and which of their objects, change: with what is given as changed, or between two inputs.

mod dependents;
mod difference;
mod text;

pub use dependents::{Affected, AffectedAgent, AffectedObject, Because, Change, dependents};
pub use difference::difference;
pub use text::text;

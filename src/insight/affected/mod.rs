//! Which agents, and which of their objects, change: with what is given as changed, or between two inputs.

mod answer;
mod dependents;
mod difference;
mod text;

pub use answer::{Affected, AffectedAgent, AffectedObject, Because, Change};
pub use dependents::dependents;
pub use difference::difference;
pub use text::text;

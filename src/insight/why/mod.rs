//! Why an agent selects a resource or not, link by link: from the resource to an instance, from there to an agent,
//! and whether that agent is compiled at all.

mod explainer;
mod json;
mod patch;
mod text;

pub use explainer::{AgentAnswer, Explainer, Way, Why};
pub use json::to_json;
pub use patch::{Patch, Remedy, to_yaml};
pub use text::text;

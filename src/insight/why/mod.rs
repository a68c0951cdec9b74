//! Explanations of why an agent does or does not select a resource, link by link: from the resource to an instance,
//! from the instance to an agent, and whether the agent is compiled at all.

mod explainer;
mod json;
mod patch;
mod text;
mod ways;

pub use explainer::{AgentAnswer, Explainer, WhyAnswer};
pub use json::to_json;
pub use patch::{SelectionFixes, edits, to_yaml};
pub use text::text;
pub use ways::SelectionPath;

//! Link-by-link explanations of why an agent does or does not select a resource: from the resource to an instance, from
//! the instance to an agent, and whether the agent is compiled.

mod explainer;
mod json;
mod patch;
mod paths;
mod text;

pub use explainer::{AgentAnswer, Explainer, WhyAnswer};
pub use json::to_json;
pub use patch::{SelectionFixes, edits, to_yaml};
pub use paths::SelectionPath;
pub use text::text;

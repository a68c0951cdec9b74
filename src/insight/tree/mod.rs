//! Output of `agentctl tree`: the hierarchy below each GrafanaAgent, down to the keys of Secrets and ConfigMaps.
//!
//! [`build`] converts the graph to a [`Tree`], and each output format has its own file. This module never stores or
//! shows the value of a Secret.

mod build;
mod focus;
mod generated;
mod graph;
mod html;
mod json;
mod model;
mod mounted;
mod targets;
mod text;

pub use build::build;
pub use generated::{DistinctLines, generated_configuration};
pub use graph::mermaid;
pub use html::html;
pub use json::json;
pub use model::Tree;
pub use targets::{JobTargets, targets};
pub use text::text;

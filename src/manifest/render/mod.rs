//! Renders hierarchies into manifests and agent configurations.

mod agents;
mod deliver;
mod diagnostics;
mod template;

pub use agents::{MAX_OUTPUT_SIZE, RenderOptions, RenderedAgents, kubelet_objects, objects};
pub use deliver::{deliver, render_for_delivery};

//! Renders hierarchies into manifests and agent configurations.

mod agents;
mod deliver;
mod diagnostics;
mod template;

pub use agents::{MAX_OUTPUT_SIZE, Options, Rendered, objects};
pub use deliver::{deliver, delivered};

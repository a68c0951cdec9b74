//! Source maps between an agent's configuration and the input, in both directions.
//!
//! A configuration can have a hundred times as many parts as there are resources. Therefore, neither the text of
//! `agent.yml` nor the list of parts is ever completely in memory: both are streamed, and the caller keeps only the
//! parts it needs.

mod agent;
mod alloy;
mod choice;
pub mod diagnostics;
mod field;
mod lines;
mod lookup;
mod map;
mod traced;
mod walk;

pub use choice::{agent, hierarchy, is_path};
pub use field::InputPlace;
pub use lookup::InputLines;
pub use map::SourceMap;
pub use traced::{ConfigurationLines, TracedPart};

//! An agent's configuration with the places in the input that its parts come from, both ways.
//!
//! A configuration may have a hundred times as many parts as there are resources, so neither the text of `agent.yml` nor the
//! parts of a configuration are ever there as a whole: they are passed on, and who asks keeps what it needs.

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
pub use lookup::{Lines, made_from};
pub use map::SourceMap;
pub use traced::{ConfigurationPlace, Entry};

//! `agentctl tree`: the hierarchy under each GrafanaAgent, down to the keys of Secrets and ConfigMaps.
//!
//! [`build`] makes a [`Tree`] of the graph; each format is a file. Nothing here holds or shows the value of a
//! Secret.

mod build;
mod dot;
mod focus;
mod generated;
mod html;
mod json;
mod label;
mod lines;
mod mermaid;
mod model;
mod mounted;
mod text;

pub use build::build;
pub use dot::dot;
pub use generated::{Generated, generated};
pub use html::html;
pub use json::json;
pub use lines::Lines;
pub use mermaid::mermaid;
pub use model::{Counts, Edge, Entry, EntryId, Reference, State, Tree};
pub use text::text;

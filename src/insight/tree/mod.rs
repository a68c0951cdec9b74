//! `agentctl tree`: the hierarchy under each GrafanaAgent, down to the keys of Secrets and ConfigMaps.
//!
//! [`build`] makes a [`Graph`] of the admitted resources; each format is a file. Nothing here holds or shows the value of a
//! Secret.

mod build;
mod counts;
mod dot;
mod generated;
mod graph;
mod html;
mod json;
mod label;
mod mermaid;
mod mounted;
mod reachable;
mod refer;
mod select;
mod text;

pub use build::build;
pub use counts::Counts;
pub use dot::dot;
pub use generated::{Generated, generated};
pub use graph::{Edge, Entry, EntryId, Graph, Reference, State};
pub use html::html;
pub use json::json;
pub use mermaid::mermaid;
pub use text::text;

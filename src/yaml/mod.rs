//! Text → nodes with spans (by the scalar rules Kubernetes reads with); values → text (in both of Go's styles).

mod node;
mod value;
mod writer;

pub use node::{Document, DocumentBuilder, Edits, Entry, Node, NodeId, NodeValue};
pub use value::{Mapping, Value};
pub use writer::{Style, write, write_to};

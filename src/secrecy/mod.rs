//! What of the input is secret, and so never shown.
//!
//! Two questions, each answered in one place: which text of a source an excerpt may show ([`View`]), decided by what the
//! document means and not by how it is spelt; and which key and which text is most likely secret ([`sensitive`]).

pub mod sensitive;
mod structure;
mod view;
mod vocabulary;
mod walk;

pub use view::{View, Views};

//! The language server: what `check`, `why` and `tree` know, while somebody types.
//!
//! One thread takes messages, compiles when they fall silent, and answers. A change that comes meanwhile waits in the queue, where it
//! takes the place of those before it; so does the cancellation of a request.

mod answer;
mod checker;
mod diagnostics;
mod server;
mod symbols;
mod text;
mod uri;
mod workspace;

pub use checker::{Checker, Open};
pub use server::serve;

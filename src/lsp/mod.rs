//! The language server: what `check`, `why` and `tree` know, while somebody types.
//!
//! ```text
//! editor ─▶ intake ─▶ Inbox ─▶ Worker ─▶ load, check ─▶ findings ─▶ editor
//!                                └─▶ Answers ─▶ editor
//! ```
//!
//! One thread takes messages, another one works. A change waits until the editor falls silent, and takes the place of those before
//! it: what is being compiled then is dropped. A request is about the texts as they are when it comes; where they change before its
//! answer, or it is cancelled, there is none.

mod actions;
mod answer;
mod checker;
mod diagnostics;
mod editor;
mod hover;
mod inbox;
mod intake;
mod server;
mod streams;
mod symbols;
mod text;
mod uri;
mod worker;
mod workspace;

pub use checker::{Checked, Checker, Open, Wanted};
pub use server::serve;
pub use streams::Streams;

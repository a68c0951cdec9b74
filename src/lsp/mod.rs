//! Language server: provides the results of `check`, `why` and `tree` as the user edits.
//!
//! ```text
//! editor ─▶ intake ─▶ Inbox ─▶ Worker ─▶ load, check ─▶ findings ─▶ editor
//!                                └─▶ Answers ─▶ editor
//! ```
//!
//! One thread receives messages, and another does the work. A change is processed once the editor pauses. It replaces
//! earlier pending changes and stops a compilation in progress. The answer to a request is based on the documents as
//! they were when it arrived. If they change before the answer is ready, the request fails with `ContentModified`; if
//! the editor cancels it, with `RequestCanceled`.

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

pub use checker::{CheckedWorkspace, OpenWorkspace, Wanted, WorkspaceChecker};
pub use server::serve;
pub use streams::Streams;

//! A bundle → standard output or a directory.

mod diagnostics;
mod directory;
mod file;
mod stream;

pub use diagnostics::{empty_check, empty_render};
pub use directory::{Directory, FileChange, Plan, Written};
pub use file::{write_file, write_private};
pub use stream::{Format, Manifest, Streamed, write_pretty, write_stream};

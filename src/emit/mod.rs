//! A bundle → standard output or a directory.

mod diagnostics;
mod directory;
mod file;
mod stream;
mod temporary;

pub use diagnostics::{all_left_alone, empty_check, empty_render};
pub use directory::{Directory, Plan, Spared, Written};
pub use file::{is_rewritable, rewrite, write_file, write_private};
pub use stream::{Format, Streamed, write_pretty, write_stream};

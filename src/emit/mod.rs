//! A bundle → standard output or a directory.

mod diagnostics;
mod directory;
mod file;
mod json;
mod rewrite;
mod stream;

pub use diagnostics::{all_left_alone, empty_check, empty_render};
pub use directory::{Directory, Plan, Spared, Written};
pub use file::{write_file, write_private};
pub use json::{Streamed, write_pretty};
pub use rewrite::{is_rewritable, rewrite};
pub use stream::{Format, write_stream};

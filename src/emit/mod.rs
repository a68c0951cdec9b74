//! A bundle → standard output or a directory.

mod diagnostics;
mod directory;
mod file;
mod manifest;
mod private;
mod stream;

pub use diagnostics::{empty_check, empty_render};
pub use directory::{Directory, FileChange, Plan, Written};
pub use file::write_file;
pub use manifest::Manifest;
pub use private::write_private;
pub use stream::{Format, pretty, write_stream};

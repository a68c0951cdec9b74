//! A bundle → standard output or a directory. Nothing else writes.

mod directory;
mod stream;

pub use directory::{WriteError, write_directory};
pub use stream::{Format, write_stream};

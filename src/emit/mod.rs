//! A bundle → standard output or a directory. Nothing else writes.

mod diagnostics;
mod directory;
mod stream;

pub use diagnostics::empty_render;
pub use directory::write_directory;
pub use stream::{Format, write_stream};

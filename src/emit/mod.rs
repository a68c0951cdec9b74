//! Writes a bundle to standard output or a directory.

mod diagnostics;
mod directory;
mod file;
pub mod krm;
mod stream;
mod temporary;

pub use diagnostics::{all_excluded, empty_check, empty_render};
pub use directory::{Directory, DirectoryPlan, KeptFile, WriteCounts};
pub use file::{is_rewritable, rewrite, write_file, write_private};
pub use stream::{StreamFormat, StreamedItems, write_pretty, write_stream};

//! Text that is safe to display, both on a terminal and in the log of a CI system.
//!
//! Human-readable output is written as [`Text`], which always applies [`printable`], so that names cannot end the line,
//! control the terminal or change the text direction. Machine-readable output contains the unchanged data, with the
//! escapes of its format ([`json`]).

mod byte_size;
mod hidden;
mod json;
mod shell;
mod text;

pub use byte_size::ByteSize;
pub use hidden::{escape_commands, printable};
pub use json::{JsonLines, json};
pub use shell::quote_for_shell;
pub use text::{Line, Screen, Style, Text, capitalize, format_count};

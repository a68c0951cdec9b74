//! Text of the input made safe to show: to a person at a terminal, and to a pipeline that reads its own log.
//!
//! What people read is written as [`Text`], which has no way around [`printable`]: a name cannot end its line, steer the
//! terminal, or turn the direction of writing. What programs read stays the same data, with the escapes of its format ([`json`]).

mod hidden;
mod json;
mod text;

pub use hidden::{printable, without_commands};
pub use json::{JsonLines, json};
pub use text::{Line, Screen, Style, Text, counted};

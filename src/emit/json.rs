//! Values as JSON.

use std::cell::Cell;
use std::io::{self, Write};

use serde::{Serialize, Serializer};
use serde_json::ser::PrettyFormatter;

/// JSON as `kubectl` indents it.
pub(super) fn pretty(value: &impl Serialize) -> io::Result<String> {
    let mut bytes = Vec::new();
    write_pretty(value, &mut bytes)?;
    String::from_utf8(bytes).map_err(io::Error::other)
}

/// Writes JSON as `pretty` does, without the whole text in memory.
///
/// # Errors
///
/// Where `out` cannot be written to, or the value cannot be serialized.
pub fn write_pretty(value: &impl Serialize, out: &mut impl Write) -> io::Result<()> {
    let formatter = PrettyFormatter::with_indent(INDENT);
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut *out, formatter))?;
    out.write_all(b"\n")
}

/// A list in JSON whose items are made when they are written, once.
pub struct Streamed<I>(Cell<Option<I>>);

impl<I> Streamed<I> {
    /// A list of these items.
    pub fn new(items: I) -> Self {
        Self(Cell::new(Some(items)))
    }
}

impl<I: Iterator<Item: Serialize>> Serialize for Streamed<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.take().into_iter().flatten())
    }
}

/// Indentation of each level.
const INDENT: &[u8] = b"    ";

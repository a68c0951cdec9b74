//! Values as JSON.

use std::cell::Cell;
use std::io::{self, Write};

use serde::{Serialize, Serializer};
use serde_json::ser::Formatter;

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
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut *out, Lines::new()))?;
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

/// A line for each value, as `serde_json`'s own formatter has it, which writes each level of indentation and each quote by itself.
struct Lines {
    /// What is in front of a key: a comma, a line break, the indentation and a quote.
    before_key: Vec<u8>,
    /// Whether a key is being written, whose quotes come with what is around it.
    is_key: bool,
    /// Whether the collection that ends next has something in it.
    has_value: bool,
}

impl Lines {
    fn new() -> Self {
        Self {
            before_key: b",\n\"".to_vec(),
            is_key: false,
            has_value: false,
        }
    }

    /// What is in front of a value or key, without its quote.
    fn before(&self, is_first: bool) -> &[u8] {
        let quote = self.before_key.len() - 1;
        self.before_key.get(usize::from(is_first)..quote).unwrap_or_default()
    }

    fn begin<W: ?Sized + Write>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.before_key.pop();
        self.before_key.extend_from_slice(INDENT);
        self.before_key.push(b'"');
        self.has_value = false;
        out.write_all(bracket)
    }

    fn end<W: ?Sized + Write>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.before_key.truncate(self.before_key.len() - INDENT.len() - 1);
        self.before_key.push(b'"');
        if self.has_value {
            out.write_all(self.before(true))?;
        }
        out.write_all(bracket)
    }
}

impl Formatter for Lines {
    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.begin(out, b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.end(out, b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, is_first: bool) -> io::Result<()> {
        out.write_all(self.before(is_first))
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_value = true;
        Ok(())
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.begin(out, b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.end(out, b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, is_first: bool) -> io::Result<()> {
        self.is_key = true;
        out.write_all(self.before_key.get(usize::from(is_first)..).unwrap_or_default())
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.is_key = false;
        out.write_all(b"\": ")
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_value = true;
        Ok(())
    }

    fn begin_string<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        match self.is_key {
            true => Ok(()),
            false => out.write_all(b"\""),
        }
    }

    fn end_string<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.begin_string(out)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;
    use serde_json::ser::PrettyFormatter;

    use super::*;

    fn assert_as_serde_json(value: &impl Serialize) {
        let mut expected = Vec::new();
        let formatter = PrettyFormatter::with_indent(INDENT);
        value
            .serialize(&mut serde_json::Serializer::with_formatter(&mut expected, formatter))
            .unwrap();
        assert_eq!(pretty(value).unwrap(), String::from_utf8(expected).unwrap() + "\n");
    }

    #[test]
    fn json_looks_as_serde_json_indents_it() {
        assert_as_serde_json(&json!("a\"b"));
        assert_as_serde_json(&json!([]));
        assert_as_serde_json(
            &json!({"a\n\"": [], "b": {}, "c": [[], [1, "x", null], {}], "d": {"e": {"f": -1.5}}, "": true}),
        );
        assert_as_serde_json(&BTreeMap::from([(1, "numbers"), (2, "are keys, too")]));
    }
}

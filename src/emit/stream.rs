//! Serialization of objects as YAML or JSON.

use std::cell::Cell;
use std::io::{self, Write};

use serde::{Serialize, Serializer};
use serde_json::ser::Formatter;

use crate::manifest::Object;

/// Output format for a stream of objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum StreamFormat {
    /// One YAML document per object, as `kubectl get -o yaml` writes it
    #[default]
    Yaml,
    /// One `List`, as `kubectl get -o json` writes it
    Json,
}

/// Writes all objects.
///
/// # Errors
///
/// Returns an error if `out` cannot be written to or an object cannot be serialized.
pub fn write_stream<'o>(
    objects: impl IntoIterator<Item = &'o Object>,
    format: StreamFormat,
    out: &mut impl Write,
) -> io::Result<()> {
    match format {
        StreamFormat::Yaml => objects.into_iter().try_for_each(|object| {
            out.write_all(b"---\n")?;
            out.write_all(object_text(object, StreamFormat::Yaml)?.as_bytes())
        }),
        StreamFormat::Json => {
            let list = List { api_version: "v1", items: objects.into_iter().collect(), kind: "List" };
            write_pretty(&list, out)
        }
    }
}

/// Serializes a single object.
///
/// # Errors
///
/// Returns an error if the object cannot be serialized.
pub fn object_text(object: &Object, format: StreamFormat) -> io::Result<String> {
    match format {
        StreamFormat::Yaml => Ok(object.to_yaml()),
        StreamFormat::Json => {
            let mut bytes = Vec::new();
            write_pretty(object, &mut bytes)?;
            String::from_utf8(bytes).map_err(io::Error::other)
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct List<'o> {
    api_version: &'static str,
    items: Vec<&'o Object>,
    kind: &'static str,
}

/// Writes JSON with kubectl's indentation, without building the entire text in memory.
///
/// # Errors
///
/// Returns an error if `out` cannot be written to or the value cannot be serialized.
pub fn write_pretty(value: &impl Serialize, out: &mut impl Write) -> io::Result<()> {
    let formatter = IndentedWriter::new();
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut *out, formatter))?;
    out.write_all(b"\n")
}

/// Indentation for one level of JSON.
const INDENTATION: &[u8; 4] = b"    ";

/// Formatter that produces the same output as serde_json's `PrettyFormatter`. It writes a line's indentation at once,
/// because writing it level by level takes a tenth of the total time of `config -o json`.
struct IndentedWriter {
    /// Comma, line break and the current indentation.
    next_line: Vec<u8>,
    /// Whether the current list or object contains a value.
    has_value: bool,
}

impl IndentedWriter {
    fn new() -> Self {
        Self { next_line: b",\n".to_vec(), has_value: false }
    }

    fn open(&mut self, out: &mut (impl Write + ?Sized), bracket: &[u8; 1]) -> io::Result<()> {
        self.next_line.extend_from_slice(INDENTATION);
        self.has_value = false;
        out.write_all(bracket)
    }

    fn close(&mut self, out: &mut (impl Write + ?Sized), bracket: &[u8; 1]) -> io::Result<()> {
        self.next_line.truncate(self.next_line.len().saturating_sub(INDENTATION.len()));
        if self.has_value {
            self.start_line(out, true)?;
        }
        out.write_all(bracket)
    }

    fn start_line(&self, out: &mut (impl Write + ?Sized), is_first: bool) -> io::Result<()> {
        out.write_all(self.next_line.get(usize::from(is_first)..).unwrap_or_default())
    }
}

impl Formatter for IndentedWriter {
    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, is_first: bool) -> io::Result<()> {
        self.start_line(out, is_first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_value = true;
        Ok(())
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, is_first: bool) -> io::Result<()> {
        self.start_line(out, is_first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_value = true;
        Ok(())
    }
}

/// JSON list whose items are produced as it is written. It can be written only once.
pub struct StreamedItems<I>(Cell<Option<I>>);

impl<I> StreamedItems<I> {
    /// Returns a list with these items.
    pub fn new(items: I) -> Self {
        Self(Cell::new(Some(items)))
    }
}

impl<I: Iterator<Item: Serialize>> Serialize for StreamedItems<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.take().into_iter().flatten())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::ser::PrettyFormatter;
    use serde_json::{Serializer, json};

    use super::*;

    #[test]
    fn indents_like_serde_json() {
        let with_empty_collections = [json!([]), json!({}), json!([[]]), json!({"a": {}})];
        let values = [json!(1), json!([1, [2, {"a": [], "b": [null]}], {}]), json!({"a": {"b": ["c"]}, "d": []})];
        for value in with_empty_collections.into_iter().chain(values) {
            let mut expected = Vec::new();
            let mut pretty = Serializer::with_formatter(&mut expected, PrettyFormatter::with_indent(INDENTATION));
            value.serialize(&mut pretty).unwrap();
            let mut actual = Vec::new();
            write_pretty(&value, &mut actual).unwrap();
            assert_eq!(String::from_utf8(actual).unwrap(), String::from_utf8(expected).unwrap() + "\n", "{value}");
        }
    }
}

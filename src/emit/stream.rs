//! Objects and answers as texts.

use std::cell::Cell;
use std::io::{self, Write};

use serde::{Serialize, Serializer};
use serde_json::ser::Formatter;

use crate::manifest::Object;

/// How objects are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
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
/// Where `out` cannot be written to, or an object cannot be serialized.
pub fn write_stream<'o>(
    objects: impl IntoIterator<Item = &'o Object>,
    format: Format,
    out: &mut impl Write,
) -> io::Result<()> {
    match format {
        Format::Yaml => objects.into_iter().try_for_each(|object| {
            out.write_all(b"---\n")?;
            out.write_all(text(object, Format::Yaml)?.as_bytes())
        }),
        Format::Json => {
            let list = List {
                api_version: "v1",
                items: objects.into_iter().collect(),
                kind: "List",
            };
            write_pretty(&list, out)
        }
    }
}

/// One object by itself.
///
/// # Errors
///
/// Where the object cannot be serialized.
pub fn text(object: &Object, format: Format) -> io::Result<String> {
    match format {
        Format::Yaml => Ok(object.to_yaml()),
        Format::Json => {
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

/// Writes JSON as `kubectl` indents it, without the whole text in memory.
///
/// # Errors
///
/// Where `out` cannot be written to, or the value cannot be serialized.
pub fn write_pretty(value: &impl Serialize, out: &mut impl Write) -> io::Result<()> {
    let formatter = Indented::default();
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut *out, formatter))?;
    out.write_all(b"\n")
}

/// JSON with four blanks a level, as serde's `PrettyFormatter` writes it, which writes each level by itself.
#[derive(Default)]
struct Indented {
    depth: usize,
    /// Whether the list or object that is written has anything in it.
    has_value: bool,
}

/// A comma, a line break and the blanks of many levels.
const BREAK: &[u8] = b",\n                                                                ";

impl Indented {
    fn begin(&mut self, out: &mut (impl Write + ?Sized), bracket: &[u8]) -> io::Result<()> {
        self.depth += 1;
        self.has_value = false;
        out.write_all(bracket)
    }

    fn end(&mut self, out: &mut (impl Write + ?Sized), bracket: &[u8]) -> io::Result<()> {
        self.depth -= 1;
        if self.has_value {
            self.line_break(out, true)?;
        }
        out.write_all(bracket)
    }

    /// Begins a line, behind a comma unless it is the first one.
    fn line_break(&mut self, out: &mut (impl Write + ?Sized), is_first: bool) -> io::Result<()> {
        let (start, blanks) = (usize::from(is_first), self.depth * 4);
        let at_once = BREAK.get(start..blanks + 2);
        if let Some(at_once) = at_once {
            return out.write_all(at_once);
        }
        out.write_all(BREAK.get(start..2).unwrap_or_default())?;
        out.write_all(" ".repeat(blanks).as_bytes())
    }
}

impl Formatter for Indented {
    fn begin_array<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.begin(out, b"[")
    }

    fn end_array<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.end(out, b"]")
    }

    fn begin_array_value<W: Write + ?Sized>(&mut self, out: &mut W, is_first: bool) -> io::Result<()> {
        self.line_break(out, is_first)
    }

    fn end_array_value<W: Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_value = true;
        Ok(())
    }

    fn begin_object<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.begin(out, b"{")
    }

    fn end_object<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.end(out, b"}")
    }

    fn begin_object_key<W: Write + ?Sized>(&mut self, out: &mut W, is_first: bool) -> io::Result<()> {
        self.line_break(out, is_first)
    }

    fn begin_object_value<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }

    fn end_object_value<W: Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_value = true;
        Ok(())
    }
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

//! Objects as one text.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::PrettyFormatter;

use crate::lower::manifest::Object;
use crate::yaml::{Style, Value, write_to};

/// How objects are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// One YAML document an object, as `kubectl get -o yaml` writes it.
    #[default]
    Yaml,
    /// One `List`, as `kubectl get -o json` writes it.
    Json,
}

/// Writes all objects.
///
/// # Errors
///
/// Where `out` cannot be written to, or an object cannot be serialized.
pub fn write_stream(objects: &[Object], format: Format, out: &mut impl Write) -> io::Result<()> {
    match format {
        Format::Yaml => objects.iter().try_for_each(|object| {
            out.write_all(b"---\n")?;
            out.write_all(document(object)?.as_bytes())
        }),
        Format::Json => {
            let list = List {
                api_version: "v1",
                items: objects,
                kind: "List",
            };
            list.serialize(&mut serde_json::Serializer::with_formatter(
                &mut *out,
                PrettyFormatter::with_indent(b"    "),
            ))?;
            out.write_all(b"\n")
        }
    }
}

/// One object as a YAML document.
///
/// # Errors
///
/// Where the object cannot be serialized.
pub fn document(object: &Object) -> io::Result<String> {
    let value = Value::from(object.to_json()?);
    let mut text = String::new();
    write_to(&mut text, &value, Style::Kubernetes);
    Ok(text)
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct List<'o> {
    api_version: &'static str,
    items: &'o [Object],
    kind: &'static str,
}

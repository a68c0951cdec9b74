//! Objects as one text.

use std::io::{self, Write};

use serde::Serialize;

use super::json::{pretty, write_pretty};
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
        Format::Json => pretty(object),
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct List<'o> {
    api_version: &'static str,
    items: Vec<&'o Object>,
    kind: &'static str,
}

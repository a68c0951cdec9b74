//! Objects as one text.

use std::io::{self, Write};

use serde::Serialize;

use super::json::{pretty, write_pretty};
use crate::diagnostic::ObjectKey;
use crate::manifest::Object;
use crate::yaml::{Style, Value, write};

/// What is written: a manifest of one of the two systems.
pub trait Manifest: Serialize {
    /// Which object it is.
    fn key(&self) -> ObjectKey;

    /// The group of its kind; empty for the core group.
    fn group(&self) -> &str;

    /// Whether only the owner of a file may read it.
    fn is_secret(&self) -> bool;

    /// What `kubectl get -o name` writes: `statefulset.apps/agent`.
    fn resource_name(&self) -> String {
        let ObjectKey { kind, name, .. } = self.key();
        let kind = kind.to_lowercase();
        match self.group() {
            "" => format!("{kind}/{name}"),
            group => format!("{kind}.{group}/{name}"),
        }
    }

    /// Its text as `kubectl get -o yaml` writes it.
    fn to_yaml(&self) -> String;
}

impl Manifest for Object {
    fn key(&self) -> ObjectKey {
        self.key()
    }

    fn group(&self) -> &str {
        self.group()
    }

    fn is_secret(&self) -> bool {
        self.is_secret()
    }

    fn to_yaml(&self) -> String {
        write(&Value::from(self.to_json()), Style::Kubernetes)
    }
}

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
pub fn write_stream<'o, M: Manifest + 'o>(
    objects: impl IntoIterator<Item = &'o M>,
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
pub fn text(object: &impl Manifest, format: Format) -> io::Result<String> {
    match format {
        Format::Yaml => Ok(object.to_yaml()),
        Format::Json => pretty(object),
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct List<'o, M> {
    api_version: &'static str,
    items: Vec<&'o M>,
    kind: &'static str,
}

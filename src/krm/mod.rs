//! The function of the Kubernetes Resource Model: a ResourceList with resources in, the same list with the manifests out.
//! Nothing here reads or writes.
//!
//! The form is that of kustomize's `cmd/config/docs/api-conventions/functions-spec.md`.

mod annotations;
mod copy;
mod diagnostics;
mod items;
mod list;
mod results;

pub use items::{Item, merge, replaced};
pub use list::{ResourceList, is_resource_list, read};
pub use results::results;

use std::io::{self, Write};

use crate::yaml::{Mapping, Style, Value, write};

/// Writes the items as documents, as [`write_list`] writes them in a list.
///
/// # Errors
///
/// Where `out` cannot be written to.
pub fn write_documents(list: &ResourceList<'_>, items: &[Item<'_>], out: &mut impl Write) -> io::Result<()> {
    let owner = list.owner();
    for item in items {
        let mut document = "---\n".to_owned();
        match item {
            Item::Kept(node) => copy::document(&mut document, list, *node),
            Item::Rendered(object, replaced) => {
                let manifest = items::manifest(object, *replaced, owner);
                document.push_str(&write(&manifest, Style::Kubernetes));
            }
        }
        out.write_all(document.as_bytes())?;
    }
    Ok(())
}

/// Writes the list that the function hands back: the items, the configuration as it came, and the results.
///
/// # Errors
///
/// Where `out` cannot be written to.
pub fn write_list(
    list: &ResourceList<'_>,
    items: &[Item<'_>],
    results: Vec<Value<'_>>,
    out: &mut impl Write,
) -> io::Result<()> {
    let owner = list.owner();
    writeln!(out, "apiVersion: {}\nkind: ResourceList", list.api_version)?;
    out.write_all(if items.is_empty() { b"items: []\n" } else { b"items:\n" })?;
    for item in items {
        let mut copied = String::new();
        match item {
            Item::Kept(node) => copy::item(&mut copied, list, *node),
            Item::Rendered(object, replaced) => {
                let manifest = items::manifest(object, *replaced, owner);
                copied = write(&Value::Sequence(vec![manifest]), Style::Kubernetes);
            }
        }
        out.write_all(copied.as_bytes())?;
    }
    let mut rest = String::new();
    if let Some(config) = list.config {
        copy::field(&mut rest, list, "functionConfig", config);
    }
    if !results.is_empty() {
        let mut mapping = Mapping::new();
        mapping.push("results", results);
        rest.push_str(&write(&Value::Mapping(mapping), Style::Kubernetes));
    }
    out.write_all(rest.as_bytes())
}

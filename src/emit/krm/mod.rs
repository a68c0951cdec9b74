//! KRM function that reads a ResourceList and returns it with the rendered manifests. The function itself performs no
//! I/O.
//!
//! The format is specified in kustomize's `cmd/config/docs/api-conventions/functions-spec.md`.

mod annotations;
mod copy;
mod diagnostics;
mod items;
mod list;
mod passed_objects;
mod results;

pub use items::{OutputItem, merge, replaced_items};
pub use list::{ResourceList, is_resource_list, read};
pub use passed_objects::passed_objects;
pub use results::results;

use std::io::{self, Write};

use crate::yaml::{LibraryStyle, Mapping, Value, write};

/// Writes the items as separate documents.
///
/// # Errors
///
/// Returns an error if `out` cannot be written to.
pub fn write_documents(list: &ResourceList<'_>, items: &[OutputItem<'_>], out: &mut impl Write) -> io::Result<()> {
    let owner = list.owner();
    items.iter().try_for_each(|item| {
        let text = match item {
            OutputItem::Kept(node) => copy::document_text(list, *node),
            OutputItem::Rendered(object, replaced) => {
                write(&items::item_manifest(object, *replaced, owner), LibraryStyle::Kubernetes)
            }
        };
        write!(out, "---\n{text}")
    })
}

/// Writes the list that the function returns: the items, the unchanged configuration, and the results.
///
/// # Errors
///
/// Returns an error if `out` cannot be written to.
pub fn write_list(
    list: &ResourceList<'_>,
    items: &[OutputItem<'_>],
    results: Vec<Value<'_>>,
    out: &mut impl Write,
) -> io::Result<()> {
    let owner = list.owner();
    writeln!(out, "apiVersion: {}\nkind: ResourceList", list.api_version)?;
    writeln!(out, "items:{}", if items.is_empty() { " []" } else { "" })?;
    for item in items {
        let text = match item {
            OutputItem::Kept(node) => copy::item_text(list, *node),
            OutputItem::Rendered(object, replaced) => {
                let manifest = items::item_manifest(object, *replaced, owner);
                write(&Value::Sequence(vec![manifest]), LibraryStyle::Kubernetes)
            }
        };
        out.write_all(text.as_bytes())?;
    }
    if let Some(config) = list.config {
        out.write_all(copy::field_text(list, "functionConfig", config).as_bytes())?;
    }
    if !results.is_empty() {
        let results = Mapping::from_iter([("results".into(), results.into())]);
        out.write_all(write(&results.into(), LibraryStyle::Kubernetes).as_bytes())?;
    }
    Ok(())
}

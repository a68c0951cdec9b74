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
    items.iter().try_for_each(|item| {
        let text = match item {
            Item::Kept(node) => copy::document(list, *node),
            Item::Rendered(object, replaced) => write(&items::manifest(object, *replaced, owner), Style::Kubernetes),
        };
        write!(out, "---\n{text}")
    })
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
    writeln!(out, "items:{}", if items.is_empty() { " []" } else { "" })?;
    for item in items {
        let text = match item {
            Item::Kept(node) => copy::item(list, *node),
            Item::Rendered(object, replaced) => {
                let manifest = items::manifest(object, *replaced, owner);
                write(&Value::Sequence(vec![manifest]), Style::Kubernetes)
            }
        };
        out.write_all(text.as_bytes())?;
    }
    if let Some(config) = list.config {
        out.write_all(copy::field(list, "functionConfig", config).as_bytes())?;
    }
    if !results.is_empty() {
        let results = Mapping::from_iter([("results".into(), results.into())]);
        out.write_all(write(&results.into(), Style::Kubernetes).as_bytes())?;
    }
    Ok(())
}

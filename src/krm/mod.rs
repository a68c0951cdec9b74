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

use crate::yaml::{Mapping, Style, Value, write};

/// The text of the items as documents, as [`write_list`] writes them in a list.
pub fn write_documents(list: &ResourceList<'_>, text: &str, items: &[Item<'_>]) -> String {
    let mut out = String::new();
    for item in items {
        out.push_str("---\n");
        match item {
            Item::Kept(node) => copy::document(&mut out, *node, list.end_of(*node), text),
            Item::Rendered(value) => out.push_str(&write(value, Style::Kubernetes)),
        }
    }
    out
}

/// The text of the list that the function hands back: the items, the configuration as it came, and the results.
///
/// `text` is that of the source which the list was read from: what stays as it is, is copied from there, comments included.
pub fn write_list(list: &ResourceList<'_>, text: &str, items: &[Item<'_>], results: Vec<Value<'_>>) -> String {
    let mut out = format!("apiVersion: {}\nkind: ResourceList\n", list.api_version);
    out.push_str(if items.is_empty() { "items: []\n" } else { "items:\n" });
    for item in items {
        match item {
            Item::Kept(node) => copy::item(&mut out, *node, list.end_of(*node), text),
            Item::Rendered(value) => out.push_str(&write(&Value::Sequence(vec![value.clone()]), Style::Kubernetes)),
        }
    }
    if let Some(config) = list.config {
        copy::field(&mut out, "functionConfig", config, list.end_of(config), text);
    }
    if !results.is_empty() {
        let mut mapping = Mapping::new();
        mapping.push("results", results);
        out.push_str(&write(&Value::Mapping(mapping), Style::Kubernetes));
    }
    out
}

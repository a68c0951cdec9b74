//! Unknown fields that people often write, with the help that fits: the field is right, but at another place or for another program.

use super::frame::Frame;
use super::versions;
use crate::api::schema::{Schema, definition, object_meta};
use crate::diagnostic::{Diagnostic, suggest};
use crate::source::Span;
use crate::yaml::{Entry, Node};

/// The help for a patch of kustomize among the resources.
pub(super) const BUILD_PATCH: &str =
    "check what kustomize builds of this patch: `kustomize build DIR | agentctl check -`";

/// Adds the help for an unknown field, and the mistake behind it where one mistake makes several findings.
pub(super) fn explain(diagnostic: Diagnostic, schema: &Schema, entry: Entry<'_>, at: &Frame<'_>) -> Option<Diagnostic> {
    let key = entry.key;
    let is_root = at.resource_kind().is_some();
    Some(if is_root && key == "status" {
        diagnostic
            .help("remove it: only the cluster writes `status`, and exports contain it")
            .cause("exported status")
    } else if is_root && object_meta().properties.get(key).is_some() {
        diagnostic.help(format!("move it to `metadata.{key}`"))
    } else if at.to_string() == "metadata" && definition(at.kind()).schema.properties.get(key).is_some() {
        diagnostic.help(unindent(key)).cause(indented(entry.key_span))
    } else if is_label_selector(schema) {
        diagnostic
            .help(format!("write labels under `matchLabels`: `matchLabels: {{{key}: …}}`"))
            .cause(format!("labels without matchLabels at {:?}", at.head()))
    } else if PATCH_DIRECTIVES.contains(&key) {
        diagnostic.help(BUILD_PATCH)
    } else {
        let version = versions::added_in(key).filter(|_| at.kind().is_of_prometheus())?;
        diagnostic
            .help(format!(
                "remove it: prometheus-operator added it in {version}, and the Grafana Agent Operator knows the fields of v0.66.0"
            ))
            .cause(format!("newer field {key}"))
    })
}

/// Adds the help for a required field that the resource has in its `metadata`, or under a name that is nearly its own.
pub(super) fn explain_missing(
    diagnostic: Diagnostic,
    name: &str,
    schema: &Schema,
    node: Node<'_>,
    at: &Frame<'_>,
) -> Diagnostic {
    let metadata = node.get("metadata").filter(|_| at.resource_kind().is_some());
    if let Some(entry) = metadata.and_then(|metadata| metadata.entry(name)) {
        return diagnostic
            .label(entry.key_span, format!("`{name}` is indented too far"))
            .help(unindent(name))
            .cause(indented(entry.key_span));
    }
    let known = || schema.properties.iter().map(|(known, _)| known);
    let is_meant = |entry: &Entry<'_>| suggest::closest(entry.key, known()) == Some(name);
    let mut unknown = node.entries().filter(|entry| schema.field(entry.key).is_none());
    match unknown.find(is_meant) {
        Some(entry) => diagnostic
            .label(entry.key_span, "unknown field")
            .help(format!("rename `{}` to `{name}`", entry.key))
            .cause(misspelled(entry.key_span)),
        None => diagnostic,
    }
}

/// A required field under a name that is nearly its own: it is missing, and what is there is unknown.
pub(super) fn misspelled(key: Span) -> String {
    format!("misspelled at {key:?}")
}

fn unindent(field: &str) -> String {
    format!("unindent `{field}`: it belongs beside `metadata`, not below it")
}

fn indented(key: Span) -> String {
    format!("indented too far at {key:?}")
}

fn is_label_selector(schema: &Schema) -> bool {
    ["matchLabels", "matchExpressions"]
        .iter()
        .all(|field| schema.properties.get(field).is_some())
}

/// The directives of strategic merge patches (`pkg/util/strategicpatch` of apimachinery).
const PATCH_DIRECTIVES: &[&str] = &["$deleteFromPrimitiveList", "$patch", "$retainKeys", "$setElementOrder"];

//! Warnings for fields that the operator accepts and ignores.

mod table;

use rayon::prelude::*;

use crate::api::{AnyResource, Head, Kind, Resources};
use crate::diagnostic::{Code, Diagnostic, FieldPath};
use crate::yaml::{Node, NodeValue};
use table::{TABLE, When};

/// Reports each field that is set but ignored.
pub(super) fn check(resources: &Resources<'_>) -> Vec<Diagnostic> {
    let custom = Kind::ALL.iter().filter(|kind| kind.is_custom());
    let all: Vec<_> = custom
        .flat_map(|kind| resources.of(*kind))
        .map(AnyResource::head)
        .collect();
    all.into_par_iter().flat_map_iter(of_resource).collect()
}

fn of_resource(resource: &Head<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for ignored in &TABLE.ignored {
        for (_, outer) in ignored.within.iter().filter(|(kind, _)| *kind == resource.kind) {
            resource.root.visit(outer, &mut FieldPath::new(), &mut |path, node| {
                for (field, when, note) in &ignored.fields {
                    node.visit(field, path, &mut |path, value| {
                        if applies(*when, value) {
                            found.push(diagnostic(resource, path, *when, note));
                        }
                    });
                }
            });
        }
    }
    found
}

fn diagnostic(resource: &Head<'_>, path: &FieldPath<'_>, when: When, note: &str) -> Diagnostic {
    let [note, help] = TABLE.notes.get(note).copied().unwrap_or_default();
    let value = match when {
        When::Set => "",
        When::True => " of `true`",
        When::False => " of `false`",
        When::Empty => " that is empty",
    };
    let message = format!("the operator ignores `{path}`{value}: {note}");
    resource.finding(Code::IgnoredField, path, message).help(help)
}

fn applies(when: When, value: Node<'_>) -> bool {
    match when {
        When::Set => !is_zero(value),
        When::True => value.value() == NodeValue::Bool(true),
        When::False => value.value() == NodeValue::Bool(false),
        When::Empty => value.value() == NodeValue::String(""),
    }
}

/// Whether a value is Go's zero value, including everything nested in it.
fn is_zero(node: Node<'_>) -> bool {
    match node.value() {
        NodeValue::Null | NodeValue::Bool(false) | NodeValue::Int(0) | NodeValue::String("") => true,
        NodeValue::Sequence => node.items().len() == 0,
        NodeValue::Mapping => node.entries().all(|entry| is_zero(entry.value)),
        NodeValue::Bool(true) | NodeValue::Int(_) | NodeValue::Float(_) | NodeValue::String(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::check::tests::lines;
    use crate::diagnostic::Code;

    fn service_monitor(spec: &str) -> Vec<String> {
        let monitor = format!(
            "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {{name: s}}\nspec: {{selector: {{}}, {spec}}}"
        );
        let mut lines = lines(&[&monitor]);
        lines.retain(|line| line.starts_with(Code::IgnoredField.as_str()));
        lines
    }

    #[test]
    fn what_is_set_in_vain() {
        for (spec, path) in [
            (
                "endpoints: [{port: a}, {followRedirects: false}]",
                Some("spec.endpoints[1].followRedirects"),
            ),
            ("endpoints: [{followRedirects: true}]", None),
            (
                "endpoints: [{authorization: {credentials: {key: k}}}]",
                Some("spec.endpoints[0].authorization"),
            ),
            ("endpoints: [{authorization: {}}]", None),
            (
                "endpoints: [{bearerTokenSecret: {name: t, key: k, optional: true}}]",
                Some("spec.endpoints[0].bearerTokenSecret.optional"),
            ),
            (
                "endpoints: [{bearerTokenSecret: {name: t, key: k, optional: false}}]",
                None,
            ),
            ("endpoints: [{params: {optional: ['true']}}]", None),
            (
                "endpoints: [{relabelings: [{separator: '', action: keep}]}]",
                Some("spec.endpoints[0].relabelings[0].separator"),
            ),
            ("endpoints: [{relabelings: [{separator: ','}]}]", None),
            ("endpoints: [], labelLimit: 0, attachMetadata: {node: false}", None),
            ("endpoints: [], labelLimit: 3", Some("spec.labelLimit")),
        ] {
            let lines = service_monitor(spec);
            assert!(lines.len() < 2, "{lines:?}");
            let found = lines.first().and_then(|line| line.split([' ', ':']).nth(1));
            assert_eq!(found, path, "{spec}");
        }
    }
}

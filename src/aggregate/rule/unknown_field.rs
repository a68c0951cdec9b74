//! A field that the kind does not have: the API server drops it.

use crate::aggregate::diagnostics;
use crate::aggregate::field::Origin;
use crate::aggregate::kind::{AggregateKind, ObjectName};
use crate::diagnostic::{Diagnostic, FieldPath};
use crate::yaml::Node;

const API_SERVICE_SPEC: &[&str] = &[
    "caBundle",
    "group",
    "groupPriorityMinimum",
    "insecureSkipTLSVerify",
    "service",
    "version",
    "versionPriority",
];
const SERVICE_REFERENCE: &[&str] = &["name", "namespace", "port"];
const EXTERNAL_NAME_SPEC: &[&str] = &["host"];
const REMOTE_SERVICE: &[&str] = &["group", "host", "port", "version"];
const OBJECT: &[&str] = &["apiVersion", "kind", "metadata", "spec", "status"];

/// A remote service counts once, although it becomes two objects.
pub(super) fn check(object: ObjectName<'_>, origin: Origin<'_>, out: &mut Vec<Diagnostic>) {
    match (origin, object.kind) {
        (Origin::Manifest(root), kind) => {
            let (spec, reference) = match kind {
                AggregateKind::ApiService => (API_SERVICE_SPEC, SERVICE_REFERENCE),
                AggregateKind::ExternalName => (EXTERNAL_NAME_SPEC, &[][..]),
                AggregateKind::Service => return,
            };
            fields(object, root, "", OBJECT, out);
            nested(object, root, "spec", spec, out);
            if kind == AggregateKind::ApiService {
                nested(object, root, "spec.service", reference, out);
            }
        }
        (Origin::Remote { entry, index }, AggregateKind::ApiService) => {
            fields(object, entry, &format!("[{index}]"), REMOTE_SERVICE, out);
        }
        (Origin::Remote { .. }, _) => {}
    }
}

fn nested(object: ObjectName<'_>, root: Node<'_>, path: &str, known: &[&str], out: &mut Vec<Diagnostic>) {
    if let Some(mapping) = FieldPath::of(path).find(root) {
        fields(object, mapping, path, known, out);
    }
}

fn fields(object: ObjectName<'_>, mapping: Node<'_>, path: &str, known: &[&str], out: &mut Vec<Diagnostic>) {
    let unknown = mapping.entries().filter(|entry| !known.contains(&entry.key));
    out.extend(unknown.map(|entry| diagnostics::unknown_field(object, path, entry, known)));
}

//! What surely scrapes the same targets: the same objects in the same namespaces, the same port, path, scheme and
//! parameters, and the same relabelings, which may drop some of them.

use std::fmt::Write;

use crate::api::{Endpoint, Kind, NamespaceSelector, Resource};
use crate::yaml::{Node, NodeValue};

/// The fields of an endpoint that decide what is scraped, besides those with a default.
const FIELDS: [&str; 6] = [
    "port",
    "targetPort",
    "params",
    "relabelings",
    "metricRelabelings",
    "filterRunning",
];

/// A monitor's side of the target: equal for monitors that find the same objects.
pub fn objects<S>(
    kind: Kind,
    monitor: &Resource<'_, S>,
    namespaces: &NamespaceSelector<'_>,
    own_namespace_only: bool,
) -> String {
    let own = [monitor.meta.namespace];
    let mut names = match namespaces {
        _ if own_namespace_only => own.to_vec(),
        NamespaceSelector { any: true, .. } => vec!["*"],
        NamespaceSelector { match_names, .. } if match_names.is_empty() => own.to_vec(),
        NamespaceSelector { match_names, .. } => match_names.clone(),
    };
    names.sort_unstable();
    names.dedup();
    let mut key = format!("{kind} {names:?} ");
    let spec = monitor.root.get("spec");
    write_canonical(spec.and_then(|spec| spec.get("selector")), &mut key);
    key
}

/// An endpoint's side of the target.
pub fn endpoint(endpoint: &Endpoint<'_>, node: Node<'_>) -> String {
    let path = if endpoint.path.is_empty() {
        "/metrics"
    } else {
        endpoint.path
    };
    let scheme = if endpoint.scheme.is_empty() {
        "http"
    } else {
        endpoint.scheme
    };
    let mut key = format!("{path:?} {scheme:?}");
    for field in FIELDS {
        key.push(' ');
        write_canonical(node.get(field), &mut key);
    }
    key
}

/// Writes a value so that equal values are written alike: keys in order, no matter how they stand in the text.
fn write_canonical(node: Option<Node<'_>>, out: &mut String) {
    let Some(node) = node else {
        out.push('-');
        return;
    };
    // Writing to a string does not fail.
    let _ = match node.value() {
        NodeValue::Null => write!(out, "-"),
        NodeValue::Bool(value) => write!(out, "{value}"),
        NodeValue::Int(value) => write!(out, "{value}"),
        NodeValue::Float(value) => write!(out, "{value}"),
        NodeValue::String(value) => write!(out, "{value:?}"),
        NodeValue::Sequence => {
            out.push('[');
            for item in node.items() {
                write_canonical(Some(item), out);
                out.push(',');
            }
            write!(out, "]")
        }
        NodeValue::Mapping => {
            let mut entries: Vec<_> = node.entries().collect();
            entries.sort_unstable_by_key(|entry| entry.key);
            out.push('{');
            for entry in entries {
                let _ = write!(out, "{:?}:", entry.key);
                write_canonical(Some(entry.value), out);
                out.push(',');
            }
            write!(out, "}}")
        }
    };
}

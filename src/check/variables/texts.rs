//! Strings of a resource that may reach a configuration.

use crate::api::{Kind, ResourceHeader};
use crate::diagnostic::FieldPath;
use crate::plan::ConfigKind;
use crate::secrecy::{is_named_secret, is_secret_key, tells_a_secret};
use crate::yaml::{Node, NodeValue};

/// Fields of a GrafanaAgent that are part of a configuration; the others are those of its pods.
const OF_AGENT: [&str; 6] = ["apiServer", "integrations", "logFormat", "logLevel", "logs", "metrics"];

/// A string of a resource: the value of a field or the key of a mapping.
pub struct Text<'t, 'p> {
    pub text: &'t str,
    pub path: &'p FieldPath<'t>,
    /// Whether no part of it may be shown.
    pub is_secret: bool,
    /// The value of a field beside it, if that is a string.
    pub beside: &'p dyn Fn(&str) -> Option<&'t str>,
}

/// Passes on each string with a dollar sign in the fields of a resource that are part of a configuration.
pub fn each_text<'t>(head: &ResourceHeader<'t>, pass: &mut dyn FnMut(&Text<'t, '_>)) {
    // A dollar sign may be escaped.
    if !head.root.raw().contains(['$', '\\']) {
        return;
    }
    let Some(spec) = head.root.get("spec") else { return };
    let mut path = FieldPath::of("spec");
    if head.kind != Kind::GrafanaAgent {
        return below(spec, &mut path, false, pass);
    }
    for field in OF_AGENT {
        if let Some(value) = spec.get(field) {
            path.push_key(field);
            value_of(spec, field, value, &mut path, false, pass);
            path.pop();
        }
    }
}

/// Whether a resource may be part of a configuration.
pub fn is_in(kind: Kind, part: ConfigKind) -> bool {
    let is_of_integrations = matches!(part, ConfigKind::Integrations { .. });
    match kind {
        Kind::MetricsInstance => part != ConfigKind::Logs,
        Kind::LogsInstance => part != ConfigKind::Metrics,
        Kind::ServiceMonitor | Kind::PodMonitor | Kind::Probe => part == ConfigKind::Metrics,
        Kind::PodLogs => part == ConfigKind::Logs,
        Kind::Integration => is_of_integrations,
        _ => true,
    }
}

fn below<'t>(node: Node<'t>, path: &mut FieldPath<'t>, is_secret: bool, pass: &mut dyn FnMut(&Text<'t, '_>)) {
    for entry in node.entries() {
        path.push_key(entry.key);
        if entry.key.contains('$') {
            let beside = &|_: &str| None;
            let text = entry.key;
            pass(&Text {
                text,
                path,
                is_secret,
                beside,
            });
        }
        value_of(node, entry.key, entry.value, path, is_secret, pass);
        path.pop();
    }
    for (index, item) in node.items().enumerate() {
        path.push_index(index);
        value_of(node, "", item, path, is_secret, pass);
        path.pop();
    }
}

/// Passes on the strings in the value of `key` of a mapping, or in an item of a list, which has no key.
fn value_of<'t>(
    parent: Node<'t>,
    key: &str,
    value: Node<'t>,
    path: &mut FieldPath<'t>,
    is_secret: bool,
    pass: &mut dyn FnMut(&Text<'t, '_>),
) {
    let NodeValue::String(text) = value.value() else {
        let is_secret = is_secret || is_secret_key(key);
        return below(value, path, is_secret, pass);
    };
    if text.contains('$') {
        let beside = &|field: &str| parent.get(field)?.as_str();
        let is_secret = is_secret || is_secret_key(key) || is_named_secret(key, beside) || tells_a_secret(text);
        pass(&Text {
            text,
            path,
            is_secret,
            beside,
        });
    }
}

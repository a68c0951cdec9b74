//! Strings in a resource that may become part of a configuration.

use crate::api::{Kind, ResourceHeader, Resources};
use crate::diagnostic::{FieldPath, Step};
use crate::plan::ConfigKind;
use crate::resolve::AssetKey;
use crate::secrecy::{contains_secret, is_named_secret, is_secret_key};
use crate::yaml::{Node, NodeValue};

/// Fields of a GrafanaAgent that become part of a configuration. The other fields configure its pods.
const AGENT_FIELDS: [&str; 6] = ["apiServer", "integrations", "logFormat", "logLevel", "logs", "metrics"];

/// Function that visits strings in a resource.
type StringVisitor<'f, 't> = dyn FnMut(&ResourceString<'t, '_>) + 'f;

/// A string in a resource: the value of a field, or a key in a mapping.
pub struct ResourceString<'t, 'p> {
    pub text: &'t str,
    pub path: &'p FieldPath<'t>,
    /// Whether the string is a key in a mapping.
    pub is_key: bool,
    /// Function that returns the value of a sibling field, if that value is a string.
    pub sibling_text: &'p dyn Fn(&str) -> Option<&'t str>,
}

/// Calls `pass` for each string that `is_wanted` accepts, in fields that become part of a configuration.
pub fn for_each_string<'t>(
    head: &ResourceHeader<'t>,
    is_wanted: &dyn Fn(&str) -> bool,
    pass: &mut dyn FnMut(&ResourceString<'t, '_>),
) {
    let Some(spec) = head.root.get("spec") else { return };
    let mut pass = |text: &ResourceString<'t, '_>| {
        if is_wanted(text.text) {
            pass(text);
        }
    };
    let pass: &mut StringVisitor<'_, 't> = &mut pass;
    let mut path = FieldPath::parse("spec");
    if head.kind != Kind::GrafanaAgent {
        return visit_children(spec, &mut path, pass);
    }
    for field in AGENT_FIELDS {
        if let Some(value) = spec.get(field) {
            path.push_key(field);
            visit_value(spec, value, &mut path, pass);
            path.pop();
        }
    }
}

/// Fields whose values the operator writes as label names.
const LABELS: [&str; 3] = ["logsExternalLabelName", "metricsExternalLabelName", "replicaExternalLabelName"];

impl ResourceString<'_, '_> {
    /// Whether the operator writes the string as a key in a configuration. A key in a selector becomes part of a label
    /// name instead.
    pub fn becomes_key(&self) -> bool {
        let mut keys = self.path.steps().filter_map(Step::key);
        match self.is_key {
            true => keys.all(|key| key != "matchLabels"),
            false => self.path.last_key().is_some_and(|key| LABELS.contains(&key)),
        }
    }

    /// Whether a message must not contain any part of the string.
    pub fn is_secret(&self) -> bool {
        let mut keys = self.path.steps().filter_map(Step::key);
        let last = self.path.last_key().unwrap_or_default();
        keys.any(is_secret_key) || is_named_secret(last, self.sibling_text) || contains_secret(self.text)
    }
}

/// Whether a resource of this kind may become part of a configuration.
pub fn may_contribute_to(kind: Kind, part: ConfigKind) -> bool {
    let is_integrations_config = matches!(part, ConfigKind::Integrations { .. });
    match kind {
        Kind::MetricsInstance => part != ConfigKind::Logs,
        Kind::LogsInstance => part != ConfigKind::Metrics,
        Kind::ServiceMonitor | Kind::PodMonitor | Kind::Probe => part == ConfigKind::Metrics,
        Kind::PodLogs => part == ConfigKind::Logs,
        Kind::Integration => is_integrations_config,
        _ => true,
    }
}

fn visit_children<'t>(node: Node<'t>, path: &mut FieldPath<'t>, pass: &mut StringVisitor<'_, 't>) {
    for entry in node.entries() {
        path.push_key(entry.key);
        pass(&ResourceString { text: entry.key, path, is_key: true, sibling_text: &|_| None });
        visit_value(node, entry.value, path, pass);
        path.pop();
    }
    for (index, item) in node.items().enumerate() {
        path.push_index(index);
        visit_value(node, item, path, pass);
        path.pop();
    }
}

/// Calls `pass` for the strings in `value`, which is in the `parent` mapping or list.
fn visit_value<'t>(parent: Node<'t>, value: Node<'t>, path: &mut FieldPath<'t>, pass: &mut StringVisitor<'_, 't>) {
    let NodeValue::String(text) = value.value() else {
        return visit_children(value, path, pass);
    };
    pass(&ResourceString { text, path, is_key: false, sibling_text: &|field| parent.get(field)?.as_str() });
}

/// Returns the Secret or ConfigMap in the input that contains a key, and the path of the key's value.
pub fn holder<'r, 'd>(
    resources: &'r Resources<'d>,
    key: &AssetKey<'_>,
) -> Option<(&'r ResourceHeader<'d>, FieldPath<'static>)> {
    let holder: &ResourceHeader<'_> = resources.data_object(key.object())?;
    let has_key = |field: &str| holder.root.get(field).is_some_and(|data| data.get(key.key).is_some());
    let field = ["stringData", "data"].into_iter().find(|field| has_key(field))?;
    Some((holder, FieldPath::parse(field).key(key.key.to_owned())))
}

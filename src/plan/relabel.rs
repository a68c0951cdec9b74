//! Relabelling rules, in the order in which they are applied.

use std::borrow::Cow;

use super::{Origin, Role};
use crate::api::{Endpoint, IntOrString, LabelSelector, LabelSelectorRequirement, RelabelConfig};
use crate::go::text;

/// What the config-reloader replaces by the number of the agent's shard.
pub const SHARD: &str = "$(SHARD)";

/// A relabelling rule. `None` and empty are left to the agent's defaults.
#[derive(Clone, Default)]
pub struct RelabelRule<'d> {
    /// The labels whose values are joined.
    pub source_labels: Labels<'d>,
    pub separator: &'d str,
    /// What the joined value must match.
    pub regex: Option<Cow<'d, str>>,
    /// The modulus of `hashmod`; 0 for none.
    pub modulus: u64,
    /// The label that is written.
    pub target_label: Option<Cow<'d, str>>,
    pub replacement: Option<Cow<'d, str>>,
    pub action: &'d str,
    /// The field that the rule comes from.
    pub origin: Option<Origin<'d>>,
}

/// The names of labels.
#[derive(Clone, PartialEq, Eq)]
pub enum Labels<'d> {
    /// Those in a list.
    Listed(&'d [&'d str]),
    /// Just this one.
    One(Cow<'d, str>),
}

impl Default for Labels<'_> {
    fn default() -> Self {
        Labels::Listed(&[])
    }
}

impl Labels<'_> {
    /// The names.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let (listed, one) = match self {
            Labels::Listed(names) => (*names, None),
            Labels::One(name) => (Default::default(), Some(name.as_ref())),
        };
        listed.iter().copied().chain(one)
    }
}

impl<'d> RelabelRule<'d> {
    /// A rule of a resource (`relabel_config.libsonnet`).
    fn of_resource(config: &'d RelabelConfig<'d>) -> Self {
        let filled = |text: &'d str| (!text.is_empty()).then_some(Cow::Borrowed(text));
        Self {
            source_labels: Labels::Listed(&config.source_labels),
            separator: config.separator,
            regex: filled(config.regex),
            modulus: config.modulus,
            target_label: filled(config.target_label),
            replacement: filled(config.replacement),
            action: config.action,
            origin: None,
        }
    }

    /// The rule, made from this field.
    pub(super) fn from(self, origin: Origin<'d>) -> Self {
        Self {
            origin: Some(origin),
            ..self
        }
    }
}

/// A rule that copies one label to another.
pub(super) fn copy<'d>(label: impl Into<Cow<'d, str>>, target: impl Into<Cow<'d, str>>) -> RelabelRule<'d> {
    RelabelRule {
        source_labels: Labels::One(label.into()),
        target_label: Some(target.into()),
        ..RelabelRule::default()
    }
}

/// A rule that copies one label to another unless it is empty.
fn copy_filled<'d>(label: String, target: impl Into<Cow<'d, str>>) -> RelabelRule<'d> {
    RelabelRule {
        regex: Some("(.+)".into()),
        replacement: Some("$1".into()),
        ..copy(label, target)
    }
}

/// A rule that sets a label.
pub(super) fn set<'d>(target: &'d str, value: impl Into<Cow<'d, str>>) -> RelabelRule<'d> {
    RelabelRule {
        target_label: Some(target.into()),
        replacement: Some(value.into()),
        ..RelabelRule::default()
    }
}

/// A rule that keeps or drops targets by a label.
fn filter<'d>(label: impl Into<Cow<'d, str>>, regex: impl Into<Cow<'d, str>>, action: &'static str) -> RelabelRule<'d> {
    RelabelRule {
        source_labels: Labels::One(label.into()),
        regex: Some(regex.into()),
        action,
        ..RelabelRule::default()
    }
}

/// The rules in this field of a resource.
pub(super) fn configured<'d>(
    configs: &'d [RelabelConfig<'d>],
    origin: Origin<'d>,
) -> impl Iterator<Item = RelabelRule<'d>> {
    let configs = configs.iter().enumerate();
    configs.map(move |(i, config)| RelabelRule::of_resource(config).from(origin.inner_item(i)))
}

/// The rules of a job, one after the other.
pub(super) struct Relabelings<'d> {
    pub(super) rules: Vec<RelabelRule<'d>>,
    /// The endpoint or the resource that the job is made from.
    pub(super) origin: Origin<'d>,
}

impl<'d> Relabelings<'d> {
    /// The rule every job starts with.
    pub(super) fn new(origin: Origin<'d>) -> Self {
        let relabelings = Self {
            rules: Vec::with_capacity(24),
            origin,
        };
        relabelings.rule(copy("job", "__tmp_prometheus_job_name"))
    }

    /// Then this rule, which every job of its kind has.
    pub(super) fn rule(mut self, rule: RelabelRule<'d>) -> Self {
        self.rules.push(rule.from(self.origin));
        self
    }

    /// Then these rules, which have origins of their own.
    pub(super) fn rules(mut self, rules: impl IntoIterator<Item = RelabelRule<'d>>) -> Self {
        self.rules.extend(rules);
        self
    }

    /// Then keep targets whose object has the labels that are asked for; labels in code point order. An unknown operator
    /// adds no rule.
    pub(super) fn select(self, object: Role, selector: &LabelSelector<'d>, origin: Origin<'d>) -> Self {
        let labels = selector.match_labels.iter().map(|(label, value)| {
            let origin = origin.key("matchLabels").inner_key(label);
            filter(object.meta_label("label", label), value, "keep").from(origin)
        });
        let expressions = selector.match_expressions.iter().enumerate();
        let expressions = expressions.filter_map(|(i, expression)| {
            let origin = origin.key("matchExpressions").inner_item(i);
            Some(requirement(object, expression)?.from(origin))
        });
        self.rules(labels).rules(expressions)
    }

    /// Then leave out pods that have ended, if this is asked for.
    pub(super) fn running_only(self, endpoint: &Endpoint<'d>) -> Self {
        let is_asked_for = endpoint.filter_running == Some(true);
        let rule = || filter("__meta_kubernetes_pod_phase", "(Failed|Succeeded)", "drop");
        let origin = self.origin.key("filterRunning");
        self.rules(is_asked_for.then(|| rule().from(origin)))
    }

    /// Then keep the endpoint's port, which `name_label` names.
    pub(super) fn port(self, endpoint: &Endpoint<'d>, name_label: &'static str) -> Self {
        let rule = match endpoint.target_port {
            _ if !endpoint.port.is_empty() => Some(filter(name_label, endpoint.port, "keep")),
            None | Some(IntOrString::Int(0) | IntOrString::String("")) => None,
            Some(IntOrString::String(name)) => Some(filter("__meta_kubernetes_pod_container_port_name", name, "keep")),
            Some(IntOrString::Int(number)) => Some(filter(
                "__meta_kubernetes_pod_container_port_number",
                number.to_string(),
                "keep",
            )),
        };
        let origin = self.port_origin(endpoint);
        self.rules(rule.map(|rule| rule.from(origin)))
    }

    /// The field that says which port the endpoint has.
    fn port_origin(&self, endpoint: &Endpoint<'d>) -> Origin<'d> {
        self.origin
            .key(if endpoint.port.is_empty() { "targetPort" } else { "port" })
    }

    /// Then name the target by its namespace, service, pod and container.
    pub(super) fn object_labels(self) -> Self {
        self.rule(copy("__meta_kubernetes_namespace", "namespace"))
            .rule(copy("__meta_kubernetes_service_name", "service"))
            .rule(copy("__meta_kubernetes_pod_name", "pod"))
            .rule(copy("__meta_kubernetes_pod_container_name", "container"))
    }

    /// Then copy labels of the object under their own names.
    pub(super) fn copy_labels(self, object: Role, labels: &[&'d str], origin: Origin<'d>) -> Self {
        let labels = labels.iter().enumerate();
        self.rules(labels.map(|(i, &label)| {
            copy_filled(object.meta_label("label", label), text::label_name(label)).from(origin.inner_item(i))
        }))
    }

    /// Then name the job by this label of the object, where it has one.
    pub(super) fn job_label(self, object: Role, label: &str) -> Self {
        let origin = self.origin.at("spec.jobLabel");
        self.rules((!label.is_empty()).then(|| copy_filled(object.meta_label("label", label), "job").from(origin)))
    }

    /// Then name the endpoint by its port.
    pub(super) fn endpoint(self, endpoint: &Endpoint<'d>) -> Self {
        let port = match endpoint.target_port {
            _ if !endpoint.port.is_empty() => Cow::Borrowed(endpoint.port),
            Some(IntOrString::String(name)) => Cow::Borrowed(name),
            port => Cow::Owned(port.map(IntOrString::to_text).unwrap_or_default()),
        };
        let origin = self.port_origin(endpoint);
        self.rules((!port.is_empty()).then(|| set("endpoint", port).from(origin)))
    }

    /// Then the rules of the resource.
    pub(super) fn configured(self, configs: &'d [RelabelConfig<'d>], origin: Origin<'d>) -> Self {
        self.rules(configured(configs, origin))
    }
}

/// The rules that leave one shard its share.
pub(super) fn shard(shards: u64, origin: Origin<'_>) -> [RelabelRule<'_>; 2] {
    let hash = RelabelRule {
        modulus: shards,
        action: "hashmod",
        ..copy("__address__", "__tmp_hash")
    };
    [hash, filter("__tmp_hash", SHARD, "keep")].map(|rule| rule.from(origin))
}

fn requirement<'d>(object: Role, requirement: &LabelSelectorRequirement<'d>) -> Option<RelabelRule<'d>> {
    let has_value = |action| {
        filter(
            object.meta_label("label", requirement.key),
            requirement.values.join("|"),
            action,
        )
    };
    let is_present = |action| filter(object.meta_label("labelpresent", requirement.key), "true", action);
    match requirement.operator {
        "In" => Some(has_value("keep")),
        "NotIn" => Some(has_value("drop")),
        "Exists" => Some(is_present("keep")),
        "DoesNotExist" => Some(is_present("drop")),
        _ => None,
    }
}

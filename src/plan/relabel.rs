//! Relabeling rules, in application order.

use std::borrow::Cow;

use super::{DiscoveryRole, Origin};
use crate::api::{Endpoint, IntOrString, LabelSelector, LabelSelectorRequirement, RelabelConfig};
use crate::go::case::to_lower;
use crate::go::text;

/// Placeholder that the config-reloader replaces with the agent's shard number.
pub const SHARD: &str = "$(SHARD)";

/// Action of a rule (`relabel.Action`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelabelAction {
    Replace,
    Keep,
    Drop,
    KeepEqual,
    DropEqual,
    HashMod,
    LabelMap,
    LabelDrop,
    LabelKeep,
    Lowercase,
    Uppercase,
}

impl RelabelAction {
    /// Returns the action with this name, ignoring case, or `None` if there is no such action.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match to_lower(name).as_str() {
            "replace" => Self::Replace,
            "keep" => Self::Keep,
            "drop" => Self::Drop,
            "keepequal" => Self::KeepEqual,
            "dropequal" => Self::DropEqual,
            "hashmod" => Self::HashMod,
            "labelmap" => Self::LabelMap,
            "labeldrop" => Self::LabelDrop,
            "labelkeep" => Self::LabelKeep,
            "lowercase" => Self::Lowercase,
            "uppercase" => Self::Uppercase,
            _ => return None,
        })
    }

    /// Whether the action compares the joined value with the target label.
    pub fn compares(self) -> bool {
        matches!(self, Self::KeepEqual | Self::DropEqual)
    }

    /// Whether the action keeps or drops entire targets or samples.
    pub fn is_filter(self) -> bool {
        matches!(self, Self::Keep | Self::Drop) || self.compares()
    }

    /// Whether the expression is applied to names rather than values.
    pub fn matches_names(self) -> bool {
        matches!(self, Self::LabelMap | Self::LabelDrop | Self::LabelKeep)
    }
}

/// A relabeling rule. If a field is `None` or empty, the agent's default applies.
#[derive(Clone, Default)]
pub struct RelabelRule<'d> {
    /// Labels whose values are joined.
    pub source_labels: LabelNames<'d>,
    pub separator: &'d str,
    /// Expression that the joined value must match.
    pub regex: Option<Cow<'d, str>>,
    /// Modulus for `hashmod`, or 0 if it is unset.
    pub modulus: u64,
    /// Label to write.
    pub target_label: Option<Cow<'d, str>>,
    pub replacement: Option<Cow<'d, str>>,
    pub action: &'d str,
    /// Field that the rule comes from.
    pub origin: Option<Origin<'d>>,
}

#[derive(Clone, PartialEq, Eq)]
pub enum LabelNames<'d> {
    /// Names in an existing list.
    Listed(&'d [&'d str]),
    /// Names in a list that was created for the rule.
    Collected(Vec<&'d str>),
    /// Single label name.
    One(Cow<'d, str>),
}

impl Default for LabelNames<'_> {
    fn default() -> Self {
        LabelNames::Listed(&[])
    }
}

impl LabelNames<'_> {
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let (listed_labels, single_label) = match self {
            LabelNames::Listed(names) => (*names, None),
            LabelNames::Collected(names) => (names.as_slice(), None),
            LabelNames::One(name) => (Default::default(), Some(name.as_ref())),
        };
        listed_labels.iter().copied().chain(single_label)
    }
}

impl<'d> RelabelRule<'d> {
    /// Creates a rule from a resource (`relabel_config.libsonnet`).
    fn from_resource(config: &'d RelabelConfig<'d>) -> Self {
        let non_empty = |text: &'d str| (!text.is_empty()).then_some(Cow::Borrowed(text));
        Self {
            source_labels: LabelNames::Listed(&config.source_labels),
            separator: config.separator,
            regex: non_empty(config.regex),
            modulus: config.modulus,
            target_label: non_empty(config.target_label),
            replacement: non_empty(config.replacement),
            action: config.action,
            origin: None,
        }
    }

    /// Returns the action, or `None` if there is no such action.
    pub fn parse_action(&self) -> Option<RelabelAction> {
        if self.action.is_empty() { Some(RelabelAction::Replace) } else { RelabelAction::from_name(self.action) }
    }

    /// Sets the field that the rule comes from.
    pub(super) fn from(self, origin: Origin<'d>) -> Self {
        Self { origin: Some(origin), ..self }
    }
}

/// Creates a rule that copies one label to another.
pub(super) fn copy<'d>(label: impl Into<Cow<'d, str>>, target: impl Into<Cow<'d, str>>) -> RelabelRule<'d> {
    RelabelRule {
        source_labels: LabelNames::One(label.into()),
        target_label: Some(target.into()),
        ..RelabelRule::default()
    }
}

/// Creates a rule that copies one label to another unless the first label is empty.
fn copy_nonempty<'d>(label: String, target: impl Into<Cow<'d, str>>) -> RelabelRule<'d> {
    RelabelRule { regex: Some("(.+)".into()), replacement: Some("$1".into()), ..copy(label, target) }
}

/// Creates a rule that sets a label.
pub(super) fn set<'d>(target: &'d str, value: impl Into<Cow<'d, str>>) -> RelabelRule<'d> {
    RelabelRule { target_label: Some(target.into()), replacement: Some(value.into()), ..RelabelRule::default() }
}

/// Creates a rule that keeps or drops targets based on a label.
fn filter<'d>(label: impl Into<Cow<'d, str>>, regex: impl Into<Cow<'d, str>>, action: &'static str) -> RelabelRule<'d> {
    RelabelRule {
        source_labels: LabelNames::One(label.into()),
        regex: Some(regex.into()),
        action,
        ..RelabelRule::default()
    }
}

/// Returns the rules in a resource field.
pub(super) fn configured_rules<'d>(
    configs: &'d [RelabelConfig<'d>],
    origin: Origin<'d>,
) -> impl Iterator<Item = RelabelRule<'d>> {
    let configs = configs.iter().enumerate();
    configs.map(move |(i, config)| RelabelRule::from_resource(config).from(origin.inner_item(i)))
}

/// Builder for a job's rules.
pub(super) struct Relabelings<'d> {
    pub(super) rules: Vec<RelabelRule<'d>>,
    /// Whether the job is an outline, which has no rules.
    are_omitted: bool,
    /// Endpoint or resource that the job belongs to.
    pub(super) origin: Origin<'d>,
}

impl<'d> Relabelings<'d> {
    /// Creates a builder with the rule that is common to all jobs, or without rules if `are_omitted` is set.
    pub(super) fn new(origin: Origin<'d>, are_omitted: bool) -> Self {
        let relabelings = Self { rules: Vec::with_capacity(if are_omitted { 0 } else { 24 }), are_omitted, origin };
        relabelings.rule(copy("job", "__tmp_prometheus_job_name"))
    }

    /// Appends a rule that the operator adds to every job of this kind.
    pub(super) fn rule(self, rule: RelabelRule<'d>) -> Self {
        let origin = self.origin;
        self.rules([rule.from(origin)])
    }

    /// Appends rules that already have origins.
    pub(super) fn rules(mut self, rules: impl IntoIterator<Item = RelabelRule<'d>>) -> Self {
        if !self.are_omitted {
            self.rules.extend(rules);
        }
        self
    }

    /// Appends rules that keep targets whose object matches `selector`: first the rules for its labels, sorted by code
    /// point, and then the rules for its expressions. An expression with an unknown operator adds no rule.
    pub(super) fn select(self, object: DiscoveryRole, selector: &LabelSelector<'d>, origin: Origin<'d>) -> Self {
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

    /// Appends a rule that drops terminated pods, if configured.
    pub(super) fn drop_terminated_pods(self, endpoint: &Endpoint<'d>) -> Self {
        let is_requested = endpoint.filter_running == Some(true);
        let rule = || filter("__meta_kubernetes_pod_phase", "(Failed|Succeeded)", "drop");
        let origin = self.origin.key("filterRunning");
        self.rules(is_requested.then(|| rule().from(origin)))
    }

    /// Appends a rule that keeps targets with the endpoint's port. The `name_label` label contains the port's name.
    pub(super) fn port(self, endpoint: &Endpoint<'d>, name_label: &'static str) -> Self {
        let rule = match endpoint.target_port {
            _ if !endpoint.port.is_empty() => Some(filter(name_label, endpoint.port, "keep")),
            None | Some(IntOrString::Int(0) | IntOrString::String("")) => None,
            Some(IntOrString::String(name)) => Some(filter("__meta_kubernetes_pod_container_port_name", name, "keep")),
            Some(IntOrString::Int(number)) => {
                Some(filter("__meta_kubernetes_pod_container_port_number", number.to_string(), "keep"))
            }
        };
        let origin = self.port_origin(endpoint);
        self.rules(rule.map(|rule| rule.from(origin)))
    }

    /// Returns the field that specifies the endpoint's port.
    fn port_origin(&self, endpoint: &Endpoint<'d>) -> Origin<'d> {
        self.origin.key(if endpoint.port.is_empty() { "targetPort" } else { "port" })
    }

    /// Appends rules that label the target with its namespace, service, pod and container.
    pub(super) fn object_labels(self) -> Self {
        self.rule(copy("__meta_kubernetes_namespace", "namespace"))
            .rule(copy("__meta_kubernetes_service_name", "service"))
            .rule(copy("__meta_kubernetes_pod_name", "pod"))
            .rule(copy("__meta_kubernetes_pod_container_name", "container"))
    }

    /// Appends rules that copy the object's labels to labels with sanitized names.
    pub(super) fn copy_labels(self, object: DiscoveryRole, labels: &[&'d str], origin: Origin<'d>) -> Self {
        let labels = labels.iter().enumerate();
        self.rules(labels.map(|(i, &label)| {
            copy_nonempty(object.meta_label("label", label), text::label_name(label)).from(origin.inner_item(i))
        }))
    }

    /// Appends a rule that names the job after a label of the object, if the object has this label.
    pub(super) fn job_label(self, object: DiscoveryRole, label: &str) -> Self {
        let origin = self.origin.at("spec.jobLabel");
        self.rules((!label.is_empty()).then(|| copy_nonempty(object.meta_label("label", label), "job").from(origin)))
    }

    /// Appends a rule that names the endpoint after its port.
    pub(super) fn endpoint(self, endpoint: &Endpoint<'d>) -> Self {
        let port = match endpoint.target_port {
            _ if !endpoint.port.is_empty() => Cow::Borrowed(endpoint.port),
            Some(IntOrString::String(name)) => Cow::Borrowed(name),
            port => Cow::Owned(port.map(IntOrString::to_text).unwrap_or_default()),
        };
        let origin = self.port_origin(endpoint);
        self.rules((!port.is_empty()).then(|| set("endpoint", port).from(origin)))
    }

    /// Appends the rules that the resource configures.
    pub(super) fn configured_rules(self, configs: &'d [RelabelConfig<'d>], origin: Origin<'d>) -> Self {
        self.rules(configured_rules(configs, origin))
    }
}

/// Returns the rules that keep a shard's share of the targets.
pub(super) fn shard(shards: u64, origin: Origin<'_>) -> [RelabelRule<'_>; 2] {
    let hash = RelabelRule { modulus: shards, action: "hashmod", ..copy("__address__", "__tmp_hash") };
    [hash, filter("__tmp_hash", SHARD, "keep")].map(|rule| rule.from(origin))
}

fn requirement<'d>(object: DiscoveryRole, requirement: &LabelSelectorRequirement<'d>) -> Option<RelabelRule<'d>> {
    let has_value = |action| filter(object.meta_label("label", requirement.key), requirement.values.join("|"), action);
    let is_present = |action| filter(object.meta_label("labelpresent", requirement.key), "true", action);
    match requirement.operator {
        "In" => Some(has_value("keep")),
        "NotIn" => Some(has_value("drop")),
        "Exists" => Some(is_present("keep")),
        "DoesNotExist" => Some(is_present("drop")),
        _ => None,
    }
}

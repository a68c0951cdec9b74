//! Relabelling rules, in the order in which they are applied.

use std::borrow::Cow;

use super::fields::Fields;
use super::origin::Site;
use crate::api::{Endpoint, IntOrString, LabelSelector, LabelSelectorRequirement, RelabelConfig};
use crate::go::text;
use crate::yaml::Value;

/// An object that discovery finds labels on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Labelled {
    Ingress,
    Pod,
    Service,
}

impl Labelled {
    fn as_str(self) -> &'static str {
        match self {
            Labelled::Ingress => "ingress",
            Labelled::Pod => "pod",
            Labelled::Service => "service",
        }
    }

    /// The name under which discovery has the value of a label.
    fn label(self, label: &str) -> String {
        format!("__meta_kubernetes_{}_label_{}", self.as_str(), text::label_name(label))
    }

    /// The name under which discovery says that a label is there.
    fn label_present(self, label: &str) -> String {
        format!(
            "__meta_kubernetes_{}_labelpresent_{}",
            self.as_str(),
            text::label_name(label)
        )
    }
}

/// A rule that reads these labels.
pub(super) fn reading<'d, const N: usize>(labels: [impl Into<Cow<'d, str>>; N]) -> Fields<'d> {
    let labels: Vec<_> = labels.into_iter().map(|label| Value::String(label.into())).collect();
    Fields::new().always("source_labels", labels)
}

/// A rule that copies one label to another.
pub(super) fn copy<'d>(label: impl Into<Cow<'d, str>>, target: &'d str) -> Fields<'d> {
    reading([label]).always("target_label", target)
}

/// A rule that copies one label to another unless it is empty.
fn copy_filled<'d>(label: String, target: impl Into<Cow<'d, str>>) -> Fields<'d> {
    reading([label])
        .always("target_label", target.into())
        .always("regex", "(.+)")
        .always("replacement", "$1")
}

/// A rule that sets a label.
pub(super) fn set<'d>(target: &'d str, value: impl Into<Value<'d>>) -> Fields<'d> {
    Fields::new()
        .always("target_label", target)
        .always("replacement", value)
}

/// A rule that keeps or drops targets by a label.
fn filter<'d>(label: impl Into<Cow<'d, str>>, regex: impl Into<Value<'d>>, action: &'static str) -> Fields<'d> {
    reading([label]).always("regex", regex).always("action", action)
}

/// The rules in this field of a resource.
pub(super) fn configured<'s, 'd>(
    configs: &'s [RelabelConfig<'d>],
    site: Site<'s, 'd>,
) -> impl Iterator<Item = Fields<'d>> + use<'s, 'd> {
    let configs = configs.iter().enumerate();
    configs.map(move |(i, config)| relabel_config(config).origin(site.mark_item(i)))
}

/// A rule of a resource (`relabel_config.libsonnet`).
fn relabel_config<'d>(config: &RelabelConfig<'d>) -> Fields<'d> {
    Fields::new()
        .texts("source_labels", &config.source_labels)
        .text("separator", config.separator)
        .text("regex", config.regex)
        .number("modulus", config.modulus as f64)
        .text("target_label", config.target_label)
        .text("replacement", config.replacement)
        .text("action", config.action)
}

/// The rules of a job, one behind the other.
pub(super) struct Relabelings<'a, 'd> {
    rules: Vec<Value<'d>>,
    /// The endpoint or the resource that the job is made from.
    site: Site<'a, 'd>,
}

impl<'a, 'd> Relabelings<'a, 'd> {
    /// The rule every job starts with.
    pub(super) fn new(site: Site<'a, 'd>) -> Self {
        let relabelings = Self {
            rules: Vec::with_capacity(16),
            site,
        };
        relabelings.rule(copy("job", "__tmp_prometheus_job_name"))
    }

    /// What the job is made from.
    pub(super) fn site(&self) -> Site<'a, 'd> {
        self.site
    }

    /// Then this rule, which every job of its kind has.
    pub(super) fn rule(mut self, rule: Fields<'d>) -> Self {
        self.rules.push(rule.origin(self.site.mark()).into());
        self
    }

    /// Then these rules, which say themselves where they come from.
    pub(super) fn rules(mut self, rules: impl IntoIterator<Item = Fields<'d>>) -> Self {
        self.rules.extend(rules.into_iter().map(Value::from));
        self
    }

    /// Then keep targets whose object has the labels that are asked for; labels in code point order. An operator that is
    /// none adds no rule.
    pub(super) fn select(self, object: Labelled, selector: &LabelSelector<'d>, site: Site<'a, 'd>) -> Self {
        let labels = selector.match_labels.iter().map(|(&label, &value)| {
            let mark = site.key("matchLabels").below(|path| path.push_key(label.to_owned()));
            filter(object.label(label), value, "keep").origin(mark)
        });
        let expressions = selector.match_expressions.iter().enumerate();
        let expressions = expressions.filter_map(|(i, expression)| {
            let mark = site.key("matchExpressions").mark_item(i);
            Some(requirement(object, expression)?.origin(mark))
        });
        self.rules(labels).rules(expressions)
    }

    /// Then leave out pods that have ended, if this is asked for.
    pub(super) fn running_only(self, endpoint: &Endpoint<'d>) -> Self {
        let is_asked_for = endpoint.filter_running == Some(true);
        let rule = || filter("__meta_kubernetes_pod_phase", "(Failed|Succeeded)", "drop");
        let mark = self.site.key("filterRunning").mark();
        self.rules(is_asked_for.then(|| rule().origin(mark)))
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
        let mark = self.port_site(endpoint).mark();
        self.rules(rule.map(|rule| rule.origin(mark)))
    }

    /// The field that says which port the endpoint has.
    fn port_site(&self, endpoint: &Endpoint<'d>) -> Site<'a, 'd> {
        self.site
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
    pub(super) fn copy_labels(self, object: Labelled, labels: &[&'d str], site: Site<'a, 'd>) -> Self {
        let labels = labels.iter().enumerate();
        self.rules(
            labels
                .map(|(i, &label)| copy_filled(object.label(label), text::label_name(label)).origin(site.mark_item(i))),
        )
    }

    /// Then name the job by this label of the object, where it has one.
    pub(super) fn job_label(self, object: Labelled, label: &str) -> Self {
        let mark = self.site.at("spec.jobLabel").mark();
        self.rules((!label.is_empty()).then(|| copy_filled(object.label(label), "job").origin(mark)))
    }

    /// Then name the endpoint by its port.
    pub(super) fn endpoint(self, endpoint: &Endpoint<'d>) -> Self {
        let port = match endpoint.target_port {
            _ if !endpoint.port.is_empty() => Cow::Borrowed(endpoint.port),
            Some(IntOrString::String(name)) => Cow::Borrowed(name),
            port => Cow::Owned(port.map(IntOrString::to_text).unwrap_or_default()),
        };
        let mark = self.port_site(endpoint).mark();
        self.rules((!port.is_empty()).then(|| set("endpoint", port).origin(mark)))
    }

    /// Then the rules of the resource.
    pub(super) fn configured(self, configs: &[RelabelConfig<'d>], site: Site<'a, 'd>) -> Self {
        self.rules(configured(configs, site))
    }

    /// Then the label that always holds the resource's namespace, where the agent has one: it overrides all before it.
    pub(super) fn enforce_namespace(self, label: &'d str, namespace: &'d str, site: Site<'_, 'd>) -> Self {
        self.rules((!label.is_empty()).then(|| set(label, namespace).origin(site.mark())))
    }

    /// Then keep the share of one shard.
    pub(super) fn shard(self, shards: f64, site: Site<'_, 'd>) -> Self {
        let hash = copy("__address__", "__tmp_hash")
            .always("modulus", shards)
            .always("action", "hashmod");
        let rules = [hash, filter("__tmp_hash", "$(SHARD)", "keep")];
        self.rules(rules.map(|rule| rule.origin(site.mark())))
    }
}

impl<'d> From<Relabelings<'_, 'd>> for Value<'d> {
    fn from(relabelings: Relabelings<'_, 'd>) -> Self {
        Value::Sequence(relabelings.rules)
    }
}

fn requirement<'d>(object: Labelled, requirement: &LabelSelectorRequirement<'d>) -> Option<Fields<'d>> {
    let has_value = |action| filter(object.label(requirement.key), requirement.values.join("|"), action);
    let is_present = |action| filter(object.label_present(requirement.key), "true", action);
    match requirement.operator {
        "In" => Some(has_value("keep")),
        "NotIn" => Some(has_value("drop")),
        "Exists" => Some(is_present("keep")),
        "DoesNotExist" => Some(is_present("drop")),
        _ => None,
    }
}

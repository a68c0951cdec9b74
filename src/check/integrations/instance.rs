//! Instances that an Integration sends to and its agent does not have.
//!
//! The agent names instances `namespace/name`, so its default of `default` never is one. The operator switches autoscrape
//! off for all, so a MetricsInstance matters only where an Integration switches it on.

use super::diagnostics::{self, MissingInstance};
use crate::api::{Integration, Kind, Relation, Resource, Resources};
use crate::diagnostic::{Diagnostic, FieldPath};
use crate::resolve::Hierarchy;
use crate::yaml::{Node, NodeValue};

/// What the agent takes where the configuration names no instance.
const DEFAULT: &str = "default";

pub(super) fn check(resources: &Resources<'_>, hierarchy: &Hierarchy<'_, '_>) -> Vec<Diagnostic> {
    let integrations = hierarchy.integrations.iter();
    let is_doubtful = |kind| may_have_more(resources, hierarchy, kind);
    integrations
        .flat_map(|integration| check_one(integration, hierarchy, &is_doubtful))
        .collect()
}

/// Whether an agent may have instances that are not known, since its selector was refused or some could not be read.
fn may_have_more(resources: &Resources<'_>, hierarchy: &Hierarchy<'_, '_>, kind: Kind) -> bool {
    let agent = hierarchy.agent.object_ref();
    let relation = Relation::to(kind).into_iter();
    let mut fields = relation.flat_map(|relation| [relation.labels, relation.namespaces]);
    resources.unread.may_define(kind) || fields.any(|field| resources.refusals.touch(agent, field))
}

fn check_one<'d>(
    integration: &Resource<'d, Integration<'d>>,
    hierarchy: &Hierarchy<'_, '_>,
    is_doubtful: &dyn Fn(Kind) -> bool,
) -> Vec<Diagnostic> {
    let config = integration.root.get("spec").and_then(|spec| spec.get("config"));
    let path = FieldPath::of("spec.config");
    let mut found = Vec::new();
    let mut missing = |kind, path: FieldPath<'_>, name: Option<&str>| {
        let is_default = name.is_none();
        let name = name.unwrap_or(DEFAULT);
        let known = known(hierarchy, kind);
        if !known.iter().any(|known| known == name) && !is_expanded(name) && !is_doubtful(kind) {
            let instance = MissingInstance {
                kind,
                name,
                is_default,
                known,
            };
            found.push(diagnostics::unknown_instance(
                integration,
                &path,
                hierarchy.agent,
                &instance,
            ));
        }
    };
    if let Some(autoscrape) = config.and_then(autoscrape) {
        let name = text(autoscrape, "metrics_instance");
        missing(
            Kind::MetricsInstance,
            path.key("autoscrape").key("metrics_instance"),
            name,
        );
    }
    let logs = config.and_then(|config| text(config, "logs_instance"));
    match integration.spec.name {
        "eventhandler" => missing(Kind::LogsInstance, path.key("logs_instance"), logs),
        "app_agent_receiver" => {
            if logs.is_some() {
                missing(Kind::LogsInstance, path.key("logs_instance"), logs);
            }
            if config.is_some_and(|config| text(config, "traces_instance").is_some()) {
                found.push(diagnostics::no_traces(integration, &path.key("traces_instance")));
            }
        }
        _ => {}
    }
    found
}

/// `autoscrape`, where it is switched on.
fn autoscrape(config: Node<'_>) -> Option<Node<'_>> {
    let autoscrape = config.get("autoscrape")?;
    let enabled = autoscrape.get("enable")?.value() == NodeValue::Bool(true);
    enabled.then_some(autoscrape)
}

/// A text that is not empty.
fn text<'d>(node: Node<'d>, key: &str) -> Option<&'d str> {
    node.get(key).and_then(Node::as_str).filter(|text| !text.is_empty())
}

/// Whether the agent puts a variable of its environment in place of a part of it.
fn is_expanded(name: &str) -> bool {
    name.contains("${")
}

/// The names that the agent gives the instances of a hierarchy.
fn known(hierarchy: &Hierarchy<'_, '_>, kind: Kind) -> Vec<String> {
    let metrics = hierarchy.metrics.iter().map(|metrics| &metrics.instance.meta);
    let logs = hierarchy.logs.iter().map(|logs| &logs.instance.meta);
    let name = |meta: &crate::api::ObjectMeta<'_>| format!("{}/{}", meta.namespace, meta.name);
    match kind {
        Kind::MetricsInstance => metrics.map(name).collect(),
        _ => logs.map(name).collect(),
    }
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{AGENT, found, integration, manifest};
    use crate::diagnostic::{Code, Diagnostic};

    fn of_config(name: &str, config: &str) -> Vec<Diagnostic> {
        let mut found = found(&[
            AGENT,
            &manifest("MetricsInstance", "m", "{}"),
            &manifest("LogsInstance", "l", "{}"),
            &integration("i", name, &[], config),
        ]);
        found.retain(|d| d.code == Code::UnknownInstance);
        found
    }

    #[test]
    fn instances_that_are_needed_must_be_there() {
        for (name, config, path) in [
            ("mysql", "{}", None),
            ("mysql", "{autoscrape: {metrics_instance: nowhere}}", None),
            (
                "mysql",
                "{autoscrape: {enable: true, metrics_instance: default/m}}",
                None,
            ),
            ("mysql", "{autoscrape: {enable: true, metrics_instance: '${X}'}}", None),
            (
                "mysql",
                "{autoscrape: {enable: true, metrics_instance: m}}",
                Some("spec.config.autoscrape.metrics_instance"),
            ),
            (
                "mysql",
                "{autoscrape: {enable: true}}",
                Some("spec.config.autoscrape.metrics_instance"),
            ),
            ("eventhandler", "{logs_instance: default/l}", None),
            ("eventhandler", "{}", Some("spec.config.logs_instance")),
            ("app_agent_receiver", "{}", None),
            (
                "app_agent_receiver",
                "{logs_instance: l}",
                Some("spec.config.logs_instance"),
            ),
            (
                "app_agent_receiver",
                "{traces_instance: t}",
                Some("spec.config.traces_instance"),
            ),
        ] {
            let found = of_config(name, config);
            assert_eq!(found.first().and_then(|d| d.path.as_deref()), path, "{name} {config}");
            assert!(found.len() < 2, "{name} {config}");
        }
    }

    #[test]
    fn the_namespace_is_part_of_the_name() {
        let found = of_config("eventhandler", "{logs_instance: l}");
        assert_eq!(found[0].message, "agent `default/a` has no LogsInstance `l`");
        assert_eq!(found[0].help.as_deref(), Some("did you mean `default/l`?"));
        let found = of_config("eventhandler", "{}");
        assert_eq!(
            found[0].message,
            "agent `default/a` has no LogsInstance `default`, the default"
        );
        assert_eq!(found[0].help.as_deref(), Some("write `default/l`"));
    }
}

//! Rules for Integrations: the operator copies their name and configuration unchecked, and the agent reads them strictly.

mod catalogue;
mod together;

pub(super) use together::check_hierarchy;

use super::field::misread_in;
use super::place::{Place, Subject};
use crate::api::{Integration, Resource, Resources};
use crate::diagnostic::suggest::did_you_mean;
use crate::diagnostic::{Code, Diagnostic};
use crate::yaml::{Entry, Node, NodeValue};

/// Checks each Integration against the agent's catalogue.
pub(super) fn check(resources: &Resources<'_>) -> Vec<Diagnostic> {
    resources.integrations.iter().flat_map(check_one).collect()
}

fn check_one<'d>(integration: &Resource<'d, Integration<'d>>) -> Vec<Diagnostic> {
    let subject = Subject::new(integration);
    let (name, spec) = (integration.spec.name, subject.spec());
    let config = integration.root.at("spec.config");
    match catalogue::keys(name) {
        None => unknown(name, &spec.key("name")),
        Some(known) => {
            let all_nodes = integration.spec.r#type.all_nodes;
            placement(name, all_nodes, &spec.key("type").key("allNodes"));
            if let Some(config) = config {
                missing_keys(name, &known, config, &spec.key("config"));
                Keys { name, known }.mapping(config, "", &spec.key("config"));
            }
        }
    }
    // The configuration of an Integration is an item of a list, with what is in it.
    if let Some(config) = config {
        misread_in(config, true, &spec.key("config"));
    }
    subject.findings()
}

/// Reports a name that is not in the catalogue: the agent does not know the key that the operator writes for it.
fn unknown(name: &str, at: &Place<'_>) {
    let help = match catalogue::suggestion(name) {
        Some(suggestion) => format!("did you mean `{suggestion}`?"),
        None => {
            let names: Vec<_> = catalogue::names().collect();
            format!("use one of `{}`", names.join("`, `"))
        }
    };
    let message = format!("the agent has no integration `{name}`, and does not start with `{name}_configs`");
    at.report(Code::UnknownIntegration, message, help);
}

/// Reports an Integration that runs on every node although it is about the cluster, or on one node although it is about each
/// node. Others, such as databases, may run either way.
fn placement(name: &str, all_nodes: bool, at: &Place<'_>) {
    let (message, help) = match name {
        "eventhandler" if all_nodes => (
            format!(
                "`{name}` reports on the whole cluster, but runs on every node, so everything is sent once per node"
            ),
            "set `spec.type.allNodes` to `false`",
        ),
        "cadvisor" | "node_exporter" | "process" if !all_nodes => (
            format!("`{name}` reports on the node it runs on, but runs on one node only"),
            "set `spec.type.allNodes` to `true`",
        ),
        _ => return,
    };
    at.report(Code::IntegrationPlacement, message, help);
}

/// Reports keys that the integration needs and that are missing or empty. A key that the integration does not know may be
/// the one that is meant, and is reported already.
fn missing_keys(name: &str, known: &[&str], config: Node<'_>, at: &Place<'_>) {
    if config.entries().any(|entry| !known.contains(&entry.key)) {
        return;
    }
    for key in catalogue::required(name) {
        let is_set = config.get(key).is_some_and(|value| match value.value() {
            NodeValue::Null | NodeValue::String("") => false,
            NodeValue::Sequence => value.items().next().is_some_and(|first| first.as_str() != Some("")),
            _ => true,
        });
        if !is_set {
            let message = format!("the integration `{name}` needs `{key}`, and the agent does not start without it");
            at.report(Code::MissingIntegrationKey, message, format!("set `{key}`"));
        }
    }
}

/// The keys of an integration. The agent reads each configuration strictly (`UnmarshalStrict` in
/// `static/integrations/v2/register.go`) and does not start with a key that it does not know.
struct Keys<'n> {
    name: &'n str,
    known: Vec<&'static str>,
}

impl Keys<'_> {
    /// Checks the keys of a mapping; `outer` is their prefix in the catalogue.
    fn mapping(&self, mapping: Node<'_>, outer: &str, at: &Place<'_>) {
        for entry in mapping.entries() {
            let at = at.key(entry.key);
            let name = format!("{outer}{}", entry.key);
            let inner = format!("{name}.");
            if !self.known.contains(&name.as_str()) {
                self.unknown(entry, outer, &at);
            } else if self.known.iter().any(|known| known.starts_with(&inner)) {
                self.value(entry.value, &inner, &at);
            }
        }
    }

    /// Checks a mapping, or the mappings in a list.
    fn value(&self, value: Node<'_>, outer: &str, at: &Place<'_>) {
        match value.value() {
            NodeValue::Mapping => self.mapping(value, outer, at),
            NodeValue::Sequence => {
                for (i, item) in value.items().enumerate() {
                    self.value(item, outer, &at.index(i));
                }
            }
            _ => {}
        }
    }

    fn unknown(&self, entry: Entry<'_>, outer: &str, at: &Place<'_>) {
        let (name, key) = (self.name, entry.key);
        let siblings = self.known.iter().filter_map(|known| known.strip_prefix(outer));
        let help = did_you_mean(key, siblings.filter(|known| !known.contains('.')))
            .unwrap_or_else(|| format!("remove `{key}`"));
        let message = format!("the integration `{name}` has no key `{key}`, and the agent does not start with it");
        let finding = at.diagnostic_at(entry.key_span, Code::UnknownIntegrationKey, message);
        at.add(finding.help(help));
    }
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{found, integration, lines};

    #[test]
    fn the_name_is_that_of_the_configuration_key() {
        let exporter = integration("i", "mysqld_exporter", &[], "{}");
        assert_eq!(
            lines(&[&exporter]),
            [
                "unknown-integration spec.name: the agent has no integration `mysqld_exporter`, and does not start with \
                 `mysqld_exporter_configs`"
            ]
        );
        assert_eq!(found(&[&exporter])[0].help.as_deref(), Some("did you mean `mysql`?"));
        assert!(lines(&[&integration("i", "mysql", &[], "{}")]).is_empty());
    }

    #[test]
    fn nodes_are_watched_on_each_and_the_cluster_once() {
        for (name, types, warned) in [
            ("node_exporter", [].as_slice(), true),
            ("node_exporter", &["allNodes"], false),
            ("eventhandler", &["allNodes"], true),
            ("eventhandler", &[], false),
            ("mysql", &["allNodes"], false),
            ("mysql", &[], false),
        ] {
            let lines = lines(&[&integration("i", name, types, "{}")]);
            let is_placement = |line: &String| line.starts_with("integration-placement spec.type.allNodes: ");
            assert_eq!(lines.iter().any(is_placement), warned, "{name} {types:?} {lines:?}");
        }
    }

    #[test]
    fn keys_that_the_agent_does_not_know() {
        for (name, config, path) in [
            ("redis", "{redis_addr: 'redis:6379', instance: r}", None),
            (
                "redis",
                "{redis_address: 'redis:6379'}",
                Some("spec.config.redis_address"),
            ),
            (
                "redis",
                "{autoscrape: {enable: true, interval: 1m}}",
                Some("spec.config.autoscrape.interval"),
            ),
            ("redis", "{extra_labels: {anything: a}}", None),
            ("kafka", "{Kafka_uris: []}", Some("spec.config.Kafka_uris")),
            ("eventhandler", "{autoscrape: {}}", Some("spec.config.autoscrape")),
            (
                "blackbox",
                "{blackbox_targets: [{name: a}, {adress: b}]}",
                Some("spec.config.blackbox_targets[1].adress"),
            ),
            ("blackbox", "{blackbox_config: {modules: {}}}", None),
            ("nothing", "{a: b}", None),
        ] {
            let mut found = found(&[&integration("i", name, &[], config)]);
            found.retain(|d| d.code == crate::diagnostic::Code::UnknownIntegrationKey);
            assert_eq!(found.first().and_then(|d| d.path.as_deref()), path, "{name} {config}");
            assert!(found.len() < 2, "{name} {config}");
        }
    }

    #[test]
    fn keys_that_the_agent_does_not_start_without() {
        for (name, config, missing) in [
            ("kafka", "{instance: brokers}", ["kafka_uris"].as_slice()),
            ("kafka", "{instance: brokers, kafka_uris: []}", &["kafka_uris"]),
            ("kafka", "{kafka_uris: ['']}", &["kafka_uris"]),
            ("kafka", "{kafka_uris: [kafka:9092]}", &[]),
            ("kafka", "{kafka_uri: kafka:9092}", &[]),
            ("gcp", "{}", &["project_ids", "metrics_prefixes"]),
            ("redis", "{redis_addr: ''}", &["redis_addr"]),
            ("mysql", "{}", &[]),
        ] {
            let expected: Vec<_> = missing
                .iter()
                .map(|key| {
                    format!(
                        "missing-integration-key spec.config: the integration `{name}` needs `{key}`, and the agent does not \
                         start without it"
                    )
                })
                .collect();
            let mut found = lines(&[&integration("i", name, &[], config)]);
            found.retain(|line| line.starts_with("missing-integration-key"));
            assert_eq!(found, expected, "{name} {config}");
        }
    }

    #[test]
    fn the_closest_key_is_suggested() {
        let redis = integration("i", "redis", &[], "{redis_address: 'redis:6379'}");
        assert_eq!(
            lines(&[&redis])[0],
            "unknown-integration-key spec.config.redis_address: the integration `redis` has no key `redis_address`, and the \
             agent does not start with it"
        );
        assert_eq!(found(&[&redis])[0].help.as_deref(), Some("did you mean `redis_addr`?"));
    }
}

//! Rules for Integrations: the operator copies their name and configuration unchecked, and the agent reads them strictly.

mod times;
mod together;

pub(super) use together::check_hierarchy;

use super::field::misread_in;
use super::place::{Place, Subject};
use crate::admit::{misread_at, misread_word};
use crate::api::{Integration, Resource, Resources};
use crate::diagnostic::suggest::did_you_mean;
use crate::diagnostic::{Code, Diagnostic};
use crate::target::agent::keys;
use crate::yaml::{Entry, Node, NodeValue};

/// Checks each Integration against the agent's catalogue.
pub(super) fn check(resources: &Resources<'_>) -> Vec<Diagnostic> {
    resources.integrations.iter().flat_map(check_one).collect()
}

fn check_one<'d>(integration: &Resource<'d, Integration<'d>>) -> Vec<Diagnostic> {
    let subject = Subject::new(integration);
    let (name, spec) = (integration.spec.name, subject.spec());
    let config = integration.root.at("spec.config");
    match keys::find(name) {
        None => unknown(name, &spec.key("name")),
        Some(entry) => {
            let all_nodes = integration.spec.r#type.all_nodes;
            placement(name, all_nodes, &spec.key("type").key("allNodes"));
            if let Some(config) = config {
                missing_keys(entry, config, &spec.key("config"));
                known_keys(entry, config, "", &spec.key("config"));
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
    let help = match keys::suggestion(name) {
        Some(suggestion) => format!("did you mean `{suggestion}`?"),
        None => {
            let names: Vec<_> = keys::names().collect();
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
fn missing_keys(integration: &keys::Entry, config: Node<'_>, at: &Place<'_>) {
    if config.entries().any(|entry| !integration.keys.contains(&entry.key)) {
        return;
    }
    let name = integration.name;
    for key in &integration.required {
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

/// Checks the keys of a mapping, or of the mappings in a list; `outer` is their prefix in the catalogue. The agent reads each
/// configuration strictly (`UnmarshalStrict` in `static/integrations/v2/register.go`) and does not start with a key that it does
/// not know.
fn known_keys(integration: &keys::Entry, value: Node<'_>, outer: &str, at: &Place<'_>) {
    for entry in value.entries() {
        let at = at.key(entry.key);
        let name = format!("{outer}{}", entry.key);
        let inner = format!("{name}.");
        if !integration.keys.contains(&name.as_str()) {
            unknown_key(integration, entry, outer, &at);
        } else if integration.keys.iter().any(|known| known.starts_with(&inner)) {
            known_keys(integration, entry.value, &inner, &at);
        }
    }
    for (i, item) in value.items().enumerate() {
        known_keys(integration, item, outer, &at.index(i));
    }
}

fn unknown_key(integration: &keys::Entry, entry: Entry<'_>, outer: &str, at: &Place<'_>) {
    let (name, key) = (integration.name, entry.key);
    let siblings = integration.keys.iter().filter_map(|known| known.strip_prefix(outer));
    let mut siblings = siblings.filter(|known| !known.contains('.'));
    if let Some(word) = misread_word(entry.key, entry.key_span) {
        let message = format!(
            "the unquoted key `{word}` is read as `{key}`, which the integration `{name}` does not have, and the agent does not \
             start with it"
        );
        let help = match siblings.any(|known| known == word) {
            true => format!("quote it: `\"{word}\"`"),
            false => format!("remove `{word}`"),
        };
        let finding = at.diagnostic_at(entry.key_span, Code::UnknownIntegrationKey, message);
        return at.add(finding.help(help).cause(misread_at(entry.key_span)));
    }
    let help = did_you_mean(key, siblings).unwrap_or_else(|| format!("remove `{key}`"));
    let message = format!("the integration `{name}` has no key `{key}`, and the agent does not start with it");
    let finding = at.diagnostic_at(entry.key_span, Code::UnknownIntegrationKey, message);
    at.add(finding.help(help));
}

//! The parameters of other tools: the configuration of a KRM function or plugin, which is a ConfigMap with flat `data` or a
//! `Render` with fields in `spec` or beside it; and `ARGOCD_APP_PARAMETERS`, what an Argo CD application sets for its config
//! management plugin.

use super::{Flag, FlagValue, diagnostics};
use crate::diagnostic::Diagnostic;
use crate::yaml::{Entry, Node, NodeValue};

/// The API version of agentctl's own kind.
const RENDER_API_VERSION: &str = "agentctl.dev/v1alpha1";

/// The kind whose fields are the parameters.
pub const RENDER_KIND: &str = "Render";

/// Fields of a `Render` that are none of its parameters: those of every object, and those that kustomize reads itself
/// (`processOptionalArgsFields` of its `execplugin`).
const OTHER_FIELDS: &str = "apiVersion argsFromFile argsOneLiner kind metadata spec status";

/// The parameters in the configuration of an exec plugin, which kustomize finds by its kind.
pub fn of_plugin(config: Option<Node<'_>>, out: &mut Vec<Diagnostic>) -> Vec<Flag> {
    let is_render = |root: &Node<'_>| root.text("apiVersion") == RENDER_API_VERSION && root.text("kind") == RENDER_KIND;
    if !config.as_ref().is_some_and(is_render) {
        out.push(diagnostics::not_a_render(config));
        return Vec::new();
    }
    of_function(config, out)
}

/// The parameters in the configuration of a function. None where there is no configuration.
pub fn of_function(config: Option<Node<'_>>, out: &mut Vec<Diagnostic>) -> Vec<Flag> {
    let mut flags = Vec::new();
    if let Some(root) = config.filter(|root| !root.is_null() && root.entries().len() > 0) {
        for entry in entries(root, out) {
            match Flag::new(entry.key, entry.key_span, entry.value) {
                Ok(flag) if flag.value.is_some() => flags.push(flag),
                _ => out.push(diagnostics::of_another_form(entry.key, entry.value)),
            }
        }
    }
    flags
}

fn entries<'d>(root: Node<'d>, out: &mut Vec<Diagnostic>) -> Vec<Entry<'d>> {
    let (api_version, kind) = (root.text("apiVersion"), root.text("kind"));
    match (api_version, kind) {
        ("v1", "ConfigMap") => fields(root, "data", out),
        (RENDER_API_VERSION, RENDER_KIND) => {
            let beside = root
                .entries()
                .filter(|entry| !OTHER_FIELDS.split(' ').any(|field| field == entry.key));
            beside.chain(fields(root, "spec", out)).collect()
        }
        _ => {
            let place = root.get("kind").unwrap_or(root);
            let expected = "expected a `ConfigMap`, or a `Render` of `agentctl.dev/v1alpha1`";
            let found = format!("{expected}, found `{kind}` of `{api_version}`");
            out.push(diagnostics::malformed(place, found));
            Vec::new()
        }
    }
}

fn fields<'d>(root: Node<'d>, key: &str, out: &mut Vec<Diagnostic>) -> Vec<Entry<'d>> {
    let Some(node) = root.get(key).filter(|node| !node.is_null()) else {
        return Vec::new();
    };
    if !node.is_mapping() {
        out.push(diagnostics::malformed(node, format!("`{key}` must be a mapping")));
    }
    node.entries().collect()
}

/// The keys of a value, one of which is set (`ApplicationSourcePluginParameter` of Argo CD).
const VALUES: [&str; 3] = ["string", "array", "map"];

/// The parameters of an application: a JSON list of `{"name": …}` with a `string`, an `array` or a `map`. None where there
/// is nothing, which Argo CD writes as `null`.
pub fn of_application(root: Option<Node<'_>>, out: &mut Vec<Diagnostic>) -> Vec<Flag> {
    let Some(root) = root.filter(|root| !root.is_null()) else {
        return Vec::new();
    };
    if root.value() != NodeValue::Sequence {
        let form = "each with a `name` and a `string`, an `array` or a `map`";
        out.push(diagnostics::malformed(
            root,
            format!("expected a list of parameters, {form}"),
        ));
    }
    root.items().filter_map(|item| parameter(item, out)).collect()
}

fn parameter(item: Node<'_>, out: &mut Vec<Diagnostic>) -> Option<Flag> {
    let Some((name, name_span)) = item.get("name").and_then(|node| Some((node.as_str()?, node.span()))) else {
        out.push(diagnostics::malformed(item, "a parameter has no `name`"));
        return None;
    };
    let mut values = item.entries().filter(|entry| VALUES.contains(&entry.key));
    let (Some(only), None) = (values.next(), values.next()) else {
        let message = format!("parameter `{name}` needs exactly one of `string`, `array` and `map`");
        out.push(diagnostics::malformed(item, message));
        return None;
    };
    let flag = Flag::new(name, name_span, only.value).ok();
    let flag = flag.filter(|flag| is_of_form(only.key, flag.value.as_ref()));
    if flag.is_none() {
        out.push(diagnostics::of_another_form(name, only.value));
    }
    flag
}

fn is_of_form(key: &str, value: Option<&FlagValue>) -> bool {
    matches!(
        (key, value),
        ("string", Some(FlagValue::Text(_) | FlagValue::Switch(_)))
            | ("array", Some(FlagValue::List(_)))
            | ("map", Some(FlagValue::Pairs(_)))
    )
}

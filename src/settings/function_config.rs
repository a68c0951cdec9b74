//! The configuration of a KRM function: a ConfigMap with flat `data`, or a `Render` with fields in `spec` or beside it.

use super::{Flag, diagnostics};
use crate::diagnostic::Diagnostic;
use crate::yaml::{Entry, Node};

/// The API version of agentctl's own kind.
const RENDER_API_VERSION: &str = "agentctl.dev/v1alpha1";

/// The kind whose fields are the parameters.
pub const RENDER_KIND: &str = "Render";

/// Fields of a `Render` that are none of its parameters: those of every object, and those that kustomize reads itself
/// (`processOptionalArgsFields` of its `execplugin`).
const OTHER_FIELDS: &[&str] = &[
    "apiVersion",
    "argsFromFile",
    "argsOneLiner",
    "kind",
    "metadata",
    "spec",
    "status",
];

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
            match Flag::of(&entry) {
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
            let beside = root.entries().filter(|entry| !OTHER_FIELDS.contains(&entry.key));
            beside.chain(fields(root, "spec", out)).collect()
        }
        _ => {
            let place = root.get("kind").unwrap_or(root);
            out.push(diagnostics::not_a_configuration(place, api_version, kind));
            Vec::new()
        }
    }
}

fn fields<'d>(root: Node<'d>, key: &str, out: &mut Vec<Diagnostic>) -> Vec<Entry<'d>> {
    let Some(node) = root.get(key).filter(|node| !node.is_null()) else {
        return Vec::new();
    };
    if !node.is_mapping() {
        out.push(diagnostics::not_fields(key, node));
    }
    node.entries().collect()
}

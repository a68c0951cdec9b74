//! Parameters that other tools pass.
//!
//! A KRM function or plugin is configured either by a ConfigMap with flat `data`, or by a `Render`, whose fields are in
//! `spec` or at the top level. An Argo CD application passes parameters to its config management plugin in
//! `ARGOCD_APP_PARAMETERS`.

use super::diagnostics;
use super::flag::{Flag, FlagValue};
use crate::diagnostic::Diagnostic;
use crate::yaml::{Entry, Node, NodeValue};

/// API version of agentctl's own kind.
const RENDER_API_VERSION: &str = "agentctl.dev/v1alpha1";

/// Kind whose fields are the parameters.
pub const RENDER_KIND: &str = "Render";

/// Fields of a `Render` that are not parameters: those that every object has, and those that kustomize reads
/// (`processOptionalArgsFields` in its `execplugin`).
const OTHER_FIELDS: &str = "apiVersion argsFromFile argsOneLiner kind metadata spec status";

/// Returns the parameters in the configuration of an exec plugin, which kustomize looks up by kind.
pub fn plugin_parameters(config: Option<Node<'_>>, out: &mut Vec<Diagnostic>) -> Vec<Flag> {
    let is_render = |root: &Node<'_>| root.text("apiVersion") == RENDER_API_VERSION && root.text("kind") == RENDER_KIND;
    if !config.as_ref().is_some_and(is_render) {
        out.push(diagnostics::missing_render(config));
        return Vec::new();
    }
    function_parameters(config, out)
}

/// Returns the parameters in a function's configuration.
pub fn function_parameters(config: Option<Node<'_>>, out: &mut Vec<Diagnostic>) -> Vec<Flag> {
    let mut flags = Vec::new();
    if let Some(root) = config.filter(|root| !root.is_null() && root.entries().len() > 0) {
        for entry in entries(root, out) {
            match Flag::new(entry.key, entry.key_span, entry.value) {
                Ok(flag) if flag.value.is_some() => flags.push(flag),
                _ => out.push(diagnostics::wrong_form(entry.key, entry.value)),
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
            let other_entries = root.entries().filter(|entry| !OTHER_FIELDS.split(' ').any(|field| field == entry.key));
            other_entries.chain(fields(root, "spec", out)).collect()
        }
        _ => {
            let place = root.get("kind").unwrap_or(root);
            let expected = "expected a `ConfigMap`, or a `Render` of `agentctl.dev/v1alpha1`";
            let list = match (kind, api_version) {
                ("", _) | (_, "") => String::new(),
                _ => format!(", found `{kind}` of `{api_version}`"),
            };
            out.push(diagnostics::malformed_parameters(place, format!("{expected}{list}")));
            Vec::new()
        }
    }
}

fn fields<'d>(root: Node<'d>, key: &str, out: &mut Vec<Diagnostic>) -> Vec<Entry<'d>> {
    let Some(node) = root.get(key).filter(|node| !node.is_null()) else {
        return Vec::new();
    };
    if !node.is_mapping() {
        out.push(diagnostics::malformed_parameters(node, format!("`{key}` must be a mapping")));
    }
    node.entries().collect()
}

/// Fields that can contain a parameter's value. Exactly one is set (`ApplicationSourcePluginParameter` in Argo CD).
const VALUE_FIELDS: [&str; 3] = ["string", "array", "map"];

/// Returns an application's parameters from a JSON list. Each item has the form `{"name": …}` with a `string`, an
/// `array` or a `map`. Argo CD writes `null` instead of an empty list.
pub fn application_parameters(root: Option<Node<'_>>, out: &mut Vec<Diagnostic>) -> Vec<Flag> {
    let Some(root) = root.filter(|root| !root.is_null()) else {
        return Vec::new();
    };
    if root.value() != NodeValue::Sequence {
        let form = "each with a `name` and a `string`, an `array` or a `map`";
        out.push(diagnostics::malformed_parameters(root, format!("expected a list of parameters, {form}")));
    }
    root.items().filter_map(|item| parse_parameter(item, out)).collect()
}

fn parse_parameter(item: Node<'_>, out: &mut Vec<Diagnostic>) -> Option<Flag> {
    let Some((name, name_span)) = item.get("name").and_then(|node| Some((node.as_str()?, node.span()))) else {
        out.push(diagnostics::malformed_parameters(item, "a parameter has no `name`"));
        return None;
    };
    let mut values = item.entries().filter(|entry| VALUE_FIELDS.contains(&entry.key));
    let (Some(only_entry), None) = (values.next(), values.next()) else {
        let message = format!("parameter `{name}` needs exactly one of `string`, `array` or `map`");
        out.push(diagnostics::malformed_parameters(item, message));
        return None;
    };
    let flag = Flag::new(name, name_span, only_entry.value).ok();
    let flag = flag.filter(|flag| is_of_form(only_entry.key, flag.value.as_ref()));
    if flag.is_none() {
        out.push(diagnostics::wrong_form(name, only_entry.value));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use crate::yaml::Document;

    /// Returns the parameters in the form `name=value`, followed by the messages of the findings.
    fn parameters_and_findings(
        text: &str,
        parameters: fn(Option<Node<'_>>, &mut Vec<Diagnostic>) -> Vec<Flag>,
    ) -> String {
        let documents = testing::documents(text);
        let mut out = Vec::new();
        let flags = parameters(documents.first().map(Document::root), &mut out);
        let flags = flags.iter().map(|flag| match &flag.value {
            Some(FlagValue::Text(text)) => format!("{}={text}", flag.name),
            value => format!("{}={value:?}", flag.name),
        });
        let messages = out.iter().map(|finding| format!("! {}", finding.message));
        flags.chain(messages).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn reads_argocd_parameters() {
        let value_count_problem = "needs exactly one of `string`, `array` or `map`";
        let form = "must be a string, a list of strings or a mapping of strings";
        for (text, expected) in [
            ("", String::new()),
            ("null", String::new()),
            ("[]", String::new()),
            (r#"[{"name": "a", "string": "b"}]"#, "a=b".to_owned()),
            (r#"[{"name": "a", "string": 5}]"#, "a=5".to_owned()),
            (r#"[{"name": "a", "string": true}]"#, "a=Some(Switch(true))".to_owned()),
            (r#"[{"name": "a", "array": ["b", 1]}]"#, "a=Some(List([\"b\", \"1\"]))".to_owned()),
            (r#"[{"name": "a", "map": {"b": "c"}}]"#, "a=Some(Pairs([(\"b\", \"c\")]))".to_owned()),
            (r#"[{"name": "a", "string": ["b"]}]"#, format!("! parameter `a` {form}")),
            (r#"[{"name": "a", "string": {"b": "c"}}]"#, format!("! parameter `a` {form}")),
            (r#"[{"name": "a", "string": null}]"#, format!("! parameter `a` {form}")),
            (r#"[{"name": "a", "array": "b"}]"#, format!("! parameter `a` {form}")),
            (r#"[{"name": "a", "array": {"b": "c"}}]"#, format!("! parameter `a` {form}")),
            (r#"[{"name": "a", "map": ["b"]}]"#, format!("! parameter `a` {form}")),
            (r#"[{"name": "a", "map": {"b": 1}}]"#, format!("! parameter `a` {form}")),
            (r#"[{"name": "a"}]"#, format!("! parameter `a` {value_count_problem}")),
            (r#"[{"name": "a", "string": "b", "array": []}]"#, format!("! parameter `a` {value_count_problem}")),
            (r#"[{"string": "b"}]"#, "! a parameter has no `name`".to_owned()),
            (r#"[{"name": 1, "string": "b"}]"#, "! a parameter has no `name`".to_owned()),
            (
                r#"{"name": "a"}"#,
                "! expected a list of parameters, each with a `name` and a `string`, an `array` or a `map`".to_owned(),
            ),
        ] {
            assert_eq!(parameters_and_findings(text, application_parameters), expected, "{text}");
        }
    }

    #[test]
    fn reads_krm_function_parameters() {
        let map = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n";
        let render = "apiVersion: agentctl.dev/v1alpha1\nkind: Render\nmetadata: {name: x}\n";
        let form = "must be a string, a list of strings or a mapping of strings";
        let kind_finding = "! expected a `ConfigMap`, or a `Render` of `agentctl.dev/v1alpha1`, found";
        for (text, function, plugin) in [
            (String::new(), String::new(), None),
            ("{}".to_owned(), String::new(), None),
            (map.to_owned(), String::new(), None),
            (format!("{map}data: ~"), String::new(), None),
            (format!("{map}data: {{a: b}}\nspec: {{c: d}}"), "a=b".to_owned(), None),
            (format!("{map}data: [a]"), "! `data` must be a mapping".to_owned(), None),
            (format!("{map}data: {{a: ~}}"), format!("! parameter `a` {form}"), None),
            (format!("{map}data: {{a: 1.5, b: c}}"), format!("b=c; ! parameter `a` {form}"), None),
            ("apiVersion: v1\nkind: Secret\n".to_owned(), format!("{kind_finding} `Secret` of `v1`"), None),
            (
                "apiVersion: agentctl.dev/v1\nkind: Render\n".to_owned(),
                format!("{kind_finding} `Render` of `agentctl.dev/v1`"),
                None,
            ),
            (format!("{render}status: x\na: b\nspec: {{c: d}}"), "a=b; c=d".to_owned(), Some("a=b; c=d")),
            (format!("{render}spec: a"), "! `spec` must be a mapping".to_owned(), Some("! `spec` must be a mapping")),
        ] {
            assert_eq!(parameters_and_findings(&text, function_parameters), function, "{text}");
            let plugin_finding = "! expected a `Render` of `agentctl.dev/v1alpha1` as the plugin's configuration";
            assert_eq!(parameters_and_findings(&text, plugin_parameters), plugin.unwrap_or(plugin_finding), "{text}");
        }
    }
}

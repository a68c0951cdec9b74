//! `ARGOCD_APP_PARAMETERS`: what an Argo CD application sets for its config management plugin.

use super::{Flag, FlagValue, diagnostics};
use crate::diagnostic::Diagnostic;
use crate::yaml::{Node, NodeValue};

/// The keys of a value, one of which is set (`ApplicationSourcePluginParameter` of Argo CD).
const VALUES: [&str; 3] = ["string", "array", "map"];

/// The parameters of an application: a JSON list of `{"name": …}` with a `string`, an `array` or a `map`. None where there
/// is nothing, which Argo CD writes as `null`.
pub fn of_application(root: Option<Node<'_>>, out: &mut Vec<Diagnostic>) -> Vec<Flag> {
    let Some(root) = root.filter(|root| !root.is_null()) else {
        return Vec::new();
    };
    if root.value() != NodeValue::Sequence {
        out.push(diagnostics::not_a_list(root));
    }
    root.items().filter_map(|item| parameter(item, out)).collect()
}

fn parameter(item: Node<'_>, out: &mut Vec<Diagnostic>) -> Option<Flag> {
    let Some((name, name_span)) = item.get("name").and_then(|node| Some((node.as_str()?, node.span()))) else {
        out.push(diagnostics::without_name(item));
        return None;
    };
    let mut values = item.entries().filter(|entry| VALUES.contains(&entry.key));
    let (Some(only), None) = (values.next(), values.next()) else {
        out.push(diagnostics::without_value(name, item));
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

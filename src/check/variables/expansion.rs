//! Strings as the agent reads them, after it has removed unset variables.

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::Value;

use super::environment::is_common;
use super::texts::names_a_group;
use crate::api::core::embedded::name;
use crate::go::envsubst;
use crate::go::scalar::{Scalar, resolve_plain};
use crate::output::CONTAINER;
use crate::resolve::Hierarchy;
use crate::yaml::{self, LibraryStyle};

/// Variables of the agent's container. Their values are not used, because they may differ in the cluster.
pub struct Expansion<'e> {
    /// Names of the variables in `env`.
    names: HashSet<&'e str>,
    /// Whether there may be more variables, which is the case if there is an `envFrom` or a container without a name.
    is_open: bool,
}

impl<'e> Expansion<'e> {
    /// Collects the variables that an agent sets.
    pub fn new(hierarchy: &'e Hierarchy<'_, '_>) -> Self {
        let containers = &hierarchy.agent.spec.containers;
        let patch = containers.iter().rev().find(|container| name(container) == CONTAINER);
        // The missing name is reported elsewhere. The unnamed container may be the agent's.
        let is_unnamed = containers.iter().any(|container| name(container).is_empty());
        let list = |field| patch.and_then(|patch| patch.get(field)?.as_array()).into_iter().flatten();
        Self { names: list("env").map(name).collect(), is_open: is_unnamed || list("envFrom").next().is_some() }
    }

    /// Whether a variable is or may be set.
    pub fn has(&self, name: &str) -> bool {
        self.is_open || self.names.contains(name) || is_common(name)
    }

    /// Removes unset variables from a string. Returns the string unchanged if it contains any variable that may be set.
    pub fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let expanded = text.contains("${").then(|| envsubst::without_unset(text, &|name| self.has(name)));
        expanded.flatten().map_or(Cow::Borrowed(text), Cow::Owned)
    }

    /// Returns the number, boolean or null that the agent reads in place of a string, or `None` if the agent reads a
    /// string. The type can change because the operator writes variables without quotes.
    pub fn scalar(&self, text: &str) -> Option<Value> {
        let Cow::Owned(expanded) = self.text(text) else {
            return None;
        };
        let is_plain = yaml::write(&text.into(), LibraryStyle::V3).trim_end() == text;
        match resolve_plain(expanded.into()) {
            _ if !is_plain => None,
            Scalar::String(_) => None,
            Scalar::Null => Some(Value::Null),
            Scalar::Bool(value) => Some(value.into()),
            Scalar::Int(value) => Some(value.into()),
            Scalar::Uint(value) => Some(value.into()),
            Scalar::Float(value) => Some(value.into()),
        }
    }

    /// Removes unset variables from all strings in `value`. A string that becomes empty is replaced with null, because
    /// the operator writes such a string without quotes.
    pub fn replace(&self, value: &mut Value) {
        match value {
            Value::Array(items) => items.iter_mut().for_each(|item| self.replace(item)),
            Value::Object(fields) => {
                let regex = fields.get("regex").and_then(Value::as_str).map(str::to_owned);
                let is_of_group = |value: &Value| {
                    let mut names = Vec::new();
                    let references = value.as_str().and_then(|text| envsubst::references(text).ok());
                    references.iter().flatten().for_each(|one| one.for_each_name(&mut |name| names.push(name)));
                    names.iter().any(|name| names_a_group(name, regex.as_deref()))
                };
                // A variable that has the name of a capture group is kept, because it is reported separately.
                let others = fields.values_mut().filter(|value| !is_of_group(value));
                others.for_each(|value| self.replace(value));
            }
            Value::String(text) if text.contains("${") => match self.text(text) {
                Cow::Borrowed(_) => {}
                Cow::Owned(expanded) if expanded.is_empty() => *value = Value::Null,
                Cow::Owned(expanded) => *text = expanded,
            },
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn strings_lose_variables_that_are_not_set() {
        let expansion = |is_open| Expansion { names: ["A"].into_iter().collect(), is_open };
        let mut value = json!({
            "set": "a${A}b", "unset": "${B}", "part": "${B}:80", "common": "${POD_NAME}", "group": "${1}${B}", "broken": "${a-b}${B}",
            "list": ["${B}", "${A}"], "rule": {"regex": "(?P<B>.)", "replacement": "${B}", "targetLabel": "${C}"},
        });
        expansion(false).replace(&mut value);
        let expected = json!({
            "set": "a${A}b", "unset": null, "part": ":80", "common": "${POD_NAME}", "group": "${1}", "broken": "${a-b}${B}",
            "list": [null, "${A}"], "rule": {"regex": "(?P<B>.)", "replacement": "${B}", "targetLabel": null},
        });
        assert_eq!(value, expected);
        assert_eq!(expansion(true).text("${B}"), "${B}");
    }
}

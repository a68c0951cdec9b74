//! Strings as the agent reads them, after the variables of the config-reloader and the agent have been replaced.

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::Value;

use super::environment::{ORDINAL, is_common};
use super::texts::names_a_group;
use crate::api::core::embedded::name;
use crate::go::envsubst::{self, KnownVariable};
use crate::go::reloader;
use crate::go::scalar::{Scalar, resolve_plain};
use crate::output::CONTAINER;
use crate::resolve::Hierarchy;
use crate::yaml::{self, LibraryStyle};

/// Variables of the agent's container. Only the values that the operator itself sets are used, because all others may
/// differ in the cluster.
pub struct Expansion<'e> {
    /// Names of the variables in `env`.
    names: HashSet<&'e str>,
    /// Whether there may be more variables because of an `envFrom` or a container without a name.
    is_open: bool,
    /// Number of the agent's shards.
    shards: i32,
}

impl<'e> Expansion<'e> {
    /// Collects the variables that an agent sets.
    pub fn new(hierarchy: &'e Hierarchy<'_, '_>) -> Self {
        let containers = &hierarchy.agent.spec.containers;
        // The missing name is reported elsewhere. The unnamed container may be the agent's.
        let is_unnamed = containers.iter().any(|container| name(container).is_empty());
        let find_container = |wanted| containers.iter().rev().find(move |container| name(container) == wanted);
        let list = |wanted, field| {
            find_container(wanted)
                .and_then(|find_container| find_container.get(field)?.as_array())
                .into_iter()
                .flatten()
        };
        Self {
            names: list(CONTAINER, "env").map(name).collect(),
            is_open: is_unnamed || list(CONTAINER, "envFrom").next().is_some(),
            shards: hierarchy.agent.spec.metrics.shard_count(),
        }
    }

    /// Whether a variable is or may be set.
    pub fn may_be_set(&self, name: &str) -> bool {
        self.is_open || self.names.contains(name) || is_common(name)
    }

    /// Returns a variable's value in the first shard, if the operator sets it and nothing may replace it.
    fn value(&self, name: &str) -> Option<String> {
        let is_replaced = self.is_open || self.names.contains(name);
        match name {
            "SHARD" if !is_replaced => Some("0".to_owned()),
            "SHARDS" if !is_replaced => Some(self.shards.to_string()),
            _ => None,
        }
    }

    /// Whether the operator sets a variable to a pod's name or number, and nothing may replace it.
    pub fn describes_pod(&self, name: &str) -> bool {
        matches!(name, "POD_NAME" | "SHARD" | "SHARDS") && !self.is_open && !self.names.contains(name)
    }

    /// Returns a variable's value in the config-reloader container.
    fn value_of_reloader(&self, name: &str) -> Option<String> {
        self.value(if name == ORDINAL { "SHARD" } else { name })
    }

    /// Replaces known variables, and removes unset ones. The agent's variables in a string are left unchanged if the
    /// value of any of them is unknown.
    pub fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let expanded = reloader::expand(text, &|name| self.value_of_reloader(name));
        let expanded = expanded.map_or(Cow::Borrowed(text), Cow::Owned);
        if !expanded.contains("${") {
            return expanded;
        }
        let variable = |name: &str| match self.value(name) {
            Some(value) => KnownVariable::Value(value),
            None if self.may_be_set(name) => KnownVariable::Set,
            None => KnownVariable::Unset,
        };
        envsubst::expand_known(&expanded, &variable).map_or(expanded, Cow::Owned)
    }

    /// Replaces the variables in YAML. The operator does not quote a string that consists of a variable, even if the
    /// input does.
    pub fn yaml<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut unquoted = Cow::Borrowed(text);
        for name in ["SHARD", "SHARDS", ORDINAL] {
            for reference in [format!("$({name})"), format!("${{{name}}}")] {
                for quote in ['\'', '"'] {
                    let quoted = format!("{quote}{reference}{quote}");
                    if unquoted.contains(&quoted) {
                        unquoted = Cow::Owned(unquoted.replace(&quoted, &reference));
                    }
                }
            }
        }
        Cow::Owned(self.text(&unquoted).into_owned())
    }

    /// Returns the number, boolean or null that the agent reads in place of a string, or `None` if the agent reads a
    /// string. The type can change because the operator does not quote variables.
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

    /// Replaces the variables in all strings in `value`, as [`Self::text`] does. A string that becomes empty is
    /// replaced with null, because the operator does not quote such a string.
    pub fn replace(&self, value: &mut Value) {
        match value {
            Value::Array(items) => items.iter_mut().for_each(|item| self.replace(item)),
            Value::Object(fields) => {
                let regex = fields.get("regex").and_then(Value::as_str).map(str::to_owned);
                let refers_to_group = |value: &Value| {
                    let mut names = Vec::new();
                    let references = value.as_str().and_then(|text| envsubst::parse_references(text).ok());
                    references
                        .iter()
                        .flatten()
                        .for_each(|reference| reference.for_each_name(&mut |name| names.push(name)));
                    names.iter().any(|name| names_a_group(name, regex.as_deref()))
                };
                // A variable with the same name as a capture group is kept, because it is reported separately.
                let other_fields = fields.values_mut().filter(|value| !refers_to_group(value));
                other_fields.for_each(|value| self.replace(value));
            }
            Value::String(text) if text.contains("${") || text.contains("$(") => match self.text(text) {
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
    fn removes_unset_variables_from_strings() {
        let expansion = |is_open| Expansion { names: ["A"].into_iter().collect(), is_open, shards: 2 };
        let mut value = json!({
            "set": "a${A}b", "unset": "${B}", "part": "${B}:80", "common": "${POD_NAME}", "group": "${1}${B}", "broken": "${a-b}${B}",
            "shards": "$(SHARD)/$(SHARDS)/${SHARDS}/$(STATEFULSET_ORDINAL_NUMBER)", "mixed": "$(SHARDS)${A}",
            "list": ["${B}", "${A}"], "rule": {"regex": "(?P<B>.)", "replacement": "${B}", "targetLabel": "${C}"},
        });
        expansion(false).replace(&mut value);
        let expected = json!({
            "set": "a${A}b", "unset": null, "part": ":80", "common": "${POD_NAME}", "group": "${1}", "broken": "${a-b}${B}",
            "shards": "0/2/2/0", "mixed": "2${A}",
            "list": [null, "${A}"], "rule": {"regex": "(?P<B>.)", "replacement": "${B}", "targetLabel": null},
        });
        assert_eq!(value, expected);
        assert_eq!(expansion(true).text("${B}"), "${B}");
        assert_eq!(expansion(true).text("$(SHARD)"), "$(SHARD)");
        assert_eq!(expansion(false).yaml("a: '$(SHARD)'\nb: '${SHARDS}'\nc: \"x$(SHARD)\""), "a: 0\nb: 2\nc: \"x0\"");
    }
}

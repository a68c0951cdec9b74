//! What may be shown of a resource or of a configuration: all but the values that may be credentials.
//!
//! What counts as a credential is what `diff` masks, and more: a tree is sent around. Field names do not tell what an
//! environment variable, an argument or a text with lines of its own holds, so that these are masked as a whole where they
//! may hold one.

use std::collections::HashSet;

use crate::diff::is_secret_key;
use crate::secrecy::sensitive::{Named, is_suspicious, names_a_credential, tells_a_secret};
use crate::yaml::{Mapping, Value};

/// What stands for a masked value.
pub const MASK: &str = "***";

/// Fields of a container whose texts may hold anything.
const OPAQUE: [&str; 3] = ["args", "command", "kubectl.kubernetes.io/last-applied-configuration"];

/// How a value is masked.
#[derive(Clone, Copy)]
pub struct Mask<'t> {
    /// Texts that stand for credentials already.
    pub placeholders: &'t HashSet<String>,
    /// Whether a mapping with just a name and a key refers to a Secret, as in the operator's types.
    pub has_references: bool,
    /// Whether keys have no fixed meaning, as in the configuration of an integration.
    pub is_free_form: bool,
}

impl Mask<'_> {
    /// The value without its credentials.
    pub fn apply<'d>(self, value: Value<'d>) -> Value<'d> {
        self.walk(value, false)
    }

    fn walk<'d>(self, value: Value<'d>, hidden: bool) -> Value<'d> {
        match value {
            Value::Mapping(fields) if self.has_references && is_reference(&fields) => {
                let fields = fields.into_iter().map(|(key, value)| (key, self.walk(value, false)));
                Value::Mapping(fields.collect())
            }
            Value::Mapping(fields) => self.mapping(fields, hidden),
            Value::Sequence(items) => Value::Sequence(items.into_iter().map(|item| self.walk(item, hidden)).collect()),
            Value::String(text) if self.placeholders.contains(text.as_ref()) => Value::String(text),
            Value::String(text) if hidden || tells_a_secret(&text) || names_a_credential(&text, true) => {
                Value::from(MASK)
            }
            Value::Int(_) | Value::Float(_) | Value::Bool(_) if hidden => Value::from(MASK),
            value => value,
        }
    }

    fn mapping<'d>(self, fields: Mapping<'d>, hidden: bool) -> Value<'d> {
        let is_pair = fields.get("name").is_some() && fields.get("value").is_some();
        let named = Named::of(|key| match fields.get(key) {
            Some(Value::String(text)) => Some(text),
            _ => None,
        });
        let fields = fields.into_iter().map(|(key, value)| {
            let is_opaque = OPAQUE.contains(&key.as_ref()) || (is_pair && key == "value") || named.covers(&key);
            let is_suspicious = self.is_free_form && is_suspicious(&key) && !matches!(value, Value::Bool(_));
            let hidden = hidden || is_opaque || is_suspicious || is_secret_key(&key, &value);
            let inner = match key == "config" && !self.is_free_form {
                true => Mask {
                    has_references: false,
                    is_free_form: true,
                    ..self
                },
                false => self,
            };
            (key, inner.walk(value, hidden))
        });
        Value::Mapping(fields.collect())
    }
}

/// `{name: …, key: …}`.
fn is_reference(fields: &Mapping<'_>) -> bool {
    let is_known = |(key, _): (&str, &Value<'_>)| matches!(key, "name" | "key" | "optional");
    fields.get("name").is_some() && fields.iter().all(is_known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Source, Sources};
    use crate::yaml::{self, Limits, Style};

    fn masked(text: &str, has_references: bool) -> String {
        let id = Sources::default().add(Source::new("x", "", true));
        let documents = yaml::read(id, text, &Limits::default()).output;
        let placeholders = HashSet::from(["*** (Secret)".to_owned()]);
        let mask = Mask {
            placeholders: &placeholders,
            has_references,
            is_free_form: false,
        };
        yaml::write(&mask.apply(yaml::to_value(documents[0].root())), Style::V3)
    }

    #[test]
    fn credentials_are_masked_and_references_to_them_stay() {
        for (text, expected) in [
            ("password: {name: s, key: k}", "password:\n    key: k\n    name: s\n"),
            ("password: hunter2", "password: '***'\n"),
            ("bearerToken: hunter2", "bearerToken: '***'\n"),
            ("bearer_token: '*** (Secret)'", "bearer_token: '*** (Secret)'\n"),
            ("url: http://u:hunter2@host/", "url: '***'\n"),
            ("url: http://host/", "url: http://host/\n"),
            ("params: {token: [hunter2]}", "params:\n    token:\n        - '***'\n"),
            (
                "env: [{name: A, value: hunter2}]",
                "env:\n    - name: A\n      value: '***'\n",
            ),
            ("args: [--x, hunter2]", "args:\n    - '***'\n    - '***'\n"),
            ("a: --db-password=hunter2", "a: '***'\n"),
            ("a: '{\"password\": \"hunter2\"}'", "a: '***'\n"),
            ("config: {adminPasswd2: hunter2}", "config:\n    adminPasswd2: '***'\n"),
            (
                "config: {password: {name: hunter2}}",
                "config:\n    password:\n        name: '***'\n",
            ),
            ("config: {token_file: /a}", "config:\n    token_file: /a\n"),
            ("secrets: [a]", "secrets:\n    - a\n"),
            ("matchLabels: {app: tokens}", "matchLabels:\n    app: tokens\n"),
        ] {
            assert_eq!(masked(text, true), expected, "{text}");
        }
    }

    #[test]
    fn where_there_are_no_references_all_is_masked() {
        assert_eq!(
            masked("basic_auth: {password: {name: hunter2}}", false),
            "basic_auth:\n    password:\n        name: '***'\n"
        );
    }
}

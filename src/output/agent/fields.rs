//! Object fields, without those that the templates omit (`ext/optionals.libsonnet`).
//!
//! Lists and objects that are empty in a resource are always omitted, even if the templates do not omit them. The
//! operator never receives such lists and objects, because its types have `omitempty`.

use serde::Serialize;
use serde_json::Value as Json;

use crate::api::TextMap;
use crate::secrecy::is_secret_key;
use crate::yaml::{Mapping, SecretSource, Value};

/// Directory for the agent's write-ahead log and positions files.
pub(in crate::output) const DATA_DIRECTORY: &str = "/var/lib/grafana-agent/data";

/// Builder for the fields of an object.
#[derive(Debug, Default)]
pub(in crate::output) struct FieldsBuilder<'d>(pub(in crate::output) Mapping<'d>);

impl<'d> FieldsBuilder<'d> {
    pub(in crate::output) fn new() -> Self {
        Self::default()
    }

    /// Adds a field, regardless of its value.
    pub(super) fn always(mut self, key: &'static str, value: impl Into<Value<'d>>) -> Self {
        self.0.push(key, value);
        self
    }

    /// Adds a field unless its value is `None`.
    pub(super) fn option(self, key: &'static str, value: Option<impl Into<Value<'d>>>) -> Self {
        match value {
            Some(value) => self.always(key, value),
            None => self,
        }
    }

    /// Adds a string, unless it is empty (`optionals.string`).
    pub(super) fn text(self, key: &'static str, text: &'d str) -> Self {
        self.option(key, (!text.is_empty()).then_some(text))
    }

    /// Adds a number unless it is 0 (`optionals.number`).
    pub(super) fn number(self, key: &'static str, number: f64) -> Self {
        self.option(key, (number != 0.0).then_some(number))
    }

    /// Adds a boolean unless it is false (`optionals.bool`).
    pub(super) fn flag(self, key: &'static str, flag: bool) -> Self {
        self.option(key, flag.then_some(true))
    }

    /// Adds a list unless it is empty (`optionals.array`). Nulls are dropped even if no items remain.
    pub(super) fn list(self, key: &'static str, mut items: Vec<Value<'d>>) -> Self {
        let is_empty = items.is_empty();
        items.retain(|item| !matches!(item, Value::Null));
        self.option(key, (!is_empty).then_some(items))
    }

    /// Adds a list of strings unless it is empty.
    pub(super) fn texts(self, key: &'static str, items: &[&'d str]) -> Self {
        self.option(key, (!items.is_empty()).then(|| texts(items)))
    }

    /// Adds a value of one of the operator's types, unless it is `None`.
    pub(super) fn nested_fields(self, key: &'static str, value: Option<&impl Serialize>) -> Self {
        self.option(key, value.map(|value| non_empty_fields(key, value)))
    }

    /// Adds an object unless it is empty (`optionals.object`).
    pub(super) fn object(self, key: &'static str, entries: Mapping<'d>) -> Self {
        self.option(key, (!entries.is_empty()).then_some(entries))
    }
}

impl<'d> From<FieldsBuilder<'d>> for Value<'d> {
    fn from(fields: FieldsBuilder<'d>) -> Self {
        Value::Mapping(fields.0)
    }
}

/// Fields of the operator's types that are always written, regardless of their values. Each field is prefixed with its
/// enclosing field.
const ALWAYS_WRITTEN: &str = "limit.drop match.selector metadata_config.send metrics.action metrics.type multiline.firstLine output.source \
    regex.expression replace.expression template.source template.template timestamp.format timestamp.source";

/// Fields that the templates do not write.
const NEVER_WRITTEN: [(&str, &str); 2] = [("queue_config", "maxRetries"), ("queue_config", "retryOnRateLimit")];

/// Returns the fields of one of the operator's types under the agent's names, without empty, zero or false values.
pub(super) fn non_empty_fields<'d>(struct_name: &str, value: impl Serialize) -> Mapping<'d> {
    let Ok(Json::Object(fields)) = serde_json::to_value(value) else {
        return Mapping::new();
    };
    let fields = fields.into_iter().filter_map(|(name, value)| {
        let is_always = ALWAYS_WRITTEN.split(' ').any(|field| field.split_once('.') == Some((struct_name, &name)));
        let value = match value {
            _ if NEVER_WRITTEN.contains(&(struct_name, &name)) => return None,
            Json::Number(number) => Value::Float(number.as_f64().filter(|number| *number != 0.0)?),
            Json::Null => return None,
            Json::Bool(false) if !is_always => return None,
            Json::String(text) if text.is_empty() && !is_always => return None,
            Json::Array(items) if items.is_empty() => return None,
            value => value.into(),
        };
        Some((agent_field_name(&name).into(), value))
    });
    fields.collect()
}

/// Returns the agent's spelling of a field name.
fn agent_field_name(name: &str) -> String {
    if name == "firstLine" {
        return name.to_lowercase();
    }
    let renamed = name.chars().flat_map(|c| {
        let separator = c.is_ascii_uppercase().then_some('_');
        separator.into_iter().chain([c.to_ascii_lowercase()])
    });
    renamed.collect()
}

/// Returns a list of strings.
pub(super) fn texts<'d>(items: &[&'d str]) -> Value<'d> {
    Value::Sequence(items.iter().map(|&item| Value::from(item)).collect())
}

/// Returns an object in which all strings are credentials.
pub(super) fn secret_map<'d>(entries: &TextMap<'d>) -> Mapping<'d> {
    let value = |value: &'d str| Value::secret(value, SecretSource::Field);
    entries.iter().map(|(key, text)| (key.into(), value(text))).collect()
}

/// Returns an object with user-defined keys. Any key may indicate that its value is a credential.
pub(super) fn params<'d>(entries: &TextMap<'d>) -> Mapping<'d> {
    entries.iter().map(|(key, text)| (key.into(), param(key, text))).collect()
}

/// Returns a value with a user-defined key. The value is secret if the key indicates it.
pub(super) fn param<'d>(name: &str, value: impl Into<Value<'d>>) -> Value<'d> {
    match is_secret_key(name) {
        true => Value::secret(value, SecretSource::Field),
        false => value.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn omits_defaults() {
        let fields = FieldsBuilder::new()
            .text("a", "")
            .number("b", 0.0)
            .flag("c", false)
            .list("d", Vec::new())
            .texts("e", &[])
            .object("f", Mapping::new())
            .option("g", None::<bool>);
        assert_eq!(Value::from(fields), Value::Mapping(Mapping::new()));
    }

    #[test]
    fn lists_of_nulls_become_empty_lists() {
        let fields = Value::from(FieldsBuilder::new().list("a", vec![Value::Null]));
        assert_eq!(fields, Value::from(FieldsBuilder::new().always("a", Vec::new())));
    }
}

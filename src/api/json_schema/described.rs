//! The schema of a kind's definition, with what the doc comments of the decoding types say of each field.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

use crate::api::schema::{object_meta_json, schema_json};
use crate::api::{
    GrafanaAgent, Integration, Kind, LogsInstance, MetricsInstance, ObjectMeta, PodLogs, PodMonitor, Probe,
    ServiceMonitor,
};

/// The kinds that have a schema: the operator's eight.
pub fn kinds() -> impl Iterator<Item = Kind> {
    Kind::ALL.iter().copied().filter(|kind| kind.is_custom())
}

/// Said of a field that no type decodes.
const IGNORED: &str = "Accepted, and ignored by the operator.";

/// The schema of a kind. Its structure is that of the definition; types of Kubernetes' own have no descriptions, nor has
/// `metadata`, of which a CustomResourceDefinition must not say anything.
pub(super) fn described(kind: Kind) -> Value {
    let mut schema = schema_json(kind);
    set_description(&mut schema, kind.summary());
    for (field, text) in [
        ("apiVersion", "Group and version of the kind."),
        ("kind", "The kind of the object."),
    ] {
        if let Some(schema) = property(&mut schema, field) {
            set_description(schema, text);
        }
    }
    if let Some(spec) = property(&mut schema, "spec") {
        describe(spec, &spec_type(kind));
        if let Some(config) = property(spec, "config").filter(|_| kind == Kind::Integration) {
            set_description(
                config,
                "The integration's settings, as the agent's documentation has them.",
            );
        }
    }
    schema
}

/// The schema of `metadata`, of which the kinds' own schemas say nothing. The fields that the API server sets have no
/// descriptions.
pub(super) fn described_metadata() -> Value {
    let mut schema = object_meta_json();
    set_description(&mut schema, "Name, namespace, labels and annotations.");
    let decoded = type_schema::<ObjectMeta<'_>>();
    let known = decoded.get("properties").and_then(Value::as_object);
    for (name, decoded) in known.into_iter().flatten() {
        if let Some(field) = property(&mut schema, name) {
            describe(field, decoded);
        }
    }
    schema
}

/// The schema of a field of an object.
pub(super) fn property<'s>(schema: &'s mut Value, name: &str) -> Option<&'s mut Value> {
    schema.get_mut("properties")?.get_mut(name)
}

/// What the type that decodes the `spec` of a kind says; nothing for core kinds.
fn spec_type(kind: Kind) -> Value {
    match kind {
        Kind::GrafanaAgent => type_schema::<GrafanaAgent<'_>>(),
        Kind::MetricsInstance => type_schema::<MetricsInstance<'_>>(),
        Kind::LogsInstance => type_schema::<LogsInstance<'_>>(),
        Kind::Integration => type_schema::<Integration<'_>>(),
        Kind::PodLogs => type_schema::<PodLogs<'_>>(),
        Kind::ServiceMonitor => type_schema::<ServiceMonitor<'_>>(),
        Kind::PodMonitor => type_schema::<PodMonitor<'_>>(),
        Kind::Probe => type_schema::<Probe<'_>>(),
        Kind::Secret | Kind::ConfigMap | Kind::Namespace | Kind::Node => Value::Null,
    }
}

/// The schema of a type, without references.
fn type_schema<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft07().with(|settings| settings.inline_subschemas = true);
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

/// Walks a schema and that of the type that decodes it side by side.
fn describe(schema: &mut Value, decoded: &Value) {
    if let Some(text) = decoded.get("description").and_then(Value::as_str) {
        set_description(schema, &first_paragraph(text));
    }
    let fields = schema.get_mut("properties").and_then(Value::as_object_mut);
    if let (Some(fields), Some(known)) = (fields, decoded.get("properties").and_then(Value::as_object)) {
        describe_fields(fields, known);
    }
    for part in ["items", "additionalProperties"] {
        if let (Some(schema), Some(decoded)) = (schema.get_mut(part), decoded.get(part)) {
            describe(schema, decoded);
        }
    }
}

fn describe_fields(fields: &mut Map<String, Value>, known: &Map<String, Value>) {
    for (name, field) in fields {
        match known.get(name) {
            Some(decoded) => describe(field, decoded),
            None => set_description(field, IGNORED),
        }
    }
}

fn set_description(schema: &mut Value, text: &str) {
    set(schema, "description", text);
}

/// Sets a keyword of a schema.
pub(super) fn set(schema: &mut Value, keyword: &str, value: impl Into<Value>) {
    if let Some(schema) = schema.as_object_mut() {
        schema.insert(keyword.to_owned(), value.into());
    }
}

/// A doc comment's first paragraph on one line: the others speak to who reads the code.
fn first_paragraph(text: &str) -> String {
    let paragraph = text.split("\n\n").next().unwrap_or_default();
    paragraph.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The operator has these as fields of some types only, agentctl of the type that stands for all of them.
    const FILES: &[&str] = &["bearerTokenFile", "caFile", "certFile", "credentialsFile", "keyFile"];

    fn types(schema: &Value) -> Vec<&str> {
        let types = schema.get("type");
        let one = types.and_then(Value::as_str).into_iter();
        let several = types.and_then(Value::as_array).into_iter().flatten();
        one.chain(several.filter_map(Value::as_str))
            .filter(|name| *name != "null")
            .collect()
    }

    /// Where the type and the definition differ.
    fn differences(schema: &Value, decoded: &Value, path: &str, found: &mut Vec<String>) {
        let (expected, actual) = (types(schema), types(decoded));
        if !actual.is_empty() && !expected.is_empty() && actual != expected {
            found.push(format!("{path} is {expected:?}, not {actual:?}"));
        }
        let known = decoded.get("properties").and_then(Value::as_object);
        for (name, decoded) in known.into_iter().flatten() {
            let path = format!("{path}.{name}");
            match schema["properties"].get(name) {
                Some(schema) => differences(schema, decoded, &path, found),
                None if FILES.contains(&name.as_str()) => {}
                None => found.push(format!("{path} is not in the definition")),
            }
        }
        for part in ["items", "additionalProperties"] {
            if let (Some(schema), Some(decoded)) = (schema.get(part), decoded.get(part)) {
                differences(schema, decoded, &format!("{path}[]"), found);
            }
        }
    }

    #[test]
    fn every_field_of_the_types_is_in_the_definitions() {
        let mut found = Vec::new();
        for kind in kinds() {
            let schema = schema_json(kind);
            differences(
                &schema["properties"]["spec"],
                &spec_type(kind),
                kind.as_str(),
                &mut found,
            );
        }
        differences(
            &object_meta_json(),
            &type_schema::<ObjectMeta<'_>>(),
            "metadata",
            &mut found,
        );
        assert_eq!(found, Vec::<String>::new());
    }

    /// Every field down to those that Kubernetes' own types decode, with its description.
    fn descriptions(schema: &Value, path: &str, found: &mut Vec<(String, String)>) {
        for (name, field) in schema["properties"].as_object().into_iter().flatten() {
            let path = format!("{path}.{name}");
            let text = field["description"].as_str().unwrap_or_default();
            found.push((path.clone(), text.to_owned()));
            for part in [field, &field["items"], &field["additionalProperties"]] {
                let fields = part["properties"].as_object();
                if fields.is_some_and(|fields| fields.values().any(|field| field["description"].is_string())) {
                    descriptions(part, &path, found);
                }
            }
        }
    }

    #[test]
    fn every_description_speaks_to_users() {
        for kind in kinds() {
            let mut found = Vec::new();
            descriptions(&described(kind), kind.as_str(), &mut found);
            found.retain(|(path, _)| *path != format!("{kind}.metadata"));
            assert!(found.len() > 15, "{kind}: {}", found.len());
            for (path, text) in found {
                assert!(text.ends_with('.') && text.len() > 10, "{path}: {text:?}");
                assert!(!text.contains("[`"), "{path}: {text:?}");
            }
        }
    }

    /// The fields of a definition that the type does not have.
    fn undecoded(schema: &Value, decoded: &Value, path: &str, found: &mut Vec<String>) {
        let known = decoded.get("properties").and_then(Value::as_object);
        let fields = schema["properties"].as_object().filter(|_| known.is_some());
        for (name, field) in fields.into_iter().flatten() {
            let path = format!("{path}.{name}");
            match decoded["properties"].get(name) {
                Some(decoded) => undecoded(field, decoded, &path, found),
                None => found.push(path),
            }
        }
        for part in ["items", "additionalProperties"] {
            if let (Some(schema), Some(decoded)) = (schema.get(part), decoded.get(part)) {
                undecoded(schema, decoded, path, found);
            }
        }
    }

    #[test]
    fn the_types_leave_out_what_the_operator_ignores_and_reads_whatever_it_holds() {
        let mut found = Vec::new();
        for kind in kinds() {
            undecoded(
                &schema_json(kind)["properties"]["spec"],
                &spec_type(kind),
                kind.as_str(),
                &mut found,
            );
        }
        assert_eq!(
            found,
            [
                "GrafanaAgent.storage.ephemeral",
                // Not ignored: it stays a node, and is described apart.
                "Integration.config",
                "ServiceMonitor.attachMetadata",
                "ServiceMonitor.endpoints.followRedirects",
                "PodMonitor.attachMetadata",
                "PodMonitor.podMetricsEndpoints.followRedirects",
                "Probe.prober.proxyUrl",
            ]
        );
    }

    #[test]
    fn of_a_comment_the_first_paragraph_is_shown() {
        for (text, expected) in [("A b\n  c.\n\nD.", "A b c."), ("A.", "A."), ("", "")] {
            assert_eq!(first_paragraph(text), expected);
        }
        let metadata = described_metadata();
        assert_eq!(metadata["description"], "Name, namespace, labels and annotations.");
        assert_eq!(metadata["properties"]["name"]["description"], "The name of the object.");
        let integration = described(Kind::Integration);
        let text = &integration["properties"]["spec"]["properties"]["config"]["description"];
        assert_eq!(
            text,
            "The integration's settings, as the agent's documentation has them."
        );
        let ignored = &described(Kind::Probe)["properties"]["spec"]["properties"]["prober"]["properties"]["proxyUrl"]["description"];
        assert_eq!(ignored, IGNORED);
        assert_eq!(
            described(Kind::Probe)["properties"]["kind"]["description"],
            "The kind of the object."
        );
    }
}

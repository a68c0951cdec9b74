//! Schemas for the kinds, with field descriptions taken from the doc comments of the types that the fields are decoded
//! into.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

use crate::api::schema::{object_meta_json, schema_json};
use crate::api::{
    GrafanaAgent, Integration, Kind, LogsInstance, MetricsInstance, ObjectMeta, PodLogs, PodMonitor, Probe,
    ServiceMonitor,
};

/// Returns the kinds that have a schema, which are the operator's eight.
pub fn kinds() -> impl Iterator<Item = Kind> {
    Kind::ALL.iter().copied().filter(|kind| kind.is_custom())
}

/// Description of a field that is not decoded into any type.
const IGNORED_DESCRIPTION: &str = "Accepted but ignored by the operator.";

/// Returns the schema for a kind, structured as in the kind's definition. Kubernetes' own types have no descriptions,
/// nor does `metadata`, because a CustomResourceDefinition must not describe it.
pub(super) fn kind_schema(kind: Kind) -> Value {
    let mut schema = schema_json(kind);
    set_description(&mut schema, kind.summary());
    for (field, text) in [("apiVersion", "Group and version of the kind."), ("kind", "Kind of the object.")] {
        if let Some(schema) = property(&mut schema, field) {
            set_description(schema, text);
        }
    }
    if let Some(spec) = property(&mut schema, "spec") {
        describe(spec, &spec_type(kind));
        if let Some(config) = property(spec, "config").filter(|_| kind == Kind::Integration) {
            set_description(config, "Settings of the integration, as in the agent's documentation.");
        }
    }
    schema
}

/// Returns the schema for `metadata`, which the kinds' schemas omit. Fields set by the API server have no descriptions.
pub(super) fn metadata_schema() -> Value {
    let mut schema = object_meta_json();
    set_description(&mut schema, "Name, namespace, labels and annotations.");
    let decoded_schema = type_schema::<ObjectMeta<'_>>();
    let known_fields = decoded_schema.get("properties").and_then(Value::as_object);
    for (name, decoded) in known_fields.into_iter().flatten() {
        if let Some(field) = property(&mut schema, name) {
            describe(field, decoded);
        }
    }
    schema
}

/// Returns the schema for a field of an object.
pub(super) fn property<'s>(schema: &'s mut Value, name: &str) -> Option<&'s mut Value> {
    schema.get_mut("properties")?.get_mut(name)
}

/// Returns the schema of the type that a kind's `spec` is decoded into; null for core kinds.
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

/// Returns the schema of a type, with all references inlined.
fn type_schema<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft07().with(|settings| settings.inline_subschemas = true);
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

/// Copies descriptions into a schema from `decoded`, the schema of the type that its values are decoded into.
fn describe(schema: &mut Value, decoded: &Value) {
    if let Some(text) = decoded.get("description").and_then(Value::as_str) {
        set_description(schema, &first_paragraph(text));
    }
    let fields = schema.get_mut("properties").and_then(Value::as_object_mut);
    if let (Some(fields), Some(known_fields)) = (fields, decoded.get("properties").and_then(Value::as_object)) {
        describe_fields(fields, known_fields);
    }
    for keyword in ["items", "additionalProperties"] {
        if let (Some(schema), Some(decoded)) = (schema.get_mut(keyword), decoded.get(keyword)) {
            describe(schema, decoded);
        }
    }
}

fn describe_fields(fields: &mut Map<String, Value>, known: &Map<String, Value>) {
    for (name, field) in fields {
        match known.get(name) {
            Some(decoded) => describe(field, decoded),
            None => set_description(field, IGNORED_DESCRIPTION),
        }
    }
}

fn set_description(schema: &mut Value, text: &str) {
    set(schema, "description", text);
}

/// Sets a keyword in a schema.
pub(super) fn set(schema: &mut Value, keyword: &str, value: impl Into<Value>) {
    if let Some(schema) = schema.as_object_mut() {
        schema.insert(keyword.to_owned(), value.into());
    }
}

/// Returns the first paragraph of a doc comment as one line. Other paragraphs are intended for readers of the code.
fn first_paragraph(text: &str) -> String {
    let paragraph = text.split("\n\n").next().unwrap_or_default();
    paragraph.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fields of agentctl's shared types that only some of the operator's types have.
    const FILES: &[&str] = &["bearerTokenFile", "caFile", "certFile", "credentialsFile", "keyFile"];

    fn schema_types(schema: &Value) -> Vec<&str> {
        let types = schema.get("type");
        let single_type = types.and_then(Value::as_str).into_iter();
        let type_list = types.and_then(Value::as_array).into_iter().flatten();
        single_type.chain(type_list.filter_map(Value::as_str)).filter(|name| *name != "null").collect()
    }

    /// Collects the differences between a type and its definition.
    fn collect_differences(schema: &Value, decoded: &Value, path: &str, problems: &mut Vec<String>) {
        let (expected, actual) = (schema_types(schema), schema_types(decoded));
        if !actual.is_empty() && !expected.is_empty() && actual != expected {
            problems.push(format!("{path} is {expected:?}, not {actual:?}"));
        }
        let known = decoded.get("properties").and_then(Value::as_object);
        for (name, decoded) in known.into_iter().flatten() {
            let path = format!("{path}.{name}");
            match schema["properties"].get(name) {
                Some(schema) => collect_differences(schema, decoded, &path, problems),
                None if FILES.contains(&name.as_str()) => {}
                None => problems.push(format!("{path} is not in the definition")),
            }
        }
        for keyword in ["items", "additionalProperties"] {
            if let (Some(schema), Some(decoded)) = (schema.get(keyword), decoded.get(keyword)) {
                collect_differences(schema, decoded, &format!("{path}[]"), problems);
            }
        }
    }

    #[test]
    fn definitions_contain_every_field_of_their_types() {
        let mut problems = Vec::new();
        for kind in kinds() {
            let schema = schema_json(kind);
            collect_differences(&schema["properties"]["spec"], &spec_type(kind), kind.as_str(), &mut problems);
        }
        collect_differences(&object_meta_json(), &type_schema::<ObjectMeta<'_>>(), "metadata", &mut problems);
        assert_eq!(problems, Vec::<String>::new());
    }

    /// Collects the descriptions of all fields, except those inside Kubernetes' own types.
    fn collect_descriptions(schema: &Value, path: &str, found: &mut Vec<(String, String)>) {
        for (name, field) in schema["properties"].as_object().into_iter().flatten() {
            let path = format!("{path}.{name}");
            let text = field["description"].as_str().unwrap_or_default();
            found.push((path.clone(), text.to_owned()));
            for part in [field, &field["items"], &field["additionalProperties"]] {
                let fields = part["properties"].as_object();
                if fields.is_some_and(|fields| fields.values().any(|field| field["description"].is_string())) {
                    collect_descriptions(part, &path, found);
                }
            }
        }
    }

    #[test]
    fn descriptions_are_written_for_users() {
        for kind in kinds() {
            let mut descriptions = Vec::new();
            collect_descriptions(&kind_schema(kind), kind.as_str(), &mut descriptions);
            descriptions.retain(|(path, _)| *path != format!("{kind}.metadata"));
            assert!(descriptions.len() > 15, "{kind}: {}", descriptions.len());
            for (path, text) in descriptions {
                assert!(text.ends_with('.') && text.len() > 10, "{path}: {text:?}");
                assert!(!text.contains("[`"), "{path}: {text:?}");
            }
        }
    }

    /// Collects the fields in a definition that the type lacks.
    fn collect_undecoded(schema: &Value, decoded: &Value, path: &str, found: &mut Vec<String>) {
        let known = decoded.get("properties").and_then(Value::as_object);
        let fields = schema["properties"].as_object().filter(|_| known.is_some());
        for (name, field) in fields.into_iter().flatten() {
            let path = format!("{path}.{name}");
            match decoded["properties"].get(name) {
                Some(decoded) => collect_undecoded(field, decoded, &path, found),
                None => found.push(path),
            }
        }
        for keyword in ["items", "additionalProperties"] {
            if let (Some(schema), Some(decoded)) = (schema.get(keyword), decoded.get(keyword)) {
                collect_undecoded(schema, decoded, path, found);
            }
        }
    }

    #[test]
    fn types_omit_only_fields_the_operator_ignores() {
        let mut undecoded_paths = Vec::new();
        for kind in kinds() {
            collect_undecoded(
                &schema_json(kind)["properties"]["spec"],
                &spec_type(kind),
                kind.as_str(),
                &mut undecoded_paths,
            );
        }
        assert_eq!(
            undecoded_paths,
            [
                "GrafanaAgent.storage.ephemeral",
                // This field is not ignored: it is kept as a node and described separately.
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
    fn shows_the_first_paragraph_of_comments() {
        for (text, expected) in [("A b\n  c.\n\nD.", "A b c."), ("A.", "A."), ("", "")] {
            assert_eq!(first_paragraph(text), expected);
        }
        let metadata = metadata_schema();
        assert_eq!(metadata["description"], "Name, namespace, labels and annotations.");
        assert_eq!(metadata["properties"]["name"]["description"], "Name of the object.");
        let integration = kind_schema(Kind::Integration);
        let text = &integration["properties"]["spec"]["properties"]["config"]["description"];
        assert_eq!(text, "Settings of the integration, as in the agent's documentation.");
        let ignored = &kind_schema(Kind::Probe)["properties"]["spec"]["properties"]["prober"]["properties"]["proxyUrl"]
            ["description"];
        assert_eq!(ignored, IGNORED_DESCRIPTION);
        assert_eq!(kind_schema(Kind::Probe)["properties"]["kind"]["description"], "Kind of the object.");
    }
}

//! Function results, for tools that display them.

use super::{ResourceList, annotations};
use crate::api::Kind;
use crate::diagnostic::{Diagnostic, Severity};
use crate::printable::{escape_commands, printable};
use crate::secrecy::redact_message;
use crate::source::{SourceId, Sources, Span};
use crate::yaml::{Mapping, Node, Value};

/// Converts each diagnostic to a result. `list` was read from the source `input`. All other sources are files listed in
/// the configuration.
pub fn results(
    diagnostics: &[Diagnostic],
    sources: &Sources,
    list: &ResourceList<'_>,
    input: SourceId,
) -> Vec<Value<'static>> {
    let result = |diagnostic: &Diagnostic| {
        let span = diagnostic.primary().map(|label| label.span);
        let item = span.filter(|span| span.source == input).and_then(|span| list.item_at(span.start));
        let mut result = Mapping::new();
        result.push("message", message(diagnostic));
        result.push("severity", severity(diagnostic.severity));
        if let Some(resource) = resource_ref(diagnostic, item) {
            result.push("resourceRef", resource);
            if let Some(path) = &diagnostic.path {
                result.push("field", text_mapping([("path", path.clone())]));
            }
        }
        if let Some(file) = file_field(span, item, sources, input) {
            result.push("file", file);
        }
        result.push("tags", text_mapping([("code", diagnostic.code.to_string())]));
        Value::Mapping(result)
    };
    diagnostics.iter().map(result).collect()
}

/// Returns the message together with the help, because results have no field for help. Tools print the message
/// unescaped.
fn message(diagnostic: &Diagnostic) -> String {
    let message = match &diagnostic.help {
        Some(help) => format!("{} ({help})", diagnostic.message),
        None => diagnostic.message.clone(),
    };
    escape_commands(&printable(&redact_message(&message))).into_owned()
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "info",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

/// Returns a reference to the diagnostic's resource or, if the diagnostic has none, to the item that it was found in.
/// Returns `None` if the resource's API version is unknown.
fn resource_ref(diagnostic: &Diagnostic, item: Option<Node<'_>>) -> Option<Value<'static>> {
    let item = item.map(|item| (item.text("apiVersion").to_owned(), item.object_key("")));
    let (api_version, object) = match &diagnostic.resource {
        None => item?,
        Some(object) => {
            let known_kind = Kind::ALL.iter().find(|known| known.as_str() == object.kind);
            let item_type = item.filter(|(_, item)| item.kind == object.kind);
            let api_version = known_kind.map(|kind| kind.api_version().to_owned());
            (api_version.or(item_type.map(|(version, _)| version))?, object.clone())
        }
    };
    Some(text_mapping([
        ("apiVersion", api_version),
        ("kind", object.kind),
        ("name", object.name),
        ("namespace", object.namespace),
    ]))
}

/// Returns the item's file or, if there is no item, the file that the configuration lists.
fn file_field(
    span: Option<Span>,
    item: Option<Node<'_>>,
    sources: &Sources,
    input: SourceId,
) -> Option<Value<'static>> {
    if let Some(item) = item {
        let mut file = Mapping::new();
        file.push("path", annotations::path(item)?.to_owned());
        if let Some(index) = annotations::index(item) {
            file.push("index", Value::Int(index));
        }
        return Some(Value::Mapping(file));
    }
    let source = sources.get(span?.source).filter(|_| span.is_some_and(|span| span.source != input))?;
    Some(text_mapping([("path", source.name.clone())]))
}

fn text_mapping<const N: usize>(entries: [(&'static str, String); N]) -> Value<'static> {
    let entries = entries.into_iter().filter(|(_, value)| !value.is_empty());
    Value::Mapping(entries.map(|(key, value)| (key.into(), value.into())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Code, ObjectKey};
    use crate::source::Source;
    use crate::yaml::{LibraryStyle, Limits, read, write};

    const TEXT: &str = "\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: d
  annotations: {internal.config.kubernetes.io/path: a.yaml, internal.config.kubernetes.io/index: '2'}
---
apiVersion: v1
kind: Service
metadata: {name: s, namespace: ns}
";

    /// Returns the result, as text, for a finding at `place` about `resource`.
    fn describe_result(place: Option<(&str, usize)>, resource: Option<(&str, &str)>) -> String {
        let mut sources = Sources::default();
        let input = sources.add(Source::new("<stdin>", TEXT, true));
        let other = sources.add(Source::new("other.yaml", "a: b\n", true));
        let documents = read(input, TEXT, &Limits::default()).output;
        let list = ResourceList::from_documents(&documents, TEXT);
        let mut finding = Diagnostic::new(Code::DuplicateKey, "message").help("help");
        if let Some((source, offset)) = place {
            let source = if source == "other" { other } else { input };
            finding = finding.label(Span::new(source, offset, offset + 1), "");
        }
        if let Some((kind, name)) = resource {
            finding = finding.resource(ObjectKey::new(kind, "ns", name)).path("spec.x");
        }
        let results = results(&[finding], &sources, &list, input);
        write(&results[0], LibraryStyle::Kubernetes)
    }

    #[test]
    fn results_refer_to_resources_and_files() {
        let service = TEXT.find("kind: Service").unwrap();
        let at = |text: &str| Some(("input", TEXT.find(text).unwrap()));
        let reference = |version: &str, kind: &str, name: &str, namespace: &str| {
            let namespace = if namespace.is_empty() { String::new() } else { format!("  namespace: {namespace}\n") };
            format!("resourceRef:\n  apiVersion: {version}\n  kind: {kind}\n  name: {name}\n{namespace}")
        };
        let file = "file:\n  index: 2\n  path: a.yaml\n";
        let agent = reference("monitoring.grafana.com/v1alpha1", "GrafanaAgent", "a", "ns");
        for (place, resource, expected_resource, expected_file) in [
            (None, None, None, None),
            (at("kind: Deployment"), None, Some(reference("apps/v1", "Deployment", "d", "")), Some(file)),
            (Some(("input", service)), None, Some(reference("v1", "Service", "s", "ns")), None),
            (None, Some(("GrafanaAgent", "a")), Some(agent.clone()), None),
            (at("kind: Deployment"), Some(("GrafanaAgent", "a")), Some(agent), Some(file)),
            (
                at("kind: Deployment"),
                Some(("Deployment", "e")),
                Some(reference("apps/v1", "Deployment", "e", "ns")),
                Some(file),
            ),
            (at("kind: Deployment"), Some(("Service", "e")), None, Some(file)),
            (None, Some(("Deployment", "e")), None, None),
            (Some(("other", 0)), None, None, Some("file:\n  path: other.yaml\n")),
        ] {
            let actual = describe_result(place, resource);
            let case_description = format!("{place:?} {resource:?} {actual}");
            assert!(actual.contains("message: message (help)\n"), "{case_description}");
            assert_eq!(actual.contains("resourceRef:"), expected_resource.is_some(), "{case_description}");
            assert!(expected_resource.is_none_or(|expected| actual.contains(&expected)), "{case_description}");
            let has_field = actual.contains("field:\n  path: spec.x\n");
            assert_eq!(has_field, resource.is_some() && actual.contains("resourceRef:"), "{case_description}");
            assert_eq!(actual.contains("file:"), expected_file.is_some(), "{case_description}");
            assert!(expected_file.is_none_or(|expected| actual.contains(expected)), "{case_description}");
        }
        assert_eq!([Severity::Note, Severity::Warning, Severity::Error].map(severity), ["info", "warning", "error"]);
    }
}

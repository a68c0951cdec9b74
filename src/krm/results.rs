//! Diagnostics → the results of a function, for tools that show them.

use super::{ResourceList, annotations};
use crate::api::Kind;
use crate::diagnostic::{Diagnostic, Severity};
use crate::printable::{printable, without_commands};
use crate::secrecy::without_secrets_told;
use crate::source::{SourceId, Sources, Span};
use crate::yaml::{Mapping, Node, Value};

/// A result a diagnostic. `list` was read from the source `input`; other sources are files that the configuration names.
pub fn results(
    diagnostics: &[Diagnostic],
    sources: &Sources,
    list: &ResourceList<'_>,
    input: SourceId,
) -> Vec<Value<'static>> {
    let result = |diagnostic: &Diagnostic| {
        let span = diagnostic.primary().map(|label| label.span);
        let item = span
            .filter(|span| span.source == input)
            .and_then(|span| list.item_at(span.start));
        let mut result = Mapping::new();
        result.push("message", message(diagnostic));
        result.push("severity", severity(diagnostic.severity));
        if let Some(resource) = resource_ref(diagnostic, item) {
            result.push("resourceRef", resource);
            if let Some(path) = &diagnostic.path {
                result.push("field", mapping([("path", path.clone())]));
            }
        }
        if let Some(file) = file(span, item, sources, input) {
            result.push("file", file);
        }
        result.push("tags", mapping([("code", diagnostic.code.to_string())]));
        Value::Mapping(result)
    };
    diagnostics.iter().map(result).collect()
}

/// The message with the help: results have no place for the help. The tool prints it as it is.
fn message(diagnostic: &Diagnostic) -> String {
    let message = match &diagnostic.help {
        Some(help) => format!("{} ({help})", diagnostic.message),
        None => diagnostic.message.clone(),
    };
    without_commands(&printable(&without_secrets_told(&message))).into_owned()
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "info",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

/// The resource that the diagnostic is about, or else the item that it is found in. What is neither of a known kind nor of that of
/// the item has no version to refer to.
fn resource_ref(diagnostic: &Diagnostic, item: Option<Node<'_>>) -> Option<Value<'static>> {
    let item = item.map(|item| (item.text("apiVersion").to_owned(), item.object_key("")));
    let (api_version, object) = match &diagnostic.resource {
        None => item?,
        Some(object) => {
            let known = Kind::ALL.iter().find(|known| known.as_str() == object.kind);
            let of_item = item.filter(|(_, item)| item.kind == object.kind);
            let api_version = known.map(|kind| kind.api_version().to_owned());
            (api_version.or(of_item.map(|(version, _)| version))?, object.clone())
        }
    };
    Some(mapping([
        ("apiVersion", api_version),
        ("kind", object.kind),
        ("name", object.name),
        ("namespace", object.namespace),
    ]))
}

/// The file of the item, or the one that the configuration names.
fn file(span: Option<Span>, item: Option<Node<'_>>, sources: &Sources, input: SourceId) -> Option<Value<'static>> {
    if let Some(item) = item {
        let mut file = Mapping::new();
        file.push("path", annotations::path(item)?.to_owned());
        if let Some(index) = annotations::index(item) {
            file.push("index", Value::Int(index));
        }
        return Some(Value::Mapping(file));
    }
    let source = sources
        .get(span?.source)
        .filter(|_| span.is_some_and(|span| span.source != input))?;
    Some(mapping([("path", source.name.clone())]))
}

fn mapping<const N: usize>(entries: [(&'static str, String); N]) -> Value<'static> {
    let entries = entries.into_iter().filter(|(_, value)| !value.is_empty());
    Value::Mapping(entries.map(|(key, value)| (key.into(), value.into())).collect())
}

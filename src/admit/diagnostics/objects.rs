//! Findings about objects as a whole.

use crate::api::{Kind, ObjectRef, Resource};
use crate::diagnostic::{Code, Diagnostic, FieldPath, Severity, suggest};
use crate::source::Span;
use crate::yaml::{DecodeError, Node};

/// A document of a named file is no object.
pub(in crate::admit) fn not_an_object(node: Node<'_>) -> Diagnostic {
    Diagnostic::new(
        Code::NotAnObject,
        "expected a Kubernetes object with `apiVersion` and `kind`",
    )
    .label(node.span(), "")
    .help("add `apiVersion` and `kind`, or leave the file out")
}

/// Not even the kind of an object can be read; an error where its file was `named`.
pub(in crate::admit) fn encrypted(node: Node<'_>, named: bool) -> Diagnostic {
    let severity = if named { Severity::Error } else { Severity::Warning };
    Diagnostic::new(Code::EncryptedValue, "the whole object is encrypted with SOPS")
        .severity(severity)
        .label(FieldPath::of("kind").locate(node), "")
        .help("decrypt the file first: `sops -d FILE | agentctl render -f -`, with the other files beside `-`")
}

/// A kind that agentctl reads, of a group or version that it does not.
pub(in crate::admit) fn unknown_version(node: Node<'_>, api_version: &str, kind: &str) -> Option<Diagnostic> {
    let known = Kind::ALL.iter().find(|k| k.is_custom() && k.as_str() == kind)?;
    if group(known.api_version()) != group(api_version) {
        return None;
    }
    let span = FieldPath::of("apiVersion").locate(node);
    let message = format!("`{api_version}` has no {kind} that the operator reads: it is skipped");
    Some(
        Diagnostic::new(Code::UnknownVersion, message)
            .label(span, "")
            .path("apiVersion")
            .help(format!("use `{}`", known.api_version())),
    )
}

fn group(api_version: &str) -> &str {
    api_version.split('/').next().unwrap_or_default()
}

/// The kinds of prometheus-operator that the Grafana Agent Operator does not read.
const NOT_READ: [&str; 7] = [
    "Alertmanager",
    "AlertmanagerConfig",
    "Prometheus",
    "PrometheusAgent",
    "PrometheusRule",
    "ScrapeConfig",
    "ThanosRuler",
];

/// A kind that is not, or not yet, in a group that the operator reads.
pub(in crate::admit) fn unknown_kind(node: Node<'_>, api_version: &str, kind: &str) -> Option<Diagnostic> {
    let of_group = |known: &&Kind| known.is_custom() && group(known.api_version()) == group(api_version);
    let known: Vec<_> = Kind::ALL.iter().filter(of_group).map(|kind| kind.as_str()).collect();
    if known.is_empty() || known.contains(&kind) || NOT_READ.contains(&kind) {
        return None;
    }
    let help = match suggest::closest(kind, known.iter().copied()) {
        Some(kind) => format!("did you mean `{kind}`?"),
        None => format!("the operator reads `{}`", known.join("`, `")),
    };
    Some(
        Diagnostic::new(
            Code::UnknownKind,
            format!(
                "`{}` has no kind `{kind}` that the operator reads: it is skipped",
                group(api_version)
            ),
        )
        .label(FieldPath::of("kind").locate(node), "")
        .path("kind")
        .help(help),
    )
}

/// The same object stands in the input twice.
pub(in crate::admit) fn duplicate_resource(object: ObjectRef<'_>, first: Span, second: Span) -> Diagnostic {
    Diagnostic::new(Code::DuplicateResource, format!("`{object}` stands in the input twice"))
        .label(second, "here again")
        .label(first, "first here")
        .resource(object)
        .path("metadata.name")
        .help("remove one of the two")
}

/// A value that the API server admits and Go cannot decode for the operator.
pub(in crate::admit) fn decode_failed(resource: &Resource<'_, ()>, error: DecodeError) -> Diagnostic {
    let path = match error.path.as_str() {
        "" => "spec".to_owned(),
        path if path.starts_with('[') => format!("spec{path}"),
        path => format!("spec.{path}"),
    };
    let span = error.span.unwrap_or_else(|| resource.locate(&FieldPath::of("spec")));
    let message = match path.rsplit('.').next() {
        Some(field) => format!("the operator cannot read `{field}`: {}", error.message),
        None => error.message,
    };
    Diagnostic::new(Code::DecodeFailed, message)
        .label(span, "")
        .resource(resource.object_ref())
        .path(path)
}

//! Findings about arguments that refer to resources.

use super::argument::{LocatedResource, ResourceArgument, as_argument, suggested_kind};
use crate::api::ObjectRef;
use crate::diagnostic::listed::first_of;
use crate::diagnostic::{Code, Diagnostic};

/// Finding for an argument that is neither a path nor a kind that agentctl reads.
pub fn unknown_kind(argument: &str) -> Diagnostic {
    let word = argument.split('/').next().unwrap_or_default();
    let diagnostic = Diagnostic::new(
        Code::UnknownResource,
        format!("`{argument}` is neither a resource nor a path: unknown kind `{word}`"),
    );
    diagnostic.help(match suggested_kind(word) {
        Some(kind) => format!("did you mean `{}`?", kind.as_str().to_ascii_lowercase()),
        None => "write KIND/NAME, KIND/NAMESPACE/NAME, or a file path".to_owned(),
    })
}

/// Finding for an argument that starts with a kind but is otherwise malformed.
pub fn malformed_argument(argument: &str) -> Diagnostic {
    Diagnostic::new(Code::UnknownResource, format!("`{argument}` does not refer to a resource"))
        .help("write KIND/NAME or KIND/NAMESPACE/NAME")
}

/// Finding for an argument that refers to a resource, although `--since` compares only entire inputs.
pub fn resource_with_since(argument: &str) -> Diagnostic {
    Diagnostic::new(
        Code::UnknownResource,
        format!("`{argument}` is not a file or directory, but `--since` compares only files and directories"),
    )
    .help("pass the files or directories that you render")
}

/// Finding for a kind that has no resources in the input.
pub fn none_of_kind(target: &ResourceArgument<'_>) -> Diagnostic {
    Diagnostic::new(Code::UnknownResource, format!("no {} found in the input", target.plural_kind()))
        .help("use `-f` to pass the files that define them")
}

/// Finding for a resource that is not in the input.
pub fn unknown_resource(target: &ResourceArgument<'_>, name: &str, meant: Option<&LocatedResource<'_>>) -> Diagnostic {
    let kind = target.kind_name();
    let namespace_text = match target.namespace {
        Some(namespace) => format!("namespace `{namespace}`"),
        None => "the input".to_owned(),
    };
    let diagnostic = Diagnostic::new(Code::UnknownResource, format!("{kind} `{name}` not found in {namespace_text}"));
    match meant {
        Some(meant) => diagnostic
            .label(meant.name_span(), "similar name")
            .help(format!("did you mean `{}`?", as_argument(meant.object))),
        None => diagnostic.help("correct the name, or use `-f` to pass the file that defines it"),
    }
}

/// Finding for a name shared by several resources of the kind.
pub fn ambiguous_name(target: &ResourceArgument<'_>, name: &str, candidates: &[LocatedResource<'_>]) -> Diagnostic {
    let message = format!("{} {} are named `{name}`", candidates.len(), target.plural_kind());
    let namespace_label = |located: &LocatedResource<'_>| format!("in namespace `{}`", located.object.namespace);
    ambiguous_argument(message, candidates, as_argument, namespace_label)
}

/// Finding for an argument that matches several resources, with a label on each.
pub fn ambiguous_argument(
    message: String,
    candidates: &[LocatedResource<'_>],
    name: impl Fn(ObjectRef<'_>) -> String,
    label: impl Fn(&LocatedResource<'_>) -> String,
) -> Diagnostic {
    const MAX_SHOWN: usize = 8;
    let names = candidates.iter().map(|located| name(located.object));
    let diagnostic = Diagnostic::new(Code::AmbiguousResource, message);
    let diagnostic = diagnostic.help(format!("use one of: {}", first_of(MAX_SHOWN, names)));
    let shown_candidates = candidates.iter().take(MAX_SHOWN);
    shown_candidates.fold(diagnostic, |finding, located| finding.label(located.name_span(), label(located)))
}

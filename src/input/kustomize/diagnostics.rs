//! Findings about kustomizations. Messages never quote values, because a secret may be in the wrong field.

use std::path::Path;

use super::references::{Reference, Role};
use crate::diagnostic::{Code, Diagnostic};
use crate::input::manifest_files::is_manifest;
use crate::source::Span;

/// Maximum length of a path in a message.
const MAX_PATH: usize = 200;

/// Finding for an entry that kustomize would fetch.
pub(super) fn remote_entry(reference: &Reference<'_>) -> Diagnostic {
    let message = format!("`{}` contains a remote entry, which is not fetched", reference.field);
    remote_at(message, reference.node.span())
}

/// Finding for a remote path in the configuration of a generator, transformer or validator.
pub(super) fn remote_in_plugin(at: Span) -> Diagnostic {
    remote_at("the configuration contains a remote path, which is not fetched".to_owned(), at)
}

/// Finding for generators, transformers and validators that a kustomization changes before they run.
pub(super) fn built_plugin(field: &str, at: Span) -> Diagnostic {
    let message =
        format!("`{field}` changes generators, transformers or validators, which cannot be checked before they run");
    Diagnostic::new(Code::RemoteBase, message)
        .label(at, "")
        .help("list their files directly, or pass `--allow-remote-bases` if you trust the input")
}

fn remote_at(message: String, at: Span) -> Diagnostic {
    Diagnostic::new(Code::RemoteBase, message)
        .label(at, "")
        .help("copy it into the repository, or pass `--allow-remote-bases` if you trust the input")
}

/// Finding for a directory outside the repository.
pub(super) fn directory_outside_repository(reference: &Reference<'_>) -> Diagnostic {
    let message = format!("`{}` points outside the repository, or into its `.git`", reference.field);
    Diagnostic::new(Code::RemoteBase, message)
        .label(reference.node.span(), "")
        .help("copy the directory into the repository, or pass `--load-restrictor none` if you trust the input")
}

/// Finding for a file or directory that does not exist.
pub(super) fn missing(reference: &Reference<'_>) -> Diagnostic {
    unusable_reference(reference, "which does not exist")
}

/// Finding for a reference to a directory instead of a file, or to a file instead of a directory.
pub(super) fn wrong_type(reference: &Reference<'_>) -> Diagnostic {
    let is_component = reference.role == Role::Component;
    unusable_reference(
        reference,
        if is_component { "which is not a directory" } else { "which is a directory, not a file" },
    )
}

/// Finding for a directory without a kustomization.
pub(super) fn no_kustomization(reference: &Reference<'_>) -> Diagnostic {
    unusable_reference(reference, "a directory without a kustomization")
}

/// Finding for a kustomization that includes itself.
pub(super) fn cycle(reference: &Reference<'_>) -> Diagnostic {
    unusable_reference(reference, "which contains this kustomization")
}

fn unusable_reference(reference: &Reference<'_>, problem: &str) -> Diagnostic {
    let name = path(reference).map_or_else(|| "a path".to_owned(), |path| format!("`{path}`"));
    let message = format!("`{}` refers to {name}, {problem}", reference.field);
    Diagnostic::new(Code::KustomizeError, message).label(reference.node.span(), "")
}

/// Returns the path in a reference, or `None` if the string might not be a path.
fn path<'d>(reference: &Reference<'d>) -> Option<&'d str> {
    let text = reference.text;
    let is_path = is_manifest(Path::new(text)) || text.starts_with("./") || text.starts_with("../");
    let is_plain = text.len() <= MAX_PATH && !text.contains(['=', ':', '`']) && !text.contains(char::is_whitespace);
    (is_path && is_plain && reference.role != Role::Data).then_some(text)
}

/// Finding for a Helm chart in a kustomization.
pub(super) fn chart(field: &str, at: Span, directory: &str) -> Diagnostic {
    let message = format!("`{field}` needs Helm, which is not run");
    Diagnostic::new(Code::KustomizeError, message)
        .label(at, "")
        .help(format!("run `kustomize build --enable-helm {directory} | agentctl check -`"))
}

/// Finding for a file that cannot be checked, or for a build that is too large.
pub(super) fn kustomize_error(problem: &str, at: Span) -> Diagnostic {
    Diagnostic::new(Code::KustomizeError, problem).label(at, "")
}

/// Finding for a failure with an unknown message, which may contain a secret.
pub(super) fn unknown_failure(directory: &str, at: Span) -> Diagnostic {
    let message = "kustomize fails, and its message is not shown because it may contain a secret";
    Diagnostic::new(Code::KustomizeError, message).label(at, "").help(format!("run `kustomize build {directory}`"))
}

/// Finding for a directory that contains several kustomizations.
pub(super) fn several_kustomizations(at: Span) -> Diagnostic {
    let message = "expected one kustomization in the directory, found several";
    Diagnostic::new(Code::KustomizeError, message).label(at, "")
}

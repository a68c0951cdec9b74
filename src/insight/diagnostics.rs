//! What is wrong with an argument that names a resource, one function a finding.

use super::target::{Located, Target, suggested_kind};
use crate::api::{Kind, ObjectRef};
use crate::diagnostic::{Code, Diagnostic, FieldPath};
use crate::source::Span;

/// The argument as people write it: in lower case.
fn argument(object: ObjectRef<'_>) -> String {
    let kind = object.kind.as_str().to_ascii_lowercase();
    match object.namespace {
        "" => format!("{kind}/{}", object.name),
        namespace => format!("{kind}/{namespace}/{}", object.name),
    }
}

/// An argument is neither a kind that agentctl reads nor a path.
pub fn unknown_kind(argument: &str) -> Diagnostic {
    let word = argument.split('/').next().unwrap_or_default();
    let diagnostic = Diagnostic::new(
        Code::UnknownResource,
        format!("`{argument}` is neither a resource nor a path: there is no kind `{word}`"),
    );
    diagnostic.help(match suggested_kind(word) {
        Some(kind) => format!("did you mean `{}`?", kind.as_str().to_ascii_lowercase()),
        None => "write KIND/NAME, KIND/NAMESPACE/NAME, or the path of a file".to_owned(),
    })
}

/// An argument begins with a kind, but has another form.
pub fn malformed(argument: &str) -> Diagnostic {
    Diagnostic::new(Code::UnknownResource, format!("`{argument}` names no resource"))
        .help("write KIND/NAME or KIND/NAMESPACE/NAME")
}

/// A resource where whole inputs are compared.
pub fn no_revision(argument: &str) -> Diagnostic {
    Diagnostic::new(
        Code::UnknownResource,
        format!("`{argument}` is no path: `--since` compares whole inputs"),
    )
    .help("name the files or directories that are rendered")
}

/// There is nothing of a kind.
pub fn none_of_kind(kind: Kind) -> Diagnostic {
    Diagnostic::new(Code::UnknownResource, format!("there is no {kind} in the input"))
        .help("read the files it stands in with `-f`")
}

/// There is nothing of this kind and name.
pub fn unknown_resource(target: &Target<'_>, name: &str, meant: Option<&Located<'_>>) -> Diagnostic {
    let kind = target.kind;
    let place = match target.namespace {
        Some(namespace) => format!("namespace `{namespace}`"),
        None => "the input".to_owned(),
    };
    let diagnostic = Diagnostic::new(Code::UnknownResource, format!("there is no {kind} `{name}` in {place}"));
    match meant {
        Some(meant) => diagnostic
            .label(name_span(meant), "this one?")
            .help(format!("did you mean `{}`?", argument(meant.object))),
        None => diagnostic.help("correct the name, or read the file it stands in with `-f`"),
    }
}

/// A Secret or ConfigMap that is only referred to.
pub fn missing_resource(object: ObjectRef<'_>, referrers: Vec<(ObjectRef<'_>, Span)>) -> Diagnostic {
    const SHOWN: usize = 8;
    let fields = match referrers.len() {
        1 => "1 field refers".to_owned(),
        count => format!("{count} fields refer"),
    };
    let ObjectRef { kind, namespace, name } = object;
    let message = format!("{kind} `{name}` of namespace `{namespace}` is not in the input, but {fields} to it");
    let diagnostic = Diagnostic::new(Code::UnknownResource, message).help("read the file it stands in with `-f`");
    referrers
        .into_iter()
        .take(SHOWN)
        .fold(diagnostic, |diagnostic, (referrer, span)| {
            diagnostic.label(span, format!("{referrer} does"))
        })
}

/// Several resources have this kind and name.
pub fn ambiguous(kind: Kind, name: &str, candidates: &[Located<'_>]) -> Diagnostic {
    const SHOWN: usize = 8;
    let message = format!("{} {kind}s are called `{name}`", candidates.len());
    let names: Vec<_> = candidates
        .iter()
        .take(SHOWN)
        .map(|c| format!("`{}`", argument(c.object)))
        .collect();
    let more = match candidates.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    candidates
        .iter()
        .take(SHOWN)
        .fold(
            Diagnostic::new(Code::AmbiguousResource, message),
            |diagnostic, candidate| {
                diagnostic.label(
                    name_span(candidate),
                    format!("in namespace `{}`", candidate.object.namespace),
                )
            },
        )
        .help(format!("name one of them: {}{more}", names.join(", ")))
}

fn name_span(located: &Located<'_>) -> crate::source::Span {
    FieldPath::of("metadata.name").locate(located.root)
}

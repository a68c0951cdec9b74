//! Findings about rendered manifests.

use super::origin::ManifestOrigin;
use crate::check::walk::{FIRST, Step, Violation, expectation_sentence};
use crate::diagnostic::listed::truncate;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::manifest::Object;
use crate::printable::format_count;

/// Maximum number of characters to quote from a value.
const MAX: usize = 100;

/// Finding for a field of `object` that violates a Kubernetes rule, reported at the input field.
pub fn rejected_field(
    object: &Object,
    broken: &Violation<'_>,
    origin: &ManifestOrigin<'_>,
    other: Option<&Option<ManifestOrigin<'_>>>,
) -> Diagnostic {
    let subject = match (object.kind(), broken.path.get(1)) {
        (_, Some(Step::Key("volumeClaimTemplates"))) => "the pods' claims",
        ("Service", _) => "the Service",
        _ => "the pods",
    };
    let outcome = match (broken.code, broken.is_warning) {
        (Code::InvalidImage, _) => format!("the kubelet does not start {subject}"),
        (Code::OutdatedImage, _) => "the agent does not start".to_owned(),
        (_, true) => format!("newer versions of Kubernetes reject {subject}"),
        (_, false) => format!("Kubernetes rejects {subject}"),
    };
    let label = broken.other.as_ref().map_or("", |(_, label)| label);
    let statement = match &broken.value {
        Some(value) if label == FIRST && matches!(other, Some(None)) => {
            format!("`{}` {}, but the operator already uses `{}`", broken.field(), broken.problem, truncate(value, MAX))
        }
        _ => statement(broken),
    };
    let mut finding = finding_at(broken.code, origin, format!("{outcome}: {statement}"));
    if let Some(Some(other)) = other {
        finding = finding.label(other.span(), label);
    }
    if broken.is_warning {
        finding = finding.severity(Severity::Warning);
    }
    finding.help_if(Some(&*broken.help).filter(|help| !help.is_empty()))
}

/// Finding for a name that the operator derives from the agent's name and that violates a Kubernetes rule.
pub fn refused_name(object: &Object, broken: &Violation<'_>, agent: &ManifestOrigin<'_>) -> Diagnostic {
    let (kind, name) = (object.kind(), object.name());
    let message = match broken.path.as_slice() {
        [Step::Key("metadata"), Step::Key("name")] => {
            format!("Kubernetes rejects {kind} `{name}` or its pods: the name {}", broken.problem)
        }
        _ => format!("Kubernetes rejects {kind} `{name}` or its pods: {}", statement(broken)),
    };
    finding_at(Code::InvalidDerivedName, agent, message).help("choose a different name for the agent")
}

/// Finding for the violations in `object` that are not reported individually.
pub fn omitted_violations(object: &Object, code: Code, count: usize, agent: &ManifestOrigin<'_>) -> Diagnostic {
    let message = format!(
        "{} `{}` has {} that are not shown",
        object.kind(),
        object.name(),
        format_count(count, "other mistake")
    );
    finding_at(code, agent, message).help("fix the mistakes that are shown, then check again").for_others(count)
}

fn statement(broken: &Violation<'_>) -> String {
    let (field, problem) = (broken.field(), &broken.problem);
    match &broken.value {
        Some(key) if broken.is_key => format!("the key `{}` in `{field}` {problem}", truncate(key, MAX)),
        Some(value) if problem.starts_with("must ") => {
            expectation_sentence(&format!("`{field}`"), problem, &format!("`{}`", truncate(value, MAX)))
        }
        Some(value) => format!("`{}` in `{field}` {problem}", truncate(value, MAX)),
        None => format!("`{field}` {problem}"),
    }
}

fn finding_at(code: Code, origin: &ManifestOrigin<'_>, message: String) -> Diagnostic {
    Diagnostic::new(code, message).label(origin.span(), "").resource(origin.object).path(&origin.path)
}

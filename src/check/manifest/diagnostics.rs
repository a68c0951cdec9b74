//! Findings about rendered manifests.

use super::origin::ManifestOrigin;
use crate::check::walk::{FIRST, Step, Violation, expectation_sentence};
use crate::diagnostic::listed::truncate;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::manifest::Object;
use crate::printable::format_count;

/// Maximum number of characters to quote from a value.
const MAX_QUOTED_CHARS: usize = 100;

/// Finding for a field of `object` that violates a Kubernetes rule, reported at the input field.
pub fn rejected_field(
    object: &Object,
    violation: &Violation<'_>,
    origin: &ManifestOrigin<'_>,
    other: Option<&Option<ManifestOrigin<'_>>>,
) -> Diagnostic {
    let subject = match (object.kind(), violation.path.get(1)) {
        (_, Some(Step::Key("volumeClaimTemplates"))) => "the pods' claims",
        ("Service", _) => "the Service",
        _ => "the pods",
    };
    let outcome = match (violation.code, violation.is_warning) {
        (Code::InvalidImage, _) => format!("the kubelet does not start {subject}"),
        (Code::OutdatedImage, _) => "the agent does not start".to_owned(),
        (_, true) => format!("newer versions of Kubernetes reject {subject}"),
        (_, false) => format!("Kubernetes rejects {subject}"),
    };
    let label = violation.other.as_ref().map_or("", |(_, label)| label);
    let statement = match &violation.value {
        Some(value) if label == FIRST && matches!(other, Some(None)) => {
            format!(
                "`{}` {}, but the operator already uses `{}`",
                violation.field(),
                violation.problem,
                truncate(value, MAX_QUOTED_CHARS)
            )
        }
        _ => statement(violation),
    };
    let mut finding = finding_at(violation.code, origin, format!("{outcome}: {statement}"));
    if let Some(Some(other)) = other {
        finding = finding.label(other.span(), label);
    }
    if violation.is_warning {
        finding = finding.severity(Severity::Warning);
    }
    finding.help_if(Some(&*violation.help).filter(|help| !help.is_empty()))
}

/// Rewords a violation for a volume that the pods of `object` lack, but that those of `owner` have. The user cannot add
/// a volume with this name.
pub fn explain_missing_volume(violation: &mut Violation<'_>, object: &Object, owner: &Object) {
    let workload = |object: &Object| format!("{} `{}`", object.kind(), object.name());
    violation.problem = format!("must be the name of a volume in the pods of {}", workload(object));
    violation.help = format!("remove it: only the pods of {} have this volume", workload(owner));
}

/// Finding for a name that the operator derives from the agent's name and that violates a Kubernetes rule.
pub fn rejected_name(object: &Object, violation: &Violation<'_>, agent: &ManifestOrigin<'_>) -> Diagnostic {
    let (kind, name) = (object.kind(), object.name());
    let message = match violation.path.as_slice() {
        [Step::Key("metadata"), Step::Key("name")] => {
            format!("Kubernetes rejects {kind} `{name}` or its pods: the name {}", violation.problem)
        }
        _ => format!("Kubernetes rejects {kind} `{name}` or its pods: {}", statement(violation)),
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

fn statement(violation: &Violation<'_>) -> String {
    let (field, problem) = (violation.field(), &violation.problem);
    match &violation.value {
        Some(key) if violation.is_key => {
            format!("the key `{}` in `{field}` {problem}", truncate(key, MAX_QUOTED_CHARS))
        }
        Some(value) if problem.starts_with("must ") => {
            expectation_sentence(&format!("`{field}`"), problem, &format!("`{}`", truncate(value, MAX_QUOTED_CHARS)))
        }
        Some(value) => format!("`{}` in `{field}` {problem}", truncate(value, MAX_QUOTED_CHARS)),
        None => format!("`{field}` {problem}"),
    }
}

fn finding_at(code: Code, origin: &ManifestOrigin<'_>, message: String) -> Diagnostic {
    Diagnostic::new(code, message).label(origin.span(), "").resource(origin.object).path(&origin.path)
}

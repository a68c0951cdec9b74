//! Fields that are missing because their keys were dropped, and findings that result from the missing fields.

use std::collections::BTreeMap;
use std::ops::Bound;

use crate::diagnostic::{Code, Diagnostic, Label, Severity};
use crate::source::Span;

/// A field that is missing because its key was dropped as misspelled or misplaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DroppedField {
    /// Path of the field that the user probably meant.
    pub path: String,
    /// Span of the dropped key.
    pub key: Span,
    /// Message of the finding about the key.
    pub cause: String,
    /// Help text of the finding about the key.
    pub help: Option<String>,
}

impl DroppedField {
    /// Adds the dropped key to a finding as the explanation of the error.
    fn explain(&self, finding: &mut Diagnostic) {
        finding.labels.push(Label { span: self.key, text: "the unknown field is dropped here".to_owned() });
        finding.help = self.help.clone().or(finding.help.take());
        finding.cause = Some(self.cause.clone());
    }
}

/// Maximum number of dropped keys that are shown to explain a finding.
const MAX_DROPPED_FIELDS: usize = 2;

/// Dropped fields of a resource, keyed by the path that the user probably meant, each with its position in the input.
/// At most two are kept per path, so that lookups do not become slower as their number grows. Two are enough to explain
/// a finding.
#[derive(Debug, Default)]
pub struct DroppedFields<'d> {
    by_path: BTreeMap<&'d str, Vec<(usize, &'d DroppedField)>>,
    count: usize,
}

impl<'d> DroppedFields<'d> {
    /// Creates an index of `dropped_fields`, which must be in input order.
    pub fn new(dropped_fields: &'d [DroppedField]) -> Self {
        let mut index = Self::default();
        index.add(dropped_fields);
        index
    }

    /// Adds dropped fields. Only the first two that were probably meant for the same path are kept.
    pub fn add(&mut self, dropped_fields: &'d [DroppedField]) {
        for dropped_field in dropped_fields {
            self.count += 1;
            push(self.by_path.entry(&dropped_field.path).or_default(), (self.count, dropped_field));
        }
    }

    /// Whether a dropped field was probably meant for `path`, or for a path above or below `path`.
    pub fn overlap(&self, path: &str) -> bool {
        !self.by_path.is_empty() && self.overlapping(path).next().is_some()
    }

    /// Returns whether to keep a finding. A finding that something is missing is treated as a consequence of a dropped
    /// field if the field was dropped at, above or below the finding's path. Such a finding is suppressed unless it is
    /// an error. An error is kept, and the dropped key is added as its explanation. Findings about values of the wrong
    /// type or with invalid syntax are always kept.
    pub fn suppress_cascading(&self, finding: &mut Diagnostic) -> bool {
        if self.by_path.is_empty() || !is_absence(finding.code, true) {
            return true;
        }
        let mut dropped_fields = Vec::new();
        let is_no_match = finding.code == Code::NoMatchingObject;
        let namespace = is_no_match.then(|| self.by_path.get("metadata.namespace")).flatten();
        let (path, is_any_absence) = (finding.path.as_deref(), is_absence(finding.code, false));
        let field_drops = path.filter(|_| !is_any_absence).and_then(|path| self.by_path.get(path));
        let related_fields = path.filter(|_| is_any_absence).into_iter();
        let related_fields =
            related_fields.flat_map(|path| self.overlapping(path)).chain(field_drops.into_iter().flatten().copied());
        let related_drops = namespace.into_iter().flatten().copied().chain(related_fields);
        for dropped_field in
            related_drops.filter(|(_, dropped_field)| finding.cause.as_ref() != Some(&dropped_field.cause))
        {
            push(&mut dropped_fields, dropped_field);
            if dropped_fields.len() == MAX_DROPPED_FIELDS || finding.severity < Severity::Error {
                break;
            }
        }
        if finding.severity < Severity::Error {
            return dropped_fields.is_empty();
        }
        dropped_fields.sort_by_key(|(number, _)| *number);
        dropped_fields.iter().for_each(|(_, dropped_field)| dropped_field.explain(finding));
        true
    }

    fn overlapping(&self, path: &str) -> impl Iterator<Item = (usize, &'d DroppedField)> {
        let fields_above = ancestors_and_self(path).filter_map(|fields_above| self.by_path.get(fields_above));
        let fields_below = ['.', '['].into_iter().flat_map(move |step| {
            let start = format!("{path}{step}");
            let start_bound = self.by_path.range::<str, _>((Bound::Included(start.as_str()), Bound::Unbounded));
            start_bound
                .take_while(move |(fields_below, _)| fields_below.starts_with(&start))
                .map(|(_, dropped_fields)| dropped_fields)
        });
        fields_above.chain(fields_below).flatten().copied()
    }
}

/// Whether a dropped field can cause a finding with this code, that is, whether the finding reports that something is
/// missing or that nothing is selected. The codes of Kubernetes' rules cover both missing fields and invalid values, so
/// they are included only if the finding's own field was dropped (`is_at_the_field`).
fn is_absence(code: Code, is_at_the_field: bool) -> bool {
    match code {
        Code::DuplicateResource
        | Code::DuplicateScrape
        | Code::EmptyReference
        | Code::EmptyUrl
        | Code::IncompleteAuthentication
        | Code::IncompleteCertificate
        | Code::IncompleteRelabeling
        | Code::InvalidStage
        | Code::MissingField
        | Code::MissingIntegrationKey
        | Code::NoClients
        | Code::NoMatchingObject
        | Code::NoTargets
        | Code::ProbeWithoutTargets
        | Code::SelectsNothing
        | Code::SharedInstance
        | Code::TimeoutAboveInterval
        | Code::UndescribedNamespace
        | Code::Unselected => true,
        Code::InvalidClaim
        | Code::InvalidContainer
        | Code::InvalidContainerPort
        | Code::InvalidContainerProbe
        | Code::InvalidEnvironment
        | Code::InvalidMount
        | Code::InvalidScheduling
        | Code::InvalidSelector
        | Code::InvalidTarget
        | Code::InvalidVolume => is_at_the_field,
        _ => false,
    }
}

/// Adds a dropped field, unless a field with the same cause has already been added or the maximum has been reached.
fn push<'d>(dropped_fields: &mut Vec<(usize, &'d DroppedField)>, added: (usize, &'d DroppedField)) {
    let is_known = dropped_fields.iter().any(|(_, dropped_field)| dropped_field.cause == added.1.cause);
    if dropped_fields.len() < MAX_DROPPED_FIELDS && !is_known {
        dropped_fields.push(added);
    }
}

/// Removes a resource's findings that are mere consequences of its dropped fields.
pub fn suppress_cascading(dropped_fields: &[DroppedField], findings: &mut Vec<Diagnostic>) {
    if !dropped_fields.is_empty() {
        let dropped_fields = DroppedFields::new(dropped_fields);
        findings.retain_mut(|finding| dropped_fields.suppress_cascading(finding));
    }
}

/// Returns the paths above `path`, and `path` itself.
pub(super) fn ancestors_and_self(path: &str) -> impl Iterator<Item = &str> {
    let steps = path.match_indices(['.', '[']).map(|(offset, _)| offset);
    let root = Some(0).filter(|_| !path.is_empty());
    steps.chain(root).chain([path.len()]).filter_map(|end| path.get(..end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn suppresses_cascading_findings() {
        let id = testing::source_id();
        let dropped_field = |path: &str, help: Option<&str>| DroppedField {
            path: path.to_owned(),
            key: Span::new(id, 3, 5),
            cause: "dropped".to_owned(),
            help: help.map(str::to_owned),
        };
        let (note_code, error_code) = (Code::NoTargets, Code::MissingField);
        for (dropped_field, code, path, cause, is_kept, is_explained) in [
            (dropped_field("spec.a", None), note_code, Some("spec.a"), None, false, false),
            (dropped_field("spec.a", None), note_code, Some("spec.b"), None, true, false),
            (dropped_field("spec.a", None), note_code, None, None, true, false),
            (dropped_field("spec.a", None), error_code, Some("spec.a.b"), None, true, true),
            (dropped_field("spec.a", None), error_code, Some("spec.b"), None, true, false),
            // An invalid value is not caused by a field that was dropped elsewhere.
            (dropped_field("spec.a", None), Code::WrongType, Some("spec.a"), None, true, false),
            (dropped_field("spec.a", None), Code::WrongType, Some("spec.a[0].b"), None, true, false),
            (dropped_field("spec.a", None), Code::InvalidUrl, Some("spec.a[0]"), None, true, false),
            (dropped_field("spec.a", None), Code::IgnoredField, Some("spec.a"), None, true, false),
            (dropped_field("spec.a", None), Code::InvalidVolume, Some("spec.a"), None, true, true),
            (dropped_field("spec.a", None), Code::InvalidVolume, Some("spec.a.b"), None, true, false),
            // This finding is about the mistake itself.
            (dropped_field("spec.a", None), note_code, Some("spec.a"), Some("dropped"), true, false),
            (dropped_field("spec.a", None), note_code, Some("spec.a"), Some("other"), false, false),
            (dropped_field("spec.a", None), Code::UnknownField, Some("spec.a"), None, true, false),
            // In a different namespace, different objects match.
            (dropped_field("metadata.namespace", None), Code::NoMatchingObject, Some("spec.x"), None, false, false),
            (dropped_field("metadata.name", None), Code::NoMatchingObject, Some("spec.x"), None, true, false),
        ] {
            let mut finding = Diagnostic::new(code, "m").help("own");
            finding.path = path.map(str::to_owned);
            finding.cause = cause.map(str::to_owned);
            let mut findings = vec![finding];
            suppress_cascading(std::slice::from_ref(&dropped_field), &mut findings);
            let label_counts: Vec<_> = findings.iter().map(|finding| finding.labels.len()).collect();
            let expected = if is_kept { vec![usize::from(is_explained)] } else { vec![] };
            assert_eq!(label_counts, expected, "{} {code} {path:?}", dropped_field.path);
        }
        // The dropped key's help replaces the finding's own help.
        for (help, expected) in [(Some("rename it"), "rename it"), (None, "own")] {
            let mut findings = vec![Diagnostic::new(error_code, "m").help("own").path("spec.a")];
            suppress_cascading(&[dropped_field("spec.a", help)], &mut findings);
            assert_eq!(findings[0].help.as_deref(), Some(expected));
        }
        let mut findings = vec![Diagnostic::new(note_code, "m").path("spec.a")];
        suppress_cascading(&[], &mut findings);
        assert_eq!(findings.len(), 1);
    }

    /// The number of dropped keys that explain a finding must not grow with the input.
    #[test]
    fn at_most_two_dropped_keys_explain_a_finding() {
        let id = testing::source_id();
        let dropped_field = |number: usize| DroppedField {
            path: "spec.endpoints".to_owned(),
            key: Span::new(id, number, number + 1),
            cause: format!("dropped {number}"),
            help: Some(format!("rename {number}")),
        };
        let all_dropped_fields: Vec<_> = (0..1_000).map(dropped_field).collect();
        let dropped_fields = DroppedFields::new(&all_dropped_fields);
        assert_eq!(dropped_fields.by_path.values().map(Vec::len).sum::<usize>(), 2);
        for path in ["spec", "spec.endpoints[7].port"] {
            let mut finding = Diagnostic::new(Code::MissingField, "m").path(path);
            assert!(dropped_fields.suppress_cascading(&mut finding));
            let keys: Vec<_> = finding.labels.iter().map(|label| label.span.start).collect();
            assert_eq!((keys, finding.help.as_deref()), (vec![0, 1], Some("rename 1")));
        }
        let mut finding = Diagnostic::new(Code::NoTargets, "m").path("spec").cause("dropped 0");
        assert!(
            !dropped_fields.suppress_cascading(&mut finding)
                && dropped_fields.overlap("spec")
                && !dropped_fields.overlap("spec.end")
        );
    }
}

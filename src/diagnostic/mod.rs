//! Diagnostics: findings about the input, and the table of their codes.

pub mod apply;
pub mod bound;
mod code;
mod environment;
mod fix;
pub mod group;
pub mod listed;
pub mod made;
mod object_key;
mod opposites;
mod path;
pub mod severity;
mod shown_key;
pub mod suggest;

pub use code::{Code, Consequence, Severity};
pub use environment::EnvironmentError;
pub use fix::{Certainty, Edit, Fix, apply_edits, is_disjoint};
pub use object_key::ObjectKey;
pub use path::{FieldPath, Step, Trail};
pub use shown_key::{MASK, display_data_key, display_key, display_path_key, is_data};

use std::collections::HashSet;

use crate::source::{SourceId, Span};

/// Span in the input, with a remark.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label {
    /// Span that the remark is about.
    pub span: Span,
    /// Remark about the span. Empty if the message is enough.
    pub text: String,
}

/// A finding: a mistake, its location, and how to fix it. It never contains a secret value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    /// Code of the rule that reports the finding.
    pub code: Code,
    /// Severity, which is initially the code's default.
    pub severity: Severity,
    /// Message that states what was found and what was expected: in lowercase, without a period, with names in
    /// backticks.
    pub message: String,
    /// Help, as an imperative sentence.
    pub help: Option<String>,
    /// Edits that fix the finding.
    pub fix: Option<Fix>,
    /// Labels, starting with the primary one. Empty if the finding is about the whole input.
    pub labels: Vec<Label>,
    /// Resource that the finding is about.
    pub resource: Option<ObjectKey>,
    /// Path of the field in the API server's notation, such as `spec.endpoints[0].port`.
    pub path: Option<String>,
    /// Mistake that causes the finding. Findings with the same cause are reported as one.
    pub cause: Option<String>,
    /// Whether the finding is only a consequence of its cause. Any other finding with the same cause represents the
    /// group instead.
    pub is_consequence: bool,
    /// Other occurrences of the mistake. Set when findings are grouped.
    pub other_occurrences: Vec<Occurrence>,
    /// Number of other occurrences that are not in `other_occurrences`.
    pub other_occurrences_left_out: usize,
    /// Names of the inputs that cause the finding, if several inputs are checked separately.
    pub found_in: Vec<String>,
    /// Number of unlisted findings that this finding represents, or 0 if it represents only itself.
    pub left_out: usize,
    /// Number of the unlisted findings that have, or may have, a certain fix.
    pub left_out_fixes: usize,
}

/// Another occurrence of a mistake.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Occurrence {
    /// Location of the occurrence.
    pub label: Label,
    /// Resource in which the mistake occurs.
    pub resource: Option<ObjectKey>,
    /// Path of the field.
    pub path: Option<String>,
}

impl Diagnostic {
    /// Calls `visit` with every span of the finding.
    pub fn for_each_span(&mut self, visit: &mut dyn FnMut(&mut Span)) {
        let other_labels = self.other_occurrences.iter_mut().map(|occurrence| &mut occurrence.label);
        self.labels.iter_mut().chain(other_labels).for_each(|label| visit(&mut label.span));
        let edits = self.fix.iter_mut().flat_map(|fix| &mut fix.edits);
        edits.for_each(|edit| visit(&mut edit.span));
    }

    /// Returns the message, the help, the label texts and the title of the fix.
    pub fn texts_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let other_labels = self.other_occurrences.iter_mut().map(|occurrence| &mut occurrence.label);
        let labels = self.labels.iter_mut().chain(other_labels).map(|label| &mut label.text);
        let title = self.fix.as_mut().map(|fix| &mut fix.title);
        labels.chain([&mut self.message]).chain(&mut self.help).chain(title)
    }

    /// Creates a finding with the default severity of its code.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        made::count();
        Self {
            code,
            severity: code.severity(),
            message: message.into(),
            help: None,
            fix: None,
            labels: Vec::new(),
            resource: None,
            path: None,
            cause: None,
            is_consequence: false,
            other_occurrences: Vec::new(),
            other_occurrences_left_out: 0,
            found_in: Vec::new(),
            left_out: 0,
            left_out_fixes: 0,
        }
    }

    /// Sets the help text.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Sets the help text if `help` is not `None`.
    #[must_use]
    pub fn help_if(mut self, help: Option<impl Into<String>>) -> Self {
        self.help = help.map(Into::into).or(self.help);
        self
    }

    /// Sets the fix if `fix` is not `None`.
    #[must_use]
    pub fn fix_if(mut self, fix: Option<Fix>) -> Self {
        self.fix = fix.or(self.fix);
        self
    }

    /// Adds a label. The first label is the primary one.
    #[must_use]
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    #[must_use]
    pub fn resource(mut self, resource: impl Into<ObjectKey>) -> Self {
        self.resource = Some(resource.into());
        self
    }

    /// Sets the path of the field.
    #[must_use]
    pub fn path(mut self, path: impl ToString) -> Self {
        self.path = Some(path.to_string());
        self
    }

    /// Sets the mistake that causes the finding. Several findings may have the same cause.
    #[must_use]
    pub fn cause(mut self, cause: impl Into<String>) -> Self {
        self.cause = Some(cause.into());
        self
    }

    /// Marks the finding as merely a consequence of `cause`.
    #[must_use]
    pub fn consequence_of(mut self, cause: impl Into<String>) -> Self {
        self.is_consequence = true;
        self.cause(cause)
    }

    /// Overrides the default severity of the code.
    #[must_use]
    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Moves the labels and edits to `source`, which had no ID yet when the finding was created.
    #[must_use]
    pub fn in_source(mut self, source: SourceId) -> Self {
        let edits = self.fix.iter_mut().flat_map(|fix| &mut fix.edits);
        let spans = edits.map(|edit| &mut edit.span);
        let labels = self.labels.iter_mut().map(|label| &mut label.span);
        labels.chain(spans).for_each(|span| span.source = source);
        self
    }

    /// Whether a certain fix exists.
    pub fn has_certain_fix(&self) -> bool {
        self.fix.as_ref().is_some_and(Fix::is_certain)
    }

    pub fn primary(&self) -> Option<&Label> {
        self.labels.first()
    }
}

/// A result and the findings that were reported during its computation.
#[derive(Debug, Default)]
pub struct Warned<T> {
    /// Result, as complete as the findings allow.
    pub output: T,
    pub diagnostics: Vec<Diagnostic>,
}

impl<T> Warned<T> {
    /// Returns the result, and adds the findings to `out`.
    pub fn report_to(self, out: &mut Vec<Diagnostic>) -> T {
        out.extend(self.diagnostics);
        self.output
    }
}

/// Removes duplicates, keeping the first of equal findings.
pub fn distinct(diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut seen_findings = HashSet::new();
    let mut is_new: Vec<_> =
        diagnostics.iter().map(|finding| finding.left_out > 0 || seen_findings.insert(finding)).collect();
    is_new.reverse();
    let kept_findings = diagnostics.into_iter().filter(|_| is_new.pop() == Some(true));
    kept_findings.collect()
}

/// Whether any finding is an error.
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|d| d.severity == Severity::Error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_first_of_equal_findings() {
        let findings = ["a", "b", "a", "c", "b"].map(|message| Diagnostic::new(Code::NoInput, message));
        let kept = distinct(findings.to_vec());
        assert_eq!(kept, [0, 1, 3].map(|i| findings[i].clone()));
    }
}

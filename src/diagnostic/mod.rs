//! What agentctl says of its input: one type, and one table of codes.

pub mod apply;
pub mod bound;
mod code;
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
pub use fix::{Certainty, Edit, Fix, applied, is_disjoint};
pub use object_key::ObjectKey;
pub use path::{FieldPath, Step, Trail};
pub use shown_key::{MASK, is_data, shown_data_key, shown_in_path, shown_key};

use std::collections::HashSet;

use crate::source::{SourceId, Span};

/// A place in the input with a word about it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The remark at the place; empty where the message says it all.
    pub text: String,
}

/// A finding: what, where, and what to do about it. Never holds a secret value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    /// The rule.
    pub code: Code,
    /// Its severity; at first that of the code.
    pub severity: Severity,
    /// The message, found against expected: lower case, no full stop, names in backticks.
    pub message: String,
    /// The remedy: an imperative sentence.
    pub help: Option<String>,
    /// The change of the input that mends it.
    pub fix: Option<Fix>,
    /// The places, the one to look at first in front; none where the input as a whole is meant.
    pub labels: Vec<Label>,
    /// The resource that it is about.
    pub resource: Option<ObjectKey>,
    /// The field as the API server writes it, `spec.endpoints[0].port`.
    pub path: Option<String>,
    /// The mistake behind it. Findings with the same cause are reported as one.
    pub cause: Option<String>,
    /// Whether it only follows from that mistake, so that any other finding with the cause speaks for it.
    pub is_consequence: bool,
    /// The other places of the same mistake, once findings are grouped.
    pub also: Vec<Occurrence>,
    /// Number of findings that it stands for, which are not listed; 0 for one that stands for itself.
    pub left_out: usize,
    /// Number of those that a certain fix mends, or may mend.
    pub left_out_fixes: usize,
}

/// One more place of a mistake.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Occurrence {
    /// The place.
    pub label: Label,
    /// The resource that it is about.
    pub resource: Option<ObjectKey>,
    /// The field.
    pub path: Option<String>,
}

impl Diagnostic {
    /// A finding with the severity of its code.
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
            also: Vec::new(),
            left_out: 0,
            left_out_fixes: 0,
        }
    }

    /// With what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// With what to do, where something can be said of it.
    #[must_use]
    pub fn help_if(mut self, help: Option<impl Into<String>>) -> Self {
        self.help = help.map(Into::into).or(self.help);
        self
    }

    /// With the change that mends it, where there is one.
    #[must_use]
    pub fn fix_if(mut self, fix: Option<Fix>) -> Self {
        self.fix = fix.or(self.fix);
        self
    }

    /// With one more place; the first is the one to look at.
    #[must_use]
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label {
            span,
            text: text.into(),
        });
        self
    }

    /// With the resource it is about.
    #[must_use]
    pub fn resource(mut self, resource: impl Into<ObjectKey>) -> Self {
        self.resource = Some(resource.into());
        self
    }

    /// With the field it is about.
    #[must_use]
    pub fn path(mut self, path: impl ToString) -> Self {
        self.path = Some(path.to_string());
        self
    }

    /// With the mistake behind it, which other findings may share.
    #[must_use]
    pub fn cause(mut self, cause: impl Into<String>) -> Self {
        self.cause = Some(cause.into());
        self
    }

    /// With the mistake that it follows from.
    #[must_use]
    pub fn consequence_of(mut self, cause: impl Into<String>) -> Self {
        self.is_consequence = true;
        self.cause(cause)
    }

    /// With another severity than the code's own.
    #[must_use]
    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// With its places in this source: it was found before the source had its number.
    #[must_use]
    pub fn in_source(mut self, source: SourceId) -> Self {
        let edits = self.fix.iter_mut().flat_map(|fix| &mut fix.edits);
        let spans = edits.map(|edit| &mut edit.span);
        let labels = self.labels.iter_mut().map(|label| &mut label.span);
        labels.chain(spans).for_each(|span| span.source = source);
        self
    }

    /// Whether a fix that is what was meant mends it.
    pub fn has_certain_fix(&self) -> bool {
        self.fix.as_ref().is_some_and(Fix::is_certain)
    }

    /// The place to look at first.
    pub fn primary(&self) -> Option<&Label> {
        self.labels.first()
    }
}

/// A result with what was found on the way to it.
#[derive(Debug, Default)]
pub struct Warned<T> {
    /// The result, as complete as the findings allow.
    pub output: T,
    /// The findings.
    pub diagnostics: Vec<Diagnostic>,
}

impl<T> Warned<T> {
    /// The result; the findings are added to `out`.
    pub fn report_to(self, out: &mut Vec<Diagnostic>) -> T {
        out.extend(self.diagnostics);
        self.output
    }
}

/// Each finding once, at its first position.
pub fn distinct(diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut seen = HashSet::new();
    let mut is_new: Vec<_> = diagnostics
        .iter()
        .map(|found| found.left_out > 0 || seen.insert(found))
        .collect();
    is_new.reverse();
    let kept = diagnostics.into_iter().filter(|_| is_new.pop() == Some(true));
    kept.collect()
}

/// Whether any finding is an error.
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|d| d.severity == Severity::Error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_findings_are_kept_where_the_first_stands() {
        let found = ["a", "b", "a", "c", "b"].map(|message| Diagnostic::new(Code::NoInput, message));
        let kept = distinct(found.to_vec());
        assert_eq!(kept, [0, 1, 3].map(|i| found[i].clone()));
    }
}

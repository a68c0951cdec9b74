//! Rule violations, and the wording of findings about them.

use std::fmt::Display;

use crate::api::ResourceHeader;
use crate::diagnostic::listed::truncate;
use crate::diagnostic::{Code, Diagnostic, FieldPath, Severity, Step};
use crate::secrecy::contains_secret;
use crate::source::Span;

/// Label for the first occurrence of a value that must be unique.
pub const FIRST: &str = "first used here";

/// Violation of a rule, with everything that the finding about it contains.
pub struct Violation<'v> {
    pub code: Code,
    /// Path of the value within the object.
    pub path: Vec<Step<'v>>,
    /// Path and label of another value that the problem involves, such as the first occurrence.
    pub other: Option<(Vec<Step<'v>>, &'static str)>,
    /// Invalid value, if the finding shows one.
    pub value: Option<String>,
    /// Description of the problem; `form` determines its grammatical form.
    pub problem: String,
    /// Help text; empty if the problem is self-explanatory.
    pub help: String,
    /// Whether the finding is at most a warning, which is the case if the running program accepts the value.
    pub is_warning: bool,
    /// Grammatical form of the problem.
    pub form: ProblemForm,
    /// Clause that follows the problem, such as `, so the agent does not start`; empty if there is none.
    pub effect: &'static str,
    /// Whether the invalid value is the last key in the path.
    pub is_key: bool,
    /// Span of the key at which the finding is reported instead of at the field, and the finding's cause, which may be
    /// empty.
    pub key: Option<(Span, String)>,
    /// Additional spans with their labels.
    pub labels: Vec<(Span, &'static str)>,
}

/// Grammatical form of a problem.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ProblemForm {
    /// Predicate that follows the value or the field in the message.
    Predicate,
    Sentence,
    /// Sentence about the string in the field and a position within the string.
    StringSentence,
}

impl Violation<'_> {
    /// Sets the invalid value that the finding shows.
    pub fn set_value(&mut self, value: impl Display) -> &mut Self {
        self.value = Some(value.to_string());
        self
    }

    /// Returns the last two keys in the path. An invalid key is not included.
    pub fn field(&self) -> String {
        let steps = self.path.iter().rev().skip(usize::from(self.is_key));
        let keys = steps.filter_map(|step| step.key());
        let mut keys: Vec<_> = keys.take(2).filter(|key| *key != "spec").collect();
        keys.reverse();
        keys.join(".")
    }

    /// Converts the violation to a finding at the resource's field.
    pub fn finding(self, head: &ResourceHeader<'_>, is_secret: bool) -> Diagnostic {
        let message = statement(&self, is_secret);
        let mut diagnostic = head.finding(self.code, &field_path(&self.path, &[]), message);
        if self.is_warning {
            diagnostic.severity = diagnostic.severity.min(Severity::Warning);
        }
        if let (Some((span, cause)), Some(label)) = (self.key, diagnostic.labels.first_mut()) {
            label.span = span;
            diagnostic.cause = Some(cause).filter(|cause| !cause.is_empty());
        }
        let labels = self.labels.into_iter();
        let labeled = labels.fold(diagnostic, |diagnostic, (span, label)| diagnostic.label(span, label));
        labeled.help_if(Some(self.help).filter(|help| !help.is_empty()))
    }
}

pub fn field_path(path: &[Step<'_>], below: &[Step<'_>]) -> FieldPath<'static> {
    let mut field_path = FieldPath::new();
    path.iter().chain(below).for_each(|step| field_path.push(*step));
    field_path
}

/// Returns the problem as a sentence.
pub fn statement(violation: &Violation<'_>, is_secret: bool) -> String {
    let field = format!("`{}`", violation.field());
    sentence(violation, &field, is_secret)
}

/// Returns the problem as a sentence about `field`.
pub fn sentence(violation: &Violation<'_>, field: &str, is_secret: bool) -> String {
    let Violation { problem, effect, .. } = violation;
    let value = violation.value.as_deref().map(|value| quote(value, is_secret));
    let is_shown = violation.value.as_deref().is_some_and(|value| !is_hidden(value, is_secret));
    let sentence = match value {
        _ if violation.form != ProblemForm::Predicate => problem.clone(),
        Some(key) if violation.is_key && is_shown => format!("the key {key} in {field} {problem}"),
        Some(_) if violation.is_key => format!("a key in {field} {problem}"),
        Some(value) if problem.starts_with("must ") && is_shown => expectation_sentence(field, problem, &value),
        Some(value) if !problem.starts_with("must ") => format!("{value} {problem}"),
        _ => format!("{field} {problem}"),
    };
    sentence + effect
}

/// Replacement for a value that must not be shown.
pub const HIDDEN: &str = "the value";

/// Predicate for a value that occurs more than once.
pub const NOT_UNIQUE: &str = "must be unique";

/// Returns a sentence that states what is expected of a field and what was found.
pub fn expectation_sentence(field: &str, problem: &str, value: &str) -> String {
    match problem {
        NOT_UNIQUE => format!("{field} {problem}, but {value} occurs more than once"),
        // A problem with a value that is too long ends with the length in parentheses.
        _ if problem.ends_with(')') => format!("{field} {problem}: {value}"),
        // If the problem is a long rule, a trailing `but is` would be too far from the field.
        _ if problem.contains(", and ") => format!("{field} is {value}, but {problem}"),
        _ => format!("{field} {problem}, but is {value}"),
    }
}

fn is_hidden(text: &str, is_secret: bool) -> bool {
    is_secret || contains_secret(text)
}

/// Quotes a value for a message, unless it is secret or a URL that contains a secret.
pub fn quote(text: &str, is_secret: bool) -> String {
    const MAX: usize = 60;
    match is_hidden(text, is_secret) {
        true => HIDDEN.to_owned(),
        false => format!("`{}`", truncate(text, MAX)),
    }
}

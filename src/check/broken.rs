//! Violated rules, and the wording of findings about them.

use std::fmt::Display;

use crate::api::ResourceHeader;
use crate::diagnostic::listed::truncated;
use crate::diagnostic::{Code, Diagnostic, FieldPath, Severity, Step};
use crate::secrecy::contains_secret;
use crate::source::Span;

/// Label of the first occurrence of a value that must be unique.
pub const FIRST: &str = "first";

/// Violated rule.
pub struct Violation<'v> {
    pub code: Code,
    /// Path of the value within the object.
    pub path: Vec<Step<'v>>,
    /// Path of another value that the problem involves, such as the first occurrence, and its label.
    pub other: Option<(Vec<Step<'v>>, &'static str)>,
    /// Invalid value.
    pub value: Option<String>,
    /// Description of the problem; `form` determines its grammatical form.
    pub problem: String,
    /// Help text; empty if the problem is self-explanatory.
    pub help: String,
    /// Whether the finding is at most a warning, because the running program accepts the value.
    pub is_warning: bool,
    /// Grammatical form of the problem.
    pub form: Form,
    /// Span to report instead of that of the field, and the cause for this part of the string.
    pub key: Option<(Span, String)>,
    /// Additional spans with their labels.
    pub labels: Vec<(Span, &'static str)>,
}

/// Grammatical form of a problem.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Predicate whose subject is the value or the field.
    Predicate,
    Sentence,
    /// Sentence about the string in the field, at a position within it.
    OfText,
}

impl Violation<'_> {
    /// Sets the invalid value.
    pub fn of(&mut self, value: impl Display) -> &mut Self {
        self.value = Some(value.to_string());
        self
    }

    /// Returns the last two keys of the path.
    pub fn field(&self) -> String {
        let keys = self.path.iter().rev().filter_map(|step| step.key());
        let mut keys: Vec<_> = keys.take(2).filter(|key| *key != "spec").collect();
        keys.reverse();
        keys.join(".")
    }

    /// Finding at the field of a resource.
    pub fn finding(self, head: &ResourceHeader<'_>, is_secret: bool) -> Diagnostic {
        let message = statement(&self, is_secret);
        let mut found = head.finding(self.code, &field_path(&self.path, &[]), message);
        if self.is_warning {
            found.severity = found.severity.min(Severity::Warning);
        }
        if let (Some((span, cause)), Some(label)) = (self.key, found.labels.first_mut()) {
            label.span = span;
            found.cause = Some(cause).filter(|cause| !cause.is_empty());
        }
        let labels = self.labels.into_iter();
        let found = labels.fold(found, |found, (span, label)| found.label(span, label));
        found.help_if(Some(self.help).filter(|help| !help.is_empty()))
    }
}

pub fn field_path(path: &[Step<'_>], below: &[Step<'_>]) -> FieldPath<'static> {
    let mut all = FieldPath::new();
    path.iter().chain(below).for_each(|step| all.push(*step));
    all
}

/// Returns the problem as a sentence.
pub fn statement(broken: &Violation<'_>, is_secret: bool) -> String {
    match &broken.value {
        _ if broken.form != Form::Predicate => broken.problem.clone(),
        Some(value) if broken.problem.starts_with("must ") => {
            format!(
                "{} in `{}` {}",
                quoted(value, is_secret),
                broken.field(),
                broken.problem
            )
        }
        Some(value) => format!("{} {}", quoted(value, is_secret), broken.problem),
        None => format!("`{}` {}", broken.field(), broken.problem),
    }
}

/// Quotes a value for a message, unless it is secret or a URL that contains a secret.
pub fn quoted(text: &str, is_secret: bool) -> String {
    const MAX: usize = 60;
    match is_secret || contains_secret(text) {
        true => "the value".to_owned(),
        false => format!("`{}`", truncated(text, MAX)),
    }
}

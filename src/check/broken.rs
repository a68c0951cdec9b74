//! Rules that are broken, and how that is said.

use std::fmt::Display;

use crate::api::ResourceHeader;
use crate::diagnostic::listed::shortened;
use crate::diagnostic::{Code, Diagnostic, FieldPath, Severity, Step};
use crate::secrecy::tells_a_secret;
use crate::source::Span;

/// A rule that is broken.
pub struct Broken<'v> {
    pub code: Code,
    /// The way to it from the object.
    pub path: Vec<Step<'v>>,
    /// The way to the first of its kind, if it must not be there twice.
    pub first: Option<Vec<Step<'v>>>,
    /// The value that is wrong.
    pub value: Option<String>,
    /// The problem, worded as `form` says.
    pub problem: String,
    /// The remedy, if there is more to say than that.
    pub help: String,
    /// Whether it is a warning, since the program that runs accepts the value.
    pub mild: bool,
    /// How the problem is worded.
    pub form: Form,
    /// Where it is, if not at the field, and what this part of the text is the cause of.
    pub key: Option<(Span, String)>,
    /// Other places, and what is there.
    pub labels: Vec<(Span, &'static str)>,
}

/// How a problem is worded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The rest of a sentence whose subject is the value or the field.
    Predicate,
    Sentence,
    /// A sentence about a text that the field holds, with the place in it.
    OfText,
}

impl Broken<'_> {
    /// With the value.
    pub fn of(&mut self, value: impl Display) -> &mut Self {
        self.value = Some(value.to_string());
        self
    }

    /// The last two keys of the path.
    pub fn field(&self) -> String {
        let keys = self.path.iter().rev().filter_map(|step| step.key());
        let mut keys: Vec<_> = keys.take(2).filter(|key| *key != "spec").collect();
        keys.reverse();
        keys.join(".")
    }

    /// The finding at the field of a resource.
    pub fn finding(self, head: &ResourceHeader<'_>, is_secret: bool) -> Diagnostic {
        let message = statement(&self, is_secret);
        let mut found = head.finding(self.code, &field_path(&self.path, &[]), message);
        if self.mild {
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

/// What is wrong, in a sentence.
pub fn statement(broken: &Broken<'_>, is_secret: bool) -> String {
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

/// A value as a message shows it: not at all where it is secret, or a URL with something secret in it.
pub fn quoted(text: &str, is_secret: bool) -> String {
    const MAX: usize = 60;
    match is_secret || tells_a_secret(text) {
        true => "the value".to_owned(),
        false => format!("`{}`", shortened(text, MAX)),
    }
}

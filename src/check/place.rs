//! Where a value stands, without a heap allocation as long as nothing is wrong with it, and what is found there.

use std::cell::RefCell;
use std::collections::HashMap;

use serde_json::Value;

use crate::api::{Head, ObjectRef, Refusals};
use crate::diagnostic::{Code, Diagnostic, FieldPath, Severity};
use crate::secrecy::tells_a_secret;
use crate::source::Span;
use crate::yaml::{self, Node};

/// The most characters of a value that a message repeats.
const MAX_QUOTED: usize = 60;

/// A resource as findings refer to it, with what was found so far.
pub struct Subject<'d> {
    object: ObjectRef<'d>,
    root: Node<'d>,
    found: RefCell<Vec<Diagnostic>>,
}

impl<'d> Subject<'d> {
    /// The resource that is checked.
    pub fn new(resource: &Head<'d>) -> Self {
        Self {
            object: resource.object_ref(),
            root: resource.root,
            found: RefCell::default(),
        }
    }

    /// What was found in it.
    pub fn findings(self) -> Vec<Diagnostic> {
        self.found.into_inner()
    }

    /// Its `spec`.
    pub fn spec(&self) -> Place<'_> {
        Place {
            subject: self,
            parent: None,
            step: Step::Key("spec"),
        }
    }
}

/// One step down.
#[derive(Clone, Copy)]
enum Step<'p> {
    Key(&'p str),
    Index(usize),
    /// From a field into the YAML text that it holds.
    Text,
    /// From a field into the YAML text of the Secret that it refers to.
    Secret,
    /// To the same field, where only the agent refuses something.
    Lenient,
}

/// A field: the way to it, as a list whose links live on the stack.
#[derive(Clone, Copy)]
pub struct Place<'p> {
    subject: &'p Subject<'p>,
    parent: Option<&'p Place<'p>>,
    step: Step<'p>,
}

impl<'p> Place<'p> {
    /// One key further.
    pub fn key<'q>(&'q self, key: &'q str) -> Place<'q> {
        self.step(Step::Key(key))
    }

    /// One item further.
    pub fn index(&self, index: usize) -> Place<'_> {
        self.step(Step::Index(index))
    }

    /// Into the YAML text that the field holds. What is found below is reported at the field.
    pub fn text(&self) -> Place<'_> {
        self.step(Step::Text)
    }

    /// Into the YAML text of the Secret that the field refers to. What is found below is reported at the field, and no
    /// value of it is shown.
    pub fn secret(&self) -> Place<'_> {
        self.step(Step::Secret)
    }

    /// The same field; what is found there and below is a warning at most. So is what the agent refuses where Prometheus would
    /// not, or has nothing to say: no other tool confirms it.
    pub fn lenient(&self) -> Place<'_> {
        self.step(Step::Lenient)
    }

    /// Whether the text of a Secret is around this field.
    pub fn is_secret(&self) -> bool {
        matches!(self.step, Step::Secret) || self.parent.is_some_and(Place::is_secret)
    }

    fn is_lenient(&self) -> bool {
        matches!(self.step, Step::Lenient) || self.parent.is_some_and(Place::is_lenient)
    }

    fn step<'q>(&'q self, step: Step<'q>) -> Place<'q> {
        Place {
            subject: self.subject,
            parent: Some(self),
            step,
        }
    }

    /// A value as a message shows it: not at all where it is secret, or a URL with something secret in it.
    pub fn quoted(&self, text: &str) -> String {
        if self.is_secret() || tells_a_secret(text) {
            return "the value".to_owned();
        }
        match text.char_indices().nth(MAX_QUOTED) {
            Some((end, _)) => format!("`{}…`", text.get(..end).unwrap_or_default()),
            None => format!("`{text}`"),
        }
    }

    /// Reports something at this field, and what to do about it.
    pub fn report(&self, code: Code, message: impl Into<String>, help: impl Into<String>) {
        self.add(self.diagnostic(code, message).help(help));
    }

    /// Adds a finding to those of the resource.
    pub fn add(&self, mut finding: Diagnostic) {
        if self.is_lenient() {
            finding.severity = finding.severity.min(Severity::Warning);
        }
        self.subject.found.borrow_mut().push(finding);
    }

    /// A finding at this field that is not yet reported.
    pub fn diagnostic(&self, code: Code, message: impl Into<String>) -> Diagnostic {
        self.diagnostic_at(self.span(), code, message)
    }

    /// The same, shown at this part of the text.
    pub fn diagnostic_at(&self, span: Span, code: Code, message: impl Into<String>) -> Diagnostic {
        let (path, inner) = self.paths();
        let mut message = message.into();
        if let Some(inner) = inner {
            message = format!("at `{inner}` of the text: {message}");
        }
        Diagnostic::new(code, message)
            .label(span, "")
            .resource(self.subject.object)
            .path(path)
    }

    /// Where the field stands; where it is missing, where its parent does.
    pub fn span(&self) -> Span {
        self.paths().0.locate(self.subject.root)
    }

    /// Whether the field was refused, so that its value is not known.
    pub fn is_refused(&self, refusals: &Refusals<'_>) -> bool {
        let object = self.subject.object;
        refusals.has_any(object) && refusals.touch(object, &self.paths().0.to_string())
    }

    /// For each item of the list here, the first item with the same value. Lists of one item are not looked at.
    pub fn first_equals(&self, count: usize) -> Vec<usize> {
        let Some(Value::Array(items)) = (count > 1).then(|| self.value()).flatten() else {
            return Vec::new();
        };
        let mut first = HashMap::new();
        let indexed = items.into_iter().enumerate();
        indexed.map(|(i, item)| *first.entry(item).or_insert(i)).collect()
    }

    fn value(&self) -> Option<Value> {
        self.paths().0.find(self.subject.root).map(yaml::to_json)
    }

    /// The way to the field in the resource, and from there on in the text that it holds.
    fn paths(&self) -> (FieldPath<'static>, Option<FieldPath<'static>>) {
        let (mut path, mut inner) = match self.parent {
            Some(parent) => parent.paths(),
            None => (FieldPath::new(), None),
        };
        let target = inner.as_mut().unwrap_or(&mut path);
        match self.step {
            Step::Key(key) => target.push_key(key.to_owned()),
            Step::Index(index) => target.push_index(index),
            Step::Text | Step::Secret => inner = Some(inner.unwrap_or_default()),
            Step::Lenient => {}
        }
        (path, inner)
    }
}

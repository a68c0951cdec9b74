//! Where a value is, without a heap allocation as long as nothing is wrong with it, and what is found there.

use std::cell::RefCell;
use std::collections::HashMap;

use serde_json::Value;

use crate::api::{ObjectRef, RejectedFields, ResourceHeader};
use crate::diagnostic::bound::{Bound, bound};
use crate::diagnostic::listed::shortened;
use crate::diagnostic::{Code, Diagnostic, FieldPath, Severity, Step, Trail};
use crate::secrecy::tells_a_secret;
use crate::source::Span;
use crate::yaml::{self, Node};

/// The most characters of a value that a message repeats.
const MAX_QUOTED: usize = 60;

/// A resource as findings refer to it, with what was found so far.
pub struct Subject<'d> {
    object: ObjectRef<'d>,
    root: Node<'d>,
    found: RefCell<(Vec<Diagnostic>, Bound)>,
}

impl<'d> Subject<'d> {
    /// The resource that is checked.
    pub fn new(resource: &ResourceHeader<'d>) -> Self {
        Self {
            object: resource.object_ref(),
            root: resource.root,
            found: RefCell::default(),
        }
    }

    /// What was found in it.
    pub fn findings(self) -> Vec<Diagnostic> {
        let (mut found, _) = self.found.into_inner();
        bound(&mut found);
        found
    }

    /// Its `spec`.
    pub fn spec(&self) -> Place<'_> {
        Place {
            subject: self,
            trail: Trail::Below(&Trail::Root, Step::Key("spec")),
            around: None,
            is_secret: false,
            is_lenient: false,
        }
    }
}

/// A field, in a resource or in a text that a field of it holds.
#[derive(Clone, Copy)]
pub struct Place<'p> {
    subject: &'p Subject<'p>,
    trail: Trail<'p>,
    /// The field whose text is around this one.
    around: Option<&'p Trail<'p>>,
    /// Whether the text of a Secret is around this field.
    is_secret: bool,
    /// Whether only the agent refuses something here.
    is_lenient: bool,
}

impl<'p> Place<'p> {
    /// One key further.
    pub fn key<'q>(&'q self, key: &'q str) -> Place<'q> {
        let trail = self.trail.step(Step::Key(key));
        Place { trail, ..*self }
    }

    /// One item further.
    pub fn index(&self, index: usize) -> Place<'_> {
        let trail = self.trail.step(Step::Index(index));
        Place { trail, ..*self }
    }

    /// Into the YAML text that the field holds. What is found below is reported at the field.
    pub fn text(&self) -> Place<'_> {
        match self.around {
            Some(_) => *self,
            None => Place {
                around: Some(&self.trail),
                trail: Trail::Root,
                ..*self
            },
        }
    }

    /// Into the YAML text of the Secret that the field refers to. What is found below is reported at the field, and no
    /// value of it is shown.
    pub fn secret(&self) -> Place<'_> {
        Place {
            is_secret: true,
            ..self.text()
        }
    }

    /// The same field; what is found there and below is a warning at most. So is what the agent refuses where Prometheus would
    /// not, or has nothing to say: no other tool confirms it.
    pub fn lenient(&self) -> Place<'_> {
        Place {
            is_lenient: true,
            ..*self
        }
    }

    /// Whether the text of a Secret is around this field.
    pub fn is_secret(&self) -> bool {
        self.is_secret
    }

    /// A value as a message shows it: not at all where it is secret, or a URL with something secret in it.
    pub fn quoted(&self, text: &str) -> String {
        if self.is_secret() || tells_a_secret(text) {
            return "the value".to_owned();
        }
        format!("`{}`", shortened(text, MAX_QUOTED))
    }

    /// Reports something at this field, and what to do about it.
    pub fn report(&self, code: Code, message: impl Into<String>, help: impl Into<String>) {
        self.add(self.diagnostic(code, message).help(help));
    }

    /// Adds a finding to those of the resource.
    pub fn add(&self, mut finding: Diagnostic) {
        if self.is_lenient {
            finding.severity = finding.severity.min(Severity::Warning);
        }
        let (found, bound) = &mut *self.subject.found.borrow_mut();
        found.push(finding);
        bound.keep(found);
    }

    /// A finding at this field that is not yet reported.
    pub fn diagnostic(&self, code: Code, message: impl Into<String>) -> Diagnostic {
        self.diagnostic_at(self.span(), code, message)
    }

    /// The same, shown at this part of the text.
    pub fn diagnostic_at(&self, span: Span, code: Code, message: impl Into<String>) -> Diagnostic {
        let mut message = message.into();
        if self.around.is_some() {
            message = format!("at `{}` of the text: {message}", self.trail.to_path());
        }
        Diagnostic::new(code, message)
            .label(span, "")
            .resource(self.subject.object)
            .path(self.path())
    }

    /// The place of the field, or of its parent if it is missing.
    pub fn span(&self) -> Span {
        self.path().locate(self.subject.root)
    }

    /// Whether the field was refused, so that its value is not known.
    pub fn is_refused(&self, rejected: &RejectedFields<'_>) -> bool {
        let object = self.subject.object;
        rejected.has_any(object) && rejected.touch(object, &self.path().to_string())
    }

    /// For each item of the list here, the first item with the same value. Lists of one item are not looked at.
    pub fn first_equals(&self, count: usize) -> Vec<usize> {
        let items = self.node().filter(|_| count > 1);
        let Some(Value::Array(items)) = items.map(yaml::to_json) else {
            return Vec::new();
        };
        let mut first = HashMap::new();
        let indexed = items.into_iter().enumerate();
        indexed.map(|(i, item)| *first.entry(item).or_insert(i)).collect()
    }

    /// The value of the field in the resource.
    pub fn node(&self) -> Option<Node<'p>> {
        self.around.unwrap_or(&self.trail).find(self.subject.root)
    }

    /// The way to the field in the resource.
    fn path(&self) -> FieldPath<'static> {
        self.around.unwrap_or(&self.trail).to_path()
    }
}

//! The stage, document by document.

use std::collections::BTreeSet;

use super::allowances::collect_allowances;
use super::objects::{self, Contents};
use super::walk::{Options, admit};
use crate::api::{Kind, settle, touches};
use crate::diagnostic::bound::bound_with;
use crate::diagnostic::severity::Allowance;
use crate::diagnostic::{Code, Diagnostic, FieldPath, Severity};
use crate::yaml::{Document, Edits, Node};

/// A document whose objects were pruned, defaulted and validated.
#[derive(Debug)]
pub struct AdmittedDocument<'s> {
    pub(super) document: Document<'s>,
    pub contents: Contents,
    /// The allowances of its objects.
    pub allowances: Vec<Allowance>,
}

impl<'s> AdmittedDocument<'s> {
    /// The document, with what admission changed in it.
    pub fn document(&self) -> &Document<'s> {
        &self.document
    }

    /// Kind and outermost node of each object of a kind that agentctl reads, those that were refused too.
    pub fn objects(&self) -> impl Iterator<Item = (Kind, Node<'_>)> {
        let objects = self.contents.objects.iter();
        objects.map(|object| (object.kind, self.document.node(object.root)))
    }
}

/// Admits the objects of a document. A document that is not an object is an error in a file that was `named`. For
/// `is_read_elsewhere`, objects of an API version and kind count as read, although they are not admitted.
pub fn admit_document<'s>(
    mut document: Document<'s>,
    named: bool,
    options: &Options,
    is_read_elsewhere: fn(&str, &str) -> bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> AdmittedDocument<'s> {
    let mut contents = objects::find(&document, named, is_read_elsewhere, diagnostics);
    let mut allowances = Vec::new();
    collect_allowances(document.root(), &mut allowances, diagnostics);
    let mut edits = Edits::default();
    for object in &mut contents.objects {
        let root = document.node(object.root);
        let mut out = Vec::new();
        object.doubts = admit(object.kind, root, options, &mut edits, &mut out);
        if is_observed(object.kind, root) {
            object.doubts.clear();
            out.clear();
        }
        settle(&object.doubts, &mut out);
        let is_refusal = |found: &&Diagnostic| found.severity == Severity::Error && !found.code.fails_at_runtime();
        let unknown = unknown_fields(&document, root);
        // What is said of a key does not depend on its value.
        out.retain(|found| {
            let path = found.path.as_deref().unwrap_or_default();
            found.code == Code::UnknownField || !touches(&unknown, path)
        });
        let errors = out.iter().filter(is_refusal);
        let errors = errors.map(|error| error.path.clone().unwrap_or_default());
        object.refused = errors.chain(unknown).collect();
        bound_with(&mut out, options.fixes);
        diagnostics.extend(out.into_iter().map(|d| match &d.resource {
            Some(_) => d,
            None => d.resource(objects::object_of(object.kind, root, &options.namespace)),
        }));
    }
    document.apply(edits);
    AdmittedDocument {
        document,
        contents,
        allowances,
    }
}

/// Whether an object is only observed, so that nothing is reported about it: a Node, and a Namespace that a cluster returned. The API
/// server has accepted it, so that `y` without quotes is text that another tool than kubectl wrote.
pub(super) fn is_observed(kind: Kind, root: Node<'_>) -> bool {
    let is_returned = || root.get("metadata").is_some_and(|meta| !meta.text("uid").is_empty());
    kind == Kind::Node || kind == Kind::Namespace && is_returned()
}

/// The fields of an object that could not be read.
fn unknown_fields(document: &Document<'_>, root: Node<'_>) -> BTreeSet<String> {
    let mut unknown = BTreeSet::new();
    if document.has_unknown() {
        root.visit("**", &mut FieldPath::new(), &mut |path, value| {
            if document.is_unknown(value) {
                unknown.insert(path.to_string());
            }
        });
    }
    unknown
}

//! Admission of a document: pruning, defaulting and validation of its objects.

use std::collections::BTreeSet;

use super::allowances::collect_allowances;
use super::objects::{self, Contents};
use super::walk::{AdmitOptions, admit};
use crate::api::{Kind, overlaps, suppress_cascading};
use crate::diagnostic::bound::limit_findings_keeping;
use crate::diagnostic::severity::Allowance;
use crate::diagnostic::{Code, Diagnostic, FieldPath, Severity};
use crate::yaml::{Document, DocumentObject, Edits, Node, for_each_object};

/// A document whose objects have been pruned, defaulted and validated.
#[derive(Debug)]
pub struct AdmittedDocument<'s> {
    pub(super) document: Document<'s>,
    pub contents: Contents,
    /// Allowances in the annotations of the document's objects.
    pub allowances: Vec<Allowance>,
}

impl<'s> AdmittedDocument<'s> {
    /// Returns the document, including the changes that admission made.
    pub fn document(&self) -> &Document<'s> {
        &self.document
    }

    /// Skips the document's objects.
    pub fn skip(&mut self) {
        let mut skipped_resources = 0;
        for_each_object(self.document.root(), &mut |object| {
            skipped_resources += usize::from(matches!(object, DocumentObject::Object(..)))
        });
        self.contents = Contents { skipped: skipped_resources, ..Contents::default() };
        self.allowances.clear();
    }

    /// Returns the kind and root node of each object that agentctl reads, including rejected objects.
    pub fn objects(&self) -> impl Iterator<Item = (Kind, Node<'_>)> {
        let objects = self.contents.objects.iter();
        objects.map(|object| (object.kind, self.document.node(object.root)))
    }
}

/// Returns the documents that contain objects other than the operator's custom resources.
pub fn documents_with_other_objects<'d>(
    documents: &'d [AdmittedDocument<'d>],
) -> impl Iterator<Item = &'d Document<'d>> {
    let other_documents = documents.iter().filter(|document| document.contents.has_others);
    other_documents.map(AdmittedDocument::document)
}

/// Admits the objects in a document. A document that is not an object is an error if `is_explicit` is true.
/// `is_read_elsewhere` returns whether some other part of agentctl reads objects with the given API version and kind.
/// Such objects are not counted as skipped.
pub fn admit_document<'s>(
    mut document: Document<'s>,
    is_explicit: bool,
    options: &AdmitOptions,
    is_read_elsewhere: fn(&str, &str) -> bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> AdmittedDocument<'s> {
    let mut contents = objects::find(&document, is_explicit, is_read_elsewhere, diagnostics);
    let mut allowances = Vec::new();
    collect_allowances(document.root(), &mut allowances, diagnostics);
    let mut edits = Edits::default();
    for object in &mut contents.objects {
        let root = document.node(object.root);
        let mut findings = Vec::new();
        object.dropped_fields = admit(object.kind, root, options, &mut edits, &mut findings);
        if is_observed(object.kind, root) {
            object.dropped_fields.clear();
            findings.clear();
        }
        suppress_cascading(&object.dropped_fields, &mut findings);
        let is_refusal =
            |finding: &&Diagnostic| finding.severity == Severity::Error && !finding.code.fails_at_runtime();
        let unknown_fields = unknown_fields(&document, root);
        // Findings about fields that could not be parsed are dropped. A finding about an unknown field is kept, because
        // it depends only on the key.
        findings.retain(|finding| {
            let path = finding.path.as_deref().unwrap_or_default();
            finding.code == Code::UnknownField || !overlaps(&unknown_fields, path)
        });
        let errors = findings.iter().filter(is_refusal);
        let error_paths = errors.map(|error| error.path.clone().unwrap_or_default());
        object.rejected_fields = error_paths.chain(unknown_fields).collect();
        limit_findings_keeping(&mut findings, options.fixes);
        diagnostics.extend(findings.into_iter().map(|d| match &d.resource {
            Some(_) => d,
            None => d.resource(objects::read_object_ref(object.kind, root, &options.namespace)),
        }));
    }
    document.apply(edits);
    AdmittedDocument { document, contents, allowances }
}

/// Whether an object (a Node, or a Namespace returned by a cluster) is only observed, so that nothing is reported about
/// it. The API server has already accepted the object, so an unquoted `y` in it is a string that was written by a tool
/// other than kubectl.
pub(super) fn is_observed(kind: Kind, root: Node<'_>) -> bool {
    let is_returned = || root.get("metadata").is_some_and(|meta| !meta.text("uid").is_empty());
    kind == Kind::Node || kind == Kind::Namespace && is_returned()
}

/// Returns the fields in an object that could not be parsed.
fn unknown_fields(document: &Document<'_>, root: Node<'_>) -> BTreeSet<String> {
    let mut unknown_fields = BTreeSet::new();
    if document.has_unknown() {
        root.visit("**", &mut FieldPath::new(), &mut |path, value| {
            if document.is_unknown(value) {
                unknown_fields.insert(path.to_string());
            }
        });
    }
    unknown_fields
}

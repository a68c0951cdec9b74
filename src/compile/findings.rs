//! Findings of a compilation, and the order of the passes over them. A pass removes, rewords or downgrades findings
//! that are only consequences of a mistake. Each pass is defined in the module that detects the mistake, and is called
//! only here.

use crate::admit::{self, AdmittedDocument};
use crate::api::Resources;
use crate::check::{self, UnrenderedSource};
use crate::diagnostic::bound::{Bound, Fixes, limit_findings, limit_findings_keeping};
use crate::diagnostic::{Diagnostic, Warned};
use crate::gitops;
use crate::resolve;
use crate::source::{SourceId, Sources, Span};

/// Findings of a compilation. Each stage adds its findings by calling the methods below in order. Each method applies
/// the passes that need no findings of later stages.
#[derive(Debug)]
pub struct Findings<'s> {
    sources: &'s Sources,
    /// Whether the input may be a repository, which contains more than the manifests of one cluster.
    is_repository: bool,
    fixes: Fixes,
    bound: Bound,
    pub list: Vec<Diagnostic>,
}

impl<'s> Findings<'s> {
    /// Joins the documents of all sources and the findings about them. In a repository, documents that are not applied
    /// are skipped.
    pub fn join<'d>(
        sources: &'s Sources,
        parts: impl Iterator<Item = (SourceId, Warned<Vec<AdmittedDocument<'d>>>)>,
        is_repository: bool,
        fixes: Fixes,
    ) -> (Vec<AdmittedDocument<'d>>, Self) {
        let (mut documents, mut list, mut bound) = (Vec::new(), Vec::new(), Bound::new(fixes));
        let mut charts = check::Charts::find(sources);
        for (id, mut part) in parts {
            charts.explain(id, &mut part.diagnostics);
            documents.extend(part.report_to(&mut list));
            bound.keep(&mut list);
        }
        if is_repository {
            check::skip_patches(sources, &mut documents, &mut list);
            admit::skip_comparisons(sources, &mut documents, &mut list);
        }
        (documents, Self { sources, is_repository, fixes, bound, list })
    }

    /// Adds the findings about the input as a whole.
    pub fn add_input(&mut self, findings: impl IntoIterator<Item = Diagnostic>) {
        self.list.extend(findings);
        admit::gather_templates(self.sources, &mut self.list);
        self.bound.keep(&mut self.list);
    }

    /// Adds the findings of all later stages.
    pub fn add_later(&mut self, mut findings: Vec<Diagnostic>, resources: &Resources<'_>) {
        check::drop_consequences(&mut findings);
        resources.rejected_fields.retain(&mut findings);
        limit_findings(&mut findings);
        self.list.extend(findings);
        admit::gather_templates(self.sources, &mut self.list);
    }

    /// Applies the last passes, which replace findings that result from reading the wrong files, or unrelated files
    /// together, with one finding per cause. Returns the kustomizations and charts to build instead.
    pub fn finish(
        self,
        documents: &[AdmittedDocument<'_>],
        resources: &Resources<'_>,
    ) -> Warned<Vec<UnrenderedSource<'s>>> {
        let Self { sources, is_repository, fixes, list: mut findings, .. } = self;
        let mut unrendered = check::find_unrendered(sources, documents);
        if is_repository {
            check::drop_unbuilt(&unrendered, &mut findings);
        }
        unrendered.iter().for_each(|file| file.explain(&mut findings, is_repository));
        resolve::downgrade_unused_copies(sources, resources, &mut findings);
        limit_findings_keeping(&mut findings, fixes);
        admit::gather_copies(sources, &mut findings);
        if is_repository {
            resolve::downgrade_unused_duplicates(sources, resources, &mut findings);
            admit::downgrade_templates(sources, documents, &mut findings);
            admit::downgrade_alternatives(sources, &mut findings);
            admit::downgrade_test_data(sources, &mut findings);
        }
        unrendered.retain(|file| !file.is_base);
        Warned { output: unrendered, diagnostics: findings }
    }

    /// Applies the last passes as [`Self::finish`] does, reports what to build instead, and drops findings about
    /// unknown values. Commands that ignore rejected resources must not drop these findings, because they explain why a
    /// resource is ignored.
    pub fn finish_check(
        self,
        documents: &[AdmittedDocument<'_>],
        resources: &Resources<'_>,
    ) -> Warned<Vec<UnrenderedSource<'s>>> {
        let sources = self.sources;
        let Warned { output: unrendered, diagnostics: mut findings } = self.finish(documents, resources);
        if documents.iter().any(|document| document.contents.resources > 0) {
            findings.extend(check::unrendered_findings(&unrendered));
        }
        findings.retain(|finding| !is_about_placeholder(finding, sources));
        Warned { output: unrendered, diagnostics: findings }
    }
}

/// Whether a finding is about an unknown value: a Flux variable that is defined outside the repository or in a Secret.
fn is_about_placeholder(finding: &Diagnostic, sources: &Sources) -> bool {
    let source = |span: Span| sources.get(span.source).filter(|source| !source.origins.is_empty());
    let text = finding.primary().and_then(|label| source(label.span)?.text.get(label.span.bytes()));
    text.is_some_and(gitops::has_placeholder)
}

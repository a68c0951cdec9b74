//! Resolved input used to answer questions: resources, selections, and the agents' hierarchies.

use std::collections::BTreeSet;

use serde_json::Value;

use super::catalog::Catalog;
use super::graph::Graph;
use crate::admit::{self, AdmittedDocument};
use crate::api::{ObjectRef, Resources};
use crate::check::{self, Conditions, Rejection};
use crate::compile::{CompileOptions, Resolution, read};
use crate::diagnostic::{Code, Diagnostic, Severity, Warned};
use crate::manifest;
use crate::manifest::render;
use crate::output::Target;
use crate::resolve::{Hierarchy, Selections};
use crate::source::Sources;
use crate::targets::observed::ObservedObjects;
use crate::targets::scrape::Cluster;

/// An input that has been compiled up to and including the hierarchies.
pub struct ResolvedInput<'d> {
    pub sources: &'d Sources,
    pub documents: &'d [AdmittedDocument<'d>],
    /// Admitted resources, without the rejected ones.
    pub resources: &'d Resources<'d>,
    /// Selections between the resources.
    pub selections: &'d Selections<'d>,
    /// The compiled agents' hierarchies.
    pub hierarchies: &'d [Hierarchy<'d, 'd>],
    /// Findings from reading and admission.
    pub admission_findings: Vec<Diagnostic>,
    pub resolution_findings: Vec<Diagnostic>,
    /// Service and Endpoints for the kubelets, if the operator creates them.
    kubelet_objects: &'d [Value],
    pub options: &'d CompileOptions,
}

/// Compiles `sources` up to and including the hierarchies, and passes the result to `answer`. `admission_findings`
/// contains the findings from loading.
pub fn resolve<T>(
    sources: &Sources,
    admission_findings: Vec<Diagnostic>,
    options: &CompileOptions,
    answer: impl FnOnce(ResolvedInput<'_>) -> T,
) -> T {
    let (documents, mut findings) = read(sources, options);
    let resources = admit::decode(&documents, &options.admit.namespace).report_to(&mut findings.list);
    findings.list.splice(..0, admission_findings);
    let admission_findings = findings.finish(&documents, &resources).diagnostics;
    resolve_resources(sources, &documents, resources, admission_findings, options, answer)
}

fn resolve_resources<'d, T>(
    sources: &Sources,
    documents: &[AdmittedDocument<'_>],
    mut resources: Resources<'d>,
    admission_findings: Vec<Diagnostic>,
    options: &'d CompileOptions,
    answer: impl FnOnce(ResolvedInput<'_>) -> T,
) -> T {
    let mut resolution = Resolution::new(&mut resources, options);
    if resolution.is_too_large() {
        // If an input is too large to compile, it is also too large to show.
        resolution.selections.clear();
    }
    let kubelet_objects = render::kubelet_objects(&resolution.resources.nodes, &options.render).output;
    let kubelet_objects: Vec<_> = kubelet_objects.iter().map(manifest::Object::to_json).collect();
    answer(ResolvedInput {
        sources,
        documents,
        resources: resolution.resources,
        selections: &resolution.selections,
        hierarchies: &resolution.hierarchies,
        admission_findings,
        resolution_findings: resolution.diagnostics,
        kubelet_objects: &kubelet_objects,
        options,
    })
}

/// Resolves an input with a single file.
#[cfg(test)]
pub fn resolve_text<T>(text: &str, answer: impl FnOnce(ResolvedInput<'_>) -> T) -> T {
    resolve(&crate::testing::TestInput::new(text).sources, Vec::new(), &CompileOptions::default(), answer)
}

impl<'d> ResolvedInput<'d> {
    /// Resolves the input as if the `hidden` objects did not exist. Secrets and ConfigMaps that are not in the input
    /// are normally assumed to exist, but hidden ones are assumed not to.
    pub fn answer_without<T>(
        &self,
        hidden: &BTreeSet<ObjectRef<'d>>,
        answer: impl FnOnce(ResolvedInput<'_>) -> T,
    ) -> T {
        let mut resources = admit::decode_without(self.documents, &self.options.admit.namespace, hidden).output;
        let is_outside =
            |object: &&ObjectRef<'d>| object.kind.is_data() && self.resources.data_object(**object).is_none();
        resources.rejected_objects.extend(hidden.iter().filter(is_outside));
        resolve_resources(self.sources, self.documents, resources, Vec::new(), self.options, answer)
    }

    pub fn rendering(&self) -> Warned<manifest::Objects> {
        let options = self.options;
        render::render_for_delivery(self.resources, self.hierarchies, &options.resolve.secrets, &options.render)
    }

    /// Returns all findings: those from reading and admission, followed by those from later steps.
    pub fn findings(&self) -> impl Iterator<Item = &Diagnostic> {
        self.admission_findings.iter().chain(&self.resolution_findings)
    }

    /// Returns errors and findings about flags. Other warnings are reported only by `check`.
    pub fn errors(&self) -> Vec<Diagnostic> {
        let is_shown = |finding: &&Diagnostic| finding.severity == Severity::Error || finding.code == Code::UnusedFlag;
        self.findings().filter(is_shown).cloned().collect()
    }

    pub fn catalog(&self) -> Catalog<'d, 'd> {
        Catalog::new(self.documents, self.resources, &self.options.admit.namespace)
    }

    /// Returns the cluster objects in the input, and those that the operator creates for the kubelets.
    pub fn objects(&self) -> ObservedObjects<'d> {
        let documents = admit::documents_with_other_objects(self.documents);
        let namespace = &self.options.admit.namespace;
        ObservedObjects::read_with(documents, self.kubelet_objects, self.sources, namespace)
    }

    /// Returns a cluster that contains `objects`, with the Prometheus version of the program that runs the
    /// configuration.
    pub fn cluster<'o>(&self, objects: &'o ObservedObjects<'d>) -> Cluster<'o, 'd> {
        Cluster::from_target(objects, &self.options.render.manifest.target)
    }

    /// Returns the configurations that agents reject. Jobs in these configurations have no targets.
    pub fn refusals(&self) -> Vec<Rejection<'d>> {
        let target = &self.options.render.manifest.target;
        let conditions = Conditions { target, certificate_time: None, follows_labels: false };
        match target {
            Target::Agent => check::rejections(self.resources, self.selections, self.hierarchies, conditions),
            // Alloy runs components independently, so a mistake in one component does not affect the targets of other
            // components.
            Target::Alloy(_) => Vec::new(),
        }
    }

    pub fn graph(&self) -> Graph<'d, 'd> {
        Graph { resources: self.resources, selections: self.selections, hierarchies: self.hierarchies }
    }
}

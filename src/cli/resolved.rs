//! What commands answer questions about the input from: its resources, who selects whom, and the hierarchies of agents.

use super::compile_args::CompileArgs;
use crate::admit::{self, AdmittedDocument};
use crate::api::Resources;
use crate::compile::{Options, read};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::environment::EnvironmentError;
use crate::input::{Input, load};
use crate::insight::catalogue::Catalogue;
use crate::insight::graph::Graph;
use crate::resolve::{Hierarchy, Selections, resolve_selected};
use crate::source::Sources;

/// An input, compiled as far as hierarchies.
pub(super) struct Resolved<'d> {
    /// What was read.
    pub(super) sources: &'d Sources,
    /// Its documents.
    pub(super) documents: &'d [AdmittedDocument<'d>],
    /// The resources in them, without refused ones.
    pub(super) resources: &'d Resources<'d>,
    /// What selects what of them.
    pub(super) selections: &'d Selections<'d>,
    /// The agents that are compiled.
    pub(super) hierarchies: &'d [Hierarchy<'d, 'd>],
    /// What reading and admitting found.
    pub(super) admitting: Vec<Diagnostic>,
    /// What resolving found.
    pub(super) resolving: Vec<Diagnostic>,
    /// What it was compiled with.
    pub(super) options: &'d Options,
}

impl CompileArgs {
    /// Reads inputs, compiles them as far as hierarchies, and lets `answer` look at all of it.
    pub(super) fn resolve<T>(
        &self,
        inputs: &[Input],
        answer: impl FnOnce(Resolved<'_>) -> Result<T, EnvironmentError>,
    ) -> Result<T, EnvironmentError> {
        let options = self.options();
        let mut admitting = Vec::new();
        let sources = load(inputs, &self.reading())?.report_to(&mut admitting);
        let documents = read(&sources, &options).report_to(&mut admitting);
        let mut resources = admit::decode(&documents, &options.admit.namespace).report_to(&mut admitting);
        resources.namespace_labels = Some(&options.admit.namespace_labels);
        let mut selections = Selections::new(&resources);
        let hierarchies = resolve_selected(&resources, &selections, &options.resolve);
        if hierarchies.diagnostics.iter().any(|found| found.code == Code::JobLimit) {
            // What is too much to compile is too much to show.
            selections.clear();
        }
        answer(Resolved {
            sources: &sources,
            documents: &documents,
            resources: &resources,
            selections: &selections,
            hierarchies: &hierarchies.output,
            admitting,
            resolving: hierarchies.diagnostics,
            options: &options,
        })
    }
}

impl<'d> Resolved<'d> {
    /// All that was found.
    pub(super) fn findings(&self) -> impl Iterator<Item = &Diagnostic> {
        self.admitting.iter().chain(&self.resolving)
    }

    /// The errors among them: warnings are for `check`.
    pub(super) fn errors(&self) -> Vec<Diagnostic> {
        let errors = self.findings().filter(|found| found.severity == Severity::Error);
        errors.cloned().collect()
    }

    /// Every resource by its name.
    pub(super) fn catalogue(&self) -> Catalogue<'d, 'd> {
        Catalogue::new(self.documents, self.resources, &self.options.admit.namespace)
    }

    /// Who selects whom and who refers to what.
    pub(super) fn graph(&self) -> Graph<'d, 'd> {
        Graph {
            resources: self.resources,
            selections: self.selections,
            hierarchies: self.hierarchies,
        }
    }
}

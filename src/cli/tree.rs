//! `agentctl tree`: the hierarchy of agents and the resources that they select.

use std::collections::BTreeMap;
use std::ffi::OsString;

use clap::{Args, ValueEnum};

use super::args::{CompileArgs, WholeInputArgs};
use super::session::{Outcome, Session};
use super::subject::SubjectArgument;
use super::{completion, why};
use crate::api::ObjectRef;
use crate::check;
use crate::diagnostic::severity::Policy;
use crate::diagnostic::{Code, Diagnostic};
use crate::flags::Effect::Harmless;
use crate::input::built;
use crate::insight::catalog::Catalog;
use crate::insight::resolved::ResolvedInput;
use crate::insight::tree::{self, Tree};
use crate::insight::why::Explainer;

/// Maximum number of selections in a tree. Each selection takes about 700 bytes of memory until its line is written.
const MAX_SELECTED: usize = 400_000;

/// Maximum number of unselected resources for which the HTML page contains a patch.
const MAX_PATCHES: usize = 100;

/// Show what belongs to each agent, down to the keys of Secrets
///
/// Lists under each GrafanaAgent its MetricsInstances, LogsInstances and Integrations, under these the ServiceMonitors,
/// PodMonitors, Probes and PodLogs that they select, and under each of those the Secrets and ConfigMaps that it refers to, with
/// file and line. Resources with several users are marked as shared, and those that are not in the input as missing. Unselected
/// resources have a separate section; `agentctl why` explains why nothing selects them. No format shows Secret values.
///
/// With KIND/NAME or KIND/NAMESPACE/NAME, shows only the paths from the agents to that resource, and everything below it. An
/// argument that exists as a file or directory is an input.
///
/// The tree is written even if there are errors, which are reported on standard error.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl tree manifests/
  agentctl tree secret/credentials -f manifests/
  agentctl tree manifests/ --problems
  agentctl tree manifests/ -o html > tree.html
  agentctl tree manifests/ -o json | jq -r '.resources[] | select(.state == \"missing\").id'")]
pub(super) struct TreeArgs {
    /// Inputs, as with -f, and resources (KIND, KIND/NAME) to limit the tree to
    #[arg(value_name = "PATH|RESOURCE", value_hint = clap::ValueHint::AnyPath, add = completion::resources_and_files())]
    operands: Vec<OsString>,

    #[command(flatten)]
    input: WholeInputArgs,

    #[command(flatten)]
    compile: CompileArgs,

    /// Format of the tree
    #[arg(short, long, value_name = "FORMAT", default_value = "text", help_heading = "Output")]
    output: TreeFormat,

    /// Show only entries with problems
    ///
    /// These are resources that are missing, are unselected, or have findings.
    #[arg(long, help_heading = "Output", add = Harmless)]
    problems: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TreeFormat {
    /// Indented lines
    Text,
    /// One JSON object
    Json,
    /// A flowchart for Markdown
    Mermaid,
    /// A page that works offline, with folding, search, filters, sources and scrape jobs
    Html,
}

impl TreeArgs {
    pub(super) fn run(&self, session: &Session) -> Outcome {
        let (paths, subjects) = SubjectArgument::operands(&self.operands);
        let inputs = self.input.inputs_with(&paths);
        let compile = self.compile.without_values();
        compile.resolve(&inputs, session, |input| self.answer(&subjects, &input, session))
    }

    fn answer(&self, subjects: &[SubjectArgument], input: &ResolvedInput<'_>, session: &Session) -> Outcome {
        let (sources, hierarchies) = (input.sources, input.hierarchies);
        let mut errors = input.errors();
        let selected = input.selections.pairs();
        if selected > MAX_SELECTED {
            let message =
                format!("agents and instances select {selected} resources, but a tree can show at most {MAX_SELECTED}");
            let findings =
                Diagnostic::new(Code::OutputLimit, message).help("show fewer resources, or narrow the selectors");
            errors.push(findings);
            return Ok(session.report(&errors, sources));
        }
        let mut shown = tree::build(input.graph(), sources, &input.options.resolve, &errors);
        if !subjects.is_empty() {
            let catalog = input.catalog();
            let (findings, unknown) = find_entries(subjects, &shown, &catalog, session);
            if !unknown.is_empty() {
                catalog.retain_explanations(&mut errors);
                errors.extend(unknown);
                return Ok(session.report(&errors, sources));
            }
            shown = shown.focus(&findings, true);
        }
        let objects = input.objects();
        let shows_targets = self.output == TreeFormat::Html && !objects.is_empty();
        let rejections = if shows_targets { input.refusals() } else { Vec::new() };
        errors.extend(rejections.iter().map(|rejection| rejection.finding.clone()));
        let status = session.report(&errors, sources);
        let needs_findings = self.problems || self.output == TreeFormat::Html;
        let mut diagnostics = if needs_findings { findings(input) } else { Vec::new() };
        built::trace(&mut diagnostics, sources);
        shown.count_findings(&diagnostics);
        if self.problems {
            let problems = shown.problems();
            if problems.is_empty() && self.output == TreeFormat::Text {
                let mut text = session.text();
                text.line("no problems found");
                session.show(&text)?;
                return Ok(status);
            }
            shown = shown.focus(&problems, false);
        }
        let target = &input.options.render.manifest.target;
        match self.output {
            TreeFormat::Html => {
                let mut lines = tree::DistinctLines::default();
                let generated = tree::generated_configuration(&shown, hierarchies, target, &mut lines);
                let patches = patches(&shown, input);
                let cluster = input.cluster(&objects);
                let targets = tree::targets(&shown, hierarchies, &cluster, &rejections, sources);
                session.page(&tree::html(&shown, &generated, lines, &diagnostics, &patches, &targets))
            }
            TreeFormat::Json => {
                let generated =
                    tree::generated_configuration(&shown, hierarchies, target, &mut tree::DistinctLines::default());
                session.json(&tree::json(&shown, &generated))
            }
            TreeFormat::Text => session.show(&tree::text(&shown, session.output)),
            TreeFormat::Mermaid => session.show(&tree::mermaid(&shown)),
        }?;
        Ok(status)
    }
}

/// Returns the patches that would make agents select unselected resources, for at most [`MAX_PATCHES`] resources.
fn patches<'d>(tree: &Tree<'d>, input: &ResolvedInput<'d>) -> BTreeMap<ObjectRef<'d>, String> {
    let Ok(explainer) = Explainer::new(input.graph(), &input.options.resolve) else {
        return BTreeMap::new();
    };
    let catalog = input.catalog();
    let unselected = tree.unselected.iter().take(MAX_PATCHES);
    let located = unselected.filter_map(|object| catalog.locate(object));
    let patches = explainer.explain(located.collect()).map(|why| {
        let object = why.target.object;
        (object, why::patches(std::iter::once(why)).into_string())
    });
    patches.filter(|(_, patch)| !patch.is_empty()).collect()
}

/// Returns the findings that `check` reports.
fn findings(input: &ResolvedInput<'_>) -> Vec<Diagnostic> {
    let mut diagnostics: Vec<_> = input.findings().cloned().collect();
    let conditions = check::Conditions {
        target: &input.options.render.manifest.target,
        certificate_time: None,
        follows_labels: false,
    };
    let ResolvedInput { resources, selections, hierarchies, .. } = input;
    diagnostics.extend(check::check(resources, selections, hierarchies, &input.objects(), conditions));
    let allowances = input.documents.iter().flat_map(|document| &document.allowances);
    let allowances: Vec<_> = allowances.copied().collect();
    Policy::default().apply(diagnostics, &allowances, &|span| span)
}

/// Returns the requested entries, and findings for arguments that match nothing.
fn find_entries<'d>(
    subjects: &[SubjectArgument],
    tree: &Tree<'d>,
    catalog: &Catalog<'_, '_>,
    session: &Session,
) -> (Vec<ObjectRef<'d>>, Vec<Diagnostic>) {
    let (mut entries, mut unknown) = (Vec::new(), Vec::new());
    for subject in subjects {
        match subject.target(catalog) {
            Ok(target) => match (tree.matching_objects(&target), catalog.find(&target)) {
                (entry, Err(mistake)) if entry.is_empty() => unknown.push(*mistake),
                (entry, Ok(located)) if entry.is_empty() => {
                    for located in located {
                        session.note(&format!("nothing refers to {}", located.object));
                    }
                }
                (entry, _) => entries.extend(entry),
            },
            Err(mistake) => unknown.push(*mistake),
        }
    }
    (entries, unknown)
}

//! Execution of the stages of a compilation, in order.

mod findings;

pub use findings::Findings;

use jiff::Timestamp;
use rayon::prelude::*;

use crate::admit::{self, AdmittedDocument};
use crate::aggregate;
use crate::api::{GrafanaAgent, Resource, Resources, UnreadWords};
use crate::check;
use crate::diagnostic::bound::Bound;
use crate::diagnostic::severity::Allowance;
use crate::diagnostic::{Code, Diagnostic, Warned};
use crate::manifest::{self, AgentName, Objects, render};
use crate::resolve::{self, Hierarchy, Selections};
use crate::source::{Source, SourceId, Sources};
use crate::targets::observed;
use crate::yaml::{self, AliasBudget, Limits};

/// Options for every stage of the compiler.
#[derive(Clone, Debug, Default)]
pub struct CompileOptions {
    /// Limits on the input.
    pub limits: Limits,
    pub admit: admit::AdmitOptions,
    /// Options that determine which agents to compile, and the values to compile them with.
    pub resolve: resolve::ResolveOptions,
    /// Flags of the operator that affect rendering.
    pub render: render::RenderOptions,
    /// Whether to also render RBAC objects with the API server permissions that agents need.
    pub rights: bool,
    /// Time at which certificates must be valid, or `None` to skip that check.
    pub certificate_time: Option<Timestamp>,
    /// Fields to keep in objects that are only observed, or `None` to keep all of their fields.
    pub keep: Option<yaml::FieldFilter>,
    /// Whether only findings are needed. In that case, Secret values may remain in the objects, because the objects are
    /// never shown.
    pub findings_only: bool,
    /// Whether the input may be a repository, whose files may have to be built first, may belong to different clusters,
    /// or may never be applied. Findings that could be wrong for a repository are not errors. Output must not be
    /// generated.
    pub is_repository: bool,
    /// Whether to skip the rules that follow labels through relabeling rules and pipelines. Their findings do not
    /// prevent rendering.
    pub skips_label_flow: bool,
}

/// Objects that the operator would create.
#[derive(Debug, Default)]
pub struct Bundle {
    pub objects: Objects,
    /// Agents in the input that are not compiled, because they are paused or not selected. Their existing objects are
    /// kept.
    pub left_alone: Vec<AgentName>,
    /// Number of GrafanaAgents in the input.
    pub agents: usize,
    /// Number of objects whose kind agentctl does not read.
    pub skipped: usize,
    /// Number of objects whose kind agentctl reads.
    pub resources: usize,
    /// Number of objects that agentctl compiles instead of only reading them.
    pub compiled: usize,
    /// Commands that generate manifests from kustomizations and charts in the input.
    pub commands: Vec<String>,
    pub allowances: Vec<Allowance>,
}

impl Bundle {
    /// Returns the number of agents that are not compiled.
    pub fn left_out_count(&self) -> usize {
        self.left_alone.len().min(self.agents)
    }
}

/// Compiles sources into the objects that the operator would create. The bundle must not be used if the diagnostics
/// contain errors.
pub fn compile(sources: &Sources, options: &CompileOptions) -> Warned<Bundle> {
    compile_while(sources, options, &|| true)
}

/// Like [`compile()`], but stops after the current stage if `is_wanted` returns `false`. In that case, the result must
/// not be used.
pub fn compile_while(sources: &Sources, options: &CompileOptions, is_wanted: &dyn Fn() -> bool) -> Warned<Bundle> {
    let (documents, mut findings) = read(sources, options);
    let documents = documents.as_slice();
    if !is_wanted() {
        return Warned::default();
    }
    let unread_texts = yaml::unread_texts(sources, documents.iter().map(AdmittedDocument::document), &findings.list);
    let mut resources = admit::decode_tolerantly(documents, &options.admit.namespace).report_to(&mut findings.list);
    resources.unread_words = UnreadWords::new(&unread_texts);

    let resolution = Resolution::new(&mut resources, options);
    if !is_wanted() {
        return Warned::default();
    }
    let count = |size: fn(&AdmittedDocument<'_>) -> usize| documents.iter().map(size).sum();
    let is_too_large = resolution.is_too_large();
    let Resolution { resources, selections, hierarchies, diagnostics: mut later } = resolution;
    if is_too_large {
        // Compilation stops here, because later findings about the remaining resources could be wrong.
        findings.list.extend(later);
        let output = Bundle { resources: count(|document| document.contents.resources), ..Bundle::default() };
        return Warned { output, diagnostics: findings.list };
    }
    let other_documents = admit::documents_with_other_objects(documents);
    // Rendering reports Nodes without an address.
    let kubelet_objects = render::kubelet_objects(&resources.nodes, &options.render).output;
    let kubelet_objects: Vec<_> = kubelet_objects.iter().map(manifest::Object::to_json).collect();
    let namespace = &options.admit.namespace;
    let observed_objects = observed::ObservedObjects::read_with(other_documents, &kubelet_objects, sources, namespace);
    let conditions = check::Conditions {
        target: &options.render.manifest.target,
        certificate_time: options.certificate_time,
        follows_labels: !options.skips_label_flow,
    };
    let (later_findings, rendered_objects) = rayon::join(
        || check::check(resources, &selections, &hierarchies, &observed_objects, conditions),
        || render::objects(&hierarchies, &resources.nodes, &options.render),
    );
    if !is_wanted() {
        return Warned::default();
    }
    later.extend(later_findings);
    later.extend(rendered_objects.diagnostics);
    later.extend(check::check_objects(resources, &hierarchies, &rendered_objects.output.objects));

    let agents = resources.agents.len();
    let excluded_agents = agents_without_hierarchy(&resources.agents, &hierarchies);
    let mut objects = match options.findings_only {
        true => rendered_objects.output.objects,
        false => {
            let mode = &options.resolve.secrets;
            render::deliver(rendered_objects.output, &hierarchies, resources, mode, &options.render)
                .report_to(&mut later)
        }
    };
    if options.rights {
        objects.rights = manifest::rights(&hierarchies, &resources.access, &options.render.manifest);
    }
    findings.add_later(later, resources);
    let Warned { output: unrendered, diagnostics } = findings.finish_check(documents, resources);
    let allowances = documents.iter().flat_map(|document| &document.allowances);
    let output = Bundle {
        objects,
        left_alone: excluded_agents,
        agents,
        skipped: count(|document| document.contents.skipped),
        resources: count(|document| document.contents.resources),
        compiled: count(|document| document.contents.compiled),
        commands: unrendered.iter().map(check::UnrenderedSource::command).collect(),
        allowances: allowances.copied().collect(),
    };
    Warned { output, diagnostics }
}

/// Returns the agents that have no hierarchy. Both arguments must be sorted.
fn agents_without_hierarchy(
    agents: &[Resource<'_, GrafanaAgent<'_>>],
    hierarchies: &[Hierarchy<'_, '_>],
) -> Vec<AgentName> {
    let mut remaining = hierarchies.iter().peekable();
    let excluded_agents = agents.iter().filter(|agent| {
        let is_of_agent = |hierarchy: &&Hierarchy<'_, '_>| hierarchy.agent.object_ref() == agent.object_ref();
        remaining.next_if(is_of_agent).is_none()
    });
    excluded_agents.map(|agent| AgentName::new(&agent.meta)).collect()
}

/// Resources with the hierarchies of the agents to compile.
pub struct Resolution<'h, 'd> {
    pub resources: &'h Resources<'d>,
    /// Resources that each agent and instance selects.
    pub selections: Selections<'d>,
    pub hierarchies: Vec<Hierarchy<'h, 'd>>,
    pub diagnostics: Vec<Diagnostic>,
}

impl<'h, 'd> Resolution<'h, 'd> {
    /// Resolves the hierarchies of the agents to compile.
    pub fn new(resources: &'h mut Resources<'d>, options: &'d CompileOptions) -> Self {
        resources.namespace_labels = Some(&options.admit.namespace_labels);
        let resources = &*resources;
        let selections = Selections::new(resources);
        let hierarchies = resolve::resolve_selected(resources, &selections, &options.resolve);
        Self { resources, selections, hierarchies: hierarchies.output, diagnostics: hierarchies.diagnostics }
    }

    /// Whether the selected resources exceed the limit on scrape jobs, in which case no agent is resolved.
    pub fn is_too_large(&self) -> bool {
        self.diagnostics.iter().any(|finding| finding.code == Code::JobLimit)
    }
}

/// Reads and admits all sources in parallel. Truncated sources are skipped, because they have already been reported.
/// The subsequent stages borrow from the returned documents ([`admit::decode`], then [`resolve::resolve`]).
pub fn read<'s>(sources: &'s Sources, options: &CompileOptions) -> (Vec<AdmittedDocument<'s>>, Findings<'s>) {
    let whole_sources: Vec<_> = sources.iter().filter(|(_, source)| source.is_complete).collect();
    let parts = whole_sources.iter().map(|(id, _)| *id).zip(read_sources(&whole_sources, options));
    let (documents, mut findings) = Findings::join(sources, parts, options.is_repository, options.admit.fixes);
    let aggregation =
        aggregate::AggregateOptions { namespace: &options.admit.namespace, certificate_time: options.certificate_time };
    let admission_findings = aggregate::check(admit::documents_with_other_objects(&documents), &aggregation);
    findings.add_input(admission_findings.into_iter().chain(admit::unused_flags(&documents, &options.admit)));
    (documents, findings)
}

/// Reads sources in parallel. If aliases expand too far, reads them again one after the other, so that the finding does
/// not depend on the order in which threads read them.
fn read_sources<'s>(
    sources: &[(SourceId, &'s Source)],
    options: &CompileOptions,
) -> Vec<Warned<Vec<AdmittedDocument<'s>>>> {
    let size = sources.iter().map(|(_, source)| source.text.len() as u64).sum();
    let aliases = AliasBudget::new(&options.limits, size);
    let read = |&(id, source): &_| match aliases.is_exhausted() {
        true => Warned::default(),
        false => read_source(id, source, options, &aliases),
    };
    let parts = sources.par_iter().map(read).collect();
    if !aliases.is_exhausted() {
        return parts;
    }
    drop(parts);
    let aliases = AliasBudget::new(&options.limits, size);
    sources.iter().map(|&(id, source)| read_source(id, source, options, &aliases)).collect()
}

fn read_source<'s>(
    id: SourceId,
    source: &'s Source,
    options: &CompileOptions,
    aliases: &AliasBudget,
) -> Warned<Vec<AdmittedDocument<'s>>> {
    let mut diagnostics = Vec::new();
    let parsed_documents = yaml::read_pruned(id, &source.text, &options.limits, aliases, options.keep);
    let documents = parsed_documents.report_to(&mut diagnostics);
    yaml::add_tab_fixes(id, &source.text, &options.limits, aliases, &mut diagnostics);
    let mut bound = Bound::new(options.admit.fixes);
    let mut output = Vec::with_capacity(documents.len());
    for document in documents {
        output.push(admit::admit_document(
            document,
            source.is_explicit,
            &options.admit,
            aggregate::reads_every,
            &mut diagnostics,
        ));
        bound.keep(&mut diagnostics);
    }
    admit::drop_broken_off(&source.text, &mut diagnostics);
    admit::explain_text(id, source, &mut diagnostics);
    Warned { output, diagnostics }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TestInput;
    use std::cell::Cell;

    const INPUT: &str = "apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: a, namespace: ns}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: b, namespace: ns}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: c, namespace: ns}
spec: {paused: true}
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: d, namespace: ns}
---
apiVersion: v1
kind: Secret
metadata: {name: s, namespace: ns}
";

    #[test]
    fn bundle_lists_excluded_agents() {
        let sources = TestInput::new(INPUT).sources;
        for (requested_agents, excluded_agents) in [(&[][..], &["c"][..]), (&["b"], &["a", "c"]), (&["a", "b"], &["c"])]
        {
            let options = CompileOptions {
                resolve: resolve::ResolveOptions {
                    agents: requested_agents.iter().map(|name| (None, (*name).to_owned())).collect(),
                    ..resolve::ResolveOptions::default()
                },
                ..CompileOptions::default()
            };
            let bundle = compile(&sources, &options).output;
            let names: Vec<_> = bundle.left_alone.iter().map(|agent| agent.name.as_str()).collect();
            assert_eq!(names, excluded_agents, "{requested_agents:?}");
            assert_eq!((bundle.left_out_count(), bundle.agents), (excluded_agents.len(), 3), "{requested_agents:?}");
            let counts = (bundle.skipped, bundle.resources, bundle.compiled);
            assert_eq!(counts, (1, 4, 3), "{requested_agents:?}");
        }
    }

    #[test]
    fn renders_nothing_if_jobs_exceed_the_limit() {
        let mut sources = Sources::default();
        let job = "\
metadata: {name: d, namespace: ns}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: m, namespace: ns}
spec: {probeSelector: {}}
---
apiVersion: monitoring.coreos.com/v1
kind: Probe
metadata: {name: p, namespace: ns}
spec: {prober: {url: p}, targets: {staticConfig: {static: [t]}}}
";
        let input = INPUT.replacen("metadata: {name: d, namespace: ns}\n", job, 1);
        let input = input.replacen(
            "name: a, namespace: ns}\n",
            "name: a, namespace: ns}\nspec: {metrics: {instanceSelector: {}}}\n",
            1,
        );
        sources.add(Source::new("t", input, true));
        for (limit, expected) in [(100, (6, 3)), (0, (6, 0))] {
            let options = CompileOptions {
                resolve: resolve::ResolveOptions {
                    max_jobs: resolve::JobLimit(Some(limit)),
                    ..resolve::ResolveOptions::default()
                },
                ..CompileOptions::default()
            };
            let result = compile(&sources, &options);
            let is_limited = result.diagnostics.iter().any(|finding| finding.code == Code::JobLimit);
            let bundle = result.output;
            assert_eq!(((bundle.resources, bundle.agents), is_limited), (expected, limit == 0));
        }
    }

    #[test]
    fn stops_canceled_compilations() {
        let sources = TestInput::new(INPUT).sources;
        let compile_until = |stop: usize| {
            let check_count = Cell::new(0);
            let is_wanted = || {
                check_count.set(check_count.get() + 1);
                check_count.get() != stop
            };
            let result = compile_while(&sources, &CompileOptions::default(), &is_wanted);
            (check_count.get(), result.output.agents)
        };
        for (stop, expected) in [(0, (3, 3)), (1, (1, 0)), (2, (2, 0)), (3, (3, 0))] {
            assert_eq!(compile_until(stop), expected, "{stop}");
        }
    }
}

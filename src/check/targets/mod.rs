//! Rules for the targets that monitors find among cluster objects.
//!
//! They report the step at which a job loses its last target. If the namespaces that a monitor searches contain no
//! objects of the required kind, a finding is reported only if the input is a cluster export and a matching object
//! exists in another namespace. If no object in the input was exported from a cluster, the input may be incomplete, and
//! uncertain findings are notes.

mod diagnostics;
mod nearest;
mod observed_pods;
mod pod_diagnostics;
mod server_name;
#[cfg(test)]
mod tests;
mod twice;
mod twice_diagnostics;

use std::collections::BTreeSet;

use super::rule::{Rule, RuleTarget, rule};
use crate::api::Resources;
use crate::diagnostic::suggest::clear_suggestion;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::plan::{ConfigKind, Origin, Plan};
use crate::resolve::Hierarchy;
use crate::targets::discovery::DiscoveryRole;
use crate::targets::observed::{ClusterObject, ObservedKind};
use crate::targets::relabel::RuleCompiler;
use crate::targets::scrape::{Chain, Cluster, Job, JobGroup, JobSource, Missing, TargetScope, for_each_job};
use nearest::NearObject;
use observed_pods::ObservedPods;
use twice::DuplicateTargets;

pub const RULES: &[Rule] = &[rule(
    &[
        Code::TargetLimit,
        Code::UnknownNamespace,
        Code::NoMatchingObject,
        Code::UnknownPort,
        Code::ServiceWithoutEndpoints,
        Code::DropsEveryTarget,
        Code::ChangedScrape,
        Code::CollectedTwice,
        Code::FinishedTarget,
        Code::NeverRead,
        Code::WrongFormat,
        Code::WrongServerName,
    ],
    RuleTarget::Targets(check),
    "`discovery/kubernetes` of Prometheus; `pod_monitor.libsonnet` and `pod_logs.libsonnet`; `stages` of Promtail; `tls.Config` of Go",
)];

/// Checks the jobs for the monitors, Probes and PodLogs in `hierarchies`.
fn check<'d>(
    resources: &Resources<'d>,
    hierarchies: &'d [Hierarchy<'d, 'd>],
    cluster: Cluster<'_, 'd>,
) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let objects = cluster.objects;
    if objects.is_empty() && resources.namespaces.is_empty() {
        return findings;
    }
    let mut checker = Checker::new(resources, &cluster);
    let (mut rules, mut seen_jobs) = (RuleCompiler::new(checker.cluster.version), BTreeSet::new());
    for hierarchy in hierarchies {
        // Errors in nested YAML have already been reported during rendering.
        let plan = Plan::new(hierarchy, &[ConfigKind::Metrics, ConfigKind::Logs], &mut Vec::new());
        for_each_job(&plan, cluster.watcher, &mut rules, &|_, _| true, &mut |group| {
            if seen_jobs.insert(identity(&group.first)) {
                checker.check_job(&group, &mut findings);
            }
        });
    }
    if let Some((origin, count)) = checker.skipped {
        findings.push(diagnostics::untraced_jobs(origin, count, checker.cluster.max_cost()));
    }
    if let Some((origin, count, kinds)) = checker.unknown {
        findings.push(diagnostics::missing_kinds(origin, count, &kinds));
    }
    findings.extend(checker.duplicates.findings(objects));
    findings
}

/// Returns the findings that explain why a job has no targets, with a suggestion of what was most likely meant.
pub fn explain<'d>(
    resources: &Resources<'d>,
    cluster: &Cluster<'_, 'd>,
    job: &Job<'d>,
    chain: &Chain<'_, 'd>,
) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    if let Some(origin) = job.origin.filter(|_| job.refused.is_none()) {
        let mut checker = Checker::new(resources, cluster);
        checker.is_explanation = true;
        checker.check_chain(job, origin, chain, &mut findings);
    }
    findings
}

/// Whether two names differ only in a digit or a short part, such as `team-a` and `team-b`, in which case both names
/// are likely to exist.
fn are_variants(name: &str, other: &str) -> bool {
    let mut parts = name.split('-').zip(other.split('-')).filter(|(part, other)| part != other);
    name.split('-').count() == other.split('-').count()
        && parts.all(|(part, other)| {
            part.len() < 3
                || other.len() < 3
                || part
                    .chars()
                    .zip(other.chars())
                    .any(|(part, other)| part != other && (part.is_ascii_digit() || other.is_ascii_digit()))
        })
}

/// Returns a key that is the same for jobs with the same findings. Agents that share an instance may search different
/// namespaces, so their jobs differ.
fn identity(job: &Job<'_>) -> (String, String) {
    let namespaces = job.sources.iter().map(|source| match source {
        JobSource::Watch { watch, .. } => format!("{:?}", watch.namespaces),
        JobSource::Static(_) => String::new(),
    });
    (job.name.clone(), namespaces.collect())
}

/// State shared by the checks for all jobs.
struct Checker<'c, 'o, 'd> {
    cluster: &'c Cluster<'o, 'd>,
    /// Namespaces of all objects in the input.
    known_namespaces: BTreeSet<&'d str>,
    /// Whether the input contains Namespaces.
    has_namespaces: bool,
    /// Whether the findings are requested as an explanation of a job. If so, they need not be certain.
    is_explanation: bool,
    /// Remaining number of comparisons in the search for similar labels.
    comparisons: usize,
    /// First job with too many targets, and the number of such jobs.
    skipped: Option<(Origin<'d>, usize)>,
    /// First job that needs kinds of objects that the export lacks, the number of such jobs, and these kinds.
    unknown: Option<(Origin<'d>, usize, BTreeSet<ObservedKind>)>,
    /// Targets that are collected twice.
    duplicates: DuplicateTargets<'d>,
}

impl<'c, 'o, 'd> Checker<'c, 'o, 'd> {
    fn new(resources: &Resources<'d>, cluster: &'c Cluster<'o, 'd>) -> Self {
        let known = cluster.objects.namespaces();
        Self {
            cluster,
            known_namespaces: known.chain(resources.namespaces.iter().map(|namespace| namespace.meta.name)).collect(),
            has_namespaces: !resources.namespaces.is_empty(),
            is_explanation: false,
            comparisons: nearest::MAX_COMPARISONS,
            skipped: None,
            unknown: None,
            duplicates: DuplicateTargets::default(),
        }
    }

    fn check_job(&mut self, group: &JobGroup<'_, 'd>, findings: &mut Vec<Diagnostic>) {
        let job = &group.first;
        let Some(origin) = job.origin else { return };
        if job.refused.is_some() {
            return;
        }
        if self.cluster.objects.is_empty() {
            return self.check_namespaces(job, findings);
        }
        if !self.cluster.spend(group, TargetScope::Selected) {
            self.skipped.get_or_insert((origin, 0)).1 += 1;
            return;
        }
        let instance = group.instance;
        self.duplicates.start_instance(instance, origin);
        let mut pods = ObservedPods::default();
        let chain = self.cluster.chain_with(job, &mut |target| {
            pods.add(&target, self.cluster.objects);
            self.duplicates.add(job, instance.resource(), self.cluster.objects, &target);
        });
        if !self.cluster.objects.has_running_pods {
            self.duplicates.add_services(job, instance.resource(), self.cluster.objects, &chain.selected);
        }
        self.check_chain(job, origin, &chain, findings);
        findings.extend(pods.findings(origin));
        findings.extend(server_name::check(origin, &chain, self.cluster.objects));
        findings
            .extend(chain.init_container.as_ref().map(|(pod, name)| diagnostics::init_container(origin, pod, name)));
    }

    /// Reports the step at which a job loses its last target.
    fn check_chain(
        &mut self,
        job: &Job<'d>,
        origin: Origin<'d>,
        chain: &Chain<'_, 'd>,
        findings: &mut Vec<Diagnostic>,
    ) {
        let count_before = findings.len();
        self.check_namespaces(job, findings);
        let has_namespace_findings = findings.len() > count_before;
        let missing_kinds = job.missing_kinds(self.cluster.objects);
        // Manifests may lack objects that only a cluster creates.
        if self.cluster.objects.has_running_pods && chain.lacks_objects(&missing_kinds) {
            let at = origin.at("spec.selector");
            let (_, count, kinds) = self.unknown.get_or_insert((at, 0, BTreeSet::new()));
            *count += 1;
            kinds.extend(missing_kinds);
            return;
        }
        let finding = match chain.missing() {
            None => return,
            Some(Missing::Objects)
                if has_namespace_findings || !self.cluster.objects.is_export && !self.is_explanation =>
            {
                return;
            }
            Some(missing @ (Missing::Objects | Missing::Selected)) => {
                let nearest_object = nearest::find(self.cluster, job, chain, &mut self.comparisons);
                // If the searched namespaces contain no objects of the required kind, a finding is reported only if an
                // object in another namespace matches.
                let is_certain_place =
                    missing == Missing::Selected || matches!(nearest_object, Some(NearObject::Elsewhere(_)));
                is_certain_place.then(|| diagnostics::selects_nothing(job, origin, chain, nearest_object))
            }
            Some(Missing::Port) => self.explain_missing_port(job, chain),
            Some(Missing::Targets) => self.explain_missing_targets(job, chain),
            Some(Missing::Rule(rule) | Missing::Unfit(Some(rule))) => {
                diagnostics::rule_that_drops_all(job, chain, rule)
            }
            Some(Missing::Unfit(None)) => diagnostics::too_large(origin, chain).map(|finding| (finding, true)),
        };
        findings.extend(finding.map(|(finding, is_certain)| self.downgrade_uncertain(finding, is_certain)));
    }

    /// Returns the finding, downgraded to a note unless it is certain or the input is a cluster export.
    fn downgrade_uncertain(&self, finding: Diagnostic, is_certain: bool) -> Diagnostic {
        match is_certain || self.cluster.objects.is_export {
            true => finding,
            false => finding.severity(Severity::Note),
        }
    }

    /// Reports namespaces that a monitor selects but the input does not contain.
    fn check_namespaces(&self, job: &Job<'d>, findings: &mut Vec<Diagnostic>) {
        let is_known = self.cluster.objects.is_export || self.has_namespaces;
        for source in &job.sources {
            let JobSource::Watch { watch, origin } = source else {
                continue;
            };
            let (Some(names), Some(origin)) = (&watch.namespaces, origin) else {
                continue;
            };
            let monitor_namespace = job.monitor.map(|monitor| monitor.namespace);
            let names = names.iter().map(String::as_str).filter(|name| monitor_namespace != Some(*name));
            for name in names.filter(|name| !self.known_namespaces.contains(name)) {
                let finding = diagnostics::unknown_namespace(*origin, name, &self.known_namespaces);
                let nearest = clear_suggestion(name, self.known_namespaces.iter().copied());
                let is_certain = nearest.is_some_and(|nearest| !are_variants(name, nearest));
                // Manifests may omit Namespaces, but are unlikely to contain two with such similar names.
                if is_known || is_certain {
                    findings.push(self.downgrade_uncertain(finding, is_certain));
                }
            }
        }
    }

    /// Returns the finding for selected objects that have no target with the required port.
    fn explain_missing_port(&self, job: &Job<'d>, chain: &Chain<'_, 'd>) -> Option<(Diagnostic, bool)> {
        let services = chain.services_with_port(job);
        match services.first() {
            Some(first) if services.iter().all(|service| self.has_no_pods(service)) => {
                diagnostics::missing_endpoints(job, first)
            }
            _ => diagnostics::missing_port(job, chain, self.cluster.objects),
        }
    }

    /// Returns the finding for selected objects that have no targets.
    fn explain_missing_targets(&self, job: &Job<'d>, chain: &Chain<'_, 'd>) -> Option<(Diagnostic, bool)> {
        let objects = self.cluster.objects;
        if chain.role == Some(DiscoveryRole::Ingress) {
            return diagnostics::missing_ingress_rules(job, chain);
        }
        let is_listed = !objects.is_export || objects.kinds.contains(&ObservedKind::Endpoints);
        let services = chain.selected.iter();
        let mut services = services.filter(|_| chain.role == Some(DiscoveryRole::Service) && is_listed);
        let empty_service = services
            .find(|service| service.selector().is_empty() || service.is_external() || self.has_no_pods(service))?;
        diagnostics::missing_endpoints(job, empty_service)
    }

    /// Whether a Service has a selector that selects none of the pods in its namespace.
    fn has_no_pods(&self, service: &ClusterObject<'d>) -> bool {
        let pods = self.cluster.objects.in_namespace(ObservedKind::Pod, service.namespace);
        !service.selector().is_empty() && !pods.is_empty() && !pods.iter().any(service.pod_matcher())
    }
}

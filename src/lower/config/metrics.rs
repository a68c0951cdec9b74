//! `metrics`: what all instances share, and the instances (`metrics.libsonnet`).

use super::assets::Assets;
use super::fields::Fields;
use super::origin::Trace;
use super::scrape_job::JobRules;
use super::{DATA_DIRECTORY, Scope, additional, external_labels, pod_monitor, probe, remote_write, service_monitor};
use crate::diagnostic::Diagnostic;
use crate::resolve::{Hierarchy, MetricsHierarchy};
use crate::yaml::Value;

/// The whole section.
pub(super) fn section<'d>(
    hierarchy: &Hierarchy<'d, 'd>,
    scope: Scope,
    trace: Trace<'_, 'd>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Fields<'d> {
    let rules = JobRules::new(hierarchy.agent, &hierarchy.secrets, trace);
    let instances = hierarchy.metrics.iter().map(|metrics| {
        let mut jobs = match scope {
            Scope::Full => monitored(&rules, metrics).collect(),
            Scope::Instances => Vec::new(),
        };
        jobs.extend(additional(hierarchy, metrics, trace, diagnostics));
        instance(hierarchy, metrics, jobs, trace).into()
    });
    let instances = instances.collect();
    head(hierarchy, scope, trace).list("configs", instances)
}

/// What the agent says of all instances.
pub(super) fn shared<'d>(hierarchy: &Hierarchy<'d, 'd>) -> Fields<'d> {
    head(hierarchy, Scope::Full, Trace::off())
}

fn head<'d>(hierarchy: &Hierarchy<'d, 'd>, scope: Scope, trace: Trace<'_, 'd>) -> Fields<'d> {
    Fields::new()
        .always("wal_directory", DATA_DIRECTORY)
        .always("global", global(hierarchy, scope, trace))
}

/// The jobs in the Secret that an instance names.
fn additional<'d>(
    hierarchy: &Hierarchy<'d, 'd>,
    metrics: &MetricsHierarchy<'d, 'd>,
    trace: Trace<'_, 'd>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Value<'d>> {
    let selector = metrics.instance.spec.additional_scrape_configs.as_ref();
    additional::scrape_configs(metrics.instance, selector, &hierarchy.secrets, trace, diagnostics)
}

fn global<'d>(hierarchy: &Hierarchy<'d, 'd>, scope: Scope, trace: Trace<'_, 'd>) -> Fields<'d> {
    let metrics = &hierarchy.agent.spec.metrics;
    let site = trace.resource(hierarchy.agent);
    let assets = Assets::new(&hierarchy.secrets, hierarchy.agent.meta.namespace);
    Fields::new()
        .object(
            "external_labels",
            external_labels::of_metrics(hierarchy.agent, scope, site),
        )
        .origin_of("external_labels", site.at("spec.metrics.externalLabels").mark())
        .text("scrape_interval", metrics.scrape_interval)
        .origin_of("scrape_interval", site.at("spec.metrics.scrapeInterval").mark())
        .text("scrape_timeout", metrics.scrape_timeout)
        .origin_of("scrape_timeout", site.at("spec.metrics.scrapeTimeout").mark())
        .list(
            "remote_write",
            remote_write::all(&metrics.remote_write, assets, site.at("spec.metrics.remoteWrite")),
        )
}

/// An instance with these jobs.
pub(super) fn instance<'d>(
    hierarchy: &Hierarchy<'d, 'd>,
    metrics: &MetricsHierarchy<'d, 'd>,
    jobs: Vec<Value<'d>>,
    trace: Trace<'_, 'd>,
) -> Fields<'d> {
    let (meta, spec) = (&metrics.instance.meta, &metrics.instance.spec);
    let site = trace.resource(metrics.instance);
    let assets = Assets::new(&hierarchy.secrets, meta.namespace);
    Fields::new()
        .origin(site.mark())
        .always("name", format!("{}/{}", meta.namespace, meta.name))
        .text("wal_truncate_frequency", spec.wal_truncate_frequency)
        .text("min_wal_time", spec.min_wal_time)
        .text("max_wal_time", spec.max_wal_time)
        .text("remote_flush_deadline", spec.remote_flush_deadline)
        .flag("write_stale_on_shutdown", spec.write_stale_on_shutdown == Some(true))
        .list(
            "remote_write",
            remote_write::all(&spec.remote_write, assets, site.at("spec.remoteWrite")),
        )
        .list("scrape_configs", jobs)
}

/// The scrape jobs of an instance, made anew each time.
pub(super) struct Jobs<'a, 'd> {
    rules: JobRules<'a, 'd>,
    metrics: &'a MetricsHierarchy<'d, 'd>,
    additional: Vec<Value<'d>>,
}

impl<'d> Jobs<'_, 'd> {
    /// Passes each job on.
    pub(super) fn each(&self, pass: &mut dyn FnMut(&Value<'d>)) {
        monitored(&self.rules, self.metrics).for_each(|job| pass(&job));
        self.additional.iter().filter(|job| **job != Value::Null).for_each(pass);
    }

    fn is_empty(&self) -> bool {
        self.additional.is_empty() && monitored(&self.rules, self.metrics).next().is_none()
    }
}

/// The whole section without its jobs, and those of each instance: they stand in it as [`Value::Later`].
pub(super) fn outline<'a, 'd>(
    hierarchy: &'a Hierarchy<'d, 'd>,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Fields<'d>, Vec<Jobs<'a, 'd>>) {
    let jobs = hierarchy.metrics.iter().map(|metrics| Jobs {
        rules: JobRules::new(hierarchy.agent, &hierarchy.secrets, Trace::off()),
        metrics,
        additional: additional(hierarchy, metrics, Trace::off(), diagnostics),
    });
    let jobs: Vec<_> = jobs.collect();
    let instances = jobs.iter().enumerate().map(|(number, jobs)| {
        let later = (!jobs.is_empty()).then_some(Value::Later(number));
        instance(hierarchy, jobs.metrics, Vec::new(), Trace::off())
            .option("scrape_configs", later)
            .into()
    });
    let instances = instances.collect();
    (
        head(hierarchy, Scope::Full, Trace::off()).list("configs", instances),
        jobs,
    )
}

/// The jobs of an instance's monitors.
fn monitored<'d>(rules: &JobRules<'_, 'd>, metrics: &MetricsHierarchy<'d, 'd>) -> impl Iterator<Item = Value<'d>> {
    let service_monitors = metrics.service_monitors.iter();
    let pod_monitors = metrics.pod_monitors.iter();
    let probes = metrics.probes.iter();
    service_monitors
        .flat_map(|monitor| service_monitor::jobs(rules, monitor))
        .chain(pod_monitors.flat_map(|monitor| pod_monitor::jobs(rules, monitor)))
        .chain(probes.filter_map(|probe| probe::job(rules, probe)))
}

//! `metrics`: what all instances share, and the instances (`metrics.libsonnet`).

use super::assets::Assets;
use super::fields::Fields;
use super::scrape_job::JobRules;
use super::{DATA_DIRECTORY, Scope, additional, external_labels, pod_monitor, probe, remote_write, service_monitor};
use crate::diagnostic::Diagnostic;
use crate::resolve::{Hierarchy, MetricsHierarchy};
use crate::yaml::Value;

/// The whole section.
pub(super) fn section<'d>(
    hierarchy: &Hierarchy<'d, 'd>,
    scope: Scope,
    diagnostics: &mut Vec<Diagnostic>,
) -> Fields<'d> {
    let rules = JobRules::new(hierarchy.agent, &hierarchy.secrets);
    let instances = hierarchy.metrics.iter().map(|metrics| {
        let mut jobs = match scope {
            Scope::Full => monitored(&rules, metrics),
            Scope::Instances => Vec::new(),
        };
        let text = metrics.instance.spec.additional_scrape_configs.as_ref();
        jobs.extend(additional::scrape_configs(
            metrics.instance,
            text,
            &hierarchy.secrets,
            diagnostics,
        ));
        instance(hierarchy, metrics, jobs).into()
    });
    let instances = instances.collect();
    head(hierarchy, scope).list("configs", instances)
}

/// What the agent says of all instances.
pub(super) fn shared<'d>(hierarchy: &Hierarchy<'d, 'd>) -> Fields<'d> {
    head(hierarchy, Scope::Full)
}

fn head<'d>(hierarchy: &Hierarchy<'d, 'd>, scope: Scope) -> Fields<'d> {
    Fields::new()
        .always("wal_directory", DATA_DIRECTORY)
        .always("global", global(hierarchy, scope))
}

fn global<'d>(hierarchy: &Hierarchy<'d, 'd>, scope: Scope) -> Fields<'d> {
    let metrics = &hierarchy.agent.spec.metrics;
    let assets = Assets::new(&hierarchy.secrets, hierarchy.agent.meta.namespace);
    Fields::new()
        .object("external_labels", external_labels::of_metrics(hierarchy.agent, scope))
        .text("scrape_interval", metrics.scrape_interval)
        .text("scrape_timeout", metrics.scrape_timeout)
        .list("remote_write", remote_write::all(&metrics.remote_write, assets))
}

/// An instance with these jobs.
pub(super) fn instance<'d>(
    hierarchy: &Hierarchy<'d, 'd>,
    metrics: &MetricsHierarchy<'d, 'd>,
    jobs: Vec<Value<'d>>,
) -> Fields<'d> {
    let (meta, spec) = (&metrics.instance.meta, &metrics.instance.spec);
    let assets = Assets::new(&hierarchy.secrets, meta.namespace);
    Fields::new()
        .always("name", format!("{}/{}", meta.namespace, meta.name))
        .text("wal_truncate_frequency", spec.wal_truncate_frequency)
        .text("min_wal_time", spec.min_wal_time)
        .text("max_wal_time", spec.max_wal_time)
        .text("remote_flush_deadline", spec.remote_flush_deadline)
        .flag("write_stale_on_shutdown", spec.write_stale_on_shutdown == Some(true))
        .list("remote_write", remote_write::all(&spec.remote_write, assets))
        .list("scrape_configs", jobs)
}

/// The jobs of an instance's monitors.
fn monitored<'d>(rules: &JobRules<'_, 'd>, metrics: &MetricsHierarchy<'d, 'd>) -> Vec<Value<'d>> {
    let mut jobs = Vec::with_capacity(metrics.service_monitors.len() + metrics.pod_monitors.len());
    jobs.extend(
        metrics
            .service_monitors
            .iter()
            .flat_map(|monitor| service_monitor::jobs(rules, monitor)),
    );
    jobs.extend(
        metrics
            .pod_monitors
            .iter()
            .flat_map(|monitor| pod_monitor::jobs(rules, monitor)),
    );
    jobs.extend(metrics.probes.iter().filter_map(|probe| probe::job(rules, probe)));
    jobs
}

//! `logs`: the instances (`logs.libsonnet`).

use super::fields::Fields;
use super::origin::Trace;
use super::{DATA_DIRECTORY, Scope, additional, logs_client, pod_logs};
use crate::diagnostic::Diagnostic;
use crate::resolve::{Hierarchy, LogsHierarchy};
use crate::yaml::Value;

/// The whole section.
pub(super) fn section<'d>(
    hierarchy: &Hierarchy<'d, 'd>,
    scope: Scope,
    trace: Trace<'_, 'd>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Fields<'d> {
    let instances = hierarchy.logs.iter().map(|logs| {
        let mut jobs = match scope {
            Scope::Full => pod_logs::jobs(hierarchy, &logs.pod_logs, trace, diagnostics),
            Scope::Instances => Vec::new(),
        };
        let text = logs.instance.spec.additional_scrape_configs.as_ref();
        jobs.extend(additional::scrape_configs(
            logs.instance,
            text,
            &hierarchy.secrets,
            trace,
            diagnostics,
        ));
        instance(hierarchy, logs, jobs, trace).into()
    });
    let instances = instances.collect();
    Fields::new()
        .always("positions_directory", DATA_DIRECTORY)
        .list("configs", instances)
}

/// An instance with these jobs.
pub(super) fn instance<'d>(
    hierarchy: &Hierarchy<'d, 'd>,
    logs: &LogsHierarchy<'d, 'd>,
    jobs: Vec<Value<'d>>,
    trace: Trace<'_, 'd>,
) -> Fields<'d> {
    let (meta, spec) = (&logs.instance.meta, &logs.instance.spec);
    let target_config = spec.target_config.as_ref();
    let site = trace.resource(logs.instance);
    Fields::new()
        .origin(site.mark())
        .always("name", format!("{}/{}", meta.namespace, meta.name))
        .list("clients", logs_client::all(hierarchy, logs.instance, trace))
        .list("scrape_configs", jobs)
        .option(
            "target_config",
            target_config.map(|config| Fields::new().text("sync_period", config.sync_period)),
        )
        .origin_of("target_config", site.at("spec.targetConfig").mark())
}

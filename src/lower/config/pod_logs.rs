//! PodLogs → scrape job (`pod_logs.libsonnet`).

use super::assets::Assets;
use super::fields::Fields;
use super::kubernetes_sd::{Discovery, Role};
use super::origin::{Site, Trace};
use super::relabel::{self, Labelled, Relabelings};
use super::stages;
use crate::api::{PodLogs, Resource};
use crate::diagnostic::Diagnostic;
use crate::resolve::Hierarchy;
use crate::yaml::Value;

/// A job for each.
pub(super) fn jobs<'d>(
    hierarchy: &Hierarchy<'d, 'd>,
    pod_logs: &[&'d Resource<'d, PodLogs<'d>>],
    trace: Trace<'_, 'd>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Value<'d>> {
    let agent = hierarchy.agent;
    let assets = Assets::new(&hierarchy.secrets, agent.meta.namespace);
    let (logs, root) = (&agent.spec.logs, trace.resource(agent));
    let ignoring = root.at("spec.logs.ignoreNamespaceSelectors");
    let discovery = Discovery::new(&agent.spec, assets, logs.ignore_namespace_selectors, ignoring);
    let enforced = root.at("spec.logs.enforcedNamespaceLabel");
    let job = |resource: &&'d Resource<'d, PodLogs<'d>>| {
        let (namespace, spec) = (resource.meta.namespace, &resource.spec);
        let site = trace.resource(resource);
        Fields::new()
            .origin(site.mark())
            .always("job_name", format!("podLogs/{namespace}/{}", resource.meta.name))
            .always(
                "kubernetes_sd_configs",
                discovery.configs(
                    Role::Pod,
                    &spec.namespace_selector,
                    namespace,
                    site.at("spec.namespaceSelector"),
                ),
            )
            .list(
                "pipeline_stages",
                stages::all(resource, site.at("spec.pipelineStages"), diagnostics),
            )
            .always(
                "relabel_configs",
                relabelings(resource, site).enforce_namespace(logs.enforced_namespace_label, namespace, enforced),
            )
            .into()
    };
    pod_logs.iter().map(job).collect()
}

/// All rules up to those of the resource.
fn relabelings<'a, 'd>(resource: &Resource<'d, PodLogs<'d>>, site: Site<'a, 'd>) -> Relabelings<'a, 'd> {
    let (meta, spec) = (&resource.meta, &resource.spec);
    let path = relabel::reading(["__meta_kubernetes_pod_uid", "__meta_kubernetes_pod_container_name"])
        .always("target_label", "__path__")
        .always("separator", "/")
        .always("replacement", "/var/log/pods/*$1/*.log");
    Relabelings::new(site)
        .select(Labelled::Pod, &spec.selector, site.at("spec.selector"))
        .object_labels()
        .copy_labels(Labelled::Pod, &spec.pod_target_labels, site.at("spec.podTargetLabels"))
        .rule(relabel::set("job", format!("{}/{}", meta.namespace, meta.name)))
        .job_label(Labelled::Pod, spec.job_label)
        .rule(path)
        .configured(&spec.relabelings, site.at("spec.relabelings"))
}

//! Conversion of a Probe to a scrape job (`probe.libsonnet`). Probes are not sharded and have no limits.

use super::relabel::{self, LabelNames, RelabelRule, Relabelings};
use super::scrape_job::{JobRules, ScrapeJob, TargetSource};
use super::{DiscoveryRole, HttpClient, Origin};
use crate::api::{IngressTargets, Probe, Resource};

/// Returns a Probe's job, or `None` if the Probe has no targets, which has already been reported.
pub(super) fn job<'d>(rules: &JobRules<'d>, resource: &'d Resource<'d, Probe<'d>>) -> Option<ScrapeJob<'d>> {
    let (spec, namespace) = (&resource.spec, resource.meta.namespace);
    let origin = Origin::new(resource);
    let job_name = || relabel::set("job", spec.job_name).from(origin.at("spec.jobName"));
    let relabelings = rules.relabelings(origin).rules((!spec.job_name.is_empty()).then(job_name));
    let (targets, relabelings) = match (&spec.targets.static_config, &spec.targets.ingress) {
        (Some(config), _) => (
            TargetSource::Static { config, namespace, origin: origin.at("spec.targets.staticConfig") },
            relabelings
                .rule(relabel::copy("__address__", "__param_target"))
                .rules(prober_rules(spec, origin))
                .configured_rules(&config.relabeling_configs, origin.at("spec.targets.staticConfig.relabelingConfigs")),
        ),
        (None, Some(ingress)) => (
            rules.discover(
                DiscoveryRole::Ingress,
                &ingress.namespace_selector,
                namespace,
                origin.at("spec.targets.ingress.namespaceSelector"),
            ),
            ingress_rules(relabelings, ingress, origin.at("spec.targets.ingress.selector"))
                .rules(prober_rules(spec, origin))
                .configured_rules(&ingress.relabeling_configs, origin.at("spec.targets.ingress.relabelingConfigs")),
        ),
        (None, None) => return None,
    };
    Some(ScrapeJob {
        honor_timestamps: rules.honor_timestamps(Some(true)),
        interval: spec.interval,
        timeout: spec.scrape_timeout,
        path: match spec.prober.path {
            "" => "/probe",
            path => path,
        },
        scheme: spec.prober.scheme,
        params: vec![("module", std::slice::from_ref(&spec.module))],
        http: HttpClient::from_probe(spec, namespace),
        ..ScrapeJob::new(None, targets, rules.enforce_namespace(relabelings, namespace))
    })
}

fn ingress_rules<'d>(
    relabelings: Relabelings<'d>,
    ingress: &IngressTargets<'d>,
    selector: Origin<'d>,
) -> Relabelings<'d> {
    let url = RelabelRule {
        source_labels: LabelNames::Listed(&[
            "__meta_kubernetes_ingress_scheme",
            "__address__",
            "__meta_kubernetes_ingress_path",
        ]),
        separator: ";",
        regex: Some("(.+);(.+);(.+)".into()),
        action: "replace",
        ..relabel::set("__param_target", "$1://$2$3")
    };
    relabelings
        .select(DiscoveryRole::Ingress, &ingress.selector, selector)
        .rule(url)
        .rule(relabel::copy("__meta_kubernetes_namespace", "namespace"))
        .rule(relabel::copy("__meta_kubernetes_ingress_name", "ingress"))
}

/// Returns rules that scrape the prober and pass the target as a parameter.
fn prober_rules<'d>(spec: &Probe<'d>, origin: Origin<'d>) -> [RelabelRule<'d>; 2] {
    [
        relabel::copy("__param_target", "instance").from(origin),
        relabel::set("__address__", spec.prober.url).from(origin.at("spec.prober.url")),
    ]
}

//! Probe → scrape job (`probe.libsonnet`). Probes are not divided among shards, and have no limits.

use super::fields::{Fields, text_map, texts};
use super::kubernetes_sd::Role;
use super::origin::Site;
use super::relabel::{self, Labelled, Relabelings};
use super::scrape_job::{JobRules, Request, ScrapeJob, Targets};
use crate::api::{IngressTargets, Probe, Resource, StaticTargets};
use crate::yaml::{Mapping, Value};

/// The one job of a Probe; `None` without targets, which was reported when the hierarchy was resolved.
pub(super) fn job<'d>(rules: &JobRules<'_, 'd>, resource: &'d Resource<'d, Probe<'d>>) -> Option<Value<'d>> {
    let (spec, namespace) = (&resource.spec, resource.meta.namespace);
    let site = rules.site(resource);
    let job_name = || relabel::set("job", spec.job_name).origin(site.at("spec.jobName").mark());
    let relabelings = Relabelings::new(site).rules((!spec.job_name.is_empty()).then(job_name));
    let (targets, relabelings) = match (&spec.targets.static_config, &spec.targets.ingress) {
        (Some(config), _) => (
            Targets::Static(static_configs(config, namespace, site.at("spec.targets.staticConfig"))),
            relabelings
                .rule(relabel::copy("__address__", "__param_target"))
                .rules(to_prober(spec, site))
                .configured(
                    &config.relabeling_configs,
                    site.at("spec.targets.staticConfig.relabelingConfigs"),
                ),
        ),
        (None, Some(ingress)) => (
            Targets::Discovered(
                Role::Ingress,
                &ingress.namespace_selector,
                site.at("spec.targets.ingress.namespaceSelector"),
            ),
            ingress_rules(relabelings, ingress, site.at("spec.targets.ingress.selector"))
                .rules(to_prober(spec, site))
                .configured(
                    &ingress.relabeling_configs,
                    site.at("spec.targets.ingress.relabelingConfigs"),
                ),
        ),
        (None, None) => return None,
    };
    Some(rules.job(ScrapeJob {
        site,
        name: format!("probe/{namespace}/{}", resource.meta.name),
        namespace,
        honor_labels: None,
        honor_timestamps: rules.honor_timestamps(Some(true)),
        targets,
        request: request(spec),
        relabelings: rules.enforce_namespace(relabelings, namespace),
        metric_relabelings: &[],
        sample_limit: None,
        target_limit: None,
    }))
}

fn request<'d>(spec: &'d Probe<'d>) -> Request<'d> {
    let mut params = Mapping::new();
    params.push("module", texts(&[spec.module]));
    Request {
        interval: spec.interval,
        timeout: spec.scrape_timeout,
        path: if spec.prober.path.is_empty() {
            "/probe"
        } else {
            spec.prober.path
        },
        scheme: spec.prober.scheme,
        proxy_url: "",
        params,
        enable_http2: None,
        tls: spec.tls_config.as_ref(),
        bearer_token: &spec.bearer_token_secret,
        bearer_token_file: "",
        basic_auth: spec.basic_auth.as_ref(),
    }
}

/// The listed targets, always with the namespace as a label.
fn static_configs<'d>(config: &StaticTargets<'d>, namespace: &'d str, site: Site<'_, 'd>) -> Value<'d> {
    let mut labels = text_map(&config.labels);
    labels.set("namespace", namespace);
    let fields = Fields::new()
        .origin(site.mark())
        .texts("targets", &config.r#static)
        .always("labels", labels);
    Value::Sequence(vec![fields.into()])
}

fn ingress_rules<'a, 'd>(
    relabelings: Relabelings<'a, 'd>,
    ingress: &IngressTargets<'d>,
    selector: Site<'a, 'd>,
) -> Relabelings<'a, 'd> {
    let url = relabel::reading([
        "__meta_kubernetes_ingress_scheme",
        "__address__",
        "__meta_kubernetes_ingress_path",
    ])
    .always("separator", ";")
    .always("regex", "(.+);(.+);(.+)")
    .always("target_label", "__param_target")
    .always("replacement", "$1://$2$3")
    .always("action", "replace");
    relabelings
        .select(Labelled::Ingress, &ingress.selector, selector)
        .rule(url)
        .rule(relabel::copy("__meta_kubernetes_namespace", "namespace"))
        .rule(relabel::copy("__meta_kubernetes_ingress_name", "ingress"))
}

/// The target is a parameter; the prober is asked.
fn to_prober<'d>(spec: &Probe<'d>, site: Site<'_, 'd>) -> [Fields<'d>; 2] {
    [
        relabel::copy("__param_target", "instance").origin(site.mark()),
        relabel::set("__address__", spec.prober.url).origin(site.at("spec.prober.url").mark()),
    ]
}

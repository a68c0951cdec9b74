//! Monitors that Alloy discovers itself: `prometheus.operator.*` → `prometheus.remote_write`.

use super::rules::rule;
use crate::api::{Kind, LabelSelector};
use crate::diagnostic::Code;
use crate::output::alloy::write::catalog::prepare;
use crate::output::alloy::write::environment::has_variables;
use crate::output::alloy::write::labels::identity_label;
use crate::output::alloy::write::origins::ComponentSource;
use crate::output::alloy::write::syntax::{Body, Expression};
use crate::output::alloy::write::values::{self, nanoseconds};
use crate::output::alloy::write::writer::{ComponentGroup, Writer};
use crate::plan::{MetricsInstance, MonitorWatch, Origin, RelabelRule, SCRAPE_INTERVAL, SCRAPE_TIMEOUT, ScrapeJob};
use crate::resolve::SearchedNamespaces;

impl<'p> Writer<'p, '_> {
    /// Writes the component for all monitors of one kind.
    pub fn watch(
        &mut self,
        instance: &'p MetricsInstance<'p>,
        watch: &MonitorWatch<'p>,
        forward_to: Expression<'static>,
    ) {
        self.report_watch_losses(instance, watch);
        let namespaces = watch.names();
        // An empty list of names would select all namespaces.
        if namespaces.as_ref().is_some_and(Vec::is_empty) {
            return;
        }
        let meta = &instance.resource.meta;
        let component = match watch.kind {
            Kind::ServiceMonitor => "prometheus.operator.servicemonitors",
            Kind::PodMonitor => "prometheus.operator.podmonitors",
            _ => "prometheus.operator.probes",
        };
        let label = self.label(component, &identity_label(&[meta.namespace, meta.name]));
        let metrics = &self.plan.agent.spec.metrics;
        let client = self.plan.api_server();
        let client = client.map(|(host, http)| self.client(Body::new().with_text("api_server", host), http));
        let rules = self.plan.shard_rules().filter(|_| watch.kind != Kind::Probe);
        let (interval, timeout) = self.times("", "");
        let limit = metrics.enforced_sample_limit.filter(|_| watch.kind != Kind::Probe);
        let scrape = Body::new()
            .with_option("default_scrape_interval", without_default(SCRAPE_INTERVAL, interval))
            .with_option("default_scrape_timeout", without_default(SCRAPE_TIMEOUT, timeout))
            .with_option("default_sample_limit", limit.map(|limit| limit as f64));
        let scrape = prepare("operator.ScrapeOptions", scrape, self.environment.version);
        let mut body =
            Body::new().with("forward_to", forward_to).with_option("namespaces", namespaces.map(Expression::texts));
        if watch.kind == Kind::ServiceMonitor {
            body = body.with("allow_arbitrary_file_access", !metrics.arbitrary_fs_access_through_sms.deny);
        }
        let body = body
            .with_blocks("client", client)
            .with_blocks("selector", selector(watch.labels))
            .with_blocks("rule", rules.iter().flatten().map(rule))
            .with_blocks("scrape", Some(scrape).filter(|scrape| !scrape.0.is_empty()));
        self.comment(format!("{}s of MetricsInstance {}", watch.kind, meta.full_name()));
        self.put_component(ComponentGroup::Pipelines, component, &label, body, ComponentSource::Watch(watch));
    }

    /// Reports the differences between Alloy and the agent for all monitors of one kind.
    fn report_watch_losses(&mut self, instance: &'p MetricsInstance<'p>, watch: &MonitorWatch<'p>) {
        let kind = watch.kind;
        if let SearchedNamespaces::Labeled(names) = watch.namespaces {
            let message = match names.as_slice() {
                [] => format!("Alloy finds no {kind}s, because no namespace currently has these labels"),
                [name] => format!("Alloy finds {kind}s only in namespace `{name}`, which currently has these labels"),
                names => format!(
                    "Alloy finds {kind}s only in the {} namespaces that currently have these labels",
                    names.len()
                ),
            };
            let help = "render again when another namespace gets these labels, or select all namespaces with `{}`";
            self.report_loss(Code::FrozenNamespaces, watch.namespaces_origin(), &message, help);
        }
        let selected_resources = instance.hierarchy;
        let endpoints = selected_resources.monitors().filter(|monitor| monitor.header.kind == kind);
        let scrapes_finished_pods = |endpoint: &&crate::api::Endpoint<'_>| endpoint.filter_running.is_none();
        let unfiltered_count = endpoints.flat_map(|monitor| monitor.endpoints).filter(scrapes_finished_pods).count();
        if unfiltered_count > 0 {
            let endpoints = if unfiltered_count == 1 { "endpoint" } else { "endpoints" };
            let message =
                format!("Alloy excludes finished pods from {unfiltered_count} {endpoints} without `filterRunning`");
            let help = "set `filterRunning: false` to scrape them, or `filterRunning: true` to exclude them from the agent as well";
            self.report_loss(Code::FinishedPods, watch.labels_origin(), &message, help);
        }
        for job in instance.jobs().filter(|job| job.name.object.kind == kind) {
            self.report_watched_job_losses(&job);
        }
        for probe in selected_resources.probes.iter().filter(|_| kind == Kind::Probe) {
            let targets = probe.spec.targets.static_config.as_ref();
            if targets.is_some_and(|targets| targets.labels.get("namespace").is_some()) {
                let origin = Origin::new(probe).at("spec.targets.staticConfig.labels");
                let message = "in Alloy, the `namespace` label has the value set here; in the agent, it has the Probe's namespace";
                let help = "remove the `namespace` label, or change the queries that use it";
                self.report_loss(Code::ChangedLabel, origin, message, help);
            }
        }
    }

    /// Reports the differences between Alloy and the agent for an endpoint.
    fn report_watched_job_losses(&mut self, job: &ScrapeJob<'p>) {
        let (_, default_interval) = self.times("", "");
        let field = |probe, endpoint_field| match job.name.index {
            None => job.origin.at(probe),
            Some(_) => job.origin.key(endpoint_field),
        };
        // In `ScrapeConfig.Validate`, Prometheus treats the default as if the monitor had set it
        // (`generateDefaultScrapeConfig`).
        let is_short = nanoseconds(job.interval) < nanoseconds(default_interval) && !job.interval.is_empty();
        if job.timeout.is_empty() && is_short {
            let interval = nanoseconds(job.interval).map(values::format_prometheus).unwrap_or_default();
            let message = format!(
                "Alloy rejects this monitor, because its interval of {interval} is shorter than the default timeout of {default_interval}"
            );
            let help = "set `scrapeTimeout`";
            self.report_loss(Code::NotCollected, field("spec.interval", "interval"), &message, help);
        }
        let texts = [job.interval, job.timeout, job.path, job.scheme, job.http.proxy_url];
        let params = job.params.iter().flat_map(|(_, values)| values.iter().copied());
        let has_variable = texts.into_iter().chain(params).any(has_variables);
        let rules = job.relabelings.iter().chain(&job.metric_relabelings);
        let rule_origins = rules.filter(|rule| is_expanded(rule)).filter_map(|rule| rule.origin);
        let is_of_monitor = |origin: &Origin<'p>| origin.object() == job.name.object;
        let origins: Vec<_> =
            has_variable.then_some(job.origin).into_iter().chain(rule_origins).filter(is_of_monitor).collect();
        for origin in origins {
            let message = "the agent replaces variables and `$$` here, but Alloy does not";
            let help = "write the value that results from the replacement";
            self.report_loss(Code::LostSetting, origin, message, help);
        }
        let targets = self.relabeled_targets(job);
        self.report_discovery_losses(job, &targets);
    }
}

/// Returns the duration, or `None` if it is Alloy's default (`config.DefaultGlobalConfig` in
/// `configgen.generateDefaultScrapeConfig`).
fn without_default<'v>(default: &str, duration: &'v str) -> Option<&'v str> {
    (nanoseconds(duration) != nanoseconds(default)).then_some(duration)
}

/// Whether the agent replaces variables in a rule.
fn is_expanded(rule: &RelabelRule<'_>) -> bool {
    let texts = [&rule.regex, &rule.target_label, &rule.replacement];
    texts.into_iter().flatten().any(|text| has_variables(text)) || has_variables(rule.separator)
}

/// Returns the label selector for monitors, or `None` if it selects all of them.
fn selector<'v>(labels: &LabelSelector<'v>) -> Option<Body<'v>> {
    let expressions = labels.match_expressions.iter().map(|expression| {
        Body::new()
            .with("key", expression.key)
            .with("operator", expression.operator)
            .with("values", Expression::texts(expression.values.iter().copied()))
    });
    let body = Body::new()
        .with("match_labels", Expression::map(labels.match_labels.iter()))
        .with_blocks("match_expression", expressions);
    let is_empty = labels.match_labels.is_empty() && labels.match_expressions.is_empty();
    (!is_empty).then_some(body)
}

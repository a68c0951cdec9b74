//! Metrics: `discovery.*` → `discovery.relabel` → `prometheus.scrape` → `prometheus.relabel` →
//! `prometheus.remote_write`.

use std::borrow::Cow;

use super::free_form::agent_body;
use super::http::with_tls_of_oauth2;
use super::pipeline::ScrapePipeline;
use super::rules::RuleLines;
use crate::diagnostic::{Code, FieldPath};
use crate::flow::Presence;
use crate::output::agent::{kubernetes_sd, remote_write};
use crate::output::alloy::write::labels::{JobLabelParts, identity_label, job_labels};
use crate::output::alloy::write::origins::ComponentSource;
use crate::output::alloy::write::syntax::{Body, Expression, Statement};
use crate::output::alloy::write::target_rules::count_ineffective;
use crate::output::alloy::write::values;
use crate::output::alloy::write::writer::{ComponentGroup, Writer};
use crate::output::shares::for_each_share;
use crate::plan::{
    BearerToken, Discovery, DiscoveryRole, ExternalLabels, Instance, MAX_WAL_TIME, MIN_WAL_TIME, MetricsInstance,
    Origin, RemoteWriteClient, ScrapeJob, TRUNCATE_FREQUENCY, TargetSource, explicit_time, shared_times, shorter_time,
};
use crate::programs::integrations;

/// Time, in nanoseconds, that Alloy allows for sending pending samples when it stops (`remoteFlushDeadline` in
/// `remote_write.go`).
const FLUSH_DEADLINE: i64 = 60_000_000_000;

impl<'p> Writer<'p, '_> {
    /// Writes an instance, with or without its jobs, and returns the receivers of its samples.
    pub fn metrics(&mut self, instance: &'p MetricsInstance<'p>, with_jobs: bool) -> Expression<'static> {
        let meta = &instance.resource.meta;
        let label = self.label("prometheus.remote_write", &identity_label(&[meta.namespace, meta.name]));
        let receiver = Expression::Export("prometheus.remote_write", label.clone().into(), "receiver");
        let receivers = Expression::List(vec![receiver]);
        // Shared components are written before the first job, so that each job can be written immediately instead of
        // being buffered until the end.
        let watched_monitors = self.plan.watched_monitors(instance, self.settings.watcher());
        let watches = watched_monitors.as_ref().filter(|_| with_jobs);
        let has_jobs = with_jobs && watched_monitors.is_none();
        let job_outlines = has_jobs.then(|| instance.outlines()).into_iter().flatten();
        let job_label_parts: Vec<_> = job_outlines.map(|job| self.write_dependencies(&job)).collect();
        let labels: Vec<_> =
            job_labels(&job_label_parts).iter().map(|label| self.label("prometheus.scrape", label)).collect();
        let origin = Origin::new(instance.resource);
        self.for_each_additional(origin, &instance.additional_jobs, |writer, job, at| {
            writer.additional_job(job, receivers.clone(), at);
        });
        for watch in watches.into_iter().flatten() {
            self.watch(instance, watch, receivers.clone());
        }
        self.comment(format!("MetricsInstance {}", meta.full_name()));
        self.remote_write(instance, &label, with_jobs);
        self.open_jobs(ComponentGroup::Pipelines);
        let mut labels = labels.into_iter();
        let (environment, is_masked) = (self.environment.clone(), self.secrets.are_hidden());
        if has_jobs {
            for_each_share(
                Instance::Metrics(instance),
                |jobs| {
                    let lines = RuleLines::new(&jobs, &environment, is_masked);
                    (jobs, lines)
                },
                |(jobs, lines)| {
                    self.has_masked |= lines.has_masked;
                    for ((job, lines), label) in jobs.iter().zip(lines.rules_by_job()).zip(&mut labels) {
                        let rules = lines.map(|lines| Body::new().with_lines("rule", lines));
                        self.scrape_job(job, label, rules, receivers.clone());
                    }
                },
            );
        }
        self.flush();
        receivers
    }

    fn remote_write(&mut self, instance: &'p MetricsInstance<'p>, label: &str, with_replica: bool) {
        let (plan, spec) = (self.plan, &instance.resource.spec);
        let or_default = |text: &'p str, default| if text.is_empty() { default } else { text };
        // The agent's defaults are written, because they differ from Alloy's.
        let frequency = or_default(spec.wal_truncate_frequency, TRUNCATE_FREQUENCY);
        let (minimum, maximum) =
            (or_default(spec.min_wal_time, MIN_WAL_TIME), or_default(spec.max_wal_time, MAX_WAL_TIME));
        let minimum = match (values::nanoseconds(minimum), values::nanoseconds(maximum)) {
            // Alloy rejects a minimum that is equal to the maximum.
            (Some(least), Some(most)) if least == most => Cow::Owned(values::format_duration(most.saturating_sub(1))),
            _ => Cow::Borrowed(minimum),
        };
        let wal = Body::new()
            .with("truncate_frequency", frequency)
            .with("min_keepalive_time", minimum)
            .with("max_keepalive_time", maximum);
        let labels =
            ExternalLabels { replica: plan.external_labels.replica.filter(|_| with_replica), ..plan.external_labels };
        let endpoints: Vec<_> =
            plan.effective_receivers(instance).iter().map(|receiver| self.endpoint(receiver)).collect();
        let body = Body::new()
            .with("external_labels", self.external_labels(labels))
            .with_blocks("endpoint", endpoints)
            .with_block("wal", wal);
        self.put_component(
            ComponentGroup::Receivers,
            "prometheus.remote_write",
            label,
            body,
            ComponentSource::RemoteWrite(instance),
        );
        let origin = Origin::new(instance.resource);
        let deadline = values::nanoseconds(spec.remote_flush_deadline);
        let losses = [
            (
                spec.write_stale_on_shutdown == Some(true),
                "spec.writeStaleOnShutdown",
                "Alloy does not write staleness markers when it stops",
            ),
            (
                deadline.is_some_and(|deadline| deadline != FLUSH_DEADLINE),
                "spec.remoteFlushDeadline",
                "when Alloy stops, it sends pending samples for up to one minute, regardless of this field",
            ),
        ];
        for (_, field, message) in losses.into_iter().filter(|(is_set, ..)| *is_set) {
            let help = "remove the field once you no longer use the agent";
            self.report_loss(Code::LostOnShutdown, origin.at(field), message, help);
        }
    }

    /// Returns the labels to add to all samples that are sent.
    pub fn external_labels(&self, labels: ExternalLabels<'p>) -> Expression<'p> {
        Expression::map(labels.values(&self.plan.agent.meta))
    }

    fn endpoint(&self, receiver: &'p RemoteWriteClient<'p>) -> Body<'p> {
        let fields = remote_write(receiver, self.plan.secrets).0;
        let mut body = agent_body("remotewrite.EndpointOptions", &fields);
        // Alloy sends no metadata, regardless of the settings.
        body.take_block("metadata_config");
        body.0.retain(|statement| match statement {
            Statement::Block(block) => block.name != "queue_config" || !block.body.0.is_empty(),
            _ => true,
        });
        // The agent enables HTTP/2 by default.
        with_tls_of_oauth2(body.with("enable_http2", true))
    }

    /// Writes the components that a job outline depends on, and returns the parts of the label for the job's
    /// components.
    fn write_dependencies(&mut self, job: &ScrapeJob<'p>) -> JobLabelParts<'p> {
        if let TargetSource::Discovered(discovery) = &job.targets {
            self.discovery_targets(discovery);
        }
        if job.http.basic_auth.is_some() || matches!(job.http.bearer_token, Some(BearerToken::Secret(_))) {
            let client = self.client(Body::new(), job.http);
            self.block("prometheus.scrape", "", client);
        }
        let (name, port, path) = (job.name, job.port, job.path);
        JobLabelParts { name, port, path }
    }

    /// Returns the targets of a discovery. Its component is written only once for all jobs.
    fn discovery_targets(&mut self, discovery: &Discovery<'p>) -> Expression<'static> {
        let key = (discovery.role, discovery.namespaces);
        if !self.discovery_targets.contains_key(&key) {
            let body = self.kubernetes(discovery);
            let name = discovery_name(discovery);
            let targets = self.discovery("discovery.kubernetes", &name, body, ComponentSource::Discovery(discovery));
            self.discovery_targets.insert(key, targets);
        }
        self.discovery_targets.get(&key).cloned().unwrap_or(Expression::Null)
    }

    fn scrape_job<'v>(
        &mut self,
        job: &ScrapeJob<'p>,
        label: String,
        [rules, sample_rules]: [Body<'v>; 2],
        forward_to: Expression<'static>,
    ) where
        'p: 'v,
    {
        let targets = match &job.targets {
            TargetSource::Discovered(discovery) => self.discovery_targets(discovery),
            TargetSource::Static { config, namespace, .. } => {
                let mut labels = config.labels.clone();
                labels.insert("namespace", namespace);
                let target = |&address: &&'p str| target(address, labels.iter());
                targets(Vec::new(), config.r#static.iter().map(target).collect())
            }
        };
        let params =
            job.params.iter().map(|(name, values)| ((*name).into(), Expression::texts(values.iter().copied())));
        let (interval, timeout) = self.times(job.interval, job.timeout);
        let scrape = Body::new()
            .with_option("honor_labels", job.honor_labels)
            .with_option("honor_timestamps", job.honor_timestamps)
            .with("params", Expression::Object(params.collect()))
            .with("scrape_interval", interval)
            .with("scrape_timeout", timeout)
            .with_text("metrics_path", job.path)
            .with_text("scheme", job.scheme)
            .with_option("sample_limit", job.sample_limit.map(|limit| limit as f64))
            .with_option("target_limit", job.target_limit.map(|limit| limit as f64));
        let scrape = self.client(scrape, job.http);
        let relabeled_targets = self.relabeled_targets(job);
        self.report_job_losses(job, &relabeled_targets);
        let object = job.name.object;
        let endpoint = job.name.index.map(|index| format!(", endpoint {index}"));
        let (kind, endpoint) = (object.kind, endpoint.unwrap_or_default());
        self.comment(format!("{kind} {}/{}{endpoint}", object.namespace, object.name));
        let pipeline = ScrapePipeline {
            label,
            job_name: job.name.text().into(),
            targets,
            has_job: relabeled_targets.job != Presence::Never,
            rules,
            scrape,
            sample_rules,
            component_source: ComponentSource::Job {
                job,
                presets: 0,
                unused: count_ineffective(&job.relabelings),
                logs: None,
            },
        };
        self.pipeline(pipeline, forward_to);
    }

    /// Returns the interval and timeout of a job after applying the agent's settings. Zero is treated as unset.
    pub fn times<'v>(&self, interval: &'v str, timeout: &'v str) -> (&'v str, &'v str)
    where
        'p: 'v,
    {
        let [shared_interval, default] = shared_times(&self.plan.agent.spec.metrics);
        let interval = explicit_time(interval).unwrap_or(shared_interval);
        // If the timeout exceeds the interval, neither program starts. `check` reports this.
        (interval, shorter_time(explicit_time(timeout).unwrap_or(default), interval))
    }

    pub fn kubernetes(&self, discovery: &Discovery<'p>) -> Body<'p> {
        agent_body("discovery.kubernetes", &kubernetes_sd(discovery, self.plan.secrets).0)
    }

    /// Reports integration keys that Alloy has no equivalent for. For every `--target`, `check` reports keys that the
    /// agent does not recognize.
    pub fn report_lost_keys(&mut self, keys: Vec<FieldPath<'static>>, name: &str, origin: Origin<'p>) {
        let integration = integrations::find(name);
        for key in keys {
            if integration.is_some_and(|integration| !integration.config.has(&key)) {
                continue;
            }
            let message = format!("Alloy does not support `{key}` in the `{name}` integration");
            let help = "remove the field once you no longer use the agent";
            self.report_loss_below(Code::LostSetting, (origin, &key), &message, help);
        }
    }
}

/// End of the comment that precedes the components of an additional scrape job.
pub const ADDITIONAL: &str = " of additionalScrapeConfigs";

/// Returns the name of the objects that a role discovers.
pub fn role_objects(role: DiscoveryRole) -> String {
    match role {
        DiscoveryRole::Endpoints => "endpoints".to_owned(),
        DiscoveryRole::Ingress => "ingresses".to_owned(),
        role => format!("{}s", role.as_str()),
    }
}

/// Returns a name for a discovery, derived from its objects and namespaces.
pub fn discovery_name(discovery: &Discovery<'_>) -> String {
    let objects = role_objects(discovery.role);
    match discovery.namespaces.names() {
        None | Some([]) => objects,
        Some(names @ ([_] | [_, _])) => format!("{objects}_{}", names.join("_")),
        Some(names) => format!("{objects}_of_{}_namespaces", names.len()),
    }
}

fn target<'v>(address: &'v str, labels: impl Iterator<Item = (&'v str, &'v str)>) -> Expression<'v> {
    let mut entries: Vec<_> = labels.chain([("__address__", address)]).collect();
    entries.sort_unstable();
    Expression::map(entries)
}

/// Concatenates discovered and listed targets.
pub fn targets<'v>(discovered: Vec<Expression<'static>>, listed: Vec<Expression<'v>>) -> Expression<'v> {
    let target_lists = listed.into_iter().map(|target| Expression::List(vec![target]));
    let mut target_expressions: Vec<_> = discovered.into_iter().chain(target_lists).collect();
    match target_expressions.len() {
        0 => Expression::List(Vec::new()),
        1 => target_expressions.swap_remove(0),
        _ => Expression::Call("array.concat", target_expressions),
    }
}

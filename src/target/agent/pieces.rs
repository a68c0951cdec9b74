//! Configurations in pieces: what each resource becomes.

use super::configuration::{by_name, integrations, server};
use super::fields::Fields;
use super::hidden::hide;
use super::{logs, metrics};
use crate::api::ObjectRef;
use crate::plan::{ConfigKind, LogsJob, Plan, ScrapeJob, Secrets};
use crate::resolve::SecretStore;
use crate::yaml::{SecretSource, Value};

/// What a resource becomes in the configurations of an agent.
pub struct Piece<'p, 'd> {
    /// The resource; `None` for an additional scrape configuration.
    pub object: Option<ObjectRef<'p>>,
    content: Content<'p, 'd>,
    store: &'p SecretStore<'d, 'd>,
    secrets: Secrets,
}

/// What a piece consists of.
enum Content<'p, 'd> {
    /// The rest of an agent or instance, or an integration.
    Rest(Value<'p>),
    /// The scrape jobs of a monitor, each of which is made when its turn comes.
    Jobs(Box<dyn Iterator<Item = ScrapeJob<'d>> + 'd>),
    /// The scrape job of PodLogs.
    LogsJob(Box<LogsJob<'d>>),
    /// An additional scrape configuration.
    Additional(&'p Value<'static>),
}

impl Piece<'_, '_> {
    /// The names of its scrape jobs.
    pub fn job_names(self) -> Vec<String> {
        match self.content {
            Content::Rest(_) => Vec::new(),
            Content::Jobs(jobs) => jobs.map(|job| job.name.to_string()).collect(),
            Content::LogsJob(job) => vec![job.name.to_string()],
            Content::Additional(job) => {
                let name = job.get("job_name").and_then(Value::as_str);
                name.map(str::to_owned).into_iter().collect()
            }
        }
    }

    /// Passes on each scrape job with its name, or the value that the piece consists of.
    pub fn each_value(self, pass: &mut dyn FnMut(Option<String>, Value<'_>)) {
        let (store, secrets) = (self.store, self.secrets);
        let mut pass = |name: Option<String>, mut value: Value<'_>| {
            hide(&mut value, secrets, store);
            pass(name, value);
        };
        match self.content {
            Content::Rest(value) => pass(None, value),
            Content::Jobs(jobs) => {
                jobs.for_each(|job| pass(Some(job.name.to_string()), metrics::job(&job, store).into()));
            }
            Content::LogsJob(job) => pass(Some(job.name.to_string()), logs::job(&job, store).into()),
            Content::Additional(job) => {
                let name = job.get("job_name").and_then(Value::as_str);
                let value = match secrets.are_hidden() {
                    true => Value::secret(job.clone(), SecretSource::Field),
                    false => job.clone(),
                };
                pass(name.map(str::to_owned), value);
            }
        }
    }
}

/// What each resource of a plan becomes, and what the agent says of all of them. A monitor of several instances comes once for
/// each. Secrets appear in them like this.
pub fn pieces<'p, 'd>(plan: &'p Plan<'d>, secrets: Secrets) -> impl Iterator<Item = Piece<'p, 'd>> {
    let piece = move |object, content| Piece {
        object,
        content,
        store: plan.secrets,
        secrets,
    };
    let rest = move |object, value: Value<'p>| piece(Some(object), Content::Rest(value));
    let shared = (!plan.metrics.is_empty()).then(|| metrics::shared(plan, true));
    let agent = Fields::new().always("server", server(plan)).option("metrics", shared);
    let agent = rest(plan.agent.object_ref(), agent.into());
    let metrics = plan.metrics.iter().map(move |instance| {
        let value = metrics::instance(plan, instance, None);
        rest(instance.resource.object_ref(), value.into())
    });
    let logs = plan.logs.iter().map(move |instance| {
        let value = logs::instance(plan, instance, None);
        rest(instance.resource.object_ref(), value.into())
    });
    let wanted = plan.integrations.iter().filter(|integration| {
        let all_nodes = integration.resource.spec.r#type.all_nodes;
        plan.parts.contains(&ConfigKind::Integrations { all_nodes })
    });
    let alone = wanted.map(move |integration| {
        let section = integrations(&by_name(std::iter::once(integration)), secrets);
        rest(integration.resource.object_ref(), section.into())
    });
    let has_jobs = |part| plan.parts.contains(&part);
    let monitors = plan.metrics.iter().filter(move |_| has_jobs(ConfigKind::Metrics));
    let monitors = monitors.flat_map(|instance| instance.monitors());
    let monitors = monitors.map(move |(object, jobs)| piece(Some(object), Content::Jobs(jobs)));
    let pod_logs = plan.logs.iter().filter(move |_| has_jobs(ConfigKind::Logs));
    let pod_logs = pod_logs.flat_map(|instance| instance.jobs());
    let pod_logs = pod_logs.map(move |job| piece(Some(job.name.object), Content::LogsJob(Box::new(job))));
    let additional = plan.metrics.iter().map(|instance| &instance.additional);
    let additional = additional.chain(plan.logs.iter().map(|instance| &instance.additional));
    let additional = additional.flatten().flat_map(|additional| &additional.jobs).flatten();
    let additional = additional.map(move |job| piece(None, Content::Additional(job)));
    std::iter::once(agent)
        .chain(metrics)
        .chain(logs)
        .chain(alone)
        .chain(monitors)
        .chain(pod_logs)
        .chain(additional)
}

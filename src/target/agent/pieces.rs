//! Configurations in pieces: what each resource becomes.

use super::configuration::{integrations, server};
use super::fields::Fields;
use super::{logs, metrics};
use crate::api::ObjectRef;
use crate::plan::{Part, Plan};
use crate::yaml::Value;

/// What a resource becomes in the configurations of an agent.
pub struct Piece<'v> {
    /// The resource; `None` for an additional scrape configuration.
    pub object: Option<ObjectRef<'v>>,
    /// The names of the scrape jobs, where the resource is a monitor.
    pub jobs: Vec<String>,
    /// Each scrape job of a monitor, the rest of an instance, an integration.
    pub values: Vec<Value<'v>>,
}

/// Passes on what each resource of a plan becomes, and what the agent says of all of them. A monitor of several instances
/// comes once for each.
pub fn pieces(plan: &Plan<'_>, pass: &mut dyn FnMut(Piece<'_>)) {
    let mut resource = |object, value: Value<'_>| {
        pass(Piece {
            object: Some(object),
            jobs: Vec::new(),
            values: vec![value],
        });
    };
    let shared = (!plan.metrics.is_empty()).then(|| metrics::shared(plan, true));
    resource(
        plan.agent.object_ref(),
        Fields::new()
            .always("server", server(plan))
            .option("metrics", shared)
            .into(),
    );
    for instance in &plan.metrics {
        resource(
            instance.resource.object_ref(),
            metrics::instance(plan, instance, None).into(),
        );
    }
    for instance in &plan.logs {
        resource(
            instance.resource.object_ref(),
            logs::instance(plan, instance, None).into(),
        );
    }
    for integration in &plan.integrations {
        let all_nodes = integration.resource.spec.r#type.all_nodes;
        if plan.parts.contains(&Part::Integrations { all_nodes }) {
            let section = integrations(std::iter::once(integration));
            resource(integration.resource.object_ref(), section.into());
        }
    }
    let instances = plan.metrics.iter().filter(|_| plan.parts.contains(&Part::Metrics));
    for (object, jobs) in instances.flat_map(|instance| instance.monitors()) {
        let jobs: Vec<_> = jobs.collect();
        pass(Piece {
            object: Some(object),
            jobs: jobs.iter().map(|job| job.name.to_string()).collect(),
            values: jobs.iter().map(|job| metrics::job(job, plan.secrets).into()).collect(),
        });
    }
    let instances = plan.logs.iter().filter(|_| plan.parts.contains(&Part::Logs));
    for job in instances.flat_map(|instance| instance.jobs()) {
        pass(Piece {
            object: Some(job.name.object),
            jobs: vec![job.name.to_string()],
            values: vec![logs::job(&job, plan.secrets).into()],
        });
    }
    let metrics = plan.metrics.iter().map(|instance| &instance.additional);
    let logs = plan.logs.iter().map(|instance| &instance.additional);
    for job in metrics
        .chain(logs)
        .flatten()
        .flat_map(|additional| &additional.jobs)
        .flatten()
    {
        pass(Piece {
            object: None,
            jobs: job
                .get("job_name")
                .and_then(Value::as_str)
                .map(str::to_owned)
                .into_iter()
                .collect(),
            values: vec![job.clone()],
        });
    }
}

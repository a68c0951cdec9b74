//! Configuration in pieces, each from one resource.

use super::configuration::{by_name, instance, integrations, secret_jobs, server};
use super::fields::Fields;
use super::hidden::hide;
use super::metrics;
use crate::api::ObjectRef;
use crate::plan::{Instance, JobName, Plan, Secrets};
use crate::yaml::Value;

/// Kind of a piece.
pub enum Piece<'p> {
    /// Rest of an agent or instance, or an integration.
    Rest(ObjectRef<'p>),
    /// Monitor or PodLogs, whose jobs follow, if it has any.
    Monitor(ObjectRef<'p>),
    /// Scrape job of a monitor or PodLogs.
    Job(JobName<'p>),
    /// Additional scrape configuration and its name.
    Additional(&'p str),
}

/// Passes on the piece of each resource of a plan, and the pieces that all of them share. Jobs are created one at a
/// time; a monitor of several instances occurs once for each. Secrets are shown as `secrets` says.
pub fn each_piece<'p>(plan: &'p Plan<'p>, secrets: Secrets, pass: &mut dyn FnMut(Piece<'p>, Value<'_>)) {
    let mut pass = |piece: Piece<'p>, mut value: Value<'_>| {
        hide(&mut value, secrets, plan.secrets);
        pass(piece, value);
    };
    let shared = (!plan.metrics.is_empty()).then(|| metrics::shared(plan, true));
    let agent = Fields::new().always("server", server(plan)).option("metrics", shared);
    pass(Piece::Rest(plan.agent.object_ref()), agent.into());
    for one in plan.instances() {
        pass(
            Piece::Rest(one.resource().object_ref()),
            instance(plan, one, None).into(),
        );
    }
    for integration in &plan.integrations {
        if plan.parts.iter().any(|part| part.runs(&integration.resource.spec)) {
            let section = integrations(&by_name(std::iter::once(integration)), secrets);
            pass(Piece::Rest(integration.resource.object_ref()), section.into());
        }
    }
    let of_parts = plan.instances().filter(|of| plan.parts.contains(&of.part()));
    for (object, jobs) in of_parts.flat_map(Instance::monitors) {
        pass(Piece::Monitor(object), Value::Null);
        for job in jobs {
            pass(Piece::Job(job.name), metrics::job(&job, plan.secrets));
        }
    }
    let additional = plan.instances().filter_map(Instance::additional);
    for jobs in additional {
        for (job, value) in jobs.written(secrets).zip(secret_jobs(jobs, secrets)) {
            pass(Piece::Additional(job.text("job_name")), value);
        }
    }
}

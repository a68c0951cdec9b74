//! Configuration split into pieces, each generated from one resource.

use super::configuration::{by_name, instance, integrations, server};
use super::fields::FieldsBuilder;
use super::hidden::hide;
use super::metrics;
use crate::api::ObjectRef;
use crate::plan::{JobName, JobSource, Plan, SecretRepresentation};
use crate::yaml::Value;

/// Passes the pieces of a plan to `pass`: one piece per resource, and the pieces that all resources share. They contain
/// the names of secrets instead of their values.
///
/// For a monitor or PodLogs, a null comes first, followed by a named piece for each of its jobs, which are created one
/// at a time. A monitor that belongs to several instances occurs once per instance.
pub fn for_each_piece<'p>(plan: &'p Plan<'p>, pass: &mut dyn FnMut(ObjectRef<'p>, Option<JobName<'p>>, Value<'_>)) {
    let mut pass = |object, name, mut value: Value<'_>| {
        hide(&mut value, SecretRepresentation::Named, plan.secrets);
        pass(object, name, value);
    };
    let shared_section = (!plan.metrics.is_empty()).then(|| metrics::shared_section(plan, true));
    let agent = FieldsBuilder::new().always("server", server(plan)).option("metrics", shared_section);
    pass(plan.agent.object_ref(), None, agent.into());
    for plan_instance in plan.instances() {
        pass(plan_instance.resource().object_ref(), None, instance(plan, plan_instance, None).into());
    }
    for integration in &plan.integrations {
        if plan.parts.iter().any(|part| part.runs(&integration.resource.spec)) {
            let section = integrations(&by_name(std::iter::once(integration)), SecretRepresentation::Named);
            pass(integration.resource.object_ref(), None, section.into());
        }
    }
    let instances = plan.instances().filter(|instance| plan.parts.contains(&instance.part()));
    for instance in instances {
        let build = instance.builder();
        for monitor in instance.monitors() {
            let object = monitor.object_ref();
            pass(object, None, Value::Null);
            for job in JobSource::all(monitor).filter_map(&build) {
                pass(object, Some(job.name), metrics::job(&job, plan.secrets));
            }
        }
    }
}

//! Limit on repetition in an Alloy configuration: the labels of a group are repeated for each of its targets, and the
//! log clients for each job. The limit is checked before the configuration is written.

use super::free_form::entries;
use crate::api::{GrafanaAgent, Resource};
use crate::budget::{Budget, BudgetExhausted};
use crate::diagnostic::{Code, Diagnostic, FieldPath};
use crate::plan::{AdditionalJobs, Instance, LogsInstance, Plan};
use crate::yaml::Value;

/// Maximum total number of repeated labels and clients for all agents.
const MAX_REPEATED: u64 = 2_000_000;

/// Returns the budget for repetitions, which all agents share.
pub fn repetitions() -> Budget {
    Budget::new(MAX_REPEATED)
}

/// Charges the budget for the repetitions in an agent's configurations.
///
/// # Errors
///
/// Returns a finding if the remaining budget is too small.
pub fn spend_repetitions(plan: &Plan<'_>, left: &Budget) -> Result<(), Box<Diagnostic>> {
    let was_spent = left.spend(count_repetitions(plan));
    was_spent.map_err(|BudgetExhausted| Box::new(too_many_repetitions(plan.agent)))
}

/// Returns the number of labels on listed targets, including addresses, plus the number of client names.
pub fn count_repetitions(plan: &Plan<'_>) -> u64 {
    let additional = plan.instances().filter_map(Instance::additional_jobs);
    let labels = additional.map(count_listed_labels).sum::<u64>();
    let max_receivers = plan.logs.iter().map(|instance| instance.receivers.len()).max();
    let app_agent_receivers =
        plan.integrations.iter().filter(|integration| integration.config.get("logs_instance").is_some());
    let integration_count = (app_agent_receivers.count() * max_receivers.unwrap_or_default()) as u64;
    labels + integration_count + plan.logs.iter().map(count_clients_of_jobs).sum::<u64>()
}

fn count_clients_of_jobs(instance: &LogsInstance<'_>) -> u64 {
    let additional = instance.additional_jobs.iter().flat_map(|additional| &additional.jobs);
    let jobs = instance.jobs().count() + additional.flatten().count();
    (jobs * instance.receivers.len()) as u64
}

fn count_listed_labels(additional: &AdditionalJobs<'_>) -> u64 {
    let jobs = additional.jobs.iter().flatten();
    let groups = jobs.flat_map(|job| job.items("static_configs"));
    let group_size = |group: &Value<'_>| {
        let labels = group.get("labels").map_or(0, |labels| entries(labels).count());
        (group.items("targets").len() * (1 + labels)) as u64
    };
    groups.map(group_size).sum()
}

/// Finding for configurations that exceed the limit.
fn too_many_repetitions(agent: &Resource<'_, GrafanaAgent<'_>>) -> Diagnostic {
    let message = format!(
        "Alloy's configuration contains more than {MAX_REPEATED} copies: it repeats a target list's labels for each target, and the log clients for each job"
    );
    agent
        .finding(Code::OutputLimit, &FieldPath::parse("spec"), message)
        .help("set shared labels with a rule in the job's `relabel_configs`, and send logs to fewer clients")
}

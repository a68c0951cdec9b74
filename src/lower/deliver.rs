//! Objects → objects without the values of Secrets (`--secrets`).

use super::agents::{Failed, Options, lower, packed};
use crate::api::Resources;
use crate::diagnostic::{Diagnostic, Severity, Warned};
use crate::plan::{Part, Plan};
use crate::pods::{self, AgentObjects, Budget, Object, Objects, Role, external_secret};
use crate::resolve::{Hierarchy, Remote, SecretMode};

/// The objects as they are delivered (`--secrets`), for those who check nothing between.
pub fn render(
    resources: &Resources<'_>,
    hierarchies: &[Hierarchy<'_, '_>],
    mode: &SecretMode,
    options: &Options,
) -> Warned<Objects> {
    let lowered = lower(hierarchies, &resources.nodes, options);
    let mut delivered = deliver(lowered.output, hierarchies, resources, mode, options);
    delivered.diagnostics.splice(0..0, lowered.diagnostics);
    delivered
}

/// What is delivered of the objects of these hierarchies. They hold the values still: what was checked is what runs in
/// the end.
pub fn deliver(
    mut objects: Objects,
    hierarchies: &[Hierarchy<'_, '_>],
    resources: &Resources<'_>,
    mode: &SecretMode,
    options: &Options,
) -> Warned<Objects> {
    let mut diagnostics = Vec::new();
    let budget = Budget::new(options.max_output_size);
    for (agent, hierarchy) in objects.agents.iter_mut().zip(hierarchies) {
        match mode {
            SecretMode::Placeholder => diagnostics.extend(conceal(agent, hierarchy, &budget, options)),
            SecretMode::External(remote) if hierarchy.has_secret_values() => {
                make_external(agent, hierarchy, resources, remote);
            }
            SecretMode::External(_) | SecretMode::Inline => {}
        }
    }
    Warned {
        output: objects,
        diagnostics,
    }
}

/// Puts placeholders in the place of values. The warnings were given for the values; an error is new: the placeholders are
/// longer, and there are limits.
fn conceal(
    agent: &mut AgentObjects,
    hierarchy: &Hierarchy<'_, '_>,
    budget: &Budget,
    options: &Options,
) -> Vec<Diagnostic> {
    let hierarchy = hierarchy.concealed();
    let mut found = Vec::new();
    let plan = Plan::new(&hierarchy, &Part::of(&hierarchy), &mut found);
    let concealed = |object: Object| -> Result<Object, Failed> {
        let object = match object.role() {
            Role::Values => object.with_data(pods::values(&hierarchy.secrets)),
            Role::Configuration(part) => {
                object.with_configuration(&packed(&plan, part, &options.manifest.target, &mut Vec::new())?)
            }
            _ => object,
        };
        budget.take(&object)?;
        Ok(object)
    };
    let objects = std::mem::take(&mut agent.objects);
    let objects: Result<_, _> = objects.into_iter().map(concealed).collect();
    match objects {
        Ok(objects) => agent.objects = objects,
        Err(failed) => found.push(failed.diagnostic(hierarchy.agent, options)),
    }
    found.retain(|diagnostic| diagnostic.severity == Severity::Error);
    found
}

/// Puts an ExternalSecret, or nothing, in the place of `<agent>-secrets`.
fn make_external(agent: &mut AgentObjects, hierarchy: &Hierarchy<'_, '_>, resources: &Resources<'_>, remote: &Remote) {
    agent.has_external_values = true;
    let objects = std::mem::take(&mut agent.objects).into_iter();
    let delivered = objects.filter_map(|object| match object.role() {
        Role::Values => external_secret(hierarchy, resources, remote),
        _ => Some(object),
    });
    agent.objects = delivered.collect();
}

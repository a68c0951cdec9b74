//! Agents whose pods do not start, or whose pods lack files that the configuration refers to.

mod account;
mod containers;
mod data;
mod files;
mod images;
#[cfg(test)]
mod tests;

use super::rule::{Rule, RuleInput, RuleTarget, rule};
use crate::diagnostic::{Code, Diagnostic};
use crate::output::Target;
use crate::resolve::Hierarchy;

pub const RULES: &[Rule] = &[rule(
    &[Code::NeverStarts, Code::UnmergedContainer, Code::MissingVolumeSource, Code::MissingFile],
    RuleTarget::Hierarchy(check),
    "`MergePatchContainers` in the operator's `clientutil`; `MountVolume.SetUp` of the kubelet; `NewTLSConfig`",
)];

/// Reports the reasons that an agent's pods do not start or lack files.
fn check(input: &RuleInput<'_, '_>, hierarchy: &Hierarchy<'_, '_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    if !input.conditions.follows_labels {
        return findings;
    }
    let agent = hierarchy.agent;
    findings.extend(account::check(input.resources, agent));
    data::check(input.resources, agent, &mut findings);
    // Alloy's pods have other containers and images.
    if *input.conditions.target == Target::Agent {
        images::check(agent, &mut findings);
        containers::check(agent, &mut findings);
        files::check(input.resources, hierarchy, &mut findings);
    }
    findings
}

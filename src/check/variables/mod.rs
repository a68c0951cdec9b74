//! Variables in configuration strings. The config-reloader first replaces `$(NAME)`, and the agent then replaces
//! `${NAME}`.
//!
//! Reports a variable that is never set, as in `replacement: $(CLUSTER)`, because the config-reloader stops when it
//! encounters one. The agent runs with `-config.expand-env`, so a `${` that it cannot parse as a variable, as in
//! `replacement: ${a-b}`, is also reported.
//!
//! Whether a string becomes part of a configuration is determined from the configuration rather than from the string's
//! field: the variable names in the YAML are compared with the variable names in the resources that it is generated
//! from. Resources that no agent selects are checked by field.

mod diagnostics;
mod environment;
mod expansion;
#[cfg(test)]
mod tests;
mod texts;
mod unselected;

use std::collections::HashSet;

use super::credentials;
use super::rule::{Rule, RuleTarget, rule};
use super::strings::may_contribute_to;
use crate::api::{Kind, Resources};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::bound::Bound;
use crate::go::{envsubst, reloader};
use crate::manifest::{AgentObjects, ObjectRole, Objects};
use crate::output::{Variables, broken_start};
use crate::plan::ConfigKind;
use crate::resolve::references::Usage;
use crate::resolve::{Hierarchy, inlined_values};
use diagnostics::VariableProblem;
use environment::{ContainerVariables, is_operator_variable};
use texts::{for_each_text, names_a_group};

pub use expansion::Expansion;
pub use texts::may_have_variable;

pub const RULES: &[Rule] = &[
    rule(
        // The list of codes is empty, because other families also report some of these codes.
        &[],
        RuleTarget::Objects(check),
        "`expandEnv` of the config-reloader, `performEnvVarExpansion` of the agent",
    ),
    unselected::METRICS_INSTANCE_RULE,
    unselected::LOGS_INSTANCE_RULE,
    unselected::SERVICE_MONITOR_RULE,
    unselected::POD_MONITOR_RULE,
    unselected::PROBE_RULE,
    unselected::POD_LOGS_RULE,
    unselected::INTEGRATIONS_RULE,
];

/// Checks the variables in each agent's configurations.
fn check(resources: &Resources<'_>, hierarchies: &[Hierarchy<'_, '_>], objects: &Objects) -> Vec<Diagnostic> {
    let (mut findings, mut bound) = (Vec::new(), Bound::default());
    for (hierarchy, agent) in hierarchies.iter().zip(&objects.agents) {
        let object = hierarchy.agent.object_ref();
        if resources.rejected_fields.overlap(object, "spec.containers") {
            // The containers' variables are unknown.
            continue;
        }
        let checker =
            VariableChecker { resources, hierarchy, configurations: Configuration::for_agent(hierarchy, agent) };
        checker.check_secrets(&mut findings);
        if checker.configurations.iter().any(Configuration::is_suspicious) {
            checker.check_members(&mut findings, &mut bound);
            checker.check_jobs(&mut findings);
        }
        bound.reduce_and_keep(&mut findings, |findings| resources.rejected_fields.retain(findings));
    }
    findings
}

/// Variables in a configuration, and the variables that are set in the containers that read it.
struct Configuration<'a> {
    part: ConfigKind,
    variables: &'a Variables,
    reloader: ContainerVariables,
    agent: ContainerVariables,
}

impl<'a> Configuration<'a> {
    /// Returns the agent's configurations that contain variables beyond those that the operator writes to every
    /// configuration.
    fn for_agent(hierarchy: &Hierarchy<'_, '_>, agent: &'a AgentObjects) -> Vec<Self> {
        let secrets_have_dollar = has_dollar(hierarchy);
        let is_plain = |variables: &Variables| {
            let mut names = variables.reloader_names.iter();
            names.all(|name| !secrets_have_dollar && is_operator_variable(name))
                && variables.agent_names.is_empty()
                && variables.broken.is_empty()
        };
        let with_variables = agent.variables.iter().filter(|(_, variables)| !is_plain(variables));
        let configurations = with_variables.filter_map(|(part, variables)| {
            let workload = agent.objects.iter().find(|object| object.role() == ObjectRole::Pods(*part))?;
            let [reloader, agent] = ContainerVariables::for_workload(workload);
            Some(Self { part: *part, variables, reloader, agent })
        });
        configurations.collect()
    }

    /// Whether any variable is unset, in which case the strings need to be checked.
    fn is_suspicious(&self) -> bool {
        let Variables { reloader_names, agent_names, broken } = self.variables;
        let is_unset = |name: &String| !self.reloader.may_be_set(name);
        reloader_names.iter().any(is_unset)
            || agent_names.iter().any(|name| !self.agent.may_be_set(name))
            || !broken.is_empty()
    }

    /// Returns a string's first variable for which the config-reloader has no value.
    fn reloader_problem<'t>(&self, text: &'t str) -> Option<VariableProblem<'t>> {
        let mut names = reloader::find_references(text);
        let name =
            names.find(|name| self.variables.reloader_names.contains(*name) && !self.reloader.may_be_set(name))?;
        Some(VariableProblem::UnsetForReloader { name, is_tolerated: self.reloader.keeps_unset_variables() })
    }

    /// Returns a string's first variable that the agent's container does not set. If a reference cannot be parsed,
    /// returns that reference's problem instead.
    fn agent_problem<'t>(&self, text: &'t str) -> Option<VariableProblem<'t>> {
        match envsubst::parse_references(text) {
            Ok(references) => {
                let is_set = |name: &str| !self.variables.agent_names.contains(name) || self.agent.may_be_set(name);
                let mut unset = references.iter().filter_map(|reference| reference.find_unset(&is_set));
                unset.next().map(VariableProblem::Unset)
            }
            Err(start) => {
                let expression = text.get(start + "${".len()..).unwrap_or_default();
                let is_written = self.variables.broken.contains(broken_start(expression));
                is_written.then_some(VariableProblem::Broken)
            }
        }
    }
}

/// An agent's configurations, and the resources that they are generated from.
struct VariableChecker<'j, 'h, 'd> {
    resources: &'j Resources<'d>,
    hierarchy: &'j Hierarchy<'h, 'd>,
    configurations: Vec<Configuration<'j>>,
}

impl VariableChecker<'_, '_, '_> {
    /// Returns the configurations that a resource may be part of.
    fn configurations(&self, kind: Kind) -> impl Iterator<Item = &Configuration<'_>> {
        self.configurations.iter().filter(move |configuration| may_contribute_to(kind, configuration.part))
    }

    /// Checks the variables in each resource's strings.
    fn check_members(&self, findings: &mut Vec<Diagnostic>, bound: &mut Bound) {
        let mut seen_strings = HashSet::new();
        for member in self.hierarchy.members() {
            if !seen_strings.insert(member.object_ref()) || self.configurations(member.kind).next().is_none() {
                continue;
            }
            for_each_text(member.header(), &mut |text| {
                let reloader_problem = self
                    .configurations(member.kind)
                    .find_map(|configuration| configuration.reloader_problem(text.text));
                let agent_problem =
                    self.configurations(member.kind).find_map(|configuration| configuration.agent_problem(text.text));
                // A variable with the same name as a capture group is reported separately.
                let agent_problem = agent_problem.filter(|problem| match problem {
                    VariableProblem::Unset(name) => !names_a_group(name, (text.sibling_text)("regex")),
                    _ => true,
                });
                let agent_problem = agent_problem.map(|problem| match problem {
                    VariableProblem::Unset(name) if text.becomes_key() && is_reference(text.text, name) => {
                        VariableProblem::EmptyKey(name)
                    }
                    problem => problem,
                });
                let problems = reloader_problem.into_iter().chain(agent_problem);
                findings.extend(problems.map(|problem| diagnostics::text_finding(problem, member.header(), text)));
            });
            bound.keep(findings);
        }
    }

    /// Checks the Secret values that are written to a configuration.
    fn check_secrets(&self, findings: &mut Vec<Diagnostic>) {
        if !has_dollar(self.hierarchy) {
            return;
        }
        let mut seen_values = HashSet::new();
        for value in inlined_values(self.hierarchy) {
            let is_broken_in = |configuration: &Configuration<'_>| {
                configuration.agent_problem(&value.text) == Some(VariableProblem::Broken)
            };
            let configurations = || self.configurations(value.referrer.kind);
            let reloader_problem =
                configurations().find_map(|configuration| configuration.reloader_problem(&value.text));
            let agent_problem = configurations().any(is_broken_in).then_some(VariableProblem::Broken);
            let is_written = |name: &str| {
                configurations().any(|configuration| configuration.variables.reloader_names.contains(name))
            };
            if reloader_problem.is_none() && reloader::find_references(&value.text).any(is_written) {
                findings.push(credentials::variable_in_credential(&value));
            }
            for problem in reloader_problem.into_iter().chain(agent_problem) {
                // Many fields may refer to the same key.
                if seen_values.insert((value.key, problem == VariableProblem::Broken)) {
                    findings.push(diagnostics::secret_finding(problem, self.resources, &value));
                }
            }
        }
    }

    /// Checks the variables in scrape jobs that are stored in Secrets.
    fn check_jobs(&self, findings: &mut Vec<Diagnostic>) {
        for (referrer, reference) in &self.hierarchy.references {
            if reference.usage != Usage::ScrapeConfigs {
                continue;
            }
            let key = reference.key(referrer.meta.namespace);
            let Some(text) = self.hierarchy.secrets.text(&key) else {
                continue;
            };
            let configurations = || self.configurations(referrer.kind);
            let reloader_problem = configurations().find_map(|configuration| configuration.reloader_problem(&text));
            let agent_problem = configurations().find_map(|configuration| configuration.agent_problem(&text));
            let found_in =
                |problem| diagnostics::job_finding(problem, self.resources, *referrer, &reference.path, &key);
            findings.extend(reloader_problem.into_iter().chain(agent_problem).map(found_in));
        }
    }
}

/// Whether a string consists only of a reference to a variable.
fn is_reference(text: &str, name: &str) -> bool {
    let expression = text.strip_prefix("${").and_then(|text| text.strip_suffix('}'));
    expression == Some(name)
}

/// Whether any Secret value contains a dollar sign.
fn has_dollar(hierarchy: &Hierarchy<'_, '_>) -> bool {
    hierarchy.secrets.iter().any(|(_, value)| value.contains(&b'$'))
}

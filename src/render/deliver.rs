//! Objects → objects without the values of Secrets (`--secrets`).

use super::agents::{Options, Rendered, objects, packed};
use super::diagnostics;
use super::template::{Template, templates};
use crate::api::Resources;
use crate::diagnostic::{Diagnostic, Warned};
use crate::manifest::{
    self, AgentObjects, Budget, Exhausted, Object, Objects, Role, external_configuration, external_secret,
};
use crate::plan::{ConfigKind, Plan, Secrets};
use crate::resolve::{Hierarchy, Remote, SecretMode};

/// The objects as they are delivered (`--secrets`), for those who check nothing between.
pub fn delivered(
    resources: &Resources<'_>,
    hierarchies: &[Hierarchy<'_, '_>],
    mode: &SecretMode,
    options: &Options,
) -> Warned<Objects> {
    let rendered = objects(hierarchies, &resources.nodes, options);
    let mut delivered = deliver(rendered.output, hierarchies, resources, mode, options);
    delivered.diagnostics.splice(0..0, rendered.diagnostics);
    delivered
}

/// What is delivered of the objects of these hierarchies. They hold the values still: what was checked is what runs in
/// the end.
pub fn deliver(
    rendered: Rendered<'_>,
    hierarchies: &[Hierarchy<'_, '_>],
    resources: &Resources<'_>,
    mode: &SecretMode,
    options: &Options,
) -> Warned<Objects> {
    let Rendered { mut objects, plans } = rendered;
    let mut diagnostics = Vec::new();
    let budget = Budget::new(options.max_output_size);
    for ((agent, plan), hierarchy) in objects.agents.iter_mut().zip(&plans).zip(hierarchies) {
        let Some(plan) = plan else { continue };
        match mode {
            SecretMode::Placeholder => {
                diagnostics.extend(
                    with_placeholders(agent, (hierarchy, plan), &budget, options)
                        .err()
                        .map(|e| *e),
                );
            }
            SecretMode::External(remote) if hierarchy.has_secret_values() => {
                let delivery = External {
                    hierarchy,
                    plan,
                    resources,
                    remote,
                    budget: &budget,
                    options,
                };
                diagnostics.extend(delivery.deliver(agent));
            }
            SecretMode::External(_) | SecretMode::Inline => {}
        }
    }
    Warned {
        output: objects,
        diagnostics,
    }
}

/// Puts placeholders in the place of values. They are longer, and there are limits.
fn with_placeholders(
    agent: &mut AgentObjects,
    (hierarchy, plan): (&Hierarchy<'_, '_>, &Plan<'_>),
    budget: &Budget,
    options: &Options,
) -> Result<(), Box<Diagnostic>> {
    let replaced = |object: Object| -> Result<Object, Box<Diagnostic>> {
        let object = match object.role() {
            Role::Values => object.with_data(manifest::placeholders(hierarchy)),
            Role::Configuration(part) => {
                let configuration = packed(plan, part, Secrets::Placeholders, options, budget, &mut Vec::new())?;
                object.with_configuration(&configuration)
            }
            _ => object,
        };
        take(budget, object, options)
    };
    let objects = std::mem::take(&mut agent.objects);
    agent.objects = objects.into_iter().map(replaced).collect::<Result<_, _>>()?;
    Ok(())
}

/// An object, where the limit suffices for it.
fn take(budget: &Budget, object: Object, options: &Options) -> Result<Object, Box<Diagnostic>> {
    let taken = budget.take(&object).map(|()| object);
    taken.map_err(|Exhausted| Box::new(diagnostics::output_too_large(options.max_output_size)))
}

/// Maximum size of a Secret in bytes (`MaxSecretSize`).
const MAX_SECRET: usize = 1 << 20;

/// What delivers an agent whose values are kept elsewhere.
struct External<'o, 'h, 'd> {
    hierarchy: &'o Hierarchy<'h, 'd>,
    plan: &'o Plan<'o>,
    resources: &'o Resources<'d>,
    remote: &'o Remote,
    budget: &'o Budget,
    options: &'o Options,
}

impl External<'_, '_, '_> {
    /// Puts an ExternalSecret in the place of each configuration that holds values, and an ExternalSecret or nothing in the
    /// place of `<agent>-secrets`. Fields whose values cannot come from a template were reported.
    fn deliver(&self, agent: &mut AgentObjects) -> Vec<Diagnostic> {
        agent.has_external_values = true;
        let mut templates = match self.remote.reads_files {
            true => Vec::new(),
            false => templates(self.plan),
        };
        let mut found = Vec::new();
        let mut delivered = Vec::new();
        for object in std::mem::take(&mut agent.objects) {
            let external = match object.role() {
                Role::Values => external_secret(self.hierarchy, self.resources, self.remote),
                Role::Configuration(part) => match templates.iter().position(|(of, _)| *of == part) {
                    Some(at) => self.configuration(&object, templates.swap_remove(at), &mut found),
                    None => Some(object),
                },
                _ => Some(object),
            };
            match external.map(|object| take(self.budget, object, self.options)) {
                Some(Ok(object)) => delivered.push(object),
                Some(Err(failed)) => {
                    found.push(*failed);
                    break;
                }
                None => {}
            }
        }
        agent.objects = delivered;
        found
    }

    /// A template cannot compress: the whole text has to fit into the Secret.
    fn configuration(
        &self,
        secret: &Object,
        (part, (text, values)): (ConfigKind, Template<'_>),
        found: &mut Vec<Diagnostic>,
    ) -> Option<Object> {
        if text.len() > MAX_SECRET {
            let agent = self.hierarchy.agent;
            found.push(diagnostics::template_too_large(agent, secret, text.len(), MAX_SECRET));
        }
        let (resources, options) = (self.resources, &self.options.manifest);
        external_configuration(self.hierarchy, resources, self.remote, part, (text, &values), options)
    }
}

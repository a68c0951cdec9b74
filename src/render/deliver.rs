//! Objects → objects without the values of Secrets (`--secrets`).

use super::agents::{Options, objects, packed, plan};
use super::diagnostics;
use super::template::{Template, templates};
use crate::api::Resources;
use crate::diagnostic::{Diagnostic, Severity, Warned};
use crate::manifest::{
    self, AgentObjects, Budget, Exhausted, Object, Objects, Role, external_configuration, external_secret,
};
use crate::plan::Part;
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
                let delivery = External {
                    hierarchy,
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
    let plan = plan(&hierarchy, &options.manifest.target, &mut found);
    let concealed = |object: Object| -> Result<Object, Box<Diagnostic>> {
        let object = match object.role() {
            Role::Values => object.with_data(manifest::values(&hierarchy.secrets)),
            Role::Configuration(part) => {
                object.with_configuration(&packed(&plan, part, options, budget, &mut Vec::new())?)
            }
            _ => object,
        };
        take(budget, object, options)
    };
    let objects = std::mem::take(&mut agent.objects);
    let objects: Result<_, _> = objects.into_iter().map(concealed).collect();
    match objects {
        Ok(objects) => agent.objects = objects,
        Err(failed) => found.push(*failed),
    }
    found.retain(|diagnostic| diagnostic.severity == Severity::Error);
    found
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
            false => templates(self.hierarchy),
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
        (part, (text, values)): (Part, Template<'_>),
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

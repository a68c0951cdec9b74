//! ApplicationSets: the Applications that Argo CD generates from them (`applicationset/` in Argo CD).

mod cluster_params;
mod context;
mod flatten;
mod generators;
mod git;
mod list;
mod names;
mod params;
mod patch;
mod pathspec;
mod render;
mod selector;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::group::GROUP;
use crate::budget::Budget;
use crate::gitops::flux::is_of_group;
use crate::gitops::object::{Object, items, namespace, text, text_at};
use generators::Generators;
use params::{ExpansionFailure, Params};
use render::Renderer;

pub use cluster_params::is_cluster;
pub use context::GeneratorContext;

/// Limits on an ApplicationSet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetLimits {
    /// Maximum number of Applications.
    pub max_applications: usize,
    /// Maximum number of steps. Template nodes, values and bytes of results count as steps.
    pub max_steps: u64,
}

impl Default for SetLimits {
    fn default() -> Self {
        Self { max_applications: 5_000, max_steps: 50_000_000 }
    }
}

/// Result of expanding an ApplicationSet.
#[derive(Debug, Default, PartialEq)]
pub struct Expansion {
    pub applications: Vec<Object>,
    /// Reasons why parts of the ApplicationSet are skipped.
    pub skipped: Vec<String>,
    /// Error that Argo CD reports. If there is an error, there are no Applications.
    pub mistake: Option<String>,
}

/// Whether an object is an ApplicationSet, in any version of Argo CD's API.
pub fn is_application_set(object: &Object) -> bool {
    text(object, "kind") == "ApplicationSet" && is_of_group(object, GROUP)
}

/// Returns the Applications that an ApplicationSet generates (`GenerateApplications`).
pub fn expand(set: &Object, context: &GeneratorContext<'_>, limits: &SetLimits) -> Expansion {
    let mut expansion = Expansion::default();
    if let Err(mistake) = generate(set, context, limits, &mut expansion) {
        expansion.applications.clear();
        expansion.mistake = Some(mistake);
    }
    expansion
}

fn generate(
    set: &Object,
    context: &GeneratorContext<'_>,
    limits: &SetLimits,
    expansion: &mut Expansion,
) -> Result<(), String> {
    let empty = json!({});
    let spec = set.get("spec").unwrap_or(&empty);
    let steps = Budget::new(limits.max_steps);
    let renderer = Renderer::new(spec, &steps)?;
    let base = spec.get("template").unwrap_or(&empty);
    let generators = Generators { renderer: &renderer, context, max_param_sets: limits.max_applications };
    for generator in items(spec, "generators") {
        for (kind, parameters) in generators.expand(generator) {
            let param_sets = match parameters {
                Ok(sets) => sets,
                Err(ExpansionFailure::Skipped(reason)) => {
                    expansion.skipped.push(reason);
                    continue;
                }
                Err(ExpansionFailure::Mistake(reason)) => return Err(reason),
            };
            let template = patch::with_defaults(generator.get(kind).and_then(|own| own.get("template")), base);
            for params in param_sets {
                if expansion.applications.len() == limits.max_applications {
                    return Err(format!("it generates more than {} Applications", limits.max_applications));
                }
                match generate_application(set, spec, &template, &params, &renderer) {
                    Ok(application) => expansion.applications.push(application),
                    Err(ExpansionFailure::Skipped(reason)) => expansion.skipped.push(reason),
                    Err(ExpansionFailure::Mistake(reason)) => return Err(reason),
                }
            }
        }
    }
    expansion.skipped.dedup();
    let mut names = BTreeSet::new();
    for application in &expansion.applications {
        let name = text_at(application, &["metadata", "name"]);
        if name.is_empty() {
            return Err("a generated Application has no name".to_owned());
        }
        if !names.insert(name) {
            return Err(format!("it generates two Applications with the name `{name}`"));
        }
    }
    Ok(())
}

/// Returns the Application for a parameter set (`RenderTemplateParams`, `renderTemplatePatch`).
fn generate_application(
    set: &Object,
    spec: &Value,
    template: &Value,
    params: &Params,
    renderer: &Renderer<'_>,
) -> Result<Object, ExpansionFailure> {
    let data = renderer.data(params)?;
    let template = renderer.value(template, params, &data)?;
    let mut metadata = serde_json::Map::new();
    for field in ["name", "labels", "annotations"] {
        if let Some(value) = template.get("metadata").and_then(|metadata| metadata.get(field)) {
            metadata.insert(field.to_owned(), value.clone());
        }
    }
    let mut application = json!({
        "apiVersion": format!("{GROUP}/v1alpha1"),
        "kind": "Application",
        "metadata": metadata,
        "spec": template.get("spec").cloned().unwrap_or_else(|| json!({})),
    });
    if let Some(patch) = spec.get("templatePatch").and_then(Value::as_str) {
        let patch = renderer.text(patch, params, &data)?;
        patch::apply(&mut application, &patch).map_err(ExpansionFailure::Mistake)?;
    }
    if let Some(metadata) = application.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.insert("namespace".to_owned(), namespace(set).into());
    }
    Ok(application)
}

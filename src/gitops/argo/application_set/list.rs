//! The list generator, which has a parameter set for each of its elements.

use serde_json::Value;

use super::params::{ExpansionFailure, Params};
use super::render::{Renderer, template_failure};
use crate::gitops::object::{items, read_objects, text};
use crate::go::template::TemplateValue;

/// Returns the parameters of a list generator (`ListGenerator.GenerateParams`).
pub fn params(list: &Value, renderer: &Renderer<'_>) -> Result<Vec<Params>, ExpansionFailure> {
    let mistake = |reason: &str| ExpansionFailure::Mistake(reason.to_owned());
    let mut param_sets = Vec::new();
    for element in items(list, "elements") {
        let value = TemplateValue::from_json(element).map_err(template_failure)?;
        let element = value.as_map().ok_or_else(|| mistake("an element of a list generator is not a mapping"))?;
        param_sets.push(if renderer.is_go { element.clone() } else { string_params(element)? });
    }
    let yaml = text(list, "elementsYaml");
    renderer.spend(yaml.len())?;
    if yaml.is_empty() {
        return Ok(param_sets);
    }
    let invalid_elements = || mistake("`elementsYaml` is not a list of mappings");
    let documents = read_objects(yaml).map_err(|_| invalid_elements())?;
    let Some(elements) = documents.first() else {
        return Ok(param_sets);
    };
    for element in elements.as_array().ok_or_else(invalid_elements)? {
        let value = TemplateValue::from_json(element).map_err(template_failure)?;
        param_sets.push(value.as_map().ok_or_else(invalid_elements)?.clone());
    }
    Ok(param_sets)
}

/// Returns the parameters of an element, which must be strings except for `values`, a mapping of strings.
fn string_params(element: &Params) -> Result<Params, ExpansionFailure> {
    let mut params = Params::new();
    for (key, value) in element {
        let non_string_mistake = |key: &str| {
            ExpansionFailure::Mistake(format!(
                "`{key}` in an element of a list generator is not a string; set `goTemplate: true` for other values"
            ))
        };
        if key == "values" {
            let not_a_mapping =
                || ExpansionFailure::Mistake("`values` in an element of a list generator is not a mapping".to_owned());
            for (key, value) in value.as_map().ok_or_else(not_a_mapping)? {
                value.as_text().ok_or_else(|| non_string_mistake(key))?;
                params.insert(format!("values.{key}"), value.clone());
            }
        } else {
            value.as_text().ok_or_else(|| non_string_mistake(key))?;
            params.insert(key.clone(), value.clone());
        }
    }
    Ok(params)
}

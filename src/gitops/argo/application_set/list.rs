//! The list generator, which has a parameter set for each of its elements.

use serde_json::Value;

use super::params::{ExpansionFailure, Params};
use super::render::{Renderer, template_failure};
use crate::gitops::object::{items, read_objects, text};
use crate::go::template::TemplateValue;

/// Returns the parameters of a list generator (`ListGenerator.GenerateParams`).
pub fn params(list: &Value, renderer: &Renderer<'_>) -> Result<Vec<Params>, ExpansionFailure> {
    let mistake = |reason: &str| ExpansionFailure::Mistake(reason.to_owned());
    let mut sets = Vec::new();
    for element in items(list, "elements") {
        let value = TemplateValue::from_json(element).map_err(template_failure)?;
        let element = value.as_map().ok_or_else(|| mistake("an element of a list generator is not a mapping"))?;
        sets.push(if renderer.is_go { element.clone() } else { strings(element)? });
    }
    let yaml = text(list, "elementsYaml");
    renderer.spend(yaml.len())?;
    if yaml.is_empty() {
        return Ok(sets);
    }
    let invalid = || mistake("`elementsYaml` is not a list of mappings");
    let documents = read_objects(yaml).map_err(|_| invalid())?;
    let Some(elements) = documents.first() else {
        return Ok(sets);
    };
    for element in elements.as_array().ok_or_else(invalid)? {
        let value = TemplateValue::from_json(element).map_err(template_failure)?;
        sets.push(value.as_map().ok_or_else(invalid)?.clone());
    }
    Ok(sets)
}

/// Returns the parameters of an element, which must be strings except for `values`, a mapping of strings.
fn strings(element: &Params) -> Result<Params, ExpansionFailure> {
    let mut params = Params::new();
    for (key, value) in element {
        let not_text = |key: &str| {
            ExpansionFailure::Mistake(format!(
                "`{key}` in an element of a list generator is not a string; set `goTemplate: true` for other values"
            ))
        };
        if key == "values" {
            let no_mapping =
                || ExpansionFailure::Mistake("`values` in an element of a list generator is not a mapping".to_owned());
            for (key, value) in value.as_map().ok_or_else(no_mapping)? {
                value.as_text().ok_or_else(|| not_text(key))?;
                params.insert(format!("values.{key}"), value.clone());
            }
        } else {
            value.as_text().ok_or_else(|| not_text(key))?;
            params.insert(key.clone(), value.clone());
        }
    }
    Ok(params)
}

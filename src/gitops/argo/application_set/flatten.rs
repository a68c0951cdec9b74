//! Parameters flattened to strings (`github.com/jeremywohl/flatten`).

use std::collections::BTreeMap;

use super::params::{ExpansionFailure, Params};
use super::render::Renderer;
use crate::go::template::TemplateValue;

/// Formats a value as `%v` does.
pub fn format_value(value: &TemplateValue, renderer: &Renderer<'_>) -> Result<String, ExpansionFailure> {
    let mut text = String::new();
    renderer
        .spend(usize::try_from(value.size(renderer.steps.remaining()).unwrap_or(u64::MAX)).unwrap_or(usize::MAX))?;
    value.format(&mut text);
    Ok(text)
}

/// Returns the dotted path of each leaf in the parameters with the leaf's value in `%v` format (`flattenParameters`).
pub fn flatten(params: &Params, renderer: &Renderer<'_>) -> Result<BTreeMap<String, String>, ExpansionFailure> {
    let mut flattened = BTreeMap::new();
    for (key, value) in params {
        add_flattened(&mut flattened, key, value, renderer)?;
    }
    Ok(flattened)
}

fn add_flattened(
    flat: &mut BTreeMap<String, String>,
    path: &str,
    value: &TemplateValue,
    renderer: &Renderer<'_>,
) -> Result<(), ExpansionFailure> {
    renderer.spend(1 + path.len())?;
    for (key, value) in value.as_map().into_iter().flatten() {
        add_flattened(flat, &format!("{path}.{key}"), value, renderer)?;
    }
    // A list of strings, such as the segments of a path, is a leaf.
    if let TemplateValue::List(kind, _) = value
        && *kind == crate::go::template::ListKind::Any
    {
        for (index, value) in value.as_list().unwrap_or_default().iter().enumerate() {
            add_flattened(flat, &format!("{path}.{index}"), value, renderer)?;
        }
        return Ok(());
    }
    if value.as_map().is_none() {
        flat.insert(path.to_owned(), format_value(value, renderer)?);
    }
    Ok(())
}

//! Sprig functions for dictionaries.

use std::collections::BTreeMap;

use super::value_text::string;
use crate::go::template::{Call, Failure, Function, ListKind, MapKind, Outcome, TemplateValue};

type Entries = BTreeMap<String, TemplateValue>;

/// Functions for dictionaries. Go returns `keys` and `values` in random order, but here they are sorted by key.
pub const FUNCTIONS: &[Function] = &[
    Function { name: "dict", parameters: "a*", run: dict },
    Function { name: "get", parameters: "ms", run: get },
    Function { name: "hasKey", parameters: "ms", run: has_key },
    Function { name: "pluck", parameters: "sm*", run: pluck },
    Function { name: "keys", parameters: "m*", run: keys },
    Function { name: "values", parameters: "m", run: values },
    Function { name: "pick", parameters: "ms*", run: pick },
    Function { name: "omit", parameters: "ms*", run: omit },
    Function { name: "dig", parameters: "a*", run: dig },
    Function { name: "merge", parameters: "mm*", run: |call| merge(call, false) },
    Function { name: "mustMerge", parameters: "mm*", run: |call| merge(call, false) },
    Function { name: "mergeOverwrite", parameters: "mm*", run: |call| merge(call, true) },
    Function { name: "mustMergeOverwrite", parameters: "mm*", run: |call| merge(call, true) },
];

fn entries<'c>(call: &'c Call<'_>, index: usize) -> Result<&'c Entries, Failure> {
    let map = call.get(index).as_map().ok_or_else(|| Failure::error("not a dictionary"))?;
    call.spend(map.len())?;
    Ok(map)
}

fn map_outcome(entries: Entries) -> Outcome {
    TemplateValue::map(MapKind::Any, entries)
}

fn dict(call: &mut Call<'_>) -> Outcome {
    let mut entries = Entries::new();
    for pair in call.arguments.chunks(2) {
        let (Some(key), value) = (pair.first(), pair.get(1)) else { continue };
        entries.insert(string(call, key)?, value.cloned().unwrap_or_else(|| TemplateValue::text("")));
    }
    map_outcome(entries)
}

fn get(call: &mut Call<'_>) -> Outcome {
    let value = entries(call, 0)?.get(call.text(1)).cloned();
    Ok(value.unwrap_or_else(|| TemplateValue::text("")))
}

fn has_key(call: &mut Call<'_>) -> Outcome {
    Ok(TemplateValue::Bool(entries(call, 0)?.contains_key(call.text(1))))
}

fn pluck(call: &mut Call<'_>) -> Outcome {
    let mut values = Vec::new();
    for index in 1..call.arguments.len() {
        values.extend(entries(call, index)?.get(call.text(0)).cloned());
    }
    TemplateValue::list(ListKind::Any, values)
}

fn keys(call: &mut Call<'_>) -> Outcome {
    let mut keys = Vec::new();
    for index in 0..call.arguments.len() {
        keys.extend(entries(call, index)?.keys().cloned());
    }
    Ok(TemplateValue::strings(keys))
}

fn values(call: &mut Call<'_>) -> Outcome {
    TemplateValue::list(ListKind::Any, entries(call, 0)?.values().cloned().collect())
}

fn pick(call: &mut Call<'_>) -> Outcome {
    let map = entries(call, 0)?;
    let names = call.arguments.iter().skip(1).filter_map(TemplateValue::as_text);
    map_outcome(names.filter_map(|name| Some((name.to_owned(), map.get(name)?.clone()))).collect())
}

fn omit(call: &mut Call<'_>) -> Outcome {
    let mut map = entries(call, 0)?.clone();
    for name in call.arguments.iter().skip(1).filter_map(TemplateValue::as_text) {
        map.remove(name);
    }
    map_outcome(map)
}

/// Returns the value at a path of keys, or a default (`dig`).
fn dig(call: &mut Call<'_>) -> Outcome {
    let [path @ .., default, first] = call.arguments.as_slice() else {
        return Err(Failure::error("dig needs at least three arguments"));
    };
    let conversion = |value: &TemplateValue, expected_type: &str| {
        let actual_type = if value.is_nil() { "nil" } else { value.type_name() };
        Failure::error(format!("interface conversion: interface {{}} is {actual_type}, not {expected_type}"))
    };
    if path.is_empty() {
        return Err(Failure::error("dig needs at least three arguments"));
    }
    let mut value = first;
    for key in path {
        let key = key.as_text().ok_or_else(|| conversion(key, "string"))?;
        let TemplateValue::Map(MapKind::Any, _) = value else {
            return Err(conversion(value, "map[string]interface {}"));
        };
        match value.as_map().and_then(|map| map.get(key)) {
            Some(found) => value = found,
            None => return Ok(default.clone()),
        }
    }
    Ok(value.clone())
}

/// Merges dictionaries. Unlike in Go, the first dictionary is not changed.
fn merge(call: &mut Call<'_>, overwrites: bool) -> Outcome {
    let mut merged = entries(call, 0)?.clone();
    for index in 1..call.arguments.len() {
        let source = call.get(index);
        call.visit(source)?;
        merged = merge_entries(merged, entries(call, index)?, overwrites)?;
    }
    map_outcome(merged)
}

/// Port of `mergo.Merge` for maps of any values. If `overwrites` is set, values from the source take precedence, even
/// if they are empty. Otherwise, they replace only empty values.
pub fn merge_entries(mut target: Entries, source: &Entries, overwrites: bool) -> Result<Entries, Failure> {
    for (key, value) in source {
        let old = target.get(key);
        let merged = match (old.and_then(TemplateValue::as_map), value.as_map()) {
            (Some(old), Some(new)) => map_outcome(merge_entries(old.clone(), new, overwrites)?)?,
            _ if overwrites => value.clone(),
            _ if value.is_nil() || old.is_some_and(TemplateValue::is_true) => continue,
            _ => value.clone(),
        };
        target.insert(key.clone(), merged);
    }
    Ok(target)
}

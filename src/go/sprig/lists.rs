//! Sprig functions for lists.

use super::value_text::string;
use crate::go::template::{Call, Failure, Function, ListKind, MapKind, Outcome, TemplateValue};

pub const FUNCTIONS: &[Function] = &[
    Function { name: "list", parameters: "a*", run: |call| list_outcome(std::mem::take(&mut call.arguments)) },
    Function { name: "tuple", parameters: "a*", run: |call| list_outcome(std::mem::take(&mut call.arguments)) },
    Function {
        name: "toStrings",
        parameters: "a",
        run: |call| Ok(TemplateValue::strings(strings(call, call.get(0))?)),
    },
    Function { name: "join", parameters: "sa", run: join },
    Function { name: "split", parameters: "ss", run: |call| numbered_map(split_argument(call, 1, usize::MAX)?) },
    Function { name: "splitn", parameters: "sis", run: splitn },
    Function { name: "splitList", parameters: "ss", run: split_list },
    Function { name: "sortAlpha", parameters: "a", run: sort_alpha },
    Function { name: "append", parameters: "aa", run: append },
    Function { name: "push", parameters: "aa", run: append },
    Function { name: "mustAppend", parameters: "aa", run: append },
    Function { name: "mustPush", parameters: "aa", run: append },
    Function { name: "prepend", parameters: "aa", run: prepend },
    Function { name: "mustPrepend", parameters: "aa", run: prepend },
    Function { name: "concat", parameters: "a*", run: concat },
    Function { name: "first", parameters: "a", run: |call| item(call, |items| items.first()) },
    Function { name: "mustFirst", parameters: "a", run: |call| item(call, |items| items.first()) },
    Function { name: "last", parameters: "a", run: |call| item(call, |items| items.last()) },
    Function { name: "mustLast", parameters: "a", run: |call| item(call, |items| items.last()) },
    Function { name: "rest", parameters: "a", run: rest },
    Function { name: "mustRest", parameters: "a", run: rest },
    Function { name: "initial", parameters: "a", run: initial },
    Function { name: "mustInitial", parameters: "a", run: initial },
    Function { name: "reverse", parameters: "a", run: reverse },
    Function { name: "mustReverse", parameters: "a", run: reverse },
    Function { name: "compact", parameters: "a", run: compact },
    Function { name: "mustCompact", parameters: "a", run: compact },
    Function { name: "uniq", parameters: "a", run: unique },
    Function { name: "mustUniq", parameters: "a", run: unique },
    Function { name: "without", parameters: "aa*", run: without },
    Function { name: "mustWithout", parameters: "aa*", run: without },
    Function { name: "has", parameters: "aa", run: has },
    Function { name: "mustHas", parameters: "aa", run: has },
    Function { name: "slice", parameters: "aa*", run: slice },
    Function { name: "mustSlice", parameters: "aa*", run: slice },
    Function { name: "chunk", parameters: "ia", run: chunk },
    Function { name: "mustChunk", parameters: "ia", run: chunk },
];

fn list_outcome(items: Vec<TemplateValue>) -> Outcome {
    TemplateValue::list(ListKind::Any, items)
}

/// Formats each item that is not `nil` (`strslice`).
fn strings(call: &Call<'_>, value: &TemplateValue) -> Result<Vec<String>, Failure> {
    let items = match value.as_list() {
        Some(items) => items,
        None if value.is_nil() => &[],
        None => std::slice::from_ref(value),
    };
    items.iter().filter(|item| !item.is_nil()).map(|item| string(call, item)).collect()
}

fn join(call: &mut Call<'_>) -> Outcome {
    let (separator, items) = (call.text(0), strings(call, call.get(1))?);
    call.spend(separator.len().saturating_mul(items.len()))?;
    call.text_result(items.join(separator))
}

/// Splits an argument at each occurrence of the first argument (`strings.SplitN`).
fn split_argument(call: &Call<'_>, index: usize, limit: usize) -> Result<Vec<String>, Failure> {
    let (separator, text) = (call.text(0), call.text(index));
    call.spend(text.len())?;
    if !separator.is_empty() {
        return Ok(text.splitn(limit, separator).map(str::to_owned).collect());
    }
    let mut parts: Vec<String> = text.chars().map(String::from).collect();
    if let Some(rest) = parts.len().checked_sub(limit).filter(|_| limit > 0) {
        let rest = parts.split_off(parts.len() - rest - 1);
        parts.push(rest.concat());
    }
    parts.truncate(limit);
    Ok(parts)
}

fn split_list(call: &mut Call<'_>) -> Outcome {
    Ok(TemplateValue::strings(split_argument(call, 1, usize::MAX)?))
}

fn splitn(call: &mut Call<'_>) -> Outcome {
    let limit = usize::try_from(call.int(1)).unwrap_or(usize::MAX);
    numbered_map(split_argument(call, 2, limit)?)
}

/// Returns a map of strings under the keys `_0`, `_1` and so on.
fn numbered_map(parts: Vec<String>) -> Outcome {
    let parts = parts.into_iter().enumerate();
    let entries = parts.map(|(index, part)| (format!("_{index}"), TemplateValue::text(part)));
    TemplateValue::map(MapKind::Strings, entries.collect())
}

fn sort_alpha(call: &mut Call<'_>) -> Outcome {
    let mut items = match call.get(0).as_list() {
        Some(_) => strings(call, call.get(0))?,
        None => vec![string(call, call.get(0))?],
    };
    items.sort();
    Ok(TemplateValue::strings(items))
}

fn append(call: &mut Call<'_>) -> Outcome {
    let items = call.items(0, "push")?;
    call.spend(items.len())?;
    list_outcome(items.iter().chain([call.get(1)]).cloned().collect())
}

fn prepend(call: &mut Call<'_>) -> Outcome {
    let items = call.items(0, "prepend")?;
    call.spend(items.len())?;
    list_outcome([call.get(1)].into_iter().chain(items).cloned().collect())
}

fn concat(call: &mut Call<'_>) -> Outcome {
    let mut concatenated = Vec::new();
    for index in 0..call.arguments.len() {
        let items = call.items(index, "concat")?;
        call.spend(items.len())?;
        concatenated.extend(items.iter().cloned());
    }
    list_outcome(concatenated)
}

fn item(call: &mut Call<'_>, choose: fn(&[TemplateValue]) -> Option<&TemplateValue>) -> Outcome {
    Ok(choose(call.items(0, "find an item")?).cloned().unwrap_or(TemplateValue::Nil))
}

fn rest(call: &mut Call<'_>) -> Outcome {
    let items = call.items(0, "find rest")?;
    call.spend(items.len())?;
    list_outcome(items.get(1..).unwrap_or_default().to_vec())
}

fn initial(call: &mut Call<'_>) -> Outcome {
    let items = call.items(0, "find initial")?;
    call.spend(items.len())?;
    list_outcome(items.split_last().map(|(_, initial)| initial.to_vec()).unwrap_or_default())
}

fn reverse(call: &mut Call<'_>) -> Outcome {
    let items = call.items(0, "find reverse")?;
    call.spend(items.len())?;
    list_outcome(items.iter().rev().cloned().collect())
}

fn compact(call: &mut Call<'_>) -> Outcome {
    let items = call.items(0, "compact")?;
    call.spend(items.len())?;
    list_outcome(items.iter().filter(|item| item.is_true()).cloned().collect())
}

/// Whether a list contains a value (`reflect.DeepEqual`).
fn contains(call: &Call<'_>, items: &[TemplateValue], value: &TemplateValue) -> Result<bool, Failure> {
    for item in items {
        call.visit(item)?;
        if item == value || (item.is_nil() && value.is_nil()) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn unique(call: &mut Call<'_>) -> Outcome {
    let mut remaining = Vec::new();
    for item in call.items(0, "find uniq")? {
        if !contains(call, &remaining, item)? {
            remaining.push(item.clone());
        }
    }
    list_outcome(remaining)
}

fn without(call: &mut Call<'_>) -> Outcome {
    let omitted_values = call.arguments.get(1..).unwrap_or_default();
    let mut remaining = Vec::new();
    for item in call.items(0, "find without")? {
        if !contains(call, omitted_values, item)? {
            remaining.push(item.clone());
        }
    }
    list_outcome(remaining)
}

fn has(call: &mut Call<'_>) -> Outcome {
    if call.get(1).is_nil() {
        return Ok(TemplateValue::Bool(false));
    }
    Ok(TemplateValue::Bool(contains(call, call.items(1, "find has")?, call.get(0))?))
}

fn slice(call: &mut Call<'_>) -> Outcome {
    let problem = || Failure::error(format!("list should be type of slice or array but {}", call.get(0).kind_name()));
    let items = call.get(0).as_list().ok_or_else(problem)?;
    if items.is_empty() {
        return Ok(TemplateValue::Nil);
    }
    let bound = |index: usize, default: usize| match call.arguments.get(index) {
        Some(value) => usize::try_from(super::numbers::to_integer(value)).ok(),
        None => Some(default),
    };
    let range = bound(1, 0).zip(bound(2, items.len()));
    let sliced = range.and_then(|(start, end)| items.get(start..end));
    let sliced = sliced.ok_or_else(|| Failure::error("reflect.Value.Slice: slice index out of bounds"))?;
    call.spend(sliced.len())?;
    match call.get(0) {
        TemplateValue::List(kind, _) => TemplateValue::list(*kind, sliced.to_vec()),
        _ => list_outcome(sliced.to_vec()),
    }
}

fn chunk(call: &mut Call<'_>) -> Outcome {
    let items = call.items(1, "chunk")?;
    call.spend(items.len())?;
    let size = usize::try_from(call.int(0)).ok().filter(|size| *size > 0);
    let size = size.ok_or_else(|| Failure::error("runtime error: makeslice: len out of range"))?;
    let chunks = items.chunks(size).map(|chunk| list_outcome(chunk.to_vec())).collect::<Result<_, _>>()?;
    TemplateValue::list(ListKind::Lists, chunks)
}

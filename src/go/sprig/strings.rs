//! Sprig functions for strings.

use super::value_text::string;
use super::words;
use crate::go::case::{to_lower, to_upper};
use crate::go::literal::quote;
use crate::go::path;
use crate::go::template::{Call, Failure, Function, Outcome, TemplateValue};
use crate::go::text::{is_digit, is_letter};

pub const FUNCTIONS: &[Function] = &[
    Function { name: "hello", parameters: "", run: |call| call.text_result("Hello!") },
    Function { name: "trim", parameters: "s", run: |call| call.text_result(call.text(0).trim()) },
    Function { name: "trimAll", parameters: "ss", run: trim_all },
    Function { name: "trimall", parameters: "ss", run: trim_all },
    Function { name: "trimSuffix", parameters: "ss", run: trim_suffix },
    Function { name: "trimPrefix", parameters: "ss", run: trim_prefix },
    Function { name: "upper", parameters: "s", run: |call| call.text_result(to_upper(call.text(0))) },
    Function { name: "lower", parameters: "s", run: |call| call.text_result(to_lower(call.text(0))) },
    Function { name: "title", parameters: "s", run: |call| call.text_result(title(call.text(0))) },
    Function { name: "untitle", parameters: "s", run: |call| call.text_result(words::untitle(call.text(0))) },
    Function { name: "nospace", parameters: "s", run: |call| call.text_result(remove_spaces(call.text(0))) },
    Function { name: "initials", parameters: "s", run: |call| call.text_result(words::initials(call.text(0))) },
    Function { name: "swapcase", parameters: "s", run: |call| call.text_result(words::swap_case(call.text(0))) },
    Function { name: "snakecase", parameters: "s", run: |call| call.text_result(words::join_words(call.text(0), '_')) },
    Function { name: "kebabcase", parameters: "s", run: |call| call.text_result(words::join_words(call.text(0), '-')) },
    Function { name: "camelcase", parameters: "s", run: |call| call.text_result(words::camel_case(call.text(0))) },
    Function { name: "contains", parameters: "ss", run: |call| boolean_outcome(call.text(1).contains(call.text(0))) },
    Function {
        name: "hasPrefix",
        parameters: "ss",
        run: |call| boolean_outcome(call.text(1).starts_with(call.text(0))),
    },
    Function { name: "hasSuffix", parameters: "ss", run: |call| boolean_outcome(call.text(1).ends_with(call.text(0))) },
    Function { name: "replace", parameters: "sss", run: replace },
    Function { name: "trunc", parameters: "is", run: |call| call.text_result(truncate(call.int(0), call.text(1))) },
    Function { name: "abbrev", parameters: "is", run: abbreviate },
    Function { name: "substr", parameters: "iis", run: substring },
    Function { name: "quote", parameters: "a*", run: |call| join_formatted(call, |text| quote(&text)) },
    Function { name: "squote", parameters: "a*", run: |call| join_formatted(call, |text| format!("'{text}'")) },
    Function { name: "cat", parameters: "a*", run: cat },
    Function { name: "indent", parameters: "is", run: |call| indent(call, "") },
    Function { name: "nindent", parameters: "is", run: |call| indent(call, "\n") },
    Function { name: "plural", parameters: "ssi", run: |call| plural(call) },
    Function { name: "toString", parameters: "a", run: |call| call.text_result(string(call, call.get(0))?) },
    Function { name: "base", parameters: "s", run: |call| call.text_result(path::base(call.text(0))) },
    Function { name: "dir", parameters: "s", run: |call| call.text_result(path::dir(call.text(0))) },
    Function { name: "clean", parameters: "s", run: |call| call.text_result(path::clean(call.text(0))) },
    Function { name: "ext", parameters: "s", run: |call| call.text_result(path::ext(call.text(0))) },
    Function { name: "isAbs", parameters: "s", run: |call| boolean_outcome(call.text(0).starts_with('/')) },
    Function { name: "osBase", parameters: "s", run: |call| call.text_result(path::base(call.text(0))) },
    Function { name: "osDir", parameters: "s", run: |call| call.text_result(path::dir(call.text(0))) },
    Function { name: "osClean", parameters: "s", run: |call| call.text_result(path::clean(call.text(0))) },
    Function { name: "osExt", parameters: "s", run: |call| call.text_result(path::ext(call.text(0))) },
    Function { name: "osIsAbs", parameters: "s", run: |call| boolean_outcome(call.text(0).starts_with('/')) },
];

fn boolean_outcome(value: bool) -> Outcome {
    Ok(TemplateValue::Bool(value))
}

fn trim_all(call: &mut Call<'_>) -> Outcome {
    let (set, text) = (call.text(0), call.text(1));
    call.spend(set.len().saturating_mul(text.len()))?;
    call.text_result(text.trim_matches(|c| set.contains(c)))
}

fn trim_prefix(call: &mut Call<'_>) -> Outcome {
    let text = call.text(1);
    call.text_result(text.strip_prefix(call.text(0)).unwrap_or(text))
}

fn trim_suffix(call: &mut Call<'_>) -> Outcome {
    let text = call.text(1);
    call.text_result(text.strip_suffix(call.text(0)).unwrap_or(text))
}

/// Port of `strings.Title`.
fn title(text: &str) -> String {
    let mut was_separator = true;
    let titled = text.chars().map(|c| {
        let titled = if was_separator { to_upper(c.encode_utf8(&mut [0; 4])) } else { c.to_string() };
        was_separator = match c.is_ascii() {
            true => !c.is_ascii_alphanumeric() && c != '_',
            false => !is_letter(c) && !is_digit(c) && c.is_whitespace(),
        };
        titled
    });
    titled.collect()
}

fn remove_spaces(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

fn replace(call: &mut Call<'_>) -> Outcome {
    let (old, new, text) = (call.text(0), call.text(1), call.text(2));
    let count = match old.is_empty() {
        true => text.chars().count() + 1,
        false => text.matches(old).count(),
    };
    call.spend(text.len() + count.saturating_mul(new.len()))?;
    Ok(TemplateValue::text(text.replace(old, new)))
}

/// Returns the first bytes of a string or, if `count` is negative, the last bytes. A character that would be split is
/// dropped.
fn truncate(count: i64, text: &str) -> &str {
    let size = usize::try_from(count.unsigned_abs()).unwrap_or(usize::MAX);
    if count < 0 && size < text.len() {
        return (text.len() - size..).find_map(|start| text.get(start..)).unwrap_or_default();
    }
    if count >= 0 && size < text.len() {
        return (0..=size).rev().find_map(|end| text.get(..end)).unwrap_or_default();
    }
    text
}

fn abbreviate(call: &mut Call<'_>) -> Outcome {
    let (width, text) = (call.int(0), call.text(1));
    if width < 4 || usize::try_from(width).is_ok_and(|width| text.len() <= width) {
        return call.text_result(text);
    }
    call.text_result(format!("{}...", truncate(width - 3, text)))
}

fn substring(call: &mut Call<'_>) -> Outcome {
    let (start, end, text) = (call.int(0), call.int(1), call.text(2));
    let bound = |at: i64| usize::try_from(at).ok();
    let cut = match (bound(start), bound(end).filter(|end| *end <= text.len())) {
        (None, Some(end)) => text.get(..end),
        (None, None) => None,
        (Some(start), None) => text.get(start..),
        (Some(start), Some(end)) => text.get(start..end),
    };
    call.text_result(cut.ok_or_else(|| Failure::error("runtime error: slice bounds out of range"))?)
}

/// Joins the formatted arguments that are not `nil`.
fn join_formatted(call: &mut Call<'_>, format: impl Fn(String) -> String) -> Outcome {
    let values = call.arguments.iter().filter(|value| !value.is_nil());
    let parts: Vec<_> = values.map(|value| Ok(format(string(call, value)?))).collect::<Result<_, Failure>>()?;
    call.text_result(parts.join(" "))
}

fn cat(call: &mut Call<'_>) -> Outcome {
    join_formatted(call, |text| text)
}

fn indent(call: &mut Call<'_>, before: &str) -> Outcome {
    let (width, text) = (call.int(0), call.text(1));
    let width = usize::try_from(width).map_err(|_| Failure::error("strings: negative Repeat count"))?;
    let lines = text.matches('\n').count() + 1;
    call.spend(text.len() + lines.saturating_mul(width))?;
    let pad = " ".repeat(width);
    let indented = text.replace('\n', &format!("\n{pad}"));
    Ok(TemplateValue::text(format!("{before}{pad}{indented}")))
}

fn plural(call: &mut Call<'_>) -> Outcome {
    call.text_result(call.text(if call.int(2) == 1 { 0 } else { 1 }))
}

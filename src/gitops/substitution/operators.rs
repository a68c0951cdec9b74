//! Operators of expressions (`envsubst/funcs.go` in fluxcd/pkg).

use super::problem::Problem;
use crate::gitops::glob::{Star, bytes_match};

/// Maximum length of a value for operators that remove a pattern, because they compare every prefix.
const MAX_TRIMMED_LENGTH: usize = 4096;

/// Whether an operator provides a value for an unset variable.
pub(super) fn is_default(operator: &str) -> bool {
    matches!(operator, "=" | ":-" | ":+" | ":=" | ":?")
}

/// Applies an operator to a value.
pub(super) fn apply(operator: &str, value: &str, arguments: &[String]) -> Result<String, Problem> {
    let first_argument = arguments.first().map_or("", String::as_str);
    let second_argument = arguments.get(1).map_or("", String::as_str);
    Ok(match (operator, arguments.len()) {
        (",", _) => change_first(value, |first| first.to_lowercase().collect()),
        (",,", _) => value.to_lowercase(),
        ("^", _) => change_first(value, |first| first.to_uppercase().collect()),
        ("^^", _) => value.to_uppercase(),
        ("#", 0) => value.len().to_string(),
        ("#", _) => trim_prefix(value, first_argument, false)?,
        ("##", _) => trim_prefix(value, first_argument, true)?,
        ("%", _) => reverse(&trim_prefix(&reverse(value), &reverse(first_argument), false)?),
        ("%%", _) => reverse(&trim_prefix(&reverse(value), &reverse(first_argument), true)?),
        (":", _) => substring(value, arguments)?,
        ("/#", 2) if value.starts_with(first_argument) => value.replacen(first_argument, second_argument, 1),
        ("/%", 2) => value
            .strip_suffix(first_argument)
            .map_or_else(|| value.to_owned(), |rest| format!("{rest}{second_argument}")),
        ("/#" | "/%", _) => value.to_owned(),
        ("/", _) => value.replacen(first_argument, second_argument, 1),
        ("//", _) => value.replace(first_argument, second_argument),
        _ if value.is_empty() => arguments.concat(),
        _ => value.to_owned(),
    })
}

fn change_first(value: &str, change: impl Fn(char) -> String) -> String {
    let mut rest = value.chars();
    rest.next().map(|first| format!("{}{}", change(first), rest.as_str())).unwrap_or_default()
}

fn reverse(text: &str) -> String {
    text.chars().rev().collect()
}

/// Removes the longest or shortest prefix that matches a pattern.
fn trim_prefix(value: &str, pattern: &str, is_longest: bool) -> Result<String, Problem> {
    if value.len() > MAX_TRIMMED_LENGTH {
        return Err(Problem::TooLarge);
    }
    let mut length = 0;
    for end in (1..=value.len()).rev() {
        let prefix = value.as_bytes().get(..end).unwrap_or_default();
        match bytes_match(pattern.as_bytes(), prefix, Star::Anything) {
            Err(_) => return Ok(value.to_owned()),
            Ok(true) => length = end,
            Ok(false) => continue,
        }
        if is_longest {
            break;
        }
    }
    value.get(length..).map(str::to_owned).ok_or(Problem::CutCharacter)
}

/// Returns part of a value. Offset and length are in bytes.
fn substring(value: &str, arguments: &[String]) -> Result<String, Problem> {
    let number = |text: &String| text.strip_prefix('+').unwrap_or(text).parse::<i64>().ok();
    let length = i64::try_from(value.len()).unwrap_or(i64::MAX);
    let Some(mut start) = arguments.first().and_then(number) else {
        return Ok(value.to_owned());
    };
    if start < 0 {
        start = (length + start).max(0);
    }
    let end = match arguments.get(1).map(number) {
        None => length,
        Some(None) => return Ok(value.to_owned()),
        Some(Some(count)) => match start.saturating_add(count) {
            end if end >= length => length,
            end if end < start => return Err(Problem::NegativeLength),
            end => end,
        },
    };
    if start >= length {
        return Ok(String::new());
    }
    let range = usize::try_from(start).unwrap_or_default()..usize::try_from(end).unwrap_or_default();
    value.get(range).map(str::to_owned).ok_or(Problem::CutCharacter)
}

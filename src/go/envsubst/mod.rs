//! References to variables that the agent replaces in its configuration (`-config.expand-env`, with the library `envsubst`).

mod parse;

pub use parse::{Reference, reference as reference_behind, references};

use std::borrow::Cow;

/// The functions of envsubst that are a default here.
const DEFAULTS: [&str; 5] = [":-", ":=", ":?", ":+", "="];

/// The text with its variables replaced: `${NAME}` and `${NAME:-default}` by `variable`, `$$` by `$`. `${1}` stays, and so does
/// what cannot be read.
pub fn expand<'t>(text: &'t str, variable: &dyn Fn(&str) -> Option<String>) -> Cow<'t, str> {
    if !text.contains('$') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('$') {
        out.push_str(before);
        if let Some(behind) = behind.strip_prefix('$') {
            out.push('$');
            rest = behind;
        } else if let Some((name, default, behind)) = reference(behind) {
            let value = variable(name).filter(|value| !value.is_empty());
            out.push_str(value.as_deref().unwrap_or(default));
            rest = behind;
        } else {
            out.push('$');
            rest = behind;
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The text without the variables that are not set, which become empty or their default. Returns `None` if the text has others, or the
/// library rejects it. `${1}` and `$$` stay.
pub fn without_unset(text: &str, is_set: &dyn Fn(&str) -> bool) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('$') {
        out.push_str(before);
        if let Some(inside) = behind.strip_prefix('{') {
            let (reference, behind) = reference_behind(inside)?;
            let raw = inside.get(..inside.len() - behind.len() - 1)?;
            out.push_str(&in_place_of(&reference, raw, is_set)?);
            rest = behind;
        } else {
            let escaped = behind.strip_prefix('$');
            out.push_str(if escaped.is_some() { "$$" } else { "$" });
            rest = escaped.unwrap_or(behind);
        }
    }
    out.push_str(rest);
    Some(out)
}

/// The text in the place of a reference, which is `raw` in its braces.
fn in_place_of(reference: &Reference<'_>, raw: &str, is_set: &dyn Fn(&str) -> bool) -> Option<String> {
    let name = reference.name;
    if reference.is_group() {
        return (raw == name || reference.has_default).then(|| format!("${{{name}}}"));
    }
    match reference.has_default {
        _ if is_set(name) => None,
        true => {
            let operator = raw.get(name.len()..)?;
            let default = DEFAULTS.iter().find_map(|prefix| operator.strip_prefix(prefix))?;
            without_unset(default, is_set)
        }
        false => Some(if raw.starts_with('#') { "0" } else { "" }.to_owned()),
    }
}

/// Whether the library rejects a text: a `${` without the name of a variable, or what follows the name is neither `}` nor one of
/// its functions.
pub fn is_refused(text: &str) -> bool {
    text.contains("${") && references(text).is_err()
}

/// Whether the library replaces a part of a text, so that its value is not known. Capture groups such as `${1}` stay.
pub fn has_variable(text: &str) -> bool {
    let is_variable = |references: Vec<Reference<'_>>| references.iter().any(|one| !one.is_group());
    text.contains("${") && references(text).is_ok_and(is_variable)
}

/// The name and the default of the variable that a text behind `$` begins with, and what follows them.
pub fn reference(behind: &str) -> Option<(&str, &str, &str)> {
    let (inside, rest) = behind.strip_prefix('{')?.split_once('}')?;
    let is_of_name = |c: char| c == '_' || c.is_ascii_alphanumeric();
    let end = inside.find(|c| !is_of_name(c)).unwrap_or(inside.len());
    let (name, operator) = inside.split_at_checked(end)?;
    if name.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let default = DEFAULTS.iter().find_map(|prefix| operator.strip_prefix(prefix));
    let default = if operator.is_empty() { "" } else { default? };
    Some((name, default, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_replaced_and_groups_are_not() {
        let shard = |name: &str| match name {
            "SHARD" | "_S1" => Some("2".to_owned()),
            "EMPTY" => Some(String::new()),
            _ => None,
        };
        for (text, expected) in [
            ("plain", "plain"),
            ("$1:${2}", "$1:${2}"),
            ("$$1", "$1"),
            ("a${name}b", "ab"),
            ("${SHARD}", "2"),
            ("${name:-x}${name=y}", "xy"),
            ("${name:=x}${name:?y}${name:+z}", "xyz"),
            ("${SHARD:-x}${EMPTY:-x}${EMPTY}", "2x"),
            ("${_S1}${_}${_9}${1_}", "2"),
            ("${:-x}", "${:-x}"),
            ("${}${a b}${", "${}${a b}${"),
            ("$", "$"),
        ] {
            assert_eq!(expand(text, &shard), expected, "{text}");
        }
    }

    #[test]
    fn unset_variables_leave_their_default() {
        let is_set = |name: &str| name == "SET";
        for (text, expected) in [
            ("a$1${1}$$", Some("a$1${1}$$")),
            ("a${A}-$${A}", Some("a-$${A}")),
            ("${B:-b}${B=c}${A:-${B:-${C}y}}", Some("bcy")),
            ("${#B}${B^^}${B#a}${B/a/b}", Some("0")),
            ("${1:-a}", Some("${1}")),
            ("${SET}", None),
            ("${SET:-x}", None),
            ("${A:-${SET}}", None),
            ("${1^}", None),
            ("${", None),
        ] {
            assert_eq!(without_unset(text, &is_set).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn what_the_library_refuses() {
        for (text, expected) in [
            ("$1 ${1} ${NAME} ${#NAME} $", false),
            (
                "${NAME:-a b} ${NAME=x} ${NAME,,} ${NAME/a/b} ${NAME##a} ${NAME%a} ${NAME:1:2}",
                false,
            ),
            ("$${ $${a-b}", false),
            ("$$${", true),
            ("${ä}", false),
            ("${", true),
            ("a${}", true),
            ("${ a}", true),
            ("${a-b}", true),
            ("${a.b}", true),
            ("${a", true),
            ("${a:-b", true),
            ("${#a:b}", true),
        ] {
            assert_eq!(is_refused(text), expected, "{text}");
        }
    }
}

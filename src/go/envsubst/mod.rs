//! Variable references that the agent expands in its configuration with the `envsubst` library (`-config.expand-env`).

mod parse;

pub use parse::{VariableReference, parse_reference as reference_after, parse_references};

use std::borrow::Cow;

/// Operators that set a default. The agent does not distinguish between them.
const DEFAULT_OPERATORS: [&str; 5] = [":-", ":=", ":?", ":+", "="];

/// Expands `${NAME}` and `${NAME:-default}` to the value returned by `variable`, and `$$` to `$`. An unset or empty
/// variable expands to its default. `${1}` and anything that cannot be parsed are left unchanged.
pub fn expand<'t>(text: &'t str, variable: &dyn Fn(&str) -> Option<String>) -> Cow<'t, str> {
    if !text.contains('$') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('$') {
        out.push_str(before);
        if let Some(after) = after.strip_prefix('$') {
            out.push('$');
            rest = after;
        } else if let Some((name, default, after)) = reference(after) {
            let value = variable(name).filter(|value| !value.is_empty());
            out.push_str(value.as_deref().unwrap_or(default));
            rest = after;
        } else {
            out.push('$');
            rest = after;
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// State of a variable, as far as it is known.
pub enum KnownVariable {
    Unset,
    /// Variable is set to an unknown value.
    Set,
    /// The variable is set to this value.
    Value(String),
}

/// Replaces variables with known values, and unset variables with their defaults or an empty string. Keeps `${1}` and
/// `$$`. Returns `None` if the text refers to a variable with an unknown value or the library rejects it.
pub fn expand_known(text: &str, variable: &dyn Fn(&str) -> KnownVariable) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('$') {
        out.push_str(before);
        if let Some(after_brace) = after.strip_prefix('{') {
            let (reference, after) = reference_after(after_brace)?;
            let raw = after_brace.get(..after_brace.len() - after.len() - 1)?;
            out.push_str(&replacement_for(&reference, raw, variable)?);
            rest = after;
        } else {
            let after_dollar = after.strip_prefix('$');
            out.push_str(if after_dollar.is_some() { "$$" } else { "$" });
            rest = after_dollar.unwrap_or(after);
        }
    }
    out.push_str(rest);
    Some(out)
}

/// Returns the replacement for a reference with `raw` in its braces.
fn replacement_for(
    reference: &VariableReference<'_>,
    raw: &str,
    variable: &dyn Fn(&str) -> KnownVariable,
) -> Option<String> {
    let name = reference.name;
    if reference.is_group() {
        return (raw == name || reference.has_default).then(|| format!("${{{name}}}"));
    }
    match (variable(name), reference.has_default) {
        (KnownVariable::Set, _) => None,
        (KnownVariable::Value(value), has_default) if !value.is_empty() => {
            (has_default || raw == name).then_some(value)
        }
        // The library treats an empty variable as unset.
        (_, true) => {
            let operator = raw.get(name.len()..)?;
            let default = DEFAULT_OPERATORS.iter().find_map(|prefix| operator.strip_prefix(prefix))?;
            expand_known(default, variable)
        }
        (_, false) => Some(if raw.starts_with('#') { "0" } else { "" }.to_owned()),
    }
}

/// Whether the library rejects a string: a `${` is not followed by a variable name, or the name is followed by neither
/// `}` nor a function.
pub fn is_rejected(text: &str) -> bool {
    text.contains("${") && parse_references(text).is_err()
}

/// Whether a string may contain a variable of the agent (`${NAME}`) or of the config-reloader (`$(NAME)`).
pub fn may_have_variable(text: &str) -> bool {
    text.contains("${") || text.contains("$(")
}

/// Whether the library expands part of a string, so that its value is unknown. Capture groups such as `${1}` are
/// ignored.
pub fn has_variable(text: &str) -> bool {
    let is_variable = |references: Vec<VariableReference<'_>>| references.iter().any(|reference| !reference.is_group());
    text.contains("${") && parse_references(text).is_ok_and(is_variable)
}

/// Parses the reference after a `$` into its name, its default and the rest of the text.
pub fn reference(after: &str) -> Option<(&str, &str, &str)> {
    let (expression, rest) = after.strip_prefix('{')?.split_once('}')?;
    let is_name_character = |c: char| c == '_' || c.is_ascii_alphanumeric();
    let end = expression.find(|c| !is_name_character(c)).unwrap_or(expression.len());
    let (name, operator) = expression.split_at_checked(end)?;
    if name.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let default = DEFAULT_OPERATORS.iter().find_map(|prefix| operator.strip_prefix(prefix));
    let default = if operator.is_empty() { "" } else { default? };
    Some((name, default, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expands_variables_but_not_capture_groups() {
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
    fn replaces_known_and_unset_variables() {
        let variable = |name: &str| match name {
            "SET" => KnownVariable::Set,
            "TWO" => KnownVariable::Value("2".to_owned()),
            "EMPTY" => KnownVariable::Value(String::new()),
            _ => KnownVariable::Unset,
        };
        for (text, expected) in [
            ("a$1${1}$$", Some("a$1${1}$$")),
            ("${TWO}${TWO:-x}${A:-${TWO}}", Some("222")),
            ("${#TWO}", None),
            ("${EMPTY}${EMPTY:-x}${#EMPTY}${EMPTY^^}", Some("x0")),
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
            assert_eq!(expand_known(text, &variable).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn rejects_invalid_references() {
        for (text, expected) in [
            ("$1 ${1} ${NAME} ${#NAME} $", false),
            ("${NAME:-a b} ${NAME=x} ${NAME,,} ${NAME/a/b} ${NAME##a} ${NAME%a} ${NAME:1:2}", false),
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
            assert_eq!(is_rejected(text), expected, "{text}");
        }
    }
}

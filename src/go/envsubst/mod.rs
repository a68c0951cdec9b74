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

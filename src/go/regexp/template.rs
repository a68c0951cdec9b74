//! Templates with references to groups, such as `$1-${name}` (`Regexp.Expand`).

use crate::go::text::{is_digit, is_letter};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemplatePart<'t> {
    Text(&'t str),
    /// Name or number of a group.
    Reference(&'t str),
}

/// Returns the parts of a template. `$name` uses the longest possible name, and `${name}` ends at the brace. `$$`, or a
/// `$` that is not followed by a name, is a dollar sign.
pub fn template_parts(template: &str) -> impl Iterator<Item = TemplatePart<'_>> {
    let mut rest = template;
    std::iter::from_fn(move || {
        let Some(after) = rest.strip_prefix('$') else {
            let end = rest.find('$').unwrap_or(rest.len());
            let (text, remaining) = rest.split_at_checked(end).filter(|(text, _)| !text.is_empty())?;
            rest = remaining;
            return Some(TemplatePart::Text(text));
        };
        if let Some((name, remaining)) = parse_reference(after) {
            rest = remaining;
            return Some(TemplatePart::Reference(name));
        }
        rest = after.strip_prefix('$').unwrap_or(after);
        Some(TemplatePart::Text("$"))
    })
}

/// Parses the name after a dollar sign in a template and returns it with the rest of the text (`extract`).
fn parse_reference(text: &str) -> Option<(&str, &str)> {
    let after_brace = text.strip_prefix('{');
    let name_start = after_brace.unwrap_or(text);
    let is_name_character = |c: char| is_letter(c) || is_digit(c) || c == '_';
    let end = name_start.find(|c| !is_name_character(c)).unwrap_or(name_start.len());
    let (name, rest) = name_start.split_at_checked(end).filter(|_| end > 0)?;
    match after_brace {
        Some(_) => rest.strip_prefix('}').map(|rest| (name, rest)),
        None => Some((name, rest)),
    }
}

/// Returns the group number that a name denotes, or `None` if the name has leading zeros or is not a number.
pub fn group_number(name: &str) -> Option<usize> {
    let is_number = name.bytes().all(|byte| byte.is_ascii_digit()) && (name == "0" || !name.starts_with('0'));
    // Go reads at most nine digits.
    name.parse().ok().filter(|_| is_number && name.len() <= 9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_templates_like_go() {
        use TemplatePart::{Reference, Text};
        for (template, expected) in [
            ("", &[][..]),
            ("a", &[Text("a")]),
            ("$1_x", &[Reference("1_x")]),
            ("${1}_x", &[Reference("1"), Text("_x")]),
            ("a$$1$", &[Text("a"), Text("$"), Text("1"), Text("$")]),
            ("$name:${", &[Reference("name"), Text(":"), Text("$"), Text("{")]),
        ] {
            assert_eq!(template_parts(template).collect::<Vec<_>>(), expected, "{template}");
        }
        let numbers = ["0", "1", "10", "01", "1x", "", "1234567890"].map(group_number);
        assert_eq!(numbers, [Some(0), Some(1), Some(10), None, None, None, None]);
    }
}

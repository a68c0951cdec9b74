//! Variable references that the config-reloader expands in a configuration (`expandEnv` in Thanos' `pkg/reloader`).

/// Returns the names in `$(NAME)` references. A name consists of letters, digits and `_`.
pub fn find_references(text: &str) -> impl Iterator<Item = &str> {
    text.split("$(").skip(1).filter_map(parse_reference)
}

/// Returns the variable name that follows a `$(`.
pub fn parse_reference(inside: &str) -> Option<&str> {
    let end = inside.find(|c: char| !(c == '_' || c.is_ascii_alphanumeric()))?;
    let (name, after) = inside.split_at_checked(end)?;
    (!name.is_empty() && after.starts_with(')')).then_some(name)
}

/// Replaces the references for which `value` returns a value. Returns `None` if no reference was replaced.
pub fn expand(text: &str, value: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    let mut copied_length = 0;
    while let Some((_, inside)) = rest.split_once("$(") {
        rest = inside;
        let Some((name, value)) = parse_reference(inside).and_then(|name| Some((name, value(name)?))) else {
            continue;
        };
        let start = text.len() - inside.len() - "$(".len();
        out.push_str(text.get(copied_length..start)?);
        out.push_str(&value);
        copied_length = text.len() - inside.len() + name.len() + ")".len();
    }
    (copied_length > 0).then(|| out + text.get(copied_length..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_referenced_names() {
        for (text, expected) in [
            ("", [].as_slice()),
            ("$A ${A} $() $( A) $(a-b) $(a.b) $(ä) $(A", &[]),
            ("$(A)$(1)-$(b_2)", &["A", "1", "b_2"]),
            ("$$(A) $($(B))", &["A", "B"]),
            ("x$(y|z)", &[]),
        ] {
            assert_eq!(find_references(text).collect::<Vec<_>>(), expected, "{text}");
        }
    }

    #[test]
    fn replaces_known_references() {
        let value = |name: &str| (name == "A").then(|| "1".to_owned());
        for (text, expected) in [
            ("$A $(B) $(a", None),
            ("$(A)", Some("1")),
            ("x$(A)y$(B)$(A)", Some("x1y$(B)1")),
            ("$($(A))ä", Some("$(1)ä")),
        ] {
            assert_eq!(expand(text, &value).as_deref(), expected, "{text}");
        }
    }
}

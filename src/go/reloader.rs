//! Variable references that the config-reloader expands in a configuration (`expandEnv` in Thanos' `pkg/reloader`).

/// Returns the names in `$(NAME)` references; a name consists of letters, digits and `_`.
pub fn references(text: &str) -> impl Iterator<Item = &str> {
    text.split("$(").skip(1).filter_map(reference)
}

/// Returns the variable name that follows a `$(`.
pub fn reference(inside: &str) -> Option<&str> {
    let end = inside.find(|c: char| !(c == '_' || c.is_ascii_alphanumeric()))?;
    let (name, behind) = inside.split_at_checked(end)?;
    (!name.is_empty() && behind.starts_with(')')).then_some(name)
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
            assert_eq!(references(text).collect::<Vec<_>>(), expected, "{text}");
        }
    }
}

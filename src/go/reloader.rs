//! References to variables that the config-reloader replaces in a configuration (`expandEnv` of Thanos' `pkg/reloader`).

/// The names in `$(NAME)`, each made of letters, digits and `_`.
pub fn references(text: &str) -> impl Iterator<Item = &str> {
    text.split("$(").skip(1).filter_map(reference)
}

/// The name of the variable that a text behind `$(` refers to.
pub fn reference(inside: &str) -> Option<&str> {
    let end = inside.find(|c: char| !(c == '_' || c.is_ascii_alphanumeric()))?;
    let (name, behind) = inside.split_at_checked(end)?;
    (!name.is_empty() && behind.starts_with(')')).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_references_are_found() {
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

//! Names of labels in Prometheus and Loki.

/// Whether a text is a name of a label (`model.LabelName.IsValid`): letters, digits and `_`, no digit in front.
pub fn is_label_name(text: &str) -> bool {
    let starts_well = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    starts_well && text.bytes().all(is_word)
}

/// Whether a text could become the name of a label once its references, `$1` or `${name}`, are replaced
/// (`relabelTarget` of Prometheus).
pub fn is_label_template(text: &str) -> bool {
    let mut rest = text;
    if rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    while let Some(first) = rest.bytes().next() {
        let after = if first == b'$' {
            after_reference(rest)
        } else {
            rest.get(1..)
        };
        match after {
            Some(after) if first == b'$' || is_word(first) => rest = after,
            _ => return false,
        }
    }
    true
}

/// The operator's way to a name: whatever is no letter, digit or `_` becomes `_` (`SanitizeLabelName`). Only an empty
/// name and a digit in front stay wrong.
pub fn is_label_name_once_sanitized(text: &str) -> bool {
    !text.is_empty() && !text.starts_with(|c: char| c.is_ascii_digit())
}

fn after_reference(text: &str) -> Option<&str> {
    let name = text.strip_prefix('$')?;
    let (name, is_braced) = match name.strip_prefix('{') {
        Some(braced) => (braced, true),
        None => (name, false),
    };
    let rest = name.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    if rest.len() == name.len() {
        return None;
    }
    if is_braced { rest.strip_prefix('}') } else { Some(rest) }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for name in ["a", "_", "__x", "aB9_"] {
            assert!(is_label_name(name), "{name}");
        }
        for name in ["", "9a", "a-b", "a.b", "ä", "a b", "$1"] {
            assert!(!is_label_name(name), "{name}");
        }
    }

    #[test]
    fn templates() {
        for name in ["a", "$1", "${1}", "a${name}b", "$1_$2", "$1a", "a$1$2", "_9"] {
            assert!(is_label_template(name), "{name}");
        }
        for name in [
            "", "9a", "a$$", "$", "${}", "${1", "${1}-b", "a-${1}", "$-", "ä", "${a-b}",
        ] {
            assert!(!is_label_template(name), "{name}");
        }
    }

    #[test]
    fn sanitized_names() {
        assert!(is_label_name_once_sanitized("app.kubernetes.io/name"));
        assert!(is_label_name_once_sanitized("-9"));
        assert!(!is_label_name_once_sanitized("9a"));
        assert!(!is_label_name_once_sanitized(""));
    }
}

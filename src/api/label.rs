//! What Kubernetes accepts as the key and the value of a label (apimachinery `util/validation`).

/// Why a text is no qualified name (`IsQualifiedName`): at most 63 characters, letters, digits, `-`, `_` and `.` with a
/// letter or digit at both ends, with an optional DNS subdomain and `/` in front.
pub fn check_qualified_name(text: &str) -> Result<(), String> {
    let (prefix, name) = match text.split_once('/') {
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, text),
    };
    if name.contains('/') {
        return Err("a qualified name has one `/` at the most".to_owned());
    }
    if let Some(prefix) = prefix {
        check_subdomain(prefix).map_err(|why| format!("the prefix part {why}"))?;
    }
    if name.is_empty() {
        return Err("the name part must not be empty".to_owned());
    }
    if name.len() > 63 {
        return Err("the name part must be no more than 63 characters".to_owned());
    }
    check_label_characters(name).map_err(|why| format!("the name part {why}"))
}

/// Why a text is no label value (`IsValidLabelValue`): empty, or at most 63 such characters.
pub fn check_label_value(text: &str) -> Result<(), String> {
    if text.len() > 63 {
        return Err("must be no more than 63 characters".to_owned());
    }
    if text.is_empty() {
        Ok(())
    } else {
        check_label_characters(text)
    }
}

/// Why a text is no DNS subdomain (`IsDNS1123Subdomain`).
pub fn check_subdomain(text: &str) -> Result<(), String> {
    if text.is_empty() {
        return Err("must not be empty".to_owned());
    }
    if text.len() > 253 {
        return Err("must be no more than 253 characters".to_owned());
    }
    let is_label = |label: &str| {
        let edge = |b: Option<&u8>| b.is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        let bytes = label.as_bytes();
        edge(bytes.first())
            && edge(bytes.last())
            && bytes
                .iter()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || *b == b'-')
    };
    if text.split('.').all(is_label) {
        Ok(())
    } else {
        Err("must consist of lower case letters, digits, `-` and `.`, with a letter or digit at both ends".to_owned())
    }
}

fn check_label_characters(text: &str) -> Result<(), String> {
    let bytes = text.as_bytes();
    let edge = |b: Option<&u8>| b.is_some_and(u8::is_ascii_alphanumeric);
    let inner = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    if edge(bytes.first()) && edge(bytes.last()) && bytes.iter().all(inner) {
        Ok(())
    } else {
        Err("must consist of letters, digits, `-`, `_` and `.`, with a letter or digit at both ends".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_values_as_kubernetes_takes_them() {
        for good in ["a", "A.b_c-9", "example.com/name", "a-b.c/D"] {
            assert_eq!(check_qualified_name(good), Ok(()), "{good}");
        }
        let long = "a".repeat(64);
        for bad in ["", "-a", "a-", "a/b/c", "/a", "a/", "A.com/x", "a b", long.as_str()] {
            assert!(check_qualified_name(bad).is_err(), "{bad}");
        }
        assert_eq!(check_label_value(""), Ok(()));
        assert!(check_label_value("a/b").is_err());
        assert!(check_label_value(&long).is_err());
    }
}

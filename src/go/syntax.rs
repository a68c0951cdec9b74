//! Syntax of names, labels and keys in Kubernetes (`pkg/util/validation` in apimachinery), and of labels in Prometheus
//! and Loki. The Kubernetes functions return the problem as a phrase that follows the string in a message, or `None` if
//! the string is valid. Lengths are in bytes.

use std::sync::LazyLock;

use regex::Regex;

use super::text::pattern;

const PORT_NAME_MAX: usize = 15;
const LABEL_MAX: usize = 63;
const SUBDOMAIN_MAX: usize = 253;

/// A syntax check that returns the problem with a string, or `None` if it is valid.
pub type Syntax = fn(&str) -> Option<String>;

/// Checks the name of most objects (`IsDNS1123Subdomain`).
pub fn subdomain(text: &str) -> Option<String> {
    let expected = "must consist of lowercase letters, digits, `-` and `.`, and each part must start and end with a letter or digit";
    problem_unless_valid(text.split('.').all(is_dns_word), text, SUBDOMAIN_MAX, expected)
}

/// Checks the name of a namespace or volume (`IsDNS1123Label`).
pub fn dns_label(text: &str) -> Option<String> {
    let expected = "must consist of lowercase letters, digits and `-`, and must start and end with a letter or digit";
    problem_unless_valid(is_dns_word(text), text, LABEL_MAX, expected)
}

/// Checks the name of a Service or an API version (`IsDNS1035Label`).
pub fn dns_1035_label(text: &str) -> Option<String> {
    let expected =
        "must consist of lowercase letters, digits and `-`, must start with a letter, and must not end with `-`";
    let is_valid = is_dns_word(text) && text.starts_with(|c: char| c.is_ascii_lowercase());
    problem_unless_valid(is_valid, text, LABEL_MAX, expected)
}

/// Checks a port name in the syntax of IANA service names (`IsValidPortName`).
pub fn port_name(text: &str) -> Option<String> {
    length_problem(text, PORT_NAME_MAX).or_else(|| {
        let is_port_byte = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        let problem = if !text.bytes().all(is_port_byte) {
            "must consist of lowercase letters, digits and `-`"
        } else if !text.bytes().any(|byte| byte.is_ascii_lowercase()) {
            "must contain at least one letter"
        } else if text.contains("--") {
            "must not contain two `-` in a row"
        } else if text.starts_with('-') || text.ends_with('-') {
            "must not start or end with `-`"
        } else {
            return None;
        };
        Some(problem.to_owned())
    })
}

/// Checks a segment of a URL path (`IsValidPathSegmentName`).
pub fn path_segment(text: &str) -> Option<String> {
    match text {
        "." | ".." => Some(format!("must not be `{text}`")),
        _ if text.contains(['/', '%']) => Some("must not contain `/` or `%`".to_owned()),
        _ => None,
    }
}

/// Checks the key of a label or annotation, or the name of a finalizer (`IsQualifiedName`).
pub fn qualified_name(text: &str) -> Option<String> {
    let (prefix, name) = match text.split_once('/') {
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, text),
    };
    match prefix {
        Some("") => return Some("must have a prefix before `/`".to_owned()),
        Some(prefix) => {
            if let Some(problem) = subdomain(prefix) {
                return Some(format!("has an invalid prefix: it {problem}"));
            }
        }
        None => {}
    }
    match name {
        "" if prefix.is_some() => Some("must have a name after `/`".to_owned()),
        "" => Some("must not be empty".to_owned()),
        _ if name.contains('/') => Some("must contain at most one `/`".to_owned()),
        _ => word(name),
    }
}

/// Checks a label value (`IsValidLabelValue`).
pub fn label_value(text: &str) -> Option<String> {
    match text {
        "" => None,
        _ => word(text),
    }
}

/// Checks a key of a Secret or ConfigMap, which becomes a file name (`IsConfigMapKey`).
pub fn data_key(text: &str) -> Option<String> {
    if text == "." || text.starts_with("..") {
        return Some("must not be `.` or start with `..`".to_owned());
    }
    let is_valid = !text.is_empty() && text.bytes().all(is_word_byte);
    let expected = "must consist of letters, digits, `-`, `_` and `.`";
    problem_unless_valid(is_valid, text, SUBDOMAIN_MAX, expected)
}

/// Prepares the prefix of a generated name for validation, so that a trailing dash is accepted (`maskTrailingDash`,
/// which drops the last two characters).
pub fn mask_trailing_dash(text: &str) -> String {
    match text.len().checked_sub(2).and_then(|end| text.get(..end)) {
        Some(start) if text.ends_with('-') => format!("{start}a"),
        _ => text.to_owned(),
    }
}

fn word(text: &str) -> Option<String> {
    let is_alphanumeric = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let bytes = text.as_bytes();
    let is_valid =
        bytes.iter().copied().all(is_word_byte) && is_alphanumeric(bytes.first()) && is_alphanumeric(bytes.last());
    let expected = "must consist of letters, digits, `-`, `_` and `.`, and must start and end with a letter or digit";
    problem_unless_valid(is_valid, text, LABEL_MAX, expected)
}

/// Returns the problem with a string that is too long or invalid: its length if it is too long, and `expected`
/// otherwise.
fn problem_unless_valid(is_valid: bool, text: &str, max: usize, expected: &str) -> Option<String> {
    length_problem(text, max).or_else(|| (!is_valid).then(|| expected.to_owned()))
}

fn length_problem(text: &str, max: usize) -> Option<String> {
    (text.len() > max).then(|| format!("must have at most {max} characters (found {})", text.len()))
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.')
}

fn is_dns_word(text: &str) -> bool {
    let is_end = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let bytes = text.as_bytes();
    bytes.first().is_some_and(is_end)
        && bytes.last().is_some_and(is_end)
        && bytes.iter().all(|byte| is_end(byte) || *byte == b'-')
}

/// Whether a string is a label name (`model.LabelName.IsValid`): letters, digits and `_`, not starting with a digit.
pub fn is_label_name(text: &str) -> bool {
    let starts_well = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    starts_well && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Whether a string can become a label name after its references, such as `$1` or `${name}`, are expanded (Prometheus'
/// `relabelTarget`).
pub fn is_label_template(text: &str) -> bool {
    static TARGET: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?-u)(?:(?:[a-zA-Z_]|\$(?:\{\w+\}|\w+))+\w*)+$"));
    TARGET.is_match(text)
}

/// Whether a string becomes a label name when the operator replaces all invalid characters with `_`
/// (`SanitizeLabelName`). Only an empty name and a leading digit remain invalid.
pub fn is_label_name_once_sanitized(text: &str) -> bool {
    !text.is_empty() && !text.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(syntax: Syntax, valid: &[&str], invalid: &[&str]) {
        for text in valid {
            assert_eq!(syntax(text), None, "{text:?}");
        }
        for text in invalid {
            assert!(syntax(text).is_some(), "{text:?}");
        }
    }

    #[test]
    fn checks_object_names() {
        let longest = "a".repeat(253);
        let too_long = "a".repeat(254);
        check(
            subdomain,
            &["a", "0", "a.b", "a-b.c", &longest],
            &["", "A", "-a", "a-", "a..b", ".a", "a_b", "é", "a b", &too_long],
        );
    }

    #[test]
    fn checks_dns_label_and_port_names() {
        let longest = "a".repeat(63);
        let too_long = "a".repeat(64);
        for (text, dns, dns_1035, port) in [
            ("a", true, true, true),
            ("v0alpha1", true, true, true),
            ("1a", true, false, true),
            ("80", true, false, false),
            ("0-a", true, false, true),
            ("a--b", true, true, false),
            ("-a", false, false, false),
            ("a-", false, false, false),
            ("a.b", false, false, false),
            ("a_b", false, false, false),
            ("A", false, false, false),
            ("", false, false, false),
            ("fifteen-letters", true, true, true),
            ("sixteen-letters0", true, true, false),
            (&longest, true, true, false),
            (&too_long, false, false, false),
        ] {
            assert_eq!(dns_label(text).is_none(), dns, "{text:?}");
            assert_eq!(dns_1035_label(text).is_none(), dns_1035, "{text:?}");
            assert_eq!(port_name(text).is_none(), port, "{text:?}");
        }
    }

    #[test]
    fn checks_path_segments() {
        check(path_segment, &["", "a", "a..b", "A b"], &[".", "..", "a/b", "a%2fb"]);
    }

    #[test]
    fn checks_label_keys_and_values() {
        let longest = "a".repeat(63);
        let too_long = "a".repeat(64);
        check(
            qualified_name,
            &["a", "A_b.c-9", "example.com/name", "a-b.c/D", "a/b", &longest],
            &["", "/a", "a/", "a/b/c", "Example.com/a", "-a", "a-", "a_", "a b", "ü", &too_long],
        );
        check(label_value, &["", "a", "A_b.c", &longest], &["-", "a b", "a/b", "_a", "a_", &too_long]);
    }

    #[test]
    fn reports_the_first_problem() {
        let word = "must consist of letters, digits, `-`, `_` and `.`, and must start and end with a letter or digit";
        for (text, expected) in [
            ("", "must not be empty"),
            ("a/", "must have a name after `/`"),
            ("/a", "must have a prefix before `/`"),
            ("a/b/c", "must contain at most one `/`"),
            ("-", word),
            ("a/b c", word),
            (&"a".repeat(64), "must have at most 63 characters (found 64)"),
            (
                "A/b",
                "has an invalid prefix: it must consist of lowercase letters, digits, `-` and `.`, and each part must start and end with a letter or digit",
            ),
        ] {
            assert_eq!(qualified_name(text).as_deref(), Some(expected), "{text:?}");
        }
        for (text, expected) in [
            ("A", "must consist of lowercase letters, digits and `-`"),
            ("-", "must contain at least one letter"),
            ("-a--b", "must not contain two `-` in a row"),
            ("-a", "must not start or end with `-`"),
            ("a-", "must not start or end with `-`"),
        ] {
            assert_eq!(port_name(text).as_deref(), Some(expected), "{text:?}");
        }
        assert_eq!(path_segment("..").as_deref(), Some("must not be `..`"));
        assert_eq!(data_key("..a").as_deref(), Some("must not be `.` or start with `..`"));
    }

    #[test]
    fn checks_secret_keys() {
        let longest = "a".repeat(253);
        let too_long = "a".repeat(254);
        check(
            data_key,
            &["a", ".a", "A-b_c.d", "-", "9", &longest],
            &["", ".", "..", "..a", "a/b", "a b", "é", &too_long],
        );
    }

    #[test]
    fn prefixes_may_end_with_a_dash() {
        assert_eq!(mask_trailing_dash("agent-"), "agena");
        assert_eq!(mask_trailing_dash("a-"), "a");
        assert_eq!(mask_trailing_dash("-"), "-");
        assert_eq!(mask_trailing_dash("é-"), "é-");
        assert_eq!(mask_trailing_dash("agent"), "agent");
    }

    #[test]
    fn recognizes_label_names() {
        for name in ["a", "_", "__x", "aB9_"] {
            assert!(is_label_name(name), "{name}");
        }
        for name in ["", "9a", "a-b", "a.b", "ä", "a b", "$1"] {
            assert!(!is_label_name(name), "{name}");
        }
    }

    #[test]
    fn recognizes_label_templates() {
        for name in ["a", "$1", "${1}", "a${name}b", "$1_$2", "$1a", "a$1$2", "_9"] {
            assert!(is_label_template(name), "{name}");
        }
        for name in ["", "9a", "a$$", "$", "${}", "${1", "${1}-b", "a-${1}", "$-", "ä", "${a-b}"] {
            assert!(!is_label_template(name), "{name}");
        }
    }

    #[test]
    fn recognizes_sanitizable_label_names() {
        assert!(is_label_name_once_sanitized("app.kubernetes.io/name"));
        assert!(is_label_name_once_sanitized("-9"));
        assert!(!is_label_name_once_sanitized("9a"));
        assert!(!is_label_name_once_sanitized(""));
    }
}

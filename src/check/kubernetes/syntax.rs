//! Names as Kubernetes wants them (`pkg/util/validation` of apimachinery). Each function returns what is wrong.

const LABEL_MAX: usize = 63;
const PORT_NAME_MAX: usize = 15;

/// `IsDNS1123Label`: names of volumes.
pub fn dns_label(text: &str) -> Option<String> {
    if let Some(problem) = too_long(text, LABEL_MAX) {
        return Some(problem);
    }
    let is_edge = |b: Option<&u8>| b.is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    let bytes = text.as_bytes();
    let is_label = is_edge(bytes.first()) && is_edge(bytes.last()) && bytes.iter().all(is_label_byte);
    (!is_label)
        .then(|| "must consist of lower case letters, digits and `-`, with a letter or digit at both ends".to_owned())
}

/// `IsDNS1035Label`: names of Services.
pub fn service_name(text: &str) -> Option<String> {
    if let Some(problem) = too_long(text, LABEL_MAX) {
        return Some(problem);
    }
    let starts_with_letter = text.starts_with(|c: char| c.is_ascii_lowercase());
    (!starts_with_letter || dns_label(text).is_some())
        .then(|| "must consist of lower case letters, digits and `-`, and start with a letter".to_owned())
}

/// `IsValidPortName`: names of ports, as the IANA registers them.
pub fn port_name(text: &str) -> Option<String> {
    if let Some(problem) = too_long(text, PORT_NAME_MAX) {
        return Some(problem);
    }
    let problem = if !text.bytes().all(|b| is_label_byte(&b)) {
        "must consist of lower case letters, digits and `-`"
    } else if !text.bytes().any(|b| b.is_ascii_lowercase()) {
        "must have at least one letter"
    } else if text.contains("--") {
        "must not have two `-` in a row"
    } else if text.starts_with('-') || text.ends_with('-') {
        "must not start or end with `-`"
    } else {
        return None;
    };
    Some(problem.to_owned())
}

fn too_long(text: &str, max: usize) -> Option<String> {
    let length = text.len();
    (length > max).then(|| format!("must be no more than {max} characters, and has {length}"))
}

fn is_label_byte(b: &u8) -> bool {
    b.is_ascii_lowercase() || b.is_ascii_digit() || *b == b'-'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_each_kind() {
        let long = "a".repeat(64);
        for (text, label, service, port) in [
            ("a", true, true, true),
            ("1a", true, false, true),
            ("80", true, false, false),
            ("a--b", true, true, false),
            ("a-", false, false, false),
            ("a.b", false, false, false),
            ("A", false, false, false),
            ("", false, false, false),
            ("sixteen-letters-", false, false, false),
            ("sixteen-letters0", true, true, false),
            ("fifteen-letters", true, true, true),
            (long.as_str(), false, false, false),
        ] {
            assert_eq!(dns_label(text).is_none(), label, "{text}");
            assert_eq!(service_name(text).is_none(), service, "{text}");
            assert_eq!(port_name(text).is_none(), port, "{text}");
        }
    }
}

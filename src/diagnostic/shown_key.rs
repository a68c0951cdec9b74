//! Keys as findings show them. A key that cannot be one came there by mistake: where a file of values was taken for a file of names,
//! each of its lines is a key, and may hold a password.

use crate::go::syntax;

/// What is shown of a secret.
pub const MASK: &str = "***";

/// The fields of Secrets and ConfigMaps whose keys become names of files.
const DATA: [&str; 4] = ["binaryData", "data", "encryptedData", "stringData"];

/// Whether the keys of this field are those of a Secret or ConfigMap.
pub fn is_data(field: &str) -> bool {
    DATA.contains(&field)
}

/// A key of a Secret or ConfigMap.
pub fn shown_data_key(key: &str) -> &str {
    if syntax::data_key(key).is_none() { key } else { MASK }
}

/// A key of any mapping: the name of a field, or a label or annotation of a domain.
pub fn shown_key(key: &str) -> &str {
    let has_domain = || key.split_once('/').is_some_and(|(domain, _)| domain.contains('.'));
    let is_plain = syntax::data_key(key).is_none() || (has_domain() && syntax::qualified_name(key).is_none());
    if is_plain { key } else { MASK }
}

/// A key in a path, which is below this one; none where it is the first.
pub fn shown_in_path<'k>(above: Option<&str>, key: &'k str) -> &'k str {
    match above {
        None => shown_data_key(key),
        Some(above) if is_data(above) => shown_data_key(key),
        Some(_) => key,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_cannot_be_one_is_not_shown() {
        for (key, data, other) in [
            ("tls.key", true, true),
            ("_x-1", true, true),
            ("app.kubernetes.io/name", false, true),
            ("password: hunter2", false, false),
            ("- hunter2", false, false),
            ("a/hunter2", false, false),
            ("hunter+/2==", false, false),
            ("", false, false),
        ] {
            assert_eq!(shown_data_key(key) == key && !key.is_empty(), data, "{key}");
            assert_eq!(shown_key(key) == key && !key.is_empty(), other, "{key}");
        }
        assert_eq!(shown_in_path(Some("data"), "a b"), MASK);
        assert_eq!(shown_in_path(Some("labels"), "a b"), "a b");
    }
}

//! Redaction of keys in findings. If a file with values is mistaken for a file with names, each line becomes a key,
//! which may contain a password. Invalid keys are therefore masked.

use crate::go::syntax;

/// String that replaces a secret.
pub const MASK: &str = "***";

/// Fields of Secrets and ConfigMaps whose keys become file names.
const DATA_FIELDS: [&str; 4] = ["binaryData", "data", "encryptedData", "stringData"];

/// Key of a directive in a kustomize patch. It never contains a value.
const DIRECTIVE: &str = "$patch";

/// Whether a field contains the keys of a Secret or ConfigMap.
pub fn is_data(field: &str) -> bool {
    DATA_FIELDS.contains(&field)
}

/// Returns a key of a Secret or ConfigMap, masked if it is invalid.
pub fn display_data_key(key: &str) -> &str {
    match syntax::data_key(key) {
        Some(_) if key != DIRECTIVE => MASK,
        _ => key,
    }
}

/// Returns a key of any mapping, masked unless it is a valid field name, or a valid label or annotation key with a
/// domain.
pub fn display_key(key: &str) -> &str {
    let has_domain = || key.split_once('/').is_some_and(|(domain, _)| domain.contains('.'));
    let is_plain =
        key == DIRECTIVE || syntax::data_key(key).is_none() || (has_domain() && syntax::qualified_name(key).is_none());
    if is_plain { key } else { MASK }
}

/// Returns a key in a path, masked if it is invalid. `above` is the previous key, or `None` if there is none.
pub fn display_path_key<'k>(above: Option<&str>, key: &'k str) -> &'k str {
    match above {
        None => display_data_key(key),
        Some(above) if is_data(above) => display_data_key(key),
        Some(_) => key,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_invalid_keys() {
        for (key, data, other) in [
            ("tls.key", true, true),
            ("_x-1", true, true),
            ("$patch", true, true),
            ("$patched", false, false),
            ("app.kubernetes.io/name", false, true),
            ("password: hunter2", false, false),
            ("- hunter2", false, false),
            ("a/hunter2", false, false),
            ("hunter+/2==", false, false),
            ("", false, false),
        ] {
            assert_eq!(display_data_key(key) == key && !key.is_empty(), data, "{key}");
            assert_eq!(display_key(key) == key && !key.is_empty(), other, "{key}");
        }
        assert_eq!(display_path_key(Some("data"), "a b"), MASK);
        assert_eq!(display_path_key(Some("labels"), "a b"), "a b");
    }
}

//! Labels as people see them.

use std::borrow::Cow;

use crate::secrecy::{MASK, is_secret_key, without_secrets_told};

/// The value of a label with its secrets masked: discovery makes labels of every annotation, and parameters of a URL may be tokens.
/// Programs get the true value, which a comparison needs and the server itself shows.
pub(super) fn shown<'v>(name: &str, value: &'v str) -> Cow<'v, str> {
    let prefixes = ["__param_", "__meta_kubernetes_"];
    let key = prefixes
        .iter()
        .find_map(|prefix| name.strip_prefix(prefix))
        .unwrap_or(name);
    let key = key.rsplit("_annotation_").next().unwrap_or(key);
    if !value.is_empty() && is_secret_key(key) {
        return Cow::Borrowed(MASK);
    }
    without_secrets_told(value)
}

/// A value between quotes, on one line.
pub(super) fn quoted(value: &str) -> String {
    format!(
        "\"{}\"",
        value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
    )
}

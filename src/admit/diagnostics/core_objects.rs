//! What admission says of the data of Secrets and ConfigMaps.

use super::shown;
use crate::admit::frame::Frame;
use crate::diagnostic::{Code, Diagnostic};
use crate::yaml::Entry;

/// A key that cannot be the name of a file.
pub(in crate::admit) fn invalid_key(entry: Entry<'_>, problem: &str, at: &Frame<'_>) -> Diagnostic {
    Diagnostic::new(
        Code::InvalidDataKey,
        format!("the key `{}` in `{}` {problem}", shown(entry.key), at.name()),
    )
    .path(at.key(entry))
    .label(entry.key_span, "not a valid key")
}

/// A key that stands in `data` and in `binaryData`.
pub(in crate::admit) fn key_twice(entry: Entry<'_>, other: Entry<'_>, at: &Frame<'_>) -> Diagnostic {
    Diagnostic::new(
        Code::InvalidDataKey,
        format!("the key `{}` stands in `data` and in `binaryData`", shown(entry.key)),
    )
    .path(at.key(entry))
    .label(entry.key_span, "in `data`")
    .label(other.key_span, "in `binaryData`")
    .help("remove one of them")
}

/// Values that are larger than the API server accepts.
pub(in crate::admit) fn too_large(bytes: usize, at: &Frame<'_>) -> Diagnostic {
    Diagnostic::new(
        Code::ObjectTooLarge,
        format!("the values have {bytes} bytes together, 1048576 are allowed"),
    )
    .path(at)
    .label(at.head(), "too large")
}

/// The annotation that says whose token a Secret holds.
pub(in crate::admit) const SERVICE_ACCOUNT: &str = "kubernetes.io/service-account.name";

/// A key that the type of a Secret promises.
pub(in crate::admit) fn missing_key(key: &str, secret_type: Entry<'_>) -> Diagnostic {
    secret_lacks(secret_type, &format!("the key `{key}`"))
        .path(format_args!("data[{key}]"))
        .help(format!("add `{key}`, or remove the `type`"))
}

/// A Secret for basic authentication with neither key.
pub(in crate::admit) fn missing_user(secret_type: Entry<'_>) -> Diagnostic {
    secret_lacks(secret_type, "the key `username` or `password`")
        .path("data[username]")
        .help("add one of them, or remove the `type`")
}

/// A Secret for a token that names no service account.
pub(in crate::admit) fn missing_account(secret_type: Entry<'_>) -> Diagnostic {
    secret_lacks(secret_type, &format!("the annotation `{SERVICE_ACCOUNT}`"))
        .path(format_args!("metadata.annotations[{SERVICE_ACCOUNT}]"))
        .help("name the service account in it")
}

fn secret_lacks(secret_type: Entry<'_>, what: &str) -> Diagnostic {
    let name = secret_type.value.as_str().unwrap_or_default();
    Diagnostic::new(
        Code::InvalidSecretType,
        format!("a Secret of type `{}` needs {what}", shown(name)),
    )
    .label(secret_type.value.span(), format!("needs {what}"))
}

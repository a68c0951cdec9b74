//! Core objects that resources refer to.

use std::collections::BTreeMap;

use crate::yaml::Node;

/// The decoded data of a Secret or a ConfigMap: bytes a key. Never printed.
#[derive(Clone, Default)]
pub struct SecretData<'d> {
    /// Values by key. A Secret's `stringData` is merged over its `data`; a ConfigMap's `data` over its `binaryData`.
    pub values: BTreeMap<&'d str, Data<'d>>,
}

/// A value of a Secret or ConfigMap.
#[derive(Clone, PartialEq, Eq)]
pub enum Data<'d> {
    /// As written in the text.
    Text(&'d str),
    /// Decoded from base64.
    Bytes(Vec<u8>),
}

impl Data<'_> {
    /// Its bytes.
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Data::Text(text) => text.as_bytes(),
            Data::Bytes(bytes) => bytes,
        }
    }

    /// Whether SOPS encrypted it.
    pub fn is_encrypted(&self) -> bool {
        is_encrypted(self.as_bytes())
    }
}

/// Whether a value is one that SOPS encrypted: `ENC[AES256_GCM,…]`.
pub fn is_encrypted(value: &[u8]) -> bool {
    value.starts_with(b"ENC[AES256_GCM,")
}

/// The annotation with the name of the function that rendered an object. Only runs that write between their own inputs set
/// it: what `render` prints is the operator's.
pub const RENDERED_BY_ANNOTATION: &str = "agentctl.dev/rendered-by";

/// The name of the function that rendered an object; `None` of one that a person wrote.
pub fn rendered_by<'d>(object: Node<'d>) -> Option<&'d str> {
    object.at("metadata.annotations")?.get(RENDERED_BY_ANNOTATION)?.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_sops_are_known_by_their_start() {
        for (value, expected) in [
            ("ENC[AES256_GCM,data:x]", true),
            ("ENC[AES256_GCM", false),
            ("x ENC[AES256_GCM,", false),
            ("", false),
        ] {
            assert_eq!(Data::Text(value).is_encrypted(), expected, "{value}");
            assert_eq!(Data::Bytes(value.into()).is_encrypted(), expected, "{value}");
        }
    }
}

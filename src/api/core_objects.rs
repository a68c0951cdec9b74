//! Core objects that resources refer to.

use std::collections::BTreeMap;

use crate::yaml::Node;

/// Decoded data of a Secret or ConfigMap. Never printed.
#[derive(Clone, Default)]
pub struct SecretData<'d> {
    /// Values by key. A Secret's `stringData` overrides its `data`, and a ConfigMap's `data` overrides its
    /// `binaryData`.
    pub values: BTreeMap<&'d str, Data<'d>>,
}

/// A value in a Secret or ConfigMap.
#[derive(Clone, PartialEq, Eq)]
pub enum Data<'d> {
    /// A string as written in the input.
    Text(&'d str),
    /// Bytes decoded from base64.
    Bytes(Vec<u8>),
}

impl Data<'_> {
    /// Returns the bytes of the value.
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Data::Text(text) => text.as_bytes(),
            Data::Bytes(bytes) => bytes,
        }
    }

    /// Whether the value is encrypted with SOPS.
    pub fn is_encrypted(&self) -> bool {
        is_encrypted(self.as_bytes())
    }
}

/// Whether a value is encrypted with SOPS: `ENC[AES256_GCM,…]`.
pub fn is_encrypted(value: &[u8]) -> bool {
    value.starts_with(b"ENC[AES256_GCM,")
}

/// Annotation that contains the name of the function that rendered an object. It is set only by runs that write their
/// output back into their input, because the output of `render` must exactly match the operator's.
pub const RENDERED_BY_ANNOTATION: &str = "agentctl.dev/rendered-by";

/// Returns the name of the function that rendered an object, or `None` if it was written by hand.
pub fn rendering_function<'d>(object: Node<'d>) -> Option<&'d str> {
    object.at("metadata.annotations")?.get(RENDERED_BY_ANNOTATION)?.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognizes_sops_values() {
        for (value, expected) in
            [("ENC[AES256_GCM,data:x]", true), ("ENC[AES256_GCM", false), ("x ENC[AES256_GCM,", false), ("", false)]
        {
            assert_eq!(Data::Text(value).is_encrypted(), expected, "{value}");
            assert_eq!(Data::Bytes(value.into()).is_encrypted(), expected, "{value}");
        }
    }
}

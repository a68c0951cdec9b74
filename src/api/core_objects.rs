//! Core objects that resources refer to.

use std::collections::BTreeMap;
use std::fmt;

use crate::source::Span;
use crate::yaml::Node;

/// The decoded data of a Secret or a ConfigMap: bytes a key. Never printed.
#[derive(Clone, Default)]
pub struct KeyedData<'d> {
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

/// A Node, for the kubelet's Endpoints.
#[derive(Clone, Default)]
pub struct NodeAddresses<'d> {
    /// Type and address of each of `status.addresses`.
    pub addresses: Vec<(&'d str, &'d str)>,
}

/// A kind of object that makes a Secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// `bitnami.com` SealedSecret: an encrypted Secret.
    SealedSecret,
    /// `external-secrets.io` ExternalSecret: names of values in a vault.
    ExternalSecret,
}

impl Promise {
    /// Returns the kind of an object by its `apiVersion` and `kind`; none if it makes no Secret.
    pub fn of(api_version: &str, kind: &str) -> Option<Self> {
        match (api_version, kind) {
            ("bitnami.com/v1alpha1", "SealedSecret") => Some(Promise::SealedSecret),
            (
                "external-secrets.io/v1" | "external-secrets.io/v1beta1" | "external-secrets.io/v1alpha1",
                "ExternalSecret",
            ) => Some(Promise::ExternalSecret),
            _ => None,
        }
    }
}

impl fmt::Display for Promise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Promise::SealedSecret => "SealedSecret",
            Promise::ExternalSecret => "ExternalSecret",
        })
    }
}

/// A Secret that there will be, without its values.
#[derive(Clone, Debug)]
pub struct PromisedSecret<'d> {
    /// The kind of the object that makes it.
    pub promise: Promise,
    /// The name of the object that makes it.
    pub by: &'d str,
    /// The Secret's namespace.
    pub namespace: &'d str,
    /// The Secret's name.
    pub name: &'d str,
    /// The keys that are known.
    pub keys: Vec<&'d str>,
    /// Whether these are all.
    pub all_keys: bool,
    /// The place of the object's name.
    pub span: Span,
    /// The object that makes it.
    pub root: Node<'d>,
}

/// The annotation with the name of the function that rendered an object. Only runs that write between their own inputs set
/// it: what `render` prints is the operator's.
pub const RENDERED_BY_ANNOTATION: &str = "agentctl.dev/rendered-by";

/// The name of the function that rendered an object; `None` of one that a person wrote.
pub fn rendered_by<'d>(object: Node<'d>) -> Option<&'d str> {
    object.at("metadata.annotations")?.get(RENDERED_BY_ANNOTATION)?.as_str()
}

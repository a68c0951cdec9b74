//! Values that a hierarchy refers to, indexed by reference (the operator's `assets.SecretStore`).

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use crate::api::{KeySelector, Kind, ObjectRef, ResourceHeader};
use crate::go::text;
use crate::source::Span;

/// Reference to a key in a Secret or ConfigMap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AssetKey<'d> {
    /// Kind of object: Secret or ConfigMap.
    pub kind: Kind,
    pub namespace: &'d str,
    pub name: &'d str,
    pub key: &'d str,
}

impl<'d> AssetKey<'d> {
    pub fn secret(namespace: &'d str, selector: &KeySelector<'d>) -> Self {
        Self::new(Kind::Secret, namespace, selector)
    }

    /// Creates a reference to a key in a ConfigMap.
    pub fn config_map(namespace: &'d str, selector: &KeySelector<'d>) -> Self {
        Self::new(Kind::ConfigMap, namespace, selector)
    }

    /// Creates a reference to a key in a Secret or ConfigMap.
    pub fn new(kind: Kind, namespace: &'d str, selector: &KeySelector<'d>) -> Self {
        Self { kind, namespace, name: selector.name, key: selector.key }
    }

    /// Returns the Secret or ConfigMap that contains the key.
    pub fn object(&self) -> ObjectRef<'d> {
        ObjectRef { kind: self.kind, namespace: self.namespace, name: self.name }
    }

    /// Returns the value's key in `<agent>-secrets`: the path of the reference, with every character except letters,
    /// digits and `_` replaced with `_` (`SanitizeLabelName`).
    pub fn sanitized_key(&self) -> String {
        text::label_name(&self.to_string()).into_owned()
    }
}

impl fmt::Display for AssetKey<'_> {
    /// Writes `/secrets/<namespace>/<name>/<key>` or `/configMaps/…` (`assets.Key`).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.kind == Kind::Secret { "secrets" } else { "configMaps" };
        write!(f, "/{kind}/{}/{}/{}", self.namespace, self.name, self.key)
    }
}

/// Values of Secrets and ConfigMaps, by the key that refers to them. A dangling reference has no value, and is reported
/// when the hierarchy is resolved.
#[derive(Clone, Default)]
pub struct SecretStore<'h, 'd>(BTreeMap<AssetKey<'d>, StoredValue<'h, 'd>>);

/// A value, or the placeholder for a missing value.
#[derive(Clone)]
struct StoredValue<'h, 'd> {
    bytes: Cow<'h, [u8]>,
    /// Object that contains the value, or `None` for a placeholder.
    object: Option<&'h ResourceHeader<'d>>,
}

impl<'h, 'd> SecretStore<'h, 'd> {
    /// Adds a value of an object, and returns whether the key is new.
    pub fn insert(&mut self, key: AssetKey<'d>, bytes: &'h [u8], object: &'h ResourceHeader<'d>) -> bool {
        let stored_value = StoredValue { bytes: Cow::Borrowed(bytes), object: Some(object) };
        self.0.insert(key, stored_value).is_none()
    }

    /// Adds the placeholder for a missing value, and returns whether the key is new.
    pub fn insert_placeholder(&mut self, key: AssetKey<'d>, token: String) -> bool {
        self.0.insert(key, StoredValue { bytes: Cow::Owned(token.into_bytes()), object: None }).is_none()
    }

    /// Whether the value is a placeholder.
    pub fn is_placeholder(&self, key: &AssetKey<'d>) -> bool {
        self.0.get(key).is_some_and(|stored| stored.object.is_none())
    }

    /// Returns the span of a part of a value in its object. `bytes` contains offsets in the value.
    pub fn span(&self, key: &AssetKey<'d>, bytes: Range<usize>) -> Option<Span> {
        self.0.get(key)?.object?.value_part(key.key, bytes)
    }

    /// Returns the bytes of a value.
    pub fn bytes(&self, key: &AssetKey<'d>) -> Option<&[u8]> {
        self.0.get(key).map(|stored| &*stored.bytes)
    }

    /// Returns a value as a string. Each byte that is not valid UTF-8 is replaced with U+FFFD, as in the operator's
    /// template language.
    pub fn text(&self, key: &AssetKey<'d>) -> Option<Cow<'h, str>> {
        Some(match &self.0.get(key)?.bytes {
            Cow::Borrowed(bytes) => text::from_bytes(bytes),
            Cow::Owned(bytes) => Cow::Owned(text::from_bytes(bytes).into_owned()),
        })
    }

    /// Returns all values, sorted by key.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&AssetKey<'d>, &[u8])> {
        self.0.iter().map(|(key, stored)| (key, &*stored.bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sanitizes_keys() {
        let key = AssetKey::secret("mön", &KeySelector { name: "a-b", key: "ca.crt", optional: None });
        assert_eq!(key.to_string(), "/secrets/mön/a-b/ca.crt");
        assert_eq!(key.sanitized_key(), "_secrets_m_n_a_b_ca_crt");
    }
}

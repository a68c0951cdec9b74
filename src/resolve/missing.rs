//! Suggestions for a missing Secret or ConfigMap: the one most likely meant.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::AssetKey;
use crate::api::{GeneratedSecret, Kind, Resource, Resources, SecretData, find, in_namespace};
use crate::diagnostic::shown_data_key;
use crate::diagnostic::suggest::closest;

/// Maximum number of names and keys that missing references of a hierarchy are compared with; beyond it, none is suggested.
pub const COMPARISONS: usize = 100_000;

/// The best that can be said of a missing object.
pub enum Alternative<'a> {
    /// A controller makes it in the cluster.
    Promised(&'a GeneratedSecret<'a>),
    /// Another namespace has one of its name, and so many `others` have.
    Elsewhere {
        object: &'a Resource<'a, SecretData<'a>>,
        others: usize,
        /// Whether its namespace is a slip away.
        is_near: bool,
    },
    /// Its namespace has one with nearly this name.
    Similar(&'a str),
    /// Its namespace has one of its name, but of the other kind.
    OtherKind(&'a Resource<'a, SecretData<'a>>),
    Names(Vec<&'a str>),
}

/// Secrets or ConfigMaps of one name, by namespace.
type Namesakes<'h, 'd> = Vec<&'h Resource<'d, SecretData<'d>>>;

/// Secrets and ConfigMaps by what may be wrong in a reference. The index is built when the first one is missing.
pub struct Alternatives<'h, 'd> {
    resources: &'h Resources<'d>,
    by_name: OnceLock<HashMap<(Kind, &'d str), Namesakes<'h, 'd>>>,
}

impl<'h, 'd: 'h> Alternatives<'h, 'd> {
    /// Those among these resources.
    pub fn new(resources: &'h Resources<'d>) -> Self {
        Self {
            resources,
            by_name: OnceLock::new(),
        }
    }

    fn elsewhere(&self, key: &AssetKey<'d>) -> &[&'h Resource<'d, SecretData<'d>>] {
        let index = self.by_name.get_or_init(|| {
            let mut index: HashMap<_, Namesakes<'h, 'd>> = HashMap::new();
            for object in self.resources.secrets.iter().chain(&self.resources.config_maps) {
                index.entry((object.kind, object.meta.name)).or_default().push(object);
            }
            index
        });
        index.get(&(key.kind, key.name)).map_or(&[], Vec::as_slice)
    }

    /// Suggestions for a missing object, at the expense of `comparisons` that may still be made.
    pub fn of(&self, key: &AssetKey<'d>, comparisons: &mut usize) -> Alternative<'h> {
        let promised = self.resources.promised(key.namespace, key.name);
        if let Some(promised) = promised.filter(|_| key.kind == Kind::Secret) {
            return Alternative::Promised(promised);
        }
        if let [first, others @ ..] = self.elsewhere(key) {
            let namespaces = || others.iter().chain([first]).map(|object| object.meta.namespace);
            let near = comparisons.checked_sub(others.len() + 1).and_then(|left| {
                *comparisons = left;
                closest(key.namespace, namespaces())
            });
            let is_near = |object: &&&Resource<'_, _>| near == Some(object.meta.namespace);
            let nearest = others.iter().chain([first]).find(is_near);
            return Alternative::Elsewhere {
                object: nearest.unwrap_or(first),
                others: others.len(),
                is_near: nearest.is_some(),
            };
        }
        let other = if key.kind == Kind::Secret {
            Kind::ConfigMap
        } else {
            Kind::Secret
        };
        if let Some(object) = find(self.resources.data(other), key.namespace, key.name) {
            return Alternative::OtherKind(object);
        }
        let neighbours = in_namespace(self.resources.data(key.kind), key.namespace);
        let Some(left) = comparisons.checked_sub(neighbours.len()) else {
            return Alternative::Names(Vec::new());
        };
        *comparisons = left;
        let names: Vec<&'h str> = neighbours.iter().map(|object| object.meta.name).collect();
        match closest(key.name, names.iter().copied()) {
            Some(name) => Alternative::Similar(name),
            None => Alternative::Names(names),
        }
    }
}

/// The key of an object that is most likely meant by one that it does not have.
pub fn key_meant<'d>(key: &str, object: &Resource<'d, SecretData<'d>>, comparisons: &mut usize) -> Option<&'d str> {
    *comparisons = comparisons.checked_sub(object.spec.values.len())?;
    let keys = object.spec.values.keys().copied();
    closest(key, keys.filter(|key| shown_data_key(key) == *key))
}

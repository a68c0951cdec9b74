//! Suggestions for a missing Secret or ConfigMap: the one most likely meant.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::{AssetKey, AssetKind};
use crate::api::{GeneratedSecret, Resource, Resources, SecretData, find, in_namespace};
use crate::diagnostic::shown_data_key;
use crate::diagnostic::suggest::closest;

/// Maximum number of names and keys that missing references of a hierarchy are compared with; beyond it, none is suggested.
const COMPARISONS: usize = 100_000;

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
    by_name: OnceLock<HashMap<(AssetKind, &'d str), Namesakes<'h, 'd>>>,
}

impl<'h, 'd> Alternatives<'h, 'd> {
    /// Those among these resources.
    pub fn new(resources: &'h Resources<'d>) -> Self {
        Self {
            resources,
            by_name: OnceLock::new(),
        }
    }

    /// A search with a limit of its own.
    pub fn search(&self) -> Search<'h, 'd, '_> {
        Search {
            alternatives: self,
            comparisons: COMPARISONS,
        }
    }

    fn objects(&self, kind: AssetKind) -> &'h [Resource<'d, SecretData<'d>>] {
        self.resources.data(kind.kind())
    }

    fn elsewhere(&self, key: &AssetKey<'d>) -> &[&'h Resource<'d, SecretData<'d>>] {
        let index = self.by_name.get_or_init(|| {
            let mut index: HashMap<_, Namesakes<'h, 'd>> = HashMap::new();
            for kind in [AssetKind::Secret, AssetKind::ConfigMap] {
                for object in self.objects(kind) {
                    index.entry((kind, object.meta.name)).or_default().push(object);
                }
            }
            index
        });
        index.get(&(key.kind, key.name)).map_or(&[], Vec::as_slice)
    }

    fn promised(&self, key: &AssetKey<'d>) -> Option<&'h GeneratedSecret<'d>> {
        let is_secret = key.kind == AssetKind::Secret;
        self.resources.promised(key.namespace, key.name).filter(|_| is_secret)
    }
}

/// A search for alternatives that does not take long, however much is missing.
pub struct Search<'h, 'd, 'a> {
    alternatives: &'a Alternatives<'h, 'd>,
    comparisons: usize,
}

impl<'h, 'd> Search<'h, 'd, '_> {
    /// Suggestions for a missing object.
    pub fn alternative(&mut self, key: &AssetKey<'d>) -> Alternative<'h>
    where
        'd: 'h,
    {
        if let Some(promised) = self.alternatives.promised(key) {
            return Alternative::Promised(promised);
        }
        if let [first, others @ ..] = self.alternatives.elsewhere(key) {
            let namespaces = || others.iter().chain([first]).map(|object| object.meta.namespace);
            let near = self.comparisons.checked_sub(others.len() + 1).and_then(|left| {
                self.comparisons = left;
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
        let other = match key.kind {
            AssetKind::Secret => AssetKind::ConfigMap,
            AssetKind::ConfigMap => AssetKind::Secret,
        };
        if let Some(object) = find(self.alternatives.objects(other), key.namespace, key.name) {
            return Alternative::OtherKind(object);
        }
        let neighbours = in_namespace(self.alternatives.objects(key.kind), key.namespace);
        let Some(left) = self.comparisons.checked_sub(neighbours.len()) else {
            return Alternative::Names(Vec::new());
        };
        self.comparisons = left;
        let names: Vec<&'h str> = neighbours.iter().map(|object| object.meta.name).collect();
        match closest(key.name, names.iter().copied()) {
            Some(name) => Alternative::Similar(name),
            None => Alternative::Names(names),
        }
    }

    /// The key of an object that is most likely meant by one that it does not have.
    pub fn key(&mut self, key: &str, object: &Resource<'d, SecretData<'d>>) -> Option<&'d str> {
        self.comparisons = self.comparisons.checked_sub(object.spec.values.len())?;
        let keys = object.spec.values.keys().copied();
        closest(key, keys.filter(|key| shown_data_key(key) == *key))
    }
}

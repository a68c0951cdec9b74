//! Suggestions for missing Secrets and ConfigMaps.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::AssetKey;
use crate::api::{GeneratedSecret, Kind, Resource, Resources, SecretData, find, resources_in_namespace};
use crate::diagnostic::display_data_key;
use crate::diagnostic::suggest::closest;

/// Maximum number of comparisons, per hierarchy, between missing references and existing names and keys. After this
/// number of comparisons, no more suggestions are made.
pub const MAX_COMPARISONS: usize = 100_000;

/// The best suggestion for a missing object.
pub enum Alternative<'a> {
    /// A controller creates the object in the cluster.
    Generated(&'a GeneratedSecret<'a>),
    /// A different namespace contains an object with this name. `other_count` is the number of additional namespaces
    /// with such an object.
    Elsewhere {
        object: &'a Resource<'a, SecretData<'a>>,
        other_count: usize,
        /// Whether the other namespace has a similar name.
        is_near: bool,
    },
    /// The namespace contains an object with a similar name.
    Similar(&'a str),
    /// kustomize renamed the object, but did not update the reference.
    Renamed(&'a str),
    /// The namespace contains a Secret instead of a ConfigMap with this name, or vice versa.
    OtherKind(&'a Resource<'a, SecretData<'a>>),
    Names(Vec<&'a str>),
}

/// Secrets or ConfigMaps with the same name, sorted by namespace.
type Namesakes<'h, 'd> = Vec<&'h Resource<'d, SecretData<'d>>>;

/// Index of Secrets and ConfigMaps for suggestions. It is built when the first missing object is found.
pub struct Alternatives<'h, 'd> {
    resources: &'h Resources<'d>,
    by_name: OnceLock<HashMap<(Kind, &'d str), Namesakes<'h, 'd>>>,
}

impl<'h, 'd: 'h> Alternatives<'h, 'd> {
    /// Creates an index of these resources.
    pub fn new(resources: &'h Resources<'d>) -> Self {
        Self { resources, by_name: OnceLock::new() }
    }

    fn find_namesakes(&self, key: &AssetKey<'d>) -> &[&'h Resource<'d, SecretData<'d>>] {
        let index = self.by_name.get_or_init(|| {
            let mut index: HashMap<_, Namesakes<'h, 'd>> = HashMap::new();
            for object in self.resources.secrets.iter().chain(&self.resources.config_maps) {
                index.entry((object.kind, object.meta.name)).or_default().push(object);
            }
            index
        });
        index.get(&(key.kind, key.name)).map_or(&[], Vec::as_slice)
    }

    /// Returns a suggestion for a missing object. Decreases `comparisons`, the remaining number of comparisons.
    pub fn find(&self, key: &AssetKey<'d>, comparisons: &mut usize) -> Alternative<'h> {
        let generated_secret = self.resources.generated_secret(key.namespace, key.name);
        if let Some(generated) = generated_secret.filter(|_| key.kind == Kind::Secret) {
            return Alternative::Generated(generated);
        }
        if let [first, other_count @ ..] = self.find_namesakes(key) {
            let namespaces = || other_count.iter().chain([first]).map(|object| object.meta.namespace);
            let nearest_namespace = comparisons.checked_sub(other_count.len() + 1).and_then(|remaining| {
                *comparisons = remaining;
                closest(key.namespace, namespaces())
            });
            let is_nearest = |object: &&&Resource<'_, _>| nearest_namespace == Some(object.meta.namespace);
            let nearest_object = other_count.iter().chain([first]).find(is_nearest);
            return Alternative::Elsewhere {
                object: nearest_object.unwrap_or(first),
                other_count: other_count.len(),
                is_near: nearest_object.is_some(),
            };
        }
        let other_kind = if key.kind == Kind::Secret { Kind::ConfigMap } else { Kind::Secret };
        if let Some(object) = find(self.resources.data(other_kind), key.namespace, key.name) {
            return Alternative::OtherKind(object);
        }
        let neighbors = resources_in_namespace(self.resources.data(key.kind), key.namespace);
        let Some(remaining) = comparisons.checked_sub(neighbors.len()) else {
            return Alternative::Names(Vec::new());
        };
        *comparisons = remaining;
        let names: Vec<&'h str> = neighbors.iter().map(|object| object.meta.name).collect();
        if let Some(name) = names.iter().find(|name| is_hashed(name, key.name)) {
            return Alternative::Renamed(name);
        }
        match closest(key.name, names.iter().copied()) {
            Some(name) => Alternative::Similar(name),
            None => Alternative::Names(names),
        }
    }
}

/// Whether `name` contains `original` and ends with a hash in the format that kustomize appends to the names of
/// generated objects (`hasher.encode`).
fn is_hashed(name: &str, original: &str) -> bool {
    let Some((stem, hash)) = name.rsplit_once('-') else {
        return false;
    };
    let is_hash = hash.len() == 10 && hash.chars().all(|c| "2456789bcdfghkmt".contains(c));
    is_hash && !original.is_empty() && stem.contains(original)
}

/// Returns the key that was probably meant by `key`, if the object contains such a key.
pub fn find_intended_key<'d>(
    key: &str,
    object: &Resource<'d, SecretData<'d>>,
    comparisons: &mut usize,
) -> Option<&'d str> {
    *comparisons = comparisons.checked_sub(object.spec.values.len())?;
    let keys = object.spec.values.keys().copied();
    closest(key, keys.filter(|key| display_data_key(key) == *key))
}

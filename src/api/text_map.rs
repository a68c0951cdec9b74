//! String-to-string maps, as used for labels, annotations and headers.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::de::{Deserialize, Deserializer};
use serde::{Serialize, Serializer};

/// A string-to-string map, sorted by key. Every resource and selector contains such a map, usually with one or two
/// entries. A `BTreeMap` would take 368 bytes even for a single entry.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema)]
#[schemars(inline, with = "BTreeMap<String, String>")]
pub struct TextMap<'d>(Box<[(&'d str, &'d str)]>);

impl<'d> TextMap<'d> {
    /// Returns the value for a key.
    pub fn get(&self, key: &str) -> Option<&'d str> {
        let index = self.0.binary_search_by(|(other, _)| (*other).cmp(key)).ok()?;
        self.0.get(index).map(|(_, value)| *value)
    }

    /// Adds an entry, replacing one with the same key.
    pub fn insert(&mut self, key: &'d str, value: &'d str) {
        *self = self.iter().chain([(key, value)]).collect();
    }

    /// Whether the map contains a key.
    pub fn contains_key(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// Returns the entries, sorted by key.
    pub fn iter(&self) -> TextMapEntries<'_, 'd> {
        self.0.iter().copied()
    }

    /// Returns the keys in order.
    pub fn keys(&self) -> impl Iterator<Item = &'d str> {
        self.iter().map(|(key, _)| key)
    }

    /// Returns the values, sorted by key.
    pub fn values(&self) -> impl Iterator<Item = &'d str> {
        self.iter().map(|(_, value)| value)
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no entries. Most fields do not distinguish an empty map from a missing one.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for TextMap<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

/// Iterator over the entries of a [`TextMap`].
pub type TextMapEntries<'m, 'd> = std::iter::Copied<std::slice::Iter<'m, (&'d str, &'d str)>>;

impl<'m, 'd> IntoIterator for &'m TextMap<'d> {
    type Item = (&'d str, &'d str);
    type IntoIter = TextMapEntries<'m, 'd>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// If several entries have the same key, the last one wins.
impl<'d> FromIterator<(&'d str, &'d str)> for TextMap<'d> {
    fn from_iter<I: IntoIterator<Item = (&'d str, &'d str)>>(entries: I) -> Self {
        let mut sorted: Vec<_> = entries.into_iter().collect();
        sorted.reverse();
        sorted.sort_by_key(|(key, _)| *key);
        sorted.dedup_by_key(|(key, _)| *key);
        Self(sorted.into())
    }
}

impl<'d, const N: usize> From<[(&'d str, &'d str); N]> for TextMap<'d> {
    fn from(entries: [(&'d str, &'d str); N]) -> Self {
        entries.into_iter().collect()
    }
}

impl<'de: 'd, 'd> Deserialize<'de> for TextMap<'d> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        BTreeMap::<&str, &str>::deserialize(deserializer).map(|entries| Self(entries.into_iter().collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_entries_and_iterates_in_order() {
        let map = TextMap::from([("b", "1"), ("a", "2"), ("c", "3"), ("a", "4")]);
        let entries: Vec<_> = map.iter().collect();
        assert_eq!(entries, [("a", "4"), ("b", "1"), ("c", "3")]);
        assert_eq!(map.get("c"), Some("3"));
        assert!(!map.contains_key("d") && !map.is_empty());
        assert_eq!(map.len(), 3);
        let mut map = map;
        map.insert("b", "5");
        assert_eq!(map, TextMap::from([("a", "4"), ("b", "5"), ("c", "3")]));
    }

    #[test]
    fn empty_maps_have_no_entries() {
        let map = TextMap::default();
        assert!(map.is_empty() && map.get("a").is_none());
        assert_eq!((map.len(), map.keys().count(), map.values().count()), (0, 0, 0));
        let map = TextMap::from([("b", "1"), ("a", "2")]);
        assert_eq!(map.keys().chain(map.values()).collect::<Vec<_>>(), ["a", "b", "2", "1"]);
        assert_eq!(serde_json::to_string(&map).unwrap(), r#"{"a":"2","b":"1"}"#);
    }
}

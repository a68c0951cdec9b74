//! Search by key in large mappings: of generated ones, thousands of keys are looked up one after the other.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Number of entries up to which a search goes over all of them.
pub(super) const FEW: usize = 64;

/// Number of searches in a mapping before its entries are put in order, which takes as long as several searches.
const WALKS: usize = 8;

/// The order of the keys of large mappings, by the number of the node. Not part of what a document holds: copies start anew.
#[derive(Default)]
pub(super) struct Orders(Mutex<HashMap<u32, Order>>);

enum Order {
    /// Number of searches so far.
    Unknown(usize),
    /// The positions of the entries by their keys.
    Known(Arc<[u32]>),
}

impl Orders {
    /// The positions of the entries of a mapping in the order of their keys; `None` as long as there were few searches.
    pub(super) fn of(&self, mapping: u32, sorted: impl FnOnce() -> Vec<u32>) -> Option<Arc<[u32]>> {
        let mut orders = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let order = orders.entry(mapping).or_insert(Order::Unknown(0));
        match order {
            Order::Known(positions) => Some(Arc::clone(positions)),
            Order::Unknown(searches) if *searches < WALKS => {
                *searches += 1;
                None
            }
            Order::Unknown(_) => {
                let positions: Arc<[u32]> = sorted().into();
                *order = Order::Known(Arc::clone(&positions));
                Some(positions)
            }
        }
    }
}

impl Clone for Orders {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for Orders {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::source::{Source, Sources};
    use crate::yaml::{Edits, Limits, read};

    #[test]
    fn keys_of_large_mappings_are_found_however_often_they_are_searched() {
        let text: String = (0..300).rev().map(|i| format!("k{i}: {i}\n")).collect();
        let mut sources = Sources::default();
        let id = sources.add(Source::new("a.yaml", text.as_str(), true));
        let mut document = read(id, &text, &Limits::default()).output.remove(0);
        let found = |document: &crate::yaml::Document<'_>, key: &str| {
            let entry = document.root().entry(key)?;
            Some(text[entry.key_span.start as usize..entry.key_span.end as usize].to_owned())
        };
        for _ in 0..3 {
            for key in (0..300).map(|i| format!("k{i}")) {
                assert_eq!(found(&document, &key), Some(key));
            }
            for key in ["", "k", "k300", "z"] {
                assert_eq!(found(&document, key), None, "{key}");
            }
        }
        let mut edits = Edits::default();
        edits.remove(document.root(), "k7");
        document.apply(edits);
        assert_eq!(found(&document, "k7"), None);
        assert_eq!(found(&document, "k8").as_deref(), Some("k8"));
    }
}

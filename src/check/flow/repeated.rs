//! Lists of rules that many monitors share and that need to be followed only once.

use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use crate::api::{Kind, RelabelConfig};

/// Kind of resource, with rules for its targets and samples.
pub(super) type RuleLists<'d> = (Kind, [&'d [RelabelConfig<'d>]; 2]);

/// Lists of rules without findings. Only lists whose effect does not depend on the monitor are stored.
#[derive(Default)]
pub(super) struct CheckedRules<'d> {
    /// Hashes of the rule lists.
    hashes: HashSet<[u64; 2]>,
    /// First few lists, because comparing them is faster than hashing.
    first_lists: Vec<RuleLists<'d>>,
}

/// Maximum number of rule lists to compare rather than hash.
const MAX_COMPARED_LISTS: usize = 4;

impl<'d> CheckedRules<'d> {
    /// Whether these rule lists are equal to one of the first lists without findings.
    pub(super) fn contains_equal(&self, lists: RuleLists<'d>) -> bool {
        self.first_lists.contains(&lists)
    }

    /// Whether these rule lists are known to have no findings.
    pub(super) fn contains(&self, key: Option<[u64; 2]>) -> bool {
        key.is_some_and(|key| self.hashes.contains(&key))
    }

    /// Adds rule lists without findings.
    pub(super) fn insert(&mut self, key: Option<[u64; 2]>, lists: RuleLists<'d>) {
        if key.is_some() && self.first_lists.len() < MAX_COMPARED_LISTS {
            self.first_lists.push(lists);
        }
        self.hashes.extend(key);
    }
}

/// Returns a hash of the rules for targets and samples, or `None` if their effect depends on the monitor.
pub(super) fn key(kind: Kind, lists: [&[RelabelConfig<'_>]; 2]) -> Option<[u64; 2]> {
    let is_monitor = matches!(kind, Kind::ServiceMonitor | Kind::PodMonitor);
    if !is_monitor || !lists.into_iter().flatten().all(is_independent) {
        return None;
    }
    Some([0, 1].map(|half: u64| {
        let mut hasher = DefaultHasher::new();
        (half, kind).hash(&mut hasher);
        for list in lists {
            list.len().hash(&mut hasher);
            for rule in list {
                (&rule.source_labels, rule.separator, rule.target_label, rule.regex).hash(&mut hasher);
                (rule.modulus, rule.replacement, rule.action).hash(&mut hasher);
            }
        }
        hasher.finish()
    }))
}

/// Whether a rule reads and writes only labels that are the same for every monitor. Labels that depend on the monitor's
/// selector, port or lists of labels are excluded.
fn is_independent(rule: &RelabelConfig<'_>) -> bool {
    const MONITOR_PARTS: [&str; 5] = ["_label", "_annotation", "port_", "namespace", "phase"];
    let is_object_label = |label: &&str| {
        let discovered =
            label.starts_with("__meta_kubernetes_") && !MONITOR_PARTS.iter().any(|part| label.contains(part));
        discovered || matches!(*label, "__name__" | "__address__")
    };
    let uses_values = ["", "replace", "keep", "drop"].iter().any(|action| rule.action.eq_ignore_ascii_case(action));
    uses_values
        && rule.source_labels.iter().all(is_object_label)
        && !rule.target_label.starts_with("__")
        && !rule.target_label.contains('$')
}

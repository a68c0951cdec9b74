use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::hash::{Hash, Hasher};

use crate::budget::Budget;

/// Number of labels at which [`Labels::set_all`] sorts them in bulk instead of inserting them one by one.
const BULK_COUNT: usize = 64;

/// Number of extra bytes that rules may read and write for one target, in addition to [`USUAL_BYTES`] for each rule. A
/// limit is required because a rule can double a value or the number of labels.
const EXTRA_BYTES: u64 = 1 << 20;

/// Number of bytes that a rule usually reads and writes.
pub(super) const USUAL_BYTES: usize = 160;

/// Number of labels that a target rarely exceeds.
const USUAL_COUNT: usize = 1_000;

/// Labels sorted by name. A label with an empty value is treated as missing.
#[derive(Clone, Debug)]
pub struct Labels<'l> {
    labels: Vec<SortedLabel<'l>>,
    base: Base,
    /// Number of labels added since the base was completed.
    added: u32,
    /// Budget for the extra bytes that rules read and write. When it is used up, no further rules are applied.
    extra_bytes: Budget,
    /// Names of the labels whose values are unknown, or `None` if all values are known.
    unknown: Option<BTreeSet<String>>,
}

#[derive(Clone, Debug)]
struct SortedLabel<'l> {
    name: Cow<'l, str>,
    value: Cow<'l, str>,
    /// Position in the order in which labels were added, starting at 1, or 0 for labels in the base.
    added: u32,
}

/// Kind of label set that rules modify. It determines the order in which `labelmap` visits labels (`Builder` in
/// `model/labels`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Base {
    /// Labels that are still being collected.
    #[default]
    Collected,
    /// Labels of a target. They are in random order, and changing a label does not move it (`TargetsFromGroup`).
    Target,
    /// Sorted labels. Setting a label again moves it to the end (`Process`).
    Sorted,
}

impl Default for Labels<'_> {
    fn default() -> Self {
        let extra_bytes = Budget::new(EXTRA_BYTES);
        Self { labels: Vec::new(), base: Base::default(), added: 0, extra_bytes, unknown: None }
    }
}

impl<'l> Labels<'l> {
    /// Creates an empty set with capacity for `count` labels.
    pub fn with_capacity(count: usize) -> Self {
        Self { labels: Vec::with_capacity(count), ..Self::default() }
    }

    /// Makes the current labels the base.
    pub fn set_base(&mut self, base: Base) {
        self.base = base;
    }

    /// Charges the bytes that a rule reads and writes. Returns `false` for the rule that uses up the budget and for all
    /// subsequent rules.
    pub(super) fn spend(&mut self, bytes: usize) -> bool {
        let excess = bytes.saturating_sub(USUAL_BYTES);
        if excess > 0 {
            self.extra_bytes.drain(excess as u64);
        }
        !self.is_exhausted()
    }

    /// Returns the number of extra bytes required for a rule that examines all names. `name_cost` returns the cost of a
    /// name with the given length.
    pub(super) fn cost_of_names(&self, name_cost: impl Fn(usize) -> usize) -> usize {
        let copied_length = |label: &SortedLabel<'_>| match &label.value {
            Cow::Borrowed(_) => 0,
            Cow::Owned(value) => value.len(),
        };
        let labels = self.labels.iter();
        let long_names_cost = labels
            .map(|label| name_cost(label.name.len()).saturating_add(copied_length(label)).saturating_sub(USUAL_BYTES));
        let many_labels_cost = self.labels.len().saturating_sub(USUAL_COUNT).saturating_mul(USUAL_BYTES);
        long_names_cost.fold(many_labels_cost, usize::saturating_add)
    }

    /// Returns the number of extra bytes that rules have spent.
    pub fn spent_bytes(&self) -> u64 {
        EXTRA_BYTES - self.extra_bytes.remaining()
    }

    /// Prevents further rules from being applied.
    pub fn exhaust(&mut self) {
        self.extra_bytes.drain(EXTRA_BYTES);
    }

    /// Whether rules have used up the budget.
    pub fn is_exhausted(&self) -> bool {
        self.extra_bytes.is_empty()
    }

    /// Marks the labels for whose values `is_unknown` returns true. Rules then mark the labels that depend on them.
    pub fn mark_unknown(&mut self, is_unknown: impl Fn(&str) -> bool) {
        let unknown_labels = self.labels.iter().filter(|label| is_unknown(&label.value));
        self.unknown = Some(unknown_labels.map(|label| label.name.clone().into_owned()).collect());
    }

    /// Whether the value of a label is unknown. The label may not exist.
    pub fn is_unknown(&self, name: &str) -> bool {
        self.unknown.as_ref().is_some_and(|unknown| unknown.contains(name))
    }

    /// Whether the value of any existing label is unknown.
    pub fn has_unknown(&self) -> bool {
        self.labels.iter().any(|label| self.is_unknown(&label.name))
    }

    /// Returns the names of the labels whose values are unknown, or `None` if all values are known.
    pub(super) fn unknown_mut(&mut self) -> Option<&mut BTreeSet<String>> {
        self.unknown.as_mut()
    }

    fn count(&mut self) -> u32 {
        self.added += u32::from(self.base != Base::Collected);
        self.added
    }

    fn position(&self, name: &str) -> Result<usize, usize> {
        self.labels.binary_search_by(|label| label.name.as_ref().cmp(name))
    }

    /// Returns the value of a label, or an empty string if the label does not exist.
    pub fn get(&self, name: &str) -> &str {
        let label = self.position(name).ok().and_then(|at| self.labels.get(at));
        label.map_or("", |label| &label.value)
    }

    /// Sets a label. An empty value removes the label.
    pub fn set(&mut self, name: impl Into<Cow<'l, str>>, value: impl Into<Cow<'l, str>>) {
        let (name, value) = (name.into(), value.into());
        match (self.position(&name), value.is_empty()) {
            (Ok(at), true) => drop(self.labels.remove(at)),
            (Ok(at), false) => {
                let count = if self.base == Base::Sorted { self.count() } else { 0 };
                if let Some(label) = self.labels.get_mut(at) {
                    label.value = value;
                    if label.added == 0 {
                        label.added = count;
                    }
                }
            }
            (Err(_), true) => {}
            (Err(at), false) => {
                let order = self.count();
                self.labels.insert(at, SortedLabel { name, value, added: order });
            }
        }
    }

    /// Sets labels in order, in less than quadratic time.
    pub fn set_all(&mut self, labels: impl IntoIterator<Item = (Cow<'l, str>, Cow<'l, str>)>) {
        let labels: Vec<_> = labels.into_iter().collect();
        if labels.len() < BULK_COUNT {
            return labels.into_iter().for_each(|(name, value)| self.set(name, value));
        }
        let names = self.labels.iter().map(|label| label.name.clone());
        let mut indices: HashMap<_, _> = names.zip(0..).collect();
        for (name, value) in labels {
            let index = *indices.entry(name.clone()).or_insert(self.labels.len());
            let is_new = self.labels.get(index).is_none_or(|label| label.value.is_empty());
            let is_counted = !value.is_empty() && (is_new || self.base == Base::Sorted);
            let count = if is_counted { self.count() } else { 0 };
            match self.labels.get_mut(index) {
                Some(label) => {
                    if is_new || label.added == 0 {
                        label.added = count;
                    }
                    label.value = value;
                }
                None => self.labels.push(SortedLabel { name, value, added: count }),
            }
        }
        self.labels.retain(|label| !label.value.is_empty());
        self.labels.sort_by(|one, other| one.name.cmp(&other.name));
    }

    /// Sets a label unless it exists.
    pub fn set_default(&mut self, name: impl Into<Cow<'l, str>>, value: impl Into<Cow<'l, str>>) {
        let name = name.into();
        if self.get(&name).is_empty() {
            self.set(name, value);
        }
    }

    pub fn remove(&mut self, name: &str) {
        if let Ok(at) = self.position(name) {
            self.labels.remove(at);
        }
    }

    /// Keeps the labels for whose names `keeps` returns true.
    pub fn retain(&mut self, keeps: impl Fn(&str) -> bool) {
        self.labels.retain(|label| keeps(&label.name));
    }

    /// Returns an iterator over names and values, sorted by name.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.labels.iter().map(|label| (label.name.as_ref(), label.value.as_ref()))
    }

    /// Applies `map` to all names and returns the new names together with the labels' values, in the order of
    /// `Builder.Range`.
    pub(super) fn map_names(&self, map: impl Fn(&str) -> Option<String>) -> Vec<(String, Cow<'l, str>)> {
        let indexed_labels = self.labels.iter();
        let mapped_labels =
            indexed_labels.filter_map(|label| Some((label.added, (map(&label.name)?, label.value.clone()))));
        let mut mapped_names: Vec<_> = mapped_labels.collect();
        mapped_names.sort_by_key(|(added, _)| *added);
        mapped_names.into_iter().map(|(_, label)| label).collect()
    }
}

/// Two sets are equal if they contain the same names and values, regardless of the order in which labels were added.
impl PartialEq for Labels<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Labels<'_> {}

impl Hash for Labels<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.iter().for_each(|label| label.hash(state));
    }
}

impl<'l, N: Into<Cow<'l, str>>, V: Into<Cow<'l, str>>> FromIterator<(N, V)> for Labels<'l> {
    /// If several labels have the same name, the last one wins.
    fn from_iter<I: IntoIterator<Item = (N, V)>>(labels: I) -> Self {
        let mut collected_labels = Labels::default();
        collected_labels.extend(labels);
        collected_labels
    }
}

impl<'l, N: Into<Cow<'l, str>>, V: Into<Cow<'l, str>>> Extend<(N, V)> for Labels<'l> {
    fn extend<I: IntoIterator<Item = (N, V)>>(&mut self, labels: I) {
        self.set_all(labels.into_iter().map(|(name, value)| (name.into(), value.into())));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_labels_count_as_missing() {
        let mut labels = Labels::from_iter([("b", "1"), ("a", "2"), ("c", ""), ("b", "3")]);
        let display_labels =
            |labels: &Labels<'_>| labels.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>();
        assert_eq!(display_labels(&labels), ["a=2", "b=3"]);
        labels.set("a", "");
        labels.set("z", "");
        labels.set_default("b", "x");
        labels.set_default("d", "4");
        labels.set_default("e", "");
        assert_eq!(display_labels(&labels), ["b=3", "d=4"]);
        labels.remove("b");
        labels.remove("gone");
        labels.set("f", "5");
        labels.retain(|name| name != "d");
        assert_eq!(display_labels(&labels), ["f=5"]);
        assert_eq!((labels.get("f"), labels.get("b")), ("5", ""));
    }

    #[test]
    fn cost_grows_with_name_length_values_and_label_count() {
        let long_name = "n".repeat(USUAL_BYTES);
        let mut labels = Labels::from_iter([("a", long_name.as_str()), (long_name.as_str(), "1")]);
        let cost = |labels: &Labels<'_>| [0, 1, 7].map(|more| labels.cost_of_names(|name| name + more));
        assert_eq!(cost(&labels), [0, 1, 7]);
        labels.set("c", "b".repeat(USUAL_BYTES - 1));
        assert_eq!(cost(&labels), [0, 2, 14]);
        for i in 3..USUAL_COUNT {
            labels.set(format!("l{i}"), "1");
        }
        assert_eq!(cost(&labels), [0, 2, 14]);
        labels.set("m", "1");
        labels.set("n", "1");
        assert_eq!(cost(&labels), [2 * USUAL_BYTES, 2 * USUAL_BYTES + 2, 2 * USUAL_BYTES + 14]);
        let almost_all_bytes = usize::try_from(EXTRA_BYTES).unwrap() - 1;
        assert!(labels.spend(almost_all_bytes + USUAL_BYTES) && labels.spent_bytes() == EXTRA_BYTES - 1);
        assert!(labels.spend(USUAL_BYTES) && !labels.spend(USUAL_BYTES + 1) && labels.is_exhausted());
    }

    #[test]
    fn compares_labels_by_name_and_value() {
        use std::collections::HashSet;
        let mut added_labels = Labels::default();
        added_labels.set_base(Base::Sorted);
        added_labels.set("b", "1");
        added_labels.set("a", "2");
        let collected_labels = Labels::from_iter([("a", "2"), ("b", "1")]);
        assert_eq!(added_labels, collected_labels);
        assert_ne!(added_labels, Labels::from_iter([("a", "2"), ("b", "2")]));
        assert_ne!(added_labels, Labels::from_iter([("a", "2")]));
        let distinct_labels = HashSet::from([added_labels, collected_labels, Labels::from_iter([("a", "2")])]);
        assert_eq!(distinct_labels.len(), 2);
    }
}

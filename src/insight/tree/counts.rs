//! How many there are, in words.

use std::collections::BTreeMap;
use std::fmt;

use super::Entry;
use crate::api::Kind;

/// Numbers of resources by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts(BTreeMap<Kind, usize>);

impl Counts {
    /// Kinds and numbers, in the order of [`Kind`].
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Kind, usize)> {
        self.0.iter().map(|(&kind, &count)| (kind, count))
    }

    /// The numbers of the kinds that are selected, without Secrets and ConfigMaps.
    #[must_use]
    pub fn selected(self) -> Self {
        let is_selected = |(kind, _): &(Kind, usize)| !matches!(kind, Kind::Secret | Kind::ConfigMap);
        Self(self.0.into_iter().filter(is_selected).collect())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'e, 'd: 'e> FromIterator<&'e Entry<'d>> for Counts {
    fn from_iter<I: IntoIterator<Item = &'e Entry<'d>>>(entries: I) -> Self {
        let mut counts = BTreeMap::new();
        for entry in entries {
            *counts.entry(entry.object.kind).or_default() += 1;
        }
        Self(counts)
    }
}

impl fmt::Display for Counts {
    /// Writes `1 MetricsInstance, 2 Probes`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (&kind, &count)) in self.0.iter().enumerate() {
            let separator = if i == 0 { "" } else { ", " };
            write!(f, "{separator}{count} {}", plural(kind, count))?;
        }
        Ok(())
    }
}

/// A kind as it is said of so many.
pub fn plural(kind: Kind, count: usize) -> String {
    let suffix = if count == 1 || kind == Kind::PodLogs { "" } else { "s" };
    format!("{kind}{suffix}")
}

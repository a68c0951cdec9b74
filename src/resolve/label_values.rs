//! Values listed in a requirement: usually two, but possibly thousands if a program generated the selector.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// Maximum number of values to list for a requirement.
const MAX_VALUES: usize = 50;

/// A requirement's values, in their original order. Clones share the memory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LabelValues<'d> {
    written: Arc<[&'d str]>,
    /// Values in sorted order.
    sorted: Arc<[&'d str]>,
}

impl<'d> LabelValues<'d> {
    pub fn contains(&self, value: &str) -> bool {
        self.sorted.binary_search(&value).is_ok()
    }
}

impl<'d> From<Vec<&'d str>> for LabelValues<'d> {
    fn from(values: Vec<&'d str>) -> Self {
        let written = values.as_slice().into();
        let mut sorted = values;
        sorted.sort_unstable();
        Self { written, sorted: sorted.into() }
    }
}

impl<'d> Deref for LabelValues<'d> {
    type Target = [&'d str];

    fn deref(&self) -> &[&'d str] {
        &self.written
    }
}

impl fmt::Display for LabelValues<'_> {
    /// Writes the values as `a, b`. For a long list, also writes the number of remaining values.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (listed, unlisted) = self.split_at(self.len().min(MAX_VALUES));
        f.write_str(&listed.join(", "))?;
        match unlisted {
            [] => Ok(()),
            unlisted => write!(f, " and {} more", unlisted.len()),
        }
    }
}

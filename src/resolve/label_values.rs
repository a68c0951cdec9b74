//! The values that a requirement lists: two mostly, thousands where a program wrote them.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// Maximum number of values that are written of a requirement.
const SHOWN: usize = 50;

/// The values of a requirement as they are written. Copies share them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LabelValues<'d> {
    written: Arc<[&'d str]>,
    /// In order.
    sorted: Arc<[&'d str]>,
}

impl<'d> LabelValues<'d> {
    /// Whether a value is one of them.
    pub fn contains(&self, value: &str) -> bool {
        self.sorted.binary_search(&value).is_ok()
    }
}

impl<'d> From<Vec<&'d str>> for LabelValues<'d> {
    fn from(values: Vec<&'d str>) -> Self {
        let written = values.as_slice().into();
        let mut sorted = values;
        sorted.sort_unstable();
        Self {
            written,
            sorted: sorted.into(),
        }
    }
}

impl<'d> Deref for LabelValues<'d> {
    type Target = [&'d str];

    fn deref(&self) -> &[&'d str] {
        &self.written
    }
}

impl fmt::Display for LabelValues<'_> {
    /// Writes `a, b`, and of a long list how many more there are.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (shown, more) = self.split_at(self.len().min(SHOWN));
        f.write_str(&shown.join(", "))?;
        match more {
            [] => Ok(()),
            more => write!(f, " and {} more", more.len()),
        }
    }
}

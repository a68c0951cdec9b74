//! Which object a finding, a change or a manifest is about.

use std::fmt;

use serde::{Serialize, Serializer};

/// An object by its kind, namespace and name: all that is known of one outside of the resources that are compiled. It is written as
/// `Kind/namespace/name`, or `Kind/name` where there is no namespace.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectKey {
    pub kind: String,
    /// Its namespace; empty if its kind has none.
    pub namespace: String,
    pub name: String,
}

impl ObjectKey {
    /// The key of these parts.
    pub fn new(kind: &str, namespace: &str, name: &str) -> Self {
        Self {
            kind: kind.to_owned(),
            namespace: namespace.to_owned(),
            name: name.to_owned(),
        }
    }

    /// `namespace/name`, or `name` where there is no namespace.
    pub fn full_name(&self) -> String {
        match self.namespace.as_str() {
            "" => self.name.clone(),
            namespace => format!("{namespace}/{}", self.name),
        }
    }
}

impl From<&ObjectKey> for ObjectKey {
    fn from(key: &ObjectKey) -> Self {
        key.clone()
    }
}

impl fmt::Display for ObjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.kind, self.full_name())
    }
}

impl Serialize for ObjectKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

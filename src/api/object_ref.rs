use std::fmt;

use super::Kind;

/// Which object: kind, namespace and name. Ordered by kind, namespace, name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectRef<'d> {
    /// Its kind.
    pub kind: Kind,
    /// Its namespace; empty where the kind has none.
    pub namespace: &'d str,
    /// Its name.
    pub name: &'d str,
}

impl fmt::Display for ObjectRef<'_> {
    /// Writes `Kind/namespace/name`, or `Kind/name` where there is no namespace.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.namespace.is_empty() {
            write!(f, "{}/{}", self.kind, self.name)
        } else {
            write!(f, "{}/{}/{}", self.kind, self.namespace, self.name)
        }
    }
}

//! Where in the input a part of a configuration comes from.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::api::ObjectRef;

/// Some lines of the input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InputPlace<'d> {
    /// The file, or `<stdin>`.
    pub file: &'d str,
    /// The first line.
    pub line: u32,
    /// The last line.
    pub end_line: u32,
    /// The resource.
    #[serde(serialize_with = "as_text")]
    pub resource: ObjectRef<'d>,
    /// The field; empty for the resource as a whole.
    pub path: String,
    /// Whether the field is there; where it is not, the lines are those of the key of the nearest field around it.
    #[serde(skip)]
    pub is_set: bool,
}

fn as_text<S: Serializer>(object: &ObjectRef<'_>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&object.to_string())
}

impl InputPlace<'_> {
    /// Whether a line of the file is among these.
    pub(super) fn contains(&self, line: u32) -> bool {
        (self.line..=self.end_line).contains(&line)
    }
}

impl fmt::Display for InputPlace<'_> {
    /// Writes `shop.yaml:24 ServiceMonitor/shop/checkout spec.endpoints[0]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{} {}", self.file, self.line, self.resource)?;
        if !self.path.is_empty() {
            write!(f, " {}", self.path)?;
        }
        if !self.is_set {
            write!(f, " (not set)")?;
        }
        Ok(())
    }
}

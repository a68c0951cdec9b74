//! Parts of a configuration, each with its source field.

use std::ops::Range;

use serde::{Serialize, Serializer};

use super::field::{InputPlace, ResourceField, format_path};
use super::lines::SequenceLines;
use crate::plan::ConfigKind;
use crate::source::Sources;
use crate::yaml::Step;

/// Part of a configuration with a known source. Its displayed form is computed on demand.
pub(super) struct Traced<'t, 'd> {
    /// Text that contains the part.
    pub(super) lines: &'t SequenceLines<'t>,
    pub(super) bytes: &'t Range<usize>,
    /// Whether the last line is known only after the traversal.
    pub(super) is_open: bool,
    /// Whether the part needs a comment. True if it was generated separately rather than copied along with other
    /// fields, and its source field differs from that of the previous item or, outside lists, from that of the
    /// containing part.
    pub(super) needs_comment: bool,
    pub(super) field: &'t ResourceField<'d>,
    /// Formatted path that `path` is relative to.
    pub(super) base: &'t str,
    pub(super) path: &'t [Step<'t>],
    pub(super) sources: &'d Sources,
    pub(super) part: ConfigKind,
}

impl<'d> Traced<'_, 'd> {
    /// Returns the first line of the part.
    pub(super) fn line(&self) -> u32 {
        self.lines.line(self.bytes.start)
    }

    /// Returns the last line of the part, or `None` if it is known only after the traversal.
    pub(super) fn end_line(&self) -> Option<u32> {
        (!self.is_open).then(|| self.lines.line(self.bytes.end))
    }

    /// Whether the part is the whole configuration.
    pub(super) fn is_whole(&self) -> bool {
        self.base.is_empty() && self.path.is_empty()
    }

    /// Returns the number of characters that precede the part on its first line.
    pub(super) fn indent(&self) -> usize {
        self.lines.indent(self.bytes.start)
    }

    /// Returns the displayed form of the part. Its last line may still be unknown.
    pub(super) fn entry(&self) -> Option<TracedPart<'d>> {
        let source = self.source()?;
        let config = ConfigurationLines {
            part: self.part,
            path: format_path(self.base, self.path.iter().copied()),
            line: self.line(),
            end_line: self.end_line().unwrap_or_default(),
        };
        Some(TracedPart { config, source })
    }

    pub(super) fn source(&self) -> Option<InputPlace<'d>> {
        self.field.place(self.sources)
    }
}

/// A part of a configuration, with its source.
#[derive(Clone, Debug, Serialize)]
pub struct TracedPart<'d> {
    /// Location of the part.
    pub config: ConfigurationLines,
    pub source: InputPlace<'d>,
}

fn serialize_name<S: Serializer>(part: &ConfigKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(part.as_str())
}

/// A range of lines in a configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ConfigurationLines {
    /// Configuration that contains the lines.
    #[serde(rename = "type", serialize_with = "serialize_name")]
    pub part: ConfigKind,
    /// Path of the part, such as `metrics.configs[0].name`. Empty for the entire configuration.
    pub path: String,
    pub line: u32,
    pub end_line: u32,
}

//! A part of a configuration with the field that it comes from.

use std::ops::Range;

use serde::{Serialize, Serializer};

use super::field::{Field, InputPlace, written};
use super::lines::Lines;
use crate::plan::ConfigKind;
use crate::source::Sources;
use crate::yaml::Step;

/// A part of a configuration whose origin is known. What is shown of it is put together when somebody asks.
pub(super) struct Traced<'t, 'd> {
    /// The text that it is in, and where.
    pub(super) lines: &'t Lines<'t>,
    pub(super) bytes: &'t Range<usize>,
    /// Whether its last line is known only at the end.
    pub(super) is_open: bool,
    /// Whether it is worth a comment: a part that was made as such, not a field that was copied with others, and not from
    /// the same field as the item in front of it.
    pub(super) is_news: bool,
    pub(super) field: &'t Field<'d>,
    /// The way to what is around it, and from there.
    pub(super) base: &'t str,
    pub(super) path: &'t [Step<'t>],
    pub(super) sources: &'d Sources,
    pub(super) part: ConfigKind,
}

impl<'d> Traced<'_, 'd> {
    /// Its first line.
    pub(super) fn line(&self) -> u32 {
        self.lines.line(self.bytes.start)
    }

    /// How many characters stand in front of it on its first line.
    pub(super) fn indent(&self) -> usize {
        self.lines.indent(self.bytes.start)
    }

    /// The part as it is shown, but for a last line that is not known.
    pub(super) fn entry(&self) -> Option<Entry<'d>> {
        let source = self.source()?.clone();
        let config = ConfigurationPlace {
            part: self.part,
            path: written(self.base, self.path.iter().copied()),
            line: self.line(),
            end_line: if self.is_open {
                0
            } else {
                self.lines.line(self.bytes.end)
            },
        };
        Some(Entry { config, source })
    }

    pub(super) fn source(&self) -> Option<&InputPlace<'d>> {
        self.field.place(self.sources)
    }
}

/// A part of a configuration with its origin.
#[derive(Clone, Debug, Serialize)]
pub struct Entry<'d> {
    /// The place of the part.
    pub config: ConfigurationPlace,
    pub source: InputPlace<'d>,
}

fn named<S: Serializer>(part: &ConfigKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(part.as_str())
}

/// Some lines of a configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ConfigurationPlace {
    /// Which configuration.
    #[serde(rename = "type", serialize_with = "named")]
    pub part: ConfigKind,
    /// The way to the part, as `metrics.configs[0].name`; empty for all of it.
    pub path: String,
    /// The first line.
    pub line: u32,
    /// The last line.
    pub end_line: u32,
}

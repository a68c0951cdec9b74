//! A part of a configuration with the field that it comes from.

use serde::{Serialize, Serializer};

use super::field::{Field, InputPlace, written};
use crate::plan::ConfigKind;
use crate::source::Sources;
use crate::yaml::Step;

/// A part of a configuration whose origin is known. What is shown of it is put together when somebody asks.
pub struct Traced<'t, 'd> {
    pub line: u32,
    /// Finds its last line; `None` for all of the configuration.
    pub(super) end_line: Option<&'t dyn Fn() -> u32>,
    /// How many characters stand in front of it on its first line.
    pub(super) indent: usize,
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
    /// Its last line. `last` is asked for that of the configuration.
    pub fn end_line(&self, last: &dyn Fn() -> u32) -> u32 {
        self.end_line.unwrap_or(last)()
    }

    /// The part as it is shown.
    pub fn entry(&self, last: &dyn Fn() -> u32) -> Option<Entry<'d>> {
        let source = self.source()?.clone();
        let config = ConfigurationPlace {
            part: self.part,
            path: written(self.base, self.path.iter().copied()),
            line: self.line,
            end_line: self.end_line(last),
        };
        Some(Entry { config, source })
    }

    pub fn source(&self) -> Option<&InputPlace<'d>> {
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

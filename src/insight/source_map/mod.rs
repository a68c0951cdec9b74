//! An agent's configuration with the places in the input that its parts come from, both ways.

mod build;
mod choice;
mod comment;
pub mod diagnostics;
mod entry;
mod lookup;
mod masked;
mod refine;

pub use choice::{agent, hierarchy};
pub use entry::{ConfigurationPlace, Entry, InputPlace};
pub use lookup::Lines;

use crate::diagnostic::{Diagnostic, Warned, distinct};
use crate::insight::target::Catalogue;
use crate::lower::config::{self, Part, Parts};
use crate::resolve::Hierarchy;
use crate::source::Sources;
use crate::yaml::{Style, Value, write_with_layout};

/// One of an agent's configurations, and where its parts come from.
pub struct SourceMap<'d> {
    /// The configuration as it is rendered. Its scalars may be secret, so it has no `Debug`.
    value: Value<'d>,
    parts: Parts<'d>,
    /// How many lines its text has.
    pub lines: u32,
    /// Its parts, those around others in front of them.
    pub entries: Vec<Entry<'d>>,
}

impl<'d> SourceMap<'d> {
    /// The map of a configuration of a hierarchy, whose resources stand in `sources`.
    pub fn new(
        hierarchy: &Hierarchy<'d, 'd>,
        part: Part,
        catalogue: &Catalogue<'_, 'd>,
        sources: &'d Sources,
    ) -> Warned<Self> {
        let mut diagnostics: Vec<Diagnostic> = Vec::new();
        let (value, parts) = config::lower_with_origins(hierarchy, part, &mut diagnostics);
        let (text, layout) = write_with_layout(&value, Style::V3);
        let entries = build::entries(&text, &layout, &parts, catalogue, sources);
        let lines = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
        let output = Self {
            value,
            parts,
            lines,
            entries,
        };
        let diagnostics = distinct(diagnostics);
        Warned { output, diagnostics }
    }
}

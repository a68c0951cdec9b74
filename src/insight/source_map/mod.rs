//! An agent's configuration with the places in the input that its parts come from, both ways.

mod build;
mod choice;
mod comment;
pub mod diagnostics;
mod entry;
mod lookup;
mod refine;

pub use choice::{agent, hierarchy};
pub use entry::{ConfigurationPlace, Entry, InputPlace};
pub use lookup::Lines;

use crate::diagnostic::{Diagnostic, Warned, distinct};
use crate::insight::target::Catalogue;
use crate::plan::{Part, Plan};
use crate::resolve::Hierarchy;
use crate::secrecy::{Form, MASK, each_secret};
use crate::source::Sources;
use crate::target::agent::Configuration;
use crate::yaml::{Style, Value, write, write_with_layout};

/// One of an agent's configurations, and where its parts come from. Its text may hold secrets, so it has no `Debug`.
pub struct SourceMap<'d> {
    /// The configuration as it is rendered: `agent.yml`.
    pub text: String,
    /// The text with its secret values masked as `diff` masks them. A value that takes several lines takes as many when it
    /// is masked, so that each part is on the same lines in both texts.
    pub masked_text: String,
    /// How many lines the text has.
    pub lines: u32,
    /// Its parts, those around others in front of them.
    pub entries: Vec<Entry<'d>>,
}

impl<'d> SourceMap<'d> {
    /// The map of a configuration of a hierarchy, whose resources stand in `sources`.
    pub fn new(
        hierarchy: &'d Hierarchy<'d, 'd>,
        part: Part,
        catalogue: &Catalogue<'_, 'd>,
        sources: &'d Sources,
    ) -> Warned<Self> {
        let mut diagnostics: Vec<Diagnostic> = Vec::new();
        let plan = Plan::new(hierarchy, &[part], &mut diagnostics);
        let configuration = Configuration::new(&plan, part);
        let value = configuration.value(&Value::clone);
        let (mut text, layout) = write_with_layout(&value, Style::V3);
        let entries = build::entries(&text, &layout, &configuration, catalogue, sources);
        let lines = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
        // What comes from a Secret is masked as a whole, whatever it looks like.
        let mut value = configuration.value(&|additional| mask(additional));
        each_secret(&mut value, Form::Configuration, &mut |_, value| *value = mask(value));
        let mut masked_text = write(&value, Style::V3);
        // The template language ends its output with a line break, although the YAML already has one.
        text.push('\n');
        masked_text.push('\n');
        let output = Self {
            text,
            masked_text,
            lines,
            entries,
        };
        let diagnostics = distinct(diagnostics);
        Warned { output, diagnostics }
    }
}

/// What takes several lines is a literal, which has its indicator on a line of its own.
fn mask(value: &Value<'_>) -> Value<'static> {
    match write(value, Style::V3).lines().count() {
        0 | 1 => Value::from(MASK),
        lines => Value::from(format!("{MASK}\n").repeat(lines - 1)),
    }
}

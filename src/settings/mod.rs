//! `agentctl.yaml`: what holds for every run on the input below it. Flags come before it.
//!
//! ```yaml
//! severity:              # of codes, and of all warnings together
//!   warnings: deny
//!   paused-agent: allow
//! ```

mod diagnostics;

use crate::diagnostic::{Diagnostic, Level, Setting, Warned};
use crate::source::{Source, SourceId};
use crate::yaml::{self, Entry, Limits, Node};

/// The names of what may be set.
const KEYS: &[&str] = &["severity"];

/// What the file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// What is made of diagnostics.
    pub severity: Vec<Setting>,
}

/// Reads the text of an `agentctl.yaml`. What cannot be is an error at its line, and the rest holds.
pub fn read(id: SourceId, source: &Source) -> Warned<Settings> {
    let Warned {
        output: documents,
        mut diagnostics,
    } = yaml::read(id, &source.text, &Limits::default());
    let mut output = Settings::default();
    for document in &documents {
        output.add(document.root(), &mut diagnostics);
    }
    Warned { output, diagnostics }
}

impl Settings {
    fn add(&mut self, root: Node<'_>, out: &mut Vec<Diagnostic>) {
        for entry in mapping(root, out) {
            match entry.key {
                "severity" => self.add_severity(entry.value, out),
                _ => out.push(diagnostics::unknown_key(&entry, KEYS)),
            }
        }
    }

    fn add_severity(&mut self, severities: Node<'_>, out: &mut Vec<Diagnostic>) {
        for entry in mapping(severities, out) {
            let Some(level) = entry.value.as_str().and_then(Level::parse) else {
                out.push(diagnostics::unknown_level(&entry));
                continue;
            };
            match Setting::parse(entry.key, level) {
                Ok(setting) => self.severity.push(setting),
                Err(error) => out.push(error.at(entry.key_span)),
            }
        }
    }
}

/// The entries of a mapping; none where there is nothing, or something else, which is an error.
fn mapping<'d>(node: Node<'d>, out: &mut Vec<Diagnostic>) -> impl Iterator<Item = Entry<'d>> + use<'d> {
    if !node.is_mapping() && !node.is_null() {
        out.push(diagnostics::not_a_mapping(node));
    }
    node.entries()
}

#[cfg(test)]
mod tests;

//! `agentctl.yaml`: what holds for every run on the input below it. The command line comes before it.
//!
//! ```yaml
//! inputs: [manifests]    # read where the command line names none; paths start from this file
//! flags:                 # as on the command line
//!   namespace: monitoring
//! severity:              # of codes, and of all warnings together
//!   warnings: deny
//!   paused-agent: allow
//! ```

pub mod diagnostics;
#[cfg(test)]
mod tests;

use crate::diagnostic::{Diagnostic, Warned};
use crate::policy::{Level, Setting};
use crate::source::{Source, SourceId, Sources, Span};
use crate::yaml::{self, Document, Entry, Limits, Node, NodeValue};

/// The names of what may be set.
const KEYS: &[&str] = &["inputs", "flags", "severity"];

/// What the file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The files and directories to read, as they are written; `None` where nothing is said of them.
    pub inputs: Option<Vec<String>>,
    /// Flags of commands. Whether there are such flags, and what they take, only the command line knows.
    pub flags: Vec<Flag>,
    /// What is made of diagnostics.
    pub severity: Vec<Setting>,
}

/// Whether a text is a manifest, whatever its name: one of its documents has an `apiVersion` and a `kind`.
pub fn is_manifest(source: &Source) -> bool {
    let id = Sources::default().add(Source::new("", "", true));
    let documents = yaml::read(id, &source.text, &Limits::default()).output;
    let has = |document: &Document<'_>, key| document.root().get(key).is_some();
    documents
        .iter()
        .any(|document| has(document, "apiVersion") && has(document, "kind"))
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
                "inputs" => self.add_inputs(entry.value, out),
                "flags" => self.add_flags(entry.value, out),
                "severity" => self.add_severity(entry.value, out),
                _ => out.push(diagnostics::unknown_key(&entry, KEYS)),
            }
        }
    }

    /// A path, or several.
    fn add_inputs(&mut self, inputs: Node<'_>, out: &mut Vec<Diagnostic>) {
        let named: Vec<_> = match inputs.value() {
            NodeValue::Null => return,
            NodeValue::Sequence => inputs.items().collect(),
            _ => vec![inputs],
        };
        let mut paths = Vec::new();
        for input in &named {
            match input.as_str().filter(|path| !path.is_empty()) {
                Some(path) => paths.push(path.to_owned()),
                None => out.push(diagnostics::not_a_path(*input)),
            }
        }
        if named.is_empty() {
            out.push(diagnostics::no_inputs(inputs));
        }
        self.inputs = (!paths.is_empty()).then_some(paths);
    }

    fn add_flags(&mut self, flags: Node<'_>, out: &mut Vec<Diagnostic>) {
        for entry in mapping(flags, out) {
            self.flags.extend(Flag::read(&entry, out));
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

/// A flag with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flag {
    /// Its name, without dashes.
    pub name: String,
    /// Where the name stands.
    pub name_span: Span,
    /// What it is given; `None` where there is nothing, which leaves the flag as it is.
    pub value: Option<FlagValue>,
    /// Where the value stands.
    pub value_span: Span,
}

/// What a flag is given, in the forms that YAML has for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FlagValue {
    /// `prune: true`
    Switch(bool),
    /// `namespace: monitoring`, `max-shards: 5`
    Text(String),
    /// A list, for flags that take several values with commas.
    List(Vec<String>),
    /// A mapping, for flags that take `KEY=VALUE,…`.
    Pairs(Vec<(String, String)>),
}

impl Flag {
    /// Reads one; a value that no flag takes is an error.
    pub(super) fn read(entry: &Entry<'_>, out: &mut Vec<Diagnostic>) -> Option<Self> {
        let value = match value(entry.value) {
            Ok(value) => value,
            Err(node) => {
                out.push(diagnostics::not_a_text(entry.key, node));
                return None;
            }
        };
        Some(Self {
            name: entry.key.to_owned(),
            name_span: entry.key_span,
            value,
            value_span: entry.value.span(),
        })
    }
}

/// The value, or the node that cannot be one.
fn value(node: Node<'_>) -> Result<Option<FlagValue>, Node<'_>> {
    Ok(Some(match node.value() {
        NodeValue::Null => return Ok(None),
        NodeValue::Bool(on) => FlagValue::Switch(on),
        NodeValue::Sequence => FlagValue::List(node.items().map(text).collect::<Result<_, _>>()?),
        NodeValue::Mapping => {
            let pairs = node
                .entries()
                .map(|entry| Ok((entry.key.to_owned(), text(entry.value)?)));
            FlagValue::Pairs(pairs.collect::<Result<_, _>>()?)
        }
        NodeValue::Int(_) | NodeValue::Float(_) | NodeValue::String(_) => FlagValue::Text(text(node)?),
    }))
}

/// A text, or a whole number as one. Other scalars depend on how they were written, and have to be quoted.
fn text(node: Node<'_>) -> Result<String, Node<'_>> {
    match node.value() {
        NodeValue::String(text) => Ok(text.to_owned()),
        NodeValue::Int(number) => Ok(number.to_string()),
        _ => Err(node),
    }
}

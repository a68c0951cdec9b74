//! `agentctl.yaml`, which applies to every run on input below it. The command line overrides it.
//!
//! ```yaml
//! inputs: [manifests]    # read if the command line lists no inputs; relative to this file
//! flags:                 # as on the command line
//!   namespace: monitoring
//! severity:              # by code, and for all warnings together
//!   warnings: deny
//!   paused-agent: allow
//! exceptions:            # findings in other people's resources
//!   - {code: unselected, file: vendor/*, reason: comes with the chart}
//! ```

#[cfg(test)]
mod tests;

use super::diagnostics;
use super::flag::Flag;
use super::rules::Effect::{self, Bounded, Harmless, Weakens};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::severity::{Exception, Setting, SeverityLevel, WildcardPattern};
use crate::source::{Source, SourceId, Sources, Span};
use crate::yaml::{self, Document, Entry, Limits, Node, NodeValue};

/// Top-level keys of the file and their effects.
pub const FILE_KEYS: [(&str, Effect); 4] = [
    ("inputs", Weakens("excludes files if the command line has no inputs", &[])),
    ("flags", Harmless),
    ("severity", Bounded("reports codes less severely, unless the command line denies them")),
    ("exceptions", Bounded("accepts findings in resources; `check` reports how many")),
];

/// Fields of an exception.
const EXCEPTION_KEYS: &[&str] = &["code", "kind", "namespace", "name", "file", "reason"];

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Files and directories to read, as written. Empty if not set.
    pub inputs: Vec<String>,
    /// Span of the `inputs` key.
    pub inputs_span: Option<Span>,
    /// Command flags that the file sets.
    pub flags: Vec<Flag>,
    /// Severities that the file sets.
    pub severity: Vec<Setting>,
    /// Exceptions, which accept findings.
    pub exceptions: Vec<Exception>,
    /// Whether some exceptions could not be read.
    pub may_except_more: bool,
}

/// Whether a file is a manifest rather than a settings file, regardless of its name: one of its documents has an
/// `apiVersion` and a `kind`.
pub fn is_manifest(source: &Source) -> bool {
    let id = Sources::default().add(Source::new("", "", true));
    let documents = yaml::read(id, &source.text, &Limits::default()).output;
    let has_key = |document: &Document<'_>, key| document.root().get(key).is_some();
    documents.iter().any(|document| has_key(document, "apiVersion") && has_key(document, "kind"))
}

/// Parses an `agentctl.yaml`. Invalid settings are reported in `out` and skipped.
pub fn read(id: SourceId, source: &Source, out: &mut Vec<Diagnostic>) -> Settings {
    let documents = yaml::read(id, &source.text, &Limits::default());
    let mut settings = Settings { may_except_more: !documents.diagnostics.is_empty(), ..Settings::default() };
    for document in documents.report_to(out) {
        settings.add(document.root(), out);
    }
    settings
}

impl Settings {
    fn add(&mut self, root: Node<'_>, out: &mut Vec<Diagnostic>) {
        for entry in mapping(root, out) {
            match entry.key {
                "inputs" => {
                    self.add_inputs(entry.value, out);
                    self.inputs_span = Some(entry.key_span).filter(|_| !self.inputs.is_empty());
                }
                "flags" => self.add_flags(entry.value, out),
                "severity" => self.add_severity(entry.value, out),
                "exceptions" => {
                    let count_before = out.len();
                    self.add_exceptions(entry.value, out);
                    self.may_except_more |= out.len() > count_before;
                }
                _ => out.push(diagnostics::unknown_key(&entry, &FILE_KEYS.map(|(key, _)| key))),
            }
        }
    }

    /// Adds a single path or a list of paths.
    fn add_inputs(&mut self, inputs: Node<'_>, out: &mut Vec<Diagnostic>) {
        let named_inputs: Vec<_> = match inputs.value() {
            NodeValue::Null => return,
            NodeValue::Sequence => inputs.items().collect(),
            _ => vec![inputs],
        };
        self.inputs.clear();
        for input in &named_inputs {
            match input.as_str().filter(|path| !path.is_empty()) {
                Some(path) => self.inputs.push(path.to_owned()),
                None => out.push(diagnostics::unexpected_value("the path of a file or directory", *input)),
            }
        }
        if named_inputs.is_empty() {
            out.push(diagnostics::empty_inputs(inputs));
        }
    }

    fn add_flags(&mut self, flags: Node<'_>, out: &mut Vec<Diagnostic>) {
        for entry in mapping(flags, out) {
            match Flag::new(entry.key, entry.key_span, entry.value) {
                Ok(flag) => self.flags.push(flag),
                Err(node) => out.push(diagnostics::invalid_value(entry.key, node)),
            }
        }
    }

    fn add_exceptions(&mut self, exceptions: Node<'_>, out: &mut Vec<Diagnostic>) {
        if !matches!(exceptions.value(), NodeValue::Sequence | NodeValue::Null) {
            out.push(diagnostics::unexpected_value("a list of exceptions", exceptions));
        }
        let exceptions = exceptions.items().filter_map(|item| exception(item, out));
        self.exceptions.extend(exceptions);
    }

    fn add_severity(&mut self, severities: Node<'_>, out: &mut Vec<Diagnostic>) {
        for entry in mapping(severities, out) {
            let Some(level) = entry.value.as_str().and_then(SeverityLevel::parse) else {
                out.push(diagnostics::unknown_level(&entry));
                continue;
            };
            match Setting::parse(entry.key, level) {
                Ok(setting) => self.severity.push(setting),
                Err(error) => out.push(error.label(entry.key_span, "")),
            }
        }
    }
}

/// Parses an exception. Returns `None` if it has no code or no reason.
fn exception(item: Node<'_>, out: &mut Vec<Diagnostic>) -> Option<Exception> {
    for entry in mapping(item, out) {
        if !EXCEPTION_KEYS.contains(&entry.key) {
            out.push(diagnostics::unknown_key(&entry, EXCEPTION_KEYS));
        } else if entry.value.as_str().is_none_or(str::is_empty) {
            out.push(diagnostics::invalid_value(entry.key, entry.value));
        }
    }
    let Some(code) = item.entry("code") else {
        out.push(diagnostics::incomplete_exception(item, "code"));
        return None;
    };
    if item.non_empty_str("reason").is_none() {
        out.push(diagnostics::incomplete_exception(item, "reason"));
        return None;
    }
    let pattern = |key| item.non_empty_str(key).map(WildcardPattern::new);
    match Setting::allowable_code(code.value.as_str()?) {
        Ok(rule) => Some(Exception {
            code: rule,
            kind: pattern("kind"),
            namespace: pattern("namespace"),
            name: pattern("name"),
            file: pattern("file"),
            place: code.value.span(),
        }),
        Err(error) => {
            out.push(error.label(code.value.span(), ""));
            None
        }
    }
}

/// Returns the entries of a mapping. Reports any other value, except null.
fn mapping<'d>(node: Node<'d>, out: &mut Vec<Diagnostic>) -> impl Iterator<Item = Entry<'d>> + use<'d> {
    if !node.is_mapping() && !node.is_null() {
        out.push(diagnostics::unexpected_value("a mapping", node));
    }
    node.entries()
}

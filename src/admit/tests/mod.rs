//! Tests of resource admission.

mod core_objects;
mod defaults;
mod fixes;
mod invalid;
mod messages;
mod metadata;
mod pruning;
mod suggestions;

use super::*;
use crate::api::Kind;
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::Source;
use crate::testing;
use crate::yaml::{self, Document, Edits, Node};

/// Result of admitting a source.
struct Admitted {
    diagnostics: Vec<Diagnostic>,
    /// Admitted documents as JSON.
    documents: Vec<serde_json::Value>,
    source: Source,
}

impl Admitted {
    fn lines(&self) -> Vec<String> {
        self.diagnostics.iter().map(|d| self.line(d)).collect()
    }

    /// Returns `line path: message`, followed by `; help` if the finding has any.
    fn line(&self, diagnostic: &Diagnostic) -> String {
        let start = diagnostic.primary().unwrap().span.start as usize;
        let line = self.source.position(start).line;
        let path = diagnostic.path.as_deref().unwrap();
        let help = diagnostic.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
        format!("{line} {path}: {}{help}", diagnostic.message)
    }
}

fn admit_with(text: &str, unknown: UnknownFields) -> Admitted {
    let read = testing::read(text);
    assert_eq!(read.diagnostics, [], "{text}");
    let mut diagnostics = Vec::new();
    let documents = read.output.into_iter().map(|document| admit_one(document, unknown, &mut diagnostics)).collect();
    Admitted { diagnostics, documents, source: Source::new("test.yaml", text, true) }
}

fn admit_one(mut document: Document<'_>, unknown: UnknownFields, out: &mut Vec<Diagnostic>) -> serde_json::Value {
    let mut edits = Edits::default();
    let root = document.root();
    let text = |key| root.get(key).and_then(Node::as_str).unwrap();
    let kind = Kind::from_type(text("apiVersion"), text("kind")).unwrap();
    let options = AdmitOptions { unknown_fields: unknown, ..AdmitOptions::default() };
    admit(kind, root, &options, &mut edits, out);
    document.apply(edits);
    yaml::to_json(document.root())
}

fn admit_text(text: &str) -> Admitted {
    admit_with(text, UnknownFields::Warn)
}

/// Admits a ServiceMonitor with this `spec`, which must be indented by two spaces.
fn admit_service_monitor(spec: &str) -> Admitted {
    admit_text(&format!(
        "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {{name: a}}\nspec:\n{spec}"
    ))
}

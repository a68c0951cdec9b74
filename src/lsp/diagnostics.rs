//! Findings as the protocol has them.

use std::collections::BTreeMap;

use lsp_types::{
    CodeAction, CodeActionKind, CodeDescription, DiagnosticRelatedInformation, DiagnosticSeverity, Location,
    NumberOrString, TextEdit, Uri, WorkspaceEdit,
};

use super::text::{Encoding, Ranges};
use super::workspace::{Files, uri_of};
use crate::diagnostic::{Code, Diagnostic, Edit, Fix, Severity};
use crate::printable::printable;
use crate::source::{SourceId, Sources, Span};

/// What turns places into those of the protocol.
pub(super) struct Places<'s> {
    pub(super) sources: &'s Sources,
    pub(super) files: &'s Files,
    pub(super) encoding: Encoding,
}

impl Places<'_> {
    pub(super) fn ranges(&self, spans: impl IntoIterator<Item = Span>) -> Ranges {
        Ranges::of(self.sources, spans, self.encoding)
    }

    pub(super) fn uri(&self, id: SourceId) -> Option<Uri> {
        uri_of(self.sources, id, self.files)
    }

    pub(super) fn locations(&self, spans: &[Span]) -> Vec<Location> {
        let ranges = self.ranges(spans.iter().copied());
        let location = |span: &Span| Some(Location::new(self.uri(span.source)?, ranges.get(*span)));
        spans.iter().filter_map(location).collect()
    }

    /// What is to be said of findings that are in no file of the workspace.
    pub(super) fn without_file(&self, found: &[Diagnostic]) -> Vec<String> {
        let has_file = |found: &Diagnostic| found.primary().and_then(|label| self.uri(label.span.source)).is_some();
        found.iter().filter(|found| !has_file(found)).map(message).collect()
    }

    /// The findings by their files.
    pub(super) fn by_file(&self, found: &[Diagnostic]) -> BTreeMap<String, Vec<lsp_types::Diagnostic>> {
        let ranges = self.ranges(found.iter().flat_map(spans));
        let mut files: BTreeMap<String, Vec<_>> = BTreeMap::new();
        for finding in found {
            let Some(uri) = finding.primary().and_then(|label| self.uri(label.span.source)) else {
                continue;
            };
            files
                .entry(uri.to_string())
                .or_default()
                .push(self.finding(finding, &ranges));
        }
        files
    }

    fn finding(&self, found: &Diagnostic, ranges: &Ranges) -> lsp_types::Diagnostic {
        let related = labels(found).skip(1).filter_map(|(span, text)| {
            let message = if text.is_empty() { "see also here" } else { text };
            Some(DiagnosticRelatedInformation {
                location: Location::new(self.uri(span.source)?, ranges.get(span)),
                message: printable(message).into_owned(),
            })
        });
        let related: Vec<_> = related.collect();
        lsp_types::Diagnostic {
            range: found.primary().map(|label| ranges.get(label.span)).unwrap_or_default(),
            severity: Some(match found.severity {
                Severity::Error => DiagnosticSeverity::ERROR,
                Severity::Warning => DiagnosticSeverity::WARNING,
                Severity::Note => DiagnosticSeverity::INFORMATION,
            }),
            code: Some(NumberOrString::String(found.code.as_str().to_owned())),
            code_description: page(found.code).map(|href| CodeDescription { href }),
            source: Some("agentctl".to_owned()),
            message: message(found),
            related_information: (!related.is_empty()).then_some(related),
            ..lsp_types::Diagnostic::default()
        }
    }

    /// What applies edits; `None` where one is outside of the workspace.
    pub(super) fn workspace_edit(&self, edits: &[Edit]) -> Option<WorkspaceEdit> {
        let ranges = self.ranges(edits.iter().map(|edit| edit.span));
        #[expect(clippy::mutable_key_type, reason = "a URI caches nothing that counts")]
        let mut changes = std::collections::HashMap::new();
        for edit in edits {
            let edits: &mut Vec<_> = changes.entry(self.uri(edit.span.source)?).or_default();
            edits.push(TextEdit::new(ranges.get(edit.span), edit.text.clone()));
        }
        Some(WorkspaceEdit::new(changes))
    }

    /// The action that mends a finding.
    pub(super) fn action(&self, found: &Diagnostic, fix: &Fix) -> Option<CodeAction> {
        let ranges = self.ranges(spans(found));
        Some(CodeAction {
            title: printable(&fix.title).into_owned(),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![self.finding(found, &ranges)]),
            edit: Some(self.workspace_edit(&fix.edits)?),
            is_preferred: Some(fix.is_certain()),
            ..CodeAction::default()
        })
    }
}

/// Where the page of a code is to be read; `agentctl explain` prints the same.
fn page(code: Code) -> Option<Uri> {
    let (repository, version) = (env!("CARGO_PKG_REPOSITORY"), env!("CARGO_PKG_VERSION"));
    let name = code.as_str();
    let page = format!("{repository}/blob/v{version}/src/diagnostic/explain/{name}.md");
    page.parse().ok()
}

/// The message with its help.
fn message(found: &Diagnostic) -> String {
    let message = printable(&found.message).into_owned();
    match &found.help {
        Some(help) => format!("{message}\nhelp: {}", printable(help)),
        None => message,
    }
}

/// The places of a finding, the primary one first.
fn labels(found: &Diagnostic) -> impl Iterator<Item = (Span, &str)> {
    let also = found.also.iter().map(|also| &also.label);
    let labels = found.labels.iter().chain(also);
    labels.map(|label| (label.span, label.text.as_str()))
}

fn spans(found: &Diagnostic) -> impl Iterator<Item = Span> + '_ {
    labels(found).map(|(span, _)| span)
}

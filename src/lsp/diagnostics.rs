//! Conversion of findings to the language server protocol.

use std::collections::BTreeMap;

use lsp_types::{
    CodeAction, CodeActionKind, CodeDescription, DiagnosticRelatedInformation, DiagnosticSeverity, Location,
    NumberOrString, TextEdit, Uri, WorkspaceEdit,
};

use super::text::{Encoding, Ranges};
use super::workspace::{OpenFiles, source_uri};
use crate::diagnostic::{Code, Diagnostic, Edit, Fix, Severity};
use crate::printable::printable;
use crate::source::{SourceId, Sources, Span};

/// Converter from spans to the protocol's locations.
pub(super) struct Locations<'s> {
    pub(super) sources: &'s Sources,
    pub(super) files: &'s OpenFiles,
    pub(super) encoding: Encoding,
}

impl Locations<'_> {
    pub(super) fn ranges(&self, spans: impl IntoIterator<Item = Span>) -> Ranges {
        Ranges::new(self.sources, spans, self.encoding)
    }

    pub(super) fn uri(&self, id: SourceId) -> Option<Uri> {
        source_uri(self.sources, id, self.files)
    }

    pub(super) fn locations(&self, spans: &[Span]) -> Vec<Location> {
        let ranges = self.ranges(spans.iter().copied());
        let location = |span: &Span| Some(Location::new(self.uri(span.source)?, ranges.get(*span)));
        spans.iter().filter_map(location).collect()
    }

    /// Returns the messages of findings that are not about a file in the workspace.
    pub(super) fn without_file(&self, findings: &[Diagnostic]) -> Vec<String> {
        let has_file = |finding: &Diagnostic| finding.primary().and_then(|label| self.uri(label.span.source)).is_some();
        findings.iter().filter(|findings| !has_file(findings)).map(message).collect()
    }

    /// Returns the findings, grouped by file.
    pub(super) fn by_file(&self, findings: &[Diagnostic]) -> BTreeMap<String, Vec<lsp_types::Diagnostic>> {
        let ranges = self.ranges(findings.iter().flat_map(spans));
        let mut files: BTreeMap<String, Vec<_>> = BTreeMap::new();
        for finding in findings {
            let Some(uri) = finding.primary().and_then(|label| self.uri(label.span.source)) else {
                continue;
            };
            files.entry(uri.to_string()).or_default().push(self.finding(finding, &ranges));
        }
        files
    }

    fn finding(&self, diagnostic: &Diagnostic, ranges: &Ranges) -> lsp_types::Diagnostic {
        let related = labels(diagnostic).skip(1).filter_map(|(span, text)| {
            let message = if text.is_empty() { "see also" } else { text };
            Some(DiagnosticRelatedInformation {
                location: Location::new(self.uri(span.source)?, ranges.get(span)),
                message: printable(message).into_owned(),
            })
        });
        let related: Vec<_> = related.collect();
        lsp_types::Diagnostic {
            range: diagnostic.primary().map(|label| ranges.get(label.span)).unwrap_or_default(),
            severity: Some(match diagnostic.severity {
                Severity::Error => DiagnosticSeverity::ERROR,
                Severity::Warning => DiagnosticSeverity::WARNING,
                Severity::Note => DiagnosticSeverity::INFORMATION,
            }),
            code: Some(NumberOrString::String(diagnostic.code.as_str().to_owned())),
            code_description: page(diagnostic.code).map(|href| CodeDescription { href }),
            source: Some("agentctl".to_owned()),
            message: message(diagnostic),
            related_information: (!related.is_empty()).then_some(related),
            ..lsp_types::Diagnostic::default()
        }
    }

    /// Returns the workspace edit that applies `edits`, or `None` if one of them is outside the workspace.
    pub(super) fn workspace_edit(&self, edits: &[Edit]) -> Option<WorkspaceEdit> {
        let ranges = self.ranges(edits.iter().map(|edit| edit.span));
        #[expect(clippy::mutable_key_type, reason = "the cache inside a URI does not affect its hash")]
        let mut changes = std::collections::HashMap::new();
        for edit in edits {
            let edits: &mut Vec<_> = changes.entry(self.uri(edit.span.source)?).or_default();
            edits.push(TextEdit::new(ranges.get(edit.span), edit.text.clone()));
        }
        Some(WorkspaceEdit::new(changes))
    }

    /// Returns the action that fixes a finding.
    pub(super) fn action(&self, finding: &Diagnostic, fix: &Fix) -> Option<CodeAction> {
        let ranges = self.ranges(spans(finding));
        Some(CodeAction {
            title: printable(&fix.title).into_owned(),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![self.finding(finding, &ranges)]),
            edit: Some(self.workspace_edit(&fix.edits)?),
            is_preferred: Some(fix.is_certain()),
            ..CodeAction::default()
        })
    }
}

/// Returns the URL of the page about a code. `agentctl explain` prints the same page.
fn page(code: Code) -> Option<Uri> {
    let (repository, version) = (env!("CARGO_PKG_REPOSITORY"), env!("CARGO_PKG_VERSION"));
    let name = code.as_str();
    let page = format!("{repository}/blob/v{version}/src/diagnostic/explain/{name}.md");
    page.parse().ok()
}

/// Returns the message, followed by the help.
fn message(finding: &Diagnostic) -> String {
    let message = printable(&finding.message).into_owned();
    match &finding.help {
        Some(help) => format!("{message}\nhelp: {}", printable(help)),
        None => message,
    }
}

/// Returns all labels, starting with the primary one.
fn labels(finding: &Diagnostic) -> impl Iterator<Item = (Span, &str)> {
    let other_labels = finding.other_occurrences.iter().map(|occurrence| &occurrence.label);
    let labels = finding.labels.iter().chain(other_labels);
    labels.map(|label| (label.span, label.text.as_str()))
}

fn spans(finding: &Diagnostic) -> impl Iterator<Item = Span> + '_ {
    labels(finding).map(|(span, _)| span)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::source::Source;

    #[test]
    fn converts_findings_and_fixes() {
        let mut sources = Sources::default();
        let mut add = |name: &str, is_file: bool| {
            let mut source = Source::new(name, "a: b\ncd: e\n", true);
            source.path = is_file.then(|| format!("/nowhere/{name}").into());
            sources.add(source)
        };
        let (x, y, piped) = (add("x.yaml", true), add("y.yaml", true), add("<stdin>", false));
        let files = OpenFiles::default();
        let places = Locations { sources: &sources, files: &files, encoding: Encoding::Utf16 };
        let range = |line: u32, start: u32, end: u32| json!({"start": {"line": line, "character": start}, "end": {"line": line, "character": end}});
        let [plain_finding, other] = [Code::DuplicateKey, Code::AgentImage]
            .map(|code| Diagnostic::new(code, "a\nb").label(Span::new(x, 5, 7), "here"));
        let full_finding = plain_finding
            .clone()
            .label(Span::new(y, 0, 1), "")
            .label(Span::new(piped, 0, 1), "left out")
            .label(Span::new(y, 3, 4), "there")
            .help("do\u{1b}it");
        let page = |code: &str| {
            let (repository, version) = (env!("CARGO_PKG_REPOSITORY"), env!("CARGO_PKG_VERSION"));
            json!({"href": format!("{repository}/blob/v{version}/src/diagnostic/explain/{code}.md")})
        };
        let expected = json!({
            "range": range(1, 0, 2), "severity": 1, "code": "duplicate-key", "codeDescription": page("duplicate-key"),
            "source": "agentctl", "message": "a\\nb\nhelp: do\\u{1b}it",
            "relatedInformation": [
                {"location": {"uri": "file:///nowhere/y.yaml", "range": range(0, 0, 1)}, "message": "see also"},
                {"location": {"uri": "file:///nowhere/y.yaml", "range": range(0, 3, 4)}, "message": "there"},
            ],
        });
        let actual =
            [full_finding, other, Diagnostic::new(Code::DuplicateScrape, "c").label(Span::new(piped, 0, 1), "")];
        let by_file = places.by_file(&actual);
        assert_eq!(by_file.keys().collect::<Vec<_>>(), ["file:///nowhere/x.yaml"]);
        let x_diagnostics = &by_file["file:///nowhere/x.yaml"];
        assert_eq!(json!(x_diagnostics[0]), expected);
        assert_eq!(
            json!(x_diagnostics[1]),
            json!({
                "range": range(1, 0, 2), "severity": 3, "code": "agent-image", "codeDescription": page("agent-image"),
                "source": "agentctl", "message": "a\\nb",
            })
        );
        assert_eq!(places.without_file(&actual), ["c"]);
        assert_eq!(places.without_file(&[Diagnostic::new(Code::DuplicateScrape, "d")]), ["d"]);
        assert_eq!(json!(places.finding(&actual[2], &places.ranges([])))["severity"], 2);

        let edits = |id| vec![Edit::replace(Span::new(id, 5, 7), "f"), Edit::replace(Span::new(y, 0, 1), "g")];
        let certain = Fix::certain("rename\n", edits(x));
        for (fix, is_preferred) in [(certain.clone(), true), (certain.likely(), false)] {
            let action = json!(places.action(&actual[0], &fix).unwrap());
            assert_eq!(
                action,
                json!({
                    "title": "rename\\n", "kind": "quickfix", "diagnostics": [expected], "isPreferred": is_preferred,
                    "edit": {"changes": {
                        "file:///nowhere/x.yaml": [{"range": range(1, 0, 2), "newText": "f"}],
                        "file:///nowhere/y.yaml": [{"range": range(0, 0, 1), "newText": "g"}],
                    }},
                })
            );
        }
        // One of the fix's edits is not in a file, and applying only the other would be wrong.
        assert!(places.action(&actual[0], &Fix::certain("rename", edits(piped))).is_none());
        let spans = [Span::new(y, 0, 1), Span::new(piped, 0, 1)];
        let locations = json!(places.locations(&spans));
        assert_eq!(locations, json!([{"uri": "file:///nowhere/y.yaml", "range": range(0, 0, 1)}]));
    }
}

//! Input that is almost a manifest: JSON with comments, or manifests embedded in Helm's notes. Each such input is
//! reported as one mistake.

use std::collections::HashMap;
use std::ops::Range;

use crate::api::Kind;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::source::{Source, SourceId, Span};
use crate::yaml::Templater;

/// Replaces the parser's findings for a source with a finding that explains the actual content of the source.
pub fn explain_text(id: SourceId, source: &Source, diagnostics: &mut Vec<Diagnostic>) {
    let text = source.text.as_str();
    if diagnostics.is_empty() {
        return;
    }
    if !source.is_explicit && skip_foreign(text, diagnostics) {
        return;
    }
    report_displaced_separator(text, diagnostics);
    if let Some(comment_start) = find_comment(text) {
        let is_unread =
            |finding: &Diagnostic| matches!(finding.code, Code::NotAnObject | Code::YamlSyntax | Code::YamlKey);
        let finding = Diagnostic::new(Code::YamlSyntax, "found a comment, which JSON does not support")
            .help("remove all comments, or convert the file to YAML, where comments start with `#`")
            .label(Span::new(id, comment_start, comment_start + 2), "")
            .cause(format!("comments in {id:?}"));
        replace_finding(diagnostics, &finding, is_unread);
    }
    if let Some(parts) = Notes::new(text) {
        let start = |finding: &Diagnostic| finding.primary().map_or(0, |label| label.span.start as usize);
        let is_note = |finding: &Diagnostic| start(finding) < parts.manifest || start(finding) >= parts.end;
        let notes_span = Span::new(id, parts.outside, parts.outside);
        let finding =
            Diagnostic::new(Code::YamlSyntax, "found Helm's description of a release, expected only manifests")
                .help("use `helm template`, or `helm get manifest RELEASE` for an installed release")
                .label(notes_span, "")
                .cause(format!("notes in {id:?}"));
        replace_finding(diagnostics, &finding, is_note);
    }
}

/// Help for a template without any of the operator's kinds.
pub(super) const OTHER_KINDS: &str =
    "no action needed: when reading a directory, agentctl skips templates of kinds that it does not compile";

/// Replaces the parser's findings about foreign documents with a single note, for a file that was found in a directory.
/// Returns whether the whole file is foreign.
fn skip_foreign(text: &str, diagnostics: &mut Vec<Diagnostic>) -> bool {
    let mut chunks = Chunks::new(text);
    let mut errors = diagnostics.iter().filter(|finding| finding.severity == Severity::Error);
    let Some(first) = errors.find(|diagnostic| chunks.is_foreign(diagnostic)).cloned() else {
        return false;
    };
    let help = match chunks.is_foreign_file {
        true => "no action needed: when reading a directory, agentctl skips files without `apiVersion` and `kind`",
        false => OTHER_KINDS,
    };
    diagnostics.retain(|diagnostic| !chunks.is_foreign(diagnostic));
    diagnostics.push(Diagnostic { severity: Severity::Note, fix: None, ..first }.help(help));
    chunks.is_foreign_file
}

/// Parts of a text, split at lines that start with `---`.
struct Chunks<'t> {
    text: &'t str,
    separators: Vec<usize>,
    /// Whether the entire text contains no objects.
    is_foreign_file: bool,
    /// Whether a chunk is foreign. The key consists of the chunk's start and whether a finding reports the chunk as a
    /// template. Results are stored, because a chunk can have many findings.
    foreign: HashMap<(usize, bool), bool>,
}

impl<'t> Chunks<'t> {
    fn new(text: &'t str) -> Self {
        let separators = text.match_indices("\n---").map(|(at, _)| at).collect();
        Self { text, separators, is_foreign_file: !has_type(text), foreign: HashMap::new() }
    }

    /// Returns the chunk that contains the given offset.
    fn chunk_at(&self, offset: usize) -> Range<usize> {
        let previous_separator = self.separators.partition_point(|separator| separator + "\n---".len() <= offset);
        let start = previous_separator.checked_sub(1).and_then(|before| self.separators.get(before));
        let next_separator = self.separators.partition_point(|separator| *separator < offset);
        let end = self.separators.get(next_separator).copied().unwrap_or(self.text.len());
        start.map_or(0, |start| start + 1)..end
    }

    /// Whether a finding was caused by parsing a foreign document.
    fn is_foreign(&mut self, finding: &Diagnostic) -> bool {
        if self.is_foreign_file || !finding.code.is_of_yaml() {
            return finding.code.is_of_yaml();
        }
        let chunk = finding.primary().map_or(0..self.text.len(), |label| self.chunk_at(label.span.start as usize));
        let is_template = finding.code == Code::UnrenderedTemplate;
        let is_foreign = self.foreign.entry((chunk.start, is_template));
        *is_foreign
            .or_insert_with(|| self.text.get(chunk).is_some_and(|chunk| is_template_of_other_kinds(chunk, is_template)))
    }
}

/// Whether `text` contains a key that every object has: `apiVersion` or `kind`.
fn has_type(text: &str) -> bool {
    ["apiVersion", "kind"].iter().any(|key| text.lines().any(|line| find_value(line, key).is_some()))
}

/// Whether a document that cannot be read is a template for a kind that agentctl does not compile, such as a workload,
/// a plugin or a test. `is_known` is true if the document is already known to be a template.
fn is_template_of_other_kinds(chunk: &str, is_known: bool) -> bool {
    let is_template = |line: &str| Templater::has_braces(line) || Templater::has_statements(line);
    (is_known || chunk.lines().any(is_template)) && has_only_other_kinds(chunk)
}

/// Whether all documents in `text` have kinds that agentctl does not compile.
pub(super) fn has_only_other_kinds(chunk: &str) -> bool {
    let is_list = chunk.lines().any(|line| find_value(line, "kind").is_some_and(|kind| kind.ends_with("List")));
    let is_json = chunk.trim_start().starts_with(['{', '[']);
    let lines = chunk.lines().filter(|line| is_list || is_json || !line.starts_with([' ', '\t']));
    let mut kinds = lines.filter_map(|line| find_value(line, "kind")).peekable();
    let is_object = ["apiVersion", "kind"].iter().all(|key| chunk.lines().any(|line| find_value(line, key).is_some()));
    !is_object || kinds.peek().is_some() && kinds.all(is_other)
}

/// Whether a kind contains no placeholder and is not compiled by agentctl.
fn is_other(kind: &str) -> bool {
    let is_name = kind.chars().all(|c| c.is_ascii_alphanumeric()) && !kind.is_empty();
    let is_compiled = || Kind::ALL.iter().any(|candidate| candidate.is_custom() && candidate.as_str() == kind);
    is_name && !is_compiled() && !matches!(kind, "APIService" | "ExternalName")
}

/// Returns the value of a key in a line of YAML or JSON that starts with the key.
pub(super) fn find_value<'t>(line: &'t str, key: &str) -> Option<&'t str> {
    let line = line.trim_start_matches([' ', '\t', '-', '{', '[']);
    let quote = line.chars().next().filter(|first| matches!(first, '"' | '\''));
    let line = line.strip_prefix(|first| Some(first) == quote).unwrap_or(line).strip_prefix(key)?;
    let line = line.strip_prefix(|last| Some(last) == quote).unwrap_or(line);
    let value = line.trim_start().strip_prefix(':')?;
    let value = value.split(" #").next().unwrap_or_default();
    Some(value.trim().trim_end_matches([',', '}', ']']).trim().trim_matches(['"', '\'']))
}

/// Reduces the findings about a misplaced `---` to a single finding. If the `---` is one line too low, the preceding
/// document has two `apiVersion` keys, and the subsequent document has none.
fn report_displaced_separator(text: &str, diagnostics: &mut Vec<Diagnostic>) {
    let mut documents = Vec::new();
    for finding in diagnostics.iter_mut().filter(|finding| finding.code == Code::DuplicateKey) {
        let Some(key) = finding.primary().map(|label| label.span.bytes()) else {
            continue;
        };
        let [before, after] = [text.get(..key.start), text.get(key.end..)].map(Option::unwrap_or_default);
        let is_version = text.get(key.clone()) == Some("apiVersion");
        if is_version && after.lines().nth(1).is_some_and(|line| line.trim_end() == "---") {
            finding.help = Some("move the `---` line above this key".to_owned());
            let end = after.match_indices("\n---").nth(1).map_or(text.len(), |(at, _)| key.end + at);
            documents.push(before.rfind("\n---").unwrap_or_default()..end);
        }
    }
    diagnostics.retain(|finding| {
        let start = finding.primary().map(|label| label.span.start as usize);
        let is_in = start.is_some_and(|start| documents.iter().any(|document| document.contains(&start)));
        let is_consequence = matches!(finding.code, Code::NotAnObject | Code::UnknownKind | Code::UnknownVersion);
        !(is_in && is_consequence)
    });
}

fn replace_finding(diagnostics: &mut [Diagnostic], finding: &Diagnostic, is_replaced: impl Fn(&Diagnostic) -> bool) {
    for replaced_finding in diagnostics.iter_mut().filter(|other| is_replaced(other)) {
        replaced_finding.clone_from(finding);
    }
}

/// Returns the offset of the first JavaScript-style comment in a JSON text.
fn find_comment(text: &str) -> Option<usize> {
    text.trim_start().starts_with(['{', '[']).then_some(())?;
    let (mut in_string, mut is_escaped, mut previous_byte) = (false, false, b'\n');
    for (at, byte) in text.bytes().enumerate() {
        let is_comment = byte == b'/' && matches!(text.as_bytes().get(at + 1), Some(b'/' | b'*'));
        if !in_string && is_comment && matches!(previous_byte, b' ' | b'\t' | b'\n' | b',' | b'{' | b'[') {
            return Some(at);
        }
        in_string ^= byte == b'"' && !is_escaped;
        is_escaped = in_string && byte == b'\\' && !is_escaped;
        previous_byte = byte;
    }
    None
}

/// Output that `helm install` and `helm get all` print around manifests.
struct Notes {
    /// Offset where the manifests start.
    manifest: usize,
    end: usize,
    /// Start of the first line that does not belong to the manifests.
    outside: usize,
}

impl Notes {
    fn new(text: &str) -> Option<Self> {
        let line = |start: &str| match text.starts_with(start) {
            true => Some(0),
            false => text.find(&format!("\n{start}")).map(|end| end + 1),
        };
        let is_release = line("LAST DEPLOYED:").is_some() || line("# Source: ").is_some();
        let manifest = line("LAST DEPLOYED:").and(line("MANIFEST:")).unwrap_or_default();
        let notes = line("NOTES:");
        (is_release && (manifest > 0 || notes.is_some())).then_some(Self {
            manifest,
            end: notes.unwrap_or(text.len()),
            outside: if manifest > 0 { 0 } else { notes.unwrap_or_default() },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_comments_in_json() {
        for (text, expected) in [
            ("{\n  // a\n}", Some(4)),
            ("[1, /* a */ 2]", Some(4)),
            (r#"{"a": "b // c"}"#, None),
            (r#"{"a": "\" // c"}"#, None),
            ("{url: http://x}", None),
            ("a: {} // b", None),
            ("", None),
            (" {\"a\": 1, // b\n}", Some(10)),
            ("{\"a\": 1,/* b */}", Some(8)),
            ("[// a\n]", Some(1)),
            ("{\"a\": 1/2, b://c/*}", None),
            (r#"{"a": "x\\" // y"}"#, Some(12)),
        ] {
            assert_eq!(find_comment(text), expected, "{text}");
        }
    }

    #[test]
    fn skips_unreadable_documents_of_other_kinds() {
        for (text, is_skipped) in [
            ("apiVersion: krew.dev/v1\nkind: Plugin\nspec:\n  version: {{ X }}\n", true),
            ("kind: DaemonSet # c\nspec:\n  kind: Probe\n{{ X }}\n", true),
            ("kind: Pod\n{% if x %}\n", true),
            ("kind: Pod\nx: [\n", false),
            ("{\"apiVersion\": \"v1\",\n \"kind\": \"Pod\",\n {{ X }}}", true),
            ("apiVersion: v1\nkind: Probe\nx: {{ X }}\n", false),
            ("kind: {{ X }}\napiVersion: v1\n", false),
            ("x: {{ X }}\n", true),
            ("apiVersion: v1\nkind: List\nx: {{ X }}\nitems:\n- kind: Probe\n", false),
            ("kind: List\nx: {{ X }}\nitems:\n- kind: Pod\n", true),
            ("apiVersion: v1\nkind: APIService\nx: {{ X }}\n", false),
            (" apiVersion: v1\n kind: Pod\nx: {{ X }}\n", false),
            ("x: {{ X }}\nsubjects:\n- kind: User\n", true),
        ] {
            assert_eq!(is_template_of_other_kinds(text, false), is_skipped, "{text}");
        }
        assert!(is_template_of_other_kinds("kind: Pod\nx: @X@\n", true));
        let text = "kind: Pod\napiVersion: v1\n--- \nkind: Probe\nx: 1\n---\nkind: Job\n";
        let chunk = |at| &text[Chunks::new(text).chunk_at(at)];
        assert_eq!(chunk(3), "kind: Pod\napiVersion: v1");
        assert_eq!(chunk(text.find("x: 1").unwrap()), "--- \nkind: Probe\nx: 1");
        assert_eq!(chunk(text.len()), "---\nkind: Job\n");
        assert!(has_type(text) && !has_type("// the kind of apiVersion\n{\n \"a\": 1}"));
    }

    #[test]
    fn reports_misplaced_separators() {
        let text = "apiVersion: v1\nkind: A\napiVersion: v2\n---\nkind: B\n---\nc: 1\n";
        let mut sources = crate::source::Sources::default();
        let id = sources.add(Source::new("x.yaml", text, true));
        let at = |code, text_at: &str, length| {
            let start = text.rfind(text_at).unwrap();
            Diagnostic::new(code, "m").label(Span::new(id, start, start + length), "")
        };
        let mut findings = vec![
            at(Code::DuplicateKey, "apiVersion", 10),
            at(Code::NotAnObject, "kind: B", 1),
            at(Code::NotAnObject, "c: 1", 1),
        ];
        explain_text(id, sources.get(id).unwrap(), &mut findings);
        let codes: Vec<_> = findings.iter().map(|finding| finding.code).collect();
        assert_eq!(codes, [Code::DuplicateKey, Code::NotAnObject]);
        assert_eq!(findings[0].help.as_deref(), Some("move the `---` line above this key"));
    }

    #[test]
    fn accepts_correct_separators() {
        for text in [
            "kind: A\nkind: B\n---\nkind: C\n",
            "apiVersion: v1\napiVersion: v2\nkind: B\n---\nkind: C\n",
            "apiVersion: v1\napiVersion: v2\n",
        ] {
            let mut sources = crate::source::Sources::default();
            let id = sources.add(Source::new("x.yaml", text, true));
            let key_len = text.split(':').next().unwrap().len();
            let start = text.find('\n').unwrap() + 1;
            let mut findings = [(Code::DuplicateKey, start, start + key_len), (Code::NotAnObject, 0, 1)]
                .map(|(code, start, end)| Diagnostic::new(code, "m").label(Span::new(id, start, end), ""))
                .to_vec();
            let original_findings = findings.clone();
            explain_text(id, sources.get(id).unwrap(), &mut findings);
            assert_eq!(findings, original_findings, "{text}");
        }
    }

    #[test]
    fn merges_findings_in_release_notes() {
        let text = "NAME: x\nLAST DEPLOYED: now\nMANIFEST:\nkind: A\nNOTES:\n1. x\n";
        let mut sources = crate::source::Sources::default();
        let id = sources.add(Source::new("x.yaml", text, true));
        let starts = ["NAME", "LAST", "MANIFEST", "kind: A", "NOTES", "1. x"].map(|part| text.find(part).unwrap());
        let mut findings: Vec<_> = starts
            .iter()
            .map(|start| Diagnostic::new(Code::NotAnObject, "m").label(Span::new(id, *start, start + 1), ""))
            .collect();
        explain_text(id, sources.get(id).unwrap(), &mut findings);
        let are_original: Vec<_> = findings.iter().map(|finding| finding.message == "m").collect();
        assert_eq!(are_original, [false, false, true, true, false, false]);
        let (note, manifest) = (&findings[0], &findings[3]);
        assert_eq!((note.code, note.primary().unwrap().span), (Code::YamlSyntax, Span::new(id, 0, 0)));
        assert_eq!(manifest.code, Code::NotAnObject);
        let mut no_findings = Vec::new();
        explain_text(id, sources.get(id).unwrap(), &mut no_findings);
        assert_eq!(no_findings, []);
    }

    #[test]
    fn reports_json_comments_as_cause_of_yaml_errors() {
        let text = "{\n \n// a\n\"b\": 1}";
        let mut sources = crate::source::Sources::default();
        let id = sources.add(Source::new("x.json", text, true));
        let codes = [Code::NotAnObject, Code::YamlSyntax, Code::YamlKey, Code::DuplicateKey];
        let mut findings = codes.map(|code| Diagnostic::new(code, "m").label(Span::new(id, 0, 1), "")).to_vec();
        explain_text(id, sources.get(id).unwrap(), &mut findings);
        let codes_and_spans: Vec<_> =
            findings.iter().map(|finding| (finding.code, finding.primary().unwrap().span)).collect();
        let comment = (Code::YamlSyntax, Span::new(id, 4, 6));
        assert_eq!(codes_and_spans, [comment, comment, comment, (Code::DuplicateKey, Span::new(id, 0, 1))]);
    }

    #[test]
    fn finds_release_notes_around_manifests() {
        let manifest = "---\n# Source: x/templates/a.yaml\nkind: A\n";
        let outside = |text: &str| Notes::new(text).map(|notes| notes.outside);
        assert_eq!(outside(manifest), None);
        assert_eq!(outside(&format!("{manifest}NOTES:\n1. x")), Some(manifest.len()));
        let release = "NAME: x\nLAST DEPLOYED: now\nMANIFEST:\n";
        assert_eq!(outside(&format!("{release}{manifest}NOTES:\n1. x")), Some(0));
        assert_eq!(outside("kind: A\nNOTES: none\n"), None);
    }
}

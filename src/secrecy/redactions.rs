//! Redaction of source lines.

use std::collections::HashMap;
use std::ops::Range;

use super::key::SecretKeys;
use super::kustomization::is_kustomization;
use super::structure::{find_plain_documents, open_structure, structure};
use super::walk::{self, SourcePart};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Source, SourceContent, SourceId, Span};
use crate::yaml::{self, Limits};

/// Number of documents that are parsed together.
const GROUP_SIZE: usize = 32;

/// Redactions of the sources shown so far. A document is parsed again when one of its lines is first shown, so that no
/// time is spent on documents that are not shown.
#[derive(Debug, Default)]
pub struct SourceRedactions {
    sources: HashMap<SourceId, Documents>,
    keys: SecretKeys,
}

/// A source's documents.
#[derive(Debug)]
struct Documents {
    /// Start offset of each document.
    starts: Vec<usize>,
    /// Redactions of the documents shown so far, by group of [`GROUP_SIZE`] documents.
    redactions: HashMap<usize, Redactions>,
}

impl SourceRedactions {
    /// Returns the byte ranges in a line that must be hidden and that overlap `asked`, in order. `start` is the offset
    /// of the line in the source.
    pub fn hidden_ranges(
        &mut self,
        id: SourceId,
        source: &Source,
        line: &str,
        start: usize,
        asked: Range<usize>,
    ) -> Vec<Range<usize>> {
        if source.content == SourceContent::Settings {
            return Vec::new();
        }
        let text = source.text.as_str();
        let Documents { starts, redactions } = self
            .sources
            .entry(id)
            .or_insert_with(|| Documents { starts: document_starts(text).collect(), redactions: HashMap::new() });
        let group = starts.partition_point(|&at| at <= start).saturating_sub(1) / GROUP_SIZE;
        let redactions = redactions.entry(group).or_insert_with(|| {
            // One document before and one after the group are included, because a comment between two documents may
            // belong to either.
            let from = starts.get((group * GROUP_SIZE).saturating_sub(1)).copied();
            let to = starts.get((group + 1) * GROUP_SIZE + 1).copied();
            let bytes = from.unwrap_or_default()..to.unwrap_or(text.len());
            Redactions::new(id, source, bytes, &mut self.keys)
        });
        redactions.hidden_ranges(line, start, asked)
    }
}

/// Returns the start offset of each document: 0, and the offset of each `---`.
fn document_starts(text: &str) -> impl Iterator<Item = usize> {
    let markers = text.match_indices("\n---").filter(|(at, marker)| {
        let after = text.get(at + marker.len()..).unwrap_or_default();
        after.is_empty() || after.starts_with([' ', '\t', '\n', '\r'])
    });
    std::iter::once(0).chain(markers.map(|(at, _)| at + 1))
}

/// Redactions of a group of documents. If parsing succeeded, the nodes determine what is shown; otherwise, only the
/// text's structure is shown.
#[derive(Debug)]
struct Redactions {
    /// Offset of the group in its source. All other offsets are relative to it.
    base: usize,
    /// Keys and scalars, sorted and disjoint.
    parts: Vec<SourcePart>,
    /// Whether the nodes cover the whole text.
    is_whole: bool,
    /// If parsing failed, the documents that are known to contain no Secret.
    plain: Vec<Range<usize>>,
}

/// Whether a finding about a duplicate key shows that a document may have two kinds, one of which may be `Secret`.
fn may_have_two_kinds(finding: &Diagnostic, document: Span, text: &str) -> bool {
    let is_plain_key = |key: &str| key != "kind" && key.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let is_in_document = |key: Span| document.start <= key.start && key.end <= document.end;
    let key = finding.primary().map(|label| label.span);
    key.is_none_or(|key| is_in_document(key) && !text.get(key.bytes()).is_some_and(is_plain_key))
}

impl Redactions {
    fn new(id: SourceId, source: &Source, bytes: Range<usize>, keys: &mut SecretKeys) -> Self {
        let is_secret = source.content == SourceContent::SecretValue;
        let base = bytes.start;
        let text = source.text.get(bytes).unwrap_or_default();
        let parsed = yaml::read(id, text, &Limits::default());
        let mut parts = Vec::new();
        let duplicates = parsed.diagnostics.iter().filter(|finding| finding.code == Code::DuplicateKey);
        let duplicates: Vec<_> = duplicates.collect();
        for document in &parsed.output {
            let root = document.root();
            let is_known =
                !is_secret && !duplicates.iter().any(|duplicate| may_have_two_kinds(duplicate, root.span(), text));
            match is_known && is_kustomization(&source.name) {
                true => walk::kustomization(root, text, keys, &mut parts),
                false => walk::document(root, is_known, text, keys, &mut parts),
            }
        }
        let is_whole = parsed.diagnostics.is_empty();
        Self {
            base,
            parts: disjoint(parts),
            is_whole,
            plain: if is_whole || is_secret { Vec::new() } else { find_plain_documents(text) },
        }
    }

    fn hidden_ranges(&self, line: &str, start: usize, asked: Range<usize>) -> Vec<Range<usize>> {
        let start = start.saturating_sub(self.base);
        let mut hidden = Vec::new();
        let end = start + line.len();
        let mut next = self.parts.partition_point(|part| part.bytes.end <= start + asked.start);
        let mut at = match next.checked_sub(1).and_then(|before| self.parts.get(before)) {
            Some(before) => before.bytes.end.max(start),
            None => start,
        };
        let range_in_line =
            |bytes: Range<usize>| bytes.start.saturating_sub(start)..bytes.end.min(end).saturating_sub(start);
        while at < start + asked.end {
            let part = self.parts.get(next);
            let gap = at..part.map_or(end, |part| part.bytes.start.clamp(at, end));
            let document = self.plain.partition_point(|document| document.end <= gap.start);
            let document = self.plain.get(document);
            let is_plain = document.is_some_and(|document| document.contains(&gap.start));
            hidden.extend(self.hidden_between(line, range_in_line(gap.clone()), next, is_plain));
            let Some(part) = part.filter(|part| part.bytes.start < end) else {
                break;
            };
            if !part.is_shown {
                let (starts_above, continues_below) = (part.bytes.start < start, part.bytes.end > end);
                hidden.extend(content(line, range_in_line(part.bytes.clone()), starts_above, continues_below));
            }
            at = part.bytes.end.max(gap.end);
            next += 1;
        }
        hidden.retain(|range| range.start < asked.end && asked.start < range.end);
        hidden
    }

    /// Returns the range to hide between the part at index `next` and the part before it.
    fn hidden_between(&self, line: &str, gap: Range<usize>, next: usize, is_plain: bool) -> Option<Range<usize>> {
        let text = line.get(gap.clone()).unwrap_or_default();
        let neighbours = [next.checked_sub(1), Some(next)].into_iter().flatten();
        let mut neighbours = neighbours.filter_map(|at| self.parts.get(at));
        let is_open = self.is_whole && !neighbours.any(|part| part.is_guarded);
        let visible_length = match is_open {
            _ if text.len() > MAX_GAP => 0,
            true => open_structure(text),
            false => structure(text, is_plain),
        };
        non_empty_range(gap.start + visible_length..gap.start + text.trim_end().len())
    }
}

/// Maximum length of the text to show between scalars. Longer text is hidden, because it would be scanned again for
/// every finding on its line.
const MAX_GAP: usize = 4096;

/// Returns the range of a secret scalar to hide. The scalar may start above the line or continue below it. Indentation
/// and the headers of block scalars stay visible.
fn content(line: &str, bytes: Range<usize>, starts_above: bool, continues_below: bool) -> Option<Range<usize>> {
    let text = line.get(bytes.clone()).unwrap_or_default();
    let rest = match starts_above {
        true => text.trim_start(),
        false if continues_below && text.starts_with(['|', '>']) => text.trim_start_matches(is_header).trim_start(),
        false => text,
    };
    let start = bytes.end - rest.len();
    non_empty_range(start..start + rest.trim_end().len())
}

fn is_header(c: char) -> bool {
    matches!(c, '|' | '>' | '+' | '-' | '0'..='9')
}

fn non_empty_range(range: Range<usize>) -> Option<Range<usize>> {
    (range.start < range.end).then_some(range)
}

/// Sorts the parts, and merges those that overlap. A merged part is hidden if any of the original parts is.
fn disjoint(mut parts: Vec<SourcePart>) -> Vec<SourcePart> {
    parts.sort_by_key(|part| (part.bytes.start, part.bytes.end));
    let mut merged: Vec<SourcePart> = Vec::with_capacity(parts.len());
    for part in parts {
        match merged.last_mut().filter(|last| part.bytes.start < last.bytes.end) {
            Some(last) => {
                last.bytes.end = last.bytes.end.max(part.bytes.end);
                last.is_shown &= part.is_shown;
                last.is_guarded |= part.is_guarded;
            }
            None => merged.push(part),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    /// Returns the non-empty lines, redacted as in excerpts.
    fn redact_lines(text: &str) -> Vec<String> {
        let id = testing::source_id();
        let source = Source::new("x", text, true);
        let mut views = SourceRedactions::default();
        let lines = (1..).map_while(|number| source.line(number));
        let lines = lines.map(|(start, line)| {
            let mut shown_line = line.to_owned();
            for hidden in views.hidden_ranges(id, &source, line, start, 0..line.len()).into_iter().rev() {
                shown_line.replace_range(hidden, "***");
            }
            shown_line
        });
        lines.filter(|line| !line.is_empty()).collect()
    }

    /// Returns the redacted lines that follow a resource's kind.
    fn redact_in_resource(text: &str) -> Vec<String> {
        redact_lines(&format!("kind: Probe\n{text}")).split_off(1)
    }

    #[test]
    fn merges_overlapping_spans() {
        let part = |(bytes, is_shown, is_guarded)| SourcePart { bytes, is_shown, is_guarded };
        let parts = [(8..9, true, false), (0..4, true, false), (2..6, false, true), (6..7, true, true)];
        let kept = disjoint(parts.map(part).into());
        let kept: Vec<_> = kept.into_iter().map(|part| (part.bytes, part.is_shown, part.is_guarded)).collect();
        assert_eq!(kept, [(0..6, false, true), (6..7, true, true), (8..9, true, false)]);
    }

    #[test]
    fn hides_values_of_secret_keys() {
        for (line, expected) in [
            ("password: hunter2", "password: ***"),
            ("\"password\": \"hunter2\" # why", "\"password\": *** # why"),
            ("password: {name: s, key: password}", "password: {name: s, key: password}"),
            ("password: {value: hunter2}", "password: {value: ***}"),
            ("password: {x: {name: hunter2}}", "password: {x: {name: hunter2}}"),
            ("a: {username: me, password: 'a, b', x: y}", "a: {username: ***, password: ***, x: y}"),
            ("bearerTokn: hunter2", "bearerTokn: ***"),
            ("headers: {X-Scope: hunter2}", "headers: {X-Scope: ***}"),
            ("password: |-\n  hunter2", "password: |-"),
            ("secrets: [a]", "secrets: [a]"),
            ("url: https://me:hunter2@host/?token=hunter2&x=y", "url: https://***@host/?token=***&x=y"),
            ("url: \"https://me:hunter\\x32@host/\"", "url: ***"),
            ("env: [{name: DB_PASSWORD, value: hunter2}]", "env: [{name: DB_PASSWORD, value: ***}]"),
            ("env: [{value: hunter2}]", "env: [{value: ***}]"),
            ("env: [{name: LEVEL, value: debug}]", "env: [{name: LEVEL, value: debug}]"),
            ("tolerations: [{value: gpu}]", "tolerations: [{value: gpu}]"),
            (
                "x: [{targetLabel: __param_token, replacement: hunter2}]",
                "x: [{targetLabel: __param_token, replacement: ***}]",
            ),
            ("runAsUser: 1", "runAsUser: 1"),
            ("interval: 30s", "interval: 30s"),
            ("config: {adminPasswd2: hunter2}", "config: {adminPasswd2: ***}"),
            ("args: ['--token=hunter2', -v]", "args: [***, -v]"),
            ("args: [!!binary LS10b2tlbj14]", "args: [!!binary ***]"),
            ("a: &a x # why", "a: &a x # why"),
            ("a: 1 # password: hunter2", "a: 1 ***"),
            ("a: \"pass\\x77ord: hunter2\"", "a: ***"),
            ("a: \"x\\x20y\"", "a: \"x\\x20y\""),
            ("config: {password: {name: hunter2}}", "config: {password: {name: ***}}"),
            ("config: {authEnabled: true, authMode: hunter2}", "config: {authEnabled: true, authMode: ***}"),
            ("config: {a: 'my_token_1=hunter2'}", "config: {a: ***}"),
            ("a: {b: 'my_token_1=x', authMode: x}", "a: {b: 'my_token_1=x', authMode: x}"),
            ("password: {x: [hunter2]}", "password: {x: [***]}"),
            ("password: {scheme: a, type: b, x: hunter2}", "password: {scheme: a, type: b, x: ***}"),
            ("env: [{nmae: DB_PASSWORD, value: hunter2}]", "env: [{nmae: DB_PASSWORD, value: ***}]"),
            ("env: [{name: 5, value: hunter2}]", "env: [{name: 5, value: ***}]"),
            ("env: [{name: A, x: hunter2}]", "env: [{name: A, x: hunter2}]"),
            ("a: [1, true, ~, .5]", "a: [1, true, ~, .5]"),
            ("password: [hunter2, {a: hunter2}]", "password: [***, {a: ***}]"),
            ("data: {a: b, 'hun ter': c}", "data: {a: b, ***: c}"),
            ("template: hunter2", "template: hunter2"),
            ("password: {x: {y: hunter2}}", "password: {x: {y: ***}}"),
            ("password: 123hunter2", "password: ***"),
            ("password: '>-2 hunter2'", "password: ***"),
            ("password: 12hunter2\n  13hunter2", "password: ***"),
            ("password: >2-\n    hunter2", "password: >2-"),
            ("env: [{x: y}]", "env: [{x: y}]"),
            ("a: &x hunter2\npassword: *x", "a: &x ***"),
            (
                "metadata: {annotations: {kubectl.kubernetes.io/last-applied-configuration: hunter2}}",
                "metadata: {annotations: {kubectl.kubernetes.io/last-applied-configuration: ***}}",
            ),
        ] {
            assert_eq!(redact_in_resource(line)[0], expected);
        }
    }

    #[test]
    fn recognizes_secrets_by_kind() {
        for kind in [
            "kind: Secret",
            "kind: \"Secre\\x74\"",
            "kind: &k Secret",
            "kind: !!str Secret",
            "kind: |-\n  Secret",
            "? kind\n: Secret",
            "x: &k Secret\nkind: *k",
            "<<: {kind: Secret}",
            "kind: secret",
            "kind: SecretList",
            "kind: Secret\nkind: ConfigMap",
            "\"kind\": Secret\n\"ki\\x6ed\": Probe",
            "\"k\\x69nd\": Secret",
        ] {
            for data in ["stringData", "data"] {
                let text = format!("{kind}\n{data}:\n  any: hunter1 # hunter2\n  # hunter3\ntype: hunter4\n");
                let redacted = redact_lines(&text).join("\n");
                assert!(!redacted.contains("hunter"), "{redacted}");
                assert!(redacted.contains("  any: ***"), "{redacted}");
            }
        }
    }

    #[test]
    fn redacts_secrets_in_lists_and_other_kinds() {
        for (text, expected) in [
            (
                "kind: List\nitems:\n- kind: Secret\n  data: {a: hunter2}\n- kind: Probe\n  a: b",
                "kind: List\nitems:\n- kind: Secret\n  data: {a: ***}\n- kind: Probe\n  a: b",
            ),
            ("kind: SecretList\nitems: [{data: {a: hunter2}}]", "kind: SecretList\nitems: [{data: {a: ***}}]"),
            (
                "{\"kind\":\"\\u0053ecret\",\"data\":{\"a\":\"hunter2\"}}",
                "{\"kind\":\"\\u0053ecret\",\"data\":{\"a\":***}}",
            ),
            (
                "kind: ExternalSecret\nspec:\n  data:\n  - secretKey: a\n  target: {template: {data: {a: hunter2}}}",
                "kind: ExternalSecret\nspec:\n  data:\n  - secretKey: ***\n  target: {template: {data: {a: ***}}}",
            ),
            ("kind: Secret\nx: {hunter1: hunter2}", "kind: Secret\nx: {***: ***}"),
            (
                "apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: b, labels: {c: hunter2, name: d}}\ndata: {e: f}",
                "apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: b, labels: {***: ***, name: ***}}\ndata: {e: ***}",
            ),
            (
                "apiVersion: [hunter2]\nkind: Secret\nmetadata: {name: {x: hunter2}}\ndata: hunter2\nhun ter: x",
                "apiVersion: [***]\nkind: Secret\nmetadata: {name: {***: ***}}\ndata: ***\n***: ***",
            ),
            ("kind: Secret\ndata: {a: hunter2, 'hun ter': hunter2}", "kind: Secret\ndata: {***: ***, ***: ***}"),
            ("kind: Foo\nstringData: {a: hunter2}", "kind: Foo\nstringData: {a: ***}"),
            ("kind: SealedSecret\nspec: {template: hunter2}", "kind: SealedSecret\nspec: {template: ***}"),
            (
                "kind: SealedSecret\nspec: {template: [{a: x, data: [hunter2]}], b: x}",
                "kind: SealedSecret\nspec: {template: [{a: x, data: [***]}], b: x}",
            ),
        ] {
            assert_eq!(redact_lines(text).join("\n"), expected);
        }
    }

    #[test]
    fn shows_only_the_structure_of_unparsed_text() {
        for (text, expected) in [
            (
                "kind: Probe\nmetadata: {name: x\nspec:\n  hunter1: hunter2\n  # hunter3\n",
                "kind: Probe\nmetadata: {name: ***\nspec:\n  ***\n  ***",
            ),
            ("kind: Probe\nspec:\n  url: \"hunter\n  name: hunter\n", "kind: Probe\nspec:\n  url: ***\n  name: ***"),
            ("kind: Probe\na: b\na: c\n", "kind: Probe\n***\na: c"),
            (
                "kind: Probe\na: b\n---\nkind: Probe\nkind: Secret\nx: hunter2\n---\nkind: Probe\nx: y\n",
                "kind: Probe\na: b\n---\nkind: Probe\nkind: ***\n***: ***\n---\nkind: Probe\nx: y",
            ),
            ("kind: Probe\na: b\n---\nkind: Probe\na: [\n", "kind: Probe\na: b\n---\nkind: Probe\n***"),
            // Names are shown in documents that are known to contain no Secret.
            (
                "apiVersion: g/v1\nkind: Probe\nmetadata:\n  name: a\nspec: [\n---\napiVersion: v1\nkind: Secret\nmetadata:\n  \
                 name: b\ndata: [\n---\napiVersion: g/v1\nkind: PodLogs\nmetadata:\n  name: c\n",
                "apiVersion: g/v1\nkind: Probe\nmetadata:\n  name: a\nspec: [\n---\napiVersion: v1\nkind: Secret\nmetadata:\n  \
                 name: ***\ndata: [\n---\napiVersion: g/v1\nkind: PodLogs\nmetadata:\n  name: c",
            ),
        ] {
            assert_eq!(redact_lines(text).join("\n"), expected);
        }
    }

    #[test]
    fn hides_values_in_other_file_formats() {
        for (text, expected) in [
            ("{\"auths\": {\"host\": {\"auth\": \"hunter2\"}}}", "{***: {\"host\": {\"auth\": ***}}}"),
            ("machine host login me password hunter2", "***"),
            ("|\n  hunter2", "|\n  ***"),
            (">-\n  hunter2\n  hunter3", ">-\n  ***\n  ***"),
            ("[default]\naws_secret_access_key = hunter2", "[***]\n***"),
        ] {
            assert_eq!(redact_lines(text).join("\n"), expected);
        }
    }

    #[test]
    fn hides_values_shared_with_secrets_by_alias() {
        let text = "kind: List\nitems:\n- kind: Probe\n  a: &x hunter2 # hunter3\n- kind: Secret\n  data: {a: *x}\n";
        let redacted = redact_lines(text).join("\n");
        assert!(!redacted.contains("hunter") && redacted.contains("\n  a: "), "{redacted}");
    }

    #[test]
    fn hides_long_gaps_between_scalars() {
        for (length, expected) in [(MAX_GAP, "# why"), (MAX_GAP + 1, "a: b***")] {
            let shown = redact_in_resource(&format!("a: b{}# why", " ".repeat(length - "# why".len())));
            assert!(shown[0].ends_with(expected), "{length}");
        }
    }

    #[test]
    fn hides_values_many_lines_after_their_key() {
        let text = format!("kind: Probe\npassword:\n{}  hunter2\nb: c\n", "\n".repeat(500));
        assert_eq!(redact_lines(&text), ["kind: Probe", "password:", "  ***", "b: c"]);
    }

    #[test]
    fn redacts_partial_lines_like_whole_lines() {
        let line = "{\"kind\": \"Secret\", \"data\": {\"a\": \"hunter2\", \"b\": \"hunter2\"}}";
        let id = testing::source_id();
        for text in [line.to_owned(), format!("{line}]"), format!("{{kind: Probe, a: {line}}}")] {
            let above = "kind: Probe\na: b\n---\n";
            let source = Source::new("x", format!("{above}{text}"), true);
            let mut views = SourceRedactions::default();
            let mut hidden = |asked| views.hidden_ranges(id, &source, &text, above.len(), asked);
            let hidden_ranges = hidden(0..text.len());
            for start in 0..text.len() {
                for end in start + 1..=text.len() {
                    let expected = hidden_ranges.iter().filter(|range| range.start < end && start < range.end);
                    let expected: Vec<_> = expected.cloned().collect();
                    assert_eq!(hidden(start..end), expected, "{start}..{end}");
                }
            }
        }
    }

    #[test]
    fn redacts_single_documents_like_whole_sources() {
        let document = |number: usize| match number % 3 {
            0 => "# hunter1\nkind: Secret\nstringData: {a: hunter2}\n# hunter3\n---\n",
            1 => "# of a probe\nkind: Probe\nurl: x\n# before a Secret?\n--- # which\n",
            _ => "kind: Probe\nx: |\n ---\n  y\n---- : z\n---\n",
        };
        for before in ["", "---\n", "# first\n"] {
            let text: String = (0..4 * GROUP_SIZE).map(document).collect();
            let text = format!("{before}{text}");
            let id = testing::source_id();
            let source = Source::new("x", &text, true);
            let whole = Redactions::new(id, &source, 0..text.len(), &mut SecretKeys::default());
            let mut views = SourceRedactions::default();
            for (start, line) in (1..).map_while(|number| source.line(number)) {
                let hidden = views.hidden_ranges(id, &source, line, start, 0..line.len());
                assert_eq!(hidden, whole.hidden_ranges(line, start, 0..line.len()), "{start}: {line}");
            }
            let Documents { starts, redactions } = &views.sources[&id];
            assert_eq!(redactions.len(), starts.len().div_ceil(GROUP_SIZE));
        }
    }
}

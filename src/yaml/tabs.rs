//! Fixes that replace indentation tabs with spaces.

use super::alias_budget::AliasBudget;
use super::diagnostics::is_tab;
use super::limits::Limits;
use super::reader::read_as;
use super::tree::TextKind;
use super::value::to_json;
use crate::diagnostic::{Diagnostic, Edit, Fix, apply_edits};
use crate::source::{SourceId, Span};

/// Common tab widths in editors. 0 means that a tab after spaces is superfluous.
const WIDTHS: [usize; 4] = [2, 4, 8, 0];

/// Maximum size of an input to fix, and maximum number of lines to fix. The input is read again for each fixed line.
const MAX_TEXT: usize = 1 << 18;
const MAX_LINES: usize = 100;

/// Adds fixes to the findings about indentation tabs in an input.
pub fn add_tab_fixes(
    source: SourceId,
    text: &str,
    limits: &Limits,
    aliases: &AliasBudget,
    findings: &mut [Diagnostic],
) {
    let mut tabs = findings.iter_mut().filter(|finding| is_tab(finding)).peekable();
    if tabs.peek().is_some() {
        let fix = spaces(source, text, limits, aliases);
        tabs.for_each(|finding| finding.fix.clone_from(&fix));
    }
}

/// Returns a fix that replaces tabs with spaces if the tab width does not affect the meaning. Tabs that the reader
/// accepts are kept, because they are part of values.
fn spaces(source: SourceId, text: &str, limits: &Limits, aliases: &AliasBudget) -> Option<Fix> {
    if text.len() > MAX_TEXT {
        return None;
    }
    let mut readings = WIDTHS.into_iter().filter_map(|width| expand_tabs(source, text, width, limits, aliases));
    let (edits, meaning) = readings.next()?;
    let is_clear = readings.all(|(_, other)| other == meaning);
    is_clear.then(|| Fix::certain("indent with spaces", edits))
}

/// Returns the edits for tabs of this width, and the resulting documents, or `None` if the documents cannot be parsed.
fn expand_tabs(
    source: SourceId,
    text: &str,
    width: usize,
    limits: &Limits,
    aliases: &AliasBudget,
) -> Option<(Vec<Edit>, Vec<serde_json::Value>)> {
    let mut edits: Vec<Edit> = Vec::new();
    for _ in 0..MAX_LINES {
        let current_text = apply_edits(text, &edits)?;
        let parsed = read_as(TextKind::Manifests, source, &current_text, limits, aliases, None);
        let Some(tab) = parsed.diagnostics.iter().find(|finding| is_tab(finding)) else {
            let is_valid = parsed.diagnostics.is_empty();
            return is_valid.then(|| (edits, parsed.output.iter().map(|document| to_json(document.root())).collect()));
        };
        let line = line_of_tab(&current_text, tab.primary()?.span.start as usize)?;
        let edit = indentation(source, text, line, width)?;
        if edits.contains(&edit) {
            return None;
        }
        edits.push(edit);
        edits.sort();
    }
    None
}

/// Returns the number of the line with the tab at `offset` or directly after it.
fn line_of_tab(text: &str, offset: usize) -> Option<usize> {
    let first_line = text.get(..offset)?.matches('\n').count();
    let lines = text.split('\n').enumerate().skip(first_line).take(2);
    let has_tab = |(_, line): &(usize, &str)| indent(line).contains('\t');
    lines.filter(has_tab).map(|(number, _)| number).next()
}

/// Returns the edit that indents a line with spaces.
fn indentation(source: SourceId, text: &str, number: usize, width: usize) -> Option<Edit> {
    let line = text.split('\n').nth(number)?;
    let start = text.split_inclusive('\n').take(number).map(str::len).sum();
    let indent = indent(line);
    let columns = indent.chars().fold(0, |column, c| match (c, width) {
        ('\t', 0) if indent.starts_with(' ') => column,
        ('\t', 0) => column + 2,
        ('\t', _) => (column / width + 1) * width,
        _ => column + 1,
    });
    let span = Span::new(source, start, start + indent.len());
    indent.contains('\t').then(|| Edit::replace(span, " ".repeat(columns)))
}

fn indent(line: &str) -> &str {
    let rest = line.trim_start_matches([' ', '\t']);
    line.get(..line.len() - rest.len()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    fn fix(id: SourceId, text: &str) -> Option<Fix> {
        let limits = Limits::default();
        spaces(id, text, &limits, &AliasBudget::new(&limits, 0))
    }

    #[test]
    fn replaces_tabs_if_their_width_does_not_matter() {
        let id = testing::source_id();
        for (text, expected) in [
            ("a:\n\tb: 1\n\tc:\n\t\td: 2 # x\ty\n", Some("a:\n  b: 1\n  c:\n    d: 2 # x\ty\n")),
            ("a:\n\tb:\n\t  c: 1\n", Some("a:\n  b:\n    c: 1\n")),
            ("a:\r\n\t- b\r\n", Some("a:\r\n  - b\r\n")),
            ("a: 1\n---\nb:\n\tc: 2\n", Some("a: 1\n---\nb:\n  c: 2\n")),
            ("a:\n\tb: |\n\t\tx\n", Some("a:\n  b: |\n    x\n")),
            ("a:\n  b: |\n    x\n    \ty\nc:\n\td: 1\n", Some("a:\n  b: |\n    x\n    \ty\nc:\n  d: 1\n")),
            // `c` is valid only as a sibling of `b`.
            ("a:\n  - b: 1\n\tc: 2\n", Some("a:\n  - b: 1\n    c: 2\n")),
            // `c` is valid as a sibling or a child of `b`.
            ("a:\n  b:\n\tc: 2\n", None),
            ("a:\n\tb: [\n", None),
            // `b` is valid as the parent of `c` if the tab is removed, and as its sibling if the tab is replaced with
            // two spaces.
            ("a:\n  \tb:\n    c: 2\n", None),
        ] {
            let fixed_text = fix(id, text).and_then(|fix| apply_edits(text, &fix.edits));
            assert_eq!(fixed_text.as_deref(), expected, "{text:?}");
        }
    }

    #[test]
    fn does_not_fix_large_inputs() {
        let id = testing::source_id();
        let is_mended = |text: &str| fix(id, text).is_some();
        let tab = "a:\n\tb: 1\n#";
        for (length, expected) in [(MAX_TEXT, true), (MAX_TEXT + 1, false)] {
            assert_eq!(is_mended(&format!("{tab}{}", "x".repeat(length - tab.len()))), expected);
        }
        for (lines, expected) in [(MAX_LINES - 1, true), (MAX_LINES, false)] {
            let lines = (0..lines).map(|number| format!("\tb{number}: 1\n"));
            assert_eq!(is_mended(&format!("a:\n{}", lines.collect::<String>())), expected);
        }
    }
}

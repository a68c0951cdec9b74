//! Diffs of files in an output directory or in the input.

use std::path::Path;

use serde_json::Value;

use super::change::ObjectChange;
use super::options::{DiffOptions, MAX_JOBS};
use super::state::read;
use super::unified::{DiffPart, Section, compare, unified_diff};
use crate::diagnostic::ObjectKey;
use crate::printable::Text;
use crate::secrecy::SourceRedactions;
use crate::source::{Source, SourceId, Sources};
use crate::yaml::{self, Limits};

/// Number of lines to show around a difference.
const CONTEXT_LINES: usize = 3;

/// Adds the unified diff of a file, with secret values masked. If only the notation differs, or if the existing file is
/// not a manifest and might contain secrets, adds a one-line explanation instead.
pub fn show_file(directory: &Path, path: &str, before: Option<&str>, after: Option<&str>, out: &mut Text) {
    let is_list = !path.contains('/');
    let (parts, sections) = if is_list {
        let mut parts = Vec::new();
        compare(&mut parts, before.unwrap_or_default(), after.unwrap_or_default());
        (parts, Vec::new())
    } else {
        match (before.map(read_state), after.map(read_state)) {
            (Some(None), _) | (_, Some(None)) => {
                return out.line(format!("{}: the existing file is not a manifest", directory.join(path).display()));
            }
            (before, after) => exact_parts(before.flatten(), after.flatten()),
        }
    };
    let path = directory.join(path).display().to_string();
    let [old_name, new_name] = [before, after].map(|side| if side.is_some() { path.as_str() } else { "/dev/null" });
    match unified_diff(&parts, &sections, (old_name, new_name), CONTEXT_LINES) {
        shown if shown.is_empty() => out.line(format!("{path}: only the formatting differs")),
        shown => shown.iter().for_each(|line| line.show(out)),
    }
}

/// Key and contents of the only object in a file.
type FileState = (ObjectKey, Value);

fn read_state(text: &str) -> Option<FileState> {
    let id = Sources::default().add(Source::new("", "", false));
    let documents = yaml::read(id, text, &Limits::default());
    let mut diagnostics = documents.diagnostics;
    let mut states = read(&documents.output, "", &mut diagnostics).into_iter();
    let state = states.next().filter(|_| diagnostics.is_empty())?;
    let json = state.manifest.to_json();
    states.next().is_none().then_some((state.key, json))
}

/// Compares two states of a file, including fields that the API server ignores.
fn exact_parts(before: Option<FileState>, after: Option<FileState>) -> (Vec<DiffPart>, Vec<Section>) {
    let options = DiffOptions { context: Some(CONTEXT_LINES), jobs: Some(MAX_JOBS), ..DiffOptions::default() };
    let key = after.as_ref().or(before.as_ref()).map(|(key, _)| key.clone());
    let [before, after] = [before, after].map(|state| state.map(|(_, json)| json));
    let change = key.and_then(|key| ObjectChange::compare(key, before, after, None, options));
    change.map_or_else(Default::default, |change| (change.parts, change.sections))
}

/// Adds the unified diff between a source and its new contents, with secret values masked.
pub fn show_source(id: SourceId, before: &Source, after: &Source, out: &mut Text) {
    let mut parts = Vec::new();
    compare(&mut parts, &mask_source(id, before), &mask_source(id, after));
    match unified_diff(&parts, &[], (&before.name, &before.name), CONTEXT_LINES) {
        shown if shown.is_empty() => out.line(format!("{}: only values that are not shown differ", before.name)),
        shown => shown.iter().for_each(|line| line.show(out)),
    }
}

/// Returns a source's text with secrets masked.
fn mask_source(id: SourceId, source: &Source) -> String {
    let mut views = SourceRedactions::default();
    let mut out = String::with_capacity(source.text.len());
    let mut start = 0;
    for line_with_break in source.text.split_inclusive('\n') {
        let line = line_with_break.trim_end_matches(['\n', '\r']);
        let mut at = 0;
        for hidden in views.hidden_ranges(id, source, line, start, 0..line.len()) {
            out.push_str(line.get(at..hidden.start).unwrap_or_default());
            out.push_str("***");
            at = hidden.end;
        }
        out.push_str(line_with_break.get(at..).unwrap_or_default());
        start += line_with_break.len();
    }
    out
}

//! Two versions of a text of the input.

use super::unified::{compare, unified};
use crate::printable::Text;
use crate::secrecy::SourceRedactions;
use crate::source::{Source, SourceId};

/// Number of lines shown around a difference.
const CONTEXT: usize = 3;

/// Adds the unified diff of a source and what it is to become; secret values are masked.
pub fn show_source(id: SourceId, before: &Source, after: &Source, out: &mut Text) {
    let mut parts = Vec::new();
    compare(&mut parts, &masked(id, before), &masked(id, after));
    let lines = unified(&parts, (&before.name, &before.name), CONTEXT);
    lines.iter().for_each(|line| line.show(out));
}

/// A text without what may not be shown.
fn masked(id: SourceId, source: &Source) -> String {
    let mut views = SourceRedactions::default();
    let mut out = String::with_capacity(source.text.len());
    let mut start = 0;
    for whole in source.text.split_inclusive('\n') {
        let line = whole.trim_end_matches(['\n', '\r']);
        let mut at = 0;
        for hidden in views.hidden(id, source, line, start, 0..line.len()) {
            out.push_str(line.get(at..hidden.start).unwrap_or_default());
            out.push_str("***");
            at = hidden.end;
        }
        out.push_str(whole.get(at..).unwrap_or_default());
        start += whole.len();
    }
    out
}

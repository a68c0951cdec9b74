//! The other places of a finding, for the formats that show one line of it.

use super::Diagnostic;
use crate::source::Sources;

/// How many are named.
const MOST: usize = 3;

/// What stands at the other places, and where: `first here: a.yaml:3:9`. Nothing where the finding has one place, or its message
/// says all that there is to say of the others.
pub(super) fn elsewhere(diagnostic: &Diagnostic, sources: &Sources) -> Option<String> {
    let others = diagnostic.labels.iter().skip(1).filter(|label| !label.text.is_empty());
    let texts = others.filter_map(|label| {
        let place = sources.place(label.span)?;
        let (line, column) = (place.start.line, place.start.column);
        Some(format!("{}: {}:{line}:{column}", label.text, place.file))
    });
    let texts: Vec<_> = texts.take(MOST).collect();
    (!texts.is_empty()).then(|| texts.join("; "))
}

/// What to do, and what stands elsewhere.
pub(super) fn help_and_elsewhere(diagnostic: &Diagnostic, sources: &Sources) -> Option<String> {
    let parts = [diagnostic.help.clone(), elsewhere(diagnostic, sources)];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

//! Findings about what Flux and Argo CD cannot deploy.

use std::collections::HashMap;

use super::cluster::Mistake;
use crate::diagnostic::Diagnostic;
use crate::source::{SourceId, Sources, Span};
use crate::yaml::{Limits, read};

/// Sources of objects, by `KIND/NAMESPACE/NAME`, each with the offset of its document.
pub(super) type Places = HashMap<String, (SourceId, usize)>;

/// Returns the finding for a mistake, at the field of its object if that is known.
pub(super) fn mistake(mistake: &Mistake, places: &Places, sources: &Sources) -> Diagnostic {
    let found = Diagnostic::new(mistake.code, format!("{}: {}", mistake.object, mistake.reason));
    match place(mistake, places, sources) {
        Some(span) => found.label(span, ""),
        None => found,
    }
}

fn place(mistake: &Mistake, places: &Places, sources: &Sources) -> Option<Span> {
    let (id, start) = *places.get(&mistake.object)?;
    let documents = read(id, &sources.get(id)?.text, &Limits::default()).output;
    let document = documents.iter().find(|document| document.root().span().start as usize >= start)?;
    let mut at = document.root();
    let mut span = at.entries().next().map_or(at.span(), |entry| entry.key_span);
    for key in mistake.field.split('.').filter(|key| !key.is_empty()) {
        let Some(entry) = at.entry(key) else { break };
        (at, span) = (entry.value, entry.key_span);
        if at.as_str().is_some() {
            span = at.span();
        }
    }
    Some(span)
}

//! Findings about what Flux and Argo CD cannot deploy.

use std::collections::HashMap;

use super::cluster::{Cluster, Mistake};
use super::merge::is_read;
use super::object::identity;
use super::skipped::counts;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{SourceId, Sources, Span};
use crate::yaml::{Limits, read};

/// Sources of objects, by `KIND/NAMESPACE/NAME`, each with the offset of its document.
pub(super) type Places = HashMap<String, (SourceId, usize)>;

/// Returns the finding for a mistake, at the field of its object if that is known.
pub(super) fn mistake(mistake: &Mistake, places: &Places, sources: &Sources) -> Diagnostic {
    let found = Diagnostic::new(mistake.code, format!("{}: {}", mistake.object, mistake.reason));
    match place(&mistake.object, mistake.field.split('.'), places, sources) {
        Some(span) => found.label(span, ""),
        None => found,
    }
}

/// Maximum number of places in the finding about what is not read.
const MAX_PLACES: usize = 100;

/// Returns the finding about what is not read, or `None` if everything is.
pub(super) fn unread(cluster: &Cluster, places: &Places, sources: &Sources) -> Option<Diagnostic> {
    let counts = counts(&cluster.skipped);
    let found =
        Diagnostic::new(Code::GitopsUnread, format!("`{}` leads to what is not read: {counts}", cluster.shown_entry()));
    let unread = cluster.skipped.iter().filter(|skipped| skipped.is_unread()).take(MAX_PLACES);
    let placed = unread.filter_map(|skipped| Some((place(&skipped.object, ["spec"], places, sources)?, skipped)));
    let found = placed.fold(found, |found, (span, skipped)| found.label(span, skipped.to_string()));
    (!counts.is_empty()).then_some(found)
}

/// Returns findings for strings that became other types in objects that no later stage reads. In the others, their types
/// are checked.
pub(super) fn retyped(cluster: &Cluster, places: &Places, sources: &Sources) -> Vec<Diagnostic> {
    let built = cluster.objects.iter().filter_map(|merged| {
        let built = cluster.roots.get(merged.root)?.build.objects.get(merged.index)?;
        (!is_read(&built.object)).then(|| (identity(&built.object).to_string(), built))
    });
    let fields = built.flat_map(|(object, built)| built.retyped.iter().map(move |path| (object.clone(), path)));
    fields
        .map(|(object, path)| {
            let message = format!("`{}` of {object} is not a string after variables are replaced", shown(path));
            let found = Diagnostic::new(Code::GitopsRetyped, message)
                .help("keep the quotes with a variable that contains one: `${quote}${port}${quote}`");
            match place(&object, path.iter().map(String::as_str), places, sources) {
                Some(span) => found.label(span, ""),
                None => found,
            }
        })
        .collect()
}

/// Returns a path such as `containers[0].name`.
fn shown(path: &[String]) -> String {
    let mut shown = String::new();
    for key in path {
        match key.parse::<usize>() {
            Ok(index) => shown.push_str(&format!("[{index}]")),
            Err(_) if shown.is_empty() => shown.push_str(key),
            Err(_) => shown.push_str(&format!(".{key}")),
        }
    }
    shown
}

/// Returns the span of a field, or of its nearest parent that exists.
fn place<'k>(
    object: &str,
    field: impl IntoIterator<Item = &'k str>,
    places: &Places,
    sources: &Sources,
) -> Option<Span> {
    let (id, start) = *places.get(object)?;
    let documents = read(id, &sources.get(id)?.text, &Limits::default()).output;
    let document = documents.iter().find(|document| document.root().span().start as usize >= start)?;
    let mut at = document.root();
    let mut span = at.entries().next().map_or(at.span(), |entry| entry.key_span);
    for key in field.into_iter().filter(|key| !key.is_empty()) {
        if let Some(item) = key.parse().ok().and_then(|index| at.items().nth(index)) {
            (at, span) = (item, item.span());
            continue;
        }
        let Some(entry) = at.entry(key) else { break };
        (at, span) = (entry.value, entry.key_span);
        if !at.is_mapping() && at.items().len() == 0 {
            span = at.span();
        }
    }
    Some(span)
}

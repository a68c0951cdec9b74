//! `config.alloy` in chunks: a component goes up to the next one.

use std::collections::BTreeSet;

use super::chunk::{Chunk, Content, Kind};
use crate::output::alloy::ADDITIONAL;
use crate::secrecy::is_name_of_monitor;

/// What a comment begins with.
const COMMENT: &str = "//";

/// The chunks of a configuration. Where a text of several lines looks like the start of a component, nothing is lost: parts of a
/// component are compared as components are.
pub(super) fn chunks<'t>(text: &'t str, mut masked: Option<&'t str>) -> Vec<Chunk<'t>> {
    let mut starts = vec![(0, Kind::Outline)];
    // A comment belongs to the component below it.
    let (mut comment, mut end) = (None, 0);
    for line in text.split_inclusive('\n') {
        if line.starts_with(|c: char| c.is_ascii_alphabetic()) && line.trim_end().ends_with('{') {
            starts.push((comment.unwrap_or(end), Kind::Job));
        }
        comment = line.starts_with(COMMENT).then_some(end);
        end += line.len();
    }
    let ends = starts.iter().skip(1).map(|(start, _)| *start).chain([end]);
    let parts = starts.iter().zip(ends);
    let parts: Vec<_> = parts
        .filter_map(|(&(start, kind), end)| Some((kind, text.get(start..end)?)))
        .collect();
    let hidden = if masked.is_none() {
        hidden(&parts)
    } else {
        BTreeSet::new()
    };
    let parts = parts.into_iter().filter(|(_, part)| !part.is_empty());
    let chunk = |(kind, part): (Kind, &'t str)| {
        let mut own = None;
        if let Some(all) = masked {
            let lines = all.split_inclusive('\n').take(part.lines().count());
            let (first, rest) = all.split_at_checked(lines.map(str::len).sum())?;
            (own, masked) = (Some(first), Some(rest));
        }
        let is_secret = own.map_or_else(|| hidden.contains(head(part)), |own| head(own) != head(part));
        Some(Chunk {
            kind,
            name: ("".into(), head(part).into()),
            is_secret,
            content: Content::Alloy(part, own),
        })
    };
    parts.filter_map(chunk).collect()
}

/// The first line of a component that is not a comment: its kind and label.
fn head(component: &str) -> &str {
    let mut lines = component.lines().filter(|line| !line.starts_with(COMMENT));
    lines.next().unwrap_or_default()
}

/// The kind and the label of a component with this head.
fn names(head: &str) -> (&str, &str) {
    let mut parts = head.split('"');
    (
        parts.next().unwrap_or_default().trim_end(),
        parts.next().unwrap_or_default(),
    )
}

/// The heads of components that were made of an additional scrape job, all of which is secret: those below the comment that says
/// so, those of a job without the name of a monitor's, and the discoveries that only they read.
fn hidden<'t>(components: &[(Kind, &'t str)]) -> BTreeSet<&'t str> {
    let (mut is_additional, mut hidden, mut labels) = (false, BTreeSet::new(), BTreeSet::new());
    for (_, text) in components {
        if let Some(comment) = text.lines().next().filter(|line| line.starts_with(COMMENT)) {
            is_additional = comment.ends_with(ADDITIONAL);
        }
        let mut lines = text.lines().map(str::trim_start);
        let job_name = lines.find_map(|line| line.strip_prefix("job_name")?.split('"').nth(1));
        if is_additional || job_name.is_some_and(|name| !is_name_of_monitor(name)) {
            hidden.insert(head(text));
            labels.insert(names(head(text)).1);
        }
    }
    if hidden.is_empty() {
        return hidden;
    }
    let heads = || components.iter().map(|(_, text)| head(text));
    hidden.extend(heads().filter(|head| {
        let (kind, label) = names(head);
        kind.ends_with(".relabel") && labels.contains(label)
    }));
    let is_read = |head: &str, by_hidden: bool| {
        let (kind, label) = names(head);
        let export = format!("{kind}.{label}.");
        let mut readers = components
            .iter()
            .filter(|(_, text)| hidden.contains(self::head(text)) == by_hidden);
        readers.any(|(_, text)| text.contains(&export))
    };
    let discoveries = heads().filter(|head| head.starts_with("discovery."));
    let of_hidden: Vec<_> = discoveries
        .filter(|head| is_read(head, true) && !is_read(head, false))
        .collect();
    hidden.extend(of_hidden);
    hidden
}

//! Division of `config.alloy` into components.

use std::collections::BTreeSet;

use super::chunk::{Chunk, ChunkContent, ChunkKind};
use crate::output::alloy::ADDITIONAL;
use crate::secrecy::is_monitor_job_name;
use crate::source::line_count;

/// Marker at the start of a comment.
const COMMENT: &str = "//";

/// Divides a configuration into components. A line in a multi-line string may look like the start of a component. The
/// parts of a component that is divided there are compared like separate components, so nothing is lost.
pub(super) fn chunks<'t>(text: &'t str, mut masked: Option<&'t str>) -> Vec<Chunk<'t>> {
    let mut starts = vec![(0, ChunkKind::Outline)];
    // A comment belongs to the component below it.
    let (mut comment, mut end) = (None, 0);
    for line in text.split_inclusive('\n') {
        if line.starts_with(|c: char| c.is_ascii_alphabetic()) && line.trim_end().ends_with('{') {
            starts.push((comment.unwrap_or(end), ChunkKind::Job));
        }
        comment = line.starts_with(COMMENT).then_some(end);
        end += line.len();
    }
    let ends = starts.iter().skip(1).map(|(start, _)| *start).chain([end]);
    let parts = starts.iter().zip(ends);
    let parts: Vec<_> = parts.filter_map(|(&(start, kind), end)| Some((kind, text.get(start..end)?))).collect();
    let hidden_components = if masked.is_none() { secret_components(&parts) } else { BTreeSet::new() };
    let parts = parts.into_iter().filter(|(_, part)| !part.is_empty());
    let chunk = |(kind, part): (ChunkKind, &'t str)| {
        let mut own_masked = None;
        if let Some(masked_rest) = masked {
            let lines = masked_rest.split_inclusive('\n').take(line_count(part));
            let (first, rest) = masked_rest.split_at_checked(lines.map(str::len).sum())?;
            (own_masked, masked) = (Some(first), Some(rest));
        }
        let is_secret = own_masked.map_or_else(
            || hidden_components.contains(component_header(part)),
            |own| component_header(own) != component_header(part),
        );
        Some(Chunk {
            kind,
            name: ("".into(), component_header(part).into()),
            is_secret,
            content: ChunkContent::Alloy(part, own_masked),
        })
    };
    parts.filter_map(chunk).collect()
}

/// Returns a component's first line that is not a comment. The line contains the component's kind and label.
fn component_header(component: &str) -> &str {
    let mut lines = component.lines().filter(|line| !line.starts_with(COMMENT));
    lines.next().unwrap_or_default()
}

/// Returns the kind and the label from the first line of a component.
fn component_names(head: &str) -> (&str, &str) {
    let mut parts = head.split('"');
    (parts.next().unwrap_or_default().trim_end(), parts.next().unwrap_or_default())
}

/// Returns the first lines of the components generated from additional scrape jobs, which are entirely secret. These
/// are the components below a comment about additional scrape jobs, the components for jobs that are not named after a
/// monitor, and the discovery components that only these components refer to.
fn secret_components<'t>(components: &[(ChunkKind, &'t str)]) -> BTreeSet<&'t str> {
    let (mut is_additional, mut hidden_components, mut labels) = (false, BTreeSet::new(), BTreeSet::new());
    for (_, text) in components {
        if let Some(comment) = text.lines().next().filter(|line| line.starts_with(COMMENT)) {
            is_additional = comment.ends_with(ADDITIONAL);
        }
        let mut lines = text.lines().map(str::trim_start);
        let job_name = lines.find_map(|line| line.strip_prefix("job_name")?.split('"').nth(1));
        if is_additional || job_name.is_some_and(|name| !is_monitor_job_name(name)) {
            hidden_components.insert(component_header(text));
            labels.insert(component_names(component_header(text)).1);
        }
    }
    if hidden_components.is_empty() {
        return hidden_components;
    }
    let headers = || components.iter().map(|(_, text)| component_header(text));
    hidden_components.extend(headers().filter(|head| {
        let (kind, label) = component_names(head);
        kind.ends_with(".relabel") && labels.contains(label)
    }));
    let is_read = |head: &str, by_hidden: bool| {
        let (kind, label) = component_names(head);
        let export = format!("{kind}.{label}.");
        let mut readers =
            components.iter().filter(|(_, text)| hidden_components.contains(self::component_header(text)) == by_hidden);
        readers.any(|(_, text)| text.contains(&export))
    };
    let discoveries = headers().filter(|head| head.starts_with("discovery."));
    let hidden_labels: Vec<_> = discoveries.filter(|head| is_read(head, true) && !is_read(head, false)).collect();
    hidden_components.extend(hidden_labels);
    hidden_components
}

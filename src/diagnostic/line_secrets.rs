//! What is secret in the lines of sources, judged by the text alone.

use std::ops::Range;

use super::pairs::{Pair, first_key, is_doubtful, is_map_of_secrets, pairs};
use super::sensitive::{PRIVATE_KEY, is_secret_key, secrets_of_urls};
use crate::source::Source;

/// How many lines above one are looked at for what it belongs to.
const ABOVE: u32 = 100;

/// The bytes of a line that are not to be shown, in order, without overlap.
pub(super) fn secrets(source: &Source, number: u32, line: &str) -> Vec<Range<usize>> {
    let pairs = pairs(line);
    if is_part_of_a_secret(source, number, line, &pairs) {
        return std::iter::once(indent(line)..line.len()).collect();
    }
    let is_named = pairs.iter().any(|pair| pair.key == "value") && is_named_as_a_secret(source, number);
    let found = pairs.iter().filter(|pair| match pair.key {
        "value" => is_named,
        key => is_secret_key(key) && !pair.is_nested(key),
    });
    let mut found: Vec<_> = found
        .map(|pair| pair.value.clone())
        .chain(secrets_of_urls(line))
        .collect();
    found.sort_by_key(|range| (range.start, range.end));
    found
}

/// Whether a name in a line, or in one next to it, is that of a secret.
fn is_named_as_a_secret(source: &Source, number: u32) -> bool {
    let lines = [Some(number), number.checked_sub(1), number.checked_add(1)];
    let mut lines = lines.into_iter().flatten().filter_map(|number| source.line(number));
    lines.any(|(_, line)| {
        let mut names = pairs(line).into_iter().filter(|pair| pair.key == "name");
        names.any(|pair| is_secret_key(pair.text) || is_doubtful(line, pair.value.start))
    })
}

/// Whether a line goes on with a secret that begins above it. One without a key goes on with what stands in front of it even
/// where somebody forgot to indent it.
fn is_part_of_a_secret(source: &Source, number: u32, line: &str, found: &[Pair<'_>]) -> bool {
    let above = (number.saturating_sub(ABOVE)..number).rev();
    let above: Vec<_> = above.filter_map(|number| Some(source.line(number)?.1)).collect();
    let key = above
        .iter()
        .find(|line| line.contains("-----BEGIN") || line.contains("-----END"));
    if key.is_some_and(|line| line.contains("-----BEGIN") && line.contains(PRIVATE_KEY)) {
        return true;
    }
    let mut below = Place::of(line);
    let mut is_direct = found.is_empty();
    for parent in above.into_iter().filter(|line| !line.trim().is_empty()) {
        let place = Place::of(parent);
        let is_forgotten = is_direct && place.key == below.item && first_key(parent).is_some();
        let is_list_of = place.key == below.item && below.is_item && !place.is_item;
        if place.key >= below.item && !is_list_of && !is_forgotten {
            below.item = below.item.min(place.item);
            continue;
        }
        if let Some((key, rest)) = first_key(parent) {
            let is_text = rest.starts_with(['|', '>']);
            if is_secret_key(key) && (is_text || is_direct || is_map_of_secrets(key)) {
                return true;
            }
            is_direct = false;
        }
        below = place;
    }
    false
}

/// Where a line begins.
struct Place {
    /// Its indentation.
    item: usize,
    /// That of its key, behind the dash of an item.
    key: usize,
    is_item: bool,
}

impl Place {
    fn of(line: &str) -> Self {
        let item = indent(line);
        let text = line.get(item..).unwrap_or_default();
        let key = line.len() - text.trim_start_matches(['-', ' ']).len();
        let is_item = text.starts_with("- ");
        Self {
            item,
            key: if is_item { key } else { item },
            is_item,
        }
    }
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

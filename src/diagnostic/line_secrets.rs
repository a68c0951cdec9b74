//! What is secret in the lines of sources, judged by the text alone.

use std::collections::HashMap;
use std::ops::Range;

use super::pairs::{Pair, first_key, is_doubtful, is_map_of_secrets, pairs};
use super::sensitive::{PRIVATE_KEY, is_secret_key, secrets_of_urls};
use crate::source::{Source, SourceId};

/// How many lines above one are looked at for what it belongs to.
const ABOVE: u32 = 100;

/// What is secret in the lines that were asked about. Each line is judged once, however many labels stand in it.
#[derive(Debug, Default)]
pub(super) struct LineSecrets {
    found: HashMap<(SourceId, u32), Vec<Range<usize>>>,
    outlines: HashMap<(SourceId, u32), Outline>,
}

impl LineSecrets {
    /// The bytes of a line that are not to be shown, in order, without overlap.
    pub(super) fn of(&mut self, id: SourceId, source: &Source, number: u32, line: &str) -> &[Range<usize>] {
        let Self { found, outlines } = self;
        found.entry((id, number)).or_insert_with(|| {
            let pairs = pairs(line);
            let above = (number.saturating_sub(ABOVE).max(1)..number).rev();
            for number in above.clone() {
                let outline = || {
                    source
                        .line(number)
                        .map(|(_, line)| Outline::of(line))
                        .unwrap_or_default()
                };
                outlines.entry((id, number)).or_insert_with(outline);
            }
            let above: Vec<_> = above.filter_map(|number| outlines.get(&(id, number))).collect();
            if is_part_of_a_secret(line, &pairs, &above) {
                return std::iter::once(indent(line)..line.len()).collect();
            }
            disjoint(secrets(source, number, line, &pairs))
        })
    }
}

/// In order, what is in several once.
fn disjoint(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| (range.start, range.end));
    let mut end = 0;
    ranges.retain_mut(|range| {
        range.start = range.start.max(end);
        end = end.max(range.end);
        range.start < range.end
    });
    ranges
}

/// What is secret in a line that belongs to nothing above it.
fn secrets(source: &Source, number: u32, line: &str, pairs: &[Pair<'_>]) -> Vec<Range<usize>> {
    let is_named = pairs.iter().any(|pair| pair.key == "value") && is_named_as_a_secret(source, number);
    let found = pairs.iter().filter(|pair| match pair.key {
        "value" => is_named,
        key => is_secret_key(key) && !pair.is_nested(key),
    });
    found
        .map(|pair| pair.value.clone())
        .chain(secrets_of_urls(line))
        .collect()
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
fn is_part_of_a_secret(line: &str, found: &[Pair<'_>], above: &[&Outline]) -> bool {
    let key = above.iter().find_map(|outline| outline.private_key);
    if key == Some(true) {
        return true;
    }
    let mut below = Place::of(line);
    let mut is_direct = found.is_empty();
    for Outline { place, key, .. } in above.iter().filter(|outline| !outline.is_blank) {
        let is_forgotten = is_direct && place.key == below.item && key.is_some();
        let is_list_of = place.key == below.item && below.is_item && !place.is_item;
        if place.key >= below.item && !is_list_of && !is_forgotten {
            below.item = below.item.min(place.item);
            continue;
        }
        if let Some(key) = key {
            if key.is_secret && (key.is_of_all_below || is_direct) {
                return true;
            }
            is_direct = false;
        }
        below = *place;
    }
    false
}

/// What matters of a line to those below it.
#[derive(Debug, Default)]
struct Outline {
    is_blank: bool,
    place: Place,
    key: Option<FirstKey>,
    /// Whether a private key begins here, where any armoured text begins or ends.
    private_key: Option<bool>,
}

impl Outline {
    fn of(line: &str) -> Self {
        let begins = line.contains("-----BEGIN");
        let is_marker = begins || line.contains("-----END");
        Self {
            is_blank: line.trim().is_empty(),
            place: Place::of(line),
            key: first_key(line).map(|(key, rest)| FirstKey {
                is_secret: is_secret_key(key),
                is_of_all_below: rest.starts_with(['|', '>']) || is_map_of_secrets(key),
            }),
            private_key: is_marker.then(|| begins && line.contains(PRIVATE_KEY)),
        }
    }
}

/// The first key of a line.
#[derive(Debug)]
struct FirstKey {
    is_secret: bool,
    /// Whether what is below is of its value whatever keys are in it.
    is_of_all_below: bool,
}

/// Where a line begins.
#[derive(Clone, Copy, Debug, Default)]
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

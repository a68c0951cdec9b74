//! Suggestions for misspelled names ("did you mean").

use std::borrow::Cow;

use super::opposites::are_opposite;

/// Returns the candidate closest to `name`, or the first one if several are equally close. It must differ from `name`
/// only in case or by a few typos, and must not have the opposite meaning.
pub fn closest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let name = ComparedName::new(name);
    candidates
        .into_iter()
        .filter(|candidate| name.has_length_of(candidate))
        .filter_map(|candidate| Some((name.edit_distance(&ComparedName::new(candidate))?, candidate)))
        .filter(|(edit_distance, candidate)| *edit_distance == 0 || !are_opposite(name.written, candidate))
        .min_by_key(|&(edit_distance, _)| edit_distance)
        .map(|(_, candidate)| candidate)
}

/// Returns the candidate that is certainly intended: it differs from `name` only in case, `_` and `-`, or by one typo
/// (two if the name is long), and no other candidate is equally close.
pub fn clear_suggestion<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let max_distance = match name.len() {
        0..4 => 0,
        4..8 => 1,
        _ => 2,
    };
    let joined_name = name.replace(['_', '-'], "");
    let [written, plain] = [name, &*joined_name].map(ComparedName::new);
    let mut best: Option<(usize, &str)> = None;
    let mut rival = usize::MAX;
    for candidate in candidates {
        let other = ComparedName::new(candidate);
        let edit_distance = match plain.edit_distance(&other) {
            Some(0) => Some(0),
            _ => written.edit_distance(&other),
        };
        match (edit_distance, best) {
            (None, _) => {}
            (Some(edit_distance), Some((least, first))) if first.eq_ignore_ascii_case(candidate) => {
                let is_alike =
                    |text: &str| text.starts_with(char::is_uppercase) == name.starts_with(char::is_uppercase);
                let first = if is_alike(candidate) { candidate } else { first };
                best = Some((edit_distance.min(least), first));
            }
            (Some(edit_distance), Some((least, _))) if edit_distance >= least => rival = rival.min(edit_distance),
            (Some(edit_distance), before) => {
                rival = before.map_or(rival, |(least, _)| rival.min(least));
                best = Some((edit_distance, candidate));
            }
        }
    }
    best.filter(|&(edit_distance, meant)| {
        edit_distance <= max_distance && edit_distance < rival && (edit_distance == 0 || !are_opposite(name, meant))
    })
    .map(|(_, meant)| meant)
}

/// A name prepared for comparison with thousands of others.
pub struct ComparedName<'n> {
    written: &'n str,
    lower: Cow<'n, str>,
    characters: u64,
}

impl<'n> ComparedName<'n> {
    /// Prepares a name for comparison.
    pub fn new(written: &'n str) -> Self {
        let lower = lowercase(written);
        Self { written, characters: characters(&lower), lower }
    }

    /// Whether the candidate's length is close enough.
    fn has_length_of(&self, candidate: &str) -> bool {
        candidate.len().abs_diff(self.lower.len()) <= tolerance(&self.lower)
    }

    /// Returns the edit distance to a candidate, or `None` if it is too large.
    pub fn edit_distance(&self, candidate: &Self) -> Option<usize> {
        let max_distance = tolerance(&self.lower).min(tolerance(candidate.written));
        let is_possible = self.has_length_of(candidate.written)
            && missing_characters(self.characters, candidate.characters) <= max_distance;
        is_possible.then(|| edit_distance(&self.lower, &candidate.lower, max_distance)).flatten()
    }
}

/// Whether two names differ by only one typo, even if they are short.
pub fn is_one_typo_away(name: &str, other: &str) -> bool {
    name.len() > 1 && edit_distance(&lowercase(name), &lowercase(other), 1).is_some() && !are_opposite(name, other)
}

/// Returns help that suggests the closest candidate, or `None` if none is close.
pub fn did_you_mean<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<String> {
    closest(name, candidates).map(|meant| format!("did you mean `{meant}`?"))
}

/// Returns help for a name that must be one of `known`. It suggests the closest name, or lists all names if none is
/// close.
pub fn one_of(name: &str, known: &[&str]) -> String {
    did_you_mean(name, known.iter().copied()).unwrap_or_else(|| format!("use one of: `{}`", known.join("`, `")))
}

/// Returns the number of typos allowed in a name: one for every three letters.
fn tolerance(name: &str) -> usize {
    name.len() / 3
}

fn lowercase(name: &str) -> Cow<'_, str> {
    let is_lower = name.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
    if is_lower { Cow::Borrowed(name) } else { Cow::Owned(name.to_lowercase()) }
}

/// Returns the edit distance, or `None` if it exceeds `max_distance`. Common prefixes and suffixes are skipped, because
/// names are often similar.
fn edit_distance(a: &str, b: &str, max_distance: usize) -> Option<usize> {
    let mut start = common_prefix(a.bytes().zip(b.bytes()));
    while !a.is_char_boundary(start) {
        start -= 1;
    }
    let (a, b) = (a.get(start..).unwrap_or(a), b.get(start..).unwrap_or(b));
    let mut end = common_prefix(a.bytes().rev().zip(b.bytes().rev()));
    while !a.is_char_boundary(a.len() - end) {
        end -= 1;
    }
    let without_suffix = |text: &'_ str| text.len() - end;
    let (a, b) = (a.get(..without_suffix(a)).unwrap_or(a), b.get(..without_suffix(b)).unwrap_or(b));
    let edit_distance = match (a, b) {
        ("", rest) | (rest, "") => rest.chars().count(),
        (a, b) if edit_distance_lower_bound(a, b) > max_distance => return None,
        (a, b) => strsim::osa_distance(a, b),
    };
    Some(edit_distance).filter(|edit_distance| *edit_distance <= max_distance)
}

/// Returns a lower bound for the edit distance between two strings that start and end differently.
fn edit_distance_lower_bound(a: &str, b: &str) -> usize {
    let count = |text: &str| text.chars().take(3).count();
    // A single edit replaces one letter or swaps two.
    let is_single = match (count(a), count(b)) {
        (1, 1) => true,
        (2, 2) => a.chars().rev().eq(b.chars()),
        _ => false,
    };
    let minimum = if is_single { 1 } else { 2 };
    minimum.max(missing_characters(characters(a), characters(b)))
}

/// Returns a bit set of the characters in a string. A second bit marks repeated characters. Several characters may
/// share a bit.
fn characters(text: &str) -> u64 {
    text.chars().fold(0, |there, c| {
        let bit = 1_u64 << (u32::from(c) % 32);
        there | bit | ((there & bit) << 32)
    })
}

/// Returns a lower bound for the edit distance between strings with these characters. An edit removes at most one
/// character and adds at most one.
fn missing_characters(a: u64, b: u64) -> usize {
    (a & !b).count_ones().max((b & !a).count_ones()) as usize
}

/// Returns the length of the common prefix in bytes.
fn common_prefix(pairs: impl Iterator<Item = (u8, u8)>) -> usize {
    pairs.take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_names_only_for_typos() {
        let fields = ["interval", "port", "path", "scrapeTimeout", "tlsConfig"];
        for (name, expected) in [
            ("intervall", Some("interval")),
            ("prot", Some("port")),
            ("scrape_timeout", Some("scrapeTimeout")),
            ("TLSConfig", Some("tlsConfig")),
            ("relabelings", None),
            ("p", None),
            ("", None),
        ] {
            assert_eq!(closest(name, fields), expected, "{name}");
        }
    }

    #[test]
    fn never_suggests_opposites() {
        for (name, candidates, expected) in [
            ("labelKeep", &["labelDrop", "labels"][..], None),
            ("excludeName", &["includeName"], None),
            ("excludeName", &["includeName", "excludeNames"], Some("excludeNames")),
            ("minWALTime", &["maxWALTime"], None),
            ("ingress", &["egress"], None),
        ] {
            assert_eq!(closest(name, candidates.iter().copied()), expected, "{name}");
            assert_eq!(clear_suggestion(name, candidates.iter().copied()), expected, "{name}");
        }
    }

    #[test]
    fn suggestions_are_certain_only_without_other_candidates() {
        let names = ["interval", "port", "path", "scrapeTimeout", "keep", "Keep", "labelmap", "labeldrop", "port2"];
        for (name, expected) in [
            ("intervall", Some("interval")),
            ("Interval", Some("interval")),
            ("scrape_timeout", Some("scrapeTimeout")),
            ("scrapTimeot", Some("scrapeTimeout")),
            ("prot", Some("port")),
            ("KEEP", Some("Keep")),
            ("kep", None),
            ("keeep", Some("keep")),
            ("interva", Some("interval")),
            ("intrvl", None),
            ("port1", None),
            ("porth", None),
            ("labelmop", Some("labelmap")),
            ("labelm", None),
        ] {
            assert_eq!(clear_suggestion(name, names), expected, "{name}");
        }
    }

    #[test]
    fn short_names_may_have_one_typo() {
        for (name, other, expected) in [
            ("ab", "ab", true),
            ("ab", "AC", true),
            ("ab", "ba", true),
            ("ab", "abc", true),
            ("ab", "cd", false),
            ("ab", "abcd", false),
            ("a", "b", false),
            ("", "a", false),
        ] {
            assert_eq!(is_one_typo_away(name, other), expected, "{name} {other}");
        }
    }

    #[test]
    fn ignores_common_prefixes_and_suffixes() {
        let words =
            |length: u32| (0..3_u32.pow(length)).map(move |word| (0..length).map(move |at| word / 3_u32.pow(at) % 3));
        let words = (0..6).flat_map(words).map(|word| word.map(|letter| ['a', 'b', 'é'][letter as usize]));
        let words: Vec<String> = words.map(Iterator::collect).collect();
        for (a, b) in words.iter().flat_map(|a| words.iter().map(move |b| (a, b))) {
            let expected = strsim::osa_distance(a, b);
            for max_distance in 0..6 {
                assert_eq!(
                    edit_distance(a, b, max_distance),
                    Some(expected).filter(|edit_distance| *edit_distance <= max_distance),
                    "{a} {b}"
                );
            }
            let max_distance = tolerance(a).min(tolerance(b));
            let is_close = expected <= max_distance && a.len().abs_diff(b.len()) <= tolerance(a);
            let distance = ComparedName::new(a).edit_distance(&ComparedName::new(b));
            assert_eq!(distance, is_close.then_some(expected), "{a} {b}");
        }
    }
}

//! "Did you mean": the name somebody most likely meant.

use std::borrow::Cow;

use super::opposites::are_opposite;

/// The candidate closest to `name`: the same but for case, or a few slips of the pen away, and not of the opposite meaning. The first
/// of equals.
pub fn closest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let name = Name::of(name);
    candidates
        .into_iter()
        .filter(|candidate| name.has_length_of(candidate))
        .filter_map(|candidate| Some((name.slips(&Name::of(candidate))?, candidate)))
        .filter(|(slips, candidate)| *slips == 0 || !are_opposite(name.written, candidate))
        .min_by_key(|&(slips, _)| slips)
        .map(|(_, candidate)| candidate)
}

/// The candidate that is meant for certain: the same but for case, `_` and `-`, or one slip away (two in a long name), and no other one
/// is as close.
pub fn unmistakable<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let most = match name.len() {
        0..4 => 0,
        4..8 => 1,
        _ => 2,
    };
    let joined = name.replace(['_', '-'], "");
    let [written, plain] = [name, &*joined].map(Name::of);
    let mut best: Option<(usize, &str)> = None;
    let mut rival = usize::MAX;
    for candidate in candidates {
        let other = Name::of(candidate);
        let slips = match plain.slips(&other) {
            Some(0) => Some(0),
            _ => written.slips(&other),
        };
        match (slips, best) {
            (None, _) => {}
            (Some(slips), Some((least, first))) if first.eq_ignore_ascii_case(candidate) => {
                let is_alike =
                    |text: &str| text.starts_with(char::is_uppercase) == name.starts_with(char::is_uppercase);
                let first = if is_alike(candidate) { candidate } else { first };
                best = Some((slips.min(least), first));
            }
            (Some(slips), Some((least, _))) if slips >= least => rival = rival.min(slips),
            (Some(slips), before) => {
                rival = before.map_or(rival, |(least, _)| rival.min(least));
                best = Some((slips, candidate));
            }
        }
    }
    best.filter(|&(slips, meant)| slips <= most && slips < rival && (slips == 0 || !are_opposite(name, meant)))
        .map(|(_, meant)| meant)
}

/// A name that is held against many others: thousands are against thousands.
pub struct Name<'n> {
    written: &'n str,
    lower: Cow<'n, str>,
    characters: u64,
}

impl<'n> Name<'n> {
    /// A name with what is compared of it.
    pub fn of(written: &'n str) -> Self {
        let lower = lowercase(written);
        Self {
            written,
            characters: characters(&lower),
            lower,
        }
    }

    /// Whether a candidate is not too short or long to be meant.
    fn has_length_of(&self, candidate: &str) -> bool {
        candidate.len().abs_diff(self.lower.len()) <= tolerance(&self.lower)
    }

    /// Number of slips, where a candidate is close enough to be meant.
    pub fn slips(&self, candidate: &Self) -> Option<usize> {
        let most = tolerance(&self.lower).min(tolerance(candidate.written));
        let is_possible =
            self.has_length_of(candidate.written) && missing(self.characters, candidate.characters) <= most;
        is_possible
            .then(|| slips(&self.lower, &candidate.lower, most))
            .flatten()
    }
}

/// Whether a name is one slip from another one, however short they are.
pub fn is_one_slip(name: &str, other: &str) -> bool {
    name.len() > 1 && slips(&lowercase(name), &lowercase(other), 1).is_some() && !are_opposite(name, other)
}

/// The help where a candidate is meant.
pub fn did_you_mean<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<String> {
    closest(name, candidates).map(|meant| format!("did you mean `{meant}`?"))
}

/// The help of a name that must be one of these: which one is meant, or all of them.
pub fn one_of(name: &str, known: &[&str]) -> String {
    did_you_mean(name, known.iter().copied()).unwrap_or_else(|| format!("use one of: `{}`", known.join("`, `")))
}

/// One slip in three letters is still the same word.
fn tolerance(name: &str) -> usize {
    name.len() / 3
}

fn lowercase(name: &str) -> Cow<'_, str> {
    let is_lower = name.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
    if is_lower {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(name.to_lowercase())
    }
}

/// Number of slips between two names; `None` where it is more than `most`. Names are mostly made alike, and what they begin and
/// end with in common has no slips.
fn slips(a: &str, b: &str, most: usize) -> Option<usize> {
    let mut start = common(a.bytes().zip(b.bytes()));
    while !a.is_char_boundary(start) {
        start -= 1;
    }
    let (a, b) = (a.get(start..).unwrap_or(a), b.get(start..).unwrap_or(b));
    let mut end = common(a.bytes().rev().zip(b.bytes().rev()));
    while !a.is_char_boundary(a.len() - end) {
        end -= 1;
    }
    let cut = |text: &'_ str| text.len() - end;
    let (a, b) = (a.get(..cut(a)).unwrap_or(a), b.get(..cut(b)).unwrap_or(b));
    let slips = match (a, b) {
        ("", rest) | (rest, "") => rest.chars().count(),
        (a, b) if least_slips(a, b) > most => return None,
        (a, b) => strsim::osa_distance(a, b),
    };
    Some(slips).filter(|slips| *slips <= most)
}

/// A number of slips that two texts have at least, which begin and end differently.
fn least_slips(a: &str, b: &str) -> usize {
    let count = |text: &str| text.chars().take(3).count();
    // Only a letter in place of another one, or two that change places, is a single slip.
    let is_single = match (count(a), count(b)) {
        (1, 1) => true,
        (2, 2) => a.chars().rev().eq(b.chars()),
        _ => false,
    };
    let least = if is_single { 1 } else { 2 };
    least.max(missing(characters(a), characters(b)))
}

/// A bit for each character of a text, and one for each that is there again; some share theirs.
fn characters(text: &str) -> u64 {
    text.chars().fold(0, |there, c| {
        let bit = 1_u64 << (u32::from(c) % 32);
        there | bit | ((there & bit) << 32)
    })
}

/// A number of slips between texts with these characters at least: a slip takes one away, and adds one, at most.
fn missing(a: u64, b: u64) -> usize {
    (a & !b).count_ones().max((b & !a).count_ones()) as usize
}

/// How many of the first bytes are the same.
fn common(pairs: impl Iterator<Item = (u8, u8)>) -> usize {
    pairs.take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_the_name_and_another_word_does_not() {
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
    fn an_opposite_is_never_meant() {
        for (name, candidates, expected) in [
            ("labelKeep", &["labelDrop", "labels"][..], None),
            ("excludeName", &["includeName"], None),
            ("excludeName", &["includeName", "excludeNames"], Some("excludeNames")),
            ("minWALTime", &["maxWALTime"], None),
            ("ingress", &["egress"], None),
        ] {
            assert_eq!(closest(name, candidates.iter().copied()), expected, "{name}");
            assert_eq!(unmistakable(name, candidates.iter().copied()), expected, "{name}");
        }
    }

    #[test]
    fn only_one_candidate_can_be_meant_for_certain() {
        let names = [
            "interval",
            "port",
            "path",
            "scrapeTimeout",
            "keep",
            "Keep",
            "labelmap",
            "labeldrop",
            "port2",
        ];
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
            assert_eq!(unmistakable(name, names), expected, "{name}");
        }
    }

    #[test]
    fn a_short_name_may_have_one_slip() {
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
            assert_eq!(is_one_slip(name, other), expected, "{name} {other}");
        }
    }

    #[test]
    fn slips_are_counted_between_what_is_common() {
        let words =
            |length: u32| (0..3_u32.pow(length)).map(move |word| (0..length).map(move |at| word / 3_u32.pow(at) % 3));
        let words = (0..6)
            .flat_map(words)
            .map(|word| word.map(|letter| ['a', 'b', 'é'][letter as usize]));
        let words: Vec<String> = words.map(Iterator::collect).collect();
        for (a, b) in words.iter().flat_map(|a| words.iter().map(move |b| (a, b))) {
            let expected = strsim::osa_distance(a, b);
            for most in 0..6 {
                assert_eq!(
                    slips(a, b, most),
                    Some(expected).filter(|slips| *slips <= most),
                    "{a} {b}"
                );
            }
            let most = tolerance(a).min(tolerance(b));
            let is_close = expected <= most && a.len().abs_diff(b.len()) <= tolerance(a);
            let found = Name::of(a).slips(&Name::of(b));
            assert_eq!(found, is_close.then_some(expected), "{a} {b}");
        }
    }
}

//! "Did you mean": the name somebody most likely meant.

use std::borrow::Cow;

/// The candidate closest to `name`: the same but for case, or a few slips of the pen away. The first of equals.
pub fn closest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let lower = lowercase(name);
    candidates
        .into_iter()
        .filter(|candidate| candidate.len().abs_diff(lower.len()) <= tolerance(&lower))
        .map(|candidate| (slips(&lower, &lowercase(candidate)), candidate))
        .filter(|&(slips, candidate)| slips <= tolerance(&lower).min(tolerance(candidate)))
        .min_by_key(|&(slips, _)| slips)
        .map(|(_, candidate)| candidate)
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

/// Names are mostly made alike, and what they begin and end with in common has no slips.
fn slips(a: &str, b: &str) -> usize {
    let start = common(a.chars().zip(b.chars()));
    let (a, b) = (a.get(start..).unwrap_or(a), b.get(start..).unwrap_or(b));
    let end = common(a.chars().rev().zip(b.chars().rev()));
    let cut = |text: &'_ str| text.len() - end;
    let (a, b) = (a.get(..cut(a)).unwrap_or(a), b.get(..cut(b)).unwrap_or(b));
    match (a, b) {
        ("", rest) | (rest, "") => rest.chars().count(),
        (a, b) => strsim::osa_distance(a, b),
    }
}

/// The bytes of the first characters that are the same.
fn common(pairs: impl Iterator<Item = (char, char)>) -> usize {
    pairs.take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum()
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
    fn slips_are_counted_between_what_is_common() {
        let words =
            |length: u32| (0..3_u32.pow(length)).map(move |word| (0..length).map(move |at| word / 3_u32.pow(at) % 3));
        let words = (0..6)
            .flat_map(words)
            .map(|word| word.map(|letter| ['a', 'b', 'é'][letter as usize]));
        let words: Vec<String> = words.map(Iterator::collect).collect();
        for (a, b) in words.iter().flat_map(|a| words.iter().map(move |b| (a, b))) {
            assert_eq!(slips(a, b), strsim::osa_distance(a, b), "{a} {b}");
        }
    }
}

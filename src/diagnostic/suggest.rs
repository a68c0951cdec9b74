//! "Did you mean": the name somebody most likely meant.

use std::borrow::Cow;

/// The candidate closest to `name`: the same but for case, or a few slips of the pen away. The first of equals.
pub fn closest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let lower = lowercase(name);
    candidates
        .into_iter()
        .filter_map(|candidate| {
            let most = tolerance(&lower).min(tolerance(candidate));
            let is_possible = candidate.len().abs_diff(lower.len()) <= tolerance(&lower);
            let slips = is_possible.then(|| slips(&lower, &lowercase(candidate), most));
            Some((slips.flatten()?, candidate))
        })
        .min_by_key(|&(slips, _)| slips)
        .map(|(_, candidate)| candidate)
}

/// The characters of a name, which tell faster than [`closest`] that most others are not meant: thousands are held against
/// thousands.
pub struct Characters {
    /// How many there are of each; some share a place.
    counts: [u8; 32],
    /// A number of slips that no name this close has more of.
    most: usize,
}

impl Characters {
    /// Those of a name.
    pub fn of(name: &str) -> Self {
        let lower = lowercase(name);
        let mut counts = [0_u8; 32];
        for c in lower.chars() {
            if let Some(count) = counts.get_mut(u32::from(c) as usize % 32) {
                *count = count.saturating_add(1);
            }
        }
        let most = tolerance(name).max(tolerance(&lower));
        Self { counts, most }
    }

    /// Whether neither name is meant by the other. A slip takes a character away, and adds one, at most.
    pub fn are_far_from(&self, other: &Self) -> bool {
        let pairs = self.counts.iter().zip(&other.counts);
        let differences: u32 = pairs.map(|(a, b)| u32::from(a.abs_diff(*b))).sum();
        differences as usize > 2 * self.most.min(other.most)
    }
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

/// A number of slips that two texts have at least, which begin and end differently: fast to tell, since thousands of names are
/// held against thousands of others.
fn least_slips(a: &str, b: &str) -> usize {
    // How many more of each character one has than the other; some share a place. A slip changes one of each at most.
    let mut more = [0_i32; 64];
    let mut count = |text: &str, by| {
        let add = |c| more.get_mut(u32::from(c) as usize % 64).map(|more| *more += by);
        text.chars().filter_map(add).count()
    };
    let lengths = (count(a, 1), count(b, -1));
    let in_a: u32 = more.iter().map(|&more| more.max(0).unsigned_abs()).sum();
    let in_b: u32 = more.iter().map(|&more| more.min(0).unsigned_abs()).sum();
    // Only a letter in place of another one, or two that change places, is a single slip.
    let is_single = lengths == (1, 1) || (lengths == (2, 2) && in_a == 0);
    let least = if is_single { 1 } else { 2 };
    least.max(in_a.max(in_b) as usize)
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
            for field in fields {
                let is_far = Characters::of(name).are_far_from(&Characters::of(field));
                assert!(!is_far || closest(name, [field]).is_none(), "{name} {field}");
            }
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
        }
    }
}

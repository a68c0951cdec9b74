//! "Did you mean": the name somebody most likely meant.

/// The candidate closest to `name`: the same but for case, or a few slips of the pen away. The first of equals.
pub fn closest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let lower = name.to_lowercase();
    candidates
        .into_iter()
        .filter(|candidate| candidate.len().abs_diff(lower.len()) <= tolerance(&lower))
        .map(|candidate| (slips(&lower, &candidate.to_lowercase()), candidate))
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

fn slips(a: &str, b: &str) -> usize {
    strsim::osa_distance(a, b)
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
}

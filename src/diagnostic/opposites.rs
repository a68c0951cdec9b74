//! Words with opposite meanings. A word is never suggested in place of its opposite, regardless of how similar their
//! spellings are.

/// Words that mean permitting or enabling something.
const POSITIVE_WORDS: &[&str] = &["accept", "allow", "enable", "honor", "include", "keep", "permit", "retain"];

/// Words that mean preventing or disabling something.
const NEGATIVE_WORDS: &[&str] = &[
    "block", "delete", "deny", "disable", "discard", "drop", "exclude", "forbid", "ignore", "omit", "reject", "remove",
    "skip",
];

/// Other pairs of opposites.
const PAIRS: &[(&str, &str)] = &[
    ("after", "before"),
    ("always", "never"),
    ("ascending", "descending"),
    ("begin", "end"),
    ("client", "server"),
    ("close", "open"),
    ("decode", "encode"),
    ("decrease", "increase"),
    ("decrement", "increment"),
    ("decrypt", "encrypt"),
    ("dest", "source"),
    ("down", "up"),
    ("egress", "ingress"),
    ("end", "start"),
    ("export", "import"),
    ("external", "internal"),
    ("failure", "success"),
    ("false", "true"),
    ("first", "last"),
    ("from", "to"),
    ("global", "local"),
    ("in", "out"),
    ("inbound", "outbound"),
    ("input", "output"),
    ("insecure", "secure"),
    ("invalid", "valid"),
    ("left", "right"),
    ("limit", "request"),
    ("local", "remote"),
    ("lower", "upper"),
    ("max", "min"),
    ("negative", "positive"),
    ("off", "on"),
    ("prefix", "suffix"),
    ("private", "public"),
    ("pull", "push"),
    ("read", "write"),
    ("receive", "send"),
    ("request", "response"),
    ("source", "target"),
    ("start", "stop"),
    ("with", "without"),
];

/// Prefixes that negate the rest of a word.
const NEGATIONS: &[&str] = &["dis", "no", "non", "not", "un"];

/// Whether two names differ in words that have opposite meanings.
pub fn are_opposite(a: &str, b: &str) -> bool {
    let (a, b) = (Words::new(a), Words::new(b));
    let differ = |x: &str, y: &str| {
        let [a_is_x, a_is_y, b_is_x, b_is_y] = [a.has(x, y), a.has(y, x), b.has(x, y), b.has(y, x)];
        (a_is_x && !a_is_y && b_is_y && !b_is_x) || (a_is_y && !a_is_x && b_is_x && !b_is_y)
    };
    let is_negated = |whole: &str, rest: &str| {
        let mut negations = NEGATIONS.iter();
        !rest.is_empty() && negations.any(|negation| whole.strip_prefix(negation) == Some(rest))
    };
    is_negated(&a.joined, &b.joined)
        || is_negated(&b.joined, &a.joined)
        || PAIRS.iter().any(|(x, y)| differ(x, y))
        || POSITIVE_WORDS.iter().any(|x| NEGATIVE_WORDS.iter().any(|y| differ(x, y)))
}

/// A name, converted to lowercase and split into words.
struct Words {
    /// Words of the name, split at capitals, `_`, `-` and other punctuation.
    words: Vec<String>,
    /// Name without punctuation.
    joined: String,
}

impl Words {
    fn new(name: &str) -> Self {
        let mut words = vec![String::new()];
        let mut after_lower = false;
        for c in name.chars() {
            let starts = !c.is_alphanumeric() || (c.is_uppercase() && after_lower);
            after_lower = c.is_lowercase() || c.is_numeric();
            if starts {
                words.push(String::new());
            }
            if let (true, Some(word)) = (c.is_alphanumeric(), words.last_mut()) {
                word.extend(c.to_lowercase());
            }
        }
        Self { joined: words.concat(), words }
    }

    /// Whether the name contains a word, except as part of the opposite word. Words may be joined without a separator.
    /// Short words occur in many other words, so three-letter words match only on their own or at the start or end of
    /// the name, and shorter words match only on their own.
    fn has(&self, word: &str, opposite: &str) -> bool {
        let rest = match opposite.contains(word) {
            true => self.joined.replace(opposite, " "),
            false => self.joined.clone(),
        };
        match word.len() {
            ..3 => self.words.iter().any(|own| own == word),
            3 => rest.starts_with(word) || rest.ends_with(word) || self.words.iter().any(|own| own == word),
            _ => rest.contains(word),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognizes_opposite_names() {
        for (a, b, expected) in [
            ("labelKeep", "labelDrop", true),
            ("label_keep", "labelDrop", true),
            ("labelkeep", "labeldrop", true),
            ("labelAllow", "label_drop", true),
            ("includeFiles", "excludeFiles", true),
            ("collector_include", "collector_exclude", true),
            ("enabled", "disabled", true),
            ("minWALTime", "maxWALTime", true),
            ("minwaltime", "maxWALTime", true),
            ("start_time", "stop_time", true),
            ("ingress", "egress", true),
            ("secure", "insecure", true),
            ("insecureSkipVerify", "secureSkipVerify", true),
            ("In", "NotIn", true),
            ("healthy", "unhealthy", true),
            ("with_labels", "without_labels", true),
            ("scaleUp", "scaleDown", true),
            ("true", "false", true),
            ("labelKeep", "labelAllow", false),
            ("labelKeeep", "labelKeep", false),
            ("minWalTime", "minWALTime", false),
            ("minimal", "maximal", true),
            ("administrator", "maxistrator", false),
            ("insecure_skip_verify", "insecureSkipVerify", false),
            ("interval", "port", false),
            ("endpoint", "startpoint", true),
            ("endpoints", "endpoint", false),
            ("excludeInclude", "includeExclude", false),
            ("", "un", false),
            ("", "", false),
        ] {
            assert_eq!(are_opposite(a, b), expected, "{a} {b}");
            assert_eq!(are_opposite(b, a), expected, "{b} {a}");
        }
    }
}

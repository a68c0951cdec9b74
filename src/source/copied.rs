//! Values of Secrets that a build copied to other objects.

use std::collections::BTreeMap;
use std::fmt;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

/// Minimum number of characters that must remain of a truncated value for it to be recognized.
const MIN_TRUNCATED: usize = 16;

/// Character at the end of truncated values in messages.
const ELLIPSIS: char = '…';

/// Values of Secrets that a build may have copied to other objects.
#[derive(Clone)]
pub struct CopiedValues {
    forms: Vec<ValueForm>,
    whole: AhoCorasick,
    /// Automaton that finds the first characters of each form of a value.
    truncated: AhoCorasick,
}

/// A value in one of the forms that output may contain.
#[derive(Clone)]
struct ValueForm {
    text: String,
    /// Key of the value in the Secret.
    key: String,
}

impl fmt::Debug for CopiedValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.forms.iter().map(|form| &form.key)).finish()
    }
}

impl CopiedValues {
    /// Creates a search for values. `keys` maps each value to its key. Returns `None` if there are no values.
    pub fn new(keys: &BTreeMap<String, String>) -> Option<Self> {
        let forms = keys.iter().flat_map(|(value, key)| {
            let mut texts = vec![value.clone(), json_form(value), escaped_form(value)];
            texts.dedup();
            texts.into_iter().map(|text| ValueForm { text, key: key.clone() })
        });
        let forms: Vec<_> = forms.collect();
        let whole_search = search(MatchKind::LeftmostLongest, forms.iter().map(|form| form.text.as_str()))?;
        // Only `MatchKind::Standard` supports the search for overlapping matches.
        let truncated_search = search(MatchKind::Standard, forms.iter().map(|form| min_prefix(&form.text)))?;
        (!forms.is_empty()).then_some(Self { forms, whole: whole_search, truncated: truncated_search })
    }

    /// Returns the text with all values replaced, including truncated ones, or `None` if the text contains no values.
    /// `replacement` receives the key of a value.
    pub fn replace_values(&self, text: &str, replacement: impl Fn(&str) -> String) -> Option<String> {
        let without_truncated = self.replace_truncated(text, &replacement);
        let rest = without_truncated.as_deref().unwrap_or(text);
        let without_whole = self.whole.is_match(rest).then(|| {
            let mut replaced = String::with_capacity(rest.len());
            self.whole.replace_all_with(rest, &mut replaced, |occurrence, _, replaced| {
                let form = self.forms.get(occurrence.pattern().as_usize());
                replaced.push_str(&replacement(form.map_or("", |form| &form.key)));
                true
            });
            replaced
        });
        without_whole.or(without_truncated)
    }

    fn replace_truncated(&self, text: &str, replacement: &impl Fn(&str) -> String) -> Option<String> {
        let last = text.rfind(ELLIPSIS)?;
        let (mut replaced, mut end) = (String::new(), 0);
        for occurrence in self.truncated.find_overlapping_iter(text.get(..last).unwrap_or_default()) {
            let Some(form) = self.forms.get(occurrence.pattern().as_usize()) else { continue };
            let shown = text.get(occurrence.start()..).and_then(|rest| rest.split(ELLIPSIS).next()).unwrap_or_default();
            if occurrence.start() >= end && form.text.starts_with(shown) {
                replaced.push_str(text.get(end..occurrence.start()).unwrap_or_default());
                replaced.push_str(&replacement(&form.key));
                end = occurrence.start() + shown.len() + ELLIPSIS.len_utf8();
            }
        }
        (end > 0).then(|| replaced + text.get(end..).unwrap_or_default())
    }
}

/// Creates a search for strings, with the kind of automaton that requires the least memory.
fn search<'t>(kind: MatchKind, texts: impl Iterator<Item = &'t str>) -> Option<AhoCorasick> {
    AhoCorasick::builder().kind(Some(AhoCorasickKind::NoncontiguousNFA)).match_kind(kind).build(texts).ok()
}

/// Returns the prefix of a value by which truncated forms of the value are recognized.
fn min_prefix(text: &str) -> &str {
    text.char_indices().nth(MIN_TRUNCATED).map_or(text, |(end, _)| text.get(..end).unwrap_or_default())
}

/// Returns a value as it appears in a JSON string.
fn json_form(value: &str) -> String {
    let quoted = serde_json::to_string(value).unwrap_or_default();
    quoted.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or_default().to_owned()
}

/// Returns a value as it appears, escaped, in messages.
fn escaped_form(value: &str) -> String {
    value.escape_debug().to_string().replace("\\\"", "\"").replace("\\'", "'")
}

/// Replaces copied values in text with `mask`. Returns `None` if the text contains no copied values.
pub fn hide_copied<'v>(copied: impl Iterator<Item = &'v CopiedValues>, text: &str, mask: &str) -> Option<String> {
    copied.fold(None, |hidden: Option<String>, values| {
        values.replace_values(hidden.as_deref().unwrap_or(text), |_| mask.to_owned()).or(hidden)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_values_in_every_form() {
        let keys = [("secret", "a"), ("secret-and-more-of-the-same", "b"), ("two\nlines \"x\"", "c")];
        let keys = keys.iter().map(|(value, key)| ((*value).to_owned(), (*key).to_owned())).collect();
        let values = CopiedValues::new(&keys).unwrap();
        for (text, expected) in [
            ("`secret` and `secret-and-more-of-the-same`", Some("`<a>` and `<b>`")),
            ("`secret-and-more-of…` is not `secret…`", Some("`<b>` is not `<a>`")),
            ("https://secret-and-more-of-th… …", Some("https://<b> …")),
            ("secret…secret…", Some("<a><a>")),
            ("`secret-and-more-of-others…`", Some("`<a>-and-more-of-others…`")),
            ("`two\nlines \"x\"`", Some("`<c>`")),
            (r#"{"a": "two\nlines \"x\""}"#, Some(r#"{"a": "<c>"}"#)),
            (r#"`two\nlines "x"`"#, Some("`<c>`")),
            ("nothing…", None),
        ] {
            let replaced = values.replace_values(text, |key| format!("<{key}>"));
            assert_eq!(replaced.as_deref(), expected, "{text}");
        }
        assert!(CopiedValues::new(&BTreeMap::new()).is_none());
        assert_eq!(format!("{values:?}"), "[\"a\", \"b\", \"c\", \"c\", \"c\"]");
    }
}

//! Source edits that change a scalar or a key. No edit is returned if it could have side effects: in a document with
//! aliases, after a tag or an anchor, or in a scalar that spans several lines or contains escapes.

use std::borrow::Cow;

use super::document::Document;
use super::node::{Entry, Node};
use crate::diagnostic::Edit;
use crate::go::scalar::{Scalar, resolve_plain};
use crate::source::Span;

/// A scalar as written, without its quotes.
struct WrittenScalar<'d> {
    text: &'d str,
    inner: Span,
    /// Span including the quotes.
    outer: Span,
}

impl WrittenScalar<'_> {
    fn is_quoted(&self) -> bool {
        self.inner != self.outer
    }
}

impl<'d> Node<'d> {
    /// Returns the text of a scalar as written, or `None` if it is quoted.
    pub fn plain_text(self) -> Option<&'d str> {
        let written_scalar = self.written_scalar()?;
        (!written_scalar.is_quoted()).then_some(written_scalar.text)
    }

    /// Returns edits that quote a plain scalar.
    pub fn quote(self) -> Option<Vec<Edit>> {
        self.plain_text()?;
        let span = self.span();
        Some(vec![Edit::insert_before(span, "\""), Edit::insert_after(span, "\"")])
    }

    pub fn unquote(self) -> Option<Vec<Edit>> {
        let WrittenScalar { inner, outer, .. } = self.written_scalar().filter(WrittenScalar::is_quoted)?;
        let quotes = [outer.with(outer.start, inner.start), outer.with(inner.end, outer.end)];
        Some(quotes.map(|quote| Edit::replace(quote, "")).to_vec())
    }

    /// Returns edits that append `end` to a scalar.
    pub fn append(self, end: &str) -> Option<Vec<Edit>> {
        let written = self.written_scalar()?;
        match !written.is_quoted() && is_json(self.document()) {
            true => self.replace_value(&format!("{}{end}", written.text).into()),
            false => Some(vec![Edit::insert_after(written.inner, end)]),
        }
    }

    /// Returns edits that replace a scalar with a single word.
    pub fn replace(self, word: &str) -> Option<Vec<Edit>> {
        let written = self.written_scalar()?;
        match !written.is_quoted() && is_json(self.document()) {
            true => self.replace_value(&word.into()),
            false => respell(&written, word),
        }
    }

    fn written_scalar(self) -> Option<WrittenScalar<'d>> {
        written_scalar(self.document(), self.span(), |before| {
            let before = before.trim_end();
            before.is_empty() || before.ends_with([':', '-', ',', '[', '{', '?'])
        })
    }
}

impl Entry<'_> {
    pub fn rename(self, word: &str) -> Option<Vec<Edit>> {
        let written_key = written_scalar(self.value.document(), self.key_span, |before| {
            let line = before.rsplit('\n').next().unwrap_or_default();
            line.trim_start_matches([' ', '-']).is_empty() || before.trim_end().ends_with(['{', ',', '?'])
        })?;
        // A key from an alias or a merge is defined elsewhere.
        (written_key.text == self.key).then(|| respell(&written_key, word)).flatten()
    }

    pub fn quote_key(self) -> Option<Vec<Edit>> {
        let document = self.value.document();
        let text = document.text.get(self.key_span.bytes())?;
        let is_word = text.bytes().all(|byte| byte.is_ascii_alphabetic());
        let edits = [Edit::insert_before(self.key_span, "\""), Edit::insert_after(self.key_span, "\"")];
        (is_word && !document.has_aliases).then(|| edits.to_vec())
    }
}

/// Edits that change or extend collections.
impl Node<'_> {
    /// Returns edits that insert an entry before all others, with its value in flow style.
    pub fn insert_entry(self, key: &str, value: &serde_json::Value) -> Option<Vec<Edit>> {
        let document = self.document();
        let text = document.text;
        let entry = match is_json(document) {
            true => format!("{}: {value}", serde_json::Value::from(key)),
            false => format!("{}: {}", format_flow_text(key), format_flow(value)),
        };
        let span = self.span();
        let edit = match (self.entries().next(), text.get(span.bytes())?) {
            (Some(_), written) if written.starts_with('{') => {
                Edit::replace(span.with(span.start + 1, span.start + 1), format!("{entry}, "))
            }
            (Some(first), _) => {
                let before = text.get(..first.key_span.start as usize)?;
                let line = before.rsplit('\n').next()?;
                let is_indent = line.chars().all(|c| matches!(c, ' ' | '-'));
                let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
                let indent = " ".repeat(line.len());
                is_indent.then(|| Edit::insert_before(first.key_span, format!("{entry}{end}{indent}")))?
            }
            (None, "{}") => Edit::replace(span, format!("{{{entry}}}")),
            _ => return None,
        };
        (self.is_mapping() && !document.has_aliases).then(|| vec![edit])
    }

    /// Returns edits that replace a scalar or a flow collection with a different value.
    pub fn replace_value(self, value: &serde_json::Value) -> Option<Vec<Edit>> {
        let document = self.document();
        let text = document.text.get(self.span().bytes())?;
        let is_whole = text.starts_with(['{', '[', '"', '\'']) || self.plain_text().is_some();
        let new_text = || if is_json(document) { value.to_string() } else { format_flow(value) };
        (is_whole && !document.has_aliases).then(|| vec![Edit::replace(self.span(), new_text())])
    }
}

/// Whether a document is written as JSON, so that edits must also be valid JSON.
fn is_json(document: &Document<'_>) -> bool {
    let text = document.text.get(document.root().span().bytes()).unwrap_or_default();
    let first = text.trim_start_matches(|c: char| matches!(c, '{' | '[') || c.is_ascii_whitespace());
    text.starts_with(['{', '[']) && first.starts_with('"')
}

/// Formats a value in flow style.
fn format_flow(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::Object(entries) => {
            let entries =
                entries.iter().map(|(key, value)| format!("{}: {}", format_flow_text(key), format_flow(value)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
        serde_json::Value::Array(items) => {
            format!("[{}]", items.iter().map(format_flow).collect::<Vec<_>>().join(", "))
        }
        serde_json::Value::String(text) => format_flow_text(text),
        scalar => scalar.to_string(),
    }
}

/// Formats a string without quotes if it is a word, and as JSON otherwise.
fn format_flow_text(text: &str) -> String {
    match is_word(text) && is_string(text) {
        true => text.to_owned(),
        false => serde_json::Value::from(text).to_string(),
    }
}

fn is_word(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '/' | '.');
    text.starts_with(|c: char| c.is_ascii_alphanumeric()) && text.chars().all(is_part)
}

fn is_string(plain: &str) -> bool {
    matches!(resolve_plain(Cow::Borrowed(plain)), Scalar::String(_))
}

/// Returns the scalar at `outer` if it has neither a tag nor an anchor and `is_valid_before` accepts the preceding
/// text.
fn written_scalar<'d>(
    document: &'d Document<'_>,
    outer: Span,
    is_valid_before: impl FnOnce(&str) -> bool,
) -> Option<WrittenScalar<'d>> {
    let text = document.text.get(outer.bytes())?;
    let quote = text.chars().next().filter(|first| matches!(first, '"' | '\''));
    let inner = match quote {
        Some(quote) => text.strip_prefix(quote)?.strip_suffix(quote)?,
        None => text,
    };
    let is_special = |c: char| matches!(c, '\n' | '\r' | '\\') || Some(c) == quote;
    let is_simple = !inner.is_empty() && !inner.contains(is_special) && !text.starts_with(['|', '>', '*']);
    let width = u32::from(quote.is_some());
    let is_editable = is_simple && !document.has_aliases && is_valid_before(document.text.get(..outer.start as usize)?);
    is_editable.then_some(WrittenScalar {
        text: inner,
        inner: outer.with(outer.start + width, outer.end - width),
        outer,
    })
}

fn respell(written: &WrittenScalar<'_>, word: &str) -> Option<Vec<Edit>> {
    let is_editable = is_word(word) && (written.is_quoted() || is_string(word));
    is_editable.then(|| vec![Edit::replace(written.inner, word)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::apply_edits;
    use crate::testing;

    /// Returns the text after applying the edits that `change` returns for the `k` entry.
    fn changed(text: &str, change: impl Fn(Entry<'_>) -> Option<Vec<Edit>>) -> Option<String> {
        let documents = testing::documents(text);
        let root = documents.first().unwrap().root();
        let root = root.items().next().unwrap_or(root);
        apply_edits(text, &change(root.entry("k").unwrap())?)
    }

    #[test]
    fn quotes_plain_scalars_without_changing_other_text() {
        let quote_value = |text| changed(text, |entry| entry.value.quote());
        for (text, expected) in [
            ("k: 5 # c\r\n", Some("k: \"5\" # c\r\n")),
            ("é: é\nk:   0x1f\n", Some("é: é\nk:   \"0x1f\"\n")),
            ("- k: yes\n  x: 1\n", Some("- k: \"yes\"\n  x: 1\n")),
            ("{\"k\":5}", Some("{\"k\":\"5\"}")),
            ("k:\n  5\n", Some("k:\n  \"5\"\n")),
            ("k: !!int 5\n", None),
            ("k: !!int\n  5\n", None),
            ("k: &a 5\n", None),
            ("k: \"5\"\n", None),
            ("k: |\n  5\n", None),
            ("k: # c\n  5\n", None),
            ("k: |\n", None),
            ("k:\n", None),
            ("k: a\n  b\n", None),
            ("k: 5\na: &a {b: 1}\nc: *a\n", None),
        ] {
            assert_eq!(quote_value(text).as_deref(), expected, "{text}");
        }
        let unquote_value = |text| changed(text, |entry| entry.value.unquote());
        for (text, expected) in [
            ("k: '5' # c\n", Some("k: 5 # c\n")),
            ("k: \"5\"\n", Some("k: 5\n")),
            ("k: \"\\x35\"\n", None),
            ("k: 5\n", None),
            ("k: !!str '5'\n", None),
            ("k: ''\n", None),
            ("k: 'a''b'\n", None),
        ] {
            assert_eq!(unquote_value(text).as_deref(), expected, "{text}");
        }
        let append_s = |text| changed(text, |entry| entry.value.append("s"));
        assert_eq!(append_s("k: '5'\n").as_deref(), Some("k: '5s'\n"));
        assert_eq!(append_s("[{k: 5}]\n").as_deref(), Some("[{k: 5s}]\n"));
        assert_eq!(append_s("[ {\"k\":5} ]\n").as_deref(), Some("[ {\"k\":\"5s\"} ]\n"));
        assert_eq!(append_s("{\"k\":\"5\"}").as_deref(), Some("{\"k\":\"5s\"}"));
        let replace_value = |text, word| changed(text, |entry| entry.value.replace(word));
        assert_eq!(replace_value("k: Htps\n", "https").as_deref(), Some("k: https\n"));
        assert_eq!(replace_value("k: 'Htps'\n", "https").as_deref(), Some("k: 'https'\n"));
        assert_eq!(replace_value("k: of\n", "off"), None, "it would be a boolean");
        assert_eq!(replace_value("k: x\n", "a: b"), None);
        assert_eq!(replace_value("{\"k\": 1}", "https").as_deref(), Some("{\"k\": \"https\"}"));
    }

    #[test]
    fn replaces_values() {
        let replace_with = |text| {
            let value = serde_json::json!([{"a": "x y", "b": "a/b.c-1_"}, 5, null, true, "5", "-a", ""]);
            changed(text, |entry| entry.value.replace_value(&value))
        };
        let value = r#"[{a: "x y", b: a/b.c-1_}, 5, null, true, "5", "-a", ""]"#;
        for (text, expected) in [
            ("k: 5 # c\n", Some(format!("k: {value} # c\n"))),
            ("k: \"5\\n\"\n", Some(format!("k: {value}\n"))),
            ("k: '5'\n", Some(format!("k: {value}\n"))),
            ("k: [1,\n 2]\n", Some(format!("k: {value}\n"))),
            ("{k: {a: b}}", Some(format!("{{k: {value}}}"))),
            (r#"{"k": {"a": 1}}"#, Some(r#"{"k": [{"a":"x y","b":"a/b.c-1_"},5,null,true,"5","-a",""]}"#.to_owned())),
            ("k:\n  a: b\n  c: d\n", None),
            ("k: |\n  a\n", None),
            ("k: &a 5\nl: *a\n", None),
            ("k: [1]\na: &a 5\nl: *a\n", None),
        ] {
            assert_eq!(replace_with(text), expected, "{text}");
        }
    }

    #[test]
    fn inserts_an_entry_before_the_others() {
        let insert_with =
            |text| changed(text, |entry| entry.value.insert_entry("team", &serde_json::json!({"a": "yes", "b": [1]})));
        let entry = "team: {a: \"yes\", b: [1]}";
        for (text, expected) in [
            ("k:\n  # c\n  x: 1\n", format!("k:\n  # c\n  {entry}\n  x: 1\n")),
            ("k:\r\n  x: 1\r\n", format!("k:\r\n  {entry}\r\n  x: 1\r\n")),
            ("k: {x: 1} # c\n", format!("k: {{{entry}, x: 1}} # c\n")),
            ("k: {}\n", format!("k: {{{entry}}}\n")),
        ] {
            assert_eq!(insert_with(text), Some(expected), "{text}");
        }
        for text in
            ["k: [{x: 1}]\n", "k: [x]\n", "k: {x: &a 1, y: *a}\n", "k: {\n}\n", "k:\n  ? x\n  : 1\n", "k:\n- x: 1\n"]
        {
            assert_eq!(insert_with(text), None, "{text}");
        }
        assert_eq!(insert_with("k: 5\n"), None);
        assert_eq!(insert_with("k:\n"), None);
    }

    #[test]
    fn renames_keys_without_changing_other_text() {
        let rename_key = |text| changed(text, |entry| entry.rename("name"));
        for (text, expected) in [
            ("k: {k: 1}\n", Some("name: {k: 1}\n")),
            ("- k : 1\n", Some("- name : 1\n")),
            ("{a: 1, \"k\":1}\n", Some("{a: 1, \"name\":1}\n")),
            ("{a: 1,\n'k': 1}\n", Some("{a: 1,\n'name': 1}\n")),
            ("? k\n: 1\n", Some("? name\n: 1\n")),
            ("&a k: 1\n", None),
            ("!!str k: 1\n", None),
            ("\"\\x6b\": 1\n", None),
        ] {
            assert_eq!(rename_key(text).as_deref(), expected, "{text}");
        }
        let quote_key = |text| changed(text, |entry| entry.quote_key());
        for (text, expected) in [
            ("k: 1\n", Some("\"k\": 1\n")),
            ("- {a: 1, k : 1}\n", Some("- {a: 1, \"k\" : 1}\n")),
            ("- k : {a: 1}\n", Some("- \"k\" : {a: 1}\n")),
            ("'k': 1\n", None),
            ("k: &a 1\nb: *a\n", None),
        ] {
            assert_eq!(quote_key(text).as_deref(), expected, "{text}");
        }
    }
}

//! Detection of secrets in Grafana Alloy components that agentctl did not write. It is based only on the language's
//! syntax, not on knowledge of the components.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::key::{SecretKeys, is_named_secret};
use super::text::{are_disjoint, contains_credential, contains_secret, mask_url, replace_parts};
use crate::diagnostic::MASK;

/// Maximum nesting depth of blocks.
const MAX_DEPTH: usize = 64;

/// Masks the secrets in Alloy components, keeping line numbers. Returns `None` if `text` is not valid Alloy syntax or
/// if secrets overlap, in which case it is uncertain which parts are secret.
pub fn mask_alloy(text: &str) -> Option<String> {
    let mut walk = Walk { tokens: Tokens { text, at: 0 }, keys: SecretKeys::default(), secrets: Vec::new() };
    walk.read_body(false, 0)?;
    walk.secrets.sort_by_key(|(bytes, _)| bytes.start);
    if !are_disjoint(walk.secrets.iter().map(|(bytes, _)| bytes)) {
        return None;
    }
    let masked = walk.secrets.into_iter().map(|(bytes, is_whole)| {
        let secret = text.get(bytes.clone()).unwrap_or_default();
        let url = mask_url(secret, MASK).filter(|_| !is_whole);
        (bytes, url.unwrap_or_else(|| mask_lines(secret)))
    });
    Some(replace_parts(text, masked))
}

fn mask_lines(text: &str) -> String {
    let masked = |line: &str| {
        if line.trim().is_empty() { line.to_owned() } else { MASK.to_owned() }
    };
    text.split('\n').map(masked).collect::<Vec<_>>().join("\n")
}

/// Hides a component that was generated from a Secret. Only comments, the component's kind and brackets at the start of
/// a line remain readable.
pub fn hide_component(text: &str) -> String {
    let hidden = |line: &str| {
        let indent = line.len() - line.trim_start().len();
        let (indent, rest) = line.split_at_checked(indent).unwrap_or_default();
        match rest.split_once('"') {
            _ if indent.is_empty() && (rest.starts_with("//") || matches!(rest, "" | "}")) => line.to_owned(),
            Some((kind, _)) if indent.is_empty() => format!("{kind}\"{MASK}\" {{"),
            _ if rest.is_empty() => line.to_owned(),
            _ => format!("{indent}{MASK}"),
        }
    };
    let lines = text.split('\n').map(hidden);
    lines.collect::<Vec<_>>().join("\n")
}

/// A token in Alloy's syntax.
#[derive(Clone, Debug, PartialEq, Eq)]
enum AlloyToken<'t> {
    /// An identifier, which may be part of a dotted name.
    Word(&'t str),
    Number,
    /// Byte range of a string's contents, without its quotes.
    Text(Range<usize>),
    /// An operator, a bracket or a comma.
    Mark(&'t str),
    Comment,
    /// A line break.
    Line,
    /// The end of input.
    End,
}

/// Regular expression that matches a comment, a string, a word, a number or a mark.
#[expect(clippy::expect_used, reason = "the expression is constant")]
static TOKEN: LazyLock<Regex> = LazyLock::new(|| {
    let token = r#"(?x)^(?: \n | //[^\n]* | (?s:/\*.*?\*/) | "(?:[^"\\\n]|\\[^\n])*" | `[^`]*`
        | [\p{L}_][\p{L}\p{N}_]* | [0-9][0-9A-Za-z.]* | [=!<>]= | && | \|\| | [=<>!+\-*/%^,.(){}\[\]] )"#;
    Regex::new(token).expect("valid expression")
});

/// Iterator over tokens.
#[derive(Clone, Copy)]
struct Tokens<'t> {
    text: &'t str,
    /// Offset after the last token.
    at: usize,
}

impl<'t> Tokens<'t> {
    /// Returns the next token and its byte range, or `None` if no token matches.
    fn next(&mut self) -> Option<(AlloyToken<'t>, Range<usize>)> {
        let rest = self.text.get(self.at..)?.trim_start_matches([' ', '\t', '\r']);
        let start = self.text.len() - rest.len();
        if rest.is_empty() {
            return Some((AlloyToken::End, start..start));
        }
        let token = TOKEN.find(rest)?.as_str();
        self.at = start + token.len();
        let kind = match token.chars().next()? {
            '\n' => AlloyToken::Line,
            '"' | '`' => AlloyToken::Text(start + 1..self.at - 1),
            '/' if token.len() > 1 => AlloyToken::Comment,
            // A comment that is not terminated is a syntax error.
            '/' if rest.starts_with("/*") => return None,
            c if c == '_' || c.is_alphabetic() => AlloyToken::Word(token),
            c if c.is_ascii_digit() => AlloyToken::Number,
            _ => AlloyToken::Mark(token),
        };
        Some((kind, start..self.at))
    }

    /// Returns the next token without consuming it.
    fn peek(mut self) -> Option<AlloyToken<'t>> {
        self.next().map(|(token, _)| token)
    }
}

/// Names of the attributes in `key::SIBLING_FIELDS` that determine whether their siblings are secret.
const NAMES: [&str; 3] = ["name", "targetLabel", "target_label"];

struct Walk<'t> {
    tokens: Tokens<'t>,
    keys: SecretKeys,
    /// Byte ranges of secrets, each with a flag that is true if the whole value is secret because of its key.
    secrets: Vec<(Range<usize>, bool)>,
}

/// An open bracket in an expression.
struct OpenBracket {
    close: &'static str,
    is_secret: bool,
    is_in_secret: bool,
}

impl<'t> Walk<'t> {
    fn slice(&self, bytes: &Range<usize>) -> &'t str {
        self.tokens.text.get(bytes.clone()).unwrap_or_default()
    }

    /// Reads statements until the end of the block, or until the end of the text if `depth` is 0.
    fn read_body(&mut self, is_secret: bool, depth: usize) -> Option<()> {
        let mut texts: Vec<(&str, &str)> = Vec::new();
        // Strings that may be secret because of a sibling.
        let mut candidates = Vec::new();
        loop {
            match self.tokens.next()? {
                (AlloyToken::Line, _) => {}
                (AlloyToken::Comment, bytes) => self.skip_comment(bytes),
                (AlloyToken::End, _) if depth == 0 => break,
                (AlloyToken::Mark("}"), _) if depth > 0 => break,
                (AlloyToken::Word(word), bytes) => {
                    let name = self.read_name(bytes)?;
                    match self.tokens.next()?.0 {
                        AlloyToken::Mark("=") => {
                            let is_secret = is_secret || self.keys.is_secret(&name);
                            let first = self.secrets.len();
                            if let [text] = self.read_expression(is_secret)?.as_slice() {
                                texts.push((word, self.slice(text)));
                                if self.secrets.len() == first {
                                    candidates.push((word, text.clone()));
                                }
                            }
                        }
                        AlloyToken::Mark("{") => self.block(&name, is_secret, depth)?,
                        AlloyToken::Text(_) if self.tokens.next()?.0 == AlloyToken::Mark("{") => {
                            self.block(&name, is_secret, depth)?;
                        }
                        _ => return None,
                    }
                    if !self.is_at_end()? {
                        return None;
                    }
                }
                _ => return None,
            }
        }
        let sibling_text = |name: &str| {
            texts.iter().find(|(candidate, _)| *candidate == name && NAMES.contains(candidate)).map(|(_, text)| *text)
        };
        candidates.retain(|(key, _)| is_named_secret(key, sibling_text));
        self.secrets.extend(candidates.into_iter().map(|(_, bytes)| (bytes, true)));
        Some(())
    }

    /// Returns the dotted name whose first word is at `bytes`, without whitespace around its dots.
    fn read_name(&mut self, mut bytes: Range<usize>) -> Option<Cow<'t, str>> {
        while self.tokens.peek()? == AlloyToken::Mark(".") {
            self.tokens.next()?;
            let (AlloyToken::Word(_), word) = self.tokens.next()? else {
                return None;
            };
            bytes.end = word.end;
        }
        let name = self.slice(&bytes);
        Some(match name.contains(char::is_whitespace) {
            true => name.split_whitespace().collect::<String>().into(),
            false => name.into(),
        })
    }

    fn block(&mut self, name: &str, is_secret: bool, depth: usize) -> Option<()> {
        let has_secret_field = name.ends_with("auth") || name.ends_with("authorization");
        let is_secret = is_secret || (self.keys.is_secret(name) && !has_secret_field);
        (depth < MAX_DEPTH).then(|| self.read_body(is_secret, depth + 1))?
    }

    /// Whether the current statement ends before the next token: at a line break, at a comment, or at the end of its
    /// block.
    fn is_at_end(&self) -> Option<bool> {
        let next = self.tokens.peek()?;
        Some(matches!(next, AlloyToken::Line | AlloyToken::End | AlloyToken::Mark("}") | AlloyToken::Comment))
    }

    /// Reads a value up to the end of its line, and returns the strings in it.
    fn read_expression(&mut self, is_secret: bool) -> Option<Vec<Range<usize>>> {
        let mut open_brackets: Vec<OpenBracket> = Vec::new();
        let mut texts = Vec::new();
        loop {
            if open_brackets.is_empty() && self.is_at_end()? {
                return Some(texts);
            }
            let (token, bytes) = self.tokens.next()?;
            let is_secret = open_brackets.last().map_or(is_secret, |bracket| bracket.is_secret);
            let is_key = open_brackets.last().is_some_and(|bracket| bracket.close == "}")
                && matches!(token, AlloyToken::Word(_) | AlloyToken::Text(_))
                && self.tokens.peek()? == AlloyToken::Mark("=");
            match token {
                AlloyToken::End | AlloyToken::Mark("=") => return None,
                AlloyToken::Comment => self.skip_comment(bytes),
                AlloyToken::Word(_) | AlloyToken::Text(_) if is_key => {
                    self.tokens.next();
                    let is_secret = self.keys.is_secret(self.slice(&bytes).trim_matches(['"', '`']));
                    if let Some(inner) = open_brackets.last_mut() {
                        inner.is_secret = inner.is_in_secret || is_secret;
                    }
                }
                AlloyToken::Mark(mark @ ("(" | "[" | "{")) => open_brackets.push(OpenBracket {
                    close: match mark {
                        "(" => ")",
                        "[" => "]",
                        _ => "}",
                    },
                    is_secret,
                    is_in_secret: is_secret,
                }),
                AlloyToken::Mark(mark @ (")" | "]" | "}")) => {
                    if open_brackets.pop()?.close != mark {
                        return None;
                    }
                }
                AlloyToken::Text(inner) => {
                    if is_secret || hides(self.slice(&inner)) {
                        self.secrets.push((inner.clone(), is_secret));
                    }
                    texts.push(inner);
                }
                AlloyToken::Number if is_secret => self.secrets.push((bytes, true)),
                AlloyToken::Word(_) | AlloyToken::Number | AlloyToken::Line | AlloyToken::Mark(_) => {}
            }
        }
    }

    fn skip_comment(&mut self, bytes: Range<usize>) {
        let text = self.slice(&bytes);
        if hides(text) || contains_credential(text, true) {
            self.secrets.push((bytes, true));
        }
    }
}

/// Whether a string is or contains a secret. A string that spans several lines or looks like JSON may be a
/// configuration.
fn hides(text: &str) -> bool {
    let text = unescape(text);
    contains_secret(&text) || ((text.contains('\n') || text.starts_with('{')) && contains_credential(&text, true))
}

/// Resolves the escape sequences that Alloy's formatter writes.
fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return text.into();
    }
    text.replace("\\n", "\n").replace("\\\"", "\"").replace("\\\\", "\\").into()
}

#[cfg(test)]
mod tests {
    use super::super::key::SIBLING_FIELDS;
    use super::*;

    #[test]
    fn lists_all_siblings_that_decide_secrecy() {
        for name in SIBLING_FIELDS.iter().flat_map(|(_, names)| *names) {
            assert!(NAMES.contains(name), "{name}");
        }
    }

    #[test]
    fn masks_credentials_but_not_references() {
        for (text, expected) in [
            ("a \"b\" {\n\tpassword = \"x\"\n}\n", "a \"b\" {\n\tpassword = \"***\"\n}\n"),
            (
                "a.b \"c\" {\n\tpassword = local.file.p.content\n}\n",
                "a.b \"c\" {\n\tpassword = local.file.p.content\n}\n",
            ),
            ("a {\n\turl = \"http://u:p@h\"\n}", "a {\n\turl = \"http://***@h\"\n}"),
            ("a {\n\tis_secret = true\n\tsasl_password = 1234\n}", "a {\n\tis_secret = true\n\tsasl_password = ***\n}"),
            (
                "a {\n\theaders = {\n\t\tX = \"y\",\n\t\t\"Z\" = [\"w\"],\n\t}\n\tb = \"c\"\n}",
                "a {\n\theaders = {\n\t\tX = \"***\",\n\t\t\"Z\" = [\"***\"],\n\t}\n\tb = \"c\"\n}",
            ),
            (
                "a {\n\tparams = {\n\t\ttoken = [\"y\"],\n\t\tmodule = [\"m\"],\n\t}\n}",
                "a {\n\tparams = {\n\t\ttoken = [\"***\"],\n\t\tmodule = [\"m\"],\n\t}\n}",
            ),
            (
                "a {\n\trule {\n\t\treplacement = \"y\"\n\t\ttarget_label = \"__param_token\"\n\t}\n}",
                "a {\n\trule {\n\t\treplacement = \"***\"\n\t\ttarget_label = \"__param_token\"\n\t}\n}",
            ),
            (
                "a {\n\tenv {\n\t\tvalue = \"x\"\n\t\tname = \"DB_PASSWORD\"\n\t}\n}",
                "a {\n\tenv {\n\t\tvalue = \"***\"\n\t\tname = \"DB_PASSWORD\"\n\t}\n}",
            ),
            ("// password: x\na { }\n", "***\na { }\n"),
            ("a {\n\tconfig = `m:\n  password: x\n`\n}", "a {\n\tconfig = `***\n***\n`\n}"),
            ("a {\n\tconfig = \"m:\\n  password: x\"\n}", "a {\n\tconfig = \"***\"\n}"),
            ("basic_auth {\n\tx = \"y\"\n}", "basic_auth {\n\tx = \"y\"\n}"),
            (
                "authorization {\n\ttype = \"y\"\n\tcredentials = \"x\"\n}",
                "authorization {\n\ttype = \"y\"\n\tcredentials = \"***\"\n}",
            ),
            (
                "credentials {\n\ta = \"x\"\n\tb {\n\t\tc = [\"x\", 1]\n\t}\n}\na = \"y\"",
                "credentials {\n\ta = \"***\"\n\tb {\n\t\tc = [\"***\", ***]\n\t}\n}\na = \"y\"",
            ),
            (
                "a \"b\" { // c\n\t_x1 . pass\t. password = `x`\n\n\t/* d\n */\n}",
                "a \"b\" { // c\n\t_x1 . pass\t. password = `***`\n\n\t/* d\n */\n}",
            ),
            (
                "a {\n\theaders = { b = { c = \"x\" }, \"d\" = f(\"x\") }\n}",
                "a {\n\theaders = { b = { c = \"***\" }, \"d\" = f(\"***\") }\n}",
            ),
            ("a = 1 /* token=x */\nb = 2 // https://u:p@h\n", "a = 1 ***\nb = 2 ***\n"),
            ("a = \"{\\\"password\\\": 1}\"", "a = \"***\""),
            ("a = \"password: x\"", "a = \"password: x\""),
            ("a = [b == c, d != 1.5e3, !e && f || g >= h][0]", "a = [b == c, d != 1.5e3, !e && f || g >= h][0]"),
        ] {
            assert_eq!(mask_alloy(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn masks_components_from_secret_jobs() {
        let text = "// LogsInstance a/b, job 0 of additionalScrapeConfigs\nloki.source.file \"x\" {\n\ta = \"b\"\n\n\tc {\n\t\td = 1\n\t}\n}\n";
        let expected = "// LogsInstance a/b, job 0 of additionalScrapeConfigs\nloki.source.file \"***\" {\n\t***\n\n\t***\n\t\t***\n\t***\n}\n";
        assert_eq!(hide_component(text), expected);
        for (line, expected) in [
            ("// \"a\"", "// \"a\""),
            ("argument.x {", "***"),
            ("\t", "\t"),
            ("\t// a", "\t***"),
            ("  a \"b\" {", "  ***"),
            ("a \"b\" \"c\"", "a \"***\" {"),
        ] {
            assert_eq!(hide_component(line), expected, "{line}");
        }
    }

    #[test]
    fn rejects_invalid_syntax() {
        for text in [
            "x",
            "a: b",
            "a {",
            "a = \"x",
            "a = [1)",
            "a \"b\"",
            "a = 1 b = 2\n",
            "}",
            "a = {\n",
            "é€",
            "a = b /* token=x\n",
            "a = b = c\n",
            "a = b)\n",
            "a. = b\n",
            "a \"b\" = c\n",
            "a { }\n}",
            "a { b = 1 c = 2 }",
        ] {
            assert_eq!(mask_alloy(text), None, "{text}");
        }
        for (depth, is_read) in [(MAX_DEPTH, true), (MAX_DEPTH + 1, false)] {
            let nested = format!("{}{}", "a {\n".repeat(depth), "}\n".repeat(depth));
            assert_eq!(mask_alloy(&nested), is_read.then_some(nested));
        }
        assert_eq!(mask_alloy(&"a {\n".repeat(100_000)), None);
        assert_eq!(mask_alloy(&format!("a = {}", "[".repeat(100_000))), None);
    }
}

//! Lines of sources, fit to be shown: what is most likely secret in them is masked. Documents with Secrets are not shown at
//! all (`secrecy.rs`); this is about the others, where somebody wrote a credential in plain text, in its place or by mistake.
//! The document may be one that cannot be read, so that all is judged by the text.

use std::ops::Range;

use crate::printable::printable;

/// What is shown of a secret.
const MASK: &str = "***";

/// The part of a line that is shown.
pub(super) struct Masked {
    text: String,
    /// Bytes of the line, and where they are in the text; a secret goes to its mask.
    pieces: Vec<(Range<usize>, usize)>,
}

impl Masked {
    /// A line in which so much is secret, and of which these bytes are to be shown.
    pub(super) fn new(secrets: &[Range<usize>], line: &str, shown: Range<usize>) -> Self {
        let mut masked = Self {
            text: String::new(),
            pieces: Vec::new(),
        };
        let mut at = shown.start;
        let first = secrets.partition_point(|secret| secret.end <= shown.start);
        let secrets = secrets.iter().skip(first);
        for secret in secrets.take_while(|secret| secret.start < shown.end) {
            let secret = secret.start.max(at)..secret.end.min(shown.end);
            if secret.start < secret.end {
                masked.push(
                    at..secret.start,
                    &printable(line.get(at..secret.start).unwrap_or_default()),
                );
                at = secret.end;
                masked.push(secret, MASK);
            }
        }
        masked.push(at..shown.end, &printable(line.get(at..shown.end).unwrap_or_default()));
        masked
    }

    fn push(&mut self, bytes: Range<usize>, text: &str) {
        self.pieces.push((bytes, self.text.len()));
        self.text.push_str(text);
    }

    /// What is shown.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Where bytes of the line are in the text.
    pub(super) fn locate(&self, line: &str, bytes: Range<usize>) -> Range<usize> {
        let start = self.offset(line, bytes.start, false);
        start..self.offset(line, bytes.end, true).max(start)
    }

    fn offset(&self, line: &str, byte: usize, is_end: bool) -> usize {
        let at = self.pieces.iter().rposition(|(bytes, _)| bytes.start <= byte);
        let Some((bytes, start)) = at.and_then(|at| self.pieces.get(at)) else {
            return 0;
        };
        let end = at
            .and_then(|at| self.pieces.get(at + 1))
            .map_or(self.text.len(), |(_, next)| *next);
        let piece = self.text.get(*start..end).unwrap_or_default();
        if byte >= bytes.end || (piece == MASK && is_end && byte > bytes.start) {
            return end;
        }
        if piece == MASK {
            return *start;
        }
        (start + line.get(bytes.start..byte).map_or(0, |text| printable(text).len())).min(end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::line_secrets::LineSecrets;
    use crate::source::{Source, Sources};

    fn masked(source: &Source, number: u32, line: &str) -> Masked {
        let id = Sources::default().add(Source::new("x", "", true));
        Masked::new(LineSecrets::default().of(id, source, number, line), line, 0..line.len())
    }

    fn shown(text: &str) -> Vec<String> {
        let source = Source::new("x", text, true);
        let lines = (1..).map_while(|number| Some((number, source.line(number)?.1)));
        let shown = lines.map(|(number, line)| masked(&source, number, line).text().to_owned());
        shown.filter(|line| !line.is_empty()).collect()
    }

    #[test]
    fn values_of_secret_keys_are_masked() {
        for (line, expected) in [
            ("password: hunter2", "password: ***"),
            ("- password: \"hunter2\" # why", "- password: ***"),
            (
                "password: {name: s, key: password}",
                "password: {name: s, key: password}",
            ),
            (
                "a: {username: me, password: 'a, b', x: y}",
                "a: {username: ***, password: ***, x: y}",
            ),
            ("{\"token\":\"hunter2\",\"x\":1}", "{\"token\":***,\"x\":1}"),
            ("bearerToken: \"hunter2", "bearerToken: ***"),
            ("bearerTokn: hunter2", "bearerTokn: ***"),
            ("passwort: hunter2", "passwort: ***"),
            ("headers: {X-Scope: hunter2}", "headers: ***"),
            ("password: |-", "password: |-"),
            ("secrets: [a]", "secrets: [a]"),
            (
                "url: https://me:hunter2@host/?token=hunter2&x=y",
                "url: https://***@host/?token=***&x=y",
            ),
            (
                "env: [{name: DB_PASSWORD, value: hunter2}]",
                "env: [{name: DB_PASSWORD, value: ***}]",
            ),
            ("runAsUser: 1", "runAsUser: 1"),
            ("interval: 30s", "interval: 30s"),
            ("port: https", "port: https"),
        ] {
            assert_eq!(shown(line), [expected]);
        }
    }

    #[test]
    fn what_goes_on_over_lines_is_masked() {
        for (text, expected) in [
            (
                "a:\n  password: |\n    one\n    key: two\n  b: c\n",
                &["a:", "  password: |", "    ***", "    ***", "  b: c"][..],
            ),
            ("password:\n  one\nb: c\n", &["password:", "  ***", "b: c"]),
            ("password: |\none\ntwo\nb: c\n", &["password: |", "***", "***", "b: c"]),
            (
                "password:\n  name: s\n  key: k\n",
                &["password:", "  name: s", "  key: k"],
            ),
            (
                "- password:\n    name: s\n- x\n",
                &["- password:", "    name: s", "- x"],
            ),
            ("headers:\n  x: one\ny: z\n", &["headers:", "  ***", "y: z"]),
            ("tokens:\n- a\n", &["tokens:", "- a"]),
            ("token: \"one\n  two\"\n", &["token: ***", "  ***"]),
            ("- name: A_TOKEN\n  value: one\n", &["- name: A_TOKEN", "  value: ***"]),
            (
                "k: |\n  -----BEGIN PRIVATE KEY-----\n  one\n  -----END PRIVATE KEY-----\n  two\n",
                &["k: |", "  -----BEGIN PRIVATE KEY-----", "  ***", "  ***", "  two"],
            ),
        ] {
            assert_eq!(shown(text), expected);
        }
    }

    #[test]
    fn places_are_found_again() {
        let line = "é: {password: hunter2, b: c}";
        let source = Source::new("x", line, true);
        let masked = masked(&source, 1, line);
        let found = |text: &str| {
            let start = line.find(text).unwrap();
            masked.text()[masked.locate(line, start..start + text.len())].to_owned()
        };
        assert_eq!(found("hunter2"), "***");
        assert_eq!(found("nter"), "***");
        assert_eq!(found("password"), "password");
        assert_eq!(found("b: c"), "b: c");
        assert_eq!(found("password: hunter2, b"), "password: ***, b");
    }
}

//! Lines of sources, fit to be shown: what is most likely secret in them is masked. Documents with Secrets are not shown at
//! all (`secrecy.rs`); this is about the others, where somebody wrote a credential in plain text, in its place or by mistake.
//! The document may be one that cannot be read, so that all is judged by the text.

use std::ops::Range;

use super::printable::printable;
use super::sensitive::{PRIVATE_KEY, is_secret_key, secrets_of_urls};
use crate::source::Source;

/// What is shown of a secret.
const MASK: &str = "***";

/// How many lines above one are looked at for what it belongs to.
const ABOVE: u32 = 100;

/// The part of a line that is shown.
pub(super) struct Masked {
    text: String,
    /// Bytes of the line, and where they are in the text; a secret goes to its mask.
    pieces: Vec<(Range<usize>, usize)>,
}

impl Masked {
    /// A line of a source, of which these bytes are to be shown.
    pub(super) fn new(source: &Source, number: u32, line: &str, shown: Range<usize>) -> Self {
        let mut masked = Self {
            text: String::new(),
            pieces: Vec::new(),
        };
        let mut at = shown.start;
        for secret in secrets(source, number, line) {
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

/// The bytes of a line that are not to be shown, in order, without overlap.
fn secrets(source: &Source, number: u32, line: &str) -> Vec<Range<usize>> {
    let pairs = pairs(line, usize::MAX);
    if is_part_of_a_secret(source, number, line, &pairs) {
        return std::iter::once(indent(line)..line.len()).collect();
    }
    let named = || {
        let lines = [Some(number), number.checked_sub(1), number.checked_add(1)];
        let lines = lines.into_iter().flatten().filter_map(|number| source.line(number));
        lines
            .flat_map(|(_, line)| self::pairs(line, usize::MAX))
            .any(|pair| pair.key == "name" && is_secret_key(pair.text))
    };
    let found = pairs.iter().filter(|pair| match pair.key {
        "value" => named(),
        key => is_secret_key(key) && !pair.is_nested(key),
    });
    let mut found: Vec<_> = found
        .map(|pair| pair.value.clone())
        .chain(secrets_of_urls(line))
        .collect();
    found.sort_by_key(|range| (range.start, range.end));
    found
}

/// A key and its value in one line.
struct Pair<'l> {
    key: &'l str,
    text: &'l str,
    value: Range<usize>,
}

impl Pair<'_> {
    /// Whether the value is none by itself: fields, which have keys of their own, or a text that begins in the next line.
    fn is_nested(&self, key: &str) -> bool {
        let is_header = self.text.starts_with(['|', '>']) && !self.text.contains(char::is_alphabetic);
        self.text.is_empty() || is_header || (self.text.starts_with('{') && !is_map_of_secrets(key))
    }
}

/// The values below are secret, whatever their keys are.
fn is_map_of_secrets(key: &str) -> bool {
    key == "headers"
}

/// The pairs of a line, in the notation of YAML or JSON; not more than so many.
fn pairs(line: &str, most: usize) -> Vec<Pair<'_>> {
    let mut found = Vec::new();
    let mut scan = Scan::default();
    let mut key_start = 0;
    for (i, c) in line.char_indices() {
        let was_quoted = scan.quote.is_some();
        scan.step(c);
        match c {
            _ if was_quoted || scan.quote.is_some() => {}
            '{' | '[' | ',' | '}' | ']' => key_start = i + 1,
            ':' => {
                let rest = line.get(i + 1..).unwrap_or_default();
                let key = line.get(key_start..i).unwrap_or_default();
                let key = key.trim_start_matches(['-', '?', ' ', '\t']).trim_end();
                if rest.is_empty() || rest.starts_with([' ', '\t']) || key.ends_with(['"', '\'']) {
                    let start = line.len() - rest.trim_start().len();
                    let text = line.get(start..).unwrap_or_default();
                    let end = start + length(text, scan.depth);
                    found.push(Pair {
                        key: key.trim_matches(['"', '\'']),
                        text: line.get(start..end).unwrap_or_default(),
                        value: start..end,
                    });
                    key_start = start;
                    if found.len() == most {
                        break;
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// How long a value is that begins here: in a flow collection up to the next item, otherwise up to the end.
fn length(text: &str, depth: usize) -> usize {
    if depth == 0 {
        return text.trim_end().len();
    }
    let mut scan = Scan::default();
    let end = text.char_indices().find(|&(_, c)| {
        let is_end = scan.quote.is_none() && scan.depth == 0 && matches!(c, ',' | '}' | ']');
        scan.step(c);
        is_end
    });
    let text = end.map_or(text, |(i, _)| text.get(..i).unwrap_or_default());
    text.trim_end().len()
}

/// Brackets and quotes that are open.
#[derive(Default)]
struct Scan {
    depth: usize,
    quote: Option<char>,
    last: Option<char>,
}

impl Scan {
    fn step(&mut self, c: char) {
        match (self.quote, c) {
            (Some(quote), c) if quote == c && !(c == '"' && self.last == Some('\\')) => self.quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') if self.last.is_none_or(|last| " \t,:[{".contains(last)) => self.quote = Some(c),
            (None, '{' | '[') => self.depth += 1,
            (None, '}' | ']') => self.depth = self.depth.saturating_sub(1),
            (None, _) => {}
        }
        self.last = Some(c);
    }
}

/// Whether a line goes on with a secret that begins above it. One without a key goes on with what stands in front of it even
/// where somebody forgot to indent it.
fn is_part_of_a_secret(source: &Source, number: u32, line: &str, found: &[Pair<'_>]) -> bool {
    let above = (number.saturating_sub(ABOVE)..number).rev();
    let above: Vec<_> = above.filter_map(|number| Some(source.line(number)?.1)).collect();
    let key = above
        .iter()
        .find(|line| line.contains("-----BEGIN") || line.contains("-----END"));
    if key.is_some_and(|line| line.contains("-----BEGIN") && line.contains(PRIVATE_KEY)) {
        return true;
    }
    let mut below = Place::of(line);
    let mut is_direct = found.is_empty();
    for parent in above.into_iter().filter(|line| !line.trim().is_empty()) {
        let place = Place::of(parent);
        let pair = || pairs(parent, 1).pop();
        let is_forgotten = is_direct && place.key == below.item && pair().is_some();
        let is_list_of = place.key == below.item && below.is_item && !place.is_item;
        if place.key >= below.item && !is_list_of && !is_forgotten {
            below.item = below.item.min(place.item);
            continue;
        }
        if let Some(pair) = pair() {
            let is_text = pair.text.starts_with(['|', '>']);
            if is_secret_key(pair.key) && (is_text || is_direct || is_map_of_secrets(pair.key)) {
                return true;
            }
            is_direct = false;
        }
        below = place;
    }
    false
}

/// Where a line begins.
struct Place {
    /// Its indentation.
    item: usize,
    /// That of its key, behind the dash of an item.
    key: usize,
    is_item: bool,
}

impl Place {
    fn of(line: &str) -> Self {
        let item = indent(line);
        let text = line.get(item..).unwrap_or_default();
        let key = line.len() - text.trim_start_matches(['-', ' ']).len();
        let is_item = text.starts_with("- ");
        Self {
            item,
            key: if is_item { key } else { item },
            is_item,
        }
    }
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let source = Source::new("x", text, true);
        let lines = (1..).map_while(|number| Some((number, source.line(number)?.1)));
        let shown = lines.map(|(number, line)| {
            let masked = Masked::new(&source, number, line, 0..line.len());
            masked.text().to_owned()
        });
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
        let masked = Masked::new(&source, 1, line, 0..line.len());
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

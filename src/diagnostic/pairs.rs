//! Keys and their values in one line, in the notation of YAML or JSON.

use std::ops::Range;

/// A key and its value in one line.
pub(super) struct Pair<'l> {
    pub(super) key: &'l str,
    pub(super) text: &'l str,
    pub(super) value: Range<usize>,
}

impl Pair<'_> {
    /// Whether the value is none by itself: fields, which have keys of their own, or a text that begins in the next line.
    pub(super) fn is_nested(&self, key: &str) -> bool {
        let is_header = self.text.starts_with(['|', '>']) && !self.text.contains(char::is_alphabetic);
        self.text.is_empty() || is_header || (self.text.starts_with('{') && !is_map_of_secrets(key))
    }
}

/// The values below are secret, whatever their keys are.
pub(super) fn is_map_of_secrets(key: &str) -> bool {
    key == "headers"
}

/// The pairs of a line, in the notation of YAML or JSON; not more than so many.
pub(super) fn pairs(line: &str, most: usize) -> Vec<Pair<'_>> {
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

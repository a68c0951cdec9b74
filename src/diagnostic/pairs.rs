//! Keys and their values in one line, in the notation of YAML or JSON.

use std::ops::Range;

/// A key and its value in one line.
pub(super) struct Pair<'l> {
    pub(super) key: &'l str,
    pub(super) text: &'l str,
    pub(super) value: Range<usize>,
}

impl<'l> Pair<'l> {
    fn new(line: &'l str, key: &'l str, value: Range<usize>) -> Self {
        let value = value.start..value.end.max(value.start);
        let text = line.get(value.clone()).unwrap_or_default();
        Self { key, text, value }
    }

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

/// The pairs of a line. Each character is looked at once, however deep values are nested.
pub(super) fn pairs(line: &str) -> Vec<Pair<'_>> {
    let whole = line.trim_end().len();
    let mut found: Vec<Pair<'_>> = Vec::new();
    // The values in flow collections whose ends are not found yet, and how deep they stand.
    let mut open: Vec<(usize, usize)> = Vec::new();
    for event in events(line) {
        match event {
            Event::Key(Key { key, value, depth }) => {
                if depth > 0 && !is_doubtful(line, value) {
                    open.push((found.len(), depth));
                }
                found.push(Pair::new(line, key, value..whole));
            }
            Event::End { at, depth } => {
                let mut end = None;
                while let Some((pair, _)) = open.pop_if(|(_, of)| *of == depth) {
                    let end = *end.get_or_insert_with(|| line.get(..at).unwrap_or_default().trim_end().len());
                    if let Some(pair) = found.get_mut(pair) {
                        *pair = Pair::new(line, pair.key, pair.value.start..end);
                    }
                }
            }
        }
    }
    found
}

/// The first key of a line, and what follows it up to the end of the line.
pub(super) fn first_key(line: &str) -> Option<(&str, &str)> {
    events(line).find_map(|event| match event {
        Event::Key(Key { key, value, .. }) => Some((key, line.get(value..).unwrap_or_default())),
        Event::End { .. } => None,
    })
}

/// Whether somebody may take a quote for the first character of a value, and somebody else for one of a text without
/// quotes. All that follows is its value then.
pub(super) fn is_doubtful(line: &str, value: usize) -> bool {
    let is_quoted = line.get(value..).is_some_and(|text| text.starts_with(['"', '\'']));
    is_quoted && !line.get(..value).is_some_and(|text| text.ends_with([' ', '\t', ':']))
}

/// A key, where its value begins, and in how many brackets both are.
struct Key<'l> {
    key: &'l str,
    value: usize,
    depth: usize,
}

/// What is found on the way through a line.
enum Event<'l> {
    Key(Key<'l>),
    /// The end of an item of a flow collection.
    End {
        at: usize,
        depth: usize,
    },
}

fn events(line: &str) -> impl Iterator<Item = Event<'_>> {
    let mut scan = Scan::default();
    let mut key_start = 0;
    line.char_indices().filter_map(move |(i, c)| {
        let (was_quoted, depth) = (scan.quote.is_some(), scan.depth);
        scan.step(c);
        match c {
            _ if was_quoted || scan.quote.is_some() => None,
            '{' | '[' => {
                key_start = i + 1;
                None
            }
            ',' | '}' | ']' => {
                key_start = i + 1;
                Some(Event::End { at: i, depth })
            }
            ':' => {
                let rest = line.get(i + 1..).unwrap_or_default();
                let key = line.get(key_start..i).unwrap_or_default().trim_end();
                if !(rest.is_empty() || rest.starts_with([' ', '\t']) || key.ends_with(['"', '\''])) {
                    return None;
                }
                key_start = line.len() - rest.trim_start().len();
                let key = key.trim_start_matches(['-', '?', ' ', '\t']).trim_matches(['"', '\'']);
                let value = key_start;
                Some(Event::Key(Key { key, value, depth }))
            }
            _ => None,
        }
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    /// How long a value is that begins here, read by itself: in a flow collection up to the next item, otherwise up to the
    /// end.
    fn length(text: &str, depth: usize) -> usize {
        let mut scan = Scan::default();
        let end = text.char_indices().find(|&(_, c)| {
            let is_end = scan.quote.is_none() && scan.depth == 0 && matches!(c, ',' | '}' | ']');
            scan.step(c);
            is_end && depth > 0
        });
        let text = end.map_or(text, |(i, _)| text.get(..i).unwrap_or_default());
        text.trim_end().len()
    }

    #[test]
    fn values_end_where_they_do_when_read_one_by_one() {
        let pieces = [
            "{", "}", ",", "a: ", "\"k\":", "'", "\"", " ", "\u{a0}", "\\", "[", "|é",
        ];
        for number in 0..pieces.len().pow(4) {
            let digits = (0..4).map(|place| number / pieces.len().pow(place) % pieces.len());
            let tail: String = digits.map(|digit| pieces[digit]).collect();
            let line = format!("{{a: {tail}, b: c}} ");
            let depths = events(&line).filter_map(|event| match event {
                Event::Key(Key { depth, .. }) => Some(depth),
                Event::End { .. } => None,
            });
            let depths: Vec<_> = depths.collect();
            for (pair, depth) in pairs(&line).iter().zip(depths) {
                let length = length(&line[pair.value.start..], depth);
                let is_whole = is_doubtful(&line, pair.value.start) && pair.value.len() >= length;
                assert!(pair.value.len() == length || is_whole, "{line:?} {:?}", pair.text);
            }
        }
    }

    #[test]
    fn nested_values_end_one_in_the_other() {
        let line = format!("{}b{}", "{a: ".repeat(20_000), "}".repeat(20_000));
        let pairs = pairs(&line);
        assert_eq!(pairs.len(), 20_000);
        let last = pairs.last().unwrap();
        assert_eq!((last.text, last.value.end), ("b", 80_001));
        assert_eq!(pairs[0].value, 4..line.len() - 1);
    }
}

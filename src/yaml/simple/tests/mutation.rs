//! Mutations of YAML inputs.

use crate::random::Random;

/// Tokens inserted by mutations: tokens with a meaning in YAML, and similar ones.
const TOKENS: [&str; 56] = [
    " ", "  ", "\n", "\n\n", ": ", ":", ":\n", "- ", "-", "-\n", "---", "---\n", "...", "# c", " # c\n", "#", "\"",
    "'", "''", "\\", "{", "}", "[", "]", ",", "{}", "[]", "{a: b}", "[a, b]", "[a: b]", "|", "|-\n", "|+\n", "|2\n",
    ">\n", "&a ", "*a", "!!str ", "!x ", "? ", "?", "%", "@", "`", "<<: ", "~", "null", "yes", "1", "0x1f", "1e3",
    ".inf", "a: b\n", "\t", "\r\n", "é",
];

/// Deterministic generator of mutants for a given seed.
pub struct Mutator {
    seeds: Vec<String>,
    random: Random,
}

impl Mutator {
    /// Creates a mutator for the documents in `texts` that are short enough to be read many times.
    pub fn new(texts: &[impl AsRef<str>], seed: u64) -> Self {
        let documents = texts.iter().flat_map(|text| text.as_ref().split_inclusive("\n---\n"));
        let short_documents = documents.filter(|document| (1..600).contains(&document.len()));
        Self { seeds: short_documents.map(str::to_owned).collect(), random: Random::new(seed) }
    }

    /// Returns the next mutant, with up to four changes.
    pub fn mutant(&mut self) -> String {
        let seed = self.random.below(self.seeds.len());
        let mut text = self.seeds[seed].clone();
        for _ in 0..=self.random.below(4) {
            self.change(&mut text);
        }
        text
    }

    fn change(&mut self, text: &mut String) {
        match self.random.below(8) {
            0..3 => {
                let offset = self.place(text);
                text.insert_str(offset, self.random.one_of(&TOKENS));
            }
            3 => {
                let offset = self.place(text);
                if offset < text.len() {
                    text.remove(offset);
                }
            }
            4 => {
                let offset = self.place(text);
                text.truncate(offset);
            }
            5 => self.indent(text),
            6 => self.copy_line(text),
            _ => {
                let (start, end) = (self.place(text), self.place(text));
                let end = end.min(start + 12);
                if start < end && text.is_char_boundary(end) {
                    text.replace_range(start..end, self.random.one_of(&TOKENS));
                }
            }
        }
    }

    /// Changes the indentation of a line by one or two spaces.
    fn indent(&mut self, text: &mut String) {
        let start = self.line(text);
        let spaces = 1 + self.random.below(2);
        if self.random.below(2) == 0 {
            text.insert_str(start, &"  "[..spaces]);
        } else {
            let found = text[start..].len() - text[start..].trim_start_matches(' ').len();
            text.replace_range(start..start + found.min(spaces), "");
        }
    }

    /// Copies a line to another position.
    fn copy_line(&mut self, text: &mut String) {
        let (source_line, target_line) = (self.line(text), self.line(text));
        let line = text[source_line..].split_inclusive('\n').next().unwrap_or_default().to_owned();
        text.insert_str(target_line, &line);
    }

    /// Returns the start of a random line.
    fn line(&mut self, text: &str) -> usize {
        let offset = self.place(text);
        text[..offset].rfind('\n').map_or(0, |end| end + 1)
    }

    fn place(&mut self, text: &str) -> usize {
        let mut offset = self.random.below(text.len() + 1);
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }
}

//! Texts as numbers of lines.

use std::collections::HashMap;

/// Every line of every text once.
#[derive(Default)]
pub struct Lines {
    numbers: HashMap<String, usize>,
    lines: Vec<String>,
}

impl Lines {
    /// The numbers of a text's lines.
    pub fn add(&mut self, text: &str) -> Vec<usize> {
        text.lines().map(|line| self.number(line)).collect()
    }

    /// All lines, by number.
    pub fn into_vec(self) -> Vec<String> {
        self.lines
    }

    fn number(&mut self, line: &str) -> usize {
        if let Some(&number) = self.numbers.get(line) {
            return number;
        }
        let number = self.lines.len();
        self.numbers.insert(line.to_owned(), number);
        self.lines.push(line.to_owned());
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_there_again_has_its_number() {
        let mut lines = Lines::default();
        assert_eq!(lines.add("a\nb\na\n"), [0, 1, 0]);
        assert_eq!(lines.add("b\nc"), [1, 2]);
        assert_eq!(lines.into_vec(), ["a", "b", "c"]);
    }
}

//! Texts that are much alike: each line is kept once.

use std::collections::HashMap;
use std::sync::Arc;

/// The number of a line.
pub type LineId = u32;

/// Every line of many texts once.
#[derive(Debug, Default)]
pub struct Lines {
    numbers: HashMap<Arc<str>, LineId>,
    lines: Vec<Arc<str>>,
}

impl Lines {
    /// The numbers of a text's lines.
    pub fn add(&mut self, text: &str) -> Box<[LineId]> {
        text.lines().map(|line| self.number(line)).collect()
    }

    /// The line of a number; empty where there is none.
    pub fn get(&self, number: LineId) -> &str {
        self.lines.get(number as usize).map_or("", |line| line)
    }

    fn number(&mut self, line: &str) -> LineId {
        if let Some(&number) = self.numbers.get(line) {
            return number;
        }
        let number = LineId::try_from(self.lines.len()).unwrap_or(LineId::MAX);
        let line: Arc<str> = line.into();
        self.numbers.insert(Arc::clone(&line), number);
        self.lines.push(line);
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_there_again_has_its_number() {
        let mut lines = Lines::default();
        assert_eq!(*lines.add("a\nb\na\n"), [0, 1, 0]);
        assert_eq!(*lines.add("b\nc"), [1, 2]);
        assert_eq!([0, 1, 2, 3].map(|number| lines.get(number)), ["a", "b", "c", ""]);
    }
}

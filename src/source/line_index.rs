/// A place in a text as people count it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
}

/// Where each line of a text starts.
#[derive(Debug)]
pub struct LineIndex {
    starts: Vec<u32>,
}

impl LineIndex {
    /// The lines of `text`, which end at a line feed.
    pub fn new(text: &str) -> Self {
        let breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        let starts = std::iter::once(0).chain(breaks);
        let starts = starts.map(|start| u32::try_from(start).unwrap_or(u32::MAX)).collect();
        Self { starts }
    }

    /// Line and column of a byte offset; one beyond the end is that of the end.
    pub fn position(&self, text: &str, offset: usize) -> Position {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|&start| start as usize <= offset);
        let start = self.starts.get(line - 1).map_or(0, |&start| start as usize);
        let column = text.get(start..offset).map_or(0, |line| line.chars().count());
        Position {
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: u32::try_from(column + 1).unwrap_or(u32::MAX),
        }
    }

    /// Offset and text of a line, counted from 1, without its line break.
    pub fn line<'t>(&self, text: &'t str, number: u32) -> Option<(usize, &'t str)> {
        let index = (number as usize).checked_sub(1)?;
        let start = *self.starts.get(index)? as usize;
        let end = self.starts.get(index + 1).map_or(text.len(), |&next| next as usize);
        let line = text.get(start..end)?;
        let line = line.strip_suffix('\n').unwrap_or(line);
        Some((start, line.strip_suffix('\r').unwrap_or(line)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_lines_and_characters_from_one() {
        let text = "a\nbé x\n\nlast";
        let index = LineIndex::new(text);
        let at = |offset| {
            let p = index.position(text, offset);
            (p.line, p.column)
        };
        assert_eq!(at(0), (1, 1));
        assert_eq!(at(2), (2, 1));
        assert_eq!(at(5), (2, 3), "é is one column although two bytes");
        assert_eq!(at(8), (3, 1));
        assert_eq!(at(9), (4, 1));
        assert_eq!(at(999), (4, 5));
    }

    #[test]
    fn lines_come_without_their_breaks() {
        let text = "a\r\nbé\n";
        let index = LineIndex::new(text);
        let lines: Vec<_> = (0..5).map(|number| index.line(text, number)).collect();
        assert_eq!(lines, [None, Some((0, "a")), Some((3, "bé")), Some((7, "")), None]);
    }
}

//! Division of a file into documents at `---` lines, as in `YAMLReader` in apimachinery's `pkg/util/yaml`.

use std::ops::Range;

use memchr::memmem;

const SEPARATOR: &str = "---";

/// Part of a file that contains one document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chunk {
    /// Start of the document, including the `---` line before it.
    pub(super) start: usize,
    pub(super) content: Range<usize>,
    /// Range of the text after `---` on the same line, which Kubernetes rejects.
    pub(super) misplaced: Option<Range<usize>>,
}

/// Iterator over the documents after an offset.
pub(super) struct Chunks<'s> {
    text: &'s str,
    at: usize,
    /// `---` line that ended the previous document.
    separator: Option<Range<usize>>,
}

impl<'s> Chunks<'s> {
    pub(super) fn new(text: &'s str, start: usize) -> Self {
        Self { text, at: start, separator: None }
    }

    /// Returns the `---` line that starts at an offset.
    fn separator_at(&self, offset: usize) -> Option<Range<usize>> {
        let rest = self.text.get(offset..).filter(|rest| rest.starts_with(SEPARATOR))?;
        Some(offset..offset + rest.find('\n').map_or(rest.len(), |end| end + 1))
    }

    /// Returns the first `---` line after an offset.
    fn separator_after(&self, offset: usize) -> Option<Range<usize>> {
        let rest = self.text.as_bytes().get(offset..)?;
        self.separator_at(offset + memmem::find(rest, b"\n---")? + 1)
    }

    /// Returns the range of text after `---` on a line, unless the text is blank or a comment.
    fn text_after_marker(&self, line: &Range<usize>) -> Option<Range<usize>> {
        let rest = self.text.get(line.start + SEPARATOR.len()..line.end)?;
        let content = rest.trim();
        let start = line.end - rest.trim_start().len();
        (!content.is_empty() && !content.starts_with('#')).then(|| start..start + content.len())
    }
}

impl Iterator for Chunks<'_> {
    type Item = Chunk;

    fn next(&mut self) -> Option<Chunk> {
        let previous_separator = self.separator.take();
        let mut misplaced_text = previous_separator.as_ref().and_then(|line| self.text_after_marker(line));
        if self.at >= self.text.len() && misplaced_text.is_none() {
            return None;
        }
        let start = previous_separator.map_or(self.at, |line| line.start);
        let mut content = self.at;
        // A separator at the start of a document belongs to that document. The search for the next separator starts at
        // the line break.
        let mut search_start = self.at;
        if let Some(line) = self.separator_at(self.at) {
            search_start = line.end.saturating_sub(1);
            if let Some(text) = self.text_after_marker(&line) {
                misplaced_text = misplaced_text.or(Some(text));
                content = line.end;
            }
        }
        self.separator = self.separator_after(search_start);
        let end = self.separator.as_ref().map_or(self.text.len(), |line| line.start);
        self.at = self.separator.as_ref().map_or(end, |line| line.end);
        Some(Chunk { start, content: content.min(end)..end, misplaced: misplaced_text })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_at_separators() {
        for (text, expected) in [
            ("", &[][..]),
            ("a", &["a"]),
            ("a\n---\nb\n", &["a\n", "b\n"]),
            ("---\na\n---\n---\nb", &["---\na\n", "---\nb"]),
            ("---\n---\n", &["---\n"]),
            ("---\n---\n---\n", &["---\n", "---\n"]),
            ("---", &["---"]),
            ("a\n--- # c\nb\n ---\n", &["a\n", "b\n ---\n"]),
            ("a\r\n---\r\nb", &["a\r\n", "b"]),
            ("a\n---", &["a\n"]),
            ("a---\n--\n", &["a---\n--\n"]),
        ] {
            let chunks: Vec<_> = Chunks::new(text, 0).collect();
            let content: Vec<_> = chunks.iter().map(|chunk| &text[chunk.content.clone()]).collect();
            assert_eq!(content, expected, "{text:?}");
            assert!(chunks.iter().all(|chunk| chunk.misplaced.is_none()), "{text:?}");
        }
    }

    #[test]
    fn finds_text_on_separator_lines() {
        for (text, expected, content) in [
            ("a\n--- b \nc\n", "b", "c\n"),
            ("---a\nc\n", "a", "c\n"),
            ("----\nc\n", "-", "c\n"),
            ("a\n---\n--- b\nc\n", "b", "c\n"),
            ("--- {a: 1}\n", "{a: 1}", ""),
            ("a\n--- b", "b", ""),
        ] {
            let chunk = Chunks::new(text, 0).last().unwrap();
            assert_eq!(chunk.misplaced.map(|range| &text[range]), Some(expected), "{text:?}");
            assert_eq!(&text[chunk.content], content, "{text:?}");
        }
    }
}

//! Strings in each presentation, with quotes, escapes, line breaks and folding (`yaml_emitter_write_*_scalar`).

use std::fmt::Write;

use super::block::Writer;
use super::presentation::{LibraryStyle, is_break, is_printable};

/// Column after which a space is written as a line break if lines are folded.
const WIDTH: usize = 80;

impl Writer<'_, '_> {
    pub(super) fn write_plain(&mut self, text: &str, lines: Option<usize>) {
        match lines.filter(|_| self.style.folds_lines()) {
            None => self.out.push_str(text),
            Some(indent) => self.write_folded(text, indent),
        }
    }

    /// Writes a single-quoted string. Quotes are doubled. The string's only line breaks are Unicode line breaks, which
    /// are copied.
    pub(super) fn write_single_quoted(&mut self, text: &str, lines: Option<usize>) {
        self.out.push('\'');
        for line in text.split_inclusive(is_break) {
            let (line, end) = split_break(line);
            // The previous line ended with a Unicode line break.
            if !line.is_empty() && self.out.len() == self.line_start {
                self.start_line(false, lines.unwrap_or_default());
            }
            match line.contains('\'') {
                true => self.write_plain(&line.replace('\'', "''"), lines),
                false => self.write_plain(line, lines),
            }
            if let Some(end) = end {
                self.break_line(end);
            }
        }
        self.out.push('\'');
    }

    /// Writes a string, replacing single spaces after the maximum width with line breaks.
    fn write_folded(&mut self, text: &str, indent: usize) {
        let mut rest = text;
        let mut after_space = false;
        while let Some(space) = rest.find(' ') {
            let (word, tail) = rest.split_at(space);
            self.out.push_str(word);
            rest = tail.strip_prefix(' ').unwrap_or_default();
            let is_single_space = !rest.is_empty() && !rest.starts_with(' ') && rest.len() + 1 != text.len();
            let alone = !(after_space && word.is_empty());
            if is_single_space && alone && self.is_past_width() {
                self.start_line(false, indent);
            } else {
                self.out.push(' ');
            }
            after_space = true;
        }
        self.out.push_str(rest);
    }

    /// Writes a double-quoted string. Unprintable characters are escaped. If the string starts with a byte order mark,
    /// all characters are escaped (`is_bom` checks the first bytes of the string, regardless of the position).
    pub(super) fn write_double_quoted(&mut self, text: &str, lines: Option<usize>) {
        let folds = lines.filter(|_| self.style.folds_lines());
        let escapes_all = text.starts_with('\u{feff}');
        let mut written = 0;
        let mut after_space = false;
        self.out.push('"');
        for (i, c) in text.char_indices() {
            let escapes = escapes_all || matches!(c, '"' | '\\') || is_break(c) || !is_printable(c);
            let space = c == ' ' && !escapes;
            if escapes {
                self.copy(text, written, i);
                self.escape(c);
                written = i + c.len_utf8();
            } else if let (true, false, Some(indent)) = (space, after_space, folds) {
                self.copy(text, written, i);
                written = i + self.fold_double_quoted(text, i, indent);
            }
            after_space = space;
        }
        self.copy(text, written, text.len());
        self.out.push('"');
    }

    /// Breaks the line at the space at `offset` if the line exceeds the width. Returns the number of consumed bytes.
    fn fold_double_quoted(&mut self, text: &str, offset: usize, indent: usize) -> usize {
        if offset == 0 || offset + 1 == text.len() || !self.is_past_width() {
            return 0;
        }
        self.start_line(false, indent);
        if text.as_bytes().get(offset + 1) == Some(&b' ') {
            self.out.push('\\');
        }
        1
    }

    fn copy(&mut self, text: &str, from: usize, to: usize) {
        self.out.push_str(text.get(from..to).unwrap_or_default());
    }

    fn escape(&mut self, c: char) {
        self.out.push('\\');
        let short = match c {
            '\0' => '0',
            '\u{7}' => 'a',
            '\u{8}' => 'b',
            '\t' => 't',
            '\n' => 'n',
            '\u{b}' => 'v',
            '\u{c}' => 'f',
            '\r' => 'r',
            '\u{1b}' => 'e',
            '"' => '"',
            '\\' => '\\',
            '\u{85}' => 'N',
            '\u{a0}' => '_',
            '\u{2028}' => 'L',
            '\u{2029}' => 'P',
            _ => return self.escape_number(u32::from(c)),
        };
        self.out.push(short);
    }

    fn escape_number(&mut self, code: u32) {
        // Writing to a string cannot fail.
        let _ = match code {
            0..=0xFF => write!(self.out, "x{code:02X}"),
            0x100..=0xFFFF => write!(self.out, "u{code:04X}"),
            _ => write!(self.out, "U{code:08X}"),
        };
    }

    /// Writes a literal: `|`, the indentation if it cannot be detected from the text, the chomping indicator, and the
    /// lines. In v3, the first line break of the text ends the indicator's line, so a leading empty line is lost.
    pub(super) fn write_literal(&mut self, text: &str, indent: usize) {
        self.out.push('|');
        if text.starts_with(|c| c == ' ' || is_break(c)) {
            // v3 writes this indentation even after a dash, where the lines are indented by 2.
            let _ = write!(self.out, "{}", self.style.indentation());
        }
        self.out.push_str(chomping(text));
        if self.style == LibraryStyle::Kubernetes {
            self.break_line('\n');
        }
        for line in text.split_inclusive(is_break) {
            let (line, end) = split_break(line);
            if !line.is_empty() {
                self.start_line(false, indent);
                self.out.push_str(line);
            }
            if let Some(end) = end {
                self.break_line(end);
            }
        }
    }

    fn is_past_width(&self) -> bool {
        let line = self.out.get(self.line_start..).unwrap_or_default();
        line.chars().count() > WIDTH
    }
}

/// Splits a line into its text and its line break.
fn split_break(line: &str) -> (&str, Option<char>) {
    match line.chars().next_back().filter(|&c| is_break(c)) {
        Some(end) => (line.strip_suffix(end).unwrap_or(line), Some(end)),
        None => (line, None),
    }
}

/// Returns the chomping indicator for a literal (`yaml_emitter_write_block_scalar_hints`), which depends on whether the
/// literal ends with no line break, one line break or several.
fn chomping(text: &str) -> &'static str {
    let mut back = text.chars().rev();
    match (back.next().is_some_and(is_break), back.next()) {
        (false, _) => "-",
        (true, None) => "+",
        (true, Some(c)) if is_break(c) => "+",
        (true, Some(_)) => "",
    }
}

//! Scanning of literal and folded block scalars.

use std::borrow::Cow;

use super::{ScanResult, Scanner, TokenKind};
use crate::yaml::event::ScalarStyle;
use crate::yaml::syntax_error::Mistake;

/// Treatment of the line breaks at the end of a block scalar.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chomping {
    Strip,
    Clip,
    Keep,
}

impl Scanner<'_> {
    pub(super) fn fetch_block_scalar(&mut self) -> ScanResult<()> {
        self.remove_key()?;
        self.may_start_key = true;
        let start = self.cursor.at;
        let is_literal = self.cursor.current_byte() == b'|';
        self.cursor.at += 1;
        let (chomping, increment) = self.block_scalar_header()?;
        let header_end = self.cursor.at;
        self.cursor.skip_blanks();
        if self.cursor.current_byte() == b'#' {
            self.cursor.skip_line();
        }
        if !self.cursor.skip_break() && !self.cursor.is_at_end() {
            return self.error(Mistake::BlockScalarHeader);
        }
        let indent = increment.map(|increment| self.indent.unwrap_or(0) + increment);
        let (text, end) = self.block_scalar_text(is_literal, chomping, indent)?;
        let style = if is_literal { ScalarStyle::Literal } else { ScalarStyle::Folded };
        self.push(TokenKind::Scalar(Cow::Owned(text), style), start, end.unwrap_or(header_end));
        Ok(())
    }

    /// Reads the chomping and indentation indicators after the `|` or `>` of a block scalar, in any order.
    fn block_scalar_header(&mut self) -> ScanResult<(Chomping, Option<usize>)> {
        let mut chomping = self.chomping();
        let digit = self.cursor.current_byte();
        let increment = digit.is_ascii_digit().then(|| usize::from(digit - b'0'));
        if increment == Some(0) {
            return self.error(Mistake::BlockScalarHeader);
        }
        if increment.is_some() {
            self.cursor.at += 1;
            chomping = chomping.or_else(|| self.chomping());
        }
        Ok((chomping.unwrap_or(Chomping::Clip), increment))
    }

    fn chomping(&mut self) -> Option<Chomping> {
        let chomping = match self.cursor.current_byte() {
            b'+' => Chomping::Keep,
            b'-' => Chomping::Strip,
            _ => return None,
        };
        self.cursor.at += 1;
        Some(chomping)
    }

    /// Reads the lines of a block scalar. Returns their text and the end of the last non-blank line, excluding its
    /// trailing blanks.
    fn block_scalar_text(
        &mut self,
        is_literal: bool,
        chomping: Chomping,
        indent: Option<usize>,
    ) -> ScanResult<(String, Option<usize>)> {
        let mut text = String::new();
        let mut end = None;
        let (indent, mut blank_lines) = self.block_scalar_breaks(indent)?;
        let mut has_break = false;
        let mut was_indented = false;
        while self.cursor.at - self.cursor.line_start == indent && !self.cursor.is_at_end() {
            let is_indented = self.cursor.is_at_blank();
            if has_break && (is_literal || was_indented || is_indented) {
                text.push('\n');
            } else if has_break && blank_lines == 0 {
                text.push(' ');
            }
            text.extend(std::iter::repeat_n('\n', blank_lines));
            was_indented = is_indented;
            let start = self.cursor.at;
            self.cursor.skip_line();
            let line = self.cursor.slice(start, self.cursor.at);
            text.push_str(line);
            let content = line.trim_end();
            if !content.is_empty() {
                end = Some(start + content.len());
            }
            has_break = self.cursor.skip_break();
            (_, blank_lines) = self.block_scalar_breaks(Some(indent))?;
        }
        if has_break && chomping != Chomping::Strip {
            text.push('\n');
        }
        if chomping == Chomping::Keep {
            text.extend(std::iter::repeat_n('\n', blank_lines));
        }
        Ok((text, end))
    }

    /// Skips blank lines and the indentation of the next line. Returns the number of blank lines, and the indentation.
    /// If `indent` is `None`, the indentation is that of the deepest skipped line.
    fn block_scalar_breaks(&mut self, indent: Option<usize>) -> ScanResult<(usize, usize)> {
        let mut max_column = 0;
        let mut breaks = 0;
        loop {
            let is_indentation = |column: usize| indent.is_none_or(|indent| column < indent);
            let mut column = self.cursor.at - self.cursor.line_start;
            while is_indentation(column) && self.cursor.current_byte() == b' ' {
                self.cursor.at += 1;
                column += 1;
            }
            max_column = max_column.max(column);
            if is_indentation(column) && self.cursor.current_byte() == b'\t' {
                return self.error(Mistake::Tab);
            }
            if !self.cursor.skip_break() {
                let min_indent = self.indent.map_or(1, |indent| indent + 1);
                return Ok((indent.unwrap_or(max_column.max(min_indent)), breaks));
            }
            breaks += 1;
        }
    }
}

//! Block mappings and lists, and flow collections on a single line.

use crate::yaml::event::StructureStyle;

use super::Reader;
use super::cursor::NotSimple;
use crate::yaml::tree::NodeShape;

/// Methods that read block collections.
impl Reader<'_, '_> {
    /// Reads the mapping or list that starts at the cursor.
    pub fn read_block(&mut self) -> Result<(), NotSimple> {
        if self.is_at_dash() { self.read_sequence() } else { self.read_mapping() }
    }

    fn read_mapping(&mut self) -> Result<(), NotSimple> {
        let (start, column) = (self.cursor.at, self.cursor.column());
        self.open(NodeShape::Mapping, StructureStyle::Block, start, start)?;
        while self.continues_at(column)? {
            self.read_key()?;
            self.read_value(column)?;
        }
        self.close(start, start);
        Ok(())
    }

    /// Reads the value after the colon at the cursor, in a mapping whose keys are in `column`.
    fn read_value(&mut self, column: usize) -> Result<(), NotSimple> {
        let colon = self.cursor.at;
        self.cursor.at += 1;
        if !self.cursor.is_blank_or_comment() {
            return self.read_inline(column);
        }
        self.skip_to_next_content()?;
        let is_list = self.is_at_dash();
        match self.cursor.column() {
            found if found > column && self.is_at_content() => return self.read_block(),
            found if found == column && is_list => return self.read_sequence(),
            _ => self.push_empty(colon),
        }
        Ok(())
    }

    fn read_sequence(&mut self) -> Result<(), NotSimple> {
        let (start, column) = (self.cursor.at, self.cursor.column());
        self.open(NodeShape::Sequence, StructureStyle::Block, start, start)?;
        while self.continues_at(column)? && self.is_at_dash() {
            self.read_item(column)?;
        }
        self.close(start, start);
        Ok(())
    }

    /// Reads the item after the dash at the cursor, in a list whose dashes are in `column`.
    fn read_item(&mut self, column: usize) -> Result<(), NotSimple> {
        self.cursor.at += 1;
        let after_dash = self.cursor.at;
        if !self.cursor.is_blank_or_comment() {
            return if self.is_at_key() { self.read_mapping() } else { self.read_inline(column) };
        }
        self.skip_to_next_content()?;
        if self.is_at_content() && self.cursor.column() > column {
            return self.read_block();
        }
        self.push_empty(after_dash);
        Ok(())
    }

    /// Reads the node that starts at the cursor and moves to the next line. Unless the node is a block, it ends at the
    /// end of the line.
    fn read_inline(&mut self, column: usize) -> Result<(), NotSimple> {
        match self.cursor.current_byte() {
            b'{' | b'[' => self.read_flow()?,
            b'|' => self.read_literal(column)?,
            b'"' | b'\'' => self.read_quoted()?,
            _ => self.read_plain()?,
        }
        self.skip_to_next_content()
    }

    fn is_at_dash(&self) -> bool {
        self.cursor.current_byte() == b'-' && self.cursor.is_blank(self.cursor.at + 1)
    }
}

/// Methods that read flow collections.
impl Reader<'_, '_> {
    /// Reads the collection whose opening bracket is at the cursor.
    pub fn read_flow(&mut self) -> Result<(), NotSimple> {
        let start = self.cursor.at;
        let is_mapping = self.cursor.current_byte() == b'{';
        let (shape, closing) = match is_mapping {
            true => (NodeShape::Mapping, b'}'),
            false => (NodeShape::Sequence, b']'),
        };
        self.open(shape, StructureStyle::Flow, start, start + 1)?;
        self.cursor.at += 1;
        self.cursor.skip_spaces();
        let mut has_more = self.cursor.current_byte() != closing;
        while has_more {
            if is_mapping {
                self.read_key()?;
                self.cursor.at += 1;
            }
            self.read_flow_value()?;
            self.cursor.skip_spaces();
            has_more = match self.cursor.current_byte() {
                b',' => true,
                byte if byte == closing => false,
                _ => return Err(NotSimple),
            };
            self.cursor.at += usize::from(has_more);
            self.cursor.skip_spaces();
        }
        let end = self.cursor.at + 1;
        self.cursor.at = end;
        self.close(end - 1, end);
        Ok(())
    }

    fn read_flow_value(&mut self) -> Result<(), NotSimple> {
        self.cursor.skip_spaces();
        match self.cursor.current_byte() {
            b'{' | b'[' => self.read_flow(),
            b'"' | b'\'' => self.read_quoted(),
            first if is_word(first) => self.read_flow_plain(),
            _ => Err(NotSimple),
        }
    }

    /// Reads a plain scalar that consists of words, which may contain colons.
    fn read_flow_plain(&mut self) -> Result<(), NotSimple> {
        let mut end = self.cursor.at;
        loop {
            end += 1;
            match self.cursor.byte(end) {
                byte if is_word(byte) || matches!(byte, b'-' | b'=' | b'*') => {}
                b':' if is_word(self.cursor.byte(end + 1)) => {}
                b' ' | b',' | b']' | b'}' => return self.read_plain_to(end),
                _ => return Err(NotSimple),
            }
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'/' | b'$' | b'(' | b')' | b'+' | b'^')
}

//! Mappings and lists between brackets that stand on one line.

use granit_parser::{Event, StructureStyle};

use super::Unknown;
use super::stream::Reader;

impl Reader<'_> {
    /// The collection whose bracket opens here.
    pub fn flow(&mut self) -> Result<(), Unknown> {
        match self.cursor.here() {
            b'{' => self.flow_mapping(),
            _ => self.flow_sequence(),
        }
    }

    fn flow_mapping(&mut self) -> Result<(), Unknown> {
        let start = self.cursor.at;
        let event = Event::MappingStart(StructureStyle::Flow, 0, None);
        self.open(event, start, start + 1)?;
        self.flow_parts(b'}', |reader| {
            reader.key()?;
            reader.cursor.at += 1;
            reader.flow_value()
        })?;
        let end = self.cursor.at;
        self.close(Event::MappingEnd, end - 1, end)
    }

    fn flow_sequence(&mut self) -> Result<(), Unknown> {
        let start = self.cursor.at;
        let event = Event::SequenceStart(StructureStyle::Flow, 0, None);
        self.open(event, start, start + 1)?;
        self.flow_parts(b']', Self::flow_value)?;
        let end = self.cursor.at;
        self.close(Event::SequenceEnd, end - 1, end)
    }

    /// From the bracket that opens to behind the one that closes.
    fn flow_parts(&mut self, closing: u8, part: impl Fn(&mut Self) -> Result<(), Unknown>) -> Result<(), Unknown> {
        self.cursor.at += 1;
        self.cursor.skip_spaces();
        let mut goes_on = self.cursor.here() != closing;
        while goes_on {
            part(self)?;
            self.cursor.skip_spaces();
            goes_on = match self.cursor.here() {
                b',' => true,
                byte if byte == closing => false,
                _ => return Err(Unknown),
            };
            self.cursor.at += usize::from(goes_on);
            self.cursor.skip_spaces();
        }
        self.cursor.at += 1;
        Ok(())
    }

    fn flow_value(&mut self) -> Result<(), Unknown> {
        self.cursor.skip_spaces();
        match self.cursor.here() {
            b'{' | b'[' => self.flow(),
            b'"' | b'\'' => self.quoted(),
            first if is_word(first) => self.flow_plain(),
            _ => Err(Unknown),
        }
    }

    /// A plain scalar of words; a colon may stand within one.
    fn flow_plain(&mut self) -> Result<(), Unknown> {
        let mut end = self.cursor.at;
        loop {
            end += 1;
            match self.cursor.byte(end) {
                byte if is_word(byte) || matches!(byte, b'-' | b'=' | b'*') => {}
                b':' if is_word(self.cursor.byte(end + 1)) => {}
                b' ' | b',' | b']' | b'}' => return self.plain_to(end),
                _ => return Err(Unknown),
            }
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'/' | b'$' | b'(' | b')' | b'+' | b'^')
}

//! JSON output that is safe to display.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

use memchr::memmem;

use super::hidden::{is_hidden, is_plain, opens_command};

/// Escapes the characters that [`super::printable`] escapes, and the starts of CI commands, with JSON escapes. The data
/// is unchanged.
///
/// Line breaks outside strings are not escaped, and no other characters that require escaping occur there.
pub fn json(text: String) -> String {
    match escape(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(escaped) => escaped,
    }
}

fn escape(text: &str) -> Cow<'_, str> {
    let is_harmful = |(at, c): (usize, char)| match c {
        '\n' => false,
        '#' => opens_command(text.get(at..).unwrap_or_default()),
        c => is_hidden(c),
    };
    if (is_plain(text, b'\n') && memmem::find(text.as_bytes(), b"##").is_none()) || !text.char_indices().any(is_harmful)
    {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 64);
    for (at, c) in text.char_indices() {
        if is_harmful((at, c)) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push(c);
        }
    }
    Cow::Owned(escaped)
}

/// A writer that escapes JSON like [`json`]. JSON strings contain no line breaks, so the output can be processed in
/// chunks of whole lines.
pub struct JsonLines<W> {
    pending: Vec<u8>,
    out: W,
}

impl<W: Write> JsonLines<W> {
    /// Minimum number of bytes to process at a time.
    const SIZE: usize = 1 << 16;

    /// Returns a writer that passes lines on to `out` in chunks.
    pub fn new(out: W) -> Self {
        let pending = Vec::new();
        Self { pending, out }
    }

    fn write_pending(&mut self, length: usize) -> io::Result<()> {
        let lines = self.pending.get(..length).unwrap_or_default();
        let lines = str::from_utf8(lines).map_err(io::Error::other)?;
        self.out.write_all(escape(lines).as_bytes())?;
        self.pending.drain(..length);
        Ok(())
    }
}

impl<W: Write> Write for JsonLines<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.pending.extend_from_slice(bytes);
        if self.pending.len() >= Self::SIZE
            && let Some(last) = bytes.iter().rposition(|&byte| byte == b'\n')
        {
            let trailing_bytes = bytes.len() - last - 1;
            self.write_pending(self.pending.len() - trailing_bytes)?;
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_pending(self.pending.len())?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn writes_lines_in_chunks() {
        let mut lines = JsonLines::new(Vec::new());
        let line = format!("{}\n", "1".repeat(40));
        let write_part = |lines: &mut JsonLines<Vec<u8>>, text: &str| {
            lines.write_all(text.as_bytes()).unwrap();
            lines.out.len()
        };
        assert_eq!(write_part(&mut lines, &line), 0);
        let many_lines = line.repeat(JsonLines::<Vec<u8>>::SIZE / line.len());
        assert_eq!(write_part(&mut lines, &format!("{many_lines}[")), line.len() + many_lines.len());
        lines.flush().unwrap();
        assert!(lines.out.ends_with(b"\n["));
        let mut lines = JsonLines::new(Vec::new());
        let longest_line = format!("{}\n", "1".repeat(JsonLines::<Vec<u8>>::SIZE - 1));
        assert_eq!(lines.write(&longest_line.as_bytes()[1..]).unwrap(), longest_line.len() - 1);
        assert!(lines.out.is_empty());
        assert_eq!(write_part(&mut lines, "\n"), longest_line.len());
        assert_eq!(write_part(&mut lines, &longest_line), 2 * longest_line.len());
        lines.write_all("\"\u{202e}\"".as_bytes()).unwrap();
        lines.flush().unwrap();
        assert!(lines.out.ends_with(br#""\u202e""#));
    }

    #[test]
    fn escaping_preserves_the_data() {
        let value = json!({"\u{202e}a": "\u{1b}\n\u{7f}é##[x]\u{e0041}", "b": ["#"]});
        let text = json(format!("{value:#}\n"));
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        for escaped in [r#""\u202ea""#, r"\u001b\n\u007fé\u0023#[x]\udb40\udc41", r##""#""##] {
            assert!(text.contains(escaped), "{text}");
        }
        let plain = "{\n  \"a\": \"é # ##\"\n}\n";
        assert_eq!(json(plain.to_owned()), plain);
    }
}

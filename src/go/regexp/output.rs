//! Translates a Go expression into an equivalent one for the `regex` crate.
//!
//! Syntax that both languages share is copied. The rest is rewritten:
//!
//! - A character becomes `\x{…}`, so that it is never special. `\Q…\E` and a literal `{` become such characters.
//! - `\d`, `\s`, `\w` and `\b` become ASCII-only.
//! - Groups lose their names, which need not be unique in Go, and flags are written once.
//! - An item is wrapped in a group if a flag stands between it and its repetition operator, as in `a(?i)*`.

use std::fmt::Write;

/// An expression for `regex::bytes`.
#[derive(Default)]
pub(super) struct RustExpression {
    pub text: String,
    /// Names of the groups in the expression.
    pub names: Vec<Option<String>>,
    /// Estimated compiled size, in characters.
    pub size: u64,
    last: Option<LastItem>,
}

/// Byte range of the last item in the output, to which a repetition operator may apply.
#[derive(Clone, Copy)]
struct LastItem {
    start: usize,
    end: usize,
    is_repeated: bool,
}

impl RustExpression {
    /// Marks the output from `start` on as the last item.
    pub fn mark_item(&mut self, start: usize) {
        self.last = Some(LastItem { start, end: self.text.len(), is_repeated: false });
    }

    /// Writes the start of a sequence, such as `(` or `|`, after which there is no item to repeat yet.
    pub fn open(&mut self, opening: &str) {
        self.text.push_str(opening);
        self.last = None;
    }

    /// Repeats the last item, even if flags follow it.
    pub fn repeat(&mut self, operator: &str) {
        let Some(item) = self.last else { return };
        let (opening, closing) = if item.is_repeated { ("(?:", ")") } else { ("", "") };
        self.text.insert_str(item.end, &format!("{closing}{operator}"));
        self.text.insert_str(item.start, opening);
        self.last = Some(LastItem {
            end: item.end + opening.len() + closing.len() + operator.len(),
            is_repeated: true,
            ..item
        });
    }

    /// Writes a character as a literal, inside or outside a class. Surrogates never occur in text, so they match
    /// nothing.
    pub fn write_character(&mut self, value: u32) {
        match char::from_u32(value) {
            Some(plain) if plain.is_ascii_alphanumeric() || plain == '_' => self.text.push(plain),
            Some(_) => {
                let _ = write!(self.text, "\\x{{{value:x}}}");
            }
            None => self.text.push_str(NOTHING),
        }
    }

    /// Writes a range in a class, omitting surrogates.
    pub fn write_range(&mut self, low: u32, high: u32) {
        let low = if (0xd800..0xe000).contains(&low) { 0xe000 } else { low };
        let high = if (0xd800..0xe000).contains(&high) { 0xd7ff } else { high };
        if low > high {
            self.text.push_str(NOTHING);
            return;
        }
        self.write_character(low);
        self.text.push('-');
        self.write_character(high);
    }
}

/// Expression that matches no character. Inside a class, it adds no characters.
pub(super) const NOTHING: &str = "[a&&b]";
/// Expression that matches any character.
pub(super) const ANYTHING: &str = "[\\x{0}-\\x{10ffff}]";

/// Translates a letter escape, or returns `None` if the escape represents a character.
pub(super) fn shorthand(escaped: u8) -> Option<&'static str> {
    Some(match escaped {
        b'A' => "\\A",
        b'z' => "\\z",
        b'b' => "(?-u:\\b)",
        b'B' => "(?-u:\\B)",
        _ => return class_shorthand(escaped),
    })
}

/// Translates a letter escape inside a class, or returns `None` if the escape represents a character.
pub(super) fn class_shorthand(escaped: u8) -> Option<&'static str> {
    Some(match escaped {
        b'd' => "[0-9]",
        b'D' => "[^0-9]",
        b's' => "[\\t\\n\\x0c\\r ]",
        b'S' => "[^\\t\\n\\x0c\\r ]",
        b'w' => "[0-9A-Za-z_]",
        b'W' => "[^0-9A-Za-z_]",
        _ => return None,
    })
}

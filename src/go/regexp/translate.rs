//! Go's spelling of an expression → that of the crate `regex`, which means the same.
//!
//! What both spell alike is written as it is. The rest: characters become `\x{…}`, so that none of them has a meaning of its own;
//! `\d`, `\s`, `\w` and `\b` are ASCII; groups lose their names, which Go allows twice; flags stand once; `\Q…\E` and a literal `{`
//! become characters; what Go repeats although a flag stands between is put in a group.

use std::fmt::Write;

use super::parser::{Count, Parser};
use super::unicode::{Property, property};
use super::verdict::Error;

/// An expression for `regex::bytes`, and the names of its groups, of which the first is the whole.
pub(super) struct Translated {
    pub pattern: String,
    pub names: Vec<Option<String>>,
}

/// Translates an expression that Go accepts.
pub(super) fn translate(pattern: &str) -> Result<Translated, Error> {
    Parser::new(pattern).parse()?;
    let mut translator = Translator {
        parser: Parser::new(pattern),
        out: String::with_capacity(pattern.len() * 2),
        names: vec![None],
        groups: Vec::new(),
        last: None,
    };
    while let Some(byte) = translator.parser.peek() {
        translator.token(byte)?;
    }
    Ok(Translated {
        pattern: translator.out,
        names: translator.names,
    })
}

/// The bytes of the output that an item takes, to which a repetition may apply.
#[derive(Clone, Copy)]
struct Written {
    start: usize,
    end: usize,
    is_repeated: bool,
}

struct Translator<'t> {
    parser: Parser<'t>,
    out: String,
    names: Vec<Option<String>>,
    /// Where the groups around this place start in the output.
    groups: Vec<usize>,
    last: Option<Written>,
}

impl Translator<'_> {
    fn token(&mut self, byte: u8) -> Result<(), Error> {
        let start = self.out.len();
        match byte {
            b'(' => return self.open(),
            b'|' => {
                self.parser.at += 1;
                self.out.push('|');
                self.last = None;
                return Ok(());
            }
            b'*' | b'+' | b'?' => {
                self.parser.at += 1;
                self.repeat(&char::from(byte).to_string());
                return Ok(());
            }
            b'{' => {
                if let Some(count) = Count::read(self.parser.rest()) {
                    let text = self.parser.rest().get(..count.length).unwrap_or_default().to_owned();
                    self.parser.at += count.length;
                    self.repeat(&text);
                    return Ok(());
                }
                self.literal_char();
            }
            b')' => {
                self.parser.at += 1;
                self.out.push(')');
                let start = self.groups.pop().unwrap_or(start);
                self.item(start);
                return Ok(());
            }
            b'^' | b'$' | b'.' => {
                self.parser.at += 1;
                self.out.push(char::from(byte));
            }
            b'[' => self.class()?,
            b'\\' => return self.backslash(),
            _ => self.literal_char(),
        }
        self.item(start);
        Ok(())
    }

    /// What was written from `start` on is the last item.
    fn item(&mut self, start: usize) {
        self.last = Some(Written {
            start,
            end: self.out.len(),
            is_repeated: false,
        });
    }

    /// Repeats the last item; flags may stand behind it.
    fn repeat(&mut self, operator: &str) {
        let is_reluctant = self.parser.peek() == Some(b'?');
        self.parser.at += usize::from(is_reluctant);
        let Some(item) = self.last else { return };
        let is_plain = !item.is_repeated && item.end == self.out.len();
        let reluctant = if is_reluctant { "?" } else { "" };
        let behind = match is_plain {
            true => format!("{operator}{reluctant}"),
            false => format!("){operator}{reluctant}"),
        };
        self.out.insert_str(item.end, &behind);
        let mut end = item.end + behind.len();
        if !is_plain {
            self.out.insert_str(item.start, "(?:");
            end += 3;
        }
        self.last = Some(Written {
            end,
            is_repeated: true,
            ..item
        });
    }

    fn literal_char(&mut self) {
        if let Some(character) = self.parser.next_char() {
            self.character(u32::from(character));
        }
    }

    /// A character as a literal, outside or inside of a class. Text has no surrogates: such a one matches nothing.
    fn character(&mut self, value: u32) {
        match char::from_u32(value) {
            Some(plain) if plain.is_ascii_alphanumeric() => self.out.push(plain),
            Some(_) => {
                let _ = write!(self.out, "\\x{{{value:x}}}");
            }
            None => self.out.push_str(NOTHING),
        }
    }

    fn open(&mut self) -> Result<(), Error> {
        let rest = self.parser.rest();
        let prefix = ["(?P<", "(?<"].into_iter().find(|prefix| rest.starts_with(prefix));
        if let Some(prefix) = prefix {
            let name = rest.get(prefix.len()..).unwrap_or_default().split('>').next();
            let name = name.unwrap_or_default().to_owned();
            self.parser.at += prefix.len() + name.len() + 1;
            self.names.push(Some(name));
            self.enter("(");
        } else if rest.starts_with("(?") {
            self.flags();
        } else {
            self.parser.at += 1;
            self.names.push(None);
            self.enter("(");
        }
        Ok(())
    }

    fn enter(&mut self, opening: &str) {
        self.groups.push(self.out.len());
        self.out.push_str(opening);
        self.last = None;
    }

    /// `(?i-s)` or `(?i-s:`; of a flag that is set and cleared, the latter counts.
    fn flags(&mut self) {
        self.parser.at += 2;
        let (mut set, mut cleared, mut clears) = (String::new(), String::new(), false);
        while let Some(next) = self.parser.next_char() {
            match next {
                ':' | ')' => {
                    set.retain(|flag| !cleared.contains(flag));
                    let dash = if cleared.is_empty() { "" } else { "-" };
                    if next == ':' {
                        self.enter(&format!("(?{set}{dash}{cleared}:"));
                    } else if !set.is_empty() || !cleared.is_empty() {
                        self.out.push_str(&format!("(?{set}{dash}{cleared})"));
                    }
                    return;
                }
                '-' => clears = true,
                flag => {
                    let flags = if clears { &mut cleared } else { &mut set };
                    if !flags.contains(flag) {
                        flags.push(flag);
                    }
                }
            }
        }
    }

    fn backslash(&mut self) -> Result<(), Error> {
        let start = self.out.len();
        match self.parser.byte_after(1) {
            Some(b'Q') => {
                self.quoted();
                return Ok(());
            }
            Some(b'p' | b'P') => self.property()?,
            Some(escaped) => match shorthand(escaped) {
                Some(meaning) => {
                    self.parser.at += 2;
                    self.out.push_str(meaning);
                }
                None => {
                    let value = self.parser.escape()?;
                    self.character(value);
                }
            },
            None => {
                let value = self.parser.escape()?;
                self.character(value);
            }
        }
        self.item(start);
        Ok(())
    }

    fn quoted(&mut self) {
        self.parser.at += 2;
        let rest = self.parser.rest();
        let (literal, length) = match rest.find("\\E") {
            Some(end) => (rest.get(..end).unwrap_or_default(), end + 2),
            None => (rest, rest.len()),
        };
        self.parser.at += length;
        for character in literal.chars() {
            let start = self.out.len();
            self.character(u32::from(character));
            self.item(start);
        }
    }

    /// `\pL`, `\P{Greek}`, `\p{^Lu}`.
    fn property(&mut self) -> Result<(), Error> {
        let is_upper = self.parser.byte_after(1) == Some(b'P');
        let name = self.parser.property_name()?;
        let plain = name.strip_prefix('^').unwrap_or(name);
        let is_negated = is_upper != (plain.len() < name.len());
        let (sign, escape) = if is_negated { ("^", 'P') } else { ("", 'p') };
        match (property(plain), plain) {
            // Go's category has no code points that are not assigned.
            (_, "C") => self
                .out
                .push_str(&format!("[{sign}\\p{{gc=Cc}}\\p{{gc=Cf}}\\p{{gc=Co}}]")),
            (_, "Cs") if is_negated => self.out.push_str(ANYTHING),
            (_, "Cs") => self.out.push_str(NOTHING),
            (Some(Property::Any), _) if is_negated => self.out.push_str(NOTHING),
            (Some(Property::Any), _) => self.out.push_str(ANYTHING),
            (Some(Property::Category), name) => self.out.push_str(&format!("\\{escape}{{gc={name}}}")),
            (Some(Property::Script) | None, name) => self.out.push_str(&format!("\\{escape}{{sc={name}}}")),
        }
        Ok(())
    }

    /// A class in brackets, in which classes that have names are nested.
    fn class(&mut self) -> Result<(), Error> {
        self.parser.at += 1;
        self.out.push('[');
        if self.parser.peek() == Some(b'^') {
            self.parser.at += 1;
            self.out.push('^');
        }
        let mut is_first = true;
        while let Some(byte) = self.parser.peek().filter(|byte| is_first || *byte != b']') {
            is_first = false;
            match (byte, self.parser.byte_after(1)) {
                (b'[', Some(b':')) if self.posix_class() => {}
                (b'\\', Some(b'p' | b'P')) => self.property()?,
                (b'\\', Some(escaped @ (b'd' | b'D' | b's' | b'S' | b'w' | b'W'))) => {
                    self.parser.at += 2;
                    self.out.push_str(shorthand(escaped).unwrap_or_default());
                }
                _ => self.range()?,
            }
        }
        self.parser.at += 1;
        self.out.push(']');
        Ok(())
    }

    fn posix_class(&mut self) -> bool {
        let rest = self.parser.rest();
        let end = match self.parser.no_posix_end {
            true => None,
            false => rest.find(":]"),
        };
        let name = end.and_then(|end| rest.get(..end + 2));
        match name {
            Some(name) => {
                self.out.push_str(name);
                self.parser.at += name.len();
            }
            None => self.parser.no_posix_end = true,
        }
        name.is_some()
    }

    fn range(&mut self) -> Result<(), Error> {
        let low = self.class_char()?;
        let is_range = self.parser.peek() == Some(b'-') && !matches!(self.parser.byte_after(1), None | Some(b']'));
        if !is_range {
            self.character(low);
            return Ok(());
        }
        self.parser.at += 1;
        let high = self.class_char()?;
        // Without the surrogates, of which text has none.
        let low = if (0xd800..0xe000).contains(&low) { 0xe000 } else { low };
        let high = if (0xd800..0xe000).contains(&high) { 0xd7ff } else { high };
        if low > high {
            self.out.push_str(NOTHING);
            return Ok(());
        }
        self.character(low);
        self.out.push('-');
        self.character(high);
        Ok(())
    }

    fn class_char(&mut self) -> Result<u32, Error> {
        if self.parser.peek() == Some(b'\\') {
            return self.parser.escape();
        }
        Ok(self.parser.next_char().map_or(0, u32::from))
    }
}

/// Matches no character; nested in a class, it adds none.
const NOTHING: &str = "[a&&b]";
/// Matches any character.
const ANYTHING: &str = "[\\x{0}-\\x{10ffff}]";

/// What an escape with a letter means; `None` for one that stands for a character.
fn shorthand(escaped: u8) -> Option<&'static str> {
    Some(match escaped {
        b'A' => "\\A",
        b'z' => "\\z",
        b'b' => "(?-u:\\b)",
        b'B' => "(?-u:\\B)",
        b'd' => "[0-9]",
        b'D' => "[^0-9]",
        b's' => "[\\t\\n\\x0c\\r ]",
        b'S' => "[^\\t\\n\\x0c\\r ]",
        b'w' => "[0-9A-Za-z_]",
        b'W' => "[^0-9A-Za-z_]",
        _ => return None,
    })
}

//! The simple style that manifests are mostly written in → its documents, several times as fast as the library's parser.
//!
//! It reads block mappings and lists, scalars that stand on one line, brackets that close on the line where they open,
//! literal block scalars, comments and `---`. At the first thing beyond it gives the whole text up, and the library
//! reads it: so it has neither mistakes to report nor rules to decide, and what it does read is what the library reads,
//! to the byte.

mod block;
mod cursor;
mod flow;
mod literal;
mod scalar;
mod stream;
#[cfg(test)]
mod tests;

use super::limits::{Limits, MAX_TEXT};
use super::node::Document;
use crate::diagnostic::Warned;
use crate::source::SourceId;

/// The documents of a text in the simple style, as [`read_with_library`](super::read_with_library) gives them; `None`
/// for any other text.
pub fn read_simple<'s>(source: SourceId, text: &'s str, limits: &Limits) -> Option<Warned<Vec<Document<'s>>>> {
    let known = text.len() <= MAX_TEXT && is_known(text);
    known.then(|| stream::read(source, text, limits).ok()).flatten()
}

/// Something beyond the simple style.
struct Unknown;

/// Whether every character means itself: no tabs, carriage returns, byte order marks or other line breaks.
fn is_known(text: &str) -> bool {
    let is_plain = |byte: &u8| matches!(byte, b'\n' | b' '..=b'~');
    // Whole stretches, without a way out of them, are what the compiler makes vector instructions of.
    let ascii = |bytes: &[u8]| bytes.iter().fold(true, |plain, byte| plain & is_plain(byte));
    text.as_bytes().chunks(1024).all(ascii) || text.chars().all(is_known_char)
}

fn is_known_char(c: char) -> bool {
    let is_break = matches!(c, '\u{2028}' | '\u{2029}');
    let is_mark = matches!(c, '\u{feff}' | '\u{fffe}'..='\u{ffff}');
    matches!(c, '\n' | ' '..='~' | '\u{a0}'..) && !is_break && !is_mark
}

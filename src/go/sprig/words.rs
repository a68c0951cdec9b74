//! Functions that split names into words (`xstrings` and `goutils`).

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use crate::go::case::{to_lower, to_upper};
use crate::go::text::is_letter;

/// Kind of characters in a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WordKind {
    Invalid,
    Number,
    UpperCase,
    Alphabet,
    Connector,
    Punctuation,
    Other,
}

/// Port of `xstrings.ToSnakeCase` and `ToKebabCase`.
pub fn join_words(text: &str, connector: char) -> String {
    let mut out = String::new();
    let (mut kind, mut word, mut rest) = next_word(text);
    while !rest.is_empty() {
        if kind != WordKind::Connector {
            push_lower(&mut out, kind, word, connector);
        }
        let (previous, last) = (kind, word);
        (kind, word, rest) = next_word(rest);
        match previous {
            WordKind::Number => {
                (kind, word, rest) = push_words(&mut out, (kind, word, rest), connector);
                if !matches!(kind, WordKind::Invalid | WordKind::Punctuation | WordKind::Connector) {
                    out.push(connector);
                }
            }
            WordKind::Connector => push_lower(&mut out, previous, last, connector),
            WordKind::Punctuation => {}
            _ if kind != WordKind::Number => {
                if !matches!(kind, WordKind::Connector | WordKind::Punctuation) {
                    out.push(connector);
                }
            }
            _ if rest.is_empty() => {}
            _ => {
                let number = word;
                (kind, word, rest) = next_word(rest);
                // A number belongs to the word before it, unless lowercase letters follow.
                if kind != WordKind::Alphabet {
                    push_lower(&mut out, WordKind::Number, number, connector);
                    if !matches!(kind, WordKind::Connector | WordKind::Punctuation) {
                        out.push(connector);
                    }
                    continue;
                }
                out.push(connector);
                push_lower(&mut out, WordKind::Number, number, connector);
                (kind, word, rest) = push_words(&mut out, (kind, word, rest), connector);
                if !matches!(kind, WordKind::Invalid | WordKind::Connector | WordKind::Punctuation) {
                    out.push(connector);
                }
            }
        }
    }
    push_lower(&mut out, kind, word, connector);
    out
}

/// Appends the consecutive words, starting with `next`, that consist of lowercase letters or digits. Returns the first
/// other word and the text after it.
fn push_words<'t>(
    out: &mut String,
    mut next: (WordKind, &'t str, &'t str),
    connector: char,
) -> (WordKind, &'t str, &'t str) {
    while matches!(next.0, WordKind::Alphabet | WordKind::Number) {
        push_lower(out, next.0, next.1, connector);
        next = next_word(next.2);
    }
    next
}

fn push_lower(out: &mut String, kind: WordKind, word: &str, connector: char) {
    if !matches!(kind, WordKind::UpperCase | WordKind::Connector) {
        return out.push_str(word);
    }
    for c in word.chars() {
        match is_connector(c) {
            true => out.push(connector),
            false => out.push_str(&to_lower(c.encode_utf8(&mut [0; 4]))),
        }
    }
}

/// Splits off the first word (`nextWord`).
fn next_word(text: &str) -> (WordKind, &str, &str) {
    let Some(first) = text.chars().next() else {
        return (WordKind::Invalid, "", "");
    };
    let rest = text.get(first.len_utf8()..).unwrap_or_default();
    let count = |rest: &str, is_part: &dyn Fn(char) -> bool| rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    let is_lower = |c: char| is_alphabet(c) && !c.is_uppercase();
    let (kind, more) = if is_connector(first) {
        (WordKind::Connector, count(rest, &is_connector))
    } else if is_punctuation(first) {
        (WordKind::Punctuation, count(rest, &is_punctuation))
    } else if first.is_uppercase() {
        let upper = count(rest, &char::is_uppercase);
        let next = rest.get(upper..).and_then(|rest| rest.chars().next());
        let more = match next {
            _ if upper == 0 => count(rest, &is_lower),
            // The last capital belongs to the next word, as in `HTTPStatus`.
            Some(c) if is_alphabet(c) => {
                let last = rest.get(..upper).and_then(|rest| rest.chars().next_back());
                upper - last.map_or(0, char::len_utf8)
            }
            _ => upper,
        };
        (WordKind::UpperCase, more)
    } else if is_alphabet(first) {
        (WordKind::Alphabet, count(rest, &is_lower))
    } else if first.is_numeric() {
        (WordKind::Number, count(rest, &char::is_numeric))
    } else {
        let is_other_character = |c: char| !is_connector(c) && !is_alphabet(c) && !c.is_numeric() && !is_punctuation(c);
        (WordKind::Other, count(rest, &is_other_character))
    };
    let (word, rest) = text.split_at_checked(first.len_utf8() + more).unwrap_or((text, ""));
    (kind, word, rest)
}

/// Port of `xstrings.ToPascalCase`.
pub fn camel_case(text: &str) -> String {
    let mut out = String::new();
    let mut characters = text.chars();
    let mut current = None;
    for c in characters.by_ref() {
        if is_connector(c) {
            out.push(c);
            continue;
        }
        current = Some(upper(c));
        break;
    }
    let Some(mut current) = current else {
        return out;
    };
    for c in characters {
        match (is_connector(c), is_connector(current)) {
            (true, true) => {
                out.push(current);
                current = c;
            }
            (_, true) => current = upper(c),
            (_, false) => {
                out.push(current);
                current = c;
            }
        }
    }
    out.push(current);
    out
}

fn upper(c: char) -> char {
    to_upper(c.encode_utf8(&mut [0; 4])).chars().next().unwrap_or(c)
}

/// Port of `goutils.Uncapitalize`.
pub fn untitle(text: &str) -> String {
    let mut is_next = true;
    let lowered = text.chars().map(|c| {
        if c.is_whitespace() {
            is_next = true;
        } else if std::mem::take(&mut is_next) {
            return to_lower(c.encode_utf8(&mut [0; 4]));
        }
        c.to_string()
    });
    lowered.collect()
}

/// Returns the first letter of each word (`goutils.Initials`).
pub fn initials(text: &str) -> String {
    text.split_whitespace().filter_map(|word| word.chars().next()).collect()
}

/// Port of `goutils.SwapCase`.
pub fn swap_case(text: &str) -> String {
    let swapped = text.chars().map(|c| {
        let character = c.to_string();
        if c.is_uppercase() { to_lower(&character) } else { to_upper(&character) }
    });
    swapped.collect()
}

fn is_connector(c: char) -> bool {
    matches!(c, '-' | '_') || c.is_whitespace()
}

fn is_punctuation(c: char) -> bool {
    c.general_category_group() == GeneralCategoryGroup::Punctuation
}

/// Whether a character is a letter of a script that separates words with spaces, unlike Chinese.
fn is_alphabet(c: char) -> bool {
    is_letter(c) && c < '\u{3400}'
}

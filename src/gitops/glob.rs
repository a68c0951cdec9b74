//! Patterns, as interpreted by Go's `path.Match`.

/// Set of characters that `*` and `?` match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Star {
    /// Any character except `/` (`path.Match`, `filepath.Match`).
    AnyName,
    /// Any character, as in Flux's `envsubst/path`.
    Anything,
}

/// A malformed pattern (`ErrBadPattern`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadPattern;

/// Whether an entire name matches a pattern.
///
/// # Errors
///
/// Returns an error if the pattern is malformed in the part that is processed before the result is known.
pub fn matches(pattern: &str, name: &str, star: Star) -> Result<bool, BadPattern> {
    bytes_match(pattern.as_bytes(), name.as_bytes(), star)
}

/// Like [`matches`], for names that may be cut in the middle of a character.
///
/// # Errors
///
/// Returns an error if the pattern is malformed in the part that is processed before the result is known.
pub fn bytes_match(mut pattern: &[u8], mut name: &[u8], star: Star) -> Result<bool, BadPattern> {
    'pattern: while !pattern.is_empty() {
        let (has_star, chunk, rest) = split_chunk(pattern);
        pattern = rest;
        if has_star && chunk.is_empty() {
            return Ok(star == Star::Anything || !name.contains(&b'/'));
        }
        let remaining = strip_chunk_match(chunk, name, star)?;
        if let Some(remaining_name) = remaining.filter(|left| left.is_empty() || !pattern.is_empty()) {
            name = remaining_name;
            continue;
        }
        if has_star {
            for i in 0..name.len() {
                if star == Star::AnyName && name.get(i) == Some(&b'/') {
                    break;
                }
                let name_after = name.get(i + 1..).unwrap_or_default();
                if let Some(remaining_name) = strip_chunk_match(chunk, name_after, star)? {
                    if pattern.is_empty() && !remaining_name.is_empty() {
                        continue;
                    }
                    name = remaining_name;
                    continue 'pattern;
                }
            }
        }
        return Ok(false);
    }
    Ok(name.is_empty())
}

/// Splits off the part of a pattern up to the next star.
fn split_chunk(mut pattern: &[u8]) -> (bool, &[u8], &[u8]) {
    let mut has_star = false;
    while let Some(rest) = pattern.strip_prefix(b"*") {
        (pattern, has_star) = (rest, true);
    }
    let (mut in_range, mut i) = (false, 0);
    while let Some(byte) = pattern.get(i) {
        match byte {
            b'\\' if i + 1 < pattern.len() => i += 1,
            b'[' => in_range = true,
            b']' => in_range = false,
            b'*' if !in_range => break,
            _ => {}
        }
        i += 1;
    }
    let (chunk, rest) = pattern.split_at(i.min(pattern.len()));
    (has_star, chunk, rest)
}

/// Returns the part of a name that follows the match of a chunk, or `None` if the name does not start with a match. A
/// chunk is a part of a pattern without stars.
fn strip_chunk_match<'n>(mut chunk: &[u8], mut name: &'n [u8], star: Star) -> Result<Option<&'n [u8]>, BadPattern> {
    while let Some((&first, rest)) = chunk.split_first() {
        if name.is_empty() {
            return Ok(None);
        }
        match first {
            b'[' => {
                let (character, width) = decode_char(name);
                name = name.get(width..).unwrap_or_default();
                let (is_match, remaining) = match_class(rest, character)?;
                chunk = remaining;
                if !is_match {
                    return Ok(None);
                }
            }
            b'?' => {
                if star == Star::AnyName && name.first() == Some(&b'/') {
                    return Ok(None);
                }
                name = name.get(decode_char(name).1..).unwrap_or_default();
                chunk = rest;
            }
            first => {
                let (wanted, rest) = match first {
                    b'\\' => rest.split_first().map(|(first, rest)| (*first, rest)).ok_or(BadPattern)?,
                    first => (first, rest),
                };
                match name.split_first() {
                    Some((expected, remaining)) if *expected == wanted => (name, chunk) = (remaining, rest),
                    _ => return Ok(None),
                }
            }
        }
    }
    Ok(Some(name))
}

/// Returns whether a character class contains a character, and the text after the class. The class starts after `[`.
fn match_class(mut text: &[u8], character: char) -> Result<(bool, &[u8]), BadPattern> {
    let is_negated = text.first() == Some(&b'^');
    if is_negated {
        text = text.get(1..).unwrap_or_default();
    }
    let (mut is_match, mut range_count) = (false, 0);
    loop {
        if range_count > 0
            && let Some(rest) = text.strip_prefix(b"]")
        {
            return Ok((is_match != is_negated, rest));
        }
        let (low, rest) = read_class_character(text)?;
        let (high, rest) = match rest.strip_prefix(b"-") {
            Some(rest) => read_class_character(rest)?,
            None => (low, rest),
        };
        is_match |= (low..=high).contains(&character);
        text = rest;
        range_count += 1;
    }
}

/// Reads one character of a character class. The character may be escaped.
fn read_class_character(text: &[u8]) -> Result<(char, &[u8]), BadPattern> {
    let text = match text.first() {
        None | Some(b'-' | b']') => return Err(BadPattern),
        Some(b'\\') => text.get(1..).unwrap_or_default(),
        Some(_) => text,
    };
    let (character, width) = decode_char(text);
    match text.get(width..) {
        Some(rest) if !rest.is_empty() && !text.is_empty() => Ok((character, rest)),
        _ => Err(BadPattern),
    }
}

/// Decodes the first character as Go's `utf8.DecodeRune` does. Returns the character and its width.
fn decode_char(bytes: &[u8]) -> (char, usize) {
    let first_bytes = bytes.get(..bytes.len().min(4)).unwrap_or_default();
    let valid_text = match std::str::from_utf8(first_bytes) {
        Ok(text) => text,
        Err(error) => {
            std::str::from_utf8(first_bytes.get(..error.valid_up_to()).unwrap_or_default()).unwrap_or_default()
        }
    };
    valid_text.chars().next().map_or((char::REPLACEMENT_CHARACTER, 1), |first| (first, first.len_utf8()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_like_go() {
        for (pattern, name, expected) in [
            ("abc", "abc", Ok(true)),
            ("*", "abc", Ok(true)),
            ("*c", "abc", Ok(true)),
            ("a*", "a", Ok(true)),
            ("a*", "ab/c", Ok(false)),
            ("a*/b", "abc/b", Ok(true)),
            ("a*b*c*d*e*/f", "axbxcxdxe/f", Ok(true)),
            ("a*b?c*x", "abxbbxdbxebxczzx", Ok(true)),
            ("ab[b-d]", "abc", Ok(true)),
            ("ab[^e-g]", "abc", Ok(true)),
            ("a\\*b", "a*b", Ok(true)),
            ("a?b", "aäb", Ok(true)),
            ("a[^a]b", "aäb", Ok(true)),
            ("[a-ζ]*", "α", Ok(true)),
            ("a?b", "a/b", Ok(false)),
            ("[\\]a]", "]", Ok(true)),
            ("[]a]", "]", Err(BadPattern)),
            ("[", "a", Err(BadPattern)),
            ("a[", "ab", Err(BadPattern)),
            ("*x", "xxx", Ok(true)),
        ] {
            assert_eq!(matches(pattern, name, Star::AnyName), expected, "{pattern} {name}");
        }
        assert_eq!(matches("a*c", "a/b/c", Star::Anything), Ok(true));
    }
}

//! Slash-separated paths, as in Go's `path`.

/// Returns the shortest lexically equivalent path (`path.Clean`).
pub fn clean(path: &str) -> String {
    let is_rooted = path.starts_with('/');
    let mut elements: Vec<&str> = Vec::new();
    for element in path.split('/') {
        match element {
            "" | "." => {}
            ".." if elements.last().is_some_and(|last| *last != "..") => drop(elements.pop()),
            ".." if is_rooted => {}
            element => elements.push(element),
        }
    }
    let joined_path = elements.join("/");
    match (is_rooted, joined_path.is_empty()) {
        (true, _) => format!("/{joined_path}"),
        (false, true) => ".".to_owned(),
        (false, false) => joined_path,
    }
}

/// Returns the last element of a path (`path.Base`).
pub fn base(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    match trimmed {
        "" if path.is_empty() => ".",
        "" => "/",
        trimmed => trimmed.rsplit('/').next().unwrap_or(trimmed),
    }
}

/// Returns a path without its last element (`path.Dir`).
pub fn dir(path: &str) -> String {
    let end = path.rfind('/').map_or(0, |slash| slash + 1);
    clean(path.get(..end).unwrap_or_default())
}

/// Returns the extension of a path's last element, including the dot, or an empty string if it has none (`path.Ext`).
pub fn ext(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rfind('.').and_then(|dot| name.get(dot..)).unwrap_or_default()
}

/// Error for a malformed pattern (`path.ErrBadPattern`).
#[derive(Debug, PartialEq, Eq)]
pub struct BadPattern;

/// Whether a name matches a shell pattern, whose wildcards do not match slashes (`path.Match`).
///
/// # Errors
///
/// Fails if the pattern is malformed. Like Go, it stops at the first mismatch, so it may miss mistakes later in the
/// pattern.
pub fn is_match(pattern: &str, name: &str) -> Result<bool, BadPattern> {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    let (mut pattern_index, mut name_index) = (0, 0);
    while pattern_index < pattern.len() {
        let is_star = pattern.get(pattern_index) == Some(&'*');
        while pattern.get(pattern_index) == Some(&'*') {
            pattern_index += 1;
        }
        let chunk = chunk(&pattern, pattern_index);
        pattern_index += chunk.len();
        let rest = name.get(name_index..).unwrap_or_default();
        if is_star && chunk.is_empty() {
            return Ok(!rest.contains(&'/'));
        }
        let is_last = pattern_index == pattern.len();
        if let Some(matched) = match_chunk(chunk, rest)?
            && (!is_last || matched == rest.len())
        {
            name_index += matched;
            continue;
        }
        if !is_star {
            return Ok(false);
        }
        let before_slash = rest.iter().position(|c| *c == '/').unwrap_or(rest.len());
        let mut match_end = None;
        for skip in 1..=before_slash {
            let matched = match_chunk(chunk, rest.get(skip..).unwrap_or_default())?;
            if let Some(matched) = matched.filter(|matched| !is_last || skip + matched == rest.len()) {
                match_end = Some(skip + matched);
                break;
            }
        }
        let Some(found) = match_end else {
            return Ok(false);
        };
        name_index += found;
    }
    Ok(name_index == name.len())
}

/// Returns the pattern up to the next star (`scanChunk`).
fn chunk(pattern: &[char], start: usize) -> &[char] {
    let (mut at, mut is_in_class) = (start, false);
    while let Some(c) = pattern.get(at) {
        match c {
            '\\' => at += 1,
            '[' => is_in_class = true,
            ']' => is_in_class = false,
            '*' if !is_in_class => break,
            _ => {}
        }
        at += 1;
    }
    pattern.get(start..at.min(pattern.len())).unwrap_or_default()
}

/// Returns the number of characters that a pattern without stars matches at the start of a name (`matchChunk`).
fn match_chunk(pattern: &[char], name: &[char]) -> Result<Option<usize>, BadPattern> {
    let mut pattern = pattern.iter().copied().peekable();
    let (mut name_index, mut has_failed) = (0, false);
    while let Some(c) = pattern.next() {
        has_failed |= name_index == name.len();
        let character = name.get(name_index).copied().unwrap_or_default();
        match c {
            '[' => {
                name_index += usize::from(!has_failed);
                let is_negated = pattern.next_if_eq(&'^').is_some();
                let (mut is_in_class, mut range_count) = (false, 0);
                loop {
                    if range_count > 0 && pattern.next_if_eq(&']').is_some() {
                        break;
                    }
                    let low = class_character(&mut pattern)?;
                    let high = match pattern.next_if_eq(&'-') {
                        Some(_) => class_character(&mut pattern)?,
                        None => low,
                    };
                    // A class must be closed before the pattern ends.
                    if pattern.peek().is_none() {
                        return Err(BadPattern);
                    }
                    is_in_class |= (low..=high).contains(&character);
                    range_count += 1;
                }
                has_failed |= is_in_class == is_negated;
            }
            '?' => {
                has_failed |= character == '/';
                name_index += usize::from(!has_failed);
            }
            c => {
                let c = if c == '\\' { pattern.next().ok_or(BadPattern)? } else { c };
                has_failed |= character != c;
                name_index += usize::from(!has_failed);
            }
        }
    }
    Ok((!has_failed).then_some(name_index))
}

fn class_character(pattern: &mut impl Iterator<Item = char>) -> Result<char, BadPattern> {
    match pattern.next() {
        None | Some('-' | ']') => Err(BadPattern),
        Some('\\') => pattern.next().ok_or(BadPattern),
        Some(c) => Ok(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_and_cleans_paths_like_go() {
        for (path, expected) in
            [("", "."), ("./a//b/../c/", "a/c"), ("../../x", "../../x"), ("/../x", "/x"), ("a/../..", ".."), ("/", "/")]
        {
            assert_eq!(clean(path), expected, "{path}");
        }
        for (path, name, parent, extension) in [
            ("a/b.c/d", "d", "a/b.c", ""),
            ("a/b.tar.gz", "b.tar.gz", "a", ".gz"),
            ("", ".", ".", ""),
            ("/", "/", "/", ""),
            ("a/", "a", "a", ""),
            ("a", "a", ".", ""),
        ] {
            assert_eq!((base(path), dir(path).as_str(), ext(path)), (name, parent, extension), "{path}");
        }
    }

    /// Tests patterns from the table of Go's `TestMatch`. An error means that the pattern is malformed.
    #[test]
    fn matches_patterns_like_go() {
        for (pattern, name, expected) in [
            ("abc", "abc", Ok(true)),
            ("*", "abc", Ok(true)),
            ("*c", "abc", Ok(true)),
            ("a*", "ab/c", Ok(false)),
            ("a*/b", "abc/b", Ok(true)),
            ("a*/b", "a/c/b", Ok(false)),
            ("a*b*c*d*e*/f", "axbxcxdxe/f", Ok(true)),
            ("a*b*c*d*e*/f", "axbxcxdxexxx/fff", Ok(false)),
            ("a*b?c*x", "abxbbxdbxebxczzx", Ok(true)),
            ("a*b?c*x", "abxbbxdbxebxczzy", Ok(false)),
            ("ab[c]", "abc", Ok(true)),
            ("ab[b-d]", "abc", Ok(true)),
            ("ab[e-g]", "abc", Ok(false)),
            ("ab[^c]", "abc", Ok(false)),
            ("ab[^e-g]", "abc", Ok(true)),
            ("a\\*b", "a*b", Ok(true)),
            ("a\\*b", "ab", Ok(false)),
            ("a?b", "a☺b", Ok(true)),
            ("a[^a]b", "a☺b", Ok(true)),
            ("a???b", "a☺b", Ok(false)),
            ("[a-ζ]*", "α", Ok(true)),
            ("*[a-ζ]", "A", Ok(false)),
            ("a?b", "a/b", Ok(false)),
            ("a*b", "a/b", Ok(false)),
            ("[\\]a]", "]", Ok(true)),
            ("[\\-x]", "-", Ok(true)),
            ("[x\\-]", "z", Ok(false)),
            ("[]a]", "]", Err(BadPattern)),
            ("[-]", "-", Err(BadPattern)),
            ("[x-]", "x", Err(BadPattern)),
            ("[a-b-c]", "a", Err(BadPattern)),
            ("[", "a", Err(BadPattern)),
            ("[^bc", "a", Err(BadPattern)),
            ("a[", "a", Err(BadPattern)),
            ("a[", "ab", Err(BadPattern)),
            ("*x", "xxx", Ok(true)),
            ("apps/*/*", "apps/a/b", Ok(true)),
            ("apps/*", "apps/a/b", Ok(false)),
            ("**", "a/b", Ok(false)),
        ] {
            assert_eq!(is_match(pattern, name), expected, "{pattern} {name}");
        }
    }
}

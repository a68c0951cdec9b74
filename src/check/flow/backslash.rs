//! Backslashes that are doubled by mistake, as in `'\\d'` in single quotes.

/// Whether an expression contains an escaped backslash where an escape sequence such as `\d` was probably meant.
pub(super) fn has_doubled_backslash(pattern: &str) -> bool {
    let mut rest = pattern;
    while let Some((_, after)) = rest.split_once('\\') {
        match after.strip_prefix('\\') {
            Some(after) if after.starts_with(|c| "dDwWsSbB.".contains(c)) => return true,
            Some(after) => rest = after,
            None => rest = after.get(1..).unwrap_or_default(),
        }
    }
    false
}

/// Whether an expression requires a literal backslash before a letter or dot that was probably meant to be escaped, as
/// in `\\d`.
pub(super) fn needs_backslash(expression: &str) -> bool {
    let mut rest = expression;
    while let Some((_, after)) = rest.split_once('\\') {
        let Some(doubled) = after.strip_prefix('\\') else {
            let mut escaped = after.chars();
            escaped.next();
            rest = escaped.as_str();
            continue;
        };
        let mut characters = doubled.chars();
        let (letter, next) = (characters.next(), characters.next());
        let is_certain = match letter {
            Some('d' | 'D' | 'w' | 'W' | 's' | 'S' | 'b' | 'B') => {
                matches!(next, None | Some('*' | '+' | '?' | '{' | ')' | ']'))
            }
            Some('.') => !matches!(next, Some('*' | '+' | '?' | '{')),
            _ => false,
        };
        if is_certain {
            return true;
        }
        rest = doubled;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_doubled_backslashes() {
        for (pattern, expected) in [
            (r"a\\d+", true),
            (r"a\\.b", true),
            (r"a\d", false),
            (r"CORP\\x", false),
            (r"\\\\d", true),
            (r"\\\d", false),
        ] {
            assert_eq!(has_doubled_backslash(pattern), expected, "{pattern}");
        }
    }

    #[test]
    fn finds_expressions_that_need_a_backslash() {
        for (expression, expected) in [
            (r"a\\s", true),
            (r"(?P<x>\\d+)", true),
            (r"1\\.2", true),
            (r"C:\\Windows", false),
            (r"C:\\.*", false),
            (r"CORP\\svc", false),
            (r"\d+", false),
        ] {
            assert_eq!(needs_backslash(expression), expected, "{expression}");
        }
    }
}

//! Backslashes that are doubled by mistake, as in `'\\d'` in single quotes.

use std::iter;

use crate::flow::{Expression, FlowRule};
use crate::go::regexp::{CharRange, Piece};

/// Whether a relabeling rule matches only values with a backslash, but an escape sequence such as `\d` was probably
/// meant.
pub(super) fn has_doubled_backslash(rule: &FlowRule<'_>) -> bool {
    escaped_backslashes(&rule.pattern).any(|after| after.starts_with(|c| "dDwWsSbB.".contains(c)))
        && requires_backslash(&rule.expression)
}

/// Whether a stage's expression probably contains a doubled backslash by mistake. Because lines can contain backslashes,
/// this is certain only for an escape sequence that ends or is repeated, as in `\\d+`, and only if no other backslash is
/// deliberate, as in `C:\\Users`.
pub(super) fn has_doubled_escape(expression: &str) -> bool {
    let mut has_escape = false;
    for after in escaped_backslashes(expression) {
        let word_length = after.find(|c: char| !c.is_alphanumeric()).unwrap_or(after.len());
        let mut characters = after.chars();
        let (letter, next) = (characters.next(), characters.next());
        match letter {
            Some('d' | 'D' | 'w' | 'W' | 's' | 'S' | 'b' | 'B') if word_length == 1 => {
                has_escape |= matches!(next, None | Some('*' | '+' | '?' | '{' | ')' | ']'));
            }
            Some('.') => has_escape |= !matches!(next, Some('*' | '+' | '?' | '{')),
            _ if word_length > 0 => return false,
            _ => {}
        }
    }
    has_escape
}

/// Returns what follows each escaped backslash in an expression.
fn escaped_backslashes(expression: &str) -> impl Iterator<Item = &str> {
    let mut rest = expression;
    iter::from_fn(move || {
        loop {
            let mut after = rest.split_once('\\')?.1.chars();
            let escaped = after.next();
            rest = after.as_str();
            if escaped == Some('\\') {
                return Some(rest);
            }
        }
    })
}

/// Whether an expression matches only strings that contain a backslash.
pub(super) fn requires_backslash(expression: &Expression) -> bool {
    const OTHER_CHARACTERS: &[CharRange] = &[('\0', '['), (']', char::MAX)];
    !expression.may_match(&[Piece::Any { alphabet: OTHER_CHARACTERS, is_filled: false }])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::ExpressionCache;
    use crate::plan::RelabelRule;

    #[test]
    fn finds_doubled_backslashes() {
        for (pattern, expected) in [
            (r"a\\d+", true),
            (r"a\\.b", true),
            (r"a\d", false),
            (r"CORP\\x", false),
            (r"\\\\d", true),
            (r"\\\d", false),
            (r"a\\.b|c", false),
        ] {
            let rule = RelabelRule { regex: Some(pattern.into()), action: "keep", ..RelabelRule::default() };
            let rule = FlowRule::new(&rule, &mut ExpressionCache::default()).unwrap();
            assert_eq!(has_doubled_backslash(&rule), expected, "{pattern}");
        }
    }

    #[test]
    fn finds_doubled_escapes() {
        for (expression, expected) in [
            (r"a\\s", true),
            (r"(?P<x>\\d+)", true),
            (r"1\\.2", true),
            (r"\\d:\\d+", true),
            (r"\\[\\w+\\]", true),
            (r"C:\\Windows", false),
            (r"C:\\Users\\x\\.ssh", false),
            (r"C:\\.*", false),
            (r"CORP\\svc", false),
            (r"\d+", false),
        ] {
            assert_eq!(has_doubled_escape(expression), expected, "{expression}");
        }
    }

    #[test]
    fn finds_expressions_that_match_only_a_backslash() {
        for (expression, expected) in [
            (r".*\\d.*", true),
            (r"a\\.|\\.b", true),
            (r"a|\\.b", false),
            (r#""(?:[^"\\]|\\.)*""#, false),
            (r#""(?:[^"\\]*\\.)+""#, true),
        ] {
            let compiled = ExpressionCache::default().get(expression).unwrap();
            assert_eq!(requires_backslash(&compiled), expected, "{expression}");
        }
    }
}

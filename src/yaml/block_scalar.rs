//! Parts of a block scalar that the parser does not report: the header and the end.

use std::ops::Range;

/// Returns the offset of the `|` or `>` of the block scalar whose content starts at `content`.
pub(super) fn indicator(text: &str, content: usize) -> Option<usize> {
    let before = text.get(..content)?.trim_end();
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    let header = before.get(line..)?;
    Some(line + indicator_in(header)?)
}

/// Returns the offset of the indicator in a line. It is the first `|` or `>` followed only by modifiers or a comment;
/// the comment may contain more of these characters. A plain key cannot contain such a character, because the comment
/// would end the key; a quoted key can, and is skipped.
fn indicator_in(header: &str) -> Option<usize> {
    let mut at = 0;
    let mut may_open_quotes = true;
    while let Some(rest) = header.get(at..).filter(|rest| !rest.is_empty()) {
        let word = rest.split([' ', '\t']).next().unwrap_or_default();
        let behind = rest.get(1..).map(|rest| rest.trim_start_matches(is_modifier));
        let is_end = |rest: &str| rest.is_empty() || (is_blank(rest) && rest.trim_start().starts_with('#'));
        at += match word.chars().next() {
            None => 1,
            Some('|' | '>') if behind.is_some_and(is_end) => return Some(at),
            Some(quote @ ('"' | '\'')) if may_open_quotes => quoted(rest, quote)?,
            Some('#') => return None,
            Some(first) => {
                let is_property = matches!(first, '!' | '&') && may_open_quotes;
                may_open_quotes = is_property || matches!(word, "-" | "?" | "---") || word.ends_with(':');
                word.len()
            }
        };
    }
    None
}

fn is_blank(text: &str) -> bool {
    text.starts_with([' ', '\t'])
}

/// Returns the length of a quoted string, including its quotes.
fn quoted(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|&(_, c)| {
        let is_end = c == quote && !escaped;
        escaped = quote == '"' && c == '\\' && !escaped;
        is_end
    });
    end.map(|(at, _)| at + quote.len_utf8())
}

/// Whether the header specifies the indentation of the content.
pub(super) fn has_indentation(text: &str, content: usize) -> bool {
    modifiers(text, content).any(|c| c.is_ascii_digit())
}

/// Whether the content at `at` ends with the last line of the input and that line has no line break. go-yaml finds no
/// line break there either (`read_line` in `scannerc.go`). A line that consists only of indentation is not content.
pub(super) fn is_cut_off(text: &str, at: &Range<usize>) -> bool {
    let start_of_line =
        |end: usize| text.get(..end).and_then(|before| before.rfind(['\n', '\r'])).map_or(0, |at| at + 1);
    let indentation = at.start - start_of_line(at.start);
    at.end == text.len() && at.end - start_of_line(at.end) > indentation
}

/// Whether the content at `at` keeps a last line that consists only of indentation and has no line break. If a line
/// break is appended to the input, the content has an additional one.
pub(super) fn keeps_last_line(text: &str, at: &Range<usize>) -> bool {
    let is_last = text.get(at.end..).is_some_and(|rest| rest.trim_end().is_empty());
    let is_blank = text.ends_with(' ') && text.trim_end_matches(' ').ends_with(['\n', '\r']);
    is_last && is_blank && !is_cut_off(text, at) && modifiers(text, at.start).any(|c| c == '+')
}

/// Returns the lines of a scalar that contains only blank lines, keeps them and extends to the end of the input. All
/// spaces in these lines are indentation unless the header specifies otherwise. For such a scalar, `at` starts at the
/// indicator.
pub(super) fn blank_lines<'t>(text: &'t str, at: &Range<usize>) -> Option<&'t str> {
    let (header, lines) = text.get(at.start..)?.split_once('\n')?;
    let modifiers = header.strip_prefix(['|', '>'])?.chars().take_while(|&c| is_modifier(c));
    let is_blank = lines.trim_matches([' ', '\r', '\n']).is_empty();
    (is_blank && modifiers.eq(['+'])).then_some(lines)
}

/// Returns the modifiers after the indicator.
fn modifiers(text: &str, content: usize) -> impl Iterator<Item = char> {
    let header = indicator(text, content).and_then(|at| text.get(at + 1..));
    header.unwrap_or_default().chars().take_while(|&c| is_modifier(c))
}

fn is_modifier(c: char) -> bool {
    c.is_ascii_digit() || c == '+' || c == '-'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_indicator_before_comments_and_blank_lines() {
        let cases = [
            ("k: |\n  @", Some(3), false),
            ("k: >2-\n  @", Some(3), true),
            ("a|: |+ # b | c\n\n\n  @", Some(4), false),
            ("k: | # a | # b\n  @", Some(3), false),
            ("k: |2 # a |\n  @", Some(3), true),
            ("k: > # a |2 # b\n  @", Some(3), false),
            ("- | # a > # b\n  @", Some(2), false),
            ("a | b: |- # c | # d\n  @", Some(7), false),
            ("\"a \\\" | # b\": |2\n  @", Some(14), true),
            ("'a '' | # b': |2\n  @", Some(14), true),
            ("it 's: |2 # it 's |\n  @", Some(7), true),
            ("k: &a| !b |2 # |\n  @", Some(10), true),
            ("--- | # |\n  @", Some(4), false),
            ("k: x\n  @", None, false),
            ("k: x\n- 'a | # b': |2\n  @", Some(18), true),
            ("a: b\nk: |2\n\n  @", Some(8), true),
            ("a |# b: |2\n  @", Some(8), true),
            ("'a': |2\n  @", Some(5), true),
            ("'ab': |2\n  @", Some(6), true),
            ("\"a\": |2\n  @", Some(5), true),
            ("\"ab\": |2\n  @", Some(6), true),
            ("\"\\\\\": |2\n  @", Some(6), true),
            ("'\\': |2\n  @", Some(5), true),
            ("k: |2# x\n  @", None, false),
            ("k: |2\t# x\n  @", Some(3), true),
            ("k: !x\t>+1\n  @", Some(6), true),
            ("? |2\n  @", Some(2), true),
            ("- - ? - \"a |\" : |\n  @", Some(16), false),
        ];
        for (text, at, indented) in cases {
            let content = text.find('@').unwrap();
            assert_eq!((indicator(text, content), has_indentation(text, content)), (at, indented), "{text}");
        }
    }
}

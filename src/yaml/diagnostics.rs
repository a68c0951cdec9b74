//! Findings reported by the YAML reader.

use super::indentation;
use super::limits::{ExceededLimit, Limits};
use super::syntax_error::{Mistake, SyntaxError};
use super::template::Templater;
use crate::diagnostic::{Code, Diagnostic, display_key};
use crate::printable::format_count;
use crate::source::{SourceId, Span, boundary};

/// Message for a tab used as indentation.
const TAB: &str = "found a tab used as indentation";

/// Whether a finding is about a tab used as indentation.
pub(super) fn is_tab(finding: &Diagnostic) -> bool {
    finding.message == TAB
}

/// Finding for a document that Kubernetes cannot parse.
pub(super) fn syntax(source: SourceId, text: &str, error: SyntaxError) -> Diagnostic {
    let span = error_span(source, text, error);
    let line = lines_of(text, span.start as usize, span.start as usize);
    if Templater::has_braces(line) {
        return template(span);
    }
    if Templater::has_statements(line) {
        return Templater::STATEMENTS.finding(span);
    }
    // In `{namespace: ${NAME}}`, the brace of the variable opens a mapping.
    let start = span.start as usize;
    if let Some(previous_offset) = start.checked_sub(1)
        && let Some(variable) = text.get(previous_offset..).and_then(|rest| rest.lines().next())
        && variable.starts_with("${")
        && let Some(templater) = Templater::detect(variable)
    {
        return templater.finding(span);
    }
    if matches!(error.mistake, Mistake::UnexpectedCharacter(_) | Mistake::TextAfterBracket)
        && let Some(templater) = Templater::detect_invalid(word_at(text, start))
    {
        return templater.finding(span);
    }
    if let Some(marker) = conflict(text, span.start as usize) {
        let marker_span = Span::new(source, marker, marker + CONFLICT.len());
        return Diagnostic::new(Code::YamlSyntax, "found a merge conflict marker")
            .label(marker_span, "")
            .help("resolve the conflict, and remove the `<<<<<<<`, `=======` and `>>>>>>>` lines");
    }
    if let Some(tab) = indenting_tab(text, span.start as usize) {
        return finding(Code::YamlSyntax, TAB, "indent with spaces", Span::new(source, tab, tab + 1));
    }
    if error.mistake == Mistake::MisplacedColon
        && let Some(indentation_error) = indentation::check_depth(source, text, span.start as usize)
    {
        return indentation_error;
    }
    let (message, help) = describe(error.mistake);
    let diagnostic = Diagnostic::new(Code::YamlSyntax, message).label(span, "");
    diagnostic.help_if(help)
}

/// Returns the text around an offset, up to white space.
fn word_at(text: &str, offset: usize) -> &str {
    let (before, after) = text.split_at_checked(offset).unwrap_or_default();
    let start = before.rfind(char::is_whitespace).map_or(0, |space| space + 1);
    let end = after.find(char::is_whitespace).map_or(text.len(), |length| offset + length);
    text.get(start..end).unwrap_or_default()
}

/// Start marker of a git merge conflict.
const CONFLICT: &str = "<<<<<<<";

/// Number of bytes to search for a merge conflict on each side of a mistake. The number is limited because an input can
/// contain many mistakes.
const CONFLICT_SEARCH_BYTES: usize = 1 << 12;

/// Returns the offset of a merge conflict marker near `offset`.
fn conflict(text: &str, offset: usize) -> Option<usize> {
    let start = boundary(text, offset.saturating_sub(CONFLICT_SEARCH_BYTES));
    let nearby_text = text.get(start..boundary(text, offset.saturating_add(CONFLICT_SEARCH_BYTES)))?;
    let line = |marker: &str| {
        let mut markers = nearby_text.match_indices(marker).map(|(place, _)| start + place);
        markers.find(|place| text.get(..*place).is_some_and(|before| before.is_empty() || before.ends_with('\n')))
    };
    line(">>>>>>> ").and(line("<<<<<<< "))
}

/// Returns the first tab in the indentation of the line at `offset`, or of the next non-blank line, because the parser
/// often stops before that line.
fn indenting_tab(text: &str, offset: usize) -> Option<usize> {
    let start = text.get(..offset)?.rfind('\n').map_or(0, |end| end + 1);
    let mut line_start = start;
    let lines = text.get(start..)?.split_inclusive('\n').map(|line| {
        let start = line_start;
        line_start += line.len();
        (start, line)
    });
    let non_blank_lines = lines.filter(|(_, line)| !line.trim().is_empty());
    let tabs = non_blank_lines.take(2).map(|(start, line)| {
        let indentation = line.len() - line.trim_start_matches([' ', '\t']).len();
        let tab = line.get(..indentation).unwrap_or_default().find('\t');
        tab.map(|tab| start + tab)
    });
    tabs.flatten().next()
}

/// Finding for a template, such as a Helm template. All such findings in an input have the same cause.
pub(super) fn template(span: Span) -> Diagnostic {
    Templater::BRACES.finding(span)
}

/// Returns the lines that contain a range.
fn lines_of(text: &str, start: usize, end: usize) -> &str {
    let (before, after) = (text.get(..start), text.get(end..));
    let first_line_start = before.and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
    let last_line_end = after.and_then(|after| after.find('\n')).map_or(text.len(), |line| end + line);
    text.get(first_line_start..last_line_end).unwrap_or_default()
}

/// Finding for a collection used as the first key in a flow mapping: `{{ … }}`.
pub(super) fn doubled_braces(text: &str, span: Span) -> Diagnostic {
    match Templater::has_braces(lines_of(text, span.start as usize, span.end as usize)) {
        true => template(span),
        false => collection_key(span),
    }
}

/// Returns the span of the character where the parser stopped. Empty at the end of a line.
fn error_span(source: SourceId, text: &str, error: SyntaxError) -> Span {
    let start = boundary(text, error.at);
    let width = match text.get(start..).and_then(|rest| rest.chars().next()) {
        None | Some('\n' | '\r') => 0,
        Some(c) => c.len_utf8(),
    };
    Span::new(source, start, start + width)
}

/// Returns the message and help for a mistake.
fn describe(mistake: Mistake) -> (String, Option<&'static str>) {
    use Mistake as M;
    let help = match mistake {
        M::ForbiddenCharacter(_) => "remove it, or write it as an escape sequence in double quotes",
        M::Tab => "indent with spaces",
        M::MisplacedColon | M::UnexpectedCharacter(_) => "quote the value, or check the indentation",
        M::MissingColon => "add the colon, or check the indentation",
        M::QuoteAcrossKeys => "close the quote, or indent every line of the string more than its key",
        M::TextAfterQuote => "put the whole value in quotes",
        M::UnknownEscape | M::ShortEscape | M::InvalidCodePoint => "write `\\\\` for a backslash, or use single quotes",
        M::EscapedSlash => "write `/` without the backslash",
        M::ExpectedKey | M::ExpectedItem => "align the line with the lines above it",
        M::MissingCommaInMapping | M::MissingCommaInList => "close the bracket, or add the comma",
        M::UnclosedBracket(_) => "close the bracket, or quote the value",
        M::AnchorName => "rename the anchor and its aliases, or quote the value",
        M::UnopenedBracket
        | M::MissingName
        | M::MissingKey
        | M::Tag
        | M::TextAfterBracket
        | M::QuestionMarkInBrackets
        | M::ColonInBrackets => "quote the value",
        M::MisplacedItem => "put the `-` on a line of its own, or quote the value",
        M::Directive | M::Version(..) | M::MissingDocumentStart => "remove the `%` line",
        M::ExpectedJson => "separate the objects with `---` lines, or write all of them as JSON",
        _ => "",
    };
    let message = match mistake {
        M::ForbiddenCharacter(character) => {
            &format!("found the character U+{:04X}, which YAML does not allow", u32::from(character))
        }
        M::UnexpectedCharacter(character) => {
            &format!("found `{}`, which cannot start a value", character.escape_debug())
        }
        M::Tab => TAB,
        M::MissingColon => "expected `key: value`, found a line without a colon",
        M::MisplacedColon => "mapping values are not allowed in this context",
        M::MisplacedItem => "found a `-` list item where no list can start",
        M::MisplacedQuestionMark => "found a `?` where no mapping can start",
        M::ExpectedKey => "expected a key with the same indentation as the keys above it",
        M::ExpectedItem => "expected a list item with the same indentation as the items above it",
        M::ExpectedValue => "expected a value",
        M::UnopenedBracket => "found a closing bracket without a matching opening bracket",
        M::UnclosedBracket(open) => &format!("`{open}` has no matching closing bracket"),
        M::MismatchedBrackets(open, close) => &format!("expected the closing bracket of `{open}`, found `{close}`"),
        M::MissingCommaInMapping => "`{` has no matching `}`, or a `,` between two entries is missing",
        M::MissingCommaInList => "`[` has no matching `]`, or a `,` between two items is missing",
        M::ItemInBrackets => "found a `-` list item inside brackets",
        M::QuestionMarkInBrackets => "found `?` in an unquoted value inside brackets",
        M::ColonInBrackets => "found `:` before an unquoted value inside brackets",
        M::UnclosedQuote => "found a quoted string without a closing quote",
        M::QuoteAcrossKeys => "found a quoted string that is not closed before the next key",
        M::MarkerInQuotes => "found `---` or `...` inside a quoted string",
        M::TextAfterQuote => "found text after the end of a quoted string",
        M::TextAfterBracket => "found text after a closing bracket",
        M::UnknownEscape => "found an unknown escape sequence in a quoted string",
        M::EscapedSlash => "found `\\/`, which Kubernetes accepts only in JSON",
        M::ShortEscape => "found an escape sequence with too few hexadecimal digits",
        M::InvalidCodePoint => "found an escape sequence for a character that does not exist",
        M::BlockScalarHeader => "found text after the `|` or `>` of a block string",
        M::MissingName => "expected a name after `&` or `*`",
        M::AnchorName => "found an anchor name with characters other than letters, digits, `-` and `_`",
        M::MissingKey => "expected a key before the `:`",
        M::Tag => "expected a tag after `!`",
        M::UndefinedTagHandle => "found a tag whose handle is not defined",
        M::Directive => "found a line that starts with `%`, which is not a valid directive",
        M::Version(major, minor) => &format!("found YAML version {major}.{minor}, expected 1.1"),
        M::MissingDocumentStart => "found a directive, which Kubernetes does not support",
        M::ExpectedJson => "expected another JSON object",
    };
    (message.to_owned(), Some(help).filter(|help| !help.is_empty()))
}

/// Finding for content on a `---` line.
pub(super) fn text_after_separator(text: &str, span: Span) -> Diagnostic {
    if Templater::has_braces(lines_of(text, span.start as usize, span.end as usize)) {
        return template(span);
    }
    finding(Code::YamlSyntax, "found text after `---`", "move it to the next line", span)
}

/// Finding for content after the first document, which starts at `offset`. `is_ended` is true if a `...` line ends the
/// document.
pub(super) fn ignored_content(source: SourceId, text: &str, offset: usize, is_ended: bool) -> Diagnostic {
    let start = boundary(text, offset);
    let width = text.get(start..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    let help = match is_ended {
        true => "start the next document with a `---` line",
        false => "align the line with the lines above it, or add a `---` line if another document starts here",
    };
    let message = "found content after the end of the document, which Kubernetes ignores";
    finding(Code::YamlSyntax, message, help, Span::new(source, start, start + width))
}

fn finding(code: Code, message: impl Into<String>, help: impl Into<String>, span: Span) -> Diagnostic {
    Diagnostic::new(code, message).help(help).label(span, "")
}

pub(super) fn duplicate_key(key: &str, first: Span, second: Span) -> Diagnostic {
    Diagnostic::new(Code::DuplicateKey, format!("duplicate key `{}`", display_key(key)))
        .help("keep only one")
        .label(second, "defined again here")
        .label(first, "first defined here")
}

/// Finding for a duplicate key that starts a second resource without a preceding `---`.
pub(super) fn missing_separator(key: &str, first: Span, second: Span) -> Diagnostic {
    let message = format!("duplicate key `{key}`: a second resource starts here");
    let help = "add a `---` line before the second resource";
    Diagnostic { message, ..duplicate_key(key, first, second) }.help(help)
}

pub(super) fn merge_override(key: &str, merge: Span, own_key: Span) -> Diagnostic {
    let key = display_key(key);
    Diagnostic::new(Code::MergeOverride, format!("the merge key replaces `{key}`, which is set earlier in the mapping"))
        .help(format!("move the merge key before `{key}`"))
        .label(merge, "merged here")
        .label(own_key, "this value is replaced")
}

pub(super) fn merge_not_mapping(span: Span) -> Diagnostic {
    Diagnostic::new(Code::YamlMerge, "expected a mapping or a list of mappings after `<<`").label(span, "")
}

pub(super) fn key(predicate: &str, help: &str, span: Span) -> Diagnostic {
    let message = format!("a mapping key must be a string, but is {predicate}");
    finding(Code::YamlKey, message, help, span)
}

pub(super) fn collection_key(span: Span) -> Diagnostic {
    key(
        "a list or mapping",
        "quote the key; if it was meant as a value that starts with `{` or `[`, quote the value",
        span,
    )
}

/// Finding for an alias that refers to an unknown anchor. The alias is not shown, because it may be an unquoted
/// password.
pub(super) fn unknown_anchor(span: Span) -> Diagnostic {
    let message = "found an alias without a preceding anchor of the same name";
    let help = "define the anchor in the same document, or quote the value";
    finding(Code::YamlAlias, message, help, span)
}

pub(super) fn recursive_alias(span: Span) -> Diagnostic {
    Diagnostic::new(Code::YamlAlias, "the alias refers to a node that contains it").label(span, "")
}

/// Finding for a number in JSON that exceeds the range of a double.
pub(super) fn large_number(span: Span) -> Diagnostic {
    finding(Code::YamlScalar, "found a number that is too large", "if a string is intended, quote the value", span)
}

pub(super) fn non_finite_number(span: Span) -> Diagnostic {
    let message = "found an infinite number or NaN, which JSON does not support";
    finding(Code::YamlScalar, message, "if a string is intended, quote the value", span)
}

/// Finding for a character that go-yaml, unlike the parser, treats as a line break, even in comments.
pub(super) fn line_break(character: char, span: Span) -> Diagnostic {
    let (name, escape) = match character {
        '\u{85}' => ("U+0085", "\\N"),
        '\u{2028}' => ("U+2028", "\\L"),
        _ => ("U+2029", "\\P"),
    };
    let message = format!("found the character {name}, which Kubernetes treats as a line break");
    let help = format!("remove it, or write it as `{escape}` in double quotes");
    finding(Code::YamlLineBreak, message, help, span)
}

pub(super) fn exceeded_limit(limit: ExceededLimit, limits: &Limits, span: Span) -> Diagnostic {
    let (message, help) = match limit {
        ExceededLimit::Depth => (
            format!("lists and mappings are nested deeper than the limit of {}", limits.max_depth),
            "if this is intended, raise the limit with `--limit depth=NUMBER`",
        ),
        ExceededLimit::Aliases => (
            format!("the aliases expand to more than {}", format_count(limits.max_alias_expansion, "node")),
            "if this is intended, raise the limit with `--limit alias-expansion=NUMBER`",
        ),
        ExceededLimit::AliasSize(limit) => (
            format!("the aliases expand to more than {limit}"),
            "if this is intended, raise the limit with `--limit alias-size=SIZE`",
        ),
        ExceededLimit::AliasRatio => (
            "nearly all nodes of the document come from aliases".to_owned(),
            "replace some aliases with their values: Kubernetes also rejects the document",
        ),
        ExceededLimit::DocumentSize => (
            format!("the document is larger than {}", limits.max_document_size),
            "if this is intended, raise the limit with `--limit document-size=SIZE`",
        ),
        ExceededLimit::Documents => (
            format!("the file has more than {}", format_count(limits.max_documents, "document")),
            "raise the limit with `--limit documents=NUMBER`, or split the file",
        ),
        ExceededLimit::Nodes => (
            format!("the file has more than {} keys, values, lists and mappings in total", limits.max_nodes),
            "raise the limit with `--limit nodes=NUMBER`, or split the file",
        ),
        ExceededLimit::Text => ("the YAML is larger than 4GiB".to_owned(), "split the file"),
    };
    finding(Code::YamlLimit, message, help, span)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn mistakes_have_a_message_and_help() {
        let brackets = "close the bracket, or add the comma";
        let escape = "write `\\\\` for a backslash, or use single quotes";
        let alignment_help = "align the line with the lines above it";
        let value = "quote the value, or check the indentation";
        let quotes_help = "put the whole value in quotes";
        let end = "close the quote, or indent every line of the string more than its key";
        for (text, message, help) in [
            ("a:\n  b: 1\n\tc: 2\n", "found a tab used as indentation", "indent with spaces"),
            ("- a\n\t- b\n", "found a tab used as indentation", "indent with spaces"),
            ("a: b: c\n", "mapping values are not allowed in this context", value),
            ("a: @b\n", "found `@`, which cannot start a value", value),
            (
                "a: \"\u{1}\"\n",
                "found the character U+0001, which YAML does not allow",
                "remove it, or write it as an escape sequence in double quotes",
            ),
            (
                "a: b\nc\n",
                "expected `key: value`, found a line without a colon",
                "add the colon, or check the indentation",
            ),
            ("a: 'b\nc: d\n", "found a quoted string that is not closed before the next key", end),
            ("a: 'b'c\n", "found text after the end of a quoted string", quotes_help),
            ("a: \"b\" c\n", "found text after the end of a quoted string", quotes_help),
            ("a: \"\\q\"\n", "found an unknown escape sequence in a quoted string", escape),
            ("a: \"\\xzz\"\n", "found an escape sequence with too few hexadecimal digits", escape),
            ("a:\n   b: 1\n  c: 2\n", "expected a key with the same indentation as the keys above it", alignment_help),
            ("- a\nb: c\n", "expected a list item with the same indentation as the items above it", alignment_help),
            ("{a: b c: d}\n", "`{` has no matching `}`, or a `,` between two entries is missing", brackets),
            ("[[a] [b]]\n", "`[` has no matching `]`, or a `,` between two items is missing", brackets),
            ("a: [b\n", "`[` has no matching closing bracket", "close the bracket, or quote the value"),
            ("'a\n", "found a quoted string without a closing quote", ""),
            ("a: ]\n", "found a closing bracket without a matching opening bracket", "quote the value"),
            ("a: [b] c\n", "found text after a closing bracket", "quote the value"),
            ("--- a\n", "found text after `---`", "move it to the next line"),
            (
                "a: 1\n...\nb: 2\n",
                "found content after the end of the document, which Kubernetes ignores",
                "start the next document with a `---` line",
            ),
        ] {
            let parsed = testing::read(text);
            let finding = parsed.diagnostics.first().unwrap();
            let actual_help = finding.help.as_deref().unwrap_or_default();
            assert_eq!((finding.message.as_str(), actual_help), (message, help), "{text:?}");
        }
    }

    #[test]
    fn locates_mistakes_at_one_character() {
        for (text, expected) in [("a: @b\n", "@"), ("a: ]\n", "]"), ("é: 'b'ü\n", "ü")] {
            let parsed = testing::read(text);
            let span = parsed.diagnostics.first().unwrap().primary().unwrap().span;
            assert_eq!(&text[span.bytes()], expected, "{text:?}");
        }
    }

    #[test]
    fn recognizes_templates_by_braces() {
        for (text, expected) in [
            ("a: {{ b }}\n", &["unrendered-template"][..]),
            ("a: {{b: c}: d}\n", &["yaml-key"]),
            ("a: {x: 1, {b: c}: d}\n", &["yaml-key"]),
            ("a: {[b]: c}\n", &["yaml-key"]),
            ("a: {b: ${c}}\n", &["unrendered-template"]),
            ("a: {b}/c\n", &["unrendered-template"]),
            ("a: @B@\n", &["unrendered-template"]),
            ("a: {b: c}d\n", &["yaml-syntax"]),
            ("a: b\n{{ c }}\n", &["unrendered-template"]),
            ("# {{ c }}\na: [\n", &["yaml-syntax"]),
        ] {
            let parsed = testing::read(text);
            let codes: Vec<_> = parsed.diagnostics.iter().map(|finding| finding.code.as_str()).collect();
            assert_eq!(codes, expected, "{text:?}");
        }
    }

    #[test]
    fn finds_tabs_on_the_current_and_next_line() {
        for (text, at, expected) in [
            ("a: 1\nb:\n\tc: 1\n", 7, Some(8)),
            ("a: 1\n\n\tb: 1", 4, Some(6)),
            ("a\n  \tb", 1, Some(4)),
            ("\ta", 1, Some(0)),
            ("a\nb\n\tc", 0, None),
            ("a \tb", 0, None),
        ] {
            assert_eq!(indenting_tab(text, at), expected, "{text:?}");
        }
    }

    #[test]
    fn returns_the_lines_of_a_span() {
        for (start, end, expected) in [(3, 3, "bc"), (0, 3, "a\nbc"), (2, 4, "bc"), (5, 6, "d"), (1, 1, "a")] {
            assert_eq!(lines_of("a\nbc\nd", start, end), expected, "{start}..{end}");
        }
    }

    #[test]
    fn finds_merge_conflicts_near_a_mistake() {
        let text = "a: 1\n<<<<<<< HEAD\nb: ü\n=======\nb: 3\n>>>>>>> x\n";
        assert_eq!(conflict(text, text.len()), Some(5));
        let parsed = testing::read(text);
        let finding = parsed.diagnostics.first().unwrap();
        assert_eq!(finding.message, "found a merge conflict marker");
        assert_eq!(&text[finding.primary().unwrap().span.bytes()], CONFLICT);
        assert_eq!(conflict(&text.replace("\n<", "\n# <"), 9), None);
        let distant_conflict = format!("{}{text}", "ü".repeat(CONFLICT_SEARCH_BYTES));
        assert_eq!(conflict(&distant_conflict, 3), None);
        assert_eq!(conflict(&distant_conflict, distant_conflict.len()), Some(2 * CONFLICT_SEARCH_BYTES + 5));
    }
}

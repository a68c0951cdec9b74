//! Log stream selectors in `match` stages: the subset of LogQL for which Promtail has its own parser.

use super::literal;
use super::regexp;
use super::text::{is_digit, is_letter};

/// Returns the reason why a selector is rejected, as a complete clause, or `None` if Promtail accepts the selector.
/// The syntax is `{name="value", …}` with `=`, `!=`, `=~` or `!~`, followed by any number of line filters: `|=`, `!=`,
/// `|~` or `!~` with a string (`logentry/logql`).
pub fn problem(text: &str) -> Option<String> {
    let mut parser = Parser {
        // A byte order mark is skipped only at the start.
        rest: text.strip_prefix('\u{feff}').unwrap_or(text),
    };
    match parser.parse_selector() {
        Ok(()) | Err(ParseStop::UnsupportedNumber) => None,
        Err(ParseStop::Rejected(problem)) => Some(problem),
    }
}

/// Operator of a label matcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchOperator {
    Equal,
    NotEqual,
    Matches,
    DoesNotMatch,
}

/// A label matcher, such as `app="nginx"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelMatcher {
    pub label: String,
    pub operator: MatchOperator,
    pub value: String,
}

/// Returns the label matchers of a selector, and whether line filters follow them. Returns `None` if the selector is
/// invalid or not UTF-8.
pub fn parse_matchers(text: &str) -> Option<(Vec<LabelMatcher>, bool)> {
    let mut parser = Parser { rest: text.strip_prefix('\u{feff}').unwrap_or(text) };
    let mut matchers = Vec::new();
    parser.read_sign(&["{"], "").ok()?;
    loop {
        let Token::Name(label) = parser.read_token().ok()? else { return None };
        let operator = match parser.read_sign(&["=", "!=", "=~", "!~"], "").ok()? {
            "=" => MatchOperator::Equal,
            "!=" => MatchOperator::NotEqual,
            "=~" => MatchOperator::Matches,
            _ => MatchOperator::DoesNotMatch,
        };
        let value = parser.parse_text().ok()??;
        matchers.push(LabelMatcher { label: label.to_owned(), operator, value });
        if parser.read_sign(&[",", "}"], "").ok()? == "}" {
            let has_filters = parser.read_token().ok()? != Token::End;
            return Some((matchers, has_filters));
        }
    }
}

/// Reason to stop parsing a selector early.
enum ParseStop {
    Rejected(String),
    /// Label name that is a number in an unsupported, unusual format.
    UnsupportedNumber,
}

#[derive(Debug, PartialEq, Eq)]
enum Token<'t> {
    End,
    /// Any other token: a name, number, character or unknown sign.
    Name(&'t str),
    /// A double-quoted string, or `None` if it is not valid UTF-8.
    Text(Option<String>),
    Sign(&'static str),
    /// A number in a format other than plain decimal, which Promtail reads as a name if the number is valid.
    UnsupportedNumber(&'t str),
}

const WHITE_SPACE: [char; 4] = [' ', '\t', '\n', '\r'];

struct Parser<'t> {
    rest: &'t str,
}

impl<'t> Parser<'t> {
    fn parse_selector(&mut self) -> Result<(), ParseStop> {
        self.read_sign(&["{"], "`{`")?;
        loop {
            match self.read_token()? {
                Token::Name(_) => {}
                Token::UnsupportedNumber(_) => return Err(ParseStop::UnsupportedNumber),
                other => return Err(unexpected_token_error(&other, "a label name")),
            }
            match self.read_sign(&["=", "!=", "=~", "!~"], "`=`, `!=`, `=~` or `!~`")? {
                "=" | "!=" => drop(self.parse_text()?),
                _ => check_regexp(self.parse_text()?.as_deref(), regexp::compile_anchored)?,
            }
            if self.read_sign(&[",", "}"], "`,` or `}`")? == "}" {
                break;
            }
        }
        loop {
            match self.read_token()? {
                Token::End => return Ok(()),
                Token::Sign("|=" | "!=") => drop(self.parse_text()?),
                Token::Sign("|~" | "!~") => check_regexp(self.parse_text()?.as_deref(), regexp::compile)?,
                other => return Err(unexpected_token_error(&other, "a filter such as `|=`")),
            }
        }
    }

    fn read_sign(&mut self, signs: &[&str], expected: &str) -> Result<&'static str, ParseStop> {
        match self.read_token()? {
            Token::Sign(sign) if signs.contains(&sign) => Ok(sign),
            other => Err(unexpected_token_error(&other, expected)),
        }
    }

    fn parse_text(&mut self) -> Result<Option<String>, ParseStop> {
        match self.read_token()? {
            Token::Text(text) => Ok(text),
            other => Err(unexpected_token_error(&other, "a string in double quotes")),
        }
    }

    /// Returns the next token (`lexer.Lex`, and `Scanner.Scan` in `text/scanner`).
    fn read_token(&mut self) -> Result<Token<'t>, ParseStop> {
        self.skip_blank()?;
        let Some(first) = self.rest.chars().next() else {
            return Ok(Token::End);
        };
        match first {
            '"' => return self.parse_quoted(),
            '\'' => {
                let literal = self.read_literal('\'', "missing closing `'`")?;
                let problem = || ParseStop::Rejected(format!("`{literal}` is not a single character"));
                return literal::is_character(literal).then_some(Token::Name(literal)).ok_or_else(problem);
            }
            '`' => {
                let length = self.rest.get(1..).and_then(|rest| rest.find('`'));
                let length = length.ok_or_else(|| ParseStop::Rejected("missing closing backquote".to_owned()))?;
                return Ok(Token::Name(self.take(length + 2)));
            }
            '0'..='9' => return Ok(self.read_number()),
            c if c == '_' || is_letter(c) => {
                let is_part = |c: char| c == '_' || is_letter(c) || is_digit(c);
                let length = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
                return Ok(Token::Name(self.take(length)));
            }
            _ => {}
        }
        const SIGNS: [&str; 10] = ["!=", "=~", "!~", "|=", "|~", "=", "{", "}", ",", "."];
        Ok(match SIGNS.into_iter().find(|sign| self.rest.starts_with(sign)) {
            Some(sign) => {
                self.take(sign.len());
                Token::Sign(sign)
            }
            None => Token::Name(self.take(first.len_utf8())),
        })
    }

    /// Skips whitespace and comments.
    fn skip_blank(&mut self) -> Result<(), ParseStop> {
        loop {
            self.rest = self.rest.trim_start_matches(WHITE_SPACE);
            if self.rest.starts_with("//") {
                self.take(self.rest.find('\n').unwrap_or(self.rest.len()));
            } else if let Some(comment) = self.rest.strip_prefix("/*") {
                let end = comment.find("*/");
                let end = end.ok_or_else(|| ParseStop::Rejected("missing closing `*/`".to_owned()))?;
                self.take(end + 4);
            } else {
                return Ok(());
            }
        }
    }

    fn take(&mut self, length: usize) -> &'t str {
        let (comment, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, ""));
        self.rest = rest;
        comment
    }

    /// Parses a decimal number. Other formats are not validated, because they are unlikely to be used in place of a
    /// name.
    fn read_number(&mut self) -> Token<'t> {
        let length = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
        let after = self.rest.get(length..).unwrap_or_default();
        let starts_with = |marks: &str| after.starts_with(|c| marks.contains(c));
        let has_prefix = self.rest.starts_with('0') && (length > 1 || starts_with("xXoObB"));
        let is_unsupported_format = starts_with("._eEpP") || has_prefix;
        if is_unsupported_format {
            let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '.' | '_'));
            return Token::UnsupportedNumber(self.take(end.unwrap_or(self.rest.len())));
        }
        Token::Name(self.take(length))
    }

    /// Parses a string with Go escapes (`strconv.Unquote`).
    fn parse_quoted(&mut self) -> Result<Token<'t>, ParseStop> {
        let literal = self.read_literal('"', "missing closing `\"`")?;
        match literal::unquote(literal) {
            Some(bytes) => Ok(Token::Text(String::from_utf8(bytes).ok())),
            None => Err(ParseStop::Rejected(invalid_escape(literal))),
        }
    }

    /// Returns a literal including its quotes, up to the first unescaped quote.
    fn read_literal(&mut self, quote: char, unclosed_problem: &str) -> Result<&'t str, ParseStop> {
        let mut characters = self.rest.char_indices().skip(1);
        let length = loop {
            match characters.next() {
                Some((at, c)) if c == quote => break at + 1,
                Some((_, '\\')) => drop(characters.next()),
                Some((_, c)) if c != '\n' => {}
                _ => return Err(ParseStop::Rejected(unclosed_problem.to_owned())),
            }
        };
        Ok(self.take(length))
    }
}

/// Returns the problem with a string that Go rejects.
fn invalid_escape(literal: &str) -> String {
    let mut kinds = Vec::new();
    let mut characters = literal.chars();
    while let Some(c) = characters.next() {
        if c == '\\' {
            kinds.extend(characters.next());
        }
    }
    match kinds.into_iter().find(|kind| !r#"abfnrtv\"xuU01234567"#.contains(*kind)) {
        Some(kind) => format!("`\\{kind}` is not a valid escape in a string: write `\\\\{kind}`"),
        None => "a string contains an escape with too few digits or an invalid code point".to_owned(),
    }
}

fn unexpected_token_error(token: &Token<'_>, expected: &str) -> ParseStop {
    ParseStop::Rejected(match token {
        Token::End => format!("expected {expected} at the end"),
        Token::Name(text) | Token::UnsupportedNumber(text) => format!("expected {expected}, found `{text}`"),
        Token::Text(_) => format!("expected {expected}, found a string"),
        Token::Sign(sign) => format!("expected {expected}, found `{sign}`"),
    })
}

fn check_regexp(
    pattern: Option<&str>,
    compile: fn(&str) -> Result<regexp::AcceptingReleases, regexp::Error>,
) -> Result<(), ParseStop> {
    let Some(pattern) = pattern else { return Ok(()) };
    compile(pattern)
        .map(drop)
        .map_err(|error| ParseStop::Rejected(format!("in its regular expression, {}", error.describe(pattern))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_label_matchers() {
        let read = |text| {
            let (all_matchers, has_filters) = parse_matchers(text)?;
            let descriptions =
                all_matchers.iter().map(|m| format!("{} {:?} {}", m.label, m.operator, m.value)).collect::<Vec<_>>();
            Some((descriptions.join(", "), has_filters))
        };
        assert_eq!(read(r#"{a="b", c!~"d|e"}"#), Some(("a Equal b, c DoesNotMatch d|e".to_owned(), false)));
        assert_eq!(read(r#"{a=~".+"} |= "x""#), Some(("a Matches .+".to_owned(), true)));
        assert_eq!(read("{}"), None);
    }

    #[test]
    fn accepts_the_same_selectors_as_promtail() {
        for selector in [
            r#"{app="x"}"#,
            r#" { app = "x" , env!~"a|b" } "#,
            r#"{app="x"} |= "a" != "b" |~ "c+" !~ "\\d""#,
            r#"{a="\x41\u00e4"}"#,
            r#"{5="a"}"#,
            r#"{1.5="a"}"#,
            r#"{_a1="x",b_2="y"}"#,
            "{é=\"x\"}\r\n\t ",
            "{`a b`=\"x\"}",
            r#"{a="\a\b\f\n\r\t\v\\\""} |~ "\n\\.\x2e" |= "(""#,
            r#"{a="\000\101\u0041\U00000041"}"#,
            "{a=\"b\"} // c",
            "{a=\"b\", /* c=\"d\" */ 'x'=\"e\", -=\"f\"}",
            r#"{a!="(", b=~".+|a)(b"}"#,
        ] {
            assert_eq!(problem(selector), None, "{selector}");
        }
    }

    #[test]
    fn rejects_the_same_selectors_as_promtail() {
        for (selector, expected) in [
            ("", "expected `{` at the end"),
            ("5", "expected `{`, found `5`"),
            ("1.5h", "expected `{`, found `1.5h`"),
            (" 0x10 {a=\"b\"}", "expected `{`, found `0x10`"),
            ("{}", "expected a label name, found `}`"),
            ("app=\"x\"", "expected `{`, found `app`"),
            ("{app=\"x\"", "expected `,` or `}` at the end"),
            ("{app=x}", "expected a string in double quotes, found `x`"),
            ("{version=1.5}", "expected a string in double quotes, found `1.5`"),
            ("{code=0x5}", "expected a string in double quotes, found `0x5`"),
            ("{code 0x5}", "expected `=`, `!=`, `=~` or `!~`, found `0x5`"),
            ("{code=\"5\" 1e3}", "expected `,` or `}`, found `1e3`"),
            ("{code=\"5\"} |= 0.5", "expected a string in double quotes, found `0.5`"),
            ("{app=`x`}", "expected a string in double quotes, found ``x``"),
            ("{app=\"x\",}", "expected a label name, found `}`"),
            ("{app==\"x\"}", "expected a string in double quotes, found `=`"),
            ("{app=\"x}", "missing closing `\"`"),
            ("{app=\"x\n\"}", "missing closing `\"`"),
            ("{`app", "missing closing backquote"),
            ("{\"app\"=\"x\"}", "expected a label name, found a string"),
            ("{app!\"x\"}", "expected `=`, `!=`, `=~` or `!~`, found `!`"),
            ("{app=\"x\"} !", "expected a filter such as `|=`, found `!`"),
            ("{app=\"x\"} |=", "expected a string in double quotes at the end"),
            ("{app=\"x\"} |~ \"a)(b\"", "in its regular expression, `)` has no opening `(`"),
            ("{app!~\"a)\"}", "in its regular expression, `)` has no opening `(`"),
            ("{app=\"\\é\"}", "`\\é` is not a valid escape in a string: write `\\\\é`"),
            ("{app=~\"(\"}", "in its regular expression, `(` has no closing `)`"),
            ("{app=\"x\"} |~ \"a**\"", "in its regular expression, `**` is an invalid nested repetition"),
            ("{a-b=\"c\"}", "expected `=`, `!=`, `=~` or `!~`, found `-`"),
            ("{a.b=\"c\"}", "expected `=`, `!=`, `=~` or `!~`, found `.`"),
            ("{1a=\"c\"}", "expected `=`, `!=`, `=~` or `!~`, found `a`"),
            ("{1b=\"c\"}", "expected `=`, `!=`, `=~` or `!~`, found `b`"),
            ("{a=\"b\"} c", "expected a filter such as `|=`, found `c`"),
            ("count_over_time({a=\"b\"}[1m])", "expected `{`, found `count_over_time`"),
            ("{a=\"\\0\"}", "a string contains an escape with too few digits or an invalid code point"),
            ("{a=\"\\ud800\"}", "a string contains an escape with too few digits or an invalid code point"),
            ("{a=\"b\"} /* c", "missing closing `*/`"),
            ("{'ab'=\"c\"}", "`'ab'` is not a single character"),
            ("{a=\"b\" or c=\"d\"}", "expected `,` or `}`, found `or`"),
            ("{app=\"x\"} | json", "expected a filter such as `|=`, found `|`"),
            ("{app=~\"\\d\"}", "`\\d` is not a valid escape in a string: write `\\\\d`"),
        ] {
            assert_eq!(problem(selector).as_deref(), Some(expected), "{selector}");
        }
    }
}

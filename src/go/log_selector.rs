//! Selectors of log streams in a `match` stage: the part of LogQL that Promtail has a parser of its own for.

use super::regexp;

/// What is wrong with a selector, as a clause of its own; `None` where Promtail accepts it, or where it cannot be told.
///
/// The form is `{name="value", …}`, with `=`, `!=`, `=~` or `!~`, then any number of `|=`, `!=`, `|~` or `!~` with a
/// string (`logentry/logql`).
pub fn problem(text: &str) -> Option<String> {
    let mut parser = Parser { rest: text };
    match parser.selector() {
        Ok(()) | Err(Stop::Unclear) => None,
        Err(Stop::Wrong(problem)) => Some(problem),
    }
}

/// Why a selector is read no further.
enum Stop {
    Wrong(String),
    /// A form so unusual that its tokens are not told apart here.
    Unclear,
}

#[derive(Debug, PartialEq, Eq)]
enum Token<'t> {
    End,
    Name(&'t str),
    /// A string in quotes; `None` where it has escapes for bytes.
    Text(Option<String>),
    Sign(&'static str),
}

const SPACE: [char; 4] = [' ', '\t', '\n', '\r'];

struct Parser<'t> {
    rest: &'t str,
}

impl<'t> Parser<'t> {
    fn selector(&mut self) -> Result<(), Stop> {
        self.sign(&["{"], "`{`")?;
        loop {
            match self.token()? {
                Token::Name(_) => {}
                other => return Err(unexpected(&other, "the name of a label")),
            }
            match self.sign(&["=", "!=", "=~", "!~"], "`=`, `!=`, `=~` or `!~`")? {
                "=" | "!=" => drop(self.text()?),
                _ => check_regexp(self.text()?.as_deref(), regexp::compile_anchored)?,
            }
            if self.sign(&[",", "}"], "`,` or `}`")? == "}" {
                break;
            }
        }
        while !self.rest.trim_start_matches(SPACE).is_empty() {
            match self.sign(&["|=", "!=", "|~", "!~"], "a filter such as `|=`")? {
                "|=" | "!=" => drop(self.text()?),
                _ => check_regexp(self.text()?.as_deref(), regexp::compile)?,
            }
        }
        Ok(())
    }

    fn sign(&mut self, signs: &[&str], expected: &str) -> Result<&'static str, Stop> {
        match self.token()? {
            Token::Sign(found) if signs.contains(&found) => Ok(found),
            other => Err(unexpected(&other, expected)),
        }
    }

    fn text(&mut self) -> Result<Option<String>, Stop> {
        match self.token()? {
            Token::Text(text) => Ok(text),
            other => Err(unexpected(&other, "a string in double quotes")),
        }
    }

    fn token(&mut self) -> Result<Token<'t>, Stop> {
        self.rest = self.rest.trim_start_matches(SPACE);
        let Some(first) = self.rest.chars().next() else {
            return Ok(Token::End);
        };
        if first == '"' {
            return self.quoted();
        }
        if first == '`' {
            let length = self.rest.get(1..).and_then(|rest| rest.find('`'));
            let length = length.ok_or_else(|| Stop::Wrong("a backquote is not closed".to_owned()))?;
            return Ok(Token::Name(self.take(length + 2)));
        }
        if first == '_' || first.is_alphabetic() {
            let is_part = |c: char| c == '_' || c.is_alphanumeric();
            let length = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
            return Ok(Token::Name(self.take(length)));
        }
        const SIGNS: [&str; 11] = ["!=", "=~", "!~", "|=", "|~", "=", "{", "}", ",", "|", "!"];
        let sign = SIGNS.into_iter().find(|sign| self.rest.starts_with(sign));
        let sign = sign.ok_or(Stop::Unclear)?;
        self.take(sign.len());
        Ok(Token::Sign(sign))
    }

    fn take(&mut self, length: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, ""));
        self.rest = rest;
        taken
    }

    /// A string with Go's escapes (`text/scanner`, `strconv.Unquote`).
    fn quoted(&mut self) -> Result<Token<'t>, Stop> {
        self.take(1);
        let mut text = String::new();
        let mut is_text = true;
        loop {
            let Some(next) = self.rest.chars().next().filter(|c| *c != '\n') else {
                return Err(Stop::Wrong("a string is not closed".to_owned()));
            };
            self.take(next.len_utf8());
            match next {
                '"' => return Ok(Token::Text(is_text.then_some(text))),
                '\\' => match self.escape()? {
                    Some(escaped) => text.push(escaped),
                    None => is_text = false,
                },
                _ => text.push(next),
            }
        }
    }

    fn escape(&mut self) -> Result<Option<char>, Stop> {
        let kind = self.take(self.rest.chars().next().map_or(0, char::len_utf8));
        let simple = match kind {
            "a" => '\u{7}',
            "b" => '\u{8}',
            "f" => '\u{c}',
            "n" => '\n',
            "r" => '\r',
            "t" => '\t',
            "v" => '\u{b}',
            "\\" => '\\',
            "\"" => '"',
            "x" | "u" | "U" | "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" => return Ok(None),
            _ => {
                return Err(Stop::Wrong(format!(
                    "`\\{kind}` is not a valid escape in a string, write `\\\\{kind}`"
                )));
            }
        };
        Ok(Some(simple))
    }
}

fn unexpected(found: &Token<'_>, expected: &str) -> Stop {
    Stop::Wrong(match found {
        Token::End => format!("it ends where {expected} is expected"),
        Token::Name(name) => format!("expected {expected}, found `{name}`"),
        Token::Text(_) => format!("expected {expected}, found a string"),
        Token::Sign(sign) => format!("expected {expected}, found `{sign}`"),
    })
}

fn check_regexp(
    pattern: Option<&str>,
    compile: fn(&str) -> Result<regexp::Accepted, regexp::Error>,
) -> Result<(), Stop> {
    let Some(pattern) = pattern else { return Ok(()) };
    compile(pattern).map(drop).map_err(|error| {
        Stop::Wrong(format!(
            "its regular expression is invalid: {}",
            error.describe(pattern)
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_that_promtail_takes() {
        for selector in [
            r#"{app="x"}"#,
            r#" { app = "x" , env!~"a|b" } "#,
            r#"{app="x"} |= "a" != "b" |~ "c+" !~ "\\d""#,
            r#"{a="\x41\u00e4"}"#,
            r#"{5="a"}"#,
            r#"{_a1="x",b_2="y"}"#,
            "{é=\"x\"}\r\n\t ",
            "{`a b`=\"x\"}",
            r#"{a="\a\b\f\n\r\t\v\\\""} |~ "\n\\.\x28" |= "(""#,
            r#"{a="\0\1\2\3\4\5\6\7\u0041\U00000041"}"#,
            r#"{a!="(", b=~".+|a)(b"}"#,
        ] {
            assert_eq!(problem(selector), None, "{selector}");
        }
    }

    #[test]
    fn selectors_that_promtail_refuses() {
        for (selector, expected) in [
            ("", "it ends where `{` is expected"),
            ("{}", "expected the name of a label, found `}`"),
            ("app=\"x\"", "expected `{`, found `app`"),
            ("{app=\"x\"", "it ends where `,` or `}` is expected"),
            ("{app=x}", "expected a string in double quotes, found `x`"),
            ("{app=`x`}", "expected a string in double quotes, found ``x``"),
            ("{app=\"x\",}", "expected the name of a label, found `}`"),
            ("{app==\"x\"}", "expected a string in double quotes, found `=`"),
            ("{app=\"x}", "a string is not closed"),
            ("{app=\"x\n\"}", "a string is not closed"),
            ("{`app", "a backquote is not closed"),
            ("{\"app\"=\"x\"}", "expected the name of a label, found a string"),
            ("{app!\"x\"}", "expected `=`, `!=`, `=~` or `!~`, found `!`"),
            ("{app=\"x\"} !", "expected a filter such as `|=`, found `!`"),
            ("{app=\"x\"} |=", "it ends where a string in double quotes is expected"),
            (
                "{app=\"x\"} |~ \"a)(b\"",
                "its regular expression is invalid: `)` closes no group",
            ),
            (
                "{app!~\"a)\"}",
                "its regular expression is invalid: `)` closes no group",
            ),
            (
                "{app=\"\\é\"}",
                "`\\é` is not a valid escape in a string, write `\\\\é`",
            ),
            (
                "{app=~\"(\"}",
                "its regular expression is invalid: `(` is not closed by `)`",
            ),
            (
                "{app=\"x\"} |~ \"a**\"",
                "its regular expression is invalid: `**` repeats a repetition",
            ),
            ("{app=\"x\"} | json", "expected a filter such as `|=`, found `|`"),
            (
                "{app=~\"\\d\"}",
                "`\\d` is not a valid escape in a string, write `\\\\d`",
            ),
        ] {
            assert_eq!(problem(selector).as_deref(), Some(expected), "{selector}");
        }
    }
}

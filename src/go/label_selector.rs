//! Label selectors, parsed like `labels.Parse` in apimachinery. Unlike label selectors in resources, they support `>`
//! and `<`.

use super::syntax;

/// A label selector. An object must meet every requirement, and an empty selector selects everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParsedSelector(Vec<ParsedRequirement>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct ParsedRequirement {
    key: String,
    operator: Operator,
    values: Vec<String>,
}

/// A requirement as written. Its key and values may be invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term<'t> {
    pub key: &'t str,
    pub operator: Operator,
    pub values: Vec<&'t str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Equals,
    NotEquals,
    In,
    NotIn,
    Exists,
    DoesNotExist,
    GreaterThan,
    LessThan,
}

impl ParsedSelector {
    /// Parses a selector, or returns `None` if `labels.Parse` rejects it.
    pub fn parse(text: &str) -> Option<Self> {
        let terms = parse(text).ok()?.into_iter();
        terms.map(ParsedRequirement::new).collect::<Option<_>>().map(Self)
    }

    /// Whether the selector selects an object. `value` looks up the object's labels.
    pub fn matches<'l>(&self, value: impl Fn(&str) -> Option<&'l str>) -> bool {
        let mut requirements = self.0.iter();
        requirements.all(|requirement| requirement.matches(value(&requirement.key)))
    }

    /// Returns the number of requirements plus the number of their values.
    pub fn size(&self) -> usize {
        self.0.iter().map(|requirement| 1 + requirement.values.len()).sum()
    }
}

impl ParsedRequirement {
    /// Creates a requirement, or returns `None` if it is invalid (`NewRequirement`).
    fn new(term: Term<'_>) -> Option<Self> {
        let is_number = |value: &&str| value.parse::<i64>().is_ok();
        let needs_numbers = matches!(term.operator, Operator::GreaterThan | Operator::LessThan);
        let is_valid = syntax::qualified_name(term.key).is_none()
            && term.values.iter().all(|value| syntax::label_value(value).is_none())
            && (!needs_numbers || term.values.iter().all(is_number));
        is_valid.then(|| Self {
            key: term.key.to_owned(),
            operator: term.operator,
            values: term.values.into_iter().map(str::to_owned).collect(),
        })
    }

    /// Whether a label value meets the requirement. The value is `None` if the object does not have the label.
    fn matches(&self, value: Option<&str>) -> bool {
        let is_listed = |value: &str| self.values.iter().any(|listed| listed == value);
        let compare = |is_met: fn(i64, i64) -> bool| {
            let numbers = value.zip(self.values.first());
            let numbers = numbers.and_then(|(actual, expected)| Some((actual.parse().ok()?, expected.parse().ok()?)));
            numbers.is_some_and(|(actual, wanted)| is_met(actual, wanted))
        };
        match self.operator {
            Operator::Equals | Operator::In => value.is_some_and(is_listed),
            Operator::NotEquals | Operator::NotIn => !value.is_some_and(is_listed),
            Operator::Exists => value.is_some(),
            Operator::DoesNotExist => value.is_none(),
            Operator::GreaterThan => compare(|actual, wanted| actual > wanted),
            Operator::LessThan => compare(|actual, wanted| actual < wanted),
        }
    }
}

/// Parses the requirements of a selector. The error is the rest of the selector, starting at the malformed requirement.
pub fn parse(text: &str) -> Result<Vec<Term<'_>>, &str> {
    let (mut parser, mut terms) = (Parser { rest: text }, Vec::new());
    let mut is_done = parser.peek() == Token::End;
    while !is_done {
        let rest = parser.rest;
        terms.push(parser.parse_term().ok_or(rest)?);
        is_done = match parser.take_token() {
            Token::End => true,
            // A trailing comma is rejected later, when the requirement after it is missing.
            Token::Symbol(",") => false,
            _ => return Err(rest),
        };
    }
    Ok(terms)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'t> {
    /// A key, a value, `in` or `notin`.
    Word(&'t str),
    Symbol(&'t str),
    End,
}

/// Symbols. Longer symbols precede their own prefixes.
const SYMBOLS: [&str; 9] = ["==", "=", "!=", "!", "(", ")", ",", ">", "<"];

/// Splits off the first token (`Lexer`). A NUL byte ends the selector or the current word.
fn split_token(text: &str) -> (Token<'_>, &str) {
    let text = text.trim_start_matches([' ', '\t', '\r', '\n']);
    if text.is_empty() || text.starts_with('\0') {
        return (Token::End, "");
    }
    let mut symbols = SYMBOLS.into_iter();
    if let Some((symbol, rest)) = symbols.find_map(|symbol| Some((symbol, text.strip_prefix(symbol)?))) {
        return (Token::Symbol(symbol), rest);
    }
    let ends = |letter| " \t\r\n=!(),><\0".contains(letter);
    let (word, rest) = text.split_at(text.find(ends).unwrap_or(text.len()));
    (Token::Word(word), rest.strip_prefix('\0').unwrap_or(rest))
}

/// Parser for requirements (`Parser`).
struct Parser<'t> {
    rest: &'t str,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Token<'t> {
        split_token(self.rest).0
    }

    fn take_token(&mut self) -> Token<'t> {
        let (token, rest) = split_token(self.rest);
        self.rest = rest;
        token
    }

    fn parse_term(&mut self) -> Option<Term<'t>> {
        let is_negated = self.peek() == Token::Symbol("!");
        if is_negated {
            self.take_token();
        }
        let Token::Word(key) = self.take_token() else { return None };
        let operator = match self.peek() {
            _ if is_negated => Operator::DoesNotExist,
            Token::End | Token::Symbol(",") => Operator::Exists,
            _ => self.parse_operator()?,
        };
        let values = match operator {
            Operator::Exists | Operator::DoesNotExist => Vec::new(),
            Operator::In | Operator::NotIn => self.parse_values()?,
            _ => vec![self.parse_value()?],
        };
        Some(Term { key, operator, values })
    }

    fn parse_operator(&mut self) -> Option<Operator> {
        Some(match self.take_token() {
            Token::Word("in") => Operator::In,
            Token::Word("notin") => Operator::NotIn,
            Token::Symbol("=" | "==") => Operator::Equals,
            Token::Symbol("!=") => Operator::NotEquals,
            Token::Symbol(">") => Operator::GreaterThan,
            Token::Symbol("<") => Operator::LessThan,
            _ => return None,
        })
    }

    /// Parses the value after an operator. It may be empty (`parseExactValue`).
    fn parse_value(&mut self) -> Option<&'t str> {
        match self.peek() {
            Token::End | Token::Symbol(",") => Some(""),
            Token::Symbol(_) => None,
            Token::Word(value) => {
                self.take_token();
                Some(value)
            }
        }
    }

    /// Parses a list in parentheses (`parseValues`). Two adjacent commas enclose an empty value.
    fn parse_values(&mut self) -> Option<Vec<&'t str>> {
        if self.take_token() != Token::Symbol("(") {
            return None;
        }
        let mut values = Vec::new();
        loop {
            let value = match self.peek() {
                Token::Word(value) => {
                    self.take_token();
                    value
                }
                _ => "",
            };
            values.push(value);
            match self.take_token() {
                Token::Symbol(",") => {}
                Token::Symbol(")") => return Some(values),
                _ => return None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_like_apimachinery() {
        // The expected results are for objects with n=7, n=05, n=web, an empty n, and no n label.
        for (text, expected) in [
            ("", [true, true, true, true, true]),
            (" \t", [true, true, true, true, true]),
            ("n>5", [true, false, false, false, false]),
            ("n > 4", [true, true, false, false, false]),
            ("n<7", [false, true, false, false, false]),
            ("n", [true, true, true, true, false]),
            ("!n", [false, false, false, false, true]),
            ("n=7", [true, false, false, false, false]),
            ("n==7", [true, false, false, false, false]),
            ("n=", [false, false, false, true, false]),
            ("n!=7", [false, true, true, true, true]),
            ("n in (7, web)", [true, false, true, false, false]),
            ("n in ()", [false, false, false, true, false]),
            ("n in (,7)", [true, false, false, true, false]),
            ("n in (7,)", [true, false, false, true, false]),
            ("n in (in)", [false, false, false, false, false]),
            ("n notin (7,,web)", [false, true, false, false, true]),
            ("n>5,n<9", [true, false, false, false, false]),
            ("n=in", [false, false, false, false, false]),
            ("in", [false, false, false, false, false]),
        ] {
            let selector = ParsedSelector::parse(text).unwrap();
            let values = [Some("7"), Some("05"), Some("web"), Some(""), None];
            let matching = values.map(|value| selector.matches(|key| value.filter(|_| key == "n")));
            assert_eq!(matching, expected, "{text}");
        }
    }

    #[test]
    fn rejects_the_same_selectors_as_apimachinery() {
        for text in [
            "app=web,",
            ",app=web",
            "a,,b",
            "n>x",
            "n>",
            "n>-1",
            "n>5x",
            "app=-x",
            "!app=web",
            "app=a b",
            "!",
            "a b",
            "a in",
            "a in (b",
            "a in b",
            "a in (b c)",
            "a in (b(c))",
            "a=b=c",
            "a=(b)",
            "a<=3",
            "a=>3",
            "a===b",
            "-a",
            "a/b/c",
            "a!b",
            "a in (-b)",
            "(a)",
            "n>99999999999999999999",
        ] {
            assert_eq!(ParsedSelector::parse(text), None, "{text}");
        }
    }
}

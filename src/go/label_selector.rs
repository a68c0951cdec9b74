//! Label selectors, parsed like `labels.Parse` of apimachinery. Unlike those in resources, they support `>` and `<`.

use super::syntax;

/// A label selector. An object must meet every requirement; an empty selector selects everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabelSelector(Vec<Requirement>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Requirement {
    key: String,
    operator: Operator,
    values: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    In,
    NotIn,
    Exists,
    DoesNotExist,
    GreaterThan,
    LessThan,
}

impl LabelSelector {
    /// Parses a selector, or returns `None` if `labels.Parse` rejects it.
    pub fn parse(text: &str) -> Option<Self> {
        Parser::new(text).selector().map(Self)
    }

    /// Whether the selector selects an object whose labels are looked up with `value`.
    pub fn matches<'l>(&self, value: impl Fn(&str) -> Option<&'l str>) -> bool {
        let mut requirements = self.0.iter();
        requirements.all(|requirement| requirement.matches(value(&requirement.key)))
    }

    /// Number of requirements plus the number of values that they list.
    pub fn size(&self) -> usize {
        self.0.iter().map(|requirement| 1 + requirement.values.len()).sum()
    }
}

impl Requirement {
    /// Creates a requirement, or returns `None` if it is invalid (`NewRequirement`).
    fn new(key: &str, operator: Operator, values: &[&str]) -> Option<Self> {
        let is_number = |value: &&str| value.parse::<i64>().is_ok();
        let needs_numbers = matches!(operator, Operator::GreaterThan | Operator::LessThan);
        let is_valid = syntax::qualified_name(key).is_none()
            && values.iter().all(|value| syntax::label_value(value).is_none())
            && (!needs_numbers || values.iter().all(is_number));
        is_valid.then(|| Self {
            key: key.to_owned(),
            operator,
            values: values.iter().map(|value| (*value).to_owned()).collect(),
        })
    }

    /// Whether the requirement is met by a label value, or by `None` if the object does not have the label.
    fn matches(&self, value: Option<&str>) -> bool {
        let is_listed = |value: &str| self.values.iter().any(|listed| listed == value);
        let compares = |is_met: fn(i64, i64) -> bool| {
            let numbers = value.zip(self.values.first());
            let numbers = numbers.and_then(|(own, wanted)| Some((own.parse().ok()?, wanted.parse().ok()?)));
            numbers.is_some_and(|(own, wanted)| is_met(own, wanted))
        };
        match self.operator {
            Operator::In => value.is_some_and(is_listed),
            Operator::NotIn => !value.is_some_and(is_listed),
            Operator::Exists => value.is_some(),
            Operator::DoesNotExist => value.is_none(),
            Operator::GreaterThan => compares(|own, wanted| own > wanted),
            Operator::LessThan => compares(|own, wanted| own < wanted),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'t> {
    /// A key, a value, `in` or `notin`.
    Word(&'t str),
    Symbol(&'t str),
    End,
}

/// Symbols; a longer one precedes its prefixes.
const SYMBOLS: [&str; 9] = ["==", "=", "!=", "!", "(", ")", ",", ">", "<"];

/// Splits a selector into tokens (`Lexer`). A NUL byte ends the selector, or the current word.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches([' ', '\t', '\r', '\n']);
        if rest.is_empty() || rest.starts_with('\0') {
            return tokens;
        }
        if let Some(symbol) = SYMBOLS.into_iter().find(|symbol| rest.starts_with(symbol)) {
            tokens.push(Token::Symbol(symbol));
            rest = rest.get(symbol.len()..).unwrap_or_default();
            continue;
        }
        let ends = |letter| " \t\r\n=!(),><\0".contains(letter);
        let (word, after) = rest.split_at(rest.find(ends).unwrap_or(rest.len()));
        tokens.push(Token::Word(word));
        rest = after.strip_prefix('\0').unwrap_or(after);
    }
}

/// Parses requirements from tokens (`Parser`).
struct Parser<'t> {
    tokens: Vec<Token<'t>>,
    position: usize,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            tokens: tokens(text),
            position: 0,
        }
    }

    fn next(&self) -> Token<'t> {
        self.tokens.get(self.position).copied().unwrap_or(Token::End)
    }

    fn take(&mut self) -> Token<'t> {
        let token = self.next();
        self.position += 1;
        token
    }

    fn selector(&mut self) -> Option<Vec<Requirement>> {
        let mut requirements = Vec::new();
        if self.next() == Token::End {
            return Some(requirements);
        }
        loop {
            requirements.push(self.requirement()?);
            match self.take() {
                Token::End => return Some(requirements),
                // A trailing comma is rejected later, because a requirement must follow it.
                Token::Symbol(",") => {}
                _ => return None,
            }
        }
    }

    fn requirement(&mut self) -> Option<Requirement> {
        let is_negated = self.next() == Token::Symbol("!");
        self.position += usize::from(is_negated);
        let Token::Word(key) = self.take() else { return None };
        if is_negated {
            return Requirement::new(key, Operator::DoesNotExist, &[]);
        }
        if matches!(self.next(), Token::End | Token::Symbol(",")) {
            return Requirement::new(key, Operator::Exists, &[]);
        }
        let (operator, is_list) = match self.take() {
            Token::Word("in") => (Operator::In, true),
            Token::Word("notin") => (Operator::NotIn, true),
            Token::Symbol("=" | "==") => (Operator::In, false),
            Token::Symbol("!=") => (Operator::NotIn, false),
            Token::Symbol(">") => (Operator::GreaterThan, false),
            Token::Symbol("<") => (Operator::LessThan, false),
            _ => return None,
        };
        let values = if is_list { self.values()? } else { vec![self.value()?] };
        Requirement::new(key, operator, &values)
    }

    /// Parses the value after an operator, which may be empty (`parseExactValue`).
    fn value(&mut self) -> Option<&'t str> {
        match self.next() {
            Token::End | Token::Symbol(",") => Some(""),
            Token::Word(value) => {
                self.position += 1;
                Some(value)
            }
            Token::Symbol(_) => None,
        }
    }

    /// Parses a list in parentheses (`parseValues`). Two adjacent commas enclose an empty value.
    fn values(&mut self) -> Option<Vec<&'t str>> {
        if self.take() != Token::Symbol("(") {
            return None;
        }
        let mut values = Vec::new();
        loop {
            let value = match self.next() {
                Token::Word(value) => {
                    self.position += 1;
                    value
                }
                _ => "",
            };
            values.push(value);
            match self.take() {
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
        // Whether objects with n=7, n=05, n=web, an empty n and no label n are selected.
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
            let selector = LabelSelector::parse(text).unwrap();
            let values = [Some("7"), Some("05"), Some("web"), Some(""), None];
            let found = values.map(|value| selector.matches(|key| value.filter(|_| key == "n")));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn rejects_what_apimachinery_rejects() {
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
            assert_eq!(LabelSelector::parse(text), None, "{text}");
        }
    }
}

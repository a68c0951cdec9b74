//! JMESPath syntax, as `go-jmespath` v0.4.0 parses it.

/// Maximum nesting depth. More deeply nested expressions are not checked.
const MAX_DEPTH: usize = 200;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TokenKind {
    Star,
    Dot,
    Filter,
    Flatten,
    LeftParen,
    RightParen,
    LeftBracket,
    RightBracket,
    LeftBrace,
    RightBrace,
    Or,
    Pipe,
    Number,
    Name,
    QuotedName,
    Comma,
    Colon,
    Comparator,
    Json,
    Text,
    Current,
    Reference,
    And,
    Not,
    Unknown,
    End,
}

impl TokenKind {
    /// Returns the binding power of an operator (`bindingPowers`).
    fn binding_power(self) -> u8 {
        match self {
            TokenKind::Pipe => 1,
            TokenKind::Or => 2,
            TokenKind::And => 3,
            TokenKind::Comparator => 5,
            TokenKind::Flatten => 9,
            TokenKind::Star => 20,
            TokenKind::Filter => 21,
            TokenKind::Dot => 40,
            TokenKind::Not => 45,
            TokenKind::LeftBrace => 50,
            TokenKind::LeftBracket => 55,
            TokenKind::LeftParen => 60,
            _ => 0,
        }
    }
}

/// A token and its byte range.
#[derive(Clone, Copy, Debug)]
struct Token {
    kind: TokenKind,
    start: usize,
    end: usize,
}

#[derive(Debug)]
enum Error {
    /// An unexpected token at this offset.
    At(usize),
    Unclosed(char),
    /// An expression that is nested too deeply to be checked.
    Deep,
}

/// Returns the problem with an expression as a complete sentence, or `None` if it is valid.
pub fn problem(text: &str) -> Option<String> {
    let parsed = tokenize(text).and_then(|tokens| {
        let mut parser = Parser { text, tokens: &tokens, next: 0, depth: 0 };
        parser.parse_expression(0)?;
        parser.expect(TokenKind::End)
    });
    Some(match parsed {
        Ok(()) | Err(Error::Deep) => return None,
        Err(Error::Unclosed(quote)) => format!("missing closing {quote}"),
        Err(Error::At(place)) => match text.get(place..).unwrap_or_default() {
            "" => "it ends unexpectedly".to_owned(),
            rest => format!("`{}` is unexpected", excerpt(rest)),
        },
    })
}

/// Returns the first 20 characters of a string, with an ellipsis if it is longer.
fn excerpt(text: &str) -> String {
    let mut start: String = text.chars().take(20).collect();
    if start.len() < text.len() {
        start.push('…');
    }
    start
}

/// Splits an expression into tokens (`Lexer.tokenize`).
fn tokenize(text: &str) -> Result<Vec<Token>, Error> {
    let mut tokens = Vec::new();
    let mut start = 0;
    while let Some(first) = text.get(start..).and_then(|rest| rest.chars().next()) {
        let after = text.get(start + first.len_utf8()..).unwrap_or_default();
        let starts_with = |second: char| after.starts_with(second);
        let while_in = |is_in: fn(char) -> bool| after.find(|c| !is_in(c)).unwrap_or(after.len());
        let until = |escapes: fn(&str) -> bool| end_of_quoted(after, first, escapes).ok_or(Error::Unclosed(first));
        // `extra_length` is the number of bytes after the token's first character.
        let (kind, extra_length) = match first {
            'a'..='z' | 'A'..='Z' | '_' => (TokenKind::Name, while_in(|c| c == '_' || c.is_ascii_alphanumeric())),
            '.' => (TokenKind::Dot, 0),
            '*' => (TokenKind::Star, 0),
            ',' => (TokenKind::Comma, 0),
            ':' => (TokenKind::Colon, 0),
            '{' => (TokenKind::LeftBrace, 0),
            '}' => (TokenKind::RightBrace, 0),
            ']' => (TokenKind::RightBracket, 0),
            '(' => (TokenKind::LeftParen, 0),
            ')' => (TokenKind::RightParen, 0),
            '@' => (TokenKind::Current, 0),
            '-' | '0'..='9' => (TokenKind::Number, while_in(|c| c.is_ascii_digit())),
            '[' if starts_with('?') => (TokenKind::Filter, 1),
            '[' if starts_with(']') => (TokenKind::Flatten, 1),
            '[' => (TokenKind::LeftBracket, 0),
            '"' => (TokenKind::QuotedName, until(|_| true)?),
            '\'' => (TokenKind::Text, until(|next| next.starts_with('\''))?),
            '`' => (TokenKind::Json, until(|_| true)?),
            '|' if starts_with('|') => (TokenKind::Or, 1),
            '|' => (TokenKind::Pipe, 0),
            '<' | '>' | '!' | '=' if starts_with('=') => (TokenKind::Comparator, 1),
            '<' | '>' => (TokenKind::Comparator, 0),
            '!' => (TokenKind::Not, 0),
            '=' => (TokenKind::Unknown, 0),
            '&' if starts_with('&') => (TokenKind::And, 1),
            '&' => (TokenKind::Reference, 0),
            ' ' | '\t' | '\n' | '\r' => {
                start += 1;
                continue;
            }
            _ => return Err(Error::At(start)),
        };
        let end = start + first.len_utf8() + extra_length;
        let is_json_text = |token: &str| serde_json::from_str::<String>(token).is_ok();
        if kind == TokenKind::QuotedName && !text.get(start..end).is_some_and(is_json_text) {
            return Err(Error::At(start));
        }
        tokens.push(Token { kind, start, end });
        start = end;
    }
    tokens.push(Token { kind: TokenKind::End, start: text.len(), end: text.len() });
    Ok(tokens)
}

/// Returns the offset after the closing quote. A backslash escapes the next character if `escapes` accepts the text
/// after the backslash.
fn end_of_quoted(text: &str, quote: char, escapes: fn(&str) -> bool) -> Option<usize> {
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        if c == quote {
            return Some(at + c.len_utf8());
        }
        if c == '\\' && escapes(chars.as_str()) {
            chars.next();
        }
    }
    None
}

/// Port of `Parser` that only determines whether tokens form a valid expression.
struct Parser<'t> {
    text: &'t str,
    tokens: &'t [Token],
    next: usize,
    depth: usize,
}

impl Parser<'_> {
    fn token_ahead(&self, number: usize) -> Token {
        let end = Token { kind: TokenKind::End, start: self.text.len(), end: self.text.len() };
        self.tokens.get(self.next + number).copied().unwrap_or(end)
    }

    fn kind(&self) -> TokenKind {
        self.token_ahead(0).kind
    }

    fn unexpected_token_error(&self) -> Error {
        Error::At(self.token_ahead(0).start)
    }

    /// Consumes a token of the given kind, or fails (`match`).
    fn expect(&mut self, kind: TokenKind) -> Result<(), Error> {
        if self.kind() != kind {
            return Err(self.unexpected_token_error());
        }
        self.next += 1;
        Ok(())
    }

    /// Parses an expression whose operators bind more tightly than `power` (`parseExpression`).
    fn parse_expression(&mut self, power: u8) -> Result<(), Error> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Error::Deep);
        }
        let first = self.token_ahead(0);
        self.next += 1;
        self.parse_prefix(first)?;
        while power < self.kind().binding_power() {
            let operator = self.token_ahead(0);
            self.next += 1;
            self.parse_infix(operator)?;
        }
        self.depth -= 1;
        Ok(())
    }

    /// Parses an expression that starts with `token` (`nud`).
    fn parse_prefix(&mut self, token: Token) -> Result<(), Error> {
        match token.kind {
            TokenKind::Json => {
                let text = self.text.get(token.start + 1..token.end - 1).unwrap_or_default();
                let is_json = serde_json::from_str::<serde_json::Value>(&text.replace("\\`", "`")).is_ok();
                if is_json { Ok(()) } else { Err(Error::At(token.start)) }
            }
            TokenKind::QuotedName if self.kind() == TokenKind::LeftParen => Err(Error::At(token.start)),
            TokenKind::Text | TokenKind::Name | TokenKind::QuotedName | TokenKind::Current => Ok(()),
            TokenKind::Star if self.kind() == TokenKind::RightBracket => Ok(()),
            TokenKind::Star => self.parse_projection(TokenKind::Star),
            TokenKind::Filter => self.parse_filter(),
            TokenKind::LeftBrace => self.parse_mapping(),
            TokenKind::Flatten => self.parse_projection(TokenKind::Flatten),
            TokenKind::LeftBracket => match (self.kind(), self.token_ahead(1).kind) {
                // go-jmespath discards the error for an invalid index here.
                (TokenKind::Number | TokenKind::Colon, _) => match self.parse_index() {
                    Ok(true) => self.parse_projection(TokenKind::Star),
                    Ok(false) | Err(_) => Ok(()),
                },
                (TokenKind::Star, TokenKind::RightBracket) => {
                    self.next += 2;
                    self.parse_projection(TokenKind::Star)
                }
                _ => self.parse_list(),
            },
            TokenKind::Reference => self.parse_expression(0),
            TokenKind::Not => self.parse_expression(TokenKind::Not.binding_power()),
            TokenKind::LeftParen => {
                self.parse_expression(0)?;
                self.expect(TokenKind::RightParen)
            }
            _ => Err(Error::At(token.start)),
        }
    }

    /// Continues an expression with the operator `token` (`led`).
    fn parse_infix(&mut self, token: Token) -> Result<(), Error> {
        match token.kind {
            TokenKind::Dot if self.kind() == TokenKind::Star => {
                self.next += 1;
                self.parse_projection(TokenKind::Dot)
            }
            TokenKind::Dot => self.parse_operand_after_dot(TokenKind::Dot),
            TokenKind::Pipe | TokenKind::Or | TokenKind::And | TokenKind::Comparator => {
                self.parse_expression(token.kind.binding_power())
            }
            TokenKind::LeftParen => {
                while self.kind() != TokenKind::RightParen {
                    self.parse_expression(0)?;
                    if self.kind() == TokenKind::Comma {
                        self.next += 1;
                    }
                }
                self.expect(TokenKind::RightParen)
            }
            TokenKind::Filter => self.parse_filter(),
            TokenKind::Flatten => self.parse_projection(TokenKind::Flatten),
            TokenKind::LeftBracket if matches!(self.kind(), TokenKind::Number | TokenKind::Colon) => {
                match self.parse_index()? {
                    true => self.parse_projection(TokenKind::Star),
                    false => Ok(()),
                }
            }
            TokenKind::LeftBracket => {
                self.expect(TokenKind::Star)?;
                self.expect(TokenKind::RightBracket)?;
                self.parse_projection(TokenKind::Star)
            }
            _ => Err(Error::At(token.start)),
        }
    }

    /// Parses an index or a slice, returning whether it is a slice (`parseIndexExpression`, `parseSliceExpression`).
    fn parse_index(&mut self) -> Result<bool, Error> {
        let is_slice = self.kind() == TokenKind::Colon || self.token_ahead(1).kind == TokenKind::Colon;
        let mut parts = 0;
        while self.kind() != TokenKind::RightBracket && parts < 3 {
            let token = self.token_ahead(0);
            let number = self.text.get(token.start..token.end).unwrap_or_default();
            match token.kind {
                TokenKind::Colon if is_slice => parts += 1,
                TokenKind::Number if number.parse::<i64>().is_ok() => {}
                _ => return Err(self.unexpected_token_error()),
            }
            self.next += 1;
            if !is_slice {
                break;
            }
        }
        self.expect(TokenKind::RightBracket)?;
        Ok(is_slice)
    }

    /// Parses a filter (`parseFilter`).
    fn parse_filter(&mut self) -> Result<(), Error> {
        self.parse_expression(0)?;
        self.expect(TokenKind::RightBracket)?;
        match self.kind() {
            TokenKind::Flatten => Ok(()),
            _ => self.parse_projection(TokenKind::Filter),
        }
    }

    /// Parses a multi-select list (`parseMultiSelectList`).
    fn parse_list(&mut self) -> Result<(), Error> {
        loop {
            self.parse_expression(0)?;
            if self.kind() == TokenKind::RightBracket {
                break;
            }
            self.expect(TokenKind::Comma)?;
        }
        self.expect(TokenKind::RightBracket)
    }

    /// Parses a multi-select hash (`parseMultiSelectHash`). Commas are optional.
    fn parse_mapping(&mut self) -> Result<(), Error> {
        loop {
            self.expect(TokenKind::Name).or_else(|_| self.expect(TokenKind::QuotedName))?;
            self.expect(TokenKind::Colon)?;
            self.parse_expression(0)?;
            match self.kind() {
                TokenKind::Comma => self.next += 1,
                TokenKind::RightBrace => return self.expect(TokenKind::RightBrace),
                _ => {}
            }
        }
    }

    /// Parses the operand after a dot (`parseDotRHS`).
    fn parse_operand_after_dot(&mut self, operator: TokenKind) -> Result<(), Error> {
        match self.kind() {
            TokenKind::QuotedName | TokenKind::Name | TokenKind::Star => {
                self.parse_expression(operator.binding_power())
            }
            TokenKind::LeftBracket => {
                self.next += 1;
                self.parse_list()
            }
            TokenKind::LeftBrace => {
                self.next += 1;
                self.parse_mapping()
            }
            _ => Err(self.unexpected_token_error()),
        }
    }

    /// Parses the right-hand side of a projection (`parseProjectionRHS`).
    fn parse_projection(&mut self, operator: TokenKind) -> Result<(), Error> {
        match self.kind() {
            kind if kind.binding_power() < 10 => Ok(()),
            TokenKind::LeftBracket | TokenKind::Filter => self.parse_expression(operator.binding_power()),
            TokenKind::Dot => {
                self.next += 1;
                self.parse_operand_after_dot(operator)
            }
            _ => Err(self.unexpected_token_error()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::problem;

    #[test]
    fn accepts_the_same_expressions_as_go_jmespath() {
        for text in [
            "a",
            "_a1 . b.c",
            "@",
            "\"@timestamp\"",
            "\"log-level\".\"a\\\"b\"",
            "a[0].b[-1]",
            "a[*].b",
            "a[].b[]",
            "*.a",
            "a.*",
            "[*][0]",
            "a[1:2]",
            "a[::-1].b",
            "[a, b.c]",
            "a.[b, c]",
            "{a: b, \"c\": d}",
            "a.{b: c d: e}",
            "a[?b == 'c' && !d || e > `1`].f",
            "a[?b][]",
            "(a || b) | c",
            "length(a)",
            "sort_by(a, &b)[0]",
            "join(', ', a)",
            "`{\"a\": 1}`",
            "'it\\'s'",
            // go-jmespath discards the error for an index at the start.
            "[0",
        ] {
            assert_eq!(problem(text), None, "{text}");
        }
        assert_eq!(problem(&"(".repeat(100_000)), None);
    }

    #[test]
    fn rejects_the_same_expressions_as_go_jmespath() {
        for (text, expected) in [
            ("", "it ends unexpectedly"),
            ("a.", "it ends unexpectedly"),
            ("a[", "it ends unexpectedly"),
            ("a[0", "it ends unexpectedly"),
            ("[?a", "it ends unexpectedly"),
            ("@timestamp", "`timestamp` is unexpected"),
            ("log-level", "`-level` is unexpected"),
            ("a/b", "`/b` is unexpected"),
            ("$.a", "`$.a` is unexpected"),
            ("a b", "`b` is unexpected"),
            ("a..b", "`.b` is unexpected"),
            ("a[b]", "`b]` is unexpected"),
            ("a = 'b'", "`= 'b'` is unexpected"),
            ("1", "`1` is unexpected"),
            ("a[-]", "`-]` is unexpected"),
            ("[-]", "`-]` is unexpected"),
            ("a[1:2:3:4]", "`4]` is unexpected"),
            ("`a`", "``a`` is unexpected"),
            ("\"a\\x\"", "`\"a\\x\"` is unexpected"),
            ("\"a\"(b)", "`\"a\"(b)` is unexpected"),
            ("a b c d e f g h i j k l", "`b c d e f g h i j k …` is unexpected"),
            ("a.1", "`1` is unexpected"),
            ("ä", "`ä` is unexpected"),
            ("\"a", "missing closing \""),
            ("'a\\'", "missing closing '"),
            ("`a", "missing closing `"),
        ] {
            assert_eq!(problem(text).as_deref(), Some(expected), "{text}");
        }
    }
}

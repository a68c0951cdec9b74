//! Glob patterns as in github.com/gobwas/glob v0.2.3, compiled without separators: `*` and `**` match anything,
//! including slashes. The library's bugs with non-ASCII characters, and with text after braces that contain wildcards,
//! are not ported.

/// Maximum number of alternatives that nested braces may have in total.
const MAX_BRACES: usize = 32;

/// A compiled glob pattern.
#[derive(Debug)]
pub struct Glob(Vec<Token>);

#[derive(Debug)]
enum Token {
    Character(char),
    /// `?`
    Single,
    /// `*` or `**`, which matches any string.
    AnyText,
    /// List of characters, such as `[abc]`.
    List {
        characters: Vec<char>,
        is_negated: bool,
    },
    /// `[a-z]`
    Range {
        low: char,
        high: char,
        is_negated: bool,
    },
    /// `{a,b}`
    AnyOf(Vec<Vec<Token>>),
}

/// Reason why a glob pattern is rejected.
#[derive(Debug, PartialEq, Eq)]
pub struct BadGlob;

impl Glob {
    /// Compiles a pattern (`glob.Compile`).
    ///
    /// # Errors
    ///
    /// Fails if the pattern is malformed, or has too many alternatives in braces.
    pub fn new(pattern: &str) -> Result<Self, BadGlob> {
        if pattern.matches('{').count() > MAX_BRACES {
            return Err(BadGlob);
        }
        let mut parser = Parser { rest: pattern, depth: 0 };
        let (tokens, _) = parser.parse_pattern()?;
        Ok(Self(tokens))
    }

    /// Whether a whole string matches (`Glob.Match`).
    pub fn is_match(&self, text: &str) -> bool {
        let text: Vec<char> = text.chars().collect();
        match_ends(&self.0, &text, vec![0]).contains(&text.len())
    }
}

/// Returns the positions at which a match can end if it starts at any of `starts`. The positions are sorted and
/// distinct, so the time is proportional to the lengths of the pattern and the text.
fn match_ends(tokens: &[Token], text: &[char], starts: Vec<usize>) -> Vec<usize> {
    tokens.iter().fold(starts, |starts, token| {
        if let (Token::AnyText, Some(first)) = (token, starts.first()) {
            return (*first..=text.len()).collect();
        }
        if let Token::AnyOf(patterns) = token {
            let mut all_ends: Vec<usize> =
                patterns.iter().flat_map(|pattern| match_ends(pattern, text, starts.clone())).collect();
            all_ends.sort_unstable();
            all_ends.dedup();
            return all_ends;
        }
        let next = |at: &usize| text.get(*at).is_some_and(|c| token.is_match(*c)).then_some(at + 1);
        starts.iter().filter_map(next).collect()
    })
}

impl Token {
    fn is_match(&self, character: char) -> bool {
        match self {
            Self::Character(expected) => *expected == character,
            Self::Single => true,
            Self::List { characters, is_negated } => characters.contains(&character) != *is_negated,
            Self::Range { low, high, is_negated } => (*low..=*high).contains(&character) != *is_negated,
            Self::AnyText | Self::AnyOf(_) => false,
        }
    }
}

/// End of a pattern or of an alternative in braces.
#[derive(PartialEq)]
enum PatternEnd {
    Text,
    Separator,
    Brace,
}

struct Parser<'p> {
    rest: &'p str,
    depth: usize,
}

impl Parser<'_> {
    fn next(&mut self) -> Option<char> {
        let mut characters = self.rest.chars();
        let character = characters.next();
        self.rest = characters.as_str();
        // The library treats a NUL character as the end of the pattern.
        character.filter(|c| *c != '\0')
    }

    fn parse_pattern(&mut self) -> Result<(Vec<Token>, PatternEnd), BadGlob> {
        let mut tokens = Vec::new();
        while let Some(c) = self.next() {
            tokens.push(match c {
                '*' => Token::AnyText,
                '?' => Token::Single,
                '[' => self.parse_range()?,
                '{' => self.parse_alternatives()?,
                ',' if self.depth > 0 => return Ok((tokens, PatternEnd::Separator)),
                '}' if self.depth > 0 => return Ok((tokens, PatternEnd::Brace)),
                '\\' => match self.next() {
                    Some(escaped) => Token::Character(escaped),
                    None => break,
                },
                c => Token::Character(c),
            });
        }
        Ok((tokens, PatternEnd::Text))
    }

    /// Parses the alternatives that follow an opening brace. An unclosed brace extends to the end of the pattern.
    fn parse_alternatives(&mut self) -> Result<Token, BadGlob> {
        self.depth += 1;
        let mut patterns = Vec::new();
        loop {
            let (pattern, end) = self.parse_pattern()?;
            patterns.push(pattern);
            if end != PatternEnd::Separator {
                break;
            }
        }
        self.depth -= 1;
        Ok(Token::AnyOf(patterns))
    }

    /// Parses the list or range of characters that follows an opening bracket (`fetchRange`).
    fn parse_range(&mut self) -> Result<Token, BadGlob> {
        let is_negated = self.rest.starts_with('!');
        if is_negated {
            self.next();
        }
        let mut next_characters = self.rest.chars();
        if let (Some(low), Some('-')) = (next_characters.next(), next_characters.next()) {
            self.rest = next_characters.as_str();
            let high = self.next().ok_or(BadGlob)?;
            let is_closed = self.next() == Some(']');
            return (is_closed && low <= high).then_some(Token::Range { low, high, is_negated }).ok_or(BadGlob);
        }
        let mut characters = Vec::new();
        loop {
            match self.next().ok_or(BadGlob)? {
                ']' => break,
                '\\' => characters.push(self.next().ok_or(BadGlob)?),
                c => characters.push(c),
            }
        }
        if characters.is_empty() {
            return Err(BadGlob);
        }
        Ok(Token::List { characters, is_negated })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, text: &str) -> Option<bool> {
        Glob::new(pattern).ok().map(|glob| glob.is_match(text))
    }

    #[test]
    fn matches_hostile_patterns_in_bounded_time() {
        let nested_braces = "{a,{b,c}}".repeat(20);
        assert_eq!(matches(&nested_braces, "a"), None);
        let many_stars = "*a".repeat(500) + "b";
        assert_eq!(matches(&many_stars, &"a".repeat(2000)), Some(false));
        assert_eq!(matches(&format!("{}b", "{*,*}".repeat(30)), &"a".repeat(1000)), Some(false));
    }

    const TEXTS: &[&str] = &[
        "a.yaml",
        "a.json",
        "charts/c.yml",
        "x/y.yaml",
        "drafts/a/b.yaml",
        "x-test.yaml",
        "kustomization.yaml",
        "x.yaml",
        "d/x.yaml",
        "d/e/x.yaml",
        "abc",
        "a/c",
        "ac",
        "b.yaml",
        "z.yaml",
        "ax",
        "dx",
        "*.yaml",
        "bcx",
        "bx",
        "bdx",
        "",
        "a",
        "a}",
        "a,b",
        "b",
        ",",
        "config/dev/x",
        "config/prod/x/y",
        "config/qa/x",
        "a/b/c",
        "xabc",
        "ab",
        "-",
        "a-",
        "d",
        "]",
        "sub/a/b",
        "b/q.yaml",
    ];

    /// Tests which strings match patterns in github.com/gobwas/glob v0.2.3. `None` means that the library rejects the
    /// pattern.
    #[test]
    fn matches_like_gobwas() {
        let cases: &[(&str, Option<&[&str]>)] = &[
            (
                "*.yaml",
                Some(&[
                    "a.yaml",
                    "x/y.yaml",
                    "drafts/a/b.yaml",
                    "x-test.yaml",
                    "kustomization.yaml",
                    "x.yaml",
                    "d/x.yaml",
                    "d/e/x.yaml",
                    "b.yaml",
                    "z.yaml",
                    "*.yaml",
                    "b/q.yaml",
                ]),
            ),
            (
                "{*.yaml,*.json,charts/*.yml}",
                Some(&[
                    "a.yaml",
                    "a.json",
                    "charts/c.yml",
                    "x/y.yaml",
                    "drafts/a/b.yaml",
                    "x-test.yaml",
                    "kustomization.yaml",
                    "x.yaml",
                    "d/x.yaml",
                    "d/e/x.yaml",
                    "b.yaml",
                    "z.yaml",
                    "*.yaml",
                    "b/q.yaml",
                ]),
            ),
            (
                "{*-test.yaml,drafts/*,kustomization.yaml}",
                Some(&["drafts/a/b.yaml", "x-test.yaml", "kustomization.yaml"]),
            ),
            ("**/x.yaml", Some(&["d/x.yaml", "d/e/x.yaml"])),
            ("a?c", Some(&["abc", "a/c"])),
            ("[abc].yaml", Some(&["a.yaml", "b.yaml"])),
            ("[!abc].yaml", Some(&["x.yaml", "z.yaml", "*.yaml"])),
            ("[a-c]x", Some(&["ax", "bx"])),
            ("[!a-c]x", Some(&["dx"])),
            ("\\*.yaml", Some(&["*.yaml"])),
            ("{a,b{c,d}}x", Some(&["ax", "bcx", "bdx"])),
            ("{}", Some(&[""])),
            ("{a", Some(&["a"])),
            ("a}", Some(&["a}"])),
            ("a,b", Some(&["a,b"])),
            ("{a,}", Some(&["", "a"])),
            ("[", None),
            ("[a", None),
            ("[]", None),
            ("[c-a]", None),
            ("[-a]", Some(&["a", "-"])),
            ("[a-]", None),
            ("a\\", Some(&["a"])),
            (
                "{*.yaml}",
                Some(&[
                    "a.yaml",
                    "x/y.yaml",
                    "drafts/a/b.yaml",
                    "x-test.yaml",
                    "kustomization.yaml",
                    "x.yaml",
                    "d/x.yaml",
                    "d/e/x.yaml",
                    "b.yaml",
                    "z.yaml",
                    "*.yaml",
                    "b/q.yaml",
                ]),
            ),
            ("config/{dev,prod}/*", Some(&["config/dev/x", "config/prod/x/y"])),
            ("???", Some(&["abc", "a/c", "bcx", "bdx", "a,b"])),
            (
                "*",
                Some(&[
                    "a.yaml",
                    "a.json",
                    "charts/c.yml",
                    "x/y.yaml",
                    "drafts/a/b.yaml",
                    "x-test.yaml",
                    "kustomization.yaml",
                    "x.yaml",
                    "d/x.yaml",
                    "d/e/x.yaml",
                    "abc",
                    "a/c",
                    "ac",
                    "b.yaml",
                    "z.yaml",
                    "ax",
                    "dx",
                    "*.yaml",
                    "bcx",
                    "bx",
                    "bdx",
                    "",
                    "a",
                    "a}",
                    "a,b",
                    "b",
                    ",",
                    "config/dev/x",
                    "config/prod/x/y",
                    "config/qa/x",
                    "a/b/c",
                    "xabc",
                    "ab",
                    "-",
                    "a-",
                    "d",
                    "]",
                    "sub/a/b",
                    "b/q.yaml",
                ]),
            ),
            ("", Some(&[""])),
            ("a*b*c", Some(&["abc", "a/b/c"])),
            ("{a,b", Some(&["a", "b"])),
            ("x{a{b}c}", Some(&["xabc"])),
            (
                "[a-z]*",
                Some(&[
                    "a.yaml",
                    "a.json",
                    "charts/c.yml",
                    "x/y.yaml",
                    "drafts/a/b.yaml",
                    "x-test.yaml",
                    "kustomization.yaml",
                    "x.yaml",
                    "d/x.yaml",
                    "d/e/x.yaml",
                    "abc",
                    "a/c",
                    "ac",
                    "b.yaml",
                    "z.yaml",
                    "ax",
                    "dx",
                    "bcx",
                    "bx",
                    "bdx",
                    "a",
                    "a}",
                    "a,b",
                    "b",
                    "config/dev/x",
                    "config/prod/x/y",
                    "config/qa/x",
                    "a/b/c",
                    "xabc",
                    "ab",
                    "a-",
                    "d",
                    "sub/a/b",
                    "b/q.yaml",
                ]),
            ),
            ("[ab-d]", Some(&["a", "b", "-", "d"])),
            ("[\\]]", Some(&["]"])),
            ("{\\,,b}", Some(&["b", ","])),
            (
                "*.y*ml",
                Some(&[
                    "a.yaml",
                    "charts/c.yml",
                    "x/y.yaml",
                    "drafts/a/b.yaml",
                    "x-test.yaml",
                    "kustomization.yaml",
                    "x.yaml",
                    "d/x.yaml",
                    "d/e/x.yaml",
                    "b.yaml",
                    "z.yaml",
                    "*.yaml",
                    "b/q.yaml",
                ]),
            ),
            ("sub/**", Some(&["sub/a/b"])),
            ("{**/a,b/*}.yaml", Some(&["b/q.yaml"])),
            ("[!]", None),
        ];
        for (pattern, expected) in cases {
            let glob = Glob::new(pattern).ok();
            let matching_texts =
                glob.map(|glob| TEXTS.iter().copied().filter(|text| glob.is_match(text)).collect::<Vec<_>>());
            assert_eq!(matching_texts.as_deref(), *expected, "{pattern}");
        }
    }
}

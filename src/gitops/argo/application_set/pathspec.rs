//! Path patterns of `git ls-files`.

/// Whether a file matches a pattern: as a path, as a directory above it, or by wildcards, which also match slashes.
pub fn is_match(pattern: &str, file: &str) -> bool {
    let pattern = pattern.trim_start_matches("./");
    let directory = pattern.trim_end_matches('/');
    if directory.is_empty() || file == pattern {
        return true;
    }
    if file.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/')) {
        return true;
    }
    let tokens = tokens(pattern);
    let text: Vec<char> = file.chars().collect();
    // Ends of all prefixes of the path that match the tokens processed so far.
    let mut ends = vec![0];
    for token in &tokens {
        ends = match token {
            Token::Any => ends.first().map(|first| (*first..=text.len()).collect()).unwrap_or_default(),
            token => {
                let next = |at: &usize| text.get(*at).is_some_and(|c| token.matches(*c)).then_some(at + 1);
                ends.iter().filter_map(next).collect()
            }
        };
    }
    ends.contains(&text.len())
}

#[derive(Debug)]
enum Token {
    Character(char),
    Single,
    Any,
    Class {
        ranges: Vec<(char, char)>,
        is_negated: bool,
    },
    /// Unclosed character class, which matches nothing.
    Never,
}

impl Token {
    fn matches(&self, character: char) -> bool {
        match self {
            Self::Character(expected) => *expected == character,
            Self::Single => true,
            Self::Class { ranges, is_negated } => {
                ranges.iter().any(|(low, high)| (low..=high).contains(&&character)) != *is_negated
            }
            Self::Any | Self::Never => false,
        }
    }
}

fn tokens(pattern: &str) -> Vec<Token> {
    let mut characters = pattern.chars();
    let mut tokens = Vec::new();
    while let Some(c) = characters.next() {
        tokens.push(match c {
            '*' if matches!(tokens.last(), Some(Token::Any)) => continue,
            '*' => Token::Any,
            '?' => Token::Single,
            '[' => class(&mut characters).unwrap_or(Token::Never),
            '\\' => Token::Character(characters.next().unwrap_or('\\')),
            c => Token::Character(c),
        });
    }
    tokens
}

fn class(characters: &mut std::str::Chars<'_>) -> Option<Token> {
    let mut ahead = characters.clone();
    let is_negated = matches!(ahead.next(), Some('!' | '^'));
    if is_negated {
        characters.next();
    }
    let mut ranges = Vec::new();
    loop {
        let low = match characters.next()? {
            ']' if !ranges.is_empty() => return Some(Token::Class { ranges, is_negated }),
            '\\' => characters.next()?,
            c => c,
        };
        let mut ahead = characters.clone();
        let high = match (ahead.next(), ahead.next()) {
            (Some('-'), Some(high)) if high != ']' => {
                *characters = ahead;
                high
            }
            _ => low,
        };
        ranges.push((low, high));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Verified against git 2.39.
    #[test]
    fn matches_the_same_files_as_git() {
        const FILES: [&str; 7] = [
            "apps/a/config.json",
            "apps/a/b/config.json",
            "apps/config.json",
            "apps/x.yaml",
            "config.json",
            "apps-b/y.yaml",
            "[x].yaml",
        ];
        let listed = |pattern: &str| FILES.into_iter().filter(|file| is_match(pattern, file)).collect::<Vec<_>>();
        for (pattern, expected) in CASES {
            assert_eq!(listed(pattern), *expected, "{pattern}");
        }
    }

    const CASES: &[(&str, &[&str])] = &[
        ("apps/**/config.json", &["apps/a/config.json", "apps/a/b/config.json"]),
        ("apps/*/config.json", &["apps/a/config.json", "apps/a/b/config.json"]),
        ("apps/*", &["apps/a/config.json", "apps/a/b/config.json", "apps/config.json", "apps/x.yaml"]),
        ("apps", &["apps/a/config.json", "apps/a/b/config.json", "apps/config.json", "apps/x.yaml"]),
        ("apps/", &["apps/a/config.json", "apps/a/b/config.json", "apps/config.json", "apps/x.yaml"]),
        ("*.yaml", &["apps/x.yaml", "apps-b/y.yaml", "[x].yaml"]),
        ("*config.json", &["apps/a/config.json", "apps/a/b/config.json", "apps/config.json", "config.json"]),
        ("**/config.json", &["apps/a/config.json", "apps/a/b/config.json", "apps/config.json"]),
        ("apps/a", &["apps/a/config.json", "apps/a/b/config.json"]),
        ("apps/?/config.json", &["apps/a/config.json"]),
        ("apps/[ab]/*", &["apps/a/config.json", "apps/a/b/config.json"]),
        ("apps/[!a]*", &["apps/config.json", "apps/x.yaml"]),
        ("a*y.yaml", &["apps-b/y.yaml"]),
        ("./apps/x.yaml", &["apps/x.yaml"]),
        ("nope", &[]),
        ("apps/x", &[]),
        ("[x].yaml", &["[x].yaml"]),
        ("\\[x].yaml", &["[x].yaml"]),
        ("apps/[a-c]/config.json", &["apps/a/config.json"]),
        (
            "*",
            &[
                "apps/a/config.json",
                "apps/a/b/config.json",
                "apps/config.json",
                "apps/x.yaml",
                "config.json",
                "apps-b/y.yaml",
                "[x].yaml",
            ],
        ),
        ("conf", &[]),
        ("apps/*/", &[]),
    ];
}

//! Path patterns of `git ls-files`.

use super::params::ExpansionFailure;
use crate::go::path;

/// Pattern for the paths of files.
#[derive(Debug)]
pub struct Pathspec {
    /// Pattern without trailing slashes.
    directory: String,
    pattern: String,
    tokens: Vec<Token>,
}

impl Pathspec {
    /// Parses a pattern, which Git first normalizes like a path.
    ///
    /// # Errors
    ///
    /// Fails if the pattern is empty or leaves the repository. Patterns that start with a colon or contain POSIX
    /// classes are not supported.
    pub fn parse(pattern: &str) -> Result<Self, ExpansionFailure> {
        if pattern.starts_with(':') || pattern.contains("[:") {
            return Err(ExpansionFailure::Skipped(
                "git generator: a pattern that starts with `:` or contains `[:`".to_owned(),
            ));
        }
        let directory = path::clean(pattern);
        if pattern.is_empty() || directory.starts_with('/') || directory == ".." || directory.starts_with("../") {
            return Err(ExpansionFailure::Mistake(format!(
                "the path `{pattern}` of a git generator is not in the repository"
            )));
        }
        let slash = if pattern.ends_with('/') { "/" } else { "" };
        let pattern = format!("{directory}{slash}");
        Ok(Self { tokens: tokens(&pattern), pattern, directory })
    }

    /// Whether the pattern is the path of a file, the path of a directory that contains the file, or matches the path.
    /// Wildcards also match slashes.
    pub fn is_match(&self, file: &str) -> bool {
        if self.directory == "." || file == self.pattern {
            return true;
        }
        if file.strip_prefix(&self.directory).is_some_and(|rest| rest.starts_with('/')) {
            return true;
        }
        let text = file.as_bytes();
        // Ends of all path prefixes that match the tokens processed so far.
        let mut ends = vec![0];
        for token in &self.tokens {
            if ends.is_empty() {
                return false;
            }
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
}

#[derive(Debug)]
enum Token {
    Byte(u8),
    Single,
    Any,
    Class {
        ranges: Vec<(u8, u8)>,
        is_negated: bool,
    },
    /// Unclosed character class, which matches nothing.
    Never,
}

impl Token {
    fn matches(&self, byte: u8) -> bool {
        match self {
            Self::Byte(expected) => *expected == byte,
            Self::Single => true,
            Self::Class { ranges, is_negated } => {
                ranges.iter().any(|(low, high)| (low..=high).contains(&&byte)) != *is_negated
            }
            Self::Any | Self::Never => false,
        }
    }
}

fn tokens(pattern: &str) -> Vec<Token> {
    let mut bytes = pattern.bytes();
    let mut tokens = Vec::new();
    while let Some(byte) = bytes.next() {
        tokens.push(match byte {
            b'*' if matches!(tokens.last(), Some(Token::Any)) => continue,
            b'*' => Token::Any,
            b'?' => Token::Single,
            b'[' => class(&mut bytes).unwrap_or(Token::Never),
            b'\\' => Token::Byte(bytes.next().unwrap_or(b'\\')),
            byte => Token::Byte(byte),
        });
    }
    tokens
}

fn class(bytes: &mut std::str::Bytes<'_>) -> Option<Token> {
    let mut ahead = bytes.clone();
    let is_negated = matches!(ahead.next(), Some(b'!' | b'^'));
    if is_negated {
        bytes.next();
    }
    let mut ranges = Vec::new();
    loop {
        let low = match bytes.next()? {
            b']' if !ranges.is_empty() => return Some(Token::Class { ranges, is_negated }),
            b'\\' => bytes.next()?,
            byte => byte,
        };
        let mut ahead = bytes.clone();
        let high = match (ahead.next(), ahead.next()) {
            (Some(b'-'), Some(high)) if high != b']' => {
                *bytes = ahead;
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
        for (pattern, expected) in CASES {
            let pathspec = Pathspec::parse(pattern).unwrap();
            let matching: Vec<_> = FILES.into_iter().filter(|file| pathspec.is_match(file)).collect();
            assert_eq!(matching, *expected, "{pattern}");
        }
        for outside in ["", "/apps", "..", "../apps", "apps/../../x"] {
            assert!(matches!(Pathspec::parse(outside), Err(ExpansionFailure::Mistake(_))), "{outside}");
        }
        for unsupported in [":(glob)apps", ":/", "apps/[[:alpha:]]"] {
            assert!(matches!(Pathspec::parse(unsupported), Err(ExpansionFailure::Skipped(_))), "{unsupported}");
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
        ("a*//./x.yaml", &["apps/x.yaml"]),
        ("*/../apps/x.yaml", &["apps/x.yaml"]),
        ("[!ü]pps/x.yaml", &["apps/x.yaml"]),
        ("apps/é", &[]),
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

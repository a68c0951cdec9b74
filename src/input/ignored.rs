//! Files that git ignores, according to the `.gitignore` files in a work tree. Git itself is not run.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use super::containment::{canonicalize, containing_repository};

/// Maximum number of bytes to read from a pattern file. Patterns beyond this limit are not applied.
const MAX_FILE: u64 = 64 << 10;

/// Work tree of a repository.
pub struct WorkTree {
    root: PathBuf,
    directory: PathBuf,
}

impl WorkTree {
    /// Returns the work tree that contains `directory`, or `None` if there is no such work tree. The directory need not
    /// exist.
    pub fn find(directory: &Path) -> Option<Self> {
        let directory = canonicalize(&std::path::absolute(directory).ok()?).ok()?;
        let root = containing_repository(&directory)?.to_owned();
        Some(Self { root, directory })
    }

    /// Whether git ignores a file in the work tree, according to the repository's patterns. The user's own patterns
    /// (`core.excludesFile`) are not read.
    pub fn ignores(&self, file: &Path) -> bool {
        let path = self.directory.join(file);
        let relative_path = path.strip_prefix(&self.root).unwrap_or(&path);
        let parts = relative_path.components().filter_map(|part| match part {
            Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
            _ => None,
        });
        let parts: Vec<_> = parts.collect();
        let mut rules = read(&self.root.join(".git/info/exclude"), 0);
        let mut directory = self.root.clone();
        for (depth, name) in parts.iter().enumerate() {
            rules.extend(read(&directory.join(".gitignore"), depth));
            let is_directory = depth + 1 < parts.len();
            let path = parts.get(..=depth).unwrap_or_default();
            let last_rule = rules.iter().rev().find(|rule| rule.matches(path, is_directory));
            // A file cannot be re-included if one of its directories is ignored.
            if last_rule.is_some_and(|rule| rule.ignores) {
                return true;
            }
            directory.push(name);
        }
        false
    }
}

/// Rule from a line in a pattern file.
#[derive(Debug)]
struct IgnoreRule {
    /// Whether matching files are ignored rather than re-included.
    ignores: bool,
    folders_only: bool,
    /// Number of directories between the root and the pattern file.
    depth: usize,
    parts: Vec<PatternSegment>,
}

/// Part of a pattern between slashes.
#[derive(Debug)]
enum PatternSegment {
    /// `**`, which matches any number of directories.
    Folders,
    Name(Vec<PatternToken>),
}

/// Part of a pattern that matches a name. As in git, a character is a byte.
#[derive(Debug)]
enum PatternToken {
    /// `*`, which matches any number of characters.
    Any,
    /// `?`, which matches one character.
    One,
    Char(u8),
    /// `[a-z]`, or `[!a-z]` if the flag is `true`.
    Class(bool, Vec<ByteRange>),
}

/// First and last byte of a range.
type ByteRange = (u8, u8);

/// Character classes that have a name, such as `[:digit:]`.
const NAMED_CLASSES: [(&[u8], &[ByteRange]); 12] = [
    (b"alnum", &[(b'0', b'9'), (b'A', b'Z'), (b'a', b'z')]),
    (b"alpha", &[(b'A', b'Z'), (b'a', b'z')]),
    (b"blank", &[(b' ', b' '), (b'\t', b'\t')]),
    (b"cntrl", &[(0, 0x1f), (0x7f, 0x7f)]),
    (b"digit", &[(b'0', b'9')]),
    (b"graph", &[(b'!', b'~')]),
    (b"lower", &[(b'a', b'z')]),
    (b"print", &[(b' ', b'~')]),
    (b"punct", &[(b'!', b'/'), (b':', b'@'), (b'[', b'`'), (b'{', b'~')]),
    (b"space", &[(b' ', b' '), (b'\t', b'\r')]),
    (b"upper", &[(b'A', b'Z')]),
    (b"xdigit", &[(b'0', b'9'), (b'A', b'F'), (b'a', b'f')]),
];

/// Returns the patterns in a file, or none if the file is missing, a symlink or not UTF-8.
fn read(file: &Path, depth: usize) -> Vec<IgnoreRule> {
    let mut text = Vec::new();
    if fs::symlink_metadata(file).is_ok_and(|metadata| metadata.is_file())
        && let Ok(file) = File::open(file)
    {
        let _ = file.take(MAX_FILE).read_to_end(&mut text);
    }
    let text = String::from_utf8_lossy(&text);
    text.lines().filter_map(|line| IgnoreRule::parse(line, depth)).collect()
}

impl IgnoreRule {
    /// Parses a line, or returns `None` if it is empty, a comment, or malformed and therefore never matches.
    fn parse(line: &str, depth: usize) -> Option<Self> {
        let trimmed_line = line.trim_end_matches(' ');
        let line = match trimmed_line.strip_suffix('\\') {
            Some(escaped) if trimmed_line.len() < line.len() => format!("{escaped} "),
            _ => trimmed_line.to_owned(),
        };
        if line.starts_with('#') {
            return None;
        }
        let (is_ignored, pattern) = line.strip_prefix('!').map_or((true, line.as_str()), |rest| (false, rest));
        let (is_directory_only, pattern) = pattern.strip_suffix('/').map_or((false, pattern), |rest| (true, rest));
        if pattern.is_empty() {
            return None;
        }
        let parts: Option<Vec<_>> = if pattern.contains('/') {
            pattern.strip_prefix('/').unwrap_or(pattern).split('/').map(part).collect()
        } else {
            Some(vec![PatternSegment::Folders, PatternSegment::Name(tokens(pattern.as_bytes())?)])
        };
        Some(Self { ignores: is_ignored, folders_only: is_directory_only, depth, parts: parts? })
    }

    fn matches(&self, path: &[String], is_folder: bool) -> bool {
        let relative_path = path.get(self.depth..).unwrap_or_default();
        let is_part = |part: &PatternSegment, name: &String| match part {
            PatternSegment::Folders => false,
            PatternSegment::Name(tokens) => is_name(tokens, name),
        };
        let is_below_match =
            !matches!(self.parts.as_slice(), [.., PatternSegment::Folders]) || relative_path.len() >= self.parts.len();
        (is_folder || !self.folders_only)
            && is_below_match
            && matches_greedily(&self.parts, relative_path, |part| matches!(part, PatternSegment::Folders), is_part)
    }
}

fn part(text: &str) -> Option<PatternSegment> {
    Some(match text {
        "**" => PatternSegment::Folders,
        name => PatternSegment::Name(tokens(name.as_bytes())?),
    })
}

fn tokens(mut pattern: &[u8]) -> Option<Vec<PatternToken>> {
    let mut tokens = Vec::new();
    while let Some((first, rest)) = pattern.split_first() {
        let (token, rest) = match first {
            b'*' => (PatternToken::Any, rest),
            b'?' => (PatternToken::One, rest),
            b'[' => class(rest)?,
            _ => {
                let (char, rest) = literal(pattern)?;
                (PatternToken::Char(char), rest)
            }
        };
        tokens.push(token);
        pattern = rest;
    }
    Some(tokens)
}

/// Splits a character from a pattern. The character may be preceded by a backslash.
fn literal(pattern: &[u8]) -> Option<(u8, &[u8])> {
    let (char, rest) = pattern.strip_prefix(b"\\").unwrap_or(pattern).split_first()?;
    Some((*char, rest))
}

/// Parses a character class after its opening bracket, and returns the class with the rest of the pattern.
fn class(pattern: &[u8]) -> Option<(PatternToken, &[u8])> {
    let mut rest = pattern.strip_prefix(b"!").or_else(|| pattern.strip_prefix(b"^")).unwrap_or(pattern);
    let is_negated = rest.len() < pattern.len();
    let mut ranges = Vec::new();
    let mut start = None;
    loop {
        let (first, after) = rest.split_first()?;
        match (first, start) {
            // A leading `]` is a member of the class.
            (b']', _) if !ranges.is_empty() => return Some((PatternToken::Class(is_negated, ranges), after)),
            (b'-', Some(from)) if !after.starts_with(b"]") => {
                let (to, after) = literal(after)?;
                ranges.push((from, to));
                (start, rest) = (None, after);
            }
            (b'[', _) if after.starts_with(b":") => {
                let end = after.iter().position(|char| *char == b']')?;
                let (name, following) = after.split_at_checked(end)?;
                if let Some(name) = name.get(1..).and_then(|name| name.strip_suffix(b":")) {
                    let (_, class_ranges) = NAMED_CLASSES.iter().find(|(known, _)| *known == name)?;
                    ranges.extend_from_slice(class_ranges);
                    (start, rest) = (None, following.get(1..)?);
                } else {
                    ranges.push((b'[', b'['));
                    (start, rest) = (Some(b'['), after);
                }
            }
            _ => {
                let (char, after) = literal(rest)?;
                ranges.push((char, char));
                (start, rest) = (Some(char), after);
            }
        }
    }
}

fn is_name(tokens: &[PatternToken], name: &str) -> bool {
    let is_char = |token: &PatternToken, c: &u8| match token {
        PatternToken::Any => false,
        PatternToken::One => true,
        PatternToken::Char(expected) => expected == c,
        PatternToken::Class(is_other, ranges) => {
            ranges.iter().any(|(first, last)| (first..=last).contains(&c)) != *is_other
        }
    };
    matches_greedily(tokens, name.as_bytes(), |token| matches!(token, PatternToken::Any), is_char)
}

/// Whether a pattern matches all items. A star matches any number of items. Only the last star is retried, so the cost
/// is at most the product of both lengths.
fn matches_greedily<P, T>(
    pattern: &[P],
    items: &[T],
    is_star: impl Fn(&P) -> bool,
    matches: impl Fn(&P, &T) -> bool,
) -> bool {
    let (mut at, mut item) = (0, 0);
    let mut backtrack_point = None;
    while let Some(current) = items.get(item) {
        match pattern.get(at) {
            Some(star) if is_star(star) => {
                at += 1;
                backtrack_point = Some((at, item));
            }
            Some(one) if matches(one, current) => {
                at += 1;
                item += 1;
            }
            _ => {
                let Some((remaining, first)) = backtrack_point else { return false };
                at = remaining;
                item = first + 1;
                backtrack_point = Some((remaining, item));
            }
        }
    }
    pattern.iter().skip(at).all(is_star)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_patterns_like_git() {
        for (pattern, path, is_folder, expected) in [
            ("rendered", "rendered", true, true),
            ("rendered", "a/rendered", true, true),
            ("/rendered", "a/rendered", true, false),
            ("rendered/", "rendered", true, true),
            ("rendered/", "rendered", false, false),
            ("a/rendered", "a/rendered", true, true),
            ("a/rendered", "b/a/rendered", true, false),
            ("*.yaml", "a/b.yaml", false, true),
            ("a/*.yaml", "a/b/c.yaml", false, false),
            ("a/**/c.yaml", "a/c.yaml", false, true),
            ("a/**/c.yaml", "a/b/b/c.yaml", false, true),
            ("**/out", "a/b/out", true, true),
            ("out/**", "out/x", false, true),
            ("out/**", "out", true, false),
            ("secret_?.yaml", "secret_a.yaml", false, true),
            ("[a-c]x", "bx", false, true),
            ("[!a-c]x", "bx", false, false),
            ("[]-]", "]", false, true),
            ("[]a]", "]", false, true),
            (r"[\]]", "]", false, true),
            (r"[a\-c]", "b", false, false),
            ("[[:digit:]_]x", "5x", false, true),
            ("[[:digit:]_]x", ":x", false, false),
            ("[[:a]", ":", false, true),
            ("{a,b}", "a", false, false),
            ("**", "a", false, true),
            ("//a", "a", false, false),
            ("caf?", "café", false, false),
            ("caf??", "café", false, true),
            (r"\#a", "#a", false, true),
            (r"a\ ", "a ", false, true),
            ("a  ", "a", false, true),
        ] {
            let rule = IgnoreRule::parse(pattern, 0).unwrap();
            let path: Vec<_> = path.split('/').map(str::to_owned).collect();
            assert_eq!(rule.matches(&path, is_folder), expected, "{pattern} {path:?}");
        }
        for line in ["", "# comment", "/", "!", "   ", "a[", r"a\", "[a-", "[[:other:]]"] {
            assert!(IgnoreRule::parse(line, 0).is_none(), "{line}");
        }
    }

    #[test]
    fn matches_many_stars_quickly() {
        let pattern = "**/*a*a*a*a*a*a*a*b/".repeat(200);
        let rule = IgnoreRule::parse(&pattern, 0).unwrap();
        let path = vec!["a".repeat(200); 100];
        assert!(!rule.matches(&path, true));
    }

    #[test]
    fn nearest_file_wins_but_ignored_directories_stay_ignored() {
        let scratch = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(scratch.path()).unwrap().join("r");
        fs::create_dir_all(root.join(".git/info")).unwrap();
        fs::create_dir_all(root.join("clusters/a")).unwrap();
        fs::write(root.join(".git/info/exclude"), "local\n").unwrap();
        fs::write(root.join(".gitignore"), "rendered/\n*.secret\n!clusters/a/rendered\n").unwrap();
        fs::write(root.join("clusters/a/.gitignore"), "!x.secret\n/tmp\n").unwrap();
        for (directory, file, expected) in [
            ("rendered", "m/secret.yaml", true),
            ("clusters/rendered", "m/secret.yaml", true),
            ("clusters/a/rendered", "m/secret.yaml", false),
            ("clusters/a/tmp", "m/secret.yaml", true),
            ("clusters/b/tmp", "m/secret.yaml", false),
            ("clusters/a", "x.secret", false),
            ("clusters/b", "x.secret", true),
            ("local", "a.yaml", true),
            ("out", "a.yaml", false),
        ] {
            let tree = WorkTree::find(&root.join(directory)).unwrap();
            assert_eq!(tree.ignores(Path::new(file)), expected, "{directory} {file}");
        }
        assert!(WorkTree::find(&root.with_file_name("elsewhere")).is_none());
    }
}

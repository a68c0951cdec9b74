//! Patterns of gitignore files, as go-git reads them.

use super::glob::{Star, matches};

/// A pattern in a gitignore file.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    /// Directory that the pattern applies to.
    domain: Vec<String>,
    parts: Vec<String>,
    pub(super) is_inclusion: bool,
    is_directory_only: bool,
}

impl Pattern {
    pub(super) fn parse(text: &str, domain: &[String]) -> Self {
        let (is_inclusion, text) = match text.strip_prefix('!') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let text = if text.ends_with("\\ ") { text } else { text.trim_end_matches(' ') };
        let (is_directory_only, text) = match text.strip_suffix('/') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let parts = text.split('/').map(str::to_owned).collect();
        Self { domain: domain.to_vec(), parts, is_inclusion, is_directory_only }
    }

    pub(super) fn matches(&self, path: &[&str], is_directory: bool) -> bool {
        if path.len() <= self.domain.len() || self.domain.iter().zip(path).any(|(domain, part)| domain != part) {
            return false;
        }
        let path = path.get(self.domain.len()..).unwrap_or_default();
        match self.parts.as_slice() {
            [name] => self.matches_name(name, path, is_directory),
            parts => self.matches_path(parts, path, is_directory),
        }
    }

    fn matches_name(&self, name: &str, path: &[&str], is_directory: bool) -> bool {
        match path.iter().position(|part| matches_file_name(name, part)) {
            Some(at) => !(self.is_directory_only && !is_directory && at + 1 == path.len()),
            None => false,
        }
    }

    fn matches_path(&self, parts: &[String], mut path: &[&str], is_directory: bool) -> bool {
        let (mut has_matched, mut can_traverse) = (false, false);
        for (i, part) in parts.iter().enumerate() {
            if part.is_empty() {
                can_traverse = false;
                continue;
            }
            if part == "**" {
                if i + 1 == parts.len() {
                    break;
                }
                can_traverse = true;
                continue;
            }
            if part.contains("**") {
                return false;
            }
            let Some((first, rest)) = path.split_first() else { return false };
            if !can_traverse {
                if !matches_file_name(part, first) {
                    return false;
                }
                (has_matched, path) = (true, rest);
                continue;
            }
            can_traverse = false;
            match path.iter().position(|name| matches_file_name(part, name)) {
                Some(at) => (has_matched, path) = (true, path.get(at + 1..).unwrap_or_default()),
                None => (has_matched, path) = (false, &[]),
            }
        }
        has_matched && !(self.is_directory_only && !is_directory && path.is_empty())
    }
}

/// Matches a name as Go's `filepath.Match` does. A malformed pattern matches nothing.
fn matches_file_name(pattern: &str, name: &str) -> bool {
    matches(pattern, name, Star::AnyName).unwrap_or(false)
}

/// Parses the patterns in a directory's gitignore file (`ReadPatterns`).
pub(super) fn parse_patterns(text: &str, domain: &[String]) -> Vec<Pattern> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    lines.map(|line| Pattern::parse(line, domain)).collect()
}

/// Whether a path is excluded according to the last pattern that matches it.
pub(super) fn excludes(patterns: &[Pattern], path: &str, is_directory: bool) -> bool {
    let parts: Vec<_> = path.split('/').collect();
    let mut patterns = patterns.iter().rev();
    patterns.find(|pattern| pattern.matches(&parts, is_directory)).is_some_and(|pattern| !pattern.is_inclusion)
}

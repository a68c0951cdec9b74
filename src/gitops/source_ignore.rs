//! `.sourceignore` and `spec.ignore`: which files Flux leaves out of an artifact (fluxcd/pkg `sourceignore`).

use super::path::parent;
use super::tree::{EntryKind, RepositoryTree};

/// Name of the file with patterns.
pub const IGNORE_FILE: &str = ".sourceignore";

/// Patterns that always apply (`ExcludeVCS`).
const VERSION_CONTROL: [&str; 4] = [".git/", ".gitignore", ".gitmodules", ".gitattributes"];

/// Patterns that apply unless the repository has its own (`ExcludeExt`, `ExcludeCI`, `ExcludeExtra`).
const DEFAULTS: [&str; 20] = [
    "*.jpg",
    "*.jpeg",
    "*.gif",
    "*.png",
    "*.wmv",
    "*.flv",
    "*.tar.gz",
    "*.zip",
    ".github/",
    ".circleci/",
    ".travis.yml",
    ".gitlab-ci.yml",
    "appveyor.yml",
    ".drone.yml",
    "cloudbuild.yaml",
    "codeship-services.yml",
    "codeship-steps.yml",
    "**/.goreleaser.yml",
    "**/.sops.yaml",
    "**/.flux.yaml",
];

/// A pattern of a gitignore file.
#[derive(Clone, Debug)]
struct Pattern {
    /// Directory that the pattern applies to.
    domain: Vec<String>,
    parts: Vec<String>,
    is_inclusion: bool,
    is_directory_only: bool,
}

impl Pattern {
    fn parse(text: &str, domain: &[String]) -> Self {
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

    fn matches(&self, path: &[&str], is_directory: bool) -> bool {
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
        match path.iter().position(|part| file_match(name, part)) {
            Some(at) => !(self.is_directory_only && !is_directory && at + 1 == path.len()),
            None => false,
        }
    }

    fn matches_path(&self, parts: &[String], mut path: &[&str], is_directory: bool) -> bool {
        let (mut matched, mut can_traverse) = (false, false);
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
                if !file_match(part, first) {
                    return false;
                }
                (matched, path) = (true, rest);
                continue;
            }
            can_traverse = false;
            match path.iter().position(|name| file_match(part, name)) {
                Some(at) => (matched, path) = (true, path.get(at + 1..).unwrap_or_default()),
                None => (matched, path) = (false, &[]),
            }
        }
        matched && !(self.is_directory_only && !is_directory && path.is_empty())
    }
}

/// Matches a name as `filepath.Match` in Go does. A malformed pattern matches nothing.
fn file_match(pattern: &str, name: &str) -> bool {
    super::glob::matches(pattern, name, super::glob::Star::AnyName).unwrap_or(false)
}

/// The patterns of a source, in order of increasing priority.
#[derive(Clone, Debug)]
pub struct SourceIgnore(Vec<Pattern>);

impl SourceIgnore {
    /// Returns the patterns of a source: those of all `.sourceignore` files, then those of `spec.ignore`.
    pub fn new(tree: &RepositoryTree, spec_ignore: &str) -> Self {
        let mut own = Vec::new();
        let files = tree.entries().filter(|(path, kind)| {
            let is_name = *path == IGNORE_FILE || path.ends_with("/.sourceignore");
            is_name && matches!(kind, EntryKind::File { .. })
        });
        let mut files: Vec<_> = files.map(|(path, _)| path).collect();
        files.sort_by_key(|path| parent(path).split('/').map(str::to_owned).collect::<Vec<_>>());
        for path in files {
            let domain: Vec<_> = parent(path).split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect();
            own.extend(patterns(&tree.text(path).unwrap_or_default(), &domain));
        }
        own.extend(patterns(spec_ignore, &[]));
        let parse = |text: &&str| Pattern::parse(text, &[]);
        let mut all: Vec<_> = VERSION_CONTROL.iter().map(parse).collect();
        if own.is_empty() {
            all.extend(DEFAULTS.iter().map(parse));
        }
        all.extend(own);
        Self(all)
    }

    /// Whether a file or directory is left out. The last pattern that matches decides.
    pub fn ignores(&self, path: &str, is_directory: bool) -> bool {
        let parts: Vec<_> = path.split('/').collect();
        let mut patterns = self.0.iter().rev();
        patterns.find(|pattern| pattern.matches(&parts, is_directory)).is_some_and(|pattern| !pattern.is_inclusion)
    }
}

/// Reads patterns (`ReadPatterns`).
fn patterns(text: &str, domain: &[String]) -> Vec<Pattern> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    lines.map(|line| Pattern::parse(line, domain)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ignores(text: &str, path: &str) -> bool {
        let own = SourceIgnore(patterns(text, &[]));
        own.ignores(path, false)
    }

    #[test]
    fn later_patterns_win() {
        for (text, path, expected) in [
            ("secret.yaml", "apps/secret.yaml", true),
            ("/secret.yaml", "apps/secret.yaml", false),
            ("/*\n!/apps", "apps/a/b.yaml", false),
            ("/*\n!/apps", "other/a.yaml", true),
            ("apps/", "apps/x.yaml", true),
            ("apps/", "apps", false),
            ("**/x.yaml", "a/b/x.yaml", true),
            ("a/**/x.yaml", "a/b/c/x.yaml", true),
            ("a/**", "a/b/c", true),
            ("# a\n\n*.yaml\n!keep.yaml", "keep.yaml", false),
            ("a/b**/c", "a/b/c", false),
            ("[a", "a", false),
        ] {
            assert_eq!(ignores(text, path), expected, "{text:?} {path}");
        }
        let nested = SourceIgnore(patterns("/x", &["sub".to_owned()]));
        assert!(nested.ignores("sub/x", false) && !nested.ignores("x", false) && !nested.ignores("sub/y/x", false));
    }
}

//! Patterns in `.sourceignore` and `spec.ignore` for files that Flux excludes from an artifact (fluxcd/pkg
//! `sourceignore`).

use super::gitignore::{Pattern, excludes, parse_patterns};
use super::path::parent;
use super::tree::{EntryKind, RepositoryTree};

/// Name of the files that contain patterns.
pub const IGNORE_FILE: &str = ".sourceignore";

/// Patterns that always apply (`ExcludeVCS`).
const VERSION_CONTROL_PATTERNS: [&str; 4] = [".git/", ".gitignore", ".gitmodules", ".gitattributes"];

/// Patterns that apply unless the repository has its own patterns (`ExcludeExt`, `ExcludeCI`, `ExcludeExtra`).
const DEFAULT_PATTERNS: [&str; 20] = [
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

/// The patterns of a source, in order of increasing priority.
#[derive(Clone, Debug)]
pub struct SourceIgnore(Vec<Pattern>);

impl SourceIgnore {
    /// Returns the patterns of a source: those of all `.sourceignore` files, then those of `spec.ignore`.
    pub fn new(tree: &RepositoryTree, spec_ignore: &str) -> Self {
        let mut all_patterns = Vec::new();
        let files = tree.entries().filter(|(path, kind)| {
            let is_name = *path == IGNORE_FILE || path.ends_with("/.sourceignore");
            is_name && matches!(kind, EntryKind::File { .. })
        });
        let mut files: Vec<_> = files.map(|(path, _)| path).collect();
        files.sort_by_key(|path| parent(path).split('/').map(str::to_owned).collect::<Vec<_>>());
        for path in files {
            let domain: Vec<_> = parent(path).split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect();
            all_patterns.extend(parse_patterns(&tree.text(path).unwrap_or_default(), &domain));
        }
        all_patterns.extend(parse_patterns(spec_ignore, &[]));
        let parse = |text: &&str| Pattern::parse(text, &[]);
        let mut root_patterns: Vec<_> = VERSION_CONTROL_PATTERNS.iter().map(parse).collect();
        if all_patterns.is_empty() {
            root_patterns.extend(DEFAULT_PATTERNS.iter().map(parse));
        }
        root_patterns.extend(all_patterns);
        Self(root_patterns)
    }

    /// Whether a file or directory is excluded. The last matching pattern decides.
    pub fn ignores(&self, path: &str, is_directory: bool) -> bool {
        excludes(&self.0, path, is_directory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ignores(text: &str, path: &str) -> bool {
        let source_ignore = SourceIgnore(parse_patterns(text, &[]));
        source_ignore.ignores(path, false)
    }

    #[test]
    fn later_patterns_override_earlier_ones() {
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
        let nested_ignore = SourceIgnore(parse_patterns("/x", &["sub".to_owned()]));
        assert!(
            nested_ignore.ignores("sub/x", false)
                && !nested_ignore.ignores("x", false)
                && !nested_ignore.ignores("sub/y/x", false)
        );
    }
}

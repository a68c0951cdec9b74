//! Addresses of this repository's remotes. A source with one of these addresses is this repository.

use std::path::Path;

use super::object::Object;
use super::path::join;
use crate::input::read_below;
use crate::printable::ByteSize;

/// Name of the source that `flux bootstrap` creates.
pub const BOOTSTRAP: &str = "flux-system";

/// Maximum size of git's configuration.
const MAX_SIZE: ByteSize = ByteSize(1 << 20);

/// Addresses of a repository's remotes in lowercase, without the scheme, user and `.git`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Remotes(Vec<String>);

impl Remotes {
    /// Reads the addresses in `.git/config`, without running git. In a linked work tree, `.git` is a file, and the
    /// configuration is in the main repository.
    pub fn read(root: &Path) -> Self {
        let config = read(root, ".git/config").or_else(|| {
            let link = read(root, ".git")?;
            let git_directory = root.join(link.strip_prefix("gitdir:")?.trim());
            let common_directory = read(&git_directory, "commondir")?;
            read(&git_directory.join(common_directory.trim()), "config")
        });
        Self(config.as_deref().map(addresses).unwrap_or_default())
    }

    /// Whether this repository has no known address.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether an address belongs to this repository.
    pub fn contains(&self, url: &str) -> bool {
        let searched_url = host_and_path(url);
        !searched_url.is_empty() && self.0.contains(&searched_url)
    }
}

/// Whether the branch, tag or commit of a source (`spec.ref`) differs from that of every other source.
pub fn is_other_revision<'o>(source: &Object, used_sources: impl IntoIterator<Item = &'o Object>) -> bool {
    used_sources.into_iter().all(|other| source.pointer("/spec/ref") != other.pointer("/spec/ref"))
}

fn read(directory: &Path, path: &str) -> Option<String> {
    String::from_utf8(read_below(directory, Path::new(&join("", path)), MAX_SIZE).ok()?).ok()
}

/// Returns the addresses of the remotes in git's configuration.
fn addresses(config: &str) -> Vec<String> {
    let mut is_remote = false;
    let mut remotes = Vec::new();
    for line in config.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix('[') {
            is_remote = section.starts_with("remote ");
        }
        let (key, value) = line.split_once('=').unwrap_or_default();
        if is_remote && key.trim().eq_ignore_ascii_case("url") {
            remotes.push(host_and_path(value.trim().trim_matches('"')));
        }
    }
    remotes
}

/// Returns the host and path of an address: `https://user@Host/a/b.git` and `git@host:a/b` are both `host/a/b`.
pub fn host_and_path(url: &str) -> String {
    let url = url.trim().to_lowercase();
    let (has_scheme, rest) = match url.split_once("://") {
        Some((_, rest)) => (true, rest),
        None => (false, url.as_str()),
    };
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let whole_url = match host.split_once(':') {
        // If there is a scheme, the text after the colon is a port. Otherwise, it is the start of the path, as in
        // `host:path`.
        Some((host, _)) if has_scheme => format!("{host}/{path}"),
        Some((host, "")) => format!("{host}/{path}"),
        Some((host, first)) => format!("{host}/{first}/{path}"),
        None => format!("{host}/{path}"),
    };
    let whole_url = whole_url.trim_end_matches('/');
    whole_url.strip_suffix(".git").unwrap_or(whole_url).trim_end_matches('/').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linked_worktrees_use_remotes_of_the_main_repository() {
        let scratch = tempfile::tempdir().unwrap();
        let linked_directory = "main/.git/worktrees/linked";
        for (path, text) in [
            ("main/.git/config", "[remote \"origin\"]\n\turl = https://a.b/c/d\n"),
            ("main/.git/worktrees/linked/commondir", "../..\n"),
            ("linked/.git", &format!("gitdir: {}\n", scratch.path().join(linked_directory).display())),
        ] {
            let path = scratch.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        for root in ["main", "linked"] {
            assert!(Remotes::read(&scratch.path().join(root)).contains("https://a.b/c/d"), "{root}");
        }
        assert!(Remotes::read(scratch.path()).is_empty());
    }

    #[test]
    fn compares_urls_by_host_and_path() {
        for url in [
            "https://github.com/acme/fleet",
            "https://token@GitHub.com/Acme/fleet.git",
            "ssh://git@github.com/acme/fleet",
            "ssh://git@github.com:22/acme/fleet.git/",
            "git@github.com:acme/fleet.git",
            "git@github.com:/acme/fleet.git",
        ] {
            assert_eq!(host_and_path(url), "github.com/acme/fleet", "{url}");
        }
        let config = "[core]\n\turl = no\n[remote \"origin\"]\n\turl = git@a.b:c/d.git\n\tfetch = x\n[branch \"main\"]\n\turl = no\n";
        assert_eq!(addresses(config), ["a.b/c/d"]);
        assert!(Remotes(addresses(config)).contains("https://a.b/c/d") && !Remotes::default().contains(""));
    }
}

//! Guessed addresses of a repository without remotes.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::application::is_application;
use super::source;
use crate::gitops::object::{Object, items, text};
use crate::gitops::sources::host_and_path;
use crate::gitops::tree::RepositoryTree;

/// Returns the repository addresses for which every path in the Applications and in the git generators of
/// ApplicationSets exists in this repository.
pub fn guess_addresses<'o>(tree: &RepositoryTree, objects: impl Iterator<Item = &'o Object>) -> BTreeSet<String> {
    let mut paths: BTreeMap<String, bool> = BTreeMap::new();
    let mut add = |url: &str, path: &str| {
        let exists = !path.is_empty() && source::directory(tree, path).is_ok();
        let is_existing = paths.entry(host_and_path(url)).or_insert(true);
        *is_existing &= exists;
    };
    for object in objects {
        if is_application(object) {
            let sources = source::sources(object);
            let sources = sources.iter().filter(|source| source::reason_outside_git(source).is_none());
            sources
                .filter(|source| !text(source, "path").is_empty())
                .for_each(|source| add(text(source, "repoURL"), text(source, "path")));
        } else {
            let generators = object.get("spec").map_or(&[][..], |spec| items(spec, "generators"));
            for git in generators.iter().filter_map(|generator| generator.get("git")) {
                path_patterns(git).for_each(|pattern| add(text(git, "repoURL"), literal_directory(pattern)));
            }
        }
    }
    paths.into_iter().filter(|(url, exists)| *exists && !url.is_empty()).map(|(url, _)| url).collect()
}

fn path_patterns(git: &Value) -> impl Iterator<Item = &str> {
    ["directories", "files"].into_iter().flat_map(|field| items(git, field)).map(|pattern| text(pattern, "path"))
}

/// Returns the leading directories of a pattern, up to its first wildcard.
fn literal_directory(pattern: &str) -> &str {
    let end = pattern.find(['*', '?', '[', '\\', '{']).unwrap_or(pattern.len());
    pattern.get(..end).and_then(|literal| literal.rsplit_once('/')).map_or(".", |(directory, _)| directory)
}

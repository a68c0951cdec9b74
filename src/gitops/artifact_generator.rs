//! ArtifactGenerators: artifacts that are composed from parts of other artifacts (source-watcher).

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::artifact::{Artifact, PathKind};
use super::flux::is_of_group;
use super::glob::{Star, matches};
use super::object::{Object, ObjectId, items, namespace, text};
use super::path::{clamp_to_root, file_name, join, parent, strip_directory};

/// Source of an ArtifactGenerator, with its alias.
pub struct AliasedSource {
    pub alias: String,
    pub id: ObjectId,
}

/// Whether an object is an ArtifactGenerator.
pub fn is_generator(object: &Object) -> bool {
    text(object, "kind") == "ArtifactGenerator" && is_of_group(object, "source.extensions.fluxcd.io")
}

pub fn sources(generator: &Object) -> Vec<AliasedSource> {
    let sources = generator.get("spec").map_or(&[][..], |spec| items(spec, "sources"));
    let source = |source: &Value| {
        let source_namespace = text(source, "namespace");
        let namespace = if source_namespace.is_empty() { namespace(generator) } else { source_namespace };
        let id = ObjectId::new(text(source, "kind"), namespace, text(source, "name"));
        AliasedSource { alias: text(source, "alias").to_owned(), id }
    };
    sources.iter().map(source).collect()
}

pub fn artifact(generator: &Object, name: &str) -> Option<Value> {
    let artifacts = generator.get("spec").map_or(&[][..], |spec| items(spec, "artifacts"));
    artifacts.iter().find(|artifact| text(artifact, "name") == name).cloned()
}

/// Composes an artifact.
///
/// # Errors
///
/// Returns the reason why the artifact cannot be composed from files in this repository.
pub fn compose(artifact: &Value, sources: &BTreeMap<String, Arc<Artifact>>) -> Result<Artifact, String> {
    let mut composed_artifact = Artifact::default();
    let mut compared_paths = 0;
    for copy in items(artifact, "copy") {
        let source_pattern = text(copy, "from");
        let (alias, pattern) = source_pattern
            .strip_prefix('@')
            .and_then(|from| from.split_once('/'))
            .ok_or_else(|| format!("`{source_pattern}` has no alias"))?;
        let source = sources.get(alias).ok_or_else(|| format!("the alias `{alias}` is not defined"))?;
        let target_pattern = text(copy, "to")
            .strip_prefix("@artifact")
            .ok_or_else(|| format!("`{}` does not start with @artifact", text(copy, "to")))?;
        if let strategy @ ("Merge" | "Extract") = text(copy, "strategy") {
            return Err(format!("the strategy {strategy} is not read"));
        }
        let exclude_patterns: Vec<_> = items(copy, "exclude").iter().filter_map(Value::as_str).collect();
        let mut count = 0;
        for (path, file) in source.files_below("") {
            compared_paths += 1;
            if compared_paths > MAX_COMPARED_PATHS {
                return Err("it copies too many files".to_owned());
            }
            let Some(target) = target_path(source, pattern, path, target_pattern) else { continue };
            let prefix = literal_prefix(pattern);
            let relative = strip_directory(path, prefix).unwrap_or(path);
            if exclude_patterns.iter().any(|exclude| doublestar(exclude, path) || doublestar(exclude, relative)) {
                continue;
            }
            count += 1;
            composed_artifact.add(clamp_to_root(&target), file.to_owned());
        }
        if count == 0 {
            return Err(format!("`{source_pattern}` matches no file"));
        }
    }
    Ok(composed_artifact)
}

/// Maximum number of files to compare with the patterns of an artifact.
const MAX_COMPARED_PATHS: usize = 2_000_000;

/// Returns the path of a file in the composed artifact, or `None` if the pattern does not match the file.
fn target_path(source: &Artifact, pattern: &str, path: &str, target_pattern: &str) -> Option<String> {
    let is_glob = pattern.contains(['*', '?', '[']);
    if !is_glob {
        let source_path = clamp_to_root(pattern);
        let relative_path = strip_directory(path, &source_path)?;
        return Some(match source.get(&source_path)? {
            PathKind::Directory => join(&join(target_pattern, file_name(&source_path)), relative_path),
            PathKind::File if target_pattern.is_empty() || target_pattern.ends_with('/') => {
                join(target_pattern.trim_end_matches('/'), file_name(path))
            }
            PathKind::File => target_pattern.to_owned(),
        });
    }
    if let Some(directory) = pattern.strip_suffix("/**").filter(|directory| !directory.contains(['*', '?', '['])) {
        return Some(join(target_pattern, strip_directory(path, &clamp_to_root(directory))?));
    }
    let pattern = pattern.replace("**", "*");
    // A matching directory is copied entirely.
    let mut ancestor = path;
    while !ancestor.is_empty() {
        if matches(&pattern, ancestor, Star::AnyName) == Ok(true) {
            return Some(join(target_pattern, path));
        }
        ancestor = parent(ancestor);
    }
    None
}

fn literal_prefix(pattern: &str) -> &str {
    let glob = pattern.find(['*', '?', '[']).unwrap_or(pattern.len());
    let prefix = pattern.get(..glob).unwrap_or_default();
    prefix.rsplit_once('/').map_or("", |(prefix, _)| prefix)
}

/// Whether a path matches a pattern in which `**` matches any number of directories.
pub fn doublestar(pattern: &str, path: &str) -> bool {
    fn parts_match(pattern: &[&str], path: &[&str], left: &mut usize) -> bool {
        if *left == 0 {
            return false;
        }
        *left -= 1;
        match (pattern.split_first(), path.split_first()) {
            (None, None) => true,
            (Some((&"**", rest)), _) => {
                (0..=path.len()).any(|skipped| parts_match(rest, path.get(skipped..).unwrap_or_default(), left))
            }
            (Some((first, rest)), Some((name, remaining_path))) => {
                matches(first, name, Star::AnyName) == Ok(true) && parts_match(rest, remaining_path, left)
            }
            _ => false,
        }
    }
    let (pattern, path): (Vec<_>, Vec<_>) = (pattern.split('/').collect(), path.split('/').collect());
    parts_match(&pattern, &path, &mut 10_000)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn composes_artifacts_from_copied_files() {
        let mut source = Artifact::default();
        for path in ["apps/a/x.yaml", "apps/a/y.md", "apps/b/z.yaml", "top.yaml"] {
            source.add(path.to_owned(), path.to_owned());
        }
        let sources = [("repo".to_owned(), Arc::new(source))].into();
        let paths = |copy: Value| {
            let artifact = compose(&json!({"copy": [copy]}), &sources)?;
            Ok::<_, String>(
                artifact.files_below("").into_iter().map(|(path, _)| path.to_owned()).collect::<Vec<_>>().join(" "),
            )
        };
        for (from, to, expected) in [
            ("@repo/apps/a", "@artifact/", "a/x.yaml a/y.md"),
            ("@repo/apps/a/**", "@artifact/", "x.yaml y.md"),
            ("@repo/apps/*/x.yaml", "@artifact/", "apps/a/x.yaml"),
            ("@repo/apps/*", "@artifact/to", "to/apps/a/x.yaml to/apps/a/y.md to/apps/b/z.yaml"),
            ("@repo/top.yaml", "@artifact/", "top.yaml"),
            ("@repo/top.yaml", "@artifact/other.yaml", "other.yaml"),
        ] {
            assert_eq!(paths(json!({"from": from, "to": to})).as_deref(), Ok(expected), "{from}");
        }
        let copy_with_exclude = json!({"from": "@repo/apps/a/**", "to": "@artifact/", "exclude": ["**/*.md"]});
        assert_eq!(paths(copy_with_exclude).as_deref(), Ok("x.yaml"));
        assert!(paths(json!({"from": "@repo/none", "to": "@artifact/"})).is_err());
        assert!(paths(json!({"from": "@other/a", "to": "@artifact/"})).is_err());
    }
}

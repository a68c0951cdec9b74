//! Repository paths: relative to the root, separated by `/`, and never outside the root.

/// Returns the path that Flux uses for a Kustomization's `spec.path`: relative to the root, even if it contains `..` or
/// a leading `/` (`securejoin` in Go).
pub fn clamp_to_root(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Returns the path that a file in `directory` refers to, or `None` if the path is absolute or points outside the
/// repository.
pub fn resolve(directory: &str, path: &str) -> Option<String> {
    if path.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> = directory.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Returns the directory that contains a path.
pub fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

/// Returns the last part of a path.
pub fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// Joins `directory` and `path`.
pub fn join(directory: &str, path: &str) -> String {
    match (directory, path) {
        ("", path) => path.to_owned(),
        (directory, "") => directory.to_owned(),
        (directory, path) => format!("{directory}/{path}"),
    }
}

/// Returns `path` relative to `directory`, or `None` if the path is not below the directory.
pub fn strip_directory<'p>(path: &'p str, directory: &str) -> Option<&'p str> {
    match directory {
        "" => Some(path),
        _ if path == directory => Some(""),
        directory => path.strip_prefix(directory)?.strip_prefix('/'),
    }
}

/// Directories whose files are not deployed, unless the directory is itself an input.
const UNDEPLOYED_DIRECTORIES: [&str; 7] = ["docs", "e2e", "example", "examples", "samples", "testdata", "tests"];

/// Whether a path can be deployed from `directory`: no part of it is a hidden directory or a directory for examples or
/// tests.
pub fn can_be_deployed(path: &str, directory: &str) -> bool {
    let is_deployed_part = |part: &str| !part.starts_with('.') && !UNDEPLOYED_DIRECTORIES.contains(&part);
    strip_directory(path, directory).is_none_or(|path| path.split('/').all(is_deployed_part))
}

/// Returns a path and all directories above it, up to the root.
pub fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |path| (!path.is_empty()).then(|| parent(path)))
}

/// Whether a file can contain objects, judging by its name.
pub fn is_manifest(path: &str) -> bool {
    [".yaml", ".yml", ".json"].iter().any(|extension| path.ends_with(extension))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_paths_outside_the_repository() {
        for (path, expected) in
            [("./a/b", "a/b"), ("../../etc", "etc"), ("/x", "x"), ("", ""), ("a//../b/./", "b"), ("..", "")]
        {
            assert_eq!(clamp_to_root(path), expected, "{path}");
        }
        for (directory, path, expected) in [
            ("a/b", "../c", Some("a/c")),
            ("a", "../../c", None),
            ("a", "/etc", None),
            ("", "./x", Some("x")),
            ("a", "b/../..", Some("")),
            ("a", "../..", None),
        ] {
            assert_eq!(resolve(directory, path).as_deref(), expected, "{directory} {path}");
        }
        let actual = (
            strip_directory("a/b", "a"),
            strip_directory("ab", "a"),
            strip_directory("a", "a"),
            strip_directory("a", ""),
        );
        assert_eq!(actual, (Some("b"), None, Some(""), Some("a")));
        assert_eq!((parent("a/b"), parent("a"), file_name("a/b"), join("", "x")), ("a", "", "b", "x".to_owned()));
    }
}

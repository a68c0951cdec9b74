//! List of the files that agentctl wrote to a directory.

use std::collections::BTreeSet;

use super::super::stream::StreamFormat;
use super::output_dir::OutputDir;
use crate::diagnostic::{EnvironmentError, ObjectKey};

/// Directory for objects without a namespace.
const CLUSTER_DIRECTORY: &str = "_cluster";

const HEADER: &str = "# The files that agentctl wrote here. `--prune` removes no others.\n";

/// Sorted paths below the directory.
pub(super) type OwnedPaths = BTreeSet<String>;

/// Reads the list. Returns an empty list if the file is missing.
///
/// # Errors
///
/// Returns an error if a line is not a path that agentctl writes, because such a path must not be removed.
pub(super) fn read_list(dir: &OutputDir<'_>, name: &str) -> Result<OwnedPaths, EnvironmentError> {
    dir.check_file(name)?;
    let Some(bytes) = dir.read(name)? else {
        return Ok(OwnedPaths::default());
    };
    let text = String::from_utf8(bytes).map_err(|_| dir.rejected_path(name, "it is not UTF-8"))?;
    let paths = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
    let paths = paths.map(|(number, line)| match directory_and_file(line) {
        Some(_) => Ok(line.to_owned()),
        None => {
            let problem = format!("line {} is not a path that agentctl writes", number + 1);
            Err(dir.rejected_path(name, &problem))
        }
    });
    paths.collect()
}

pub(super) fn list_text(owned: &OwnedPaths) -> String {
    let lines = owned.iter().flat_map(|path| [path.as_str(), "\n"]);
    std::iter::once(HEADER).chain(lines).collect()
}

/// Splits a path of the form `<folder>/<file>` with a manifest extension. Returns `None` for any other path, such as a
/// path outside the directory.
pub(super) fn directory_and_file(path: &str) -> Option<(&str, &str)> {
    let (directory, file) = path.split_once('/')?;
    let is_manifest = file.ends_with(".yaml") || file.ends_with(".json");
    (is_valid_name(directory) && is_valid_name(file) && is_manifest).then_some((directory, file))
}

/// Returns an object's path below the output directory.
pub(super) fn relative_path(ObjectKey { kind, namespace, name }: &ObjectKey, format: StreamFormat) -> String {
    let namespace = if namespace.is_empty() { CLUSTER_DIRECTORY } else { namespace };
    let kind = kind.to_ascii_lowercase();
    let extension = match format {
        StreamFormat::Yaml => "yaml",
        StreamFormat::Json => "json",
    };
    format!("{namespace}/{kind}_{name}.{extension}")
}

/// Whether a name is plain: non-empty, not hidden, and without separators, drive letters, control characters or
/// similar.
fn is_valid_name(text: &str) -> bool {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    !text.is_empty() && !text.starts_with('.') && text.chars().all(is_allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_only_directory_and_file_names() {
        for path in ["n/secret_a.yaml", "_cluster/apiservice_v1.a.json", "n/secret_a..b.yaml"] {
            assert!(directory_and_file(path).is_some(), "{path}");
        }
        for path in [
            "",
            "a.yaml",
            "/a.yaml",
            "../a.yaml",
            "n/../a.yaml",
            "n/m/a.yaml",
            "./a.yaml",
            "n/.yaml",
            "n/a.txt",
            "n/a",
            "n\\a.yaml",
            "n/a\\b.yaml",
            "c:/a.yaml",
            "n/a\0.yaml",
            "n/a b.yaml",
            "<<<<<<< HEAD",
        ] {
            assert!(directory_and_file(path).is_none(), "{path:?}");
        }
    }
}

//! Files that may contain manifests, judging by their names and contents.

use std::io::Read;
use std::path::{Path, PathBuf};

use super::confined_path::ConfinedPath;

/// Number of bytes to read to distinguish settings from manifests. Settings are short.
pub(super) const MAX_SETTINGS_BYTES: u64 = 1 << 20;

/// Whether a file found in a directory has the name of a manifest. Like Go, kubectl treats `.yaml` as the extension of
/// a file named `.yaml`.
pub(super) fn is_manifest(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    let is_kustomization = name == b"Kustomization";
    is_kustomization || [b".yaml".as_slice(), b".yml", b".json"].iter().any(|extension| name.ends_with(extension))
}

/// Whether a file might contain a manifest, that is, whether it contains `apiVersion` and `kind`, or notation that can
/// encode these strings differently.
pub(super) fn may_be_manifest(file: &ConfinedPath) -> bool {
    let mut text = Vec::new();
    let contents = file.open().and_then(|file| file.take(MAX_SETTINGS_BYTES).read_to_end(&mut text));
    let text = String::from_utf8_lossy(&text);
    let has_words = text.contains("apiVersion") && text.contains("kind");
    let may_spell_words = ["\\", "!!binary", "!<"].iter().any(|mark| text.contains(mark));
    contents.is_err() || text.len() as u64 >= MAX_SETTINGS_BYTES || has_words || may_spell_words
}

/// Returns the path for use in messages. Paths of files in `.` have no leading dot.
pub(super) fn display_path(root: &Path, path: PathBuf) -> PathBuf {
    match path.strip_prefix(".") {
        Ok(rest) if root == Path::new(".") => rest.to_owned(),
        _ => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_files_in_the_working_directory_without_a_dot() {
        for (root, path, expected) in [
            (".", "./a.yaml", "a.yaml"),
            (".", "./b/a.yaml", "b/a.yaml"),
            ("./b", "./b/a.yaml", "./b/a.yaml"),
            ("b", "b/a.yaml", "b/a.yaml"),
            ("/b", "/b/a.yaml", "/b/a.yaml"),
        ] {
            let actual = display_path(Path::new(root), PathBuf::from(path));
            assert_eq!(actual.as_os_str(), expected, "{root} {path}");
        }
    }

    #[test]
    fn recognizes_manifests_by_name() {
        for (path, expected) in [
            ("a.yaml", true),
            ("b/a.yml", true),
            ("a.json", true),
            ("Kustomization", true),
            ("b/Kustomization", true),
            ("kustomization", false),
            ("a.YAML", false),
            ("a.txt", false),
            ("yaml", false),
            (".yaml", true),
            ("a/.json", true),
        ] {
            assert_eq!(is_manifest(Path::new(path)), expected, "{path}");
        }
    }
}

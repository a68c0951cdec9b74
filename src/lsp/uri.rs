//! Conversion between paths and URIs.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use lsp_types::Uri;

/// Returns the path of a `file:` URI, or `None` for any other URI.
pub(super) fn to_path(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_str().strip_prefix("file://")?;
    let encoded = rest.strip_prefix("localhost").unwrap_or(rest);
    let mut bytes = Vec::with_capacity(encoded.len());
    let mut rest = encoded.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            byte => byte,
        });
    }
    let path = PathBuf::from(String::from_utf8(bytes).ok()?);
    path.is_absolute().then_some(path)
}

/// Returns the `file:` URI of a path.
pub(super) fn from_path(path: &Path) -> Option<Uri> {
    let mut uri = String::from("file://");
    for byte in path.to_str()?.bytes() {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(byte.into()),
            byte if byte.is_ascii_alphanumeric() => uri.push(byte.into()),
            byte => drop(write!(uri, "%{byte:02X}")),
        }
    }
    Uri::from_str(&uri).ok()
}

/// Resolves the symlinks in a path, even if the file does not exist yet.
pub(super) fn canonical_path(path: &Path) -> PathBuf {
    let canonical_in_folder = || Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?));
    let canonical = path.canonicalize().ok().or_else(canonical_in_folder);
    canonical.unwrap_or_else(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests that a file in a linked directory has the same path before and after it is first saved.
    #[cfg(unix)]
    #[test]
    fn resolves_links_in_the_paths_of_missing_files() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path().canonicalize().unwrap();
        std::fs::create_dir(folder.join("real")).unwrap();
        std::os::unix::fs::symlink("real", folder.join("link")).unwrap();
        assert_eq!(canonical_path(&folder.join("link/new.yaml")), folder.join("real/new.yaml"));
        std::fs::write(folder.join("real/old.yaml"), "").unwrap();
        assert_eq!(canonical_path(&folder.join("link/old.yaml")), folder.join("real/old.yaml"));
        let missing_file = folder.join("gone/new.yaml");
        assert_eq!(canonical_path(&missing_file), missing_file);
    }

    #[test]
    fn paths_round_trip_through_uris() {
        for (path, uri) in [("/a b/é.yaml", "file:///a%20b/%C3%A9.yaml"), ("/x%y", "file:///x%25y")] {
            assert_eq!(from_path(Path::new(path)).unwrap().as_str(), uri);
            assert_eq!(to_path(&Uri::from_str(uri).unwrap()).unwrap(), Path::new(path));
        }
        let path = |uri| to_path(&Uri::from_str(uri).unwrap());
        assert_eq!(path("file://localhost/a%3a"), Some("/a:".into()));
        assert_eq!(path("untitled:Untitled-1"), None);
        assert_eq!(path("file:///%ff"), None);
    }
}

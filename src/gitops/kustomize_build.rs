//! Runs kustomize on a copy of the files that it needs.

use std::fs;
use std::path::{Path, PathBuf};

use super::closure::Closure;
use super::path::{joined, parent};
use super::tree::RepositoryTree;
use crate::diagnostic::EnvironmentError;
use crate::input::{StagedBuild, build_staged};
use crate::printable::ByteSize;

/// Maximum size of the output of a build.
const MAX_OUTPUT: ByteSize = ByteSize(256 << 20);

/// Maximum total size of the files of a build.
const MAX_SIZE: u64 = 512 << 20;

/// Files that kustomize may read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restriction {
    /// Files below the kustomization, as by default (`LoadRestrictionsRootOnly`).
    RootOnly,
    /// All files of the artifact, as in Flux (`LoadRestrictionsNone`).
    Artifact,
}

/// A directory with the files of one build. It is removed when this value is dropped.
#[derive(Debug)]
pub struct Stage {
    /// Repository that the files come from.
    repository: PathBuf,
    folder: tempfile::TempDir,
    root: PathBuf,
}

impl Stage {
    /// Copies the files of a build. `replaced` contains the paths of files and the texts to write instead.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be written, or if the files are too large.
    pub fn new(
        tree: &RepositoryTree,
        closure: &Closure,
        replaced: &[(String, String)],
    ) -> Result<Self, EnvironmentError> {
        let failed = |error| EnvironmentError::Other(format!("cannot copy files for kustomize: {error}"));
        let folder = tempfile::Builder::new().prefix("agentctl-").tempdir().map_err(failed)?;
        let root = fs::canonicalize(folder.path()).map_err(failed)?.join("repository");
        fs::create_dir(&root).map_err(failed)?;
        let mut size = 0;
        let copied = closure.files.iter().filter(|(path, _)| replaced.iter().all(|(other, _)| other != *path));
        for (path, file) in copied {
            // A file that cannot be read is missing in the build.
            let Some(bytes) = tree.bytes(file) else { continue };
            size += bytes.len() as u64;
            if size > MAX_SIZE {
                return Err(EnvironmentError::Other("the files of a kustomization are too large".to_owned()));
            }
            fs::create_dir_all(root.join(parent(path)))
                .and_then(|()| fs::write(root.join(path), bytes))
                .map_err(failed)?;
        }
        for (path, text) in replaced {
            fs::create_dir_all(root.join(parent(path)))
                .and_then(|()| fs::write(root.join(path), text))
                .map_err(failed)?;
        }
        for (link, target) in &closure.links {
            let up: PathBuf = parent(link).split('/').filter(|part| !part.is_empty()).map(|_| "..").collect();
            fs::create_dir_all(root.join(parent(link)))
                .and_then(|()| symlink(&up.join(target), &root.join(link)))
                .map_err(failed)?;
        }
        Ok(Self { repository: tree.root().to_owned(), folder, root })
    }

    /// Builds the kustomization in a directory.
    ///
    /// # Errors
    ///
    /// Returns an error if kustomize is not installed or cannot be run.
    pub fn build(&self, directory: &str, restriction: Restriction) -> Result<Result<String, String>, EnvironmentError> {
        let path = self.root.join(directory);
        fs::create_dir_all(&path).map_err(EnvironmentError::write(&path))?;
        let build = StagedBuild {
            repository: &self.repository,
            directory: &path,
            home: self.folder.path(),
            reads_outside: restriction == Restriction::Artifact,
            limit: MAX_OUTPUT,
        };
        let shown = |message: String| {
            message.replace(&format!("{}/", self.root.display()), "").replace(&self.root.display().to_string(), ".")
        };
        Ok(build_staged(&build)?.map_err(shown))
    }

    /// Returns the path of a file in the copy.
    pub fn path(&self, path: &str) -> PathBuf {
        self.root.join(joined("", path))
    }
}

#[cfg(unix)]
fn symlink(target: &Path, link: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

#[cfg(not(unix))]
fn symlink(target: &Path, link: &Path) -> std::io::Result<()> {
    let from = link.parent().unwrap_or(link).join(target);
    fs::copy(from, link).map(drop)
}

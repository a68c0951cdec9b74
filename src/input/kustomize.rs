//! `-k`: what kustomize builds of a directory.
//!
//! kustomize does what the kustomization says, as `kubectl apply -k` lets it: a remote base is fetched. It gets no flag that
//! lets a kustomization run programs or read files outside of its root. It runs twice at the same time: the second build tells the
//! files that objects are made from.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::process::Command;

use super::origins;
use super::program::output;
use crate::byte_size::ByteSize;
use crate::environment::EnvironmentError;
use crate::source::Origin;

/// The programs that can do it, with the arguments that come before the directory; the first one that is installed is run.
const PROGRAMS: &[(&str, &[&str])] = &[("kustomize", &["build", "--"]), ("kubectl", &["kustomize", "--"])];

/// The names of a kustomization (`konfig.RecognizedKustomizationFileNames` of kustomize).
const FILES: [&str; 3] = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

pub(super) struct Built {
    pub(super) bytes: Vec<u8>,
    pub(super) origins: Vec<Origin>,
}

/// Builds a local directory, `target` where it is without links.
///
/// # Errors
///
/// It is not a directory, none of the programs is installed, or the program fails or prints more than `limit`.
pub(super) fn build(directory: &Path, target: &Path, limit: ByteSize) -> Result<Built, EnvironmentError> {
    // A program would take what is not there for the address of a repository.
    if !directory.is_dir() {
        return Err(EnvironmentError::unfit(
            directory,
            "`-k` needs a directory with a kustomization",
        ));
    }
    let Some(kustomization) = FILES.iter().find(|name| directory.join(name).is_file()) else {
        return Err(EnvironmentError::unfit(
            directory,
            "`-k` needs a directory with a kustomization.yaml; leave `-k` out for plain manifests",
        ));
    };
    // Without links and with its whole path, no name looks like a flag or like the address of a repository.
    let path = fs::canonicalize(target).map_err(EnvironmentError::read(directory))?;
    for (program, arguments) in PROGRAMS {
        let run = |path: &Path| output(Command::new(program).args(*arguments).arg(path), b"", limit);
        let (built, annotated) = rayon::join(
            || run(&path),
            || {
                let folder = origins::around(&path)?;
                let annotated = run(folder.path()).ok().filter(|built| built.status.success())?;
                Some((folder, String::from_utf8(annotated.stdout).ok()?))
            },
        );
        let built = match built {
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            built => built.map_err(EnvironmentError::run(program))?,
        };
        if !built.status.success() {
            return Err(EnvironmentError::Failed {
                program: format!("{program} {} {}", arguments.join(" "), directory.display()),
                message: String::from_utf8_lossy(&built.stderr).trim().to_owned(),
            });
        }
        let text = String::from_utf8_lossy(&built.stdout);
        let annotated = annotated.as_ref().map(|(folder, text)| (folder.path(), text.as_str()));
        let origins = origins::origins(&text, annotated, &path, &path.join(kustomization));
        return Ok(Built {
            origins,
            bytes: built.stdout,
        });
    }
    let error = io::Error::new(ErrorKind::NotFound, "neither kustomize nor kubectl is installed");
    Err(EnvironmentError::run("kustomize")(error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_kustomization_is_not_built() {
        let scratch = tempfile::tempdir().unwrap();
        let file = scratch.path().join("kustomization.yaml.txt");
        fs::write(&file, "").unwrap();
        for (path, expected) in [
            (file.clone(), "`-k` needs a directory with a kustomization"),
            (
                scratch.path().join("gone"),
                "`-k` needs a directory with a kustomization",
            ),
            (
                scratch.path().to_owned(),
                "`-k` needs a directory with a kustomization.yaml; leave `-k` out for plain manifests",
            ),
        ] {
            let error = build(&path, &path, ByteSize(1)).err().unwrap();
            assert_eq!(
                error.to_string(),
                format!("cannot read `{}`: {expected}", path.display())
            );
        }
    }
}

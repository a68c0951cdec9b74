//! Execution of kustomize on a copy of a repository's files, without network access, plugins or the user's
//! configuration.

use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;

use super::build::{OFFLINE_VARIABLES, program};
use super::failure::unquote_klog;
use crate::diagnostic::EnvironmentError;
use crate::input::containment::ContainingTree;
use crate::input::origins;
use crate::input::program::output;
use crate::input::search_path::SearchPath;
use crate::printable::ByteSize;
use crate::source::DocumentOrigin;

/// A build of a copied repository.
pub struct StagedBuild<'p> {
    /// The copied repository. Its programs are never run.
    pub repository: &'p Path,
    /// Absolute path of the kustomization's directory.
    pub directory: &'p Path,
    /// Path of the directory to use as the home directory.
    pub home: &'p Path,
    /// Whether a kustomization may refer to files outside its own directory.
    pub reads_outside: bool,
    /// Maximum size of the output.
    pub limit: ByteSize,
}

/// Builds a copied repository. All remote references must already have been removed from it. The environment is nearly
/// empty, so that only the files affect the output and any remaining network request fails.
///
/// # Errors
///
/// Returns an error if no program is installed. The inner error is the message of a failed program.
pub fn build_staged(build: &StagedBuild<'_>) -> Result<Result<String, String>, EnvironmentError> {
    let repository = ContainingTree::containing(build.repository).map_err(EnvironmentError::read(build.repository))?;
    let search = SearchPath::outside_checkouts(&[&repository]);
    let (name, path, arguments) = program(&search)?;
    let mut command = Command::new(path);
    command.env_clear().env("PATH", search.value()).envs(OFFLINE_VARIABLES.iter().copied());
    command.envs(std::env::var_os("SYSTEMROOT").map(|root| ("SYSTEMROOT", root)));
    command.env("HOME", build.home).env("TMPDIR", build.home).env("XDG_CONFIG_HOME", build.home);
    command.current_dir(build.home);
    let (flags, separator) = arguments.split_at(arguments.len().saturating_sub(1));
    command.args(flags);
    if build.reads_outside {
        command.arg("--load-restrictor=LoadRestrictionsNone");
    }
    let result = match output(command.args(separator).arg(build.directory), b"", build.limit) {
        Err(error) if error.kind() == ErrorKind::TimedOut => return Ok(Err(error.to_string())),
        built => built.map_err(EnvironmentError::run(name))?,
    };
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).map_err(|_| "the output is not UTF-8".to_owned());
    Ok(match result.status.success() {
        true => text(result.stdout),
        false => Err(unquote_klog(String::from_utf8_lossy(&result.stderr).trim())),
    })
}

/// Returns the origins of the documents in `built`, which is the output of a build. Paths in the origins are absolute.
/// If the output with annotations is unknown, kustomize runs again.
pub fn staged_origins(build: &StagedBuild<'_>, built: &str, annotated: Option<&str>) -> Vec<DocumentOrigin> {
    let kustomization = build.directory.join("kustomization.yaml");
    if let Some(annotated) = annotated {
        return origins::origins(built, Some((build.directory, annotated)), build.directory, &kustomization);
    }
    let wrapper = origins::wrapper_kustomization(build.directory).and_then(|folder| {
        let wrapped_build = StagedBuild { directory: folder.path(), reads_outside: true, ..*build };
        let annotated_output = build_staged(&wrapped_build).ok()?.ok()?;
        Some((folder, annotated_output))
    });
    let annotated = wrapper.as_ref().map(|(folder, text)| (folder.path(), text.as_str()));
    origins::origins(built, annotated, build.directory, &kustomization)
}

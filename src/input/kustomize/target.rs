//! Kustomizations to build, and findings about them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs};

use crate::diagnostic::{Diagnostic, EnvironmentError};
use crate::input::containment::{ContainingTree, LoadRestrictor};
use crate::source::Sources;

/// Names of kustomization files (`konfig.RecognizedKustomizationFileNames` in kustomize).
pub const FILES: [&str; 3] = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

/// Maximum number of kustomizations between the first kustomization and a base.
pub(super) const MAX_DEPTH: usize = 100;

/// Returns the kustomization files in a directory.
pub(super) fn kustomization_files(directory: &Path) -> impl Iterator<Item = PathBuf> {
    FILES.iter().map(|name| directory.join(name)).filter(|path| path.is_file())
}

/// Whether a directory contains a kustomization.
pub fn is_kustomization(directory: &Path) -> bool {
    kustomization_files(directory).next().is_some()
}

/// Kustomization to build.
pub struct KustomizeTarget<'t> {
    /// Name of the directory for use in messages.
    pub shown: &'t Path,
    /// Canonical path of the directory.
    pub directory: PathBuf,
    /// Tree that must contain all bases, or `None` if they may be anywhere.
    pub tree: Option<ContainingTree>,
    /// Whether kustomize may fetch files and bases.
    pub allows_remote: bool,
}

impl<'t> KustomizeTarget<'t> {
    /// Returns the kustomization in a directory. `directory` is the path to read, and `shown` is its name for use in
    /// messages.
    ///
    /// # Errors
    ///
    /// Returns an error if the path is not a directory that contains a kustomization.
    pub fn new(
        shown: &'t Path,
        directory: &Path,
        reach: &LoadRestrictor,
        allows_remote: bool,
    ) -> Result<Self, EnvironmentError> {
        // kustomize would interpret the path of a missing directory as a repository address.
        if !directory.is_dir() {
            return Err(EnvironmentError::invalid_content(shown, "`-k` needs a directory with a kustomization"));
        }
        if !is_kustomization(directory) {
            let problem = "`-k` needs a directory with a kustomization.yaml; omit `-k` for plain manifests";
            return Err(EnvironmentError::invalid_content(shown, problem));
        }
        // A canonical path cannot be mistaken for a flag or a repository address.
        let directory = fs::canonicalize(directory).map_err(EnvironmentError::read(shown))?;
        let tree = reach.tree_of_build(&directory, env::current_dir().and_then(fs::canonicalize).ok().as_deref());
        Ok(Self { shown, directory, tree, allows_remote })
    }
}

/// Findings about a kustomization, and the files that the findings refer to.
#[derive(Debug, Default)]
pub struct KustomizeFindings {
    /// Files that the findings refer to. They are used only for locations.
    pub sources: Sources,
    pub diagnostics: Vec<Diagnostic>,
}

impl KustomizeFindings {
    /// Returns the first finding as one line, with its location.
    pub fn first_line(&self) -> String {
        let first_finding = self.diagnostics.first();
        let location = first_finding.and_then(Diagnostic::primary).and_then(|label| self.sources.location(label.span));
        let location = location.map(|location| format!("{location}: ")).unwrap_or_default();
        format!("{location}{}", first_finding.map_or("", |finding| &finding.message))
    }

    /// Adds the files that contain mistakes to `sources`, and returns the findings.
    pub fn report(self, sources: &mut Sources) -> Vec<Diagnostic> {
        let mut ids = HashMap::new();
        let mut diagnostics = self.diagnostics;
        let files: HashMap<_, _> = self.sources.shared().collect();
        for finding in &mut diagnostics {
            finding.for_each_span(&mut |span| {
                let Some(file) = files.get(&span.source) else { return };
                span.source = *ids.entry(span.source).or_insert_with(|| sources.add(Arc::clone(file)));
            });
        }
        diagnostics
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_directories_without_a_kustomization() {
        let scratch = tempfile::tempdir().unwrap();
        let file = scratch.path().join("kustomization.yaml.txt");
        fs::write(&file, "").unwrap();
        for (path, expected) in [
            (file.clone(), "`-k` needs a directory with a kustomization"),
            (scratch.path().join("gone"), "`-k` needs a directory with a kustomization"),
            (
                scratch.path().to_owned(),
                "`-k` needs a directory with a kustomization.yaml; omit `-k` for plain manifests",
            ),
        ] {
            let error = KustomizeTarget::new(&path, &path, &LoadRestrictor::RootOnly, false).err().unwrap();
            assert_eq!(error.to_string(), format!("cannot read `{}`: {expected}", path.display()));
        }
    }
}

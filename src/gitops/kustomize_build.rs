//! kustomize builds, which run on a copy of the required files.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use super::closure::Closure;
use super::path::{join, parent};
use super::tree::RepositoryTree;
use crate::diagnostic::EnvironmentError;
use crate::input::kustomize::FILES;
use crate::input::{
    BuildExcess, StagedBuild, build_excess, build_staged, copies_values, depends_on_annotations, is_exhausted,
    known_problem, patch_problem, request_annotations, staged_origins,
};
use crate::printable::ByteSize;
use crate::source::{DocumentOrigin, Span};

/// Maximum size of the output of a build.
const MAX_OUTPUT_SIZE: ByteSize = ByteSize(256 << 20);

/// Maximum total size of the files of a build.
const MAX_STAGE_SIZE: u64 = 512 << 20;

/// Restriction on the files that kustomize may read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restriction {
    /// Files below the kustomization: kustomize's default (`LoadRestrictionsRootOnly`).
    RootOnly,
    /// All files of the artifact, as in Flux (`LoadRestrictionsNone`).
    Artifact,
}

/// Processes items in parallel, and returns the results in order. There are more threads than processors, because the
/// threads mostly wait for kustomize.
pub fn process_in_parallel<T: Send, R: Send>(items: Vec<T>, process: impl Fn(T) -> R + Send + Sync) -> Vec<R> {
    let process_all = || items.into_par_iter().with_max_len(1).map(process).collect();
    match ThreadPoolBuilder::new().num_threads(2 * rayon::current_num_threads()).build() {
        Ok(threads) => threads.install(process_all),
        Err(_) => process_all(),
    }
}

/// A directory with the files of one build. It is removed when this value is dropped.
#[derive(Debug)]
pub struct Stage {
    /// Repository from which the files are copied.
    repository: PathBuf,
    folder: tempfile::TempDir,
    root: PathBuf,
    /// Whether annotations in the objects can affect the result.
    depends_on_annotations: bool,
    /// Whether kustomize can copy values from one object to another.
    pub copies_values: bool,
    /// Contents that replace files of the repository. Empty if kustomize cannot copy values.
    pub replaced_texts: Vec<String>,
}

/// Objects that kustomize built, as YAML.
#[derive(Debug, Default)]
pub struct BuildOutput {
    pub text: String,
    /// Objects with annotations about their origins, if a single run produced both outputs.
    pub annotated_text: Option<String>,
}

impl Stage {
    /// Copies the files of a build. `replaced` maps the paths of files to the contents to write instead.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be written, or if the files are too large.
    pub fn new(
        tree: &RepositoryTree,
        closure: &Closure,
        replaced: &[(String, String)],
    ) -> Result<Self, EnvironmentError> {
        let copy_error = |error| EnvironmentError::Other(format!("cannot copy files for kustomize: {error}"));
        let temporary_directory = tempfile::Builder::new().prefix("agentctl-").tempdir().map_err(copy_error)?;
        let root = fs::canonicalize(temporary_directory.path()).map_err(copy_error)?.join("repository");
        // If the directory contains `.git`, the search for origins is limited to files in the directory.
        fs::create_dir_all(root.join(".git")).map_err(copy_error)?;
        let mut size = 0;
        let mut needs_annotations = replaced.iter().any(|(_, text)| depends_on_annotations(text.as_bytes()));
        let mut has_copies = replaced.iter().any(|(_, text)| copies_values(text.as_bytes()));
        let copied_files = closure.files.iter().filter(|(path, _)| replaced.iter().all(|(other, _)| other != *path));
        for (path, file) in copied_files {
            // A file that cannot be read is not copied.
            let Some(bytes) = tree.bytes(file) else { continue };
            size += bytes.len() as u64;
            needs_annotations |= depends_on_annotations(&bytes);
            has_copies |= copies_values(&bytes);
            if size > MAX_STAGE_SIZE {
                return Err(EnvironmentError::Other("the files of a kustomization are too large".to_owned()));
            }
            fs::create_dir_all(root.join(parent(path)))
                .and_then(|()| fs::write(root.join(path), bytes))
                .map_err(copy_error)?;
        }
        for (path, text) in replaced {
            fs::create_dir_all(root.join(parent(path)))
                .and_then(|()| fs::write(root.join(path), text))
                .map_err(copy_error)?;
        }
        for (link, target) in &closure.links {
            let path_to_root: PathBuf = parent(link).split('/').filter(|part| !part.is_empty()).map(|_| "..").collect();
            fs::create_dir_all(root.join(parent(link)))
                .and_then(|()| symlink(&path_to_root.join(target), &root.join(link)))
                .map_err(copy_error)?;
        }
        let repository = tree.root().to_owned();
        let replaced_texts = replaced.iter().filter(|_| has_copies).map(|(_, text)| text.clone()).collect();
        Ok(Self {
            repository,
            folder: temporary_directory,
            root,
            depends_on_annotations: needs_annotations,
            copies_values: has_copies,
            replaced_texts,
        })
    }

    /// Builds the kustomization in a directory.
    ///
    /// # Errors
    ///
    /// Returns an error if kustomize is not installed or cannot be run.
    pub fn build(
        &self,
        directory: &str,
        restriction: Restriction,
    ) -> Result<Result<BuildOutput, BuildError>, EnvironmentError> {
        let path = self.root.join(directory);
        fs::create_dir_all(&path).map_err(EnvironmentError::write(&path))?;
        if let Some(BuildExcess { problem, location }) = build_excess(&path) {
            let location = location.and_then(|(path, span)| Some((self.relative_path(&path)?, span)));
            return Ok(Err(BuildError { message: problem.clone(), problem: Some(problem), location, is_excess: true }));
        }
        if let Some(build) = self.build_annotated(&path, restriction)? {
            return Ok(build);
        }
        let output = build_staged(&self.staged_build(&path, restriction))?;
        Ok(output.map(|text| BuildOutput { text, annotated_text: None }).map_err(|message| self.error(&message)))
    }

    /// Builds the kustomization in a directory with annotations about origins. Returns `None` if annotations could
    /// change the objects, or if the build fails and must be repeated without annotations to obtain the error message.
    fn build_annotated(
        &self,
        directory: &Path,
        restriction: Restriction,
    ) -> Result<Option<Result<BuildOutput, BuildError>>, EnvironmentError> {
        let mut files = FILES.iter().map(|name| directory.join(name)).filter(|_| !self.depends_on_annotations);
        let kustomization = files.find_map(|file| Some((fs::read_to_string(&file).ok()?, file)));
        let Some((original_text, file)) = kustomization else { return Ok(None) };
        let Some(request) = request_annotations(&original_text) else { return Ok(None) };
        fs::write(&file, &request.kustomization).map_err(EnvironmentError::write(&file))?;
        let annotated_output = build_staged(&self.staged_build(directory, restriction))?;
        fs::write(&file, original_text).map_err(EnvironmentError::write(&file))?;
        Ok(match annotated_output {
            Ok(annotated) => request
                .without_added_annotations(&annotated)
                .map(|text| Ok(BuildOutput { text, annotated_text: Some(annotated) })),
            Err(message) => is_exhausted(&message).then(|| Err(self.error(&message))),
        })
    }

    fn staged_build<'p>(&'p self, directory: &'p Path, restriction: Restriction) -> StagedBuild<'p> {
        let may_read_outside = restriction == Restriction::Artifact;
        StagedBuild {
            repository: &self.repository,
            directory,
            home: self.folder.path(),
            reads_outside: may_read_outside,
            limit: MAX_OUTPUT_SIZE,
        }
    }

    /// Returns the error for a message from kustomize. Because messages may contain values, only parts of known
    /// messages are kept.
    fn error(&self, message: &str) -> BuildError {
        let root = self.root.display().to_string();
        let message = message.replace(&format!("{root}/"), "").replace(&root, ".");
        let line = || {
            let index = VALUE_FREE_MESSAGES.iter().find_map(|known| message.find(known))?;
            Some(message.get(index..)?.lines().next()?.chars().take(200).collect())
        };
        BuildError { problem: known_problem(&message).or_else(line), message, location: None, is_excess: false }
    }

    /// Returns a path relative to the artifact, or `None` if the path is outside the artifact.
    fn relative_path(&self, path: &Path) -> Option<String> {
        path.strip_prefix(&self.root).ok()?.to_str().map(|path| path.replace('\\', "/"))
    }

    /// Returns the origins of the documents in the output for a directory. `display_name` returns the name of an
    /// artifact file to show to users.
    pub fn origins(
        &self,
        directory: &str,
        built: &BuildOutput,
        display_name: &dyn Fn(&str) -> Option<String>,
    ) -> Vec<DocumentOrigin> {
        let path = self.root.join(directory);
        let staged_build = self.staged_build(&path, Restriction::Artifact);
        let mut origins = staged_origins(&staged_build, &built.text, built.annotated_text.as_deref());
        let root = format!("{}/", self.root.display());
        let name = |file: &String| display_name(file.strip_prefix(&root)?);
        let fallback = FILES.iter().find_map(|file| display_name(&join(directory, file)));
        for origin in &mut origins {
            origin.file = name(&origin.file).or_else(|| fallback.clone()).unwrap_or_default();
            origin.transformed_in = origin.transformed_in.iter().filter_map(name).collect();
        }
        origins
    }
}

/// Error from a kustomize build.
pub struct BuildError {
    /// Problem that kustomize reported, without values, or `None` if the message is unknown.
    problem: Option<String>,
    /// Whether kustomize was not run because the build would be too large.
    is_excess: bool,
    /// Message with paths relative to the repository. It may contain Secret values.
    message: String,
    /// Path of the file with the problem in the artifact, and the problem's span in that file.
    location: Option<(String, Span)>,
}

impl BuildError {
    /// Whether invalid YAML may be the cause of the problem.
    pub fn is_about_yaml(&self) -> bool {
        self.is_invalid_yaml() || self.problem.is_none()
    }

    fn is_invalid_yaml(&self) -> bool {
        self.message.contains(INVALID_YAML)
    }

    /// Returns the message, which may contain values.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the path of the file with the problem in the artifact, and the problem's span, if they are known.
    pub fn location(&self) -> Option<(&str, Span)> {
        self.location.as_ref().map(|(path, span)| (path.as_str(), *span))
    }

    /// Returns the index of the patch that causes the problem, if it is among `patches`, and the string in the patch
    /// that the message refers to.
    pub fn failed_patch(&self, patches: &[String]) -> Option<(usize, String)> {
        let mut parts = patches.iter().map(|patch| patch_problem(&self.message, patch)).enumerate();
        parts.find_map(|(index, part)| Some((index, part?)))
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.problem {
            _ if self.is_invalid_yaml() => f.write_str("kustomize fails: a file is not valid YAML"),
            Some(problem) if self.is_excess => write!(f, "kustomize is not run: {problem}"),
            Some(problem) => write!(f, "kustomize fails: {problem}"),
            None => f.write_str("kustomize fails; run `kustomize build` in this path for its message"),
        }
    }
}

/// Part of the message that kustomize prints about a file that is not valid YAML.
const INVALID_YAML: &str = "MalformedYAMLError";

/// Parts of kustomize messages that are not followed by a value on the same line.
const VALUE_FREE_MESSAGES: [&str; 4] =
    ["no such file or directory", "cycle detected", "is not in or below", "must specify --enable-helm"];

#[cfg(unix)]
fn symlink(target: &Path, link: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

#[cfg(not(unix))]
fn symlink(target: &Path, link: &Path) -> std::io::Result<()> {
    let from = link.parent().unwrap_or(link).join(target);
    fs::copy(from, link).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gitops::tree::TreeLimits;

    #[test]
    fn attributes_unknown_origins_to_kustomization_files_of_any_name() {
        let repository = tempfile::tempdir().unwrap();
        let tree = RepositoryTree::read(repository.path(), &TreeLimits::default()).unwrap();
        let kustomization = ("app/kustomization.yml".to_owned(), String::new());
        let stage = Stage::new(&tree, &Closure::default(), &[kustomization]).unwrap();
        let text = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n".to_owned();
        let built = BuildOutput { text, annotated_text: Some(String::new()) };
        let display_name = |path: &str| (path == "app/kustomization.yml").then(|| path.to_owned());
        let origins = stage.origins("app", &built, &display_name);
        let files: Vec<_> = origins.into_iter().map(|origin| origin.file).collect();
        assert_eq!(files, ["app/kustomization.yml"]);
    }
}

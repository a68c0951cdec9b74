//! The git command, restricted to reading objects. It executes nothing that a repository configures and never accesses
//! the network.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

use super::containment::containing_repository;
use super::program::output;
use super::search_path::SearchPath;
use crate::diagnostic::EnvironmentError;
use crate::printable::ByteSize;

/// Default limit on git's output. A limit is required because a few objects can describe a tree with billions of files.
pub(super) const MAX_OUTPUT: ByteSize = ByteSize(256 << 20);

/// Settings that override all configuration files. They disable programs and features that are not required for reading
/// objects. Each setting covers a case that no other setting covers, or that older versions of git do not handle.
const GIT_SETTINGS: &[&str] = &[
    // A directory that looks like a bare repository is ignored, because anyone can commit such a directory (git 2.38).
    "safe.bareRepository=explicit",
    "protocol.allow=never",
    "core.askPass=",
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.sshCommand=false",
    "credential.helper=",
];

/// Variables that override the user's environment.
const GIT_VARIABLES: &[(&str, &str)] = &[
    // Objects that are missing from a partial clone are not fetched (git 2.45).
    ("GIT_NO_LAZY_FETCH", "1"),
    // Older versions of git would fetch missing objects, so every protocol is rejected, even if `protocol.ext.allow` is
    // set.
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_ASKPASS", ""),
    ("GIT_LITERAL_PATHSPECS", "1"),
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_SSH_COMMAND", "false"),
    ("GIT_TERMINAL_PROMPT", "0"),
];

/// Variables that select a different repository or different objects, as set in a hook (`git rev-parse
/// --local-env-vars`).
const REMOVED_VARIABLES: &str = "\
    GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_COMMON_DIR GIT_CONFIG GIT_CONFIG_COUNT GIT_CONFIG_PARAMETERS GIT_DIR \
    GIT_GRAFT_FILE GIT_IMPLICIT_WORK_TREE GIT_INDEX_FILE GIT_NAMESPACE GIT_OBJECT_DIRECTORY GIT_PREFIX \
    GIT_REPLACE_REF_BASE GIT_SHALLOW_FILE GIT_WORK_TREE";

/// Repository that contains the working directory. Other repositories are never read, because an input may contain
/// files that look like a repository.
pub(super) struct Repository {
    root: PathBuf,
    /// Relative path from the working directory to the repository root.
    up: PathBuf,
    /// Path of the git executable.
    program: PathBuf,
}

impl Repository {
    /// Finds the nearest `.git`, searching upward. Git never checks out an entry named `.git`.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no repository, or if git rejects it, for example because another user owns it.
    pub(super) fn in_working_directory() -> Result<Self, EnvironmentError> {
        let working_directory = env::current_dir().and_then(fs::canonicalize);
        let working_directory = working_directory.map_err(EnvironmentError::read(Path::new(".")))?;
        let problem = "`--since` needs a git repository, but the working directory is not in one";
        let root =
            containing_repository(&working_directory).ok_or_else(|| EnvironmentError::Other(problem.to_owned()))?;
        let relative_path = working_directory.strip_prefix(root).unwrap_or(Path::new(""));
        let path_to_root = Path::new(".").join(relative_path.components().map(|_| "..").collect::<PathBuf>());
        // If `--git-dir` were set explicitly, git would not check the owner of the repository.
        let program = SearchPath::outside_checkouts(&[]).find("git").map_err(EnvironmentError::run("git"))?;
        let repository = Self { root: root.to_owned(), up: path_to_root, program };
        let mut rev_parse = repository.git();
        rev_parse.arg("-C").arg(&repository.up).args(["rev-parse", "--git-dir"]);
        check_output("rev-parse", run(&mut rev_parse, b"", MAX_OUTPUT)?)?;
        Ok(repository)
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Runs git and returns its output.
    ///
    /// # Errors
    ///
    /// Returns an error if git cannot be run, fails, or prints more than `limit` bytes.
    pub(super) fn read<A: AsRef<OsStr>>(
        &self,
        args: &[A],
        input: &[u8],
        limit: ByteSize,
    ) -> Result<Vec<u8>, EnvironmentError> {
        let name = args.first().map(|name| name.as_ref().to_string_lossy());
        check_output(&name.unwrap_or_default(), self.run(args, input, limit)?)
    }

    /// Returns the full commit ID for a revision.
    ///
    /// # Errors
    ///
    /// Returns an error if the commit does not exist.
    pub(super) fn commit(&self, revision: &str) -> Result<String, EnvironmentError> {
        let unknown_revision = || {
            let problem = format!("revision `{revision}` not found; if the clone is shallow, fetch the revision first");
            EnvironmentError::Other(problem)
        };
        // Options are rejected here, because older versions of git do not support `--end-of-options`.
        if revision.starts_with('-') {
            return Err(unknown_revision());
        }
        let commit = format!("{revision}^{{commit}}");
        let output = self.run(&["rev-parse", "--verify", "--quiet", &commit], b"", MAX_OUTPUT)?;
        if output.status.code() == Some(1) {
            return Err(unknown_revision());
        }
        let name = String::from_utf8_lossy(&check_output("rev-parse", output)?).trim().to_owned();
        // Revisions such as `^HEAD` are rejected, because they do not refer to a single commit.
        let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_name.then_some(name).ok_or_else(unknown_revision)
    }

    fn git(&self) -> Command {
        git(&self.program)
    }

    fn run<A: AsRef<OsStr>>(&self, args: &[A], input: &[u8], limit: ByteSize) -> Result<Output, EnvironmentError> {
        let mut git = self.git();
        git.arg("--git-dir").arg(self.up.join(".git"));
        git.arg("--work-tree").arg(&self.up).args(args);
        run(&mut git, input, limit)
    }
}

fn git(program: &Path) -> Command {
    let mut git = Command::new(program);
    git.arg("--no-pager");
    for setting in GIT_SETTINGS {
        git.args(["-c", setting]);
    }
    for name in REMOVED_VARIABLES.split_whitespace() {
        git.env_remove(name);
    }
    git.envs(GIT_VARIABLES.iter().copied());
    git
}

fn run(git: &mut Command, input: &[u8], limit: ByteSize) -> Result<Output, EnvironmentError> {
    output(git, input, limit).map_err(EnvironmentError::run("git"))
}

/// Returns the output of a git command, or an error if the command failed.
fn check_output(command: &str, output: Output) -> Result<Vec<u8>, EnvironmentError> {
    if output.status.success() {
        return Ok(output.stdout);
    }
    Err(EnvironmentError::Failed {
        program: format!("git {command}"),
        message: String::from_utf8_lossy(&output.stderr).trim().to_owned(),
        help: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_output_size() {
        let print = |limit| run(git(Path::new("git")).arg("--version"), b"", ByteSize(limit));
        assert!(print(1000).unwrap().stdout.starts_with(b"git version"));
        let error = print(3).unwrap_err().to_string();
        assert_eq!(error, "cannot run `git`: its output is larger than 3 bytes");
    }
}

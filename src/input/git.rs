//! The git command, held to reading objects: it executes nothing that a repository configures, and reaches no network.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

use super::containment::repository_around;
use super::program::output;
use crate::byte_size::ByteSize;
use crate::environment::EnvironmentError;

/// Default limit on what git prints: a few objects can make a tree of billions of files.
pub(super) const MAX_OUTPUT: ByteSize = ByteSize(256 << 20);

/// What comes before the configuration in any file. Reading objects needs none of these programs: each line holds where
/// another one does not, or where git is too old for it.
const CONFIGURATION: &[&str] = &[
    // A directory that only looks like a repository does not count, since anybody can commit one (git 2.38).
    "safe.bareRepository=explicit",
    "protocol.allow=never",
    "core.askPass=",
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.sshCommand=false",
    "credential.helper=",
];

/// What comes before the environment of the caller.
const ENVIRONMENT: &[(&str, &str)] = &[
    // An object that is missing from a partial clone stays missing (git 2.45) …
    ("GIT_NO_LAZY_FETCH", "1"),
    // … and what fetches it in an older git finds every protocol refused, also where `protocol.ext.allow` is set.
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_ASKPASS", ""),
    ("GIT_LITERAL_PATHSPECS", "1"),
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_SSH_COMMAND", "false"),
    ("GIT_TERMINAL_PROMPT", "0"),
];

/// The variables that name another repository or other objects, as a hook has them (`git rev-parse --local-env-vars`).
const REMOVED: &str = "\
    GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_COMMON_DIR GIT_CONFIG GIT_CONFIG_COUNT GIT_CONFIG_PARAMETERS GIT_DIR \
    GIT_GRAFT_FILE GIT_IMPLICIT_WORK_TREE GIT_INDEX_FILE GIT_NAMESPACE GIT_OBJECT_DIRECTORY GIT_PREFIX \
    GIT_REPLACE_REF_BASE GIT_SHALLOW_FILE GIT_WORK_TREE";

/// The repository around the working directory. No other one is read: an input may hold what looks like one.
pub(super) struct Repository {
    root: PathBuf,
    /// The way there from the working directory.
    up: PathBuf,
}

impl Repository {
    /// Looks for the nearest `.git` upward, which git itself never takes from a commit.
    ///
    /// # Errors
    /// There is none, or git refuses it, such as one that belongs to somebody else.
    pub(super) fn of_working_directory() -> Result<Self, EnvironmentError> {
        let here = env::current_dir().and_then(fs::canonicalize);
        let here = here.map_err(EnvironmentError::read(Path::new(".")))?;
        let problem = "`--since` reads a git repository, and the working directory is not in one";
        let root = repository_around(&here).ok_or_else(|| EnvironmentError::Other(problem.to_owned()))?;
        let below = here.strip_prefix(root).unwrap_or(Path::new(""));
        let up = Path::new(".").join(below.components().map(|_| "..").collect::<PathBuf>());
        let repository = Self {
            root: root.to_owned(),
            up,
        };
        // Asked where to look, git does not ask whose the repository is.
        let mut found = git();
        found.arg("-C").arg(&repository.up).args(["rev-parse", "--git-dir"]);
        checked("rev-parse", run(&mut found, b"", MAX_OUTPUT)?)?;
        Ok(repository)
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// What git prints.
    ///
    /// # Errors
    /// git cannot be run, fails, or prints more than `limit`.
    pub(super) fn read<A: AsRef<OsStr>>(
        &self,
        args: &[A],
        input: &[u8],
        limit: ByteSize,
    ) -> Result<Vec<u8>, EnvironmentError> {
        let name = args.first().map(|name| name.as_ref().to_string_lossy());
        checked(&name.unwrap_or_default(), self.run(args, input, limit)?)
    }

    /// The full name of the commit that a revision stands for.
    ///
    /// # Errors
    /// There is no such commit.
    pub(super) fn commit(&self, revision: &str) -> Result<String, EnvironmentError> {
        let unknown = || {
            let problem = format!("revision `{revision}` not found; where the clone is shallow, fetch it first");
            EnvironmentError::Other(problem)
        };
        // A revision is not an option; older versions of git know no `--end-of-options`.
        if revision.starts_with('-') {
            return Err(unknown());
        }
        let commit = format!("{revision}^{{commit}}");
        let output = self.run(&["rev-parse", "--verify", "--quiet", &commit], b"", MAX_OUTPUT)?;
        if output.status.code() == Some(1) {
            return Err(unknown());
        }
        let name = String::from_utf8_lossy(&checked("rev-parse", output)?)
            .trim()
            .to_owned();
        // Nor is `^HEAD`.
        let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_name.then_some(name).ok_or_else(unknown)
    }

    fn run<A: AsRef<OsStr>>(&self, args: &[A], input: &[u8], limit: ByteSize) -> Result<Output, EnvironmentError> {
        let mut git = git();
        git.arg("--git-dir").arg(self.up.join(".git"));
        git.arg("--work-tree").arg(&self.up).args(args);
        run(&mut git, input, limit)
    }
}

fn git() -> Command {
    let mut git = Command::new("git");
    git.arg("--no-pager");
    for setting in CONFIGURATION {
        git.args(["-c", setting]);
    }
    for name in REMOVED.split_whitespace() {
        git.env_remove(name);
    }
    git.envs(ENVIRONMENT.iter().copied());
    git
}

fn run(git: &mut Command, input: &[u8], limit: ByteSize) -> Result<Output, EnvironmentError> {
    output(git, input, limit).map_err(EnvironmentError::run("git"))
}

/// What git printed, unless it failed.
fn checked(command: &str, output: Output) -> Result<Vec<u8>, EnvironmentError> {
    if output.status.success() {
        return Ok(output.stdout);
    }
    Err(EnvironmentError::Failed {
        program: format!("git {command}"),
        message: String::from_utf8_lossy(&output.stderr).trim().to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_read_than_the_limit() {
        let print = |limit| run(git().arg("--version"), b"", ByteSize(limit));
        assert!(print(1000).unwrap().stdout.starts_with(b"git version"));
        let error = print(3).unwrap_err().to_string();
        assert_eq!(error, "cannot run `git`: it prints more than 3 bytes");
    }
}

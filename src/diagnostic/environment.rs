//! Errors caused by the environment rather than the input; they end a run immediately.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::printable::ByteSize;

/// File or stream that cannot be used, which makes the run exit with status 2.
#[derive(Debug)]
pub enum EnvironmentError {
    /// A file, directory or stream that cannot be read.
    Read {
        /// Path as specified by the user, or as found in a directory.
        path: PathBuf,
        error: io::Error,
    },
    /// A file or directory that cannot be written.
    Write {
        /// Path as specified by the user, or as derived by agentctl.
        path: PathBuf,
        error: io::Error,
    },
    /// A program that could not be run, or that failed.
    Failed {
        /// Name of the program and its task.
        program: String,
        message: String,
        /// Command that the user can run instead.
        help: Option<String>,
    },
    /// Standard output or standard error that cannot be written.
    Output(io::Error),
    /// Any other error, as a complete sentence.
    Other(String),
}

impl EnvironmentError {
    /// Returns a function that creates the error for a path that cannot be read.
    pub fn read(path: &Path) -> impl Fn(io::Error) -> Self + Copy {
        move |error| EnvironmentError::Read { path: path.to_owned(), error }
    }

    /// Returns a function that creates the error for a path that cannot be written.
    pub fn write(path: &Path) -> impl Fn(io::Error) -> Self + Copy {
        move |error| EnvironmentError::Write { path: path.to_owned(), error }
    }

    /// Returns a function that creates the error for a program that cannot be run.
    pub fn run(program: &str) -> impl Fn(io::Error) -> Self + Copy {
        move |error| EnvironmentError::Other(format!("cannot run `{program}`: {error}"))
    }

    /// Error for a file that exceeds `--limit file-size`.
    pub fn too_large(path: impl Into<PathBuf>, limit: ByteSize) -> Self {
        let problem = format!("it is larger than {limit}, the limit set by `--limit file-size=SIZE`");
        Self::invalid_content(path, problem)
    }

    /// Error for files that together exceed `--limit input-size`.
    pub fn input_too_large(limit: ByteSize) -> Self {
        let problem = format!("the files are larger than {limit} in total, the limit set by `--limit input-size=SIZE`");
        EnvironmentError::Other(problem)
    }

    /// Error for a file or stream with invalid content.
    pub fn invalid_content(path: impl Into<PathBuf>, problem: impl Into<String>) -> Self {
        EnvironmentError::Read { path: path.into(), error: io::Error::new(io::ErrorKind::InvalidInput, problem.into()) }
    }

    /// Whether the error only means that the reader closed the output, which is not a failure.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, EnvironmentError::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl fmt::Display for EnvironmentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EnvironmentError::Read { path, error } => write!(f, "cannot read `{}`: {error}", path.display()),
            EnvironmentError::Write { path, error } => write!(f, "cannot write `{}`: {error}", path.display()),
            EnvironmentError::Failed { program, message, .. } => write!(f, "`{program}` failed: {message}"),
            EnvironmentError::Output(error) => write!(f, "cannot write the output: {error}"),
            EnvironmentError::Other(problem) => f.write_str(problem),
        }
    }
}

impl std::error::Error for EnvironmentError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_describe_the_failed_operation() {
        let denied = || io::Error::other("denied");
        let a = Path::new("a");
        for (error, expected) in [
            (EnvironmentError::read(a)(denied()), "cannot read `a`: denied"),
            (EnvironmentError::write(a)(denied()), "cannot write `a`: denied"),
            (EnvironmentError::run("git")(denied()), "cannot run `git`: denied"),
            (
                EnvironmentError::too_large("a", ByteSize(3)),
                "cannot read `a`: it is larger than 3 bytes, the limit set by `--limit file-size=SIZE`",
            ),
            (
                EnvironmentError::input_too_large(ByteSize(3)),
                "the files are larger than 3 bytes in total, the limit set by `--limit input-size=SIZE`",
            ),
            (EnvironmentError::invalid_content("a", "it is odd"), "cannot read `a`: it is odd"),
            (EnvironmentError::Output(denied()), "cannot write the output: denied"),
            (
                EnvironmentError::Failed { program: "git log".to_owned(), message: "no".to_owned(), help: None },
                "`git log` failed: no",
            ),
        ] {
            assert_eq!(error.to_string(), expected);
        }
    }

    #[test]
    fn ignores_only_closed_pipes() {
        let closed = || io::Error::from(io::ErrorKind::BrokenPipe);
        for (error, expected) in [
            (EnvironmentError::Output(closed()), true),
            (EnvironmentError::Output(io::Error::other("full")), false),
            (EnvironmentError::read(Path::new("a"))(closed()), false),
        ] {
            assert_eq!(error.is_closed_pipe(), expected, "{error}");
        }
    }
}

//! Trouble with the machine rather than with the input: the one error that ends a run at once.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::byte_size::ByteSize;

/// A file or stream that cannot be used; a run that meets one exits with 2.
#[derive(Debug)]
pub enum EnvironmentError {
    /// A file, directory or stream cannot be read.
    Read {
        /// As it was given or found.
        path: PathBuf,
        error: io::Error,
    },
    /// A file or directory cannot be written.
    Write {
        /// As it was given or derived.
        path: PathBuf,
        error: io::Error,
    },
    /// A file is larger than `--max-file-size` allows.
    TooLarge {
        /// As it was given or found.
        path: PathBuf,
        /// Up to where files are read.
        limit: ByteSize,
    },
    /// The files together are larger than `--max-input-size` allows.
    InputTooLarge {
        /// Up to where they are read.
        limit: ByteSize,
    },
    /// The system does not let changes of files be watched.
    Watch {
        /// The file or directory.
        path: PathBuf,
        error: io::Error,
    },
    /// A program cannot be run.
    Run { program: String, error: io::Error },
    /// A program that was run reports a failure.
    Failed {
        /// Its name, and what it was asked for.
        program: String,
        message: String,
    },
    /// The git repository of the input does not have a revision.
    NoRevision {
        /// As it was given.
        revision: String,
    },
    /// The working directory is not in a git repository.
    NoRepository,
    /// An input that was to be read at a revision belongs to another git repository, or to none.
    OutsideRepository {
        /// As it was given.
        path: PathBuf,
        /// That of the working directory.
        repository: PathBuf,
    },
    /// A file was there at a revision, and its content was never fetched.
    MissingObject {
        /// As it was found.
        path: PathBuf,
        /// As it was given.
        revision: String,
    },
    /// A flag has no effect beside another one.
    Flags(&'static str),
    /// Standard output or standard error cannot be written.
    Output(io::Error),
}

impl EnvironmentError {
    /// The error of a path that cannot be read, for what the system says of it.
    pub fn read(path: &Path) -> impl Fn(io::Error) -> Self + Copy {
        move |error| EnvironmentError::Read {
            path: path.to_owned(),
            error,
        }
    }

    /// The error of a path that cannot be written, for what the system says of it.
    pub fn write(path: &Path) -> impl Fn(io::Error) -> Self + Copy {
        move |error| EnvironmentError::Write {
            path: path.to_owned(),
            error,
        }
    }

    /// The error of a program that cannot be run, for what the system says of it.
    pub fn run(program: &str) -> impl Fn(io::Error) -> Self + Copy {
        move |error| EnvironmentError::Run {
            program: program.to_owned(),
            error,
        }
    }

    /// A file or stream that is not what it must be.
    pub fn unfit(path: impl Into<PathBuf>, problem: impl Into<String>) -> Self {
        EnvironmentError::Read {
            path: path.into(),
            error: io::Error::new(io::ErrorKind::InvalidInput, problem.into()),
        }
    }

    /// Whether the reader of the output went away, which is not an error.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, EnvironmentError::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl From<serde_json::Error> for EnvironmentError {
    /// A result that cannot be written as JSON.
    fn from(error: serde_json::Error) -> Self {
        EnvironmentError::Output(error.into())
    }
}

impl fmt::Display for EnvironmentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EnvironmentError::Read { path, error } => write!(f, "cannot read `{}`: {error}", path.display()),
            EnvironmentError::Write { path, error } => write!(f, "cannot write `{}`: {error}", path.display()),
            EnvironmentError::TooLarge { path, limit } => {
                write!(
                    f,
                    "cannot read `{}`: it is larger than {limit}, the limit that `--max-file-size` sets",
                    path.display()
                )
            }
            EnvironmentError::InputTooLarge { limit } => {
                write!(
                    f,
                    "the files together are larger than {limit}, the limit that `--max-input-size` sets"
                )
            }
            EnvironmentError::Watch { path, error } => write!(f, "cannot watch `{}`: {error}", path.display()),
            EnvironmentError::Run { program, error } => write!(f, "cannot run `{program}`: {error}"),
            EnvironmentError::Failed { program, message } => write!(f, "`{program}` failed: {message}"),
            EnvironmentError::NoRevision { revision } => {
                write!(
                    f,
                    "revision `{revision}` not found; where the clone is shallow, fetch it first"
                )
            }
            EnvironmentError::NoRepository => {
                write!(
                    f,
                    "`--since` reads a git repository, and the working directory is not in one"
                )
            }
            EnvironmentError::OutsideRepository { path, repository } => {
                write!(
                    f,
                    "`--since` reads the git repository `{}`, and `{}` is not in it; run agentctl in the repository of the input",
                    repository.display(),
                    path.display()
                )
            }
            EnvironmentError::MissingObject { path, revision } => {
                write!(
                    f,
                    "the clone lacks `{}` of `{revision}`, and agentctl does not fetch it; clone without `--filter`",
                    path.display()
                )
            }
            EnvironmentError::Flags(problem) => f.write_str(problem),
            EnvironmentError::Output(error) => write!(f, "cannot write the output: {error}"),
        }
    }
}

impl std::error::Error for EnvironmentError {}

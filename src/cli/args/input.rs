//! The flags for inputs, and for limits on them.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use clap::builder::RangedU64ValueParser;

use crate::byte_size::ByteSize;
use crate::cli::outcome::Outcome;
use crate::environment::EnvironmentError;
use crate::input::{Input, MAX_FILE_SIZE, MAX_INPUT_SIZE, Reach, Reading};
use crate::yaml::Limits;

/// Files, directories and standard input, positional or as kubectl takes them.
#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct InputArgs {
    /// Files, directories, or - for standard input [default: .]
    #[arg(value_name = "PATH", help_heading = None::<&str>, value_hint = clap::ValueHint::AnyPath)]
    paths: Vec<OsString>,

    #[command(flatten)]
    flags: WholeInputArgs,
}

impl InputArgs {
    /// Only this path.
    pub(in crate::cli) fn only(path: OsString) -> Self {
        Self {
            paths: vec![path],
            flags: WholeInputArgs::default(),
        }
    }

    /// Whether one was given.
    pub(in crate::cli) fn is_given(&self) -> bool {
        !self.paths.is_empty() || self.flags.is_given()
    }

    /// The inputs in the order in which they are read.
    pub(in crate::cli) fn inputs(&self) -> Vec<Input> {
        self.flags.inputs_with(&self.paths)
    }
}

/// The whole input, where a command's own arguments say what it is asked about.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Input")]
pub(in crate::cli) struct WholeInputArgs {
    /// File, directory or - [default: .]
    ///
    /// - is standard input. The flag may be repeated.
    #[arg(short, long, value_name = "PATH", value_hint = clap::ValueHint::AnyPath)]
    filename: Vec<OsString>,

    /// Read what kustomize builds from this directory
    ///
    /// Runs `kustomize build` or `kubectl kustomize`, whichever is installed. kustomize fetches the remote bases of the
    /// kustomization, so use it for kustomizations that you trust. agentctl.yaml cannot set this flag.
    #[arg(short, long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    kustomize: Option<PathBuf>,

    /// Accepted as in kubectl; directories are always read recursively
    #[arg(short = 'R', long, hide_short_help = true)]
    recursive: bool,
}

impl WholeInputArgs {
    /// Whether it was given.
    pub(in crate::cli) fn is_given(&self) -> bool {
        !self.filename.is_empty() || self.kustomize.is_some()
    }

    /// The inputs in the order in which they are read.
    pub(in crate::cli) fn inputs(&self) -> Vec<Input> {
        self.inputs_with(&[])
    }

    /// The same, with more of them that another argument names. Where there are none, the working directory.
    pub(in crate::cli) fn inputs_with(&self, more: &[OsString]) -> Vec<Input> {
        let built = self.kustomize.clone().map(Input::Kustomization);
        let named = more.iter().chain(&self.filename).cloned().map(Input::from);
        let all: Vec<_> = built.into_iter().chain(named).collect();
        match all.is_empty() {
            true => vec![Input::Path(PathBuf::from("."))],
            false => all,
        }
    }
}

/// The other side of a comparison.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Input")]
pub(in crate::cli) struct AgainstArgs {
    /// File, directory or - to compare with
    #[arg(long, value_name = "PATH", value_hint = clap::ValueHint::AnyPath)]
    against: OsString,
}

impl AgainstArgs {
    /// The argument.
    pub(in crate::cli) fn path(&self) -> OsString {
        self.against.clone()
    }
}

/// The input at a path that is compared with others. Standard input cannot be on both sides.
pub(in crate::cli) fn other_side(path: OsString, inputs: &[Input]) -> Outcome<Input> {
    match Input::from(path) {
        Input::Stdin if inputs.contains(&Input::Stdin) => {
            Err(EnvironmentError::unfit("-", "both sides cannot come from standard input").into())
        }
        input => Ok(input),
    }
}

/// The deepest nesting that can be asked for: as much as every stage can take on the stack of its thread.
const DEEPEST: u64 = 1000;

/// Bounds on the input. All of them can be raised; none of them can be turned off.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Limits")]
pub(in crate::cli) struct LimitArgs {
    /// Maximum size of a file or of standard input, at most 4GiB
    #[arg(long, hide_short_help = true, value_name = "SIZE", default_value_t = MAX_FILE_SIZE)]
    max_file_size: ByteSize,

    /// Maximum size of all files and standard input together
    #[arg(long, hide_short_help = true, value_name = "SIZE", default_value_t = MAX_INPUT_SIZE)]
    max_input_size: ByteSize,

    /// Maximum size of a document
    #[arg(long, hide_short_help = true, value_name = "SIZE", default_value_t = Limits::default().max_document_size)]
    max_document_size: ByteSize,

    /// Maximum number of documents in a file
    #[arg(long, hide_short_help = true, value_name = "NUMBER", default_value_t = Limits::default().max_documents)]
    max_documents: usize,

    /// Maximum number of keys, values, lists and mappings in a file
    #[arg(long, hide_short_help = true, value_name = "NUMBER", default_value_t = Limits::default().max_nodes)]
    max_nodes: usize,

    /// Maximum nesting depth of YAML, at most 1000
    #[arg(long, hide_short_help = true, value_name = "NUMBER", default_value_t = Limits::default().max_depth, value_parser = RangedU64ValueParser::<usize>::new().range(1..=DEEPEST))]
    max_depth: usize,

    /// Maximum number of nodes that aliases add to a file
    #[arg(long, hide_short_help = true, value_name = "NUMBER", default_value_t = Limits::default().max_alias_expansion)]
    max_alias_expansion: usize,

    /// Restrict where symbolic links in the input may point
    #[arg(
        long,
        hide_short_help = true,
        value_name = "MODE",
        default_value = "root-only",
        help_heading = "Input"
    )]
    load_restrictor: Reach,
}

impl LimitArgs {
    /// Limits on what is read, and from where.
    pub(in crate::cli) fn reading(&self) -> Reading {
        Reading {
            max_file_size: self.max_file_size,
            max_input_size: self.max_input_size,
            reach: self.load_restrictor.clone(),
        }
    }

    /// Limits on a text.
    pub(in crate::cli) fn limits(&self) -> Limits {
        Limits {
            max_depth: self.max_depth,
            max_alias_expansion: self.max_alias_expansion,
            max_document_size: self.max_document_size,
            max_documents: self.max_documents,
            max_nodes: self.max_nodes,
        }
    }
}

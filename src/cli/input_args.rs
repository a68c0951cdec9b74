//! Which files are read, and how much of them.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::byte_size::ByteSize;
use crate::input::{Input, MAX_FILE_SIZE, Reach, Reading};
use crate::yaml::Limits;

/// Files, directories and standard input, positional or as kubectl takes them.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Input")]
pub(super) struct InputArgs {
    /// Files, directories, or - for standard input [default: .]
    #[arg(value_name = "PATH", help_heading = None::<&str>, value_hint = clap::ValueHint::AnyPath)]
    paths: Vec<OsString>,

    /// File, directory or -; may be repeated
    #[arg(short, long, value_name = "PATH", value_hint = clap::ValueHint::AnyPath)]
    filename: Vec<OsString>,

    /// Read what kustomize builds of this directory, as in kubectl
    ///
    /// Runs `kustomize build` or `kubectl kustomize`, whichever is installed. agentctl.yaml cannot set this.
    #[arg(short, long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    kustomize: Option<PathBuf>,

    /// Accepted as in kubectl; directories are always read recursively
    #[arg(short = 'R', long, hide_short_help = true)]
    recursive: bool,
}

impl InputArgs {
    /// The inputs in the order in which they are read.
    pub(super) fn inputs(&self) -> Vec<Input> {
        let named = self.paths.iter().chain(&self.filename).cloned().map(Input::from);
        or_here(
            self.kustomize
                .clone()
                .map(Input::Kustomization)
                .into_iter()
                .chain(named),
        )
    }
}

/// The inputs, or the working directory where none is named.
fn or_here(named: impl Iterator<Item = Input>) -> Vec<Input> {
    let named: Vec<_> = named.collect();
    match named.is_empty() {
        true => vec![Input::Path(PathBuf::from("."))],
        false => named,
    }
}

/// Where the whole input is.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Input")]
pub(super) struct WholeInputArgs {
    /// The whole input: file, directory or -; may be repeated [default: .]
    #[arg(short, long, value_name = "PATH", value_hint = clap::ValueHint::AnyPath)]
    filename: Vec<OsString>,

    /// Accepted as in kubectl; directories are always read recursively
    #[arg(short = 'R', long, hide_short_help = true)]
    recursive: bool,
}

impl WholeInputArgs {
    /// Whether it was given.
    pub(super) fn is_given(&self) -> bool {
        !self.filename.is_empty()
    }

    /// The inputs in the order in which they are read.
    pub(super) fn inputs(&self) -> Vec<Input> {
        self.inputs_with(&[])
    }

    /// The same, with more of them that another argument names.
    pub(super) fn inputs_with(&self, more: &[OsString]) -> Vec<Input> {
        or_here(more.iter().chain(&self.filename).cloned().map(Input::from))
    }
}

/// The deepest nesting that can be asked for: as much as every stage can take on the stack of its thread.
const DEEPEST: usize = 1000;

/// Bounds on the input. All of them can be raised; none of them can be turned off.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Limits")]
pub(super) struct LimitArgs {
    /// Maximum size of a file or of standard input, at most 4GiB
    #[arg(long, hide_short_help = true, value_name = "SIZE", default_value_t = MAX_FILE_SIZE)]
    max_file_size: ByteSize,

    /// Maximum size of a document
    #[arg(long, hide_short_help = true, value_name = "SIZE", default_value_t = Limits::default().max_document_size)]
    max_document_size: ByteSize,

    /// Maximum number of documents in a file
    #[arg(long, hide_short_help = true, value_name = "NUMBER", default_value_t = Limits::default().max_documents)]
    max_documents: usize,

    /// Maximum nesting depth of YAML, at most 1000
    #[arg(long, hide_short_help = true, value_name = "NUMBER", default_value_t = Limits::default().max_depth, value_parser = depth)]
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
    load_restrictor: LoadRestrictor,
}

/// Where links may lead, in kustomize's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum LoadRestrictor {
    /// A link that leads out of the repository, or into its .git, is an error
    #[value(alias = "LoadRestrictionsRootOnly")]
    RootOnly,
    /// Links are followed anywhere; only for input that you trust
    #[value(alias = "LoadRestrictionsNone")]
    None,
}

fn depth(text: &str) -> Result<usize, String> {
    let depth = text.parse().ok().filter(|depth| (1..=DEEPEST).contains(depth));
    depth.ok_or_else(|| format!("expected a number from 1 to {DEEPEST}"))
}

impl LimitArgs {
    /// How much is read, and from where.
    pub(super) fn reading(&self) -> Reading {
        Reading {
            max_file_size: self.max_file_size,
            reach: match self.load_restrictor {
                LoadRestrictor::RootOnly => Reach::Named,
                LoadRestrictor::None => Reach::Anywhere,
            },
        }
    }

    /// How much of a text is read.
    pub(super) fn limits(&self) -> Limits {
        Limits {
            max_depth: self.max_depth,
            max_alias_expansion: self.max_alias_expansion,
            max_document_size: self.max_document_size,
            max_documents: self.max_documents,
        }
    }
}

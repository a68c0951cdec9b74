//! Flags for inputs and for limits on them.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::outcome::Outcome;
use crate::diagnostic::EnvironmentError;
use crate::flags::Effect::{Bounded, Lowers};
use crate::flags::limit::{self, Limit};
use crate::flags::{CommandLineOnly, UnusedBy};
use crate::gitops::cluster_named;
use crate::input::kustomize::is_kustomization;
use crate::input::{FollowLimits, Input, LoadRestrictor, OwnSource, ReadLimits};
use crate::printable::ByteSize;
use crate::yaml::Limits;

/// Files, directories and standard input, as arguments or with kubectl's flags.
#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct InputArgs {
    /// Files, directories, or - for standard input [default: .]
    #[arg(value_name = "PATH", help_heading = None::<&str>, value_hint = clap::ValueHint::AnyPath)]
    paths: Vec<OsString>,

    #[command(flatten)]
    flags: WholeInputArgs,
}

impl InputArgs {
    /// Creates an input with a single path.
    pub(in crate::cli) fn from_path(path: OsString) -> Self {
        Self { paths: vec![path], flags: WholeInputArgs::default() }
    }

    /// Whether an input is given.
    pub(in crate::cli) fn is_given(&self) -> bool {
        !self.paths.is_empty() || self.flags.is_given()
    }

    /// Returns the inputs in the order in which they are read.
    pub(in crate::cli) fn inputs(&self) -> Vec<Input> {
        self.flags.inputs_with(&self.paths)
    }
}

/// Input flags for commands whose own arguments select resources.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Input")]
pub(in crate::cli) struct WholeInputArgs {
    /// File, directory or - [default: .]
    ///
    /// - is standard input. The flag may be repeated.
    #[arg(short, long, value_name = "PATH", value_hint = clap::ValueHint::AnyPath)]
    filename: Vec<OsString>,

    /// Read kustomize's output for this directory
    ///
    /// Runs `kustomize build` or `kubectl kustomize`, whichever is installed. Remote bases are fetched only with
    /// --allow-remote-bases. agentctl.yaml cannot set this flag. If it is repeated, or followed by several directories
    /// (`-k overlays/*`), `check` gives one result per overlay; other commands read all overlays as one input.
    #[arg(short, long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    kustomize: Vec<PathBuf>,

    /// Accepted for compatibility with kubectl: directories are always read recursively
    #[arg(short = 'R', long, hide_short_help = true)]
    recursive: bool,
}

impl WholeInputArgs {
    /// Whether an input is given.
    pub(in crate::cli) fn is_given(&self) -> bool {
        !self.filename.is_empty() || !self.kustomize.is_empty()
    }

    /// Returns the inputs in the order in which they are read.
    pub(in crate::cli) fn inputs(&self) -> Vec<Input> {
        self.inputs_with(&[])
    }

    /// Returns the inputs and the paths in `more_paths`, or the working directory if there are none. The name of a
    /// cluster stands for its entry point.
    pub(in crate::cli) fn inputs_with(&self, more_paths: &[OsString]) -> Vec<Input> {
        let kustomizations = self.kustomize.iter().cloned().map(Input::Kustomization);
        // The shell expands `-k overlays/*` to several words, and only the first one belongs to the flag.
        let is_overlay = |path: &Path| !self.kustomize.is_empty() && is_kustomization(path);
        let more_paths = more_paths.iter().map(|path| match Path::new(path) {
            overlay if is_overlay(overlay) => Input::Kustomization(overlay.to_owned()),
            _ => named_input(path),
        });
        let named_inputs = self.filename.iter().map(|path| named_input(path));
        let all_inputs: Vec<_> = kustomizations.chain(more_paths).chain(named_inputs).collect();
        match all_inputs.is_empty() {
            true => vec![Input::Path(PathBuf::from("."))],
            false => all_inputs,
        }
    }
}

/// Returns the input at a path. If it does not exist but is the name of a cluster, the input is its entry point.
fn named_input(path: &OsStr) -> Input {
    match path.to_str().filter(|text| *text != "-" && !Path::new(text).exists()).and_then(cluster_named) {
        Some(entry) => Input::Path(entry),
        None => Input::from(path.to_owned()),
    }
}

/// Effect of `--against` in `agentctl.yaml`.
pub(in crate::cli) const AGAINST: &str = "`diff` compares with another file in the repository";

/// Flag for the other side of a comparison.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Input")]
pub(in crate::cli) struct AgainstArgs {
    /// File, directory or - to compare with
    #[arg(long, value_name = "PATH", value_hint = clap::ValueHint::AnyPath, add = Bounded(AGAINST))]
    against: OsString,
}

impl AgainstArgs {
    pub(in crate::cli) fn path(&self) -> OsString {
        self.against.clone()
    }
}

/// Returns the input at `path`, which is compared with `inputs`. Standard input cannot be used on both sides.
pub(in crate::cli) fn other_side(path: OsString, inputs: &[Input]) -> Outcome<Input> {
    match Input::from(path) {
        Input::Stdin if inputs.contains(&Input::Stdin) => {
            Err(EnvironmentError::invalid_content("-", "only one side can come from standard input").into())
        }
        input => Ok(input),
    }
}

/// Limits set with `--limit NAME=VALUE`.
#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct LimitSettings {
    /// Set a limit: shards, jobs, output-size, file-size, …; may be repeated
    #[arg(long, hide_short_help = true, value_name = "NAME=VALUE,…", value_delimiter = ',', value_parser = limit::setting, long_help = limit::long_help(), help_heading = "Limits", add = Lowers)]
    limit: Vec<limit::LimitSetting>,
}

impl LimitSettings {
    /// Returns the limits on following an entry point.
    pub(in crate::cli) fn follow_limits(&self) -> FollowLimits {
        FollowLimits {
            max_files: self.count(Limit::RepositoryFiles),
            max_builds: self.count(Limit::Builds),
            max_objects: self.count(Limit::BuiltObjects),
            max_seconds: limit::value(&self.limit, Limit::BuildTime),
        }
    }

    fn size(&self, limit: Limit) -> ByteSize {
        ByteSize(limit::value(&self.limit, limit))
    }

    fn count(&self, limit: Limit) -> usize {
        usize::try_from(limit::value(&self.limit, limit)).unwrap_or(usize::MAX)
    }
}

/// Limits on the input. Each can be raised, but not turned off.
#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct LimitArgs {
    #[command(flatten)]
    settings: LimitSettings,

    /// Restrict where symbolic links in the input may point
    #[arg(
        long,
        hide_short_help = true,
        value_name = "MODE",
        default_value = "root-only",
        help_heading = "Input",
        add = CommandLineOnly, add = UnusedBy(&[("krm", "it reads one document from standard input")])
    )]
    load_restrictor: LoadRestrictor,

    /// Let kustomize fetch the URLs and Git repositories that kustomizations refer to
    #[arg(
        long,
        hide_short_help = true,
        help_heading = "Input",
        add = CommandLineOnly, add = UnusedBy(&[("krm", "it reads one document from standard input")])
    )]
    allow_remote_bases: bool,

    /// Read directories as they are, even if they contain Flux or Argo CD objects
    ///
    /// By default, a directory or file with Flux Kustomizations that lead to other paths of its repository is followed,
    /// and what is checked is what the cluster receives.
    #[arg(long, hide_short_help = true, help_heading = "Input", add = CommandLineOnly, add = UnusedBy(&[("krm", "it reads one document from standard input")]))]
    no_follow: bool,

    #[command(flatten)]
    sources: SourceArgs,
}

/// Flux sources that are read from this repository.
#[derive(Clone, Debug, Default, Args)]
pub(in crate::cli) struct SourceArgs {
    /// Read a Flux source from a directory in the repository: KIND/NAMESPACE/NAME=DIR; may be repeated
    ///
    /// By default, a source is this repository if its address is that of a git remote, or if it is not defined and its
    /// paths exist here. DIR is relative to the root of the repository; it is empty for the root itself.
    #[arg(
        long,
        hide_short_help = true,
        value_name = "SOURCE=DIR",
        help_heading = "Input",
        add = CommandLineOnly, add = UnusedBy(&[("krm", "it reads one document from standard input")])
    )]
    source: Vec<OwnSource>,
}

impl SourceArgs {
    /// Returns the Flux sources that are read from this repository.
    pub(in crate::cli) fn own_sources(&self) -> Vec<OwnSource> {
        self.source.clone()
    }
}

impl LimitArgs {
    /// Returns the limits on files to read, and the restrictions on their locations.
    pub(in crate::cli) fn reading(&self) -> ReadLimits {
        ReadLimits {
            max_file_size: self.settings.size(Limit::FileSize),
            max_input_size: self.settings.size(Limit::InputSize),
            reach: self.load_restrictor.clone(),
            allows_remote: self.allow_remote_bases,
            follows: !self.no_follow,
            own_sources: self.sources.own_sources(),
            following: self.settings.follow_limits(),
        }
    }

    /// Returns the limits on a single source.
    pub(in crate::cli) fn limits(&self) -> Limits {
        Limits {
            max_depth: self.settings.count(Limit::Depth),
            max_alias_expansion: self.settings.count(Limit::AliasExpansion),
            max_alias_size: limit::last_value(&self.settings.limit, Limit::AliasSize).map(ByteSize),
            max_document_size: self.settings.size(Limit::DocumentSize),
            max_documents: self.settings.count(Limit::Documents),
            max_nodes: self.settings.count(Limit::Nodes),
        }
    }

    /// Returns the maximum number of scrape jobs, or `None` if it depends on the input.
    pub(super) fn jobs(&self) -> Option<u64> {
        limit::last_value(&self.settings.limit, Limit::Jobs)
    }

    /// Returns the maximum number of shards per agent.
    pub(super) fn shards(&self) -> i32 {
        i32::try_from(limit::value(&self.settings.limit, Limit::Shards)).unwrap_or(i32::MAX)
    }

    /// Returns the maximum total size of all manifests.
    pub(super) fn output_size(&self) -> ByteSize {
        self.settings.size(Limit::OutputSize)
    }
}

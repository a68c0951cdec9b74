//! Which files are read.

use std::ffi::OsString;

use clap::Args;

use crate::source::Input;

/// Files, directories and standard input, positional or as kubectl takes them.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Input")]
pub(super) struct InputArgs {
    /// Files, directories (walked for *.yaml, *.yml and *.json), or - for standard input
    #[arg(value_name = "PATH", required_unless_present = "filename", help_heading = None::<&str>, value_hint = clap::ValueHint::AnyPath)]
    paths: Vec<OsString>,

    /// The same, as kubectl takes it; may be repeated
    #[arg(short, long, value_name = "PATH", value_hint = clap::ValueHint::AnyPath)]
    filename: Vec<OsString>,

    /// Accepted because kubectl has it: directories are always walked
    #[arg(short = 'R', long)]
    recursive: bool,
}

impl InputArgs {
    /// The inputs in the order in which they are read.
    pub(super) fn inputs(&self) -> Vec<Input> {
        let all = self.paths.iter().chain(&self.filename);
        all.cloned().map(Input::from).collect()
    }
}

//! `agentctl aggregate render`: the manifests with everything in them.

use std::path::{Path, PathBuf};

use clap::Args;

use super::input::AggregateInput;
use crate::aggregate::{Registry, manifests};
use crate::cli::ExitStatus;
use crate::cli::session::Session;
use crate::diagnostic::Diagnostic;
use crate::emit::{Directory, Format, empty_render, write_stream};
use crate::environment::EnvironmentError;

/// What `aggregate render` owns in a directory; `render` has a list of its own.
const LIST: &str = ".agentctl-aggregate-files";

/// Write the APIServices and ExternalNames with their defaults, remote services expanded
///
/// ExternalNames come first, then APIServices, each by namespace and name. What a server adds (status, uid and the
/// like) is left out; core Services are read, not written. Nothing is written where there is an error.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl aggregate render apiservices/ -o json
  agentctl aggregate render --remote-services remote-services.yaml --ca-bundle ca.crt --output-dir rendered/")]
pub(super) struct RenderArgs {
    #[command(flatten)]
    input: AggregateInput,

    /// Format of manifests
    #[arg(short, long, value_name = "FORMAT", default_value = "yaml", help_heading = "Output")]
    output: Format,

    /// Write one file per object into this directory
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath, help_heading = "Output")]
    output_dir: Option<PathBuf>,

    /// Succeed even if nothing is rendered; applying an empty output may delete everything
    #[arg(long, help_heading = "Output")]
    allow_empty: bool,
}

impl RenderArgs {
    pub(super) fn run(&self, session: &Session) -> Result<ExitStatus, EnvironmentError> {
        let written = self.input.compile_checked(
            session,
            |registry| self.check_empty(registry),
            |registry| {
                let manifests = manifests(registry);
                match self.output_dir.as_deref().filter(|path| *path != Path::new("-")) {
                    Some(path) => {
                        let written = Directory::new(path, LIST, self.output).plan(&manifests)?.write()?;
                        session.note_written(path, written);
                        Ok(())
                    }
                    None => session.write(|out| write_stream(&manifests, self.output, out)),
                }
            },
        )?;
        Ok(written.map_or(ExitStatus::Findings, |()| ExitStatus::Success))
    }

    fn check_empty(&self, registry: &Registry<'_>) -> Option<Diagnostic> {
        let empty = registry.is_empty() && !self.allow_empty;
        empty.then(|| empty_render("`APIService`, `ExternalName` or remote service", &[]))
    }
}

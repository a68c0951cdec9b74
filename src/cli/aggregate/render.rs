//! `agentctl aggregate render`: the manifests with everything in them.

use clap::Args;

use super::input::AggregateInput;
use crate::aggregate::{Registry, manifests};
use crate::cli::ExitStatus;
use crate::cli::output_args::OutputArgs;
use crate::cli::session::Session;
use crate::diagnostic::Diagnostic;
use crate::emit::empty_render;
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

    #[command(flatten)]
    output: OutputArgs,

    /// Succeed even if nothing is rendered; applying an empty output may delete everything
    #[arg(long, hide_short_help = true, help_heading = "Output")]
    allow_empty: bool,
}

impl RenderArgs {
    pub(super) fn run(&self, session: &Session) -> Result<ExitStatus, EnvironmentError> {
        let written = self.input.compile_checked(
            session,
            |registry| self.check_empty(registry),
            |registry| self.output.write(LIST, &manifests(registry), session),
        )?;
        Ok(written.map_or(ExitStatus::Findings, |()| ExitStatus::Success))
    }

    fn check_empty(&self, registry: &Registry<'_>) -> Option<Diagnostic> {
        let empty = registry.is_empty() && !self.allow_empty;
        empty.then(|| empty_render("`APIService`, `ExternalName` or remote service", &[]))
    }
}

//! `agentctl check`: every mistake, without rendering.

use clap::Args;

use super::ExitStatus;
use super::at::{At, at};
use super::compile_args::CompileArgs;
use super::input_args::InputArgs;
use super::session::Session;
use super::severity_args::SeverityArgs;
use crate::compile::compile;
use crate::diagnostic::{Code, has_errors};
use crate::emit::empty_check;
use crate::environment::EnvironmentError;
use crate::input::load;
use crate::printable::counted;
use crate::report::MessageFormat;
use crate::severity::Policy;

/// Find every mistake in the resources without writing manifests
///
/// Findings go to standard output. In the formats human and short, a last line counts them. `agentctl validate` and
/// `agentctl lint` are the same command.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl check manifests/
  agentctl check manifests/ -o short
  agentctl check manifests/ -o sarif > agentctl.sarif
  agentctl check agent.yaml --validate=strict
  agentctl check manifests/ --deny warnings --allow paused-agent
  agentctl check apiservices/ --at now

Exit status:
  0  success, perhaps with warnings
  1  the input has errors, or nothing to check
  2  wrong usage, or a file that cannot be read")]
pub(super) struct CheckArgs {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    compile: CompileArgs,

    #[command(flatten)]
    policy: SeverityArgs,

    /// Format of findings, as --message-format
    #[arg(
        short,
        long,
        value_name = "FORMAT",
        conflicts_with = "message_format",
        help_heading = "Findings",
        help = "Format"
    )]
    output: Option<MessageFormat>,

    /// Succeed even if there is nothing to check
    #[arg(long, help_heading = "Findings", hide_short_help = true)]
    allow_empty: bool,

    /// Check that CA bundles of APIServices are valid at this time
    ///
    /// YYYY-MM-DD, a time such as 2026-03-01T12:00:00Z, or now.
    #[arg(long, value_name = "DATE", value_parser = at, help_heading = "Compilation", hide_short_help = true)]
    at: Option<At>,
}

impl CheckArgs {
    /// The format of findings that it names itself.
    pub(super) fn message_format(&self) -> Option<MessageFormat> {
        self.output
    }

    pub(super) fn run(&self, session: &Session) -> Result<ExitStatus, EnvironmentError> {
        let progress = session.progress("reading");
        let loaded = load(&self.input.inputs(), &self.compile.reading())?;
        progress.step("compiling");
        let (mut sources, mut diagnostics) = (loaded.output, loaded.diagnostics);
        let files = sources.iter().count();
        let policy = self.policy.policy(Policy::default(), session, &mut sources);
        let policy = policy.report_to(&mut diagnostics);
        let mut options = self.compile.for_findings().options();
        options.at = self.at.map(At::time);
        let bundle = compile(&sources, &options).report_to(&mut diagnostics);
        let mut diagnostics = policy.apply(diagnostics, &bundle.allowances);
        if self.allow_empty {
            diagnostics.retain(|diagnostic| diagnostic.code != Code::NoInput);
        } else if bundle.compiled == 0 && !has_errors(&diagnostics) {
            diagnostics.push(empty_check(&bundle.commands));
        }
        drop(progress);
        let (resources, files) = (counted(bundle.resources, "resource"), counted(files, "file"));
        let done = format!("checked {resources} in {files}");
        let status = session.report_result(&diagnostics, &sources, &done)?;
        session.note_skipped(bundle.skipped);
        session.note_unrendered(&diagnostics);
        Ok(status)
    }
}

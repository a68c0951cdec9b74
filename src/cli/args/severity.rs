//! Flags that set severity levels for codes.

use clap::Args;

use crate::cli::command_line::RunSettings;
use crate::cli::completion;
use crate::cli::session::Session;
use crate::diagnostic::severity::{Exception, Policy, Setting, SeverityLevel, SeveritySubject};
use crate::diagnostic::{Diagnostic, Warned};
use crate::source::Sources;

/// Severity flags; they override `agentctl.yaml`.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Findings")]
pub(in crate::cli) struct SeverityArgs {
    /// Report findings with this code as errors
    ///
    /// `warnings` stands for all warnings.
    #[arg(long, value_name = "CODE,…", value_delimiter = ',', value_parser = at_level(SeverityLevel::Deny), add = completion::severities(false))]
    deny: Vec<Setting>,

    /// Report findings with this code as warnings; --deny takes precedence
    #[arg(long, hide_short_help = true, value_name = "CODE,…", value_delimiter = ',', value_parser = at_level(SeverityLevel::Warn), add = completion::severities(true))]
    warn: Vec<Setting>,

    /// Do not report findings with this code
    #[arg(long, value_name = "CODE,…", value_delimiter = ',', value_parser = at_level(SeverityLevel::Allow), add = completion::severities(true))]
    allow: Vec<Setting>,
}

/// Returns a parser for a code whose findings are reported at `level`.
fn at_level(level: SeverityLevel) -> impl Fn(&str) -> Result<Setting, String> + Clone {
    move |name| Setting::parse(name, level).map_err(invalid_code_message)
}

/// Returns the error message for an invalid code on the command line.
pub(in crate::cli) fn invalid_code_message(diagnostic: Box<Diagnostic>) -> String {
    format!("{}; {}", diagnostic.message, diagnostic.help.unwrap_or_default())
}

impl SeverityArgs {
    /// Whether `--deny warnings` overrides the file's settings for individual codes, which it does unless the command
    /// line chooses or trusts the file.
    fn overrides(&self, file: &RunSettings) -> bool {
        !file.is_trusted && self.deny.iter().any(|setting| setting.subject == SeveritySubject::Warnings)
    }

    /// Adds the file's exceptions, except for codes that the command line denies.
    fn add_exceptions(&self, file: &RunSettings, policy: &mut Policy, sources: &Sources) {
        let is_denied = |exception: &&Exception| {
            let code = SeveritySubject::Code(exception.code);
            self.overrides(file) || self.deny.iter().any(|setting| setting.subject == code)
        };
        let Some((id, _)) = sources.iter().last() else { return };
        for exception in file.settings.exceptions.iter().filter(|exception| !is_denied(exception)) {
            let mut exception = exception.clone();
            exception.place.source = id;
            policy.add_exception(exception, sources);
        }
    }

    /// Adds the file's settings, and then the flags, to `policy`. Also adds the file to the sources, so that mistakes
    /// in it can be shown.
    pub(in crate::cli) fn policy(
        &self,
        mut policy: Policy,
        session: &Session,
        sources: &mut Sources,
    ) -> Warned<Policy> {
        let mut diagnostics = Vec::new();
        if let Some(file) = session.settings() {
            let is_overridden = self.overrides(file);
            let severity = file.settings.severity.iter();
            let severity = severity.filter(|setting| !is_overridden || setting.level == SeverityLevel::Deny);
            severity.for_each(|&setting| policy.set(setting));
            diagnostics.extend(file.add_to(sources));
            self.add_exceptions(file, &mut policy, sources);
            if file.settings.may_except_more && !is_overridden {
                policy.keep_fixed_only();
            }
        }
        let flags = self.allow.iter().chain(&self.warn).chain(&self.deny);
        flags.for_each(|&setting| policy.set(setting));
        for setting in &self.deny {
            if let SeveritySubject::Code(code) = setting.subject {
                policy.deny_everywhere(code);
            }
        }
        Warned { output: policy, diagnostics }
    }
}

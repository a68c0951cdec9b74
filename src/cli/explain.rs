//! `agentctl explain`: what a code means.

use clap::Args;
use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser;

use super::ExitStatus;
use super::completion;
use super::session::Session;
use crate::diagnostic::Code;
use crate::environment::EnvironmentError;

/// Say what the code of a diagnostic means, or list all codes
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl explain
  agentctl explain duplicate-resource")]
pub(super) struct ExplainArgs {
    /// The code, as it stands in brackets in a diagnostic
    #[arg(value_name = "CODE", value_parser = code_parser(), hide_possible_values = true, add = completion::codes())]
    code: Option<Code>,
}

fn code_parser() -> impl TypedValueParser<Value = Code> {
    let names = Code::ALL.iter().map(|code| code.as_str());
    PossibleValuesParser::new(names).try_map(|name| {
        let code = Code::ALL.iter().find(|code| code.as_str() == name);
        code.copied().ok_or("no such code")
    })
}

impl ExplainArgs {
    pub(super) fn run(&self, session: &Session) -> Result<ExitStatus, EnvironmentError> {
        let text = match self.code {
            Some(code) => page(code),
            None => list(),
        };
        session.print(&text)?;
        Ok(ExitStatus::Success)
    }
}

fn page(code: Code) -> String {
    format!(
        "{}[{code}]{}\n\n{}\n\n{}",
        code.severity().as_str(),
        severity_note(code),
        code.summary(),
        code.page()
    )
}

/// How the severity may differ.
fn severity_note(code: Code) -> &'static str {
    if code.is_late() {
        ", a warning of `render` unless it is strict"
    } else if code.can_be_lowered() {
        ""
    } else {
        ", which cannot be allowed"
    }
}

fn list() -> String {
    let width = Code::ALL
        .iter()
        .map(|code| code.as_str().len())
        .max()
        .unwrap_or_default();
    let line = |code: &Code| {
        format!(
            "{:width$}  {:7}  {}\n",
            code.as_str(),
            code.severity().as_str(),
            code.summary()
        )
    };
    Code::ALL.iter().map(line).collect()
}

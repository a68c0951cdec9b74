//! `agentctl explain`: what a code means.

use std::ffi::OsStr;

use clap::Args;
use clap::builder::{PossibleValue, TypedValueParser};

use super::ExitStatus;
use super::completion;
use super::session::Session;
use crate::diagnostic::Code;
use crate::environment::EnvironmentError;
use crate::policy::{Level, Setting, SettingError, Subject};

/// Explain the code of a finding, or list all codes
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl explain
  agentctl explain duplicate-resource")]
pub(super) struct ExplainArgs {
    /// The code in the brackets of a finding
    #[arg(value_name = "CODE", value_parser = CodeParser, hide_possible_values = true, add = completion::codes())]
    code: Option<Code>,
}

/// Reads a code as `--allow` does, so that an error names the nearest one and not all of them; the scripts for shells have
/// all.
#[derive(Clone)]
struct CodeParser;

impl TypedValueParser for CodeParser {
    type Value = Code;

    fn parse_ref(&self, command: &clap::Command, arg: Option<&clap::Arg>, value: &OsStr) -> Result<Code, clap::Error> {
        code.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Code::ALL.iter().map(|code| PossibleValue::new(code.as_str()))))
    }
}

fn code(name: &str) -> Result<Code, SettingError> {
    match Setting::parse(name, Level::Deny)?.subject {
        Subject::Code(code) => Ok(code),
        Subject::Warnings => Err(SettingError::UnknownCode(name.to_owned())),
    }
}

impl ExplainArgs {
    pub(super) fn run(&self, session: &Session) -> Result<ExitStatus, EnvironmentError> {
        let text = match self.code {
            Some(code) => page(code),
            None => list(),
        };
        session.data(&text)?;
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

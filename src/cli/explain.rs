//! `agentctl explain`: what a code means.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::ExitStatus;
use super::completion;
use super::session::Session;
use crate::diagnostic::Code;
use crate::environment::EnvironmentError;
use crate::severity::{Level, Setting, SettingError, Subject};

/// Explain the code of a finding, or list all codes
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl explain
  agentctl explain duplicate-resource
  agentctl explain 'error[missing-key]' unknown-field
  agentctl explain -o json")]
pub(super) struct ExplainArgs {
    /// Codes, or what a finding starts with, such as error[missing-key]
    #[arg(value_name = "CODE", value_parser = CodeParser, hide_possible_values = true, add = completion::codes())]
    codes: Vec<Code>,

    /// Format of the answer
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    output: ExplainFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ExplainFormat {
    /// Pages, for people
    Text,
    /// A list of objects
    Json,
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

/// A code, alone or as a finding has it behind its severity.
fn code(text: &str) -> Result<Code, SettingError> {
    let bracketed = text.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
    let name = bracketed.map_or(text, |(name, _)| name);
    match Setting::parse(name, Level::Deny)?.subject {
        Subject::Code(code) => Ok(code),
        Subject::Warnings => Err(SettingError::UnknownCode(name.to_owned())),
    }
}

impl ExplainArgs {
    pub(super) fn run(&self, session: &Session) -> Result<ExitStatus, EnvironmentError> {
        match (self.output, self.codes.as_slice()) {
            (ExplainFormat::Json, []) => session.json(&records(Code::ALL))?,
            (ExplainFormat::Json, codes) => session.json(&records(codes))?,
            (ExplainFormat::Text, []) => session.data(&list())?,
            (ExplainFormat::Text, codes) => {
                let pages: Vec<_> = codes.iter().map(|code| page(*code)).collect();
                session.data(&pages.join("\n"))?;
            }
        }
        Ok(ExitStatus::Success)
    }
}

/// A code and what is known of it, for programs.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Record {
    code: &'static str,
    severity: &'static str,
    summary: &'static str,
    /// Whether `--warn` and `--allow` take it.
    can_be_lowered: bool,
    /// The page, as Markdown.
    page: String,
}

fn records(codes: &[Code]) -> Vec<Record> {
    let record = |code: &Code| Record {
        code: code.as_str(),
        severity: code.severity().as_str(),
        summary: code.summary(),
        can_be_lowered: code.can_be_lowered(),
        page: plain(*code),
    };
    codes.iter().map(record).collect()
}

fn page(code: Code) -> String {
    format!(
        "{}[{code}]{}\n\n{}\n\n{}",
        code.severity().as_str(),
        severity_note(code),
        code.summary(),
        plain(code)
    )
}

/// The page of a code. What its fences say to the test of the pages is left out: only the language is for readers.
fn plain(code: Code) -> String {
    let lines = code
        .page()
        .split_inclusive('\n')
        .map(|line| match line.split_once(' ') {
            Some((fence, _)) if fence.starts_with("```") => format!("{fence}\n"),
            _ => line.to_owned(),
        });
    lines.collect()
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

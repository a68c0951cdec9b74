//! `agentctl explain`: the meaning of codes and flags.

use std::ffi::OsString;

use clap::{Arg, Args, Command};
use serde::Serialize;

use super::args::{AnswerFormat, invalid_code_message};
use super::completion::{self, ListedValues};
use super::session::{Outcome, Session};
use super::terminal::table;
use crate::diagnostic::Code;
use crate::diagnostic::severity::{Setting, SeverityLevel, SeveritySubject, unknown_code};
use crate::flags::{Settable, form, limit};
use crate::printable::{Screen, Text};
use crate::report::render_markdown;

/// Explain a finding's code or a flag, or list all codes
///
/// For a flag, shows what it does, which values it accepts, which commands have it, and whether `agentctl.yaml` can set
/// it. On a terminal, pages are formatted; otherwise they are Markdown.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl explain
  agentctl explain duplicate-resource
  agentctl explain 'error[missing-key]' unknown-field
  agentctl explain --missing-secrets
  agentctl explain -o json")]
pub(super) struct ExplainArgs {
    /// Codes, such as missing-key or error[missing-key], or flags
    #[arg(value_name = "CODE|FLAG", value_parser = topic(), hide_possible_values = true, add = completion::codes())]
    topics: Vec<Topic>,

    /// Output format
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    output: AnswerFormat,
}

/// Subject to explain.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Topic {
    Code(Code),
    /// Flag, without its leading dashes.
    Flag(String),
}

/// Returns a parser for a code or a marked flag. As with `--allow`, an error suggests only the closest code, but
/// completion scripts list all codes.
fn topic() -> ListedValues<Topic> {
    ListedValues {
        parse: |text| match text.strip_prefix(FLAG) {
            Some(name) => Ok(Topic::Flag(name.to_owned())),
            None => code(text).map(Topic::Code),
        },
        all: || Code::ALL.iter().map(|code| code.as_str()).collect(),
    }
}

/// Prefix that marks an operand as a flag name.
const FLAG: &str = "flag:";

/// Marks flags of other commands as operands of `explain`, and a flag of `explain` itself if it is the only argument.
/// Other flags of `explain` and the arguments of other commands are returned unchanged.
pub(super) fn mark_flag_operands(args: Vec<OsString>, root: fn() -> Command) -> Vec<OsString> {
    if args.get(1).is_none_or(|arg| arg != "explain") {
        return args;
    }
    let root = &root();
    let explain = root.find_subcommand("explain").into_iter().flat_map(Command::get_arguments);
    let own_flags: Vec<_> = explain.chain(root.get_arguments()).filter_map(Arg::get_long).collect();
    let (command, operands) = args.split_at(2);
    let is_subject = |text: &str| operands.len() == 1 && text.starts_with("--") && text != "--help";
    let is_flag = |text: &str, name: &str| {
        (is_subject(text) || !own_flags.contains(&name))
            && Code::parse(name).is_none()
            && !commands_with(root, name).is_empty()
    };
    let mark_flag = |arg: OsString| match arg.to_str().map(|text| (text, text.trim_start_matches("--"))) {
        Some((text, name)) if is_flag(text, name) => format!("{FLAG}{name}").into(),
        _ => arg,
    };
    let operands = operands.iter().cloned().map(mark_flag);
    command.iter().cloned().chain(operands).collect()
}

/// Returns all commands that have the flag, each with its definition of the flag.
fn commands_with<'c>(root: &'c Command, flag: &str) -> Vec<(String, &'c Arg)> {
    fn collect_from_subcommands<'c>(
        command: &'c Command,
        path: &str,
        flag: &str,
        commands: &mut Vec<(String, &'c Arg)>,
    ) {
        let args = command.get_arguments().filter(|arg| !arg.is_hide_set());
        commands.extend(args.filter(|arg| arg.get_long() == Some(flag)).map(|arg| (path.to_owned(), arg)));
        for inner in command.get_subcommands() {
            let path = format!("{path} {}", inner.get_name()).trim_start().to_owned();
            collect_from_subcommands(inner, &path, flag, commands);
        }
    }
    let mut commands = Vec::new();
    collect_from_subcommands(root, "", flag, &mut commands);
    commands
}

/// Parses a code. It may stand alone or in brackets after a severity, as in a finding.
fn code(text: &str) -> Result<Code, String> {
    let bracketed = text.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
    let name = bracketed.map_or(text, |(name, _)| name);
    match Setting::parse(name, SeverityLevel::Deny).map_err(invalid_code_message)?.subject {
        SeveritySubject::Code(code) => Ok(code),
        SeveritySubject::Warnings => Err(invalid_code_message(unknown_code(name))),
    }
}

impl ExplainArgs {
    pub(super) fn run(&self, session: &Session, mut root: Command) -> Outcome {
        root.build();
        match (self.output, self.topics.as_slice()) {
            (AnswerFormat::Json, topics) => {
                let all_topics: Vec<_> = Code::ALL.iter().copied().map(Topic::Code).collect();
                let requested_topics = if topics.is_empty() { &all_topics } else { topics };
                let records: Vec<_> = requested_topics.iter().map(|topic| topic.record(&root)).collect();
                session.json(&records)
            }
            (AnswerFormat::Text, []) => session.show(&list()),
            (AnswerFormat::Text, topics) => {
                let pages: Vec<_> = topics.iter().map(|topic| topic.page(&root)).collect();
                let pages = pages.join("\n");
                match session.output {
                    screen @ Screen { width: Some(_), .. } => session.show(&render_markdown(&pages, screen)),
                    Screen { width: None, .. } => session.data(&pages),
                }
            }
        }
    }
}

impl Topic {
    fn page(&self, root: &Command) -> String {
        match self {
            Topic::Code(code) => page(*code),
            Topic::Flag(name) => flag_page(name, root),
        }
    }

    fn record(&self, root: &Command) -> ExplainRecord {
        match self {
            Topic::Code(code) => ExplainRecord::Code {
                code: code.as_str(),
                severity: code.severity().as_str(),
                summary: code.summary(),
                can_be_lowered: code.can_be_lowered(),
                page: plain(*code),
            },
            Topic::Flag(name) => ExplainRecord::Flag { flag: format!("--{name}"), page: flag_page(name, root) },
        }
    }
}

/// Returns a Markdown description of a flag.
fn flag_page(name: &str, root: &Command) -> String {
    let commands_with_flag = commands_with(root, name);
    let Some((_, arg)) = commands_with_flag.first() else {
        return String::new();
    };
    let values = arg.get_value_names().unwrap_or_default().join("> <");
    let value = if arg.get_action().takes_values() { format!(" <{values}>") } else { String::new() };
    let short = arg.get_short().map(|short| format!(", -{short}")).unwrap_or_default();
    let about = match name {
        "limit" => limit::PAGE.split_once("\n\n").map(|(_, page)| page.to_owned()),
        _ => arg.get_long_help().or(arg.get_help()).map(ToString::to_string),
    };
    let mut out = format!("--{name}{value}{short}\n\n{}\n", about.unwrap_or_default().trim_end());
    let default = form::default(arg);
    if !default.is_empty() && arg.get_action().takes_values() {
        out.push_str(&format!("\n## Default\n\n`{default}`\n"));
    }
    let commands: Vec<_> = commands_with_flag.iter().map(|(command, _)| format!("`{command}`")).collect();
    let commands = if commands_with_flag.iter().any(|(command, _)| command.is_empty()) {
        "every command".to_owned()
    } else {
        commands.join(", ")
    };
    out.push_str(&format!("\n## Commands\n\n{commands}\n"));
    let settable = Settable::new(root, root).get(name).is_some();
    let settings = if settable {
        format!("`agentctl.yaml` can set this flag: use `{name}` under `flags`.")
    } else {
        "`agentctl.yaml` cannot set this flag.".to_owned()
    };
    out.push_str(&format!("\n## Settings\n\n{settings}\n"));
    out
}

/// JSON output for a code or flag.
#[derive(Serialize)]
#[serde(rename_all = "camelCase", untagged)]
enum ExplainRecord {
    #[serde(rename_all = "camelCase")]
    Code {
        code: &'static str,
        severity: &'static str,
        summary: &'static str,
        /// Whether the code can be used with `--warn` and `--allow`.
        can_be_lowered: bool,
        /// Markdown page about the code or flag.
        page: String,
    },
    Flag {
        flag: String,
        page: String,
    },
}

/// Returns a Markdown page that says what a finding means, why it matters, and how to fix it.
fn page(code: Code) -> String {
    format!("{}[{code}]{}\n\n{}", code.severity().as_str(), severity_note(code), plain(code))
}

/// Returns a code's page, without the attributes of code fences that only the tests use.
fn plain(code: Code) -> String {
    let lines = code.page().split_inclusive('\n').map(|line| match line.split_once(' ') {
        Some((fence, _)) if fence.starts_with("```") => format!("{fence}\n"),
        _ => line.to_owned(),
    });
    lines.collect()
}

/// Describes whether and how the severity of `code` can be changed.
fn severity_note(code: Code) -> &'static str {
    if code.fails_at_runtime() {
        " (a warning in `render`, unless `--strict`)"
    } else if code.can_be_lowered() {
        ""
    } else {
        " (its severity cannot be changed)"
    }
}

fn list() -> Text {
    let row = |code: &Code| [code.as_str(), code.severity().as_str(), code.summary()].map(str::to_owned);
    table(Code::ALL.iter().map(row).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flags::Effect::Harmless;

    #[test]
    fn explain_pages_start_with_the_severity() {
        for (code, expected) in [
            (Code::AgentImage, "note[agent-image]\n\n"),
            (Code::DuplicateScrape, "warning[duplicate-scrape]\n\n"),
            (Code::DuplicateJob, "error[duplicate-job] (a warning in `render`, unless `--strict`)\n\n"),
            (Code::MissingSecret, "error[missing-secret]\n\n"),
            (Code::DuplicateKey, "error[duplicate-key] (its severity cannot be changed)\n\n"),
        ] {
            let page = page(code);
            assert!(page.starts_with(expected), "{page}");
        }
    }

    #[test]
    fn explain_pages_show_their_examples_as_diffs() {
        let page = page(Code::InvalidBase64);
        let diff = "```diff\n apiVersion: v1\n kind: Secret\n metadata:\n   name: credentials\n-data:\n+stringData:\n";
        assert!(page.contains(diff), "{page}");
    }

    #[test]
    fn code_fences_contain_only_the_language() {
        for &code in Code::ALL {
            let (page, source) = (plain(code), code.page());
            let fences: Vec<_> = page.lines().filter(|line| line.starts_with("```")).collect();
            assert!(fences.iter().all(|fence| !fence.contains(' ')), "{code}: {fences:?}");
            let other_lines = |text: &str| -> Vec<String> {
                let lines = text.lines().filter(|line| !line.starts_with("```"));
                lines.map(str::to_owned).collect()
            };
            assert_eq!(other_lines(&page), other_lines(source));
            assert_eq!(page.lines().count(), source.lines().count());
        }
    }

    #[test]
    fn treats_flags_of_other_commands_as_operands() {
        for (args, expected) in [
            ("agentctl explain --secret-store strict", "agentctl explain flag:secret-store flag:strict"),
            ("agentctl explain --message-format json", "agentctl explain --message-format json"),
            ("agentctl explain --output json", "agentctl explain --output json"),
            ("agentctl explain --quiet", "agentctl explain flag:quiet"),
            ("agentctl explain --output", "agentctl explain flag:output"),
            ("agentctl explain output", "agentctl explain output"),
            ("agentctl explain --quiet missing-key", "agentctl explain --quiet missing-key"),
            ("agentctl explain --help", "agentctl explain --help"),
            ("agentctl explain missing-key unknown", "agentctl explain missing-key unknown"),
            ("agentctl render --secret-store 1", "agentctl render --secret-store 1"),
            ("agentctl", "agentctl"),
        ] {
            let words = args.split(' ').map(OsString::from).collect();
            let actual = mark_flag_operands(words, crate::cli::command);
            assert_eq!(actual.join(std::ffi::OsStr::new(" ")), expected, "{args}");
        }
    }

    #[test]
    fn flag_pages_list_default_commands_and_settings() {
        let limit = Arg::new("secret-store")
            .long("secret-store")
            .short('m')
            .value_name("NUMBER")
            .default_value("7")
            .help_heading("Limits")
            .help("Maximum number")
            .long_help("Maximum number\n\nOf shards. \n")
            .add(Harmless);
        let strict = || Arg::new("strict").long("strict").action(clap::ArgAction::SetTrue).help("Fail").add(Harmless);
        let selector = Arg::new("agent_selector").long("agent-selector").value_names(["KEY", "VALUE"]).add(Harmless);
        let root = Command::new("agentctl")
            .arg(Arg::new("color").long("color").default_value("auto"))
            .subcommand(Command::new("check").args([limit, selector, strict()]))
            .subcommand(Command::new("argocd").subcommand(Command::new("generate").arg(strict())));
        for (name, expected) in [
            (
                "secret-store",
                "--secret-store <NUMBER>, -m\n\nMaximum number\n\nOf shards.\n\n## Default\n\n`7`\n\n## Commands\n\n`check`\n\n\
                 ## Settings\n\n`agentctl.yaml` can set this flag: use `secret-store` under `flags`.\n",
            ),
            (
                "strict",
                "--strict\n\nFail\n\n## Commands\n\n`check`, `argocd generate`\n\n\
                 ## Settings\n\n`agentctl.yaml` can set this flag: use `strict` under `flags`.\n",
            ),
            (
                "agent-selector",
                "--agent-selector <KEY> <VALUE>\n\n\n\n## Commands\n\n`check`\n\n\
                 ## Settings\n\n`agentctl.yaml` can set this flag: use `agent-selector` under `flags`.\n",
            ),
            (
                "color",
                "--color <>\n\n\n\n## Default\n\n`auto`\n\n## Commands\n\nevery command\n\n\
                 ## Settings\n\n`agentctl.yaml` cannot set this flag.\n",
            ),
            ("gone", ""),
        ] {
            assert_eq!(flag_page(name, &root), expected);
        }
    }
}

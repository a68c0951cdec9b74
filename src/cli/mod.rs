//! The command line. Only this module uses arguments, the environment and the terminal.

mod about;
mod affected;
mod aggregate;
mod argocd;
mod args;
mod build;
mod check;
mod command_line;
mod completion;
mod config;
mod diff;
mod each;
mod explain;
mod external_diff;
mod help;
mod init;
mod krm;
mod kubectl;
mod lsp;
mod outcome;
mod panic;
mod rbac;
mod render;
mod schema;
mod session;
mod shards;
mod subject;
mod targets;
mod terminal;
mod tree;
mod watch;
mod why;

pub use outcome::ExitStatus;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::{CommandFactory, Parser, Subcommand};
use outcome::{Outcome, Stop};
use session::{ReportArgs, Session};

use crate::flags::RENDER_KIND;
use crate::report::MessageFormat;

/// Compile Grafana Agent Operator resources into manifests, offline
///
/// agentctl reads GrafanaAgents, MetricsInstances, LogsInstances, Integrations, ServiceMonitors, PodMonitors, Probes
/// and PodLogs from files and writes, byte for byte, what the Grafana Agent Operator creates for them in a cluster.
/// Every mistake is reported at its file, line and column. It needs no cluster and no network.
#[derive(Clone, Debug, Parser)]
#[command(
    name = "agentctl",
    version,
    disable_version_flag = true,
    arg_required_else_help = true,
    max_term_width = 100,
    after_help = "\
Examples:
  agentctl check manifests/
  agentctl render manifests/ --output-dir - | kubectl apply --server-side -f -
  agentctl help render

Exit status:
  0    success
  1    the input has errors
  1    diff, aggregate diff, render --check: something differs
  1    why --exit-code: no agent selects a resource
  2    usage error, or a file that cannot be read or written
  101  agentctl crashed: please report this bug"
)]
struct Cli {
    #[command(flatten)]
    output: ReportArgs,

    /// Print version
    #[arg(short = 'V', long, action = clap::ArgAction::Version, help_heading = help::GLOBAL)]
    #[allow(dead_code, reason = "clap prints it")]
    version: Option<bool>,

    /// Read settings from this file instead of the nearest agentctl.yaml
    #[arg(long, global = true, value_name = "FILE", value_hint = clap::ValueHint::FilePath, help_heading = "Settings", hide_short_help = true)]
    #[allow(dead_code, reason = "it is evaluated before the command line is complete")]
    settings: Option<PathBuf>,

    /// Ignore agentctl.yaml
    #[arg(long, global = true, conflicts_with = "settings", help_heading = "Settings", hide_short_help = true)]
    #[allow(dead_code, reason = "it is evaluated before the command line is complete")]
    no_settings: bool,

    /// Let the settings file raise limits above their defaults
    #[arg(long, global = true, help_heading = "Settings", hide_short_help = true)]
    #[allow(dead_code, reason = "it is evaluated before the command line is complete")]
    trust_settings: bool,

    #[command(subcommand)]
    command: Command,
}

#[derive(Clone, Debug, Subcommand)]
enum Command {
    #[command(alias = "template")]
    Render(render::RenderArgs),
    #[command(aliases = ["validate", "lint"])]
    Check(check::CheckArgs),
    Build(build::BuildArgs),
    Diff(diff::DiffArgs),
    Tree(tree::TreeArgs),
    Why(why::WhyArgs),
    Config(config::ConfigArgs),
    Shards(shards::ShardsArgs),
    Targets(targets::TargetsArgs),
    Rbac(rbac::RbacArgs),
    Affected(affected::AffectedArgs),
    #[command(subcommand)]
    Aggregate(aggregate::AggregateCommand),
    Krm(krm::KrmArgs),
    #[command(name = krm::EXEC_PLUGIN)]
    ExecPlugin(krm::ExecPluginArgs),
    #[command(subcommand, name = "argocd")]
    ArgoCd(argocd::ArgoCdCommand),
    Lsp(lsp::LspArgs),
    Explain(explain::ExplainArgs),
    Init(init::InitArgs),
    Schema(schema::SchemaArgs),
    Completions(completion::CompletionsArgs),
    Man(about::ManArgs),
    Version(about::VersionArgs),
}

impl Command {
    /// Returns the format of findings that the command's own flag sets.
    fn format(&self) -> Option<MessageFormat> {
        match self {
            Command::Check(args) => args.format(),
            _ => None,
        }
    }

    fn run(&self, session: &Session) -> Outcome {
        match self {
            Command::Render(args) => args.run(session),
            Command::Check(args) => args.run(session),
            Command::Build(args) => args.run(session),
            Command::Diff(args) => args.run(session),
            Command::Shards(args) => args.run(session),
            Command::Targets(args) => args.run(session),
            Command::Rbac(args) => args.run(session),
            Command::Why(args) => args.run(session),
            Command::Tree(args) => args.run(session),
            Command::Affected(args) => args.run(session),
            Command::Config(args) => args.run(session),
            Command::Aggregate(args) => args.run(session),
            Command::Krm(args) => args.run(session),
            Command::ExecPlugin(args) => args.run(session),
            Command::ArgoCd(args) => args.run(session),
            Command::Lsp(args) => args.run(parse_check),
            Command::Explain(args) => args.run(session, command()),
            Command::Init(args) => args.run(session, command()),
            Command::Schema(args) => args.run(session, command()),
            Command::Completions(args) => args.run(session, command()),
            Command::Man(args) => args.run(session, help::for_manual(Cli::command())),
            Command::Version(args) => args.run(session),
        }
    }
}

/// Returns the definition of the command line, with its help laid out.
pub fn command() -> clap::Command {
    help::lay_out(Cli::command())
}

/// Returns the definition of the command line, with every flag in its help.
fn command_at_length() -> clap::Command {
    help::lay_out_with_every_flag(Cli::command())
}

/// Installs a panic hook that explains how to report the bug and ends the process with exit status 101.
pub fn report_panics() {
    panic::report_panics(command);
}

/// Runs a command line. `args` starts with the program's name.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitStatus {
    run_command(explain::mark_flag_operands(arguments(args), command)).unwrap_or_else(session::report_stop)
}

fn run_command(args: Vec<OsString>) -> Outcome {
    if completion::run(&args, command)? {
        return Ok(ExitStatus::Success);
    }
    let is_long = args.get(1).is_some_and(|arg| arg == "help") || args.iter().any(|arg| arg == "--help");
    let root = if is_long { command_at_length } else { command };
    let (cli, invocation) = command_line::parse::<Cli>(args, root)?;
    let session = Session::new(&cli.output, cli.command.format(), invocation);
    session.note_settings();
    session.report_settings()?;
    cli.command.run(&session)
}

/// Parses a `check` command line for the language server.
fn parse_check(args: Vec<OsString>) -> Result<(check::CheckArgs, Session), String> {
    let (cli, invocation) = command_line::parse::<Cli>(args, command).map_err(|stop| match stop {
        Stop::Usage { error, .. } => error.to_string(),
        Stop::Trouble(error) => error.to_string(),
        Stop::Reported => String::new(),
    })?;
    match cli.command {
        Command::Check(check) => Ok((check, Session::new(&cli.output, None, invocation))),
        _ => Err("expected flags of `check`".to_owned()),
    }
}

/// Alternative program names under which kustomize runs agentctl, each with the subcommand that the name selects.
const OTHER_NAMES: &[(&str, &str)] = &[("agentctl-krm", "krm"), (RENDER_KIND, krm::EXEC_PLUGIN)];

/// Inserts the subcommand that the program's name selects, if it is one of the alternative names.
fn arguments(args: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut args: Vec<_> = args.into_iter().collect();
    let name = args.first().and_then(|program| Path::new(program).file_stem());
    if let Some((_, subcommand)) = OTHER_NAMES.iter().find(|(other, _)| name == Some(OsStr::new(other))) {
        args.insert(1, subcommand.into());
    }
    args
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::flags::{Effect, FILE_KEYS, Settable};

    #[test]
    fn command_definitions_are_consistent() {
        Cli::command().debug_assert();
    }

    /// Returns `command` and all its subcommands, recursively.
    fn all(command: &clap::Command) -> Vec<&clap::Command> {
        let descendants = command.get_subcommands().flat_map(all);
        [command].into_iter().chain(descendants).collect()
    }

    /// Returns the effect of each setting: of each flag and of each key in the file.
    fn settings() -> BTreeMap<String, Effect> {
        let mut root = command();
        root.build();
        let flags = Settable::new(&root, &root).into_args();
        let flags = flags.filter_map(|arg| Some((arg.get_long()?.to_owned(), *arg.get::<Effect>()?)));
        let keys = FILE_KEYS.map(|(key, effect)| (key.to_owned(), effect));
        flags.chain(keys).collect()
    }

    /// Tests that a flag has the same rules in every command.
    #[test]
    fn flags_with_the_same_name_have_the_same_rules() {
        let mut root = command();
        root.build();
        let settings = settings();
        for command in root.get_subcommands().filter(|command| Settable::is_used_by(command)) {
            for arg in command.get_arguments() {
                let name = arg.get_long().unwrap_or_default();
                assert_eq!(arg.get(), settings.get(name), "{} --{name}", command.get_name());
            }
        }
    }

    /// Tests that the settings file cannot set flags that show secrets, run programs, trust the file, or change what
    /// the user requested.
    #[test]
    fn settings_file_cannot_set_dangerous_flags() {
        let settings = settings();
        for flag in ["show-secrets", "kustomize", "load-restrictor", "trust-settings", "settings", "deny", "fix"] {
            assert!(!settings.contains_key(flag), "{flag}");
        }
    }

    /// Tests that the table in `docs/settings.md` matches the effects in the code.
    #[test]
    fn documents_settings_that_weaken_checks() {
        let row = |(name, effect): (&String, &Effect)| match effect {
            Effect::Weakens(how, _) => {
                Some(format!("| `{name}` | {how} | reported by `check`; an error with `--deny warnings` |"))
            }
            Effect::Bounded(how) => Some(format!("| `{name}` | {how} | the flag on the command line |")),
            Effect::Lowers | Effect::Harmless => None,
        };
        let rows: Vec<_> = settings().iter().filter_map(row).collect();
        let page = include_str!("../../docs/settings.md");
        let documented: Vec<_> = page.lines().filter(|line| line.starts_with("| `")).collect();
        assert_eq!(documented, rows, "expected in docs/settings.md:\n{}", rows.join("\n"));
    }

    /// Default terminal width.
    const WIDTH: usize = 80;

    #[test]
    fn short_help_fits_on_a_screen() {
        let mut root = command().term_width(WIDTH);
        root.build();
        let mut failures = Vec::new();
        for command in all(&root) {
            let help = command.clone().render_help().to_string();
            let name = command.get_bin_name().unwrap_or_default();
            let wide_lines = help.lines().filter(|line| line.chars().count() > WIDTH);
            failures.extend(wide_lines.map(|line| format!("{name}: {line}")));
            // A wrapped line starts an argument or an example, which continues on the next line.
            let starts = |line: &str| line.starts_with("  agentctl") || line.trim_start().starts_with('-');
            let pairs = help.lines().zip(help.lines().skip(1));
            let wrapped_lines = pairs.filter(|(line, next)| starts(line) && !starts(next) && next.starts_with("  "));
            failures.extend(wrapped_lines.map(|(line, next)| format!("{name}: {line}\n{next}")));
            if let lines @ 41.. = help.lines().count() {
                failures.push(format!("{name}: {lines} lines"));
            }
        }
        let advice = "hide rare flags (`hide_short_help`) and shorten the others";
        assert!(failures.is_empty(), "{}\n{advice}", failures.join("\n"));
    }

    #[test]
    fn long_help_has_at_most_120_lines() {
        let mut root = command_at_length().term_width(100);
        root.build();
        let count = |command: &clap::Command| command.clone().render_help().to_string().lines().count();
        for command in all(&root) {
            assert!(count(command) <= 120, "{}: {} lines", command.get_name(), count(command));
        }
    }

    #[test]
    fn every_command_is_in_a_group() {
        let root = command();
        let help = root.clone().render_help().to_string();
        for command in root.get_subcommands() {
            let row = format!("\n  {} ", command.get_name());
            assert!(help.contains(&row), "give {} a place in `help::GROUPS`", command.get_name());
        }
    }

    #[test]
    fn every_command_and_flag_has_help() {
        for command in all(&help::for_manual(Cli::command())) {
            let name = command.get_name();
            assert!(command.get_about().is_some(), "{name}");
            for arg in command.get_arguments() {
                assert!(arg.get_help().is_some(), "{name} {}", arg.get_id());
            }
        }
    }

    /// Returns the command lines in the examples of help text, each up to a pipe, redirection or comment.
    fn examples(help: &str) -> Vec<Vec<&str>> {
        let examples = help.split("Examples:\n").nth(1).unwrap_or_default();
        let lines = examples.lines().take_while(|line| !line.is_empty());
        let commands = lines.flat_map(|line| line.split(['|', '&', '(', ')', ';']));
        let commands = commands.map(|command| {
            let words = command.split_whitespace().skip_while(|word| *word != "agentctl");
            let end = |word: &&str| !word.starts_with(['>', '<', '#']);
            words.take_while(end).map(|word| word.trim_matches('\'')).collect()
        });
        commands.filter(|words: &Vec<_>| words.len() > 1).collect()
    }

    #[test]
    fn every_command_accepts_its_examples() {
        let root = help::for_manual(Cli::command());
        for command in all(&root) {
            let help = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains("Examples:\n  "), "{}", command.get_name());
            for words in examples(&help) {
                let words =
                    explain::mark_flag_operands(words.into_iter().map(OsString::from).collect(), super::command);
                let error = Cli::command().try_get_matches_from(&words).err();
                let wrong = error.filter(clap::Error::use_stderr);
                assert!(wrong.is_none(), "{words:?}: {}", wrong.unwrap());
            }
        }
    }

    #[test]
    fn program_name_selects_the_subcommand() {
        for (args, expected) in [
            (&["agentctl", "render"][..], &["agentctl", "render"][..]),
            (&["/bin/agentctl-krm"], &["/bin/agentctl-krm", "krm"]),
            (
                &["plugin/agentctl.dev/v1alpha1/render/Render", "x"],
                &["plugin/agentctl.dev/v1alpha1/render/Render", "exec-plugin", "x"],
            ),
            (&["render", "x"], &["render", "x"]),
            (&[], &[]),
        ] {
            assert_eq!(arguments(args.iter().map(OsString::from)), expected, "{args:?}");
        }
    }
}

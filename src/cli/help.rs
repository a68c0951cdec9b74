//! Layout of the help: groups of commands, one screen for `-h`, every flag for `--help`, and full descriptions for the
//! manual.
//!
//! Each command declares the text that follows its flags once, as `after_help`, in sections such as `Examples:`. From
//! this text, this module builds the long help, with exit statuses added, and the short help, with only the first
//! examples. The long help lists each of a flag's values on its own line; the short help does not describe values.

use std::ffi::OsStr;
use std::fmt::Write;

use clap::builder::PossibleValue;
use clap::{Arg, ArgAction, Command};

use super::kubectl;
use crate::flags::hide_unused;

/// Groups of commands, with the most used groups first.
const GROUPS: &[(&str, &[&str])] = &[
    ("Everyday", &["render", "check", "build", "diff", "rbac"]),
    ("Understand", &["tree", "why", "config", "affected", "targets", "shards"]),
    ("Integrate", &["krm", "argocd", "exec-plugin", "lsp"]),
    ("Tooling", &["explain", "schema", "init", "completions", "man", "version", "aggregate"]),
];

/// Default meanings of the exit statuses. Status 1 applies only to commands that read resources.
const STATUS: [&str; 3] =
    ["  0  success", "  1  the input has errors", "  2  usage error, or a file that cannot be read or written"];

/// Number of examples that `-h` shows.
const SHORT_HELP_EXAMPLES: usize = 2;

/// Maximum width of a list of values that is shown in place of the value name.
const MAX_VALUE_NAME_WIDTH: usize = 13;

/// Maximum width of a list of values in a flag's help.
const MAX_INLINE_VALUES_WIDTH: usize = 48;

/// Maximum width of an example in the short help, including its indentation.
const MAX_EXAMPLE_WIDTH: usize = 80;

/// Last line of `--help`.
const LAST_HELP_LINE: &str = "Run `agentctl explain --FLAG` for more about a flag.";

/// Heading of the flags that every command has.
pub(super) const GLOBAL: &str = "Global options";

/// Lays out the help of `root`. A subcommand's help is laid out on demand, because there are many flags.
pub(super) fn lay_out(root: Command) -> Command {
    let root = kubectl::rename_for_kubectl(root);
    let root = with_help_flag(with_sections_of_root(root)).mut_args(|arg| with_inline_values(with_long_help(arg)));
    root.mut_subcommands(|command| command.defer(lay_out_subcommand))
}

fn lay_out_subcommand(command: Command) -> Command {
    let command = with_sections(hide_unused(command)).mut_args(|arg| with_inline_values(with_long_help(arg)));
    command.mut_subcommands(|command| command.defer(lay_out_subcommand))
}

/// Lays out the help of `root` for `--help`, with one or two lines for each flag. `agentctl explain` shows the full
/// descriptions.
pub(super) fn lay_out_with_every_flag(root: Command) -> Command {
    let root = with_help_flag(with_sections_of_root(kubectl::rename_for_kubectl(root)));
    let sections = root.get_after_long_help().map(ToString::to_string);
    complete_help(root.mut_args(with_inline_values), sections.unwrap_or_default())
}

fn complete_subcommand(command: Command) -> Command {
    let command = with_sections(hide_unused(command)).mut_args(with_inline_values);
    let sections = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
    complete_help(command, format!("{sections}\n\n{LAST_HELP_LINE}"))
}

/// Removes the long help from the flags of `command`, and adds `sections` after the flags.
fn complete_help(command: Command, sections: String) -> Command {
    let about = command.get_long_about().or(command.get_about()).cloned().unwrap_or_default();
    let command = command.mut_args(|arg| {
        let arg = match arg.get_long_help().filter(|_| arg.get_id() == "help").cloned() {
            Some(help) => arg.help(help),
            None => arg,
        };
        arg.hide_short_help(false).long_help(None::<&'static str>)
    });
    let command = command.about(about).long_about(None::<&'static str>);
    let command = command.after_help(sections).after_long_help(None::<&'static str>);
    command.mut_subcommands(|command| command.defer(complete_subcommand))
}

/// Lays out the help for the manual, which includes all subcommands and has its own format for flag values.
pub(super) fn for_manual(root: Command) -> Command {
    let root = with_help_flag(with_sections_of_root(root)).mut_args(with_long_help);
    root.mut_subcommands(subcommand_for_manual)
}

fn subcommand_for_manual(command: Command) -> Command {
    let command = with_sections(hide_unused(command)).mut_args(with_long_help);
    command.mut_subcommands(subcommand_for_manual)
}

fn with_sections_of_root(root: Command) -> Command {
    let template = template(&root);
    let sections = Sections::new(&root).text();
    // The short help shows no examples, because the list of commands already fills the screen.
    root.after_help("").after_long_help(sections).help_template(template)
}

/// Adds `--help` to the flags that every command has, so that it is listed with them.
fn with_help_flag(command: Command) -> Command {
    let flag = Arg::new("help")
        .short('h')
        .long("help")
        .action(ArgAction::Help)
        .help("Print help (see more with '--help')")
        .long_help("Print help (see a summary with '-h')")
        .help_heading(GLOBAL);
    let command = command.disable_help_flag(true).arg(flag);
    command.mut_subcommands(with_help_flag)
}

/// Uses a flag's short help as its long help if `-h` hides the flag, so that the manual describes it.
fn with_long_help(arg: Arg) -> Arg {
    match (arg.get_help().cloned(), arg.get_long_help()) {
        (Some(help), None) if arg.is_hide_short_help_set() => arg.long_help(help),
        _ => arg,
    }
}

/// Lists a flag's values inline if they are short, and describes them in the long help.
fn with_inline_values(arg: Arg) -> Arg {
    let values = arg.get_possible_values();
    let values: Vec<_> = values.iter().filter(|value| !value.is_hide_set()).collect();
    let is_described = arg.is_positional() || arg.is_hide_possible_values_set();
    if values.is_empty() || is_described || !arg.get_action().takes_values() {
        return arg;
    }
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let long_help = arg.get_long_help().map_or_else(|| help.clone(), ToString::to_string);
    let names: Vec<_> = values.iter().map(|value| value.get_name()).collect();
    let names = names.join("|");
    let is_narrow = names.len() <= MAX_VALUE_NAME_WIDTH;
    // If the values are not listed inline, the long list marks the default.
    let default = arg.get_default_values().first().filter(|_| !is_narrow).cloned();
    let default = default.as_deref().and_then(OsStr::to_str);
    let long_help = format!("{long_help}\n\nPossible values:{}", describe_values(&values, default));
    let arg = match is_narrow {
        true => arg.value_name(names),
        false if names.len() <= MAX_INLINE_VALUES_WIDTH => arg.help(format!("{help}: {names}")),
        false => arg,
    };
    arg.hide_default_value(default.is_some()).hide_possible_values(true).long_help(long_help)
}

fn describe_values(values: &[&PossibleValue], default: Option<&str>) -> String {
    let mut text = String::new();
    for value in values {
        let name = value.get_name();
        let mark = if default == Some(name) { " (default)" } else { "" };
        let _ = write!(text, "\n- {name}{mark}");
        if let Some(help) = value.get_help() {
            let _ = write!(text, ": {help}");
        }
    }
    text
}

fn with_sections(command: Command) -> Command {
    let mut sections = Sections::new(&command);
    sections.add_status(&command);
    let few_examples = sections.few_examples();
    command.after_help(few_examples).after_long_help(sections.text())
}

/// Returns the help template for the whole program, with the commands in groups.
fn template(root: &Command) -> String {
    let (header, literal) = (root.get_styles().get_header(), root.get_styles().get_literal());
    let mut template = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    for (group, names) in GROUPS {
        let _ = writeln!(template, "\n{header}{group}:{header:#}");
        for command in names.iter().filter_map(|name| root.find_subcommand(name)) {
            let (name, about) = (command.get_name(), command.get_about().unwrap_or_default());
            let _ = writeln!(template, "  {literal}{name:11}{literal:#}  {about}");
        }
    }
    let _ = write!(template, "\n{header}{GLOBAL}:{header:#}\n{{options}}{{after-help}}");
    template
}

/// Text after the flags, split into sections.
#[derive(Clone, Debug, Default)]
pub(super) struct Sections(Vec<HelpSection>);

/// A section: its heading and its lines.
#[derive(Clone, Debug)]
pub(super) struct HelpSection {
    pub(super) heading: String,
    pub(super) lines: Vec<String>,
}

impl Sections {
    /// Returns the sections of the long help, or of the short help if the command has no long one.
    pub(super) fn new(command: &Command) -> Self {
        let help = command.get_after_long_help().or(command.get_after_help());
        let mut sections: Vec<HelpSection> = Vec::new();
        for line in help.map(ToString::to_string).unwrap_or_default().lines() {
            match (line.strip_suffix(':'), sections.last_mut()) {
                (Some(heading), _) if !line.starts_with(' ') => {
                    sections.push(HelpSection { heading: heading.to_owned(), lines: Vec::new() })
                }
                (_, Some(section)) if !line.is_empty() => section.lines.push(line.to_owned()),
                _ => {}
            }
        }
        Self(sections)
    }

    /// Iterates over the sections.
    pub(super) fn iter(&self) -> impl Iterator<Item = &HelpSection> {
        self.0.iter()
    }

    fn add_status(&mut self, command: &Command) {
        let has_status = self.0.iter().any(|section| section.heading == "Exit status");
        if has_status || command.has_subcommands() {
            return;
        }
        let reads_input = command.get_arguments().any(|arg| {
            let id = arg.get_id();
            id == "filename" || id == "agent_selector"
        });
        let rows = STATUS.iter().enumerate().filter(|(i, _)| *i != 1 || reads_input);
        self.0.push(HelpSection {
            heading: "Exit status".to_owned(),
            lines: rows.map(|(_, row)| (*row).to_owned()).collect(),
        });
    }

    fn few_examples(&self) -> String {
        let examples = self.0.iter().find(|section| section.heading == "Examples");
        let lines = examples.map(|section| section.lines.as_slice()).unwrap_or_default();
        let lines = lines.iter().map(String::as_str).filter(|line| line.len() <= MAX_EXAMPLE_WIDTH);
        let lines: Vec<_> = lines.take(SHORT_HELP_EXAMPLES).map(kubectl::example).collect();
        format!("Examples:\n{}", lines.join("\n"))
    }

    fn text(&self) -> String {
        let sections = self.0.iter();
        let texts: Vec<_> = sections
            .map(|section| {
                let lines: Vec<_> = section.lines.iter().map(|line| kubectl::example(line)).collect();
                format!("{}:\n{}", section.heading, lines.join("\n"))
            })
            .collect();
        texts.join("\n\n")
    }
}

#[cfg(test)]
mod tests {
    use clap::builder::StyledStr;
    use clap::{Arg, Command};

    use super::*;

    fn sample() -> Command {
        let examples = "Examples:\n  one\n  two\n  three";
        let check = Command::new("check").about("Check").arg(Arg::new("filename")).after_help(examples);
        let render = Command::new("render").about("Render").after_help(format!("{examples}\n\nExit status:\n  7  odd"));
        let init = Command::new("init");
        Command::new("x").subcommands([check, render, init]).after_help(examples)
    }

    #[test]
    fn only_long_help_has_all_examples() {
        let mut root = lay_out(sample());
        root.build();
        let check = root.find_subcommand("check").unwrap();
        let text = |text: Option<&StyledStr>| text.map(ToString::to_string).unwrap_or_default();
        assert_eq!(text(check.get_after_help()), "Examples:\n  one\n  two");
        assert_eq!(
            text(check.get_after_long_help()),
            format!("Examples:\n  one\n  two\n  three\n\nExit status:\n{}", STATUS.join("\n"))
        );
        // A command without input cannot find errors in it.
        let init = root.find_subcommand("init").unwrap();
        assert_eq!(
            text(init.get_after_long_help()),
            format!("Exit status:\n{}\n{}", STATUS[0], STATUS[2..].join("\n"))
        );
        let render = root.find_subcommand("render").unwrap();
        assert!(text(render.get_after_long_help()).ends_with("Exit status:\n  7  odd"));
    }

    #[test]
    fn describes_values_and_marks_the_default() {
        let values = [PossibleValue::new("a").help("One"), PossibleValue::new("b")];
        let values: Vec<_> = values.iter().collect();
        assert_eq!(describe_values(&values, None), "\n- a: One\n- b");
        assert_eq!(describe_values(&values, Some("a")), "\n- a (default): One\n- b");
        assert_eq!(describe_values(&values, Some("b")), "\n- a: One\n- b (default)");
    }

    #[test]
    fn lists_commands_by_group() {
        let help = lay_out(sample()).render_help().to_string();
        assert!(help.contains("Everyday:\n  render       Render\n  check        Check\n"), "{help}");
    }

    #[test]
    fn sections_start_at_their_headings() {
        let sections = Sections::new(&sample());
        let headings: Vec<_> = sections.iter().map(|section| section.heading.as_str()).collect();
        assert_eq!(headings, ["Examples"]);
        let sections = Sections::new(&Command::new("y").after_help("A:\n  b:\n\nC:\n  d"));
        let lines: Vec<_> = sections.iter().map(|section| section.lines.concat()).collect();
        assert_eq!(lines, ["  b:", "  d"]);
    }

    #[test]
    fn flags_hidden_from_short_help_have_long_help() {
        let arg = || Arg::new("a").help("short");
        for (arg, expected) in [
            (arg(), None),
            (arg().hide_short_help(true), Some("short")),
            (arg().hide_short_help(true).long_help("long"), Some("long")),
        ] {
            let long = with_long_help(arg).get_long_help().map(ToString::to_string);
            assert_eq!(long.as_deref(), expected);
        }
    }
}

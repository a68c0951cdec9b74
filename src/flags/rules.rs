//! Rules for flags beyond their names, help texts and values. They are part of a flag's definition, as in `#[arg(long,
//! add = Weakens("excludes agents", &[]))]`. A flag without rules can be set on the command line and by other tools'
//! parameters, but not in `agentctl.yaml`.

use clap::builder::ArgExt;
use clap::{Arg, Command};

/// Rule that `agentctl.yaml` can set the flag. The variants describe the effect on the check of a pull request that
/// changes the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// `check` may report fewer findings, unless the flag has one of the listed values.
    Weakens(&'static str, &'static [&'static str]),
    /// The flag has some other effect. The string describes the effect and its limits.
    Bounded(&'static str),
    /// The flag sets limits, which can only be lowered.
    Lowers,
    /// The flag has no relevant effect.
    Harmless,
}

/// Rule that parameters cannot set the flag, because parameters are part of the input.
#[derive(Clone, Debug)]
pub struct CommandLineOnly;

/// Rule that the flag has no effect unless another flag has a certain value.
#[derive(Clone, Debug)]
pub struct Needs(pub &'static str, pub &'static str);

/// Rule that certain commands do not use the flag. Each item contains the commands, such as `tree|why`, and the reason.
/// The flag is an error on their command line, but `agentctl.yaml` may set it, because the file applies to all
/// commands.
#[derive(Clone, Debug)]
pub struct UnusedBy(pub &'static [(&'static str, &'static str)]);

impl ArgExt for Effect {}
impl ArgExt for CommandLineOnly {}
impl ArgExt for Needs {}
impl ArgExt for UnusedBy {}

/// Whether a flag sets limits.
pub fn is_limit(arg: &Arg) -> bool {
    matches!(arg.get(), Some(Effect::Lowers))
}

/// Whether other tools' parameters can set a flag.
pub(super) fn is_parameter(arg: &Arg) -> bool {
    arg.get::<CommandLineOnly>().is_none()
}

/// Returns the reason that a command does not use a flag, or `None` if it does.
fn unused_reason(command: &str, arg: &Arg) -> Option<&'static str> {
    let UnusedBy(rows) = arg.get()?;
    let mut rows = rows.iter();
    let row = rows.find(|(commands, _)| commands.split('|').any(|unused| unused == command));
    row.map(|(_, reason)| *reason)
}

/// Returns the reason that a flag has no effect on the command line of `command`, or `None` if it has an effect.
/// `value` returns a flag's value by name.
pub fn problem(command: &str, arg: &Arg, value: impl Fn(&str) -> Option<String>) -> Option<String> {
    let flag = arg.get_long()?;
    if let Some(reason) = unused_reason(command, arg) {
        return Some(format!("`agentctl {command}` does not use '--{flag}': {reason}"));
    }
    let Needs(other, needed) = arg.get()?;
    let has_effect = value(other).as_deref() == Some(*needed);
    (!has_effect).then(|| format!("'--{flag}' has no effect without '--{other}={needed}'"))
}

/// Hides the flags that a command does not use from its help.
pub fn hide_unused(command: Command) -> Command {
    let name = command.get_name().to_owned();
    command.mut_args(|arg| match unused_reason(&name, &arg) {
        Some(_) => arg.hide(true),
        None => arg,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flag() -> Arg {
        Arg::new("a_flag").long("a-flag")
    }

    #[test]
    fn rejects_flags_without_effect() {
        let needs = || flag().add(Needs("mode", "fast"));
        let unused_flag = || needs().add(UnusedBy(&[("tree|why", "it is a tree"), ("aggregate diff", "it differs")]));
        let missing_mode_error = "'--a-flag' has no effect without '--mode=fast'";
        let tree_error = |command: &str| format!("`agentctl {command}` does not use '--a-flag': it is a tree");
        for (command, arg, mode, expected) in [
            ("render", flag(), None, None),
            ("render", needs(), Some("fast"), None),
            ("render", needs(), Some("slow"), Some(missing_mode_error.to_owned())),
            ("render", needs(), None, Some(missing_mode_error.to_owned())),
            ("render", unused_flag(), Some("fast"), None),
            ("tree", unused_flag(), Some("fast"), Some(tree_error("tree"))),
            ("why", unused_flag(), None, Some(tree_error("why"))),
            (
                "aggregate diff",
                unused_flag(),
                None,
                Some("`agentctl aggregate diff` does not use '--a-flag': it differs".to_owned()),
            ),
        ] {
            let value = |name: &str| mode.filter(|_| name == "mode").map(str::to_owned);
            assert_eq!(problem(command, &arg, value), expected, "{command} {mode:?}");
        }
    }

    #[test]
    fn help_omits_flags_that_a_command_does_not_use() {
        let hidden = |name: &'static str| {
            let args = [flag().add(UnusedBy(&[("tree", "it is a tree")])), Arg::new("other")];
            let command = hide_unused(Command::new(name).args(args));
            command.get_arguments().map(Arg::is_hide_set).collect::<Vec<_>>()
        };
        assert_eq!(hidden("tree"), [true, false]);
        assert_eq!(hidden("render"), [false, false]);
    }

    #[test]
    fn distinguishes_parameters_from_limits() {
        for (arg, expected) in [
            (flag(), (true, false)),
            (flag().add(CommandLineOnly), (false, false)),
            (flag().add(Effect::Harmless), (true, false)),
            (flag().add(Effect::Lowers), (true, true)),
        ] {
            assert_eq!((is_parameter(&arg), is_limit(&arg)), expected, "{arg:?}");
        }
    }
}

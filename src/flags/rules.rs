//! Rules for flags: what `agentctl.yaml` may do with them, and which commands do not use them.
//!
//! They are part of a flag's definition (`#[arg(…, add = weakens(…))]`), beside its name, help and values.

use clap::builder::ArgExt;
use clap::{Arg, Command};

/// Rules for a flag. A flag without rules can be set on the command line and by parameters of other tools, but not in `agentctl.yaml`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    effect: Option<Effect>,
    is_command_line_only: bool,
    /// Another flag and the value that it must have.
    needs: Option<(&'static str, &'static str)>,
    /// Commands that do not use the flag, each with the reason.
    unused_by: Vec<(&'static str, &'static str)>,
}

impl ArgExt for Rules {}

/// Effect of a setting on a run that judges a pull request, which may change the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// `check` may find less, except with these values.
    Weakens(&'static str, &'static [&'static str]),
    /// Another effect, which is limited.
    Bounded(&'static str),
    /// Limits, which can only be lowered.
    Lowers,
    /// No effect that matters.
    Harmless,
}

/// Rules for a flag with which `check` may find less, unless it has one of the values in `except`.
pub fn weakens(how: &'static str, except: &'static [&'static str]) -> Rules {
    Rules::settable(Effect::Weakens(how, except))
}

/// Rules for a flag with a limited effect.
pub fn bounded(how: &'static str) -> Rules {
    Rules::settable(Effect::Bounded(how))
}

/// Rules for a flag that sets limits.
pub fn lowers() -> Rules {
    Rules::settable(Effect::Lowers)
}

/// Rules for a flag that every file may set.
pub fn harmless() -> Rules {
    Rules::settable(Effect::Harmless)
}

/// Rules for a flag that only the command line sets, since a file or parameter is part of the input.
pub fn command_line_only() -> Rules {
    Rules {
        is_command_line_only: true,
        ..Rules::default()
    }
}

impl Rules {
    fn settable(effect: Effect) -> Self {
        Self {
            effect: Some(effect),
            ..Self::default()
        }
    }

    /// Adds another flag and the value without which this one has no effect.
    #[must_use]
    pub fn needs(self, flag: &'static str, value: &'static str) -> Self {
        Self {
            needs: Some((flag, value)),
            ..self
        }
    }

    /// Adds commands that do not use the flag, each with the reason. On their command line it is an error; `agentctl.yaml` may set it,
    /// since it is for all commands.
    #[must_use]
    pub fn unused_by(mut self, commands: &[(&'static str, &'static str)]) -> Self {
        self.unused_by.extend(commands);
        self
    }

    fn reason(&self, command: &str) -> Option<&'static str> {
        let mut unused = self.unused_by.iter();
        unused.find(|(unused, _)| *unused == command).map(|(_, reason)| *reason)
    }
}

/// Returns the effect of a flag in `agentctl.yaml`, or `None` if the file cannot set it.
pub fn effect(arg: &Arg) -> Option<Effect> {
    arg.get::<Rules>()?.effect
}

/// Whether a flag sets limits.
pub fn is_limit(arg: &Arg) -> bool {
    effect(arg) == Some(Effect::Lowers)
}

/// Whether parameters of other tools set a flag.
pub(super) fn is_parameter(arg: &Arg) -> bool {
    !arg.get::<Rules>().is_some_and(|rules| rules.is_command_line_only)
}

/// Returns the problem with a flag on the command line of `command`, or `None` if it has an effect. `value` returns the value of a flag.
pub fn problem(command: &str, arg: &Arg, value: impl Fn(&str) -> Option<String>) -> Option<String> {
    let (rules, shown) = (arg.get::<Rules>()?, arg.get_long()?);
    if let Some(reason) = rules.reason(command) {
        return Some(format!("`agentctl {command}` does not use '--{shown}': {reason}"));
    }
    let (other, needed) = rules.needs?;
    let has_effect = value(other).as_deref() == Some(needed);
    (!has_effect).then(|| format!("'--{shown}' has no effect without '--{other}={needed}'"))
}

/// Hides the flags that a command does not use from its help.
pub fn hide_unused(command: Command) -> Command {
    let name = command.get_name().to_owned();
    command.mut_args(|arg| match arg.get::<Rules>().and_then(|rules| rules.reason(&name)) {
        Some(_) => arg.hide(true),
        None => arg,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flag(rules: Rules) -> Arg {
        Arg::new("a_flag").long("a-flag").add(rules)
    }

    #[test]
    fn rejects_flags_without_effect() {
        let needs = || harmless().needs("mode", "fast");
        let unused = || needs().unused_by(&[("tree", "it is a tree"), ("aggregate diff", "it differs")]);
        let without = "'--a-flag' has no effect without '--mode=fast'";
        for (command, rules, mode, expected) in [
            ("render", harmless(), None, None),
            ("render", needs(), Some("fast"), None),
            ("render", needs(), Some("slow"), Some(without)),
            ("render", needs(), None, Some(without)),
            ("render", unused(), Some("fast"), None),
            (
                "tree",
                unused(),
                Some("fast"),
                Some("`agentctl tree` does not use '--a-flag': it is a tree"),
            ),
            (
                "aggregate diff",
                unused(),
                None,
                Some("`agentctl aggregate diff` does not use '--a-flag': it differs"),
            ),
        ] {
            let value = |name: &str| mode.filter(|_| name == "mode").map(str::to_owned);
            let found = problem(command, &flag(rules.clone()), value);
            assert_eq!(found.as_deref(), expected, "{command} {rules:?}");
        }
        assert_eq!(problem("render", &Arg::new("x").long("x"), |_| None), None);
    }

    #[test]
    fn help_omits_flags_that_a_command_does_not_use() {
        let command = |name: &'static str| {
            let args = [
                flag(harmless().unused_by(&[("tree", "it is a tree")])),
                Arg::new("other"),
            ];
            let command = hide_unused(Command::new(name).args(args));
            let hidden: Vec<_> = command.get_arguments().map(Arg::is_hide_set).collect();
            hidden
        };
        assert_eq!(command("tree"), [true, false]);
        assert_eq!(command("render"), [false, false]);
    }

    #[test]
    fn only_the_command_line_sets_some_flags() {
        for (rules, effect_of, parameter, limit) in [
            (harmless(), Some(Effect::Harmless), true, false),
            (bounded("x"), Some(Effect::Bounded("x")), true, false),
            (weakens("x", &["y"]), Some(Effect::Weakens("x", &["y"])), true, false),
            (lowers(), Some(Effect::Lowers), true, true),
            (command_line_only(), None, false, false),
            (Rules::default(), None, true, false),
        ] {
            let flag = flag(rules);
            assert_eq!(
                (effect(&flag), is_parameter(&flag), is_limit(&flag)),
                (effect_of, parameter, limit)
            );
        }
        let other = Arg::new("x");
        assert_eq!((effect(&other), is_parameter(&other)), (None, true));
    }
}

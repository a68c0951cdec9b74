//! Whether diagnostics are coloured.

use std::ffi::OsString;

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless NO_COLOR, CLICOLOR=0 or TERM=dumb say otherwise; anywhere with CLICOLOR_FORCE=1
    #[default]
    Auto,
    /// In any case
    Always,
    /// Not at all
    Never,
}

/// What the environment says of colours.
#[derive(Clone, Debug, Default)]
pub(super) struct ColorEnvironment {
    pub(super) no_color: Option<OsString>,
    pub(super) clicolor: Option<OsString>,
    pub(super) clicolor_force: Option<OsString>,
    pub(super) term: Option<OsString>,
    pub(super) terminal: bool,
}

impl ColorChoice {
    /// The flag decides; then `NO_COLOR`, `CLICOLOR_FORCE`, `CLICOLOR`, and whether it is a terminal.
    pub(super) fn decide(self, environment: &ColorEnvironment) -> bool {
        let set = |variable: &Option<OsString>| variable.as_ref().is_some_and(|value| !value.is_empty());
        let is = |variable: &Option<OsString>, text: &str| variable.as_ref().is_some_and(|value| value == text);
        match self {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto if set(&environment.no_color) => false,
            ColorChoice::Auto if set(&environment.clicolor_force) && !is(&environment.clicolor_force, "0") => true,
            ColorChoice::Auto => {
                environment.terminal && !is(&environment.clicolor, "0") && !is(&environment.term, "dumb")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_is_asked_in_order() {
        for (variables, terminal, expected) in [
            (&[][..], true, true),
            (&[], false, false),
            (&[("NO_COLOR", "1")], true, false),
            (&[("NO_COLOR", "")], true, true),
            (&[("CLICOLOR_FORCE", "1")], false, true),
            (&[("CLICOLOR_FORCE", "0")], false, false),
            (&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], true, false),
            (&[("CLICOLOR", "0")], true, false),
            (&[("TERM", "dumb")], true, false),
        ] {
            let variable = |name| {
                let found = variables.iter().find(|(key, _)| *key == name);
                found.map(|(_, value)| OsString::from(value))
            };
            let environment = ColorEnvironment {
                no_color: variable("NO_COLOR"),
                clicolor: variable("CLICOLOR"),
                clicolor_force: variable("CLICOLOR_FORCE"),
                term: variable("TERM"),
                terminal,
            };
            assert_eq!(
                ColorChoice::Auto.decide(&environment),
                expected,
                "{variables:?} {terminal}"
            );
            assert!(ColorChoice::Always.decide(&environment));
            assert!(!ColorChoice::Never.decide(&environment));
        }
    }
}

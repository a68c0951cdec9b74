//! Command-line arguments for flags that are set elsewhere.

use std::error::Error as _;
use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};

use super::flag::{Flag, Rejection};
use super::rules::Effect;
use crate::source::Span;

/// A flag in the form of a command-line argument.
#[derive(Debug)]
pub struct Argument {
    /// `--flag=value`, or `--flag` without a value.
    pub text: OsString,
    /// Name of the flag.
    pub flag: String,
    /// Span of the flag's name where it is set.
    pub span: Span,
    /// Flags that this one requires, such as `--output-dir` for `--prune`.
    pub requires: Vec<String>,
    /// Effect that may weaken `check`, or `None` if the value cannot weaken it.
    pub weakens: Option<&'static str>,
}

impl Argument {
    /// Creates the argument for a flag of `command`. `command` must not expect a program name.
    ///
    /// # Errors
    ///
    /// Returns the reason if clap rejects the value.
    pub(super) fn new(flag: &Flag, arg: &Arg, value: Option<OsString>, command: &Command) -> Result<Self, Rejection> {
        let name = arg.get_long().unwrap_or_default();
        let is_one_of = |texts: &[&str]| texts.iter().any(|text| value.as_ref().is_some_and(|value| value == text));
        let weakens = match arg.get().copied() {
            Some(Effect::Weakens(how, except)) if !is_one_of(except) => Some(how),
            _ => None,
        };
        let mut text = OsString::from(format!("--{name}"));
        if let Some(value) = value {
            text.push("=");
            text.push(value);
        }
        let mut requires = missing(command, std::slice::from_ref(&text))?;
        // Arguments that the command requires even without this flag, such as one of two flags, are not included.
        let missing_in_command = missing(command, &[]).unwrap_or_default();
        requires.retain(|name| !missing_in_command.contains(name));
        Ok(Self { text, flag: name.to_owned(), span: flag.name_span, requires, weakens })
    }
}

/// Returns the flags that clap requires in addition to `arguments`, or the reason if it rejects a value.
fn missing(command: &Command, arguments: &[OsString]) -> Result<Vec<String>, Rejection> {
    let Err(error) = command.clone().no_binary_name(true).try_get_matches_from(arguments) else {
        return Ok(Vec::new());
    };
    if let Some(rejection) = rejection(&error) {
        return Err(rejection);
    }
    let missing = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::Strings(missing)) if error.kind() == ErrorKind::MissingRequiredArgument => {
            missing.as_slice()
        }
        _ => &[],
    };
    let names = missing.iter().filter_map(|usage| usage.strip_prefix("--"));
    let names = names.map(|usage| usage.split([' ', '=', '[']).next().unwrap_or(usage));
    Ok(names.map(str::to_owned).collect())
}

/// Returns the reason that a value is rejected, or `None` if the error has a different cause, such as another flag that
/// is missing.
fn rejection(error: &clap::Error) -> Option<Rejection> {
    let invalid = match error.kind() {
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => error.get(ContextKind::InvalidValue),
        _ => return None,
    };
    let problem = match (invalid, error.source()) {
        (Some(ContextValue::String(value)), Some(source)) => format!("cannot be `{value}`: {source}"),
        (Some(ContextValue::String(value)), None) if !value.is_empty() => format!("cannot be `{value}`"),
        _ => "needs a value".to_owned(),
    };
    let suggested = error.get(ContextKind::SuggestedValue);
    let help = match suggested.or(error.get(ContextKind::ValidValue)) {
        Some(ContextValue::String(value)) => Some(format!("did you mean `{value}`?")),
        Some(ContextValue::Strings(values)) => Some(format!("use one of: `{}`", values.join("`, `"))),
        _ => None,
    };
    Some(Rejection { problem, help })
}

#[cfg(test)]
mod tests {
    use clap::ArgAction;

    use super::*;
    use crate::printable::ByteSize;

    #[test]
    fn reports_invalid_values_before_missing_flags() {
        let sizes = |text: &str| text.parse::<ByteSize>().map_err(|_| "not a size");
        let command = Command::new("x").args([
            Arg::new("on").long("on").action(ArgAction::SetTrue),
            Arg::new("mode").long("mode").value_parser(["fast", "slow"]),
            Arg::new("size").long("size").value_parser(sizes),
            Arg::new("pairs").long("pairs").requires_all(["on", "size"]),
        ]);
        let help = || Some("use one of: `fast`, `slow`".to_owned());
        for (args, expected) in [
            (&["--size=1"][..], Ok(vec![])),
            (&["--pairs=a=b"], Ok(vec!["on", "size"])),
            (&["--pairs=a=b", "--on"], Ok(vec!["size"])),
            (&["--pairs=a=b", "--size=1", "--on"], Ok(vec![])),
            (&["--gone"], Ok(vec![])),
            (&["--mode=fas"], Err(("cannot be `fas`".to_owned(), Some("did you mean `fast`?".to_owned())))),
            (&["--mode=xyz"], Err(("cannot be `xyz`".to_owned(), help()))),
            (&["--size=many"], Err(("cannot be `many`: not a size".to_owned(), None))),
            (&["--mode="], Err(("needs a value".to_owned(), help()))),
        ] {
            let args: Vec<_> = args.iter().map(OsString::from).collect();
            let actual = missing(&command, &args).map_err(|rejection| (rejection.problem, rejection.help));
            let expected = expected.map(|names| names.into_iter().map(str::to_owned).collect());
            assert_eq!(actual, expected, "{args:?}");
        }
    }
}

//! The value of a flag that is written elsewhere than on the command line: as clap takes it, and what clap says of it.

use std::error::Error as _;
use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, Command};

use crate::byte_size::ByteSize;
use crate::settings::{FlagValue, Refusal};

/// The text that stands for a value on the command line; for a switch, `true` or `false`.
pub(super) fn text(arg: &Arg, value: &FlagValue) -> Result<String, Refusal> {
    let refused = |problem: &str| Err(Refusal::new(problem));
    if is_switch(arg) {
        return match value {
            FlagValue::Switch(on) => Ok(on.to_string()),
            FlagValue::Text(text) if ["true", "false"].contains(&text.as_str()) => Ok(text.clone()),
            _ => refused("is switched on and off: expected `true` or `false`"),
        };
    }
    match value {
        FlagValue::Switch(_) => Err(Refusal::new("takes a text, found a boolean").help("quote it")),
        FlagValue::Text(text) => Ok(text.clone()),
        FlagValue::List(texts) if takes(arg, ',') => Ok(texts.join(",")),
        FlagValue::List(_) => refused("takes one value, found a list"),
        FlagValue::Pairs(pairs) if takes(arg, '=') => {
            let is_plain = |(key, value): &(String, String)| !key.contains(['=', ',']) && !value.contains(',');
            if !pairs.iter().all(is_plain) {
                return refused("takes keys without `=` and `,`, and values without `,`");
            }
            let pairs: Vec<_> = pairs.iter().map(|(key, value)| format!("{key}={value}")).collect();
            Ok(pairs.join(","))
        }
        FlagValue::Pairs(_) => refused("takes a text, found a mapping"),
    }
}

/// What a flag does, in its short help.
pub(super) fn help(arg: &Arg) -> String {
    arg.get_help().map(ToString::to_string).unwrap_or_default()
}

/// The words that a flag takes; none where it takes any text.
pub(super) fn words(arg: &Arg) -> Vec<String> {
    let words = arg.get_possible_values();
    words.iter().map(|word| word.get_name().to_owned()).collect()
}

/// The value without any setting; empty if there is none.
pub(super) fn default(arg: &Arg) -> String {
    let defaults = arg.get_default_values().iter().map(|value| value.to_string_lossy());
    defaults.collect::<Vec<_>>().join(",")
}

/// Whether a flag takes no value on the command line.
pub(super) fn is_switch(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::SetTrue)
}

/// Whether the value of a flag has this sign between its parts.
pub(super) fn takes(arg: &Arg, sign: char) -> bool {
    let names = arg.get_value_names().unwrap_or_default();
    names.iter().any(|name| name.contains(sign))
}

/// Whether the value of a limit is above another one. What cannot be compared counts as raised.
pub(super) fn is_raised(value: &str, limit: &str) -> bool {
    let number = |text: &str| text.parse::<ByteSize>().ok();
    number(value)
        .zip(number(limit))
        .is_none_or(|(value, limit)| value > limit)
}

/// What clap says of arguments: why a value is refused, or else the names of the flags that they need beside them.
pub(super) fn tried(command: &Command, args: &[OsString]) -> Result<Vec<String>, Refusal> {
    let Err(error) = command.clone().try_get_matches_from(args) else {
        return Ok(Vec::new());
    };
    if let Some(refusal) = refusal(&error) {
        return Err(refusal);
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

/// What an error says of the value; none where it is about something else, such as another flag that is missing.
fn refusal(error: &clap::Error) -> Option<Refusal> {
    let invalid = match error.kind() {
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => error.get(ContextKind::InvalidValue),
        _ => return None,
    };
    let problem = match (invalid, error.source()) {
        (Some(ContextValue::String(value)), Some(source)) => format!("cannot be `{value}`: {source}"),
        (Some(ContextValue::String(value)), None) if !value.is_empty() => format!("cannot be `{value}`"),
        _ => "needs a value".to_owned(),
    };
    let meant = error.get(ContextKind::SuggestedValue);
    let help = match meant.or(error.get(ContextKind::ValidValue)) {
        Some(ContextValue::String(value)) => Some(format!("did you mean `{value}`?")),
        Some(ContextValue::Strings(values)) => Some(format!("use one of: `{}`", values.join("`, `"))),
        _ => None,
    };
    Some(Refusal { problem, help })
}

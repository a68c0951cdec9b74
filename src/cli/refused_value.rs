//! What clap says of a value that stands in a file instead of on the command line.

use std::error::Error as _;

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Why a flag cannot have its value.
pub(super) struct RefusedValue {
    /// What is wrong, to be said behind the name of the flag: ``cannot be `x`: …``.
    pub(super) problem: String,
    /// What to do about it.
    pub(super) help: Option<String>,
}

impl RefusedValue {
    /// What an error says of the value; none where it is about something else, such as another flag that is missing.
    pub(super) fn of(error: &clap::Error) -> Option<Self> {
        let invalid = match error.kind() {
            ErrorKind::InvalidValue | ErrorKind::ValueValidation => error.get(ContextKind::InvalidValue),
            _ => return None,
        };
        let problem = match (invalid, error.source()) {
            (Some(ContextValue::String(value)), Some(source)) => format!("cannot be `{value}`: {source}"),
            (Some(ContextValue::String(value)), None) if !value.is_empty() => format!("cannot be `{value}`"),
            _ => "needs a value".to_owned(),
        };
        Some(Self {
            problem,
            help: help(error),
        })
    }
}

fn help(error: &clap::Error) -> Option<String> {
    if let Some(ContextValue::String(value)) = error.get(ContextKind::SuggestedValue) {
        return Some(format!("did you mean `{value}`?"));
    }
    match error.get(ContextKind::ValidValue) {
        Some(ContextValue::Strings(values)) => Some(format!("use one of: `{}`", values.join("`, `"))),
        _ => None,
    }
}

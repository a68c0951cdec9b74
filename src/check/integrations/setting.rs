//! An integration's settings, as the agent reads them, and common expectations for them.
//!
//! A missing setting has its default value. A string with a variable is unknown, because the variable's value is known
//! only in the pod.

use std::borrow::Cow;

use crate::check::field::NOT_EMPTY;
use crate::check::walk::Expect::{self, As, Is, Required};
use crate::check::walk::Json;
use crate::diagnostic::Code;
use crate::go::duration;
use crate::programs::integrations::{self, KnownIntegration};
use crate::yaml::NodeValue;

/// Returns the string value of a setting, or `None` if it is unknown or not a string.
pub fn text<'v>(config: Json<'v>, path: &str, default: &'static str) -> Option<Cow<'v, str>> {
    match config.non_null(path) {
        Some(value) => value.constant_text(),
        None => Some(Cow::Borrowed(default)),
    }
}

/// Whether a string setting is empty, or is missing and has no default.
pub fn is_blank(config: Json<'_>, path: &str, default: &'static str) -> bool {
    text(config, path, default).is_some_and(|text| text.is_empty())
}

/// Returns the integer value of a setting, or `None` if it is not a number.
pub fn number(config: Json<'_>, path: &str, default: i64) -> Option<i64> {
    match config.non_null(path).map(Json::value) {
        None => Some(default),
        Some(NodeValue::Int(number)) => Some(number),
        Some(NodeValue::Float(number)) if number.fract() == 0.0 => Some(number as i64),
        Some(_) => None,
    }
}

/// Returns a duration in nanoseconds, or `None` if the value is invalid. A number is treated as nanoseconds.
pub fn nanoseconds(config: Json<'_>, path: &str, default: i64) -> Option<i64> {
    match config.non_null(path).and_then(Json::as_str) {
        Some(text) => duration::parse_go(text),
        None => number(config, path, default),
    }
}

/// Expects a setting without which the integration does not start.
pub const REQUIRED_KEY: Expect = As(Code::MissingIntegrationKey, &Required);

/// Expects a setting that has a default but must not be empty.
pub const NON_EMPTY_KEY: Expect = As(Code::MissingIntegrationKey, &NOT_EMPTY);

/// Expects a Go duration, or a number of nanoseconds, above zero.
pub const ABOVE_ZERO: Expect =
    As(Code::InvalidDuration, &Is(|time| is_duration_at_least(1, time), "must be greater than zero"));

/// Whether a string is a duration of at least `min_nanoseconds` nanoseconds. Other strings are reported elsewhere.
pub fn is_duration_at_least(min_nanoseconds: i64, time: &str) -> bool {
    time.parse().ok().or_else(|| duration::parse_go(time)).is_none_or(|time: i64| time >= min_nanoseconds)
}

/// Clause about the effect of a mistake in an integration's configuration.
pub const AGENT_STOPS: &str = ", so the agent does not start";

/// Returns the configuration in a `spec` and the integration's catalog entry, or `None` if either is missing.
pub fn configuration(spec: Json<'_>) -> Option<(Json<'_>, &'static KnownIntegration)> {
    Some((spec.non_null("config")?, integrations::find(spec.text("name"))?))
}

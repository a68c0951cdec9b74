//! An integration's settings, as the agent reads them.
//!
//! A missing setting has its default value. A string with a variable is unknown, because the variable's value is known
//! only in the pod.

use std::borrow::Cow;

use crate::check::walk::{Json, Step, Walk};
use crate::diagnostic::Code;
use crate::go::duration;
use crate::yaml::NodeValue;

/// Returns a string with `$$` replaced with `$`, as the agent does (`envsubst`), or `None` if the string contains a
/// variable.
pub fn known(text: Cow<'_, str>) -> Option<Cow<'_, str>> {
    let has_variable = ["${", "$("].into_iter().any(|opening| text.contains(opening));
    (!has_variable).then(|| match text.contains("$$") {
        true => Cow::Owned(text.replace("$$", "$")),
        false => text,
    })
}

/// Returns the string value of a setting, or `None` if it is unknown or not a string.
pub fn text<'v>(config: Json<'v>, path: &str, default: &'static str) -> Option<Cow<'v, str>> {
    match config.set(path) {
        Some(value) => known(value.scalar()?),
        None => Some(Cow::Borrowed(default)),
    }
}

/// Whether a string setting is empty, or is missing and has no default.
pub fn is_blank(config: Json<'_>, path: &str, default: &'static str) -> bool {
    text(config, path, default).is_some_and(|text| text.is_empty())
}

/// Returns the integer value of a setting, or `None` if it is not a number.
pub fn number(config: Json<'_>, path: &str, default: i64) -> Option<i64> {
    match config.set(path).map(Json::value) {
        None => Some(default),
        Some(NodeValue::Int(number)) => Some(number),
        Some(NodeValue::Float(number)) if number.fract() == 0.0 => Some(number as i64),
        Some(_) => None,
    }
}

/// Returns a duration in nanoseconds, or `None` if the value is invalid. A number is treated as nanoseconds.
pub fn nanoseconds(config: Json<'_>, path: &str, default: i64) -> Option<i64> {
    match config.set(path).and_then(Json::as_str) {
        Some(text) => duration::parse_go(&known(text.into())?),
        None => number(config, path, default),
    }
}

/// Whether a switch is on.
pub fn is_on(config: Json<'_>, path: &str, default: bool) -> bool {
    config.set(path).map_or(default, |value| value.is(true))
}

/// Reports a setting that the integration rejects. `problem` is a predicate whose subject is the setting.
pub fn refuse<'v>(walk: &mut Walk<'v>, at: &[Step<'v>], problem: impl AsRef<str>, help: impl Into<String>) {
    refuse_as(walk, Code::InvalidIntegration, at, problem, help);
}

/// Reports a setting that the integration rejects, with a specific code.
pub fn refuse_as<'v>(
    walk: &mut Walk<'v>,
    code: Code,
    at: &[Step<'v>],
    problem: impl AsRef<str>,
    help: impl Into<String>,
) {
    let name = at.iter().rev().find_map(|step| step.key());
    let name = name.unwrap_or(walk.last_key());
    let message = format!("`{name}` {}, so the agent does not start", problem.as_ref());
    walk.report_with_code(code, at, message, help);
}

/// Reports a setting that is missing or empty.
pub fn missing<'v>(walk: &mut Walk<'v>, at: &[Step<'v>], needed: &str, help: &str) {
    let message = format!("{needed}, and the agent does not start without it");
    walk.report_with_code(Code::MissingIntegrationKey, at, message, help);
}

/// Reports that none of several settings is set.
pub fn missing_choice(walk: &mut Walk<'_>, needed: &str, help: &str) {
    let message = format!("{needed}, and the agent does not start without one of them");
    walk.report_with_code(Code::MissingIntegrationKey, &[], message, help);
}

/// Reports a certificate without a key, or a key without a certificate.
pub fn pair<'v>(config: Json<'v>, first: &'static str, second: &'static str, walk: &mut Walk<'v>) {
    let (Some(one), Some(other)) = (text(config, first, ""), text(config, second, "")) else {
        return;
    };
    if one.is_empty() != other.is_empty() {
        let (set, missing) = if other.is_empty() { (first, second) } else { (second, first) };
        refuse(walk, &[Step::Key(set)], format!("is set without `{missing}`"), format!("set `{missing}` as well"));
    }
}

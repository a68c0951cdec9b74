//! Findings about `agentctl.yaml` and the parameters that other tools pass.

use super::flag::{Flag, Rejection};
use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::input::Input;
use crate::source::Span;
use crate::yaml::{Entry, Node};

/// Finding for a mistake in `agentctl.yaml`.
fn setting(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::InvalidSettings, message).label(span, "")
}

/// Finding for a mistake in the parameters that another tool passes.
fn finding_at(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::InvalidParameter, message).label(span, "")
}

/// Finding for a setting that does not exist.
pub(super) fn unknown_key(entry: &Entry<'_>, known: &[&str]) -> Diagnostic {
    setting(entry.key_span, format!("unknown setting `{}`", entry.key)).help(suggest::one_of(entry.key, known))
}

pub(super) fn unknown_level(entry: &Entry<'_>) -> Diagnostic {
    let hint = entry.value.as_str().map(|level| format!(", found `{level}`"));
    let what = format!("`deny`, `warn` or `allow` for `{}`{}", entry.key, hint.unwrap_or_default());
    unexpected_value(&what, entry.value)
}

/// Finding for a value of the wrong type or form.
pub(super) fn unexpected_value(what: &str, node: Node<'_>) -> Diagnostic {
    setting(node.span(), format!("expected {what}"))
}

/// Finding for an exception without a code or reason.
pub(super) fn incomplete_exception(item: Node<'_>, key: &str) -> Diagnostic {
    let first = item.entries().next().map_or(item.span(), |entry| entry.key_span);
    setting(first, format!("the exception has no `{key}`")).help(format!("add `{key}`"))
}

/// Finding for `inputs` without a path.
pub(super) fn empty_inputs(node: Node<'_>) -> Diagnostic {
    setting(node.span(), "`inputs` contains no path")
        .help("set it to a file or directory, or remove `inputs`: the default is this directory")
}

/// Finding for a value that no flag accepts.
pub(super) fn invalid_value(flag: &str, node: Node<'_>) -> Diagnostic {
    setting(node.span(), format!("expected a string for `{flag}`")).help("quote it")
}

/// Finding for a flag that does not exist or cannot be set in a file.
pub fn unknown_flag(flag: &Flag, known: &[&str]) -> Diagnostic {
    let message = format!("`{}` is not a flag that can be set here", flag.name);
    setting(flag.name_span, message).help(suggest::one_of(&flag.name, known))
}

/// Finding for a setting that may hide mistakes from a check that denies warnings.
pub fn weakened_check(name: &str, how: &str, place: Span) -> Diagnostic {
    Diagnostic::new(Code::WeakenedCheck, format!("`{name}` weakens the check: it {how}"))
        .label(place, "")
        .help(
            "remove it, pass it on the command line, or ignore the file with `--no-settings`; to accept a file that you trust, \
             pass `--settings FILE`",
        )
}

/// Finding for an output directory in the settings that cannot be used, because an input is outside the settings file's
/// repository.
pub fn foreign_input(place: Span, input: &Input) -> Diagnostic {
    let hint = match input {
        Input::Stdin => "the input is standard input".to_owned(),
        input => format!("the input `{}` is outside the file's repository", input.name()),
    };
    setting(place, format!("`output-dir` cannot be used: {hint}"))
        .help("pass `--output-dir -` to write to standard output, or `--output-dir DIR`")
}

/// Finding for a flag with an invalid value.
pub fn invalid_flag(flag: &Flag, Rejection { problem, help }: Rejection) -> Diagnostic {
    setting(flag.value_span, format!("`{}` {problem}", flag.name)).help_if(help)
}

/// Finding for an input outside the application's repository.
pub fn input_outside_repository(path: &str) -> Diagnostic {
    Diagnostic::new(
        Code::InvalidSettings,
        format!("`inputs` lists `{path}`, which is outside the repository of `agentctl.yaml` or inside `.git`"),
    )
    .help("pass the input on the command line")
}

/// Finding for a parameter that does not exist.
pub fn unknown_parameter(parameter: &Flag, known: &[&str]) -> Diagnostic {
    let name = &parameter.name;
    finding_at(parameter.name_span, format!("unknown parameter `{name}`")).help(suggest::one_of(name, known))
}

/// Finding for a parameter with an invalid value.
pub fn invalid_parameter(parameter: &Flag, Rejection { problem, help }: Rejection) -> Diagnostic {
    let message = format!("parameter `{}` {problem}", parameter.name);
    finding_at(parameter.value_span, message).help_if(help)
}

/// Finding for a parameter that is set twice.
pub fn duplicate_parameter(first: &Flag, second: &Flag) -> Diagnostic {
    finding_at(second.name_span, format!("parameter `{}` is set twice", second.name))
        .label(first.name_span, "first set here")
        .help("keep one of them")
}

/// Finding for a parameter that refers to a file outside its author's repository.
pub fn outside_file(parameter: &Flag, file: &str) -> Diagnostic {
    let message = format!("`{file}` is not in the repository that contains the working directory");
    finding_at(parameter.value_span, message)
        .help("use files in this repository, with paths relative to the working directory")
}

/// Finding for a parameter that refers to standard input although it is already in use.
pub fn standard_input(parameter: &Flag) -> Diagnostic {
    let message = "`-` cannot be used here: standard input is already in use";
    finding_at(parameter.value_span, message).help("use only files and directories")
}

/// Finding for an environment variable that cannot be used.
pub fn variable(name: &str, reason: &str) -> Diagnostic {
    let message = format!("the environment variable `{name}` cannot be used: {reason}");
    Diagnostic::new(Code::InvalidParameter, message)
}

pub(super) fn missing_render(root: Option<Node<'_>>) -> Diagnostic {
    let message = "expected a `Render` of `agentctl.dev/v1alpha1` as the plugin's configuration";
    let diagnostic = Diagnostic::new(Code::InvalidParameter, message);
    match root {
        Some(root) => diagnostic.label(root.get("kind").unwrap_or(root).span(), ""),
        None => diagnostic,
    }
}

pub(super) fn wrong_form(name: &str, node: Node<'_>) -> Diagnostic {
    let message = format!("parameter `{name}` must be a string, a list of strings or a mapping of strings");
    malformed_parameters(node, message).help("quote values that are not strings")
}

/// Finding for parameters with an unexpected form.
pub(super) fn malformed_parameters(node: Node<'_>, message: impl Into<String>) -> Diagnostic {
    finding_at(node.span(), message)
}

//! What reading `agentctl.yaml` and parameters of other tools finds.

use super::flag::{Flag, Refusal};
use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::input::Input;
use crate::source::Span;
use crate::yaml::{Entry, Node};

/// A mistake in `agentctl.yaml`.
fn setting(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::InvalidSettings, message).label(span, "")
}

/// A mistake in the parameters of another tool.
fn at(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::InvalidParameter, message).label(span, "")
}

/// There is nothing of this name to set.
pub(super) fn unknown_key(entry: &Entry<'_>, known: &[&str]) -> Diagnostic {
    setting(entry.key_span, format!("unknown setting `{}`", entry.key)).help(suggest::one_of(entry.key, known))
}

pub(super) fn unknown_level(entry: &Entry<'_>) -> Diagnostic {
    let found = entry.value.as_str().map(|level| format!(", found `{level}`"));
    let what = format!(
        "`deny`, `warn` or `allow` for `{}`{}",
        entry.key,
        found.unwrap_or_default()
    );
    expected(&what, entry.value)
}

/// Something else belongs here.
pub(super) fn expected(what: &str, node: Node<'_>) -> Diagnostic {
    setting(node.span(), format!("expected {what}"))
}

/// An exception does not say what or why.
pub(super) fn incomplete_exception(item: Node<'_>, key: &str) -> Diagnostic {
    let first = item.entries().next().map_or(item.span(), |entry| entry.key_span);
    setting(first, format!("the exception has no `{key}`")).help(format!("add `{key}`"))
}

/// There are inputs, but not one.
pub(super) fn no_inputs(node: Node<'_>) -> Diagnostic {
    setting(node.span(), "`inputs` has no path")
        .help("name a file or directory, or leave `inputs` out: it is this directory then")
}

/// No flag takes such a value.
pub(super) fn not_a_text(flag: &str, node: Node<'_>) -> Diagnostic {
    setting(node.span(), format!("expected a string in `{flag}`")).help("quote it")
}

/// No command has the flag, or it cannot be set in a file.
pub fn unknown_flag(flag: &Flag, known: &[&str]) -> Diagnostic {
    let message = format!("`{}` is not a flag that can be set here", flag.name);
    setting(flag.name_span, message).help(suggest::one_of(&flag.name, known))
}

/// A setting may hide mistakes from a check that is to deny all of them.
pub fn weakened_check(name: &str, how: &str, place: Span) -> Diagnostic {
    Diagnostic::new(Code::WeakenedCheck, format!("`{name}` weakens the check: it {how}"))
        .label(place, "")
        .help(
            "remove it, pass it on the command line, or ignore the file with `--no-settings`; `--settings FILE` accepts a file \
             that you trust",
        )
}

/// A directory of the file is not for this input.
pub fn foreign_input(place: Span, input: &Input) -> Diagnostic {
    let found = match input {
        Input::Stdin => "standard input is read".to_owned(),
        input => format!("`{}` is outside of its repository", input.name()),
    };
    setting(place, format!("`output-dir` cannot be used: {found}"))
        .help("pass `--output-dir -` to write to standard output, or `--output-dir DIR`")
}

/// The flag takes another value.
pub fn invalid_flag(flag: &Flag, Refusal { problem, help }: Refusal) -> Diagnostic {
    setting(flag.value_span, format!("`{}` {problem}", flag.name)).help_if(help)
}

/// What is read for an application is not in its repository.
pub fn outside(path: &str) -> Diagnostic {
    Diagnostic::new(Code::InvalidSettings, format!(
        "`inputs` of `agentctl.yaml` names `{path}`, which is outside of the repository around it, or belongs to git"
    ))
    .help("name the input on the command line")
}

/// There is no parameter of this name.
pub fn unknown_parameter(parameter: &Flag, known: &[String]) -> Diagnostic {
    let name = &parameter.name;
    let known: Vec<_> = known.iter().map(String::as_str).collect();
    at(parameter.name_span, format!("unknown parameter `{name}`")).help(suggest::one_of(name, &known))
}

/// The parameter takes another value.
pub fn invalid_parameter(parameter: &Flag, Refusal { problem, help }: Refusal) -> Diagnostic {
    let message = format!("parameter `{}` {problem}", parameter.name);
    at(parameter.value_span, message).help_if(help)
}

/// The same name is given twice.
pub fn twice(first: &Flag, second: &Flag) -> Diagnostic {
    at(second.name_span, format!("parameter `{}` is set twice", second.name))
        .label(first.name_span, "the first time")
        .help("keep one of them")
}

/// A file outside of what the author of the parameter may have read.
pub fn outside_file(parameter: &Flag, file: &str) -> Diagnostic {
    let message = format!("`{file}` is not in the repository around the working directory");
    at(parameter.value_span, message).help("name files of the same repository by their path from the working directory")
}

/// Standard input carries something else already.
pub fn standard_input(parameter: &Flag) -> Diagnostic {
    let message = "`-` cannot be used here: standard input is in use";
    at(parameter.value_span, message).help("name files and directories only")
}

/// A variable of the environment cannot be used.
pub fn variable(name: &str, reason: &str) -> Diagnostic {
    let message = format!("the variable `{name}` cannot be used: {reason}");
    Diagnostic::new(Code::InvalidParameter, message)
}

pub(super) fn not_a_render(root: Option<Node<'_>>) -> Diagnostic {
    let message = "expected a `Render` of `agentctl.dev/v1alpha1` as the configuration of the plugin";
    let diagnostic = Diagnostic::new(Code::InvalidParameter, message);
    match root {
        Some(root) => diagnostic.label(root.get("kind").unwrap_or(root).span(), ""),
        None => diagnostic,
    }
}

pub(super) fn of_another_form(name: &str, node: Node<'_>) -> Diagnostic {
    let message = format!("parameter `{name}` must be text, a list of text or a mapping of text");
    malformed(node, message).help("quote values that are not text")
}

/// Parameters have another form than they must have.
pub(super) fn malformed(node: Node<'_>, message: impl Into<String>) -> Diagnostic {
    at(node.span(), message)
}

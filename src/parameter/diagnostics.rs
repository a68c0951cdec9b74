//! What reading and using parameters finds.

use super::value::Parameter;
use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::source::Span;
use crate::yaml::Node;

/// There is no parameter of this name.
pub fn unknown(parameter: &Parameter, known: &[String]) -> Diagnostic {
    let name = &parameter.name;
    let known: Vec<_> = known.iter().map(String::as_str).collect();
    at(parameter.name_span, format!("unknown parameter `{name}`")).help(suggest::one_of(name, &known))
}

/// The parameter cannot have the value; `problem` says why, after the name.
pub fn refused(parameter: &Parameter, problem: &str, help: Option<String>) -> Diagnostic {
    let message = format!("parameter `{}` {problem}", parameter.name);
    at(parameter.value_span, message).help_if(help)
}

/// The same name is given twice.
pub fn twice(first: &Parameter, second: &Parameter) -> Diagnostic {
    at(second.name_span, format!("parameter `{}` is set twice", second.name))
        .label(first.name_span, "the first time")
        .help("keep one of them")
}

/// A file outside of what the author of the parameter may have read.
pub fn outside(parameter: &Parameter, file: &str) -> Diagnostic {
    let message = format!("`{file}` is not in the repository around the working directory");
    at(parameter.value_span, message).help("name files of the same repository by their path from the working directory")
}

/// Standard input carries something else already.
pub fn standard_input(parameter: &Parameter) -> Diagnostic {
    at(
        parameter.value_span,
        "`-` cannot be used here: standard input is in use",
    )
    .help("name files and directories only")
}

/// A variable of the environment cannot be used.
pub fn variable(name: &str, reason: &str) -> Diagnostic {
    Diagnostic::new(
        Code::InvalidParameter,
        format!("the variable `{name}` cannot be used: {reason}"),
    )
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
    at(
        node.span(),
        format!("parameter `{name}` must be text, a list of text or a mapping of text"),
    )
    .help("quote values that are not text")
}

pub(super) fn not_a_list(node: Node<'_>) -> Diagnostic {
    at(
        node.span(),
        "expected a list of parameters, each with a `name` and a `string`, an `array` or a `map`",
    )
}

pub(super) fn without_name(node: Node<'_>) -> Diagnostic {
    at(node.span(), "a parameter has no `name`")
}

pub(super) fn without_value(name: &str, node: Node<'_>) -> Diagnostic {
    at(
        node.span(),
        format!("parameter `{name}` needs exactly one of `string`, `array` and `map`"),
    )
}

pub(super) fn not_a_configuration(node: Node<'_>, api_version: &str, kind: &str) -> Diagnostic {
    let message =
        format!("expected a `ConfigMap`, or a `Render` of `agentctl.dev/v1alpha1`, found `{kind}` of `{api_version}`");
    at(node.span(), message)
}

pub(super) fn not_a_mapping(name: &str, node: Node<'_>) -> Diagnostic {
    at(node.span(), format!("`{name}` must be a mapping"))
}

fn at(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::InvalidParameter, message).label(span, "")
}

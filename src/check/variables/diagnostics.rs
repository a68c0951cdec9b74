//! Findings about variables.

use std::fmt::Display;

use crate::api::{AnyResource, ResourceHeader, Resources};
use crate::check::strings::{ResourceString, holder};
use crate::diagnostic::{Code, Diagnostic, FieldPath, Severity};
use crate::resolve::{AssetKey, InlinedValue};

/// Help for a `${` that does not start a variable.
pub const ESCAPE: &str = "write `$${` for a literal `${`";

/// Help for a variable in a Secret value.
const IN_SECRET: &str = "change the value, or read it from a file";

/// Problem with a string, and the name of the variable, if any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableProblem<'t> {
    /// The config-reloader has no value for the variable.
    UnsetForReloader { name: &'t str, is_tolerated: bool },
    /// No container in the pod sets the variable.
    Unset(&'t str),
    /// A key in the configuration consists of a variable that nothing in the pod sets, so the agent reads an empty key.
    EmptyKey(&'t str),
    /// The agent cannot parse the reference.
    Broken,
}

impl VariableProblem<'_> {
    fn code(self) -> Code {
        match self {
            VariableProblem::UnsetForReloader { .. } => Code::ReloaderVariable,
            VariableProblem::Unset(_) => Code::UnsetVariable,
            VariableProblem::EmptyKey(_) | VariableProblem::Broken => Code::MisreadVariable,
        }
    }

    /// Returns the message. `what` describes the string. If `is_secret` is set, the message does not contain any part
    /// of the string.
    pub fn message(self, is_secret: bool, what: impl Display) -> String {
        let show_variable = |open: &str, name: &str, close: &str| match is_secret {
            true => format!("`{open}…{close}` in {what}"),
            false => format!("`{open}{name}{close}`"),
        };
        match self {
            VariableProblem::UnsetForReloader { name, is_tolerated: false } => {
                let show_variable = show_variable("$(", name, ")");
                format!(
                    "the config-reloader has no value for {show_variable} and exits, so the agent gets no configuration"
                )
            }
            VariableProblem::UnsetForReloader { name, .. } => {
                let show_variable = show_variable("$(", name, ")");
                format!("the config-reloader has no value for {show_variable} and leaves it unchanged")
            }
            VariableProblem::Unset(name) => {
                let show_variable = show_variable("${", name, "}");
                format!(
                    "the agent replaces {show_variable} with an empty string because nothing in the pod sets the variable"
                )
            }
            VariableProblem::EmptyKey(name) => {
                let show_variable = show_variable("${", name, "}");
                format!("nothing in the pod sets {show_variable}, so the agent reads an empty key and does not start")
            }
            VariableProblem::Broken => {
                format!(
                    "{what} contains a `${{` that is not followed by a variable name and `}}`, so the agent does not start"
                )
            }
        }
    }

    fn help(self) -> String {
        match self {
            VariableProblem::UnsetForReloader { name, .. } if name.bytes().all(|byte| byte.is_ascii_digit()) => {
                format!("write `${{{name}}}` for a capture group")
            }
            VariableProblem::UnsetForReloader { name, .. } => format!(
                "write `${{{name}}}` to refer to one of the agent's variables, or add `{name}` to the `env` of a container named `config-reloader` in the \
                 GrafanaAgent's `spec.containers`"
            ),
            VariableProblem::Unset(name) | VariableProblem::EmptyKey(name) => format!(
                "add `{name}` to the `env` of a container named `grafana-agent` in the GrafanaAgent's `spec.containers`, or write \
                 `$${{{name}}}` for a literal `${{{name}}}`"
            ),
            VariableProblem::Broken => ESCAPE.to_owned(),
        }
    }

    fn severity(self) -> Severity {
        match self {
            VariableProblem::UnsetForReloader { is_tolerated: true, .. } => Severity::Warning,
            _ => self.code().severity(),
        }
    }
}

/// Finding for a string in a resource.
pub fn text_finding(
    problem: VariableProblem<'_>,
    head: &ResourceHeader<'_>,
    text: &ResourceString<'_, '_>,
) -> Diagnostic {
    let is_secret = text.is_secret();
    let subject = match problem {
        VariableProblem::Broken => "the string".to_owned(),
        _ => format!("`{}`", text.path),
    };
    let message = problem.message(is_secret, subject);
    let finding = head.finding(problem.code(), text.path, message);
    let help = match problem {
        // The variable's name is part of the secret.
        VariableProblem::UnsetForReloader { .. } if is_secret => {
            "add the variable to the `env` of a container named `config-reloader` in the GrafanaAgent's `spec.containers`"
                .to_owned()
        }
        VariableProblem::Unset(_) | VariableProblem::EmptyKey(_) if is_secret => {
            "add the variable to the `env` of a container named `grafana-agent` in the GrafanaAgent's `spec.containers`"
                .to_owned()
        }
        _ => problem.help(),
    };
    let finding = finding.help(help).severity(problem.severity());
    match problem {
        VariableProblem::Unset(name) if !is_secret => finding.cause(format!("variable {name}")),
        _ => finding,
    }
}

/// Finding for a Secret value that is written to a configuration. It is reported at the Secret if the input contains
/// the Secret.
pub fn secret_finding(
    problem: VariableProblem<'_>,
    resources: &Resources<'_>,
    value: &InlinedValue<'_, '_>,
) -> Diagnostic {
    let key = value.key.key;
    let message = problem.message(true, format!("the value of `{key}`"));
    let finding = match holder(resources, &value.key) {
        Some((holder, path)) => {
            let user = value.referrer.locate(&value.path);
            holder.finding(problem.code(), &path, message).label(user, "used here")
        }
        None => value.referrer.finding(problem.code(), &value.path, message),
    };
    finding.help(IN_SECRET).severity(problem.severity())
}

/// Finding for scrape jobs in a Secret, reported at the field that refers to the Secret.
pub fn job_finding(
    problem: VariableProblem<'_>,
    resources: &Resources<'_>,
    referrer: AnyResource<'_, '_>,
    path: &FieldPath<'_>,
    key: &AssetKey<'_>,
) -> Diagnostic {
    let message = problem.message(true, format!("the scrape jobs under key `{}`", key.key));
    let finding = referrer.header().finding(problem.code(), path, message);
    let finding = match holder(resources, key) {
        Some((holder, path)) => finding.label(holder.locate(&path), "the jobs are defined here"),
        None => finding,
    };
    finding.help(IN_SECRET).severity(problem.severity())
}

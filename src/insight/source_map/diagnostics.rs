//! Findings for configurations that cannot be shown.

use crate::api::ObjectRef;
use crate::diagnostic::{Code, Diagnostic, FieldPath};
use crate::insight::catalog::{LocatedResource, ambiguous_argument};

/// Finding for a run without an agent name although the input contains several agents.
pub fn several_agents(agents: &[LocatedResource<'_>]) -> Diagnostic {
    let message = format!("the input has {} GrafanaAgents", agents.len());
    let name = |agent: ObjectRef<'_>| format!("{}/{}", agent.namespace, agent.name);
    ambiguous_argument(message, agents, name, |_| String::new())
}

/// Finding for an argument that is not the name of an agent.
pub fn no_agent_name(argument: &str) -> Diagnostic {
    let message = format!("`{argument}` is not a valid GrafanaAgent name");
    Diagnostic::new(Code::UnknownResource, message).help("write NAME or NAMESPACE/NAME")
}

/// Finding for an agent that is rejected, paused, or excluded by `--agent-selector`.
pub fn not_compiled(agent: &LocatedResource<'_>, is_paused: bool) -> Diagnostic {
    let (path, reason, help) = match is_paused {
        _ if agent.refused => ("metadata.name", "is rejected", "correct it first: `agentctl check` shows its errors"),
        true => ("spec.paused", "is paused", "remove `paused`"),
        false => ("metadata.labels", "is excluded by `--agent-selector`", "change the selector, or the agent's labels"),
    };
    let path = FieldPath::parse(path);
    let message = format!("GrafanaAgent `{}` {reason}, so there is no configuration for it", agent.object.name);
    Diagnostic::new(Code::EmptyRender, message)
        .label(path.locate(agent.root), "")
        .resource(agent.object)
        .path(path)
        .help(help)
}

/// Finding for an agent that has no configuration of the `wanted` type. `others` lists the types of the agent's
/// configurations.
pub fn no_configuration(agent: &LocatedResource<'_>, wanted: &str, others: &[&str]) -> Diagnostic {
    let (message, help) = match others {
        [] => (
            format!("GrafanaAgent `{}` has no configuration, because it selects nothing", agent.object.name),
            "make it select a MetricsInstance, a LogsInstance or an Integration".to_owned(),
        ),
        others => (
            format!("GrafanaAgent `{}` has no configuration of type `{wanted}`", agent.object.name),
            format!("pass `--type {}`", others.join("`, or `--type ")),
        ),
    };
    Diagnostic::new(Code::EmptyRender, message).label(agent.root.name_span(), "").resource(agent.object).help(help)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::insight::resolved::resolve_text;

    #[test]
    fn explains_missing_configurations() {
        let agent =
            "apiVersion: monitoring.grafana.com/v1alpha1\nkind: GrafanaAgent\nmetadata: {name: a, namespace: m}\n";
        resolve_text(agent, |input| {
            let catalog = input.catalog();
            let agent = *catalog.iter().next().unwrap();
            for (is_rejected, is_paused, path, reason, help) in [
                (true, true, "metadata.name", "is rejected", "correct it first: `agentctl check` shows its errors"),
                (true, false, "metadata.name", "is rejected", "correct it first: `agentctl check` shows its errors"),
                (false, true, "spec.paused", "is paused", "remove `paused`"),
                (
                    false,
                    false,
                    "metadata.labels",
                    "is excluded by `--agent-selector`",
                    "change the selector, or the agent's labels",
                ),
            ] {
                let actual = not_compiled(&LocatedResource { refused: is_rejected, ..agent }, is_paused);
                let message = format!("GrafanaAgent `a` {reason}, so there is no configuration for it");
                assert_eq!((actual.message, actual.path.as_deref()), (message, Some(path)));
                assert_eq!(actual.help.as_deref(), Some(help));
            }
        });
    }
}

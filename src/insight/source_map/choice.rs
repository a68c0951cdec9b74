//! Selection of the agent whose configuration is shown.

use super::diagnostics;
use crate::api::{Kind, Resources, find};
use crate::diagnostic::Diagnostic;
use crate::insight::catalog::{self, Catalog, LocatedResource, ResourceArgument};
use crate::resolve::Hierarchy;

/// Returns the agent with the given name (`NAME` or `NAMESPACE/NAME`, optionally prefixed with the kind), or the only
/// agent if no name is given.
///
/// # Errors
///
/// Returns a finding if no agent matches or if several agents match.
pub fn agent<'d>(given: Option<&str>, catalog: &Catalog<'_, 'd>) -> Result<LocatedResource<'d>, Box<Diagnostic>> {
    let target = match given {
        None => agent_argument(None, None),
        Some(text) => parse_agent_argument(text).ok_or_else(|| diagnostics::no_agent_name(text))?,
    };
    let matching = catalog.find(&target)?;
    match matching.as_slice() {
        [agent] => Ok(*agent),
        agents => Err(Box::new(diagnostics::several_agents(agents))),
    }
}

/// Whether an argument can only be a path: it looks like a path, or contains too many slashes for `NAMESPACE/NAME`.
pub fn is_path(text: &str) -> bool {
    let has_parts =
        text.contains('/') && parse_agent_argument(text).is_none() && ResourceArgument::parse(text).is_none();
    catalog::is_path(text) || has_parts
}

fn agent_argument<'a>(namespace: Option<&'a str>, name: Option<&'a str>) -> ResourceArgument<'a> {
    ResourceArgument { kind: Kind::GrafanaAgent, generator: None, namespace, name }
}

fn parse_agent_argument(text: &str) -> Option<ResourceArgument<'_>> {
    let target = match text.matches('/').count() {
        0 => agent_argument(None, Some(text)),
        1 => text.split_once('/').map(|(namespace, name)| agent_argument(Some(namespace), Some(name)))?,
        _ => ResourceArgument::parse(text).filter(|target| target.kind == Kind::GrafanaAgent)?,
    };
    target.has_nonempty_parts().then_some(target)
}

/// Returns an agent's hierarchy.
///
/// # Errors
///
/// Returns a finding if the agent is rejected, paused, or excluded by `--agent-selector`.
pub fn hierarchy<'h, 'd>(
    agent: &LocatedResource<'d>,
    hierarchies: &'h [Hierarchy<'h, 'd>],
    resources: &Resources<'d>,
) -> Result<&'h Hierarchy<'h, 'd>, Box<Diagnostic>> {
    let mut remaining = hierarchies.iter();
    let matching = remaining.find(|hierarchy| hierarchy.agent.object_ref() == agent.object);
    matching.ok_or_else(|| {
        let resource = find(&resources.agents, agent.object.namespace, agent.object.name);
        let is_paused = resource.is_some_and(|resource| resource.spec.paused);
        Box::new(diagnostics::not_compiled(agent, is_paused))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_agents_with_or_without_namespace_and_kind() {
        for (text, expected) in [
            ("agent", Some(agent_argument(None, Some("agent")))),
            ("ns/agent", Some(agent_argument(Some("ns"), Some("agent")))),
            ("grafanaagent/ns/agent", Some(agent_argument(Some("ns"), Some("agent")))),
            ("probe/ns/agent", None),
            ("ns/", None),
            ("/agent", None),
            ("", None),
        ] {
            assert_eq!(parse_agent_argument(text), expected, "{text}");
        }
    }

    #[test]
    fn recognizes_paths_that_cannot_be_agents() {
        for (text, expected) in [
            ("-", true),
            ("./agent", true),
            ("agents/prod.yaml", true),
            ("agents/", true),
            ("apps/shop/monitoring", true),
            ("agent", false),
            ("ns/agent", false),
            ("grafanaagent/ns/agent", false),
            ("probe/ns/web", false),
            ("", false),
        ] {
            assert_eq!(is_path(text), expected, "{text}");
        }
    }
}

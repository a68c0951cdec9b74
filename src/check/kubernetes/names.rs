//! Names made from the agent's own.
//!
//! A StatefulSet labels its pods with the name of its revision, which is its own name and 11 more characters; a label
//! has 63 at most. The API server takes longer names, and the pods then fail.

use super::diagnostics;
use crate::api::syntax;
use crate::diagnostic::Diagnostic;
use crate::resolve::Hierarchy;

const STATEFUL_SET_MAX: usize = 52;

pub(super) fn check(hierarchy: &Hierarchy<'_, '_>) -> Vec<Diagnostic> {
    let agent = hierarchy.agent;
    let name = agent.meta.name;
    let mut found = Vec::new();
    if syntax::subdomain(name).is_some() {
        // The name itself is refused.
        return found;
    }
    if !hierarchy.metrics.is_empty() {
        let longest = match agent.spec.metrics.shards.unwrap_or(1) {
            ..=1 => name.to_owned(),
            shards => format!("{name}-shard-{}", shards - 1),
        };
        if longest.len() > STATEFUL_SET_MAX {
            found.push(diagnostics::stateful_set_name(agent, &longest, STATEFUL_SET_MAX));
        }
        let service = format!("{name}-operated");
        if let Some(problem) = syntax::dns_1035_label(&service) {
            found.push(diagnostics::service_name(agent, &service, &problem));
        }
    } else if !hierarchy.logs.is_empty() || !hierarchy.integrations.is_empty() {
        let problem = syntax::label_value(name);
        found.extend(problem.map(|problem| diagnostics::name_in_label(agent, &problem)));
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{agent, lines, manifest};

    #[test]
    fn what_is_too_long() {
        let instance = |kind| manifest(kind, "i", "{}");
        for (length, spec, kind, expected) in [
            (52, "metrics: {instanceSelector: {}}", "MetricsInstance", 0),
            (53, "metrics: {instanceSelector: {}}", "MetricsInstance", 1),
            (44, "metrics: {instanceSelector: {}, shards: 2}", "MetricsInstance", 0),
            (44, "metrics: {instanceSelector: {}, shards: 11}", "MetricsInstance", 1),
            (55, "metrics: {instanceSelector: {}}", "MetricsInstance", 2),
            (63, "logs: {instanceSelector: {}}", "LogsInstance", 0),
            (64, "logs: {instanceSelector: {}}", "LogsInstance", 1),
        ] {
            let lines = lines(&[&agent(&"a".repeat(length), spec), &instance(kind)]);
            let named = lines
                .iter()
                .filter(|line| line.starts_with("invalid-derived-name metadata.name: "));
            assert_eq!(named.count(), expected, "{length} {spec} {lines:?}");
        }
    }

    #[test]
    fn a_service_has_no_dots_and_starts_with_a_letter() {
        for (name, expected) in [("a.b", 1), ("1a", 1), ("a1", 0)] {
            let spec = "metrics: {instanceSelector: {}}";
            let lines = lines(&[&agent(name, spec), &manifest("MetricsInstance", "i", "{}")]);
            let services = lines.iter().filter(|line| line.contains("the agent's Service"));
            assert_eq!(services.count(), expected, "{name}");
        }
    }
}

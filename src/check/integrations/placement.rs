//! Integrations that run on every node, or on one, and are not made for that. Only what is sure: a database may well be
//! asked by an agent on its own node.

use super::diagnostics;
use crate::api::{Integration, Resource};
use crate::diagnostic::Diagnostic;

/// Tell of the node that they run on.
const OF_A_NODE: [&str; 3] = ["cadvisor", "node_exporter", "process"];

/// Tell of the whole cluster.
const OF_THE_CLUSTER: [&str; 1] = ["eventhandler"];

pub(super) fn check<'d>(integration: &Resource<'d, Integration<'d>>) -> Option<Diagnostic> {
    let name = integration.spec.name;
    if integration.spec.r#type.all_nodes {
        OF_THE_CLUSTER
            .contains(&name)
            .then(|| diagnostics::on_all_nodes(integration))
    } else {
        OF_A_NODE.contains(&name).then(|| diagnostics::on_one_node(integration))
    }
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{integration, lines};

    #[test]
    fn nodes_are_watched_on_each_and_the_cluster_once() {
        for (name, types, warned) in [
            ("node_exporter", [].as_slice(), true),
            ("node_exporter", &["allNodes"], false),
            ("eventhandler", &["allNodes"], true),
            ("eventhandler", &[], false),
            ("mysql", &["allNodes"], false),
            ("mysql", &[], false),
        ] {
            let lines = lines(&[&integration("i", name, types, "{}")]);
            let is_placement = |line: &String| line.starts_with("integration-placement spec.type.allNodes: ");
            assert_eq!(lines.iter().any(is_placement), warned, "{name} {types:?} {lines:?}");
        }
    }
}

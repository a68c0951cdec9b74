//! Integrations that an agent has twice and may have once: singletons of the agent, which it refuses to start with
//! twice in one configuration (`controller.UpdateController`), and what `spec.type.unique` says, which the operator does
//! not enforce.

use super::catalogue::{self, Multiplicity};
use super::diagnostics;
use crate::api::{Integration, Resource};
use crate::diagnostic::Diagnostic;
use crate::resolve::Hierarchy;

pub(super) fn check(hierarchy: &Hierarchy<'_, '_>) -> Vec<Diagnostic> {
    let integrations = &hierarchy.integrations;
    let mut found = Vec::new();
    for (i, &second) in integrations.iter().enumerate() {
        let earlier = integrations.iter().take(i).copied();
        let first = earlier
            .filter(|first| first.spec.name == second.spec.name)
            .find_map(|first| conflict(first, second).map(|singleton| (first, singleton)));
        if let Some((first, singleton)) = first {
            found.push(diagnostics::duplicate(first, second, hierarchy.agent, singleton));
        }
    }
    found
}

/// Whether two Integrations of the same name exclude each other; true for a singleton of the agent. Those on every node
/// and the others have a configuration each.
fn conflict<'d>(first: &Resource<'d, Integration<'d>>, second: &Resource<'d, Integration<'d>>) -> Option<bool> {
    let (a, b) = (first.spec.r#type, second.spec.r#type);
    let singleton = catalogue::multiplicity(second.spec.name) == Some(Multiplicity::Singleton);
    if singleton && a.all_nodes == b.all_nodes {
        Some(true)
    } else {
        (a.unique || b.unique).then_some(false)
    }
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{AGENT, found, integration};
    use crate::diagnostic::Code;

    #[test]
    fn what_may_be_there_once() {
        for (first, second, expected) in [
            (("mysql", [].as_slice()), ("mysql", [].as_slice()), 0),
            (("mysql", &["unique"]), ("mysql", &[]), 1),
            (("mysql", &[]), ("redis", &["unique"]), 0),
            (("statsd", &[]), ("statsd", &[]), 1),
            (("statsd", &[]), ("statsd", &["allNodes"]), 0),
            (("statsd", &["unique"]), ("statsd", &["allNodes"]), 1),
        ] {
            let found = found(&[
                AGENT,
                &integration("one", first.0, first.1, "{}"),
                &integration("two", second.0, second.1, "{}"),
            ]);
            let duplicates: Vec<_> = found.iter().filter(|d| d.code == Code::DuplicateIntegration).collect();
            assert_eq!(duplicates.len(), expected, "{first:?} {second:?}");
            assert!(duplicates.iter().all(|d| d.labels.len() == 2));
        }
    }
}

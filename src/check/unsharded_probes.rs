//! Probes of an agent with several shards: `probe.libsonnet` has no `hashmod` rule, so each shard probes them all.

use super::diagnostics;
use crate::diagnostic::Diagnostic;
use crate::resolve::Hierarchy;

/// Says so where an agent has more than one shard and a Probe.
pub fn check(hierarchy: &Hierarchy<'_, '_>) -> Option<Diagnostic> {
    let shards = hierarchy.agent.spec.metrics.shard_count();
    let mut probes = hierarchy.metrics.iter().flat_map(|metrics| &metrics.probes);
    let first = probes.next().filter(|_| shards > 1)?;
    Some(diagnostics::unsharded_probes(
        hierarchy.agent,
        shards,
        first,
        probes.count(),
    ))
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{agent, found, manifest};
    use crate::diagnostic::Code;

    fn probe(i: usize) -> String {
        format!(
            "apiVersion: monitoring.coreos.com/v1\nkind: Probe\nmetadata: {{name: p{i}}}\nspec: {{targets: {{staticConfig: \
             {{static: [x]}}}}}}\n"
        )
    }

    fn told(shards: u32, probes: usize) -> Vec<String> {
        let agent = agent("a", &format!("metrics: {{instanceSelector: {{}}, shards: {shards}}}"));
        let instance = manifest("MetricsInstance", "m", "{probeSelector: {}}");
        let mut manifests = vec![agent, instance];
        manifests.extend((0..probes).map(probe));
        let manifests: Vec<_> = manifests.iter().map(String::as_str).collect();
        let found = found(&manifests).into_iter().filter(|d| d.code == Code::UnshardedProbe);
        found.map(|d| d.message).collect()
    }

    #[test]
    fn several_shards_probe_several_times() {
        assert_eq!(told(3, 1), ["each of the 3 shards probes the targets of Probe `p0`"]);
        assert_eq!(
            told(2, 3),
            ["each of the 2 shards probes the targets of Probe `p0` and of 2 others"]
        );
    }

    #[test]
    fn one_shard_or_no_probe_is_fine() {
        assert_eq!(told(1, 2), Vec::<String>::new());
        assert_eq!(told(2, 0), Vec::<String>::new());
    }
}

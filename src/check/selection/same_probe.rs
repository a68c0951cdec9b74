//! Addresses that two Probes of one instance probe in the same way.

use std::collections::{BTreeSet, HashMap};

use crate::api::{Probe, RelabelConfig, Resource};
use crate::diagnostic::{Code, Diagnostic, FieldPath};
use crate::resolve::MetricsHierarchy;
use crate::yaml::Node;

/// Reports each pair of an instance's Probes that probe the same address with the same prober and module.
pub(super) fn check(metrics: &MetricsHierarchy<'_, '_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let mut firsts = HashMap::new();
    let mut pairs = BTreeSet::new();
    for (number, probe) in metrics.probes.iter().copied().enumerate() {
        let static_config = probe.spec.targets.static_config.as_ref();
        let Some(static_config) =
            static_config.filter(|static_config| static_config.relabeling_configs.iter().all(keeps_target))
        else {
            continue;
        };
        for (index, target) in static_config.r#static.iter().enumerate() {
            let (first, at) = *firsts.entry((request(&probe.spec), *target)).or_insert((number, index));
            let first = metrics.probes.get(first).copied().filter(|_| first != number && pairs.insert((first, number)));
            if let Some(first) = first.filter(|first| have_same_client(first, probe)) {
                findings.push(report_duplicate_probe([(first, at), (probe, index)], target, metrics));
            }
        }
    }
    findings
}

/// Returns the settings that determine a request to the prober, apart from the target.
fn request<'d>(spec: &Probe<'d>) -> [&'d str; 4] {
    let or_default = |text: &'d str, default| if text.is_empty() { default } else { text };
    let prober = &spec.prober;
    [prober.url, or_default(prober.scheme, "http"), or_default(prober.path, "/probe"), spec.module]
}

/// Whether a rule neither drops a target nor changes the request. The operator's own rules write `__address__` and
/// `__param_target` first.
fn keeps_target(rule: &RelabelConfig<'_>) -> bool {
    let is_plain = !rule.target_label.starts_with("__") && !rule.target_label.contains('$');
    is_plain && (rule.action.is_empty() || rule.action.eq_ignore_ascii_case("replace"))
}

/// Whether two Probes authenticate in the same way.
fn have_same_client(first: &Resource<'_, Probe<'_>>, second: &Resource<'_, Probe<'_>>) -> bool {
    ["spec.basicAuth", "spec.bearerTokenSecret", "spec.tlsConfig"].iter().all(|field| {
        let [first, second] =
            [first.root, second.root].map(|root| root.at(field).filter(|node: &Node<'_>| !node.is_null()));
        match (first, second) {
            (Some(first), Some(second)) => first.equals(second),
            (first, second) => first.is_none() && second.is_none(),
        }
    })
}

/// Finding for an address that two Probes probe in the same way.
fn report_duplicate_probe(
    [first, second]: [(&Resource<'_, Probe<'_>>, usize); 2],
    target: &str,
    metrics: &MetricsHierarchy<'_, '_>,
) -> Diagnostic {
    let path = |index| FieldPath::parse("spec.targets.staticConfig.static").index(index);
    let instance = &metrics.instance;
    let name = |probe: &Resource<'_, Probe<'_>>| format!("Probe `{}`", probe.meta.full_name());
    let message = format!(
        "{} `{}` probes `{target}` twice: through {} and through {}",
        instance.kind,
        instance.meta.full_name(),
        name(first.0),
        name(second.0)
    );
    let finding = second.0.finding(Code::DuplicateScrape, &path(second.1), message);
    let finding = finding.label(first.0.locate(&path(first.1)), "probed here first");
    finding.help("remove the address from one of the two Probes, or use different modules")
}

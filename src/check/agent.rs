//! Rules for an entire agent: its log level, its log clients, and Probes if it has several shards.

use super::rule::{Rule, RuleInput, RuleTarget, rule, table};
use super::walk::Expect::With;
use super::walk::{Json, Rows, Walk};
use crate::api::{Kind, LogsInstance, Resource};
use crate::diagnostic::listed::join_words;
use crate::diagnostic::suggest::did_you_mean;
use crate::diagnostic::{Code, Diagnostic, FieldPath};
use crate::go::envsubst::has_variable;
use crate::resolve::Hierarchy;

pub const RULES: &[Rule] = &[
    table(Kind::GrafanaAgent, AGENT, "`Level.Set` of dskit's `log`"),
    rule(&[Code::NoClients], RuleTarget::Hierarchy(report_missing_clients), "`Instance.ApplyConfig`"),
    rule(
        &[Code::UnshardedProbe],
        RuleTarget::Hierarchy(|_, of| Vec::from_iter(unsharded_probes(of))),
        "`probe.libsonnet`",
    ),
];

/// Log levels that the agent accepts (`Level.Set` in dskit's `log` package).
const LEVELS: [&str; 4] = ["debug", "error", "info", "warn"];

/// Rule for `spec.logLevel`, which the operator copies to every configuration.
const AGENT: Rows = &[("logLevel", With(check_log_level))];

fn check_log_level<'v>(level: Json<'v>, walk: &mut Walk<'v>) {
    let level = level.as_str().unwrap_or_default();
    if !level.is_empty() && !LEVELS.contains(&level) && !has_variable(level) {
        let message = format!("{} is not a valid log level, so the agent does not start", walk.quote(level));
        let help = did_you_mean(level, LEVELS)
            .unwrap_or_else(|| format!("use {}", join_words("or", LEVELS.map(|level| format!("`{level}`")))));
        walk.report_with_code(Code::InvalidLogLevel, &[], message, help);
    }
}

/// Reports instances without log clients, which the agent does not start (`Instance.ApplyConfig` in
/// `static/logs/logs.go`).
fn report_missing_clients(input: &RuleInput<'_, '_>, hierarchy: &Hierarchy<'_, '_>) -> Vec<Diagnostic> {
    let (agent, rejected) = (hierarchy.agent, &input.resources.rejected_fields);
    if !agent.spec.logs.clients.is_empty() || rejected.overlap(agent.object_ref(), "spec.logs.clients") {
        return Vec::new();
    }
    let instances = hierarchy.logs.iter().map(|logs| logs.instance);
    let instances = instances.filter(|instance| instance.spec.clients.is_empty());
    let finding = |instance: &Resource<'_, LogsInstance<'_>>| {
        let message =
            "neither this LogsInstance nor its GrafanaAgent sets any clients, so the agent collects no logs for it";
        let finding = instance.finding(Code::NoClients, &FieldPath::parse("spec.clients"), message);
        finding.help("set `spec.clients` in the LogsInstance, or `spec.logs.clients` in the GrafanaAgent")
    };
    instances.map(finding).collect()
}

/// Finding for Probes that an agent with several shards selects. `probe.libsonnet` has no `hashmod` rule, so every
/// shard probes all targets.
pub fn unsharded_probes(hierarchy: &Hierarchy<'_, '_>) -> Option<Diagnostic> {
    let agent = hierarchy.agent;
    let shards = agent.spec.metrics.shard_count();
    let mut probes = hierarchy.metrics.iter().flat_map(|metrics| &metrics.probes);
    let first_probe = probes.next().filter(|_| shards > 1)?;
    let and_others = match probes.count() {
        0 => String::new(),
        1 => " and 1 other Probe".to_owned(),
        more => format!(" and {more} other Probes"),
    };
    let name = first_probe.meta.name;
    let path = FieldPath::parse("spec.metrics.shards");
    let message = format!("each of the {shards} shards probes every target of Probe `{name}`{and_others}");
    let help = "use a separate GrafanaAgent with one shard for the Probes, or accept the duplicate probes";
    let finding = agent.finding(Code::UnshardedProbe, &path, message);
    Some(finding.label(first_probe.name_span(), "probed by every shard").help(help))
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{agent, findings, manifest};
    use crate::diagnostic::Code;

    #[test]
    fn accepts_only_log_levels_the_agent_supports() {
        let findings = |level: &str| {
            let mut diagnostics = findings(&[&agent("a", &format!("logLevel: {level}"))]);
            diagnostics.retain(|d| d.code == Code::InvalidLogLevel);
            diagnostics
        };
        for level in ["debug", "info", "warn", "error", "''", "'${LEVEL}'"] {
            assert!(findings(level).is_empty(), "{level}");
        }
        for (level, help) in [("verbose", "use `debug`, `error`, `info` or `warn`"), ("Debug", "did you mean `debug`?")]
        {
            let diagnostics = findings(level);
            assert_eq!(diagnostics[0].path.as_deref(), Some("spec.logLevel"), "{level}");
            assert_eq!(diagnostics[0].help.as_deref(), Some(help), "{level}");
        }
    }

    #[test]
    fn reports_instances_without_clients() {
        for (agent_logs, instance, expected) in [
            ("", "{}", 1),
            ("", "{clients: [{url: 'http://l'}]}", 0),
            ("clients: [{url: 'http://l'}]", "{}", 0),
            ("clients: []", "{}", 1),
            // It is unknown whether there are clients, because the field was rejected.
            ("clients: 5", "{}", 0),
        ] {
            let agent = agent("a", &format!("logs: {{instanceSelector: {{}}, {agent_logs}}}"));
            let diagnostics = findings(&[&agent, &manifest("LogsInstance", "i", instance)]);
            let diagnostics = diagnostics.iter().filter(|finding| finding.code == Code::NoClients);
            assert_eq!(diagnostics.count(), expected, "{agent_logs} {instance}");
        }
    }

    fn probe(i: usize) -> String {
        format!(
            "apiVersion: monitoring.coreos.com/v1\nkind: Probe\nmetadata: {{name: p{i}}}\nspec: {{targets: {{staticConfig: \
             {{static: [x]}}}}}}\n"
        )
    }

    fn shard_findings(shards: u32, probes: usize) -> Vec<String> {
        let agent = agent("a", &format!("metrics: {{instanceSelector: {{}}, shards: {shards}}}"));
        let instance = manifest("MetricsInstance", "m", "{probeSelector: {}}");
        let mut manifests = vec![agent, instance];
        manifests.extend((0..probes).map(probe));
        let manifests: Vec<_> = manifests.iter().map(String::as_str).collect();
        let diagnostics = findings(&manifests).into_iter().filter(|d| d.code == Code::UnshardedProbe);
        diagnostics.map(|d| d.message).collect()
    }

    #[test]
    fn reports_probes_repeated_by_each_shard() {
        assert_eq!(shard_findings(3, 1), ["each of the 3 shards probes every target of Probe `p0`"]);
        assert_eq!(shard_findings(2, 2), ["each of the 2 shards probes every target of Probe `p0` and 1 other Probe"]);
        assert_eq!(shard_findings(2, 3), ["each of the 2 shards probes every target of Probe `p0` and 2 other Probes"]);
    }

    #[test]
    fn accepts_one_shard_or_no_probes() {
        assert_eq!(shard_findings(1, 2), Vec::<String>::new());
        assert_eq!(shard_findings(2, 0), Vec::<String>::new());
    }
}

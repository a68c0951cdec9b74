//! TLS settings of clients that connect without TLS.

use super::rule::{Rule, RuleInput, RuleTarget, rule};
use crate::api::{RelabelConfig, ResourceHeader};
use crate::diagnostic::{Code, Diagnostic, FieldPath, Severity};
use crate::resolve::Hierarchy;
use crate::yaml::Node;

pub const RULES: &[Rule] = &[rule(
    &[Code::UnusedTls],
    RuleTarget::Hierarchy(check),
    "`http.Transport` of Go, which uses `TLSClientConfig` only for https",
)];

fn check(input: &RuleInput<'_, '_>, hierarchy: &Hierarchy<'_, '_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    if !input.conditions.follows_labels {
        return findings;
    }
    check_clients(hierarchy.agent, "spec.metrics.remoteWrite", &mut findings);
    check_clients(hierarchy.agent, "spec.logs.clients", &mut findings);
    for metrics in &hierarchy.metrics {
        check_clients(metrics.instance, "spec.remoteWrite", &mut findings);
        for monitor in metrics.monitors() {
            let tls_endpoints =
                monitor.endpoints.iter().enumerate().filter(|(_, endpoint)| endpoint.tls_config.is_some());
            for (i, endpoint) in tls_endpoints {
                let is_http = endpoint.scheme.is_empty() || endpoint.scheme.eq_ignore_ascii_case("http");
                let list = || monitor.header.root.get("spec")?.get(monitor.field)?.item(i);
                if is_http && list().is_some_and(has_tls) && !endpoint.relabelings.iter().any(may_write_scheme) {
                    let path = FieldPath::parse("spec").key(monitor.field).index(i);
                    findings.push(unused_tls_settings(monitor.header, path, "`scheme` is http", "set `scheme: https`"));
                }
            }
        }
        for probe in &metrics.probes {
            let prober = &probe.spec.prober;
            let targets = &probe.spec.targets;
            let rules = targets.static_config.iter().flat_map(|listed| &listed.relabeling_configs);
            let mut rules = rules.chain(targets.ingress.iter().flat_map(|ingress| &ingress.relabeling_configs));
            let is_http = prober.scheme.is_empty() || prober.scheme.eq_ignore_ascii_case("http");
            let spec = probe.root.get("spec").filter(|_| is_http);
            if spec.is_some_and(has_tls) && !rules.any(may_write_scheme) {
                let path = FieldPath::parse("spec");
                findings.push(unused_tls_settings(
                    probe,
                    path,
                    "`prober.scheme` is http",
                    "set `prober.scheme: https`",
                ));
            }
        }
    }
    for logs in &hierarchy.logs {
        check_clients(logs.instance, "spec.clients", &mut findings);
    }
    findings
}

fn check_clients(head: &ResourceHeader<'_>, field: &'static str, findings: &mut Vec<Diagnostic>) {
    for (i, client) in head.root.at(field).into_iter().flat_map(Node::items).enumerate() {
        let url = client.get("url").and_then(Node::as_str).unwrap_or_default();
        let is_http = url.get(..7).is_some_and(|scheme| scheme.eq_ignore_ascii_case("http://"));
        if is_http && has_tls(client) {
            findings.push(unused_tls_settings(
                head,
                FieldPath::parse(field).index(i),
                "the URL is http",
                "use an https URL",
            ));
        }
    }
}

/// Whether a client has TLS settings that no proxy uses.
fn has_tls(client: Node<'_>) -> bool {
    let is_set = |field: &str| client.get(field).is_some_and(|value| !value.is_null());
    client.get("tlsConfig").is_some_and(|tls| tls.entries().any(|entry| !entry.value.is_null())) && !is_set("proxyUrl")
}

/// Whether a rule may change the scheme of a target.
fn may_write_scheme(rule: &RelabelConfig<'_>) -> bool {
    rule.target_label == "__scheme__" || rule.target_label.contains('$') || rule.action.eq_ignore_ascii_case("labelmap")
}

/// Finding for TLS settings of a client that connects without TLS.
fn unused_tls_settings(head: &ResourceHeader<'_>, path: FieldPath<'static>, why: &str, help: &str) -> Diagnostic {
    let message = format!("`tlsConfig` is not used: {why}");
    let finding = head.finding(Code::UnusedTls, &path.key("tlsConfig"), message).severity(Severity::Note);
    finding.help(format!("{help}, or remove `tlsConfig`"))
}

use crate::check::tests::{agent, describe, flow_findings, manifest};
use crate::diagnostic::Code;

/// Returns the findings about pods for an agent with these fields, together with other documents.
fn pod_findings(fields: &str, other_manifests: &[&str]) -> Vec<String> {
    let agent = agent("a", &format!("metrics: {{instanceSelector: {{}}}}, {fields}"));
    let instance = manifest("MetricsInstance", "m", "{serviceMonitorSelector: {}}");
    let documents: Vec<_> =
        [agent.as_str(), instance.as_str()].into_iter().chain(other_manifests.iter().copied()).collect();
    let codes: Vec<Code> = super::RULES.iter().flat_map(|rule| rule.codes).copied().collect();
    flow_findings(&documents).iter().filter(|finding| codes.contains(&finding.code)).map(describe).collect()
}

#[test]
fn reports_pods_that_do_not_start() {
    let account = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: agent, namespace: default}\n";
    for (fields, other_manifests, expected) in [
        ("serviceAccountName: agents", &[account][..], "did you mean `agent`?"),
        ("image: 'grafana/promtail:2.9'", &[], "the image contains `promtail`"),
        ("containers: [{name: grafana-agent, args: [-x]}]", &[], "`config.file` is missing"),
        ("containers: [{name: config-reloader, args: [-x]}]", &[], "`config-file` is missing"),
        ("containers: [{name: agent, image: 'grafana/agent:v0.44.8'}]", &[], "write `name: grafana-agent`"),
        ("secrets: [x]", &[], "Secret `default/x` is not in the input"),
        ("volumes: [{name: v, configMap: {name: x}}]", &[], "ConfigMap `default/x` is not in the input"),
        ("apiServer: {host: 'https://x', tlsConfig: {caFile: /etc/x/ca.crt}}", &[], "no volume is mounted there"),
    ] {
        let findings = pod_findings(fields, other_manifests);
        let is_expected = findings.iter().any(|finding| finding.contains(expected));

        assert!(findings.len() == 1 && is_expected, "{fields} {findings:?}");
    }
}

#[test]
fn accepts_pods_that_may_start() {
    let secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: x, namespace: default}\nstringData: {ca.crt: y}\n";
    for (fields, other_manifests) in [
        ("serviceAccountName: created-by-a-chart", &[][..]),
        ("image: 'registry.example/mirror/agent:v1'", &[]),
        ("containers: [{name: grafana-agent, args: ['-config.file=/x']}]", &[]),
        ("containers: [{name: sidecar, image: 'example/sidecar'}]", &[]),
        ("secrets: [x]", &[secret]),
        ("volumes: [{name: v, secret: {secretName: y, optional: true}}]", &[]),
        (
            "secrets: [x], apiServer: {host: 'https://x', tlsConfig: {caFile: /var/lib/grafana-agent/extra-secrets/x/ca.crt}}",
            &[secret],
        ),
    ] {
        assert_eq!(pod_findings(fields, other_manifests), Vec::<String>::new(), "{fields}");
    }
}

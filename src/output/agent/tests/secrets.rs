//! Tests of secrets in every form that a configuration can contain.

use super::{AGENT, METRICS_INSTANCE, with_plan};
use crate::output::agent::{SecretSection, for_each_section, write};
use crate::plan::{ConfigKind, SecretRepresentation};

const INPUT: &str = "
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: a, namespace: ns}
spec:
  apiServer: {host: 'https://k', bearerToken: T0}
  metrics:
    instanceSelector: {}
    remoteWrite:
      - url: 'https://me:T1@mimir/push'
        headers: {X-Key: T2}
        basicAuth: {username: {name: s, key: user}, password: {name: s, key: user}}
        sigv4: {region: r, accessKey: {name: s, key: missing}}
        queueConfig: {capacity: 0, maxShards: 3, maxRetries: 4}
        metadataConfig: {send: false}
  logs: {instanceSelector: {}}
  integrations: {selector: {}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: m, namespace: ns}
spec: {serviceMonitorSelector: {}, additionalScrapeConfigs: {name: s, key: jobs}}
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: s, namespace: ns}
spec: {selector: {}, endpoints: [{params: {token: [T3], module: [x]}, bearerTokenSecret: {name: s, key: lines}}]}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: Integration
metadata: {name: i, namespace: ns}
spec: {name: mysql, type: {unique: true}, config: {data_source_name: 'me:T4@(db)/', url: 'https://me:T5@db/x', instance: i}}
---
apiVersion: v1
kind: Secret
metadata: {name: s, namespace: ns}
stringData: {user: T6, lines: \"T7\\nT8\\n\", jobs: '[{job_name: T9, scheme: https}]'}
";

/// Returns the configuration lines that change when secrets are hidden, and whether any secrets are hidden.
fn hidden_lines(part: ConfigKind, secrets: SecretRepresentation) -> (Vec<String>, bool) {
    let texts = [SecretRepresentation::Values, secrets].map(|secrets| {
        with_plan(INPUT, part, &mut Vec::new(), |plan| {
            let mut text = String::new();
            let facts = write(plan, part, secrets, &mut |piece| text.push_str(piece));
            (text, facts.has_hidden)
        })
    });
    let [(plain_text, plain_has_hidden), (text, has_hidden)] = texts;
    assert!(!plain_has_hidden);
    let lines = text.lines().filter(|line| !plain_text.lines().any(|other| other == *line));
    (lines.map(|line| line.trim().to_owned()).collect(), has_hidden)
}

#[test]
fn hides_secrets_according_to_the_representation() {
    let metrics = ConfigKind::Metrics;
    let integrations = ConfigKind::Integrations { all_nodes: false };
    let cases: [(ConfigKind, SecretRepresentation, &[&str]); 6] = [
        (metrics, SecretRepresentation::Values, &[]),
        (
            metrics,
            SecretRepresentation::Masked,
            &[
                "***",
                "***",
                "credentials: '***'",
                "- '***'",
                "- |",
                "***",
                "username: '***'",
                "X-Key: '***'",
                "access_key: '***'",
                "url: https://***@mimir/push",
            ],
        ),
        (
            metrics,
            SecretRepresentation::Named,
            &[
                "- bearer_token: '*** (Secret ns/s, key lines)'",
                "credentials: '***'",
                "- '***'",
                "- |",
                "***",
                "username: '*** (Secret ns/s, key user)'",
                "X-Key: '***'",
                "access_key: '*** (Secret ns/s, key missing)'",
                "url: https://***@mimir/push",
            ],
        ),
        (
            metrics,
            SecretRepresentation::Placeholders,
            &[
                "- bearer_token: placeholder:Secret/ns/s/lines",
                "- job_name: placeholder:Secret/ns/s/jobs",
                "username: placeholder:Secret/ns/s/user",
            ],
        ),
        (
            integrations,
            SecretRepresentation::Masked,
            &[
                "- data_source_name: '***'",
                "url: https://***@db/x",
                "- |",
                "***",
                "username: '***'",
                "X-Key: '***'",
                "access_key: '***'",
                "url: https://***@mimir/push",
            ],
        ),
        (
            integrations,
            SecretRepresentation::Placeholders,
            &["- job_name: placeholder:Secret/ns/s/jobs", "username: placeholder:Secret/ns/s/user"],
        ),
    ];
    for (part, secrets, expected) in cases {
        let (lines, has_hidden) = hidden_lines(part, secrets);
        assert_eq!(lines, expected, "{secrets:?}");
        assert_eq!(has_hidden, secrets != SecretRepresentation::Values, "{secrets:?}");
    }
}

#[test]
fn reports_whether_jobs_contain_hidden_secrets() {
    for (endpoint, expected) in [
        ("", false),
        ("bearerTokenSecret: {name: s, key: k}", true),
        ("params: {token: [x]}", true),
        ("relabelings: [{targetLabel: __param_token, replacement: x}]", true),
        ("relabelings: [{targetLabel: __param_module, replacement: x}]", false),
    ] {
        let input = format!(
            "{AGENT}{METRICS_INSTANCE}
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {{name: s, namespace: ns}}
spec: {{selector: {{}}, endpoints: [{{{endpoint}}}, {{port: other}}]}}
"
        );
        let has_hidden = with_plan(&input, ConfigKind::Metrics, &mut Vec::new(), |plan| {
            write(plan, ConfigKind::Metrics, SecretRepresentation::Masked, &mut |_| {}).has_hidden
        });
        assert_eq!(has_hidden, expected, "{endpoint}");
    }
}

#[test]
fn sections_locate_secret_values() {
    let actual = with_plan(INPUT, ConfigKind::Metrics, &mut Vec::new(), |plan| {
        let mut actual = Vec::new();
        for_each_section(plan, ConfigKind::Metrics, &mut |section| match section {
            SecretSection::JobsOf(key) => actual.push(format!("jobs of {}", key.key)),
            SecretSection::Lines(lines, secrets) => {
                actual.push(format!("{} lines", lines.lines().count()));
                actual.extend(secrets.iter().map(|(at, source)| format!("{:?} {source:?}", &lines[at.clone()])));
            }
        });
        actual
    });
    let key = |key: &str| format!("Key {{ namespace: \"ns\", name: \"s\", key: \"{key}\" }}");
    let expected = [
        "4 lines".to_owned(),
        "62 lines".to_owned(),
        format!("{:?} {}", "|\n                T7\n                T8", key("lines")),
        "jobs of jobs".to_owned(),
        "21 lines".to_owned(),
        format!("{:?} {}", "T6", key("user")),
        format!("{:?} {}", "\"\"", key("missing")),
    ];
    assert_eq!(actual, expected);
}

//! Tests for what the variable rules report and accept.

use crate::check::tests::{AGENT, agent, findings, integration, manifest};
use crate::diagnostic::{Code, Diagnostic, Severity};

const CODES: [Code; 3] = [Code::ReloaderVariable, Code::UnsetVariable, Code::MisreadVariable];

/// Returns the findings about variables as `code severity kind path`, sorted.
fn variable_findings(documents: &[&str]) -> Vec<String> {
    let diagnostics = findings(documents).into_iter().filter(|one| CODES.contains(&one.code));
    let line = |one: Diagnostic| {
        let kind = one.resource.map(|resource| resource.kind).unwrap_or_default();
        let severity = format!("{:?}", one.severity).to_lowercase();
        format!("{} {severity} {kind} {}", one.code, one.path.unwrap_or_default())
    };
    let mut lines: Vec<_> = diagnostics.map(line).collect();
    lines.sort_unstable();
    lines
}

#[test]
fn rejects_unset_variables_in_keys() {
    let with_metrics = |field: &str| AGENT.replace("metrics: {", &format!("metrics: {{{field}, "));
    let service = |params: &str| {
        monitor("ServiceMonitor", &format!("{{selector: {{}}, endpoints: [{{port: p, params: {params}}}]}}"))
    };
    let (error, warning) = ("misread-variable error", "unset-variable warning");
    for (agent, params, expected) in [
        (AGENT.to_owned(), "{'${X}': [a]}", format!("{error} ServiceMonitor spec.endpoints[0].params.${{X}}")),
        (AGENT.to_owned(), "{'a${X}': [a]}", format!("{warning} ServiceMonitor spec.endpoints[0].params.a${{X}}")),
        (AGENT.to_owned(), "{a: ['${X}']}", format!("{warning} ServiceMonitor spec.endpoints[0].params.a[0]")),
        (AGENT.to_owned(), "{'${POD_NAME}': [a], '${X:-b}': [a]}", String::new()),
        (
            with_metrics("metricsExternalLabelName: '${X}'"),
            "{}",
            format!("{error} GrafanaAgent spec.metrics.metricsExternalLabelName"),
        ),
        (
            with_metrics("externalLabels: {'${X}': a}"),
            "{}",
            format!("{error} GrafanaAgent spec.metrics.externalLabels.${{X}}"),
        ),
        (
            with_metrics("externalLabels: {a: '${X}'}"),
            "{}",
            format!("{warning} GrafanaAgent spec.metrics.externalLabels.a"),
        ),
    ] {
        let instance = manifest("MetricsInstance", "i", METRICS);
        let findings = variable_findings(&[&agent, &instance, &service(params)]);
        assert_eq!(findings.join("\n"), expected, "{params}");
    }
}

#[test]
fn required_settings_are_missing_if_their_variable_is_unset() {
    let errors = |agent: &str, resources: &[&str]| {
        let documents: Vec<_> = std::iter::once(agent).chain(resources.iter().copied()).collect();
        let mut diagnostics = findings(&documents);
        diagnostics.retain(|one| one.severity == Severity::Error);
        let line = |one: Diagnostic| format!("{} {}", one.code, one.path.unwrap_or_default());
        diagnostics.into_iter().map(line).collect::<Vec<_>>()
    };
    let agent = |env: &str| {
        agent(
            "a",
            &format!(
                "metrics: {{instanceSelector: {{}}, enforcedNamespaceLabel: '${{X}}'}}, logs: {{instanceSelector: {{}}}}{env}"
            ),
        )
    };
    let containers_with_variable = ", containers: [{name: grafana-agent, env: [{name: X, value: x}]}]";
    let metrics = manifest("MetricsInstance", "i", &METRICS.replace("http://m", "${X}"));
    let service = monitor("ServiceMonitor", "{selector: {}, endpoints: [{port: p}]}");
    let logs = manifest("LogsInstance", "l", LOGS);
    let pod_logs = manifest("PodLogs", "p", "{selector: {}, pipelineStages: [{multiline: {firstLine: '${X}'}}]}");
    let resources = [&*metrics, &*service, &*logs, &*pod_logs];
    assert_eq!(errors(&agent(containers_with_variable), &resources), [""; 0]);
    let unnamed = agent(&containers_with_variable.replace("name: grafana-agent", "nname: grafana-agent"));
    assert_eq!(errors(&unnamed, &resources), ["missing-field spec.containers[0].name"]);
    let mut actual = errors(&agent(""), &resources);
    actual.sort_unstable();
    let expected = [
        "incomplete-relabeling spec.metrics.enforcedNamespaceLabel",
        "invalid-stage spec.pipelineStages[0].multiline.firstLine",
        "invalid-url spec.remoteWrite[0].url",
    ];
    assert_eq!(actual, expected);
}

#[test]
fn strict_stages_reject_numbers_and_booleans() {
    let stages = |stage: &str| {
        let instance = manifest("LogsInstance", "l", LOGS);
        let pod_logs = format!("{{selector: {{}}, pipelineStages: [{{{stage}}}]}}");
        let mut diagnostics = findings(&[AGENT, &instance, &manifest("PodLogs", "p", &pod_logs)]);
        diagnostics.retain(|one| one.severity == Severity::Error);
        let line = |one: Diagnostic| {
            let path = one.path.unwrap_or_default();
            format!("{} {}", one.code, path.replace("spec.pipelineStages[0].", ""))
        };
        diagnostics.into_iter().map(line).collect::<Vec<_>>()
    };
    for (stage, expected) in [
        ("regex: {expression: '${X:-5}'}", Some("misread-variable regex.expression")),
        ("regex: {expression: '${X:-5}a'}", None),
        ("regex: {expression: '${POD_NAME:-5}'}", None),
        ("regex: {expression: '5'}", None),
        ("regex: {expression: ' ${X:-5}'}", None),
        ("regex: {expression: '${X:-~}'}", Some("invalid-stage regex.expression")),
        ("template: {source: a, template: '${X:-yes}'}", Some("misread-variable template.template")),
        ("json: {expressions: {a: '${X:-1.5}'}}", Some("misread-variable json.expressions.a")),
        (
            "timestamp: {source: a, format: RFC3339, fallbackFormats: [a, '${X:-0x1}']}",
            Some("misread-variable timestamp.fallbackFormats[1]"),
        ),
        (
            "metrics: {a: {type: counter, action: inc, matchAll: true, description: '${X:-5}'}}",
            Some("misread-variable metrics.a.description"),
        ),
        (
            "metrics: {matchAll: {type: counter, action: inc, description: '${X:-5}'}}",
            Some("misread-variable metrics.matchAll.description"),
        ),
        ("drop: {expression: '${X:-5}'}", None),
        ("drop: {longerThan: '${X:-y}'}", None),
        ("drop: {olderThan: '${X:-5}'}", Some("invalid-duration drop.olderThan")),
        ("multiline: {firstLine: '${X:-5}'}", None),
    ] {
        assert_eq!(stages(stage), Vec::from_iter(expected), "{stage}");
    }
}

const METRICS: &str =
    "{serviceMonitorSelector: {}, podMonitorSelector: {}, probeSelector: {}, remoteWrite: [{url: 'http://m'}]}";
const LOGS: &str = "{podLogsSelector: {}, clients: [{url: 'http://l'}]}";

fn monitor(kind: &str, spec: &str) -> String {
    format!("apiVersion: monitoring.coreos.com/v1\nkind: {kind}\nmetadata: {{name: m}}\nspec: {spec}\n")
}

/// Returns manifests, each with `text` in a single field: the kind, the manifest, the field, and whether the field's
/// value becomes part of the configuration.
fn fields(text: &str) -> Vec<(&'static str, String, &'static str, bool)> {
    let text = format!("'{text}'");
    let fill = |spec: &str| spec.replace('@', &text);
    let service = |spec: &str| monitor("ServiceMonitor", &fill(spec));
    let pod = |spec: &str| monitor("PodMonitor", &fill(spec));
    let probe = |spec: &str| monitor("Probe", &fill(spec));
    let own_manifest = |kind: &str, spec: &str| manifest(kind, "o", &fill(spec));
    vec![
        (
            "ServiceMonitor",
            service("{selector: {matchLabels: {a: @}}, endpoints: [{port: p}]}"),
            "spec.selector.matchLabels.a",
            true,
        ),
        ("ServiceMonitor", service("{selector: {}, endpoints: [{path: @}]}"), "spec.endpoints[0].path", true),
        (
            "ServiceMonitor",
            service("{selector: {}, endpoints: [{params: {a: [@]}}]}"),
            "spec.endpoints[0].params.a[0]",
            true,
        ),
        ("ServiceMonitor", service("{selector: {}, jobLabel: @, endpoints: [{port: p}]}"), "spec.jobLabel", false),
        ("ServiceMonitor", service("{selector: {}, targetLabels: [@], endpoints: [{port: p}]}"), "", false),
        (
            "ServiceMonitor",
            service("{selector: {}, namespaceSelector: {matchNames: [@]}, endpoints: [{port: p}]}"),
            "spec.namespaceSelector.matchNames[0]",
            true,
        ),
        (
            "PodMonitor",
            pod("{selector: {}, podMetricsEndpoints: [{metricRelabelings: [{regex: @, action: drop}]}]}"),
            "spec.podMetricsEndpoints[0].metricRelabelings[0].regex",
            true,
        ),
        ("Probe", probe("{module: @, targets: {staticConfig: {static: [x]}}}"), "spec.module", true),
        ("Probe", probe("{targets: {staticConfig: {static: [@]}}}"), "spec.targets.staticConfig.static[0]", true),
        (
            "PodLogs",
            own_manifest(
                "PodLogs",
                "{selector: {}, pipelineStages: [{match: {selector: '{a=\"b\"}', stages: '- docker: {}'}}, {tenant: {value: @}}]}",
            ),
            "",
            true,
        ),
        ("PodLogs", own_manifest("PodLogs", "{selector: {}, podTargetLabels: [@]}"), "", false),
        (
            "MetricsInstance",
            own_manifest("MetricsInstance", "{remoteWrite: [{url: 'http://m', headers: {A: @}}]}"),
            "spec.remoteWrite[0].headers.A",
            true,
        ),
        (
            "LogsInstance",
            own_manifest("LogsInstance", "{clients: [{url: 'http://l', tenantId: @}]}"),
            "spec.clients[0].tenantId",
            true,
        ),
        (
            "Integration",
            integration("o", "node_exporter", &["allNodes", "unique"], &format!("{{instance: {text}}}")),
            "spec.config.instance",
            true,
        ),
    ]
}

#[test]
fn reports_variables_that_reach_the_configuration() {
    for (text, code, severity) in [
        ("$(NAME)", "reloader-variable", "error"),
        ("a$(1)b", "reloader-variable", "error"),
        ("${NAME}", "unset-variable", "warning"),
        ("${a-b}", "misread-variable", "error"),
        ("${", "misread-variable", "error"),
    ] {
        for (kind, resource, path, is_written) in fields(text) {
            let metrics = manifest("MetricsInstance", "i", METRICS);
            let logs = manifest("LogsInstance", "i", LOGS);
            let lines = variable_findings(&[AGENT, &metrics, &logs, &resource]);
            let expected = format!("{code} {severity} {kind} {path}");
            let is_found = lines.iter().any(|line| line.starts_with(&expected));
            assert_eq!(is_found, is_written, "{text} {resource}: {lines:?}");
        }
    }
}

#[test]
fn accepts_variables_that_are_set() {
    for text in [
        "$(POD_NAME)",
        "$(SHARD)",
        "$(HOSTNAME)",
        "$(STATEFULSET_ORDINAL_NUMBER)",
        "$(KUBERNETES_SERVICE_HOST)",
        "$(x|y)",
        "$()",
        "$(a.b)",
        "$NAME",
        "$1",
        "${1}",
        "${POD_NAME}",
        "${NAME:-x}",
        "${NAME:=x y}",
        "$${NAME}",
        "$$",
    ] {
        for (_, resource, ..) in fields(text).into_iter().take(3) {
            let lines = variable_findings(&[AGENT, &manifest("MetricsInstance", "i", METRICS), &resource]);
            assert!(lines.is_empty(), "{text}: {lines:?}");
        }
    }
}

#[test]
fn each_container_has_its_own_variables() {
    let instance = "{remoteWrite: [{url: 'http://m', headers: {A: '$(X)', B: '${X}'}}]}";
    let reloader_line = "reloader-variable error MetricsInstance spec.remoteWrite[0].headers.A";
    let agent_line = "unset-variable warning MetricsInstance spec.remoteWrite[0].headers.B";
    let tolerated_line = "reloader-variable warning MetricsInstance spec.remoteWrite[0].headers.A";
    for (fields, expected) in [
        ("", vec![reloader_line, agent_line]),
        ("containers: [{name: config-reloader, env: [{name: X, value: x}]}]", vec![agent_line]),
        ("containers: [{name: config-reloader, envFrom: [{secretRef: {name: s}}]}]", vec![agent_line]),
        ("containers: [{name: grafana-agent, env: [{name: X, value: x}]}]", vec![reloader_line]),
        ("containers: [{name: other, image: i, env: [{name: X, value: x}]}]", vec![reloader_line, agent_line]),
        ("configReloaderVersion: v0.75.2", vec![reloader_line, agent_line]),
        ("configReloaderVersion: v0.76.0", vec![tolerated_line, agent_line]),
    ] {
        let agent = agent("a", &format!("metrics: {{instanceSelector: {{}}}}, {fields}"));
        let lines = variable_findings(&[&agent, &manifest("MetricsInstance", "i", instance)]);
        assert_eq!(lines, expected, "{fields}");
    }
}

#[test]
fn each_workload_has_its_own_variables() {
    // Logs pods are not sharded.
    let metrics = manifest("MetricsInstance", "i", "{remoteWrite: [{url: 'http://$(SHARDS)'}]}");
    let logs = manifest("LogsInstance", "i", "{clients: [{url: 'http://l', tenantId: '$(SHARDS)'}]}");
    let lines = variable_findings(&[AGENT, &metrics, &logs]);
    assert_eq!(lines, ["reloader-variable error LogsInstance spec.clients[0].tenantId"]);
}

#[test]
fn reports_variables_in_secret_values_at_the_secret() {
    let instance = "{remoteWrite: [{url: 'http://m', basicAuth: {username: {name: s, key: user}, password: {name: s, key: pass}}}]}";
    let spec = "metrics: {instanceSelector: {}}";
    for (user, pass, expected) in [
        ("$(X)", "$(X)", vec!["reloader-variable error Secret stringData.user"]),
        ("a${", "${", vec!["misread-variable error Secret stringData.user"]),
        ("a${X}", "b", vec![]),
        ("$(POD_NAME)", "b", vec![]),
    ] {
        let secret = format!(
            "apiVersion: v1\nkind: Secret\nmetadata: {{name: s}}\nstringData: {{user: '{user}', pass: '{pass}'}}\n"
        );
        let documents = [&agent("a", spec), &manifest("MetricsInstance", "i", instance), secret.as_str()];
        assert_eq!(variable_findings(&documents), expected, "{user} {pass}");
        let texts: Vec<_> =
            findings(&documents).into_iter().map(|one| format!("{}{:?}", one.message, one.help)).collect();
        assert!(!texts.iter().any(|text| text.contains("(X)")), "{texts:?}");
    }
    let is_expanded = |user: &str| {
        let secret =
            format!("apiVersion: v1\nkind: Secret\nmetadata: {{name: s}}\nstringData: {{user: '{user}', pass: b}}\n");
        let diagnostics = findings(&[&agent("a", spec), &manifest("MetricsInstance", "i", instance), &secret]);
        diagnostics.iter().any(|one| one.code == Code::CredentialExpanded && one.severity == Severity::Warning)
    };
    assert!(is_expanded("$(POD_NAME)") && is_expanded("${X}") && !is_expanded("$(X)"));
}

#[test]
fn reports_variables_in_additional_jobs_at_the_field() {
    let instance = "{remoteWrite: [{url: 'http://m'}], additionalScrapeConfigs: {name: s, key: jobs}}";
    for (jobs, expected) in [
        ("- job_name: x\\n  params: {a: [$(X)]}\\n", Some("reloader-variable error")),
        ("- job_name: x\\n  params: {$(X): [a]}\\n", Some("reloader-variable error")),
        ("- job_name: x\\n  metrics_path: ${a b}\\n", Some("misread-variable error")),
        ("- job_name: x\\n  metrics_path: /${X}\\n", Some("unset-variable warning")),
        ("- job_name: x # $(X) ${\\n", None),
        ("- job_name: x\\n  metrics_path: /$(POD_NAME)\\n", None),
    ] {
        let secret = format!("apiVersion: v1\nkind: Secret\nmetadata: {{name: s}}\nstringData: {{jobs: \"{jobs}\"}}\n");
        let agent = agent("a", "metrics: {instanceSelector: {}}");
        let lines = variable_findings(&[&agent, &manifest("MetricsInstance", "i", instance), &secret]);
        let expected = expected.map(|finding| format!("{finding} MetricsInstance spec.additionalScrapeConfigs"));
        assert_eq!(lines, Vec::from_iter(expected), "{jobs}");
    }
}

#[test]
fn ignores_pod_fields_outside_the_configuration() {
    let fields = "metrics: {instanceSelector: {}, externalLabels: {a: '$(X)'}}, \
                  containers: [{name: other, image: i, args: ['$(X)', '${a-b}']}]";
    let lines = variable_findings(&[&agent("a", fields), &manifest("MetricsInstance", "i", "{}")]);
    assert_eq!(lines, ["reloader-variable error GrafanaAgent spec.metrics.externalLabels.a"]);
    let keys = agent("a", "metrics: {instanceSelector: {}, externalLabels: {'$(X)': a}}");
    let lines = variable_findings(&[&keys, &manifest("MetricsInstance", "i", "{}")]);
    assert_eq!(lines, ["reloader-variable error GrafanaAgent spec.metrics.externalLabels.$(X)"]);
}

#[test]
fn checks_resources_that_no_agent_selects() {
    for (text, expected) in [
        ("$(1)", Some("reloader-variable error")),
        ("$(CLUSTER)", Some("reloader-variable warning")),
        ("$(POD_NAME)", None),
        ("${CLUSTER}", None),
        ("${a-b}", Some("misread-variable error")),
    ] {
        let spec = format!("{{selector: {{}}, jobLabel: '{text}', endpoints: [{{path: '{text}'}}]}}");
        let lines = variable_findings(&[&monitor("ServiceMonitor", &spec)]);
        let expected = expected.map(|finding| format!("{finding} ServiceMonitor spec.endpoints[0].path"));
        assert_eq!(lines, Vec::from_iter(expected), "{text}");
        let instance = manifest("MetricsInstance", "i", &format!("{{remoteWrite: [{{url: 'http://{text}'}}]}}"));
        assert_eq!(variable_findings(&[&instance]).is_empty(), lines.is_empty(), "{text}");
    }
    let first = integration("x", "mysql", &[], "{data_source_name: '${'}");
    assert_eq!(variable_findings(&[&first]), ["misread-variable error Integration spec.config.data_source_name"]);
}

#[test]
fn reports_variables_named_like_capture_groups_once() {
    let spec =
        "{selector: {}, endpoints: [{relabelings: [{regex: '(?P<b>.*)', replacement: '${b}', targetLabel: c}]}]}";
    let lines =
        variable_findings(&[AGENT, &manifest("MetricsInstance", "i", METRICS), &monitor("ServiceMonitor", spec)]);
    assert_eq!(lines, ["misread-variable warning ServiceMonitor spec.endpoints[0].relabelings[0].replacement"]);
}

#[test]
fn checks_settings_with_unset_variables_removed() {
    let monitor = monitor(
        "ServiceMonitor",
        "{selector: {}, endpoints: [{relabelings: [{targetLabel: '${X}', replacement: a}]}]}",
    );
    let instance = manifest("MetricsInstance", "i", METRICS);
    for (fields, expected) in [
        ("", Some("spec.endpoints[0].relabelings[0]")),
        ("containers: [{name: grafana-agent, env: [{name: X, value: x}]}]", None),
        ("containers: [{name: grafana-agent, envFrom: [{secretRef: {name: s}}]}]", None),
    ] {
        let agent = agent("a", &format!("metrics: {{instanceSelector: {{}}}}, {fields}"));
        let errors = findings(&[&agent, &instance, &monitor]).into_iter().filter(|one| one.severity == Severity::Error);
        let paths: Vec<_> = errors.filter_map(|one| one.path).collect();
        assert_eq!(paths, Vec::from_iter(expected), "{fields}");
    }
}

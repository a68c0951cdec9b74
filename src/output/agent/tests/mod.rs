//! Tests of whole configurations for small inputs.

mod additional;
mod integrations;
mod relabel;
mod secrets;
mod stages;

use super::{Configuration, append_job, text, write};
use crate::admit;
use crate::diagnostic::Diagnostic;
use crate::output::Variables;
use crate::plan::{ConfigKind, Plan, SecretRepresentation};
use crate::resolve;
use crate::testing;

/// Returns one configuration of the only agent in an input, along with the findings of all steps before rendering.
fn render_configuration(input: &str, part: ConfigKind) -> (String, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let text = with_plan(input, part, &mut diagnostics, |plan| text(plan, part));
    (text, diagnostics)
}

/// Applies a function to the plan of the only agent in an input.
pub fn with_plan<T>(
    input: &str,
    part: ConfigKind,
    diagnostics: &mut Vec<Diagnostic>,
    make: impl FnOnce(&mut Plan<'_>) -> T,
) -> T {
    let document_list = testing::read(input);
    diagnostics.extend(document_list.diagnostics);
    let admitted_documents = document_list.output.into_iter();
    let options = admit::AdmitOptions::default();
    let admitted_documents =
        admitted_documents.map(|d| admit::admit_document(d, true, &options, |_, _| false, diagnostics));
    let documents: Vec<_> = admitted_documents.collect();
    let resources = admit::decode(&documents, "default");
    diagnostics.extend(resources.diagnostics);
    let resolution = resolve::resolve(&resources.output, &resolve::ResolveOptions::default());
    diagnostics.extend(resolution.diagnostics);
    make(&mut Plan::new(&resolution.output[0], &[part], diagnostics))
}

const AGENT: &str = "
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: a, namespace: ns}
spec:
  metrics: {instanceSelector: {}, enforcedNamespaceLabel: ns, shards: 3}
  logs: {instanceSelector: {}}
  integrations: {selector: {}}
";

const METRICS_INSTANCE: &str = "
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: m, namespace: ns}
spec: {serviceMonitorSelector: {}, podMonitorSelector: {}, probeSelector: {}}
";

fn configuration_text(input: &str, part: ConfigKind) -> String {
    let (text, diagnostics) = render_configuration(input, part);
    assert_eq!(diagnostics, []);
    text
}

#[test]
fn parallel_jobs_keep_their_order() {
    let monitors = (0..300).map(|number| {
        format!(
            "
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {{name: s{number:03}, namespace: ns}}
spec: {{selector: {{}}, endpoints: [{{port: p{number}}}]}}"
        )
    });
    let input: String = [AGENT, METRICS_INSTANCE].map(str::to_owned).into_iter().chain(monitors).collect();
    let text = configuration_text(&input, ConfigKind::Metrics);
    let jobs = text.lines().filter_map(|line| line.trim_start_matches([' ', '-']).strip_prefix("job_name: "));
    let expected = (0..300).map(|number| format!("serviceMonitor/ns/s{number:03}/0"));
    assert_eq!(jobs.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
}

#[test]
fn collects_the_variables_of_all_jobs() {
    let monitors = (0..100).map(|number| {
        let path = match number {
            0 => "/${A}",
            50 => "/$(B)",
            99 => "/${C",
            _ => "/",
        };
        format!(
            "
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {{name: s{number:03}, namespace: ns}}
spec: {{selector: {{}}, endpoints: [{{port: a, path: '{path}'}}]}}"
        )
    });
    let input = [AGENT, METRICS_INSTANCE].map(str::to_owned).into_iter().chain(monitors);
    let facts = with_plan(&input.collect::<String>(), ConfigKind::Metrics, &mut Vec::new(), |plan| {
        write(plan, ConfigKind::Metrics, SecretRepresentation::Values, &mut |_| {})
    });
    let Variables { reloader_names, agent_names, broken } = facts.variables;
    let names = [agent_names, reloader_names, broken].map(|names| names.into_iter().collect::<Vec<_>>().join(" "));
    assert_eq!(names, ["A", "B SHARD STATEFULSET_ORDINAL_NUMBER", "C"]);
    assert!(!facts.may_be_misread && !facts.has_hidden);
}

#[test]
fn ignores_namespace_selectors_separately_for_metrics_and_logs() {
    let any_namespace = "spec: {namespaceSelector: {any: true}, selector: {}";
    let input = |ignoring: &str| {
        let agent =
            AGENT.replace(&format!("{ignoring}: {{"), &format!("{ignoring}: {{ignoreNamespaceSelectors: true, "));
        format!(
            "{agent}{METRICS_INSTANCE}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: LogsInstance
metadata: {{name: l, namespace: ns}}
spec: {{podLogsSelector: {{}}}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: PodLogs
metadata: {{name: p, namespace: ns}}
{any_namespace}, pipelineStages: []}}
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {{name: s, namespace: ns}}
{any_namespace}, endpoints: [{{port: http}}]}}
"
        )
    };
    let searches_own_namespace =
        |ignoring: &str, part| configuration_text(&input(ignoring), part).contains("namespaces:");
    assert!(searches_own_namespace("metrics", ConfigKind::Metrics));
    assert!(!searches_own_namespace("metrics", ConfigKind::Logs));
    assert!(!searches_own_namespace("logs", ConfigKind::Metrics));
    assert!(searches_own_namespace("logs", ConfigKind::Logs));
}

#[test]
fn copies_rules_from_the_matching_job() {
    let rule = "{sourceLabels: [a], regex: \"relabel_configs: []\", action: drop}";
    let monitor = |name: &str, endpoint: &str| {
        format!(
            "
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {{name: {name}, namespace: ns}}
spec: {{selector: {{matchLabels: {{app: {name}}}}}, endpoints: [{endpoint}]}}
"
        )
    };
    let endpoints = [
        "{port: web}".to_owned(),
        format!("{{port: web, metricRelabelings: [{rule}, {rule}], relabelings: [{rule}]}}"),
        "{params: {relabel_configs: [], x: [\"a\\nrelabel_configs: []\\n\\n  metric_relabel_configs: []\\n\"]}}"
            .to_owned(),
        format!("{{path: \"relabel_configs:\", metricRelabelings: [{rule}]}}"),
    ];
    let names = ["m0", "m1", "m2", "m3"];
    let monitors: String = (names.iter().zip(&endpoints)).map(|(name, endpoint)| monitor(name, endpoint)).collect();
    let pod_logs = ["p0", "p1"].map(|name| {
        format!(
            "
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: PodLogs
metadata: {{name: {name}, namespace: ns}}
spec:
  selector: {{}}
  relabelings: [{rule}, {rule}]
  pipelineStages: [{{template: {{source: a, template: \"a\\nrelabel_configs: []\\n\"}}}}]
"
        )
    });
    let logs_instance = METRICS_INSTANCE.replace("MetricsInstance", "LogsInstance");
    let logs_instance = logs_instance.replace("serviceMonitorSelector", "podLogsSelector");
    let logs_instance = logs_instance.replace(", podMonitorSelector: {}, probeSelector: {}", "");
    let input = format!("{AGENT}{METRICS_INSTANCE}{logs_instance}{monitors}{}", pod_logs.concat());
    let texts = [ConfigKind::Metrics, ConfigKind::Logs].map(|part| {
        let (text, sections) = with_plan(&input, part, &mut Vec::new(), |plan| {
            let configuration = Configuration::new(plan, part, SecretRepresentation::Values);
            let mut sections = String::new();
            configuration.for_each_part(&configuration.outline(), &mut |lines, _, instance| {
                sections.push_str(lines);
                if let Some(instance) = instance {
                    configuration.for_each_job(instance, &mut |_, job| append_job(&mut sections, &job));
                }
            });
            (text(plan, part), sections)
        });
        assert_eq!(text, sections);
        text
    });
    assert_eq!(texts[0].matches("metric_relabel_configs:\n").count(), 2);
    assert_eq!(texts[1].matches(" relabel_configs:\n").count(), 2);
    assert_eq!(texts[1].matches("regex: 'relabel_configs: []'\n").count(), 4);
}

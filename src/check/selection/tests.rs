//! Tests of the selection rules, with small inputs.

use crate::api::RELATIONS;
use crate::check::tests::{AGENT, assert_lines, describe, findings, integration, manifest};
use crate::diagnostic::group::group_by_cause;

/// Returns the findings about selection as `code resource: message`.
fn lines(documents: &[&str]) -> Vec<String> {
    let codes = ["duplicate-scrape", "selects-nothing", "shared-instance", "undescribed-namespace", "unselected"];
    let mut lines: Vec<_> = findings(documents)
        .into_iter()
        .filter(|d| codes.contains(&d.code.as_str()))
        .map(|d| format!("{} {}: {}", d.code, d.resource.unwrap(), d.message))
        .collect();
    lines.sort();
    lines
}

fn instance(spec: &str) -> String {
    manifest("MetricsInstance", "primary", spec)
}

/// Returns a ServiceMonitor or PodMonitor with additional `metadata`.
fn monitor(kind: &str, name: &str, metadata: &str, spec: &str) -> String {
    format!(
        "apiVersion: monitoring.coreos.com/v1\nkind: {kind}\nmetadata: {{name: {name}, {metadata}}}\nspec: {spec}\n"
    )
}

fn service_monitor(name: &str, metadata: &str) -> String {
    monitor(
        "ServiceMonitor",
        name,
        metadata,
        &format!("{{selector: {{matchLabels: {{app: {name}}}}}, endpoints: [{{port: http}}]}}"),
    )
}

const NO_LINES: [&str; 0] = [];

#[test]
fn reports_the_nearest_miss() {
    let wants = "serviceMonitorSelector: {matchLabels: {instance: primary}}";
    let nearest_finding = "unselected ServiceMonitor/default/web: no MetricsInstance selects \
                ServiceMonitor `web`; the closest match, MetricsInstance `default/primary`, ";
    let other_namespace = nearest_finding.replace("ServiceMonitor/default/", "ServiceMonitor/app/");
    let table = [
        (format!("{{{wants}}}"), "labels: {instance: primary}", String::new()),
        (
            format!("{{{wants}}}"),
            "labels: {instance: primry}",
            format!("{nearest_finding}requires `instance=primary` in `spec.serviceMonitorSelector`, but the ServiceMonitor has `instance=primry`"),
        ),
        (
            format!("{{{wants}}}"),
            "labels: {}",
            format!("{nearest_finding}requires `instance=primary` in `spec.serviceMonitorSelector`, but the ServiceMonitor has no label `instance`"),
        ),
        (
            format!("{{{wants}}}"),
            "namespace: app, labels: {instance: primary}",
            format!(
                "{other_namespace}has no `spec.serviceMonitorNamespaceSelector`, so it selects ServiceMonitors only in its own \
                 namespace `default`, not in `app`"
            ),
        ),
        (
            "{}".to_owned(),
            "labels: {instance: primary}",
            format!("{nearest_finding}has no `spec.serviceMonitorSelector`, so it selects nothing"),
        ),
        (
            format!("{{{wants}, serviceMonitorNamespaceSelector: {{matchLabels: {{team: a}}}}}}"),
            "namespace: app, labels: {instance: primary}",
            "undescribed-namespace ServiceMonitor/app/web: MetricsInstance `default/primary` selects ServiceMonitor `web` only if \
             namespace `app` has `team=a`, but no manifest defines the namespace"
                .to_owned(),
        ),
    ];
    for (spec, metadata, expected) in table {
        let actual = lines(&[AGENT, &instance(&spec), &service_monitor("web", metadata)]);
        let is_about_child =
            |line: &&String| line.starts_with("unselected") || line.starts_with("undescribed-namespace Serv");
        let unselected: Vec<_> = actual.iter().filter(is_about_child).collect();
        if expected.is_empty() {
            assert_eq!(actual, NO_LINES);
        } else {
            assert_eq!(unselected, [&expected]);
        }
    }
}

#[test]
fn shows_the_start_of_long_selectors() {
    let values: Vec<_> = (0..60).map(|i| format!("v{i}")).collect();
    let wants = format!(
        "{{serviceMonitorSelector: {{matchExpressions: [{{key: a, operator: In, values: [{}]}}]}}}}",
        values.join(", ")
    );
    let lines = lines(&[AGENT, &instance(&wants), &service_monitor("web", "labels: {a: b}")]);
    let expected = format!(
        "requires `a in ({} and 10 more)` in `spec.serviceMonitorSelector`, but the ServiceMonitor has `a=b`",
        values[..50].join(", ")
    );
    assert!(lines.iter().all(|line| line.contains(&expected)), "{lines:?}");

    let keys: String = (0..60).map(|i| format!("k{i}: x, ")).collect();
    let wants = format!("{{serviceMonitorSelector: {{matchLabels: {{{keys}}}}}}}");
    let lines = self::lines(&[AGENT, &instance(&wants), &service_monitor("web", "labels: {a: b}")]);
    assert!(lines.iter().all(|line| line.contains("; there are 10 more reasons")), "{lines:?}");
}

#[test]
fn limits_comparisons_with_long_selectors() {
    let values: String = (0..64_000).map(|i| format!("v{i}, ")).collect();
    let wants =
        format!("{{serviceMonitorSelector: {{matchExpressions: [{{key: a, operator: In, values: [{values}]}}]}}}}");
    let monitors: Vec<_> = (0..120).map(|i| service_monitor(&format!("m{i}"), "labels: {a: b}")).collect();
    let instance = instance(&wants);
    let documents: Vec<_> = [AGENT, &instance].into_iter().chain(monitors.iter().map(String::as_str)).collect();
    let lines = lines(&documents);
    let unselected = || lines.iter().filter(|line| line.starts_with("unselected"));
    let comparison_count = unselected().filter(|line| line.contains("closest"));
    assert_eq!((unselected().count(), comparison_count.count()), (120, 99));
}

#[test]
fn does_not_report_unselected_resources_without_agents() {
    let web = service_monitor("web", "");
    assert_eq!(lines(&[&web]), NO_LINES);
    assert_eq!(lines(&[&instance("{serviceMonitorSelector: {}}"), &web]), NO_LINES);
    assert_eq!(
        lines(&[AGENT, &web]),
        [
            "selects-nothing GrafanaAgent/default/a: GrafanaAgent `a` selects no MetricsInstances, LogsInstances or \
             Integrations, so the operator creates no pods for it",
            "unselected ServiceMonitor/default/web: nothing selects ServiceMonitor `web`: \
          there is no MetricsInstance in the input"
        ]
    );
}

#[test]
fn ignores_resources_that_rejected_parents_may_select() {
    let invalid_instance = manifest("MetricsInstance", "broken", "{serviceMonitorSelector: 1}");
    let invalid = manifest(
        "MetricsInstance",
        "invalid",
        "{serviceMonitorSelector: {matchExpressions: [{key: a, operator: Near}]}}",
    );
    let web = service_monitor("web", "");
    assert_eq!(lines(&[AGENT, &invalid_instance, &web]), NO_LINES);
    assert_eq!(lines(&[AGENT, &invalid, &web]), NO_LINES);
}

#[test]
fn paused_agents_still_select_resources() {
    let paused = AGENT.replace("spec:", "spec:\n  paused: true");
    let primary = instance("{}");
    assert_eq!(lines(&[&paused, &primary]), NO_LINES);
    let other_agent = AGENT.replace("name: a", "name: b");
    assert_eq!(lines(&[&paused, &other_agent, &primary]), NO_LINES);
}

#[test]
fn reports_selectors_without_matches_at_their_span() {
    let dev = manifest("MetricsInstance", "dev", "{serviceMonitorSelector: {matchLabels: {env: dev}}}");
    let all = instance("{serviceMonitorSelector: {}}");
    let web = service_monitor("web", "labels: {env: prod}");
    assert_eq!(
        lines(&[AGENT, &dev, &all, &web]),
        ["selects-nothing MetricsInstance/default/dev: MetricsInstance `dev` selects no ServiceMonitors; the \
          closest match is `default/web`: the MetricsInstance requires `env=dev` in `spec.serviceMonitorSelector`, but the ServiceMonitor has `env=prod`"]
    );
    // Either no resource of the kind exists, or all of them are selected.
    assert_eq!(lines(&[AGENT, &dev]), NO_LINES);
    let far = all.replace("name: primary", "name: far, namespace: app");
    let agent = AGENT.replace("{instanceSelector: {}}", "{instanceSelector: {}, instanceNamespaceSelector: {}}");
    assert_eq!(lines(&[&agent, &far, &all, &web]), NO_LINES);
}

#[test]
fn reports_missing_selectors_of_agents() {
    let agent = "apiVersion: monitoring.grafana.com/v1alpha1\nkind: GrafanaAgent\nmetadata: {name: b}\nspec: {}\n";
    let actual = lines(&[agent, &instance("{}")]);
    assert_eq!(
        actual.first().map(String::as_str),
        Some(
            "selects-nothing GrafanaAgent/default/b: GrafanaAgent `b` has no `spec.metrics.instanceSelector`, \
             so it does not select the MetricsInstance in its namespace"
        )
    );
    assert_eq!(actual.len(), 2, "{actual:?}");
    let idle = "selects-nothing GrafanaAgent/default/b: GrafanaAgent `b` selects no MetricsInstances, LogsInstances or \
                Integrations, so the operator creates no pods for it";
    assert_eq!(lines(&[AGENT, agent, &instance("{}")]), [idle]);
}

#[test]
fn reports_agents_that_select_nothing() {
    let idle_findings = |documents: &[&str]| {
        let diagnostics = findings(documents).into_iter();
        let diagnostics = diagnostics.filter(|finding| finding.message.contains("creates no pods"));
        diagnostics.map(|finding| (finding.help.unwrap_or_default(), finding.is_consequence)).collect::<Vec<_>>()
    };
    let agent = |spec: &str| manifest("GrafanaAgent", "a", spec);
    let set_selector_help = "to select everything in the agent's namespace, set `spec.metrics.instanceSelector`, \
               `spec.logs.instanceSelector` or `spec.integrations.selector` to `{}`";
    let add_resource_help = |fields: &str| format!("add a resource that {fields} selects");
    let logs = manifest("LogsInstance", "l", "{}");
    let integration = integration("i", "mysql", &[], "{}");
    let other_instance = instance("{}").replace("name: primary", "name: primary, namespace: other");
    for (spec, others, expected) in [
        ("{}", &[][..], Some((set_selector_help.to_owned(), false))),
        ("{metrics: {instanceSelector: {}}}", &[], Some((add_resource_help("`spec.metrics.instanceSelector`"), false))),
        (
            "{logs: {instanceSelector: {}}, integrations: {selector: {}}}",
            &[],
            Some((add_resource_help("`spec.logs.instanceSelector` or `spec.integrations.selector`"), false)),
        ),
        ("{metrics: {instanceSelector: {}}}", &[&instance("{}")], None),
        ("{logs: {instanceSelector: {}}}", &[&logs], None),
        ("{integrations: {selector: {}}}", &[&integration], None),
        ("{paused: true}", &[], None),
        // The finding about the selector already explains why the agent selects nothing.
        ("{}", &[&logs], None),
        ("{metrics: {instanceSelector: {matchLabels: {a: b}}}}", &[&instance("{}")], None),
        ("{metrics: {instanceSelector: {}}}", &[&other_instance], None),
        (
            "{logs: {instanceSelector: {}}}",
            &[&other_instance],
            Some((add_resource_help("`spec.logs.instanceSelector`"), true)),
        ),
        // The selector is invalid.
        ("{metrics: {instanceSelector: 7}}", &[], None),
    ] {
        let mut documents = vec![agent(spec)];
        documents.extend(others.iter().map(|other| (*other).to_owned()));
        let documents: Vec<_> = documents.iter().map(String::as_str).collect();
        assert_eq!(idle_findings(&documents), Vec::from_iter(expected), "{spec} {}", others.len());
    }
}

#[test]
fn reports_namespace_selectors_without_label_selectors() {
    for relation in RELATIONS {
        for (labels, namespaces, expected) in
            [(false, "{}", true), (false, "{matchLabels: {a: b}}", true), (true, "{}", false), (false, "", false)]
        {
            let parts: Vec<_> = relation.labels.split('.').collect();
            let field = |path: &str| path.rsplit('.').next().unwrap().to_owned();
            let mut fields = Vec::new();
            if labels {
                fields.push(format!("{}: {{}}", field(relation.labels)));
            }
            if !namespaces.is_empty() {
                fields.push(format!("{}: {namespaces}", field(relation.namespaces)));
            }
            let inner = format!("{{{}}}", fields.join(", "));
            let spec = match parts.as_slice() {
                [_, outer, _] => format!("{{{outer}: {inner}}}"),
                _ => inner,
            };
            let diagnostics = findings(&[&manifest(relation.parent.as_str(), "a", &spec)]).into_iter();
            let mut diagnostics = diagnostics.filter(|finding| finding.path.as_deref() == Some(relation.namespaces));
            let message = format!(
                "{} `a` sets `{}` without `{}`, so it selects no {} in any namespace",
                relation.parent,
                field(relation.namespaces),
                field(relation.labels),
                relation.child.plural_kind()
            );
            let first = diagnostics.next().map(|finding| finding.message);
            assert_eq!((first, diagnostics.next()), (expected.then_some(message), None), "{spec}");
        }
    }
}

#[test]
fn groups_unselected_resources_under_the_missing_selector() {
    let primary = instance("{serviceMonitorNamespaceSelector: {}}");
    let diagnostics = findings(&[AGENT, &primary, &service_monitor("web", "")]);
    let grouped = group_by_cause(diagnostics);
    let grouped: Vec<_> =
        grouped.iter().map(|finding| (finding.path.as_deref(), finding.other_occurrences.len())).collect();
    assert_eq!(grouped, [(Some("spec.serviceMonitorNamespaceSelector"), 1)]);
}

#[test]
fn reports_instances_selected_by_two_agents() {
    let other_agent = AGENT.replace("name: a", "name: b");
    let third = AGENT.replace("name: a", "name: c");
    let primary = instance("{}");
    assert_eq!(
        lines(&[AGENT, &other_agent, &primary]),
        ["shared-instance MetricsInstance/default/primary: MetricsInstance `primary` is selected by \
          both `default/a` and `default/b`, so its data is collected more than once"]
    );
    assert_eq!(
        lines(&[AGENT, &other_agent, &third, &primary]),
        ["shared-instance MetricsInstance/default/primary: MetricsInstance `primary` is selected by \
          3 agents, `default/a`, `default/b` and 1 more, so its data is collected more than once"]
    );
}

#[test]
fn reports_monitors_selected_by_two_instances() {
    let all = "{serviceMonitorSelector: {}}";
    let other_spec = "{serviceMonitorSelector: {}, walTruncateFrequency: 2h}";
    let instances = [instance(all), manifest("MetricsInstance", "second", other_spec)];
    let monitors = [service_monitor("app", ""), service_monitor("web", "")];
    assert_eq!(
        lines(&[AGENT, &instances[0], &instances[1], &monitors[0], &monitors[1]]),
        [
            "duplicate-scrape MetricsInstance/default/second: agent `default/a` scrapes the targets of 2 ServiceMonitors, \
          such as `default/app`, twice: MetricsInstances `default/primary` and `default/second` both select them"
        ]
    );
}

#[test]
fn reports_duplicate_collection_once() {
    let all = "{serviceMonitorSelector: {}}";
    let other_spec = "{serviceMonitorSelector: {}, walTruncateFrequency: 2h}";
    let instances = [instance(all), manifest("MetricsInstance", "second", other_spec)];
    let monitors =
        ["a", "b"].map(|name| monitor("ServiceMonitor", name, "", "{selector: {}, endpoints: [{port: http}]}"));
    let other_agent = AGENT.replace("name: a", "name: b");
    let third = AGENT.replace("name: a", "name: c");
    let diagnostics =
        findings(&[AGENT, &other_agent, &third, &instances[0], &instances[1], &monitors[0], &monitors[1]]);
    let diagnostics = diagnostics.iter().filter(|finding| finding.code == crate::diagnostic::Code::DuplicateScrape);
    assert_lines(
        &diagnostics.map(describe).collect::<Vec<_>>(),
        "
        warning[duplicate-scrape] spec.serviceMonitorSelector: 3 agents, such as `default/a`, scrape the targets of 2 ServiceMonitors, such as `default/a`, twice: MetricsInstances `default/primary` and `default/second` both select them; narrow one of the two selectors [selected here too] [selected twice]
        warning[duplicate-scrape] spec.endpoints[0]: endpoints of ServiceMonitors `default/a` and `default/b` scrape the same targets for MetricsInstance `default/primary` and 1 more; remove one of the two endpoints [scraped again] [scraped here first]
        ",
    );
}

#[test]
fn ignores_duplicate_monitors_with_rejected_fields() {
    for refused in ["selector: 5", "selector: {}, namespaceSelector: 5"] {
        let spec = format!("{{{refused}, endpoints: [{{port: http}}]}}");
        let monitors = ["first", "second"].map(|name| monitor("ServiceMonitor", name, "", &spec));
        let instance = instance("{serviceMonitorSelector: {}}");
        assert_eq!(lines(&[AGENT, &instance, &monitors[0], &monitors[1]]), NO_LINES, "{refused}");
    }
}

#[test]
fn points_to_the_first_of_equal_endpoints() {
    let instance = instance("{serviceMonitorSelector: {}}");
    let spec = "{selector: {}, endpoints: [{port: a}, {path: /b}, {path: '/b'}]}";
    let web = monitor("ServiceMonitor", "web", "", spec);
    let documents = [AGENT, instance.as_str(), web.as_str()];
    let diagnostics = findings(&documents);
    let duplicate = diagnostics.iter().find(|finding| finding.code == crate::diagnostic::Code::DuplicateScrape);
    let text = documents.join("\n---\n");
    let labels = duplicate.unwrap().labels.iter();
    let endpoints: Vec<_> = labels.map(|label| text[label.span.start as usize..].split('}').next().unwrap()).collect();
    assert_eq!(endpoints, ["path: '/b'", "path: /b"]);
}

#[test]
fn suggests_adding_undefined_namespaces() {
    let spec = "{serviceMonitorSelector: {}, serviceMonitorNamespaceSelector: {matchLabels: {team: a}}}";
    let diagnostics = findings(&[AGENT, &instance(spec), &service_monitor("web", "namespace: app")]);
    let undescribed_namespaces =
        diagnostics.iter().filter(|finding| finding.code == crate::diagnostic::Code::UndescribedNamespace);
    let helps: Vec<_> = undescribed_namespaces.map(|finding| finding.help.as_deref().unwrap()).collect();
    let help = "add the Namespace to the input, or pass its labels: `--namespace-labels app:team=a`";
    assert_eq!(helps, [help; 2]);
}

#[test]
fn suggests_changes_that_select_monitors() {
    let help = |selector: &str, labels: &str| {
        let instance = instance(&format!("{{serviceMonitorSelector: {{{selector}}}}}"));
        let diagnostics = findings(&[AGENT, &instance, &service_monitor("web", &format!("labels: {labels}"))]);
        let mut diagnostics = diagnostics.into_iter();
        diagnostics.find_map(|finding| finding.help.filter(|_| finding.code == crate::diagnostic::Code::Unselected))
    };
    let expression = |rest: &str| format!("matchExpressions: [{{key: a, {rest}}}]");
    for (selector, labels, expected) in [
        ("matchLabels: {a: b}".to_owned(), "{}", "set the label `a: b`"),
        (expression("operator: In, values: [b]"), "{}", "set the label `a: b`"),
        (expression("operator: In, values: [b, c]"), "{a: d}", "set the label `a` to `b` or `c`"),
        (expression("operator: Exists"), "{}", "set the label `a`"),
        (expression("operator: NotIn, values: [b]"), "{a: b}", "change the label `a`"),
        (expression("operator: DoesNotExist"), "{a: b}", "remove the label `a`"),
    ] {
        let expected = format!("{expected}, or change the selector");
        assert_eq!(help(&selector, labels), Some(expected), "{selector}");
    }
}

#[test]
fn suggests_changes_that_select_namespaces() {
    let shop =
        |labels: &str| format!("apiVersion: v1\nkind: Namespace\nmetadata: {{name: shop, labels: {{{labels}}}}}\n");
    for (selector, labels, expected) in [
        ("matchLabels: {a: b}", "", "set the label `a: b` on Namespace `shop`, or change the selector"),
        (
            "matchExpressions: [{key: a, operator: DoesNotExist}]",
            "a: b",
            "remove the label `a` from Namespace `shop`, or change the selector",
        ),
        // The control plane sets this label.
        (
            "matchLabels: {kubernetes.io/metadata.name: m}",
            "",
            "change `spec.serviceMonitorNamespaceSelector` so that it selects namespace `shop`",
        ),
    ] {
        let spec = format!("{{serviceMonitorSelector: {{}}, serviceMonitorNamespaceSelector: {{{selector}}}}}");
        let monitor = service_monitor("web", "namespace: shop");
        let diagnostics = findings(&[AGENT, &instance(&spec), &shop(labels), &monitor]);
        let mut unselected = diagnostics.iter().filter(|finding| finding.code == crate::diagnostic::Code::Unselected);
        assert_eq!(unselected.next().and_then(|finding| finding.help.as_deref()), Some(expected), "{selector}");
    }
}

#[test]
fn reports_only_endpoints_with_equal_targets_as_duplicates() {
    let spec = |endpoint: &str| format!("{{selector: {{matchLabels: {{app: web}}}}, endpoints: [{endpoint}]}}");
    let duplicate_findings = |first: &str, second: &str| {
        let first = monitor("ServiceMonitor", "first", "", &spec(first));
        let second = monitor("ServiceMonitor", "second", "", &spec(second));
        lines(&[AGENT, &instance("{serviceMonitorSelector: {}}"), &first, &second])
    };
    let equal_pairs = [
        ("{port: http}", "{port: http, path: /metrics, scheme: http, interval: 5s}"),
        ("{port: http, params: {a: [b], c: [d]}}", "{params: {c: [d], a: [b]}, port: http}"),
    ];
    for (first, second) in equal_pairs {
        assert_eq!(
            duplicate_findings(first, second),
            ["duplicate-scrape ServiceMonitor/default/second: endpoints of ServiceMonitors `default/first` and \
              `default/second` scrape the same targets for MetricsInstance `default/primary`"],
            "{first} {second}"
        );
    }
    let different_pairs = [
        ("{port: http}", "{port: https}"),
        ("{port: http}", "{targetPort: http}"),
        ("{port: http}", "{port: http, path: /probe}"),
        ("{port: http}", "{port: http, scheme: https}"),
        ("{port: http}", "{port: http, params: {a: [b]}}"),
        ("{port: http}", "{port: http, relabelings: [{action: drop, sourceLabels: [a], regex: b}]}"),
        ("{port: http}", "{port: http, metricRelabelings: [{action: drop, sourceLabels: [a], regex: b}]}"),
    ];
    for (first, second) in different_pairs {
        assert_eq!(duplicate_findings(first, second), NO_LINES, "{first} {second}");
    }
    assert_eq!(
        lines(&[
            AGENT,
            &instance("{serviceMonitorSelector: {}}"),
            &monitor("ServiceMonitor", "web", "", &spec("{port: http}, {port: http}, {port: http}")),
        ]),
        ["duplicate-scrape ServiceMonitor/default/web: two endpoints of ServiceMonitor `default/web` scrape the same \
          targets for MetricsInstance `default/primary`; so does 1 more pair of endpoints"]
    );
}

/// A namespace that is in use but not defined by a Namespace object has its name as a label.
#[test]
fn undefined_namespaces_can_be_selected_by_name() {
    const NAMESPACE_SELECTOR: &str = "{matchLabels: {kubernetes.io/metadata.name: alone}}";
    for (kind, version, parent, fields) in [
        ("MetricsInstance", "monitoring.grafana.com/v1alpha1", "agent", "{}"),
        ("LogsInstance", "monitoring.grafana.com/v1alpha1", "agent", "{}"),
        (
            "Integration",
            "monitoring.grafana.com/v1alpha1",
            "agent",
            "{name: redis, type: {unique: false, allNodes: false}, config: {}}",
        ),
        ("PodLogs", "monitoring.grafana.com/v1alpha1", "logs", "{selector: {}, pipelineStages: []}"),
        ("ServiceMonitor", "monitoring.coreos.com/v1", "metrics", "{selector: {}, endpoints: []}"),
        ("PodMonitor", "monitoring.coreos.com/v1", "metrics", "{selector: {}, podMetricsEndpoints: []}"),
        (
            "Probe",
            "monitoring.coreos.com/v1",
            "metrics",
            "{prober: {url: 'p:1'}, targets: {staticConfig: {static: [a]}}}",
        ),
    ] {
        let agent = |namespaces: &str| {
            crate::check::tests::agent(
                "a",
                &format!(
                    "metrics: {{instanceSelector: {{}}, instanceNamespaceSelector: {namespaces}}}, \
                     logs: {{instanceSelector: {{}}, instanceNamespaceSelector: {namespaces}}}, \
                     integrations: {{selector: {{}}, namespaceSelector: {namespaces}}}"
                ),
            )
        };
        let instance = match parent {
            "agent" => String::new(),
            "logs" => manifest(
                "LogsInstance",
                "i",
                &format!("{{podLogsSelector: {{}}, podLogsNamespaceSelector: {NAMESPACE_SELECTOR}}}"),
            ),
            _ => {
                let field = format!("{}{}", kind[..1].to_lowercase(), &kind[1..]);
                manifest(
                    "MetricsInstance",
                    "i",
                    &format!("{{{field}Selector: {{}}, {field}NamespaceSelector: {NAMESPACE_SELECTOR}}}"),
                )
            }
        };
        let namespaces = if parent == "agent" { NAMESPACE_SELECTOR } else { "{}" };
        let child =
            format!("apiVersion: {version}\nkind: {kind}\nmetadata: {{name: c, namespace: alone}}\nspec: {fields}");
        let documents = [agent(namespaces), instance, child];
        let documents: Vec<_> = documents.iter().map(String::as_str).filter(|text| !text.is_empty()).collect();
        let is_about_child = |d: &crate::diagnostic::Diagnostic| d.code == crate::diagnostic::Code::Unselected;
        assert!(!findings(&documents).iter().any(is_about_child), "{kind}: {:#?}", findings(&documents));
    }
}

#[test]
fn single_typos_cause_single_findings() {
    let agents = ["a", "b"].map(|name| manifest("GrafanaAgent", name, "{}"));
    let monitors = ["web", "shop"].map(|name| service_monitor(name, &format!("labels: {{team: {name}}}")));
    for (documents, expected) in [
        ([&agents[0], &agents[1], &instance("{}")].map(String::as_str), "unselected"),
        (
            [
                &*[AGENT, &instance("{serviceMonitorSelector: {matchLabels: {teem: web}}}")].join("\n---\n"),
                &monitors[0],
                &monitors[1],
            ],
            "selects-nothing",
        ),
    ] {
        let actual = group_by_cause(findings(&documents));
        let codes: Vec<_> = actual.iter().map(|finding| finding.code.as_str()).collect();
        assert_eq!(codes, [expected]);
    }
}

#[test]
fn resources_without_an_instance_share_a_cause() {
    let monitor = |name: &str| {
        format!(
            "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {{name: {name}}}\nspec: {{selector: {{}}, endpoints: []}}\n"
        )
    };
    let causes = |instance: &[&str]| {
        let (first, second) = (monitor("a"), monitor("b"));
        let mut documents = vec![crate::check::tests::AGENT, &first, &second];
        documents.extend(instance);
        let diagnostics = crate::check::tests::findings(&documents).into_iter();
        let diagnostics = diagnostics.filter(|finding| finding.code == crate::diagnostic::Code::Unselected);
        diagnostics.map(|finding| finding.cause.unwrap_or_default()).collect::<Vec<_>>()
    };
    assert_eq!(causes(&[]), ["ServiceMonitor without MetricsInstance"; 2]);
    let instance = crate::check::tests::manifest("MetricsInstance", "m", "{serviceMonitorSelector: {}}");
    assert_eq!(causes(&[&instance]), [""; 0]);
}

#[test]
fn equal_instances_run_as_one_without_duplicate_jobs() {
    let jobs = |name: &str, job: &str| {
        format!(
            "apiVersion: v1\nkind: Secret\nmetadata: {{name: {name}}}\nstringData: {{jobs: '[{{job_name: {job}}}]'}}\n"
        )
    };
    let secrets =
        [jobs("one", "x"), jobs("two", "x"), jobs("three", "y"), jobs("four", "serviceMonitor/default/app/0")];
    let monitor = service_monitor("app", "");
    let findings = |first: &str, second: &str| {
        let agent = AGENT.replace("metrics: {", "metrics: {remoteWrite: [{url: http://agent/}], ");
        let [first_job, second_job] =
            [("a", first), ("b", second)].map(|(name, spec)| manifest("MetricsInstance", name, &format!("{{{spec}}}")));
        let documents: Vec<_> =
            [&agent, &first_job, &second_job, &monitor].into_iter().chain(&secrets).map(String::as_str).collect();
        let diagnostics = findings(&documents).into_iter();
        let diagnostics =
            diagnostics.filter(|finding| matches!(finding.code.as_str(), "duplicate-job" | "duplicate-scrape"));
        let diagnostics = diagnostics.map(|finding| format!("{} {}", finding.code, finding.path.unwrap_or_default()));
        diagnostics.collect::<Vec<_>>()
    };
    let (all, url) = ("serviceMonitorSelector: {}", "remoteWrite: [{url: http://a/}]");
    let additional = |name: &str| format!("additionalScrapeConfigs: {{name: {name}, key: jobs}}");
    let duplicate_job = "duplicate-job spec.serviceMonitorSelector";
    let duplicate_scrape = "duplicate-scrape spec.serviceMonitorSelector";
    for (first, second, expected) in [
        (all.to_owned(), all.to_owned(), duplicate_job),
        (format!("{all}, {url}"), format!("{all}, {url}"), duplicate_job),
        (format!("{all}, {url}"), all.to_owned(), duplicate_scrape),
        (format!("{all}, remoteWrite: [{{url: http://agent/}}]"), all.to_owned(), duplicate_job),
        (
            format!("{all}, remoteWrite: [{{url: HTTP://agent/, name: x, remoteTimeout: 30s}}]"),
            all.to_owned(),
            duplicate_job,
        ),
        (
            format!("{all}, walTruncateFrequency: 60m0s, minWALTime: 300s, maxWALTime: 4h, remoteFlushDeadline: 1m"),
            all.to_owned(),
            duplicate_job,
        ),
        (format!("{all}, writeStaleOnShutdown: false"), all.to_owned(), duplicate_job),
        (format!("{all}, writeStaleOnShutdown: true"), all.to_owned(), duplicate_scrape),
        (format!("{all}, walTruncateFrequency: 61m"), all.to_owned(), duplicate_scrape),
        (
            format!("{all}, remoteWrite: [{{url: http://a/}}, {{url: http://b/}}]"),
            format!("{all}, remoteWrite: [{{url: http://b/}}, {{url: http://a/}}]"),
            duplicate_job,
        ),
        (
            format!("{all}, remoteWrite: [{{url: http://a/, headers: {{a: b}}}}]"),
            format!("{all}, {url}"),
            duplicate_scrape,
        ),
        // Secrets are also compared, except for a proxy's password.
        (
            format!("{all}, remoteWrite: [{{url: http://a/, bearerToken: x}}]"),
            format!("{all}, remoteWrite: [{{url: http://a/, bearerToken: y}}]"),
            duplicate_scrape,
        ),
        (
            format!("{all}, remoteWrite: [{{url: 'http://u:1@a/'}}]"),
            format!("{all}, remoteWrite: [{{url: 'http://u:2@a/'}}]"),
            duplicate_scrape,
        ),
        (
            format!("{all}, remoteWrite: [{{url: http://a/, proxyUrl: 'http://u:1@p'}}]"),
            format!("{all}, remoteWrite: [{{url: http://a/, proxyUrl: 'http://u:2@p'}}]"),
            duplicate_job,
        ),
        (all.to_owned(), String::new(), ""),
        (additional("one"), additional("two"), "duplicate-job spec.additionalScrapeConfigs"),
        (additional("one"), additional("three"), ""),
        (additional("one"), format!("{}, {url}", additional("two")), ""),
        (all.to_owned(), additional("four"), "duplicate-job spec.additionalScrapeConfigs"),
        (additional("four"), all.to_owned(), duplicate_job),
    ] {
        let diagnostics = findings(&first, &second);
        assert_eq!(diagnostics.join(", "), expected, "{first} {second}");
    }
}

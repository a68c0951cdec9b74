//! Tests of findings about monitors that lose their targets. The inputs are small and were not exported from a cluster.

use crate::check::tests::{agent, describe, findings, flow_findings, manifest};

/// Returns the findings about a monitor or Probe of `kind` with this `spec` and these objects.
fn lines(kind: &str, spec: &str, objects: &[String]) -> Vec<String> {
    let monitor = format!("apiVersion: monitoring.coreos.com/v1\nkind: {kind}\nmetadata: {{name: m}}\nspec: {spec}\n");
    let instance = "{serviceMonitorSelector: {}, podMonitorSelector: {}, probeSelector: {}}";
    let mut documents =
        vec![agent("a", "metrics: {instanceSelector: {}}"), manifest("MetricsInstance", "i", instance), monitor];
    documents.extend_from_slice(objects);
    findings(&documents.iter().map(String::as_str).collect::<Vec<_>>()).iter().map(describe).collect()
}

fn service(namespace: &str, name: &str, labels: &str, spec: &str) -> String {
    format!(
        "apiVersion: v1\nkind: Service\nmetadata: {{name: {name}, namespace: {namespace}, labels: {labels}}}\nspec: {spec}\n"
    )
}

fn pod(namespace: &str, name: &str, labels: &str, ports: &str) -> String {
    format!(
        "apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}, namespace: {namespace}, labels: {labels}}}\n\
         spec: {{containers: [{{name: c, image: i, ports: {ports}}}]}}\n"
    )
}

const WEB: &str = "{selector: {x: y}, ports: [{name: web, port: 80}]}";

#[test]
fn suggests_objects_for_selectors() {
    let no_service_message = "no Service in namespace `default` matches this selector";
    for (selector, objects, expected) in [
        (
            "{matchLabels: {app: weeb}}",
            vec![service("default", "s", "{a: x, app: web, zone: y}", WEB)],
            format!(
                "warning[no-matching-object] spec.selector.matchLabels.app: {no_service_message}; did you mean `web`? [Service `default/s` \
                 has `app: web`]"
            ),
        ),
        // The object with the fewest typos is suggested.
        (
            "{matchLabels: {app: webserver}}",
            vec![service("default", "s", "{app: webservicer}", WEB), service("default", "t", "{app: webservr}", WEB)],
            format!(
                "warning[no-matching-object] spec.selector.matchLabels.app: {no_service_message}; did you mean `webservr`? [Service \
                 `default/t` has `app: webservr`]"
            ),
        ),
        (
            "{matchLabels: {aap: web-server}}",
            vec![service("default", "s", "{zone: x, app: web-server}", WEB)],
            format!(
                "warning[no-matching-object] spec.selector.matchLabels.aap: {no_service_message}; did you mean `app`? [Service `default/s` has \
                 `app: web-server`]"
            ),
        ),
        (
            "{matchLabels: {app: web, tier: front}}",
            vec![service("default", "r", "{other: x}", WEB), service("default", "s", "{app: web}", WEB)],
            format!(
                "note[no-matching-object] spec.selector.matchLabels.tier: {no_service_message}; set the label on the Service, or remove it \
                 from the selector [Service `default/s` matches the rest of the selector]"
            ),
        ),
        (
            "{matchLabels: {app: web}}",
            vec![service("default", "r", "{other: x}", WEB), service("b", "s", "{app: web}", WEB)],
            format!(
                "note[no-matching-object] spec.selector.matchLabels.app: {no_service_message}; add `b` to `matchNames` in \
                 `namespaceSelector` [Service `b/s` matches]"
            ),
        ),
        (
            "{matchLabels: {app: web}}",
            vec![service("default", "r", "{other: x}", WEB), pod("default", "p", "{app: web}", "[]")],
            format!(
                "note[no-matching-object] spec.selector.matchLabels.app: {no_service_message}; select by the labels of the Service, not \
                 by those of the pod [pod `default/p` has these labels]"
            ),
        ),
        (
            "{matchLabels: {app: web}}",
            vec![service("default", "r", "{other: x}", WEB)],
            format!(
                "note[no-matching-object] spec.selector.matchLabels.app: {no_service_message}; compare the selector with the labels of each \
                 Service"
            ),
        ),
    ] {
        let actual =
            lines("ServiceMonitor", &format!("{{selector: {selector}, endpoints: [{{port: web}}]}}"), &objects);
        assert_eq!(actual, [expected], "{selector}");
    }
}

#[test]
fn pod_monitors_match_pod_labels_not_service_labels() {
    let spec =
        |label: &str| format!("{{selector: {{matchLabels: {{app: {label}}}}}, podMetricsEndpoints: [{{port: web}}]}}");
    let objects = [pod("default", "p", "{app: bare}", "[]"), service("default", "s", "{app: web}", WEB)];
    let expected = "note[no-matching-object] spec.selector.matchLabels.app: no pod in namespace `default` matches this selector; \
                    select by the labels of the pod, not by those of the Service [Service `default/s` has these labels]";
    assert_eq!(lines("PodMonitor", &spec("web"), &objects), [expected]);
    // A pod without containers has no targets, but a finding is created only for Services.
    let empty = objects[0].replace("[{name: c, image: i, ports: []}]", "[]");
    assert_ne!(empty, objects[0]);
    assert_eq!(lines("PodMonitor", &spec("bare"), &[empty]), [""; 0]);
}

#[test]
fn reports_ingresses_without_rules() {
    let ingress = |spec: &str| {
        format!(
            "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {{name: i, namespace: default, labels: {{app: web}}}}\n\
             spec: {spec}\n"
        )
    };
    let spec = "{prober: {url: 'p:1'}, targets: {ingress: {selector: {matchLabels: {app: web}}}}}";
    let backend = "backend: {service: {name: s, port: {number: 80}}}";
    let rules = format!("{{rules: [{{host: h, http: {{paths: [{{path: /, pathType: Prefix, {backend}}}]}}}}]}}");
    assert_eq!(lines("Probe", spec, &[ingress(&rules)]), [""; 0]);
    assert_eq!(
        lines("Probe", spec, &[ingress("{}")]),
        [
            "note[no-matching-object] spec.targets.ingress.selector.matchLabels.app: none of the Ingresses that this selector matches has a rule with a host and path; add a rule: a Probe probes only the hosts and paths of rules, not the default backend [this Ingress \
             matches]"
        ]
    );
}

#[test]
fn reports_rules_that_drop_the_last_target() {
    let objects = [service("default", "s", "{}", WEB)];
    let drop = |regex: &str| format!("{{action: drop, sourceLabels: [__param_target], regex: {regex}}}");
    let explain_help = "correct the rule: a `regex` must match the whole value; `agentctl targets --explain ADDRESS` shows the labels of a target at this rule";
    let address =
        "keep `__address__`, `__scheme__`, `__metrics_path__`, `__scrape_interval__` and `__scrape_timeout__` valid";
    for (targets, rules, expected) in [
        ("a, b", drop("a"), None),
        ("a", drop("a"), Some(format!("[0]: this rule drops the only target of the job; {explain_help}"))),
        ("a, b", drop("'a|b'"), Some(format!("[0]: this rule drops all 2 targets of the job; {explain_help}"))),
        (
            "a, b",
            format!("{}, {}", drop("a"), drop("b")),
            Some(
                "[1]: this rule drops the last of the job's 2 targets; run `agentctl targets --dropped` to see which targets each rule drops"
                    .to_owned(),
            ),
        ),
        (
            "a",
            "{sourceLabels: [__address__], regex: .+, targetLabel: __scrape_interval__, replacement: never}".to_owned(),
            Some(format!("[0]: after this rule, the job's only target cannot be scraped; {address}")),
        ),
    ] {
        let static_config = format!("{{static: [{targets}], relabelingConfigs: [{rules}]}}");
        let actual = lines("Probe", &format!("{{prober: {{url: 'p:1'}}, targets: {{staticConfig: {static_config}}}}}"), &objects);
        let start = "warning[drops-every-target] spec.targets.staticConfig.relabelingConfigs";
        assert_eq!(actual, Vec::from_iter(expected.map(|end| format!("{start}{end}"))), "{targets} {rules}");
    }
}

fn endpoints(name: &str) -> String {
    format!(
        "apiVersion: v1\nkind: Endpoints\nmetadata: {{name: {name}, namespace: default}}\n\
         subsets: [{{addresses: [{{ip: 192.0.2.1}}], ports: [{{name: metrics, port: 9187}}]}}]\n"
    )
}

/// Returns a Service and a pod whose init container has the Service's port `admin`.
fn init_container_objects(policy: &str) -> Vec<String> {
    let service_spec = "{selector: {x: y}, ports: [{name: web, port: 80}, {name: admin, port: 90, targetPort: admin}]}";
    let init_container =
        format!("initContainers: [{{name: i, {policy}ports: [{{name: admin, containerPort: 9000}}]}}], containers");
    let pod = pod("default", "p", "{x: y}", "[{name: web, containerPort: 80}]");
    vec![service("default", "s", "{app: web}", service_spec), pod.replace("containers", &init_container)]
}

#[test]
fn reports_ports_that_do_not_exist() {
    let labels = "{app: web}";
    let selected_service = |spec: &str| vec![service("default", "s", labels, spec)];
    let selected_pod = |ports: &str| vec![pod("default", "p", labels, ports)];
    let two_pods = vec![
        service("default", "s", labels, WEB),
        service("default", "t", labels, "{selector: {x: y}, ports: [{name: http, port: 1}]}"),
    ];
    for (kind, endpoint, objects, expected) in [
        ("ServiceMonitor", "{port: web}", selected_service(WEB), None),
        (
            "ServiceMonitor",
            "{port: metrics}",
            selected_service(WEB),
            Some(
                "warning[unknown-port] spec.endpoints[0].port: Service `default/s` has no port `metrics`; use the only port, `web` [the selected Service]",
            ),
        ),
        (
            "ServiceMonitor",
            "{port: wbe}",
            selected_service("{selector: {x: y}, ports: [{name: web, port: 80}, {name: http, port: 81}]}"),
            Some(
                "warning[unknown-port] spec.endpoints[0].port: Service `default/s` has no port `wbe`; did you mean `web`? The ports are `http` and `web` [the selected Service]",
            ),
        ),
        (
            "ServiceMonitor",
            "{port: metrics}",
            selected_service("{selector: {x: y}, ports: [{port: 80}]}"),
            Some(
                "warning[unknown-port] spec.endpoints[0].port: Service `default/s` has no port `metrics`; declare a named port: no port has a name [the selected Service]",
            ),
        ),
        (
            "ServiceMonitor",
            "{targetPort: 9090}",
            vec![
                service("default", "s", labels, WEB),
                pod("default", "p", "{x: y}", "[{name: web, containerPort: 80}]"),
            ],
            Some(
                "note[unknown-port] spec.endpoints[0].targetPort: no container backing Service `default/s` exposes port `9090`; use the only port, `web` (80) [the selected Service]",
            ),
        ),
        (
            "ServiceMonitor",
            "{port: metrics}",
            two_pods,
            Some(
                "warning[unknown-port] spec.endpoints[0].port: none of the 2 selected Services exposes port `metrics`; use one of the ports `http` and `web` [the selected Service]",
            ),
        ),
        (
            "PodMonitor",
            "{port: metrics}",
            selected_pod("[{name: web, containerPort: 80}]"),
            Some(
                "note[unknown-port] spec.podMetricsEndpoints[0].port: pod `default/p` has no port `metrics`; use the only port, `web` (80) [the selected pod]",
            ),
        ),
        (
            "PodMonitor",
            "{port: metrcs}",
            selected_pod("[{name: metrics, containerPort: 80}]"),
            Some(
                "warning[unknown-port] spec.podMetricsEndpoints[0].port: pod `default/p` has no port `metrcs`; did you mean `metrics`, the only port? [the selected pod]",
            ),
        ),
        // Without pods, `targetPort` never matches.
        (
            "ServiceMonitor",
            "{targetPort: 9187}",
            vec![service("default", "s", labels, "{ports: [{name: metrics, port: 9187}]}"), endpoints("s")],
            Some(
                "note[unknown-port] spec.endpoints[0].targetPort: no container backing Service `default/s` exposes port `9187`: `targetPort` matches only ports of containers, and a Service without a selector has none; set `port` to the name of a Service port, such as `metrics`, instead of `targetPort` [the selected Service]",
            ),
        ),
        (
            "ServiceMonitor",
            "{targetPort: 9187}",
            vec![service("default", "s", labels, "{ports: [{port: 9187}]}"), endpoints("s")],
            Some(
                "note[unknown-port] spec.endpoints[0].targetPort: no container backing Service `default/s` exposes port `9187`: `targetPort` matches only ports of containers, and a Service without a selector has none; give the Service port a name, and set `port` to that name instead of `targetPort` [the selected Service]",
            ),
        ),
        (
            "ServiceMonitor",
            "{port: admin}",
            init_container_objects(""),
            Some(
                "note[unknown-port] spec.endpoints[0].port: no container backing Service `default/s` exposes the port that Service port `admin` refers to: init container `i` has it, but a Service refers only to ports of running containers; declare the port in a container, or set `restartPolicy: Always` if the init container is a sidecar [the selected Service]",
            ),
        ),
        ("ServiceMonitor", "{port: admin}", init_container_objects("restartPolicy: Always, "), None),
        (
            "ServiceMonitor",
            "{targetPort: 9000}",
            init_container_objects("restartPolicy: Always, "),
            Some(
                "note[unknown-port] spec.endpoints[0].targetPort: no container backing Service `default/s` exposes port `9000`: init container `i` has it, but the agent does not discover ports of init containers through a Service; set `port` to the name of the Service port, or use a PodMonitor [the selected Service]",
            ),
        ),
        // The only Service with the port selects no pods.
        (
            "ServiceMonitor",
            "{port: metrics}",
            vec![
                service("default", "s", labels, WEB),
                service("default", "t", labels, "{selector: {x: z}, ports: [{name: metrics, port: 9100}]}"),
                pod("default", "p", "{x: y}", "[{name: web, containerPort: 80}]"),
            ],
            Some(
                "note[service-without-endpoints] spec.selector.matchLabels.app: Service `default/t` selects no pods, so it has no targets; compare the Service's selector with the pods' labels [the selected Service]",
            ),
        ),
    ] {
        let list = if kind == "PodMonitor" { "podMetricsEndpoints" } else { "endpoints" };
        let spec = format!("{{selector: {{matchLabels: {labels}}}, {list}: [{endpoint}]}}");
        let actual = lines(kind, &spec, &objects);
        assert_eq!(actual, Vec::from_iter(expected.map(str::to_owned)), "{endpoint}");
    }
}

#[test]
fn reports_services_without_endpoints() {
    let spec = "{selector: {matchLabels: {app: web}}, endpoints: [{port: web}]}";
    let start = "spec.selector.matchLabels.app: Service `default/s`";
    let web = |selector: &str| {
        service("default", "s", "{app: web}", &format!("{{{selector}ports: [{{name: web, port: 80}}]}}"))
    };
    let ports = "[{name: web, containerPort: 80}]";
    for (objects, expected) in [
        (
            vec![web("selector: {x: y}, "), pod("default", "p", "{x: z}", ports)],
            Some(format!(
                "note[service-without-endpoints] {start} selects no pods, so it has no targets; compare the Service's selector with the pods' labels [the selected Service]"
            )),
        ),
        (vec![web("selector: {x: y}, "), pod("default", "p", "{x: y}", ports)], None),
        // The pods may be in a different input.
        (vec![web("selector: {x: y}, ")], None),
        (vec![web("selector: {x: y}, "), pod("b", "p", "{x: z}", ports)], None),
        (
            vec![web("")],
            Some(format!(
                "note[service-without-endpoints] {start} has neither a selector nor Endpoints, so it has no targets; give the \
                 Service a selector, or add its Endpoints [the selected Service]"
            )),
        ),
    ] {
        assert_eq!(lines("ServiceMonitor", spec, &objects), Vec::from_iter(expected));
    }
}

#[test]
fn counts_jobs_with_too_many_targets() {
    // A target with this many labels counts as 51 targets.
    let labels: String = (0..1_600).map(|i| format!("l{i}: x, ")).collect();
    let module_probe = |module: &str, targets: usize| {
        let targets = "a, ".repeat(targets);
        format!(
            "{{prober: {{url: p}}, module: {module}, targets: {{staticConfig: {{static: [{targets}], labels: {{{labels}}}}}}}}}"
        )
    };
    let probe = |targets| module_probe("first", targets);
    let other_spec = module_probe("second", 1_000);
    let other_probe =
        format!("apiVersion: monitoring.coreos.com/v1\nkind: Probe\nmetadata: {{name: o}}\nspec: {other_spec}\n");
    let objects = [service("default", "s", "{}", WEB)];
    let text = |jobs: &str| {
        format!(
            "warning[target-limit] : the targets of {jobs} are not checked: all jobs together exceed the limit of 50000 targets; \
             narrow the selectors, starting with this one"
        )
    };
    assert_eq!(lines("Probe", &probe(10), &objects), [""; 0]);
    assert_eq!(lines("Probe", &probe(1_000), &objects), [text("1 job")]);
    assert_eq!(lines("Probe", &probe(1_000), &[objects[0].clone(), other_probe]), [text("2 jobs")]);
}

#[test]
fn reports_unknown_namespaces() {
    let namespace = |name: &str| format!("apiVersion: v1\nkind: Namespace\nmetadata: {{name: {name}}}\n");
    let spec = |names: &str| {
        format!("{{selector: {{}}, endpoints: [{{port: web}}], namespaceSelector: {{matchNames: {names}}}}}")
    };
    let web = service("default", "s", "{}", WEB);
    let known = [namespace("shop"), web.clone()];
    let path = "note[unknown-namespace] spec.namespaceSelector.matchNames";
    for (names, objects, expected) in [
        ("[shop, default]", &known[..], vec![]),
        (
            "[shopp, default]",
            &known,
            vec![format!(
                "{}: namespace `shopp` is not in the input; did you mean `shop`?",
                path.replace("note", "warning")
            )],
        ),
        // Namespaces with such similar names are both likely to exist.
        (
            "[default, team-b]",
            &[namespace("team-a"), web.clone()],
            vec![format!("{path}: namespace `team-b` is not in the input; did you mean `team-a`?")],
        ),
        (
            "[default, x]",
            &known,
            vec![format!(
                "{path}: namespace `x` is not in the input; add the namespace to the export, or correct its name"
            )],
        ),
        // A Namespace is enough for a suggestion.
        (
            "[default, shpo]",
            &["apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n".to_owned()],
            vec![format!(
                "{}: namespace `shpo` is not in the input; did you mean `shop`?",
                path.replace("note", "warning")
            )],
        ),
        // If the input contains no Namespaces, it is unknown which namespaces exist.
        ("[default, x]", &known[1..], vec![]),
        (
            "[default, shpo]",
            &[service("shop", "s", "{}", WEB), web.clone()],
            vec![format!(
                "{}: namespace `shpo` is not in the input; did you mean `shop`?",
                path.replace("note", "warning")
            )],
        ),
    ] {
        let actual = lines("ServiceMonitor", &spec(names), objects);
        assert_eq!(actual, expected, "{names}");
    }
}

/// Returns the findings about monitors in namespace `default` that collect the same targets.
fn duplicate_targets(monitors: &[(&str, &str)], objects: &[String]) -> Vec<String> {
    let monitors = monitors.iter().zip('a'..).map(|((kind, spec), name)| {
        let group = if *kind == "PodLogs" { "monitoring.grafana.com/v1alpha1" } else { "monitoring.coreos.com/v1" };
        format!("apiVersion: {group}\nkind: {kind}\nmetadata: {{name: {name}}}\nspec: {spec}\n")
    });
    let instance = "{serviceMonitorSelector: {}, podMonitorSelector: {}, probeSelector: {}}";
    let first = [
        agent("g", "metrics: {instanceSelector: {}}, logs: {instanceSelector: {}}"),
        manifest("MetricsInstance", "i", instance),
        manifest("LogsInstance", "i", "{podLogsSelector: {}}"),
    ];
    let documents: Vec<_> = first.into_iter().chain(monitors).chain(objects.iter().cloned()).collect();
    let findings = flow_findings(&documents.iter().map(String::as_str).collect::<Vec<_>>());
    let findings =
        findings.iter().filter(|finding| matches!(finding.code.as_str(), "collected-twice" | "duplicate-scrape"));
    findings.map(|finding| format!("{} {}", finding.path.as_deref().unwrap_or_default(), finding.message)).collect()
}

#[test]
fn reports_services_with_the_same_pods() {
    let monitor = |endpoint: &str| format!("{{selector: {{matchLabels: {{a: x}}}}, endpoints: [{endpoint}]}}");
    let service_named = |name: &str, spec: &str| service("default", name, "{a: x}", spec);
    let twin = "MetricsInstance `default/i` scrapes `http://<pod-ip>:80/metrics` twice: through Service `default/s` and \
                through Service `default/t`";
    let named_twin = twin.replace("80", "<x>");
    let drop = "{sourceLabels: [__meta_kubernetes_service_name], regex: t, action: drop}";
    let ports = |port: &str| format!("{{selector: {{app: w}}, ports: [{port}]}}");
    let web = ports("{name: web, port: 80}");
    for (endpoint, second, pod, expected) in [
        ("{port: web}".to_owned(), web.clone(), None, Some(twin)),
        // The Services have other pods or ports, or rules drop one of them.
        ("{port: web}".to_owned(), web.replace("app: w", "app: v"), None, None),
        ("{port: web}".to_owned(), ports("{name: web, port: 81}"), None, None),
        ("{port: web}".to_owned(), ports("{name: other, port: 80}"), None, None),
        ("{port: web}".to_owned(), ports("{name: web, port: 9, targetPort: 80}"), None, Some(twin)),
        (format!("{{port: web, relabelings: [{drop}]}}"), web.clone(), None, None),
        ("{targetPort: 80}".to_owned(), web.clone(), None, None),
        // The pods are in the input, but do not have the port.
        (
            "{port: web}".to_owned(),
            web.clone(),
            Some(pod("default", "p", "{app: w}", "[{containerPort: 7}]")),
            Some(twin),
        ),
    ] {
        let objects: Vec<_> = [service_named("s", &web), service_named("t", &second)].into_iter().chain(pod).collect();
        let actual = duplicate_targets(&[("ServiceMonitor", &monitor(&endpoint))], &objects);
        assert_eq!(actual, Vec::from_iter(expected.map(|twin| format!("spec.selector {twin}"))), "{endpoint} {second}");
    }
    let port = ports("{name: web, port: 80, targetPort: x}");
    let actual = duplicate_targets(
        &[("ServiceMonitor", &monitor("{port: web}"))],
        &[service_named("s", &port), service_named("t", &port)],
    );
    assert_eq!(actual, [format!("spec.selector {named_twin}")]);
}

#[test]
fn reports_targets_scraped_twice() {
    let two_services = || [service("default", "s", "{a: x}", WEB), service("default", "t", "{a: x, b: z}", WEB)];
    let pods = pod("default", "p", "{x: y, app: w}", "[{name: http, containerPort: 80}, {containerPort: 81}]");
    let twin_finding = |service: &str| {
        format!("MetricsInstance `default/i` scrapes `http://<pod-ip>:80/metrics` twice: through {service}")
    };
    let twins = || format!("spec.selector {}", twin_finding("Service `default/s` and through Service `default/t`"));
    let pair = |other: &str| {
        format!(
            "spec.selector {}",
            twin_finding(&format!("ServiceMonitor `default/a` and through {other} `default/b`"))
        )
    };
    let monitor = |selector: &str, endpoint: &str| format!("{{selector: {selector}, endpoints: [{endpoint}]}}");
    let s_only = "{matchExpressions: [{key: b, operator: DoesNotExist}]}";
    let all = "{matchLabels: {a: x}}";
    for (monitors, expected) in [
        (vec![("ServiceMonitor", monitor(all, "{port: web}"))], vec![twins()]),
        (vec![("ServiceMonitor", monitor(s_only, "{port: web}"))], vec![]),
        // A rule drops one of the two targets or changes its path.
        (
            vec![(
                "ServiceMonitor",
                monitor(
                    all,
                    "{port: web, relabelings: [{sourceLabels: [__meta_kubernetes_service_name], regex: t, action: drop}]}",
                ),
            )],
            vec![],
        ),
        (
            vec![(
                "ServiceMonitor",
                monitor(
                    all,
                    "{port: web, relabelings: [{sourceLabels: [__meta_kubernetes_service_name], targetLabel: __metrics_path__}]}",
                ),
            )],
            vec![],
        ),
        // The rule depends on the address, which only a cluster knows.
        (
            vec![(
                "ServiceMonitor",
                monitor(all, "{port: web, relabelings: [{sourceLabels: [__address__], regex: '10.*', action: drop}]}"),
            )],
            vec![],
        ),
        // Only one of the two Services passes the rule for samples.
        (
            vec![(
                "ServiceMonitor",
                monitor(all, "{port: web, metricRelabelings: [{sourceLabels: [service], regex: s, action: keep}]}"),
            )],
            vec![],
        ),
        (
            vec![(
                "ServiceMonitor",
                monitor(all, "{port: web, metricRelabelings: [{sourceLabels: [__name__], regex: a, action: drop}]}"),
            )],
            vec![twins()],
        ),
        (
            vec![
                ("ServiceMonitor", monitor(s_only, "{port: web}")),
                ("ServiceMonitor", monitor("{matchLabels: {b: z}}", "{port: web, interval: 5s}")),
            ],
            vec![pair("ServiceMonitor")],
        ),
        (
            vec![
                ("ServiceMonitor", monitor(s_only, "{port: web}")),
                ("PodMonitor", "{selector: {}, podMetricsEndpoints: [{port: http}]}".to_owned()),
            ],
            vec![pair("PodMonitor")],
        ),
        // The endpoints differ in path, parameters, credentials or samples.
        (
            vec![
                ("ServiceMonitor", monitor(s_only, "{port: web}")),
                (
                    "PodMonitor",
                    "{selector: {}, podMetricsEndpoints: [{port: http, path: /m}, {port: http, params: {a: [b]}}, {port: http, \
                     bearerTokenSecret: {name: a, key: b}}, {port: http, metricRelabelings: [{sourceLabels: [a], action: keep, \
                     regex: b}]}]}"
                        .to_owned(),
                ),
            ],
            vec![],
        ),
        (
            vec![("ServiceMonitor", monitor(s_only, "{port: web}, {targetPort: 80}"))],
            vec![
                "spec.endpoints[1] two endpoints of ServiceMonitor `default/a` scrape `http://<pod-ip>:80/metrics` for \
                 MetricsInstance `default/i`"
                    .to_owned(),
            ],
        ),
        (vec![("ServiceMonitor", monitor(s_only, "{port: web}, {targetPort: 81}"))], vec![]),
        (
            vec![
                ("PodLogs", "{selector: {matchLabels: {app: w}}, pipelineStages: [{cri: {}}]}".to_owned()),
                ("PodLogs", "{selector: {matchExpressions: [{key: app, operator: Exists}]}, pipelineStages: [{cri: {}}]}".to_owned()),
            ],
            vec![
                "spec.selector LogsInstance `default/i` reads `/var/log/pods/*<pod-uid>/c/*.log` twice: through PodLogs \
                 `default/a` and through PodLogs `default/b`"
                    .to_owned(),
            ],
        ),
        (
            vec![
                ("PodLogs", "{selector: {matchLabels: {app: w}}, pipelineStages: [{cri: {}}]}".to_owned()),
                (
                    "PodLogs",
                    "{selector: {matchExpressions: [{key: app, operator: Exists}]}, pipelineStages: [{cri: {}}], \
                     relabelings: [{targetLabel: __path_exclude__, replacement: '/var/log/pods/*/c/*.gz'}]}"
                        .to_owned(),
                ),
            ],
            vec![],
        ),
    ] {
        let objects: Vec<_> = two_services().into_iter().chain([pods.clone()]).collect();
        let shown_monitors: Vec<_> = monitors.iter().map(|(kind, spec)| (*kind, spec.as_str())).collect();
        assert_eq!(duplicate_targets(&shown_monitors, &objects), expected, "{monitors:?}");
    }
}

#[test]
fn reports_selectors_that_include_others() {
    let duplicate_findings = |monitors: &[(&str, &str)]| duplicate_targets(monitors, &[]);
    let narrow = "{selector: {matchLabels: {a: b, c: d}}, endpoints: [{port: x}]}";
    let finding = "spec.selector MetricsInstance `default/i` scrapes each target of ServiceMonitor `default/a` twice: ServiceMonitor \
                   `default/b` selects the same Services";
    for (wide, expected) in [
        ("{selector: {}, endpoints: [{port: x}]}", true),
        ("{selector: {matchLabels: {c: d}}, endpoints: [{port: w}, {port: x, path: /metrics, interval: 5s}]}", true),
        ("{selector: {matchExpressions: [{key: a, operator: In, values: [b]}]}, endpoints: [{port: x}]}", true),
        ("{selector: {}, namespaceSelector: {any: true}, endpoints: [{port: x}]}", true),
        ("{selector: {}, endpoints: [{port: x, relabelings: [{targetLabel: t, replacement: v}]}]}", true),
        ("{selector: {}, namespaceSelector: {matchNames: [other]}, endpoints: [{port: x}]}", false),
        ("{selector: {matchLabels: {e: f}}, endpoints: [{port: x}]}", false),
        ("{selector: {}, endpoints: [{port: x, path: /other}]}", false),
        ("{selector: {}, endpoints: [{port: x, proxyUrl: 'http://p'}]}", false),
        ("{selector: {}, endpoints: [{port: x, relabelings: [{sourceLabels: [a], action: drop}]}]}", false),
        ("{selector: {}, endpoints: [{port: x, relabelings: [{targetLabel: __address__, replacement: v}]}]}", false),
        (
            "{selector: {}, endpoints: [{port: x, metricRelabelings: [{sourceLabels: [a], action: keep, regex: b}]}]}",
            false,
        ),
    ] {
        let actual = duplicate_findings(&[("ServiceMonitor", narrow), ("ServiceMonitor", wide)]);
        assert_eq!(actual, Vec::from_iter(expected.then_some(finding)), "{wide}");
    }
    let logs = |wide: &str| {
        duplicate_findings(&[
            ("PodLogs", wide),
            ("PodLogs", "{selector: {matchLabels: {a: b}}, pipelineStages: [{cri: {}}]}"),
        ])
    };
    let finding = "spec.selector LogsInstance `default/i` reads each log file of PodLogs `default/b` twice: PodLogs `default/a` selects the same pods";
    assert_eq!(logs("{selector: {}, pipelineStages: [{docker: {}}]}"), [finding]);
    assert_eq!(logs("{selector: {}, pipelineStages: [{cri: {}}, {drop: {longer_than: 1kb}}]}"), [""; 0]);
}

#[test]
fn reports_addresses_shared_by_two_probes() {
    let probe = |module: &str, targets: &str| {
        format!("{{prober: {{url: p}}, module: {module}, targets: {{staticConfig: {{static: [{targets}]}}}}}}")
    };
    for (other, expected) in [
        (
            probe("m", "w, x"),
            vec![
                "spec.targets.staticConfig.static[1] MetricsInstance `default/i` probes `x` twice: through Probe `default/a` and through Probe `default/b`",
            ],
        ),
        (probe("other", "w, x"), vec![]),
        (probe("m", "w"), vec![]),
        (probe("m", "x").replace("url: p", "url: q"), vec![]),
        (probe("m", "x").replace("url: p", "url: p, path: /p"), vec![]),
    ] {
        assert_eq!(duplicate_targets(&[("Probe", &probe("m", "x")), ("Probe", &other)], &[]), expected, "{other}");
    }
}

/// Returns a pod as exported from a cluster.
fn running_pod(name: &str, meta: &str, spec: &str, status: &str) -> String {
    format!(
        "apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}, namespace: default, uid: u-{name}, labels: {{app: web}}, {meta}}}\nspec: \
         {{nodeName: n, containers: [{{name: c, image: i, {spec}}}]}}\nstatus: {{podIP: 10.0.0.1, {status}}}\n"
    )
}

#[test]
fn reports_rules_that_remove_log_paths() {
    let rule = "{sourceLabels: [__meta_kubernetes_pod_label_empty], targetLabel: __path__}";
    for (pods, expected) in [
        (1, "after this rule, the logs of the job's only target cannot be read"),
        (2, "after this rule, the logs of none of the job's 2 targets can be read"),
    ] {
        let first = [
            agent("g", "logs: {instanceSelector: {}}"),
            manifest("LogsInstance", "i", "{podLogsSelector: {}, clients: [{url: 'http://a/loki/api/v1/push'}]}"),
            manifest(
                "PodLogs",
                "p",
                &format!("{{selector: {{}}, pipelineStages: [{{cri: {{}}}}], relabelings: [{rule}]}}"),
            ),
        ];
        let pods = (0..pods).map(|number| running_pod(&format!("p{number}"), "", "", "phase: Running"));
        let documents: Vec<_> = first.into_iter().chain(pods).collect();
        let findings = findings(&documents.iter().map(String::as_str).collect::<Vec<_>>());
        let actual: Vec<_> = findings.iter().map(describe).collect();
        let expected = format!(
            "warning[drops-every-target] spec.relabelings[0]: {expected}; set `__path__` to a path: without it, no logs are read [a target comes from this pod]"
        );
        assert_eq!(actual, [expected], "{documents:?}");
    }
}

/// Returns the findings about PodLogs with these fields in `spec`.
fn log_findings(spec: &str, objects: &[String]) -> Vec<String> {
    let spec = format!("{{selector: {{matchLabels: {{app: web}}}}, {spec}}}");
    let first = [
        agent("g", "logs: {instanceSelector: {}}"),
        manifest("LogsInstance", "i", "{podLogsSelector: {}, clients: [{url: 'http://a/loki/api/v1/push'}]}"),
        manifest("PodLogs", "p", &spec),
    ];
    let documents: Vec<_> = first.into_iter().chain(objects.iter().cloned()).collect();
    let diagnostics = findings(&documents.iter().map(String::as_str).collect::<Vec<_>>());
    diagnostics
        .iter()
        .map(|finding| format!("{} {}", finding.code, finding.path.as_deref().unwrap_or_default()))
        .collect()
}

#[test]
fn checks_logs_of_static_pods_and_other_runtimes() {
    let pod_on_runtime = |runtime: &str| {
        running_pod(
            "a",
            "",
            "",
            &format!("phase: Running, containerStatuses: [{{name: c, containerID: '{runtime}://x'}}]"),
        )
    };
    let [containerd, docker, unknown] = ["containerd", "docker", "rkt"].map(pod_on_runtime);
    let mirror = |hash: &str| {
        let annotations = format!("{{kubernetes.io/config.hash: {hash}, kubernetes.io/config.mirror: {hash}}}");
        running_pod("a", &format!("annotations: {annotations}"), "", "phase: Running")
    };
    let node =
        "apiVersion: v1\nkind: Node\nmetadata: {name: n}\nstatus: {nodeInfo: {containerRuntimeVersion: 'cri-o://1'}}\n";
    let path = "sourceLabels: [__meta_kubernetes_pod_annotation_kubernetes_io_config_hash], targetLabel: __path__, replacement: /p/$1";
    let cri = "pipelineStages: [{cri: {}}]";
    let first = "wrong-format spec.pipelineStages[0]";
    for (spec, objects, expected) in [
        (cri, vec![containerd.clone()], None),
        ("pipelineStages: [{docker: {}}]", vec![containerd.clone()], Some(first)),
        ("pipelineStages: [{json: {expressions: {a: b}}}]", vec![containerd.clone()], Some(first)),
        ("pipelineStages: []", vec![containerd.clone()], Some("wrong-format spec.pipelineStages")),
        ("pipelineStages: [{docker: {}}]", vec![docker.clone()], None),
        (cri, vec![docker], Some(first)),
        ("pipelineStages: [{docker: {}}]", vec![unknown.clone()], None),
        (
            "pipelineStages: [{docker: {}}]",
            vec![running_pod("a", "", "", "phase: Running"), node.to_owned()],
            Some(first),
        ),
        (cri, vec![mirror("h")], Some("never-read spec.selector")),
        (cri, vec![mirror("u-a")], None),
        (&format!("{cri}, relabelings: [{{{path}}}]"), vec![mirror("h")], None),
    ] {
        assert_eq!(log_findings(spec, &objects), Vec::from_iter(expected), "{spec} {objects:?}");
    }
}

#[test]
fn reports_finished_pods() {
    let ports = "ports: [{name: http, containerPort: 80}]";
    let monitor =
        |extra_fields: &str| format!("{{selector: {{}}, podMetricsEndpoints: [{{port: http{extra_fields}}}]}}");
    let scraped_message = |phase: &str| {
        format!(
            "warning[finished-target] spec.podMetricsEndpoints[0]: pod `default/a` has {phase}, but is still scraped; set `filterRunning: true`: without it, the operator keeps pods that have finished"
        )
    };
    let dropped_note = "note[drops-every-target] spec.podMetricsEndpoints[0]: all pods that the selector matches have finished, so `filterRunning` drops them; wait until a pod runs again, or check why they have finished";
    for (phase, extra_fields, expected) in [
        ("Running", "", None),
        ("Succeeded", "", Some(scraped_message("succeeded"))),
        ("Failed", "", Some(scraped_message("failed"))),
        ("Running", ", filterRunning: true", None),
        ("Succeeded", ", filterRunning: true", Some(dropped_note.to_owned())),
        (
            "Succeeded",
            ", relabelings: [{sourceLabels: [__meta_kubernetes_pod_phase], regex: Succeeded, action: drop}]",
            None,
        ),
    ] {
        let pod = running_pod("a", "", ports, &format!("phase: {phase}"));
        let actual = lines("PodMonitor", &monitor(extra_fields), &[pod]);
        let actual: Vec<_> = actual.into_iter().filter(|line| !line.contains("this rule drops")).collect();
        assert_eq!(actual, Vec::from_iter(expected), "{phase} {extra_fields}");
    }
}

#[test]
fn checks_server_names_of_services() {
    let objects = [service("default", "s", "{}", WEB), service("default", "t", "{}", WEB)];
    // kustomize may add the namespace.
    let without_namespace = objects[0].replace(", namespace: default", "");
    let monitor = |name: &str| {
        format!("{{selector: {{}}, endpoints: [{{port: web, scheme: https, tlsConfig: {{serverName: {name}}}}}]}}")
    };
    for (name, is_wrong) in [
        ("s.default.svc", false),
        ("t.default.svc.cluster.local", false),
        ("s.other.svc", true),
        ("SERVICE_NAME.SERVICE_NAMESPACE.svc", true),
        ("$(NAME).default.svc", false),
        ("s.example.org", false),
    ] {
        let actual = lines("ServiceMonitor", &monitor(name), &objects);
        assert_eq!(actual.iter().any(|line| line.contains("wrong-server-name")), is_wrong, "{name} {actual:?}");
    }
    let actual = lines("ServiceMonitor", &monitor("s.other.svc"), &[without_namespace]);
    assert!(!actual.iter().any(|line| line.contains("wrong-server-name")), "{actual:?}");
    let http = monitor("s.other.svc").replace("scheme: https", "scheme: http");
    assert!(!lines("ServiceMonitor", &http, &objects).iter().any(|line| line.contains("wrong-server-name")));
}

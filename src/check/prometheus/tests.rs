//! Tests of Prometheus' rules, using small resources.

use crate::check::tests::{AGENT, describe, findings, lines, manifest};
use crate::diagnostic::Severity;

const CREDENTIALS: &str = "
apiVersion: v1
kind: Secret
metadata: {name: s}
stringData: {a: user, b: password, empty: ''}
";

/// Returns the findings about a monitor whose endpoint has these fields.
fn endpoint(fields: &str) -> Vec<String> {
    endpoint_of(AGENT, fields)
}

fn endpoint_of(agent: &str, fields: &str) -> Vec<String> {
    let monitor = format!(
        "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {{name: m}}\n\
         spec: {{selector: {{}}, endpoints: [{{{fields}}}]}}"
    );
    let instance = manifest("MetricsInstance", "i", "{serviceMonitorSelector: {}}");
    let mut findings = lines(&[agent, CREDENTIALS, &instance, &monitor]);
    // Findings about selection and duplicates are tested elsewhere.
    let selection = ["unselected", "selects-nothing", "duplicate-scrape", "shared-instance"];
    findings.retain(|line| !selection.iter().any(|code| line.starts_with(code)));
    findings
}

fn relabeling(rule: &str) -> Vec<String> {
    let findings = endpoint(&format!("relabelings: [{{{rule}}}]"));
    let start = "spec.endpoints[0].relabelings[0]";
    findings.into_iter().map(|line| line.replace(start, "")).collect()
}

fn remote_write(fields: &str) -> Vec<String> {
    let spec = format!("{{remoteWrite: [{{{fields}}}]}}");
    let findings = lines(&[AGENT, CREDENTIALS, &manifest("MetricsInstance", "i", &spec)]);
    findings.into_iter().map(|line| line.replace("spec.remoteWrite[0].", "")).collect()
}

#[test]
fn accepts_valid_relabeling_rules() {
    for rule in [
        "targetLabel: a",
        "targetLabel: '${1}_x'",
        "action: Keep",
        "action: hashmod, modulus: 4, targetLabel: a",
        "action: labelmap, regex: 'x_(.+)'",
        "action: labelmap, replacement: 'a_${1}'",
        "action: labeldrop, regex: x, separator: ;",
        "action: lowercase, targetLabel: a, replacement: $1",
        "action: keep, targetLabel: '!!'",
        "targetLabel: a, regex: '(?P<b>.)', replacement: '$${b} $b ${1} ${POD_NAME}'",
    ] {
        assert_eq!(relabeling(rule), [""; 0], "{rule}");
    }
}

#[test]
fn rejects_invalid_relabeling_rules() {
    for (rule, expected) in [
        ("action: replace", "incomplete-relabeling : the `replace` action needs `targetLabel`"),
        ("action: Uppercase", "incomplete-relabeling : the `uppercase` action needs `targetLabel`"),
        ("action: hashmod, targetLabel: a", "incomplete-relabeling : the `hashmod` action needs `modulus`"),
        ("targetLabel: a-b", "invalid-label-name .targetLabel: `a-b` is not a valid label name"),
        ("targetLabel: 'a$$'", "invalid-label-name .targetLabel: `a$$` is not a valid label name"),
        (
            "action: hashmod, modulus: 2, targetLabel: a$1",
            "invalid-label-name .targetLabel: `a$1` is not a valid label name",
        ),
        ("action: hashmod, modulus: 0, targetLabel: a", "incomplete-relabeling : the `hashmod` action needs `modulus`"),
        (
            "action: lowercase, targetLabel: $1x",
            "invalid-label-name .targetLabel: the `lowercase` action does not expand the reference in `$1x`",
        ),
        ("action: keepequal, targetLabel: a-b", "invalid-label-name .targetLabel: `a-b` is not a valid label name"),
        (
            "action: labeldrop, modulus: 2",
            "conflicting-relabeling .modulus: the `labeldrop` action does not accept `modulus`",
        ),
        (
            "action: labelkeep, targetLabel: a",
            "conflicting-relabeling .targetLabel: the `labelkeep` action does not accept `targetLabel`",
        ),
        (
            "action: uppercase, targetLabel: a, replacement: b",
            "conflicting-relabeling .replacement: the `uppercase` action does not accept `replacement`",
        ),
        (
            "action: labelmap, replacement: a-$1",
            "invalid-label-name .replacement: `a-$1` is not a valid label name, which `labelmap` needs",
        ),
        (
            "action: labelkeep, sourceLabels: [a]",
            "conflicting-relabeling .sourceLabels: the `labelkeep` action does not accept `sourceLabels`",
        ),
        (
            "action: labeldrop, separator: ','",
            "conflicting-relabeling .separator: the `labeldrop` action does not accept `separator`",
        ),
        (
            "action: dropequal, targetLabel: a, regex: '(.*)'",
            "conflicting-relabeling .regex: the `dropequal` action does not accept `regex`",
        ),
        (
            "targetLabel: a, regex: '(?P<b>.)', replacement: 'x${b}'",
            "misread-variable .replacement: the agent replaces `${b}`, which refers to a capture group, with the value of an environment variable",
        ),
        (
            "targetLabel: a, regex: '+'",
            "invalid-regex .regex: `+` is not a valid regular expression: `+` has nothing to repeat",
        ),
    ] {
        assert_eq!(relabeling(rule), [expected], "{rule}");
    }
}

#[test]
fn rejects_keepequal_and_dropequal_in_metrics_rules() {
    let message = |action: &str, result: &str| {
        format!("rejected-relabel-action: the agent rejects every rule with the `{action}` action, so {result}")
    };
    let rule = |action: &str| format!("{{action: {action}, targetLabel: a, sourceLabels: [b]}}");
    let not_running_message = "MetricsInstance `default/i` does not run";
    let findings = |documents: &[&str]| {
        let actual = lines(documents).into_iter();
        let actual = actual.filter(|line| line.starts_with("rejected-"));
        let actual = actual.map(|line| {
            let (start, message) = line.split_once(": ").unwrap_or_default();
            format!("{}: {message}", start.split(' ').next().unwrap_or_default())
        });
        actual.collect::<Vec<_>>()
    };
    for field in ["relabelings", "metricRelabelings"] {
        for (action, expected) in [
            ("keepequal", Some("keepequal")),
            ("DropEqual", Some("dropequal")),
            ("keep", None),
            // The agent rejects the entire configuration because of `regex`, which another finding reports.
            ("keepequal, regex: x", None),
            ("keepequal, regex: '(.*)'", None),
        ] {
            let actual = endpoint(&format!("{field}: [{}]", rule(action)));
            let actual: Vec<_> = actual.iter().filter(|line| line.starts_with("rejected-")).collect();
            assert_eq!(actual.len(), expected.iter().count(), "{field} {action}");
        }
    }
    let instance = |fields: &str| manifest("MetricsInstance", "i", &format!("{{probeSelector: {{}}{fields}}}"));
    for targets in ["staticConfig: {static: [a], ", "ingress: {"] {
        let probe = format!(
            "apiVersion: monitoring.coreos.com/v1\nkind: Probe\nmetadata: {{name: p}}\n\
             spec: {{prober: {{url: 'p:1'}}, targets: {{{targets}relabelingConfigs: [{}]}}}}}}",
            rule("keepequal")
        );
        assert_eq!(findings(&[AGENT, &instance(""), &probe]), [message("keepequal", not_running_message)], "{targets}");
    }
    let receiver = format!("remoteWrite: [{{url: 'http://x', writeRelabelConfigs: [{}]}}]", rule("dropequal"));
    assert_eq!(findings(&[AGENT, &instance(&format!(", {receiver}"))]), [message("dropequal", not_running_message)]);
    // Instances without receivers use the agent's receivers.
    let agent = AGENT.replace("metrics: {", &format!("metrics: {{{receiver}, "));
    let own_instance = instance(", remoteWrite: [{url: 'http://y'}]");
    assert_eq!(findings(&[&agent, &instance("")]), [message("dropequal", "no instance that uses the rule runs")]);
    assert_eq!(findings(&[&agent, &own_instance]), [""; 0]);
    for field in ["relabel_configs", "metric_relabel_configs"] {
        let secret = format!(
            "apiVersion: v1\nkind: Secret\nmetadata: {{name: jobs}}\nstringData:\n  jobs: |\n    - job_name: a\n      \
             {field}: [{{action: keepequal, target_label: a, source_labels: [b]}}]\n"
        );
        let instance = instance(", additionalScrapeConfigs: {name: jobs, key: jobs}");
        assert_eq!(findings(&[AGENT, &instance, &secret]).len(), 1, "{field}");
    }
    let logs = "apiVersion: monitoring.grafana.com/v1alpha1\nkind: PodLogs\nmetadata: {name: p}\nspec: {selector: {}, relabelings: \
                [{action: keepequal, targetLabel: a, sourceLabels: [b]}]}";
    assert_eq!(findings(&[AGENT, &manifest("LogsInstance", "l", "{podLogsSelector: {}}"), logs]), [""; 0]);
}

#[test]
fn rejects_negative_queue_sizes() {
    let queue = |fields: &str| remote_write(&format!("url: http://x, queueConfig: {{{fields}}}"));
    for (fields, expected) in [
        ("minShards: -1", "minShards: the agent crashes on startup because `minShards` is -1"),
        ("maxSamplesPerSend: -5", "maxSamplesPerSend: the agent crashes on startup because `maxSamplesPerSend` is -5"),
        ("capacity: -2000", "capacity: the agent crashes on startup because `capacity` is -2000"),
        ("capacity: -10, maxSamplesPerSend: 5", "capacity: the agent crashes on startup because `capacity` is -10"),
        ("maxShards: -1", "maxShards: because `maxShards` is -1, the agent crashes as soon as it needs a second shard"),
    ] {
        assert_eq!(queue(fields), [format!("invalid-queue queueConfig.{expected}")], "{fields}");
    }
    for fields in [
        "minShards: 0",
        "capacity: -1999",
        "capacity: -4, maxSamplesPerSend: 5",
        "maxSamplesPerSend: 1, capacity: 1, minShards: 3, maxShards: 2",
    ] {
        assert_eq!(queue(fields), [""; 0], "{fields}");
    }
    let metadata = |fields: &str| remote_write(&format!("url: http://x, metadataConfig: {{{fields}}}"));
    for interval in ["0s", "'0'", "0m0s"] {
        assert_eq!(metadata(&format!("send: true, sendInterval: {interval}")).len(), 1, "{interval}");
    }
    for fields in ["sendInterval: 0s", "send: true, sendInterval: 1s", "send: true"] {
        assert_eq!(metadata(fields), [""; 0], "{fields}");
    }
}

#[test]
fn compares_every_interval_with_the_truncation_frequency() {
    let exceeding_findings = |agent: &str, instance: &str, endpoint: &str| {
        let agent = AGENT.replace("metrics: {", &format!("metrics: {{{agent}"));
        let instance = manifest("MetricsInstance", "i", &format!("{{serviceMonitorSelector: {{}}{instance}}}"));
        let monitor = format!(
            "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {{name: m}}\n\
             spec: {{selector: {{}}, endpoints: [{endpoint}]}}"
        );
        let diagnostics = findings(&[&agent, &instance, &monitor]).into_iter();
        let diagnostics = diagnostics.filter(|finding| finding.code.as_str() == "interval-above-truncation");
        let diagnostics = diagnostics.map(|finding| {
            assert_eq!(finding.severity, Severity::Error);
            finding.path.unwrap_or_default()
        });
        diagnostics.collect::<Vec<_>>()
    };
    let (agent_field, instance_field) = ("spec.metrics.scrapeInterval", "spec.walTruncateFrequency");
    for (agent, instance, endpoint, expected) in [
        ("", "", "{}", None),
        ("", "", "{interval: 60m}", None),
        ("", "", "{interval: 61m}", Some("spec.endpoints[0].interval")),
        ("", ", walTruncateFrequency: 2h", "{interval: 61m}", None),
        ("", ", walTruncateFrequency: 59s", "{}", Some(instance_field)),
        ("", ", walTruncateFrequency: 59s", "{interval: 0s}", Some(instance_field)),
        ("", ", walTruncateFrequency: 59s", "{interval: 5s}", None),
        ("", ", walTruncateFrequency: 59s", "", None),
        ("scrapeInterval: 90m, ", "", "{}", Some(agent_field)),
        ("scrapeInterval: 90m, ", "", "{interval: 1m}", None),
        ("scrapeInterval: 90m, ", ", walTruncateFrequency: 2h", "{}", None),
        ("scrapeInterval: 90m, ", ", walTruncateFrequency: 80m", "{}", Some(instance_field)),
        ("scrapeInterval: 30s, ", ", walTruncateFrequency: 59s", "{}", None),
    ] {
        assert_eq!(
            exceeding_findings(agent, instance, endpoint),
            Vec::from_iter(expected),
            "{agent}{instance} {endpoint}"
        );
    }
}

#[test]
fn reports_invalid_wal_times_at_their_field() {
    for (fields, expected) in [
        ("walTruncateFrequency: 0s", "error spec.walTruncateFrequency"),
        ("walTruncateFrequency: -5m", "error spec.walTruncateFrequency"),
        ("remoteFlushDeadline: 0s", "error spec.remoteFlushDeadline"),
        ("remoteFlushDeadline: 1d", "error spec.remoteFlushDeadline"),
        ("minWALTime: '60'", "error spec.minWALTime"),
        ("minWALTime: 5h", "error spec.minWALTime"),
        ("maxWALTime: 4m", "error spec.maxWALTime"),
        ("maxWALTime: -5m", "error spec.maxWALTime"),
        ("minWALTime: 2m, maxWALTime: 1m", "error spec.minWALTime"),
        ("minWALTime: -5m", ""),
        ("maxWALTime: 5m", ""),
        ("minWALTime: 4h", ""),
        ("walTruncateFrequency: 1m, remoteFlushDeadline: .5s", ""),
    ] {
        let diagnostics = findings(&[AGENT, &manifest("MetricsInstance", "i", &format!("{{{fields}}}"))]);
        let diagnostics = diagnostics.iter().filter(|finding| finding.code.as_str() == "invalid-duration");
        let diagnostics = diagnostics
            .map(|finding| format!("{} {}", finding.severity.as_str(), finding.path.as_deref().unwrap_or_default()));
        assert_eq!(diagnostics.collect::<String>(), expected, "{fields}");
    }
}

#[test]
fn compares_timeouts_with_intervals_of_endpoint_or_agent() {
    let slow_agent = AGENT.replace("metrics: {", "metrics: {scrapeInterval: 5m, ");
    let message = |timeout: &str, interval: &str| {
        let path = "timeout-above-interval spec.endpoints[0].scrapeTimeout";
        format!("{path}: the scrape timeout of `{timeout}` exceeds the interval of `{interval}`")
    };
    assert_eq!(endpoint("scrapeTimeout: 1m"), [""; 0]);
    assert_eq!(endpoint("scrapeTimeout: 61s"), [message("61s", "1m")]);
    assert_eq!(endpoint("interval: 0s, scrapeTimeout: 61s"), [message("61s", "1m")]);
    assert_eq!(endpoint("interval: 5s"), [""; 0]);
    assert_eq!(endpoint("interval: 5s, scrapeTimeout: 6s"), [message("6s", "5s")]);
    assert_eq!(endpoint_of(&slow_agent, "scrapeTimeout: 61s"), [""; 0]);
    // A rejected field does not hide findings about the endpoint's other fields.
    assert_eq!(endpoint("path: {}, scrapeTimeout: 61s").len(), 2);
    // The interval is unknown, because the field was rejected.
    let counts = ["interval: {}", ""].map(|interval| {
        let agent = AGENT
            .replace("metrics: {", if interval.is_empty() { "metrics: {scrapeInterval: {}, " } else { "metrics: {" });
        endpoint_of(&agent, &format!("scrapeTimeout: 61s, {interval}")).len()
    });
    assert_eq!(counts, [1, 1]);
    assert_eq!(endpoint_of(&slow_agent, "scrapeTimeout: 6m"), [message("6m", "5m")]);
}

#[test]
fn compares_timeout_and_interval_of_the_agent() {
    let end = "lower the timeout, or raise the interval [the interval is set here]";
    let start = "warning[timeout-above-interval] spec.metrics.scrapeTimeout: the scrape timeout of";
    for (times, expected) in [
        ("scrapeTimeout: 1m", None),
        ("scrapeTimeout: 61s", Some(format!("{start} `61s` exceeds the interval of `1m`; {end}"))),
        ("scrapeInterval: 5s", None),
        ("scrapeInterval: 5s, scrapeTimeout: 5s", None),
        ("scrapeInterval: 5s, scrapeTimeout: 0s", None),
        ("scrapeInterval: 0s, scrapeTimeout: 1h", None),
        ("scrapeInterval: 5s, scrapeTimeout: 6s", Some(format!("{start} `6s` exceeds the interval of `5s`; {end}"))),
    ] {
        let agent = AGENT.replace("metrics: {", &format!("metrics: {{{times}, "));
        let diagnostics = findings(&[&agent, &manifest("MetricsInstance", "i", "{}")]);
        let diagnostics =
            diagnostics.iter().filter(|finding| finding.path.as_deref() == Some("spec.metrics.scrapeTimeout"));
        assert_eq!(diagnostics.map(describe).collect::<Vec<_>>(), Vec::from_iter(expected), "{times}");
    }
}

#[test]
fn rejects_conflicting_authentication() {
    let basic = "basicAuth: {username: {name: s, key: a}, password: {name: s, key: b}}";
    let token = |key: &str| format!("bearerTokenSecret: {{name: s, key: {key}}}");
    assert_eq!(endpoint(basic), [""; 0]);
    assert_eq!(endpoint(&format!("{basic}, {}", token("empty"))), [""; 0]);
    assert_eq!(
        endpoint(&format!("{basic}, {}", token("a"))),
        [
            "conflicting-authentication spec.endpoints[0].bearerTokenSecret: `basicAuth` and `bearerTokenSecret` cannot be combined"
        ]
    );
    assert_eq!(endpoint(&format!("{basic}, bearerTokenSecret: {{name: '', key: a}}")), [""; 0]);
    assert_eq!(
        remote_write("url: http://x, bearerToken: a, bearerTokenFile: b"),
        ["conflicting-authentication bearerTokenFile: `bearerToken` and `bearerTokenFile` cannot be combined"]
    );
}

#[test]
fn sigv4_requires_both_keys_or_neither() {
    let key = |field: &str, key: &str| format!("{field}: {{name: s, key: {key}}}");
    for keys in ["", "region: x"] {
        assert_eq!(remote_write(&format!("url: http://x, sigv4: {{{keys}}}")), [""; 0]);
    }
    let both_keys = format!("{}, {}", key("accessKey", "a"), key("secretKey", "b"));
    assert_eq!(remote_write(&format!("url: http://x, sigv4: {{{both_keys}}}")), [""; 0]);
    let one_empty_key = format!("{}, {}", key("accessKey", "a"), key("secretKey", "empty"));
    for keys in [key("accessKey", "a"), one_empty_key] {
        let actual = remote_write(&format!("url: http://x, sigv4: {{{keys}}}"));
        assert_eq!(
            actual,
            ["incomplete-authentication sigv4: `accessKey` is set, but `secretKey` is missing or empty"]
        );
    }
    assert_eq!(
        remote_write(&format!("url: http://x, sigv4: {{{}}}", key("secretKey", "a"))),
        ["incomplete-authentication sigv4: `secretKey` is set, but `accessKey` is missing or empty"]
    );
}

#[test]
fn distinguishes_remote_writes_by_name_or_settings() {
    let receivers = |list: &str| {
        let instance = manifest("MetricsInstance", "i", &format!("{{remoteWrite: [{list}]}}"));
        let diagnostics = findings(&[AGENT, &instance]);
        diagnostics.into_iter().map(|d| (d.severity, d.message)).collect::<Vec<_>>()
    };
    assert_eq!(receivers("{url: http://a}, {url: http://b}"), []);
    assert_eq!(
        receivers("{url: http://a, name: x}, {url: http://b, name: x}"),
        [(Severity::Error, "two receivers are named `x`".to_owned())]
    );
    assert_eq!(
        receivers("{url: http://a, proxyUrl: c}, {proxyUrl: c, url: http://a}"),
        [(Severity::Error, "two receivers are identical".to_owned())]
    );
    // The agent sets defaults, masks secrets and, when it groups instances, drops names.
    for (first, second) in [
        ("remoteTimeout: 30s", ""),
        ("remoteTimeout: 1m", "remoteTimeout: 60s"),
        ("bearerToken: one", "bearerToken: two"),
        ("queueConfig: {}", ""),
        ("queueConfig: {minShards: 1, maxShards: 50, capacity: 10000}", ""),
        ("queueConfig: {maxSamplesPerSend: 2000, batchSendDeadline: 5000ms}", "queueConfig: {minBackoff: 30ms}"),
        ("metadataConfig: {send: true, sendInterval: 60s}", ""),
        ("tlsConfig: {}", ""),
        (
            "writeRelabelConfigs: [{targetLabel: a}]",
            "writeRelabelConfigs: [{targetLabel: a, action: Replace, regex: (.*), separator: ;}]",
        ),
        ("name: x", "name: z"),
        ("name: x", ""),
    ] {
        let actual = receivers(&format!("{{url: http://a/, {first}}}, {{url: http://a/, {second}}}"));
        assert_eq!(actual.len(), 1, "{first} {second}: {actual:?}");
        assert!(actual[0].1.starts_with("the agent cannot distinguish two receivers"), "{actual:?}");
    }
    for (first, second) in [
        ("remoteTimeout: 30s", "remoteTimeout: 31s"),
        ("bearerToken: one", ""),
        ("queueConfig: {minShards: 2}", ""),
        ("metadataConfig: {}", ""),
        ("headers: {a: b}", "headers: {a: c}"),
        ("writeRelabelConfigs: [{targetLabel: a}]", "writeRelabelConfigs: [{targetLabel: b}]"),
        ("writeRelabelConfigs: [{targetLabel: a}]", ""),
    ] {
        assert_eq!(
            receivers(&format!("{{url: http://a/, {first}}}, {{url: http://a/, {second}}}")),
            [],
            "{first} {second}"
        );
    }
    for (first, second, count) in
        [("HTTP://a/b c", "http://a/b%20c", 1), ("http://a", "http://a/", 0), ("http://u:1@a/", "http://u:2@a/", 0)]
    {
        assert_eq!(receivers(&format!("{{url: '{first}'}}, {{url: '{second}'}}")).len(), count, "{first} {second}");
    }
}

#[test]
fn checks_required_settings_of_service_discovery() {
    let findings = |kind: &str, fields: &str| jobs(&format!("- job_name: a\n  {kind}_sd_configs: [{{{fields}}}]"));
    let uuid = "11111111-1111-1111-1111-111111111111";
    let scaleway = format!("role: instance, project_id: {uuid}, access_key: SCWXXXXXXXXXXXXXXXXX");
    for (kind, valid, invalid) in [
        (
            "azure",
            "subscription_id: a, tenant_id: b, client_id: c, client_secret: d",
            ["", "subscription_id: a", "subscription_id: a, authentication_method: SDK"].as_slice(),
        ),
        (
            "azure",
            "subscription_id: a, authentication_method: ManagedIdentity",
            &["authentication_method: ManagedIdentity"],
        ),
        (
            "consul",
            "username: a",
            &[
                "server: ''",
                "server: ' '",
                "username: a, basic_auth: {username: b}",
                "token: a, authorization: {credentials: b}",
            ],
        ),
        (
            "consul",
            "services: [a], node_meta: {a: 1}",
            &["services: a", "tags: [[a]]", "node_meta: {a: [b]}", "allow_stale: 'yes'"],
        ),
        ("digitalocean", "bearer_token: a", &["port: a", "tokens: b", "refresh_interval: 5"]),
        (
            "docker",
            "host: 'unix:///x', filters: [{name: a, values: [b]}]",
            &["", "host: ':x'", "host: a, filters: [{name: a, value: b}]"],
        ),
        ("dockerswarm", "host: 'unix:///x', role: nodes", &["role: nodes", "host: a", "host: a, role: node"]),
        ("ec2", "filters: [{name: a, values: [b]}]", &["filters: [{name: a, values: []}]", "filters: [{name: a}]"]),
        ("eureka", "server: 'http://a/eureka'", &["", "server: a:80", "server: '/a'"]),
        ("gce", "project: a, zone: b", &["project: a", "zone: b"]),
        ("hetzner", "role: robot, port: -1", &["", "role: cloud"]),
        ("http", "url: 'https://a/'", &["", "url: a:80", "url: 'ftp://a/'", "url: 'http://a:x/'", "url: 'http:///a'"]),
        ("ionos", "datacenter_id: a", &[""]),
        ("kuma", "server: 'grpc://a'", &["", "server: a"]),
        ("lightsail", "region: a", &["regions: a"]),
        ("linode", "bearer_token: a", &["tag_separators: b"]),
        (
            "marathon",
            "servers: [a], auth_token: b",
            &[
                "",
                "servers: []",
                "servers: [a], auth_token: b, auth_token_file: c",
                "servers: [a], auth_token: b, bearer_token: c",
            ],
        ),
        ("nerve", "servers: [a], paths: [/b]", &["paths: [/b]", "servers: [a]", "servers: [a], paths: [b]"]),
        ("nomad", "", &["server: ''", "token: a"]),
        (
            "openstack",
            "role: instance, region: a",
            &["", "role: host, region: a", "role: instance", "role: instance, region: a, availability: all"],
        ),
        (
            "ovhcloud",
            "application_key: a, application_secret: b, consumer_key: c, service: vps",
            &["service: vps", "application_key: a, application_secret: b, consumer_key: c, service: cloud"],
        ),
        ("puppetdb", "url: 'http://a', query: b", &["url: 'http://a'", "url: a, query: b"]),
        ("serverset", "servers: [a], paths: [/b]", &["servers: [a], paths: [b]"]),
        (
            "triton",
            "account: a, dns_suffix: b, endpoint: c",
            &["account: a, dns_suffix: b", "role: vm, account: a, dns_suffix: b, endpoint: c"],
        ),
        (
            "uyuni",
            "server: 'http://a', username: b, password: c",
            &["server: 'http://a', username: b", "server: ':a', username: b, password: c"],
        ),
        ("vultr", "port: 1", &["port: x", "host: x"]),
        (
            "kubernetes",
            "role: pod, selectors: [{role: pod, label: 'a in (b), c', field: 'd=e,f!=g'}]",
            &[
                "role: pod, selectors: [{role: pod, label: 'a b'}]",
                "role: pod, selectors: [{role: pod, field: a}]",
                "role: pod, selectors: [{role: pod, labels: a}]",
                "role: pod, api_server: 'http://a:x'",
                "role: pod, namespaces: {name: [a]}",
                "role: pod, attach_metadata: {node: 1}",
            ],
        ),
        (
            "dns",
            "names: [a], refresh_interval: 1s",
            &["names: [a], refresh_interval: 0s", "names: [a], refresh_interval: 0"],
        ),
    ] {
        assert_eq!(findings(kind, valid), [""; 0], "{kind}");
        for invalid in invalid {
            assert!(!findings(kind, invalid).is_empty(), "{kind} {invalid}");
        }
    }
    assert_eq!(findings("scaleway", &format!("{scaleway}, secret_key: {uuid}")), [""; 0]);
    assert_eq!(findings("scaleway", &format!("{scaleway}, secret_key_file: /a")), [""; 0]);
    for invalid in [
        scaleway.clone(),
        format!("{scaleway}, secret_key: a"),
        format!("{scaleway}, secret_key: {uuid}, secret_key_file: /a"),
        format!("{scaleway}, secret_key: {uuid}, zone: [a]"),
        "role: instance".to_owned(),
        format!("role: instance, project_id: a, access_key: SCWXXXXXXXXXXXXXXXXX, secret_key: {uuid}"),
        format!("role: instance, project_id: {uuid}, access_key: SCW1, secret_key: {uuid}"),
    ] {
        assert!(!findings("scaleway", &invalid).is_empty(), "{invalid}");
    }
}

#[test]
fn checks_types_of_job_fields() {
    let findings = |fields: &str| jobs(&format!("- {{job_name: a, {fields}}}"));
    for fields in [
        "sample_limit: 5, target_limit: 1e3, label_limit: '${N_SERVICE_PORT}'",
        "params: {a: [1, true]}",
        "static_configs: [{targets: [a1, true], labels: {a: 1}}, ~]",
        "metrics_path: 5, scheme: https",
        "oauth2: {client_id: 1, token_url: b, scopes: [a], endpoint_params: {a: 1}, tls_config: {min_version: TLS12}}",
        "tls_config: {min_version: TLS12, max_version: TLS12}",
    ] {
        assert_eq!(findings(fields), [""; 0], "{fields}");
    }
    for fields in [
        "sample_limit: '5'",
        "sample_limit: 5k",
        "target_limit: -1",
        "label_limit: []",
        "static_configs: [[a]]",
        "static_configs: [a]",
        "static_configs: [{targets: [[a]]}]",
        "static_configs: [{labels: {a: {b: c}}}]",
        "params: {a: b}",
        "params: {a: [[b]]}",
        "relabel_configs: [5]",
        "metric_relabel_configs: [{source_labels: [{a: b}], target_label: c}]",
        "oauth2: {client_id: a, token_url: b, scopes: c}",
        "oauth2: {client_id: a, token_url: b, tls_config: {cafile: c}}",
        "http_sd_configs: [{url: 'http://a', tls_config: {cafile: c}}]",
        "http_sd_configs: [{url: 'http://a', tls_config: {ca: c, ca_file: d}}]",
        "basic_auth: {password: {a: b}}",
        "basic_auth: {kubernetes_sd_configs: []}",
        "tls_config: {min_version: TLS13, max_version: TLS12}",
        "tls_config: {min_version: TLS11, max_version: TLS10}",
        "tls_config: {max_version: TLS14}",
        "tls_config: {max_version: ''}",
        "tls_config: {min_version: 1.2}",
        "tls_config: {min_version: true}",
    ] {
        assert!(!findings(fields).is_empty(), "{fields}");
    }
}

#[test]
fn does_not_check_resources_of_excluded_agents() {
    let agent = AGENT.replace("metrics: {instanceSelector: {}}", "metrics: {}");
    assert_eq!(endpoint_of(&agent, "scrapeTimeout: 61s"), [""; 0]);
}

#[test]
fn reports_monitors_shared_by_agents_once() {
    let other_agent = AGENT.replace("name: a", "name: b");
    let actual =
        endpoint_of(&format!("{AGENT}\n---\n{other_agent}"), "scrapeTimeout: 61s, relabelings: [{action: replace}]");
    assert_eq!(actual.len(), 2, "{actual:?}");
}

#[test]
fn shows_no_secret_values() {
    let secret = "
apiVersion: v1
kind: Secret
metadata: {name: jobs}
stringData:
  jobs: |
    - job_name: hush
      scrape_interval: hush
      scrape_timeout: 70s
      proxy_url: http://hush hush
      hush: 1
      relabel_configs:
        - {action: hush}
        - {regex: hush(, target_label: hush-}
        - {action: labelmap, replacement: hush-}
      static_configs: [{targets: [a], labels: {hu-sh: x}}]
    - job_name: hush
      scrape_interval: 90s
      scrape_timeout: 2m
      metric_relabel_configs: [{action: lowercase, target_label: $hush}]
    - job_name: serviceMonitor/default/m/0
    - 5
";
    let spec =
        "{serviceMonitorSelector: {}, walTruncateFrequency: 80s, additionalScrapeConfigs: {name: jobs, key: jobs}}";
    let monitor = "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {name: m}\n\
                   spec: {selector: {}, endpoints: [{}]}";
    let diagnostics = findings(&[AGENT, secret, &manifest("MetricsInstance", "i", spec), monitor]);
    assert_eq!(diagnostics.len(), 15, "{diagnostics:#?}");
    for finding in diagnostics {
        assert!(!format!("{finding:?}").contains("hush"), "{finding:?}");
        assert_eq!(finding.path.as_deref(), Some("spec.additionalScrapeConfigs"));
    }
}

#[test]
fn rejects_names_of_generated_jobs() {
    let job_named = |name: &str| {
        let secret = format!(
            "apiVersion: v1\nkind: Secret\nmetadata: {{name: jobs}}\n\
             stringData: {{jobs: '[{{job_name: {name}, static_configs: [{{targets: [a]}}]}}]'}}"
        );
        let spec = "{serviceMonitorSelector: {}, podMonitorSelector: {}, probeSelector: {}, \
                    additionalScrapeConfigs: {name: jobs, key: jobs}}";
        let children = [
            "kind: ServiceMonitor\nmetadata: {name: s}\nspec: {selector: {}, endpoints: [{}, {}]}",
            "kind: PodMonitor\nmetadata: {name: p}\nspec: {selector: {}, podMetricsEndpoints: [{}]}",
            "kind: Probe\nmetadata: {name: b}\nspec: {prober: {url: 'p:1'}, targets: {staticConfig: {static: [a]}}}",
        ]
        .map(|child| format!("apiVersion: monitoring.coreos.com/v1\n{child}"));
        let instance = manifest("MetricsInstance", "i", spec);
        let [service_monitor, pod_monitor, probe] = &children;
        let actual = lines(&[AGENT, &secret, &instance, service_monitor, pod_monitor, probe]);
        actual.iter().any(|line| line.starts_with("duplicate-job"))
    };
    for name in ["serviceMonitor/default/s/1", "podMonitor/default/p/0", "probe/default/b"] {
        assert!(job_named(name), "{name}");
    }
    for name in [
        "serviceMonitor/default/s/2",
        "serviceMonitor/default/p/0",
        "podMonitor/default/p/1",
        "podMonitor/other/p/0",
        "podMonitor/default/p",
        "probe/default/b/0",
        "probe/default/p",
        "monitor/default/p/0",
    ] {
        assert!(!job_named(name), "{name}");
    }
}

#[test]
fn rejects_durations_out_of_range() {
    for field in ["scrapeInterval", "scrapeTimeout"] {
        let agent = AGENT.replace("metrics: {", &format!("metrics: {{{field}: 300y, "));
        assert_ne!(agent, AGENT);
        let actual = endpoint_of(&agent, "{}");
        let path = format!("invalid-duration spec.metrics.{field}");
        assert!(actual.iter().any(|line| line.starts_with(&path)), "{actual:?}");
    }
}

#[test]
fn reports_numeric_port_names() {
    let port = "numeric-port-name spec.endpoints[0].port: `port` must be a port name, but is the number `10250`";
    assert_eq!(endpoint("port: '10250'"), [port]);
    assert_eq!(endpoint("port: p10250"), [""; 0]);
    assert_eq!(endpoint("targetPort: 10250"), [""; 0]);
    let spec = "{selector: {}, endpoints: [{port: '012'}]}";
    let instance = manifest("MetricsInstance", "i", "{serviceMonitorSelector: {}}");
    let monitor =
        format!("apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {{name: m}}\nspec: {spec}");
    let diagnostics = findings(&[AGENT, &instance, &monitor]);
    let helps: Vec<_> = diagnostics.iter().filter_map(|finding| finding.help.as_deref()).collect();
    // YAML 1.1 would read 012 as 10.
    assert!(helps.contains(&"use `targetPort: 12` to select the container port by number"), "{helps:?}");
}

#[test]
fn rejects_urls_with_unsupported_schemes() {
    for url in ["http://m/", "HTTPS://m/", "https://m/${PATH}"] {
        assert_eq!(remote_write(&format!("url: '{url}'")), [""; 0], "{url}");
    }
    for (fields, problem) in [
        ("url: 'htps://m/'", "url: the agent cannot send to a URL with the `htps` scheme"),
        ("url: 'socks5://m/'", "url: the agent cannot send to a URL with the `socks5` scheme"),
        (
            "url: 'http://m/', proxyUrl: 'sock5://p/'",
            "proxyUrl: the agent cannot send to a URL with the `sock5` scheme",
        ),
    ] {
        assert_eq!(remote_write(fields), [format!("invalid-url {problem}")], "{fields}");
    }
    assert_eq!(remote_write("url: 'http://m/', proxyUrl: 'socks5://p/'"), [""; 0]);
    // The value may be secret, so the message does not contain it.
    let actual = jobs("- {job_name: a, static_configs: [{targets: ['b:1']}], proxy_url: 'sock5://p/'}");
    assert!(actual.len() == 1 && actual[0].contains("the agent cannot send to a URL with this scheme"), "{actual:?}");
}

#[test]
fn rejects_intervals_above_the_truncation_frequency() {
    let findings = |interval: &str, frequency: &str| {
        let monitor = format!(
            "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {{name: m}}\n\
             spec: {{selector: {{}}, endpoints: [{{interval: {interval}}}]}}"
        );
        let spec = format!("{{serviceMonitorSelector: {{}}, walTruncateFrequency: {frequency}}}");
        let instance = manifest("MetricsInstance", "i", &spec);
        let actual = lines(&[AGENT, &instance, &monitor]);
        actual.iter().filter(|line| line.starts_with("interval-above-truncation")).count()
    };
    for (interval, frequency, expected) in [
        ("79s", "80s", 0),
        ("80s", "80s", 0),
        ("81s", "80s", 1),
        ("60m", "''", 0),
        ("61m", "''", 1),
        ("61m", "0s", 0),
        ("61m", "-1s", 0),
        ("61m", "{}", 0),
    ] {
        assert_eq!(findings(interval, frequency), expected, "{interval} {frequency}");
    }
}

#[test]
fn truncation_findings_show_the_source_of_the_frequency() {
    let monitor = "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {name: m}\n\
                   spec: {selector: {}, endpoints: [{interval: 61m}]}";
    for (frequency, expected) in [("''", "defaults to `60m`"), ("50m", "is set here")] {
        let spec = format!("{{serviceMonitorSelector: {{}}, walTruncateFrequency: {frequency}}}");
        let diagnostics = findings(&[AGENT, &manifest("MetricsInstance", "i", &spec), monitor]);
        let diagnostics =
            diagnostics.iter().filter(|finding| finding.code.as_str() == "interval-above-truncation").map(describe);
        let actual: Vec<_> = diagnostics.collect();
        let end = format!("[`walTruncateFrequency` {expected}]");
        assert!(actual.len() == 1 && actual[0].ends_with(&end), "{actual:?}");
    }
}

#[test]
fn accepts_equal_minimum_and_maximum_wal_times() {
    let findings = |times: &str| {
        let spec = format!("{{serviceMonitorSelector: {{}}, {times}}}");
        lines(&[AGENT, &manifest("MetricsInstance", "i", &spec)])
    };
    let count = |times| findings(times).iter().filter(|line| line.starts_with("invalid-duration")).count();
    let times = ["minWALTime: 4h", "minWALTime: 5h", "maxWALTime: 5m", "maxWALTime: 4m59s"];
    assert_eq!(times.map(count), [0, 1, 0, 1]);
}

/// Returns the findings about a job in a Secret, without the path of the field that refers to the Secret.
fn jobs(text: &str) -> Vec<String> {
    let secret = serde_json::json!({
        "apiVersion": "v1", "kind": "Secret", "metadata": {"name": "jobs"}, "stringData": {"jobs": text},
    });
    let spec = "{additionalScrapeConfigs: {name: jobs, key: jobs}}";
    let findings = lines(&[AGENT, &secret.to_string(), &manifest("MetricsInstance", "i", spec)]);
    let without_text = |line: String, text: &str| line.replace(text, "");
    let findings = findings.into_iter().map(|line| without_text(line, "spec.additionalScrapeConfigs: "));
    findings.map(|line| with_location_first(&line)).collect()
}

/// Moves the location at the end of a message to its start.
fn with_location_first(line: &str) -> String {
    let parts = line.strip_suffix(" in the YAML)").and_then(|line| line.rsplit_once(" (at "));
    match (parts, line.split_once(' ')) {
        (Some((message, at)), Some((code, _))) => format!("{code} {at}:{}", message.trim_start_matches(code)),
        _ => line.to_owned(),
    }
}

#[test]
fn accepts_valid_jobs_in_secrets() {
    assert_eq!(jobs("- ~\n- {job_name: a}\n- {job_name: b}"), [""; 0]);
    for fields in [
        "scrape_interval: 0",
        "scrape_interval: 2m, scrape_timeout: 2m",
        "body_size_limit: 10MB",
        "relabel_configs: [~, {target_label: a}]",
        "basic_auth: {username: a, password: b}",
        "authorization: {type: Bearer, credentials: a}",
        "oauth2: {client_id: a, token_url: http://t}",
        "tls_config: {cert_file: a, key_file: b}",
        "static_configs: [{targets: ['a:1'], labels: {b: c}}]",
        "static_configs: [{targets: ['http://a/']}], relabel_configs: [{target_label: __address__, replacement: b}]",
        "http_sd_configs: [{url: http://a, bearer_token: b}, {url: '${POD_NAME}'}], ec2_sd_configs: []",
        "kubernetes_sd_configs: [~, {role: pod, tls_config: {}, namespaces: {own_namespace: true}}]",
        "kubernetes_sd_configs: [{role: endpoints, api_server: http://a, basic_auth: {username: a}, selectors: [{role: pod}, \
         {role: endpoints}]}]",
        "dns_sd_configs: [{names: [a]}, {names: [a], type: a, port: 1}]",
        "file_sd_configs: [{files: [a.yml, /b/*.json], refresh_interval: 5m}]",
        "tls_config: {min_version: TLS12}, proxy_from_environment: true",
        "no_proxy: a, proxy_url: http://p, proxy_connect_header: {}",
        "params: {a: [b], c: ~}",
        "scrape_timeout: ~, nope: ~",
    ] {
        assert_eq!(jobs(&format!("- {{job_name: a, {fields}}}")), [""; 0], "{fields}");
    }
}

#[test]
fn rejects_invalid_discoveries_in_secrets() {
    for (discovery, expected) in [
        ("kubernetes: {}", ".role` in the YAML must not be empty"),
        (
            "kubernetes: {role: pods}",
            ".role` in the YAML must be `node`, `pod`, `service`, `endpoints`, \
             `endpointslice` or `ingress`",
        ),
        ("kubernetes: {role: pod, bearer_token: a}", "`: `bearer_token` needs an `api_server`"),
        ("kubernetes: {role: pod, basic_auth: {}}", "`: `basic_auth` needs an `api_server`"),
        ("kubernetes: {role: pod, proxy_connect_header: {}}", "`: `proxy_connect_header` needs an `api_server`"),
        (
            "kubernetes: {role: pod, kubeconfig_file: a, namespaces: {own_namespace: true}}",
            "`: `own_namespace` and `kubeconfig_file` cannot be combined",
        ),
        (
            "kubernetes: {role: pod, selectors: [{role: node}]}",
            ".selectors[0]`: a selector must have the same `role` as its discovery section",
        ),
        (
            "kubernetes: {role: endpoints, selectors: [{role: endpointslice}]}",
            ".selectors[0]`: a selector must have the same `role` as its discovery section, or the role `pod` or `service`",
        ),
        (
            "kubernetes: {role: pod, selectors: [{role: pod}, {role: pod}]}",
            ".selectors[1]`: an earlier selector has the same `role`",
        ),
        ("dns: {names: []}", ".names` in the YAML must not be empty"),
        ("dns: {names: [a], type: CNAME}", ".type` in the YAML must be `SRV`, `A`, `AAAA` or `MX`"),
        ("dns: {names: [a], type: A}", "`: records of this `type` require a `port`"),
        (
            "file: {files: [a.yml, 'a/*/b.yml']}",
            ".files[1]` in the YAML must be a path that ends with `.json`, `.yml` or `.yaml`, and can contain `*` only after the last `/`",
        ),
        ("http: {url: a/b}", ".url` in the YAML must be an `http` or `https` URL with a host"),
        (
            "consul: {tls_config: {min_version: '1.2'}}",
            ".tls_config.min_version` in the YAML must be `TLS10`, `TLS11`, `TLS12` or `TLS13`",
        ),
        (
            "consul: {proxy_url: http://a, proxy_from_environment: true}",
            ".proxy_url`: `proxy_from_environment` and `proxy_url` cannot be combined",
        ),
        ("consul: {no_proxy: a}", ".no_proxy` in the YAML is set without `proxy_url`"),
        ("consul: {refresh_interval: 5}", ""),
    ] {
        let (kind, fields) = discovery.split_once(": ").unwrap();
        let actual = jobs(&format!("- {{job_name: a, {kind}_sd_configs: [{fields}]}}"));
        let expected = match expected {
            "" => "invalid-duration `[0].consul_sd_configs[0].refresh_interval` in the YAML is not a valid Prometheus duration"
                .to_owned(),
            expected => format!("invalid-scrape-job `[0].{kind}_sd_configs[0]{expected}"),
        };
        assert_eq!(actual, [expected], "{discovery}");
    }
}

#[test]
fn treats_labels_above_the_limit_as_unknown() {
    let many_labels: Vec<_> = (0..600).map(|i| format!("l{i}: x")).collect();
    let many_labels = many_labels.join(", ");
    let rule = "relabel_configs: [{source_labels: [l9], regex: x, target_label: __address__, replacement: a/b}]";
    let job =
        |labels: &str| format!("- {{job_name: a, static_configs: [{{targets: [a], labels: {{{labels}}}}}], {rule}}}");
    assert_eq!(jobs(&job("l9: x")).len(), 1);
    assert_eq!(jobs(&job(&many_labels)), [""; 0]);
    let interval = jobs(&job(&format!("{many_labels}, __scrape_interval__: 0s")));
    assert!(interval.len() == 1 && interval[0].contains("__scrape_interval__"), "{interval:?}");
}

#[test]
fn applies_rules_to_labels_of_static_targets() {
    let rejected = |at: &str, target: &str, reason: &str| {
        format!("rejected-target `[0].{at}`: the agent rejects {target}, because {reason}")
    };
    let unreachable = |at: &str, target: &str, reason: &str| {
        format!("unreachable-target `[0].{at}`: the agent cannot scrape {target}, because {reason}")
    };
    let (this_target, some_targets, every_target) = ("this target", "targets of the job", "every target of the job");
    let first = "static_configs[0].targets[0]";
    let host = "`__address__` has a host that is neither an IP address nor a name";
    let scheme = "`__address__` has no port, and `__scheme__` is neither `http` nor `https`";
    let url = "`__address__` is a URL or path instead of a host and port";
    let rule =
        |target: &str, rule: &str| format!("static_configs: [{{targets: [{target}]}}], relabel_configs: [{rule}]");
    for (fields, expected) in [
        ("static_configs: [{targets: ['a:1', '', a b, ~]}]".to_owned(), vec![
            rejected("static_configs[0].targets[1]", this_target, "`__address__` is empty"),
            unreachable("static_configs[0].targets[2]", this_target, "`__address__` contains a character that a host cannot contain"),
        ]),
        ("static_configs: [{targets: ['1.2.3:1', '${POD_NAME}:x']}]".to_owned(), vec![unreachable(first, this_target, host)]),
        ("scheme: ftp, static_configs: [{targets: [a, b, 'c:1']}]".to_owned(), vec![
            rejected("scheme", some_targets, scheme),
        ]),
        ("scheme: ftp, static_configs: [{targets: ['c:1']}]".to_owned(), vec![
            unreachable("scheme", some_targets, "the scheme is neither `http` nor `https`"),
        ]),
        ("scheme: HTTPS, static_configs: [{targets: ['c:1']}]".to_owned(), vec![]),
        ("scheme: ftp, dns_sd_configs: [{names: [a]}]".to_owned(), vec![
            unreachable("scheme", every_target, "the scheme is neither `http` nor `https`"),
        ]),
        ("scheme: ftp, http_sd_configs: [{url: 'http://a'}]".to_owned(), vec![]),
        (rule("a", "{source_labels: [__address__], target_label: __address__, replacement: '$1/m'}"), vec![
            rejected("relabel_configs[0]", some_targets, url),
        ]),
        // A rule drops the target, or another one replaces the address.
        (rule("a/b", "{action: drop, source_labels: [__address__], regex: a.*}"), vec![]),
        (rule("a/b", "{source_labels: [job], regex: nope, target_label: __address__, replacement: c}"), vec![
            rejected(first, this_target, url),
        ]),
        (rule("a/b", "{source_labels: [job], regex: a, target_label: __address__, replacement: c}"), vec![]),
        (rule("a", "{action: labelmap, regex: jo(b), replacement: '__scheme__'}"), vec![
            rejected("relabel_configs[0]", some_targets, scheme),
        ]),
        (rule("a", "{action: labeldrop, regex: __address__}"), vec![
            rejected("relabel_configs[0]", some_targets, "`__address__` is empty"),
        ]),
        (rule("a", "{action: labelkeep, regex: '__.+'}"), vec![]),
        // The variable's value is unknown.
        (rule("a/b", "{source_labels: [job], regex: '${POD_NAME}', target_label: __address__, replacement: c}"), vec![]),
        (rule("a/b", "{source_labels: [job], regex: '${POD_NAME}', target_label: b, replacement: c}"), vec![rejected(first, this_target, url)]),
        ("dns_sd_configs: [{names: [a]}], relabel_configs: [{action: labelkeep, regex: b}]".to_owned(), vec![
            rejected("relabel_configs[0]", every_target, "`__address__` is empty"),
        ]),
        ("params: {target: ['x/y']}, static_configs: [{targets: [a]}], relabel_configs: [{source_labels: [__param_target], \
          target_label: __address__}]".to_owned(), vec![rejected("relabel_configs[0]", some_targets, url)]),
    ] {
        assert_eq!(jobs(&format!("- {{job_name: a, {fields}}}")), expected, "{fields}");
    }
}

#[test]
fn rejects_invalid_jobs_in_secrets() {
    let not_a_duration = "in the YAML is not a valid Prometheus duration";
    let url = "a target must be a host and port, not a URL or path";
    assert_eq!(jobs("- 5"), ["invalid-scrape-job `[0]`: a scrape configuration must be a mapping"]);
    assert_eq!(
        jobs("- {}\n- {job_name: ''}"),
        ["[0]", "[1]"].map(|at| format!("invalid-scrape-job `{at}`: a scrape configuration needs a `job_name`"))
    );
    assert_eq!(
        jobs("- {job_name: a}\n- {job_name: b}\n- {job_name: a}"),
        ["duplicate-job `[2].job_name`: an earlier job has the same `job_name`"]
    );
    for (fields, expected) in [
        ("scrape_interval: 5", format!("invalid-duration `[0].scrape_interval` {not_a_duration}")),
        ("scrape_interval: -1", format!("invalid-duration `[0].scrape_interval` {not_a_duration}")),
        ("scrape_timeout: true", format!("invalid-duration `[0].scrape_timeout` {not_a_duration}")),
        ("consul_sd_configs: [{server: x, refresh_interval: yes}]", format!("invalid-duration `[0].consul_sd_configs[0].refresh_interval` {not_a_duration}")),
        ("scrape_interval: ''", "invalid-duration `[0].scrape_interval` in the YAML must not be empty".to_owned()),
        ("scrape_timeout: 1.5", format!("invalid-duration `[0].scrape_timeout` {not_a_duration}")),
        ("scrape_timeout: 5x", format!("invalid-duration `[0].scrape_timeout` {not_a_duration}")),
        (
            "scrape_interval: 30s, scrape_timeout: 31s",
            "timeout-above-interval `[0].scrape_timeout`: the scrape timeout exceeds the interval".to_owned(),
        ),
        (
            "scrape_timeout: 61s",
            "timeout-above-interval `[0].scrape_timeout`: the scrape timeout exceeds the interval".to_owned(),
        ),
        (
            "body_size_limit: much",
            "invalid-scrape-job `[0].body_size_limit` in the YAML must be a size such as `10MB`".to_owned(),
        ),
        (
            "relabel_configs: [{action: nope}]",
            "unknown-relabel-action `[0].relabel_configs[0].action` in the YAML is not a relabeling action".to_owned(),
        ),
        (
            "metric_relabel_configs: [{action: keepequal, source_labels: [a]}]",
            "incomplete-relabeling `[0].metric_relabel_configs[0]`: the `keepequal` action needs `target_label`".to_owned(),
        ),
        (
            "basic_auth: {username: a}, bearer_token: b",
            "conflicting-authentication `[0].bearer_token`: `basic_auth` and `bearer_token` cannot be combined".to_owned(),
        ),
        (
            "basic_auth: {password: a, password_file: b}",
            "conflicting-authentication `[0].basic_auth.password_file`: `password` and `password_file` cannot be combined"
                .to_owned(),
        ),
        (
            "authorization: {type: ' BASIC '}",
            "invalid-scrape-job `[0].authorization.type` in the YAML must not be `basic`".to_owned(),
        ),
        (
            "relabel_configs: [{action: '', target_label: a}]",
            "unknown-relabel-action `[0].relabel_configs[0].action` in the YAML is not a relabeling action".to_owned(),
        ),
        (
            "relabel_configs: [{action: labeldrop, source_labels: []}]",
            "conflicting-relabeling `[0].relabel_configs[0].source_labels`: the `labeldrop` action does not accept `source_labels`"
                .to_owned(),
        ),
        (
            "relabel_configs: [{target_label: a}, {target_label: a, nope: 1}]",
            "unknown-scrape-field `[0].relabel_configs[1]`: the agent does not recognize the field on line 1 of the Secret's value"
                .to_owned(),
        ),
        (
            "basic_auth: {username: a, nope: 1}",
            "unknown-scrape-field `[0].basic_auth`: the agent does not recognize the field on line 1 of the Secret's value".to_owned(),
        ),
        (
            "oauth2: {client_id: a}",
            "invalid-scrape-job `[0].oauth2.token_url` in the YAML must not be empty".to_owned(),
        ),
        (
            "tls_config: {cert_file: a}",
            "incomplete-certificate `[0].tls_config.cert_file` in the YAML is set without `key_file`".to_owned(),
        ),
        (
            "tls_config: {key_file: a}",
            "incomplete-certificate `[0].tls_config.key_file` in the YAML is set without `cert_file`".to_owned(),
        ),
        (
            "http_sd_configs: [{url: http://a, bearer_token: b, bearer_token_file: c}]",
            "conflicting-authentication `[0].http_sd_configs[0].bearer_token_file`: `bearer_token` and `bearer_token_file` \
             cannot be combined"
                .to_owned(),
        ),
        (
            "consul_sd_configs: {}",
            "invalid-scrape-job `[0].consul_sd_configs` in the YAML must be a list of mappings, but is a mapping".to_owned(),
        ),
        (
            "nope_sd_configs: []",
            "unknown-scrape-field `[0].nope_sd_configs`: the agent does not recognize the field on line 1 of the Secret's value".to_owned(),
        ),
        (
            "kubernetes_sd_configs: [{role: pod, namespace: a}]",
            "unknown-scrape-field `[0].kubernetes_sd_configs[0].namespace`: the agent does not recognize the field on line 1 of the Secret's value"
                .to_owned(),
        ),
        (
            "static_configs: [{targets: [a]}, {targets: [b, c/d]}]",
            format!("invalid-scrape-job `[0].static_configs[1].targets`: {url}"),
        ),
        (
            "params: {a: b}",
            "invalid-scrape-job `[0].params` in the YAML has an item that must be a list of strings, but is a string".to_owned(),
        ),
        (
            "nope: 1",
            "unknown-scrape-field `[0]`: the agent does not recognize the field on line 1 of the Secret's value".to_owned(),
        ),
        (
            "nope: 1, a: ~, nay: 2, no: 3",
            "unknown-scrape-field `[0]`: the agent does not recognize 3 fields, the first of which is on line 1 of the Secret's value"
                .to_owned(),
        ),
    ] {
        assert_eq!(jobs(&format!("- {{job_name: a, {fields}}}")), [expected], "{fields}");
    }
}

/// Returns the findings about a Probe.
fn probe(spec: &str) -> Vec<String> {
    let probe = format!("apiVersion: monitoring.coreos.com/v1\nkind: Probe\nmetadata: {{name: p}}\nspec: {spec}");
    lines(&[AGENT, &manifest("MetricsInstance", "i", "{probeSelector: {}}"), &probe])
}

#[test]
fn prober_addresses_are_host_and_port() {
    // The rejected relabeling rules might set the address.
    let rejected_probe = probe("{targets: {staticConfig: {static: [a], relabelingConfigs: 5}}}");
    assert!(rejected_probe.len() == 1 && rejected_probe[0].starts_with("wrong-type"), "{rejected_probe:?}");
    let static_targets = |rest: &str| format!("targets: {{staticConfig: {{static: [a]{rest}}}}}");
    let rules = |rules: &str| static_targets(&format!(", relabelingConfigs: [{{targetLabel: b}}, {rules}]"));
    let no_address = "invalid-probe-address spec.prober.url: the prober has no address, so no target can be scraped";
    for (spec, expected) in [
        (format!("prober: {{url: 'p:1'}}, {}", static_targets("")), None),
        (static_targets(""), Some(no_address)),
        (
            format!("prober: {{url: 'http://p:1'}}, {}", static_targets("")),
            Some("invalid-probe-address spec.prober.url: `http://p:1` must be a host and port, not a URL or path"),
        ),
        ("targets: {staticConfig: {static: []}}".to_owned(), None),
        ("targets: {ingress: {}}".to_owned(), Some(no_address)),
        ("targets: {ingress: {relabelingConfigs: [{action: drop}]}}".to_owned(), None),
        (
            "targets: {staticConfig: {static: [a]}, ingress: {relabelingConfigs: [{action: drop}]}}".to_owned(),
            Some(no_address),
        ),
        (rules("{targetLabel: c}"), Some(no_address)),
        (rules("{targetLabel: __address__, replacement: 'b:1'}"), None),
        (rules("{targetLabel: 'a$1'}"), None),
        (rules("{action: labelmap}"), None),
        (rules("{action: keep}"), None),
        (rules("{action: Drop}"), None),
        (rules("{action: labeldrop, regex: a}"), Some(no_address)),
    ] {
        assert_eq!(probe(&format!("{{{spec}}}")), Vec::from_iter(expected.map(str::to_owned)), "{spec}");
    }
}

#[test]
fn checks_static_and_ingress_targets_of_probes() {
    let start = "{prober: {url: 'p:1'}, targets: ";
    for (targets, expected) in [
        (
            "{staticConfig: {static: [a], labels: {a-b: c}}}",
            Some("invalid-label-name spec.targets.staticConfig.labels.a-b: `a-b` is not a valid label name"),
        ),
        (
            "{ingress: {selector: {matchLabels: {a: '('}}}}",
            Some("invalid-regex spec.targets.ingress.selector.matchLabels.a"),
        ),
        (
            "{staticConfig: {static: [a], labels: {__scrape_interval__: nope}}}",
            Some("rejected-target spec.targets.staticConfig.labels.__scrape_interval__"),
        ),
        ("{staticConfig: {static: [a]}, ingress: {selector: {matchLabels: {a: '('}}}}", None),
    ] {
        let actual = probe(&format!("{start}{targets}}}"));
        assert_eq!(actual.len(), usize::from(expected.is_some()), "{targets} {actual:?}");
        assert!(actual.iter().zip(expected).all(|(line, expected)| line.starts_with(expected)), "{actual:?}");
    }
}

#[test]
fn validates_selector_values_and_ports_as_regular_expressions() {
    let places = |spec: &str| {
        let monitor =
            format!("apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {{name: m}}\nspec: {spec}");
        let actual = lines(&[AGENT, &manifest("MetricsInstance", "i", "{serviceMonitorSelector: {}}"), &monitor]);
        let start = |line: String| line.split_once(": ").map(|(start, _)| start.to_owned());
        actual.into_iter().filter_map(start).collect::<Vec<_>>()
    };
    let values = "invalid-regex spec.selector.matchExpressions[0].values";
    for (expression, expected) in [
        ("operator: In, values: [a]", String::new()),
        ("operator: In, values: ['(']", format!("{values}[0]")),
        // The operator joins the values, and `(|)` is valid.
        ("operator: In, values: ['(', ')']", String::new()),
        ("operator: NotIn, values: [a, '*']", values.to_owned()),
        ("operator: Exists, values: []", String::new()),
        ("operator: in, values: ['(']", "ignored-field spec.selector.matchExpressions[0].operator".to_owned()),
    ] {
        let actual =
            places(&format!("{{selector: {{matchExpressions: [{{key: a, {expression}}}]}}, endpoints: [{{}}]}}"));
        let expected = Some(expected).filter(|start| !start.is_empty());
        assert_eq!(actual, Vec::from_iter(expected), "{expression}");
    }
    for (endpoint, expected) in [
        ("targetPort: '('", Some("invalid-regex spec.endpoints[0].targetPort")),
        ("port: '('", Some("invalid-regex spec.endpoints[0].port")),
        ("port: web, targetPort: '('", None),
        ("port: '', targetPort: '('", Some("invalid-regex spec.endpoints[0].targetPort")),
    ] {
        let actual = places(&format!("{{selector: {{}}, endpoints: [{{{endpoint}}}]}}"));
        assert_eq!(actual, Vec::from_iter(expected.map(str::to_owned)), "{endpoint}");
    }
}

#[test]
fn checks_certificates_and_headers_of_remote_writes() {
    for (fields, expected) in [
        ("tlsConfig: {certFile: a, keyFile: b}", None),
        ("tlsConfig: {insecureSkipVerify: true}", None),
        (
            "tlsConfig: {certFile: a}",
            Some("incomplete-certificate tlsConfig: a client certificate is set without its key"),
        ),
        (
            "tlsConfig: {keyFile: a}",
            Some("incomplete-certificate tlsConfig: a client key is set without its certificate"),
        ),
        ("tlsConfig: {cert: {}, keyFile: ''}", None),
        (
            "tlsConfig: {cert: {configMap: {name: c, key: a}}}",
            Some("incomplete-certificate tlsConfig: a client certificate is set without its key"),
        ),
        ("headers: {X-Scope-OrgID: a}", None),
        (
            "headers: {Authorization: a}",
            Some("reserved-header headers.Authorization: the agent sets the `Authorization` header itself"),
        ),
        (
            "headers: {user-agent: a}",
            Some("reserved-header headers.user-agent: the agent sets the `user-agent` header itself"),
        ),
        (
            "oauth2: {clientId: {secret: {name: s, key: a}}, clientSecret: {name: s, key: b}, tokenUrl: 'http://t'}",
            None,
        ),
        (
            "oauth2: {clientId: {}, clientSecret: {name: s, key: b}, tokenUrl: 'http://t'}",
            Some(
                "incomplete-authentication oauth2.clientId: the operator reads the client ID only from a Secret, and none is set",
            ),
        ),
        (
            "oauth2: {clientId: {secret: {name: s, key: empty}}, clientSecret: {name: s, key: b}, tokenUrl: 'http://t'}",
            Some(
                "incomplete-authentication oauth2.clientId: the operator reads the client ID only from a Secret, and none is set",
            ),
        ),
    ] {
        let mut actual = remote_write(&format!("url: http://x, {fields}"));
        actual.retain(|line| !line.starts_with("missing-config-map"));
        assert_eq!(actual, Vec::from_iter(expected.map(str::to_owned)), "{fields}");
    }
}

#[test]
fn suggests_fields_for_reserved_headers() {
    let spec = "{remoteWrite: [{url: 'http://x', headers: {Authorization: a, Host: b}}]}";
    let diagnostics = findings(&[AGENT, &manifest("MetricsInstance", "i", spec)]);
    let help_texts: Vec<_> = diagnostics.iter().filter_map(|finding| finding.help.as_deref()).collect();
    assert_eq!(help_texts, ["use `basicAuth`, `bearerToken`, `oauth2` or `sigv4`", "remove the header"]);
}

#[test]
fn rejects_job_keys_that_do_not_match_certificates() {
    let certified_key = rcgen::generate_simple_self_signed(vec!["a".to_owned()]).unwrap();
    let (certificate, key) = (certified_key.cert.pem(), certified_key.signing_key.serialize_pem());
    let other_key = rcgen::KeyPair::generate().unwrap().serialize_pem();
    let tls_findings =
        |tls: serde_json::Value| jobs(&serde_json::json!([{"job_name": "a", "tls_config": tls}]).to_string());
    let invalid = |field: &str, problem: &str| {
        let place = format!("invalid-certificate `[0].tls_config.{field}`");
        let statement = match problem.strip_prefix("value ") {
            Some(predicate) => format!("{place} in the YAML {predicate}"),
            None => format!("{place}: the {problem}"),
        };
        format!("{statement}, so everything that uses it fails to start")
    };
    for (ca, own_key, expected) in [
        (&certificate, &key, vec![]),
        (&certificate, &other_key, vec![invalid("key", "private key does not belong to the client certificate")]),
        (
            &key,
            &certificate,
            vec![
                invalid("ca", "value contains no CA certificate in PEM format"),
                invalid("key", "value contains no private key in PEM format"),
            ],
        ),
    ] {
        let tls = serde_json::json!({"ca": ca, "cert": certificate, "key": own_key});
        assert_eq!(tls_findings(tls), expected);
    }
    assert_eq!(tls_findings(serde_json::json!({"ca": "", "cert": "", "key": ""})), [""; 0]);
    // The variable may contain a certificate.
    assert_eq!(tls_findings(serde_json::json!({"cert": "${POD_NAME}", "key": other_key})), [""; 0]);
    assert_eq!(
        tls_findings(serde_json::json!({"cert": "x", "key": key})),
        [invalid("cert", "value contains no client certificate in PEM format")]
    );
}

#[test]
fn checks_agent_settings_only_if_used() {
    let label = "invalid-label-name spec.metrics.enforcedNamespaceLabel";
    let external = "invalid-label-name spec.metrics.externalLabels.a-b";
    let header = "reserved-header spec.metrics.remoteWrite[0].headers.Authorization";
    let remote_write = "remoteWrite: [{url: 'http://x', headers: {Authorization: a}}]";
    let monitor = |endpoints: &str| {
        let spec = format!("{{selector: {{}}, endpoints: {endpoints}}}");
        format!("apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {{name: m}}\nspec: {spec}")
    };
    let probe = "apiVersion: monitoring.coreos.com/v1\nkind: Probe\nmetadata: {name: p}\n\
                 spec: {prober: {url: 'p:1'}, targets: {staticConfig: {static: [a]}}}"
        .to_owned();
    let instance = |fields: &str| {
        manifest("MetricsInstance", "i", &format!("{{serviceMonitorSelector: {{}}, probeSelector: {{}}{fields}}}"))
    };
    let integration = crate::check::tests::integration("x", "mysql", &[], "{}");
    let (error, warning) = (Severity::Error, Severity::Warning);
    let receiver = instance(", remoteWrite: [{url: 'http://x'}]");
    for (fields, others, expected) in [
        ("enforcedNamespaceLabel: a-b", vec![instance(""), monitor("[{}]")], Some((error, label))),
        ("enforcedNamespaceLabel: a-b", vec![instance(""), probe.clone()], Some((error, label))),
        ("enforcedNamespaceLabel: a-b", vec![instance(""), monitor("[]")], None),
        ("enforcedNamespaceLabel: a-b", vec![instance("")], None),
        ("enforcedNamespaceLabel: ab", vec![instance(""), probe], None),
        ("externalLabels: {a-b: c}", vec![instance("")], Some((warning, external))),
        ("externalLabels: {a-b: c}", vec![integration], Some((warning, external))),
        ("externalLabels: {a-b: c}", vec![], None),
        (remote_write, vec![instance("")], Some((error, header))),
        (remote_write, vec![receiver.clone()], Some((error, header))),
        (
            "remoteWrite: [{url: a/b}]",
            vec![receiver.clone()],
            Some((warning, "invalid-url spec.metrics.remoteWrite[0].url")),
        ),
        ("remoteWrite: [{url: 'http://x'}, {url: 'http://x'}]", vec![receiver.clone()], None),
        (remote_write, vec![receiver, instance("").replace("name: i", "name: j")], Some((error, header))),
    ] {
        let agent = AGENT.replace("metrics: {", &format!("metrics: {{{fields}, "));
        let documents: Vec<_> = std::iter::once(agent.as_str()).chain(others.iter().map(String::as_str)).collect();
        let diagnostics = findings(&documents).into_iter();
        let diagnostics = diagnostics
            .map(|finding| (finding.severity, format!("{} {}", finding.code, finding.path.unwrap_or_default())));
        let actual: Vec<_> = diagnostics.filter(|(_, line)| line.contains(" spec.metrics.")).collect();
        let expected = expected.map(|(severity, line)| (severity, line.to_owned()));
        assert_eq!(actual, Vec::from_iter(expected), "{fields} {others:?}");
    }
}

#[test]
fn reports_labels_that_invalidate_every_target() {
    for (fields, expected) in [
        ("relabelings: [{targetLabel: __scrape_interval__, replacement: x}]", "relabelings[0]"),
        ("relabelings: [{targetLabel: __scrape_interval__, replacement: '30'}]", "relabelings[0]"),
        ("relabelings: [{targetLabel: __scrape_interval__, replacement: -5s}]", "relabelings[0]"),
        ("relabelings: [{targetLabel: __scrape_interval__, replacement: 0s}]", "relabelings[0]"),
        ("relabelings: [{targetLabel: __scrape_interval__, replacement: 5s}]", "relabelings[0]"),
        ("relabelings: [{targetLabel: __scrape_interval__, replacement: 1m30s}]", ""),
        ("relabelings: [{targetLabel: __scrape_timeout__, replacement: 5m}]", "relabelings[0]"),
        ("interval: 10m, relabelings: [{targetLabel: __scrape_timeout__, replacement: 5m}]", ""),
        ("interval: 10s, relabelings: [{targetLabel: __scrape_timeout__, replacement: 15s}]", "relabelings[0]"),
        ("scrapeTimeout: 30s, relabelings: [{targetLabel: __scrape_interval__, replacement: 20s}]", "relabelings[0]"),
        ("relabelings: [{targetLabel: __address__, replacement: 'http://a'}]", "relabelings[0]"),
        ("relabelings: [{targetLabel: __address__, replacement: 'a b'}]", ""),
        ("relabelings: [{targetLabel: __scheme__, replacement: ftp}, {targetLabel: __address__, replacement: a}]", ""),
        ("relabelings: [{targetLabel: __address__}]", "relabelings[0]"),
        ("relabelings: [{targetLabel: __address__, regex: .+}]", ""),
        // The result depends on a later rule or on the source label.
        (
            "relabelings: [{targetLabel: __scrape_interval__, replacement: x}, {targetLabel: __scrape_interval__, replacement: 1m}]",
            "",
        ),
        ("relabelings: [{sourceLabels: [a], regex: b, targetLabel: __scrape_interval__, replacement: x}]", ""),
        ("relabelings: [{sourceLabels: [a], targetLabel: __scrape_interval__, replacement: x}]", "relabelings[0]"),
        ("relabelings: [{sourceLabels: [a], targetLabel: __scrape_interval__}]", ""),
        (
            "relabelings: [{targetLabel: x, replacement: y}, {sourceLabels: [x], targetLabel: __scrape_interval__}]",
            "relabelings[1]",
        ),
        ("relabelings: [{targetLabel: __scrape_interval__, replacement: x, regex: .+}]", ""),
        ("relabelings: [{targetLabel: __scrape_interval__, replacement: x}, {action: labelmap, regex: (.+)}]", ""),
        ("relabelings: [{targetLabel: __scrape_interval__, replacement: '${X:-1m}'}]", ""),
        (
            "relabelings: [{sourceLabels: [__scrape_interval__], regex: 1m, targetLabel: __scrape_timeout__, replacement: 2m}]",
            "relabelings[0]",
        ),
    ] {
        let mut actual = endpoint(fields);
        actual.retain(|line| line.starts_with("rejected-target "));
        let places: Vec<_> = actual.iter().filter_map(|line| line.split([' ', ':']).nth(1)).collect();
        let expected = Some(format!("spec.endpoints[0].{expected}")).filter(|_| !expected.is_empty());
        assert_eq!(places, Vec::from_iter(expected), "{fields} {actual:?}");
    }
}

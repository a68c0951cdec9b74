//! The rules of Prometheus on small resources.

use crate::check::tests::{AGENT, found, lines, manifest};
use crate::diagnostic::Severity;

const CREDENTIALS: &str = "
apiVersion: v1
kind: Secret
metadata: {name: s}
stringData: {a: user, b: password, empty: ''}
";

/// What is found of a monitor with these fields of an endpoint.
fn endpoint(fields: &str) -> Vec<String> {
    endpoint_of(AGENT, fields)
}

fn endpoint_of(agent: &str, fields: &str) -> Vec<String> {
    let monitor = format!(
        "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {{name: m}}\n\
         spec: {{selector: {{}}, endpoints: [{{{fields}}}]}}"
    );
    let instance = manifest("MetricsInstance", "i", "{serviceMonitorSelector: {}}");
    let mut found = lines(&[agent, CREDENTIALS, &instance, &monitor]);
    // What is selected, and how often, is another matter.
    let selection = ["unselected", "selects-nothing", "duplicate-scrape", "shared-instance"];
    found.retain(|line| !selection.iter().any(|code| line.starts_with(code)));
    found
}

fn relabeling(rule: &str) -> Vec<String> {
    let found = endpoint(&format!("relabelings: [{{{rule}}}]"));
    let start = "spec.endpoints[0].relabelings[0]";
    found.into_iter().map(|line| line.replace(start, "")).collect()
}

fn remote_write(fields: &str) -> Vec<String> {
    let spec = format!("{{remoteWrite: [{{{fields}}}]}}");
    let found = lines(&[AGENT, CREDENTIALS, &manifest("MetricsInstance", "i", &spec)]);
    found
        .into_iter()
        .map(|line| line.replace("spec.remoteWrite[0].", ""))
        .collect()
}

#[test]
fn rules_that_prometheus_takes() {
    for rule in [
        "targetLabel: a",
        "targetLabel: '${1}_x'",
        "action: Keep",
        "action: hashmod, modulus: 4, targetLabel: a",
        "action: labelmap, regex: 'x_(.+)'",
        "action: labelmap, replacement: 'a_${1}'",
        "action: labeldrop, regex: x, separator: ;",
        "action: lowercase, targetLabel: a, replacement: $1",
        "action: keepequal, targetLabel: a, sourceLabels: [b]",
        "action: keep, targetLabel: '!!'",
    ] {
        assert_eq!(relabeling(rule), [""; 0], "{rule}");
    }
}

#[test]
fn rules_that_prometheus_refuses() {
    for (rule, expected) in [
        (
            "action: replace",
            "incomplete-relabeling : the action `replace` needs `targetLabel`",
        ),
        (
            "action: Uppercase",
            "incomplete-relabeling : the action `uppercase` needs `targetLabel`",
        ),
        (
            "action: hashmod, targetLabel: a",
            "incomplete-relabeling : the action `hashmod` needs `modulus`",
        ),
        (
            "targetLabel: a-b",
            "invalid-label-name .targetLabel: `a-b` is not a valid label name",
        ),
        (
            "targetLabel: 'a$$'",
            "invalid-label-name .targetLabel: `a$$` is not a valid label name",
        ),
        (
            "action: hashmod, modulus: 2, targetLabel: a$1",
            "invalid-label-name .targetLabel: `a$1` is not a valid label name",
        ),
        (
            "action: labelmap, replacement: a-$1",
            "invalid-label-name .replacement: `a-$1` is not a valid label name, which `labelmap` needs",
        ),
        (
            "action: labelkeep, sourceLabels: [a]",
            "conflicting-relabeling .sourceLabels: the action `labelkeep` must not have `sourceLabels`",
        ),
        (
            "action: labeldrop, separator: ','",
            "conflicting-relabeling .separator: the action `labeldrop` must not have `separator`",
        ),
        (
            "action: dropequal, targetLabel: a, regex: '(.*)'",
            "conflicting-relabeling .regex: the action `dropequal` must not have `regex`",
        ),
        (
            "targetLabel: a, regex: '+'",
            "invalid-regex .regex: `+` is not a valid regular expression: `+` repeats nothing",
        ),
    ] {
        assert_eq!(relabeling(rule), [expected], "{rule}");
    }
}

#[test]
fn timeouts_are_held_against_the_interval_of_the_endpoint_or_of_the_agent() {
    let slow = AGENT.replace("metrics: {", "metrics: {scrapeInterval: 5m, ");
    let message = |timeout: &str, interval: &str| {
        let path = "timeout-above-interval spec.endpoints[0].scrapeTimeout";
        format!("{path}: a scrape may take `{timeout}`, longer than the interval of `{interval}`")
    };
    assert_eq!(endpoint("scrapeTimeout: 1m"), [""; 0]);
    assert_eq!(endpoint("scrapeTimeout: 61s"), [message("61s", "1m")]);
    assert_eq!(endpoint("interval: 0s, scrapeTimeout: 61s"), [message("61s", "1m")]);
    assert_eq!(endpoint("interval: 5s"), [""; 0]);
    assert_eq!(endpoint("interval: 5s, scrapeTimeout: 6s"), [message("6s", "5s")]);
    assert_eq!(endpoint_of(&slow, "scrapeTimeout: 61s"), [""; 0]);
    assert_eq!(endpoint_of(&slow, "scrapeTimeout: 6m"), [message("6m", "5m")]);
}

#[test]
fn one_kind_of_authentication_is_allowed() {
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
    assert_eq!(
        remote_write("url: http://x, bearerToken: a, bearerTokenFile: b"),
        ["conflicting-authentication bearerTokenFile: `bearerToken` and `bearerTokenFile` cannot be combined"]
    );
}

#[test]
fn sigv4_needs_both_keys_or_none() {
    let key = |field: &str, key: &str| format!("{field}: {{name: s, key: {key}}}");
    for keys in ["", "region: x"] {
        assert_eq!(remote_write(&format!("url: http://x, sigv4: {{{keys}}}")), [""; 0]);
    }
    let both = format!("{}, {}", key("accessKey", "a"), key("secretKey", "b"));
    assert_eq!(remote_write(&format!("url: http://x, sigv4: {{{both}}}")), [""; 0]);
    let half = format!("{}, {}", key("accessKey", "a"), key("secretKey", "empty"));
    for keys in [key("accessKey", "a"), half] {
        let found = remote_write(&format!("url: http://x, sigv4: {{{keys}}}"));
        assert_eq!(
            found,
            ["incomplete-authentication sigv4: `accessKey` is set, but `secretKey` is not, or its value is empty"]
        );
    }
}

#[test]
fn receivers_differ_by_name_or_by_what_they_are() {
    let receivers = |list: &str| {
        let instance = manifest("MetricsInstance", "i", &format!("{{remoteWrite: [{list}]}}"));
        let found = found(&[AGENT, &instance]);
        found.into_iter().map(|d| (d.severity, d.message)).collect::<Vec<_>>()
    };
    assert_eq!(receivers("{url: http://a}, {url: http://b}"), []);
    assert_eq!(
        receivers("{url: http://a, name: x}, {url: http://b, name: x}"),
        [(Severity::Error, "two receivers are called `x`".to_owned())]
    );
    assert_eq!(
        receivers("{url: http://a, proxyUrl: c}, {proxyUrl: c, url: http://a}"),
        [(Severity::Warning, "two receivers are the same".to_owned())]
    );
}

#[test]
fn what_no_agent_selects_is_not_checked() {
    let agent = AGENT.replace("metrics: {instanceSelector: {}}", "metrics: {}");
    assert_eq!(endpoint_of(&agent, "scrapeTimeout: 61s"), [""; 0]);
}

#[test]
fn a_monitor_of_two_agents_is_reported_once() {
    let other = AGENT.replace("name: a", "name: b");
    let found = endpoint_of(
        &format!("{AGENT}\n---\n{other}"),
        "scrapeTimeout: 61s, relabelings: [{action: replace}]",
    );
    assert_eq!(found.len(), 2, "{found:?}");
}

#[test]
fn values_of_a_secret_are_not_shown() {
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
    let found = found(&[AGENT, secret, &manifest("MetricsInstance", "i", spec), monitor]);
    assert_eq!(found.len(), 15, "{found:#?}");
    for finding in found {
        assert!(!format!("{finding:?}").contains("hush"), "{finding:?}");
        assert_eq!(finding.path.as_deref(), Some("spec.additionalScrapeConfigs"));
    }
}

#[test]
fn a_job_must_not_have_the_name_of_a_generated_one() {
    let monitored = |name: &str| {
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
        let found = lines(&[AGENT, &secret, &instance, service_monitor, pod_monitor, probe]);
        found.iter().any(|line| line.starts_with("duplicate-job"))
    };
    for name in [
        "serviceMonitor/default/s/1",
        "podMonitor/default/p/0",
        "probe/default/b",
    ] {
        assert!(monitored(name), "{name}");
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
        assert!(!monitored(name), "{name}");
    }
}

#[test]
fn durations_that_the_pattern_allows_must_fit() {
    for field in ["scrapeInterval", "scrapeTimeout"] {
        let agent = AGENT.replace("metrics: {", &format!("metrics: {{{field}: 300y, "));
        assert_ne!(agent, AGENT);
        let found = endpoint_of(&agent, "{}");
        let path = format!("invalid-duration spec.metrics.{field}");
        assert!(found.iter().any(|line| line.starts_with(&path)), "{found:?}");
    }
}

#[test]
fn a_port_is_chosen_by_its_name() {
    let port = "numeric-port-name spec.endpoints[0].port: `port` must be the name of a port, found the number `10250`";
    assert_eq!(endpoint("port: '10250'"), [port]);
    assert_eq!(endpoint("port: p10250"), [""; 0]);
    assert_eq!(endpoint("targetPort: 10250"), [""; 0]);
}

#[test]
fn urls_have_a_scheme_that_can_be_sent_to() {
    for url in ["http://m/", "HTTPS://m/", "https://m/${PATH}"] {
        assert_eq!(remote_write(&format!("url: '{url}'")), [""; 0], "{url}");
    }
    for (fields, refused) in [
        (
            "url: 'htps://m/'",
            "url: the agent cannot send to a URL with the scheme `htps`",
        ),
        (
            "url: 'socks5://m/'",
            "url: the agent cannot send to a URL with the scheme `socks5`",
        ),
        (
            "url: 'http://m/', proxyUrl: 'sock5://p/'",
            "proxyUrl: the agent cannot send to a URL with the scheme `sock5`",
        ),
    ] {
        assert_eq!(remote_write(fields), [format!("invalid-url {refused}")], "{fields}");
    }
    assert_eq!(remote_write("url: 'http://m/', proxyUrl: 'socks5://p/'"), [""; 0]);
}

#[test]
fn an_interval_is_not_longer_than_the_write_ahead_log_is_kept() {
    let found = |interval: &str| {
        let monitor = format!(
            "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {{name: m}}\n\
             spec: {{selector: {{}}, endpoints: [{{interval: {interval}}}]}}"
        );
        let instance = manifest(
            "MetricsInstance",
            "i",
            "{serviceMonitorSelector: {}, walTruncateFrequency: 80s}",
        );
        let found = lines(&[AGENT, &instance, &monitor]);
        found
            .iter()
            .filter(|line| line.starts_with("interval-above-truncation"))
            .count()
    };
    assert_eq!([found("79s"), found("80s"), found("81s")], [0, 0, 1]);
}

#[test]
fn the_least_time_of_the_write_ahead_log_may_be_the_greatest() {
    let found = |times: &str| {
        let spec = format!("{{serviceMonitorSelector: {{}}, {times}}}");
        lines(&[AGENT, &manifest("MetricsInstance", "i", &spec)])
    };
    let count = |times| {
        found(times)
            .iter()
            .filter(|line| line.starts_with("invalid-duration"))
            .count()
    };
    let times = [
        "minWALTime: 4h",
        "minWALTime: 5h",
        "maxWALTime: 5m",
        "maxWALTime: 4m59s",
    ];
    assert_eq!(times.map(count), [0, 1, 0, 1]);
}

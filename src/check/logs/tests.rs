//! Tests of Promtail's rules, using small resources.

use crate::check::tests::{AGENT, agent, findings, lines, manifest};
use crate::diagnostic::Diagnostic;

/// Returns the findings about a pipeline with this stage.
fn stage_findings(stage: &str) -> Vec<String> {
    let instance = manifest("LogsInstance", "i", "{clients: [{url: http://l}], podLogsSelector: {}}");
    let spec = format!("{{selector: {{}}, pipelineStages: [{{{stage}}}]}}");
    let findings = lines(&[AGENT, &instance, &manifest("PodLogs", "p", &spec)]);
    let start = "spec.pipelineStages[0].";
    findings.into_iter().map(|line| line.replace(start, "")).collect()
}

#[test]
fn accepts_valid_stages() {
    for text in [
        "docker: {}",
        "regex: {expression: '(?P<a>.*)'}",
        "json: {expressions: {a: ''}}",
        "json: {expressions: {a: 'b.\"c-d\"[0]', '\"e-f\"': ''}}",
        "timestamp: {source: a, format: RFC3339, actionOnFailure: skip, location: Europe/Berlin}",
        "limit: {rate: 1, burst: 1}",
        "tenant: {value: a}",
        "drop: {olderThan: 24h}",
        "drop: {source: a, value: b, longerThan: 8kb}",
        "metrics: {a: {type: COUNTER, action: Inc}, b: {type: histogram, action: '', buckets: ['1', '2.5']}}",
        "metrics: {a: {type: counter, action: add, matchAll: true, countEntryBytes: true}}",
        "match: {selector: '{a=\"b\"}', action: drop, stages: '[]'}",
        "docker: {}, labels: {}, metrics: {}, labelDrop: []",
        "metrics: {a:b: {type: counter, action: inc, prefix: 'c:'}}",
        "drop: {expression: a}",
        "metrics: {a: {type: Gauge, action: SUB}, b: {type: counter, action: inc, value: x}, c: {type: counter, action: inc, matchAll: true}}",
        "match: {selector: '{a=\"b\"}', stages: '- docker: {}'}",
    ] {
        assert_eq!(stage_findings(text), [""; 0], "{text}");
    }
}

#[test]
fn rejects_invalid_stages() {
    for (text, expected) in [
        ("docker: {}, labelDrop: [a]", "invalid-stage labelDrop: `docker` and `labelDrop` cannot be combined"),
        ("docker: {}, labels: {a: ''}", "invalid-stage labels: `docker` and `labels` cannot be combined"),
        ("json: {expressions: {}}", "invalid-stage json.expressions: `json.expressions` must not be empty"),
        (
            "tenant: {}",
            "invalid-stage tenant: the stage needs exactly one of `label`, `source` or `value`, but has none",
        ),
        ("drop: {value: b}", "invalid-stage drop: the stage needs `source`, `expression`, `olderThan` or `longerThan`"),
        ("drop: {value: b, olderThan: 1h}", "invalid-stage drop.value: `value` has no effect without `source`"),
        (
            "metrics: {a: {type: summary, action: inc}}",
            "invalid-stage metrics.a.type: `type` must be `counter`, `gauge` or `histogram`, but is `summary`",
        ),
        (
            "metrics: {a: {type: gauge, action: add1}}",
            "invalid-stage metrics.a.action: the `action` of a `gauge` metric must be `set`, `inc`, `dec`, `add` or `sub`, but is `add1`",
        ),
        (
            "metrics: {a: {type: counter, action: inc, matchAll: true, value: x}}",
            "invalid-stage metrics.a.matchAll: `matchAll` and `value` cannot be combined",
        ),
        (
            "metrics: {a: {type: counter, action: inc, matchAll: true, countEntryBytes: true}}",
            "invalid-stage metrics.a.countEntryBytes: `countEntryBytes` needs `matchAll: true` and the `add` action",
        ),
        (
            "metrics: {a: {type: counter, action: add, countEntryBytes: true}}",
            "invalid-stage metrics.a.countEntryBytes: `countEntryBytes` needs `matchAll: true` and the `add` action",
        ),
        (
            "match: {selector: '{a=\"b\"}', action: drop, stages: '- docker: {}'}",
            "invalid-stage match.stages: the `drop` action does not accept `stages`",
        ),
        (
            "match: {selector: '{a=\"b\"}', action: keep, stages: '[]'}",
            "invalid-stage match.stages: the `keep` action needs at least one stage",
        ),
        (
            "match: {selector: '{a=\"b\"}', action: other}",
            "invalid-stage match.action: `match.action` must be `keep` or `drop`, but is `other`",
        ),
        ("json: {}", "invalid-stage json.expressions: `json.expressions` must not be empty"),
        (
            "json: {expressions: {a: b, c: '@timestamp'}}",
            "invalid-stage json.expressions.c: `@timestamp` is not a valid JMESPath expression: `timestamp` is unexpected",
        ),
        (
            "json: {expressions: {log-level: ''}}",
            "invalid-stage json.expressions.log-level: `log-level` is not a valid JMESPath expression: `-level` is unexpected",
        ),
        (
            "metrics: {a-b: {type: counter, action: inc}}",
            "invalid-stage metrics.a-b: `promtail_custom_a-b` is not a valid metric name, so the agent's own metrics cannot be scraped",
        ),
        (
            "metrics: {a: {type: counter, action: inc, prefix: 1x}}",
            "invalid-stage metrics.a: `1xa` is not a valid metric name, so the agent's own metrics cannot be scraped",
        ),
        ("timestamp: {source: a, format: ''}", "invalid-stage timestamp.format: `timestamp.format` must not be empty"),
        (
            "timestamp: {source: a, format: RFC3339, location: europe/berlin}",
            "invalid-stage timestamp.location: `europe/berlin` is not a known time zone",
        ),
        (
            "timestamp: {source: a, format: RFC3339, location: ../x}",
            "invalid-stage timestamp.location: `../x` is not a known time zone",
        ),
        (
            "template: {source: a, template: '{{ $x }}'}",
            "invalid-stage template.template: the template uses the variable `$x`, which is not defined",
        ),
        (
            "match: {selector: '{a-b=\"c\"}', action: drop}",
            "invalid-log-selector match.selector: `{a-b=\"c\"}` is not a valid log stream selector: \
             expected `=`, `!=`, `=~` or `!~`, found `-`",
        ),
        ("limit: {rate: 1}", "invalid-stage limit.burst: `limit.burst` must be at least 1, but is `0`"),
        (
            "tenant: {value: a, source: b}",
            "invalid-stage tenant: the stage needs exactly one of `label`, `source` or `value`, but has 2",
        ),
        (
            "drop: {source: a, value: b, expression: c}",
            "invalid-stage drop.value: `value` and `expression` cannot be combined",
        ),
        ("drop: {longerThan: 8KiB}", "invalid-stage drop.longerThan: `8KiB` is not a valid byte size"),
        (
            "template: {source: a, template: '{{ if .a }}{{ nope }}'}",
            "invalid-stage template.template: the template calls `nope`, which is not a function",
        ),
        (
            "replace: {expression: (a), replace: '{{ if .a }}b'}",
            "invalid-stage replace.replace: the template has `{{ if }}` without `{{ end }}`, so the stage changes nothing",
        ),
        ("labels: {a-b: ''}", "invalid-label-name labels.a-b: `a-b` is not a valid label name"),
        (
            "metrics: {a: {type: counter, action: set}}",
            "invalid-stage metrics.a.action: the `action` of a `counter` metric must be `inc` or `add`, but is `set`",
        ),
        (
            "metrics: {a: {type: histogram, action: '', buckets: ['2', '2']}}",
            "unsorted-buckets metrics.a.buckets: the buckets are not in ascending order, so the agent crashes when it observes the first value",
        ),
        (
            "metrics: {a: {type: gauge, action: inc, maxIdleDuration: 1ms}}",
            "invalid-duration metrics.a.maxIdleDuration: `1ms` is too short: the duration must be at least one second",
        ),
        ("match: {selector: '{a=\"b\"}'}", "invalid-stage match.stages: the `keep` action needs at least one stage"),
        (
            "match: {selector: '{}', action: drop}",
            "invalid-log-selector match.selector: `{}` is not a valid log stream selector: \
             expected a label name, found `}`",
        ),
    ] {
        assert_eq!(stage_findings(text), [expected], "{text}");
    }
}

#[test]
fn reports_stages_nested_in_strings() {
    let text = r#"match: {selector: '{a="b"}', stages: "- match: {selector: '{a=\"b\"}', stages: '- output: {}'}"}"#;
    let path = "`[0].match.stages[0].output.source`";
    let message = format!("invalid-stage match.stages: {path} in the YAML must not be empty");
    assert_eq!(stage_findings(text), [message]);
}

#[test]
fn checks_stages_up_to_the_maximum_depth() {
    let start = "{selector: '{a=\"b\"}', stages: ";
    for (levels, expected) in
        [(31, "in the YAML must not be empty"), (32, "found more than 32 levels of nested stages")]
    {
        let text = (0..levels).fold("- output: {}".to_owned(), |inner, _| {
            let indented: String = inner.lines().map(|line| format!("\n    {line}")).collect();
            format!("- match:\n    selector: '{{a=\"b\"}}'\n    stages: |{}", indented.replace("\n", "\n  "))
        });
        let actual = stage_findings(&format!("match: {start}{text:?}}}"));
        assert!(actual.len() == 1 && actual[0].contains(expected), "{levels} {actual:?}");
    }
}

/// Returns the findings about a LogsInstance and PodLogs, each as `severity code path`.
fn severities(instance: &str, pod_logs: &str) -> Vec<String> {
    let instance = manifest("LogsInstance", "i", instance);
    let diagnostics = findings(&[AGENT, &instance, &manifest("PodLogs", "p", pod_logs)]);
    let line = |d: &Diagnostic| format!("{} {} {}", d.severity.as_str(), d.code, d.path.as_deref().unwrap_or_default());
    diagnostics.iter().map(line).collect()
}

#[test]
fn reports_errors_that_stop_the_agent() {
    let instance = "{clients: [{url: http://l}], podLogsSelector: {}}";
    for (spec, expected) in [
        (
            "relabelings: [{action: hashmod, sourceLabels: [a], targetLabel: b}]",
            "error incomplete-relabeling spec.relabelings[0]",
        ),
        (
            "relabelings: [{action: labelkeep, regex: a, separator: ','}]",
            "error conflicting-relabeling spec.relabelings[0].separator",
        ),
        ("relabelings: [{regex: '(', targetLabel: a}]", "error invalid-regex spec.relabelings[0].regex"),
        ("podTargetLabels: [1a]", "error invalid-label-name spec.podTargetLabels[0]"),
        ("pipelineStages: [{regex: {expression: '('}}]", "error invalid-regex spec.pipelineStages[0].regex.expression"),
        ("pipelineStages: [{tenant: {}}]", "error invalid-stage spec.pipelineStages[0].tenant"),
        (
            "pipelineStages: [{match: {selector: a, action: drop}}]",
            "error invalid-log-selector spec.pipelineStages[0].match.selector",
        ),
        ("pipelineStages: [{drop: {olderThan: 1d}}]", "error invalid-duration spec.pipelineStages[0].drop.olderThan"),
        // The agent starts despite the following stages.
        (
            "pipelineStages: [{replace: {expression: a, replace: '{{'}}]",
            "warning invalid-stage spec.pipelineStages[0].replace.replace",
        ),
        (
            "pipelineStages: [{metrics: {a b: {type: counter, action: inc}}}]",
            "warning invalid-stage spec.pipelineStages[0].metrics.a b",
        ),
    ] {
        assert_eq!(severities(instance, &format!("{{selector: {{}}, {spec}}}")), [expected], "{spec}");
    }
    let rule = severities(instance, "{selector: {}, relabelings: [{source_labels: [a], target_label: b}]}");
    assert!(rule.contains(&"error incomplete-relabeling spec.relabelings[0]".to_owned()), "{rule:?}");
}

#[test]
fn reports_instance_settings_that_stop_the_agent_as_errors() {
    for (instance, expected) in [
        ("clients: [{url: ''}]", "error invalid-url spec.clients[0].url"),
        ("clients: [{url: '://x'}]", "error invalid-url spec.clients[0].url"),
        ("clients: [{url: 'http://a b/'}]", "error invalid-url spec.clients[0].url"),
        ("clients: [{url: http://a, batchWait: 1d}]", "error invalid-duration spec.clients[0].batchWait"),
        (
            "clients: [{url: http://a, backoffConfig: {minPeriod: '5'}}]",
            "error invalid-duration spec.clients[0].backoffConfig.minPeriod",
        ),
        (
            "clients: [{url: http://a, externalLabels: {a-b: c}}]",
            "error invalid-label-name spec.clients[0].externalLabels.a-b",
        ),
        (
            "clients: [{url: http://a, tlsConfig: {keyFile: /k}}]",
            "error incomplete-certificate spec.clients[0].tlsConfig",
        ),
        ("clients: [{url: http://a, proxyUrl: 'http://p:x'}]", "error invalid-url spec.clients[0].proxyUrl"),
        ("clients: [{url: http://a}, {url: http://a}]", "error duplicate-receiver spec.clients[1]"),
        (
            "clients: [{url: http://a}], targetConfig: {syncPeriod: 1d}",
            "error invalid-duration spec.targetConfig.syncPeriod",
        ),
        // The agent starts despite the following clients.
        ("clients: [{url: nowhere}]", "warning invalid-url spec.clients[0].url"),
        ("clients: [{url: 'htps://a'}]", "warning invalid-url spec.clients[0].url"),
        (
            "clients: [{url: http://a}], targetConfig: {syncPeriod: 0s}",
            "warning invalid-duration spec.targetConfig.syncPeriod",
        ),
    ] {
        let instance = format!("{{{instance}, podLogsSelector: {{}}}}");
        assert_eq!(severities(&instance, "{selector: {}}"), [expected], "{instance}");
    }
}

#[test]
fn checks_log_settings_only_if_there_are_logs() {
    let name = "invalid-label-name spec.logs.logsExternalLabelName";
    let url = "invalid-url spec.logs.clients[0].url";
    let own_clients = "{clients: [{url: http://own}]}";
    for (agent_logs, instance, expected) in [
        ("logsExternalLabelName: a-b", Some(own_clients), &[name][..]),
        ("logsExternalLabelName: ab", Some(own_clients), &[]),
        ("logsExternalLabelName: a-b", None, &[]),
        ("clients: [{url: nowhere}]", Some("{}"), &[url]),
        ("clients: [{url: nowhere}]", Some(own_clients), &[]),
        ("clients: [{url: nowhere}]", None, &[]),
    ] {
        let agent = agent("a", &format!("logs: {{instanceSelector: {{}}, {agent_logs}}}"));
        let instance = instance.map(|spec| manifest("LogsInstance", "i", spec));
        let documents: Vec<_> = std::iter::once(agent.as_str()).chain(instance.as_deref()).collect();
        let actual: Vec<_> = lines(&documents)
            .into_iter()
            .filter_map(|line| Some(line.split_once(": ")?.0.to_owned()))
            .filter(|start| start.contains("spec.logs."))
            .collect();
        assert_eq!(actual, expected, "{agent_logs} {instance:?}");
    }
}

#[test]
fn reports_equal_clients() {
    let findings = |clients: &str| {
        let lines = lines(&[AGENT, &manifest("LogsInstance", "i", &format!("{{clients: {clients}}}"))]);
        lines.into_iter().filter_map(|line| Some(line.split_once(": ")?.0.to_owned())).collect::<Vec<_>>()
    };
    for clients in [
        "[{url: http://a}, {url: http://b}]",
        "[{url: http://a}, {url: http://a, batchSize: 1}]",
        "[{url: http://a}, {url: http://a, externalLabels: {b: c}}]",
        "[{url: http://a}, {url: http://a, tenantId: b}]",
        "[{url: http://a}, {url: http://a, bearerToken: b}]",
        "[{url: http://u:1@a}, {url: http://u:2@a}]",
    ] {
        assert_eq!(findings(clients), [""; 0], "{clients}");
    }
    for clients in [
        "[{url: http://a}, {url: http://a}]",
        "[{url: http://a}, {url: http://a, timeout: 10000ms}]",
        "[{url: http://a, batchSize: 1048576, batchWait: 1s}, {url: http://a, batchSize: 0}]",
        "[{url: http://a, backoffConfig: {minPeriod: 0.5s, maxPeriod: 300s, maxRetries: 10}}, {url: http://a}]",
        "[{url: http://a, bearerToken: b}, {url: http://a, bearerToken: c}]",
        "[{url: http://a}, {url: HTTP://a, tenantId: '', tlsConfig: {}}]",
        "[{url: http://a}, {url: http://a, externalLabels: {cluster: default/a}}]",
    ] {
        assert_eq!(findings(clients), ["duplicate-receiver spec.clients[1]"], "{clients}");
    }
    assert_eq!(
        findings("[{url: http://a}, {url: http://b}, {url: http://a}, {url: http://a}]"),
        ["duplicate-receiver spec.clients[2]", "duplicate-receiver spec.clients[3]"]
    );
}

/// Returns the findings about a job in a Secret that a LogsInstance refers to, each as `severity code: message`.
fn check_job(text: &str) -> Vec<String> {
    let instance = "{clients: [{url: http://l}], additionalScrapeConfigs: {name: s, key: k}}";
    let secret = format!("apiVersion: v1\nkind: Secret\nmetadata: {{name: s}}\nstringData: {{k: {text:?}}}\n");
    let diagnostics = findings(&[AGENT, &manifest("LogsInstance", "i", instance), &secret]);
    let line = |d: &Diagnostic| format!("{} {}: {}", d.severity.as_str(), d.code, d.message);
    diagnostics.iter().map(line).collect()
}

#[test]
fn accepts_valid_jobs() {
    for fields in [
        "static_configs: [{targets: [a], labels: {__path__: /x, a: b}}]",
        "static_configs: []",
        "docker_sd_configs: [{host: 'unix:///var/run/docker.sock'}], encoding: x, decompression: {enabled: true, initial_delay: 5}",
        "kubernetes_sd_configs: [{role: pod}], relabel_configs: [{action: keepequal, source_labels: [a], target_label: b}]",
        "journal: {matches: _SYSTEMD_UNIT=x, max_age: 12h, labels: {a: b}}",
        "syslog: {}",
        "syslog: {listen_address: '0.0.0.0:0', listen_protocol: udp, idle_timeout: 5}",
        "windows_events: {}",
        "kafka: {brokers: ['b:9092'], topics: [a, ^b.*], version: 2.2.1, assignor: sticky, authentication: {type: none}}",
        "azure_event_hubs: {fully_qualified_namespace: 'a:9093', event_hubs: [b], connection_string: c}",
        "gelf: {}",
        "cloudflare: {api_token: x, zone_id: y, fields_type: all, pull_range: 5m}",
        "gcplog: {project_id: a, subscription: b}",
        // Promtail uses only the first kind of target.
        "static_configs: [], kafka: {}",
        "syslog: {}, pipeline_stages: [{docker: {}}, {regex: {expression: a, bogus: 1}}, {}, {cri: {}, Json: }]",
        "syslog: {}, pipeline_stages: [{labels: {a: ''}}, {static_labels: {a: }}, {limit: {rate: '1', burst: 2}}, {cri: {max_partial_lines: '5'}}]",
        "syslog: {}, pipeline_stages: [{json: {Expressions: {a: b}}}]",
        "syslog: {}, pipeline_stages: [{match: {selector: '{a=\"b\"}', stages: [{labels: {c: ''}}]}}, {drop: {source: [a, b], value: c}}]",
        "syslog: {}, pipeline_stages: [{metrics: {a: {type: Counter, config: {action: inc}}, b: {type: histogram, config: {buckets: [1, 2.5]}}}}]",
        "syslog: {}, pipeline_stages: [{multiline: {firstline: ''}}, {sampling: {rate: 0.5}}, {decolorize: x}, {pack: {labels: a}}]",
        "syslog: {}, pipeline_stages: [{timestamp: {source: a, format: b, location: ''}}, {tenant: {source: a}}, {geoip: {db: a, db_type: b}}]",
    ] {
        assert_eq!(check_job(&format!("[{{job_name: j, {fields}}}]")), [""; 0], "{fields}");
    }
}

#[test]
fn reports_stages_and_keys_without_a_value() {
    const KEY: &str = "the key has no value, so the operator drops it";
    for (stage, problem, below) in [
        ("docker: ", "the `docker` stage has no value, so the operator drops it", ""),
        ("Json: ", "a stage has no value, so the operator drops it", ""),
        ("labels: {a: , b: c}", KEY, ".labels.a"),
        ("structured_metadata: {a: }", KEY, ".structured_metadata.a"),
        ("json: {expressions: {a: , b: c}}", KEY, ".json.expressions.a"),
        ("logfmt: {mapping: {a: , b: c}}", KEY, ".logfmt.mapping.a"),
    ] {
        let selector = "selector: '{a=\"b\"}'";
        for (stage, above) in
            [(stage, ""), (&format!("match: {{{selector}, stages: [{{{stage}}}]}}"), ".match.stages[0]")]
        {
            let expected =
                format!("warning dropped-key: {problem} (at `[0].pipeline_stages[0]{above}{below}` in the YAML)");
            let job = format!("[{{job_name: j, syslog: {{}}, pipeline_stages: [{{{stage}}}]}}]");
            assert_eq!(check_job(&job), [expected], "{stage}");
        }
    }
}

#[test]
fn rejects_invalid_jobs() {
    let mut failures = Vec::new();
    for (fields, expected) in [
        ("encoding: x", "invalid-scrape-job: `[0]`: a job needs a target"),
        ("journal: {json: x}", "invalid-scrape-job: `[0].journal.json` in the YAML must be `true` or `false`"),
        ("journal: {labels: {a-b: c}}", "invalid-label-name: `[0].journal.labels"),
        ("static_configs: [{labels: {a-b: c}}]", "invalid-label-name: `[0].static_configs[0].labels"),
        ("syslog: {listen_address: x}", "invalid-scrape-job: `[0].syslog.listen_address` in the YAML must"),
        ("syslog: {listen_protocol: x}", "invalid-scrape-job: `[0].syslog.listen_protocol` in the YAML must"),
        ("syslog: {tls_config: {ca_file: /x}}", "invalid-scrape-job: `[0].syslog.tls_config`"),
        ("syslog: {}, foo: 1", "unknown-scrape-field: "),
        ("syslog: {port: 1}", "unknown-scrape-field: `[0].syslog`"),
        ("kubernetes_sd_configs: [{role: x}]", "invalid-scrape-job: `[0].kubernetes_sd_configs[0].role`"),
        ("docker_sd_configs: [{}]", "invalid-scrape-job: `[0].docker_sd_configs[0].host`"),
        ("kafka: {brokers: [], topics: [a]}", "invalid-scrape-job: `[0].kafka.brokers`"),
        ("kafka: {brokers: [a], topics: ['']}", "invalid-scrape-job: `[0].kafka.topics[0]`"),
        ("kafka: {brokers: [a], topics: [a], version: x}", "invalid-scrape-job: `[0].kafka.version`"),
        ("kafka: {brokers: [a], topics: [a], version: 2}", "invalid-scrape-job: `[0].kafka.version`"),
        ("kafka: {brokers: [a], topics: [a], version: 2.6}", "invalid-scrape-job: `[0].kafka.version`"),
        ("syslog: {listen_address: ':x'}", "invalid-scrape-job: `[0].syslog.listen_address` in the YAML must"),
        ("syslog: {listen_address: 5}", "invalid-scrape-job: `[0].syslog.listen_address` in the YAML must"),
        ("gelf: {listen_address: ':http'}", "invalid-scrape-job: `[0].gelf.listen_address` in the YAML must"),
        (
            "azure_event_hubs: {fully_qualified_namespace: 'a:9093', event_hubs: [b], connection_string: ''}",
            "invalid-scrape-job: `[0].azure_event_hubs.connection_string`",
        ),
        (
            "azure_event_hubs: {fully_qualified_namespace: a, event_hubs: [b], connection_string: c}",
            "invalid-scrape-job: `[0].azure_event_hubs.fully_qualified_namespace`",
        ),
        ("gcplog: {subscription_type: push}", "invalid-scrape-job: `[0].gcplog`: the agent starts the server"),
        ("heroku_drain: {server: {http_listen_port: 0}}", "invalid-scrape-job: `[0].heroku_drain`"),
        (
            "kafka: {brokers: [a], topics: [a], authentication: {type: sasl}}",
            "invalid-scrape-job: `[0].kafka.authentication",
        ),
        ("azure_event_hubs: {event_hubs: [b]}", "invalid-scrape-job: `[0].azure_event_hubs.fully_qualified_namespace`"),
        ("gelf: {listen_address: x}", "invalid-scrape-job: `[0].gelf.listen_address`"),
        ("cloudflare: {zone_id: y}", "invalid-scrape-job: `[0].cloudflare.api_token`"),
        ("cloudflare: {api_token: x, zone_id: y, fields_type: z}", "invalid-scrape-job: `[0].cloudflare.fields_type`"),
        ("gcplog: {subscription_type: x}", "invalid-scrape-job: `[0].gcplog.subscription_type`"),
        ("loki_push_api: {}", "invalid-scrape-job: `[0].loki_push_api`: the agent starts the server"),
        (
            "syslog: {}, pipeline_stages: {docker: {}}",
            "invalid-scrape-job: `[0].pipeline_stages` in the YAML must be a list",
        ),
        ("syslog: {}, pipeline_stages: [docker]", "invalid-stage: `[0].pipeline_stages[0]`: a stage must be a mapping"),
        (
            "syslog: {}, pipeline_stages: [{dockerx: {}}]",
            "invalid-stage: `[0].pipeline_stages[0]`: Promtail has no stage",
        ),
        (
            "syslog: {}, pipeline_stages: [{docker: {}, cri: {}}]",
            "invalid-stage: `[0].pipeline_stages[0]`: `docker` and `cri`",
        ),
        (
            "syslog: {}, pipeline_stages: [{dokcer: {}, regex: {expression: a}}]",
            "invalid-stage: `[0].pipeline_stages[0]`: `regex` and another stage",
        ),
        (
            "syslog: {}, pipeline_stages: [{regex: {expression: '('}}]",
            "invalid-regex: `[0].pipeline_stages[0].regex.expression`",
        ),
        (
            "syslog: {}, pipeline_stages: [{regex: {expression: 5}}]",
            "invalid-stage: `[0].pipeline_stages[0].regex`: `expression` must be a string",
        ),
        (
            "syslog: {}, pipeline_stages: [{limit: {rate: x, burst: 1}}]",
            "invalid-stage: `[0].pipeline_stages[0].limit`: `rate` must be a number",
        ),
        (
            "syslog: {}, pipeline_stages: [{limit: {rate: 1, burst: 1, by_label_name: a}}]",
            "invalid-stage: `[0].pipeline_stages[0].limit`",
        ),
        (
            "syslog: {}, pipeline_stages: [{match: {selector: '{a', stages: []}}]",
            "invalid-log-selector: `[0].pipeline_stages[0].match.selector`",
        ),
        (
            "syslog: {}, pipeline_stages: [{match: {selector: '{a=\"b\"}', stages: [{tenant: {}}]}}]",
            "invalid-stage: `[0].pipeline_stages[0].match.stages[0].tenant`",
        ),
        (
            "syslog: {}, pipeline_stages: [{sampling: {rate: 2}}]",
            "invalid-stage: `[0].pipeline_stages[0].sampling.rate`",
        ),
        ("syslog: {}, pipeline_stages: [{labels: {a-b: }}]", "invalid-label-name: `[0].pipeline_stages[0].labels"),
        ("syslog: {}, pipeline_stages: [{labeldrop: []}]", "invalid-stage: `[0].pipeline_stages[0].labeldrop`"),
        (
            "syslog: {}, pipeline_stages: [{json: {expressions: {a: '['}}}]",
            "invalid-stage: `[0].pipeline_stages[0].json.expressions.a`",
        ),
        (
            "syslog: {}, pipeline_stages: [{metrics: {a: {type: counter}}}]",
            "invalid-stage: `[0].pipeline_stages[0].metrics`",
        ),
        (
            "syslog: {}, pipeline_stages: [{timestamp: {source: a, format: b, location: x}}]",
            "invalid-stage: `[0].pipeline_stages[0].timestamp.location`",
        ),
        (
            "syslog: {}, pipeline_stages: [{template: {source: a, template: '{{'}}]",
            "invalid-stage: `[0].pipeline_stages[0].template.template`",
        ),
        (
            "syslog: {}, pipeline_stages: [{eventlogmessage: {source: a-b}}]",
            "invalid-stage: `[0].pipeline_stages[0].eventlogmessage.source`",
        ),
    ] {
        let actual = check_job(&format!("[{{job_name: j, {fields}}}]"));
        let is_expected = |first: &String| {
            let (code, at) = expected.split_once(": ").unwrap();
            // In expected findings, the location precedes the message; in actual findings, it comes last.
            let parts = at.split_once("`: ").map_or([at, ""], |(at, message)| [at, message]);
            first.starts_with(&format!("error {code}: ")) && parts.iter().all(|part| first.contains(part))
        };
        if !actual.first().is_some_and(is_expected) {
            failures.push(format!("{fields}: {actual:?}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let two_mistakes =
        check_job("[{job_name: j, syslog: {}, pipeline_stages: [{dokcer: {}, regex: {expression: a}}]}]");
    assert_eq!(two_mistakes.len(), 1, "{two_mistakes:?}");
    let warnings = check_job("[{job_name: a, journal: {matches: a b}}]");
    assert!(warnings.len() == 1 && warnings[0].starts_with("warning"), "{warnings:?}");
}

#[test]
fn limits_the_depth_of_stages_in_secrets() {
    let opening = "{match: {selector: '{a=\"b\"}', stages: [".repeat(60);
    let text = format!("[{{job_name: j, syslog: {{}}, pipeline_stages: [{opening}docker{}]}}]", "]}}".repeat(60));
    assert_eq!(check_job(&text), [""; 0]);
}

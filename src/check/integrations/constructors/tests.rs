//! Tests of the settings that each integration accepts and rejects.

use super::CONSTRUCTORS;
use crate::check::tests::{AGENT, integration, lines};
use crate::programs::integrations;

/// Returns the paths, below `spec.config`, of an integration's findings, except for findings with codes of other
/// modules.
fn places(name: &str, config: &str) -> Vec<String> {
    let mut findings = lines(&[AGENT, &integration("i", name, &["allNodes"], config)]);
    let other_codes = ["unknown-instance", "integration-placement", "unknown-integration-key"];
    findings.retain(|line| !other_codes.into_iter().any(|code| line.starts_with(code)));
    let place = |line: &String| {
        let place = line.split([' ', ':']).nth(1).unwrap_or_default();
        place.trim_start_matches("spec.config").trim_start_matches('.').to_owned()
    };
    findings.iter().map(place).collect()
}

#[test]
fn constructors_are_sorted_and_known() {
    assert!(CONSTRUCTORS.is_sorted_by_key(|(name, ..)| name));
    for (name, _, source) in CONSTRUCTORS {
        assert!(integrations::find(name).is_some() && source.contains('`'), "{name}");
    }
}

/// Integrations and configurations, each with the path of the error, or an empty path if the integration starts.
const CASES: &[(&str, &str, &str)] = &[
    ("apache_http", "{}", ""),
    ("apache_http", "{scrape_uri: /a}", ""),
    ("apache_http", "{scrape_uri: ''}", "scrape_uri"),
    ("apache_http", "{scrape_uri: a, instance: b}", "scrape_uri"),
    ("apache_http", "{scrape_uri: 'http://a b', instance: b}", "scrape_uri"),
    ("apache_http", "{scrape_uri: '${A_SERVICE_HOST}'}", ""),
    ("app_agent_receiver", "{server: {port: 70000}}", "server.port"),
    ("app_agent_receiver", "{sourcemaps: {filesystem: [{path: '/{{.Release}}'}]}}", ""),
    ("app_agent_receiver", "{sourcemaps: {filesystem: [{path: '/{{.Release'}]}}", "sourcemaps.filesystem[0].path"),
    ("blackbox", "{blackbox_targets: [{name: a, address: b}]}", ""),
    ("blackbox", "{blackbox_targets: [{name: a}]}", "blackbox_targets[0].address"),
    ("blackbox", "{blackbox_targets: [{name: '', address: b}]}", "blackbox_targets[0].name"),
    ("azure", "{azure_cloud_environment: AzureChinaCloud}", ""),
    ("azure", "{azure_cloud_environment: azure}", "azure_cloud_environment"),
    ("blackbox", "{blackbox_config: {modules: {a: {dns: {query_name: b, query_type: A}}}}}", ""),
    ("blackbox", "{blackbox_config: {modules: {a: {dns: {}}}}}", "blackbox_config.modules.a.dns.query_name"),
    (
        "blackbox",
        "{blackbox_config: {modules: {a: {dns: {query_name: b, query_class: XX}}}}}",
        "blackbox_config.modules.a.dns.query_class",
    ),
    ("blackbox", "{blackbox_config: {modules: {a: {icmp: {ttl: 256}}}}}", "blackbox_config.modules.a.icmp.ttl"),
    (
        "blackbox",
        "{blackbox_config: {modules: {a: {http: {body: b, body_file: c}}}}}",
        "blackbox_config.modules.a.http.body_file",
    ),
    (
        "blackbox",
        "{blackbox_config: {modules: {a: {http: {compression: br, headers: {accept-encoding: gzip}}}}}}",
        "blackbox_config.modules.a.http.headers.accept-encoding",
    ),
    (
        "blackbox",
        "{blackbox_config: {modules: {a: {http: {fail_if_header_matches: [{header: b}]}}}}}",
        "blackbox_config.modules.a.http.fail_if_header_matches[0].regexp",
    ),
    (
        "blackbox",
        "{blackbox_config: {modules: {a: {http: {basic_auth: {username: b}, bearer_token: c}}}}}",
        "blackbox_config.modules.a.http.bearer_token",
    ),
    ("blackbox", "{blackbox_config: {modules: {a: {http: {no_proxy: b}}}}}", "blackbox_config.modules.a.http.no_proxy"),
    (
        "blackbox",
        "{blackbox_config: {modules: {a: {tcp: {tls_config: {cert_file: b}}}}}}",
        "blackbox_config.modules.a.tcp.tls_config.cert_file",
    ),
    ("cadvisor", "{enabled_metrics: [cpu, 'disk,tcp']}", ""),
    ("cadvisor", "{disabled_metrics: [cpus]}", "disabled_metrics[0]"),
    ("cadvisor", "{enabled_metrics: [cpu, cpus]}", "enabled_metrics[1]"),
    ("consul", "{server: c}", ""),
    ("consul", "{server: '10.0.0.1:8500', instance: a}", ""),
    ("consul", "{server: ''}", "server"),
    ("consul", "{server: 'ftp://c'}", "server"),
    ("consul", "{server: 'http://'}", "server"),
    ("consul", "{server: 'http://[', instance: a}", "server"),
    ("consul", "{kv_filter: '('}", "kv_filter"),
    ("consul", "{cert_file: a}", "cert_file"),
    ("elasticsearch", "{address: ''}", "address"),
    ("elasticsearch", "{address: 'http://a:b', instance: c}", "address"),
    ("eventhandler", "{flush_interval: 1}", ""),
    ("eventhandler", "{flush_interval: -1}", "flush_interval"),
    // The number of nanoseconds overflows.
    ("eventhandler", "{flush_interval: 9999999999}", "flush_interval"),
    ("gcp", "{project_ids: [a], metrics_prefixes: [b/c], extra_filters: ['b:d']}", ""),
    ("gcp", "{project_ids: [a], metrics_prefixes: [b], extra_filters: ['b/c:d']}", "extra_filters[0]"),
    ("gcp", "{project_ids: [a], metrics_prefixes: [b], extra_filters: [b]}", "extra_filters[0]"),
    ("kafka", "{kafka_uris: ['a:9092']}", ""),
    ("kafka", "{kafka_uris: [a]}", "kafka_uris"),
    ("kafka", "{kafka_uris: ['a:x', b], instance: c}", "kafka_uris"),
    ("kafka", "{kafka_uris: [a, 'b:9092'], instance: c}", ""),
    ("kafka", "{kafka_uris: ['a:9092'], kafka_version: 2.0}", "kafka_version"),
    ("kafka", "{kafka_uris: ['a:9092'], kafka_version: 0.11.0.2}", ""),
    ("kafka", "{kafka_uris: ['a:9092'], use_tls: true, key_file: b}", "use_tls"),
    ("kafka", "{kafka_uris: ['a:9092'], use_zookeeper_lag: true}", "use_zookeeper_lag"),
    ("kafka", "{kafka_uris: ['a:9092'], metadata_refresh_interval: 1d}", "metadata_refresh_interval"),
    ("kafka", "{kafka_uris: ['a:9092'], metadata_refresh_interval: -1s}", "metadata_refresh_interval"),
    ("kafka", "{kafka_uris: ['a:9092'], groups_exclude_regex: '['}", "groups_exclude_regex"),
    ("kafka", "{kafka_uris: ['a:9092'], use_sasl: true, sasl_username: b, sasl_password: c}", "use_sasl"),
    (
        "kafka",
        "{kafka_uris: ['a:9092'], use_sasl: true, sasl_username: b, sasl_password: c, sasl_mechanism: SCRAM-SHA512}",
        "",
    ),
    (
        "kafka",
        "{kafka_uris: ['a:9092'], use_sasl: true, sasl_username: b, sasl_password: c, sasl_mechanism: scram}",
        "sasl_mechanism",
    ),
    ("memcached", "{tls_config: {min_version: TLS12, max_version: TLS13}}", ""),
    ("memcached", "{tls_config: {min_version: TLS13, max_version: TLS12}}", "tls_config.max_version"),
    ("memcached", "{tls_config: {ca: a}}", "tls_config.ca"),
    ("memcached", "{tls_config: {min_version: '1.2'}}", "tls_config.min_version"),
    ("mssql", "{connection_string: 'sqlserver://u:p@h'}", ""),
    ("mssql", "{connection_string: 'server=a;user=b'}", "connection_string"),
    ("mssql", "{connection_string: 'sqlserver://h', max_open_connections: 0}", "max_open_connections"),
    ("mssql", "{connection_string: 'sqlserver://h', timeout: 0s}", "timeout"),
    ("mssql", "{connection_string: 'sqlserver://h', timeout: 5}", ""),
    ("mssql", "{connection_string: 'sqlserver://h', query_config: {}}", "query_config.metrics"),
    (
        "mssql",
        "{connection_string: 'sqlserver://h', query_config: {metrics: [{metric_name: a, type: Gauge, help: b, values: [c], query: d}]}}",
        "",
    ),
    (
        "mssql",
        "{connection_string: 'sqlserver://h', query_config: {metrics: [{metric_name: a, type: rate, help: b, values: [c], query: d}]}}",
        "query_config.metrics[0].type",
    ),
    (
        "mssql",
        "{connection_string: 'sqlserver://h', query_config: {metrics: [{metric_name: a, type: gauge, help: b, values: [c], query_ref: d}]}}",
        "query_config.metrics[0].query_ref",
    ),
    (
        "mssql",
        "{connection_string: 'sqlserver://h', query_config: {metrics: [{metric_name: a, type: gauge, help: b, values: [c], query: d, key_labels: [c]}]}}",
        "query_config.metrics[0].values[0]",
    ),
    (
        "mssql",
        "{connection_string: 'sqlserver://h', query_config: {metrics: [{metric_name: a, type: gauge, help: b, values: [c, d], query: d}]}}",
        "query_config.metrics[0]",
    ),
    ("node_exporter", "{netclass_ignored_devices: '('}", "netclass_ignored_devices"),
    ("node_exporter", "{netclass_ignored_devices: '(', disable_collectors: [netclass]}", ""),
    ("node_exporter", "{netclass_ignored_devices: '(', set_collectors: [cpu]}", ""),
    (
        "node_exporter",
        "{netclass_ignored_devices: '(', set_collectors: [cpu], enable_collectors: [netclass]}",
        "netclass_ignored_devices",
    ),
    ("node_exporter", "{systemd_unit_include: '('}", ""),
    ("node_exporter", "{systemd_unit_include: 'a)(b', enable_collectors: [systemd]}", ""),
    ("node_exporter", "{systemd_unit_include: '(', enable_collectors: [systemd]}", "systemd_unit_include"),
    ("node_exporter", "{diskstats_device_include: a, diskstats_device_exclude: '('}", ""),
    ("node_exporter", "{diskstats_device_exclude: '('}", "diskstats_device_exclude"),
    ("node_exporter", "{netdev_device_include: a, netdev_device_exclude: b}", "netdev_device_exclude"),
    ("node_exporter", "{netdev_device_whitelist: a, netdev_device_include: b}", "netdev_device_whitelist"),
    ("node_exporter", "{enable_collectors: [ntp], ntp_server: a.b}", "ntp_server"),
    ("node_exporter", "{enable_collectors: [ntp], ntp_protocol_version: 5}", "ntp_protocol_version"),
    ("node_exporter", "{ipvs_backend_labels: [proto, port]}", "ipvs_backend_labels[1]"),
    ("node_exporter", "{enable_collectors: [perf], perf_cpus: '0-3:2,7'}", ""),
    ("node_exporter", "{enable_collectors: [perf], perf_cpus: 'a-b'}", "perf_cpus"),
    ("node_exporter", "{enable_collectors: [perf], perf_cpus: ''}", ""),
    ("node_exporter", "{enable_collectors: [perf]}", ""),
    ("oracledb", "{connection_string: 'oracle://u:p@h:1/x'}", ""),
    ("oracledb", "{connection_string: 'http://h'}", "connection_string"),
    ("oracledb", "{connection_string: 'oracle://:1/x'}", "connection_string"),
    ("postgres", "{data_source_names: [''], instance: a}", "data_source_names[0]"),
    ("postgres", "{data_source_names: ['']}", "data_source_names"),
    ("postgres", "{data_source_names: ['postgres://u@h'], enabledcollectors: [wal]}", ""),
    ("postgres", "{data_source_names: ['postgres://u@h'], enabledcollectors: [nope]}", "enabledcollectors[0]"),
    ("process", "{process_names: [{name: a, exe: [b]}]}", ""),
    ("process", "{process_names: [{}]}", "process_names[0]"),
    ("process", "{process_names: [{cmdline: ['(']}]}", "process_names[0].cmdline[0]"),
    ("process", "{process_names: [{cmdline: [a], name: '{{.Comm'}]}", "process_names[0].name"),
    ("process", "{process_names: [{cmdline: [a], name: '{{upper .Comm}}'}]}", "process_names[0].name"),
    ("redis", "{redis_addr: a, namespace: a-b}", "namespace"),
    ("redis", "{redis_addr: a, namespace: '5a'}", "namespace"),
    ("redis", "{redis_addr: a, namespace: 'a:b'}", ""),
    ("redis", "{redis_addr: a, namespace: ''}", ""),
    ("redis", "{redis_addr: a, check_keys: 'db0=x,y,db1=a%20b'}", ""),
    ("redis", "{redis_addr: a, check_keys: 'a=b'}", "check_keys"),
    ("redis", "{redis_addr: a, count_keys: '-1=b'}", "count_keys"),
    ("redis", "{redis_addr: a, check_streams: '0=b=c'}", "check_streams"),
    ("redis", "{redis_addr: a, check_single_keys: '%zz'}", "check_single_keys"),
    ("redis", "{redis_addr: a, tls_client_key_file: b}", "tls_client_key_file"),
    ("redis", "{redis_addr: a, redis_password_file: b, redis_password_map_file: c}", "redis_password_map_file"),
    ("snmp", "{snmp_config: {auths: {a: {version: 3, username: b}}}}", ""),
    ("snmp", "{snmp_config: {auths: {a: {version: 9}}}}", "snmp_config.auths.a.version"),
    ("snmp", "{snmp_config: {auths: {a: {version: 3}}}}", "snmp_config.auths.a.username"),
    (
        "snmp",
        "{snmp_config: {auths: {a: {version: 3, username: b, security_level: authNoPriv}}}}",
        "snmp_config.auths.a.password",
    ),
    (
        "snmp",
        "{snmp_config: {auths: {a: {version: 3, username: b, security_level: auth}}}}",
        "snmp_config.auths.a.security_level",
    ),
    (
        "snmp",
        "{snmp_config: {auths: {a: {version: 3, username: b, security_level: authPriv, password: c, priv_password: d, priv_protocol: AES128}}}}",
        "snmp_config.auths.a.priv_protocol",
    ),
    ("snowflake", "{account_name: a, username: b, password: c, warehouse: d, role: ''}", "role"),
    ("squid", "{address: 'a b:1'}", ""),
    ("squid", "{address: s}", "address"),
    ("squid", "{address: 's:x'}", "address"),
    ("squid", "{address: ':3128'}", "address"),
    ("squid", "{address: 'http://s:3128'}", "address"),
    ("statsd", "{listen_udp: '', listen_tcp: ''}", "listen_udp"),
    ("statsd", "{listen_udp: '', listen_tcp: '', listen_unixgram: /a}", ""),
    ("statsd", "{listen_tcp: '[::1]:70000'}", "listen_tcp"),
    ("statsd", "{listen_tcp: ':65535'}", ""),
    ("statsd", "{listen_tcp: ':65536'}", "listen_tcp"),
    ("statsd", "{relay_addr: a}", "relay_addr"),
    ("statsd", "{relay_addr: 'a:domain'}", ""),
    ("statsd", "{cache_type: x, cache_size: 0}", ""),
    ("statsd", "{event_flush_interval: 0s}", "event_flush_interval"),
    ("statsd", "{event_queue_size: -1}", "event_queue_size"),
    ("statsd", "{mapping_config: {mappings: [{match: 'a.*', name: 'b_${1}'}]}}", ""),
    ("statsd", "{mapping_config: {mappings: [{match: 'a.*'}]}}", "mapping_config.mappings[0].name"),
    ("statsd", "{mapping_config: {mappings: [{match: 'a.', name: b}]}}", "mapping_config.mappings[0].match"),
    (
        "statsd",
        "{mapping_config: {defaults: {match_type: regex}, mappings: [{match: '(', name: b}]}}",
        "mapping_config.mappings[0].match",
    ),
    (
        "statsd",
        "{mapping_config: {mappings: [{match: a, name: b, labels: {c: d}}]}}",
        "mapping_config.mappings[0].labels.c",
    ),
    (
        "statsd",
        "{mapping_config: {mappings: [{match: a, name: b, action: keep}]}}",
        "mapping_config.mappings[0].action",
    ),
    (
        "statsd",
        "{mapping_config: {mappings: [{match: a, name: b, observer_type: histogram, summary_options: {}}]}}",
        "mapping_config.mappings[0].summary_options",
    ),
    (
        "cloudwatch",
        "{discovery: {jobs: [{type: AWS/EC2, regions: [a], metrics: [{name: b, statistics: [c], period: 5m}]}]}}",
        "",
    ),
    (
        "cloudwatch",
        "{discovery: {jobs: [{type: ec3, regions: [a], metrics: [{name: b, statistics: [c]}]}]}}",
        "discovery.jobs[0].type",
    ),
    (
        "cloudwatch",
        "{discovery: {jobs: [{type: lambd, regions: [a], metrics: [{name: b, statistics: [c], period: 5m}]}]}}",
        "discovery.jobs[0].type",
    ),
    (
        "cloudwatch",
        "{discovery: {jobs: [{type: lambda, regions: [a], metrics: [{name: b, statistics: [c], period: 5m}]}]}}",
        "",
    ),
    (
        "cloudwatch",
        "{discovery: {jobs: [{type: ec2, regions: [a], metrics: [{name: b, statistics: [c], length: 1m}]}]}}",
        "discovery.jobs[0].metrics[0].length",
    ),
    ("cloudwatch", "{static: [{namespace: a, name: b, regions: [c]}]}", ""),
    ("cloudwatch", "{static: [{namespace: a, regions: [c]}]}", "static[0].name"),
    (
        "cloudwatch",
        "{static: [{namespace: a, name: b, regions: [c], roles: [{external_id: d}]}]}",
        "static[0].roles[0].role_arn",
    ),
    ("cloudwatch", "{decoupled_scraping: {enabled: true, scrape_interval: 0s}}", "decoupled_scraping.scrape_interval"),
    ("vsphere", "{vsphere_url: ''}", ""),
    ("vsphere", "{vsphere_url: 'https://v:x', instance: a}", "vsphere_url"),
    ("mysql", "{data_source_name: '${DSN_SERVICE_HOST}'}", ""),
    ("mysql", "{data_source_name: 'u:$$x@(h)/'}", ""),
    ("mysql", "{data_source_name: 5}", "data_source_name"),
    ("mysql", "{data_source_name: 'u@(h)/?loc=Europe%2FBerlin'}", ""),
    ("mysql", "{data_source_name: 'u@(h)/?loc=Nowhere%2FBerlin'}", "data_source_name"),
];

#[test]
fn reports_rejected_settings_at_their_span() {
    for (name, config, expected) in CASES {
        let expected: Vec<_> = [*expected].into_iter().filter(|place| !place.is_empty()).collect();
        assert_eq!(places(name, config), expected, "{name} {config}");
    }
}

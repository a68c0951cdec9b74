//! Settings that an integration rejects after decoding them.
//!
//! Reports settings that make an integration's `NewIntegration` or its exporter return an error or panic, such as
//! `timeout: 0s` in `mssql`. The agent's `UpdateController` then fails, and the agent does not start. Settings of the
//! wrong type are reported elsewhere.

mod blackbox;
mod cloudwatch;
mod databases;
mod kafka;
mod node_exporter;
mod query_config;
mod statsd;
mod statsd_mapping;

use super::setting::{AGENT_STOPS, NON_EMPTY_KEY, REQUIRED_KEY, text};
use crate::check::conditions::Conditions;
use crate::check::field::REGEX;
use crate::check::prometheus::http_client::{BUILT_TLS, TLS};
use crate::check::walk::Expect::{self, As, AtLeastOne, Both, Help, Hidden, In, Is, OneOf, Range, Text, With};
use crate::check::walk::{Json, Rows, Walk, is_among};
use crate::diagnostic::Code;
use crate::go::{address, template, url};
use crate::output::Target;

/// Name of an integration, rules for its `config`, and the Go function that the rules are based on.
pub(in crate::check) type Constructor = (&'static str, Rows, &'static str);

/// Rules for each integration, sorted by name.
pub(in crate::check) const CONSTRUCTORS: &[Constructor] = &[
    ("apache_http", &[("scrape_uri", REQUEST_URL)], "`apacheHandler.createHandler` in `v2/apache_http`"),
    (
        "app_agent_receiver",
        &[
            ("sourcemaps.filesystem[].path", TEMPLATE),
            ("server.host", Help("write a host name or address without a port", &Text(host_problem))),
            ("server.port", Range(0, 65_535)),
        ],
        "`NewSourceMapStore` and `RunIntegration` in `v2/app_agent_receiver`",
    ),
    (
        "azure",
        // A private cloud is accepted, although it also needs variables, which are known only in the pod.
        &[(
            "azure_cloud_environment",
            Is(|cloud| is_among(&cloud.to_lowercase(), AZURE_CLOUDS), "is an unknown cloud"),
        )],
        "`NewArmClientWithCloudName` of go-common",
    ),
    (
        "blackbox",
        blackbox::ROWS,
        "`LoadBlackboxConfig` in `blackbox_exporter`, `UnmarshalYAML` of the probes of blackbox_exporter",
    ),
    (
        "cadvisor",
        &[("enabled_metrics|disabled_metrics[]", Is(are_cadvisor_metrics, "is not a cAdvisor metric"))],
        "`Config.GetIncludedMetrics` in `cadvisor`",
    ),
    ("cloudwatch", cloudwatch::ROWS, "`ScrapeConf.Validate` of YACE, `asyncExporter.Run`"),
    (
        "consul",
        &[("", Both("cert_file", "key_file")), ("server", CONSUL_SERVER), ("kv_filter", REGEX)],
        "`exporter.New` of consul_exporter",
    ),
    ("elasticsearch", &[("address", NON_EMPTY_KEY)], "`New` in `elasticsearch_exporter`"),
    ("eventhandler", &[("flush_interval", ABOVE_ZERO_SECONDS)], "`newEventHandler`, which calls `time.NewTicker`"),
    ("gcp", &[("extra_filters[]", With(check_gcp_filter))], "`Config.Validate` in `gcp_exporter`"),
    ("kafka", kafka::ROWS, "`New` in `kafka_exporter`, `exporter.New` of kafka_exporter"),
    ("memcached", &[("tls_config", In(TLS)), ("tls_config", BUILT_TLS)], "`NewTLSConfig` of prometheus/common"),
    ("mssql", databases::MSSQL, "`Config.validate` in `mssql`"),
    ("node_exporter", node_exporter::ROWS, "`NewNodeCollector` of node_exporter and its collectors"),
    ("oracledb", databases::ORACLE, "`validateConnString` in `oracledb_exporter`"),
    ("postgres", databases::POSTGRES, "`New` in `postgres_exporter`, `NewPostgresCollector` of the exporter"),
    (
        "process",
        &[
            ("process_names[]", As(Code::MissingIntegrationKey, &AtLeastOne("comm|exe|cmdline"))),
            ("process_names[].cmdline[]", REGEX),
            ("process_names[].name", TEMPLATE),
        ],
        "`MatcherRules.ToConfig` of process-exporter",
    ),
    ("redis", databases::REDIS, "`New` in `redis_exporter`, `parseKeyArg` of redis_exporter"),
    ("snmp", &[("snmp_config.auths.*", In(SNMP))], "`Auth.UnmarshalYAML` of snmp_exporter"),
    ("snowflake", &[("role", NON_EMPTY_KEY)], "`Config.Validate` of snowflake-prometheus-exporter"),
    (
        "squid",
        &[("address", Help("use an address such as `host:3128`", &Text(squid_address_problem)))],
        "`Config.validate` in `squid_exporter`",
    ),
    ("statsd", statsd::ROWS, "`New` and `Exporter.Run` in `statsd_exporter`"),
];

/// Checks an integration's configuration as its constructor does. Alloy's constructors are different, so nothing is
/// checked for Alloy.
pub fn check<'v>(spec: Json<'v>, walk: &mut Walk<'v>) {
    let is_agent = |conditions: Conditions<'_>| matches!(conditions.target, Target::Agent);
    let name = spec.text("name");
    let rows = CONSTRUCTORS.iter().find(|(candidate, ..)| *candidate == name);
    if let Some((_, rows, _)) = rows
        && walk.context.conditions.is_none_or(is_agent)
    {
        walk.check_configuration(Code::InvalidIntegration, AGENT_STOPS, |walk| {
            walk.for_each("config", spec, |walk, config| walk.check_rows(rows, config));
        });
    }
}

/// Expects a number of seconds that remains above zero when it is converted to nanoseconds.
const ABOVE_ZERO_SECONDS: Expect = Is(
    |seconds| seconds.parse().map_or(true, |seconds: i64| seconds.wrapping_mul(1_000_000_000) > 0),
    "must be a number of seconds above zero",
);

/// Expects an absolute URL. A URL that cannot be parsed at all has already been reported.
const REQUEST_URL: Expect = As(
    Code::InvalidUrl,
    &Help(
        "write a URL such as `http://host/server-status?auto`",
        &Hidden(&Text(|text| match url::problem(text) {
            None => url::request_problem(text).map(str::to_owned),
            Some(_) => None,
        })),
    ),
);

/// Expects a template with Go's built-in functions only.
const TEMPLATE: Expect = With(|template, walk| {
    let text = walk.string(template).unwrap_or_default();
    if let Err(error) = template::check_builtin(&text) {
        walk.report(&[], format!("contains a template that {}", error.predicate)).help = error.help.to_owned();
    }
});

/// Returns the problem with a host that the integration appends a colon and the port to (`net.Listen`).
fn host_problem(host: &str) -> Option<String> {
    let problem = address::split_host_port(&format!("{host}:0")).err()?;
    Some(format!("{problem} when a port is appended"))
}

/// Cloud names (`cloudconfig.NewCloudConfig` in go-common).
const AZURE_CLOUDS: &str = "azurechina|azurechinacloud|azurecloud|azuregovernment|azuregovernmentcloud|azurepprivatecloud\
    |azureprivate|azurepublic|azurepubliccloud|azureusgovernmentcloud";

/// cAdvisor's metric groups (`container.AllMetrics`).
const CADVISOR_METRICS: &str = "accelerator|advtcp|app|cpu|cpuLoad|cpu_topology|cpuset|disk|diskIO|hugetlb|memory\
    |memory_numa|network|oom_event|percpu|perf_event|process|referenced_memory|resctrl|sched|tcp|udp";

/// Whether all names in a list are cAdvisor metrics. The agent joins the items with commas and later splits them again.
fn are_cadvisor_metrics(names: &str) -> bool {
    names.split(',').all(|name| is_among(name, CADVISOR_METRICS))
}

const CONSUL_SERVER: Expect =
    As(Code::InvalidUrl, &Help("write a URL such as `http://consul:8500`", &Hidden(&With(check_consul_server))));

/// Checks Consul's address. If `instance` is not set, a URL that cannot be parsed has already been reported.
fn check_consul_server<'v>(server: Json<'v>, walk: &mut Walk<'v>) {
    let Some(server) = walk.string(server) else { return };
    let has_instance = walk.root.at("config.instance").is_some_and(|instance| !instance.is_null());
    if !has_instance && url::problem(&server).is_some() {
        return;
    }
    let server = match server.contains("://") {
        true => server,
        false => format!("http://{server}").into(),
    };
    let problem = match (url::problem(&server), url::parts(&server)) {
        (Some(problem), _) => problem,
        (None, Some(parts)) if parts.host.is_empty() => "has no host",
        (None, Some(parts)) if !matches!(parts.scheme.as_str(), "http" | "https") => {
            "is neither an `http` nor an `https` URL"
        }
        (None, _) => return,
    };
    walk.report(&[], problem);
}

/// Checks a filter for GCP metrics.
fn check_gcp_filter<'v>(filter: Json<'v>, walk: &mut Walk<'v>) {
    let Some(filter) = walk.string(filter) else { return };
    let mut prefixes = walk.root.at("config").unwrap_or(Json::NULL).list("metrics_prefixes").map(Json::constant_text);
    let problem = match filter.split_once(':') {
        None => "has a filter without a colon after the metric prefix",
        Some((prefix, _))
            if prefixes.any(|candidate| candidate.is_none_or(|candidate| candidate.starts_with(prefix))) =>
        {
            return;
        }
        Some(_) => "has a filter that does not apply to any item in `metrics_prefixes`",
    };
    walk.report(&[], problem).help =
        "write `PREFIX:FILTER`, where at least one item in `metrics_prefixes` starts with PREFIX".to_owned();
}

fn squid_address_problem(address: &str) -> Option<String> {
    let problem = match address::split_host_port(address) {
        // A missing address is reported elsewhere.
        _ if address.is_empty() => return None,
        _ if address.contains("//") => "must be a host and port, not a URL",
        Err(problem) => problem,
        Ok(("", _)) => "has no host",
        Ok((_, "")) => "has no port",
        Ok((_, port)) if !address::is_whole_number(port) => "has a port that is not a number",
        Ok(_) => return None,
    };
    Some(problem.to_owned())
}

/// Rules for SNMP authentication. The other settings are checked only for version 3.
const SNMP: Rows = &[
    ("version", Range(1, 3)),
    (
        "",
        With(|auth, walk| {
            let level = text(auth, "security_level", "noAuthNoPriv")
                .filter(|_| auth.get("version").and_then(Json::as_i64) == Some(3));
            let rows: Rows = match level.as_deref() {
                None => return,
                Some("noAuthNoPriv") => &[("username", REQUIRED_KEY)],
                Some("authNoPriv") => SNMP_AUTH,
                Some("authPriv") => SNMP_PRIVATE,
                Some(_) => &[("security_level", OneOf("noAuthNoPriv|authNoPriv|authPriv"))],
            };
            walk.check_rows(rows, auth);
        }),
    ),
];

const SNMP_AUTH: Rows =
    &[("password|username", REQUIRED_KEY), ("auth_protocol", OneOf("MD5|SHA|SHA224|SHA256|SHA384|SHA512"))];

const SNMP_PRIVATE: Rows = &[
    ("priv_password", REQUIRED_KEY),
    ("priv_protocol", OneOf("DES|AES|AES192|AES192C|AES256|AES256C")),
    ("", In(SNMP_AUTH)),
];

#[cfg(test)]
mod tests;

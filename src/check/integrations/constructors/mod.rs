//! Settings that an integration rejects after decoding them.
//!
//! Reports settings that make an integration's `NewIntegration` or its exporter return an error or panic, such as
//! `timeout: 0s` in `mssql`. The agent's `UpdateController` then fails, and the agent does not start. Missing keys and
//! settings of the wrong type are reported elsewhere.

mod blackbox;
mod clouds;
mod cloudwatch;
mod cluster;
mod databases;
mod http_client;
mod kafka;
mod node_exporter;
mod patterns;
mod query_config;
mod receiver;
mod servers;
mod snmp;
mod statsd;
mod statsd_mapping;

use crate::check::conditions::Conditions;
use crate::check::walk::{Expect::With, Json, Rows, Step, Walk};
use crate::output::Target;

/// Name of an integration, rules for its `config`, and the Go function that the rules are based on.
pub(in crate::check) type Constructor = (&'static str, Rows, &'static str);

/// Rules for each integration, sorted by name.
pub(in crate::check) const CONSTRUCTORS: &[Constructor] = &[
    ("apache_http", &[("", With(servers::apache))], "`apacheHandler.createHandler` in `v2/apache_http`"),
    (
        "app_agent_receiver",
        &[
            ("sourcemaps.filesystem[].path", With(receiver::path_template)),
            ("server.host", With(receiver::host)),
            ("server.port", With(receiver::port)),
        ],
        "`NewSourceMapStore` and `RunIntegration` in `v2/app_agent_receiver`",
    ),
    ("azure", &[("azure_cloud_environment", With(clouds::azure))], "`NewArmClientWithCloudName` of go-common"),
    (
        "blackbox",
        blackbox::ROWS,
        "`LoadBlackboxConfig` in `blackbox_exporter`, `UnmarshalYAML` of the probes of blackbox_exporter",
    ),
    (
        "cadvisor",
        &[("enabled_metrics|disabled_metrics[]", With(cluster::cadvisor_metric))],
        "`Config.GetIncludedMetrics` in `cadvisor`",
    ),
    ("cloudwatch", cloudwatch::ROWS, "`ScrapeConf.Validate` of YACE, `asyncExporter.Run`"),
    (
        "consul",
        &[("", With(servers::consul)), ("kv_filter", With(patterns::regex))],
        "`exporter.New` of consul_exporter",
    ),
    ("elasticsearch", &[("", With(servers::elasticsearch))], "`New` in `elasticsearch_exporter`"),
    (
        "eventhandler",
        &[("flush_interval", With(cluster::flush_interval))],
        "`newEventHandler`, which calls `time.NewTicker`",
    ),
    ("gcp", &[("extra_filters[]", With(clouds::gcp_filter))], "`Config.Validate` in `gcp_exporter`"),
    ("kafka", kafka::ROWS, "`New` in `kafka_exporter`, `exporter.New` of kafka_exporter"),
    ("memcached", &[("tls_config", With(http_client::built_tls))], "`NewTLSConfig` of prometheus/common"),
    (
        "mssql",
        &[("", With(databases::mssql)), ("query_config", With(query_config::check))],
        "`Config.validate` in `mssql`",
    ),
    ("node_exporter", node_exporter::ROWS, "`NewNodeCollector` of node_exporter and its collectors"),
    ("oracledb", &[("", With(databases::oracledb))], "`validateConnString` in `oracledb_exporter`"),
    (
        "postgres",
        &[("", With(databases::postgres))],
        "`New` in `postgres_exporter`, `NewPostgresCollector` of the exporter",
    ),
    ("process", &[("process_names[]", With(cluster::process))], "`MatcherRules.ToConfig` of process-exporter"),
    (
        "redis",
        &[
            ("", With(databases::redis)),
            ("namespace", With(databases::redis_namespace)),
            ("check_keys|check_single_keys|check_streams|check_single_streams|count_keys", With(databases::redis_keys)),
        ],
        "`New` in `redis_exporter`, `parseKeyArg` of redis_exporter",
    ),
    ("snmp", snmp::ROWS, "`Auth.UnmarshalYAML` of snmp_exporter"),
    ("snowflake", &[("", With(databases::snowflake))], "`Config.Validate` of snowflake-prometheus-exporter"),
    ("squid", &[("", With(servers::squid))], "`Config.validate` in `squid_exporter`"),
    ("statsd", statsd::ROWS, "`New` and `Exporter.Run` in `statsd_exporter`"),
];

/// Checks an integration's configuration as its constructor does. Alloy's constructors are different, so nothing is
/// checked for Alloy.
pub fn check<'v>(spec: Json<'v>, walk: &mut Walk<'v>) {
    let is_agent = |conditions: Conditions<'_>| matches!(conditions.target, Target::Agent);
    let name = spec.text("name");
    let rows = CONSTRUCTORS.iter().find(|(known, ..)| *known == name);
    if let Some(((_, rows, _), config)) = rows.zip(spec.set("config"))
        && walk.context.conditions.is_none_or(is_agent)
    {
        walk.below(Step::Key("config"), |walk| walk.rows(rows, config));
    }
}

#[cfg(test)]
mod tests;

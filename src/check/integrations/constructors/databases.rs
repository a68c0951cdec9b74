//! Integrations for databases: their data sources, limits and keys.

use super::query_config;
use crate::check::integrations::postgres::COLLECTORS;
use crate::check::integrations::setting::ABOVE_ZERO;
use crate::check::walk::Expect::{self, As, AtMostOne, Both, Help, Hidden, In, Is, OneOf, Range, Text, With};
use crate::check::walk::{Json, Rows, Step, Walk};
use crate::diagnostic::Code;
use crate::go::syntax::is_label_name;
use crate::go::url;

pub const MSSQL: Rows = &[
    (
        "connection_string",
        As(
            Code::InvalidUrl,
            &Help(
                "use a URL such as `sqlserver://user:password@host:1433`",
                &Hidden(&Is(is_sql_server, NOT_SQL_SERVER_URL)),
            ),
        ),
    ),
    ("max_idle_connections|max_open_connections", Range(1, i64::MAX)),
    ("timeout", ABOVE_ZERO),
    ("query_config", In(query_config::ROWS)),
];

const NOT_SQL_SERVER_URL: &str = "is not a URL with the `sqlserver` scheme";

fn is_sql_server(address: &str) -> bool {
    url::parts(address).is_none_or(|parts| parts.scheme == "sqlserver")
}

pub const ORACLE: Rows = &[(
    "connection_string",
    As(
        Code::InvalidUrl,
        &Help("use a URL such as `oracle://user:password@host:1521/service`", &Hidden(&Text(oracle_problem))),
    ),
)];

/// Returns the problem with a data source. A missing or invalid URL is reported elsewhere.
fn oracle_problem(address: &str) -> Option<String> {
    let parts = url::parts(address).filter(|_| !address.is_empty())?;
    let problem = match parts.scheme.as_str() {
        "oracle" if url::host_and_port(parts.host).0.is_empty() => "has no host",
        "oracle" => return None,
        _ => "is not a URL with the `oracle` scheme",
    };
    Some(problem.to_owned())
}

pub const POSTGRES: Rows = &[(
    "",
    With(|postgres, walk| {
        if !postgres.is_true("disable_default_metrics") {
            walk.check_rows(POSTGRES_METRICS, postgres);
        }
    }),
)];

const POSTGRES_METRICS: Rows = &[("", With(check_first_data_source)), ("enabledcollectors[]", OneOf(COLLECTORS))];

fn check_first_data_source<'v>(postgres: Json<'v>, walk: &mut Walk<'v>) {
    if postgres.non_null("instance").is_some() && postgres.list("data_source_names").next().is_some_and(Json::is_empty)
    {
        let report = walk.report(&[Step::Key("data_source_names"), Step::Index(0)], "must not be empty");
        report.code = Code::MissingIntegrationKey;
        report.help = "use a name such as `postgres://user:password@host:5432/database`".to_owned();
    }
}

pub const REDIS: Rows = &[
    ("", Both("tls_client_cert_file", "tls_client_key_file")),
    ("", AtMostOne("redis_password_file|redis_password_map_file")),
    ("namespace", Help("use only letters, digits and `_`, and do not start with a digit", &METRIC_PREFIX)),
    (
        "check_keys|check_single_keys|check_streams|check_single_streams|count_keys",
        Help("write each key as `db0=key`, and separate keys with commas", &Text(redis_keys_problem)),
    ),
];

/// Expects a prefix for metric names (`NewDesc` in the Prometheus library).
const METRIC_PREFIX: Expect =
    Is(|prefix| is_label_name(&prefix.replace(':', "_")), "cannot be the start of a metric's name");

/// Returns the problem with database keys, written as `db0=key,db1=key`.
fn redis_keys_problem(keys: &str) -> Option<String> {
    let problem = keys.split(',').filter(|key| !key.is_empty()).find_map(|key| {
        let mut parts = key.split('=').map(str::trim);
        let (database, name) = match (parts.next(), parts.next(), parts.next()) {
            (Some(name), None, _) => (String::from("0"), name),
            (Some(database), Some(name), None) => (database.replace("db", ""), name),
            _ => return Some("has a key with more than one `=`"),
        };
        match url::unescape(name, true) {
            None => Some("has a key with a `%` that is not followed by two hexadecimal digits"),
            Some(name) if name.is_empty() || database.is_empty() => None,
            Some(_) => {
                let is_number = |database: i64| database >= 0;
                (!database.parse().is_ok_and(is_number)).then_some("has a database number that is not a whole number")
            }
        }
    });
    problem.map(str::to_owned)
}

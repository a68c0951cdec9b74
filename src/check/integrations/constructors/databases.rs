//! Integrations for databases: their data sources, limits and keys.

use crate::check::integrations::postgres::COLLECTORS;
use crate::check::integrations::setting::{
    is_blank, is_on, known, missing, nanoseconds, number, pair, refuse, refuse_as, text,
};
use crate::check::walk::{Json, Step, Walk};
use crate::diagnostic::Code;
use crate::go::syntax::is_label_name;
use crate::go::url;

pub fn mssql<'v>(config: Json<'v>, walk: &mut Walk<'v>) {
    let address = text(config, "connection_string", "").unwrap_or_default();
    if url::parts(&address).is_some_and(|parts| parts.scheme != "sqlserver") && !address.is_empty() {
        let problem = "is not a URL with the `sqlserver` scheme";
        let help = "use a URL such as `sqlserver://user:password@host:1433`";
        refuse_as(walk, Code::InvalidUrl, &[Step::Key("connection_string")], problem, help);
    }
    for key in ["max_idle_connections", "max_open_connections"] {
        if number(config, key, 3).is_some_and(|number| number < 1) {
            refuse(
                walk,
                &[Step::Key(key)],
                "is less than 1",
                "use 1 or more, or remove the key to use the default of 3",
            );
        }
    }
    if nanoseconds(config, "timeout", 1).is_some_and(|timeout| timeout <= 0) {
        let help = "write a duration such as `10s`, or remove the key to use the default";
        refuse_as(walk, Code::InvalidDuration, &[Step::Key("timeout")], "is zero or negative", help);
    }
}

pub fn oracledb<'v>(config: Json<'v>, walk: &mut Walk<'v>) {
    let Some(address) = text(config, "connection_string", "").filter(|text| !text.is_empty()) else {
        return;
    };
    let Some(parts) = url::parts(&address) else {
        return;
    };
    let problem = match parts.scheme.as_str() {
        "oracle" if url::host_and_port(parts.host).0.is_empty() => "has no host",
        "oracle" => return,
        _ => "is not a URL with the `oracle` scheme",
    };
    let help = "use a URL such as `oracle://user:password@host:1521/service`";
    refuse_as(walk, Code::InvalidUrl, &[Step::Key("connection_string")], problem, help);
}

pub fn postgres<'v>(config: Json<'v>, walk: &mut Walk<'v>) {
    if is_on(config, "disable_default_metrics", false) {
        return;
    }
    let first = config.list("data_source_names").next();
    let is_empty = |name: Json<'_>| name.is_null() || name.as_str() == Some("");
    if first.is_some_and(is_empty) && config.set("instance").is_some() {
        let at = [Step::Key("data_source_names"), Step::Index(0)];
        missing(
            walk,
            &at,
            "the `postgres` integration needs a data source name",
            "use a name such as `postgres://user:password@host:5432/database`",
        );
    }
    for (i, name) in config.list("enabledcollectors").enumerate() {
        let text = name.scalar().and_then(known).unwrap_or_default();
        if !text.is_empty() && !COLLECTORS.contains(&&*text) {
            let message =
                format!("the exporter has no collector named {}, so the agent does not start", walk.quoted(&text));
            let help = format!("use one of: `{}`", COLLECTORS.join("`, `"));
            walk.report_with_code(
                Code::InvalidIntegration,
                &[Step::Key("enabledcollectors"), Step::Index(i)],
                message,
                help,
            );
        }
    }
}

pub fn redis<'v>(config: Json<'v>, walk: &mut Walk<'v>) {
    pair(config, "tls_client_cert_file", "tls_client_key_file", walk);
    if config.has("redis_password_file") && config.has("redis_password_map_file") {
        let problem = "cannot be combined with `redis_password_file`";
        refuse(walk, &[Step::Key("redis_password_map_file")], problem, "keep one of the two");
    }
}

/// Checks the prefix of the metrics' names (`NewDesc` in the Prometheus library).
pub fn redis_namespace<'v>(namespace: Json<'v>, walk: &mut Walk<'v>) {
    let text = namespace.scalar().and_then(known).filter(|text| !text.is_empty());
    if text.is_some_and(|text| !is_label_name(&text.replace(':', "_"))) {
        refuse(
            walk,
            &[],
            "cannot be the start of a metric's name",
            "use only letters, digits and `_`, and do not start with a digit",
        );
    }
}

/// Checks database keys, written as `db0=key,db1=key`.
pub fn redis_keys<'v>(keys: Json<'v>, walk: &mut Walk<'v>) {
    let Some(keys) = keys.scalar().and_then(known) else {
        return;
    };
    let problem = keys.split(',').filter(|key| !key.is_empty()).find_map(|key| {
        let mut parts = key.split('=').map(str::trim);
        let (database, name) = match (parts.next(), parts.next(), parts.next()) {
            (Some(name), None, _) => (String::from("0"), name),
            (Some(database), Some(name), None) => (database.replace("db", ""), name),
            _ => return Some("has a key with more than one `=`"),
        };
        match url::unescaped(name, true) {
            None => Some("has a key with a `%` that is not followed by two hexadecimal digits"),
            Some(name) if name.is_empty() || database.is_empty() => None,
            Some(_) => {
                let is_number = |database: i64| database >= 0;
                (!database.parse().is_ok_and(is_number)).then_some("has a database number that is not a whole number")
            }
        }
    });
    if let Some(problem) = problem {
        refuse(walk, &[], problem, "write each key as `db0=key`, and separate keys with commas");
    }
}

pub fn snowflake<'v>(config: Json<'v>, walk: &mut Walk<'v>) {
    if is_blank(config, "role", "ACCOUNTADMIN") {
        let help = "set `role`, or remove it to use the default, `ACCOUNTADMIN`";
        missing(walk, &[Step::Key("role")], "the `snowflake` integration needs `role`", help);
    }
}

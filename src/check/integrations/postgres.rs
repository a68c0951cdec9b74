//! PostgreSQL data source names, as the integration parses them (`parsePostgresURL` in `postgres_exporter`, which calls
//! `pq.ParseURL`).

use crate::go::{address, url};

/// Returns the server that a data source name refers to (`Config.InstanceKey`), or the problem, worded to follow the
/// name in a message.
pub fn identity(name: &str) -> Result<String, &'static str> {
    const NO_URL: &str = "is not a URL such as `postgres://…`";
    let problem = url::problem(name).filter(|_| url::has_scheme(name));
    let parts = url::parts(name).ok_or(problem.unwrap_or(NO_URL))?;
    if !matches!(parts.scheme.as_str(), "postgres" | "postgresql") {
        return Err(NO_URL);
    }
    let settings = parse_settings(&parts);
    if settings.is_empty() {
        return Err("contains no user, host or database");
    }
    // The integration splits the settings at spaces and panics if a part has no `=`.
    let is_whole =
        |(key, value): &(String, String)| format!("{key}={value}").split(' ').all(|piece| piece.contains('='));
    if !settings.iter().all(is_whole) {
        return Err(
            "contains a space in its user, password, database or parameters, which the integration cannot parse",
        );
    }
    let last_value = |name| settings.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    let (host, port) = match last_value("host") {
        Some(host) => (host, last_value("port")),
        None => ("localhost", Some("5432")),
    };
    let port = port.map(|port| format!(":{port}")).unwrap_or_default();
    Ok(format!("postgresql://{host}{port}/{}", last_value("dbname").unwrap_or_default()))
}

/// Returns the settings in a URL, sorted as in `pq.ParseURL`.
fn parse_settings(parts: &url::Parts<'_>) -> Vec<(String, String)> {
    let decode = |text| url::unescape(text, false).unwrap_or_default().into_owned();
    let (user, password) =
        parts.user.unwrap_or_default().split_once(':').unwrap_or((parts.user.unwrap_or_default(), ""));
    let (host, port) = address::split_host_port(parts.host).unwrap_or((parts.host, ""));
    let path = decode(parts.path);
    let url_settings = [
        ("user", decode(user)),
        ("password", decode(password)),
        ("host", decode(host)),
        ("port", decode(port)),
        ("dbname", path.strip_prefix('/').unwrap_or(&path).to_owned()),
    ];
    let mut settings: Vec<_> = url_settings.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
    let mut seen_keys = Vec::new();
    for (key, value) in url::query(parts.query) {
        // Only the first value of a parameter is used.
        if !seen_keys.contains(&key) {
            settings.push((key.clone().into_owned(), value.into_owned()));
            seen_keys.push(key);
        }
    }
    settings.retain(|(_, value)| !value.is_empty());
    settings.sort();
    settings
}

/// Collectors that `enabledcollectors` may list (`registerCollector` in the exporter).
pub const COLLECTORS: &str = "database|database_wraparound|locks|long_running_transactions|postmaster|process_idle\
    |replication|replication_slot|stat_activity_autovacuum|stat_bgwriter|stat_database|stat_statements\
    |stat_user_tables|stat_wal_receiver|statio_user_indexes|statio_user_tables|wal|xlog_location";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distinguishes_servers_by_host_port_and_database() {
        let no_url = Err("is not a URL such as `postgres://…`");
        let space =
            Err("contains a space in its user, password, database or parameters, which the integration cannot parse");
        for (name, expected) in [
            ("postgres://u@h/db", Ok("postgresql://h/db")),
            ("POSTGRES://u:p@h:5/d?sslmode=disable", Ok("postgresql://h:5/d")),
            ("postgresql://u@/d", Ok("postgresql://localhost:5432/d")),
            ("postgres:///d", Ok("postgresql://localhost:5432/d")),
            ("postgres://u@h/d?options=-c%20search_path=a", Ok("postgresql://h/d")),
            ("postgres://u@h/d?a=b&a=c%20d", Ok("postgresql://h/d")),
            ("postgres://", Err("contains no user, host or database")),
            ("postgres:a", Err("contains no user, host or database")),
            ("postgres://u:my%20pass@h/d", space),
            ("postgres://u@h/my%20d", space),
            ("postgres://u@h/d?application_name=a+b", space),
            ("postgres://u@h/d?a+b=c", space),
            ("postgresx://h/d", no_url),
            ("host=h user=u", no_url),
            ("mysql://h/d", no_url),
            ("", no_url),
            ("5", no_url),
            ("postgres://u@h:x/d", Err("has a port that is not a number")),
        ] {
            assert_eq!(identity(name), expected.map(str::to_owned), "{name}");
        }
    }
}

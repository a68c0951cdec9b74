//! The `kafka` integration: settings that the integration or its exporter rejects (`New` in `kafka_exporter`,
//! `exporter.New` in kafka_exporter, and `Config.Validate` in sarama).

use super::patterns;
use crate::check::integrations::setting::{is_blank, is_on, known, missing, refuse, refuse_as, text};
use crate::check::walk::{Expect::With, Json, Rows, Step, Walk};
use crate::diagnostic::Code;
use crate::go::{address, duration, kafka_version};

pub const ROWS: Rows = &[
    ("", With(settings)),
    ("", With(authentication)),
    ("kafka_uris", With(addresses)),
    ("topics_filter_regex|topics_exclude_regex|groups_filter_regex|groups_exclude_regex", With(patterns::regex)),
];

fn settings<'v>(config: Json<'v>, walk: &mut Walk<'v>) {
    if is_on(config, "use_tls", false) {
        needs(config, "use_tls", &["cert_file", "key_file"], walk);
    }
    let zookeeper = config.list("zookeeper_uris").next();
    let is_empty = |uri: Json<'_>| uri.is_null() || uri.as_str() == Some("");
    if is_on(config, "use_zookeeper_lag", false) && zookeeper.is_none_or(is_empty) {
        let help = "set `zookeeper_uris`, or remove `use_zookeeper_lag`";
        missing(walk, &[Step::Key("use_zookeeper_lag")], "`use_zookeeper_lag` needs `zookeeper_uris`", help);
    }
    if text(config, "kafka_version", "2.0.0").is_some_and(|version| !kafka_version::is_valid(&version)) {
        let help = "use a version such as `2.0.0`, or `0.11.0.2` for versions before 1.0";
        refuse(walk, &[Step::Key("kafka_version")], "is not a valid Kafka version", help);
    }
    let interval = text(config, "metadata_refresh_interval", "1m");
    if interval.is_some_and(|interval| duration::parse_go(&interval).is_none_or(|interval| interval < 0)) {
        let at = [Step::Key("metadata_refresh_interval")];
        let help = "write a duration such as `1m`";
        refuse_as(walk, Code::InvalidDuration, &at, "is negative or not a valid duration", help);
    }
}

/// Reports addresses none of which has a port. Without a broker, the integration cannot be created.
fn addresses<'v>(addresses: Json<'v>, walk: &mut Walk<'v>) {
    let problems = addresses.items().map(|address| match address.scalar().and_then(known) {
        Some(address) if !address.is_empty() => address::dial_problem(&address),
        _ => None,
    });
    if let Some(Some(problem)) = problems.reduce(|one, other| one.and(other)) {
        refuse(
            walk,
            &[],
            format!("has no broker that the exporter can connect to: the address {problem}"),
            "write addresses such as `kafka:9092`",
        );
    }
}

fn authentication<'v>(config: Json<'v>, walk: &mut Walk<'v>) {
    if !is_on(config, "use_sasl", false) {
        return;
    }
    needs(config, "use_sasl", &["sasl_username", "sasl_password"], walk);
    let Some(mechanism) = text(config, "sasl_mechanism", "") else {
        return;
    };
    match mechanism.to_lowercase().as_str() {
        "scram-sha256" | "scram-sha512" | "plain" => {}
        "gssapi" => {
            let file = (text(config, "gssapi_kerberos_auth_type", "").as_deref() == Some("keytabAuth"))
                .then_some("gssapi_key_tab_path");
            let keys = ["gssapi_service_name", "gssapi_kerberos_config_path", "gssapi_realm"].into_iter().chain(file);
            needs(config, "sasl_mechanism", &keys.collect::<Vec<_>>(), walk);
        }
        _ => {
            let at = [Step::Key(if mechanism.is_empty() { "use_sasl" } else { "sasl_mechanism" })];
            let problem = match mechanism.is_empty() {
                true => "is set without `sasl_mechanism`",
                false => "is not a supported SASL mechanism",
            };
            let help = "set `sasl_mechanism` to `plain`, `scram-sha256`, `scram-sha512` or `gssapi`";
            refuse(walk, &at, problem, help);
        }
    }
}

/// Reports missing keys that a setting requires.
fn needs<'v>(config: Json<'v>, of: &'static str, keys: &[&'static str], walk: &mut Walk<'v>) {
    for key in keys.iter().filter(|key| is_blank(config, key, "")) {
        missing(walk, &[Step::Key(of)], &format!("`{of}` needs `{key}`"), &format!("set `{key}`"));
    }
}

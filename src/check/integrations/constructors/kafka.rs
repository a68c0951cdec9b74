//! The `kafka` integration: settings that the integration or its exporter rejects (`New` in `kafka_exporter`,
//! `exporter.New` in kafka_exporter, and `Config.Validate` in sarama).

use crate::check::field::REGEX;
use crate::check::integrations::setting::{is_blank, text};
use crate::check::walk::Expect::{self, As, Help, Text, With};
use crate::check::walk::{Json, Rows, Walk};
use crate::diagnostic::Code;
use crate::go::{address, duration, kafka_version};

pub const ROWS: Rows = &[
    ("", With(check_settings)),
    ("", With(check_authentication)),
    ("kafka_version", Help("use a version such as `2.0.0`, or `0.11.0.2` for versions before 1.0", &VERSION)),
    ("metadata_refresh_interval", As(Code::InvalidDuration, &Help("write a duration such as `1m`", &INTERVAL))),
    ("kafka_uris", With(check_addresses)),
    ("topics_filter_regex|topics_exclude_regex|groups_filter_regex|groups_exclude_regex", REGEX),
];

const VERSION: Expect =
    Text(|version| (!kafka_version::is_valid(version)).then(|| "is not a valid Kafka version".to_owned()));

const INTERVAL: Expect = Text(|interval| {
    let is_valid = duration::parse_go(interval).is_some_and(|interval| interval >= 0);
    (!is_valid).then(|| "is negative or not a valid duration".to_owned())
});

fn check_settings<'v>(config: Json<'v>, walk: &mut Walk<'v>) {
    if config.is_true("use_tls") {
        require_keys(config, "use_tls", &["cert_file", "key_file"], walk);
    }
    if config.is_true("use_zookeeper_lag") && config.list("zookeeper_uris").next().is_none_or(Json::is_empty) {
        report_missing("use_zookeeper_lag", "zookeeper_uris", walk);
    }
}

/// Reports the addresses if none has a port. Without a broker, the integration cannot be created.
fn check_addresses<'v>(addresses: Json<'v>, walk: &mut Walk<'v>) {
    let problems = addresses.items().map(|address| match address.constant_text() {
        Some(address) if !address.is_empty() => address::dial_problem(&address),
        _ => None,
    });
    if let Some(Some(problem)) = problems.reduce(|first, other| first.and(other)) {
        let report = walk.report(&[], format!("has no broker that the exporter can connect to: the address {problem}"));
        report.help = "write addresses such as `kafka:9092`".to_owned();
    }
}

fn check_authentication<'v>(config: Json<'v>, walk: &mut Walk<'v>) {
    if !config.is_true("use_sasl") {
        return;
    }
    require_keys(config, "use_sasl", &["sasl_username", "sasl_password"], walk);
    let Some(mechanism) = text(config, "sasl_mechanism", "") else {
        return;
    };
    match mechanism.to_lowercase().as_str() {
        "scram-sha256" | "scram-sha512" | "plain" => {}
        "gssapi" => {
            let file = (text(config, "gssapi_kerberos_auth_type", "").as_deref() == Some("keytabAuth"))
                .then_some("gssapi_key_tab_path");
            let keys = ["gssapi_service_name", "gssapi_kerberos_config_path", "gssapi_realm"].into_iter().chain(file);
            require_keys(config, "sasl_mechanism", &keys.collect::<Vec<_>>(), walk);
        }
        _ => {
            let (at, problem) = match mechanism.is_empty() {
                true => ("use_sasl", "is set without `sasl_mechanism`"),
                false => ("sasl_mechanism", "is not a supported SASL mechanism"),
            };
            walk.report_field(at, problem).help =
                "set `sasl_mechanism` to `plain`, `scram-sha256`, `scram-sha512` or `gssapi`".to_owned();
        }
    }
}

/// Reports missing keys that a setting requires.
fn require_keys<'v>(config: Json<'v>, setting: &'static str, keys: &[&'static str], walk: &mut Walk<'v>) {
    keys.iter().filter(|key| is_blank(config, key, "")).for_each(|key| report_missing(setting, key, walk));
}

fn report_missing(setting: &'static str, key: &str, walk: &mut Walk<'_>) {
    let report = walk.report_field(setting, format!("is set without `{key}`"));
    (report.code, report.help) = (Code::MissingIntegrationKey, format!("set `{key}`"));
}

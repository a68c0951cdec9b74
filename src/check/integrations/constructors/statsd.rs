//! The `statsd` integration: settings that it rejects during construction (`New` in `statsd_exporter`) or when it runs
//! (`Exporter.Run`).

use super::statsd_mapping;
use crate::check::integrations::setting::{ABOVE_ZERO, is_blank, number};
use crate::check::walk::Expect::{Help, In, OneOf, Range, TextOrEmpty, With};
use crate::check::walk::{Json, Rows, Walk};
use crate::diagnostic::Code;
use crate::go::address::{self, Protocol};

pub const ROWS: Rows = &[
    ("", With(check_listeners)),
    (
        "",
        With(|config, walk| {
            if number(config, "cache_size", 1000).is_some_and(|size| size != 0) {
                walk.check_row("cache_type", &OneOf("lru|random"), config);
            }
        }),
    ),
    ("event_queue_size|event_flush_threshold", Range(0, i64::MAX)),
    ("event_flush_interval", ABOVE_ZERO),
    ("listen_udp|listen_tcp", Help("write an address such as `:9125`", &TextOrEmpty(listen_address_problem))),
    ("relay_addr", Help("write an address such as `host:9125`", &TextOrEmpty(relay_address_problem))),
    ("mapping_config", In(statsd_mapping::ROWS)),
];

fn check_listeners<'v>(config: Json<'v>, walk: &mut Walk<'v>) {
    let keys = [("listen_udp", ":9125"), ("listen_tcp", ":9125"), ("listen_unixgram", "")];
    if keys.into_iter().all(|(key, default)| is_blank(config, key, default)) {
        let report = walk.report_field("listen_udp", "must not be empty if `listen_tcp` and `listen_unixgram` are");
        report.code = Code::MissingIntegrationKey;
        report.help = "set one of them, or remove `listen_udp`".to_owned();
    }
}

/// Checks a listen address (`address.IPPortFromString`). An empty address disables the listener.
fn listen_address_problem(address: &str) -> Option<String> {
    let problem = match address::split_host_port(address) {
        Err(problem) => problem,
        Ok((_, port)) => match port.parse::<i64>() {
            Ok(0..=65_535) => return None,
            Ok(_) => "has a port that is not between 0 and 65535",
            Err(_) => "has a port that is not a number",
        },
    };
    Some(problem.to_owned())
}

/// Checks a relay's address (`net.ResolveUDPAddr`), whose port may be a service name.
fn relay_address_problem(address: &str) -> Option<String> {
    address::listen_problem(address, Protocol::Udp).map(str::to_owned)
}

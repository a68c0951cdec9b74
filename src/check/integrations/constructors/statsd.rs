//! The `statsd` integration: settings that it rejects during construction (`New` in `statsd_exporter`) or when it runs
//! (`Exporter.Run`).

use super::statsd_mapping;
use crate::check::integrations::setting::{is_blank, known, missing, nanoseconds, number, refuse, refuse_as, text};
use crate::check::walk::{Expect::With, Json, Rows, Step, Walk};
use crate::diagnostic::Code;
use crate::go::address::{self, Protocol};

pub const ROWS: Rows = &[
    ("", With(listeners)),
    ("", With(sizes)),
    ("listen_udp|listen_tcp", With(listen_address)),
    ("relay_addr", With(relay_address)),
    ("mapping_config", With(statsd_mapping::check)),
];

fn listeners<'v>(config: Json<'v>, walk: &mut Walk<'v>) {
    let keys = [("listen_udp", ":9125"), ("listen_tcp", ":9125"), ("listen_unixgram", "")];
    if keys.into_iter().all(|(key, default)| is_blank(config, key, default)) {
        let help = "set one of them, or remove `listen_udp`";
        let needed = "the `statsd` integration needs `listen_udp`, `listen_tcp` or `listen_unixgram`";
        missing(walk, &[Step::Key("listen_udp")], needed, help);
    }
}

fn sizes<'v>(config: Json<'v>, walk: &mut Walk<'v>) {
    let has_cache = number(config, "cache_size", 1000).is_some_and(|size| size != 0);
    let cache = text(config, "cache_type", "lru");
    if has_cache && cache.is_some_and(|cache| !matches!(&*cache, "lru" | "random")) {
        refuse(walk, &[Step::Key("cache_type")], "is neither `lru` nor `random`", "use `lru` or `random`");
    }
    for (key, default) in [("event_queue_size", 10_000), ("event_flush_threshold", 1000)] {
        if number(config, key, default).is_some_and(|number| number < 0) {
            refuse(walk, &[Step::Key(key)], "is negative", "use 0 or a positive number");
        }
    }
    if nanoseconds(config, "event_flush_interval", 1).is_some_and(|interval| interval <= 0) {
        let at = [Step::Key("event_flush_interval")];
        refuse_as(walk, Code::InvalidDuration, &at, "is zero or negative", "write a duration such as `200ms`");
    }
}

/// Checks a listen address (`address.IPPortFromString`). An empty address disables the listener.
fn listen_address<'v>(value: Json<'v>, walk: &mut Walk<'v>) {
    let Some(text) = value.scalar().and_then(known).filter(|text| !text.is_empty()) else {
        return;
    };
    let problem = match address::split(&text) {
        Err(problem) => problem,
        Ok((_, port)) => match port.parse::<i64>() {
            Ok(0..=65_535) => return,
            Ok(_) => "has a port that is not between 0 and 65535",
            Err(_) => "has a port that is not a number",
        },
    };
    exits(problem, "write an address such as `:9125`", walk);
}

/// Checks a relay's address (`net.ResolveUDPAddr`), whose port may be a service name.
fn relay_address<'v>(value: Json<'v>, walk: &mut Walk<'v>) {
    let Some(text) = value.scalar().and_then(known).filter(|text| !text.is_empty()) else {
        return;
    };
    if let Some(problem) = address::problem(&text, Protocol::Udp) {
        exits(problem, "write an address such as `host:9125`", walk);
    }
}

/// Reports a setting that makes the integration exit immediately. Its event queue then sends to a closed channel.
fn exits(problem: &str, help: &str, walk: &mut Walk<'_>) {
    let message = format!("`{}` {problem}, so the `statsd` integration stops and the agent crashes", walk.last_key());
    walk.report_with_code(Code::InvalidIntegration, &[], message, help);
}

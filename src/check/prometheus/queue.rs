//! Receiver queues that make the agent panic.
//!
//! Reports a number, such as `minShards: -1`, for which Prometheus creates a list or channel of negative length
//! (`shards.start`, `newQueue` and `runShard` in `storage/remote/queue_manager.go`), or a timer without a period
//! (`MetadataWatcher.loop`). A panic terminates the agent and all its instances. The operator omits zeros, so a zero
//! has the same effect as the default.

use crate::check::walk::Expect::{self, With};
use crate::check::walk::{Json, Step, Walk};
use crate::diagnostic::Code;
use crate::go::duration;

/// Expects queue settings that do not make the agent panic (`QueueConfig`).
pub const QUEUE: Expect = With(check_queue);

/// Expects metadata settings that do not make the agent panic (`MetadataConfig`).
pub const METADATA: Expect = With(check_metadata);

/// Default for `max_samples_per_send`.
const DEFAULT_MAX_SAMPLES: i64 = 2_000;

const ABOVE_ZERO: &str = "use a number greater than 0, or remove the field";

fn check_queue<'v>(queue: Json<'v>, walk: &mut Walk<'v>) {
    let number = |field| queue.get(field).and_then(Json::as_i64).unwrap_or_default();
    let samples = match number("maxSamplesPerSend") {
        0 => DEFAULT_MAX_SAMPLES,
        samples => samples,
    };
    for (field, has_crash) in [
        ("minShards", number("minShards") < 0),
        ("maxSamplesPerSend", samples < 0),
        // The queue holds `capacity` samples, grouped into requests. The number of requests is rounded toward zero.
        ("capacity", samples > 0 && number("capacity") / samples < 0),
    ] {
        if has_crash {
            let message = format!("the agent crashes on startup because `{field}` is {}", number(field));
            walk.report_with_code(Code::InvalidQueue, &[Step::Key(field)], message, ABOVE_ZERO);
        }
    }
    // `reshardLoop` starts this many shards as soon as one shard is not enough.
    if number("maxShards") < 0 {
        let message = format!(
            "because `maxShards` is {}, the agent crashes as soon as it needs a second shard",
            number("maxShards")
        );
        walk.report_with_code(Code::InvalidQueue, &[Step::Key("maxShards")], message, ABOVE_ZERO).is_warning = true;
    }
}

fn check_metadata<'v>(metadata: Json<'v>, walk: &mut Walk<'v>) {
    let interval = metadata.text("sendInterval");
    if metadata.is_true("send") && duration::parse_prometheus(interval) == Some(0) {
        let message = format!("the agent crashes on startup because `sendInterval` is `{interval}`");
        let help = "use an interval greater than zero, or remove `send` to send no metadata";
        walk.report_with_code(Code::InvalidQueue, &[Step::Key("sendInterval")], message, help);
    }
}

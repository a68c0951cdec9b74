//! Times of the write-ahead log.
//!
//! What: a frequency or deadline of zero, or a least time above the most (`instance.Config.ApplyDefaults` of the agent).
//! Why: the agent does not start. Example: `minWALTime: 5h` with the default `maxWALTime` of four hours.

use super::duration::{check_go, check_positive};
use crate::api::MetricsInstance;
use crate::check::diagnostics;
use crate::check::place::Place;
use crate::diagnostic::Diagnostic;

const MINUTE: i64 = 60_000_000_000;
const DEFAULT_MINIMUM: i64 = 5 * MINUTE;
const DEFAULT_MAXIMUM: i64 = 4 * 60 * MINUTE;

/// Checks the times of an instance.
pub fn check(instance: &MetricsInstance<'_>, spec: &Place<'_>, found: &mut Vec<Diagnostic>) {
    check_positive(
        instance.wal_truncate_frequency,
        &spec.key("walTruncateFrequency"),
        found,
    );
    check_positive(instance.remote_flush_deadline, &spec.key("remoteFlushDeadline"), found);
    let (minimum_at, maximum_at) = (spec.key("minWALTime"), spec.key("maxWALTime"));
    let known = found.len();
    let minimum = check_go(instance.min_wal_time, &minimum_at, found).unwrap_or(DEFAULT_MINIMUM);
    let maximum = check_go(instance.max_wal_time, &maximum_at, found).unwrap_or(DEFAULT_MAXIMUM);
    if minimum > maximum && found.len() == known {
        found.push(diagnostics::reversed_wal_times(&minimum_at, &maximum_at));
    }
}

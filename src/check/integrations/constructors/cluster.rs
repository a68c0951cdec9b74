//! Integrations that monitor a node or the cluster.

use super::patterns;
use crate::check::integrations::setting::{known, missing_choice, refuse, text};
use crate::check::walk::{Json, Step, Walk};
use crate::diagnostic::Code;
use crate::go::template;

/// cAdvisor's metric groups (`container.AllMetrics`).
const CADVISOR_METRICS: &[&str] = &[
    "accelerator",
    "advtcp",
    "app",
    "cpu",
    "cpuLoad",
    "cpu_topology",
    "cpuset",
    "disk",
    "diskIO",
    "hugetlb",
    "memory",
    "memory_numa",
    "network",
    "oom_event",
    "percpu",
    "perf_event",
    "process",
    "referenced_memory",
    "resctrl",
    "sched",
    "tcp",
    "udp",
];

pub fn cadvisor_metric<'v>(metric: Json<'v>, walk: &mut Walk<'v>) {
    let text = metric.as_str().unwrap_or_default();
    // The agent joins the items with commas and later splits them again.
    let is_unknown = |name: &str| !CADVISOR_METRICS.contains(&name);
    if known(text.into()).is_some() && text.split(',').any(is_unknown) && !text.is_empty() {
        let names = CADVISOR_METRICS.join("`, `");
        let message = format!("{} is not a cAdvisor metric, so the agent does not start", walk.quoted(text));
        walk.report_with_code(Code::InvalidIntegration, &[], message, format!("use one of: `{names}`"));
    }
}

/// Checks the number of seconds between two cache writes. The agent panics if the number is not above zero.
pub fn flush_interval<'v>(interval: Json<'v>, walk: &mut Walk<'v>) {
    let nanoseconds = interval.as_i64().map(|seconds| seconds.wrapping_mul(1_000_000_000));
    if nanoseconds.is_some_and(|nanoseconds| nanoseconds <= 0) {
        refuse(walk, &[], "is zero or negative", "use a number of seconds, such as `10`");
    }
}

pub fn process<'v>(group: Json<'v>, walk: &mut Walk<'v>) {
    if ["comm", "exe", "cmdline"].into_iter().all(|key| group.set(key).is_none()) {
        let needed = "an item in `process_names` needs `comm`, `exe` or `cmdline`";
        missing_choice(walk, needed, "set one of them");
    }
    walk.each("cmdline[]", group, |walk, pattern| patterns::regex(pattern, walk));
    if let Some(Err(error)) = text(group, "name", "").map(|name| template::check_builtin(&name)) {
        refuse(walk, &[Step::Key("name")], format!("contains a template that {}", error.predicate), error.help);
    }
}

//! The `node_exporter` integration: settings that make the constructors of enabled collectors fail or panic
//! (`NewNodeCollector`), and old keys combined with their replacements (`Config.UnmarshalYAML`).

use super::patterns;
use crate::check::integrations::setting::{is_on, known, nanoseconds, number, refuse, text};
use crate::check::walk::{Expect::With, Json, Rows, Step, Walk, any_of};

pub const ROWS: Rows = &[
    ("", With(renamed)),
    ("", With(compiled)),
    ("", With(devices)),
    ("", With(ntp)),
    ("", With(perf)),
    ("", With(ipvs)),
];

/// Old keys, and the keys that replace them.
const RENAMED: [(&str, &str); 7] = [
    ("netdev_device_whitelist", "netdev_device_include"),
    ("netdev_device_blacklist", "netdev_device_exclude"),
    ("systemd_unit_whitelist", "systemd_unit_include"),
    ("systemd_unit_blacklist", "systemd_unit_exclude"),
    ("filesystem_ignored_mount_points", "filesystem_mount_points_exclude"),
    ("filesystem_ignored_fs_types", "filesystem_fs_types_exclude"),
    ("diskstats_ignored_devices", "diskstats_device_exclude"),
];

fn renamed<'v>(config: Json<'v>, walk: &mut Walk<'v>) {
    let is_filled = |key: &str| text(config, key, "").is_some_and(|text| !text.is_empty());
    for (old, new) in RENAMED.into_iter().filter(|(old, new)| is_filled(old) && is_filled(new)) {
        refuse(
            walk,
            &[Step::Key(old)],
            format!("cannot be combined with its new name, `{new}`"),
            format!("remove `{old}`"),
        );
    }
}

/// Collectors whose settings include regular expressions: the name, whether the collector is enabled by default, and
/// these settings.
const PATTERNS: [(&str, bool, &[&str]); 11] = [
    ("cpu", true, &["cpu_flags_include", "cpu_bugs_include"]),
    ("diskstats", true, &["diskstats_device_include"]),
    ("ethtool", false, &["ethtool_device_exclude", "ethtool_device_include", "ethtool_metrics_include"]),
    (
        "filesystem",
        true,
        &[
            "filesystem_mount_points_exclude",
            "filesystem_fs_types_exclude",
            "filesystem_ignored_mount_points",
            "filesystem_ignored_fs_types",
        ],
    ),
    ("netclass", true, &["netclass_ignored_devices"]),
    (
        "netdev",
        true,
        &["netdev_device_exclude", "netdev_device_include", "netdev_device_blacklist", "netdev_device_whitelist"],
    ),
    ("netstat", true, &["netstat_fields"]),
    ("powersupplyclass", true, &["powersupply_ignored_supplies"]),
    (
        "systemd",
        false,
        &["systemd_unit_include", "systemd_unit_exclude", "systemd_unit_whitelist", "systemd_unit_blacklist"],
    ),
    ("tapestats", true, &["tapestats_ignored_devices"]),
    ("vmstat", true, &["vmstat_fields"]),
];

fn compiled<'v>(config: Json<'v>, walk: &mut Walk<'v>) {
    let includes = text(config, "diskstats_device_include", "").is_none_or(|text| !text.is_empty());
    // The exclusion patterns are used only if no devices are included.
    let excluded = ("diskstats", true, &["diskstats_device_exclude", "diskstats_ignored_devices"][..]);
    let excluded = (!includes).then_some(excluded);
    for (collector, default, keys) in PATTERNS.into_iter().chain(excluded) {
        if !is_enabled(config, collector, default) {
            continue;
        }
        for key in keys {
            let Some(pattern) = config.set(key) else { continue };
            walk.below(Step::Key(key), |walk| match collector {
                "systemd" => patterns::anchored(pattern, walk),
                _ => patterns::regex(pattern, walk),
            });
        }
    }
}

/// Whether a collector is enabled. `enable_collectors` takes precedence over `disable_collectors`, and both take
/// precedence over `set_collectors`. If `set_collectors` is missing, the default applies. A name with a variable is
/// ignored, because it may refer to any collector.
fn is_enabled(config: Json<'_>, collector: &str, default: bool) -> bool {
    let names = |key| config.list(key).map(|name| name.scalar().and_then(known));
    let has = |key| names(key).any(|name| name.is_some_and(|name| name == collector));
    let is_default = match names("set_collectors").next() {
        Some(_) => has("set_collectors"),
        None => default,
    };
    has("enable_collectors") || (is_default && !has("disable_collectors"))
}

fn devices<'v>(config: Json<'v>, walk: &mut Walk<'v>) {
    let filled = |keys: [&'static str; 2]| {
        let is_filled = |key: &&str| text(config, key, "").is_some_and(|text| !text.is_empty());
        keys.into_iter().find(is_filled)
    };
    let excluded = filled(["netdev_device_exclude", "netdev_device_blacklist"]);
    let included = filled(["netdev_device_include", "netdev_device_whitelist"]);
    if let Some((excluded, included)) = excluded.zip(included)
        && is_enabled(config, "netdev", true)
    {
        refuse(walk, &[Step::Key(excluded)], format!("cannot be combined with `{included}`"), "keep one of the two");
    }
}

fn ntp<'v>(config: Json<'v>, walk: &mut Walk<'v>) {
    if !is_enabled(config, "ntp", false) {
        return;
    }
    let is_loopback = |server: &str| server.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
    let server = text(config, "ntp_server", "127.0.0.1");
    if !is_on(config, "ntp_server_is_local", false) && server.is_some_and(|server| !is_loopback(&server)) {
        let help = "use `127.0.0.1`, or set `ntp_server_is_local`";
        refuse(walk, &[Step::Key("ntp_server")], "is not a loopback address", help);
    }
    if number(config, "ntp_protocol_version", 4).is_some_and(|version| !(2..=4).contains(&version)) {
        refuse(walk, &[Step::Key("ntp_protocol_version")], "is not between 2 and 4", "use `4`");
    }
    if nanoseconds(config, "ntp_local_offset_tolerance", 0).is_some_and(|tolerance| tolerance < 0) {
        let at = [Step::Key("ntp_local_offset_tolerance")];
        refuse(walk, &at, "is negative", "write a duration such as `1ms`");
    }
}

fn perf<'v>(config: Json<'v>, walk: &mut Walk<'v>) {
    if !is_enabled(config, "perf", false) {
        return;
    }
    let cpus = text(config, "perf_cpus", "").filter(|cpus| !cpus.is_empty());
    if cpus.is_some_and(|cpus| !cpus.split(',').all(is_cpu_set)) {
        refuse(walk, &[Step::Key("perf_cpus")], "is not a valid list of CPUs", "use a list such as `0-3,8`");
    }
    for (i, point) in config.list("perf_tracepoint").enumerate() {
        if point.scalar().and_then(known).is_some_and(|point| point.split(':').count() != 2) {
            let at = [Step::Key("perf_tracepoint"), Step::Index(i)];
            refuse(walk, &at, "has an item that is not a valid tracepoint", "use the form `subsystem:event`");
        }
    }
}

/// Whether a string is a CPU, or a range of CPUs with an optional stride (`perfCPUFlagToCPUs`).
fn is_cpu_set(set: &str) -> bool {
    let is_number = crate::go::address::is_whole_number;
    if !set.contains('-') {
        return is_number(set);
    }
    let parts: Vec<_> = set.split(':').collect();
    let range: Vec<_> = parts.first().into_iter().flat_map(|range| range.split('-')).collect();
    let is_stride = parts.len() != 2 || parts.get(1).is_some_and(|stride| is_number(stride));
    is_stride && range.len() == 2 && range.into_iter().all(is_number)
}

/// IPVS labels (`fullIpvsBackendLabels`).
const IPVS_LABELS: &[&str] = &["local_address", "local_port", "remote_address", "remote_port", "proto", "local_mark"];

fn ipvs<'v>(config: Json<'v>, walk: &mut Walk<'v>) {
    if !is_enabled(config, "ipvs", true) {
        return;
    }
    for (i, label) in config.list("ipvs_backend_labels").enumerate() {
        let label = label.scalar().and_then(known).unwrap_or_default();
        if label.split(',').any(|label| !label.is_empty() && !IPVS_LABELS.contains(&label)) {
            let at = [Step::Key("ipvs_backend_labels"), Step::Index(i)];
            let help = format!("use only {}", any_of(&IPVS_LABELS.join("|")));
            refuse(walk, &at, "contains a label that the collector does not support", help);
        }
    }
}

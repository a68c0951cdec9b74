//! The `node_exporter` integration: settings that make the constructors of enabled collectors fail or panic
//! (`NewNodeCollector`), and old keys combined with their replacements (`Config.UnmarshalYAML`).

use std::net::IpAddr;

use crate::check::field::{REGEX, WRAPPED_REGEX};
use crate::check::integrations::setting::{is_duration_at_least, text};
use crate::check::walk::Expect::{AtMostOne, Help, Is, Range, With};
use crate::check::walk::{Json, Rows, Walk, is_among};
use crate::go::address::is_whole_number;

pub const ROWS: Rows = &[
    ("", AtMostOne("netdev_device_include|netdev_device_whitelist")),
    ("", AtMostOne("netdev_device_exclude|netdev_device_blacklist")),
    ("", AtMostOne("systemd_unit_include|systemd_unit_whitelist")),
    ("", AtMostOne("systemd_unit_exclude|systemd_unit_blacklist")),
    ("", AtMostOne("filesystem_mount_points_exclude|filesystem_ignored_mount_points")),
    ("", AtMostOne("filesystem_fs_types_exclude|filesystem_ignored_fs_types")),
    ("", AtMostOne("diskstats_device_exclude|diskstats_ignored_devices")),
    ("", With(check_patterns)),
    ("", With(check_collectors)),
];

/// Collectors whose settings are checked if the collector is enabled: the name, whether the collector is enabled by
/// default, and the rules for the settings.
const COLLECTORS: [(&str, bool, Rows); 4] = [
    (
        "netdev",
        true,
        &[
            ("", AtMostOne("netdev_device_include|netdev_device_exclude")),
            ("", AtMostOne("netdev_device_include|netdev_device_blacklist")),
            ("", AtMostOne("netdev_device_whitelist|netdev_device_exclude")),
            ("", AtMostOne("netdev_device_whitelist|netdev_device_blacklist")),
        ],
    ),
    (
        "ntp",
        false,
        &[
            ("", With(check_ntp_server)),
            ("ntp_protocol_version", Range(2, 4)),
            ("ntp_local_offset_tolerance", Is(|time| is_duration_at_least(0, time), "must not be negative")),
        ],
    ),
    (
        "perf",
        false,
        &[
            ("perf_cpus", Help("use a list such as `0-3,8`", &Is(are_cpus, "is not a valid list of CPUs"))),
            (
                "perf_tracepoint[]",
                Help(
                    "use the form `subsystem:event`",
                    &Is(|point| point.split(':').count() == 2, "is not a tracepoint"),
                ),
            ),
        ],
    ),
    (
        "ipvs",
        true,
        &[("ipvs_backend_labels[]", Is(are_ipvs_labels, "contains a label that the collector does not support"))],
    ),
];

fn check_collectors<'v>(config: Json<'v>, walk: &mut Walk<'v>) {
    for (collector, default, rows) in COLLECTORS {
        if is_enabled(config, collector, default) {
            walk.check_rows(rows, config);
        }
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

fn check_patterns<'v>(config: Json<'v>, walk: &mut Walk<'v>) {
    let has_no_include = text(config, "diskstats_device_include", "").is_none_or(|text| !text.is_empty());
    // The exclusion patterns are used only if no devices are included.
    let excluded = ("diskstats", true, &["diskstats_device_exclude", "diskstats_ignored_devices"][..]);
    let excluded = (!has_no_include).then_some(excluded);
    for (collector, default, keys) in PATTERNS.into_iter().chain(excluded) {
        if !is_enabled(config, collector, default) {
            continue;
        }
        for key in keys {
            walk.check_row(key, if collector == "systemd" { &WRAPPED_REGEX } else { &REGEX }, config);
        }
    }
}

/// Whether a collector is enabled. `enable_collectors` takes precedence over `disable_collectors`, and both take
/// precedence over `set_collectors`. If `set_collectors` is missing, the default applies. A name with a variable is
/// ignored, because it may refer to any collector.
fn is_enabled(config: Json<'_>, collector: &str, default: bool) -> bool {
    let names = |key| config.list(key).map(Json::constant_text);
    let contains = |key| names(key).any(|name| name.is_some_and(|name| name == collector));
    let is_default = match names("set_collectors").next() {
        Some(_) => contains("set_collectors"),
        None => default,
    };
    contains("enable_collectors") || (is_default && !contains("disable_collectors"))
}

/// Checks the NTP server, which must be local.
fn check_ntp_server<'v>(config: Json<'v>, walk: &mut Walk<'v>) {
    let is_loopback = |server: &str| server.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    let server = text(config, "ntp_server", "127.0.0.1");
    if !config.is_true("ntp_server_is_local") && server.is_some_and(|server| !is_loopback(&server)) {
        walk.report_field("ntp_server", "is not a loopback address").help =
            "use `127.0.0.1`, or set `ntp_server_is_local`".to_owned();
    }
}

/// Whether a string lists CPUs and ranges of CPUs with an optional stride (`perfCPUFlagToCPUs`).
fn are_cpus(sets: &str) -> bool {
    sets.split(',').all(|set| {
        if !set.contains('-') {
            return is_whole_number(set);
        }
        let parts: Vec<_> = set.split(':').collect();
        let range: Vec<_> = parts.first().into_iter().flat_map(|range| range.split('-')).collect();
        let is_stride = parts.len() != 2 || parts.get(1).is_some_and(|stride| is_whole_number(stride));
        is_stride && range.len() == 2 && range.into_iter().all(is_whole_number)
    })
}

/// Whether the collector supports all labels in a list (`fullIpvsBackendLabels`).
fn are_ipvs_labels(labels: &str) -> bool {
    let known_labels = "|local_address|local_port|remote_address|remote_port|proto|local_mark";
    labels.split(',').all(|label| is_among(label, known_labels))
}

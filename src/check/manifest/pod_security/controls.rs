//! The controls of the Pod Security Standards, as Kubernetes 1.37 has them (`k8s.io/pod-security-admission/policy`): a row a
//! control, two where a version changed it.
//!
//! `hostUsers` and `os`, which relax some of them, are fields that a GrafanaAgent cannot set.

use serde_json::Value;

use super::labels::Level;
use super::pod::{Pod, REMOVE, Violation};
use super::requirements::{
    app_armor_annotations, drops_all, escalation, has_seccomp, non_root, seccomp_annotations, user, volumes,
};

/// A control.
pub(super) struct Control {
    /// What Kubernetes calls it.
    pub(super) id: &'static str,
    /// The versions in which it is part of `baseline`.
    baseline: Versions,
    /// The versions in which it is part of `restricted`. A stricter one takes the place of one of `baseline`.
    restricted: Versions,
    rules: &'static [Rule],
}

/// Minor versions: from the first up to the second, which is not among them.
#[derive(Clone, Copy)]
struct Versions(u32, u32);

const ALWAYS: Versions = Versions(0, u32::MAX);
const NEVER: Versions = Versions(0, 0);

const fn from(minor: u32) -> Versions {
    Versions(minor, u32::MAX)
}

const fn until(minor: u32) -> Versions {
    Versions(0, minor)
}

/// What a control wants of a pod. Paths start at its `spec`; `containers[]` are those that run first, too.
enum Rule {
    /// These fields are absent, `false`, 0 or empty.
    Off(&'static [&'static str]),
    /// These fields are absent.
    Absent(&'static [&'static str]),
    /// These texts, where they are set, are among those.
    OneOf(&'static [&'static str], &'static [&'static str]),
    /// What needs more than one field.
    With(for<'v> fn(&Pod<'v>, &mut Vec<Violation<'v>>)),
}

use Rule::{Absent, Off, OneOf, With};

const CAPABILITIES: &[&str] = &[
    "AUDIT_WRITE",
    "CHOWN",
    "DAC_OVERRIDE",
    "FOWNER",
    "FSETID",
    "KILL",
    "MKNOD",
    "NET_BIND_SERVICE",
    "SETFCAP",
    "SETGID",
    "SETPCAP",
    "SETUID",
    "SYS_CHROOT",
];
const SE_LINUX: &[&str] = &[
    "securityContext.seLinuxOptions.type",
    "containers[].securityContext.seLinuxOptions.type",
];
const SE_LINUX_NAMES: Rule = Off(&[
    "securityContext.seLinuxOptions.user",
    "securityContext.seLinuxOptions.role",
    "containers[].securityContext.seLinuxOptions.user",
    "containers[].securityContext.seLinuxOptions.role",
]);
const PROC_MOUNT: Rule = OneOf(&["containers[].securityContext.procMount"], &["Default"]);
const SECCOMP: Rule = OneOf(
    &[
        "securityContext.seccompProfile.type",
        "containers[].securityContext.seccompProfile.type",
    ],
    &["RuntimeDefault", "Localhost"],
);
const ADDED: &[&str] = &["containers[].securityContext.capabilities.add[]"];
const SYSCTLS: &[&str] = &["securityContext.sysctls[].name"];

/// The sysctls that are allowed, in the order in which versions added them.
const SAFE: [&str; 14] = [
    "kernel.shm_rmid_forced",
    "net.ipv4.ip_local_port_range",
    "net.ipv4.tcp_syncookies",
    "net.ipv4.ping_group_range",
    "net.ipv4.ip_unprivileged_port_start",
    "net.ipv4.ip_local_reserved_ports",
    "net.ipv4.tcp_keepalive_time",
    "net.ipv4.tcp_fin_timeout",
    "net.ipv4.tcp_keepalive_intvl",
    "net.ipv4.tcp_keepalive_probes",
    "net.ipv4.tcp_rmem",
    "net.ipv4.tcp_wmem",
    "net.ipv4.tcp_slow_start_after_idle",
    "net.ipv4.tcp_notsent_lowat",
];

const fn safe(count: usize) -> &'static [&'static str] {
    SAFE.split_at(count).0
}

const fn row(id: &'static str, baseline: Versions, restricted: Versions, rules: &'static [Rule]) -> Control {
    Control {
        id,
        baseline,
        restricted,
        rules,
    }
}

pub(super) const CONTROLS: &[Control] = &[
    row(
        "appArmorProfile",
        ALWAYS,
        ALWAYS,
        &[
            OneOf(
                &[
                    "securityContext.appArmorProfile.type",
                    "containers[].securityContext.appArmorProfile.type",
                ],
                &["RuntimeDefault", "Localhost"],
            ),
            With(app_armor_annotations),
        ],
    ),
    row(
        "capabilities_baseline",
        ALWAYS,
        until(22),
        &[OneOf(ADDED, CAPABILITIES)],
    ),
    row(
        "hostNamespaces",
        ALWAYS,
        ALWAYS,
        &[Off(&["hostNetwork", "hostPID", "hostIPC"])],
    ),
    row("hostPathVolumes", ALWAYS, NEVER, &[Absent(&["volumes[].hostPath"])]),
    row("hostPorts", ALWAYS, ALWAYS, &[Off(&["containers[].ports[].hostPort"])]),
    row(
        "hostProbesAndHostLifecycle",
        from(34),
        from(34),
        &[Off(&[
            "containers[].livenessProbe.httpGet.host",
            "containers[].readinessProbe.httpGet.host",
            "containers[].startupProbe.httpGet.host",
            "containers[].livenessProbe.tcpSocket.host",
            "containers[].readinessProbe.tcpSocket.host",
            "containers[].startupProbe.tcpSocket.host",
            "containers[].lifecycle.postStart.httpGet.host",
            "containers[].lifecycle.preStop.httpGet.host",
            "containers[].lifecycle.postStart.tcpSocket.host",
            "containers[].lifecycle.preStop.tcpSocket.host",
        ])],
    ),
    row(
        "privileged",
        ALWAYS,
        ALWAYS,
        &[Off(&["containers[].securityContext.privileged"])],
    ),
    row("procMount", ALWAYS, until(35), &[PROC_MOUNT]),
    row("procMount_restricted", NEVER, from(35), &[PROC_MOUNT]),
    row(
        "seLinuxOptions",
        until(31),
        until(31),
        &[
            OneOf(SE_LINUX, &["", "container_t", "container_init_t", "container_kvm_t"]),
            SE_LINUX_NAMES,
        ],
    ),
    row(
        "seLinuxOptions",
        from(31),
        from(31),
        &[
            OneOf(
                SE_LINUX,
                &[
                    "",
                    "container_t",
                    "container_init_t",
                    "container_kvm_t",
                    "container_engine_t",
                ],
            ),
            SE_LINUX_NAMES,
        ],
    ),
    row(
        "seccompProfile_baseline",
        until(19),
        until(19),
        &[With(seccomp_annotations)],
    ),
    row("seccompProfile_baseline", from(19), NEVER, &[SECCOMP]),
    row("sysctls", until(27), until(27), &[OneOf(SYSCTLS, safe(5))]),
    row(
        "sysctls",
        Versions(27, 29),
        Versions(27, 29),
        &[OneOf(SYSCTLS, safe(6))],
    ),
    row(
        "sysctls",
        Versions(29, 32),
        Versions(29, 32),
        &[OneOf(SYSCTLS, safe(10))],
    ),
    row(
        "sysctls",
        Versions(32, 37),
        Versions(32, 37),
        &[OneOf(SYSCTLS, safe(12))],
    ),
    row("sysctls", from(37), from(37), &[OneOf(SYSCTLS, safe(14))]),
    row(
        "windowsHostProcess",
        ALWAYS,
        ALWAYS,
        &[Off(&[
            "securityContext.windowsOptions.hostProcess",
            "containers[].securityContext.windowsOptions.hostProcess",
        ])],
    ),
    row("allowPrivilegeEscalation", NEVER, from(8), &[With(escalation)]),
    row(
        "capabilities_restricted",
        NEVER,
        from(22),
        &[OneOf(ADDED, &["NET_BIND_SERVICE"]), With(drops_all)],
    ),
    row("restrictedVolumes", NEVER, ALWAYS, &[With(volumes)]),
    row("runAsNonRoot", NEVER, ALWAYS, &[With(non_root)]),
    row("runAsUser", NEVER, from(23), &[With(user)]),
    row(
        "seccompProfile_restricted",
        NEVER,
        from(19),
        &[SECCOMP, With(has_seccomp)],
    ),
];

/// The controls of a level in a minor version.
pub(super) fn controls(level: Level, minor: u32) -> impl Iterator<Item = &'static Control> {
    CONTROLS.iter().filter(move |control| {
        let Versions(first, end) = match level {
            Level::Privileged => NEVER,
            Level::Baseline => control.baseline,
            Level::Restricted => control.restricted,
        };
        (first..end).contains(&minor)
    })
}

impl Control {
    /// What of the pods it refuses.
    pub(super) fn violations<'v>(&self, pod: &Pod<'v>) -> Vec<Violation<'v>> {
        let mut found = Vec::new();
        for rule in self.rules {
            match rule {
                Off(paths) => pod.each(paths, &mut |path, value| {
                    let is_off = match value {
                        Value::Bool(on) => !on,
                        Value::Number(number) => number.as_i64() == Some(0),
                        Value::String(text) => text.is_empty(),
                        _ => true,
                    };
                    if !is_off {
                        found.push(Violation::at(path, format!("must not be `{}`", shown(value)), REMOVE));
                    }
                }),
                Absent(paths) => pod.each(paths, &mut |path, _| {
                    found.push(Violation::at(path, "must not be set".to_owned(), REMOVE));
                }),
                OneOf(paths, texts) => pod.each(paths, &mut |path, value| {
                    if !value.as_str().is_some_and(|text| texts.contains(&text)) {
                        found.push(Violation::at(path, format!("must not be `{}`", shown(value)), REMOVE));
                    }
                }),
                With(check) => check(pod, &mut found),
            }
        }
        found
    }
}

fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

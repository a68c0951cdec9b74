//! The controls of the Pod Security Standards, as Kubernetes 1.37 has them (`k8s.io/pod-security-admission/policy`): a row a
//! control, two where a version changed it.
//!
//! `hostUsers` and `os`, which relax some of them, are fields that a GrafanaAgent cannot set.

use super::labels::Level;
use super::requirements::{
    absent, app_armor_annotations, drops_all, escalation, lacks_non_root, lacks_seccomp, non_root, seccomp_annotations,
    user, volume,
};
use crate::check::manifest::rules::{Rows, Rule};

/// A control.
pub(super) struct Control {
    /// What Kubernetes calls it.
    pub(super) id: &'static str,
    /// The versions in which it is part of `baseline`.
    baseline: Versions,
    /// The versions in which it is part of `restricted`. A stricter one takes the place of one of `baseline`.
    restricted: Versions,
    /// What it wants of the template of pods.
    pub(super) rules: Rows,
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

use Rule::{Among, In, Off, With};

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
const PROC_MOUNT: Rows = &[(
    "spec.initContainers|containers[].securityContext.procMount",
    Among(&["Default"]),
)];
const PROFILES: Rule = Among(&["RuntimeDefault", "Localhost"]);
const SECCOMP: Rows = &contexts(&[("seccompProfile.type", PROFILES)]);
const ADDED: &str = "spec.initContainers|containers[].securityContext.capabilities.add[]";
const SYSCTLS: &str = "spec.securityContext.sysctls[].name";
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

const fn safe(count: usize) -> Rule {
    Among(SAFE.split_at(count).0)
}

/// Rows for the security context of the pod, and for those of its containers.
const fn contexts(rows: Rows) -> [(&'static str, Rule); 2] {
    [
        ("spec.securityContext", In(rows)),
        ("spec.initContainers|containers[].securityContext", In(rows)),
    ]
}

const fn row(id: &'static str, baseline: Versions, restricted: Versions, rules: Rows) -> Control {
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
            ("", In(&contexts(&[("appArmorProfile.type", PROFILES)]))),
            ("metadata.annotations", With(app_armor_annotations)),
        ],
    ),
    row(
        "capabilities_baseline",
        ALWAYS,
        until(22),
        &[(ADDED, Among(CAPABILITIES))],
    ),
    row(
        "hostNamespaces",
        ALWAYS,
        ALWAYS,
        &[("spec.hostNetwork|hostPID|hostIPC", Off)],
    ),
    row(
        "hostPathVolumes",
        ALWAYS,
        NEVER,
        &[("spec.volumes[].hostPath", With(absent))],
    ),
    row(
        "hostPorts",
        ALWAYS,
        ALWAYS,
        &[("spec.initContainers|containers[].ports[].hostPort", Off)],
    ),
    row(
        "hostProbesAndHostLifecycle",
        from(34),
        from(34),
        &[
            (
                "spec.initContainers|containers[].livenessProbe|readinessProbe|startupProbe.httpGet|tcpSocket.host",
                Off,
            ),
            (
                "spec.initContainers|containers[].lifecycle.postStart|preStop.httpGet|tcpSocket.host",
                Off,
            ),
        ],
    ),
    row(
        "privileged",
        ALWAYS,
        ALWAYS,
        &[("spec.initContainers|containers[].securityContext.privileged", Off)],
    ),
    row("procMount", ALWAYS, until(35), PROC_MOUNT),
    row("procMount_restricted", NEVER, from(35), PROC_MOUNT),
    row(
        "seLinuxOptions",
        until(31),
        until(31),
        &contexts(&[
            (
                "seLinuxOptions.type",
                Among(&["", "container_t", "container_init_t", "container_kvm_t"]),
            ),
            ("seLinuxOptions.user|role", Off),
        ]),
    ),
    row(
        "seLinuxOptions",
        from(31),
        from(31),
        &contexts(&[
            (
                "seLinuxOptions.type",
                Among(&[
                    "",
                    "container_t",
                    "container_init_t",
                    "container_kvm_t",
                    "container_engine_t",
                ]),
            ),
            ("seLinuxOptions.user|role", Off),
        ]),
    ),
    row(
        "seccompProfile_baseline",
        until(19),
        until(19),
        &[("metadata.annotations", With(seccomp_annotations))],
    ),
    row("seccompProfile_baseline", from(19), NEVER, SECCOMP),
    row("sysctls", until(27), until(27), &[(SYSCTLS, safe(5))]),
    row("sysctls", Versions(27, 29), Versions(27, 29), &[(SYSCTLS, safe(6))]),
    row("sysctls", Versions(29, 32), Versions(29, 32), &[(SYSCTLS, safe(10))]),
    row("sysctls", Versions(32, 37), Versions(32, 37), &[(SYSCTLS, safe(12))]),
    row("sysctls", from(37), from(37), &[(SYSCTLS, safe(14))]),
    row(
        "windowsHostProcess",
        ALWAYS,
        ALWAYS,
        &contexts(&[("windowsOptions.hostProcess", Off)]),
    ),
    row(
        "allowPrivilegeEscalation",
        NEVER,
        from(8),
        &[("spec.initContainers|containers[]", With(escalation))],
    ),
    row(
        "capabilities_restricted",
        NEVER,
        from(22),
        &[
            (ADDED, Among(&["NET_BIND_SERVICE"])),
            ("spec.initContainers|containers[]", With(drops_all)),
        ],
    ),
    row("restrictedVolumes", NEVER, ALWAYS, &[("spec.volumes[]", With(volume))]),
    row(
        "runAsNonRoot",
        NEVER,
        ALWAYS,
        &[
            ("", In(&contexts(&[("runAsNonRoot", With(non_root))]))),
            ("spec", With(lacks_non_root)),
        ],
    ),
    row("runAsUser", NEVER, from(23), &contexts(&[("runAsUser", With(user))])),
    row(
        "seccompProfile_restricted",
        NEVER,
        from(19),
        &[("", In(SECCOMP)), ("spec", With(lacks_seccomp))],
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

//! Controls in the Pod Security Standards for Kubernetes 1.37 (`k8s.io/pod-security-admission/policy`). Each control
//! has one row, or two if a later version changed it.
//!
//! A GrafanaAgent cannot set `hostUsers` or `os`, which relax some controls.

use super::labels::SecurityLevel;
use super::requirements::{
    check_app_armor_annotations, check_dropped_capabilities, check_escalation, check_non_root,
    check_seccomp_annotations, check_user, check_volume, require_non_root, require_seccomp,
};
use crate::check::walk::{Expect, Rows};

pub struct Control {
    pub id: &'static str,
    /// Versions in which `baseline` includes the control.
    baseline: Versions,
    /// Versions in which `restricted` includes the control. A stricter control replaces the one in `baseline`.
    restricted: Versions,
    /// Requirements for the pod template.
    pub rules: Rows,
}

/// Range of minor versions, excluding the second number.
#[derive(Clone, Copy)]
struct Versions(u32, u32);

const ALL_VERSIONS: Versions = Versions(0, u32::MAX);
const NO_VERSIONS: Versions = Versions(0, 0);

const fn from(minor: u32) -> Versions {
    Versions(minor, u32::MAX)
}

const fn until(minor: u32) -> Versions {
    Versions(0, minor)
}

use Expect::{Among, Forbidden, Help, In, Off, With};

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
const CONTAINERS: &str = "spec.initContainers|containers[]";
const PROFILES: Expect = Among(&["RuntimeDefault", "Localhost"]);
const APP_ARMOR: Rows = &[
    ("", In(&contexts(&[("appArmorProfile.type", PROFILES)]))),
    ("metadata.annotations", With(check_app_armor_annotations)),
];
const HOST_NAMESPACES: Rows = &[("spec.hostNetwork|hostPID|hostIPC", Off)];
const HOST_PATHS: Rows = &[("spec.volumes[].hostPath", Help("", &Forbidden("must not be set")))];
const HOST_PORTS: Rows = &[(CONTAINERS, In(&[("ports[].hostPort", Off)]))];
const PROBES_AND_HOOKS: Rows = &[
    (CONTAINERS, In(&[("livenessProbe|readinessProbe|startupProbe", In(HOSTS))])),
    (CONTAINERS, In(&[("lifecycle.postStart|preStop", In(HOSTS))])),
];
const HOSTS: Rows = &[("httpGet|tcpSocket.host", Off)];
const PRIVILEGED: Rows = &[(CONTAINERS, In(&[("securityContext.privileged", Off)]))];
const PROC_MOUNT: Rows = &[(CONTAINERS, In(&[("securityContext.procMount", Among(&["Default"]))]))];
const SE_LINUX: Rows =
    &contexts(&[("seLinuxOptions.type", Among(SE_LINUX_TYPES.split_at(4).0)), ("seLinuxOptions.user|role", Off)]);
const SE_LINUX_SINCE_31: Rows =
    &contexts(&[("seLinuxOptions.type", Among(&SE_LINUX_TYPES)), ("seLinuxOptions.user|role", Off)]);
const SE_LINUX_TYPES: [&str; 5] = ["", "container_t", "container_init_t", "container_kvm_t", "container_engine_t"];
const SECCOMP: Rows = &contexts(&[("seccompProfile.type", PROFILES)]);
const SECCOMP_OF_ALL: Rows = &[("", In(SECCOMP)), ("spec", With(require_seccomp))];
const SECCOMP_ANNOTATIONS: Rows = &[("metadata.annotations", With(check_seccomp_annotations))];
const WINDOWS: Rows = &contexts(&[("windowsOptions.hostProcess", Off)]);
const ESCALATION: Rows = &[(CONTAINERS, With(check_escalation))];
const ADDED_CAPABILITIES: &str = "securityContext.capabilities.add[]";
const ADDS_ONLY_KNOWN: Rows = &[(CONTAINERS, In(&[(ADDED_CAPABILITIES, Among(CAPABILITIES))]))];
const ADDS_ONE: Rows = &[
    (CONTAINERS, In(&[(ADDED_CAPABILITIES, Among(&["NET_BIND_SERVICE"]))])),
    (CONTAINERS, With(check_dropped_capabilities)),
];
const VOLUMES: Rows = &[("spec.volumes[]", With(check_volume))];
const NON_ROOT: Rows =
    &[("", In(&contexts(&[("runAsNonRoot", With(check_non_root))]))), ("spec", With(require_non_root))];
const USER: Rows = &contexts(&[("runAsUser", With(check_user))]);
const SYSCTLS: &str = "spec.securityContext.sysctls[].name";

/// Allowed sysctls, in the order that Kubernetes added them.
const SAFE_SYSCTLS: [&str; 14] = [
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

const fn among_safe_sysctls(count: usize) -> Expect {
    Among(SAFE_SYSCTLS.split_at(count).0)
}

/// Returns rows for the security contexts of the pod and its containers.
const fn contexts(rows: Rows) -> [(&'static str, Expect); 2] {
    [("spec.securityContext", In(rows)), ("spec.initContainers|containers[].securityContext", In(rows))]
}

const fn row(id: &'static str, baseline: Versions, restricted: Versions, rules: Rows) -> Control {
    Control { id, baseline, restricted, rules }
}

pub const CONTROLS: &[Control] = &[
    row("appArmorProfile", ALL_VERSIONS, ALL_VERSIONS, APP_ARMOR),
    row("capabilities_baseline", ALL_VERSIONS, until(22), ADDS_ONLY_KNOWN),
    row("hostNamespaces", ALL_VERSIONS, ALL_VERSIONS, HOST_NAMESPACES),
    row("hostPathVolumes", ALL_VERSIONS, NO_VERSIONS, HOST_PATHS),
    row("hostPorts", ALL_VERSIONS, ALL_VERSIONS, HOST_PORTS),
    row("hostProbesAndHostLifecycle", from(34), from(34), PROBES_AND_HOOKS),
    row("privileged", ALL_VERSIONS, ALL_VERSIONS, PRIVILEGED),
    row("procMount", ALL_VERSIONS, until(35), PROC_MOUNT),
    row("procMount_restricted", NO_VERSIONS, from(35), PROC_MOUNT),
    row("seLinuxOptions", until(31), until(31), SE_LINUX),
    row("seLinuxOptions", from(31), from(31), SE_LINUX_SINCE_31),
    row("seccompProfile_baseline", until(19), until(19), SECCOMP_ANNOTATIONS),
    row("seccompProfile_baseline", from(19), NO_VERSIONS, SECCOMP),
    row("sysctls", until(27), until(27), &[(SYSCTLS, among_safe_sysctls(5))]),
    row("sysctls", Versions(27, 29), Versions(27, 29), &[(SYSCTLS, among_safe_sysctls(6))]),
    row("sysctls", Versions(29, 32), Versions(29, 32), &[(SYSCTLS, among_safe_sysctls(10))]),
    row("sysctls", Versions(32, 37), Versions(32, 37), &[(SYSCTLS, among_safe_sysctls(12))]),
    row("sysctls", from(37), from(37), &[(SYSCTLS, among_safe_sysctls(14))]),
    row("windowsHostProcess", ALL_VERSIONS, ALL_VERSIONS, WINDOWS),
    row("allowPrivilegeEscalation", NO_VERSIONS, from(8), ESCALATION),
    row("capabilities_restricted", NO_VERSIONS, from(22), ADDS_ONE),
    row("restrictedVolumes", NO_VERSIONS, ALL_VERSIONS, VOLUMES),
    row("runAsNonRoot", NO_VERSIONS, ALL_VERSIONS, NON_ROOT),
    row("runAsUser", NO_VERSIONS, from(23), USER),
    row("seccompProfile_restricted", NO_VERSIONS, from(19), SECCOMP_OF_ALL),
];

/// Returns the controls for `level` in version `1.minor`.
pub(super) fn controls(level: SecurityLevel, minor: u32) -> impl Iterator<Item = &'static Control> {
    CONTROLS.iter().filter(move |control| {
        let Versions(first, end) = match level {
            SecurityLevel::Privileged => NO_VERSIONS,
            SecurityLevel::Baseline => control.baseline,
            SecurityLevel::Restricted => control.restricted,
        };
        (first..end).contains(&minor)
    })
}

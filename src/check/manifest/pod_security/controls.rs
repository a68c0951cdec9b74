//! The controls of the Pod Security Standards, as Kubernetes 1.37 has them (`k8s.io/pod-security-admission/policy`): a row a
//! control, two where a version changed it.
//!
//! `hostUsers` and `os`, which relax some of them, are fields that a GrafanaAgent cannot set.

use serde_json::Value;

use super::labels::Level;
use crate::check::manifest::rules::Step;

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

/// The template of pods.
pub(super) struct Pod<'v> {
    pub(super) template: &'v Value,
}

/// A field because of which pods are refused.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Violation<'v> {
    /// The field, from the template.
    pub(super) path: Vec<Step<'v>>,
    /// What is expected of it, with the field as the subject.
    pub(super) problem: String,
    /// What to do about it.
    pub(super) help: &'static str,
}

const REMOVE: &str = "remove it, or run the agent in a namespace that allows it";

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

const CONTROLS: &[Control] = &[
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
    row(
        "procMount",
        ALWAYS,
        ALWAYS,
        &[OneOf(&["containers[].securityContext.procMount"], &["Default"])],
    ),
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
                        found.push(violation(path, format!("must not be `{}`", shown(value)), REMOVE));
                    }
                }),
                Absent(paths) => pod.each(paths, &mut |path, _| {
                    found.push(violation(path, "must not be set".to_owned(), REMOVE));
                }),
                OneOf(paths, texts) => pod.each(paths, &mut |path, value| {
                    if !value.as_str().is_some_and(|text| texts.contains(&text)) {
                        found.push(violation(path, format!("must not be `{}`", shown(value)), REMOVE));
                    }
                }),
                With(check) => check(pod, &mut found),
            }
        }
        found
    }
}

fn violation<'v>(path: &[Step<'v>], problem: String, help: &'static str) -> Violation<'v> {
    Violation {
        path: path.to_vec(),
        problem,
        help,
    }
}

fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

impl<'v> Pod<'v> {
    fn spec(&self) -> &'v Value {
        self.template.get("spec").unwrap_or(&Value::Null)
    }

    fn each(&self, paths: &'static [&'static str], visit: &mut dyn FnMut(&[Step<'v>], &'v Value)) {
        for path in paths {
            match path.strip_prefix("containers[].") {
                Some(rest) => {
                    for (at, container) in self.containers() {
                        walk(container, rest, &mut at.clone(), visit);
                    }
                }
                None => walk(self.spec(), path, &mut vec![Step::Key("spec")], visit),
            }
        }
    }

    /// All containers, those that run first in front.
    fn containers(&self) -> Vec<(Vec<Step<'v>>, &'v Value)> {
        let of = |field: &'static str| {
            let list = self.spec().get(field).and_then(Value::as_array);
            let containers = list.into_iter().flatten().enumerate();
            containers.map(move |(i, container)| (vec![Step::Key("spec"), Step::Key(field), Step::Index(i)], container))
        };
        of("initContainers").chain(of("containers")).collect()
    }

    fn annotations(&self) -> impl Iterator<Item = (&'v str, &'v str)> + use<'v> {
        let annotations = self
            .template
            .pointer("/metadata/annotations")
            .and_then(Value::as_object);
        let entries = annotations.into_iter().flatten();
        entries.map(|(key, value)| (key.as_str(), value.as_str().unwrap_or_default()))
    }
}

/// Visits what is at a path, every item of a list in it.
fn walk<'v>(
    value: &'v Value,
    path: &'static str,
    at: &mut Vec<Step<'v>>,
    visit: &mut dyn FnMut(&[Step<'v>], &'v Value),
) {
    let (step, rest) = path
        .split_once('.')
        .map_or((path, None), |(step, rest)| (step, Some(rest)));
    let (key, is_list) = step.strip_suffix("[]").map_or((step, false), |key| (key, true));
    let Some(next) = value.get(key).filter(|next| !next.is_null()) else {
        return;
    };
    at.push(Step::Key(key));
    let mut go = |value: &'v Value, at: &mut Vec<Step<'v>>| match rest {
        Some(rest) => walk(value, rest, at, visit),
        None => visit(at, value),
    };
    match (is_list, next) {
        (true, Value::Array(items)) => {
            for (i, item) in items.iter().enumerate() {
                at.push(Step::Index(i));
                go(item, at);
                at.pop();
            }
        }
        _ => go(next, at),
    }
    at.pop();
}

const APP_ARMOR: &str = "container.apparmor.security.beta.kubernetes.io/";

fn app_armor_annotations<'v>(pod: &Pod<'v>, found: &mut Vec<Violation<'v>>) {
    let is_allowed = |profile: &str| matches!(profile, "" | "runtime/default") || profile.starts_with("localhost/");
    let refused = pod
        .annotations()
        .filter(|(key, value)| key.starts_with(APP_ARMOR) && !is_allowed(value));
    found.extend(refused.map(|(key, value)| annotation(key, value)));
}

const SECCOMP_OF_POD: &str = "seccomp.security.alpha.kubernetes.io/pod";
const SECCOMP_OF_CONTAINER: &str = "container.seccomp.security.alpha.kubernetes.io/";

fn seccomp_annotations<'v>(pod: &Pod<'v>, found: &mut Vec<Violation<'v>>) {
    let is_profile = |key: &str| key == SECCOMP_OF_POD || key.starts_with(SECCOMP_OF_CONTAINER);
    let is_allowed =
        |profile: &str| matches!(profile, "runtime/default" | "docker/default") || profile.starts_with("localhost/");
    let refused = pod
        .annotations()
        .filter(|(key, value)| is_profile(key) && !is_allowed(value));
    found.extend(refused.map(|(key, value)| annotation(key, value)));
}

fn annotation<'v>(key: &'v str, value: &str) -> Violation<'v> {
    let path = [Step::Key("metadata"), Step::Key("annotations"), Step::Key(key)];
    violation(&path, format!("must not be `{value}`"), REMOVE)
}

/// A field of the security context of each container.
fn of_contexts<'v>(pod: &Pod<'v>, field: &'static str, mut check: impl FnMut(Vec<Step<'v>>, Option<&'v Value>)) {
    for (mut path, container) in pod.containers() {
        let value = container.get("securityContext").and_then(|context| context.get(field));
        path.extend([Step::Key("securityContext"), Step::Key(field)]);
        check(path, value.filter(|value| !value.is_null()));
    }
}

/// A field of the security context of all containers.
fn of_pod<'v>(pod: &Pod<'v>, field: &str) -> Option<&'v Value> {
    let value = pod.spec().get("securityContext").and_then(|context| context.get(field));
    value.filter(|value| !value.is_null())
}

fn in_pod(field: &'static str) -> [Step<'static>; 3] {
    [Step::Key("spec"), Step::Key("securityContext"), Step::Key(field)]
}

fn escalation<'v>(pod: &Pod<'v>, found: &mut Vec<Violation<'v>>) {
    of_contexts(pod, "allowPrivilegeEscalation", |path, value| {
        if value != Some(&Value::Bool(false)) {
            let help = "set `securityContext.allowPrivilegeEscalation: false` of the container in `spec.containers`";
            found.push(violation(&path, "must be `false`".to_owned(), help));
        }
    });
}

fn drops_all<'v>(pod: &Pod<'v>, found: &mut Vec<Violation<'v>>) {
    of_contexts(pod, "capabilities", |path, value| {
        let dropped = value
            .and_then(|capabilities| capabilities.get("drop"))
            .and_then(Value::as_array);
        if !dropped.into_iter().flatten().any(|capability| capability == "ALL") {
            let help = "set `securityContext.capabilities.drop: [ALL]` of the container in `spec.containers`";
            found.push(violation(&path, "must drop `ALL`".to_owned(), help));
        }
    });
}

fn volumes<'v>(pod: &Pod<'v>, found: &mut Vec<Violation<'v>>) {
    const ALLOWED: [&str; 9] = [
        "configMap",
        "csi",
        "downwardAPI",
        "emptyDir",
        "ephemeral",
        "image",
        "persistentVolumeClaim",
        "projected",
        "secret",
    ];
    let volumes = pod.spec().get("volumes").and_then(Value::as_array);
    for (i, volume) in volumes.into_iter().flatten().enumerate() {
        let sources = volume.as_object().into_iter().flatten();
        let mut sources = sources
            .filter(|(key, value)| *key != "name" && !value.is_null())
            .map(|(key, _)| key.as_str());
        let source = sources.clone().next();
        // A volume without a source is an empty directory (`SetDefaults_Volume`).
        if let Some(source) = source.filter(|_| !sources.any(|source| ALLOWED.contains(&source))) {
            let path = [
                Step::Key("spec"),
                Step::Key("volumes"),
                Step::Index(i),
                Step::Key(source),
            ];
            found.push(violation(&path, "must not be set".to_owned(), REMOVE));
        }
    }
}

fn non_root<'v>(pod: &Pod<'v>, found: &mut Vec<Violation<'v>>) {
    const FIELD: &str = "runAsNonRoot";
    const HELP: &str = "set `spec.securityContext.runAsNonRoot: true`, with a `runAsUser` that can write its volumes";
    let of_pod = of_pod(pod, FIELD);
    let is_refused = of_pod == Some(&Value::Bool(false));
    if is_refused {
        found.push(violation(&in_pod(FIELD), "must be `true`".to_owned(), HELP));
    }
    let mut is_missing = false;
    of_contexts(pod, FIELD, |path, value| match value {
        Some(Value::Bool(false)) => found.push(violation(&path, "must be `true`".to_owned(), HELP)),
        None => is_missing |= of_pod.is_none(),
        Some(_) => {}
    });
    if is_missing {
        found.push(violation(&in_pod(FIELD), "must be `true`".to_owned(), HELP));
    }
}

fn user<'v>(pod: &Pod<'v>, found: &mut Vec<Violation<'v>>) {
    const FIELD: &str = "runAsUser";
    const HELP: &str = "set a user other than 0";
    let is_root = |value: Option<&Value>| value.and_then(Value::as_i64) == Some(0);
    if is_root(of_pod(pod, FIELD)) {
        found.push(violation(&in_pod(FIELD), "must not be 0".to_owned(), HELP));
    }
    of_contexts(pod, FIELD, |path, value| {
        if is_root(value) {
            found.push(violation(&path, "must not be 0".to_owned(), HELP));
        }
    });
}

fn has_seccomp<'v>(pod: &Pod<'v>, found: &mut Vec<Violation<'v>>) {
    const FIELD: &str = "seccompProfile";
    let mut is_missing = false;
    of_contexts(pod, FIELD, |_, value| is_missing |= value.is_none());
    if is_missing && of_pod(pod, FIELD).is_none() {
        let help = "set `spec.securityContext.seccompProfile.type: RuntimeDefault`";
        let problem = "must be set to `RuntimeDefault` or `Localhost`".to_owned();
        found.push(violation(&in_pod(FIELD), problem, help));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const LATEST: u32 = 100;

    /// The controls that refuse a pod with this `spec`.
    fn refused(level: Level, minor: u32, spec: &Value) -> Vec<&'static str> {
        let template = json!({"metadata": spec["metadata"], "spec": spec});
        let pod = Pod { template: &template };
        let broken = controls(level, minor).filter(|control| !control.violations(&pod).is_empty());
        broken.map(|control| control.id).collect()
    }

    /// A pod that `restricted` takes, with these fields of its container.
    fn pod(context: Value, container: Value, rest: Value) -> Value {
        let mut own = json!({"allowPrivilegeEscalation": false, "capabilities": {"drop": ["ALL"]}});
        merge(&mut own, context);
        let mut one = json!({"name": "a", "securityContext": own});
        merge(&mut one, container);
        let mut pod = json!({
            "securityContext": {"runAsNonRoot": true, "seccompProfile": {"type": "RuntimeDefault"}},
            "containers": [one], "volumes": [{"name": "v", "emptyDir": {}}],
        });
        merge(&mut pod, rest);
        pod
    }

    fn merge(base: &mut Value, added: Value) {
        match (base, added) {
            (Value::Object(base), Value::Object(added)) => {
                for (key, value) in added {
                    merge(base.entry(key).or_insert(Value::Null), value);
                }
            }
            (_, Value::Null) => {}
            (base, added) => *base = added,
        }
    }

    #[test]
    fn each_control_refuses_and_accepts() {
        use Level::{Baseline, Restricted};
        let none = || Value::Null;
        let context = |context: Value| pod(context, none(), none());
        let container = |container: Value| pod(none(), container, none());
        let rest = |rest: Value| pod(none(), none(), rest);
        let annotated = |key: &str, value: &str| rest(json!({"metadata": {"annotations": {key: value}}}));
        let armor = |value: &str| annotated("container.apparmor.security.beta.kubernetes.io/a", value);
        let seccomp = |value: &str| annotated(SECCOMP_OF_POD, value);
        let sysctl = |name: &str| rest(json!({"securityContext": {"sysctls": [{"name": name, "value": "1"}]}}));
        let probe = |host: &str| container(json!({"livenessProbe": {"httpGet": {"host": host}}}));
        let cases = [
            (
                Baseline,
                LATEST,
                "appArmorProfile",
                armor("unconfined"),
                armor("runtime/default"),
            ),
            (
                Baseline,
                LATEST,
                "appArmorProfile",
                context(json!({"appArmorProfile": {"type": "Unconfined"}})),
                context(json!({"appArmorProfile": {"type": "Localhost"}})),
            ),
            (
                Baseline,
                LATEST,
                "capabilities_baseline",
                context(json!({"capabilities": {"add": ["NET_RAW"]}})),
                context(json!({"capabilities": {"add": ["CHOWN"]}})),
            ),
            (
                Baseline,
                LATEST,
                "hostNamespaces",
                rest(json!({"hostPID": true})),
                rest(json!({"hostPID": false})),
            ),
            (
                Baseline,
                LATEST,
                "hostPathVolumes",
                rest(json!({"volumes": [{"name": "v", "hostPath": {"path": "/"}}]})),
                rest(none()),
            ),
            (
                Baseline,
                LATEST,
                "hostPorts",
                container(json!({"ports": [{"containerPort": 1, "hostPort": 1}]})),
                container(json!({"ports": [{"containerPort": 1, "hostPort": 0}]})),
            ),
            (Baseline, LATEST, "hostProbesAndHostLifecycle", probe("a"), probe("")),
            (
                Baseline,
                LATEST,
                "privileged",
                context(json!({"privileged": true})),
                context(json!({"privileged": false})),
            ),
            (
                Baseline,
                LATEST,
                "procMount",
                context(json!({"procMount": "Unmasked"})),
                context(json!({"procMount": "Default"})),
            ),
            (
                Baseline,
                LATEST,
                "seLinuxOptions",
                context(json!({"seLinuxOptions": {"user": "a"}})),
                context(json!({"seLinuxOptions": {"type": "container_engine_t"}})),
            ),
            (
                Baseline,
                30,
                "seLinuxOptions",
                context(json!({"seLinuxOptions": {"type": "container_engine_t"}})),
                context(json!({"seLinuxOptions": {"type": "container_t"}})),
            ),
            (
                Baseline,
                18,
                "seccompProfile_baseline",
                seccomp("unconfined"),
                seccomp("runtime/default"),
            ),
            (
                Baseline,
                19,
                "seccompProfile_baseline",
                context(json!({"seccompProfile": {"type": "Unconfined"}})),
                seccomp("unconfined"),
            ),
            (
                Baseline,
                26,
                "sysctls",
                sysctl("net.ipv4.ip_local_reserved_ports"),
                sysctl("kernel.shm_rmid_forced"),
            ),
            (
                Baseline,
                28,
                "sysctls",
                sysctl("net.ipv4.tcp_fin_timeout"),
                sysctl("net.ipv4.ip_local_reserved_ports"),
            ),
            (
                Baseline,
                31,
                "sysctls",
                sysctl("net.ipv4.tcp_rmem"),
                sysctl("net.ipv4.tcp_fin_timeout"),
            ),
            (
                Baseline,
                36,
                "sysctls",
                sysctl("net.ipv4.tcp_notsent_lowat"),
                sysctl("net.ipv4.tcp_wmem"),
            ),
            (
                Baseline,
                37,
                "sysctls",
                sysctl("kernel.msgmax"),
                sysctl("net.ipv4.tcp_notsent_lowat"),
            ),
            (
                Baseline,
                LATEST,
                "windowsHostProcess",
                rest(json!({"securityContext": {"windowsOptions": {"hostProcess": true}}})),
                rest(json!({"securityContext": {"windowsOptions": {"hostProcess": false}}})),
            ),
            (
                Restricted,
                LATEST,
                "allowPrivilegeEscalation",
                context(json!({"allowPrivilegeEscalation": true})),
                rest(none()),
            ),
            (
                Restricted,
                LATEST,
                "capabilities_restricted",
                context(json!({"capabilities": {"add": ["CHOWN"]}})),
                context(json!({"capabilities": {"add": ["NET_BIND_SERVICE"]}})),
            ),
            (
                Restricted,
                LATEST,
                "capabilities_restricted",
                context(json!({"capabilities": {"drop": ["CHOWN"]}})),
                rest(none()),
            ),
            (
                Restricted,
                LATEST,
                "restrictedVolumes",
                rest(json!({"volumes": [{"name": "v", "nfs": {}}]})),
                rest(json!({"volumes": [{"name": "v"}]})),
            ),
            (
                Restricted,
                LATEST,
                "runAsNonRoot",
                rest(json!({"securityContext": {"runAsNonRoot": false}})),
                context(json!({"runAsNonRoot": true})),
            ),
            (
                Restricted,
                LATEST,
                "runAsUser",
                context(json!({"runAsUser": 0})),
                context(json!({"runAsUser": 1})),
            ),
            (
                Restricted,
                LATEST,
                "seccompProfile_restricted",
                rest(json!({"securityContext": {"seccompProfile": {"type": "Unconfined"}}})),
                context(json!({"seccompProfile": {"type": "Localhost"}})),
            ),
        ];
        let mut untested: Vec<_> = CONTROLS.iter().map(|control| control.id).collect();
        for (level, minor, id, bad, good) in cases {
            assert_eq!(refused(level, minor, &bad), [id], "{bad}");
            assert!(refused(level, minor, &good).is_empty(), "{id} {good}");
            untested.retain(|untested| *untested != id);
        }
        assert!(untested.is_empty(), "{untested:?}");
    }

    #[test]
    fn a_pod_that_says_nothing_is_not_restricted() {
        let pod = json!({"containers": [{"name": "a"}]});
        let expected = [
            "allowPrivilegeEscalation",
            "capabilities_restricted",
            "runAsNonRoot",
            "seccompProfile_restricted",
        ];
        assert_eq!(refused(Level::Restricted, LATEST, &pod), expected);
        assert_eq!(refused(Level::Restricted, 7, &pod), ["runAsNonRoot"]);
        for level in [Level::Baseline, Level::Privileged] {
            assert!(refused(level, LATEST, &pod).is_empty());
        }
    }
}

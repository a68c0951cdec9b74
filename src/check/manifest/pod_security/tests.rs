//! Tests of the controls, with handwritten pods and recorded cases.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::controls::{CONTROLS, controls};
use super::labels::SecurityLevel;
use crate::check::manifest::rules::SECCOMP_OF_POD;
use crate::check::tests::{agent, assert_lines, describe, findings, manifest};
use crate::check::walk::{Json, violations};

const LATEST: u32 = 100;

/// Returns the controls that reject a pod with this `spec`.
fn violated_controls(level: SecurityLevel, minor: u32, spec: &Value) -> Vec<&'static str> {
    let template = json!({"metadata": spec["metadata"], "spec": spec});
    let violated_controls =
        controls(level, minor).filter(|control| !violations(control.rules, Json::Built(&template)).0.is_empty());
    violated_controls.map(|control| control.id).collect()
}

/// Returns a pod that `restricted` accepts, with the changes in `context`, `container` and `rest`.
fn pod(context: Value, container: Value, rest: Value) -> Value {
    let mut container_context = json!({"allowPrivilegeEscalation": false, "capabilities": {"drop": ["ALL"]}});
    merge(&mut container_context, context);
    let mut own_container = json!({"name": "a", "securityContext": container_context});
    merge(&mut own_container, container);
    let mut pod = json!({
        "securityContext": {"runAsNonRoot": true, "seccompProfile": {"type": "RuntimeDefault"}},
        "containers": [own_container], "volumes": [{"name": "v", "emptyDir": {}}],
    });
    merge(&mut pod, rest);
    pod
}

fn merge(base: &mut Value, added_fields: Value) {
    match (base, added_fields) {
        (Value::Object(base), Value::Object(added_fields)) => {
            for (key, value) in added_fields {
                merge(base.entry(key).or_insert(Value::Null), value);
            }
        }
        (_, Value::Null) => {}
        (base, added_fields) => *base = added_fields,
    }
}

#[test]
fn controls_distinguish_compliant_and_violating_pods() {
    use SecurityLevel::{Baseline, Restricted};
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
        (Baseline, LATEST, "appArmorProfile", armor("unconfined"), armor("runtime/default")),
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
        (Baseline, LATEST, "hostNamespaces", rest(json!({"hostPID": true})), rest(json!({"hostPID": false}))),
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
        (Baseline, LATEST, "privileged", context(json!({"privileged": true})), context(json!({"privileged": false}))),
        (
            Restricted,
            LATEST,
            "procMount_restricted",
            context(json!({"procMount": "Unmasked"})),
            context(json!({"procMount": "Default"})),
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
        (Baseline, 18, "seccompProfile_baseline", seccomp("unconfined"), seccomp("runtime/default")),
        (
            Baseline,
            19,
            "seccompProfile_baseline",
            context(json!({"seccompProfile": {"type": "Unconfined"}})),
            seccomp("unconfined"),
        ),
        (Baseline, 26, "sysctls", sysctl("net.ipv4.ip_local_reserved_ports"), sysctl("kernel.shm_rmid_forced")),
        (Baseline, 28, "sysctls", sysctl("net.ipv4.tcp_fin_timeout"), sysctl("net.ipv4.ip_local_reserved_ports")),
        (Baseline, 31, "sysctls", sysctl("net.ipv4.tcp_rmem"), sysctl("net.ipv4.tcp_fin_timeout")),
        (Baseline, 36, "sysctls", sysctl("net.ipv4.tcp_notsent_lowat"), sysctl("net.ipv4.tcp_wmem")),
        (Baseline, 37, "sysctls", sysctl("kernel.msgmax"), sysctl("net.ipv4.tcp_notsent_lowat")),
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
        (Restricted, LATEST, "runAsUser", context(json!({"runAsUser": 0})), context(json!({"runAsUser": 1}))),
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
        assert_eq!(violated_controls(level, minor, &bad), [id], "{bad}");
        assert!(violated_controls(level, minor, &good).is_empty(), "{id} {good}");
        untested.retain(|untested| *untested != id);
    }
    assert!(untested.is_empty(), "{untested:?}");
}

#[test]
fn empty_pods_violate_the_restricted_level() {
    let pod = json!({"containers": [{"name": "a"}]});
    let expected = ["allowPrivilegeEscalation", "capabilities_restricted", "runAsNonRoot", "seccompProfile_restricted"];
    assert_eq!(violated_controls(SecurityLevel::Restricted, LATEST, &pod), expected);
    assert_eq!(violated_controls(SecurityLevel::Restricted, 7, &pod), ["runAsNonRoot"]);
    for level in [SecurityLevel::Baseline, SecurityLevel::Privileged] {
        assert!(violated_controls(level, LATEST, &pod).is_empty());
    }
}

#[test]
fn messages_state_the_violated_level_and_control() {
    let fields = "logs: {instanceSelector: {}}, metrics: {instanceSelector: {}, shards: 2}, volumes: [{name: v, hostPath: {path: /v}}], \
        podMetadata: {annotations: {container.apparmor.security.beta.kubernetes.io/grafana-agent: unconfined}}, \
        containers: [{name: grafana-agent, securityContext: {capabilities: {add: [CHOWN, BPF]}}}, \
        {name: x, image: i, ports: [{containerPort: 1, hostPort: 2}], securityContext: {runAsUser: 0, runAsNonRoot: false}}]";
    let rejections = |labels: &str| {
        let labels: String = labels.split(", ").map(|label| format!("pod-security.kubernetes.io/{label}, ")).collect();
        let namespace = format!("apiVersion: v1\nkind: Namespace\nmetadata: {{name: default, labels: {{{labels}}}}}\n");
        let instances =
            [manifest("MetricsInstance", "i", "{}"), manifest("LogsInstance", "i", "{clients: [{url: http://l}]}")];
        let diagnostics = findings(&[&agent("a", fields), &instances[0], &instances[1], &namespace]);
        diagnostics.iter().map(describe).collect::<Vec<_>>()
    };
    let levels = "enforce: baseline, enforce-version: v1.30, warn: restricted, audit: privileged";
    assert_lines(
        &rejections(levels),
        "
        error[pod-security] spec.podMetadata.annotations.container.apparmor.security.beta.kubernetes.io/grafana-agent: Namespace `default` rejects the pods of StatefulSet `a` (Pod Security `baseline`, control `appArmorProfile`): `annotations[container.apparmor.security.beta.kubernetes.io/grafana-agent]` must not be `unconfined`; remove this setting, or label Namespace `default` with `pod-security.kubernetes.io/enforce: privileged` [the level is set here]
        error[pod-security] spec.containers[0].securityContext.capabilities.add[1]: Namespace `default` rejects the pods of StatefulSet `a` (Pod Security `baseline`, control `capabilities_baseline`): `securityContext.capabilities.add[1]` of container `grafana-agent` must not be `BPF`; remove this setting, or label Namespace `default` with `pod-security.kubernetes.io/enforce: privileged` [the level is set here]
        error[pod-security] spec.volumes[0].hostPath: Namespace `default` rejects the pods of StatefulSet `a` (Pod Security `baseline`, control `hostPathVolumes`): `hostPath` of volume `v` must not be set; remove this setting, or label Namespace `default` with `pod-security.kubernetes.io/enforce: privileged` [the level is set here]
        error[pod-security] spec.containers[1].ports[0].hostPort: Namespace `default` rejects the pods of StatefulSet `a` (Pod Security `baseline`, control `hostPorts`): `ports[0].hostPort` of container `x` must not be `2`; remove this setting, or label Namespace `default` with `pod-security.kubernetes.io/enforce: privileged` [the level is set here]
        error[pod-security] metadata.name: Namespace `default` rejects the pods of DaemonSet `a-logs` (Pod Security `baseline`, control `hostPathVolumes`): `hostPath` of volumes `varlog`, `dockerlogs` and `data` must not be set, but the operator sets this field; label Namespace `default` with `pod-security.kubernetes.io/enforce: privileged`, because no GrafanaAgent field can change these volumes [the level is set here]
        warning[pod-security] spec.containers[0].securityContext.allowPrivilegeEscalation: Namespace `default` warns about the pods of StatefulSet `a` and DaemonSet `a-logs` (Pod Security `restricted`, control `allowPrivilegeEscalation`): `securityContext.allowPrivilegeEscalation` of container `grafana-agent` must be `false`; set `securityContext.allowPrivilegeEscalation: false` on the container in `spec.containers` [the level is set here]
        warning[pod-security] spec.containers[1].securityContext.allowPrivilegeEscalation: Namespace `default` warns about the pods of StatefulSet `a` and DaemonSet `a-logs` (Pod Security `restricted`, control `allowPrivilegeEscalation`): `securityContext.allowPrivilegeEscalation` of container `x` must be `false`; set `securityContext.allowPrivilegeEscalation: false` on the container in `spec.containers` [the level is set here]
        warning[pod-security] spec.containers[0].securityContext.capabilities.add[0]: Namespace `default` warns about the pods of StatefulSet `a` and DaemonSet `a-logs` (Pod Security `restricted`, control `capabilities_restricted`): `securityContext.capabilities.add[0]` of container `grafana-agent` must not be `CHOWN`; remove this setting, or label Namespace `default` with `pod-security.kubernetes.io/warn: privileged` [the level is set here]
        warning[pod-security] spec.containers[0].securityContext.capabilities: Namespace `default` warns about the pods of StatefulSet `a` and DaemonSet `a-logs` (Pod Security `restricted`, control `capabilities_restricted`): `securityContext.capabilities` of container `grafana-agent` must drop `ALL`; set `securityContext.capabilities.drop: [ALL]` on the container in `spec.containers` [the level is set here]
        warning[pod-security] spec.containers[1].securityContext.capabilities: Namespace `default` warns about the pods of StatefulSet `a` and DaemonSet `a-logs` (Pod Security `restricted`, control `capabilities_restricted`): `securityContext.capabilities` of container `x` must drop `ALL`; set `securityContext.capabilities.drop: [ALL]` on the container in `spec.containers` [the level is set here]
        warning[pod-security] spec.containers[1].securityContext.runAsNonRoot: Namespace `default` warns about the pods of StatefulSet `a` and DaemonSet `a-logs` (Pod Security `restricted`, control `runAsNonRoot`): `securityContext.runAsNonRoot` of container `x` must be `true`; set `spec.securityContext.runAsNonRoot: true`, with a `runAsUser` that can write to the agent's volumes [the level is set here]
        warning[pod-security] metadata.name: Namespace `default` warns about the pods of StatefulSet `a` and DaemonSet `a-logs` (Pod Security `restricted`, control `runAsNonRoot`): `securityContext.runAsNonRoot` must be `true`, but the operator does not set this field; set `spec.securityContext.runAsNonRoot: true`, with a `runAsUser` that can write to the agent's volumes [the level is set here]
        warning[pod-security] spec.containers[1].securityContext.runAsUser: Namespace `default` warns about the pods of StatefulSet `a` and DaemonSet `a-logs` (Pod Security `restricted`, control `runAsUser`): `securityContext.runAsUser` of container `x` must not be 0; use a user ID other than 0 [the level is set here]
        warning[pod-security] metadata.name: Namespace `default` warns about the pods of StatefulSet `a` and DaemonSet `a-logs` (Pod Security `restricted`, control `seccompProfile_restricted`): `securityContext.seccompProfile` must be set to `RuntimeDefault` or `Localhost`, but the operator does not set this field; set `spec.securityContext.seccompProfile.type: RuntimeDefault` [the level is set here]
        ",
    );
    let levels = "enforce: strict, warn: baseline, warn-version: v2, audit: privileged, audit-version: latest";
    assert_lines(
        &rejections(levels),
        "
        error[invalid-pod-security-label] metadata.labels.pod-security.kubernetes.io/enforce: Kubernetes rejects the Namespace: the label `pod-security.kubernetes.io/enforce` must be `privileged`, `baseline` or `restricted`, but is `strict`
        error[invalid-pod-security-label] metadata.labels.pod-security.kubernetes.io/warn-version: Kubernetes rejects the Namespace: the label `pod-security.kubernetes.io/warn-version` must be `latest` or a version such as `v1.30`, but is `v2`
        ",
    );
}

/// A control that applies only to fields that neither a GrafanaAgent nor the operator sets. A case shows that such
/// fields are dropped.
const UNREACHABLE_CONTROL: &str = "hostNamespaces";

#[test]
fn every_control_has_a_recorded_case() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/cases");
    for id in CONTROLS.iter().map(|control| control.id).collect::<BTreeSet<_>>() {
        let folder = cases.join(format!("pod-security-{}", words_of_id(id)));
        // Comments in the file state the expected findings.
        let read_findings = |file: &str| -> Vec<_> {
            let text = fs::read_to_string(folder.join(file)).unwrap_or_default();
            text.lines().filter(|line| line.contains(": error[")).map(str::to_owned).collect()
        };
        let rejected = read_findings("input/refused.yaml");
        let name = format!(", control `{id}`)");
        assert!(rejected.iter().all(|line| line.contains(&name)), "{id}: {rejected:?}");
        assert_eq!(rejected.is_empty(), id == UNREACHABLE_CONTROL, "{id}");
        assert!(folder.join("input/accepted.yaml").exists(), "{id}");
        assert!(read_findings("input/accepted.yaml").is_empty(), "{id}");
    }
}

/// Converts an ID such as `hostPathVolumes` to `host-path-volumes`.
fn words_of_id(id: &str) -> String {
    let word = |c: char| match c {
        '_' => "-".to_owned(),
        c if c.is_ascii_uppercase() => format!("-{}", c.to_ascii_lowercase()),
        c => c.to_string(),
    };
    id.chars().map(word).collect()
}

//! Tests of the spans in findings about manifests. `testdata/pods.jsonl` records which inputs a real API server
//! rejects.

use crate::check::tests::{agent, assert_lines, describe, findings, lines, manifest};

fn documents(fields: &str) -> [String; 2] {
    let spec = format!("metrics: {{instanceSelector: {{}}}}, {fields}");
    [agent("a", &spec), manifest("MetricsInstance", "m", "{}")]
}

#[test]
fn reports_violations_at_the_field_in_the_input() {
    for (fields, expected) in [
        ("volumes: [{name: v}, {name: w}], secrets: [s], configMaps: [s]", ""),
        ("volumes: [{name: v}, {name: v}]", "invalid-volume spec.volumes[1].name"),
        ("volumes: [{name: config}]", "invalid-volume spec.volumes[0].name"),
        ("volumes: [{name: v, hostPath: {path: /a/..}}]", "invalid-volume spec.volumes[0].hostPath.path"),
        ("secrets: [a.b, a_b]", "invalid-volume spec.secrets[1]"),
        (
            "volumes: [{name: v}], volumeMounts: [{name: v, mountPath: /a}, {name: v, mountPath: /a}]",
            "invalid-mount spec.volumeMounts[1].mountPath",
        ),
        (
            "containers: [{name: c, image: i, volumeMounts: [{name: u, mountPath: /a}]}]",
            "invalid-mount spec.containers[0].volumeMounts[0].name",
        ),
        ("containers: [{name: c}]", "invalid-container spec.containers[0].image"),
        ("initContainers: [{name: grafana-agent, image: i}]", "invalid-container spec.initContainers[0].name"),
        ("image: ' a'", "invalid-container spec.image"),
        ("image: ' a', version: b", "invalid-container spec.image"),
        ("version: ' '", "invalid-container spec.version"),
        ("configReloaderImage: ' a'", "invalid-container spec.configReloaderImage"),
        ("initContainers: [{name: x, image: ' a'}]", "invalid-container spec.initContainers[0].image"),
        ("containers: [{name: x, image: i}, {name: x, image: i}]", "invalid-container spec.containers[1].name"),
        ("containers: [{name: config-reloader, image: ' a'}]", "invalid-container spec.containers[0].image"),
        (
            "containers: [{name: config-reloader, resources: {limits: {cpu: -1}}}]",
            "invalid-resources spec.containers[0].resources.limits.cpu",
        ),
        (
            "containers: [{name: grafana-agent, env: [{name: A}, {name: B}, {name: A}, {name: =}]}]",
            "invalid-environment spec.containers[0].env[3].name",
        ),
        (
            "containers: [{name: grafana-agent, livenessProbe: {}}]",
            "invalid-container-probe spec.containers[0].livenessProbe",
        ),
        (
            "containers: [{name: x, image: i, volumeMounts: [{name: config, mountPath: /a}, {name: config, mountPath: /a}]}]",
            "invalid-mount spec.containers[0].volumeMounts[1].mountPath",
        ),
        (
            "containers: [{name: grafana-agent, volumeMounts: [{name: u, mountPath: /a}]}]",
            "invalid-mount spec.containers[0].volumeMounts[0].name",
        ),
        (
            "volumes: [{name: v}], volumeMounts: [{name: v, mountPath: /a}], \
             containers: [{name: x, image: i, volumeMounts: [{name: v, mountPath: /a, subPath: /c}]}]",
            "invalid-mount spec.containers[0].volumeMounts[0].subPath",
        ),
        (
            "volumes: [{name: v}], secrets: [s], volumeMounts: [{name: v, mountPath: /var/lib/grafana-agent/extra-secrets/s}]",
            "invalid-mount spec.secrets[0]",
        ),
        ("configMaps: [a.b, a_b]", "invalid-volume spec.configMaps[1]"),
        (
            "storage: {volumeClaimTemplate: {metadata: {labels: {a: 'b c'}}, spec: {resources: {requests: {storage: 1}}}}}",
            "invalid-claim spec.storage.volumeClaimTemplate.metadata.labels.a",
        ),
        ("securityContext: {runAsUser: -1}", "invalid-security-context spec.securityContext.runAsUser"),
        ("priorityClassName: A", "invalid-referred-name spec.priorityClassName"),
        ("containers: [{name: {}, image: ' a'}]", "wrong-type spec.containers[0].name"),
        ("configReloaderVersion: ' '", "invalid-container spec.configReloaderVersion"),
        (
            "containers: [{name: x, image: i}, {name: grafana-agent, env: [{name: A}, {name: =}]}]",
            "invalid-environment spec.containers[1].env[1].name",
        ),
        (
            "containers: [{name: grafana-agent, ports: [{containerPort: 9, name: http-metrics}]}]",
            "invalid-container-port spec.containers[0].ports[0].name",
        ),
        (
            "containers: [{name: grafana-agent, readinessProbe: {tcpSocket: {port: 80}}}]",
            "invalid-container-probe spec.containers[0].readinessProbe.tcpSocket",
        ),
        ("portName: '80'", "invalid-container-port spec.portName"),
        ("resources: {limits: {cpu: 1}, requests: {cpu: 2}}", "invalid-resources spec.resources.requests.cpu"),
        (
            "resources: {limits: {cpu: 1}}, containers: [{name: grafana-agent, resources: {requests: {cpu: 2}}}]",
            "invalid-resources spec.containers[0].resources.requests.cpu",
        ),
        ("nodeSelector: {team: 'a b'}", "invalid-scheduling spec.nodeSelector.team"),
        ("podMetadata: {labels: {team: 'a b'}}", "invalid-pod-metadata spec.podMetadata.labels.team"),
        ("storage: {emptyDir: {sizeLimit: -1}}", "invalid-volume spec.storage.emptyDir.sizeLimit"),
        (
            "storage: {volumeClaimTemplate: {spec: {}}}",
            "invalid-claim spec.storage.volumeClaimTemplate.spec.resources.requests.storage",
        ),
        (
            "storage: {volumeClaimTemplate: {metadata: {name: a.b}, spec: {resources: {requests: {storage: 1}}}}}",
            "invalid-volume spec.storage.volumeClaimTemplate.metadata.name",
        ),
        (
            "storage: {volumeClaimTemplate: {metadata: {name: v}, spec: {resources: {requests: {storage: 1}}}}}, \
          volumes: [{name: v}]",
            "",
        ),
    ] {
        let [agent, instance] = documents(fields);
        let lines = lines(&[&agent, &instance]);
        let at = lines.first().and_then(|line| line.split(": ").next()).unwrap_or_default();
        assert_eq!(at, expected, "{fields} {lines:?}");
        assert!(lines.len() < 2, "{lines:?}");
    }
}

#[test]
fn checks_volumes_of_each_integration() {
    let spec = "{name: x, type: {allNodes: true, unique: true}, config: {}, \
                volumes: [{name: v, nfs: {server: s, path: p}}], volumeMounts: [{name: v, mountPath: /v, subPath: /w}]}";
    let diagnostics = findings(&[&agent("a", "integrations: {selector: {}}"), &manifest("Integration", "i", spec)]);
    let finding_at = |code: &str| {
        let diagnostics = diagnostics.iter().find(|d| d.code.as_str() == code).unwrap();
        format!("{} {}", diagnostics.resource.as_ref().unwrap(), diagnostics.path.as_deref().unwrap())
    };
    assert_eq!(finding_at("invalid-volume"), "Integration/default/i spec.volumes[0].nfs.path");
    assert_eq!(finding_at("invalid-mount"), "Integration/default/i spec.volumeMounts[0].subPath");
}

#[test]
fn messages_describe_invalid_rendered_objects() {
    let mut messages = Vec::new();
    for (name, fields) in [
        ("a", "volumes: [{name: secret-s}], secrets: [S]"),
        ("a", "volumes: [{name: secrets}]"),
        ("a", "nodeSelector: {a: 'b c'}, image: 'A B'"),
        ("a", "topologySpreadConstraints: [{maxSkew: 1, topologyKey: 'a b', whenUnsatisfiable: DoNotSchedule}]"),
        ("a.b", "image: i"),
    ] {
        let spec = format!("metrics: {{instanceSelector: {{}}}}, {fields}");
        messages.extend(findings(&[&agent(name, &spec), &manifest("MetricsInstance", "m", "{}")]).iter().map(describe));
    }
    assert_lines(
        &messages,
        "
        error[invalid-volume] spec.secrets[0]: Kubernetes rejects the pods: `volumes.name` must be unique, but `secret-s` occurs more than once; use a different `name`, or remove the duplicate [first used here]
        error[invalid-volume] spec.volumes[0].name: Kubernetes rejects the pods: `volumes.name` must be unique, but the operator already uses `secrets`; use a different `name`, or remove the duplicate
        error[invalid-image] spec.image: the kubelet does not start the pods: `containers.image` must not contain whitespace, but is `A B`
        error[invalid-scheduling] spec.nodeSelector.a: Kubernetes rejects the pods: `nodeSelector.a` is `b c`, but must consist of letters, digits, `-`, `_` and `.`, and must start and end with a letter or digit
        warning[invalid-scheduling] spec.topologySpreadConstraints[0].topologyKey: newer versions of Kubernetes reject the pods: `topologySpreadConstraints.topologyKey` is `a b`, but must consist of letters, digits, `-`, `_` and `.`, and must start and end with a letter or digit
        error[invalid-derived-name] metadata.name: Kubernetes rejects Service `a.b-operated` or its pods: the name must consist of lowercase letters, digits and `-`, must start with a letter, and must not end with `-`; choose a different name for the agent
        error[invalid-derived-name] metadata.name: Kubernetes rejects StatefulSet `a.b` or its pods: `volumes.name` is `a.b-wal`, but must consist of lowercase letters, digits and `-`, and must start and end with a letter or digit; choose a different name for the agent
        ",
    );
}

#[test]
fn reports_invalid_derived_names() {
    for (length, spec, kind, expected) in [
        (52, "metrics: {instanceSelector: {}}", "MetricsInstance", 0),
        (53, "metrics: {instanceSelector: {}}", "MetricsInstance", 1),
        (44, "metrics: {instanceSelector: {}, shards: 2}", "MetricsInstance", 0),
        (44, "metrics: {instanceSelector: {}, shards: 11}", "MetricsInstance", 1),
        (55, "metrics: {instanceSelector: {}}", "MetricsInstance", 2),
        (63, "logs: {instanceSelector: {}}", "LogsInstance", 0),
        (64, "logs: {instanceSelector: {}}", "LogsInstance", 1),
    ] {
        let lines = lines(&[&agent(&"a".repeat(length), spec), &manifest(kind, "i", "{}")]);
        let name_findings = lines.iter().filter(|line| line.starts_with("invalid-derived-name metadata.name: "));
        assert_eq!(name_findings.count(), expected, "{length} {spec} {lines:?}");
    }
    for (name, expected) in [("a.b", 2), ("1a", 1), ("a1", 0)] {
        let lines = lines(&[&agent(name, "metrics: {instanceSelector: {}}"), &manifest("MetricsInstance", "i", "{}")]);
        assert_eq!(lines.len(), expected, "{name} {lines:?}");
    }
}

#[test]
fn shows_no_values_of_environment_variables() {
    let fields = "containers: [{name: c, image: i, env: [{name: A, value: hidden, valueFrom: {fieldRef: {fieldPath: \
                  metadata.name}}}]}]";
    let [agent, instance] = documents(fields);
    let lines = lines(&[&agent, &instance]);
    assert!(lines[0].starts_with("invalid-environment") && !lines[0].contains("hidden"), "{lines:?}");
}

#[test]
fn reports_the_first_of_many_violations() {
    let containers: Vec<_> = (0..1_200).map(|number| format!("{{name: c{number}}}")).collect();
    let [agent, instance] = documents(&format!("containers: [{}]", containers.join(", ")));
    let lines = lines(&[&agent, &instance]);
    assert_eq!(lines.len(), 1_001);
    let agent_lines: Vec<_> = lines.iter().filter(|line| !line.contains("spec.containers[")).collect();
    assert_eq!(
        agent_lines,
        ["invalid-container metadata.name: StatefulSet `a` has 200 other mistakes that are not shown"]
    );
}

#[test]
fn reports_the_first_of_many_pod_security_violations() {
    let containers = (0..1_200).map(|number| {
        format!("{{name: c{number}, image: i, ports: [{{containerPort: 1, hostPort: {}}}]}}", number + 1)
    });
    let containers: Vec<_> = containers.collect();
    let [agent, instance] = documents(&format!("containers: [{}]", containers.join(", ")));
    let namespace = "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: default\n  labels: \
                     {pod-security.kubernetes.io/enforce: baseline}\n";
    let lines = lines(&[&agent, &instance, namespace]);
    let rejected_ports: Vec<_> = lines.iter().filter(|line| line.contains("`hostPorts`")).collect();
    assert_eq!(rejected_ports.len(), 1_001);
    assert_eq!(
        *rejected_ports[1_000],
        "pod-security metadata.name: Namespace `default` rejects the pods of StatefulSet `a` (Pod Security `baseline`, \
         control `hostPorts`) because of 200 other fields that are not shown"
    );
}

#[test]
fn messages_state_which_program_rejects_the_field() {
    for (fields, expected) in [
        (
            "image: 'A B'",
            "the kubelet does not start the pods: `containers.image` must not contain whitespace, but is `A B`",
        ),
        (
            "portName: '80'",
            "Kubernetes rejects the Service: `ports.targetPort` must contain at least one letter, but is `80`",
        ),
        (
            "storage: {volumeClaimTemplate: {spec: {}}}",
            "Kubernetes rejects the pods' claims: `requests.storage` must not be empty",
        ),
        (
            "nodeSelector: {team: 'a b'}",
            "Kubernetes rejects the pods: `nodeSelector.team` is `a b`, but must consist of letters, digits, `-`, `_` and `.`, and must start and end with a letter or digit",
        ),
        (
            "topologySpreadConstraints: [{maxSkew: 1, topologyKey: 'a b', whenUnsatisfiable: DoNotSchedule}]",
            "newer versions of Kubernetes reject the pods: `topologySpreadConstraints.topologyKey` is `a b`, but must consist of letters, digits, `-`, `_` and `.`, and must start and end with a letter or digit",
        ),
    ] {
        let [agent, instance] = documents(fields);
        let messages: Vec<_> = findings(&[&agent, &instance]).into_iter().map(|finding| finding.message).collect();
        assert!(messages.iter().any(|message| message == expected), "{fields} {messages:?}");
    }
}

#[test]
fn names_the_workload_that_lacks_a_volume() {
    let mount =
        |name: &str| format!("containers: [{{name: c, image: i, volumeMounts: [{{name: {name}, mountPath: /w}}]}}]");
    for (volume, expected) in [
        (
            "a-wal",
            "error[invalid-mount] spec.containers[0].volumeMounts[0].name: Kubernetes rejects the pods: `volumeMounts.name` \
             must be the name of a volume in the pods of DaemonSet `a-logs`, but is `a-wal`; remove it: only the pods of \
             StatefulSet `a` have this volume",
        ),
        (
            "varlog",
            "error[invalid-mount] spec.containers[0].volumeMounts[0].name: Kubernetes rejects the pods: `volumeMounts.name` \
             must be the name of a volume in the pods of StatefulSet `a`, but is `varlog`; remove it: only the pods of \
             DaemonSet `a-logs` have this volume",
        ),
        (
            "other",
            "error[invalid-mount] spec.containers[0].volumeMounts[0].name: Kubernetes rejects the pods: `volumeMounts.name` \
             must be the name of one of the pods' volumes, but is `other`; add the volume to `spec.volumes`",
        ),
    ] {
        let agent = agent(
            "a",
            &format!("metrics: {{instanceSelector: {{}}}}, logs: {{instanceSelector: {{}}}}, {}", mount(volume)),
        );
        let logs = manifest("LogsInstance", "l", "{clients: [{url: 'https://x'}]}");
        let findings = findings(&[&agent, &manifest("MetricsInstance", "m", "{}"), &logs]);
        let lines: Vec<_> = findings.iter().map(describe).collect();
        assert_lines(&lines, expected);
    }
}

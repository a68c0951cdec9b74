//! Tests of pods that contain many errors and near misses. `testdata/pods.jsonl` records which of them a real API
//! server rejects.

use crate::testing;
use serde_json::{Value, json};

use super::{object::rules_for_kind, text};
use crate::check::tests::{assert_lines, broken_rules};
use crate::go::syntax::Syntax;
use crate::yaml::to_json;

fn yaml(text: &str) -> Value {
    to_json(testing::documents(text)[0].root())
}

/// Returns the findings for a workload of the given kind and pod template. Paths are relative to the pod's `spec`.
fn template_findings(kind: &str, template: &str) -> Vec<String> {
    let object = json!({"metadata": {"name": "a"}, "spec": {"template": yaml(template)}});
    let lines = broken_rules(rules_for_kind(kind), &object).into_iter();
    lines.map(|line| line.replacen("spec.template.spec.", "", 1)).collect()
}

#[test]
fn validates_volumes() {
    let findings = template_findings(
        "DaemonSet",
        "
spec:
  containers: [{name: c, image: i}]
  volumes:
  - {name: m0, secret: {secretName: s, defaultMode: 0}}
  - {name: m1, secret: {secretName: s, defaultMode: 511, items: [{key: k, path: p, mode: 512}]}}
  - {name: m2, configMap: {name: s, defaultMode: -1}}
  - {name: f0, fc: {}}
  - {name: f1, fc: {targetWWNs: [a], wwids: [b], lun: 1}}
  - {name: f2, fc: {targetWWNs: [a], lun: 255}}
  - {name: f3, fc: {targetWWNs: [a], lun: 256}}
  - {name: f4, fc: {targetWWNs: [a], lun: -1}}
  - {name: f5, fc: {targetWWNs: [a]}}
  - {name: f6, fc: {wwids: [b]}}
  - {name: fv, flexVolume: {driver: d, options: {Kubernetes.IO/a: b, a.k8s.io: b, k8s.io/a: b, example.com/kubernetes.io: b, mykubernetes.io: b}}}
  - {name: a0, azureDisk: {diskName: d, diskURI: 'https://a', kind: Managed}}
  - {name: a1, azureDisk: {diskName: d, diskURI: /subscriptions/a, kind: Managed}}
  - {name: a2, azureDisk: {diskName: d, diskURI: /subscriptions/a}}
  - {name: a3, azureDisk: {diskName: d, diskURI: 'https://a', kind: Dedicated}}
  - {name: p0, projected: {sources: [{secret: {name: s, items: [{key: k, path: p}]}}, {configMap: {name: s, items: [{key: k, path: q}]}}]}}
  - name: p1
    projected:
      sources:
      - {secret: {name: s, items: [{key: k, path: p}, {key: k, path: ''}]}}
      - {configMap: {name: s, items: [{key: k, path: ''}]}}
      - {downwardAPI: {items: [{path: p, fieldRef: {fieldPath: metadata.labels}}]}}
      - {serviceAccountToken: {path: t, expirationSeconds: 600}}
      - {serviceAccountToken: {path: t, expirationSeconds: 4294967296}}
      - {serviceAccountToken: {path: t, expirationSeconds: 4294967297}}
      - {serviceAccountToken: {path: t, expirationSeconds: 599}}
  - {name: g0, gcePersistentDisk: {pdName: d, readOnly: true}}
  - {name: g1, gcePersistentDisk: {pdName: d}}
  - {name: g1, emptyDir: {sizeLimit: '-1'}, hostPath: {path: /a/../b}}
  - {name: i0, iscsi: {targetPortal: p, iqn: 'iqn.2001-04.com.example:a.b', lun: 0, chapAuthSession: true, secretRef: {name: s}}}
  - {name: i1, iscsi: {targetPortal: p, iqn: notiqn, lun: 0, chapAuthSession: true}}
  - {name: i2, iscsi: {targetPortal: p, iqn: iqn.2001-4.com.example, lun: 0, chapAuthDiscovery: false, initiatorName: ''}}
  - {name: i3, iscsi: {targetPortal: p, iqn: eui.0123456789abcdef, lun: 0, initiatorName: eui.0123456789abcde}}
  - {name: i4, iscsi: {targetPortal: p, iqn: naa.0123456789abcdef0123456789abcdef, lun: 0, initiatorName: naa.0}}
  - {name: n0, nfs: {server: s, path: /a}}
  - {name: n1, nfs: {server: s, path: a/}}
",
    );
    assert_lines(
        &findings,
        "
        volumes[1].secret.items[0].mode: `items.mode` must be between 0 and 511, which is 0777 in octal, but is `512`
        volumes[2].configMap.defaultMode: `configMap.defaultMode` must be between 0 and 511, which is 0777 in octal, but is `-1`
        volumes[3].fc.targetWWNs: `fc.targetWWNs` or `wwids` is required
        volumes[4].fc.wwids: `fc.wwids` cannot be combined with `targetWWNs`
        volumes[6].fc.lun: `fc.lun` must be between 0 and 255
        volumes[7].fc.lun: `fc.lun` must be between 0 and 255
        volumes[8].fc.lun: `fc.lun` is required if `targetWWNs` is set
        volumes[10].flexVolume.options.Kubernetes.IO/a: `options.Kubernetes.IO/a` must not use a Kubernetes domain
        volumes[10].flexVolume.options.a.k8s.io: `options.a.k8s.io` must not use a Kubernetes domain
        volumes[10].flexVolume.options.k8s.io/a: `options.k8s.io/a` must not use a Kubernetes domain
        volumes[11].azureDisk.diskURI: `azureDisk.diskURI` must start with `/subscriptions/` if `kind` is `Managed`
        volumes[13].azureDisk.diskURI: `azureDisk.diskURI` must start with `https://` unless `kind` is `Managed`
        volumes[16].projected.sources[0].secret.items[1].path: `items.path` must not be empty
        volumes[16].projected.sources[1].configMap.items[0].path: `items.path` must not be empty
        volumes[16].projected.sources[5].serviceAccountToken.expirationSeconds: `serviceAccountToken.expirationSeconds` must be between 600 and 4294967296, but is `4294967297`
        volumes[16].projected.sources[6].serviceAccountToken.expirationSeconds: `serviceAccountToken.expirationSeconds` must be between 600 and 4294967296, but is `599`
        volumes[16].projected.sources[2].downwardAPI.items[0].path: `items.path` must be unique, but `p` occurs more than once; use a different `path`, or remove the duplicate
        volumes[19].hostPath: `volumes.hostPath` cannot be combined with `emptyDir`; keep one of the two
        volumes[19].emptyDir.sizeLimit: `emptyDir.sizeLimit` must not be negative, but is `-1`
        volumes[19].hostPath.path: `hostPath.path` must not contain `..`, but is `/a/../b`
        volumes[21].iscsi.iqn: `iscsi.iqn` must start with `iqn.`, `eui.` or `naa.`, but is `notiqn`
        volumes[21].iscsi.secretRef: `iscsi.secretRef` is required if `chapAuthSession` is set
        volumes[22].iscsi.iqn: `iscsi.iqn` must have a date, a domain and an identifier, such as `iqn.2001-04.com.example:storage`, but is `iqn.2001-4.com.example`
        volumes[22].iscsi.initiatorName: `iscsi.initiatorName` must not be empty
        volumes[23].iscsi.initiatorName: `iscsi.initiatorName` must be `eui.` followed by 16 letters and digits, but is `eui.0123456789abcde`
        volumes[24].iscsi.initiatorName: `iscsi.initiatorName` must be `naa.` followed by 32 letters and digits, but is `naa.0`
        volumes[26].nfs.path: `nfs.path` must be an absolute path, but is `a/`
        volumes[19].name: `volumes.name` must be unique, but `g1` occurs more than once; use a different `name`, or remove the duplicate
        volumes[18].gcePersistentDisk.readOnly: `gcePersistentDisk.readOnly` must be true if pods run on several nodes
        ",
    );
}

#[test]
fn validates_mounts_and_devices() {
    let findings = template_findings(
        "StatefulSet",
        "
spec:
  volumes: [{name: data}, {name: disk, persistentVolumeClaim: {claimName: c}}, {name: own, ephemeral: {volumeClaimTemplate: {}}}]
  containers:
  - name: a
    image: i
    securityContext: {privileged: true}
    volumeMounts: [{name: data, mountPath: /a, mountPropagation: Bidirectional, subPath: a, subPathExpr: b}]
    volumeDevices: [{name: disk, devicePath: /dev}, {name: own, devicePath: /dev/../b}]
  - name: b
    image: i
    volumeMounts:
    - {name: dta, mountPath: /a, mountPropagation: Bidirectional}
    - {name: other, mountPath: /a, mountPropagation: HostToContainer}
    - {name: disk, mountPath: /dev, subPath: /b}
    volumeDevices: [{name: disk, devicePath: /dev}, {name: data, devicePath: /x}, {name: dat, devicePath: /x}]
",
    );
    assert_lines(
        &findings,
        "
        containers[0].volumeMounts[0].subPathExpr: `volumeMounts.subPathExpr` cannot be combined with `subPath`; keep one of the two
        containers[0].volumeDevices[1].devicePath: `volumeDevices.devicePath` must not contain `..`, but is `/dev/../b`
        containers[1].volumeMounts[2].subPath: `volumeMounts.subPath` must be a relative path, but is `/b`
        containers[1].volumeMounts[1].mountPath: `volumeMounts.mountPath` must be unique, but `/a` occurs more than once; use a different `mountPath`, or remove the duplicate
        containers[1].volumeDevices[2].devicePath: `volumeDevices.devicePath` must be unique, but `/x` occurs more than once; use a different `devicePath`, or remove the duplicate
        containers[1].volumeMounts[0].name: `volumeMounts.name` must be the name of one of the pods' volumes, but is `dta`; did you mean `data`?
        containers[1].volumeMounts[0].mountPropagation: `volumeMounts.mountPropagation` can be `Bidirectional` only in privileged containers
        containers[1].volumeMounts[1].name: `volumeMounts.name` must be the name of one of the pods' volumes, but is `other`; add the volume to `spec.volumes`
        containers[1].volumeMounts[2].name: `volumeMounts.name` is already used in `volumeDevices`
        containers[1].volumeMounts[2].mountPath: `volumeMounts.mountPath` is already used as a path in `volumeDevices`
        containers[1].volumeDevices[1].name: `volumeDevices.name` must be the name of a volume with a claim
        containers[1].volumeDevices[2].name: `volumeDevices.name` must be the name of one of the pods' volumes, but is `dat`; did you mean `data`?
        ",
    );
}

#[test]
fn validates_containers() {
    let findings = template_findings(
        "Deployment",
        "
spec:
  containers:
  - {name: grafana-agnt}
  - name: b
    image: ''
    ports: [{containerPort: 0, hostPort: 0}, {containerPort: 65536, hostPort: 0}, {containerPort: 1, hostPort: 65536}]
    livenessProbe: {httpGet: {port: '80', httpHeaders: [{name: a b}, {name: ''}, {name: X-1}]}, successThreshold: 2}
    readinessProbe: {tcpSocket: {port: 65536}, successThreshold: 2}
    startupProbe: {grpc: {port: 0}, exec: {}}
    lifecycle: {preStop: {}, postStart: {tcpSocket: {port: web}}}
  - name: c
    image: i
    ports:
    - {name: web, containerPort: 1, hostPort: 8}
    - {name: web, containerPort: 65535, hostPort: 8, protocol: UDP}
    - {containerPort: 3, hostPort: 8, protocol: TCP}
    - {containerPort: 3, hostPort: 8, hostIP: 192.0.2.1}
  - {name: c, image: i, restartPolicy: Always, ports: [{containerPort: 1, hostPort: 8}]}
  initContainers:
  - {name: b, image: i, ports: [{containerPort: 1, hostPort: 8}], lifecycle: {}, livenessProbe: {exec: {command: [a]}}}
  - {name: d, image: i, ports: [{containerPort: 1, hostPort: 8}, {containerPort: 2, hostPort: 8}], restartPolicy: Always, startupProbe: {exec: {command: [a]}}}
  - {name: e, image: i, readinessProbe: {exec: {command: [a]}}, startupProbe: {exec: {command: [a]}}}
  - {name: f, image: 'i '}
  - {name: g, image: i, restartPolicy: Nope}
",
    );
    assert_lines(
        &findings,
        "
        containers[0].image: `containers.image` must not be empty; did you mean the operator's container `grafana-agent`?
        containers[1].image: `containers.image` must not be empty; set `image`: the operator sets it only for `grafana-agent` and `config-reloader`
        containers[1].ports[0].containerPort: `ports.containerPort` must be between 1 and 65535, but is `0`
        containers[1].ports[1].containerPort: `ports.containerPort` must be between 1 and 65535, but is `65536`
        containers[1].ports[2].hostPort: `ports.hostPort` must be between 0 and 65535, but is `65536`
        containers[1].livenessProbe.httpGet.port: `httpGet.port` must contain at least one letter, but is `80`
        containers[1].livenessProbe.httpGet.httpHeaders[0].name: `httpHeaders.name` must consist of letters, digits and `-`, but is `a b`
        containers[1].livenessProbe.httpGet.httpHeaders[1].name: `httpHeaders.name` must not be empty
        containers[1].readinessProbe.tcpSocket.port: `tcpSocket.port` must be between 1 and 65535, but is `65536`
        containers[1].startupProbe.grpc: `startupProbe.grpc` cannot be combined with `exec`; keep one of the two
        containers[1].startupProbe.exec.command: `exec.command` must not be empty
        containers[1].startupProbe.grpc.port: `grpc.port` must be between 1 and 65535, but is `0`
        containers[1].lifecycle.preStop: `lifecycle.preStop` must set `exec`, `httpGet`, `tcpSocket` or `sleep`
        containers[1].livenessProbe.successThreshold: `livenessProbe.successThreshold` must be between 0 and 1, but is `2`
        containers[2].ports[1].name: `ports.name` must be unique, but `web` occurs more than once; use a different `name`, or remove the duplicate
        initContainers[3].image: `initContainers.image` must not start or end with whitespace, but is `i `
        initContainers[0].lifecycle: `initContainers.lifecycle` is not allowed in an init container; remove it
        initContainers[0].livenessProbe: `initContainers.livenessProbe` is not allowed in an init container; remove it
        initContainers[2].readinessProbe: `initContainers.readinessProbe` is not allowed in an init container; remove it
        initContainers[2].startupProbe: `initContainers.startupProbe` is not allowed in an init container; remove it
        containers[3].restartPolicy: `containers.restartPolicy` is allowed only in an init container; remove it
        initContainers[4].restartPolicy: `initContainers.restartPolicy` must be `Always`, but is `Nope`
        containers[3].name: `containers.name` must be unique, but `c` occurs more than once; use a different `name`, or remove the duplicate
        initContainers[0].name: `initContainers.name` must be unique, but `b` occurs more than once; use a different `name`, or remove the duplicate
        containers[2].ports[2].hostPort: `ports.hostPort` must be unique, but `8` occurs more than once; use a different `hostPort`, or remove the duplicate
        containers[3].ports[0].hostPort: `ports.hostPort` must be unique, but `8` occurs more than once; use a different `hostPort`, or remove the duplicate
        initContainers[1].ports[1].hostPort: `ports.hostPort` must be unique, but `8` occurs more than once; use a different `hostPort`, or remove the duplicate
        ",
    );
}

#[test]
fn validates_resources() {
    let findings = template_findings(
        "DaemonSet",
        "
spec:
  volumes: [{name: v, ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: '0'}}}}}}]
  containers:
  - {name: a, image: i, resources: {limits: {cpu: '1', memory: 1Gi}, requests: {cpu: 1001m, memory: 1024Mi, ephemeral-storage: '0'}}}
  - {name: b, image: i, resources: {limits: {cpu: -1n, pods: '1', a b: '1', storage: '1'}, requests: {cpu: 2.5}}}
  - {name: c, image: i, resources: {limits: {example.com/gpu: '2', example.com/tpu: '2', example.com/fpga: '2'}, requests: {example.com/gpu: '1', example.com/tpu: '2', example.com/npu: '1'}}}
  - {name: d, image: i, resources: {limits: {example.com/a: '1.5', example.com/b: 2u, example.com/c: 2n, example.com/d: 2m, example.com/e: 2k, memory: 1.5Gi, cpu: 2m}}}
  - {name: e, image: i, resources: {limits: {hugepages-2Mi: 4Mi}, requests: {hugepages-2Mi: 2Mi}}}
  - {name: f, image: i, resources: {limits: {hugepages-2Mi: 4Mi, cpu: '1'}, requests: {hugepages-2Mi: 4Mi}}}
  - {name: g, image: i, resources: {limits: {hugepages-2Mi: 4Mi, memory: '1'}, requests: {hugepages-2Mi: 6Mi}}}
  - {name: i, image: i, resources: {limits: {cpu: '1', hugepages-2Mi: 3Mi, hugepages-1Gi: 3145728k, hugepages-64Ki: '131072', hugepages-x: '1'}}}
  - {name: h, image: i, resources: {limits: {kubernetes.io/a: '1.5', requests.example.com/a: '1'}, requests: {kubernetes.io/b: 2m}}}
",
    );
    assert_lines(
        &findings,
        "
        volumes[0].ephemeral.volumeClaimTemplate.spec.resources.requests.storage: `requests.storage` must be above zero, but is `0`
        containers[0].resources.requests.cpu: `requests.cpu` must not exceed its limit of `1`, but is `1001m`; raise the limit, or lower the request
        containers[1].resources.limits.a b: `limits.a b` must consist of letters, digits, `-`, `_` and `.`, and must start and end with a letter or digit
        containers[1].resources.limits.cpu: `limits.cpu` must not be negative, but is `-1n`
        containers[1].resources.limits.pods: `limits.pods` is not a container resource
        containers[1].resources.limits.storage: `limits.storage` is not a container resource
        containers[2].resources.requests.example.com/gpu: `requests.example.com/gpu` must be equal to its limit of `2`, but is `1`
        containers[2].resources.requests.example.com/npu: `requests.example.com/npu` must have an equal limit
        containers[3].resources.limits.example.com/a: `limits.example.com/a` must be a whole number, but is `1.5`
        containers[3].resources.limits.example.com/b: `limits.example.com/b` must be a whole number, but is `2u`
        containers[3].resources.limits.example.com/c: `limits.example.com/c` must be a whole number, but is `2n`
        containers[3].resources.limits.example.com/d: `limits.example.com/d` must be a whole number, but is `2m`
        containers[4].resources.requests.hugepages-2Mi: `requests.hugepages-2Mi` must be equal to its limit of `4Mi`, but is `2Mi`
        containers[4].resources: `containers.resources` requires `cpu` or `memory` in addition to `hugepages-2Mi`
        containers[6].resources.requests.hugepages-2Mi: `requests.hugepages-2Mi` must not exceed its limit of `4Mi`, but is `6Mi`; raise the limit, or lower the request
        containers[7].resources.limits.hugepages-1Gi: `limits.hugepages-1Gi` must be a multiple of `1Gi`, but is `3145728k`
        containers[7].resources.limits.hugepages-2Mi: `limits.hugepages-2Mi` must be a multiple of `2Mi`, but is `3Mi`
        containers[7].resources.limits.hugepages-x: `limits.hugepages-x` must end with a page size, such as `hugepages-2Mi`
        containers[8].resources.limits.requests.example.com/a: `limits.requests.example.com/a` is not a container resource
        ",
    );
}

#[test]
fn validates_scheduling_fields() {
    let findings = template_findings(
        "StatefulSet",
        "
spec:
  containers: [{name: c, image: i}]
  tolerations:
  - {operator: Exists}
  - {operator: Equal}
  - {}
  - {key: a, value: 'b c'}
  - {key: a, operator: Equal, value: b, tolerationSeconds: 1, effect: NoExecute}
  - {key: a, operator: Exists, value: b, tolerationSeconds: 1, effect: NoSchedule}
  - {key: a, operator: Gt, value: 'b c', effect: Never}
  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms:
        - matchExpressions:
          - {key: a, operator: In}
          - {key: a, operator: NotIn, values: [b, c]}
          - {key: a, operator: Exists, values: [b]}
          - {key: a, operator: DoesNotExist}
          - {key: a, operator: Gt, values: ['1', '2']}
          - {key: a, operator: Lt, values: ['1']}
          - {key: a, operator: Lt}
          - {key: a, operator: Like, values: [b]}
        - matchFields:
          - {key: metadata.name, operator: In, values: [b, c]}
          - {key: metadata.name, operator: NotIn, values: [b]}
          - {key: metadata.name, operator: Exists}
      preferredDuringSchedulingIgnoredDuringExecution: [{weight: 0, preference: {}}, {weight: 100, preference: {}}, {weight: 101, preference: {}}]
    podAntiAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
      - {topologyKey: a, labelSelector: {matchExpressions: [{key: a, operator: Gt, values: ['1']}, {key: a, operator: In, values: [b]}, {key: a, operator: Exists, values: [b]}]}}
  topologySpreadConstraints:
  - {maxSkew: 0, topologyKey: a, whenUnsatisfiable: Never, minDomains: 0}
  - {maxSkew: 1, topologyKey: a, whenUnsatisfiable: ScheduleAnyway, minDomains: 1, matchLabelKeys: [a]}
  - {maxSkew: 1, topologyKey: a, whenUnsatisfiable: DoNotSchedule, minDomains: 1, labelSelector: {}, matchLabelKeys: [a, b c]}
  - maxSkew: 1
    topologyKey: b
    whenUnsatisfiable: DoNotSchedule
    labelSelector: {matchLabels: {a: b}, matchExpressions: [{key: c, operator: Exists}]}
    matchLabelKeys: [a, b, c]
",
    );
    assert_lines(
        &findings,
        "
        tolerations[1].operator: `tolerations.operator` must be `Exists` if `key` is empty
        tolerations[2].operator: `tolerations.operator` must be `Exists` if `key` is empty
        tolerations[3].value: `tolerations.value` is `b c`, but must consist of letters, digits, `-`, `_` and `.`, and must start and end with a letter or digit
        tolerations[5].effect: `tolerations.effect` must be `NoExecute` if `tolerationSeconds` is set
        tolerations[5].value: `tolerations.value` must be empty if `operator` is `Exists`
        tolerations[6].operator: `tolerations.operator` must be `Equal` or `Exists`, but is `Gt`
        tolerations[6].effect: `tolerations.effect` must be `NoExecute`, `NoSchedule` or `PreferNoSchedule`, but is `Never`
        affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values: `matchExpressions.values` must not be empty if `operator` is `In`
        affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[2].values: `matchExpressions.values` must be empty if `operator` is `Exists`
        affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[4].values: `matchExpressions.values` must contain exactly one value if `operator` is `Gt`
        affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[6].values: `matchExpressions.values` must contain exactly one value if `operator` is `Lt`
        affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[7].operator: `matchExpressions.operator` must be `In`, `NotIn`, `Exists`, `DoesNotExist`, `Gt` or `Lt`, but is `Like`
        affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[1].matchFields[0].values: `matchFields.values` must contain exactly one value if `operator` is `In`
        affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[1].matchFields[2].operator: `matchFields.operator` must be `In` or `NotIn`, but is `Exists`
        affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: `preferredDuringSchedulingIgnoredDuringExecution.weight` must be between 1 and 100, but is `0`
        affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[2].weight: `preferredDuringSchedulingIgnoredDuringExecution.weight` must be between 1 and 100, but is `101`
        affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector.matchExpressions[0].operator: `matchExpressions.operator` must be `In`, `NotIn`, `Exists` or `DoesNotExist`, but is `Gt`
        affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector.matchExpressions[2].values: `matchExpressions.values` must be empty if `operator` is `Exists`
        topologySpreadConstraints[0].maxSkew: `topologySpreadConstraints.maxSkew` must be at least 1, but is `0`
        topologySpreadConstraints[0].whenUnsatisfiable: `topologySpreadConstraints.whenUnsatisfiable` must be `DoNotSchedule` or `ScheduleAnyway`, but is `Never`
        topologySpreadConstraints[0].minDomains: `topologySpreadConstraints.minDomains` must be at least 1, but is `0`
        topologySpreadConstraints[1].minDomains: `topologySpreadConstraints.minDomains` is allowed only if `whenUnsatisfiable` is `DoNotSchedule`; remove it, or set `whenUnsatisfiable: DoNotSchedule`
        topologySpreadConstraints[1].matchLabelKeys: `topologySpreadConstraints.matchLabelKeys` is allowed only if `labelSelector` is set; remove it, or set `labelSelector`
        topologySpreadConstraints[2].matchLabelKeys[1]: `topologySpreadConstraints.matchLabelKeys` is `b c`, but must consist of letters, digits, `-`, `_` and `.`, and must start and end with a letter or digit
        topologySpreadConstraints[3].matchLabelKeys[0]: `a` is already a key in `labelSelector`; remove it from one of the two
        topologySpreadConstraints[3].matchLabelKeys[2]: `c` is already a key in `labelSelector`; remove it from one of the two
        ",
    );
}

#[test]
fn validates_pod_annotations() {
    let findings = template_findings(
        "StatefulSet",
        r#"
metadata:
  annotations:
    seccomp.security.alpha.kubernetes.io/pod: localhost/a/../b
    container.seccomp.security.alpha.kubernetes.io/a: docker/default
    container.seccomp.security.alpha.kubernetes.io/b: localhost/a
    container.seccomp.security.alpha.kubernetes.io/c: any
    container.seccomp.security.alpha.kubernetes.io/d: unconfined
    container.seccomp.security.alpha.kubernetes.io/e: runtime/default
    container.apparmor.security.beta.kubernetes.io/a: localhost/a
    container.apparmor.security.beta.kubernetes.io/b: unconfined
    container.apparmor.security.beta.kubernetes.io/c: ''
    container.apparmor.security.beta.kubernetes.io/d: any
    scheduler.alpha.kubernetes.io/tolerations: '{}'
    kubernetes.io/config.mirror: a
    other/seccomp.security.alpha.kubernetes.io: any
spec:
  containers: [{name: a, image: i}]
  initContainers: [{name: b, image: i}]
"#,
    );
    assert_lines(
        &findings,
        "
        spec.template.metadata.annotations.container.apparmor.security.beta.kubernetes.io/c: `annotations.container.apparmor.security.beta.kubernetes.io/c` refers to a container that the pods do not have
        spec.template.metadata.annotations.container.apparmor.security.beta.kubernetes.io/d: `annotations.container.apparmor.security.beta.kubernetes.io/d` refers to a container that the pods do not have
        spec.template.metadata.annotations.container.apparmor.security.beta.kubernetes.io/d: `annotations.container.apparmor.security.beta.kubernetes.io/d` must be an AppArmor profile
        spec.template.metadata.annotations.container.seccomp.security.alpha.kubernetes.io/c: `annotations.container.seccomp.security.alpha.kubernetes.io/c` must be a seccomp profile
        spec.template.metadata.annotations.kubernetes.io/config.mirror: `annotations.kubernetes.io/config.mirror` is allowed only in pods that the kubelet creates
        spec.template.metadata.annotations.scheduler.alpha.kubernetes.io/tolerations: `annotations.scheduler.alpha.kubernetes.io/tolerations` must be a JSON list of tolerations
        spec.template.metadata.annotations.seccomp.security.alpha.kubernetes.io/pod: `annotations.seccomp.security.alpha.kubernetes.io/pod` must be a seccomp profile
        ",
    );
    const NO_LIST: &str = "must be a JSON list of tolerations";
    const OPERATOR: &str = "contains an invalid toleration: `operator` must be `Equal` or `Exists`, but is `Matches`";
    const NO_KEY: &str = "contains an invalid toleration: `operator` must be `Exists` if `key` is empty";
    const NO_COST: &str = "must be a 32-bit integer without a plus sign or leading zeros, but is";
    for (annotation, value, expected) in [
        ("scheduler.alpha.kubernetes.io/tolerations", "", ""),
        ("scheduler.alpha.kubernetes.io/tolerations", "[]", ""),
        ("scheduler.alpha.kubernetes.io/tolerations", "null", ""),
        ("scheduler.alpha.kubernetes.io/tolerations", r#"[{"key": "a"}]"#, ""),
        ("scheduler.alpha.kubernetes.io/tolerations", r#"[{"Operator": "Exists"}, {"key": "a", "x": 1}]"#, ""),
        ("scheduler.alpha.kubernetes.io/tolerations", r#"[{"key": "a", "operator": "Matches"}]"#, OPERATOR),
        ("scheduler.alpha.kubernetes.io/tolerations", "[null]", NO_KEY),
        ("scheduler.alpha.kubernetes.io/tolerations", r#"[{"key": 1}]"#, NO_LIST),
        ("scheduler.alpha.kubernetes.io/tolerations", "[1]", NO_LIST),
        ("scheduler.alpha.kubernetes.io/tolerations", "x", NO_LIST),
        ("controller.kubernetes.io/pod-deletion-cost", "0", ""),
        ("controller.kubernetes.io/pod-deletion-cost", "-2147483648", ""),
        ("controller.kubernetes.io/pod-deletion-cost", "2147483648", NO_COST),
        ("controller.kubernetes.io/pod-deletion-cost", "+1", NO_COST),
        ("controller.kubernetes.io/pod-deletion-cost", "007", NO_COST),
        ("controller.kubernetes.io/pod-deletion-cost", "", "must not be empty"),
    ] {
        let template = json!({
            "metadata": {"annotations": {annotation: value}}, "spec": {"containers": [{"name": "a", "image": "i"}]},
        });
        let findings = template_findings("StatefulSet", &template.to_string());
        assert_eq!(findings.len(), usize::from(!expected.is_empty()), "{value}: {findings:?}");
        assert!(
            findings.iter().all(|line| line.contains(&format!("`annotations.{annotation}` {expected}"))),
            "{findings:?}"
        );
    }
}

#[test]
fn validates_string_syntax() {
    const BACKSTEP_PROBLEM: &str = "must not contain `..`";
    const NAME_PROBLEM: &str = "must consist of letters, digits, `_`, `-` and `.`, and must not start with a digit";
    const DOTS_PROBLEM: &str = "must not be `.` or start with `..`";
    const SYSCTL_PROBLEM: &str = "must be a name such as `net.core.somaxconn`";
    let long = |length: usize| "a".repeat(length);
    let cases: [(Syntax, &str, &str); 30] = [
        (text::backsteps_problem, "a/..b/c..", ""),
        (text::backsteps_problem, "/a/..", BACKSTEP_PROBLEM),
        (text::relative_path_problem, "a/b", ""),
        (text::relative_path_problem, "/a", "must be a relative path"),
        (text::relative_path_problem, "../a", BACKSTEP_PROBLEM),
        (text::reserved_path_problem, "a..", ""),
        (text::reserved_path_problem, "..a", "must not start with `..`"),
        (text::reserved_path_problem, "..", BACKSTEP_PROBLEM),
        (text::image_reference_problem, "a ", ""),
        (text::image_reference_problem, "a b", "must not contain whitespace"),
        (text::image_reference_problem, "grafana/Agent", "must be lowercase"),
        (text::image_reference_problem, "A//b", "is not a valid image name"),
        (text::variable_name_problem, "a.b-c_9", ""),
        (text::variable_name_problem, "", NAME_PROBLEM),
        (text::variable_name_problem, "9a", NAME_PROBLEM),
        (text::variable_name_problem, "a=", NAME_PROBLEM),
        (text::variable_name_problem, ".", DOTS_PROBLEM),
        (text::variable_name_problem, "..a", DOTS_PROBLEM),
        (text::header_name_problem, "X-1", ""),
        (text::header_name_problem, "", "must consist of letters, digits and `-`"),
        (text::header_name_problem, "a_b", "must consist of letters, digits and `-`"),
        (text::driver_name_problem, "A.b", ""),
        (text::driver_name_problem, &long(63), ""),
        (text::driver_name_problem, &long(64), "must have at most 63 characters (found 64)"),
        (text::annotation_key_problem, "Example.com/A", ""),
        (text::stateful_set_name_problem, &long(52), ""),
        (
            text::stateful_set_name_problem,
            &long(53),
            "must have at most 52 characters, or no pods can be created (found 53)",
        ),
        (text::sysctl_name_problem, &long(253), ""),
        (text::sysctl_name_problem, &long(254), "must have at most 253 characters"),
        (text::sysctl_name_problem, "a..b", SYSCTL_PROBLEM),
    ];
    for (syntax, text, expected) in cases {
        let expected = Some(expected).filter(|problem| !problem.is_empty());
        assert_eq!(syntax(text).as_deref(), expected, "{text}");
    }
}

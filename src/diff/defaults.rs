//! What the API server sets where a manifest says nothing: only defaults that depend on nothing else.

use serde_json::{Map, Value, json};

/// The defaults of pods (`SetDefaults_PodSpec` and the like in `pkg/apis/core/v1/defaults.go` of Kubernetes). Lists are
/// no part of a path.
fn of_pod(path: &str) -> Option<Value> {
    if let Some(field) = path.strip_prefix("initContainers.") {
        return of_container(field);
    }
    if let Some(field) = path.strip_prefix("containers.") {
        return of_container(field);
    }
    Some(match path {
        "dnsPolicy" => json!("ClusterFirst"),
        "restartPolicy" => json!("Always"),
        "schedulerName" => json!("default-scheduler"),
        "securityContext" => json!({}),
        "terminationGracePeriodSeconds" => json!(30),
        "volumes.configMap.defaultMode"
        | "volumes.downwardAPI.defaultMode"
        | "volumes.projected.defaultMode"
        | "volumes.secret.defaultMode" => json!(0o644),
        "volumes.hostPath.type" => json!(""),
        "volumes.projected.sources.serviceAccountToken.expirationSeconds" => json!(3600),
        _ => return None,
    })
}

fn of_container(path: &str) -> Option<Value> {
    let probe = ["livenessProbe.", "readinessProbe.", "startupProbe."];
    if let Some(field) = probe.iter().find_map(|probe| path.strip_prefix(probe)) {
        return of_probe(field);
    }
    Some(match path {
        "env.valueFrom.fieldRef.apiVersion" => json!("v1"),
        "ports.protocol" => json!("TCP"),
        "resources" => json!({}),
        "terminationMessagePath" => json!("/dev/termination-log"),
        "terminationMessagePolicy" => json!("File"),
        _ => return None,
    })
}

fn of_probe(path: &str) -> Option<Value> {
    Some(match path {
        "failureThreshold" => json!(3),
        "httpGet.path" => json!("/"),
        "httpGet.scheme" => json!("HTTP"),
        "periodSeconds" => json!(10),
        "successThreshold" | "timeoutSeconds" => json!(1),
        _ => return None,
    })
}

/// The defaults of a kind (`pkg/apis/apps/v1/defaults.go`, `pkg/apis/core/v1/defaults.go`).
fn of(kind: &str, path: &str) -> Option<Value> {
    if let Some(field) = path.strip_prefix("spec.template.spec.") {
        return of_pod(field);
    }
    Some(match (kind, path) {
        ("DaemonSet" | "Deployment" | "StatefulSet", "spec.revisionHistoryLimit") => json!(10),
        ("DaemonSet" | "StatefulSet", "spec.updateStrategy.type") => json!("RollingUpdate"),
        ("DaemonSet", "spec.updateStrategy.rollingUpdate.maxSurge") => json!(0),
        ("DaemonSet", "spec.updateStrategy.rollingUpdate.maxUnavailable") => json!(1),
        ("StatefulSet", "spec.updateStrategy.rollingUpdate.partition") => json!(0),
        ("StatefulSet", "spec.podManagementPolicy") => json!("OrderedReady"),
        ("StatefulSet", "spec.persistentVolumeClaimRetentionPolicy.whenDeleted")
        | ("StatefulSet", "spec.persistentVolumeClaimRetentionPolicy.whenScaled") => json!("Retain"),
        ("StatefulSet", "spec.volumeClaimTemplates.apiVersion") => json!("v1"),
        ("StatefulSet", "spec.volumeClaimTemplates.kind") => json!("PersistentVolumeClaim"),
        ("StatefulSet", "spec.volumeClaimTemplates.spec.volumeMode") => json!("Filesystem"),
        ("Deployment" | "StatefulSet", "spec.replicas") => json!(1),
        ("Deployment", "spec.progressDeadlineSeconds") => json!(600),
        ("Deployment", "spec.strategy.type") => json!("RollingUpdate"),
        ("Deployment", "spec.strategy.rollingUpdate.maxSurge" | "spec.strategy.rollingUpdate.maxUnavailable") => {
            json!("25%")
        }
        ("ExternalSecret", path) => return of_external_secret(path),
        ("Secret", "type") => json!("Opaque"),
        ("Service", "spec.internalTrafficPolicy") => json!("Cluster"),
        ("Service", "spec.sessionAffinity") => json!("None"),
        ("Service", "spec.type") => json!("ClusterIP"),
        ("Service", "spec.ports.protocol") | ("Endpoints", "subsets.ports.protocol") => json!("TCP"),
        _ => return None,
    })
}

/// The defaults in the CustomResourceDefinition of external-secrets.io.
fn of_external_secret(path: &str) -> Option<Value> {
    Some(match path {
        "spec.data.remoteRef.conversionStrategy" => json!("Default"),
        "spec.data.remoteRef.decodingStrategy" | "spec.data.remoteRef.metadataPolicy" => json!("None"),
        "spec.refreshInterval" => json!("1h"),
        "spec.target" => json!({"creationPolicy": "Owner", "deletionPolicy": "Retain"}),
        "spec.target.creationPolicy" => json!("Owner"),
        "spec.target.deletionPolicy" => json!("Retain"),
        "spec.target.template.engineVersion" => json!("v2"),
        _ => return None,
    })
}

/// What the server derives from other fields or allocates for a Service.
const ALLOCATED: [&str; 3] = ["clusterIPs", "ipFamilies", "ipFamilyPolicy"];

/// Takes out of `live` the defaults that `rendered` leaves to the server.
pub(super) fn remove(kind: &str, live: &mut Value, rendered: &Value) {
    remove_below(kind, "", live, Some(rendered));
    if kind == "Service" {
        let wanted = rendered.get("spec");
        if let Some(spec) = live.get_mut("spec").and_then(Value::as_object_mut) {
            let is_wanted = |key: &str| wanted.is_some_and(|wanted| wanted.get(key).is_some());
            spec.retain(|key, _| !ALLOCATED.contains(&key.as_str()) || is_wanted(key));
        }
    }
    remove_derived(live, rendered);
}

fn remove_below(kind: &str, path: &str, live: &mut Value, rendered: Option<&Value>) {
    match live {
        Value::Object(fields) => {
            let keys: Vec<_> = fields.keys().cloned().collect();
            for key in keys {
                remove_field(kind, path, fields, &key, rendered);
            }
        }
        Value::Array(items) => {
            for (i, item) in items.iter_mut().enumerate() {
                remove_below(kind, path, item, rendered.and_then(|rendered| rendered.get(i)));
            }
        }
        _ => {}
    }
}

fn remove_field(kind: &str, path: &str, fields: &mut Map<String, Value>, key: &str, rendered: Option<&Value>) {
    let path = if path.is_empty() {
        key.to_owned()
    } else {
        format!("{path}.{key}")
    };
    let rendered = rendered.and_then(|rendered| rendered.get(key));
    let Some(value) = fields.get_mut(key) else { return };
    let is_default = rendered.is_none() && of(kind, &path).is_some_and(|default| default == *value);
    let was_filled = value.as_object().is_some_and(|inner| !inner.is_empty());
    if !is_default {
        remove_below(kind, &path, value, rendered);
    }
    // A strategy of which nothing but defaults is there is one that nobody wrote.
    let is_emptied = was_filled && rendered.is_none() && value.as_object().is_some_and(Map::is_empty);
    if is_default || is_emptied {
        fields.remove(key);
    }
}

/// What follows from other fields: the old name of `serviceAccountName`, the pull policy of an image, a port's target.
fn remove_derived(live: &mut Value, rendered: &Value) {
    let wanted = rendered.pointer("/spec/template/spec");
    if let Some(pod) = live.pointer_mut("/spec/template/spec").and_then(Value::as_object_mut) {
        let is_alias = pod.get("serviceAccount") == pod.get("serviceAccountName");
        if is_alias && wanted.is_some_and(|wanted| wanted.get("serviceAccount").is_none()) {
            pod.remove("serviceAccount");
        }
        for list in ["containers", "initContainers"] {
            let wanted = wanted.and_then(|wanted| wanted.get(list));
            for_each_pair(pod.get_mut(list), wanted, |container, wanted| {
                let default = container.get("image").and_then(Value::as_str).map(pull_policy);
                remove_if(container, wanted, "imagePullPolicy", default.map(Value::from).as_ref());
            });
        }
    }
    let ports = live.pointer_mut("/spec/ports");
    for_each_pair(ports, rendered.pointer("/spec/ports"), |port, wanted| {
        // A target of 0 is rendered where the operator leaves it to the server.
        let wanted = Some(wanted).filter(|wanted| wanted.get("targetPort").is_some_and(|target| *target != json!(0)));
        let target = port.get("port").cloned();
        remove_if(port, wanted.unwrap_or(&Value::Null), "targetPort", target.as_ref());
    });
}

fn for_each_pair(
    live: Option<&mut Value>,
    rendered: Option<&Value>,
    mut change: impl FnMut(&mut Map<String, Value>, &Value),
) {
    let live = live.and_then(Value::as_array_mut).into_iter().flatten();
    for (live, rendered) in live.zip(rendered.and_then(Value::as_array).into_iter().flatten()) {
        if let Some(live) = live.as_object_mut() {
            change(live, rendered);
        }
    }
}

fn remove_if(live: &mut Map<String, Value>, rendered: &Value, key: &str, default: Option<&Value>) {
    if rendered.get(key).is_none() && default.is_some() && live.get(key) == default {
        live.remove(key);
    }
}

/// `SetDefaults_Container`: an image without a tag is the latest one.
fn pull_policy(image: &str) -> &'static str {
    let name = image.rsplit('/').next().unwrap_or_default();
    let is_latest = !name.contains('@') && (name.ends_with(":latest") || !name.contains(':'));
    if is_latest { "Always" } else { "IfNotPresent" }
}

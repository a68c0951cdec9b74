//! Tests for the reported differences and their presentation.

use crate::testing::documents;
use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::state::ObjectContents;
use super::{
    ApplyAction, DiffOptions, MAX_JOBS, ObjectChange, ObjectState, Summary, diff, show_file, unmanaged_fields,
};
use crate::api::core::shape::GoStruct;
use crate::diagnostic::{Code, ObjectKey};
use crate::printable::{Screen, Text};

fn state(json: Value) -> ObjectState<'static> {
    let text = |pointer: &str| {
        let text = json.pointer(pointer).and_then(Value::as_str);
        text.unwrap_or_default().to_owned()
    };
    let key = ObjectKey { kind: text("/kind"), namespace: text("/metadata/namespace"), name: text("/metadata/name") };
    let documents: &'static _ = Vec::leak(documents(String::leak(json.to_string())));
    let manifest = ObjectContents::Read(documents[0].root());
    ObjectState { key, manifest }
}

fn object(kind: &str, fields: Value) -> Value {
    let version = if matches!(kind, "Secret" | "Service") { "v1" } else { "apps/v1" };
    let mut object = json!({"apiVersion": version, "kind": kind, "metadata": {"name": "a", "namespace": "n"}});
    let object_fields = object.as_object_mut().unwrap();
    object_fields.extend(fields.as_object().unwrap().clone());
    object
}

fn changes(kind: &str, before: Value, after: Value, options: DiffOptions) -> Vec<ObjectChange> {
    let (before, after) = (state(object(kind, before)), state(object(kind, after)));
    let changes = diff(vec![before], vec![after], options);
    changes.collect()
}

/// Returns the lines of a diff that differ.
fn lines(change: &ObjectChange) -> Vec<String> {
    let text = change.unified_diff(0);
    let changed = text.lines().skip(2).filter(|line| !line.starts_with('@'));
    changed.map(str::to_owned).collect()
}

/// Returns the diff that [`show_file`] adds for a file in the output directory.
fn file_diff(path: &str, before: Option<&str>, after: Option<&str>) -> String {
    let mut text = Text::default();
    show_file(std::path::Path::new("out"), path, before, after, &mut text);
    text.into_string()
}

fn secret(key: &str, value: &[u8]) -> Value {
    json!({"data": {key: STANDARD.encode(value)}})
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn read(text: &str) -> (Vec<ObjectState<'static>>, Vec<Code>) {
    let mut diagnostics = Vec::new();
    let states = super::read(Vec::leak(documents(String::leak(text.to_owned()))), "default", &mut diagnostics);
    (states, diagnostics.iter().map(|d| d.code).collect())
}

#[test]
fn ignores_fields_set_by_the_server() {
    let live = json!({
        "metadata": {
            "name": "a", "namespace": "n", "uid": "u", "resourceVersion": "1", "generation": 3,
            "creationTimestamp": "2026-01-01T00:00:00Z", "managedFields": [{"manager": "m"}], "selfLink": "/x",
            "ownerReferences": [{"uid": "o"}],
            "annotations": {"kubectl.kubernetes.io/last-applied-configuration": "{}", "deployment.kubernetes.io/revision": "2"},
        },
        "status": {"replicas": 1},
    });
    let rendered = json!({"metadata": {"name": "a", "namespace": "n", "creationTimestamp": null}, "status": {}});
    assert_eq!(changes("Deployment", live.clone(), rendered.clone(), DiffOptions::default()), []);
    let options = DiffOptions { owner_references: true, ..DiffOptions::default() };
    let actual = changes("Deployment", live, rendered, options);
    assert_eq!(lines(&actual[0]), ["-  ownerReferences:", "-  - uid: o"]);
}

/// Returns a live object that is annotated with the manifest that kubectl last applied.
fn live_object(applied: Option<Value>, fields: Value) -> Value {
    let mut live = json!({"metadata": {"name": "a", "namespace": "n", "uid": "u", "annotations": {}}});
    live.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    if let Some(applied) = applied {
        let annotation = "kubectl.kubernetes.io/last-applied-configuration";
        live["metadata"]["annotations"][annotation] = applied.to_string().into();
    }
    live
}

fn containers(containers: Value) -> Value {
    json!({"spec": {"template": {"spec": {"containers": containers}}}})
}

#[test]
fn keeps_fields_of_other_owners() {
    let restarted =
        json!({"spec": {"template": {"metadata": {"annotations": {"kubectl.kubernetes.io/restartedAt": "now"}}}}});
    let injected = containers(json!([
        {"name": "proxy", "image": "p:1"},
        {"name": "agent", "image": "a:1", "env": [{"name": "INJECTED", "value": "1"}, {"name": "E", "value": "1"}]},
    ]));
    let rendered = containers(json!([{"name": "agent", "image": "a:1", "env": [{"name": "E", "value": "1"}]}]));
    for (fields, rendered) in [(restarted, json!({"spec": {"template": {}}})), (injected, rendered)] {
        for applied in [None, Some(rendered.clone())] {
            let live = live_object(applied, fields.clone());
            assert_eq!(changes("DaemonSet", live, rendered.clone(), DiffOptions::default()), []);
        }
        // In a manifest file, every field is treated as applied.
        assert_eq!(changes("DaemonSet", fields, rendered, DiffOptions::default()).len(), 1);
    }
}

#[test]
fn lists_fields_that_applying_does_not_remove() {
    let fields = |image: &str| {
        let mut fields = containers(json!([
            {"name": "agent", "image": image, "imagePullPolicy": "Always", "env": [{"name": "E", "value": "1"}]},
            {"name": "old", "image": "o:1"},
        ]));
        fields["spec"]["template"]["metadata"] = json!({"annotations": {"a.example/b": "c"}});
        fields
    };
    let mut rendered = containers(json!([{"name": "agent", "image": "a"}]));
    rendered["spec"]["template"]["metadata"] = json!({});
    let unmanaged_fields = |applied, managed: Value| {
        let mut live = live_object(applied, fields("a"));
        live["metadata"]["managedFields"] = managed;
        live["metadata"]["ownerReferences"] = json!([{"uid": "o"}]);
        let (live, rendered) = (object("DaemonSet", live), object("DaemonSet", rendered.clone()));
        unmanaged_fields(&state(live), &state(rendered)).map(|unmanaged_fields| unmanaged_fields.fields)
    };
    let expected = [
        "spec.template.metadata.annotations[a.example/b]",
        "spec.template.spec.containers[agent].env",
        "spec.template.spec.containers[old]",
    ];
    assert_eq!(unmanaged_fields(None, Value::Null), Some(expected.map(str::to_owned).to_vec()));
    // If the last applied manifest is known, all fields that are not in it belong to other owners.
    assert_eq!(unmanaged_fields(Some(rendered.clone()), Value::Null), None);
    let labels = json!({"f:metadata": {"f:labels": {"f:app.kubernetes.io/managed-by": {}}}});
    let applied = json!({"operation": "Apply", "fieldsV1": labels});
    assert_eq!(unmanaged_fields(None, json!([applied])), None);
    // The creator of the object may also own some of its fields.
    let mut created = labels;
    created["f:spec"] = json!({"f:template": {"f:spec": {"f:containers": {"k:{\"name\":\"old\"}": {"f:name": {}}}}}});
    let created = json!({"operation": "Update", "fieldsV1": created});
    assert_eq!(unmanaged_fields(None, json!([applied, created])), Some(vec![expected[2].to_owned()]));
}

#[test]
fn removes_previously_applied_fields() {
    let applied = containers(json!([
        {"name": "old", "image": "o:1"},
        {"name": "agent", "image": "a:1", "args": ["x"], "env": [{"name": "E", "value": "1"}, {"name": "F", "value": "1"}]},
    ]));
    let rendered = containers(json!([{"name": "agent", "image": "a:1", "env": [{"name": "F", "value": "1"}]}]));
    let actual = changes("DaemonSet", live_object(Some(applied.clone()), applied), rendered, DiffOptions::default());
    assert_eq!(
        lines(&actual[0]),
        [
            "-      - image: o:1",
            "-        name: old",
            "-      - args:",
            "-        - x",
            "-        env:",
            "-        - name: E",
            "-          value: \"1\"",
            "+      - env:",
        ]
    );
}

#[test]
fn keeps_the_annotations_map() {
    let live = live_object(
        Some(json!({"metadata": {"annotations": {}}})),
        json!({"metadata": {"name": "a", "namespace": "n", "annotations": {"note": "hello"}}}),
    );
    assert_eq!(changes("Service", live, json!({}), DiffOptions::default()), []);
}

#[test]
fn replaces_the_volume_source() {
    let volume = |source: &str| json!({"spec": {"template": {"spec": {"volumes": [{"name": "v", source: {}}]}}}});
    let actual = changes("DaemonSet", live_object(None, volume("emptyDir")), volume("nfs"), DiffOptions::default());
    assert_eq!(
        lines(&actual[0]),
        ["-      - emptyDir: {}", "-        name: v", "+      - name: v", "+        nfs: {}"]
    );
}

/// Returns a container with ports such as `53/dns/UDP`.
fn ports(ports: &str) -> Value {
    let port = |port: &str| {
        let (number, name_and_protocol) = port.split_once('/').unwrap();
        let (name, protocol) = name_and_protocol.split_once('/').unwrap();
        json!({"containerPort": number.parse::<u16>().unwrap(), "name": name, "protocol": protocol})
    };
    let ports: Vec<_> = ports.split_whitespace().map(port).collect();
    containers(json!([{"name": "agent", "ports": ports}]))
}

/// Applies a DaemonSet with these `fields`, and returns the ports of its container.
fn apply_ports(live: &Value, fields: Value) -> String {
    let applied = super::apply::apply(GoStruct::find_object("DaemonSet"), live, object("DaemonSet", fields));
    let ports = applied.pointer("/spec/template/spec/containers/0/ports").and_then(Value::as_array);
    let port = |port: &Value| format!("{}/{}/{}", port["containerPort"], port["name"], port["protocol"]);
    let ports: Vec<_> = ports.unwrap().iter().map(|item| port(item).replace('"', "")).collect();
    ports.join(" ")
}

/// The results are those of `kubectl apply` 1.32.
#[test]
fn merges_ports_with_equal_numbers_like_kubectl() {
    const TWO: &str = "53/t/TCP 53/u/UDP";
    for (live, rendered, expected) in [
        (TWO, TWO, TWO),
        (TWO, "53/t/TCP 53/u/UDP 80/x/TCP", "53/t/TCP 53/u/UDP 80/x/TCP"),
        (TWO, "80/x/TCP 53/t/TCP 53/u/UDP", "80/x/TCP 53/t/TCP 53/u/UDP"),
        (TWO, "53/t/TCP", ""),
        (TWO, "53/u/UDP", ""),
        (TWO, "53/t/TCP 53/v/UDP", "53/v/TCP 53/u/UDP"),
        (TWO, "53/a/TCP 53/b/UDP", "53/a/TCP 53/u/UDP"),
        (TWO, "53/u/UDP 53/t/TCP", "53/u/UDP 53/u/UDP"),
        ("53/t/TCP", TWO, "53/t/TCP"),
        ("53/t/TCP 80/x/TCP 53/u/UDP", "53/t/TCP 80/x/TCP 53/u/UDP", "53/t/TCP 80/x/TCP 53/u/UDP"),
        ("53/t/TCP 80/x/TCP 53/u/UDP", "53/t/TCP 80/y/TCP 53/u/UDP", "53/t/TCP 53/u/UDP 80/y/TCP"),
    ] {
        let actual = apply_ports(&live_object(Some(ports(live)), ports(live)), ports(rendered));
        assert_eq!(actual, expected, "{live} + {rendered}");
    }
    // Without the manifest that was last applied, nothing is removed.
    let live = live_object(None, ports(TWO));
    assert_eq!(apply_ports(&live, ports("53/t/TCP")), TWO);
    let (live, rendered) = (object("DaemonSet", live), object("DaemonSet", ports("53/t/TCP")));
    let actual = unmanaged_fields(&state(live), &state(rendered)).unwrap();
    assert_eq!(actual.fields, ["spec.template.spec.containers[agent].ports[53, UDP]"]);
}

#[test]
fn matches_items_by_all_keys_in_a_server_side_apply() {
    let labels = json!({"f:labels": {"f:app.kubernetes.io/managed-by": {}}});
    let keys = ["TCP", "UDP"].map(|protocol| format!("k:{{\"containerPort\":53,\"protocol\":\"{protocol}\"}}"));
    let keys: serde_json::Map<_, _> = keys.into_iter().map(|key| (key, json!({".": {}}))).collect();
    let container = json!({"k:{\"name\":\"agent\"}": {"f:ports": keys}});
    let spec = json!({"f:template": {"f:spec": {"f:containers": container}}});
    let applied = json!({"operation": "Apply", "fieldsV1": {"f:metadata": labels, "f:spec": spec}});
    for (live, rendered) in [
        ("53/t/TCP", "53/t/TCP 53/u/UDP"),
        ("53/t/TCP 53/u/UDP", "53/u/UDP"),
        ("53/t/TCP 53/u/UDP", "53/t/TCP 53/v/UDP 80/x/TCP"),
        ("53/t/TCP 53/u/UDP", "53/u/UDP 53/t/TCP"),
    ] {
        let mut live = live_object(None, ports(live));
        live["metadata"]["managedFields"] = json!([applied]);
        assert_eq!(apply_ports(&live, ports(rendered)), rendered);
    }
}

#[test]
fn compares_annotations_without_managed_fields() {
    let live = json!({"metadata": {"name": "a", "namespace": "n", "annotations": {"mine": "1"}}});
    assert_eq!(changes("Service", live, json!({}), DiffOptions::default()).len(), 1);
}

#[test]
fn ignores_defaults_set_by_the_server() {
    for (kind, live, rendered) in [
        ("Secret", json!({"type": "Opaque"}), json!({})),
        (
            "Service",
            json!({"spec": {
                "clusterIP": "None", "clusterIPs": ["None"], "ipFamilies": ["IPv4"], "ipFamilyPolicy": "SingleStack",
                "internalTrafficPolicy": "Cluster", "sessionAffinity": "None", "type": "ClusterIP",
                "ports": [{"name": "http", "port": 80, "protocol": "TCP", "targetPort": 80}],
            }}),
            json!({"spec": {"clusterIP": "None", "ports": [{"name": "http", "port": 80}]}}),
        ),
        // In a field that is not a pointer, zero means unset.
        (
            "Service",
            json!({"spec": {"ports": [{"port": 80, "targetPort": 80}, {"port": 81, "targetPort": 81}]}}),
            json!({"spec": {"ports": [{"port": 80, "targetPort": 0}, {"port": 81, "targetPort": ""}]}}),
        ),
        // A derived field always has the value of the field it is derived from, even if the manifest sets it.
        (
            "DaemonSet",
            json!({"spec": {"template": {"spec": {"serviceAccount": "s", "serviceAccountName": "s"}}}}),
            json!({"spec": {"template": {"spec": {"serviceAccount": "t", "serviceAccountName": "s"}}}}),
        ),
        (
            "StatefulSet",
            json!({"spec": {
                "podManagementPolicy": "OrderedReady", "replicas": 1, "revisionHistoryLimit": 10,
                "updateStrategy": {"rollingUpdate": {"partition": 0}, "type": "RollingUpdate"},
                "persistentVolumeClaimRetentionPolicy": {"whenDeleted": "Retain", "whenScaled": "Retain"},
                "volumeClaimTemplates": [{
                    "apiVersion": "v1", "kind": "PersistentVolumeClaim",
                    "metadata": {"name": "w"}, "spec": {"volumeMode": "Filesystem"}, "status": {"phase": "Pending"},
                }],
            }}),
            json!({"spec": {"volumeClaimTemplates": [{"metadata": {"name": "w", "creationTimestamp": null}, "spec": {}, "status": {}}]}}),
        ),
        (
            "DaemonSet",
            json!({"spec": {"template": {"spec": {
                "dnsPolicy": "ClusterFirst", "restartPolicy": "Always", "schedulerName": "default-scheduler",
                "securityContext": {}, "serviceAccount": "s", "serviceAccountName": "s",
                "terminationGracePeriodSeconds": 30,
                "volumes": [{"name": "v", "secret": {"secretName": "x", "defaultMode": 420}}],
                "containers": [{
                    "image": "a/b:v1", "imagePullPolicy": "IfNotPresent", "resources": {},
                    "terminationMessagePath": "/dev/termination-log", "terminationMessagePolicy": "File",
                    "env": [{"name": "E", "valueFrom": {"fieldRef": {"apiVersion": "v1", "fieldPath": "p"}}}],
                    "readinessProbe": {"failureThreshold": 3, "httpGet": {"path": "/r", "scheme": "HTTP"}, "periodSeconds": 10},
                }],
            }}}}),
            json!({"spec": {"template": {"spec": {
                "serviceAccountName": "s", "volumes": [{"name": "v", "secret": {"secretName": "x"}}],
                "containers": [{
                    "image": "a/b:v1", "env": [{"name": "E", "valueFrom": {"fieldRef": {"fieldPath": "p"}}}],
                    "readinessProbe": {"httpGet": {"path": "/r"}},
                }],
            }}}}),
        ),
    ] {
        let actual = changes(kind, live, rendered, DiffOptions::default());
        assert!(actual.is_empty(), "{}", actual[0].unified_diff(0));
    }
}

#[test]
fn ignores_zero_values_that_go_omits() {
    let zero = json!({"spec": {"template": {"spec": {"hostNetwork": false}}}});
    let none = json!({"spec": {"template": {"spec": {}}}});
    let before = live_object(Some(zero.clone()), zero.clone());
    assert_eq!(changes("DaemonSet", before, none.clone(), DiffOptions::default()), []);
    assert_eq!(changes("DaemonSet", none, zero, DiffOptions::default()), []);
}

#[test]
fn reports_non_default_values() {
    for (kind, live) in [
        ("StatefulSet", json!({"spec": {"replicas": 2}})),
        ("DaemonSet", json!({"spec": {"updateStrategy": {"type": "OnDelete"}}})),
        ("Deployment", json!({"spec": {"template": {"spec": {"restartPolicy": "Never"}}}})),
        // The server adds an empty `securityContext`, but not an empty `affinity`.
        ("Deployment", json!({"spec": {"template": {"spec": {"affinity": {}}}}})),
        ("Service", json!({"spec": {"sessionAffinity": "ClientIP"}})),
        ("Secret", json!({"type": "kubernetes.io/tls"})),
    ] {
        assert_eq!(changes(kind, live, json!({"spec": {}}), DiffOptions::default()).len(), 1, "{kind}");
    }
    // In a field that is a pointer, zero is a value like any other.
    for (live, rendered) in [(0, 1), (1, 0)] {
        let replicas = |number: i32| json!({"spec": {"replicas": number}});
        let actual = changes("Deployment", replicas(live), replicas(rendered), DiffOptions::default());
        let expected = [format!("-  replicas: {live}"), format!("+  replicas: {rendered}")];
        assert_eq!(lines(&actual[0]), expected);
    }
    // The rendered value differs from the default, so the difference is shown.
    let (live, rendered) = (json!({"spec": {"replicas": 1}}), json!({"spec": {"replicas": 3}}));
    assert_eq!(
        lines(&changes("StatefulSet", live, rendered, DiffOptions::default())[0]),
        ["-  replicas: 1", "+  replicas: 3"]
    );
    let latest_image =
        |policy| json!({"spec": {"template": {"spec": {"containers": [{"image": "a", "imagePullPolicy": policy}]}}}});
    let rendered = json!({"spec": {"template": {"spec": {"containers": [{"image": "a"}]}}}});
    assert!(changes("Deployment", latest_image("Always"), rendered.clone(), DiffOptions::default()).is_empty());
    assert_eq!(changes("Deployment", latest_image("IfNotPresent"), rendered, DiffOptions::default()).len(), 1);
}

#[test]
fn recreates_objects_if_immutable_fields_differ() {
    for (kind, field, expected) in [
        ("StatefulSet", "selector", true),
        ("StatefulSet", "serviceName", true),
        ("StatefulSet", "volumeClaimTemplates", true),
        ("StatefulSet", "podManagementPolicy", true),
        ("StatefulSet", "template", false),
        ("StatefulSet", "replicas", false),
        ("DaemonSet", "selector", true),
        ("DaemonSet", "updateStrategy", false),
        ("Deployment", "selector", true),
        ("Deployment", "strategy", false),
        ("Service", "selector", false),
        ("Service", "clusterIP", true),
    ] {
        let actual =
            changes(kind, json!({"spec": {field: "x"}}), json!({"spec": {field: "y"}}), DiffOptions::default());
        let expected: Vec<_> = expected.then(|| format!("spec.{field}")).into_iter().collect();
        assert_eq!(actual[0].recreate, expected, "{kind} {field}");
        let mut summary = Summary::default();
        actual.iter().for_each(|change| summary.add(change));
        assert_eq!(summary.recreated, expected.len(), "{kind} {field}");
    }
    let external = json!({"spec": {"type": "ExternalName", "externalName": "a.example"}});
    let headless = json!({"spec": {"clusterIP": "None"}});
    let actual = changes("Service", live_object(None, external), headless, DiffOptions::default());
    assert_eq!(actual[0].recreate, [""; 0]);
}

#[test]
fn matches_objects_by_kind_namespace_and_name() {
    let object_state =
        |kind: &str, name: &str| state(json!({"kind": kind, "metadata": {"name": name, "namespace": "n"}}));
    let before = vec![object_state("Service", "same"), object_state("Service", "old"), object_state("Secret", "new")];
    let after = vec![object_state("Secret", "new"), object_state("DaemonSet", "new"), object_state("Service", "same")];
    let actual: Vec<_> =
        diff(before, after, DiffOptions::default()).map(|change| (change.key.to_string(), change.action)).collect();
    let expected = [("DaemonSet/n/new", ApplyAction::Added), ("Service/n/old", ApplyAction::Removed)];
    assert_eq!(actual, expected.map(|(key, action)| (key.to_owned(), action)));
}

#[test]
fn masks_secret_values() {
    let data = |a: &str, b: &str| json!({"data": {"a": STANDARD.encode(a), "b": STANDARD.encode(b)}});
    let actual = changes("Secret", data("one", "kept"), data("two", "kept"), DiffOptions::default());
    assert_eq!(lines(&actual[0]), ["-  a: '*** (before)'", "+  a: '*** (after)'"]);
    assert!(actual[0].text_after().contains("b: '***'\n"), "{}", actual[0].text_after());
    let options = DiffOptions { show_secrets: true, ..DiffOptions::default() };
    let actual = changes("Secret", data("one", "kept"), data("two", "kept"), options);
    assert_eq!(lines(&actual[0]), ["-  a: one", "+  a: two"]);
}

#[test]
fn shows_secrets_of_other_objects_on_request() {
    let pod = |password: &str| {
        let env = json!([{"name": "DB_PASSWORD", "value": password}]);
        containers(json!([{"name": "a", "env": env}]))
    };
    for (show_secrets, [before, after]) in [(false, ["'*** (before)'", "'*** (after)'"]), (true, ["one", "two"])] {
        let options = DiffOptions { show_secrets, ..DiffOptions::default() };
        let actual = changes("Deployment", pod("one"), pod("two"), options);
        let expected = [format!("-          value: {before}"), format!("+          value: {after}")];
        assert_eq!(lines(&actual[0]), expected);
    }
}

#[test]
fn shows_no_part_of_a_secret() {
    let applied = "kubectl.kubernetes.io/last-applied-configuration";
    for before in [
        json!({"stringData": {"a": "PLANTED"}}),
        json!({"stringData": "PLANTED"}),
        json!({"data": {"a": "PLANTED, which is not base64"}}),
        json!({"data": "PLANTED"}),
        json!({"data": ["PLANTED"]}),
        json!({"data": {"a": {"b": "PLANTED"}}}),
        json!({"stringdata": {"a": "PLANTED"}}),
        json!({"metadata": {"name": "a", "namespace": "n", "annotations": {applied: "PLANTED"}}, "x": 1}),
        secret("agent.yml", b"not: [PLANTED"),
        secret("agent.yml", b"PLANTED"),
        secret("agent.yml", b"\xffPLANTED"),
        secret("agent.yml", b"a: PLANTED\n---\nb: PLANTED\n"),
        secret("agent.yml", b"\x1f\x8bPLANTED"),
        secret("config.alloy", b"PLANTED"),
        secret("config.alloy", b"a = {\n\tb = \"PLANTED\"\n"),
        secret("config.alloy", b"a {\n\tpassword = \"PLANTED\"\n}\n"),
    ] {
        let rendered = secret("a", b"PLANTED, too");
        for (before, after) in [(before.clone(), rendered.clone()), (rendered, before.clone())] {
            for change in changes("Secret", before, after, DiffOptions::default()) {
                let text = format!("{change:?}{}{}", change.text_before(), change.text_after());
                assert!(text.starts_with("ObjectChange(Changed Secret/n/a, recreate [])"), "{text}");
                assert!(!text.contains("PLANTED") && !text.contains("UExBTlRFR"), "{text}");
            }
        }
        let file = serde_json::to_string(&object("Secret", before)).unwrap();
        let text = file_diff("n/secret_a.yaml", Some(&file), None);
        assert!(!text.contains("PLANTED") && !text.contains("UExBTlRFR"), "{text}");
    }
}

#[test]
fn compares_alloy_configurations_as_text() {
    let config = |password: &str, url: &str| {
        let file = "x = local.file.p.content";
        format!("a.b \"c\" {{\n\tpassword = \"{password}\"\n\turl = \"{url}\"\n\t{file}\n}}\n")
    };
    let (before, after) = (config("one", "http://u:same@h/a"), config("two", "http://u:same@h/b"));
    let packed = gzip(before.as_bytes());
    for before in [before.as_bytes(), &packed] {
        let (before, after) = (secret("config.alloy", before), secret("config.alloy", after.as_bytes()));
        let actual = changes("Secret", before, after, DiffOptions::default());
        let expected = [
            "-\tpassword = \"*** (before)\"",
            "-\turl = \"http://***@h/a\"",
            "+\tpassword = \"*** (after)\"",
            "+\turl = \"http://***@h/b\"",
        ];
        assert_eq!(lines(&actual[0]), expected);
        assert!(actual[0].text_after().contains("# data: config.alloy\na.b \"c\" {\n"), "{}", actual[0].text_after());
    }
    let same = changes(
        "Secret",
        secret("config.alloy", &packed),
        secret("config.alloy", before.as_bytes()),
        DiffOptions::default(),
    );
    assert_eq!(same, []);
    let (before, after) = (secret("agent.yml", b"a: 1\n"), secret("config.alloy", b"a = 1\n"));
    let actual = changes("Secret", before, after, DiffOptions::default());
    assert_eq!(lines(&actual[0]), ["-# data: agent.yml", "-a: 1", "+# data: config.alloy", "+a = 1"]);
}

#[test]
fn masks_secrets_in_configurations() {
    for (line, shown) in [
        ("password: PLANTED", "password: '***'"),
        ("username: PLANTED", "username: '***'"),
        ("bearer_token: PLANTED", "bearer_token: '***'"),
        ("credentials: PLANTED", "credentials: '***'"),
        ("client_id: PLANTED", "client_id: '***'"),
        ("client_secret: 12345", "client_secret: '***'"),
        ("access_key: PLANTED", "access_key: '***'"),
        ("secret_key: PLANTED", "secret_key: '***'"),
        ("saslPassword: PLANTED", "saslPassword: '***'"),
        ("redis-password: PLANTED", "redis-password: '***'"),
        ("data_source_names: [PLANTED]", "data_source_names:\n        - '***'"),
        ("headers: {Authorization: PLANTED}", "headers:\n        Authorization: '***'"),
        ("authorization: PLANTED", "authorization: '***'"),
        (
            "authorization: {credentials: PLANTED, type: Bearer}",
            "authorization:\n        credentials: '***'\n        type: Bearer",
        ),
        ("url: http://u:PLANTED@host/p", "url: http://***@host/p"),
        ("url: http://u:a/PLANTED@host/p", "url: http://***@host/p"),
        ("url: http://host/p?a=b&token=PLANTED", "url: http://host/p?a=b&token=***"),
        ("url: http://u@x:a?PLANTED@host/p", "url: '***'"),
        ("api_key: http://host/PLANTED?token=x", "api_key: '***'"),
        ("key: |\n    -----BEGIN PRIVATE KEY-----\n    PLANTED\n", "key: |\n        ***\n        ***"),
        ("password_file: /shown", "password_file: /shown"),
        ("token_url: https://shown/x", "token_url: https://shown/x"),
        ("url: http://host/p?a=b", "url: http://host/p?a=b"),
        ("bearer_token: null", "bearer_token: null"),
        ("bypass: yes", "bypass: true"),
    ] {
        let text = format!("a:\n  {line}");
        let actual = changes("Secret", secret("agent.yml", text.as_bytes()), json!({}), DiffOptions::default());
        let expected = format!("# data: agent.yml\na:\n    {shown}\n");
        assert!(actual[0].text_before().ends_with(&expected), "{line}: {}", actual[0].text_before());
    }
}

#[test]
fn compares_secrets_within_the_same_list_item() {
    let config = |jobs: &[(&str, &str)]| {
        let jobs = jobs.iter().map(|(name, password)| format!("- job_name: {name}\n  password: {password}\n"));
        secret("agent.yml", format!("jobs:\n{}", jobs.collect::<String>()).as_bytes())
    };
    let swapped_values =
        changes("Secret", config(&[("a", "x"), ("b", "y")]), config(&[("a", "y"), ("b", "x")]), DiffOptions::default());
    let (before, after) = ("-      password: '*** (before)'", "+      password: '*** (after)'");
    assert_eq!(lines(&swapped_values[0]), [before, after, before, after]);
    let added = changes("Secret", config(&[("b", "y")]), config(&[("a", "x"), ("b", "y")]), DiffOptions::default());
    assert_eq!(lines(&added[0]), ["+    - job_name: a", "+      password: '***'"]);
}

#[test]
fn shows_changed_remote_writes_with_credentials_in_urls() {
    let config = |url: &str| secret("agent.yml", format!("remote_write:\n- url: {url}\n").as_bytes());
    for (before, after, shown) in [
        (
            "https://u:PLANTED1@host/p",
            "https://u:PLANTED2@host/p",
            ["-    - url: https://*** (before)@host/p", "+    - url: https://*** (after)@host/p"],
        ),
        (
            "https://u:PLANTED1@host/p",
            "https://u:PLANTED2@other/p",
            ["-    - url: https://***@host/p", "+    - url: https://***@other/p"],
        ),
        (
            "https://host/p?token=PLANTED1",
            "https://host/p?token=PLANTED2",
            ["-    - url: https://host/p?token=*** (before)", "+    - url: https://host/p?token=*** (after)"],
        ),
        (
            "https://u@x:PLANTED?1@host/p",
            "https://u@x:PLANTED?2@other/p",
            ["-    - url: '*** (before)'", "+    - url: '*** (after)'"],
        ),
        (
            "https://u:PLANTED@host/p",
            "https://host/p",
            ["-    - url: https://***@host/p", "+    - url: https://host/p"],
        ),
    ] {
        let actual = changes("Secret", config(before), config(after), DiffOptions::default());
        assert_eq!(lines(&actual[0]), shown);
    }
}

#[test]
fn decompresses_configurations() {
    let compressed = gzip(b"a: 1\n");
    let actual =
        changes("Secret", secret("agent.yml", &compressed), secret("agent.yml", b"a: 2\n"), DiffOptions::default());
    assert_eq!(lines(&actual[0]), ["-a: 1", "+a: 2"]);
    let same =
        changes("Secret", secret("agent.yml", &compressed), secret("agent.yml", b"a: 1\n"), DiffOptions::default());
    assert_eq!(same, []);
}

#[test]
fn hides_configurations_that_decompress_to_too_much() {
    let compressed_zeros = |mebibytes: usize| {
        let line = format!("- {}\n", "a".repeat(1021));
        gzip(format!("a:\n{}", line.repeat(mebibytes << 10)).as_bytes())
    };
    let mut truncated = compressed_zeros(1);
    truncated.truncate(100);
    let rendered = b"a: 1\n";
    for show_secrets in [false, true] {
        let options = DiffOptions { show_secrets, ..DiffOptions::default() };
        let actual = |live: &[u8]| {
            let actual = changes("Secret", secret("agent.yml", live), secret("agent.yml", rendered), options);
            lines(&actual[0])
        };
        let after = match show_secrets {
            true => "+  agent.yml: |",
            false => "+  agent.yml: '*** (after)'",
        };
        for (live, problem) in
            [(compressed_zeros(3), "larger than 2MiB when decompressed"), (truncated.clone(), "cannot be decompressed")]
        {
            let before = format!("-  agent.yml: '*** (before) not shown: {problem}'");
            assert_eq!(actual(&live)[..2], [before, after.to_owned()]);
        }
    }
    // A live configuration may be up to twice as large as the rendered configuration.
    let actual = changes(
        "Secret",
        secret("agent.yml", &compressed_zeros(3)),
        secret("agent.yml", &compressed_zeros(2)),
        DiffOptions::default(),
    );
    assert!(actual[0].text_before().contains("# data: agent.yml\na:\n"));
}

#[test]
fn ignores_line_breaks_in_base64() {
    let live = json!({"data": {"a": "b\nmV\n3"}});
    assert_eq!(changes("Secret", live, secret("a", b"new"), DiffOptions::default()), []);
}

#[test]
fn string_data_overrides_data() {
    let live = json!({"data": {"a": STANDARD.encode("old")}, "stringData": {"a": "new"}});
    assert_eq!(changes("Secret", live, secret("a", b"new"), DiffOptions::default()), []);
}

#[test]
fn reads_lists_and_skips_other_kinds() {
    let (states, codes) = read(
        "apiVersion: v1\nkind: List\nitems:\n\
         - {apiVersion: v1, kind: Secret, metadata: {name: a, namespace: n}}\n\
         - {apiVersion: v1, kind: Pod, metadata: {name: p}}\n\
         - {apiVersion: extensions/v1beta1, kind: DaemonSet, metadata: {name: d}}\n---\n\
         apiVersion: apps/v1\nkind: DaemonSetList\nitems: [{metadata: {name: d}}]\n",
    );
    let keys: Vec<_> = states.iter().map(|state| format!("{state:?}")).collect();
    assert_eq!(keys.len(), 2);
    assert!(keys[0].contains("\"a\"") && keys[1].contains("\"default\""), "{keys:?}");
    assert_eq!(codes, []);
}

#[test]
fn reports_mistakes_in_exports() {
    let secret_manifest = "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n";
    for (text, expected) in [
        ("just text", Code::NotAnObject),
        ("- a\n- b", Code::NotAnObject),
        ("kind: Secret", Code::NotAnObject),
        ("apiVersion: v1\nkind: Secret\n", Code::MissingField),
        ("apiVersion: v1\nkind: Secret\nmetadata: 1\n", Code::MissingField),
        (&format!("{secret_manifest}---\n{secret_manifest}"), Code::DuplicateResource),
    ] {
        assert_eq!(read(text).1, [expected], "{text}");
    }
}

#[test]
fn only_operator_objects_are_managed() {
    let managed =
        |value: &str| state(json!({"metadata": {"labels": {"app.kubernetes.io/managed-by": value}}})).is_managed();
    assert!(managed("grafana-agent-operator"));
    assert!(!managed("Helm"));
    let endpoints = |app: &str| {
        let labels = json!({"app.kubernetes.io/managed-by": "grafana-agent-operator", "k8s-app": app});
        state(json!({"kind": "Endpoints", "metadata": {"labels": labels}})).is_managed()
    };
    assert!(endpoints("kubelet"));
    assert!(!endpoints("agent"));
    assert!(!state(json!({})).is_managed());
}

#[test]
fn escapes_control_characters() {
    let actual = changes("Service", json!({"spec": {"a": "\u{202e}x"}}), json!({}), DiffOptions::default());
    let screen = Screen { color: true, width: None };
    let text: String = actual[0].show(3, screen).map(Text::into_string).collect();
    assert!(text.contains("a: \\u{202e}x") && !text.contains('\u{202e}'), "{text}");
    assert!(text.starts_with("\u{1b}[1m--- Service/n/a\u{1b}[0m\n"), "{text:?}");
}

#[test]
fn shows_file_paths_in_headers() {
    let file = "apiVersion: v1\nkind: Service\nmetadata: {name: a, namespace: n}\nspec: {a: 1}\n";
    let text = file_diff("n/service_a.yaml", Some(file), Some(&file.replace("a: 1", "a: 2")));
    assert!(text.starts_with("--- out/n/service_a.yaml\n+++ out/n/service_a.yaml\n"), "{text}");
    assert!(text.ends_with("-  a: 1\n+  a: 2\n"), "{text}");
    let text = file_diff("n/service_a.yaml", Some(file), Some(&format!("# x\n{file}")));
    assert_eq!(text, "out/n/service_a.yaml: only the formatting differs\n");
    let text = file_diff("n/service_a.yaml", Some("PLANTED"), Some(file));
    assert_eq!(text, "out/n/service_a.yaml: the existing file is not a manifest\n");
}

#[test]
fn reports_configurations_that_differ_only_in_formatting() {
    let text = "server: {}\n";
    for other_formatting in ["server: {} # a\n", "# a\nserver: {}\n", "server:  {}\n", "\"server\": {}\n"] {
        let actual = changes(
            "Secret",
            secret("agent.yml", other_formatting.as_bytes()),
            secret("agent.yml", text.as_bytes()),
            DiffOptions::default(),
        );
        let [change] = &*actual else { panic!("{other_formatting}") };
        let expected =
            ["-  agent.yml: '*** (before) with the same meaning'", "+  agent.yml: '*** (after) with the same meaning'"];
        assert_eq!(lines(change), expected, "{other_formatting}");
    }
}

#[test]
fn counts_differences_above_the_limit() {
    let agent_jobs = |count: usize, scheme: &str| {
        let job = |number| {
            format!(
                "            - job_name: serviceMonitor/a/{number}/0\n              password: {scheme}\n              \
                 relabel_configs:\n                - target_label: __tmp_prometheus_job_name\n              scheme: {scheme}\n"
            )
        };
        let jobs: String = (0..count).map(job).collect();
        format!("metrics:\n    configs:\n        - name: a\n          scrape_configs:\n{jobs}server: {{}}\n")
    };
    let agent_configuration = |scheme: &str| agent_jobs(40, scheme);
    let alloy_configuration = |scheme: &str| -> String {
        let job = |number| format!("prometheus.scrape \"a_{number}_0\" {{\n\tscheme = \"{scheme}\"\n}}\n\n");
        (0..40).map(job).collect()
    };
    let options = DiffOptions { context: Some(3), jobs: Some(10), ..DiffOptions::default() };
    let lines = |key: &str, before: Option<String>, after: String| -> Vec<String> {
        let before = before.map_or_else(|| json!({}), |before| secret(key, before.as_bytes()));
        let actual = changes("Secret", before, secret(key, after.as_bytes()), options);
        let diff: String = actual.iter().map(|change| change.unified_diff(3)).collect();
        assert!(!diff.contains("-/-"), "{diff}");
        diff.lines().filter(|line| line.contains('…')).map(str::to_owned).collect()
    };
    assert_eq!(
        lines("agent.yml", Some(agent_configuration("http")), agent_configuration("https")),
        [
            "-            # … 30 more scrape jobs differ (before); diff --full shows all",
            "+            # … 30 more scrape jobs differ (after); diff --full shows all",
        ]
    );
    assert_eq!(
        lines("agent.yml", None, agent_configuration("https")),
        ["+            # … 30 more scrape jobs differ (after); diff --full shows all"]
    );
    assert_eq!(
        lines("config.alloy", Some(alloy_configuration("http")), alloy_configuration("https")),
        [
            "-// … 30 more components differ (before); diff --full shows all",
            "+// … 30 more components differ (after); diff --full shows all",
        ]
    );
    // The default job limit always applies to the diff of a file.
    let file = |scheme: &str| {
        let text = agent_jobs(MAX_JOBS + 2, scheme);
        serde_json::to_string(&object("Secret", secret("agent.yml", text.as_bytes()))).unwrap()
    };
    let text = file_diff("n/secret_a.yaml", Some(&file("http")), Some(&file("https")));
    let count_lines: Vec<_> = text.lines().filter(|line| line.contains('…')).collect();
    assert_eq!(
        count_lines,
        [
            "-            # … 2 more scrape jobs differ (before); diff --full shows all",
            "+            # … 2 more scrape jobs differ (after); diff --full shows all",
        ]
    );
}

#[test]
fn ignores_the_order_of_addresses() {
    let addresses = |ips: &[&str]| {
        let ips: Vec<_> = ips.iter().map(|ip| json!({"ip": ip})).collect();
        let mut endpoints = json!({"subsets": [{"addresses": ips}]});
        super::operator::sort_addresses(&mut endpoints);
        endpoints
    };
    assert_eq!(addresses(&["10.0.0.2", "10.0.0.1"]), addresses(&["10.0.0.1", "10.0.0.2"]));
    assert_ne!(addresses(&["10.0.0.2"]), addresses(&["10.0.0.1"]));
}

#[test]
fn recognizes_rbac_objects_by_kind_and_label() {
    let (label, value) = crate::manifest::RIGHTS_LABEL;
    for (kind, labels, expected) in [
        ("ClusterRole", json!({label: value}), true),
        ("ClusterRoleBinding", json!({label: value}), true),
        ("ClusterRole", json!({label: "other"}), false),
        ("ClusterRole", json!({}), false),
        ("Secret", json!({label: value}), false),
    ] {
        let actual = state(json!({"kind": kind, "metadata": {"name": "a", "labels": labels}}));
        assert_eq!(actual.grants_rights(), expected, "{kind} {labels}");
    }
}

#[test]
fn keeps_line_numbers_after_hidden_jobs() {
    let config = |jobs: &[(&str, &str)], level: &str| {
        let jobs = jobs.iter().map(|(name, scheme)| {
            format!(
                "            - job_name: serviceMonitor/a/{name}/0\n              relabel_configs:\n                - target_label: \
                 __tmp_prometheus_job_name\n              scheme: {scheme}\n"
            )
        });
        let jobs: String = jobs.collect();
        let text = format!(
            "metrics:\n    configs:\n        - name: a\n          scrape_configs:\n{jobs}server:\n    log_level: {level}\n"
        );
        secret("agent.yml", text.as_bytes())
    };
    let header = |before: &Value, after: &Value, jobs: Option<usize>| {
        let options = DiffOptions { context: Some(0), jobs, ..DiffOptions::default() };
        let actual = changes("Secret", before.clone(), after.clone(), options);
        let text = actual[0].unified_diff(0);
        let last_hunk = text.lines().rfind(|line| line.starts_with("@@")).unwrap();
        (last_hunk.to_owned(), text.matches('…').count())
    };
    let (first_config, second_config) =
        (config(&[("a", "x"), ("b", "x")], "info"), config(&[("a", "y"), ("b", "x"), ("c", "x")], "warn"));
    for (before, after) in [(&first_config, &second_config), (&second_config, &first_config)] {
        let (all_header, no_header) = header(before, after, None);
        let (cut, lines) = header(before, after, Some(1));
        assert_eq!((cut, no_header, lines), (all_header, 0, 1));
    }
}

#[test]
fn replaced_values_do_not_keep_old_fields() {
    let pod = |fields: Value| json!({"spec": {"template": {"spec": fields}}});
    for (kind, fields, rendered, expected) in [
        (
            "Deployment",
            json!({"spec": {"strategy": {"type": "Recreate", "rollingUpdate": {"maxSurge": 1}}}}),
            json!({"spec": {"strategy": {"type": "Recreate"}}}),
            &[][..],
        ),
        (
            "DaemonSet",
            pod(
                json!({"volumes": [{"name": "v", "nfs": {"path": "/", "server": "s"}, "emptyDir": {}}, {"name": "w", "emptyDir": {}}]}),
            ),
            pod(json!({"volumes": [{"name": "v", "nfs": {"path": "/", "server": "s"}}]})),
            &["spec.template.spec.volumes[w]"],
        ),
        (
            "DaemonSet",
            pod(
                json!({"affinity": {"nodeAffinity": {"x": 1}}, "nodeSelector": {"a": "b", "c": "d"}, "tolerations": [{"key": "a"}]}),
            ),
            pod(json!({"tolerations": [{"key": "b"}]})),
            &[
                "spec.template.spec.affinity",
                "spec.template.spec.nodeSelector[a]",
                "spec.template.spec.nodeSelector[c]",
            ],
        ),
        (
            "DaemonSet",
            pod(json!({"nodeSelector": {"a": "b", "c": "d"}})),
            pod(json!({"nodeSelector": {"a": "b"}})),
            &["spec.template.spec.nodeSelector[c]"],
        ),
    ] {
        let (live, rendered) = (object(kind, live_object(None, fields)), object(kind, rendered));
        let actual = unmanaged_fields(&state(live), &state(rendered))
            .map_or_else(Vec::new, |unmanaged_fields| unmanaged_fields.fields);
        assert_eq!(actual, expected);
    }
}

#[test]
fn detects_the_release_used_by_most_workloads() {
    let workload = |label: &str, image: &str| {
        state(
            json!({"kind": "DaemonSet", "metadata": {"name": "a", "labels": {"app.kubernetes.io/managed-by": "grafana-agent-operator"}},
            "spec": {"template": {"metadata": {"labels": {"app.kubernetes.io/version": label}}, "spec": {"containers": [
                {"name": "other", "image": "o:v0.1.0"}, {"name": "grafana-agent", "image": image}]}}}}),
        )
    };
    let foreign = state(json!({"kind": "DaemonSet", "spec": {"template": {"metadata": {"labels": {
        "app.kubernetes.io/version": "v0-40-0"}}}}}));
    let image = "grafana/agent:v0.41.0";
    for (states, expected) in [
        (vec![], None),
        (vec![foreign], None),
        (vec![workload("v0-40-0", image)], Some("v0.40.0")),
        (vec![workload("v0-40-0", image), workload("v0-39-0", image), workload("v0-39-0", image)], Some("v0.39.0")),
        (vec![workload("v0-39-0", image), workload("v0-40-0", image)], Some("v0.40.0")),
        (vec![workload("mine", image)], Some("v0.41.0")),
        (vec![workload("mine", image), workload("v0-40-0", image)], Some("v0.40.0")),
        (vec![workload("mine", "grafana/agent")], None),
    ] {
        let actual = super::operator_version(&states).map(|version| version.to_string());
        assert_eq!(actual.as_deref(), expected);
    }
}

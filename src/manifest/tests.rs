//! Manifests of small agents, compared with the operator's.

use crate::testing::documents;
use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::*;
use crate::api::{GrafanaAgent, Integration, Kind, ObjectMeta, Resource, ResourceHeader};
use crate::budget::Budget;
use crate::yaml::{self, Document};

fn resource<'d, S: serde::Deserialize<'d>>(kind: Kind, document: &'d Document<'_>) -> Resource<'d, S> {
    let root = document.root();
    let meta: ObjectMeta<'d> = yaml::decode(root.get("metadata").unwrap()).unwrap();
    let spec = yaml::decode(root.get("spec").unwrap()).unwrap();
    Resource { header: ResourceHeader { kind, meta, root }, spec }
}

/// Renders the agent at the start of the input and the subsequent Integrations.
fn render(text: &str, options: &ManifestOptions) -> Vec<Value> {
    let documents = documents(text);
    let agent: Resource<'_, GrafanaAgent<'_>> = resource(Kind::GrafanaAgent, &documents[0]);
    let integrations: Vec<Resource<'_, Integration<'_>>> =
        documents[1..].iter().map(|document| resource(Kind::Integration, document)).collect();
    let hierarchy = Hierarchy {
        agent: &agent,
        metrics: Vec::new(),
        logs: Vec::new(),
        integrations: integrations.iter().collect(),
        references: Vec::new(),
        secrets: Default::default(),
    };
    let mut parts = ConfigKind::non_empty_kinds(&hierarchy);
    parts.insert(0, ConfigKind::Metrics);
    let configurations = parts.into_iter().map(|part| (part, b"a: b\n".to_vec())).collect();
    let budget = Budget::new(1 << 20);
    let objects = manifests(&hierarchy, BTreeMap::new(), configurations, options, &budget).unwrap();
    objects.iter().map(|object| object.to_json()).collect()
}

fn agent(spec: &str) -> String {
    format!("metadata: {{name: a, namespace: ns, uid: u}}\nspec: {spec}\n")
}

fn names(objects: &[Value]) -> Vec<String> {
    let text = |object: &Value, pointer| object.pointer(pointer).and_then(Value::as_str).unwrap().to_owned();
    objects.iter().map(|object| format!("{}/{}", text(object, "/kind"), text(object, "/metadata/name"))).collect()
}

#[test]
fn renders_objects_in_operator_order() {
    let integrations = "
---
metadata: {name: mysql, namespace: ns}
spec: {name: mysql}
---
metadata: {name: node, namespace: ns}
spec: {name: node_exporter, type: {allNodes: true}}
";
    let objects = render(&(agent("{metrics: {shards: 2}}") + integrations), &ManifestOptions::default());
    assert_eq!(
        names(&objects),
        [
            "Secret/a-secrets",
            "Secret/a-config",
            "Service/a-operated",
            "StatefulSet/a",
            "StatefulSet/a-shard-1",
            "Secret/a-integrations-deploy-config",
            "Secret/a-integrations-ds-config",
            "Deployment/a-integrations-deploy",
            "DaemonSet/a-integrations-ds",
        ]
    );
}

#[test]
fn labels_flag_applies_to_all_objects_except_the_values_secret() {
    let options = ManifestOptions {
        labels: BTreeMap::from([("app.kubernetes.io/managed-by".to_owned(), "me".to_owned())]),
        ..ManifestOptions::default()
    };
    let objects = render(&agent("{}"), &options);
    let managed_by =
        |pointer: &str, object: &Value| object.pointer(pointer).unwrap()["app.kubernetes.io/managed-by"].clone();
    let object_managers: Vec<_> = objects.iter().map(|object| managed_by("/metadata/labels", object)).collect();
    assert_eq!(object_managers, ["grafana-agent-operator", "me", "me", "me"]);
    assert_eq!(managed_by("/spec/selector/matchLabels", &objects[3]), "me");
    assert_eq!(managed_by("/spec/template/metadata/labels", &objects[3]), "me");
    assert_eq!(objects[2]["spec"]["selector"].as_object().unwrap().len(), 2);
}

#[test]
fn sets_owners_on_request() {
    let options = ManifestOptions { owner_references: true, ..ManifestOptions::default() };
    let owners = |objects: Vec<Value>| -> Vec<Value> {
        objects.iter().map(|object| object["metadata"]["ownerReferences"].clone()).collect()
    };
    let secret_owner = json!([{
        "apiVersion": "monitoring.grafana.com/v1alpha1", "kind": "GrafanaAgent", "name": "a", "uid": "u",
        "blockOwnerDeletion": true,
    }]);
    let mut set_owner = secret_owner.clone();
    set_owner[0]["controller"] = json!(true);
    assert_eq!(
        owners(render(&agent("{}"), &options)),
        [secret_owner.clone(), secret_owner, set_owner.clone(), set_owner]
    );
    let without_uid = agent("{}").replace(", uid: u", "");
    assert_eq!(owners(render(&without_uid, &options)), [Value::Null, Value::Null, Value::Null, Value::Null]);
    assert_eq!(owners(render(&agent("{}"), &ManifestOptions::default()))[0], Value::Null);
}

#[test]
fn renders_replicas() {
    for (spec, replicas) in [("{}", 1), ("{metrics: {replicas: 0}}", 0), ("{metrics: {replicas: -2}}", 0)] {
        assert_eq!(render(&agent(spec), &ManifestOptions::default())[3]["spec"]["replicas"], replicas, "{spec}");
    }
}

#[test]
fn renders_volume_claim_templates() {
    let cases = [
        ("{}", Value::Null),
        ("{storage: {emptyDir: {}}}", Value::Null),
        (
            "{storage: {}}",
            json!({"metadata": {"name": "a-wal"}, "spec": {"accessModes": ["ReadWriteOnce"], "resources": {}}}),
        ),
        (
            "{storage: {volumeClaimTemplate: {apiVersion: v1, kind: X, metadata: {name: w}, spec: {accessModes: []}}}}",
            json!({
                "apiVersion": "v1",
                "kind": "X",
                "metadata": {"name": "w"},
                "spec": {"accessModes": ["ReadWriteOnce"], "resources": {}},
            }),
        ),
        (
            "{storage: {volumeClaimTemplate: {status: {phase: Bound}}}}",
            json!({
                "metadata": {"name": "a-wal"},
                "spec": {"accessModes": ["ReadWriteOnce"], "resources": {}},
                "status": {"phase": "Bound"},
            }),
        ),
    ];
    for (spec, expected) in cases {
        let set = &render(&agent(spec), &ManifestOptions::default())[3];
        assert_eq!(set["spec"]["volumeClaimTemplates"][0], expected, "{spec}");
    }
}

#[test]
fn integrations_mount_agent_secrets_once() {
    let integrations = "
---
metadata: {name: mysql, namespace: m}
spec:
  volumes: [{name: v, emptyDir: {}}]
  volumeMounts: [{name: v, mountPath: /v}]
  secrets: [{name: s, key: k.x}, {name: s, key: k.x}]
  configMaps: [{name: s, key: k.x}]
";
    let objects = render(
        &(agent("{storage: {volumeClaimTemplate: {metadata: {name: w}}}}") + integrations),
        &ManifestOptions::default(),
    );
    let pod = objects.last().unwrap().pointer("/spec/template/spec").unwrap();
    let names_of = |list: &Value| -> Vec<String> {
        list.as_array().unwrap().iter().map(|item| item["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(
        names_of(&pod["volumes"]),
        [
            "config",
            "config-out",
            "secrets",
            "m-mysql-v",
            "a-integrations-secrets",
            "a-integrations-deploy-wal",
            "varlog",
            "dockerlogs",
        ]
    );
    assert_eq!(
        pod["volumes"][4]["secret"],
        json!({"secretName": "a-secrets", "items": [
            {"key": "_secrets_m_s_k_x", "path": "secrets/m/s/k.x"},
            {"key": "_configMaps_m_s_k_x", "path": "configMaps/m/s/k.x"},
        ]})
    );
    assert_eq!(
        names_of(&pod["containers"][1]["env"]),
        ["POD_NAME", "AGENT_DEPLOY_MODE", "SHARD", "SHARDS", "HOSTNAME"]
    );
    assert_eq!(pod["containers"][1]["securityContext"], json!({"privileged": false}));
}

#[test]
fn writes_the_same_nulls_as_go() {
    let spec = "{volumes: [{name: p, projected: {}}, {name: e, ephemeral: {volumeClaimTemplate: {spec: {}}}}]}";
    let set = &render(&agent(spec), &ManifestOptions::default())[3];
    let volumes = set.pointer("/spec/template/spec/volumes").unwrap();
    assert_eq!(volumes[4], json!({"name": "p", "projected": {"sources": null}}));
    assert_eq!(
        volumes[5]["ephemeral"]["volumeClaimTemplate"],
        json!({"metadata": {"creationTimestamp": null}, "spec": {"resources": {}}})
    );
    assert_eq!(set["metadata"].get("creationTimestamp"), None);
}

fn node<'d>(document: &'d Document<'_>) -> Resource<'d, ()> {
    let root = document.root();
    let meta = ObjectMeta { name: root.text("name"), ..ObjectMeta::default() };
    Resource { header: ResourceHeader { kind: Kind::Node, meta, root }, spec: () }
}

#[test]
fn sorts_kubelets_by_address() {
    let documents = documents(
        "
name: c
status:
  addresses:
    - {type: ExternalIP, address: 1.1.1.1}
    - {type: InternalIP, address: 10.0.0.9}
    - {type: InternalIP, address: 0.0.0.0}
---
{name: b, status: {addresses: [{type: ExternalIP, address: 10.0.0.10}]}}
---
{name: a, status: {addresses: [{type: InternalIP, address: 10.0.0.9}]}}
",
    );
    let nodes: Vec<_> = documents.iter().map(node).collect();
    let objects = kubelet("n", "k", &nodes.iter().collect::<Vec<_>>()).ok().unwrap();
    let json: Vec<_> = objects.iter().map(|object| object.to_json()).collect();
    assert_eq!(names(&json), ["Service/k", "Endpoints/k"]);
    assert_eq!(json[0]["spec"]["ports"][2], json!({"name": "cadvisor", "port": 4194, "targetPort": 0}));
    let addresses = json[1]["subsets"][0]["addresses"].as_array().unwrap();
    let targets: Vec<_> = addresses.iter().map(|address| &address["targetRef"]["name"]).collect();
    assert_eq!(targets, ["b", "a", "c"]);
}

#[test]
fn nodes_without_an_address_prevent_kubelet_endpoints() {
    let documents = documents(
        "
{name: a, status: {addresses: [{type: InternalIP, address: 10.0.0.9}]}}
---
{name: b, status: {addresses: [{type: Hostname, address: b}]}}
",
    );
    let nodes: Vec<_> = documents.iter().map(node).collect();
    let nodes_without_address = kubelet("n", "k", &nodes.iter().collect::<Vec<_>>()).unwrap_err();
    assert_eq!(nodes_without_address[0].meta.name, "b");
    assert!(kubelet("n", "k", &[]).ok().unwrap().is_empty());
}

#[test]
fn middle_shards_equal_separately_rendered_ones() {
    let claim = "storage: {volumeClaimTemplate: {spec: {resources: {requests: {storage: 1Gi}}}}}";
    for (name, spec) in [
        ("a", "{metrics: {shards: 12}}"),
        ("11", "{metrics: {shards: 12}}"),
        ("a-shard-11", &format!("{{metrics: {{shards: 12}}, {claim}}}")),
        ("a", "{metrics: {shards: 12}, storage: {emptyDir: {}}}"),
        ("a", "{metrics: {shards: 3}, storage: {volumeClaimTemplate: {metadata: {name: a-shard-2}}}}"),
        (
            // Values set by the user are never changed.
            "a",
            "{metrics: {shards: 12}, image: '11', podMetadata: {labels: {x: '11', y: a-shard-11}},
              containers: [
                {name: grafana-agent, env: [{name: SHARD, value: '11'}, {name: X, value: a-shard-11-wal}]},
                {name: config-reloader, volumeMounts: [{name: a-wal, mountPath: /var/lib/grafana-agent/data}]},
                {name: own, image: '0', env: [{name: SHARD, value: '0'}], volumeMounts: [{name: a-wal, mountPath: /x}]}]}",
        ),
    ] {
        let text = format!("metadata: {{name: '{name}', namespace: ns, uid: u}}\nspec: {spec}\n");
        let documents = documents(&text);
        let agent: Resource<'_, GrafanaAgent<'_>> = resource(Kind::GrafanaAgent, &documents[0]);
        let hierarchy = Hierarchy {
            agent: &agent,
            metrics: Vec::new(),
            logs: Vec::new(),
            integrations: Vec::new(),
            references: Vec::new(),
            secrets: Default::default(),
        };
        let fixed_labels = [("operator.agent.grafana.com/shard".to_owned(), "11".to_owned())];
        for labels in [Default::default(), fixed_labels.into()] {
            let options = ManifestOptions {
                labels,
                owner_references: true,
                ..ManifestOptions::default()
            };
            let budget = Budget::new(1 << 30);
            let mut builder = AgentRendering {
                hierarchy: &hierarchy,
                options: &options,
                budget: &budget,
                program: Program::new(&options, &agent.spec),
                objects: Vec::new(),
            };
            builder.render_metrics().unwrap();
            let stateful_sets = &builder.objects[1..];
            assert_eq!(stateful_sets.len(), usize::try_from(agent.spec.metrics.shard_count()).unwrap());
            for (number, shard) in (0..).zip(stateful_sets) {
                let stateful_set = builder.render_stateful_set(number);
                assert_eq!(stateful_set["metadata"]["name"], shard.name());
                assert_eq!(shard.to_json(), stateful_set, "{name} {spec} {number}");
            }
        }
    }
}

#[test]
fn reports_the_largest_list_of_oversized_pods() {
    /// Returns the workload whose pods are too large, their size, and the resource and list that contribute the most
    /// bytes.
    fn rejection(agent_spec: &str, integrations: &str) -> Option<(String, u64, String)> {
        let text = agent(agent_spec) + integrations;
        let documents = documents(&text);
        let agent: Resource<'_, GrafanaAgent<'_>> = resource(Kind::GrafanaAgent, &documents[0]);
        let integrations = documents[1..].iter();
        let integrations: Vec<_> = integrations.map(|one| resource(Kind::Integration, one)).collect();
        let hierarchy = Hierarchy {
            agent: &agent,
            metrics: Vec::new(),
            logs: Vec::new(),
            integrations: integrations.iter().collect(),
            references: Vec::new(),
            secrets: Default::default(),
        };
        let too_large_pods = too_large(&hierarchy)?;
        let (header, field) = too_large_pods.largest;
        Some((too_large_pods.workload, too_large_pods.bytes, format!("{} {field}", header.meta.name)))
    }
    let integration = |spec: &str| format!("---\nmetadata: {{name: i, namespace: ns}}\nspec: {{name: x{spec}}}\n");
    let typed_integration =
        |spec: &str, all_nodes: &str| integration(&format!(", type: {{allNodes: {all_nodes}}}{spec}"));
    let size = |texts: &[String]| texts.iter().map(|text| text.len() as u64 + 1).sum::<u64>();
    let x = "x".repeat(3 << 20);
    let (secret, config_map) = (format!("secret-{}", "x".repeat(56)), format!("configmap-{}", "x".repeat(53)));
    let read_only = |name: &str, kind: &str| {
        format!(r#"{{"mountPath":"/var/lib/grafana-agent/extra-{kind}/{x}","name":"{name}","readOnly":true}}"#)
    };
    let mount = format!(r#"{{"mountPath":"/m","name":"{x}"}}"#);
    let secret_mount = read_only(&secret, "secrets");
    let map_mount = read_only(&config_map, "configmaps");
    // Mounts are in both of the operator's containers.
    for (field, item, texts) in [
        ("volumes", "{name: X}", vec![format!(r#"{{"name":"{x}"}}"#)]),
        ("volumeMounts", "{name: X, mountPath: /m}", vec![mount.clone(), mount.clone()]),
        ("containers", "{name: own, image: X}", vec![format!(r#"{{"name":"own","image":"{x}","resources":{{}}}}"#)]),
        (
            "initContainers",
            "{name: grafana-agent, image: X}",
            vec![format!(r#"{{"name":"grafana-agent","image":"{x}","resources":{{}}}}"#)],
        ),
        ("tolerations", "{key: X}", vec![format!(r#"{{"key":"{x}"}}"#)]),
        ("imagePullSecrets", "{name: X}", vec![format!(r#"{{"name":"{x}"}}"#)]),
        (
            "secrets",
            "X",
            vec![
                format!(r#"{{"name":"{secret}","secret":{{"secretName":"{x}"}}}}"#),
                secret_mount.clone(),
                secret_mount,
            ],
        ),
        (
            "configMaps",
            "X",
            vec![format!(r#"{{"name":"{config_map}","configMap":{{"name":"{x}"}}}}"#), map_mount.clone(), map_mount],
        ),
    ] {
        let list = format!("{field}: [{}]", item.replace('X', &x));
        let expected = |workload: &str, resource: &str| {
            Some((workload.to_owned(), size(&texts), format!("{resource} spec.{field}")))
        };
        let agent = format!("{{{list}}}");
        assert_eq!(rejection(&agent, &integration("")), expected("a-integrations-deploy", "a"), "{field}");
        assert_eq!(rejection(&agent, ""), None, "without pods there is none that is too large");
        if field.starts_with("volume") {
            for (all_nodes, workload) in [("false", "a-integrations-deploy"), ("true", "a-integrations-ds")] {
                let both = typed_integration("", "true")
                    + &typed_integration("", "false")
                    + &typed_integration(&format!(", {list}"), all_nodes);
                assert_eq!(rejection("{}", &both), expected(workload, "i"), "{field} {all_nodes}");
            }
        }
    }

    // A container that is merged with one of the operator's containers may replace some fields of the operator's
    // container.
    for name in ["grafana-agent", "config-reloader"] {
        let spec = format!("{{containers: [{{name: {name}, image: {x}}}]}}");
        assert_eq!(rejection(&spec, &integration("")), None, "{name}");
    }
    // Two lists of equal size reach exactly the maximum that the API server accepts. If one of them is longer, the
    // maximum is exceeded.
    let half = "x".repeat(x.len() / 2 - r#"{"name":""}"#.len() - 1);
    for (volume, pull_secret, largest) in [
        ("", "", None),
        ("y", "", Some("a spec.volumes")),
        ("", "y", Some("a spec.imagePullSecrets")),
        ("y", "y", Some("a spec.volumes")),
    ] {
        let spec =
            format!("{{volumes: [{{name: {half}{volume}}}], imagePullSecrets: [{{name: {half}{pull_secret}}}]}}");
        let bytes = (x.len() + volume.len() + pull_secret.len()) as u64;
        let expected = largest.map(|largest| ("a-integrations-deploy".to_owned(), bytes, largest.to_owned()));
        assert_eq!(rejection(&spec, &integration("")), expected, "{volume} {pull_secret}");
    }
}

//! Tests that every field in every schema has an effect: setting it changes the output or causes a finding. A failure
//! reveals a field that the schema and the type define but that the plan, a target or the references ignore.

use crate::testing::TestInput;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::sync::Arc;

use agentctl::admit;
use agentctl::api::Kind;
use agentctl::api::schema::schema_json;
use agentctl::diagnostic::{Code, has_errors};
use agentctl::emit::{StreamFormat, write_stream};
use agentctl::insight::catalog::Catalog;
use agentctl::insight::source_map::SourceMap;
use agentctl::output::{Language, Target};
use agentctl::plan::{ConfigKind, SecretRepresentation};
use agentctl::resolve::{self, inlined_values};
use rayon::prelude::*;
use serde_json::{Map, Value, json};

use crate::support;

/// Returns a value for a field whose type is defined by Kubernetes and which is copied unchanged.
fn passthrough_value(key: &str) -> Option<Value> {
    Some(match key {
        "affinity" => json!({"nodeAffinity": {}}),
        "containers" | "initContainers" => json!([{"name": "own", "image": "i"}]),
        "volumes" => json!([{"name": "own", "emptyDir": {}}]),
        "volumeMounts" => json!([{"name": "own", "mountPath": "/own"}]),
        "tolerations" => json!([{"key": "k", "operator": "Exists"}]),
        "topologySpreadConstraints" => {
            json!([{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}])
        }
        "securityContext" => json!({"runAsUser": 7}),
        "resources" => json!({"requests": {"cpu": "7m"}}),
        "matchExpressions" => json!([{"key": "k", "operator": "Exists"}]),
        "storage" => json!({"volumeClaimTemplate": {"spec": {"storageClassName": "fast"}}}),
        _ => return None,
    })
}

/// A field to set: its path in `spec`, without list indices, and the values to try.
struct Field {
    path: Vec<String>,
    values: Vec<Value>,
}

/// Collects all schema fields.
fn fields(schema: &Value, path: &mut Vec<String>, leaves: &mut Vec<Field>) {
    let leaf = |values: Vec<Value>, path: &[String], leaves: &mut Vec<Field>| {
        let path = path.to_vec();
        leaves.push(Field { path, values });
    };
    let properties = schema["properties"].as_object();
    let texts = ["x", "7s", "http://x:1/y", "7", "/x", "json"];
    match schema["type"].as_str() {
        _ if is_key(schema) => leaf(vec![json!({"name": "data", "key": "other"})], path, leaves),
        _ if schema["enum"].is_array() => leaf(schema["enum"].as_array().unwrap().clone(), path, leaves),
        Some("boolean") => leaf(vec![json!(true), json!(false)], path, leaves),
        Some("integer") => leaf(vec![json!(3), json!(7)], path, leaves),
        Some("string") => leaf(texts.map(Value::from).to_vec(), path, leaves),
        Some("array") if is_list_of_scalars(&schema["items"]) => {
            leaf(texts.map(|text| json!([text])).to_vec(), path, leaves);
        }
        Some("array") => fields(&schema["items"], path, leaves),
        Some("object") if properties.is_some() => {
            for (key, schema) in properties.unwrap() {
                path.push(key.clone());
                match passthrough_value(key) {
                    Some(value) => leaf(vec![value], path, leaves),
                    None => fields(schema, path, leaves),
                }
                path.pop();
            }
        }
        Some("object") => leaf(vec![json!({"x": "y"}), json!({"x": ["y"]})], path, leaves),
        _ => leaf(vec![json!(7), json!("x")], path, leaves),
    }
}

fn is_list_of_scalars(items: &Value) -> bool {
    items["type"] != "object" && items["type"] != "array"
}

/// Whether a schema describes a reference to a key.
fn is_key(schema: &Value) -> bool {
    let properties = schema["properties"].as_object();
    properties.is_some_and(|fields| fields.keys().eq(["key", "name", "optional"]))
}

/// Sets a field and the fields that its parents require. If `value` is `None`, only the parents are added.
fn set(base: &mut Value, schema: &Value, path: &[String], value: Option<&Value>) {
    let Some((key, rest)) = path.split_first() else {
        *base = value.cloned().unwrap_or_default();
        return;
    };
    if schema["type"] == "array" {
        if base.get(0).is_none() {
            *base = json!([{}]);
        }
        return set(&mut base[0], &schema["items"], path, value);
    }
    for (name, stub) in required_fields(schema) {
        let base = &mut base[name];
        if base.is_null() {
            *base = stub;
        }
    }
    if value.is_some() || !rest.is_empty() {
        set(&mut base[key], &schema["properties"][key], rest, value);
    }
}

/// Returns the fields of a mapping that the schema or the operator requires.
fn required_fields(schema: &Value) -> Map<String, Value> {
    let names = schema["required"].as_array().into_iter().flatten();
    let properties = &schema["properties"];
    let mut fields: Map<_, _> =
        names.filter_map(Value::as_str).map(|name| (name.to_owned(), stub(&properties[name]))).collect();
    let pairs = [
        (["username", "password"], json!({"name": "data", "key": "key"})),
        (["secret", "configMap"], json!({"name": "data", "key": "key"})),
    ];
    for (names, value) in pairs {
        if names.iter().all(|name| is_key(&properties[name])) {
            let required_names = if names[0] == "secret" { &names[..1] } else { &names };
            fields.extend(required_names.iter().map(|name| ((*name).to_owned(), value.clone())));
        }
    }
    if !properties["keySecret"].is_null() {
        fields.insert("cert".to_owned(), stub(&properties["cert"]));
        fields.insert("keySecret".to_owned(), stub(&properties["keySecret"]));
    }
    if !properties["pipelineName"].is_null() {
        fields.insert("selector".to_owned(), json!("{x=\"y\"}"));
        fields.insert("stages".to_owned(), json!("- docker: {}"));
    }
    if !properties["sourceLabels"].is_null() {
        fields.insert("sourceLabels".to_owned(), json!(["s"]));
        fields.insert("targetLabel".to_owned(), json!("t"));
    }
    fields
}

/// Returns the smallest value that a schema allows.
fn stub(schema: &Value) -> Value {
    match schema["type"].as_str() {
        _ if is_key(schema) => json!({"name": "data", "key": "key"}),
        _ if schema["enum"].is_array() => schema["enum"][0].clone(),
        Some("boolean") => json!(false),
        Some("integer") => json!(1),
        Some("string") => json!("http://stub:1/"),
        Some("array") => json!([]),
        _ => Value::Object(required_fields(schema)),
    }
}

/// Unique value to plant at a key.
const PLANTED: &str = "hunter2";

/// Returns one resource of each custom kind, all of which are selected. `set` modifies the spec of the resource of
/// `kind`.
fn documents(kind: Kind, set: impl Fn(&mut Value)) -> String {
    let mut text = String::new();
    for &other_kind in Kind::ALL.iter().filter(|kind| kind.is_custom()) {
        let mut spec = match other_kind {
            Kind::GrafanaAgent => json!({
                "metrics": {"instanceSelector": {}, "remoteWrite": [{"url": "http://a/b"}]},
                "logs": {"instanceSelector": {}, "clients": [{"url": "http://a/b"}]},
                "integrations": {"selector": {}},
            }),
            Kind::MetricsInstance => {
                json!({"serviceMonitorSelector": {}, "podMonitorSelector": {}, "probeSelector": {}})
            }
            Kind::LogsInstance => json!({"podLogsSelector": {}}),
            Kind::Integration => json!({"name": "node_exporter", "type": {"allNodes": true}, "config": {}}),
            Kind::ServiceMonitor => json!({
                "selector": {}, "endpoints": [{"port": "web", "honorLabels": true, "honorTimestamps": true}],
            }),
            Kind::PodMonitor => json!({
                "selector": {}, "podMetricsEndpoints": [{"port": "web"}], "namespaceSelector": {"any": true},
            }),
            Kind::Probe => json!({"prober": {"url": "p:1"}, "targets": {"staticConfig": {"static": ["t"]}}}),
            _ => json!({"selector": {}, "namespaceSelector": {"any": true}}),
        };
        if other_kind == kind {
            set(&mut spec);
            if spec["targets"]["ingress"].is_object() {
                // Static targets would take precedence over ingresses, so they are removed.
                spec["targets"]["staticConfig"].take();
            }
        }
        let manifest = json!({
            "apiVersion": other_kind.api_version(), "kind": other_kind.as_str(), "metadata": {"name": "r", "labels": {"a": "b"}}, "spec": spec,
        });
        text += &format!("---\n{manifest}\n");
    }
    for kind in ["Secret", "ConfigMap"] {
        let field = if kind == "Secret" { "stringData" } else { "data" };
        let manifest = json!({"apiVersion": "v1", "kind": kind, "metadata": {"name": "data"}, field: {"key": "[]", "other": "[]", "planted": PLANTED}});
        text += &format!("---\n{manifest}\n");
    }
    text
}

/// Result of a compilation: the manifests (`None` if it failed) and the findings.
struct Outcome {
    manifests: Option<String>,
    messages: BTreeSet<String>,
    ignored_fields: Vec<String>,
    /// Fields that Alloy does not support.
    lost_settings: Vec<String>,
}

fn outcome(text: &str, target: &Target) -> Outcome {
    let compiled = TestInput::new(text).target(target.clone()).compile();
    let mut manifests = Vec::new();
    write_stream(compiled.output.objects.iter(), StreamFormat::Json, &mut manifests).unwrap();
    let mut findings = compiled.diagnostics;
    // Since all fields have the same value, which is not a certificate, certificate findings are ignored.
    findings.retain(|finding| finding.code != Code::InvalidCertificate);
    let ignored = findings.iter().filter(|d| d.code == Code::IgnoredField);
    Outcome {
        messages: findings.iter().map(|d| format!("{} {}", d.code, d.message)).collect(),
        ignored_fields: ignored.filter_map(|d| d.path.as_ref().map(|path| path.replace("[0]", ""))).collect(),
        lost_settings: findings
            .iter()
            .filter(|d| d.code == Code::LostSetting)
            .filter_map(|d| d.path.as_ref().map(|path| path.replace("[0]", "")))
            .collect(),
        manifests: (!has_errors(&findings)).then(|| String::from_utf8(manifests).unwrap()),
    }
}

/// Tests that secret values in a configuration are masked, and that the lines that contain them are traced back to the
/// fields that refer to the Secret, unless a finding reports that the target loses the field.
#[test]
fn masks_and_traces_every_secret_value() {
    let (mut failures, mut number) = (Vec::new(), 0);
    for &kind in Kind::ALL.iter().filter(|kind| kind.is_custom()) {
        let schema = &schema_json(kind)["properties"]["spec"];
        let mut all_fields = Vec::new();
        fields(schema, &mut Vec::new(), &mut all_fields);
        for Field { path, .. } in all_fields.into_iter().filter(|field| field.values[0]["key"] == "other") {
            let key = json!({"name": "data", "key": "planted"});
            let text = documents(kind, |spec| set(spec, schema, &path, Some(&key)));
            let input = TestInput::new(text.clone());
            let (documents, _) = input.read();
            let resources = admit::decode(&documents, "default").output;
            let hierarchies = resolve::resolve(&resources, &input.options.resolve).output;
            let catalog = Catalog::new(&documents, &resources, "default");
            let values = inlined_values(&hierarchies[0]).into_iter();
            let planted_paths: BTreeSet<_> = values
                .filter(|value| value.text == PLANTED)
                .map(|value| value.path.to_string().trim_end_matches(".secret").to_owned())
                .collect();
            for (name, target) in support::targets().iter().filter(|_| !planted_paths.is_empty()) {
                let (mut shown_text, mut traced_paths) = (String::new(), BTreeSet::new());
                for part in ConfigKind::non_empty_kinds(&hierarchies[0]) {
                    let map = SourceMap::new(&hierarchies[0], part, &catalog, &input.sources, target).output;
                    map.for_each_text(SecretRepresentation::Masked, &mut |text| shown_text.push_str(text));
                    traced_paths.extend(map.entries().into_iter().map(|entry| entry.source.path));
                }
                let at = |path: &String| format!("{kind} {path} {name}");
                let mut untraced_paths: Vec<_> =
                    planted_paths.iter().filter(|path| !traced_paths.contains(*path)).collect();
                if !untraced_paths.is_empty() {
                    let lost = outcome(&text, target).lost_settings;
                    untraced_paths.retain(|path| !lost.contains(&path.replace("[0]", "")));
                }
                let is_unmasked = shown_text.contains(PLANTED);
                failures.extend(untraced_paths.into_iter().map(at).map(|at| format!("not traced: {at}")));
                failures
                    .extend(planted_paths.iter().filter(|_| is_unmasked).map(at).map(|at| format!("not masked: {at}")));
                number += 1;
            }
        }
    }
    assert_eq!(failures, [""; 0]);
    assert!(number > 30, "found only {number} values");
}

/// Fields that have an effect only in combination with others and that other tests cover.
const COMBINED_FIELDS: &[&str] = &[
    // The field needs a ServiceMonitor that reads a file.
    "GrafanaAgent spec.metrics.arbitraryFSAccessThroughSMs.deny",
    // The field needs a second Integration with the same name.
    "Integration spec.type.unique",
    // The field needs a selector without `any`.
    "PodLogs spec.namespaceSelector.matchNames",
    // The field needs an endpoint without `port`.
    "ServiceMonitor spec.endpoints.targetPort",
    "PodMonitor spec.namespaceSelector.matchNames",
    "PodMonitor spec.podMetricsEndpoints.targetPort",
];

/// Sets all fields, or a sample of them, one at a time. Returns the fields that were set, and the fields that neither
/// change the output nor cause a finding.
fn ineffective_fields(target: &Target) -> [BTreeSet<String>; 2] {
    let [mut tried_fields, mut ineffective] = [BTreeSet::new(), BTreeSet::new()];
    for &kind in Kind::ALL.iter().filter(|kind| kind.is_custom()) {
        let file = support::root().join(format!("src/api/schema/{kind}.json"));
        let definition: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
        let schema = &definition["schema"]["properties"]["spec"];
        let mut all_fields = Vec::new();
        fields(schema, &mut Vec::new(), &mut all_fields);
        assert!(!all_fields.is_empty(), "{kind} has no fields");
        // The outcome for the parents without the field is computed once for all sibling fields.
        let mut outcomes = HashMap::new();
        for Field { path, values } in support::sample(all_fields, 5) {
            let text = |value| documents(kind, |spec| set(spec, schema, &path, value));
            let name = format!("spec.{}", path.join("."));
            let without_field = outcomes.entry(text(None));
            let without_field = without_field.or_insert_with_key(|text| outcome(text, target));
            let has_effect = without_field.ignored_fields.iter().any(|ignored| name.starts_with(ignored))
                || values.iter().any(|value| {
                    let with_field = outcome(&text(Some(value)), target);
                    with_field.messages != without_field.messages
                        || with_field.manifests.is_some() && with_field.manifests != without_field.manifests
                });
            let name = format!("{kind} {name}");
            if !has_effect {
                ineffective.insert(name.clone());
            }
            tried_fields.insert(name);
        }
    }
    [tried_fields, ineffective]
}

/// Fields that affect only the agent.
const AGENT_ONLY_FIELDS: &[&str] = &[
    // The operator can set `ingestTimestamp` only to the agent's default, which is also Alloy's default.
    "PodLogs spec.pipelineStages.pack.ingestTimestamp",
];

#[test]
fn every_field_has_an_effect_for_each_target() {
    support::targets().par_iter().for_each(|(name, target)| {
        let agent_only_fields = match target.language() {
            Language::Agent => &[],
            Language::Alloy => AGENT_ONLY_FIELDS,
        };
        let [tried_fields, ineffective] = ineffective_fields(target);
        assert!(tried_fields.len() > support::many_or_few(400, 80), "{name}: set only {} fields", tried_fields.len());
        let expected = COMBINED_FIELDS.iter().chain(agent_only_fields).map(|field| (*field).to_owned());
        assert_eq!(ineffective, expected.filter(|field| tried_fields.contains(field)).collect(), "{name}");
    });
}

/// Returns the names in a table of the integrations catalog, each with its keys and their types.
fn read_table(name: &str) -> Vec<(String, Vec<[String; 2]>)> {
    let file = support::root().join("src/programs/types").join(name);
    let text = fs::read_to_string(file).unwrap();
    let entries = text.trim_end().split("\n\n").filter(|entry| !entry.starts_with('#'));
    let rows = entries.map(|entry| {
        let mut lines = entry.lines();
        let name = lines.next().unwrap().split(' ').next().unwrap();
        let fields = lines.map(|line| line.trim().trim_end_matches('!').split_once(' ').unwrap());
        let fields = fields.map(|(key, value)| [key.to_owned(), value.to_owned()]);
        (name.to_owned(), fields.collect())
    });
    rows.collect()
}

/// Returns the agent's integrations, each with its leaf keys and their types. A value that the integration decodes
/// itself is treated as one key.
fn integrations() -> Vec<(String, Vec<[String; 2]>)> {
    let structs: BTreeMap<_, _> = read_table("exporters.txt").into_iter().collect();
    let leaves = |fields: Vec<[String; 2]>| {
        let mut pending: Vec<_> = fields.into_iter().map(|[key, value]| (key, value)).collect();
        let mut leaves = Vec::new();
        while let Some((key, value)) = pending.pop() {
            let is_opaque = ["blackbox.Config", "config.", "process.", "snmp.Config", "statsd."]
                .iter()
                .any(|name| value.contains(name));
            match structs.get(value.trim_start_matches("[]")).filter(|_| !is_opaque) {
                Some(fields) => {
                    pending.extend(fields.iter().map(|[inner, value]| (format!("{key}.{inner}"), value.clone())))
                }
                None => leaves.push([key, value]),
            }
        }
        leaves
    };
    let rows = read_table("integrations.txt").into_iter();
    rows.map(|(name, fields)| (name, leaves(fields))).collect()
}

/// Returns the keys without which the agent does not start.
fn required_keys(name: &str) -> Value {
    match name {
        "eventhandler" => json!({"logs_instance": "default/r"}),
        "gcp" => json!({"project_ids": ["p"], "metrics_prefixes": ["p"]}),
        "kafka" => json!({"kafka_uris": ["k"]}),
        "mssql" | "oracledb" => json!({"connection_string": "c"}),
        // The instance name in the data source becomes a label on the scraped metrics.
        "mysql" => json!({"data_source_name": "u@(h)/d"}),
        "postgres" => {
            json!({"data_source_names": ["postgres://h/d"], "autoscrape": {"enable": true, "metrics_instance": "default/r"}})
        }
        "redis" => json!({"redis_addr": "r"}),
        "snowflake" => json!({"account_name": "a", "username": "u", "password": "p", "warehouse": "w"}),
        "azure" => json!({"subscriptions": ["s"], "resource_type": "t", "metrics": ["m"]}),
        "squid" => json!({"address": "s"}),
        _ => json!({}),
    }
}

/// Returns `value` nested in mappings with the keys of `path`. Each set bit of `lists` wraps the mapping at that depth
/// in a list.
fn nest(path: &[&str], value: &Value, lists: usize) -> Value {
    match path.split_first() {
        None => value.clone(),
        Some((key, rest)) => {
            let inner = nest(rest, value, lists >> 1);
            let is_item = lists & 1 == 1 && !rest.is_empty();
            json!({*key: if is_item { json!([inner]) } else { inner }})
        }
    }
}

#[test]
fn every_integration_key_has_an_effect_for_alloy_or_is_reported() {
    let all_integrations = integrations();
    assert_eq!(all_integrations.len(), 29);
    let keys: usize = all_integrations.iter().map(|(_, keys)| keys.len()).sum();
    assert!(keys > 300, "found only {keys} keys");
    let target = support::alloy();
    let integration = |name: &str, mut config: Value, with_required_keys: bool| {
        for (key, value) in required_keys(name).as_object().unwrap().iter().filter(|_| with_required_keys) {
            config.as_object_mut().unwrap().entry(key).or_insert(value.clone());
        }
        let spec = json!({"name": name, "type": {"allNodes": false, "unique": false}, "config": config});
        outcome(&documents(Kind::Integration, |base| *base = spec.clone()), &target)
    };
    let keys = all_integrations.par_iter().flat_map(|(name, keys)| {
        let without = Arc::new(integration(name, json!({}), true));
        let keys = support::sample(keys, 5).into_par_iter().map(move |key| (name, key, Arc::clone(&without)));
        keys.filter(|(.., without)| !without.messages.iter().any(|said| said.starts_with("not-collected ")))
    });
    let silent_keys = keys.filter(|(name, [key, of], without)| {
        let path: Vec<_> = key.split('.').collect();
        let mut values = [
            json!("x"),
            json!("7s"),
            json!(true),
            json!(false),
            json!(7),
            json!(["x"]),
            json!([{"x": "y"}]),
            json!({"x": "y"}),
            // `default/r` is the name of both a MetricsInstance and a LogsInstance.
            json!("default/r"),
            json!("json"),
            // The remaining values are accepted by individual keys only.
            json!(["postgres://x/y"]),
            json!("u@tcp(h:1)/d"),
            json!({"x": ["y"]}),
            json!({"x": {"retries": 7}}),
            json!({"modules": {"x": {"walk": ["y"]}}}),
        ];
        // Values that fit the type come first, because they are most likely to have an effect.
        values.sort_by_key(|value| match of.as_str() {
            "bool" => !value.is_boolean(),
            "string" | "path" => !value.is_string(),
            of if of.starts_with("[]") => !value.is_array(),
            of if of.starts_with("map") => !value.is_object(),
            of if of.contains("int") || of.contains("float") => !value.is_number(),
            _ => *value != "7s",
        });
        !values.iter().any(|value| {
            (0..1 << (path.len() - 1)).any(|lists| {
                let with = integration(name, nest(&path, value, lists), true);
                let is_lost = with.lost_settings.iter().any(|lost| lost == &format!("spec.config.{key}"));
                let differs = with.manifests.is_some() && with.manifests != without.manifests;
                let is_needed = || required_keys(name).get(key).is_some() && with.manifests.is_some();
                is_lost || differs || is_needed() && integration(name, json!({}), false).manifests.is_none()
            })
        })
    });
    let silent_keys: Vec<_> = silent_keys.map(|(name, [key, _], _)| format!("{name} {key}")).collect();
    assert_eq!(silent_keys, [""; 0]);
}

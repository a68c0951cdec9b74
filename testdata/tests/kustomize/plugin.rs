//! Tests of agentctl with kustomize. They use the kustomize in kubectl if kubectl is installed, and its recorded output
//! otherwise.

use crate::support;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::{Run, feed, root, run, scratch};
use agentctl::api::Kind;
use serde::Deserialize;
use serde_json::{Value, json};

fn deploy() -> PathBuf {
    root().join("deploy/kustomize")
}

/// Runs `kubectl kustomize` with agentctl as a plugin. Returns `None` if kubectl is not installed or cannot be run.
fn kubectl_kustomize(directory: &Path) -> Option<Run> {
    let kubectl = |args: &[&str]| {
        let mut command = Command::new("kubectl");
        command.args(args).stdin(Stdio::null()).env("KUSTOMIZE_PLUGIN_HOME", plugins());
        command
    };
    let is_available = kubectl(&["kustomize", "--help"]).output().is_ok_and(|output| output.status.success());
    if !is_available {
        support::report_skipped("kustomize with agentctl as its plugin", "kubectl");
    }
    is_available.then(|| feed(kubectl(&["kustomize", "--enable-alpha-plugins"]).arg(directory), b""))
}

#[test]
fn kustomize_flag_reads_the_built_overlay() {
    if kubectl_kustomize(&deploy().join("resources")).is_none() {
        return;
    }
    let directory = scratch("kustomize-k");
    for example in ["pipe", "resources"] {
        let path = deploy().join(example);
        let path = path.to_str().unwrap();
        let built_manifests = Command::new("kubectl").args(["kustomize", path]).output().unwrap().stdout;
        let piped_run = run(&directory, ["render", "-"], &built_manifests);
        let kustomize_run = run(&directory, ["render", "-k", path], b"");
        assert_eq!((kustomize_run.status, kustomize_run.stderr.as_str()), (Some(0), ""));
        assert_eq!(kustomize_run.stdout, piped_run.stdout, "{example}");
    }
    for (name, text) in [
        ("kustomization.yaml", "resources: [agent.yaml]\nnamePrefix: a-\n"),
        (
            "agent.yaml",
            "apiVersion: monitoring.grafana.com/v1alpha1\nkind: GrafanaAgent\nmetadata: {name: x}\nspec: {image: 1}\n",
        ),
    ] {
        fs::write(directory.join(name), text).unwrap();
    }
    let output = run(&directory, ["check", "-k", ".", "--message-format", "json", "--allow=selects-nothing"], b"");
    let output: Value = serde_json::from_str(output.stdout.lines().next().unwrap()).unwrap();
    assert_eq!((&output["file"], &output["line"]), (&json!("agent.yaml"), &json!(4)));
    assert_eq!(output["resource"], "GrafanaAgent/default/a-x");
    let report_in = |format: &str| {
        run(&directory, ["check", "-k", ".", "--message-format", format, "--allow=selects-nothing"], b"").stdout
    };
    assert!(report_in("short").starts_with("agent.yaml:4:"), "{}", report_in("short"));
    assert!(report_in("github").starts_with("::error file=agent.yaml,line=4,"), "{}", report_in("github"));
    let sarif: Value = serde_json::from_str(&report_in("sarif")).unwrap();
    let place = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    let line = &place["region"]["startLine"];
    assert_eq!((&place["artifactLocation"]["uri"], line), (&json!("agent.yaml"), &json!(4)));
    for (arguments, expected) in [
        (["render", "-k", "https://example.org/x"], "`-k` needs a directory"),
        (["render", "-k", "agent.yaml"], "`-k` needs a directory"),
    ] {
        let run = run(&directory, arguments, b"");
        assert_eq!((run.status, run.stdout.as_str()), (Some(2), ""));
        assert!(run.stderr.contains(expected), "{}", run.stderr);
    }
    // A directory name must not be treated as a flag or as the address of a repository.
    for name in ["-h", "--enable-exec", "github.com/example/x"] {
        let hostile_directory = directory.join(name);
        fs::create_dir_all(&hostile_directory).unwrap();
        for file in ["kustomization.yaml", "agent.yaml"] {
            fs::copy(directory.join(file), hostile_directory.join(file)).unwrap();
        }
        let output = run(
            &directory,
            ["check", &format!("--kustomize={name}"), "--message-format", "short", "--allow=selects-nothing"],
            b"",
        );
        let expected = format!("{name}/agent.yaml:4:");
        assert!(output.stdout.starts_with(&expected), "{name}: {}{}", output.stdout, output.stderr);
    }
    let current_directory_run = run(&directory, ["why", "agent/a-x", "-k", "."], b"");
    assert_eq!(current_directory_run.status, Some(1), "{}", current_directory_run.stderr);
    for command in ["tree", "affected", "shards", "config", "rbac", "diff"] {
        let usage = run(&directory, [command, "--help"], b"");
        assert!(usage.stdout.contains("--kustomize <DIR>"), "{command}");
    }
    fs::write(directory.join("kustomization.yaml"), "resources: [gone.yaml]\n").unwrap();
    let failed_run = run(&directory, ["render", "-k", "."], b"");
    assert_eq!((failed_run.status, failed_run.stdout.as_str()), (Some(1), ""));
    assert!(
        failed_run.stderr.contains("`resources` refers to `gone.yaml`, which does not exist"),
        "{}",
        failed_run.stderr
    );
    fs::write(directory.join("agentctl.yaml"), "flags: {kustomize: .}\n").unwrap();
    let run_with_setting = run(&directory, ["check", "agent.yaml"], b"");
    assert!(
        run_with_setting.stdout.contains("`kustomize` is not a flag that can be set here"),
        "{}",
        run_with_setting.stdout
    );
}

#[test]
fn passes_through_other_resources() {
    let directory = scratch("pass-through");
    let other_resource = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web # kept\n";
    let agent = "apiVersion: monitoring.grafana.com/v1alpha1\nkind: GrafanaAgent\nmetadata: {name: x}\nspec: {}\n";
    let stream = format!("{other_resource}---\n{agent}");
    let agent_run = run(&directory, ["render", "-"], agent.as_bytes());
    let passed_run = run(&directory, ["render", "--pass-through", "-", "--allow=selects-nothing"], stream.as_bytes());
    assert_eq!((passed_run.status, passed_run.stderr.as_str()), (Some(0), ""));
    assert!(passed_run.stdout.starts_with(&format!("---\n{other_resource}")), "{}", passed_run.stdout);
    let mut expected: BTreeSet<_> = objects(&agent_run.stdout).into_keys().collect();
    expected.extend(objects(other_resource).into_keys());
    assert_eq!(objects(&passed_run.stdout).into_keys().collect::<BTreeSet<_>>(), expected);
    // Kinds such as Render, which only kustomize and agentctl read, are not objects in the cluster.
    let local_config = "apiVersion: agentctl.dev/v1alpha1\nkind: Render\nmetadata: {name: x}\n";
    let list = "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: one, namespace: shop}}\n\
                - {apiVersion: v1, kind: Secret, metadata: {name: two, namespace: shop}, stringData: {a: b}}\n";
    fs::create_dir(directory.join("in")).unwrap();
    for (name, text) in [("a.yaml", agent), ("b.yaml", other_resource), ("c.yaml", list), ("d.yaml", local_config)] {
        fs::write(directory.join("in").join(name), text).unwrap();
    }
    let render_args = ["render", "--pass-through", "in", "--allow=selects-nothing"];
    let pass_through_run = run(&directory, render_args, b"");
    assert!(
        pass_through_run.stdout.contains("kind: Deployment\nmetadata:\n  name: web # kept\n"),
        "{}",
        pass_through_run.stdout
    );
    let kinds =
        |text: &str| text.lines().filter(|line| line.starts_with("kind: ")).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(
        kinds(&pass_through_run.stdout)[..3],
        ["kind: Deployment", "kind: ConfigMap", "kind: Secret"],
        "{}",
        pass_through_run.stdout
    );
    assert!(!pass_through_run.stdout.contains("kind: Render"), "{}", pass_through_run.stdout);
    let json = run(&directory, render_args.iter().chain(&["-o", "json"]), b"");
    let json: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(json["items"].as_array().unwrap().len(), kinds(&pass_through_run.stdout).len());
    assert_eq!(json["items"][0]["metadata"], json!({"name": "web"}));
    let output_args = ["--output-dir", "out", "--prune"];
    let write_run = run(&directory, render_args.iter().chain(&output_args), b"");
    assert_eq!(write_run.status, Some(0), "{}", write_run.stderr);
    let secret = directory.join("out/shop/secret_two.yaml");
    assert!(fs::read_to_string(&secret).unwrap().contains("kind: Secret"));
    let check = run(&directory, render_args.iter().chain(&output_args).chain(&["--check"]), b"");
    assert_eq!((check.status, check.stdout.as_str()), (Some(0), ""), "{}", check.stderr);
    // Pruning removes only what agentctl renders.
    fs::remove_file(directory.join("in/c.yaml")).unwrap();
    let second_run = run(&directory, render_args.iter().chain(&output_args), b"");
    assert!(second_run.stderr.contains("secret_two.yaml` is not removed") && secret.exists(), "{}", second_run.stderr);
}

/// Creates a plugin home with agentctl at the path where kustomize looks for the kind `Render`.
fn plugins() -> PathBuf {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("plugins-{}", std::process::id()));
    let directory = home.join("agentctl.dev/v1alpha1/render");
    fs::create_dir_all(&directory).unwrap();
    link_plugin(&directory.join("Render"));
    home
}

fn link_plugin(to: &Path) {
    if !to.exists() {
        // Another test may have just created the link.
        let _ = std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_agentctl"), to);
    }
}

/// Returns the objects in a stream by key.
fn objects(stream: &str) -> BTreeMap<String, Value> {
    let documents = serde_yaml::Deserializer::from_str(stream).map(|document| Value::deserialize(document).unwrap());
    documents.filter(|object| !object.is_null()).map(|object| (key(&object), object)).collect()
}

fn key(object: &Value) -> String {
    let metadata = |key: &str| object["metadata"][key].as_str().unwrap_or_default().to_owned();
    format!("{}/{}/{}", object["kind"].as_str().unwrap(), metadata("namespace"), metadata("name"))
}

fn rendered_objects() -> BTreeMap<String, Value> {
    let run = run(&deploy(), ["render", "resources"], b"");
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""));
    objects(&run.stdout)
}

#[test]
fn generator_output_matches_render() {
    let Some(run) = kubectl_kustomize(&deploy().join("generator")) else {
        return;
    };
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    assert_eq!(objects(&run.stdout), rendered_objects());
}

#[test]
fn transformer_output_matches_render_plus_resources() {
    let Some(run) = kubectl_kustomize(&deploy().join("transformer")) else {
        return;
    };
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    let all_objects = objects(&run.stdout);
    let expected = rendered_objects();
    let (manifests, resources): (BTreeMap<_, _>, _) =
        all_objects.into_iter().partition(|(key, _)| expected.contains_key(key));
    assert_eq!(manifests, expected);
    let resources: BTreeMap<String, Value> = resources;
    assert_eq!(
        resources.into_keys().collect::<Vec<_>>(),
        [
            "GrafanaAgent/monitoring/agent",
            "MetricsInstance/monitoring/primary",
            "Secret/monitoring/credentials",
            "ServiceMonitor/shop/checkout"
        ]
    );
}

#[test]
fn kubectl_shows_errors_of_the_plugin() {
    let directory = scratch("kustomize-mistake");
    fs::write(directory.join("kustomization.yaml"), "generators: [render.yaml]\n").unwrap();
    let config = "apiVersion: agentctl.dev/v1alpha1\nkind: Render\nmetadata: {name: x}\nspec: {agentSelectr: a=b}\n";
    fs::write(directory.join("render.yaml"), config).unwrap();
    let Some(run) = kubectl_kustomize(&directory) else {
        return;
    };
    assert_eq!((run.status, run.stdout.as_str()), (Some(1), ""));
    assert!(run.stderr.contains("did you mean `agentSelector`?"), "{}", run.stderr);
}

/// Runs the plugin in the same way as kustomize: in the kustomization's directory, with the configuration in a
/// temporary file.
fn plugin(directory: &Path, config: &str, stdin: &[u8]) -> Run {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config");
    fs::write(&file, config).unwrap();
    feed(Command::new(plugins().join("agentctl.dev/v1alpha1/render/Render")).arg(&file).current_dir(directory), stdin)
}

#[test]
fn plugin_generates_manifests_without_kubectl() {
    let config = fs::read_to_string(deploy().join("generator/render.yaml")).unwrap();
    let generator_run = plugin(&deploy().join("generator"), &config, b"");
    assert_eq!(generator_run, run(&deploy(), ["render", "resources"], b""));
}

#[test]
fn plugin_rejects_other_kinds() {
    let config = "apiVersion: agentctl.dev/v1alpha1\nkind: Other\nmetadata: {name: x}\n";
    let rejected_run = plugin(&deploy().join("generator"), config, b"");
    assert_eq!((rejected_run.status, rejected_run.stdout.as_str()), (Some(1), ""));
    assert!(rejected_run.stderr.contains("expected a `Render`"), "{}", rejected_run.stderr);
}

/// Returns the list that standalone kustomize passes to a generator function. It contains the configuration twice: as
/// `functionConfig` and as an item.
fn generator_list(config: &str) -> String {
    let mut config: Value = serde_yaml::from_str(config).unwrap();
    config["metadata"]["annotations"]["config.kubernetes.io/local-config"] = json!("true");
    let mut item = config.clone();
    item["metadata"]["annotations"]["internal.config.kubernetes.io/index"] = json!("0");
    let list = json!({"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": [item], "functionConfig": config});
    serde_yaml::to_string(&list).unwrap()
}

#[test]
fn function_output_matches_render() {
    let directory = scratch("kustomize-function");
    link_plugin(&directory.join("agentctl-krm"));
    let config = fs::read_to_string(deploy().join("function/render.yaml")).unwrap();
    let run = feed(
        Command::new(directory.join("agentctl-krm")).current_dir(deploy().join("function")),
        generator_list(&config).as_bytes(),
    );
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""));
    let list: Value = serde_yaml::from_str(&run.stdout).unwrap();
    let items = list["items"].as_array().unwrap().iter().map(|item| (key(item), item.clone()));
    assert_eq!(items.collect::<BTreeMap<_, _>>(), rendered_objects());
}

/// Recorded output of `kubectl kustomize deploy/kustomize/pipe`.
const RECORDED_OUTPUT: &str = "testdata/kustomize/pipe.yaml";

#[test]
fn reads_recorded_kustomize_output() {
    let recorded = fs::read_to_string(root().join(RECORDED_OUTPUT)).unwrap();
    if let Some(run) = kubectl_kustomize(&deploy().join("pipe")) {
        assert_eq!(run.status, Some(0), "{}", run.stderr);
        if let Err(difference) = support::compare_or_update(&root().join(RECORDED_OUTPUT), &run.stdout) {
            panic!("{difference}");
        }
    }
    let run = run(root(), ["render", "-f", "-"], recorded.as_bytes());
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""));
    let expected = ["Secret/monitoring/test-agent-config", "Secret/monitoring/test-agent-secrets"];
    let secrets: Vec<_> = objects(&run.stdout).into_keys().filter(|key| key.starts_with("Secret/")).collect();
    assert_eq!(secrets, expected);
}

/// Generates kustomize's `nameReference` configuration from the schemas.
fn name_references() -> String {
    let mut references: BTreeMap<&str, Vec<(Kind, String)>> = BTreeMap::new();
    for &kind in Kind::ALL.iter().filter(|kind| kind.is_custom()) {
        for (path, target) in
            fields_of_schema(&schema(kind)).into_iter().filter_map(|field| Some((field.reference()?, field.target()?)))
        {
            references.entry(target).or_default().push((kind, path));
        }
    }
    let mut text = "\
# Fields of the operator's resources that refer to Secrets and other objects, for `configurations` of a kustomization. kustomize
# then updates them when prefixes, suffixes or hashes change the names. A test generates this file from the schemas.
nameReference:
"
    .to_owned();
    for (target, fields) in references {
        text += &format!("- kind: {target}\n  version: v1\n  fieldSpecs:\n");
        for (kind, path) in fields {
            let group = kind.api_version().split('/').next().unwrap();
            text += &format!("  - path: {path}\n    group: {group}\n    kind: {kind}\n");
        }
    }
    text
}

fn schema(kind: Kind) -> Value {
    let file = root().join(format!("src/api/schema/{kind}.json"));
    let mut definition: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    definition["schema"].take()
}

/// A field in a schema.
struct Field {
    /// Keys on the path from the resource's root to the field. List items add no key.
    path: Vec<String>,
    /// Names of the field's children or, if the field is a list, of its items' children.
    fields: BTreeSet<String>,
    /// Whether the field is a list of strings.
    is_list_of_text: bool,
}

impl Field {
    /// Returns the path of the name in the field, or `None` if the field is not a reference.
    fn reference(&self) -> Option<String> {
        let path = self.path.join("/");
        let key = self.path.last()?.as_str();
        let has_field = |field: &str| self.fields.contains(field);
        match key {
            "secretName" | "serviceAccountName" | "claimName" => Some(path),
            "secrets" | "configMaps" if self.is_list_of_text => Some(path),
            _ if has_field("name") && (has_field("key") || self.names_its_target()) => Some(format!("{path}/name")),
            _ => None,
        }
    }

    fn names_its_target(&self) -> bool {
        let key = self.path.last().unwrap().to_lowercase();
        key.contains("secret") || key.contains("configmap")
    }

    /// Returns the kind that the field refers to.
    fn target(&self) -> Option<&'static str> {
        let key = self.path.last()?.to_lowercase();
        Some(match key.as_str() {
            "serviceaccountname" => "ServiceAccount",
            "claimname" => "PersistentVolumeClaim",
            _ if key.contains("configmap") => "ConfigMap",
            _ => "Secret",
        })
    }
}

/// Returns all fields in a schema.
fn fields_of_schema(schema: &Value) -> Vec<Field> {
    let mut fields = Vec::new();
    visit_fields(schema, &mut Vec::new(), &mut fields);
    fields
}

fn visit_fields(schema: &Value, path: &mut Vec<String>, all: &mut Vec<Field>) {
    let item = if schema["items"].is_null() { schema } else { &schema["items"] };
    let properties = item["properties"].as_object();
    if !path.is_empty() {
        all.push(Field {
            path: path.clone(),
            fields: properties.into_iter().flatten().map(|(key, _)| key.clone()).collect(),
            is_list_of_text: item["type"] == "string" && schema["type"] == "array",
        });
    }
    for (key, field) in properties.into_iter().flatten() {
        path.push(key.clone());
        visit_fields(field, path, all);
        path.pop();
    }
}

#[test]
fn name_references_match_the_schemas() {
    if let Err(difference) =
        support::compare_or_update(&deploy().join("name-references/name-references.yaml"), &name_references())
    {
        panic!("{difference}");
    }
}

/// Fields whose names contain `Secret` or `ConfigMap` although the fields do not refer to one.
const FIELDS_WITHOUT_REFERENCE: &[&str] = &["secretFile"];

#[test]
fn lists_every_name_reference() {
    for &kind in Kind::ALL.iter().filter(|kind| kind.is_custom()) {
        let fields = fields_of_schema(&schema(kind));
        let references: Vec<_> = fields.iter().filter_map(Field::reference).collect();
        for field in fields.iter().filter(|field| field.names_its_target()) {
            let path = field.path.join("/");
            let is_known = references.iter().any(|reference| reference.starts_with(&path));
            assert!(
                is_known || field.path.iter().any(|key| FIELDS_WITHOUT_REFERENCE.contains(&key.as_str())),
                "{kind} {path}"
            );
        }
    }
}

/// Returns a value that contains every reference that the schema allows, or `None` if it allows none.
fn example(schema: &Value, path: &mut Vec<String>, names: &BTreeMap<String, &str>) -> Option<Value> {
    if let Some(name) = names.get(&path.join("/")) {
        let is_list = schema["type"] == "array";
        return Some(if is_list { json!([name]) } else { json!(name) });
    }
    let item = if schema["items"].is_null() { schema } else { &schema["items"] };
    let mut object = serde_json::Map::new();
    for (key, field) in item["properties"].as_object()? {
        path.push(key.clone());
        object.extend(example(field, path, names).map(|value| (key.clone(), value)));
        path.pop();
    }
    let is_list = schema["type"] == "array";
    (!object.is_empty()).then(|| if is_list { json!([object]) } else { json!(object) })
}

#[test]
fn name_references_follow_hash_suffixes() {
    let directory = scratch("kustomize-names");
    let mut resources = Vec::new();
    let mut reference_count = 0;
    for &kind in Kind::ALL.iter().filter(|kind| kind.is_custom()) {
        let schema = schema(kind);
        let names = fields_of_schema(&schema).into_iter().filter_map(|field| {
            let name = match field.target()? {
                "Secret" => "a-secret",
                "ConfigMap" => "a-config-map",
                _ => return None,
            };
            Some((field.reference()?, name))
        });
        let names: BTreeMap<_, _> = names.collect();
        reference_count += names.len();
        let Some(mut resource) = example(&schema, &mut Vec::new(), &names) else {
            continue;
        };
        resource["apiVersion"] = json!(kind.api_version());
        resource["kind"] = json!(kind.as_str());
        resource["metadata"] = json!({"name": "x"});
        fs::write(directory.join(format!("{kind}.yaml")), serde_yaml::to_string(&resource).unwrap()).unwrap();
        resources.push(format!("{kind}.yaml"));
    }
    assert_eq!(resources.len(), 7, "PodLogs alone refer to nothing");
    let components = directory.join("name-references");
    fs::create_dir(&components).unwrap();
    for file in ["kustomization.yaml", "name-references.yaml"] {
        fs::copy(deploy().join("name-references").join(file), components.join(file)).unwrap();
    }
    let kustomization = json!({
        "resources": resources,
        "components": ["name-references"],
        "secretGenerator": [{"name": "a-secret", "literals": ["a=b"]}],
        "configMapGenerator": [{"name": "a-config-map", "literals": ["a=b"]}],
    });
    fs::write(directory.join("kustomization.yaml"), serde_yaml::to_string(&kustomization).unwrap()).unwrap();
    let Some(run) = kubectl_kustomize(&directory) else {
        return;
    };
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    let is_unchanged = |line: &&str| line.ends_with("a-secret") || line.ends_with("a-config-map");
    let unchanged_lines: Vec<_> = run.stdout.lines().filter(is_unchanged).collect();
    assert_eq!(unchanged_lines, [""; 0]);
    let changed_count = run.stdout.matches("a-secret-").count() + run.stdout.matches("a-config-map-").count();
    assert_eq!(changed_count, reference_count + 2, "the references, and the two objects themselves");
}

#[test]
fn component_separates_pods_for_logs_and_metrics() {
    let directory = scratch("kustomize-pods-by-kind");
    let rendered = run(root(), ["render", "testdata/quickstart"], b"");
    fs::write(directory.join("rendered.yaml"), &rendered.stdout).unwrap();
    let kustomization = "resources: [rendered.yaml]\ncomponents: [pods-by-kind]\n";
    fs::write(directory.join("kustomization.yaml"), kustomization).unwrap();
    fs::create_dir(directory.join("pods-by-kind")).unwrap();
    for file in ["kustomization.yaml", "metrics.yaml", "logs.yaml"] {
        fs::copy(deploy().join("pods-by-kind").join(file), directory.join("pods-by-kind").join(file)).unwrap();
    }
    let Some(patched_run) = kubectl_kustomize(&directory) else {
        return;
    };
    assert_eq!(patched_run.status, Some(0), "{}", patched_run.stderr);
    let pods = |text: &str| -> BTreeMap<String, Value> {
        let documents = serde_yaml::Deserializer::from_str(text).map(|document| Value::deserialize(document).unwrap());
        let pods_by_name = documents
            .map(|object| (object["metadata"]["name"].to_string(), object["spec"]["template"]["spec"].clone()));
        pods_by_name.filter(|(_, pod)| !pod.is_null()).collect()
    };
    let (before, after) = (pods(&rendered.stdout), pods(&patched_run.stdout));
    let memory = |pod: &Value| {
        let containers = pod["containers"].as_array().unwrap();
        let agent = containers.iter().find(|container| container["name"] == "grafana-agent").unwrap();
        (containers.len(), agent["resources"]["limits"]["memory"].clone(), agent["livenessProbe"].is_object())
    };
    for (name, expected, has_tolerations) in [
        ("agent", (2, json!("4Gi"), true), false),
        ("agent-shard-1", (2, json!("4Gi"), true), false),
        ("agent-logs", (2, json!("256Mi"), false), true),
    ] {
        let name = json!(name).to_string();
        assert_eq!(memory(&after[&name]), expected, "{name}");
        assert_eq!(after[&name]["tolerations"].is_array(), has_tolerations, "{name}");
        assert_eq!(after[&name]["volumes"], before[&name]["volumes"], "{name}");
    }
    let daemon_set = json!("agent-integrations-ds").to_string();
    assert_eq!(after[&daemon_set], before[&daemon_set]);
    assert_eq!(after.len(), before.len());
}

/// Creates a directory with a repository, and a fake kustomize that runs `script`.
#[cfg(unix)]
fn create_program(name: &str, script: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let root = scratch(name);
    for folder in ["bin", "outside", "repository/.git", "repository/overlay"] {
        fs::create_dir_all(root.join(folder)).unwrap();
    }
    for folder in ["outside", "repository/overlay"] {
        fs::write(root.join(folder).join("kustomization.yaml"), "resources: []\n").unwrap();
    }
    let program = root.join("bin/kustomize");
    fs::write(&program, format!("#!/bin/sh\ntouch \"$0.ran\"\n{script}\n")).unwrap();
    fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
    root
}

#[cfg(unix)]
fn check_k(root: &Path, directory: &str) -> Run {
    let mut command = support::agentctl(&root.join("repository"));
    let path = std::env::var("PATH").unwrap();
    command.env("PATH", format!("{}:{path}", root.join("bin").display()));
    feed(command.args(["check", "-k", directory, "--message-format", "short"]), b"")
}

#[cfg(unix)]
#[test]
fn kustomize_flag_rejects_links_out_of_the_directory() {
    use std::os::unix::fs::symlink;
    let root = create_program("kustomize-links", "exit 1");
    let marker = root.join("bin/kustomize.ran");
    symlink("../outside", root.join("repository/linked")).unwrap();
    symlink("../../outside", root.join("repository/overlay/base")).unwrap();
    for directory in ["linked", "overlay"] {
        let run = check_k(&root, directory);
        assert_eq!(run.status, Some(1), "{run:?}");
        assert!(run.stdout.contains("outside-link") && !marker.exists(), "{run:?}");
    }
    fs::remove_file(root.join("repository/overlay/base")).unwrap();
    assert_eq!(check_k(&root, "overlay").status, Some(1));
    assert!(marker.exists());
}

#[cfg(unix)]
#[test]
fn hides_kustomize_messages_that_may_contain_values() {
    let script = "yes 'password: hunter2' | head -c 3000000 >&2\nexit 1";
    let root = create_program("kustomize-says", script);
    let run = check_k(&root, "overlay");
    assert_eq!(run.status, Some(1));
    let expected = "overlay/kustomization.yaml:1:1: error[kustomize-error]: kustomize fails, and its message is not shown \
        because it may contain a secret; help: run `kustomize build overlay`\n";
    assert!(run.stdout.starts_with(expected), "{run:?}");
    assert!(!format!("{run:?}").contains("hunter2"), "{run:?}");
}

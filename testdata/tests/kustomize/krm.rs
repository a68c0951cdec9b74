//! Tests of agentctl used as a KRM function.

use std::collections::BTreeMap;
use std::process::Command;

use crate::support::{Run, feed, root, run, scratch};
use serde_json::{Value, json};

/// Resources in the format that kpt passes to functions, in various YAML styles and with comments.
const ITEMS: &str = "\
items:
- apiVersion: monitoring.grafana.com/v1alpha1
  kind: GrafanaAgent
  metadata:
    name: agent # the only one
    namespace: monitoring
    annotations:
      config.kubernetes.io/index: '0'
      config.kubernetes.io/path: 'agent.yaml'
      internal.config.kubernetes.io/index: '0'
      internal.config.kubernetes.io/path: 'agent.yaml'
      team: \"a\"
  spec:
    image: grafana/agent:v0.44.8
    metrics:
      instanceSelector: {}
# Before an item.
- apiVersion: monitoring.grafana.com/v1alpha1
  kind: MetricsInstance
  metadata:
    name: primary
    namespace: monitoring
    annotations:
      internal.config.kubernetes.io/index: '1'
      internal.config.kubernetes.io/path: 'agent.yaml'
  spec:
    remoteWrite:
    - url: https://prometheus.example.com
      basicAuth:
        username: {name: credentials, key: username}
        password: {name: credentials, key: password}
- apiVersion: v1
  kind: Secret
  metadata:
    name: credentials
    namespace: monitoring
    annotations:
      internal.config.kubernetes.io/path: 'secret.yaml'
  stringData:
    username: someone
    password: |
      hunter2
- apiVersion: example.com/v1
  kind: Other
  metadata:
    name: other
    annotations:
      internal.config.kubernetes.io/path: 'other.yaml'
  spec: {mode: 0644, answer: yes, ratio: 1.50, large: 18446744073709551615}
";

const CONFIG: &str = "\
functionConfig:
  apiVersion: agentctl.dev/v1alpha1
  kind: Render
  metadata:
    name: mine # a comment
  spec:
    labels: {team: a}
";

fn list(parts: &[&str]) -> String {
    format!("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n{}", parts.concat())
}

fn krm(list: &str) -> Run {
    run(root(), ["krm", "--message-format", "short"], list.as_bytes())
}

fn run_krm(list: &str) -> String {
    let run = krm(list);
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""));
    run.stdout
}

fn read(list: &str) -> Value {
    serde_yaml::from_str(list).unwrap()
}

/// Returns the `Kind/name` of each item.
fn names(list: &str) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let name = |item: &Value| format!("{}/{}", text(&item["kind"]), text(&item["metadata"]["name"]));
    read(list)["items"].as_array().unwrap().iter().map(name).collect()
}

const INPUTS: [&str; 4] = ["GrafanaAgent/agent", "MetricsInstance/primary", "Secret/credentials", "Other/other"];
const MANIFESTS: [&str; 4] =
    ["Secret/agent-secrets", "Secret/agent-config", "Service/agent-operated", "StatefulSet/agent"];

#[test]
fn manifests_are_appended_to_the_input_items() {
    let output = run_krm(&list(&[ITEMS, CONFIG]));
    assert_eq!(names(&output), [INPUTS, MANIFESTS].concat());
    assert!(output.starts_with(&list(&[ITEMS])), "what came is there to the letter");
    assert!(output.ends_with(CONFIG));
}

#[test]
fn second_run_changes_nothing() {
    for parts in [&[ITEMS, CONFIG][..], &[CONFIG, ITEMS], &[ITEMS]] {
        let first_output = run_krm(&list(parts));
        assert_eq!(run_krm(&first_output), first_output);
    }
}

#[test]
fn all_invocations_write_the_same_output() {
    let list = list(&[ITEMS, CONFIG]);
    let expected = krm(&list);
    assert_eq!(run(root(), ["render", "-"], list.as_bytes()), expected);
    assert_eq!(run(root(), ["render", "-f", "-"], list.as_bytes()), expected);
    let name = scratch("krm-name").join("agentctl-krm");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_agentctl"), &name).unwrap();
    assert_eq!(feed(&mut Command::new(name), list.as_bytes()), expected);
    let old_version_list = list.replace("config.kubernetes.io/v1\n", "config.kubernetes.io/v1beta1\n");
    assert_eq!(
        run_krm(&old_version_list),
        expected.stdout.replace("config.kubernetes.io/v1\n", "config.kubernetes.io/v1beta1\n")
    );
}

#[test]
fn accepts_config_maps_as_function_config() {
    let config = "\
functionConfig:
  apiVersion: v1
  kind: ConfigMap
  metadata:
    name: mine
  data:
    labels: team=a
";
    let typed_output = run_krm(&list(&[ITEMS, CONFIG]));
    let config_map_output = run_krm(&list(&[ITEMS, config]));
    assert_eq!(read(&config_map_output)["items"], read(&typed_output)["items"]);
    let statefulset = &read(&config_map_output)["items"][7];
    assert_eq!(statefulset["metadata"]["labels"]["team"], "a");
}

/// Returns the rendered objects without their owner annotation.
fn without_owner(items: &Value) -> BTreeMap<String, Value> {
    let rendered = items.as_array().unwrap().iter().filter(|item| owner(item).is_some());
    let objects = rendered.map(|item| {
        let mut item = item.clone();
        let metadata = item["metadata"].as_object_mut().unwrap();
        let annotations = metadata["annotations"].as_object_mut().unwrap();
        annotations.remove("agentctl.dev/rendered-by");
        if annotations.is_empty() {
            metadata.remove("annotations");
        }
        (item["metadata"]["name"].as_str().unwrap().to_owned() + item["kind"].as_str().unwrap(), item)
    });
    objects.collect()
}

fn owner(item: &Value) -> Option<&str> {
    item["metadata"]["annotations"]["agentctl.dev/rendered-by"].as_str()
}

#[test]
fn manifests_match_the_render_command() {
    let output = read(&run_krm(&list(&[ITEMS])));
    let stream: String = read(&list(&[ITEMS]))["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| format!("---\n{}", serde_yaml::to_string(item).unwrap()))
        .collect();
    let rendered = run(root(), ["render", "-", "-o", "json"], stream.as_bytes());
    let mut rendered: Value = serde_json::from_str(&rendered.stdout).unwrap();
    for item in rendered["items"].as_array_mut().unwrap() {
        item["metadata"]["annotations"]["agentctl.dev/rendered-by"] = json!("agentctl");
    }
    assert_eq!(without_owner(&output["items"]), without_owner(&rendered["items"]));
}

#[test]
fn keeps_annotations_of_the_tool() {
    let first_output = run_krm(&list(&[ITEMS, CONFIG]));
    // Simulates kpt writing the objects to a file and reading them back.
    let path =
        "    annotations:\n      internal.config.kubernetes.io/path: written.yaml\n      agentctl.dev/rendered-by";
    let annotated = first_output.replace("    annotations:\n      agentctl.dev/rendered-by", path);
    let second_output = run_krm(&annotated);
    let items = read(&second_output);
    let annotations = |i: usize| items["items"][i]["metadata"]["annotations"].clone();
    assert_eq!(annotations(5)["internal.config.kubernetes.io/path"], "written.yaml");
    assert_eq!(
        annotations(7),
        json!({"agentctl.dev/rendered-by": "mine", "internal.config.kubernetes.io/path": "written.yaml", "team": "a"}),
        "an agent's file is not that of its StatefulSet"
    );
    assert_eq!(run_krm(&second_output), second_output);
}

#[test]
fn removes_objects_that_are_no_longer_rendered() {
    let first_output = run_krm(&list(&[ITEMS, CONFIG]));
    let without_metrics = first_output.replace("instanceSelector: {}", "instanceSelector: {matchLabels: {no: one}}");
    let remaining_names = names(&krm(&without_metrics).stdout);
    assert_eq!(remaining_names, [&INPUTS[..], &MANIFESTS[..1]].concat());
    let renamed = first_output.replace("name: agent # the only one", "name: other-agent # the only one");
    let run = krm(&renamed);
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    let expected: Vec<_> = MANIFESTS.map(|name| name.replace("/agent", "/other-agent")).into();
    assert_eq!(names(&run.stdout)[4..], expected);
}

#[test]
fn keeps_objects_of_other_krm_functions() {
    let first_output = run_krm(&list(&[ITEMS, CONFIG]));
    let foreign_list =
        first_output.replace("rendered-by: mine", "rendered-by: theirs").replace("name: agent # the", "name: b # the");
    let output = krm(&foreign_list).stdout;
    assert_eq!(names(&output).len(), 12);
}

#[test]
fn keeps_objects_of_paused_agents() {
    let first_output = run_krm(&list(&[ITEMS, CONFIG, "\n"]));
    let paused_list = first_output.replacen("  spec:\n    image", "  spec:\n    paused: true\n    image", 1);
    let paused_list = paused_list.replace("    labels: {team: a}", "    allowEmpty: true");
    let run = krm(&paused_list);
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    assert_eq!(names(&run.stdout), [INPUTS, MANIFESTS].concat());
}

#[test]
fn warns_about_replaced_objects() {
    let foreign_service =
        "- {apiVersion: v1, kind: Service, metadata: {name: agent-operated, namespace: monitoring}}\n";
    let run = krm(&list(&[ITEMS, foreign_service, CONFIG]));
    assert_eq!(run.status, Some(0));
    assert!(run.stderr.contains("warning[replaced-object]"), "{}", run.stderr);
    let items = read(&run.stdout);
    assert_eq!(items["items"][4]["spec"]["clusterIP"], "None");
    let result = &items["results"][0];
    assert_eq!(result["severity"], "warning");
    assert_eq!(result["tags"]["code"], "replaced-object");
    let denying_config = CONFIG.replace("labels: {team: a}", "deny: [replaced-object]");
    let rejected = krm(&list(&[ITEMS, foreign_service, &denying_config]));
    assert_eq!(rejected.status, Some(1));
    assert!(rejected.stderr.contains("error[replaced-object]"), "{}", rejected.stderr);
    // If two objects are replaced, both replacements are reported.
    let repeated_run = krm(&list(&[ITEMS, foreign_service, foreign_service, CONFIG]));
    let warnings = repeated_run.stderr.matches("warning[replaced-object]").count();
    assert_eq!(warnings, 2, "{}", repeated_run.stderr);
}

#[test]
fn recognizes_calls_by_kustomize() {
    let id = "kustomize.config.k8s.io/id: |\n        kind: GrafanaAgent\n      team";
    let items = ITEMS.replace("team", id);
    let output = run_krm(&list(&[&items, CONFIG]));
    assert_eq!(names(&output), [INPUTS, MANIFESTS].concat());
    assert!(!output.contains("rendered-by"), "nothing is kept there from run to run");
}

#[test]
fn results_have_messages_and_locations() {
    let items = ITEMS.replace("key: password", "key: pasword");
    let run = krm(&list(&[&items, CONFIG]));
    assert_eq!(run.status, Some(1));
    assert!(run.stderr.starts_with("<stdin>:33:44: error[missing-key]"), "{}", run.stderr);
    let output = read(&run.stdout);
    assert_eq!(output["items"], read(&list(&[&items]))["items"], "the items go back as they came");
    assert_eq!(
        output["results"],
        json!([{
            "message": "Secret `credentials` has no key `pasword` (did you mean `password`?)",
            "severity": "error",
            "resourceRef": {
                "apiVersion": "monitoring.grafana.com/v1alpha1",
                "kind": "MetricsInstance",
                "name": "primary",
                "namespace": "monitoring",
            },
            "field": {"path": "spec.remoteWrite[0].basicAuth.password.key"},
            "file": {"path": "agent.yaml", "index": 1},
            "tags": {"code": "missing-key"},
        }])
    );
    let results = serde_yaml::to_string(&output["results"]).unwrap();
    assert!(!(run.stderr + &results).contains("hunter2"));
}

#[test]
fn empty_output_suggests_allow_empty() {
    let run = krm("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n");
    let remedy = "or set `allowEmpty` in the functionConfig";
    assert!(run.stdout.replace("\n    ", " ").contains(remedy), "{}", run.stdout);
}

#[test]
fn discards_results_of_previous_runs() {
    let results = "results:\n- message: old\n  severity: error\n";
    assert_eq!(run_krm(&list(&[ITEMS, CONFIG, results])), run_krm(&list(&[ITEMS, CONFIG])));
}

#[test]
fn rejects_malformed_lists() {
    for (list, expected) in [
        ("apiVersion: config.kubernetes.io/v2\nkind: ResourceList\nitems: []\n", "found `config.kubernetes.io/v2`"),
        ("apiVersion: v1\nkind: ConfigMap\n", "expected a `ResourceList`, found a `ConfigMap`"),
        ("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n", "has no `items`"),
        ("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: {}\n", "`items` must be a list"),
        (
            "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n---\na: b\n",
            "another document after it",
        ),
        ("", "expected a `ResourceList`, found nothing"),
        ("kind: [", "yaml-syntax"),
    ] {
        let run = krm(list);
        assert_eq!((run.status, run.stdout.as_str()), (Some(2), ""), "{list}");
        assert!(run.stderr.contains(expected), "{list}: {}", run.stderr);
        assert!(!run.stderr.contains("no-input"), "{}", run.stderr);
    }
    let unknown_version_list = "apiVersion: config.kubernetes.io/v2\nkind: ResourceList\nitems: []\n";
    let run = run(root(), ["render", "-"], unknown_version_list.as_bytes());
    assert_eq!((run.status, run.stdout.as_str()), (Some(2), ""));
}

#[test]
fn rejects_configurations_with_mistakes() {
    for (spec, expected) in [
        ("agentSelectr: a=b", "unknown parameter `agentSelectr`; help: did you mean `agentSelector`?"),
        ("agent-selector: a=b", "did you mean `agentSelector`?"),
        ("validate: perhaps", "cannot be `perhaps`; help: use one of: `strict`, `warn`, `ignore`"),
        ("strict: sometimes", "must be `true` or `false`"),
        ("limit: {shards: 0}", "`shards` must be between 1 and 2147483647"),
        (
            "limit: {shards: 1001}",
            "parameter `limit` raises `shards` above 1000; help: pass `--limit` on the function's or plugin's command line",
        ),
        ("limit: {jobs: 60000}", "`limit` raises `jobs` above 50000"),
        ("limit: {output-size: 2GiB}", "`limit` raises `output-size` above 1GiB"),
        ("limit: [depth=201]", "`limit` raises `depth` above 200"),
        ("secretStore: SecretStore/vault", "parameter `secretStore` cannot be used without parameter `secrets`"),
        ("labels: {a: 1}", "must be a string, a list of strings or a mapping of strings"),
        ("labels: {a: 'b,c=d'}", "must have keys without `=` or `,`, and values without `,`"),
        ("namespace: [a, b]", "must be a single value, not a list"),
        ("deny: [pausd-agent]", "did you mean `paused-agent`?"),
        // `kustomize` is a parameter of the Argo CD plugin only.
        ("kustomize: [base]", "unknown parameter `kustomize`"),
        ("files: ['-']", "standard input is already in use"),
        ("files: '-'", "standard input is already in use"),
    ] {
        let config = CONFIG.replace("labels: {team: a}", spec);
        let run = krm(&list(&[ITEMS, &config]));
        assert_eq!(run.status, Some(1), "{spec}");
        assert!(run.stderr.contains(expected), "{spec}: {}", run.stderr);
    }
    let misspelled_config = CONFIG.replace("kind: Render", "kind: Rendr");
    assert!(krm(&list(&[ITEMS, &misspelled_config])).stderr.contains("found `Rendr` of `agentctl.dev/v1alpha1`"));
    let missing_file_config = CONFIG.replace("labels: {team: a}", "files: [gone.yaml]");
    let run = krm(&list(&[ITEMS, &missing_file_config]));
    assert_eq!((run.status, run.stdout.as_str()), (Some(2), ""));
    assert_eq!(run.stderr, "error: cannot read `gone.yaml`: No such file or directory (os error 2)\n");
}

/// Tests that a parameter can refer only to files in the function's repository or directory, even if it uses symlinks.
#[cfg(unix)]
#[test]
fn rejects_links_out_of_the_working_directory() {
    use std::fs;
    use std::os::unix::fs::symlink;

    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("here");
    for folder in [&folder.join("named"), &folder.join("shared")] {
        fs::create_dir_all(folder).unwrap();
    }
    let instance = "apiVersion: monitoring.grafana.com/v1alpha1\nkind: MetricsInstance\nmetadata: {name: linked, namespace: monitoring}\n";
    fs::write(folder.join("shared/instance.yaml"), instance).unwrap();
    fs::write(root.path().join("outside.yaml"), instance).unwrap();
    let config = CONFIG.replace("labels: {team: a}", "files: [named]");
    let krm = |flags: &[&str]| run(&folder, [&["krm"], flags].concat(), list(&[ITEMS, &config]).as_bytes());
    symlink("../shared/instance.yaml", folder.join("named/link.yaml")).unwrap();
    let accepted_run = krm(&[]);
    assert_eq!(accepted_run.status, Some(0), "{}", accepted_run.stderr);
    fs::remove_file(folder.join("named/link.yaml")).unwrap();
    symlink("../../outside.yaml", folder.join("named/link.yaml")).unwrap();
    let rejected_run = krm(&[]);
    assert_eq!(rejected_run.status, Some(1), "{}", rejected_run.stdout);
    assert!(rejected_run.stderr.contains("error[outside-link]"), "{}", rejected_run.stderr);
}

/// Tests that a parameter can require a flag or another parameter, regardless of their order.
#[test]
fn applies_parameters_in_any_order() {
    for (spec, flags) in [
        ("secretStore: SecretStore/vault\n    secrets: external", &["krm"][..]),
        ("secrets: external\n    secretStore: SecretStore/vault", &["krm"]),
        ("secretStore: SecretStore/vault", &["krm", "--secrets", "external"]),
    ] {
        let config = CONFIG.replace("labels: {team: a}", spec);
        let run = run(root(), flags, list(&[ITEMS, &config]).as_bytes());
        assert_eq!(run.status, Some(0), "{spec}: {}", run.stderr);
        assert!(run.stdout.contains("kind: ExternalSecret"), "{spec}: {}", run.stdout);
    }
    // If the command line lowers a limit, a parameter cannot raise the limit, not even to the default.
    let config = CONFIG.replace("labels: {team: a}", "limit: {shards: 6}");
    let run = run(root(), ["krm", "--limit", "shards=5"], list(&[ITEMS, &config]).as_bytes());
    assert!(run.stderr.contains("parameter `limit` raises `shards` above 5"), "{}", run.stderr);
}

#[test]
fn function_config_overrides_flags() {
    let flags = ["krm", "--labels", "team=b", "--strict"];
    let config_run = run(root(), flags, list(&[ITEMS, CONFIG]).as_bytes());
    assert_eq!(config_run.stdout, run_krm(&list(&[ITEMS, CONFIG])), "the configuration comes before the flag");
    let flag_run = run(root(), flags, list(&[ITEMS]).as_bytes());
    assert!(flag_run.stdout.contains("team: b"));
}

#[test]
fn does_not_tag_strings_as_binary() {
    let items = ITEMS.replace("team: \"a\"", "team: \"\\u0000\\u0007\\u00ff\"");
    assert!(!krm(&list(&[&items])).stdout.contains("!!binary"));
}

#[test]
fn preserves_items_in_every_notation() {
    for items in [
        "items: [{apiVersion: e/v1, kind: X, metadata: {name: x}, spec: {a: [1, 2]}}]\n",
        "items:\n    -   apiVersion: e/v1\n        kind: X\n        metadata:\n            name: x\n        spec:\n            a: |+\n              b\n\n",
        "items:\n- &x\n  apiVersion: e/v1\n  kind: X\n  metadata: {name: x}\n- <<: *x\n  metadata: {name: z}\n",
        "items:\n-\n  apiVersion: e/v1\n  kind: X\n  metadata:\n    name: x\n  spec: \"a\n    b\"\n",
    ] {
        let allowing_config = CONFIG.replace("labels: {team: a}", "allowEmpty: true");
        let output = run_krm(&list(&[items, &allowing_config]));
        let mut expected = read(&list(&[items]));
        // The test reads YAML with serde_yaml, which does not resolve merge keys.
        if items.contains("<<") {
            expected["items"][1] = json!({"apiVersion": "e/v1", "kind": "X", "metadata": {"name": "z"}});
        }
        assert_eq!(read(&output)["items"], expected["items"], "{items}");
        assert_eq!(run_krm(&output), output, "{items}");
    }
}

#[test]
fn accepts_any_indentation() {
    let indented_list = format!(
        "- apiVersion: v1\n  kind: ConfigMap\n  metadata: {{name: deep}}\n  data:\n    a: |\n      b\n      {}c\n",
        " ".repeat(70_000)
    );
    let run = krm(&list(&[ITEMS, &indented_list]));
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains(&format!("{}c\n", " ".repeat(70_000))));
}

//! Tests `--target alloy` with every command that compiles.

use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::support::{Run, root, run, scratch};

const SECRETS: &str = r"
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: agent, namespace: monitoring}
spec: {metrics: {instanceSelector: {}}, logs: {instanceSelector: {}}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: primary, namespace: monitoring}
spec:
  remoteWrite:
  - url: https://mimir/api/v1/push
    basicAuth:
      username: {name: credentials, key: username}
      password: {name: credentials, key: password}
  additionalScrapeConfigs: {name: jobs, key: jobs.yaml}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: LogsInstance
metadata: {name: primary, namespace: monitoring}
spec:
  clients:
  - url: https://loki/push
    basicAuth:
      username: {name: credentials, key: username}
      password: {name: credentials, key: password}
---
apiVersion: v1
kind: Secret
metadata: {name: credentials, namespace: monitoring}
stringData: {username: PLANTED-1, password: PLANTED-2}
";

const JOBS: &str = r"
---
apiVersion: v1
kind: Secret
metadata: {name: jobs, namespace: monitoring}
stringData:
  jobs.yaml: |
    -
    - job_name: edge
      params: {token: [PLANTED-3]}
      basic_auth: {username: PLANTED-4, password: PLANTED-5}
      static_configs:
      -
      - targets: [edge:443]
      http_sd_configs:
      - url: https://PLANTED-6:PLANTED-7@registry/targets
";

fn alloy(args: &[&str], stdin: &str) -> Run {
    let args = args.iter().chain(&["--target", "alloy"]);
    run(root(), args, stdin.as_bytes())
}

fn items(rendered: &Run) -> Vec<Value> {
    let list: Value = serde_json::from_str(&rendered.stdout).unwrap();
    list["items"].as_array().unwrap().clone()
}

fn find_item<'i>(items: &'i [Value], kind: &str, name: &str) -> &'i Value {
    let has_name = |item: &&Value| item["kind"] == kind && item["metadata"]["name"] == name;
    items.iter().find(has_name).unwrap()
}

#[test]
fn every_command_accepts_the_alloy_target() {
    let directory = scratch("alloy-commands");
    let before = run(root(), ["render", "testdata/quickstart"], b"").stdout;
    let rendered = directory.join("rendered");
    let rendered = rendered.to_str().unwrap();
    let commands: [&[&str]; 11] = [
        &["render", "testdata/quickstart"],
        &["render", "testdata/quickstart", "--output-dir", rendered],
        &["render", "testdata/quickstart", "--output-dir", rendered, "--check"],
        &["check", "testdata/quickstart"],
        &["diff", "testdata/quickstart", "--against", rendered],
        &["affected", "testdata/quickstart/shop.yaml", "-f", "testdata/quickstart"],
        &["shards", "-f", "testdata/quickstart"],
        &["tree", "testdata/quickstart"],
        &["config", "-f", "testdata/quickstart"],
        &["config", "-f", "testdata/quickstart", "--source-map", "--show-secrets"],
        &["why", "testdata/quickstart/shop.yaml", "-f", "testdata/quickstart"],
    ];
    for args in commands {
        let run = alloy(args, "");
        assert_eq!(run.status, Some(0), "{args:?} {run:?}");
        let text = format!("{}{}", run.stdout, run.stderr);
        assert!(!text.contains("agent.yml") && !text.contains("YWdlbnQueW1s"), "{args:?} {text}");
    }
    let against = alloy(&["diff", "testdata/quickstart", "--against", "-"], &before);
    assert_eq!(against.status, Some(1), "{against:?}");
    for line in ["-# data: agent.yml\n", "+# data: config.alloy\n", "0 added, 7 changed, 0 removed"] {
        assert!(against.stdout.contains(line) || against.stderr.contains(line), "{line} {against:?}");
    }
}

#[test]
fn tree_page_shows_alloy_components() {
    for target in ["agent", "alloy"] {
        let page = run(root(), ["tree", "testdata/quickstart", "-o", "html", "--target", target], b"");
        let contains = |part| page.stdout.contains(part);
        let is_alloy = target == "alloy";
        assert_eq!(contains("prometheus.remote_write \\\"monitoring_"), is_alloy, "{target}");
        assert_eq!(contains("discovery.relabel \\\""), is_alloy, "{target}");
        assert_eq!(contains("kubernetes_sd_configs"), !is_alloy, "{target}");
    }
    let page = alloy(&["tree", "-", "-o", "html"], &format!("{SECRETS}{JOBS}")).stdout;
    assert!(page.contains("prometheus.remote_write \\\"monitoring_primary\\\""));
    assert!(!page.contains("PLANTED"));
}

#[test]
fn krm_functions_accept_the_target_as_a_parameter() {
    let function = json!({
        "apiVersion": "agentctl.dev/v1alpha1",
        "kind": "Render",
        "metadata": {"name": "render"},
        "spec": {"target": "alloy", "configKind": "configmap"},
    });
    let resources = serde_yaml::Deserializer::from_str(SECRETS)
        .map(|document| <Value as serde::Deserialize>::deserialize(document).unwrap());
    let resources: Vec<_> = resources
        .chain(
            serde_yaml::Deserializer::from_str(JOBS)
                .filter_map(|document| <Option<Value> as serde::Deserialize>::deserialize(document).unwrap()),
        )
        .collect();
    let list = json!({
        "apiVersion": "config.kubernetes.io/v1",
        "kind": "ResourceList",
        "functionConfig": function,
        "items": resources,
    });
    let run = run(root(), ["krm"], list.to_string().as_bytes());
    assert_eq!(run.status, Some(0), "{run:?}");
    let answer: Value = serde_yaml::from_str(&run.stdout).unwrap();
    let items = answer["items"].as_array().unwrap();
    assert!(find_item(items, "ConfigMap", "agent-config")["data"]["config.alloy"].is_string());
}

#[test]
fn config_maps_contain_no_secrets_and_are_mounted() {
    let added_jobs = r"
      proxy_url: http://proxy/?x=PLANTED-20
      metrics_path: /metrics?x=PLANTED-21
      relabel_configs:
      - {target_label: x, replacement: PLANTED-22}
      static_configs:
      - {targets: ['PLANTED-23:80'], labels: {name: PLANTED-24}}
";
    let jobs = JOBS.replace("[PLANTED-3]}", "[PLANTED-3], module: [PLANTED-25]}");
    let jobs = jobs.replace("\n      static_configs:\n", added_jobs);
    assert!(jobs.contains("PLANTED-24") && jobs.contains("PLANTED-25"), "{jobs}");
    let input = format!("{SECRETS}{jobs}");
    for mode in ["inline", "external"] {
        let run = alloy(&["render", "-", "-o", "json", "--config-kind", "configmap", "--secrets", mode], &input);
        assert_eq!(run.status, Some(0), "{run:?}");
        let items = items(&run);
        for item in items.iter().filter(|item| item["kind"] != "Secret") {
            assert!(!item.to_string().contains("PLANTED"), "{item}");
        }
        let text = find_item(&items, "ConfigMap", "agent-config")["data"]["config.alloy"].as_str().unwrap();
        // The first item of the list is null, but it still counts toward the number in the component's label.
        let password = match mode {
            "inline" => "password = local.file.additional_1.content",
            _ => {
                "encoding.from_yaml(convert.nonsensitive(local.file.monitoring_jobs_jobs_yaml.content))\
                 [1][\"basic_auth\"][\"password\"]"
            }
        };
        assert!(text.contains(password), "{text}");
        for (kind, name, map) in
            [("StatefulSet", "agent", "agent-config"), ("DaemonSet", "agent-logs", "agent-logs-config")]
        {
            let volume = &find_item(&items, kind, name)["spec"]["template"]["spec"]["volumes"][0];
            assert_eq!(volume, &json!({"name": "config", "configMap": {"name": map}}));
        }
        let is_secret = |item: &&Value| item["kind"] == "Secret";
        let names: Vec<_> =
            items.iter().filter(is_secret).map(|item| item["metadata"]["name"].as_str().unwrap()).collect();
        assert_eq!(names, if mode == "inline" { vec!["agent-secrets"] } else { vec![] });
    }
}

#[test]
fn configurations_contain_no_credentials() {
    let jobs = JOBS.replace("password: PLANTED-5", "password: 918273645");
    let input = format!("{SECRETS}{jobs}");
    for mode in ["inline", "external"] {
        let run = alloy(&["render", "-", "-o", "json", "--secrets", mode], &input);
        assert_eq!(run.status, Some(0), "{run:?}");
        let items = items(&run);
        let data = find_item(&items, "Secret", "agent-config")["data"]["config.alloy"].as_str();
        let text = String::from_utf8(STANDARD.decode(data.unwrap()).unwrap()).unwrap();
        for value in ["PLANTED", "918273645", "9.18273645e+08"] {
            assert!(!text.contains(value), "{mode}: {text}");
        }
        let value = "[1][\"basic_auth\"][\"password\"])";
        match mode {
            "inline" => {
                let data = find_item(&items, "Secret", "agent-secrets")["data"].as_object().unwrap();
                let files = data.keys().filter(|key| key.starts_with("_additional_monitoring_jobs_jobs_yaml_"));
                let files: Vec<_> = files.filter(|file| text.contains(file.as_str())).collect();
                assert_eq!(files.len(), 4, "{text}");
                // The credential files use the same notation for numbers as the agent's configuration.
                assert!(files.iter().any(|file| data[*file] == STANDARD.encode("9.18273645e+08")));
            }
            // Alloy does not accept a number as a secret, so the expression formats it as a string.
            _ => assert!(text.contains("string.format(\"%v\", encoding.from_yaml(") && text.contains(value), "{text}"),
        }
    }
}

#[test]
fn credentials_do_not_replace_text_that_looks_like_a_marker() {
    const MONITOR: &str = r#"
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: curious, namespace: elsewhere}
spec:
  selector: {}
  endpoints:
  - port: http
    params: {"\00": ["\00", "\01"]}
    relabelings: [{targetLabel: stolen, replacement: "\01"}]
"#;
    let agent = SECRETS.replace(
        "  additionalScrapeConfigs",
        "  serviceMonitorSelector: {}\n  serviceMonitorNamespaceSelector: {}\n  additionalScrapeConfigs",
    );
    let input = format!("{agent}{JOBS}{MONITOR}");
    let parts = |mode| {
        let args = ["config", "-f", "-", "--secrets", mode, "--show-secrets"];
        let run = alloy(&args, &input);
        assert_eq!(run.status, Some(0), "{run:?}");
        let parts: Vec<_> = run.stdout.split("\n\n").map(String::from).collect();
        parts
    };
    for mode in ["inline", "external"] {
        let parts = parts(mode);
        let is_stolen = |part: &&String| part.contains("stolen") || part.contains("params");
        let stolen_parts: Vec<_> = parts.iter().filter(is_stolen).collect();
        assert!(stolen_parts.len() >= 2, "{parts:?}");
        for part in stolen_parts {
            assert!(!part.contains("local.file") || part.contains("\"edge\""), "{part}");
            assert!(!part.contains('\0'), "{part:?}");
        }
    }
}

#[test]
fn external_secrets_embed_only_scrape_jobs() {
    let input = format!("{SECRETS}{JOBS}");
    let run = alloy(&["render", "-", "-o", "json", "--secrets", "external"], &input);
    assert_eq!(run.status, Some(0), "{run:?}");
    for item in items(&run) {
        let data = item["data"].as_object().into_iter().flatten();
        for (_, value) in data {
            let text = STANDARD.decode(value.as_str().unwrap()).unwrap();
            assert!(!String::from_utf8(text).unwrap().contains("PLANTED"), "{item}");
        }
    }
    // A SealedSecret hides its values, which is accepted for credentials, but not for the YAML of scrape jobs.
    let sealed_secret = |name: &str, keys: &str| {
        format!(
            "---\napiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nmetadata: {{name: {name}, namespace: monitoring}}\n\
             spec: {{encryptedData: {keys}}}\n"
        )
    };
    let (resources, _) = SECRETS.split_once("---\napiVersion: v1\nkind: Secret").unwrap();
    let credentials = sealed_secret("credentials", "{username: AgA, password: AgB}");
    let args = ["render", "-", "--secrets", "external", "--message-format", "short"];
    let run = alloy(&args, &format!("{resources}{credentials}{JOBS}"));
    assert_eq!(run.status, Some(0), "{run:?}");
    let run = alloy(&args, &format!("{resources}{credentials}{}", sealed_secret("jobs", "{jobs.yaml: AgC}")));
    assert_eq!(run.status, Some(1), "{run:?}");
    let errors: Vec<_> = run.stderr.lines().filter(|line| line.contains(" error[")).collect();
    let [error] = errors[..] else { panic!("{errors:?}") };
    assert!(error.starts_with("<stdin>:16:3: error[inlined-secret]: the scrape jobs of"), "{error}");
}

#[test]
fn agent_configurations_stay_in_secrets() {
    let run =
        run(root(), ["check", "testdata/quickstart", "--config-kind", "configmap", "--message-format", "short"], b"");
    assert_eq!(run.status, Some(1), "{run:?}");
    assert!(run.stdout.contains("error[inlined-secret]: `agent.yml` contains Secret values"), "{run:?}");
}

#[test]
fn compresses_long_configurations_in_config_maps() {
    let monitor = |number: usize| {
        format!(
            "---\napiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {{name: m{number}, namespace: monitoring}}\n\
             spec: {{selector: {{}}, endpoints: [{{port: http}}]}}\n"
        )
    };
    let monitors: String = (0..100).map(monitor).collect();
    let instance = "remoteWrite:";
    let selecting_input = SECRETS.replacen(instance, "serviceMonitorSelector: {}\n  remoteWrite:", 1);
    let input = format!("{selecting_input}{JOBS}{monitors}");
    let args = ["--config-kind", "configmap"];
    let render = |input: &str| alloy(&[&["render", "-"], &args[..]].concat(), input);
    let before = render(&input);
    assert!(before.stdout.contains("\nbinaryData:\n  config.alloy: H4sI"), "{}", before.stdout);
    let live: PathBuf = scratch("alloy-live").join("live.yaml");
    fs::write(&live, &before.stdout).unwrap();
    let diff = |input: &str| alloy(&[&["diff", "-", "--against", path_str(&live)], &args[..]].concat(), input);
    assert_eq!(diff(&input).status, Some(0));
    let changed_diff = diff(&input.replace("metadata: {name: m7,", "metadata: {name: m7x,"));
    assert!(changed_diff.stdout.contains("= \"serviceMonitor/monitoring/m7x/0\"\n"), "{}", changed_diff.stdout);
    assert!(!changed_diff.stdout.contains("edge"), "{}", changed_diff.stdout);
}

fn path_str(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn writes_statsd_mappings_as_files() {
    let input = r"
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: agent, namespace: monitoring}
spec: {integrations: {selector: {}}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: Integration
metadata: {name: statsd, namespace: monitoring}
spec:
  name: statsd
  type: {allNodes: false}
  config:
    mapping_config:
      mappings: [{match: a.*, name: 'a_$1'}]
";
    let render = |flags: &[&str]| alloy(&[&["render", "-", "-o", "json"], flags].concat(), input);
    let rendered = render(&[]);
    assert!(!rendered.stderr.contains("lost-setting"), "{}", rendered.stderr);
    let items = items(&rendered);
    let text = |name: &str, key: &str| {
        let data = find_item(&items, "Secret", name)["data"][key].as_str().unwrap();
        String::from_utf8(STANDARD.decode(data).unwrap()).unwrap()
    };
    let file = "_integrations_monitoring_statsd_mapping_config";
    assert_eq!(text("agent-secrets", file), "mappings:\n    - match: a.*\n      name: a_$1\n");
    let configuration = text("agent-integrations-deploy-config", "config.alloy");
    let argument = format!("mapping_config_path = \"/var/lib/grafana-agent/secrets/{file}\"");
    assert!(configuration.contains(&argument), "{configuration}");
    // External Secrets cannot deliver the file that contains the mapping.
    let external = render(&["-v", "--secrets", "external", "--secret-store", "ClusterSecretStore/vault"]);
    assert!(external.stderr.contains("`mapping_config` in the `statsd` integration"), "{}", external.stderr);
}

/// Tests that an instance with additional jobs keeps its receivers in the integrations configuration, because the agent
/// runs these jobs there as well.
#[test]
fn integrations_include_instances_with_additional_jobs() {
    let node_integration = "---\napiVersion: monitoring.grafana.com/v1alpha1\nkind: Integration\nmetadata: {name: node, namespace: monitoring}\n\
                spec: {name: node_exporter, type: {allNodes: true, unique: true}, config: {}}\n";
    let agent = SECRETS.replacen("spec: {metrics:", "spec: {integrations: {selector: {}}, metrics:", 1);
    let without_jobs = agent.replace("  additionalScrapeConfigs: {name: jobs, key: jobs.yaml}\n", "");
    for (input, is_kept) in [(&agent, true), (&without_jobs, false)] {
        let run = alloy(&["config", "-f", "-", "--type", "integrations"], &format!("{input}{JOBS}{node_integration}"));
        assert_eq!(run.status, Some(0), "{run:?}");
        assert!(run.stdout.contains("prometheus.exporter.unix"), "{}", run.stdout);
        assert_eq!(run.stdout.contains("prometheus.remote_write \"monitoring_primary\""), is_kept, "{}", run.stdout);
    }
}

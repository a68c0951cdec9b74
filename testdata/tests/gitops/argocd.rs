//! Runs agentctl as Argo CD's plugin server does: with the commands in `plugin.yaml`, in the application's directory
//! and environment, and with the same handling of output, errors and exit status.

use crate::support;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::kustomize::places::{has_kustomize, tree};
use crate::support::{Run, feed, root, scratch};
use serde_json::{Value, json};

const AGENT: &str = "\
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: agent}
spec:
  metrics:
    instanceSelector: {}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: primary}
spec:
  remoteWrite:
  - url: https://prometheus.example.com
    basicAuth:
      username: {name: credentials, key: username}
      password: {name: credentials, key: password}
";

const SECRET: &str = "\
apiVersion: v1
kind: Secret
metadata: {name: credentials}
stringData: {username: someone, password: hunter2}
";

fn plugin() -> Value {
    let file = root().join("deploy/argocd/plugin.yaml");
    serde_yaml::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

/// An application in the `agents` directory of a repository.
struct Application {
    directory: PathBuf,
    environment: Vec<(String, String)>,
}

impl Application {
    fn new(name: &str) -> Self {
        let directory = scratch(&format!("argocd-{name}")).join("agents");
        fs::create_dir(&directory).unwrap();
        fs::write(directory.join("agent.yaml"), AGENT).unwrap();
        fs::write(directory.join("secret.yaml"), SECRET).unwrap();
        let environment = [
            ("ARGOCD_APP_NAME", "monitoring"),
            ("ARGOCD_APP_NAMESPACE", "deployed"),
            ("ARGOCD_APP_PROJECT_NAME", "default"),
            ("ARGOCD_APP_REVISION", "0123456789abcdef"),
            ("ARGOCD_APP_SOURCE_PATH", "agents"),
            ("KUBE_VERSION", "1.32.0"),
            ("KUBE_API_VERSIONS", "v1,apps/v1"),
            ("ARGOCD_ENV_FOO", "bar"),
            // If there are no parameters, Go writes a nil slice as `null`.
            ("ARGOCD_APP_PARAMETERS", "null"),
        ];
        let environment = environment.map(|(key, value)| (key.to_owned(), value.to_owned())).into();
        Self { directory, environment }
    }

    /// Sets parameters in the format of Argo CD's `ApplicationSourcePluginParameters.Environ`.
    fn parameters(mut self, parameters: Value) -> Self {
        self.environment.retain(|(key, _)| key != "ARGOCD_APP_PARAMETERS");
        self.environment.push(("ARGOCD_APP_PARAMETERS".to_owned(), parameters.to_string()));
        for parameter in parameters.as_array().into_iter().flatten() {
            if let (Some(name), Some(value)) = (parameter["name"].as_str(), parameter["string"].as_str()) {
                let name = name.to_uppercase().replace('-', "_");
                self.environment.push((format!("PARAM_{name}"), value.to_owned()));
            }
        }
        self
    }

    fn file(self, name: &str, text: &str) -> Self {
        let path = self.directory.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    /// Runs one of the plugin's commands in the same way as `runCommand` in the plugin server.
    fn run(&self, command: &Value) -> Run {
        let words = |key: &str| command[key].as_array().into_iter().flatten().map(|word| word.as_str().unwrap());
        let words: Vec<_> = words("command").chain(words("args")).collect();
        let binary = Path::new(env!("CARGO_BIN_EXE_agentctl"));
        let mut command = Command::new("env");
        command
            .args(words)
            .env_clear()
            .env("PATH", format!("{}:/usr/bin:/bin", binary.parent().unwrap().display()))
            .envs(self.environment.iter().map(|(key, value)| (key, value)))
            .current_dir(&self.directory);
        feed(&mut command, b"")
    }

    fn generate(&self) -> Run {
        self.run(&plugin()["spec"]["generate"])
    }

    /// Returns the manifests of a successful run.
    fn manifests(&self) -> Vec<Value> {
        let run = self.generate();
        assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""));
        Self::documents(&run)
    }

    /// Returns the manifests that a run prints.
    fn documents(run: &Run) -> Vec<Value> {
        let documents = run.stdout.split("---\n").filter(|text| !text.is_empty());
        documents.map(|text| serde_yaml::from_str(text).unwrap()).collect()
    }

    /// Returns the standard error of a failed run, which is the only output that Argo CD then uses.
    fn expect_failure(&self) -> String {
        let run = self.generate();
        assert_eq!((run.status, run.stdout.as_str()), (Some(1), ""), "{}", run.stderr);
        run.stderr
    }
}

#[test]
fn standard_output_contains_only_manifests() {
    let application = Application::new("manifests");
    let manifests = application.manifests();
    let kinds: Vec<_> = manifests.iter().map(|manifest| manifest["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["Secret", "Secret", "Secret", "Service", "StatefulSet"]);
    for manifest in &manifests[1..] {
        assert_eq!(manifest["metadata"]["namespace"], "deployed");
    }
    assert_eq!(application.generate(), application.generate());
}

#[test]
fn output_matches_the_render_command() {
    let application = Application::new("render");
    let rendered = support::run(&application.directory, ["render", ".", "-n", "deployed", "--pass-through"], b"");
    assert_eq!(application.generate(), rendered);
}

#[test]
fn parameters_set_flags() {
    let application = Application::new("parameters")
        .file("../common/agent.yaml", &AGENT.replace("name: agent}", "name: common}"))
        .parameters(json!([
            {"name": "files", "array": ["secret.yaml", "../common"]},
            {"name": "labels", "map": {"team": "a", "tier": "b"}},
            {"name": "namespace", "string": "own"},
            {"name": "strict", "string": "true"},
            {"name": "allow", "array": []},
        ]));
    let manifests = application.manifests();
    assert_eq!(manifests[4]["metadata"]["name"], "common");
    assert_eq!(manifests[4]["metadata"]["namespace"], "own");
    assert_eq!(manifests[4]["metadata"]["labels"]["tier"], "b");
}

#[test]
fn target_can_be_set_by_a_parameter() {
    let run = Application::new("target")
        .parameters(json!([
            {"name": "target", "string": "alloy"},
            {"name": "config-kind", "string": "configmap"},
        ]))
        .generate();
    assert_eq!(run.status, Some(0));
    assert!(
        run.stderr.contains("warning[normalized-label]") && run.stderr.ends_with("\n2 warnings\n"),
        "{}",
        run.stderr
    );
    let manifests = Application::documents(&run);
    let is_map = |manifest: &&Value| manifest["kind"] == "ConfigMap";
    let map = manifests.iter().find(is_map).unwrap();
    let text = map["data"]["config.alloy"].as_str().unwrap();
    assert!(text.contains("prometheus.remote_write"), "{text}");
    assert!(!text.contains("hunter2"), "{text}");
}

#[test]
fn applies_parameters_in_any_order() {
    let manifests = Application::new("needs")
        .parameters(json!([
            {"name": "secret-store", "string": "ClusterSecretStore/vault"},
            {"name": "secrets", "string": "external"},
        ]))
        .manifests();
    let mut kinds = manifests.iter().filter_map(|manifest| manifest["kind"].as_str());
    assert!(kinds.any(|kind| kind == "ExternalSecret"));
}

#[test]
fn reports_mistakes_in_parameters() {
    for (parameters, expected) in [
        (json!([{"name": "agent-selectr", "string": "a=b"}]), "did you mean `agent-selector`?"),
        (json!([{"name": "validate", "string": "perhaps"}]), "use one of: `strict`, `warn`, `ignore`"),
        (json!([{"name": "labels", "string": "a"}]), "expected KEY=VALUE, found `a`"),
        (json!([{"name": "namespace", "array": ["a"]}]), "must be a single value, not a list"),
        (json!([{"name": "namespace"}]), "exactly one of `string`, `array` or `map`"),
        (json!([{"name": "namespace", "string": "a", "array": ["a"]}]), "exactly one of"),
        (json!([{"name": "strict", "string": "true"}, {"name": "strict", "string": "true"}]), "is set twice"),
        (json!([{"name": "limit", "array": ["output-size=4GiB"]}]), "`limit` raises `output-size` above 1GiB"),
        (json!([{"string": "a"}]), "has no `name`"),
        (json!({"name": "a"}), "expected a list of parameters"),
        (json!([{"name": "files", "array": ["../../../etc"]}]), "not in the repository"),
        (json!([{"name": "files", "array": ["/etc/passwd"]}]), "not in the repository"),
        (json!([{"name": "files", "array": ["-"]}]), "standard input is already in use"),
    ] {
        let stderr = Application::new("mistakes").parameters(parameters.clone()).expect_failure();
        assert!(stderr.contains("[invalid-parameter]"), "{parameters}: {stderr}");
        assert!(stderr.contains(expected), "{parameters}: {stderr}");
        assert!(stderr.contains("ARGOCD_APP_PARAMETERS:1:"), "{parameters}: {stderr}");
    }
}

#[test]
fn reports_mistakes_without_secret_values() {
    let application = Application::new("resources").file("agent.yaml", &AGENT.replace("key: password", "key: pasword"));
    let stderr = application.expect_failure();
    assert!(stderr.contains("did you mean `password`?"), "{stderr}");
    assert!(!stderr.contains("hunter2"), "{stderr}");
}

#[test]
fn fails_for_empty_output() {
    let application = Application::new("empty").parameters(json!([{"name": "agent-selector", "string": "no=one"}]));
    let stderr = application.expect_failure();
    assert!(stderr.contains("[empty-render]"), "{stderr}");
    let help = "correct the application's parameters, or unpause an agent";
    assert!(stderr.contains(help), "{stderr}");
    let allow_empty_parameters =
        json!([{"name": "agent-selector", "string": "no=one"}, {"name": "allow-empty", "string": "true"}]);
    let run = Application::new("empty").parameters(allow_empty_parameters).generate();
    assert_eq!(run.status, Some(0));
    assert_eq!(Application::documents(&run).len(), 1, "the Secret of the input");
}

/// Tests that an application's other objects are kept when it switches to the plugin. Argo CD would otherwise prune
/// them.
#[test]
fn passes_through_other_objects() {
    let other_objects = "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n---\napiVersion: apps/v1\nkind: Deployment\n\
                  metadata: {name: web, annotations: {argocd.argoproj.io/sync-wave: '1'}}\n";
    let application =
        || Application::new("others").file("others.yaml", other_objects).file("values.yaml", "replicas: 1\n");
    let manifests = application().manifests();
    let find_object = |kind: &str, name: &str| {
        manifests.iter().any(|manifest| manifest["kind"] == kind && manifest["metadata"]["name"] == name)
    };
    assert!(
        find_object("Namespace", "shop") && find_object("Deployment", "web") && find_object("StatefulSet", "agent")
    );
    assert!(!manifests.iter().any(|manifest| manifest["kind"] == "GrafanaAgent"));
    let agent_manifests = application().parameters(json!([{"name": "pass-through", "string": "false"}])).manifests();
    let kinds: Vec<_> = agent_manifests.iter().map(|manifest| manifest["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["Secret", "Secret", "Service", "StatefulSet"]);
}

/// Tests that a kustomization is built as Argo CD builds it without the plugin.
#[test]
fn builds_a_kustomization() {
    if !has_kustomize() {
        return;
    }
    let files = "resources: [agent.yaml, secret.yaml, others.yaml]\ncommonAnnotations: {built: 'true'}\n";
    let other_objects = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n";
    let manifests =
        Application::new("built").file("kustomization.yaml", files).file("others.yaml", other_objects).manifests();
    let settings = manifests.iter().find(|manifest| manifest["kind"] == "ConfigMap").unwrap();
    assert_eq!(settings["metadata"]["annotations"]["built"], "true");
    assert!(manifests.iter().any(|manifest| manifest["kind"] == "StatefulSet"));
}

#[test]
fn missing_resources_suggest_the_parameter_to_set() {
    let service = "apiVersion: v1\nkind: Service\nmetadata: {name: s}\n";
    let stderr = Application::new("no-resources").file("agent.yaml", service).expect_failure();
    let help = "list the files that contain the resources in the parameter `files`, or an overlay in";
    assert!(stderr.contains(help), "{stderr}");
    assert!(!stderr.contains("allow-empty"), "{stderr}");
}

#[test]
fn fails_for_paused_agents() {
    let paused_agent = AGENT.replace("spec:\n  metrics", "spec:\n  paused: true\n  metrics");
    let second_agent = AGENT.split("---").next().unwrap().replace("name: agent}", "name: second}");
    let application =
        || Application::new("paused").file("agent.yaml", &paused_agent).file("second.yaml", &second_agent);
    assert!(application().expect_failure().contains("error[paused-agent]"));
    let run = application().parameters(json!([{"name": "warn", "array": ["paused-agent"]}])).generate();
    assert_eq!(run.status, Some(0), "{}", run.stderr);
}

#[test]
fn fails_for_missing_files() {
    let application = Application::new("missing").parameters(json!([{"name": "files", "array": ["gone.yaml"]}]));
    let run = application.generate();
    assert_eq!((run.status, run.stdout.as_str()), (Some(2), ""));
    assert_eq!(run.stderr, "error: cannot read `gone.yaml`: No such file or directory (os error 2)\n");
}

#[test]
fn reads_the_settings_of_the_application() {
    let settings = "severity: {unselected: deny}\n";
    let agent_without_instances =
        AGENT.replace("instanceSelector: {}", "instanceSelector: {matchLabels: {no-such: label}}");
    let application =
        Application::new("settings").file("agentctl.yaml", settings).file("agent.yaml", &agent_without_instances);
    assert!(application.expect_failure().contains("error[unselected]"));
    assert_eq!(plugin()["spec"]["discover"], json!({"fileName": "agentctl.yaml"}), "the same file leads to the plugin");
}

#[test]
fn accepts_every_announced_parameter() {
    let application = Application::new("announced");
    let run = application.run(&plugin()["spec"]["parameters"]["dynamic"]);
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""));
    let announced_parameters: Vec<Value> = serde_json::from_str(&run.stdout).unwrap();
    let names: Vec<_> = announced_parameters.iter().map(|parameter| parameter["name"].as_str().unwrap()).collect();
    for name in ["files", "kustomize", "namespace", "labels", "validate", "allow", "allow-empty", "strict"] {
        assert!(names.contains(&name), "{name}");
    }
    let parameter = |name: &str| announced_parameters.iter().find(|parameter| parameter["name"] == name).unwrap();
    assert_eq!(parameter("namespace")["string"], "deployed");
    assert_eq!(parameter("validate")["tooltip"], "Handling of unknown fields: strict, warn, ignore");
    for parameter in &announced_parameters {
        assert!(!parameter["tooltip"].as_str().unwrap().is_empty(), "{parameter}");
        assert!(!parameter["title"].as_str().unwrap().is_empty(), "{parameter}");
        // A parameter may also be set explicitly to its announced default.
        let mut parameter_to_set = json!({"name": parameter["name"]});
        match parameter["collectionType"].as_str().unwrap() {
            "array" => parameter_to_set["array"] = parameter.get("array").cloned().unwrap_or(json!([])),
            "map" => parameter_to_set["map"] = json!({}),
            "string" => match parameter.get("string") {
                Some(default) => parameter_to_set["string"] = default.clone(),
                None => continue,
            },
            other => panic!("{other} is not a collectionType"),
        }
        let run = Application::new("announced").parameters(json!([parameter_to_set])).generate();
        assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""), "{parameter_to_set}");
    }
}

#[test]
fn documented_parameters_exist() {
    let file = fs::read_to_string(root().join("deploy/argocd/application.yaml")).unwrap();
    let example: Value = serde_yaml::from_str(&file).unwrap();
    let parameters = example["spec"]["source"]["plugin"]["parameters"].clone();
    assert_eq!(Application::new("example").parameters(parameters).generate().status, Some(0));
}

/// Parts of Argo CD's Deployment that the patch depends on.
const REPO_SERVER: &str = "\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: argocd-repo-server
spec:
  template:
    spec:
      containers:
      - name: argocd-repo-server
        image: quay.io/argoproj/argocd:latest
      volumes:
      - name: var-files
        emptyDir: {}
      - name: plugins
        emptyDir: {}
";

#[test]
fn kustomize_component_adds_the_sidecar() {
    let directory = scratch("argocd-component");
    fs::write(directory.join("repo-server.yaml"), REPO_SERVER).unwrap();
    let kustomization = "resources: [repo-server.yaml]\ncomponents: [agentctl]\n";
    fs::write(directory.join("kustomization.yaml"), kustomization).unwrap();
    fs::create_dir(directory.join("agentctl")).unwrap();
    for file in ["kustomization.yaml", "repo-server.yaml"] {
        let from = root().join("deploy/argocd").join(file);
        fs::copy(from, directory.join("agentctl").join(file)).unwrap();
    }
    let mut kubectl = Command::new("kubectl");
    kubectl.args(["kustomize", "."]).current_dir(&directory).stdin(Stdio::null());
    if !support::has_program("kubectl", "the kustomize component of Argo CD") {
        return;
    }
    let output = kubectl.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    let deployment: Value = serde_yaml::from_slice(&output.stdout).unwrap();
    let pod = &deployment["spec"]["template"]["spec"];
    let containers = pod["containers"].as_array().unwrap();
    assert_eq!(containers.len(), 2);
    let sidecar = containers.iter().find(|container| container["name"] == "agentctl").unwrap();
    assert_eq!(sidecar["command"], json!(["/var/run/argocd/argocd-cmp-server"]));
    assert_eq!(sidecar["securityContext"]["runAsUser"], 999);
    let volumes: Vec<_> = pod["volumes"].as_array().unwrap().iter().map(|volume| volume["name"].clone()).collect();
    for mount in sidecar["volumeMounts"].as_array().unwrap() {
        assert!(volumes.contains(&mount["name"]), "{mount}");
    }
}

/// Tests that a directory with an overlay is built with kustomize if the parameter requests it, and that no help text
/// suggests something that a plugin cannot do.
#[test]
fn builds_overlays() {
    let Some(directory) = tree("argocd-tree") else {
        return;
    };
    let mut application = Application::new("overlay");
    application.directory = directory.join("overlays/dev");
    application.environment.retain(|(key, _)| key != "ARGOCD_APP_SOURCE_PATH");
    let path = ("ARGOCD_APP_SOURCE_PATH".to_owned(), "overlays/dev".to_owned());
    application.environment.push(path);
    let generated = application.generate();
    assert_eq!(generated, application.parameters(json!([{"name": "kustomize", "string": "."}])).generate());
    assert_eq!((generated.status, generated.stderr.as_str()), (Some(0), ""));
    assert!(generated.stdout.contains("name: agent-config"), "{}", generated.stdout);
}

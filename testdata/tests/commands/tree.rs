//! Tests `agentctl tree` in its text, JSON, Mermaid and HTML formats on `testdata/tree` and the quickstart.
//! `AGENTCTL_BLESS=1 cargo test --test all tree` updates the expected files. For all cases that were recorded from the
//! operator, the jobs below an instance must be the same as those in the instance's configuration. No format may show a
//! secret.

use crate::support;
use crate::testing;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::path::Path;

use agentctl::yaml;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rayon::prelude::*;
use serde_json::Value;

const FORMATS: [&str; 4] = ["text", "json", "mermaid", "html"];

#[test]
fn tree_formats_match_expected_output() {
    let folder = support::root().join("testdata/tree");
    let mut failures = Vec::new();
    for format in FORMATS.into_iter().filter(|&format| format != "html") {
        let run = support::run(&folder, ["tree", "input", "-o", format], b"");
        assert_eq!(run.status, Some(1), "there are errors in the input");
        failures.extend(support::compare_or_update(&folder.join(format!("tree.{format}")), &run.stdout).err());
        let quickstart = support::run(support::root(), ["tree", "testdata/quickstart", "-o", format], b"");
        assert_eq!((quickstart.status, quickstart.stderr.as_str()), (Some(0), ""));
        failures
            .extend(support::compare_or_update(&folder.join(format!("quickstart.{format}")), &quickstart.stdout).err());
    }
    support::report(&failures);
}

#[test]
fn shows_one_resource_with_its_paths() {
    let tree = |args: &[&str]| {
        let run = support::run(support::root(), ["tree"].iter().chain(args), b"");
        assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""), "{args:?}");
        run.stdout
    };
    let secret = tree(&["testdata/quickstart", "secret/credentials"]);
    let kinds = |text: &str| -> Vec<String> {
        let rows = text.lines().take_while(|line| !line.is_empty());
        let names = rows.map(|line| line.trim_start_matches(['│', '├', '└', '─', ' ']));
        names.map(|name| name.split('/').next().unwrap().to_owned()).collect()
    };
    let expected = ["GrafanaAgent", "MetricsInstance", "Secret", "LogsInstance", "Secret"];
    assert_eq!(kinds(&secret), expected, "{secret}");
    assert!(secret.contains("shared by 2"), "{secret}");
    let monitor = tree(&["smon", "checkout", "-f", "testdata/quickstart"]);
    assert_eq!(kinds(&monitor), ["GrafanaAgent", "MetricsInstance", "ServiceMonitor"]);
    let instance = tree(&["metricsinstance/primary", "testdata/quickstart"]);
    let expected_kinds = ["GrafanaAgent", "MetricsInstance", "Secret", "ServiceMonitor", "Probe"];
    assert_eq!(kinds(&instance), expected_kinds, "{instance}");
    let unknown = support::run(support::root(), ["tree", "testdata/quickstart", "smon/nope"], b"");
    assert_eq!((unknown.status, unknown.stdout.as_str()), (Some(1), ""));
    assert!(unknown.stderr.contains("ServiceMonitor `nope` not found"), "{}", unknown.stderr);
    for word in [&["tree", "agent", "-f", "testdata/quickstart"][..], &["tree", "testdata/quickstart", "agent"]] {
        let bare = support::run(support::root(), word, b"");
        assert_eq!((bare.status, bare.stdout.as_str()), (Some(1), ""));
        let help = "specify the kind: `grafanaagent/monitoring/agent`";
        assert!(bare.stderr.contains(help), "{}", bare.stderr);
    }
    assert_eq!(tree(&["testdata/quickstart", "--problems"]), "no problems found\n");
}

#[test]
fn tree_of_one_resource_has_only_its_own_jobs() {
    let object = |group: &str, kind: &str, name: &str, spec: &str| {
        format!(
            "---\napiVersion: monitoring.{group}\nkind: {kind}\nmetadata: {{name: {name}, namespace: m}}\nspec: {spec}\n"
        )
    };
    let input = [
        object("grafana.com/v1alpha1", "GrafanaAgent", "agent", "{metrics: {instanceSelector: {}}}"),
        object("grafana.com/v1alpha1", "MetricsInstance", "main", "{serviceMonitorSelector: {}}"),
        object("coreos.com/v1", "ServiceMonitor", "a", "{selector: {}, endpoints: [{port: http}]}"),
        object("coreos.com/v1", "ServiceMonitor", "b", "{selector: {}, endpoints: [{port: http}]}"),
    ];
    let args = ["tree", "servicemonitor/a", "-f", "-", "-o", "json"];
    let stdout = support::run(support::root(), args, input.concat().as_bytes()).stdout;
    let has_job = |name: &str| stdout.contains(&format!("\"serviceMonitor/m/{name}/0\""));
    assert!(has_job("a") && !has_job("b"), "{stdout}");
}

#[test]
fn shows_only_problems() {
    let folder = support::root().join("testdata/tree");
    let text = support::run(&folder, ["tree", "input", "--problems"], b"").stdout;
    for shown in [
        "client-certificates",
        "user (missing)",
        "excluded: it refers to files",
        "ServiceMonitor/shop/cart",
        "Probe/shop/broken",
    ] {
        assert!(text.contains(shown), "{shown}: {text}");
    }
    let json = support::run(&folder, ["tree", "input", "--problems", "-o", "json"], b"").stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    let full_tree: Value = serde_json::from_str(&fs::read_to_string(folder.join("tree.json")).unwrap()).unwrap();
    let find = |tree: &Value, id: &str| {
        let full_tree = tree["resources"].as_array().unwrap();
        full_tree.iter().find(|resource| resource["id"] == id).cloned()
    };
    for resource in json["resources"].as_array().unwrap() {
        let id = resource["id"].as_str().unwrap();
        let full_resource = find(&full_tree, id).unwrap();
        assert_eq!(
            (&resource["state"], &resource["parents"]),
            (&full_resource["state"], &full_resource["parents"]),
            "{id}"
        );
    }
    for resource in full_tree["resources"].as_array().unwrap() {
        let state = resource["state"].as_str().unwrap();
        let id = resource["id"].as_str().unwrap();
        if ["missing", "refused", "unselected"].contains(&state) {
            assert!(find(&json, id).is_some(), "{id}");
        }
    }
}

/// Names of the agent, the instance and the job.
type Job = (String, String, String);

#[test]
fn selected_monitors_are_in_the_configuration() {
    let root = support::root().join("testdata/conformance");
    let cases: Vec<_> = support::folders(&root).iter().flat_map(|folder| support::folders(folder)).collect();
    let cases = support::sample(cases, 3);
    let actual: Vec<_> = cases.par_iter().filter_map(|case| Some((case, jobs(case)?))).collect();
    let count: usize = actual.iter().map(|(_, (actual, _))| actual.len()).sum();
    assert!(count > support::many_or_few(100, 30), "found only {count} jobs");
    let unreadable = actual.iter().filter(|(_, (_, expected))| expected.is_none()).count();
    assert!(unreadable < 3, "{unreadable} cases could not be read");
    let failures = actual.iter().filter_map(|(case, (actual, expected))| {
        let difference: Vec<_> = actual.symmetric_difference(expected.as_ref()?).collect();
        (!difference.is_empty()).then(|| format!("{}: {difference:?}", case.display()))
    });
    support::report(&failures.collect::<Vec<_>>());
}

/// Returns the jobs in a case's tree and the jobs in its configurations if the case renders. The latter are `None` if
/// Go's library wrote invalid YAML.
fn jobs(case: &Path) -> Option<(BTreeSet<Job>, Option<BTreeSet<Job>>)> {
    let mut flags = support::words(&case.join("flags"));
    let run = |command: &str, flags: &[String]| {
        let args = [command, "input", "-o", "json"].map(str::to_owned).into_iter();
        support::run(case, args.chain(flags.iter().cloned()), b"")
    };
    let rendered = run("render", &flags);
    if rendered.status != Some(0) {
        return None;
    }
    let Some(expected) = rendered_jobs(&serde_json::from_str(&rendered.stdout).unwrap()) else {
        return Some((BTreeSet::new(), None));
    };
    // `tree` does not support `--allow-empty`, which is a flag of `render`.
    flags.retain(|flag| flag != "--allow-empty");
    let tree = run("tree", &flags);
    Some((jobs_of_tree(&serde_json::from_str(&tree.stdout).unwrap()), Some(expected)))
}

/// Returns the monitors' jobs in the configurations of all agents, or `None` if Go's library wrote invalid YAML.
fn rendered_jobs(list: &Value) -> Option<BTreeSet<Job>> {
    let mut jobs = BTreeSet::new();
    for object in list["items"].as_array().unwrap() {
        let name = object["metadata"]["name"].as_str().unwrap();
        let (agent, section) = match (name.strip_suffix("-logs-config"), name.strip_suffix("-config")) {
            (Some(agent), _) => (agent, "logs"),
            (None, Some(agent)) if !name.contains("-integrations-") => (agent, "metrics"),
            _ => continue,
        };
        let Some(text) = object["data"]["agent.yml"].as_str() else {
            continue;
        };
        let configuration = parse(&decompress(text))?;
        let agent = format!("{}/{agent}", object["metadata"]["namespace"].as_str().unwrap());
        for instance in configuration[section]["configs"].as_array().into_iter().flatten() {
            for job in instance["scrape_configs"].as_array().into_iter().flatten() {
                let name = job["job_name"].as_str().unwrap_or_default();
                let is_of_monitor =
                    ["serviceMonitor/", "podMonitor/", "probe/", "podLogs/"].iter().any(|p| name.starts_with(p));
                if is_of_monitor {
                    let instance = instance["name"].as_str().unwrap().to_owned();
                    jobs.insert((agent.clone(), instance, name.to_owned()));
                }
            }
        }
    }
    Some(jobs)
}

fn parse(text: &str) -> Option<Value> {
    Some(yaml::to_json(testing::documents(text).first()?.root()))
}

fn decompress(base64: &str) -> String {
    let bytes = STANDARD.decode(base64).unwrap();
    let mut text = String::new();
    match bytes.starts_with(b"\x1f\x8b") {
        true => flate2::read::GzDecoder::new(bytes.as_slice()).read_to_string(&mut text).unwrap(),
        false => bytes.as_slice().read_to_string(&mut text).unwrap(),
    };
    text
}

/// Returns the jobs below the instances in the tree, for agents that are compiled.
fn jobs_of_tree(tree: &Value) -> BTreeSet<Job> {
    let find = |id: &Value| tree["resources"].as_array().unwrap().iter().find(|r| r["id"] == *id).unwrap();
    let path = |resource: &Value| {
        format!("{}/{}", resource["namespace"].as_str().unwrap(), resource["name"].as_str().unwrap())
    };
    let children = |resource: &Value| resource["children"].as_array().unwrap().clone();
    let mut jobs = BTreeSet::new();
    for agent in tree["agents"].as_array().unwrap().iter().map(find).filter(|agent| agent["state"] == "present") {
        for instance in children(agent).iter().map(|child| find(&child["id"])) {
            for edge in children(instance) {
                if edge["deniedBy"].as_array().unwrap().contains(&agent["id"]) {
                    continue;
                }
                let monitor = find(&edge["id"]);
                let jobs_of_agent =
                    monitor["jobs"].as_array().unwrap().iter().filter(|jobs| jobs["agent"] == agent["id"]);
                for name in jobs_of_agent.flat_map(|jobs| jobs["names"].as_array().unwrap()) {
                    jobs.insert((path(agent), path(instance), name.as_str().unwrap().to_owned()));
                }
            }
        }
    }
    jobs
}

#[test]
fn agent_selector_excludes_other_agents() {
    let folder = support::root().join("testdata/tree");
    let run = support::run(&folder, ["tree", "input", "--agent-selector", "nothing=here"], b"");
    let labels = "Not selected:\nMetricsInstance/shop/spare";
    assert!(run.stdout.contains(labels), "{}", run.stdout);
    assert!(!run.stdout.contains("MetricsInstance/monitoring/primary"), "{}", run.stdout);
    assert!(!run.stdout.contains("GrafanaAgent"), "{}", run.stdout);
}

#[test]
fn color_adds_only_colors() {
    let folder = support::root().join("testdata/tree");
    let output = |color: &str| support::run(&folder, ["tree", "input", "--color", color], b"").stdout;
    let colored = output("always");
    assert!(colored.contains("\x1b[31mmissing\x1b[0m"), "{colored}");
    let mut plain = colored;
    for code in ["0", "1", "2", "31", "33", "36"] {
        plain = plain.replace(&format!("\x1b[{code}m"), "");
    }
    assert_eq!(plain, output("never"));
}

/// Resources with secret values in every possible position.
const SECRETS: &str = r#"
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata:
  name: a
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: '{"spec":{"x":"hunter2"}}'
    note: "password: hunter2"
spec:
  serviceAccountName: a
  apiServer: {host: h, bearerToken: hunter2}
  containers:
  - name: sidecar
    image: i
    args: [--key, hunter2]
    command: [run, hunter2]
    env: [{name: ANYTHING, value: hunter2}]
  metrics:
    instanceSelector: {}
    remoteWrite:
    - {url: "https://user:hunter2@host/push", headers: {Authorization: hunter2}}
  integrations: {selector: {}}
  # hunter2
  unknownField: hunter2
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: m}
spec:
  serviceMonitorSelector: {}
  additionalScrapeConfigs: {name: s, key: jobs}
  remoteWrite:
  - {url: u, basicAuth: {username: {name: s, key: text}, password: {name: s, key: bytes}}}
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: w}
spec:
  selector: {}
  endpoints:
  - {port: p, bearerTokenSecret: {name: s, key: text}, params: {token: [hunter2]}, proxyUrl: "http://u:hunter2@p"}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: Integration
metadata: {name: i}
spec:
  name: mysqld_exporter
  type: {allNodes: false, unique: false}
  config: {data_source_name: "root:hunter2@(db)/", nested: {adminSecretText: hunter2}, list: ["--password=hunter2"]}
---
apiVersion: v1
kind: Secret
metadata: {name: s, annotations: {a: hunter2}}
stringData: {text: hunter2, jobs: "- job_name: hunter2"}
data: {bytes: aHVudGVyMg==}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: c}
data: {a: hunter2}
"#;

#[test]
fn no_format_shows_secrets() {
    for format in FORMATS {
        let run = support::run(Path::new("."), ["tree", "-", "-o", format], SECRETS.as_bytes());
        assert_eq!(run.status, Some(0), "{}", run.stderr);
        assert!(run.stdout.contains("bytes"), "{format} shows the keys");
        for secret in ["hunter2", "aHVudGVyMg", "odW50ZXIy", "h1bnRlcj"] {
            let at = run.stdout.find(secret).map(|i| &run.stdout[i.saturating_sub(80)..i]);
            assert_eq!(at, None, "{format} shows {secret}");
        }
    }
}

#[test]
fn escapes_names_in_scripts_and_labels() {
    let name = "x</script><b>\\\"y";
    let agent = format!(
        "apiVersion: monitoring.grafana.com/v1alpha1\nkind: GrafanaAgent\nmetadata: {{name: a}}\nspec: {{secrets: [{}]}}\n",
        serde_json::to_string(name).unwrap()
    );
    let output = |format: &str| {
        let run = support::run(Path::new("."), ["tree", "-", "-o", format], agent.as_bytes());
        run.stdout
    };
    assert!(output("text").contains(name));
    assert_eq!(output("html").matches("</script>").count(), 2, "the page's own scripts");
    assert!(
        output("mermaid").contains("Secret<br/>default/x#60;/script#62;#60;b#62;#92;#34;y<br/>missing\""),
        "{}",
        output("mermaid")
    );
    let folder = support::scratch("tree-names");
    fs::write(folder.join("agent.yaml"), &agent).unwrap();
    assert_eq!(support::run(&folder, ["tree", "agent.yaml"], b"").status, Some(0));
}

/// Returns the resources on the page by kind, namespace and name.
fn page(folder: &Path, input: &str) -> BTreeMap<String, Value> {
    let html = support::run(folder, ["tree", input, "-o", "html"], b"").stdout;
    let (_, data) = html.split_once("type=\"application/json\">").unwrap();
    let data: Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
    let resources = data["resources"].as_array().unwrap().iter();
    let part = |resource: &Value, key: &str| resource[key].as_str().unwrap().to_owned();
    let id = |resource: &Value| ["kind", "namespace", "name"].map(|key| part(resource, key)).join("/");
    resources.map(|resource| (id(resource), resource.clone())).collect()
}

#[test]
fn html_page_shows_the_same_problems_as_json() {
    let folder = support::root().join("testdata/tree");
    let json = support::run(&folder, ["tree", "input", "--problems", "-o", "json"], b"").stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    let page = page(&folder, "input");
    let problems = page.iter().filter(|(_, resource)| resource["problem"] == true);
    let problems: BTreeSet<_> = problems.map(|(id, _)| id.clone()).collect();
    assert!(problems.contains("LogsInstance/monitoring/loki"), "a value that is missing: {problems:?}");
    assert!(problems.contains("GrafanaAgent/legacy/old"), "a warning: {problems:?}");
    let resources = json["resources"].as_array().unwrap();
    let shown_ids: BTreeSet<_> = resources.iter().map(|resource| resource["id"].as_str().unwrap().to_owned()).collect();
    assert!(shown_ids.is_superset(&problems));
    // The tree also shows resources without problems, but only on paths to a problem. Therefore, every leaf has a
    // problem.
    let leaves = resources.iter().filter(|resource| resource["children"].as_array().unwrap().is_empty());
    for leaf in leaves {
        assert!(problems.contains(leaf["id"].as_str().unwrap()), "{leaf}");
    }
    let text = support::run(&folder, ["tree", "input", "--problems"], b"").stdout;
    let line = text.lines().find(|line| line.contains("LogsInstance/monitoring/loki")).unwrap();
    assert!(line.contains("  1 warning"), "{line}");
}

#[test]
fn page_shows_the_same_patch_as_why() {
    let page = page(support::root(), "testdata/unselected");
    let lines = page["ServiceMonitor/shop/checkout"]["patch"].as_array().unwrap().iter();
    let patch: String = lines.map(|line| format!("{}\n", line.as_str().unwrap())).collect();
    let why = support::run(support::root(), ["why", "smon/checkout", "-f", "testdata/unselected", "-o", "patch"], b"");
    assert_eq!(patch, why.stdout);
    assert!(page["GrafanaAgent/monitoring/agent"]["patch"].as_array().unwrap().is_empty());
}

#[test]
fn selects_by_name_and_reports_missing_names() {
    let mut input = String::new();
    for (kind, namespace, name) in [("MetricsInstance", "a", "twice"), ("MetricsInstance", "b", "twice")] {
        input.push_str(&format!(
            "---\napiVersion: monitoring.grafana.com/v1alpha1\nkind: {kind}\nmetadata: {{name: {name}, namespace: {namespace}}}\n"
        ));
    }
    input.push_str("---\n{apiVersion: v1, kind: Secret, metadata: {name: alone, namespace: a}}\n");
    let tree = |subject: &str| support::run(support::root(), ["tree", subject, "-f", "-"], input.as_bytes());
    let run = tree("metricsinstance/twice");
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    for name in ["MetricsInstance/a/twice", "MetricsInstance/b/twice"] {
        assert!(run.stdout.contains(name), "{}", run.stdout);
    }
    let run = tree("secret/alone");
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("nothing refers to Secret/a/alone"), "{}", run.stderr);
    let run = tree("secret/gone");
    assert_eq!(run.status, Some(1), "{}", run.stdout);
}

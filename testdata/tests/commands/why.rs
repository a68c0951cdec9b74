//! Compares the results of `agentctl why` with the operator's output, and tests whether the suggested patches help.

use crate::support;
use crate::testing;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use agentctl::yaml::to_json;
use serde_json::{Value, json};

/// Returns the recorded cases that the operator rendered.
fn cases() -> Vec<PathBuf> {
    let groups = support::folders(&support::root().join("testdata/conformance"));
    let cases: Vec<_> = groups.iter().flat_map(|group| support::folders(group)).collect();
    let rendered = cases.into_iter().filter(|case| case.join("expected/objects.json").exists());
    rendered.collect()
}

/// Returns a case's flags, excluding those that `why` does not support.
fn flags(case: &Path) -> Vec<String> {
    let mut flags = support::words(&case.join("flags"));
    flags.retain(|flag| flag != "--allow-empty");
    flags
}

/// Returns the results of `why` for all resources in `input`.
fn why(folder: &Path, input: &str, flags: &[String]) -> Vec<Value> {
    let mut args = ["why", input, "-f", input, "-o", "json"].map(str::to_owned).to_vec();
    args.extend_from_slice(flags);
    let run = support::run(folder, args, b"");
    // Even if one resource is rejected, `why` returns results for all other resources.
    let is_rejected = run.stderr.contains("error[");
    assert_eq!(run.status, Some(i32::from(is_rejected)), "{}: {}", folder.display(), run.stderr);
    let answer: Value = serde_json::from_str(&run.stdout).unwrap();
    answer["resources"].as_array().unwrap().clone()
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

fn full_name(value: &Value) -> String {
    format!("{}/{}", text(value, "namespace"), text(value, "name"))
}

fn items<'v>(value: &'v Value, key: &str) -> impl Iterator<Item = &'v Value> {
    value[key].as_array().into_iter().flatten()
}

/// Returns the names in the rendered configurations, as lines of the form `agent instance`, `agent instance job` or
/// `agent integration name`.
fn lines_from_configurations(case: &Path) -> BTreeSet<String> {
    let mut lines = BTreeSet::new();
    let objects: Value =
        serde_json::from_str(&fs::read_to_string(case.join("expected/objects.json")).unwrap()).unwrap();
    let agents: BTreeSet<_> = objects
        .as_array()
        .unwrap()
        .iter()
        .map(|object| &object["metadata"])
        .filter_map(|metadata| Some((text(metadata, "namespace"), text(metadata, "name").strip_suffix("-secrets")?)))
        .collect();
    for (namespace, name) in agents {
        for part in ["", "-logs", "-integrations-deploy", "-integrations-ds"] {
            let file = case.join(format!("expected/configs/{namespace}_{name}{part}-config.yml"));
            let Ok(configuration) = fs::read_to_string(file) else {
                continue;
            };
            let agent = format!("{namespace}/{name}");
            match documents(&configuration).into_iter().next() {
                Some(configuration) => add_lines(&mut lines, &agent, part, &configuration),
                None => collect_lines(&mut lines, &agent, part, &configuration),
            }
        }
    }
    lines
}

/// Reads only the lines with names, because Go writes some strings that no YAML reader accepts.
fn collect_lines(lines: &mut BTreeSet<String>, agent: &str, part: &str, configuration: &str) {
    let kind = if part.is_empty() { "metrics" } else { "logs" };
    assert!(!part.starts_with("-integrations"), "{agent}");
    let mut instance = "";
    for line in configuration.lines() {
        if let Some(name) = line.strip_prefix("        - name: ") {
            instance = name;
            lines.insert(format!("{agent} {kind} {instance}"));
        }
        let job = line.trim_start().trim_start_matches("- ").strip_prefix("job_name: ");
        if let Some(job) = job.filter(|job| is_monitored(job)) {
            lines.insert(format!("{agent} {kind} {instance} {job}"));
        }
    }
}

/// Whether a job is generated from a monitor or PodLogs, and is not an additional scrape job.
fn is_monitored(job: &str) -> bool {
    let prefixes = ["serviceMonitor/", "podMonitor/", "probe/", "podLogs/"];
    prefixes.iter().any(|prefix| job.starts_with(prefix))
}

fn add_lines(lines: &mut BTreeSet<String>, agent: &str, part: &str, configuration: &Value) {
    let kind = match part {
        "" => "metrics",
        "-logs" => "logs",
        _ => "integrations",
    };
    if kind == "integrations" {
        for (key, list) in configuration[kind].as_object().unwrap() {
            let count = list.as_array().map_or(0, Vec::len);
            lines.extend((0..count).map(|i| format!("{agent} {key} {part} {i}")));
        }
        return;
    }
    for instance in items(&configuration[kind], "configs") {
        let instance_name = text(instance, "name");
        lines.insert(format!("{agent} {kind} {instance_name}"));
        for job in items(instance, "scrape_configs").map(|job| text(job, "job_name")) {
            if is_monitored(job) {
                lines.insert(format!("{agent} {kind} {instance_name} {job}"));
            }
        }
    }
}

/// Returns the same lines as [`lines_from_configurations`], but derived from the results of `why`.
fn lines_from_results(case: &Path, answers: &[Value]) -> BTreeSet<String> {
    let mut lines = BTreeSet::new();
    let mut integrations: BTreeMap<String, usize> = BTreeMap::new();
    for answer in answers {
        for agent in items(answer, "agents").filter(|agent| agent["selected"] == true) {
            let agent_name = full_name(agent);
            match text(answer, "kind") {
                "MetricsInstance" => drop(lines.insert(format!("{agent_name} metrics {}", full_name(answer)))),
                "LogsInstance" => drop(lines.insert(format!("{agent_name} logs {}", full_name(answer)))),
                "Integration" => {
                    let (name, part) = integration(case, answer);
                    let key = format!("{agent_name} {name}_configs {part}");
                    let count = integrations.entry(key.clone()).or_default();
                    lines.insert(format!("{key} {count}"));
                    *count += 1;
                }
                _ => {}
            }
            for way in items(agent, "ways").filter(|way| way["selected"] == true) {
                let instance = &way["instance"];
                let kind = if text(instance, "kind") == "LogsInstance" { "logs" } else { "metrics" };
                let jobs = items(answer, "jobs").map(|job| job.as_str().unwrap());
                lines.extend(jobs.map(|job| format!("{agent_name} {kind} {} {job}", full_name(instance))));
            }
        }
    }
    lines
}

/// Returns the key of an Integration's configuration, and the suffix of the workload that runs it.
fn integration(case: &Path, answer: &Value) -> (String, &'static str) {
    let resource = resources(&case.join("input")).into_iter().find(|resource| {
        text(resource, "kind") == "Integration" && text(&resource["metadata"], "name") == text(answer, "name")
    });
    let spec = &resource.unwrap()["spec"];
    let part = if spec["type"]["allNodes"] == true { "-integrations-ds" } else { "-integrations-deploy" };
    (text(spec, "name").to_owned(), part)
}

/// Returns the documents in a file, as Kubernetes reads them.
fn documents(text: &str) -> Vec<Value> {
    testing::documents(text).iter().map(|document| to_json(document.root())).collect()
}

/// Returns the objects in all files in a directory.
fn resources(folder: &Path) -> Vec<Value> {
    let mut objects = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        for document in documents(&text) {
            match document["items"].as_array() {
                Some(items) => objects.extend(items.clone()),
                None => objects.push(document),
            }
        }
    }
    objects.retain(Value::is_object);
    objects
}

#[test]
fn selects_the_same_resources_as_the_operator() {
    let cases = cases();
    assert!(cases.len() > 60, "found only {} cases", cases.len());
    let mut failures = Vec::new();
    for case in support::sample(cases, 3) {
        let (expected, actual) =
            (lines_from_configurations(&case), lines_from_results(&case, &why(&case, "input", &flags(&case))));
        for line in expected.symmetric_difference(&actual) {
            let side = if expected.contains(line) { "only rendered" } else { "only answered" };
            failures.push(format!("{}: {side}: {line}", case.display()));
        }
    }
    support::report(&failures);
}

/// Applies a merge patch (RFC 7386).
fn merge(target: &mut Value, patch: &Value) {
    let Value::Object(patch) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = json!({});
    }
    for (key, value) in patch {
        if value.is_null() {
            target.as_object_mut().unwrap().remove(key);
        } else {
            merge(&mut target[key], value);
        }
    }
}

/// Whether a patch applies to an object.
fn applies_to(object: &Value, patch: &Value, namespace: &str) -> bool {
    let metadata = |value: &Value| {
        let namespace = value["metadata"]["namespace"].as_str().unwrap_or(namespace);
        let namespace = if value["kind"] == "Namespace" { "" } else { namespace };
        (namespace.to_owned(), text(&value["metadata"], "name").to_owned())
    };
    object["kind"] == patch["kind"] && metadata(object) == metadata(patch)
}

/// Applies the patches in each result to the original input and checks the new result. Returns the number of patches
/// applied.
fn count_applied_patches(folder: &Path, input: &str, flags: &[String], failures: &mut Vec<String>) -> usize {
    let objects = resources(&folder.join(input));
    let mut tried_count = 0;
    for answer in why(folder, input, flags).iter().filter(|answer| answer["selected"] == false) {
        let Some(agent) = items(answer, "agents").next() else {
            continue;
        };
        let patches: Vec<_> = items(agent, "patches").collect();
        if patches.is_empty() || items(agent, "byHand").next().is_some() {
            continue;
        }
        let mut objects = objects.clone();
        for patch in patches {
            match objects.iter_mut().find(|object| applies_to(object, patch, "default")) {
                Some(object) => merge(object, patch),
                None => objects.push(patch.clone()),
            }
        }
        let scratch = support::scratch(&format!("why-patched-{}", std::process::id()));
        let list = json!({ "apiVersion": "v1", "kind": "List", "items": objects });
        fs::write(scratch.join("all.json"), list.to_string()).unwrap();
        let target = format!("{}/{}", text(answer, "kind"), full_name(answer));
        let answers_after = why(&scratch, "all.json", flags);
        let answers_after = answers_after
            .iter()
            .find(|answers_after| format!("{}/{}", text(answers_after, "kind"), full_name(answers_after)) == target);
        if answers_after.unwrap()["selected"] != true {
            failures.push(format!("{}: {target}", folder.display()));
        }
        tried_count += 1;
        fs::remove_dir_all(scratch).unwrap();
    }
    tried_count
}

#[test]
fn patches_have_the_stated_effect() {
    let mut failures = Vec::new();
    let mut tried_count = 0;
    for case in support::sample(cases(), 3) {
        tried_count += count_applied_patches(&case, "input", &flags(&case), &mut failures);
    }
    let obstacle_case = support::root().join("testdata/cases/why-every-obstacle");
    let flags = support::words(&obstacle_case.join("flags"));
    tried_count += count_applied_patches(&obstacle_case, "input", &flags[..2], &mut failures);
    support::report(&failures);
    assert!(tried_count > support::many_or_few(20, 12), "only {tried_count} patches were tried");
}

#[test]
fn patches_list_manual_decisions_as_comments() {
    let folder = support::root().join("testdata/cases/why-every-obstacle");
    let comment = "# refer to a Secret instead of using `spec.endpoints[0].bearerTokenFile` in ServiceMonitor/shop/files, or set \
                   `spec.metrics.arbitraryFSAccessThroughSMs.deny` to `false` in GrafanaAgent/monitoring/agent\n\n";
    let patch = "apiVersion: monitoring.grafana.com/v1alpha1\nkind: MetricsInstance\nmetadata:\n  name: primary\n  \
                 namespace: monitoring\nspec:\n  podMonitorNamespaceSelector:\n    matchExpressions:\n    \
                 - key: kubernetes.io/metadata.name\n      operator: In\n      values:\n      - monitoring\n      - shop\n";
    for (subjects, expected) in [
        (&["servicemonitor/shop/files"][..], comment.to_owned()),
        (&["podmonitor"], patch.to_owned()),
        (&["metricsinstance/monitoring/primary"], String::new()),
        (&["servicemonitor/shop/files", "podmonitor"], format!("{comment}---\n{patch}")),
    ] {
        let args = [&["why", "-f", "input", "--agent-selector", "app=agent", "-o", "patch"], subjects].concat();
        let run = support::run(&folder, args, b"");
        assert_eq!(run.stdout, expected, "{subjects:?}");
    }
}

#[test]
fn shows_no_secret_values() {
    let folder = support::scratch("why-secret");
    let manifest = "\
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: agent}
spec: {metrics: {instanceSelector: {}}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: primary}
spec:
  remoteWrite:
  - url: http://user:planted@example.com
    basicAuth: {username: {name: creds, key: planted-key}, password: {name: creds, key: password}}
---
apiVersion: v1
kind: Secret
metadata: {name: creds}
stringData: {planted-key: planted, password: planted}
";
    fs::write(folder.join("all.yaml"), manifest).unwrap();
    for format in ["text", "json", "patch"] {
        let run = support::run(&folder, ["why", "all.yaml", "-o", format], b"");
        let output = format!("{}{}", run.stdout, run.stderr).replace("planted-key", "");
        assert_eq!(run.status, Some(0));
        assert!(!output.contains("planted"), "{format}: {output}");
    }
}

const REJECTED_RESOURCES: &str = "\
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: a, namespace: m}
spec: {image: x, metrics: {instanceSelector: {}}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: i, namespace: m}
spec: {serviceMonitorSelector: {}}
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: s, namespace: m}
spec: {selector: {}, endpoints: [{port: http}]}
";

#[test]
fn reports_rejected_resources() {
    let folder = support::scratch("why-refused");
    let instance = REJECTED_RESOURCES.split("---\n").nth(1).unwrap();
    for (text, message) in [
        (REJECTED_RESOURCES.replace("image: x", "image: 3"), "GrafanaAgent/m/a is rejected"),
        (
            REJECTED_RESOURCES.replace("serviceMonitorSelector: {}", "serviceMonitorSelector: 3"),
            "MetricsInstance/m/i is rejected",
        ),
        (REJECTED_RESOURCES.replace(instance, ""), "no instance in the input could select it"),
    ] {
        fs::write(folder.join("in.yaml"), &text).unwrap();
        let run = support::run(&folder, ["why", "smon/s", "-f", "in.yaml"], b"");
        assert!(run.stdout.contains("is not selected") && run.stdout.contains(message), "{}", run.stdout);
        let has_errors = text.contains(": 3");
        assert_eq!(run.status, Some(i32::from(has_errors)), "{}", run.stderr);
        let json = support::run(&folder, ["why", "smon/s", "-f", "in.yaml", "-o", "json"], b"");
        let json: Value = serde_json::from_str(&json.stdout).unwrap();
        assert_eq!(json["resources"][0]["selected"], Value::Bool(false));
        let affected = support::run(&folder, ["affected", "smon/s", "-f", "in.yaml"], b"");
        assert_eq!(affected.status, Some(i32::from(has_errors)), "{}", affected.stderr);
    }
    fs::write(folder.join("in.yaml"), REJECTED_RESOURCES.replace("image: x", "image: 3")).unwrap();
    let config = support::run(&folder, ["config", "-f", "in.yaml"], b"");
    assert!(config.stderr.contains("GrafanaAgent `a` is rejected, so there is no configuration"), "{}", config.stderr);
}

#[test]
fn json_is_complete_for_a_single_resource() {
    let agent = |i: usize| {
        format!(
            "apiVersion: monitoring.grafana.com/v1alpha1\nkind: GrafanaAgent\nmetadata: {{name: a{i}, namespace: m}}\nspec: \
             {{metrics: {{instanceSelector: {{matchLabels: {{of: a{i}}}}}}}}}\n---\n"
        )
    };
    let instance = |i: usize| {
        format!(
            "apiVersion: monitoring.grafana.com/v1alpha1\nkind: MetricsInstance\nmetadata: {{name: i{i}, namespace: m, labels: \
             {{of: a0}}}}\nspec: {{probeSelector: {{matchLabels: {{by: all}}}}}}\n---\n"
        )
    };
    let probe = |name: &str| {
        format!(
            "apiVersion: monitoring.coreos.com/v1\nkind: Probe\nmetadata: {{name: {name}, namespace: m, labels: {{by: \
             all}}}}\nspec: {{prober: {{url: b}}, targets: {{staticConfig: {{static: [c]}}}}}}\n---\n"
        )
    };
    let input: String = (0..8).map(|i| agent(i) + &instance(i)).chain(["web", "shop"].map(probe)).collect();
    let why = |subject: &str| {
        let run = support::run(support::root(), ["why", subject, "-f", "-", "-o", "json"], input.as_bytes());
        assert_eq!(run.status, Some(0), "{}", run.stderr);
        let answer: Value = serde_json::from_str(&run.stdout).unwrap();
        answer["resources"][0].clone()
    };
    let counts = |answer: &Value| {
        let agents = &answer["agents"];
        let ways = items(&agents[0], "ways").count();
        let remaining_counts = (&answer["moreAgents"], &agents[0]["moreWays"]);
        (items(answer, "agents").count(), ways, json!([remaining_counts.0, remaining_counts.1]))
    };
    assert_eq!(counts(&why("probe/web")), (8, 8, json!([null, null])));
    // If several resources are requested, each result contains the agent that selects the resource, and five other
    // agents.
    assert_eq!(counts(&why("probe")), (6, 5, json!([2, 3])));
}

#[test]
fn exit_status_shows_whether_resources_exist_and_are_selected() {
    let folder = support::scratch("why-status");
    let other_monitor = REJECTED_RESOURCES.split("---\n").nth(2).unwrap();
    let other_monitor = other_monitor.replace("name: s, namespace: m", "name: other, namespace: elsewhere");
    fs::write(folder.join("in.yaml"), format!("{REJECTED_RESOURCES}---\n{other_monitor}")).unwrap();
    let status = |args: &[&str]| support::run(&folder, args.iter().chain(&["-f", "in.yaml"]), b"").status;
    assert_eq!(status(&["why", "smon/other"]), Some(0));
    assert_eq!(status(&["why", "smon/other", "--exit-code"]), Some(1));
    assert_eq!(status(&["why", "smon/s", "--exit-code"]), Some(0));
    assert_eq!(status(&["why", "smon/s", "smon/other", "--exit-code"]), Some(1));
    assert_eq!(status(&["why", "smon/nowhere"]), Some(1));
    assert_eq!(status(&["why", "./nowhere.yaml"]), Some(2));
    assert_eq!(status(&["why", "smon/other", "--agent-selector", "a b"]), Some(2));
}

#[test]
fn lists_references_to_missing_secrets() {
    let folder = support::scratch("why-missing");
    let text = REJECTED_RESOURCES.replace("{port: http}", "{port: http, bearerTokenSecret: {name: gone, key: token}}");
    // A Secret with the same name is also missing from a second namespace.
    let other_monitor = text.split("---\n").nth(2).unwrap().replace("namespace: m", "namespace: other-one");
    fs::write(folder.join("in.yaml"), format!("{text}---\n{other_monitor}")).unwrap();
    let why = |args: &[&str]| support::run(&folder, [&["why", "-f", "in.yaml"], args].concat(), b"");
    let run = why(&["secret/m/gone"]);
    for message in [
        "Secret/m/gone is not in the input, and is used by 1 ServiceMonitor\n",
        "(in.yaml:14) of `m/a`\n",
        "- `spec.endpoints[0].bearerTokenSecret` refers to its key `token`\n",
    ] {
        assert!(run.stdout.contains(message), "{}", run.stdout);
    }
    let json: Value = serde_json::from_str(&why(&["secret/m/gone", "-o", "json"]).stdout).unwrap();
    let answer = &json["resources"][0];
    assert_eq!((&answer["file"], &answer["line"]), (&Value::Null, &Value::Null));
    assert_eq!(answer["referrers"][0]["key"], "token");
    let run = why(&["secret/gone"]);
    assert!(run.stderr.contains("2 Secrets are named `gone`"), "{}", run.stderr);
    for command in ["why", "affected"] {
        let args = [command, "secret/other/gone", "-f", "in.yaml"];
        let run = support::run(&folder, args, b"");
        assert!(run.stderr.contains("Secret `gone` not found in namespace `other`"), "{}", run.stderr);
    }
}

//! Tests that a mistake in a base, an overlay, a patch or a component is reported at the line that the user must edit.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{self, root, run, scratch};
use serde_json::Value;

/// Copies a repository with a base, three overlays, a component, generators and patches. Returns `None` if kubectl is
/// not installed, because the overlays cannot be built without it.
pub fn tree(name: &str) -> Option<PathBuf> {
    if !has_kustomize() {
        return None;
    }
    let directory = scratch(name);
    copy(&root().join("testdata/kustomize/tree"), &directory);
    copy(&root().join("deploy/kustomize/name-references"), &directory.join("name-references"));
    Some(directory)
}

/// Whether overlays can be built. If not, prints that a test is skipped.
pub fn has_kustomize() -> bool {
    support::has_program("kubectl", "places in what kustomize builds")
}

pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (path, to) = (entry.as_ref().unwrap().path(), to.join(entry.unwrap().file_name()));
        match path.is_dir() {
            true => copy(&path, &to),
            false => drop(fs::copy(&path, &to).unwrap()),
        }
    }
}

/// A mistake: a file, a string in it, and the string's replacement. The finding is expected at the changed line.
type Mistake = (&'static str, &'static str, &'static str);

const MISTAKES: &[Mistake] = &[
    // Mistakes in the base.
    ("base/agent.yaml", "logLevel:", "logLevle:"),
    ("base/agent.yaml", "logLevel: info", "logLevel: loud"),
    ("base/instances.yaml", "https://mimir.example.com/api", "mimir:/ /api"),
    ("base/instances.yaml", "{name: remote-write, key: password}", "{name: remote-wrte, key: password}"),
    (
        "base/instances.yaml",
        "      password: {name: remote-write, key: password}",
        "      password: {name: remote-write, key: pass}",
    ),
    ("base/monitors/checkout.yaml", "port: other-metrics", "port: 8080"),
    ("base/monitors/checkout.yaml", "regex: debug_.*", "regex: debug_("),
    ("base/monitors/checkout.yaml", "action: drop", "action: dropp"),
    ("base/monitors/checkout.yaml", "instance: primary", "instance: primry"),
    ("base/monitors/logs.yaml", "json:", "jsn:"),
    // Mistakes in the overlay's patches: strategic merge patches and JSON patches, in separate files and in the
    // kustomization.
    ("overlays/production/agent.yaml", "scrapeInterval: 30s", "scrapeInterval: 30x"),
    ("overlays/production/agent.yaml", "shards: 2", "shards: two"),
    ("overlays/production/agent.yaml", "shards: 2", "shard: 2"),
    ("overlays/production/checkout.json", "\"10s\"", "\"10 s\""),
    ("overlays/production/checkout.json", "\"scheme\": \"https\"", "\"scheme\": \"gopher\""),
    ("overlays/production/logs.yaml", "labels:", "lables:"),
    ("overlays/production/kustomization.yaml", "cluster\n      value: production", "cluster\n      value: 5"),
    ("overlays/production/kustomization.yaml", "https://archive.example.com", "archive:/ /"),
    ("overlays/production/kustomization.yaml", "logFormat: json", "logFormat: [json]"),
    // Mistakes in a resource that the overlay adds.
    ("overlays/production/extra.yaml", "port: metrics", "port: metrics\n    interval: soon"),
    // Mistakes in a generator's values.
    ("overlays/production/kustomization.yaml", "- username=production", "- \"username=production\\n\""),
    ("overlays/production/kustomization.yaml", "- jobs=", "- \"jobs=[{job_name: a, scrape_interval: soon}]\" #"),
    ("overlays/production/kustomization.yaml", "env: production", "env: a/b"),
    ("overlays/production/kustomization.yaml", "namePrefix: p-", "namePrefix: P_"),
    ("overlays/production/kustomization.yaml", "mail: shop@example.com", "e mail: shop@example.com"),
    ("overlays/production/kustomization.yaml", "externalLabels.owner", "externalLabels.own-er"),
    ("overlays/production/logs.yaml", "/spec/jobLabel", "/spec/jobLable"),
    // Mistakes in the component.
    ("components/probes/probe.yaml", "module: http_2xx", "module: [http_2xx]"),
    ("components/probes/instance.yaml", "walTruncateFrequency: 10m", "walTruncateFrequency: 10min"),
];

/// Returns the 1-based number of the changed line.
fn changed_line(before: &str, after: &str) -> usize {
    let same_lines = before.lines().zip(after.lines()).take_while(|(before, after)| before == after);
    same_lines.count() + 1
}

#[test]
fn reports_mistakes_at_the_line_to_edit() {
    let Some(directory) = tree("kustomize-places") else {
        return;
    };
    let mut failures = Vec::new();
    for (file, from, to) in support::sample(MISTAKES, 5) {
        let path = directory.join(file);
        let before = fs::read_to_string(&path).unwrap();
        let after = before.replacen(from, to, 1);
        assert_ne!(before, after, "{file}: {from}");
        fs::write(&path, &after).unwrap();
        let output = run(
            &directory,
            ["check", "-k", "overlays/production", "--message-format", "json", "--deny", "warnings"],
            b"",
        );
        fs::write(&path, &before).unwrap();
        let expected = format!("{file}:{}", changed_line(&before, &after));
        let places: Vec<_> = output
            .stdout
            .lines()
            .map(|line| {
                let output: Value = serde_json::from_str(line).unwrap();
                format!(
                    "{}:{} {} {}",
                    output["file"].as_str().unwrap_or_default(),
                    output["line"],
                    output["code"],
                    output["message"]
                )
            })
            .collect();
        if !places.iter().any(|place| place.starts_with(&format!("{expected} "))) {
            failures.push(format!("{to}: expected {expected}, found {places:?}{}", output.stderr));
        }
    }
    support::report(&failures);
}

#[test]
fn checks_overlays_separately_and_merges_findings() {
    let Some(directory) = tree("kustomize-overlays") else {
        return;
    };
    for (file, from, to) in [
        ("base/agent.yaml", "logLevel: info", "logLevel: loud"),
        ("overlays/staging/kustomization.yaml", "password=", "passwort="),
    ] {
        let path = directory.join(file);
        let text = fs::read_to_string(&path).unwrap().replacen(from, to, 1);
        fs::write(path, text).unwrap();
    }
    let overlays = ["overlays/dev", "overlays/staging", "overlays/production"];
    let flags = overlays.iter().flat_map(|overlay| ["-k", overlay]);
    let output = run(&directory, ["check", "--message-format", "short"].into_iter().chain(flags), b"");
    assert_eq!(output.status, Some(1));
    let lines: Vec<_> = output.stdout.lines().collect();
    let [level, key, summary] = lines.as_slice() else {
        panic!("{output:?}");
    };
    assert!(
        level.starts_with("base/agent.yaml:13:")
            && level.ends_with(" [in overlays/dev, overlays/staging, overlays/production]"),
        "{level}"
    );
    assert!(key.starts_with("base/instances.yaml:11:") && key.ends_with(" [in overlays/staging]"), "{key}");
    assert_eq!(*summary, "checked 3 inputs: 2 errors");
    let places: Vec<_> = output.stderr.lines().map(|line| line.split(':').next().unwrap()).collect();
    assert_eq!(places, overlays);
}

/// Kustomization whose patches and generators set the same values for objects with similar names.
const SIMILAR_NAMES: &str = "\
resources: [app.yaml]
components: [name-references]
patches:
- target: {kind: ServiceMonitor, name: metrics-a}
  patch: '- {op: add, path: /spec/endpoints/0/interval, value: soon}'
- target: {kind: ServiceMonitor, name: metrics-b}
  patch: '- {op: add, path: /spec/endpoints/0/interval, value: soon}'
- target: {kind: ServiceMonitor, name: metrics}
  patch: '- {op: add, path: /spec/endpoints/0/interval, value: soon}'
- patch: '{apiVersion: monitoring.coreos.com/v1, kind: ServiceMonitor, metadata: {name: metrics-a}, spec: {jobLabel: 1}}'
- patch: '{apiVersion: monitoring.coreos.com/v1, kind: ServiceMonitor, metadata: {name: metrics-b}, spec: {jobLabel: 1}}'
- patch: '{apiVersion: monitoring.coreos.com/v1, kind: ServiceMonitor, metadata: {name: metrics}, spec: {jobLabel: 1}}'
secretGenerator:
- name: jobs
  literals: ['jobs=[{job_name: a, scrape_interval: 1s}]']
- name: jobs-c
  literals: ['jobs=[{job_name: a, scrape_interval: soon}]']
";

#[test]
fn distinguishes_objects_with_similar_names() {
    if !has_kustomize() {
        return;
    }
    let directory = scratch("kustomize-similar-names");
    let monitor = |name: &str, interval: &str| {
        format!(
            "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {{name: {name}}}\n\
             spec: {{selector: {{}}, endpoints: [{{port: a{interval}}}]}}\n---\n"
        )
    };
    let agent = "apiVersion: monitoring.grafana.com/v1alpha1\nkind: GrafanaAgent\nmetadata: {name: a}\n\
                 spec: {metrics: {instanceSelector: {}}}\n---\napiVersion: monitoring.grafana.com/v1alpha1\n\
                 kind: MetricsInstance\nmetadata: {name: m}\n\
                 spec: {additionalScrapeConfigs: {name: jobs-c, key: jobs}}\n---\n";
    copy(&root().join("deploy/kustomize/name-references"), &directory.join("name-references"));
    // No patch changes the last monitor.
    let monitors = ["metrics-a", "metrics-b", "metrics"].map(|name| monitor(name, "")).concat();
    fs::write(directory.join("app.yaml"), agent.to_owned() + &monitors + &monitor("metrics-c", ", interval: soon"))
        .unwrap();
    for change in ["", "namePrefix: p-\n", "nameSuffix: -s\n"] {
        fs::write(directory.join("kustomization.yaml"), SIMILAR_NAMES.to_owned() + change).unwrap();
        let output = run(&directory, ["check", "-k", ".", "--message-format", "json"], b"").stdout;
        let output = output.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let errors = output.filter(|output| output["severity"] == "error");
        let mut places: Vec<_> = errors
            .map(|output| (output["file"].as_str().unwrap().to_owned(), output["line"].as_u64().unwrap()))
            .collect();
        places.sort();
        let own_lines = [5, 7, 9, 10, 11, 12, 17].into_iter().map(|line| ("kustomization.yaml".to_owned(), line));
        let expected: Vec<_> = [("app.yaml".to_owned(), 29)].into_iter().chain(own_lines).collect();
        assert_eq!(places, expected, "{change}");
    }
}

//! Tests in a repository with a base, four overlays, components, generators, patches and a file that Helm rendered:
//! every output names the file to edit.

use std::fs;
use std::path::{Path, PathBuf};

use crate::kustomize::places::{copy, has_kustomize};
use crate::support::{self, root, run, scratch};

const OVERLAYS: [&str; 4] = ["overlays/dev", "overlays/prod-eu", "overlays/prod-us", "overlays/staging"];

/// Returns a copy of the repository, or `None` if no overlay can be built.
pub(crate) fn repository(name: &str) -> Option<PathBuf> {
    if !has_kustomize() {
        return None;
    }
    let directory = scratch(name);
    copy(&root().join("testdata/kustomize/repository"), &directory);
    copy(&root().join("deploy/kustomize/name-references"), &directory.join("name-references"));
    Some(directory)
}

/// A mistake: a file, a string in it, the string's replacement, and whether `--fix` undoes the replacement. The finding
/// is expected at the changed line.
type Mistake = (&'static str, &'static str, &'static str, bool);

#[rustfmt::skip]
const MISTAKES: &[Mistake] = &[
    ("base/agent.yaml", "logLevel: info", "logLevle: info", true),
    ("base/agent.yaml", "scrapeInterval: 60s", "scrapeInterval: 60", false),
    ("base/agent.yaml", "instanceSelector: {matchLabels: {agent: main}}", "instanceSelector: {matchLabel: {agent: main}}", false),
    ("base/instances.yaml", "https://mimir.example.com/api", "mimir:/ /api", false),
    ("base/instances.yaml", "{name: remote-write, key: username}", "{name: remote-wrte, key: username}", false),
    ("base/instances.yaml", "remoteTimeout: 30s", "remoteTimeout: 30", false),
    ("base/instances.yaml", "{name: ca, key: ca.crt}", "{name: ca, key: ca.pem}", false),
    ("base/instances.yaml", "podLogsSelector", "podLogSelector", true),
    ("base/instances.yaml", "walTruncateFrequency: 30m", "walTruncateFrequency: 30min", false),
    ("base/monitors/checkout.yaml", "action: drop", "action: dropp", true),
    ("base/monitors/checkout.yaml", "regex: debug_.*", "regex: debug_(", false),
    ("base/monitors/checkout.yaml", "instance: primary", "instance: primry", false),
    ("base/monitors/checkout.yaml", "scheme: https", "scheme: htps", true),
    ("base/monitors/checkout.yaml", "insecureSkipVerify: true", "insecureSkipVerify: \"true\"", true),
    ("base/monitors/workers.yaml", "operator: In", "operator: Is", false),
    ("base/monitors/workers.yaml", "honorLabels: true", "honorLabels: \"true\"", true),
    ("base/monitors/logs.yaml", "json:", "jsn:", false),
    ("base/monitors/logs.yaml", "namespaceSelector: {}", "namespaceSelecter: {}", true),
    ("base/chart.yaml", "scrapeTimeout: 10s", "scrapeTimeout: 20s", false),
    ("base/chart.yaml", "interval: 15s", "interval: 15", true),
    ("base/scrape.yaml", "scrape_interval: 1m", "scrape_intervall: 1m", false),
    ("base/scrape.yaml", "scrape_timeout: 10s", "scrape_timeout: soon", false),
    ("base/scrape.yaml", "job_name: blackbox", "job_name: gateway", false),
    ("base/scrape.yaml", "  scrape_timeout: 10s", "\tscrape_timeout: 10s", false),
    ("base/scrape.yaml", "metrics_path: /probe", "metrics_path: [/probe]", false),
    ("base/scrape.yaml", "shop.example.com:443", "https://shop.example.com", false),
    ("base/ca.pem", "-----BEGIN", "----BEGIN", false),
    ("components/probes/probe.yaml", "module: http_2xx", "moduel: http_2xx", true),
    ("components/probes/probe.yaml", "interval: 60s", "interval: 60", true),
    ("components/cluster-labels/agent.yaml", "replicas: 1", "replica: 1", true),
    ("overlays/prod-eu/agent.yaml", "shards: 2", "shard: 2", true),
    ("overlays/prod-eu/agent.yaml", "logFormat: json", "logFormat: [json]", false),
    ("overlays/prod-eu/checkout.json", "\"10s\"", "\"10 s\"", false),
    ("overlays/prod-eu/checkout.json", "/spec/endpoints/1/scrapeTimeout", "/spec/endpoints/1/scrapeTimeuot", true),
    ("overlays/prod-eu/logs.yaml", "/spec/jobLabel", "/spec/jobLable", true),
    ("overlays/prod-eu/logs.yaml", "timestamp:", "timestmp:", true),
    ("overlays/prod-eu/extra.yaml", "interval: 10s", "intervall: 10s", true),
    ("overlays/prod-eu/kustomization.yaml", "env: prod-eu", "env: prod/eu", false),
    ("overlays/prod-eu/kustomization.yaml", "namespace: monitoring-eu", "namespace: Monitoring_eu", false),
    ("overlays/prod-us/kustomization.yaml", "batchWait", "batchwait", true),
    ("overlays/prod-us/kustomization.yaml", "maxWALTime: 2h", "maxWALTime: 2 h", false),
    ("overlays/prod-us/kustomization.yaml", "writeStaleOnShutdown: true", "writeStaleOnShutdown: \"true\"", true),
    ("overlays/prod-us/kustomization.yaml", "nameSuffix: -us", "nameSuffix: -US", false),
    ("overlays/staging/kustomization.yaml", "namePrefix: stg-", "namePrefix: Stg_", false),
    ("overlays/staging/kustomization.yaml", "- username=staging", "- \"username=staging\\n\"", false),
    ("base/instances.yaml", "basicAuth:", "basicauth:", true),
    ("base/agent.yaml", "serviceAccountName", "serviceAccountname", true),
    ("base/monitors/checkout.yaml", "jobLabel: app", "jobLabl: app", true),
];

/// Returns the overlay that contains a file.
fn overlay(file: &str) -> &str {
    match file.split('/').collect::<Vec<_>>().as_slice() {
        ["overlays", name, ..] => OVERLAYS.iter().find(|overlay| overlay.ends_with(name)).unwrap(),
        ["components", ..] => "overlays/prod-eu",
        _ => "overlays/dev",
    }
}

/// Replaces a string in a file. Returns the previous text and the number of the changed line.
fn replace(directory: &Path, (file, from, to, _): &Mistake) -> (String, usize) {
    let path = directory.join(file);
    let before = fs::read_to_string(&path).unwrap();
    let after = before.replacen(from, to, 1);
    assert_ne!(before, after, "{file}: {from}");
    fs::write(&path, &after).unwrap();
    let same_count = before.lines().zip(after.lines()).take_while(|(before, after)| before == after).count();
    (before, same_count + 1)
}

#[test]
fn repository_has_no_findings() {
    let Some(directory) = repository("repository-clean") else {
        return;
    };
    let output = run(&directory, ["check", "-k"].iter().chain(&OVERLAYS), b"");
    assert_eq!(
        (output.status, output.stdout.as_str()),
        (Some(0), "checked 4 inputs: no findings\n"),
        "{}",
        output.stderr
    );
}

#[test]
fn reports_mistakes_at_the_line_to_edit() {
    let Some(directory) = repository("repository-mistakes") else {
        return;
    };
    assert!(MISTAKES.len() >= 40);
    let mut failures = Vec::new();
    for mistake in support::sample(MISTAKES, 8) {
        let (file, ..) = *mistake;
        let (before, line) = replace(&directory, mistake);
        let output = run(&directory, ["check", "--message-format", "short", "-k", overlay(file)], b"");
        fs::write(directory.join(file), before).unwrap();
        let expected = format!("{file}:{line}:");
        if !output.stdout.lines().any(|line| line.starts_with(&expected)) || output.stdout.contains("<kustomize") {
            failures.push(format!("{}: expected {expected}, found {}{}", mistake.2, output.stdout, output.stderr));
        }
    }
    support::report(&failures);
}

#[test]
fn applies_safe_fixes_to_the_right_files() {
    let Some(directory) = repository("repository-fixes") else {
        return;
    };
    let fixable_mistakes: Vec<_> = MISTAKES.iter().filter(|mistake| mistake.3).collect();
    assert!(fixable_mistakes.len() >= 20);
    // Only the text before the first change to a file is stored, because later versions contain mistakes.
    let mut texts = std::collections::BTreeMap::new();
    for mistake in &fixable_mistakes {
        let (before, _) = replace(&directory, mistake);
        texts.entry(mistake.0).or_insert(before);
    }
    // A fix can reveal another mistake in the same object, so the fixes are applied in several rounds.
    let mut failures = Vec::new();
    for _ in 0..3 {
        run(&directory, ["check", "--fix", "-k"].iter().chain(&OVERLAYS), b"");
        let actual = texts.iter().map(|(file, text)| (fs::read_to_string(directory.join(file)).unwrap(), text));
        failures = actual.filter(|(actual, text)| actual != *text).map(|(actual, _)| actual).collect();
        if failures.is_empty() {
            break;
        }
    }
    support::report(&failures);
}

#[test]
fn no_command_or_format_prints_locations_in_kustomize_output() {
    let Some(directory) = repository("repository-commands") else {
        return;
    };
    for mistake in MISTAKES.iter().filter(|(file, ..)| file.contains("/monitors/")).take(2) {
        replace(&directory, mistake);
    }
    for (number, format) in ["human", "short", "json", "github", "sarif", "junit"].into_iter().enumerate() {
        let args = ["check", "-v", "--message-format", format, "-k"];
        let overlays = support::take_turn(&OVERLAYS, number);
        let output = run(&directory, args.into_iter().chain(overlays), b"");
        assert!(!output.stdout.contains("kustomize over"), "{format}: {}", output.stdout);
        assert!(output.stdout.contains("base/monitors/checkout.yaml"), "{format}: {}", output.stdout);
    }
    for (number, overlay) in OVERLAYS.into_iter().enumerate() {
        // In sampled test runs, only some of the commands run, and each of these runs on only one of the overlays.
        let commands = [
            &["why", "servicemonitor"][..],
            &["why", "servicemonitor", "-o", "json"],
            &["tree"],
            &["tree", "-o", "json"],
            &["tree", "-o", "html"],
            &["targets"],
            &["targets", "-o", "json"],
            &["targets", "--dropped", "--all-labels"],
            &["shards"],
            &["rbac"],
            &["config"],
            &["config", "--source-map"],
            &["config", "-o", "json"],
            &["config", "--type", "logs", "--source-map"],
            &["affected", "base/monitors/checkout.yaml"],
            &["affected", "base/scrape.yaml", "-o", "json"],
            &["render", "--secrets", "placeholder"],
            &["diff", "--against", "base"],
        ];
        let skipped = support::many_or_few(0, 2 * number);
        for args in support::sample(commands.into_iter().skip(skipped), 3 * OVERLAYS.len()) {
            let output = run(&directory, args.iter().chain(&["-k", overlay]), b"");
            let command_output = format!("{}{}", output.stdout, output.stderr);
            assert!(matches!(output.status, Some(0..=2)) && !command_output.is_empty(), "{overlay} {args:?}");
            assert!(!command_output.contains("Usage: agentctl"), "{overlay} {args:?}: {command_output}");
            assert!(!command_output.contains("kustomize over"), "{overlay} {args:?}: {command_output}");
        }
    }
}

#[test]
fn finds_objects_built_from_a_file() {
    let Some(directory) = repository("repository-lookup") else {
        return;
    };
    let eu = ["-k", "overlays/prod-eu"];
    let files = [
        (&["affected", "base/scrape.yaml"][..], 0, "because of Secret/monitoring-eu/jobs-"),
        (&["affected", "base/remote-write.env"], 0, "because of Secret/monitoring-eu/remote-write-"),
        (&["affected", "base/ca.pem"], 0, "because of ConfigMap/monitoring-eu/ca-"),
        (&["affected", "components/cluster-labels/agent.yaml"], 0, "because of GrafanaAgent/monitoring-eu/agent"),
        (&["affected", "overlays/prod-us/us.env"], 2, "no build of the input reads it"),
        (&["config", "--of", "base/scrape.yaml:5"], 0, "Secret/monitoring-eu/jobs-"),
        (&["config", "--of", "overlays/prod-eu/checkout.json:2"], 0, "overlays/prod-eu/checkout.json:2"),
        (&["config", "--of", "overlays/prod-eu/agent.yaml:11"], 0, "metrics.global.external_labels.cluster"),
        (&["config", "--of", "base/monitors/logs.yaml:12"], 0, "base/monitors/logs.yaml:12-13"),
        (&["config", "--of", "overlays/dev/kustomization.yaml:3"], 2, "no build of the input reads it"),
        (&["shards"], 0, "GrafanaAgent monitoring-eu/agent: 2 shards"),
    ];
    for (args, status, expected) in support::sample(files, 2) {
        let output = run(&directory, args.iter().chain(&eu), b"");
        let command_output = format!("{}{}", output.stdout, output.stderr);
        assert_eq!(output.status, Some(status), "{args:?}: {command_output}");
        assert!(command_output.contains(expected), "{args:?}: {command_output}");
    }
}

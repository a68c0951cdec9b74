//! Tests in a Flux repository with two clusters that share bases, components and applications: every mistake is
//! reported only once for all clusters, at the line to edit.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::kustomize::places::{copy, has_kustomize};
use crate::support::{self, root, run, scratch};

/// Returns a copy of a repository, or `None` if nothing can be built.
fn repository(name: &str, source: &str) -> Option<PathBuf> {
    if !has_kustomize() {
        return None;
    }
    let directory = scratch(name);
    copy(&root().join("testdata/gitops").join(source), &directory);
    let remote = "[remote \"origin\"]\n\turl = https://git.example.com/platform/fleet\n";
    fs::write(directory.join(".git/config"), remote).unwrap();
    Some(directory)
}

/// A mistake: a file, a string in it, the string's replacement, and the clusters that the mistake is reported in. The
/// finding is expected at the changed line.
type Mistake = (&'static str, &'static str, &'static str, &'static str);

const BOTH_CLUSTERS: &str = "production, staging";
const PRODUCTION: &str = "production";

#[rustfmt::skip]
const MISTAKES: &[Mistake] = &[
    ("monitoring/base/agent.yaml", "serviceAccountName: agent", "serviceAccountname: agent", BOTH_CLUSTERS),
    ("monitoring/base/agent.yaml", "scrapeInterval: 60s", "scrapeInterval: 60", BOTH_CLUSTERS),
    ("monitoring/base/agent.yaml", "matchLabels:", "matchLabel:", BOTH_CLUSTERS),
    ("monitoring/base/instances.yaml", "remoteFlushDeadline: 1m", "remoteFlushDeadlin: 1m", BOTH_CLUSTERS),
    ("monitoring/base/instances.yaml", "key: username", "key: usrname", BOTH_CLUSTERS),
    ("monitoring/base/instances.yaml", "podLogsSelector:", "podLogSelector:", BOTH_CLUSTERS),
    ("monitoring/base/instances.yaml", "https://loki.${cluster}", "htps://loki.${cluster}", BOTH_CLUSTERS),
    ("monitoring/base/instances.yaml", "remoteTimeout: ${timeout}", "remoteTimeout: ${timeout}s", BOTH_CLUSTERS),
    ("components/probes/probe.yaml", "interval: 60s", "interval: 60", BOTH_CLUSTERS),
    ("components/probes/probe.yaml", "module: http_2xx", "moduel: http_2xx", BOTH_CLUSTERS),
    ("components/probes/kustomization.yaml", "/spec/writeStaleOnShutdown", "/spec/writeStaleOnShutdwn", BOTH_CLUSTERS),
    ("components/probes/kustomization.yaml", "value: true", "value: \"true\"", BOTH_CLUSTERS),
    ("apps/checkout.yaml", "port: metrics", "port: metrcs", BOTH_CLUSTERS),
    ("apps/checkout.yaml", "regex: debug_.*", "regex: debug_(", BOTH_CLUSTERS),
    ("apps/checkout.yaml", "action: drop", "action: dropp", BOTH_CLUSTERS),
    ("apps/checkout.yaml", "${scrape_timeout:-10s}", "${scrape_timeout:-10}", BOTH_CLUSTERS),
    ("apps/checkout.yaml", "jobLabel: app", "jobLabl: app", BOTH_CLUSTERS),
    ("apps/checkout.yaml", "instance: primary", "instance: primry", BOTH_CLUSTERS),
    ("apps/checkout.yaml", "interval: ${scrape_interval}", "interval: ${scrape_intervall}", BOTH_CLUSTERS),
    ("apps/workers/workers.yaml", "operator: In", "operator: Is", BOTH_CLUSTERS),
    ("apps/workers/workers.yaml", "honorLabels: true", "honorLabels: \"true\"", BOTH_CLUSTERS),
    ("apps/workers/workers.yaml", "json:", "jsn:", BOTH_CLUSTERS),
    ("apps/workers/workers.yaml", "namespaceSelector: {}", "namespaceSelecter: {}", BOTH_CLUSTERS),
    ("apps/workers/kustomization.yaml", "owner: shop", "owner/: shop", BOTH_CLUSTERS),
    ("clusters/production/variables.yaml", "log_level: info", "log_level: verbose", PRODUCTION),
    ("clusters/production/variables.yaml", "scrape_interval: 30s", "scrape_interval: 30 s", PRODUCTION),
    ("clusters/production/variables.yaml", "https://mimir.production", "https://mimir production", PRODUCTION),
    ("clusters/production/variables.yaml", "shards: \"2\"", "shards: two", PRODUCTION),
    ("clusters/production/variables.yaml", "shards: \"2\"", "shards: \"-2\"", PRODUCTION),
    ("clusters/production/monitoring.yaml", "timeout: 10s", "timeout: 10 s", PRODUCTION),
    ("clusters/production/monitoring.yaml", "max_wal: 4h", "max_wal: 4hours", PRODUCTION),
    ("clusters/production/monitoring.yaml", "value: 30m", "value: 30min", PRODUCTION),
    ("clusters/production/monitoring.yaml", "/spec/walTruncateFrequency", "/spec/walTruncateFrequenc", PRODUCTION),
    ("clusters/production/monitoring.yaml", "logFormat: json", "logFormt: json", PRODUCTION),
    ("clusters/production/monitoring.yaml", "environment: production", "environment: prod/uction", PRODUCTION),
    ("clusters/production/monitoring.yaml", "./monitoring/production", "./monitoring/prod", PRODUCTION),
    ("clusters/production/monitoring.yaml", "components/probes", "components/probs", PRODUCTION),
    ("clusters/production/apps.yaml", "scheme: http", "scheme: htp", PRODUCTION),
    ("clusters/production/apps.yaml", "targetNamespace: shop", "targetNamespace: Shop_", PRODUCTION),
    ("monitoring/production/kustomization.yaml", "value: 2s", "value: 2 s", PRODUCTION),
    ("monitoring/production/kustomization.yaml", "/spec/clients/0/batchWait", "/spec/clients/0/batchwait", PRODUCTION),
    ("monitoring/production/agent.yaml", "externalLabels", "externalLabel", PRODUCTION),
    ("monitoring/production/agent.yaml", "shards: ${shards}", "shard: ${shards}", PRODUCTION),
    ("monitoring/production/agent.yaml", "cluster: ${cluster}", "cluster: ${clustr}", PRODUCTION),
    ("monitoring/staging/agent.yaml", "cluster: ${cluster}", "cluste-r: ${cluster}", "staging"),
    // Mistakes that make a build fail.
    ("monitoring/base/kustomization.yaml", "- rbac.yaml", "- rbca.yaml", BOTH_CLUSTERS),
    ("monitoring/base/kustomization.yaml", "resources:", "resourcse:", BOTH_CLUSTERS),
    ("monitoring/base/kustomization.yaml", "- agent.yaml", "- ../../../agent.yaml", BOTH_CLUSTERS),
    ("monitoring/base/kustomization.yaml", "- rbac.yaml", "- agent.yaml", BOTH_CLUSTERS),
    ("monitoring/base/agent.yaml", "  image: grafana/agent:v0.44.2", "  image: grafana/agent: v0.44.2", BOTH_CLUSTERS),
    ("monitoring/base/agent.yaml", "kind: GrafanaAgent", "kind:", BOTH_CLUSTERS),
    ("monitoring/base/instances.yaml", "https://loki.${cluster}", "https://loki.${cluster-x}", BOTH_CLUSTERS),
    ("monitoring/base/instances.yaml", "maxWALTime: ${max_wal}", "maxWALTime: ${max_wal[0]}", BOTH_CLUSTERS),
    ("components/probes/kustomization.yaml", "- probe.yaml", "- prob.yaml", BOTH_CLUSTERS),
    ("components/probes/kustomization.yaml", "op: add", "op: ad", BOTH_CLUSTERS),
    ("components/probes/kustomization.yaml", "path: /spec/writeStaleOnShutdown", "path: /spec/a/b", BOTH_CLUSTERS),
    ("components/probes/kustomization.yaml", "      kind: MetricsInstance", "      kind: MetricsInstance\n      nam: x", BOTH_CLUSTERS),
    ("apps/checkout.yaml", "kind: Service", "kind: Service\nkind: Service", BOTH_CLUSTERS),
    ("apps/checkout.yaml", "${team}", "${team", BOTH_CLUSTERS),
    ("apps/workers/kustomization.yaml", "- workers.yaml", "- worker.yaml", BOTH_CLUSTERS),
    ("clusters/production/variables.yaml", "log_level: info", "log-level: info", PRODUCTION),
    ("clusters/production/variables.yaml", "scrape_interval: 30s", "scrape_interval: 'a: b: c'", PRODUCTION),
    ("clusters/production/variables.yaml", "cluster: production", "cluster: 'a: [b'", PRODUCTION),
    ("clusters/production/monitoring.yaml", "timeout: 10s", "time-out: 10s", PRODUCTION),
    ("clusters/production/monitoring.yaml", "timeout: 10s", "timeout: 'x: y: z'", PRODUCTION),
    ("clusters/production/monitoring.yaml", "path: /spec/walTruncateFrequency", "path: /spec/a/b/c", PRODUCTION),
    ("clusters/production/monitoring.yaml", "op: add", "op: ad", PRODUCTION),
    ("clusters/production/monitoring.yaml", "name: agent\n          namespace", "name: agnt\n          namespace", PRODUCTION),
    ("clusters/production/apps.yaml", "path: ./apps", "path: ./apps/checkout.yaml", PRODUCTION),
    ("clusters/production/flux-system/gotk-sync.yaml", "path: ./clusters/production", "path: ./clusters/prod", PRODUCTION),
    ("monitoring/production/kustomization.yaml", "- ../base", "- ../bas", PRODUCTION),
    ("monitoring/production/kustomization.yaml", "path: agent.yaml", "path: agnt.yaml", PRODUCTION),
    ("monitoring/production/kustomization.yaml", "username=production", "username", PRODUCTION),
    ("monitoring/production/kustomization.yaml", "/spec/clients/0/batchWait", "/spec/clients/3/batchWait", PRODUCTION),
    ("monitoring/production/agent.yaml", "  name: agent", "  name: agnt", PRODUCTION),
    ("monitoring/production/agent.yaml", "kind: GrafanaAgent", "kind: GrafanaAgnt", PRODUCTION),
];

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

/// Returns the problem with a mistake's findings, or `None` if the mistake is reported exactly once and at its line.
fn find_problem(directory: &Path, mistake: &Mistake) -> Option<String> {
    let (file, _, to, clusters) = *mistake;
    let (before, line) = replace(directory, mistake);
    let output = run(directory, ["check", "--message-format", "short"], b"");
    fs::write(directory.join(file), before).unwrap();
    let expected = format!("{file}:{line}:");
    let lines_at_place: Vec<_> = output.stdout.lines().filter(|line| line.starts_with(&expected)).collect();
    let is_expected = matches!(lines_at_place.as_slice(), [one] if one.ends_with(&format!(" [in {clusters}]")));
    let is_built = output.stdout.contains("<Kustomization");
    (!is_expected || is_built).then(|| format!("{to}: expected {expected}, found {}{}", output.stdout, output.stderr))
}

#[test]
fn repository_has_no_findings() {
    let Some(directory) = repository("gitops-repository-clean", "repository") else {
        return;
    };
    let output = run(&directory, ["check"], b"");
    assert_eq!(
        (output.status, output.stdout.as_str()),
        (Some(0), "checked 2 inputs: no findings\n"),
        "{}",
        output.stderr
    );
}

#[test]
fn reports_mistakes_once_at_the_line_to_edit() {
    assert!(MISTAKES.len() >= 70);
    let problems = |(number, mistakes): (usize, &[Mistake])| {
        let directory = repository(&format!("gitops-repository-mistakes-{number}"), "repository");
        directory.map_or_else(Vec::new, |directory| {
            mistakes.iter().filter_map(|mistake| find_problem(&directory, mistake)).collect::<Vec<_>>()
        })
    };
    // Each run builds both clusters.
    let mistakes = support::sample(MISTAKES.iter().copied(), 20);
    let halves = mistakes.chunks(mistakes.len().div_ceil(2)).enumerate();
    let failures: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = halves.map(|half| scope.spawn(move || problems(half))).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    support::report(&failures);
}

#[test]
fn findings_mention_entry_point_and_kustomization() {
    let Some(directory) = repository("gitops-repository-names", "repository") else {
        return;
    };
    replace(
        &directory,
        &("monitoring/base/instances.yaml", "remoteFlushDeadline: 1m", "remoteFlushDeadline: 1", BOTH_CLUSTERS),
    );
    let output = run(&directory, ["check", "production"], b"");
    assert_eq!(output.status, Some(1), "{output:?}");
    for expected in ["applied by Kustomization/flux-system/monitoring", "found in: clusters/production"] {
        assert!(output.stdout.contains(expected), "{expected}: {output:?}");
    }
}

#[test]
fn every_command_accepts_a_cluster_name() {
    let Some(directory) = repository("gitops-repository-commands", "repository") else {
        return;
    };
    let commands = [
        (
            &["tree", "staging"][..],
            "GrafanaAgent/monitoring/agent                                monitoring/base/agent.yaml:15",
        ),
        (&["why", "servicemonitor/checkout", "-f", "staging"], "shop/checkout"),
        (&["config", "agent", "-f", "staging"], "https://mimir.staging.example.com"),
        (&["targets", "staging"], "blackbox.monitoring:9115"),
        (&["shards", "agent", "-f", "staging"], "agent"),
        (&["rbac", "staging"], "agent"),
        (&["affected", "servicemonitor/checkout", "-f", "staging"], "agent"),
        (&["diff", "staging", "--against", "monitoring/base/rbac.yaml"], "https://mimir.staging.example.com"),
    ];
    for (args, expected) in support::sample(commands, 2) {
        let command_run = run(&directory, args, b"");
        assert!(
            matches!(command_run.status, Some(0 | 1)) && command_run.stdout.contains(expected),
            "{args:?}: {command_run:?}"
        );
    }
}

#[test]
fn affected_follows_clusters_at_a_revision() {
    if !support::has_program("git", "clusters at a revision") {
        return;
    }
    let Some(directory) = repository("gitops-repository-since", "repository") else {
        return;
    };
    fs::remove_dir_all(directory.join(".git")).unwrap();
    for args in
        [&["init", "-q"][..], &["add", "-A"], &["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"]]
    {
        assert!(Command::new("git").args(args).current_dir(&directory).status().unwrap().success());
    }
    let affected_since_head = |cluster: &str| run(&directory, ["affected", "--since", "HEAD", cluster], b"");
    assert!(
        affected_since_head("staging").stdout.starts_with("0 agents affected"),
        "{:?}",
        affected_since_head("staging")
    );
    replace(&directory, &("clusters/production/monitoring.yaml", "max_wal: 4h", "max_wal: 5h", PRODUCTION));
    assert!(
        affected_since_head("staging").stdout.starts_with("0 agents affected"),
        "{:?}",
        affected_since_head("staging")
    );
    assert!(
        affected_since_head("production").stdout.contains("GrafanaAgent/monitoring/agent"),
        "{:?}",
        affected_since_head("production")
    );
    let plan = run(&directory, ["diff", "--since", "HEAD", "production"], b"");
    assert!(plan.stdout.contains("~ max_wal_time: 4h -> 5h"), "{plan:?}");
    assert!(plan.stdout.ends_with("0 objects added, 1 changed, 0 removed\n"), "{plan:?}");
}

/// Mistakes in an Argo CD repository, each with part of the line at which the finding is expected.
#[rustfmt::skip]
const ARGO_MISTAKES: &[(&str, &str, &str, &str)] = &[
    ("argocd/apps/monitoring.yaml", "logLevel: info", "logLevel: inf", "logLevel: inf"),
    ("argocd/apps/monitoring.yaml", "value: 2h", "value: 2 h", "value: 2 h"),
    ("argocd/apps/monitoring.yaml", "tier: platform", "tier: plat/form", "tier: plat/form"),
    ("argocd/apps/monitoring.yaml", "path: monitoring", "path: monitorng", "path: monitorng"),
    ("argocd/apps/teams.yaml", "path: 'teams/{{.path.basename}}'", "path: 'team/{{.path.basename}}'", "path: 'team/"),
    ("monitoring/agent.yaml", "maxWALTime: 4h", "maxWALTime: 4", "maxWALTime: 4"),
    ("teams/shop/monitor.yaml", "port: metrics", "prt: metrics", "prt: metrics"),
];

#[test]
fn reports_mistakes_in_applications_at_the_line_to_edit() {
    let Some(directory) = repository("gitops-argocd", "argocd") else {
        return;
    };
    let clean_run = run(&directory, ["check"], b"");
    assert_eq!(clean_run.status, Some(0), "{clean_run:?}");
    let mut failures = Vec::new();
    for (file, from, to, line) in support::sample(ARGO_MISTAKES, 2) {
        let (before, _) = replace(&directory, &(file, from, to, ""));
        let text = fs::read_to_string(directory.join(file)).unwrap();
        let number = text.lines().position(|output| output.contains(line)).unwrap() + 1;
        let output = run(&directory, ["check", "--message-format", "short"], b"");
        fs::write(directory.join(file), before).unwrap();
        let expected = format!("{file}:{number}:");
        if !output.stdout.lines().any(|line| line.starts_with(&expected)) {
            failures.push(format!("{to}: expected {expected}, found {}{}", output.stdout, output.stderr));
        }
    }
    support::report(&failures);
}

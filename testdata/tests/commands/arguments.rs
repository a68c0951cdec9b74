//! Tests that arguments are treated correctly as resource names or paths, and that arguments without a match are
//! reported properly.

use std::fs;
use std::path::Path;

use crate::support::{Run, run, scratch};

const AGENT: &str = "\
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: agent}
spec: {metrics: {instanceSelector: {}}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: primary}
---
apiVersion: monitoring.coreos.com/v1
kind: Probe
metadata: {name: web}
spec: {}
";

/// A rejected Probe and an invalid agent, neither of which is requested.
const OTHER_RESOURCES: &str = "\
apiVersion: monitoring.coreos.com/v1
kind: Probe
metadata: {name: refused}
spec: {interval: [x]}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: other}
spec: {image: 1}
";

const BROKEN: &str = "kind: \"GrafanaAgent\n";

fn check_briefly(directory: &Path, args: &[&str], stdin: &str) -> Run {
    let args = args.iter().chain(&["--message-format", "short"]);
    run(directory, args, stdin.as_bytes())
}

#[test]
fn treats_invalid_names_as_paths() {
    let directory = scratch("arguments");
    fs::create_dir(directory.join("agents")).unwrap();
    fs::write(directory.join("agents/prod.yaml"), AGENT).unwrap();
    fs::write(directory.join("others.yaml"), OTHER_RESOURCES).unwrap();
    for (command, expected) in [("config", "global:\n"), ("shards", "GrafanaAgent default/agent: 1 shard\n")] {
        for arguments in [
            &["-"][..],
            &["./agents"],
            &["agents/"],
            &["agents"],
            &["agents/prod.yaml"],
            &["agent", "agents"],
            &["default/agent", "agents/prod.yaml"],
        ] {
            let run = check_briefly(&directory, &[&[command], arguments].concat(), AGENT);
            assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""), "{command} {arguments:?}");
            assert!(run.stdout.contains(expected), "{command} {arguments:?}: {}", run.stdout);
        }
    }
    // `why`, `affected` and `tree` also accept a kind without a name, but `agents` is an existing path, so it is
    // treated as a path.
    for command in ["why", "affected", "tree"] {
        let run = check_briefly(&directory, &[command, "agents"], "");
        let actual = run.stdout.contains("Probe/default/web");
        assert!(actual, "{command}: {run:?}");
    }
    let probe = AGENT.rsplit("---\n").next().unwrap().replace("web", "new");
    let why = check_briefly(&directory, &["why", "-", "-f", "agents"], &probe);
    assert_eq!((why.status, why.stderr.as_str()), (Some(0), ""));
    assert!(why.stdout.starts_with("Probe/default/new (<stdin>:3) is not selected\n"), "{}", why.stdout);
}

#[test]
fn reports_missing_resources_without_unrelated_findings() {
    let directory = scratch("not-found");
    fs::write(directory.join("agent.yaml"), AGENT).unwrap();
    fs::write(directory.join("others.yaml"), OTHER_RESOURCES).unwrap();
    let codes = |args: &[&str]| {
        let run = check_briefly(&directory, args, "");
        assert_eq!((run.status, run.stdout.as_str()), (Some(1), ""), "{args:?}");
        let codes = run.stderr.lines().filter_map(|line| line.split(['[', ']']).nth(1).map(str::to_owned));
        codes.collect::<Vec<_>>()
    };
    let questions = [
        &["config", "nothing"][..],
        &["shards", "nothing"],
        &["why", "podlogs/nothing"],
        &["why", "probe/web", "--agent", "nothing"],
        &["affected", "podlogs/nothing"],
        &["tree", "podlogs/nothing"],
    ];
    for args in questions {
        assert_eq!(codes(args), ["unknown-resource"], "{args:?}");
    }
    fs::write(directory.join("broken.yaml"), BROKEN).unwrap();
    for args in questions {
        assert_eq!(codes(args), ["yaml-syntax", "unknown-resource"], "{args:?}");
    }
}

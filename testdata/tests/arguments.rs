//! What an argument is taken for: the name of a resource or a path, and what is said of one that is not found.

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

/// A Probe that is refused, and two agents that are not meant.
const OTHERS: &str = "\
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

fn short(directory: &Path, args: &[&str], stdin: &str) -> Run {
    let args = args.iter().chain(&["--message-format", "short"]);
    run(directory, args, stdin.as_bytes())
}

#[test]
fn what_cannot_be_a_name_is_a_path() {
    let directory = scratch("arguments");
    fs::create_dir(directory.join("agents")).unwrap();
    fs::write(directory.join("agents/prod.yaml"), AGENT).unwrap();
    fs::write(directory.join("others.yaml"), OTHERS).unwrap();
    for (command, expected) in [
        ("config", "global:\n"),
        ("shards", "GrafanaAgent default/agent: 1 shard\n"),
    ] {
        for arguments in [
            &["-"][..],
            &["./agents"],
            &["agents/"],
            &["agents/prod.yaml"],
            &["agent", "agents"],
            &["default/agent", "agents/prod.yaml"],
        ] {
            let run = short(&directory, &[&[command], arguments].concat(), AGENT);
            assert_eq!(
                (run.status, run.stderr.as_str()),
                (Some(0), ""),
                "{command} {arguments:?}"
            );
            assert!(run.stdout.contains(expected), "{command} {arguments:?}: {}", run.stdout);
        }
    }
    let probe = AGENT.rsplit("---\n").next().unwrap().replace("web", "new");
    let why = short(&directory, &["why", "-", "-f", "agents"], &probe);
    assert_eq!((why.status, why.stderr.as_str()), (Some(0), ""));
    assert!(
        why.stdout
            .starts_with("Probe/default/new (<stdin>:3) is not selected\n"),
        "{}",
        why.stdout
    );
}

#[test]
fn what_is_not_found_is_said_without_mistakes_that_hide_nothing() {
    let directory = scratch("not-found");
    fs::write(directory.join("agent.yaml"), AGENT).unwrap();
    fs::write(directory.join("others.yaml"), OTHERS).unwrap();
    let codes = |args: &[&str]| {
        let run = short(&directory, args, "");
        assert_eq!((run.status, run.stdout.as_str()), (Some(1), ""), "{args:?}");
        let codes = run
            .stderr
            .lines()
            .filter_map(|line| line.split(['[', ']']).nth(1).map(str::to_owned));
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

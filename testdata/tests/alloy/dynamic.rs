//! Tests of `--alloy-discovery dynamic`, in addition to the configurations in `testdata/alloy/dynamic*`.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::alloy::expected::configurations;
use crate::support::{Run, root, run, scratch};

/// Runs a command on a case with `--alloy-discovery dynamic`.
fn run_with_dynamic_discovery(case: &str, args: &[&str]) -> Run {
    let folder = root().join("testdata/alloy").join(case);
    let flags = ["--target", "alloy", "--alloy-discovery", "dynamic"];
    run(&folder, args.iter().copied().chain(["input.yaml"]).chain(flags), &[])
}

#[test]
fn unsupported_agents_keep_static_discovery() {
    let folder = root().join("testdata/alloy/dynamic-obstacles");
    let flags = ["--alloy-discovery", "dynamic"].map(str::to_owned);
    let (actual, findings) = configurations(&folder, "input.yaml", &flags);
    let (expected, _) = configurations(&folder, "input.yaml", &[]);
    assert!(expected["agent-config"].contains("prometheus.scrape"));
    assert_eq!(actual, expected);
    assert_eq!(findings.matches("warning[static-discovery]").count(), 6, "{findings}");
}

#[test]
fn grants_permissions_for_monitors_and_their_references() {
    let run = run_with_dynamic_discovery("dynamic", &["rbac", "-o", "json"]);
    let list: Value = serde_json::from_str(&run.stdout).unwrap();
    let mut actual = BTreeSet::new();
    for role in list["items"].as_array().unwrap() {
        let namespace = role["metadata"]["namespace"].as_str().unwrap_or("*");
        for rule in role["rules"].as_array().into_iter().flatten() {
            let words = |key: &str| {
                let words = rule[key].as_array().unwrap().iter();
                words.map(|word| word.as_str().unwrap()).collect::<Vec<_>>().join(",")
            };
            actual.insert(format!("{namespace}: {} {}", words("verbs"), words("resources")));
        }
    }
    let expected = [
        "*: list,watch podmonitors,probes",
        "jobs: list,watch pods",
        "shop-test: list,watch servicemonitors",
        "shop: get secrets",
        "shop: list,watch endpoints,pods,services",
        "shop: list,watch servicemonitors",
    ];
    // The second instance's selector for Probes matches no namespace, so the permission to watch Probes is needed only
    // in the first instance's namespace.
    let expected: BTreeSet<_> =
        expected.iter().map(|right| right.replace("podmonitors,probes", "podmonitors")).collect();
    let probe_permission = "monitoring: list,watch probes".to_owned();
    assert_eq!(actual, expected.into_iter().chain([probe_permission]).collect());
}

#[test]
fn reports_fields_that_only_alloy_supports() {
    let run = run_with_dynamic_discovery("dynamic", &["check", "--message-format", "short", "-v"]);
    let notes: Vec<_> = run.stdout.lines().filter(|line| line.contains("note[followed-field]")).collect();
    assert_eq!(notes.len(), 3, "{notes:?}");
    assert!(!run.stdout.contains("[ignored-field]"), "{}", run.stdout);
}

#[test]
fn settings_enable_dynamic_discovery() {
    let folder = scratch("alloy-dynamic-settings");
    fs::copy(root().join("testdata/alloy/dynamic/input.yaml"), folder.join("input.yaml")).unwrap();
    let settings = "inputs: [input.yaml]\nflags: {target: alloy, alloy-discovery: dynamic}\n";
    fs::write(folder.join("agentctl.yaml"), settings).unwrap();
    let run = run(&folder, ["config", "monitoring/agent"], &[]);
    assert!(run.stdout.contains("prometheus.operator.probes"), "{run:?}");
}

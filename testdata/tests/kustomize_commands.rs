//! Tests of commands that read an overlay with `-k`: `affected`, `diff` and `check` with exceptions.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::kustomize_places::tree;
use crate::support::{Run, run};

const OVERLAY: [&str; 2] = ["-k", "overlays/production"];

fn ran(directory: &Path, args: &[&str]) -> Run {
    run(directory, args.iter().chain(&OVERLAY), b"")
}

fn replace(directory: &Path, file: &str, from: &str, to: &str) {
    let path = directory.join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{text}");
    fs::write(path, text.replacen(from, to, 1)).unwrap();
}

/// Returns a repository in which the tree is committed.
fn repository(name: &str) -> Option<PathBuf> {
    let directory = tree(name)?;
    let name = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
    for args in [&["init", "-q"][..], &["add", "."], &[&name[..], &["commit", "-q", "-m", "first"]].concat()] {
        let mut git = Command::new("git");
        git.arg("-C").arg(&directory).args(args).env("GIT_CONFIG_NOSYSTEM", "1");
        assert!(git.status().unwrap().success(), "git {args:?}");
    }
    Some(directory)
}

#[test]
fn affected_builds_the_overlay_at_the_revision() {
    let Some(directory) = repository("kustomize-since") else {
        return;
    };
    let since = ["affected", "--since", "HEAD"];
    let found = ran(&directory, &since);
    assert_eq!(found.stdout, "0 agents affected, 0 objects\n", "{}", found.stderr);
    replace(&directory, "base/instances.yaml", "https://mimir.example.com", "https://mimir.example.org");
    let expected = "\
GrafanaAgent/monitoring/p-agent
  ~ Secret/monitoring/p-agent-config changed

1 agent affected, 1 object
";
    assert_eq!(ran(&directory, &since).stdout, expected);
    // The command also works in a subdirectory: the overlay is still built with the files in its parent directories.
    let inside = directory.join("overlays");
    let found = run(&inside, since.iter().chain(&["-k", "production"]), b"");
    assert_eq!(found.stdout, expected, "{}", found.stderr);
    // An error at the revision must not mention a temporary file.
    replace(&directory, "base/instances.yaml", "https://mimir.example.org", "https://mimir.example.com");
    replace(&directory, "overlays/production/kustomization.yaml", "- path: agent.yaml\n", "");
    let name = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
    fs::remove_file(directory.join("overlays/production/agent.yaml")).unwrap();
    let mut git = Command::new("git");
    git.arg("-C").arg(&directory).args(name).args([
        "commit",
        "-q",
        "-m",
        "broken",
        "--",
        "overlays/production/agent.yaml",
    ]);
    assert!(git.status().unwrap().success());
    let found = ran(&directory, &since);
    assert_eq!((found.status, found.stdout.as_str()), (Some(2), ""));
    assert!(
        found.stderr.contains("HEAD:overlays/production/kustomization.yaml:") && found.stderr.contains("agent.yaml"),
        "{}",
        found.stderr
    );
    assert!(!found.stderr.contains(std::env::temp_dir().join(".tmp").to_str().unwrap()), "{}", found.stderr);
}

#[test]
fn files_of_an_overlay_affect_the_objects_built_from_them() {
    let Some(directory) = tree("kustomize-affected") else {
        return;
    };
    for (file, resource) in [
        ("base/monitors/checkout.yaml", "ServiceMonitor/monitoring/p-checkout"),
        ("overlays/production/checkout.json", "ServiceMonitor/monitoring/p-checkout"),
        ("overlays/production/agent.yaml", "GrafanaAgent/monitoring/p-agent"),
        ("components/probes/instance.yaml", "MetricsInstance/monitoring/p-primary"),
        ("base/monitors", "PodLogs/monitoring/p-checkout"),
        ("overlays/production/kustomization.yaml", "GrafanaAgent/monitoring/p-agent"),
    ] {
        let found = ran(&directory, &["affected", file]);
        assert_eq!(found.status, Some(0), "{file}: {}", found.stderr);
        let is_named = found.stdout.contains(&format!("because of {resource}")) || found.stdout.contains(resource);
        assert!(is_named, "{file}: {}", found.stdout);
    }
}

#[test]
fn diff_compares_an_overlay_with_its_rendered_manifests() {
    let Some(directory) = tree("kustomize-diff") else {
        return;
    };
    let rendered = ran(&directory, &["render", "--output-dir", "rendered"]);
    assert_eq!(rendered.status, Some(0), "{}", rendered.stderr);
    let diff = ["diff", "--against", "rendered"];
    let same = ran(&directory, &diff);
    assert_eq!(same.stdout, "0 added, 0 changed, 0 removed\n", "{}", same.stderr);
    replace(&directory, "overlays/production/agent.yaml", "30s", "20s");
    let changed = ran(&directory, &diff);
    assert_eq!(changed.status, Some(1), "{}", changed.stderr);
    assert!(changed.stdout.contains("0 added, 1 changed, 0 removed"), "{}", changed.stdout);
    // A mistake is reported in the patch that contains it.
    replace(&directory, "overlays/production/agent.yaml", "shards: 2", "shards: two");
    let wrong = ran(&directory, &[&diff[..], &["--message-format", "short"]].concat());
    assert_eq!(wrong.status, Some(2));
    assert!(wrong.stderr.starts_with("overlays/production/agent.yaml:9:"), "{}", wrong.stderr);
}

#[test]
fn exceptions_name_the_files_of_an_overlay() {
    let Some(directory) = tree("kustomize-exceptions") else {
        return;
    };
    replace(&directory, "base/monitors/checkout.yaml", "instance: primary", "instance: primry");
    let check = ["check", "--message-format", "short", "--deny", "unselected"];
    let found = ran(&directory, &check);
    assert!(found.stdout.starts_with("base/monitors/checkout.yaml:"), "{found:?}");
    for (file, is_accepted) in [("base/monitors/*", true), ("overlays/*", false)] {
        let settings = format!("exceptions:\n- {{code: unselected, file: {file}, reason: tested}}\n");
        fs::write(directory.join("agentctl.yaml"), settings).unwrap();
        let found = ran(&directory, &check[..3]);
        let accepted = found.stdout.contains("1 finding accepted by exceptions");
        assert_eq!(accepted, is_accepted, "{file}: {}", found.stdout);
        assert_eq!(found.stdout.contains("unselected"), !is_accepted, "{}", found.stdout);
    }
}

#[test]
fn commands_print_locations_in_the_files_to_edit() {
    let Some(directory) = tree("kustomize-locations") else {
        return;
    };
    for (args, expected) in [
        (&["why", "smon/p-checkout"][..], "ServiceMonitor/monitoring/p-checkout (base/monitors/checkout.yaml:4)"),
        (&["why", "smon/p-checkout", "-o", "json"], r#""file": "base/monitors/checkout.yaml""#),
        (&["tree"], "base/monitors/checkout.yaml:4"),
        (&["tree", "-o", "json"], r#""file": "components/probes/probe.yaml""#),
        (&["tree", "-o", "html"], "components/probes/probe.yaml"),
        (&["targets"], ""),
        (&["targets", "-o", "json"], ""),
        (&["rbac"], ""),
        (&["shards"], "GrafanaAgent monitoring/p-agent: 2 shards"),
        (&["config", "--source-map"], "# overlays/production/checkout.json:4 ServiceMonitor/monitoring/p-checkout"),
        (&["config", "-o", "json"], r#""file": "overlays/production/agent.yaml""#),
        (&["config", "--line", "9"], "base/instances.yaml:1-13"),
        (&["config", "--of", "base/monitors/checkout.yaml:14"], "base/monitors/checkout.yaml:13-18"),
        (&["check", "-v", "--message-format", "sarif"], "sarif"),
        (&["check", "-v", "--message-format", "junit"], r#"name="overlays/production/agent.yaml""#),
    ] {
        let found = ran(&directory, args);
        assert_eq!(found.status, Some(0), "{args:?}: {}", found.stderr);
        assert!(found.stdout.contains(expected), "{args:?}: {}", found.stdout);
        let printed = format!("{}{}", found.stdout, found.stderr);
        assert!(!printed.contains("kustomize overlays"), "{args:?}: {printed}");
    }
}

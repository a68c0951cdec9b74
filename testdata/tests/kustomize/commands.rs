//! Tests of commands that read an overlay with `-k`: `affected`, `diff` and `check` with exceptions.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::kustomize::places::tree;
use crate::support::{self, Run, run};

const OVERLAY: [&str; 2] = ["-k", "overlays/production"];

fn run_overlay(directory: &Path, args: &[&str]) -> Run {
    run(directory, args.iter().chain(&OVERLAY), b"")
}

fn replace(directory: &Path, file: &str, from: &str, to: &str) {
    let path = directory.join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{text}");
    fs::write(path, text.replacen(from, to, 1)).unwrap();
}

/// Returns a repository with a base and overlays that are committed.
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
    let since_args = ["affected", "--since", "HEAD"];
    let output = run_overlay(&directory, &since_args);
    assert_eq!(output.stdout, "0 agents affected, 0 objects\n", "{}", output.stderr);
    replace(&directory, "base/instances.yaml", "https://mimir.example.com", "https://mimir.example.org");
    let expected = "\
GrafanaAgent/monitoring/p-agent
  because of MetricsInstance/monitoring/p-primary
  ~ Secret/monitoring/p-agent-config changed

1 agent affected, 1 object
";
    assert_eq!(run_overlay(&directory, &since_args).stdout, expected);
    // The command also works in a subdirectory: the overlay is still built with the files in its parent directories.
    let subdirectory = directory.join("overlays");
    let output = run(&subdirectory, since_args.iter().chain(&["-k", "production"]), b"");
    assert_eq!(output.stdout, expected, "{}", output.stderr);
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
    let output = run_overlay(&directory, &since_args);
    assert_eq!((output.status, output.stdout.as_str()), (Some(2), ""));
    assert!(
        output.stderr.contains("HEAD:overlays/production/kustomization.yaml:") && output.stderr.contains("agent.yaml"),
        "{}",
        output.stderr
    );
    assert!(!output.stderr.contains(std::env::temp_dir().join(".tmp").to_str().unwrap()), "{}", output.stderr);
}

#[test]
fn overlay_files_affect_objects_built_from_them() {
    let Some(directory) = tree("kustomize-affected") else {
        return;
    };
    let files = [
        ("base/monitors/checkout.yaml", "ServiceMonitor/monitoring/p-checkout"),
        ("overlays/production/checkout.json", "ServiceMonitor/monitoring/p-checkout"),
        ("overlays/production/agent.yaml", "GrafanaAgent/monitoring/p-agent"),
        ("components/probes/instance.yaml", "MetricsInstance/monitoring/p-primary"),
        ("base/monitors", "PodLogs/monitoring/p-checkout"),
        ("overlays/production/kustomization.yaml", "GrafanaAgent/monitoring/p-agent"),
    ];
    for (file, resource) in support::sample(files, 2) {
        let output = run_overlay(&directory, &["affected", file]);
        assert_eq!(output.status, Some(0), "{file}: {}", output.stderr);
        let is_named = output.stdout.contains(&format!("because of {resource}")) || output.stdout.contains(resource);
        assert!(is_named, "{file}: {}", output.stdout);
    }
}

#[test]
fn diff_compares_an_overlay_with_its_rendered_manifests() {
    let Some(directory) = tree("kustomize-diff") else {
        return;
    };
    let rendered = run_overlay(&directory, &["render", "--output-dir", "rendered"]);
    assert_eq!(rendered.status, Some(0), "{}", rendered.stderr);
    let diff = ["diff", "--against", "rendered"];
    let unchanged_run = run_overlay(&directory, &diff);
    assert_eq!(unchanged_run.stdout, "0 added, 0 changed, 0 removed\n", "{}", unchanged_run.stderr);
    replace(&directory, "overlays/production/agent.yaml", "30s", "20s");
    let changed_run = run_overlay(&directory, &diff);
    assert_eq!(changed_run.status, Some(1), "{}", changed_run.stderr);
    assert!(changed_run.stdout.contains("0 added, 1 changed, 0 removed"), "{}", changed_run.stdout);
    // A mistake is reported in the patch that contains it.
    replace(&directory, "overlays/production/agent.yaml", "shards: 2", "shards: two");
    let invalid_run = run_overlay(&directory, &[&diff[..], &["--message-format", "short"]].concat());
    assert_eq!(invalid_run.status, Some(2));
    assert!(invalid_run.stderr.starts_with("overlays/production/agent.yaml:9:"), "{}", invalid_run.stderr);
}

#[test]
fn exceptions_match_source_files_of_overlays() {
    let Some(directory) = tree("kustomize-exceptions") else {
        return;
    };
    replace(&directory, "base/monitors/checkout.yaml", "instance: primary", "instance: primry");
    let check = ["check", "--message-format", "short", "--deny", "unselected"];
    let output = run_overlay(&directory, &check);
    assert!(output.stdout.starts_with("base/monitors/checkout.yaml:"), "{output:?}");
    for (file, is_accepted) in [("base/monitors/*", true), ("overlays/*", false)] {
        let settings = format!("exceptions:\n- {{code: unselected, file: {file}, reason: tested}}\n");
        fs::write(directory.join("agentctl.yaml"), settings).unwrap();
        let output = run_overlay(&directory, &check[..3]);
        let has_accepted_note = output.stdout.contains("1 finding accepted by exceptions");
        assert_eq!(has_accepted_note, is_accepted, "{file}: {}", output.stdout);
        assert_eq!(output.stdout.contains("unselected"), !is_accepted, "{}", output.stdout);
    }
}

#[test]
fn commands_print_locations_in_the_files_to_edit() {
    let Some(directory) = tree("kustomize-locations") else {
        return;
    };
    let commands = [
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
    ];
    for (args, expected) in support::sample(commands, 2) {
        let output = run_overlay(&directory, args);
        assert_eq!(output.status, Some(0), "{args:?}: {}", output.stderr);
        assert!(output.stdout.contains(expected), "{args:?}: {}", output.stdout);
        let command_output = format!("{}{}", output.stdout, output.stderr);
        assert!(!command_output.contains("kustomize overlays"), "{args:?}: {command_output}");
    }
}

/// Runs `check` on the three overlays, with the arguments to which a shell expands `-k overlays/*`.
fn run_on_all_overlays(directory: &Path, args: &[&str]) -> Run {
    let overlays = ["-k", "overlays/dev", "overlays/production", "overlays/staging"];
    run(directory, args.iter().chain(&overlays), b"")
}

#[test]
fn merges_equal_findings_of_several_overlays() {
    let Some(directory) = tree("kustomize-several") else {
        return;
    };
    // The overlays differ in the names of resources and in the index of the list item.
    replace(&directory, "base/monitors/checkout.yaml", "action: drop", "action: dropp");
    replace(&directory, "base/instances.yaml", "{name: remote-write, key: password}", "{name: absent, key: password}");
    let output = run_on_all_overlays(&directory, &["check", "--message-format", "short"]);
    let lines: Vec<_> = output.stdout.lines().collect();
    let all_overlays = "[in overlays/dev, overlays/production, overlays/staging]";
    let [secret, action, summary] = lines.as_slice() else {
        panic!("{output:?}");
    };
    assert!(secret.starts_with("base/instances.yaml:11:") && secret.ends_with(all_overlays), "{secret}");
    assert!(action.starts_with("base/monitors/checkout.yaml:18:") && action.ends_with(all_overlays), "{action}");
    assert_eq!(*summary, "checked 3 inputs: 2 errors");
}

#[test]
fn exceptions_are_used_if_any_overlay_uses_them() {
    let Some(directory) = tree("kustomize-used-exceptions") else {
        return;
    };
    replace(&directory, "overlays/production/extra.yaml", "instance: primary", "instance: other");
    let check = ["check", "--message-format", "short"];
    for (exception, expected) in [
        ("{code: unselected, name: '*extra', reason: tested}", None),
        ("{code: unselected, file: overlays/production/*, reason: tested}", None),
        ("{code: paused-agent, reason: tested}", Some("agentctl.yaml:2:10: warning[unused-allowance]")),
    ] {
        let settings = format!("exceptions:\n- {exception}\nseverity: {{unselected: allow}}\n");
        let settings =
            if expected.is_none() { settings.replace("severity: {unselected: allow}", "") } else { settings };
        fs::write(directory.join("agentctl.yaml"), settings).unwrap();
        let output = run_on_all_overlays(&directory, &check);
        assert_eq!(output.stdout.contains("unused-allowance"), expected.is_some(), "{exception}: {}", output.stdout);
        assert!(output.stdout.starts_with(expected.unwrap_or("checked 3 inputs")), "{exception}: {}", output.stdout);
        // Other commands skip some checks, so they cannot determine whether an exception is used.
        let rendered = run(&directory, ["render", "-k", "overlays/staging"], b"");
        assert!(!rendered.stderr.contains("unused-allowance"), "{}", rendered.stderr);
    }
    // Nothing in the settings is secret.
    let output = run_on_all_overlays(&directory, &["check"]);
    assert!(output.stdout.contains("{code: paused-agent, reason: tested}"), "{}", output.stdout);
}

#[test]
fn applies_only_fixes_that_all_overlays_agree_on() {
    let Some(directory) = tree("kustomize-fixes") else {
        return;
    };
    let mistakes = [
        ("base/agent.yaml", "logLevel: info", "logLevle: info"),
        ("base/monitors/checkout.yaml", "action: drop", "action: dropp"),
        ("overlays/production/agent.yaml", "shards: 2", "shard: 2"),
        ("overlays/production/checkout.json", "\"scheme\": \"https\"", "\"scheme\": \"htps\""),
        ("overlays/production/logs.yaml", "/spec/jobLabel", "/spec/jobLable"),
        ("overlays/production/kustomization.yaml", "logFormat: json", "logFromat: json"),
        ("components/probes/probe.yaml", "module: http_2xx", "moduel: http_2xx"),
    ];
    let text = |file: &str| fs::read_to_string(directory.join(file)).unwrap();
    let before = mistakes.map(|(file, ..)| text(file));
    let run_without_mistakes = run_on_all_overlays(&directory, &["check", "--diff"]);
    assert_eq!(
        (run_without_mistakes.status, run_without_mistakes.stdout.as_str()),
        (Some(0), ""),
        "{}",
        run_without_mistakes.stderr
    );
    mistakes.iter().for_each(|(file, from, to)| replace(&directory, file, from, to));
    let diff_run = run_on_all_overlays(&directory, &["check", "--diff"]);
    assert_eq!(diff_run.status, Some(1));
    assert!(diff_run.stdout.contains("-  logLevle: info\n+  logLevel: info\n"), "{}", diff_run.stdout);
    let fix_run = run_on_all_overlays(&directory, &["check", "--fix"]);
    assert_eq!(fix_run.status, Some(0), "{fix_run:?}");
    assert!(fix_run.stderr.contains("note: fixed 7 findings in 7 files"), "{}", fix_run.stderr);
    for ((file, ..), before) in mistakes.iter().zip(&before) {
        assert_eq!(text(file), *before, "{file}");
    }
    // An overlay that sets the field itself is not affected by the mistake in the base.
    replace(&directory, "base/monitors/checkout.yaml", "action: drop", "action: dropp");
    let operation = r#"[{"op": "replace", "path": "/spec/endpoints/0/metricRelabelings/0/action", "value": "drop"},"#;
    replace(&directory, "overlays/production/checkout.json", "[", operation);
    let partial_fix_run = run_on_all_overlays(&directory, &["check", "--fix"]);
    assert_eq!(partial_fix_run.status, Some(1), "{partial_fix_run:?}");
    let reason = "`base/monitors/checkout.yaml:18` was not fixed: overlays/production does not have this finding";
    assert!(partial_fix_run.stderr.contains(reason), "{}", partial_fix_run.stderr);
    assert!(text("base/monitors/checkout.yaml").contains("dropp"));
}

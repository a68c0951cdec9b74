//! Tests of `agentctl.yaml`: which file is used, what it sets, and what overrides it.

use crate::support;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{Run, run};

const AGENT: &str = "\
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: agent}
spec: {metrics: {instanceSelector: {}}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: primary}
spec: {}
";

/// Creates a project with `manifests/agent.yaml` and these settings.
fn project(name: &str, settings: &str) -> PathBuf {
    let root = support::scratch(&format!("settings-{name}"));
    fs::create_dir(root.join("manifests")).unwrap();
    fs::write(root.join("manifests/agent.yaml"), AGENT).unwrap();
    fs::write(root.join("agentctl.yaml"), settings).unwrap();
    root
}

/// Runs agentctl with the arguments in `command`, which are separated by spaces.
fn agentctl(directory: &Path, command: &str) -> Run {
    run(directory, command.split_whitespace(), AGENT.as_bytes())
}

/// Returns the namespaces of the rendered objects. Panics if the run fails.
fn namespaces(directory: &Path, command: &str) -> Vec<String> {
    let run = agentctl(directory, command);
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""), "{command}");
    let lines = run.stdout.lines().filter_map(|line| line.strip_prefix("  namespace: "));
    let mut actual: Vec<_> = lines.map(str::to_owned).collect();
    actual.dedup();
    actual
}

#[test]
fn flags_override_settings_and_settings_override_defaults() {
    let root = project("order", "inputs: [manifests]\nflags: {namespace: of-file}\n");
    for (command, expected) in [
        ("render", "of-file"),
        ("render --namespace of-flag", "of-flag"),
        ("render -n of-flag", "of-flag"),
        ("render manifests", "of-file"),
        ("render -", "of-file"),
        ("--color never render", "of-file"),
        ("render --no-settings manifests", "default"),
    ] {
        assert_eq!(namespaces(&root, command), [expected], "{command}");
    }
}

#[test]
fn settings_inputs_apply_if_no_input_is_given() {
    let root = project("inputs", "inputs: [manifests/agent.yaml]\n");
    fs::write(root.join("broken.yaml"), format!("{AGENT}---\na: [")).unwrap();
    for (directory, command, status) in [
        (root.as_path(), "check", 0),
        (&root.join("manifests"), "check", 0),
        (&root, "check broken.yaml", 1),
        (&root, "check -f broken.yaml", 1),
        (&root, "check --no-settings", 1),
    ] {
        assert_eq!(agentctl(directory, command).status, Some(status), "{command}");
    }
    fs::write(root.join("agentctl.yaml"), "inputs: [gone]\n").unwrap();
    let run = agentctl(&root, "check");
    assert_eq!(run.stderr, "error: cannot read `gone`: No such file or directory (os error 2)\n");
}

#[test]
fn directories_with_settings_are_the_default_input() {
    for settings in ["", "severity: {}\n", "flags: {strict: true}\n", "inputs: [.]\n"] {
        let root = project("own", settings);
        fs::create_dir(root.join("empty")).unwrap();
        assert_eq!(namespaces(&root.join("empty"), "render"), ["default"], "{settings}");
        assert_eq!(namespaces(&root, "render"), ["default"], "{settings}");
        assert_eq!(namespaces(&root.join("manifests"), "render"), ["default"], "{settings}");
    }
}

#[test]
fn uses_the_settings_file_nearest_to_the_first_input() {
    let root = project("nearest", "flags: {namespace: outer}\n");
    fs::write(root.join("manifests/agentctl.yaml"), "flags: {namespace: inner}\n").unwrap();
    assert_eq!(namespaces(&root, "render manifests"), ["inner"]);
    assert_eq!(namespaces(&root, "render"), ["outer"]);
    assert_eq!(namespaces(&root, "render -"), ["outer"]);
    assert_eq!(namespaces(&root.join("manifests"), "render -"), ["inner"]);
    assert_eq!(namespaces(&root.join("manifests"), "render .."), ["outer"]);
}

#[test]
fn paths_are_relative_to_the_settings_file() {
    let root = project("paths", "inputs: [manifests]\nflags: {output-dir: out, prune: true, against: out}\n");
    let inner = root.join("manifests");
    assert_eq!(agentctl(&inner, "render").status, Some(0));
    assert!(root.join("out/default/statefulset_agent.yaml").exists());
    assert_eq!(agentctl(&inner, "render --check").status, Some(0));
    assert_eq!(agentctl(&inner, "diff").status, Some(0));
    let run = agentctl(&inner, "diff -n other");
    assert_eq!(run.status, Some(1), "{}", run.stderr);
    assert!(run.stdout.contains("+++ StatefulSet/other/agent\n"), "{}", run.stdout);
    assert_eq!(agentctl(&inner, "render --output-dir elsewhere").status, Some(0));
    assert!(inner.join("elsewhere/default/statefulset_agent.yaml").exists());
}

#[test]
fn ignores_settings_whose_required_flag_is_missing() {
    let root = project("needs", "flags: {prune: true}\n");
    assert_eq!(namespaces(&root, "render manifests"), ["default"]);
    let run = agentctl(&root, "render manifests --output-dir out");
    assert_eq!(run.status, Some(0));
    assert!(run.stderr.ends_with(": 0 unchanged, 0 removed\n"), "{}", run.stderr);
}

#[test]
fn shows_every_mistake_at_its_location() {
    let settings = "\
flags:
  namespce: a
  namespace: A
  limit: {shards: 0}
  validate: strct
  prune: maybe
  labels: [a]
  agent-selector: no
  kubelet-service: {a: b}
  against: [a, b]
  show-secrets: true
";
    let root = project("mistakes", settings);
    let run = agentctl(&root, "check --message-format short");
    let expected = "\
agentctl.yaml:2:3: error[invalid-settings]: `namespce` is not a flag that can be set here (in the settings file); help: did you mean `namespace`?
agentctl.yaml:3:14: error[invalid-settings]: `namespace` cannot be `A`: it must consist of lowercase letters, digits and `-`, and must start and end with a letter or digit (in the settings file)
agentctl.yaml:4:10: error[invalid-settings]: `limit` cannot be `shards=0`: `shards` must be between 1 and 2147483647 (in the settings file)
agentctl.yaml:5:13: error[invalid-settings]: `validate` cannot be `strct` (in the settings file); help: did you mean `strict`?
agentctl.yaml:6:10: error[invalid-settings]: `prune` must be `true` or `false` (in the settings file)
agentctl.yaml:7:11: error[invalid-settings]: `labels` cannot be `a`: expected KEY=VALUE, found `a` (in the settings file)
agentctl.yaml:8:19: error[invalid-settings]: `agent-selector` must be a string, not a boolean (in the settings file); help: quote it
agentctl.yaml:9:20: error[invalid-settings]: `kubelet-service` must be a string, not a mapping (in the settings file)
agentctl.yaml:10:12: error[invalid-settings]: `against` must be a single value, not a list (in the settings file)
agentctl.yaml:11:3: error[invalid-settings]: `show-secrets` is not a flag that can be set here (in the settings file)";
    assert_eq!(run.status, Some(1));
    let lines = run.stdout.lines().filter(|line| !line.starts_with("checked "));
    let actual = lines.map(|line| line.split("; help: use one of").next().unwrap());
    assert_eq!(actual.collect::<Vec<_>>(), expected.lines().collect::<Vec<_>>());
}

#[test]
fn rejects_separators_in_mappings() {
    let root = project("separators", "flags: {labels: {a: 'b,c=d'}}\n");
    let run = agentctl(&root, "check --message-format short");
    let expected = "agentctl.yaml:1:17: error[invalid-settings]: \
                    `labels` must have keys without `=` or `,`, and values without `,` (in the settings file)\n";
    assert!(run.stdout.starts_with(expected), "{}", run.stdout);
}

#[test]
fn accepts_strings_for_switches() {
    let root = project("switches", "flags: {with-rbac: 'true'}\n");
    let run = agentctl(&root, "render manifests -v");
    let note = "note: the settings file `agentctl.yaml` sets --with-rbac\n";
    assert!(run.stderr.contains(note), "{}", run.stderr);
}

#[test]
fn every_command_reports_mistakes_in_settings() {
    let root = project("other-mistakes", "inputs: [manifests]\nflags: {namespce: a}\n");
    let run = agentctl(&root, "why metricsinstance/primary --message-format short");
    assert_eq!((run.status, run.stdout.as_str()), (Some(1), ""));
    assert!(run.stderr.starts_with("agentctl.yaml:2:9: error[invalid-settings]"), "{}", run.stderr);
    fs::write(root.join("agentctl.yaml"), "inputs: [manifests]\nflags: {namespace: a}\n").unwrap();
    let run = agentctl(&root.join("manifests"), "why metricsinstance/primary");
    assert!(run.stdout.contains("MetricsInstance/a/primary"), "{run:?}");
}

#[test]
fn usage_errors_mention_flags_from_the_settings_file() {
    let root = project("usage", "flags: {namespace: a}\n");
    let run = agentctl(&root, "diff manifests");
    assert_eq!(run.status, Some(2));
    let note = "note: the settings file adds `--namespace=a`; pass --no-settings to ignore the file\n";
    assert!(run.stderr.ends_with(note), "{}", run.stderr);
}

#[test]
fn only_compiling_commands_have_flags_in_settings() {
    let root = project("others", "flags: {output-dir: out, namespace: a}\n");
    let run = agentctl(&root, "schema Probe");
    assert!(run.stdout.starts_with('{'));
    assert_eq!(agentctl(&root, "aggregate routes manifests").status, Some(0));
    assert!(!root.join("out").exists());
}

#[test]
fn unreadable_settings_exit_with_2() {
    let root = project("unreadable", "");
    fs::write(root.join("agentctl.yaml"), b"\xff").unwrap();
    let run = agentctl(&root, "check");
    let expected = "error: cannot read `agentctl.yaml`: it is not UTF-8 (this is the settings file)\n";
    assert_eq!((run.status, run.stderr.as_str()), (Some(2), expected));
}

#[test]
fn argocd_applications_use_the_settings_file() {
    let root = project("argocd", "inputs: [manifests]\nflags: {namespace: of-file}\n");
    fs::write(root.join("broken.yaml"), format!("{AGENT}---\na: [")).unwrap();
    assert_eq!(namespaces(&root, "argocd generate"), ["of-file"]);
    let mut command = support::agentctl(&root.join("manifests"));
    command.env("ARGOCD_APP_SOURCE_PATH", "manifests").args(["argocd", "generate"]);
    assert_eq!(support::feed(&mut command, b"").stdout, agentctl(&root, "render").stdout);

    fs::write(root.join("agentctl.yaml"), "inputs: [../settings-argocd/manifests]\n").unwrap();
    let run = agentctl(&root, "argocd generate");
    assert_eq!((run.status, run.stdout.as_str()), (Some(1), ""));
    let stderr = run.stderr.replace("\n  │ ", " ");
    assert!(stderr.contains("which is outside the"), "{stderr}");
    let outside = agentctl(&root, "render");
    assert_eq!((outside.status, outside.stdout.as_str()), (Some(1), ""));
    assert!(outside.stderr.replace("\n  │ ", " ").contains("which is outside the"), "{}", outside.stderr);
    assert_eq!(namespaces(&root, "render --load-restrictor none"), ["default"]);
}

/// Returns the settings with those that are commented out enabled.
fn uncomment(text: &str) -> String {
    let line = |line: &str| {
        let start = line.trim_start();
        match start.strip_prefix('#') {
            Some(setting) if !setting.starts_with([' ', '\n']) && !setting.is_empty() => {
                format!("{}{setting}\n", line.replace(start, ""))
            }
            _ => format!("{line}\n"),
        }
    };
    text.lines().map(line).collect()
}

#[test]
fn init_does_not_change_rendering_with_placeholders() {
    let root = project("init", "");
    let run_without_settings = agentctl(&root, "render --secrets placeholder");
    fs::remove_file(root.join("agentctl.yaml")).unwrap();
    let run = agentctl(&root, "init");
    let expected = "wrote `agentctl.yaml`: it sets only `secrets: placeholder`\n";
    assert_eq!((run.status, run.stdout.as_str(), run.stderr.as_str()), (Some(0), "", expected));
    assert_eq!(render_project(&root), run_without_settings);

    let text = fs::read_to_string(root.join("agentctl.yaml")).unwrap();
    assert_eq!(agentctl(&root, "init -").stdout, text);
    let defaults = uncomment(&text);
    for setting in ["inputs: [.]", "  warnings: warn", "  namespace: default", "  prune: false", "  labels:"] {
        assert!(defaults.lines().any(|line| line == setting), "{setting}: {defaults}");
    }
    fs::write(root.join("agentctl.yaml"), defaults).unwrap();
    assert_eq!(render_project(&root), run_without_settings);
}

fn render_project(root: &Path) -> Run {
    let run = agentctl(root, "render");
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""));
    run
}

#[test]
fn init_does_not_overwrite_files() {
    let root = project("overwrite", "severity: {}\n");
    for command in ["init", "init ."] {
        let run = agentctl(&root, command);
        let expected = "error: cannot write `agentctl.yaml`: it already exists\n";
        assert_eq!((run.status, run.stderr.as_str()), (Some(2), expected));
    }
    assert_eq!(fs::read_to_string(root.join("agentctl.yaml")).unwrap(), "severity: {}\n");
    assert_eq!(agentctl(&root, "init manifests").status, Some(0));
    assert!(root.join("manifests/agentctl.yaml").exists());
    let write_error = "error: cannot write `gone/agentctl.yaml`: No such file or directory (os error 2)\n";
    assert_eq!(agentctl(&root, "init gone").stderr, write_error);
}

#[test]
fn shards_command_needs_no_input_if_all_counts_are_given() {
    let root = project("shards", "severity: {}\n");
    fs::write(root.join("targets.txt"), "a:80\nb:80\n").unwrap();
    let args = "shards --shards 3 --targets targets.txt -o list";
    fs::write(root.join("manifests/broken.yaml"), "a: [").unwrap();
    let run = agentctl(&root, args);
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""));
    assert_eq!(agentctl(&root, &format!("{args} --no-settings")).stdout, run.stdout);
    let text = agentctl(&root, "shards --shards 3 --targets targets.txt").stdout;
    assert!(text.starts_with("2 targets on 3 shards\n"), "{text}");
}

#[test]
fn shards_command_defaults_to_the_current_directory() {
    let root = project("shards-here", "severity: {}\n");
    fs::write(root.join("targets.txt"), "a:80\nb:80\n").unwrap();
    for args in [
        "shards --no-settings",
        "shards agent --no-settings",
        "shards agent --shards 1 --targets targets.txt --no-settings",
        "shards -f manifests --shards 1 --targets targets.txt --no-settings",
        "shards --targets targets.txt --no-settings",
        "shards",
    ] {
        let run = agentctl(&root, args);
        assert_eq!(run.status, Some(0), "{args}: {}", run.stderr);
        assert!(run.stdout.starts_with("GrafanaAgent default/agent: 1 shard\n"), "{args}: {}", run.stdout);
    }
}

#[test]
fn shards_command_defaults_to_inputs_from_settings() {
    let root = project("shards-inputs", "inputs: [manifests]\n");
    fs::write(root.join("targets.txt"), "a:80\n").unwrap();
    fs::write(root.join("broken.yaml"), format!("{AGENT}---\na: [")).unwrap();
    for args in ["shards", "shards --targets targets.txt", "shards --targets targets.txt --shards 1 agent"] {
        let run = agentctl(&root, args);
        assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""), "{args}");
        assert!(run.stdout.starts_with("GrafanaAgent default/agent: 1 shard\n"), "{args}: {}", run.stdout);
    }
    let text = agentctl(&root, "shards --targets targets.txt").stdout;
    assert!(text.contains(" every shard\n\n1 target"), "{text}");
}

#[test]
fn recognizes_manifests_with_any_name() {
    let root = project("manifest", "");
    fs::rename(root.join("manifests/agent.yaml"), root.join("manifests/agentctl.yaml")).unwrap();
    fs::write(root.join("agentctl.yaml"), "flags: {namespace: outer}\n").unwrap();
    for command in ["render manifests", "render manifests/agentctl.yaml", "render"] {
        assert_eq!(namespaces(&root, command), ["outer"], "{command}");
    }
    // The manifest is recognized regardless of how its keys are written and which other files exist.
    let agent_with_escapes = AGENT.replace("apiVersion", "\"\\x61piVersion\"").replace("kind:", "\"kin\\x64\":");
    fs::write(root.join("manifests/agentctl.yaml"), agent_with_escapes).unwrap();
    fs::write(root.join("manifests/other.yaml"), "").unwrap();
    for command in ["render manifests", "render manifests/agentctl.yaml manifests/other.yaml"] {
        assert_eq!(namespaces(&root, command), ["outer"], "{command}");
    }
}

#[test]
fn pruning_keeps_output_of_manifests_named_like_settings() {
    let root = project("prune", "");
    fs::remove_file(root.join("agentctl.yaml")).unwrap();
    let render = "render manifests --output-dir out --prune --allow-empty";
    assert_eq!(agentctl(&root, render).status, Some(0));
    fs::rename(root.join("manifests/agent.yaml"), root.join("manifests/agentctl.yaml")).unwrap();
    assert_eq!(agentctl(&root, render).status, Some(0));
    assert!(root.join("out/default/statefulset_agent.yaml").exists());
}

#[test]
fn search_ends_at_the_repository_root() {
    for (name, is_file) in [("repository", false), ("worktree", true)] {
        let root = project(name, "flags: {namespace: outside}\n");
        let git = root.join("manifests/.git");
        match is_file {
            true => fs::write(git, "gitdir: elsewhere\n").unwrap(),
            false => fs::create_dir(git).unwrap(),
        }
        assert_eq!(namespaces(&root, "render manifests"), ["default"], "{name}");
        fs::write(root.join("manifests/agentctl.yaml"), "flags: {namespace: inside}\n").unwrap();
        assert_eq!(namespaces(&root, "render manifests"), ["inside"], "{name}");
    }
}

#[test]
fn verbose_runs_list_the_settings() {
    let root = project("verbose", "flags: {namespace: a, prune: true}\nseverity: {paused-agent: allow}\n");
    let run = agentctl(&root, "render manifests -v");
    let note = "note: the settings file `agentctl.yaml` sets --namespace=a, --allow=paused-agent\n";
    assert!(run.stderr.contains(note), "{}", run.stderr);
    let run = agentctl(&root, "check manifests -n b --no-settings -v");
    assert!(!run.stderr.contains("settings"), "{}", run.stderr);
    fs::write(root.join("agentctl.yaml"), "").unwrap();
    let run = agentctl(&root, "render manifests -v");
    let note = "note: the settings file `agentctl.yaml` sets nothing for this command\n";
    assert!(run.stderr.contains(note), "{}", run.stderr);
}

#[test]
fn accepts_an_explicit_settings_file() {
    let root = project("named", "flags: {namespace: nearest}\n");
    fs::create_dir(root.join("ci")).unwrap();
    fs::write(root.join("ci/strict.yaml"), "flags: {namespace: named}\n").unwrap();
    assert_eq!(namespaces(&root, "render manifests --settings ci/strict.yaml"), ["named"]);
    assert_eq!(namespaces(&root, "--settings=ci/strict.yaml render manifests"), ["named"]);
    let run = agentctl(&root, "render manifests --settings gone.yaml");
    assert_eq!(run.status, Some(2));
    assert!(run.stderr.contains("`gone.yaml`") && run.stderr.contains("settings file"), "{}", run.stderr);
    let run = agentctl(&root, "render manifests --settings ci/strict.yaml --no-settings");
    assert_eq!(run.status, Some(2));
}

#[test]
fn denying_warnings_overrides_severities_in_the_settings() {
    let root = project("deny", "severity: {paused-agent: allow, unselected: warn}\n");
    let paused_agent = AGENT.replace("spec: {metrics", "spec: {paused: true, metrics");
    fs::write(root.join("manifests/agent.yaml"), paused_agent).unwrap();
    let run = agentctl(&root, "check manifests");
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    let run = agentctl(&root, "check manifests --deny warnings");
    assert_eq!(run.status, Some(1), "{}", run.stderr);
    assert!(run.stdout.contains("error[paused-agent]"), "{}", run.stdout);
    let run = agentctl(&root, "check manifests --deny warnings --allow paused-agent");
    assert_eq!(run.status, Some(0), "{}", run.stderr);
}

#[test]
fn only_trusted_files_raise_limits() {
    for (name, lowered_limit, raised_limit) in [
        ("shards", "10", "1001"),
        ("file-size", "1MiB", "1GiB"),
        ("depth", "200", "201"),
        ("alias-expansion", "0", "1000001"),
        ("output-size", "1GiB", "1025MiB"),
        ("jobs", "50000", "50001"),
    ] {
        let root = project("limits", &format!("flags: {{limit: {{{name}: {lowered_limit}}}}}\n"));
        assert_eq!(agentctl(&root, "render manifests").status, Some(0), "{name}");
        fs::write(root.join("agentctl.yaml"), format!("flags: {{limit: {{{name}: {raised_limit}}}}}\n")).unwrap();
        let run = agentctl(&root, "render manifests --message-format short");
        assert_eq!((run.status, run.stdout.as_str()), (Some(1), ""), "{name}");
        let expected = format!("`limit` raises `{name}` above its default of");
        assert!(run.stderr.contains(&expected), "{}", run.stderr);
        assert!(run.stderr.contains("--trust-settings"), "{}", run.stderr);
        assert_eq!(agentctl(&root, "render manifests --trust-settings").status, Some(0), "{name}");
    }
    let root = project("distrust", "flags: {trust-settings: true, load-restrictor: none, limit: {shards: 2000}}\n");
    let run = agentctl(&root, "render manifests --message-format short");
    assert_eq!(run.status, Some(1));
    assert_eq!(run.stderr.matches("error[invalid-settings]").count(), 3, "{}", run.stderr);
}

#[test]
fn warns_about_other_spellings_of_the_file_name() {
    for name in ["agentctl.yml", ".agentctl.yaml"] {
        let root = project("hint", "");
        fs::rename(root.join("agentctl.yaml"), root.join(name)).unwrap();
        let run = agentctl(&root, "check manifests");
        let hint = format!("warning: `{name}` is not read: rename it to agentctl.yaml if it contains settings\n");
        assert_eq!((run.status, run.stderr.contains(&hint)), (Some(0), true), "{}", run.stderr);
        assert!(!agentctl(&root, "check manifests --no-settings").stderr.contains("rename"));
        fs::write(root.join(name), AGENT).unwrap();
        assert!(!agentctl(&root, "check manifests").stderr.contains("rename"));
    }
}

/// Tests that settings that hide findings are reported and can be denied; a pull request could otherwise control what
/// is checked.
#[test]
fn reports_settings_that_hide_findings() {
    const BROKEN: &str = "\
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: other, namespace: o, labels: {team: b}}
spec: {image: [}
";
    let broken = BROKEN.replace("[}", "'', metrics: {instanceSelector: {}, scrapeInterval: '1'}}");
    for (flag, expected_note) in [
        ("agent-selector: team=a", "1 of 2 agents checked: agentctl.yaml sets agent-selector"),
        ("allow-empty: true", "agentctl.yaml sets allow-empty"),
        ("missing-secrets: placeholder", "agentctl.yaml sets missing-secrets"),
        ("namespace: elsewhere", "agentctl.yaml sets namespace"),
        ("validate: ignore", "agentctl.yaml sets validate"),
    ] {
        let root = project("weaker", &format!("flags: {{{flag}, labels: {{a: b}}, limit: {{shards: 10}}}}\n"));
        let decoy = AGENT.replacen("{name: agent}", "{name: agent, labels: {team: a}}", 1);
        fs::write(root.join("manifests/agent.yaml"), decoy + &broken).unwrap();
        let run = agentctl(&root, "check manifests");
        let last_line = run.stdout.lines().last().unwrap_or_default();
        assert!(last_line.contains(&format!("({expected_note})")), "{}", run.stdout);
        let short = agentctl(&root, "check manifests --message-format short");
        assert!(short.stdout.contains(expected_note), "{}", short.stdout);

        let denied_run = agentctl(&root, "check manifests --deny warnings --message-format short");
        let name = flag.split(':').next().unwrap();
        let expected = format!("error[weakened-check]: `{name}` weakens the check");
        assert_eq!(denied_run.status, Some(1), "{denied_run:?}");
        assert!(denied_run.stdout.contains(&expected), "{}", denied_run.stdout);
        for trust_flags in ["--no-settings", "--settings agentctl.yaml", "--trust-settings"] {
            let run = agentctl(&root, &format!("check manifests --deny warnings {trust_flags}"));
            assert!(!run.stdout.contains("weakened-check"), "{trust_flags}: {}", run.stdout);
        }
        let run_without_settings = agentctl(&root, "check manifests --no-settings");
        assert!(!run_without_settings.stdout.contains("agentctl.yaml"), "{}", run_without_settings.stdout);
    }
    let root = project("inputs-hide", "inputs: [manifests]\nseverity: {paused-agent: allow}\n");
    let stdout = agentctl(&root, "check").stdout;
    assert!(stdout.contains("(agentctl.yaml sets inputs, severity)"), "{stdout}");
    let denied_run = agentctl(&root, "check --deny warnings");
    assert_eq!(denied_run.status, Some(1));
    assert!(denied_run.stdout.contains("error[weakened-check]"), "{}", denied_run.stdout);
    assert!(!agentctl(&root, "check manifests --deny warnings").stdout.contains("weakened"));
    // Stricter settings, and settings that are also on the command line, are not reported.
    let root = project("strict", "flags: {validate: strict, missing-secrets: error}\nseverity: {warnings: deny}\n");
    let stdout = agentctl(&root, "check manifests -n other").stdout;
    assert!(!stdout.contains("agentctl.yaml"), "{stdout}");
}

/// Tests that setting `output-dir` is an error if manifests come from outside the project, such as decrypted values
/// from a pipe.
#[test]
fn output_dir_applies_only_to_inputs_from_settings() {
    let root = project("diverted", "flags: {output-dir: rendered}\n");
    let other_folder = support::scratch("settings-elsewhere");
    fs::write(other_folder.join("agent.yaml"), AGENT).unwrap();
    let outside_command = format!("render -f manifests -f {}", other_folder.join("agent.yaml").display());
    for (command, actual) in [
        ("render -", "the input is standard input"),
        ("render -f manifests -f -", "the input is standard input"),
        ("render --check -", "the input is standard input"),
        (outside_command.as_str(), "is outside the file's repository"),
    ] {
        let run = agentctl(&root, &format!("{command} --message-format short"));
        assert_eq!((run.status, run.stdout.as_str()), (Some(1), ""), "{command}: {}", run.stderr);
        let is_rejected = run.stderr.contains("`output-dir` cannot be used") && run.stderr.contains(actual);
        assert!(is_rejected && run.stderr.contains("--output-dir -"), "{command}: {}", run.stderr);
        assert!(!root.join("rendered").exists(), "{command}");
    }
    assert!(agentctl(&root, "render - --output-dir -").stdout.starts_with("---\n"));
    assert_eq!(agentctl(&root, "render manifests").status, Some(0));
    assert!(root.join("rendered/default/statefulset_agent.yaml").exists());
}

#[test]
fn dash_means_standard_output() {
    let root = project("dash", "flags: {output-dir: out, prune: true}\n");
    let expected = agentctl(&root, "render manifests --no-settings").stdout;
    assert!(expected.starts_with("---\n"));
    let run = agentctl(&root, "render manifests --output-dir -");
    assert_eq!((run.status, run.stdout.as_str()), (Some(0), expected.as_str()), "{}", run.stderr);
    assert!(!root.join("out").exists() && !root.join("-").exists());
    let run = agentctl(&root, "render manifests --output-dir - --check");
    assert_eq!(run.status, Some(2), "{}", run.stderr);
}

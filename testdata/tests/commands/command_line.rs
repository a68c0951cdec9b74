//! Tests for arguments and environment variables, and for inputs that cannot easily be stored as files.

use std::fs;
use std::process::Stdio;

use agentctl::diagnostic::Code;

use crate::support::{agentctl, feed, run, scratch};

const AGENT: &str = "\
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: agent}
spec: {}
";

/// An agent with a mistake at line 4, column 10.
const MISTAKE: &str = "\
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: agent}
spec: {image: 1}
";

#[test]
fn usage_errors_go_to_standard_error() {
    let directory = scratch("usage");
    for (args, expected) in [
        (&["diff"][..], "--against <PATH>"),
        (&["check", "-q", "-v"], "'--quiet' cannot be used with '--verbose'"),
        (&["check", "-o", "jsn"], "tip: a similar value exists: 'json'"),
        (&["targets", "x", "-o", "list", "--against", "y"], "`--against` cannot be used with `-o list`"),
        (&["targets", "x", "-o", "list", "--dropped"], "lists only active targets"),
        (&["targets", "x", "-o", "json", "--all-labels"], "JSON always contains all labels"),
        (&["render", "x", "--validate=perhaps"], "'perhaps'"),
        (&["render", "x", "-o", "xml"], "'xml'"),
        (&["tree", "x", "--limit", "max-shards=3"], "where NAME is one of shards, jobs"),
        (&["render", "x", "--labels", "a"], "expected KEY=VALUE, found `a`"),
        (&["render", "x", "--kubelet-service", "a"], "expected NAMESPACE/NAME"),
        (&["render", "x", "-n", "Not_A_Name"], "lowercase letters"),
        (&["render", "x", "--limit", "shards=0"], "`shards` must be between 1 and 2147483647"),
        (&["check", "x", "--message-format", "xml"], "'xml'"),
        (&["check", "x", "--deny", "pausd-agent"], "did you mean `paused-agent`?"),
        (&["render", "x", "--allow", "paused-agent,yaml-syntax"], "`yaml-syntax` cannot be allowed"),
        (&["aggregate", "routes", "x", "--warn", "nothing"], "unknown code `nothing`"),
        (&["explain", "unselectd"], "unknown code `unselectd`; did you mean `unselected`?\n"),
        (&["explain", "warnings"], "unknown code `warnings`; run `agentctl explain` to list all codes\n"),
        (&["schema", "ServiceMonitr"], "did you mean `ServiceMonitor`?"),
        (&["schema", "-o", "yaml"], "--crd"),
        (&["unknown"], "'unknown'"),
        (&[], "Usage: agentctl"),
    ] {
        let run = run(&directory, args, b"");
        assert_eq!((run.status, run.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(run.stderr.contains(expected), "{args:?}: {}", run.stderr);
    }
}

#[test]
fn commands_have_aliases_known_from_other_tools() {
    let directory = scratch("aliases");
    for (alias, name) in [("validate", "check"), ("lint", "check"), ("template", "render")] {
        let run_command = |name: &str| run(&directory, ["--color", "never", name, "-"], MISTAKE.as_bytes());
        assert_eq!(run_command(alias), run_command(name), "{alias}");
        assert_eq!(run_command(alias).status, Some(1));
    }
    fs::write(directory.join("agentctl.yaml"), "flags: {validate: strict}\n").unwrap();
    let run = run(&directory, ["lint", "--", "-"], AGENT.replace("spec: {}", "spec: {odd: 1}").as_bytes());
    assert_eq!(run.status, Some(1), "{run:?}");
    assert!(run.stdout.contains("error[unknown-field]"), "{run:?}");
}

#[test]
fn help_subcommand_matches_the_long_help_flag() {
    let directory = scratch("help");
    let long = run(&directory, ["render", "--help"], b"");
    assert_eq!(run(&directory, ["help", "render"], b""), long);
    assert_eq!((long.status, long.stderr.as_str()), (Some(0), ""));
    assert!(long.stdout.contains("--limit <NAME=VALUE,…>"), "{}", long.stdout);
    assert!(long.stdout.contains("\nExit status:\n  0  success\n"), "{}", long.stdout);
    let short = run(&directory, ["render", "-h"], b"");
    assert!(!short.stdout.contains("--limit"), "{}", short.stdout);
    assert!(short.stdout.contains("\nExamples:\n  agentctl render "), "{}", short.stdout);
}

#[test]
fn manual_has_sections_for_examples_and_exit_status() {
    let page = include_str!("../../../man/agentctl-diff.1");
    for section in [".SH EXAMPLES\n.nf\nagentctl diff ", ".SH \"EXIT STATUS\"\n.nf\n0  nothing differs\n1  "] {
        assert!(page.contains(section), "{section}");
    }
}

#[test]
fn missing_files_end_the_run() {
    let directory = scratch("missing");
    fs::write(directory.join("agent.yaml"), AGENT).unwrap();
    for subcommand in ["render", "check"] {
        let run = run(&directory, [subcommand, "agent.yaml", "gone.yaml"], b"");
        assert_eq!((run.status, run.stdout.as_str()), (Some(2), ""));
        assert_eq!(run.stderr, "error: cannot read `gone.yaml`: No such file or directory (os error 2)\n");
    }
}

#[test]
fn errors_leave_the_output_directory_unchanged() {
    let directory = scratch("untouched");
    fs::write(directory.join("agent.yaml"), MISTAKE).unwrap();
    let run = run(&directory, ["render", "agent.yaml", "--output-dir", "out"], b"");
    assert_eq!((run.status, run.stdout.as_str()), (Some(1), ""));
    assert!(!directory.join("out").exists());
}

#[test]
fn reports_output_directories_that_cannot_be_written() {
    let directory = scratch("unwritable");
    fs::write(directory.join("agent.yaml"), AGENT).unwrap();
    fs::write(directory.join("file"), "mine").unwrap();
    let run = run(&directory, ["render", "agent.yaml", "--output-dir", "file"], b"");
    assert_eq!((run.status, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.contains("\nerror: cannot write `file"), "{}", run.stderr);
    assert_eq!(fs::read_to_string(directory.join("file")).unwrap(), "mine");
}

#[cfg(unix)]
#[test]
fn secrets_in_a_directory_are_private() {
    use std::os::unix::fs::PermissionsExt;
    let directory = scratch("modes");
    let run = run(&directory, ["render", "-", "--output-dir", "out"], AGENT.as_bytes());
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    let secret = directory.join("out/default/secret_agent-secrets.yaml");
    assert_eq!(fs::metadata(secret).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn reads_standard_input_once() {
    let directory = scratch("stdin");
    let once = run(&directory, ["render", "-"], AGENT.as_bytes());
    let twice = run(&directory, ["render", "-", "-f", "-"], AGENT.as_bytes());
    assert_eq!(once.status, Some(0), "{}", once.stderr);
    assert_eq!((once.status, once.stdout), (twice.status, twice.stdout));
    let wrong = run(&directory, ["check", "-", "--message-format", "short"], MISTAKE.as_bytes());
    assert!(wrong.stdout.contains("\n<stdin>:4:15: error["), "{}", wrong.stdout);
}

#[test]
fn only_findings_of_check_go_to_standard_output() {
    let directory = scratch("channels");
    for (subcommand, format, on_stdout) in [
        ("check", "human", true),
        ("check", "short", true),
        ("check", "json", true),
        ("check", "github", true),
        ("check", "sarif", true),
        ("check", "junit", true),
        ("render", "human", false),
        ("render", "json", false),
        ("render", "sarif", false),
    ] {
        let run = run(&directory, [subcommand, "-", "--message-format", format], MISTAKE.as_bytes());
        assert_eq!(run.status, Some(1), "{subcommand} {format}");
        assert_eq!(run.stdout.is_empty(), !on_stdout, "{subcommand} {format}: {}", run.stdout);
        assert_eq!(run.stderr.is_empty(), on_stdout, "{subcommand} {format}: {}", run.stderr);
    }
}

#[test]
fn check_prints_a_summary_unless_quiet() {
    let directory = scratch("last-line");
    fs::write(directory.join("agent.yaml"), AGENT).unwrap();
    let last_line = |args: &[&str]| {
        let run = run(&directory, args.iter().chain(&["--allow=selects-nothing"]), b"");
        assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""), "{args:?}");
        run.stdout.lines().last().map(str::to_owned)
    };
    let summary = Some("checked 1 resource in 1 file: no findings".to_owned());
    // The default input is the working directory.
    assert_eq!(last_line(&["check"]), summary);
    assert_eq!(last_line(&["check", "agent.yaml", "--message-format", "short"]), summary);
    assert_eq!(last_line(&["check", "-q"]), None);
    assert_eq!(last_line(&["check", "--message-format", "json"]), None);
    let wrong = AGENT.replace("kind: GrafanaAgent", "kind: GrafanaAgent\nextra: 1");
    let actual = |args: &[&str]| run(&directory, args, wrong.as_bytes()).stdout.lines().count();
    let short = ["check", "-", "--message-format", "short"];
    assert_eq!(actual(&short), actual(&[&short[..], &["-q"]].concat()) + 1);
    assert!(!run(&directory, ["check", "-", "-q"], wrong.as_bytes()).stdout.contains("1 warning"));
    for command in ["render", "tree"] {
        let [current_directory_run, named_directory_run] =
            [&[command, "-v"][..], &[command, "-v", "-f", "."]].map(|args| run(&directory, args, b""));
        assert_eq!(current_directory_run, named_directory_run, "{command}");
        assert_eq!(current_directory_run.status, Some(0), "{}", current_directory_run.stderr);
    }
}

#[test]
fn selects_unique_agents_without_namespace() {
    let directory = scratch("agent-name");
    let unique_agent_run = run(&directory, ["render", "-", "-q", "--agent", "agent"], AGENT.as_bytes());
    assert_eq!(unique_agent_run, run(&directory, ["render", "-", "-q", "--agent", "default/agent"], AGENT.as_bytes()));
    assert_eq!(unique_agent_run.status, Some(0), "{}", unique_agent_run.stderr);
    let other_agent = AGENT.replace("name: agent", "name: agent, namespace: other");
    let both_agents = format!("{AGENT}---\n{other_agent}");
    let ambiguous_run = run(&directory, ["render", "-", "--agent", "agent"], both_agents.as_bytes());
    assert_eq!((ambiguous_run.status, ambiguous_run.stdout.as_str()), (Some(1), ""));
    assert!(ambiguous_run.stderr.contains("use one of: `default/agent`, `other/agent`"), "{}", ambiguous_run.stderr);
    let unknown_agent_run = run(&directory, ["render", "-", "--agent", "agnt"], AGENT.as_bytes());
    assert!(unknown_agent_run.stderr.contains("did you mean `default/agent`?"), "{}", unknown_agent_run.stderr);
    fs::write(directory.join("two.yaml"), both_agents).unwrap();
    let config = run(&directory, ["config", "other/agent", "two.yaml"], b"");
    assert_eq!(config.status, Some(1), "{}", config.stdout);
    assert!(config.stderr.contains("other/agent"), "{}", config.stderr);
}

#[test]
fn explains_several_codes_and_pasted_findings() {
    let directory = scratch("explain-several");
    let pages = run(&directory, ["explain", "error[missing-key]", "unknown-field"], b"");
    let explain_code = |code| run(&directory, ["explain", code], b"").stdout;
    assert_eq!(pages.stdout, format!("{}\n{}", explain_code("missing-key"), explain_code("unknown-field")));
    let json = run(&directory, ["explain", "missing-key", "-o", "json"], b"").stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json[0]["code"], &json[0]["severity"]), (&"missing-key".into(), &"error".into()));
    assert!(json[0]["page"].as_str().is_some_and(|page| page.len() > 100), "{json}");
}

#[test]
fn environment_selects_format_and_colors() {
    let directory = scratch("environment");
    let stderr = |variables: &[(&str, &str)], args: &[&str]| {
        let mut command = agentctl(&directory);
        command.args(["render", "-"]).args(args).envs(variables.iter().copied());
        feed(&mut command, MISTAKE.as_bytes()).stderr
    };
    assert!(stderr(&[], &[]).contains("╭─[<stdin>:4:15]"));
    assert!(stderr(&[("GITHUB_ACTIONS", "true")], &[]).contains("\n::error file=<stdin>,line=4,"));
    assert!(stderr(&[("GITHUB_ACTIONS", "true")], &["--message-format", "human"]).contains("╭─["));
    assert!(!stderr(&[], &[]).contains('\u{1b}'));
    assert!(stderr(&[("CLICOLOR_FORCE", "1")], &[]).contains('\u{1b}'));
    assert!(!stderr(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], &[]).contains('\u{1b}'));
    assert!(stderr(&[("NO_COLOR", "1")], &["--color", "always"]).contains('\u{1b}'));
}

#[test]
fn only_human_output_has_notes() {
    let directory = scratch("notes");
    for name in ["in/a", "in/b"] {
        fs::create_dir_all(directory.join(name)).unwrap();
        fs::write(directory.join(name).join("kustomization.yaml"), "resources: []\n").unwrap();
    }
    fs::create_dir_all(directory.join("out/old")).unwrap();
    fs::write(directory.join("in/agent.yaml"), AGENT).unwrap();
    fs::write(directory.join("agentctl.yaml"), "flags: {namespace: a}\n").unwrap();
    fs::write(directory.join("agentctl.yml"), "").unwrap();
    let misnamed = "warning: `agentctl.yml` is not read: rename it to agentctl.yaml if it contains settings\n";
    let settings = "note: the settings file `agentctl.yaml` sets --namespace=a\n";
    let skipped = "note: skipped 2 objects of kinds that agentctl does not use\n";
    let unrendered = "note: `in/a/kustomization.yaml` is not built, although the files that it lists are part of the input; \
                      check the rendered manifests with `agentctl check -k in/a` (and 1 more like it)\n";
    let left_out = "note: 1 finding not shown (--max-findings): 1 not-rendered\n";
    let wrote = "wrote 1 file to `out`: 0 unchanged, 0 removed\n";
    let render = ["render", "in", "--output-dir", "out"];
    for (args, expected_stderr) in [
        (&["check", "in"][..], [misnamed, unrendered].concat()),
        (&["check", "in", "-v"], [misnamed, settings, skipped].concat()),
        (&["check", "in", "-q"], misnamed.to_owned()),
        (&["check", "in", "-v", "--message-format", "json"], String::new()),
        (&["check", "in", "-v", "--message-format", "json", "--max-findings", "1"], left_out.to_owned()),
        (
            &["check", "in", "-v", "--message-format", "short", "--max-findings", "1"],
            [misnamed, settings, skipped].concat(),
        ),
        (&["check", "in", "-q", "--message-format", "json", "--max-findings", "1"], String::new()),
        (&render, [misnamed, wrote].concat()),
        (&[&render[..], &["-q"]].concat(), misnamed.to_owned()),
        (&[&render[..], &["--message-format", "json"]].concat(), String::new()),
    ] {
        let _ = fs::remove_dir_all(directory.join("out"));
        let run = run(&directory, args.iter().chain(&["--allow=selects-nothing"]), b"");
        assert_eq!((run.status, run.stderr), (Some(0), expected_stderr), "{args:?}");
    }
    let summary = self::run(&directory, ["check", "in", "--allow=selects-nothing"], b"").stdout;
    assert_eq!(summary, "checked 1 resource in 3 files (agentctl.yaml sets namespace): no findings\n");
    let stderr = self::run(&directory, ["check", "in/agent.yaml", "-v"], b"").stderr;
    assert_eq!(stderr, [misnamed, settings].concat());
    // Valid settings cause no findings, so the command's SARIF report is the only output.
    let run = run(&directory, ["why", "probe/a", "-f", "in", "--message-format", "sarif"], b"");
    assert_eq!((run.status, run.stdout.as_str()), (Some(1), ""));
    let report: serde_json::Value = serde_json::from_str(&run.stderr).unwrap();
    assert_eq!(report["runs"][0]["results"][0]["ruleId"], "unknown-resource");
    fs::remove_dir_all(directory.join("in/b")).unwrap();
    let stderr = self::run(&directory, ["check", "in"], b"").stderr;
    assert_eq!(stderr, [misnamed, &unrendered.replace(" (and 1 more like it)", "")].concat());
}

/// Tests messages about missing resources. Each row contains the command, its exit status, its standard output, and the
/// end of its standard error.
#[test]
fn reports_missing_resources() {
    let directory = crate::support::root().join("testdata/quickstart");
    let missing = "note: the input has no Pods, Services or Endpoints: add the output of `kubectl get -A pods,services,endpoints -o yaml`\n";
    let undivided = "note: `-o list` omits 1 target, because every shard scrapes it\n";
    let address = "note: no target has the address `1.2.3.4:5`, before or after relabeling, and no pod has this name\n";
    let no_job = "error[unknown-resource]\n\n  × no job is named `x`\n  help: run `agentctl targets` without --job to see the names of all jobs\n\n1 error\n";
    let no_monitor = "error[unknown-resource]\n\n  × ServiceMonitor `other` not found in namespace `shop`\n  help: correct the name, or use `-f` to pass the file that defines it\n\n1 error\n";
    let no_targets = "error: no targets: pass `--targets`, or an input that contains Pods, Services and Endpoints\n";
    let shard_summary = "GrafanaAgent monitoring/agent: 2 shards\n  \
                 Secret agent-secrets: 20 bytes, 0.0% of the Kubernetes limit; the same for every shard\n  \
                 Secret agent-config: 3,854 bytes, 0.4% of the Kubernetes limit; the same for every shard\n";
    let empty_lists = "{\n    \"agents\": [],\n    \"unselected\": [],\n    \"refused\": [],\n    \"counts\": {},\n    \"resources\": []\n}\n";
    for (command, status, stdout, message) in [
        ("targets", 1, "", &[missing, address].concat()[..]),
        ("targets -o list", 0, "", &[missing, undivided].concat()),
        ("targets --job x", 1, "", no_job),
        ("targets --job x -o json", 1, "", no_job),
        ("targets --monitor smon/shop/other", 1, "", no_monitor),
        ("shards", 0, shard_summary, ""),
        ("shards --to 3", 2, "", no_targets),
        ("shards --shards 3", 2, "", no_targets),
        ("shards --series 5", 2, "", no_targets),
        ("shards -o list", 2, "", no_targets),
        ("tree --problems", 0, "no problems found\n", ""),
        ("tree --problems -o json", 0, empty_lists, ""),
        ("check --diff", 0, "", "note: --fix would fix 0 findings in 0 files\n"),
    ] {
        let mut args: Vec<_> = command.split(' ').chain(["-f", "."]).collect();
        if command == "targets" {
            args.extend(["--explain", "1.2.3.4:5"]);
        }
        let run = run(&directory, args, b"");
        assert_eq!((run.status, run.stdout.as_str()), (Some(status), stdout), "{command}");
        // A warning comes before the error, because every shard scrapes all of the Probe's targets.
        let start = if command.starts_with("shards") { "\n1 warning\n" } else { "" };
        assert!(run.stderr.ends_with(&[start, message].concat()), "{command}: {}", run.stderr);
        assert!(!start.is_empty() || run.stderr == message, "{command}: {}", run.stderr);
    }
}

#[test]
fn closed_pipes_do_not_change_the_exit_status() {
    let directory = scratch("pipe");
    let many_agents: String = (0..300).map(|i| AGENT.replace("agent}", &format!("agent-{i}}}")) + "---\n").collect();
    fs::write(directory.join("agents.yaml"), many_agents).unwrap();
    fs::write(directory.join("mistaken.yaml"), MISTAKE).unwrap();
    fs::write(directory.join("live.yaml"), "kind: List\napiVersion: v1\nitems: []\n").unwrap();
    let (mistake, stale) = ("error[wrong-type]", "`rendered` is out of date");
    for (arguments, status, message) in [
        (["render", "agents.yaml"].as_slice(), 0, ""),
        (&["check", "agents.yaml"], 0, ""),
        (&["check", "mistaken.yaml"], 1, ""),
        (&["diff", "agents.yaml", "--against", "live.yaml"], 1, ""),
        (&["diff", "agents.yaml", "--against", "live.yaml", "-o", "json"], 1, ""),
        (&["tree", "mistaken.yaml"], 1, mistake),
        (&["tree", "mistaken.yaml", "-o", "json"], 1, mistake),
        (&["targets", "mistaken.yaml"], 1, mistake),
        (&["affected", "GrafanaAgent/agent-1", "mistaken.yaml", "agents.yaml"], 1, mistake),
        (&["render", "agents.yaml", "--output-dir", "rendered", "--check"], 1, stale),
    ] {
        let is_allowed = |flag: &&&str| !["tree", "targets", "affected"].contains(*flag);
        let allow = arguments.first().filter(is_allowed).map(|_| "--allow=selects-nothing");
        let mut child = agentctl(&directory)
            .args(arguments)
            .args(allow)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(status), "{arguments:?}");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(stderr.is_empty(), message.is_empty(), "{arguments:?}: {stderr}");
        assert!(stderr.contains(message) && !stderr.contains("cannot write"), "{arguments:?}: {stderr}");
    }
}

#[test]
fn rejects_config_maps_over_a_mebibyte() {
    let directory = scratch("large");
    let text =
        |size| format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a}}\ndata:\n  a: {}\n", "x".repeat(size));
    let small_run = run(&directory, ["check", "-", "--allow-empty"], text(1 << 20).as_bytes());
    assert_eq!((small_run.status, small_run.stderr.as_str()), (Some(0), ""));
    assert_eq!(small_run.stdout, "checked 1 resource in 1 file: no findings\n");
    let large_run = run(&directory, ["check", "-", "--message-format", "short"], text((1 << 20) + 1).as_bytes());
    assert_eq!(large_run.status, Some(1));
    assert!(large_run.stdout.starts_with("<stdin>:4:1: error[object-too-large]: "), "{}", large_run.stdout);
}

#[test]
fn no_format_shows_secret_values() {
    let directory = scratch("secrets");
    let planted = "\
apiVersion: v1
kind: Secret
metadata: {name: a}
stringData:
  first: planted-one
  wrong: [planted-two]
  twice: planted-three
  twice: planted-four
data:
  plain: planted-five
  number: 1
";
    for format in ["human", "short", "json", "github", "sarif", "junit"] {
        let run = run(&directory, ["check", "-", "--message-format", format], planted.as_bytes());
        assert_eq!(run.status, Some(1), "{format}");
        assert!(!run.stdout.contains("planted"), "{}", run.stdout);
        assert!(!run.stderr.contains("planted"), "{}", run.stderr);
    }
}

#[test]
fn answers_resource_lists_only_in_yaml() {
    let directory = scratch("resource-list");
    let list = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n";
    let objects = "{\n    \"apiVersion\": \"v1\",\n    \"items\": [],\n    \"kind\": \"List\"\n}\n";
    for (flags, expected) in [(&[][..], list), (&["-o", "json"], objects), (&["--output-dir", "out"], "")] {
        let args = [&["render", "-", "--allow-empty"], flags].concat();
        let run = run(&directory, args, list.as_bytes());
        assert_eq!((run.status, run.stdout.as_str()), (Some(0), expected), "{flags:?}");
    }
}

#[test]
fn enforces_limits_and_accepts_empty_inputs() {
    let directory = scratch("limits-hold");
    let monitor = "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {name: web}\n\
                   spec: {selector: {}, endpoints: [{prot: http}]}\n";
    let depth_error = "<stdin>:3:11: error[yaml-limit]: lists and mappings are nested deeper than the limit of 1; \
                help: if this is intended, raise the limit with `--limit depth=NUMBER`\n";
    let size_error = "error: cannot read `-`: it is larger than 10 bytes, the limit set by `--limit file-size=SIZE`\n";
    let typo_warning = "<stdin>:4:35: warning[unknown-field]: `endpoints[0]` has no field `prot`, so the field is dropped; help: did you mean `port`?\n";
    for (flags, input, status, expected_stderr) in [
        (&["--limit", "depth=1"][..], AGENT, 1, depth_error),
        (&["--limit", "file-size=10"], AGENT, 2, size_error),
        (&["--allow-empty"], monitor, 0, typo_warning),
        (&["--allow-empty"], "", 0, ""),
    ] {
        let args = [&["render", "-", "--message-format", "short"], flags].concat();
        let run = run(&directory, args, input.as_bytes());
        assert_eq!((run.status, run.stderr.as_str()), (Some(status), expected_stderr), "{flags:?}");
    }
}

#[test]
fn prints_versions() {
    let directory = scratch("version");
    let text = run(&directory, ["version"], b"");
    assert_eq!(text.status, Some(0));
    assert!(text.stdout.contains(env!("CARGO_PKG_VERSION")) && text.stdout.contains("v0.44.8"));
    let json: serde_json::Value =
        serde_json::from_str(&run(&directory, ["version", "-o", "json"], b"").stdout).unwrap();
    assert_eq!(
        json,
        serde_json::json!({
            "version": env!("CARGO_PKG_VERSION"),
            "commit": option_env!("AGENTCTL_COMMIT"),
            "operator": "v0.44.8",
            "alloy": "v1.18.1",
        })
    );
}

#[test]
fn every_code_is_explained() {
    let directory = scratch("explain");
    let list = run(&directory, ["explain"], b"").stdout;
    let codes = Code::ALL.iter().map(|code| code.as_str());
    let pages = run(&directory, std::iter::once("explain").chain(codes), b"");
    assert_eq!(pages.status, Some(0));
    for code in Code::ALL {
        assert!(list.lines().any(|line| line.starts_with(code.as_str()) && line.ends_with(code.summary())), "{code}");
        let title = format!("{}[{code}]", code.severity().as_str());
        assert!(pages.stdout.lines().any(|line| line.starts_with(&title)), "{code}");
    }
}

#[test]
fn writes_one_schema_per_kind() {
    let directory = scratch("schema");
    let run_quietly = |args: &[&str]| {
        let run = run(&directory, args, b"");
        assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""), "{args:?}");
        run.stdout
    };
    let all = "all.json grafanaagent.json integration.json logsinstance.json metricsinstance.json podlogs.json podmonitor.json \
               probe.json servicemonitor.json";
    let definitions = "monitoring.coreos.com_podmonitors.yaml monitoring.coreos.com_probes.yaml \
                       monitoring.coreos.com_servicemonitors.yaml monitoring.grafana.com_grafanaagents.yaml \
                       monitoring.grafana.com_integrations.yaml monitoring.grafana.com_logsinstances.yaml \
                       monitoring.grafana.com_metricsinstances.yaml monitoring.grafana.com_podlogs.yaml";
    for (args, names) in [
        (&[][..], all),
        (&["PROBE"], "probe.json"),
        (&["settings"], "settings.json"),
        (&["--crd"], definitions),
        (&["--crd", "podlogs"], "monitoring.grafana.com_podlogs.yaml"),
        (&["--crd", "podlogs", "-o", "json"], "monitoring.grafana.com_podlogs.json"),
    ] {
        let _ = fs::remove_dir_all(directory.join("out"));
        assert_eq!(run_quietly(&[&["schema"], args, &["--output-dir", "out"]].concat()), "");
        let files = fs::read_dir(directory.join("out")).unwrap();
        let mut actual: Vec<_> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        actual.sort();
        assert_eq!(actual.join(" "), names);
        // Depending on the arguments, standard output contains the first file, all definitions (each preceded by
        // `---`), or a list of all definitions.
        let stdout = run_quietly(&[&["schema"], args].concat());
        let texts = actual.iter().map(|name| fs::read_to_string(directory.join("out").join(name)).unwrap());
        let (mut texts, mut documents): (Vec<_>, Vec<_>) = (texts.collect(), stdout.split("---\n").skip(1).collect());
        texts.sort();
        documents.sort_unstable();
        match args {
            ["--crd", .., "json"] => assert!(stdout.contains("\"kind\": \"List\"")),
            ["--crd", ..] => assert_eq!(documents, texts),
            _ => assert!(texts.contains(&stdout)),
        }
    }
}

#[test]
fn resource_definitions_are_equal_in_yaml_and_json() {
    let directory = scratch("crd");
    let json = run(&directory, ["schema", "--crd", "-o", "json"], b"").stdout;
    let list: serde_json::Value = serde_json::from_str(&json).unwrap();
    let yaml = run(&directory, ["schema", "--crd"], b"").stdout;
    let documents: Vec<serde_json::Value> = serde_yaml::Deserializer::from_str(&yaml)
        .map(|document| serde::Deserialize::deserialize(document).unwrap())
        .collect();
    assert_eq!(list["kind"], "List");
    assert_eq!(list["items"], serde_json::Value::from(documents));
}

/// An agent without instances, which `check` and `render` warn about.
const UNMATCHED_SELECTOR: &str = "spec: {metrics: {instanceSelector: {matchLabels: {a: b}}}}";

#[test]
fn render_summarizes_warnings_in_one_line() {
    let directory = scratch("one-line");
    fs::create_dir(directory.join("in")).unwrap();
    for name in ["one", "two"] {
        let agent = AGENT.replace("name: agent", &format!("name: {name}")).replace("spec: {}", UNMATCHED_SELECTOR);
        fs::write(directory.join(format!("in/{name}.yaml")), agent).unwrap();
    }
    let line = "2 warnings: run `agentctl check in --namespace=monitoring`\n";
    for args in [
        &["render", "in", "--namespace", "monitoring", "--output-dir", "out", "-q"][..],
        &["diff", "in", "--namespace", "monitoring", "--against", "out", "-q"],
    ] {
        let quiet_run = run(&directory, args, b"");
        assert_eq!((quiet_run.status, quiet_run.stderr.as_str()), (Some(0), ""), "{args:?}");
        let args = &args[..args.len() - 1];
        let output = run(&directory, args, b"");
        let (first, _) = output.stderr.split_at(output.stderr.len().min(line.len()));
        assert_eq!(first, line, "{args:?}: {}", output.stderr);
        assert!(!output.stderr.contains("warning["), "{}", output.stderr);
        // With `-v` or an explicit format, the warnings are shown instead of the summary.
        for more_args in [&["-v"][..], &["--message-format", "short"]] {
            let verbose_run = run(&directory, [args, more_args].concat(), b"");
            assert_eq!(verbose_run.stderr.matches("warning[").count(), 2, "{more_args:?}: {}", verbose_run.stderr);
        }
    }
    // Errors are shown in full, and the summary counts only warnings.
    fs::write(directory.join("in/wrong.yaml"), MISTAKE).unwrap();
    let output = run(&directory, ["render", "in"], b"");
    assert!(output.stderr.contains("error[wrong-type]") && !output.stderr.contains("warning["), "{}", output.stderr);
    assert!(output.stderr.contains("warnings: run `agentctl check in`"), "{}", output.stderr);
    let targets = run(&directory, ["targets", "in/one.yaml"], b"");
    assert!(!targets.stderr.contains("warning["), "{}", targets.stderr);
}

#[test]
fn check_has_a_short_flag_for_the_format() {
    let directory = scratch("check-format");
    fs::write(directory.join("agent.yaml"), MISTAKE).unwrap();
    for format in ["short", "json", "github", "sarif", "junit", "human"] {
        let short = run(&directory, ["check", "-o", format], b"");
        let long = run(&directory, ["check", "--message-format", format], b"");
        assert_eq!((short.status, &short), (Some(1), &long), "{format}");
    }
    let conflicting_run = run(&directory, ["check", "-o", "json", "--message-format", "json"], b"");
    assert_eq!(conflicting_run.status, Some(2), "{}", conflicting_run.stdout);
    // The flag overrides the setting.
    fs::write(directory.join("agentctl.yaml"), "flags: {message-format: short}\n").unwrap();
    let json = run(&directory, ["check", "-o", "json"], b"");
    assert!(json.stdout.starts_with('{'), "{}{}", json.stdout, json.stderr);
}

#[test]
fn init_reports_the_written_file() {
    let directory = scratch("init");
    fs::create_dir(directory.join("sub")).unwrap();
    for (args, path) in [(&["init"][..], "agentctl.yaml"), (&["init", "sub"], "sub/agentctl.yaml")] {
        let output = run(&directory, args, b"");
        let expected = format!("wrote `{path}`: it sets only `secrets: placeholder`\n");
        assert_eq!((output.status, output.stderr), (Some(0), expected));
        assert!(directory.join(path).exists());
    }
}

#[test]
fn paths_after_a_resource_are_inputs() {
    let directory = scratch("second-word");
    for (folder, name) in [("one", "a"), ("two", "b")] {
        fs::create_dir(directory.join(folder)).unwrap();
        fs::write(directory.join(folder).join("agent.yaml"), AGENT.replace("name: agent", &format!("name: {name}")))
            .unwrap();
    }
    // The mistake in this file is not reported, because the file is not part of the input.
    fs::write(directory.join("broken.yaml"), "a: [").unwrap();
    for command in ["why", "affected"] {
        let output = run(&directory, [command, "grafanaagent/a", "one"], b"");
        assert_eq!(output.status, Some(0), "{command}: {}", output.stderr);
        let other_folder_run = run(&directory, [command, "grafanaagent", "b", "one"], b"");
        assert!(
            other_folder_run.stderr.contains("GrafanaAgent `b` not found") && other_folder_run.status == Some(1),
            "{}",
            other_folder_run.stderr
        );
        let missing_path_run = run(&directory, [command, "grafanaagent/a", "gone/x"], b"");
        assert_eq!(
            (missing_path_run.status, missing_path_run.stderr.lines().count()),
            (Some(2), 1),
            "{}",
            missing_path_run.stderr
        );
        assert!(missing_path_run.stderr.contains("cannot read `gone/x`"), "{}", missing_path_run.stderr);
    }
}

#[test]
fn explains_objects_that_create_secrets() {
    let directory = scratch("generators");
    let instance = "apiVersion: monitoring.grafana.com/v1alpha1\nkind: MetricsInstance\nmetadata: {name: i}\n\
                    spec: {remoteWrite: [{url: 'https://x', basicAuth: {username: {name: made, key: user}}}]}\n";
    let generator = "apiVersion: external-secrets.io/v1\nkind: ExternalSecret\nmetadata: {name: maker}\n\
                     spec: {target: {name: made}, data: [{secretKey: user, remoteRef: {key: x}}]}\n";
    let agent = AGENT.replace("spec: {}", "spec: {metrics: {instanceSelector: {}}}");
    for (file, text) in [("agent.yaml", agent.as_str()), ("instance.yaml", instance), ("maker.yaml", generator)] {
        fs::write(directory.join(file), text).unwrap();
    }
    for name in
        ["externalsecret/maker", "ExternalSecrets.external-secrets.io/default/maker", "externalsecrets", "secret/made"]
    {
        let output = run(&directory, ["why", name], b"");
        let first =
            "Secret/default/made (maker.yaml:3), which ExternalSecret/maker creates, is used by 1 MetricsInstance\n";
        assert_eq!(
            (output.status, output.stdout.starts_with(first)),
            (Some(0), true),
            "{name}: {}{}",
            output.stdout,
            output.stderr
        );
    }
    let output = run(&directory, ["why", "externalsecret/made"], b"");
    assert!(output.stderr.contains("ExternalSecret `made` not found in the input"), "{}", output.stderr);
    let output = run(&directory, ["why", "sealedsecrets"], b"");
    assert!(output.stderr.contains("no SealedSecrets found in the input"), "{}", output.stderr);
}

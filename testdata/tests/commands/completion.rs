//! Tests of shell completion for codes and for names from the input.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{agentctl, feed, has_program, root, scratch};

/// Returns bash's completions at the end of a line.
fn complete(directory: &Path, line: &str) -> Vec<String> {
    let words: Vec<_> = line.split(' ').collect();
    complete_word(directory, &words, words.len() - 1)
}

/// Returns bash's completions for the word at `index`.
fn complete_word(directory: &Path, words: &[&str], index: usize) -> Vec<String> {
    let mut command = agentctl(directory);
    command.env("COMPLETE", "bash").env("_CLAP_IFS", "\n");
    command.env("_CLAP_COMPLETE_INDEX", index.to_string());
    let run = feed(command.arg("--").args(words), b"");
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""), "{words:?}");
    run.stdout.lines().map(str::to_owned).collect()
}

/// Copies the example to a directory.
fn example(name: &str) -> PathBuf {
    let directory = scratch(&format!("completion-{name}"));
    fs::create_dir(directory.join("in")).unwrap();
    for entry in fs::read_dir(root().join("testdata/quickstart")).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), directory.join("in").join(entry.file_name())).unwrap();
    }
    directory
}

#[test]
fn completes_codes() {
    for (line, expected) in [
        ("agentctl explain duplicate-k", &["duplicate-key"][..]),
        ("agentctl explain nothing", &[]),
        ("agentctl check --deny warn", &["warnings"]),
        ("agentctl check --allow=paused", &["--allow=paused-agent"]),
        ("agentctl check --allow paused-agent,unused-a", &["paused-agent,unused-allowance"]),
        ("agentctl check --deny yaml-sy", &["yaml-syntax"]),
        ("agentctl check --allow yaml-sy", &[]),
    ] {
        assert_eq!(complete(root(), line), expected, "{line}");
    }
}

#[test]
fn completes_subcommands_kinds_and_files() {
    for (line, expected) in [
        ("agentctl rend", &["render"][..]),
        ("agentctl schema ServiceM", &["ServiceMonitor"]),
        ("agentctl check testdata/quick", &["testdata/quickstart/"]),
        ("agentctl check --message-format sa", &["sarif"]),
    ] {
        assert_eq!(complete(root(), line), expected, "{line}");
    }
}

#[test]
fn completes_namespaces_from_the_input() {
    let directory = example("namespaces");
    let all_namespaces = ["monitoring", "shop"];
    for (line, expected) in [
        ("agentctl render -n ", &all_namespaces[..]),
        ("agentctl render -n sh", &all_namespaces[1..]),
        ("agentctl render in -n sh", &all_namespaces[1..]),
        ("agentctl render gone -n ", &[]),
        ("agentctl render -f gone -f in -n ", &all_namespaces),
        ("agentctl render - -n ", &[]),
    ] {
        assert_eq!(complete(&directory, line), expected, "{line}");
    }
    assert_eq!(complete(&directory.join("in"), "agentctl render -n "), all_namespaces);
}

#[test]
fn completes_resources_from_the_input() {
    let directory = example("resources");
    for (line, expected) in [
        ("agentctl why pro", &["probe/shop/front-page"][..]),
        ("agentctl why Pro -f in", &["Probe/shop/front-page"]),
        ("agentctl why probe/x", &[]),
        ("agentctl why smo", &["smon/shop/checkout"]),
        ("agentctl why smon/sh", &["smon/shop/checkout"]),
        ("agentctl why pmo", &[]),
        ("agentctl tree prb", &["prb/shop/front-page"]),
        ("agentctl tree -f in/shop.yaml servicemonitors/", &["servicemonitors/shop/checkout"]),
        ("agentctl why -f in/agent.yaml grafana", &["grafanaagent/monitoring/agent"]),
        ("agentctl why i", &["in/", "integration/monitoring/node"]),
        ("agentctl why in/age", &["in/agent.yaml"]),
        ("agentctl config mon", &["monitoring/agent"]),
        ("agentctl config --of prob", &["probe/shop/front-page"]),
    ] {
        let words: Vec<_> = line.split(' ').collect();
        let end = words.iter().position(|word| *word == "Pro").unwrap_or(words.len() - 1);
        let mut actual = complete_word(&directory, &words, end);
        actual.sort();
        assert_eq!(actual, expected, "{line}");
    }
}

#[test]
fn completes_names_from_the_input_that_the_settings_specify() {
    let directory = example("settings");
    fs::create_dir(directory.join("empty")).unwrap();
    let empty = directory.join("empty");
    let line = "agentctl render -n ";
    assert_eq!(complete(&empty, line), [""; 0]);
    fs::write(directory.join("agentctl.yaml"), "inputs: [in]\n").unwrap();
    assert_eq!(complete(&empty, line), ["monitoring", "shop"]);
    assert_eq!(complete(&empty, "agentctl render --no-settings -n "), [""; 0]);
}

#[test]
fn completes_from_invalid_input() {
    let directory = example("broken");
    fs::write(directory.join("in/a.yaml"), "a: [").unwrap();
    fs::write(directory.join("in/b.yaml"), b"\xff").unwrap();
    assert_eq!(complete(&directory, "agentctl render -n m"), ["monitoring"]);
}

/// Runs a script in a shell, in the package root.
fn run_script(name: &str, script: &str) -> String {
    let mut command = Command::new(name);
    command.args(["-c", script]).env("AGENTCTL", env!("CARGO_BIN_EXE_agentctl"));
    let output = command.current_dir(root()).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {stderr}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn scripts_work_in_their_shells() {
    let bash = r#"source <("$AGENTCTL" completions bash)
        COMP_WORDS=(agentctl explain duplicate-k) COMP_CWORD=2
        _clap_complete_agentctl agentctl duplicate-k explain
        printf '%s\n' "${COMPREPLY[@]}"
        cd testdata/quickstart
        COMP_WORDS=(agentctl why smo) COMP_CWORD=2
        _clap_complete_agentctl agentctl smo why
        printf '%s\n' "${COMPREPLY[@]}""#;
    let fish = r#""$AGENTCTL" completions fish | source
        complete --do-complete 'agentctl explain duplicate-k'
        cd testdata/quickstart
        complete --do-complete 'agentctl why smo'"#;
    // `_describe` is replaced with a function that prints its arguments.
    let zsh = r#"compdef() { }
        _describe() { printf "%s\n" "${(@P)3}"; }
        source <("$AGENTCTL" completions zsh)
        words=(agentctl explain duplicate-k) CURRENT=3
        _clap_dynamic_completer_agentctl
        cd testdata/quickstart
        words=(agentctl why smo) CURRENT=3
        _clap_dynamic_completer_agentctl"#;
    for (name, script) in [("bash", bash), ("fish", fish), ("zsh", zsh)] {
        if !has_program(name, "completions in a shell") {
            continue;
        }
        let output = run_script(name, script);
        let word = |line: &str| line.split(['\t', ':']).next().unwrap_or_default().trim().to_owned();
        let words: Vec<_> = output.lines().map(word).collect();
        assert_eq!(words, ["duplicate-key", "smon/shop/checkout"], "{name}");
    }
}

#[test]
fn writes_a_script_for_every_shell() {
    for shell in ["bash", "fish", "powershell", "zsh"] {
        let run = feed(agentctl(root()).args(["completions", shell]), b"");
        assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""), "{shell}");
        assert!(run.stdout.contains("COMPLETE"), "{shell}: {}", run.stdout);
    }
}

#[test]
fn rejects_unknown_shells() {
    let run = feed(agentctl(root()).env("COMPLETE", "tcsh"), b"");
    assert_eq!(run.status, Some(2));
    assert!(run.stderr.contains("unknown shell `tcsh`"), "{}", run.stderr);
}

/// Returns a command that runs the program under a different name.
fn renamed_command(directory: &Path, name: &str) -> Command {
    let link = directory.join(name);
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_agentctl"), &link).unwrap();
    let mut command = Command::new(link);
    command.current_dir(directory).env_remove("COMPLETE");
    command
}

#[test]
fn completes_as_kubectl_complete_agentctl() {
    let directory = example("kubectl");
    for (words, expected) in [
        (&["why", "smo"][..], "smon/shop/checkout\n:4\n"),
        (&["check", "in/sh"], "in/shop.yaml\n:4\n"),
        (&["check", "i"], "in/\n:6\n"),
        (&["check", "--no-such"], ":4\n"),
    ] {
        let run = feed(
            renamed_command(&scratch("completion-kubectl-name"), "kubectl_complete-agentctl")
                .current_dir(&directory)
                .args(words),
            b"",
        );
        assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""), "{words:?}");
        assert_eq!(run.stdout, expected, "{words:?}");
    }
    let run = feed(renamed_command(&directory, "kubectl_complete-agentctl").arg("rend"), b"");
    assert!(run.stdout.starts_with("render\tWrite "), "{}", run.stdout);
}

#[test]
fn plugin_help_uses_the_invoked_name() {
    let directory = scratch("completion-kubectl-help");
    let run = feed(renamed_command(&directory, "kubectl-agentctl").args(["check", "--help"]), b"");
    assert!(run.stdout.contains("Usage: kubectl agentctl check "), "{}", run.stdout);
    let examples = run.stdout.split("Examples:\n").nth(1).unwrap();
    assert!(examples.starts_with("  kubectl agentctl check "), "{examples}");
    let usage = feed(Command::new(directory.join("kubectl-agentctl")).arg("--wrong"), b"");
    assert!(usage.stderr.contains("Usage: kubectl agentctl "), "{}", usage.stderr);
}

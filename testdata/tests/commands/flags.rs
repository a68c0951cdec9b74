//! Tests that every flag has an effect on every command that accepts it, and is an error on all other commands.
//! `testdata/flags/table.yaml` lists the values and inputs to use; the flags themselves are taken from the definition
//! of the command line.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use agentctl::cli::command;
use clap::Command;
use rayon::prelude::*;
use serde::Deserialize;
use walkdir::WalkDir;

use crate::support::{many_or_few, root, run};

/// Flags that every command accepts. They are tested with the commands that they affect.
const GLOBAL_FLAGS: &[&str] = &[
    "color",
    "help",
    "max-findings",
    "message-format",
    "no-settings",
    "quiet",
    "settings",
    "trust-settings",
    "verbose",
    "version",
];

#[derive(Deserialize)]
struct Table {
    commands: BTreeMap<String, Vec<String>>,
    flags: BTreeMap<String, Vec<Row>>,
    elsewhere: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Row {
    value: String,
    input: Option<String>,
    #[serde(default)]
    with: String,
    only: Option<String>,
    run: Option<String>,
}

impl Row {
    /// Returns the command lines to test, without the flag. `lines` contains the command's usual command lines.
    fn command_lines(&self, command: &str, lines: &[String]) -> Vec<String> {
        if self.only.as_ref().is_some_and(|only| only != command) {
            return Vec::new();
        }
        if let Some(run) = &self.run {
            let is_of_command = run.starts_with(&format!("{command} "));
            return if is_of_command { vec![run.clone()] } else { Vec::new() };
        }
        let input = self.input.as_deref().unwrap_or("in");
        let lines = lines.iter().map(|line| {
            let line = line.replace("IN", input);
            let line = match &self.input {
                Some(input) if command.starts_with("aggregate") => line.replacen(" apis", &format!(" {input}"), 1),
                _ => line,
            };
            format!("{line} {}", self.with)
        });
        lines.collect()
    }
}

/// Collects the commands that have no subcommands, with their full names.
fn commands<'c>(command: &'c Command, path: &str, out: &mut Vec<(String, &'c Command)>) {
    for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
        let path = format!("{path} {}", inner.get_name()).trim_start().to_owned();
        match inner.get_subcommands().any(|inner| inner.get_name() != "help") {
            true => commands(inner, &path, out),
            false => out.push((path, inner)),
        }
    }
}

/// Exit status of a run, its output on both streams, and the resulting files.
type Outcome = (Option<i32>, String, String, BTreeMap<String, Vec<u8>>);

/// Runs a command line in a directory.
fn outcome(directory: &Path, line: &str) -> Outcome {
    let _ = fs::remove_dir_all(directory.join("out"));
    fs::create_dir(directory.join("out")).unwrap();
    fs::write(directory.join("out/old"), "old").unwrap();
    let (args, stdin) = line.split_once('<').unwrap_or((line, ""));
    let mut rest = stdin.split_whitespace();
    let stdin = rest.next().map(|name| fs::read(directory.join(name)).unwrap());
    let args = args.split_whitespace().chain(rest);
    let run = run(directory, args, &stdin.unwrap_or_default());
    let files = ["in", "out"].map(|folder| WalkDir::new(directory.join(folder)).sort_by_file_name());
    let files = files.into_iter().flatten().map(Result::unwrap).filter(|entry| entry.file_type().is_file());
    let files = files.map(|entry| (entry.path().display().to_string(), fs::read(entry.path()).unwrap()));
    (run.status, run.stdout, run.stderr, files.collect())
}

/// Returns a directory outside any repository with a copy of the table's inputs.
fn inputs() -> tempfile::TempDir {
    static INPUTS: LazyLock<tempfile::TempDir> = LazyLock::new(whole_inputs);
    let folder = tempfile::tempdir().unwrap();
    copy(INPUTS.path(), folder.path());
    #[cfg(unix)]
    std::os::unix::fs::symlink("../other/paused.yaml", folder.path().join("linked/link.yaml")).unwrap();
    folder
}

/// Copies files and directories, but no links.
fn copy(from: &Path, into: &Path) {
    for entry in WalkDir::new(from).into_iter().map(Result::unwrap) {
        let to = into.join(entry.path().strip_prefix(from).unwrap());
        match entry.file_type().is_dir() {
            true => fs::create_dir_all(to).unwrap(),
            false => drop(fs::copy(entry.path(), to).unwrap()),
        }
    }
}

/// Creates the inputs that each test copies. Some of them are output of agentctl commands.
fn whole_inputs() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    copy(&root().join("testdata/flags"), folder.path());
    for name in ["empty", "linked"] {
        fs::create_dir(at(name)).unwrap();
    }
    fs::copy(at("in/agent.yaml"), at("linked/agent.yaml")).unwrap();
    outcome(folder.path(), "render changed --output-dir live");
    fs::write(at("targets.json"), outcome(folder.path(), "targets -f other -o json").1).unwrap();
    fs::write(at("targets.txt"), "10.0.0.1:80\n10.0.0.2:80\n10.0.0.9:80\n").unwrap();
    folder
}

/// Outcomes of command lines without the flag to test. Several flags are tested with the same command line.
type UsualOutcomes = BTreeMap<String, Outcome>;

/// Checks that a flag changes the outcome of at least one command line. Otherwise, returns the command lines that were
/// tried.
fn check_flag_effect(
    directory: &Path,
    command: &str,
    flag: &str,
    table: &Table,
    usual: &mut UsualOutcomes,
) -> Result<(), Vec<String>> {
    let lines = &table.commands[command];
    let mut tried_lines = Vec::new();
    for row in table.flags.get(flag).into_iter().flatten() {
        let value = if row.value.is_empty() { String::new() } else { format!("={}", row.value) };
        for line in row.command_lines(command, lines) {
            if line.contains(&format!(" --{flag} ")) {
                continue;
            }
            let (args, stdin) = line
                .split_once('<')
                .map_or((line.as_str(), String::new()), |(args, stdin)| (args, format!("<{stdin}")));
            let line_with_flag = format!("{args} --{flag}{value} {stdin}");
            let before = usual.entry(line.clone()).or_insert_with(|| outcome(directory, &line));
            let after = outcome(directory, &line_with_flag);
            let is_misplaced =
                after.0 == Some(2) && (after.2.contains("unexpected argument") || after.2.contains("No such file"));
            if *before != after && !is_misplaced {
                // Files that the flag changed, as `--fix` does, are restored.
                if after.3 != before.3 {
                    for file in ["agent.yaml", "cluster.yaml", "credentials.yaml"] {
                        fs::copy(root().join("testdata/flags/in").join(file), directory.join("in").join(file)).unwrap();
                    }
                }
                return Ok(());
            }
            tried_lines.push(format!("{line_with_flag} -> {:?}", after.0));
        }
    }
    Err(tried_lines)
}

#[test]
#[cfg_attr(not(unix), ignore = "one input has a link")]
fn every_flag_has_an_effect_or_is_an_error() {
    let table = fs::read_to_string(root().join("testdata/flags/table.yaml")).unwrap();
    let table: Table = serde_yaml::from_str(&table).unwrap();
    let mut definition = command();
    definition.build();
    let mut all_commands = Vec::new();
    commands(&definition, "", &mut all_commands);
    let names: Vec<_> = all_commands.iter().map(|(name, _)| name.clone()).collect();
    let mut known_commands: Vec<_> = table.commands.keys().cloned().collect();
    known_commands.sort_by_key(|name| names.iter().position(|other| other == name));
    assert_eq!(known_commands, names, "the table has other commands");
    let flags_to_test = flags_to_test(&all_commands);
    assert!(flags_to_test.len() > many_or_few(300, 90), "found only {} flags of commands", flags_to_test.len());
    let failures: Vec<_> = all_commands
        .par_iter()
        .flat_map(|(name, command)| find_flags_without_effect(name, command, &flags_to_test, &table))
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Returns the commands to test, with their flags: all of them, or each flag with one in `SAMPLE_INTERVAL` of its
/// commands.
fn flags_to_test<'c>(all: &[(String, &'c Command)]) -> BTreeSet<(String, &'c str)> {
    const SAMPLE_INTERVAL: usize = 6;
    let mut commands = BTreeMap::<_, Vec<_>>::new();
    for (name, command) in all {
        for flag in command.get_arguments().filter_map(clap::Arg::get_long) {
            commands.entry(flag).or_default().push(name);
        }
    }
    let pairs = commands.iter().enumerate().flat_map(|(number, (flag, names))| {
        let skipped_count = many_or_few(0, number % names.len().min(SAMPLE_INTERVAL));
        let names = names.iter().skip(skipped_count).step_by(many_or_few(1, SAMPLE_INTERVAL));
        names.map(|name| ((*name).clone(), *flag))
    });
    pairs.collect()
}

/// Returns a failure for each of the command's flags in `flags_to_test` that has no effect.
fn find_flags_without_effect(
    name: &str,
    command: &Command,
    flags_to_test: &BTreeSet<(String, &str)>,
    table: &Table,
) -> Vec<String> {
    let folder = inputs();
    let mut usual = UsualOutcomes::new();
    let flags = command.get_arguments().filter_map(|arg| Some((arg.get_long()?, arg.is_hide_set())));
    let flags = flags.filter(|(flag, _)| {
        let key_of_command = format!("{name} {flag}");
        let keys = [*flag, name, key_of_command.as_str()];
        flags_to_test.contains(&(name.to_owned(), *flag))
            && !GLOBAL_FLAGS.contains(flag)
            && !keys.iter().any(|key| table.elsewhere.contains_key(*key))
    });
    let failures = flags.filter_map(|(flag, is_hidden)| {
        if is_hidden {
            return find_wrong_acceptance(folder.path(), name, flag, table);
        }
        let tried_lines = check_flag_effect(folder.path(), name, flag, table, &mut usual).err()?;
        Some(format!("`{name} --{flag}` changes nothing:\n  {}", tried_lines.join("\n  ")))
    });
    failures.collect()
}

/// Returns a failure if a command accepts a flag that is not listed in its help.
fn find_wrong_acceptance(directory: &Path, command: &str, flag: &str, table: &Table) -> Option<String> {
    let Row { value, with, .. } = &table.flags[flag][0];
    let line = table.commands[command][0].replace("IN", "in");
    let line = format!("{line} {with} --{flag}={value}");
    let (status, _, stderr, _) = outcome(directory, &line);
    // The error may be about a different flag that this flag requires.
    let is_refused = status == Some(2) && stderr.contains(&format!("`agentctl {command}` does not use '--"));
    (!is_refused).then(|| format!("`{line}` is accepted: {stderr}"))
}

#[test]
fn rejects_flags_without_effect() {
    let folder = inputs();
    for (line, expected) in [
        ("why smon -f in --config-kind secret", "`agentctl why` does not use '--config-kind': it renders no manifests"),
        ("rbac in --config-kind secret", "`agentctl rbac` does not use '--config-kind'"),
        ("render in --alloy-image x", "'--alloy-image' has no effect without '--target=alloy'"),
        (
            "render in --secrets inline --secret-store SecretStore/x",
            "'--secret-store' has no effect without '--secrets=external'",
        ),
        ("render in --remote-key x", "'--remote-key' has no effect without '--secrets=external'"),
    ] {
        let (status, stdout, stderr, _) = outcome(folder.path(), line);
        assert_eq!((status, stdout.as_str()), (Some(2), ""), "{line}: {stderr}");
        assert!(stderr.contains(expected), "{line}: {stderr}");
    }
    // Settings may set flags that this command does not use.
    fs::write(folder.path().join("agentctl.yaml"), "flags: {config-kind: secret, alloy-image: x, namespace: x}\n")
        .unwrap();
    let (status, _, stderr, _) = outcome(folder.path(), "why smon -f apis");
    assert_eq!((status, stderr.contains("config-kind")), (Some(1), false), "{stderr}");
}

#[test]
fn warns_about_unused_namespaces() {
    let folder = inputs();
    fs::write(
        folder.path().join("own.yaml"),
        "apiVersion: monitoring.grafana.com/v1alpha1\nkind: GrafanaAgent\nmetadata: {name: a, namespace: m}\nspec: {paused: true}\n",
    )
    .unwrap();
    let expected =
        "warning[unused-flag]: `--namespace shop` has no effect: every resource in the input sets its namespace";
    for command in ["check own.yaml", "tree own.yaml", "rbac own.yaml"] {
        let (_, stdout, stderr, _) = outcome(folder.path(), &format!("{command} -n shop --message-format short"));
        assert!(format!("{stdout}{stderr}").contains(expected), "{command}: {stdout}{stderr}");
    }
    let stdout_of = |line: &str| outcome(folder.path(), line).1;
    assert!(!stdout_of("check other -n shop --message-format short").contains("unused-flag"));
    fs::write(folder.path().join("agentctl.yaml"), "flags: {namespace: shop}\n").unwrap();
    assert!(!stdout_of("check own.yaml --message-format short").contains("unused-flag"));
    let labels = stdout_of("check own.yaml --namespace-labels shop:a=b,m:a=b --message-format short");
    assert!(labels.contains("the labels for `shop` in `--namespace-labels` have no effect: no resource"), "{labels}");
    assert!(!labels.contains("the labels for `m`"), "{labels}");
}

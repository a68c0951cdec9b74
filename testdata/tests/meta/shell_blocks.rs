//! Runs every shell block in README.md, docs/ and deploy/. Each page has its own directory, which contains the
//! repository's files and those in `testdata/shell/files`. The fakes in `testdata/shell/bin` replace programs that need
//! a cluster, a registry or a network; agentctl, git and the shell are real.

#![cfg(unix)]
use crate::support;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;
use walkdir::WalkDir;

/// Script that creates a git repository like a user's.
const PREPARE: &str = "git init --quiet; git config user.name nobody; git config user.email nobody@example.com; \
                       git remote add origin https://git.example.com/cluster; git add manifests; \
                       git commit --quiet --message 'Add resources'; \
                       git update-ref refs/remotes/origin/main HEAD";

/// Files in this repository that the blocks use. They are copied, because symlinks to them would point outside the
/// directory.
const COPIED_PATHS: &[&str] = &[
    "deploy",
    "docs",
    "testdata/aggregate/walkthrough",
    "testdata/cases/shards-text",
    "testdata/mistakes",
    "testdata/quickstart",
    "testdata/secrets",
    "testdata/targets/walkthrough",
    "testdata/unselected",
];

fn pages() -> Vec<PathBuf> {
    let root = support::root();
    let folders = ["docs", "deploy"].map(|folder| WalkDir::new(root.join(folder)));
    let files = folders.into_iter().flatten().map(|entry| entry.unwrap().into_path());
    let mut pages: Vec<_> = files.filter(|path| path.extension().is_some_and(|e| e == "md")).collect();
    pages.push(root.join("README.md"));
    pages.sort();
    pages
}

#[test]
fn every_shell_block_runs() {
    let mut failures = Vec::new();
    let mut count = 0;
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        let blocks = shell_blocks(&text);
        if blocks.is_empty() {
            continue;
        }
        let folder = folder();
        for block in blocks {
            count += 1;
            if let Err(error) = run(folder.path(), &block) {
                failures.push(format!("{}:\n{block}{error}", page.display()));
            }
        }
    }
    assert!(count > 10, "found only {count} blocks");
    support::report(&failures);
}

/// Tests that every command piped to kubectl sets its output explicitly, because `agentctl.yaml`, which a pull request
/// can change, could otherwise redirect it.
#[test]
fn every_pipe_to_kubectl_selects_standard_output() {
    let root = support::root();
    let folders = ["docs", "deploy", "man", "src/cli", "src/diagnostic/explain", "editors"];
    let files = folders.map(|folder| WalkDir::new(root.join(folder)));
    let files = files.into_iter().flatten().map(|entry| entry.unwrap().into_path());
    let (mut pipes, mut failures) = (0, Vec::new());
    for path in files.filter(|path| path.is_file()).chain([root.join("README.md")]) {
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        // Manual pages escape hyphens, and commands may continue on the next line after `|` or a backslash.
        let text = text.replace("\\-", "-").replace("\\\n", " ").replace("|\n", "| ");
        for line in text.lines().filter(|line| !line.contains("|| kubectl")) {
            for command in line.split("agentctl ").skip(1) {
                let Some((command, next)) = command.split_once('|') else {
                    continue;
                };
                let writes_manifests =
                    ["render", "rbac", "aggregate render"].iter().any(|name| command.starts_with(name));
                if writes_manifests && next.trim_start().starts_with("kubectl") {
                    pipes += 1;
                    if !command.contains("--output-dir -") {
                        failures.push(format!("{}: agentctl {command}|{next}", path.display()));
                    }
                }
            }
        }
    }
    assert!(pipes > 10, "found only {pipes} pipes");
    support::report(&failures);
}

/// Returns the page's shell blocks, without the indentation of enclosing lists.
fn shell_blocks(page: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut open_block: Option<(&str, String)> = None;
    for line in page.lines() {
        match &mut open_block {
            Some((indent, block)) if line.strip_prefix(*indent) == Some("```") => {
                blocks.push(std::mem::take(block));
                open_block = None;
            }
            Some((indent, block)) => {
                block.push_str(line.strip_prefix(*indent).unwrap_or(line));
                block.push('\n');
            }
            None => open_block = line.strip_suffix("```sh").map(|indent| (indent, String::new())),
        }
    }
    blocks
}

/// Creates a directory with a Git repository like a user's: sample manifests, and the files in this repository that the
/// blocks use.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = support::root();
    copy(&root.join("testdata/shell/files"), folder.path());
    copy(&root.join("testdata/aggregate/walkthrough"), folder.path());
    for name in COPIED_PATHS {
        copy(&root.join(name), &folder.path().join(name));
    }
    run(folder.path(), PREPARE).unwrap();
    folder
}

fn copy(from: &Path, to: &Path) {
    for entry in WalkDir::new(from) {
        let entry = entry.unwrap();
        let target = to.join(entry.path().strip_prefix(from).unwrap());
        if entry.file_type().is_dir() {
            fs::create_dir_all(target).unwrap();
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Runs a script that stops at the first command that fails. If a command fails, returns the output as an error.
fn run(folder: &Path, script: &str) -> Result<(), String> {
    let binaries = Path::new(env!("CARGO_BIN_EXE_agentctl")).parent().unwrap();
    let path = env::var_os("PATH").unwrap();
    let first_folders = [support::root().join("testdata/shell/bin"), binaries.to_owned()];
    let output = Command::new("bash")
        .args(["-euo", "pipefail", "-c", script])
        .current_dir(folder)
        .env("PATH", env::join_paths(first_folders.into_iter().chain(env::split_paths(&path))).unwrap())
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GOGC", "off")
        .env_remove("GITHUB_ACTIONS")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("{}\n{}", output.status, String::from_utf8_lossy(&output.stderr))),
    }
}

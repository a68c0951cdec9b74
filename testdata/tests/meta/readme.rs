//! Runs every console block in README.md and docs/: `$` and a command, followed by the command's output on both
//! streams. A block may contain several commands. All commands on a page run in the same copy of the repository, so a
//! page can write a file and read it later.
//!
//! `AGENTCTL_BLESS=1 cargo test --test all readme` updates the output on the pages.

use crate::support;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns README.md and the pages in docs/.
fn pages() -> Vec<PathBuf> {
    let entries = fs::read_dir(support::root().join("docs")).unwrap();
    let mut pages: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages.push(support::root().join("README.md"));
    pages.sort();
    pages
}

#[test]
fn console_blocks_show_actual_output() {
    let mut failures = Vec::new();
    let (mut pages_with_commands, mut commands) = (0, 0);
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        let folder = Folder::new();
        let before = commands;
        let updated_page = with_output(&text, |command| {
            commands += 1;
            folder.run(command)
        });
        pages_with_commands += usize::from(commands > before);
        failures.extend(support::compare_or_update(&page, &updated_page).err());
    }
    support::report(&failures);
    assert!(pages_with_commands >= 10 && commands >= 30, "{commands} commands on {pages_with_commands} pages");
}

#[test]
fn finds_multi_command_blocks_inside_lists() {
    let page = "a\n\n1. b\n\n   ```console\n   $ one\n   old\n   $ two\n   ```\n\n```sh\n$ three\n```\n";
    let updated_page = with_output(page, |command| format!("{command}!\n\n"));
    assert_eq!(
        updated_page,
        "a\n\n1. b\n\n   ```console\n   $ one\n   one!\n\n   $ two\n   two!\n\n   ```\n\n```sh\n$ three\n```\n"
    );
}

/// Returns the page with the current output of its commands.
fn with_output(page: &str, mut run: impl FnMut(&str) -> String) -> String {
    let mut updated_page = String::new();
    let mut indent = None;
    for line in page.lines() {
        let text = line.trim_start();
        match indent {
            Some(space) if text == "```" => {
                indent = None;
                updated_page.push_str(&format!("{space}```\n"));
            }
            Some(space) => {
                if let Some(command) = text.strip_prefix("$ ") {
                    updated_page.push_str(&format!("{space}$ {command}\n"));
                    for line in run(command).lines() {
                        updated_page.push_str(format!("{space}{line}").trim_end());
                        updated_page.push('\n');
                    }
                }
            }
            None => {
                indent = line.strip_suffix("```console").filter(|space| space.trim().is_empty());
                updated_page.push_str(line);
                updated_page.push('\n');
            }
        }
    }
    updated_page
}

/// Writable copy of the repository's files.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for entry in fs::read_dir(support::root()).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name();
            if name != "target" && !name.as_encoded_bytes().starts_with(b".") {
                link(&entry.path(), &folder.path().join(name));
            }
        }
        Self(folder)
    }

    /// Runs a command in a shell and returns its output on both streams.
    fn run(&self, command: &str) -> String {
        let binaries = Path::new(env!("CARGO_BIN_EXE_agentctl")).parent().unwrap();
        let path = env::var_os("PATH").unwrap();
        let path = env::join_paths([binaries.into()].into_iter().chain(env::split_paths(&path)));
        let output = Command::new("sh")
            .args(["-c", &format!("exec 2>&1; {command}")])
            .current_dir(self.0.path())
            .env("PATH", path.unwrap())
            .env_remove("GITHUB_ACTIONS")
            .env("NO_COLOR", "1")
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    }
}

#[cfg(unix)]
fn link(from: &Path, to: &Path) {
    std::os::unix::fs::symlink(from, to).unwrap();
}

#[cfg(windows)]
fn link(from: &Path, to: &Path) {
    match from.is_dir() {
        true => std::os::windows::fs::symlink_dir(from, to).unwrap(),
        false => std::os::windows::fs::symlink_file(from, to).unwrap(),
    }
}

//! Every console block of README.md is run as it stands: `$` and a command, then what it prints.

#![allow(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use std::env;
use std::path::Path;
use std::process::Command;

#[test]
fn the_console_blocks_print_what_they_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let blocks: Vec<_> = console_blocks(&readme).collect();
    assert!(blocks.len() >= 2, "README.md has a tour");
    for (command, expected) in blocks {
        assert_eq!(run(root, command), expected, "$ {command}");
    }
}

/// Command and output of each block.
fn console_blocks(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split("```console\n$ ").skip(1).filter_map(|rest| {
        let (block, _) = rest.split_once("```")?;
        block.split_once('\n')
    })
}

/// What a shell prints for a command, on both of its streams.
fn run(root: &Path, command: &str) -> String {
    let binaries = Path::new(env!("CARGO_BIN_EXE_agentctl")).parent().unwrap();
    let path = env::join_paths(
        [binaries.into()]
            .into_iter()
            .chain(env::split_paths(&env::var_os("PATH").unwrap())),
    );
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1; {command}")])
        .current_dir(root)
        .env("PATH", path.unwrap())
        .env_remove("GITHUB_ACTIONS")
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

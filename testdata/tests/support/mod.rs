//! Utilities that run the command as a user would.

pub mod mutate;

use agentctl::compile::CompileOptions;
use agentctl::resolve::MissingSecrets;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use agentctl::output::{self, AlloyDiscovery, Language, Target};
use clap::ValueEnum;

/// Result of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Exit status, or `None` if a signal ended the run.
    pub status: Option<i32>,
    /// Contents of standard output.
    pub stdout: String,
    /// Contents of standard error.
    pub stderr: String,
}

/// Returns a command that runs `agentctl` without the environment variables that affect it.
pub fn agentctl(directory: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agentctl"));
    command.current_dir(directory);
    for variable in ["GITHUB_ACTIONS", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(variable);
    }
    // Garbage collection would take a third of the CPU time of each kustomize build.
    command.env("GOGC", "off");
    command
}

/// Returns a command like [`agentctl`] that is ended by a signal after `seconds` seconds of CPU time. Unlike a time
/// limit, this does not depend on other processes.
#[cfg(unix)]
pub fn agentctl_with_time_limit(directory: &Path, seconds: u32) -> Command {
    let plain = agentctl(directory);
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("ulimit -t {seconds}; exec \"$0\" \"$@\"")).arg(plain.get_program());
    command.current_dir(directory);
    for (variable, value) in plain.get_envs() {
        match value {
            Some(value) => command.env(variable, value),
            None => command.env_remove(variable),
        };
    }
    command
}

/// Runs `agentctl` in `directory` with `stdin` as its standard input.
pub fn run<A: AsRef<OsStr>>(directory: &Path, args: impl IntoIterator<Item = A>, stdin: &[u8]) -> Run {
    feed(agentctl(directory).args(args), stdin)
}

/// Runs a command with `stdin` as its standard input.
pub fn feed(command: &mut Command, stdin: &[u8]) -> Run {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A command that does not read its input may close the pipe early.
    let _ = child.stdin.take().unwrap().write_all(stdin);
    let output = child.wait_with_output().unwrap();
    Run {
        status: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Whether a program is installed. If not, prints that `test_name` is skipped.
pub fn has_program(program: &str, test_name: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let exists = std::env::split_paths(&paths).any(|folder| folder.join(program).is_file());
    if !exists {
        report_skipped(test_name, program);
    }
    exists
}

/// Prints that `test_name` is skipped because `program` is missing. Writes directly to standard error, because cargo
/// captures the output of print macros in tests that pass.
pub fn report_skipped(test_name: &str, program: &str) {
    let _ = writeln!(std::io::stderr(), "skipped: {test_name}: no {program}");
}

/// Returns the package root.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns every target with its `--target` value and its default settings.
pub fn targets() -> Vec<(&'static str, Target)> {
    let target = |language: &Language| match language {
        Language::Agent => ("agent", Target::Agent),
        Language::Alloy => ("alloy", alloy()),
    };
    Language::value_variants().iter().map(target).collect()
}

pub fn alloy() -> Target {
    Target::Alloy(output::alloy::AlloySettings {
        image: "alloy".to_owned(),
        has_files_of_credentials: true,
        is_public: false,
        discovery: AlloyDiscovery::Static,
    })
}

/// Returns the names of the targets that none of these commands use. A command without `--target` uses the agent.
pub fn targets_without(commands: &[&[&str]]) -> Vec<&'static str> {
    let mut names: Vec<_> = targets().into_iter().map(|(name, _)| name).collect();
    names.retain(|name| *name != "agent" && !commands.iter().any(|args| args.contains(name)));
    names
}

/// Whether expected files are updated instead of compared.
pub fn updates_expected_files() -> bool {
    std::env::var_os("AGENTCTL_BLESS").is_some_and(|value| value == "1")
}

/// Whether tests run on all of their inputs instead of a sample. `.ci/run` sets this variable.
pub fn all_cases() -> bool {
    std::env::var_os("AGENTCTL_ALL_CASES").is_some_and(|value| value == "1")
}

/// Returns `many` if tests run on all of their inputs, and `few` otherwise.
pub fn many_or_few(many: usize, few: usize) -> usize {
    if all_cases() { many } else { few }
}

/// Returns all items, or one in `interval` items if tests run on a sample.
pub fn sample<T>(items: impl IntoIterator<Item = T>, interval: usize) -> Vec<T> {
    items.into_iter().step_by(many_or_few(1, interval)).collect()
}

/// Returns all items, or only the item whose turn it is if tests run on a sample.
pub fn take_turn<T: Clone>(items: &[T], turn: usize) -> Vec<T> {
    if all_cases() { items.to_vec() } else { vec![items[turn % items.len()].clone()] }
}

/// Returns an empty repository for the test called `name`. It contains only `.git`, so that commands do not search the
/// files of this project.
pub fn scratch(name: &str) -> PathBuf {
    let path = empty_directory(name);
    fs::create_dir(path.join(".git")).unwrap();
    path
}

/// Returns an empty directory, which is part of this project's repository, for the test called `name`.
pub fn empty_directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// Returns the subdirectories of a directory, sorted by name.
pub fn folders(path: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut folders: Vec<_> = entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

/// Returns the words in a file that contains flags, or an empty list if the file does not exist.
pub fn words(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.split_whitespace().map(str::to_owned).collect()
}

/// Compares a string with the contents of a file, or writes it to the file if expected files are being updated. A
/// missing file is treated as empty.
///
/// # Errors
///
/// Returns a description of the first line that differs.
pub fn compare_or_update(file: &Path, actual: &str) -> Result<(), String> {
    let expected = fs::read_to_string(file).unwrap_or_default();
    if expected == actual {
        return Ok(());
    }
    if updates_expected_files() {
        match actual {
            "" => fs::remove_file(file).unwrap(),
            _ => fs::write(file, actual).unwrap(),
        }
        return Ok(());
    }
    Err(format!("{}: {} (AGENTCTL_BLESS=1 writes it)", file.display(), first_difference(&expected, actual)))
}

/// Maximum number of characters to show per line.
const MAX_SHOWN_CHARS: usize = 400;

/// Truncates a line to [`MAX_SHOWN_CHARS`] characters.
fn truncate_line(line: Option<&str>) -> Option<String> {
    line.map(|line| line.chars().take(MAX_SHOWN_CHARS).collect())
}

/// Returns a description of the first difference between two strings.
pub fn first_difference(expected: &str, actual: &str) -> String {
    let (mut expected_lines, mut actual_lines) = (expected.split('\n'), actual.split('\n'));
    for line in 1.. {
        match (expected_lines.next(), actual_lines.next()) {
            (None, None) => break,
            (want, got) if want == got => {}
            (want, got) => {
                return format!("line {line}: expected {:?}, found {:?}", truncate_line(want), truncate_line(got));
            }
        }
    }
    "equal".to_owned()
}

/// Panics with a list of all failures, if there are any.
pub fn report(failures: &[String]) {
    assert!(failures.is_empty(), "{} failed:\n{}", failures.len(), failures.join("\n"));
}

/// Returns the change in nesting depth that a line of an Alloy configuration causes: opening minus closing brackets.
pub fn bracket_depth(line: &str) -> i32 {
    let (mut depth, mut in_string, mut escaped) = (0, false, false);
    for c in line.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            '[' | '{' | '(' if !in_string => depth += 1,
            ']' | '}' | ')' if !in_string => depth -= 1,
            _ => {}
        }
    }
    depth
}

/// Returns the options that a case's flags set, with placeholders for missing Secrets.
pub fn options_of(case: &Path) -> CompileOptions {
    let mut options = CompileOptions::default();
    options.resolve.missing_secrets = MissingSecrets::Placeholder;
    let flags = words(&case.join("flags"));
    for flag in flags.chunks(2) {
        match (flag[0].as_str(), flag.get(1)) {
            ("--agent-selector", Some(selector)) => options.resolve.agent_selector = Some(selector.clone()),
            ("--kubelet-service", Some(name)) => {
                let (namespace, name) = name.split_once('/').unwrap();
                options.render.kubelet_service = Some((namespace.to_owned(), name.to_owned()));
            }
            ("--labels" | "--allow-empty", _) => {}
            (other, _) => panic!("{other}"),
        }
    }
    options
}

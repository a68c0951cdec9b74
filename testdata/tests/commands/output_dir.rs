//! Tests of the `agentctl render --output-dir` command.

#![cfg(unix)]
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::{self, agentctl, root};
use agentctl::compile::{CompileOptions, compile};
use agentctl::emit::{Directory, StreamFormat};
use agentctl::manifest::Object;
use agentctl::source::{Source, Sources};

const LIST: &str = ".agentctl-files";
const SECRET: &str = "monitoring/secret_agent-config.yaml";
const SET: &str = "monitoring/statefulset_agent.yaml";
const SHARD: &str = "monitoring/statefulset_agent-shard-1.yaml";

/// A temporary directory that contains a copy of the example and the output of the runs.
struct Scratch(tempfile::TempDir);

impl Scratch {
    fn new() -> Self {
        let scratch = Self(tempfile::tempdir().unwrap());
        let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/quickstart");
        fs::create_dir(scratch.path("in")).unwrap();
        for entry in fs::read_dir(example).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), scratch.path("in").join(entry.file_name())).unwrap();
        }
        scratch
    }

    /// Creates a directory with the rendered example.
    fn with_output() -> Self {
        let scratch = Self::new();
        scratch.run_expecting(0, &[]);
        scratch
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn out_path(&self, name: &str) -> PathBuf {
        self.path("out").join(name)
    }

    fn replace(&self, file: &str, from: &str, to: &str) {
        let path = self.path(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{text}");
        fs::write(path, text.replace(from, to)).unwrap();
    }

    fn run(&self, args: &[&str]) -> Output {
        let mut command = agentctl(self.0.path());
        command.args(["render", "in", "--output-dir", "out"]).args(args);
        command.output().unwrap()
    }

    /// Runs agentctl, asserts its exit status, and returns both output streams.
    #[track_caller]
    fn run_expecting(&self, status: i32, args: &[&str]) -> (String, String) {
        let output = self.run(args);
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let code = output.status.code();
        let (stdout, stderr) = (text(output.stdout), text(output.stderr));
        assert_eq!(code, Some(status), "{stdout}{stderr}");
        (stdout, stderr)
    }

    /// Asserts that the runs fail with `reason` and change nothing.
    #[track_caller]
    fn assert_rejected(&self, reason: &str) {
        let before = self.files();
        for args in [&[][..], &["--prune"], &["--check"]] {
            let (stdout, stderr) = self.run_expecting(2, args);
            assert_eq!(stdout, "");
            assert!(stderr.starts_with("error: cannot ") && stderr.contains(reason), "{stderr}");
            assert_eq!(stderr.lines().count(), 1, "{stderr}");
        }
        assert_eq!(self.files(), before);
    }

    /// Returns every file in the directory with its contents and mode.
    fn files(&self) -> Vec<(PathBuf, Vec<u8>, u32)> {
        let mut files = Vec::new();
        let mut folders = vec![self.0.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let metadata = path.symlink_metadata().unwrap();
                let mode = metadata.permissions().mode() & 0o7777;
                match metadata.is_dir() {
                    true => folders.push(path),
                    false if metadata.is_file() => files.push((path.clone(), fs::read(path).unwrap(), mode)),
                    false => files.push((path, Vec::new(), mode)),
                }
            }
        }
        files.sort();
        files
    }

    fn mode(&self, name: &str) -> u32 {
        fs::metadata(self.out_path(name)).unwrap().permissions().mode() & 0o7777
    }
}

#[test]
fn file_list_contains_every_written_file() {
    let scratch = Scratch::with_output();
    let list = fs::read_to_string(scratch.out_path(LIST)).unwrap();
    let listed: Vec<_> = list.lines().skip(1).map(|line| scratch.out_path(line)).collect();
    let files: Vec<_> = scratch.files().into_iter().map(|(path, ..)| path).collect();
    let written_files: Vec<_> = files
        .into_iter()
        .filter(|path| path.starts_with(scratch.path("out")) && *path != scratch.out_path(LIST))
        .collect();
    assert_eq!(listed, written_files);
    assert_eq!(listed.len(), 9);
}

#[test]
fn second_run_changes_nothing() {
    let scratch = Scratch::with_output();
    let before = scratch.files();
    scratch.run_expecting(0, &["--prune"]);
    assert_eq!(scratch.files(), before);
    assert_eq!(scratch.run_expecting(0, &["--check"]), (String::new(), String::new()));
}

#[test]
fn prints_a_summary_unless_quiet() {
    let scratch = Scratch::new();
    let summary = |args: &[&str]| {
        let (stdout, stderr) = scratch.run_expecting(0, args);
        assert_eq!(stdout, "");
        let last_line = stderr.lines().last().filter(|line| line.starts_with("wrote "));
        last_line
            .map(|line| line.split_once(" to ").unwrap())
            .map(|(wrote, rest)| format!("{wrote}: {}", rest.split_once(": ").unwrap().1))
    };
    let some_string = |note: &str| Some(note.to_owned());
    assert_eq!(summary(&["-v"]), some_string("wrote 9 files: 0 unchanged, 0 removed"));
    scratch.replace("in/agent.yaml", "shards: 2", "shards: 1");
    fs::remove_file(scratch.out_path(SET)).unwrap();
    assert_eq!(summary(&["-v", "--prune"]), some_string("wrote 3 files: 5 unchanged, 1 removed"));
    assert_eq!(summary(&["--prune"]), some_string("wrote 0 files: 8 unchanged, 0 removed"));
    assert_eq!(summary(&["--prune", "-q"]), None);
    assert_eq!(summary(&["-v", "--prune", "--message-format", "json"]), None);
    assert_eq!(summary(&["-v", "--check", "--prune"]), None);
}

#[test]
fn pruning_removes_only_listed_files() {
    let scratch = Scratch::with_output();
    fs::write(scratch.out_path("monitoring/mine.yaml"), "mine").unwrap();
    scratch.replace("in/agent.yaml", "shards: 2", "shards: 1");
    scratch.run_expecting(0, &[]);
    assert!(scratch.out_path(SHARD).exists());
    assert!(scratch.run_expecting(1, &["--prune", "--check"]).0.contains("+++ /dev/null"));
    assert!(scratch.out_path(SHARD).exists());
    scratch.run_expecting(0, &["--prune"]);
    assert!(!scratch.out_path(SHARD).exists());
    assert!(scratch.out_path(SET).exists());
    assert_eq!(fs::read_to_string(scratch.out_path("monitoring/mine.yaml")).unwrap(), "mine");
    let list = fs::read_to_string(scratch.out_path(LIST)).unwrap();
    assert!(!list.contains("shard-1") && !list.contains("mine"), "{list}");
}

/// Tests forged lists. Both the list and the settings that specify its location may come from a pull request.
#[test]
fn pruning_keeps_foreign_files() {
    const MANAGED_METADATA: &str =
        "metadata: {name: prod, namespace: secrets, labels: {app.kubernetes.io/managed-by: grafana-agent-operator}}\n";
    let scratch = Scratch::with_output();
    let labelled_object = |kind: &str| format!("apiVersion: v1\nkind: {kind}\n{MANAGED_METADATA}");
    let foreign_files = [
        ("secrets/prod.json", "{\"token\": \"kept\"}", "its content was not written by agentctl"),
        ("secrets/secret_prod.yaml", "token: kept\n", "its content was not written by agentctl"),
        ("secrets/secret_other.yaml", &labelled_object("Secret"), "its content was not written by agentctl"),
        ("secrets/configmap_prod.yaml", &labelled_object("Secret"), "its content was not written by agentctl"),
        ("secrets/cronjob_prod.yaml", &labelled_object("CronJob"), "its content was not written by agentctl"),
        (
            "input/secret_prod.yaml",
            &labelled_object("Secret").replace("secrets", "input"),
            "it is an input of this run",
        ),
    ];
    fs::create_dir(scratch.out_path("secrets")).unwrap();
    fs::create_dir(scratch.out_path("input")).unwrap();
    for (path, text, _) in &foreign_files {
        fs::write(scratch.out_path(path), text).unwrap();
    }
    symlink("../../in/agent.yaml", scratch.out_path("secrets/secret_link.yaml")).unwrap();
    let list = fs::read_to_string(scratch.out_path(LIST)).unwrap();
    let names = foreign_files.iter().map(|(path, ..)| *path).chain(["secrets/secret_link.yaml"]);
    let mut lines: Vec<_> = list.lines().chain(names).collect();
    lines.sort_unstable();
    let list = lines.join("\n") + "\n";
    fs::write(scratch.out_path(LIST), list).unwrap();
    let before = scratch.files();

    let args = ["-f", "out/input/secret_prod.yaml", "--prune"];
    let (stdout, stderr) = scratch.run_expecting(0, &[&args[..], &["--check"]].concat());
    assert!(!stdout.contains("kept") && !stderr.contains("kept"), "{stdout}{stderr}");
    let (_, stderr) = scratch.run_expecting(0, &args);
    let link = [("secrets/secret_link.yaml", "", "it is not a file")];
    for (path, _, reason) in foreign_files.iter().chain(&link) {
        let warning = format!("warning: `out/{path}` is not removed: {reason}\n");
        assert!(stderr.contains(&warning), "{stderr}");
    }
    assert_eq!(scratch.files(), before);
}

#[test]
fn prunes_every_kind_of_object() {
    let scratch = Scratch::new();
    let node = "apiVersion: v1\nkind: Node\nmetadata: {name: node-1}\n\
                status: {addresses: [{type: InternalIP, address: 10.0.0.1}]}\n";
    fs::write(scratch.path("in/node.yaml"), node).unwrap();
    let commands: [&[&str]; 3] = [
        &["--with-rbac", "--kubelet-service", "kube-system/kubelet"],
        &["--secrets", "external", "--secret-store", "SecretStore/s"],
        &["--target", "alloy", "--config-kind", "configmap", "--secrets", "external", "-o", "json"],
    ];
    for args in commands {
        scratch.run_expecting(0, args);
    }
    fs::remove_file(scratch.path("in/agent.yaml")).unwrap();
    scratch.run_expecting(0, &["--prune", "--allow-empty"]);
    let remaining_files: Vec<_> =
        fs::read_dir(scratch.path("out")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(remaining_files, [LIST]);
}

#[test]
fn pruning_everything_removes_the_directory() {
    let scratch = Scratch::with_output();
    fs::remove_file(scratch.path("in/agent.yaml")).unwrap();
    scratch.run_expecting(1, &["--prune"]);
    assert!(scratch.out_path(SET).exists());
    scratch.run_expecting(0, &["--prune", "--allow-empty"]);
    assert!(!scratch.out_path("monitoring").exists());
}

#[test]
fn keeps_files_of_paused_agents() {
    let scratch = Scratch::with_output();
    let before = scratch.files();
    scratch.replace("in/agent.yaml", "  image: grafana", "  paused: true\n  image: grafana");
    scratch.run_expecting(0, &["--prune", "--allow-empty"]);
    scratch.run_expecting(0, &["--prune", "--allow-empty", "--check"]);
    let paths = |files: Vec<(PathBuf, Vec<u8>, u32)>| -> Vec<_> { files.into_iter().map(|(path, ..)| path).collect() };
    assert_eq!(paths(scratch.files()), paths(before));
}

#[test]
fn keeps_files_of_excluded_agents() {
    let scratch = Scratch::with_output();
    let before = scratch.files();
    scratch.run_expecting(0, &["--prune", "--allow-empty", "--agent-selector", "team=none"]);
    assert_eq!(scratch.files(), before);
}

#[test]
fn secrets_are_private_under_any_umask() {
    let scratch = Scratch::new();
    for (umask, old_mode) in
        [("000", None), ("022", Some(0o644)), ("077", Some(0o666)), ("000", Some(0o400)), ("477", Some(0o644))]
    {
        if let Some(old_mode) = old_mode {
            fs::set_permissions(scratch.out_path(SECRET), fs::Permissions::from_mode(old_mode)).unwrap();
        }
        let mut command = Command::new("sh");
        command
            .current_dir(scratch.0.path())
            .args(["-c", &format!("umask {umask}; \"$0\" render in --output-dir out")]);
        let run = command.arg(env!("CARGO_BIN_EXE_agentctl")).output().unwrap();
        assert!(run.status.success(), "{run:?}");
        assert_eq!(scratch.mode(SECRET), 0o600, "{umask} {old_mode:?}");
    }
}

#[test]
fn check_shows_no_secrets() {
    let scratch = Scratch::new();
    let (stdout, _) = scratch.run_expecting(1, &["--check"]);
    assert!(!scratch.path("out").exists());
    assert!(
        stdout.contains("+++ out/monitoring/statefulset_agent.yaml") && !stdout.contains("only-an-example"),
        "{stdout}"
    );
    scratch.run_expecting(0, &[]);
    scratch.replace("in/credentials.yaml", "only-an-example", "PLANTED");
    let before = scratch.files();
    let (stdout, stderr) = scratch.run_expecting(1, &["--check"]);
    let text = stdout + &stderr;
    assert!(text.contains("*** (before)") && text.contains("*** (after)"), "{text}");
    for secret in ["only-an-example", "PLANTED", "b25seS1hbi1leGFtcGxl", "UExBTlRFR"] {
        assert!(!text.contains(secret), "{text}");
    }
    assert_eq!(scratch.files(), before);
}

#[test]
fn check_suggests_the_command_that_updates_the_directory() {
    let scratch = Scratch::new();
    fs::rename(scratch.path("in"), scratch.path("in put")).unwrap();
    let mut command = agentctl(scratch.0.path());
    let output = command.args(["render", "in put", "--output-dir", "out", "--prune", "--check"]).output();
    let stderr = String::from_utf8(output.unwrap().stderr).unwrap();
    let expected = "`out` is out of date: 10 files would change; update it with `agentctl render 'in put' --output-dir out --prune`";
    assert_eq!(stderr.lines().last(), Some(expected), "{stderr}");
    let quiet = Scratch::new().run_expecting(1, &["--check", "-q"]).1;
    assert_eq!(quiet, "");
}

#[test]
fn warns_once_about_values_in_a_work_tree() {
    let warning = |scratch: &Scratch, args: &[&str]| {
        let (_, stderr) = scratch.run_expecting(0, args);
        let lines = stderr.lines().filter(|line| line.starts_with("warning: "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let scratch = Scratch::new();
    assert_eq!(warning(&scratch, &[]), [""; 0], "it is in no work tree");
    fs::create_dir(scratch.path(".git")).unwrap();
    let expected = "warning: `out/monitoring/secret_agent-secrets.yaml` and the configurations next to it contain Secret values in plain \
                    text, and git does not ignore them: pass `--secrets placeholder` or `--secrets external`, or `--secrets inline` \
                    if that is intended";
    assert_eq!(warning(&scratch, &[]), [expected]);
    for mode in ["inline", "placeholder"] {
        assert_eq!(warning(&scratch, &["--secrets", mode]), [""; 0], "{mode}");
    }
    for ignored in ["/out/\n", "secret_*\n"] {
        fs::write(scratch.path(".gitignore"), ignored).unwrap();
        assert_eq!(warning(&scratch, &[]), [""; 0], "{ignored}");
    }
    fs::write(scratch.path(".gitignore"), "*.log\n").unwrap();
    fs::write(scratch.path("agentctl.yaml"), "flags: {secrets: inline}\n").unwrap();
    assert_eq!(warning(&scratch, &[]), [""; 0]);
}

#[test]
fn check_detects_edited_and_deleted_files() {
    let scratch = Scratch::with_output();
    scratch.replace(&format!("out/{SET}"), "replicas: 1", "replicas: 7");
    let (stdout, _) = scratch.run_expecting(1, &["--check"]);
    assert!(stdout.contains("-  replicas: 7\n+  replicas: 1\n"), "{stdout}");
    scratch.run_expecting(0, &[]);
    fs::remove_file(scratch.out_path(LIST)).unwrap();
    assert!(scratch.run_expecting(1, &["--check"]).0.contains(LIST));
}

/// Creates a temporary directory like those that killed runs leave behind.
fn create_leftover(scratch: &Scratch) -> PathBuf {
    let folder = scratch.out_path(".agentctl-new-0123456789abcdEF");
    fs::create_dir(&folder).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).unwrap();
    fs::write(folder.join("0"), "half a fi").unwrap();
    folder
}

/// Returns the temporary directories that unfinished runs left behind.
fn leftover_directories(scratch: &Scratch) -> Vec<PathBuf> {
    let entries = fs::read_dir(scratch.path("out")).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with(".agentctl-new")).collect()
}

#[test]
fn removes_leftovers_of_killed_runs() {
    let scratch = Scratch::with_output();
    let before = scratch.files();
    create_leftover(&scratch);
    scratch.run_expecting(0, &[]);
    assert_eq!(scratch.files(), before);
    assert!(leftover_directories(&scratch).is_empty());
}

#[test]
fn keeps_foreign_directories_with_temporary_names() {
    let scratch = Scratch::with_output();
    let notes = create_leftover(&scratch).join("notes");
    fs::write(&notes, "ours").unwrap();
    fs::create_dir(scratch.out_path(".agentctl-new")).unwrap();
    fs::write(scratch.out_path(".agentctl-new/0"), "ours").unwrap();
    // A symlink is neither followed nor removed.
    symlink(scratch.path("in"), scratch.out_path(".agentctl-new-0123456789abcdef")).unwrap();
    let before = scratch.files();
    scratch.run_expecting(0, &["--prune"]);
    assert_eq!(scratch.files(), before);
    assert_eq!(leftover_directories(&scratch).len(), 3);
}

#[test]
fn keeps_foreign_files_with_temporary_names() {
    let scratch = crate::support::scratch("like-temporary");
    let (file, similar_file) = (scratch.join("a.json"), scratch.join("a.json.agentctl-new"));
    fs::write(&similar_file, "ours").unwrap();
    agentctl::emit::write_file(&file, "text").unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), "text");
    assert_eq!(fs::read_to_string(&similar_file).unwrap(), "ours");
}

#[test]
fn rejects_files_as_output_directory() {
    let scratch = Scratch::new();
    fs::write(scratch.path("out"), "text").unwrap();
    scratch.assert_rejected("`out`: not a directory");
}

#[test]
fn rejects_links_that_leave_the_tree() {
    let scratch = Scratch::new();
    let other_folder = tempfile::tempdir().unwrap();
    symlink(other_folder.path(), scratch.path("out")).unwrap();
    scratch.assert_rejected("it is a link to a different location");
    assert_eq!(fs::read_dir(other_folder.path()).unwrap().count(), 0);
    fs::remove_file(scratch.path("out")).unwrap();
    symlink("nowhere", scratch.path("out")).unwrap();
    scratch.assert_rejected("`out`: No such file");
}

#[test]
fn follows_links_next_to_the_directory() {
    let scratch = Scratch::new();
    fs::create_dir(scratch.path("real")).unwrap();
    symlink("real", scratch.path("out")).unwrap();
    scratch.run_expecting(0, &[]);
    assert!(scratch.path("real").join(SET).exists());
}

#[test]
fn does_not_follow_links_in_the_directory() {
    let scratch = Scratch::new();
    let other_folder = tempfile::tempdir().unwrap();
    fs::create_dir(scratch.path("out")).unwrap();
    symlink(other_folder.path(), scratch.out_path("monitoring")).unwrap();
    scratch.assert_rejected("it is a link, and links are not followed");
    fs::remove_file(scratch.out_path("monitoring")).unwrap();
    scratch.run_expecting(0, &[]);
    // A symlink at a file's path is replaced, and its target is kept.
    let target = other_folder.path().join("target");
    fs::write(&target, "mine").unwrap();
    fs::remove_file(scratch.out_path(SECRET)).unwrap();
    symlink(&target, scratch.out_path(SECRET)).unwrap();
    scratch.run_expecting(0, &[]);
    assert_eq!(fs::read_to_string(&target).unwrap(), "mine");
    assert!(scratch.out_path(SECRET).symlink_metadata().unwrap().is_file());
}

#[test]
fn rejects_directories_where_files_are_written() {
    let scratch = Scratch::new();
    fs::create_dir_all(scratch.out_path(SET)).unwrap();
    scratch.assert_rejected("statefulset_agent.yaml`: is a directory");
    let scratch = Scratch::new();
    fs::create_dir(scratch.path("out")).unwrap();
    fs::write(scratch.out_path("monitoring"), "").unwrap();
    scratch.assert_rejected("monitoring`: not a directory");
}

#[test]
fn rejects_lists_with_paths_outside_the_directory() {
    for line in ["../in/agent.yaml", "/etc/passwd", "monitoring/../../in/agent.yaml", "<<<<<<< HEAD", ""] {
        let scratch = Scratch::with_output();
        let list = fs::read_to_string(scratch.out_path(LIST)).unwrap();
        fs::write(scratch.out_path(LIST), format!("{list}{line}\n")).unwrap();
        scratch.assert_rejected("line 11 is not a path that agentctl writes");
    }
    let scratch = Scratch::with_output();
    fs::remove_file(scratch.out_path(LIST)).unwrap();
    symlink("../in/agent.yaml", scratch.out_path(LIST)).unwrap();
    scratch.assert_rejected("it is not a file");
}

#[test]
fn rejects_names_that_leave_the_directory() {
    let scratch = Scratch::with_output();
    let node = "apiVersion: v1\nkind: Node\nmetadata: {name: node-1}\n\
                status: {addresses: [{type: InternalIP, address: 10.0.0.1}]}\n";
    fs::write(scratch.path("in/node.yaml"), node).unwrap();
    let before = scratch.files();
    for name in ["kube-system/..\\..\\x", "kube-system/a b", "kube-system/a\u{1b}"] {
        let (_, stderr) = scratch.run_expecting(2, &["--kubelet-service", name]);
        assert!(stderr.contains("is not a valid file name"), "{stderr}");
    }
    assert_eq!(scratch.files(), before);
}

#[test]
fn read_only_directories_stay_unchanged() {
    let scratch = Scratch::with_output();
    scratch.replace("in/agent.yaml", "shards: 2", "shards: 3");
    let before = scratch.files();
    fs::set_permissions(scratch.path("out"), fs::Permissions::from_mode(0o555)).unwrap();
    let is_root = fs::write(scratch.out_path("probe"), "").is_ok();
    let output = scratch.run(&[]);
    fs::set_permissions(scratch.path("out"), fs::Permissions::from_mode(0o755)).unwrap();
    if is_root {
        // Root can write to a read-only directory, so the test would be meaningless.
        return;
    }
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("ermission denied"), "{stderr}");
    assert_eq!(scratch.files(), before);
}

/// Simulates a full disk with `ulimit -f`, with and without the signal that would end the run.
#[test]
fn full_disks_leave_files_unchanged() {
    let scratch = Scratch::with_output();
    scratch.replace("in/agent.yaml", "cluster: demo", &format!("cluster: {}", "x".repeat(9000)));
    let before = scratch.files();
    for trap in ["", "trap '' XFSZ; "] {
        let script = format!("{trap}ulimit -f 1; exec \"$0\" render in --output-dir out");
        let mut command = Command::new("bash");
        command.current_dir(scratch.0.path()).args(["-c", &script]).arg(env!("CARGO_BIN_EXE_agentctl"));
        let output = command.output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains("file too large"), "{stderr}");
        assert_eq!(scratch.files(), before);
    }
    scratch.run_expecting(0, &[]);
    assert!(leftover_directories(&scratch).is_empty());
    scratch.run_expecting(0, &["--check"]);
}

#[test]
fn output_directory_flags_require_a_directory() {
    for flag in ["--prune", "--check"] {
        let output = agentctl(root()).args(["render", "in", flag]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{flag}");
    }
}

/// Runs a script in a private file system, or returns `None` if the machine does not permit that. `$0` is agentctl.
fn in_private_mounts(scratch: &Scratch, script: &str) -> Option<Output> {
    let mut unshare_command = Command::new("unshare");
    let unshare_command =
        unshare_command.args(["-rm", "sh", "-c", "mount -t tmpfs tmpfs \"$0\""]).arg(scratch.path("in"));
    if !unshare_command.output().is_ok_and(|output| output.status.success()) {
        support::report_skipped("output directories on disks that fill up or fail", "unshare that may mount");
        return None;
    }
    let mut command = Command::new("unshare");
    command.args(["-rm", "bash", "-euc", script]).arg(env!("CARGO_BIN_EXE_agentctl"));
    command.current_dir(scratch.0.path()).env_remove("GITHUB_ACTIONS");
    Some(command.output().unwrap())
}

/// Tests that existing files are kept if the new ones do not fit. The output is on a tmpfs of only a few pages.
#[test]
fn keeps_existing_files_if_the_disk_fills_up() {
    let scratch = Scratch::new();
    let label = format!("cluster: {}", "x".repeat(9_000));
    // The existing files and agentctl's list take about ten pages. With each of these sizes, the disk fills up at a
    // different file.
    for size in [56, 64, 72, 80, 88, 96] {
        let script = format!(
            "mkdir -p out; mount -t tmpfs -o size={size}k tmpfs out
            $0 render in --output-dir out 2>first || {{ find out -type f; test -z \"$(find out -type f)\"; exit 9; }}
            sum() {{ find out -type f | sort | xargs sha256sum; }}
            sum >before
            sed 's/cluster: demo/{label}/; s/shards: 2/shards: 9/' -i in/agent.yaml
            status=0; $0 render in --output-dir out 2>error || status=$?
            sum >after
            sed 's/cluster: x*/cluster: demo/; s/shards: 9/shards: 2/' -i in/agent.yaml
            if test $status = 0; then exit 10; fi
            test $status = 2; grep -q 'No space left on device' error; cmp before after
            $0 render in --output-dir out --prune; sum >again; cmp before again"
        );
        let Some(output) = in_private_mounts(&scratch, &script) else {
            return;
        };
        let status = output.status.code();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(matches!(status, Some(0 | 9 | 10)), "{size}: {status:?} {text}");
        assert!(size != 72 || status == Some(0), "{status:?} {text}");
    }
}

#[test]
fn read_only_mounts_stay_unchanged() {
    let scratch = Scratch::new();
    let script = "mkdir out; mount -t tmpfs tmpfs out; $0 render in --output-dir out
        sed 's/shards: 2/shards: 3/' -i in/agent.yaml
        mount -o remount,ro out
        status=0; $0 render in --output-dir out --prune 2>error || status=$?
        test $status = 2; grep -q '^error: cannot write `out.*Read-only file system' error
        status=0; $0 render in --output-dir out --check >changes || status=$?
        test $status = 1; grep -q statefulset_agent-shard-2.yaml changes";
    let Some(output) = in_private_mounts(&scratch, script) else {
        return;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Creates input with many agents, each of which renders to files that contain `version`.
fn write_many_agents(scratch: &Scratch, version: &str) {
    let agent = |i: usize| {
        format!(
            "apiVersion: monitoring.grafana.com/v1alpha1\nkind: GrafanaAgent\nmetadata: {{name: a{i}, namespace: n{}}}\n\
             spec: {{image: 'i:{version}', metrics: {{instanceSelector: {{}}, externalLabels: {{v: '{version}'}}}}}}\n",
            i % 7
        )
    };
    let instance = |i: usize| {
        format!(
            "apiVersion: monitoring.grafana.com/v1alpha1\nkind: MetricsInstance\nmetadata: {{name: m, namespace: n{i}}}\nspec: {{}}\n"
        )
    };
    let manifests: Vec<_> = (0..40).map(agent).chain((0..7).map(instance)).collect();
    fs::write(scratch.path("in/agent.yaml"), manifests.join("---\n")).unwrap();
    for name in ["credentials.yaml", "shop.yaml"] {
        let _ = fs::remove_file(scratch.path("in").join(name));
    }
}

/// Returns the output files, without the list and temporary files.
fn output_files(scratch: &Scratch) -> std::collections::BTreeMap<PathBuf, Vec<u8>> {
    let is_hidden =
        |path: &Path| path.components().any(|part| part.as_os_str().as_encoded_bytes().starts_with(b".agentctl"));
    let files = scratch.files().into_iter().filter(|(path, ..)| path.starts_with(scratch.path("out")));
    let files = files.map(|(path, text, _)| (path.strip_prefix(scratch.path("out")).unwrap().to_owned(), text));
    files.filter(|(path, _)| !is_hidden(path)).collect()
}

/// Tests that if a run is killed between two replacements, every file has either its old or its new contents.
#[test]
fn killed_runs_never_leave_partial_files() {
    let scratch = Scratch::new();
    write_many_agents(&scratch, "1");
    scratch.run_expecting(0, &[]);
    let old_files = output_files(&scratch);
    write_many_agents(&scratch, "2");
    scratch.run_expecting(0, &[]);
    let new_files = output_files(&scratch);
    assert_eq!(old_files.len(), new_files.len());
    let (mut partial_count, mut turn) = (0, 0);
    // Number of kills that must occur between two replacements.
    let kills = support::many_or_few(12, 5);
    while partial_count < kills {
        let (version, from, to) =
            if turn % 2 == 0 { ("1", &new_files, &old_files) } else { ("2", &old_files, &new_files) };
        turn += 1;
        assert!(turn < 40 * kills, "only {partial_count} of {turn} kills fell between two replacements");
        write_many_agents(&scratch, version);
        let mut command = agentctl(scratch.0.path());
        command.args(["render", "in", "--output-dir", "out", "--prune", "--no-sync"]);
        let first_file = scratch.path("out").join(to.keys().next().unwrap());
        let identity = |path: &Path| fs::metadata(path).ok().map(|actual| actual.ino());
        let before = identity(&first_file);
        let mut child = command.stderr(std::process::Stdio::null()).spawn().unwrap();
        while identity(&first_file) == before && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let actual = output_files(&scratch);
        for (path, text) in &actual {
            let is_whole = from.get(path) == Some(text) || to.get(path) == Some(text);
            assert!(is_whole, "turn {turn}: {}", path.display());
        }
        partial_count += usize::from(actual != *from && actual != *to);
        // The next run cleans up and completes the output.
        scratch.run_expecting(0, &["--prune"]);
        assert_eq!(&output_files(&scratch), to, "turn {turn}");
        assert!(leftover_directories(&scratch).is_empty());
        scratch.run_expecting(0, &["--prune", "--check"]);
    }
}

/// Returns the objects in the example.
fn example_objects() -> Vec<Object> {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/quickstart");
    let mut sources = Sources::default();
    for file in fs::read_dir(example).unwrap() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        sources.add(Source::new("input.yaml", text, true));
    }
    compile(&sources, &CompileOptions::default()).output.objects.iter().cloned().collect()
}

/// Tests that the list contains every file that an interrupted run wrote.
#[test]
fn lists_files_before_creating_them() {
    let scratch = crate::support::scratch("list-first");
    let objects = example_objects();
    let plan = Directory::new(&scratch, LIST, StreamFormat::Yaml).plan(&objects).unwrap();
    fs::create_dir_all(scratch.join(SET)).unwrap();
    assert!(plan.write().is_err());
    let list = fs::read_to_string(scratch.join(LIST)).unwrap();
    assert!(scratch.join(SECRET).exists() && list.lines().any(|line| line == SECRET), "{list}");
}

/// Tests that nothing is removed if a directory is replaced by a symlink after it was checked.
#[test]
fn does_not_remove_files_through_links() {
    let scratch = crate::support::scratch("link-late");
    let (out, outside) = (scratch.join("out"), scratch.join("elsewhere"));
    let objects = example_objects();
    let mut directory = Directory::new(&out, LIST, StreamFormat::Yaml);
    directory.plan(&objects).unwrap().write().unwrap();
    let no_sources = Sources::default();
    directory.prune = Some(&no_sources);
    let plan = directory.plan(&objects[..0]).unwrap();
    fs::rename(out.join("monitoring"), &outside).unwrap();
    symlink(&outside, out.join("monitoring")).unwrap();
    let before = fs::read_dir(&outside).unwrap().count();
    assert!(plan.write().is_err());
    assert_eq!(fs::read_dir(&outside).unwrap().count(), before);
}

/// Tests that concurrent runs wait for each other.
#[test]
fn concurrent_runs_do_not_mix_files() {
    let scratch = Scratch::new();
    write_many_agents(&scratch, "1");
    let spawn = || {
        let mut command = agentctl(scratch.0.path());
        command.args(["render", "in", "--output-dir", "out", "--prune"]);
        command.stderr(std::process::Stdio::null()).spawn().unwrap()
    };
    for _ in 0..3 {
        let runs: Vec<_> = (0..4).map(|_| spawn()).collect();
        for mut run in runs {
            assert_eq!(run.wait().unwrap().code(), Some(0));
        }
        scratch.run_expecting(0, &["--prune", "--check"]);
        assert!(leftover_directories(&scratch).is_empty());
    }
}

#[test]
fn rejects_names_that_differ_only_in_case() {
    let scratch = Scratch::with_output();
    let node = "apiVersion: v1\nkind: Node\nmetadata: {name: node-1}\n\
                status: {addresses: [{type: InternalIP, address: 10.0.0.1}]}\n";
    fs::write(scratch.path("in/node.yaml"), node).unwrap();
    let before = scratch.files();
    let (_, stderr) = scratch.run_expecting(2, &["--kubelet-service", "monitoring/Agent-Operated"]);
    assert!(stderr.contains("two objects would be written to it"), "{stderr}");
    assert_eq!(scratch.files(), before);
}

/// Tests a resource name of 253 characters, whose file name exceeds the file system's limit of 255 bytes.
#[test]
fn rejects_names_too_long_for_a_file() {
    let scratch = Scratch::with_output();
    let before = scratch.files();
    let name = format!("a{}", "b".repeat(252));
    scratch.replace("in/agent.yaml", "name: agent\n", &format!("name: {name}\n"));
    let (_, stderr) = scratch.run_expecting(2, &[]);
    assert!(stderr.contains("File name too long"), "{stderr}");
    scratch.replace("in/agent.yaml", &format!("name: {name}\n"), "name: agent\n");
    assert_eq!(scratch.files(), before);
}

/// Tests the file system's limit of 4,095 bytes for a path.
#[test]
fn rejects_long_paths_before_writing() {
    let scratch = Scratch::new();
    let folder = format!("{}/", "d".repeat(200)).repeat(19);
    for (length, expected) in [(3_990, 0), (4_060, 2), (4_400, 2)] {
        let out = format!("{folder}{}", "e".repeat(length - folder.len()));
        let mut command = agentctl(scratch.0.path());
        let output = command.args(["render", "in", "--output-dir", &out]).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(expected), "{length}: {stderr}");
        if expected == 2 {
            assert!(stderr.contains("File name too long"), "{stderr}");
        }
        let remaining_files = Command::new("find")
            .args(["d".repeat(200).as_str(), "-type", "f"])
            .current_dir(scratch.0.path())
            .output()
            .unwrap();
        assert_eq!(remaining_files.stdout.is_empty(), expected == 2, "{length}");
        let _ = Command::new("rm").args(["-rf", &"d".repeat(200)]).current_dir(scratch.0.path()).status();
    }
}

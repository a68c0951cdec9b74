//! Tests of obstacles to reading: symlinks, pipes, devices, unusual names, permissions, and files that change while
//! they are being read. Every run must end on its own, without a panic. It must read everything that is readable and
//! report everything else.

#![cfg(unix)]
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::support::{Run, agentctl_with_time_limit, feed, many_or_few, scratch};

/// Maximum CPU time of a run in seconds. A normal run takes milliseconds.
const MAX_SECONDS: u32 = 20;

fn agent(name: &str) -> String {
    format!("apiVersion: monitoring.grafana.com/v1alpha1\nkind: GrafanaAgent\nmetadata: {{name: {name}}}\nspec: {{}}\n")
}

/// Creates a directory with an agent in `agent.yaml`.
fn folder(name: &str) -> PathBuf {
    let folder = scratch(&format!("file-system-{name}"));
    fs::write(folder.join("agent.yaml"), agent("agent")).unwrap();
    folder
}

/// Returns a command with a limit on its CPU time, so that an endless loop fails the test.
fn agentctl(folder: &Path) -> Command {
    agentctl_with_time_limit(folder, MAX_SECONDS)
}

/// Runs a command and asserts that neither a signal nor a panic ends it.
fn run_to_end(command: &mut Command) -> Run {
    let run = feed(command, b"");
    assert!(matches!(run.status, Some(0..=2)), "{run:?}");
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    run
}

fn check(folder: &Path, path: impl AsRef<OsStr>) -> Run {
    run_to_end(agentctl(folder).arg("check").arg(path))
}

fn mkfifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn follows_links_but_not_loops() {
    let folder = folder("links");
    fs::create_dir(folder.join("deep")).unwrap();
    for (target, link) in [("..", "deep/up"), (".", "deep/here"), ("/", "deep/root.d"), ("agent.yaml", "again.yaml")] {
        if target != "/" {
            symlink(target, folder.join(link)).unwrap();
        }
    }
    let run = check(&folder, ".");
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""));
    // `one.yaml` and `two.yaml` are links to each other.
    symlink("two.yaml", folder.join("one.yaml")).unwrap();
    symlink("one.yaml", folder.join("two.yaml")).unwrap();
    for path in [".", "one.yaml"] {
        let run = check(&folder, path);
        assert_eq!((run.status, run.stdout.as_str()), (Some(2), ""));
        let expected = "error: cannot read `one.yaml`: Too many levels of symbolic links";
        assert!(run.stderr.replace("./", "").starts_with(expected), "{}", run.stderr);
    }
}

#[test]
fn skips_broken_links_unless_given_explicitly() {
    let folder = folder("broken-links");
    for (target, link) in [("gone", "link.yaml"), ("gone", "link"), ("/gone/too", "absolute.json")] {
        symlink(target, folder.join(link)).unwrap();
    }
    let run = check(&folder, ".");
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""));
    let skipped = "skipped `absolute.json` and `link.yaml`: 2 warnings\n";
    assert!(run.stdout.contains("the targets of these links do not exist"), "{}", run.stdout);
    assert!(run.stdout.ends_with(&format!("checked 1 resource in 1 file, {skipped}")), "{}", run.stdout);
    let run = check(&folder, "link.yaml");
    assert_eq!((run.status, run.stdout.as_str()), (Some(2), ""));
}

#[test]
fn skips_pipes_and_devices_unless_given_explicitly() {
    let folder = folder("pipes");
    mkfifo(&folder.join("pipe.yaml"));
    mkfifo(&folder.join("agentctl.yaml"));
    symlink("/dev/zero", folder.join("zero.yaml")).unwrap();
    symlink("/dev/null", folder.join("null.yaml")).unwrap();
    symlink("pipe.yaml", folder.join("link.yaml")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(folder.join("socket.yaml")).unwrap();
    let run = check(&folder, ".");
    assert_eq!(run.status, Some(1), "{}", run.stdout);
    for device in ["zero", "null"] {
        let link = format!("the link `{device}.yaml` points to `/dev/{device}`, outside the");
        assert!(run.stdout.contains(&link), "{}", run.stdout);
        fs::remove_file(folder.join(device).with_extension("yaml")).unwrap();
    }
    let run = check(&folder, ".");
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""));
    let skipped = "skipped `agentctl.yaml`, `link.yaml`, `pipe.yaml` and 1 more";
    assert!(run.stdout.contains("pipes, sockets and devices are"), "{}", run.stdout);
    assert!(run.stdout.ends_with(&format!("checked 1 resource in 1 file, {skipped}: 2 warnings\n")), "{}", run.stdout);
    let run = check(&folder, "socket.yaml");
    assert_eq!(run.status, Some(2), "{}", run.stderr);
    assert!(run.stderr.starts_with("error: cannot read `socket.yaml`"), "{}", run.stderr);

    let pipe = folder.join("pipe.yaml");
    let writer = thread::spawn(move || fs::write(pipe, agent("piped")));
    let run = run_to_end(agentctl(&folder).args(["render", "pipe.yaml"]));
    writer.join().unwrap().unwrap();
    assert!(run.stdout.contains("name: piped-secrets"), "{run:?}");
    let run = run_to_end(agentctl(&folder).args(["render", "/dev/null"]));
    assert_eq!(run.status, Some(1), "{}", run.stderr);
}

#[test]
fn accepts_names_that_are_not_valid_utf8() {
    let folder = folder("names");
    let name = OsStr::from_bytes(b"caf\xe9 \x1b[31m\n.yaml");
    fs::write(folder.join(name), "kind: GrafanaAgent\n---\nspec: [\n").unwrap();
    for format in ["human", "short", "json", "github", "sarif", "junit"] {
        let run = run_to_end(agentctl(&folder).args(["check", ".", "--message-format", format]));
        assert_eq!(run.status, Some(1), "{}", run.stderr);
        let command_output = run.stdout + &run.stderr;
        let is_named = command_output.contains("caf\u{fffd}") || command_output.contains("caf%EF%BF%BD");
        assert!(is_named, "{command_output}");
        assert!(!command_output.contains('\u{1b}'), "{command_output}");
    }
    let missing_file_run = check(&folder, OsStr::from_bytes(b"gone\x1b\xff"));
    assert_eq!(missing_file_run.status, Some(2));
    assert!(
        missing_file_run.stderr.starts_with("error: cannot read `gone\\u{1b}\u{fffd}`"),
        "{}",
        missing_file_run.stderr
    );
    let out = OsStr::from_bytes(b"out\xff");
    fs::remove_file(folder.join(name)).unwrap();
    let run = run_to_end(agentctl(&folder).args(["render", ".", "--output-dir"]).arg(out));
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    assert!(folder.join(out).join("default/secret_agent-secrets.yaml").exists());
}

/// Runs agentctl as an unprivileged user, or returns `None` if that is not possible.
fn as_nobody(folder: &Path, args: &[&str]) -> Option<Run> {
    let is_root = fs::metadata("/proc/self").is_ok_and(|me| std::os::unix::fs::MetadataExt::uid(&me) == 0);
    let mut command = agentctl(folder);
    command.args(args);
    if is_root {
        command.uid(65534).gid(65534);
        let may_run = agentctl(folder).arg("--version").uid(65534).gid(65534).output();
        may_run.ok().filter(|output| output.status.success())?;
    }
    Some(run_to_end(&mut command))
}

#[test]
fn reports_unreadable_files() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mode = |path: &str, mode| fs::set_permissions(folder.join(path), fs::Permissions::from_mode(mode)).unwrap();
    mode("", 0o755);
    fs::create_dir(folder.join("closed")).unwrap();
    fs::write(folder.join("agent.yaml"), agent("agent")).unwrap();
    mode("agent.yaml", 0o000);
    for path in ["agent.yaml", "."] {
        let Some(run) = as_nobody(folder, &["check", path]) else {
            return;
        };
        assert_eq!((run.status, run.stdout.as_str()), (Some(2), ""));
        let expected = "error: cannot read `agent.yaml`: Permission denied (os error 13)\n";
        assert_eq!(run.stderr.replace("./", ""), expected);
    }
    mode("agent.yaml", 0o644);
    mode("closed", 0o000);
    let run = as_nobody(folder, &["check", "."]).unwrap();
    mode("closed", 0o755);
    assert_eq!(run.status, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains("closed`: Permission denied"), "{}", run.stderr);
}

#[test]
fn accepts_paths_of_the_maximum_length() {
    let folder = folder("long");
    let name = "d".repeat(250);
    // The first path is shorter than the limit of 4,096 bytes, and the second one is longer.
    for (depth, expected) in [(14, 0), (20, 2)] {
        let script =
            format!("for i in $(seq {depth}); do mkdir -p {name} && cd {name} || exit 1; done; cp \"$0\" agent.yaml");
        let mut script_command = Command::new("bash");
        script_command.args(["-c", &script]).arg(folder.join("agent.yaml")).current_dir(&folder);
        assert!(script_command.status().unwrap().success());
        fs::remove_file(folder.join("agent.yaml")).unwrap();
        let run = check(&folder, ".");
        assert_eq!(run.status, Some(expected), "{}", run.stderr);
        if expected == 2 {
            assert!(run.stderr.contains("File name too long"), "{}", run.stderr);
        }
        assert!(Command::new("rm").arg("-r").arg(folder.join(&name)).status().unwrap().success());
        fs::write(folder.join("agent.yaml"), agent("agent")).unwrap();
    }
}

/// Runs `check` over a directory repeatedly while `change` modifies it.
fn check_while_changing(name: &str, change: impl Fn(&Path, usize) + Send + 'static) {
    let folder = folder(name);
    let is_over = std::sync::Arc::new(AtomicBool::new(false));
    let (folder_to_change, stop) = (folder.clone(), is_over.clone());
    let changer = thread::spawn(move || {
        let mut turn = 0;
        while !stop.load(Ordering::Relaxed) {
            change(&folder_to_change, turn);
            turn += 1;
        }
    });
    for _ in 0..many_or_few(15, 8) {
        let run = check(&folder, ".");
        if run.status == Some(2) {
            assert!(run.stderr.starts_with("error: cannot read `"), "{}", run.stderr);
        }
    }
    is_over.store(true, Ordering::Relaxed);
    changer.join().unwrap();
}

/// Tests that only files within the boundary are opened while a directory and a file are repeatedly replaced with
/// symlinks to files outside it.
#[test]
fn replaced_paths_never_lead_outside_the_input() {
    const PLANTED: &str = "planted-outside";
    let outside = folder("race-outside");
    for file in ["a/agent.yaml", "agent.yaml"] {
        fs::create_dir_all(outside.join(file).parent().unwrap()).unwrap();
        fs::write(outside.join(file), agent(PLANTED).replace("spec:", "specc: 1\nspec:")).unwrap();
    }
    let inside = folder("race-inside");
    for folder_to_change in ["a", "b"] {
        fs::create_dir_all(inside.join(folder_to_change)).unwrap();
        fs::write(inside.join(folder_to_change).join("agent.yaml"), agent("inside")).unwrap();
    }
    // The `.git` directory makes `inside` the root of a repository. `outside` is not in the repository.
    fs::create_dir_all(inside.join(".git")).unwrap();
    let is_over = std::sync::Arc::new(AtomicBool::new(false));
    let (folder_to_change, stop) = (inside.clone(), is_over.clone());
    let changer = thread::spawn(move || {
        let at = |name: &str| folder_to_change.join(name);
        let _ = symlink(outside.join("a"), at("a-link"));
        let _ = symlink(outside.join("agent.yaml"), at("b/link"));
        while !stop.load(Ordering::Relaxed) {
            for (real, link) in [("a", "a-link"), ("b/agent.yaml", "b/link")] {
                let _ = fs::rename(at(real), at("aside")).and_then(|()| fs::rename(at(link), at(real)));
                let _ = fs::rename(at(real), at(link)).and_then(|()| fs::rename(at("aside"), at(real)));
            }
        }
    });
    for turn in 0..many_or_few(120, 48) {
        let path = [".", "a", "a/agent.yaml", "b/agent.yaml"][turn % 4];
        let run = check(&inside, path);
        let output = run.stdout + &run.stderr;
        assert!(!output.contains(PLANTED), "{path}: {output}");
    }
    is_over.store(true, Ordering::Relaxed);
    changer.join().unwrap();
}

#[test]
fn tolerates_files_that_change_while_being_read() {
    let text = (0..2_000).map(|i| agent(&format!("a{i}"))).collect::<Vec<_>>().join("---\n");
    let contents = text.clone();
    check_while_changing("shrinking", move |folder, turn| {
        let length = contents.len() * (turn % 7) / 6;
        let _ = fs::OpenOptions::new()
            .write(true)
            .open(folder.join("agent.yaml"))
            .and_then(|file| file.set_len(length as u64));
        let _ = fs::write(folder.join("agent.yaml"), &contents);
    });
    check_while_changing("growing", move |folder, turn| {
        let mut options = fs::OpenOptions::new();
        let options = if turn % 500 == 0 { options.write(true).truncate(true) } else { options.append(true) };
        let file = options.create(true).open(folder.join("agent.yaml"));
        let _ = file.and_then(|mut file| file.write_all(agent(&format!("a{turn}---\n")).as_bytes()));
        thread::sleep(Duration::from_micros(100));
    });
    check_while_changing("vanishing", |folder, turn| {
        let path = folder.join("other.yaml");
        let _ = match turn % 4 {
            0 => fs::write(&path, agent("other")),
            1 => fs::remove_file(&path),
            2 => symlink("agent.yaml", &path),
            _ => fs::remove_file(&path).and_then(|()| fs::create_dir(&path)).and_then(|()| fs::remove_dir(&path)),
        };
    });
}

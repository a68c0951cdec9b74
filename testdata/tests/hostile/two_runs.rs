//! Tests of two runs that write the same files at the same time, and of runs that are killed while they are writing. To
//! pause a run after it has written its new files and before it replaces any, the test locks a directory.

#![cfg(unix)]
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::{scope, sleep, yield_now};
use std::time::Duration;

use agentctl::emit::write_private;

use crate::support::{Run, agentctl, empty_directory, run, scratch};

/// Number of files that contain mistakes.
const FILES: usize = 8;

fn monitor(number: usize, field: &str) -> String {
    format!(
        "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {{name: m{number}}}\nspec:\n  selector: {{}}\n  \
         endpoints:\n  - port: http\n    {field}: 30s\n# {}\n",
        "x".repeat(4_000)
    )
}

/// A directory with files that `check --fix` changes.
struct Manifests(PathBuf);

impl Manifests {
    fn new(name: &str) -> Self {
        let manifests = Self(scratch(&format!("two-runs-{name}")));
        manifests.reset();
        manifests
    }

    /// Restores the original contents, and removes the files that killed runs left behind.
    fn reset(&self) {
        for name in temporary_files(&self.0) {
            fs::remove_file(self.0.join(name)).unwrap();
        }
        for number in 0..FILES {
            fs::write(self.path(number), monitor(number, "intervall")).unwrap();
        }
    }

    fn path(&self, number: usize) -> PathBuf {
        self.0.join(format!("{number}.yaml"))
    }

    fn fix(&self) -> Command {
        let mut command = agentctl(&self.0);
        command.args(["check", ".", "--fix"]);
        command
    }

    /// Returns the numbers of the fixed files. Asserts that all others still have their original contents.
    fn fixed_files(&self) -> BTreeSet<usize> {
        let is_fixed = |number: &usize| {
            let text = fs::read_to_string(self.path(*number)).unwrap();
            let is_new = text == monitor(*number, "interval");
            assert!(is_new || text == monitor(*number, "intervall"), "{number}: {text:?}");
            is_new
        };
        (0..FILES).filter(is_fixed).collect()
    }
}

/// Returns the names of temporary files in a directory.
fn temporary_files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with(".agentctl-new-")).collect()
}

fn spawn(command: &mut Command) -> Child {
    let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn wait_for_end(run: Child) -> Run {
    let output = run.wait_with_output().unwrap();
    Run {
        status: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Waits until the runs have written `files` temporary files or one of the runs has ended.
fn wait_for(folder: &Path, files: usize, runs: &mut [&mut Child]) {
    while temporary_files(folder).len() < files && runs.iter_mut().all(|run| run.try_wait().unwrap().is_none()) {
        sleep(Duration::from_millis(2));
    }
}

fn lock_directory(folder: &Path) -> File {
    let lock = File::open(folder).unwrap();
    lock.lock().unwrap();
    lock
}

fn assert_reports_change(run: &Run) {
    assert_eq!(run.status, Some(2), "{run:?}");
    let expected = "it has changed since it was read; run agentctl again";
    assert!(run.stderr.contains(expected), "{}", run.stderr);
}

#[test]
fn second_concurrent_fix_changes_nothing() {
    let manifests = Manifests::new("fixers");
    let lock = lock_directory(&manifests.0);
    let (mut first, mut second) = (spawn(&mut manifests.fix()), spawn(&mut manifests.fix()));
    wait_for(&manifests.0, 2 * FILES, &mut [&mut first, &mut second]);
    assert!(manifests.fixed_files().is_empty());
    drop(lock);
    let runs = [wait_for_end(first), wait_for_end(second)];
    let (fixing_run, rejected_run) = match runs[0].status {
        Some(0) => (&runs[0], &runs[1]),
        _ => (&runs[1], &runs[0]),
    };
    assert_eq!(fixing_run.status, Some(0), "{fixing_run:?}");
    assert_reports_change(rejected_run);
    assert_eq!(manifests.fixed_files().len(), FILES);
    assert!(temporary_files(&manifests.0).is_empty());
}

#[test]
fn fix_preserves_concurrent_edits() {
    let manifests = Manifests::new("editor");
    let lock = lock_directory(&manifests.0);
    let mut run = spawn(&mut manifests.fix());
    wait_for(&manifests.0, FILES, &mut [&mut run]);
    // Only the contents differ; the size and the modification time stay the same.
    let time = fs::metadata(manifests.path(5)).unwrap().modified().unwrap();
    let edited_text = monitor(5, "intervall").replace("30s", "15s");
    fs::write(manifests.path(5), &edited_text).unwrap();
    let file = File::options().write(true).open(manifests.path(5)).unwrap();
    file.set_modified(time).unwrap();
    drop(lock);
    assert_reports_change(&wait_for_end(run));
    assert_eq!(fs::read_to_string(manifests.path(5)).unwrap(), edited_text);
    fs::write(manifests.path(5), monitor(5, "intervall")).unwrap();
    assert!(manifests.fixed_files().is_empty() && temporary_files(&manifests.0).is_empty());
}

#[test]
fn killed_fix_leaves_files_unchanged() {
    let manifests = Manifests::new("killed");
    let lock = lock_directory(&manifests.0);
    let mut killed_run = spawn(&mut manifests.fix());
    wait_for(&manifests.0, FILES, &mut [&mut killed_run]);
    killed_run.kill().unwrap();
    assert_eq!(wait_for_end(killed_run).status, None);
    assert!(manifests.fixed_files().is_empty());
    drop(lock);
    let next_run = wait_for_end(spawn(&mut manifests.fix()));
    assert_eq!(next_run.status, Some(0), "{next_run:?}");
    assert_eq!(manifests.fixed_files().len(), FILES);
}

/// Tests kills between two replacements. Every file has either its old or its new contents, and the next run fixes the
/// rest.
#[test]
fn killed_fix_never_leaves_partial_files() {
    let manifests = Manifests::new("between");
    let (mut partial_count, mut turn) = (0, 0);
    while partial_count < 12 {
        turn += 1;
        assert!(turn < 500, "only {partial_count} of {turn} kills fell between two replacements");
        manifests.reset();
        let first_inode = || fs::metadata(manifests.path(0)).unwrap().ino();
        let before = first_inode();
        let mut run = spawn(&mut manifests.fix());
        while first_inode() == before && run.try_wait().unwrap().is_none() {
            yield_now();
        }
        run.kill().unwrap();
        wait_for_end(run);
        let fixed_count = manifests.fixed_files().len();
        partial_count += usize::from(fixed_count > 0 && fixed_count < FILES);
        assert_eq!(wait_for_end(spawn(&mut manifests.fix())).status, Some(0));
        assert_eq!(manifests.fixed_files().len(), FILES, "turn {turn}");
    }
}

/// Tests runs that exceed the file size limit of `ulimit -f`, whose signal kills programs that do not handle it.
#[test]
fn file_size_limits_leave_files_unchanged() {
    let manifests = Manifests::new("ulimit");
    fs::write(manifests.0.join("findings.txt"), "old").unwrap();
    for args in ["--fix", "--output-file findings.txt"] {
        let script = format!("ulimit -f 1; exec \"$0\" check . {args}");
        let mut command = Command::new("bash");
        command.current_dir(&manifests.0).args(["-c", &script]).arg(env!("CARGO_BIN_EXE_agentctl"));
        let limited_run = wait_for_end(spawn(&mut command));
        assert_eq!(limited_run.status, Some(2), "{args}: {limited_run:?}");
        assert!(limited_run.stderr.contains("file too large"), "{args}: {limited_run:?}");
        assert!(manifests.fixed_files().is_empty() && temporary_files(&manifests.0).is_empty(), "{args}");
        assert_eq!(fs::read_to_string(manifests.0.join("findings.txt")).unwrap(), "old");
    }
}

/// Tests that if one of two runs is killed, every file has either its old or its new contents.
#[test]
fn concurrent_fixes_never_leave_partial_files() {
    let manifests = Manifests::new("pairs");
    for pair in 0..12 {
        manifests.reset();
        let (mut first, mut second) = (spawn(&mut manifests.fix()), spawn(&mut manifests.fix()));
        let is_killed = pair % 2 == 0;
        if is_killed {
            wait_for(&manifests.0, pair, &mut [&mut first, &mut second]);
            second.kill().unwrap();
        }
        for (number, run) in [wait_for_end(first), wait_for_end(second)].iter().enumerate() {
            match run.status {
                Some(0) => {}
                None => assert!(is_killed && number == 1),
                Some(_) => assert_reports_change(run),
            }
        }
        let fixed_count = manifests.fixed_files().len();
        if is_killed {
            // The killed run may be the run that would have changed the remaining files.
            assert_eq!(wait_for_end(spawn(&mut manifests.fix())).status, Some(0));
            assert_eq!(manifests.fixed_files().len(), FILES, "pair {pair}");
        } else {
            assert_eq!(fixed_count, FILES, "pair {pair}");
            assert!(temporary_files(&manifests.0).is_empty(), "pair {pair}");
        }
    }
}

#[test]
fn keeps_files_named_like_temporary_ones() {
    let manifests = Manifests::new("names");
    let (folder, file) = (manifests.0.join("0.yaml.agentctl-new"), manifests.0.join("1.yaml.agentctl-new"));
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("notes"), "ours").unwrap();
    fs::write(&file, "ours").unwrap();
    let similar_folder = manifests.0.join(".agentctl-new-0123456789abcdef");
    fs::write(&similar_folder, "ours").unwrap();
    let run = wait_for_end(spawn(&mut manifests.fix()));
    assert_eq!(run.status, Some(0), "{run:?}");
    assert_eq!(manifests.fixed_files().len(), FILES);
    for path in [folder.join("notes"), file, similar_folder] {
        assert_eq!(fs::read_to_string(path).unwrap(), "ours");
    }
}

/// Tests that a key and its certificate are always written by the same run, because they belong together.
#[test]
fn concurrent_runs_do_not_mix_private_files() {
    const NAMES: [&str; 3] = ["a", "b", "c"];
    let folder = empty_directory("two-runs-private");
    let texts = |run: &'static str| NAMES.map(|name| (name, run));
    let actual = || NAMES.map(|name| fs::read_to_string(folder.join(name)).unwrap());
    for _ in 0..40 {
        let write = |run, overwrite| write_private(texts(run), &folder, overwrite).is_ok();
        let write_twice = |overwrite| {
            scope(|scope| {
                let runs = ["1", "2"].map(|run| scope.spawn(move || write(run, overwrite)));
                runs.map(|run| run.join().unwrap())
            })
        };
        // Without `overwrite`, one of the two runs fails and changes nothing.
        let is_written = write_twice(false);
        let winner = if is_written[0] { "1" } else { "2" };
        assert_eq!(is_written.iter().filter(|is_written| **is_written).count(), 1);
        assert_eq!(actual(), [winner; 3]);
        assert_eq!(write_twice(true), [true; 2]);
        let actual = actual();
        assert!(actual.iter().all(|text| *text == actual[0]), "{actual:?}");
        NAMES.iter().for_each(|name| fs::remove_file(folder.join(name)).unwrap());
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
}

#[test]
fn second_pki_does_not_replace_the_first() {
    let folder = scratch("two-runs-pki");
    fs::create_dir(folder.join("pki")).unwrap();
    let lock = lock_directory(&folder.join("pki"));
    let spawn_pki = || spawn(agentctl(&folder).args(["aggregate", "pki", "pki"]));
    let (mut first, mut second) = (spawn_pki(), spawn_pki());
    let files = 6;
    wait_for(&folder.join("pki"), 2 * files, &mut [&mut first, &mut second]);
    drop(lock);
    let mut statuses = [wait_for_end(first).status, wait_for_end(second).status];
    statuses.sort();
    assert_eq!(statuses, [Some(0), Some(2)]);
    assert!(temporary_files(&folder.join("pki")).is_empty());
}

/// Tests that `schema --output-dir` replaces each file atomically and never writes through a symlink.
#[test]
fn schema_replaces_links_instead_of_their_targets() {
    let folder = scratch("two-runs-schema");
    let write_schema = || run(&folder, ["schema", "PodLogs", "--output-dir", "out"], b"");
    fs::create_dir(folder.join("out")).unwrap();
    fs::write(folder.join("target"), "ours").unwrap();
    std::os::unix::fs::symlink("../target", folder.join("out/podlogs.json")).unwrap();
    assert_eq!(write_schema().status, Some(0));
    assert_eq!(fs::read_to_string(folder.join("target")).unwrap(), "ours");
    assert!(fs::symlink_metadata(folder.join("out/podlogs.json")).unwrap().is_file());
    fs::remove_file(folder.join("out/podlogs.json")).unwrap();
    fs::create_dir(folder.join("out/podlogs.json")).unwrap();
    let failed_run = write_schema();
    assert_eq!(failed_run.status, Some(2), "{failed_run:?}");
    assert!(temporary_files(&folder.join("out")).is_empty());
}

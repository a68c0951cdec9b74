//! Tests of `render --watch` with real files. Each step waits for the program's output, never for a fixed time.

#![cfg(target_os = "linux")]
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};

use tempfile::TempDir;

/// A running `--watch` command. The process is killed when this value is dropped.
struct WatchProcess {
    child: Child,
    stderr: BufReader<ChildStderr>,
    folder: TempDir,
}

const AGENT: &str = "apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: NAME, namespace: monitoring}
spec: {metrics: {instanceSelector: {matchLabels: {agent: NAME}}}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: NAME, namespace: monitoring, labels: {agent: NAME}}
spec: {podMonitorNamespaceSelector: {}, podMonitorSelector: {matchLabels: {agent: NAME}}}
";

const MONITOR: &str = "apiVersion: monitoring.coreos.com/v1
kind: PodMonitor
metadata: {name: web, namespace: shop, labels: {agent: one}}
spec: {selector: {}, podMetricsEndpoints: [{port: http}]}
";

impl WatchProcess {
    /// Starts `render --watch` on two agents that have one monitor each.
    fn start() -> Self {
        Self::start_with(&[])
    }

    fn start_with(flags: &[&str]) -> Self {
        let render = ["render", "in", "--output-dir", "out", "--prune"];
        Self::run(&[&render, flags].concat())
    }

    /// Runs a command with `--watch`.
    fn run(args: &[&str]) -> Self {
        let folder = TempDir::new().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        fs::create_dir(folder.path().join("in")).unwrap();
        write("in/one.yaml", &AGENT.replace("NAME", "one"));
        write("in/two.yaml", &AGENT.replace("NAME", "two"));
        write("in/web.yaml", MONITOR);
        write("in/api.yaml", &MONITOR.replace("web", "api").replace("one", "two"));
        let mut child = Command::new(env!("CARGO_BIN_EXE_agentctl"))
            .args(args)
            .args(["--watch", "--message-format", "short"])
            .current_dir(folder.path())
            .env_remove("GITHUB_ACTIONS")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        Self { child, stderr, folder }
    }

    /// Returns the output lines of a round, including the line that ends the round.
    fn wait_for_round(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            assert_ne!(self.stderr.read_line(&mut line).unwrap(), 0, "it ended after {lines:?}");
            let is_last = line.starts_with("watch: ");
            lines.push(line.trim_end().to_owned());
            if is_last {
                return lines;
            }
        }
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).unwrap()
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for WatchProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn check_counts_all_findings_and_shows_new_ones() {
    let mut watching = WatchProcess::run(&["check", "in"]);
    let summary = "watch: checked 6 resources in 4 files: ";
    assert_eq!(watching.wait_for_round(), [format!("{summary}no findings")]);
    watching.write("in/web.yaml", &MONITOR.replace("port: http", "prot: http"));
    let typo = "in/web.yaml:4:45: warning[unknown-field]: ";
    let lines = watching.wait_for_round();
    assert!(lines[0].starts_with(typo), "{lines:?}");
    assert!(lines.last().unwrap().starts_with(summary) && lines.last().unwrap().contains("1 warning"), "{lines:?}");
    // Findings that have already been shown are counted but not shown again.
    watching
        .write("in/api.yaml", &MONITOR.replace("web", "api").replace("one", "two").replace("{}", "{matchLabel: {}}"));
    let lines = watching.wait_for_round();
    assert!(lines.iter().all(|line| !line.starts_with(typo)), "{lines:?}");
    assert!(lines[0].contains("in/api.yaml:"), "{lines:?}");
    watching.write("in/web.yaml", MONITOR);
    watching.write("in/api.yaml", &MONITOR.replace("web", "api").replace("one", "two"));
    while watching.wait_for_round() != [format!("{summary}no findings")] {}
}

#[test]
fn changes_rerender_affected_agents() {
    let mut watching = WatchProcess::start();
    assert_eq!(
        watching.wait_for_round(),
        ["watch: rendered monitoring/one, monitoring/two: 8 objects changed, 0 removed"]
    );
    watching.write("in/web.yaml", &MONITOR.replace("port: http", "port: metrics"));
    assert_eq!(watching.wait_for_round(), ["watch: rendered monitoring/one: 1 object changed, 0 removed"]);
    // The file must be complete, regardless of whether it contains the old or the new version.
    assert!(watching.read("out/monitoring/secret_one-config.yaml").starts_with("apiVersion: v1\n"));
}

#[test]
fn changes_rerender_affected_agents_for_alloy() {
    let mut watching = WatchProcess::start_with(&["--target", "alloy", "--allow", "normalized-label"]);
    assert_eq!(
        watching.wait_for_round(),
        ["watch: rendered monitoring/one, monitoring/two: 8 objects changed, 0 removed"]
    );
    watching.write("in/web.yaml", &MONITOR.replace("port: http", "port: metrics"));
    assert_eq!(watching.wait_for_round(), ["watch: rendered monitoring/one: 1 object changed, 0 removed"]);
    let written_secret = watching.read("out/monitoring/secret_one-config.yaml");
    assert!(written_secret.contains("\n  config.alloy: "), "{written_secret}");
}

#[test]
fn reports_mistakes_once_and_writes_nothing() {
    let mut watching = WatchProcess::start();
    watching.wait_for_round();
    let before = watching.read("out/monitoring/secret_one-config.yaml");
    // An incomplete file is an error, and nothing is written.
    watching.write("in/web.yaml", "apiVersion: monitoring.coreos.com/v1\nkind: PodMonitor\nmetadata: {name: web,");
    let round_output = watching.wait_for_round();
    assert!(round_output.iter().any(|line| line.contains("error[yaml-syntax]")), "{round_output:?}");
    assert_eq!(round_output.last().unwrap(), "watch: 1 error, nothing written");
    assert_eq!(watching.read("out/monitoring/secret_one-config.yaml"), before);
    // The mistake remains, but it has already been reported.
    watching.write("in/more.yaml", "# nothing yet\n");
    assert_eq!(watching.wait_for_round(), ["watch: 1 error, nothing written"]);
    watching.write("in/web.yaml", &MONITOR.replace("port: http", "port: metrics"));
    assert_eq!(watching.wait_for_round(), ["watch: rendered monitoring/one: 1 object changed, 0 removed"]);
}

#[test]
fn handles_deleted_and_created_files() {
    let mut watching = WatchProcess::start();
    watching.wait_for_round();
    fs::remove_file(watching.path().join("in/two.yaml")).unwrap();
    let round_output = watching.wait_for_round();
    assert!(round_output[0].contains("warning[unselected]"), "{round_output:?}");
    assert_eq!(round_output[1], "watch: rendered monitoring/two: 0 objects changed, 4 removed");
    assert!(!watching.path().join("out/monitoring/secret_two-config.yaml").exists());
    // Editors and `git checkout` save a file by replacing it with a new one.
    watching.write("two.new", &AGENT.replace("NAME", "two"));
    fs::rename(watching.path().join("two.new"), watching.path().join("in/two.yaml")).unwrap();
    assert_eq!(watching.wait_for_round(), ["watch: rendered monitoring/two: 4 objects changed, 0 removed"]);
    // The whole input is removed and restored.
    fs::rename(watching.path().join("in"), watching.path().join("away")).unwrap();
    let round_output = watching.wait_for_round();
    assert!(round_output[0].starts_with("error: cannot read `in`"), "{round_output:?}");
    fs::rename(watching.path().join("away"), watching.path().join("in")).unwrap();
    assert_eq!(watching.wait_for_round(), ["watch: nothing changed"]);
    watching.write("in/web.yaml", &MONITOR.replace("port: http", "port: metrics"));
    assert_eq!(watching.wait_for_round(), ["watch: rendered monitoring/one: 1 object changed, 0 removed"]);
}

#[test]
fn watch_output_matches_a_fresh_render() {
    let mut watching = WatchProcess::start();
    watching.wait_for_round();
    let monitor = |port: &str| MONITOR.replace("port: http", &format!("port: {port}"));
    let both_monitors = format!("{}---\n{}", monitor("b"), MONITOR.replace("web", "second"));
    let steps = [
        ("in/web.yaml", Some(monitor("a"))),
        ("in/api.yaml", Some(monitor("b").replace("web", "api"))),
        // The number of documents in a file increases, then decreases.
        ("in/web.yaml", Some(both_monitors)),
        ("in/web.yaml", Some(monitor("c"))),
        ("in/web.yaml", Some("a: [".to_owned())),
        ("in/web.yaml", Some(monitor("d"))),
        // A new first file changes the indexes of all the others.
        ("in/a.yaml", Some(MONITOR.replace("web", "first"))),
        ("in/web.yaml", Some(monitor("e"))),
        ("in/a.yaml", None),
        (
            "in/one.yaml",
            Some(AGENT.replace("NAME", "one").replace("spec: {metrics", "spec: {logLevel: debug, metrics")),
        ),
    ];
    for (name, text) in steps {
        match &text {
            Some(text) => watching.write(name, text),
            None => fs::remove_file(watching.path().join(name)).unwrap(),
        }
        let round_output = watching.wait_for_round();
        let fresh_run = Command::new(env!("CARGO_BIN_EXE_agentctl"))
            .args(["render", "in", "--output-dir", "fresh", "--prune"])
            .current_dir(watching.path())
            .output()
            .unwrap();
        let is_refused = round_output.last().unwrap().ends_with("nothing written");
        assert_eq!(fresh_run.status.code(), Some(i32::from(is_refused)), "{name}: {round_output:?}");
        let files = |folder: &str| -> Vec<_> {
            let folder = watching.path().join(folder).join("monitoring");
            let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
            let mut files: Vec<_> =
                files.map(|path| (path.file_name().unwrap().to_owned(), fs::read(path).unwrap())).collect();
            files.sort();
            files
        };
        assert!(files("out") == files("fresh"), "{name}: {text:?}");
    }
}

//! Inputs without a bound, and the deepest nesting that a flag allows.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod support;

use std::io::Write;
use std::process::Stdio;
use std::thread;

const DEEPEST: usize = 1000;

fn short(args: &[&str], stdin: &[u8]) -> support::Run {
    let root = support::root();
    let all = args.iter().chain(&["--message-format", "short"]);
    support::run(root, all, stdin)
}

#[test]
fn a_device_without_an_end_is_refused() {
    let run = short(&["check", "/dev/zero", "--max-file-size", "1MiB"], b"");
    assert_eq!(run.status, Some(2));
    assert_eq!(
        run.stderr,
        "error: cannot read `/dev/zero`: it is larger than 1MiB, the limit that `--max-file-size` sets\n"
    );
}

#[test]
fn a_pipe_without_an_end_is_refused() {
    let mut child = support::agentctl(support::root())
        .args(["check", "-", "--max-file-size", "1MiB"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = thread::spawn(move || while stdin.write_all(b"# more\n").is_ok() {});
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("--max-file-size"), "{stderr}");
}

/// What nests the deepest has to fit on the stacks of all threads, without optimisation too.
#[test]
fn the_deepest_nesting_is_read_and_one_more_refused() {
    let at_most = DEEPEST.to_string();
    let flags = ["--max-depth", at_most.as_str()];
    let agent = "apiVersion: monitoring.grafana.com/v1alpha1\nkind: GrafanaAgent\nmetadata: {name: agent}\n\
                 spec: {integrations: {selector: {}, namespaceSelector: {}}}\n---\n";
    let integration = "apiVersion: monitoring.grafana.com/v1alpha1\nkind: Integration\nmetadata: {name: deep}\n";
    for (open, close) in [("[", "]"), ("{a: ", "}"), ("[{a: ", "}]")] {
        let width = open.matches(['[', '{']).count();
        // The resource itself, `spec` and `config` are the first three.
        for (levels, deeper) in [(DEEPEST - 4, false), (DEEPEST, true)] {
            let times = levels / width;
            let nested = format!("{}1{}", open.repeat(times), close.repeat(times));
            let spec = format!("spec: {{name: agent, type: {{unique: true}}, config: {{x: {nested}}}}}\n");
            let input = format!("{agent}{integration}{spec}");
            for command in ["render", "check"] {
                let run = short(&[command, "-", flags[0], flags[1]], input.as_bytes());
                assert_eq!(
                    run.status,
                    Some(i32::from(deeper)),
                    "{command} {levels} of {open}: {}",
                    run.stderr
                );
                assert_eq!(
                    run.stderr.contains("[yaml-limit]"),
                    deeper,
                    "{command} {levels} of {open}: {}",
                    run.stderr
                );
            }
        }
    }
}

/// Where agentctl has a parser of its own for a text inside of the YAML, that has a bound of its own.
#[test]
fn deep_expressions_are_refused() {
    let many = "(".repeat(100_000);
    let input = format!(
        "apiVersion: monitoring.grafana.com/v1alpha1\nkind: GrafanaAgent\nmetadata: {{name: agent}}\n\
         spec: {{metrics: {{instanceSelector: {{}}}}, logs: {{instanceSelector: {{}}}}}}\n\
         ---\napiVersion: monitoring.grafana.com/v1alpha1\nkind: MetricsInstance\nmetadata: {{name: metrics}}\n\
         spec: {{serviceMonitorSelector: {{}}}}\n\
         ---\napiVersion: monitoring.grafana.com/v1alpha1\nkind: LogsInstance\nmetadata: {{name: logs}}\n\
         spec: {{podLogsSelector: {{}}}}\n\
         ---\napiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {{name: deep}}\n\
         spec: {{selector: {{}}, endpoints: [{{port: http, metricRelabelings: [{{regex: '{many}', action: drop}}]}}]}}\n\
         ---\napiVersion: monitoring.grafana.com/v1alpha1\nkind: PodLogs\nmetadata: {{name: deep}}\n\
         spec: {{selector: {{}}, namespaceSelector: {{any: true}}, pipelineStages: [{{match: {{selector: '{{a=\"b\"}} |~ \"{many}\"', action: drop}}}}]}}\n"
    );
    let run = short(&["check", "-"], input.as_bytes());
    let codes: Vec<_> = run
        .stderr
        .split("error[")
        .skip(1)
        .filter_map(|rest| rest.split_once(']'))
        .collect();
    let codes: Vec<_> = codes.into_iter().map(|(code, _)| code).collect();
    assert_eq!((run.status, codes), (Some(1), vec!["invalid-regex"]));
}

//! Tests endless inputs and the deepest nesting that the flags allow.

#![cfg(unix)]
use crate::support;
use std::io::Write;
use std::process::Stdio;
use std::thread;

const MAX_DEPTH: usize = 1000;

fn check_briefly(args: &[&str], stdin: &[u8]) -> support::Run {
    let root = support::root();
    let all_args = args.iter().chain(&["--message-format", "short"]);
    support::run(root, all_args, stdin)
}

#[test]
fn rejects_infinite_devices() {
    let run = check_briefly(&["check", "/dev/zero"], b"");
    assert_eq!(run.status, Some(1));
    let expected = "/dev/zero:1:1: error[not-utf8]: expected UTF-8, found the byte `0x00`";
    assert!(run.stdout.starts_with(expected), "{}", run.stdout);
}

#[test]
fn rejects_infinite_pipes() {
    let mut child = support::agentctl(support::root())
        .args(["check", "-", "--limit", "file-size=1MiB"])
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
    assert!(stderr.contains("--limit file-size="), "{stderr}");
}

/// Tests that the deepest nesting does not overflow the stack of any thread, even without optimization.
#[test]
fn accepts_nesting_up_to_the_depth_limit() {
    let at_most = format!("depth={MAX_DEPTH}");
    let flags = ["--limit", at_most.as_str()];
    let agent = "apiVersion: monitoring.grafana.com/v1alpha1\nkind: GrafanaAgent\nmetadata: {name: agent}\n\
                 spec: {integrations: {selector: {}, namespaceSelector: {}}}\n---\n";
    let integration = "apiVersion: monitoring.grafana.com/v1alpha1\nkind: Integration\nmetadata: {name: deep}\n";
    for (open, close) in [("[", "]"), ("{a: ", "}"), ("[{a: ", "}]")] {
        let width = open.matches(['[', '{']).count();
        // The resource, its `spec` and its `config` are the first three levels.
        for (levels, is_too_deep) in [(MAX_DEPTH - 4, false), (MAX_DEPTH, true)] {
            let times = levels / width;
            let nested = format!("{}1{}", open.repeat(times), close.repeat(times));
            let spec = format!("spec: {{name: agent, type: {{unique: true}}, config: {{extra_labels: {nested}}}}}\n");
            let input = format!("{agent}{integration}{spec}");
            for command in ["render", "check"] {
                let run = check_briefly(&[command, "-", flags[0], flags[1]], input.as_bytes());
                assert_eq!(
                    run.status,
                    // `check` always fails, because the agent rejects nested labels.
                    Some(i32::from(is_too_deep || command == "check")),
                    "{command} {levels} of {open}: {}",
                    run.stderr
                );
                let actual = run.stdout.contains("[yaml-limit]") || run.stderr.contains("[yaml-limit]");
                assert_eq!(actual, is_too_deep, "{command} {levels} of {open}: {}", run.stderr);
            }
        }
    }
}

/// Tests the nesting limits of the parsers for strings within YAML.
#[test]
fn rejects_deeply_nested_expressions() {
    let parentheses = "(".repeat(100_000);
    let input = format!(
        "apiVersion: monitoring.grafana.com/v1alpha1\nkind: GrafanaAgent\nmetadata: {{name: agent}}\n\
         spec: {{metrics: {{instanceSelector: {{}}}}, logs: {{instanceSelector: {{}}}}}}\n\
         ---\napiVersion: monitoring.grafana.com/v1alpha1\nkind: MetricsInstance\nmetadata: {{name: metrics}}\n\
         spec: {{serviceMonitorSelector: {{}}}}\n\
         ---\napiVersion: monitoring.grafana.com/v1alpha1\nkind: LogsInstance\nmetadata: {{name: logs}}\n\
         spec: {{podLogsSelector: {{}}}}\n\
         ---\napiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {{name: deep}}\n\
         spec: {{selector: {{}}, endpoints: [{{port: http, metricRelabelings: [{{regex: '{parentheses}', action: drop}}]}}]}}\n\
         ---\napiVersion: monitoring.grafana.com/v1alpha1\nkind: PodLogs\nmetadata: {{name: deep}}\n\
         spec: {{selector: {{}}, namespaceSelector: {{any: true}}, pipelineStages: [{{match: {{selector: '{{a=\"b\"}} |~ \"{parentheses}\"', action: drop}}}}]}}\n"
    );
    let run = check_briefly(&["check", "-"], input.as_bytes());
    let codes: Vec<_> = run.stdout.split("error[").skip(1).filter_map(|rest| rest.split_once(']')).collect();
    let codes: Vec<_> = codes.into_iter().map(|(code, _)| code).collect();
    assert_eq!((run.status, codes), (Some(1), vec!["invalid-regex", "invalid-log-selector"]));
}

/// Returns agents with a thousand shards each. Each agent takes only a few hundred bytes of input.
#[cfg(target_os = "linux")]
fn sharded_agents(count: usize) -> String {
    let agents = (0..count).map(|number| {
        format!(
            "---\napiVersion: monitoring.grafana.com/v1alpha1\nkind: GrafanaAgent\n\
             metadata: {{name: agent-{number}, namespace: monitoring}}\n\
             spec: {{metrics: {{shards: 1000, instanceSelector: {{}}}}}}\n"
        )
    });
    let instance = "apiVersion: monitoring.grafana.com/v1alpha1\nkind: MetricsInstance\n\
                    metadata: {name: metrics, namespace: monitoring}\nspec: {}\n";
    std::iter::once(instance.to_owned()).chain(agents).collect()
}

/// Runs a command in a limited address space. The allocator and the thread pool reserve memory for each processor, so
/// both are restricted to the minimum.
#[cfg(target_os = "linux")]
fn run_with_memory_limit(mebibytes: usize, command: &str, folder: &std::path::Path) -> (Option<i32>, String) {
    let script = format!("ulimit -v {}; \"$0\" {command} >/dev/null", mebibytes << 10);
    let output = std::process::Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_agentctl")])
        .env("MALLOC_ARENA_MAX", "1")
        .env("RAYON_NUM_THREADS", "1")
        .current_dir(folder)
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    (output.status.code(), stderr.lines().take(5).collect())
}

/// Tests that the output for a thousand shards is never held in memory all at once.
#[test]
#[cfg(target_os = "linux")]
fn shard_count_does_not_increase_memory() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("many.yaml"), sharded_agents(support::many_or_few(100, 30))).unwrap();
    std::fs::write(folder.path().join("few.yaml"), sharded_agents(2)).unwrap();
    std::fs::write(folder.path().join("none.yaml"), "").unwrap();
    let runs = [
        (160, "check many.yaml --limit jobs=1000000", 0),
        (160, "affected metricsinstance/metrics -f many.yaml --limit jobs=1000000", 0),
        (160, "shards monitoring/agent-1 -f many.yaml --limit jobs=1000000", 0),
        (90, "render few.yaml", 0),
        (90, "render few.yaml -o json", 0),
        (90, "render few.yaml --output-dir rendered --check", 1),
        (90, "render few.yaml --output-dir rendered", 0),
        (90, "diff few.yaml --against none.yaml", 1),
        (90, "diff few.yaml --against none.yaml -o json", 1),
    ];
    for (mebibytes, command, status) in support::sample(runs, 3) {
        let (actual_status, stderr) = run_with_memory_limit(mebibytes, command, folder.path());
        assert_eq!(actual_status, Some(status), "{command}: {stderr}");
    }
}

/// Tests a Secret of a few kilobytes whose configuration grows by a factor of a thousand when it is decompressed.
#[test]
#[cfg(target_os = "linux")]
fn compressed_configurations_do_not_increase_memory_use() {
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;

    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(b"a: [").unwrap();
    encoder.write_all(&b"0,".repeat(16 << 20)).unwrap();
    encoder.write_all(b"0]\n").unwrap();
    let encoded = STANDARD.encode(encoder.finish().unwrap());
    assert!(encoded.len() < 50_000);
    let secret = |name: &str| {
        format!(
            "---\napiVersion: v1\nkind: Secret\ndata: {{agent.yml: {encoded}}}\n\
             metadata: {{name: {name}, namespace: monitoring, labels: {{app.kubernetes.io/managed-by: grafana-agent-operator}}}}\n"
        )
    };
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("one.yaml"), sharded_agents(1)).unwrap();
    let live = ["agent-0-config", "other-config", "more-config"].map(secret).concat();
    std::fs::write(folder.path().join("live.yaml"), live).unwrap();
    let commands = ["diff one.yaml --against live.yaml", "diff one.yaml --against live.yaml -o json"];
    for command in support::take_turn(&commands, 0) {
        let (actual_status, stderr) = run_with_memory_limit(160, command, folder.path());
        assert_eq!(actual_status, Some(1), "{command}: {stderr}");
    }
}

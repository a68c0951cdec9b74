//! Tests of the `agentctl diff` command.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{self, Run};
use agentctl::api::OperatorVersion;

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/quickstart");

fn agentctl(args: &[&str], variables: &[(&str, &str)], stdin: &str) -> Run {
    let mut command = support::agentctl(support::root());
    command.args(args).env_remove("KUBECTL_EXTERNAL_DIFF");
    support::feed(command.envs(variables.iter().copied()), stdin.as_bytes())
}

/// Runs `diff` on the example, with `before` as the live objects.
fn diff(before: &str, args: &[&str]) -> Run {
    agentctl(&[&["diff", EXAMPLE, "--against", "-"], args].concat(), &[], before)
}

fn rendered() -> String {
    agentctl(&["render", EXAMPLE], &[], "").stdout
}

fn write(directory: &Path, name: &str, text: &str) -> PathBuf {
    let path = directory.join(name);
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn rendered_objects_do_not_differ() {
    let directory = tempfile::tempdir().unwrap();
    let file = write(directory.path(), "all.yaml", &rendered());
    let out = directory.path().join("out");
    agentctl(&["render", EXAMPLE, "--output-dir", out.to_str().unwrap()], &[], "");
    for against in [file.to_str().unwrap(), out.to_str().unwrap()] {
        let run = agentctl(&["diff", EXAMPLE, "--against", against], &[], "");
        assert_eq!(run.stdout, "0 added, 0 changed, 0 removed\n", "{}", run.stderr);
        assert_eq!(run.status, Some(0));
    }
}

#[test]
fn ignores_fields_added_by_the_server() {
    let json = agentctl(&["render", EXAMPLE, "-o", "json"], &[], "").stdout;
    let mut list: serde_json::Value = serde_json::from_str(&json).unwrap();
    for object in list["items"].as_array_mut().unwrap() {
        object["metadata"]["uid"] = "u".into();
        object["metadata"]["resourceVersion"] = "1".into();
        object["metadata"]["ownerReferences"] = serde_json::json!([{"uid": "o"}]);
        object["status"] = serde_json::json!({"replicas": 1});
    }
    let run = diff(&list.to_string(), &[]);
    assert_eq!(run.status, Some(0), "{}{}", run.stdout, run.stderr);
    assert_eq!(diff(&list.to_string(), &["--owner-references"]).status, Some(1));
}

#[test]
fn shows_and_counts_changes() {
    let before = rendered().replacen("replicas: 1", "replicas: 5", 1).replacen(
        "serviceName: agent-operated",
        "serviceName: another",
        1,
    );
    let without_last = before.rsplit_once("---\n").unwrap().0;
    let stranger = "apiVersion: v1\nkind: Secret\nmetadata: {name: stranger, namespace: monitoring}\n";
    let old = "apiVersion: v1\nkind: Service\nmetadata:\n  name: old\n  namespace: monitoring\n  labels: \
               {app.kubernetes.io/managed-by: grafana-agent-operator}\n";
    let values = old.replace("Service", "Secret");
    let run = diff(&format!("{without_last}---\n{stranger}---\n{old}---\n{values}"), &[]);
    assert_eq!(run.status, Some(1), "{}", run.stderr);
    for part in [
        "-  replicas: 5\n+  replicas: 1\n",
        "! `spec.serviceName` cannot be changed in place: delete StatefulSet/monitoring/agent and create it again\n",
        "--- Service/monitoring/old\n+++ /dev/null\n",
        "--- /dev/null\n+++ DaemonSet/monitoring/agent-integrations-ds\n",
        "--- Secret/monitoring/old\n+++ /dev/null\n",
        "\n1 added, 1 changed, 2 removed; 1 must be recreated\n",
    ] {
        assert!(run.stdout.contains(part), "{part}: {}", run.stdout);
    }
    assert!(!run.stdout.contains("stranger") && !run.stdout.contains('\u{1b}'), "{}", run.stdout);
    assert!(diff(without_last, &["--color", "always"]).stdout.contains("\u{1b}[32m+"));
}

#[test]
fn json_output_lists_changes() {
    let before = rendered().replacen("serviceName: agent-operated", "serviceName: another", 1);
    let run = diff(&before, &["-o", "json", "--color", "always"]);
    let all: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let expected = serde_json::json!({"added": 0, "changed": 1, "removed": 0, "recreated": 1});
    assert_eq!(all["summary"], expected);
    let change = &all["changes"][0];
    assert_eq!((&change["action"], &change["name"]), (&"changed".into(), &"agent".into()));
    assert_eq!(change["recreate"], serde_json::json!(["spec.serviceName"]));
    assert!(change["diff"].as_str().unwrap().contains("-  serviceName: another\n"));
    assert_eq!(run.status, Some(1));
}

/// Returns a copy of the example with planted credentials, and the output rendered from the original.
fn planted() -> (tempfile::TempDir, String) {
    let directory = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(EXAMPLE).unwrap() {
        let entry = entry.unwrap();
        let text = fs::read_to_string(entry.path()).unwrap();
        let text = text.replace("only-an-example", "PLANTED-VALUE").replace("12345", "PLANTED-USER");
        write(directory.path(), entry.file_name().to_str().unwrap(), &text);
    }
    (directory, rendered())
}

#[test]
fn no_secret_leaks() {
    let (directory, before) = planted();
    let path = directory.path().to_str().unwrap();
    let args = ["diff", path, "--against", "-"];
    let json = [&args[..], &["-o", "json"]].concat();
    for (args, variables) in
        [(&args[..], &[][..]), (&json, &[]), (&args, &[("KUBECTL_EXTERNAL_DIFF", "diff -r -u -N")])]
    {
        for before in [before.as_str(), "apiVersion: v1\nkind: List\nitems: []\n"] {
            let run = agentctl(args, variables, before);
            assert_eq!(run.status, Some(1), "{}", run.stderr);
            let text = run.stdout + &run.stderr;
            assert!(text.contains("***"), "{text}");
            for secret in ["PLANTED", "UExBTlRFR", "only-an-example", "12345", "b25seS1hbi1leGFtcGxl", "MTIzNDU"] {
                assert!(!text.contains(secret), "{secret}: {text}");
            }
        }
    }
    let shown = agentctl(&[&args[..], &["--show-secrets"]].concat(), &[], &before).stdout;
    for line in ["password: only-an-example", "password: PLANTED-VALUE", "username: PLANTED-USER"] {
        assert!(shown.contains(line), "{shown}");
    }
}

/// Tests that a scrape job from a Secret is hidden even if it looks like a monitor's job, and that every object is
/// reported as added if the cluster is empty.
#[test]
fn hides_secret_jobs_that_look_like_monitors() {
    let input = "\
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: agent}
spec: {metrics: {instanceSelector: {}}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: one}
spec: {additionalScrapeConfigs: {name: jobs, key: jobs}}
---
apiVersion: v1
kind: Secret
metadata: {name: jobs}
stringData:
  jobs: |
    - job_name: serviceMonitor/a/b/0
      metrics_path: /PLANTED-PATH
      relabel_configs:
      - target_label: __tmp_prometheus_job_name
";
    let directory = tempfile::tempdir().unwrap();
    let input = write(directory.path(), "in.yaml", input);
    let run = agentctl(&["diff", input.to_str().unwrap(), "--against", "-"], &[], "");
    assert_eq!((run.status, run.stderr.as_str()), (Some(1), ""));
    assert!(run.stdout.contains("+            - '***'\n") && !run.stdout.contains("PLANTED"), "{}", run.stdout);
    assert!(run.stdout.ends_with(" added, 0 changed, 0 removed\n"), "{}", run.stdout);
}

#[test]
fn broken_exports_leak_nothing() {
    for before in [
        "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {a: PLANTED\n",
        "apiVersion: v1\nkind: Secret\nmetadata: {}\nstringData: {a: PLANTED}\n",
        "apiVersion: v1\nkind: Secret\nstringData:\n  a: PLANTED\n  a: PLANTED\n",
    ] {
        let run = diff(before, &[]);
        assert_eq!((run.status, run.stdout.as_str()), (Some(2), ""));
        assert!(!run.stderr.contains("PLANTED"), "{}", run.stderr);
    }
}

#[cfg(unix)]
#[test]
fn external_programs_show_the_differences() {
    let before = rendered().replacen("replicas: 1", "replicas: 5", 1);
    let external = |program: &str, before: &str| {
        let args = ["diff", EXAMPLE, "--against", "-"];
        agentctl(&args, &[("KUBECTL_EXTERNAL_DIFF", program)], before)
    };
    let run = external("diff -r -u", &before);
    assert_eq!(run.status, Some(1), "{}", run.stderr);
    assert!(run.stdout.contains("apps.v1.StatefulSet.monitoring.agent") && run.stdout.contains("-  replicas: 5"));
    assert_eq!(external("diff -r -u", &rendered()).status, Some(0));
    assert_eq!(external("diff --no-such-flag", &before).status, Some(2));
    let run = external("/nonexistent/program", &before);
    assert_eq!(run.status, Some(2));
    assert!(run.stderr.starts_with("error: cannot run `/nonexistent/program`: "), "{}", run.stderr);
    assert_ne!(external("  ", &before).stdout, "");
    // Each side contains an object that is missing from the other, and the file names of both must be harmless.
    let live = "apiVersion: v1\nkind: Service\nmetadata:\n  name: ../old\n  namespace: monitoring\n  labels: \
                {app.kubernetes.io/managed-by: grafana-agent-operator}\n";
    let before = format!("{}---\n{live}", before.rsplit_once("---\n").unwrap().0);
    let run = external("diff -r -q", &before);
    let mut sides = [("LIVE", Vec::new()), ("MERGED", Vec::new())];
    for line in run.stdout.lines() {
        for (side, names) in &mut sides {
            let words = line.split([' ', '/', ':']).skip_while(|word| !word.starts_with(*side));
            names.extend(words.skip(1).find(|word| !word.is_empty()));
        }
    }
    let [changed, added] =
        ["apps.v1.StatefulSet.monitoring.agent", "apps.v1.DaemonSet.monitoring.agent-integrations-ds"];
    let removed = "v1.Service.monitoring..._old";
    assert_eq!(sides, [("LIVE", vec![changed, removed]), ("MERGED", vec![added, changed])]);
}

#[test]
fn keeps_objects_of_paused_agents() {
    let directory = tempfile::tempdir().unwrap();
    let agent = fs::read_to_string(Path::new(EXAMPLE).join("agent.yaml")).unwrap();
    write(directory.path(), "a.yaml", &agent.replace("  image: grafana", "  paused: true\n  image: grafana"));
    let path = directory.path().to_str().unwrap();
    let args = ["diff", path, "--against", "-", "--allow-empty"];
    assert_eq!(agentctl(&args, &[], &rendered()).stdout, "0 added, 0 changed, 0 removed\n");
    assert_eq!(agentctl(&args[..4], &[], &rendered()).status, Some(2));
}

#[test]
fn keeps_objects_of_excluded_agents() {
    let args = ["diff", EXAMPLE, "--against", "-", "--allow-empty", "--agent-selector", "team=none"];
    assert_eq!(agentctl(&args, &[], &rendered()).stdout, "0 added, 0 changed, 0 removed\n");
}

#[test]
fn errors_exit_with_2_instead_of_1() {
    let directory = tempfile::tempdir().unwrap();
    let empty = directory.path().to_str().unwrap();
    for (args, stdin, reason) in [
        (&["diff", EXAMPLE, "--against", "/nonexistent"][..], "", "cannot read `/nonexistent`"),
        (&["diff", EXAMPLE, "--against", empty], "", "no-input"),
        (&["diff", EXAMPLE, "--against", "-"], "a: [", "yaml-syntax"),
        (&["diff", EXAMPLE, "--against", "-"], "just text", "not-an-object"),
        (&["diff", "-", "--against", "-"], "", "only one side can come from standard input"),
        (&["diff", "/nonexistent", "--against", "-"], "", "cannot read `/nonexistent`"),
        (&["diff", "-", "--against", EXAMPLE], "kind: [", "yaml-syntax"),
        (&["diff", EXAMPLE], "", "--against"),
    ] {
        let run = agentctl(args, &[], stdin);
        assert_eq!((run.status, run.stdout.as_str()), (Some(2), ""), "{args:?} {}", run.stderr);
        assert!(run.stderr.contains(reason), "{args:?} {}", run.stderr);
    }
}

#[test]
fn detects_the_operator_release_from_live_objects() {
    let directory = tempfile::tempdir().unwrap();
    let input = write(directory.path(), "input.yaml", OF_EVERY_RELEASE);
    let input = input.to_str().unwrap();
    let render = |version: &str| {
        let flags = ["--operator-version", version, "--kubelet-service", "kube-system/kubelet"];
        agentctl(&[&["render", input], &flags[..]].concat(), &[], "").stdout
    };
    let diff = |live: &str, flags: &[&str]| {
        let args = ["diff", input, "--against", "-", "--kubelet-service", "kube-system/kubelet"];
        agentctl(&[&args, flags].concat(), &[], live)
    };
    for version in OperatorVersion::all().map(|version| version.to_string()) {
        let live = render(&version);
        let told = diff(&live, &[]);
        assert_eq!(told.status, Some(0), "{version}: {}", told.stdout);
        let note = format!("note: comparing with the output of operator {version}");
        assert_eq!(told.stderr.starts_with(&note), version != "v0.44.8", "{}", told.stderr);
        // An explicit version overrides the detected one.
        let asked = diff(&live, &["--operator-version", "v0.44.8"]);
        assert_eq!(asked.status, Some(i32::from(version != "v0.44.8")), "{version}");
        assert_eq!(asked.stderr, "");
    }
    // Before v0.40.0, the order of nodes was arbitrary, so it is ignored.
    let address = |name, ip| {
        format!("  - ip: {ip}\n    targetRef:\n      apiVersion: v1\n      kind: Node\n      name: {name}\n")
    };
    let (one, two) = (address("one", "10.0.0.1"), address("two", "10.0.0.2"));
    for (version, status) in [("v0.39.2", 0), ("v0.40.0", 1)] {
        let live = render(version);
        let swapped = live.replace(&[&*one, &two].concat(), &[&*two, &one].concat());
        assert_ne!(swapped, live);
        assert_eq!(diff(&swapped, &[]).status, Some(status), "{version}");
    }
    // If the operator's label is replaced by a user's, the version is determined from the image.
    let live = render("v0.38.1").replace("version: v0-38-1", "version: mine");
    let run = diff(&live, &[]);
    assert!(run.stderr.contains("the output of operator v0.38.1,"), "{}", run.stderr);
}

const OF_EVERY_RELEASE: &str = "\
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: agent, namespace: monitoring}
spec:
  metrics:
    instanceSelector: {}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: primary, namespace: monitoring}
---
apiVersion: v1
kind: Node
metadata: {name: one}
status:
  addresses:
  - {type: InternalIP, address: 10.0.0.1}
---
apiVersion: v1
kind: Node
metadata: {name: two}
status:
  addresses:
  - {type: InternalIP, address: 10.0.0.2}
";

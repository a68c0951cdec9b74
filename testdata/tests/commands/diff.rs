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

fn render_example() -> String {
    agentctl(&["render", EXAMPLE], &[], "").stdout
}

fn write(directory: &Path, name: &str, text: &str) -> PathBuf {
    let path = directory.join(name);
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn diff_against_rendered_output_shows_no_changes() {
    let directory = tempfile::tempdir().unwrap();
    let file = write(directory.path(), "all.yaml", &render_example());
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
    let before = render_example().replacen("replicas: 1", "replicas: 5", 1).replacen(
        "serviceName: agent-operated",
        "serviceName: another",
        1,
    );
    let without_last = before.rsplit_once("---\n").unwrap().0;
    let foreign_secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: stranger, namespace: monitoring}\n";
    let old_service = "apiVersion: v1\nkind: Service\nmetadata:\n  name: old\n  namespace: monitoring\n  labels: \
               {app.kubernetes.io/managed-by: grafana-agent-operator}\n";
    let values = old_service.replace("Service", "Secret");
    let run = diff(&format!("{without_last}---\n{foreign_secret}---\n{old_service}---\n{values}"), &[]);
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
    let before = render_example().replacen("serviceName: agent-operated", "serviceName: another", 1);
    let run = diff(&before, &["-o", "json", "--color", "always"]);
    let list: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let expected = serde_json::json!({"added": 0, "changed": 1, "removed": 0, "recreated": 1});
    assert_eq!(list["summary"], expected);
    let change = &list["changes"][0];
    assert_eq!((&change["action"], &change["name"]), (&"changed".into(), &"agent".into()));
    assert_eq!(change["recreate"], serde_json::json!(["spec.serviceName"]));
    assert!(change["diff"].as_str().unwrap().contains("-  serviceName: another\n"));
    assert_eq!(run.status, Some(1));
}

/// Returns a copy of the example with planted credentials, and the output rendered from the original.
fn plant_credentials() -> (tempfile::TempDir, String) {
    let directory = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(EXAMPLE).unwrap() {
        let entry = entry.unwrap();
        let text = fs::read_to_string(entry.path()).unwrap();
        let text = text.replace("only-an-example", "PLANTED-VALUE").replace("12345", "PLANTED-USER");
        write(directory.path(), entry.file_name().to_str().unwrap(), &text);
    }
    (directory, render_example())
}

#[test]
fn shows_no_secret_values() {
    let (directory, before) = plant_credentials();
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
    let stdout = agentctl(&[&args[..], &["--show-secrets"]].concat(), &[], &before).stdout;
    for line in ["password: only-an-example", "password: PLANTED-VALUE", "username: PLANTED-USER"] {
        assert!(stdout.contains(line), "{stdout}");
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
fn invalid_exports_leak_no_secrets() {
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
    let before = render_example().replacen("replicas: 1", "replicas: 5", 1);
    let run_with_program = |program: &str, before: &str| {
        let args = ["diff", EXAMPLE, "--against", "-"];
        agentctl(&args, &[("KUBECTL_EXTERNAL_DIFF", program)], before)
    };
    let run = run_with_program("diff -r -u", &before);
    assert_eq!(run.status, Some(1), "{}", run.stderr);
    assert!(run.stdout.contains("apps.v1.StatefulSet.monitoring.agent") && run.stdout.contains("-  replicas: 5"));
    assert_eq!(run_with_program("diff -r -u", &render_example()).status, Some(0));
    let run = run_with_program("diff --no-such-flag", &before);
    assert_eq!(run.status, Some(2));
    assert!(run.stderr.contains("--no-such-flag"), "{}", run.stderr);
    let run = run_with_program("/nonexistent/program", &before);
    assert_eq!(run.status, Some(2));
    assert!(run.stderr.starts_with("error: cannot run `/nonexistent/program`: "), "{}", run.stderr);
    assert_ne!(run_with_program("  ", &before).stdout, "");
    // Each side contains an object that the other lacks, and the file names for both objects must be harmless.
    let live = "apiVersion: v1\nkind: Service\nmetadata:\n  name: ../old\n  namespace: monitoring\n  labels: \
                {app.kubernetes.io/managed-by: grafana-agent-operator}\n";
    let before = format!("{}---\n{live}", before.rsplit_once("---\n").unwrap().0);
    let run = run_with_program("diff -r -q", &before);
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
fn does_not_remove_objects_of_paused_agents() {
    let directory = tempfile::tempdir().unwrap();
    let agent = fs::read_to_string(Path::new(EXAMPLE).join("agent.yaml")).unwrap();
    write(directory.path(), "a.yaml", &agent.replace("  image: grafana", "  paused: true\n  image: grafana"));
    let path = directory.path().to_str().unwrap();
    let args = ["diff", path, "--against", "-", "--allow-empty"];
    assert_eq!(agentctl(&args, &[], &render_example()).stdout, "0 added, 0 changed, 0 removed\n");
    let empty = agentctl(&args[..4], &[], &render_example());
    assert_eq!((empty.status, empty.stdout.as_str()), (Some(2), ""));
    assert!(empty.stderr.starts_with("error[empty-render]"), "{}", empty.stderr);
}

#[test]
fn does_not_remove_objects_of_excluded_agents() {
    let args = ["diff", EXAMPLE, "--against", "-", "--allow-empty", "--agent-selector", "team=none"];
    assert_eq!(agentctl(&args, &[], &render_example()).stdout, "0 added, 0 changed, 0 removed\n");
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
    let input = write(directory.path(), "input.yaml", EVERY_RELEASE);
    let input = input.to_str().unwrap();
    let render = |version: &str| {
        let flags = ["--operator-version", version, "--kubelet-service", "kube-system/kubelet"];
        agentctl(&[&["render", input], &flags[..]].concat(), &[], "").stdout
    };
    let diff = |live: &str, flags: &[&str]| {
        let args = ["diff", input, "--against", "-", "--kubelet-service", "kube-system/kubelet"];
        agentctl(&[&args, flags].concat(), &[], live)
    };
    for version in support::sample(OperatorVersion::all(), 3).into_iter().map(|version| version.to_string()) {
        let live = render(&version);
        let detected = diff(&live, &[]);
        assert_eq!(detected.status, Some(0), "{version}: {}", detected.stdout);
        let note = format!("note: comparing with the output of operator {version}");
        assert_eq!(detected.stderr.starts_with(&note), version != "v0.44.8", "{}", detected.stderr);
        // An explicit version overrides the detected one.
        let overridden = diff(&live, &["--operator-version", "v0.44.8"]);
        assert_eq!(overridden.status, Some(i32::from(version != "v0.44.8")), "{version}");
        assert_eq!(overridden.stderr, "");
    }
    // Before v0.40.0, the order of nodes was arbitrary, so `diff` ignores it.
    let address = |name, ip| {
        format!("  - ip: {ip}\n    targetRef:\n      apiVersion: v1\n      kind: Node\n      name: {name}\n")
    };
    let (first_address, second_address) = (address("one", "10.0.0.1"), address("two", "10.0.0.2"));
    for (version, status) in [("v0.39.2", 0), ("v0.40.0", 1)] {
        let live = render(version);
        let swapped =
            live.replace(&[&*first_address, &second_address].concat(), &[&*second_address, &first_address].concat());
        assert_ne!(swapped, live);
        assert_eq!(diff(&swapped, &[]).status, Some(status), "{version}");
    }
    // If a user's label replaces the operator's, the version is determined from the image.
    let live = render("v0.38.1").replace("version: v0-38-1", "version: mine");
    let run = diff(&live, &[]);
    assert!(run.stderr.contains("the output of operator v0.38.1,"), "{}", run.stderr);
}

const EVERY_RELEASE: &str = "\
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

/// Creates a repository with an agent's resources, and an uncommitted edit to them.
fn edited_repository(name: &str) -> PathBuf {
    let folder = support::scratch(&format!("diff-{name}"));
    let agent = "apiVersion: monitoring.grafana.com/v1alpha1\nkind: GrafanaAgent\nmetadata: {name: agent, namespace: m}\n\
                 spec: {logLevel: info, metrics: {instanceSelector: {}}}\n---\n\
                 apiVersion: monitoring.grafana.com/v1alpha1\nkind: MetricsInstance\nmetadata: {name: main, namespace: m}\n\
                 spec: {serviceMonitorSelector: {}, serviceMonitorNamespaceSelector: {}, \
                 remoteWrite: [{url: 'https://one.example.com'}], additionalScrapeConfigs: {name: jobs, key: jobs}}\n---\n\
                 apiVersion: v1\nkind: Secret\nmetadata: {name: jobs, namespace: m}\nstringData: {jobs: '[{job_name: planted}]'}\n";
    let monitor = |name: &str, interval: &str, rules: &str| {
        format!(
            "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {{name: {name}, namespace: shop}}\n\
             spec:\n  selector: {{matchLabels: {{app: {name}}}}}\n  endpoints: [{{port: http, interval: {interval}, \
             metricRelabelings: [{rules}]}}]\n"
        )
    };
    let rule = "{sourceLabels: [a], regex: b, action: drop}";
    for (file, text) in [
        ("agent.yaml", agent.to_owned()),
        ("web.yaml", monitor("web", "30s", rule)),
        ("old.yaml", monitor("old", "30s", "")),
    ] {
        write(&folder, file, &text);
    }
    for args in ["init -q", "add .", "-c user.name=t -c user.email=t@example.com commit -q -m first"] {
        let status = std::process::Command::new("git").args(args.split(' ')).current_dir(&folder).status();
        assert!(status.unwrap().success());
    }
    write(&folder, "agent.yaml", &agent.replace("logLevel: info", "logLevel: debug").replace("one.ex", "two.ex"));
    write(
        &folder,
        "web.yaml",
        &monitor("web", "15s", "{sourceLabels: [c], regex: d, action: drop}, {regex: e, action: labeldrop}"),
    );
    write(&folder, "new.yaml", &monitor("new", "30s", ""));
    fs::remove_file(folder.join("old.yaml")).unwrap();
    folder
}

#[test]
fn plans_the_changes_since_a_revision() {
    let folder = edited_repository("since");
    let run = |args: &[&str]| support::run(&folder, ["diff", "--since", "HEAD"].iter().chain(args), b"");
    let output = run(&[]);
    assert_eq!(output.status, Some(1), "{}", output.stderr);
    let plan = output.stdout.split("Changes since HEAD:\n").nth(1).unwrap();
    let expected = "  ~ Secret/m/agent-config
    ~ server.log_level: info -> debug
    instance m/main
      + job serviceMonitor/shop/new/0
      - job serviceMonitor/shop/old/0
      ~ job serviceMonitor/shop/web/0: metric_relabel_configs +2 -1, scrape_interval 30s -> 15s
      - client https://one.example.com
      + client https://two.example.com
0 objects added, 1 changed, 0 removed; 1 job added, 1 changed, 1 removed
";
    assert_eq!(plan, expected);
    // Each hunk is labeled with the job of its first difference.
    let hunks: Vec<_> = output.stdout.lines().filter(|line| line.starts_with("@@")).collect();
    assert!(hunks.iter().any(|hunk| hunk.ends_with("@@ serviceMonitor/shop/web/0")), "{hunks:?}");
    let markdown = run(&["-o", "markdown"]).stdout;
    let expected = "**0 objects added, 1 changed, 0 removed; 1 job added, 1 changed, 1 removed** since `HEAD`\n\n\
                    - `~` `Secret/m/agent-config`\n  - `~` `server.log_level: info -> debug`\n  - `instance m/main`\n    \
                    - `+` `job serviceMonitor/shop/new/0`\n";
    assert!(markdown.starts_with(expected), "{markdown}");
    assert!(
        markdown.contains("<details><summary>Differences</summary>\n\n```diff\n--- Secret/m/agent-config\n"),
        "{markdown}"
    );
    let json: serde_json::Value = serde_json::from_str(&run(&["-o", "json"]).stdout).unwrap();
    let changes = json["changes"][0]["configuration"].as_array().unwrap();
    assert_eq!(
        changes[0],
        serde_json::json!({
            "part": "setting", "name": "server.log_level", "action": "changed", "details": ["info -> debug"],
        })
    );
    for text in [&output.stdout, &markdown, &json.to_string()] {
        assert!(!text.contains("planted"), "{text}");
    }
    let unchanged_run =
        support::run(&folder, ["diff", "--since", "HEAD", "agent.yaml", "web.yaml", "--against", "x"], b"");
    assert_eq!(unchanged_run.status, Some(2), "{}", unchanged_run.stdout);
    // A changed job from a Secret is counted, but not named.
    let text = fs::read_to_string(folder.join("agent.yaml")).unwrap();
    write(&folder, "agent.yaml", &text.replace("planted", "planted2"));
    let output = run(&[]);
    assert!(
        output.stdout.contains("job of additional scrape configs") && !output.stdout.contains("planted"),
        "{}",
        output.stdout
    );
}

#[test]
fn compares_targets_with_an_untracked_export() {
    let folder = edited_repository("targets");
    let export = |app: &str, ip: &str| {
        format!(
            "apiVersion: v1\nkind: Service\nmetadata: {{name: {app}, namespace: shop, labels: {{app: {app}}}}}\n\
             spec: {{ports: [{{name: http, port: 80}}]}}\n---\napiVersion: v1\nkind: Endpoints\n\
             metadata: {{name: {app}, namespace: shop, labels: {{app: {app}}}}}\n\
             subsets: [{{addresses: [{{ip: {ip}}}], ports: [{{name: http, port: 8080}}]}}]\n---\n"
        )
    };
    let export = export("new", "10.0.0.1") + &export("old", "10.0.0.2");
    let output = support::run(&folder, ["diff", "--since", "HEAD", ".", "-f", "-"], export.as_bytes());
    assert!(output.stdout.contains("- lost    http://10.0.0.2:8080/metrics"), "{}{}", output.stdout, output.stderr);
    assert!(output.stdout.contains("+ gained  http://10.0.0.1:8080/metrics"), "{}", output.stdout);
    let markdown = ["diff", "--since", "HEAD", ".", "-f", "-", "-o", "markdown"];
    let markdown = support::run(&folder, markdown, export.as_bytes()).stdout;
    assert!(markdown.contains("\n0 targets unchanged, 1 lost, 1 gained, 0 changed\n"), "{markdown}");
}

/// Tests that a changed Service is reported as a difference even if all manifests are equal.
#[test]
fn exits_with_1_if_only_targets_differ() {
    let folder = edited_repository("only-targets");
    let objects = |ip: &str| {
        format!(
            "apiVersion: v1\nkind: Service\nmetadata: {{name: web, namespace: shop, labels: {{app: web}}}}\n\
             spec: {{ports: [{{name: http, port: 80}}]}}\n---\napiVersion: v1\nkind: Endpoints\n\
             metadata: {{name: web, namespace: shop, labels: {{app: web}}}}\n\
             subsets: [{{addresses: [{{ip: {ip}}}], ports: [{{name: http, port: 8080}}]}}]\n"
        )
    };
    write(&folder, "objects.yaml", &objects("10.0.0.1"));
    for args in ["add .", "-c user.name=t -c user.email=t@example.com commit -q -m second"] {
        let status = std::process::Command::new("git").args(args.split(' ')).current_dir(&folder).status();
        assert!(status.unwrap().success());
    }
    let diff = || support::run(&folder, ["diff", "--since", "HEAD", ".", "-o", "markdown"], b"");
    let unchanged_run = diff();
    assert_eq!(unchanged_run.status, Some(0), "{unchanged_run:?}");
    write(&folder, "objects.yaml", &objects("10.0.0.2"));
    let actual = diff();
    let start = "**0 objects added, 0 changed, 0 removed** since `HEAD`\n\n\
                 0 targets unchanged, 1 lost, 1 gained, 0 changed\n\n<details>";
    assert!(actual.stdout.starts_with(start), "{actual:?}");
    assert_eq!(actual.status, Some(1), "{actual:?}");
}

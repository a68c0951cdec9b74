//! Tests of `agentctl targets`. The result for each case in `testdata/targets/cases` must be the same as that of the
//! real programs: a kube-apiserver, and the discovery, scrape manager and relabeling code in the agent's Prometheus. No
//! export, however malformed, may make agentctl itself fail.
//!
//! `AGENTCTL_MUTATIONS=50000 cargo test --release --test all targets` tests more modified exports.

use std::collections::BTreeMap;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use agentctl::admit::{self, AdmittedDocument};
use agentctl::check;
use agentctl::compile::{CompileOptions, read};
use agentctl::insight::targets::for_each_group;
use agentctl::resolve::{self, MissingSecrets};
use agentctl::source::{Source, Sources};
use agentctl::targets::observed::{self, ObservedObjects};
use agentctl::targets::relabel::PrometheusVersion;
use agentctl::targets::scrape::{Cluster, TargetScope};
use serde_json::{Map, Value, json};

use crate::support;
use crate::support::mutate::{Random, mutate};

fn folder() -> PathBuf {
    support::root().join("testdata/targets")
}

fn cases() -> Vec<PathBuf> {
    support::folders(&folder().join("cases"))
}

fn targets(args: &[&str]) -> support::Run {
    let walkthrough = folder().join("walkthrough");
    support::run(&walkthrough, [&["targets", "manifests.yaml", "export.yaml"], args].concat(), b"")
}

type Jobs = BTreeMap<String, [Vec<String>; 2]>;

/// Sorts the active and dropped targets in each job and shard, and removes empty jobs.
fn sort_jobs(mut jobs: Jobs) -> Jobs {
    jobs.values_mut().flatten().for_each(|targets| targets.sort());
    jobs.retain(|_, targets| targets.iter().any(|targets| !targets.is_empty()));
    jobs
}

fn key(target: &Value, job: &Value) -> String {
    format!("{} {} {} {} {job}", target["agent"], target["kind"], target["instance"], target["shard"])
}

/// Formats an active target as text. If two targets are equal, either one may be kept, so their discovered labels are
/// ignored.
fn format_active(target: &Value) -> String {
    let field = |name: &str| target.get(name).cloned().unwrap_or_default();
    json!([field("url"), field("path"), field("host"), field("labels")]).to_string()
}

fn expected_jobs(case: &Path) -> Jobs {
    let text = fs::read_to_string(case.join("expected/targets.json")).unwrap();
    let recorded: Value = serde_json::from_str(&text).unwrap();
    let mut jobs = Jobs::new();
    for group in recorded["groups"].as_array().unwrap() {
        for job in group["jobs"].as_array().unwrap() {
            let discovered = |target: &Value| {
                let base = target["base"].as_u64().unwrap() as usize;
                let mut labels: Map<_, _> = recorded["bases"][base].as_object().unwrap().clone();
                let own_labels = target.get("own").unwrap_or(&job["own"]);
                labels.extend(own_labels.as_object().unwrap().clone());
                Value::Object(labels)
            };
            let list = |name: &str| job[name].as_array().into_iter().flatten();
            let active = list("active").map(format_active);
            let dropped = list("dropped").map(|target| discovered(target).to_string());
            jobs.insert(key(group, &job["job"]), [active.collect(), dropped.collect()]);
        }
    }
    sort_jobs(jobs)
}

fn listed_jobs(case: &Path) -> Jobs {
    let run = support::run(case, ["targets", "-f", "input", "-o", "json"], b"");
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""), "{}", case.display());
    let answer: Value = serde_json::from_str(&run.stdout).unwrap();
    let mut jobs = Jobs::new();
    for target in answer["targets"].as_array().unwrap() {
        let [scraped, dropped] = jobs.entry(key(target, &target["job"])).or_default();
        match target["state"].as_str().unwrap() {
            "active" => scraped.push(format_active(target)),
            "dropped" => dropped.push(target["discovered"].to_string()),
            _ => {}
        }
    }
    sort_jobs(jobs)
}

#[test]
fn targets_match_a_real_cluster() {
    let (mut failures, mut count) = (Vec::new(), 0);
    for case in cases() {
        let (expected, actual) = (expected_jobs(&case), listed_jobs(&case));
        count += expected.len();
        let jobs = expected.keys().chain(actual.keys());
        let different = jobs.filter(|job| expected.get(*job) != actual.get(*job));
        failures.extend(different.map(|job| format!("{}: {job}", case.display())));
    }
    failures.dedup();
    support::report(&failures);
    assert!(cases().len() > 10 && count > 40, "found only {count} jobs");
}

#[test]
fn table_shows_counts_and_dropping_rules() {
    let run = targets(&[]);
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    for part in [
        "  active   10.42.0.18:8080  shard 0  pod=checkout-7d9c6b5f4-lm4vd\n",
        "  dropped  1 target  by spec.endpoints[0].relabelings[0] (manifests.yaml:37)\n",
        "\n3 targets of 2 jobs on 2 shards, 1 dropped, 1 job without targets\n",
    ] {
        assert!(run.stdout.contains(part), "{}", run.stdout);
    }
    let run = targets(&["--job", "podMonitor/shop/batch/0", "--dropped"]);
    assert!(run.stdout.contains("10.42.0.20:8080  pod shop/cart-6f5b8-2kq9x\n"), "{}", run.stdout);
    let run = targets(&["--monitor", "smon/checkout", "-o", "list"]);
    assert_eq!(run.stdout, "10.42.0.16:8080\n10.42.0.17:8080\n10.42.0.18:8080\n");
}

#[test]
fn explains_targets_rule_by_rule() {
    let run = targets(&["--explain", "10.42.0.19:8080", "--monitor", "smon/checkout"]);
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    let end = "   12 drop [__meta_kubernetes_pod_label_track] ~ \"canary\"  spec.endpoints[0].relabelings[0] (manifests.yaml:37)\n      \
               drops the target\n";
    assert!(run.stdout.ends_with(end), "{}", run.stdout);
    let run = targets(&["--explain", "10.42.0.99:8080"]);
    assert_eq!((run.status, run.stdout.as_str()), (Some(1), ""));
}

#[test]
fn comparison_shows_lost_and_changed_targets() {
    let scratch = support::scratch("targets-against");
    let file = scratch.join("earlier.json");
    let write = |text: &str| fs::write(&file, text).unwrap();
    let json = targets(&["-o", "json"]).stdout;
    write(&json);
    let compare = |args: &[&str]| targets(&[&["--against", file.to_str().unwrap()], args].concat());
    let run = compare(&[]);
    assert_eq!((run.status, run.stdout.as_str()), (Some(0), "3 targets unchanged, 0 lost, 0 gained, 0 changed\n"));

    // In Prometheus' response, one target has a different label, and the other target is missing from the input.
    let labels = json!({"container": "app", "endpoint": "metrics", "instance": "10.42.0.16:8080", "job": "checkout", "namespace": "shop",
        "pod": "checkout-7d9c6b5f4-8xk2p", "service": "payment"});
    let answer = json!({"status": "success", "data": {"activeTargets": [
        {"scrapeUrl": "http://10.42.0.16:8080/metrics", "labels": labels, "discoveredLabels": {}},
        {"scrapeUrl": "http://10.42.0.7:8080/metrics", "labels": {"job": "x", "api_token": "hunter2"}, "discoveredLabels": {}},
    ]}});
    write(&answer.to_string());
    let run = compare(&[]);
    assert_eq!(run.status, Some(1));
    for part in [
        "- lost    http://10.42.0.7:8080/metrics",
        "~ changed http://10.42.0.16:8080/metrics",
        "service: \"payment\" -> \"checkout\"",
        "0 targets unchanged, 1 lost, 2 gained, 1 changed",
    ] {
        assert!(run.stdout.contains(part), "{part}: {}", run.stdout);
    }
    assert!(!run.stdout.contains("hunter2"), "{}", run.stdout);
    let differences: Value = serde_json::from_str(&compare(&["-o", "json"]).stdout).unwrap();
    assert_eq!(differences["same"], 0);

    for text in ["", "no JSON", "[1, 2]", "{\"status\": \"error\"}", "{\"targets\": ["] {
        write(text);
        let run = compare(&[]);
        assert_eq!((run.status, run.stdout.as_str()), (Some(1), ""), "{text}");
        assert!(run.stderr.contains("invalid-target"), "{}", run.stderr);
    }
}

#[test]
fn masks_tokens_in_annotations() {
    let export = r#"{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "namespace": "shop", "labels": {"app": "nightly"},
        "annotations": {"example.com/api-token": "hunter2", "note": "glpat-abcdefghij0123456789"}}, "spec": {"containers": [
        {"name": "c", "ports": [{"name": "metrics", "containerPort": 80}]}]}, "status": {"podIP": "10.0.0.1"}}"#;
    let args = ["targets", "manifests.yaml", "-", "--explain", "10.0.0.1:80"];
    let run = support::run(&folder().join("walkthrough"), args, export.as_bytes());
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("scraped at http://10.0.0.1:80/metrics"), "{}", run.stdout);
    for secret in ["hunter2", "glpat-abcdefghij0123456789"] {
        assert!(!run.stdout.contains(secret), "{}", run.stdout);
    }
}

/// Returns the number of targets found for `resources`, given an export from the cluster.
fn count(resources: &str, export: &str) -> usize {
    let mut sources = Sources::default();
    sources.add(Source::new("resources.yaml", resources, true));
    sources.add(Source::new("export.yaml", export, true));
    let options = CompileOptions {
        resolve: resolve::ResolveOptions {
            missing_secrets: MissingSecrets::Placeholder,
            ..resolve::ResolveOptions::default()
        },
        keep: Some(observed::kept_fields),
        ..CompileOptions::default()
    };
    let (documents, _) = read(&sources, &options);
    let resources = admit::decode(&documents, "default").output;
    let hierarchies = resolve::resolve(&resources, &options.resolve).output;
    let objects = ObservedObjects::read(documents.iter().map(AdmittedDocument::document), &sources, "default");
    let cluster = Cluster::new(&objects, PrometheusVersion::V2);
    check::check_targets(&resources, &hierarchies, &objects, &options.render.manifest.target);
    let mut count = 0;
    for_each_group(&cluster, hierarchies.iter(), &|_, _| true, &mut |_, group| {
        cluster.targets(group, TargetScope::All, &mut |_| count += 1);
        let mut selected = 0;
        cluster.targets(group, TargetScope::Selected, &mut |actual| {
            selected += usize::from(!matches!(actual.state, agentctl::targets::scrape::TargetState::Dropped(_)));
        });
        assert!(selected <= count);
    });
    count
}

#[test]
fn modified_exports_cause_no_panics_or_leaks() {
    let mutation_count: usize = std::env::var("AGENTCTL_MUTATIONS").map_or(200, |count| count.parse().unwrap());
    let inputs: Vec<_> = cases()
        .iter()
        .map(|case| {
            ["resources", "objects"].map(|name| fs::read_to_string(case.join(format!("input/{name}.yaml"))).unwrap())
        })
        .filter(|[_, objects]| objects.len() < 24 * 1024)
        .collect();
    assert!(inputs.len() > 2, "{} small cases", inputs.len());
    let mut total = 0;
    for number in 0..mutation_count {
        let mut random = Random::new(number as u64 + 1);
        let [resources, objects] = &inputs[random.below(inputs.len())];
        let [_, other] = &inputs[random.below(inputs.len())];
        let changed_objects = String::from_utf8_lossy(&mutate(objects, other, &mut random)).into_owned();
        match catch_unwind(|| count(resources, &changed_objects)) {
            Ok(count) => total += count,
            Err(_) => panic!("number {number} fails:\n{changed_objects}"),
        }
    }
    assert!(total > mutation_count, "only {total} targets");
}

/// Runs a command on the walkthrough's resources and the additional resources in `added_resources`.
fn run_with_resources(command: &[&str], added_resources: &str) -> support::Run {
    let args = [command, &["-f", "manifests.yaml", "-f", "-"]].concat();
    support::run(&folder().join("walkthrough"), args, added_resources.as_bytes())
}

const SERVICE: &str = "
apiVersion: v1
kind: Service
metadata: {name: checkout, namespace: shop, labels: {app: checkout}}
spec:
  selector: {app: checkout}
  ports: [{name: metrics, port: 80, targetPort: http}]
---
";
const WORKLOADS: &str = "
apiVersion: apps/v1
kind: Deployment
metadata: {name: checkout, namespace: shop}
spec:
  template:
    metadata: {labels: {app: checkout}}
    spec: {containers: [{name: app, ports: [{name: http, containerPort: 8080}, {name: admin, containerPort: 8081}]}]}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly, namespace: shop}
spec:
  jobTemplate:
    spec:
      template:
        metadata: {labels: {app: nightly}}
        spec: {containers: [{name: app, ports: [{name: metrics, containerPort: 9090}]}]}
---
";

#[test]
fn does_not_check_cluster_objects() {
    let resources = "
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: a, namespace: shop}
spec: {metrics: {instanceSelector: {}, instanceNamespaceSelector: {matchLabels: {rights: '0644', team: 'y'}}}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: m, namespace: shop}
spec: {remoteWrite: [{url: 'http://u'}], probeSelector: {}}
---
apiVersion: monitoring.coreos.com/v1
kind: Probe
metadata: {name: p, namespace: shop}
spec: {prober: {url: b}, targets: {staticConfig: {static: [site]}}}
---
";
    // The aggregator reads a Service if an APIService refers to it.
    let service = "
apiVersion: v1
kind: Service
metadata: {name: metrics, namespace: shop}
spec: {ports: [{port: 443}]}
";
    let api_service = "
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1beta1.metrics.k8s.io}
spec: {group: metrics.k8s.io, version: v1beta1, groupPriorityMinimum: 100, versionPriority: 100, insecureSkipTLSVerify: true,
  service: {name: metrics, namespace: shop}}
";
    let returned_service = service.replace("shop}", "shop, uid: 9c1d}");
    let resources = format!("{resources}{service}---{api_service}---{returned_service}---\n");
    // A tool other than kubectl wrote this export and quoted its strings as YAML 1.2 requires. The input also contains
    // a manifest of the Namespace.
    let export = "
apiVersion: v1
kind: Namespace
metadata: {name: shop, uid: 4cf1, labels: {rights: 0644, team: y}}
---
apiVersion: v1
kind: Node
metadata: {name: n, labels: {on: yes, size: 1.0}, annotations: {a: 1}}
---
";
    let manifest = "{apiVersion: v1, kind: Namespace, metadata: {name: shop, labels: {team: web}}}\n---\n";
    for input in [
        format!("{resources}{manifest}{export}"),
        format!("{export}{manifest}{resources}"),
        format!("{export}{resources}"),
    ] {
        let run = |args: &[&str]| support::run(&folder(), args.to_vec(), input.as_bytes());
        let check_run = run(&["check", "-"]);
        assert!(check_run.stdout.ends_with("no findings\n"), "{}", check_run.stdout);
        assert!(run(&["targets", "-"]).stdout.contains("  b:80"), "{input}");
    }
    let repeated_run =
        support::run(&folder(), vec!["check", "-"], format!("{resources}{manifest}{manifest}").as_bytes());
    assert!(repeated_run.stdout.contains("duplicate-resource"), "{}", repeated_run.stdout);
}

#[test]
fn targets_without_running_pods_are_potential() {
    let input = format!("{SERVICE}{WORKLOADS}");
    let run = run_with_resources(&["targets"], &input);
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    for part in [
        "  potential  <pod-ip>:8080\n  dropped  1 target  by spec.endpoints[0].port",
        "  potential  <pod-ip>:9090\n",
        "\n2 potential targets of 2 jobs on 2 shards, 1 dropped\n",
    ] {
        assert!(run.stdout.contains(part), "{}", run.stdout);
    }
    assert!(run.stderr.contains("these are potential targets"), "{}", run.stderr);
    let answer: Value = serde_json::from_str(&run_with_resources(&["targets", "-o", "json"], &input).stdout).unwrap();
    let first_target = &answer["targets"][0];
    assert_eq!(
        [&first_target["state"], &first_target["shard"], &first_target["labels"]["pod"]],
        [&json!("potential"), &json!(null), &json!("checkout-<hash>-<id>")]
    );
    assert_eq!(run_with_resources(&["targets", "-o", "list"], &input).stdout, "");

    // A numeric `targetPort` selects a container port by number, and a quoted number by name. Without a `targetPort`,
    // the number of the Service port is used, which matches no container port here.
    let has_potential_target = |target: &str| {
        let run = run_with_resources(&["targets"], &input.replace(", targetPort: http", target));
        run.stdout.contains("  potential  <pod-ip>:8080\n")
    };
    assert!(has_potential_target(", targetPort: 8080") && !has_potential_target(", targetPort: '8080'"));
    assert!(!has_potential_target("") && !has_potential_target(", targetPort: 99999999999"));

    // The name of a bare pod is known, whereas only part of the name is known if a workload creates the pod.
    let pods = ["DaemonSet", "StatefulSet", "Deployment"].map(|kind| {
        format!(
            "{{apiVersion: apps/v1, kind: {kind}, metadata: {{name: x, namespace: shop}}, spec: {{template: {{metadata: {{labels: {{app: \
             nightly}}}}, spec: {{containers: [{{name: a, ports: [{{name: metrics, containerPort: 1}}]}}]}}}}}}}}\n---\n"
        )
    });
    let run = run_with_resources(&["targets", "--monitor", "pmon/batch"], &pods.concat());
    for name in ["x-<id>", "x-<ordinal>", "x-<hash>-<id>"] {
        assert!(run.stdout.contains(&format!("pod={name}")), "{name}: {}", run.stdout);
    }
}

#[test]
fn why_lists_steps_up_to_the_first_without_targets() {
    let export = fs::read_to_string(folder().join("walkthrough/export.yaml")).unwrap();
    let steps = |resource: &str, export: &str| {
        let run = run_with_resources(&["why", resource], export);
        assert_eq!(run.status, Some(0), "{}", run.stderr);
        run.stdout
    };
    let text = steps("smon/checkout", &export);
    for part in [
        "  ✓ 1 Service in namespace `shop` (manifests.yaml:30)\n",
        "  ✓ 4 targets at their endpoints (manifests.yaml:35)\n",
        "  ✓ 3 left after `drop [__meta_kubernetes_pod_label_track] ~ \"canary\"` (manifests.yaml:37)\n",
        "  ✓ 3 targets are scraped, divided among 2 shards\n",
    ] {
        assert!(text.contains(part), "{text}");
    }
    let text = steps("pmon/batch", &export);
    assert!(
        text.ends_with(
            "  ✗ none matches the selector (manifests.yaml:47)\n    - compare the selector with the labels of each pod\n"
        ),
        "{text}"
    );
    let text = steps("smon/checkout", &export.replace("name: metrics", "name: http"));
    assert!(text.ends_with("  ✗ none has port `metrics`: the only port is `http` (manifests.yaml:35)\n"), "{text}");
    let canaries = export.replace("      track: canary\n", "");
    let canaries = canaries.replace("app: checkout\n", "app: checkout\n      track: canary\n");
    let text = steps("smon/checkout", &canaries);
    assert!(text.contains("  ✗ 0 left after `drop"), "{text}");

    let run = run_with_resources(&["why", "smon/checkout", "-o", "json"], &export);
    let answer: Value = serde_json::from_str(&run.stdout).unwrap();
    let job = &answer["resources"][0]["targets"][0];
    assert_eq!([&job["targets"], &job["steps"][0]["ok"]], [&json!(3), &json!(true)]);
    let run = run_with_resources(
        &["why", "smon/checkout", "-o", "json"],
        "{apiVersion: v1, kind: Namespace, metadata: {name: shop}}",
    );
    assert!(!run.stdout.contains("\"targets\""), "{}", run.stdout);
}

/// Returns the findings about targets in the short format.
fn findings(input: &str) -> Vec<String> {
    let run = run_with_resources(&["check", "--message-format", "short", "--verbose"], input);
    let codes_about_targets = ["no-matching", "unknown-port", "service-without", "unknown-name", "drops-every"];
    let lines = run.stdout.lines().filter(|line| codes_about_targets.iter().any(|code| line.contains(code)));
    lines.map(str::to_owned).collect()
}

#[test]
fn check_reports_where_monitors_lose_targets() {
    let export = fs::read_to_string(folder().join("walkthrough/export.yaml")).unwrap();
    let nightly = "manifests.yaml:49:12: warning[no-matching-object]: no pod in namespace `shop` matches this selector";
    let unchanged_findings = findings(&export);
    assert_eq!(unchanged_findings.len(), 1, "{unchanged_findings:?}");
    assert!(unchanged_findings[0].starts_with(nightly), "{unchanged_findings:?}");
    for (from, to, place, text) in [
        (
            "      app: checkout\n    name: checkout\n",
            "      app: chekout\n    name: checkout\n",
            "manifests.yaml:33:12: warning[no-matching-object]: no Service in namespace `shop` matches",
            "did you mean `chekout`? [see <stdin>:122:12]",
        ),
        (
            "name: metrics",
            "name: metrcs",
            "manifests.yaml:35:11: warning[unknown-port]: Service `shop/checkout` has no port `metrics`",
            "did you mean `metrcs`, the only port?",
        ),
        (
            "namespace: shop",
            "namespace: store",
            "warning[no-matching-object]: no Service in namespace `shop` matches",
            "add `store` to `matchNames`",
        ),
        (
            "      app: checkout\n",
            "      app: checkout\n      track: canary\n",
            "manifests.yaml:37:7: warning[drops-every-target]: this rule drops all 4 targets",
            "`regex` must match the whole value",
        ),
    ] {
        assert!(export.contains(from));
        let export = export.replace("      track: canary\n", "");
        let actual = findings(&export.replace(from, to));
        let is_expected = |line: &String| line.contains(place) && line.contains(text);
        assert!(actual.iter().any(is_expected), "{place} {text}: {actual:#?}");
    }
}

#[test]
fn check_allows_for_objects_outside_the_input() {
    let inputs_without_findings: &[&str] = &[
        // Services and pods exist only in other namespaces.
        &SERVICE.replace("shop", "other"),
        &WORKLOADS.replace("shop", "other"),
        // An export that contains neither Endpoints nor pods does not show whether the cluster has any.
        &SERVICE.replace("labels:", "uid: a, labels:"),
    ];
    for input in inputs_without_findings {
        assert_eq!(findings(input), Vec::<String>::new(), "{input}");
    }
    // If the input contains no other cluster objects, the finding is only a note.
    let actual = findings(&SERVICE.replace("labels: {app: checkout}", "labels: {app: web}"));
    assert!(actual.iter().any(|line| line.contains("note[no-matching-object]")), "{actual:?}");
    let actual = findings(&SERVICE.replace("  selector: {app: checkout}\n", ""));
    assert!(actual.iter().any(|line| line.contains("note[service-without-endpoints]")), "{actual:?}");
}

#[test]
fn shards_and_tree_page_find_targets_in_the_input() {
    let export = fs::read_to_string(folder().join("walkthrough/export.yaml")).unwrap();
    let run = run_with_resources(&["shards", "-o", "list"], &export);
    assert_eq!(run.stdout, "1 10.42.0.16:8080\n1 10.42.0.17:8080\n0 10.42.0.18:8080\n", "{}", run.stderr);
    let run = run_with_resources(&["shards", "--to", "3"], "{apiVersion: v1, kind: Namespace, metadata: {name: shop}}");
    assert_eq!(run.status, Some(2));
    assert!(run.stderr.contains("no targets"), "{}", run.stderr);
    let run = run_with_resources(&["tree", "-o", "html"], &export);
    for part in
        ["[\"active\",\"10.42.0.18:8080\",\"shard 0\"]", "by spec.endpoints[0].relabelings[0] (manifests.yaml:37)"]
    {
        assert!(run.stdout.contains(part), "{part}");
    }
}

#[test]
fn alloy_targets_have_no_default_port() {
    let probe = "
apiVersion: monitoring.coreos.com/v1
kind: Probe
metadata: {name: web, namespace: monitoring}
spec:
  prober: {url: prober.example.com}
  targets:
    staticConfig:
      static: [web.example.com]
      relabelingConfigs:
      - {targetLabel: instance, replacement: ''}
      - {action: labeldrop, regex: instance}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: probes, namespace: monitoring}
spec: {probeSelector: {}}
";
    let urls = |args: &[&str]| {
        let answer: Value =
            serde_json::from_str(&run_with_resources(&[&["targets", "-o", "json"], args].concat(), probe).stdout)
                .unwrap();
        let target = &answer["targets"][0];
        (target["url"].to_string(), target["labels"]["instance"].to_string())
    };
    let (url, instance) = urls(&[]);
    assert!(
        url.contains("prober.example.com:80/probe") && instance.contains("prober.example.com:80"),
        "{url} {instance}"
    );
    let (url, instance) = urls(&["--target", "alloy"]);
    assert!(url.contains("prober.example.com/probe") && instance == "\"prober.example.com\"", "{url} {instance}");
    let pod = "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: shop}}";
    let page = |args: &[&str]| {
        run_with_resources(&[&["tree", "-o", "html"], args].concat(), &format!("{probe}---\n{pod}")).stdout
    };
    assert!(page(&[]).contains("[\"active\",\"prober.example.com:80\""));
    assert!(page(&["--target", "alloy"]).contains("[\"active\",\"prober.example.com\""));
}

#[test]
fn rejects_too_many_targets_before_computing_them() {
    let mut input = String::new();
    for number in 0..1_500 {
        input.push_str(&format!(
            "---\napiVersion: monitoring.coreos.com/v1\nkind: PodMonitor\nmetadata: {{name: m{number}, namespace: shop}}\nspec: {{selector: {{}}, podMetricsEndpoints: [{{}}]}}\n\
             ---\napiVersion: v1\nkind: Pod\nmetadata: {{name: p{number}, namespace: shop}}\nspec: {{containers: [{{name: a}}, {{name: b}}]}}\nstatus: {{podIP: 10.0.0.1}}\n"
        ));
    }
    let run = run_with_resources(&["targets", "-o", "json"], &input);
    assert_eq!((run.status, run.stdout.as_str()), (Some(1), ""));
    assert!(run.stderr.contains("target-limit"), "{}", run.stderr);
    let run = run_with_resources(&["targets", "-o", "list", "--monitor", "pmon/m7"], &input);
    assert_eq!(run.status, Some(0), "{}", run.stderr);
}

#[test]
fn rejected_configurations_have_no_targets() {
    let case = support::root().join("testdata/cases/refused-targets");
    let run = |args: &[&str]| support::run(&case, args.to_vec(), b"");
    let why = run(&["why", "pmon/other", "-f", "input"]);
    let step = "✗ podMonitor/shop/other/0  monitoring/primary of GrafanaAgent monitoring/agent\n  \
                ✗ the agent rejects its configuration: `(` is not a valid regular expression: `(` has no closing `)` (input/all.yaml:26)\n";
    assert!(why.stdout.ends_with(step), "{}", why.stdout);
    assert_eq!(why.status, Some(1));
    let answer: Value = serde_json::from_str(&run(&["why", "pmon/other", "-f", "input", "-o", "json"]).stdout).unwrap();
    let job = &answer["resources"][0]["targets"][0];
    assert_eq!([&job["targets"], &job["refused"]], [&json!(0), &json!(true)]);
    // Logs have a separate configuration, which is not rejected.
    let logs = run(&["why", "podlogs/web", "-f", "input"]);
    assert!(logs.stdout.ends_with("  ✓ 1 target is read\n"), "{}", logs.stdout);
    assert_eq!(logs.status, Some(0));
    let page = run(&["tree", "input", "-o", "html"]);
    assert!(page.stderr.contains("invalid-regex"), "{}", page.stderr);
    assert_eq!(page.stdout.matches("[\"active\",").count(), 1);
    assert_eq!(page.status, Some(1));
    // Alloy does not read the agent's configuration, so its jobs remain.
    let alloy = run(&["targets", "-f", "input", "--target", "alloy"]);
    assert!(alloy.stdout.contains("podMonitor/shop/other/0"), "{}", alloy.stdout);
}

const ADDITIONAL_JOBS: &str = "
apiVersion: v1
kind: Secret
metadata: {name: jobs, namespace: monitoring}
stringData:
  jobs.yaml: |
    - job_name: secret-job
      static_configs:
      - targets: [hidden.example.com:9, other.example.com:9]
        labels: {plan: hunter2}
      relabel_configs:
      - {source_labels: [__address__], regex: 'hidden.*', action: drop}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: extra, namespace: monitoring}
spec: {additionalScrapeConfigs: {name: jobs, key: jobs.yaml}}
";

#[test]
fn hides_targets_of_jobs_in_secrets() {
    let scratch = support::scratch("targets-secret");
    let file = scratch.join("earlier.json");
    let json = run_with_resources(&["targets", "-o", "json"], ADDITIONAL_JOBS).stdout;
    assert!(json.contains("\"by\":\"/secrets/monitoring/jobs/jobs.yaml:6\""), "{json}");
    fs::write(&file, &json).unwrap();
    let compare = |more: &str| run_with_resources(&["targets", "--against", file.to_str().unwrap()], more);
    assert_eq!(compare(ADDITIONAL_JOBS).status, Some(0));
    for more in
        [String::new(), ADDITIONAL_JOBS.replace("hunter2", "hunter3"), ADDITIONAL_JOBS.replace("secret-job", "x")]
    {
        let run = compare(&more);
        for secret in ["hunter", "secret-job", "other.example.com"] {
            assert!(!run.stdout.contains(secret), "{}", run.stdout);
        }
        if !more.contains("job_name: x") {
            assert!(run.stdout.contains("1 target from jobs in a Secret"), "{}", run.stdout);
        }
    }
    let run = run_with_resources(&["targets", "--explain", "other.example.com:9"], ADDITIONAL_JOBS);
    let expected = "additional job [0] `secret-job` has the target, but the job's rules are in a Secret; -o json lists the target's labels\n";
    assert_eq!((run.status, run.stdout.as_str()), (Some(0), expected), "{}", run.stderr);
    // An agent's response does not show which jobs come from a Secret, so labels are shown only for jobs whose names
    // look like a monitor's.
    let answer = json!({"status": "success", "data": [
        {"instance": "i", "target_group": "secret-job", "endpoint": "http://other.example.com:9/metrics", "state": "up",
         "labels": {"plan": "hunter2"}, "discovered_labels": {}, "last_scrape": "x", "scrape_duration_ms": 1, "scrape_error": ""},
        {"instance": "i", "target_group": "serviceMonitor/shop/gone/0", "endpoint": "http://10.0.0.9:1/metrics", "state": "up",
         "labels": {"job": "gone"}, "discovered_labels": {}}]});
    fs::write(&file, answer.to_string()).unwrap();
    let run = compare("{apiVersion: v1, kind: Namespace, metadata: {name: shop}}");
    assert_eq!(run.status, Some(1), "{}", run.stderr);
    assert!(!run.stdout.contains("hunter2") && !run.stdout.contains("other.example"), "{}", run.stdout);
    assert!(run.stdout.contains("job=\"gone\""), "{}", run.stdout);
}

#[test]
fn reads_incomplete_exports_as_far_as_possible() {
    let export = fs::read_to_string(folder().join("walkthrough/export.yaml")).unwrap();
    // If an export is truncated, the error is reported at its end, and no result is printed.
    let truncated_export = export.split("containerPort: 8080\n        name: metr").next().unwrap();
    let run = run_with_resources(&["targets"], &format!("{truncated_export}containerPort: 8080\n        name: 'metr"));
    assert_eq!(run.status, Some(1), "{}", run.stdout);
    assert!(run.stderr.contains("yaml-syntax"), "{}", run.stderr);
    for (from, to) in [
        ("    name: checkout\n    namespace: shop\n  subsets:", "    namespace: shop\n  subsets:"),
        ("  subsets:\n", "  other:\n"),
        ("      port: 8080\n", "      port: 99999999999\n"),
        ("- containerPort: 8080", "- containerPort: -7"),
        ("podIP: 10.42.0.16", "podIP: [1]"),
    ] {
        assert!(export.contains(from), "{from}");
        let run = run_with_resources(&["targets"], &export.replace(from, to));
        assert_eq!(run.status, Some(0), "{to}: {}", run.stderr);
        assert!(run.stdout.contains(" of 2 jobs on 2 shards"), "{to}: {}", run.stdout);
    }
    let scratch = support::scratch("targets-other-server");
    let file = scratch.join("answer");
    for (answer, message) in [
        ("{\"status\":\"success\",\"data\":{\"alerts\":[]}}", "the file is not a list of targets"),
        ("<!doctype html><title>Login</title>", "the file is not valid JSON"),
        ("{\"status\":\"success\",\"data\":{\"activeTargets\":[", "the JSON is incomplete"),
    ] {
        fs::write(&file, answer).unwrap();
        let run = run_with_resources(&["targets", "--against", file.to_str().unwrap()], &export);
        assert_eq!((run.status, run.stdout.as_str()), (Some(1), ""));
        assert!(run.stderr.contains(message) && run.stderr.contains("/api/v1/targets"), "{}", run.stderr);
    }
}

#[test]
fn findings_and_pages_show_no_tokens_from_the_export() {
    let export = fs::read_to_string(folder().join("walkthrough/export.yaml")).unwrap();
    let canaries = ["hunter2", "glpat-abcdefghij0123456789"];
    let export = export.replace(
        "    name: checkout\n    namespace: shop\n  spec:",
        "    annotations: {example.com/api-token: hunter2, note: glpat-abcdefghij0123456789}\n    name: checkout\n    namespace: shop\n  spec:",
    );
    assert!(export.contains("hunter2"));
    let export = export.replace("name: metrics", "name: http");
    for command in [
        &["check"][..],
        &["check", "--message-format", "json"],
        &["why", "smon/checkout"],
        &["tree", "-o", "html"],
        &["targets", "--dropped"],
        &["targets", "--explain", "10.42.0.16:8080"],
    ] {
        let run = run_with_resources(command, &export);
        for canary in canaries {
            assert!(!run.stdout.contains(canary) && !run.stderr.contains(canary), "{command:?}: {}", run.stdout);
        }
    }
}

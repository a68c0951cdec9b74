//! `agentctl targets`: the cases in `testdata/targets/cases` come out as real programs found them (a kube-apiserver, and the
//! discovery, scrape manager and relabeling of the agent's own Prometheus), and exports of any kind do no harm.
//!
//! `AGENTCTL_MUTATIONS=50000 cargo test --release --test all targets` tries more changed exports.

use std::collections::BTreeMap;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use agentctl::admit::{self, AdmittedDocument};
use agentctl::compile::{Options, read};
use agentctl::insight::targets::each_group;
use agentctl::observed::Objects;
use agentctl::resolve::{self, MissingSecrets};
use agentctl::scrape::{Cluster, Extent};
use agentctl::source::{Source, Sources};
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
    support::run(
        &walkthrough,
        [&["targets", "manifests.yaml", "export.yaml"], args].concat(),
        b"",
    )
}

type Jobs = BTreeMap<String, [Vec<String>; 2]>;

/// The active and the dropped targets of each job and shard, as texts in order.
fn sorted(mut jobs: Jobs) -> Jobs {
    jobs.values_mut().flatten().for_each(|targets| targets.sort());
    jobs.retain(|_, targets| targets.iter().any(|targets| !targets.is_empty()));
    jobs
}

fn key(of: &Value, job: &Value) -> String {
    format!(
        "{} {} {} {} {job}",
        of["agent"], of["kind"], of["instance"], of["shard"]
    )
}

/// An active target. Of two that are the same, chance decides whose discovered labels are shown.
fn active(target: &Value) -> String {
    let field = |name: &str| target.get(name).cloned().unwrap_or_default();
    json!([field("url"), field("path"), field("host"), field("labels")]).to_string()
}

fn expected(case: &Path) -> Jobs {
    let text = fs::read_to_string(case.join("expected/targets.json")).unwrap();
    let truth: Value = serde_json::from_str(&text).unwrap();
    let mut jobs = Jobs::new();
    for group in truth["groups"].as_array().unwrap() {
        for job in group["jobs"].as_array().unwrap() {
            let discovered = |target: &Value| {
                let base = target["base"].as_u64().unwrap() as usize;
                let mut labels: Map<_, _> = truth["bases"][base].as_object().unwrap().clone();
                let own = target.get("own").unwrap_or(&job["own"]);
                labels.extend(own.as_object().unwrap().clone());
                Value::Object(labels)
            };
            let list = |name: &str| job[name].as_array().into_iter().flatten();
            let active = list("active").map(active);
            let dropped = list("dropped").map(|target| discovered(target).to_string());
            jobs.insert(key(group, &job["job"]), [active.collect(), dropped.collect()]);
        }
    }
    sorted(jobs)
}

fn found(case: &Path) -> Jobs {
    let run = support::run(case, ["targets", "-f", "input", "-o", "json"], b"");
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""), "{}", case.display());
    let answer: Value = serde_json::from_str(&run.stdout).unwrap();
    let mut jobs = Jobs::new();
    for target in answer["targets"].as_array().unwrap() {
        let [scraped, dropped] = jobs.entry(key(target, &target["job"])).or_default();
        match target["state"].as_str().unwrap() {
            "active" => scraped.push(active(target)),
            "dropped" => dropped.push(target["discovered"].to_string()),
            _ => {}
        }
    }
    sorted(jobs)
}

#[test]
fn targets_are_those_of_a_real_cluster() {
    let mut failures = Vec::new();
    for case in cases() {
        let (expected, found) = (expected(&case), found(&case));
        let jobs = expected.keys().chain(found.keys());
        let different = jobs.filter(|job| expected.get(*job) != found.get(*job));
        failures.extend(different.map(|job| format!("{}: {job}", case.display())));
    }
    failures.dedup();
    support::report(&failures);
    assert!(cases().len() > 10);
}

#[test]
fn a_table_counts_and_names_the_rule_that_drops() {
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
    assert!(
        run.stdout.contains("10.42.0.20:8080  pod shop/cart-6f5b8-2kq9x\n"),
        "{}",
        run.stdout
    );
    let run = targets(&["--monitor", "smon/checkout", "-o", "list"]);
    assert_eq!(run.stdout, "10.42.0.16:8080\n10.42.0.17:8080\n10.42.0.18:8080\n");
}

#[test]
fn a_target_is_explained_rule_by_rule() {
    let run = targets(&["--explain", "10.42.0.19:8080", "--monitor", "smon/checkout"]);
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    let end = "   12 drop [__meta_kubernetes_pod_label_track] ~ \"canary\"  spec.endpoints[0].relabelings[0] (manifests.yaml:37)\n      \
               drops the target\n";
    assert!(run.stdout.ends_with(end), "{}", run.stdout);
    let run = targets(&["--explain", "10.42.0.99:8080"]);
    assert_eq!((run.status, run.stdout.as_str()), (Some(1), ""));
}

#[test]
fn a_comparison_shows_what_is_lost_and_changed() {
    let scratch = support::scratch("targets-against");
    let file = scratch.join("earlier.json");
    let write = |text: &str| fs::write(&file, text).unwrap();
    let json = targets(&["-o", "json"]).stdout;
    write(&json);
    let against = |args: &[&str]| targets(&[&["--against", file.to_str().unwrap()], args].concat());
    let run = against(&[]);
    assert_eq!(
        (run.status, run.stdout.as_str()),
        (Some(0), "3 targets the same, 0 lost, 0 gained, 0 changed\n")
    );

    // Prometheus knows one target with another label, and one that is gone.
    let labels = json!({"container": "app", "endpoint": "metrics", "instance": "10.42.0.16:8080", "job": "checkout", "namespace": "shop",
        "pod": "checkout-7d9c6b5f4-8xk2p", "service": "payment"});
    let answer = json!({"status": "success", "data": {"activeTargets": [
        {"scrapeUrl": "http://10.42.0.16:8080/metrics", "labels": labels, "discoveredLabels": {}},
        {"scrapeUrl": "http://10.42.0.7:8080/metrics", "labels": {"job": "x", "api_token": "hunter2"}, "discoveredLabels": {}},
    ]}});
    write(&answer.to_string());
    let run = against(&[]);
    assert_eq!(run.status, Some(1));
    for part in [
        "- lost    http://10.42.0.7:8080/metrics",
        "~ changed http://10.42.0.16:8080/metrics",
        "service: \"payment\" -> \"checkout\"",
        "0 targets the same, 1 lost, 2 gained, 1 changed",
    ] {
        assert!(run.stdout.contains(part), "{part}: {}", run.stdout);
    }
    assert!(!run.stdout.contains("hunter2"), "{}", run.stdout);
    let differences: Value = serde_json::from_str(&against(&["-o", "json"]).stdout).unwrap();
    assert_eq!(differences["same"], 0);

    for text in ["", "no JSON", "[1, 2]", "{\"status\": \"error\"}", "{\"targets\": ["] {
        write(text);
        let run = against(&[]);
        assert_eq!((run.status, run.stdout.as_str()), (Some(1), ""), "{text}");
        assert!(run.stderr.contains("invalid-target"), "{}", run.stderr);
    }
}

#[test]
fn tokens_in_annotations_are_masked_for_people() {
    let export = r#"{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "namespace": "shop", "labels": {"app": "nightly"},
        "annotations": {"example.com/api-token": "hunter2", "note": "glpat-abcdefghij0123456789"}}, "spec": {"containers": [
        {"name": "c", "ports": [{"name": "metrics", "containerPort": 80}]}]}, "status": {"podIP": "10.0.0.1"}}"#;
    let args = ["targets", "manifests.yaml", "-", "--explain", "10.0.0.1:80"];
    let run = support::run(&folder().join("walkthrough"), args, export.as_bytes());
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    assert!(
        run.stdout.contains("scraped at http://10.0.0.1:80/metrics"),
        "{}",
        run.stdout
    );
    for secret in ["hunter2", "glpat-abcdefghij0123456789"] {
        assert!(!run.stdout.contains(secret), "{}", run.stdout);
    }
}

/// The targets of resources and an export; how many there are.
fn count(resources: &str, export: &str) -> usize {
    let mut sources = Sources::default();
    sources.add(Source::new("resources.yaml", resources, true));
    sources.add(Source::new("export.yaml", export, true));
    let options = Options {
        resolve: resolve::Options {
            missing_secrets: MissingSecrets::Placeholder,
            ..resolve::Options::default()
        },
        ..Options::default()
    };
    let documents = read(&sources, &options).output;
    let resources = admit::decode(&documents, "default").output;
    let hierarchies = resolve::resolve(&resources, &options.resolve).output;
    let objects = Objects::read(documents.iter().map(AdmittedDocument::document), &sources, "default");
    let cluster = Cluster::new(&objects);
    let mut count = 0;
    each_group(hierarchies.iter(), &|_, _| true, &mut |_, group| {
        cluster.targets(group, Extent::All, &mut |_| count += 1);
        let mut selected = 0;
        cluster.targets(group, Extent::Selected, &mut |found| {
            selected += usize::from(!matches!(found.state, agentctl::scrape::State::Dropped(_)));
        });
        assert!(selected <= count);
    });
    count
}

#[test]
fn changed_exports_do_no_harm() {
    let tries: usize = std::env::var("AGENTCTL_MUTATIONS").map_or(200, |count| count.parse().unwrap());
    let inputs: Vec<_> = cases()
        .iter()
        .map(|case| {
            ["resources", "objects"].map(|name| fs::read_to_string(case.join(format!("input/{name}.yaml"))).unwrap())
        })
        .filter(|[_, objects]| objects.len() < 24 * 1024)
        .collect();
    assert!(inputs.len() > 2, "{} small cases", inputs.len());
    let mut total = 0;
    for number in 0..tries {
        let mut random = Random::new(number as u64 + 1);
        let [resources, objects] = &inputs[random.below(inputs.len())];
        let [_, other] = &inputs[random.below(inputs.len())];
        let changed = String::from_utf8_lossy(&mutate(objects, other, &mut random)).into_owned();
        match catch_unwind(|| count(resources, &changed)) {
            Ok(count) => total += count,
            Err(_) => panic!("number {number} fails:\n{changed}"),
        }
    }
    assert!(total > tries, "only {total} targets");
}

//! `agentctl affected` against brute force: each resource of each case is taken away and changed, one at a time,
//! all is rendered again, and the objects that came out differently are those that were said to depend on it.
//!
//! Changes leave alone what selects the resource; of Namespaces, whose labels select, they are labels that let in and keep
//! out. `AGENTCTL_ALL_CASES=1` changes every resource of every case, otherwise a few of each kind in the smaller cases.

use crate::compiled::options_of;
use crate::support;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use agentctl::admit;
use agentctl::compile::{Options, read};
use agentctl::diagnostic::has_errors;
use agentctl::insight::affected::dependents;
use agentctl::insight::catalogue::Catalogue;
use agentctl::insight::graph::Graph;
use agentctl::render;
use agentctl::resolve;
use agentctl::source::{Source, Sources};
use agentctl::yaml::{self, Limits, to_json};
use rayon::prelude::*;
use serde_json::{Value, json};

/// What is rendered, by kind, namespace and name.
type Objects = BTreeMap<String, Value>;

/// Larger cases are left out where nobody asks for them: brute force renders each a hundred times.
const LARGE: u64 = 60_000;

/// So many resources of a kind are changed where nobody asks for more.
const FEW: usize = 4;

/// Whether everything was asked for.
fn all() -> bool {
    std::env::var_os("AGENTCTL_ALL_CASES").is_some()
}

/// The recorded cases that the operator rendered, and those in `testdata/affected`.
fn cases() -> Vec<PathBuf> {
    let groups = support::folders(&support::root().join("testdata/conformance"));
    let own = support::folders(&support::root().join("testdata/affected"));
    let recorded = groups.iter().flat_map(|group| support::folders(group));
    let recorded = recorded.filter(|case| case.join("expected/objects.json").exists());
    let is_small = |case: &PathBuf| {
        let files = fs::read_dir(case.join("input")).unwrap();
        files.map(|file| file.unwrap().metadata().unwrap().len()).sum::<u64>() < LARGE
    };
    let small = recorded.filter(|case| all() || is_small(case));
    small.chain(own).collect()
}

/// The objects of all files of a folder, as Kubernetes reads them.
fn resources(folder: &Path) -> Vec<Value> {
    let mut objects = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        let id = Sources::default().add(Source::new("", "", true));
        for document in yaml::read(id, &text, &Limits::default()).output {
            let object = to_json(document.root());
            match object["items"].as_array() {
                Some(items) => objects.extend(items.clone()),
                None => objects.push(object),
            }
        }
    }
    objects.retain(Value::is_object);
    objects
}

fn sources(objects: &[Value]) -> Sources {
    let mut sources = Sources::default();
    for object in objects {
        // JSON may hold this character, YAML may not.
        let text = object.to_string().replace('\u{7f}', "\\u007f");
        sources.add(Source::new("", text, true));
    }
    sources
}

/// What is rendered of these objects; none where they are not accepted.
fn render(objects: &[Value], options: &Options) -> Option<Objects> {
    let sources = sources(objects);
    let documents = read(&sources, options);
    let resources = admit::decode(&documents.output, "default");
    let hierarchies = resolve::resolve(&resources.output, &options.resolve);
    let mut diagnostics = documents.diagnostics;
    diagnostics.extend(resources.diagnostics);
    diagnostics.extend(hierarchies.diagnostics);
    let mode = &options.resolve.secrets;
    let rendering = render::delivered(&resources.output, &hierarchies.output, mode, &options.render);
    diagnostics.extend(rendering.diagnostics);
    let objects = rendering.output.iter();
    let objects = objects.map(|object| (format!("{object:?}"), object.to_json()));
    (!has_errors(&diagnostics)).then(|| objects.collect())
}

/// What is said to depend on each of the objects.
fn predicted(objects: &[Value], options: &Options) -> Vec<BTreeSet<String>> {
    let sources = sources(objects);
    let documents = read(&sources, options);
    let resources = admit::decode(&documents.output, "default");
    let selections = resolve::Selections::new(&resources.output);
    let hierarchies = resolve::resolve_selected(&resources.output, &selections, &options.resolve);
    let mode = &options.resolve.secrets;
    let rendering = render::delivered(&resources.output, &hierarchies.output, mode, &options.render).output;
    let catalogue = Catalogue::new(&documents.output, &resources.output, "default");
    let of_source = |(id, _)| {
        let targets = catalogue.in_sources(&[id]);
        let graph = Graph {
            resources: &resources.output,
            selections: &selections,
            hierarchies: &hierarchies.output,
        };
        let affected = dependents(graph, &rendering, &targets);
        let objects = affected
            .agents
            .iter()
            .flat_map(|agent| &agent.objects)
            .chain(&affected.others);
        objects
            .map(|object| format!("{}/{}/{}", object.kind, object.namespace, object.name))
            .collect()
    };
    sources.iter().map(of_source).collect()
}

/// The objects that are on one side only, or different.
fn changed(before: &Objects, after: &Objects) -> BTreeSet<String> {
    let keys = before.keys().chain(after.keys());
    keys.filter(|key| before.get(*key) != after.get(*key))
        .cloned()
        .collect()
}

/// Ways to change an object.
fn changes(object: &Value, all: &[Value]) -> Vec<Value> {
    let mut spec = object.clone();
    match object["kind"].as_str().unwrap() {
        "ServiceMonitor" => push(&mut spec["spec"]["endpoints"], json!({"port": "added"})),
        "PodMonitor" => push(&mut spec["spec"]["podMetricsEndpoints"], json!({"port": "added"})),
        "Probe" => spec["spec"]["interval"] = json!("77s"),
        "PodLogs" => spec["spec"]["jobLabel"] = json!("added"),
        "MetricsInstance" => spec["spec"]["walTruncateFrequency"] = json!("77m"),
        "LogsInstance" => spec["spec"]["targetConfig"] = json!({"syncPeriod": "77s"}),
        "Integration" => {
            spec["spec"]["config"]["added"] = json!("x");
            mount_elsewhere(&mut spec["spec"]["volumeMounts"]);
        }
        "GrafanaAgent" => {
            spec["spec"]["logLevel"] = json!(if spec["spec"]["logLevel"] == "warn" {
                "info"
            } else {
                "warn"
            })
        }
        "Secret" | "ConfigMap" => return values(object),
        "Namespace" => return labels(object, all),
        "Node" => spec["status"]["addresses"] = json!([{"type": "InternalIP", "address": "10.77.77.77"}]),
        _ => return Vec::new(),
    }
    let mut renamed = object.clone();
    rename(&mut renamed["spec"]);
    vec![spec, renamed]
}

fn is_referred_to(object: &Value) -> bool {
    object["kind"] == "Secret" || object["kind"] == "ConfigMap"
}

fn renamed(object: &Value) -> Value {
    let mut other = object.clone();
    other["metadata"]["name"] = format!("{}-renamed", object["metadata"]["name"].as_str().unwrap()).into();
    other
}

/// Lets mounts be elsewhere: of several at one place, only the first counts.
fn mount_elsewhere(mounts: &mut Value) {
    for mount in mounts.as_array_mut().into_iter().flatten() {
        mount["mountPath"] = format!("{}-moved", mount["mountPath"].as_str().unwrap_or_default()).into();
    }
}

fn push(list: &mut Value, item: Value) {
    match list.as_array_mut() {
        Some(items) => items.push(item),
        None => *list = json!([item]),
    }
}

/// Lets every reference to a key name another object.
fn rename(value: &mut Value) {
    match value {
        Value::Object(fields) if fields.len() <= 3 && fields.contains_key("key") && fields.contains_key("name") => {
            let name = format!("{}-renamed", fields["name"].as_str().unwrap());
            fields["name"] = name.into();
        }
        Value::Object(fields) => fields.values_mut().for_each(rename),
        Value::Array(items) => items.iter_mut().for_each(rename),
        _ => {}
    }
}

/// Other values, which scrape jobs can be too.
fn values(object: &Value) -> Vec<Value> {
    let mut other = object.clone();
    for (field, value) in [
        ("data", "LSBqb2JfbmFtZTogYWRkZWQK"),
        ("stringData", "- job_name: added\n"),
        ("binaryData", "LSBqb2JfbmFtZTogYWRkZWQK"),
    ] {
        let encoded = field == "data" && object["kind"] == "ConfigMap";
        let value = if encoded { "- job_name: added\n" } else { value };
        if let Some(fields) = other[field].as_object_mut() {
            fields.values_mut().for_each(|old| *old = value.into());
        }
    }
    vec![other]
}

/// Labels that each namespace selector of the input selects, and none at all.
fn labels(object: &Value, all: &[Value]) -> Vec<Value> {
    let mut selectors = Vec::new();
    all.iter().for_each(|object| collect_selectors(object, &mut selectors));
    let labelled = |labels: Value| {
        let mut other = object.clone();
        other["metadata"]["labels"] = labels;
        other
    };
    let wanted = selectors
        .iter()
        .flat_map(|selector| [satisfying(selector), violating(selector)]);
    let mut changed: Vec<_> = wanted.map(labelled).collect();
    changed.push(labelled(json!({})));
    changed
}

fn collect_selectors(value: &Value, found: &mut Vec<Value>) {
    for (key, value) in value.as_object().into_iter().flatten() {
        let is_selector = key.to_ascii_lowercase().ends_with("namespaceselector") && !value.is_null();
        if is_selector {
            found.push(value.clone());
        }
        collect_selectors(value, found);
    }
}

fn satisfying(selector: &Value) -> Value {
    let mut labels = selector["matchLabels"].as_object().cloned().unwrap_or_default();
    for expression in selector["matchExpressions"].as_array().into_iter().flatten() {
        let key = expression["key"].as_str().unwrap().to_owned();
        match expression["operator"].as_str().unwrap() {
            "In" => drop(labels.insert(key, expression["values"][0].clone())),
            "Exists" => drop(labels.insert(key, "x".into())),
            _ => {}
        }
    }
    labels.into()
}

/// Labels with which the expressions that forbid some do not hold.
fn violating(selector: &Value) -> Value {
    let mut labels = serde_json::Map::new();
    for expression in selector["matchExpressions"].as_array().into_iter().flatten() {
        let key = expression["key"].as_str().unwrap().to_owned();
        match expression["operator"].as_str().unwrap() {
            "NotIn" => drop(labels.insert(key, expression["values"][0].clone())),
            "DoesNotExist" => drop(labels.insert(key, "x".into())),
            _ => {}
        }
    }
    labels.into()
}

/// The objects that come out differently in one way or another.
fn by_force(objects: &[Value], i: usize, before: &Objects, options: &Options) -> BTreeSet<String> {
    let mut without = objects.to_vec();
    without.remove(i);
    let others = changes(&objects[i], objects).into_iter().map(|changed| {
        let mut all = objects.to_vec();
        all[i] = changed;
        // What a renamed reference leads to.
        all.extend(objects.iter().filter(|object| is_referred_to(object)).map(renamed));
        all
    });
    std::iter::once(without)
        .chain(others)
        .filter_map(|objects| render(&objects, options))
        .flat_map(|after| changed(before, &after))
        .collect()
}

/// Whether a resource is changed: of each kind, some that are spread evenly.
fn is_tried(objects: &[Value], i: usize) -> bool {
    let alike: Vec<_> = (0..objects.len())
        .filter(|&j| objects[j]["kind"] == objects[i]["kind"])
        .collect();
    let step = alike.len().div_ceil(FEW);
    all() || alike.iter().step_by(step).any(|&j| j == i)
}

fn disagreements(case: &Path) -> Vec<String> {
    let options = options_of(case);
    let objects = resources(&case.join("input"));
    let before = render(&objects, &options).unwrap_or_else(|| panic!("{}", case.display()));
    let mut failures = Vec::new();
    for (i, predicted) in predicted(&objects, &options).into_iter().enumerate() {
        if !is_tried(&objects, i) {
            continue;
        }
        let forced = by_force(&objects, i, &before, &options);
        // What is not there cannot be said to change.
        let forced: BTreeSet<_> = forced.into_iter().filter(|key| before.contains_key(key)).collect();
        if predicted != forced {
            let metadata = &objects[i]["metadata"];
            failures.push(format!(
                "{}: {} {}/{}: predicted {predicted:?}, found {forced:?}",
                case.display(),
                objects[i]["kind"],
                metadata["namespace"],
                metadata["name"]
            ));
        }
    }
    failures
}

#[test]
fn what_is_said_to_depend_is_what_changes_by_force() {
    let cases = cases();
    assert!(cases.len() > 55, "found only {} cases", cases.len());
    let failures: Vec<_> = cases.par_iter().flat_map_iter(|case| disagreements(case)).collect();
    support::report(&failures);
}

const AGENT: &str = "\
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: NAME, namespace: m}
spec: {metrics: {instanceSelector: {matchLabels: {of: NAME}}}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: NAME, namespace: m, labels: {of: NAME}}
spec: {probeSelector: {matchLabels: {of: NAME}}, additionalScrapeConfigs: {name: jobs, key: NAME}}
";

const PROBE: &str = "\
apiVersion: monitoring.coreos.com/v1
kind: Probe
metadata: {name: web, namespace: m, labels: {of: NAME}}
spec: {prober: {url: prober}, targets: {staticConfig: {static: [a]}}}
";

const SECRET: &str = "\
apiVersion: v1
kind: Secret
metadata: {name: jobs, namespace: m}
stringData: {a: '- job_name: planted', b: '- job_name: planted'}
";

/// A repository with the agents `a` and `b`, a Probe that `a` selects, and a Secret of both, in a folder `manifests`.
fn repository(name: &str) -> PathBuf {
    let folder = support::scratch(&format!("affected-{name}"));
    fs::create_dir_all(folder.join("manifests/sub")).unwrap();
    let manifests = folder.join("manifests");
    fs::write(manifests.join("a.yaml"), AGENT.replace("NAME", "a")).unwrap();
    fs::write(manifests.join("b.yaml"), AGENT.replace("NAME", "b")).unwrap();
    fs::write(manifests.join("secret.yaml"), SECRET).unwrap();
    fs::write(manifests.join("sub/probe.yaml"), PROBE.replace("NAME", "a")).unwrap();
    git(&folder, &["init", "-q"]);
    git(&folder, &["add", "."]);
    let name = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
    git(&folder, &[&name[..], &["commit", "-q", "-m", "first"]].concat());
    folder
}

fn git(folder: &Path, args: &[&str]) {
    let mut git = Command::new("git");
    let status = git
        .arg("-C")
        .arg(folder)
        .args(args)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .status();
    assert!(status.unwrap().success(), "git {args:?}");
}

fn affected(folder: &Path, args: &[&str]) -> String {
    let run = support::run(folder, ["affected"].iter().chain(args), b"");
    assert_eq!(run.status, Some(0), "{args:?}: {}", run.stderr);
    let shown = format!("{}{}", run.stdout, run.stderr);
    assert!(!shown.contains("planted"), "{shown}");
    run.stdout
}

#[test]
fn what_differs_since_a_revision_is_shown_by_agent() {
    let folder = repository("affected-since");
    let since = ["--since", "HEAD", "manifests"];
    assert_eq!(affected(&folder, &since), "0 agents affected, 0 objects\n");
    // A probe that moves affects both, a file that git does not know is new, and one that is gone is not there.
    fs::write(folder.join("manifests/sub/probe.yaml"), PROBE.replace("NAME", "b")).unwrap();
    fs::write(folder.join("manifests/c.yaml"), AGENT.replace("NAME", "c")).unwrap();
    fs::write(
        folder.join("manifests/secret.yaml"),
        SECRET.replace("a: '", "c: '- job_name: planted', a: '"),
    )
    .unwrap();
    let expected = "\
GrafanaAgent/m/a
  ~ Secret/m/a-config changed

GrafanaAgent/m/b
  ~ Secret/m/b-config changed

GrafanaAgent/m/c
  + Secret/m/c-secrets added
  + Secret/m/c-config added
  + Service/m/c-operated added
  + StatefulSet/m/c added

3 agents affected, 6 objects
";
    assert_eq!(affected(&folder, &since), expected);
    fs::remove_file(folder.join("manifests/a.yaml")).unwrap();
    let names = ["--since", "HEAD", "manifests", "-o", "names"];
    assert_eq!(affected(&folder, &names), "m/b\nm/c\n");
    // From inside the directory, and for a file alone.
    let inside = folder.join("manifests");
    assert_eq!(affected(&inside, &["--since", "HEAD", "-o", "names"]), "m/b\nm/c\n");
    let file = ["--since", "HEAD", "b.yaml", "-f", "secret.yaml", "-o", "names"];
    assert_eq!(affected(&inside, &file), "");
    let json: Value =
        serde_json::from_str(&affected(&folder, &["--since", "HEAD", "manifests", "-o", "json"])).unwrap();
    let changes: Vec<_> = json["agents"][0]["objects"]
        .as_array()
        .unwrap()
        .iter()
        .map(|o| &o["change"])
        .collect();
    assert_eq!(
        (&json["agents"][0]["rendered"], changes),
        (&json!(false), vec![&json!("removed"); 4])
    );
}

#[test]
fn a_revision_with_errors_rendered_nothing() {
    let folder = repository("affected-broken");
    fs::write(folder.join("manifests/secret.yaml"), "a: [").unwrap();
    let run = support::run(&folder, ["affected", "--since", "HEAD", "manifests"], b"");
    assert_eq!((run.status, run.stdout.as_str()), (Some(1), ""));
    git(
        &folder,
        &[
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@example.com",
            "commit",
            "-q",
            "-a",
            "-m",
            "broken",
        ],
    );
    fs::write(folder.join("manifests/secret.yaml"), SECRET).unwrap();
    let run = support::run(
        &folder,
        ["affected", "--since", "HEAD", "manifests", "-o", "names"],
        b"",
    );
    assert_eq!((run.status, run.stdout.as_str()), (Some(0), "m/a\nm/b\n"));
    let note = "note: `HEAD` has errors and renders nothing, so that everything counts as added\n";
    assert_eq!(run.stderr, note);
}

#[test]
fn what_git_cannot_say_is_trouble() {
    let folder = repository("affected-trouble");
    let run = |args: &[&str]| support::run(&folder, ["affected"].iter().chain(args), b"");
    let unknown = run(&["--since", "nowhere", "manifests"]);
    let expected = "error: revision `nowhere` not found; where the clone is shallow, fetch it first\n";
    assert_eq!((unknown.status, unknown.stderr.as_str()), (Some(2), expected));
    // A revision is not an option.
    assert_eq!(run(&["--since=--help", "manifests"]).status, Some(2));
    let piped = support::run(&folder, ["affected", "--since", "HEAD", "-f", "-"], SECRET.as_bytes());
    assert_eq!(piped.status, Some(2), "{}", piped.stderr);
    assert_eq!(run(&["--since", "HEAD", "probe/web"]).status, Some(1));
    assert_eq!(run(&["gone.yaml", "-f", "manifests"]).status, Some(2));
}

#[cfg(unix)]
#[test]
fn links_are_followed_at_a_revision_too() {
    let folder = repository("affected-links");
    fs::write(
        folder.join("elsewhere.yaml"),
        AGENT.replace("NAME", "d").replace("key: d", "key: a"),
    )
    .unwrap();
    std::os::unix::fs::symlink("../elsewhere.yaml", folder.join("manifests/link.yaml")).unwrap();
    git(&folder, &["add", "."]);
    git(
        &folder,
        &[
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@example.com",
            "commit",
            "-q",
            "-m",
            "second",
        ],
    );
    assert_eq!(affected(&folder, &["--since", "HEAD", "manifests", "-o", "names"]), "");
    assert_eq!(
        affected(&folder, &["--since", "HEAD~1", "manifests", "-o", "names"]),
        "m/d\n"
    );
}

#[test]
fn the_names_are_those_that_render_takes() {
    let folder = repository("affected-render");
    let names = affected(&folder, &["probe/web", "-f", "manifests", "-o", "names"]);
    assert_eq!(names, "m/a\n");
    let render = |agent: &str| support::run(&folder, ["render", "manifests", "--agent", agent, "-o", "json"], b"");
    let list: Value = serde_json::from_str(&render(names.trim()).stdout).unwrap();
    let names = list["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|object| object["metadata"]["name"].as_str().unwrap());
    assert_eq!(names.collect::<Vec<_>>(), ["a-secrets", "a-config", "a-operated", "a"]);
    let unknown = render("m/aa");
    assert_eq!((unknown.status, unknown.stdout.as_str()), (Some(1), ""));
    assert!(unknown.stderr.contains("did you mean `m/a`?"), "{}", unknown.stderr);
}

#[test]
fn the_settings_that_a_pattern_names_are_no_manifest_at_a_revision() {
    let folder = repository("affected-settings");
    fs::write(folder.join("agentctl.yaml"), "severity: {}\n").unwrap();
    git(&folder, &["add", "."]);
    let author = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
    git(&folder, &[&author[..], &["commit", "-q", "-m", "settings"]].concat());
    let args = ["--since", "HEAD", "agentctl.yaml", "manifests", "-o", "names"];
    assert_eq!(affected(&folder, &args), "");
}

#[test]
fn settings_add_no_input_to_what_is_compared() {
    let folder = repository("affected-inputs");
    fs::write(folder.join("agentctl.yaml"), "").unwrap();
    fs::create_dir(folder.join("other")).unwrap();
    fs::write(
        folder.join("other/agent.yaml"),
        AGENT.replace("NAME", "z").replace("key: z", "key: a"),
    )
    .unwrap();
    assert_eq!(affected(&folder, &["--since", "HEAD", "-o", "names"]), "m/z\n");
    assert_eq!(affected(&folder, &["--since", "HEAD", "manifests", "-o", "names"]), "");
}

#[test]
fn what_render_refuses_of_several_agents_is_an_error() {
    let folder = repository("affected-duplicate");
    let agent = |name| {
        let agent = AGENT.replace("key: NAME", "key: a").replace("NAME", name);
        agent.replace("spec: {metrics", "spec: {logs: {instanceSelector: {}}, metrics")
    };
    let logs = "apiVersion: monitoring.grafana.com/v1alpha1\nkind: LogsInstance\nmetadata: {name: logs, namespace: m}\nspec: {}\n";
    fs::write(
        folder.join("manifests/both.yaml"),
        [&agent("q"), &agent("q-logs"), logs].join("---\n"),
    )
    .unwrap();
    let rendered = support::run(&folder, ["render", "manifests"], b"");
    let run = support::run(&folder, ["affected", "--since", "HEAD", "manifests"], b"");
    let duplicate = "error[duplicate-object]";
    assert_eq!((rendered.status, run.status), (Some(1), Some(1)), "{}", rendered.stderr);
    assert!(
        run.stderr.contains(duplicate) && rendered.stderr.contains(duplicate),
        "{}",
        run.stderr
    );
}

#[test]
fn files_at_a_revision_have_a_limit_too() {
    let folder = repository("affected-limit");
    let file = folder.join("manifests/secret.yaml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("{text}# {}\n", "x".repeat(70_000))).unwrap();
    git(&folder, &["add", "."]);
    let author = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
    git(&folder, &[&author[..], &["commit", "-q", "-m", "large"]].concat());
    fs::write(&file, text).unwrap();
    let args = ["affected", "--since", "HEAD", "manifests", "--max-file-size", "64KiB"];
    let run = support::run(&folder, args, b"");
    assert_eq!(run.status, Some(2));
    assert!(run.stderr.contains("larger than 64KiB"), "{}", run.stderr);
}

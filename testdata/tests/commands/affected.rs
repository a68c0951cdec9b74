//! Compares `agentctl affected` with brute force. The test removes one resource at a time from a case and renders the
//! others. The objects that change must be those that the command reports.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use agentctl::compile::CompileOptions;
use agentctl::diagnostic::Severity;
use agentctl::insight::affected::dependents;
use agentctl::insight::resolved::resolve;
use agentctl::source::Sources;
use agentctl::yaml::to_json;
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::support;
use crate::support::options_of;
use crate::testing::{self, TestInput};

/// Rendered objects, keyed by kind, namespace and name.
type Objects = BTreeMap<String, Value>;

/// Maximum size of a case in bytes. Larger cases are skipped, because each case is rendered about a hundred times.
const MAX_CASE_BYTES: u64 = 60_000;

/// Maximum number of resources of each kind to remove.
const MAX_REMOVED: usize = 4;

/// Returns the cases that were recorded from the operator and those in `testdata/affected`.
fn cases() -> Vec<PathBuf> {
    let groups = support::folders(&support::root().join("testdata/conformance"));
    let own_folders = support::folders(&support::root().join("testdata/affected"));
    let recorded = groups.iter().flat_map(|group| support::folders(group));
    let recorded = recorded.filter(|case| case.join("expected/objects.json").exists());
    let is_small = |case: &PathBuf| {
        let files = fs::read_dir(case.join("input")).unwrap();
        files.map(|file| file.unwrap().metadata().unwrap().len()).sum::<u64>() < MAX_CASE_BYTES
    };
    recorded.filter(is_small).chain(own_folders).collect()
}

/// Returns the objects in all files in a directory, read as Kubernetes reads them.
fn resources(folder: &Path) -> Vec<Value> {
    let mut objects = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        for document in testing::documents(&text) {
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
    // JSON may contain U+007F unescaped, but YAML may not.
    TestInput::numbered(objects.iter().map(|object| object.to_string().replace('\u{7f}', "\\u007f"))).sources
}

/// Renders the objects, or returns `None` if they are rejected.
fn render(objects: &[Value], options: &CompileOptions) -> Option<Objects> {
    resolve(&sources(objects), Vec::new(), options, |input| {
        let rendering = input.rendering();
        let mut findings = input.findings().chain(&rendering.diagnostics);
        let is_accepted = findings.all(|finding| finding.severity != Severity::Error);
        let rendered = rendering.output.iter();
        let rendered = rendered.map(|object| (format!("{object:?}"), object.to_json()));
        is_accepted.then(|| rendered.collect())
    })
}

/// Returns, for each input object, the rendered objects that are reported as depending on it.
fn predict_affected(objects: &[Value], options: &CompileOptions) -> Vec<BTreeSet<String>> {
    let sources = sources(objects);
    resolve(&sources, Vec::new(), options, |input| {
        let (rendering, catalog) = (input.rendering().output, input.catalog());
        let dependents_of_source = |(id, _)| {
            let affected = dependents(&input, &rendering, &catalog.in_sources(&[id]));
            let agents = affected.agents.iter().flat_map(|agent| &agent.objects);
            let names = agents.chain(&affected.others);
            names.map(|object| format!("{}/{}/{}", object.kind, object.namespace, object.name)).collect()
        };
        sources.iter().map(dependents_of_source).collect()
    })
}

/// Returns the rendered objects that disappear or change when object `i` is removed, or `None` if the remaining objects
/// are rejected.
fn brute_force(objects: &[Value], i: usize, before: &Objects, options: &CompileOptions) -> Option<BTreeSet<String>> {
    let mut remaining_objects = objects.to_vec();
    remaining_objects.remove(i);
    let after = render(&remaining_objects, options)?;
    let differs = |key: &&String| before.get(*key) != after.get(*key);
    Some(before.keys().filter(differs).cloned().collect())
}

/// Whether the test removes object `i`. It removes at most `MAX_REMOVED` evenly spaced objects of each kind.
fn is_sampled(objects: &[Value], i: usize) -> bool {
    let same_kind: Vec<_> = (0..objects.len()).filter(|&j| objects[j]["kind"] == objects[i]["kind"]).collect();
    let step = same_kind.len().div_ceil(MAX_REMOVED);
    same_kind.iter().step_by(step).any(|&j| j == i)
}

/// Returns the number of removed resources, and the wrong predictions.
fn disagreements(case: &Path) -> (usize, Vec<String>) {
    let options = options_of(case);
    let objects = resources(&case.join("input"));
    let before = render(&objects, &options).unwrap_or_else(|| panic!("{}", case.display()));
    let (mut compared_count, mut failures) = (0, Vec::new());
    for (i, predicted) in predict_affected(&objects, &options).into_iter().enumerate() {
        let brute_forced = is_sampled(&objects, i).then(|| brute_force(&objects, i, &before, &options));
        let Some(brute_forced) = brute_forced.flatten() else {
            continue;
        };
        compared_count += 1;
        if predicted != brute_forced {
            let (metadata, kind) = (&objects[i]["metadata"], &objects[i]["kind"]);
            let (namespace, name) = (&metadata["namespace"], &metadata["name"]);
            failures.push(format!(
                "{}: {kind} {namespace}/{name}: predicted {predicted:?}, found {brute_forced:?}",
                case.display(),
            ));
        }
    }
    (compared_count, failures)
}

#[test]
fn predictions_match_removing_each_resource() {
    let cases = cases();
    assert!(cases.len() > 55, "found only {} cases", cases.len());
    let cases = support::sample(cases, 9);
    let (tried, failures): (Vec<_>, Vec<_>) = cases.par_iter().map(|case| disagreements(case)).unzip();
    support::report(&failures.concat());
    let tried: usize = tried.iter().sum();
    assert!(tried > support::many_or_few(300, 35), "tried only {tried} resources");
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

/// Creates a repository with a `manifests` directory that contains the agents `a` and `b`, a Probe that `a` selects,
/// and a Secret that both agents use.
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
    let status = git.arg("-C").arg(folder).args(args).env("GIT_CONFIG_NOSYSTEM", "1").status();
    assert!(status.unwrap().success(), "git {args:?}");
}

fn affected(folder: &Path, args: &[&str]) -> String {
    let run = support::run(folder, ["affected"].iter().chain(args), b"");
    assert_eq!(run.status, Some(0), "{args:?}: {}", run.stderr);
    let output = format!("{}{}", run.stdout, run.stderr);
    assert!(!output.contains("planted"), "{output}");
    run.stdout
}

#[test]
fn since_shows_differences_per_agent() {
    let folder = repository("affected-since");
    let since = ["--since", "HEAD", "manifests"];
    assert_eq!(affected(&folder, &since), "0 agents affected, 0 objects\n");
    // The Probe moves from `a` to `b`, which changes both agents. The agent `c` is in an untracked file.
    fs::write(folder.join("manifests/sub/probe.yaml"), PROBE.replace("NAME", "b")).unwrap();
    fs::write(folder.join("manifests/c.yaml"), AGENT.replace("NAME", "c")).unwrap();
    fs::write(folder.join("manifests/secret.yaml"), SECRET.replace("a: '", "c: '- job_name: planted', a: '")).unwrap();
    let expected = "\
GrafanaAgent/m/a
  because of Probe/m/web through MetricsInstance/m/a
  because of Secret/m/jobs through MetricsInstance/m/a
  ~ Secret/m/a-config changed

GrafanaAgent/m/b
  because of Probe/m/web through MetricsInstance/m/b
  because of Secret/m/jobs through MetricsInstance/m/b
  ~ Secret/m/b-config changed

GrafanaAgent/m/c
  because of GrafanaAgent/m/c
  because of MetricsInstance/m/c
  because of Secret/m/jobs through MetricsInstance/m/c
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
    // The command also runs in a subdirectory and for a single file.
    let subdirectory = folder.join("manifests");
    assert_eq!(affected(&subdirectory, &["--since", "HEAD", "-o", "names"]), "m/b\nm/c\n");
    let file = ["--since", "HEAD", "b.yaml", "-f", "secret.yaml", "-o", "names"];
    assert_eq!(affected(&subdirectory, &file), "");
    let json: Value =
        serde_json::from_str(&affected(&folder, &["--since", "HEAD", "manifests", "-o", "json"])).unwrap();
    let changes: Vec<_> = json["agents"][0]["objects"].as_array().unwrap().iter().map(|o| &o["change"]).collect();
    assert_eq!((&json["agents"][0]["rendered"], changes), (&json!(false), vec![&json!("removed"); 4]));
}

#[test]
fn errors_at_a_revision_prevent_output() {
    let folder = repository("affected-broken");
    fs::write(folder.join("manifests/secret.yaml"), "a: [").unwrap();
    let run = support::run(&folder, ["affected", "--since", "HEAD", "manifests"], b"");
    assert_eq!((run.status, run.stdout.as_str()), (Some(1), ""));
    git(&folder, &["-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "-a", "-m", "broken"]);
    fs::write(folder.join("manifests/secret.yaml"), SECRET).unwrap();
    let run = support::run(&folder, ["affected", "--since", "HEAD", "manifests", "-o", "names"], b"");
    assert_eq!((run.status, run.stdout.as_str()), (Some(0), "m/a\nm/b\n"));
    let note = "note: the input at `HEAD` has errors, so nothing is rendered from it and everything counts as added\n";
    assert_eq!(run.stderr, note);
}

#[test]
fn git_failures_exit_with_2() {
    let folder = repository("affected-trouble");
    let run = |args: &[&str]| support::run(&folder, ["affected"].iter().chain(args), b"");
    let unknown = run(&["--since", "nowhere", "manifests"]);
    let expected = "error: revision `nowhere` not found; if the clone is shallow, fetch the revision first\n";
    assert_eq!((unknown.status, unknown.stderr.as_str()), (Some(2), expected));
    // A revision that looks like an option must not be treated as one.
    let option = run(&["--since=--help", "manifests"]);
    assert_eq!((option.status, option.stderr), (Some(2), expected.replace("nowhere", "--help")));
    let piped = support::run(&folder, ["affected", "--since", "HEAD", "-f", "-"], SECRET.as_bytes());
    let expected = "error: `--since` supports only files and directories, not `-` or `-k`\n";
    assert_eq!((piped.status, piped.stderr.as_str()), (Some(2), expected));
    for (args, status, expected) in [
        (&["--since", "HEAD", "probe/web"][..], 1, "`probe/web` is not a file or directory"),
        (&["gone.yaml", "-f", "manifests"], 2, "error: cannot read `gone.yaml`: "),
    ] {
        let failed = run(args);
        assert_eq!((failed.status, failed.stdout.as_str()), (Some(status), ""), "{args:?}");
        assert!(failed.stderr.contains(expected), "{args:?}: {}", failed.stderr);
    }
}

#[cfg(unix)]
#[test]
fn follows_links_at_a_revision() {
    let folder = repository("affected-links");
    fs::write(folder.join("elsewhere.yaml"), AGENT.replace("NAME", "d").replace("key: d", "key: a")).unwrap();
    std::os::unix::fs::symlink("../elsewhere.yaml", folder.join("manifests/link.yaml")).unwrap();
    git(&folder, &["add", "."]);
    git(&folder, &["-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "-m", "second"]);
    assert_eq!(affected(&folder, &["--since", "HEAD", "manifests", "-o", "names"]), "");
    assert_eq!(affected(&folder, &["--since", "HEAD~1", "manifests", "-o", "names"]), "m/d\n");
}

#[test]
fn missing_secrets_affect_agents_that_use_them() {
    let folder = repository("affected-outside");
    fs::remove_file(folder.join("manifests/secret.yaml")).unwrap();
    let expected = |agent: &str| {
        format!(
            "\
GrafanaAgent/m/{agent}
  because of Secret/m/jobs through MetricsInstance/m/{agent}
  - Secret/m/{agent}-secrets
  - Secret/m/{agent}-config

"
        )
    };
    let expected = [&expected("a"), &expected("b"), "2 agents affected, 4 objects\n"].concat();
    for resource in ["secret/jobs", "secret/m/jobs"] {
        assert_eq!(affected(&folder, &[resource, "-f", "manifests"]), expected);
    }
    let external_secret = "\
apiVersion: external-secrets.io/v1
kind: ExternalSecret
metadata: {name: jobs, namespace: m}
spec: {secretStoreRef: {name: store}, data: [{secretKey: a, remoteRef: {key: x}}, {secretKey: b, remoteRef: {key: x}}]}
";
    let sealed_secret = "\
apiVersion: bitnami.com/v1alpha1
kind: SealedSecret
metadata: {name: jobs, namespace: m}
spec: {encryptedData: {a: AgAx, b: AgAx}}
";
    let vault_secret = "\
apiVersion: secrets.hashicorp.com/v1beta1
kind: VaultStaticSecret
metadata: {name: other, namespace: m}
spec: {destination: {name: jobs, create: true}}
";
    for manifest in [external_secret, sealed_secret, vault_secret] {
        fs::write(folder.join("manifests/maker.yaml"), manifest).unwrap();
        for subject in ["secret/jobs", "secret/m/jobs", "secret", "manifests/maker.yaml"] {
            assert_eq!(affected(&folder, &[subject, "-f", "manifests"]), expected, "{manifest}");
        }
        let why = support::run(&folder, ["why", "secret/jobs", "-f", "manifests"], b"");
        let first_line = why.stdout.lines().next().unwrap_or_default();
        assert!(
            first_line.starts_with("Secret/m/jobs (manifests/maker.yaml:3), which "),
            "{}{}",
            why.stdout,
            why.stderr
        );
        assert!(
            why.status == Some(0) && first_line.ends_with(" creates, is used by 2 MetricsInstances"),
            "{first_line}"
        );
    }
    let unknown = support::run(&folder, ["affected", "secret/job", "-f", "manifests"], b"");
    assert_eq!(unknown.status, Some(1), "{}", unknown.stdout);
}

#[test]
fn prints_agent_names_that_render_accepts() {
    let folder = repository("affected-render");
    let names = affected(&folder, &["probe/web", "-f", "manifests", "-o", "names"]);
    assert_eq!(names, "m/a\n");
    let render = |agent: &str| support::run(&folder, ["render", "manifests", "--agent", agent, "-o", "json"], b"");
    let list: Value = serde_json::from_str(&render(names.trim()).stdout).unwrap();
    let names = list["items"].as_array().unwrap().iter().map(|object| object["metadata"]["name"].as_str().unwrap());
    assert_eq!(names.collect::<Vec<_>>(), ["a-secrets", "a-config", "a-operated", "a"]);
    let unknown = render("m/aa");
    assert_eq!((unknown.status, unknown.stdout.as_str()), (Some(1), ""));
    assert!(unknown.stderr.contains("did you mean `m/a`?"), "{}", unknown.stderr);
}

#[test]
fn skips_settings_at_a_revision() {
    let folder = repository("affected-settings");
    fs::write(folder.join("agentctl.yaml"), "severity: {}\n").unwrap();
    git(&folder, &["add", "."]);
    let author = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
    git(&folder, &[&author[..], &["commit", "-q", "-m", "settings"]].concat());
    let args = ["--since", "HEAD", "agentctl.yaml", "manifests", "-o", "names"];
    assert_eq!(affected(&folder, &args), "");
}

#[test]
fn since_compares_only_the_given_inputs() {
    let folder = repository("affected-inputs");
    fs::write(folder.join("agentctl.yaml"), "").unwrap();
    fs::create_dir(folder.join("other")).unwrap();
    fs::write(folder.join("other/agent.yaml"), AGENT.replace("NAME", "z").replace("key: z", "key: a")).unwrap();
    assert_eq!(affected(&folder, &["--since", "HEAD", "-o", "names"]), "m/z\n");
    assert_eq!(affected(&folder, &["--since", "HEAD", "manifests", "-o", "names"]), "");
}

#[test]
fn reports_errors_of_several_agents() {
    let folder = repository("affected-duplicate");
    let agent = |name| {
        let agent = AGENT.replace("key: NAME", "key: a").replace("NAME", name);
        agent.replace("spec: {metrics", "spec: {logs: {instanceSelector: {}}, metrics")
    };
    let logs_instance = "apiVersion: monitoring.grafana.com/v1alpha1\nkind: LogsInstance\nmetadata: {name: logs, namespace: m}\nspec: {}\n";
    fs::write(folder.join("manifests/both.yaml"), [&agent("q"), &agent("q-logs"), logs_instance].join("---\n"))
        .unwrap();
    let rendered = support::run(&folder, ["render", "manifests"], b"");
    let run = support::run(&folder, ["affected", "--since", "HEAD", "manifests"], b"");
    let duplicate = "error[duplicate-object]";
    assert_eq!((rendered.status, run.status), (Some(1), Some(1)), "{}", rendered.stderr);
    assert!(run.stderr.contains(duplicate) && rendered.stderr.contains(duplicate), "{}", run.stderr);
}

#[test]
fn limits_files_at_a_revision() {
    let folder = repository("affected-limit");
    let file = folder.join("manifests/secret.yaml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("{text}# {}\n", "x".repeat(70_000))).unwrap();
    git(&folder, &["add", "."]);
    let author = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
    git(&folder, &[&author[..], &["commit", "-q", "-m", "large"]].concat());
    fs::write(&file, text).unwrap();
    let args = ["affected", "--since", "HEAD", "manifests", "--limit", "file-size=64KiB"];
    let run = support::run(&folder, args, b"");
    assert_eq!(run.status, Some(2));
    assert!(run.stderr.contains("larger than 64KiB"), "{}", run.stderr);
}

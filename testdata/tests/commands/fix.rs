//! Tests of `check --fix`: it makes the intended changes and no others.
//!
//! `AGENTCTL_MUTATIONS=10000 cargo test --release --test all fix` tests more modified inputs.

use crate::testing::{self, TestInput};
use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use agentctl::compile::{CompileOptions, compile};
use agentctl::diagnostic::apply::{FixResult, fix_all, try_fixes};
use agentctl::diagnostic::group::group_by_cause;
use agentctl::diagnostic::{Diagnostic, Severity, apply_edits};
use agentctl::source::Sources;
use agentctl::yaml::{self};
use walkdir::WalkDir;

use crate::support::mutate::{Random, mutate};
use crate::support::{self, Run};

const MONITOR: &str = "\
# Ours
apiVersion: monitoring.coreos.com/v1 # the version
kind:   ServiceMonitor
metadata: {name: shop, namespace: 'm', labels: {tier: 1}}
spec:
  selector: {}
  endpoints:
    - port: http   # é
      intervall: 30s
      scheme: HTTPS
      honorLabels: \"true\"
";

const FIXED: &str = "\
# Ours
apiVersion: monitoring.coreos.com/v1 # the version
kind:   ServiceMonitor
metadata: {name: shop, namespace: 'm', labels: {tier: \"1\"}}
spec:
  selector: {}
  endpoints:
    - port: http   # é
      interval: 30s
      scheme: https
      honorLabels: true
";

fn findings(sources: &Sources) -> Vec<Diagnostic> {
    compile(sources, &CompileOptions::default()).diagnostics
}

fn sources(text: &str) -> Sources {
    TestInput::new(text).sources
}

fn text(sources: &Sources) -> &str {
    sources.iter().next().map_or("", |(_, source)| &source.text)
}

fn apply_fixes(sources: &Sources) -> FixResult {
    fix_all(sources, |_| true, findings)
}

/// Returns the code, message and path of each error, without its location.
fn error_messages(mut findings: Vec<Diagnostic>) -> BTreeSet<(String, Option<String>)> {
    findings.retain(|finding| finding.severity == Severity::Error);
    let message = |finding: Diagnostic| (format!("{}: {}", finding.code, finding.message), finding.path);
    group_by_cause(findings).into_iter().map(message).collect()
}

fn count_promised_fixes(sources: &Sources) -> usize {
    let is_certain_fix = |finding: &&Diagnostic| finding.fix.as_ref().is_some_and(|fix| fix.is_certain());
    let remaining = group_by_cause(try_fixes(sources, findings(sources), findings).findings);
    remaining.iter().filter(is_certain_fix).count()
}

/// Returns the values of Secrets.
fn secrets(text: &str) -> Vec<serde_json::Value> {
    let documents = testing::documents(text);
    let secrets = documents.iter().map(|document| yaml::to_json(document.root()));
    let secrets = secrets.filter(|document| document["kind"] == "Secret");
    secrets.map(|secret| serde_json::json!([secret["data"], secret["stringData"]])).collect()
}

fn invalid_files() -> Vec<PathBuf> {
    let files = WalkDir::new(support::root().join("testdata/invalid")).sort_by_file_name();
    let files = files.into_iter().map(|entry| entry.unwrap().into_path());
    files.filter(|path| path.extension().is_some_and(|end| end == "yaml")).collect()
}

#[test]
fn fixes_remove_their_finding_without_new_errors() {
    let mut failures = Vec::new();
    let mut fixed_count = 0;
    let extra_files = env::var_os("AGENTCTL_MORE_INVALID").map(PathBuf::from);
    let extra_files = extra_files.into_iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    let extra_files = extra_files.map(|entry| entry.unwrap().path());
    let extra_files = extra_files.filter(|path| path.extension().is_some_and(|end| end == "yaml"));
    for path in support::sample(invalid_files().into_iter().chain(extra_files), 2) {
        let before = sources(&fs::read_to_string(&path).unwrap());
        let after = apply_fixes(&before);
        fixed_count += after.count;
        // A resource that is no longer rejected is checked more thoroughly and may have new errors.
        let errors_before = error_messages(findings(&before));
        let erroneous_fields: BTreeSet<_> = errors_before.iter().map(|(_, path)| path).collect();
        let new_errors: Vec<_> = error_messages(findings(&after.sources))
            .difference(&errors_before)
            .filter(|(_, path)| erroneous_fields.contains(path))
            .cloned()
            .collect();
        if count_promised_fixes(&after.sources) > 0 || !new_errors.is_empty() {
            failures.push(format!("{}: {new_errors:?}\n{}", path.display(), text(&after.sources)));
        }
    }
    support::report(&failures);
    assert!(fixed_count > support::many_or_few(20, 10), "only {fixed_count} findings were mended");
    println!("{fixed_count} findings were mended");
}

#[test]
fn fixes_of_modified_inputs_are_consistent() {
    let mutation_count = env::var("AGENTCTL_MUTATIONS").ok().and_then(|mutation_count| mutation_count.parse().ok());
    let mut seeds: Vec<_> = invalid_files().iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    seeds.push(MONITOR.to_owned());
    seeds.push(fs::read_to_string(support::root().join("testdata/mistakes/shop.yaml")).unwrap());
    let mut failures = Vec::new();
    for number in 0..mutation_count.unwrap_or_else(|| support::many_or_few(300, 100)) {
        let mut random = Random::new(number as u64);
        let seed = &seeds[number % seeds.len()];
        let other = &seeds[random.below(seeds.len())];
        let text = mutate(seed, other, &mut random);
        let before = sources(&String::from_utf8_lossy(&text));
        let input_text = || String::from_utf8_lossy(&text).into_owned();
        failures.extend(first_problem(&before).map(|problem| format!("{number}: {problem}\n{}", input_text())));
    }
    support::report(&failures);
}

/// Fixes an input, and returns the first problem that this causes, if any.
fn first_problem(before: &Sources) -> Option<&'static str> {
    let after = apply_fixes(before);
    let [errors, new_errors] = [before, &after.sources].map(|sources| {
        let grouped = group_by_cause(findings(sources)).into_iter();
        grouped.filter(|finding| finding.code.as_str().starts_with("yaml-")).count()
    });
    if new_errors > errors {
        return Some("less can be read");
    }
    if secrets(text(before)) != secrets(text(&after.sources)) && !text(&after.sources).contains("---") {
        return Some("a Secret has other values");
    }
    if text(&apply_fixes(&after.sources).sources) != text(&after.sources) {
        return Some("a second fix changes it again");
    }
    let certain_fixes = group_by_cause(findings(before)).into_iter().filter_map(|finding| finding.fix);
    for fix in certain_fixes.filter(|fix| fix.is_certain()) {
        let Some(fixed_text) = apply_edits(text(before), &fix.edits) else {
            return Some("an edit does not fit the text");
        };
        let count_errors =
            |finding: Vec<Diagnostic>| finding.iter().filter(|finding| finding.severity == Severity::Error).count();
        if fixed_text == text(before)
            || count_errors(group_by_cause(findings(&sources(&fixed_text))))
                > count_errors(group_by_cause(findings(before))) + 3
        {
            return Some("a fix makes it worse");
        }
    }
    None
}

#[test]
fn failed_fixes_do_not_prevent_others() {
    // Only quoting `no` helps. Quoting `on` would create a duplicate, renaming `onfig` would remove a required key, and
    // `n` would be unknown even if quoted.
    let input = "\
apiVersion: monitoring.grafana.com/v1alpha1
kind: Integration
metadata: {name: a, labels: {no: \"1\"}, annotations: {on: x, \"on\": z}}
spec:
  name: redis
  type: {unique: true}
  onfig: {}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: Integration
metadata: {name: b}
spec: {name: redis, type: {unique: true}, config: {redis_addr: 'a:1', n: 1, namespace: x}}
";
    let before = sources(input);
    let after = apply_fixes(&before);
    assert_eq!(text(&after.sources), input.replace("{no:", "{\"no\":"));
    assert_eq!((after.count, count_promised_fixes(&before), count_promised_fixes(&after.sources)), (1, 1, 0));
}

fn check(directory: &Path, args: &[&str], stdin: &str) -> Run {
    support::run(directory, [&["check"], args].concat(), stdin.as_bytes())
}

#[test]
fn fixes_preserve_the_rest_of_the_file() {
    let folder = support::empty_directory("fix");
    for (name, change) in [
        ("plain.yaml", (|text| text) as fn(String) -> String),
        ("crlf.yaml", |text| text.replace('\n', "\r\n")),
        ("mark.yaml", |text| format!("\u{feff}{text}")),
        ("open.yaml", |text| text.trim_end().to_owned()),
    ] {
        let path = folder.join(name);
        fs::write(&path, change(MONITOR.to_owned())).unwrap();
        let run = check(&folder, &["--fix", name, "--message-format", "short"], "");
        let last_line = run.stdout.lines().last().unwrap_or_default().to_owned();
        assert!(last_line.contains(", fixed 4 findings in 1 file: "), "{name}: {run:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), change(FIXED.to_owned()), "{name}");
        let again = check(&folder, &["--fix", name], "");
        assert!(again.stdout.contains("fixed 0 findings in 0 files"), "{again:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), change(FIXED.to_owned()), "{name}");
        fs::remove_file(&path).unwrap();
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
}

#[test]
fn diff_shows_fixes_without_secrets() {
    let folder = support::scratch("fix-diff");
    let secret = "---\napiVersion: v1\nkind: Secret\nmetadata: {name: 5}\nstringData: {password: hunter2}\n";
    let text = format!("{MONITOR}{secret}");
    fs::write(folder.join("a.yaml"), &text).unwrap();
    let run = check(&folder, &["--diff"], "");
    assert_eq!(run.status, Some(1));
    assert!(
        run.stdout.starts_with("--- a.yaml\n+++ a.yaml\n@@") || run.stdout.starts_with("--- ./a.yaml\n"),
        "{run:?}"
    );
    for line in ["-      intervall: 30s", "+      interval: 30s", "+metadata: {name: \"5\"}"] {
        assert!(run.stdout.lines().any(|shown| shown == line), "{line}: {}", run.stdout);
    }
    assert!(!run.stdout.contains("hunter2"));
    assert_eq!(fs::read_to_string(folder.join("a.yaml")).unwrap(), text);
    check(&folder, &["--fix"], "");
    let run = check(&folder, &["--diff"], "");
    assert_eq!(run.stdout, "");
}

#[test]
fn adds_missing_separators() {
    let folder = support::scratch("fix-separator");
    let text = MONITOR.repeat(2).replace("name: shop", "name: other").replacen("other", "shop", 1);
    fs::write(folder.join("a.yaml"), text).unwrap();
    check(&folder, &["--fix"], "");
    let fixed = fs::read_to_string(folder.join("a.yaml")).unwrap();
    assert_eq!(fixed.matches("\n# Ours\n---\napiVersion").count(), 1, "{fixed}");
}

#[test]
fn changes_only_files_of_the_input() {
    let folder = support::scratch("fix-stdin");
    let run = check(&folder, &["--fix", "-"], MONITOR);
    assert!(run.stderr.contains("`<stdin>` was not fixed"), "{run:?}");
    assert!(run.stdout.contains("fixed 0 findings in 0 files"), "{run:?}");
}

#[cfg(unix)]
#[test]
fn does_not_follow_links_out_of_the_repository() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let scratch = tempfile::tempdir().unwrap();
    let outside = scratch.path().join("outside.yaml");
    fs::write(&outside, MONITOR).unwrap();
    let inside = scratch.path().join("repository");
    fs::create_dir_all(inside.join(".git")).unwrap();
    symlink(&outside, inside.join("link.yaml")).unwrap();
    for args in [&["--fix", "."][..], &["--fix", "link.yaml", "--load-restrictor", "none"]] {
        check(&inside, args, "");
        assert_eq!(fs::read_to_string(&outside).unwrap(), MONITOR, "{args:?}");
    }
    fs::remove_file(inside.join("link.yaml")).unwrap();
    // A symlink within the repository remains a symlink, and its target keeps its mode.
    fs::write(inside.join("real.yaml"), MONITOR).unwrap();
    fs::set_permissions(inside.join("real.yaml"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("real.yaml", inside.join("alias.yaml")).unwrap();
    let run = check(&inside, &["--fix", "alias.yaml"], "");
    assert_eq!(fs::read_to_string(inside.join("real.yaml")).unwrap(), FIXED, "{run:?}");
    assert!(fs::symlink_metadata(inside.join("alias.yaml")).unwrap().is_symlink());
    let mode = fs::metadata(inside.join("real.yaml")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

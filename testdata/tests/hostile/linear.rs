//! Tests inputs that once made the cost of a run grow at least quadratically with their size. CPU time is limited
//! rather than duration, so that other processes do not affect the result.

#![cfg(target_os = "linux")]
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::support::{agentctl_with_time_limit, feed, many_or_few, scratch};

/// Maximum CPU time of a run in seconds, without optimization.
const MAX_SECONDS: u32 = 8;

const MONITOR: &str = "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {name: m}\n\
                       spec: {selector: {}, endpoints: [{port: http}]}\n";

/// Runs a command and asserts its exit status. If the run takes too long, a signal ends it.
#[track_caller]
fn run_to_end(folder: &Path, command: &str, status: i32) -> String {
    let run = feed(agentctl_with_time_limit(folder, MAX_SECONDS).args(command.split_whitespace()), b"");
    assert_eq!(run.status, Some(status), "{command}: {}", run.stderr);
    run.stdout
}

/// Creates nested directories below `root`, one at a time, because the full path may be too long for the system.
fn create_nested_directories(root: &Path, name: &str, count: usize) -> PathBuf {
    let path: PathBuf = std::iter::once(root.to_owned()).chain(std::iter::repeat_n(name.into(), count)).collect();
    fs::create_dir_all(&path).unwrap();
    path
}

#[test]
fn links_to_every_directory_take_linear_time() {
    let folder = scratch("linear-folders");
    for number in 0..40 {
        let (directory, next) = (folder.join(format!("d{number}")), format!("../d{}", number + 1));
        fs::create_dir_all(&directory).unwrap();
        ["x", "y"].iter().for_each(|link| symlink(&next, directory.join(link)).unwrap());
    }
    fs::create_dir(folder.join("d40")).unwrap();
    fs::write(folder.join("d40/m.yaml"), MONITOR).unwrap();
    assert!(run_to_end(&folder, "check .", 0).starts_with("checked 1 resource in 1 file"));
}

#[test]
fn links_into_deep_directories_take_linear_time() {
    let folder = scratch("linear-links");
    let deep_folder = create_nested_directories(&folder, "d", 700);
    fs::write(deep_folder.join("f.yaml"), MONITOR).unwrap();
    let target = deep_folder.strip_prefix(&folder).unwrap().join("f.yaml");
    for number in 0..2_000 {
        symlink(&target, folder.join(format!("x{number}.yaml"))).unwrap();
    }
    assert!(run_to_end(&folder, "check .", 0).starts_with("checked 1 resource in 1 file"));
}

#[test]
fn files_in_deep_directories_take_linear_time() {
    let folder = scratch("linear-files");
    let mut deep_folder = create_nested_directories(&folder, "dddd", 700);
    while deep_folder != folder {
        (0..6).for_each(|number| fs::write(deep_folder.join(format!("{number}.yaml")), "a: b\n").unwrap());
        deep_folder.pop();
    }
    fs::write(folder.join("m.yaml"), MONITOR).unwrap();
    run_to_end(&folder, "check .", 0);
    run_to_end(&folder, "affected servicemonitor/m -f .", 0);
}

#[test]
fn unknown_fields_of_one_mapping_take_linear_time() {
    let folder = scratch("linear-fields");
    let fields: String = (0..many_or_few(30_000, 15_000)).map(|number| format!("  jobLabe{number}: x\n")).collect();
    let text = MONITOR
        .replace("spec: {selector: {}, endpoints: [{port: http}]}\n", "spec:\n  selector: {}\n  endpoints: []\n");
    fs::write(folder.join("m.yaml"), format!("{text}{fields}")).unwrap();
    run_to_end(&folder, "check . --diff", 1);
}

#[test]
fn duplicate_keys_of_one_mapping_take_linear_time() {
    let folder = scratch("linear-duplicates");
    let header = MONITOR.replace("spec: {selector: {}, endpoints: [{port: http}]}\n", "spec:\n");
    fs::write(folder.join("m.yaml"), format!("{header}{}", "  selector: {}\n".repeat(60_000))).unwrap();
    run_to_end(&folder, "check . --message-format short", 1);
}

#[test]
fn directories_with_applications_take_linear_time() {
    let folder = scratch("linear-applications");
    for number in 0..many_or_few(3_000, 1_500) {
        let directory = folder.join(format!("d{number}"));
        fs::create_dir(&directory).unwrap();
        let text = format!(
            "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{name: a}}\nspec: {{source: {{path: x{number}}}}}\n"
        );
        fs::write(directory.join("a.yaml"), text).unwrap();
    }
    run_to_end(&folder, "check", 2);
}

#[test]
fn many_charts_take_linear_time() {
    let folder = scratch("linear-charts");
    for number in 0..800 {
        let templates = folder.join(format!("c{number}/templates"));
        fs::create_dir_all(&templates).unwrap();
        fs::write(templates.with_file_name("Chart.yaml"), "apiVersion: v2\nname: c\nversion: 1.0.0\n").unwrap();
        for template in 0..4 {
            let text = "kind: ServiceMonitor\na: {{ .Values.x }}\nb: {{ .y }}\n".repeat(3);
            fs::write(templates.join(format!("{template}.yaml")), text).unwrap();
        }
    }
    let stdout = run_to_end(&folder, "check . --message-format short", 1);
    assert!(stdout.ends_with("checked 0 resources in 4000 files: 1 error, 800 warnings\n"), "{stdout}");
}

#[test]
fn labels_of_static_targets_take_linear_time() {
    let folder = scratch("linear-static-targets");
    let resources = "apiVersion: monitoring.grafana.com/v1alpha1\nkind: GrafanaAgent\nmetadata: {name: a, namespace: m}\n\
                     spec: {metrics: {instanceSelector: {}}}\n---\napiVersion: monitoring.grafana.com/v1alpha1\n\
                     kind: MetricsInstance\nmetadata: {name: i, namespace: m}\n\
                     spec: {additionalScrapeConfigs: {name: s, key: k}}\n---\napiVersion: v1\nkind: Secret\n\
                     metadata: {name: s, namespace: m}\nstringData:\n  k: |\n    - job_name: a\n";
    let list = |item: fn(usize) -> String, count| (0..count).map(item).collect::<Vec<_>>().join(", ");
    let targets = list(|number| format!("t{number}"), 20_000);
    let params = list(|number| format!("p{number}: [x]"), 30_000);
    let labels = list(|number| format!("l{number}: x"), 30_000);
    for (name, job) in [
        ("params", format!("      params: {{{params}}}\n      static_configs: [{{targets: [{targets}]}}]\n")),
        ("labels", format!("      static_configs: [{{targets: [{targets}], labels: {{{labels}}}}}]\n")),
    ] {
        let file = format!("{name}.yaml");
        fs::write(folder.join(&file), format!("{resources}{job}")).unwrap();
        run_to_end(&folder, &format!("check {file} --message-format short"), 0);
    }
}

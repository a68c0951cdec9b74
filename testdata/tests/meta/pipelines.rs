//! Tests the files for CI systems: they must be well-formed, and their scripts must work as in a pipeline.

#![cfg(unix)]
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Run, feed, has_program, report, root, run, scratch};
use serde_yaml::Value;
use walkdir::WalkDir;

pub(crate) fn read(path: &str) -> Value {
    serde_yaml::from_str(&fs::read_to_string(root().join(path)).unwrap()).unwrap()
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value:?}")).to_owned()
}

/// Creates a project with `manifests/` and its output, `rendered/`.
pub(crate) fn project(name: &str) -> PathBuf {
    let project = scratch(&format!("pipelines-{name}"));
    fs::create_dir(project.join("manifests")).unwrap();
    for entry in fs::read_dir(root().join("testdata/quickstart")).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), project.join("manifests").join(entry.file_name())).unwrap();
    }
    let flags = ["--secrets", "placeholder", "--output-dir", "rendered"];
    let rendered = run(&project, ["render", "manifests"].iter().chain(&flags), b"");
    assert_eq!(rendered.status, Some(0), "{}", rendered.stderr);
    project
}

/// Adds a mistake to the manifests.
pub(crate) fn break_manifests(project: &Path) {
    edit(&project.join("manifests/shop.yaml"), "port: http-metrics", "port: 8080");
}

/// Edits a rendered manifest.
fn break_rendered(project: &Path) {
    edit(&project.join("rendered/monitoring/statefulset_agent.yaml"), "replicas: 1", "replicas: 2");
}

fn edit(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains(from));
    fs::write(path, text.replace(from, to)).unwrap();
}

/// Runs a script as GitHub and GitLab do, with agentctl in `PATH`.
pub(crate) fn run_script(project: &Path, script: &str, variables: &[(String, String)]) -> Run {
    let binaries = Path::new(env!("CARGO_BIN_EXE_agentctl")).parent().unwrap();
    let path = env::var_os("PATH").unwrap();
    let path = env::join_paths([binaries.into()].into_iter().chain(env::split_paths(&path))).unwrap();
    let mut command = Command::new("bash");
    command
        .args(["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script])
        .current_dir(project)
        .env("PATH", path)
        .env_remove("GITHUB_ACTIONS")
        .envs(variables.iter().cloned());
    feed(&mut command, b"")
}

/// Runs a hook in the same way as pre-commit: the entry point with its arguments, without file names.
fn run_hook(project: &Path, hook: &Value) -> Run {
    let args: Vec<_> = hook["args"].as_sequence().unwrap().iter().map(text).collect();
    let cache = project.join("cache");
    let release = cache.join("agentctl").join(env!("CARGO_PKG_VERSION"));
    if fs::create_dir_all(&release).is_ok() {
        let _ = std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_agentctl"), release.join("agentctl"));
    }
    let entry = root().join(text(&hook["entry"]));
    let cache = ("XDG_CACHE_HOME".to_owned(), cache.display().to_string());
    run_script(project, &format!("{} {}", entry.display(), args.join(" ")), &[cache])
}

#[test]
fn pre_commit_hooks_report_mistakes() {
    let hooks = read(".pre-commit-hooks.yaml");
    let hooks = hooks.as_sequence().unwrap();
    let ids: Vec<_> = hooks.iter().map(|hook| text(&hook["id"])).collect();
    assert_eq!(ids, ["agentctl-check", "agentctl-render-check"]);
    for hook in hooks {
        assert_eq!(text(&hook["language"]), "script");
        assert_eq!(hook["pass_filenames"], Value::Bool(false));
        assert_eq!(text(&hook["files"]), r"\.ya?ml$");
        assert!(!text(&hook["name"]).is_empty());
    }
    let project = project("hooks");
    assert_eq!(run_hook(&project, &hooks[0]).status, Some(0));
    assert_eq!(run_hook(&project, &hooks[1]).status, Some(0));
    break_rendered(&project);
    assert_eq!(run_hook(&project, &hooks[0]).status, Some(0));
    let run = run_hook(&project, &hooks[1]);
    assert_eq!(run.status, Some(1));
    assert!(run.stdout.contains("-  replicas: 2\n+  replicas: 1"), "{}", run.stdout);
    break_manifests(&project);
    assert_eq!(run_hook(&project, &hooks[0]).status, Some(1));
}

/// A step of the GitHub action.
pub(crate) struct Step {
    pub(crate) name: String,
    pub(crate) script: String,
    pub(crate) variables: Vec<(String, String)>,
}

/// Expression for the path to agentctl, which is an output of the `install` step.
const AGENTCTL_OUTPUT: &str = "${{ steps.install.outputs.agentctl }}";

/// Returns the steps that the action runs with these inputs.
pub(crate) fn steps(inputs: &[(&str, &str)]) -> Vec<Step> {
    let action = read("deploy/github/action.yml");
    assert_eq!(text(&action["runs"]["using"]), "composite");
    let declared = action["inputs"].as_mapping().unwrap();
    for (name, input) in declared {
        assert!(!text(&input["description"]).is_empty(), "{name:?}");
    }
    let input = |name: &str| {
        let given_value = inputs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        given_value.unwrap_or_else(|| text(&declared[name]["default"]))
    };
    let steps = action["runs"]["steps"].as_sequence().unwrap().iter();
    let is_run = |step: &&Value| match &step["if"] {
        Value::Null => true,
        condition => {
            let condition = text(condition);
            let name = condition.strip_prefix("inputs.").and_then(|c| c.strip_suffix(" != ''"));
            !input(name.unwrap()).is_empty()
        }
    };
    steps
        .filter(is_run)
        .map(|step| {
            assert_eq!(text(&step["shell"]), "bash");
            let script = text(&step["run"]);
            assert!(!script.contains("${{"), "what comes from outside is not part of a script: {script}");
            let variables = step["env"].as_mapping().into_iter().flatten();
            let variables = variables.map(|(key, value)| {
                let value = text(value);
                let name = value.strip_prefix("${{ inputs.").and_then(|v| v.strip_suffix(" }}"));
                match name {
                    Some(name) => (text(key), input(name)),
                    None if value == AGENTCTL_OUTPUT => (text(key), value),
                    None => panic!("{value}"),
                }
            });
            let mut variables: Vec<_> = variables.collect();
            variables.push(("GITHUB_ACTIONS".to_owned(), "true".to_owned()));
            variables.push(("GITHUB_ACTION_PATH".to_owned(), "/nowhere".to_owned()));
            Step { name: text(&step["name"]), script, variables }
        })
        .collect()
}

/// Returns the directory that the steps of a project's job write files for later steps to.
pub(crate) fn runner(project: &Path) -> PathBuf {
    let folder = project.with_extension("runner");
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs the steps until one fails. Returns the name of the failed step, if any, and the output of all steps.
pub(crate) fn run_action(project: &Path, inputs: &[(&str, &str)]) -> (Option<String>, String) {
    run_action_with(project, inputs, &[])
}

/// Like [`run_action`], with additional environment variables.
pub(crate) fn run_action_with(
    project: &Path,
    inputs: &[(&str, &str)],
    job: &[(&str, &str)],
) -> (Option<String>, String) {
    let runner = runner(project);
    let output = runner.join("output");
    fs::write(&output, "").unwrap();
    let folders = [
        ("RUNNER_TEMP", runner.clone()),
        ("GITHUB_WORKSPACE", project.to_owned()),
        ("GITHUB_OUTPUT", output.clone()),
        ("GITHUB_PATH", runner.join("path")),
    ];
    let mut job_output = String::new();
    for mut step in steps(inputs) {
        let outputs = fs::read_to_string(&output).unwrap();
        let agentctl = outputs.lines().find_map(|line| line.strip_prefix("agentctl="));
        for (_, value) in step.variables.iter_mut().filter(|(_, value)| value == AGENTCTL_OUTPUT) {
            *value = agentctl.unwrap().to_owned();
        }
        let folders = folders.iter().map(|(name, path)| ((*name).to_owned(), path.display().to_string()));
        step.variables.extend(folders);
        let job = job.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        step.variables.extend(job);
        let run = run_script(project, &step.script, &step.variables);
        job_output.push_str(&run.stdout);
        job_output.push_str(&run.stderr);
        if run.status != Some(0) {
            return (Some(step.name), job_output);
        }
    }
    (None, job_output)
}

/// Runs a job from the GitLab template with additional variables.
pub(crate) fn run_job(project: &Path, name: &str, variables: &[(&str, &str)]) -> Run {
    let template = read("deploy/gitlab/agentctl.gitlab-ci.yml");
    let job = &template[name];
    assert_eq!(text(&job["extends"]), ".agentctl");
    let before = template[".agentctl"]["before_script"].as_sequence().unwrap().iter();
    let lines: Vec<_> = before.chain(job["script"].as_sequence().unwrap()).map(text).collect();
    let defaults = template["variables"].as_mapping().unwrap();
    let mut all_variables: Vec<_> = defaults.iter().map(|(key, value)| (text(key), text(value))).collect();
    all_variables.push(("CI_PROJECT_DIR".to_owned(), project.display().to_string()));
    let given_variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    all_variables.extend(given_variables);
    run_script(project, &lines.join("\n"), &all_variables)
}

#[test]
fn github_action_annotates_and_compares() {
    let project = project("action");
    let all_inputs = [
        ("paths", "manifests/"),
        ("flags", "--secrets placeholder"),
        ("output-dir", "rendered"),
        ("sarif", "agentctl.sarif"),
    ];
    let (failed_step, job_output) = run_action(&project, &all_inputs);
    assert_eq!(failed_step, None, "{job_output}");
    let sarif = fs::read_to_string(project.join("agentctl.sarif")).unwrap();
    assert!(sarif.contains("\"2.1.0\""));

    break_rendered(&project);
    assert_eq!(run_action(&project, &all_inputs).0.as_deref(), Some("Compare with the committed manifests"));
    assert_eq!(run_action(&project, &[("paths", "manifests/")]).0, None);
    // A pull request can change the settings, and may contain a path that looks like a flag.
    fs::write(project.join("agentctl.yaml"), "flags: {target: nothing}\n").unwrap();
    assert_eq!(run_action(&project, &[("paths", "manifests/")]).0, None);
    fs::remove_file(project.join("agentctl.yaml")).unwrap();
    let (failed_step, job_output) = run_action(&project, &[("paths", "--help")]);
    assert_eq!(failed_step.as_deref(), Some("Check"), "{job_output}");

    break_manifests(&project);
    let (failed_step, job_output) = run_action(&project, &all_inputs);
    assert_eq!(failed_step.as_deref(), Some("Check"));
    assert!(job_output.contains("::error file=manifests/shop.yaml,line="), "{job_output}");
    assert!(fs::read_to_string(project.join("agentctl.sarif")).unwrap().contains("wrong-type"));

    let malicious_inputs = [("paths", "manifests/ $(touch evil) ; touch evil"), ("sarif", "s")];
    assert!(run_action(&project, &malicious_inputs).0.is_some());
    assert!(!project.join("evil").exists());
}

#[test]
fn gitlab_template_reports_and_compares() {
    let template = read("deploy/gitlab/agentctl.gitlab-ci.yml");
    let job = |project: &Path, name: &str| run_job(project, name, &[("AGENTCTL_OUTPUT_DIR", "rendered")]);
    let report = text(&template["agentctl-check"]["artifacts"]["reports"]["junit"]);

    let project = project("template");
    assert_eq!(job(&project, "agentctl-check").status, Some(0));
    assert!(fs::read_to_string(project.join(&report)).unwrap().contains("failures=\"0\""));
    assert_eq!(job(&project, "agentctl-render-check").status, Some(0));
    break_rendered(&project);
    assert_eq!(job(&project, "agentctl-render-check").status, Some(1));
    break_manifests(&project);
    let run = job(&project, "agentctl-check");
    assert_eq!(run.status, Some(1));
    assert!(run.stdout.contains("error[wrong-type]"), "{}", run.stdout);
    assert!(fs::read_to_string(project.join(&report)).unwrap().contains("wrong-type"));
}

/// A monitor that no instance selects.
const UNSELECTED_MONITOR: &str = "apiVersion: monitoring.coreos.com/v1\nkind: PodMonitor\nmetadata: {name: alone, namespace: other}\n\
                     spec: {selector: {}, podMetricsEndpoints: [{port: web}]}\n";

#[test]
fn recipes_fail_on_warnings_by_default() {
    let project = project("warnings");
    fs::write(project.join("manifests/alone.yaml"), UNSELECTED_MONITOR).unwrap();
    let hooks = read(".pre-commit-hooks.yaml");
    assert_eq!(run_hook(&project, &hooks[0]).status, Some(1));
    let (failed_step, job_output) = run_action(&project, &[("paths", "manifests/")]);
    assert_eq!(failed_step.as_deref(), Some("Check"), "{job_output}");
    assert_eq!(run_action(&project, &[("paths", "manifests/"), ("deny", "")]).0, None);
    assert_eq!(run_job(&project, "agentctl-check", &[]).status, Some(1));
    assert_eq!(run_job(&project, "agentctl-check", &[("AGENTCTL_DENY", "")]).status, Some(0));
}

/// Tests that a recipe uses the exceptions of the base branch, rather than those of a pull request.
#[test]
fn recipes_use_exceptions_from_the_base_branch() {
    let project = project("base-settings");
    let git = |args: &str| {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=a", "-c", "user.email=a@b"]).args(args.split(' ')).current_dir(&project);
        assert_eq!(feed(&mut command, b"").status, Some(0), "{args}");
    };
    let settings = "exceptions: [{code: unselected, name: alone, reason: x}]\n";
    fs::write(project.join("manifests/alone.yaml"), UNSELECTED_MONITOR).unwrap();
    git("init -q -b main");
    git("remote add origin .");
    for (base_steps, status) in [(settings, Some(0)), ("flags: {}\n", Some(1))] {
        fs::write(project.join("agentctl.yaml"), base_steps).unwrap();
        git("add -A");
        git("commit -q -m x");
        fs::write(project.join("agentctl.yaml"), settings).unwrap();
        let actual = run_job(&project, "agentctl-check", &[("AGENTCTL_SETTINGS_FROM", "main")]);
        assert_eq!(actual.status, status, "{base_steps} {}{}", actual.stdout, actual.stderr);
    }
}

/// Runs shellcheck on the action's and the template's scripts, and on script files.
#[test]
fn scripts_pass_shellcheck() {
    if !has_program("shellcheck", "the scripts") {
        return;
    }
    let mut failures = Vec::new();
    let mut run_shellcheck = |name: &str, shell: &str, script: &str| {
        let run = feed(Command::new("shellcheck").args(["-s", shell, "-"]), script.as_bytes());
        if run.status != Some(0) {
            failures.push(format!("{name}: {}", run.stdout));
        }
    };
    let action = read("deploy/github/action.yml");
    for step in action["runs"]["steps"].as_sequence().unwrap() {
        run_shellcheck(&text(&step["name"]), "bash", &text(&step["run"]));
    }
    let template = read("deploy/gitlab/agentctl.gitlab-ci.yml");
    let lines = |value: &Value| value.as_sequence().unwrap().iter().map(text).collect::<Vec<_>>().join("\n");
    let before = lines(&template[".agentctl"]["before_script"]);
    for name in ["agentctl-check", "agentctl-render-check"] {
        run_shellcheck(name, "sh", &format!("{before}\n{}", lines(&template[name]["script"])));
    }
    for folder in ["deploy", ".ci", "fuzz", "testdata/shell/bin"] {
        let files = WalkDir::new(root().join(folder)).into_iter().map(Result::unwrap);
        for file in files.filter(|file| file.file_type().is_file()) {
            let text = fs::read_to_string(file.path()).unwrap_or_default();
            for (line, shell) in [("#!/bin/sh\n", "sh"), ("#!/usr/bin/env bash\n", "bash")] {
                if text.starts_with(line) {
                    run_shellcheck(&file.path().display().to_string(), shell, &text);
                }
            }
        }
    }
    report(&failures);
}

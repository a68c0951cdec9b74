//! What is shipped for pipelines: it is well-formed, and its scripts are run as the pipeline would.

#![cfg(unix)]
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Run, feed, root, run, scratch};
use serde_yaml::Value;

fn read(path: &str) -> Value {
    serde_yaml::from_str(&fs::read_to_string(root().join(path)).unwrap()).unwrap()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value:?}")).to_owned()
}

/// A project with `manifests/` and, rendered from them, `rendered/`.
fn project(name: &str) -> PathBuf {
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

/// A mistake in the manifests.
fn break_manifests(project: &Path) {
    edit(&project.join("manifests/shop.yaml"), "port: http-metrics", "port: 8080");
}

/// A rendered manifest that somebody edited.
fn break_rendered(project: &Path) {
    edit(
        &project.join("rendered/monitoring/statefulset_agent.yaml"),
        "replicas: 1",
        "replicas: 2",
    );
}

fn edit(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains(from));
    fs::write(path, text.replace(from, to)).unwrap();
}

/// Runs a script as GitHub and GitLab do, with agentctl on the path.
fn script(project: &Path, script: &str, variables: &[(String, String)]) -> Run {
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

/// A hook as pre-commit runs it: the entry, then the arguments, no file names.
fn hook(project: &Path, hook: &Value) -> Run {
    let args: Vec<_> = hook["args"].as_sequence().unwrap().iter().map(text).collect();
    let cache = project.join("cache");
    let release = cache.join("agentctl").join(env!("CARGO_PKG_VERSION"));
    if fs::create_dir_all(&release).is_ok() {
        let _ = std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_agentctl"), release.join("agentctl"));
    }
    let entry = root().join(text(&hook["entry"]));
    let cache = ("XDG_CACHE_HOME".to_owned(), cache.display().to_string());
    script(project, &format!("{} {}", entry.display(), args.join(" ")), &[cache])
}

#[test]
fn the_hooks_find_what_they_are_for() {
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
    assert_eq!(hook(&project, &hooks[0]).status, Some(0));
    assert_eq!(hook(&project, &hooks[1]).status, Some(0));
    break_rendered(&project);
    assert_eq!(hook(&project, &hooks[0]).status, Some(0));
    let run = hook(&project, &hooks[1]);
    assert_eq!(run.status, Some(1));
    assert!(run.stdout.contains("-  replicas: 2\n+  replicas: 1"), "{}", run.stdout);
    break_manifests(&project);
    assert_eq!(hook(&project, &hooks[0]).status, Some(1));
}

/// A step of the action.
struct Step {
    name: String,
    script: String,
    variables: Vec<(String, String)>,
}

/// The steps of the action that run with these inputs.
fn steps(inputs: &[(&str, &str)]) -> Vec<Step> {
    let action = read("deploy/github/action.yml");
    assert_eq!(text(&action["runs"]["using"]), "composite");
    let declared = action["inputs"].as_mapping().unwrap();
    for (name, input) in declared {
        assert!(!text(&input["description"]).is_empty(), "{name:?}");
    }
    let input = |name: &str| {
        let given = inputs
            .iter()
            .find(|(key, _)| *key == name)
            .map(|(_, value)| (*value).to_owned());
        given.unwrap_or_else(|| text(&declared[name]["default"]))
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
            assert!(
                !script.contains("${{"),
                "what comes from outside is not part of a script: {script}"
            );
            let variables = step["env"].as_mapping().into_iter().flatten();
            let variables = variables.map(|(key, value)| {
                let value = text(value);
                let name = value.strip_prefix("${{ inputs.").and_then(|v| v.strip_suffix(" }}"));
                (text(key), input(name.unwrap()))
            });
            let mut variables: Vec<_> = variables.collect();
            variables.push(("GITHUB_ACTIONS".to_owned(), "true".to_owned()));
            variables.push(("GITHUB_ACTION_PATH".to_owned(), "/nowhere".to_owned()));
            Step {
                name: text(&step["name"]),
                script,
                variables,
            }
        })
        .collect()
}

/// Runs the steps up to the first that fails: its name, or none, and what all of them printed.
fn action(project: &Path, inputs: &[(&str, &str)]) -> (Option<String>, String) {
    let mut printed = String::new();
    for step in steps(inputs) {
        let run = script(project, &step.script, &step.variables);
        printed.push_str(&run.stdout);
        printed.push_str(&run.stderr);
        if run.status != Some(0) {
            return (Some(step.name), printed);
        }
    }
    (None, printed)
}

#[test]
fn the_action_annotates_and_compares() {
    let project = project("action");
    let all = [
        ("paths", "manifests/"),
        ("flags", "--secrets placeholder"),
        ("output-dir", "rendered"),
        ("sarif", "agentctl.sarif"),
    ];
    let (failed, printed) = action(&project, &all);
    assert_eq!(failed, None, "{printed}");
    let sarif = fs::read_to_string(project.join("agentctl.sarif")).unwrap();
    assert!(sarif.contains("\"2.1.0\""));

    break_rendered(&project);
    assert_eq!(
        action(&project, &all).0.as_deref(),
        Some("Compare with the committed manifests")
    );
    assert_eq!(action(&project, &[("paths", "manifests/")]).0, None);
    // A pull request changes the settings, or a path.
    fs::write(project.join("agentctl.yaml"), "flags: {target: nothing}\n").unwrap();
    assert_eq!(action(&project, &[("paths", "manifests/")]).0, None);
    fs::remove_file(project.join("agentctl.yaml")).unwrap();
    let (failed, printed) = action(&project, &[("paths", "--help")]);
    assert_eq!(failed.as_deref(), Some("Check"), "{printed}");

    break_manifests(&project);
    let (failed, printed) = action(&project, &all);
    assert_eq!(failed.as_deref(), Some("Check"));
    assert!(printed.contains("::error file=manifests/shop.yaml,line="), "{printed}");
    assert!(
        fs::read_to_string(project.join("agentctl.sarif"))
            .unwrap()
            .contains("wrong-type")
    );

    let evil = [("paths", "manifests/ $(touch evil) ; touch evil"), ("sarif", "s")];
    assert!(action(&project, &evil).0.is_some());
    assert!(!project.join("evil").exists());
}

#[test]
fn the_template_reports_and_compares() {
    let template = read("deploy/gitlab/agentctl.gitlab-ci.yml");
    let defaults = template["variables"].as_mapping().unwrap();
    let mut variables: Vec<_> = defaults.iter().map(|(key, value)| (text(key), text(value))).collect();
    variables.push(("AGENTCTL_OUTPUT_DIR".to_owned(), "rendered".to_owned()));
    let job = |project: &Path, name: &str| {
        let job = &template[name];
        assert_eq!(text(&job["extends"]), ".agentctl");
        let before = template[".agentctl"]["before_script"].as_sequence().unwrap().iter();
        let lines: Vec<_> = before.chain(job["script"].as_sequence().unwrap()).map(text).collect();
        script(project, &lines.join("\n"), &variables)
    };
    let report = text(&template["agentctl-check"]["artifacts"]["reports"]["junit"]);

    let project = project("template");
    assert_eq!(job(&project, "agentctl-check").status, Some(0));
    assert!(
        fs::read_to_string(project.join(&report))
            .unwrap()
            .contains("failures=\"0\"")
    );
    assert_eq!(job(&project, "agentctl-render-check").status, Some(0));
    break_rendered(&project);
    assert_eq!(job(&project, "agentctl-render-check").status, Some(1));
    break_manifests(&project);
    let run = job(&project, "agentctl-check");
    assert_eq!(run.status, Some(1));
    assert!(run.stdout.contains("error[wrong-type]"), "{}", run.stdout);
    assert!(
        fs::read_to_string(project.join(&report))
            .unwrap()
            .contains("wrong-type")
    );
}

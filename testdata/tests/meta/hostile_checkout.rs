//! Tests the GitHub action and the GitLab template against malicious pull requests. These contain programs,
//! configuration files that build tools obey, and symlinks that replace downloads and reports.

#![cfg(unix)]
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use crate::meta::pipelines::{break_manifests, project, run_action_with, run_job, runner};
use crate::support::{Run, run, scratch};

/// A fake `rustup` proxy and `cargo`. Like the real ones, they obey configuration files in the current directory and
/// its ancestors, and they can install programs.
const CARGO: &str = r#"#!/bin/sh
set -eu
folder=$PWD
while [ "$folder" != / ]; do
    [ -n "${RUSTUP_TOOLCHAIN-}" ] || [ ! -e "$folder/rust-toolchain.toml" ] || echo rust-toolchain.toml >>"$OBEYED"
    [ ! -e "$folder/.cargo/config.toml" ] || echo config.toml >>"$OBEYED"
    folder=$(dirname "$folder")
done
root=${CARGO_HOME-}
while [ $# -gt 0 ]; do
    [ "$1" != --root ] || root=$2
    shift
done
mkdir -p "$root/bin"
cp "$AGENTCTL" "$root/bin/agentctl"
"#;

fn write_program(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
}

/// A repository with everything that a malicious pull request might add.
struct HostileCheckout {
    project: PathBuf,
    /// A directory that is outside the project and must not change.
    outside: tempfile::TempDir,
}

impl HostileCheckout {
    fn new(name: &str) -> Self {
        let hostile = Self { project: project(&format!("hostile-{name}")), outside: tempfile::tempdir().unwrap() };
        let (project, outside) = (&hostile.project, hostile.outside.path());
        fs::remove_dir_all(runner(project)).unwrap();
        fs::create_dir(outside.join("folder")).unwrap();
        fs::write(outside.join("victim"), "ours").unwrap();
        fs::write(project.join("rust-toolchain.toml"), "[toolchain]\npath = \"evil\"\n").unwrap();
        write_program(&project.join(".cargo/config.toml"), "[build]\nrustc-wrapper = \"evil\"\n");
        let malicious_script = format!("#!/bin/sh\necho \"$0\" >>'{}'\n", hostile.marker().display());
        for name in ["agentctl", "cargo", "kustomize", "git"] {
            write_program(&project.join("bin").join(name), &malicious_script);
            write_program(&project.join(".agentctl").join(name), &malicious_script);
        }
        for report in ["agentctl.sarif", "agentctl.xml"] {
            symlink(outside.join("victim"), project.join(report)).unwrap();
        }
        symlink(outside.join("folder"), project.join("reports")).unwrap();
        write_program(&hostile.cargo().join("cargo"), CARGO);
        write_program(
            &hostile.tools().join("deploy/install"),
            "#!/bin/sh\nset -eu\nmkdir -p \"$1\"\ncp \"$AGENTCTL\" \"$1/agentctl\"\n",
        );
        fs::create_dir_all(hostile.tools().join("deploy/github")).unwrap();
        hostile
    }

    /// Returns the job's directory outside the checkout, which contains cargo and the action.
    fn tools(&self) -> PathBuf {
        runner(&self.project).join("tools")
    }

    /// Returns the directory that contains cargo and the programs that it installs.
    fn cargo(&self) -> PathBuf {
        self.tools().join("cargo-home/bin")
    }

    /// Returns the file that records which of the pull request's files were obeyed.
    fn marker(&self) -> PathBuf {
        runner(&self.project).join("obeyed")
    }

    /// Returns the job's environment variables, with `folders` first in `PATH`.
    fn variables(&self, folders: &[&Path]) -> Vec<(&'static str, String)> {
        let folders = folders.iter().map(|folder| folder.display().to_string());
        let path: Vec<_> = folders.chain(["/usr/local/bin:/usr/bin:/bin".to_owned()]).collect();
        let path_text = |path: PathBuf| path.display().to_string();
        vec![
            ("PATH", path.join(":")),
            ("OBEYED", path_text(self.marker())),
            ("AGENTCTL", env!("CARGO_BIN_EXE_agentctl").to_owned()),
            ("GITHUB_ACTION_PATH", path_text(self.tools().join("deploy/github"))),
            ("CARGO_HOME", path_text(self.tools().join("cargo-home"))),
            ("RUSTUP_HOME", path_text(self.tools().join("rustup-home"))),
            ("AGENTCTL_GIT", "https://example.com/agentctl".to_owned()),
            ("AGENTCTL_REV", "v0".to_owned()),
        ]
    }

    fn run_action(&self, inputs: &[(&str, &str)], job: &[(&'static str, String)]) -> (Option<String>, String) {
        let inputs: Vec<_> = [("paths", "manifests/")].iter().chain(inputs).copied().collect();
        let job: Vec<_> = job.iter().map(|(name, value)| (*name, value.as_str())).collect();
        run_action_with(&self.project, &inputs, &job)
    }

    fn run_job(&self, name: &str, job_variables: &[(&'static str, String)]) -> Run {
        let variables: Vec<_> = job_variables.iter().map(|(name, value)| (*name, value.as_str())).collect();
        run_job(&self.project, name, &variables)
    }

    /// Asserts that none of the pull request's files were obeyed and that everything outside the project is unchanged.
    fn assert_untouched(&self, printed: &str) {
        let marker_text = fs::read_to_string(self.marker()).unwrap_or_default();
        assert_eq!(marker_text, "", "{printed}");
        let outside_folder = self.outside.path();
        assert_eq!(fs::read_to_string(outside_folder.join("victim")).unwrap(), "ours", "{printed}");
        assert_eq!(fs::read_dir(outside_folder.join("folder")).unwrap().count(), 0, "{printed}");
    }
}

#[test]
fn action_compiles_outside_the_checkout() {
    let hostile = HostileCheckout::new("action-compile");
    let variables = hostile.variables(&[&hostile.cargo()]);
    let (failed_step, job_output) = hostile.run_action(&[("compile", "true")], &variables);
    assert_eq!(failed_step, None, "{job_output}");
    hostile.assert_untouched(&job_output);
}

#[test]
fn template_compiles_outside_the_checkout() {
    let hostile = HostileCheckout::new("template-compile");
    let mut variables = hostile.variables(&[&hostile.cargo()]);
    variables.push(("AGENTCTL_COMPILE", "true".to_owned()));
    let run = hostile.run_job("agentctl-check", &variables);
    assert_eq!(run.status, Some(0), "{run:?}");
    hostile.assert_untouched(&run.stderr);
}

#[test]
fn does_not_compile_with_programs_from_the_checkout() {
    let hostile = HostileCheckout::new("compiler-inside");
    let bin = hostile.project.join("bin");
    let variable_in = |name: &'static str, folder: &str| {
        let mut variables = hostile.variables(&[&hostile.cargo()]);
        variables.push((name, hostile.project.join(folder).display().to_string()));
        variables
    };
    for mut variables in [
        hostile.variables(&[&bin, &hostile.cargo()]),
        variable_in("CARGO_HOME", ".cargo"),
        variable_in("RUSTUP_HOME", ".cargo"),
    ] {
        let (failed_step, job_output) = hostile.run_action(&[("compile", "true")], &variables);
        assert_eq!(failed_step.as_deref(), Some("Install agentctl"), "{job_output}");
        assert!(job_output.contains("is in the checkout"), "{job_output}");
        variables.push(("AGENTCTL_COMPILE", "true".to_owned()));
        let run = hostile.run_job("agentctl-check", &variables);
        assert_eq!(run.status, Some(1), "{run:?}");
        assert!(run.stdout.contains("is in the checkout"), "{run:?}");
        hostile.assert_untouched(&job_output);
    }
}

#[test]
fn does_not_run_agentctl_from_the_checkout() {
    let hostile = HostileCheckout::new("path");
    let bin = hostile.project.join("bin");
    for folder in [bin.as_path(), Path::new("bin")] {
        let (failed_step, job_output) = hostile.run_action(&[], &hostile.variables(&[folder]));
        assert_eq!(failed_step, None, "{job_output}");
        hostile.assert_untouched(&job_output);
        // The test has no release to download, so the job must fail.
        let mut variables = hostile.variables(&[folder]);
        variables.push(("AGENTCTL_RELEASES", "file:///nowhere".to_owned()));
        let run = hostile.run_job("agentctl-check", &variables);
        assert!(run.status.is_some_and(|status| status != 0), "{run:?}");
        hostile.assert_untouched(&run.stderr);
    }
}

#[test]
fn replaces_links_at_report_paths() {
    let hostile = HostileCheckout::new("reports");
    let binaries = Path::new(env!("CARGO_BIN_EXE_agentctl")).parent().unwrap();
    let variables = hostile.variables(&[binaries]);
    let report = |name: &str| {
        let path = hostile.project.join(name);
        assert!(fs::symlink_metadata(&path).unwrap().is_file());
        fs::read_to_string(path).unwrap()
    };
    let (failed_step, job_output) = hostile.run_action(&[("sarif", "agentctl.sarif")], &variables);
    assert_eq!(failed_step, None, "{job_output}");
    assert!(report("agentctl.sarif").contains("\"2.1.0\""));
    hostile.assert_untouched(&job_output);
    break_manifests(&hostile.project);
    let run = hostile.run_job("agentctl-check", &variables);
    assert_eq!(run.status, Some(1), "{run:?}");
    assert!(report("agentctl.xml").contains("wrong-type"));
    hostile.assert_untouched(&run.stderr);
    // A symlink in the report's path is an error.
    let (failed_step, job_output) = hostile.run_action(&[("sarif", "reports/agentctl.sarif")], &variables);
    assert_eq!(failed_step.as_deref(), Some("Write SARIF"), "{job_output}");
    assert!(job_output.contains("the link `"), "{job_output}");
    hostile.assert_untouched(&job_output);
}

#[test]
fn output_file_lists_hide_no_resources() {
    let folder = scratch("hiding-list");
    fs::create_dir_all(folder.join("sub")).unwrap();
    let invalid_instance =
        "apiVersion: monitoring.grafana.com/v1alpha1\nkind: MetricsInstance\nmetadata: {name: a}\nspec: {x: 1}\n";
    fs::write(folder.join("sub/bad.yaml"), invalid_instance).unwrap();
    fs::write(folder.join("sub/.agentctl-files"), "bad.yaml\n").unwrap();
    let args = ["check", ".", "--no-settings", "--deny", "warnings", "--message-format", "short"];
    let check_run = run(&folder, args, b"");
    assert_eq!(check_run.status, Some(1), "{check_run:?}");
    assert!(check_run.stdout.contains("sub/bad.yaml:4:8: "), "{check_run:?}");
}

//! Attacks on `-k`: kustomizations that fetch remote files, and programs in the checkout.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use base64::prelude::{BASE64_STANDARD, Engine};

use crate::support::{self, Run, agentctl, feed, scratch};

fn write(root: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

fn write_program(path: &Path, script: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, format!("#!/bin/sh\ntouch \"$0.ran\"\n{script}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Creates a repository in a directory that also contains `bin/kustomize` and `bin/git`.
fn create_attack(name: &str) -> PathBuf {
    let root = scratch(name);
    fs::create_dir_all(root.join("repository/.git")).unwrap();
    for name in ["kustomize", "git"] {
        write_program(&root.join("bin").join(name), "exit 1");
    }
    root
}

fn check_k(root: &Path, path: &str, arguments: &[&str]) -> Run {
    let mut command = agentctl(&root.join("repository"));
    command.env("PATH", path).args(["check", "-k", "overlay", "--message-format", "short"]).args(arguments);
    feed(&mut command, b"")
}

/// Kustomizations that fetch `URL`, with the file and line at which the fetch is reported.
const REMOTE_BASES: &[(&[(&str, &str)], &str)] = &[
    (&[("overlay/kustomization.yaml", "resources: [URL]")], "overlay/kustomization.yaml:1:"),
    (&[("overlay/kustomization.yml", "Resources:\n- HTURL")], "overlay/kustomization.yml:2:"),
    (&[("overlay/Kustomization", "{\"resources\": [\"URL\"]}")], "overlay/Kustomization:1:"),
    (&[("overlay/kustomization.yaml", "re\u{17f}ource\u{17f}: [URL]")], "overlay/kustomization.yaml:1:"),
    (&[("overlay/kustomization.yaml", "resources: [!!binary BASE64]")], "overlay/kustomization.yaml:1:"),
    (&[("overlay/kustomization.yaml", "namePrefix: &a URL\nresources: [*a]")], "overlay/kustomization.yaml:"),
    (&[("overlay/kustomization.yaml", "bases: [URL]")], "overlay/kustomization.yaml:1:"),
    (&[("overlay/kustomization.yaml", "components: [URL]")], "overlay/kustomization.yaml:1:"),
    (&[("overlay/kustomization.yaml", "crds: [URL]")], "overlay/kustomization.yaml:1:"),
    (&[("overlay/kustomization.yaml", "configurations: [URL]")], "overlay/kustomization.yaml:1:"),
    (&[("overlay/kustomization.yaml", "generators: [URL]")], "overlay/kustomization.yaml:1:"),
    (&[("overlay/kustomization.yaml", "transformers: [URL]")], "overlay/kustomization.yaml:1:"),
    (&[("overlay/kustomization.yaml", "validators: [URL]")], "overlay/kustomization.yaml:1:"),
    (&[("overlay/kustomization.yaml", "openapi: {path: URL}")], "overlay/kustomization.yaml:1:"),
    (&[("overlay/kustomization.yaml", "patches: [{path: URL}]")], "overlay/kustomization.yaml:1:"),
    (&[("overlay/kustomization.yaml", "patchesStrategicMerge: [URL]")], "overlay/kustomization.yaml:1:"),
    (&[("overlay/kustomization.yaml", "patchesJson6902: [{path: URL}]")], "overlay/kustomization.yaml:1:"),
    (&[("overlay/kustomization.yaml", "replacements: [{path: URL}]")], "overlay/kustomization.yaml:1:"),
    (
        &[("overlay/kustomization.yaml", "secretGenerator: [{name: a, files: [a=URL]}]")],
        "overlay/kustomization.yaml:1:",
    ),
    (&[("overlay/kustomization.yaml", "secretGenerator: [{name: a, envs: [URL]}]")], "overlay/kustomization.yaml:1:"),
    (&[("overlay/kustomization.yaml", "configMapGenerator: [{name: a, env: URL}]")], "overlay/kustomization.yaml:1:"),
    (
        &[("overlay/kustomization.yaml", "resources: [../base]"), ("base/kustomization.yaml", "\nresources: [URL]")],
        "base/kustomization.yaml:2:",
    ),
    (
        &[("overlay/kustomization.yaml", "components: [../a]"), ("a/kustomization.yaml", "patches:\n- path: URL")],
        "a/kustomization.yaml:2:",
    ),
    (
        &[
            ("overlay/kustomization.yaml", "resources: [t.yaml]\ntransformers: [t.yaml]"),
            ("overlay/t.yaml", "apiVersion: builtin\nkind: PatchTransformer\nmetadata: {name: a}\npath: URL"),
        ],
        "overlay/t.yaml:4:",
    ),
    (
        &[(
            "overlay/kustomization.yaml",
            "transformers:\n- '{\"apiVersion\":\"builtin\",\"kind\":\"PatchTransformer\",\"metadata\":{\"name\":\"a\"},\"path\":\"URL\"}'",
        )],
        "overlay/kustomization.yaml:2:",
    ),
    (
        &[
            ("overlay/kustomization.yaml", "transformers: [t]"),
            ("overlay/t/kustomization.yaml", "resources: [t.yaml]\npatches:\n- patch: URL"),
            ("overlay/t/t.yaml", "apiVersion: builtin\nkind: PatchTransformer\nmetadata: {name: a}\npath: a"),
        ],
        "overlay/t/kustomization.yaml:2:",
    ),
    (&[("overlay/kustomization.yaml", "helmCharts: [{name: a, repo: URL}]")], "overlay/kustomization.yaml:1:"),
    (
        &[("overlay/kustomization.yaml", "helmChartInflationGenerator: [{chartName: a, chartRepoUrl: URL}]")],
        "overlay/kustomization.yaml:1:",
    ),
];

#[test]
fn sends_no_requests_by_default() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let url = format!("http://{}/a", listener.local_addr().unwrap());
    let kubectl = support::has_program("kubectl", "kustomize without requests");
    for (number, (files, place)) in REMOTE_BASES.iter().enumerate() {
        let root = create_attack(&format!("remote-bases-{number}"));
        for (name, text) in *files {
            let encoded = BASE64_STANDARD.encode(&url);
            let text = text.replace("HTURL", &url.to_uppercase()).replace("BASE64", &encoded).replace("URL", &url);
            write(&root.join("repository"), &[(name, &format!("{text}\n"))]);
        }
        let run = check_k(&root, &format!("{}:/usr/bin:/bin", root.join("bin").display()), &[]);
        let actual = run.stdout.lines().any(|line| line.starts_with(place) && line.contains("error["));
        assert!(run.status == Some(1) && actual, "{files:?}: {run:?}");
        assert!(!run.stdout.contains(&url) && !run.stderr.contains(&url), "{run:?}");
        for name in ["kustomize", "git"] {
            assert!(!root.join(format!("bin/{name}.ran")).exists(), "{files:?}");
        }
        if kubectl {
            check_k(&root, "/usr/local/bin:/usr/bin:/bin", &[]);
        }
        thread::sleep(Duration::from_millis(1));
        assert!(listener.accept().is_err(), "{files:?}");
    }
}

#[test]
fn remote_bases_can_be_allowed() {
    let root = create_attack("remote-bases-allowed");
    write(&root, &[("repository/overlay/kustomization.yaml", "resources: [https://example.org/a]\n")]);
    let path = format!("{}:/usr/bin:/bin", root.join("bin").display());
    check_k(&root, &path, &["--allow-remote-bases"]);
    assert!(root.join("bin/kustomize.ran").exists());
    // `agentctl.yaml` comes from the input, so it must not enable remote bases.
    write(&root, &[("repository/agentctl.yaml", "flags: {allow-remote-bases: true}\n")]);
    let run = check_k(&root, &path, &[]);
    assert!(run.stdout.contains("`allow-remote-bases` is not a flag that can be set here"), "{run:?}");
}

#[test]
fn rejects_bases_outside_the_repository() {
    for (name, base) in [("outside", "../../outside"), ("linked", "linked"), ("git", "../.git/base")] {
        let root = create_attack(&format!("remote-bases-{name}"));
        let text = format!("\nresources: [{base}]\n");
        write(
            &root,
            &[
                ("repository/overlay/kustomization.yaml", &text),
                ("outside/kustomization.yaml", "namePrefix: a\n"),
                ("repository/.git/base/kustomization.yaml", "namePrefix: a\n"),
            ],
        );
        if name == "linked" {
            symlink("../../outside", root.join("repository/overlay/linked")).unwrap();
        }
        let path = format!("{}:/usr/bin:/bin", root.join("bin").display());
        let run = check_k(&root, &path, &[]);
        assert!(
            run.status == Some(1) && run.stdout.contains("outside-link")
                || run.stdout.contains(":2:13: error[remote-base]"),
            "{run:?}"
        );
        assert!(!root.join("bin/kustomize.ran").exists());
        check_k(&root, &path, &["--load-restrictor", "none"]);
        assert!(root.join("bin/kustomize.ran").exists());
    }
}

#[test]
fn runs_no_programs_from_the_checkout() {
    let root = create_attack("remote-bases-programs");
    let repository = root.join("repository");
    write(&repository, &[("overlay/kustomization.yaml", "namePrefix: a\n")]);
    for name in ["kustomize", "kubectl", "git", "differ"] {
        write_program(&repository.join(name), "exit 0");
        write_program(&repository.join("bin").join(name), "exit 0");
    }
    symlink("repository/bin", root.join("linked")).unwrap();
    let absolute = [repository.join("bin"), root.join("linked")].map(|folder| folder.display().to_string());
    for path in [".", "", "bin", "./bin", "../repository", &absolute[0], &absolute[1]] {
        let path = format!("{path}:/gone");
        let run = check_k(&root, &path, &[]);
        let problem = "error: cannot run `kustomize`: PATH has it only in relative folders or in the repository";
        assert!(run.status == Some(2) && run.stderr.starts_with(problem), "{path}: {run:?}");
        let mut since_run = agentctl(&repository);
        let since_run = feed(since_run.env("PATH", &path).args(["affected", "--since", "HEAD"]), b"");
        assert!(since_run.stderr.contains("cannot run `git`: PATH has it only"), "{path}: {since_run:?}");
        for name in ["kustomize", "kubectl", "git", "differ"] {
            for folder in ["", "bin/"] {
                assert!(!repository.join(format!("{folder}{name}.ran")).exists(), "{path}: {name}");
            }
        }
    }
    // Relative directories in `PATH` are skipped, so the program in the next directory runs.
    check_k(&root, &format!(".:{}:/usr/bin:/bin", root.join("bin").display()), &[]);
    assert!(root.join("bin/kustomize.ran").exists() && !repository.join("kustomize.ran").exists());
}

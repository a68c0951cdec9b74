//! Tests a release: the files that `deploy/release` packs and describes, and the ways to install it. The archives
//! contain a script instead of the binary and are downloaded from a local directory.

#![cfg(unix)]
use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use serde_yaml::Value;

use crate::support::{self, Run, empty_directory, feed, root};

const VERSION: &str = env!("CARGO_PKG_VERSION");
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

/// Platforms that a release supports.
const TARGETS: &[&str] = &[
    "aarch64-apple-darwin",
    "aarch64-unknown-linux-gnu",
    "x86_64-apple-darwin",
    "x86_64-pc-windows-msvc",
    "x86_64-unknown-linux-gnu",
];

/// A directory with a release's archives and the files that describe them.
static DIST: LazyLock<PathBuf> = LazyLock::new(|| {
    let dist = releases().join(format!("download/v{VERSION}"));
    let _ = fs::remove_dir_all(&dist);
    for target in TARGETS {
        pack(target, &dist);
    }
    let describe_run = feed(&mut release_script("describe", &dist), b"");
    assert_eq!((describe_run.status, describe_run.stderr.as_str()), (Some(0), ""));
    dist
});

/// Returns the directory that releases are downloaded from.
fn releases() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("releases")
}

fn release_script(name: &str, dist: &Path) -> Command {
    let mut command = Command::new(root().join("deploy/release").join(name));
    command.env("DIST", dist).env("SOURCE_DATE_EPOCH", "1700000000");
    command
}

/// Packs a script that runs the program under test.
fn pack(target: &str, dist: &Path) -> PathBuf {
    let binary = empty_directory(&format!("release-{target}")).join(binary_name(target));
    fs::write(&binary, format!("#!/bin/sh\nexec '{}' \"$@\"\n", env!("CARGO_BIN_EXE_agentctl"))).unwrap();
    let pack_run = feed(release_script("pack", dist).arg(target).arg(&binary), b"");
    assert_eq!((pack_run.status, pack_run.stderr.as_str()), (Some(0), ""));
    dist.join(archive_name(target))
}

fn archive_name(target: &str) -> String {
    format!("agentctl-{VERSION}-{target}.tar.gz")
}

fn binary_name(target: &str) -> &'static str {
    if target.contains("windows") { "agentctl.exe" } else { "agentctl" }
}

/// Returns the paths of the files in an archive, relative to its top-level directory.
fn archived_files(target: &str) -> BTreeSet<String> {
    let mut list = Command::new("tar");
    list.arg("-tzf").arg(DIST.join(archive_name(target)));
    let folder = format!("{}/", archive_name(target).strip_suffix(".tar.gz").unwrap());
    let list = feed(&mut list, b"").stdout;
    let names = list.lines().map(|line| line.strip_prefix(&folder).unwrap().to_owned());
    names.filter(|name| !name.is_empty() && !name.ends_with('/')).collect()
}

/// Returns an archive's checksum from `SHA256SUMS`.
fn checksum(target: &str) -> String {
    let sums = fs::read_to_string(DIST.join("SHA256SUMS")).unwrap();
    let line = sums.lines().find_map(|line| line.strip_suffix(&format!("  {}", archive_name(target))));
    let sum = line.unwrap().to_owned();
    assert!(sum.len() == 64 && sum.bytes().all(|b| b.is_ascii_hexdigit()), "{sum}");
    sum
}

fn url(target: &str) -> String {
    format!("{REPOSITORY}/releases/download/v{VERSION}/{}", archive_name(target))
}

#[test]
fn archives_are_reproducible() {
    let second_folder = empty_directory("release-again");
    let target = TARGETS[0];
    let second_folder = fs::read(pack(target, &second_folder)).unwrap();
    assert!(second_folder == fs::read(DIST.join(archive_name(target))).unwrap());
}

#[test]
fn archives_contain_packaged_files() {
    for target in TARGETS {
        let files = archived_files(target);
        for expected_file in [binary_name(target), "LICENSE", "README.md", "man/agentctl.1", "completions/_agentctl"] {
            assert!(files.contains(expected_file), "{target}: no {expected_file} in {files:?}");
        }
        let top = files.iter().map(|name| name.split('/').next().unwrap()).collect::<BTreeSet<_>>();
        assert_eq!(top.len(), 5, "{top:?}");
    }
}

#[test]
fn packaged_readme_links_to_the_repository() {
    let mut tar = Command::new("tar");
    tar.arg("-xzOf").arg(DIST.join(archive_name(TARGETS[0]))).arg("--wildcards").arg("*/README.md");
    let readme = feed(&mut tar, b"").stdout;
    assert!(readme.contains(&format!("]({REPOSITORY}/blob/v{VERSION}/docs/check.md)")), "{readme}");
    let relative_links: Vec<_> = readme.split("](").skip(1).filter(|link| !link.starts_with("https:")).collect();
    assert_eq!(relative_links, ["LICENSE).\n"]);
}

/// Tests the addresses and versions in pages and examples that no script generates. The address must be the one in
/// Cargo.toml.
#[test]
fn documentation_refers_to_this_release() {
    let repository_name = REPOSITORY.strip_prefix("https://github.com/").unwrap();
    for (page, expected) in [
        ("docs/install.md", url("$(uname -m)-unknown-linux-gnu")),
        ("docs/install.md", format!("{REPOSITORY}/releases/download/v{VERSION}/agentctl.yaml")),
        ("docs/install.md", format!("cargo binstall --git {REPOSITORY} agentctl")),
        ("docs/install.md", format!("cargo install --locked --git {REPOSITORY}`")),
        ("docs/install.md", format!("brew install {}/tap/agentctl", repository_name.split('/').next().unwrap())),
        ("docs/install.md", format!("ghcr.io/{repository_name}:{VERSION}")),
        ("CHANGELOG.md", format!("## {VERSION} (")),
        ("docs/supply-chain.md", format!("gh attestation verify ARCHIVE --repo {repository_name}`")),
        ("docs/pipelines.md", format!("uses: {repository_name}/deploy/github@v{VERSION}")),
        ("docs/pipelines.md", format!("- repo: {REPOSITORY}\n  rev: v{VERSION}\n")),
        ("deploy/gitlab/agentctl.gitlab-ci.yml", format!("{REPOSITORY}/releases\n")),
        ("deploy/argocd/repo-server.yaml", format!("agentctl:{VERSION}\n")),
    ] {
        let text = fs::read_to_string(root().join(page)).unwrap();
        assert!(text.contains(&expected), "{page}: {expected}");
        let placeholder_repository = "example/agentctl";
        assert!(
            repository_name == placeholder_repository || !text.contains(placeholder_repository),
            "{page} has the address of another repository"
        );
    }
}

/// Tests that a manifest follows krew's rules (`ValidatePlugin` in `internal/index/validation`), and that its short
/// description fits into its column in `krew search`.
#[test]
fn krew_accepts_its_manifest() {
    let manifest: Value = serde_yaml::from_str(&fs::read_to_string(DIST.join("agentctl.yaml")).unwrap()).unwrap();
    let text = |value: &Value| value.as_str().unwrap_or_else(|| panic!("{value:?}")).to_owned();
    let keys = |value: &Value| value.as_mapping().unwrap().keys().map(text).collect::<Vec<_>>();
    assert_eq!(text(&manifest["apiVersion"]), "krew.googlecontainertools.github.com/v1alpha2");
    assert_eq!(text(&manifest["kind"]), "Plugin");
    assert_eq!(text(&manifest["metadata"]["name"]), "agentctl");
    let spec = &manifest["spec"];
    assert_eq!(text(&spec["version"]), format!("v{VERSION}"));
    assert_eq!(text(&spec["homepage"]), REPOSITORY);
    let short_description = text(&spec["shortDescription"]);
    assert!(
        !short_description.is_empty()
            && short_description.len() <= 50
            && !short_description.contains('\n')
            && !short_description.ends_with('.'),
        "{short_description}"
    );
    let known_keys = ["version", "homepage", "shortDescription", "description", "caveats", "platforms"];
    assert_eq!(keys(spec), known_keys);

    let mut platforms = BTreeSet::new();
    for platform in spec["platforms"].as_sequence().unwrap() {
        assert_eq!(keys(platform), ["selector", "uri", "sha256", "bin", "files"]);
        let labels = &platform["selector"]["matchLabels"];
        assert_eq!(keys(labels), ["os", "arch"]);
        let processor = match text(&labels["arch"]).as_str() {
            "amd64" => "x86_64",
            "arm64" => "aarch64",
            other => panic!("{other}"),
        };
        let system = match text(&labels["os"]).as_str() {
            "linux" => "unknown-linux-gnu",
            "darwin" => "apple-darwin",
            "windows" => "pc-windows-msvc",
            other => panic!("{other}"),
        };
        let target = format!("{processor}-{system}");
        assert_eq!(text(&platform["uri"]), url(&target));
        assert_eq!(text(&platform["sha256"]), checksum(&target));
        assert_eq!(text(&platform["bin"]), binary_name(&target));
        for file in platform["files"].as_sequence().unwrap() {
            assert_eq!(text(&file["to"]), ".");
            let from = text(&file["from"]);
            assert!(archived_files(&target).contains(from.strip_prefix("*/").unwrap()), "{from}");
        }
        platforms.insert(target);
    }
    assert_eq!(platforms, TARGETS.iter().map(|target| (*target).to_owned()).collect());
}

#[test]
fn homebrew_formula_refers_to_the_archives() {
    let formula = fs::read_to_string(DIST.join("agentctl.rb")).unwrap();
    let quoted_values = |word: &str| {
        let lines = formula.lines().filter_map(|line| line.trim().strip_prefix(word)?.strip_prefix(" \""));
        lines.map(|line| line.trim_end_matches('"').to_owned()).collect::<Vec<_>>()
    };
    let targets = TARGETS.iter().filter(|target| !target.contains("windows"));
    let expected: BTreeSet<_> = targets.map(|target| (url(target), checksum(target))).collect();
    let (urls, sums) = (quoted_values("url"), quoted_values("sha256"));
    assert_eq!(urls.into_iter().zip(sums).collect::<BTreeSet<_>>(), expected);
    assert_eq!(quoted_values("version"), [VERSION]);
    for expected_file in ["completions/agentctl.bash", "completions/_agentctl", "completions/agentctl.fish"] {
        assert!(
            formula.contains(&format!("\"{expected_file}\"")) && archived_files(TARGETS[0]).contains(expected_file),
            "{expected_file}"
        );
    }
}

/// A script that loads the formula with fake versions of the Homebrew methods that it calls, and prints the download
/// for each system.
const LOAD_FORMULA: &str = r##"
class Formula
  class << self
    %w[desc homepage version license].each { |word| define_method(word) { |value| } }
    %w[macos linux].each { |os| define_method("on_#{os}") { |&block| @os = os; block.call } }
    %w[arm intel].each { |cpu| define_method("on_#{cpu}") { |&block| @cpu = cpu; block.call } }
    def url(value) = @url = value
    def sha256(value) = puts("#{@os} #{@cpu} #{@url} #{value}")
    def test(&block) = block
  end
end
load ARGV[0]
raise "no install" unless Agentctl.method_defined?(:install)
"##;

#[test]
fn ruby_loads_the_homebrew_formula() {
    if !support::has_program("ruby", "whether Ruby loads the formula of Homebrew") {
        return;
    }
    let mut ruby = Command::new("ruby");
    ruby.args(["-W", "-e", LOAD_FORMULA]).arg(DIST.join("agentctl.rb"));
    let run = feed(&mut ruby, b"");
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""));
    let systems = [
        ("macos arm", TARGETS[0]),
        ("linux arm", TARGETS[1]),
        ("macos intel", TARGETS[2]),
        ("linux intel", TARGETS[4]),
    ];
    let expected = systems.map(|(system, target)| format!("{system} {} {}", url(target), checksum(target)));
    assert_eq!(run.stdout.lines().collect::<BTreeSet<_>>(), expected.iter().map(String::as_str).collect());
}

#[test]
fn binstall_finds_the_archives() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let section = manifest.split("[package.metadata.binstall]\n").nth(1).unwrap();
    let field = |name: &str| {
        let value = section.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = \""));
        value.unwrap().trim_end_matches('"').to_owned()
    };
    assert_eq!(field("pkg-fmt"), "tgz");
    for target in TARGETS {
        let extension = if target.contains("windows") { ".exe" } else { "" };
        let expand_placeholders = |text: &str| {
            let values = [
                ("repo", REPOSITORY),
                ("version", VERSION),
                ("target", target),
                ("name", "agentctl"),
                ("bin", "agentctl"),
                ("binary-ext", extension),
            ];
            let expanded_url = values
                .iter()
                .fold(text.to_owned(), |text, (name, value)| text.replace(&format!("{{ {name} }}"), value));
            assert!(!expanded_url.contains('{'), "{expanded_url}");
            expanded_url
        };
        assert_eq!(expand_placeholders(&field("pkg-url")), url(target));
        let folder = archive_name(target).replace(".tar.gz", "");
        assert_eq!(expand_placeholders(&field("bin-dir")), format!("{folder}/{}", binary_name(target)));
    }
}

/// Returns this machine's target triple.
fn target_triple() -> String {
    let system = if cfg!(target_os = "macos") { "apple-darwin" } else { "unknown-linux-gnu" };
    format!("{}-{system}", env::consts::ARCH)
}

/// Runs a script that downloads the release from a local directory, without agentctl in `PATH`.
fn run_installer(mut command: Command, variables: &[(&str, &str)]) -> Run {
    assert!(DIST.is_dir());
    command
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .env("AGENTCTL_RELEASES", format!("file://{}", releases().display()))
        .envs(variables.iter().copied());
    feed(&mut command, b"")
}

fn install(to: &Path, variables: &[(&str, &str)]) -> Run {
    let mut command = Command::new(root().join("deploy/install"));
    command.arg(to);
    run_installer(command, variables)
}

fn can_download() -> bool {
    support::has_program("curl", "what downloads a release")
}

#[test]
fn installs_releases_with_correct_checksums() {
    if !can_download() {
        return;
    }
    let to = empty_directory("release-installed");
    let run = install(&to, &[]);
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""), "{}", run.stdout);
    let version = feed(Command::new(to.join("agentctl")).arg("version"), b"");
    assert!(version.stdout.starts_with(&format!("agentctl {VERSION} ")), "{}", version.stdout);
    let run_with_checksum = install(&to, &[("AGENTCTL_SHA256", &checksum(&target_triple()))]);
    assert_eq!(run_with_checksum.status, Some(0), "{}", run_with_checksum.stderr);

    let zeros = "0".repeat(64);
    for (variables, message) in [
        ([("AGENTCTL_SHA256", zeros.as_str())], format!("expected {zeros}; nothing is installed")),
        ([("AGENTCTL_VERSION", "9.9.9")], "9.9.9".to_owned()),
    ] {
        let target_folder = empty_directory("release-nowhere");
        let run = install(&target_folder, &variables);
        assert!(run.status != Some(0), "{variables:?}");
        assert!(run.stderr.contains(&message), "{variables:?}: {}", run.stderr);
        assert_eq!(fs::read_dir(&target_folder).unwrap().count(), 0, "{variables:?}");
    }
}

#[test]
fn does_not_install_modified_archives() {
    if !can_download() {
        return;
    }
    let changed_folder = empty_directory("release-changed");
    let folder = changed_folder.join(format!("download/v{VERSION}"));
    fs::create_dir_all(&folder).unwrap();
    fs::copy(DIST.join("SHA256SUMS"), folder.join("SHA256SUMS")).unwrap();
    fs::write(folder.join(archive_name(&target_triple())), "something else").unwrap();
    let to = empty_directory("release-changed-to");
    let run = install(&to, &[("AGENTCTL_RELEASES", &format!("file://{}", changed_folder.display()))]);
    assert_eq!(run.status, Some(1));
    assert!(run.stderr.contains("nothing is installed"), "{}", run.stderr);
    assert_eq!(fs::read_dir(&to).unwrap().count(), 0);
}

#[test]
fn pre_commit_hook_downloads_the_release_once() {
    if !can_download() {
        return;
    }
    let cache = empty_directory("release-hook");
    let run_hook = |releases: &[(&str, &str)]| {
        let mut command = Command::new(root().join("deploy/pre-commit/agentctl"));
        command.arg("version").env("XDG_CACHE_HOME", &cache);
        run_installer(command, releases)
    };
    let first_run = run_hook(&[]);
    assert_eq!(first_run.status, Some(0), "{}", first_run.stderr);
    assert!(first_run.stderr.starts_with("installed agentctl "), "{}", first_run.stderr);
    let second_run = run_hook(&[("AGENTCTL_RELEASES", "file:///nowhere")]);
    assert_eq!((second_run.status, second_run.stderr.as_str()), (Some(0), ""));
    assert!(second_run.stdout == first_run.stdout && first_run.stdout.starts_with("agentctl "));
}

fn yaml(path: &str) -> Value {
    serde_yaml::from_str(&fs::read_to_string(root().join(path)).unwrap()).unwrap()
}

#[test]
fn action_adds_the_release_to_the_search_path() {
    if !can_download() {
        return;
    }
    let temporary = empty_directory("release-action");
    let step = &yaml("deploy/github/action.yml")["runs"]["steps"][0];
    let mut command = Command::new("bash");
    command
        .args(["--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"].as_str().unwrap()])
        .current_dir(&temporary)
        .env("GITHUB_ACTION_PATH", root().join("deploy/github"))
        .env("GITHUB_PATH", temporary.join("path"))
        .env("GITHUB_OUTPUT", temporary.join("output"))
        .env("GITHUB_WORKSPACE", empty_directory("release-action-checkout"))
        .env("RUNNER_TEMP", &temporary)
        // If the inputs are not set, the action passes these values.
        .envs([("AGENTCTL_VERSION", ""), ("AGENTCTL_SHA256", ""), ("COMPILE", "false")]);
    let run = run_installer(command, &[]);
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    let path = fs::read_to_string(temporary.join("path")).unwrap();
    assert!(Path::new(path.trim_end()).join("agentctl").exists(), "{path}");
    let output = fs::read_to_string(temporary.join("output")).unwrap();
    assert_eq!(output.trim_end(), format!("agentctl={}/agentctl", path.trim_end()));
}

#[test]
fn gitlab_template_downloads_a_release() {
    let template = yaml("deploy/gitlab/agentctl.gitlab-ci.yml");
    let variable = |name: &str| template["variables"][name].as_str().unwrap().to_owned();
    assert_eq!(variable("AGENTCTL_VERSION"), VERSION);
    assert_eq!(variable("AGENTCTL_RELEASES"), format!("{REPOSITORY}/releases"));
    if !can_download() || cfg!(target_os = "macos") {
        return;
    }
    let before_commands = template[".agentctl"]["before_script"][0].as_str().unwrap();
    let run = |sum: &str| {
        // A merge request can commit a program to the cache directory, or replace this directory with a symlink that
        // points outside the checkout.
        let (folder, binaries) = (empty_directory("release-gitlab"), empty_directory("release-gitlab-elsewhere"));
        let installed = folder.join(".agentctl");
        match sum {
            "" => fs::create_dir(&installed).unwrap(),
            _ => std::os::unix::fs::symlink(&binaries, &installed).unwrap(),
        }
        fs::write(installed.join("kustomize"), "#!/bin/sh\n").unwrap();
        fs::set_permissions(installed.join("kustomize"), PermissionsExt::from_mode(0o755)).unwrap();
        let mut command = Command::new("bash");
        let after_script = "\"$agentctl\" version; ! command -v kustomize | grep -F \"$PWD/\"; ls -A .agentctl";
        command.args(["-eo", "pipefail", "-c", &format!("{before_commands}\n{after_script}")]);
        command.current_dir(folder);
        let variables = [("AGENTCTL_VERSION", VERSION), ("AGENTCTL_SHA256", sum), ("AGENTCTL_COMPILE", "false")];
        run_installer(command, &variables)
    };
    let valid_run = run("");
    assert_eq!(valid_run.status, Some(0), "{}{}", valid_run.stdout, valid_run.stderr);
    assert!(valid_run.stdout.contains(&format!("\nagentctl {VERSION} ")), "{}", valid_run.stdout);
    for run in [&valid_run, &run(&checksum(&target_triple()))] {
        assert_eq!(run.status, Some(0), "{}{}", run.stdout, run.stderr);
        assert!(run.stdout.ends_with("\nkustomize\n"), "{}", run.stdout);
    }
    let invalid_run = run(&"0".repeat(64));
    assert_eq!(invalid_run.status, Some(1), "{}{}", invalid_run.stdout, invalid_run.stderr);
}

#[test]
fn tag_check_requires_version_repository_and_changelog() {
    let check_tag = |check_tag: &str, repository: &str| {
        let mut command = Command::new(root().join("deploy/release/tag"));
        feed(command.args([check_tag, repository]), b"")
    };
    let valid_run = check_tag(&format!("v{VERSION}"), REPOSITORY);
    assert_eq!((valid_run.status, valid_run.stderr.as_str()), (Some(0), ""));
    let invalid_run = check_tag("v9.9.9", "https://example.com");
    assert_eq!(invalid_run.status, Some(1));
    assert_eq!(invalid_run.stderr.lines().count(), 3, "{}", invalid_run.stderr);
    let notes = feed(&mut Command::new(root().join("deploy/release/notes")), b"").stdout;
    assert!(notes.contains("\n### Added\n") && !notes.contains("\n## "), "{notes}");
}

#[test]
fn workflows_pin_actions_and_limit_permissions() {
    let folder = root().join(".github/workflows");
    let mut action_count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let workflow: Value = serde_yaml::from_str(&text).unwrap();
        let workflow_permissions = serde_yaml::to_string(&workflow["permissions"]).unwrap();
        assert!(
            ["{}\n", "contents: read\n"].contains(&workflow_permissions.as_str()),
            "{}: {workflow_permissions}",
            path.display()
        );
        for line in text.lines() {
            assert!(!(line.contains("run:") && line.contains("${{")), "{line}");
            if let Some((_, action)) = line.split_once("uses: ") {
                let commit = action.split(['@', ' ']).nth(1).unwrap();
                assert!(commit.len() == 40 && commit.bytes().all(|b| b.is_ascii_hexdigit()), "{line}");
                assert!(line.contains(" # v"), "{line}");
                action_count += 1;
            }
        }
        for (_, job) in workflow["jobs"].as_mapping().unwrap() {
            for script in job["steps"].as_sequence().unwrap().iter().filter_map(|step| step["run"].as_str()) {
                let scripts =
                    script.split_whitespace().filter(|word| word.starts_with("deploy/") || word.starts_with(".ci/"));
                for script in scripts {
                    let mode = fs::metadata(root().join(script)).unwrap().permissions().mode();
                    assert!(mode & 0o111 != 0, "{script}");
                }
            }
        }
    }
    assert!(action_count > 4);
}

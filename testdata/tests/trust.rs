//! Input that somebody else wrote gets nothing: it executes no program, and is read and written no further than where it is.
//!
//! Each trick plants a command that leaves a file behind, or a text that must not be shown, and then nothing of it is there.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use support::{Run, agentctl, feed};

const AGENT: &str = "\
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: agent, namespace: m}
spec: {}
";

/// A directory outside of every repository, with what is planted, and the file that a planted command leaves.
struct Attack {
    scratch: tempfile::TempDir,
}

impl Attack {
    fn new() -> Self {
        let scratch = tempfile::tempdir().unwrap();
        let attack = Self { scratch };
        // Every program that git may be made to run.
        let program = format!("#!/bin/sh\ntouch '{}'\nexit 1\n", attack.marker().display());
        fs::write(attack.path("program"), program).unwrap();
        fs::set_permissions(attack.path("program"), fs::Permissions::from_mode(0o755)).unwrap();
        attack
    }

    fn path(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }

    fn marker(&self) -> PathBuf {
        self.path("executed")
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn git(&self, directory: &str, args: &[&str]) -> String {
        let mut git = Command::new("git");
        git.arg("-C").arg(self.path(directory));
        git.args(["-c", "user.name=t", "-c", "user.email=t@example.com"])
            .args(args);
        let output = git.env("GIT_CONFIG_NOSYSTEM", "1").output().unwrap();
        assert!(output.status.success(), "git {args:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// A repository with an agent in `manifests`.
    fn repository(&self) {
        self.write("repository/manifests/agent.yaml", AGENT);
        self.git("repository", &["init", "-q"]);
        self.commit("repository");
    }

    fn commit(&self, directory: &str) {
        self.git(directory, &["add", "--force", "."]);
        self.git(directory, &["commit", "-q", "-m", "c"]);
    }

    /// Makes a partial clone of a repository: the agent's text is gone, and `origin` promises it. `config` says how to get it.
    fn forget_agent(&self, git_directory: &str, config: &str) {
        let directory = self.path(git_directory);
        let name = self.git(
            git_directory,
            &["--git-dir=.", "rev-parse", "HEAD:manifests/agent.yaml"],
        );
        let (folder, file) = name.split_at(2);
        fs::remove_file(directory.join("objects").join(folder).join(file)).unwrap();
        let old = fs::read_to_string(directory.join("config")).unwrap();
        let old = old.replace("repositoryformatversion = 0", "repositoryformatversion = 1");
        let promise = "[extensions]\npartialClone = origin\n[remote \"origin\"]\npromisor = true\n";
        let config = config.replace("PROGRAM", &self.path("program").display().to_string());
        fs::write(directory.join("config"), old + promise + &config).unwrap();
    }

    /// A repository, and in its directory `evil` what is a bare repository, too, committed like anything else.
    fn bare_repository(&self) {
        self.repository();
        self.write("source/manifests/agent.yaml", AGENT);
        self.git("source", &["init", "-q"]);
        self.commit("source");
        fs::rename(self.path("source/.git"), self.path("repository/evil")).unwrap();
        self.forget_agent("repository/evil", BY_SSH);
        self.write("repository/evil/manifests/agent.yaml", AGENT);
        self.commit("repository");
    }

    /// Runs it; nothing that was planted has been executed.
    fn run(&self, command: &mut Command) -> Run {
        let run = feed(command, b"");
        assert!(
            !self.marker().exists(),
            "{command:?} executed what was planted: {run:?}"
        );
        run
    }

    /// Compares an input with what it was at HEAD.
    fn since(&self, directory: &str, input: &str) -> Run {
        self.run(&mut since(&self.path(directory), input))
    }
}

fn since(directory: &Path, input: &str) -> Command {
    let mut command = agentctl(directory);
    command.args(["affected", "--since", "HEAD", "-o", "names", input]);
    command
}

/// How to get what a partial clone lacks: in each of these ways git runs a program.
const BY_SSH: &str = "url = ssh://host/path\n[core]\nsshCommand = PROGRAM\n";
const WAYS: &[&str] = &[
    BY_SSH,
    "url = \"ext::PROGRAM\"\n[protocol \"ext\"]\nallow = always\n",
    "url = git://host/path\n[core]\ngitProxy = PROGRAM\n[protocol]\nallow = always\n",
    "url = file:///\nuploadpack = PROGRAM\n[protocol \"file\"]\nallow = always\n",
    "url = .\nuploadpack = PROGRAM\n",
    "vcs = ../../../../../../../..PROGRAM\n[protocol]\nallow = always\n",
];

/// Programs that a repository may name for other occasions.
const PROGRAMS: &str = "
[core]
fsmonitor = PROGRAM
hooksPath = HOOKS
pager = PROGRAM
askPass = PROGRAM
alternateRefsCommand = PROGRAM
[pager]
ls-tree = PROGRAM
cat-file = PROGRAM
rev-parse = PROGRAM
[alias]
ls-tree = !PROGRAM
cat-file = !PROGRAM
rev-parse = !PROGRAM
[credential]
helper = !PROGRAM
[diff]
external = PROGRAM
[diff \"x\"]
textconv = PROGRAM
command = PROGRAM
[filter \"x\"]
clean = PROGRAM
smudge = PROGRAM
process = PROGRAM
required = true
";

#[test]
fn a_bare_repository_in_the_input_is_none() {
    let attack = Attack::new();
    attack.bare_repository();
    for (directory, input) in [
        ("repository", "evil"),
        ("repository", "evil/manifests"),
        ("repository", "evil/manifests/agent.yaml"),
        ("repository/evil", "."),
        ("repository/evil", "manifests"),
        ("repository/evil/manifests", "agent.yaml"),
    ] {
        let run = attack.since(directory, input);
        // The files are those of the repository around, where nothing has changed.
        assert_eq!(
            (run.status, run.stdout.as_str()),
            (Some(0), ""),
            "{directory} {input}: {run:?}"
        );
    }
}

#[test]
fn nothing_is_fetched_into_a_partial_clone() {
    for way in WAYS {
        let attack = Attack::new();
        attack.repository();
        attack.forget_agent("repository/.git", way);
        let run = attack.since("repository", "manifests");
        let expected = "error: the clone lacks `manifests/agent.yaml` of `HEAD`, and agentctl does not fetch it; clone \
                        without `--filter`\n";
        assert_eq!((run.status, run.stderr.as_str()), (Some(2), expected), "{way}");

        // A git before 2.45 does not know the variable, and fetches.
        attack.write(
            "old/git",
            "#!/bin/sh\nunset GIT_NO_LAZY_FETCH\nPATH=${PATH#*:} exec git \"$@\"\n",
        );
        fs::set_permissions(attack.path("old/git"), fs::Permissions::from_mode(0o755)).unwrap();
        let path = std::env::var("PATH").unwrap();
        let path = format!("{}:{path}", attack.path("old").display());
        let run = attack.run(since(&attack.path("repository"), "manifests").env("PATH", path));
        assert_eq!((run.status, run.stdout.as_str()), (Some(2), ""), "{way}: {run:?}");
    }
}

#[test]
fn no_program_of_the_repository_is_run() {
    let attack = Attack::new();
    attack.repository();
    let program = attack.path("program").display().to_string();
    for hook in [
        "post-index-change",
        "reference-transaction",
        "post-checkout",
        "fsmonitor-watchman",
    ] {
        attack.write(&format!("hooks/{hook}"), &fs::read_to_string(&program).unwrap());
        fs::set_permissions(attack.path("hooks").join(hook), fs::Permissions::from_mode(0o755)).unwrap();
    }
    attack.write("repository/.gitattributes", "* diff=x filter=x\n");
    let config = attack.path("repository/.git/config");
    let hooks = attack.path("hooks").display().to_string();
    let programs = PROGRAMS.replace("PROGRAM", &program).replace("HOOKS", &hooks);
    fs::write(&config, fs::read_to_string(&config).unwrap() + &programs).unwrap();
    attack.write(
        "repository/manifests/agent.yaml",
        &AGENT.replace("name: agent", "name: other"),
    );
    let run = attack.since("repository", "manifests");
    assert_eq!((run.status, run.stdout.as_str()), (Some(0), "m/other\n"), "{run:?}");
}

#[test]
fn only_the_repository_around_the_working_directory_is_read() {
    let attack = Attack::new();
    attack.repository();
    attack.write("other/manifests/agent.yaml", AGENT);
    attack.git("other", &["init", "-q"]);
    attack.commit("other");
    fs::create_dir(attack.path("none")).unwrap();
    attack.write("repository/nested/agent.yaml", AGENT);
    attack.git("repository/nested", &["init", "-q"]);
    for (input, directory) in [
        ("../other/manifests", "repository"),
        ("../other/manifests/agent.yaml", "repository"),
        ("nested", "repository"),
        ("../repository/manifests", "none"),
    ] {
        let run = attack.since(directory, input);
        assert_eq!((run.status, run.stdout.as_str()), (Some(2), ""), "{run:?}");
        let problem = match directory {
            "none" => "error: `--since` reads a git repository, and the working directory is not in one\n".to_owned(),
            _ => format!("`{input}` is not in it; run agentctl in the repository of the input\n"),
        };
        assert!(run.stderr.ends_with(&problem), "{}", run.stderr);
    }

    // As a hook of another repository has them.
    let other = attack.path("other/.git");
    let mut hook = since(&attack.path("repository"), "manifests");
    hook.env("GIT_DIR", &other)
        .env("GIT_OBJECT_DIRECTORY", other.join("objects"));
    hook.env("GIT_WORK_TREE", attack.path("other"))
        .env("GIT_INDEX_FILE", other.join("index"));
    let run = attack.run(&mut hook);
    assert_eq!((run.status, run.stdout.as_str()), (Some(0), ""), "{run:?}");
}

#[test]
fn objects_are_what_their_names_say() {
    let attack = Attack::new();
    attack.repository();
    attack.write("repository/other.yaml", "a: 1\n");
    let name = |object: &str| attack.git("repository", &["rev-parse", object]);
    let (old, new) = (
        name("HEAD:manifests/agent.yaml"),
        attack.git("repository", &["hash-object", "-w", "other.yaml"]),
    );
    attack.git("repository", &["replace", &old, &new]);
    let run = attack.since("repository", "manifests");
    assert_eq!((run.status, run.stdout.as_str()), (Some(0), ""), "{run:?}");
}

#[test]
fn a_revision_is_no_option() {
    let attack = Attack::new();
    attack.repository();
    for revision in [
        "--output=x",
        "-h",
        "^HEAD",
        "HEAD..HEAD",
        "--git-dir",
        "",
        "HEAD:manifests",
    ] {
        let since = format!("--since={revision}");
        let run = attack.run(agentctl(&attack.path("repository")).args(["affected", &since, "manifests"]));
        assert_eq!((run.status, run.stdout.as_str()), (Some(2), ""), "{run:?}");
        assert!(run.stderr.starts_with("error: there is no revision"), "{}", run.stderr);
    }
}

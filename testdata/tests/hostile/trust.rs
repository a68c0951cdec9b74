//! Tests that untrusted input cannot make agentctl execute a program, and that agentctl neither reads nor writes
//! anything outside the input and output.
//!
//! Each attack plants either a command that leaves a file behind or text that must not be shown. Neither the file nor
//! the text may appear.

#![cfg(unix)]
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Run, agentctl, feed};

const AGENT: &str = "\
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: agent, namespace: m}
spec: {}
";

/// A directory outside every repository. It contains planted files; a planted command that is executed creates a marker
/// file in it.
struct Attack {
    scratch: tempfile::TempDir,
}

impl Attack {
    fn new() -> Self {
        let scratch = tempfile::tempdir().unwrap();
        let attack = Self { scratch };
        // The program replaces all programs that git might be made to run.
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
        git.args(["-c", "user.name=t", "-c", "user.email=t@example.com"]).args(args);
        let output = git.env("GIT_CONFIG_NOSYSTEM", "1").output().unwrap();
        assert!(output.status.success(), "git {args:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Creates a repository with an agent in `manifests`.
    fn create_repository(&self) {
        self.write("repository/manifests/agent.yaml", AGENT);
        self.git("repository", &["init", "-q"]);
        self.commit("repository");
    }

    fn commit(&self, directory: &str) {
        self.git(directory, &["add", "--force", "."]);
        self.git(directory, &["commit", "-q", "-m", "c"]);
    }

    /// Turns a repository into a partial clone. The agent's manifest is removed, and the `origin` remote promises it;
    /// `config` specifies how git would fetch it.
    fn forget_agent(&self, git_directory: &str, config: &str) {
        let directory = self.path(git_directory);
        let name = self.git(git_directory, &["--git-dir=.", "rev-parse", "HEAD:manifests/agent.yaml"]);
        let (folder, file) = name.split_at(2);
        fs::remove_file(directory.join("objects").join(folder).join(file)).unwrap();
        let old = fs::read_to_string(directory.join("config")).unwrap();
        let old = old.replace("repositoryformatversion = 0", "repositoryformatversion = 1");
        let promise = "[extensions]\npartialClone = origin\n[remote \"origin\"]\npromisor = true\n";
        let config = config.replace("PROGRAM", &self.path("program").display().to_string());
        fs::write(directory.join("config"), old + promise + &config).unwrap();
    }

    /// Creates a repository with a committed `evil` directory that is also a bare repository.
    fn create_bare_repository(&self) {
        self.create_repository();
        self.write("source/manifests/agent.yaml", AGENT);
        self.git("source", &["init", "-q"]);
        self.commit("source");
        fs::rename(self.path("source/.git"), self.path("repository/evil")).unwrap();
        self.forget_agent("repository/evil", SSH_SETTINGS);
        self.write("repository/evil/manifests/agent.yaml", AGENT);
        self.commit("repository");
    }

    /// Runs a command and asserts that nothing planted was executed.
    fn run(&self, command: &mut Command) -> Run {
        let run = feed(command, b"");
        assert!(!self.marker().exists(), "{command:?} executed what was planted: {run:?}");
        run
    }

    /// Compares an input with its state at HEAD.
    fn compare_with_head(&self, directory: &str, input: &str) -> Run {
        self.run(&mut affected_command(&self.path(directory), input))
    }
}

fn affected_command(directory: &Path, input: &str) -> Command {
    let mut command = agentctl(directory);
    command.args(["affected", "--since", "HEAD", "-o", "names", input]);
    command
}

/// Settings for the remote that a partial clone fetches missing objects from. Each of them makes git run a program.
const SSH_SETTINGS: &str = "url = ssh://host/path\n[core]\nsshCommand = PROGRAM\n";
const REMOTE_SETTINGS: &[&str] = &[
    SSH_SETTINGS,
    "url = \"ext::PROGRAM\"\n[protocol \"ext\"]\nallow = always\n",
    "url = git://host/path\n[core]\ngitProxy = PROGRAM\n[protocol]\nallow = always\n",
    "url = file:///\nuploadpack = PROGRAM\n[protocol \"file\"]\nallow = always\n",
    "url = .\nuploadpack = PROGRAM\n",
    "vcs = ../../../../../../../..PROGRAM\n[protocol]\nallow = always\n",
];

/// Programs that a repository may configure for other purposes.
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
fn ignores_bare_repositories_in_the_input() {
    let attack = Attack::new();
    attack.create_bare_repository();
    for (directory, input) in [
        ("repository", "evil"),
        ("repository", "evil/manifests"),
        ("repository", "evil/manifests/agent.yaml"),
        ("repository/evil", "."),
        ("repository/evil", "manifests"),
        ("repository/evil/manifests", "agent.yaml"),
    ] {
        let run = attack.compare_with_head(directory, input);
        // The files belong to the enclosing repository, where nothing has changed.
        assert_eq!((run.status, run.stdout.as_str()), (Some(0), ""), "{directory} {input}: {run:?}");
    }
}

#[test]
fn fetches_nothing_into_partial_clones() {
    for way in REMOTE_SETTINGS {
        let attack = Attack::new();
        attack.create_repository();
        attack.forget_agent("repository/.git", way);
        let run = attack.compare_with_head("repository", "manifests");
        let expected = "error: the clone lacks `manifests/agent.yaml` at `HEAD`, and agentctl does not fetch it; clone without `--filter`\n";
        assert_eq!((run.status, run.stderr.as_str()), (Some(2), expected), "{way}");

        // Versions of git before 2.45 ignore the variable and fetch the objects.
        attack.write("old/git", "#!/bin/sh\nunset GIT_NO_LAZY_FETCH\nPATH=${PATH#*:} exec git \"$@\"\n");
        fs::set_permissions(attack.path("old/git"), fs::Permissions::from_mode(0o755)).unwrap();
        let path = std::env::var("PATH").unwrap();
        let path = format!("{}:{path}", attack.path("old").display());
        let run = attack.run(affected_command(&attack.path("repository"), "manifests").env("PATH", path));
        assert_eq!((run.status, run.stdout.as_str()), (Some(2), ""), "{way}: {run:?}");
    }
}

#[test]
fn runs_no_programs_from_the_repository() {
    let attack = Attack::new();
    attack.create_repository();
    let program = attack.path("program").display().to_string();
    for hook in ["post-index-change", "reference-transaction", "post-checkout", "fsmonitor-watchman"] {
        attack.write(&format!("hooks/{hook}"), &fs::read_to_string(&program).unwrap());
        fs::set_permissions(attack.path("hooks").join(hook), fs::Permissions::from_mode(0o755)).unwrap();
    }
    attack.write("repository/.gitattributes", "* diff=x filter=x\n");
    let config = attack.path("repository/.git/config");
    let hooks = attack.path("hooks").display().to_string();
    let programs = PROGRAMS.replace("PROGRAM", &program).replace("HOOKS", &hooks);
    fs::write(&config, fs::read_to_string(&config).unwrap() + &programs).unwrap();
    attack.write("repository/manifests/agent.yaml", &AGENT.replace("name: agent", "name: other"));
    let run = attack.compare_with_head("repository", "manifests");
    assert_eq!((run.status, run.stdout.as_str()), (Some(0), "m/other\n"), "{run:?}");
}

#[test]
fn reads_only_the_repository_of_the_working_directory() {
    let attack = Attack::new();
    attack.create_repository();
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
        let run = attack.compare_with_head(directory, input);
        assert_eq!((run.status, run.stdout.as_str()), (Some(2), ""), "{run:?}");
        let problem = match directory {
            "none" => "error: `--since` needs a git repository, but the working directory is not in one\n".to_owned(),
            _ => format!("`{input}` is not in it; run agentctl in the input's repository\n"),
        };
        assert!(run.stderr.ends_with(&problem), "{}", run.stderr);
    }

    // In a git hook of another repository, git sets the variables for that repository.
    let other_repository = attack.path("other/.git");
    let mut hook = affected_command(&attack.path("repository"), "manifests");
    hook.env("GIT_DIR", &other_repository).env("GIT_OBJECT_DIRECTORY", other_repository.join("objects"));
    hook.env("GIT_WORK_TREE", attack.path("other")).env("GIT_INDEX_FILE", other_repository.join("index"));
    let run = attack.run(&mut hook);
    assert_eq!((run.status, run.stdout.as_str()), (Some(0), ""), "{run:?}");
}

#[test]
fn ignores_git_replace_refs() {
    let attack = Attack::new();
    attack.create_repository();
    attack.write("repository/other.yaml", "a: 1\n");
    let name = |object: &str| attack.git("repository", &["rev-parse", object]);
    let (old, new) =
        (name("HEAD:manifests/agent.yaml"), attack.git("repository", &["hash-object", "-w", "other.yaml"]));
    attack.git("repository", &["replace", &old, &new]);
    let run = attack.compare_with_head("repository", "manifests");
    assert_eq!((run.status, run.stdout.as_str()), (Some(0), ""), "{run:?}");
}

#[test]
fn does_not_treat_revisions_as_options() {
    let attack = Attack::new();
    attack.create_repository();
    for revision in ["--output=x", "-h", "^HEAD", "HEAD..HEAD", "--git-dir", "", "HEAD:manifests"] {
        let since = format!("--since={revision}");
        let run = attack.run(agentctl(&attack.path("repository")).args(["affected", &since, "manifests"]));
        assert_eq!((run.status, run.stdout.as_str()), (Some(2), ""), "{run:?}");
        assert!(run.stderr.starts_with("error: revision `"), "{}", run.stderr);
    }
}

/// A manifest outside the input. A mistake in it would cause a finding that reveals that the manifest was read.
const PLANTED: &str = "apiVersion: monitoring.grafana.com/v1alpha1\nkind: GrafanaAgent\nmetadata: {name: planted-name}\nspec: {planted: [}\n";

impl Attack {
    /// Creates an `input` directory that contains an agent and is optionally in a repository, and plants files outside
    /// it.
    fn input(&self, is_repository: bool) {
        self.write("project/input/agent.yaml", AGENT);
        self.write("project/shared/more.yaml", &AGENT.replace("name: agent", "name: more"));
        self.write("outside/planted-file.yaml", PLANTED);
        if is_repository {
            self.git("project", &["init", "-q"]);
            self.write("project/.git/planted-token.yaml", PLANTED);
        }
    }

    fn link(&self, link: &str, target: &str) {
        symlink(target, self.path("project").join(link)).unwrap();
    }

    /// Runs agentctl in the project with a planted environment variable.
    fn run_in_project(&self, args: &[&str]) -> Run {
        let mut command = agentctl(&self.path("project"));
        command.args(args).args(["--message-format", "short"]);
        command.env("PLANTED", "x: planted-variable: [");
        feed(&mut command, b"")
    }

    /// Asserts that a run fails because of a symlink or path, and that its output shows nothing planted.
    fn assert_rejected(&self, args: &[&str], status: i32, problem: &str) {
        let run = self.run_in_project(args);
        assert!(!run.stdout.contains("planted-name"), "{args:?}: {run:?}");
        assert!(!run.stderr.contains("planted-name"), "{args:?}: {run:?}");
        assert!(!run.stderr.contains("planted-variable"), "{args:?}: {run:?}");
        assert_eq!(run.status, Some(status), "{args:?}: {run:?}");
        let output = format!("{}{}", run.stdout, run.stderr);
        assert!(output.contains(problem), "{args:?}: {output}");
    }
}

/// Targets of symlinks that point outside the `input` directory, each with part of the expected message.
const LINKS: &[(&str, &str)] = &[
    ("../../outside/planted-file.yaml", "/outside/planted-file.yaml`, outside the"),
    ("../../outside", "/outside`, outside the"),
    ("/proc/self/environ", "environ`, outside the"),
    ("/dev/zero", "`/dev/zero`, outside the"),
    ("chain", "/outside/planted-file.yaml`, outside the"),
    ("folder/planted-file.yaml", "/outside/planted-file.yaml`, outside the"),
];

#[test]
fn rejects_links_that_leave_the_input() {
    for is_repository in [true, false] {
        let links_into_git = [
            ("../.git/planted-token.yaml", "/.git/planted-token.yaml`, which is part of `.git`"),
            ("../.git", "/.git`, which is part of `.git`"),
            ("../shared/../.git/config", "/.git/config`, which is part of `.git`"),
        ];
        let links_out_of_directory = [("../shared", "/shared`, outside the")];
        let extra_links = if is_repository { &links_into_git[..] } else { &links_out_of_directory };
        for (number, (target, problem)) in LINKS.iter().chain(extra_links).enumerate() {
            let attack = Attack::new();
            attack.input(is_repository);
            fs::create_dir(attack.path("project/elsewhere")).unwrap();
            attack.link("input/chain", "../../outside/planted-file.yaml");
            attack.link("elsewhere/folder", "../../outside");
            let target = target.replace("folder/", "../elsewhere/folder/");
            attack.link("input/link.yaml", &target);
            let commands: [&[&str]; 5] = [
                &["check", "input"],
                &["render", "input"],
                &["tree", "-f", "input"],
                &["config", "agent", "-f", "input"],
                &["aggregate", "routes", "input"],
            ];
            for command in crate::support::take_turn(&commands, number) {
                attack.assert_rejected(command, 1, "error[outside-link]: the link `input/link.yaml` points");
                attack.assert_rejected(command, 1, problem);
            }
            attack.assert_rejected(&["why", "grafanaagent/agent", "-f", "input"], 1, problem);
            attack.assert_rejected(&["diff", "shared", "--against", "input"], 2, problem);
            if is_repository {
                // Shell patterns and the pre-commit hook may also pass symlinks as arguments.
                attack.assert_rejected(&["check", "input/link.yaml"], 1, problem);
                attack.assert_rejected(&["check", "input/agent.yaml", "input/link.yaml"], 1, problem);
                attack.assert_rejected(&["aggregate", "routes", "--remote-services", "input/link.yaml"], 2, problem);
            }
            // Once the symlink is removed, the input is accepted.
            fs::remove_file(attack.path("project/input/link.yaml")).unwrap();
            assert_eq!(attack.run_in_project(&["check", "input"]).status, Some(0));
        }
    }
}

#[test]
fn follows_links_only_within_the_repository() {
    let attack = Attack::new();
    attack.input(true);
    attack.link("input/more.yaml", "../shared/more.yaml");
    attack.link("input/shared", "../shared");
    attack.link("input/up", "..");
    attack.link("named", "input");
    attack.link("input/notes.txt", "/etc/passwd");
    for input in ["input", "named", ".", "input/shared/more.yaml"] {
        let run = attack.run_in_project(&["check", input]);
        assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    }
    // A directory on the command line may be a symlink, unless the symlink is in the repository and points outside it.
    symlink(attack.path("project/input"), attack.path("input")).unwrap();
    assert_eq!(attack.run_in_project(&["check", "../input"]).status, Some(0));
    attack.link("away", "../outside");
    attack.assert_rejected(&["check", "away"], 1, "the link `away` points");
    attack.assert_rejected(&["check", "away/planted-file.yaml"], 1, "the link `away` points");
}

#[test]
fn only_command_line_flags_allow_external_links() {
    let attack = Attack::new();
    attack.input(true);
    attack.write("outside/agent.yaml", &AGENT.replace("name: agent", "name: outside"));
    fs::remove_file(attack.path("outside/planted-file.yaml")).unwrap();
    attack.link("input/link", "../../outside");
    for word in ["none", "LoadRestrictionsNone"] {
        let run = attack.run_in_project(&["tree", "-f", "input", "--load-restrictor", word]);
        assert!(run.status == Some(0) && run.stdout.contains("m/outside"), "{run:?}");
    }
    for word in ["root-only", "LoadRestrictionsRootOnly"] {
        attack.assert_rejected(&["check", "input", "--load-restrictor", word], 1, "[outside-link]");
    }
    attack.write("project/agentctl.yaml", "flags: {load-restrictor: none}\n");
    attack.assert_rejected(&["check", "input"], 1, "`load-restrictor` is not a flag that can be set here");
    fs::remove_file(attack.path("project/agentctl.yaml")).unwrap();

    // Special files are not read even with `--load-restrictor none`.
    attack.link("input/environment.yaml", "/proc/self/environ");
    attack.link("input/zero.yaml", "/dev/zero");
    let args = ["check", "input", "--load-restrictor", "none"];
    attack.assert_rejected(&args, 1, "environ`, which is not a regular file");
    let mkfifo = Command::new("mkfifo").arg(attack.path("project/pipe")).status();
    assert!(mkfifo.unwrap().success());
    attack.link("pipe.yaml", "pipe");
    for word in ["none", "root-only"] {
        let args = ["check", "pipe.yaml", "--load-restrictor", word];
        attack.assert_rejected(&args, 1, "/pipe`, which is not a regular file");
    }
}

#[test]
fn settings_refer_only_to_files_in_their_repository() {
    for is_repository in [true, false] {
        let attack = Attack::new();
        attack.input(is_repository);
        attack.link("away", "../outside");
        for inputs in ["../outside", "away", "away/planted-file.yaml", "input/../../outside", ".git", "/etc"] {
            attack.write("project/agentctl.yaml", &format!("inputs: [{inputs}]\n"));
            let expected = format!("`inputs` lists `{inputs}`, which is outside the repository of `agentctl.yaml`");
            for command in ["check", "render"] {
                attack.assert_rejected(&[command], 1, &expected);
            }
        }
        for flag in ["../out", "away/out", ".git/hooks", "away"] {
            attack.write("project/agentctl.yaml", &format!("flags: {{output-dir: {flag}}}\n"));
            attack.assert_rejected(&["render", "input"], 1, "`output-dir` points outside the file's repository");
        }
        attack.write("project/agentctl.yaml", "inputs: [input, shared]\nflags: {output-dir: out}\n");
        assert_eq!(attack.run_in_project(&["render"]).status, Some(0));

        assert_eq!(fs::read_dir(attack.path("outside")).unwrap().count(), 1);

        fs::remove_file(attack.path("project/agentctl.yaml")).unwrap();
        attack.link("agentctl.yaml", "../outside/planted-file.yaml");
        attack.assert_rejected(&["check", "input"], 2, "cannot read `agentctl.yaml`: the link `agentctl.yaml` points");
    }
}

#[test]
fn krm_functions_read_only_files_in_the_repository() {
    let list = |spec: &str| {
        format!(
            "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\nfunctionConfig: {{apiVersion: agentctl.dev/v1alpha1, kind: Render, metadata: {{name: x}}, spec: {spec}}}\n"
        )
    };
    for is_repository in [true, false] {
        let attack = Attack::new();
        attack.input(is_repository);
        attack.link("away", "../outside");
        attack.link("input/link.yaml", "../../outside/planted-file.yaml");
        let outside = attack.path("outside").display().to_string();
        for (files, problem) in [
            ("../outside", "is not in the repository that contains the working directory"),
            ("away", "is not in the repository that contains the working directory"),
            ("away/planted-file.yaml", "is not in the repository that contains the working directory"),
            (".git/planted-token.yaml", "is not in the repository that contains the working directory"),
            (&outside, "is not in the repository that contains the working directory"),
            ("input", "the link `input/link.yaml` points"),
        ] {
            if !is_repository && files.starts_with(".git") {
                continue;
            }
            let text = list(&format!("{{files: ['{files}']}}"));
            let run = feed(agentctl(&attack.path("project")).arg("krm"), text.as_bytes());
            assert_eq!(run.status, Some(1), "{files}: {run:?}");
            assert!(run.stderr.contains(problem), "{files}: {run:?}");
            assert!(!run.stderr.contains("planted-name"), "{files}: {run:?}");
            let run = feed(agentctl(&attack.path("project")).args(["render", "-"]), text.as_bytes());
            assert!(run.status == Some(1) && run.stderr.contains(problem), "{files}: {run:?}");
        }
        let text = list("{files: [shared], loadRestrictor: none}");
        let run = feed(agentctl(&attack.path("project")).arg("krm"), text.as_bytes());
        assert!(run.stderr.contains("unknown parameter `loadRestrictor`"), "{run:?}");
        fs::write(attack.path("outside/planted-file.yaml"), AGENT).unwrap();
        let text = list("{files: [input, ../outside], allowEmpty: true, allow: [duplicate-resource]}");
        let mut run_without_inputs = agentctl(&attack.path("project"));
        let run = feed(run_without_inputs.args(["krm", "--load-restrictor", "none"]), text.as_bytes());
        assert!(!run.stderr.contains("not in the repository"), "{run:?}");
    }
}

#[test]
fn argocd_applications_read_only_their_repository() {
    let attack = Attack::new();
    attack.input(false);
    let generate = |environment: &[(&str, &str)]| {
        let mut command = agentctl(&attack.path("project/input"));
        command.args(["argocd", "generate"]).envs(environment.iter().copied());
        feed(&mut command, b"")
    };
    let path = ("ARGOCD_APP_SOURCE_PATH", "input");
    let files = |text: &'static str| ("ARGOCD_APP_PARAMETERS", text);
    attack.link("input/shared", "../shared");
    let run = generate(&[path]);
    assert_eq!(run.status, Some(0), "{run:?}");
    attack.link("input/away", "../../outside");
    attack.link("back", "../outside");
    for (parameters, problem) in [
        ("", "the link `away` points"),
        ("[{\"name\": \"files\", \"array\": [\"away\"]}]", "not in the repository"),
        ("[{\"name\": \"files\", \"array\": [\"../back/planted-file.yaml\"]}]", "not in the repository"),
        ("[{\"name\": \"load-restrictor\", \"string\": \"none\"}]", "unknown parameter `load-restrictor`"),
    ] {
        let run = generate(&[path, files(parameters)]);
        assert_eq!((run.status, run.stdout.as_str()), (Some(1), ""), "{parameters}: {run:?}");
        assert!(run.stderr.contains(problem), "{parameters}: {run:?}");
        assert!(!run.stderr.contains("planted-name"), "{run:?}");
    }
}

#[test]
fn writes_only_inside_the_output_directory() {
    for is_repository in [true, false] {
        let attack = Attack::new();
        attack.input(is_repository);
        attack.link("away", "../outside");
        fs::create_dir(attack.path("outside/folder")).unwrap();
        fs::create_dir(attack.path("project/real")).unwrap();
        attack.link("near", "real");
        let absolute = attack.path("project/away/new").display().to_string();
        for directory in ["away/new", "away/folder", "./away/folder/new", "input/../away/new", &absolute] {
            for command in [
                &["render", "input", "--output-dir"][..],
                &["render", "input", "--check", "--output-dir"],
                &["schema", "--output-dir"],
                &["aggregate", "pki"],
            ] {
                let args = [command, &[directory]].concat();
                attack.assert_rejected(&args, 2, "/outside`, outside the");
            }
        }
        let actual: Vec<_> = fs::read_dir(attack.path("outside")).unwrap().collect();
        assert_eq!(actual.len(), 2, "{actual:?}");
        assert_eq!(fs::read_dir(attack.path("outside/folder")).unwrap().count(), 0);

        // Symlinks outside repositories, such as `/tmp` on macOS, are trusted, because they were created by the user or
        // the system.
        symlink(attack.path("outside"), attack.path("place")).unwrap();
        let place = attack.path("place/new").display().to_string();
        for directory in [&place, "near/new", "../place/relative"] {
            let run = attack.run_in_project(&["render", "input", "--output-dir", directory]);
            assert_eq!(run.status, Some(0), "{run:?}");
        }
        if is_repository {
            attack.link("git", ".git");
            attack.assert_rejected(&["render", "input", "--output-dir", "git/hooks"], 2, "which is part of `.git`");
            attack.assert_rejected(&["render", "input", "--output-dir", "git"], 2, "which is part of `.git`");
        }
    }
}

//! `agentctl completions`: completion scripts, and completion of codes and of resource names from the input.
//!
//! The script calls agentctl for every completion, and passes the words typed so far after `--`.

use std::collections::BTreeSet;
use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Args, Command};
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter};
use clap_complete::env::Shells;
use clap_complete::{CompleteEnv, Shell, generate};

use super::session::{Outcome, Session, Stop};
use super::{command_line, kubectl};
use crate::api::{Kind, ObjectRef, Resources};
use crate::compile::{CompileOptions, read};
use crate::diagnostic::{Code, EnvironmentError};
use crate::input::Sample;
use crate::insight::catalog::{Catalog, kind_named};

/// Write a completion script for a shell
///
/// The script runs agentctl for every completion, so it can also complete resources from the files passed with -f or from
/// the working directory. It works with this version of agentctl only, so generate it each time the shell starts. With
/// --static, the script does not run agentctl, and completes only subcommands, flags, flag values and file names.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  source <(agentctl completions bash)           # in ~/.bashrc
  source <(agentctl completions zsh)            # in ~/.zshrc
  agentctl completions fish | source            # in ~/.config/fish/config.fish
  agentctl completions zsh --static > ~/.zfunc/_agentctl")]
pub(super) struct CompletionsArgs {
    /// Shell to write the script for
    #[arg(value_name = "SHELL", value_parser = shell())]
    shell: Shell,

    /// Write a script that does not run agentctl, for packages
    #[arg(long)]
    r#static: bool,
}

/// Parses a shell name. Only shells whose completions are tested are accepted.
fn shell() -> impl TypedValueParser<Value = Shell> {
    PossibleValuesParser::new(["bash", "fish", "powershell", "zsh"]).try_map(|name| name.parse())
}

impl CompletionsArgs {
    pub(super) fn run(&self, session: &Session, mut command: Command) -> Outcome {
        let mut script = Vec::new();
        if self.r#static {
            generate(self.shell, &mut command, "agentctl", &mut script);
        } else {
            register(self.shell, &mut script).map_err(EnvironmentError::Output)?;
        }
        session.write(|out| out.write_all(&script))
    }
}

/// Writes a script that calls the running program by name if the shell found it through `PATH`, or otherwise by
/// absolute path.
fn register(shell: Shell, script: &mut Vec<u8>) -> io::Result<()> {
    let program = PathBuf::from(env::args_os().next().unwrap_or_else(|| "agentctl".into()));
    let is_path = program.parent().is_some_and(|parent| parent != Path::new(""));
    let program = if is_path { env::current_dir()?.join(program) } else { program };
    let shells = Shells::builtins();
    let completer = shells.completer(&shell.to_string());
    let completer = completer.ok_or_else(|| io::Error::other("agentctl does not support completion in this shell"))?;
    completer.write_registration(VARIABLE, "agentctl", "agentctl", &program.to_string_lossy(), script)
}

/// Environment variable that makes agentctl complete a command line. Its value is the name of the shell.
pub(super) const VARIABLE: &str = "COMPLETE";

/// Function that returns the definition of the command line. Completers need it, because clap passes them only the
/// current word.
static ROOT: OnceLock<fn() -> Command> = OnceLock::new();

/// Limits on the input to read, so that completions are fast.
const LIMITS: Sample = Sample { entries: 20_000, files: 1_000, bytes: 4 << 20 };

/// Prints completions if kubectl or a completion script requests them. Returns whether completions were requested.
pub(super) fn run(args: &[OsString], root: fn() -> Command) -> Outcome<bool> {
    ROOT.get_or_init(|| root);
    if kubectl::is_completer(args) {
        // A closed pipe is not an error.
        let _ = kubectl::print_completions(args, root());
        return Ok(true);
    }
    let working_directory = std::env::current_dir().ok();
    let result = CompleteEnv::with_factory(root).var(VARIABLE).try_complete(args, working_directory.as_deref());
    result.map_err(|error| Stop::Usage { error, defaults: Vec::new() })
}

/// Parser for values that are listed in full in completion scripts but not in error messages.
#[derive(Clone)]
pub(super) struct ListedValues<T> {
    pub(super) parse: fn(&str) -> Result<T, String>,
    pub(super) all: fn() -> Vec<&'static str>,
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for ListedValues<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<T, clap::Error> {
        self.parse.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.all)().into_iter().map(PossibleValue::new)))
    }
}

/// Completes diagnostic codes.
pub(super) fn codes() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let codes = Code::ALL.iter().map(|code| (code.as_str(), code.summary()));
        matching_candidates(current, codes)
    })
}

/// Completes `warnings` and the codes whose severity can be set. If `lowered` is true, completes only codes whose
/// severity can be lowered.
pub(super) fn severities(lowered: bool) -> ArgValueCompleter {
    ArgValueCompleter::new(move |current: &OsStr| {
        let codes = Code::ALL.iter().filter(|code| !lowered || code.can_be_lowered());
        let codes = codes.map(|code| (code.as_str(), code.summary()));
        matching_candidates(current, codes.chain([("warnings", "All warnings that are not listed separately.")]))
    })
}

/// Completes files, and the input's resources in the form `kind/namespace/name`. The kind is spelled as the user
/// started to type it: capitalized, plural or short.
pub(super) fn resources_and_files() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let typed = current.to_str().unwrap_or_default();
        let mut candidates = names(current, |object| match spelling(object.kind, typed) {
            Some(kind) => object.to_string().replacen(object.kind.as_str(), &kind, 1),
            None => String::new(),
        });
        candidates.extend(PathCompleter::any().complete(current));
        candidates
    })
}

/// Returns the spelling of `kind` that fits `typed`, or `None` if there is none. If a slash follows, the kind is kept
/// as typed; otherwise it is completed. Short names and plurals are used only if no kind starts with `typed`.
fn spelling(kind: Kind, typed: &str) -> Option<String> {
    if let Some((word, _)) = typed.split_once('/') {
        return (kind_named(word) == Some(kind)).then(|| word.to_owned());
    }
    if typed.starts_with(|c: char| c.is_ascii_uppercase()) {
        return Some(kind.as_str().to_owned());
    }
    let lower = |kind: Kind| kind.as_str().to_ascii_lowercase();
    if Kind::ALL.iter().any(|&kind| lower(kind).starts_with(typed)) {
        return Some(lower(kind));
    }
    let mut names = kind.names().iter().filter(|name| name.starts_with(typed));
    names.next_back().map(|&name| name.to_owned())
}

/// Completes the input's GrafanaAgents in the form `namespace/name`.
pub(super) fn agents() -> ArgValueCompleter {
    let write = |object: &ObjectRef<'_>| match object.kind {
        Kind::GrafanaAgent => format!("{}/{}", object.namespace, object.name),
        _ => String::new(),
    };
    ArgValueCompleter::new(move |current: &OsStr| names(current, write))
}

/// Completes the namespaces of the resources in the input.
pub(super) fn namespaces() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| names(current, |object| object.namespace.to_owned()))
}

fn matching_candidates<'c>(
    current: &OsStr,
    all_values: impl Iterator<Item = (&'c str, &'c str)>,
) -> Vec<CompletionCandidate> {
    let Some(current) = current.to_str() else {
        return Vec::new();
    };
    all_values
        .filter(|(name, _)| name.starts_with(current))
        .map(|(name, help)| CompletionCandidate::new(name).help(Some(help.to_owned().into())))
        .collect()
}

/// Returns the words of the command line so far, starting with the program's name.
fn words(args: Vec<OsString>) -> Vec<OsString> {
    if kubectl::is_completer(&args) {
        return args;
    }
    args.into_iter().skip_while(|word| word != "--").skip(1).collect()
}

/// Returns the completions for objects in the input: the strings from `write` that start with `current`.
fn names(current: &OsStr, write: impl Fn(&ObjectRef<'_>) -> String) -> Vec<CompletionCandidate> {
    let words = words(std::env::args_os().collect());
    let typed = ROOT.get().and_then(|root| command_line::parse_typed(&words, *root));
    let (Some(current), Some(typed)) = (current.to_str(), typed) else {
        return Vec::new();
    };
    let sources = LIMITS.read(&typed.inputs);
    let (documents, _) = read(&sources, &CompileOptions::default());
    let resources = Resources::default();
    let catalog = Catalog::new(&documents, &resources, &typed.namespace);
    let names: BTreeSet<_> = catalog.iter().map(|located| write(&located.object)).collect();
    // A name that Kubernetes would reject may contain characters that are special to the shell.
    let is_plain = |name: &String| name.chars().all(|c| c.is_ascii_alphanumeric() || "-./".contains(c));
    let matching = names.into_iter().filter(|name| name.starts_with(current) && !name.is_empty() && is_plain(name));
    matching.map(CompletionCandidate::new).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn completes_kinds_as_typed() {
        for (typed, kind, expected) in [
            ("", Kind::ServiceMonitor, Some("servicemonitor")),
            ("s", Kind::ServiceMonitor, Some("servicemonitor")),
            ("sm", Kind::ServiceMonitor, Some("smon")),
            ("sm", Kind::Probe, None),
            ("smon/shop/c", Kind::ServiceMonitor, Some("smon")),
            ("smon/", Kind::PodMonitor, None),
            ("pm", Kind::PodMonitor, Some("pmon")),
            ("prb", Kind::Probe, Some("prb")),
            ("cm", Kind::ConfigMap, Some("cm")),
            ("ServiceMonitor/", Kind::ServiceMonitor, Some("ServiceMonitor")),
            ("Pro", Kind::Probe, Some("Probe")),
            ("servicemonitors", Kind::ServiceMonitor, Some("servicemonitors")),
            ("x/", Kind::Probe, None),
        ] {
            assert_eq!(spelling(kind, typed).as_deref(), expected, "{typed} {kind}");
        }
    }
}

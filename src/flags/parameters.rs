//! Parameters → flags: a parameter sets the flag with its name, wherever a tool passes parameters instead of arguments.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches, Args, Command};

use super::argument::Argument;
use super::diagnostics;
use super::flag::{Flag, FlagValue, Rejection};
use super::form::{is_switch, text};
use super::limit::raised;
use super::rules::{is_limit, is_parameter};
use crate::diagnostic::{Code, Diagnostic, EnvironmentError};
use crate::input::{Input, LoadRestrictor, Tree};

/// The parameter that is not a flag: the files to read.
pub(super) const FILES: &str = "files";

/// The parameter of Argo CD for directories that kustomize builds, as the flag `-k`.
pub(super) const KUSTOMIZE: &str = "kustomize";

/// How the names of flags are written as parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// `agentSelector`, as fields of Kubernetes.
    Camel,
    /// `agent-selector`, as the flag.
    Kebab,
}

impl Spelling {
    pub(super) fn of(self, flag: &str) -> String {
        match (self, flag.split_once('-')) {
            (Spelling::Camel, Some((first, rest))) => {
                first.to_owned() + &rest.split('-').map(capitalized).collect::<String>()
            }
            _ => flag.to_owned(),
        }
    }

    /// Says how to set a flag where nobody can pass it.
    pub fn advise(self, found: &mut [Diagnostic]) {
        let set = format!("set `{}` in the functionConfig", self.of("allow-empty"));
        for found in found {
            let Some(help) = &mut found.help else { continue };
            match self {
                Spelling::Camel => *help = help.replace("pass `--allow-empty`", &set),
                // With pruning, an empty result deletes the agents, and a plugin cannot be piped to.
                Spelling::Kebab if found.code == Code::EmptyRender => *help = remedy(help).to_owned(),
                Spelling::Kebab => {}
            }
        }
    }
}

/// Returns a word with a capital first letter, which is ASCII.
pub(super) fn capitalized(word: &str) -> String {
    let (initial, rest) = word.split_at(word.len().min(1));
    initial.to_ascii_uppercase() + rest
}

/// Returns what to do if an application of Argo CD renders nothing. `help` is for a shell.
fn remedy(help: &str) -> &'static str {
    if help.contains("kustomize build") {
        "set the parameter `kustomize` to the directory of the overlay, such as `.`"
    } else if help.contains("helm template") {
        "commit the output of `helm template`, and name it in the parameter `files`"
    } else if help.contains("name the files") {
        "name the files with the resources in the parameter `files`, or an overlay in `kustomize`"
    } else {
        "correct the parameters of the application, or unpause an agent"
    }
}

/// Returns the flags of `F` that parameters set, in the order of the help.
pub(super) fn known<F: Args>() -> Vec<Arg> {
    let command = F::augment_args(Command::new(""));
    command
        .get_arguments()
        .filter(|arg| is_parameter(arg))
        .cloned()
        .collect()
}

fn name(arg: &Arg) -> &str {
    arg.get_long().unwrap_or_default()
}

/// Sets flags, and returns the inputs within `reach` that the parameters name, or `None` if no parameter names any. Parameters that are
/// not valid are reported in `out` and skipped. `given` is the command line.
pub fn set<F: Args>(
    flags: &mut F,
    parameters: &[Flag],
    spelling: Spelling,
    given: &ArgMatches,
    reach: &LoadRestrictor,
    out: &mut Vec<Diagnostic>,
) -> Option<Vec<Input>> {
    let definition = F::augment_args_for_update(Command::new("").no_binary_name(true));
    let command = definition.clone().mut_args(optional);
    let known = definition.get_arguments().filter(|arg| is_parameter(arg));
    let known: Vec<_> = known.map(|arg| (spelling.of(name(arg)), arg)).collect();
    let own = [FILES, KUSTOMIZE]
        .into_iter()
        .take(1 + usize::from(spelling == Spelling::Kebab));
    let (mut files, mut built, mut arguments) = (None, Vec::new(), Vec::new());
    for (i, parameter) in parameters.iter().enumerate() {
        let mut before = parameters.iter().take(i);
        if let Some(first) = before.find(|first| first.name == parameter.name) {
            out.push(diagnostics::duplicate_parameter(first, parameter));
        } else if parameter.name == FILES {
            let outside = |file: &str| diagnostics::outside_file(parameter, file);
            files = Some((named_files(parameter, out), outside));
        } else if own.clone().any(|own| own == parameter.name) {
            let directories = named_files(parameter, out).into_iter();
            built.extend(directories.map(|directory| Input::Kustomization(directory.into())));
        } else if let Some((_, arg)) = known.iter().find(|(known, _)| *known == parameter.name) {
            match argument(arg, parameter, &command, given) {
                Ok(argument) => arguments.extend(argument.map(|argument| (parameter, argument))),
                Err(rejection) => out.push(diagnostics::invalid_parameter(parameter, rejection)),
            }
        } else {
            let names = own.clone().chain(known.iter().map(|(name, _)| name.as_str()));
            out.push(diagnostics::unknown_parameter(parameter, &names.collect::<Vec<_>>()));
        }
    }
    let names: Vec<_> = arguments.iter().map(|(_, argument)| argument.flag.clone()).collect();
    arguments.retain(|(parameter, argument)| {
        let is_there = |name: &&String| names.contains(name) || value(given, name).is_some();
        let missing = argument.requires.iter().find(|name| !is_there(name));
        out.extend(missing.map(|name| {
            let problem = format!("cannot be used without parameter `{}`", spelling.of(name));
            diagnostics::invalid_parameter(parameter, Rejection::new(problem))
        }));
        missing.is_none()
    });
    // Flags that a parameter requires may be on the command line.
    let command = command.ignore_errors(true);
    let matches = command.try_get_matches_from(arguments.into_iter().map(|(_, argument)| argument.text));
    // Each argument was parsed alone before.
    let _ = matches.and_then(|mut matches| flags.update_from_arg_matches_mut(&mut matches));
    let files = files.map(|(files, outside)| confine(files, reach, outside, out));
    match built.is_empty() {
        true => files,
        false => Some(built.into_iter().chain(files.unwrap_or_default()).collect()),
    }
}

/// Returns the argument for a parameter, or `None` if it changes nothing.
fn argument(arg: &Arg, parameter: &Flag, command: &Command, given: &ArgMatches) -> Result<Option<Argument>, Rejection> {
    let mut value = match &parameter.value {
        None => return Ok(None),
        Some(FlagValue::List(texts)) if texts.is_empty() => return Ok(None),
        Some(value) => text(arg, value)?,
    };
    let given = self::value(given, name(arg)).filter(|_| is_limit(arg));
    if let Some(given) = &given {
        // Limits of the command line apply unless the parameter lowers them.
        value = format!("{given},{value}");
    }
    let argument = Argument::new(parameter, arg, Some(value.clone().into()), command)?;
    // Parameters are part of the input.
    if let Some((limit, bound)) = raised(&value, &given.unwrap_or_default()).filter(|_| is_limit(arg)) {
        let help = format!(
            "pass `--{}` on the command line of the function or plugin",
            argument.flag
        );
        return Err(Rejection::new(format!("raises `{limit}` above {bound}")).help(help));
    }
    Ok(Some(argument))
}

/// Returns the values of a flag on the command line, with commas between them, or its default.
fn value(given: &ArgMatches, name: &str) -> Option<String> {
    let raw = given.try_get_raw(&name.replace('-', "_"));
    let values: Option<Vec<_>> = raw.ok()??.map(|value| value.to_str()).collect();
    values.map(|values| values.join(","))
}

/// The flag without its default, so that what is not set stays as it is; and with a value if it has none.
fn optional(arg: Arg) -> Arg {
    let arg = match is_switch(&arg) {
        true => arg.action(ArgAction::Set).num_args(1),
        false => arg,
    };
    arg.default_value(None::<&'static str>)
}

/// Returns the restriction on files in parameters: they must be in `tree` unless the command line allows all files.
///
/// # Errors
///
/// Fails if the repository around the working directory cannot be determined.
pub fn confined(reach: LoadRestrictor, tree: io::Result<Tree>) -> Result<LoadRestrictor, EnvironmentError> {
    match reach {
        LoadRestrictor::Anywhere => Ok(LoadRestrictor::Anywhere),
        LoadRestrictor::Named | LoadRestrictor::Within(_) => tree
            .map(LoadRestrictor::Within)
            .map_err(EnvironmentError::read(Path::new("."))),
    }
}

/// The files that may be read. The others are reported: whoever may change a parameter could read what is not his.
pub fn confine(
    files: Vec<OsString>,
    reach: &LoadRestrictor,
    outside: impl Fn(&str) -> Diagnostic,
    out: &mut Vec<Diagnostic>,
) -> Vec<Input> {
    let is_held = |file: &OsString| match reach {
        LoadRestrictor::Within(tree) => tree.holds(Path::new("."), Path::new(file)),
        LoadRestrictor::Named | LoadRestrictor::Anywhere => true,
    };
    let (inside, others): (Vec<_>, Vec<_>) = files.into_iter().partition(is_held);
    out.extend(others.iter().map(|file| outside(&file.to_string_lossy())));
    inside.into_iter().map(Input::from).collect()
}

/// One file a line, or a list.
fn named_files(parameter: &Flag, out: &mut Vec<Diagnostic>) -> Vec<OsString> {
    let files: Vec<&str> = match &parameter.value {
        Some(FlagValue::Text(text)) => text.lines().map(str::trim).filter(|line| !line.is_empty()).collect(),
        Some(FlagValue::List(files)) => files.iter().map(String::as_str).collect(),
        Some(FlagValue::Switch(_) | FlagValue::Pairs(_)) | None => {
            let refusal = Rejection::new("takes a text or a list");
            out.push(diagnostics::invalid_parameter(parameter, refusal));
            Vec::new()
        }
    };
    if files.contains(&"-") {
        out.push(diagnostics::standard_input(parameter));
    }
    files
        .into_iter()
        .filter(|file| *file != "-")
        .map(OsString::from)
        .collect()
}

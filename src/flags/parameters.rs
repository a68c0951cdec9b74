//! Parameters that set flags, for tools that pass parameters instead of command-line arguments.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches, Args, Command};

use super::argument::Argument;
use super::diagnostics;
use super::flag::{Flag, FlagValue, Rejection};
use super::form::{is_switch, text};
use super::limit::first_raised;
use super::rules::{is_limit, is_parameter};
use crate::diagnostic::{Code, Diagnostic, EnvironmentError};
use crate::input::{ContainingTree, Input, LoadRestrictor};
use crate::printable::capitalize;

/// Name of the parameter that lists the files to read. It is not a flag.
pub(super) const FILES: &str = "files";

/// Name of the Argo CD parameter that lists directories to build with kustomize, like the `-k` flag.
pub(super) const KUSTOMIZE: &str = "kustomize";

/// Spelling of flag names as parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterSpelling {
    /// `agentSelector`, spelled like a field of a Kubernetes object.
    Camel,
    /// `agent-selector`, spelled like the flag.
    Kebab,
}

impl ParameterSpelling {
    pub(super) fn spell(self, flag: &str) -> String {
        match (self, flag.split_once('-')) {
            (ParameterSpelling::Camel, Some((first, rest))) => {
                first.to_owned() + &rest.split('-').map(capitalize).collect::<String>()
            }
            _ => flag.to_owned(),
        }
    }

    /// Rewrites help texts to explain how to set a parameter, for tools that cannot pass flags.
    pub fn advise(self, findings: &mut [Diagnostic]) {
        let set = format!("set `{}` in the functionConfig", self.spell("allow-empty"));
        for finding in findings {
            let Some(help) = &mut finding.help else { continue };
            match self {
                ParameterSpelling::Camel => *help = help.replace("pass `--allow-empty`", &set),
                // An empty result would make Argo CD prune the agents, and a plugin's output cannot be piped into
                // another command.
                ParameterSpelling::Kebab if finding.code == Code::EmptyRender => *help = remedy(help).to_owned(),
                ParameterSpelling::Kebab => {}
            }
        }
    }
}

/// Returns help for an Argo CD application that renders nothing. It replaces `help`, which is written for a shell.
fn remedy(help: &str) -> &'static str {
    if help.contains("check -k ") || help.contains("kustomize build") {
        "set the parameter `kustomize` to the directory of the overlay, for example `.`"
    } else if help.contains("helm template") {
        "commit the output of `helm template`, and list it in the parameter `files`"
    } else if help.contains("pass the files") {
        "list the files that contain the resources in the parameter `files`, or an overlay in `kustomize`"
    } else {
        "correct the application's parameters, or unpause an agent"
    }
}

/// Returns the flags of `F` that parameters can set, in the order of the help output.
pub(super) fn settable_flags<F: Args>() -> Vec<Arg> {
    let command = F::augment_args(Command::new(""));
    command.get_arguments().filter(|arg| is_parameter(arg)).cloned().collect()
}

fn name(arg: &Arg) -> &str {
    arg.get_long().unwrap_or_default()
}

/// Sets flags from parameters. Returns the inputs that the parameters list and that are within `reach`, or `None` if
/// they list none. Invalid parameters are reported in `out` and skipped. `command_line` contains the command line.
pub fn set<F: Args>(
    flags: &mut F,
    parameters: &[Flag],
    spelling: ParameterSpelling,
    command_line: &ArgMatches,
    reach: &LoadRestrictor,
    out: &mut Vec<Diagnostic>,
) -> Option<Vec<Input>> {
    let definition = F::augment_args_for_update(Command::new("").no_binary_name(true));
    let command = definition.clone().mut_args(make_optional);
    let known_parameters = definition.get_arguments().filter(|arg| is_parameter(arg));
    let known_parameters: Vec<_> = known_parameters.map(|arg| (spelling.spell(name(arg)), arg)).collect();
    let own_names = [FILES, KUSTOMIZE].into_iter().take(1 + usize::from(spelling == ParameterSpelling::Kebab));
    let (mut files, mut kustomizations, mut arguments) = (None, Vec::new(), Vec::new());
    for (i, parameter) in parameters.iter().enumerate() {
        let mut before = parameters.iter().take(i);
        if let Some(first) = before.find(|first| first.name == parameter.name) {
            out.push(diagnostics::duplicate_parameter(first, parameter));
        } else if parameter.name == FILES {
            let outside_finding = |file: &str| diagnostics::outside_file(parameter, file);
            files = Some((named_files(parameter, out), outside_finding));
        } else if own_names.clone().any(|name| name == parameter.name) {
            let directories = named_files(parameter, out).into_iter();
            kustomizations.extend(directories.map(|directory| Input::Kustomization(directory.into())));
        } else if let Some((_, arg)) =
            known_parameters.iter().find(|(known_parameters, _)| *known_parameters == parameter.name)
        {
            match argument(arg, parameter, &command, command_line) {
                Ok(argument) => arguments.extend(argument.map(|argument| (parameter, argument))),
                Err(rejection) => out.push(diagnostics::invalid_parameter(parameter, rejection)),
            }
        } else {
            let names = own_names.clone().chain(known_parameters.iter().map(|(name, _)| name.as_str()));
            out.push(diagnostics::unknown_parameter(parameter, &names.collect::<Vec<_>>()));
        }
    }
    let names: Vec<_> = arguments.iter().map(|(_, argument)| argument.flag.clone()).collect();
    arguments.retain(|(parameter, argument)| {
        let is_set = |name: &&String| names.contains(name) || value(command_line, name).is_some();
        let missing = argument.requires.iter().find(|name| !is_set(name));
        out.extend(missing.map(|name| {
            let problem = format!("cannot be used without parameter `{}`", spelling.spell(name));
            diagnostics::invalid_parameter(parameter, Rejection::new(problem))
        }));
        missing.is_none()
    });
    // A flag that a parameter requires may be on the command line, so missing flags are not an error.
    let command = command.ignore_errors(true);
    let matches = command.try_get_matches_from(arguments.into_iter().map(|(_, argument)| argument.text));
    // Each argument was already parsed on its own, so errors are ignored.
    let _ = matches.and_then(|mut matches| flags.update_from_arg_matches_mut(&mut matches));
    let files = files.map(|(files, outside_finding)| confine(files, reach, outside_finding, out));
    match kustomizations.is_empty() {
        true => files,
        false => Some(kustomizations.into_iter().chain(files.unwrap_or_default()).collect()),
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
        // The command line's limits apply unless the parameter lowers them.
        value = format!("{given},{value}");
    }
    let argument = Argument::new(parameter, arg, Some(value.clone().into()), command)?;
    // Parameters are part of the input and therefore cannot raise a limit.
    if let Some((limit, bound)) = first_raised(&value, &given.unwrap_or_default()).filter(|_| is_limit(arg)) {
        let help = format!("pass `--{}` on the function's or plugin's command line", argument.flag);
        return Err(Rejection::new(format!("raises `{limit}` above {bound}")).help(help));
    }
    Ok(Some(argument))
}

/// Returns a flag's values on the command line, separated by commas, or its default.
fn value(given: &ArgMatches, name: &str) -> Option<String> {
    let raw = given.try_get_raw(&name.replace('-', "_"));
    let values: Option<Vec<_>> = raw.ok()??.map(|value| value.to_str()).collect();
    values.map(|values| values.join(","))
}

/// Removes a flag's default value, so that parsing sets only flags that have an argument, and lets a switch accept a
/// value.
fn make_optional(arg: Arg) -> Arg {
    let arg = match is_switch(&arg) {
        true => arg.action(ArgAction::Set).num_args(1),
        false => arg,
    };
    arg.default_value(None::<&'static str>)
}

/// Returns the restriction on files that parameters refer to. They must be in `tree`, unless the command line allows
/// all files.
///
/// # Errors
///
/// Returns an error if the repository that contains the working directory cannot be determined.
pub fn file_restriction(
    reach: LoadRestrictor,
    tree: io::Result<ContainingTree>,
) -> Result<LoadRestrictor, EnvironmentError> {
    match reach {
        LoadRestrictor::Anywhere => Ok(LoadRestrictor::Anywhere),
        LoadRestrictor::RootOnly | LoadRestrictor::Within(_) => {
            tree.map(LoadRestrictor::Within).map_err(EnvironmentError::read(Path::new(".")))
        }
    }
}

/// Returns the files that may be read, and reports the others. The author of the parameters must not be able to read
/// other users' files.
pub fn confine(
    files: Vec<OsString>,
    reach: &LoadRestrictor,
    outside: impl Fn(&str) -> Diagnostic,
    out: &mut Vec<Diagnostic>,
) -> Vec<Input> {
    let is_held = |file: &OsString| match reach {
        LoadRestrictor::Within(tree) => tree.contains(Path::new("."), Path::new(file)),
        LoadRestrictor::RootOnly | LoadRestrictor::Anywhere => true,
    };
    let (held_files, outside_files): (Vec<_>, Vec<_>) = files.into_iter().partition(is_held);
    out.extend(outside_files.iter().map(|file| outside(&file.to_string_lossy())));
    held_files.into_iter().map(Input::from).collect()
}

/// Returns the files in a list or in a string with one file per line.
fn named_files(parameter: &Flag, out: &mut Vec<Diagnostic>) -> Vec<OsString> {
    let files: Vec<&str> = match &parameter.value {
        Some(FlagValue::Text(text)) => text.lines().map(str::trim).filter(|line| !line.is_empty()).collect(),
        Some(FlagValue::List(files)) => files.iter().map(String::as_str).collect(),
        Some(FlagValue::Switch(_) | FlagValue::Pairs(_)) | None => {
            let rejection = Rejection::new("must be a string or a list");
            out.push(diagnostics::invalid_parameter(parameter, rejection));
            Vec::new()
        }
    };
    if files.contains(&"-") {
        out.push(diagnostics::standard_input(parameter));
    }
    files.into_iter().filter(|file| *file != "-").map(OsString::from).collect()
}

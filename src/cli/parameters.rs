//! Parameters → flags: every flag of [`RenderFlags`] can be set by name, with the same values, wherever a tool hands
//! parameters over instead of arguments.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use clap::{Arg, ArgAction, Args, Command, FromArgMatches};

use super::args::{RenderFlags, raised};
use super::flag_value::{self, is_switch};
use super::session::Session;
use super::settable::is_limit;
use crate::diagnostic::{Code, Diagnostic, Warned};
use crate::environment::EnvironmentError;
use crate::input::{Input, LoadRestrictor, Reading, Tree, load_more};
use crate::settings::{Flag, FlagValue, Rejection, diagnostics};
use crate::source::Sources;

/// What no parameter sets, since its file is part of the input.
const NOT_PARAMETERS: &[&str] = &["load-restrictor"];

/// The parameter that is not a flag: the files to read.
pub(super) const FILES: &str = "files";

/// The parameter of Argo CD for directories that kustomize builds, as the flag `-k`.
pub(super) const KUSTOMIZE: &str = "kustomize";

/// How the names of flags are written as parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spelling {
    /// `agentSelector`, as fields of Kubernetes.
    Camel,
    /// `agent-selector`, as the flag.
    Kebab,
}

impl Spelling {
    fn of(self, flag: &str) -> String {
        match self {
            Spelling::Kebab => flag.to_owned(),
            Spelling::Camel => {
                let mut words = flag.split('-');
                let first = words.next().unwrap_or_default().to_owned();
                words.fold(first, |name, word| {
                    let (initial, rest) = word.split_at(word.len().min(1));
                    name + &initial.to_ascii_uppercase() + rest
                })
            }
        }
    }
}

impl Spelling {
    /// Says how to set a flag where nobody can pass it.
    pub(super) fn advise(self, found: &mut [Diagnostic]) {
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

/// The flags that parameters set, in the order of the help.
pub(super) fn known() -> Vec<Arg> {
    let command = RenderFlags::augment_args(Command::new(""));
    command
        .get_arguments()
        .filter(|arg| is_parameter(arg))
        .cloned()
        .collect()
}

fn flag(arg: &Arg) -> &str {
    arg.get_long().unwrap_or_default()
}

fn is_parameter(arg: &Arg) -> bool {
    !NOT_PARAMETERS.contains(&flag(arg))
}

/// Sets flags by parameters, and returns the files that they name, of those within `reach`; `None` where no parameter names
/// any. What cannot be is added to `out`, and the rest holds.
pub(super) fn set(
    flags: &mut RenderFlags,
    parameters: &[Flag],
    spelling: Spelling,
    session: &Session,
    reach: &LoadRestrictor,
    out: &mut Vec<Diagnostic>,
) -> Option<Vec<Input>> {
    let flags_only = RenderFlags::augment_args_for_update(Command::new("").no_binary_name(true));
    let command = flags_only.clone().mut_args(optional);
    let (mut files, mut built, mut arguments) = (None, Vec::new(), Vec::new());
    for (i, parameter) in parameters.iter().enumerate() {
        let mut before = parameters.iter().take(i);
        if let Some(first) = before.find(|first| first.name == parameter.name) {
            out.push(diagnostics::duplicate_parameter(first, parameter));
        } else if parameter.name == FILES {
            files = Some((parameter, named_files(parameter, out)));
        } else if parameter.name == KUSTOMIZE && spelling == Spelling::Kebab {
            let directories = named_files(parameter, out).into_iter();
            built.extend(directories.map(|directory| Input::Kustomization(directory.into())));
        } else {
            let is_named = |arg: &&Arg| is_parameter(arg) && spelling.of(flag(arg)) == parameter.name;
            match flags_only.get_arguments().find(is_named) {
                None => {
                    let flags = flags_only.get_arguments().filter(|arg| is_parameter(arg));
                    let own = [FILES, KUSTOMIZE]
                        .into_iter()
                        .take(1 + usize::from(spelling == Spelling::Kebab));
                    let names = own.map(str::to_owned).chain(flags.map(|arg| spelling.of(flag(arg))));
                    out.push(diagnostics::unknown_parameter(parameter, &names.collect::<Vec<_>>()));
                }
                Some(arg) => match argument(arg, parameter, &command, session) {
                    Ok(argument) => arguments.extend(argument.map(|(text, requires)| (parameter, arg, text, requires))),
                    Err(refusal) => out.push(diagnostics::invalid_parameter(parameter, refusal)),
                },
            }
        }
    }
    let names: Vec<_> = arguments.iter().map(|(_, arg, ..)| flag(arg)).collect();
    let is_there = |name: &&String| names.contains(&name.as_str()) || given(name, session).is_some();
    arguments.retain(|(parameter, _, _, requires)| {
        let missing = requires.iter().find(|name| !is_there(name));
        out.extend(missing.map(|name| {
            let problem = format!("cannot be used without parameter `{}`", spelling.of(name));
            diagnostics::invalid_parameter(parameter, Rejection::new(problem))
        }));
        missing.is_none()
    });
    // What a flag needs beside it may be on the command line.
    let command = command.ignore_errors(true);
    let matches = command.try_get_matches_from(arguments.into_iter().map(|(_, _, text, _)| text));
    // Each of them was tried alone.
    let _ = matches.and_then(|mut matches| flags.update_from_arg_matches_mut(&mut matches));
    let files =
        files.map(|(parameter, files)| confine(files, reach, |file| diagnostics::outside_file(parameter, file), out));
    match built.is_empty() {
        true => files,
        false => Some(built.into_iter().chain(files.unwrap_or_default()).collect()),
    }
}

/// The argument that a parameter stands for, and the flags that it needs beside it; none where it changes nothing.
fn argument(
    arg: &Arg,
    parameter: &Flag,
    command: &Command,
    session: &Session,
) -> Result<Option<(OsString, Vec<String>)>, Rejection> {
    let Some(value) = (parameter.value.as_ref()).filter(|value| **value != FlagValue::List(Vec::new())) else {
        return Ok(None);
    };
    let (name, value) = (flag(arg), flag_value::text(arg, value)?);
    let value = match given(name, session).filter(|_| is_limit(arg)) {
        // What the command line sets holds, but for what the parameter lowers.
        Some(given) => format!("{given},{value}"),
        None => value,
    };
    let argument = OsString::from(format!("--{name}={value}"));
    let requires = flag_value::tried(command, std::slice::from_ref(&argument))?;
    // The file of a parameter is part of the input.
    let given = given(name, session).unwrap_or_default();
    if let Some((limit, bound)) = Some(&value)
        .filter(|_| is_limit(arg))
        .and_then(|value| raised(value, &given))
    {
        let help = format!("pass `--{name}` on the command line of the function or plugin");
        return Err(Rejection::new(format!("raises `{limit}` above {bound}")).help(help));
    }
    Ok(Some((argument, requires)))
}

/// The values that the command line has for a flag, with commas between them, or else its default.
fn given(name: &str, session: &Session) -> Option<String> {
    let raw = session.invocation.matches.try_get_raw(&name.replace('-', "_"));
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

/// Where the files in parameters may be: inside of `tree`, unless the command line says otherwise.
pub(super) fn reach(flags: &RenderFlags, tree: io::Result<Tree>) -> Result<LoadRestrictor, EnvironmentError> {
    match flags.compile.reading().reach {
        LoadRestrictor::Anywhere => Ok(LoadRestrictor::Anywhere),
        LoadRestrictor::Named | LoadRestrictor::Within(_) => tree
            .map(LoadRestrictor::Within)
            .map_err(EnvironmentError::read(Path::new("."))),
    }
}

/// The files that may be read. The others are reported: whoever may change a parameter could read what is not his.
pub(super) fn confine(
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

/// Sets flags by the configuration of a plugin or function of kustomize, and reads the files that it names.
pub(super) fn apply(
    flags: &mut RenderFlags,
    parameters: &[Flag],
    session: &Session,
    loaded: &mut Warned<Sources>,
) -> Result<(), EnvironmentError> {
    let out = &mut loaded.diagnostics;
    let reach = reach(flags, Tree::containing(Path::new(".")))?;
    let inputs = set(flags, parameters, Spelling::Camel, session, &reach, out).unwrap_or_default();
    let reading = Reading {
        reach,
        ..flags.compile.reading()
    };
    out.extend(load_more(&inputs, &reading, &mut loaded.output)?);
    Ok(())
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

//! The command line, merged with the flags in `agentctl.yaml`.
//!
//! The flags in the file are inserted as arguments before those on the command line, unless the command line contains
//! the same flag or one that conflicts with it. A flag in the file therefore has the same meaning as on the command
//! line and need not be defined a second time.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, FromArgMatches};

use super::help::GLOBAL;
use super::outcome::{Outcome, Stop};
use super::subject::{SubjectArgument as Operand, is_input};
use crate::admit::NamespaceFlags;
use crate::diagnostic::severity::{Setting, SeverityLevel, SeveritySubject};
use crate::diagnostic::{Diagnostic, EnvironmentError, suggest};
use crate::flags::{self, Argument, Settable, Settings, is_limit};
use crate::input::{ContainingTree, FoundSettings, Input, LoadRestrictor, SettingsFile, load_settings};
use crate::printable::quote_for_shell;
use crate::source::{Source, SourceContent, Sources};

/// Properties of a run that are not part of its typed arguments.
#[derive(Debug)]
pub(super) struct Invocation {
    /// Arguments of the subcommand, including those that the settings file adds.
    pub(super) matches: ArgMatches,
    /// Settings file, or `None` if it does not exist or the command does not use it.
    pub(super) settings: Option<RunSettings>,
    /// Files that are not read although their names resemble the name of a settings file.
    pub(super) misnamed: Vec<PathBuf>,
    /// Whether the command reports mistakes in the settings file together with its own findings.
    pub(super) has_policy: bool,
    /// Input flags that are set on the command line.
    pub(super) namespace_flags: NamespaceFlags,
    /// Command that checks the inputs of this run, with the flags that affect its findings.
    pub(super) check_command: String,
}

/// A settings file, and its effects on this run.
#[derive(Debug)]
pub(super) struct RunSettings {
    source: Source,
    /// Contents of the settings file.
    pub(super) settings: Settings,
    /// Inputs to read if the command line lists none.
    pub(super) inputs: Vec<PathBuf>,
    /// Arguments that the file adds to the command line.
    arguments: Vec<String>,
    /// Settings that may hide mistakes from `check`.
    weakening_settings: Vec<String>,
    /// Whether the command line specifies the file or marks it as trusted. The input's author does not control such a
    /// file.
    pub(super) is_trusted: bool,
    diagnostics: Vec<Diagnostic>,
}

impl RunSettings {
    /// Adds the file to the sources and returns the findings about it.
    pub(super) fn add_to(&self, sources: &mut Sources) -> Vec<Diagnostic> {
        let mut source = Source::truncated(&self.source.name, &self.source.text, true);
        source.content = SourceContent::Settings;
        let id = sources.add(source);
        let diagnostics = self.diagnostics.iter().cloned();
        diagnostics.map(|diagnostic| diagnostic.in_source(id)).collect()
    }

    /// Describes the settings that may hide mistakes from `check`, such as `agentctl.yaml sets agent-selector`, or
    /// returns `None` if there are none.
    pub(super) fn describe_weakening(&self) -> Option<String> {
        let names = self.weakening_settings.join(", ");
        (!names.is_empty()).then(|| format!("{} sets {names}", self.source.name))
    }

    /// Describes which file is used and what it sets in this run.
    pub(super) fn summary(&self) -> String {
        let name = &self.source.name;
        let severity = self.settings.severity.iter().map(ToString::to_string);
        let all: Vec<_> = self.arguments.iter().cloned().chain(severity).collect();
        match all.is_empty() {
            true => format!("the settings file `{name}` sets nothing for this command"),
            false => format!("the settings file `{name}` sets {}", all.join(", ")),
        }
    }
}

/// Parses the command line as `root` defines it. `args` starts with the program's name.
pub(super) fn parse<C: FromArgMatches>(args: Vec<OsString>, root: fn() -> Command) -> Outcome<(C, Invocation)> {
    let mut command = root();
    let (matches, error) = match command.try_get_matches_from_mut(&args) {
        Ok(matches) => (matches, None),
        // The settings file may set the missing argument.
        Err(error) if error.kind() == ErrorKind::MissingRequiredArgument => {
            (parse_partially(&args, root)?, Some(error))
        }
        Err(error) => return Err(usage(error, &[])),
    };
    let run = Run::new(&command, &matches);
    let FoundSettings { file, misnamed } = run.find_settings()?;
    let (extra_arguments, settings) = file.map(|file| run.settings(file)).unzip();
    let extra_arguments = extra_arguments.unwrap_or_default();
    let all_matches = match (&settings, error) {
        (None, Some(error)) => Err(error),
        (None, None) => Ok(matches.clone()),
        (Some(_), _) => root().try_get_matches_from(run.insert_arguments(args, &extra_arguments)),
    };
    let parsed = all_matches.and_then(|all_matches| {
        let with_settings = Run::new(&command, &all_matches);
        run.reject_unused_flags(&with_settings)?;
        Ok((C::from_arg_matches(&all_matches)?, with_settings.matches.clone()))
    });
    let (cli, matches) = parsed.map_err(|error| usage(error, &extra_arguments))?;
    let invocation = Invocation {
        matches,
        settings,
        misnamed,
        has_policy: run.has_policy(),
        namespace_flags: NamespaceFlags {
            namespace: run.is_given("namespace"),
            namespace_labels: run.is_given("namespace_labels"),
        },
        check_command: run.check_command(),
    };
    Ok((cli, invocation))
}

/// Inputs and namespace of an incomplete command line, including those from the settings file.
pub(super) struct TypedInputs {
    pub(super) inputs: Vec<Input>,
    pub(super) namespace: String,
}

/// Parses an incomplete command line, which starts with the program's name.
pub(super) fn parse_typed(words: &[OsString], root: fn() -> Command) -> Option<TypedInputs> {
    let mut command = root();
    command.build();
    let matches = parse_partially(words, root).ok()?;
    let run = Run::new(&command, &matches);
    let settings_search = run.find_settings().ok().unwrap_or_default();
    let extra_arguments = settings_search.file.map(|file| run.settings(file).0).unwrap_or_default();
    let matches = parse_partially(&run.insert_arguments(words.to_vec(), &extra_arguments), root).ok()?;
    let run = Run::new(&command, &matches);
    let mut inputs = run.inputs();
    if inputs.is_empty() {
        inputs.push(Input::Path(".".into()));
    }
    let namespace = run.matches.try_get_one::<String>("namespace").ok()?;
    let namespace = namespace.map_or("default", |namespace| namespace).to_owned();
    Some(TypedInputs { inputs, namespace })
}

/// Parses an incomplete command line, ignoring errors.
fn parse_partially(args: &[OsString], root: fn() -> Command) -> Outcome<ArgMatches> {
    let command = root().ignore_errors(true);
    command.try_get_matches_from(args).map_err(|error| usage(error, &[]))
}

fn usage(error: clap::Error, defaults: &[OsString]) -> Stop {
    Stop::Usage {
        error: nearest_first(error),
        defaults: defaults.iter().map(|arg| arg.to_string_lossy().into_owned()).collect(),
    }
}

/// Moves the most similar command to the front of the suggestions if a command is unknown.
fn nearest_first(mut error: clap::Error) -> clap::Error {
    let (typed_name, known_names) =
        (error.get(ContextKind::InvalidSubcommand), error.get(ContextKind::SuggestedSubcommand));
    if let (Some(ContextValue::String(typed_name)), Some(ContextValue::Strings(known_names))) =
        (typed_name, known_names)
        && let Some(meant) = suggest::closest(typed_name, known_names.iter().map(String::as_str))
    {
        let mut known_names = known_names.clone();
        let meant = meant.to_owned();
        known_names.sort_by_key(|name| *name != meant);
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(known_names));
    }
    error
}

/// Subcommand to run, with its definition and its arguments.
struct Run<'c> {
    /// Names of the parent commands and of the subcommand, each with its aliases.
    names: Vec<Vec<&'c str>>,
    root: &'c Command,
    command: &'c Command,
    matches: &'c ArgMatches,
}

/// Arguments that are inputs.
const INPUTS: [&str; 3] = ["paths", "filename", "kustomize"];

impl<'c> Run<'c> {
    fn new(root: &'c Command, matches: &'c ArgMatches) -> Self {
        let mut run = Self { names: Vec::new(), root, command: root, matches };
        while let Some((name, matches)) = run.matches.subcommand()
            && let Some(command) = run.command.find_subcommand(name)
        {
            run.names.push(std::iter::once(name).chain(command.get_all_aliases()).collect());
            (run.command, run.matches) = (command, matches);
        }
        run
    }

    /// Whether the subcommand defines this argument.
    fn has_flag(&self, id: &str) -> bool {
        self.command.get_arguments().any(|arg| arg.get_id() == id)
    }

    /// Whether the subcommand has flags that set the severities of findings.
    fn has_policy(&self) -> bool {
        self.has_flag("deny")
    }

    /// Whether the argument is on the command line.
    fn is_given(&self, id: &str) -> bool {
        self.has_flag(id) && self.matches.value_source(id) == Some(ValueSource::CommandLine)
    }

    /// Returns the command that checks the inputs of this run, with the flags that `check` shares.
    fn check_command(&self) -> String {
        let check = self.root.find_subcommand("check");
        let is_shared = |arg: &&Arg| {
            let id = arg.get_id().as_str();
            let affects_findings = !INPUTS.contains(&id) && id != "output" && arg.get_help_heading() != Some(GLOBAL);
            affects_findings && check.is_some_and(|check| check.get_arguments().any(|other| other.get_id() == id))
        };
        let mut command = "agentctl check".to_owned();
        for input in self.inputs() {
            let flag = if matches!(input, Input::Kustomization(_)) { "-k " } else { "" };
            let path = input.path().map_or("-".into(), Path::to_string_lossy);
            command.push_str(&format!(" {flag}{}", quote_for_shell(&path)));
        }
        for (arg, long) in self.given_args().filter(is_shared).filter_map(|arg| Some((arg, arg.get_long()?))) {
            if !arg.get_action().takes_values() {
                command.push_str(&format!(" --{long}"));
                continue;
            }
            for value in self.matches.get_raw(arg.get_id().as_str()).into_iter().flatten() {
                command.push_str(&format!(" --{long}={}", quote_for_shell(&value.to_string_lossy())));
            }
        }
        command
    }

    fn find_settings(&self) -> Result<FoundSettings, EnvironmentError> {
        let uses_settings = Settable::is_used_by(self.command) || self.has_policy();
        if !uses_settings || self.matches.get_flag("no_settings") {
            return Ok(FoundSettings::default());
        }
        let named_file = self.matches.get_one::<PathBuf>("settings");
        load_settings(named_file.map(PathBuf::as_path), &self.inputs(), flags::is_manifest)
    }

    /// Returns the inputs on the command line.
    fn inputs(&self) -> Vec<Input> {
        let values = |id: &str| -> Vec<OsString> {
            let raw = self.is_given(id).then(|| self.matches.get_raw(id)).flatten();
            raw.into_iter().flatten().map(OsStr::to_owned).collect()
        };
        let mut inputs: Vec<_> = ["paths", "filename"].into_iter().flat_map(values).map(Input::from).collect();
        let kustomizations = values("kustomize").into_iter().map(PathBuf::from);
        inputs.extend(kustomizations.map(Input::Kustomization));
        let subjects = values("subjects");
        match self.is_given("since") {
            true => inputs.extend(Operand::parse_all(&subjects).iter().filter_map(Operand::as_input)),
            false => inputs.extend(Operand::split(&subjects, !inputs.is_empty()).1.into_iter().map(Input::from)),
        }
        // An operand of `tree` that does not exist may be the start of a resource name, which the shell is completing.
        let operands = Operand::operands(&values("operands")).0.into_iter().map(Input::from);
        inputs.extend(operands.filter(|input| input.path().is_none_or(Path::exists)));
        let first = values("of_agent").into_iter();
        inputs.extend(first.filter(|first| first.to_str().is_some_and(is_input)).map(Input::from));
        inputs
    }

    /// Returns the arguments that the file adds, and the file with its other settings.
    fn settings(&self, file: SettingsFile) -> (Vec<OsString>, RunSettings) {
        let SettingsFile { source, directory } = file;
        let mut sources = Sources::default();
        let id = sources.add(Source::truncated(&source.name, &source.text, true));
        let mut diagnostics = Vec::new();
        let settings = flags::read(id, &source, &mut diagnostics);
        let flags = self.flags(&settings, &directory, &mut diagnostics);
        let inputs = self.named_inputs(&settings, &directory, &mut diagnostics);
        // `shards` reads no input if both the targets and the number of shards are given.
        let needs_no_input = self.is_given("targets") && self.is_given("shards") && !self.is_given("of_agent");
        let reads_inputs = Settable::is_used_by(self.command) && self.has_flag("filename") && !needs_no_input;
        let needs_inputs = reads_inputs && self.inputs().is_empty();
        let weakening_settings = self.weakening_settings(&settings, &flags, needs_inputs, &mut diagnostics);
        let mut extra_arguments: Vec<_> = flags.into_iter().map(|argument| argument.text).collect();
        if needs_inputs {
            let argument = |path: &PathBuf| OsString::from_iter([OsStr::new("--filename="), path.as_os_str()]);
            extra_arguments.extend(inputs.iter().map(argument));
        }
        for diagnostic in &mut diagnostics {
            diagnostic.message = format!("{} (in the settings file)", diagnostic.message);
        }
        let settings = RunSettings {
            source,
            settings,
            inputs,
            arguments: extra_arguments.iter().map(|arg| arg.to_string_lossy().into_owned()).collect(),
            weakening_settings,
            is_trusted: self.trusts_settings(),
            diagnostics,
        };
        (extra_arguments, settings)
    }

    /// Returns the names of the settings that may hide mistakes from `check`. Each is an error if the command line
    /// denies warnings and neither chooses nor trusts the file, because the input's author could otherwise control what
    /// is checked.
    fn weakening_settings(
        &self,
        settings: &Settings,
        flags: &[Argument],
        needs_inputs: bool,
        out: &mut Vec<Diagnostic>,
    ) -> Vec<String> {
        if self.command.get_name() != "check" {
            return Vec::new();
        }
        let inputs_span = settings.inputs_span.filter(|_| needs_inputs);
        let inputs = inputs_span.map(|place| ("inputs", "excludes files", place));
        let flags = flags.iter().filter_map(|flag| Some((flag.flag.as_str(), flag.weakens?, flag.span)));
        let denied_subjects = self.matches.get_many::<Setting>("deny").into_iter().flatten();
        let mut denied_subjects = denied_subjects.map(|setting| setting.subject);
        let is_denied = self.is_given("deny") && denied_subjects.any(|subject| subject == SeveritySubject::Warnings);
        let mut names: Vec<_> = Vec::new();
        for (name, how, place) in inputs.into_iter().chain(flags) {
            names.push(name.to_owned());
            if is_denied && !self.trusts_settings() {
                out.push(flags::diagnostics::weakened_check(name, how, place));
            }
        }
        let lowers_severity = settings.severity.iter().any(|setting| setting.level != SeverityLevel::Deny);
        names.extend((lowers_severity && (!is_denied || self.trusts_settings())).then(|| "severity".to_owned()));
        names
    }

    /// Whether the command line chooses or trusts the settings file.
    fn trusts_settings(&self) -> bool {
        self.matches.get_one::<PathBuf>("settings").is_some() || self.matches.get_flag("trust_settings")
    }

    /// Returns a finding if the file sets an output directory and an input is outside the file's repository. Otherwise,
    /// for example, output with decrypted values would be written to the checkout instead of the pipe that should
    /// receive it.
    fn check_output(&self, argument: &Argument, directory: &Path) -> Option<Diagnostic> {
        if argument.flag != "output-dir" || argument.text == "--output-dir=-" {
            return None;
        }
        let tree = ContainingTree::containing(directory).ok();
        let is_held = |path: &Path| {
            let real = path.canonicalize();
            real.is_ok_and(|real| tree.as_ref().is_some_and(|tree| tree.contains(directory, &real)))
        };
        let foreign_input = self.inputs().into_iter().find(|input| !input.path().is_some_and(is_held))?;
        Some(flags::diagnostics::foreign_input(argument.span, &foreign_input))
    }

    /// Rejects flags on the command line that the command does not use, or that have no effect with the given values of
    /// other flags. `all_run` contains the values of all flags.
    fn reject_unused_flags(&self, all_run: &Run<'_>) -> Result<(), clap::Error> {
        let names = self.names.iter().filter_map(|names| names.first().copied());
        let name = names.collect::<Vec<_>>().join(" ");
        let value = |id: &str| {
            let raw = all_run.matches.try_get_raw(id).ok().flatten()?.next_back()?;
            raw.to_str().map(str::to_owned)
        };
        let problem = self.given_args().filter_map(|arg| flags::problem(&name, arg, value)).next();
        problem.map_or(Ok(()), |problem| {
            let mut command = self.command.clone();
            Err(command.error(ErrorKind::ArgumentConflict, problem))
        })
    }

    /// Returns the default inputs: those that the file lists, or otherwise the directory that contains the file.
    fn named_inputs(&self, settings: &Settings, directory: &Path, out: &mut Vec<Diagnostic>) -> Vec<PathBuf> {
        let mut paths = settings.inputs.clone();
        let reach = self.matches.try_get_one::<LoadRestrictor>("load_restrictor").ok().flatten();
        if reach != Some(&LoadRestrictor::Anywhere) {
            let tree = ContainingTree::containing(directory);
            let is_held = |path: &str| tree.as_ref().is_ok_and(|tree| tree.contains(directory, Path::new(path)));
            let outside_paths = paths.iter().filter(|path| !is_held(path));
            out.extend(outside_paths.map(|path| flags::diagnostics::input_outside_repository(path)));
            paths.retain(|path| is_held(path));
        }
        if paths.is_empty() {
            paths.push(".".to_owned());
        }
        let relative_path = |path: &String| match path.as_str() {
            "." if directory.as_os_str().is_empty() => PathBuf::from("."),
            "." => directory.to_owned(),
            path => directory.join(path),
        };
        paths.iter().map(relative_path).collect()
    }

    fn flags(&self, settings: &Settings, directory: &Path, out: &mut Vec<Diagnostic>) -> Vec<Argument> {
        let settable = Settable::new(self.root, self.command);
        let is_trusted = self.matches.get_flag("trust_settings");
        let mut arguments = Vec::new();
        for flag in &settings.flags {
            match settable.argument(flag, directory, is_trusted) {
                Ok(argument) => arguments.extend(argument.filter(|_| self.may_set(settable.get(&flag.name)))),
                Err(mistake) => out.push(*mistake),
            }
        }
        let present_flags: Vec<_> = arguments.iter().map(|argument| argument.flag.clone()).collect();
        let is_present =
            |name: &String| present_flags.contains(name) || self.given_args().any(|arg| arg.get_long() == Some(name));
        arguments.retain(|argument| argument.requires.iter().all(is_present));
        out.extend(arguments.iter().filter_map(|argument| self.check_output(argument, directory)));
        arguments
    }

    /// Returns the arguments that are on the command line.
    fn given_args(&self) -> impl Iterator<Item = &'c Arg> {
        let args = self.command.get_arguments();
        args.filter(|arg| self.is_given(arg.get_id().as_str()))
    }

    /// Whether the file may set a flag: the command has the flag, and the command line contains neither the flag nor
    /// one that conflicts with it.
    fn may_set(&self, arg: Option<&Arg>) -> bool {
        let excludes = |first: &Arg, second: &Arg| {
            let mut excluded = self.command.get_arg_conflicts_with(first).into_iter();
            excluded.any(|excluded| excluded.get_id() == second.get_id())
        };
        arg.is_some_and(|arg| {
            let comes_before =
                |given: &Arg| given.get_id() == arg.get_id() || excludes(given, arg) || excludes(arg, given);
            // Limits are overridden one by one, so a limit on the command line does not discard the other limits in the
            // file.
            self.has_flag(arg.get_id().as_str()) && (is_limit(arg) || !self.given_args().any(comes_before))
        })
    }

    /// Inserts arguments right after the subcommand's name, so that they are not mistaken for operands.
    fn insert_arguments(&self, mut args: Vec<OsString>, extra: &[OsString]) -> Vec<OsString> {
        let mut at = 1;
        for name in &self.names {
            let rest = args.iter().skip(at);
            at += rest.take_while(|arg| !name.iter().any(|name| *arg == name)).count() + 1;
        }
        let at = at.min(args.len());
        args.splice(at..at, extra.iter().cloned());
        args
    }
}

//! The command line, with what `agentctl.yaml` says put behind it.
//!
//! The flags of the file become arguments in front of those of the command line, unless that has the same flag or one that
//! excludes it. So each of them means what it means there, without a second definition.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, FromArgMatches};

use super::outcome::{Outcome, Stop};
use super::subject::{Subject as Operand, is_input};
use crate::admit::Given;
use crate::diagnostic::severity::{Level, Setting, Subject};
use crate::diagnostic::{Diagnostic, EnvironmentError, suggest};
use crate::flags::{self, Argument, Settable, Settings, is_limit};
use crate::input::{FoundSettings, Input, LoadRestrictor, SettingsFile, Tree, load_settings};
use crate::source::{Source, Sources};

/// What is known of a run beside its typed arguments.
#[derive(Debug)]
pub(super) struct Invocation {
    /// The arguments of the subcommand, with those that the file adds.
    pub(super) matches: ArgMatches,
    /// The file, where the command uses one and there is one.
    pub(super) settings: Option<RunSettings>,
    /// Files that look like settings by their names and are not read.
    pub(super) misnamed: Vec<PathBuf>,
    /// Whether the command reports the mistakes in the file with its own findings.
    pub(super) has_policy: bool,
    /// Which flags about the input are on the command line.
    pub(super) given: Given,
}

/// What is left of the file beside its flags.
#[derive(Debug)]
pub(super) struct RunSettings {
    source: Source,
    /// What it says.
    pub(super) said: Settings,
    /// What is read where nothing else is named.
    pub(super) inputs: Vec<PathBuf>,
    /// The arguments that it adds to the command line.
    arguments: Vec<String>,
    /// What of it may hide mistakes from `check`.
    weakening: Vec<String>,
    diagnostics: Vec<Diagnostic>,
}

impl RunSettings {
    /// Makes the file one of the sources, and gives its mistakes.
    pub(super) fn add_to(&self, sources: &mut Sources) -> Vec<Diagnostic> {
        let id = sources.add(Source::cut_short(&self.source.name, &self.source.text, true));
        let diagnostics = self.diagnostics.iter().cloned();
        diagnostics.map(|diagnostic| diagnostic.in_source(id)).collect()
    }

    /// What of it may hide mistakes from `check`: `agentctl.yaml sets agent-selector`; nothing where it hides none.
    pub(super) fn weakening(&self) -> Option<String> {
        let names = self.weakening.join(", ");
        (!names.is_empty()).then(|| format!("{} sets {names}", self.source.name))
    }

    /// Which file it is, and what it sets in this run.
    pub(super) fn summary(&self) -> String {
        let name = &self.source.name;
        let severity = self.said.severity.iter().map(ToString::to_string);
        let all: Vec<_> = self.arguments.iter().cloned().chain(severity).collect();
        match all.is_empty() {
            true => format!("the settings file `{name}` sets nothing here"),
            false => format!("the settings file `{name}` sets {}", all.join(", ")),
        }
    }
}

/// Parses the command line `args`, the program's name first, as `root` defines it.
pub(super) fn parse<C: FromArgMatches>(args: Vec<OsString>, root: fn() -> Command) -> Outcome<(C, Invocation)> {
    // It lives until the process ends: to free its many flags takes a fifth of a start.
    let command = Box::leak(Box::new(root()));
    let (matches, error) = match command.try_get_matches_from_mut(&args) {
        Ok(matches) => (matches, None),
        // The file may have what is missing.
        Err(error) if error.kind() == ErrorKind::MissingRequiredArgument => (partial(&args, root)?, Some(error)),
        Err(error) => return Err(usage(error, &[])),
    };
    let run = Run::of(command, &matches);
    let FoundSettings { file, misnamed } = run.find_settings()?;
    let (extra, settings) = file.map(|file| run.settings(file)).unzip();
    let extra = extra.unwrap_or_default();
    let all = match (&settings, error) {
        (None, Some(error)) => Err(error),
        (None, None) => Ok(matches.clone()),
        (Some(_), _) => root().try_get_matches_from(run.with(args, &extra)),
    };
    let parsed = all.and_then(|all| {
        let with_settings = Run::of(command, &all);
        run.refuse_unused(&with_settings)?;
        Ok((C::from_arg_matches(&all)?, with_settings.matches.clone()))
    });
    let (cli, matches) = parsed.map_err(|error| usage(error, &extra))?;
    let invocation = Invocation {
        matches,
        settings,
        misnamed,
        has_policy: run.has_policy(),
        given: Given {
            namespace: run.is_given("namespace"),
            namespace_labels: run.is_given("namespace_labels"),
        },
    };
    Ok((cli, invocation))
}

/// What an unfinished command line, the program's name first, says of its input; with what the file adds.
pub(super) struct Typed {
    pub(super) inputs: Vec<Input>,
    pub(super) namespace: String,
}

/// Looks at the words of an unfinished command line.
pub(super) fn typed(words: &[OsString], root: fn() -> Command) -> Option<Typed> {
    let mut command = root();
    command.build();
    let matches = partial(words, root).ok()?;
    let run = Run::of(&command, &matches);
    let found = run.find_settings().ok().unwrap_or_default();
    let extra = found.file.map(|file| run.settings(file).0).unwrap_or_default();
    let matches = partial(&run.with(words.to_vec(), &extra), root).ok()?;
    let run = Run::of(&command, &matches);
    let mut inputs = run.inputs();
    if inputs.is_empty() {
        inputs.push(Input::Path(".".into()));
    }
    let namespace = run.matches.try_get_one::<String>("namespace").ok()?;
    let namespace = namespace.map_or("default", |namespace| namespace).to_owned();
    Some(Typed { inputs, namespace })
}

/// The matches of an incomplete command line.
fn partial(args: &[OsString], root: fn() -> Command) -> Outcome<ArgMatches> {
    let command = root().ignore_errors(true);
    command.try_get_matches_from(args).map_err(|error| usage(error, &[]))
}

fn usage(error: clap::Error, defaults: &[OsString]) -> Stop {
    Stop::Usage {
        error: nearest_first(error),
        defaults: defaults.iter().map(|arg| arg.to_string_lossy().into_owned()).collect(),
    }
}

/// The error with the command that is nearest to an unknown one in front of others.
fn nearest_first(mut error: clap::Error) -> clap::Error {
    let (written, known) = (
        error.get(ContextKind::InvalidSubcommand),
        error.get(ContextKind::SuggestedSubcommand),
    );
    if let (Some(ContextValue::String(written)), Some(ContextValue::Strings(known))) = (written, known)
        && let Some(meant) = suggest::closest(written, known.iter().map(String::as_str))
    {
        let mut known = known.clone();
        let meant = meant.to_owned();
        known.sort_by_key(|name| *name != meant);
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(known));
    }
    error
}

/// The subcommand that is run.
struct Run<'c> {
    /// The names that lead to it, each with its aliases.
    names: Vec<Vec<&'c str>>,
    root: &'c Command,
    command: &'c Command,
    matches: &'c ArgMatches,
}

impl<'c> Run<'c> {
    fn of(root: &'c Command, matches: &'c ArgMatches) -> Self {
        let mut run = Self {
            names: Vec::new(),
            root,
            command: root,
            matches,
        };
        while let Some((name, matches)) = run.matches.subcommand()
            && let Some(command) = run.command.find_subcommand(name)
        {
            run.names
                .push(std::iter::once(name).chain(command.get_all_aliases()).collect());
            (run.command, run.matches) = (command, matches);
        }
        run
    }

    /// Whether it has this argument.
    fn has(&self, id: &str) -> bool {
        self.command.get_arguments().any(|arg| arg.get_id() == id)
    }

    /// Whether it decides what is made of findings.
    fn has_policy(&self) -> bool {
        self.has("deny")
    }

    /// Whether the command line has it.
    fn is_given(&self, id: &str) -> bool {
        self.has(id) && self.matches.value_source(id) == Some(ValueSource::CommandLine)
    }

    fn find_settings(&self) -> Result<FoundSettings, EnvironmentError> {
        let asks = Settable::is_used_by(self.command) || self.has_policy();
        if !asks || self.matches.get_flag("no_settings") {
            return Ok(FoundSettings::default());
        }
        let named = self.matches.get_one::<PathBuf>("settings");
        load_settings(named.map(PathBuf::as_path), &self.inputs(), flags::is_manifest)
    }

    /// The inputs that the command line names.
    fn inputs(&self) -> Vec<Input> {
        let values = |id: &str| -> Vec<OsString> {
            let raw = self.is_given(id).then(|| self.matches.get_raw(id)).flatten();
            raw.into_iter().flatten().map(OsStr::to_owned).collect()
        };
        let mut inputs: Vec<_> = ["paths", "filename"]
            .into_iter()
            .flat_map(values)
            .map(Input::from)
            .collect();
        let built = values("kustomize").into_iter().map(PathBuf::from);
        inputs.extend(built.map(Input::Kustomization));
        if self.is_given("since") {
            inputs.extend(Operand::all(&values("subjects")).iter().filter_map(Operand::as_input));
        }
        // An operand of `tree` that does not exist may be the start of a resource that a shell completes.
        let operands = Operand::operands(&values("operands")).0.into_iter().map(Input::from);
        inputs.extend(operands.filter(|input| input.path().is_none_or(Path::exists)));
        let first = values("of_agent").into_iter();
        inputs.extend(
            first
                .filter(|first| first.to_str().is_some_and(is_input))
                .map(Input::from),
        );
        inputs
    }

    /// The arguments that the file stands for, and what else it says.
    fn settings(&self, file: SettingsFile) -> (Vec<OsString>, RunSettings) {
        let SettingsFile { source, directory } = file;
        let mut sources = Sources::default();
        let id = sources.add(Source::cut_short(&source.name, &source.text, true));
        let mut diagnostics = Vec::new();
        let settings = flags::read(id, &source, &mut diagnostics);
        let flags = self.flags(&settings, &directory, &mut diagnostics);
        let inputs = self.named_inputs(&settings, &directory, &mut diagnostics);
        // `shards` needs no input where the targets and a number are named.
        let is_told = self.is_given("targets") && self.is_given("shards") && !self.is_given("of_agent");
        let reads_inputs = Settable::is_used_by(self.command) && self.has("filename") && !is_told;
        let needs_inputs = reads_inputs && self.inputs().is_empty();
        let weakening = self.weakening(&settings, &flags, needs_inputs, &mut diagnostics);
        let mut extra: Vec<_> = flags.into_iter().map(|argument| argument.text).collect();
        if needs_inputs {
            let argument = |path: &PathBuf| OsString::from_iter([OsStr::new("--filename="), path.as_os_str()]);
            extra.extend(inputs.iter().map(argument));
        }
        for diagnostic in &mut diagnostics {
            diagnostic.message = format!("in the settings file, {}", diagnostic.message);
        }
        let settings = RunSettings {
            source,
            said: settings,
            inputs,
            arguments: extra.iter().map(|arg| arg.to_string_lossy().into_owned()).collect(),
            weakening,
            diagnostics,
        };
        (extra, settings)
    }

    /// What of the file may hide mistakes from `check`: an error for each where the command line denies warnings and does not name the
    /// file. Whoever may change the input would choose what of it is checked.
    fn weakening(
        &self,
        settings: &Settings,
        flags: &[Argument],
        needs_inputs: bool,
        out: &mut Vec<Diagnostic>,
    ) -> Vec<String> {
        if self.command.get_name() != "check" {
            return Vec::new();
        }
        let leaves_out = settings.inputs_span.filter(|_| needs_inputs);
        let inputs = leaves_out.map(|place| ("inputs", "leaves out files", place));
        let flags = flags
            .iter()
            .filter_map(|flag| Some((flag.flag.as_str(), flag.weakens?, flag.span)));
        let denied = self.matches.get_many::<Setting>("deny").into_iter().flatten();
        let mut denied = denied.map(|setting| setting.subject);
        let is_denied = self.is_given("deny") && denied.any(|subject| subject == Subject::Warnings);
        let mut names: Vec<_> = Vec::new();
        for (name, how, place) in inputs.into_iter().chain(flags) {
            names.push(name.to_owned());
            if is_denied && !self.names_settings() {
                out.push(flags::diagnostics::weakened_check(name, how, place));
            }
        }
        let allows = settings.severity.iter().any(|setting| setting.level != Level::Deny);
        names.extend((allows && !is_denied).then(|| "severity".to_owned()));
        names
    }

    /// Whether the command line names the file of settings, or trusts it.
    fn names_settings(&self) -> bool {
        self.matches.get_one::<PathBuf>("settings").is_some() || self.matches.get_flag("trust_settings")
    }

    /// Refuses a directory of the file for what does not come from its repository: decrypted values from a pipe would be written into
    /// the checkout, and not to the command behind the next pipe.
    fn check_output(&self, argument: &Argument, directory: &Path) -> Option<Diagnostic> {
        if argument.flag != "output-dir" || argument.text == "--output-dir=-" {
            return None;
        }
        let tree = Tree::containing(directory).ok();
        let is_held = |path: &Path| {
            let real = path.canonicalize();
            real.is_ok_and(|real| tree.as_ref().is_some_and(|tree| tree.holds(directory, &real)))
        };
        let foreign = self
            .inputs()
            .into_iter()
            .find(|input| !input.path().is_some_and(is_held))?;
        Some(flags::diagnostics::foreign_input(argument.span, &foreign))
    }

    /// Refuses a flag of the command line that does nothing for the command, or without a value of another one in `all`.
    fn refuse_unused(&self, all: &Run<'_>) -> Result<(), clap::Error> {
        let names = self.names.iter().filter_map(|names| names.first().copied());
        let name = names.collect::<Vec<_>>().join(" ");
        let value = |id: &str| {
            let raw = all.matches.try_get_raw(id).ok().flatten()?.next_back()?;
            raw.to_str().map(str::to_owned)
        };
        let problem = self.given().filter_map(|arg| flags::problem(&name, arg, value)).next();
        problem.map_or(Ok(()), |problem| {
            let mut command = self.command.clone();
            Err(command.error(ErrorKind::ArgumentConflict, problem))
        })
    }

    /// What is read where the command line names nothing: what the file names, or the directory that it is in.
    fn named_inputs(&self, settings: &Settings, directory: &Path, out: &mut Vec<Diagnostic>) -> Vec<PathBuf> {
        let mut paths = settings.inputs.clone();
        let reach = self
            .matches
            .try_get_one::<LoadRestrictor>("load_restrictor")
            .ok()
            .flatten();
        if reach != Some(&LoadRestrictor::Anywhere) {
            let tree = Tree::containing(directory);
            let is_held = |path: &str| tree.as_ref().is_ok_and(|tree| tree.holds(directory, Path::new(path)));
            let outside = paths.iter().filter(|path| !is_held(path));
            out.extend(outside.map(|path| flags::diagnostics::outside(path)));
            paths.retain(|path| is_held(path));
        }
        if paths.is_empty() {
            paths.push(".".to_owned());
        }
        let below = |path: &String| match path.as_str() {
            "." if directory.as_os_str().is_empty() => PathBuf::from("."),
            "." => directory.to_owned(),
            path => directory.join(path),
        };
        paths.iter().map(below).collect()
    }

    fn flags(&self, settings: &Settings, directory: &Path, out: &mut Vec<Diagnostic>) -> Vec<Argument> {
        let settable = Settable::new(self.root, self.command);
        let is_trusted = self.matches.get_flag("trust_settings");
        let mut extra = Vec::new();
        for flag in &settings.flags {
            match settable.argument(flag, directory, is_trusted) {
                Ok(argument) => extra.extend(argument.filter(|_| self.takes(settable.get(&flag.name)))),
                Err(mistake) => out.push(*mistake),
            }
        }
        let there: Vec<_> = extra.iter().map(|argument| argument.flag.clone()).collect();
        let is_there = |name: &String| there.contains(name) || self.given().any(|arg| arg.get_long() == Some(name));
        extra.retain(|argument| argument.requires.iter().all(is_there));
        out.extend(
            extra
                .iter()
                .filter_map(|argument| self.check_output(argument, directory)),
        );
        extra
    }

    /// The arguments that the command line has.
    fn given(&self) -> impl Iterator<Item = &'c Arg> {
        let args = self.command.get_arguments();
        args.filter(|arg| self.is_given(arg.get_id().as_str()))
    }

    /// Whether the command has the flag, and the command line has neither it nor one that excludes it.
    fn takes(&self, arg: Option<&Arg>) -> bool {
        let excludes = |one: &Arg, other: &Arg| {
            let mut excluded = self.command.get_arg_conflicts_with(one).into_iter();
            excluded.any(|excluded| excluded.get_id() == other.get_id())
        };
        arg.is_some_and(|arg| {
            let comes_before =
                |given: &Arg| given.get_id() == arg.get_id() || excludes(given, arg) || excludes(arg, given);
            // Of limits, the command line comes before the file one by one.
            self.has(arg.get_id().as_str()) && (is_limit(arg) || !self.given().any(comes_before))
        })
    }

    /// The command line with more arguments behind the subcommand's name, where they can be no operands.
    fn with(&self, mut args: Vec<OsString>, extra: &[OsString]) -> Vec<OsString> {
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

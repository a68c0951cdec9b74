//! The output of a run: results on standard output, everything else on standard error.
//!
//! A result is lines for people, which are safe whatever they hold ([`Text`]), JSON, which is made safe here, or data that must
//! not be changed. Standard error always gets lines for people.

use std::env;
use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::Path;

pub(super) use super::outcome::{ExitStatus, Outcome, Stop, or_closed};

use clap::Args;
use serde::Serialize;

use super::command_line::{Invocation, RunSettings};
use super::help::GLOBAL;
use super::terminal::{ColorChoice, Progress, width};
use crate::diagnostic::listed::first_of;
use crate::diagnostic::{Code, Diagnostic, EnvironmentError, Severity, has_errors};
use crate::emit::{KeptFile, Written, write_file, write_pretty};
use crate::flags::Effect::{Bounded, Harmless};
use crate::input::{SETTINGS_FILE, built};
use crate::printable::{self, Line, Screen, Text, counted};
use crate::report::{Ending, Findings, MessageFormat};
use crate::secrecy::redact_program_output;
use crate::source::Sources;

/// How diagnostics are shown; every subcommand takes these.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = GLOBAL)]
pub(super) struct ReportArgs {
    /// Format of findings
    ///
    /// By default human, or github if GITHUB_ACTIONS is true.
    #[arg(long, global = true, value_name = "FORMAT", help = "Format", add = Harmless)]
    message_format: Option<MessageFormat>,

    /// Show notes too, such as skipped objects
    #[arg(short, long, global = true, add = Harmless)]
    verbose: bool,

    /// Show at most this many findings, errors first
    #[arg(long, global = true, value_name = "N", default_value_t = MAX_FINDINGS, hide_default_value = true, hide_short_help = true, add = Bounded("shows fewer findings; the exit status counts all"))]
    max_findings: NonZeroUsize,

    /// Show nothing but errors, warnings and results
    #[arg(short, long, global = true, conflicts_with = "verbose", hide_short_help = true)]
    quiet: bool,

    /// When to use colours
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value_t,
        value_enum,
        hide_short_help = true,
        add = Harmless
    )]
    color: ColorChoice,
}

/// The default of --max-findings.
const MAX_FINDINGS: NonZeroUsize = NonZeroUsize::MIN.saturating_add(9_999);

/// Standard output.
type Output<'o> = io::BufWriter<io::StdoutLock<'o>>;

/// The settings of a run, after flags and environment.
#[derive(Debug)]
pub(super) struct Session {
    format: MessageFormat,
    /// What findings are shown on, where they are not the result.
    errors: Screen,
    /// What results are shown on.
    pub(super) output: Screen,
    verbose: bool,
    max_findings: usize,
    quiet: bool,
    pub(super) invocation: Invocation,
    watched: bool,
}

impl Session {
    /// Reads from the environment what flags and settings leave open.
    pub(super) fn new(args: &ReportArgs, invocation: Invocation) -> Self {
        let default = match env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true") {
            true => MessageFormat::Github,
            false => MessageFormat::Human,
        };
        let screen = |is_terminal, width| Screen {
            color: args.color.decide(is_terminal, env::var_os),
            width,
        };
        let (errors, output) = (io::stderr(), io::stdout());
        Self {
            format: args.message_format.unwrap_or(default),
            errors: screen(errors.is_terminal(), width(&errors)),
            output: screen(output.is_terminal(), width(&output)),
            verbose: args.verbose,
            max_findings: args.max_findings.get(),
            quiet: args.quiet,
            invocation,
            watched: errors.is_terminal() && !args.quiet,
        }
    }

    /// The settings in `agentctl.yaml`, if the command uses them and the file exists.
    pub(super) fn settings(&self) -> Option<&RunSettings> {
        self.invocation.settings.as_ref()
    }

    /// Shows the current step on a terminal until it is dropped.
    pub(super) fn progress(&self, step: &'static str) -> Progress {
        Progress::new(self.watched && !self.format.is_data(), step)
    }

    /// Shows the mistakes in `agentctl.yaml`, unless the command shows them with its own findings.
    pub(super) fn report_settings(&self) -> Outcome<()> {
        let mut sources = Sources::default();
        let settings = self.settings().filter(|_| !self.invocation.has_policy);
        match settings.map(|settings| settings.add_to(&mut sources)) {
            Some(diagnostics) if !diagnostics.is_empty() => self.accept(&diagnostics, &sources),
            _ => Ok(()),
        }
    }

    /// Shows the diagnostics as [`Session::report`] does, and stops the run where there are errors.
    pub(super) fn accept(&self, diagnostics: &[Diagnostic], sources: &Sources) -> Outcome<()> {
        match self.report(diagnostics, sources) {
            ExitStatus::Success => Ok(()),
            _ => Err(Stop::Reported),
        }
    }

    /// Shows the diagnostics on standard error, notes only where they were asked for, and says whether there are errors.
    pub(super) fn report(&self, diagnostics: &[Diagnostic], sources: &Sources) -> ExitStatus {
        to_standard_error(&self.rendered(diagnostics, sources, self.errors, Ending::Counts));
        ExitStatus::findings_if(has_errors(diagnostics))
    }

    /// The same where the diagnostics are the result: in a file or on standard output, with a last line that says what was `done`.
    pub(super) fn report_result(
        &self,
        diagnostics: &[Diagnostic],
        sources: &Sources,
        done: &str,
        file: Option<&Path>,
    ) -> Outcome {
        let rendered = |screen| self.rendered(diagnostics, sources, screen, Ending::Done(done));
        match file {
            Some(file) => write_file(file, &rendered(Screen::FILE))?,
            None => drop(or_closed(self.data(&rendered(self.output)))?),
        }
        Ok(ExitStatus::findings_if(has_errors(diagnostics)))
    }

    /// The text of findings. What a format for programs leaves out is said on standard error.
    fn rendered(&self, diagnostics: &[Diagnostic], sources: &Sources, screen: Screen, ending: Ending<'_>) -> String {
        let is_shown = |diagnostic: &&Diagnostic| self.verbose || diagnostic.severity > Severity::Note;
        let mut shown: Vec<_> = diagnostics.iter().filter(is_shown).cloned().collect();
        built::trace(&mut shown, sources);
        let findings = Findings::new(shown, self.max_findings);
        if self.format.is_data() && findings.omitted() > 0 && !self.quiet {
            let left_out = counted(findings.omitted(), "finding");
            self.tell(format!("note: {left_out} not shown (--max-findings)"));
        }
        let ending = if self.quiet { Ending::Silent } else { ending };
        findings.render(self.format, sources, screen, ending)
    }

    /// Warns about files that look like settings and are not read, and with --verbose notes the settings in use.
    pub(super) fn note_settings(&self) {
        for file in self.invocation.misnamed.iter().filter(|_| !self.format.is_data()) {
            self.tell(format!(
                "warning: `{}` is not read: rename it to {SETTINGS_FILE} if it holds settings",
                file.display()
            ));
        }
        if let Some(settings) = self.settings().filter(|_| self.verbose) {
            self.note(&settings.summary());
        }
    }

    /// Whether findings are shown with the edits of their fixes.
    pub(super) fn carries_fixes(&self) -> bool {
        matches!(self.format, MessageFormat::Json | MessageFormat::Sarif)
    }

    /// With --verbose, notes the number of skipped objects.
    pub(super) fn note_skipped(&self, count: usize) {
        if self.verbose && count > 0 {
            let objects = counted(count, "object");
            self.note(&format!("skipped {objects} of kinds that agentctl does not use"));
        }
    }

    /// Notes once that the files of kustomizations were checked, and not the output of their builds. With --verbose, the findings
    /// have a note for each.
    pub(super) fn note_unrendered(&self, diagnostics: &[Diagnostic]) {
        let is_hidden = |found: &&Diagnostic| found.code == Code::NotRendered && found.severity == Severity::Note;
        let mut hidden = diagnostics.iter().filter(is_hidden);
        let Some(first) = hidden.next().filter(|_| !self.verbose) else {
            return;
        };
        let more = match hidden.count() {
            0 => String::new(),
            more => format!(", and so on for {more} more"),
        };
        let help = first.help.as_deref().unwrap_or_default();
        let text = format!("{}; {help}{more}", first.message);
        self.note(&text);
    }

    /// Writes the result of one of several inputs to standard error, beside formats for people.
    pub(super) fn tell_result(&self, line: Line) {
        if !self.format.is_data() && !self.quiet {
            self.tell(line);
        }
    }

    /// Counts the files that were written to a directory.
    pub(super) fn note_written(&self, directory: &Path, files: Written) {
        if !self.format.is_data() && !self.quiet {
            let (written, directory) = (counted(files.written, "file"), directory.display());
            let others = format!("{} unchanged, {} removed", files.unchanged, files.removed);
            self.tell(format!("wrote {written} to `{directory}`: {others}"));
        }
    }

    /// Reports that a directory is out of date, and the command that updates it.
    pub(super) fn note_stale(&self, directory: &Path, files: usize, command: &str) {
        if !self.format.is_data() && !self.quiet {
            let (files, directory) = (counted(files, "file"), directory.display());
            self.tell(format!(
                "`{directory}` is out of date: {files} would change; update it with `{command}`"
            ));
        }
    }

    /// Warns about files with values of Secrets that git does not ignore.
    pub(super) fn warn_of_values(&self, files: &[String]) {
        if files.is_empty() || self.format.is_data() {
            return;
        }
        let files = first_of(1, files.iter());
        self.tell(format!(
            "warning: {files} and the configurations beside it hold values of Secrets in plain text, and git does not ignore them: \
             pass `--secrets placeholder` or `--secrets external`, or `--secrets inline` if this is meant"
        ));
    }

    /// Warns about files that pruning leaves.
    pub(super) fn warn_kept_files(&self, directory: &Path, kept: &[KeptFile]) {
        for KeptFile { path, reason } in kept.iter().filter(|_| !self.format.is_data()) {
            let path = directory.join(path);
            self.tell(format!("warning: `{}` is not removed: {reason}", path.display()));
        }
    }

    /// Writes a note for people to standard error.
    pub(super) fn note(&self, text: &str) {
        if !self.format.is_data() && !self.quiet {
            self.tell(format!("note: {text}"));
        }
    }

    /// Writes a note to standard error, with any format.
    pub(super) fn remark(&self, text: &str) {
        if !self.quiet {
            self.tell(format!("note: {text}"));
        }
    }

    /// Writes a sentence for people to standard error.
    fn tell(&self, sentence: impl Into<Line>) {
        let mut text = Text::for_screen(Screen {
            color: false,
            ..self.errors
        });
        text.item(sentence);
        to_standard_error(text.as_str());
    }

    /// No lines yet, for [`Session::show`].
    pub(super) fn text(&self) -> Text {
        Text::for_screen(self.output)
    }

    /// Writes a result for people to standard output.
    pub(super) fn show(&self, text: &Text) -> Outcome {
        self.data(text.as_str())
    }

    /// Writes a result to standard output that comes in pieces of whole lines: for people, or as it is.
    pub(super) fn show_pieces(&self, as_it_is: bool, each_piece: impl FnOnce(&mut dyn FnMut(&str))) -> Outcome {
        self.write(|out| {
            let mut result = Ok(());
            each_piece(&mut |piece| {
                if result.is_ok() && !piece.is_empty() {
                    result = match as_it_is {
                        true => out.write_all(piece.as_bytes()),
                        false => out.write_all(Text::from_lines(piece).as_str().as_bytes()),
                    };
                }
            });
            result
        })
    }

    /// Writes a result for programs to standard output.
    pub(super) fn json(&self, value: &impl Serialize) -> Outcome {
        self.json_lines(|out| write_pretty(value, out))
    }

    /// Lets `write` write a result for programs, in lines of JSON, to standard output.
    pub(super) fn json_lines(
        &self,
        write: impl FnOnce(&mut io::BufWriter<printable::JsonLines<&mut Output<'_>>>) -> io::Result<()>,
    ) -> Outcome {
        self.write(|out| {
            let mut out = io::BufWriter::new(printable::JsonLines::new(out));
            write(&mut out)?;
            out.flush()
        })
    }

    /// Writes a result to standard output unchanged: manifests, scripts and other data.
    pub(super) fn data(&self, text: &str) -> Outcome {
        self.write(|out| out.write_all(text.as_bytes()))
    }

    /// Lets `write` write a result to standard output as it is.
    pub(super) fn write(&self, write: impl FnOnce(&mut Output<'_>) -> io::Result<()>) -> Outcome {
        let mut out = io::BufWriter::new(io::stdout().lock());
        let written = write(&mut out).and_then(|()| out.flush());
        written.map_err(EnvironmentError::Output)?;
        Ok(ExitStatus::Success)
    }
}

/// The exit status of a run that stops, after what has not been said yet was. That the reader of the output went away is fine.
pub(super) fn stopped(stop: Stop) -> ExitStatus {
    match stop {
        Stop::Usage { error, defaults } => usage(&error, &defaults),
        Stop::Reported => ExitStatus::Findings,
        Stop::Trouble(error) if error.is_closed_pipe() => ExitStatus::Success,
        Stop::Trouble(error) => {
            trouble(&error);
            ExitStatus::Trouble
        }
    }
}

/// Reports an error that ends the run.
pub(super) fn trouble(error: &EnvironmentError) {
    match error {
        EnvironmentError::Failed { program, message, help } => {
            tell(format!("error: `{program}` failed: {}", redact_program_output(message)));
            if let Some(command) = help {
                tell(format!("help: run `{command}`"));
            }
        }
        error => tell(format!("error: {error}")),
    }
}

/// Prints help and version as results, and anything else as wrong usage, perhaps because of the flags of `defaults`. A closed
/// pipe is not an error.
fn usage(error: &clap::Error, defaults: &[String]) -> ExitStatus {
    let text = error.to_string();
    let harmless = Text::from_lines(&text);
    // An argument may be the name of a file in the input.
    match harmless.as_str().trim_end() == text.trim_end() {
        true => drop(error.print()),
        false => to_standard_error(harmless.as_str()),
    }
    if !defaults.is_empty() {
        tell(format!(
            "note: with `{}` of the settings file; --no-settings leaves that out",
            defaults.join(" ")
        ));
    }
    match error.exit_code() {
        0 => ExitStatus::Success,
        _ => ExitStatus::Trouble,
    }
}

/// Writes a line for people to standard error.
pub(super) fn tell(line: impl Into<Line>) {
    let mut text = Text::default();
    text.line(line);
    to_standard_error(text.as_str());
}

/// Writes text that is safe to show to standard error; a closed one is not an error.
pub(super) fn to_standard_error(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

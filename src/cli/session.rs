//! Output of a run. Results go to standard output, everything else to standard error.
//!
//! A result is human-readable text ([`Text`], which is always safe to display), JSON, which this module makes safe, or
//! data that must not be changed. Standard error receives only human-readable text.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::env;
use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

pub(super) use super::outcome::{ExitStatus, Outcome, Stop};

use clap::Args;
use serde::Serialize;

use super::command_line::{Invocation, RunSettings};
use super::help::GLOBAL;
use super::kubectl;
use super::terminal::{ColorChoice, Progress, width};
use crate::diagnostic::listed::{first_of, format_list, truncate};
use crate::diagnostic::{Code, Diagnostic, EnvironmentError, MASK, Severity, Warned, has_errors};
use crate::emit::{KeptFile, WriteCounts, write_file, write_pretty};
use crate::flags::Effect::{Bounded, Harmless};
use crate::gitops::{Cluster, DeployedInputs, Mistake, load_deployed, load_deployed_at_revision, several_clusters};
use crate::input::{Input, ReadLimits, SETTINGS_FILE, built, load_at};
use crate::printable::{self, Line, Screen, Text, format_count};
use crate::report::{Findings, LastLine, MessageFormat, count};
use crate::secrecy::{redact_message, redact_program_output};
use crate::source::{CopiedValues, Sources, hide_copied};

/// Flags for the display of findings, shared by all subcommands.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = GLOBAL)]
pub(super) struct ReportArgs {
    /// Format of findings
    ///
    /// The default is human, or github if GITHUB_ACTIONS is true. `check -o FORMAT` is the same.
    #[arg(long, global = true, value_name = "FORMAT", hide_short_help = true, add = Harmless)]
    message_format: Option<MessageFormat>,

    /// Also show notes, such as skipped objects
    #[arg(short, long, global = true, add = Harmless)]
    verbose: bool,

    /// Show at most this many findings, errors first
    #[arg(long, global = true, value_name = "N", default_value_t = MAX_FINDINGS, hide_default_value = true, hide_short_help = true, add = Bounded("shows fewer findings; the exit status reflects all of them"))]
    max_findings: NonZeroUsize,

    /// Show only errors and results
    #[arg(short, long, global = true, conflicts_with = "verbose", hide_short_help = true)]
    quiet: bool,

    /// When to use colors
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

/// Default value of `--max-findings`.
const MAX_FINDINGS: NonZeroUsize = NonZeroUsize::MIN.saturating_add(9_999);

/// Maximum number of unknown fields to list in the line about warnings.
const MAX_FIELDS: usize = 20;

/// Maximum number of characters of a field path in the line about warnings.
const MAX_PATH: usize = 100;

/// Buffered standard output.
type BufferedStdout<'o> = io::BufWriter<io::StdoutLock<'o>>;

/// Settings of a run, taken from its flags and environment.
#[derive(Debug)]
pub(super) struct Session {
    format: MessageFormat,
    /// Whether the command line or the settings set the format.
    has_format: bool,
    /// Screen for findings that are not part of the command's results.
    errors: Screen,
    /// Screen for results.
    pub(super) output: Screen,
    verbose: bool,
    max_findings: usize,
    quiet: bool,
    pub(super) invocation: Invocation,
    watched: bool,
    /// Secret values that kustomize copied to other objects in the inputs read so far. Only manifests show them.
    copied_values: Mutex<Vec<CopiedValues>>,
}

impl Session {
    /// Creates a session. `format` is the format that the command's own flag sets. The environment determines anything
    /// that flags and settings leave unset.
    pub(super) fn new(args: &ReportArgs, format: Option<MessageFormat>, invocation: Invocation) -> Self {
        let default = match env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true") {
            true => MessageFormat::Github,
            false => MessageFormat::Human,
        };
        let screen = |is_terminal, width| Screen { color: args.color.decide(is_terminal, env::var_os), width };
        let (errors, output) = (io::stderr(), io::stdout());
        let format = format.or(args.message_format);
        Self {
            format: format.unwrap_or(default),
            has_format: format.is_some(),
            errors: screen(errors.is_terminal(), width(&errors)),
            output: screen(output.is_terminal(), width(&output)),
            verbose: args.verbose,
            max_findings: args.max_findings.get(),
            quiet: args.quiet,
            invocation,
            watched: errors.is_terminal() && !args.quiet,
            copied_values: Mutex::default(),
        }
    }

    /// Returns the settings from `agentctl.yaml`, or `None` if the file does not exist or the command does not use it.
    pub(super) fn settings(&self) -> Option<&RunSettings> {
        self.invocation.settings.as_ref()
    }

    /// Shows the current step on the terminal until the returned value is dropped.
    pub(super) fn progress(&self, step: &'static str) -> Progress {
        Progress::new(self.watched && !self.format.is_data(), step)
    }

    /// Reports mistakes in `agentctl.yaml`, unless the command reports them together with its own findings.
    pub(super) fn report_settings(&self) -> Outcome<()> {
        let mut sources = Sources::default();
        let settings = self.settings().filter(|_| !self.invocation.has_policy);
        match settings.map(|settings| settings.add_to(&mut sources)) {
            Some(diagnostics) if !diagnostics.is_empty() => self.accept(&diagnostics, &sources),
            _ => Ok(()),
        }
    }

    /// Shows the diagnostics as [`Session::report`] does, and stops the run if any of them is an error.
    pub(super) fn accept(&self, diagnostics: &[Diagnostic], sources: &Sources) -> Outcome<()> {
        match self.report(diagnostics, sources) {
            ExitStatus::Success => Ok(()),
            _ => Err(Stop::Reported),
        }
    }

    /// Shows the diagnostics on standard error. Notes are shown only with `--verbose`. Returns `Findings` if any
    /// diagnostic is an error.
    pub(super) fn report(&self, diagnostics: &[Diagnostic], sources: &Sources) -> ExitStatus {
        to_standard_error(&self.render(diagnostics, sources, self.errors, LastLine::Counts));
        ExitStatus::findings_if(has_errors(diagnostics))
    }

    /// Shows errors as [`Session::report`] does, but summarizes warnings in one line: their number, the unknown fields,
    /// and the command that shows the warnings. If `--verbose` or a format is set, also shows warnings as
    /// [`Session::report`] does.
    pub(super) fn report_briefly(&self, diagnostics: &[Diagnostic], sources: &Sources) -> ExitStatus {
        if self.verbose || self.has_format || self.format.is_data() {
            return self.report(diagnostics, sources);
        }
        let (errors, other_findings): (Vec<_>, Vec<_>) =
            diagnostics.iter().cloned().partition(|finding| finding.severity == Severity::Error);
        let status = self.report(&errors, sources);
        let warnings: Vec<_> =
            other_findings.into_iter().filter(|finding| finding.severity == Severity::Warning).collect();
        if !warnings.is_empty() && !self.quiet {
            let check = kubectl::example(&self.invocation.check_command);
            let unknown_fields = warnings.iter().filter(|finding| finding.code == Code::UnknownField);
            let fields: BTreeSet<_> =
                unknown_fields.filter_map(|fields_of| Some(truncate(fields_of.path.as_deref()?, MAX_PATH))).collect();
            let dropped_fields = match fields.len() {
                0 => String::new(),
                _ => format!(" (unknown fields: {})", format_list(MAX_FIELDS, fields.iter())),
            };
            self.print_sentence(count(&warnings).plain(format!("{dropped_fields}: run `{check}`")));
        }
        status
    }

    /// Shows the diagnostics as [`Session::report_briefly`] does, and stops the run if any of them is an error.
    pub(super) fn accept_briefly(&self, diagnostics: &[Diagnostic], sources: &Sources) -> Outcome<()> {
        match self.report_briefly(diagnostics, sources) {
            ExitStatus::Success => Ok(()),
            _ => Err(Stop::Reported),
        }
    }

    /// Writes diagnostics that are the command's result to a file or to standard output, followed by a summary line
    /// that contains `done_message`.
    pub(super) fn report_result(
        &self,
        diagnostics: &[Diagnostic],
        sources: &Sources,
        done_message: &str,
        file: Option<&Path>,
    ) -> Outcome {
        self.write_result(file, |screen| self.render(diagnostics, sources, screen, LastLine::Done(done_message)))?;
        Ok(ExitStatus::findings_if(has_errors(diagnostics)))
    }

    /// Writes the number of diagnostics for each code, as [`Session::report_result`] writes diagnostics.
    pub(super) fn report_statistics(
        &self,
        diagnostics: &[Diagnostic],
        done_message: &str,
        file: Option<&Path>,
    ) -> Outcome {
        let is_shown = |diagnostic: &&Diagnostic| self.verbose || diagnostic.severity > Severity::Note;
        let shown_findings = diagnostics.iter().filter(is_shown).cloned().collect();
        let findings = Findings::new(shown_findings, usize::MAX);
        let ending = if self.quiet { LastLine::Silent } else { LastLine::Done(done_message) };
        self.write_result(file, |screen| findings.render_statistics(self.format, screen, ending))?;
        Ok(ExitStatus::findings_if(has_errors(diagnostics)))
    }

    /// Writes a result to a file or to standard output.
    fn write_result(&self, file: Option<&Path>, rendered: impl Fn(Screen) -> String) -> Outcome<()> {
        match file {
            Some(file) => write_file(file, &rendered(Screen::FILE))?,
            None => drop(self.data(&rendered(self.output))?),
        }
        Ok(())
    }

    /// Renders findings as text. If a machine-readable format omits findings, their number is reported on standard
    /// error.
    fn render(&self, diagnostics: &[Diagnostic], sources: &Sources, screen: Screen, ending: LastLine<'_>) -> String {
        // In human-readable formats, the note about the followed clusters already includes what was not read.
        let carries_unread = matches!(self.format, MessageFormat::Json | MessageFormat::Sarif);
        let is_shown = |diagnostic: &&Diagnostic| match diagnostic.code {
            _ if diagnostic.severity > Severity::Note => true,
            Code::GitopsUnread => carries_unread,
            _ => self.verbose,
        };
        let mut shown_findings: Vec<_> = diagnostics.iter().filter(is_shown).cloned().collect();
        built::trace(&mut shown_findings, sources);
        let findings = Findings::new(shown_findings, self.max_findings);
        if self.format.is_data() && findings.omitted_count() > 0 && !self.quiet {
            let omitted = format_count(findings.omitted_count(), "finding");
            let by_code = findings.omitted_by_code().join(", ");
            self.print_sentence(format!("note: {omitted} not shown (--max-findings): {by_code}"));
        }
        let ending = if self.quiet { LastLine::Silent } else { ending };
        findings.render(self.format, sources, screen, ending)
    }

    /// Warns about files that look like settings files but are not read. With `--verbose`, also describes the settings
    /// in use.
    pub(super) fn note_settings(&self) {
        for file in self.invocation.misnamed.iter().filter(|_| !self.format.is_data()) {
            self.print_sentence(format!(
                "warning: `{}` is not read: rename it to {SETTINGS_FILE} if it contains settings",
                file.display()
            ));
        }
        if let Some(settings) = self.settings().filter(|_| self.verbose) {
            self.note(&settings.summary());
        }
    }

    /// Whether the format of findings includes fixes.
    pub(super) fn carries_fixes(&self) -> bool {
        matches!(self.format, MessageFormat::Json | MessageFormat::Sarif)
    }

    /// Reads inputs as deployed, and prints a note about the entry points that were followed. Several clusters are an
    /// error.
    pub(super) fn load(&self, inputs: &[Input], reading: &ReadLimits) -> Outcome<Warned<Sources>> {
        Ok(self.load_one(inputs, reading)?.0)
    }

    /// Reads inputs like [`Session::load`], and also returns the clusters that were followed.
    pub(super) fn load_one(&self, inputs: &[Input], reading: &ReadLimits) -> Outcome<(Warned<Sources>, Vec<Cluster>)> {
        match self.load_deployed(inputs, reading)? {
            DeployedInputs::Sources { loaded, clusters } => Ok((loaded, clusters)),
            DeployedInputs::Several(clusters) => Err(several_clusters(inputs, &clusters).into()),
        }
    }

    /// Reads inputs at a git revision. `clusters` contains the clusters that the inputs lead to in the working tree. If
    /// there are any, the revision is also read as deployed.
    pub(super) fn load_at(
        &self,
        inputs: &[Input],
        revision: &str,
        reading: &ReadLimits,
        clusters: &[Cluster],
    ) -> Result<Warned<Sources>, EnvironmentError> {
        let loaded = match clusters {
            [] => load_at(inputs, revision, reading),
            _ => load_deployed_at_revision(inputs, revision, reading),
        }?;
        self.add_copied_values(&loaded.output);
        Ok(loaded)
    }

    /// Adds the values that kustomize copied out of Secrets to the values that are masked in all later output.
    fn add_copied_values(&self, sources: &Sources) {
        self.lock_copied_values().extend(sources.copied_values().cloned());
    }

    /// Masks values that kustomize copied out of Secrets.
    fn mask_copied_values<'t>(&self, text: &'t str) -> Cow<'t, str> {
        hide_copied(self.lock_copied_values().iter(), text, MASK).map_or(Cow::Borrowed(text), Cow::Owned)
    }

    fn lock_copied_values(&self) -> MutexGuard<'_, Vec<CopiedValues>> {
        self.copied_values.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the inputs as they would be deployed, and prints notes about what was followed.
    pub(super) fn load_deployed(&self, inputs: &[Input], reading: &ReadLimits) -> Outcome<DeployedInputs> {
        let deployed = load_deployed(inputs, reading)?;
        if let DeployedInputs::Sources { clusters, loaded } = &deployed {
            self.add_copied_values(&loaded.output);
            clusters.iter().for_each(|cluster| self.note_followed(cluster));
        }
        Ok(deployed)
    }

    /// Whether `--verbose` is set.
    pub(super) fn is_verbose(&self) -> bool {
        self.verbose
    }

    /// Prints a mistake that a GitOps controller would report.
    pub(super) fn print_mistake(&self, mistake: &Mistake) {
        self.print_sentence(format!("error: {}", redact_message(&mistake.to_string())));
    }

    /// Prints the number of skipped objects if `--verbose` is set.
    pub(super) fn note_skipped(&self, count: usize) {
        if self.verbose && count > 0 {
            let kinds = if count == 1 { "a kind" } else { "kinds" };
            let objects = format_count(count, "object");
            self.note(&format!("skipped {objects} of {kinds} that agentctl does not use"));
        }
    }

    /// Prints a single note that kustomization files were checked instead of their build output. With `--verbose`, each
    /// finding already says so.
    pub(super) fn note_unrendered(&self, diagnostics: &[Diagnostic]) {
        let is_hidden = |finding: &&Diagnostic| finding.code == Code::NotRendered && finding.severity == Severity::Note;
        let mut hidden_findings = diagnostics.iter().filter(is_hidden);
        let Some(first) = hidden_findings.next().filter(|_| !self.verbose) else {
            return;
        };
        let more_findings = match hidden_findings.count() {
            0 => String::new(),
            more_findings => format!(" (and {more_findings} more like it)"),
        };
        let help = first.help.as_deref().unwrap_or_default();
        let text = format!("{}; {help}{more_findings}", first.message);
        self.note(&text);
    }

    /// Writes the result for one of several inputs to standard error, if findings are shown in a human-readable format.
    pub(super) fn print_result(&self, line: Line) {
        if !self.format.is_data() && !self.quiet {
            self.print_sentence(line);
        }
    }

    /// Prints the number of files written to a directory.
    pub(super) fn note_written(&self, directory: &Path, files: WriteCounts) {
        if !self.format.is_data() && !self.quiet {
            let (written, directory) = (format_count(files.written, "file"), directory.display());
            let other_counts = format!("{} unchanged, {} removed", files.unchanged, files.removed);
            self.print_sentence(format!("wrote {written} to `{directory}`: {other_counts}"));
        }
    }

    /// Reports that a directory is out of date, and names the command that updates it.
    pub(super) fn note_stale(&self, directory: &Path, files: usize, command: &str) {
        if !self.format.is_data() && !self.quiet {
            let (files, directory) = (format_count(files, "file"), directory.display());
            self.print_sentence(format!(
                "`{directory}` is out of date: {files} would change; update it with `{command}`"
            ));
        }
    }

    /// Warns about files with Secret values that git does not ignore.
    pub(super) fn warn_of_values(&self, files: &[String]) {
        if files.is_empty() || self.format.is_data() {
            return;
        }
        let pronoun = if files.len() == 1 { "it" } else { "them" };
        let files = first_of(1, files.iter());
        self.print_sentence(format!(
            "warning: {files} and the configurations next to {pronoun} contain Secret values in plain text, and git does not ignore them: \
             pass `--secrets placeholder` or `--secrets external`, or `--secrets inline` if that is intended"
        ));
    }

    /// Warns about files that pruning keeps.
    pub(super) fn warn_kept_files(&self, directory: &Path, kept_files: &[KeptFile]) {
        for KeptFile { path, reason } in kept_files.iter().filter(|_| !self.format.is_data()) {
            let path = directory.join(path);
            self.print_sentence(format!("warning: `{}` is not removed: {reason}", path.display()));
        }
    }

    /// Writes a note to standard error if findings are shown in a human-readable format.
    pub(super) fn note(&self, text: &str) {
        if !self.format.is_data() && !self.quiet {
            self.print_sentence(format!("note: {text}"));
        }
    }

    /// Writes a note to standard error, regardless of the format.
    pub(super) fn print_note(&self, text: &str) {
        if !self.quiet {
            self.print_sentence(format!("note: {text}"));
        }
    }

    /// Writes a sentence to standard error, without colors.
    fn print_sentence(&self, sentence: impl Into<Line>) {
        let mut text = Text::for_screen(Screen { color: false, ..self.errors });
        text.item(sentence);
        to_standard_error(text.as_str());
    }

    /// Returns an empty [`Text`] for [`Session::show`].
    pub(super) fn text(&self) -> Text {
        Text::for_screen(self.output)
    }

    /// Writes human-readable text to standard output.
    pub(super) fn show(&self, text: &Text) -> Outcome {
        self.page(text.as_str())
    }

    /// Writes a page, such as an HTML page, to standard output.
    pub(super) fn page(&self, text: &str) -> Outcome {
        self.data(&self.mask_copied_values(text))
    }

    /// Writes a result to standard output in pieces, each of which consists of whole lines. If `as_it_is` is true, the
    /// pieces are written unchanged; otherwise, they are written as human-readable text.
    pub(super) fn show_pieces(&self, as_it_is: bool, for_each_piece: impl FnOnce(&mut dyn FnMut(&str))) -> Outcome {
        self.write(|out| {
            let mut result = Ok(());
            for_each_piece(&mut |piece| {
                if result.is_ok() && !piece.is_empty() {
                    result = match as_it_is {
                        true => out.write_all(piece.as_bytes()),
                        false => out.write_all(self.mask_copied_values(Text::from_lines(piece).as_str()).as_bytes()),
                    };
                }
            });
            result
        })
    }

    /// Writes a result to standard output as JSON.
    pub(super) fn json(&self, value: &impl Serialize) -> Outcome {
        self.json_lines(|out| write_pretty(value, out))
    }

    /// Writes a result to standard output as JSON lines, which `write` produces.
    pub(super) fn json_lines(
        &self,
        write: impl FnOnce(&mut io::BufWriter<printable::JsonLines<&mut dyn Write>>) -> io::Result<()>,
    ) -> Outcome {
        let to_lines = |out: &mut dyn Write| {
            let mut out = io::BufWriter::new(printable::JsonLines::new(out));
            write(&mut out)?;
            out.flush()
        };
        let has_copies = !self.lock_copied_values().is_empty();
        self.write(|out| match has_copies {
            true => {
                let mut lines = Vec::new();
                to_lines(&mut lines)?;
                out.write_all(self.mask_copied_values(&String::from_utf8_lossy(&lines)).as_bytes())
            }
            false => to_lines(out),
        })
    }

    /// Writes a result such as manifests or a script to standard output, unchanged.
    pub(super) fn data(&self, text: &str) -> Outcome {
        self.write(|out| out.write_all(text.as_bytes()))
    }

    /// Calls `write` with standard output, and then flushes it. If the reader of the output, such as `head`, has closed
    /// it, the rest is omitted: the exit status still depends on the findings.
    pub(super) fn write(&self, write: impl FnOnce(&mut BufferedStdout<'_>) -> io::Result<()>) -> Outcome {
        let mut out = io::BufWriter::new(io::stdout().lock());
        match write(&mut out).and_then(|()| out.flush()).map_err(EnvironmentError::Output) {
            Err(error) if !error.is_closed_pipe() => Err(error.into()),
            _ => Ok(ExitStatus::Success),
        }
    }
}

/// Prints the reason that a run stops, unless it was already reported, and returns the exit status. Output that the
/// reader has closed is not an error.
pub(super) fn report_stop(stop: Stop) -> ExitStatus {
    match stop {
        Stop::Usage { error, defaults } => usage(&error, &defaults),
        Stop::Reported => ExitStatus::Findings,
        Stop::Trouble(error) if error.is_closed_pipe() => ExitStatus::Success,
        Stop::Trouble(error) => {
            print_error(&error);
            ExitStatus::Trouble
        }
    }
}

/// Prints an error that ends the run.
pub(super) fn print_error(error: &EnvironmentError) {
    match error {
        EnvironmentError::Failed { program, message, help } => {
            print_line(format!("error: `{program}` failed: {}", redact_program_output(message)));
            if let Some(command) = help {
                print_line(format!("help: run `{command}`"));
            }
        }
        error => print_line(format!("error: {error}")),
    }
}

/// Prints help or the version as a result, and anything else as a usage error. The flags in `defaults`, which come from
/// the settings file, may be the cause. A closed pipe is not an error.
fn usage(error: &clap::Error, defaults: &[String]) -> ExitStatus {
    let text = error.to_string();
    let printable_text = Text::from_lines(&text);
    // The message may quote a file name from the input, so it is printed with colors only if it is safe.
    match printable_text.as_str().trim_end() == text.trim_end() {
        true => drop(error.print()),
        false => to_standard_error(printable_text.as_str()),
    }
    if !defaults.is_empty() {
        print_line(format!(
            "note: the settings file adds `{}`; pass --no-settings to ignore the file",
            defaults.join(" ")
        ));
    }
    match error.exit_code() {
        0 => ExitStatus::Success,
        _ => ExitStatus::Trouble,
    }
}

/// Writes a line to standard error.
pub(super) fn print_line(line: impl Into<Line>) {
    let mut text = Text::default();
    text.line(line);
    to_standard_error(text.as_str());
}

/// Writes printable text to standard error. Errors are ignored, because standard error may be closed.
pub(super) fn to_standard_error(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

//! `agentctl check`: reports all mistakes without rendering.

use std::path::{Path, PathBuf};

use clap::Args;

use super::args::{ALLOW_EMPTY, CompileArgs, InputArgs, SeverityArgs, TimeArg, parse_time};
use super::command_line::RunSettings;
use super::each::{self, MergedFindings};
use super::session::{ExitStatus, Outcome, Session, print_line};
use super::watch::each_round;
use crate::compile::{Bundle, CompileOptions, compile_while};
use crate::diagnostic::apply::{fix_all, try_fixes};
use crate::diagnostic::bound::Fixes;
use crate::diagnostic::listed::format_list;
use crate::diagnostic::severity::{ALLOW_ANNOTATION, Policy, SeverityLevel};
use crate::diagnostic::{Code, Diagnostic, Warned, has_errors};
use crate::diff::show_source;
use crate::emit::{empty_check, is_rewritable, rewrite};
use crate::flags::Effect::Weakens;
use crate::gitops::{Cluster, DeployedInputs, NamedCluster, UnreachedFiles};
use crate::input::{Input, ReadLimits, SETTINGS_FILE};
use crate::printable::{Line, format_count};
use crate::report::{MessageFormat, count};
use crate::source::Sources;
use crate::targets::observed;

/// Find every mistake in the resources without writing manifests
///
/// Reports fields and values that the API server rejects, references to objects and keys that do not exist, resources that
/// nothing selects, and configurations with which the agent would not start. Findings go to standard output. In the formats
/// `human` and `short`, the last line counts them. `agentctl validate` and `agentctl lint` are the same command.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl check manifests/
  agentctl check manifests/ -o short
  agentctl check manifests/ -o sarif --output-file agentctl.sarif
  agentctl check agent.yaml --validate=strict
  agentctl check manifests/ --deny warnings --allow paused-agent
  agentctl check -k overlays/staging -k overlays/production
  agentctl check --each clusters/*
  agentctl check manifests/ --diff
  agentctl check manifests/ --fix
  agentctl check apiservices/ --at now

Exit status:
  0  success, perhaps with warnings
  1  the input has errors, or there is nothing to check
  1  --diff: --fix would change something
  2  usage error, or a file that cannot be read")]
pub(super) struct CheckArgs {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    compile: CompileArgs,

    #[command(flatten)]
    policy: SeverityArgs,

    /// Format of findings
    ///
    /// The default is human, or github if GITHUB_ACTIONS is true.
    #[arg(short, long, value_name = "FORMAT", conflicts_with = "message_format", help_heading = "Findings")]
    output: Option<MessageFormat>,

    /// Write the findings to this file
    ///
    /// The file is replaced atomically. With `-`, the findings are written to standard output. A symlink at this path is
    /// replaced, not followed. A symlink in a parent directory that leads outside the repository or the working directory
    /// is an error.
    #[arg(
        long,
        value_name = "FILE",
        value_hint = clap::ValueHint::FilePath,
        conflicts_with_all = ["diff", "watch"],
        help_heading = "Findings",
        hide_short_help = true
    )]
    output_file: Option<PathBuf>,

    /// Succeed even if there is nothing to check
    #[arg(long, help_heading = "Findings", hide_short_help = true, add = Weakens(ALLOW_EMPTY, &[]))]
    allow_empty: bool,

    /// Apply fixes that are certain
    ///
    /// Comments and layout are preserved. The remaining findings are reported. With -k, the base, patch or overlay is
    /// fixed if all overlays of the run that contain the file have the finding. Standard input is not changed.
    #[arg(long, help_heading = "Findings")]
    fix: bool,

    /// Show what --fix would change
    ///
    /// Exits with 1 if it would change anything.
    #[arg(long, help_heading = "Findings")]
    diff: bool,

    /// Show the number of findings for each code instead of the findings
    ///
    /// With -o json, there is one object per code.
    #[arg(long, conflicts_with_all = ["fix", "diff", "watch"], help_heading = "Findings", hide_short_help = true)]
    statistics: bool,

    /// Watch the inputs and check again when they change
    #[arg(long, conflicts_with_all = ["fix", "diff"], help_heading = "Findings", hide_short_help = true)]
    watch: bool,

    /// Check each PATH separately, for example clusters/*
    ///
    /// One run gives one result per input. A finding that occurs in several inputs is shown once, with a list of these
    /// inputs. A repeated -k works the same way.
    #[arg(long, conflicts_with = "watch", help_heading = "Input")]
    each: bool,

    /// Check that the CA bundles of APIServices are valid at this time
    ///
    /// Accepts a date (YYYY-MM-DD), a time such as 2026-03-01T12:00:00Z, or now.
    #[arg(long, value_name = "DATE", value_parser = parse_time, help_heading = "Compilation", hide_short_help = true, add = Weakens("checks certificates at a different time", &[]))]
    at: Option<TimeArg>,
}

/// Maximum number of skipped files to list in the summary line.
const MAX_SHOWN: usize = 3;

/// Groups of inputs to check separately, with their names.
type InputGroups = Vec<(String, Vec<Input>)>;

impl CheckArgs {
    /// Returns the format of findings.
    pub(super) fn format(&self) -> Option<MessageFormat> {
        self.output
    }

    pub(super) fn inputs(&self) -> Vec<Input> {
        self.input.inputs()
    }

    /// Returns the groups of inputs to check separately, or `None` if all inputs are checked together.
    fn groups(&self) -> Option<InputGroups> {
        each::groups(&self.inputs(), self.each)
    }

    /// Whether several groups of inputs are checked separately.
    pub(super) fn has_groups(&self) -> bool {
        self.groups().is_some()
    }

    pub(super) fn options(&self, session: &Session) -> CompileOptions {
        let mut options = self.compile.for_findings().options(session);
        options.certificate_time = self.at.map(TimeArg::time);
        options.keep = Some(observed::kept_fields);
        // Findings about the delivery of Secret values are reported only if `--secrets` is set.
        options.skips_label_flow = false;
        options.is_repository = true;
        options.findings_only = !self.compile.sets_secrets();
        if self.fix || self.diff {
            options.admit.fixes = Fixes::All;
        }
        options
    }

    pub(super) fn reading(&self) -> ReadLimits {
        self.compile.reading()
    }

    /// Checks the inputs, and checks them again whenever one of them changes.
    fn watch(&self, session: &Session) -> Outcome {
        each_round(&self.inputs(), &self.reading(), |watching, loaded| {
            let input = self.input(loaded, session);
            let checked = self.check(&input, &input.sources);
            watching.report(&checked.diagnostics, &input.sources, session);
            let summary_line = Line::from(format!("watch: {}: ", checked.summary(&input)));
            print_line(summary_line.join(count(&checked.diagnostics)));
            Ok(())
        })
    }

    pub(super) fn run(&self, session: &Session) -> Outcome {
        if self.watch {
            return self.watch(session);
        }
        if let Some(groups) = self.groups() {
            return match self.fix || self.diff {
                true => self.fix_built(&groups, None, session),
                false => self.run_each(&groups, false, session),
            };
        }
        let progress = session.progress("reading");
        let (loaded, clusters) = match session.load_deployed(&self.inputs(), &self.reading())? {
            DeployedInputs::Sources { loaded, clusters } => (loaded, clusters),
            DeployedInputs::Several(clusters) => {
                let group = |cluster: NamedCluster| (cluster.name, vec![Input::Path(cluster.path)]);
                let groups: Vec<_> = clusters.into_iter().map(group).collect();
                drop(progress);
                return match self.fix || self.diff {
                    true => self.fix_built(&groups, None, session),
                    false => self.run_each(&groups, true, session),
                };
            }
        };
        let is_built = loaded.output.iter().any(|(_, source)| !source.origins.is_empty());
        if is_built && (self.fix || self.diff) {
            drop(progress);
            return self.fix_built(&[(".".to_owned(), self.inputs())], Some(loaded), session);
        }
        progress.step("compiling");
        let mut input = self.input(loaded, session);
        self.report_unreached(&mut input, &clusters, session)?;
        if !(self.fix || self.diff) {
            let mut checked = self.check(&input, &input.sources);
            let mut untried_count = 0;
            // Fixes are tried first only for JSON, SARIF and statistics, because only these show fixes.
            if session.carries_fixes() || self.statistics {
                let find = |sources: &Sources| self.check(&input, sources).diagnostics;
                let fix_result = try_fixes(&input.sources, checked.diagnostics, find);
                checked.diagnostics = fix_result.findings;
                untried_count = fix_result.untried;
            }
            if let [cluster] = clusters.as_slice() {
                let name = |finding: &mut Diagnostic| finding.found_in = vec![cluster.display_entry().to_owned()];
                let in_cluster = |finding: &&mut Diagnostic| finding.code != Code::GitopsUnreached;
                checked.diagnostics.iter_mut().filter(in_cluster).for_each(name);
            }
            drop(progress);
            let status = self.report(&checked, &input.sources, &checked.summary(&input), session)?;
            note_untried(untried_count, "untried fixes are reported as likely instead of certain", session);
            return Ok(status);
        }
        let mut fixed = fix_all(&input.sources, is_rewritable, |sources| self.check(&input, sources));
        let mut checked = std::mem::take(&mut fixed.findings);
        fixed.demote_rejected(&mut checked.diagnostics);
        drop(progress);
        for source in fixed.kept.iter().filter_map(|id| fixed.sources.get(*id)) {
            let name = &source.name;
            session.note(&format!(
                "`{name}` was not fixed: --fix changes only input files, and does not follow links out of the repository"
            ));
        }
        let changes = fixed.changes(&input.sources);
        let count = changes.clone().count();
        let (findings, files) = (format_count(fixed.count, "finding"), format_count(count, "file"));
        if self.diff {
            let mut text = session.text();
            changes.for_each(|(id, before, after)| show_source(id, before, after, &mut text));
            session.show(&text)?;
            session.note(&format!("--fix would fix {findings} in {files}"));
            note_untried(fixed.untried, "run --fix, then --diff again", session);
            return Ok(ExitStatus::findings_if(count > 0));
        }
        rewrite(changes.map(|(_, before, after)| (before, after)))?;
        let done_message = format!("{}, fixed {findings} in {files}", checked.summary(&input));
        let status = self.report(&checked, &fixed.sources, &done_message, session)?;
        note_untried(fixed.untried, "run --fix again", session);
        Ok(status)
    }

    /// Checks each group, and reports each finding only once, even if several groups share it. `are_found` indicates
    /// that the groups are discovered clusters. A discovered cluster may have no resources if another has some.
    fn run_each(&self, groups: &[(String, Vec<Input>)], are_found: bool, session: &Session) -> Outcome {
        let (mut inputs, mut clusters) = (Vec::new(), Vec::new());
        for (name, inputs_of_group) in groups {
            let (loaded, followed) = session.load_one(inputs_of_group, &self.reading())?;
            clusters.extend(followed);
            inputs.push((name, self.input(loaded, session)));
        }
        if let [(_, first), ..] = inputs.as_mut_slice()
            && are_found
        {
            self.report_unreached(first, &clusters, session)?;
        }
        let results = inputs.into_iter().map(|(name, input)| {
            let checked = self.check(&input, &input.sources);
            (name, input, checked)
        });
        let results: Vec<_> = results.collect();
        let is_empty = |finding: &Diagnostic| finding.code == Code::EmptyCheck;
        let is_used = results.iter().any(|(.., checked)| !checked.diagnostics.iter().any(is_empty));
        let mut merged = MergedFindings::default();
        for (name, input, mut checked) in results {
            if are_found && is_used {
                checked.diagnostics.retain(|findings| !is_empty(findings));
            }
            let result = Line::from(format!("{name}: {}: ", checked.summary(&input)));
            // Unused exceptions are not counted here, because another input may use the exceptions.
            let findings = checked.diagnostics.iter().filter(|finding| finding.code != Code::UnusedAllowance);
            session.print_result(result.join(count(&findings.cloned().collect::<Vec<_>>())));
            merged.add(name, checked.diagnostics, &input.sources);
        }
        let done_message = format!("checked {}", format_count(groups.len(), "input"));
        let (mut findings, sources) = merged.finish();
        for findings in findings.iter_mut().filter(|finding| finding.code == Code::GitopsUnreached) {
            findings.found_in.clear();
        }
        self.show(&findings, &sources, &done_message, session)
    }

    /// Adds findings about files that belong to no cluster if a level is set for their code. Otherwise, prints the
    /// number of files. Does nothing unless the clusters were found in a single input.
    fn report_unreached(&self, input: &mut CheckInput, clusters: &[Cluster], session: &Session) -> Outcome<()> {
        let inputs = self.inputs();
        let ([path], [_, ..]) = (inputs.as_slice(), clusters) else { return Ok(()) };
        let level = input.policy.level(Code::GitopsUnreached);
        if level == Some(SeverityLevel::Allow) {
            return Ok(());
        }
        let files = UnreachedFiles::search(path, clusters, &self.reading());
        let count = files.paths.len();
        if level.is_some() {
            input.diagnostics.extend(files.findings(&self.reading(), &mut input.sources)?);
        } else if count > 0 {
            let verb = if count == 1 { "belongs" } else { "belong" };
            let more = if session.is_verbose() { "" } else { " (-v lists them)" };
            let counted = format_count(count, "file");
            session.note(&format!("{counted} with the operator's resources {verb} to no cluster that was read{more}"));
            for file in files.paths.iter().filter(|_| session.is_verbose()) {
                session.note(&format!("not in a cluster: `{file}`"));
            }
        }
        Ok(())
    }

    /// Fixes the files that the inputs were built from, or shows what would be fixed. Each fix is first tried in the
    /// built text. `loaded` contains the sources of the first group if they have already been read.
    fn fix_built(
        &self,
        groups: &[(String, Vec<Input>)],
        mut loaded: Option<Warned<Sources>>,
        session: &Session,
    ) -> Outcome {
        let mut merged = MergedFindings::default();
        let mut untried_count = 0;
        for (name, inputs) in groups {
            let loaded = loaded.take().map_or_else(|| session.load(inputs, &self.reading()), Ok)?;
            let input = self.input(loaded, session);
            let diagnostics = self.check(&input, &input.sources).diagnostics;
            let fix_result = try_fixes(&input.sources, diagnostics, |sources| self.check(&input, sources).diagnostics);
            untried_count += fix_result.untried;
            merged.add(name, fix_result.findings, &input.sources);
        }
        let fixes = merged.apply_fixes();
        fixes.kept.iter().for_each(|reason| session.note(reason));
        let (findings, files) = (format_count(fixes.count, "finding"), format_count(fixes.changes.len(), "file"));
        if self.diff {
            let mut text = session.text();
            fixes.changes.iter().for_each(|(id, before, after)| show_source(*id, before, after, &mut text));
            session.show(&text)?;
            session.note(&format!("--fix would fix {findings} in {files}"));
            note_untried(untried_count, "run --fix, then --diff again", session);
            return Ok(ExitStatus::findings_if(!fixes.changes.is_empty()));
        }
        rewrite(fixes.changes.iter().map(|(_, before, after)| (before, after)))?;
        session.note(&format!("fixed {findings} in {files}"));
        note_untried(untried_count, "run --fix again", session);
        match groups {
            [(_, inputs)] => {
                let input = self.input(session.load(inputs, &self.reading())?, session);
                let checked = self.check(&input, &input.sources);
                self.report(&checked, &input.sources, &checked.summary(&input), session)
            }
            groups => self.run_each(groups, false, session),
        }
    }

    fn show(&self, diagnostics: &[Diagnostic], sources: &Sources, done_message: &str, session: &Session) -> Outcome {
        let file = self.output_file.as_deref().filter(|file| *file != Path::new("-"));
        match self.statistics {
            true => session.report_statistics(diagnostics, done_message, file),
            false => session.report_result(diagnostics, sources, done_message, file),
        }
    }

    fn report(&self, checked: &CheckedInput, sources: &Sources, done_message: &str, session: &Session) -> Outcome {
        let status = self.show(&checked.diagnostics, sources, done_message, session)?;
        session.note_skipped(checked.skipped);
        session.note_unrendered(&checked.diagnostics);
        Ok(status)
    }

    /// Prepares the parts of a check that do not change when the input is checked again.
    pub(super) fn input(&self, loaded: Warned<Sources>, session: &Session) -> CheckInput {
        let (mut sources, mut diagnostics) = (loaded.output, loaded.diagnostics);
        let files = sources.iter().filter(|(_, source)| source.is_complete || source.is_explicit).count();
        let policy = self.policy.policy(Policy::default(), session, &mut sources);
        let policy = policy.report_to(&mut diagnostics);
        CheckInput {
            sources,
            diagnostics,
            policy,
            options: self.options(session),
            files,
            weakening: session.settings().and_then(RunSettings::describe_weakening),
        }
    }

    /// Checks `sources`, which may be the input or a modified copy of it.
    pub(super) fn check(&self, input: &CheckInput, sources: &Sources) -> CheckedInput {
        self.check_while(input, sources, &|| true)
    }

    /// Checks `sources` while `is_wanted` returns true. Once it returns false, the result must be discarded.
    pub(super) fn check_while(
        &self,
        input: &CheckInput,
        sources: &Sources,
        is_wanted: &dyn Fn() -> bool,
    ) -> CheckedInput {
        let mut diagnostics = input.diagnostics.clone();
        let compiled = compile_while(sources, &input.options, is_wanted);
        let bundle = compiled.report_to(&mut diagnostics);
        let trace = |span| sources.to_edit(span);
        let excepted_counts = input.policy.count_excepted(&diagnostics, &bundle.allowances, &trace);
        let mut diagnostics = input.policy.apply(diagnostics, &bundle.allowances, &trace);
        if self.allow_empty {
            diagnostics.retain(|diagnostic| diagnostic.code != Code::NoInput);
        } else if bundle.compiled == 0 && !has_errors(&diagnostics) {
            let has_unread = diagnostics.iter().any(|finding| finding.code == Code::GitopsUnread);
            diagnostics.push(empty_check(&bundle.commands, sources, has_unread));
        }
        CheckedInput {
            diagnostics,
            resources: bundle.resources,
            skipped: bundle.skipped,
            excepted: excepted_counts,
            weakening_note: input.describe_weakening(&bundle),
        }
    }
}

/// Prints the number of fixes that were not tried, followed by the clause `then`, regardless of the output format.
fn note_untried(count: usize, then: &str, session: &Session) {
    if count > 0 {
        let fixes = match count {
            1 => "1 more fix was".to_owned(),
            _ => format!("up to {count} more fixes were"),
        };
        session.print_note(&format!("{fixes} not tried because the input is large; {then}"));
    }
}

/// Input of a check, and the policy and options that apply to it.
pub(super) struct CheckInput {
    pub(super) sources: Sources,
    /// Findings from loading the input and from the settings file.
    diagnostics: Vec<Diagnostic>,
    policy: Policy,
    options: CompileOptions,
    files: usize,
    /// Description of the repository's settings that may hide mistakes, for use in a message.
    weakening: Option<String>,
}

impl CheckInput {
    /// Describes what the repository's settings exclude, for the summary line.
    fn describe_weakening(&self, bundle: &Bundle) -> String {
        match &self.weakening {
            Some(how) if bundle.left_out_count() > 0 => {
                let (omitted_count, agent_count) = (bundle.left_out_count(), format_count(bundle.agents, "agent"));
                format!(" ({} of {agent_count} checked: {how})", bundle.agents - omitted_count)
            }
            Some(how) => format!(" ({how})"),
            None => String::new(),
        }
    }
}

/// Result of a check.
#[derive(Default)]
pub(super) struct CheckedInput {
    pub(super) diagnostics: Vec<Diagnostic>,
    resources: usize,
    skipped: usize,
    /// Number of findings that exceptions accept, and number of findings that annotations accept.
    excepted: [usize; 2],
    /// Description of the settings that may hide mistakes, for the summary line.
    weakening_note: String,
}

impl AsMut<Vec<Diagnostic>> for CheckedInput {
    fn as_mut(&mut self) -> &mut Vec<Diagnostic> {
        &mut self.diagnostics
    }
}

impl CheckedInput {
    pub(super) fn summary(&self, input: &CheckInput) -> String {
        let (resources, files) = (format_count(self.resources, "resource"), format_count(input.files, "file"));
        let weakening_note = &self.weakening_note;
        let mut summary = format!("checked {resources} in {files}{weakening_note}");
        let skipped = input.sources.skipped_files();
        if !skipped.is_empty() {
            summary.push_str(&format!(", skipped {}", format_list(MAX_SHOWN, skipped.iter())));
        }
        let ways = [format!("exceptions in {SETTINGS_FILE}"), format!("annotations ({ALLOW_ANNOTATION})")];
        for (count, way) in self.excepted.into_iter().zip(ways).filter(|(count, _)| *count > 0) {
            summary.push_str(&format!(", {} accepted by {way}", format_count(count, "finding")));
        }
        summary
    }
}

//! `agentctl targets`: the agents' targets and their labels.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashSet};
use std::ffi::OsString;
use std::io::Write;

use clap::{Args, ValueEnum};

use super::args::{AGAINST, AgentArgs, CompileArgs, WholeInputArgs, other_side};
use super::session::{ExitStatus, Outcome, Session};
use crate::check::Rejection;
use crate::diagnostic::suggest::did_you_mean;
use crate::diagnostic::{Code, Diagnostic, EnvironmentError, Severity, distinct};
use crate::flags::Effect::Bounded;
use crate::input::{Input, load};
use crate::insight::catalog::ResourceArgument;
use crate::insight::resolved::ResolvedInput;
use crate::insight::targets::{
    ComparedTarget, Detail, Differences, Earlier, JobSurvey, PlacedTarget, Report, TargetExplanation, TargetRecord,
    for_each_running_group, read_earlier_targets, take_missing_shards,
};
use crate::printable::{Text, format_count};
use crate::resolve::Hierarchy;
use crate::targets::observed::{ObservedKind, join_kinds};
use crate::targets::scrape::{Cluster, DiscoveredTarget, JobGroup, JobKind, TargetScope, TargetState};

/// Show the agents' targets with their labels
///
/// Reads cluster objects from the same inputs as the resources: Pods, Services, Endpoints, EndpointSlices, Nodes, Ingresses
/// and Namespaces, as `kubectl get -o yaml` prints them. Discovers and relabels targets as the agent's own Prometheus and
/// Promtail do, for ServiceMonitors, PodMonitors, Probes, PodLogs and additionalScrapeConfigs.
///
/// With --against, compares the targets with the output of an earlier run with `-o json`, or with a server's response from
/// /api/v1/targets (Prometheus) or /agent/api/v1/metrics/targets (agent).
///
/// If no pod in the input is running, shows potential targets: those that Services and workloads (Deployment, StatefulSet,
/// DaemonSet, Job, CronJob) will have.
///
/// The text format masks tokens and passwords. JSON contains all labels unchanged, because --against needs them; the
/// server's own targets page shows them as well.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  kubectl get -A pods,services,endpoints -o yaml | agentctl targets manifests/ -f -
  agentctl targets manifests/ export.yaml --explain 10.42.0.16:8080
  agentctl targets manifests/ export.yaml --monitor smon/shop/checkout --dropped
  agentctl targets manifests/ export.yaml -o json > targets.json
  agentctl targets manifests/ export.yaml --against targets.json
  curl -s http://prometheus/api/v1/targets | agentctl targets . export.yaml --against -

Exit status:
  0  success
  1  the input has errors
  1  --against: a target is lost or gained, or its labels changed
  1  --explain: no target has the address
  1  --job, --monitor: no job matches
  2  usage error, or a file that cannot be read")]
pub(super) struct TargetsArgs {
    #[command(flatten)]
    agent: AgentArgs,

    #[command(flatten)]
    input: WholeInputArgs,

    /// Show only this job; may be repeated
    #[arg(long, value_name = "NAME", help_heading = "Output")]
    job: Vec<String>,

    /// Show only jobs of this monitor, Probe or PodLogs
    ///
    /// The flag may be repeated.
    #[arg(long, value_name = "KIND/NAME", value_parser = monitor, help_heading = "Output")]
    monitor: Vec<String>,

    /// List every dropped target
    #[arg(long, help_heading = "Output", conflicts_with_all = ["explain", "against"])]
    dropped: bool,

    /// Show all labels of each target
    #[arg(long, help_heading = "Output", conflicts_with_all = ["explain", "against"])]
    all_labels: bool,

    /// Show what each rule does to this target
    ///
    /// ADDRESS is the target's address before or after relabeling, with or without the port; its label `instance`; its URL;
    /// or the name of its pod (NAME or NAMESPACE/NAME).
    #[arg(long, value_name = "ADDRESS", help_heading = "Output", conflicts_with_all = ["output", "against"])]
    explain: Option<String>,

    /// Compare with earlier JSON output or a server's response
    ///
    /// Repeat the flag to pass the responses of all shards.
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath, help_heading = "Input", add = Bounded(AGAINST))]
    against: Vec<OsString>,

    /// Output format
    #[arg(short, long, value_name = "FORMAT", default_value = "text", help_heading = "Output")]
    output: TargetsFormat,

    #[command(flatten)]
    compile: CompileArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TargetsFormat {
    /// Table
    Text,
    /// Addresses of scraped targets, one per line, as `shards` reads them
    List,
    /// One object with all targets and all their labels
    Json,
}

/// Checks that an argument consists of a kind and a name, in the form that `why` accepts.
fn monitor(text: &str) -> Result<String, String> {
    match ResourceArgument::parse(text) {
        Some(_) => Ok(text.to_owned()),
        None => Err("expected KIND/NAME or KIND/NAMESPACE/NAME".to_owned()),
    }
}

/// Maximum number of targets for which JSON output lists dropped targets without `--dropped`. If many monitors share a
/// namespace, each of them also discovers the targets of all the others.
const MAX_TARGETS_WITH_DROPPED: usize = 10_000;

impl TargetsArgs {
    pub(super) fn run(&self, session: &Session) -> Outcome {
        self.check_format()?;
        let inputs = self.input.inputs_with(&self.agent.paths());
        let earlier = self.earlier_targets(&inputs, session)?;
        let compile = self.compile.without_values();
        compile.resolve(&inputs, session, |input| self.answer(&input, earlier, session))
    }

    /// Rejects flags that cannot be used with the output format.
    fn check_format(&self) -> Outcome<()> {
        let problem = match self.output {
            TargetsFormat::List | TargetsFormat::Json if self.all_labels => {
                "`--all-labels` applies only to `-o text`: JSON always contains all labels"
            }
            TargetsFormat::List if self.dropped => {
                "`--dropped` cannot be used with `-o list`, which lists only active targets"
            }
            TargetsFormat::List if !self.against.is_empty() => "`--against` cannot be used with `-o list`",
            TargetsFormat::Text | TargetsFormat::List | TargetsFormat::Json => return Ok(()),
        };
        Err(EnvironmentError::Other(problem.to_owned()).into())
    }

    /// Reads the files that `--against` lists.
    fn earlier_targets(&self, inputs: &[Input], session: &Session) -> Outcome<Earlier> {
        let sides = self.against.iter().map(|path| other_side(path.clone(), inputs));
        let sides = sides.collect::<Outcome<Vec<_>>>()?;
        let mut all = Earlier::default();
        if sides.is_empty() {
            return Ok(all);
        }
        let mut diagnostics = Vec::new();
        let sources = load(&sides, &self.compile.reading())?.report_to(&mut diagnostics);
        for (id, source) in sources.iter() {
            match read_earlier_targets(id, source) {
                Ok(earlier) => {
                    all.targets.extend(earlier.targets);
                    all.answers += earlier.answers;
                }
                Err(error) => diagnostics.push(*error),
            }
        }
        session.accept(&diagnostics, &sources)?;
        Ok(all)
    }

    fn answer(&self, input: &ResolvedInput<'_>, earlier: Earlier, session: &Session) -> Outcome {
        let mut findings = input.errors();
        let hierarchies = match self.agent.name() {
            None => input.hierarchies.iter().collect(),
            Some(_) => match self.agent.find(&input.catalog(), input, &mut findings) {
                Some((_, hierarchy)) => vec![hierarchy],
                None => return Ok(session.report(&findings, input.sources)),
            },
        };
        let objects = input.objects();
        let mut rejections = input.refusals();
        rejections.retain(|rejection| hierarchies.iter().any(|one| one.agent.object_ref() == rejection.agent));
        let view = ShownTargets {
            args: self,
            hierarchies,
            rejections,
            cluster: input.cluster(&objects),
            input,
            session,
            names: RefCell::default(),
            missing: RefCell::default(),
            unknown_jobs: RefCell::default(),
        };
        let is_table = self.output == TargetsFormat::Text && self.explain.is_none() && self.against.is_empty();
        let (table, mut nested) = match is_table {
            true => view.table(),
            false => (Text::default(), view.visit_jobs(&mut |_, _| {})),
        };
        nested.retain(|finding| finding.severity == Severity::Error);
        let is_too_large = nested.iter().any(|finding| finding.code == Code::TargetLimit);
        findings.extend(nested);
        let unknown = view.unknown_names(&earlier);
        let is_unknown = !unknown.is_empty();
        findings.extend(unknown);
        findings.extend(view.rejections.iter().map(|rejection| rejection.finding.clone()));
        let findings = distinct(findings);
        let status = session.report_briefly(&findings, input.sources);
        if is_too_large || is_unknown {
            return Ok(status);
        }
        view.note_rejected();
        view.note_missing();
        let outcome = match &self.explain {
            Some(address) => view.explain(address)?,
            None if !self.against.is_empty() => view.compare(earlier)?,
            None => view.show(&table)?,
        };
        Ok(status.or(outcome))
    }

    /// Returns the scope of the targets to build. Targets that selectors exclude are included only if they can be
    /// shown.
    fn scope(&self) -> TargetScope {
        match self.dropped || self.explain.is_some() {
            true => TargetScope::All,
            false => TargetScope::Selected,
        }
    }

    /// Whether all jobs are requested.
    fn wants_all_jobs(&self) -> bool {
        self.job.is_empty() && self.monitor.is_empty()
    }

    /// Whether a job is requested.
    fn is_wanted(&self, name: &str) -> bool {
        let has_name = self.job.is_empty() || self.job.iter().any(|job| job == name);
        has_name && (self.monitor.is_empty() || self.monitor.iter().any(|monitor| is_of_monitor(monitor, name)))
    }
}

/// Whether a job belongs to the monitor that `argument` refers to.
fn is_of_monitor(argument: &str, job: &str) -> bool {
    let mut parts = job.split('/');
    let (kind, namespace, resource) = (parts.next(), parts.next(), parts.next());
    ResourceArgument::parse(argument).is_some_and(|argument| {
        kind.is_some_and(|kind| kind.eq_ignore_ascii_case(argument.kind.as_str()))
            && argument.namespace.is_none_or(|wanted| namespace == Some(wanted))
            && argument.name.is_none_or(|wanted| resource == Some(wanted))
    })
}

/// Targets to show.
struct ShownTargets<'t, 'd> {
    args: &'t TargetsArgs,
    hierarchies: Vec<&'d Hierarchy<'d, 'd>>,
    /// Configurations that agents reject.
    rejections: Vec<Rejection<'d>>,
    cluster: Cluster<'t, 'd>,
    input: &'t ResolvedInput<'d>,
    session: &'t Session,
    /// Names of all jobs; empty unless the command line requests certain jobs.
    names: RefCell<BTreeSet<String>>,
    /// Kinds of objects that jobs need but the input lacks. `unknown_jobs` is the number of these jobs.
    missing: RefCell<BTreeSet<ObservedKind>>,
    unknown_jobs: RefCell<usize>,
}

impl<'d> ShownTargets<'_, 'd> {
    fn for_each_group(&self, visit: &mut dyn FnMut(&str, &JobGroup<'_, 'd>)) -> Vec<Diagnostic> {
        let hierarchies = self.hierarchies.iter().copied();
        let is_wanted = |_: JobKind, name: &str| {
            if !self.args.wants_all_jobs() {
                self.names.borrow_mut().insert(name.to_owned());
            }
            self.args.is_wanted(name)
        };
        for_each_running_group(&self.cluster, hierarchies, &self.rejections, &is_wanted, visit)
    }

    /// Visits the jobs, and returns findings about mistakes in nested YAML. If there are too many targets, returns a
    /// finding about their number before any target is built.
    fn visit_jobs(&self, visit: &mut dyn FnMut(&str, &JobGroup<'_, 'd>)) -> Vec<Diagnostic> {
        let (mut count, max_cost, scope) = (0_usize, self.cluster.max_cost(), self.args.scope());
        let mut findings = self.for_each_group(&mut |_, group| {
            count = count.saturating_add(self.cluster.effort(group, scope));
            let missing_kinds = group.first.missing_kinds(self.cluster.objects);
            if !missing_kinds.is_empty() {
                *self.unknown_jobs.borrow_mut() += 1;
                self.missing.borrow_mut().extend(missing_kinds);
            }
        });
        if count > max_cost {
            let message = format!("the jobs have {count} targets, more than the limit of {max_cost}");
            let help = "show fewer targets with `--monitor`, `--job` or the name of an agent";
            findings.push(Diagnostic::new(Code::TargetLimit, message).help(help));
            return findings;
        }
        self.for_each_group(visit)
    }

    /// Returns findings for names in `--job` and `--monitor` that match no job.
    fn unknown_names(&self, earlier: &Earlier) -> Vec<Diagnostic> {
        let mut names = self.names.borrow_mut();
        names.extend(earlier.targets.iter().map(|target| target.job.clone()));
        let jobs = self.args.job.iter().filter(|job| !names.contains(*job)).map(|job| {
            let message = format!("no job is named `{job}`");
            let help = "run `agentctl targets` without --job to see the names of all jobs";
            let suggestion = did_you_mean(job, names.iter().map(String::as_str));
            Diagnostic::new(Code::UnknownResource, message).help(suggestion.unwrap_or_else(|| help.to_owned()))
        });
        let has_job = |monitor: &str| names.iter().any(|job| is_of_monitor(monitor, job));
        let monitors = self.args.monitor.iter().filter(|monitor| !has_job(monitor));
        let monitors = monitors.map(|monitor| {
            let catalog = self.input.catalog();
            let result = ResourceArgument::parse(monitor).map(|argument| catalog.find(&argument));
            match result {
                Some(Err(unknown)) => *unknown,
                Some(Ok(_)) | None => {
                    let message = format!("no job is generated from `{monitor}`");
                    let help = format!("run `agentctl why {monitor}` to see why no agent has a job for it");
                    Diagnostic::new(Code::UnknownResource, message).help(help)
                }
            }
        });
        jobs.chain(monitors).collect()
    }

    /// Prints notes about agents that reject their configuration.
    fn note_rejected(&self) {
        for rejection in &self.rejections {
            let (agent, kind) = (rejection.agent, rejection.kind.as_str());
            self.session.note(&format!("{agent} rejects its {kind} configuration, so it has no {kind} targets"));
        }
    }

    /// Prints a note about objects that the input lacks.
    fn note_missing(&self) {
        let objects = self.cluster.objects;
        let export = "the output of `kubectl get -A pods,services,endpoints -o yaml`";
        let is_missing = !self.missing.borrow().is_empty();
        if is_missing && objects.is_empty() {
            self.session.note(&format!("the input has no Pods, Services or Endpoints: add {export}"));
        } else if is_missing {
            let kinds: Vec<_> = self.missing.borrow().iter().rev().copied().collect();
            let resources: Vec<_> = kinds.iter().map(|kind| kind.resource()).collect();
            let jobs = format_count(*self.unknown_jobs.borrow(), "job");
            self.session.note(&format!(
                "the input has no {}, so the targets of {jobs} are unknown: add the output of `kubectl get -A {} -o yaml`",
                join_kinds(&kinds),
                resources.join(",")
            ));
        } else if objects.has_potential() {
            self.session.note(&format!(
                "no pod in the input is running, so these are potential targets, with placeholders such as `<pod-ip>` for values that \
                 the cluster assigns; to see the real values, add {export}"
            ));
        }
    }

    /// Returns the table of targets, and the findings about their jobs.
    fn table(&self) -> (Text, Vec<Diagnostic>) {
        let detail = Detail { dropped: self.args.dropped, labels: self.args.all_labels };
        let mut report = Report::new(self.input.sources, self.cluster.objects, detail, self.session.output);
        let findings = self.visit_jobs(&mut |agent, group| {
            report.add(agent, group, &JobSurvey::new(group, &self.cluster, self.args.scope()));
        });
        (report.finish(), findings)
    }

    fn show(&self, table: &Text) -> Outcome {
        match self.args.output {
            TargetsFormat::Json => self.json(),
            TargetsFormat::List => {
                let (mut list, mut undivided) = (Text::default(), 0);
                self.for_each_group(&mut |_, group| {
                    self.cluster.targets(group, TargetScope::Selected, &mut |discovered| {
                        if let (TargetState::Active { address, .. }, false) =
                            (discovered.state, discovered.is_potential)
                        {
                            match group.is_divided() {
                                true => list.line(address),
                                false => undivided += usize::from(discovered.shard == 0),
                            }
                        }
                    });
                });
                if undivided > 0 {
                    let (targets, pronoun) =
                        (format_count(undivided, "target"), if undivided == 1 { "it" } else { "them" });
                    self.session.note(&format!("`-o list` omits {targets}, because every shard scrapes {pronoun}"));
                }
                self.session.show(&list)
            }
            TargetsFormat::Text => self.session.show(table),
        }
    }

    fn json(&self) -> Outcome {
        let mut count = 0_usize;
        if !self.args.dropped {
            self.for_each_group(&mut |_, group| {
                if count <= MAX_TARGETS_WITH_DROPPED {
                    count = count.saturating_add(self.cluster.effort(group, TargetScope::All));
                }
            });
        }
        let is_whole = count <= MAX_TARGETS_WITH_DROPPED;
        let scope = if is_whole { TargetScope::All } else { TargetScope::Selected };
        let mut is_left_out = false;
        self.session.json_lines(|out| {
            let mut result = out.write_all(b"{\"targets\": [");
            let mut separator = "\n";
            self.for_each_group(&mut |agent, group| {
                self.cluster.targets(group, scope, &mut |discovered| {
                    if !is_whole && !matches!(discovered.state, TargetState::Active { .. } | TargetState::Read { .. }) {
                        is_left_out = true;
                        return;
                    }
                    let record = TargetRecord::new(agent, group, &discovered, self.input.sources);
                    if let (Ok(()), Some(record)) = (&result, record) {
                        let written = out.write_all(separator.as_bytes());
                        result = written.and_then(|()| Ok(serde_json::to_writer(&mut *out, &record)?));
                        separator = ",\n";
                    }
                });
            });
            result?;
            out.write_all(b"\n]}\n")
        })?;
        if is_left_out {
            self.session.note(&format!(
                "more than {MAX_TARGETS_WITH_DROPPED} targets were found, so only active ones are listed; pass --dropped to list all of them"
            ));
        }
        Ok(ExitStatus::Success)
    }

    fn explain(&self, address: &str) -> Outcome {
        let mut explanation = TargetExplanation::new(address, self.input.sources, self.session.output);
        self.for_each_group(&mut |_, group| explanation.add(group, &self.cluster));
        match explanation.text() {
            Some(text) => self.session.show(text),
            None => {
                let mut text = format!(
                    "no target has the address `{address}`, before or after relabeling, and no pod has this name"
                );
                if let Some(suggestion) = explanation.suggestion() {
                    text.push_str(&format!(": {suggestion}"));
                }
                self.session.note(&text);
                Ok(ExitStatus::Findings)
            }
        }
    }

    fn compare(&self, mut earlier: Earlier) -> Outcome {
        let mut later = Vec::new();
        self.for_each_group(&mut |agent, group| {
            let job = &group.first;
            if job.kind != JobKind::Metrics && earlier.answers > 0 {
                return;
            }
            let mut add = |discovered: DiscoveredTarget<'_, 'd>| {
                let target = ComparedTarget::from_scraped(job, &discovered.state);
                later.extend(target.map(|target| PlacedTarget {
                    target,
                    agent: agent.to_owned(),
                    shard: discovered.shard,
                }));
            };
            self.cluster.targets(group, TargetScope::Selected, &mut add);
        });
        let missing_shards = match earlier.answers {
            0 => Vec::new(),
            _ => take_missing_shards(&earlier, &mut later),
        };
        let later: Vec<_> = later.into_iter().map(|placed| placed.target).collect();
        earlier.targets.retain(|target| self.args.is_wanted(&target.job));
        // A server's response does not show which jobs come from a Secret, so this is determined from the jobs in the
        // input.
        let hidden_targets = later.iter().filter(|target| target.is_in_secret);
        let hidden_targets: HashSet<_> = hidden_targets.map(|target| &target.job).collect();
        for target in &mut earlier.targets {
            target.is_in_secret |= hidden_targets.contains(&target.job);
        }
        let mut differences = Differences::compare(earlier.targets, later);
        differences.missing_shards = missing_shards;
        match self.args.output {
            TargetsFormat::Json => self.session.json(&differences),
            _ => self.session.show(&differences.text(self.session.output)),
        }?;
        Ok(ExitStatus::findings_if(!differences.is_empty()))
    }
}

//! `agentctl targets`: which targets with which labels the agents will have.

use std::collections::HashSet;
use std::ffi::OsString;
use std::io::Write;

use clap::{Args, ValueEnum};

use super::args::{AgentArgs, CompileArgs, WholeInputArgs, other_side};
use super::session::{ExitStatus, Outcome, Session, or_closed};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::environment::EnvironmentError;
use crate::input::{Input, load};
use crate::insight::catalogue::ResourceArgument;
use crate::insight::resolved::Resolved;
use crate::insight::targets::{
    Compared, Detail, Differences, Earlier, Explanation, Report, Survey, TargetRecord, each_group, read_earlier,
};
use crate::printable::Text;
use crate::resolve::Hierarchy;
use crate::scrape::{Cluster, Extent, Found, JobGroup, JobKind, State};

/// Show which targets with which labels the agents will have
///
/// Reads the objects of the cluster from the same inputs as the resources: Pods, Services, Endpoints, EndpointSlices, Nodes,
/// Ingresses and Namespaces, as `kubectl get -o yaml` prints them. Discovery and relabeling follow the agent's own Prometheus and
/// Promtail, for ServiceMonitors, PodMonitors, Probes, PodLogs and additionalScrapeConfigs.
///
/// With --against, compares the targets with the output of an earlier `-o json`, or with what a server answers on
/// /api/v1/targets (Prometheus) or /agent/api/v1/metrics/targets (agent).
///
/// If no pod in the input is running, the targets are potential: those that Services and workloads (Deployment, StatefulSet, DaemonSet,
/// Job, CronJob) will have.
///
/// Text masks tokens and passwords. JSON has all labels as they are, because --against needs them; the server's own page shows
/// them, too.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  kubectl get -A pods,services,endpoints -o yaml | agentctl targets manifests/ -f -
  agentctl targets manifests/ export.yaml --explain 10.42.0.16:8080
  agentctl targets manifests/ export.yaml --monitor smon/shop/checkout --dropped
  agentctl targets manifests/ export.yaml -o json > targets.json
  agentctl targets manifests/ export.yaml --against targets.json
  curl -s http://prometheus:9090/api/v1/targets | agentctl targets manifests/ export.yaml --against -

Exit status:
  0  success
  1  the input has errors
  1  --against: a target is lost or gained, or its labels changed
  1  --explain: no target has the address
  2  wrong usage, or a file that cannot be read")]
pub(super) struct TargetsArgs {
    #[command(flatten)]
    agent: AgentArgs,

    #[command(flatten)]
    input: WholeInputArgs,

    /// Only this job; may be repeated
    #[arg(long, value_name = "NAME", help_heading = "Output")]
    job: Vec<String>,

    /// Only jobs of this monitor, Probe or PodLogs
    ///
    /// The flag may be repeated.
    #[arg(long, value_name = "KIND/NAME", value_parser = monitor, help_heading = "Output")]
    monitor: Vec<String>,

    /// List each dropped target
    #[arg(long, help_heading = "Output", conflicts_with_all = ["explain", "against"])]
    dropped: bool,

    /// Show all labels of each target
    #[arg(long, help_heading = "Output", conflicts_with_all = ["explain", "against"])]
    all_labels: bool,

    /// Show what each rule does to this target
    ///
    /// ADDRESS is the address before or after relabeling, the label `instance`, or the URL.
    #[arg(long, value_name = "ADDRESS", help_heading = "Output", conflicts_with_all = ["output", "against"])]
    explain: Option<String>,

    /// Compare with an earlier JSON or a server's answer
    ///
    /// Repeat the flag to give the answers of all shards.
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath, help_heading = "Input")]
    against: Vec<OsString>,

    /// Format of the answer
    #[arg(short, long, value_name = "FORMAT", default_value = "text", help_heading = "Output")]
    output: TargetsFormat,

    #[command(flatten)]
    compile: CompileArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TargetsFormat {
    /// A table for people
    Text,
    /// The address of each scraped target, one per line, as `shards` reads them
    List,
    /// One object with all targets and all their labels
    Json,
}

/// A kind and a name, as `why` takes them.
fn monitor(text: &str) -> Result<String, String> {
    match ResourceArgument::parse(text) {
        Some(_) => Ok(text.to_owned()),
        None => Err("expected KIND/NAME or KIND/NAMESPACE/NAME".to_owned()),
    }
}

/// Number of targets that JSON lists of those that selectors leave out, unless --dropped asks for all: of many monitors in one
/// namespace, each sees the targets of all others.
const MOST_UNSELECTED: usize = 100_000;

impl TargetsArgs {
    pub(super) fn run(&self, session: &Session) -> Outcome {
        self.check_format()?;
        let inputs = self.input.inputs_with(&self.agent.paths());
        let earlier = self.earlier(&inputs, session)?;
        let compile = self.compile.without_values();
        compile.resolve(&inputs, session, |input| self.answer(&input, earlier, session))
    }

    /// Refuses flags that have no effect on this format.
    fn check_format(&self) -> Outcome<()> {
        let problem = match self.output {
            TargetsFormat::List | TargetsFormat::Json if self.all_labels => {
                "`--all-labels` applies to `-o text` only: JSON always has all labels"
            }
            TargetsFormat::List if self.dropped => {
                "`--dropped` cannot be used with `-o list`, which has active targets only"
            }
            TargetsFormat::List if !self.against.is_empty() => "`--against` cannot be used with `-o list`",
            TargetsFormat::Text | TargetsFormat::List | TargetsFormat::Json => return Ok(()),
        };
        Err(EnvironmentError::Other(problem.to_owned()).into())
    }

    /// The other sides of the comparison with the inputs.
    fn earlier(&self, inputs: &[Input], session: &Session) -> Outcome<Earlier> {
        let sides = self.against.iter().map(|path| other_side(path.clone(), inputs));
        let sides = sides.collect::<Outcome<Vec<_>>>()?;
        let mut all = Earlier::default();
        if sides.is_empty() {
            return Ok(all);
        }
        let mut diagnostics = Vec::new();
        let sources = load(&sides, &self.compile.reading())?.report_to(&mut diagnostics);
        for (id, source) in sources.iter() {
            match read_earlier(id, source) {
                Ok(earlier) => {
                    all.targets.extend(earlier.targets);
                    all.is_answer |= earlier.is_answer;
                }
                Err(error) => diagnostics.push(*error),
            }
        }
        session.accept(&diagnostics, &sources)?;
        Ok(all)
    }

    fn answer(&self, input: &Resolved<'_>, earlier: Earlier, session: &Session) -> Outcome {
        let mut found = input.errors();
        let hierarchies = match self.agent.name() {
            None => input.hierarchies.iter().collect(),
            Some(_) => match self.agent.find(&input.catalogue(), input, &mut found) {
                Some((_, hierarchy)) => vec![hierarchy],
                None => return Ok(session.report(&found, input.sources)),
            },
        };
        let objects = input.objects();
        let view = Targets {
            args: self,
            hierarchies,
            cluster: input.cluster(&objects),
            input,
            session,
        };
        let is_table = self.output == TargetsFormat::Text && self.explain.is_none() && self.against.is_empty();
        let (table, mut nested) = match is_table {
            true => view.table(),
            false => (Text::default(), view.measured(&mut |_, _| {})),
        };
        nested.retain(|found| found.severity == Severity::Error);
        let is_too_large = nested.iter().any(|found| found.code == Code::TargetLimit);
        found.extend(nested);
        let status = session.report(&found, input.sources);
        if is_too_large {
            return Ok(status);
        }
        view.note_missing();
        let shown = match &self.explain {
            Some(address) => view.explain(address)?,
            None if !self.against.is_empty() => view.compare(earlier)?,
            None => view.show(&table)?,
        };
        Ok(status.or(shown))
    }

    /// Which targets are made: also those that selectors leave out, where they may be asked for.
    fn extent(&self) -> Extent {
        match self.dropped || self.explain.is_some() {
            true => Extent::All,
            false => Extent::Selected,
        }
    }

    /// Whether a job is asked about.
    fn wants(&self, name: &str) -> bool {
        let is_of_monitor = |argument: &String| {
            let mut parts = name.split('/');
            let (kind, namespace, resource) = (parts.next(), parts.next(), parts.next());
            ResourceArgument::parse(argument).is_some_and(|argument| {
                kind.is_some_and(|kind| kind.eq_ignore_ascii_case(argument.kind.as_str()))
                    && argument.namespace.is_none_or(|wanted| namespace == Some(wanted))
                    && argument.name.is_none_or(|wanted| resource == Some(wanted))
            })
        };
        let has_name = self.job.is_empty() || self.job.iter().any(|job| job == name);
        has_name && (self.monitor.is_empty() || self.monitor.iter().any(is_of_monitor))
    }
}

/// What is shown.
struct Targets<'t, 'd> {
    args: &'t TargetsArgs,
    hierarchies: Vec<&'d Hierarchy<'d, 'd>>,
    cluster: Cluster<'t, 'd>,
    input: &'t Resolved<'d>,
    session: &'t Session,
}

impl<'d> Targets<'_, 'd> {
    fn each_group(&self, visit: &mut dyn FnMut(&str, &JobGroup<'_, 'd>)) -> Vec<Diagnostic> {
        let hierarchies = self.hierarchies.iter().copied();
        let wanted = |_: JobKind, name: &str| self.args.wants(name);
        each_group(&self.cluster, hierarchies, &wanted, visit)
    }

    /// Visits the jobs, and returns what is wrong with them: mistakes in nested YAML, or too many targets, which is known before any
    /// is made.
    fn measured(&self, visit: &mut dyn FnMut(&str, &JobGroup<'_, 'd>)) -> Vec<Diagnostic> {
        let (mut count, most, extent) = (0_usize, self.cluster.most(), self.args.extent());
        let mut found =
            self.each_group(&mut |_, group| count = count.saturating_add(self.cluster.effort(group, extent)));
        if count > most {
            let message = format!("the jobs have {count} targets, more than the limit of {most}");
            let help = "show fewer at a time: --monitor, --job, or the name of an agent";
            found.push(Diagnostic::new(Code::TargetLimit, message).help(help));
            return found;
        }
        self.each_group(visit)
    }

    /// Says what the input lacks.
    fn note_missing(&self) {
        let objects = self.cluster.objects;
        let export = "the output of `kubectl get -A pods,services,endpoints -o yaml`";
        if objects.is_empty() {
            self.session
                .note(&format!("the input has no Pods, Services or Endpoints: add {export}"));
        } else if objects.has_potential() {
            self.session.note(&format!(
                "no pod of the input runs, so targets are potential: `<pod-ip>` and the like stand for what only a cluster decides; add \
                 {export} for the real ones"
            ));
        }
    }

    /// The table, and what is wrong with the jobs in it.
    fn table(&self) -> (Text, Vec<Diagnostic>) {
        let detail = Detail {
            dropped: self.args.dropped,
            labels: self.args.all_labels,
        };
        let mut report = Report::new(self.input.sources, detail, self.session.output);
        let found = self.measured(&mut |agent, group| {
            report.add(agent, group, &Survey::of(group, &self.cluster, self.args.extent()));
        });
        (report.finish(), found)
    }

    fn show(&self, table: &Text) -> Outcome {
        match self.args.output {
            TargetsFormat::Json => self.json(),
            TargetsFormat::List => {
                let mut list = Text::default();
                self.each_group(&mut |_, group| {
                    self.cluster.targets(group, Extent::Selected, &mut |found| {
                        if let (State::Active { address, .. }, false) = (found.state, found.is_potential) {
                            list.line(address);
                        }
                    });
                });
                self.session.show(&list)
            }
            TargetsFormat::Text => self.session.show(table),
        }
    }

    fn json(&self) -> Outcome {
        let mut left = if self.args.dropped { usize::MAX } else { MOST_UNSELECTED };
        self.session.json_lines(|out| {
            let mut result = out.write_all(b"{\"targets\": [");
            let mut separator = "\n";
            self.each_group(&mut |agent, group| {
                let extent = if left > 0 { Extent::All } else { Extent::Selected };
                self.cluster.targets(group, extent, &mut |found| {
                    left = left.saturating_sub(usize::from(matches!(found.state, State::Dropped(_))));
                    let record = TargetRecord::new(agent, group, &found, self.input.sources);
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
        if left == 0 {
            self.session.note(&format!(
                "after {MOST_UNSELECTED} dropped targets, those that no selector selects are not listed; --dropped lists all"
            ));
        }
        Ok(ExitStatus::Success)
    }

    fn explain(&self, address: &str) -> Outcome {
        let mut explanation = Explanation::new(address, self.input.sources, self.session.output);
        self.each_group(&mut |_, group| explanation.add(group, &self.cluster));
        match explanation.finish() {
            Some(text) => self.session.show(&text),
            None => {
                let text = format!("no target has the address `{address}`, before or after relabeling");
                self.session.note(&text);
                Ok(ExitStatus::Findings)
            }
        }
    }

    fn compare(&self, mut earlier: Earlier) -> Outcome {
        let mut later = Vec::new();
        self.each_group(&mut |_, group| {
            let job = &group.first;
            if job.kind != JobKind::Metrics && earlier.is_answer {
                return;
            }
            let mut add = |found: Found<'_, 'd>| match &found.state {
                State::Active { labels, url, .. } => later.push(Compared::new(job, labels, Some(url))),
                State::Read { labels } => later.push(Compared::new(job, labels, None)),
                _ => {}
            };
            self.cluster.targets(group, Extent::Selected, &mut add);
        });
        earlier.targets.retain(|target| self.args.wants(&target.job));
        // An answer of a server does not say which jobs are in a Secret.
        let hidden = later.iter().filter(|target| target.is_in_secret);
        let hidden: HashSet<_> = hidden.map(|target| &target.job).collect();
        for target in &mut earlier.targets {
            target.is_in_secret |= hidden.contains(&target.job);
        }
        let differences = Differences::between(earlier.targets, later);
        or_closed(match self.args.output {
            TargetsFormat::Json => self.session.json(&differences),
            _ => self.session.show(&differences.text(self.session.output)),
        })?;
        Ok(ExitStatus::findings_if(!differences.is_empty()))
    }
}

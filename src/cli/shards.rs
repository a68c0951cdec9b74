//! `agentctl shards`: the distribution of targets among shards.

use std::ffi::OsString;
use std::io::Write;
use std::num::NonZeroU32;

use super::args::{AgentArgs, CompileArgs, WholeInputArgs};
use super::session::{Outcome, Session, Stop};
use crate::check::unsharded_probes;
use crate::diagnostic::{EnvironmentError, Severity};
use crate::emit::StreamedItems;
use crate::input::{Input, load};
use crate::insight::shards::{ScrapeTarget, ShardedAgent, Sharding, read_targets, sharded_targets, text};
use crate::manifest::render;
use crate::printable::Text;
use clap::builder::TypedValueParser;
use clap::{Args, ValueEnum, value_parser};

/// Maximum value of `--shards` and `--to`. Each shard costs memory and a line of output.
const MAX_SHARDS: i64 = 100_000;

/// Show each target's shard, and which targets resharding moves
///
/// A target's shard is computed as in Prometheus: the last 8 bytes of the MD5 sum of its address, modulo the
/// number of shards. TARGETS has one HOST:PORT per line, optionally followed by its number of series, or is the
/// JSON that Prometheus returns from /api/v1/targets. Use the addresses after your own relabeling. Targets of Probes are
/// not divided among shards: every shard probes all of them.
///
/// Without --targets, uses the targets that `agentctl targets` finds for the agent in the cluster objects of the input:
/// Pods, Services and Endpoints as `kubectl get -o yaml` prints them.
///
/// By default, the number of shards is that of the GrafanaAgent in the input. The sizes of its Secrets, which every shard
/// mounts, are also shown. With both --shards and --targets, no input is needed.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl shards --shards 3 --targets targets.txt
  agentctl shards --shards 3 --to 5 --targets targets.txt
  curl -s http://prometheus/api/v1/targets | agentctl shards --shards 3 --targets -
  agentctl shards monitoring/agent manifests/ --to 4 --targets targets.txt
  kubectl get -A pods,services,endpoints -o yaml | agentctl shards manifests/ -f - --to 4")]
pub(super) struct ShardsArgs {
    #[command(flatten)]
    agent: AgentArgs,

    #[command(flatten)]
    input: WholeInputArgs,

    /// Number of shards, instead of spec.metrics.shards
    #[arg(long, value_name = "NUMBER", value_parser = value_parser!(u32).range(1..=MAX_SHARDS).try_map(NonZeroU32::try_from))]
    shards: Option<NonZeroU32>,

    /// Compare with this number of shards
    ///
    /// Shows which targets move.
    #[arg(long, value_name = "NUMBER", value_parser = value_parser!(u32).range(1..=MAX_SHARDS).try_map(NonZeroU32::try_from))]
    to: Option<NonZeroU32>,

    /// File with the targets, or - for standard input
    ///
    /// By default, the targets that `agentctl targets` finds in the cluster objects of the input.
    #[arg(long, value_name = "TARGETS", value_hint = clap::ValueHint::FilePath)]
    targets: Option<OsString>,

    /// Number of series for targets listed without one
    #[arg(long, value_name = "NUMBER")]
    series: Option<u64>,

    /// Output format
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    output: ShardsFormat,

    #[command(flatten)]
    compile: CompileArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ShardsFormat {
    /// Plot of the balance, and the targets that move
    Text,
    /// One line per target: its shard and address, and its new shard with --to
    List,
    /// [{"target": "…", "shard": 0}] in input order; with --to, also "to"
    Json,
}

/// An agent, and its targets if the input contains cluster objects.
type AgentTargets = (ShardedAgent, Option<Vec<ScrapeTarget>>);

impl ShardsArgs {
    pub(super) fn run(&self, session: &Session) -> Outcome {
        // If both targets and a number of shards are given, no other input is needed.
        let needs_no_input = self.targets.is_some() && self.shards.is_some();
        let reads_input = self.input.is_given() || self.agent.is_given() || !needs_no_input;
        let (agent, sharded) = match reads_input {
            true => self.sharded_agent(session).map(|(agent, sharded)| (Some(agent), sharded))?,
            false => (None, None),
        };
        let mut about_agent = match (&agent, self.output) {
            (Some(agent), ShardsFormat::Text) => agent.text(session.output),
            _ => Text::default(),
        };
        let targets = match &self.targets {
            None => sharded,
            Some(list) => Some(self.read(list.clone(), session)?),
        };
        let Some(targets) = targets else {
            let requests_shards = self.shards.is_some() || self.to.is_some() || self.series.is_some();
            if requests_shards || self.output != ShardsFormat::Text {
                let problem = "no targets: pass `--targets`, or an input that contains Pods, Services and Endpoints";
                return Err(EnvironmentError::Other(problem.to_owned()).into());
            }
            return session.show(&about_agent);
        };
        let shards = self.shards.or(agent.map(|agent| agent.shards));
        if !about_agent.is_empty() {
            about_agent.blank_line();
        }
        let sharding = Sharding { targets: &targets, shards: shards.unwrap_or(NonZeroU32::MIN), to: self.to };
        self.answer(sharding, about_agent, session)
    }

    /// Finds and renders the requested agent, and discovers its targets if the input contains cluster objects.
    fn sharded_agent(&self, session: &Session) -> Outcome<AgentTargets> {
        let inputs = self.input.inputs_with(&self.agent.paths());
        self.compile.resolve(&inputs, session, |input| {
            let mut findings = input.errors();
            let objects = render::objects(input.hierarchies, &input.resources.nodes, &input.options.render);
            let rendered = objects.report_to(&mut findings);
            findings.retain(|diagnostic| diagnostic.severity == Severity::Error);
            let choice = self.agent.find(&input.catalog(), &input, &mut findings);
            let cluster = input.objects();
            let sharded = choice.map(|(_, hierarchy)| {
                findings.extend(unsharded_probes(hierarchy).map(|note| note.severity(Severity::Warning)));
                let wants_targets = self.targets.is_none() && !cluster.is_empty();
                let targets = wants_targets.then(|| sharded_targets(hierarchy, &input.cluster(&cluster)));
                (ShardedAgent::new(hierarchy, &rendered.objects), targets)
            });
            session.accept(&findings, input.sources)?;
            sharded.ok_or(Stop::Reported)
        })
    }

    fn answer(&self, sharding: Sharding<'_>, mut about_agent: Text, session: &Session) -> Outcome {
        match self.output {
            ShardsFormat::Text => {
                about_agent.append(&text(sharding, self.series, session.output));
                session.show(&about_agent)
            }
            ShardsFormat::List => {
                let mut list = Text::default();
                sharding.assignments().for_each(|assignment| list.line(assignment));
                session.show(&list)
            }
            ShardsFormat::Json => session.json_lines(|out| {
                serde_json::to_writer_pretty(&mut *out, &StreamedItems::new(sharding.assignments()))?;
                out.write_all(b"\n")
            }),
        }
    }

    fn read(&self, list: OsString, session: &Session) -> Outcome<Vec<ScrapeTarget>> {
        let mut diagnostics = Vec::new();
        let sources = load(&[Input::from(list)], &self.compile.reading())?.report_to(&mut diagnostics);
        let mut targets = Vec::new();
        for (id, source) in sources.iter() {
            targets.extend(read_targets(id, source, &self.compile.limits()).report_to(&mut diagnostics));
        }
        session.accept(&diagnostics, &sources)?;
        Ok(targets)
    }
}

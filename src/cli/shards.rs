//! `agentctl shards`: which shard scrapes what.

use std::ffi::OsString;
use std::num::NonZeroU32;

use clap::{Args, ValueEnum};
use serde_json::to_string_pretty;

use super::ExitStatus;
use super::session::{Channel, Session};
use crate::diagnostic::{Warned, has_errors};
use crate::environment::EnvironmentError;
use crate::insight::shards::{Sharding, Target, read_targets, svg, text};
use crate::source::{Input, load};

/// A picture of more shards is none, and memory has an end.
const MOST_SHARDS: i64 = 100_000;

/// Show which shard scrapes which target, and what another number of shards would move
///
/// The shard of a target is computed as Prometheus does: the last 8 bytes of the MD5 sum of its address, modulo the
/// number of shards. TARGETS has one HOST:PORT a line, with its number of series behind it where that is known, or is
/// the JSON that Prometheus answers on /api/v1/targets. Give the addresses as they are behind your own relabelings. Targets of
/// Probes are not divided among shards: every shard probes them all.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl shards --shards 3 --targets targets.txt
  agentctl shards --shards 3 --to 5 --targets targets.txt
  curl -s http://prometheus:9090/api/v1/targets | agentctl shards --shards 3 --targets -
  agentctl shards --shards 3 --to 4 --targets targets.txt -o svg > shards.svg")]
pub(super) struct ShardsArgs {
    /// How many shards there are
    #[arg(long, value_name = "NUMBER", value_parser = count)]
    shards: NonZeroU32,

    /// How many shards there would be: shows what moves
    #[arg(long, value_name = "NUMBER", value_parser = count)]
    to: Option<NonZeroU32>,

    /// The targets: a file, or - for standard input
    #[arg(long, value_name = "TARGETS", value_hint = clap::ValueHint::FilePath)]
    targets: OsString,

    /// How many series a target has whose number the list does not give
    #[arg(long, value_name = "NUMBER")]
    series: Option<u64>,

    /// How the answer is written
    #[arg(short, long, value_name = "FORMAT", default_value_t, value_enum)]
    output: ShardsFormat,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum ShardsFormat {
    /// The balance as a plot, and what moves
    #[default]
    Text,
    /// A line a target: its shard and its address, and its new shard where --to is given
    List,
    /// [{"target": "…", "shard": 0}] in the order of the input; with --to also "to"
    Json,
    /// The balance as a picture
    Svg,
}

fn count(text: &str) -> Result<NonZeroU32, String> {
    let number = text
        .parse::<i64>()
        .ok()
        .filter(|number| (1..=MOST_SHARDS).contains(number));
    let number = number.and_then(|number| u32::try_from(number).ok());
    number
        .and_then(NonZeroU32::new)
        .ok_or_else(|| format!("expected a number from 1 to {MOST_SHARDS}"))
}

impl ShardsArgs {
    pub(super) fn run(&self, session: &Session) -> Result<ExitStatus, EnvironmentError> {
        let Some(targets) = self.read_targets(session)? else {
            return Ok(ExitStatus::Findings);
        };
        let sharding = Sharding {
            targets: &targets,
            shards: self.shards,
            to: self.to,
        };
        session.print(&self.answer(sharding)?)?;
        Ok(ExitStatus::Success)
    }

    fn answer(&self, sharding: Sharding<'_>) -> Result<String, EnvironmentError> {
        Ok(match self.output {
            ShardsFormat::Text => text(sharding, self.series),
            ShardsFormat::Svg => svg(sharding, self.series),
            ShardsFormat::List => sharding
                .assignments()
                .map(|assignment| format!("{assignment}\n"))
                .collect(),
            ShardsFormat::Json => {
                let all: Vec<_> = sharding.assignments().collect();
                let json = to_string_pretty(&all);
                json.map_err(|error| EnvironmentError::Output(error.into()))? + "\n"
            }
        })
    }

    /// The targets; `None` where the list has errors.
    fn read_targets(&self, session: &Session) -> Result<Option<Vec<Target>>, EnvironmentError> {
        let Warned {
            output: sources,
            mut diagnostics,
        } = load(&[Input::from(self.targets.clone())])?;
        let mut targets = Vec::new();
        for (id, source) in sources.iter() {
            let read = read_targets(id, source);
            targets.extend(read.output);
            diagnostics.extend(read.diagnostics);
        }
        session.report(&diagnostics, &sources, Channel::StandardError)?;
        Ok((!has_errors(&diagnostics)).then_some(targets))
    }
}

//! Compares a complete run with the work that every run must do: `cargo bench --bench limit`, optionally with the
//! number of ServiceMonitors (5,000 by default).
//!
//! The unavoidable work consists of reading the files, running the library's parser without building anything, and
//! compressing the configuration once, all on a single thread. The complete run is measured with one worker and with
//! two; in both cases, a separate thread compresses. Runs for Grafana Alloy are measured in the same way.
//!
//! A machine's speed varies over time. Each round therefore takes every measurement in turn, twice each, and uses only
//! the second result. The output shows the median of each ratio over all rounds.

#![allow(clippy::print_stdout, reason = "it prints what it measures")]

use std::fs;
use std::hint::black_box;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use agentctl::admit;
use agentctl::compile::{self, compile};
use agentctl::emit::{StreamFormat, write_stream};
use agentctl::output::{AlloyDiscovery, Target, agent, alloy};
use agentctl::plan::{ConfigKind, Plan};
use agentctl::resolve;
use agentctl::source::Sources;
use flate2::Compression;
use flate2::write::GzEncoder;
use granit_parser::Parser;
use hierarchy::disk::Directory;

const ROUNDS: usize = 21;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let monitors = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(5_000);
    let sources = hierarchy::sources(monitors);
    let directory = Directory::new(&sources)?;
    let text = configuration(&sources);
    let workers = |number| rayon::ThreadPoolBuilder::new().num_threads(number).build();
    let (one_worker, two_workers) = (workers(1)?, workers(2)?);

    let bytes = hierarchy::size(&sources);
    println!("{monitors} ServiceMonitors, {bytes} bytes; a configuration of {} bytes", text.len());
    let options = compile::CompileOptions::default();
    let round = || {
        Ok(Round {
            read: measure(|| read(&directory))?,
            parse: measure(|| Ok(events(&sources)))?,
            compress: measure(|| compress(&text))?,
            whole: measure(|| two_workers.install(|| render(&directory, &options)))?,
            narrow: measure(|| one_worker.install(|| render(&directory, &options)))?,
            alloy: measure(|| one_worker.install(|| render(&directory, &alloy_options())))?,
        })
    };
    let rounds: Vec<_> = (0..ROUNDS).map(|_| round()).collect::<io::Result<_>>()?;
    show_time("read the files", &rounds, |round| round.read);
    show_time("run the parser over them", &rounds, |round| round.parse);
    show_time("compress the configuration", &rounds, |round| round.compress);
    show_time("the limit", &rounds, Round::limit);
    show_time("the whole", &rounds, |round| round.whole);
    show_time("the whole, with one worker", &rounds, |round| round.narrow);
    show_time("the same for Alloy", &rounds, |round| round.alloy);
    show_ratio("the whole by the limit", &rounds, |round| (round.whole, round.limit()));
    show_ratio("with one worker", &rounds, |round| (round.narrow, round.limit()));
    show_ratio("Alloy by the whole", &rounds, |round| (round.alloy, round.narrow));
    Ok(())
}

/// Durations of the measurements in one round, in execution order.
struct Round {
    read: Duration,
    parse: Duration,
    compress: Duration,
    whole: Duration,
    narrow: Duration,
    alloy: Duration,
}

impl Round {
    fn limit(&self) -> Duration {
        self.read + self.parse + self.compress
    }
}

/// Runs `run` twice and returns the duration of the second run. During the first, memory and caches are not yet warm.
fn measure<T>(run: impl Fn() -> io::Result<T>) -> io::Result<Duration> {
    black_box(run()?);
    let start = Instant::now();
    black_box(run()?);
    Ok(start.elapsed())
}

/// Prints the median duration over all rounds.
fn show_time(what: &str, rounds: &[Round], time: impl Fn(&Round) -> Duration) {
    let milliseconds = median(rounds, |round| time(round).as_secs_f64() * 1e3);
    println!("{what:28} {milliseconds:9.1} ms");
}

/// Prints the median ratio of two durations over all rounds.
fn show_ratio(what: &str, rounds: &[Round], times: impl Fn(&Round) -> (Duration, Duration)) {
    let ratio = median(rounds, |round| {
        let (time, reference) = times(round);
        time.as_secs_f64() / reference.as_secs_f64()
    });
    println!("{what:28} {ratio:9.2}");
}

/// Returns the median of a measurement over all rounds.
fn median(rounds: &[Round], measure: impl Fn(&Round) -> f64) -> f64 {
    let mut values: Vec<_> = rounds.iter().map(measure).collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

fn read(directory: &Directory) -> io::Result<usize> {
    let files = fs::read_dir(directory.path())?;
    files.map(|file| Ok(fs::read(file?.path())?.len())).sum()
}

fn events(sources: &Sources) -> usize {
    let texts = sources.iter();
    texts.map(|(_, source)| Parser::new_from_str(&source.text).filter(Result::is_ok).count()).sum()
}

fn compress(text: &str) -> io::Result<Vec<u8>> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(text.as_bytes())?;
    gzip.finish()
}

fn alloy_options() -> compile::CompileOptions {
    let mut options = compile::CompileOptions::default();
    options.render.manifest.target = Target::Alloy(alloy::AlloySettings {
        image: String::new(),
        has_files_of_credentials: true,
        is_public: false,
        discovery: AlloyDiscovery::Static,
    });
    options
}

fn render(directory: &Directory, options: &compile::CompileOptions) -> io::Result<Vec<u8>> {
    let bundle = compile(&directory.load(), options).output;
    let mut output = Vec::new();
    write_stream(bundle.objects.iter(), StreamFormat::Yaml, &mut output)?;
    Ok(output)
}

/// Returns the agent configuration that is generated from `sources`.
fn configuration(sources: &Sources) -> String {
    let (documents, _) = compile::read(sources, &compile::CompileOptions::default());
    let resources = admit::decode(&documents, "default").output;
    let hierarchies = resolve::resolve(&resources, &resolve::ResolveOptions::default()).output;
    let mut texts = hierarchies.iter().map(|hierarchy| {
        agent::text(&Plan::new(hierarchy, &[ConfigKind::Metrics], &mut Vec::new()), ConfigKind::Metrics)
    });
    texts.next().unwrap_or_default()
}

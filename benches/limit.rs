//! How close the whole comes to what cannot be left out: `cargo bench --bench limit`, with a number for as many
//! ServiceMonitors (5,000 where none is given).
//!
//! The limit is to read the files, to run the library's parser over them without building anything, and to compress the
//! configuration once, in one thread. The whole runs with two workers, and with one; a configuration is compressed by a
//! thread of its own in both. The medians of several runs are compared. Beside it, the same for Grafana Alloy.

#![allow(clippy::print_stdout, reason = "it prints what it measures")]

use std::fs;
use std::hint::black_box;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use agentctl::admit;
use agentctl::compile::{self, compile};
use agentctl::emit::{Format, write_stream};
use agentctl::plan::{Part, Plan};
use agentctl::resolve;
use agentctl::source::Sources;
use agentctl::target::{Target, agent};
use flate2::Compression;
use flate2::write::GzEncoder;
use granit_parser::Parser;
use hierarchy::disk::Directory;

const RUNS: usize = 21;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let monitors = std::env::args()
        .find_map(|argument| argument.parse().ok())
        .unwrap_or(5_000);
    let sources = hierarchy::sources(monitors);
    let directory = Directory::new(&sources)?;
    let text = configuration(&sources);
    let workers = |number| rayon::ThreadPoolBuilder::new().num_threads(number).build();
    let (one, two) = (workers(1)?, workers(2)?);

    let bytes = hierarchy::size(&sources);
    println!(
        "{monitors} ServiceMonitors, {bytes} bytes; a configuration of {} bytes",
        text.len()
    );
    let read = median("read the files", || read(&directory))?;
    let parse = median("run the parser over them", || Ok(events(&sources)))?;
    let gzip = median("compress the configuration", || compress(&text))?;
    let limit = read + parse + gzip;
    println!("{:28} {:9.1} ms", "the limit", milliseconds(limit));
    let options = compile::Options::default();
    let whole = median("the whole", || two.install(|| render(&directory, &options)))?;
    let narrow = median("the whole, with one worker", || {
        one.install(|| render(&directory, &options))
    })?;
    let alloy = median("the same for Alloy", || {
        one.install(|| render(&directory, &for_alloy()))
    })?;
    for (what, time, by) in [
        ("the whole by the limit", whole, limit),
        ("with one worker", narrow, limit),
        ("Alloy by the whole", alloy, narrow),
    ] {
        println!("{what:28} {:9.2}", time.as_secs_f64() / by.as_secs_f64());
    }
    Ok(())
}

/// The median time of several runs.
fn median<T>(what: &str, run: impl Fn() -> io::Result<T>) -> io::Result<Duration> {
    let mut times = Vec::with_capacity(RUNS);
    for _ in 0..RUNS {
        let start = Instant::now();
        black_box(run()?);
        times.push(start.elapsed());
    }
    times.sort_unstable();
    let median = times.get(RUNS / 2).copied().unwrap_or_default();
    println!("{what:28} {:9.1} ms", milliseconds(median));
    Ok(median)
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn read(directory: &Directory) -> io::Result<usize> {
    let files = fs::read_dir(directory.path())?;
    files.map(|file| Ok(fs::read(file?.path())?.len())).sum()
}

fn events(sources: &Sources) -> usize {
    let texts = sources.iter();
    texts
        .map(|(_, source)| Parser::new_from_str(&source.text).filter(Result::is_ok).count())
        .sum()
}

fn compress(text: &str) -> io::Result<Vec<u8>> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(text.as_bytes())?;
    gzip.finish()
}

fn for_alloy() -> compile::Options {
    let mut options = compile::Options::default();
    options.render.manifest.target = Target::Alloy {
        image: String::new(),
        has_files_of_credentials: true,
    };
    options
}

fn render(directory: &Directory, options: &compile::Options) -> io::Result<Vec<u8>> {
    let bundle = compile(&directory.load(), options).output;
    let mut out = Vec::new();
    write_stream(bundle.objects.iter(), Format::Yaml, &mut out)?;
    Ok(out)
}

/// The configuration that the hierarchy becomes.
fn configuration(sources: &Sources) -> String {
    let documents = compile::read(sources, &compile::Options::default()).output;
    let resources = admit::decode(&documents, "default").output;
    let hierarchies = resolve::resolve(&resources, &resolve::Options::default()).output;
    let mut texts = hierarchies
        .iter()
        .map(|hierarchy| agent::text(&Plan::new(hierarchy, &[Part::Metrics], &mut Vec::new()), Part::Metrics));
    texts.next().unwrap_or_default()
}

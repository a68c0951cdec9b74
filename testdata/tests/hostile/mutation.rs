//! Compiles every input in testdata with random changes. No change may cause a panic or an endless loop, or make the
//! findings contain a secret.
//!
//! Half of the inputs still render. The result for an input must be the same with one thread and with two. Every run
//! makes the same changes. `AGENTCTL_MUTATIONS=100000 cargo test --release --test all mutation` makes more;
//! `AGENTCTL_MUTATION=17` makes only that change and prints the changed input.

use crate::testing::TestInput;
use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::support;
use crate::support::mutate::{Random, mutate};
use agentctl::compile::{CompileOptions, compile};
use agentctl::diagnostic::has_errors;
use agentctl::emit::{StreamFormat, write_stream};
use agentctl::printable::Screen;
use agentctl::report::{MessageFormat, render};
use agentctl::source::Sources;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use walkdir::WalkDir;

/// Number of inputs in an ordinary run.
const DEFAULT_INPUTS: usize = 200;
/// Number of inputs in a sample.
const SAMPLE_INPUTS: usize = 40;
/// Time after which an input's number is printed, so that an endless loop can be reproduced. The result of the test
/// does not depend on it.
const SLOW_AFTER: Duration = Duration::from_secs(60);
/// Maximum size of a file to change. Larger files are covered by the fuzz targets.
const MAX_BYTES: u64 = 24 * 1024;
/// Values that replace every Secret value, as plain text and in base64.
const SECRETS: [&str; 2] = ["hunter2-hunter2", "aHVudGVyMi1odW50ZXIy"];
const FORMATS: [MessageFormat; 6] = [
    MessageFormat::Human,
    MessageFormat::Short,
    MessageFormat::Json,
    MessageFormat::Github,
    MessageFormat::Sarif,
    MessageFormat::Junit,
];

#[test]
fn mutated_inputs_cause_no_panics_hangs_or_leaks() {
    let number = |name| env::var(name).ok().and_then(|value| value.parse::<usize>().ok());
    let seeds = Seeds::new();
    assert!(seeds.all.len() > 1000, "found only {} texts", seeds.all.len());
    assert!(seeds.renderable.len() > 100, "only {} texts render", seeds.renderable.len());
    if let Some(only_number) = number("AGENTCTL_MUTATION") {
        println!("{}", input_text(&seeds, only_number));
        check_input(&input_text(&seeds, only_number)).unwrap();
        return;
    }
    let attempts = Attempts {
        count: number("AGENTCTL_MUTATIONS").unwrap_or_else(|| support::many_or_few(DEFAULT_INPUTS, SAMPLE_INPUTS)),
        seeds,
        next_number: AtomicUsize::new(0),
        rendered_count: AtomicUsize::new(0),
        failures: Mutex::new(Vec::new()),
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let running: Vec<_> = (0..workers).map(|_| Mutex::new(None)).collect();
    thread::scope(|scope| {
        let handles: Vec<_> = running.iter().map(|slot| scope.spawn(|| attempts.work(slot))).collect();
        let mut printed_numbers = BTreeSet::new();
        while !handles.iter().all(|handle| handle.is_finished()) {
            watch(&running, &mut printed_numbers);
            thread::sleep(Duration::from_millis(50));
        }
    });
    let rendered = attempts.rendered_count.into_inner();
    println!("{rendered} of {} changed inputs render", attempts.count);
    assert!(rendered * 5 >= attempts.count * 2, "{rendered} of {} render", attempts.count);
    let failures = attempts.failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{} of {} failed:\n{}", failures.len(), attempts.count, failures.join("\n"));
}

/// Number of the input that a worker is compiling, and the time at which compilation started.
type Slot = Mutex<Option<(usize, Instant)>>;

struct Attempts {
    count: usize,
    seeds: Seeds,
    next_number: AtomicUsize,
    rendered_count: AtomicUsize,
    failures: Mutex<Vec<String>>,
}

impl Attempts {
    fn work(&self, slot: &Slot) {
        loop {
            let number = self.next_number.fetch_add(1, Ordering::Relaxed);
            if number >= self.count {
                break;
            }
            *slot.lock().unwrap() = Some((number, Instant::now()));
            let text = input_text(&self.seeds, number);
            let result = catch_unwind(AssertUnwindSafe(|| check_input(&text)));
            let failure = match result {
                Ok(Ok(renders)) => {
                    self.rendered_count.fetch_add(usize::from(renders), Ordering::Relaxed);
                    continue;
                }
                Ok(Err(failure)) => failure,
                Err(_) => "a panic".to_owned(),
            };
            self.failures.lock().unwrap().push(format!("AGENTCTL_MUTATION={number}: {failure}"));
        }
        *slot.lock().unwrap() = None;
    }
}

/// Prints the numbers of inputs that workers have been compiling for a long time.
fn watch(running: &[Slot], printed: &mut BTreeSet<usize>) {
    for slot in running {
        if let Some((number, since)) = *slot.lock().unwrap()
            && since.elapsed() > SLOW_AFTER
            && printed.insert(number)
        {
            let _ = writeln!(std::io::stderr(), "AGENTCTL_MUTATION={number}: takes longer than {SLOW_AFTER:?}");
        }
    }
}

/// Maximum number of attempts to change an input so that the result still renders.
const MAX_ATTEMPTS: usize = 24;

/// Returns the input with this number, which is also the seed for its changes.
fn input_text(seeds: &Seeds, number: usize) -> String {
    let mut random = Random::new(number as u64);
    let must_render = number.is_multiple_of(2);
    let seed_texts = if must_render { &seeds.renderable } else { &seeds.all };
    let mut mutate_seed = || {
        let (seed, other) = (random.below(seed_texts.len()), random.below(seed_texts.len()));
        let bytes = mutate(&seed_texts[seed], &seed_texts[other], &mut random);
        String::from_utf8_lossy(&bytes).into_owned()
    };
    let mut text = mutate_seed();
    for _ in 0..MAX_ATTEMPTS {
        // An input whose compilation causes a panic is kept, so that the test reports the panic.
        if !must_render || catch_unwind(|| is_rendered(&text)).unwrap_or(true) {
            break;
        }
        text = mutate_seed();
    }
    text
}

static ONE_THREAD: LazyLock<ThreadPool> = LazyLock::new(|| ThreadPoolBuilder::new().num_threads(1).build().unwrap());
static TWO_THREADS: LazyLock<ThreadPool> = LazyLock::new(|| ThreadPoolBuilder::new().num_threads(2).build().unwrap());

/// Returns the findings for an input in every format, its manifests, and whether it renders.
fn compile_input(text: &str, pool: &ThreadPool) -> (Vec<String>, Vec<u8>, bool) {
    pool.install(|| {
        let sources = sources(text);
        let compiled = compile(&sources, &options());
        let reports = FORMATS.map(|format| render(format, &compiled.diagnostics, &sources, Screen::default()));
        let mut manifests = Vec::new();
        let renders = !has_errors(&compiled.diagnostics) && compiled.output.objects.iter().count() > 0;
        if renders {
            for format in [StreamFormat::Yaml, StreamFormat::Json] {
                write_stream(compiled.output.objects.iter(), format, &mut manifests).unwrap();
            }
        }
        (reports.into(), manifests, renders)
    })
}

/// Whether an input renders. The reports are not checked.
fn is_rendered(text: &str) -> bool {
    ONE_THREAD.install(|| {
        let compiled = compile(&sources(text), &options());
        !has_errors(&compiled.diagnostics) && compiled.output.objects.iter().next().is_some()
    })
}

fn sources(text: &str) -> Sources {
    TestInput::new(text).sources
}

fn options() -> CompileOptions {
    let mut options = CompileOptions::default();
    options.render.max_shards = 16;
    options
}

/// Compiles an input and checks all results. Returns whether the input renders.
fn check_input(text: &str) -> Result<bool, String> {
    let result = compile_input(text, &ONE_THREAD);
    if result != compile_input(text, &TWO_THREADS) {
        return Err("two threads give something else than one".to_owned());
    }
    let (reports, _, renders) = result;
    let keeps_secrets = has_secrets_only_in_secrets(text);
    for (format, report) in FORMATS.into_iter().zip(reports) {
        if keeps_secrets && SECRETS.iter().any(|secret| report.contains(secret)) {
            return Err(format!("a secret in {format:?}"));
        }
    }
    Ok(renders)
}

/// Whether every secret occurs only inside a Secret document.
fn has_secrets_only_in_secrets(text: &str) -> bool {
    let mut documents = text.split("\n---");
    documents.all(|document| {
        let is_secret = document.lines().any(|line| line.trim_end() == "kind: Secret");
        is_secret || !SECRETS.iter().any(|secret| document.contains(secret))
    })
}

/// Inputs that the test changes.
struct Seeds {
    /// Contents of each file in testdata, and of each input directory as one string. The order depends only on the file
    /// names.
    all: Vec<String>,
    /// Contents of each input directory that renders.
    renderable: Vec<String>,
}

impl Seeds {
    fn new() -> Self {
        let (mut all, streams) = texts();
        let right = streams.par_iter().filter(|text| is_rendered(text)).cloned().collect();
        // Each directory is compiled as a whole. Because there are few directories, they are repeated until they make
        // up about half of the inputs.
        while all.len() < 6000 {
            all.extend(streams.iter().cloned());
        }
        Self { all, renderable: right }
    }
}

/// Returns the contents of each file, and of each input directory as one string.
fn texts() -> (Vec<String>, Vec<String>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
    let mut seeds = Vec::new();
    let mut streams = std::collections::BTreeMap::<_, String>::new();
    for entry in WalkDir::new(root).sort_by_file_name() {
        let entry = entry.unwrap();
        let extension = entry.path().extension().and_then(|extension| extension.to_str());
        if !matches!(extension, Some("yaml" | "yml" | "json")) || entry.metadata().unwrap().len() > MAX_BYTES {
            continue;
        }
        let text = String::from_utf8_lossy(&fs::read(entry.path()).unwrap()).replace("\r\n", "\n");
        let text = replace_secret_values(&text);
        if let Some(input) = entry.path().ancestors().find(|folder| folder.ends_with("input")) {
            let stream = streams.entry(input.to_owned()).or_default();
            stream.push_str("---\n");
            stream.push_str(text.trim_end());
            stream.push('\n');
        }
        seeds.push(text);
    }
    (seeds, streams.into_values().collect())
}

/// Replaces the values of Secrets with those in `SECRETS`.
fn replace_secret_values(text: &str) -> String {
    let mut output = String::new();
    let (mut in_secret, mut in_data) = (false, None);
    for line in text.split_inclusive('\n') {
        if line.starts_with("---") {
            in_secret = false;
        }
        in_secret |= line.trim_end() == "kind: Secret";
        if !line.starts_with(' ') {
            in_data = match line.trim_end() {
                "data:" => Some(SECRETS[1]),
                "stringData:" => Some(SECRETS[0]),
                _ => None,
            };
        }
        match (in_data, line.split_once(": ")) {
            (Some(mark), Some((key, value))) if in_secret && !value.starts_with(['|', '>']) => {
                output.push_str(&format!("{key}: {mark}\n"));
            }
            _ => output.push_str(line),
        }
    }
    output
}

//! Benchmark of hierarchies that are large in one dimension: `cargo bench --bench wide`.
//!
//! It also measures a 200 MB file and 50,000 small files. Unless `AGENTCTL_BENCH_LARGE` is set, each input is a tenth
//! of its full size.

use std::hint::black_box;
use std::time::Duration;

use agentctl::compile::{self, compile};
use agentctl::emit::{StreamFormat, write_stream};
use agentctl::source::Sources;
use agentctl::yaml::{self, Limits};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use hierarchy::disk::Directory;
use hierarchy::wide;

fn is_large() -> bool {
    std::env::var_os("AGENTCTL_BENCH_LARGE").is_some()
}

/// Returns a tenth of `number`, or `number` itself for large benchmarks.
fn scale(number: usize) -> usize {
    if is_large() { number } else { number / 10 }
}

/// Function that returns an input with the given number of items.
type Shape = fn(usize) -> Sources;

/// Shapes of inputs: the name, the function that creates the input, and the full number of items.
const SHAPES: &[(&str, Shape, usize)] = &[
    ("one instance with everything", wide::one_instance, 10_000),
    ("500 agents that share monitors", |agents| wide::shared_monitors(agents, 100), 500),
    ("1,000 agents with monitors of their own", wide::agents, 1_000),
    ("20,000 secrets", |secrets| wide::secrets(secrets, secrets / 20), 20_000),
    ("a secret with 100,000 keys", wide::keys, 100_000),
    ("a monitor with 5,000 endpoints", wide::endpoints, 5_000),
    ("20,000 namespaces with selectors", wide::namespaces, 20_000),
    ("5,000 APIServices", wide::api_services, 5_000),
];

fn wide(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("wide");
    group.sample_size(10);
    for (name, shape, size) in SHAPES {
        let sources = shape(scale(*size));
        group.throughput(Throughput::Bytes(hierarchy::size(&sources)));
        group.bench_function(*name, |bencher| bencher.iter(|| render(&sources)));
    }
}

fn large_inputs(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("input");
    group.sample_size(10);
    /// Number of monitors in a 200 MB file.
    const OF_200_MB: usize = 245_000;
    let one_file = hierarchy::sources_of_files(scale(OF_200_MB), OF_200_MB);
    let limits = Limits::default();
    group.throughput(Throughput::Bytes(hierarchy::size(&one_file)));
    group.bench_function("one file of 200 MB, parsed", |bencher| {
        bencher.iter(|| {
            for (id, source) in one_file.iter() {
                black_box(yaml::read(id, &source.text, &limits));
            }
        });
    });
    drop(one_file);
    let Ok(directory) = Directory::new(&hierarchy::sources_of_files(scale(50_000), 1)) else {
        return;
    };
    group.throughput(Throughput::Elements(scale(50_000) as u64));
    group.bench_function("50,000 small files, read", |bencher| bencher.iter(|| black_box(directory.load())));
    group.bench_function("50,000 small files, rendered", |bencher| {
        bencher.iter(|| render(&directory.load()));
    });
}

fn render(sources: &Sources) -> Vec<u8> {
    let bundle = compile(sources, &compile::CompileOptions::default()).output;
    let mut output = Vec::new();
    // Writing to memory cannot fail.
    let _ = write_stream(bundle.objects.iter(), StreamFormat::Yaml, &mut output);
    output
}

criterion_group! {
    name = inputs;
    config = Criterion::default()
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(5));
    targets = wide, large_inputs
}
criterion_main!(inputs);

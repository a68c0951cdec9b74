//! How fast each stage is, on a made-up hierarchy: `cargo bench`, or `cargo bench -- write` for one stage.

mod hierarchy;

use std::hint::black_box;
use std::time::Duration;

use agentctl::admit::{self, AdmittedDocument, UnknownFields};
use agentctl::api::Kind;
use agentctl::compile::{self, compile};
use agentctl::diagnostic::Diagnostic;
use agentctl::emit::{Format, write_stream};
use agentctl::source::Sources;
use agentctl::yaml::{self, Document, Edits, Limits, Style};
use agentctl::{lower, resolve};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const MONITORS: usize = 1000;

fn read(criterion: &mut Criterion) {
    let sources = hierarchy::sources(MONITORS);
    let limits = Limits::default();
    let mut group = criterion.benchmark_group("read");
    group.throughput(Throughput::Bytes(hierarchy::size(&sources)));
    group.bench_function("documents", |bencher| {
        bencher.iter(|| {
            for (id, source) in sources.iter() {
                black_box(yaml::read(id, &source.text, &limits));
            }
        });
    });
}

fn admit(criterion: &mut Criterion) {
    let sources = hierarchy::sources(MONITORS);
    let limits = Limits::default();
    let documents: Vec<_> = sources
        .iter()
        .flat_map(|(id, source)| yaml::read(id, &source.text, &limits).output)
        .collect();
    let mut group = criterion.benchmark_group("admit");
    group.throughput(Throughput::Elements(documents.len() as u64));
    group.bench_function("resources", |bencher| {
        bencher.iter(|| {
            for document in &documents {
                black_box(admit_one(document));
            }
        });
    });
}

fn admit_one(document: &Document<'_>) -> Option<(Edits, Vec<Diagnostic>)> {
    let resource = document.root();
    let text = |key| resource.get(key).and_then(|node| node.as_str());
    let kind = Kind::of(text("apiVersion")?, text("kind")?)?;
    let (mut edits, mut diagnostics) = (Edits::default(), Vec::new());
    admit::admit(kind, resource, UnknownFields::Warn, &mut edits, &mut diagnostics);
    Some((edits, diagnostics))
}

fn write(criterion: &mut Criterion) {
    let config = hierarchy::config::agent_config(MONITORS);
    let mut group = criterion.benchmark_group("write");
    for (name, style) in [("v3", Style::V3), ("kubernetes", Style::Kubernetes)] {
        let mut out = yaml::write(&config, style);
        group.throughput(Throughput::Bytes(out.len() as u64));
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                out.clear();
                yaml::write_to(&mut out, black_box(&config), style);
            });
        });
    }
}

fn decode(criterion: &mut Criterion) {
    let sources = hierarchy::sources(MONITORS);
    let documents = admitted(&sources);
    let mut group = criterion.benchmark_group("decode");
    group.throughput(Throughput::Elements(documents.len() as u64));
    group.bench_function("resources", |bencher| {
        bencher.iter(|| black_box(admit::decode(&documents, "default")));
    });
}

fn resolve(criterion: &mut Criterion) {
    let sources = hierarchy::sources(MONITORS);
    let documents = admitted(&sources);
    let resources = admit::decode(&documents, "default").output;
    let options = resolve::Options::default();
    let mut group = criterion.benchmark_group("resolve");
    group.throughput(Throughput::Elements(MONITORS as u64));
    group.bench_function("hierarchies", |bencher| {
        bencher.iter(|| black_box(resolve::resolve(&resources, &options)));
    });
}

/// To manifests, with the configuration written and compressed.
fn lower(criterion: &mut Criterion) {
    let sources = hierarchy::sources(MONITORS);
    let documents = admitted(&sources);
    let resources = admit::decode(&documents, "default").output;
    let hierarchies = resolve::resolve(&resources, &resolve::Options::default()).output;
    let options = lower::Options::default();
    let mut group = criterion.benchmark_group("lower");
    group.throughput(Throughput::Elements(MONITORS as u64));
    group.bench_function("manifests", |bencher| {
        bencher.iter(|| black_box(lower::lower(&hierarchies, &resources.nodes, &options)));
    });
}

fn emit(criterion: &mut Criterion) {
    let sources = hierarchy::sources(MONITORS);
    let objects = compile(&sources, &compile::Options::default()).output.objects;
    let mut group = criterion.benchmark_group("emit");
    for (name, format) in [("yaml", Format::Yaml), ("json", Format::Json)] {
        let mut out = Vec::new();
        let _ = write_stream(&objects, format, &mut out);
        group.throughput(Throughput::Bytes(out.len() as u64));
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                out.clear();
                write_stream(black_box(&objects), format, &mut out)
            });
        });
    }
}

/// All stages but the disk.
fn whole(criterion: &mut Criterion) {
    let sources = hierarchy::sources(MONITORS);
    let options = compile::Options::default();
    let mut group = criterion.benchmark_group("whole");
    group.throughput(Throughput::Elements(MONITORS as u64));
    group.bench_function("compile and write", |bencher| {
        bencher.iter(|| {
            let bundle = compile(black_box(&sources), &options).output;
            let mut out = Vec::new();
            write_stream(&bundle.objects, Format::Yaml, &mut out).map(|()| out)
        });
    });
}

fn admitted(sources: &Sources) -> Vec<AdmittedDocument<'_>> {
    let (limits, options) = (Limits::default(), admit::Options::default());
    let mut diagnostics = Vec::new();
    sources
        .iter()
        .flat_map(|(id, source)| yaml::read(id, &source.text, &limits).output)
        .map(|document| admit::admit_document(document, true, &options, &mut diagnostics))
        .collect()
}

criterion_group! {
    name = stages;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(3));
    targets = read, admit, decode, resolve, lower, write, emit, whole
}
criterion_main!(stages);

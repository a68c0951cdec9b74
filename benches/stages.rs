//! Benchmark of each stage on generated hierarchies: `cargo bench --bench stages`, or `-- read` for a single stage.
//!
//! The hierarchies contain 100 and 1,000 ServiceMonitors. With `AGENTCTL_BENCH_LARGE=1`, hierarchies with 10,000 and
//! 50,000 are also benchmarked.

use std::hint::black_box;
use std::io::Write;
use std::time::Duration;

use agentctl::admit::{self, AdmittedDocument};
use agentctl::api::Kind;
use agentctl::compile::{self, compile};
use agentctl::diagnostic::Diagnostic;
use agentctl::emit::{StreamFormat, write_stream};
use agentctl::manifest::render;
use agentctl::output::{Target, agent};
use agentctl::plan::{ConfigKind, Plan, SecretRepresentation};
use agentctl::source::Sources;
use agentctl::targets::observed::ObservedObjects;
use agentctl::yaml::{self, Document, Edits, LibraryStyle, Limits};
use agentctl::{check, resolve};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use flate2::Compression;
use flate2::write::GzEncoder;
use hierarchy::disk::Directory;

/// Returns the number of ServiceMonitors in each hierarchy.
fn sizes() -> &'static [usize] {
    if std::env::var_os("AGENTCTL_BENCH_LARGE").is_some() { &[100, 1_000, 10_000, 50_000] } else { &[100, 1_000] }
}

/// Benchmarks a stage with a hierarchy of each size.
fn each_size(criterion: &mut Criterion, stage: &str, mut bench: impl FnMut(&mut BenchmarkGroup<'_, WallTime>, usize)) {
    let mut group = criterion.benchmark_group(stage);
    for &monitors in sizes() {
        group.sample_size(if monitors > 1_000 { 10 } else { 20 });
        group.throughput(Throughput::Elements(monitors as u64));
        bench(&mut group, monitors);
    }
}

/// Reads the inputs from disk.
fn read(criterion: &mut Criterion) {
    each_size(criterion, "read", |group, monitors| {
        let sources = hierarchy::sources(monitors);
        let Ok(directory) = Directory::new(&sources) else {
            return;
        };
        group.throughput(Throughput::Bytes(hierarchy::size(&sources)));
        group.bench_function(BenchmarkId::new("files", monitors), |bencher| {
            bencher.iter(|| black_box(directory.load()));
        });
    });
}

fn parse(criterion: &mut Criterion) {
    let limits = Limits::default();
    each_size(criterion, "parse", |group, monitors| {
        let sources = hierarchy::sources(monitors);
        group.throughput(Throughput::Bytes(hierarchy::size(&sources)));
        group.bench_function(BenchmarkId::new("simple", monitors), |bencher| {
            bencher.iter(|| {
                for (id, source) in sources.iter() {
                    black_box(yaml::read(id, &source.text, &limits));
                }
            });
        });
        group.bench_function(BenchmarkId::new("library", monitors), |bencher| {
            bencher.iter(|| {
                for (id, source) in sources.iter() {
                    black_box(yaml::read_with_parser(id, &source.text, &limits));
                }
            });
        });
    });
}

fn admit(criterion: &mut Criterion) {
    let limits = Limits::default();
    each_size(criterion, "admit", |group, monitors| {
        let sources = hierarchy::sources(monitors);
        let texts = sources.iter();
        let documents: Vec<_> = texts.flat_map(|(id, source)| yaml::read(id, &source.text, &limits).output).collect();
        group.bench_function(BenchmarkId::new("documents", monitors), |bencher| {
            bencher.iter(|| {
                for document in &documents {
                    black_box(admit_one(document));
                }
            });
        });
        drop(documents);
        let documents = admit_all(&sources);
        group.bench_function(BenchmarkId::new("decode", monitors), |bencher| {
            bencher.iter(|| black_box(admit::decode(&documents, "default")));
        });
    });
}

fn admit_one(document: &Document<'_>) -> Option<(Edits, Vec<Diagnostic>)> {
    let resource = document.root();
    let text = |key| resource.get(key).and_then(|node| node.as_str());
    let kind = Kind::from_type(text("apiVersion")?, text("kind")?)?;
    let (mut edits, mut diagnostics) = (Edits::default(), Vec::new());
    let options = admit::AdmitOptions::default();
    admit::admit(kind, resource, &options, &mut edits, &mut diagnostics);
    Some((edits, diagnostics))
}

fn resolve(criterion: &mut Criterion) {
    let options = resolve::ResolveOptions::default();
    each_size(criterion, "resolve", |group, monitors| {
        let sources = hierarchy::sources(monitors);
        let documents = admit_all(&sources);
        let resources = admit::decode(&documents, "default").output;
        group.bench_function(BenchmarkId::new("hierarchies", monitors), |bencher| {
            bencher.iter(|| black_box(resolve::resolve(&resources, &options)));
        });
        let selections = resolve::Selections::new(&resources);
        let hierarchies = resolve::resolve_selected(&resources, &selections, &options).output;
        let conditions = check::Conditions { target: &Target::Agent, certificate_time: None, follows_labels: true };
        let observed = ObservedObjects::default();
        group.bench_function(BenchmarkId::new("check", monitors), |bencher| {
            bencher.iter(|| black_box(check::check(&resources, &selections, &hierarchies, &observed, conditions)));
        });
    });
}

fn render(criterion: &mut Criterion) {
    each_size(criterion, "render", |group, monitors| {
        let sources = hierarchy::sources(monitors);
        let documents = admit_all(&sources);
        let resources = admit::decode(&documents, "default").output;
        let hierarchies = resolve::resolve(&resources, &resolve::ResolveOptions::default()).output;
        let Some(hierarchy) = hierarchies.first() else { return };
        let plan = || Plan::new(hierarchy, &[ConfigKind::Metrics], &mut Vec::new());
        let text = agent::text(&plan(), ConfigKind::Metrics);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(BenchmarkId::new("configuration", monitors), |bencher| {
            bencher.iter(|| {
                let mut bytes = 0;
                agent::write(&plan(), ConfigKind::Metrics, SecretRepresentation::Values, &mut |piece| {
                    bytes += piece.len()
                });
                bytes
            });
        });
        group.bench_function(BenchmarkId::new("gzip", monitors), |bencher| {
            bencher.iter(|| {
                let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
                gzip.write_all(black_box(text.as_bytes())).and_then(|()| gzip.finish())
            });
        });
        group.throughput(Throughput::Elements(monitors as u64));
        let options = render::RenderOptions::default();
        group.bench_function(BenchmarkId::new("manifests", monitors), |bencher| {
            bencher.iter(|| black_box(render::objects(&hierarchies, &resources.nodes, &options)));
        });
    });
}

fn write(criterion: &mut Criterion) {
    let config = hierarchy::config::agent_config(1_000);
    let mut group = criterion.benchmark_group("write");
    for (name, style) in [("v3", LibraryStyle::V3), ("kubernetes", LibraryStyle::Kubernetes)] {
        group.throughput(Throughput::Bytes(yaml::write(&config, style).len() as u64));
        group.bench_function(name, |bencher| bencher.iter(|| yaml::write(black_box(&config), style)));
    }
}

fn emit(criterion: &mut Criterion) {
    each_size(criterion, "emit", |group, monitors| {
        let sources = hierarchy::sources(monitors);
        let objects = compile(&sources, &compile::CompileOptions::default()).output.objects;
        for (name, format) in [("yaml", StreamFormat::Yaml), ("json", StreamFormat::Json)] {
            let mut output = Vec::new();
            let _ = write_stream(objects.iter(), format, &mut output);
            group.throughput(Throughput::Bytes(output.len() as u64));
            group.bench_function(BenchmarkId::new(name, monitors), |bencher| {
                bencher.iter(|| {
                    output.clear();
                    write_stream(black_box(&objects).iter(), format, &mut output)
                });
            });
        }
    });
}

/// Runs all stages, from disk to the output stream.
fn whole(criterion: &mut Criterion) {
    each_size(criterion, "whole", |group, monitors| {
        let Ok(directory) = Directory::new(&hierarchy::sources(monitors)) else {
            return;
        };
        group.bench_function(BenchmarkId::new("render", monitors), |bencher| {
            bencher.iter(|| {
                let bundle = compile(&directory.load(), &compile::CompileOptions::default()).output;
                let mut output = Vec::new();
                write_stream(bundle.objects.iter(), StreamFormat::Yaml, &mut output).map(|()| output)
            });
        });
    });
}

fn admit_all(sources: &Sources) -> Vec<AdmittedDocument<'_>> {
    let (limits, options) = (Limits::default(), admit::AdmitOptions::default());
    let mut diagnostics = Vec::new();
    sources
        .iter()
        .flat_map(|(id, source)| yaml::read(id, &source.text, &limits).output)
        .map(|document| admit::admit_document(document, true, &options, |_, _| false, &mut diagnostics))
        .collect()
}

criterion_group! {
    name = stages;
    config = Criterion::default()
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(3));
    targets = read, parse, admit, resolve, render, write, emit, whole
}
criterion_main!(stages);

//! How fast each stage is, on a made-up hierarchy: `cargo bench`, or `cargo bench -- write` for one stage.

mod hierarchy;

use std::hint::black_box;
use std::time::Duration;

use agentctl::admit::{self, UnknownFields};
use agentctl::api::Kind;
use agentctl::diagnostic::Diagnostic;
use agentctl::yaml::{self, Document, Edits, Limits, Style};
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

criterion_group! {
    name = stages;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(3));
    targets = read, admit, write
}
criterion_main!(stages);

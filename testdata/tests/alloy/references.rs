//! Tests that every Alloy component's exports are read by another component.
//!
//! Exceptions are exporters that are not scraped and instances that receive no data, neither of which the agent uses.

use rayon::prelude::*;

use crate::alloy::expected::rendered_cases;
use crate::support;

/// Prefixes of the component kinds whose exports must be read.
const COMPONENTS_WITH_EXPORTS: [&str; 6] =
    ["discovery.", "local.file", "loki.process", "loki.relabel", "prometheus.relabel", "remote."];

/// Returns the number of components whose exports must be read, and the `kind.label` of those that no other component
/// reads.
fn components(text: &str) -> (usize, Vec<String>) {
    let headers = text.lines().filter_map(|line| line.strip_suffix("\" {")?.split_once(" \""));
    let headers = headers.filter(|(kind, _)| COMPONENTS_WITH_EXPORTS.iter().any(|start| kind.starts_with(start)));
    let names: Vec<_> = headers.map(|(kind, label)| format!("{kind}.{label}")).collect();
    let count = names.len();
    let unread = names.into_iter().filter(|name| !text.contains(&format!("{name}.")));
    (count, unread.collect())
}

#[test]
fn every_component_export_is_used() {
    let actual: Vec<_> = rendered_cases()
        .par_iter()
        .map(|case| {
            let texts = case.configurations.values();
            let (counts, unread): (Vec<_>, Vec<_>) = texts.map(|text| components(text)).unzip();
            let unread = unread.concat().into_iter();
            let unread = unread.map(|name| format!("{}: nothing reads {name}", case.folder.display()));
            (counts.iter().sum::<usize>(), unread.collect::<Vec<_>>())
        })
        .collect();
    let count: usize = actual.iter().map(|(count, _)| count).sum();
    assert!(count > support::many_or_few(500, 250), "found only {count} components");
    support::report(&actual.into_iter().flat_map(|(_, unread)| unread).collect::<Vec<_>>());
}

#[test]
fn detects_unused_exports() {
    let text = "discovery.relabel \"a\" {\n\ttargets = discovery.dns.a.targets\n}\n\ndiscovery.dns \"a\" {\n}\n";
    assert_eq!(components(text), (2, vec!["discovery.relabel.a".to_owned()]));
}

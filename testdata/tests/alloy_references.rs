//! What a component of Alloy exports is read by another component.
//!
//! An exporter may be there without a scrape, and an instance without anything that sends to it, as they are in the agent.

use rayon::prelude::*;

use crate::alloy::{cases, configurations};
use crate::support;

/// How the kinds of components begin whose exports must be read.
const READ: [&str; 6] = [
    "discovery.",
    "local.file",
    "loki.process",
    "loki.relabel",
    "prometheus.relabel",
    "remote.",
];

/// The components that are here for others, and those among them that none of the others reads, as `kind.label`.
fn components(text: &str) -> (usize, Vec<String>) {
    let heads = text
        .lines()
        .filter_map(|line| line.strip_suffix("\" {")?.split_once(" \""));
    let heads = heads.filter(|(kind, _)| READ.iter().any(|start| kind.starts_with(start)));
    let names: Vec<_> = heads.map(|(kind, label)| format!("{kind}.{label}")).collect();
    let count = names.len();
    let unread = names.into_iter().filter(|name| !text.contains(&format!("{name}.")));
    (count, unread.collect())
}

#[test]
fn every_export_is_read() {
    let found: Vec<_> = cases()
        .par_iter()
        .map(|(folder, input)| {
            let flags = support::words(&folder.join("flags"));
            let (found, _) = configurations(folder, input, &flags);
            let (counts, unread): (Vec<_>, Vec<_>) = found.values().map(|text| components(text)).unzip();
            let unread = unread.concat().into_iter();
            let unread = unread.map(|name| format!("{}: nothing reads {name}", folder.display()));
            (counts.iter().sum::<usize>(), unread.collect::<Vec<_>>())
        })
        .collect();
    let count: usize = found.iter().map(|(count, _)| count).sum();
    assert!(count > 500, "found only {count} components");
    support::report(&found.into_iter().flat_map(|(_, unread)| unread).collect::<Vec<_>>());
}

#[test]
fn an_export_that_is_not_read_is_found() {
    let text = "discovery.relabel \"a\" {\n\ttargets = discovery.dns.a.targets\n}\n\ndiscovery.dns \"a\" {\n}\n";
    assert_eq!(components(text), (2, vec!["discovery.relabel.a".to_owned()]));
}

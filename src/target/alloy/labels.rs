//! Labels of components: identifiers that are given once.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::free_form::identifier;
use super::layout::is_keyword;
use crate::plan::JobName;

/// The labels that are given, by the kind of component, each with the last number that was put behind it.
#[derive(Default)]
pub(super) struct Labels(HashMap<(&'static str, String), u32>);

impl Labels {
    /// A label that no other component of this kind has.
    pub(super) fn unique(&mut self, kind: &'static str, name: &str) -> String {
        let mut label = identifier(name).into_owned();
        if is_keyword(&label) {
            label.push('_');
        }
        let first = (kind, label);
        let Some(mut number) = self.0.get(&first).copied() else {
            let label = first.1.clone();
            self.0.insert(first, 1);
            return label;
        };
        loop {
            number += 1;
            let label = format!("{}_{number}", first.1);
            if let Entry::Vacant(entry) = self.0.entry((kind, label.clone())) {
                entry.insert(1);
                self.0.insert(first, number);
                return label;
            }
        }
    }
}

/// A label for a component that keeps state under it: it depends on what the component is made from alone, and no other one
/// has it. Where the parts cannot be told from the label, a hash of them is behind it.
pub(super) fn of_identity(parts: &[&str]) -> String {
    let name = parts.join("/");
    let label = identifier(&name);
    let is_plain = |part: &&str| part.bytes().all(|b| b.is_ascii_alphanumeric());
    let is_clear = parts.split_last().is_none_or(|(last, others)| {
        others.iter().all(is_plain) && last.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    });
    if is_clear {
        return label.into_owned();
    }
    let [a, b, c, ..] = md5::compute(&name).0;
    format!("{label}_{a:02x}{b:02x}{c:02x}")
}

/// Labels for scrape jobs, each with the port of its endpoint: the shortest that tell them apart.
pub(super) fn of_jobs(jobs: &[(JobName<'_>, &str)]) -> Vec<String> {
    let labels: Vec<_> = jobs.iter().map(|(job, port)| candidates(job, port)).collect();
    let mut counts = HashMap::new();
    for label in labels.iter().flatten() {
        *counts.entry(label.as_str()).or_insert(0) += 1;
    }
    let shortest = |candidates: &[String; 2]| {
        candidates
            .iter()
            .find(|label| counts.get(label.as_str()) == Some(&1))
            .cloned()
    };
    let jobs = jobs.iter().map(|(job, _)| job);
    jobs.zip(&labels)
        .map(|(job, labels)| shortest(labels).unwrap_or_else(|| job.to_string()))
        .collect()
}

fn candidates(job: &JobName<'_>, port: &str) -> [String; 2] {
    let (name, namespace) = (job.object.name, job.object.namespace);
    let port = match port {
        "" => String::new(),
        port => format!("/{port}"),
    };
    [format!("{name}{port}"), format!("{namespace}/{name}{port}")].map(|label| identifier(&label).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_makes_a_label_unique() {
        let mut labels = Labels::default();
        let mut given = |name| labels.unique("a", name);
        assert_eq!(given("x_2"), "x_2");
        assert_eq!(given("x"), "x");
        assert_eq!(given("x"), "x_3");
        assert_eq!(given("x"), "x_4");
        assert_eq!(given("x_2"), "x_2_2");
        assert_eq!(given("y/z"), "y_z");
        assert_eq!(given("y.z"), "y_z_2");
        assert_eq!(labels.unique("b", "x"), "x");
        assert_eq!(labels.unique("b", "true"), "true_");
    }

    #[test]
    fn a_label_with_state_depends_on_its_parts_alone() {
        assert_eq!(of_identity(&["monitoring", "primary"]), "monitoring_primary");
        assert_eq!(of_identity(&["a", "b-c"]), "a_b_c");
        assert_eq!(of_identity(&["a-b", "c"]), "a_b_c_18047b");
        let all = [["a", "b-c"], ["a", "b.c"], ["a-b", "c"], ["a", "b_c"], ["a_b", "c"]];
        let labels: std::collections::BTreeSet<_> = all.iter().map(|parts| of_identity(parts)).collect();
        assert_eq!(labels.len(), all.len());
    }

    #[test]
    fn jobs_have_the_shortest_label_that_is_theirs_alone() {
        let job = |namespace, name, index| JobName {
            object: crate::api::ObjectRef {
                kind: crate::api::Kind::ServiceMonitor,
                namespace,
                name,
            },
            index: Some(index),
        };
        let jobs = [
            (job("shop", "checkout", 0), "http"),
            (job("shop", "checkout", 1), "admin"),
            (job("shop", "web", 0), "http"),
            (job("blog", "web", 0), "http"),
            (job("shop", "twice", 0), "http"),
            (job("shop", "twice", 1), "http"),
            (job("shop", "alone", 0), ""),
        ];
        assert_eq!(
            of_jobs(&jobs),
            [
                "checkout_http",
                "checkout_admin",
                "shop_web_http",
                "blog_web_http",
                "serviceMonitor/shop/twice/0",
                "serviceMonitor/shop/twice/1",
                "alone",
            ]
        );
    }
}

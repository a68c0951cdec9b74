//! Component labels, which are unique identifiers.

use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use super::layout::is_keyword;
use crate::go::text::label_name;
use crate::plan::JobName;

/// Labels in use, by kind of component, each with the last number appended to it.
#[derive(Default)]
pub struct ComponentLabels(HashMap<(&'static str, String), u32>);

impl ComponentLabels {
    /// Returns a label that no other component of this kind has.
    pub fn unique_label(&mut self, kind: &'static str, name: &str) -> String {
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

/// Converts a name to an identifier: characters other than letters, digits and `_` are replaced with `_`, and `_` is
/// added before a leading digit.
pub fn identifier(name: &str) -> Cow<'_, str> {
    let words = label_name(name);
    if words.starts_with(|c: char| c.is_ascii_digit()) {
        return format!("_{words}").into();
    }
    words
}

/// Returns the label for a component whose state is stored under the label. The label depends only on `parts` and is
/// unique: a hash is appended if different parts could yield the same label.
pub fn identity_label(parts: &[&str]) -> String {
    let name = parts.join("/");
    let label = identifier(&name);
    let is_plain = |part: &&str| part.bytes().all(|b| b.is_ascii_alphanumeric());
    let is_clear = parts.split_last().is_none_or(|(last, others)| {
        others.iter().all(is_plain) && last.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    });
    if is_clear {
        return label.into_owned();
    }
    let [first_byte, b, c, ..] = md5::compute(&name).0;
    format!("{label}_{first_byte:02x}{b:02x}{c:02x}")
}

/// Parts that make up the label of a job's components.
pub struct JobLabelParts<'p> {
    pub name: JobName<'p>,
    /// Port and path of the endpoint. Empty if not set.
    pub port: &'p str,
    pub path: &'p str,
}

/// Returns labels for jobs. The label of each job has the first form that distinguishes it from all other labels.
pub fn job_labels(jobs: &[JobLabelParts<'_>]) -> Vec<String> {
    let mut labels = vec![None; jobs.len()];
    let mut taken_labels = HashSet::new();
    for kind in [JobLabelParts::port, JobLabelParts::page, JobLabelParts::number] {
        for with_namespace in [false, true] {
            let jobs_without_label = labels.iter().enumerate().filter(|(_, label)| label.is_none());
            let candidate_labels =
                jobs_without_label.filter_map(|(at, _)| Some((at, jobs.get(at)?.label(kind, with_namespace)?)));
            let candidate_labels: Vec<_> = candidate_labels.collect();
            let mut counts = HashMap::new();
            for (_, label) in &candidate_labels {
                *counts.entry(label.clone()).or_insert(0) += 1;
            }
            for (at, label) in candidate_labels {
                if counts.get(&label) == Some(&1)
                    && taken_labels.insert(label.clone())
                    && let Some(place) = labels.get_mut(at)
                {
                    *place = Some(label);
                }
            }
        }
    }
    let or_whole_label =
        |(label, job): (Option<String>, &JobLabelParts<'_>)| label.unwrap_or_else(|| job.name.to_string());
    labels.into_iter().zip(jobs).map(or_whole_label).collect()
}

impl<'p> JobLabelParts<'p> {
    /// Creates the parts for a job without a port or path.
    pub fn from_name(name: JobName<'p>) -> Self {
        let (port, path) = ("", "");
        Self { name, port, path }
    }

    fn label(&self, kind: fn(&Self) -> Option<Cow<'_, str>>, with_namespace: bool) -> Option<String> {
        let (name, namespace, kind) = (self.name.object.name, self.name.object.namespace, kind(self)?);
        let parts = [namespace, name, &kind];
        let parts = parts.iter().skip(usize::from(!with_namespace)).filter(|part| !part.is_empty());
        let parts: Vec<_> = parts.copied().collect();
        Some(identifier(&parts.join("_")).into_owned())
    }

    fn port(&self) -> Option<Cow<'_, str>> {
        Some(self.port.into())
    }

    /// Returns the last segment of a path such as `/metrics/cadvisor`.
    fn page(&self) -> Option<Cow<'_, str>> {
        let page = self.path.rsplit('/').next().unwrap_or_default();
        (!["", "metrics"].contains(&page)).then_some(page.into())
    }

    fn number(&self) -> Option<Cow<'_, str>> {
        Some(self.name.index?.to_string().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn makes_labels_unique_by_numbering() {
        let mut labels = ComponentLabels::default();
        let mut label_for = |name| labels.unique_label("a", name);
        assert_eq!(label_for("x_2"), "x_2");
        assert_eq!(label_for("x"), "x");
        assert_eq!(label_for("x"), "x_3");
        assert_eq!(label_for("x"), "x_4");
        assert_eq!(label_for("x_2"), "x_2_2");
        assert_eq!(label_for("y/z"), "y_z");
        assert_eq!(label_for("y.z"), "y_z_2");
        assert_eq!(labels.unique_label("b", "x"), "x");
        assert_eq!(labels.unique_label("b", "true"), "true_");
    }

    #[test]
    fn identity_labels_of_different_parts_are_unique() {
        assert_eq!(identity_label(&["monitoring", "primary"]), "monitoring_primary");
        assert_eq!(identity_label(&["a", "b-c"]), "a_b_c");
        assert_eq!(identity_label(&["a-b", "c"]), "a_b_c_18047b");
        let part_lists = [["a", "b-c"], ["a", "b.c"], ["a-b", "c"], ["a", "b_c"], ["a_b", "c"]];
        let labels: std::collections::BTreeSet<_> = part_lists.iter().map(|parts| identity_label(parts)).collect();
        assert_eq!(labels.len(), part_lists.len());
    }

    #[test]
    fn sanitizes_identifiers() {
        for (name, expected) in [("a_B1", "a_B1"), ("a/b-c", "a_b_c"), ("1a", "_1a"), ("é", "_")] {
            assert_eq!(identifier(name), expected);
        }
    }

    #[test]
    fn jobs_have_the_shortest_unique_label() {
        let rows = [
            ("shop/checkout", 0, "http", "", "checkout_http"),
            ("shop/checkout", 1, "admin", "", "checkout_admin"),
            ("shop/web", 0, "http", "", "shop_web_http"),
            ("blog/web", 1, "http", "", "blog_web_http"),
            ("kube/kubelet", 0, "https", "/metrics", "kubelet_0"),
            ("kube/kubelet", 1, "https", "/metrics/cadvisor", "kubelet_cadvisor"),
            ("kube/kubelet", 2, "https", "/metrics/probes", "kubelet_probes"),
            ("a/twice", 0, "http", "/x", "a_twice_0"),
            ("a/twice", 1, "http", "/x", "a_twice_1"),
            ("b/twice", 0, "http", "/x", "b_twice_0"),
            ("b/twice", 1, "http", "/x", "b_twice_1"),
            ("c/twice-0", 0, "", "", "twice_0"),
            ("shop/alone", 0, "", "/probe", "alone"),
            ("d/same-a", 0, "", "", "same_a_0"),
            ("d/same", 0, "a", "", "same_0"),
        ];
        let job = |&(name, index, port, path, _): &(&'static str, _, _, _, _)| {
            let (namespace, name) = name.split_once('/').unwrap();
            let kind = crate::api::Kind::ServiceMonitor;
            let object = crate::api::ObjectRef { kind, namespace, name };
            let name = JobName { object, index: Some(index) };
            JobLabelParts { name, port, path }
        };
        let labels = job_labels(&rows.iter().map(job).collect::<Vec<_>>());
        assert_eq!(labels, rows.map(|(.., label)| label));
    }
}

//! Scrape jobs that a Secret holds as YAML text (`additionalScrapeConfigs`).
//!
//! What: a job that the agent refuses: no `job_name`, the name of another job, a field of the wrong kind, or whatever is
//! wrong with a job of a monitor. Why: the operator copies the text, and the agent refuses its whole configuration.
//! Example: `- job_name: a` twice.

mod client;
mod fields;
mod form;
mod relabeling;

pub use relabeling::relabel_rules;

use std::collections::HashSet;

use super::{ScrapeTimes, duration, label, url};
use crate::api::ObjectMeta;
use crate::check::diagnostics;
use crate::check::place::Place;
use crate::diagnostic::Diagnostic;
use crate::resolve::MetricsHierarchy;
use crate::source::{LineIndex, SourceId};
use crate::yaml::{Document, Limits, Node, NodeValue, read};
use form::FormCheck;

/// A text with jobs in it.
pub struct Jobs<'t> {
    document: Option<Document<'t>>,
    lines: LineIndex,
    text: &'t str,
}

impl<'t> Jobs<'t> {
    /// Reads a text. What is no YAML, or no list, is reported where the configuration is made.
    pub fn read(source: SourceId, text: &'t str) -> Self {
        Self {
            document: read(source, text, &Limits::default()).output.into_iter().next(),
            lines: LineIndex::new(text),
            text,
        }
    }

    /// The jobs with their places in the list; nulls are left out by the operator.
    pub fn all(&self) -> impl Iterator<Item = (usize, Node<'_>)> {
        let root = self.document.as_ref().map(Document::root);
        let items = root.into_iter().flat_map(Node::items).enumerate();
        items.filter(|(_, job)| !job.is_null())
    }

    fn line(&self, node: Node<'_>) -> u32 {
        self.lines.position(self.text, node.span().start as usize).line
    }
}

/// Checks the jobs of an instance in an agent.
pub fn check(
    jobs: &Jobs<'_>,
    metrics: &MetricsHierarchy<'_, '_>,
    times: &ScrapeTimes<'_>,
    at: &Place<'_>,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut names = HashSet::new();
    for (i, job) in jobs.all() {
        let at = at.index(i);
        if !job.is_mapping() {
            found.push(diagnostics::invalid_scrape_job(
                &at,
                "a scrape configuration must be a mapping",
            ));
            continue;
        }
        let name = text(job, "job_name");
        if job
            .get("job_name")
            .is_none_or(|name| name.is_null() || name.as_str() == Some(""))
        {
            found.push(diagnostics::invalid_scrape_job(
                &at,
                "a scrape configuration needs `job_name`",
            ));
        } else if is_generated(name, metrics) {
            found.push(diagnostics::duplicate_job(&at.key("job_name"), true));
        } else if !name.is_empty() && !names.insert(name) {
            found.push(diagnostics::duplicate_job(&at.key("job_name"), false));
        }
        let checker = FormCheck { jobs };
        checker.job(job, &at, &mut found);
        self::job(job, times, &at, &mut found);
    }
    found
}

/// Whether the operator makes a job of this name from a monitor.
fn is_generated(name: &str, metrics: &MetricsHierarchy<'_, '_>) -> bool {
    let mut parts = name.split('/');
    let (Some(kind), Some(namespace), Some(object)) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let index = parts.next().and_then(|index| index.parse::<usize>().ok());
    let is = |meta: &ObjectMeta<'_>| meta.namespace == namespace && meta.name == object;
    match kind {
        "serviceMonitor" => (metrics.service_monitors.iter())
            .any(|monitor| is(&monitor.meta) && index.is_some_and(|i| i < monitor.spec.endpoints.len())),
        "podMonitor" => (metrics.pod_monitors.iter())
            .any(|monitor| is(&monitor.meta) && index.is_some_and(|i| i < monitor.spec.pod_metrics_endpoints.len())),
        "probe" => index.is_none() && metrics.probes.iter().any(|probe| is(&probe.meta)),
        _ => false,
    }
}

fn job(job: Node<'_>, times: &ScrapeTimes<'_>, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    let (interval, timeout) = (text(job, "scrape_interval"), text(job, "scrape_timeout"));
    let (interval_at, timeout_at) = (at.key("scrape_interval"), at.key("scrape_timeout"));
    for (field, at) in [("scrape_interval", &interval_at), ("scrape_timeout", &timeout_at)] {
        let value = job.get(field).filter(|value| !value.is_null());
        let is_unit_missing =
            value.is_some_and(|value| matches!(value.value(), NodeValue::Int(1..) | NodeValue::Float(_)));
        if is_unit_missing || value.and_then(Node::as_str) == Some("") {
            found.push(diagnostics::invalid_prometheus_duration(at, ""));
        }
        duration::check(text(job, field), at, found);
    }
    found.extend(times.check_fields(interval, timeout, &interval_at, &timeout_at));
    url::check_proxy(text(job, "proxy_url"), &at.key("proxy_url"), found);
    relabel_rules(job, "relabel_configs", at, found);
    relabel_rules(job, "metric_relabel_configs", at, found);
    client::check(job, at, found);
    static_targets(job, at, found);
}

fn static_targets(job: Node<'_>, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    let has_rules = list(job, "relabel_configs").next().is_some();
    let at = at.key("static_configs");
    for (i, group) in list(job, "static_configs").enumerate() {
        let at = at.index(i);
        let mut targets = list(group, "targets").filter_map(Node::as_str);
        if !has_rules && targets.any(|target| target.contains('/')) {
            let message = "a target is a URL or a path, expected host and port";
            found.push(diagnostics::invalid_scrape_job(&at.key("targets"), message));
        }
        for entry in group.get("labels").into_iter().flat_map(Node::entries) {
            label::check_name(entry.key, &at.key("labels"), found);
        }
    }
}

fn text<'d>(node: Node<'d>, field: &str) -> &'d str {
    node.get(field).and_then(Node::as_str).unwrap_or_default()
}

fn list<'d>(node: Node<'d>, field: &str) -> impl Iterator<Item = Node<'d>> {
    node.get(field).into_iter().flat_map(Node::items)
}

//! Scrape jobs that a Secret holds as YAML text (`additionalScrapeConfigs`).
//!
//! What: a job that the agent refuses: no `job_name`, the name of another job, a field of the wrong kind, or whatever is
//! wrong with a job of a monitor. Why: the operator copies the text, and the agent refuses its whole configuration.
//! Example: `- job_name: a` twice.

use std::borrow::Cow;
use std::collections::HashSet;

use super::authentication::one_kind;
use super::relabel::{Rule, Spelling, check_rule};
use super::{ScrapeTimes, duration, label, url};
use crate::check::diagnostics;
use crate::check::place::Place;
use crate::diagnostic::{Diagnostic, suggest};
use crate::resolve::MetricsHierarchy;
use crate::source::LineIndex;
use crate::yaml::{Document, Limits, Node, NodeValue, read};

/// What a field holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Text,
    Bool,
    Number,
    List,
    Mapping,
}

/// The fields of a job that Prometheus has, sorted; those of service discovery end in `_sd_configs`.
const FIELDS: [(&str, Form); 39] = [
    ("authorization", Form::Mapping),
    ("basic_auth", Form::Mapping),
    ("bearer_token", Form::Text),
    ("bearer_token_file", Form::Text),
    ("body_size_limit", Form::Text),
    ("convert_classic_histograms_to_nhcb", Form::Bool),
    ("enable_compression", Form::Bool),
    ("enable_http2", Form::Bool),
    ("follow_redirects", Form::Bool),
    ("honor_labels", Form::Bool),
    ("honor_timestamps", Form::Bool),
    ("http_headers", Form::Mapping),
    ("job_name", Form::Text),
    ("keep_dropped_targets", Form::Number),
    ("label_limit", Form::Number),
    ("label_name_length_limit", Form::Number),
    ("label_value_length_limit", Form::Number),
    ("metric_relabel_configs", Form::List),
    ("metrics_path", Form::Text),
    ("native_histogram_bucket_limit", Form::Number),
    ("native_histogram_min_bucket_factor", Form::Number),
    ("no_proxy", Form::Text),
    ("oauth2", Form::Mapping),
    ("params", Form::Mapping),
    ("proxy_connect_header", Form::Mapping),
    ("proxy_from_environment", Form::Bool),
    ("proxy_url", Form::Text),
    ("relabel_configs", Form::List),
    ("sample_limit", Form::Number),
    ("scheme", Form::Text),
    ("scrape_classic_histograms", Form::Bool),
    ("scrape_failure_log_file", Form::Text),
    ("scrape_interval", Form::Text),
    ("scrape_protocols", Form::List),
    ("scrape_timeout", Form::Text),
    ("static_configs", Form::List),
    ("target_limit", Form::Number),
    ("tls_config", Form::Mapping),
    ("track_timestamps_staleness", Form::Bool),
];

/// The fields of the mappings in a job.
const NESTED_FIELDS: [(&str, &[(&str, Form)]); 4] = [
    (
        "authorization",
        &[
            ("credentials", Form::Text),
            ("credentials_file", Form::Text),
            ("type", Form::Text),
        ],
    ),
    (
        "basic_auth",
        &[
            ("password", Form::Text),
            ("password_file", Form::Text),
            ("username", Form::Text),
            ("username_file", Form::Text),
        ],
    ),
    (
        "oauth2",
        &[
            ("client_id", Form::Text),
            ("client_secret", Form::Text),
            ("client_secret_file", Form::Text),
            ("endpoint_params", Form::Mapping),
            ("no_proxy", Form::Text),
            ("proxy_connect_header", Form::Mapping),
            ("proxy_from_environment", Form::Bool),
            ("proxy_url", Form::Text),
            ("scopes", Form::List),
            ("tls_config", Form::Mapping),
            ("token_url", Form::Text),
        ],
    ),
    (
        "tls_config",
        &[
            ("ca", Form::Text),
            ("ca_file", Form::Text),
            ("cert", Form::Text),
            ("cert_file", Form::Text),
            ("insecure_skip_verify", Form::Bool),
            ("key", Form::Text),
            ("key_file", Form::Text),
            ("max_version", Form::Text),
            ("min_version", Form::Text),
            ("server_name", Form::Text),
        ],
    ),
];

/// The fields of a relabelling rule.
const RULE_FIELDS: [(&str, Form); 7] = [
    ("action", Form::Text),
    ("modulus", Form::Number),
    ("regex", Form::Text),
    ("replacement", Form::Text),
    ("separator", Form::Text),
    ("source_labels", Form::List),
    ("target_label", Form::Text),
];

/// The fields of a group of static targets.
const GROUP_FIELDS: [(&str, Form); 2] = [("labels", Form::Mapping), ("targets", Form::List)];

/// A text with jobs in it.
pub struct Jobs<'t> {
    document: Option<Document<'t>>,
    lines: LineIndex,
    text: &'t str,
}

impl<'t> Jobs<'t> {
    /// Reads a text. What is no YAML, or no list, is reported where the configuration is made.
    pub fn read(source: crate::source::SourceId, text: &'t str) -> Self {
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
        let checker = Checker { jobs };
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
    let is = |meta: &crate::api::ObjectMeta<'_>| meta.namespace == namespace && meta.name == object;
    match kind {
        "serviceMonitor" => (metrics.service_monitors.iter())
            .any(|monitor| is(&monitor.meta) && index.is_some_and(|i| i < monitor.spec.endpoints.len())),
        "podMonitor" => (metrics.pod_monitors.iter())
            .any(|monitor| is(&monitor.meta) && index.is_some_and(|i| i < monitor.spec.pod_metrics_endpoints.len())),
        "probe" => index.is_none() && metrics.probes.iter().any(|probe| is(&probe.meta)),
        _ => false,
    }
}

/// Checks the form of jobs.
struct Checker<'t> {
    jobs: &'t Jobs<'t>,
}

impl Checker<'_> {
    fn job(&self, job: Node<'_>, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
        self.fields(job, &FIELDS, at, found);
        for (name, fields) in NESTED_FIELDS {
            if let Some(node) = job.get(name) {
                self.fields(node, fields, &at.key(name), found);
            }
        }
        for (name, fields) in [
            ("relabel_configs", RULE_FIELDS.as_slice()),
            ("metric_relabel_configs", &RULE_FIELDS),
            ("static_configs", &GROUP_FIELDS),
        ] {
            for (i, item) in list(job, name).enumerate() {
                self.fields(item, fields, &at.key(name).index(i), found);
            }
        }
        for entry in job.get("params").into_iter().flat_map(Node::entries) {
            has_form(entry.value, "params", "a mapping to lists", Form::List, at, found);
        }
    }

    /// Checks that fields are known, and hold what they must. Unknown ones are reported together.
    fn fields(&self, node: Node<'_>, known: &[(&'static str, Form)], at: &Place<'_>, found: &mut Vec<Diagnostic>) {
        let mut unknown = Vec::new();
        for entry in node.entries().filter(|entry| !entry.value.is_null()) {
            match known.iter().find(|(name, _)| *name == entry.key) {
                Some((name, form)) => has_form(entry.value, name, form.expected(), *form, at, found),
                None if entry.key.ends_with("_sd_configs") => {
                    let name = "a field of service discovery";
                    has_form(entry.value, name, "a list", Form::List, at, found);
                }
                None => unknown.push(entry),
            }
        }
        if let Some(first) = unknown.first() {
            let meant = suggest::closest(first.key, known.iter().map(|(name, _)| *name));
            let line = self.jobs.line(first.value);
            found.push(diagnostics::unknown_scrape_field(at, line, unknown.len(), meant));
        }
    }
}

fn has_form(value: Node<'_>, name: &str, expected: &str, form: Form, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    if !value.is_null() && !form.takes(value) {
        found.push(diagnostics::invalid_scrape_job(
            at,
            format!("`{name}` must be {expected}"),
        ));
    }
}

impl Form {
    fn expected(self) -> &'static str {
        match self {
            Form::Text => "a string",
            Form::Bool => "`true` or `false`",
            Form::Number => "a number from zero",
            Form::List => "a list",
            Form::Mapping => "a mapping",
        }
    }

    /// Whether YAML can turn a value into it.
    fn takes(self, value: Node<'_>) -> bool {
        match (self, value.value()) {
            (Form::Text, kind) => !matches!(kind, NodeValue::Sequence | NodeValue::Mapping),
            (Form::Bool, kind) => matches!(kind, NodeValue::Bool(_)),
            (Form::Number, NodeValue::Int(number)) => number >= 0,
            (Form::Number, NodeValue::Float(number)) => number >= 0.0,
            (Form::Number, kind) => matches!(kind, NodeValue::String(_)),
            (Form::List, kind) => kind == NodeValue::Sequence,
            (Form::Mapping, kind) => kind == NodeValue::Mapping,
        }
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
    url::check(text(job, "proxy_url"), &at.key("proxy_url"), found);
    relabel_rules(job, "relabel_configs", at, found);
    relabel_rules(job, "metric_relabel_configs", at, found);
    client(job, at, found);
    static_targets(job, at, found);
}

/// Checks the rules of a list, by the names of the agent's configuration.
pub fn relabel_rules(job: Node<'_>, field: &str, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    let at = at.key(field);
    for (i, rule) in list(job, field).enumerate().filter(|(_, rule)| !rule.is_null()) {
        relabel_rule(rule, &at.index(i), found);
    }
}

fn relabel_rule(rule: Node<'_>, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    for (i, name) in list(rule, "source_labels").enumerate() {
        if let Some(name) = scalar(name) {
            label::check_name(&name, &at.key("source_labels").index(i), found);
        }
    }
    let field = |name: &str| rule.get(name).and_then(scalar);
    let (separator, regex, replacement) = (field("separator"), field("regex"), field("replacement"));
    let rule = Rule {
        has_source_labels: rule.get("source_labels").is_some_and(|labels| !labels.is_null()),
        separator: separator.as_deref(),
        target_label: &field("target_label").unwrap_or_default(),
        regex: regex.as_deref(),
        modulus: u64::from(field("modulus").is_some_and(|modulus| modulus != "0")),
        replacement: replacement.as_deref(),
        action: &field("action").unwrap_or(Cow::Borrowed("replace")),
    };
    check_rule(&rule, Spelling::Configuration, at, found);
}

/// How the job proves who it is, and TLS.
fn client(job: Node<'_>, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    let is_there = |node: Node<'_>, field: &str| node.get(field).is_some_and(|value| !value.is_null());
    let is_filled =
        |node: Node<'_>, field: &str| is_there(node, field) && node.get(field).and_then(Node::as_str) != Some("");
    let kinds = [
        ("basic_auth", is_there(job, "basic_auth")),
        ("authorization", is_there(job, "authorization")),
        ("oauth2", is_there(job, "oauth2")),
        ("bearer_token", is_filled(job, "bearer_token")),
        ("bearer_token_file", is_filled(job, "bearer_token_file")),
    ];
    one_kind(&kinds, at, found);
    for (field, value, file) in [
        ("basic_auth", "username", "username_file"),
        ("basic_auth", "password", "password_file"),
        ("authorization", "credentials", "credentials_file"),
        ("oauth2", "client_secret", "client_secret_file"),
    ] {
        if let Some(node) = job.get(field) {
            let kinds = [(value, is_filled(node, value)), (file, is_filled(node, file))];
            one_kind(&kinds, &at.key(field), found);
        }
    }
    if text(job.get("authorization").unwrap_or(job), "type")
        .trim()
        .eq_ignore_ascii_case("basic")
    {
        let message = "`authorization` cannot be of type `basic`, use `basic_auth`";
        found.push(diagnostics::invalid_scrape_job(&at.key("authorization"), message));
    }
    if let Some(node) = job.get("oauth2").filter(|node| node.is_mapping()) {
        for field in ["client_id", "token_url"] {
            if !is_filled(node, field) {
                let message = format!("`oauth2` needs `{field}`");
                found.push(diagnostics::invalid_scrape_job(&at.key("oauth2"), message));
            }
        }
    }
    if let Some(node) = job.get("tls_config") {
        let either = |one: &str, other: &str| is_filled(node, one) || is_filled(node, other);
        let (certificate, key) = (either("cert", "cert_file"), either("key", "key_file"));
        if certificate != key {
            found.push(diagnostics::incomplete_certificate(&at.key("tls_config"), certificate));
        }
    }
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

/// A scalar as the agent reads it where text belongs.
fn scalar(node: Node<'_>) -> Option<Cow<'_, str>> {
    Some(match node.value() {
        NodeValue::String(text) => Cow::Borrowed(text),
        NodeValue::Bool(value) => Cow::Owned(value.to_string()),
        NodeValue::Int(value) => Cow::Owned(value.to_string()),
        NodeValue::Float(value) => Cow::Owned(value.to_string()),
        NodeValue::Null | NodeValue::Sequence | NodeValue::Mapping => return None,
    })
}

fn text<'d>(node: Node<'d>, field: &str) -> &'d str {
    node.get(field).and_then(Node::as_str).unwrap_or_default()
}

fn list<'d>(node: Node<'d>, field: &str) -> impl Iterator<Item = Node<'d>> {
    node.get(field).into_iter().flat_map(Node::items)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_sorted() {
        assert!(FIELDS.is_sorted_by_key(|(name, _)| *name));
    }
}

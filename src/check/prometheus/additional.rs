//! Scrape jobs that a Secret holds as YAML text (`additionalScrapeConfigs`).
//!
//! What: a job that the agent refuses: no `job_name`, the name of another job, a field of the wrong kind, or whatever is
//! wrong with a job of a monitor. Why: the operator copies the text, and the agent refuses its whole configuration.
//! Example: `- job_name: a` twice.

use std::collections::HashSet;

use super::ScrapeTimes;
use super::client::{one_kind, whole_certificate};
use super::relabel::{Spelling, check_rule};
use crate::check::certificates::{Part, mismatch, problem};
use crate::check::conditions::Conditions;
use crate::check::field::{duration, label_name, no_duration, proxy_url, scalar};
use crate::check::place::Place;
use crate::diagnostic::{Code, suggest};
use crate::go::units::is_base2_bytes;
use crate::plan::{EmbeddedYaml, JobName};
use crate::resolve::MetricsHierarchy;
use crate::source::SourceId;
use crate::target::agent::keys::{FIELDS, Fields, Form};
use crate::yaml::{Document, Entry, Node, NodeValue};

/// A text with jobs in it.
pub struct Jobs<'t>(EmbeddedYaml<'t>);

impl<'t> Jobs<'t> {
    /// Reads a text. A text that is not a YAML list is reported when the plan is made.
    pub fn read(source: SourceId, text: &'t str) -> Self {
        Self(EmbeddedYaml::read(source, text))
    }

    /// The jobs with their indices; the operator omits nulls.
    pub fn all(&self) -> impl Iterator<Item = (usize, Node<'_>)> {
        let root = self.0.document.as_ref().map(Document::root);
        let items = root.into_iter().flat_map(Node::items).enumerate();
        items.filter(|(_, job)| !job.is_null())
    }

    /// Checks which fields a job has, and what they hold.
    fn form(&self, job: Node<'_>, at: &Place<'_>) {
        for (place, fields) in FIELDS.iter() {
            if place.is_empty() {
                self.fields(job, fields, at);
            } else if let Some(list) = place.strip_suffix("[]") {
                for (i, item) in job.items_at(list).enumerate() {
                    self.fields(item, fields, &at.key(list).index(i));
                }
            } else if let Some(node) = job.get(place) {
                self.fields(node, fields, &at.key(place));
            }
        }
        for entry in job.entries_at("params") {
            has_form(entry.value, Form::List, "params", "a mapping to lists", at);
        }
    }

    /// Checks that fields are known and have the right form. Unknown fields are reported together.
    fn fields(&self, node: Node<'_>, fields: &Fields, at: &Place<'_>) {
        let form_of = |key: &str| {
            let mut forms = fields.iter();
            forms.find_map(|(form, names)| Some((*form, names.iter().find(|name| **name == key)?)))
        };
        let mut unknown = Vec::new();
        for entry in node.entries().filter(|entry| !entry.value.is_null()) {
            match form_of(entry.key) {
                Some((form, name)) => has_form(entry.value, form, name, form.expected(), at),
                None if entry.key.ends_with("_sd_configs") => {
                    let name = "a field of service discovery";
                    has_form(entry.value, Form::List, name, "a list", at);
                }
                None => unknown.push(entry),
            }
        }
        if let Some(first) = unknown.first() {
            self.unknown_field(*first, unknown.len(), fields, at);
        }
    }

    /// Reports the first of the unknown fields.
    fn unknown_field(&self, first: Entry<'_>, count: usize, known: &Fields, at: &Place<'_>) {
        let more = match count {
            1 => String::new(),
            _ => format!(", and {} more behind it", count - 1),
        };
        let line = self.0.line(first.value.span());
        let message = format!("the agent does not know the field on line {line} of the Secret's text{more}");
        let mut known: Vec<_> = known.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        known.sort_unstable();
        let help = match suggest::closest(first.key, known) {
            Some(known) => format!("write `{known}`, if that is meant"),
            None => "remove the field".to_owned(),
        };
        at.report(Code::UnknownScrapeField, message, help);
    }
}

fn has_form(value: Node<'_>, form: Form, name: &str, expected: &str, at: &Place<'_>) {
    if !value.is_null() && !form.takes(value) {
        invalid(format!("`{name}` must be {expected}"), at);
    }
}

fn invalid(message: impl Into<String>, at: &Place<'_>) {
    at.report(
        Code::InvalidScrapeJob,
        message,
        "correct the scrape configuration in the Secret",
    );
}

/// Checks the jobs of an instance in an agent.
pub fn check(
    jobs: &Jobs<'_>,
    metrics: &MetricsHierarchy<'_, '_>,
    times: &ScrapeTimes<'_>,
    conditions: Conditions<'_>,
    at: &Place<'_>,
) {
    let generated: HashSet<_> = metrics
        .children()
        .flat_map(JobName::of)
        .map(|name| name.to_string())
        .collect();
    let mut names = HashSet::new();
    for (i, job) in jobs.all() {
        let at = at.index(i);
        let name = job_name(job, &at);
        let problem = if generated.contains(name) {
            Some("the operator makes a job with the same `job_name`")
        } else {
            let is_again = !name.is_empty() && !names.insert(name);
            is_again.then_some("an earlier job has the same `job_name`")
        };
        if let Some(problem) = problem {
            let at = at.key("job_name");
            at.report(Code::DuplicateJob, problem, "give the job another name");
        }
        jobs.form(job, &at);
        check_job(job, times, conditions, &at);
    }
}

/// The name of a job. Reports a job without a name, and an item that is not a mapping.
pub fn job_name<'n>(job: Node<'n>, at: &Place<'_>) -> &'n str {
    if !job.is_mapping() {
        invalid("a scrape configuration must be a mapping", at);
    } else if !is_filled(job, "job_name") {
        invalid("a scrape configuration needs `job_name`", at);
    }
    job.text("job_name")
}

fn check_job(job: Node<'_>, times: &ScrapeTimes<'_>, conditions: Conditions<'_>, at: &Place<'_>) {
    let (interval, timeout) = (job.text("scrape_interval"), job.text("scrape_timeout"));
    let (interval_at, timeout_at) = (at.key("scrape_interval"), at.key("scrape_timeout"));
    for (field, at) in [("scrape_interval", &interval_at), ("scrape_timeout", &timeout_at)] {
        match job.get(field).map(Node::value) {
            Some(NodeValue::Int(1..) | NodeValue::Float(_) | NodeValue::String("")) => no_duration("", at),
            _ => duration(job.text(field), at),
        }
    }
    times.check(interval, timeout, &interval_at, &timeout_at);
    let size = job.get("body_size_limit").and_then(scalar);
    if size.is_some_and(|size| !is_base2_bytes(&size)) {
        let message = "`body_size_limit` must be a size such as `10MB`";
        invalid(message, &at.key("body_size_limit"));
    }
    proxy_url(job.text("proxy_url"), &at.key("proxy_url"));
    relabel_rules(job, "relabel_configs", at);
    relabel_rules(job, "metric_relabel_configs", at);
    client(job, conditions, at);
    for entry in job.entries().filter(|entry| entry.key.ends_with("_sd_configs")) {
        let at = at.key(entry.key);
        for (i, discovery) in entry.value.items().enumerate() {
            client(discovery, conditions, &at.index(i));
        }
    }
    static_targets(job, at);
}

fn static_targets(job: Node<'_>, at: &Place<'_>) {
    let has_rules = job.items_at("relabel_configs").next().is_some();
    let at = at.key("static_configs");
    for (i, group) in job.items_at("static_configs").enumerate() {
        let at = at.index(i);
        let mut targets = group.items_at("targets").filter_map(Node::as_str);
        if !has_rules && targets.any(|target| target.contains('/')) {
            let message = "a target is a URL or a path, expected host and port";
            invalid(message, &at.key("targets"));
        }
        for entry in group.entries_at("labels") {
            label_name(entry.key, &at.key("labels"));
        }
    }
}

/// Checks the relabelling rules in a list, with the field names of the agent's configuration.
pub fn relabel_rules(job: Node<'_>, field: &str, at: &Place<'_>) {
    let at = at.key(field);
    for (i, rule) in job.items_at(field).enumerate().filter(|(_, rule)| !rule.is_null()) {
        check_rule(rule, Spelling::Configuration, &at.index(i));
    }
}

/// Checks the authentication and TLS of a job.
fn client(job: Node<'_>, conditions: Conditions<'_>, at: &Place<'_>) {
    let kinds = [
        ("basic_auth", is_set(job, "basic_auth")),
        ("authorization", is_set(job, "authorization")),
        ("oauth2", is_set(job, "oauth2")),
        ("bearer_token", is_filled(job, "bearer_token")),
        ("bearer_token_file", is_filled(job, "bearer_token_file")),
    ];
    one_kind(&kinds, at);
    // What is given as a value is not given as a file too.
    for (field, value, file) in [
        ("basic_auth", "username", "username_file"),
        ("basic_auth", "password", "password_file"),
        ("authorization", "credentials", "credentials_file"),
        ("oauth2", "client_secret", "client_secret_file"),
    ] {
        if let Some(node) = job.get(field) {
            let kinds = [(value, is_filled(node, value)), (file, is_filled(node, file))];
            one_kind(&kinds, &at.key(field));
        }
    }
    let kind = job.get("authorization").map(|node| node.text("type").trim());
    if kind.is_some_and(|kind| kind.eq_ignore_ascii_case("basic")) {
        let message = "`authorization` cannot be of type `basic`, use `basic_auth`";
        invalid(message, &at.key("authorization"));
    }
    if let Some(oauth2) = job.get("oauth2").filter(|node| node.is_mapping()) {
        for field in ["client_id", "token_url"] {
            if !is_filled(oauth2, field) {
                invalid(format!("`oauth2` needs `{field}`"), &at.key("oauth2"));
            }
        }
    }
    let oauth2_at = at.key("oauth2");
    let of_oauth2 = job.get("oauth2").and_then(|oauth2| oauth2.get("tls_config"));
    for (tls, at) in [(job.get("tls_config"), at), (of_oauth2, &oauth2_at)] {
        if let Some(tls) = tls {
            inline_certificates(tls, conditions, &at.key("tls_config"));
        }
    }
    if let Some(tls) = job.get("tls_config") {
        let either = |one: &str, other: &str| is_filled(tls, one) || is_filled(tls, other);
        let (has_certificate, has_key) = (either("cert", "cert_file"), either("key", "key_file"));
        whole_certificate(has_certificate, has_key, &at.key("tls_config"));
    }
}

/// Checks what `tls_config` holds as text (`NewTLSConfig` of Prometheus' `http_config.go`); a `$` in it begins a variable.
fn inline_certificates(tls: Node<'_>, conditions: Conditions<'_>, at: &Place<'_>) {
    let [ca, cert, key] = ["ca", "cert", "key"].map(|field| tls.text(field));
    let is_known = |text: &str| !text.is_empty() && !text.contains('$');
    for (field, text, part) in [
        ("ca", ca, Part::Authority),
        ("cert", cert, Part::Certificate),
        ("key", key, Part::Key),
    ] {
        let problem = is_known(text)
            .then(|| problem(text.as_bytes(), part, conditions))
            .flatten();
        let is_pair = part == Part::Key && is_known(cert);
        let problem = problem.or_else(|| is_pair.then(|| mismatch(text.as_bytes(), cert.as_bytes(), conditions))?);
        if let Some((code, message, help)) = problem {
            at.key(field).report(code, message, help);
        }
    }
}

fn is_set(node: Node<'_>, field: &str) -> bool {
    node.get(field).is_some_and(|value| !value.is_null())
}

fn is_filled(node: Node<'_>, field: &str) -> bool {
    is_set(node, field) && node.get(field).and_then(Node::as_str) != Some("")
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{AGENT, lines, manifest};

    #[test]
    fn texts_with_a_certificate_are_read() {
        let made = rcgen::generate_simple_self_signed(vec!["a".to_owned()]).unwrap();
        let (certificate, key) = (made.cert.pem(), made.signing_key.serialize_pem());
        let count = |tls: serde_json::Value| {
            let jobs = serde_json::json!([{"job_name": "a", "tls_config": tls}]).to_string();
            let secret = serde_json::json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}, "stringData": {"k": jobs}});
            let instance = manifest("MetricsInstance", "m", "{additionalScrapeConfigs: {name: s, key: k}}");
            let found = lines(&[AGENT, &instance, &secret.to_string()]);
            found
                .iter()
                .filter(|line| line.starts_with("invalid-certificate"))
                .count()
        };
        assert_eq!(
            count(serde_json::json!({"ca": certificate, "cert": certificate, "key": key})),
            0
        );
        assert_eq!(count(serde_json::json!({"ca": "${CA}"})), 0);
        assert_eq!(
            count(serde_json::json!({"ca": "x", "cert": key, "key": certificate})),
            3
        );
        let other = rcgen::KeyPair::generate().unwrap().serialize_pem();
        assert_eq!(count(serde_json::json!({"cert": certificate, "key": other})), 1);
    }

    #[test]
    fn a_name_is_taken_only_where_the_operator_writes_it() {
        let instance = "{serviceMonitorSelector: {}, probeSelector: {}, additionalScrapeConfigs: {name: s, key: k}}";
        let duplicates = |job: &str| {
            let monitor = "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {name: shop}\n\
                           spec: {selector: {}, endpoints: [{port: web}]}\n";
            let probe = "apiVersion: monitoring.coreos.com/v1\nkind: Probe\nmetadata: {name: site}\n\
                         spec: {prober: {url: b}, targets: {staticConfig: {static: [a]}}}\n";
            let secret = format!(
                "apiVersion: v1\nkind: Secret\nmetadata: {{name: s}}\nstringData: {{k: '- job_name: {job}'}}\n"
            );
            let found = lines(&[
                AGENT,
                &manifest("MetricsInstance", "m", instance),
                monitor,
                probe,
                &secret,
            ]);
            found.iter().filter(|line| line.starts_with("duplicate-job")).count()
        };
        for taken in ["serviceMonitor/default/shop/0", "probe/default/site"] {
            assert_eq!(duplicates(taken), 1, "{taken}");
        }
        let near = [
            "serviceMonitor/default/shop/00",
            "serviceMonitor/default/shop/0/x",
            "probe/default/site/0",
        ];
        for free in near
            .into_iter()
            .chain(["serviceMonitor/default/shop/1", "podMonitor/default/shop/0"])
        {
            assert_eq!(duplicates(free), 0, "{free}");
        }
    }
}

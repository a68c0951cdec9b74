//! Scrape jobs that a Secret holds as YAML text (`additionalScrapeConfigs`).
//!
//! What: a job that the agent refuses: no `job_name`, the name of another job, a field of the wrong kind, or whatever is
//! wrong with a job of a monitor. Why: the operator copies the text, and the agent refuses its whole configuration.
//! Example: `- job_name: a` twice.

use std::collections::HashSet;

use super::client::{CONFLICT, whole_certificate};
use super::copied::EQUAL_ACTION;
use super::relabel::CONFIGURED;
use super::times;
use crate::api::find;
use crate::check::certificates::{Part, mismatch, problem};
use crate::check::field::{DURATION, LABEL_NAMES, PROXY_URL, UNITS};
use crate::check::walk::Expect::{self, As, AtMostOne, Help, In, OneOf, Required, TextOrEmpty, With};
use crate::check::walk::{Context, Json, Rows, Step, Walk, is_among, present};
use crate::diagnostic::{Code, suggest};
use crate::go::units::is_base2_bytes;
use crate::go::url;
use crate::plan::{EmbeddedYaml, JobName};
use crate::target::agent::keys::{FIELDS, Fields, Form, LATER, is_discovery};
use crate::yaml::{Document, Node, NodeValue};

/// Checks the jobs in the Secret that an instance refers to, and labels the Secret. A text that is not a YAML list is reported when
/// the plan is made, and the operator omits nulls.
pub fn jobs<'v>(selector: Json<'v>, walk: &mut Walk<'v>) {
    let key = walk.secret_key(selector);
    let Some((key, text)) = key.and_then(|key| Some((key, walk.context.hierarchy?.secrets.text(&key)?))) else {
        return;
    };
    let Some(head) = walk.context.head else { return };
    let yaml = EmbeddedYaml::read(head.root.span().source, &text);
    let Some(root) = yaml.document.as_ref().map(Document::root) else {
        return;
    };
    let metrics = walk.context.metrics;
    let context = Context {
        is_secret: true,
        ..walk.context
    };
    let names = metrics
        .into_iter()
        .flat_map(|metrics| metrics.children())
        .flat_map(JobName::of);
    let generated: HashSet<_> = names.map(|name| name.to_string()).collect();
    let mut seen = HashSet::new();
    let secret = walk
        .context
        .resources
        .and_then(|all| find(&all.secrets, key.namespace, key.name));
    let label = secret.map(|secret| (secret.name_span(), "the Secret"));
    walk.text_here(Json::Read(root), context, label, |walk| {
        for (i, node) in root.items().enumerate() {
            let job = Json::Read(node);
            walk.below(Step::Index(i), |walk| match metrics {
                _ if job.is_null() => {}
                None => walk.rows(OF_LOGS, job),
                Some(_) => {
                    walk.rows(NAMED, job);
                    let name = job.text("job_name");
                    let is_again = !name.is_empty() && !seen.insert(name);
                    if is_again || generated.contains(name) {
                        let message = match generated.contains(name) {
                            true => "the operator makes a job with the same `job_name`",
                            false => "an earlier job has the same `job_name`",
                        };
                        let help = "give the job another name";
                        walk.tell(Code::DuplicateJob, &[Step::Key("job_name")], message, help);
                    }
                    form(&yaml, job, walk);
                    walk.rows(JOB, job);
                }
            });
        }
    });
}

const NAMED: Rows = &[("", With(name))];
/// A job of Promtail.
const OF_LOGS: Rows = &[("", With(name)), ("relabel_configs[]", CONFIGURED)];
/// `ScrapeConfig.Validate`.
const JOB: Rows = &[
    ("scrape_interval|scrape_timeout", With(time)),
    (
        "",
        With(|job, walk| times::check(job, ["scrape_interval", "scrape_timeout"], walk)),
    ),
    ("body_size_limit", With(size)),
    ("proxy_url", PROXY_URL),
    ("relabel_configs|metric_relabel_configs[]", CONFIGURED),
    ("relabel_configs|metric_relabel_configs[]", EQUAL_ACTION),
    ("", With(client)),
    ("", With(discoveries)),
    ("", With(static_targets)),
];

/// Checks which fields a job has, and what they hold.
fn form<'v>(yaml: &EmbeddedYaml<'_>, job: Json<'v>, walk: &mut Walk<'v>) {
    let is_agent = walk.context.is_for_agent();
    for (place, known) in FIELDS.iter().filter(|(place, _)| *place != LATER) {
        let known: [&Fields; 2] = [known, if place.is_empty() && !is_agent { later() } else { &[] }];
        walk.each(place, job, |walk, value| {
            if let Json::Read(node) = value {
                fields(yaml, node, known, walk);
            }
        });
    }
    for (_, value) in job.get("params").into_iter().flat_map(Json::entries) {
        if let Json::Read(node) = value {
            has_form(node, Form::List, "params", "a mapping to lists", walk);
        }
    }
}

fn later() -> &'static Fields {
    let later = FIELDS.iter().find(|(place, _)| *place == LATER);
    later.map_or(&[], |(_, fields)| fields)
}

/// Checks that fields are known and have the right form. Unknown fields are reported together, at the first of them.
fn fields(yaml: &EmbeddedYaml<'_>, node: Node<'_>, fields: [&Fields; 2], walk: &mut Walk<'_>) {
    let form_of = |key: &str| {
        let mut forms = fields.iter().copied().flatten();
        forms.find_map(|(form, names)| Some((*form, names.iter().find(|name| **name == key)?)))
    };
    let mut unknown = Vec::new();
    for entry in node.entries().filter(|entry| !entry.value.is_null()) {
        match form_of(entry.key) {
            Some((form, name)) => has_form(entry.value, form, name, form.expected(), walk),
            None if is_discovery(entry.key) => {
                let name = "a field of service discovery";
                has_form(entry.value, Form::List, name, "a list", walk);
            }
            None => unknown.push(entry),
        }
    }
    let [first, others @ ..] = unknown.as_slice() else {
        return;
    };
    let line = yaml.line(first.value.span());
    let more = match others.len() {
        0 => String::new(),
        others => format!(", and {others} more behind it"),
    };
    let message = format!("the agent does not know the field on line {line} of the Secret's text{more}");
    let known = fields.iter().copied().flatten();
    let mut known: Vec<_> = known.flat_map(|(_, names)| names.iter().copied()).collect();
    known.sort_unstable();
    let help = match suggest::closest(first.key, known) {
        Some(known) => format!("write `{known}`, if that is meant"),
        None => "remove the field".to_owned(),
    };
    walk.tell(Code::UnknownScrapeField, &[], message, help);
}

fn has_form(value: Node<'_>, form: Form, name: &str, expected: &str, walk: &mut Walk<'_>) {
    if !value.is_null() && !form.takes(value) {
        invalid(format!("`{name}` must be {expected}"), &[], walk);
    }
}

fn invalid<'v>(message: impl Into<String>, at: &[Step<'v>], walk: &mut Walk<'v>) {
    let help = "correct the scrape configuration in the Secret";
    walk.tell(Code::InvalidScrapeJob, at, message, help);
}

fn name<'v>(job: Json<'v>, walk: &mut Walk<'v>) {
    if !job.is_mapping() {
        invalid("a scrape configuration must be a mapping", &[], walk);
    } else if !job.has("job_name") {
        invalid("a scrape configuration needs `job_name`", &[], walk);
    }
}

/// A duration; zero may be a number.
fn time<'v>(time: Json<'v>, walk: &mut Walk<'v>) {
    match time.value() {
        NodeValue::Int(1..) | NodeValue::Float(_) | NodeValue::String("") => {
            let message = "the value is not a valid Prometheus duration";
            walk.tell(Code::InvalidDuration, &[], message, UNITS);
        }
        _ => walk.rule(&DURATION, time),
    }
}

fn size<'v>(size: Json<'v>, walk: &mut Walk<'v>) {
    if size.scalar().is_some_and(|size| !is_base2_bytes(&size)) {
        invalid("`body_size_limit` must be a size such as `10MB`", &[], walk);
    }
}

fn discoveries<'v>(job: Json<'v>, walk: &mut Walk<'v>) {
    for (key, discoveries) in job.entries().filter(|(key, _)| is_discovery(key)) {
        let kind = DISCOVERIES.iter().find(|(known, _)| *known == key);
        walk.below(Step::Key(key), |walk| {
            walk.each("[]", discoveries, |walk, discovery| {
                if discovery.is_null() {
                    return;
                }
                client(discovery, walk);
                walk.row("refresh_interval", &REFRESH, discovery);
                if let Some((_, rule)) = kind {
                    walk.rule(rule, discovery);
                }
            });
        });
    }
}

/// What some kinds of discovery need (`SDConfig.UnmarshalYAML` of each).
static DISCOVERIES: [(&str, Expect); 4] = [
    ("dns_sd_configs", of_discovery(&In(DNS))),
    ("file_sd_configs", of_discovery(&In(FILE))),
    ("http_sd_configs", of_discovery(&In(HTTP))),
    ("kubernetes_sd_configs", of_discovery(&In(KUBERNETES))),
];
static REFRESH: Expect = With(time);

const fn of_discovery(rules: &'static Expect) -> Expect {
    As(Code::InvalidScrapeJob, rules)
}

const DNS: Rows = &[
    ("names", Required),
    (
        "",
        With(|dns, walk| {
            let kind = dns.text("type").to_ascii_uppercase();
            let has_port = dns.get("port").is_some_and(|port| port.as_i64() != Some(0));
            if !is_among(&kind, "|SRV|A|AAAA|MX") {
                invalid("`type` must be `SRV`, `A`, `AAAA` or `MX`", &[Step::Key("type")], walk);
            } else if is_among(&kind, "A|AAAA|MX") && !has_port {
                invalid("records of this `type` need a `port`", &[], walk);
            }
        }),
    ),
];

const FILE: Rows = &[("files", Required), ("files[]", TextOrEmpty(file))];

/// `patFileSDName`.
fn file(name: &str) -> Option<String> {
    let (stem, extension) = name.rsplit_once('.').unwrap_or_default();
    let is_known = is_among(extension, "json|yml|yaml|JSON|YML|YAML");
    let is_stem = stem.split_once('*').is_none_or(|(_, behind)| !behind.contains('/'));
    let problem = "must be a path to `.json`, `.yml` or `.yaml`, with `*` in its last part only";
    (!(is_known && is_stem)).then(|| problem.to_owned())
}

const HTTP: Rows = &[
    ("url", Required),
    (
        "url",
        Help("write a URL such as `https://host:8080/path`", &TextOrEmpty(http)),
    ),
];

fn http(text: &str) -> Option<String> {
    let is_url = url::scheme(text).is_some_and(|scheme| is_among(&scheme.to_ascii_lowercase(), "http|https"))
        && text
            .split_once("//")
            .is_some_and(|(_, rest)| !rest.is_empty() && !rest.starts_with(['/', '?', '#']));
    (!is_url && !text.contains('$')).then(|| "must be a URL with `http` or `https`, and a host".to_owned())
}

const KUBERNETES: Rows = &[
    ("role", Required),
    ("role", OneOf(ROLES)),
    ("selectors[].role", OneOf(ROLES)),
    ("", AtMostOne("api_server|kubeconfig_file")),
    ("", With(kubernetes)),
];
const ROLES: &str = "node|pod|service|endpoints|endpointslice|ingress";
const CLIENT: &str = "authorization|basic_auth|bearer_token|bearer_token_file|oauth2|proxy_url|tls_config";

fn kubernetes<'v>(discovery: Json<'v>, walk: &mut Walk<'v>) {
    let mut client = present(CLIENT, discovery).filter(|field| is_filled(discovery, field));
    if let Some(field) = client.next().filter(|_| !discovery.has("api_server")) {
        invalid(format!("`{field}` needs an `api_server`"), &[], walk);
    }
    if discovery.is_on("namespaces.own_namespace")
        && let Some(server) = present("api_server|kubeconfig_file", discovery).next()
    {
        invalid(format!("`own_namespace` and `{server}` cannot be combined"), &[], walk);
    }
    let role = discovery.text("role");
    let mut seen = HashSet::new();
    for (i, selector) in discovery.list("selectors").enumerate() {
        let at = [Step::Key("selectors"), Step::Index(i)];
        let selected = selector.text("role");
        let is_allowed =
            selected == role || matches!(role, "endpoints" | "endpointslice") && matches!(selected, "pod" | "service");
        if is_among(role, ROLES) && (selected.is_empty() || is_among(selected, ROLES)) && !is_allowed {
            let and = if role.starts_with("endpoint") {
                ", `pod` or `service`"
            } else {
                ""
            };
            invalid(
                format!("a selector must be of the `role` of the discovery{and}"),
                &at,
                walk,
            );
        } else if !seen.insert(selected) {
            invalid("an earlier selector has the same `role`", &at, walk);
        }
    }
}

fn static_targets<'v>(job: Json<'v>, walk: &mut Walk<'v>) {
    let has_rules = job.list("relabel_configs").next().is_some();
    walk.each("static_configs[]", job, |walk, group| {
        let mut targets = group.list("targets").filter_map(Json::as_str);
        if !has_rules && targets.any(|target| target.contains('/')) {
            let message = "a target is a URL or a path, expected host and port";
            invalid(message, &[Step::Key("targets")], walk);
        }
        walk.row("labels", &LABEL_NAMES, group);
    });
}

/// Checks the authentication and TLS of a job (`HTTPClientConfig.Validate`).
fn client<'v>(job: Json<'v>, walk: &mut Walk<'v>) {
    walk.rows(AUTHENTICATION, job);
    let kind = job.at("authorization.type").and_then(Json::as_str);
    if kind.is_some_and(|kind| kind.trim().eq_ignore_ascii_case("basic")) {
        let message = "`authorization` cannot be of type `basic`, use `basic_auth`";
        invalid(message, &[Step::Key("authorization")], walk);
    }
    if let Some(oauth2) = job.get("oauth2").filter(|oauth2| oauth2.is_mapping()) {
        let lacks = ["client_id", "token_url"]
            .into_iter()
            .filter(|field| !oauth2.has(field));
        for field in lacks {
            invalid(format!("`oauth2` needs `{field}`"), &[Step::Key("oauth2")], walk);
        }
    }
    proxy(job, walk);
    walk.each("oauth2", job, |walk, oauth2| proxy(oauth2, walk));
    walk.rows(CERTIFICATES, job);
    walk.rows(TLS_VERSIONS, job);
    if let Some(tls) = job.get("tls_config") {
        let has = |fields| present(fields, tls).next().is_some();
        let at = [Step::Key("tls_config")];
        whole_certificate(has("cert|cert_file"), has("key|key_file"), &at, walk);
    }
}

/// One kind of authentication, and what is given as a value is not given as a file too.
const AUTHENTICATION: Rows = &[
    ("", As(CONFLICT, &AtMostOne(KINDS))),
    ("basic_auth", As(CONFLICT, &AtMostOne("username|username_file"))),
    ("basic_auth", As(CONFLICT, &AtMostOne("password|password_file"))),
    (
        "authorization",
        As(CONFLICT, &AtMostOne("credentials|credentials_file")),
    ),
    ("oauth2", As(CONFLICT, &AtMostOne("client_secret|client_secret_file"))),
];
const KINDS: &str = "basic_auth|authorization|oauth2|bearer_token|bearer_token_file";
const CERTIFICATES: Rows = &[
    ("tls_config", With(inline_certificates)),
    ("oauth2.tls_config", With(inline_certificates)),
];

const TLS_VERSIONS: Rows = &[
    (
        "tls_config.min_version|max_version",
        As(Code::InvalidScrapeJob, &OneOf(VERSIONS)),
    ),
    (
        "oauth2.tls_config.min_version|max_version",
        As(Code::InvalidScrapeJob, &OneOf(VERSIONS)),
    ),
];
const VERSIONS: &str = "|TLS10|TLS11|TLS12|TLS13";

/// Whether a field is not an empty mapping.
fn is_filled(client: Json<'_>, field: &str) -> bool {
    let value = client.get(field).filter(|value| value.is_mapping());
    value.is_none_or(|value| value.entries().next().is_some())
}

/// `ProxyConfig.Validate`.
fn proxy<'v>(client: Json<'v>, walk: &mut Walk<'v>) {
    let from_environment = client.is_on("proxy_from_environment");
    if let Some(field) = present("proxy_url|no_proxy", client)
        .next()
        .filter(|_| from_environment)
    {
        invalid(
            format!("`proxy_from_environment` and `{field}` cannot be combined"),
            &[],
            walk,
        );
    } else if !from_environment && !client.has("proxy_url") {
        let lacking = present("no_proxy|proxy_connect_header", client).next();
        if let Some(field) = lacking.filter(|field| is_filled(client, field)) {
            invalid(format!("`{field}` needs a `proxy_url`"), &[], walk);
        }
    }
}

/// Checks what `tls_config` holds as text (`NewTLSConfig` of Prometheus' `http_config.go`); a `$` in it begins a variable.
fn inline_certificates<'v>(tls: Json<'v>, walk: &mut Walk<'v>) {
    let Some(conditions) = walk.context.conditions else {
        return;
    };
    let known = |field| Some(tls.text(field)).filter(|text| !text.is_empty() && !text.contains('$'));
    for (field, part) in [("ca", Part::Authority), ("cert", Part::Certificate), ("key", Part::Key)] {
        let Some(text) = known(field) else { continue };
        let certificate = known("cert").filter(|_| part == Part::Key);
        let pair = || mismatch(text.as_bytes(), certificate?.as_bytes(), conditions);
        if let Some((code, message, help)) = problem(text.as_bytes(), part, conditions).or_else(pair) {
            walk.tell(code, &[Step::Key(field)], message, help);
        }
    }
}

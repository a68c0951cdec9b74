//! Scrape jobs that a Secret holds as YAML text (`additionalScrapeConfigs`).
//!
//! What: a job that the agent refuses: no `job_name`, the name of another job, a field of the wrong kind, or whatever is
//! wrong with a job of a monitor. Why: the operator copies the text, and the agent refuses its whole configuration.
//! Example: `- job_name: a` twice.

use std::collections::HashSet;

use super::client::{CONFLICT, whole_certificate};
use super::copied::EQUAL_ACTION;
use super::discovery;
use super::relabel::CONFIGURED;
use super::times;
use crate::api::find;
use crate::check::certificates::{Part, mismatch, problem};
use crate::check::field::{DURATION, LABEL_NAMES, PROXY_URL, UNITS};
use crate::check::variables::Expansion;
use crate::check::walk::Expect::{self, As, AtMostOne, OneOf, With};
use crate::check::walk::{Context, Json, Rows, Step, Walk, present};
use crate::diagnostic::{Code, suggest};
use crate::go::units::is_base2_bytes;
use crate::plan::{EmbeddedYaml, JobName};
use crate::target::agent::keys::{DISCOVERY_FIELDS, FIELDS, LATER, LOG_FIELDS, LOGS, is_discovery};
use crate::yaml::{Document, GoType, GoYaml, Node, NodeValue};

/// Checks the jobs in the Secret that an instance refers to, and labels the Secret. A text that is not a YAML list is reported when
/// the plan is made, and the operator omits nulls. `of_logs` are the rules for a job of logs.
pub fn jobs<'v>(selector: Json<'v>, of_logs: Rows, walk: &mut Walk<'v>) {
    let key = walk.secret_key(selector);
    let Some((key, text)) = key.and_then(|key| Some((key, walk.context.hierarchy?.secrets.text(&key)?))) else {
        return;
    };
    let Some(head) = walk.context.head else { return };
    let text = match walk.context.hierarchy {
        Some(hierarchy) if walk.context.is_for_agent() => Expansion::of(hierarchy).text(&text).into_owned().into(),
        _ => text,
    };
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
                None => {
                    walk.rows(NAMED, job);
                    walk.rows(OF_LOGS, job);
                    // What Alloy has none of is left out, with a warning.
                    if let Json::Read(node) = job
                        && walk.context.is_for_agent()
                    {
                        fields(&yaml, node, LOGS, walk);
                        walk.rows(of_logs, job);
                    }
                }
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
const OF_LOGS: Rows = &[("relabel_configs[]", CONFIGURED), ("", With(discovery::check))];
/// `ScrapeConfig.Validate`.
const JOB: Rows = &[
    ("scrape_interval|scrape_timeout", With(time)),
    (
        "",
        With(|job, walk| times::check(job, ["scrape_interval", "scrape_timeout"], walk)),
    ),
    ("body_size_limit", With(size)),
    ("relabel_configs|metric_relabel_configs[]", CONFIGURED),
    ("relabel_configs|metric_relabel_configs[]", EQUAL_ACTION),
    ("", With(client)),
    ("", With(discovery::check)),
    ("", With(static_targets)),
];

/// Checks which fields a job has, and whether the agent can read them. go-yaml reads strictly (`yaml.UnmarshalStrict`).
fn form<'v>(yaml: &EmbeddedYaml<'_>, job: Json<'v>, walk: &mut Walk<'v>) {
    if let Json::Read(node) = job {
        fields(yaml, node, "", walk);
    }
}

/// The fields of the struct that this field holds, as the program that runs has them; none if it is not known.
fn fields_of(place: &str, is_agent: bool) -> impl Iterator<Item = &'static (GoType, Vec<&'static str>)> {
    let discoveries = is_agent.then_some(&*DISCOVERY_FIELDS).into_iter().flatten();
    let is_later = place.is_empty() && !is_agent;
    let structs = FIELDS.iter().chain(discoveries).chain(&*LOG_FIELDS);
    let structs = structs.filter(move |(known, _)| *known == place || is_later && *known == LATER);
    structs.flat_map(|(_, fields)| fields.iter())
}

/// Checks that the fields of a struct are known and have the right type. Unknown fields are reported together, at the first of them.
fn fields<'v>(yaml: &EmbeddedYaml<'_>, node: Node<'v>, place: &str, walk: &mut Walk<'v>) {
    let is_agent = walk.context.is_for_agent();
    let known: Vec<_> = fields_of(place, is_agent).collect();
    if known.is_empty() {
        return;
    }
    let mut unknown = Vec::new();
    for entry in node.entries().filter(|entry| !entry.value.is_null()) {
        let mut types = known.iter().filter(|(_, names)| names.contains(&entry.key));
        let discoveries = GoType::List(Box::new(GoType::Struct("discovery".into())));
        let go_type = match types.next() {
            Some((go_type, _)) => go_type,
            None if place.is_empty() && is_discovery(entry.key) => &discoveries,
            None => {
                unknown.push(entry);
                continue;
            }
        };
        if fits(go_type, entry.key, entry.value, walk) {
            walk.below(Step::Key(entry.key), |walk| structs(yaml, entry.key, entry.value, walk));
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
    let mut names: Vec<_> = known.iter().flat_map(|(_, names)| names.iter().copied()).collect();
    names.sort_unstable();
    let help = match suggest::closest(first.key, names) {
        Some(known) => format!("write `{known}`, if that is meant"),
        None => "remove the field".to_owned(),
    };
    walk.tell(Code::UnknownScrapeField, &[], message, help);
}

/// Goes into the struct, or the structs, that a field holds.
fn structs<'v>(yaml: &EmbeddedYaml<'_>, key: &str, value: Node<'v>, walk: &mut Walk<'v>) {
    match value.value() {
        NodeValue::Mapping => fields(yaml, value, key, walk),
        NodeValue::Sequence => {
            for (i, item) in value
                .items()
                .enumerate()
                .filter(|(_, item)| item.value() == NodeValue::Mapping)
            {
                walk.below(Step::Index(i), |walk| fields(yaml, item, &format!("{key}[]"), walk));
            }
        }
        _ => {}
    }
}

/// Whether the agent can read a value and what is in it as this type; reports it if it cannot. A variable may stand for anything.
fn fits(go_type: &GoType, name: &str, value: Node<'_>, walk: &mut Walk<'_>) -> bool {
    let is_variable = |value: Node<'_>| matches!(value.value(), NodeValue::String(text) if text.contains('$'));
    let misfits =
        |go_type: &GoType, value: Node<'_>| go_type.misfit(value.value(), GoYaml::V2).is_some() && !is_variable(value);
    let is_wrong = misfits(go_type, value)
        || match go_type {
            GoType::List(item) => value.items().any(|value| misfits(item, value)),
            GoType::Map(of) => value.entries().any(|entry| {
                let is_wrong = misfits(of, entry.value);
                is_wrong || matches!(&**of, GoType::List(item) if entry.value.items().any(|value| misfits(item, value)))
            }),
            _ => false,
        };
    if is_wrong {
        invalid(format!("`{name}` must be {}", go_type.expected()), &[], walk);
    }
    !is_wrong
}

pub(super) fn invalid<'v>(message: impl Into<String>, at: &[Step<'v>], walk: &mut Walk<'v>) {
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
pub(super) fn time<'v>(time: Json<'v>, walk: &mut Walk<'v>) {
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
pub(in crate::check) fn client<'v>(job: Json<'v>, walk: &mut Walk<'v>) {
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
    walk.rows(TLS, job);
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

const TLS: Rows = &[
    ("proxy_url", PROXY_URL),
    ("oauth2.proxy_url", PROXY_URL),
    ("tls_config", With(tls)),
    ("oauth2.tls_config", With(tls)),
    ("tls_config", With(|tls, walk| versions_in_order(tls, false, walk))),
    // The client for tokens is made when the first one is asked for.
    (
        "oauth2.tls_config",
        With(|tls, walk| versions_in_order(tls, true, walk)),
    ),
];

/// `TLSConfig.Validate`, and what `TLSVersion.UnmarshalYAML` accepts.
fn tls<'v>(tls: Json<'v>, walk: &mut Walk<'v>) {
    inline_certificates(tls, walk);
    for pair in ["ca|ca_file", "cert|cert_file", "key|key_file"] {
        let mut present = present(pair, tls);
        if let (Some(first), Some(second)) = (present.next(), present.next()) {
            invalid(format!("`{first}` and `{second}` cannot be combined"), &[], walk);
        }
    }
    walk.row("min_version|max_version", &VERSION, tls);
    let has = |fields| present(fields, tls).next().is_some();
    whole_certificate(has("cert|cert_file"), has("key|key_file"), &[], walk);
}

static VERSION: Expect = As(Code::InvalidScrapeJob, &OneOf(VERSIONS));
const VERSIONS: &str = "|TLS10|TLS11|TLS12|TLS13";

/// Reports a least version above the most recent one (`NewTLSConfig`): the agent runs, but the job does not.
fn versions_in_order<'v>(tls: Json<'v>, is_mild: bool, walk: &mut Walk<'v>) {
    let place = |field| {
        let version = Some(tls.text(field)).filter(|version| !version.is_empty());
        VERSIONS.split('|').position(|known| Some(known) == version)
    };
    if place("min_version")
        .zip(place("max_version"))
        .is_some_and(|(least, most)| least > most)
    {
        let help = "correct the scrape configuration in the Secret";
        let message = "`max_version` must not be older than `min_version`";
        walk.tell(Code::InvalidScrapeJob, &[Step::Key("max_version")], message, help)
            .mild |= is_mild;
    }
}

/// Whether a field is not an empty mapping.
pub(super) fn is_filled(client: Json<'_>, field: &str) -> bool {
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

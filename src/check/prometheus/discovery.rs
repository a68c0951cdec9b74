//! Service discovery in additional scrape jobs.
//!
//! Reports discovery sections, such as `docker_sd_configs` without `host`, that the mechanism's
//! `SDConfig.UnmarshalYAML` rejects (in the subdirectories of Prometheus' `discovery`). A single invalid section makes
//! the agent reject its entire configuration.

use std::collections::HashSet;

use super::http_client::{check_client, report_invalid};
use crate::check::decode::SAME_DISCOVERIES;
use crate::check::walk::Expect::{
    self, As, AtMostOne, ExactlyOne, Help, In, Is, OneOf, Required, Text, TextOrEmpty, With,
};
use crate::check::walk::{Json, Rows, Step, Walk, is_among, present_fields};
use crate::diagnostic::Code;
use crate::go::label_selector::ParsedSelector;
use crate::go::{duration, field_selector, url};
use crate::programs::types::is_discovery;
use crate::yaml::NodeValue;

/// Checks the discovery sections in a job.
pub fn check<'v>(job: Json<'v>, walk: &mut Walk<'v>) {
    for (key, discoveries) in job.entries().filter(|(key, _)| is_discovery(key)) {
        let name = key.strip_suffix("_sd_configs").unwrap_or_default();
        // Alloy uses a newer version of Prometheus, in which only these mechanisms have the same requirements.
        let is_known = walk.context.is_for_agent() || is_among(name, SAME_DISCOVERIES);
        let kind = KINDS.iter().find(|(candidate, _)| is_known && name == *candidate);
        walk.enter(Step::Key(key), |walk| {
            walk.for_each("[]", discoveries, |walk, discovery| {
                if discovery.is_null() {
                    return;
                }
                check_client(discovery, walk);
                walk.check_row("refresh_interval", &PERIOD, discovery);
                if let Some((_, rule)) = kind {
                    walk.check_rule(rule, discovery);
                }
            });
        });
    }
}

/// Expects an interval above zero. In every discovery mechanism that refreshes periodically, `Discovery.Run` calls
/// `time.NewTicker`, which panics on any other interval.
static PERIOD: Expect = With(|interval, walk| {
    if interval.scalar().is_some_and(|interval| duration::parse_prometheus(&interval) == Some(0)) {
        let message = "the agent crashes if the interval is zero";
        walk.report_with_code(
            Code::InvalidDuration,
            &[],
            message,
            "use an interval greater than zero, or remove the field",
        );
    }
});

/// Service discovery mechanisms and their required settings. All other settings have defaults in the agent.
pub static KINDS: [(&str, Expect); 25] = [
    ("azure", kind(&In(AZURE))),
    ("consul", kind(&In(CONSUL))),
    ("consulagent", kind(&In(&[("server", IS_SET)]))),
    ("dns", kind(&In(DNS))),
    ("docker", kind(&In(&[("host", Required), ("host", DOCKER_HOST)]))),
    ("dockerswarm", kind(&In(DOCKERSWARM))),
    ("ec2", kind(&In(EC2))),
    ("eureka", kind(&In(&[("server", Required), ("server", SERVER)]))),
    ("file", kind(&In(FILE))),
    ("gce", kind(&In(&[("project|zone", Required)]))),
    ("hetzner", kind(&In(&[("role", Required), ("role", OneOf("robot|hcloud"))]))),
    ("http", kind(&In(&[("url", Required), ("url", HTTP_URL)]))),
    ("ionos", kind(&In(&[("datacenter_id", Required)]))),
    ("kubernetes", kind(&In(KUBERNETES))),
    ("kuma", kind(&In(&[("server", Required), ("server", SERVER)]))),
    ("marathon", kind(&In(MARATHON))),
    ("nerve", kind(&In(ZOOKEEPER))),
    ("nomad", kind(&In(&[("server", IS_SET)]))),
    ("openstack", kind(&In(OPENSTACK))),
    ("ovhcloud", kind(&In(OVHCLOUD))),
    ("puppetdb", kind(&In(&[("url|query", Required), ("url", HTTP_URL)]))),
    ("scaleway", kind(&In(SCALEWAY))),
    ("serverset", kind(&In(ZOOKEEPER))),
    ("triton", kind(&In(TRITON))),
    ("uyuni", kind(&In(&[("server|username|password", Required), ("server", URL)]))),
];

const fn kind(rules: &'static Expect) -> Expect {
    As(Code::InvalidScrapeJob, rules)
}

const AZURE: Rows = &[
    ("subscription_id", Required),
    ("authentication_method", OneOf("OAuth|ManagedIdentity")),
    (
        "",
        With(|azure, walk| {
            if matches!(azure.text("authentication_method"), "" | "OAuth") {
                walk.check_row("tenant_id|client_id|client_secret", &Required, azure);
            }
        }),
    ),
];

const CONSUL: Rows = &[
    ("server", IS_SET),
    (
        "",
        With(|consul, walk| {
            let user = present_fields("username|password", consul).next();
            report_conflicting_field(user, "basic_auth", consul, walk);
            let token = present_fields("token", consul).next();
            let other = present_fields("authorization|oauth2", consul).next().unwrap_or_default();
            report_conflicting_field(token, other, consul, walk);
        }),
    ),
];

/// Reports a field that conflicts with a client setting in the same discovery section.
fn report_conflicting_field<'v>(field: Option<&str>, other: &str, discovery: Json<'v>, walk: &mut Walk<'v>) {
    if let Some(field) = field.filter(|_| discovery.has(other)) {
        report_invalid(format!("`{field}` and `{other}` cannot be combined"), &[], walk);
    }
}

/// Expects a non-blank string if the field is set.
const IS_SET: Expect = With(|text, walk| {
    if text.as_str().is_some_and(|text| text.trim().is_empty()) {
        walk.report(&[], "must not be empty");
    }
});

/// Expects the address of a Docker daemon (`client.WithHost` in docker). A job with any other address finds no targets.
const DOCKER_HOST: Expect = Help(
    "write an address such as `unix:///var/run/docker.sock` or `tcp://host:2375`",
    &TextOrEmpty(docker_host_problem),
);

fn docker_host_problem(text: &str) -> Option<String> {
    /// Length of a socket's path, including the null byte (`syscall.RawSockaddrUnix`).
    const MAX_PATH: usize = 108;
    let problem = match text.split_once("://") {
        _ if text.contains('$') => return None,
        Some(("unix", path)) if path.len() > MAX_PATH => "must be a shorter path",
        Some(("npipe", _)) => "must not be a Windows pipe",
        Some((_, address)) if !address.is_empty() => return url_problem(text),
        _ => "must be an address with a scheme",
    };
    url_problem(text).or_else(|| Some(problem.to_owned()))
}

const DOCKERSWARM: Rows = &[("host|role", Required), ("host", DOCKER_HOST), ("role", OneOf("services|nodes|tasks"))];

/// Rules for EC2. If the region is missing, the agent queries the machine's metadata.
const EC2: Rows = &[("filters[].values", Required)];

const MARATHON: Rows = &[
    ("servers", Required),
    ("", AtMostOne("auth_token|auth_token_file")),
    (
        "",
        With(|marathon, walk| {
            let token = present_fields("auth_token|auth_token_file", marathon).next();
            let mut clients = present_fields("basic_auth|bearer_token|bearer_token_file|authorization", marathon);
            report_conflicting_field(token, clients.next().unwrap_or_default(), marathon, walk);
        }),
    ),
];

/// Rules for `ServersetSDConfig` and `NerveSDConfig`.
const ZOOKEEPER: Rows = &[
    ("servers|paths", Required),
    ("paths[]", Is(|path| path.starts_with('/') || path.contains('$'), "must begin with `/`")),
];

const OPENSTACK: Rows = &[
    ("role|region", Required),
    ("role", OneOf("hypervisor|instance")),
    ("availability", OneOf("public|internal|admin")),
];

const OVHCLOUD: Rows = &[
    ("application_key|application_secret|consumer_key|service", Required),
    ("service", OneOf("dedicated_server|vps")),
];

/// Rules for Scaleway, from `SDConfig.UnmarshalYAML`, which creates a client (`scw.NewClient`), and from the SDK's
/// `settings.validate`.
const SCALEWAY: Rows = &[
    ("role|project_id|access_key", Required),
    ("role", OneOf("instance|baremetal")),
    ("", ExactlyOne("secret_key|secret_key_file")),
    ("project_id|secret_key", Is(is_uuid, "must be a UUID")),
    ("access_key", Is(is_access_key, "must be `SCW` followed by 17 capital letters or digits")),
];

fn is_uuid(text: &str) -> bool {
    let mut parts = text.split('-').map(|part| part.bytes().all(|b| b.is_ascii_hexdigit()).then_some(part.len()));
    let lengths = [8, 4, 4, 4, 12].map(|length| parts.next().flatten() == Some(length));
    text.contains('$') || lengths.iter().all(|fits| *fits) && parts.next().is_none()
}

fn is_access_key(text: &str) -> bool {
    let is_part = |part: &str| part.len() == 17 && part.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
    text.contains('$') || text.strip_prefix("SCW").is_some_and(is_part)
}

const TRITON: Rows = &[("account|dns_suffix|endpoint", Required), ("role", OneOf("container|cn"))];

/// Expects a URL that `url.Parse` accepts.
const URL: Expect = Help(URL_HELP, &TextOrEmpty(url_problem));
const URL_HELP: &str = "write a URL such as `https://host:8080/path`";

fn url_problem(text: &str) -> Option<String> {
    let problem = url::problem(text).filter(|_| !text.contains('$'))?;
    Some(problem.to_owned())
}

/// Expects a URL with a scheme and a host.
const SERVER: Expect = Help(URL_HELP, &TextOrEmpty(server_problem));

fn server_problem(text: &str) -> Option<String> {
    let is_server = url::scheme(text).is_some() && has_host(text);
    let problem = (!is_server && !text.contains('$')).then(|| "must be a URL with a scheme and a host".to_owned());
    url_problem(text).or(problem)
}

/// Expects a URL with a host and the `http` or `https` scheme.
const HTTP_URL: Expect = Help(URL_HELP, &TextOrEmpty(http_url_problem));

fn http_url_problem(text: &str) -> Option<String> {
    let scheme = url::scheme(text).map(str::to_ascii_lowercase);
    let is_url = scheme.is_some_and(|scheme| is_among(&scheme, "http|https")) && has_host(text);
    let problem = (!is_url && !text.contains('$')).then(|| "must be an `http` or `https` URL with a host".to_owned());
    url_problem(text).or(problem)
}

fn has_host(text: &str) -> bool {
    let rest = text.split_once("//").map(|(_, rest)| rest);
    rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['/', '?', '#']))
}

const DNS: Rows = &[
    ("names", Required),
    (
        "",
        With(|dns, walk| {
            let kind = dns.text("type").to_ascii_uppercase();
            let has_port = dns.get("port").is_some_and(|port| port.as_i64() != Some(0));
            if !is_among(&kind, "|SRV|A|AAAA|MX") {
                report_invalid("`type` must be `SRV`, `A`, `AAAA` or `MX`", &[Step::Key("type")], walk);
            } else if is_among(&kind, "A|AAAA|MX") && !has_port {
                report_invalid("records of this `type` require a `port`", &[], walk);
            }
        }),
    ),
];

const FILE: Rows = &[("files", Required), ("files[]", Text(file_name_problem))];

/// Port of Prometheus' `patFileSDName`.
fn file_name_problem(name: &str) -> Option<String> {
    let (stem, extension) = name.rsplit_once('.').unwrap_or_default();
    let is_known = is_among(extension, "json|yml|yaml|JSON|YML|YAML");
    let is_stem = stem.split_once('*').is_none_or(|(_, after)| !after.contains('/'));
    let problem =
        "must be a path that ends with `.json`, `.yml` or `.yaml`, and can contain `*` only after the last `/`";
    (!(is_known && is_stem)).then(|| problem.to_owned())
}

const KUBERNETES: Rows = &[
    ("role", Required),
    ("role", OneOf(ROLES)),
    ("selectors[].role", OneOf(ROLES)),
    ("selectors[].label", Is(is_label_selector, "must be a label selector such as `a=b`")),
    ("selectors[].field", Is(is_field_selector, "must be a field selector such as `spec.nodeName=a`")),
    ("", AtMostOne("api_server|kubeconfig_file")),
    ("api_server", URL),
    ("", With(check_kubernetes)),
];
const ROLES: &str = "node|pod|service|endpoints|endpointslice|ingress";

fn is_label_selector(text: &str) -> bool {
    text.contains('$') || ParsedSelector::parse(text).is_some()
}

fn is_field_selector(text: &str) -> bool {
    text.contains('$') || field_selector::parse(text).is_some()
}

/// Returns the first setting of the HTTP client that differs from `DefaultHTTPClientConfig`, as compared by
/// `reflect.DeepEqual`. An empty section or an empty proxy URL also differs.
fn client_setting(discovery: Json<'_>) -> Option<&'static str> {
    const FIELDS: [&str; 12] = [
        "authorization",
        "basic_auth",
        "bearer_token",
        "bearer_token_file",
        "enable_http2",
        "follow_redirects",
        "no_proxy",
        "oauth2",
        "proxy_connect_header",
        "proxy_from_environment",
        "proxy_url",
        "tls_config",
    ];
    let is_default =
        |value: Json<'_>| matches!(value.value(), NodeValue::Null | NodeValue::String("") | NodeValue::Bool(false));
    FIELDS.into_iter().find(|field| match (*field, discovery.non_null(field)) {
        (_, None) => false,
        ("enable_http2" | "follow_redirects", Some(value)) => value.is(false),
        ("tls_config", Some(tls)) => tls.entries().any(|(_, value)| !is_default(value)),
        ("proxy_url", Some(_)) => true,
        (_, Some(value)) => value.is_mapping() || !is_default(value),
    })
}

fn check_kubernetes<'v>(discovery: Json<'v>, walk: &mut Walk<'v>) {
    if discovery.non_null("api_server").is_none()
        && let Some(field) = client_setting(discovery)
    {
        report_invalid(format!("`{field}` needs an `api_server`"), &[], walk);
    }
    if discovery.is_true("namespaces.own_namespace")
        && let Some(server) = present_fields("api_server|kubeconfig_file", discovery).next()
    {
        report_invalid(format!("`own_namespace` and `{server}` cannot be combined"), &[], walk);
    }
    let role = discovery.text("role");
    let mut seen_roles = HashSet::new();
    for (i, selector) in discovery.list("selectors").enumerate() {
        let at = [Step::Key("selectors"), Step::Index(i)];
        let selected_role = selector.text("role");
        let is_allowed = selected_role == role
            || matches!(role, "endpoints" | "endpointslice") && matches!(selected_role, "pod" | "service");
        if is_among(role, ROLES) && (selected_role.is_empty() || is_among(selected_role, ROLES)) && !is_allowed {
            let and_alternatives = if role.starts_with("endpoint") { ", or the role `pod` or `service`" } else { "" };
            report_invalid(
                format!("a selector must have the same `role` as its discovery section{and_alternatives}"),
                &at,
                walk,
            );
        } else if !seen_roles.insert(selected_role) {
            report_invalid("an earlier selector has the same `role`", &at, walk);
        }
    }
}

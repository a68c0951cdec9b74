//! What the agent tells the integrations of one name apart by (`Identifier` in `static/integrations/v2`).

use std::borrow::Cow;

use crate::check::conditions::Conditions;
use crate::check::walk::{Json, Step, Walk};
use crate::diagnostic::Code;
use crate::go::url;
use crate::target::Target;
use crate::yaml::Node;

/// By integration, the key that gives its identity where `instance` does not, and the default of that key. Those of which an
/// agent may have only one need none; those that are missing here have a hash of their configuration.
const KEYS: [(&str, &str, &str); 16] = [
    ("apache_http", "scrape_uri", "http://localhost/server-status?auto"),
    ("app_agent_receiver", "", ""),
    ("consul", "server", "http://localhost:8500"),
    ("dnsmasq", "dnsmasq_address", "localhost:53"),
    ("elasticsearch", "address", "http://localhost:9200"),
    ("github", "api_url", "https://api.github.com"),
    ("kafka", "kafka_uris", ""),
    ("memcached", "memcached_address", "localhost:11211"),
    ("mongodb", "mongodb_uri", ""),
    ("mssql", "connection_string", ""),
    ("mysql", "data_source_name", ""),
    ("oracledb", "connection_string", ""),
    ("postgres", "data_source_names", ""),
    ("redis", "redis_addr", ""),
    ("snowflake", "account_name", ""),
    ("squid", "address", ""),
];

/// Integrations whose key is a URL.
const URLS: [&str; 8] = [
    "apache_http",
    "consul",
    "elasticsearch",
    "github",
    "mongodb",
    "mssql",
    "oracledb",
    "postgres",
];

/// The key that gives the identity of an integration without `instance`.
pub struct Key {
    pub name: &'static str,
    default: &'static str,
}

pub fn key(integration: &str) -> Option<Key> {
    let (_, name, default) = KEYS.into_iter().find(|(name, ..)| *name == integration)?;
    Some(Key { name, default })
}

/// What two Integrations of this name must differ in; `None` if that is not known. It may be a secret.
pub fn identity<'d>(integration: &str, config: Option<Node<'d>>) -> Option<Cow<'d, str>> {
    if let Some(instance) = config.and_then(|config| config.get("instance")) {
        return Some(format!("instance {}", instance.as_str()?).into());
    }
    let key = key(integration)?;
    let value = config.and_then(|config| config.get(key.name));
    let text = match (value.map(Node::items), value) {
        (Some(mut items), _) if items.len() == 1 => items.next()?.as_str()?,
        (_, Some(value)) => value.as_str()?,
        (_, None) => key.default,
    };
    let is_missing = text.is_empty() && !key.name.is_empty();
    (!is_missing).then(|| match integration {
        "mysql" => database(text),
        _ => server(text),
    })
}

/// The host of a URL, and the database of PostgreSQL; other text as it is.
fn server(text: &str) -> Cow<'_, str> {
    let Some(scheme) = url::scheme(text) else {
        return text.into();
    };
    let rest = text.get(scheme.len() + "://".len()..).unwrap_or_default();
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    match scheme.starts_with("postgres") {
        true => format!("{host}{}", behind.split(['?', '#']).next().unwrap_or_default()).into(),
        false => host.into(),
    }
}

/// The address and the database of a data source of MySQL, `user:password@tcp(host:port)/name?parameters` (`ParseDSN`).
fn database(text: &str) -> Cow<'_, str> {
    let Some((address, name)) = text.rsplit_once('/') else {
        return text.into();
    };
    let address = address.rsplit_once('@').map_or(address, |(_, address)| address);
    format!("{address}/{}", name.split('?').next().unwrap_or_default()).into()
}

/// Reports an integration of which the agent cannot tell `instance`: it has several servers, or the URL of one cannot be parsed. With
/// Alloy, that of PostgreSQL needs none.
pub fn needs_instance<'v>(spec: Json<'v>, walk: &mut Walk<'v>) {
    let name = spec.text("name");
    let Some((key, config)) = key(name).zip(spec.set("config")) else {
        return;
    };
    let is_agent = |of: Conditions<'_>| matches!(of.target, Target::Agent);
    let needs_none = name == "postgres" && !walk.context.conditions.is_none_or(is_agent);
    let Some(value) = config
        .set(key.name)
        .filter(|_| !needs_none && config.set("instance").is_none())
    else {
        return;
    };
    let servers = value.items().count();
    let text = value.as_str().or_else(|| value.items().next()?.as_str());
    let problem = match text.filter(|text| URLS.contains(&name) && !text.contains('$')) {
        Some(text) if name == "postgres" && !text.starts_with("postgres") => {
            Some("is not a URL such as `postgres://…`")
        }
        text => text.and_then(url::problem),
    };
    let (code, message, help) = match (servers, problem) {
        (2.., _) => (
            Code::MissingIntegrationKey,
            format!(
                "the integration `{name}` needs `instance` because `{}` has {servers} items, and the agent does not start without it",
                key.name
            ),
            "set `instance` to the value that this label shall have",
        ),
        (_, Some(problem)) => (
            Code::InvalidUrl,
            format!(
                "`{}` {problem}, so the agent cannot use it as `instance`, and does not start",
                key.name
            ),
            "correct the URL, or set `instance`",
        ),
        _ => return,
    };
    walk.tell(code, &[Step::Key("config"), Step::Key(key.name)], message, help);
}

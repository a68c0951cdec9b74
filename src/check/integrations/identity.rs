//! Identities that the agent uses to distinguish integrations with the same name (`Identifier` in
//! `static/integrations/v2`, `InstanceKey` in older integrations).

use std::borrow::Cow;

use super::{mysql, postgres};
use crate::check::conditions::Conditions;
use crate::check::walk::{Json, Step, Walk};
use crate::diagnostic::Code;
use crate::go::envsubst::may_have_variable;
use crate::go::url;
use crate::output::Target;
use crate::yaml::{self, Node};

/// Derivation of an integration's identity from a key's value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum IdentityForm {
    /// The key's value itself.
    Text,
    /// The only item in the key's value, which is a list.
    Item,
    /// The host in the URL. If `instance` is set, the URL is not parsed.
    Url,
    /// The host in the URL, which the constructor always parses, even if `instance` is set.
    ParsedUrl,
    /// The server in the MySQL data source name.
    MySql,
    /// The server in the PostgreSQL data source name, if the list contains only one name.
    Postgres,
    /// A hash of the integration's configuration.
    Hash,
}

/// Keys that determine an integration's identity if `instance` is not set: the integration, the key, its default, and
/// how the identity is derived from the value. Integrations that an agent can run only once are not listed.
const KEYS: [(&str, &str, &str, IdentityForm); 20] = [
    ("apache_http", "scrape_uri", "http://localhost/server-status?auto", IdentityForm::ParsedUrl),
    ("app_agent_receiver", "", "", IdentityForm::Text),
    ("azure", "", "", IdentityForm::Hash),
    ("cloudwatch", "", "", IdentityForm::Hash),
    ("consul", "server", "http://localhost:8500", IdentityForm::Url),
    ("dnsmasq", "dnsmasq_address", "localhost:53", IdentityForm::Text),
    ("elasticsearch", "address", "http://localhost:9200", IdentityForm::ParsedUrl),
    ("gcp", "", "", IdentityForm::Hash),
    ("github", "api_url", "https://api.github.com", IdentityForm::ParsedUrl),
    ("kafka", "kafka_uris", "", IdentityForm::Item),
    ("memcached", "memcached_address", "localhost:11211", IdentityForm::Text),
    ("mongodb", "mongodb_uri", "", IdentityForm::Url),
    ("mssql", "connection_string", "", IdentityForm::ParsedUrl),
    ("mysql", "data_source_name", "", IdentityForm::MySql),
    ("oracledb", "connection_string", "", IdentityForm::ParsedUrl),
    ("postgres", "data_source_names", "", IdentityForm::Postgres),
    ("redis", "redis_addr", "", IdentityForm::Text),
    ("snowflake", "account_name", "", IdentityForm::Text),
    ("squid", "address", "", IdentityForm::Text),
    ("vsphere", "vsphere_url", "", IdentityForm::ParsedUrl),
];

/// Keys that every integration has and that are not part of the hash.
const COMMON_KEYS: [&str; 3] = ["autoscrape", "extra_labels", "instance"];

/// Key that determines an integration's identity if `instance` is not set.
struct IdentityKey {
    name: &'static str,
    default: &'static str,
    form: IdentityForm,
}

fn identity_key(integration: &str) -> Option<IdentityKey> {
    let (_, name, default, form) = KEYS.into_iter().find(|(name, ..)| *name == integration)?;
    Some(IdentityKey { name, default, form })
}

/// Returns the string that must be unique among Integrations with this name, or `None` if the string is unknown. The
/// string may be secret.
pub fn identity<'d>(integration: &str, config: Option<Node<'d>>) -> Option<Cow<'d, str>> {
    let setting = |key: &str| config.and_then(|config| Json::Read(config).non_null(key));
    if let Some(instance) = setting("instance") {
        return Some(format!("instance {}", instance.scalar()?).into());
    }
    let IdentityKey { name, default, form } = identity_key(integration)?;
    if form == IdentityForm::Hash {
        return Some(settings_to_hash(config?).into());
    }
    let mut items = setting(name).into_iter().flat_map(Json::items);
    let text = match (form, setting(name)) {
        (IdentityForm::Item | IdentityForm::Postgres, Some(_)) => {
            items.next().filter(|_| items.next().is_none())?.scalar()?
        }
        (_, Some(value)) => value.scalar()?,
        (_, None) => Cow::Borrowed(default),
    };
    let is_missing = text.is_empty() && !name.is_empty();
    // A variable's value is unknown, but equal strings yield equal values.
    let is_known = !may_have_variable(&text);
    (!is_missing).then(|| match form {
        _ if !is_known => text,
        IdentityForm::MySql => mysql::parse(&text).map_or(text.clone(), |source| source.identity().into()),
        IdentityForm::Postgres => postgres::identity(&text).map_or(text.clone(), Cow::Owned),
        IdentityForm::Url | IdentityForm::ParsedUrl => {
            url::parts(&text).map_or(text.clone(), |parts| parts.host.to_owned().into())
        }
        IdentityForm::Text | IdentityForm::Item | IdentityForm::Hash => text,
    })
}

/// Returns the settings to hash, in an order that does not depend on their order in the file.
fn settings_to_hash(config: Node<'_>) -> String {
    let mut value = yaml::to_json(config);
    if let Some(settings) = value.as_object_mut() {
        settings.retain(|key, _| !COMMON_KEYS.contains(&key.as_str()));
    }
    value.sort_all_objects();
    value.to_string()
}

/// Reports an integration whose `instance` the agent cannot derive, because the integration has several servers or an
/// invalid address. In Alloy, PostgreSQL does not need an `instance`.
pub fn check_instance<'v>(spec: Json<'v>, walk: &mut Walk<'v>) {
    let name = spec.text("name");
    let Some((key, config)) = identity_key(name).zip(spec.non_null("config")) else {
        return;
    };
    let is_agent = |conditions: Conditions<'_>| matches!(conditions.target, Target::Agent);
    let needs_none = key.form == IdentityForm::Postgres && !walk.context.conditions.is_none_or(is_agent);
    let has_instance = config.non_null("instance").is_some();
    let Some(value) =
        config.non_null(key.name).filter(|_| !needs_none && (!has_instance || key.form == IdentityForm::ParsedUrl))
    else {
        return;
    };
    let servers = value.items().count();
    if servers > 1 && matches!(key.form, IdentityForm::Item | IdentityForm::Postgres) {
        let message = format!(
            "`{}` has {servers} items, so the `{name}` integration needs `instance`, and the agent does not start without it",
            key.name
        );
        let help = "set `instance` to a value for the `instance` label";
        walk.report_with_code(Code::MissingIntegrationKey, &[Step::Key("config"), Step::Key(key.name)], message, help);
        return;
    }
    let first = value.items().next().unwrap_or(value);
    // The agent reads null in a list as an empty string.
    let text = if first.is_null() { Some(Cow::Borrowed("")) } else { first.constant_text() };
    if let Some(Err((code, problem, help))) = text.map(|text| check_address(key.form, &text)) {
        let message = match key.form {
            IdentityForm::ParsedUrl => format!("`{}` {problem}, so the agent does not start", key.name),
            _ => format!("`{}` {problem}, so the agent cannot derive `instance` from it and does not start", key.name),
        };
        walk.report_with_code(code, &[Step::Key("config"), Step::Key(key.name)], message, help);
    }
}

/// Returns the code, problem and help for an invalid address.
fn check_address(form: IdentityForm, text: &str) -> Result<(), (Code, &'static str, &'static str)> {
    let check_url = |help| url::problem(text).map_or(Ok(()), |problem| Err((Code::InvalidUrl, problem, help)));
    match form {
        IdentityForm::Url => check_url("correct the URL, or set `instance`"),
        IdentityForm::ParsedUrl => check_url("correct the URL"),
        IdentityForm::Postgres => postgres::identity(text)
            .map(drop)
            .map_err(|problem| (Code::InvalidUrl, problem, "correct the URL, or set `instance`")),
        IdentityForm::MySql => mysql::parse(text).map(drop).map_err(|problem| {
            let is_parameter = problem.starts_with("sets ");
            let help = if is_parameter { "" } else { "use the form `user:password@(host:3306)/database`" };
            (Code::InvalidIntegration, problem, help)
        }),
        IdentityForm::Text | IdentityForm::Item | IdentityForm::Hash => Ok(()),
    }
}

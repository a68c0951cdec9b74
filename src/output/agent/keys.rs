//! Keys that the agent accepts in its integrations (`integrations.txt`) and in additional scrape jobs
//! (`scrape_fields.json`, Prometheus' `config.ScrapeConfig`).

use std::sync::LazyLock;

use crate::diagnostic::suggest::closest;
use crate::diagnostic::{FieldPath, Step};
use crate::yaml::GoType;

use super::structs::{self, FieldTypes};

/// An integration that the agent supports.
pub struct KnownIntegration {
    pub name: &'static str,
    /// Whether an agent allows the integration only once.
    pub is_single: bool,
    /// Whether the agent rejects unknown keys at every level, not only at the top level.
    pub is_native: bool,
    /// Other common names of the integration.
    aliases: Vec<&'static str>,
    /// Keys and their types.
    pub fields: FieldTypes,
    /// Keys without which the integration does not start.
    pub required: Vec<Required>,
}

/// Key without which an integration does not start.
pub struct Required {
    pub key: &'static str,
    /// Environment variable in the agent's container that the integration reads if the key is missing.
    pub variable: Option<&'static str>,
    /// Whether the integration also reads the variable if the key is empty.
    pub replaces_empty: bool,
}

impl Required {
    /// Parses a line for a field, or returns `None` if the integration starts without the field.
    fn parse(line: &'static str) -> Option<Self> {
        let (field, variable) = line.split_once('!')?;
        let default = variable.strip_prefix('=');
        Some(Self {
            key: field.split_whitespace().next()?,
            variable: Some(default.unwrap_or(variable)).filter(|name| !name.is_empty()),
            replaces_empty: default.is_none(),
        })
    }
}

impl KnownIntegration {
    /// Whether the integration's configuration may contain `key` at the top level.
    pub fn has(&self, key: &str) -> bool {
        structs::type_of(&self.fields, key).is_some()
    }

    /// Whether the agent accepts the key at `path` in a configuration. If not, the agent ignores the key or does not
    /// start.
    pub fn is_known(&self, path: &FieldPath<'_>) -> bool {
        let mut of = None;
        for key in path.steps().filter_map(Step::key) {
            let next = match of.map(item) {
                None => structs::type_of(&self.fields, key),
                Some(GoType::Map(of)) => Some(&**of),
                Some(GoType::Struct(name)) => structs::find(name).and_then(|of| structs::type_of(&of.fields, key)),
                Some(_) => return true,
            };
            if next.is_none() {
                return false;
            }
            of = next;
        }
        true
    }
}

/// Returns the innermost item type of nested lists, or `of` itself if it is not a list.
fn item(of: &GoType) -> &GoType {
    match of {
        GoType::List(of) => item(of),
        of => of,
    }
}

/// Keys of every integration except `eventhandler` (`common.MetricsConfig`).
const COMMON: &str = "autoscrape autoscrape.Config
  extra_labels map[string]string
  instance string";

/// All integrations, sorted by name.
static CATALOGUE: LazyLock<Vec<KnownIntegration>> = LazyLock::new(|| {
    let entries = include_str!("integrations.txt").trim_end().split("\n\n");
    entries.filter(|text| !text.starts_with('#')).map(entry).collect()
});

fn entry(text: &'static str) -> KnownIntegration {
    let (head, lines) = text.split_once('\n').unwrap_or((text, ""));
    let mut words = head.split(' ');
    let name = words.next().unwrap_or_default();
    let common = if name == "eventhandler" { "" } else { COMMON };
    KnownIntegration {
        name,
        is_single: words.clone().any(|word| word == "once"),
        is_native: words.clone().any(|word| word == "native"),
        aliases: words.filter_map(|word| word.strip_prefix('=')).collect(),
        required: lines.lines().filter_map(Required::parse).collect(),
        fields: lines.lines().chain(common.lines()).filter_map(structs::field).collect(),
    }
}

/// Returns all names, sorted.
pub fn names() -> impl Iterator<Item = &'static str> {
    CATALOGUE.iter().map(|entry| entry.name)
}

/// Returns the integration with this name.
pub fn find(name: &str) -> Option<&'static KnownIntegration> {
    CATALOGUE.iter().find(|entry| entry.name == name)
}

/// Returns the integration name that `name` was most likely meant to be.
pub fn suggestion(name: &str) -> Option<&'static str> {
    let name = name.to_lowercase().replace('-', "_");
    let name = name.strip_suffix("_configs").unwrap_or(&name);
    let known = |name: &str| find(name).map(|entry| entry.name);
    let short = name.strip_suffix("_exporter").unwrap_or(name);
    let is_alias = |entry: &&KnownIntegration| entry.aliases.contains(&short);
    let alias = || CATALOGUE.iter().find(is_alias).map(|entry| entry.name);
    known(name)
        .or_else(|| known(short))
        .or_else(alias)
        .or_else(|| closest(name, names()))
        .or_else(|| closest(short, names()))
}

/// Kinds of service discovery that the agent supports (Prometheus' `discovery/install`, and Promtail's `consulagent`, which
/// the agent registers for metrics too); jobs configure them as
/// `<kind>_sd_configs`.
const DISCOVERIES: &str = "azure consul consulagent digitalocean dns docker dockerswarm ec2 eureka file gce hetzner http ionos kubernetes kuma \
    lightsail linode marathon nerve nomad openstack ovhcloud puppetdb scaleway serverset triton uyuni vultr";

/// Whether a field of a job is a list of discoveries.
pub fn is_discovery(key: &str) -> bool {
    let kind = key.strip_suffix("_sd_configs");
    kind.is_some_and(|kind| DISCOVERIES.split(' ').any(|known| known == kind))
}

/// Fields of a struct, grouped by type, without those for service discovery.
pub type StructFields = [(GoType, Vec<&'static str>)];

/// Structs, by the path of the field that contains them; `[]` marks a list.
type Structs = Vec<(&'static str, Box<StructFields>)>;

/// Fields that Prometheus accepts in a job, including those in nested structs and lists of structs, plus the [`LATER`]
/// fields.
pub static FIELDS: LazyLock<Structs> = LazyLock::new(|| read_structs(include_str!("scrape_fields.json")));

/// Fields of the other kinds of service discovery that the agent supports.
pub static DISCOVERY_FIELDS: LazyLock<Structs> = LazyLock::new(|| read_structs(include_str!("discovery_fields.json")));

/// Fields of a Promtail job and its nested structs (`scrapeconfig.Config`).
pub static LOG_FIELDS: LazyLock<Structs> = LazyLock::new(|| read_structs(include_str!("log_fields.json")));

/// Name of the struct for a Promtail job.
pub const LOGS: &str = "logs";

/// Parses a table of fields. The type `client` stands for the fields of an HTTP client, which are inlined into the
/// struct.
#[expect(clippy::expect_used, reason = "the table is part of the program, and a test reads it")]
fn read_structs(table: &'static str) -> Structs {
    type Rows = Vec<(&'static str, Vec<(&'static str, Vec<&'static str>)>)>;
    let rows: Rows = serde_json::from_str(table).expect("the built-in table is valid");
    let fields = rows.into_iter().map(|(place, fields)| {
        let is_client = fields.iter().any(|(name, _)| *name == CLIENT);
        let own = fields.into_iter().filter(|(name, _)| *name != CLIENT);
        let own = own.map(|(name, fields)| (GoType::parse(name), fields));
        let client = is_client.then(client).into_iter().flatten();
        (place, own.chain(client).collect())
    });
    fields.collect()
}

const CLIENT: &str = "client";

/// Fields of Prometheus' `HTTPClientConfig`.
fn client() -> [(GoType, Vec<&'static str>); 4] {
    let of = |name: &str, fields: &'static str| (GoType::parse(name), fields.split(' ').collect());
    [
        of("string", "bearer_token bearer_token_file no_proxy proxy_url"),
        of("bool", "enable_http2 follow_redirects proxy_from_environment"),
        of("struct", "authorization basic_auth oauth2 tls_config"),
        of("map[string][]string", "proxy_connect_header"),
    ]
}

/// Name of the struct for job fields that Prometheus introduced in version 2.49 or later. Alloy accepts them, but the
/// agent does not.
pub const LATER: &str = "later";

/// Whether the agent or Alloy accepts the field at `path` in an additional scrape job.
pub fn is_field(path: &FieldPath<'_>) -> bool {
    is_field_below("", path)
}

/// Like [`is_field`], for a path in a Promtail job.
pub fn is_log_field(path: &FieldPath<'_>) -> bool {
    is_field_below(LOGS, path)
}

fn is_field_below(root: &str, path: &FieldPath<'_>) -> bool {
    let mut place = root.to_owned();
    for key in path.steps().filter_map(Step::key) {
        let is_place = |own: &str| own.trim_end_matches("[]") == place || own == LATER && place.is_empty();
        let mut fields = FIELDS.iter().chain(&*LOG_FIELDS).filter(|(own, _)| is_place(own)).peekable();
        if fields.peek().is_none() {
            break;
        }
        let is_known = fields.flat_map(|(_, fields)| fields.iter()).any(|(_, names)| names.contains(&key));
        if !(is_known || place.is_empty() && is_discovery(key)) {
            return false;
        }
        key.clone_into(&mut place);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distinguishes_fields_of_log_jobs() {
        for (field, is_known) in [
            ("pipeline_stages", true),
            ("journal.max_age", true),
            ("journal.scrape_interval", false),
            ("scrape_interval", false),
            ("hush", false),
        ] {
            assert_eq!(is_log_field(&FieldPath::parse(field)), is_known, "{field}");
        }
        assert!(is_field(&FieldPath::parse("scrape_interval")));
    }

    #[test]
    fn names_are_sorted() {
        let names: Vec<_> = names().collect();
        assert!(names.is_sorted());
    }

    #[test]
    fn entries_have_their_marks() {
        assert!(find("agent").unwrap().is_single && !find("mysql").unwrap().is_single);
        let gcp = find("gcp").unwrap();
        let keys = |entry: &KnownIntegration| entry.required.iter().map(|required| required.key).collect::<Vec<_>>();
        assert_eq!(keys(gcp), ["metrics_prefixes", "project_ids"]);
        let variable = |name: &str| find(name).unwrap().required[0].variable;
        assert_eq!(variable("oracledb"), Some("DATA_SOURCE_NAME"));
        assert_eq!(variable("redis"), None);
        let is_known = |name: &str, path| find(name).unwrap().is_known(&FieldPath::parse(path));
        assert!(is_known("gcp", "project_ids") && is_known("gcp", "autoscrape.enable"));
        assert!(!is_known("eventhandler", "autoscrape") && is_known("eventhandler", "extra_labels.a"));
        assert!(find("snmp").unwrap().is_native && !find("redis").unwrap().is_native);
        let required = CATALOGUE.iter().filter(|entry| !entry.required.is_empty());
        assert_eq!((names().count(), required.count()), (29, 9));
    }

    #[test]
    fn aliases_are_no_names() {
        let aliases: Vec<_> = CATALOGUE.iter().flat_map(|entry| &entry.aliases).collect();
        assert!(aliases.iter().all(|alias| find(alias).is_none()), "{aliases:?}");
        assert_eq!(aliases.len(), 9);
    }

    #[test]
    fn suggests_names_of_integrations() {
        for (name, expected) in [
            ("mysqld_exporter", Some("mysql")),
            ("process_exporter", Some("process")),
            ("vmware_exporter", Some("vsphere")),
            ("redis_configs", Some("redis")),
            ("node-exporter", Some("node_exporter")),
            ("Postgres", Some("postgres")),
            ("postgers", Some("postgres")),
            ("windows_exporter", Some("windows")),
            ("", None),
        ] {
            assert_eq!(suggestion(name), expected, "{name}");
        }
    }

    #[test]
    fn keys_are_known_as_deep_as_the_catalogue_has_them() {
        for (name, path, expected) in [
            ("cloudwatch", "discovery.jobs.regions", true),
            ("cloudwatch", "discovery.jobs.bogus", false),
            ("cloudwatch", "discovery.exported_tags.a.b", true),
            ("cloudwatch", "bogus.jobs", false),
            ("cloudwatch", "autoscrape.enabled", false),
            ("cadvisor", "docker.a", true),
            ("blackbox", "blackbox_config.modules.a.http.method", true),
            ("blackbox", "blackbox_config.modules.a.http.methods", false),
            ("snmp", "walk_params.a.retries", true),
            ("snmp", "walk_params.a.b", false),
            ("mysql", "autoscrape.relabel_configs.action", true),
        ] {
            assert_eq!(find(name).unwrap().is_known(&FieldPath::parse(path)), expected, "{path}");
        }
        let job = FieldPath::parse("discovery.jobs").index(0);
        let cloudwatch = find("cloudwatch").unwrap();
        assert!(cloudwatch.is_known(&job.key("metrics")) && !cloudwatch.is_known(&job.key("length")));
    }

    #[test]
    fn fields_of_jobs_are_known_by_the_mapping_around() {
        for (path, expected) in [
            ("job_name", true),
            ("action", false),
            ("scrape_protocols", true),
            ("oauth2.scrape_protocols", false),
            ("consul_sd_configs.server", true),
            ("nope_sd_configs", false),
            ("kubernetes_sd_configs.role", true),
            ("kubernetes_sd_configs.roles", false),
            ("oauth2.consul_sd_configs", false),
            ("oauth2.tls_config.ca_file", true),
            ("oauth2.tls_config.job_name", false),
            ("params.a", true),
        ] {
            assert_eq!(is_field(&FieldPath::parse(path)), expected, "{path}");
        }
        let rule = FieldPath::parse("relabel_configs").index(0);
        assert!(is_field(&rule.key("action")) && !is_field(&rule.key("job_name")));
    }

    #[test]
    fn every_kind_of_discovery_has_its_fields() {
        let kinds = DISCOVERIES.split_whitespace().map(|kind| format!("{kind}_sd_configs[]"));
        let of_logs = LOG_FIELDS.iter().filter(|(place, _)| *place == "consulagent_sd_configs[]");
        let places: Vec<_> = FIELDS.iter().chain(&*DISCOVERY_FIELDS).chain(of_logs).map(|(place, _)| *place).collect();
        for kind in kinds {
            let count = places.iter().filter(|place| **place == kind).count();
            assert_eq!(count, 1, "{kind}");
        }
        let eureka = DISCOVERY_FIELDS.iter().find(|(place, _)| *place == "eureka_sd_configs[]");
        let names: Vec<_> = eureka.unwrap().1.iter().flat_map(|(_, names)| names).collect();
        assert!(names.contains(&&"server") && names.contains(&&"oauth2"), "{names:?}");
    }

    #[test]
    fn keys_are_sorted() {
        for KnownIntegration { name, fields, .. } in CATALOGUE.iter() {
            let is_own = |(key, _): &&(&str, GoType)| !COMMON.contains(key);
            assert!(fields.iter().filter(is_own).is_sorted_by_key(|(key, _)| *key), "{name}");
        }
    }
}

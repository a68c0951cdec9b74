//! Integrations that the agent supports, with the keys of their configurations (`types/integrations.txt`).

use std::sync::LazyLock;

use super::types::{self, Struct};
use crate::diagnostic::suggest::closest;

/// An integration that the agent supports.
pub struct KnownIntegration {
    pub name: &'static str,
    /// Whether an agent allows only one instance of the integration.
    pub is_single: bool,
    /// Whether the agent has a native version of the integration. Otherwise, it upgrades an older integration
    /// (`ConfigShim`): it then rejects unknown keys only at the top level, and the user cannot add a label `job`.
    pub is_native: bool,
    /// Label `job` of the integration's metrics, without the prefix `integrations/`.
    pub job: &'static str,
    /// Other common names of the integration.
    aliases: Vec<&'static str>,
    /// Keys and their types.
    pub config: Struct,
    /// Keys without which the integration does not start.
    pub required: Vec<Required>,
}

/// Key without which an integration does not start.
pub struct Required {
    pub key: &'static str,
    /// Environment variable in the agent's container that is used if the key is missing.
    pub variable: Option<&'static str>,
    /// Whether the variable is also used if the key is empty.
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

/// All integrations, sorted by name.
static CATALOG: LazyLock<Vec<KnownIntegration>> = LazyLock::new(|| {
    types::paragraphs(include_str!("types/integrations.txt")).map(|(head, lines)| entry(head, lines)).collect()
});

fn entry(head: &'static str, lines: &'static str) -> KnownIntegration {
    let mut words = head.split(' ');
    let name = words.next().unwrap_or_default();
    KnownIntegration {
        name,
        is_single: words.clone().any(|word| word == "once"),
        is_native: words.clone().any(|word| word == "native"),
        job: words.clone().find_map(|word| word.strip_prefix("job=")).unwrap_or(name),
        aliases: words.filter_map(|word| word.strip_prefix('=')).collect(),
        required: lines.lines().filter_map(Required::parse).collect(),
        config: Struct::parse(lines, (name != "eventhandler").then_some("common.MetricsConfig")),
    }
}

/// Returns all integrations, sorted by name.
pub fn all() -> impl Iterator<Item = &'static KnownIntegration> {
    CATALOG.iter()
}

/// Returns the names of all integrations, sorted.
pub fn names() -> impl Iterator<Item = &'static str> {
    CATALOG.iter().map(|entry| entry.name)
}

pub fn find(name: &str) -> Option<&'static KnownIntegration> {
    CATALOG.iter().find(|entry| entry.name == name)
}

/// Returns the integration name that `name` was probably meant to be, or `None` if no name is similar.
pub fn suggestion(name: &str) -> Option<&'static str> {
    let name = name.to_lowercase().replace('-', "_");
    let name = name.strip_suffix("_configs").unwrap_or(&name);
    let find_name = |name: &str| find(name).map(|entry| entry.name);
    let short_name = name.strip_suffix("_exporter").unwrap_or(name);
    let is_alias = |entry: &&KnownIntegration| entry.aliases.contains(&short_name);
    let alias = || CATALOG.iter().find(is_alias).map(|entry| entry.name);
    find_name(name)
        .or_else(|| find_name(short_name))
        .or_else(alias)
        .or_else(|| closest(name, names()))
        .or_else(|| closest(short_name, names()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::FieldPath;

    #[test]
    fn integration_names_are_sorted() {
        let names: Vec<_> = names().collect();
        assert!(names.is_sorted());
    }

    #[test]
    fn entries_have_flags_and_required_keys() {
        assert!(find("agent").unwrap().is_single && !find("mysql").unwrap().is_single);
        let gcp_entry = find("gcp").unwrap();
        let keys = |entry: &KnownIntegration| entry.required.iter().map(|required| required.key).collect::<Vec<_>>();
        assert_eq!(keys(gcp_entry), ["metrics_prefixes", "project_ids"]);
        let variable = |name: &str| find(name).unwrap().required[0].variable;
        assert_eq!(variable("oracledb"), Some("DATA_SOURCE_NAME"));
        assert_eq!(variable("redis"), None);
        let is_known = |name: &str, path| find(name).unwrap().config.has(&FieldPath::parse(path));
        assert!(is_known("gcp", "project_ids") && is_known("gcp", "autoscrape.enable"));
        assert!(!is_known("eventhandler", "autoscrape") && is_known("eventhandler", "extra_labels.a"));
        assert!(find("snmp").unwrap().is_native && !find("redis").unwrap().is_native);
        let jobs = ["agent", "mysql", "redis", "squid"].map(|name| find(name).unwrap().job);
        assert_eq!(jobs, ["agent", "mysqld_exporter", "redis_exporter", "squid"]);
        let with_required_keys = CATALOG.iter().filter(|entry| !entry.required.is_empty());
        assert_eq!((names().count(), with_required_keys.count()), (29, 9));
    }

    #[test]
    fn aliases_differ_from_integration_names() {
        let aliases: Vec<_> = CATALOG.iter().flat_map(|entry| &entry.aliases).collect();
        assert!(aliases.iter().all(|alias| find(alias).is_none()), "{aliases:?}");
        assert_eq!(aliases.len(), 9);
    }

    #[test]
    fn suggests_integration_names() {
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
    fn recognizes_keys_down_to_the_depth_of_the_catalog() {
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
            assert_eq!(find(name).unwrap().config.has(&FieldPath::parse(path)), expected, "{path}");
        }
        let job = FieldPath::parse("discovery.jobs").index(0);
        let cloudwatch = find("cloudwatch").unwrap();
        assert!(cloudwatch.config.has(&job.key("metrics")) && !cloudwatch.config.has(&job.key("length")));
    }

    #[test]
    fn integration_keys_are_sorted() {
        for KnownIntegration { name, config, .. } in CATALOG.iter() {
            assert!(config.fields.is_sorted_by_key(|(key, _)| *key), "{name}");
        }
    }
}

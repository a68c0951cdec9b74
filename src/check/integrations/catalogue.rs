//! The integrations that the agent has, and their keys: `catalogue.txt`.

use std::sync::LazyLock;

use crate::diagnostic::suggest::closest;

/// An integration of the agent.
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// Whether an agent may have it only once.
    pub is_single: bool,
    /// Other names that people know it by.
    aliases: Vec<&'static str>,
    /// Its keys, with the outer ones of a nested key in front.
    pub keys: Vec<&'static str>,
    /// The keys that it does not start without.
    pub required: Vec<&'static str>,
}

/// The keys of every integration except `eventhandler` (`common.MetricsConfig`).
const COMMON: [&str; 9] = [
    "autoscrape",
    "autoscrape.enable",
    "autoscrape.metric_relabel_configs",
    "autoscrape.metrics_instance",
    "autoscrape.relabel_configs",
    "autoscrape.scrape_interval",
    "autoscrape.scrape_timeout",
    "extra_labels",
    "instance",
];

/// All integrations, sorted by name.
static CATALOGUE: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let entries = include_str!("catalogue.txt")
        .split("\n\n")
        .filter(|text| !text.starts_with('#'));
    entries.map(entry).collect()
});

fn entry(text: &'static str) -> Entry {
    let (head, keys) = text.split_once('\n').unwrap_or((text, ""));
    let mut words = head.split(' ');
    let name = words.next().unwrap_or_default();
    let common: &[_] = if name == "eventhandler" { &[] } else { &COMMON };
    let keys = keys.split_whitespace();
    Entry {
        name,
        is_single: words.clone().any(|word| word == "once"),
        aliases: words.filter_map(|word| word.strip_prefix('=')).collect(),
        required: keys.clone().filter_map(|key| key.strip_suffix('!')).collect(),
        keys: keys
            .map(|key| key.trim_end_matches('!'))
            .chain(common.iter().copied())
            .collect(),
    }
}

/// All names, sorted.
pub fn names() -> impl Iterator<Item = &'static str> {
    CATALOGUE.iter().map(|entry| entry.name)
}

/// The integration of this name.
pub fn find(name: &str) -> Option<&'static Entry> {
    CATALOGUE.iter().find(|entry| entry.name == name)
}

/// The name that somebody most likely meant.
pub fn suggestion(name: &str) -> Option<&'static str> {
    let name = name.to_lowercase().replace('-', "_");
    let name = name.strip_suffix("_configs").unwrap_or(&name);
    let known = |name: &str| find(name).map(|entry| entry.name);
    let short = name.strip_suffix("_exporter").unwrap_or(name);
    let is_alias = |entry: &&Entry| entry.aliases.contains(&short);
    let alias = || CATALOGUE.iter().find(is_alias).map(|entry| entry.name);
    known(name)
        .or_else(|| known(short))
        .or_else(alias)
        .or_else(|| closest(name, names()))
        .or_else(|| closest(short, names()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted() {
        let names: Vec<_> = names().collect();
        assert!(names.is_sorted());
    }

    #[test]
    fn entries_have_their_marks() {
        assert!(find("agent").unwrap().is_single && !find("mysql").unwrap().is_single);
        let gcp = find("gcp").unwrap();
        assert_eq!(gcp.required, ["metrics_prefixes", "project_ids"]);
        assert!(gcp.keys.contains(&"project_ids") && gcp.keys.contains(&"autoscrape.enable"));
        assert!(!find("eventhandler").unwrap().keys.contains(&"autoscrape"));
        let required = CATALOGUE.iter().filter(|entry| !entry.required.is_empty());
        assert_eq!((names().count(), required.count()), (28, 6));
    }

    #[test]
    fn aliases_are_no_names() {
        let aliases: Vec<_> = CATALOGUE.iter().flat_map(|entry| &entry.aliases).collect();
        assert!(aliases.iter().all(|alias| find(alias).is_none()), "{aliases:?}");
        assert_eq!(aliases.len(), 9);
    }

    #[test]
    fn what_was_meant() {
        for (name, expected) in [
            ("mysqld_exporter", Some("mysql")),
            ("process_exporter", Some("process")),
            ("vmware_exporter", Some("vsphere")),
            ("redis_configs", Some("redis")),
            ("node-exporter", Some("node_exporter")),
            ("Postgres", Some("postgres")),
            ("postgers", Some("postgres")),
            ("windows_exporter", None),
            ("", None),
        ] {
            assert_eq!(suggestion(name), expected, "{name}");
        }
    }

    #[test]
    fn keys_are_sorted_and_have_their_outer_ones() {
        for Entry { name, keys, .. } in CATALOGUE.iter() {
            let own: Vec<_> = keys.iter().filter(|key| !COMMON.contains(key)).collect();
            assert!(own.is_sorted(), "{name}");
            for (outer, _) in keys.iter().filter_map(|key| key.rsplit_once('.')) {
                assert!(keys.contains(&outer), "{name}: {outer}");
            }
        }
    }
}

//! The integrations of the agent v0.44.8 with `-enable-features=integrations-next`, which the operator switches on: what
//! `static/integrations/v2` registers itself, and the older ones that are registered there under new names.

use crate::diagnostic::suggest::closest;

/// How often an integration may be configured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Multiplicity {
    /// Once an agent (`TypeSingleton`).
    Singleton,
    /// Any number of times (`TypeMultiplex`).
    Multiplex,
}

use Multiplicity::{Multiplex, Singleton};

/// Names without the `_configs` that the operator appends, sorted.
const CATALOGUE: [(&str, Multiplicity); 28] = [
    ("agent", Singleton),
    ("apache_http", Multiplex),
    ("app_agent_receiver", Multiplex),
    ("azure", Multiplex),
    ("blackbox", Singleton),
    ("cadvisor", Singleton),
    ("cloudwatch", Multiplex),
    ("consul", Multiplex),
    ("dnsmasq", Multiplex),
    ("elasticsearch", Multiplex),
    ("eventhandler", Singleton),
    ("gcp", Multiplex),
    ("github", Multiplex),
    ("kafka", Multiplex),
    ("memcached", Multiplex),
    ("mongodb", Multiplex),
    ("mssql", Multiplex),
    ("mysql", Multiplex),
    ("node_exporter", Singleton),
    ("oracledb", Multiplex),
    ("postgres", Multiplex),
    ("process", Singleton),
    ("redis", Multiplex),
    ("snmp", Singleton),
    ("snowflake", Multiplex),
    ("squid", Multiplex),
    ("statsd", Singleton),
    ("vsphere", Multiplex),
];

/// Other names that people know an integration by, without `_exporter`.
const ALIASES: [(&str, &str); 9] = [
    ("apache", "apache_http"),
    ("faro", "app_agent_receiver"),
    ("kubernetes_events", "eventhandler"),
    ("mongo", "mongodb"),
    ("mysqld", "mysql"),
    ("node", "node_exporter"),
    ("oracle", "oracledb"),
    ("postgresql", "postgres"),
    ("vmware", "vsphere"),
];

/// All names, sorted.
pub fn names() -> impl Iterator<Item = &'static str> {
    CATALOGUE.iter().map(|(name, _)| *name)
}

/// How often the integration of this name may be configured; `None` where there is none.
pub fn multiplicity(name: &str) -> Option<Multiplicity> {
    let entry = CATALOGUE.iter().find(|(other, _)| *other == name);
    entry.map(|(_, multiplicity)| *multiplicity)
}

/// The name that somebody most likely meant.
pub fn suggestion(name: &str) -> Option<&'static str> {
    let name = name.to_lowercase().replace('-', "_");
    let name = name.strip_suffix("_configs").unwrap_or(&name);
    let known = |name: &str| names().find(|other| *other == name);
    let short = name.strip_suffix("_exporter").unwrap_or(name);
    let alias = || ALIASES.iter().find(|(alias, _)| *alias == short).map(|(_, name)| *name);
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
    fn aliases_lead_to_names() {
        for (alias, name) in ALIASES {
            assert!(multiplicity(name).is_some(), "{name}");
            assert!(multiplicity(alias).is_none(), "{alias}");
        }
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
}

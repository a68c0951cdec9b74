//! How people write kinds: as kubectl takes them.

use crate::api::Kind;
use crate::diagnostic::suggest::closest;

/// The plural and the short names of a kind (`spec.names` of the CustomResourceDefinitions, and kubectl's own names of the
/// core kinds). The Go tools derive the singular from the kind.
fn names(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::GrafanaAgent => &["grafanaagents"],
        Kind::MetricsInstance => &["metricsinstances"],
        Kind::LogsInstance => &["logsinstances"],
        Kind::Integration => &["integrations"],
        Kind::PodLogs => &["podlogs"],
        Kind::ServiceMonitor => &["servicemonitors", "smon"],
        Kind::PodMonitor => &["podmonitors", "pmon"],
        Kind::Probe => &["probes", "prb"],
        Kind::Secret => &["secrets"],
        Kind::ConfigMap => &["configmaps", "cm"],
        Kind::Namespace => &["namespaces", "ns"],
        Kind::Node => &["nodes", "no"],
    }
}

/// The kind of this name in any case: singular, plural or short, and with its group where that is given
/// (`servicemonitors.monitoring.coreos.com`, `probe.v1.monitoring.coreos.com`).
pub fn parse(text: &str) -> Option<Kind> {
    let lower = text.to_ascii_lowercase();
    let (name, group) = lower
        .split_once('.')
        .map_or((lower.as_str(), None), |(n, g)| (n, Some(g)));
    let named = |kind: &Kind| kind.as_str().eq_ignore_ascii_case(name) || names(*kind).contains(&name);
    let kind = Kind::ALL.iter().copied().find(named)?;
    group.is_none_or(|group| is_group(kind, group)).then_some(kind)
}

/// Whether this is the group of a kind, with or without the version in front of it.
fn is_group(kind: Kind, text: &str) -> bool {
    kind.api_version()
        .split_once('/')
        .is_some_and(|(group, version)| text == group || text.strip_prefix(version) == Some(&format!(".{group}")))
}

/// The kind that was most likely meant.
pub fn suggestion(text: &str) -> Option<Kind> {
    let all = Kind::ALL.iter().map(|kind| kind.as_str());
    let plurals = Kind::ALL.iter().flat_map(|kind| names(*kind)).copied();
    closest(text, all.chain(plurals)).and_then(parse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_named_as_for_kubectl() {
        for (text, expected) in [
            ("ServiceMonitor", Some(Kind::ServiceMonitor)),
            ("servicemonitors", Some(Kind::ServiceMonitor)),
            ("SMON", Some(Kind::ServiceMonitor)),
            ("servicemonitors.monitoring.coreos.com", Some(Kind::ServiceMonitor)),
            ("servicemonitor.v1.monitoring.coreos.com", Some(Kind::ServiceMonitor)),
            ("servicemonitor.monitoring.grafana.com", None),
            ("prb", Some(Kind::Probe)),
            ("podlogs", Some(Kind::PodLogs)),
            ("metricsinstance", Some(Kind::MetricsInstance)),
            ("cm", Some(Kind::ConfigMap)),
            ("secret.v1", None),
            ("", None),
        ] {
            assert_eq!(parse(text), expected, "{text}");
        }
        assert_eq!(suggestion("servicemonitr"), Some(Kind::ServiceMonitor));
        assert_eq!(suggestion("deployment"), None);
    }

    #[test]
    fn plurals_are_those_of_the_definitions() {
        for &kind in Kind::ALL.iter().filter(|kind| kind.is_custom()) {
            let definition = crate::api::schema::definition(kind);
            assert_eq!(names(kind).first(), Some(&definition.plural.as_str()), "{kind}");
        }
    }
}

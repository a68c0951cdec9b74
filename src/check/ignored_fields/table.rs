//! The table of ignored fields. The documentation has the same one.

use crate::api::Kind;

/// Which values of a field are ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// All but those that say the same as none.
    Set,
    /// `true`.
    True,
    /// `false`.
    False,
    /// An empty text.
    Empty,
}

/// A field that the operator accepts and ignores.
pub(super) struct IgnoredField {
    /// The kind of the resource.
    pub kind: Kind,
    /// The field, as a pattern.
    pub path: &'static str,
    /// Which values.
    pub when: When,
    /// What happens instead.
    pub note: &'static str,
    /// What to do: an imperative sentence.
    pub help: &'static str,
}

const fn field(kind: Kind, path: &'static str, when: When, (note, help): (&'static str, &'static str)) -> IgnoredField {
    IgnoredField {
        kind,
        path,
        when,
        note,
        help,
    }
}

const AUTHORIZATION: (&str, &str) = (
    "no `Authorization` header is sent",
    "use `basicAuth` or `bearerTokenSecret`",
);
const CLIENT_ID: (&str, &str) = (
    "the client identifier is read from a Secret only",
    "put the identifier into a Secret, and name it in `clientId.secret`",
);
const LIMIT: (&str, &str) = ("there is no such limit", "remove it");
const METADATA: (&str, &str) = ("targets have no labels of their node", "remove it");
const OAUTH2: (&str, &str) = ("requests carry no token", "use `basicAuth` or `bearerTokenSecret`");
const OPTIONAL: (&str, &str) = (
    "a Secret or ConfigMap that is missing is an error all the same",
    "remove `optional`, and make sure that the object is there",
);
const RATE_LIMIT: (&str, &str) = ("the queue never repeats what was refused with status 429", "remove it");
const REDIRECTS: (&str, &str) = ("redirects are followed", "remove it");
const REPLACEMENT: (&str, &str) = (
    "Prometheus takes its default of `$1`",
    "to delete a label, use the action `labeldrop`",
);
const RETRIES: (&str, &str) = ("Prometheus has had no such setting since version 2.11", "remove it");
const SEPARATOR: (&str, &str) = (
    "Prometheus takes its default of `;`",
    "use a separator that is not empty",
);

/// The table, sorted by kind and path (the templates in `static/operator/config/templates`, and
/// `resources_metrics.go` for `storage`).
pub(super) const IGNORED_FIELDS: &[IgnoredField] = &[
    field(Kind::GrafanaAgent, "spec.apiServer.**.optional", When::True, OPTIONAL),
    field(
        Kind::GrafanaAgent,
        "spec.apiServer.authorization",
        When::Set,
        (
            "the API server gets no such header",
            "use `basicAuth`, `bearerToken` or `bearerTokenFile`",
        ),
    ),
    field(
        Kind::GrafanaAgent,
        "spec.logs.clients[].**.optional",
        When::True,
        OPTIONAL,
    ),
    field(
        Kind::GrafanaAgent,
        "spec.logs.clients[].oauth2.clientId.configMap",
        When::Set,
        CLIENT_ID,
    ),
    field(
        Kind::GrafanaAgent,
        "spec.metrics.remoteWrite[].**.optional",
        When::True,
        OPTIONAL,
    ),
    field(
        Kind::GrafanaAgent,
        "spec.metrics.remoteWrite[].oauth2.clientId.configMap",
        When::Set,
        CLIENT_ID,
    ),
    field(
        Kind::GrafanaAgent,
        "spec.metrics.remoteWrite[].queueConfig.maxRetries",
        When::Set,
        RETRIES,
    ),
    field(
        Kind::GrafanaAgent,
        "spec.metrics.remoteWrite[].queueConfig.retryOnRateLimit",
        When::Set,
        RATE_LIMIT,
    ),
    field(
        Kind::GrafanaAgent,
        "spec.metrics.remoteWrite[].writeRelabelConfigs[].replacement",
        When::Empty,
        REPLACEMENT,
    ),
    field(
        Kind::GrafanaAgent,
        "spec.metrics.remoteWrite[].writeRelabelConfigs[].separator",
        When::Empty,
        SEPARATOR,
    ),
    field(
        Kind::GrafanaAgent,
        "spec.podMetadata.name",
        When::Set,
        (
            "pods are named after their StatefulSet, DaemonSet or Deployment",
            "remove it",
        ),
    ),
    field(
        Kind::GrafanaAgent,
        "spec.storage.disableMountSubPath",
        When::Set,
        ("the volume is never mounted with a sub-path", "remove it"),
    ),
    field(
        Kind::GrafanaAgent,
        "spec.storage.ephemeral",
        When::Set,
        (
            "a claim is made of `volumeClaimTemplate`",
            "use `emptyDir` or `volumeClaimTemplate`",
        ),
    ),
    field(Kind::Integration, "spec.configMaps[].optional", When::True, OPTIONAL),
    field(Kind::Integration, "spec.secrets[].optional", When::True, OPTIONAL),
    field(
        Kind::LogsInstance,
        "spec.additionalScrapeConfigs.optional",
        When::True,
        OPTIONAL,
    ),
    field(Kind::LogsInstance, "spec.clients[].**.optional", When::True, OPTIONAL),
    field(
        Kind::LogsInstance,
        "spec.clients[].oauth2.clientId.configMap",
        When::Set,
        CLIENT_ID,
    ),
    field(
        Kind::MetricsInstance,
        "spec.additionalScrapeConfigs.optional",
        When::True,
        OPTIONAL,
    ),
    field(
        Kind::MetricsInstance,
        "spec.remoteWrite[].**.optional",
        When::True,
        OPTIONAL,
    ),
    field(
        Kind::MetricsInstance,
        "spec.remoteWrite[].oauth2.clientId.configMap",
        When::Set,
        CLIENT_ID,
    ),
    field(
        Kind::MetricsInstance,
        "spec.remoteWrite[].queueConfig.maxRetries",
        When::Set,
        RETRIES,
    ),
    field(
        Kind::MetricsInstance,
        "spec.remoteWrite[].queueConfig.retryOnRateLimit",
        When::Set,
        RATE_LIMIT,
    ),
    field(
        Kind::MetricsInstance,
        "spec.remoteWrite[].writeRelabelConfigs[].replacement",
        When::Empty,
        REPLACEMENT,
    ),
    field(
        Kind::MetricsInstance,
        "spec.remoteWrite[].writeRelabelConfigs[].separator",
        When::Empty,
        SEPARATOR,
    ),
    field(
        Kind::PodLogs,
        "spec.relabelings[].replacement",
        When::Empty,
        REPLACEMENT,
    ),
    field(Kind::PodLogs, "spec.relabelings[].separator", When::Empty, SEPARATOR),
    field(Kind::PodMonitor, "spec.attachMetadata", When::Set, METADATA),
    field(Kind::PodMonitor, "spec.labelLimit", When::Set, LIMIT),
    field(Kind::PodMonitor, "spec.labelNameLengthLimit", When::Set, LIMIT),
    field(Kind::PodMonitor, "spec.labelValueLengthLimit", When::Set, LIMIT),
    field(
        Kind::PodMonitor,
        "spec.podMetricsEndpoints[].**.optional",
        When::True,
        OPTIONAL,
    ),
    field(
        Kind::PodMonitor,
        "spec.podMetricsEndpoints[].authorization",
        When::Set,
        AUTHORIZATION,
    ),
    field(
        Kind::PodMonitor,
        "spec.podMetricsEndpoints[].followRedirects",
        When::False,
        REDIRECTS,
    ),
    field(
        Kind::PodMonitor,
        "spec.podMetricsEndpoints[].metricRelabelings[].replacement",
        When::Empty,
        REPLACEMENT,
    ),
    field(
        Kind::PodMonitor,
        "spec.podMetricsEndpoints[].metricRelabelings[].separator",
        When::Empty,
        SEPARATOR,
    ),
    field(Kind::PodMonitor, "spec.podMetricsEndpoints[].oauth2", When::Set, OAUTH2),
    field(
        Kind::PodMonitor,
        "spec.podMetricsEndpoints[].relabelings[].replacement",
        When::Empty,
        REPLACEMENT,
    ),
    field(
        Kind::PodMonitor,
        "spec.podMetricsEndpoints[].relabelings[].separator",
        When::Empty,
        SEPARATOR,
    ),
    field(Kind::Probe, "spec.**.optional", When::True, OPTIONAL),
    field(Kind::Probe, "spec.authorization", When::Set, AUTHORIZATION),
    field(Kind::Probe, "spec.labelLimit", When::Set, LIMIT),
    field(Kind::Probe, "spec.labelNameLengthLimit", When::Set, LIMIT),
    field(Kind::Probe, "spec.labelValueLengthLimit", When::Set, LIMIT),
    field(
        Kind::Probe,
        "spec.metricRelabelings",
        When::Set,
        (
            "samples are not relabelled",
            "relabel where they are sent: `writeRelabelConfigs`",
        ),
    ),
    field(Kind::Probe, "spec.oauth2", When::Set, OAUTH2),
    field(
        Kind::Probe,
        "spec.prober.proxyUrl",
        When::Set,
        ("the prober is asked directly", "remove it"),
    ),
    field(Kind::Probe, "spec.sampleLimit", When::Set, LIMIT),
    field(Kind::Probe, "spec.targetLimit", When::Set, LIMIT),
    field(
        Kind::Probe,
        "spec.targets.ingress.relabelingConfigs[].replacement",
        When::Empty,
        REPLACEMENT,
    ),
    field(
        Kind::Probe,
        "spec.targets.ingress.relabelingConfigs[].separator",
        When::Empty,
        SEPARATOR,
    ),
    field(
        Kind::Probe,
        "spec.targets.staticConfig.relabelingConfigs[].replacement",
        When::Empty,
        REPLACEMENT,
    ),
    field(
        Kind::Probe,
        "spec.targets.staticConfig.relabelingConfigs[].separator",
        When::Empty,
        SEPARATOR,
    ),
    field(Kind::ServiceMonitor, "spec.attachMetadata", When::Set, METADATA),
    field(
        Kind::ServiceMonitor,
        "spec.endpoints[].**.optional",
        When::True,
        OPTIONAL,
    ),
    field(
        Kind::ServiceMonitor,
        "spec.endpoints[].authorization",
        When::Set,
        AUTHORIZATION,
    ),
    field(
        Kind::ServiceMonitor,
        "spec.endpoints[].followRedirects",
        When::False,
        REDIRECTS,
    ),
    field(
        Kind::ServiceMonitor,
        "spec.endpoints[].metricRelabelings[].replacement",
        When::Empty,
        REPLACEMENT,
    ),
    field(
        Kind::ServiceMonitor,
        "spec.endpoints[].metricRelabelings[].separator",
        When::Empty,
        SEPARATOR,
    ),
    field(Kind::ServiceMonitor, "spec.endpoints[].oauth2", When::Set, OAUTH2),
    field(
        Kind::ServiceMonitor,
        "spec.endpoints[].relabelings[].replacement",
        When::Empty,
        REPLACEMENT,
    ),
    field(
        Kind::ServiceMonitor,
        "spec.endpoints[].relabelings[].separator",
        When::Empty,
        SEPARATOR,
    ),
    field(Kind::ServiceMonitor, "spec.labelLimit", When::Set, LIMIT),
    field(Kind::ServiceMonitor, "spec.labelNameLengthLimit", When::Set, LIMIT),
    field(Kind::ServiceMonitor, "spec.labelValueLengthLimit", When::Set, LIMIT),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;

    const DOCUMENTATION: &str = include_str!("../../../docs/differences.md");

    fn row(field: &IgnoredField) -> String {
        let when = match field.when {
            When::Set => "set",
            When::True => "`true`",
            When::False => "`false`",
            When::Empty => "empty",
        };
        format!("| {} | `{}` | {when} | {} |", field.kind, field.path, field.note)
    }

    #[test]
    fn the_table_is_sorted() {
        let keys: Vec<_> = IGNORED_FIELDS
            .iter()
            .map(|field| (field.kind.as_str(), field.path))
            .collect();
        assert!(keys.is_sorted());
    }

    #[test]
    fn the_documentation_has_the_same_table() {
        let documented: Vec<_> = DOCUMENTATION
            .lines()
            .skip_while(|line| !line.starts_with("| Kind "))
            .skip(2)
            .take_while(|line| line.starts_with('|'))
            .collect();
        let expected: Vec<_> = IGNORED_FIELDS.iter().map(row).collect();
        assert_eq!(documented, expected);
    }

    #[test]
    fn each_code_of_the_documentation_exists() {
        let rows = DOCUMENTATION
            .lines()
            .skip_while(|line| !line.starts_with("| Operator "));
        let rows: Vec<_> = rows.skip(2).take_while(|line| line.starts_with('|')).collect();
        assert!(rows.len() > 5);
        for row in rows {
            let code = row
                .trim_end_matches([' ', '|', '`'])
                .rsplit("| `")
                .next()
                .unwrap_or_default();
            let named = row.ends_with("` |");
            let exists = Code::ALL.iter().any(|other| other.as_str() == code);
            assert!(exists || !named, "{row}");
        }
    }
}

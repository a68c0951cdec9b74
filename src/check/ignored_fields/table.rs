//! The table of ignored fields. The documentation lists the same fields.

use When::{Empty, False, Set, True};

use crate::api::Kind::{
    self, GrafanaAgent, Integration, LogsInstance, MetricsInstance, PodLogs, PodMonitor, Probe, ServiceMonitor,
};

/// Fields that the operator accepts and ignores.
pub(super) struct Ignored {
    /// The kinds, and patterns of the mappings that have the fields.
    pub within: &'static [(Kind, &'static str)],
    /// Patterns of the fields in such a mapping, which values are ignored, and what to say.
    pub fields: &'static [(&'static str, When, Note)],
}

/// Which values of a field are ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// All values except zero values, which mean the same as a missing field.
    Set,
    /// `true`.
    True,
    /// `false`.
    False,
    /// An empty text.
    Empty,
}

/// What happens instead, and what to do.
pub(super) type Note = (&'static str, &'static str);

const AUTHORIZATION: Note = (
    "no `Authorization` header is sent",
    "use `basicAuth` or `bearerTokenSecret`",
);
const CLIENT_ID: Note = (
    "the client identifier is read from a Secret only",
    "put the identifier into a Secret, and name it in `clientId.secret`",
);
const LIMIT: Note = ("there is no such limit", "remove it");
const METADATA: Note = ("targets have no labels of their node", "remove it");
const OAUTH2: Note = ("requests carry no token", "use `basicAuth` or `bearerTokenSecret`");
const OPTIONAL: Note = (
    "a Secret or ConfigMap that is missing is an error all the same",
    "remove `optional`, and make sure that the object is there",
);
const RATE_LIMIT: Note = ("the queue never repeats what was refused with status 429", "remove it");
const REDIRECTS: Note = ("redirects are followed", "remove it");
const REPLACEMENT: Note = (
    "Prometheus takes its default of `$1`",
    "to delete a label, use the action `labeldrop`",
);
const RETRIES: Note = ("Prometheus has had no such setting since version 2.11", "remove it");
const SEPARATOR: Note = (
    "Prometheus takes its default of `;`",
    "use a separator that is not empty",
);
const API_SERVER: Note = (
    "the API server gets no such header",
    "use `basicAuth`, `bearerToken` or `bearerTokenFile`",
);
const POD_NAME: Note = (
    "pods are named after their StatefulSet, DaemonSet or Deployment",
    "remove it",
);
const SUB_PATH: Note = ("the volume is never mounted with a sub-path", "remove it");
const EPHEMERAL: Note = (
    "a claim is made of `volumeClaimTemplate`",
    "use `emptyDir` or `volumeClaimTemplate`",
);
const NOT_RELABELLED: Note = (
    "samples are not relabelled",
    "relabel where they are sent: `writeRelabelConfigs`",
);
const NO_PROXY: Note = ("the prober is asked directly", "remove it");

/// The table (the templates in `static/operator/config/templates`, and `resources_metrics.go` for `storage`).
pub(super) const IGNORED_FIELDS: &[Ignored] = &[
    Ignored {
        within: &[(GrafanaAgent, "spec")],
        fields: &[
            ("apiServer.**.optional", True, OPTIONAL),
            ("apiServer.authorization", Set, API_SERVER),
            ("podMetadata.name", Set, POD_NAME),
            ("storage.disableMountSubPath", Set, SUB_PATH),
            ("storage.ephemeral", Set, EPHEMERAL),
        ],
    },
    Ignored {
        within: &[
            (GrafanaAgent, "spec.metrics.remoteWrite[]"),
            (MetricsInstance, "spec.remoteWrite[]"),
        ],
        fields: &[
            ("**.optional", True, OPTIONAL),
            ("oauth2.clientId.configMap", Set, CLIENT_ID),
            ("queueConfig.maxRetries", Set, RETRIES),
            ("queueConfig.retryOnRateLimit", Set, RATE_LIMIT),
        ],
    },
    Ignored {
        within: &[(GrafanaAgent, "spec.logs.clients[]"), (LogsInstance, "spec.clients[]")],
        fields: &[
            ("**.optional", True, OPTIONAL),
            ("oauth2.clientId.configMap", Set, CLIENT_ID),
        ],
    },
    Ignored {
        within: &[(LogsInstance, "spec"), (MetricsInstance, "spec")],
        fields: &[("additionalScrapeConfigs.optional", True, OPTIONAL)],
    },
    Ignored {
        within: &[(Integration, "spec.configMaps[]"), (Integration, "spec.secrets[]")],
        fields: &[("optional", True, OPTIONAL)],
    },
    Ignored {
        within: &[
            (PodMonitor, "spec.podMetricsEndpoints[]"),
            (ServiceMonitor, "spec.endpoints[]"),
        ],
        fields: &[
            ("**.optional", True, OPTIONAL),
            ("authorization", Set, AUTHORIZATION),
            ("followRedirects", False, REDIRECTS),
            ("oauth2", Set, OAUTH2),
        ],
    },
    Ignored {
        within: &[(PodMonitor, "spec"), (ServiceMonitor, "spec")],
        fields: &[("attachMetadata", Set, METADATA)],
    },
    Ignored {
        within: &[(PodMonitor, "spec"), (Probe, "spec"), (ServiceMonitor, "spec")],
        fields: &[
            ("labelLimit", Set, LIMIT),
            ("labelNameLengthLimit", Set, LIMIT),
            ("labelValueLengthLimit", Set, LIMIT),
        ],
    },
    Ignored {
        within: &[(Probe, "spec")],
        fields: &[
            ("**.optional", True, OPTIONAL),
            ("authorization", Set, AUTHORIZATION),
            ("metricRelabelings", Set, NOT_RELABELLED),
            ("oauth2", Set, OAUTH2),
            ("prober.proxyUrl", Set, NO_PROXY),
            ("sampleLimit", Set, LIMIT),
            ("targetLimit", Set, LIMIT),
        ],
    },
    // Rules of relabelling.
    Ignored {
        within: &[
            (GrafanaAgent, "spec.metrics.remoteWrite[].writeRelabelConfigs[]"),
            (MetricsInstance, "spec.remoteWrite[].writeRelabelConfigs[]"),
            (PodLogs, "spec.relabelings[]"),
            (PodMonitor, "spec.podMetricsEndpoints[].metricRelabelings[]"),
            (PodMonitor, "spec.podMetricsEndpoints[].relabelings[]"),
            (Probe, "spec.targets.ingress.relabelingConfigs[]"),
            (Probe, "spec.targets.staticConfig.relabelingConfigs[]"),
            (ServiceMonitor, "spec.endpoints[].metricRelabelings[]"),
            (ServiceMonitor, "spec.endpoints[].relabelings[]"),
        ],
        fields: &[("replacement", Empty, REPLACEMENT), ("separator", Empty, SEPARATOR)],
    },
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::diagnostic::Code;

    const DOCUMENTATION: &str = include_str!("../../../docs/differences.md");

    /// The rows of the documentation, sorted by kind and field.
    fn rows() -> Vec<String> {
        let mut rows = BTreeMap::new();
        for ignored in IGNORED_FIELDS {
            for (kind, outer) in ignored.within {
                for (field, when, (note, _)) in ignored.fields {
                    let when = match when {
                        Set => "set",
                        True => "`true`",
                        False => "`false`",
                        Empty => "empty",
                    };
                    let path = format!("{outer}.{field}");
                    let row = format!("| {kind} | `{path}` | {when} | {note} |");
                    rows.insert((kind.as_str(), path), row);
                }
            }
        }
        rows.into_values().collect()
    }

    #[test]
    fn the_documentation_has_the_same_table() {
        let documented: Vec<_> = DOCUMENTATION
            .lines()
            .skip_while(|line| !line.starts_with("| Kind "))
            .skip(2)
            .take_while(|line| line.starts_with('|'))
            .collect();
        assert_eq!(documented, rows());
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

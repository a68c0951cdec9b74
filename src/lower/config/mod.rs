//! A hierarchy → the agent's configuration, `agent.yml` (the operator's `config.BuildConfig` and its templates).
//!
//! Every number is a double and nothing null is written, as the operator's template language has it.

mod additional;
mod assets;
mod auth;
mod diagnostics;
mod embedded;
mod external_labels;
mod fields;
mod fragments;
mod integrations;
mod kubernetes_sd;
mod logs;
mod logs_client;
mod metrics;
mod pod_logs;
mod pod_monitor;
mod probe;
mod relabel;
mod remote_write;
mod scrape_job;
mod service_monitor;
mod stages;
mod tls;
mod trim;

#[cfg(test)]
mod tests;

pub use fragments::{Fragment, fragments};

use crate::api::GrafanaAgent;
use crate::diagnostic::Diagnostic;
use crate::resolve::Hierarchy;
use crate::yaml::{Style, Value, write};
use fields::Fields;

/// Where the agent keeps its write-ahead log and its positions in files.
const DATA_DIRECTORY: &str = "/var/lib/grafana-agent/data";

/// Which of an agent's configurations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Of the StatefulSets that scrape metrics (`agent-metrics.libsonnet`).
    Metrics,
    /// Of the DaemonSet that reads logs (`agent-logs.libsonnet`).
    Logs,
    /// Of the pods that run integrations (`agent-integrations.libsonnet`).
    Integrations {
        /// Those that run on every node; the others else.
        all_nodes: bool,
    },
}

/// How much of the metrics and logs is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    /// All of it.
    Full,
    /// What integrations send their own metrics and logs with: no monitors, no PodLogs and no replica label.
    Instances,
}

/// The text of one of an agent's configurations: `agent.yml`.
///
/// A value that the hierarchy's store lacks is written as an empty text: its absence was reported when the hierarchy was
/// resolved. The template language ends its output with a line break, although the YAML already has one.
pub fn text<'d>(hierarchy: &Hierarchy<'d, 'd>, part: Part, diagnostics: &mut Vec<Diagnostic>) -> String {
    let mut text = write(&lower(hierarchy, part, diagnostics), Style::V3);
    text.push('\n');
    text
}

/// One of an agent's configurations, to be written in Go's yaml.v3 style.
pub fn lower<'d>(hierarchy: &Hierarchy<'d, 'd>, part: Part, diagnostics: &mut Vec<Diagnostic>) -> Value<'d> {
    let fields = Fields::new().always("server", server(&hierarchy.agent.spec));
    match part {
        Part::Metrics => fields.always("metrics", metrics::section(hierarchy, Scope::Full, diagnostics)),
        Part::Logs => fields.always("logs", logs::section(hierarchy, Scope::Full, diagnostics)),
        Part::Integrations { all_nodes } => fields
            .always("metrics", metrics::section(hierarchy, Scope::Instances, diagnostics))
            .always("logs", logs::section(hierarchy, Scope::Instances, diagnostics))
            .always(
                "integrations",
                integrations::section(&hierarchy.integrations, all_nodes),
            ),
    }
    .into()
}

fn server<'d>(agent: &GrafanaAgent<'d>) -> Fields<'d> {
    Fields::new()
        .text("log_level", agent.log_level)
        .text("log_format", agent.log_format)
}

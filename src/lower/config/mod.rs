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
mod origin;
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
pub use origin::{Origin, Parts};

use crate::api::{GrafanaAgent, Resource};
use crate::diagnostic::Diagnostic;
use crate::resolve::Hierarchy;
use crate::yaml::{Style, Value, write_in_turn};
use fields::Fields;
use origin::{Recorder, Trace};

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

impl Part {
    /// The configurations that a hierarchy has; none for a part that has nothing in it.
    pub fn of(hierarchy: &Hierarchy<'_, '_>) -> Vec<Part> {
        let runs = |all_nodes| {
            let mut integrations = hierarchy.integrations.iter();
            integrations.any(|integration| integration.spec.r#type.all_nodes == all_nodes)
        };
        let parts = [
            (!hierarchy.metrics.is_empty(), Part::Metrics),
            (!hierarchy.logs.is_empty(), Part::Logs),
            (runs(false), Part::Integrations { all_nodes: false }),
            (runs(true), Part::Integrations { all_nodes: true }),
        ];
        let wanted = parts.into_iter().filter(|(is_there, _)| *is_there);
        wanted.map(|(_, part)| part).collect()
    }
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
    let mut text = String::new();
    write(hierarchy, part, diagnostics, &mut |piece| text.push_str(piece));
    text
}

/// [`text`], passed on piece by piece: each scrape job of metrics is made when its turn comes, and none is kept.
pub fn write<'d>(
    hierarchy: &Hierarchy<'d, 'd>,
    part: Part,
    diagnostics: &mut Vec<Diagnostic>,
    piece: &mut dyn FnMut(&str),
) {
    let outline = outline(hierarchy, part, diagnostics);
    let jobs = |instance: usize, pass: &mut dyn FnMut(&Value<'_>)| outline.jobs(instance, &mut |job| pass(job));
    write_in_turn(&outline.value, Style::V3, &jobs, piece);
    piece("\n");
}

/// A configuration without the scrape jobs of its metrics.
pub struct Outline<'a, 'd> {
    /// All but the jobs, in whose place [`Value::Later`] stands with the number of the instance.
    pub value: Value<'d>,
    jobs: Vec<metrics::Jobs<'a, 'd>>,
}

impl<'d> Outline<'_, 'd> {
    /// Passes on the jobs of the instance of this number.
    pub fn jobs(&self, instance: usize, pass: &mut dyn FnMut(&Value<'d>)) {
        if let Some(jobs) = self.jobs.get(instance) {
            jobs.each(pass);
        }
    }
}

/// One of an agent's configurations, with the jobs left for later.
pub fn outline<'a, 'd>(
    hierarchy: &'a Hierarchy<'d, 'd>,
    part: Part,
    diagnostics: &mut Vec<Diagnostic>,
) -> Outline<'a, 'd> {
    if part != Part::Metrics {
        return Outline {
            value: lower(hierarchy, part, diagnostics),
            jobs: Vec::new(),
        };
    }
    let (section, jobs) = metrics::outline(hierarchy, diagnostics);
    let fields = Fields::new().always("server", server(hierarchy.agent, Trace::off()));
    Outline {
        value: fields.always("metrics", section).into(),
        jobs,
    }
}

/// One of an agent's configurations, to be written in Go's yaml.v3 style.
pub fn lower<'d>(hierarchy: &Hierarchy<'d, 'd>, part: Part, diagnostics: &mut Vec<Diagnostic>) -> Value<'d> {
    document(hierarchy, part, Trace::off(), diagnostics).into()
}

/// The same, and where its parts come from.
pub fn lower_with_origins<'d>(
    hierarchy: &Hierarchy<'d, 'd>,
    part: Part,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Value<'d>, Parts<'d>) {
    let recorder = Recorder::default();
    let document = document(hierarchy, part, Trace::to(&recorder), diagnostics);
    recorder.split(document.into())
}

fn document<'d>(
    hierarchy: &Hierarchy<'d, 'd>,
    part: Part,
    trace: Trace<'_, 'd>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Fields<'d> {
    let agent = trace.resource(hierarchy.agent);
    let fields = Fields::new()
        .origin(agent.mark())
        .always("server", server(hierarchy.agent, trace))
        .origin_of("metrics", agent.at("spec.metrics").mark())
        .origin_of("logs", agent.at("spec.logs").mark())
        .origin_of("integrations", agent.at("spec.integrations").mark());
    match part {
        Part::Metrics => fields.always("metrics", metrics::section(hierarchy, Scope::Full, trace, diagnostics)),
        Part::Logs => fields.always("logs", logs::section(hierarchy, Scope::Full, trace, diagnostics)),
        Part::Integrations { all_nodes } => fields
            .always(
                "metrics",
                metrics::section(hierarchy, Scope::Instances, trace, diagnostics),
            )
            .always("logs", logs::section(hierarchy, Scope::Instances, trace, diagnostics))
            .always(
                "integrations",
                integrations::section(&hierarchy.integrations, all_nodes, trace),
            ),
    }
}

fn server<'d>(agent: &'d Resource<'d, GrafanaAgent<'d>>, trace: Trace<'_, 'd>) -> Fields<'d> {
    let (spec, site) = (&agent.spec, trace.resource(agent));
    Fields::new()
        .origin(site.at("spec").mark())
        .text("log_level", spec.log_level)
        .origin_of("log_level", site.at("spec.logLevel").mark())
        .text("log_format", spec.log_format)
        .origin_of("log_format", site.at("spec.logFormat").mark())
}

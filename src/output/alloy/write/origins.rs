//! Origins of components: the source from which each component is generated, and the field from which each of its parts
//! is generated. A part that also exists in `agent.yml` has the same source field there.

use super::catalog::spec;
use super::target_rules::{TargetRule, target_rules_after};
use crate::output::agent::{PartSource, origins};
use crate::plan::{
    ConfigKind, Discovery, Integration, LogsInstance, LokiClient, MetricsInstance, MonitorWatch, Origin, Plan,
    ScrapeJob,
};
use crate::resolve::AssetKey;
use crate::yaml::Step::{Index, Key};

/// Source from which a component is generated.
#[derive(Clone, Copy)]
pub enum ComponentSource<'m, 'p> {
    /// Settings of the agent itself.
    Agent,
    /// Value of a Secret key.
    Key(AssetKey<'p>),
    /// File with the value of a Secret or ConfigMap key.
    File(AssetKey<'p>),
    Discovery(&'m Discovery<'p>),
    /// Job of a monitor or PodLogs.
    Job {
        job: &'m ScrapeJob<'p>,
        /// Number of rules that precede the job's own rules.
        presets: usize,
        /// Number of the job's leading rules that are omitted.
        unused: usize,
        /// For PodLogs, the instance, and the index of the stage from which each block is generated.
        logs: Option<(&'p LogsInstance<'p>, &'m [usize])>,
    },
    /// Receivers of a metrics instance.
    RemoteWrite(&'p MetricsInstance<'p>),
    /// Component that discovers monitors.
    Watch(&'m MonitorWatch<'p>),
    /// Receiver of a logs instance.
    Client(&'p LokiClient<'p>),
    Integration(&'p Integration<'p>),
    /// Scrape job of an integration.
    Autoscrape {
        integration: &'p Integration<'p>,
        /// Number of rules that precede those in `relabel_configs`.
        presets: usize,
        /// Index in `relabel_configs` of each rule after the presets.
        rules: &'m [usize],
    },
}

/// Name of a part, and its index among the blocks with this name.
pub type Name<'n> = (&'n str, usize);

/// Location of a part within a component.
#[derive(Clone, Copy)]
pub struct ComponentPath<'n, 'p> {
    pub plan: &'p Plan<'p>,
    /// Configuration that contains the component.
    pub part: ConfigKind,
    /// Kind of the component.
    pub component: &'n str,
    /// Path to the part.
    pub path: &'n [Name<'n>],
}

impl<'p> ComponentSource<'_, 'p> {
    /// Sets the number of rules that precede the user's rules.
    pub fn with_presets(self, presets: usize) -> Self {
        match self {
            ComponentSource::Job { job, unused, logs, .. } => ComponentSource::Job { job, presets, unused, logs },
            ComponentSource::Autoscrape { integration, rules, .. } => {
                ComponentSource::Autoscrape { integration, presets, rules }
            }
            component_source => component_source,
        }
    }

    /// Returns the source of a part, or `None` if only an enclosing part has a source.
    pub fn source(&self, place: ComponentPath<'_, 'p>) -> Option<PartSource<'p>> {
        let (plan, agent) = (place.plan, Origin::new(place.plan.agent));
        let global_origin = |steps: &[_]| origins::global(plan, place.part, steps);
        let receiver = |instance: &'p _, steps: &[_]| origins::receiver(plan.effective_receivers(instance), steps);
        let origin = match (*self, place.path) {
            (ComponentSource::Key(key) | ComponentSource::File(key), []) => return Some(PartSource::Key(key)),
            (ComponentSource::Agent, []) => agent.at("spec"),
            (ComponentSource::Agent, [("level", _)]) => agent.at("spec.logLevel"),
            (ComponentSource::Agent, [("format", _)]) => agent.at("spec.logFormat"),
            (ComponentSource::Discovery(discovery), [] | [("namespaces", _)]) => discovery.origin,
            (ComponentSource::Discovery(discovery), [(name, _)]) => origins::discovery(discovery, agent, &[Key(name)])?,
            (ComponentSource::Job { job, presets, unused, logs }, _) => {
                place.job_origin(job, (presets, unused), logs)?
            }
            (ComponentSource::RemoteWrite(instance), []) => Origin::new(instance.resource),
            (ComponentSource::RemoteWrite(instance), [("endpoint", i)]) => receiver(instance, &[Index(*i)])?,
            (ComponentSource::RemoteWrite(instance), [("endpoint", i), ("write_relabel_config", number)]) => {
                receiver(instance, &[Index(*i), Key("write_relabel_configs"), Index(*number)])?
            }
            (ComponentSource::RemoteWrite(_), [(name @ "external_labels", _)]) => global_origin(&[Key(name)])?,
            (ComponentSource::RemoteWrite(_), [(name @ "external_labels", _), (label, _)]) => {
                global_origin(&[Key(name), Key(label)])?
            }
            (ComponentSource::Watch(watch), [] | [("selector", _)]) => watch.labels_origin(),
            (ComponentSource::Watch(watch), [("namespaces", _)]) => watch.namespaces_origin(),
            (ComponentSource::Watch(_), [(argument, _)]) => agent.at(match *argument {
                "allow_arbitrary_file_access" => "spec.metrics.arbitraryFSAccessThroughSMs",
                "client" => "spec.apiServer",
                "rule" => "spec.metrics.shards",
                _ => return None,
            }),
            (ComponentSource::Watch(_), [("scrape", _), (argument, _)]) => agent.at(match *argument {
                "default_scrape_interval" => "spec.metrics.scrapeInterval",
                "default_scrape_timeout" => "spec.metrics.scrapeTimeout",
                "default_sample_limit" => "spec.metrics.enforcedSampleLimit",
                _ => return None,
            }),
            (ComponentSource::Client(client), []) => client.origin,
            (ComponentSource::Client(client), [("external_labels", _)]) if client.external_labels.user.is_empty() => {
                agent.at(LOGS_LABEL)
            }
            (ComponentSource::Client(client), [("external_labels", _), (label, _)])
                if client.external_labels.agent == Some(label) =>
            {
                agent.at(LOGS_LABEL)
            }
            (ComponentSource::Integration(integration), [] | [("rule", _)]) => integration.origin,
            (ComponentSource::Integration(integration), [("forward_to" | "output", _)]) => {
                integration.origin.key("logs_instance")
            }
            (ComponentSource::Integration(integration), [("namespaces", _)]) => integration.origin.key("namespace"),
            (ComponentSource::Autoscrape { integration, presets, rules }, _) => {
                place.autoscrape_origin(integration, presets, rules)?
            }
            _ => return None,
        };
        Some(PartSource::Field(origin))
    }
}

/// Field that specifies the name of the log label containing the agent's name.
const LOGS_LABEL: &str = "spec.logs.logsExternalLabelName";

impl<'p> ComponentPath<'_, 'p> {
    fn job_origin(
        &self,
        job: &ScrapeJob<'p>,
        (presets, unused): (usize, usize),
        logs: Option<(&LogsInstance<'p>, &[usize])>,
    ) -> Option<Origin<'p>> {
        let origin_in_job = |steps: &[_]| origins::scrape_job(self.plan.agent, job, steps);
        let global_origin = |name| origins::global(self.plan, self.part, &[Key(name)]);
        let stage = |block: &str, number: &usize| {
            let stage = origin_in_job(&[Key("pipeline_stages"), Index(*logs?.1.get(*number)?)])?;
            Some(stage.key(field_of_stage(block)?))
        };
        match (self.component, self.path) {
            (_, []) => origin_in_job(&[]),
            ("loki.source.file", [("file_match", _)]) => Some(Origin::new(logs?.0.resource).at("spec.targetConfig")),
            ("loki.process", [(block, number)]) => stage(block, number),
            // The stages nested in a `match` form a separate list.
            ("loki.process", [(around @ "stage.match", number), (block, _)]) => {
                field_of_stage(block)?;
                Some(stage(around, number)?.inner_key("stages"))
            }
            ("discovery.relabel", [("targets", _)]) => origin_in_job(&[Key("kubernetes_sd_configs"), Index(0)]),
            (component, [("rule", i)]) => match (i.checked_sub(presets), component) {
                (Some(i), "discovery.relabel") => {
                    let rule = target_rules_after(unused, &job.relabelings).nth(i);
                    match rule.as_ref().map(TargetRule::index) {
                        Some(i) => origin_in_job(&[Key("relabel_configs"), Index(i)]),
                        None => origin_in_job(&[]),
                    }
                }
                (Some(i), _) => origin_in_job(&[Key("metric_relabel_configs"), Index(i)]),
                (None, _) => origin_in_job(&[]),
            },
            (_, [(name @ "scrape_interval", _)]) if job.interval.is_empty() => global_origin(name),
            (_, [(name @ "scrape_timeout", _)]) if job.timeout.is_empty() => global_origin(name),
            (_, [(name, _)]) => origin_in_job(&[Key(name)]),
            _ => None,
        }
    }

    fn autoscrape_origin(&self, integration: &Integration<'p>, presets: usize, rules: &[usize]) -> Option<Origin<'p>> {
        let field_origin = |field| Origin::new(integration.resource).at(field);
        let own_rule = |i: usize| i.checked_sub(presets).and_then(|i| rules.get(i));
        match (self.component, self.path) {
            (_, []) => Some(integration.origin.key("autoscrape")),
            (_, [("forward_to", _)]) => Some(field_origin("spec.config.autoscrape.metrics_instance")),
            ("discovery.relabel", [("rule", i)]) => match own_rule(*i) {
                Some(index) => Some(field_origin("spec.config.autoscrape.relabel_configs").item(*index)),
                None => Some(integration.origin),
            },
            ("discovery.relabel", [("targets", _)]) => Some(integration.origin),
            ("prometheus.relabel", [("rule", i)]) => match i.checked_sub(presets) {
                Some(i) => Some(field_origin("spec.config.autoscrape.metric_relabel_configs").item(i)),
                None => Some(integration.origin.key("autoscrape")),
            },
            _ => None,
        }
    }
}

/// Returns the PodLogs field of the stage from which a block is generated, or `None` if the block is not a stage.
fn field_of_stage(block: &str) -> Option<&'static str> {
    let name = spec("stage")?.argument(block)?.name;
    Some(match name.strip_prefix("stage.")? {
        "label_drop" => "labelDrop",
        "label_keep" => "labelAllow",
        name => name,
    })
}

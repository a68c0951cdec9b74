//! Origins of the parts of a configuration.

use super::configuration::{Configuration, InstanceNumber};
use crate::api::{GrafanaAgent, ObjectRef, Resource};
use crate::diagnostic::FieldPath;
use crate::plan::{ConfigKind, Discovery, Origin, Plan, RelabelRule, RemoteWriteClient, ScrapeJob, TargetSource};
use crate::resolve::AssetKey;
use crate::yaml::Step;

/// Source of a part of a configuration.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum PartSource<'d> {
    /// Field of a resource, or an entire resource.
    Field(Origin<'d>),
    /// Key of a Secret or ConfigMap.
    Key(AssetKey<'d>),
}

impl<'d> PartSource<'d> {
    /// Returns the resource or object that contains the source.
    pub fn object(self) -> ObjectRef<'d> {
        match self {
            PartSource::Field(origin) => origin.object(),
            PartSource::Key(key) => key.object(),
        }
    }

    /// Returns the path of the field. Empty for an entire resource.
    pub fn path(self) -> FieldPath<'static> {
        match self {
            PartSource::Field(origin) => origin.path(),
            PartSource::Key(key) => FieldPath::parse("data").key(key.key.to_owned()),
        }
    }
}

impl<'d> Configuration<'_, 'd> {
    /// Returns the source of the part of the outline at `path`, or `None` if only an enclosing part has a source.
    pub fn origin(&self, path: &[Step<'_>]) -> Option<PartSource<'d>> {
        use Step::{Index, Key};
        let agent = Origin::new(self.plan.agent);
        let origin = match *path {
            [] => agent,
            [Key("server")] => agent.at("spec"),
            [Key("server"), Key("log_level")] => agent.at("spec.logLevel"),
            [Key("server"), Key("log_format")] => agent.at("spec.logFormat"),
            [Key("metrics")] => agent.at("spec.metrics"),
            [Key("metrics"), Key("global"), ref rest @ ..] => global(self.plan, self.part, rest)?,
            [Key("metrics"), Key("configs"), Index(i), ref rest @ ..] => {
                let instance = self.plan.metrics.get(i)?;
                match *rest {
                    [] => Origin::new(instance.resource),
                    [Key("remote_write"), ref rest @ ..] => receiver(&instance.receivers, rest)?,
                    _ => return None,
                }
            }
            [Key("logs")] => agent.at("spec.logs"),
            [Key("logs"), Key("configs"), Index(i), ref rest @ ..] => {
                let instance = self.plan.logs.get(i)?;
                match *rest {
                    [] => Origin::new(instance.resource),
                    [Key("target_config")] => Origin::new(instance.resource).at("spec.targetConfig"),
                    [Key("clients"), Index(i)] => instance.receivers.get(i)?.origin,
                    [Key("clients"), Index(i), Key("external_labels"), Key(label)] => {
                        let labels = instance.receivers.get(i)?.external_labels;
                        (labels.agent == Some(label)).then(|| agent.at("spec.logs.logsExternalLabelName"))?
                    }
                    _ => return None,
                }
            }
            [Key("integrations")] => agent.at("spec.integrations"),
            [Key("integrations"), Key(list), Index(i)] => {
                self.integrations.get(list.strip_suffix("_configs")?)?.get(i)?.origin
            }
            _ => return None,
        };
        Some(PartSource::Field(origin))
    }

    /// Returns the source of a part of an instance's scrape job. `rest` is the path within the job, and `job` is the
    /// job's plan, or `None` for an additional job.
    pub fn origin_in_job(
        &self,
        instance: InstanceNumber,
        job: Option<&ScrapeJob<'d>>,
        rest: &[Step<'_>],
    ) -> Option<PartSource<'d>> {
        let Some(job) = job else {
            let additional = self.plan.instance(instance)?.additional_jobs()?;
            return rest.is_empty().then_some(PartSource::Key(additional.secret));
        };
        scrape_job(self.plan.agent, job, rest).map(PartSource::Field)
    }
}

/// Returns the source of a part of the section shared by all instances. `rest` is the path within the section.
pub(in crate::output) fn global<'d>(plan: &Plan<'d>, part: ConfigKind, rest: &[Step<'_>]) -> Option<Origin<'d>> {
    let labels = plan.external_labels;
    let field = match *rest {
        [Step::Key("external_labels")] => "spec.metrics.externalLabels",
        [Step::Key("external_labels"), Step::Key(label)]
            if part == ConfigKind::Metrics && labels.replica == Some(label) =>
        {
            "spec.metrics.replicaExternalLabelName"
        }
        [Step::Key("external_labels"), Step::Key(label)] if labels.agent == Some(label) => {
            "spec.metrics.metricsExternalLabelName"
        }
        [Step::Key("scrape_interval")] => "spec.metrics.scrapeInterval",
        [Step::Key("scrape_timeout")] => "spec.metrics.scrapeTimeout",
        [Step::Key("remote_write"), ref rest @ ..] => return receiver(&plan.receivers, rest),
        _ => return None,
    };
    Some(Origin::new(plan.agent).at(field))
}

/// Returns the source of a part of a job for a monitor or PodLogs. `rest` is the path within the job.
pub(in crate::output) fn scrape_job<'d>(
    agent: &'d Resource<'d, GrafanaAgent<'d>>,
    job: &ScrapeJob<'d>,
    rest: &[Step<'_>],
) -> Option<Origin<'d>> {
    use Step::{Index, Key};
    let metrics = &agent.spec.metrics;
    let agent = Origin::new(agent);
    let enforced_origin = |limit: Option<u64>, by, own| limit.map_or(job.origin.at(own), |_| agent.at(by));
    let origin = match *rest {
        [] => job.origin,
        [Key("honor_labels")] if metrics.override_honor_labels => agent.at("spec.metrics.overrideHonorLabels"),
        [Key("honor_timestamps")] if metrics.override_honor_timestamps => {
            agent.at("spec.metrics.overrideHonorTimestamps")
        }
        [Key("sample_limit")] => {
            let limit = metrics.enforced_sample_limit;
            enforced_origin(limit, "spec.metrics.enforcedSampleLimit", "spec.sampleLimit")
        }
        [Key("target_limit")] => {
            let limit = metrics.enforced_target_limit;
            enforced_origin(limit, "spec.metrics.enforcedTargetLimit", "spec.targetLimit")
        }
        [Key("pipeline_stages"), Index(i)] => job.origin.at("spec.pipelineStages").item(i),
        [Key("relabel_configs"), Index(i)] => rule(&job.relabelings, i)?,
        [Key("metric_relabel_configs"), Index(i)] => rule(&job.metric_relabelings, i)?,
        [Key("static_configs" | "kubernetes_sd_configs"), Index(_), ref rest @ ..] => match &job.targets {
            TargetSource::Discovered(targets) => discovery(targets, agent, rest)?,
            TargetSource::Static { origin, .. } if rest.is_empty() => *origin,
            TargetSource::Static { .. } => return None,
        },
        _ => return None,
    };
    Some(origin)
}

/// Returns the source of a part of the remote-write settings. `rest` is the path within the list of remote writes.
pub(in crate::output) fn receiver<'d>(receivers: &[RemoteWriteClient<'d>], rest: &[Step<'_>]) -> Option<Origin<'d>> {
    match *rest {
        [Step::Index(i)] => Some(receivers.get(i)?.origin),
        [Step::Index(i), Step::Key("write_relabel_configs"), Step::Index(number)] => {
            rule(&receivers.get(i)?.relabelings, number)
        }
        _ => None,
    }
}

fn rule<'d>(rules: &[RelabelRule<'d>], index: usize) -> Option<Origin<'d>> {
    rules.get(index)?.origin
}

/// Returns the source of a part of a service discovery. `rest` is the path within the service discovery.
pub(in crate::output) fn discovery<'d>(
    discovery: &Discovery<'d>,
    agent: Origin<'d>,
    rest: &[Step<'_>],
) -> Option<Origin<'d>> {
    match *rest {
        [] => Some(discovery.origin),
        [Step::Key("api_server")] => Some(agent.at("spec.apiServer.host")),
        [Step::Key("basic_auth")] => Some(agent.at("spec.apiServer.basicAuth")),
        [Step::Key("tls_config")] => Some(agent.at("spec.apiServer.tlsConfig")),
        [Step::Key("authorization")] => Some(agent.at("spec.apiServer")),
        _ => None,
    }
}

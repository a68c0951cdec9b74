//! The whole configuration, as a value and as text.

use super::fields::{DATA_DIRECTORY, Fields};
use super::{logs, metrics};
use crate::plan::{AdditionalJobs, Integration, LogsJob, MetricsInstance, Part, Plan, ScrapeJob};
use crate::yaml::{self, Mapping, Step, Style, Value};

/// How far the items of `scrape_configs` are indented.
const JOB_INDENT: usize = 12;

/// The text of one of an agent's configurations: `agent.yml`.
pub fn text(plan: &Plan<'_>, part: Part) -> String {
    let mut text = String::new();
    write(plan, part, &mut |piece| text.push_str(piece));
    text
}

/// [`text`], passed on piece by piece: each scrape job of metrics is made when its turn comes, and none is kept.
///
/// A value that the plan's store lacks is written as an empty text: its absence was reported when the hierarchy was
/// resolved. The template language ends its output with a line break, although the YAML already has one.
pub fn write(plan: &Plan<'_>, part: Part, piece: &mut dyn FnMut(&str)) {
    let configuration = Configuration::outline(plan, part);
    let value = configuration.value(&Value::clone);
    let (text, layout) = yaml::write_with_layout(&value, Style::V3);
    let mut written = 0;
    for (number, node) in layout.nodes.iter().enumerate() {
        let path = layout.path(number);
        let [
            Step::Key("metrics"),
            Step::Key("configs"),
            Step::Index(index),
            Step::Key("scrape_configs"),
        ] = *path
        else {
            continue;
        };
        let Some(before) = text
            .get(written..node.bytes.end)
            .and_then(|text| text.strip_suffix(" []"))
        else {
            continue;
        };
        configuration.each_job(index, &mut |job| {
            let mut lines = String::new();
            if written < node.bytes.end {
                written = node.bytes.end + 1;
                lines.push_str(before);
                lines.push('\n');
            }
            yaml::append_item(&mut lines, job, Style::V3, JOB_INDENT);
            piece(&lines);
        });
    }
    piece(text.get(written..).unwrap_or_default());
    piece("\n");
}

/// A configuration with its jobs.
pub struct Configuration<'p, 'd> {
    pub(super) plan: &'p Plan<'d>,
    pub(super) part: Part,
    /// The jobs of each instance of metrics; `None` where an empty list stands for them.
    pub(super) scrape_jobs: Option<Vec<Vec<ScrapeJob<'d>>>>,
    /// The jobs of each instance of logs.
    pub(super) logs_jobs: Vec<Vec<LogsJob<'d>>>,
}

impl<'p, 'd> Configuration<'p, 'd> {
    /// A configuration with all its jobs.
    pub fn new(plan: &'p Plan<'d>, part: Part) -> Self {
        let mut configuration = Self::outline(plan, part);
        let jobs = |instance| configuration.scrape_jobs_of(instance).collect();
        configuration.scrape_jobs = Some(plan.metrics.iter().map(jobs).collect());
        configuration
    }

    /// A configuration in which the jobs of metrics are left for later.
    fn outline(plan: &'p Plan<'d>, part: Part) -> Self {
        let logs = plan.logs.iter().filter(|_| part == Part::Logs);
        Self {
            plan,
            part,
            scrape_jobs: None,
            logs_jobs: logs.map(|instance| instance.jobs().collect()).collect(),
        }
    }

    /// The configuration, to be written in Go's yaml.v3 style. `additional` changes each additional scrape configuration.
    pub fn value(&self, additional: &dyn Fn(&Value<'static>) -> Value<'static>) -> Value<'_> {
        let plan = self.plan;
        let fields = Fields::new().always("server", server(plan));
        let fields = match self.part {
            Part::Logs => fields,
            _ => {
                let instances = plan.metrics.iter().enumerate();
                let instances = instances.map(|(i, instance)| {
                    let jobs = self.scrape_configs(i, instance, additional);
                    metrics::instance(plan, instance, jobs).into()
                });
                let section = metrics::shared(plan, self.part == Part::Metrics);
                fields.always("metrics", section.list("configs", instances.collect()))
            }
        };
        let fields = match self.part {
            Part::Metrics => fields,
            _ => {
                let instances = plan.logs.iter().enumerate();
                let instances = instances.map(|(i, instance)| {
                    let jobs = self.logs_jobs.get(i).into_iter().flatten();
                    let jobs = jobs.map(|job| logs::job(job, plan.secrets).into());
                    let jobs = with_additional(jobs, instance.additional.as_ref(), additional);
                    logs::instance(plan, instance, jobs).into()
                });
                let section = Fields::new().always("positions_directory", DATA_DIRECTORY);
                fields.always("logs", section.list("configs", instances.collect()))
            }
        };
        match self.part {
            Part::Integrations { all_nodes } => {
                let wanted = plan.integrations.iter();
                let wanted = wanted.filter(|i| i.resource.spec.r#type.all_nodes == all_nodes);
                fields.always("integrations", integrations(wanted)).into()
            }
            _ => fields.into(),
        }
    }

    fn scrape_configs<'v>(
        &'v self,
        index: usize,
        instance: &MetricsInstance<'d>,
        additional: &dyn Fn(&Value<'static>) -> Value<'static>,
    ) -> Option<Vec<Value<'v>>> {
        let Some(jobs) = &self.scrape_jobs else {
            let has_additional = instance.additional.as_ref().is_some_and(|jobs| jobs.jobs.is_some());
            let has_jobs = has_additional || self.scrape_jobs_of(instance).next().is_some();
            return has_jobs.then(Vec::new);
        };
        let jobs = jobs.get(index).into_iter().flatten();
        let jobs = jobs.map(|job| metrics::job(job, self.plan.secrets).into());
        with_additional(jobs, instance.additional.as_ref(), additional)
    }

    /// The jobs of the monitors of an instance, where this configuration has them.
    fn scrape_jobs_of(&self, instance: &MetricsInstance<'d>) -> impl Iterator<Item = ScrapeJob<'d>> + use<'d> {
        let jobs = (self.part == Part::Metrics).then(|| instance.jobs());
        jobs.into_iter().flatten()
    }

    /// Passes on the jobs of the instance of metrics of this number.
    fn each_job(&self, index: usize, pass: &mut dyn FnMut(&Value<'_>)) {
        let Some(instance) = self.plan.metrics.get(index) else {
            return;
        };
        for job in self.scrape_jobs_of(instance) {
            pass(&metrics::job(&job, self.plan.secrets).into());
        }
        let additional = instance.additional.iter().flat_map(|additional| &additional.jobs);
        additional.flatten().for_each(pass);
    }
}

/// Jobs, and the additional ones; `None` without any.
fn with_additional<'v>(
    jobs: impl Iterator<Item = Value<'v>>,
    additional: Option<&AdditionalJobs<'_>>,
    change: &dyn Fn(&Value<'static>) -> Value<'static>,
) -> Option<Vec<Value<'v>>> {
    let additional = additional.and_then(|additional| additional.jobs.as_ref());
    let mut all: Vec<_> = jobs.collect();
    for job in additional.into_iter().flatten() {
        all.push(change(job));
    }
    (additional.is_some() || !all.is_empty()).then_some(all)
}

pub(super) fn server<'v>(plan: &Plan<'v>) -> Fields<'v> {
    let spec = &plan.agent.spec;
    Fields::new()
        .text("log_level", spec.log_level)
        .text("log_format", spec.log_format)
}

/// `integrations` with these integrations (`agent-integrations.libsonnet`, `integrations.libsonnet`). Each name has a
/// list, even one that may exist only once.
pub(super) fn integrations<'v>(integrations: impl Iterator<Item = &'v Integration<'v>>) -> Mapping<'v> {
    let mut lists: Vec<(&str, Vec<Value<'v>>)> = Vec::new();
    for integration in integrations {
        let (name, config) = (integration.resource.spec.name, integration.config.clone());
        match lists.iter_mut().find(|(other, _)| *other == name) {
            Some((_, list)) => list.push(config),
            None => lists.push((name, vec![config])),
        }
    }
    let mut section = Mapping::new();
    let autoscrape = Fields::new().always("enable", false);
    section.push("metrics", Fields::new().always("autoscrape", autoscrape));
    for (name, list) in lists {
        section.push(format!("{name}_configs"), list);
    }
    section
}

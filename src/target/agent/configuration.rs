//! The whole configuration, as a value and as text.

use std::collections::HashMap;
use std::ops::Range;

use super::fields::{DATA_DIRECTORY, Fields};
use super::job_lines::{JOB_INDENT, JobLines, append_job};
use super::{logs, metrics};
use crate::plan::{AdditionalJobs, Integration, LogsJob, MetricsInstance, Part, Plan, ScrapeJob};
use crate::target::shares::each_share;
use crate::yaml::{self, Layout, Mapping, Step, Style, Value};

/// The text of one of an agent's configurations: `agent.yml`.
pub fn text(plan: &Plan<'_>, part: Part) -> String {
    let mut text = String::new();
    write(plan, part, &mut |piece| text.push_str(piece));
    text
}

/// [`text`], passed on piece by piece: scrape jobs of metrics are made when their turn comes, and none is kept.
///
/// A value that the plan's store lacks is written as an empty text: its absence was reported when the hierarchy was
/// resolved. The template language ends its output with a line break, although the YAML already has one.
pub fn write(plan: &Plan<'_>, part: Part, piece: &mut dyn FnMut(&str)) {
    let configuration = Configuration::new(plan, part);
    let outline = configuration.value(&Value::clone);
    configuration.each_part(&outline, &mut |part| match part {
        OutlinePart::Lines(text) => piece(text),
        OutlinePart::Jobs(instance) => configuration.each_text(instance, piece),
    });
}

/// The lines of a scrape job of metrics, and the place of each node in them. The list around the job is the outermost node.
pub fn job_with_layout<'v>(job: &'v Value<'_>) -> (String, Layout<'v>) {
    yaml::item_with_layout(job, Style::V3, JOB_INDENT)
}

/// A part of an outline.
pub enum OutlinePart<'s> {
    /// Whole lines.
    Lines(&'s str),
    /// The place of the jobs of the instance of metrics of this number, of which there are some.
    Jobs(usize),
}

/// Where the jobs of an instance of metrics belong in the text of an outline.
pub struct Gap {
    /// The number of the instance.
    pub instance: usize,
    /// The number of the node that is their list.
    pub list: usize,
    /// The bytes that the jobs replace.
    pub bytes: Range<usize>,
}

impl Gap {
    /// The gaps of an outline in their order.
    pub fn all(text: &str, layout: &Layout<'_>) -> Vec<Self> {
        let gap = |list: usize| {
            let node = layout.nodes.get(list)?;
            let (_, Step::Key("scrape_configs")) = node.parent? else {
                return None;
            };
            let [
                Step::Key("metrics"),
                Step::Key("configs"),
                Step::Index(instance),
                Step::Key(_),
            ] = *layout.path(list)
            else {
                return None;
            };
            let end = node.bytes.end;
            let before = text.get(..end)?.strip_suffix(EMPTY)?;
            let bytes = before.len()..end;
            Some(Self { instance, list, bytes })
        };
        (0..layout.nodes.len()).filter_map(gap).collect()
    }
}

/// A list without items behind its key.
const EMPTY: &str = " []";

/// A configuration: its outline, in which an empty list stands for the jobs of each instance of metrics, and these jobs,
/// each of which is made when its turn comes.
pub struct Configuration<'p, 'd> {
    pub(super) plan: &'p Plan<'d>,
    pub(super) part: Part,
    /// The jobs of each instance of logs.
    pub(super) logs_jobs: Vec<Vec<LogsJob<'d>>>,
    pub(super) integrations: ByName<'p, 'd>,
}

/// Integrations by their names.
type ByName<'p, 'd> = Vec<(&'d str, Vec<&'p Integration<'d>>)>;

impl<'p, 'd> Configuration<'p, 'd> {
    /// A part of a plan.
    pub fn new(plan: &'p Plan<'d>, part: Part) -> Self {
        let logs = plan.logs.iter().filter(|_| part == Part::Logs);
        Self {
            plan,
            part,
            logs_jobs: logs.map(|instance| instance.jobs().collect()).collect(),
            integrations: by_name(plan.integrations.iter().filter(|integration| {
                let all_nodes = integration.resource.spec.r#type.all_nodes;
                part == Part::Integrations { all_nodes }
            })),
        }
    }

    /// Passes on the lines of an outline, which [`Configuration::value`] gave, and the places of jobs where they belong.
    pub fn each_part(&self, outline: &Value<'_>, pass: &mut dyn FnMut(OutlinePart<'_>)) {
        let (text, layout) = yaml::write_with_layout(outline, Style::V3);
        let mut written = 0;
        for gap in Gap::all(&text, &layout) {
            let instance = self.plan.metrics.get(gap.instance);
            if instance.is_some_and(|instance| self.has_job(instance)) {
                let before = text.get(written..gap.bytes.start).unwrap_or_default();
                pass(OutlinePart::Lines(&format!("{before}\n")));
                pass(OutlinePart::Jobs(gap.instance));
                written = gap.bytes.end + 1;
            }
        }
        let rest = text.get(written..).unwrap_or_default();
        pass(OutlinePart::Lines(&format!("{rest}\n")));
    }

    /// The outline, to be written in Go's yaml.v3 style. `additional` changes each additional scrape configuration of logs.
    pub fn value(&self, additional: &dyn Fn(&Value<'static>) -> Value<'static>) -> Value<'_> {
        let plan = self.plan;
        let fields = Fields::new().always("server", server(plan));
        let fields = match self.part {
            Part::Logs => fields,
            _ => {
                let instances = plan.metrics.iter().map(|instance| {
                    let jobs = self.has_list(instance).then(Vec::new);
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
            Part::Integrations { .. } => fields.always("integrations", integrations(&self.integrations)).into(),
            _ => fields.into(),
        }
    }

    /// Whether an instance has a list of jobs, be it empty.
    fn has_list(&self, instance: &MetricsInstance<'d>) -> bool {
        let additional = instance.additional.as_ref();
        additional.is_some_and(|jobs| jobs.jobs.is_some()) || self.has_job(instance)
    }

    fn has_job(&self, instance: &MetricsInstance<'d>) -> bool {
        self.scrape_jobs_of(instance).next().is_some() || additional_jobs(instance).next().is_some()
    }

    /// The jobs of the monitors of an instance, where this configuration has them.
    fn scrape_jobs_of(&self, instance: &MetricsInstance<'d>) -> impl Iterator<Item = ScrapeJob<'d>> + use<'d> {
        let jobs = (self.part == Part::Metrics).then(|| instance.jobs());
        jobs.into_iter().flatten()
    }

    /// Passes on the jobs of the instance of metrics of this number, the additional ones behind those of monitors.
    pub fn each_job(&self, instance: usize, pass: &mut dyn FnMut(Option<&ScrapeJob<'d>>, Value<'_>)) {
        let Some(instance) = self.plan.metrics.get(instance) else {
            return;
        };
        for job in self.scrape_jobs_of(instance) {
            pass(Some(&job), metrics::job(&job, self.plan.secrets).into());
        }
        additional_jobs(instance).for_each(|job| pass(None, job.clone()));
    }

    /// Passes on the lines of these jobs, several at a time: those of a batch are written in parallel.
    pub fn each_text(&self, instance: usize, pass: &mut dyn FnMut(&str)) {
        let Some(instance) = self.plan.metrics.get(instance) else {
            return;
        };
        each_share(
            self.scrape_jobs_of(instance),
            |share| JobLines::of(share, self.plan.secrets),
            |_, lines| pass(&lines),
        );
        for job in additional_jobs(instance) {
            let mut lines = String::new();
            append_job(&mut lines, job);
            pass(&lines);
        }
    }
}

/// The scrape configurations that an instance of metrics has beside its monitors.
fn additional_jobs<'i>(instance: &'i MetricsInstance<'_>) -> impl Iterator<Item = &'i Value<'static>> {
    let additional = instance.additional.iter();
    additional.flat_map(|additional| &additional.jobs).flatten()
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

/// Integrations by their names, in the order in which these come first. Each name has a list, even one that may exist only once.
pub fn by_name<'p, 'd>(integrations: impl Iterator<Item = &'p Integration<'d>>) -> ByName<'p, 'd> {
    let (mut lists, mut places) = (ByName::new(), HashMap::new());
    for integration in integrations {
        let name = integration.resource.spec.name;
        let place = *places.entry(name).or_insert(lists.len());
        if place == lists.len() {
            lists.push((name, Vec::new()));
        }
        if let Some((_, list)) = lists.get_mut(place) {
            list.push(integration);
        }
    }
    lists
}

/// `integrations` with these integrations (`agent-integrations.libsonnet`, `integrations.libsonnet`).
pub(super) fn integrations<'v>(lists: &ByName<'v, '_>) -> Mapping<'v> {
    let mut section = Mapping::new();
    let autoscrape = Fields::new().always("enable", false);
    section.push("metrics", Fields::new().always("autoscrape", autoscrape));
    for (name, list) in lists {
        let configs: Vec<_> = list.iter().map(|integration| integration.config.clone()).collect();
        section.push(format!("{name}_configs"), configs);
    }
    section
}

//! The whole configuration, as a value and as text: jobs are made when their turn comes, and none is kept.

use std::cell::Cell;
use std::collections::HashMap;
use std::ops::Range;

use super::fields::{DATA_DIRECTORY, Fields};
use super::hidden::hide;
use super::job_lines::{self, JOB_INDENT, append_job};
use super::{logs, metrics};
use crate::plan::{AdditionalJobs, ConfigKind, Integration, LogsJob, Plan, ScrapeJob, Secrets};
use crate::resolve::AssetKey;
use crate::secrecy::{Form, each_secret};
use crate::yaml::{self, Layout, Mapping, SecretSource, Step, Style, Value};

/// The text of one of an agent's configurations: `agent.yml`.
pub fn text(plan: &Plan<'_>, part: ConfigKind) -> String {
    let mut text = String::new();
    write(plan, part, Secrets::Values, &mut |piece| text.push_str(piece));
    text
}

/// [`text`], passed on piece by piece; says whether any secret in it is hidden.
///
/// A value that the plan's store lacks is written as an empty text: its absence was reported when the hierarchy was
/// resolved. The template language ends its output with a line break, although the YAML already has one.
pub fn write(plan: &Plan<'_>, part: ConfigKind, secrets: Secrets, piece: &mut dyn FnMut(&str)) -> bool {
    let configuration = Configuration::new(plan, part, secrets);
    let outline = configuration.outline();
    configuration.each_part(&outline, &mut |part| match part {
        OutlinePart::Lines(text) => piece(text),
        OutlinePart::Jobs(instance) => configuration.each_text(instance, piece),
    });
    configuration.has_hidden()
}

/// The lines of a scrape job, and the place of each node in them. The list around the job is the outermost node.
pub fn job_with_layout<'v>(job: &'v Value<'_>) -> (String, Layout<'v>) {
    yaml::item_with_layout(job, Style::V3, JOB_INDENT)
}

/// The number of an instance among those of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstanceNumber {
    /// Of an instance of metrics.
    Metrics(usize),
    Logs(usize),
}

/// What a scrape job is made from.
#[derive(Clone, Copy)]
pub enum JobSource<'j, 'd> {
    Monitor(&'j ScrapeJob<'d>),
    /// PodLogs.
    PodLogs(&'j LogsJob<'d>),
    /// A Secret with additional scrape configurations.
    Additional,
}

pub enum OutlinePart<'s> {
    /// Whole lines.
    Lines(&'s str),
    /// The place of the jobs of this instance, of which there are some.
    Jobs(InstanceNumber),
}

/// Where the jobs of an instance belong in the text of an outline.
pub struct Gap {
    pub instance: InstanceNumber,
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
            let instance = match *layout.path(list) {
                [Step::Key(section), Step::Key("configs"), Step::Index(number), _] => match section {
                    "metrics" => InstanceNumber::Metrics(number),
                    "logs" => InstanceNumber::Logs(number),
                    _ => return None,
                },
                _ => return None,
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

/// A configuration: its outline, in which an empty list stands for the jobs of each instance, and these jobs, each of which is
/// made when its turn comes.
pub struct Configuration<'p, 'd> {
    pub(super) plan: &'p Plan<'d>,
    pub(super) part: ConfigKind,
    pub(super) integrations: ByName<'p, 'd>,
    secrets: Secrets,
    /// Whether any secret in what was written is hidden.
    has_hidden: Cell<bool>,
}

type ByName<'p, 'd> = Vec<(&'d str, Vec<&'p Integration<'d>>)>;

impl<'p, 'd> Configuration<'p, 'd> {
    /// A part of a plan, in which secrets appear like this.
    pub fn new(plan: &'p Plan<'d>, part: ConfigKind, secrets: Secrets) -> Self {
        Self {
            plan,
            part,
            secrets,
            has_hidden: Cell::new(false),
            integrations: by_name(plan.integrations.iter().filter(|integration| {
                let all_nodes = integration.resource.spec.r#type.all_nodes;
                part == ConfigKind::Integrations { all_nodes }
            })),
        }
    }

    /// Passes on the lines of an outline, which [`Configuration::outline`] gave, and the places of jobs where they belong.
    pub fn each_part(&self, outline: &Value<'_>, pass: &mut dyn FnMut(OutlinePart<'_>)) {
        let (text, layout) = yaml::write_with_layout(outline, Style::V3);
        self.each_gap(&text, &layout, &mut |lines, instance| {
            pass(OutlinePart::Lines(&format!(
                "{}\n",
                text.get(lines).unwrap_or_default()
            )));
            instance
                .into_iter()
                .for_each(|instance| pass(OutlinePart::Jobs(instance)));
        });
    }

    /// Passes on where the lines of an outline are, and of which instance there are jobs behind them.
    fn each_gap(&self, text: &str, layout: &Layout<'_>, pass: &mut dyn FnMut(Range<usize>, Option<InstanceNumber>)) {
        let mut written = 0;
        for gap in Gap::all(text, layout) {
            if self.has_job(gap.instance) {
                pass(written..gap.bytes.start, Some(gap.instance));
                written = gap.bytes.end + 1;
            }
        }
        pass(written..text.len(), None);
    }

    /// The outline, to be written in Go's yaml.v3 style.
    pub fn outline(&self) -> Value<'_> {
        let mut outline = self.open_outline();
        self.hide(&mut outline);
        outline
    }

    /// The outline with its secrets.
    fn open_outline(&self) -> Value<'_> {
        use InstanceNumber::{Logs, Metrics};
        let plan = self.plan;
        let jobs = |instance| self.has_list(instance).then(Vec::new);
        let fields = Fields::new().always("server", server(plan));
        let fields = match self.part {
            ConfigKind::Logs => fields,
            _ => {
                let instances = plan.metrics.iter().enumerate();
                let instances =
                    instances.map(|(i, instance)| metrics::instance(plan, instance, jobs(Metrics(i))).into());
                let section = metrics::shared(plan, self.part == ConfigKind::Metrics);
                fields.always("metrics", section.list("configs", instances.collect()))
            }
        };
        let fields = match self.part {
            ConfigKind::Metrics => fields,
            _ => {
                let instances = plan.logs.iter().enumerate();
                let instances = instances.map(|(i, instance)| logs::instance(plan, instance, jobs(Logs(i))).into());
                let section = Fields::new().always("positions_directory", DATA_DIRECTORY);
                fields.always("logs", section.list("configs", instances.collect()))
            }
        };
        match self.part {
            ConfigKind::Integrations { .. } => {
                let integrations = integrations(&self.integrations, self.secrets);
                fields.always("integrations", integrations).into()
            }
            _ => fields.into(),
        }
    }

    /// Whether any secret in what was written is hidden.
    pub fn has_hidden(&self) -> bool {
        self.has_hidden.get()
    }

    fn hide(&self, value: &mut Value<'_>) {
        if hide(value, self.secrets, self.plan.secrets) {
            self.has_hidden.set(true);
        }
    }

    /// Whether an instance has a list of jobs, be it empty.
    fn has_list(&self, instance: InstanceNumber) -> bool {
        self.additional(instance).is_some_and(|jobs| jobs.jobs.is_some()) || self.has_job(instance)
    }

    fn has_job(&self, instance: InstanceNumber) -> bool {
        let has_own = match instance {
            InstanceNumber::Metrics(number) => self.scrape_jobs(number).next().is_some(),
            InstanceNumber::Logs(number) => self.logs_jobs(number).next().is_some(),
        };
        has_own || self.additional_jobs(instance).next().is_some()
    }

    /// The jobs of the monitors of an instance of metrics, where this configuration has them.
    fn scrape_jobs(&self, number: usize) -> impl Iterator<Item = ScrapeJob<'d>> + use<'d> {
        let instance = self
            .plan
            .metrics
            .get(number)
            .filter(|_| self.part == ConfigKind::Metrics);
        instance.map(|instance| instance.jobs()).into_iter().flatten()
    }

    /// The jobs of the PodLogs of an instance of logs, where this configuration has them.
    fn logs_jobs(&self, number: usize) -> impl Iterator<Item = LogsJob<'d>> + use<'d> {
        let instance = self.plan.logs.get(number).filter(|_| self.part == ConfigKind::Logs);
        instance.map(|instance| instance.jobs()).into_iter().flatten()
    }

    /// What an instance has beside its monitors and PodLogs.
    pub(super) fn additional(&self, instance: InstanceNumber) -> Option<&'p AdditionalJobs<'d>> {
        match instance {
            InstanceNumber::Metrics(number) => self.plan.metrics.get(number)?.additional.as_ref(),
            InstanceNumber::Logs(number) => self.plan.logs.get(number)?.additional.as_ref(),
        }
    }

    /// The jobs of a Secret, each of which is secret as a whole.
    fn additional_jobs(&self, instance: InstanceNumber) -> impl Iterator<Item = Value<'p>> {
        let additional = self.additional(instance).into_iter();
        additional.flat_map(|additional| {
            additional
                .written(self.secrets)
                .map(|job| match self.secrets.are_hidden() {
                    true => Value::secret(job.clone(), SecretSource::Field),
                    false => job.clone(),
                })
        })
    }

    /// Passes on the jobs of an instance, the additional ones behind the others.
    pub fn each_job(&self, instance: InstanceNumber, pass: &mut dyn FnMut(JobSource<'_, 'd>, Value<'_>)) {
        let mut pass = |from: JobSource<'_, 'd>, mut job: Value<'_>| {
            self.hide(&mut job);
            pass(from, job);
        };
        self.each_own_job(instance, &mut pass);
        self.additional_jobs(instance)
            .for_each(|job| pass(JobSource::Additional, job));
    }

    /// Passes on the jobs of monitors and PodLogs with their secrets.
    fn each_own_job(&self, instance: InstanceNumber, pass: &mut dyn FnMut(JobSource<'_, 'd>, Value<'_>)) {
        let store = self.plan.secrets;
        match instance {
            InstanceNumber::Metrics(number) => self
                .scrape_jobs(number)
                .for_each(|job| pass(JobSource::Monitor(&job), metrics::job(&job, store).into())),
            InstanceNumber::Logs(number) => self
                .logs_jobs(number)
                .for_each(|job| pass(JobSource::PodLogs(&job), logs::job(&job, store).into())),
        }
    }

    /// Passes on the lines of these jobs, several at a time: those of a batch are written in parallel.
    pub fn each_text(&self, instance: InstanceNumber, pass: &mut dyn FnMut(&str)) {
        let (store, secrets) = (self.plan.secrets, self.secrets);
        let has_hidden = match instance {
            InstanceNumber::Metrics(number) => job_lines::each_of(self.scrape_jobs(number), store, secrets, pass),
            InstanceNumber::Logs(number) => job_lines::each_of(self.logs_jobs(number), store, secrets, pass),
        };
        self.has_hidden.set(self.has_hidden.get() || has_hidden);
        for mut job in self.additional_jobs(instance) {
            self.hide(&mut job);
            let mut lines = String::new();
            append_job(&mut lines, &job);
            pass(&lines);
        }
    }
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
pub(super) fn integrations<'v>(lists: &ByName<'v, '_>, secrets: Secrets) -> Mapping<'v> {
    let mut section = Mapping::new();
    let autoscrape = Fields::new().always("enable", false);
    section.push("metrics", Fields::new().always("autoscrape", autoscrape));
    for (name, list) in lists {
        let configs: Vec<_> = list
            .iter()
            .map(|integration| free_form(&integration.config, secrets))
            .collect();
        section.push(format!("{name}_configs"), configs);
    }
    section
}

/// The configuration of an integration, in which the user writes what the operator does not know.
fn free_form<'v>(config: &Value<'v>, secrets: Secrets) -> Value<'v> {
    let mut config = config.clone();
    let form = match secrets {
        Secrets::Values | Secrets::Placeholders => return config,
        Secrets::Masked => Form::Configuration,
        Secrets::Named => Form::PageFreeForm,
    };
    each_secret(&mut config, form, &mut |secret, value| {
        // A URL may show its host.
        if secret.is_whole || secrets == Secrets::Named {
            let inner = std::mem::replace(value, Value::Null);
            *value = Value::secret(inner, SecretSource::Field);
        }
    });
    config
}

/// A section of a configuration into which something else puts the values of Secrets.
pub enum Section<'s, 'd> {
    /// Whole lines, and the values of Secrets in them.
    Lines(&'s str, &'s [(Range<usize>, SecretSource<'s>)]),
    /// The place of the jobs at a key.
    JobsOf(AssetKey<'d>),
}

/// Passes on a configuration, of whose values of Secrets it is known where they are.
pub fn each_section<'d>(plan: &Plan<'d>, part: ConfigKind, pass: &mut dyn FnMut(Section<'_, 'd>)) {
    // There is a job in the place of those at a key, whatever these are.
    let configuration = Configuration::new(plan, part, Secrets::Placeholders);
    let outline = configuration.open_outline();
    let (text, layout) = yaml::write_with_layout(&outline, Style::V3);
    configuration.each_gap(&text, &layout, &mut |bytes, instance| {
        let start = bytes.start;
        let inside = layout.secrets.iter().filter(|(at, _)| bytes.contains(&at.start));
        let moved = inside.map(|(at, source)| (at.start - start..at.end - start, *source));
        let moved: Vec<_> = moved.collect();
        let lines = text.get(bytes).unwrap_or_default();
        pass(Section::Lines(&format!("{lines}\n"), &moved));
        let Some(instance) = instance else { return };
        configuration.each_own_job(instance, &mut |_, job| {
            let (text, layout) = job_with_layout(&job);
            pass(Section::Lines(&text, &layout.secrets));
        });
        let additional = configuration.additional(instance);
        additional.iter().for_each(|jobs| pass(Section::JobsOf(jobs.secret)));
    });
}

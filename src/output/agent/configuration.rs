//! The agent's complete configuration, as a value and as YAML. Jobs are created one at a time and are not stored.

use std::cell::Cell;
use std::ops::Range;

use indexmap::IndexMap;

use super::fields::{DATA_DIRECTORY, FieldsBuilder};
use super::hidden::hide;
use super::job_lines::{self, JOB_INDENT, append_job};
use super::text_facts::TextFacts;
use super::{logs, metrics};
use crate::plan::{AdditionalJobs, ConfigKind, Instance, Integration, JobKind, Plan, ScrapeJob, SecretRepresentation};
use crate::resolve::AssetKey;
use crate::secrecy::{ValueForm, for_each_secret};
use crate::yaml::{self, Layout, LibraryStyle, Mapping, SecretSource, Step, Value};

/// Returns one of an agent's configurations as YAML (`agent.yml`).
pub fn text(plan: &Plan<'_>, part: ConfigKind) -> String {
    let mut text = String::new();
    write(plan, part, SecretRepresentation::Values, &mut |piece| text.push_str(piece));
    text
}

/// Writes the same configuration as [`text`] in parts, and returns facts about it. A value that is missing from the
/// plan's store has already been reported by `resolve`, and is written as an empty string.
///
/// The output ends with an additional newline, because the operator's template language adds a newline to the YAML.
pub fn write(
    plan: &Plan<'_>,
    part: ConfigKind,
    secrets: SecretRepresentation,
    piece: &mut dyn FnMut(&str),
) -> TextFacts {
    let (configuration, mut facts) = (Configuration::new(plan, part, secrets), TextFacts::default());
    configuration.for_each_part(&configuration.outline(), &mut |lines, _, instance| {
        facts.add(lines);
        piece(lines);
        if let Some(instance) = instance {
            facts.merge(configuration.for_each_text(instance, piece));
        }
    });
    facts.has_hidden |= configuration.has_hidden();
    facts
}

/// Returns the lines of a scrape job and the position of each node. The outermost node is the list that contains the
/// job.
fn job_with_layout<'v>(job: &'v Value<'_>) -> (String, Layout<'v>) {
    yaml::item_with_layout(job, LibraryStyle::V3, JOB_INDENT)
}

/// Kind of an instance, and its index among the instances of that kind.
pub type InstanceNumber = (JobKind, usize);

/// Slot for an instance's jobs in an outline.
pub struct JobsSlot {
    pub instance: InstanceNumber,
    /// Index of the node for the list of jobs.
    pub list: usize,
    /// Byte range that is replaced by the jobs.
    pub bytes: Range<usize>,
}

impl JobsSlot {
    /// Returns the slots of an outline in order.
    pub fn all(text: &str, layout: &Layout<'_>) -> Vec<Self> {
        let slot = |list: usize| {
            let node = layout.nodes.get(list)?;
            let (_, Step::Key("scrape_configs")) = node.parent? else {
                return None;
            };
            let instance = match *layout.path(list) {
                [Step::Key(section), Step::Key("configs"), Step::Index(number), _] => match section {
                    "metrics" => (JobKind::Metrics, number),
                    "logs" => (JobKind::Logs, number),
                    _ => return None,
                },
                _ => return None,
            };
            let end = node.bytes.end;
            let text_before = text.get(..end)?.strip_suffix(EMPTY)?;
            let bytes = text_before.len()..end;
            Some(Self { instance, list, bytes })
        };
        (0..layout.nodes.len()).filter_map(slot).collect()
    }
}

/// Empty list, as written after its key.
const EMPTY: &str = " []";

/// Configuration split into an outline, which contains an empty list for each instance's jobs, and the jobs themselves,
/// which are created on demand.
pub struct Configuration<'p, 'd> {
    pub(super) plan: &'p Plan<'d>,
    pub(super) part: ConfigKind,
    pub(super) integrations: ByName<'p, 'd>,
    secrets: SecretRepresentation,
    /// Whether any secrets have been hidden in the output so far.
    has_hidden: Cell<bool>,
}

type ByName<'p, 'd> = IndexMap<&'d str, Vec<&'p Integration<'d>>>;

impl<'p, 'd> Configuration<'p, 'd> {
    /// Creates the configuration for part of a plan. `secrets` determines how secrets are shown.
    pub fn new(plan: &'p Plan<'d>, part: ConfigKind, secrets: SecretRepresentation) -> Self {
        Self {
            plan,
            part,
            secrets,
            has_hidden: Cell::new(false),
            integrations: by_name(plan.integrations.iter().filter(|one| part.runs(&one.resource.spec))),
        }
    }

    /// Passes the lines of an outline to `pass` in parts. Each part comes with the positions of its secrets and the
    /// instance whose jobs follow.
    pub(super) fn for_each_part(&self, outline: &Value<'_>, pass: &mut PartCallback<'_>) {
        let (text, layout) = yaml::write_with_layout(outline, LibraryStyle::V3);
        let mut part = |bytes: Range<usize>, instance| {
            let start = bytes.start;
            let contained_secrets =
                layout.secrets.iter().filter(|(secret_bytes, _)| bytes.contains(&secret_bytes.start));
            let secrets = contained_secrets
                .map(|(secret_bytes, source)| (secret_bytes.start - start..secret_bytes.end - start, *source));
            let lines = text.get(bytes.clone()).unwrap_or_default();
            pass(&format!("{lines}\n"), &secrets.collect::<Vec<_>>(), instance);
        };
        let mut written_bytes = 0;
        for slot in JobsSlot::all(&text, &layout) {
            if self.has_job(slot.instance) {
                part(written_bytes..slot.bytes.start, Some(slot.instance));
                written_bytes = slot.bytes.end + 1;
            }
        }
        part(written_bytes..text.len(), None);
    }

    /// Returns the outline in Go's yaml.v3 style.
    pub fn outline(&self) -> Value<'_> {
        let mut outline = self.open_outline();
        self.hide(&mut outline);
        outline
    }

    /// Returns the outline with its secrets in plain text.
    fn open_outline(&self) -> Value<'_> {
        let plan = self.plan;
        let instances = |kind| {
            let instances = plan.instances().filter(|instance| instance.kind() == kind).enumerate();
            let value = |(i, one)| Value::from(instance(plan, one, self.has_list((kind, i)).then(Vec::new)));
            instances.map(value).collect()
        };
        let mut fields = FieldsBuilder::new().always("server", server(plan));
        if self.part != ConfigKind::Logs {
            let section = metrics::shared_section(plan, self.part == ConfigKind::Metrics);
            fields = fields.always("metrics", section.list("configs", instances(JobKind::Metrics)));
        }
        if self.part != ConfigKind::Metrics {
            let section = FieldsBuilder::new().always("positions_directory", DATA_DIRECTORY);
            fields = fields.always("logs", section.list("configs", instances(JobKind::Logs)));
        }
        match self.part {
            ConfigKind::Integrations { .. } => {
                let integrations = integrations(&self.integrations, self.secrets);
                fields.always("integrations", integrations).into()
            }
            _ => fields.into(),
        }
    }

    /// Whether any secrets have been hidden in the output so far.
    pub fn has_hidden(&self) -> bool {
        self.has_hidden.get()
    }

    fn hide(&self, value: &mut Value<'_>) {
        self.hide_as(self.secrets, value);
    }

    fn hide_as(&self, secrets: SecretRepresentation, value: &mut Value<'_>) {
        if hide(value, secrets, self.plan.secrets) {
            self.has_hidden.set(true);
        }
    }

    /// Whether an instance has a list of jobs, even if the list is empty.
    fn has_list(&self, instance: InstanceNumber) -> bool {
        let additional = self.plan.instance(instance).and_then(Instance::additional_jobs);
        additional.is_some_and(|jobs| jobs.jobs.is_some()) || self.has_job(instance)
    }

    fn has_job(&self, instance: InstanceNumber) -> bool {
        self.own_jobs(instance).next().is_some() || self.additional_jobs(instance).next().is_some()
    }

    /// Returns the jobs of an instance's monitors or PodLogs, if they belong to this configuration.
    fn own_jobs(&self, instance: InstanceNumber) -> impl Iterator<Item = ScrapeJob<'d>> + use<'d> {
        self.own_instance(instance).map(Instance::jobs).into_iter().flatten()
    }

    /// Returns an instance if its jobs belong to this configuration.
    fn own_instance(&self, instance: InstanceNumber) -> Option<Instance<'p, 'd>> {
        self.plan.instance(instance).filter(|instance| instance.part() == self.part)
    }

    /// Returns the instance's additional jobs, which come from a Secret. Each entire job is secret.
    fn additional_jobs(&self, instance: InstanceNumber) -> impl Iterator<Item = Value<'p>> {
        let additional = self.plan.instance(instance).and_then(Instance::additional_jobs).into_iter();
        additional.flat_map(|jobs| secret_jobs(jobs, self.secrets))
    }

    /// Passes the jobs of an instance to `pass`: first the planned jobs, followed by the additional jobs.
    pub fn for_each_job(&self, instance: InstanceNumber, pass: &mut dyn FnMut(Option<&ScrapeJob<'d>>, Value<'_>)) {
        let mut pass = |scrape_job: Option<&ScrapeJob<'d>>, mut job: Value<'_>| {
            self.hide(&mut job);
            pass(scrape_job, job);
        };
        for job in self.own_jobs(instance) {
            pass(Some(&job), metrics::job(&job, self.plan.secrets));
        }
        self.additional_jobs(instance).for_each(|job| pass(None, job));
    }

    /// Calls `pass` with the lines and the layout of each of the instance's jobs. `secrets` determines how secrets are
    /// shown in monitors' jobs, but does not affect the layout.
    pub fn for_each_job_with_layout(
        &self,
        instance: InstanceNumber,
        secrets: SecretRepresentation,
        pass: &mut dyn FnMut(Option<&ScrapeJob<'d>>, &str, &Layout<'_>),
    ) {
        for job in self.own_jobs(instance) {
            let mut value = metrics::job(&job, self.plan.secrets);
            self.hide_as(secrets, &mut value);
            let (lines, layout) = job_with_layout(&value);
            pass(Some(&job), &lines, &layout);
        }
        for mut job in self.additional_jobs(instance) {
            self.hide(&mut job);
            let (lines, layout) = job_with_layout(&job);
            pass(None, &lines, &layout);
        }
    }

    /// Passes the lines of the instance's jobs to `pass`, in batches that are written in parallel. Returns facts about
    /// the lines.
    fn for_each_text(&self, instance: InstanceNumber, pass: &mut dyn FnMut(&str)) -> TextFacts {
        let mut facts = match self.own_instance(instance) {
            Some(own) => job_lines::for_each_batch(own, self.plan.secrets, self.secrets, pass),
            None => TextFacts::default(),
        };
        for mut job in self.additional_jobs(instance) {
            self.hide(&mut job);
            let mut lines = String::new();
            append_job(&mut lines, &job);
            facts.add(&lines);
            pass(&lines);
        }
        facts
    }
}

/// Returns additional jobs. Each entire job is secret.
fn secret_jobs<'p>(jobs: &'p AdditionalJobs<'p>, secrets: SecretRepresentation) -> impl Iterator<Item = Value<'p>> {
    jobs.jobs_to_write(secrets).map(move |job| match secrets.are_hidden() {
        true => Value::secret(job.clone(), SecretSource::Field),
        false => job.clone(),
    })
}

/// Returns an instance with these jobs. The list of jobs is written even if it is empty.
pub(super) fn instance<'v>(
    plan: &'v Plan<'v>,
    instance: Instance<'v, 'v>,
    jobs: Option<Vec<Value<'v>>>,
) -> FieldsBuilder<'v> {
    match instance {
        Instance::Metrics(instance) => metrics::instance(plan, instance, jobs),
        Instance::Logs(instance) => logs::instance(plan, instance, jobs),
    }
}

pub(super) fn server<'v>(plan: &Plan<'v>) -> FieldsBuilder<'v> {
    let spec = &plan.agent.spec;
    FieldsBuilder::new().text("log_level", spec.log_level).text("log_format", spec.log_format)
}

/// Groups integrations by name, in order of first occurrence. Each name gets a list, even if the agent allows only one
/// integration.
pub fn by_name<'p, 'd>(integrations: impl Iterator<Item = &'p Integration<'d>>) -> ByName<'p, 'd> {
    let mut lists = ByName::new();
    for integration in integrations {
        let name = integration.resource.spec.name;
        lists.entry(name).or_default().push(integration);
    }
    lists
}

/// Returns the `integrations` section (`agent-integrations.libsonnet`, `integrations.libsonnet`).
pub(super) fn integrations<'v>(lists: &ByName<'v, '_>, secrets: SecretRepresentation) -> Mapping<'v> {
    let mut section = Mapping::new();
    let autoscrape = FieldsBuilder::new().always("enable", false);
    section.push("metrics", FieldsBuilder::new().always("autoscrape", autoscrape));
    for (name, list) in lists {
        let configs: Vec<_> = list.iter().map(|integration| build_free_form(&integration.config, secrets)).collect();
        section.push(format!("{name}_configs"), configs);
    }
    section
}

/// Returns the configuration of an integration. The operator copies the fields of the configuration without
/// interpreting them.
fn build_free_form<'v>(config: &Value<'v>, secrets: SecretRepresentation) -> Value<'v> {
    let mut config = config.clone();
    let form = match secrets {
        SecretRepresentation::Values | SecretRepresentation::Placeholders => return config,
        SecretRepresentation::Masked => ValueForm::Configuration,
        SecretRepresentation::Named => ValueForm::PageFreeForm,
    };
    for_each_secret(&mut config, form, &mut |secret, value| {
        // A URL that is only partly secret may show its host.
        if secret.is_whole || secrets == SecretRepresentation::Named {
            let inner = std::mem::replace(value, Value::Null);
            *value = Value::secret(inner, SecretSource::Field);
        }
    });
    config
}

/// Byte range of a secret within lines, and its source.
type PlacedSecret<'s> = (Range<usize>, SecretSource<'s>);

/// Callback for whole lines, the secrets in them, and the instance whose jobs follow.
type PartCallback<'f> = dyn FnMut(&str, &[PlacedSecret<'_>], Option<InstanceNumber>) + 'f;

/// Section of a configuration in which another program inserts the secrets.
pub enum SecretSection<'s, 'd> {
    /// Whole lines, with the secrets in them.
    Lines(&'s str, &'s [PlacedSecret<'s>]),
    /// Jobs to insert from the value of a Secret key.
    JobsOf(AssetKey<'d>),
}

/// Passes a configuration to `pass` in sections, with the positions of the values from Secrets.
pub fn for_each_section<'d>(plan: &Plan<'d>, part: ConfigKind, pass: &mut dyn FnMut(SecretSection<'_, 'd>)) {
    // If placeholders are written, a single job represents all jobs from a Secret key.
    let configuration = Configuration::new(plan, part, SecretRepresentation::Placeholders);
    configuration.for_each_part(&configuration.open_outline(), &mut |lines, secrets, instance| {
        pass(SecretSection::Lines(lines, secrets));
        let Some(instance) = instance else { return };
        for job in configuration.own_jobs(instance) {
            let job = metrics::job(&job, plan.secrets);
            let (text, layout) = job_with_layout(&job);
            pass(SecretSection::Lines(&text, &layout.secrets));
        }
        let additional = plan.instance(instance).and_then(Instance::additional_jobs);
        additional.iter().for_each(|jobs| pass(SecretSection::JobsOf(jobs.secret)));
    });
}

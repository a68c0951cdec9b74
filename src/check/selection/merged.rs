//! Instances that the agent runs as one, and jobs that prevent the second instance from running.
//!
//! The agent puts instances with equal settings into a group and combines their jobs (`GroupManager.applyConfig`,
//! `groupConfigs`). Instances are applied in the order of the configuration. If two jobs in a group have the same name,
//! the agent rejects them (`Config.GetScrapeConfigs`, called by the scrape manager's `ApplyConfig`), so the instance
//! that was applied last does not run. `syncInstances` logs the error and continues.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::api::{AnyResource, ObjectRef, Relation, ResourceHeader};
use crate::check::json::Json;
use crate::check::prometheus::settings;
use crate::diagnostic::{Code, Diagnostic, FieldPath};
use crate::plan::{EmbeddedYaml, JobName};
use crate::resolve::{AssetKey, Hierarchy, MetricsHierarchy};

const ADDITIONAL_JOBS: &str = "spec.additionalScrapeConfigs";

/// An agent's instances that do not run, and the findings about them.
#[derive(Default)]
pub struct MergedInstances<'d> {
    pub stopped: HashSet<ObjectRef<'d>>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Searches for jobs with the same name in instances with equal settings.
pub fn check<'d>(hierarchy: &Hierarchy<'_, 'd>) -> MergedInstances<'d> {
    let mut merged = MergedInstances::default();
    // Nearly every agent has either a single instance, or instances with different receivers.
    if hierarchy.metrics.len() < 2 {
        return merged;
    }
    let mut groups: HashMap<Vec<String>, Vec<&MetricsHierarchy<'_, 'd>>> = HashMap::new();
    let mut order = Vec::new();
    for metrics in &hierarchy.metrics {
        let Some(settings) = settings::instance_settings(hierarchy, metrics) else {
            continue;
        };
        let group = groups.entry(settings.clone()).or_default();
        if group.is_empty() {
            order.push(settings);
        }
        group.push(metrics);
    }
    let groups = order.iter().filter_map(|settings| groups.get(settings));
    for group in groups.filter(|group| group.len() > 1) {
        let mut running_group = InstanceGroup::default();
        for metrics in group {
            let jobs = InstanceJobs::new(hierarchy, metrics);
            match running_group.conflict(&jobs) {
                Some(conflict) => {
                    merged.stopped.insert(metrics.instance.object_ref());
                    merged.diagnostics.push(conflict);
                }
                None => running_group.add(jobs),
            }
        }
    }
    merged
}

/// An instance's jobs.
struct InstanceJobs<'h, 'd> {
    instance: &'h ResourceHeader<'d>,
    children: Vec<AnyResource<'h, 'd>>,
    /// Names of additional jobs.
    additional: BTreeSet<String>,
}

impl<'h, 'd> InstanceJobs<'h, 'd> {
    fn new(hierarchy: &Hierarchy<'_, 'd>, metrics: &MetricsHierarchy<'h, 'd>) -> Self {
        Self {
            instance: metrics.instance,
            children: metrics.children().collect(),
            additional: additional(hierarchy, metrics).unwrap_or_default(),
        }
    }

    fn generated_jobs(&self) -> impl Iterator<Item = (AnyResource<'h, 'd>, JobName<'d>)> {
        let children = self.children.iter();
        children.flat_map(|&child| JobName::for_resource(child).into_iter().map(move |name| (child, name)))
    }
}

fn additional(hierarchy: &Hierarchy<'_, '_>, metrics: &MetricsHierarchy<'_, '_>) -> Option<BTreeSet<String>> {
    let instance = metrics.instance;
    let selector = instance.spec.additional_scrape_configs.as_ref()?;
    let text = hierarchy.secrets.text(&AssetKey::secret(instance.meta.namespace, selector))?;
    let yaml = EmbeddedYaml::read(instance.root.span().source, &text);
    let jobs = yaml.document.as_ref()?.root().items();
    let names = jobs.filter_map(|job| Json::Read(job).get("job_name")?.scalar().map(|name| name.into_owned()));
    Some(names.collect())
}

/// Running instances in a group.
#[derive(Default)]
struct InstanceGroup<'h, 'd> {
    instances: Vec<InstanceJobs<'h, 'd>>,
    /// Index of the instance that selects each monitor.
    monitors: HashMap<ObjectRef<'d>, usize>,
}

impl<'h, 'd> InstanceGroup<'h, 'd> {
    fn add(&mut self, jobs: InstanceJobs<'h, 'd>) {
        let number = self.instances.len();
        for child in &jobs.children {
            self.monitors.insert(child.object_ref(), number);
        }
        self.instances.push(jobs);
    }

    /// Returns a finding if the instance has a job whose name another job in the group already has.
    fn conflict(&self, second: &InstanceJobs<'h, 'd>) -> Option<Diagnostic> {
        let same_monitor = || {
            let mut jobs = second.generated_jobs();
            jobs.find_map(|(child, name)| {
                let first = self.instances.get(*self.monitors.get(&child.object_ref())?)?;
                Some((first, Some(child), name.to_string()))
            })
        };
        let same_name = || {
            let mut running = self.instances.iter();
            running.find_map(|first| {
                Some((first, None, first.additional.intersection(&second.additional).next()?.clone()))
            })
        };
        let generated_by_first = || {
            let mut running = self.instances.iter().filter(|_| !second.additional.is_empty());
            running.find_map(|first| {
                let mut names = first.generated_jobs().map(|(_, name)| name.to_string());
                Some((first, None, names.find(|name| second.additional.contains(name))?))
            })
        };
        let generated_by_second = || {
            let mut running = self.instances.iter().filter(|first| !first.additional.is_empty());
            running.find_map(|first| {
                let mut jobs = second.generated_jobs().map(|(child, name)| (child, name.to_string()));
                let (child, name) = jobs.find(|(_, name)| first.additional.contains(name))?;
                Some((first, Some(child), name))
            })
        };
        let (first, child, name) =
            same_monitor().or_else(same_name).or_else(generated_by_first).or_else(generated_by_second)?;
        Some(finding(first.instance, second.instance, child, &name))
    }
}

/// Finding for an instance with a job that its group already contains. `child` is the monitor that the second job comes
/// from.
fn finding(
    first: &ResourceHeader<'_>,
    second: &ResourceHeader<'_>,
    child: Option<AnyResource<'_, '_>>,
    name: &str,
) -> Diagnostic {
    let relation = child.and_then(|child| Relation::for_child(child.kind));
    let path = FieldPath::parse(relation.map_or(ADDITIONAL_JOBS, |relation| relation.labels));
    let (first_name, other) = (first.meta.full_name(), second.meta.full_name());
    // The message omits the name of an additional job, because it comes from a Secret.
    let job = match child {
        Some(_) => format!("the duplicate job `{name}`"),
        None => "a duplicate job".to_owned(),
    };
    let message = format!(
        "the agent merges MetricsInstances `{first_name}` and `{other}`, whose settings are identical, and rejects {job}, so `{other}` does not run"
    );
    let help = match child {
        Some(_) => "narrow one of the selectors, or change a setting of one instance, such as `walTruncateFrequency`",
        None => "rename the job, or change a setting of one instance, such as `walTruncateFrequency`",
    };
    let finding = second
        .finding(Code::DuplicateJob, &path, message)
        .label(first.locate(&path), "the job is first defined here")
        .help(help);
    match child {
        Some(child) => finding.label(child.name_span(), "the job comes from this monitor"),
        None => finding,
    }
}

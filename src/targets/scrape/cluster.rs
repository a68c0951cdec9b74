//! Targets of a job in a cluster.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::slice;

use super::finish::{self, Invalid};
use super::job::{Job, JobRule, JobSource, StaticGroup};
use super::shards::JobGroup;
use super::work::Work;
use crate::output::Target;
use crate::plan::{JobKind, Watcher};
use crate::targets::discovery::{DiscoveryRole, DiscoveryWatch, Index, View};
use crate::targets::observed::{ClusterObject, ObservedKind, ObservedObjects, is_placeholder};
use crate::targets::relabel::{Base, Labels, PrometheusVersion};

/// Objects in a cluster, with an index for each role that jobs discover.
pub struct Cluster<'o, 'd> {
    pub objects: &'o ObservedObjects<'d>,
    /// Version of Prometheus that discovers the targets.
    pub version: PrometheusVersion,
    /// Capabilities of the program that runs the jobs, or `None` if the program does not discover monitors itself.
    pub watcher: Option<Watcher>,
    /// Indexes of the Endpoints without a Service.
    unserved: OnceCell<Vec<usize>>,
    /// Index for each role.
    indexes: [OnceCell<Index>; 6],
    pub(super) work: Work,
}

/// Set of targets to visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetScope {
    /// All targets that discovery finds.
    All,
    /// Targets of the objects that the job's selector may select. Targets of other objects are not created.
    Selected,
}

pub struct DiscoveredTarget<'t, 'd> {
    /// Shard number, starting at 0.
    pub shard: u32,
    /// Index among the targets discovered for the job. If the shards share rules, each target is visited on all shards
    /// before the next target.
    pub number: usize,
    /// Labels before the first rule.
    pub discovered: &'t Labels<'d>,
    pub state: TargetState<'d>,
    /// Whether the target is potential, because no cluster has returned its object. The target's address, and therefore
    /// its shard, is unknown.
    pub is_potential: bool,
}

/// State of a target after all rules have been applied.
#[derive(Clone, Debug)]
pub enum TargetState<'d> {
    /// The target is scraped. `labels` contains all labels except those set by discovery. Labels that start with `__`
    /// are not added to series.
    Active {
        labels: Labels<'d>,
        /// URL that is scraped.
        url: String,
        /// Value of `__address__` after the rules. The shard is computed from this value, before a default port is
        /// added.
        address: String,
    },
    /// Logs of the target are read. `labels` contains the path as `__path__` and may contain `__host__`.
    Read { labels: Labels<'d> },
    /// The rule with this index drops the target.
    Dropped(usize),
    /// The rule with this index drops the target here, but may keep it in the cluster, because the rule reads a
    /// placeholder for an unknown value.
    Undecided(usize),
    /// All rules keep the target, but it has no log path.
    NoPath,
    /// All rules keep the target, but the path to the logs of a static pod contains the UID of its mirror pod. The
    /// kubelet uses the hash of the manifest in the directory name instead.
    StaticPod { labels: Labels<'d> },
    /// All rules keep the target, but it cannot be scraped. Contains the reason.
    Invalid(Invalid),
    /// The target is equal to an earlier target.
    Duplicate,
}

/// Reason why the logs of a static pod are not read.
pub const STATIC_POD: &str =
    "the log folder of a static pod is named after its `kubernetes.io/config.hash`, not after the pod's UID";

impl<'o, 'd> Cluster<'o, 'd> {
    /// Creates a cluster with these objects.
    pub fn new(objects: &'o ObservedObjects<'d>, version: PrometheusVersion) -> Self {
        Self {
            objects,
            version,
            watcher: None,
            unserved: OnceCell::new(),
            indexes: Default::default(),
            work: Work::new(objects),
        }
    }

    /// Creates a cluster with these objects, from the perspective of the agent or of Alloy, depending on `target`.
    pub fn from_target(objects: &'o ObservedObjects<'d>, target: &Target) -> Self {
        Self { watcher: target.watcher(), ..Self::new(objects, PrometheusVersion::from(target)) }
    }

    /// Returns the objects that are visible to a watch.
    pub fn view<'v>(&self, watch: &'v DiscoveryWatch) -> View<'v, 'd>
    where
        'o: 'v,
    {
        View { objects: self.objects, watch, version: self.version }
    }

    /// Returns the maximum total cost of all jobs; see [`Cluster::effort`].
    pub fn max_cost(&self) -> usize {
        self.work.max_cost
    }

    /// Charges the cost of a job's targets. Returns `false` if the budget is too small. A budget is required because
    /// each of a thousand monitors without a selector would find every target in a cluster.
    pub fn spend(&self, group: &JobGroup<'_, 'd>, scope: TargetScope) -> bool {
        self.work.spend(|| self.effort(group, scope))
    }

    /// Visits the targets of a job on every shard.
    pub fn targets(
        &self,
        group: &JobGroup<'_, 'd>,
        scope: TargetScope,
        visit: &mut dyn FnMut(DiscoveredTarget<'_, 'd>),
    ) {
        match group.shared {
            Some(shared) => self.targets_on((0, &group.first), shared, &|| group.shards(), scope, visit),
            None => {
                for (shard, job) in (0..).zip(group.shards()) {
                    self.targets_on((shard, job), 0, &|| slice::from_ref(job), scope, visit);
                }
            }
        }
    }

    /// Visits the targets of a job on several shards, starting with shard `first`. The first `shared` rules are the
    /// same on all of these shards.
    fn targets_on<'j>(
        &self,
        (first, job): (u32, &Job<'d>),
        shared: usize,
        all: &dyn Fn() -> &'j [Job<'d>],
        scope: TargetScope,
        visit: &mut dyn FnMut(DiscoveredTarget<'_, 'd>),
    ) where
        'd: 'j,
    {
        // Each shard has its own set of active targets.
        let mut active: Vec<ActiveTargets<'d>> = vec![HashSet::new()];
        let mut numbers = 0..;
        self.for_each_discovered(job, scope, &mut |_, mut labels, is_potential| {
            let number = numbers.next().unwrap_or_default();
            set_defaults(job, &mut labels);
            if is_potential {
                labels.mark_unknown(is_placeholder);
            }
            let discovered = labels.clone();
            let common = job.rules.get(..shared).unwrap_or_default();
            let dropped = self.work.relabel(common.iter().map(|rule| &rule.rule), &mut labels);
            if is_potential {
                let state = match (dropped, active.first_mut()) {
                    (Some(rule), _) => dropped_state(job, rule, &labels),
                    (None, Some(active)) => self.state_for_unknown_shard(job, shared, labels, &discovered, active),
                    (None, None) => return,
                };
                return visit(DiscoveredTarget { shard: first, number, discovered: &discovered, state, is_potential });
            }
            let jobs = all();
            active.resize_with(jobs.len(), HashSet::new);
            for ((shard, job), active) in (first..).zip(jobs).zip(&mut active) {
                let own_rules = job.rules.get(shared..).unwrap_or_default();
                let is_dropped = dropped.is_none()
                    && own_rules.first().is_some_and(|job_rule| self.work.drops(&job_rule.rule, &labels));
                let dropped = dropped.or(is_dropped.then_some(shared));
                let state = match dropped {
                    Some(rule) => TargetState::Dropped(rule),
                    None => {
                        let mut labels = if jobs.len() == 1 { std::mem::take(&mut labels) } else { labels.clone() };
                        self.work.take_bytes(labels.spent_bytes());
                        match self.work.relabel(own_rules.iter().map(|rule| &rule.rule), &mut labels) {
                            Some(rule) => TargetState::Dropped(shared + rule),
                            None => finish(job, labels, &discovered, active),
                        }
                    }
                };
                visit(DiscoveredTarget { shard, number, discovered: &discovered, state, is_potential });
            }
        });
    }

    /// Returns the state of a target whose shard is unknown.
    fn state_for_unknown_shard(
        &self,
        job: &Job<'d>,
        shared: usize,
        mut labels: Labels<'d>,
        discovered: &Labels<'d>,
        active: &mut ActiveTargets<'d>,
    ) -> TargetState<'d> {
        let own_rules = job.rules.iter().enumerate().skip(shared);
        let mut own_rules = own_rules.filter(|(_, rule)| !rule.is_of_shard);
        match own_rules.find(|(_, rule)| self.work.relabel([&rule.rule], &mut labels).is_some()) {
            Some((rule, _)) => dropped_state(job, rule, &labels),
            None => finish(job, labels, discovered, active),
        }
    }

    /// Returns an upper bound for the number of targets that will be created for a job on all shards, without creating
    /// them. A target with many labels or rules counts several times.
    pub fn effort(&self, group: &JobGroup<'_, 'd>, scope: TargetScope) -> usize {
        match group.shared {
            Some(_) => self.discovery_cost(&group.first, scope).saturating_mul(group.count),
            None => {
                let each = group.shards().iter().map(|job| self.discovery_cost(job, scope));
                each.fold(0, usize::saturating_add)
            }
        }
    }

    /// Returns the approximate cost of the targets discovered for a job.
    fn discovery_cost(&self, job: &Job<'d>, scope: TargetScope) -> usize {
        let weight = |labels: usize| Work::weight(labels, job.rules.len());
        let sources = job.sources.iter().map(|source| match source {
            JobSource::Static(group) => group.targets.len().saturating_mul(weight(group.labels.len())),
            JobSource::Watch { watch, .. } => {
                let view = self.view(watch);
                let positions = self.positions(view, &job.rules, scope).into_iter();
                let objects = positions.filter_map(|position| view.object(position));
                let weighed = objects.map(|object| {
                    let targets = view.count(object).max(1);
                    targets.saturating_mul(weight(self.work.labels(watch, object)))
                });
                weighed.fold(0, usize::saturating_add)
            }
        });
        sources.fold(0, usize::saturating_add)
    }

    /// Calls the visitor with each target of a job and the labels that discovery sets.
    pub(super) fn for_each_discovered(
        &self,
        job: &Job<'d>,
        scope: TargetScope,
        visit: &mut dyn FnMut(Option<&ClusterObject<'d>>, Labels<'d>, bool),
    ) {
        for source in &job.sources {
            match source {
                JobSource::Static(group) => for_each_listed(group, &mut |labels| visit(None, labels, false)),
                JobSource::Watch { watch, .. } => {
                    let view = self.view(watch);
                    let positions = self.positions(view, &job.rules, scope).into_iter();
                    for object in positions.filter_map(|position| view.object(position)) {
                        for labels in view.targets(object) {
                            visit(Some(object), labels, object.is_potential);
                        }
                    }
                }
            }
        }
    }

    /// Returns the indices of the objects to search. With [`TargetScope::Selected`], returns only the indices of
    /// objects that rules may keep.
    pub(super) fn positions(&self, view: View<'_, 'd>, rules: &[JobRule<'d>], scope: TargetScope) -> Vec<usize> {
        let selected = match scope {
            TargetScope::All => None,
            TargetScope::Selected => self.candidate_indexes(view.watch.role, rules),
        };
        let Some(mut positions) = selected else {
            return view.positions();
        };
        positions.retain(|position| view.object(*position).is_some_and(|object| view.is_searched(object)));
        positions
    }

    /// Returns the indices of the objects that rules may keep, according to the rule that leaves the fewest objects, or
    /// `None` if no rule restricts the objects.
    fn candidate_indexes(&self, role: DiscoveryRole, rules: &[JobRule<'d>]) -> Option<Vec<usize>> {
        let mut written: Vec<&str> = Vec::new();
        let mut fewest: Option<Vec<usize>> = None;
        for JobRule { rule, .. } in rules {
            if let Some((label, values)) = rule.kept_values().filter(|(label, _)| !written.contains(label)) {
                let index = self.index(role);
                let matching = index.and_then(|index| index.candidates(role, label, values));
                fewest = match (fewest, matching) {
                    (Some(fewest), Some(matching)) if fewest.len() > matching.len() => Some(matching),
                    (None, matching) => matching,
                    (fewest, _) => fewest,
                };
            }
            // After a rule that may write any label, the values of all labels are unknown.
            let is_open = rule.action().matches_names();
            if is_open || rule.config().target_label.contains('$') {
                break;
            }
            if !rule.is_filter() {
                written.push(&rule.config().target_label);
            }
        }
        fewest
    }

    /// Returns the Endpoints with no Service of the same name.
    pub(super) fn endpoints_without_service(&self) -> impl Iterator<Item = &'o ClusterObject<'d>> + use<'_, 'o, 'd> {
        let all = self.objects.list(ObservedKind::Endpoints);
        let has_service =
            |own: &ClusterObject<'_>| self.objects.find(ObservedKind::Service, own.namespace, own.name).is_some();
        let places = self.unserved.get_or_init(|| {
            let unserved = all.iter().enumerate().filter(|(_, own)| !has_service(own));
            unserved.map(|(place, _)| place).collect()
        });
        places.iter().filter_map(|place| all.get(*place))
    }

    fn index(&self, role: DiscoveryRole) -> Option<&Index> {
        let cell = self.indexes.get(role as usize)?;
        Some(cell.get_or_init(|| Index::new(self.objects, role)))
    }
}

/// Returns the state of a potential target that a rule drops.
fn dropped_state<'d>(job: &Job<'d>, rule: usize, labels: &Labels<'d>) -> TargetState<'d> {
    match job.rules.get(rule).is_some_and(|dropping| dropping.rule.is_undecided(labels)) {
        true => TargetState::Undecided(rule),
        false => TargetState::Dropped(rule),
    }
}

/// Visits the addresses in a static list, each with its labels.
fn for_each_listed<'d>(group: &StaticGroup, visit: &mut dyn FnMut(Labels<'d>)) {
    for target in &group.targets {
        let mut labels: Labels<'d> = group.labels.iter().cloned().collect();
        labels.set("__address__", target.clone());
        visit(labels);
    }
}

/// Sets the labels that come from the job and its parameters, unless discovery sets them (`PopulateLabels` before the
/// rules).
pub(super) fn set_defaults<'d>(job: &Job<'d>, labels: &mut Labels<'d>) {
    labels.set_base(match job.kind {
        JobKind::Metrics => Base::Target,
        JobKind::Logs => Base::Sorted,
    });
    for (name, value) in &job.defaults {
        labels.set_default(name.clone(), value.clone());
    }
    for (name, values) in &job.params {
        if let Some(first) = values.first() {
            labels.set(format!("__param_{name}"), first.clone());
        }
    }
}

/// Active targets of a job. Targets with the same labels are different if the labels have unknown values that differ
/// between their pods, such as the IP.
type ActiveTargets<'d> = HashSet<TargetIdentity<'d>>;

/// Final labels of a target, and its pod if any of the labels is unknown.
pub type TargetIdentity<'d> = (Labels<'d>, Option<[String; 3]>);

/// Returns the identity of a target.
pub fn target_identity<'d>(labels: &Labels<'d>, discovered: &Labels<'d>) -> TargetIdentity<'d> {
    (labels.clone(), labels.has_unknown().then(|| pod_labels(discovered).map(str::to_owned)))
}

/// Returns the labels that identify a target's pod: two workloads of different kinds can have the same name.
pub fn pod_labels<'l>(discovered: &'l Labels<'_>) -> [&'l str; 3] {
    ["__meta_kubernetes_namespace", "__meta_kubernetes_pod_name", "__meta_kubernetes_pod_controller_kind"]
        .map(|label| discovered.get(label))
}

pub(super) fn finish<'d>(
    job: &Job<'d>,
    mut labels: Labels<'d>,
    discovered: &Labels<'d>,
    active: &mut ActiveTargets<'d>,
) -> TargetState<'d> {
    if job.restores_settings {
        let own_defaults = job.defaults.iter().filter(|(name, _)| name != "job");
        own_defaults.for_each(|(name, value)| labels.set_default(name.clone(), value.clone()));
    }
    if labels.is_exhausted() {
        return TargetState::Invalid(Invalid::TooLarge);
    }
    let address = labels.get("__address__").to_owned();
    match job.kind {
        JobKind::Metrics => match finish::metrics(labels, &job.params, job.version) {
            Err(invalid) => TargetState::Invalid(invalid),
            Ok((labels, url)) => match active.insert(target_identity(&labels, discovered)) {
                true => TargetState::Active { labels, url, address },
                false => TargetState::Duplicate,
            },
        },
        JobKind::Logs => read(labels, discovered, active),
    }
}

/// Returns the state of a Promtail target (`targetSyncer.sync`). There is one target for each combination of path,
/// labels and excluded paths.
fn read<'d>(mut labels: Labels<'d>, discovered: &Labels<'d>, active: &mut ActiveTargets<'d>) -> TargetState<'d> {
    if labels.get("__path__").is_empty() {
        return TargetState::NoPath;
    }
    if names_mirror_pod(&labels) {
        return TargetState::StaticPod { labels };
    }
    labels.retain(|name| !name.starts_with("__") || matches!(name, "__path__" | "__path_exclude__" | "__host__"));
    match active.insert(target_identity(&labels, discovered)) {
        true => TargetState::Read { labels },
        false => TargetState::Duplicate,
    }
}

/// Whether the log path contains the UID of a static pod's mirror pod.
fn names_mirror_pod(labels: &Labels<'_>) -> bool {
    let annotation = |name: &str| labels.get(&format!("__meta_kubernetes_pod_annotation_kubernetes_io_config_{name}"));
    let (uid, hash) = (labels.get("__meta_kubernetes_pod_uid"), annotation("hash"));
    !uid.is_empty()
        && !hash.is_empty()
        && hash != uid
        && !annotation("mirror").is_empty()
        && labels.get("__path__").contains(uid)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TestInput;
    use std::num::NonZeroU64;

    use serde_json::json;

    use super::super::job::RuleOrigin;
    use super::super::maker::JobMaker;
    use crate::source::{Source, Sources};
    use crate::targets::relabel::{RuleCompiler, hashmod};
    use crate::yaml::{Limits, Value, read as read_yaml};

    /// Returns the variant of a job for shard `shard` of two shards.
    fn job(shard: u32, rules: &mut RuleCompiler) -> Job<'static> {
        let rule = |action: &str, source: &str, regex: &str| json!({"action": action, "source_labels": [source], "regex": regex, "modulus": 2.0, "target_label": "__tmp"});
        let job = json!({
            "job_name": "j",
            "static_configs": [{"targets": ["a:1", "b:1", "gone:1", "late:1", "a:1"]}],
            "relabel_configs": [
                rule("drop", "__address__", "gone:1"),
                rule("hashmod", "__address__", "(.*)"),
                rule("keep", "__tmp", "$(SHARD)"),
                rule("drop", "__address__", "late:1"),
            ],
        });
        let mut maker = JobMaker {
            shard,
            shards: 2,
            namespace: "ns",
            interval: "",
            timeout: "",
            api_server: "",
            is_watched: false,
            rules,
        };
        maker.job(JobKind::Metrics, &Value::from(job), None, &|_| RuleOrigin::Operator)
    }

    fn state_text(state: &TargetState<'_>) -> String {
        match state {
            TargetState::Active { url, .. } => format!("scrapes {url}"),
            TargetState::Dropped(rule) => format!("drops at {rule}"),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn identifies_rules_by_index_on_every_shard() {
        let (objects, mut rules) = (ObservedObjects::default(), RuleCompiler::default());
        let cluster = Cluster::new(&objects, PrometheusVersion::V2);
        let jobs = [job(0, &mut rules), job(1, &mut rules)];
        let two = NonZeroU64::new(2).unwrap();
        let mut expected = Vec::new();
        let mut seen = HashSet::new();
        for address in ["a:1", "b:1", "gone:1", "late:1", "a:1"] {
            for shard in 0..2_u32 {
                let state = match address {
                    "gone:1" => "drops at 0".to_owned(),
                    _ if hashmod(address, two) != u64::from(shard) => "drops at 2".to_owned(),
                    "late:1" => "drops at 3".to_owned(),
                    _ if !seen.insert(address) => "Duplicate".to_owned(),
                    _ => format!("scrapes http://{address}/metrics"),
                };
                expected.push(format!("{shard} {address} {state}"));
            }
        }
        for shared in [0, 1, 2] {
            let mut actual = Vec::new();
            cluster.targets_on((0, &jobs[0]), shared, &|| &jobs, TargetScope::All, &mut |target| {
                let address = target.discovered.get("__address__");
                actual.push(format!("{} {address} {}", target.shard, state_text(&target.state)));
            });
            assert_eq!(actual, expected, "{shared}");
        }
    }

    #[test]
    fn ignores_shard_rules_if_the_shard_is_unknown() {
        let mut rules = RuleCompiler::default();
        let jobs = [job(0, &mut rules), job(1, &mut rules)];
        let objects = ObservedObjects::default();
        let cluster = Cluster::new(&objects, PrometheusVersion::V2);
        for job in &jobs {
            for (address, expected) in
                [("a:1", "scrapes http://a:1/metrics"), ("b:1", "scrapes http://b:1/metrics"), ("late:1", "drops at 3")]
            {
                let mut labels = Labels::from_iter([("__address__", address)]);
                set_defaults(job, &mut labels);
                let state = cluster.state_for_unknown_shard(job, 2, labels.clone(), &labels, &mut HashSet::new());
                assert_eq!(state_text(&state), expected, "{address}");
            }
        }
    }

    /// Expected values follow Promtail's `syncGroup`.
    #[test]
    fn reads_each_log_path_only_once() {
        let mut active = HashSet::new();
        let labels =
            |path: &'static str| Labels::from_iter([("__path__", path), ("__host__", "h"), ("__x", "y"), ("a", "b")]);
        let mut read = |path| match read(labels(path), &Labels::default(), &mut active) {
            TargetState::Read { labels } => labels.iter().map(|(name, value)| format!("{name}={value} ")).collect(),
            other => format!("{other:?}"),
        };
        assert_eq!(read(""), "NoPath");
        assert_eq!(read("/p"), "__host__=h __path__=/p a=b ");
        assert_eq!(read("/p"), "Duplicate");
        assert_eq!(read("/q"), "__host__=h __path__=/q a=b ");
    }

    #[test]
    fn sets_job_labels_after_rules_since_version_3() {
        let mut rules = RuleCompiler::default();
        let mut job = job(0, &mut rules);
        for (restores_settings, expected) in [(false, "Invalid(Interval)"), (true, "scrapes http://a:1/metrics")] {
            job.restores_settings = restores_settings;
            let labels = Labels::from_iter([("__address__", "a:1")]);
            let state = finish(&job, labels, &Labels::default(), &mut HashSet::new());
            assert_eq!(state_text(&state), expected);
            if let TargetState::Active { labels, .. } = state {
                assert_eq!(labels.get("job"), "");
            }
        }
    }

    /// Expected labels follow Kubernetes' controllers, such as `newStatefulSetPod` and `setJobNameAndUID`.
    #[test]
    fn potential_targets_have_labels_set_by_controllers() {
        let service = |ip: &str| {
            format!(
                "---\n{{apiVersion: v1, kind: Service, metadata: {{name: s}}, spec: {{clusterIP: {ip}, selector: {{app: w}}, ports: [{{port: \
                 80}}]}}}}\n"
            )
        };
        let workload = |kind: &str| {
            let template = "template: {metadata: {labels: {app: w}}, spec: {containers: [{name: c, ports: [{containerPort: 80}]}]}}";
            let (version, spec) = match kind {
                "CronJob" => ("batch", format!("jobTemplate: {{spec: {{{template}}}}}")),
                "Job" => ("batch", template.to_owned()),
                _ => ("apps", template.to_owned()),
            };
            format!("---\n{{apiVersion: {version}/v1, kind: {kind}, metadata: {{name: w}}, spec: {{{spec}}}}}\n")
        };
        let headless = "endpoints_labelpresent_service_kubernetes_io_headless";
        for (role, text, label, regex, expected) in [
            ("pod", workload("Deployment"), "pod_label_pod_template_hash", ".+", "kept"),
            ("pod", workload("Deployment"), "pod_label_pod_template_hash", "5d8f", "undecided"),
            ("pod", workload("Deployment"), "pod_label_job_name", ".+", "dropped"),
            ("pod", workload("Deployment"), "pod_label_app", "x", "dropped"),
            ("pod", workload("DaemonSet"), "pod_label_controller_revision_hash", "5d8f", "undecided"),
            ("pod", workload("DaemonSet"), "pod_label_pod_template_generation", "1", "undecided"),
            ("pod", workload("StatefulSet"), "pod_label_apps_kubernetes_io_pod_index", "0", "undecided"),
            ("pod", workload("StatefulSet"), "pod_label_controller_revision_hash", ".+", "kept"),
            ("pod", workload("Job"), "pod_label_job_name", "w", "kept"),
            ("pod", workload("Job"), "pod_label_batch_kubernetes_io_job_name", "x", "dropped"),
            ("pod", workload("CronJob"), "pod_label_job_name", "w-1", "undecided"),
            ("endpoints", workload("Deployment") + &service("None"), headless, "true", "kept"),
            ("endpoints", workload("Deployment") + &service("10.0.0.1"), headless, "true", "dropped"),
        ] {
            let label = format!("__meta_kubernetes_{label}");
            let rule = json!({"action": "keep", "source_labels": [label], "regex": regex});
            let actual = states(&text, json!({"role": role}), json!([rule]));
            assert_eq!(actual, [expected], "{text} {label} {regex}");
        }
        let rule = |source: &str, regex: &str, target: &str, replacement: &str| json!({"source_labels": [source], "regex": regex, "target_label": target, "replacement": replacement});
        let action = |action: &str, source: &str, regex: &str| json!({"action": action, "source_labels": [source], "regex": regex, "target_label": "t", "modulus": 4.0});
        let node = "__meta_kubernetes_pod_node_name";
        let keep = action("keep", "t", "x");
        for (rules, expected) in [
            (json!([action("hashmod", "__address__", "(.*)"), action("keep", "t", "[0-3]")]), "undecided"),
            (json!([action("hashmod", "__address__", "(.*)"), keep]), "undecided"),
            (json!([action("hashmod", "__meta_kubernetes_pod_label_app", "(.*)"), keep]), "dropped"),
            (json!([action("uppercase", node, "(.*)"), keep]), "undecided"),
            (json!([rule(node, "gpu-.*", "t", "yes"), keep]), "undecided"),
            (json!([rule(node, "(.*)", "t", "yes"), keep]), "dropped"),
            (json!([rule(node, "gpu-(.*)", "t$1", "yes"), keep]), "dropped"),
            (json!([rule(node, "(.*)", "u", "$1"), rule("u", "(.*)", "t", "$1"), keep]), "undecided"),
            (json!([rule(node, "(.*)", "t", "$1"), rule("job", "(.*)", "t", "y"), keep]), "dropped"),
            (json!([rule(node, "(.*)", "t", "$1"), rule("job", "gone", "t", "y"), keep]), "undecided"),
            (
                json!([rule(node, "(.*)", "u", "$1"), {"action": "labelmap", "regex": "u", "replacement": "t"}, keep]),
                "undecided",
            ),
            (json!([rule(node, "(.*)", "t", "$1"), {"action": "labeldrop", "regex": "t"}, keep]), "dropped"),
            (json!([rule(node, "(.*)", "t", "$1"), {"action": "labelkeep", "regex": "__.*"}, keep]), "dropped"),
            (json!([rule(node, "(.*)", "t", "$1"), action("keepequal", "job", "(.*)")]), "undecided"),
            (json!([action("keepequal", "__meta_kubernetes_pod_label_app", "(.*)")]), "dropped"),
        ] {
            assert_eq!(states(&workload("Deployment"), json!({"role": "pod"}), rules.clone()), [expected], "{rules}");
        }
        // A `labelmap` rule also copies labels that controllers set.
        let labelmap = json!({"action": "labelmap", "regex": "__meta_kubernetes_pod_label_(.+)"});
        let keep = json!({"action": "keep", "source_labels": ["job_name"], "regex": "w"});
        assert_eq!(states(&workload("Job"), json!({"role": "pod"}), json!([labelmap, keep])), ["kept"]);
    }

    #[test]
    fn pods_of_different_workloads_have_different_addresses() {
        let workload = |kind: &str, name: &str| {
            format!(
                "---\n{{apiVersion: apps/v1, kind: {kind}, metadata: {{name: {name}}}, spec: {{template: {{spec: {{containers: \
                 [{{name: c, ports: [{{containerPort: 80}}, {{containerPort: 80}}]}}]}}}}}}}}\n"
            )
        };
        let text = workload("Deployment", "one") + &workload("Deployment", "two") + &workload("DaemonSet", "two");
        let fixed = json!([{"target_label": "__address__", "replacement": "host:80"}]);
        let pod_role = || json!({"role": "pod"});
        assert_eq!(states(&text, pod_role(), json!([])), ["kept", "other"].repeat(3));
        assert_eq!(states(&text, pod_role(), fixed), ["kept", "other", "other", "other", "other", "other"]);
    }

    /// Returns the state of each target that `discovery` finds, after applying `rules`.
    fn states(text: &str, discovery: serde_json::Value, rules: serde_json::Value) -> Vec<&'static str> {
        let (mut sources, mut states) = (Sources::default(), Vec::new());
        let id = sources.add(Source::new("t", text, true));
        let documents = read_yaml(id, text, &Limits::default()).output;
        let objects = ObservedObjects::read(documents.iter(), &sources, "ns");
        let mut maker = JobMaker {
            shard: 0,
            shards: 2,
            namespace: "ns",
            interval: "",
            timeout: "",
            api_server: "",
            is_watched: false,
            rules: &mut RuleCompiler::default(),
        };
        let job = json!({"kubernetes_sd_configs": [discovery], "relabel_configs": rules});
        let job = maker.job(JobKind::Metrics, &Value::from(job), None, &|_| RuleOrigin::Operator);
        let all = || slice::from_ref(&job);
        Cluster::new(&objects, PrometheusVersion::V2).targets_on((0, &job), 1, &all, TargetScope::All, &mut |found| {
            states.push(match found.state {
                TargetState::Active { .. } => "kept",
                TargetState::Dropped(_) => "dropped",
                TargetState::Undecided(_) => "undecided",
                _ => "other",
            });
        });
        states
    }

    #[test]
    fn large_exports_have_larger_budgets() {
        for (bytes, expected) in [(0, 50_000), (500_010, 50_001), (50_000_000, 5_000_000), (90_000_000, 5_000_000)] {
            let mut objects = ObservedObjects::default();
            objects.bytes = bytes;
            assert_eq!(Cluster::new(&objects, PrometheusVersion::V2).max_cost(), expected, "{bytes}");
        }
    }

    /// Calls `make` with a cluster, the watch for `discovery`, the compiled `rules`, and the cost of the discovered
    /// targets.
    fn with_discovery<T>(
        text: &str,
        discovery: serde_json::Value,
        rules: serde_json::Value,
        make: impl for<'d> FnOnce(&Cluster<'_, 'd>, &DiscoveryWatch, &[JobRule<'d>], usize) -> T,
    ) -> T {
        let input = TestInput::new(text);
        let documents = input.documents();
        let objects = ObservedObjects::read(documents.iter(), &input.sources, "ns");
        let cluster = Cluster::new(&objects, PrometheusVersion::V2);
        let job = json!({"kubernetes_sd_configs": [discovery], "relabel_configs": rules});
        let mut maker = JobMaker {
            shard: 0,
            shards: 2,
            namespace: "ns",
            interval: "",
            timeout: "",
            api_server: "",
            is_watched: false,
            rules: &mut RuleCompiler::default(),
        };
        let job = maker.job(JobKind::Metrics, &Value::from(job), None, &|_| RuleOrigin::Operator);
        let effort = cluster.discovery_cost(&job, TargetScope::All);
        let [JobSource::Watch { watch, .. }] = job.sources.as_slice() else { panic!("a watch") };
        make(&cluster, watch, &job.rules, effort)
    }

    /// Returns `count` labels for an object.
    fn labels(count: usize) -> String {
        let labels: Vec<_> = (0..count).map(|number| format!("l{number}: v")).collect();
        format!("labels: {{{}}}", labels.join(", "))
    }

    #[test]
    fn targets_with_many_labels_count_as_several() {
        let pod = |count: usize| {
            let labels = labels(count);
            format!(
                "---\n{{apiVersion: v1, kind: Pod, metadata: {{name: p, {labels}}}, spec: {{containers: [{{name: c, ports: [{{containerPort: \
                 1}}, {{containerPort: 2}}]}}]}}, status: {{podIP: 10.0.0.1}}}}\n"
            )
        };
        let node =
            |count: usize| format!("---\n{{apiVersion: v1, kind: Node, metadata: {{name: n, {}}}}}\n", labels(count));
        let endpoints = "---\n{apiVersion: v1, kind: Endpoints, metadata: {name: e}, subsets: [{addresses: [{ip: a}], ports: [{port: 1}, {port: 2}, \
                         {port: 3}]}]}\n";
        let empty = "---\n{apiVersion: v1, kind: Endpoints, metadata: {name: e}}\n";
        let rules = |count: usize| json!(vec![json!({"action": "replace", "target_label": "a"}); count]);
        let role = |role: &str| json!({"role": role});
        let with_node = json!({"role": "pod", "attach_metadata": {"node": true}});
        let with_selector = |values: usize| {
            let label = format!("a in ({})", vec!["b"; values].join(", "));
            json!({"role": "pod", "selectors": [{"role": "pod", "label": label}]})
        };
        for (text, discovery, rules, expected) in [
            (pod(0), role("pod"), rules(0), 2),
            (pod(31), role("pod"), rules(0), 2),
            (pod(32), role("pod"), rules(0), 4),
            (pod(64), role("pod"), rules(0), 6),
            (pod(0), role("pod"), rules(31), 2),
            (pod(16), role("pod"), rules(16), 4),
            (pod(0) + &node(32), with_node, rules(0), 4),
            (pod(0) + &node(32), role("pod"), rules(0), 2),
            (pod(0), with_selector(31), rules(0), 4),
            (pod(0), with_selector(30), rules(0), 2),
            // Targets may also have the labels of a pod or Service.
            (endpoints.to_owned() + &pod(32), role("endpoints"), rules(0), 6),
            (endpoints.to_owned() + &pod(31), role("endpoints"), rules(0), 3),
            (empty.to_owned(), role("endpoints"), rules(0), 1),
            (String::new() + &node(32), role("node"), rules(0), 2),
            ("a: b\n".to_owned(), role("pod"), rules(0), 0),
        ] {
            let actual = with_discovery(&text, discovery.clone(), rules, |_, _, _, effort| effort);
            assert_eq!(actual, expected, "{discovery} {text}");
        }
    }

    /// If the first rules would drop all targets of an object, the object is not searched.
    #[test]
    fn skips_objects_that_the_first_rules_drop() {
        let pod = |name: &str, labels: &str| {
            format!(
                "---\n{{apiVersion: v1, kind: Pod, metadata: {{name: {name}, labels: {{{labels}}}}}, status: {{podIP: 10.0.0.1}}}}\n"
            )
        };
        let text = pod("p0", "a: x") + &pod("p1", "a: x, b: z") + &pod("p2", "b: z, c: w") + &pod("p3", "b: z, c: w");
        let keep = |label: &str, regex: &str| json!({"action": "keep", "source_labels": [format!("__meta_kubernetes_pod_label_{label}")], "regex": regex});
        let replace = |target: &str| json!({"action": "replace", "target_label": target, "replacement": "x"});
        for (rules, expected) in [
            (json!([]), &[0, 1, 2, 3][..]),
            (json!([keep("a", "x")]), &[0, 1]),
            (json!([keep("a", "w|x")]), &[0, 1]),
            (json!([keep("a", "gone")]), &[]),
            (json!([keep("a", "x.*")]), &[0, 1, 2, 3]),
            // The rule that leaves the fewest objects determines the result.
            (json!([keep("a", "x"), keep("b", "z")]), &[0, 1]),
            (json!([keep("b", "z"), keep("a", "x")]), &[0, 1]),
            (json!([{"action": "drop", "source_labels": ["a"], "regex": "x"}, keep("a", "x")]), &[0, 1]),
            (json!([keep("a", "x"), keep("c", "w")]), &[0, 1]),
            (json!([keep("c", "w"), keep("a", "x")]), &[2, 3]),
            // A rule may have changed the label, so the object's own value does not determine the result.
            (json!([replace("other"), keep("a", "x")]), &[0, 1]),
            (json!([replace("__meta_kubernetes_pod_label_a"), keep("a", "x")]), &[0, 1, 2, 3]),
            (json!([replace("__meta_kubernetes_pod_label_a"), keep("b", "z")]), &[1, 2, 3]),
            (json!([replace("l$1"), keep("a", "x")]), &[0, 1, 2, 3]),
            (json!([{"action": "labelmap", "regex": "(.+)"}, keep("a", "x")]), &[0, 1, 2, 3]),
            (json!([{"action": "labeldrop", "regex": "x"}, keep("a", "x")]), &[0, 1, 2, 3]),
            (json!([{"action": "labelkeep", "regex": ".*"}, keep("a", "x")]), &[0, 1, 2, 3]),
            (json!([keep("a", "x"), {"action": "labelmap", "regex": "(.+)"}]), &[0, 1]),
        ] {
            let actual = with_discovery(&text, json!({"role": "pod"}), rules.clone(), |cluster, watch, rules, _| {
                let all = cluster.positions(cluster.view(watch), rules, TargetScope::All);
                assert_eq!(all, [0, 1, 2, 3]);
                cluster.positions(cluster.view(watch), rules, TargetScope::Selected)
            });
            assert_eq!(actual, expected, "{rules}");
        }
        let other_namespace = json!({"role": "pod", "namespaces": {"names": ["b"]}});
        let actual = with_discovery(&text, other_namespace, json!([keep("a", "x")]), |cluster, watch, rules, _| {
            cluster.positions(cluster.view(watch), rules, TargetScope::Selected)
        });
        assert!(actual.is_empty(), "{actual:?}");
    }
}

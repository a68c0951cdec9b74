//! Targets that one instance collects twice: through two Services, two endpoints, or two monitors or PodLogs.
//!
//! Two targets are the same if their address, scheme, path and parameters, or their log files, are the same. If a pod
//! has not yet run in a cluster, two of its targets are the same only if no rule depends on values that are still
//! unknown.

use std::collections::hash_map::{DefaultHasher, Entry};
use std::collections::{BTreeMap, HashMap};
use std::hash::{Hash, Hasher};

use super::twice_diagnostics::{CollectedTwice, ObjectName, collected_twice};
use crate::api::{Kind, ObjectRef, ResourceHeader};
use crate::check::collected_data::{collect_same_data, filters_by_scrape_label, may_change_target};
use crate::diagnostic::Diagnostic;
use crate::go::text::label_name;
use crate::plan::{Instance, Origin};
use crate::targets::observed::{ClusterObject, ObjectFields, ObservedKind, ObservedObjects};
use crate::targets::scrape::{CollectedTarget, Job, TargetState, pod_labels};
use crate::yaml::Node;

/// Targets that instances collect twice.
#[derive(Default)]
pub(super) struct DuplicateTargets<'d> {
    /// Instance whose jobs are being added.
    instance: Option<ObjectRef<'d>>,
    /// Job and object through which the instance first finds each target.
    firsts: HashMap<Fingerprint, (u32, ObjectName<'d>)>,
    /// Objects through which the current job first finds each target.
    job_firsts: HashMap<Fingerprint, ObjectName<'d>>,
    /// Jobs of the current instance.
    jobs: Vec<Origin<'d>>,
    duplicates_by_pair: BTreeMap<Pair<'d>, CollectedTwice<'d>>,
}

/// Hash that is stored instead of a target's URL. Collisions do not occur in practice.
type Fingerprint = [u64; 2];

/// Two resources that have a target in common, and whether a single job finds it twice.
type Pair<'d> = (ObjectRef<'d>, ObjectRef<'d>, bool);

impl<'d> DuplicateTargets<'d> {
    /// Starts a job, whose targets are then added.
    pub(super) fn start_instance(&mut self, instance: Instance<'_, 'd>, origin: Origin<'d>) {
        let instance = instance.resource().object_ref();
        if self.instance != Some(instance) {
            self.instance = Some(instance);
            self.firsts.clear();
            self.jobs.clear();
        }
        self.job_firsts.clear();
        self.jobs.push(origin);
    }

    /// Adds a target of the current job.
    pub(super) fn add(
        &mut self,
        job: &Job<'d>,
        instance: &'d ResourceHeader<'d>,
        objects: &ObservedObjects<'d>,
        target: &CollectedTarget<'_, 'd>,
    ) {
        let Some(number) = self.jobs.len().checked_sub(1) else { return };
        let Some(fingerprint) = fingerprint(target).filter(|_| is_certain(target, objects)) else { return };
        // A target from a list has no object. A different rule compares such targets without cluster objects.
        let Some(object) = target.object else { return };
        let object_name = (object.namespace, object.name);
        let Some(current) = job.origin else { return };
        let (first, before) = match self.job_firsts.entry(fingerprint) {
            Entry::Occupied(before)
                if *before.get() == object_name || current.node().is_none_or(filters_by_scrape_label) =>
            {
                return;
            }
            Entry::Occupied(before) => (current, *before.get()),
            Entry::Vacant(free) => {
                free.insert(object_name);
                let (first, before) = *self.firsts.entry(fingerprint).or_insert((number as u32, object_name));
                match self.jobs.get(first as usize) {
                    Some(first) if *first != current && are_alike(*first, current) => (*first, before),
                    _ => return,
                }
            }
        };
        let pair = (first.object(), current.object(), first == current);
        let duplicate = self.duplicates_by_pair.entry(pair).or_insert_with(|| CollectedTwice {
            instance,
            jobs: [first, current],
            through: [before, object_name],
            example: display_url(target),
            count: 0,
        });
        duplicate.count += 1;
    }

    /// Adds pairs of Services that a ServiceMonitor selects and that have the same pods and port. Pairs with pods in
    /// the input are skipped, because their targets are added individually.
    pub(super) fn add_services(
        &mut self,
        job: &Job<'d>,
        instance: &'d ResourceHeader<'d>,
        objects: &ObservedObjects<'d>,
        selected: &[&ClusterObject<'d>],
    ) {
        let Some((origin, endpoint)) = job.origin.and_then(|origin| Some((origin, origin.node()?))) else { return };
        let port = endpoint.get("port").and_then(Node::as_str).unwrap_or_default();
        if origin.object().kind != Kind::ServiceMonitor || port.is_empty() || may_change_target(endpoint) {
            return;
        }
        let mut seen_services: HashMap<_, (ObjectName<'d>, bool)> = HashMap::new();
        for service in selected {
            let mut selector = service.selector();
            selector.sort_unstable();
            let mut ports =
                service.body.part("spec").items("ports").filter(|service_port| service_port.text("name") == port);
            let Some(number) = ports.next().and_then(container_port) else { continue };
            if selector.is_empty() || service.is_external() {
                continue;
            }
            let service_name = (service.namespace, service.name);
            let (before, is_second) = match seen_services.entry((service.namespace, selector, number.clone())) {
                Entry::Vacant(free) => {
                    free.insert((service_name, true));
                    continue;
                }
                Entry::Occupied(mut before) => {
                    let (first, is_second) = before.get_mut();
                    (*first, std::mem::take(is_second))
                }
            };
            let pods = objects.list(ObservedKind::Pod).get(objects.places(ObservedKind::Pod, service.namespace));
            let is_selected = service.pod_matcher();
            if !is_second || pods.into_iter().flatten().any(is_selected) {
                continue;
            }
            let field_or = |field, default| {
                let text = endpoint.get(field).and_then(Node::as_str);
                text.filter(|text| !text.is_empty()).unwrap_or(default)
            };
            let example = format!("{}://<pod-ip>:{number}{}", field_or("scheme", "http"), field_or("path", "/metrics"));
            let pair = (origin.object(), origin.object(), true);
            let duplicate =
                CollectedTwice { instance, jobs: [origin; 2], through: [before, service_name], example, count: 1 };
            self.duplicates_by_pair.entry(pair).or_insert(duplicate);
        }
    }

    pub(super) fn findings(self, objects: &ObservedObjects<'d>) -> impl Iterator<Item = Diagnostic> {
        self.duplicates_by_pair.into_values().map(move |twice| collected_twice(&twice, objects))
    }
}

/// Returns the container port that a Service's port refers to. A port name becomes a placeholder.
fn container_port(port: ObjectFields<'_>) -> Option<String> {
    let number = |field| Some(port.number(field)?.to_string());
    let name = Some(port.text("targetPort")).filter(|name| !name.is_empty());
    number("targetPort").or_else(|| Some(format!("<{}>", name?))).or_else(|| number("port"))
}

/// Returns a hash of what identifies a target: its URL, or the path of its log files, and its pod if the address is
/// unknown.
fn fingerprint(target: &CollectedTarget<'_, '_>) -> Option<Fingerprint> {
    let discovered = |label: &str| target.discovered.get(label);
    let pod = match target.is_potential {
        false => ["", "", ""],
        true if discovered("__meta_kubernetes_pod_name").is_empty() => return None,
        true => pod_labels(target.discovered),
    };
    let address = match target.state {
        TargetState::Active { url, .. } => [url.as_str(), ""],
        TargetState::Read { labels } => [labels.get("__path__"), labels.get("__path_exclude__")],
        _ => return None,
    };
    Some([0, 1].map(|half: u64| {
        let mut hasher = DefaultHasher::new();
        (half, pod, address).hash(&mut hasher);
        hasher.finish()
    }))
}

/// Whether a target certainly exists and has these labels. The address of a pod that has ended may belong to another
/// pod.
fn is_certain(target: &CollectedTarget<'_, '_>, objects: &ObservedObjects<'_>) -> bool {
    if matches!(target.discovered.get("__meta_kubernetes_pod_phase"), "Succeeded" | "Failed") {
        return false;
    }
    if !target.is_potential {
        return true;
    }
    let Some(object) = target.object.filter(|_| target.is_certain) else { return false };
    // A selector may require the value of a label that only a cluster sets.
    let service = objects.find(ObservedKind::Service, object.namespace, object.name);
    let service = service.filter(|_| !target.discovered.get("__meta_kubernetes_endpoints_name").is_empty());
    service.is_none_or(|service| {
        service.selector().iter().all(|(name, value)| {
            target.discovered.get(&format!("__meta_kubernetes_pod_label_{}", label_name(name))) == *value
        })
    })
}

/// Whether two jobs collect the same data from a target.
fn are_alike(first: Origin<'_>, second: Origin<'_>) -> bool {
    match (first.node(), second.node()) {
        (Some(first), Some(second)) => collect_same_data(first, second) && !filters_by_scrape_label(first),
        _ => false,
    }
}

/// Returns a target's URL without parameters, or the path of its log files.
fn display_url(target: &CollectedTarget<'_, '_>) -> String {
    match target.state {
        TargetState::Active { labels, .. } => {
            let label = |name: &str| labels.get(name);
            format!("{}://{}{}", label("__scheme__"), label("__address__"), label("__metrics_path__"))
        }
        TargetState::Read { labels } => labels.get("__path__").to_owned(),
        _ => String::new(),
    }
}

//! What every agent and instance selects, found once for all that ask.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::label_index::LabelIndex;
use super::namespaces::Namespaces;
use super::selection::{ChildSelector, ParentSelector, Scope};
use super::selector::InvalidSelector;
use crate::api::{
    GrafanaAgent, LogsInstance, MetricsInstance, ObjectRef, Resource, Resources, TextMap, namespace_range,
};

/// What one parent selects of one kind.
#[derive(Clone, Debug)]
pub struct Selected<'d> {
    /// Its selectors.
    pub selector: ParentSelector<'d>,
    /// The fields that hold a selector which Kubernetes refuses, and why.
    pub invalid: Vec<(&'static str, InvalidSelector)>,
    /// Where the selected ones stand among all, in order; none where a selector is invalid. Parents that select alike
    /// share them.
    pub positions: Arc<[usize]>,
}

/// What all parents select: a list for each kind of child, in the order of the parents.
pub struct Selections<'d> {
    /// The namespaces, which selectors look at.
    pub namespaces: Namespaces<'d>,
    /// MetricsInstances, by agents.
    pub metrics_instances: Vec<Selected<'d>>,
    /// LogsInstances, by agents.
    pub logs_instances: Vec<Selected<'d>>,
    /// Integrations, by agents.
    pub integrations: Vec<Selected<'d>>,
    /// ServiceMonitors, by MetricsInstances.
    pub service_monitors: Vec<Selected<'d>>,
    /// PodMonitors, by MetricsInstances.
    pub pod_monitors: Vec<Selected<'d>>,
    /// Probes, by MetricsInstances.
    pub probes: Vec<Selected<'d>>,
    /// PodLogs, by LogsInstances.
    pub pod_logs: Vec<Selected<'d>>,
}

impl<'d> Selections<'d> {
    /// The selections of these resources.
    pub fn new(resources: &Resources<'d>) -> Self {
        let namespaces = Namespaces::new(resources);
        let n = &namespaces;
        let (agents, metrics) = (&resources.agents, &resources.metrics_instances);
        let logs = &resources.logs_instances;
        // What is left of such a selector would select more than it says.
        let lost = |object: ObjectRef<'d>, path: &str| {
            let refusals = &resources.refusals;
            let mut parts = ["matchLabels", "matchExpressions"].iter();
            refusals.has_any(object) && parts.any(|part| refusals.has(object, &format!("{path}.{part}")))
        };
        let lost = &lost;
        Self {
            metrics_instances: select(lost, agents, GrafanaAgent::metrics_instances, metrics, n),
            logs_instances: select(lost, agents, GrafanaAgent::logs_instances, logs, n),
            integrations: select(lost, agents, GrafanaAgent::integrations, &resources.integrations, n),
            service_monitors: select(
                lost,
                metrics,
                MetricsInstance::service_monitors,
                &resources.service_monitors,
                n,
            ),
            pod_monitors: select(lost, metrics, MetricsInstance::pod_monitors, &resources.pod_monitors, n),
            probes: select(lost, metrics, MetricsInstance::probes, &resources.probes, n),
            pod_logs: select(lost, logs, LogsInstance::pod_logs, &resources.pod_logs, n),
            namespaces,
        }
    }
}

/// What each of the parents selects among the children; `lost` tells whether a part of the selector at a field is not known.
fn select<'p, 'd, P, C>(
    lost: &dyn Fn(ObjectRef<'d>, &str) -> bool,
    parents: &'p [Resource<'d, P>],
    selector: impl Fn(&'p P) -> ChildSelector<'p, 'd>,
    children: &[Resource<'d, C>],
    namespaces: &Namespaces<'d>,
) -> Vec<Selected<'d>> {
    let selectors = parents.iter().map(|parent| {
        let mut invalid = Vec::new();
        let refuse = |path, reason| invalid.push((path, reason));
        let mut selector = ParentSelector::new(parent.meta.namespace, &selector(&parent.spec), refuse);
        selector.mistrust(|path| lost(parent.object_ref(), path));
        (selector, invalid)
    });
    let selectors: Vec<_> = selectors.collect();
    let search = Search::new(children, namespaces, selectors.iter().map(|(selector, _)| selector));
    let mut known = HashMap::new();
    let positions: Vec<_> = selectors
        .iter()
        .map(|(selector, _)| {
            let positions = known.entry(selector.reach());
            Arc::clone(positions.or_insert_with(|| search.positions(selector).into()))
        })
        .collect();
    let selected = selectors.into_iter().zip(positions);
    selected
        .map(|((selector, invalid), positions)| Selected {
            selector,
            invalid,
            positions,
        })
        .collect()
}

/// The children of a kind, and what helps to find them.
struct Search<'s, 'd, C> {
    children: &'s [Resource<'d, C>],
    by_label: LabelIndex<'d>,
    namespaces: Vec<(&'d str, &'s TextMap<'d>)>,
    namespaces_by_label: LabelIndex<'d>,
}

impl<'s, 'd, C> Search<'s, 'd, C> {
    fn new(
        children: &'s [Resource<'d, C>],
        namespaces: &'s Namespaces<'d>,
        selectors: impl Iterator<Item = &'s ParentSelector<'d>> + Clone,
    ) -> Self {
        let of_children = selectors.clone().filter_map(|selector| selector.labels.set());
        let of_namespaces = selectors.filter_map(|selector| selector.namespaces.set());
        Self {
            children,
            by_label: LabelIndex::new(children.iter().map(|child| &child.meta.labels), of_children),
            namespaces: namespaces.iter().collect(),
            namespaces_by_label: LabelIndex::new(namespaces.iter().map(|(_, labels)| labels), of_namespaces),
        }
    }

    /// Where the selected ones stand: among those with a label that the selector names, or among those of the namespaces,
    /// whichever are fewer.
    fn positions(&self, selector: &ParentSelector<'d>) -> Vec<usize> {
        let Scope::Set(labels) = &selector.labels else {
            return Vec::new();
        };
        let ranges = self.ranges(selector);
        let in_range = |i: &usize| {
            let at = ranges.partition_point(|range| range.end <= *i);
            ranges.get(at).is_some_and(|range| range.contains(i))
        };
        let is_selected = |i: &usize| {
            self.children
                .get(*i)
                .is_some_and(|child| labels.matches(&child.meta.labels))
        };
        match self.by_label.candidates(labels) {
            Some(candidates) if candidates.len() < ranges.iter().map(ExactSizeIterator::len).sum() => {
                candidates.into_iter().filter(in_range).filter(is_selected).collect()
            }
            _ => ranges.iter().cloned().flatten().filter(is_selected).collect(),
        }
    }

    /// Where the children of the namespaces stand that are looked into, in order.
    fn ranges(&self, selector: &ParentSelector<'d>) -> Vec<Range<usize>> {
        let wanted = match &selector.namespaces {
            Scope::Missing => return vec![namespace_range(self.children, selector.namespace)],
            Scope::Invalid => return Vec::new(),
            Scope::Set(wanted) => wanted,
        };
        if wanted.requirements().is_empty() {
            let all = 0..self.children.len();
            return Vec::from([all]);
        }
        let candidates = self.namespaces_by_label.candidates(wanted);
        let candidates = candidates.unwrap_or_else(|| (0..self.namespaces.len()).collect());
        let namespaces = candidates.into_iter().filter_map(|i| self.namespaces.get(i));
        namespaces
            .filter(|(_, labels)| wanted.matches(labels))
            .map(|(name, _)| namespace_range(self.children, name))
            .collect()
    }
}

#[cfg(test)]
mod tests;

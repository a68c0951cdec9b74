//! Monitors that a program finds in the cluster itself, in the place of jobs that are made from those of the input.

use super::Origin;
use crate::api::{AnyResource, GrafanaAgent, Kind, LabelSelector, Metrics, RELATIONS, Relation};
use crate::resolve::{MetricsHierarchy, Searched};

/// A program that finds monitors itself, and what only some versions of it can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watcher {
    /// Whether it can refuse ServiceMonitors that name files.
    pub can_deny_files: bool,
}

/// The monitors of one kind that an instance selects.
pub struct Watch<'d> {
    pub kind: Kind,
    pub labels: &'d LabelSelector<'d>,
    /// The namespaces in which they are.
    pub namespaces: &'d Searched<'d>,
    relation: &'static Relation,
    instance: Origin<'d>,
}

impl<'d> Watch<'d> {
    /// The field with the labels.
    pub fn labels_origin(&self) -> Origin<'d> {
        self.instance.at(self.relation.labels)
    }

    /// The field that decides about the namespaces.
    pub fn namespaces_origin(&self) -> Origin<'d> {
        self.instance.at(self.relation.namespaces)
    }

    /// The names of the namespaces; none for all of them.
    pub fn names(&self) -> Option<Vec<&'d str>> {
        match self.namespaces {
            Searched::Own(name) => Some(vec![*name]),
            Searched::Labelled(names) => Some(names.clone()),
            Searched::All => None,
        }
    }
}

/// Settings of an agent for all monitors that no program follows which finds them itself: the field, whether it is set, and what
/// would have to be done with the monitors.
const OBSTACLES: [(&str, IsSet, &str); 6] = [
    (
        DENY,
        |m| m.arbitrary_fs_access_through_sms.deny,
        "before version 1.19 deny files to",
    ),
    (
        "spec.metrics.enforcedNamespaceLabel",
        |m| !m.enforced_namespace_label.is_empty(),
        "enforce a label on the targets of",
    ),
    (
        "spec.metrics.enforcedTargetLimit",
        |m| m.enforced_target_limit.is_some(),
        "enforce a limit on the targets of",
    ),
    (
        "spec.metrics.ignoreNamespaceSelectors",
        |m| m.ignore_namespace_selectors,
        "ignore `namespaceSelector` of",
    ),
    (
        "spec.metrics.overrideHonorLabels",
        |m| m.override_honor_labels,
        "overrule `honorLabels` of",
    ),
    (
        "spec.metrics.overrideHonorTimestamps",
        |m| m.override_honor_timestamps,
        "overrule `honorTimestamps` of",
    ),
];

type IsSet = fn(&Metrics<'_>) -> bool;

/// Whether a program finds the monitors of an agent itself.
pub fn follows(agent: &GrafanaAgent<'_>, watcher: Option<Watcher>) -> bool {
    watcher.is_some_and(|watcher| obstacles(&agent.metrics, watcher).next().is_none())
}

pub(super) fn obstacles<'m>(
    metrics: &'m Metrics<'_>,
    watcher: Watcher,
) -> impl Iterator<Item = (&'static str, &'static str)> + 'm {
    let counts = move |field| field != DENY || !watcher.can_deny_files;
    let set = OBSTACLES
        .iter()
        .filter(move |(field, is_set, _)| counts(*field) && is_set(metrics));
    set.map(|(field, _, what)| (*field, *what))
}

/// The obstacle that some versions know how to follow.
const DENY: &str = "spec.metrics.arbitraryFSAccessThroughSMs.deny";

/// The monitors that an instance selects.
pub(super) fn watches<'d>(hierarchy: &'d MetricsHierarchy<'d, 'd>) -> Vec<Watch<'d>> {
    let resource = hierarchy.instance;
    let watch = |(kind, namespaces): &'d (Kind, Searched<'d>)| {
        let relation = RELATIONS.iter().find(|relation| relation.child == *kind)?;
        let [labels, _] = relation.selectors(AnyResource::MetricsInstance(resource));
        Some(Watch {
            kind: *kind,
            labels: labels.as_ref()?,
            namespaces,
            relation,
            instance: Origin::of(resource),
        })
    };
    hierarchy.searched.iter().filter_map(watch).collect()
}

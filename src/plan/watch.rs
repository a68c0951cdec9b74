//! Monitors that a program discovers in the cluster itself, instead of jobs generated from the input.

use super::Origin;
use crate::api::{AnyResource, GrafanaAgent, Kind, LabelSelector, Metrics, RELATIONS, Relation};
use crate::resolve::{MetricsHierarchy, SearchedNamespaces};

/// A program that discovers monitors itself, and its version-dependent capabilities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watcher {
    /// Whether the program can reject ServiceMonitors that refer to files.
    pub can_deny_files: bool,
}

/// Monitors of one kind that an instance selects.
pub struct MonitorWatch<'d> {
    pub kind: Kind,
    pub labels: &'d LabelSelector<'d>,
    /// Namespaces of the monitors.
    pub namespaces: &'d SearchedNamespaces<'d>,
    relation: &'static Relation,
    instance: Origin<'d>,
}

impl<'d> MonitorWatch<'d> {
    /// Returns the field that contains the label selector.
    pub fn labels_origin(&self) -> Origin<'d> {
        self.instance.at(self.relation.labels)
    }

    /// Returns the field that contains the namespace selector.
    pub fn namespaces_origin(&self) -> Origin<'d> {
        self.instance.at(self.relation.namespaces)
    }

    /// Returns the names of the namespaces, or `None` for all namespaces.
    pub fn names(&self) -> Option<Vec<&'d str>> {
        match self.namespaces {
            SearchedNamespaces::Own(name) => Some(vec![*name]),
            SearchedNamespaces::Labeled(names) => Some(names.clone()),
            SearchedNamespaces::All => None,
        }
    }
}

/// Agent settings that a program does not apply to monitors that it discovers itself: each with its field, whether it
/// is set, and a description of the effect.
const OBSTACLES: [(&str, IsSet, &str); 6] = [
    (DENY_FILE_ACCESS_FIELD, |m| m.arbitrary_fs_access_through_sms.deny, "deny access to files for"),
    (
        "spec.metrics.enforcedNamespaceLabel",
        |m| !m.enforced_namespace_label.is_empty(),
        "enforce a label on the targets of",
    ),
    ("spec.metrics.enforcedTargetLimit", |m| m.enforced_target_limit.is_some(), "enforce a limit on the targets of"),
    ("spec.metrics.ignoreNamespaceSelectors", |m| m.ignore_namespace_selectors, "ignore the `namespaceSelector` of"),
    ("spec.metrics.overrideHonorLabels", |m| m.override_honor_labels, "override the `honorLabels` of"),
    ("spec.metrics.overrideHonorTimestamps", |m| m.override_honor_timestamps, "override the `honorTimestamps` of"),
];

type IsSet = fn(&Metrics<'_>) -> bool;

/// Whether a program discovers an agent's monitors itself.
pub fn discovers_monitors(agent: &GrafanaAgent<'_>, watcher: Option<Watcher>) -> bool {
    watcher.is_some_and(|watcher| obstacles(&agent.metrics, watcher).next().is_none())
}

/// Returns the field of each setting that the program does not apply, with a description of the affected versions and
/// the effect.
pub(super) fn obstacles<'m>(
    metrics: &'m Metrics<'_>,
    watcher: Watcher,
) -> impl Iterator<Item = (&'static str, [&'static str; 2])> + 'm {
    let counts = move |field| field != DENY_FILE_ACCESS_FIELD || !watcher.can_deny_files;
    let set = OBSTACLES.iter().filter(move |(field, is_set, _)| counts(*field) && is_set(metrics));
    set.map(|(field, _, effect)| {
        let versions = if *field == DENY_FILE_ACCESS_FIELD { "before version 1.19, " } else { "" };
        (*field, [versions, *effect])
    })
}

/// Field that denies access to files. Only some versions of a program apply it to monitors that they discover
/// themselves.
const DENY_FILE_ACCESS_FIELD: &str = "spec.metrics.arbitraryFSAccessThroughSMs.deny";

/// Returns the monitors that an instance selects.
pub(super) fn monitor_watches<'d>(hierarchy: &'d MetricsHierarchy<'d, 'd>) -> Vec<MonitorWatch<'d>> {
    let resource = hierarchy.instance;
    let watch = |(kind, namespaces): &'d (Kind, SearchedNamespaces<'d>)| {
        let relation = RELATIONS.iter().find(|relation| relation.child == *kind)?;
        let [labels, _] = relation.selectors(AnyResource::MetricsInstance(resource));
        Some(MonitorWatch {
            kind: *kind,
            labels: labels.as_ref()?,
            namespaces,
            relation,
            instance: Origin::new(resource),
        })
    };
    hierarchy.searched.iter().filter_map(watch).collect()
}

//! Graph of selections and references, each with its reason. `tree`, `why` and `affected` are based on it.

use super::obstacle::{Cause, DENY_FIELD, Obstacle};
use crate::api::{AnyResource, Kind, RELATIONS, ResourceHeader, Resources};
use crate::diagnostic::FieldPath;
use crate::resolve::{Hierarchy, ParentSelector, Selections};

/// Resources in an input and their relations. Selections and hierarchies are computed once for all views.
#[derive(Clone, Copy)]
pub struct Graph<'h, 'd> {
    pub resources: &'h Resources<'d>,
    /// Selections by all parents.
    pub selections: &'h Selections<'d>,
    /// The compiled agents' hierarchies.
    pub hierarchies: &'h [Hierarchy<'h, 'd>],
}

/// A parent and a resource that it may select.
pub struct Link<'h, 'd> {
    pub parent: &'h ResourceHeader<'d>,
    pub child: &'h ResourceHeader<'d>,
    /// Selectors that the parent uses for the child's kind.
    pub selector: &'h ParentSelector<'d>,
    /// Obstacles to the selection. Empty if the child is selected.
    pub obstacles: Vec<Obstacle<'d>>,
}

impl<'h, 'd> Graph<'h, 'd> {
    /// Returns the resources that a parent selects, sorted by kind, namespace and name.
    pub fn selected_resources(&self, parent: &ResourceHeader<'d>) -> Vec<AnyResource<'h, 'd>> {
        let kinds = RELATIONS.iter().filter(|relation| relation.parent == parent.kind);
        kinds.flat_map(|relation| self.selected_children(parent, relation.child)).collect()
    }

    /// Returns the resources of a kind that a parent selects, sorted by namespace and name.
    pub fn selected_children(&self, parent: &ResourceHeader<'d>, kind: Kind) -> Vec<AnyResource<'h, 'd>> {
        let selected_children = self.selections.for_parent(parent, kind);
        let positions = selected_children.into_iter().flat_map(|selected| selected.indices.iter());
        positions.filter_map(|&i| self.resources.resource_at(kind, i)).collect()
    }

    /// Returns the link between a parent and a child, or `None` if the parent cannot select the child's kind.
    pub fn link(&self, parent: &'h ResourceHeader<'d>, child: &'h ResourceHeader<'d>) -> Option<Link<'h, 'd>> {
        let selector = &self.selections.for_parent(parent, child.kind)?.selector;
        let reasons = selector.explain(child, &self.selections.namespaces).reasons.into_iter();
        let obstacles = reasons.map(|reason| Obstacle::new(parent, reason.field, Cause::Selector(reason.problem)));
        Some(Link { parent, child, selector, obstacles: obstacles.collect() })
    }
}

/// Returns an obstacle if the agent denies access to files and one of its instances selects a ServiceMonitor that
/// refers to files (`filterServiceMonitors`), or `None` otherwise.
pub fn file_access_obstacle<'d>(agent: AnyResource<'_, 'd>, child: AnyResource<'_, '_>) -> Option<Obstacle<'d>> {
    let (AnyResource::GrafanaAgent(agent), AnyResource::ServiceMonitor(monitor)) = (agent, child) else {
        return None;
    };
    let denies_files = agent.spec.metrics.arbitrary_fs_access_through_sms.deny;
    let fields = monitor.spec.fields_with_files().filter(|_| denies_files);
    let fields = fields.map(|(i, field)| {
        let path = FieldPath::parse("spec.endpoints").index(i);
        let path = field.split('.').fold(path, |path, key| path.key(key));
        (path.to_string(), monitor.locate(&path))
    });
    let fields: Vec<_> = fields.collect();
    (!fields.is_empty()).then(|| Obstacle::new(agent, DENY_FIELD, Cause::FileAccess(fields)))
}

/// Whether the resource is a ServiceMonitor that refers to files in the agent's container.
pub fn refers_to_files(resource: AnyResource<'_, '_>) -> bool {
    matches!(resource, AnyResource::ServiceMonitor(monitor) if monitor.spec.fields_with_files().next().is_some())
}

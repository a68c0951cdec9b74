//! Who selects whom and who refers to what, with the reasons: what `tree`, `why` and `affected` are views of.

use super::obstacle::{Cause, DENY_FIELD, Obstacle};
use crate::api::{AnyResource, Head, Kind, ObjectRef, RELATIONS, Resources, ServiceMonitor, find};
use crate::diagnostic::FieldPath;
use crate::resolve::{Hierarchy, ParentSelector, Selections};

/// The resources of an input with what connects them. Selections and hierarchies are found once, for all that ask.
#[derive(Clone, Copy)]
pub struct Graph<'h, 'd> {
    /// The resources.
    pub resources: &'h Resources<'d>,
    /// The selections of parents among them.
    pub selections: &'h Selections<'d>,
    /// The hierarchies of the agents that are compiled.
    pub hierarchies: &'h [Hierarchy<'h, 'd>],
}

/// A parent and a resource that it may select.
pub struct Link<'h, 'd> {
    /// The parent.
    pub parent: &'h Head<'d>,
    /// The child.
    pub child: &'h Head<'d>,
    /// The parent's selectors.
    pub selector: &'h ParentSelector<'d>,
    /// The obstacles; none where the child is selected.
    pub obstacles: Vec<Obstacle<'d>>,
}

impl<'h, 'd> Graph<'h, 'd> {
    /// A resource that was admitted.
    pub fn get(&self, object: ObjectRef<'_>) -> Option<AnyResource<'h, 'd>> {
        self.resources.get(object)
    }

    /// Returns the resources that a parent selects, by kind, namespace and name.
    pub fn selected(&self, parent: &Head<'d>) -> Vec<AnyResource<'h, 'd>> {
        let kinds = RELATIONS.iter().filter(|relation| relation.parent == parent.kind);
        kinds
            .flat_map(|relation| self.selected_of(parent, relation.child))
            .collect()
    }

    /// Returns the resources of a kind that a parent selects, by namespace and name.
    pub fn selected_of(&self, parent: &Head<'d>, kind: Kind) -> Vec<AnyResource<'h, 'd>> {
        let selected = self.selections.by(parent, kind);
        selected.map_or_else(Vec::new, |selected| self.resources.at(kind, &selected.positions))
    }

    /// Whether a parent selects a child.
    pub fn selects(&self, parent: &Head<'d>, child: &Head<'d>) -> bool {
        let selected = self.selections.by(parent, child.kind);
        selected.is_some_and(|selected| selected.selector.selects(child, &self.selections.namespaces))
    }

    /// Whether a parent selects a child, and why not.
    pub fn link(&self, parent: &'h Head<'d>, child: &'h Head<'d>) -> Option<Link<'h, 'd>> {
        let selector = &self.selections.by(parent, child.kind)?.selector;
        let reasons = selector.explain(child, &self.selections.namespaces).reasons.into_iter();
        let obstacles = reasons.map(|reason| Obstacle {
            by: parent.object_ref(),
            span: parent.locate(&FieldPath::of(reason.field())),
            cause: Cause::Selector(reason),
            is_described: find(&self.resources.namespaces, "", child.meta.namespace).is_some(),
        });
        Some(Link {
            parent,
            child,
            selector,
            obstacles: obstacles.collect(),
        })
    }

    /// Why an agent leaves out a ServiceMonitor that one of its instances selects (`filterServiceMonitors`).
    pub fn denied(&self, agent: AnyResource<'h, 'd>, child: AnyResource<'h, 'd>) -> Option<Obstacle<'d>> {
        let (AnyResource::GrafanaAgent(agent), AnyResource::ServiceMonitor(monitor)) = (agent, child) else {
            return None;
        };
        if !agent.spec.metrics.arbitrary_fs_access_through_sms.deny {
            return None;
        }
        let fields = fields_with_files(&monitor.spec);
        let fields: Vec<_> = fields.map(|path| (path.to_string(), monitor.locate(&path))).collect();
        (!fields.is_empty()).then(|| Obstacle {
            by: agent.object_ref(),
            span: agent.locate(&FieldPath::of(DENY_FIELD)),
            cause: Cause::FileAccess(fields),
            is_described: true,
        })
    }
}

/// The fields because of which a ServiceMonitor needs access to files.
fn fields_with_files<'m>(monitor: &'m ServiceMonitor<'_>) -> impl Iterator<Item = FieldPath<'static>> + 'm {
    monitor.endpoints.iter().enumerate().flat_map(|(i, endpoint)| {
        let path = FieldPath::of("spec.endpoints").index(i);
        let fields = endpoint.fields_with_files();
        fields.map(move |field| field.split('.').fold(path.clone(), |path, key| path.key(key)))
    })
}

//! The graph of an input → its tree.

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;

use super::model::{Edge, Entry, Findings, Reference, State, Tree};
use super::mounted;
use crate::api::{AnyResource, GeneratedSecret, Kind, ObjectRef, RELATIONS, Resource, ResourceHeader, SecretData};
use crate::diagnostic::{Diagnostic, ObjectKey, Severity};
use crate::insight::graph::{Graph, is_denied};
use crate::resolve;
use crate::resolve::explain::Mismatch;
use crate::resolve::references::{self, AgentUse};
use crate::source::{Sources, Span};
use crate::yaml::Node;

/// The tree of a graph: what is selected is what [`resolve::resolve`] selects, but paused agents and instances
/// that nothing selects have their children too. With an agent selector, only what belongs to the selected agents and
/// what belongs to none; a selector that is wrong, which `resolve` reports, selects no agent. A refused resource is placed where
/// the first error of `diagnostics` does that is about it.
pub fn build<'d>(
    graph: Graph<'d, 'd>,
    sources: &'d Sources,
    options: &resolve::Options,
    diagnostics: &[Diagnostic],
) -> Tree<'d> {
    let mut builder = Builder {
        graph,
        sources,
        entries: IndexMap::new(),
    };
    builder.add_all();
    builder.refer();
    builder.select();
    let agents = builder.agents(options);
    let refused = builder.refused(diagnostics);
    let unselected = builder.unselected();
    builder.conditions(&unselected);
    Tree {
        agents,
        unselected,
        refused,
        entries: builder.entries,
    }
    .reachable()
}

/// Number of entries that nothing selects of which it is said what would have them selected: each is held against all parents.
const CONDITIONS: usize = 100;

/// A tree that is being made.
struct Builder<'d> {
    graph: Graph<'d, 'd>,
    entries: IndexMap<ObjectRef<'d>, Entry<'d>>,
    sources: &'d Sources,
}

impl<'d> Builder<'d> {
    fn add_all(&mut self) {
        let custom = Kind::ALL.iter().filter(|kind| kind.is_custom());
        for resource in custom.flat_map(|&kind| self.graph.resources.of(kind)) {
            let state = match resource {
                AnyResource::GrafanaAgent(agent) if agent.spec.paused => State::Paused,
                _ => State::Present,
            };
            self.add(&resource, state);
        }
    }

    fn add(&mut self, resource: &ResourceHeader<'d>, state: State) {
        let (place, root) = (Some(resource.name_span()), Some(resource.root));
        self.insert(resource.object_ref(), state, place, root);
    }

    fn insert(&mut self, object: ObjectRef<'d>, state: State, span: Option<Span>, root: Option<Node<'d>>) {
        let place = span.and_then(|span| self.sources.place(span));
        let entry = Entry {
            object,
            state,
            condition: None,
            place: place.map(|place| (place.file, place.start.line)),
            parents: 0,
            findings: Findings::default(),
            edges: Vec::new(),
            root,
        };
        self.entries.insert(object, entry);
    }

    /// The edges of a resource.
    fn edges(&mut self, of: ObjectRef<'d>) -> Option<&mut Vec<Edge<'d>>> {
        self.entries.get_mut(&of).map(|entry| &mut entry.edges)
    }

    /// Adds the edges to what is selected.
    fn select(&mut self) {
        let graph = self.graph;
        let mut parents: Vec<_> = RELATIONS.iter().map(|relation| relation.parent).collect();
        parents.dedup();
        for parent in parents.into_iter().flat_map(|kind| graph.resources.of(kind)) {
            let children = graph.selected(&parent).into_iter();
            if let Some(edges) = self.edges(parent.object_ref()) {
                edges.extend(children.map(|child| Edge::to(child.object_ref())));
            }
        }
        for agent in graph.resources.of(Kind::GrafanaAgent) {
            self.deny(agent);
        }
    }

    /// Marks the ServiceMonitors that an agent leaves out.
    fn deny(&mut self, agent: AnyResource<'d, 'd>) {
        for instance in self.graph.selected_of(&agent, Kind::MetricsInstance) {
            let monitors = self.graph.selected_of(&instance, Kind::ServiceMonitor).into_iter();
            let denied = monitors.filter(|monitor| is_denied(agent, *monitor));
            let denied: HashSet<_> = denied.map(|monitor| monitor.object_ref()).collect();
            let edges = self.edges(instance.object_ref()).into_iter().flatten();
            for edge in edges.filter(|edge| denied.contains(&edge.to)) {
                edge.denied_by.push(agent.object_ref());
            }
        }
    }

    /// Adds the edges to Secrets and ConfigMaps.
    fn refer(&mut self) {
        let resources = self.graph.resources;
        let mut kinds = Kind::ALL.to_vec();
        // The entries are numbered in this order: first what those refer to that mount whole objects.
        kinds.sort_by_key(|kind| !matches!(kind, Kind::GrafanaAgent | Kind::Integration));
        for resource in kinds.into_iter().flat_map(|kind| resources.of(kind)) {
            let mut found = self.keys(resource);
            found.extend(mounted::of(&resource));
            self.connect(resource.object_ref(), found);
        }
    }

    /// The keys that fields of a resource refer to.
    fn keys(&self, resource: AnyResource<'d, 'd>) -> Vec<(ObjectRef<'d>, Reference<'d>)> {
        let references = references::of(resource, AgentUse::EVERYTHING).into_iter();
        let references = references.map(|reference| {
            let (object, key) = (reference.object(resource.meta.namespace), reference.selector.key);
            let reference = Reference {
                key: Some(key),
                field: reference.path.to_string(),
                is_missing: self.lacks_key(&object, key),
            };
            (object, reference)
        });
        references.collect()
    }

    fn connect(&mut self, from: ObjectRef<'d>, mut found: Vec<(ObjectRef<'d>, Reference<'d>)>) {
        found.retain(|(object, _)| !object.name.is_empty());
        // The order of the fields stays.
        found.sort_by_key(|&(object, _)| object);
        let mut edges: Vec<Edge<'d>> = Vec::new();
        for (object, reference) in found {
            match edges.last_mut().filter(|edge| edge.to == object) {
                Some(edge) => edge.references.push(reference),
                None => {
                    self.refer_to(object);
                    edges.push(Edge {
                        references: vec![reference],
                        ..Edge::to(object)
                    });
                }
            }
        }
        if let Some(own) = self.edges(from) {
            own.extend(edges);
        }
    }

    /// Whether an object exists without this key.
    fn lacks_key(&self, object: &ObjectRef<'_>, key: &str) -> bool {
        match self.data(object) {
            Some(data) => !data.spec.values.contains_key(key),
            None => self
                .promised(object)
                .is_some_and(|p| p.all_keys && !p.keys.contains(&key)),
        }
    }

    fn agents(&self, options: &resolve::Options) -> Vec<ObjectRef<'d>> {
        let Ok(selector) = resolve::agent_selector(options) else {
            return Vec::new();
        };
        let agents = self.graph.resources.agents.iter();
        let wanted = agents.filter(|agent| selector.matches(&agent.meta.labels));
        wanted.map(|agent| agent.object_ref()).collect()
    }

    /// Adds a Secret or ConfigMap, whatever there is of it.
    fn refer_to(&mut self, object: ObjectRef<'d>) {
        if self.entries.contains_key(&object) {
            return;
        }
        if let Some(resource) = self.data(&object) {
            self.add(resource, State::Present);
        } else if let Some(promised) = self.promised(&object) {
            let by = format!("{}/{}/{}", promised.generator, promised.namespace, promised.by);
            self.insert(object, State::Promised(by), Some(promised.span), None);
        } else {
            let is_refused = self.graph.resources.refused.contains(&object);
            let state = if is_refused { State::Refused } else { State::Missing };
            self.insert(object, state, None, None);
        }
    }

    fn data(&self, object: &ObjectRef<'_>) -> Option<&'d Resource<'d, SecretData<'d>>> {
        self.graph.resources.data_object(*object)
    }

    fn promised(&self, object: &ObjectRef<'_>) -> Option<&'d GeneratedSecret<'d>> {
        let promised = self.graph.resources.promised(object.namespace, object.name);
        promised.filter(|_| object.kind == Kind::Secret)
    }

    /// Adds the refused resources of the kinds that are selected or select.
    fn refused(&mut self, diagnostics: &[Diagnostic]) -> Vec<ObjectRef<'d>> {
        let refused = self.graph.resources.refused.iter().copied();
        let mut refused: Vec<_> = refused.filter(|object| object.kind.is_custom()).collect();
        refused.sort_unstable();
        refused.dedup();
        refused.retain(|object| !self.entries.contains_key(object));
        let errors = diagnostics.iter().filter(|found| found.severity == Severity::Error);
        let mut spans: HashMap<&ObjectKey, Span> = HashMap::new();
        for error in errors {
            if let (Some(resource), Some(label)) = (&error.resource, error.primary()) {
                spans.entry(resource).or_insert(label.span);
            }
        }
        for &object in &refused {
            let span = spans.get(&ObjectKey::from(object)).copied();
            self.insert(object, State::Refused, span, None);
        }
        refused
    }

    /// Marks what nothing selects.
    fn unselected(&mut self) -> Vec<ObjectRef<'d>> {
        let edges = self.entries.values().flat_map(|entry| &entry.edges);
        let selected: HashSet<_> = edges.map(|edge| edge.to).collect();
        let mut unselected = Vec::new();
        for (object, entry) in &mut self.entries {
            let is_selectable = object.kind.is_custom() && object.kind != Kind::GrafanaAgent;
            if is_selectable && entry.state == State::Present && !selected.contains(object) {
                entry.state = State::Unselected;
                unselected.push(*object);
            }
        }
        unselected
    }

    /// Says what would be selected if a namespace that nothing describes had a label.
    fn conditions(&mut self, unselected: &[ObjectRef<'d>]) {
        for object in unselected.iter().take(CONDITIONS) {
            let (Some(entry), Some(child)) = (self.entries.get_mut(object), self.graph.get(*object)) else {
                continue;
            };
            let relations = RELATIONS.iter().filter(|relation| relation.child == child.kind);
            let mut parents = relations.flat_map(|relation| self.graph.resources.of(relation.parent));
            entry.condition = parents.find_map(|parent| {
                let selector = &self.graph.selections.by(&parent, child.kind)?.selector;
                let explanation = selector.explain(&child, &self.graph.selections.namespaces);
                let (namespace, Mismatch { requirement, .. }) = explanation.unknown_label()?;
                let parent = parent.object_ref();
                Some(format!(
                    "{parent} selects it only if namespace `{namespace}` has `{requirement}`"
                ))
            });
        }
    }
}

//! Admitted resources → the graph of a tree.

use std::collections::{HashMap, HashSet};

use super::graph::{Edge, Entry, EntryId, Graph, State};
use super::reachable::reachable;
use crate::api::{AnyResource, Head, KeyedData, Kind, ObjectRef, PromisedSecret, Resource, Resources, find};
use crate::diagnostic::{Diagnostic, Severity};
use crate::resolve;
use crate::source::{Sources, Span};

/// The graph of these resources: what is selected is what [`resolve::resolve`] selects, but paused agents and instances
/// that nothing selects have their children too. With an agent selector, only what belongs to the selected agents and
/// what belongs to none; a selector that is wrong, which `resolve` reports, selects no agent. What was refused stands where
/// the first error of `diagnostics` does that is about it.
pub fn build<'d>(
    resources: &'d Resources<'d>,
    sources: &'d Sources,
    options: &resolve::Options,
    diagnostics: &[Diagnostic],
) -> Graph<'d> {
    let mut builder = Builder {
        resources,
        sources,
        entries: Vec::new(),
        ids: HashMap::new(),
    };
    builder.add_all();
    builder.refer();
    builder.select();
    let agents = builder.agents(options);
    let refused = builder.refused(diagnostics);
    let unselected = builder.unselected();
    let graph = Graph {
        agents,
        unselected,
        refused,
        entries: builder.entries,
    };
    reachable(graph)
}

/// A graph that is being made.
pub(super) struct Builder<'d> {
    pub(super) resources: &'d Resources<'d>,
    pub(super) entries: Vec<Entry<'d>>,
    pub(super) ids: HashMap<ObjectRef<'d>, EntryId>,
    sources: &'d Sources,
}

impl<'d> Builder<'d> {
    fn add_all(&mut self) {
        let custom = Kind::ALL.iter().filter(|kind| kind.is_custom());
        for resource in custom.flat_map(|&kind| self.resources.of(kind)) {
            let state = match resource {
                AnyResource::GrafanaAgent(agent) if agent.spec.paused => State::Paused,
                _ => State::Present,
            };
            self.add(&resource, state);
        }
    }

    fn add(&mut self, resource: &Head<'d>, state: State) -> EntryId {
        let place = self.place(resource.name_span());
        let id = self.insert(resource.object_ref(), state, place);
        if let Some(entry) = self.entries.get_mut(id.0) {
            entry.root = Some(resource.root);
        }
        id
    }

    fn insert(&mut self, object: ObjectRef<'d>, state: State, place: Option<(&'d str, u32)>) -> EntryId {
        let id = EntryId(self.entries.len());
        self.entries.push(Entry {
            object,
            state,
            place,
            parents: 0,
            edges: Vec::new(),
            root: None,
        });
        self.ids.insert(object, id);
        id
    }

    fn place(&self, span: Span) -> Option<(&'d str, u32)> {
        self.sources.place(span).map(|place| (place.file, place.start.line))
    }

    fn agents(&self, options: &resolve::Options) -> Vec<EntryId> {
        let Ok(selector) = resolve::agent_selector(options) else {
            return Vec::new();
        };
        let agents = self.resources.agents.iter();
        let wanted = agents.filter(|agent| selector.matches(&agent.meta.labels));
        wanted
            .filter_map(|agent| self.ids.get(&agent.object_ref()).copied())
            .collect()
    }

    /// The entry of a Secret or ConfigMap, whatever there is of it.
    pub(super) fn referred_to(&mut self, object: ObjectRef<'d>) -> EntryId {
        if let Some(&id) = self.ids.get(&object) {
            return id;
        }
        if let Some(resource) = self.data(&object) {
            return self.add(resource, State::Present);
        }
        if let Some(promised) = self.promised(&object) {
            let by = format!("{}/{}/{}", promised.promise, promised.namespace, promised.by);
            return self.insert(object, State::Promised(by), self.place(promised.span));
        }
        let is_refused = self.resources.refused.contains(&object);
        let state = if is_refused { State::Refused } else { State::Missing };
        self.insert(object, state, None)
    }

    pub(super) fn data(&self, object: &ObjectRef<'_>) -> Option<&'d Resource<'d, KeyedData<'d>>> {
        find(self.resources.data(object.kind), object.namespace, object.name)
    }

    pub(super) fn promised(&self, object: &ObjectRef<'_>) -> Option<&'d PromisedSecret<'d>> {
        let promised = self.resources.promised(object.namespace, object.name);
        promised.filter(|_| object.kind == Kind::Secret)
    }

    pub(super) fn extend(&mut self, from: ObjectRef<'d>, edges: impl IntoIterator<Item = Edge<'d>>) {
        let entry = self.ids.get(&from).and_then(|id| self.entries.get_mut(id.0));
        if let Some(entry) = entry {
            entry.edges.extend(edges);
        }
    }

    /// Adds the refused resources of the kinds that are selected or select.
    fn refused(&mut self, diagnostics: &[Diagnostic]) -> Vec<EntryId> {
        let refused = self.resources.refused.iter().copied();
        let mut refused: Vec<_> = refused.filter(|object| object.kind.is_custom()).collect();
        refused.sort_unstable();
        refused.dedup();
        refused.retain(|object| !self.ids.contains_key(object));
        let errors = diagnostics.iter().filter(|found| found.severity == Severity::Error);
        let mut spans: HashMap<&str, Span> = HashMap::new();
        for error in errors {
            if let (Some(resource), Some(label)) = (&error.resource, error.primary()) {
                spans.entry(resource).or_insert(label.span);
            }
        }
        let mut add = |object: ObjectRef<'d>| {
            let place = spans
                .get(object.to_string().as_str())
                .and_then(|&span| self.place(span));
            self.insert(object, State::Refused, place)
        };
        refused.into_iter().map(&mut add).collect()
    }

    /// Marks what nothing selects.
    fn unselected(&mut self) -> Vec<EntryId> {
        let edges = self.entries.iter().flat_map(|entry| &entry.edges);
        let selected: HashSet<EntryId> = edges.map(|edge| edge.to).collect();
        let mut unselected = Vec::new();
        for (i, entry) in self.entries.iter_mut().enumerate() {
            let is_selectable = entry.object.kind.is_custom() && entry.object.kind != Kind::GrafanaAgent;
            if is_selectable && entry.state == State::Present && !selected.contains(&EntryId(i)) {
                entry.state = State::Unselected;
                unselected.push(EntryId(i));
            }
        }
        unselected
    }
}

//! Conversion of a graph to the tree of an input.

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;

use super::model::{DataReference, Edge, FindingCounts, ResourceState, Tree, TreeItem};
use super::mounted;
use crate::api::{AnyResource, GeneratedSecret, Kind, ObjectRef, RELATIONS, Resource, ResourceHeader, SecretData};
use crate::diagnostic::{Diagnostic, ObjectKey, Severity};
use crate::insight::graph::{Graph, file_access_obstacle};
use crate::resolve;
use crate::resolve::explain::Mismatch;
use crate::resolve::references::{self, AgentUse};
use crate::source::{Sources, Span};
use crate::yaml::Node;

/// Builds the tree from a graph. Selections are those of [`resolve::resolve`], except that paused agents and unselected
/// instances also have children. With an agent selector, the tree contains only the selected agents, the resources that
/// belong to them, and resources that do not belong to any agent. An invalid selector, which `resolve` reports, does
/// not select any agents. The span of a rejected resource is that of its first error in `diagnostics`.
pub fn build<'d>(
    graph: Graph<'d, 'd>,
    sources: &'d Sources,
    options: &resolve::ResolveOptions,
    diagnostics: &[Diagnostic],
) -> Tree<'d> {
    let mut builder = Builder { graph, sources, entries: IndexMap::new() };
    builder.add_all();
    builder.add_references();
    builder.add_selections();
    let agents = builder.agents(options);
    let rejected_objects = builder.add_rejected(diagnostics);
    let unselected = builder.mark_unselected();
    builder.conditions(&unselected);
    Tree { agents, unselected, refused: rejected_objects, entries: builder.entries }.retain_reachable()
}

/// Maximum number of unselected entries for which the tree shows a namespace label that would cause them to be
/// selected. There is a limit because each of these entries is compared with all parents.
const MAX_CONDITIONS: usize = 100;

/// A tree under construction.
struct Builder<'d> {
    graph: Graph<'d, 'd>,
    entries: IndexMap<ObjectRef<'d>, TreeItem<'d>>,
    sources: &'d Sources,
}

impl<'d> Builder<'d> {
    fn add_all(&mut self) {
        let custom_kinds = Kind::ALL.iter().filter(|kind| kind.is_custom());
        for resource in custom_kinds.flat_map(|&kind| self.graph.resources.list(kind)) {
            let state = match resource {
                AnyResource::GrafanaAgent(agent) if agent.spec.paused => ResourceState::Paused,
                _ => ResourceState::Present,
            };
            self.add(&resource, state);
        }
    }

    fn add(&mut self, resource: &ResourceHeader<'d>, state: ResourceState) {
        let (name_span, root) = (Some(resource.name_span()), Some(resource.root));
        self.insert(resource.object_ref(), state, name_span, root);
    }

    fn insert(&mut self, object: ObjectRef<'d>, state: ResourceState, span: Option<Span>, root: Option<Node<'d>>) {
        let location = span.and_then(|span| self.sources.location(span));
        let entry = TreeItem {
            object,
            state,
            condition: None,
            place: location.map(|place| (place.file, place.start.line)),
            parents: 0,
            findings: FindingCounts::default(),
            edges: Vec::new(),
            root,
        };
        self.entries.insert(object, entry);
    }

    /// Returns the outgoing edges of an entry.
    fn edges(&mut self, object: ObjectRef<'d>) -> Option<&mut Vec<Edge<'d>>> {
        self.entries.get_mut(&object).map(|entry| &mut entry.edges)
    }

    /// Adds the edges from parents to the resources they select.
    fn add_selections(&mut self) {
        let graph = self.graph;
        let mut parents: Vec<_> = RELATIONS.iter().map(|relation| relation.parent).collect();
        parents.dedup();
        for parent in parents.into_iter().flat_map(|kind| graph.resources.list(kind)) {
            let children = graph.selected_resources(&parent).into_iter();
            if let Some(edges) = self.edges(parent.object_ref()) {
                edges.extend(children.map(|child| Edge::to(child.object_ref())));
            }
        }
        for agent in graph.resources.list(Kind::GrafanaAgent) {
            self.mark_denied(agent);
        }
    }

    /// Marks the edges to ServiceMonitors that an agent excludes because they refer to files.
    fn mark_denied(&mut self, agent: AnyResource<'d, 'd>) {
        for instance in self.graph.selected_children(&agent, Kind::MetricsInstance) {
            let monitors = self.graph.selected_children(&instance, Kind::ServiceMonitor).into_iter();
            let denied_monitors = monitors.filter(|monitor| file_access_obstacle(agent, *monitor).is_some());
            let denied_objects: HashSet<_> = denied_monitors.map(|monitor| monitor.object_ref()).collect();
            let edges = self.edges(instance.object_ref()).into_iter().flatten();
            for edge in edges.filter(|edge| denied_objects.contains(&edge.to)) {
                edge.denied_by.push(agent.object_ref());
            }
        }
    }

    /// Adds the edges from resources to the Secrets and ConfigMaps they refer to.
    fn add_references(&mut self) {
        let resources = self.graph.resources;
        let mut kinds = Kind::ALL.to_vec();
        // Entries are added in their final order: resources that mount whole objects come first.
        kinds.sort_by_key(|kind| !matches!(kind, Kind::GrafanaAgent | Kind::Integration));
        for resource in kinds.into_iter().flat_map(|kind| resources.list(kind)) {
            let mut dependencies = self.keys(resource);
            dependencies.extend(mounted::references(&resource));
            self.connect(resource.object_ref(), dependencies);
        }
    }

    /// Returns the keys that the resource's fields refer to.
    fn keys(&self, resource: AnyResource<'d, 'd>) -> Vec<(ObjectRef<'d>, DataReference<'d>)> {
        let references = references::collect(resource, AgentUse::EVERYTHING).into_iter();
        let references = references.map(|reference| {
            let (object, key) = (reference.object(resource.meta.namespace), reference.selector.key);
            let reference = DataReference {
                key: Some(key),
                field: reference.path.to_string(),
                is_missing: self.lacks_key(&object, key),
            };
            (object, reference)
        });
        references.collect()
    }

    fn connect(&mut self, from: ObjectRef<'d>, mut dependencies: Vec<(ObjectRef<'d>, DataReference<'d>)>) {
        dependencies.retain(|(object, _)| !object.name.is_empty());
        // The sort is stable, so the fields remain in order.
        dependencies.sort_by_key(|&(object, _)| object);
        let mut edges: Vec<Edge<'d>> = Vec::new();
        for (object, reference) in dependencies {
            match edges.last_mut().filter(|edge| edge.to == object) {
                Some(edge) => edge.references.push(reference),
                None => {
                    self.add_reference(object);
                    edges.push(Edge { references: vec![reference], ..Edge::to(object) });
                }
            }
        }
        if let Some(own_edges) = self.edges(from) {
            own_edges.extend(edges);
        }
    }

    /// Whether an object exists but does not contain `key`.
    fn lacks_key(&self, object: &ObjectRef<'_>, key: &str) -> bool {
        match self.data(object) {
            Some(data) => !data.spec.values.contains_key(key),
            None => self.generated_secret(object).is_some_and(|p| p.all_keys && !p.keys.contains(&key)),
        }
    }

    fn agents(&self, options: &resolve::ResolveOptions) -> Vec<ObjectRef<'d>> {
        let Ok(selector) = resolve::agent_selector(options) else {
            return Vec::new();
        };
        let agents = self.graph.resources.agents.iter();
        let selected_agents = agents.filter(|agent| selector.matches(&agent.meta.labels));
        selected_agents.map(|agent| agent.object_ref()).collect()
    }

    /// Adds a Secret or ConfigMap, regardless of whether it is in the input.
    fn add_reference(&mut self, object: ObjectRef<'d>) {
        if self.entries.contains_key(&object) {
            return;
        }
        if let Some(resource) = self.data(&object) {
            self.add(resource, ResourceState::Present);
        } else if let Some(generated_secret) = self.generated_secret(&object) {
            let creator =
                format!("{}/{}/{}", generated_secret.generator, generated_secret.namespace, generated_secret.creator);
            self.insert(object, ResourceState::Promised(creator), Some(generated_secret.span), None);
        } else {
            let is_rejected = self.graph.resources.rejected_objects.contains(&object);
            let state = if is_rejected { ResourceState::Refused } else { ResourceState::Missing };
            self.insert(object, state, None, None);
        }
    }

    fn data(&self, object: &ObjectRef<'_>) -> Option<&'d Resource<'d, SecretData<'d>>> {
        self.graph.resources.data_object(*object)
    }

    fn generated_secret(&self, object: &ObjectRef<'_>) -> Option<&'d GeneratedSecret<'d>> {
        let generated_secret = self.graph.resources.generated_secret(object.namespace, object.name);
        generated_secret.filter(|_| object.kind == Kind::Secret)
    }

    /// Adds the rejected resources of kinds that select resources or are selected.
    fn add_rejected(&mut self, diagnostics: &[Diagnostic]) -> Vec<ObjectRef<'d>> {
        let rejected_objects = self.graph.resources.rejected_objects.iter().copied();
        let mut rejected_resources: Vec<_> = rejected_objects.filter(|object| object.kind.is_custom()).collect();
        rejected_resources.sort_unstable();
        rejected_resources.dedup();
        rejected_resources.retain(|object| !self.entries.contains_key(object));
        let errors = diagnostics.iter().filter(|finding| finding.severity == Severity::Error);
        let mut spans: HashMap<&ObjectKey, Span> = HashMap::new();
        for error in errors {
            if let (Some(resource), Some(label)) = (&error.resource, error.primary()) {
                spans.entry(resource).or_insert(label.span);
            }
        }
        for &object in &rejected_resources {
            let span = spans.get(&ObjectKey::from(object)).copied();
            self.insert(object, ResourceState::Refused, span, None);
        }
        rejected_resources
    }

    /// Marks the entries that no parent selects.
    fn mark_unselected(&mut self) -> Vec<ObjectRef<'d>> {
        let edges = self.entries.values().flat_map(|entry| &entry.edges);
        let selected_objects: HashSet<_> = edges.map(|edge| edge.to).collect();
        let mut unselected = Vec::new();
        for (object, entry) in &mut self.entries {
            let is_selectable = object.kind.is_custom() && object.kind != Kind::GrafanaAgent;
            if is_selectable && entry.state == ResourceState::Present && !selected_objects.contains(object) {
                entry.state = ResourceState::Unselected;
                unselected.push(*object);
            }
        }
        unselected
    }

    /// Adds the namespace label that would make a parent select an unselected entry, for each such entry whose
    /// Namespace is not in the input.
    fn conditions(&mut self, unselected: &[ObjectRef<'d>]) {
        for object in unselected.iter().take(MAX_CONDITIONS) {
            let (Some(entry), Some(child)) = (self.entries.get_mut(object), self.graph.resources.get(*object)) else {
                continue;
            };
            let relations = RELATIONS.iter().filter(|relation| relation.child == child.kind);
            let mut parents = relations.flat_map(|relation| self.graph.resources.list(relation.parent));
            entry.condition = parents.find_map(|parent| {
                let selector = &self.graph.selections.for_parent(&parent, child.kind)?.selector;
                let explanation = selector.explain(&child, &self.graph.selections.namespaces);
                let (namespace, Mismatch { requirement, .. }) = explanation.unknown_label()?;
                let parent = parent.object_ref();
                Some(format!("{parent} selects it only if namespace `{namespace}` has `{requirement}`"))
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::CompileOptions;
    use crate::insight::resolved::resolve_text;
    use crate::insight::tree::text;
    use crate::printable::Screen;

    const INPUT: &str = "\
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: all, namespace: m}
spec:
  secrets: [whole, '']
  configMaps: [whole]
  imagePullSecrets: [{name: pull}]
  volumes:
  - {name: a, secret: {secretName: whole}}
  - {name: b, configMap: {name: mounted}}
  - {name: c, projected: {sources: [{secret: {name: projected}}, {configMap: {name: projected}}]}}
  containers:
  - {name: a, envFrom: [{secretRef: {name: env}}, {configMapRef: {name: env}}]}
  initContainers:
  - {name: b, envFrom: [{secretRef: {name: init}}]}
  apiServer: {host: h, basicAuth: {username: {name: whole, key: user}, password: {name: whole, key: password}}}
  metrics: {instanceSelector: {}, arbitraryFSAccessThroughSMs: {deny: true}}
  integrations: {selector: {}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: other, namespace: m}
spec: {metrics: {instanceSelector: {}}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: Integration
metadata: {name: i, namespace: m}
spec: {name: x, type: {unique: true}, config: {}, volumes: [{name: a, secret: {secretName: made}}], secrets: [{name: made, key: a}]}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: i, namespace: m}
spec: {serviceMonitorSelector: {}, probeSelector: {}, probeNamespaceSelector: {matchLabels: {team: web}}}
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: files, namespace: m}
spec: {selector: {}, endpoints: [{port: a, bearerTokenFile: /f}]}
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: keys, namespace: m}
spec:
  selector: {}
  endpoints:
  - {port: a, bearerTokenSecret: {name: made, key: b}}
  - {port: b, bearerTokenSecret: {name: refused, key: b}, tlsConfig: {ca: {configMap: {name: made, key: c}}}}
---
apiVersion: monitoring.coreos.com/v1
kind: Probe
metadata: {name: elsewhere, namespace: shop}
spec: {prober: {url: p}, targets: {staticConfig: {static: [a]}}}
---
apiVersion: monitoring.coreos.com/v1
kind: Probe
metadata: {name: refused, namespace: m}
spec: {prober: {url: p}, interval: soon}
---
apiVersion: v1
kind: Secret
metadata: {name: whole, namespace: m}
stringData: {user: a}
---
apiVersion: v1
kind: Secret
metadata: {name: refused, namespace: m}
data: {b: '!'}
---
apiVersion: v1
kind: Secret
metadata: {name: unused, namespace: m}
---
apiVersion: external-secrets.io/v1
kind: ExternalSecret
metadata: {name: e, namespace: m}
spec: {target: {name: made}, data: [{secretKey: a, remoteRef: {key: x}}]}
";

    #[test]
    fn trees_contain_selections_and_references() {
        let whole_tree = "\
GrafanaAgent/m/all                             x.yaml:3  1 MetricsInstance, 1 Integration
├── Secret/m/env                               missing
├── Secret/m/init                              missing
├── Secret/m/projected                         missing
├── Secret/m/pull                              missing
├── Secret/m/whole [password (missing), user]  x.yaml:61
├── ConfigMap/m/env                            missing
├── ConfigMap/m/mounted                        missing
├── ConfigMap/m/projected                      missing
├── ConfigMap/m/whole                          missing
├── MetricsInstance/m/i                        x.yaml:32  shared by 2, 2 ServiceMonitors
│   ├── ServiceMonitor/m/files                 x.yaml:37  excluded: it refers to files
│   └── ServiceMonitor/m/keys                  x.yaml:42
│       ├── Secret/m/made [b (missing)]        x.yaml:75  created by ExternalSecret/m/e, shared by 2
│       ├── Secret/m/refused [b]               refused
│       └── ConfigMap/m/made [c]               missing
└── Integration/m/i                            x.yaml:27
    └── Secret/m/made [a]                      x.yaml:75  created by ExternalSecret/m/e, shared by 2
GrafanaAgent/m/other                           x.yaml:22  1 MetricsInstance
└── MetricsInstance/m/i                        x.yaml:32  shared by 2, 2 ServiceMonitors
    ├── ServiceMonitor/m/files                 x.yaml:37
    └── ServiceMonitor/m/keys                  x.yaml:42  (*)

Not selected:
Probe/shop/elsewhere                           x.yaml:51  MetricsInstance/m/i selects it only if namespace `shop` has `team=web`

Refused:
Probe/m/refused                                x.yaml:57  refused

2 GrafanaAgents, 1 MetricsInstance, 1 Integration, 2 ServiceMonitors, 2 Probes, 7 Secrets, 5 ConfigMaps; 9 missing, 1 not selected, 2 refused, 2 shared
GrafanaAgent/m/all spec.containers[0].envFrom[0].secretRef.name: Secret/m/env *
GrafanaAgent/m/all spec.initContainers[0].envFrom[0].secretRef.name: Secret/m/init *
GrafanaAgent/m/all spec.volumes[2].projected.sources[0].secret.name: Secret/m/projected *
GrafanaAgent/m/all spec.imagePullSecrets[0].name: Secret/m/pull *
GrafanaAgent/m/all spec.apiServer.basicAuth.username: Secret/m/whole user
GrafanaAgent/m/all spec.apiServer.basicAuth.password: Secret/m/whole password missing
GrafanaAgent/m/all spec.secrets[0]: Secret/m/whole *
GrafanaAgent/m/all spec.volumes[0].secret.secretName: Secret/m/whole *
GrafanaAgent/m/all spec.containers[0].envFrom[1].configMapRef.name: ConfigMap/m/env *
GrafanaAgent/m/all spec.volumes[1].configMap.name: ConfigMap/m/mounted *
GrafanaAgent/m/all spec.volumes[2].projected.sources[1].configMap.name: ConfigMap/m/projected *
GrafanaAgent/m/all spec.configMaps[0]: ConfigMap/m/whole *
Integration/m/i spec.secrets[0]: Secret/m/made a
Integration/m/i spec.volumes[0].secret.secretName: Secret/m/made *
ServiceMonitor/m/keys spec.endpoints[0].bearerTokenSecret: Secret/m/made b missing
ServiceMonitor/m/keys spec.endpoints[1].bearerTokenSecret: Secret/m/refused b
ServiceMonitor/m/keys spec.endpoints[1].tlsConfig.ca.configMap: ConfigMap/m/made c
";
        let [actual, diagnostics] = ["", "is in ("].map(|selector| {
            let mut options = CompileOptions::default().resolve;
            options.agent_selector = Some(selector.to_owned());
            resolve_text(INPUT, |input| {
                let tree = build(input.graph(), input.sources, &options, &input.admission_findings);
                let mut actual = text(&tree, Screen::default()).as_str().to_owned();
                for (object, entry) in tree.iter() {
                    for edge in &entry.edges {
                        for reference in &edge.references {
                            let key = reference.key.unwrap_or("*");
                            let missing = if reference.is_missing { " missing" } else { "" };
                            actual += &format!("{object} {}: {} {key}{missing}\n", reference.field, edge.to);
                        }
                    }
                }
                actual
            })
        });
        assert_eq!(actual, whole_tree);
        let without_agents = "\
Not selected:
Probe/shop/elsewhere  x.yaml:51  MetricsInstance/m/i selects it only if namespace `shop` has `team=web`

Refused:
Probe/m/refused       x.yaml:57  refused

2 Probes; 1 not selected, 1 refused
";
        assert_eq!(diagnostics, without_agents);
    }
}

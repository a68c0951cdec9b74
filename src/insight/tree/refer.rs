//! The edges to Secrets and ConfigMaps.

use super::build::Builder;
use super::graph::{Edge, Reference};
use super::mounted::{self, Mounted};
use crate::api::{ObjectRef, Resource};
use crate::resolve::references::{self, AgentUse};

impl<'d> Builder<'d> {
    /// Adds the edges to Secrets and ConfigMaps.
    pub(super) fn refer(&mut self) {
        let resources = self.resources;
        let used = AgentUse {
            remote_write: true,
            clients: true,
            api_server: true,
        };
        for agent in &resources.agents {
            self.of(agent, references::of_agent(agent, used), mounted::of_agent(agent));
        }
        for integration in &resources.integrations {
            let mounted = mounted::of_integration(&integration.spec);
            self.of(integration, references::of_integration(&integration.spec), mounted);
        }
        for instance in &resources.metrics_instances {
            self.of(instance, references::of_metrics_instance(&instance.spec), Vec::new());
        }
        for instance in &resources.logs_instances {
            self.of(instance, references::of_logs_instance(&instance.spec), Vec::new());
        }
        for monitor in &resources.service_monitors {
            self.of(monitor, references::of_service_monitor(&monitor.spec), Vec::new());
        }
        for monitor in &resources.pod_monitors {
            self.of(monitor, references::of_pod_monitor(&monitor.spec), Vec::new());
        }
        for probe in &resources.probes {
            self.of(probe, references::of_probe(&probe.spec), Vec::new());
        }
    }

    fn of<S>(&mut self, resource: &Resource<'d, S>, keys: Vec<references::Reference<'d>>, whole: Vec<Mounted<'d>>) {
        let namespace = resource.meta.namespace;
        let mut found: Vec<(ObjectRef<'d>, Reference<'d>)> = Vec::new();
        for reference in keys {
            let (name, key) = (reference.selector.name, reference.selector.key);
            let object = ObjectRef {
                kind: reference.kind.kind(),
                namespace,
                name,
            };
            let reference = Reference {
                key: Some(key),
                field: reference.path.to_string(),
                is_missing: self.lacks_key(&object, key),
            };
            found.push((object, reference));
        }
        for Mounted { kind, name, field } in whole {
            let object = ObjectRef { kind, namespace, name };
            let reference = Reference {
                key: None,
                field,
                is_missing: false,
            };
            found.push((object, reference));
        }
        found.retain(|(object, _)| !object.name.is_empty());
        // The order of the fields stays.
        found.sort_by_key(|&(object, _)| object);
        self.connect(resource.object_ref(), found);
    }

    fn connect(&mut self, from: ObjectRef<'d>, found: Vec<(ObjectRef<'d>, Reference<'d>)>) {
        let mut edges: Vec<Edge<'d>> = Vec::new();
        for (object, reference) in found {
            let to = self.referred_to(object);
            match edges.last_mut().filter(|edge| edge.to == to) {
                Some(edge) => edge.references.push(reference),
                None => edges.push(Edge {
                    references: vec![reference],
                    ..Edge::to(to)
                }),
            }
        }
        self.extend(from, edges);
    }

    /// Whether an object that is there has no such key.
    fn lacks_key(&self, object: &ObjectRef<'_>, key: &str) -> bool {
        match self.data(object) {
            Some(data) => !data.spec.values.contains_key(key),
            None => self
                .promised(object)
                .is_some_and(|p| p.all_keys && !p.keys.contains(&key)),
        }
    }
}

//! Whole configurations of small inputs.

mod additional;
mod integrations;
mod relabel;
mod stages;

use super::Part;
use crate::admit::{self, UnknownFields, decode_base64};
use crate::api::{Data, KeyedData, Kind, ObjectMeta, Resource, Resources, sort_by_name};
use crate::diagnostic::Diagnostic;
use crate::resolve;
use crate::source::{Source, Sources};
use crate::yaml::{Document, Edits, Limits, Node, decode, read};

/// The documents of a text, as the API server leaves them.
fn admitted(text: &str) -> Vec<Document<'_>> {
    let source = Sources::default().add(Source::new("x.yaml", "", true));
    let mut documents = read(source, text, &Limits::default()).output;
    for document in &mut documents {
        let mut edits = Edits::default();
        if let Some(kind) = kind(document.root()) {
            admit::admit(kind, document.root(), UnknownFields::Warn, &mut edits, &mut Vec::new());
        }
        document.apply(edits);
    }
    documents
}

fn kind(root: Node<'_>) -> Option<Kind> {
    let text = |key| root.get(key).and_then(Node::as_str).unwrap_or_default();
    Kind::of(text("apiVersion"), text("kind"))
}

fn resources<'d>(documents: &'d [Document<'d>]) -> Resources<'d> {
    let mut all = Resources::default();
    for root in documents.iter().map(Document::root) {
        let Some(kind) = kind(root) else { continue };
        match kind {
            Kind::GrafanaAgent => all.agents.push(resource(kind, root, spec(root))),
            Kind::MetricsInstance => all.metrics_instances.push(resource(kind, root, spec(root))),
            Kind::LogsInstance => all.logs_instances.push(resource(kind, root, spec(root))),
            Kind::Integration => all.integrations.push(resource(kind, root, spec(root))),
            Kind::PodLogs => all.pod_logs.push(resource(kind, root, spec(root))),
            Kind::ServiceMonitor => all.service_monitors.push(resource(kind, root, spec(root))),
            Kind::PodMonitor => all.pod_monitors.push(resource(kind, root, spec(root))),
            Kind::Probe => all.probes.push(resource(kind, root, spec(root))),
            Kind::Secret => all.secrets.push(resource(kind, root, data(root))),
            Kind::ConfigMap => all.config_maps.push(resource(kind, root, data(root))),
            Kind::Namespace => all.namespaces.push(resource(kind, root, ())),
            Kind::Node => {}
        }
    }
    sort_by_name(&mut all.agents);
    sort_by_name(&mut all.metrics_instances);
    sort_by_name(&mut all.logs_instances);
    sort_by_name(&mut all.integrations);
    sort_by_name(&mut all.pod_logs);
    sort_by_name(&mut all.service_monitors);
    sort_by_name(&mut all.pod_monitors);
    sort_by_name(&mut all.probes);
    sort_by_name(&mut all.secrets);
    sort_by_name(&mut all.config_maps);
    sort_by_name(&mut all.namespaces);
    all
}

fn resource<'d, S>(kind: Kind, root: Node<'d>, spec: S) -> Resource<'d, S> {
    let mut meta: ObjectMeta<'d> = decode(root.get("metadata").unwrap()).unwrap();
    if meta.namespace.is_empty() {
        meta.namespace = "default";
    }
    Resource { kind, meta, spec, root }
}

fn spec<'d, S: serde::Deserialize<'d> + Default>(root: Node<'d>) -> S {
    root.get("spec").map(|spec| decode(spec).unwrap()).unwrap_or_default()
}

fn data(root: Node<'_>) -> KeyedData<'_> {
    let mut values = KeyedData::default();
    let is_secret = kind(root) == Some(Kind::Secret);
    for key in ["binaryData", "data", "stringData"] {
        for entry in root.get(key).into_iter().flat_map(Node::entries) {
            let text = entry.value.as_str().unwrap();
            let is_base64 = key == "binaryData" || (key == "data" && is_secret);
            let value = match is_base64 {
                true => Data::Bytes(decode_base64(text).unwrap()),
                false => Data::Text(text),
            };
            values.values.insert(entry.key, value);
        }
    }
    values
}

/// The text of one configuration of each agent, and what was found.
fn lowered(text: &str, part: Part) -> (Vec<(String, String)>, Vec<Diagnostic>) {
    let documents = admitted(text);
    let resources = resources(&documents);
    let resolved = resolve::resolve(&resources, &resolve::Options::default());
    let mut diagnostics = resolved.diagnostics;
    let texts = resolved.output.iter().map(|hierarchy| {
        let meta = &hierarchy.agent.meta;
        (
            format!("{}_{}", meta.namespace, meta.name),
            super::text(hierarchy, part, &mut diagnostics),
        )
    });
    (texts.collect(), diagnostics)
}

const AGENT: &str = "
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: a, namespace: ns}
spec:
  metrics: {instanceSelector: {}, enforcedNamespaceLabel: ns, shards: 3}
  logs: {instanceSelector: {}}
  integrations: {selector: {}}
";

const METRICS_INSTANCE: &str = "
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: m, namespace: ns}
spec: {serviceMonitorSelector: {}, podMonitorSelector: {}, probeSelector: {}}
";

fn text_of(input: &str, part: Part) -> String {
    let (mut texts, diagnostics) = lowered(input, part);
    assert_eq!(diagnostics, []);
    texts.remove(0).1
}

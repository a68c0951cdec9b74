//! What is found of agents that Kubernetes takes, but not what is made of them, one function a finding.

use crate::api::{GrafanaAgent, Resource};
use crate::diagnostic::{Code, Diagnostic, FieldPath, Severity};

type Agent<'r, 'd> = &'r Resource<'d, GrafanaAgent<'d>>;

fn at(code: Code, agent: Agent<'_, '_>, path: &FieldPath<'_>, message: String) -> Diagnostic {
    Diagnostic::new(code, message)
        .label(agent.locate(path), "")
        .resource(agent.object_ref())
        .path(path)
}

/// The pods of the StatefulSet carry its name with 11 more characters in a label.
pub fn stateful_set_name(agent: Agent<'_, '_>, name: &str, max: usize) -> Diagnostic {
    let message = format!(
        "StatefulSet `{name}` has a name of {} characters: with more than {max} its pods are never created",
        name.len()
    );
    at(
        Code::InvalidDerivedName,
        agent,
        &FieldPath::of("metadata.name"),
        message,
    )
    .help("shorten the name of the agent")
}

/// The Service of the agent has a name that Kubernetes refuses.
pub fn service_name(agent: Agent<'_, '_>, name: &str, problem: &str) -> Diagnostic {
    let message = format!("the agent's Service `{name}` cannot be created: its name {problem}");
    at(
        Code::InvalidDerivedName,
        agent,
        &FieldPath::of("metadata.name"),
        message,
    )
    .help("choose another name for the agent")
}

/// The pods are labelled with the agent's name.
pub fn name_in_label(agent: Agent<'_, '_>, problem: &str) -> Diagnostic {
    let message = format!("the agent's pods are labelled with its name, which {problem}");
    at(
        Code::InvalidDerivedName,
        agent,
        &FieldPath::of("metadata.name"),
        message,
    )
    .help("shorten the name of the agent")
}

/// The name of the port.
pub fn port_name(agent: Agent<'_, '_>, name: &str, problem: &str) -> Diagnostic {
    let path = FieldPath::of("spec.portName");
    at(
        Code::InvalidPortName,
        agent,
        &path,
        format!("`{name}` is no name of a port: it {problem}"),
    )
    .help("choose another name, such as `http-metrics`")
}

/// A key or value among the labels of the pods.
pub fn pod_label(agent: Agent<'_, '_>, field: &'static str, key: &str, text: &str, problem: &str) -> Diagnostic {
    let message = format!("Kubernetes refuses pods with `{text}` in `{field}`: it {problem}");
    at(Code::InvalidPodMetadata, agent, &FieldPath::of(field).key(key), message).help("choose another key or value")
}

/// A key or value among the node labels: a warning, since a webhook may replace it before it is validated.
pub fn node_label(agent: Agent<'_, '_>, field: &'static str, key: &str, text: &str, problem: &str) -> Diagnostic {
    pod_label(agent, field, key, text, problem).severity(Severity::Warning)
}

/// A key among the annotations of the pods: a warning for the same reason.
pub fn pod_annotation(agent: Agent<'_, '_>, key: &str, problem: &str) -> Diagnostic {
    pod_label(agent, "spec.podMetadata.annotations", key, key, problem).severity(Severity::Warning)
}

/// The claim asks for no storage.
pub fn claim_without_size(agent: Agent<'_, '_>) -> Diagnostic {
    let path = FieldPath::of("spec.storage.volumeClaimTemplate.spec.resources.requests.storage");
    let message = "the claim of the agent's volume does not say how much storage".to_owned();
    at(Code::ClaimWithoutSize, agent, &path, message)
        .help("set `requests.storage`, or use `emptyDir`: without it no pod is created")
}

/// The claim has no way of access.
pub fn claim_without_access(agent: Agent<'_, '_>) -> Diagnostic {
    let path = FieldPath::of("spec.storage.volumeClaimTemplate.spec.accessModes");
    let message = "the claim of the agent's volume has an empty list of access modes".to_owned();
    at(Code::ClaimWithoutSize, agent, &path, message).help("remove the list: `ReadWriteOnce` is the default")
}

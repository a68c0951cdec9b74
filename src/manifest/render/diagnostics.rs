//! Findings about the rendering of manifests.

use std::io;

use crate::api::{GrafanaAgent, Resource};
use crate::diagnostic::{Code, Diagnostic, FieldPath, Severity};
use crate::manifest::{MAX_REQUEST, Object, TooLarge};
use crate::printable::ByteSize;

/// Finding for an object that two agents would write.
pub fn duplicate_object(
    object: &Object,
    first: &Resource<'_, GrafanaAgent<'_>>,
    second: &Resource<'_, GrafanaAgent<'_>>,
) -> Diagnostic {
    let message = format!(
        "agents `{}` and `{}` would both write {} `{}` in namespace `{}`",
        first.meta.name,
        second.meta.name,
        object.kind(),
        object.name(),
        object.namespace()
    );
    Diagnostic::new(Code::DuplicateObject, message)
        .label(second.name_span(), "this agent would also write it")
        .label(first.name_span(), "the other agent")
        .resource(second.object_ref())
        .path("metadata.name")
        .help("rename one of the two agents")
}

/// Finding for a configuration with secret values that would be written to a ConfigMap.
pub fn values_in_config_map(file: &str) -> Diagnostic {
    let message = format!("`{file}` contains Secret values, so it cannot be stored in a ConfigMap");
    Diagnostic::new(Code::InlinedSecret, message)
        .help("pass `--target=alloy`, whose configuration contains no Secret values, or omit `--config-kind=configmap`")
}

/// Finding for an agent whose shards exceed the limit.
pub fn too_many_shards(agent: &Resource<'_, GrafanaAgent<'_>>, shards: i32, limit: i32) -> Diagnostic {
    let path = FieldPath::parse("spec.metrics.shards");
    let message = format!("`{shards}` shards exceed the limit of {limit}");
    agent
        .finding(Code::TooManyShards, &path, message)
        .help("lower `shards`, or raise the limit with `--limit shards=NUMBER`")
}

/// Finding for output that exceeds the size limit. The finding is not attributed to an agent, because agents are
/// rendered in parallel.
pub fn output_too_large(limit: ByteSize) -> Diagnostic {
    let message = format!("the manifests of all agents are larger than {limit} in total");
    Diagnostic::new(Code::OutputLimit, message)
        .help("compile fewer agents at a time, or raise the limit with `--limit output-size=SIZE`")
}

/// Finding for a workload whose pods are too large for the API server.
pub fn pods_too_large(too_large: &TooLarge<'_, '_>) -> Diagnostic {
    let (head, field) = too_large.largest;
    let message = format!(
        "the pod template of `{}` would be at least {} bytes long, but the API server accepts at most {} in a request",
        too_large.workload,
        too_large.bytes,
        ByteSize(MAX_REQUEST)
    );
    head.finding(Code::ObjectTooLarge, &FieldPath::parse(field), message)
        .help("shorten this list: it makes up most of the template, and mounts are repeated in two containers")
}

/// Finding for a Node without an address, which prevents the operator from writing Endpoints for any Node.
pub fn node_without_address(node: &Resource<'_, ()>) -> Diagnostic {
    let path = FieldPath::parse("status.addresses");
    let message = format!("Node `{}` has no address of type `InternalIP` or `ExternalIP`", node.meta.name);
    node.finding(Code::NodeWithoutAddress, &path, message)
        .help("add an address to `status.addresses`: without one, the operator writes no Endpoints for any Node")
}

/// Finding for a configuration that cannot be compressed.
pub fn compression_failed(agent: &Resource<'_, GrafanaAgent<'_>>, error: &io::Error) -> Diagnostic {
    let message = format!("cannot compress the configuration: {error}");
    Diagnostic::new(Code::ManifestFailed, message).label(agent.name_span(), "").resource(agent.object_ref())
}

/// Finding for a configuration template that is too large for its Secret.
pub fn template_too_large(
    agent: &Resource<'_, GrafanaAgent<'_>>,
    secret: &Object,
    size: usize,
    limit: usize,
) -> Diagnostic {
    let message = format!(
        "the template of Secret `{}` is {size} bytes long, but at most {limit} are allowed, because a template cannot compress the configuration",
        secret.name()
    );
    Diagnostic::new(Code::ObjectTooLarge, message)
        .severity(Severity::Error)
        .label(agent.name_span(), "")
        .resource(agent.object_ref())
        .help("split the agent into several, or render with `--secrets=inline` when deploying to the cluster")
}

//! What the resolve stage finds, one function a finding.

use super::AssetKind;
use super::references::{Reference, Usage};
use super::selector::{InvalidSelector, SelectorPath};
use crate::api::{Endpoint, GrafanaAgent, KeyedData, Probe, Resource, ServiceMonitor};
use crate::diagnostic::{Code, Diagnostic, FieldPath, Severity};

/// A finding at a field of a resource.
fn at<S>(code: Code, resource: &Resource<'_, S>, path: &FieldPath<'_>, message: String, label: &str) -> Diagnostic {
    Diagnostic::new(code, message)
        .label(resource.locate(path), label)
        .resource(resource.object_ref())
        .path(path)
}

/// A label selector that Kubernetes refuses to evaluate.
pub fn invalid_selector<S>(resource: &Resource<'_, S>, path: &FieldPath<'_>, invalid: InvalidSelector) -> Diagnostic {
    let path = match invalid.path {
        SelectorPath::Label(key) => path.key("matchLabels").key(key),
        SelectorPath::Expression(i, field) => path.key("matchExpressions").index(i).key(field),
    };
    at(Code::InvalidSelector, resource, &path, invalid.reason, "")
        .help("correct the selector: with it the operator reconciles nothing of this agent")
}

/// The Secret or ConfigMap that a field names is not among the input.
pub fn missing_object<S>(referrer: &Resource<'_, S>, reference: &Reference<'_>) -> Diagnostic {
    let kind = reference.kind;
    let (name, key) = (reference.selector.name, reference.selector.key);
    let code = match kind {
        AssetKind::Secret => Code::MissingSecret,
        AssetKind::ConfigMap => Code::MissingConfigMap,
    };
    let namespace = referrer.meta.namespace;
    let diagnostic = at(
        code,
        referrer,
        &reference.path,
        format!("{kind} `{name}` is not in the input, nor is its key `{key}`"),
        &format!("looked for in namespace `{namespace}`"),
    )
    .help(format!("add the {kind} to the input, or correct `name`"));
    if reference.usage == Usage::Unused {
        diagnostic.severity(Severity::Warning)
    } else {
        diagnostic
    }
}

/// The Secret or ConfigMap that a field names has no such key.
pub fn missing_key<S>(
    referrer: &Resource<'_, S>,
    reference: &Reference<'_>,
    object: &Resource<'_, KeyedData<'_>>,
) -> Diagnostic {
    let kind = reference.kind;
    let (name, key) = (reference.selector.name, reference.selector.key);
    let keys: Vec<_> = object.spec.values.keys().map(|key| format!("`{key}`")).collect();
    let help = if keys.is_empty() {
        format!("add the key to the {kind}, which has none")
    } else {
        format!("use a key that the {kind} has: {}", keys.join(", "))
    };
    at(
        Code::MissingKey,
        referrer,
        &reference.path.key("key"),
        format!("{kind} `{name}` has no key `{key}`"),
        "",
    )
    .label(object.name_span(), format!("the {kind} stands here"))
    .help(help)
}

/// A value is needed, but the field names no Secret.
pub fn empty_reference<S>(referrer: &Resource<'_, S>, reference: &Reference<'_>) -> Diagnostic {
    let message = format!(
        "the operator needs a value for `{}`, but no {} is named",
        reference.path, reference.kind
    );
    at(Code::EmptyReference, referrer, &reference.path, message, "")
        .help(format!("set `name` and `key` of a {}", reference.kind))
}

/// A Probe says nothing of what it probes.
pub fn probe_without_targets(probe: &Resource<'_, Probe<'_>>) -> Diagnostic {
    let path = FieldPath::of("spec.targets");
    let message = "a Probe needs `staticConfig` or `ingress` in `spec.targets`".to_owned();
    at(Code::ProbeWithoutTargets, probe, &path, message, "")
        .help("add `spec.targets.staticConfig.static` with a list of targets")
}

/// `In` or `NotIn` has nothing to compare with.
pub fn expression_without_values<S>(resource: &Resource<'_, S>, path: &FieldPath<'_>, operator: &str) -> Diagnostic {
    let message = format!("`{operator}` needs `values`");
    at(Code::InvalidSelector, resource, &path.key("values"), message, "")
        .help("list the values that the label is compared with")
}

/// The agent is paused, so nothing is rendered for it.
pub fn paused(agent: &Resource<'_, GrafanaAgent<'_>>) -> Diagnostic {
    let message = format!(
        "GrafanaAgent `{}` is paused: nothing is rendered for it",
        agent.meta.name
    );
    at(Code::PausedAgent, agent, &FieldPath::of("spec.paused"), message, "")
}

/// A ServiceMonitor names files although the agent denies it, so the operator leaves it out.
pub fn file_system_access_denied(
    agent: &Resource<'_, GrafanaAgent<'_>>,
    monitor: &Resource<'_, ServiceMonitor<'_>>,
    index: usize,
    endpoint: &Endpoint<'_>,
) -> Diagnostic {
    let path = FieldPath::of("spec.endpoints").index(index);
    let path = if endpoint.bearer_token_file.is_empty() {
        path.key("tlsConfig")
    } else {
        path.key("bearerTokenFile")
    };
    let message = format!(
        "ServiceMonitor `{}` names files of the agent's container, so agent `{}` leaves it out",
        monitor.meta.name, agent.meta.name
    );
    at(Code::FileSystemAccessDenied, monitor, &path, message, "names a file")
        .label(
            agent.locate(&FieldPath::of("spec.metrics.arbitraryFSAccessThroughSMs.deny")),
            "denied here",
        )
        .help("take the value from a Secret: `bearerTokenSecret`, `tlsConfig.ca.secret`")
}

/// `--agent-selector` cannot be read.
pub fn invalid_agent_selector(reason: &str) -> Diagnostic {
    Diagnostic::new(
        Code::InvalidSelector,
        format!("`--agent-selector` cannot be read: {reason}"),
    )
    .help("write it as `key=value,other in (a,b)`")
}

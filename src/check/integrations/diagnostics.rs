//! What the rules for Integrations find, one function a finding.

use k8s_openapi::api::core::v1::VolumeMount;

use super::catalogue;
use crate::api::{GrafanaAgent, Integration, Kind, Resource};
use crate::diagnostic::suggest::closest;
use crate::diagnostic::{Code, Diagnostic, FieldPath};
use crate::source::Span;

type Of<'r, 'd> = &'r Resource<'d, Integration<'d>>;

fn at(code: Code, integration: Of<'_, '_>, path: &FieldPath<'_>, message: String, label: &str) -> Diagnostic {
    Diagnostic::new(code, message)
        .label(integration.locate(path), label)
        .resource(integration.object_ref())
        .path(path)
}

/// The agent has no such integration, and does not start.
pub fn unknown(integration: Of<'_, '_>) -> Diagnostic {
    let name = integration.spec.name;
    let help = match catalogue::suggestion(name) {
        Some(suggestion) => format!("did you mean `{suggestion}`?"),
        None => {
            let names: Vec<_> = catalogue::names().map(|name| format!("`{name}`")).collect();
            format!("use one of {}", names.join(", "))
        }
    };
    let message = format!("the agent has no integration `{name}`, and does not start with `{name}_configs`");
    at(
        Code::UnknownIntegration,
        integration,
        &FieldPath::of("spec.name"),
        message,
        "",
    )
    .help(help)
}

/// The agent has no such key, and does not start.
pub fn unknown_key<'k>(
    integration: Of<'_, '_>,
    span: Span,
    path: &FieldPath<'_>,
    key: &str,
    known: impl Iterator<Item = &'k str>,
) -> Diagnostic {
    let name = integration.spec.name;
    let message = format!("the integration `{name}` has no key `{key}`, and the agent does not start with it");
    let found = Diagnostic::new(Code::UnknownIntegrationKey, message)
        .label(span, "")
        .resource(integration.object_ref())
        .path(path);
    match closest(key, known) {
        Some(suggestion) => found.help(format!("did you mean `{suggestion}`?")),
        None => found.help(format!("remove `{key}`")),
    }
}

/// Two Integrations configure what may be configured once.
pub fn duplicate(
    first: Of<'_, '_>,
    second: Of<'_, '_>,
    agent: &Resource<'_, GrafanaAgent<'_>>,
    singleton: bool,
) -> Diagnostic {
    let name = second.spec.name;
    let why = if singleton {
        "which the agent takes only once"
    } else {
        "which is declared `unique`"
    };
    let message = format!(
        "Integrations `{}` and `{}` of agent `{}` both configure `{name}`, {why}",
        full_name(first),
        full_name(second),
        agent.meta.name
    );
    let path = FieldPath::of("spec.name");
    at(Code::DuplicateIntegration, second, &path, message, "configured again")
        .label(first.locate(&path), "configured first")
        .help("leave one of the two out of the agent's `spec.integrations.selector`, or put both into one resource")
}

/// What it tells of is a node, and it runs on one of them.
pub fn on_one_node(integration: Of<'_, '_>) -> Diagnostic {
    let message = format!(
        "`{}` tells of the node that it runs on, and runs on one node only",
        integration.spec.name
    );
    let path = FieldPath::of("spec.type.allNodes");
    at(Code::IntegrationPlacement, integration, &path, message, "").help("set `spec.type.allNodes` to `true`")
}

/// What it tells of is the cluster, and it runs on each of its nodes.
pub fn on_all_nodes(integration: Of<'_, '_>) -> Diagnostic {
    let message = format!(
        "`{}` tells of the whole cluster, and sends it all once for each node",
        integration.spec.name
    );
    let path = FieldPath::of("spec.type.allNodes");
    at(Code::IntegrationPlacement, integration, &path, message, "").help("set `spec.type.allNodes` to `false`")
}

/// The agent has no such instance.
pub fn unknown_instance(
    integration: Of<'_, '_>,
    path: &FieldPath<'_>,
    agent: &Resource<'_, GrafanaAgent<'_>>,
    instance: &MissingInstance<'_>,
) -> Diagnostic {
    let MissingInstance {
        kind, name, is_default, ..
    } = *instance;
    let by_default = if is_default { ", the default" } else { "" };
    let message = format!(
        "agent `{}/{}` has no {kind} `{name}`{by_default}",
        agent.meta.namespace, agent.meta.name
    );
    at(Code::UnknownInstance, integration, path, message, "").help(instance.help())
}

/// The agent has no traces at all.
pub fn no_traces(integration: Of<'_, '_>, path: &FieldPath<'_>) -> Diagnostic {
    let message = "the operator configures no traces, so there is no traces instance".to_owned();
    at(Code::UnknownInstance, integration, path, message, "")
        .help("remove `traces_instance`: the agent does not start with it")
}

/// Which part of a mount another one has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// `mountPath`.
    Path,
    /// `name`.
    Volume,
}

/// Another mount of the same pods has the path or the volume, so this mount and its volume are dropped.
pub fn dropped_mount(integration: Of<'_, '_>, index: usize, taken: Taken, first: Of<'_, '_>) -> Diagnostic {
    let path = FieldPath::of("spec.volumeMounts").index(index);
    let mount = integration.spec.volume_mounts.get(index);
    let text = |of: fn(&VolumeMount) -> &str| mount.map(of).unwrap_or_default();
    let (path, what) = match taken {
        Taken::Path => (
            path.key("mountPath"),
            format!("path `{}`", text(|mount| &mount.mount_path)),
        ),
        Taken::Volume => (path.key("name"), format!("volume `{}`", text(|mount| &mount.name))),
    };
    let message = format!(
        "the operator drops this mount and its volume: Integration `{}` mounts {what} before",
        full_name(first)
    );
    at(Code::DroppedMount, integration, &path, message, "").help("use a path and a volume that no other mount has")
}

/// An instance that an Integration names and its agent lacks.
pub struct MissingInstance<'i> {
    /// MetricsInstance or LogsInstance.
    pub kind: Kind,
    /// What the configuration says.
    pub name: &'i str,
    /// Whether it says nothing, and this is what the agent takes.
    pub is_default: bool,
    /// `namespace/name` of those that the agent has.
    pub known: Vec<String>,
}

impl MissingInstance<'_> {
    fn help(&self) -> String {
        match (self.near().filter(|_| !self.is_default), self.known.as_slice()) {
            (Some(near), _) => format!("did you mean `{near}`?"),
            (None, []) => format!(
                "let the agent select a {}, and write its `namespace/name` here",
                self.kind
            ),
            (None, [only]) => format!("write `{only}`"),
            (None, known) => format!("write one of `{}`", known.join("`, `")),
        }
    }

    /// The one of the same name in whatever namespace, or else of a name like it.
    fn near(&self) -> Option<&str> {
        let mut known = self.known.iter().map(String::as_str);
        known
            .find(|known| known.rsplit('/').next() == Some(self.name))
            .or_else(|| closest(self.name, self.known.iter().map(String::as_str)))
    }
}

fn full_name(integration: Of<'_, '_>) -> String {
    format!("{}/{}", integration.meta.namespace, integration.meta.name)
}

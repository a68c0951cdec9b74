//! What is found in the manifests, one function a finding.

use super::origin::Origin;
use crate::api::{GrafanaAgent, Resource};
use crate::diagnostic::{Code, Diagnostic, FieldPath, suggest};

fn at(code: Code, origin: &Origin<'_>, message: String, label: &str) -> Diagnostic {
    Diagnostic::new(code, message)
        .label(origin.span(), label)
        .resource(origin.object)
        .path(&origin.path)
}

/// A finding about two things of the same name or path; the last of `origins` is the one too many, and what stands
/// against it may be the operator's own.
fn twice(code: Code, origins: &[&Origin<'_>], agent: &Origin<'_>, message: String) -> Diagnostic {
    match origins {
        [] => at(code, agent, message, ""),
        [only] => at(code, only, format!("{message}: the operator has one of its own"), ""),
        [first, .., last] => at(code, last, message, "again").label(first.span(), "first"),
    }
}

/// Two volumes of the same name.
pub fn duplicate_volume(name: &str, origins: &[&Origin<'_>], agent: &Origin<'_>) -> Diagnostic {
    let message = format!("the pods have two volumes named `{name}`");
    twice(Code::DuplicateVolume, origins, agent, message)
        .help("rename one; those of `secrets` and `configMaps` have `-` for all but lower case letters and digits")
}

/// A name that is no DNS label.
pub fn invalid_volume_name(name: &str, problem: &str, origins: &[&Origin<'_>], agent: &Origin<'_>) -> Diagnostic {
    let message = format!("Kubernetes refuses pods with the volume `{name}`: its name {problem}");
    match origins.last() {
        Some(origin) => at(Code::InvalidVolumeName, origin, message, "").help("choose another name"),
        None => at(Code::InvalidVolumeName, agent, message, "").help("choose another name for the agent"),
    }
}

/// Two mounts of the same path.
pub fn duplicate_mount_path(path: &str, origins: &[&Origin<'_>], agent: &Origin<'_>) -> Diagnostic {
    let message = format!("two volumes are mounted at `{path}`");
    twice(Code::DuplicateMountPath, origins, agent, message).help("mount one of them elsewhere")
}

/// A mount of a volume that is not there: a warning, since a webhook may add it.
pub fn missing_volume<'n>(name: &str, volumes: impl IntoIterator<Item = &'n str>, origin: &Origin<'_>) -> Diagnostic {
    let help = match suggest::closest(name, volumes) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "add the volume to `spec.volumes`".to_owned(),
    };
    let message = format!("the pods have no volume `{name}` to mount");
    at(Code::MissingVolume, origin, message, "").help(help)
}

/// Two containers of the same name.
pub fn duplicate_container(name: &str, origins: &[&Origin<'_>], agent: &Origin<'_>) -> Diagnostic {
    let message = format!("the pods have two containers named `{name}`");
    twice(Code::DuplicateContainer, origins, agent, message).help("rename one of the two")
}

/// A container without an image.
pub fn missing_image(name: &str, origin: &Origin<'_>) -> Diagnostic {
    let help = match suggest::closest(name, ["config-reloader", "grafana-agent"]) {
        Some(near) => format!("did you mean `{near}`, which the operator has?"),
        None => "set `image`; only `grafana-agent` and `config-reloader` have one from the operator".to_owned(),
    };
    at(
        Code::MissingImage,
        origin,
        format!("container `{name}` has no image"),
        "",
    )
    .help(help)
}

/// A quantity below zero.
pub fn negative_resource(container: &str, field: &str, resource: &str, origin: &Origin<'_>) -> Diagnostic {
    let message = format!("the {field} of container `{container}` for `{resource}` are negative");
    at(Code::InvalidResources, origin, message, "").help("use a quantity of zero or more")
}

/// Less is allowed than asked for.
pub fn limit_below_request(
    container: &str,
    resource: &str,
    (limit, request): (&str, &str),
    origin: &Origin<'_>,
) -> Diagnostic {
    let message = format!(
        "container `{container}` is limited to `{limit}` of `{resource}`, and requests `{request}`, which is more"
    );
    at(Code::InvalidResources, origin, message, "").help("raise the limit, or lower the request")
}

/// A Secret beyond what Kubernetes takes; `parts` are what fills it most, with their bytes, where
/// that is known.
pub fn secret_too_large(
    agent: &Resource<'_, GrafanaAgent<'_>>,
    name: &str,
    size: usize,
    parts: &[(String, usize)],
) -> Diagnostic {
    let path = FieldPath::of("metadata.name");
    let message = format!(
        "Secret `{name}` would hold {}, and Kubernetes takes 1 MiB at most",
        mebibytes(size)
    );
    let all: usize = parts.iter().map(|(_, bytes)| bytes).sum();
    let share = |bytes: usize| (bytes * 100).checked_div(all).unwrap_or_default();
    let largest = parts.get(..3).unwrap_or(parts);
    let help = if largest.is_empty() {
        "divide it between agents".to_owned()
    } else if share(largest.iter().map(|(_, bytes)| bytes).sum()) < 10 {
        let noun = match name.strip_suffix("-secrets") == Some(agent.meta.name) {
            true => "values",
            false => "resources",
        };
        format!(
            "divide it between two agents; it is spread over {} {noun}, and the largest three have less than 10 % of it",
            parts.len()
        )
    } else {
        let named = largest
            .iter()
            .map(|(part, bytes)| format!("{part} ({} %)", share(*bytes)));
        let named: Vec<_> = named.collect();
        format!(
            "divide it between two agents; most of it comes from {}",
            named.join(", ")
        )
    };
    Diagnostic::new(Code::SecretTooLarge, message)
        .label(agent.locate(&path), "")
        .resource(agent.object_ref())
        .path(&path)
        .help(help)
}

/// A size with two decimals, rounded up so that it never looks like the limit.
fn mebibytes(bytes: usize) -> String {
    let hundredths = (bytes * 100).div_ceil(1 << 20);
    format!("{}.{:02} MiB", hundredths / 100, hundredths % 100)
}

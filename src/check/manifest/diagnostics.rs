//! What is found in the manifests, one function a finding.

use super::origin::Origin;
use super::rules::{Broken, Step};
use crate::api::{GrafanaAgent, Resource};
use crate::diagnostic::{Code, Diagnostic, FieldPath, Severity};
use crate::pods::Object;

/// A rule of Kubernetes that an object breaks at a field of the input.
pub fn refused(
    object: &Object,
    broken: &Broken<'_>,
    origin: &Origin<'_>,
    first: Option<&Option<Origin<'_>>>,
) -> Diagnostic {
    let what = match (object, broken.path.get(1)) {
        (_, Some(Step::Key("volumeClaimTemplates"))) => "the claims of the pods",
        (Object::Service(_), _) => "the Service",
        _ => "the pods",
    };
    let refuses = match broken.newer {
        true => "newer versions of Kubernetes refuse",
        false => "Kubernetes refuses",
    };
    let mut message = format!("{refuses} {what}: {}", statement(broken));
    if let Some(None) = first {
        message.push_str(", and the operator uses the same");
    }
    let mut found = at(broken.code, origin, message);
    if let Some(Some(first)) = first {
        found = found.label(first.span(), "first");
    }
    if broken.newer {
        found = found.severity(Severity::Warning);
    }
    match broken.help.as_str() {
        "" => found,
        help => found.help(help),
    }
}

/// A rule of Kubernetes that is broken by what the operator makes of an agent's name.
pub fn refused_name(object: &Object, broken: &Broken<'_>, agent: &Origin<'_>) -> Diagnostic {
    let (kind, name) = (object.kind(), object.name());
    let message = match broken.path.as_slice() {
        [Step::Key("metadata"), Step::Key("name")] => {
            format!(
                "Kubernetes refuses {kind} `{name}` or its pods: the name {}",
                broken.problem
            )
        }
        _ => format!("Kubernetes refuses {kind} `{name}` or its pods: {}", statement(broken)),
    };
    at(Code::InvalidDerivedName, agent, message).help("choose another name for the agent")
}

fn statement(broken: &Broken<'_>) -> String {
    let (field, problem) = (field(&broken.path), &broken.problem);
    match &broken.value {
        Some(value) => format!("`{value}` in `{field}` {problem}"),
        None => format!("`{field}` {problem}"),
    }
}

fn at(code: Code, origin: &Origin<'_>, message: String) -> Diagnostic {
    Diagnostic::new(code, message)
        .label(origin.span(), "")
        .resource(origin.object)
        .path(&origin.path)
}

/// The last two keys of a path.
fn field(path: &[Step<'_>]) -> String {
    let keys = path.iter().rev().filter_map(|step| match step {
        Step::Key(key) => Some(*key),
        Step::Index(_) => None,
    });
    let mut keys: Vec<_> = keys.take(2).filter(|key| *key != "spec").collect();
    keys.reverse();
    keys.join(".")
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

/// An object whose copy in an annotation is larger than annotations may be.
pub fn needs_server_side_apply(agent: &Resource<'_, GrafanaAgent<'_>>, object: &Object, size: usize) -> Diagnostic {
    let path = FieldPath::of("metadata.name");
    let message = format!(
        "{} `{}` is too large for client-side `kubectl apply`: its annotations would have {size} bytes, and Kubernetes \
         allows 262144",
        object.kind(),
        object.name(),
    );
    Diagnostic::new(Code::NeedsServerSideApply, message)
        .label(agent.locate(&path), "")
        .resource(agent.object_ref())
        .path(&path)
        .help("apply it with `kubectl apply --server-side`")
}

/// A size with two decimals, rounded up so that it never looks like the limit.
fn mebibytes(bytes: usize) -> String {
    let hundredths = (bytes * 100).div_ceil(1 << 20);
    format!("{}.{:02} MiB", hundredths / 100, hundredths % 100)
}

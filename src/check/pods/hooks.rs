//! Resources that a deployment tool creates only for a moment.

use crate::api::ResourceHeader;
use crate::diagnostic::{Code, Diagnostic, FieldPath};

/// Helm hooks after which a release keeps its resources (`pkg/action/hooks.go`).
const PERMANENT: [&str; 4] = ["pre-install", "post-install", "pre-upgrade", "post-upgrade"];
/// Hooks of Argo CD for which a resource is not created by a successful sync, or only when an application is deleted.
const NEVER: [&str; 3] = ["Skip", "SyncFail", "PostDelete"];

/// Finding for an agent that exists only while a test, deletion or rollback runs.
pub(super) fn check(agent: &ResourceHeader<'_>) -> Option<Diagnostic> {
    let annotations = agent.root.at("metadata.annotations")?;
    let hooks = |key: &str| {
        let value = annotations.get(key).and_then(|value| value.as_str()).unwrap_or_default();
        value.split(',').map(str::trim).filter(|hook| !hook.is_empty()).collect::<Vec<_>>()
    };
    let of_helm = hooks("helm.sh/hook");
    let of_argo = hooks("argocd.argoproj.io/hook");
    let is_rare = |hook: &str| hook.starts_with("test") || hook.ends_with("-delete") || hook.ends_with("-rollback");
    let (key, tool, hooks) =
        if !of_helm.is_empty() && of_helm.iter().all(|hook| is_rare(hook) && !PERMANENT.contains(hook)) {
            ("helm.sh/hook", "Helm", of_helm)
        } else if !of_argo.is_empty() && of_argo.iter().all(|hook| NEVER.contains(hook)) {
            ("argocd.argoproj.io/hook", "Argo CD", of_argo)
        } else {
            return None;
        };
    let path = FieldPath::parse("metadata.annotations").key(key);
    let message = format!("{tool} does not install the agent: it creates the resource only for `{}`", hooks.join(","));
    Some(agent.finding(Code::OnlyForHook, &path, message).help("remove the annotation"))
}

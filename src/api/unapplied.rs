//! Objects that Helm, Argo CD or kustomize does not leave in a cluster because of an annotation.

use crate::yaml::Node;

const HELM_HOOK: &str = "helm.sh/hook";
const HELM_HOOK_POLICY: &str = "helm.sh/hook-delete-policy";
const ARGO_HOOK: &str = "argocd.argoproj.io/hook";
const ARGO_HOOK_POLICY: &str = "argocd.argoproj.io/hook-delete-policy";
const LOCAL_CONFIG: &str = "config.kubernetes.io/local-config";
const FUNCTION: &str = "config.kubernetes.io/function";

/// Annotation that keeps an object out of the cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnappliedReason {
    /// Key of the annotation.
    pub annotation: &'static str,
    /// Reason, as a phrase that follows the object's name.
    pub reason: String,
}

impl UnappliedReason {
    /// Returns the annotation that keeps an object out of the cluster, or `None` if the object is applied.
    ///
    /// If the object has an Argo CD hook annotation, Argo CD ignores its Helm hook annotations.
    pub fn new(root: Node<'_>) -> Option<Self> {
        let annotations = root.get("metadata")?.get("annotations")?;
        let value = |key: &str| annotations.get(key).and_then(Node::as_str);
        let argo_types = items(value(ARGO_HOOK).unwrap_or_default());
        let is_argo_hook = argo_types.iter().any(|hook| ARGO_TYPES.contains(hook));
        let unapplied = match (value(ARGO_HOOK), value(HELM_HOOK)) {
            (Some(hooks), helm) if is_argo_hook || helm.is_none() => {
                argo_hook(hooks, value(ARGO_HOOK_POLICY), value(HELM_HOOK_POLICY))
            }
            (_, Some(hooks)) => helm_hook(hooks, value(HELM_HOOK_POLICY)),
            _ => None,
        };
        let is_local = || value(LOCAL_CONFIG).is_some_and(|local| local != "false");
        let local_reason = || is_local().then_some((LOCAL_CONFIG, "kustomize and kpt do not apply it"));
        let function_reason = || value(FUNCTION).map(|_| (FUNCTION, "kustomize and kpt run it as a function"));
        unapplied.or_else(|| {
            let (annotation, reason) = local_reason().or_else(function_reason)?;
            Some(Self { annotation, reason: reason.to_owned() })
        })
    }

    /// Whether the annotation makes the object a hook.
    pub fn is_hook(&self) -> bool {
        [HELM_HOOK, ARGO_HOOK].contains(&self.annotation)
    }
}

/// Hooks that Argo CD recognizes (`NewHookType` in `gitops-engine/pkg/sync/common/types.go`, `controller/hook.go`).
const ARGO_TYPES: [&str; 7] = ["PreSync", "Sync", "PostSync", "SyncFail", "Skip", "PreDelete", "PostDelete"];
/// Phases of a successful sync.
const ARGO_PHASES: [&str; 3] = ["PreSync", "Sync", "PostSync"];

/// Port of Argo CD's `syncPhases` and `deleteOnPhaseSuccessful`.
fn argo_hook(hooks: &str, policy: Option<&str>, helm_policy: Option<&str>) -> Option<UnappliedReason> {
    let types = items(hooks);
    let is_deleted = [(policy, "HookSucceeded"), (helm_policy, "hook-succeeded")]
        .into_iter()
        .any(|(policy, succeeded)| policy.is_some_and(|policy| items(policy).contains(&succeeded)));
    let type_list = types.join(",");
    let reason = if !types.iter().any(|hook| ARGO_PHASES.contains(hook)) {
        match types.as_slice() {
            ["Skip"] => "Argo CD does not apply an object with the hook `Skip`".to_owned(),
            _ => format!("Argo CD applies it only when its hook (`{type_list}`) runs"),
        }
    } else if is_deleted {
        format!("Argo CD deletes it as soon as its hook (`{type_list}`) succeeds")
    } else {
        return None;
    };
    Some(UnappliedReason { annotation: ARGO_HOOK, reason })
}

/// Helm hooks (`events` in `pkg/release/v1/util/manifest_sorter.go`) after which the object exists.
const HELM_INSTALLING: [&str; 4] = ["pre-install", "post-install", "pre-upgrade", "post-upgrade"];

/// Port of Helm's `execHook`. Argo CD applies objects with unknown hooks, but Helm does not.
fn helm_hook(hooks: &str, policy: Option<&str>) -> Option<UnappliedReason> {
    let lowercase_hooks = hooks.to_ascii_lowercase();
    let events = items(&lowercase_hooks);
    let policy = policy.map(str::to_ascii_lowercase).unwrap_or_default();
    let event_list = events.join(",");
    let reason = if events == ["crd-install"] {
        return None;
    } else if !events.iter().any(|event| HELM_INSTALLING.contains(event)) {
        format!("Helm creates it only when its hook (`{event_list}`) runs")
    } else if items(&policy).contains(&"hook-succeeded") {
        format!("Helm deletes it as soon as its hook (`{event_list}`) succeeds")
    } else {
        return None;
    };
    Some(UnappliedReason { annotation: HELM_HOOK, reason })
}

/// Returns the items of a comma-separated list.
fn items(list: &str) -> Vec<&str> {
    list.split(',').map(str::trim).filter(|item| !item.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    fn reason(annotations: &str) -> Option<String> {
        let text = format!("metadata: {{name: a, annotations: {{{annotations}}}}}");
        let documents = testing::documents(&text);
        UnappliedReason::new(documents[0].root()).map(|found| found.reason)
    }

    #[test]
    fn objects_of_temporary_hooks_are_not_applied() {
        for annotations in [
            "helm.sh/hook: test",
            "helm.sh/hook: ' Test-Success , test'",
            "helm.sh/hook: test-failure",
            "helm.sh/hook: 'pre-delete,post-delete'",
            "helm.sh/hook: pre-rollback",
            "helm.sh/hook: post-rollback",
            "helm.sh/hook: 'pre-install,pre-upgrade', helm.sh/hook-delete-policy: 'before-hook-creation,hook-succeeded'",
            "argocd.argoproj.io/hook: Skip",
            "argocd.argoproj.io/hook: SyncFail",
            "argocd.argoproj.io/hook: 'PreDelete, PostDelete'",
            "argocd.argoproj.io/hook: unknown",
            "argocd.argoproj.io/hook: Sync, argocd.argoproj.io/hook-delete-policy: HookSucceeded",
            "argocd.argoproj.io/hook: PostSync, helm.sh/hook-delete-policy: hook-succeeded",
            "argocd.argoproj.io/hook: Skip, helm.sh/hook: pre-install",
            "config.kubernetes.io/local-config: 'true'",
            "config.kubernetes.io/local-config: ''",
            "config.kubernetes.io/function: 'exec: {path: ./f}'",
        ] {
            assert!(reason(annotations).is_some(), "{annotations}");
        }
    }

    #[test]
    fn objects_of_persistent_hooks_are_applied() {
        for annotations in [
            "",
            "a: b",
            "helm.sh/hook: pre-install",
            "helm.sh/hook: 'test, post-install'",
            "helm.sh/hook: pre-upgrade, helm.sh/hook-delete-policy: hook-failed",
            "helm.sh/hook: crd-install",
            "argocd.argoproj.io/hook: PreSync",
            "argocd.argoproj.io/hook: 'Skip,PostSync'",
            "argocd.argoproj.io/hook: Sync, helm.sh/hook: test",
            "argocd.argoproj.io/hook: unknown, helm.sh/hook: pre-install",
            "helm.sh/hook-delete-policy: hook-succeeded",
            "argocd.argoproj.io/hook-delete-policy: HookSucceeded",
            "config.kubernetes.io/local-config: 'false'",
        ] {
            assert_eq!(reason(annotations), None, "{annotations}");
        }
        assert_eq!(reason("config.kubernetes.io/local-config: true"), None, "the API server rejects a bool");
    }
}

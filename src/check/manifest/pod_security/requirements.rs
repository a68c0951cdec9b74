//! What a control wants of a pod that is more than the value of a field.

use serde_json::Value;

use super::pod::{Pod, REMOVE, Violation};
use crate::api::core::embedded::name;
use crate::check::manifest::rules::Step;

const APP_ARMOR: &str = "container.apparmor.security.beta.kubernetes.io/";

/// Profiles in annotations, which is where they were before Kubernetes 1.30.
pub(super) fn app_armor_annotations<'v>(pod: &Pod<'v>, found: &mut Vec<Violation<'v>>) {
    let is_allowed = |profile: &str| matches!(profile, "" | "runtime/default") || profile.starts_with("localhost/");
    let refused = pod
        .annotations()
        .filter(|(key, value)| key.starts_with(APP_ARMOR) && !is_allowed(value));
    found.extend(refused.map(|(key, value)| annotation(key, value)));
}

/// The annotation with the profile of all containers.
pub(super) const SECCOMP_OF_POD: &str = "seccomp.security.alpha.kubernetes.io/pod";
const SECCOMP_OF_CONTAINER: &str = "container.seccomp.security.alpha.kubernetes.io/";

/// Profiles in annotations, which is where they were before Kubernetes 1.19.
pub(super) fn seccomp_annotations<'v>(pod: &Pod<'v>, found: &mut Vec<Violation<'v>>) {
    let containers: Vec<_> = pod.containers().iter().map(|(_, container)| name(container)).collect();
    // An annotation of a container that the pod does not have says nothing.
    let is_profile = |key: &str| match key.strip_prefix(SECCOMP_OF_CONTAINER) {
        Some(container) => containers.contains(&container),
        None => key == SECCOMP_OF_POD,
    };
    let is_allowed =
        |profile: &str| matches!(profile, "runtime/default" | "docker/default") || profile.starts_with("localhost/");
    let refused = pod
        .annotations()
        .filter(|(key, value)| is_profile(key) && !is_allowed(value));
    found.extend(refused.map(|(key, value)| annotation(key, value)));
}

fn annotation<'v>(key: &'v str, value: &str) -> Violation<'v> {
    let path = [Step::Key("metadata"), Step::Key("annotations"), Step::Key(key)];
    Violation::at(&path, format!("must not be `{value}`"), REMOVE)
}

/// A field of the security context of each container.
fn of_contexts<'v>(pod: &Pod<'v>, field: &'static str, mut check: impl FnMut(Vec<Step<'v>>, Option<&'v Value>)) {
    for (mut path, container) in pod.containers() {
        let value = container.get("securityContext").and_then(|context| context.get(field));
        path.extend([Step::Key("securityContext"), Step::Key(field)]);
        check(path, value.filter(|value| !value.is_null()));
    }
}

/// A field of the security context of all containers.
fn of_pod<'v>(pod: &Pod<'v>, field: &str) -> Option<&'v Value> {
    let value = pod.spec().get("securityContext").and_then(|context| context.get(field));
    value.filter(|value| !value.is_null())
}

fn in_pod(field: &'static str) -> [Step<'static>; 3] {
    [Step::Key("spec"), Step::Key("securityContext"), Step::Key(field)]
}

/// Each container says that it gains no privileges.
pub(super) fn escalation<'v>(pod: &Pod<'v>, found: &mut Vec<Violation<'v>>) {
    of_contexts(pod, "allowPrivilegeEscalation", |path, value| {
        if value != Some(&Value::Bool(false)) {
            let help = "set `securityContext.allowPrivilegeEscalation: false` of the container in `spec.containers`";
            found.push(Violation::at(&path, "must be `false`".to_owned(), help));
        }
    });
}

/// Each container drops all capabilities.
pub(super) fn drops_all<'v>(pod: &Pod<'v>, found: &mut Vec<Violation<'v>>) {
    of_contexts(pod, "capabilities", |path, value| {
        let dropped = value
            .and_then(|capabilities| capabilities.get("drop"))
            .and_then(Value::as_array);
        if !dropped.into_iter().flatten().any(|capability| capability == "ALL") {
            let help = "set `securityContext.capabilities.drop: [ALL]` of the container in `spec.containers`";
            found.push(Violation::at(&path, "must drop `ALL`".to_owned(), help));
        }
    });
}

/// Only volumes of some sources.
pub(super) fn volumes<'v>(pod: &Pod<'v>, found: &mut Vec<Violation<'v>>) {
    const ALLOWED: [&str; 9] = [
        "configMap",
        "csi",
        "downwardAPI",
        "emptyDir",
        "ephemeral",
        "image",
        "persistentVolumeClaim",
        "projected",
        "secret",
    ];
    let volumes = pod.spec().get("volumes").and_then(Value::as_array);
    for (i, volume) in volumes.into_iter().flatten().enumerate() {
        let sources = volume.as_object().into_iter().flatten();
        let mut sources = sources
            .filter(|(key, value)| *key != "name" && !value.is_null())
            .map(|(key, _)| key.as_str());
        let source = sources.clone().next();
        // A volume without a source is an empty directory (`SetDefaults_Volume`).
        if let Some(source) = source.filter(|_| !sources.any(|source| ALLOWED.contains(&source))) {
            let path = [
                Step::Key("spec"),
                Step::Key("volumes"),
                Step::Index(i),
                Step::Key(source),
            ];
            found.push(Violation::at(&path, "must not be set".to_owned(), REMOVE));
        }
    }
}

/// The pod or each container says that it does not run as root.
pub(super) fn non_root<'v>(pod: &Pod<'v>, found: &mut Vec<Violation<'v>>) {
    const FIELD: &str = "runAsNonRoot";
    const HELP: &str = "set `spec.securityContext.runAsNonRoot: true`, with a `runAsUser` that can write its volumes";
    let of_pod = of_pod(pod, FIELD);
    let is_refused = of_pod == Some(&Value::Bool(false));
    if is_refused {
        found.push(Violation::at(&in_pod(FIELD), "must be `true`".to_owned(), HELP));
    }
    let mut is_missing = false;
    of_contexts(pod, FIELD, |path, value| match value {
        Some(Value::Bool(false)) => found.push(Violation::at(&path, "must be `true`".to_owned(), HELP)),
        None => is_missing |= of_pod.is_none(),
        Some(_) => {}
    });
    if is_missing {
        found.push(Violation::at(&in_pod(FIELD), "must be `true`".to_owned(), HELP));
    }
}

/// Neither the pod nor a container runs as root.
pub(super) fn user<'v>(pod: &Pod<'v>, found: &mut Vec<Violation<'v>>) {
    const FIELD: &str = "runAsUser";
    const HELP: &str = "set a user other than 0";
    let is_root = |value: Option<&Value>| value.and_then(Value::as_i64) == Some(0);
    if is_root(of_pod(pod, FIELD)) {
        found.push(Violation::at(&in_pod(FIELD), "must not be 0".to_owned(), HELP));
    }
    of_contexts(pod, FIELD, |path, value| {
        if is_root(value) {
            found.push(Violation::at(&path, "must not be 0".to_owned(), HELP));
        }
    });
}

/// The pod or each container has a profile.
pub(super) fn has_seccomp<'v>(pod: &Pod<'v>, found: &mut Vec<Violation<'v>>) {
    const FIELD: &str = "seccompProfile";
    let mut is_missing = false;
    of_contexts(pod, FIELD, |_, value| is_missing |= value.is_none());
    if is_missing && of_pod(pod, FIELD).is_none() {
        let help = "set `spec.securityContext.seccompProfile.type: RuntimeDefault`";
        let problem = "must be set to `RuntimeDefault` or `Localhost`".to_owned();
        found.push(Violation::at(&in_pod(FIELD), problem, help));
    }
}

//! Requirements that depend on more than the value of one field. The rows in the table refer to these functions.

use crate::check::manifest::rules::{APP_ARMOR, SECCOMP_OF_CONTAINER, SECCOMP_OF_POD};
use crate::check::walk::{Json, Step, Walk, is_among};

/// Checks the AppArmor profiles in annotations, where they were set before Kubernetes 1.30.
pub(super) fn check_app_armor_annotations<'v>(annotations: Json<'v>, walk: &mut Walk<'v>) {
    let is_allowed = |profile: &str| matches!(profile, "" | "runtime/default") || profile.starts_with("localhost/");
    check_profiles(annotations, |key| key.starts_with(APP_ARMOR), is_allowed, walk);
}

/// Checks the seccomp profiles in annotations, where they were set before Kubernetes 1.19.
pub(super) fn check_seccomp_annotations<'v>(annotations: Json<'v>, walk: &mut Walk<'v>) {
    let pod = walk.root.get("spec").unwrap_or(Json::NULL);
    let names: Vec<_> = containers(pod).map(|container| container.text("name")).collect();
    // An annotation for a container that does not exist has no effect.
    let is_profile = |key: &str| match key.strip_prefix(SECCOMP_OF_CONTAINER) {
        Some(container) => names.contains(&container),
        None => key == SECCOMP_OF_POD,
    };
    let is_allowed =
        |profile: &str| matches!(profile, "runtime/default" | "docker/default") || profile.starts_with("localhost/");
    check_profiles(annotations, is_profile, is_allowed, walk);
}

/// Reports annotations that set a forbidden profile.
fn check_profiles<'v>(
    annotations: Json<'v>,
    is_profile: impl Fn(&str) -> bool,
    is_allowed: impl Fn(&str) -> bool,
    walk: &mut Walk<'v>,
) {
    for (key, value) in annotations.entries().filter(|(key, _)| is_profile(key)) {
        let profile = value.as_str().unwrap_or_default();
        if !is_allowed(profile) {
            walk.report_field(key, format!("must not be `{profile}`"));
        }
    }
}

/// Returns all containers in a pod, init containers first.
fn containers<'v>(pod: Json<'v>) -> impl Iterator<Item = Json<'v>> {
    pod.list("initContainers").chain(pod.list("containers"))
}

/// Requires a container to forbid privilege escalation.
pub(super) fn check_escalation<'v>(container: Json<'v>, walk: &mut Walk<'v>) {
    let at = [Step::Key("securityContext"), Step::Key("allowPrivilegeEscalation")];
    let escalation = container.at("securityContext.allowPrivilegeEscalation");
    if !escalation.is_some_and(|escalation| escalation.is(false)) {
        walk.report(&at, "must be `false`").help =
            "set `securityContext.allowPrivilegeEscalation: false` on the container in `spec.containers`".to_owned();
    }
}

/// Requires a container to drop all capabilities.
pub(super) fn check_dropped_capabilities<'v>(container: Json<'v>, walk: &mut Walk<'v>) {
    let at = [Step::Key("securityContext"), Step::Key("capabilities")];
    let mut dropped_capabilities = container.list("securityContext.capabilities.drop");
    if !dropped_capabilities.any(|capability| capability.as_str() == Some("ALL")) {
        walk.report(&at, "must drop `ALL`").help =
            "set `securityContext.capabilities.drop: [ALL]` on the container in `spec.containers`".to_owned();
    }
}

/// Requires a volume to have an allowed source. A volume without a source is an `emptyDir` (`SetDefaults_Volume`).
pub(super) fn check_volume<'v>(volume: Json<'v>, walk: &mut Walk<'v>) {
    const ALLOWED: &str = "configMap|csi|downwardAPI|emptyDir|ephemeral|image|persistentVolumeClaim|projected|secret";
    let sources = volume.entries().filter(|(key, value)| *key != "name" && !value.is_null());
    let sources: Vec<_> = sources.map(|(key, _)| key).collect();
    let is_allowed = sources.iter().any(|source| is_among(source, ALLOWED));
    if let Some(source) = sources.first().filter(|_| !is_allowed) {
        walk.report_field(source, "must not be set");
    }
}

const NON_ROOT: &str =
    "set `spec.securityContext.runAsNonRoot: true`, with a `runAsUser` that can write to the agent's volumes";

/// Rejects `runAsNonRoot: false`.
pub(super) fn check_non_root<'v>(non_root: Json<'v>, walk: &mut Walk<'v>) {
    if non_root.is(false) {
        walk.report(&[], "must be `true`").help = NON_ROOT.to_owned();
    }
}

/// Requires the pod or each of its containers to set `runAsNonRoot`.
pub(super) fn require_non_root<'v>(pod: Json<'v>, walk: &mut Walk<'v>) {
    if is_field_missing(pod, "runAsNonRoot") {
        let at = [Step::Key("securityContext"), Step::Key("runAsNonRoot")];
        walk.report(&at, "must be `true`").help = NON_ROOT.to_owned();
    }
}

/// Requires a user other than root.
pub(super) fn check_user<'v>(user: Json<'v>, walk: &mut Walk<'v>) {
    if user.as_i64() == Some(0) {
        walk.report(&[], "must not be 0").help = "use a user ID other than 0".to_owned();
    }
}

/// Requires the pod or each of its containers to set a seccomp profile.
pub(super) fn require_seccomp<'v>(pod: Json<'v>, walk: &mut Walk<'v>) {
    if is_field_missing(pod, "seccompProfile") {
        let at = [Step::Key("securityContext"), Step::Key("seccompProfile")];
        walk.report(&at, "must be set to `RuntimeDefault` or `Localhost`").help =
            "set `spec.securityContext.seccompProfile.type: RuntimeDefault`".to_owned();
    }
}

/// Whether `field` is missing both from the pod's security context and from that of at least one container.
fn is_field_missing(pod: Json<'_>, field: &str) -> bool {
    let has = |part: Json<'_>| part.get("securityContext").is_some_and(|context| context.non_null(field).is_some());
    !has(pod) && containers(pod).any(|container| !has(container))
}

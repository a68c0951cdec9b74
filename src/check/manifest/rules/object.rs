//! Rules for Services, Secrets and workloads (`ValidateStatefulSet`, `ValidateDaemonSet`, `ValidateDeployment`),
//! including their pods (`ValidatePodSpec`) and claims.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::claim::{CLAIM, check_annotation_keys};
use super::security::POD_ROWS;
use super::{container, scheduling, text, volume};
use crate::check::violation::statement;
use crate::check::walk::Expect::{self, As, Forbidden, In, Labels, Mild, OneOf, Text, TextOrEmpty, Unique, With};
use crate::check::walk::{Json, Rows, Step, Walk, violations};
use crate::diagnostic::Code;
use crate::go::syntax;

/// Returns the rules for objects of `kind`.
pub fn rules_for_kind(kind: &str) -> Rows {
    match kind {
        "StatefulSet" => STATEFUL_SET,
        "DaemonSet" => DAEMON_SET,
        "Deployment" => DEPLOYMENT,
        "Service" => SERVICE,
        _ => OTHER_KINDS,
    }
}

const STATEFUL_SET: Rows = &[
    ("metadata.name", Text(text::stateful_set_name_problem)),
    ("spec.template", As(Code::InvalidPodMetadata, &In(TEMPLATE))),
    // The names of the StatefulSet and its Service become part of the pods' host names.
    ("metadata.name", Text(syntax::dns_label)),
    ("spec.serviceName", Text(syntax::dns_label)),
    ("spec.volumeClaimTemplates[]", As(Code::InvalidClaim, &In(CLAIM))),
];

const DAEMON_SET: Rows = &[
    ("metadata.name", Text(syntax::subdomain)),
    ("spec.template", As(Code::InvalidPodMetadata, &In(TEMPLATE))),
    ("spec.template.spec.volumes[].gcePersistentDisk", As(Code::InvalidVolume, &With(volume::check_persistent_disk))),
];

const DEPLOYMENT: Rows =
    &[("metadata.name", Text(syntax::subdomain)), ("spec.template", As(Code::InvalidPodMetadata, &In(TEMPLATE)))];

/// Port of Kubernetes' `ValidateService`.
const SERVICE: Rows = &[
    ("metadata.name", Text(syntax::dns_1035_label)),
    ("metadata.labels", Labels),
    ("spec.ports[]", As(Code::InvalidContainerPort, &In(SERVICE_PORT))),
];

const SERVICE_PORT: Rows = &[("name", TextOrEmpty(syntax::dns_label)), ("targetPort", With(container::check_port))];

const OTHER_KINDS: Rows = &[("metadata.name", Text(syntax::subdomain))];

/// Port of Kubernetes' `ValidatePodTemplateSpec`.
const TEMPLATE: Rows = &[
    ("metadata.labels", Labels),
    ("metadata.annotations", With(check_annotations)),
    ("spec", As(Code::InvalidContainer, &In(POD))),
];

/// Port of Kubernetes' `ValidatePodSpec`.
const POD: Rows = &[
    ("volumes[]", As(Code::InvalidVolume, &In(volume::VOLUME))),
    ("volumes", As(Code::InvalidVolume, &Unique(&["name"]))),
    ("containers|initContainers[]", In(container::CONTAINER)),
    ("initContainers[]", With(container::check_init_fields)),
    ("containers[].restartPolicy", Mild(&Forbidden("is allowed only in an init container"))),
    ("initContainers[].restartPolicy", Mild(&OneOf("Always"))),
    ("", As(Code::InvalidMount, &With(volume::check_pod_mounts))),
    ("", With(container::check_names)),
    ("", As(Code::InvalidContainerPort, &With(container::check_host_ports))),
    ("", As(Code::InvalidScheduling, &In(scheduling::SCHEDULING))),
    ("securityContext", As(Code::InvalidSecurityContext, &In(POD_ROWS))),
    ("", As(Code::InvalidReferredName, &In(CLASSES))),
];

/// Rules for references to objects outside the pod.
const CLASSES: Rows = &[
    ("serviceAccountName|priorityClassName", TextOrEmpty(syntax::subdomain)),
    ("runtimeClassName", Text(syntax::subdomain)),
];

pub const SECCOMP_OF_POD: &str = "seccomp.security.alpha.kubernetes.io/pod";
pub const SECCOMP_OF_CONTAINER: &str = "container.seccomp.security.alpha.kubernetes.io/";
pub const APP_ARMOR: &str = "container.apparmor.security.beta.kubernetes.io/";
const DELETION_COST: &str = "controller.kubernetes.io/pod-deletion-cost";
const TOLERATIONS: &str = "scheduler.alpha.kubernetes.io/tolerations";
const MIRROR: &str = "kubernetes.io/config.mirror";

/// Port of Kubernetes' `ValidatePodSpecificAnnotations`.
fn check_annotations<'v>(annotations: Json<'v>, walk: &mut Walk<'v>) {
    static COST: Expect = Mild(&Text(text::deletion_cost_problem));
    check_annotation_keys(annotations, walk);
    for (key, annotation) in annotations.entries() {
        let value = annotation.as_str().unwrap_or_default();
        let at = [Step::Key(key)];
        if key == SECCOMP_OF_POD || key.starts_with(SECCOMP_OF_CONTAINER) {
            if !is_seccomp_profile(value) {
                walk.report(&at, "must be a seccomp profile");
            }
        } else if let Some(name) = key.strip_prefix(APP_ARMOR) {
            let pod = walk.root.at("spec.template.spec").unwrap_or(Json::NULL);
            let mut containers = pod.list("containers").chain(pod.list("initContainers"));
            if !containers.any(|container| container.text("name") == name) {
                walk.report(&at, "refers to a container that the pods do not have");
            }
            if !is_app_armor_profile(value) {
                walk.report(&at, "must be an AppArmor profile");
            }
        } else if key == TOLERATIONS && !value.is_empty() {
            check_tolerations(value, &at, walk);
        } else if key == DELETION_COST {
            walk.enter(Step::Key(key), |walk| walk.check_rule(&COST, annotation));
        } else if key == MIRROR {
            walk.report(&at, "is allowed only in pods that the kubelet creates");
        }
    }
}

/// Port of Kubernetes' `ValidateTolerationsInPodAnnotations`.
fn check_tolerations<'v>(text: &str, at: &[Step<'v>], walk: &mut Walk<'v>) {
    let Some(tolerations) = parse_tolerations(text) else {
        walk.report(at, "must be a JSON list of tolerations");
        return;
    };
    for toleration in &tolerations {
        let (violations, _) = violations(scheduling::TOLERATION, Json::Built(toleration));
        for violation in violations {
            walk.report(at, format!("contains an invalid toleration: {}", statement(&violation, false)));
        }
    }
}

/// Reads tolerations as Go does: field names are case-insensitive, and null is an empty value.
fn parse_tolerations(text: &str) -> Option<Vec<Value>> {
    const FIELDS: [&str; 5] = ["effect", "key", "operator", "tolerationSeconds", "value"];
    let items: Option<Vec<Option<Map<String, Value>>>> = serde_json::from_str(text).ok()?;
    let read_field = |(name, value): (String, Value)| {
        let field = FIELDS.into_iter().find(|field| field.eq_ignore_ascii_case(&name))?;
        Some((field, value)).filter(|(_, value)| !value.is_null())
    };
    let read_toleration = |item: Option<Map<String, Value>>| {
        let fields: HashMap<_, _> = item.into_iter().flatten().filter_map(read_field).collect();
        let is_valid = |(field, value): (&&str, &Value)| match *field {
            "tolerationSeconds" => value.is_i64(),
            _ => value.is_string(),
        };
        fields.iter().all(is_valid).then(|| json!(fields))
    };
    items.unwrap_or_default().into_iter().map(read_toleration).collect()
}

/// Port of Kubernetes' `ValidateSeccompProfile`.
fn is_seccomp_profile(profile: &str) -> bool {
    match profile.strip_prefix("localhost/") {
        Some(path) => text::relative_path_problem(path).is_none(),
        None => matches!(profile, "runtime/default" | "docker/default" | "unconfined"),
    }
}

/// Port of `ValidateProfileFormat` in Kubernetes' `pkg/security/apparmor`.
fn is_app_armor_profile(profile: &str) -> bool {
    matches!(profile, "" | "runtime/default" | "unconfined") || profile.starts_with("localhost/")
}

//! Security contexts of pods (`validatePodSpecSecurityContext`) and containers (`ValidateSecurityContext`).

use super::text;
use crate::check::walk::Expect::{self, In, Mild, OneOf, Range, Required, Text, Unique, With};
use crate::check::walk::{Json, Rows, Step, Walk};

/// Expects a user or group ID (`IsValidUserID`, `IsValidGroupID`).
const ID: Expect = Range(0, i32::MAX as i64);

/// Port of Kubernetes' `validatePodSpecSecurityContext`.
pub(super) const POD_ROWS: Rows = &[
    ("", In(SHARED_ROWS)),
    ("fsGroup", ID),
    ("supplementalGroups[]", ID),
    ("sysctls[].name", Text(text::sysctl_name_problem)),
    ("sysctls", Unique(&["name"])),
    ("fsGroupChangePolicy", OneOf("Always|OnRootMismatch")),
];

/// Port of Kubernetes' `ValidateSecurityContext`.
pub(super) const CONTAINER_ROWS: Rows =
    &[("", In(SHARED_ROWS)), ("procMount", Mild(&OneOf("|Default|Unmasked"))), ("", With(check_escalation))];

const SHARED_ROWS: Rows = &[("runAsUser|runAsGroup", ID), ("seccompProfile", In(SECCOMP))];

/// Port of Kubernetes' `validateSeccompProfileField`.
const SECCOMP: Rows = &[
    ("type", Required),
    ("type", OneOf("|Localhost|RuntimeDefault|Unconfined")),
    ("localhostProfile", Text(text::relative_path_problem)),
    ("", With(check_local_profile)),
];

fn check_local_profile<'v>(profile: Json<'v>, walk: &mut Walk<'v>) {
    let problem = match (profile.text("type"), profile.get("localhostProfile")) {
        ("Localhost", None) => "is required if `type` is `Localhost`",
        ("Localhost", Some(_)) | (_, None) => return,
        (_, Some(_)) => "is allowed only if `type` is `Localhost`",
    };
    walk.report_field("localhostProfile", problem);
}

fn check_escalation<'v>(context: Json<'v>, walk: &mut Walk<'v>) {
    let escalation = context.get("allowPrivilegeEscalation");
    if !escalation.is_some_and(|escalation| escalation.is(false)) {
        return;
    }
    let at = [Step::Key("allowPrivilegeEscalation")];
    if context.is_true("privileged") {
        walk.report(&at, "cannot be `false` if `privileged` is `true`").help = "remove one of the two".to_owned();
    }
    let mut added_capabilities = context.list("capabilities.add");
    if added_capabilities.any(|capability| capability.as_str() == Some("CAP_SYS_ADMIN")) {
        walk.report(&at, "cannot be `false` if the capability `CAP_SYS_ADMIN` is added").help =
            "remove one of the two".to_owned();
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::check::tests::broken_rules;

    #[test]
    fn validates_container_security_contexts() {
        let escalation = "allowPrivilegeEscalation: `allowPrivilegeEscalation` cannot be `false` if";
        for (context, expected) in [
            (json!({"runAsUser": 0, "runAsGroup": i32::MAX}), String::new()),
            (
                json!({"runAsUser": -1}),
                "runAsUser: `runAsUser` must be between 0 and 2147483647, but is `-1`".to_owned(),
            ),
            (json!({"allowPrivilegeEscalation": true, "privileged": true}), String::new()),
            (json!({"privileged": true, "capabilities": {"add": ["CAP_SYS_ADMIN"]}}), String::new()),
            (json!({"allowPrivilegeEscalation": false, "privileged": false}), String::new()),
            (
                json!({"allowPrivilegeEscalation": false, "capabilities": {"add": ["SYS_ADMIN"], "drop": ["CAP_SYS_ADMIN"]}}),
                String::new(),
            ),
            (
                json!({"allowPrivilegeEscalation": false, "privileged": true}),
                format!("{escalation} `privileged` is `true`; remove one of the two"),
            ),
            (
                json!({"allowPrivilegeEscalation": false, "capabilities": {"add": ["X", "CAP_SYS_ADMIN"]}}),
                format!("{escalation} the capability `CAP_SYS_ADMIN` is added; remove one of the two"),
            ),
            (json!({"seccompProfile": {"type": "Localhost", "localhostProfile": "a/b"}}), String::new()),
            (json!({"seccompProfile": {"type": "Unconfined"}}), String::new()),
            (
                json!({"seccompProfile": {"type": "Localhost"}}),
                "seccompProfile.localhostProfile: `seccompProfile.localhostProfile` is required if `type` is `Localhost`".to_owned(),
            ),
            (
                json!({"seccompProfile": {"type": "RuntimeDefault", "localhostProfile": "a"}}),
                "seccompProfile.localhostProfile: `seccompProfile.localhostProfile` is allowed only if `type` is `Localhost`"
                    .to_owned(),
            ),
        ] {
            let expected = Some(expected).filter(|line| !line.is_empty());
            assert_eq!(broken_rules(CONTAINER_ROWS, &context), Vec::from_iter(expected));
        }
    }
}

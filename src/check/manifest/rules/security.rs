//! Security contexts of pods (`ValidatePodSecurityContext`) and of containers (`ValidateSecurityContext`).

use serde_json::Value;

use super::text;
use crate::check::walk::Expect::{self, In, Mild, OneOf, Range, Required, Text, Unique, With};
use crate::check::walk::{Rows, Step, Walk, list, text_of};
use crate::go::syntax;

/// A user or group (`IsValidUserID`, `IsValidGroupID`).
const ID: Expect = Range(0, i32::MAX as i64);

/// `ValidatePodSecurityContext`.
pub(super) const OF_POD: Rows = &[
    ("", In(OF_BOTH)),
    ("fsGroup", ID),
    ("supplementalGroups[]", ID),
    ("sysctls[].name", Text(text::sysctl_name)),
    ("sysctls", Unique(&["name"])),
    ("fsGroupChangePolicy", OneOf(&["Always", "OnRootMismatch"])),
];

/// `ValidateSecurityContext`.
pub(super) const OF_CONTAINER: Rows = &[
    ("", In(OF_BOTH)),
    ("procMount", Mild(&OneOf(&["", "Default", "Unmasked"]))),
    ("", With(escalation)),
];

const OF_BOTH: Rows = &[
    ("runAsUser|runAsGroup", ID),
    ("seccompProfile", In(SECCOMP)),
    ("windowsOptions.gmsaCredentialSpecName", Text(syntax::subdomain)),
    ("windowsOptions.gmsaCredentialSpec", Text(credential_spec)),
    ("windowsOptions.runAsUserName", Text(text::windows_user)),
];

/// `validateSeccompProfileField`.
const SECCOMP: Rows = &[
    ("type", Required),
    ("type", OneOf(&["", "Localhost", "RuntimeDefault", "Unconfined"])),
    ("localhostProfile", Text(text::descending)),
    ("", With(local_profile)),
];

fn local_profile<'v>(profile: &'v Value, walk: &mut Walk<'v>) {
    let problem = match (text_of(profile, "type"), profile.get("localhostProfile")) {
        ("Localhost", None) => "is needed with `type: Localhost`",
        ("Localhost", Some(_)) | (_, None) => return,
        (_, Some(_)) => "is allowed with `type: Localhost` only",
    };
    walk.report_at("localhostProfile", problem);
}

fn credential_spec(text: &str) -> Option<String> {
    match text.len() {
        0 => Some(String::new()),
        1..=65536 => None,
        _ => Some("must have at most 64 KiB".to_owned()),
    }
}

fn escalation<'v>(context: &'v Value, walk: &mut Walk<'v>) {
    if context.get("allowPrivilegeEscalation") != Some(&Value::Bool(false)) {
        return;
    }
    let at = [Step::Key("allowPrivilegeEscalation")];
    if context.get("privileged") == Some(&Value::Bool(true)) {
        walk.report(&at, "cannot be false with `privileged: true`").help = "remove one of the two".to_owned();
    }
    let added = context
        .get("capabilities")
        .map_or(&[][..], |capabilities| list(capabilities, "add"));
    if added.iter().any(|capability| capability == "CAP_SYS_ADMIN") {
        walk.report(&at, "cannot be false with the capability `CAP_SYS_ADMIN`")
            .help = "remove one of the two".to_owned();
    }
}

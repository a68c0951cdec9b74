//! Persistent volume claims (`ValidatePersistentVolumeClaimSpec`).

use super::{resources, scheduling, text};
use crate::check::walk::Expect::{self, In, Labels, OneOf, Required, TextOrEmpty, With};
use crate::check::walk::{Json, Rows, Step, Walk};
use crate::go::syntax;

/// Port of Kubernetes' `ValidatePersistentVolumeClaimSpec`.
pub(super) const CLAIM_SPEC: Rows = &[
    ("accessModes", Required),
    ("accessModes[]", OneOf("ReadOnlyMany|ReadWriteMany|ReadWriteOnce|ReadWriteOncePod")),
    ("accessModes", With(check_single_pod_mode)),
    ("selector", In(scheduling::LABEL_SELECTOR)),
    ("", With(check_claim_size)),
    ("resources.requests.storage", resources::POSITIVE),
    ("storageClassName", TextOrEmpty(syntax::subdomain)),
    ("volumeMode", OneOf("Block|Filesystem")),
    ("dataSource", With(check_data_source)),
];

/// Rules for a volume claim template.
pub(super) const CLAIM: Rows =
    &[("metadata.labels", Labels), ("metadata.annotations", With(check_annotation_keys)), ("spec", In(CLAIM_SPEC))];

fn check_single_pod_mode<'v>(modes: Json<'v>, walk: &mut Walk<'v>) {
    let mut modes = modes.items().map(Json::as_str);
    if modes.clone().count() > 1 && modes.any(|mode| mode == Some("ReadWriteOncePod")) {
        walk.report(&[], "must not combine `ReadWriteOncePod` with other modes");
    }
}

fn check_claim_size<'v>(claim: Json<'v>, walk: &mut Walk<'v>) {
    if claim.at("resources.requests.storage").is_none() {
        let at = [Step::Key("resources"), Step::Key("requests"), Step::Key("storage")];
        walk.report(&at, "must not be empty").help = "set `requests.storage`, or use `emptyDir`".to_owned();
    }
}

/// Checks a claim's data source. The API server drops sources of any other kind before validation
/// (`DropDisabledFields`).
fn check_data_source<'v>(source: Json<'v>, walk: &mut Walk<'v>) {
    static NAME: Expect = Required;
    let kind = (source.text("apiGroup"), source.text("kind"));
    if matches!(kind, ("", "PersistentVolumeClaim") | ("snapshot.storage.k8s.io", "VolumeSnapshot")) {
        walk.check_row("name", &NAME, source);
    }
}

/// Port of Kubernetes' `ValidateAnnotations`.
pub(super) fn check_annotation_keys<'v>(annotations: Json<'v>, walk: &mut Walk<'v>) {
    const MAX_SIZE: usize = 256 << 10;
    let mut size = 0;
    for (key, value) in annotations.entries() {
        size += key.len() + value.as_str().map_or(0, str::len);
        walk.check_key(key, text::annotation_key_problem);
    }
    if size > MAX_SIZE {
        walk.report(&[], format!("must not exceed 256 KiB in total (found {} KiB)", size.div_ceil(1024)));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::check::tests::broken_rules;

    #[test]
    fn validates_volume_claims() {
        let spec = |field: &str, value: Value| {
            let mut spec = json!({"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}});
            spec[field] = value;
            spec
        };
        let size = "resources.requests.storage: `requests.storage`";
        for (claim, expected) in [
            (spec("volumeMode", json!("Block")), String::new()),
            (spec("accessModes", json!(["ReadWriteOncePod"])), String::new()),
            (spec("accessModes", json!(["ReadWriteOnce", "ReadOnlyMany"])), String::new()),
            (spec("accessModes", json!([])), "accessModes: `accessModes` must not be empty".to_owned()),
            (
                spec("accessModes", json!(["ReadWriteOnce", "ReadWriteOncePod"])),
                "accessModes: `accessModes` must not combine `ReadWriteOncePod` with other modes".to_owned(),
            ),
            (
                spec("resources", json!({})),
                format!("{size} must not be empty; set `requests.storage`, or use `emptyDir`"),
            ),
            (
                spec("resources", json!({"requests": {"storage": "0"}})),
                "resources.requests.storage: `requests.storage` must be above zero, but is `0`".to_owned(),
            ),
            (spec("dataSource", json!({"kind": "PersistentVolumeClaim", "name": "a"})), String::new()),
            (spec("dataSource", json!({"kind": "Other"})), String::new()),
            (spec("dataSource", json!({"apiGroup": "a", "kind": "VolumeSnapshot"})), String::new()),
            (
                spec("dataSource", json!({"kind": "PersistentVolumeClaim"})),
                "dataSource.name: `dataSource.name` must not be empty".to_owned(),
            ),
            (
                spec("dataSource", json!({"apiGroup": "snapshot.storage.k8s.io", "kind": "VolumeSnapshot"})),
                "dataSource.name: `dataSource.name` must not be empty".to_owned(),
            ),
        ] {
            let expected = Some(expected).filter(|line| !line.is_empty());
            assert_eq!(broken_rules(CLAIM_SPEC, &claim), Vec::from_iter(expected), "{claim}");
        }
    }

    #[test]
    fn limits_the_size_of_annotations() {
        const ROWS: Rows = &[("", With(check_annotation_keys))];
        let size_findings =
            |length: usize| broken_rules(ROWS, &json!({"ab": "x".repeat(1000), "c": "x".repeat(length - 1003)}));
        assert_eq!(size_findings(256 << 10), [""; 0]);
        assert_eq!(size_findings((256 << 10) + 1), [": `` must not exceed 256 KiB in total (found 257 KiB)"]);
        assert_eq!(size_findings(257 << 10), [": `` must not exceed 256 KiB in total (found 257 KiB)"]);
    }
}

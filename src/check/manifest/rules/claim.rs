//! Claims for volumes (`ValidatePersistentVolumeClaimSpec`).

use super::{resources, scheduling, text};
use crate::check::walk::Expect::{self, In, Labels, OneOf, Required, TextOrEmpty, With};
use crate::check::walk::{Json, Rows, Step, Walk};
use crate::go::syntax;

/// `ValidatePersistentVolumeClaimSpec`.
pub(super) const CLAIM_SPEC: Rows = &[
    ("accessModes", Required),
    (
        "accessModes[]",
        OneOf("ReadOnlyMany|ReadWriteMany|ReadWriteOnce|ReadWriteOncePod"),
    ),
    ("accessModes", With(one_pod)),
    ("selector", In(scheduling::LABEL_SELECTOR)),
    ("", With(claim_size)),
    ("resources.requests.storage", With(resources::positive)),
    ("storageClassName", TextOrEmpty(syntax::subdomain)),
    ("volumeMode", OneOf("Block|Filesystem")),
    ("dataSource", With(data_source)),
];

/// A claim for a volume of each pod.
pub(super) const CLAIM: Rows = &[
    ("metadata.labels", Labels),
    ("metadata.annotations", With(annotation_keys)),
    ("spec", In(CLAIM_SPEC)),
];

fn one_pod<'v>(modes: Json<'v>, walk: &mut Walk<'v>) {
    let mut modes = modes.items().map(Json::as_str);
    if modes.clone().count() > 1 && modes.any(|mode| mode == Some("ReadWriteOncePod")) {
        walk.report(&[], "must have no other mode beside `ReadWriteOncePod`");
    }
}

fn claim_size<'v>(claim: Json<'v>, walk: &mut Walk<'v>) {
    if claim.at("resources.requests.storage").is_none() {
        let at = [Step::Key("resources"), Step::Key("requests"), Step::Key("storage")];
        walk.report(&at, "must not be empty").help = "set `requests.storage`, or use `emptyDir`".to_owned();
    }
}

/// A source of any other kind is dropped before it is looked at (`DropDisabledFields`).
fn data_source<'v>(source: Json<'v>, walk: &mut Walk<'v>) {
    static NAME: Expect = Required;
    let kind = (source.text("apiGroup"), source.text("kind"));
    if matches!(
        kind,
        ("", "PersistentVolumeClaim") | ("snapshot.storage.k8s.io", "VolumeSnapshot")
    ) {
        walk.row("name", &NAME, source);
    }
}

/// `ValidateAnnotations`.
pub(super) fn annotation_keys<'v>(annotations: Json<'v>, walk: &mut Walk<'v>) {
    const MAX: usize = 256 << 10;
    let mut size = 0;
    for (key, value) in annotations.entries() {
        size += key.len() + value.as_str().map_or(0, str::len);
        walk.text(&[Step::Key(key)], text::annotation_key, Some(key));
    }
    if size > MAX {
        walk.report(
            &[],
            format!("must have at most 256 KiB together, not {} KiB", size.div_ceil(1024)),
        );
    }
}

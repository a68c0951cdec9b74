//! Objects that make Secrets in the cluster: which Secret, and which of its keys are known. They are read as they stand.

use crate::api::{Promise, PromisedSecret};
use crate::diagnostic::FieldPath;
use crate::yaml::Node;

/// What an object promises; without a namespace it is in `namespace`.
pub(super) fn decode<'d>(promise: Promise, root: Node<'d>, namespace: &'d str) -> PromisedSecret<'d> {
    let by = root.filled("metadata.name").unwrap_or_default();
    let templated = keys(root, "spec.template.data");
    let (name, keys, all_keys) = match promise {
        Promise::SealedSecret => (None, [keys(root, "spec.encryptedData"), templated].concat(), true),
        Promise::ExternalSecret => external(root),
    };
    PromisedSecret {
        promise,
        by,
        namespace: root.filled("metadata.namespace").unwrap_or(namespace),
        name: name.unwrap_or(by),
        keys,
        all_keys,
        root,
        span: FieldPath::of("metadata.name").locate(root),
    }
}

/// Name and keys of what an ExternalSecret makes. What `dataFrom` and a template bring is not known.
fn external(root: Node<'_>) -> (Option<&str>, Vec<&str>, bool) {
    let data = root.items_at("spec.data");
    let keys = data.filter_map(|item| item.get("secretKey")?.as_str()).collect();
    let open = ["spec.dataFrom", "spec.target.template"];
    let all_keys = open.iter().all(|path| root.at(path).is_none());
    (root.filled("spec.target.name"), keys, all_keys)
}

fn keys<'d>(root: Node<'d>, path: &str) -> Vec<&'d str> {
    root.entries_at(path).map(|entry| entry.key).collect()
}

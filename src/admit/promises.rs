//! Objects that make Secrets in the cluster: which Secret, and which of its keys are known. They are read as they stand.

use crate::api::{Promise, PromisedSecret};
use crate::diagnostic::FieldPath;
use crate::yaml::Node;

/// What an object promises; without a namespace it is in `namespace`.
pub(super) fn decode<'d>(promise: Promise, root: Node<'d>, namespace: &'d str) -> PromisedSecret<'d> {
    let by = text(root, "metadata.name").unwrap_or_default();
    let templated = keys(root, "spec.template.data");
    let (name, keys, all_keys) = match promise {
        Promise::SealedSecret => (None, [keys(root, "spec.encryptedData"), templated].concat(), true),
        Promise::ExternalSecret => external(root),
    };
    PromisedSecret {
        promise,
        by,
        namespace: text(root, "metadata.namespace").unwrap_or(namespace),
        name: name.unwrap_or(by),
        keys,
        all_keys,
        root,
        span: FieldPath::of("metadata.name").locate(root),
    }
}

/// Name and keys of what an ExternalSecret makes. What `dataFrom` and a template bring is not known.
fn external(root: Node<'_>) -> (Option<&str>, Vec<&str>, bool) {
    let data = field(root, "spec.data").into_iter().flat_map(Node::items);
    let keys = data.filter_map(|item| item.get("secretKey")?.as_str()).collect();
    let open = ["spec.dataFrom", "spec.target.template"];
    let all_keys = open.iter().all(|path| field(root, path).is_none());
    (text(root, "spec.target.name"), keys, all_keys)
}

fn field<'d>(root: Node<'d>, path: &str) -> Option<Node<'d>> {
    FieldPath::of(path).find(root)
}

fn text<'d>(root: Node<'d>, path: &str) -> Option<&'d str> {
    field(root, path)?.as_str().filter(|text| !text.is_empty())
}

fn keys<'d>(root: Node<'d>, path: &str) -> Vec<&'d str> {
    let entries = field(root, path).into_iter().flat_map(Node::entries);
    entries.map(|entry| entry.key).collect()
}

//! Objects that make Secrets in the cluster: which Secrets, and which of their keys are known. They are read as they stand.

use crate::api::{Keys, Promise, PromisedSecret};
use crate::diagnostic::FieldPath;
use crate::yaml::Node;

/// What an object promises; without a namespace it is in `namespace`.
pub(super) fn decode<'d>(
    promise: &'static Promise,
    root: Node<'d>,
    namespace: &'d str,
) -> impl Iterator<Item = PromisedSecret<'d>> {
    let by = root.filled("metadata.name").unwrap_or_default();
    let one = promise.list.is_none().then_some(root);
    let several = promise.list.into_iter().flat_map(move |list| root.items_at(list));
    one.into_iter().chain(several).map(move |secret| PromisedSecret {
        promise,
        by,
        namespace: root.filled("metadata.namespace").unwrap_or(namespace),
        name: secret.filled(promise.name).unwrap_or(by),
        keys: promise.keys.iter().flat_map(|keys| named(keys, secret)).collect(),
        all_keys: !promise.keys.contains(&Keys::OfStore) && promise.others.iter().all(|path| root.at(path).is_none()),
        root,
        span: FieldPath::of("metadata.name").locate(root),
    })
}

fn named<'d>(keys: &Keys, secret: Node<'d>) -> Vec<&'d str> {
    match keys {
        Keys::Of(path) => secret.entries_at(path).map(|entry| entry.key).collect(),
        Keys::In(path, field) => {
            let items = secret.items_at(path);
            items.filter_map(|item| item.get(field)?.as_str()).collect()
        }
        Keys::Always(keys) => keys.to_vec(),
        Keys::OfStore => Vec::new(),
    }
}

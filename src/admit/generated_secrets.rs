//! Objects that make Secrets in the cluster: which Secrets, and which of their keys are known. They are read as they stand.

use crate::api::{GeneratedSecret, Keys, SecretGenerator};
use crate::diagnostic::FieldPath;
use crate::yaml::Node;

/// What an object promises; without a namespace it is in `namespace`.
pub(super) fn decode<'d>(
    generator: &'static SecretGenerator,
    root: Node<'d>,
    namespace: &'d str,
) -> impl Iterator<Item = GeneratedSecret<'d>> {
    let by = root.filled("metadata.name").unwrap_or_default();
    let one = generator.list.is_none().then_some(root);
    let several = generator.list.into_iter().flat_map(move |list| root.items_at(list));
    one.into_iter().chain(several).map(move |secret| GeneratedSecret {
        generator,
        by,
        namespace: root.filled("metadata.namespace").unwrap_or(namespace),
        name: secret.filled(generator.name).unwrap_or(by),
        keys: generator.keys.iter().flat_map(|keys| named(keys, secret)).collect(),
        all_keys: !generator.keys.is_empty() && generator.others.iter().all(|path| root.at(path).is_none()),
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
    }
}

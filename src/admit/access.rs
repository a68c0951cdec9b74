//! ServiceAccounts, roles and bindings. They are read as they stand: what the API server would refuse of one grants nothing.

use serde::Deserialize;

use super::objects::metadata;
use crate::api::{Access, AccessKind, Binding, LabelSelector, Role, ServiceAccount};
use crate::diagnostic::FieldPath;
use crate::yaml::{self, Node};

/// Adds an object to those that control access; without a namespace it is in `namespace`.
pub(super) fn decode<'d>(kind: AccessKind, root: Node<'d>, namespace: &'d str, access: &mut Access<'d>) {
    let meta = metadata(root, kind.is_namespaced(), namespace);
    let (namespace, name) = (meta.namespace, meta.name);
    match kind {
        AccessKind::ServiceAccount => {
            const MOUNTED: &str = "automountServiceAccountToken";
            let is_without = read::<Option<bool>>(root, MOUNTED) == Some(false);
            access.accounts.push(ServiceAccount {
                namespace,
                name,
                without_token: is_without.then(|| FieldPath::of(MOUNTED).locate(root)),
            });
        }
        AccessKind::Role | AccessKind::ClusterRole => {
            let rules = root.get("rules").filter(|rules| rules.items().len() > 0);
            let aggregation: Aggregation<'d> = read(root, "aggregationRule");
            access.roles.push(Role {
                namespace,
                name,
                labels: meta.labels,
                rules: items(root, "rules"),
                aggregated: aggregation.cluster_role_selectors,
                span: rules.map_or_else(|| FieldPath::of("metadata.name").locate(root), Node::span),
            });
        }
        AccessKind::RoleBinding | AccessKind::ClusterRoleBinding => access.bindings.push(Binding {
            namespace,
            role: read(root, "roleRef"),
            subjects: items(root, "subjects"),
        }),
    }
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
struct Aggregation<'d> {
    cluster_role_selectors: Vec<LabelSelector<'d>>,
}

fn read<'d, T: Deserialize<'d> + Default>(root: Node<'d>, field: &str) -> T {
    let node = root.get(field);
    node.and_then(|node| yaml::decode(node).ok()).unwrap_or_default()
}

fn items<'d, T: Deserialize<'d>>(root: Node<'d>, field: &str) -> Vec<T> {
    root.items_at(field)
        .filter_map(|item| yaml::decode(item).ok())
        .collect()
}

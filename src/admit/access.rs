//! Decodes ServiceAccounts, roles and bindings without validating them. An object or part of an object that the API
//! server would reject grants nothing.

use serde::Deserialize;

use super::objects::metadata;
use crate::api::{Access, AccessKind, Binding, LabelSelector, Role, ServiceAccount};
use crate::diagnostic::FieldPath;
use crate::yaml::{self, Node};

/// Adds an object to `access`. The object's namespace defaults to `namespace`.
pub(super) fn decode<'d>(kind: AccessKind, root: Node<'d>, namespace: &'d str, access: &mut Access<'d>) {
    let meta = metadata(root, kind.is_namespaced(), namespace);
    let (namespace, name) = (meta.namespace, meta.name);
    match kind {
        AccessKind::ServiceAccount => {
            const AUTOMOUNT_FIELD: &str = "automountServiceAccountToken";
            let is_disabled = decode_field::<Option<bool>>(root, AUTOMOUNT_FIELD) == Some(false);
            access.accounts.push(ServiceAccount {
                namespace,
                name,
                without_token: is_disabled.then(|| FieldPath::parse(AUTOMOUNT_FIELD).locate(root)),
            });
        }
        AccessKind::Role | AccessKind::ClusterRole => {
            let rules = root.get("rules").filter(|rules| rules.items().len() > 0);
            let aggregation: Aggregation<'d> = decode_field(root, "aggregationRule");
            access.roles.push(Role {
                namespace,
                name,
                labels: meta.labels,
                rules: items(root, "rules"),
                aggregation_selectors: aggregation.cluster_role_selectors,
                span: rules.map_or_else(|| root.name_span(), Node::span),
            });
        }
        AccessKind::RoleBinding | AccessKind::ClusterRoleBinding => access.bindings.push(Binding {
            namespace,
            role: decode_field(root, "roleRef"),
            subjects: items(root, "subjects"),
        }),
    }
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
struct Aggregation<'d> {
    cluster_role_selectors: Vec<LabelSelector<'d>>,
}

fn decode_field<'d, T: Deserialize<'d> + Default>(root: Node<'d>, field: &str) -> T {
    let node = root.get(field);
    node.and_then(|node| yaml::decode(node).ok()).unwrap_or_default()
}

fn items<'d, T: Deserialize<'d>>(root: Node<'d>, field: &str) -> Vec<T> {
    root.items_at(field).filter_map(|item| yaml::decode(item).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    /// Returns the accounts, roles and bindings that an object adds. The object's namespace defaults to `ours`.
    fn describe_access(kind: AccessKind, text: &str) -> String {
        let documents = testing::documents(text);
        let mut access = Access::default();
        decode(kind, documents[0].root(), "ours", &mut access);
        let accounts = access.accounts.iter().map(|account| {
            let token_field = account.without_token.map(|span| &text[span.bytes()]);
            format!("account {}/{} {token_field:?}", account.namespace, account.name)
        });
        let roles = access.roles.iter().map(|role| {
            let verbs = role.rules.iter().map(|rule| rule.verbs.join("+"));
            let (verbs, span_text) = (verbs.collect::<Vec<_>>().join(" "), &text[role.span.bytes()]);
            let (labels, selectors) = (role.labels.len(), role.aggregation_selectors.len());
            format!("role {}/{} {labels} labels [{verbs}] from {selectors} at {span_text:?}", role.namespace, role.name)
        });
        let bindings = access.bindings.iter().map(|binding| {
            let subjects = binding.subjects.iter().map(|subject| subject.name);
            let subjects: Vec<_> = subjects.collect();
            format!("binding in {:?}: {} to {}", binding.namespace, binding.role.name, subjects.join(" "))
        });
        accounts.chain(roles).chain(bindings).collect()
    }

    #[test]
    fn reads_objects_without_validation() {
        use AccessKind::{ClusterRole, ClusterRoleBinding, Role, RoleBinding, ServiceAccount};
        let binding_fields = "roleRef: {kind: Role, name: r}\nsubjects: [{kind: User, name: u}, 7, {name: v}]\n";
        for (kind, text, expected) in [
            (ServiceAccount, "metadata: {name: a}\n", "account ours/a None"),
            (ServiceAccount, "automountServiceAccountToken: true\n", "account ours/ None"),
            (ServiceAccount, "automountServiceAccountToken: no way\n", "account ours/ None"),
            (
                ServiceAccount,
                "metadata: {name: a, namespace: b}\nautomountServiceAccountToken: false\n",
                "account b/a Some(\"false\")",
            ),
            (
                Role,
                "metadata: {name: a, labels: {b: c}}\nrules: [{verbs: [get, list]}, {verbs: 7}, {verbs: ['*']}]\n",
                "role ours/a 1 labels [get+list *] from 0 at \"[{verbs: [get, list]}, {verbs: 7}, {verbs: ['*']}]\"",
            ),
            (Role, "metadata: {name: a}\nrules: []\n", "role ours/a 0 labels [] from 0 at \"a\""),
            (
                ClusterRole,
                "metadata: {name: a, namespace: b}\naggregationRule: {clusterRoleSelectors: [{}, {}]}\n",
                "role /a 0 labels [] from 2 at \"a\"",
            ),
            (ClusterRole, "metadata: {name: a}\naggregationRule: 7\n", "role /a 0 labels [] from 0 at \"a\""),
            (RoleBinding, binding_fields, "binding in \"ours\": r to u v"),
            (ClusterRoleBinding, binding_fields, "binding in \"\": r to u v"),
            (RoleBinding, "metadata: {namespace: b}\n", "binding in \"b\":  to "),
        ] {
            assert_eq!(describe_access(kind, text), expected, "{text}");
        }
    }
}

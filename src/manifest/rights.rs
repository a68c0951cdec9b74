//! ServiceAccounts, roles and bindings with the minimum permissions that agents need to access the API server. The
//! operator does not create these objects, and the config-reloader needs no permissions.

use serde_json::{Value, json};

use super::metadata::{ManifestOptions, Metadata, RIGHTS_LABEL, labels, merge, object};
use super::object::{CLUSTER_ROLE, CLUSTER_ROLE_BINDING, Object, ObjectType, ROLE, ROLE_BINDING, SERVICE_ACCOUNT};
use super::role::{ObjectRole, rights_name};
use crate::api::Access;
use crate::manifest::rbac::{Account, NeededRights, RoleRule, accounts, rules};
use crate::resolve::Hierarchy;

const RBAC_GROUP: &str = "rbac.authorization.k8s.io";

/// Renders the objects for each account, sorted by namespace. ServiceAccounts that are in the input are not rendered.
pub fn rights(hierarchies: &[Hierarchy<'_, '_>], access: &Access<'_>, options: &ManifestOptions) -> Vec<Object> {
    let labels = merge(labels([RIGHTS_LABEL]), &options.labels);
    let mut objects = Vec::new();
    for (account, agents) in accounts(hierarchies) {
        let name = rights_name(&account.namespace, &account.name);
        let object = |object_type: ObjectType, namespace: &str, name: &str, fields: Value| {
            let metadata = Metadata::new(name.to_owned(), namespace, labels.clone());
            Object::new(ObjectRole::Rights, object_type, metadata, fields)
        };
        let exists = account.is_default() || access.account(&account.namespace, &account.name).is_some();
        if !exists {
            objects.push(object(SERVICE_ACCOUNT, &account.namespace, &account.name, json!({})));
        }
        let needs = NeededRights::new(agents, options.target.watcher());
        let mut rights = needs.into_rights().peekable();
        while let Some(first) = rights.next() {
            let namespace = first.namespace.clone();
            let namespace_rights = std::iter::from_fn(|| rights.next_if(|next| next.namespace == namespace));
            let rights: Vec<_> = std::iter::once(first).chain(namespace_rights).collect();
            let namespace = namespace.as_deref().unwrap_or_default();
            let (role, binding) = match namespace {
                "" => (CLUSTER_ROLE, CLUSTER_ROLE_BINDING),
                _ => (ROLE, ROLE_BINDING),
            };
            let rules: Vec<_> = rules(&rights).iter().map(rule).collect();
            objects.push(object(role, namespace, &name, json!({ "rules": rules })));
            objects.push(object(binding, namespace, &name, role_binding(role, &name, &account)));
        }
    }
    objects
}

fn rule(rule: &RoleRule) -> Value {
    let if_filled = |is_filled: bool, value: Value| is_filled.then_some(value);
    object([
        ("apiGroups", rule.group.map(|group| json!([group]))),
        ("resources", if_filled(!rule.resources.is_empty(), json!(rule.resources))),
        ("nonResourceURLs", if_filled(!rule.paths.is_empty(), json!(rule.paths))),
        ("verbs", Some(json!(rule.verbs))),
    ])
}

fn role_binding((_, kind): ObjectType, name: &str, account: &Account) -> Value {
    json!({
        "roleRef": {"apiGroup": RBAC_GROUP, "kind": kind, "name": name},
        "subjects": [{"kind": "ServiceAccount", "name": account.name, "namespace": account.namespace}],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_rules_for_resources_and_paths() {
        let role_rule = |group, resources: &[&'static str], paths: &[&str]| RoleRule {
            group,
            resources: resources.iter().copied().collect(),
            paths: paths.iter().map(|&path| path.to_owned()).collect(),
            verbs: ["get", "list"].into(),
        };
        let verbs = json!(["get", "list"]);
        assert_eq!(
            rule(&role_rule(Some(""), &["nodes", "pods"], &[])),
            json!({"apiGroups": [""], "resources": ["nodes", "pods"], "verbs": verbs})
        );
        assert_eq!(
            rule(&role_rule(None, &[], &["/metrics"])),
            json!({"nonResourceURLs": ["/metrics"], "verbs": verbs})
        );
    }
}

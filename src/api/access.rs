//! Access control (`rbac.authorization.k8s.io/v1`): which accounts may do what. agentctl reads it, and compiles none of it.

use serde::Deserialize;

use super::{LabelSelector, TextMap};
use crate::source::Span;

/// A kind of object that access is controlled with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    /// An account of pods.
    ServiceAccount,
    /// Rules in one namespace.
    Role,
    /// Rules that hold wherever they are bound.
    ClusterRole,
    /// Binds a role in one namespace.
    RoleBinding,
    /// Binds a ClusterRole everywhere.
    ClusterRoleBinding,
}

impl AccessKind {
    /// The kind of an object with this `apiVersion` and `kind`.
    pub fn of(api_version: &str, kind: &str) -> Option<Self> {
        match (api_version, kind) {
            ("v1", "ServiceAccount") => Some(AccessKind::ServiceAccount),
            (RBAC, "Role") => Some(AccessKind::Role),
            (RBAC, "ClusterRole") => Some(AccessKind::ClusterRole),
            (RBAC, "RoleBinding") => Some(AccessKind::RoleBinding),
            (RBAC, "ClusterRoleBinding") => Some(AccessKind::ClusterRoleBinding),
            _ => None,
        }
    }

    /// Whether its objects live in a namespace.
    pub fn is_namespaced(self) -> bool {
        !matches!(self, AccessKind::ClusterRole | AccessKind::ClusterRoleBinding)
    }
}

const RBAC: &str = "rbac.authorization.k8s.io/v1";

/// The objects of the input that control access, in the order in which they were read.
#[derive(Default)]
pub struct Access<'d> {
    /// ServiceAccounts.
    pub accounts: Vec<ServiceAccount<'d>>,
    /// Roles and ClusterRoles.
    pub roles: Vec<Role<'d>>,
    /// RoleBindings and ClusterRoleBindings.
    pub bindings: Vec<Binding<'d>>,
}

impl<'d> Access<'d> {
    /// The ServiceAccount of this namespace and name.
    pub fn account(&self, namespace: &str, name: &str) -> Option<&ServiceAccount<'d>> {
        let mut accounts = self.accounts.iter();
        accounts.find(|account| (account.namespace, account.name) == (namespace, name))
    }
}

/// An account of pods.
pub struct ServiceAccount<'d> {
    /// Its namespace.
    pub namespace: &'d str,
    /// Its name.
    pub name: &'d str,
    /// Where it says that pods get no token of it (`automountServiceAccountToken: false`).
    pub without_token: Option<Span>,
}

/// A Role, or a ClusterRole, which has no namespace.
pub struct Role<'d> {
    /// Its namespace; empty for a ClusterRole.
    pub namespace: &'d str,
    /// Its name.
    pub name: &'d str,
    /// Its labels, by which others aggregate it.
    pub labels: TextMap<'d>,
    /// What it allows.
    pub rules: Vec<PolicyRule<'d>>,
    /// Selectors of the ClusterRoles whose rules it has, too.
    pub aggregated: Vec<LabelSelector<'d>>,
    /// Where its rules are, or its name if it has none.
    pub span: Span,
}

/// Verbs on resources or paths (`rbac/v1.PolicyRule`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct PolicyRule<'d> {
    /// The groups of the resources.
    pub api_groups: Vec<&'d str>,
    /// Resources, or `resource/subresource`.
    pub resources: Vec<&'d str>,
    /// The only objects that are meant.
    pub resource_names: Vec<&'d str>,
    /// Paths of the API server that are not resources.
    #[serde(rename = "nonResourceURLs")]
    pub non_resource_urls: Vec<&'d str>,
    /// What may be done.
    pub verbs: Vec<&'d str>,
}

/// A RoleBinding, or a ClusterRoleBinding, which has no namespace.
pub struct Binding<'d> {
    /// Its namespace; empty for a ClusterRoleBinding.
    pub namespace: &'d str,
    /// The role that it binds.
    pub role: RoleRef<'d>,
    /// Who it binds it to.
    pub subjects: Vec<Subject<'d>>,
}

/// The role of a binding (`rbac/v1.RoleRef`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'd"))]
pub struct RoleRef<'d> {
    /// `Role`, in the namespace of the binding, or `ClusterRole`.
    pub kind: &'d str,
    /// Its name.
    pub name: &'d str,
}

/// One that a role is bound to (`rbac/v1.Subject`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'd"))]
pub struct Subject<'d> {
    /// `ServiceAccount`, `User` or `Group`.
    pub kind: &'d str,
    /// Its name.
    pub name: &'d str,
    /// The namespace of a ServiceAccount; empty for that of the binding.
    pub namespace: &'d str,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_access_control_are_known_by_their_group() {
        for (api_version, kind, expected, is_namespaced) in [
            ("v1", "ServiceAccount", Some(AccessKind::ServiceAccount), true),
            (RBAC, "Role", Some(AccessKind::Role), true),
            (RBAC, "ClusterRole", Some(AccessKind::ClusterRole), false),
            (RBAC, "RoleBinding", Some(AccessKind::RoleBinding), true),
            (RBAC, "ClusterRoleBinding", Some(AccessKind::ClusterRoleBinding), false),
            (RBAC, "ServiceAccount", None, false),
            ("v1", "Role", None, false),
            ("rbac.authorization.k8s.io/v1beta1", "Role", None, false),
        ] {
            let found = AccessKind::of(api_version, kind);
            assert_eq!(found, expected, "{api_version} {kind}");
            assert_eq!(found.is_some_and(AccessKind::is_namespaced), is_namespaced, "{kind}");
        }
    }

    #[test]
    fn an_account_has_a_namespace_and_a_name() {
        let account = |namespace, name| ServiceAccount {
            namespace,
            name,
            without_token: None,
        };
        let access = Access {
            accounts: vec![account("a", "x"), account("b", "y")],
            ..Access::default()
        };
        for (namespace, name, expected) in [("a", "x", true), ("b", "y", true), ("a", "y", false), ("c", "x", false)] {
            assert_eq!(
                access.account(namespace, name).is_some(),
                expected,
                "{namespace} {name}"
            );
        }
    }
}

//! RBAC objects (`rbac.authorization.k8s.io/v1`), which define the permissions of accounts. agentctl reads them, but
//! does not compile them.

use serde::Deserialize;

use super::{LabelSelector, TextMap};
use crate::source::Span;

/// A kind of object that controls access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    /// ServiceAccount: the account that pods run as.
    ServiceAccount,
    /// Role: rules that apply in one namespace.
    Role,
    /// ClusterRole: rules that apply wherever the role is bound.
    ClusterRole,
    /// RoleBinding: binding of a role in one namespace.
    RoleBinding,
    /// ClusterRoleBinding: binding of a ClusterRole in all namespaces.
    ClusterRoleBinding,
}

impl AccessKind {
    /// Returns the kind with this `apiVersion` and `kind`, or `None` if it does not control access.
    pub fn from_type(api_version: &str, kind: &str) -> Option<Self> {
        match (api_version, kind) {
            ("v1", "ServiceAccount") => Some(AccessKind::ServiceAccount),
            (RBAC, "Role") => Some(AccessKind::Role),
            (RBAC, "ClusterRole") => Some(AccessKind::ClusterRole),
            (RBAC, "RoleBinding") => Some(AccessKind::RoleBinding),
            (RBAC, "ClusterRoleBinding") => Some(AccessKind::ClusterRoleBinding),
            _ => None,
        }
    }

    /// Whether objects of this kind are namespaced.
    pub fn is_namespaced(self) -> bool {
        !matches!(self, AccessKind::ClusterRole | AccessKind::ClusterRoleBinding)
    }
}

const RBAC: &str = "rbac.authorization.k8s.io/v1";

/// Objects that control access, in input order.
#[derive(Default)]
pub struct Access<'d> {
    /// All ServiceAccounts in the input.
    pub accounts: Vec<ServiceAccount<'d>>,
    /// All Roles and ClusterRoles in the input.
    pub roles: Vec<Role<'d>>,
    /// All RoleBindings and ClusterRoleBindings in the input.
    pub bindings: Vec<Binding<'d>>,
}

impl<'d> Access<'d> {
    /// Returns the ServiceAccount with this namespace and name.
    pub fn account(&self, namespace: &str, name: &str) -> Option<&ServiceAccount<'d>> {
        let mut accounts = self.accounts.iter();
        accounts.find(|account| (account.namespace, account.name) == (namespace, name))
    }
}

/// An account that pods run as.
pub struct ServiceAccount<'d> {
    /// Namespace of the account.
    pub namespace: &'d str,
    /// Name of the account.
    pub name: &'d str,
    /// Span of `automountServiceAccountToken: false`, or `None` if pods are given a token by default.
    pub without_token: Option<Span>,
}

/// A Role, or a ClusterRole, which has no namespace.
pub struct Role<'d> {
    /// Namespace of the role; empty for a ClusterRole.
    pub namespace: &'d str,
    /// Name of the role.
    pub name: &'d str,
    /// Labels by which the role can be selected for aggregation.
    pub labels: TextMap<'d>,
    /// Rules in the role's manifest. Rules of the roles that it aggregates may be missing.
    pub rules: Vec<PolicyRule<'d>>,
    /// Selectors of the ClusterRoles whose rules this role aggregates.
    pub aggregation_selectors: Vec<LabelSelector<'d>>,
    /// Span of the rules, or of the name if there are none.
    pub span: Span,
}

/// Verbs that are allowed on resources or paths (`rbac/v1.PolicyRule`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct PolicyRule<'d> {
    /// API groups of the resources.
    pub api_groups: Vec<&'d str>,
    /// Resources, each as `resource` or `resource/subresource`.
    pub resources: Vec<&'d str>,
    /// Names of the objects that the rule is limited to; empty if it applies to all objects.
    pub resource_names: Vec<&'d str>,
    /// API server paths that are not resources.
    #[serde(rename = "nonResourceURLs")]
    pub non_resource_urls: Vec<&'d str>,
    /// Allowed verbs.
    pub verbs: Vec<&'d str>,
}

/// A RoleBinding, or a ClusterRoleBinding, which has no namespace.
pub struct Binding<'d> {
    /// Namespace of the binding; empty for a ClusterRoleBinding.
    pub namespace: &'d str,
    /// Role that is bound.
    pub role: RoleRef<'d>,
    /// Subjects that the role is bound to.
    pub subjects: Vec<BindingSubject<'d>>,
}

/// The role that a binding refers to (`rbac/v1.RoleRef`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'd"))]
pub struct RoleRef<'d> {
    /// Kind of the role: `Role` (in the binding's namespace) or `ClusterRole`.
    pub kind: &'d str,
    /// Name of the role.
    pub name: &'d str,
}

/// A subject in a binding (`rbac/v1.Subject`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'd"))]
pub struct BindingSubject<'d> {
    /// Kind of the subject: `ServiceAccount`, `User` or `Group`.
    pub kind: &'d str,
    /// Name of the subject.
    pub name: &'d str,
    /// Namespace of a ServiceAccount; if empty, the namespace of the binding.
    pub namespace: &'d str,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognizes_access_kinds_by_group() {
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
            let actual = AccessKind::from_type(api_version, kind);
            assert_eq!(actual, expected, "{api_version} {kind}");
            assert_eq!(actual.is_some_and(AccessKind::is_namespaced), is_namespaced, "{kind}");
        }
    }

    #[test]
    fn finds_accounts_by_namespace_and_name() {
        let account = |namespace, name| ServiceAccount { namespace, name, without_token: None };
        let access = Access { accounts: vec![account("a", "x"), account("b", "y")], ..Access::default() };
        for (namespace, name, expected) in [("a", "x", true), ("b", "y", true), ("a", "y", false), ("c", "x", false)] {
            assert_eq!(access.account(namespace, name).is_some(), expected, "{namespace} {name}");
        }
    }
}

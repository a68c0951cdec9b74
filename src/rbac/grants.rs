//! The rights that an account has by the roles and bindings of the input, as Kubernetes evaluates them
//! (`plugin/pkg/auth/authorizer/rbac`, `pkg/registry/rbac/validation`, `pkg/apis/rbac/v1` `VerbMatches` and the like).

use super::needs::Account;
use super::right::{Object, Right};
use crate::api::{Access, Binding, PolicyRule, Role, Subject};
use crate::resolve::Selector;

/// What an account may do.
pub struct Grants<'a, 'd> {
    bound: Vec<Bound<'a, 'd>>,
}

/// A role that is bound to the account.
struct Bound<'a, 'd> {
    /// The namespace of the binding; empty for all.
    namespace: &'d str,
    /// Whether the binding names the account, and not a group that it is in.
    is_own: bool,
    /// The role with those that it aggregates; none where the input does not have it, so that it may allow anything.
    roles: Option<Vec<&'a Role<'d>>>,
}

impl<'a, 'd> Grants<'a, 'd> {
    /// What is bound to an account; `None` where the input has no role that is bound to it, or to the ServiceAccounts of
    /// its namespace or of all.
    pub fn of(access: &'a Access<'d>, account: &Account) -> Option<Self> {
        let mut bound = Vec::new();
        let mut is_known = false;
        for binding in &access.bindings {
            let subjects = binding.subjects.iter();
            let reaches: Vec<_> = subjects
                .filter_map(|subject| reach(subject, binding, account))
                .collect();
            if reaches.is_empty() {
                continue;
            }
            let roles = roles(access, binding);
            is_known |= roles.is_some() && reaches.iter().any(|reach| *reach != Reach::Everybody);
            bound.push(Bound {
                namespace: binding.namespace,
                is_own: reaches.contains(&Reach::Account),
                roles,
            });
        }
        is_known.then_some(Self { bound })
    }

    /// Whether the account has a right, or may have it.
    pub fn allow(&self, right: &Right) -> bool {
        self.holding(right).any(|bound| match &bound.roles {
            Some(roles) => roles
                .iter()
                .flat_map(|role| &role.rules)
                .any(|rule| covers(rule, right)),
            None => true,
        })
    }

    /// A role that gives the right to the account where it gets one more rule, and to nobody else of its group.
    pub fn role_for(&self, right: &Right) -> Option<&'a Role<'d>> {
        let own = |role: &&Role<'d>| role.aggregated.is_empty();
        let roles = self.holding(right).filter(|bound| bound.is_own);
        let roles = roles.filter_map(|bound| bound.roles.as_ref());
        roles.flatten().copied().find(own)
    }

    /// The roles that hold where a right is needed. What has no namespace is not in that of a RoleBinding.
    fn holding(&self, right: &Right) -> impl Iterator<Item = &Bound<'a, 'd>> {
        let namespace = right.namespace.as_deref();
        let bound = self.bound.iter();
        bound.filter(move |bound| bound.namespace.is_empty() || namespace == Some(bound.namespace))
    }
}

/// How a subject is the account.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// It is the account itself.
    Account,
    /// It is a group of ServiceAccounts.
    Accounts,
    Everybody,
}

/// `appliesToUser`; groups and names as `pkg/serviceaccount` makes them.
fn reach(subject: &Subject<'_>, binding: &Binding<'_>, account: &Account) -> Option<Reach> {
    let Account { namespace, name } = account;
    match subject.kind {
        "ServiceAccount" => {
            let of = match subject.namespace {
                "" => binding.namespace,
                of => of,
            };
            (of == namespace && subject.name == name).then_some(Reach::Account)
        }
        "User" => {
            let rest = subject.name.strip_prefix("system:serviceaccount:")?;
            let (of, user) = rest.split_once(':')?;
            (of == namespace && user == name).then_some(Reach::Account)
        }
        "Group" => match subject.name {
            "system:authenticated" => Some(Reach::Everybody),
            "system:serviceaccounts" => Some(Reach::Accounts),
            group => (group.strip_prefix("system:serviceaccounts:")? == namespace).then_some(Reach::Accounts),
        },
        _ => None,
    }
}

/// The role of a binding with those that it aggregates.
fn roles<'a, 'd>(access: &'a Access<'d>, binding: &Binding<'d>) -> Option<Vec<&'a Role<'d>>> {
    let namespace = match binding.role.kind {
        "Role" => binding.namespace,
        "ClusterRole" => "",
        _ => return None,
    };
    let is_it = |role: &&Role<'_>| role.namespace == namespace && role.name == binding.role.name;
    // A RoleBinding to a `Role` of no namespace is refused.
    let role = access.roles.iter().find(is_it)?;
    let selectors: Vec<_> = role
        .aggregated
        .iter()
        .filter_map(|selector| Selector::new(selector).ok())
        .collect();
    let is_aggregated = |other: &&Role<'_>| {
        other.namespace.is_empty() && selectors.iter().any(|selector| selector.matches(&other.labels))
    };
    let mut roles: Vec<_> = access.roles.iter().filter(is_aggregated).collect();
    // The controller of aggregation writes the rules of the role; without a role to take them from they are not known.
    let is_open = !role.aggregated.is_empty() && roles.is_empty() && role.rules.is_empty();
    roles.push(role);
    (!is_open).then_some(roles)
}

/// Whether a rule covers a right in full: one that names objects covers none that is listed or watched, nor all nodes.
fn covers(rule: &PolicyRule<'_>, right: &Right) -> bool {
    if !rule.verbs.iter().any(|verb| *verb == "*" || *verb == right.verb) {
        return false;
    }
    match &right.object {
        Object::Path(path) => rule.non_resource_urls.iter().any(|url| url_matches(url, path)),
        Object::Resource { group, resource } => {
            rule.resource_names.is_empty()
                && rule.api_groups.iter().any(|of| *of == "*" || of == group)
                && rule.resources.iter().any(|of| resource_matches(of, resource))
        }
    }
}

/// `NonResourceURLMatches`.
fn url_matches(url: &str, path: &str) -> bool {
    url == "*" || url == path || url.ends_with('*') && path.starts_with(url.trim_end_matches('*'))
}

/// `ResourceMatches`.
fn resource_matches(of: &str, resource: &str) -> bool {
    let part = resource.split_once('/').map(|(_, part)| part);
    of == "*" || of == resource || part.is_some_and(|part| of.strip_prefix("*/") == Some(part))
}

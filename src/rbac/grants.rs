//! The rights that an account has by the roles and bindings of the input, as Kubernetes evaluates them
//! (`plugin/pkg/auth/authorizer/rbac`, `pkg/registry/rbac/validation`, `pkg/apis/rbac/v1` `VerbMatches` and the like).

use std::collections::{HashMap, HashSet};

use super::needs::Account;
use super::right::{Object, Right};
use crate::api::{Access, Binding, PolicyRule, Role, Subject};
use crate::resolve::Selector;

/// Namespace and name of a role.
type RoleName<'d> = (&'d str, &'d str);

/// The roles that are bound in the input.
pub struct BoundRoles<'a, 'd> {
    access: &'a Access<'d>,
    /// Each with those that it aggregates; none where the input does not have it, so that it may allow anything.
    roles: HashMap<Option<RoleName<'d>>, Option<Vec<&'a Role<'d>>>>,
}

impl<'a, 'd> BoundRoles<'a, 'd> {
    /// Looks for the role of each binding.
    pub fn of(access: &'a Access<'d>) -> Self {
        let mut roles = HashMap::new();
        for binding in &access.bindings {
            let name = role_name(binding);
            roles
                .entry(name)
                .or_insert_with(|| name.and_then(|name| aggregated(access, name)));
        }
        Self { access, roles }
    }
}

/// What an account may do.
pub struct Grants<'a, 'd> {
    roles: &'a BoundRoles<'a, 'd>,
    bound: Vec<Bound<'d>>,
    /// The namespaces in which what was asked for is allowed, of which the empty one stands for all.
    places: HashMap<(Object, &'static str), HashSet<&'d str>>,
}

/// A role that is bound to the account.
struct Bound<'d> {
    /// The namespace of the binding; empty for all.
    namespace: &'d str,
    /// Whether the binding names the account, and not a group that it is in.
    is_own: bool,
    role: Option<RoleName<'d>>,
}

impl<'a, 'd> Grants<'a, 'd> {
    /// What is bound to an account; `None` where the input has no role that is bound to it, or to the ServiceAccounts of
    /// its namespace or of all.
    pub fn of(roles: &'a BoundRoles<'a, 'd>, account: &Account) -> Option<Self> {
        let mut grants = Self {
            roles,
            bound: Vec::new(),
            places: HashMap::new(),
        };
        let mut is_known = false;
        for binding in &roles.access.bindings {
            let subjects = binding.subjects.iter();
            let reaches: Vec<_> = subjects
                .filter_map(|subject| reach(subject, binding, account))
                .collect();
            if reaches.is_empty() {
                continue;
            }
            let bound = Bound {
                namespace: binding.namespace,
                is_own: reaches.contains(&Reach::Account),
                role: role_name(binding),
            };
            is_known |= grants.roles(&bound).is_some() && reaches.iter().any(|reach| *reach != Reach::Everybody);
            grants.bound.push(bound);
        }
        is_known.then_some(grants)
    }

    fn roles(&self, bound: &Bound<'d>) -> Option<&'a [&'a Role<'d>]> {
        self.roles.roles.get(&bound.role)?.as_deref()
    }

    /// Whether the account has a right, or may have it.
    pub fn allow(&mut self, right: &Right) -> bool {
        let what = (right.object.clone(), right.verb);
        if !self.places.contains_key(&what) {
            let places = self.places_of(right);
            self.places.insert(what.clone(), places);
        }
        let places = self.places.get(&what);
        let is_allowed_in = |namespace: &str| places.is_some_and(|places| places.contains(namespace));
        is_allowed_in("") || right.namespace.as_deref().is_some_and(is_allowed_in)
    }

    /// The namespaces in which any right to do the same is allowed. Each role is read once, however often it is bound.
    fn places_of(&self, right: &Right) -> HashSet<&'d str> {
        let mut covers_it = HashMap::new();
        let bound = self.bound.iter().filter(|bound| {
            *covers_it.entry(bound.role).or_insert_with(|| {
                let rules = |roles: &'a [&'a Role<'d>]| roles.iter().flat_map(|role| &role.rules);
                self.roles(bound)
                    .is_none_or(|roles| rules(roles).any(|rule| covers(rule, right)))
            })
        });
        bound.map(|bound| bound.namespace).collect()
    }

    /// A role that gives the right to the account where it gets one more rule, and to nobody else of its group.
    pub fn role_for(&self, right: &Right) -> Option<&'a Role<'d>> {
        let namespace = right.namespace.as_deref();
        // What has no namespace is not in that of a RoleBinding.
        let holds = |bound: &&Bound<'_>| bound.namespace.is_empty() || namespace == Some(bound.namespace);
        let own = self.bound.iter().filter(holds).filter(|bound| bound.is_own);
        let mut roles = own.filter_map(|bound| self.roles(bound)).flatten();
        roles.find(|role| role.aggregated.is_empty()).copied()
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

/// The role of a binding; `None` for a kind that is refused.
fn role_name<'d>(binding: &Binding<'d>) -> Option<RoleName<'d>> {
    match binding.role.kind {
        "Role" => Some((binding.namespace, binding.role.name)),
        "ClusterRole" => Some(("", binding.role.name)),
        _ => None,
    }
}

/// A role with those that it aggregates.
fn aggregated<'a, 'd>(access: &'a Access<'d>, name: RoleName<'_>) -> Option<Vec<&'a Role<'d>>> {
    // A RoleBinding to a `Role` of no namespace is refused.
    let role = access.roles.iter().find(|role| (role.namespace, role.name) == name)?;
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

//! Permissions granted by the roles and bindings in the input, evaluated as in Kubernetes
//! (`plugin/pkg/auth/authorizer/rbac`, `pkg/registry/rbac/validation`, and `VerbMatches` and similar functions in
//! `pkg/apis/rbac/v1`).

use std::collections::{HashMap, HashSet};

use super::needs::Account;
use super::right::{Right, RightObject};
use crate::api::{Access, Binding, BindingSubject, PolicyRule, Role};
use crate::resolve::Selector;

/// Namespace and name of a role.
type RoleName<'d> = (&'d str, &'d str);

/// Roles that are bound in the input.
pub struct BoundRoles<'a, 'd> {
    access: &'a Access<'d>,
    /// Bound roles, each with the roles that it aggregates. The value is `None` if the input does not define the role,
    /// because the role may then allow anything.
    roles: HashMap<Option<RoleName<'d>>, Option<Vec<&'a Role<'d>>>>,
}

impl<'a, 'd> BoundRoles<'a, 'd> {
    /// Resolves the role of each binding.
    pub fn new(access: &'a Access<'d>) -> Self {
        let mut roles = HashMap::new();
        for binding in &access.bindings {
            let name = role_name(binding);
            roles.entry(name).or_insert_with(|| name.and_then(|name| resolve_aggregated_roles(access, name)));
        }
        Self { access, roles }
    }
}

/// Permissions of an account.
pub struct Grants<'a, 'd> {
    roles: &'a BoundRoles<'a, 'd>,
    bound: Vec<BoundRole<'d>>,
    /// Cache of the namespaces in which a permission is granted. The empty string means all namespaces.
    namespaces: HashMap<Right, HashSet<&'d str>>,
    /// Cache of the allowed paths by verb. The value is `None` if any path may be allowed.
    urls: HashMap<&'static str, Option<Urls<'d>>>,
}

/// A role bound to the account.
struct BoundRole<'d> {
    /// Namespace of the binding. Empty for all namespaces.
    namespace: &'d str,
    /// Whether the binding's subject is the account itself rather than one of its groups.
    is_own: bool,
    role: Option<RoleName<'d>>,
}

impl<'a, 'd> Grants<'a, 'd> {
    /// Returns the permissions of an account, or `None` if no role in the input is bound to the account or to a group
    /// of service accounts.
    pub fn for_account(roles: &'a BoundRoles<'a, 'd>, account: &Account) -> Option<Self> {
        let mut grants = Self { roles, bound: Vec::new(), namespaces: HashMap::new(), urls: HashMap::new() };
        let mut is_known = false;
        for binding in &roles.access.bindings {
            let subjects = binding.subjects.iter();
            let matches: Vec<_> = subjects.filter_map(|subject| match_subject(subject, binding, account)).collect();
            if matches.is_empty() {
                continue;
            }
            let bound = BoundRole {
                namespace: binding.namespace,
                is_own: matches.contains(&SubjectMatch::Account),
                role: role_name(binding),
            };
            is_known |=
                grants.roles(&bound).is_some() && matches.iter().any(|matched| *matched != SubjectMatch::Everybody);
            grants.bound.push(bound);
        }
        is_known.then_some(grants)
    }

    fn roles(&self, bound: &BoundRole<'d>) -> Option<&'a [&'a Role<'d>]> {
        self.roles.roles.get(&bound.role)?.as_deref()
    }

    /// Whether the account has, or may have, a permission.
    pub fn allow(&mut self, right: &Right) -> bool {
        match &right.object {
            RightObject::Path(path) => {
                if !self.urls.contains_key(right.verb) {
                    self.urls.insert(right.verb, self.permitted_urls(right.verb));
                }
                let urls = self.urls.get(right.verb).and_then(Option::as_ref);
                urls.is_none_or(|urls| urls.matches_path(path))
            }
            RightObject::Resource { .. } => {
                let cluster_wide_right = Right { namespace: None, ..right.clone() };
                if !self.namespaces.contains_key(&cluster_wide_right) {
                    self.namespaces.insert(cluster_wide_right.clone(), self.permitted_namespaces(right));
                }
                let namespaces = self.namespaces.get(&cluster_wide_right);
                let is_allowed_in =
                    |namespace: &str| namespaces.is_some_and(|namespaces| namespaces.contains(namespace));
                is_allowed_in("") || right.namespace.as_deref().is_some_and(is_allowed_in)
            }
        }
    }

    /// Returns the namespaces in which the account has a permission, regardless of the namespace of `right`. Each role
    /// is evaluated once, even if it is bound several times.
    fn permitted_namespaces(&self, right: &Right) -> HashSet<&'d str> {
        let mut covers_by_role = HashMap::new();
        let bound = self.bound.iter().filter(|bound| {
            *covers_by_role.entry(bound.role).or_insert_with(|| {
                let rules = |roles: &'a [&'a Role<'d>]| roles.iter().flat_map(|role| &role.rules);
                self.roles(bound).is_none_or(|roles| rules(roles).any(|rule| covers(rule, right)))
            })
        });
        bound.map(|bound| bound.namespace).collect()
    }

    /// Returns the paths in rules that are bound in all namespaces, or `None` if any path may be allowed.
    fn permitted_urls(&self, verb: &str) -> Option<Urls<'d>> {
        let bound = self.bound.iter().filter(|bound| bound.namespace.is_empty());
        let names: HashSet<_> = bound.map(|bound| bound.role).collect();
        let roles = names.iter().map(|name| self.roles.roles.get(name)?.as_ref());
        let roles: Vec<_> = roles.collect::<Option<_>>()?;
        let rules = roles.into_iter().flatten().flat_map(|role| &role.rules);
        let rules = rules.filter(|rule| has_verb(rule, verb));
        Some(Urls::new(rules.flat_map(|rule| &rule.non_resource_urls)))
    }

    /// Returns a role to which a rule for `right` can be added without granting the permission to other accounts in the
    /// same group.
    pub fn find_extendable_role(&self, right: &Right) -> Option<&'a Role<'d>> {
        let namespace = right.namespace.as_deref();
        // A RoleBinding does not apply to cluster-wide resources.
        let is_bound_here = |bound: &&BoundRole<'_>| bound.namespace.is_empty() || namespace == Some(bound.namespace);
        let account_roles = self.bound.iter().filter(is_bound_here).filter(|bound| bound.is_own);
        let mut roles = account_roles.filter_map(|bound| self.roles(bound)).flatten();
        roles.find(|role| role.aggregation_selectors.is_empty()).copied()
    }
}

/// Match between a binding's subject and an account.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SubjectMatch {
    /// The subject is the account itself, either as a ServiceAccount or as a user.
    Account,
    /// The subject is a group of service accounts that contains the account.
    ServiceAccountGroup,
    Everybody,
}

/// Port of Kubernetes' `appliesToUser`, with the group and user names from `pkg/serviceaccount`.
fn match_subject(subject: &BindingSubject<'_>, binding: &Binding<'_>, account: &Account) -> Option<SubjectMatch> {
    let Account { namespace, name } = account;
    match subject.kind {
        "ServiceAccount" => {
            let account_namespace = match subject.namespace {
                "" => binding.namespace,
                account_namespace => account_namespace,
            };
            (account_namespace == namespace && subject.name == name).then_some(SubjectMatch::Account)
        }
        "User" => {
            let rest = subject.name.strip_prefix("system:serviceaccount:")?;
            let (account_namespace, user) = rest.split_once(':')?;
            (account_namespace == namespace && user == name).then_some(SubjectMatch::Account)
        }
        "Group" => match subject.name {
            "system:authenticated" => Some(SubjectMatch::Everybody),
            "system:serviceaccounts" => Some(SubjectMatch::ServiceAccountGroup),
            group => (group.strip_prefix("system:serviceaccounts:")? == namespace)
                .then_some(SubjectMatch::ServiceAccountGroup),
        },
        _ => None,
    }
}

/// Returns the role in a binding, or `None` if the role's kind is invalid.
fn role_name<'d>(binding: &Binding<'d>) -> Option<RoleName<'d>> {
    match binding.role.kind {
        "Role" => Some((binding.namespace, binding.role.name)),
        "ClusterRole" => Some(("", binding.role.name)),
        _ => None,
    }
}

/// Returns a role and the roles that it aggregates.
fn resolve_aggregated_roles<'a, 'd>(access: &'a Access<'d>, name: RoleName<'_>) -> Option<Vec<&'a Role<'d>>> {
    // The API server rejects a binding that refers to a `Role` without a namespace.
    let role = access.roles.iter().find(|role| (role.namespace, role.name) == name)?;
    let selectors: Vec<_> =
        role.aggregation_selectors.iter().filter_map(|selector| Selector::new(selector).ok()).collect();
    let is_aggregated = |other: &&Role<'_>| {
        other.namespace.is_empty() && selectors.iter().any(|selector| selector.matches(&other.labels))
    };
    let mut roles: Vec<_> = access.roles.iter().filter(is_aggregated).collect();
    // A controller writes the rules of an aggregating role. The rules are unknown if the input contains none of the
    // roles to aggregate.
    let is_open = !role.aggregation_selectors.is_empty() && roles.is_empty() && role.rules.is_empty();
    roles.push(role);
    (!is_open).then_some(roles)
}

fn has_verb(rule: &PolicyRule<'_>, wanted: &str) -> bool {
    rule.verbs.iter().any(|verb| *verb == "*" || *verb == wanted)
}

/// Whether a rule fully covers a permission for a resource. A rule with resource names does not cover listing, watching
/// or accessing every node.
fn covers(rule: &PolicyRule<'_>, right: &Right) -> bool {
    let RightObject::Resource { group, resource } = right.object else {
        return false;
    };
    has_verb(rule, right.verb)
        && rule.resource_names.is_empty()
        && rule.api_groups.iter().any(|allowed| *allowed == "*" || *allowed == group)
        && rule.resources.iter().any(|allowed| resource_matches(allowed, resource))
}

/// Paths and path prefixes (`NonResourceURLMatches` in Kubernetes).
struct Urls<'d> {
    paths: HashSet<&'d str>,
    /// Sorted prefixes. No prefix starts with another prefix.
    starts: Vec<&'d str>,
}

impl<'d> Urls<'d> {
    fn new<'u>(urls: impl Iterator<Item = &'u &'d str>) -> Self
    where
        'd: 'u,
    {
        let (prefix_urls, paths): (Vec<&str>, _) = urls.copied().partition(|url| url.ends_with('*'));
        let mut prefixes: Vec<_> = prefix_urls.iter().map(|url| url.trim_end_matches('*')).collect();
        prefixes.sort_unstable();
        prefixes.dedup_by(|next, kept| next.starts_with(*kept));
        Self { paths: paths.into_iter().collect(), starts: prefixes }
    }

    fn matches_path(&self, path: &str) -> bool {
        let end = self.starts.partition_point(|start| *start <= path);
        let start = end.checked_sub(1).and_then(|last| self.starts.get(last));
        self.paths.contains(path) || start.is_some_and(|start| path.starts_with(start))
    }
}

/// Port of Kubernetes' `ResourceMatches`.
fn resource_matches(allowed: &str, resource: &str) -> bool {
    let subresource = resource.split_once('/').map(|(_, part)| part);
    allowed == "*" || allowed == resource || subresource.is_some_and(|part| allowed.strip_prefix("*/") == Some(part))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{LabelSelector, TextMap};
    use crate::source::Span;
    use crate::testing;

    #[test]
    fn matches_url_paths_and_prefixes() {
        let urls = Urls::new(["/metrics/*", "/metrics", "/m*", "/z/**", "/metrics/cadvisor/*", "/q"].iter());
        for (path, expected) in [
            ("/metrics", true),
            ("/metrics/cadvisor", true),
            ("/m", true),
            ("/z/x", true),
            ("/z", false),
            ("/q", true),
            ("/qq", false),
            ("/", false),
        ] {
            assert_eq!(urls.matches_path(path), expected, "{path}");
        }
        assert!(Urls::new(["*"].iter()).matches_path("/any"));
    }

    /// Tests the rules of Kubernetes' `appliesToUser`.
    #[test]
    fn matches_the_account_and_its_groups() {
        let account = Account { namespace: "ns".to_owned(), name: "a".to_owned() };
        let (own, all, none) = (Some(SubjectMatch::Account), Some(SubjectMatch::ServiceAccountGroup), None);
        for (kind, namespace, name, expected) in [
            ("ServiceAccount", "ns", "a", own),
            // An empty namespace means the binding's namespace.
            ("ServiceAccount", "", "a", own),
            ("ServiceAccount", "b", "a", none),
            ("ServiceAccount", "ns", "b", none),
            ("User", "", "system:serviceaccount:ns:a", own),
            ("User", "", "system:serviceaccount:ns:b", none),
            ("User", "", "system:serviceaccount:b:a", none),
            ("User", "", "ns:a", none),
            ("Group", "", "system:serviceaccounts", all),
            ("Group", "", "system:serviceaccounts:ns", all),
            ("Group", "", "system:serviceaccounts:b", none),
            ("Group", "", "system:authenticated", Some(SubjectMatch::Everybody)),
            ("Group", "", "system:masters", none),
            ("Robot", "ns", "a", none),
        ] {
            let subject = BindingSubject { kind, name, namespace };
            let actual = match_subject(&subject, &binding("ns", "ClusterRole", "r", &[]), &account);
            assert!(actual == expected, "{kind} {namespace} {name}");
        }
    }

    fn binding<'d>(namespace: &'d str, kind: &'d str, name: &'d str, subjects: &[(&'d str, &'d str)]) -> Binding<'d> {
        let subject = |&(kind, name): &(&'d str, &'d str)| BindingSubject { kind, name, namespace: "ns" };
        let mut binding =
            Binding { namespace, role: Default::default(), subjects: subjects.iter().map(subject).collect() };
        (binding.role.kind, binding.role.name) = (kind, name);
        binding
    }

    fn role<'d>(namespace: &'d str, name: &'d str, rules: Vec<PolicyRule<'d>>) -> Role<'d> {
        Role {
            namespace,
            name,
            labels: TextMap::default(),
            rules,
            aggregation_selectors: Vec::new(),
            span: Span::new(testing::source_id(), 0, 0),
        }
    }

    fn rule<'d>(verb: &'d str, group: &'d str, resource: &'d str) -> PolicyRule<'d> {
        PolicyRule { api_groups: vec![group], resources: vec![resource], verbs: vec![verb], ..PolicyRule::default() }
    }

    fn right(namespace: Option<&str>, resource: &'static str, verb: &'static str) -> Right {
        Right { namespace: namespace.map(str::to_owned), object: RightObject::core(resource), verb }
    }

    /// Tests the rules of `VerbMatches`, `APIGroupMatches`, `ResourceMatches` and `ResourceNameMatches`.
    #[test]
    fn rules_cover_listed_and_wildcard_objects() {
        let named_rule = PolicyRule { resource_names: vec!["x"], ..rule("list", "", "pods") };
        for (rule, resource, expected) in [
            (rule("list", "", "pods"), "pods", true),
            (rule("*", "*", "*"), "pods", true),
            (rule("get", "", "pods"), "pods", false),
            (rule("list", "apps", "pods"), "pods", false),
            (rule("list", "", "nodes"), "pods", false),
            (named_rule, "pods", false),
            (rule("list", "", "nodes/metrics"), "nodes/metrics", true),
            (rule("list", "", "*/metrics"), "nodes/metrics", true),
            (rule("list", "", "*/proxy"), "nodes/metrics", false),
            (rule("list", "", "nodes"), "nodes/metrics", false),
            (rule("list", "", "*/pods"), "pods", false),
        ] {
            assert_eq!(covers(&rule, &right(None, resource, "list")), expected, "{rule:?} {resource}");
        }
        let path = Right { namespace: None, object: RightObject::Path("/metrics".to_owned()), verb: "list" };
        assert!(!covers(&rule("*", "*", "*"), &path));
    }

    #[test]
    fn grants_permissions_where_roles_are_bound() {
        let account = Account { namespace: "ns".to_owned(), name: "a".to_owned() };
        let own_subject = [("ServiceAccount", "a")];
        let all_accounts = [("Group", "system:authenticated")];
        let paths = PolicyRule { non_resource_urls: vec!["/metrics"], verbs: vec!["get"], ..PolicyRule::default() };
        let access = |bindings| Access {
            roles: vec![
                role("", "r", vec![rule("list", "", "pods"), paths.clone()]),
                role("ns", "r", vec![rule("list", "", "services")]),
            ],
            bindings,
            ..Access::default()
        };
        let path = || Right { namespace: None, object: RightObject::Path("/metrics".to_owned()), verb: "get" };
        let other_path = || Right { object: RightObject::Path("/other".to_owned()), ..path() };
        let rights = [
            right(None, "pods", "list"),
            right(Some("ns"), "pods", "list"),
            right(Some("b"), "pods", "list"),
            right(Some("ns"), "services", "list"),
            right(Some("ns"), "pods", "watch"),
            path(),
            other_path(),
        ];
        for (bindings, expected) in [
            (vec![], None),
            (vec![binding("", "ClusterRole", "r", &own_subject)], Some([true, true, true, false, false, true, false])),
            (
                vec![binding("ns", "ClusterRole", "r", &own_subject)],
                Some([false, true, false, false, false, false, false]),
            ),
            (vec![binding("ns", "Role", "r", &own_subject)], Some([false, false, false, true, false, false, false])),
            (vec![binding("ns", "ClusterRole", "r", &[("ServiceAccount", "b")])], None),
            // A role that is bound to all users provides no information about this account.
            (vec![binding("", "ClusterRole", "r", &all_accounts)], None),
            (
                vec![binding("ns", "Role", "r", &own_subject), binding("", "ClusterRole", "r", &all_accounts)],
                Some([true, true, true, true, false, true, false]),
            ),
            // An undefined role may allow anything.
            (vec![binding("", "ClusterRole", "x", &own_subject)], None),
            (
                vec![binding("ns", "Role", "r", &own_subject), binding("b", "ClusterRole", "x", &own_subject)],
                Some([false, false, true, true, false, false, false]),
            ),
            (
                vec![binding("ns", "Role", "r", &own_subject), binding("", "ClusterRole", "x", &own_subject)],
                Some([true; 7]),
            ),
            (vec![binding("ns", "Thing", "r", &own_subject)], None),
        ] {
            let access = access(bindings);
            let roles = BoundRoles::new(&access);
            let actual = Grants::for_account(&roles, &account).map(|mut grants| {
                // Cached answers are equal to the original answers.
                let answers = rights.each_ref().map(|right| grants.allow(right));
                assert_eq!(rights.each_ref().map(|right| grants.allow(right)), answers);
                answers
            });
            assert_eq!(actual, expected);
        }
    }

    #[test]
    fn suggests_only_roles_bound_to_the_account_itself() {
        let account = Account { namespace: "ns".to_owned(), name: "a".to_owned() };
        let aggregating = Role {
            aggregation_selectors: vec![LabelSelector::default()],
            ..role("", "all", vec![rule("list", "", "pods")])
        };
        let (own, group) = ([("ServiceAccount", "a")], [("Group", "system:serviceaccounts:ns")]);
        for (bindings, namespace, expected) in [
            (vec![binding("", "ClusterRole", "r", &own)], None, Some("r")),
            (vec![binding("", "ClusterRole", "r", &own)], Some("b"), Some("r")),
            (vec![binding("ns", "ClusterRole", "r", &own)], Some("ns"), Some("r")),
            (vec![binding("ns", "ClusterRole", "r", &own)], Some("b"), None),
            (vec![binding("ns", "ClusterRole", "r", &own)], None, None),
            (vec![binding("", "ClusterRole", "r", &group)], None, None),
            (vec![binding("", "ClusterRole", "r", &[group, own].concat())], None, Some("r")),
        ] {
            let access = Access { roles: vec![role("", "r", Vec::new())], bindings, ..Access::default() };
            let roles = BoundRoles::new(&access);
            let grants = Grants::for_account(&roles, &account).unwrap();
            let role_name = grants.find_extendable_role(&right(namespace, "pods", "list")).map(|role| role.name);
            assert_eq!(role_name, expected, "{namespace:?}");
        }
        // A controller writes the rules of an aggregating role, but a rule can be added to the roles that it
        // aggregates.
        let access = Access {
            roles: vec![aggregating, role("b", "r", Vec::new())],
            bindings: vec![binding("", "ClusterRole", "all", &own)],
            ..Access::default()
        };
        let roles = BoundRoles::new(&access);
        let grants = Grants::for_account(&roles, &account).unwrap();
        assert_eq!(grants.find_extendable_role(&right(None, "pods", "list")).map(|role| role.name), None);
    }

    #[test]
    fn roles_include_aggregated_rules() {
        let labeled =
            |name, namespace| Role { labels: TextMap::from([("a", "b")]), ..role(namespace, name, Vec::new()) };
        let aggregating = |rules| Role {
            aggregation_selectors: vec![LabelSelector {
                match_labels: TextMap::from([("a", "b")]),
                ..LabelSelector::default()
            }],
            ..role("", "all", rules)
        };
        for (roles, expected) in [
            (vec![aggregating(Vec::new()), labeled("x", "")], Some(vec!["x", "all"])),
            (vec![aggregating(Vec::new()), labeled("x", "ns"), role("", "y", Vec::new())], None),
            (vec![aggregating(vec![rule("list", "", "pods")])], Some(vec!["all"])),
            (vec![role("", "all", Vec::new()), labeled("x", "")], Some(vec!["all"])),
            (vec![role("ns", "all", Vec::new())], None),
        ] {
            let access = Access { roles, ..Access::default() };
            let rules = resolve_aggregated_roles(&access, ("", "all"));
            assert_eq!(rules.map(|roles| roles.iter().map(|role| role.name).collect::<Vec<_>>()), expected);
        }
    }
}

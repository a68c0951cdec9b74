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
    places: HashMap<Right, HashSet<&'d str>>,
    /// The paths that are allowed, by verb; `None` where any may be.
    urls: HashMap<&'static str, Option<Urls<'d>>>,
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
            urls: HashMap::new(),
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
        match &right.object {
            Object::Path(path) => {
                if !self.urls.contains_key(right.verb) {
                    self.urls.insert(right.verb, self.urls_of(right.verb));
                }
                let urls = self.urls.get(right.verb).and_then(Option::as_ref);
                urls.is_none_or(|urls| urls.match_path(path))
            }
            Object::Resource { .. } => {
                let everywhere = Right {
                    namespace: None,
                    ..right.clone()
                };
                if !self.places.contains_key(&everywhere) {
                    self.places.insert(everywhere.clone(), self.places_of(right));
                }
                let places = self.places.get(&everywhere);
                let is_allowed_in = |namespace: &str| places.is_some_and(|places| places.contains(namespace));
                is_allowed_in("") || right.namespace.as_deref().is_some_and(is_allowed_in)
            }
        }
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

    /// The paths of the rules that are bound in all namespaces.
    fn urls_of(&self, verb: &str) -> Option<Urls<'d>> {
        let bound = self.bound.iter().filter(|bound| bound.namespace.is_empty());
        let names: HashSet<_> = bound.map(|bound| bound.role).collect();
        let roles = names.iter().map(|name| self.roles.roles.get(name)?.as_ref());
        let roles: Vec<_> = roles.collect::<Option<_>>()?;
        let rules = roles.into_iter().flatten().flat_map(|role| &role.rules);
        let rules = rules.filter(|rule| has_verb(rule, verb));
        Some(Urls::of(rules.flat_map(|rule| &rule.non_resource_urls)))
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

fn has_verb(rule: &PolicyRule<'_>, wanted: &str) -> bool {
    rule.verbs.iter().any(|verb| *verb == "*" || *verb == wanted)
}

/// Whether a rule covers a right to objects in full: one that names objects covers none that is listed or watched, nor all nodes.
fn covers(rule: &PolicyRule<'_>, right: &Right) -> bool {
    let Object::Resource { group, resource } = right.object else {
        return false;
    };
    has_verb(rule, right.verb)
        && rule.resource_names.is_empty()
        && rule.api_groups.iter().any(|of| *of == "*" || *of == group)
        && rule.resources.iter().any(|of| resource_matches(of, resource))
}

/// Paths, and how others may start (`NonResourceURLMatches`).
struct Urls<'d> {
    paths: HashSet<&'d str>,
    /// In order, none of which starts with another one.
    starts: Vec<&'d str>,
}

impl<'d> Urls<'d> {
    fn of<'u>(urls: impl Iterator<Item = &'u &'d str>) -> Self
    where
        'd: 'u,
    {
        let (starts, paths): (Vec<&str>, _) = urls.copied().partition(|url| url.ends_with('*'));
        let mut starts: Vec<_> = starts.iter().map(|url| url.trim_end_matches('*')).collect();
        starts.sort_unstable();
        starts.dedup_by(|next, kept| next.starts_with(*kept));
        Self {
            paths: paths.into_iter().collect(),
            starts,
        }
    }

    fn match_path(&self, path: &str) -> bool {
        let behind = self.starts.partition_point(|start| *start <= path);
        let start = behind.checked_sub(1).and_then(|last| self.starts.get(last));
        self.paths.contains(path) || start.is_some_and(|start| path.starts_with(start))
    }
}

/// `ResourceMatches`.
fn resource_matches(of: &str, resource: &str) -> bool {
    let part = resource.split_once('/').map(|(_, part)| part);
    of == "*" || of == resource || part.is_some_and(|part| of.strip_prefix("*/") == Some(part))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{LabelSelector, TextMap};
    use crate::source::{Source, Sources, Span};

    #[test]
    fn paths_match_as_they_are_or_by_their_starts() {
        let urls = Urls::of(["/metrics/*", "/metrics", "/m*", "/z/**", "/metrics/cadvisor/*", "/q"].iter());
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
            assert_eq!(urls.match_path(path), expected, "{path}");
        }
        assert!(Urls::of(["*"].iter()).match_path("/any"));
    }

    /// `appliesToUser`.
    #[test]
    fn a_subject_is_the_account_or_a_group_of_it() {
        let account = Account {
            namespace: "ns".to_owned(),
            name: "a".to_owned(),
        };
        let (own, all, none) = (Some(Reach::Account), Some(Reach::Accounts), None);
        for (kind, namespace, name, expected) in [
            ("ServiceAccount", "ns", "a", own),
            // That of the binding.
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
            ("Group", "", "system:authenticated", Some(Reach::Everybody)),
            ("Group", "", "system:masters", none),
            ("Robot", "ns", "a", none),
        ] {
            let subject = Subject { kind, name, namespace };
            let found = reach(&subject, &binding("ns", "ClusterRole", "r", &[]), &account);
            assert!(found == expected, "{kind} {namespace} {name}");
        }
    }

    fn binding<'d>(namespace: &'d str, kind: &'d str, name: &'d str, subjects: &[(&'d str, &'d str)]) -> Binding<'d> {
        let subject = |&(kind, name): &(&'d str, &'d str)| Subject {
            kind,
            name,
            namespace: "ns",
        };
        let mut binding = Binding {
            namespace,
            role: Default::default(),
            subjects: subjects.iter().map(subject).collect(),
        };
        (binding.role.kind, binding.role.name) = (kind, name);
        binding
    }

    fn role<'d>(namespace: &'d str, name: &'d str, rules: Vec<PolicyRule<'d>>) -> Role<'d> {
        Role {
            namespace,
            name,
            labels: TextMap::default(),
            rules,
            aggregated: Vec::new(),
            span: Span::new(Sources::default().add(Source::new("t", "", true)), 0, 0),
        }
    }

    fn rule<'d>(verb: &'d str, group: &'d str, resource: &'d str) -> PolicyRule<'d> {
        PolicyRule {
            api_groups: vec![group],
            resources: vec![resource],
            verbs: vec![verb],
            ..PolicyRule::default()
        }
    }

    fn right(namespace: Option<&str>, resource: &'static str, verb: &'static str) -> Right {
        Right {
            namespace: namespace.map(str::to_owned),
            object: Object::core(resource),
            verb,
        }
    }

    /// `VerbMatches`, `APIGroupMatches`, `ResourceMatches` and `ResourceNameMatches`.
    #[test]
    fn a_rule_covers_what_it_names_or_stars() {
        let named = PolicyRule {
            resource_names: vec!["x"],
            ..rule("list", "", "pods")
        };
        for (rule, resource, expected) in [
            (rule("list", "", "pods"), "pods", true),
            (rule("*", "*", "*"), "pods", true),
            (rule("get", "", "pods"), "pods", false),
            (rule("list", "apps", "pods"), "pods", false),
            (rule("list", "", "nodes"), "pods", false),
            (named, "pods", false),
            (rule("list", "", "nodes/metrics"), "nodes/metrics", true),
            (rule("list", "", "*/metrics"), "nodes/metrics", true),
            (rule("list", "", "*/proxy"), "nodes/metrics", false),
            (rule("list", "", "nodes"), "nodes/metrics", false),
            (rule("list", "", "*/pods"), "pods", false),
        ] {
            assert_eq!(
                covers(&rule, &right(None, resource, "list")),
                expected,
                "{rule:?} {resource}"
            );
        }
        let path = Right {
            namespace: None,
            object: Object::Path("/metrics".to_owned()),
            verb: "list",
        };
        assert!(!covers(&rule("*", "*", "*"), &path));
    }

    #[test]
    fn a_right_holds_where_its_role_is_bound() {
        let account = Account {
            namespace: "ns".to_owned(),
            name: "a".to_owned(),
        };
        let own = [("ServiceAccount", "a")];
        let everybody = [("Group", "system:authenticated")];
        let paths = PolicyRule {
            non_resource_urls: vec!["/metrics"],
            verbs: vec!["get"],
            ..PolicyRule::default()
        };
        let access = |bindings| Access {
            roles: vec![
                role("", "r", vec![rule("list", "", "pods"), paths.clone()]),
                role("ns", "r", vec![rule("list", "", "services")]),
            ],
            bindings,
            ..Access::default()
        };
        let path = || Right {
            namespace: None,
            object: Object::Path("/metrics".to_owned()),
            verb: "get",
        };
        let other = || Right {
            object: Object::Path("/other".to_owned()),
            ..path()
        };
        let asked = [
            right(None, "pods", "list"),
            right(Some("ns"), "pods", "list"),
            right(Some("b"), "pods", "list"),
            right(Some("ns"), "services", "list"),
            right(Some("ns"), "pods", "watch"),
            path(),
            other(),
        ];
        for (bindings, expected) in [
            (vec![], None),
            (
                vec![binding("", "ClusterRole", "r", &own)],
                Some([true, true, true, false, false, true, false]),
            ),
            (
                vec![binding("ns", "ClusterRole", "r", &own)],
                Some([false, true, false, false, false, false, false]),
            ),
            (
                vec![binding("ns", "Role", "r", &own)],
                Some([false, false, false, true, false, false, false]),
            ),
            (
                vec![binding("ns", "ClusterRole", "r", &[("ServiceAccount", "b")])],
                None,
            ),
            // What is bound to everybody says nothing of this account.
            (vec![binding("", "ClusterRole", "r", &everybody)], None),
            (
                vec![
                    binding("ns", "Role", "r", &own),
                    binding("", "ClusterRole", "r", &everybody),
                ],
                Some([true, true, true, true, false, true, false]),
            ),
            // A role that the input does not have may allow anything.
            (vec![binding("", "ClusterRole", "x", &own)], None),
            (
                vec![binding("ns", "Role", "r", &own), binding("b", "ClusterRole", "x", &own)],
                Some([false, false, true, true, false, false, false]),
            ),
            (
                vec![binding("ns", "Role", "r", &own), binding("", "ClusterRole", "x", &own)],
                Some([true; 7]),
            ),
            (vec![binding("ns", "Thing", "r", &own)], None),
        ] {
            let access = access(bindings);
            let roles = BoundRoles::of(&access);
            let found = Grants::of(&roles, &account).map(|mut grants| {
                // Asked twice, the answer is the same.
                let answers = asked.each_ref().map(|right| grants.allow(right));
                assert_eq!(asked.each_ref().map(|right| grants.allow(right)), answers);
                answers
            });
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_role_takes_one_more_rule_where_it_is_bound_to_the_account_alone() {
        let account = Account {
            namespace: "ns".to_owned(),
            name: "a".to_owned(),
        };
        let aggregating = Role {
            aggregated: vec![LabelSelector::default()],
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
            (
                vec![binding("", "ClusterRole", "r", &[group, own].concat())],
                None,
                Some("r"),
            ),
        ] {
            let access = Access {
                roles: vec![role("", "r", Vec::new())],
                bindings,
                ..Access::default()
            };
            let roles = BoundRoles::of(&access);
            let grants = Grants::of(&roles, &account).unwrap();
            let found = grants.role_for(&right(namespace, "pods", "list")).map(|role| role.name);
            assert_eq!(found, expected, "{namespace:?}");
        }
        // The rules of one that aggregates are written by a controller, into the roles that it aggregates they may go.
        let access = Access {
            roles: vec![aggregating, role("b", "r", Vec::new())],
            bindings: vec![binding("", "ClusterRole", "all", &own)],
            ..Access::default()
        };
        let roles = BoundRoles::of(&access);
        let grants = Grants::of(&roles, &account).unwrap();
        assert_eq!(
            grants.role_for(&right(None, "pods", "list")).map(|role| role.name),
            None
        );
    }

    #[test]
    fn a_role_has_the_rules_of_those_that_it_aggregates() {
        let labelled = |name, namespace| Role {
            labels: TextMap::from([("a", "b")]),
            ..role(namespace, name, Vec::new())
        };
        let aggregating = |rules| Role {
            aggregated: vec![LabelSelector {
                match_labels: TextMap::from([("a", "b")]),
                ..LabelSelector::default()
            }],
            ..role("", "all", rules)
        };
        for (roles, expected) in [
            (vec![aggregating(Vec::new()), labelled("x", "")], Some(vec!["x", "all"])),
            (
                vec![aggregating(Vec::new()), labelled("x", "ns"), role("", "y", Vec::new())],
                None,
            ),
            (vec![aggregating(vec![rule("list", "", "pods")])], Some(vec!["all"])),
            (vec![role("", "all", Vec::new()), labelled("x", "")], Some(vec!["all"])),
            (vec![role("ns", "all", Vec::new())], None),
        ] {
            let access = Access {
                roles,
                ..Access::default()
            };
            let found = aggregated(&access, ("", "all"));
            assert_eq!(
                found.map(|roles| roles.iter().map(|role| role.name).collect::<Vec<_>>()),
                expected
            );
        }
    }
}

//! RBAC rules that agents need but their ServiceAccounts lack, and accounts whose token is not mounted in the agents'
//! pods. Rules are checked only if the input contains the account's roles.

use std::collections::BTreeMap;

use super::rule::{Rule, RuleInput, RuleTarget, rule};
use crate::api::{GrafanaAgent, Resource, Resources};
use crate::diagnostic::listed::join_words;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::manifest::rbac::{
    self, Account, BoundRoles, Grants, NeededRights, Right, RightReason, TOKEN_DIRECTORIES, accounts, rules,
};
use crate::plan::Watcher;
use crate::resolve::Hierarchy;

pub const RULES: &[Rule] = &[
    rule(
        &[Code::MissingToken],
        RuleTarget::RuleInput(|input| {
            check_tokens(input.resources, input.hierarchies, input.conditions.target.watcher())
        }),
        "`shouldAutomount` of Kubernetes' admission plugin `ServiceAccount`",
    ),
    rule(&[Code::MissingPermission], RuleTarget::RuleInput(check), "`plugin/pkg/auth/authorizer/rbac` of Kubernetes"),
];

/// Checks the agents' accounts. An account without a role binding in the input is not checked.
fn check(input: &RuleInput<'_, '_>) -> Vec<Diagnostic> {
    let (resources, watcher) = (input.resources, input.conditions.target.watcher());
    if resources.access.bindings.is_empty() {
        return Vec::new();
    }
    let mut findings = Vec::new();
    let roles = BoundRoles::new(&resources.access);
    for (account, agents) in accounts(input.hierarchies) {
        let Some((first, mut grants)) = agents.first().zip(Grants::for_account(&roles, &account)) else {
            continue;
        };
        let agent = first.agent;
        let needs = NeededRights::new(agents, watcher);
        let missing_rules = missing_rules(needs.iter().filter(|(right, _)| !grants.allow(right)));
        findings.extend(missing_rules.iter().map(|missing| missing.diagnostic(&account, agent, &grants)));
    }
    findings
}

/// An RBAC rule that an agent's ServiceAccount lacks.
struct MissingRule<'n> {
    rule: rbac::RoleRule,
    /// First permission that the missing rule would grant.
    right: &'n Right,
    reason: &'n RightReason<'n>,
    /// Namespaces in which the rule is missing; empty for cluster-scoped objects, or if the rule is missing in all
    /// namespaces.
    namespaces: Vec<&'n str>,
}

/// Returns the missing rules, merged across namespaces.
fn missing_rules<'n>(missing_rights: impl Iterator<Item = (&'n Right, &'n RightReason<'n>)>) -> Vec<MissingRule<'n>> {
    let mut by_namespace = BTreeMap::<_, Vec<_>>::new();
    for (right, reason) in missing_rights {
        let key = (right.namespace.as_deref(), reason.is_certain);
        by_namespace.entry(key).or_default().push((right, reason));
    }
    let mut missing_rules = BTreeMap::<_, MissingRule<'n>>::new();
    for ((namespace, is_certain), rights) in by_namespace {
        for rule in rules(rights.iter().map(|(right, _)| *right)) {
            let is_given_by_rule = |right: &Right| rules([right]).iter().all(|part| is_subset(part, &rule));
            let Some((right, reason)) = rights.iter().find(|(right, _)| is_given_by_rule(right)) else {
                continue;
            };
            let missing = missing_rules
                .entry((namespace.is_some(), !is_certain, rule.clone()))
                .or_insert(MissingRule { rule, right, reason, namespaces: Vec::new() });
            missing.namespaces.extend(namespace);
        }
    }
    missing_rules.into_values().collect()
}

/// Whether `whole` grants everything that `rule` grants.
fn is_subset(rule: &rbac::RoleRule, whole: &rbac::RoleRule) -> bool {
    rule.group == whole.group
        && rule.resources.is_subset(&whole.resources)
        && rule.paths.is_subset(&whole.paths)
        && rule.verbs.is_subset(&whole.verbs)
}

impl MissingRule<'_> {
    fn diagnostic(
        &self,
        account: &Account,
        agent: &Resource<'_, GrafanaAgent<'_>>,
        grants: &Grants<'_, '_>,
    ) -> Diagnostic {
        let path = Account::field(&agent.spec);
        let Account { namespace, name } = account;
        let (severity, hint) = match self.reason.is_certain {
            true => (Code::MissingPermission.severity(), ""),
            false => (Severity::Warning, ", which is required to scrape with its token"),
        };
        let (verbs, place) = (join_words("and", &self.rule.verbs), self.describe_namespaces());
        let resources = self.rule.resources.iter().copied();
        let resources_and_paths = resources.chain(self.rule.paths.iter().map(String::as_str));
        let resources_and_paths = join_words("and", resources_and_paths.map(|name| format!("`{name}`")));
        let message =
            format!("ServiceAccount `{namespace}/{name}` is not allowed to {verbs} {resources_and_paths}{place}{hint}");
        let mut finding = agent
            .labeled_finding(Code::MissingPermission, &path, message, "the agent runs with this account")
            .severity(severity)
            .label(self.reason.origin.span(), format!("needed by {}", self.reason.origin.object()));
        let rule = yaml(&self.rule);
        let help = match grants.find_extendable_role(self.right) {
            Some(role) => {
                let (kind, name) = match role.namespace {
                    "" => ("ClusterRole", role.name),
                    _ => ("Role", role.name),
                };
                finding = finding.label(role.span, "this role lacks the rule");
                format!("add this rule to {kind} `{name}`: {rule}")
            }
            None => {
                let kind = self.right.namespace.as_ref().map_or("ClusterRole", |_| "Role");
                format!(
                    "bind a {kind} with the rule {rule} to the ServiceAccount; `agentctl rbac` prints all required rules"
                )
            }
        };
        finding.help(help)
    }

    fn describe_namespaces(&self) -> String {
        const MAX_NAMESPACES: usize = 3;
        let quoted: Vec<_> = self.namespaces.iter().map(|name| format!("`{name}`")).collect();
        match quoted.as_slice() {
            [] if self.right.object.is_cluster_wide() => String::new(),
            [] => " in all namespaces".to_owned(),
            [one] => format!(" in namespace {one}"),
            names if names.len() <= MAX_NAMESPACES => format!(" in namespaces {}", join_words("and", names)),
            [first, second, rest @ ..] => format!(" in namespaces {first}, {second} and {} others", rest.len()),
        }
    }
}

/// Formats a rule as an item in a role's YAML.
fn yaml(rule: &rbac::RoleRule) -> String {
    let list = |texts: Vec<&str>| texts.join(", ");
    let verbs = list(rule.verbs.iter().copied().collect());
    match rule.group {
        Some(group) => {
            let group = if group.is_empty() { "\"\"" } else { group };
            let resources = list(rule.resources.iter().copied().collect());
            format!("`{{apiGroups: [{group}], resources: [{resources}], verbs: [{verbs}]}}`")
        }
        None => {
            let paths = list(rule.paths.iter().map(String::as_str).collect());
            format!("`{{nonResourceURLs: [{paths}], verbs: [{verbs}]}}`")
        }
    }
}

/// Checks the agents whose account is in the input. A GrafanaAgent has no field for mounting the token regardless of
/// the account's setting. It can, however, mount a volume at the path where programs look for the token
/// (`shouldAutomount` in Kubernetes' `ServiceAccount` admission plugin).
pub fn check_tokens(
    resources: &Resources<'_>,
    hierarchies: &[Hierarchy<'_, '_>],
    watcher: Option<Watcher>,
) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (account, agents) in accounts(hierarchies) {
        let known_account = resources.access.account(&account.namespace, &account.name);
        let Some(span) = known_account.and_then(|account| account.without_token) else {
            continue;
        };
        for hierarchy in agents {
            let needs = NeededRights::new([hierarchy], watcher);
            let Some((_, reason)) = needs.iter().next().filter(|_| !mounts_token(&hierarchy.agent.spec)) else {
                continue;
            };
            let Account { namespace, name } = &account;
            let message = format!(
                "ServiceAccount `{namespace}/{name}` does not mount its token in pods, so this agent cannot authenticate to the API server"
            );
            let agent = hierarchy.agent;
            let path = Account::field(&agent.spec);
            let finding = agent.labeled_finding(Code::MissingToken, &path, message, "the agent runs with this account");
            let finding = finding
                .label(span, "set here")
                .label(reason.origin.span(), format!("needed by {}", reason.origin.object()));
            findings.push(finding.help("remove `automountServiceAccountToken: false` from the ServiceAccount"));
        }
    }
    findings
}

/// Whether a volume is mounted at the token's path.
fn mounts_token(agent: &GrafanaAgent<'_>) -> bool {
    let container_mounts = agent.containers.iter().filter_map(|container| container.get("volumeMounts")?.as_array());
    let mounts = agent.volume_mounts.iter().map(|mount| &**mount);
    let mut paths = mounts.chain(container_mounts.flatten()).filter_map(|mount| mount.get("mountPath")?.as_str());
    paths.any(|path| TOKEN_DIRECTORIES.contains(&path.trim_end_matches('/')))
}

#[cfg(test)]
mod tests {
    use super::mounts_token;
    use crate::check::tests::{agent, assert_lines, describe, findings, manifest};
    use crate::diagnostic::{Code, Diagnostic, Severity};
    use crate::testing;

    /// Returns the findings for an agent whose monitor searches `namespaces` and whose account has `rules` in all
    /// namespaces.
    fn findings_for_namespaces(namespaces: &str, rules: &str) -> Vec<Diagnostic> {
        let monitor = format!(
            "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {{name: s}}\nspec: {{selector: {{}}, \
             endpoints: [{{port: web, bearerTokenFile: /var/run/secrets/kubernetes.io/serviceaccount/token}}], namespaceSelector: {namespaces}}}\n"
        );
        findings_for_monitors(&[&monitor], rules)
    }

    /// Returns the findings for an agent with these monitors.
    fn findings_for_monitors(monitors: &[&str], rules: &str) -> Vec<Diagnostic> {
        let role = format!(
            "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {{name: r}}\nrules: {rules}\n"
        );
        let binding = "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: b}\nroleRef: \
                       {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: r}\nsubjects: [{kind: ServiceAccount, \
                       name: a, namespace: default}]\n";
        let agent = agent("a", "serviceAccountName: a, metrics: {instanceSelector: {}}");
        let instance = manifest("MetricsInstance", "i", "{serviceMonitorSelector: {}, probeSelector: {}}");
        let mut diagnostics = findings(&[&[&*agent, &instance, &role, binding], monitors].concat());
        diagnostics.retain(|finding| finding.code == Code::MissingPermission);
        diagnostics
    }

    const PODS: &str = "ServiceAccount `default/a` is not allowed to list and watch `endpoints`, `pods` and `services`";

    #[test]
    fn lists_namespaces_without_permissions() {
        for (namespaces, expected) in [
            ("{any: true}", " in all namespaces"),
            ("{matchNames: [n1]}", " in namespace `n1`"),
            ("{matchNames: [n1, n2]}", " in namespaces `n1` and `n2`"),
            ("{matchNames: [n1, n2, n3]}", " in namespaces `n1`, `n2` and `n3`"),
            ("{matchNames: [n1, n2, n3, n4]}", " in namespaces `n1`, `n2` and 2 others"),
        ] {
            let actual = findings_for_namespaces(namespaces, "[]");
            let errors = actual.iter().filter(|finding| finding.severity == Severity::Error);
            let messages: Vec<_> = errors.map(|finding| finding.message.as_str()).collect();
            assert_eq!(messages, [format!("{PODS}{expected}")], "{namespaces}");
        }
    }

    #[test]
    fn formats_missing_permissions_as_rules() {
        let verbs = "verbs: [list, watch]";
        let actual =
            findings_for_namespaces("{}", &format!("[{{apiGroups: [''], resources: [pods, services], {verbs}}}]"));
        let errors = actual.iter().filter(|finding| finding.severity == Severity::Error);
        let errors: Vec<_> =
            errors.map(|finding| (finding.message.as_str(), finding.help.as_deref().unwrap())).collect();
        let help =
            format!("add this rule to ClusterRole `r`: `{{apiGroups: [\"\"], resources: [endpoints], {verbs}}}`");
        let message = "ServiceAccount `default/a` is not allowed to list and watch `endpoints` in namespace `default`";
        assert_eq!(errors, [(message, help.as_str())]);
        let all_permissions =
            "[{apiGroups: ['*'], resources: ['*'], verbs: ['*']}, {nonResourceURLs: ['*'], verbs: ['*']}]";
        assert_eq!(findings_for_namespaces("{}", all_permissions), []);
    }

    #[test]
    fn messages_state_the_missing_permissions() {
        let messages_for =
            |namespaces, rules| findings_for_namespaces(namespaces, rules).iter().map(describe).collect::<Vec<_>>();
        let messages =
            [messages_for("{}", "[{nonResourceURLs: [/other], verbs: [get]}]"), messages_for("{any: true}", "[]")]
                .concat();
        assert_lines(
            &messages,
            "
            warning[missing-permission] spec.serviceAccountName: ServiceAccount `default/a` is not allowed to get `/metrics`, which is required to scrape with its token; add this rule to ClusterRole `r`: `{nonResourceURLs: [/metrics], verbs: [get]}` [the agent runs with this account] [needed by ServiceMonitor/default/s] [this role lacks the rule]
            error[missing-permission] spec.serviceAccountName: ServiceAccount `default/a` is not allowed to list and watch `endpoints`, `pods` and `services` in namespace `default`; add this rule to ClusterRole `r`: `{apiGroups: [\"\"], resources: [endpoints, pods, services], verbs: [list, watch]}` [the agent runs with this account] [needed by ServiceMonitor/default/s] [this role lacks the rule]
            error[missing-permission] spec.serviceAccountName: ServiceAccount `default/a` is not allowed to list and watch `endpoints`, `pods` and `services` in all namespaces; add this rule to ClusterRole `r`: `{apiGroups: [\"\"], resources: [endpoints, pods, services], verbs: [list, watch]}` [the agent runs with this account] [needed by ServiceMonitor/default/s] [this role lacks the rule]
            warning[missing-permission] spec.serviceAccountName: ServiceAccount `default/a` is not allowed to get `/metrics`, which is required to scrape with its token; add this rule to ClusterRole `r`: `{nonResourceURLs: [/metrics], verbs: [get]}` [the agent runs with this account] [needed by ServiceMonitor/default/s] [this role lacks the rule]
            ",
        );
    }

    #[test]
    fn reports_which_resource_needs_a_rule() {
        let head = "apiVersion: monitoring.coreos.com/v1\nkind";
        let monitor =
            format!("{head}: ServiceMonitor\nmetadata: {{name: s}}\nspec: {{selector: {{}}, endpoints: [{{}}]}}\n");
        let probe = format!(
            "{head}: Probe\nmetadata: {{name: p}}\nspec: {{prober: {{url: 'p:1'}}, targets: {{ingress: {{}}}}}}\n"
        );
        let actual = findings_for_monitors(&[&monitor, &probe], "[]");
        let permission_message =
            actual.iter().map(|finding| (finding.message.contains("`ingresses`"), finding.labels[1].text.as_str()));
        let expected = [(false, "needed by ServiceMonitor/default/s"), (true, "needed by Probe/default/p")];
        assert_eq!(permission_message.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn pods_without_a_token_have_no_permissions() {
        let account = |field: &str| {
            format!("apiVersion: v1\nkind: ServiceAccount\nmetadata: {{name: a, namespace: default}}\n{field}\n")
        };
        let monitor = "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {name: s}\nspec: {selector: {}, \
                       endpoints: [{port: web}]}\n";
        let messages_for = |fields: &str, account: &str, others: &[&str]| {
            let agent = agent("a", &format!("serviceAccountName: a, metrics: {{instanceSelector: {{}}}}, {fields}"));
            let instance = manifest("MetricsInstance", "i", "{serviceMonitorSelector: {}}");
            let mut diagnostics = findings(&[&[&*agent, account, &instance], others].concat());
            diagnostics.retain(|finding| finding.code == Code::MissingToken);
            diagnostics.iter().map(describe).collect::<Vec<_>>()
        };
        let without_token = account("automountServiceAccountToken: false");
        let mount = "volumeMounts: [{name: v, mountPath: /var/run/secrets/kubernetes.io/serviceaccount}]";
        assert_lines(
            &messages_for("", &without_token, &[monitor]),
            "
            error[missing-token] spec.serviceAccountName: ServiceAccount `default/a` does not mount its token in pods, so this agent cannot authenticate to the API server; remove `automountServiceAccountToken: false` from the ServiceAccount [the agent runs with this account] [set here] [needed by ServiceMonitor/default/s]
            ",
        );
        assert_eq!(messages_for("", &account("automountServiceAccountToken: true"), &[monitor]), [""; 0]);
        assert_eq!(messages_for("", &account(""), &[monitor]), [""; 0]);
        assert_eq!(messages_for(mount, &without_token, &[monitor]), [""; 0]);
        assert_eq!(messages_for("", &without_token, &[]), [""; 0]);
    }

    #[test]
    fn accepts_manually_mounted_tokens() {
        const TOKEN_DIRECTORY: &str = "/var/run/secrets/kubernetes.io/serviceaccount";
        for (fields, expected) in [
            (String::new(), false),
            (format!("volumeMounts: [{{name: v, mountPath: {TOKEN_DIRECTORY}}}]"), true),
            (format!("volumeMounts: [{{name: v, mountPath: {TOKEN_DIRECTORY}/}}]"), true),
            (format!("volumeMounts: [{{name: v, mountPath: {TOKEN_DIRECTORY}/x}}]"), false),
            (
                format!(
                    "containers: [{{name: c}}, {{name: d, volumeMounts: [{{name: v}}, {{mountPath: {TOKEN_DIRECTORY}}}]}}]"
                ),
                true,
            ),
        ] {
            let text = format!("{{{fields}}}");
            let documents = testing::documents(&text);
            let agent = crate::yaml::decode(documents[0].root()).unwrap();
            assert_eq!(mounts_token(&agent), expected, "{fields}");
        }
    }
}

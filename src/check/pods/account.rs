//! ServiceAccounts that do not exist in the agent's namespace.

use crate::api::{GrafanaAgent, Resource, Resources};
use crate::diagnostic::suggest::clear_suggestion;
use crate::diagnostic::{Code, Diagnostic, FieldPath};

/// Finding for an agent whose ServiceAccount is missing, although the input contains the account that was probably
/// meant.
pub(super) fn check(resources: &Resources<'_>, agent: &Resource<'_, GrafanaAgent<'_>>) -> Option<Diagnostic> {
    let (name, namespace) = (agent.spec.service_account_name, agent.meta.namespace);
    let accounts = &resources.access.accounts;
    if name.is_empty() || name == "default" || resources.access.account(namespace, name).is_some() {
        return None;
    }
    let path = FieldPath::parse("spec.serviceAccountName");
    let is_used = |other: &str| {
        let mut agents = resources.agents.iter();
        agents.any(|agent| agent.meta.namespace == namespace && agent.spec.service_account_name == other)
    };
    let unused_accounts = accounts.iter().filter(|account| account.namespace == namespace).map(|account| account.name);
    let unused_accounts: Vec<_> = unused_accounts.filter(|other| !is_used(other)).collect();
    let is_plural = |other: &&&str| format!("{other}s") == name || format!("{name}s") == **other;
    let intended_account = unused_accounts
        .iter()
        .find(is_plural)
        .copied()
        .or_else(|| clear_suggestion(name, unused_accounts.iter().copied()));
    let namesake = accounts.iter().find(|account| account.name == name);
    let (why, help) = match (intended_account, namesake) {
        (Some(intended_account), _) => (
            format!("namespace `{namespace}` in the input has only a similar one"),
            format!("did you mean `{intended_account}`?"),
        ),
        (None, Some(account)) => (
            format!(
                "ServiceAccount `{name}` is in namespace `{}`, and pods use accounts of their own namespace",
                account.namespace
            ),
            format!("create the ServiceAccount in namespace `{namespace}`"),
        ),
        (None, None) => return None,
    };
    let message = format!("the pods are never created, because there is no ServiceAccount `{namespace}/{name}`: {why}");
    Some(agent.finding(Code::NeverStarts, &path, message).help(help))
}

//! Accounts whose token pods do not get: whatever rights such an account has, its agents cannot use them.

use crate::api::{GrafanaAgent, Resources};
use crate::diagnostic::{Code, Diagnostic};
use crate::rbac::{Account, Needs, TOKEN_DIRECTORIES, accounts};
use crate::resolve::Hierarchy;

/// Checks the agents whose account is in the input. A GrafanaAgent has no field that mounts the token all the same, but it can
/// mount a volume where programs look for it (`shouldAutomount` of Kubernetes' admission plugin `ServiceAccount`).
pub fn tokens(resources: &Resources<'_>, hierarchies: &[Hierarchy<'_, '_>]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (account, agents) in accounts(hierarchies) {
        let known = resources.access.account(&account.namespace, &account.name);
        let Some(span) = known.and_then(|account| account.without_token) else {
            continue;
        };
        for hierarchy in agents {
            let needs = Needs::of([hierarchy]);
            let Some((_, reason)) = needs.iter().next().filter(|_| !mounts_token(&hierarchy.agent.spec)) else {
                continue;
            };
            let message = format!(
                "ServiceAccount `{}/{}` gives pods no token, so this agent has no rights at the API server",
                account.namespace, account.name
            );
            let agent = hierarchy.agent;
            let path = Account::field(&agent.spec);
            let finding = agent.labelled_finding(Code::MissingToken, &path, message, "runs with this account");
            found.push(
                finding
                    .label(span, "set here")
                    .label(reason.span, format!("needed by {}", reason.object))
                    .help("remove `automountServiceAccountToken: false` from the ServiceAccount"),
            );
        }
    }
    found
}

/// Whether a volume is mounted in the place of the token.
fn mounts_token(agent: &GrafanaAgent<'_>) -> bool {
    let of_containers = agent
        .containers
        .iter()
        .filter_map(|container| container.get("volumeMounts")?.as_array());
    let mounts = agent.volume_mounts.iter().map(|mount| &**mount);
    let mut paths = mounts
        .chain(of_containers.flatten())
        .filter_map(|mount| mount.get("mountPath")?.as_str());
    paths.any(|path| TOKEN_DIRECTORIES.contains(&path.trim_end_matches('/')))
}

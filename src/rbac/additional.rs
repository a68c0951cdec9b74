//! Scrape configurations that a Secret holds as YAML text: the jobs among them that discover targets at the API server, and
//! those that ask with the token of the pods.

use std::borrow::Cow;

use super::right::Watch;
use super::scrape::{Scrape, is_token_of_account};
use crate::yaml::Value;

/// What the discoveries of a job list and watch. `own` is the namespace of the agent.
pub(super) fn watches<'v>(job: &'v Value<'_>, own: &'v str) -> impl Iterator<Item = Watch<'v>> {
    let discoveries = job.items("kubernetes_sd_configs").iter();
    discoveries.flat_map(move |discovery| of_discovery(discovery, own))
}

/// `kubernetes_sd_config` of Prometheus.
fn of_discovery<'v>(discovery: &'v Value<'_>, own: &'v str) -> Vec<Watch<'v>> {
    let is_elsewhere = !discovery.text("api_server").is_empty() && !is_token_of_account(token_file(discovery));
    if is_elsewhere || !discovery.text("kubeconfig_file").is_empty() {
        return Vec::new();
    }
    let field = |of: &str, field: &str| discovery.get(of).and_then(|of| of.get(field));
    let names = discovery.get("namespaces").into_iter().flat_map(|of| of.items("names"));
    let mut namespaces: Vec<_> = names.filter_map(Value::as_str).collect();
    if field("namespaces", "own_namespace") == Some(&Value::Bool(true)) {
        namespaces.push(own);
    }
    let attached = [("node", "nodes"), ("namespace", "namespaces")].into_iter();
    let attached = attached.filter(|(name, _)| field("attach_metadata", name) == Some(&Value::Bool(true)));
    let attached = attached.map(|(_, resource)| Watch {
        group: "",
        resource,
        namespaces: Vec::new(),
    });
    Watch::of_role(discovery.text("role"), &namespaces)
        .chain(attached)
        .collect()
}

/// What a job scrapes, as far as rights are concerned.
pub(super) fn scrape<'v>(job: &'v Value<'_>) -> Scrape<'v> {
    let is_of_nodes = job
        .items("kubernetes_sd_configs")
        .iter()
        .any(|discovery| discovery.text("role") == "node");
    let rules = job.items("relabel_configs").iter();
    let is_by_proxy = |rule: &&Value<'_>| rule.text("target_label") == "__metrics_path__";
    let keeps_kubelets = |rule: &Value<'_>| rule.text("action") == "keep" && rule.text("regex").contains("kubelet");
    let is_redirected = rules.clone().any(|rule| rule.text("target_label") == "__address__");
    Scrape {
        token_file: token_file(job),
        path: job.text("metrics_path"),
        is_of_kubelets: (is_of_nodes && !is_redirected) || rules.clone().any(keeps_kubelets),
        replaced_paths: rules
            .filter(is_by_proxy)
            .map(|rule| Cow::Borrowed(rule.text("replacement")))
            .collect(),
    }
}

fn token_file<'v>(client: &'v Value<'_>) -> &'v str {
    let authorization = client.get("authorization");
    match authorization.map_or("", |authorization| authorization.text("credentials_file")) {
        "" => client.text("bearer_token_file"),
        file => file,
    }
}

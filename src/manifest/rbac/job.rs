//! API server requests that a scrape job makes: the objects that it discovers, and those that it scrapes with the pod's
//! token.

use super::right::{RightObject, WatchedResource};
use crate::yaml::Value;

/// Directories where the kubelet mounts a pod's account token. `/var/run` is a symlink.
pub const TOKEN_DIRECTORIES: [&str; 2] =
    ["/var/run/secrets/kubernetes.io/serviceaccount", "/run/secrets/kubernetes.io/serviceaccount"];

/// Whether a file is the token of the pod's account.
pub(super) fn is_token_of_account(file: &str) -> bool {
    let directory = file.strip_suffix("/token");
    directory.is_some_and(|directory| TOKEN_DIRECTORIES.contains(&directory))
}

/// Returns the resources that a job's service discovery lists and watches. `own_namespace` is the agent's namespace.
pub(super) fn watches<'v>(job: &'v Value<'_>, own_namespace: &'v str) -> impl Iterator<Item = WatchedResource<'v>> {
    let discoveries = job.items("kubernetes_sd_configs").iter();
    discoveries.flat_map(move |discovery| watched_by_discovery(discovery, own_namespace))
}

/// Returns the resources that a Prometheus `kubernetes_sd_config` lists and watches.
fn watched_by_discovery<'v>(discovery: &'v Value<'_>, own_namespace: &'v str) -> Vec<WatchedResource<'v>> {
    let uses_other_credentials =
        !discovery.text("api_server").is_empty() && !is_token_of_account(token_file(discovery));
    if uses_other_credentials || !discovery.text("kubeconfig_file").is_empty() {
        return Vec::new();
    }
    let field = |parent: &str, field: &str| discovery.get(parent).and_then(|parent| parent.get(field));
    let names = discovery.get("namespaces").into_iter().flat_map(|namespaces| namespaces.items("names"));
    let mut namespaces: Vec<_> = names.filter_map(Value::as_str).collect();
    if field("namespaces", "own_namespace") == Some(&Value::Bool(true)) {
        namespaces.push(own_namespace);
    }
    let attached_fields = [("node", "nodes"), ("namespace", "namespaces")].into_iter();
    let set_fields = attached_fields.filter(|(name, _)| field("attach_metadata", name) == Some(&Value::Bool(true)));
    let attached_resources =
        set_fields.map(|(_, resource)| WatchedResource { group: "", resource, namespaces: Vec::new() });
    WatchedResource::for_role(discovery.text("role"), &namespaces).chain(attached_resources).collect()
}

/// Paths that every account may read (`system:discovery` and `system:public-info-viewer` in Kubernetes).
const PUBLIC_PATHS: [&str; 4] = ["/healthz", "/livez", "/readyz", "/version"];

/// Node subresources for the kubelet's paths. All other paths map to `nodes/proxy` (`NewNodeAuthorizerAttributesGetter`
/// in `pkg/kubelet/server/auth.go`).
const KUBELET_SUBRESOURCES: [(&str, &str); 4] = [
    ("/metrics", "nodes/metrics"),
    ("/stats", "nodes/stats"),
    ("/logs", "nodes/log"),
    ("/checkpoint", "nodes/checkpoint"),
];

/// Resources for which the API server proxies requests.
const PROXIES: [(&str, &str); 3] =
    [("/nodes/", "nodes/proxy"), ("/services/", "services/proxy"), ("/pods/", "pods/proxy")];

/// Returns the objects that the account must be allowed to read if the job authenticates with the pod's token. The API
/// server, and programs that delegate authorization to it, check the path. A kubelet checks a subresource of its node.
pub(super) fn scraped_objects(job: &Value<'_>) -> Vec<RightObject> {
    if !is_token_of_account(token_file(job)) {
        return Vec::new();
    }
    let rules = job.items("relabel_configs").iter();
    let is_path = |rule: &&Value<'_>| rule.text("target_label") == "__metrics_path__";
    let metrics_paths = rules.clone().filter(is_path).map(|rule| rule.text("replacement"));
    let proxied_objects: Vec<_> = metrics_paths.filter_map(proxied_object).collect();
    if !proxied_objects.is_empty() {
        return proxied_objects;
    }
    let path = match job.text("metrics_path") {
        "" => "/metrics".to_owned(),
        path if path.starts_with('/') => path.to_owned(),
        path => format!("/{path}"),
    };
    // Kubelets map the paths of a node to subresources.
    let mut discoveries = job.items("kubernetes_sd_configs").iter();
    let discovers_nodes = discoveries.any(|discovery| discovery.text("role") == "node");
    let is_redirected = rules.clone().any(|rule| rule.text("target_label") == "__address__");
    let keeps_kubelets = |rule: &Value<'_>| rule.text("action") == "keep" && rule.text("regex").contains("kubelet");
    if (discovers_nodes && !is_redirected) || rules.clone().any(keeps_kubelets) {
        let is_below = |prefix: &str| {
            path.strip_prefix(prefix).is_some_and(|rest| matches!(rest.chars().next(), None | Some('/')))
        };
        let subresource = KUBELET_SUBRESOURCES.iter().find(|(prefix, _)| is_below(prefix));
        return vec![RightObject::core(subresource.map_or("nodes/proxy", |(_, part)| part))];
    }
    if PUBLIC_PATHS.contains(&path.as_str()) {
        return Vec::new();
    }
    vec![RightObject::Path(path)]
}

/// Returns the object in a path that the API server proxies, such as `/api/v1/nodes/${1}/proxy/metrics`.
fn proxied_object(path: &str) -> Option<RightObject> {
    let (object, _) = path.strip_prefix("/api/v1")?.split_once("/proxy")?;
    let proxy = PROXIES.iter().find(|(part, _)| object.contains(part))?;
    Some(RightObject::core(proxy.1))
}

fn token_file<'v>(client: &'v Value<'_>) -> &'v str {
    let authorization = client.get("authorization");
    match authorization.map_or("", |authorization| authorization.text("credentials_file")) {
        "" => client.text("bearer_token_file"),
        file => file,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn maps_paths_to_permissions() {
        let resource = |resource| vec![RightObject::core(resource)];
        let path = |path: &str| vec![RightObject::Path(path.to_owned())];
        let proxy = "/api/v1/nodes/${1}/proxy/metrics/cadvisor";
        let cases = [
            ("", false, "", path("/metrics")),
            ("/slis", false, "", path("/slis")),
            ("slis", false, "", path("/slis")),
            ("/readyz", false, "", Vec::new()),
            ("", true, "", resource("nodes/metrics")),
            ("/metrics/cadvisor", true, "", resource("nodes/metrics")),
            ("/metricsx", true, "", resource("nodes/proxy")),
            ("/stats/summary", true, "", resource("nodes/stats")),
            ("/pods", true, "", resource("nodes/proxy")),
            ("", true, proxy, resource("nodes/proxy")),
            ("", false, "/api/v1/namespaces/a/services/b:http/proxy/metrics", resource("services/proxy")),
            ("", false, "/api/v1/namespaces/a/pods/b:80/proxy/metrics", resource("pods/proxy")),
            ("", false, "$1", path("/metrics")),
        ];
        let tokens = TOKEN_DIRECTORIES.map(|directory| format!("{directory}/token"));
        for (path, is_of_kubelets, replaced, expected) in cases {
            let path_rule =
                Value::from([("target_label", "__metrics_path__".into()), ("replacement", replaced.into())]);
            let keep_rule = Value::from([("action", "keep".into()), ("regex", "kubelet".into())]);
            let rules: Vec<_> = [path_rule].into_iter().chain(is_of_kubelets.then_some(keep_rule)).collect();
            let job = |token_file: &str| {
                let fields = [("bearer_token_file", token_file), ("metrics_path", path)];
                let [token, path] = fields.map(|(key, text)| (key, Value::from(text.to_owned())));
                Value::from([token, path, ("relabel_configs", rules.clone().into())])
            };
            for token in &tokens {
                assert_eq!(scraped_objects(&job(token)), expected, "{path} {replaced}");
            }
            assert_eq!(scraped_objects(&job("/etc/token")), []);
        }
    }

    /// Tests which resources each role watches, as in Prometheus' `Discovery.Run`.
    #[test]
    fn discovery_roles_determine_watched_resources() {
        let token = format!("{}/token", TOKEN_DIRECTORIES[0]);
        for (discovery, expected) in [
            (json!({"role": "pod"}), &["pods *"][..]),
            (json!({"role": "service"}), &["services *"]),
            (json!({"role": "ingress"}), &["networking.k8s.io/ingresses *"]),
            (json!({"role": "node"}), &["nodes *"]),
            (json!({"role": "endpoints"}), &["endpoints *", "pods *", "services *"]),
            (json!({"role": "endpointslice"}), &["discovery.k8s.io/endpointslices *", "pods *", "services *"]),
            (json!({"role": "other"}), &[]),
            (json!({"role": "pod", "namespaces": {"names": ["a", "b"]}}), &["pods a b"]),
            (json!({"role": "pod", "namespaces": {"names": ["a"], "own_namespace": true}}), &["pods a own"]),
            (json!({"role": "pod", "namespaces": {"own_namespace": false}}), &["pods *"]),
            (
                json!({"role": "pod", "namespaces": {"names": ["a"]}, "attach_metadata": {"node": true}}),
                &["pods a", "nodes *"],
            ),
            (
                json!({"role": "pod", "attach_metadata": {"node": false, "namespace": true}}),
                &["pods *", "namespaces *"],
            ),
            (json!({"role": "pod", "kubeconfig_file": "/f"}), &[]),
            (json!({"role": "pod", "api_server": "a"}), &[]),
            (json!({"role": "pod", "api_server": "a", "bearer_token_file": "/f"}), &[]),
            (json!({"role": "pod", "api_server": "a", "bearer_token_file": token}), &["pods *"]),
            (json!({"role": "pod", "api_server": "a", "authorization": {"credentials_file": token}}), &["pods *"]),
            (
                json!({"role": "pod", "api_server": "a", "bearer_token_file": token, "authorization": {"credentials_file": "/f"}}),
                &[],
            ),
            (json!({"role": "pod", "api_server": "a", "bearer_token_file": token, "kubeconfig_file": "/f"}), &[]),
        ] {
            let job = Value::from(json!({"kubernetes_sd_configs": [discovery]}));
            let actual = watches(&job, "own").map(|watch| {
                let group = match watch.group {
                    "" => String::new(),
                    group => format!("{group}/"),
                };
                let places = if watch.namespaces.is_empty() { "*".to_owned() } else { watch.namespaces.join(" ") };
                format!("{group}{} {places}", watch.resource)
            });
            assert_eq!(actual.collect::<Vec<_>>(), expected, "{discovery}");
        }
    }

    #[test]
    fn maps_proxy_paths_to_proxy_permissions() {
        for (path, expected) in [
            ("/api/v1/nodes/a/proxy/metrics", Some("nodes/proxy")),
            ("/api/v1/namespaces/a/pods/b/proxy", Some("pods/proxy")),
            ("/api/v1/namespaces/a/services/b/proxy/x", Some("services/proxy")),
            ("/api/v1/namespaces/a/secrets/b/proxy/x", None),
            ("/api/v1/nodes/a/metrics", None),
            ("/apis/v1/nodes/a/proxy/metrics", None),
            ("/metrics", None),
        ] {
            assert_eq!(proxied_object(path), expected.map(RightObject::core), "{path}");
        }
    }

    #[test]
    fn node_targets_need_kubelet_permissions_unless_redirected() {
        let token = format!("{}/token", TOKEN_DIRECTORIES[1]);
        let node_discovery = json!([{"role": "pod"}, {"role": "node"}]);
        let redirected_address = json!([{"target_label": "__address__", "replacement": "a:1"}]);
        let path = |path: &str| vec![RightObject::Path(path.to_owned())];
        for (job, expected) in [
            (json!({"kubernetes_sd_configs": node_discovery}), vec![RightObject::core("nodes/metrics")]),
            (json!({"kubernetes_sd_configs": node_discovery, "relabel_configs": redirected_address}), path("/metrics")),
            (json!({"kubernetes_sd_configs": [{"role": "pod"}]}), path("/metrics")),
            (json!({"relabel_configs": [{"action": "drop", "regex": "kubelet"}]}), path("/metrics")),
            (json!({"relabel_configs": [{"action": "keep", "regex": "x"}]}), path("/metrics")),
            (
                json!({"relabel_configs": [{"action": "keep", "regex": "my-kubelet"}]}),
                vec![RightObject::core("nodes/metrics")],
            ),
        ] {
            let mut job = job;
            job["bearer_token_file"] = json!(token);
            assert_eq!(scraped_objects(&Value::from(job.clone())), expected, "{job}");
        }
    }
}

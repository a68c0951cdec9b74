//! What a scrape asks for that proves who it is with the token of its pod.

use std::borrow::Cow;

use super::right::Object;
use crate::plan::ScrapeJob;

/// Where the kubelet puts the token of a pod's account: `/var/run` is a link.
pub const TOKEN_DIRECTORIES: [&str; 2] = [
    "/var/run/secrets/kubernetes.io/serviceaccount",
    "/run/secrets/kubernetes.io/serviceaccount",
];

/// Whether a file is the token of the pod's account.
pub(super) fn is_token_of_account(file: &str) -> bool {
    let directory = file.strip_suffix("/token");
    directory.is_some_and(|directory| TOKEN_DIRECTORIES.contains(&directory))
}

/// A scrape, as far as rights are concerned.
pub(super) struct Scrape<'d> {
    pub(super) token_file: &'d str,
    /// The path of the metrics; empty for the default.
    pub(super) path: &'d str,
    /// Whether kubelets are asked, which know the paths of a node as parts of it.
    pub(super) is_of_kubelets: bool,
    /// What rules put into the place of the path.
    pub(super) replaced_paths: Vec<Cow<'d, str>>,
}

/// What every account may read (`system:discovery`, `system:public-info-viewer` of Kubernetes).
const PUBLIC: [&str; 4] = ["/healthz", "/livez", "/readyz", "/version"];

/// The parts of a node that the kubelet takes its paths for; any other is `nodes/proxy` (`NewNodeAuthorizerAttributesGetter`
/// in `pkg/kubelet/server/auth.go`).
const OF_KUBELET: [(&str, &str); 4] = [
    ("/metrics", "nodes/metrics"),
    ("/stats", "nodes/stats"),
    ("/logs", "nodes/log"),
    ("/checkpoint", "nodes/checkpoint"),
];

/// Objects that the API server hands requests on to.
const PROXIES: [(&str, &str); 3] = [
    ("/nodes/", "nodes/proxy"),
    ("/services/", "services/proxy"),
    ("/pods/", "pods/proxy"),
];

impl<'d> Scrape<'d> {
    /// What a job of a monitor asks for.
    pub(super) fn of(job: &ScrapeJob<'d>) -> Self {
        // Its selector is a rule.
        let keeps_kubelets = job
            .relabelings
            .iter()
            .any(|rule| rule.action == "keep" && rule.regex.as_ref().is_some_and(|regex| regex.contains("kubelet")));
        let replaced = job.relabelings.iter();
        let replaced = replaced.filter(|rule| rule.target_label.as_deref() == Some("__metrics_path__"));
        Self {
            token_file: job.http.bearer_token_file,
            path: job.path,
            is_of_kubelets: keeps_kubelets,
            replaced_paths: replaced.filter_map(|rule| rule.replacement.clone()).collect(),
        }
    }

    /// What whoever is asked looks up the right to read for. Such a program asks the API server about the path, as the
    /// API server itself does; the kubelet about a part of its node.
    pub(super) fn objects(&self) -> Vec<Object> {
        if !is_token_of_account(self.token_file) {
            return Vec::new();
        }
        let proxied: Vec<_> = self.replaced_paths.iter().filter_map(|path| proxied(path)).collect();
        if !proxied.is_empty() {
            return proxied;
        }
        let path = match self.path {
            "" => "/metrics".to_owned(),
            path if path.starts_with('/') => path.to_owned(),
            path => format!("/{path}"),
        };
        if self.is_of_kubelets {
            let is_below = |prefix: &str| {
                path.strip_prefix(prefix)
                    .is_some_and(|rest| matches!(rest.chars().next(), None | Some('/')))
            };
            let part = OF_KUBELET.iter().find(|(prefix, _)| is_below(prefix));
            return vec![Object::core(part.map_or("nodes/proxy", |(_, part)| part))];
        }
        if PUBLIC.contains(&path.as_str()) {
            return Vec::new();
        }
        vec![Object::Path(path)]
    }
}

/// The object that a path leads through: `/api/v1/nodes/${1}/proxy/metrics`.
fn proxied(path: &str) -> Option<Object> {
    let (object, _) = path.strip_prefix("/api/v1")?.split_once("/proxy")?;
    let found = PROXIES.iter().find(|(part, _)| object.contains(part))?;
    Some(Object::core(found.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_a_right_of_its_own_or_one_on_nodes() {
        let resource = |resource| vec![Object::core(resource)];
        let path = |path: &str| vec![Object::Path(path.to_owned())];
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
            (
                "",
                false,
                "/api/v1/namespaces/a/services/b:http/proxy/metrics",
                resource("services/proxy"),
            ),
            (
                "",
                false,
                "/api/v1/namespaces/a/pods/b:80/proxy/metrics",
                resource("pods/proxy"),
            ),
            ("", false, "$1", path("/metrics")),
        ];
        let tokens = TOKEN_DIRECTORIES.map(|directory| format!("{directory}/token"));
        for (path, is_of_kubelets, replaced, expected) in cases {
            let scrape = |token_file| Scrape {
                token_file,
                path,
                is_of_kubelets,
                replaced_paths: vec![replaced.into()],
            };
            for token in &tokens {
                assert_eq!(scrape(token).objects(), expected, "{path} {replaced}");
            }
            assert_eq!(scrape("/etc/token").objects(), []);
        }
    }
}

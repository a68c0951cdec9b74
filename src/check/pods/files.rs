//! Files that the configuration refers to, but that no volume provides.

use crate::api::{GrafanaAgent, Kind, Resource, ResourceHeader, Resources, find};
use crate::diagnostic::{Code, Diagnostic, FieldPath, Severity};
use crate::resolve::Hierarchy;
use crate::yaml::Node;

/// Directories that exist in the agent's image, or that Kubernetes or the operator mounts.
const KNOWN_DIRECTORIES: [&str; 6] =
    ["/var/run/secrets/", "/run/secrets/", "/etc/ssl/", "/etc/pki/", "/var/lib/grafana-agent/config", "/proc/"];
const SECRETS: &str = "/var/lib/grafana-agent/extra-secrets/";
const CONFIG_MAPS: &str = "/var/lib/grafana-agent/extra-configmaps/";

/// Reports TLS and token files that do not exist in an agent's pods.
pub(super) fn check(resources: &Resources<'_>, hierarchy: &Hierarchy<'_, '_>, findings: &mut Vec<Diagnostic>) {
    let files = Files::new(resources, hierarchy.agent);
    let agent = hierarchy.agent;
    if let Some(server) = agent.root.at("spec.apiServer") {
        files.check_client(agent, server, || FieldPath::parse("spec.apiServer"), findings);
    }
    let list = |head: &ResourceHeader<'_>, field: &'static str, findings: &mut Vec<Diagnostic>| {
        for (i, client) in head.root.at(field).into_iter().flat_map(Node::items).enumerate() {
            files.check_client(head, client, || FieldPath::parse(field).index(i), findings);
        }
    };
    list(agent, "spec.metrics.remoteWrite", findings);
    list(agent, "spec.logs.clients", findings);
    for metrics in &hierarchy.metrics {
        list(metrics.instance, "spec.remoteWrite", findings);
        for monitor in &metrics.service_monitors {
            list(monitor, "spec.endpoints", findings);
        }
    }
    for logs in &hierarchy.logs {
        list(logs.instance, "spec.clients", findings);
    }
}

/// Files in an agent's container.
struct Files<'f, 'd> {
    resources: &'f Resources<'d>,
    agent: &'f Resource<'d, GrafanaAgent<'d>>,
    /// Directories that volumes are mounted at.
    mounts: Vec<&'d str>,
}

impl<'f, 'd> Files<'f, 'd> {
    fn new(resources: &'f Resources<'d>, agent: &'f Resource<'d, GrafanaAgent<'d>>) -> Self {
        let paths = |list: Option<Node<'d>>| {
            let mounts = list.into_iter().flat_map(Node::items);
            mounts.filter_map(|mount| mount.get("mountPath")?.as_str()).collect::<Vec<_>>()
        };
        let mut mounts = paths(agent.root.at("spec.volumeMounts"));
        for container in agent.root.at("spec.containers").into_iter().flat_map(Node::items) {
            if container.get("name").and_then(|name| name.as_str()) == Some("grafana-agent") {
                mounts.extend(paths(container.get("volumeMounts")));
            }
        }
        Self { resources, agent, mounts }
    }

    fn check_client(
        &self,
        head: &ResourceHeader<'_>,
        client: Node<'_>,
        path: impl Fn() -> FieldPath<'static>,
        findings: &mut Vec<Diagnostic>,
    ) {
        let tls = ["caFile", "certFile", "keyFile"].map(|field| (Some("tlsConfig"), field));
        for (parent, field) in tls.into_iter().chain([(None, "bearerTokenFile")]) {
            let holder = match parent {
                Some(parent) => client.get(parent),
                None => Some(client),
            };
            let file = holder.and_then(|holder| holder.get(field)).and_then(|file| file.as_str()).unwrap_or_default();
            let Some((problem, help)) = self.problem(file) else { continue };
            let path = parent.iter().fold(path(), |path, parent| path.key(*parent)).key(field);
            let severity = match (self.agent.spec.image, parent) {
                (Some(_), _) => Severity::Note,
                (None, Some(_)) => Severity::Error,
                (None, None) => Severity::Warning,
            };
            findings.push(head.finding(Code::MissingFile, &path, problem).help(help).severity(severity));
            return;
        }
    }

    /// Returns the reason that a file does not exist, and advice on how to provide it.
    fn problem(&self, file: &str) -> Option<(String, String)> {
        if !file.starts_with('/') || file.contains("..") || file.contains('$') {
            return None;
        }
        let spec = &self.agent.spec;
        for (root, kind, mounted) in
            [(SECRETS, Kind::Secret, &spec.secrets), (CONFIG_MAPS, Kind::ConfigMap, &spec.config_maps)]
        {
            let Some((name, key)) = file.strip_prefix(root).and_then(|rest| rest.split_once('/')) else { continue };
            let field = if kind == Kind::Secret { "secrets" } else { "configMaps" };
            if !mounted.contains(&name) {
                let problem = format!(
                    "the file does not exist in the agent's pods: `spec.{field}` does not list {kind} `{name}`"
                );
                return Some((problem, format!("add `{name}` to `spec.{field}` of the GrafanaAgent")));
            }
            let object = find(self.resources.data(kind), self.agent.meta.namespace, name)?;
            let has_key = object.spec.values.contains_key(key);
            let problem = format!("the file does not exist in the agent's pods: {kind} `{name}` has no key `{key}`");
            return (!has_key).then(|| (problem, "use a key that the object has, or add this one".to_owned()));
        }
        let is_below = |directory: &&str| {
            let directory = directory.trim_end_matches('/');
            file == directory || file.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/'))
        };
        if KNOWN_DIRECTORIES.iter().any(|candidate| file.starts_with(candidate)) || self.mounts.iter().any(is_below) {
            return None;
        }
        let problem = "the file does not exist in the agent's pods: no volume is mounted there".to_owned();
        Some((problem, "add the Secret to `spec.secrets`, or a volume and its mount, in the GrafanaAgent".to_owned()))
    }
}

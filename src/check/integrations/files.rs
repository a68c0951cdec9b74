//! Files that an Integration's configuration refers to.
//!
//! Reports a path where nothing is mounted. Also reports a path in the directory for Integrations' Secrets and
//! ConfigMaps if no Integration lists the file (`integrationsPodTemplateOptions` in the operator). The agent does not
//! find the file, so most integrations either do not start or collect nothing. An example is `ca_file:
//! /etc/grafana-agent/integrations/secrets/shop/kafka/ca.crt` without an item in `spec.secrets`.

use std::collections::{BTreeSet, HashSet};

use crate::api::core::embedded;
use crate::api::{Integration, RejectedFields, Resource};
use crate::diagnostic::listed::truncate;
use crate::diagnostic::suggest::closest;
use crate::diagnostic::{Code, Diagnostic, FieldPath};
use crate::programs::integrations;
use crate::programs::types;
use crate::resolve::{AssetKey, Hierarchy};
use crate::yaml::{GoType, Node};

/// Directory where the keys of `spec.secrets` and `spec.configMaps` are mounted.
const DIRECTORY: &str = "/etc/grafana-agent/integrations";

/// Directories and files that exist in a container without being mounted. They are provided by the image, the kernel,
/// the kubelet or the agent.
const WITHOUT_MOUNT: &[&str] = &[
    "/bin",
    "/dev",
    "/etc/ca-certificates",
    "/etc/hosts",
    "/etc/pki",
    "/etc/resolv.conf",
    "/etc/ssl",
    "/lib",
    "/proc",
    "/run",
    "/sys",
    "/tmp",
    "/usr",
    "/var/lib/docker/containers",
    "/var/lib/grafana-agent/config",
    "/var/lib/grafana-agent/config-in",
    "/var/lib/grafana-agent/data",
    "/var/lib/grafana-agent/secrets",
    "/var/log",
    "/var/run",
];

/// Maximum number of comparisons between missing files and existing names. Above this limit, nothing is suggested.
const MAX_COMPARISONS: usize = 100_000;

/// Maximum length of a Linux path in bytes (`PATH_MAX`).
const MAX_PATH_LENGTH: usize = 4096;

/// Checks the files that an agent's Integrations refer to. Agents with patched containers or rejected fields are
/// skipped, because they may mount files that are not visible here.
pub(super) fn check(hierarchy: &Hierarchy<'_, '_>, rejected: &RejectedFields<'_>, findings: &mut Vec<Diagnostic>) {
    let mut integrations = hierarchy.integrations.iter();
    let is_doubtful = rejected.has_any(hierarchy.agent.object_ref())
        || integrations.any(|integration| rejected.has_any(integration.object_ref()));
    if is_doubtful || !hierarchy.agent.spec.containers.is_empty() {
        return;
    }
    let [mut other_mounts, mut node_mounts] = [false, true].map(|all_nodes| Mounts::new(hierarchy, all_nodes));
    for &integration in &hierarchy.integrations {
        let entry = integrations::find(integration.spec.name).zip(integration.root.at("spec.config"));
        let mounts = match integration.spec.r#type.all_nodes {
            true => &mut node_mounts,
            false => &mut other_mounts,
        };
        for (key, go_type) in entry.iter().flat_map(|(entry, _)| entry.config.fields()) {
            let value = entry.as_ref().and_then(|(_, config)| config.get(key));
            if let Some(value) = value {
                let path = FieldPath::parse("spec.config").key(*key);
                for_each_text(go_type, value, &path, &mut |path, go_type, text| {
                    findings.extend(mounts.find_missing_file(integration, path, go_type, text));
                });
            }
        }
    }
}

/// Calls `then` for each string in a value, with the string's path and type.
fn for_each_text<'d>(
    go_type: &GoType,
    value: Node<'d>,
    path: &FieldPath<'_>,
    then: &mut dyn FnMut(&FieldPath<'_>, &GoType, &'d str),
) {
    match go_type {
        GoType::Path | GoType::String => {
            if let Some(text) = value.as_str() {
                then(path, go_type, text);
            }
        }
        GoType::List(go_type) => {
            for (i, item) in value.items().enumerate() {
                for_each_text(go_type, item, &path.index(i), then);
            }
        }
        GoType::Map(go_type) => {
            for entry in value.entries() {
                for_each_text(go_type, entry.value, &path.key(entry.key), then);
            }
        }
        GoType::Struct(name) => {
            for (key, go_type) in types::find(name).into_iter().flat_map(types::Struct::fields) {
                if let Some(value) = value.get(key) {
                    for_each_text(go_type, value, &path.key(*key), then);
                }
            }
        }
        _ => {}
    }
}

/// Files and directories in one of the two kinds of pods: those that run Integrations on every node, and those that run
/// all other Integrations.
struct Mounts {
    directories: HashSet<String>,
    /// Files below [`DIRECTORY`].
    files: BTreeSet<String>,
    /// Remaining number of comparisons with missing files.
    comparisons: usize,
}

impl Mounts {
    fn new(hierarchy: &Hierarchy<'_, '_>, all_nodes: bool) -> Self {
        let spec = &hierarchy.agent.spec;
        let integrations = hierarchy.integrations.iter();
        let integrations: Vec<_> =
            integrations.filter(|integration| integration.spec.r#type.all_nodes == all_nodes).collect();
        let volume_mounts = integrations.iter().flat_map(|integration| &integration.spec.volume_mounts);
        let paths = volume_mounts.chain(&spec.volume_mounts);
        let extra = |kind, names: &[&str]| {
            let directory = |name| format!("/var/lib/grafana-agent/extra-{kind}/{name}");
            names.iter().map(directory).collect::<Vec<_>>()
        };
        let paths = paths.map(|mount| embedded::text_field(mount, "mountPath").trim_end_matches('/').to_owned());
        let mut directories: HashSet<_> = paths.collect();
        directories.extend(WITHOUT_MOUNT.iter().map(|path| (*path).to_owned()));
        directories.extend(extra("secrets", &spec.secrets));
        directories.extend(extra("configmaps", &spec.config_maps));
        let files = integrations.iter().flat_map(|integration| {
            let namespace = integration.meta.namespace;
            let secrets = integration.spec.secrets.iter();
            let config_maps = integration.spec.config_maps.iter();
            secrets
                .map(move |key| AssetKey::secret(namespace, key))
                .chain(config_maps.map(move |key| AssetKey::config_map(namespace, key)))
        });
        Self {
            directories,
            files: files.map(|key| format!("{DIRECTORY}{key}")).collect(),
            comparisons: MAX_COMPARISONS,
        }
    }

    /// Returns a finding if a file does not exist in the pods.
    fn find_missing_file(
        &mut self,
        integration: &Resource<'_, Integration<'_>>,
        path: &FieldPath<'_>,
        go_type: &GoType,
        text: &str,
    ) -> Option<Diagnostic> {
        const MAX_CHARS: usize = 120;
        let is_listed = is_below(text, DIRECTORY);
        let is_known = text.len() > MAX_PATH_LENGTH || self.files.contains(text) || self.contains_path(text);
        // The agent replaces `${…}`, and a relative path refers to a file in the image.
        if !text.starts_with('/') || text.contains('$') || is_known || !is_listed && *go_type != GoType::Path {
            return None;
        }
        let truncated = truncate(text, MAX_CHARS);
        let (message, help) = if is_listed {
            let message = format!("no Integration mounts a Secret or ConfigMap at `{truncated}`");
            let help = match self.nearest_path(text) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!(
                    "add the key to `spec.secrets` or `spec.configMaps`, and use the path `{DIRECTORY}/secrets/NAMESPACE/NAME/KEY` or \
                     `…/configMaps/…`"
                ),
            };
            (message, help)
        } else {
            let message = format!("nothing is mounted at `{truncated}`, so the agent cannot find this file");
            let help = "mount a volume there, or list the Secret or ConfigMap that contains the file in `spec.secrets` or `spec.configMaps` and update the path";
            (message, help.to_owned())
        };
        Some(integration.finding(Code::UnmountedFile, path, message).help(help))
    }

    /// Whether a path is in a mount or in a directory that exists without being mounted.
    fn contains_path(&self, text: &str) -> bool {
        let mut parent = text;
        while !self.directories.contains(parent) {
            match parent.rsplit_once('/') {
                Some((directory, _)) => parent = directory,
                None => return false,
            }
        }
        true
    }

    /// Returns the mounted file that was most likely meant, or `None` if none is similar.
    fn nearest_path(&mut self, text: &str) -> Option<&str> {
        self.comparisons = self.comparisons.checked_sub(self.files.len())?;
        closest(text, self.files.iter().map(String::as_str))
    }
}

/// Whether a path is `directory` or is below it.
fn is_below(path: &str, directory: &str) -> bool {
    let rest = path.strip_prefix(directory.trim_end_matches('/'));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{agent, lines, manifest};

    const SECRET: &str = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {ca.crt: x}\n";
    const LISTED_SECRET: &str = "secrets: [{name: s, key: ca.crt}], ";

    /// Returns the paths of the findings about missing files for an Integration and an agent.
    fn file_findings(agent_fields: &str, fields: &str, name: &str, config: &str) -> Vec<String> {
        let agent_fields = format!("integrations: {{selector: {{}}}}, {agent_fields}");
        let spec = format!("{{name: {name}, type: {{allNodes: false, unique: false}}, {fields}config: {config}}}");
        let findings = lines(&[&agent("a", &agent_fields), SECRET, &manifest("Integration", "i", &spec)]);
        let findings = findings.iter().filter_map(|line| line.strip_prefix("unmounted-file spec.config."));
        findings.filter_map(|line| Some(line.split_once(": ")?.0.to_owned())).collect()
    }

    #[test]
    fn accepts_mounted_files() {
        let kafka = |path: &str| format!("{{kafka_uris: [a], ca_file: '{path}'}}");
        for (agent_fields, fields, path) in [
            ("", LISTED_SECRET, "/etc/grafana-agent/integrations/secrets/default/s/ca.crt"),
            ("", "volumeMounts: [{name: v, mountPath: /certs}], ", "/certs/ca.crt"),
            ("", "volumeMounts: [{name: v, mountPath: /certs/}], ", "/certs/ca.crt"),
            ("volumeMounts: [{name: v, mountPath: /certs}]", "", "/certs/ca.crt"),
            ("secrets: [s]", "", "/var/lib/grafana-agent/extra-secrets/s/ca.crt"),
            ("configMaps: [s]", "", "/var/lib/grafana-agent/extra-configmaps/s/ca.crt"),
            ("containers: [{name: grafana-agent}]", "", "/certs/ca.crt"),
            ("", "", "/etc/ssl/certs/ca-certificates.crt"),
            ("", "", "/var/run/secrets/kubernetes.io/serviceaccount/ca.crt"),
            ("", "", "ca.crt"),
            ("", "", "${CA}"),
        ] {
            assert_eq!(file_findings(agent_fields, fields, "kafka", &kafka(path)), [""; 0], "{agent_fields} {path}");
        }
    }

    #[test]
    fn reports_files_that_are_not_mounted() {
        let secrets_directory = "/etc/grafana-agent/integrations";
        for (fields, name, config, expected) in [
            ("", "kafka", "{kafka_uris: [a], ca_file: /certs/ca.crt}".to_owned(), "ca_file"),
            (
                LISTED_SECRET,
                "kafka",
                format!("{{kafka_uris: [a], key_file: {secrets_directory}/secrets/default/s/tls.key}}"),
                "key_file",
            ),
            ("", "snmp", "{config_file: /etc/snmp.yml}".to_owned(), "config_file"),
            ("", "memcached", "{tls_config: {ca_file: /certs/ca.crt}}".to_owned(), "tls_config.ca_file"),
            ("", "mysql", format!("{{instance: {secrets_directory}/secrets/default/s/x}}"), "instance"),
            (
                "",
                "blackbox",
                "{blackbox_config: {modules: {h: {http: {bearer_token_file: /token}}}}}".to_owned(),
                "blackbox_config.modules.h.http.bearer_token_file",
            ),
            (
                "volumeMounts: [{name: v, mountPath: /certs}], ",
                "redis",
                "{redis_addr: a, tls_ca_cert_file: /certs2/a}".to_owned(),
                "tls_ca_cert_file",
            ),
        ] {
            assert_eq!(file_findings("", fields, name, &config), [expected], "{name} {config}");
        }
    }
}

//! Detection of output from earlier renders in an input directory. Output is not read as input.

use std::collections::HashSet;
use std::fs;
use std::io::Read;
use std::path::PathBuf;

use walkdir::DirEntry;

use super::confined_path::ConfinedPath;

/// Name of the list of files that agentctl wrote to a directory. It has no extension, so tools do not apply it.
pub const OUTPUT_LIST: &str = ".agentctl-files";

/// Maximum size of a file list, and of an object that is recognized as output. Kubernetes limits objects to 1.5 MiB.
const MAX_SIZE: u64 = 2 << 20;

/// Kinds that agentctl renders and that contain no resources to compile.
const KINDS: [&str; 13] = [
    "ClusterRole",
    "ClusterRoleBinding",
    "ConfigMap",
    "DaemonSet",
    "Deployment",
    "Endpoints",
    "ExternalSecret",
    "Role",
    "RoleBinding",
    "Secret",
    "Service",
    "ServiceAccount",
    "StatefulSet",
];

/// Label of every object that agentctl renders: of the operator's objects, and of those for the agent's permissions.
const LABELS: [&str; 2] =
    ["    app.kubernetes.io/managed-by: grafana-agent-operator", "    app.kubernetes.io/managed-by: agentctl"];

/// Returns the files that are named as agentctl's output in the file lists of subdirectories. Anyone can write such a
/// list, so a file may be skipped only if its object is output ([`is_output`]). An output directory that is itself an
/// input is still read.
pub(super) fn listed_output<'e>(entries: impl Iterator<Item = &'e DirEntry>) -> HashSet<PathBuf> {
    let is_list =
        |entry: &&DirEntry| entry.depth() > 1 && entry.file_name() == OUTPUT_LIST && entry.file_type().is_file();
    let mut files = HashSet::new();
    for list in entries.filter(is_list) {
        let directory = list.path().parent().unwrap_or(list.path());
        let mut text = String::new();
        let read = fs::File::open(list.path()).and_then(|file| file.take(MAX_SIZE).read_to_string(&mut text));
        if read.is_ok() {
            files.extend(text.lines().map(|line| directory.join(line)));
        }
    }
    files
}

/// Whether a file contains a single object that agentctl rendered.
pub(super) fn is_output(file: &ConfinedPath) -> bool {
    let mut text = String::new();
    let read = file.open().and_then(|file| file.take(MAX_SIZE + 1).read_to_string(&mut text));
    read.is_ok() && text.len() as u64 <= MAX_SIZE && is_rendered(&text)
}

/// Whether a string is an object in the form that agentctl writes: plain keys in block style, one of [`KINDS`], and one of
/// [`LABELS`].
fn is_rendered(text: &str) -> bool {
    let (mut top, mut nested, mut kinds, mut has_label) = ("", "", 0, false);
    for line in text.lines() {
        let indent = line.len() - line.trim_start_matches(' ').len();
        match (indent, line.split_once(':')) {
            (0, Some((key, value))) if is_key(key) => {
                (top, nested) = (key, "");
                if key == "kind" {
                    kinds += 1;
                    if !KINDS.contains(&value.trim_start_matches(' ')) {
                        return false;
                    }
                }
            }
            // Lists in the object need not be indented.
            (0, _) if line.starts_with("- ") => {}
            (0, _) if !line.is_empty() => return false,
            (2, Some((key, _))) => nested = key.trim_start(),
            _ => has_label |= top == "metadata" && nested == "labels" && LABELS.contains(&line),
        }
    }
    kinds == 1 && has_label
}

fn is_key(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphabetic()) && !text.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    const RENDERED: &str = "apiVersion: v1\ndata:\n  a: |\n    kind: x\nkind: Secret\nmetadata:\n  labels:\n    \
                            app.kubernetes.io/managed-by: grafana-agent-operator\n  name: a\nsubsets:\n- addresses: []\n";

    #[test]
    fn recognizes_only_rendered_objects() {
        assert!(is_rendered(RENDERED));
        let role = RENDERED.replacen("kind: Secret", "kind: Role", 1).replacen("grafana-agent-operator", "agentctl", 1);
        assert!(is_rendered(&role));
        for (from, to) in [
            ("kind: Secret", "kind: MetricsInstance"),
            ("kind: Secret", "\"kind\": Secret"),
            ("kind: Secret", "kind: Secret\nkind: MetricsInstance"),
            ("kind: Secret", "? kind\n: Secret"),
            ("kind: Secret", "kind: \"Secret\""),
            ("kind: Secret", "kind: Namespace"),
            ("kind: Secret\n", ""),
            ("apiVersion", "---\napiVersion"),
            ("apiVersion", "{kind: MetricsInstance}\napiVersion"),
            ("apiVersion", "%YAML 1.1\napiVersion"),
            ("apiVersion", "\tapiVersion"),
            ("  labels:", "  annotations:"),
            ("metadata:", "spec:"),
            ("grafana-agent-operator", "somebody"),
        ] {
            assert!(!is_rendered(&RENDERED.replacen(from, to, 1)), "{to}");
        }
    }
}

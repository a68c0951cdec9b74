//! Determines which listed files to remove. The list may come from a pull request and is not trusted: a file is removed
//! only if `render` could have written it under its name and this run did not read it.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::super::stream::StreamFormat;
use super::output_dir::OutputDir;
use super::owned::{directory_and_file, relative_path};
use crate::input::real_paths;
use crate::manifest::is_rendered;
use crate::source::{Source, Sources};
use crate::yaml::{Limits, read};

/// A file that is kept even though it is listed but not rendered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptFile {
    /// Path below the directory, with `/` as the separator.
    pub path: String,
    /// Reason why the file is kept, as a phrase that follows its path.
    pub reason: &'static str,
}

const NO_FILE: &str = "it is not a file";
const INPUT: &str = "it is an input of this run";
const FOREIGN: &str = "its content was not written by agentctl";

/// Divides the listed files that are not rendered into those to remove and those to keep. `sources` are the files that
/// this run read. A file that no longer exists is listed among those to remove.
pub(super) fn decide<'n>(
    dir: &OutputDir<'_>,
    names: impl Iterator<Item = &'n String>,
    sources: &Sources,
) -> (BTreeSet<String>, Vec<KeptFile>) {
    let (mut stale_paths, mut kept_files) = (BTreeSet::new(), Vec::new());
    let mut input_paths = None;
    for path in names.cloned() {
        let input_paths = input_paths.get_or_insert_with(|| real_paths(sources));
        match reason_to_keep(dir, &path, input_paths) {
            None => drop(stale_paths.insert(path)),
            Some(reason) => kept_files.push(KeptFile { path, reason }),
        }
    }
    (stale_paths, kept_files)
}

fn reason_to_keep(dir: &OutputDir<'_>, name: &str, inputs: &BTreeSet<PathBuf>) -> Option<&'static str> {
    if !dir.exists(name) {
        return None;
    }
    let Ok(Some(bytes)) = dir.read(name) else {
        return Some(NO_FILE);
    };
    if dir.path(name).canonicalize().is_ok_and(|path| inputs.contains(&path)) {
        return Some(INPUT);
    }
    (!is_own_content(name, &String::from_utf8_lossy(&bytes))).then_some(FOREIGN)
}

/// Whether `text` consists of a single object that `render` writes to a file with this name.
fn is_own_content(name: &str, text: &str) -> bool {
    let id = Sources::default().add(Source::new("", "", true));
    let parsed = read(id, text, &Limits::default());
    let [document] = parsed.output.as_slice() else {
        return false;
    };
    let format = match directory_and_file(name) {
        Some((_, file)) if file.ends_with(".json") => StreamFormat::Json,
        _ => StreamFormat::Yaml,
    };
    let root = document.root();
    parsed.diagnostics.is_empty() && is_rendered(root) && relative_path(&root.object_key(""), format) == name
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "\
apiVersion: v1
kind: Secret
metadata:
  labels: {app.kubernetes.io/managed-by: grafana-agent-operator}
  name: a-config
  namespace: ns
";

    #[test]
    fn prunes_only_rendered_objects_in_their_own_file() {
        let is_own_file = |name: &str, text: &str| is_own_content(name, text);
        assert!(is_own_file("ns/secret_a-config.yaml", SECRET));
        for name in [
            "ns/secret_a.yaml",
            "m/secret_a-config.yaml",
            "_cluster/secret_a-config.yaml",
            "ns/configmap_a-config.yaml",
            "ns/prod.yaml",
        ] {
            assert!(!is_own_file(name, SECRET), "{name}");
        }
        let role = "kind: ClusterRole\nmetadata: {name: r, labels: {app.kubernetes.io/managed-by: agentctl}}\n";
        assert!(is_own_file("_cluster/clusterrole_r.yaml", role));
        for (from, to) in [
            ("grafana-agent-operator", "Helm"),
            ("managed-by", "part-of"),
            ("kind: Secret", "kind: CronJob"),
            ("kind: Secret", "kind: secret"),
            ("apiVersion: v1\n", "- ["),
            ("apiVersion: v1\n", "---\na: 1\n---\n"),
        ] {
            let text = SECRET.replace(from, to);
            assert!(text != SECRET && !is_own_file("ns/secret_a-config.yaml", &text), "{text}");
        }
    }
}

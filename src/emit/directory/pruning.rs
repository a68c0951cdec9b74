//! Which of the files on the list may be removed. The list may come with a pull request, so that it proves nothing: a file is
//! removed only if it holds what `render` writes under its name, and if this run did not read it.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::super::stream::Format;
use super::owned::{folder_and_file, relative_path};
use super::place::Place;
use crate::input::real_paths;
use crate::manifest::is_rendered;
use crate::source::{Source, Sources};
use crate::yaml::{Limits, read};

/// A file that is on the list, is not rendered, and stays all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spared {
    /// Its path below the directory, with `/`.
    pub path: String,
    /// Why it stays, to be said behind its path.
    pub reason: &'static str,
}

const NO_FILE: &str = "it is not a file";
const INPUT: &str = "it is an input of this run";
const FOREIGN: &str = "agentctl did not write what is in it";

/// The files of the list that are not rendered and are to be removed, and those that stay; `sources` are what this run read. A file
/// that is gone is stale.
pub(super) fn decide<'n>(
    place: &Place<'_>,
    names: impl Iterator<Item = &'n String>,
    sources: &Sources,
) -> (BTreeSet<String>, Vec<Spared>) {
    let (mut stale, mut spared) = (BTreeSet::new(), Vec::new());
    let mut inputs = None;
    for path in names.cloned() {
        let inputs = inputs.get_or_insert_with(|| real_paths(sources));
        match reason_to_stay(place, &path, inputs) {
            None => drop(stale.insert(path)),
            Some(reason) => spared.push(Spared { path, reason }),
        }
    }
    (stale, spared)
}

fn reason_to_stay(place: &Place<'_>, name: &str, inputs: &BTreeSet<PathBuf>) -> Option<&'static str> {
    if !place.exists(name) {
        return None;
    }
    let Ok(Some(bytes)) = place.read(name) else {
        return Some(NO_FILE);
    };
    if place.path(name).canonicalize().is_ok_and(|path| inputs.contains(&path)) {
        return Some(INPUT);
    }
    (!is_own(name, &String::from_utf8_lossy(&bytes))).then_some(FOREIGN)
}

/// Whether a text is one object that `render` writes, and this the name of its file.
fn is_own(name: &str, text: &str) -> bool {
    let id = Sources::default().add(Source::new("", "", true));
    let found = read(id, text, &Limits::default());
    let [document] = found.output.as_slice() else {
        return false;
    };
    let format = match folder_and_file(name) {
        Some((_, file)) if file.ends_with(".json") => Format::Json,
        _ => Format::Yaml,
    };
    let root = document.root();
    found.diagnostics.is_empty() && is_rendered(root) && relative_path(&root.object_key(""), format) == name
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
    fn only_an_object_of_render_under_its_own_name_is_removed() {
        let own = |name: &str, text: &str| is_own(name, text);
        assert!(own("ns/secret_a-config.yaml", SECRET));
        for name in [
            "ns/secret_a.yaml",
            "m/secret_a-config.yaml",
            "_cluster/secret_a-config.yaml",
            "ns/configmap_a-config.yaml",
            "ns/prod.yaml",
        ] {
            assert!(!own(name, SECRET), "{name}");
        }
        let role = "kind: ClusterRole\nmetadata: {name: r, labels: {app.kubernetes.io/managed-by: agentctl}}\n";
        assert!(own("_cluster/clusterrole_r.yaml", role));
        for (from, to) in [
            ("grafana-agent-operator", "Helm"),
            ("managed-by", "part-of"),
            ("kind: Secret", "kind: CronJob"),
            ("kind: Secret", "kind: secret"),
            ("apiVersion: v1\n", "- ["),
            ("apiVersion: v1\n", "---\na: 1\n---\n"),
        ] {
            let text = SECRET.replace(from, to);
            assert!(text != SECRET && !own("ns/secret_a-config.yaml", &text), "{text}");
        }
    }
}

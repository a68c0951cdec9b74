//! Files of a workspace. Documents that are open in the editor replace their files.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_types::Uri;

use super::checker::WorkspaceChecker;
use super::uri::{canonical_path, from_path};
use crate::diagnostic::listed::first_of;
use crate::diagnostic::{Code, Diagnostic, EnvironmentError, Warned};
use crate::gitops::{DeployedInputs, NamedCluster, load_deployed};
use crate::input::{Input, load};
use crate::source::{BYTE_ORDER_MARK, Source, SourceId, Sources};

/// A document that is open in the editor.
#[derive(Clone)]
pub(super) struct OpenDocument {
    pub(super) uri: Uri,
    pub(super) version: i32,
    pub(super) text: Arc<str>,
}

/// Open documents by path.
#[derive(Default)]
pub(super) struct OpenFiles {
    pub(super) open: BTreeMap<PathBuf, OpenDocument>,
    /// kustomize's output and input files. They are kept while documents change, because kustomize reads only from
    /// disk.
    built: Option<(Sources, Vec<Diagnostic>)>,
}

impl OpenFiles {
    /// Reads the inputs as `check` does, but replaces files with open documents. A document without a file is included
    /// if its file would be found. `is_saved` is false if no file can have changed since the last call.
    pub(super) fn load(
        &mut self,
        checker: &WorkspaceChecker,
        is_saved: bool,
    ) -> Result<Warned<Sources>, EnvironmentError> {
        let inputs = &checker.inputs;
        let (sources, mut diagnostics) = match self.built.take().filter(|_| !is_saved) {
            Some(built) => built,
            None => {
                let loaded = match load_deployed(inputs, &checker.reading)? {
                    DeployedInputs::Sources { loaded, .. } => loaded,
                    DeployedInputs::Several(clusters) => self.one_cluster(&clusters, checker)?,
                };
                (loaded.output, loaded.diagnostics)
            }
        };
        let is_overlay = inputs.iter().any(|input| matches!(input, Input::Kustomization(_)));
        let is_followed = !is_overlay && sources.iter().any(|(_, source)| !source.origins.is_empty());
        let is_built = is_overlay || is_followed;
        if is_built {
            self.built = Some((sources.clone(), diagnostics.clone()));
        }
        let limit = checker.reading.max_file_size.0;
        let (mut output, mut covered_paths) = (Sources::default(), HashSet::new());
        for (id, file) in sources.shared() {
            let path = file.path.as_deref().map(canonical_path);
            let document = path.and_then(|path| self.open.get_key_value(&path));
            let Some((path, document)) = document.filter(|(_, document)| document.text.len() as u64 <= limit) else {
                output.add(Arc::clone(file));
                continue;
            };
            let mut source = document.to_source(file);
            // The input files of a build are used only for locations.
            source.is_complete = file.is_complete || !is_built;
            // Findings from reading the file apply only if the document has the same text.
            let is_saved = file.is_complete && source.text == file.text;
            diagnostics.retain(|finding| is_saved || finding.primary().is_none_or(|label| label.span.source != id));
            covered_paths.insert(path);
            output.add(source);
        }
        for (path, document) in &self.open {
            let is_new = !is_followed && !covered_paths.contains(path) && !path.exists() && is_below(path, inputs);
            if is_new && document.text.len() as u64 <= limit {
                let mut file = Source::new(path.display().to_string(), "", false);
                file.path = Some(path.clone());
                output.add(document.to_source(&file));
            }
        }
        if output.iter().any(|(_, source)| source.path.is_some()) {
            diagnostics.retain(|finding| finding.primary().is_some() || finding.code != Code::NoInput);
        }
        Ok(Warned { output, diagnostics })
    }

    /// Reads the cluster whose directory contains an open document, or otherwise the first cluster. Findings from
    /// several clusters would contradict one another.
    fn one_cluster(
        &self,
        clusters: &[NamedCluster],
        checker: &WorkspaceChecker,
    ) -> Result<Warned<Sources>, EnvironmentError> {
        let is_open = |cluster: &&NamedCluster| {
            let directory = canonical_path(&cluster.path);
            self.open.keys().any(|path| path.starts_with(&directory))
        };
        let Some(shown_cluster) = clusters.iter().find(is_open).or(clusters.first()) else {
            return load(&checker.inputs, &checker.reading);
        };
        let inputs = [Input::Path(shown_cluster.path.clone())];
        let mut loaded = match load_deployed(&inputs, &checker.reading)? {
            DeployedInputs::Sources { loaded, .. } => loaded,
            DeployedInputs::Several(_) => load(&inputs, &checker.reading)?,
        };
        let other_names: Vec<_> =
            clusters.iter().map(|cluster| &cluster.name).filter(|name| **name != shown_cluster.name).collect();
        let other_names = first_of(MAX_NAMED, other_names.iter());
        let message = format!("the editor shows the cluster `{}`, and not {other_names}", shown_cluster.name);
        let help = "to show another one, open a file in its directory, or pass its name after `agentctl lsp --`";
        loaded.diagnostics.push(Diagnostic::new(Code::GitopsUnread, message).help(help));
        Ok(loaded)
    }
}

/// Maximum number of clusters that a message names.
const MAX_NAMED: usize = 5;

impl OpenDocument {
    /// Returns the document as the source that replaces `file`.
    fn to_source(&self, file: &Source) -> Source {
        let text = self.text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&self.text);
        let mut source = file.with_text(text.to_owned());
        source.is_complete = true;
        source
    }
}

/// Whether a file would be found by walking the inputs.
fn is_below(path: &Path, inputs: &[Input]) -> bool {
    let is_manifest = path.extension().is_some_and(|end| ["yaml", "yml", "json"].iter().any(|known| end == *known));
    let mut folders = inputs.iter().filter_map(|input| match input {
        Input::Path(path) => Some(canonical_path(path)),
        Input::Stdin | Input::Kustomization(_) => None,
    });
    is_manifest && folders.any(|folder| folder.is_dir() && path.starts_with(&folder))
}

/// Returns the URI of a source, or `None` if it is not a file in the workspace.
pub(super) fn source_uri(sources: &Sources, id: SourceId, files: &OpenFiles) -> Option<Uri> {
    let source = sources.get(id)?;
    let named = || Some(PathBuf::from(&source.name)).filter(|path| path.exists());
    let path = canonical_path(&source.path.clone().or_else(named)?);
    match files.open.get(&path) {
        Some(document) => Some(document.uri.clone()),
        None => from_path(&path),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::compile::CompileOptions;
    use crate::input::ReadLimits;

    fn checker(folder: &Path) -> WorkspaceChecker {
        WorkspaceChecker {
            inputs: vec![Input::Path(folder.to_owned())],
            reading: ReadLimits::default(),
            options: CompileOptions::default(),
            check: Box::new(|_, _| unreachable!("nothing is checked")),
        }
    }

    #[test]
    fn shows_one_of_several_clusters() {
        let folder = tempfile::tempdir().unwrap();
        let cluster = |name: &str| {
            format!(
                "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {{name: apps, namespace: flux-system}}\n\
                 spec: {{path: ./apps/{name}, sourceRef: {{kind: GitRepository, name: flux-system}}}}\n"
            )
        };
        for name in ["a", "b"] {
            for (directory, text) in
                [("clusters", cluster(name)), ("apps", format!("kind: X\nmetadata: {{name: {name}}}\n"))]
            {
                fs::create_dir_all(folder.path().join(directory).join(name)).unwrap();
                fs::write(folder.path().join(directory).join(name).join("x.yaml"), text).unwrap();
            }
        }
        fs::create_dir(folder.path().join(".git")).unwrap();
        let checker = checker(folder.path());
        let mut files = OpenFiles::default();
        let shown_cluster = |files: &mut OpenFiles| {
            let loaded = files.load(&checker, true).unwrap();
            let names: Vec<_> = loaded.output.iter().map(|(_, source)| source.name.clone()).collect();
            (
                loaded.diagnostics.into_iter().map(|finding| finding.message).collect::<Vec<_>>().join("; "),
                names.join(" "),
            )
        };
        let (message, names) = shown_cluster(&mut files);
        assert!(message.contains("shows the cluster `a`, and not `b`"), "{message}");
        assert!(names.contains("clusters/a/x.yaml") && !names.contains("/b/"), "{names}");
        let path = canonical_path(&folder.path().join("clusters/b/x.yaml"));
        let document = OpenDocument { uri: from_path(&path).unwrap(), version: 1, text: cluster("b").into() };
        files.open.insert(path, document);
        assert!(shown_cluster(&mut files).0.contains("shows the cluster `b`"));
    }

    #[test]
    fn open_documents_replace_their_files() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().canonicalize().unwrap();
        let write = |name: &str, text: &[u8]| fs::write(folder.join(name), text).unwrap();
        let load = |files: &mut OpenFiles| -> Vec<(String, bool)> {
            let loaded = files.load(&checker(&folder), false).unwrap().output;
            let sources = loaded.iter().map(|(_, source)| (source.text.clone(), source.is_complete));
            sources.collect()
        };
        let expected = |texts: &[(&str, bool)]| -> Vec<_> {
            texts.iter().map(|&(text, is_complete)| (text.to_owned(), is_complete)).collect()
        };
        let open = |name: &str, text: &str| {
            let path = folder.join(name);
            let uri = from_path(&path).unwrap();
            let text = text.into();
            (path, OpenDocument { uri, version: 1, text })
        };
        let mut files = OpenFiles::default();
        write("a.yaml", b"a: 1");
        write("b.yaml", b"b: 1");
        assert_eq!(load(&mut files), expected(&[("a: 1", true), ("b: 1", true)]));
        // The file is rewritten immediately with contents of the same size.
        write("a.yaml", b"a: 2");
        files.open = [open("b.yaml", "b: 1"), open("c.yaml", "c: 1")].into();
        let three = expected(&[("a: 2", true), ("b: 1", true), ("c: 1", true)]);
        assert_eq!(load(&mut files), three);
        files.open = [open("b.yaml", "b: 2"), open("c.yaml", "c: 1")].into();
        write("a.yaml", b"a: \xff");
        let three = expected(&[("a: ", false), ("b: 2", true), ("c: 1", true)]);
        assert_eq!(load(&mut files), three);
    }

    #[test]
    fn finds_manifests_in_subdirectories() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().canonicalize().unwrap();
        fs::create_dir(folder.join("in")).unwrap();
        fs::write(folder.join("file.yaml"), "").unwrap();
        let inputs = [folder.join("in"), folder.join("file.yaml"), folder.join("gone")].map(Input::Path);
        for (path, expected) in [
            ("in/a.yaml", true),
            ("in/b/a.yml", true),
            ("in/a.json", true),
            ("in/a.txt", false),
            ("in/yaml", false),
            ("in-other/a.yaml", false),
            ("a.yaml", false),
            ("file.yaml/a.yaml", false),
            ("gone/a.yaml", false),
        ] {
            assert_eq!(is_below(&folder.join(path), &inputs), expected, "{path}");
        }
        assert!(!is_below(&folder.join("in/a.yaml"), &[]));
    }
}

//! The files of a workspace, with the texts that are open in the editor laid over them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_types::Uri;

use super::checker::Checker;
use super::uri::{of_path, real};
use crate::diagnostic::{Code, Warned};
use crate::environment::EnvironmentError;
use crate::input::{Input, KnownFiles};
use crate::source::{BYTE_ORDER_MARK, Source, SourceId, Sources};

/// A document that is open in the editor.
#[derive(Clone)]
pub(super) struct Document {
    pub(super) uri: Uri,
    pub(super) version: i32,
    pub(super) text: Arc<str>,
}

/// The documents that are open, by their paths, and the files of the last reading.
#[derive(Default)]
pub(super) struct Files {
    pub(super) open: BTreeMap<PathBuf, Document>,
    known: KnownFiles,
    /// The sources of documents in the last reading: each is the same one as long as the text is.
    sources: BTreeMap<PathBuf, Arc<Source>>,
}

impl Files {
    /// Reads the inputs as `check` does, and takes the texts of open documents in the places of those of their files. A document without
    /// a file counts if its file would be found.
    pub(super) fn load(&mut self, checker: &dyn Checker) -> Result<Warned<Sources>, EnvironmentError> {
        let inputs = checker.inputs();
        let loaded = self.known.load(&inputs, &checker.reading())?;
        let limit = checker.reading().max_file_size.0;
        let before = std::mem::take(&mut self.sources);
        let mut sources = Sources::default();
        let mut diagnostics = loaded.diagnostics;
        for (id, file) in loaded.output.shared() {
            let path = file.path.as_deref().map(real);
            let document = path.and_then(|path| self.open.get_key_value(&path));
            let Some((path, document)) = document.filter(|(_, document)| document.text.len() as u64 <= limit) else {
                sources.add(Arc::clone(file));
                continue;
            };
            let source = document.over(file, before.get(path));
            // What reading said of the file does not hold for another text.
            let is_saved = Arc::ptr_eq(&source, file);
            diagnostics.retain(|found| is_saved || found.primary().is_none_or(|label| label.span.source != id));
            self.sources.insert(path.clone(), Arc::clone(&source));
            sources.add(source);
        }
        for (path, document) in &self.open {
            let is_new = !self.sources.contains_key(path) && !path.exists() && is_below(path, &inputs);
            if is_new && document.text.len() as u64 <= limit {
                let mut file = Source::new(path.display().to_string(), "", false);
                file.path = Some(path.clone());
                let source = document.over(&Arc::new(file), before.get(path));
                self.sources.insert(path.clone(), Arc::clone(&source));
                sources.add(source);
            }
        }
        if sources.iter().any(|(_, source)| source.path.is_some()) {
            diagnostics.retain(|found| found.primary().is_some() || found.code != Code::NoInput);
        }
        Ok(Warned {
            output: sources,
            diagnostics,
        })
    }
}

impl Document {
    /// The text as the source of a file; the same one as before where it says the same.
    fn over(&self, file: &Arc<Source>, before: Option<&Arc<Source>>) -> Arc<Source> {
        let text = self.text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&self.text);
        let says_so = |source: &&Arc<Source>| source.whole && source.name == file.name && source.text == text;
        if let Some(same) = [Some(file), before].into_iter().flatten().find(says_so) {
            return Arc::clone(same);
        }
        let mut source = file.with_text(text.to_owned());
        source.whole = true;
        Arc::new(source)
    }
}

/// Whether a walk of the inputs would find a file.
fn is_below(path: &Path, inputs: &[Input]) -> bool {
    let is_manifest = path
        .extension()
        .is_some_and(|end| ["yaml", "yml", "json"].iter().any(|known| end == *known));
    let mut folders = inputs.iter().filter_map(Input::path).map(real);
    is_manifest && folders.any(|folder| folder.is_dir() && path.starts_with(&folder))
}

/// The document of a source: a file of the workspace.
pub(super) fn uri_of(sources: &Sources, id: SourceId, files: &Files) -> Option<Uri> {
    let source = sources.get(id)?;
    let named = || Some(PathBuf::from(&source.name)).filter(|path| path.exists());
    let path = real(&source.path.clone().or_else(named)?);
    match files.open.get(&path) {
        Some(document) => Some(document.uri.clone()),
        None => of_path(&path),
    }
}

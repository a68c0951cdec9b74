//! The files of a workspace, with the texts that are open in the editor laid over them.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_types::Uri;

use super::checker::Checker;
use super::uri::{of_path, real};
use crate::diagnostic::{Code, Warned};
use crate::environment::EnvironmentError;
use crate::input::{Input, load};
use crate::source::{BYTE_ORDER_MARK, Source, SourceId, Sources};

/// A document that is open in the editor.
#[derive(Clone)]
pub(super) struct Document {
    pub(super) uri: Uri,
    pub(super) version: i32,
    pub(super) text: Arc<str>,
}

/// The documents that are open, by their paths, and the sources of the last reading.
#[derive(Default)]
pub(super) struct Files {
    pub(super) open: BTreeMap<PathBuf, Document>,
    /// By their names: each is the same one as long as it says the same.
    known: HashMap<String, Arc<Source>>,
}

impl Files {
    /// Reads the inputs as `check` does, and takes the texts of open documents in the places of those of their files. A document without
    /// a file counts if its file would be found.
    pub(super) fn load(&mut self, checker: &dyn Checker) -> Result<Warned<Sources>, EnvironmentError> {
        let inputs = checker.inputs();
        let loaded = load(&inputs, &checker.reading())?;
        let limit = checker.reading().max_file_size.0;
        let mut diagnostics = loaded.diagnostics;
        let (mut read, mut covered) = (Vec::new(), HashSet::new());
        for (id, file) in loaded.output.shared() {
            let path = file.path.as_deref().map(real);
            let document = path.and_then(|path| self.open.get_key_value(&path));
            let Some((path, document)) = document.filter(|(_, document)| document.text.len() as u64 <= limit) else {
                read.push(Arc::clone(file));
                continue;
            };
            let source = document.over(file);
            // What reading said of the file does not hold for another text.
            let is_saved = source.is_same(file);
            diagnostics.retain(|found| is_saved || found.primary().is_none_or(|label| label.span.source != id));
            covered.insert(path);
            read.push(source.into());
        }
        for (path, document) in &self.open {
            let is_new = !covered.contains(path) && !path.exists() && is_below(path, &inputs);
            if is_new && document.text.len() as u64 <= limit {
                let mut file = Source::new(path.display().to_string(), "", false);
                file.path = Some(path.clone());
                read.push(document.over(&file).into());
            }
        }
        if read.iter().any(|source| source.path.is_some()) {
            diagnostics.retain(|found| found.primary().is_some() || found.code != Code::NoInput);
        }
        let before = std::mem::take(&mut self.known);
        let mut output = Sources::default();
        for source in read {
            let known = before.get(&source.name).filter(|known| known.is_same(&source));
            let source = Arc::clone(known.unwrap_or(&source));
            self.known.insert(source.name.clone(), Arc::clone(&source));
            output.add(source);
        }
        Ok(Warned { output, diagnostics })
    }
}

impl Document {
    /// The text as the source of a file.
    fn over(&self, file: &Source) -> Source {
        let text = self.text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&self.text);
        let mut source = file.with_text(text.to_owned());
        source.whole = true;
        source
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::compile::Options;
    use crate::compile::kept::Kept;
    use crate::input::Reading;
    use crate::lsp::Checked;

    struct Folder(PathBuf);

    impl Checker for Folder {
        fn inputs(&self) -> Vec<Input> {
            vec![Input::Path(self.0.clone())]
        }

        fn reading(&self) -> Reading {
            Reading::default()
        }

        fn options(&self) -> Options {
            Options::default()
        }

        fn check<'c>(&'c self, _: Warned<Sources>, _: &mut Kept<'_>, _: &dyn Fn() -> bool) -> Box<dyn Checked + 'c> {
            unreachable!("nothing is checked")
        }
    }

    #[test]
    fn what_says_the_same_has_the_same_source() {
        let root = tempfile::tempdir().unwrap();
        let folder = Folder(root.path().canonicalize().unwrap());
        let write = |name: &str, text: &[u8]| fs::write(folder.0.join(name), text).unwrap();
        let load = |files: &mut Files| -> Vec<Arc<Source>> {
            let loaded = files.load(&folder).unwrap().output;
            loaded.shared().map(|(_, source)| Arc::clone(source)).collect()
        };
        let open = |name: &str, text: &str| {
            let path = folder.0.join(name);
            let uri = of_path(&path).unwrap();
            let text = text.into();
            (path, Document { uri, version: 1, text })
        };
        let mut files = Files::default();
        write("a.yaml", b"a: 1");
        write("b.yaml", b"b: 1");
        let first = load(&mut files);
        // It is written at once and of the same size; the other one says the same.
        write("a.yaml", b"a: 2");
        write("b.yaml", b"b: 1");
        files.open = [open("b.yaml", "b: 1"), open("c.yaml", "c: 1")].into();
        let second = load(&mut files);
        files.open = [open("b.yaml", "b: 2"), open("c.yaml", "c: 1")].into();
        write("a.yaml", b"a: \xff");
        let third = load(&mut files);
        let same = |before: &[Arc<Source>], after: &[Arc<Source>]| -> Vec<bool> {
            before.iter().zip(after).map(|(a, b)| Arc::ptr_eq(a, b)).collect()
        };
        assert_eq!(same(&first, &second), [false, true]);
        assert_eq!(same(&second, &third), [false, false, true]);
        let texts: Vec<_> = third.iter().map(|source| (&*source.text, source.whole)).collect();
        assert_eq!(texts, [("a: ", false), ("b: 2", true), ("c: 1", true)]);
    }
}

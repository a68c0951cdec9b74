//! Files that build output was built from, each of which is parsed once.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use super::object::BuiltObject;
use crate::source::{Source, SourceId, Sources, Span};
use crate::yaml::{Document, Limits, Node, for_each_object, read};

/// A source with its documents.
struct Parsed<'s> {
    id: SourceId,
    source: &'s Source,
    documents: OnceCell<Vec<Document<'s>>>,
    /// Indexes of the documents that contain objects of each kind.
    kinds: OnceCell<HashMap<String, Vec<usize>>>,
}

pub(super) struct BuildFiles<'s> {
    sources: HashMap<SourceId, Parsed<'s>>,
    /// Sources that are used only for locations, by name and by path.
    names: HashMap<&'s str, SourceId>,
    paths: HashMap<&'s Path, SourceId>,
}

impl<'s> BuildFiles<'s> {
    pub(super) fn new(sources: &'s Sources) -> Self {
        let shown = || sources.iter().filter(|(_, source)| !source.whole);
        Self {
            names: shown().map(|(id, source)| (source.name.as_str(), id)).collect(),
            paths: shown().filter_map(|(id, source)| Some((source.path.as_deref()?, id))).collect(),
            sources: sources.iter().map(|(id, source)| (id, Parsed::new(id, source))).collect(),
        }
    }

    /// Returns the source and document that contain a span.
    pub(super) fn document(&self, span: Span) -> Option<(&'s Source, Node<'_>)> {
        let parsed = self.sources.get(&span.source)?;
        let documents = parsed.documents();
        let behind = documents.partition_point(|document| document.root().span().start <= span.start);
        Some((parsed.source, documents.get(behind.checked_sub(1)?)?.root()))
    }

    /// Returns the ID of a file that is used only for locations.
    pub(super) fn id(&self, name: &str) -> Option<SourceId> {
        self.names.get(name).copied()
    }

    /// Returns the first document of a file.
    pub(super) fn root(&self, name: &str) -> Option<Node<'_>> {
        self.sources.get(self.names.get(name)?)?.documents().first().map(Document::root)
    }

    /// Returns the ID and the documents of a file that a kustomization refers to.
    pub(super) fn beside(&self, kustomization: &str, path: &str) -> Option<(SourceId, &[Document<'s>])> {
        let kustomization = self.sources.get(self.names.get(kustomization)?)?.source;
        let directory = kustomization.path.as_deref()?.parent()?;
        let id = self.paths.get(lexical(&directory.join(path)).as_path())?;
        Some((*id, self.sources.get(id)?.documents()))
    }

    /// Returns the resource that an object was built from, as found in its file.
    pub(super) fn resource(&self, object: &BuiltObject<'_>) -> Option<Node<'_>> {
        let parsed = self.sources.get(self.names.get(object.origin.file.as_str())?)?;
        let numbers = parsed.kinds().get(object.root.text("kind"))?;
        let (mut found, mut best) = (None, 0);
        for number in numbers {
            let document = parsed.documents().get(*number)?;
            for_each_object(document.root(), &mut |other| {
                let fit = object.fit(other.root());
                if fit > best {
                    (found, best) = (Some(other.root()), fit);
                }
            });
        }
        found
    }
}

impl<'s> Parsed<'s> {
    fn new(id: SourceId, source: &'s Source) -> Self {
        Self { id, source, documents: OnceCell::new(), kinds: OnceCell::new() }
    }

    fn documents(&self) -> &[Document<'s>] {
        let parse = || read(self.id, &self.source.text, &Limits::default()).output;
        self.documents.get_or_init(parse)
    }

    fn kinds(&self) -> &HashMap<String, Vec<usize>> {
        self.kinds.get_or_init(|| {
            let mut kinds: HashMap<String, Vec<usize>> = HashMap::new();
            for (number, document) in self.documents().iter().enumerate() {
                for_each_object(document.root(), &mut |found| {
                    let numbers = kinds.entry(found.root().text("kind").to_owned()).or_default();
                    if numbers.last() != Some(&number) {
                        numbers.push(number);
                    }
                });
            }
            kinds
        })
    }
}

/// Removes `.` and `..` from a path.
fn lexical(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}

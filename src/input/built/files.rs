//! Files that build output was built from. Each file is parsed only once.

use std::collections::{BTreeMap, HashMap};
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

use super::object::BuiltObject;
use crate::source::{Source, SourceId, Sources, Span};
use crate::yaml::{Document, Limits, Node, for_each_object, read};

/// Parsed documents of sources. Each source is parsed on first use.
pub(super) struct ParsedFiles {
    parsed: OnceLock<HashMap<SourceId, ParsedFile>>,
    /// Sources that are used only for locations, by name and by path.
    names: OnceLock<Names>,
}

#[derive(Default)]
struct Names {
    names: HashMap<String, SourceId>,
    paths: HashMap<PathBuf, SourceId>,
}

#[derive(Default)]
struct ParsedFile {
    documents: OnceLock<Vec<Document<'static>>>,
    index: OnceLock<ObjectIndex>,
}

/// Indexes of the documents that contain an object, by the object's kind and name.
type ObjectIndex = HashMap<String, BTreeMap<String, Vec<usize>>>;

impl ParsedFiles {
    pub(super) fn new() -> Self {
        Self { parsed: OnceLock::new(), names: OnceLock::new() }
    }

    /// Returns the parsed files of `sources`. All calls must pass the same sources.
    pub(super) fn with_sources<'s>(&'s self, sources: &'s Sources) -> BuildFiles<'s> {
        BuildFiles { files: self, sources }
    }
}

/// Sources with their parsed documents.
#[derive(Clone, Copy)]
pub(super) struct BuildFiles<'s> {
    files: &'s ParsedFiles,
    pub(super) sources: &'s Sources,
}

impl<'s> BuildFiles<'s> {
    fn parsed_file(self, id: SourceId) -> Option<&'s ParsedFile> {
        let empty_files = || self.sources.iter().map(|(id, _)| (id, ParsedFile::default())).collect();
        self.files.parsed.get_or_init(empty_files).get(&id)
    }

    fn names(self) -> &'s Names {
        self.files.names.get_or_init(|| {
            let named_sources = || self.sources.iter().filter(|(_, source)| !source.is_complete);
            Names {
                names: named_sources().map(|(id, source)| (source.name.clone(), id)).collect(),
                paths: named_sources().filter_map(|(id, source)| Some((source.path.clone()?, id))).collect(),
            }
        })
    }

    fn documents(self, id: SourceId) -> Option<&'s [Document<'static>]> {
        let text = &self.sources.get(id)?.text;
        let parse = || read(id, text, &Limits::default()).output.into_iter().map(Document::into_owned).collect();
        Some(self.parsed_file(id)?.documents.get_or_init(parse))
    }

    /// Returns the source and document that contain a span.
    pub(super) fn document(self, span: Span) -> Option<(&'s Source, Node<'s>)> {
        let documents = self.documents(span.source)?;
        let next = documents.partition_point(|document| document.root().span().start <= span.start);
        Some((self.sources.get(span.source)?, documents.get(next.checked_sub(1)?)?.root()))
    }

    /// Returns the ID of a file that is used only for locations.
    pub(super) fn id(self, name: &str) -> Option<SourceId> {
        self.names().names.get(name).copied()
    }

    /// Returns the first document of a file.
    pub(super) fn root(self, name: &str) -> Option<Node<'s>> {
        self.documents(self.id(name)?)?.first().map(Document::root)
    }

    /// Returns the ID of a file that a kustomization refers to.
    pub(super) fn referenced_id(self, kustomization: &str, path: &str) -> Option<SourceId> {
        let kustomization = self.sources.get(self.id(kustomization)?)?;
        let directory = kustomization.path.as_deref()?.parent()?;
        self.names().paths.get(lexical(&directory.join(path)).as_path()).copied()
    }

    /// Returns the ID and the documents of a file that a kustomization refers to.
    pub(super) fn referenced_file(
        self,
        kustomization: &str,
        path: &str,
    ) -> Option<(SourceId, &'s [Document<'static>])> {
        let id = self.referenced_id(kustomization, path)?;
        Some((id, self.documents(id)?))
    }

    /// Returns the resource in a file that an object was built from.
    pub(super) fn resource(self, object: &BuiltObject<'_>) -> Option<Node<'s>> {
        let id = self.id(&object.origin.file)?;
        let (documents, index) = (self.documents(id)?, self.index(id)?);
        let names = index.get(object.root.text("kind"))?;
        let own_names = [object.origin.name.as_deref(), Some(object.root.text("metadata.name"))];
        let same_named: Vec<_> = own_names.into_iter().flatten().filter_map(|name| names.get(name)).flatten().collect();
        let numbers = match same_named.is_empty() {
            // The build may have added an unknown prefix or suffix to the name.
            true => names.values().flatten().collect(),
            false => same_named,
        };
        let (mut best_match, mut best_score) = (None, 0);
        for number in numbers {
            let document = documents.get(*number)?;
            for_each_object(document.root(), &mut |other| {
                let score = object.match_score(other.root());
                if score > best_score {
                    (best_match, best_score) = (Some(other.root()), score);
                }
            });
        }
        best_match
    }

    fn index(self, id: SourceId) -> Option<&'s ObjectIndex> {
        let documents = self.documents(id)?;
        Some(self.parsed_file(id)?.index.get_or_init(|| {
            let mut index = ObjectIndex::new();
            for (number, document) in documents.iter().enumerate() {
                for_each_object(document.root(), &mut |object| {
                    let (kind, name) = (object.root().text("kind"), object.root().text("metadata.name"));
                    let numbers = index.entry(kind.to_owned()).or_default().entry(name.to_owned()).or_default();
                    if numbers.last() != Some(&number) {
                        numbers.push(number);
                    }
                });
            }
            index
        }))
    }
}

/// Removes `.` and `..` from a path.
fn lexical(path: &Path) -> PathBuf {
    let mut normalized = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(normalized.pop()),
            part => normalized.push(part),
        }
    }
    normalized
}

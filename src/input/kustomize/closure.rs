//! Validation of all references of a kustomization before kustomize runs.
//!
//! kustomize fetches URLs and clones repositories for many fields, at any nesting depth. Therefore, all kustomizations
//! that a build would load are first read once each.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::references::{Reference, Role};
use super::remote::has_remote_part;
use super::target::{KustomizeFindings, KustomizeTarget, MAX_DEPTH, is_kustomization, kustomization_files};
use super::{diagnostics, references};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::input::confined_path::ConfinedPath;
use crate::input::origins::display_path;
use crate::printable::ByteSize;
use crate::source::{Source, SourceId, Span};
use crate::yaml::{Document, Limits, read, read_value};

/// Maximum size of a kustomization.
const MAX_SIZE: u64 = 4 << 20;
/// Maximum total size of all kustomizations in a build.
const MAX_TOTAL_SIZE: u64 = 64 << 20;
/// Maximum number of findings. Additional findings are dropped.
const MAX_FINDINGS: usize = 50;

/// Fields that a kustomization of generators, transformers or validators may have, because these fields do not change
/// its objects.
const LISTING_FIELDS: &[&str] = &["apiVersion", "kind", "metadata", "resources"];

/// Files and directories that a build would load.
#[derive(Default)]
pub(super) struct Closure {
    pub(super) findings: KustomizeFindings,
    /// Canonical paths of resources, patches and configurations that kustomizations refer to.
    pub(super) files: BTreeSet<PathBuf>,
    pub(super) kustomizations: Vec<(SourceId, Arc<Source>)>,
    /// Total size of the files read so far.
    size: u64,
}

struct Walk<'t> {
    target: &'t KustomizeTarget<'t>,
    closure: Closure,
    /// Directories read so far, and whether each contains plugins.
    visited_directories: BTreeSet<(PathBuf, bool)>,
    /// Configurations of generators, transformers and validators.
    plugins: BTreeSet<PathBuf>,
    stack: Vec<PathBuf>,
}

/// Reads a kustomization and all files and directories that it refers to.
pub(super) fn closure(target: &KustomizeTarget<'_>) -> Closure {
    let closure = Closure::default();
    let mut walk =
        Walk { target, closure, visited_directories: BTreeSet::new(), plugins: BTreeSet::new(), stack: Vec::new() };
    walk.directory(&target.directory, false);
    walk.closure
}

impl Closure {
    pub(super) fn report(&mut self, finding: Diagnostic) {
        let findings = &mut self.findings.diagnostics;
        if findings.len() < MAX_FINDINGS {
            findings.push(finding);
        }
    }

    /// Reads a file, or reports the reason if it cannot be read.
    pub(super) fn read(&mut self, target: &KustomizeTarget<'_>, path: &Path) -> Option<(SourceId, Arc<Source>)> {
        let name = display_path(path);
        let real_path = fs::canonicalize(path).ok()?;
        let root = match &target.tree {
            Some(tree) if tree.check(&real_path).is_err() => {
                let id = self.findings.sources.add(Source::truncated(name, "", false));
                let message = "expected a file in the repository, found a link that points outside";
                self.report(Diagnostic::new(Code::OutsideLink, message).label(Span::new(id, 0, 0), ""));
                return None;
            }
            Some(tree) => tree.root(),
            None => real_path.parent()?,
        };
        let file = ConfinedPath::new(root, real_path.clone()).open();
        let size_left = MAX_SIZE.min(MAX_TOTAL_SIZE.saturating_sub(self.size));
        let bytes = file.and_then(|file| {
            let mut bytes = Vec::new();
            file.take(size_left + 1).read_to_end(&mut bytes)?;
            match bytes.len() as u64 > size_left {
                true => Err(io::Error::other(format!("it is larger than {}", ByteSize(size_left)))),
                false => Ok(bytes),
            }
        });
        let text = bytes.and_then(|bytes| {
            self.size += bytes.len() as u64;
            String::from_utf8(bytes).map_err(|_| io::Error::other("it is not UTF-8"))
        });
        let (text, problem) = match text {
            Ok(text) => (text, None),
            Err(error) => (String::new(), Some(format!("cannot read the file: {error}"))),
        };
        let text = text.strip_prefix(crate::source::BYTE_ORDER_MARK).map(str::to_owned).unwrap_or(text);
        let mut source = Source::truncated(name, text, false);
        source.path = Some(real_path);
        let source = Arc::new(source);
        let id = self.findings.sources.add(Arc::clone(&source));
        if let Some(problem) = problem {
            self.report(diagnostics::kustomize_error(&problem, Span::new(id, 0, 0)));
            return None;
        }
        Some((id, source))
    }

    /// Returns the documents in a file and reports its syntax errors.
    pub(super) fn documents<'s>(
        &mut self,
        id: SourceId,
        source: &'s Source,
        read: ReadDocuments<'s>,
    ) -> Vec<Document<'s>> {
        let read = read(id, &source.text, &limits());
        let errors = read.diagnostics.into_iter().filter(|finding| finding.severity == Severity::Error);
        errors.for_each(|error| self.report(error));
        read.output
    }
}

fn limits() -> Limits {
    Limits {
        max_alias_expansion: 100_000,
        max_document_size: ByteSize(MAX_SIZE),
        max_documents: 10_000,
        max_nodes: 1_000_000,
        ..Limits::default()
    }
}

impl Walk<'_> {
    /// Reads the kustomization in a directory.
    fn directory(&mut self, directory: &Path, is_plugin: bool) {
        if !self.visited_directories.insert((directory.to_owned(), is_plugin)) {
            return;
        }
        self.stack.push(directory.to_owned());
        let mut is_first = true;
        for path in kustomization_files(directory) {
            let Some((id, source)) = self.closure.read(self.target, &path) else { continue };
            if !is_first {
                self.closure.report(diagnostics::several_kustomizations(Span::new(id, 0, 0)));
            }
            is_first = false;
            self.closure.kustomizations.push((id, Arc::clone(&source)));
            for document in self.closure.documents(id, &source, read_value) {
                self.visit_kustomization(directory, &document, is_plugin);
            }
        }
        self.stack.pop();
    }

    fn visit_kustomization(&mut self, directory: &Path, document: &Document<'_>, is_plugin: bool) {
        let root = document.root();
        for chart in references::charts(root) {
            let name = self.target.shown.display().to_string();
            self.closure.report(diagnostics::chart(chart.key, chart.key_span, &name));
        }
        if is_plugin && !self.target.allows_remote {
            for entry in root.entries().filter(|entry| !LISTING_FIELDS.contains(&entry.key)) {
                self.closure.report(diagnostics::built_plugin(entry.key, entry.key_span));
            }
        }
        references::for_each_reference(root, &mut |reference| self.reference(directory, &reference, is_plugin));
    }

    fn reference(&mut self, directory: &Path, reference: &Reference<'_>, is_plugin: bool) {
        let is_plugin = is_plugin || reference.role == Role::Plugin;
        let text = reference.text;
        if has_remote_part(text) {
            if !self.target.allows_remote {
                self.closure.report(diagnostics::remote_entry(reference));
            }
            return;
        }
        if reference.role == Role::Plugin && self.inline_plugin(directory, reference) {
            return;
        }
        let path = reference.path(directory);
        let is_inline = reference.role == Role::Patch && (text.contains('\n') || text.contains(": "));
        let real_path = match fs::canonicalize(path) {
            Ok(real) => real,
            Err(_) if is_inline || reference.role == Role::Other => return,
            Err(_) => {
                self.closure.report(diagnostics::missing(reference));
                return;
            }
        };
        match real_path.is_dir() {
            true => self.base(&real_path, reference, is_plugin),
            false => self.file(real_path, reference, is_plugin),
        }
    }

    fn base(&mut self, real: &Path, reference: &Reference<'_>, is_plugin: bool) {
        match reference.role {
            Role::Other => return,
            Role::Resource | Role::Component | Role::Plugin => {}
            Role::Patch | Role::File | Role::Data => {
                self.closure.report(diagnostics::wrong_type(reference));
                return;
            }
        }
        if self.target.tree.as_ref().is_some_and(|tree| !tree.contains(real, Path::new("."))) {
            self.closure.report(diagnostics::directory_outside_repository(reference));
        } else if self.stack.iter().any(|outer| outer.starts_with(real)) {
            self.closure.report(diagnostics::cycle(reference));
        } else if !is_kustomization(real) {
            self.closure.report(diagnostics::no_kustomization(reference));
        } else if self.stack.len() >= MAX_DEPTH {
            let problem = format!("expected at most {MAX_DEPTH} nested kustomizations, found more");
            self.closure.report(diagnostics::kustomize_error(&problem, reference.node.span()));
        } else {
            self.directory(real, is_plugin);
        }
    }

    fn file(&mut self, real: PathBuf, reference: &Reference<'_>, is_plugin: bool) {
        if reference.role == Role::Component {
            self.closure.report(diagnostics::wrong_type(reference));
            return;
        }
        if is_plugin
            && !self.target.allows_remote
            && self.plugins.insert(real.clone())
            && let Some((id, source)) = self.closure.read(self.target, &real)
        {
            for document in self.closure.documents(id, &source, read) {
                self.plugin(&document);
            }
        }
        if reference.role != Role::Data {
            self.closure.files.insert(real);
        }
    }

    /// Checks a string in a list of plugins. Returns whether the string is an inline object rather than a path.
    fn inline_plugin(&mut self, directory: &Path, reference: &Reference<'_>) -> bool {
        let read = read(reference.node.span().source, reference.text, &limits());
        let is_object = read.output.iter().any(|document| document.root().is_mapping());
        if !is_object && (read.diagnostics.is_empty() || directory.join(reference.text).exists()) {
            return false;
        }
        if self.target.allows_remote {
            return is_object;
        }
        let mut is_remote = false;
        for document in &read.output {
            references::for_each_plugin_string(document.root(), &mut |_, text| is_remote |= has_remote_part(text));
        }
        if is_remote {
            self.closure.report(diagnostics::remote_in_plugin(reference.node.span()));
        } else if !read.diagnostics.is_empty() {
            self.closure
                .report(diagnostics::kustomize_error("expected valid YAML in the string", reference.node.span()));
        }
        true
    }

    fn plugin(&mut self, document: &Document<'_>) {
        let mut spans = Vec::new();
        references::for_each_plugin_string(document.root(), &mut |node, text| {
            spans.extend(has_remote_part(text).then(|| node.span()));
        });
        for span in spans {
            self.closure.report(diagnostics::remote_in_plugin(span));
        }
    }
}

type ReadDocuments<'s> = fn(SourceId, &'s str, &Limits) -> crate::diagnostic::Warned<Vec<Document<'s>>>;

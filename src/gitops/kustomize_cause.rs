//! Locations of the problems that kustomize reports.

use std::path::PathBuf;
use std::sync::Arc;

use super::artifact::Artifact;
use super::cause::{Cause, incomplete_object, string};
use super::closure::Closure;
use super::kustomization::MergedKustomization;
use super::path::{is_manifest, parent, resolve};
use super::tree::RepositoryTree;
use crate::diagnostic::Severity;
use crate::input::{problem_file, problem_span, unmatched_patch};
use crate::source::{BYTE_ORDER_MARK, Source, SourceId, Sources};
use crate::yaml::{Document, Limits, Node, read_value};

/// Files of a failed kustomize build.
#[derive(Clone, Copy)]
pub struct FailedBuild<'b> {
    pub tree: &'b RepositoryTree,
    pub artifact: &'b Artifact,
    pub closure: &'b Closure,
    /// Kustomization to build, if it differs from the kustomization in the file.
    pub merged: Option<&'b MergedKustomization>,
}

impl<'b> FailedBuild<'b> {
    /// Returns the part of a file that causes the problem in a message from kustomize. Paths in the message must be
    /// relative to the artifact.
    pub fn cause(self, message: &str) -> Option<Cause> {
        self.find_missing_file(message)
            .or_else(|| self.find_incomplete_object(message))
            .or_else(|| self.find_unmatched_patch(message))
            .or_else(|| self.cause_in_kustomization(message))
    }

    /// Returns the mistake in the first parsed file that is not valid YAML.
    pub fn find_invalid_file(self) -> Option<(String, Cause)> {
        let Closure { kustomizations, parsed_files, .. } = self.closure;
        let is_parsed = |path: &String| kustomizations.contains(path) || parsed_files.contains(path);
        let files = self.closure.files.iter().filter(|(path, file)| is_manifest(file) && is_parsed(path));
        files.map(|(_, file)| file.as_str()).find_map(|file| {
            let sources = self.source(file, file)?;
            let (id, source) = sources.iter().next()?;
            let diagnostics = read_value(id, &source.text, &Limits::default()).diagnostics;
            let mistake = diagnostics.iter().find(|finding| finding.severity == Severity::Error)?;
            let span = mistake.primary()?.span;
            let offset = sources.location(span)?.start;
            let reason = format!("`{file}:{}:{}` is not valid YAML: {}", offset.line, offset.column, mistake.message);
            Some((reason, Cause::from_span(file, span)))
        })
    }

    /// Returns the repository paths of the build's manifests.
    fn manifests(self) -> impl Iterator<Item = &'b str> {
        self.closure.files.values().map(String::as_str).filter(|file| is_manifest(file))
    }

    /// Returns the path in the artifact and the repository path of each kustomization, starting with the one to build.
    fn kustomizations(self) -> impl Iterator<Item = (&'b str, &'b str)> {
        let top = self.merged.map(|merged| &merged.file);
        let paths = top.into_iter().chain(&self.closure.kustomizations);
        paths.filter_map(move |path| Some((path.as_str(), self.artifact.file(path)?)))
    }

    /// Returns a set of sources that contains only the given file, or `None` if the file cannot be read.
    fn source(self, file: &str, path: &str) -> Option<Sources> {
        let mut sources = Sources::default();
        add(&mut sources, file, path, &self.tree.text(file)?);
        Some(sources)
    }

    /// Returns the entry of a kustomization that refers to a missing file.
    fn find_missing_file(self, message: &str) -> Option<Cause> {
        let (text_before, _) = message.split_once(": no such file or directory")?;
        let missing_path = text_before.rsplit(' ').next()?.trim_matches('\'');
        self.kustomizations().find_map(|(path, file)| {
            let text = self.tree.text(file)?;
            let mut words = text.split(|c: char| c.is_whitespace() || "[]{},'\"=".contains(c));
            let word = words.find(|word| resolve(parent(path), word).as_deref() == Some(missing_path))?;
            Cause::first_occurrence(self.tree, file, word)
        })
    }

    /// Returns the first object without a kind or a name in the file named in a message.
    fn find_incomplete_object(self, message: &str) -> Option<Cause> {
        let name = problem_file(message)?.trim_start_matches("./");
        let mut named_files = self.closure.files.iter().filter(|(path, _)| {
            is_manifest(path)
                && path.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with('/'))
        });
        named_files.find_map(|(_, file)| incomplete_object(file, &self.tree.text(file)?))
    }

    /// Returns the field that prevents a patch from matching any object: the patch's kind, version or name.
    fn find_unmatched_patch(self, message: &str) -> Option<Cause> {
        let (kind, name) = unmatched_patch(message)?;
        let mut sources = Sources::default();
        for file in self.manifests() {
            if let Some(text) = self.tree.text(file).filter(|text| text.contains(name)) {
                add(&mut sources, file, file, &text);
            }
        }
        let documents: Vec<Document<'_>> =
            sources.iter().flat_map(|(id, source)| read_value(id, &source.text, &Limits::default()).output).collect();
        let named_objects =
            || documents.iter().map(Document::root).filter(|root| string(*root, &["metadata", "name"]) == Some(name));
        let has_kind = |root: &Node<'_>| string(*root, &["kind"]) == Some(kind);
        let patch = named_objects().find(has_kind)?;
        let field = match (named_objects().filter(has_kind).count(), named_objects().count()) {
            (1, 1) => patch.get("metadata")?.get("name")?,
            (1, _) => patch.get("kind")?,
            _ => patch.get("apiVersion")?,
        };
        let file = &sources.get(field.span().source)?.name;
        Some(Cause::from_span(file, field.span()))
    }

    /// Returns the part of a kustomization that causes a problem.
    fn cause_in_kustomization(self, message: &str) -> Option<Cause> {
        let mut sources = Sources::default();
        for (path, file) in self.kustomizations() {
            add(&mut sources, file, path, &self.tree.text(file).unwrap_or_default());
        }
        let kustomizations: Vec<_> = sources.shared().map(|(id, source)| (id, Arc::clone(source))).collect();
        let span = problem_span(message, &kustomizations)?;
        Some(Cause::from_span(&sources.get(span.source)?.name, span))
    }
}

/// Adds a file to the sources, with its path in the artifact.
fn add(sources: &mut Sources, file: &str, path: &str, text: &str) -> SourceId {
    let mut source = Source::new(file, text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text), false);
    source.path = Some(PathBuf::from(path));
    sources.add(source)
}

//! Inputs for unit tests and for the integration tests, which include this file.

use agentctl::admit::AdmittedDocument;
use agentctl::compile::{self, Bundle, CompileOptions, Findings};
use agentctl::diagnostic::{Diagnostic, Warned};
use agentctl::output::Target;
use agentctl::source::{Source, SourceId, Sources};
use agentctl::yaml::{self, Document, Limits};

/// Files to read or compile, and the options to compile them with.
#[derive(Default)]
#[must_use]
pub struct TestInput {
    pub sources: Sources,
    pub options: CompileOptions,
}

impl TestInput {
    /// Creates an input with a single file.
    pub fn new(text: impl Into<String>) -> Self {
        Self::default().file("x.yaml", text)
    }

    /// Adds a file as if it were specified on the command line.
    pub fn file(mut self, name: impl Into<String>, text: impl Into<String>) -> Self {
        self.sources.add(Source::new(name, text, true));
        self
    }

    /// Adds a file that was found in a directory.
    pub fn found_file(mut self, name: impl Into<String>, text: impl Into<String>) -> Self {
        self.sources.add(Source::new(name, text, false));
        self
    }

    /// Creates an input that consists of numbered files.
    pub fn numbered(texts: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let texts = texts.into_iter().enumerate();
        texts.fold(Self::default(), |input, (number, text)| input.file(format!("{number}.yaml"), text))
    }

    /// Marks the input as a repository, whose files may belong to different clusters.
    pub fn repository(mut self) -> Self {
        self.options.is_repository = true;
        self
    }

    /// Renders for `target` instead of the agent.
    pub fn target(mut self, target: Target) -> Self {
        self.options.render.manifest.target = target;
        self
    }

    pub fn options(mut self, options: &CompileOptions) -> Self {
        self.options = options.clone();
        self
    }

    /// Reads the files without admitting their objects.
    pub fn documents(&self) -> Vec<Document<'_>> {
        let sources = self.sources.iter();
        sources.flat_map(|(id, source)| yaml::read(id, &source.text, &Limits::default()).output).collect()
    }

    /// Reads the files and admits their objects.
    pub fn read(&self) -> (Vec<AdmittedDocument<'_>>, Findings<'_>) {
        compile::read(&self.sources, &self.options)
    }

    pub fn compile(&self) -> Warned<Bundle> {
        compile::compile(&self.sources, &self.options)
    }

    /// Returns the findings from compiling the files.
    pub fn findings(&self) -> Vec<Diagnostic> {
        self.compile().diagnostics
    }
}

/// Returns a source ID for spans that belong to no input.
pub fn source_id() -> SourceId {
    Sources::default().add(Source::new("x.yaml", "", true))
}

/// Reads YAML without admitting its objects.
pub fn read(text: &str) -> Warned<Vec<Document<'_>>> {
    yaml::read(source_id(), text, &Limits::default())
}

/// Returns the documents in `text`, even if it contains mistakes.
pub fn documents(text: &str) -> Vec<Document<'_>> {
    read(text).output
}

/// Returns the first document in `text`, even if it contains mistakes.
pub fn document(text: &str) -> Document<'_> {
    documents(text).remove(0)
}

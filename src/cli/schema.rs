//! `agentctl schema`: JSON Schemas for editors, and the CustomResourceDefinitions.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::Value;

use super::ExitStatus;
use super::session::Session;
use crate::api::Kind;
use crate::api::schema::definition;
use crate::emit::{Format, write_file};
use crate::environment::EnvironmentError;
use crate::schema::{crd, json_schema, json_schema_of_all, kinds, list};
use crate::yaml::{self, Style};

/// Write JSON Schemas for editors, or the CustomResourceDefinitions
///
/// Without KIND, writes a schema for files with objects of several kinds. An editor with the YAML language server checks a file
/// as you type if its first line is `# yaml-language-server: $schema=PATH`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl schema ServiceMonitor
  agentctl schema --output-dir schemas/
  agentctl schema --crd | kubectl apply --server-side -f -
  agentctl schema --crd PodLogs -o json")]
pub(super) struct SchemaArgs {
    /// The kind, such as ServiceMonitor, in any case
    #[arg(value_name = "KIND", value_parser = kind_parser(), ignore_case = true)]
    kind: Option<Kind>,

    /// Write CustomResourceDefinitions
    ///
    /// They accept what those of the operator accept.
    #[arg(long)]
    crd: bool,

    /// Format of CustomResourceDefinitions [default: yaml]
    #[arg(short, long, value_name = "FORMAT", value_enum, requires = "crd")]
    output: Option<Format>,

    /// Write one file per kind into this directory
    ///
    /// all.json is for files with several kinds.
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    output_dir: Option<PathBuf>,
}

fn kind_parser() -> impl TypedValueParser<Value = Kind> {
    PossibleValuesParser::new(kinds().map(Kind::as_str)).try_map(|name| {
        let named = |kind: &Kind| kind.as_str().eq_ignore_ascii_case(&name);
        kinds().find(named).ok_or("no such kind")
    })
}

impl SchemaArgs {
    pub(super) fn run(&self, session: &Session) -> Result<ExitStatus, EnvironmentError> {
        match &self.output_dir {
            Some(directory) => self.write_files(directory)?,
            None => session.data(&self.text())?,
        }
        Ok(ExitStatus::Success)
    }

    fn kinds(&self) -> impl Iterator<Item = Kind> {
        kinds().filter(|kind| self.kind.is_none_or(|only| only == *kind))
    }

    /// What goes to standard output.
    fn text(&self) -> String {
        match (self.crd, self.format(), self.kind) {
            (false, _, Some(kind)) => json_text(&json_schema(kind)),
            (false, _, None) => json_text(&json_schema_of_all()),
            (true, Format::Json, _) => json_text(&list(self.kinds())),
            (true, Format::Yaml, _) => self
                .kinds()
                .map(|kind| format!("---\n{}", yaml_text(crd(kind))))
                .collect(),
        }
    }

    fn write_files(&self, directory: &Path) -> Result<(), EnvironmentError> {
        for kind in self.kinds() {
            let (name, text) = self.file(kind);
            write_file(&directory.join(name), &text)?;
        }
        if !self.crd && self.kind.is_none() {
            write_file(&directory.join("all.json"), &json_text(&json_schema_of_all()))?;
        }
        Ok(())
    }

    /// The name and the content of a kind's file.
    fn file(&self, kind: Kind) -> (String, String) {
        if !self.crd {
            let name = format!("{}.json", kind.as_str().to_ascii_lowercase());
            return (name, json_text(&json_schema(kind)));
        }
        let definition = definition(kind);
        let stem = format!("{}_{}", definition.group, definition.plural);
        match self.format() {
            Format::Yaml => (format!("{stem}.yaml"), yaml_text(crd(kind))),
            Format::Json => (format!("{stem}.json"), json_text(&crd(kind))),
        }
    }

    fn format(&self) -> Format {
        self.output.unwrap_or_default()
    }
}

fn json_text(value: &Value) -> String {
    format!("{value:#}\n")
}

fn yaml_text(value: Value) -> String {
    yaml::write(&value.into(), Style::Kubernetes)
}

//! `agentctl schema`: JSON Schemas for editors, and CustomResourceDefinitions.

use std::path::PathBuf;

use clap::{Args, Command};
use serde_json::Value;

use super::completion::ListedValues;
use super::session::{ExitStatus, Outcome, Session};
use crate::api::Kind;
use crate::api::json_schema::{crd, crd_list, json_schema, json_schema_of_all, kinds};
use crate::diagnostic::suggest;
use crate::emit::{StreamFormat, write_file};
use crate::flags::settings_schema;
use crate::insight::catalog::kind_named;
use crate::yaml::{self, LibraryStyle};

/// Write JSON Schemas for editors, or the CustomResourceDefinitions
///
/// Without KIND, writes a schema for files with objects of several kinds. An editor with the YAML language server
/// checks files as you type if the setting `yaml.schemas` lists them. The comment `# yaml-language-server:
/// $schema=PATH` at the top of a file applies only to its first document.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl schema ServiceMonitor
  agentctl schema --output-dir schemas/
  agentctl schema settings > agentctl.schema.json
  agentctl schema --crd | kubectl apply --server-side -f -
  agentctl schema --crd PodLogs -o json")]
pub(super) struct SchemaArgs {
    /// Kind, such as ServiceMonitor or smon, in any case; or settings, for agentctl.yaml
    #[arg(value_name = "KIND", value_parser = SUBJECT, hide_possible_values = true)]
    subject: Option<SchemaSubject>,

    /// Write CustomResourceDefinitions
    ///
    /// They accept the same resources as the operator's.
    #[arg(long)]
    crd: bool,

    /// Format of CustomResourceDefinitions [default: yaml]
    #[arg(short, long, value_name = "FORMAT", value_enum, requires = "crd")]
    output: Option<StreamFormat>,

    /// Write one file per kind to this directory
    ///
    /// all.json is for files with several kinds.
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    output_dir: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SchemaSubject {
    Kind(Kind),
    Settings,
}

const SETTINGS: &str = "settings";

/// Parser for a kind in any form that kubectl accepts. Completion scripts list the full names.
const SUBJECT: ListedValues<SchemaSubject> = ListedValues { parse: subject, all: subjects };

fn subjects() -> Vec<&'static str> {
    kinds().map(Kind::as_str).chain([SETTINGS]).collect()
}

fn subject(text: &str) -> Result<SchemaSubject, String> {
    let has_schema = |kind: &Kind| kinds().any(|known| known == *kind);
    match kind_named(text).filter(has_schema) {
        Some(kind) => Ok(SchemaSubject::Kind(kind)),
        None if text == SETTINGS => Ok(SchemaSubject::Settings),
        None => Err(suggest::one_of(text, &subjects())),
    }
}

impl SchemaArgs {
    pub(super) fn run(&self, session: &Session, command: Command) -> Outcome {
        let Some(directory) = &self.output_dir else {
            return session.data(&self.text(command));
        };
        for (name, text) in self.files(command) {
            write_file(&directory.join(name), &text)?;
        }
        Ok(ExitStatus::Success)
    }

    fn kinds(&self) -> impl Iterator<Item = Kind> {
        kinds().filter(|kind| self.subject.is_none_or(|only| only == SchemaSubject::Kind(*kind)))
    }

    /// Returns the text to write to standard output.
    fn text(&self, command: Command) -> String {
        match (self.subject, self.crd, self.format()) {
            (Some(SchemaSubject::Settings), ..) => json_text(&settings_schema(command)),
            (Some(SchemaSubject::Kind(kind)), false, _) => json_text(&json_schema(kind)),
            (None, false, _) => json_text(&json_schema_of_all()),
            (_, true, StreamFormat::Json) => json_text(&crd_list(self.kinds())),
            (_, true, StreamFormat::Yaml) => {
                let crds = self.kinds().map(|kind| format!("---\n{}", yaml_text(crd(kind))));
                crds.collect()
            }
        }
    }

    /// Returns the names and contents of the files to write to a directory.
    fn files(&self, command: Command) -> Vec<(String, String)> {
        let mut files: Vec<_> = self.kinds().map(|kind| self.file(kind)).collect();
        match self.subject {
            None if !self.crd => files.push(("all.json".to_owned(), self.text(command))),
            Some(SchemaSubject::Settings) => files.push(("settings.json".to_owned(), self.text(command))),
            _ => {}
        }
        files
    }

    /// Returns the name and contents of the file for a kind.
    fn file(&self, kind: Kind) -> (String, String) {
        if !self.crd {
            let name = format!("{}.json", kind.as_str().to_ascii_lowercase());
            return (name, json_text(&json_schema(kind)));
        }
        let file_stem = format!("{}_{}", kind.group(), kind.plural());
        match self.format() {
            StreamFormat::Yaml => (format!("{file_stem}.yaml"), yaml_text(crd(kind))),
            StreamFormat::Json => (format!("{file_stem}.json"), json_text(&crd(kind))),
        }
    }

    fn format(&self) -> StreamFormat {
        self.output.unwrap_or_default()
    }
}

fn json_text(value: &Value) -> String {
    format!("{value:#}\n")
}

fn yaml_text(value: Value) -> String {
    yaml::write(&value.into(), LibraryStyle::Kubernetes)
}

//! Destination of manifests: standard output or a directory.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use crate::cli::session::{ExitStatus, Outcome, Session};
use crate::emit::{Directory, StreamFormat, write_stream};
use crate::flags::Effect::{Bounded, Harmless};
use crate::manifest::Object;
use crate::printable::Text;

/// Flags for the destination and format of manifests.
#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct OutputArgs {
    /// Format of the manifests
    #[arg(short, long, value_name = "FORMAT", default_value = "yaml", help_heading = "Output")]
    output: OutputFormat,

    /// Write one file per object to this directory
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath, help_heading = "Output", add = Bounded("writes to another directory in the repository, unless an input is standard input or outside the repository"))]
    output_dir: Option<PathBuf>,

    /// Do not sync --output-dir to disk: faster, but a power failure can lose files
    #[arg(long, requires = "output_dir", help_heading = "Output", hide_short_help = true, add = Harmless)]
    no_sync: bool,
}

/// Format of the manifests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OutputFormat {
    /// One YAML document per object, as `kubectl get -o yaml` writes it
    Yaml,
    /// One `List`, as `kubectl get -o json` writes it
    Json,
    /// Only the names, one per line, as `kubectl get -o name` writes them
    Name,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum AnswerFormat {
    /// Human-readable text
    Text,
    /// JSON for scripts
    Json,
}

impl OutputArgs {
    /// Returns the output directory, or `None` for standard output.
    pub(in crate::cli) fn path(&self) -> Option<&Path> {
        let path = self.output_dir.as_deref().filter(|path| *path != Path::new("-"));
        path.filter(|_| self.format().is_some())
    }

    /// Returns the same flags, but with the subdirectory `name` as the output directory.
    pub(in crate::cli) fn for_subdirectory(&self, name: &str) -> Self {
        Self { output_dir: self.output_dir.as_ref().map(|path| path.join(name)), ..self.clone() }
    }

    /// Whether the output format is YAML.
    pub(in crate::cli) fn is_yaml(&self) -> bool {
        self.output == OutputFormat::Yaml
    }

    /// Returns the format of the manifests, or `None` if only their names are shown.
    fn format(&self) -> Option<StreamFormat> {
        match self.output {
            OutputFormat::Yaml => Some(StreamFormat::Yaml),
            OutputFormat::Json => Some(StreamFormat::Json),
            OutputFormat::Name => None,
        }
    }

    /// Writes manifests to standard output.
    pub(in crate::cli) fn show<'o>(
        &self,
        manifests: impl IntoIterator<Item = &'o Object>,
        session: &Session,
    ) -> Outcome {
        let Some(format) = self.format() else {
            let mut names = Text::default();
            manifests.into_iter().for_each(|manifest| names.line(manifest.resource_name()));
            return session.show(&names);
        };
        session.write(|out| write_stream(manifests, format, out))
    }

    /// Returns the output directory, if any. `list` is the name of the file that lists the command's files in it.
    pub(in crate::cli) fn directory(&self, list: &'static str) -> Option<Directory<'_>> {
        let path = self.path()?;
        Some(Directory { sync: !self.no_sync, ..Directory::new(path, list, self.format()?) })
    }

    /// Writes manifests, and prints the number of files written.
    pub(in crate::cli) fn write(&self, list: &'static str, manifests: &[Object], session: &Session) -> Outcome {
        let Some(directory) = self.directory(list) else {
            return self.show(manifests, session);
        };
        let write_counts = directory.plan(manifests)?.write()?;
        session.note_written(directory.path, write_counts);
        Ok(ExitStatus::Success)
    }
}

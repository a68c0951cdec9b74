//! Where manifests are written: standard output or a directory.

use std::path::{Path, PathBuf};

use clap::Args;

use super::session::Session;
use crate::emit::{Directory, Format, Manifest, write_stream};
use crate::environment::EnvironmentError;

/// Where manifests are written, and how.
#[derive(Clone, Debug, Args)]
pub(super) struct OutputArgs {
    /// Format of manifests
    #[arg(short, long, value_name = "FORMAT", default_value = "yaml", help_heading = "Output")]
    pub(super) output: Format,

    /// Write one file per object into this directory
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath, help_heading = "Output")]
    output_dir: Option<PathBuf>,

    /// Do not wait until --output-dir is on the disk: faster, but a power failure can lose files
    #[arg(long, requires = "output_dir", help_heading = "Output", hide_short_help = true)]
    no_sync: bool,
}

impl OutputArgs {
    /// The directory, unless it is standard output.
    pub(super) fn path(&self) -> Option<&Path> {
        self.output_dir.as_deref().filter(|path| *path != Path::new("-"))
    }

    /// The directory, with the list of what the command owns there.
    pub(super) fn directory(&self, list: &'static str) -> Option<Directory<'_>> {
        let path = self.path()?;
        Some(Directory {
            sync: !self.no_sync,
            ..Directory::new(path, list, self.output)
        })
    }

    /// Writes manifests, and says how many files were written.
    pub(super) fn write<M: Manifest>(
        &self,
        list: &'static str,
        manifests: &[M],
        session: &Session,
    ) -> Result<(), EnvironmentError> {
        let Some(directory) = self.directory(list) else {
            return session.write(|out| write_stream(manifests, self.output, out));
        };
        let written = directory.plan(manifests)?.write()?;
        session.note_written(directory.path, written);
        Ok(())
    }
}

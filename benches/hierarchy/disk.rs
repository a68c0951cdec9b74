//! Generated inputs that are written to disk.

use std::fs;
use std::path::PathBuf;

use agentctl::input::{Input, ReadLimits, load};
use agentctl::source::Sources;
use tempfile::TempDir;

/// A temporary directory that contains inputs.
pub struct Directory(TempDir);

impl Directory {
    /// Writes the inputs to a new directory.
    pub fn new(sources: &Sources) -> std::io::Result<Self> {
        let directory = tempfile::tempdir()?;
        for (_, source) in sources.iter() {
            fs::write(directory.path().join(&source.name), &source.text)?;
        }
        Ok(Self(directory))
    }

    pub fn path(&self) -> PathBuf {
        self.0.path().to_owned()
    }

    /// Reads the inputs as the command does.
    pub fn load(&self) -> Sources {
        let loaded = load(&[Input::Path(self.path())], &ReadLimits::default());
        loaded.map(|loaded| loaded.output).unwrap_or_default()
    }
}

//! What a language server asks of `check`.

use std::path::PathBuf;

use crate::compile::Options;
use crate::compile::kept::Kept;
use crate::diagnostic::Warned;
use crate::input::{Input, Reading};
use crate::source::Sources;

/// What `check` does, for a workspace with its settings.
pub trait Checker {
    /// What is read.
    fn inputs(&self) -> Vec<Input>;
    /// Limits on what is read, and from where.
    fn reading(&self) -> Reading;
    /// How it is compiled.
    fn options(&self) -> Options;
    /// The findings in what was read. The sources may get more, such as the settings.
    fn check(&self, loaded: Warned<Sources>, kept: &mut Kept<'_>) -> Warned<Sources>;
}

/// Opens the folders of a workspace, as often as their settings change.
///
/// # Errors
/// Settings that cannot be read.
pub type Open<'o> = &'o dyn Fn(&[PathBuf]) -> Result<Box<dyn Checker>, String>;

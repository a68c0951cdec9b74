//! What a language server asks of `check`.

use std::path::PathBuf;

use crate::compile::Options;
use crate::diagnostic::{Diagnostic, Warned};
use crate::input::{Input, Reading};
use crate::source::Sources;

/// What `check` does, for a workspace with its settings.
pub trait Checker {
    fn inputs(&self) -> Vec<Input>;
    /// Limits on what is read, and from where.
    fn reading(&self) -> Reading;
    fn options(&self) -> Options;
    /// Checks what was read, unless that stops being wanted: then what it returns is not to be used.
    fn check<'c>(&'c self, loaded: Warned<Sources>, is_wanted: &dyn Fn() -> bool) -> Box<dyn Checked + 'c>;
}

/// What `check` found.
pub trait Checked {
    /// What was read. There may be more than what was loaded, such as the settings.
    fn sources(&self) -> &Sources;
    /// The findings.
    fn found(&self) -> Vec<Diagnostic>;
    /// The findings with the certainty that their fixes turn out to have when they are tried.
    fn tried(&self, is_wanted: &dyn Fn() -> bool) -> Vec<Diagnostic>;
}

/// Opens the folders of a workspace, as often as their settings change.
///
/// # Errors
/// Settings that cannot be read.
pub type Open<'o> = &'o dyn Fn(&[PathBuf]) -> Result<Box<dyn Checker>, String>;

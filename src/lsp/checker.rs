//! What a language server asks of `check`.

use std::path::PathBuf;

use crate::compile::Options;
use crate::diagnostic::{Diagnostic, Warned};
use crate::input::{Input, Reading};
use crate::source::Sources;

/// Whether an answer is still wanted; where it is not, what is returned is not to be used.
pub type Wanted<'w> = &'w dyn Fn() -> bool;

/// Checks what was read.
type Check = Box<dyn Fn(Warned<Sources>, Wanted<'_>) -> Checked>;

/// Checks the same sources with other texts.
type Find = Box<dyn Fn(&Sources, Wanted<'_>) -> Vec<Diagnostic>>;

/// What `check` does, for a workspace with its settings.
pub struct Checker {
    pub inputs: Vec<Input>,
    /// Limits on what is read, and from where.
    pub reading: Reading,
    pub options: Options,
    pub check: Check,
}

/// What `check` found.
pub struct Checked {
    /// What was read. There may be more than what was loaded, such as the settings.
    pub sources: Sources,
    pub found: Vec<Diagnostic>,
    pub find: Find,
}

/// Opens the folders of a workspace, as often as their settings change.
///
/// # Errors
/// Settings that cannot be read.
pub type Open<'o> = &'o dyn Fn(&[PathBuf]) -> Result<Checker, String>;

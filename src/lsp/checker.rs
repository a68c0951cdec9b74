//! Interface between the language server and `check`.

use std::path::PathBuf;

use crate::compile::CompileOptions;
use crate::diagnostic::{Diagnostic, Warned};
use crate::input::{Input, ReadLimits};
use crate::source::Sources;

/// Returns whether an answer is still wanted. If not, the result is discarded.
pub type Wanted<'w> = &'w dyn Fn() -> bool;

/// Checks the sources that were read.
type Check = Box<dyn Fn(Warned<Sources>, Wanted<'_>) -> CheckedWorkspace>;

/// Checks the same sources with other contents.
type Find = Box<dyn Fn(&Sources, Wanted<'_>) -> Vec<Diagnostic>>;

/// Check of a workspace with its settings.
pub struct WorkspaceChecker {
    pub inputs: Vec<Input>,
    /// Limits on input and restrictions on its location.
    pub reading: ReadLimits,
    pub options: CompileOptions,
    pub check: Check,
}

/// Result of a check.
pub struct CheckedWorkspace {
    /// Sources, which may include more than was loaded, such as the settings.
    pub sources: Sources,
    pub found: Vec<Diagnostic>,
    pub find: Find,
}

/// Opens the folders of a workspace, each time their settings change.
///
/// # Errors
///
/// Returns a message if the settings cannot be read.
pub type OpenWorkspace<'o> = &'o dyn Fn(&[PathBuf]) -> Result<WorkspaceChecker, String>;

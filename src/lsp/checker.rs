//! Interface between the language server and `check`.

use std::path::PathBuf;

use crate::compile::CompileOptions;
use crate::diagnostic::{Diagnostic, Warned};
use crate::input::{Input, ReadLimits};
use crate::source::Sources;

/// Function that returns whether the answer is still wanted. If not, the result will be discarded.
pub type Wanted<'w> = &'w dyn Fn() -> bool;

/// Function that checks sources once they have been read.
type Check = Box<dyn Fn(Warned<Sources>, Wanted<'_>) -> CheckedWorkspace>;

/// Function that checks a modified copy of the sources and returns the findings.
type Find = Box<dyn Fn(&Sources, Wanted<'_>) -> Vec<Diagnostic>>;

/// A workspace's inputs and settings, and the function that checks the workspace.
pub struct WorkspaceChecker {
    pub inputs: Vec<Input>,
    /// Limits on the input, and restrictions on its location.
    pub reading: ReadLimits,
    pub options: CompileOptions,
    pub check: Check,
}

/// Result of checking a workspace.
pub struct CheckedWorkspace {
    /// Sources, including newly loaded files such as the settings.
    pub sources: Sources,
    pub findings: Vec<Diagnostic>,
    pub find: Find,
}

/// Function that opens the folders of a workspace and is called whenever their settings change.
///
/// # Errors
///
/// Returns a message if the settings cannot be read.
pub type OpenWorkspace<'o> = &'o dyn Fn(&[PathBuf]) -> Result<WorkspaceChecker, String>;

//! `KUBECTL_EXTERNAL_DIFF`: the user's own diff program.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::ExitStatus;
use crate::diagnostic::EnvironmentError;
use crate::diff::{ApplyAction, ObjectChange};
use crate::input::SearchPath;

/// Runs `program` on two directories, as kubectl does: one with the existing objects and one with the rendered objects.
/// Secret values are masked. If nothing differs, the program does not run.
pub(super) fn run(program: &str, changes: impl Iterator<Item = ObjectChange>) -> Result<ExitStatus, EnvironmentError> {
    let directory = |prefix: &str| {
        let temporary_directory = tempfile::Builder::new().prefix(prefix).tempdir();
        temporary_directory.map_err(EnvironmentError::write(&std::env::temp_dir()))
    };
    let (live, merged) = (directory("LIVE-")?, directory("MERGED-")?);
    let mut differs = false;
    for change in changes {
        differs = true;
        if change.action != ApplyAction::Added {
            write(live.path(), &change, &change.text_before())?;
        }
        if change.action != ApplyAction::Removed {
            write(merged.path(), &change, &change.text_after())?;
        }
    }
    if !differs {
        return Ok(ExitStatus::Success);
    }
    let mut words = program.split_whitespace();
    let name = words.next().unwrap_or_default();
    let path = SearchPath::outside_checkouts(&[]).find(name).map_err(EnvironmentError::run(name))?;
    let status = Command::new(path).args(words).arg(live.path()).arg(merged.path()).status();
    let status = status.map_err(EnvironmentError::run(name))?;
    Ok(match status.code() {
        Some(0 | 1) => ExitStatus::Findings,
        _ => ExitStatus::Trouble,
    })
}

/// Returns the program from the environment variable, or `None` if it is not set.
pub(super) fn program(variable: Option<&OsStr>) -> Option<String> {
    let text = variable?.to_string_lossy().trim().to_owned();
    (!text.is_empty()).then_some(text)
}

/// Writes an object to the file that kubectl would use: `<group>.<version>.<Kind>.<namespace>.<name>`.
fn write(directory: &Path, change: &ObjectChange, text: &str) -> Result<(), EnvironmentError> {
    let key = &change.key;
    let name = format!("{}.{}.{}.{}", change.version, key.kind, key.namespace, key.name);
    let is_unsafe = |c: char| !c.is_ascii_alphanumeric() && !matches!(c, '.' | '-');
    let path = directory.join(name.replace(is_unsafe, "_"));
    fs::write(&path, text).map_err(EnvironmentError::write(&path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_program_from_the_variable() {
        for (variable, expected) in
            [(None, None), (Some(""), None), (Some(" "), None), (Some(" colordiff -u "), Some("colordiff -u"))]
        {
            assert_eq!(program(variable.map(OsStr::new)).as_deref(), expected, "{variable:?}");
        }
    }
}

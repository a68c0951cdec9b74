//! Support for `-k`: the output of kustomize for a directory.
//!
//! kustomize follows the kustomization as it does for `kubectl apply -k`: remote bases are fetched. It receives no flag
//! that lets a kustomization run programs or read files outside its root. It runs twice in parallel: the second build
//! reveals the files that objects are built from.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::process::Command;

use super::origins;
use super::program::output;
use crate::diagnostic::EnvironmentError;
use crate::printable::ByteSize;
use crate::source::DocumentOrigin;

/// Programs that can build a kustomization, with the arguments that precede the directory. The first program that is
/// installed is used.
const PROGRAMS: &[(&str, &[&str])] = &[("kustomize", &["build", "--"]), ("kubectl", &["kustomize", "--"])];

/// Names of kustomization files (`konfig.RecognizedKustomizationFileNames` in kustomize).
const FILES: [&str; 3] = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

/// Whether a directory contains a kustomization.
pub(super) fn is_kustomization(directory: &Path) -> bool {
    FILES.iter().any(|name| directory.join(name).is_file())
}

pub(super) struct KustomizeBuild {
    pub(super) bytes: Vec<u8>,
    pub(super) origins: Vec<DocumentOrigin>,
}

/// Builds a local directory. `target` is the path to read; `directory` is its name in messages. Origins are found only
/// if `traced` is set, because they require a second build.
///
/// # Errors
///
/// Returns an error if the path is not a directory, if none of the programs is installed, or if the program fails or
/// prints more than `limit`.
pub(super) fn build(
    directory: &Path,
    target: &Path,
    limit: ByteSize,
    traced: bool,
) -> Result<KustomizeBuild, EnvironmentError> {
    // The program would treat the path of a missing directory as a repository address.
    if !target.is_dir() {
        return Err(EnvironmentError::unfit(directory, "`-k` needs a directory with a kustomization"));
    }
    let Some(kustomization) = FILES.iter().find(|name| target.join(name).is_file()) else {
        return Err(EnvironmentError::unfit(
            directory,
            "`-k` needs a directory with a kustomization.yaml; omit `-k` for plain manifests",
        ));
    };
    // An absolute path without symlinks cannot be mistaken for a flag or a repository address.
    let path = fs::canonicalize(target).map_err(EnvironmentError::read(directory))?;
    for (program, arguments) in PROGRAMS {
        let run = |path: &Path| output(Command::new(program).args(*arguments).arg(path), b"", limit);
        let (built, annotated) = rayon::join(
            || run(&path),
            || {
                let folder = traced.then(|| origins::wrapper_kustomization(&path)).flatten()?;
                let annotated = run(folder.path()).ok().filter(|built| built.status.success())?;
                Some((folder, String::from_utf8(annotated.stdout).ok()?))
            },
        );
        let built = match built {
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            built => built.map_err(EnvironmentError::run(program))?,
        };
        if !built.status.success() {
            return Err(failed(program, arguments, directory, &String::from_utf8_lossy(&built.stderr)));
        }
        if !traced {
            return Ok(KustomizeBuild { origins: Vec::new(), bytes: built.stdout });
        }
        let text = String::from_utf8_lossy(&built.stdout);
        let annotated = annotated.as_ref().map(|(folder, text)| (folder.path(), text.as_str()));
        let origins = origins::origins(&text, annotated, &path, &path.join(kustomization));
        return Ok(KustomizeBuild { origins, bytes: built.stdout });
    }
    let error = io::Error::new(ErrorKind::NotFound, "neither kustomize nor kubectl is installed");
    Err(EnvironmentError::run("kustomize")(error))
}

fn failed(program: &str, arguments: &[&str], directory: &Path, stderr: &str) -> EnvironmentError {
    let is_chart = stderr.contains("must specify --enable-helm");
    let message = match is_chart {
        // kustomize's own message also contains the chart's configuration, so it is replaced.
        true => "must specify --enable-helm, because the kustomization has helmCharts".to_owned(),
        false => unquoted(stderr.trim()),
    };
    let directory = directory.display();
    EnvironmentError::Failed {
        program: format!("{program} {} {directory}", arguments.join(" ")),
        message,
        help: is_chart.then(|| format!("kustomize build --enable-helm {directory} | agentctl check -")),
    }
}

/// Returns the error in a klog message, a format that some builds of kubectl use (`KVListFormat`). The error is quoted
/// or on separate lines.
fn unquoted(text: &str) -> String {
    let Some((_, error)) = text.split_once("\"command failed\" err=") else {
        return text.to_owned();
    };
    let lines = error.strip_prefix("<\n").and_then(|lines| lines.strip_suffix("\n >"));
    match lines {
        Some(lines) => lines.replace("\n\t", "\n").trim_start().to_owned(),
        None => serde_json::from_str(error).unwrap_or_else(|_| error.trim_matches('"').to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_errors_of_every_kubectl() {
        let klog = "E1126 18:49:36.3 31585 run.go:72] \"command failed\" err=";
        for (text, expected) in [
            ("Error: a 'b'".to_owned(), "Error: a 'b'"),
            (format!("{klog}\"a 'b': unknown field \\\"c\\\"\""), "a 'b': unknown field \"c\""),
            (format!("{klog}<\n\ta\n\tb\n >"), "a\nb"),
            (format!("{klog}\"cut"), "cut"),
        ] {
            assert_eq!(unquoted(&text), expected);
        }
        let chart = failed("kustomize", &["build", "--"], Path::new("a"), "x\nmust specify --enable-helm");
        let EnvironmentError::Failed { help, .. } = chart else {
            panic!("{chart}");
        };
        assert_eq!(help.as_deref(), Some("kustomize build --enable-helm a | agentctl check -"));
    }

    #[test]
    fn rejects_directories_without_kustomization() {
        let scratch = tempfile::tempdir().unwrap();
        let file = scratch.path().join("kustomization.yaml.txt");
        fs::write(&file, "").unwrap();
        for (path, expected) in [
            (file.clone(), "`-k` needs a directory with a kustomization"),
            (scratch.path().join("gone"), "`-k` needs a directory with a kustomization"),
            (
                scratch.path().to_owned(),
                "`-k` needs a directory with a kustomization.yaml; omit `-k` for plain manifests",
            ),
        ] {
            let error = build(&path, &path, ByteSize(1), true).err().unwrap();
            assert_eq!(error.to_string(), format!("cannot read `{}`: {expected}", path.display()));
        }
    }
}

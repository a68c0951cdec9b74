//! Builds kustomizations. kustomize runs twice in parallel: the second build reveals the files that objects are built
//! from.

use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;

use super::closure::closure;
use super::target::{FILES, KustomizeFindings, KustomizeTarget};
use crate::diagnostic::EnvironmentError;
use crate::input::origins;
use crate::input::program::output;
use crate::input::search_path::SearchPath;
use crate::printable::ByteSize;
use crate::source::DocumentOrigin;

/// Programs that can build a kustomization, with the arguments that precede the directory. The first program that is
/// installed is used.
const PROGRAMS: &[(&str, &[&str])] = &[("kustomize", &["build", "--"]), ("kubectl", &["kustomize", "--"])];

/// Variables that keep kustomize and git from using the network, even if an entry was overlooked. Port 1 is closed.
const OFFLINE: &[(&str, &str)] = &[
    ("ALL_PROXY", "http://127.0.0.1:1"),
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("HTTPS_PROXY", "http://127.0.0.1:1"),
    ("HTTP_PROXY", "http://127.0.0.1:1"),
    ("NO_PROXY", ""),
    ("https_proxy", "http://127.0.0.1:1"),
    ("http_proxy", "http://127.0.0.1:1"),
    ("no_proxy", ""),
];

/// Output of kustomize.
pub struct KustomizeBuild {
    pub bytes: Vec<u8>,
    pub origins: Vec<DocumentOrigin>,
}

/// Result of a build.
pub enum KustomizeOutcome {
    Built(KustomizeBuild),
    /// The kustomization was not built, because of these findings.
    Rejected(KustomizeFindings),
}

/// Checks everything that a build would load, without building it. If there are findings, kustomize must not run.
pub fn vet(target: &KustomizeTarget<'_>) -> KustomizeFindings {
    closure(target).findings
}

/// Checks and builds a kustomization. Origins are found only if `traced` is set, because they require a second build.
///
/// # Errors
///
/// Returns an error if none of the programs is installed, or if the program fails or prints more than `limit`.
pub fn build(
    target: &KustomizeTarget<'_>,
    limit: ByteSize,
    traced: bool,
) -> Result<KustomizeOutcome, EnvironmentError> {
    let closure = closure(target);
    if !closure.findings.diagnostics.is_empty() {
        return Ok(KustomizeOutcome::Rejected(closure.findings));
    }
    let search = SearchPath::outside(target.tree.as_ref().as_slice());
    let (program, path, arguments) = program(&search)?;
    let run = |directory: &Path| {
        let mut command = Command::new(&path);
        command.args(arguments).arg(directory).env("PATH", search.value());
        if !target.allows_remote {
            command.envs(OFFLINE.iter().copied());
        }
        output(&mut command, b"", limit)
    };
    let (built, annotated) = rayon::join(
        || run(&target.directory),
        || {
            let folder = traced.then(|| origins::wrapper_kustomization(&target.directory)).flatten()?;
            let annotated = run(folder.path()).ok().filter(|built| built.status.success())?;
            Some((folder, String::from_utf8(annotated.stdout).ok()?))
        },
    );
    let built = built.map_err(EnvironmentError::run(program))?;
    if !built.status.success() {
        return Err(failed(program, arguments, target.shown, &String::from_utf8_lossy(&built.stderr)));
    }
    if !traced {
        return Ok(KustomizeOutcome::Built(KustomizeBuild { origins: Vec::new(), bytes: built.stdout }));
    }
    let text = String::from_utf8_lossy(&built.stdout);
    let annotated = annotated.as_ref().map(|(folder, text)| (folder.path(), text.as_str()));
    let file = FILES.iter().map(|name| target.directory.join(name)).find(|path| path.is_file());
    let file = file.unwrap_or_else(|| target.directory.clone());
    let origins = origins::origins(&text, annotated, &target.directory, &file);
    Ok(KustomizeOutcome::Built(KustomizeBuild { origins, bytes: built.stdout }))
}

/// Returns the name and path of the first program that is installed, and its arguments.
fn program(
    search: &SearchPath,
) -> Result<(&'static str, std::path::PathBuf, &'static [&'static str]), EnvironmentError> {
    let mut problem = None;
    for (name, arguments) in PROGRAMS {
        match search.find(name) {
            Ok(path) => return Ok((name, path, arguments)),
            // A program that was found but skipped is the more useful reason.
            Err(error) => problem = problem.filter(|known: &std::io::Error| is_skipped(known)).or(Some(error)),
        }
    }
    let error = problem.filter(is_skipped);
    let error =
        error.unwrap_or_else(|| std::io::Error::new(ErrorKind::NotFound, "neither kustomize nor kubectl is installed"));
    Err(EnvironmentError::run("kustomize")(error))
}

fn is_skipped(error: &std::io::Error) -> bool {
    error.kind() == ErrorKind::PermissionDenied
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
}

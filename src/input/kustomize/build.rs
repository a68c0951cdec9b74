//! Kustomization builds. kustomize runs twice in parallel, because only the second build reveals the files that the
//! objects are built from.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use super::closure::{Closure, closure};
use super::copied::{copied_values, copies_values};
use super::cost::build_excess;
use super::target::{KustomizeFindings, KustomizeTarget, kustomization_files};
use super::{diagnostics, failure};
use crate::diagnostic::EnvironmentError;
use crate::input::origins;
use crate::input::program::output;
use crate::input::search_path::SearchPath;
use crate::printable::ByteSize;
use crate::source::{CopiedValues, DocumentOrigin, Span};

/// Programs that can build a kustomization, with the arguments that precede the directory. The first installed program
/// is used.
const PROGRAMS: &[(&str, &[&str])] = &[("kustomize", &["build", "--"]), ("kubectl", &["kustomize", "--"])];

/// Variables that keep kustomize and git from using the network, even if a remote entry was overlooked. The proxies do
/// not work, because port 1 is closed.
pub(super) const OFFLINE_VARIABLES: &[(&str, &str)] = &[
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

/// Output of kustomize, and the Secret values that it may contain.
pub struct KustomizeBuild {
    pub bytes: Vec<u8>,
    pub origins: Vec<DocumentOrigin>,
    /// Values of Secrets that kustomize may have copied to other objects.
    pub copied: Option<CopiedValues>,
}

/// Result of building a kustomization.
pub enum KustomizeOutcome {
    Built(KustomizeBuild),
    /// Findings that prevent the build of the kustomization.
    Rejected(KustomizeFindings),
}

/// Checks and builds a kustomization. Origins are determined only if `traced` is set, because this requires a second
/// build.
///
/// # Errors
///
/// Returns an error if none of the programs is installed, or if the program prints more than `limit` bytes.
pub fn build(
    target: &KustomizeTarget<'_>,
    limit: ByteSize,
    traced: bool,
) -> Result<KustomizeOutcome, EnvironmentError> {
    let mut closure = closure(target);
    if !closure.findings.diagnostics.is_empty() {
        return Ok(KustomizeOutcome::Rejected(closure.findings));
    }
    if let Some(excess) = build_excess(&target.directory) {
        let excess_location = excess.location.and_then(|(path, span)| Some((closure.read(target, &path)?.0, span)));
        // The first source is the kustomization to build.
        let first_span = closure.findings.sources.iter().next().map(|(id, _)| Span::new(id, 0, 0));
        let span = excess_location.map(|(id, span)| Span { source: id, ..span }).or(first_span);
        span.into_iter().for_each(|span| closure.report(diagnostics::kustomize_error(&excess.problem, span)));
        return Ok(KustomizeOutcome::Rejected(closure.findings));
    }
    let search = SearchPath::outside_checkouts(target.tree.as_ref().as_slice());
    let (program, path, arguments) = program(&search)?;
    let run = |directory: &Path| {
        let mut command = Command::new(&path);
        command.args(arguments).arg(directory).env("PATH", search.value());
        if !target.allows_remote {
            command.envs(OFFLINE_VARIABLES.iter().copied());
        }
        output(&mut command, b"", limit)
    };
    let (build_result, annotated_result) = rayon::join(
        || run(&target.directory),
        || {
            let wrapper_directory = traced.then(|| origins::wrapper_kustomization(&target.directory)).flatten()?;
            let annotated_output = run(wrapper_directory.path()).ok().filter(|built| built.status.success())?;
            Some((wrapper_directory, String::from_utf8(annotated_output.stdout).ok()?))
        },
    );
    let build_output = build_result.map_err(EnvironmentError::run(program))?;
    if !build_output.status.success() {
        let message = failure::unquote_klog(String::from_utf8_lossy(&build_output.stderr).trim());
        failure::report(&message, &mut closure, target);
        return Ok(KustomizeOutcome::Rejected(closure.findings));
    }
    if !traced {
        return Ok(KustomizeOutcome::Built(KustomizeBuild {
            origins: Vec::new(),
            bytes: build_output.stdout,
            copied: None,
        }));
    }
    let text = String::from_utf8_lossy(&build_output.stdout);
    let annotated = annotated_result.as_ref().map(|(folder, text)| (folder.path(), text.as_str()));
    let file = kustomization_files(&target.directory).next().unwrap_or_else(|| target.directory.clone());
    let origins = origins::origins(&text, annotated, &target.directory, &file);
    let copied_values = find_copied_values(&mut closure, target, &text);
    Ok(KustomizeOutcome::Built(KustomizeBuild { origins, bytes: build_output.stdout, copied: copied_values }))
}

/// Returns the values of Secrets that kustomize may have copied to other objects. The files are read only if the
/// kustomizations copy values or use transformers, which can also copy values.
fn find_copied_values(closure: &mut Closure, target: &KustomizeTarget<'_>, built: &str) -> Option<CopiedValues> {
    let mut texts: Vec<_> = closure.kustomizations.iter().map(|(_, source)| Arc::clone(source)).collect();
    let may_copy = |text: &str| copies_values(text.as_bytes()) || text.contains("transformers");
    if !texts.iter().any(|source| may_copy(&source.text)) {
        return None;
    }
    let files: Vec<_> = closure.files.iter().cloned().collect();
    texts.extend(files.iter().filter_map(|path| closure.read(target, path)).map(|(_, source)| source));
    let contents: Vec<_> = texts.iter().map(|source| source.text.as_str()).chain([built]).collect();
    copied_values(&contents)
}

/// Returns the name, path and arguments of the first installed program.
pub(super) fn program(
    search: &SearchPath,
) -> Result<(&'static str, PathBuf, &'static [&'static str]), EnvironmentError> {
    let mut problem = None;
    for (name, arguments) in PROGRAMS {
        match search.find(name) {
            Ok(path) => return Ok((name, path, arguments)),
            // An error about a program that exists but was skipped is more useful than an error about a missing
            // program.
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

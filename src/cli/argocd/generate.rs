//! `agentctl argocd generate`: the manifests of an application.

use std::env;
use std::ffi::OsString;
use std::path::{Component, Path};

use clap::Args;

use super::super::ExitStatus;
use super::super::parameters::{self, FILES, Spelling};
use super::super::render_flags::{RenderFlags, Rendered};
use super::super::session::{Channel, Session};
use crate::diagnostic::{Code, Diagnostic, Level, Policy, Setting, Subject, has_errors};
use crate::emit::{Format, write_stream};
use crate::environment::EnvironmentError;
use crate::parameter;
use crate::settings;
use crate::source::{Input, Source, Sources, load_more};
use crate::yaml;

/// What is read where the application names no files.
pub(super) const DEFAULT_FILES: [&str; 1] = ["."];

/// Where Argo CD puts the parameters of the application.
const PARAMETERS: &str = "ARGOCD_APP_PARAMETERS";

/// The namespace into which the application deploys.
pub(super) const NAMESPACE: &str = "ARGOCD_APP_NAMESPACE";

/// The directory of the application in its repository.
const SOURCE_PATH: &str = "ARGOCD_APP_SOURCE_PATH";

/// Write the manifests of an Argo CD application
///
/// Reads the working directory, or the files that the application's parameter `files` names, and writes manifests as
/// `agentctl render` does. Every flag can be set by a parameter of the same name, which comes before the flag. Resources that
/// name no namespace are in the one into which the application deploys.
///
/// A paused GrafanaAgent is an error unless the parameters `warn` or `allow` name paused-agent: what is not written, Argo CD
/// prunes.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl argocd generate
  ARGOCD_APP_PARAMETERS='[{\"name\": \"validate\", \"string\": \"strict\"}]' agentctl argocd generate")]
pub(super) struct GenerateArgs {
    #[command(flatten)]
    flags: RenderFlags,
}

impl GenerateArgs {
    pub(super) fn run(&self, session: &Session) -> Result<ExitStatus, EnvironmentError> {
        let mut sources = Sources::default();
        let mut diagnostics = Vec::new();
        let mut flags = self.flags.clone();
        let namespace = variable(NAMESPACE);
        if !namespace.is_empty()
            && let Err(reason) = flags.suggest_namespace(&namespace)
        {
            diagnostics.push(parameter::diagnostics::variable(NAMESPACE, &reason));
        }
        let inputs = configure(&mut flags, session, &mut sources, &mut diagnostics);
        if !has_errors(&diagnostics) {
            diagnostics.extend(load_more(&inputs, flags.max_file_size(), &mut sources)?);
        }
        let Rendered { bundle, diagnostics } =
            flags.render(session, keeping_paused(flags.preset()), &mut sources, diagnostics);
        session.report(&diagnostics, &sources, Channel::StandardError)?;
        if has_errors(&diagnostics) {
            return Ok(ExitStatus::Findings);
        }
        session.write(|out| write_stream(&bundle.objects, Format::Yaml, out))?;
        Ok(ExitStatus::Success)
    }
}

/// What Argo CD sets; a variable that is not there is as good as empty.
pub(super) fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}

/// Sets the flags by the parameters, and returns what is to be read.
fn configure(
    flags: &mut RenderFlags,
    session: &Session,
    sources: &mut Sources,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Input> {
    let text = variable(PARAMETERS);
    let id = sources.add(Source::cut_short(PARAMETERS, text.clone(), true));
    let read = yaml::read(id, &text, &flags.limits());
    diagnostics.extend(read.diagnostics);
    let found = parameter::of_application(read.output.first().map(yaml::Document::root));
    diagnostics.extend(found.diagnostics);
    let files = parameters::set(flags, &found.output, Spelling::Kebab, diagnostics);
    let files = match (files, found.output.iter().find(|parameter| parameter.name == FILES)) {
        (Some(files), Some(parameter)) => {
            let outside = |file: &str| parameter::diagnostics::outside(parameter, file);
            confine(&files, outside, diagnostics);
            files
        }
        _ => {
            let files = of_settings(session);
            confine(&files, settings::diagnostics::outside, diagnostics);
            files
        }
    };
    files.into_iter().map(Input::from).collect()
}

/// What the application's `agentctl.yaml` names, or its directory.
fn of_settings(session: &Session) -> Vec<OsString> {
    match session.settings() {
        Some(settings) => settings.inputs.iter().map(OsString::from).collect(),
        None => DEFAULT_FILES.map(OsString::from).to_vec(),
    }
}

/// Refuses files outside of the application's repository: whoever may change an application could read those of others.
fn confine(files: &[OsString], report: impl Fn(&str) -> Diagnostic, diagnostics: &mut Vec<Diagnostic>) {
    let source_path = variable(SOURCE_PATH);
    let depth = Path::new(&source_path)
        .components()
        .filter(|part| matches!(part, Component::Normal(_)))
        .count();
    let outside = files.iter().filter(|file| !stays_inside(Path::new(file), depth));
    diagnostics.extend(outside.map(|file| report(&file.to_string_lossy())));
}

/// Whether a path from a directory so deep below the root stays below the root.
fn stays_inside(path: &Path, depth: usize) -> bool {
    let step = |depth: usize, part: Component<'_>| match part {
        Component::Prefix(_) | Component::RootDir => None,
        Component::CurDir => Some(depth),
        Component::ParentDir => depth.checked_sub(1),
        Component::Normal(_) => Some(depth + 1),
    };
    path.components().try_fold(depth, step).is_some()
}

/// With an error of what is otherwise a warning: the objects of a paused agent are not written, so Argo CD would prune them.
fn keeping_paused(mut policy: Policy) -> Policy {
    policy.set(Setting {
        subject: Subject::Code(Code::PausedAgent),
        level: Level::Deny,
    });
    policy
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_must_not_leave_the_repository() {
        for (path, depth, expected) in [
            (".", 0, true),
            ("crs/a.yaml", 0, true),
            ("../common", 2, true),
            ("../../common", 2, true),
            ("../../../etc", 2, false),
            ("a/../../b", 0, false),
            ("/etc/passwd", 9, false),
        ] {
            assert_eq!(stays_inside(Path::new(path), depth), expected, "{path} at {depth}");
        }
    }
}

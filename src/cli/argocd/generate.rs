//! `agentctl argocd generate`: the manifests of an application.

use std::env;
use std::ffi::OsString;
use std::path::Path;

use clap::Args;

use super::super::ExitStatus;
use super::super::parameters::{self, Spelling};
use super::super::render_flags::{RenderFlags, Rendered};
use super::super::session::{Channel, Session};
use crate::diagnostic::{Code, Diagnostic, has_errors};
use crate::emit::{Format, write_stream};
use crate::environment::EnvironmentError;
use crate::parameter;
use crate::policy::{Level, Policy, Setting, Subject};
use crate::settings;
use crate::source::{Input, Reach, Reading, Source, Sources, Tree, load_more};
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
        let tree = Tree::above(Path::new("."), Path::new(&variable(SOURCE_PATH)));
        let reach = parameters::reach(&flags, tree)?;
        let inputs = configure(&mut flags, &reach, session, &mut sources, &mut diagnostics);
        if !has_errors(&diagnostics) {
            let reading = Reading {
                reach,
                ..flags.reading()
            };
            diagnostics.extend(load_more(&inputs, &reading, &mut sources)?);
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
    reach: &Reach,
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
    match files {
        Some(_) => parameters::files(files, &found.output, reach, diagnostics),
        None => parameters::confine(of_settings(session), reach, settings::diagnostics::outside, diagnostics),
    }
}

/// What the application's `agentctl.yaml` names, or its directory.
fn of_settings(session: &Session) -> Vec<OsString> {
    match session.settings() {
        Some(settings) => settings.inputs.iter().map(OsString::from).collect(),
        None => DEFAULT_FILES.map(OsString::from).to_vec(),
    }
}

/// With an error of what is otherwise a warning: the objects of a paused agent are not written, so Argo CD would prune them.
fn keeping_paused(mut policy: Policy) -> Policy {
    policy.set(Setting {
        subject: Subject::Code(Code::PausedAgent),
        level: Level::Deny,
    });
    policy
}

//! The plugin that kustomize runs as a program, without functions: the only sort that `kubectl kustomize` runs too.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use clap::Args;

use super::ExitStatus;
use super::parameters::{self, Spelling};
use super::render_flags::{RenderFlags, Rendered};
use super::session::Session;
use crate::compile::Bundle;
use crate::diagnostic::{Code, Diagnostic, Warned};
use crate::environment::EnvironmentError;
use crate::input::{Input, Reach, Reading, Tree, load, load_file, load_more};
use crate::krm::{self, ResourceList};
use crate::parameter;
use crate::source::{Source, Sources};
use crate::yaml;

/// The subcommand, which the name of the program stands for.
pub(super) const NAME: &str = "exec-plugin";

/// Render as an exec plugin of kustomize
///
/// kustomize runs agentctl under the name Render, with a file of the configuration: a Render of agentctl.dev/v1alpha1. A
/// generator reads the files that the configuration names; a transformer gets resources on standard input as well, which go
/// to standard output in front of the manifests.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  mkdir -p plugin/agentctl.dev/v1alpha1/render
  ln -s \"$(command -v agentctl)\" plugin/agentctl.dev/v1alpha1/render/Render
  KUSTOMIZE_PLUGIN_HOME=$PWD/plugin kubectl kustomize --enable-alpha-plugins overlay/")]
pub(super) struct ExecPluginArgs {
    /// The configuration, as kustomize hands it over
    #[arg(value_name = "FILE")]
    config: PathBuf,

    #[command(flatten)]
    flags: RenderFlags,
}

impl ExecPluginArgs {
    /// Renders in the working directory, which is the root of the kustomization.
    pub(super) fn run(&self, session: &Session) -> Result<ExitStatus, EnvironmentError> {
        let Warned {
            output: mut sources,
            mut diagnostics,
        } = load(resources(), &self.flags.reading())?;
        // A generator gets none.
        diagnostics.retain(|diagnostic| diagnostic.code != Code::NoInput);
        let resources = sources.iter().map(|(id, source)| (id, source.text.clone())).next();
        let (id, text) = resources.unzip();
        let text = text.unwrap_or_default();
        let read = id.map(|id| yaml::read(id, &text, &self.flags.limits()).output);
        let documents = read.unwrap_or_default();
        let list = ResourceList::of_documents(&documents);

        let mut flags = self.flags.clone();
        let reach = parameters::reach(&flags, Tree::around(Path::new(".")))?;
        let files = self.configure(&mut flags, &reach, &mut sources, &mut diagnostics)?;
        let reading = Reading {
            reach,
            ..flags.reading()
        };
        diagnostics.extend(load_more(&files, &reading, &mut sources)?);
        let found = |bundle: &Bundle| krm::replaced(&list, bundle, flags.namespace());
        let Rendered { bundle, diagnostics } =
            flags.render_into(session, flags.preset(), &mut sources, diagnostics, found);
        let status = session.report(&diagnostics, &sources);
        if status == ExitStatus::Success {
            let items = krm::merge(&list, &bundle, flags.namespace());
            session.write(|out| krm::write_documents(&list, &text, &items, out))?;
        }
        Ok(status)
    }

    /// Sets the flags by the configuration, and returns the files that it names.
    fn configure(
        &self,
        flags: &mut RenderFlags,
        reach: &Reach,
        sources: &mut Sources,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<Vec<Input>, EnvironmentError> {
        let config = load_file(&self.config, &self.flags.reading())?;
        let id = sources.add(Source::cut_short(config.name, config.text.clone(), true));
        let read = yaml::read(id, &config.text, &self.flags.limits());
        diagnostics.extend(read.diagnostics);
        let parameters = parameter::of_plugin(read.output.first().map(yaml::Document::root));
        diagnostics.extend(parameters.diagnostics);
        let files = parameters::set(flags, &parameters.output, Spelling::Camel, diagnostics);
        Ok(parameters::files(files, &parameters.output, reach, diagnostics))
    }
}

/// What kustomize pipes in; a person at a terminal is not waited for.
fn resources() -> &'static [Input] {
    if io::stdin().is_terminal() {
        &[]
    } else {
        &[Input::Stdin]
    }
}

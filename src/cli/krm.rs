//! `agentctl krm`: the function of kustomize and kpt.

use std::path::Path;

use clap::Args;

use super::ExitStatus;
use super::parameters::{self, Spelling};
use super::render_flags::{RenderFlags, Rendered};
use super::session::Session;
use crate::compile::Bundle;
use crate::diagnostic::{Diagnostic, Warned};
use crate::environment::EnvironmentError;
use crate::input::{Input, Reach, Reading, STDIN_NAME, Tree, load, load_more};
use crate::krm::{self, Item, ResourceList};
use crate::parameter;
use crate::source::{SourceId, Sources};
use crate::yaml::{self, Limits};

/// Render inside a ResourceList, as a function of kustomize or kpt
///
/// Reads a ResourceList (config.kubernetes.io/v1) from standard input and writes it to standard output with the manifests
/// among its items and the findings in its results. Its functionConfig sets the flags: a ConfigMap with flat data, or a Render
/// of agentctl.dev/v1alpha1 with a spec, whose fields are called as the flags are (agentSelector for --agent-selector), and
/// `files` for what is to be read besides the items.
///
/// The program does the same under the name agentctl-krm, and `agentctl render -` where it finds a ResourceList.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  kpt fn source . | agentctl krm | kpt fn sink .
  ln -s \"$(command -v agentctl)\" agentctl-krm && kustomize build --enable-alpha-plugins --enable-exec .

Exit status:
  0  fine
  1  the resources or the configuration have errors
  2  no ResourceList that agentctl knows, or a file that cannot be read")]
pub(super) struct KrmArgs {
    #[command(flatten)]
    flags: RenderFlags,
}

impl KrmArgs {
    pub(super) fn run(&self, session: &Session) -> Result<ExitStatus, EnvironmentError> {
        let loaded = load(&[Input::Stdin], &self.flags.reading())?;
        answer(&self.flags, loaded, session)
    }
}

/// Whether standard input is one of the sources, and a ResourceList of whatever version.
pub(super) fn is_called(sources: &Sources, limits: &Limits) -> bool {
    let is_list = |id, text| krm::is_resource_list(&yaml::read(id, text, limits).output);
    standard_input(sources).is_some_and(|(id, text)| text.contains("ResourceList") && is_list(id, text))
}

fn standard_input(sources: &Sources) -> Option<(SourceId, &str)> {
    let mut sources = sources.iter();
    let found = sources.find(|(_, source)| source.name == STDIN_NAME);
    found.map(|(id, source)| (id, source.text.as_str()))
}

/// Renders what the ResourceList on standard input and the other inputs hold, and writes the list back.
pub(super) fn answer(
    flags: &RenderFlags,
    mut loaded: Warned<Sources>,
    session: &Session,
) -> Result<ExitStatus, EnvironmentError> {
    let Some((input, text)) = standard_input(&loaded.output) else {
        return Ok(ExitStatus::Trouble);
    };
    // The list borrows from a copy of its own: files are added to the sources while it is in use.
    let text = text.to_owned();
    let read = yaml::read(input, &text, &flags.limits());
    match krm::read(&read.output) {
        Ok(list) => Function {
            list,
            input,
            text: &text,
        }
        .run(flags.clone(), loaded, session),
        Err(diagnostic) => {
            loaded.diagnostics.extend(read.diagnostics);
            loaded.diagnostics.push(*diagnostic);
            session.report(&loaded.diagnostics, &loaded.output);
            Ok(ExitStatus::Trouble)
        }
    }
}

/// A call of the function.
struct Function<'d> {
    list: ResourceList<'d>,
    input: SourceId,
    text: &'d str,
}

impl Function<'_> {
    fn run(
        &self,
        mut flags: RenderFlags,
        loaded: Warned<Sources>,
        session: &Session,
    ) -> Result<ExitStatus, EnvironmentError> {
        let Warned {
            output: mut sources,
            mut diagnostics,
        } = loaded;
        let reach = parameters::reach(&flags, Tree::around(Path::new(".")))?;
        let files = self.configure(&mut flags, &reach, &mut diagnostics);
        let reading = Reading {
            reach,
            ..flags.reading()
        };
        diagnostics.extend(load_more(&files, &reading, &mut sources)?);
        let found = |bundle: &Bundle| krm::replaced(&self.list, bundle, flags.namespace());
        let Rendered { bundle, diagnostics } =
            flags.render_into(session, flags.preset(), &mut sources, diagnostics, found);
        let status = session.report(&diagnostics, &sources);
        session.note_skipped(bundle.skipped);
        let items = match status {
            ExitStatus::Success => krm::merge(&self.list, &bundle, flags.namespace()),
            _ => self.list.items().map(Item::Kept).collect(),
        };
        let results = krm::results(&diagnostics, &sources, &self.list, self.input);
        session.write(|out| krm::write_list(&self.list, self.text, &items, results, out))?;
        Ok(status)
    }

    /// Sets the flags by the configuration, and returns the files that it names.
    fn configure(&self, flags: &mut RenderFlags, reach: &Reach, diagnostics: &mut Vec<Diagnostic>) -> Vec<Input> {
        let parameters = parameter::of_function(self.list.config);
        diagnostics.extend(parameters.diagnostics);
        let files = parameters::set(flags, &parameters.output, Spelling::Camel, diagnostics);
        parameters::files(files, &parameters.output, reach, diagnostics)
    }
}

//! `agentctl krm`, a KRM function for kustomize and kpt, and `agentctl exec-plugin`, a kustomize exec plugin. `kubectl
//! kustomize` runs only exec plugins.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use clap::Args;

use super::args::{RenderFlags, Rendered, Rendering};
use super::session::{ExitStatus, Outcome, Session};
use crate::compile::Bundle;
use crate::diagnostic::{Code, EnvironmentError, Warned};
use crate::emit::krm::{self, OutputItem, ResourceList};
use crate::flags::{self, Flag, ParameterSpelling};
use crate::input::{ContainingTree, Input, ReadLimits, STDIN_NAME, load, load_file, load_more};
use crate::source::{Source, SourceId, Sources};
use crate::yaml::{self, Limits};

/// Render as a KRM function for kustomize or kpt
///
/// Reads a ResourceList (config.kubernetes.io/v1) from standard input and writes it to standard output, with the manifests
/// among its items and the findings in its results. Its functionConfig sets the flags: a ConfigMap with flat data, or a
/// Render of agentctl.dev/v1alpha1. The fields are named after the flags (agentSelector for --agent-selector); `files`
/// lists files to read in addition to the items.
///
/// A link named agentctl-krm runs this command, and so does `agentctl render -` if it reads a ResourceList.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  kpt fn source . | agentctl krm | kpt fn sink .
  ln -s \"$(command -v agentctl)\" agentctl-krm && kustomize build --enable-alpha-plugins --enable-exec .

Exit status:
  0  success
  1  the resources or the configuration have errors
  2  the input is not a supported ResourceList, or a file cannot be read")]
pub(super) struct KrmArgs {
    #[command(flatten)]
    flags: RenderFlags,
}

impl KrmArgs {
    pub(super) fn run(&self, session: &Session) -> Outcome {
        let loaded = load(&[Input::Stdin], &self.flags.compile.reading())?;
        answer(&self.flags, loaded, session)
    }
}

/// Whether standard input is one of the sources and is a ResourceList of any version.
pub(super) fn is_called(sources: &Sources, limits: &Limits) -> bool {
    let is_list = |id, text| krm::is_resource_list(&yaml::read(id, text, limits).output);
    standard_input(sources).is_some_and(|(id, text)| text.contains("ResourceList") && is_list(id, text))
}

fn standard_input(sources: &Sources) -> Option<(SourceId, &str)> {
    let mut sources = sources.iter();
    let stdin = sources.find(|(_, source)| source.name == STDIN_NAME);
    stdin.map(|(id, source)| (id, source.text.as_str()))
}

/// Renders the items of the ResourceList on standard input, together with the other inputs, and writes the resulting
/// list.
pub(super) fn answer(flags: &RenderFlags, mut loaded: Warned<Sources>, session: &Session) -> Outcome {
    let Some((input, text)) = standard_input(&loaded.output) else {
        return Ok(ExitStatus::Trouble);
    };
    // The list borrows this copy of the text, because files are added to the sources while the list is in use.
    let text = text.to_owned();
    let read = yaml::read(input, &text, &flags.compile.limits());
    let list = match krm::read(&read.output, &text) {
        Ok(list) => list,
        Err(diagnostic) => {
            // The finding in `diagnostic` already explains that the list cannot be read, so `no-input` would be
            // misleading.
            loaded.diagnostics.retain(|finding| finding.code != Code::NoInput);
            loaded.diagnostics.extend(read.diagnostics);
            loaded.diagnostics.push(*diagnostic);
            session.report(&loaded.diagnostics, &loaded.output);
            return Ok(ExitStatus::Trouble);
        }
    };
    let mut flags = flags.clone();
    let parameters = flags::function_parameters(list.config, &mut loaded.diagnostics);
    apply(&mut flags, &parameters, session, &mut loaded)?;
    let Rendered { bundle, mut diagnostics } = rendering_into_list(&list, &flags).render(session, &mut loaded);
    ParameterSpelling::Camel.advise(&mut diagnostics);
    let status = session.report(&diagnostics, &loaded.output);
    session.note_skipped(bundle.skipped);
    let items = match status {
        ExitStatus::Success => krm::merge(&list, &bundle.objects, &bundle.left_alone, flags.compile.namespace()),
        _ => list.items().map(OutputItem::Kept).collect(),
    };
    let results = krm::results(&diagnostics, &loaded.output, &list, input);
    session.write(|out| krm::write_list(&list, &items, results, out))?;
    Ok(status)
}

/// Sets flags from the configuration of a kustomize plugin or function, and reads the files that the configuration
/// lists.
fn apply(
    flags: &mut RenderFlags,
    parameters: &[Flag],
    session: &Session,
    loaded: &mut Warned<Sources>,
) -> Result<(), EnvironmentError> {
    let out = &mut loaded.diagnostics;
    let reach = flags::file_restriction(flags.compile.reading().reach, ContainingTree::containing(Path::new(".")))?;
    let command_line = &session.invocation.matches;
    let inputs = flags::set(flags, parameters, ParameterSpelling::Camel, command_line, &reach, out).unwrap_or_default();
    let reading = ReadLimits { reach, ..flags.compile.reading() };
    out.extend(load_more(&inputs, &reading, &mut loaded.output)?);
    Ok(())
}

/// Returns a rendering that also reports items that agentctl did not render but that rendered objects would replace.
fn rendering_into_list<'f>(list: &'f ResourceList<'_>, flags: &'f RenderFlags) -> Rendering<'f> {
    let find = move |bundle: &Bundle| krm::replaced_items(list, &bundle.objects, flags.compile.namespace());
    Rendering { find_problems: Some(Box::new(find)), ..flags.rendering() }
}

/// Renders the input, and writes the manifests after the other documents in the list.
fn write_among(
    list: &ResourceList<'_>,
    flags: &RenderFlags,
    session: &Session,
    mut loaded: Warned<Sources>,
) -> Outcome {
    let bundle = rendering_into_list(list, flags).accept(session, &mut loaded)?;
    let items = krm::merge(list, &bundle.objects, &bundle.left_alone, flags.compile.namespace());
    session.write(|out| krm::write_documents(list, &items, out))
}

/// Name of the subcommand that runs when kustomize calls the program by the plugin's name.
pub(super) const EXEC_PLUGIN: &str = "exec-plugin";

/// Render as a kustomize exec plugin
///
/// kustomize runs agentctl under the name Render and passes a configuration file, a Render of agentctl.dev/v1alpha1. A
/// generator reads the files that its configuration lists. A transformer also reads resources from standard input, and
/// writes them to standard output before the manifests.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  mkdir -p plugin/agentctl.dev/v1alpha1/render
  ln -s \"$(command -v agentctl)\" plugin/agentctl.dev/v1alpha1/render/Render
  KUSTOMIZE_PLUGIN_HOME=$PWD/plugin kubectl kustomize --enable-alpha-plugins overlay/")]
pub(super) struct ExecPluginArgs {
    /// Configuration file that kustomize passes
    #[arg(value_name = "FILE")]
    config: PathBuf,

    #[command(flatten)]
    flags: RenderFlags,
}

impl ExecPluginArgs {
    /// Renders in the working directory, which is the kustomization root.
    pub(super) fn run(&self, session: &Session) -> Outcome {
        let mut loaded = load(resources(), &self.flags.compile.reading())?;
        // A generator receives no resources.
        loaded.diagnostics.retain(|diagnostic| diagnostic.code != Code::NoInput);
        let resources = loaded.output.iter().map(|(id, source)| (id, source.text.clone())).next();
        let (id, text) = resources.unzip();
        let text = text.unwrap_or_default();
        let read = id.map(|id| yaml::read(id, &text, &self.flags.compile.limits()).output);
        let documents = read.unwrap_or_default();
        let list = ResourceList::from_documents(&documents, &text);

        let mut flags = self.flags.clone();
        let config = load_file(&self.config, &flags.compile.reading())?;
        let id = loaded.output.add(Source::truncated(config.name, config.text.clone(), true));
        let read = yaml::read(id, &config.text, &flags.compile.limits()).report_to(&mut loaded.diagnostics);
        let parameters = flags::plugin_parameters(read.first().map(yaml::Document::root), &mut loaded.diagnostics);
        apply(&mut flags, &parameters, session, &mut loaded)?;
        write_among(&list, &flags, session, loaded)
    }
}

/// Returns standard input, or no input if it is a terminal. A generator receives no input and must not wait for the
/// user to type.
fn resources() -> &'static [Input] {
    if io::stdin().is_terminal() { &[] } else { &[Input::Stdin] }
}

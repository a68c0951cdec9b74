//! `agentctl argocd`: the commands of an Argo CD config management plugin.

use std::env;
use std::ffi::OsString;
use std::path::Path;

use clap::{ArgAction, Args, Subcommand};

use super::args::{RenderFlags, Rendered, Rendering};
use super::session::{Outcome, Session};
use crate::diagnostic::severity::{Setting, SeverityLevel, SeveritySubject};
use crate::diagnostic::{Code, Warned, has_errors};
use crate::emit::{StreamFormat, write_stream};
use crate::flags::{self, ParameterSpelling, announcements};
use crate::input::kustomize::is_kustomization;
use crate::input::{ContainingTree, Input, LoadRestrictor, ReadLimits, load_more};
use crate::source::{Source, Sources};
use crate::yaml;

/// Render as an Argo CD config management plugin
///
/// The plugin server runs these commands in an application's directory. See deploy/argocd in agentctl's repository.
#[derive(Clone, Debug, Subcommand)]
#[command(after_help = "\
Examples:
  agentctl argocd generate
  agentctl argocd parameters")]
pub(super) enum ArgoCdCommand {
    /// Write the manifests of an Argo CD application
    ///
    /// Reads the working directory, the files in the application's parameter `files`, or what kustomize builds from the
    /// directories in `kustomize`, and writes manifests as `agentctl render --pass-through` does: everything that
    /// agentctl does not compile is written unchanged. A directory with a kustomization is built. A parameter overrides the
    /// flag of the same name. Resources without a namespace use the namespace that the application deploys to.
    ///
    /// A paused GrafanaAgent is an error unless the parameter `warn` or `allow` contains paused-agent, because Argo CD
    /// prunes objects that are not written.
    #[command(after_help = "\
Examples:
  agentctl argocd generate
  ARGOCD_APP_PARAMETERS='[{\"name\": \"validate\", \"string\": \"strict\"}]' agentctl argocd generate")]
    Generate(Box<GenerateFlags>),
    /// Announce the parameters that `generate` reads
    ///
    /// Writes a JSON list that Argo CD shows on the application's page.
    #[command(after_help = "\
Examples:
  agentctl argocd parameters")]
    Parameters,
}

/// Flags of `generate`, which parameters can also set.
#[derive(Clone, Debug, Args)]
pub(super) struct GenerateFlags {
    #[command(flatten)]
    render: RenderFlags,

    /// Also write objects of kinds that agentctl does not compile
    #[arg(long, value_name = "BOOL", default_value_t = true, action = ArgAction::Set, help_heading = "Output", hide_short_help = true)]
    pass_through: bool,
}

impl ArgoCdCommand {
    pub(super) fn run(&self, session: &Session) -> Outcome {
        match self {
            ArgoCdCommand::Generate(flags) => generate(GenerateFlags::clone(flags), session),
            ArgoCdCommand::Parameters => {
                session.json(&announcements::<GenerateFlags>(&DEFAULT_FILES, &variable(NAMESPACE)))
            }
        }
    }
}

/// Default inputs of an application if neither its settings nor its parameters list any.
const DEFAULT_FILES: [&str; 1] = ["."];

/// Environment variable that contains the application's parameters.
const PARAMETERS: &str = "ARGOCD_APP_PARAMETERS";

/// Environment variable that contains the namespace that the application deploys to.
const NAMESPACE: &str = "ARGOCD_APP_NAMESPACE";

/// Environment variable that contains the application's directory in its repository.
const SOURCE_PATH: &str = "ARGOCD_APP_SOURCE_PATH";

fn generate(mut flags: GenerateFlags, session: &Session) -> Outcome {
    let mut loaded = Warned::default();
    let namespace = variable(NAMESPACE);
    if !namespace.is_empty()
        && let Err(reason) = flags.render.compile.suggest_namespace(&namespace)
    {
        let invalid_namespace = flags::diagnostics::variable(NAMESPACE, &reason);
        loaded.diagnostics.push(invalid_namespace);
    }
    let tree = ContainingTree::ancestor_of(Path::new("."), Path::new(&variable(SOURCE_PATH)));
    let reach = flags::file_restriction(flags.render.compile.reading().reach, tree)?;
    let inputs = configure(&mut flags, &reach, session, &mut loaded);
    if !has_errors(&loaded.diagnostics) {
        let reading = ReadLimits { reach, ..flags.render.compile.reading() };
        let findings = load_more(&inputs, &reading, &mut loaded.output)?;
        loaded.diagnostics.extend(findings);
    }
    let mut rendering = Rendering { passes_through: flags.pass_through, ..flags.render.rendering() };
    // A paused agent is an error, because Argo CD would prune its objects if they were not written.
    rendering.preset.set(Setting { subject: SeveritySubject::Code(Code::PausedAgent), level: SeverityLevel::Deny });
    let Rendered { bundle, mut diagnostics } = rendering.render(session, &mut loaded);
    ParameterSpelling::Kebab.advise(&mut diagnostics);
    session.accept(&diagnostics, &loaded.output)?;
    session.write(|out| write_stream(bundle.objects.iter(), StreamFormat::Yaml, out))
}

/// Returns an environment variable's value, or an empty string if the variable is not set.
fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}

/// Sets flags from the parameters, and returns the inputs to read.
fn configure(
    flags: &mut GenerateFlags,
    reach: &LoadRestrictor,
    session: &Session,
    Warned { output, diagnostics }: &mut Warned<Sources>,
) -> Vec<Input> {
    let text = variable(PARAMETERS);
    let id = output.add(Source::truncated(PARAMETERS, text.clone(), true));
    let read = yaml::read(id, &text, &flags.render.compile.limits()).report_to(diagnostics);
    let parameters = flags::application_parameters(read.first().map(yaml::Document::root), diagnostics);
    let command_line = &session.invocation.matches;
    let named_files = flags::set(flags, &parameters, ParameterSpelling::Kebab, command_line, reach, diagnostics);
    named_files.unwrap_or_else(|| {
        let inputs =
            flags::confine(settings_inputs(session), reach, flags::diagnostics::input_outside_repository, diagnostics);
        inputs.into_iter().map(build_input).collect()
    })
}

/// Returns the build input for a directory that contains a kustomization, as Argo CD builds it without a plugin.
fn build_input(input: Input) -> Input {
    match input {
        Input::Path(directory) if is_kustomization(&directory) => Input::Kustomization(directory),
        input => input,
    }
}

/// Returns the inputs listed in the application's `agentctl.yaml`, or the default inputs if there is no such file.
fn settings_inputs(session: &Session) -> Vec<OsString> {
    match session.settings() {
        Some(settings) => settings.inputs.iter().map(OsString::from).collect(),
        None => DEFAULT_FILES.map(OsString::from).to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn announce(namespace: &str) -> Vec<Value> {
        let parameters = serde_json::to_value(announcements::<GenerateFlags>(&DEFAULT_FILES, namespace)).unwrap();
        parameters.as_array().unwrap().clone()
    }

    #[test]
    fn announces_accepted_values_and_defaults() {
        let parameters = announce("deployed");
        assert_eq!(
            parameters[0],
            json!({
                "name": "files", "title": "Files", "collectionType": "array", "array": ["."],
                "tooltip": "Files and directories to read, relative to the application's directory",
            })
        );
        for (name, title, item, collection, string, tooltip) in [
            ("namespace", "Namespace", None, "string", Some("deployed"), None),
            ("agent-selector", "Agent selector", None, "string", None, None),
            ("labels", "Labels", None, "map", None, None),
            ("strict", "Strict", Some("boolean"), "string", Some("false"), None),
            ("allow", "Allow", None, "array", None, None),
            (
                "validate",
                "Validate",
                None,
                "string",
                Some("warn"),
                Some("Handling of unknown fields: strict, warn, ignore"),
            ),
        ] {
            let parameter = parameters.iter().find(|parameter| parameter["name"] == name).unwrap();
            let text = |key: &str| parameter.get(key).and_then(Value::as_str);
            assert_eq!(text("title"), Some(title));
            assert_eq!((text("itemType"), text("collectionType")), (item, Some(collection)), "{name}");
            assert_eq!((text("string"), parameter.get("array")), (string, None), "{name}");
            assert!(text("tooltip").is_some_and(|said| !said.is_empty() && !said.ends_with([' ', ':'])));
            assert!(tooltip.is_none() || text("tooltip") == tooltip, "{name}");
        }
    }

    #[test]
    fn announces_the_default_namespace_if_none_is_set() {
        let announcement = announce("");
        let namespace = announcement.iter().find(|parameter| parameter["name"] == "namespace").unwrap();
        assert_eq!(namespace["string"], "default");
        assert!(announcement.iter().all(|parameter| parameter["name"] != "load-restrictor"));
    }
}

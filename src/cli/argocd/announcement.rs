//! `agentctl argocd parameters`: what the user interface of Argo CD shows of the parameters.

use clap::Args;
use serde::Serialize;

use super::super::ExitStatus;
use super::super::parameters::{FILES, Form, Known, Spelling, known};
use super::super::session::Session;
use super::generate::{DEFAULT_FILES, NAMESPACE, variable};
use crate::environment::EnvironmentError;

/// Announce the parameters that `generate` reads
///
/// Writes a JSON list, which Argo CD shows on the page of an application.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl argocd parameters")]
pub(super) struct ParametersArgs {}

/// A `ParameterAnnouncement` of Argo CD.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Announcement {
    name: String,
    title: String,
    tooltip: String,
    #[serde(skip_serializing_if = "str::is_empty")]
    item_type: &'static str,
    collection_type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    string: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    array: Vec<String>,
}

impl ParametersArgs {
    pub(super) fn run(&self, session: &Session) -> Result<ExitStatus, EnvironmentError> {
        let files = Announcement {
            name: FILES.to_owned(),
            title: title(FILES),
            tooltip: "Files and directories to read, from the directory of the application".to_owned(),
            collection_type: "array",
            array: DEFAULT_FILES.map(str::to_owned).to_vec(),
            ..Announcement::default()
        };
        let flags = known(Spelling::Kebab)
            .into_iter()
            .map(with_namespace)
            .map(Announcement::from);
        let all: Vec<_> = std::iter::once(files).chain(flags).collect();
        session.json(&all)?;
        Ok(ExitStatus::Success)
    }
}

/// With the default of `generate` for the namespace.
fn with_namespace(mut known: Known) -> Known {
    let namespace = variable(NAMESPACE);
    if known.name == "namespace" && !namespace.is_empty() {
        known.default = Some(namespace);
    }
    known
}

impl From<Known> for Announcement {
    fn from(known: Known) -> Self {
        let (item_type, collection_type) = match known.form {
            Form::Boolean => ("boolean", "string"),
            Form::Text => ("", "string"),
            Form::List => ("", "array"),
            Form::Map => ("", "map"),
        };
        Self {
            title: title(&known.name),
            name: known.name,
            tooltip: match (known.form, known.values.as_slice()) {
                (Form::Boolean, _) | (_, []) => known.help,
                (_, values) => format!("{}: {}", known.help, values.join(", ")),
            },
            item_type,
            collection_type,
            string: known
                .default
                .or_else(|| (known.form == Form::Boolean).then(|| "false".to_owned())),
            array: Vec::new(),
        }
    }
}

/// `agent-selector` as `Agent selector`.
fn title(name: &str) -> String {
    let words = name.replace('-', " ");
    let (initial, rest) = words.split_at(words.len().min(1));
    initial.to_ascii_uppercase() + rest
}

//! Announcements of parameters, which Argo CD shows on an application's page.

use clap::{Arg, ArgAction, Args};
use serde::Serialize;

use super::form::{self, is_switch, value_name_contains};
use super::parameters::{FILES, KUSTOMIZE, settable_flags};
use crate::printable::capitalize;

/// Argo CD's `ParameterAnnouncement`.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Announcement {
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

/// Returns the announcements of the flags in `F` and of the inputs, which default to `files`. The application deploys
/// to `namespace`.
pub fn announcements<F: Args>(files: &[&str], namespace: &str) -> Vec<Announcement> {
    let input = |name: &str, what: &str, paths: &[&str]| Announcement {
        name: name.to_owned(),
        title: title(name),
        tooltip: format!("{what}, relative to the application's directory"),
        collection_type: "array",
        array: paths.iter().map(|&path| path.to_owned()).collect(),
        ..Announcement::default()
    };
    let inputs = [
        input(FILES, "Files and directories to read", files),
        input(KUSTOMIZE, "Directories to build with kustomize", &[]),
    ];
    let flags = settable_flags::<F>();
    let flags = flags.iter().map(|flag| Announcement::new(flag, namespace));
    inputs.into_iter().chain(flags).collect()
}

impl Announcement {
    fn new(flag: &Arg, namespace: &str) -> Self {
        let name = flag.get_long().unwrap_or_default();
        let (item_type, collection_type) = match flag.get_action() {
            _ if is_switch(flag) => ("boolean", "string"),
            ArgAction::Append => ("", "array"),
            _ if value_name_contains(flag, '=') => ("", "map"),
            _ => ("", "string"),
        };
        let (help, values) = (form::help(flag), form::words(flag));
        let default = Some(form::default(flag)).filter(|default| !default.is_empty());
        Self {
            name: name.to_owned(),
            title: title(name),
            tooltip: match values.as_slice() {
                [] => help,
                values => format!("{help}: {}", values.join(", ")),
            },
            item_type,
            collection_type,
            string: match name {
                // `generate` uses this namespace if the parameter is not set.
                "namespace" if !namespace.is_empty() => Some(namespace.to_owned()),
                _ => default.or_else(|| is_switch(flag).then(|| "false".to_owned())),
            },
            array: Vec::new(),
        }
    }
}

/// Returns a parameter's title, such as `Agent selector` for `agent-selector`.
fn title(name: &str) -> String {
    capitalize(&name.replace('-', " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn converts_names_to_titles() {
        for (name, expected) in [("agent-selector", "Agent selector"), ("at", "At"), ("", "")] {
            assert_eq!(title(name), expected);
        }
    }
}

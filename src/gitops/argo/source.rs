//! Sources of Applications.

use serde_json::Value;

use crate::gitops::object::{Object, items, text};
use crate::gitops::path::{file_name, join, strip_directory};
use crate::gitops::skipped::{Reason, SkipKind};
use crate::gitops::tree::{EntryKind, RepositoryTree};
use crate::input::kustomize::FILES;

/// Tool that generates the manifests of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceType {
    Directory,
    Kustomize,
    Helm,
    Plugin,
}

/// Returns the sources of an Application (`GetSources`), normalized by `NormalizeSource`: a tool's settings are removed
/// if all of them are empty.
pub fn sources(application: &Object) -> Vec<Value> {
    let Some(spec) = application.get("spec") else {
        return Vec::new();
    };
    let sources = match items(spec, "sources") {
        [] => spec.get("source").map(std::slice::from_ref).unwrap_or_default(),
        sources => sources,
    };
    sources.iter().filter(|source| source.is_object()).map(normalize).collect()
}

fn normalize(source: &Value) -> Value {
    let mut source = source.clone();
    if let Some(fields) = source.as_object_mut() {
        for tool in ["kustomize", "helm", "directory"] {
            let is_unset = |key: &str, value: &Value| match (tool, key) {
                // Argo CD ignores these fields when it checks whether settings are empty.
                ("kustomize", "forceCommonLabels" | "forceCommonAnnotations" | "labelWithoutSelector") => true,
                ("directory", "jsonnet") => value.as_object().is_none_or(|jsonnet| jsonnet.values().all(is_empty)),
                _ => is_empty(value),
            };
            let unset_keys = fields.get(tool).is_some_and(|settings| match settings {
                Value::Object(settings) => settings.iter().all(|(key, value)| is_unset(key, value)),
                settings => settings.is_null(),
            });
            if unset_keys {
                fields.remove(tool);
            }
        }
    }
    source
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(value) => !value,
        Value::Number(_) => false,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
    }
}

/// Returns the directory of a source (`path.Path` in Argo CD).
///
/// # Errors
///
/// Returns the reason why Argo CD rejects the path.
pub fn directory(tree: &RepositoryTree, path: &str) -> Result<String, String> {
    if path.starts_with('/') {
        return Err(format!("the path `{path}` is absolute"));
    }
    let Some(directory) = crate::gitops::path::resolve("", path) else {
        return Err(format!("the path `{path}` points outside the repository"));
    };
    match tree.get(&directory) {
        Some(EntryKind::Directory) => Ok(directory),
        Some(EntryKind::File { .. }) => Err(format!("the path `{path}` is not a directory")),
        Some(EntryKind::Link { .. }) | None => Err(format!("the path `{path}` does not exist")),
    }
}

/// Returns the tool of a source: the tool that the source sets or, if it sets none, the tool whose file is in the
/// directory (`GetAppSourceType`).
///
/// # Errors
///
/// Returns the reason why Argo CD cannot decide.
pub fn source_type(tree: &RepositoryTree, source: &Value, directory: &str) -> Result<SourceType, String> {
    let tools = [
        ("kustomize", "Kustomize", SourceType::Kustomize),
        ("helm", "Helm", SourceType::Helm),
        ("directory", "Directory", SourceType::Directory),
        ("plugin", "Plugin", SourceType::Plugin),
    ];
    let set: Vec<_> =
        tools.into_iter().filter(|(key, ..)| source.get(*key).is_some_and(|value| !value.is_null())).collect();
    match set.as_slice() {
        [(_, _, tool)] => return Ok(*tool),
        [] => {}
        several => {
            let names: Vec<_> = several.iter().map(|(_, name, _)| *name).collect();
            return Err(format!("multiple application sources defined: {}", names.join(",")));
        }
    }
    let is_kustomized = FILES.iter().any(|name| is_entry(tree, &join(directory, name)));
    let has_chart = || {
        let files = tree.entries_below(directory).filter(|(path, kind)| {
            let is_direct = strip_directory(path, directory).is_some_and(|below| !below.contains('/'));
            is_direct && **kind != EntryKind::Directory
        });
        files.into_iter().any(|(path, _)| file_name(path).ends_with("Chart.yaml"))
    };
    Ok(match is_kustomized {
        true => SourceType::Kustomize,
        false if has_chart() => SourceType::Helm,
        false => SourceType::Directory,
    })
}

fn is_entry(tree: &RepositoryTree, path: &str) -> bool {
    matches!(tree.get(path), Some(EntryKind::File { .. } | EntryKind::Link { .. }))
}

/// Returns the reason why a source is not in a git repository, or `None` if it is. The source may be a chart from a
/// Helm repository or an OCI image.
pub fn reason_outside_git(source: &Value) -> Option<Reason> {
    let (chart, url) = (text(source, "chart"), crate::go::url::redact(text(source, "repoURL")));
    match (chart, url.starts_with("oci://")) {
        ("", true) => Some(Reason::new(SkipKind::ForeignSource, format!("OCI image {url}"))),
        ("", false) => None,
        (chart, _) => Some(Reason::new(SkipKind::Chart, format!("chart {chart} from {url}"))),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn empty_settings_do_not_select_a_tool() {
        let application = |source: Value| json!({"spec": {"source": source}});
        for (source, expected) in [
            (json!({"path": "a", "kustomize": {}}), json!({"path": "a"})),
            (json!({"path": "a", "directory": {"jsonnet": {}, "recurse": false}}), json!({"path": "a"})),
            (json!({"directory": {"include": "*.yaml"}}), json!({"directory": {"include": "*.yaml"}})),
            (json!({"helm": {"valueFiles": []}}), json!({})),
            (json!({"helm": {"values": "a: b"}}), json!({"helm": {"values": "a: b"}})),
        ] {
            assert_eq!(sources(&application(source)), [expected]);
        }
        let both_sources = json!({"spec": {"source": {"path": "a"}, "sources": [{"path": "b"}, {"path": "c"}]}});
        assert_eq!(sources(&both_sources), [json!({"path": "b"}), json!({"path": "c"})]);
        assert!(sources(&json!({"spec": {}})).is_empty());
    }

    #[test]
    fn reports_sources_outside_repositories() {
        let chart_source = json!({"chart": "agent", "repoURL": "https://user:secret@charts.example.com"});
        assert!(reason_outside_git(&chart_source).is_some_and(|outside| !outside.text.contains("secret")));
        assert_eq!(reason_outside_git(&json!({"repoURL": "https://github.com/a/b", "path": "x"})), None);
    }
}

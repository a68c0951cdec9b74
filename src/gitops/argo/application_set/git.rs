//! The git generator, limited to this repository.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::context::GeneratorContext;
use super::flatten::flatten;
use super::names::normalize;
use super::params::{ExpansionFailure, Params};
use super::pathspec::Pathspec;
use super::render::{Renderer, template_failure};
use crate::gitops::object::{items, read_objects, text};
use crate::gitops::path::parent;
use crate::gitops::tree::{EntryKind, RepositoryTree};
use crate::go::path;
use crate::go::template::{MapKind, TemplateValue};

/// Returns the parameters of a git generator (`GitGenerator.GenerateParams`). The checked-out revision is assumed to be
/// the generator's.
pub fn params(
    git: &Value,
    context: &GeneratorContext<'_>,
    renderer: &Renderer<'_>,
) -> Result<Vec<Params>, ExpansionFailure> {
    let url = text(git, "repoURL");
    if !(context.is_own)(url) {
        return Err(ExpansionFailure::Skipped(format!("git generator of {}", crate::go::url::redact(url))));
    }
    match (items(git, "directories"), items(git, "files")) {
        (patterns @ [_, ..], _) => directories(git, patterns, context.tree, renderer),
        (_, patterns @ [_, ..]) => files(git, patterns, context.tree, renderer),
        _ => Err(ExpansionFailure::Mistake("a git generator has neither `directories` nor `files`".to_owned())),
    }
}

/// Whether a pattern excludes the paths that it matches.
fn excludes(pattern: &Value) -> bool {
    pattern.get("exclude") == Some(&Value::Bool(true))
}

/// Returns the parameters of each directory that a pattern matches (`generateParamsForGitDirectories`). Directories
/// whose path has a component that starts with a dot are skipped.
fn directories(
    git: &Value,
    patterns: &[Value],
    tree: &RepositoryTree,
    renderer: &Renderer<'_>,
) -> Result<Vec<Params>, ExpansionFailure> {
    let mut paths = BTreeSet::new();
    for (file, _) in tree.entries().filter(|(_, kind)| **kind != EntryKind::Directory) {
        let mut directory = parent(file);
        while !directory.is_empty() && paths.insert(directory.split('/').collect::<Vec<_>>()) {
            directory = parent(directory);
        }
    }
    let mut param_sets = Vec::new();
    for parts in paths.iter().filter(|parts| parts.iter().all(|part| !part.starts_with('.'))) {
        let directory = parts.join("/");
        renderer.spend(patterns.len() * directory.len())?;
        let is_match = |pattern: &&Value| path::is_match(text(pattern, "path"), &directory) == Ok(true);
        let mut matching_patterns = patterns.iter().filter(is_match).peekable();
        if matching_patterns.peek().is_some() && !matching_patterns.any(excludes) {
            let mut params = Params::new();
            add_path(&mut params, git, &directory, None, renderer)?;
            param_sets.push(with_values(git, params, renderer)?);
        }
    }
    Ok(param_sets)
}

/// Returns the parameters from each file that a pattern matches (`generateParamsForGitFiles`).
fn files(
    git: &Value,
    patterns: &[Value],
    tree: &RepositoryTree,
    renderer: &Renderer<'_>,
) -> Result<Vec<Params>, ExpansionFailure> {
    let pathspecs = patterns.iter().map(|pattern| Ok((Pathspec::parse(text(pattern, "path"))?, excludes(pattern))));
    let pathspecs = pathspecs.collect::<Result<Vec<_>, _>>()?;
    let mut param_sets = Vec::new();
    for (file, kind) in
        tree.entries().filter(|(_, kind)| matches!(kind, EntryKind::File { .. } | EntryKind::Link { .. }))
    {
        // Matching a pattern takes up to quadratic time in the path's length.
        renderer.spend(patterns.len() * (file.len() + file.len() * file.len() / 64))?;
        let mut matching_pathspecs = pathspecs.iter().filter(|(pathspec, _)| pathspec.is_match(file)).peekable();
        if matching_pathspecs.peek().is_none() || matching_pathspecs.any(|(_, excludes)| *excludes) {
            continue;
        }
        if let EntryKind::Link { .. } = kind {
            return Err(ExpansionFailure::Skipped(format!("git generator: `{file}` is a link")));
        }
        let text = tree.text(file).ok_or_else(|| ExpansionFailure::Mistake(format!("`{file}` cannot be read")))?;
        renderer.spend(text.len())?;
        for object in mappings_in_file(file, &text)? {
            let value = TemplateValue::from_json(&object).map_err(template_failure)?;
            let mut params = value.as_map().cloned().unwrap_or_default();
            if !renderer.is_go {
                let flat_params = flatten(&params, renderer)?;
                params = flat_params.into_iter().map(|(key, value)| (key, TemplateValue::text(value))).collect();
            }
            add_path(&mut params, git, &path::dir(file), Some(path::base(file)), renderer)?;
            param_sets.push(with_values(git, params, renderer)?);
        }
    }
    Ok(param_sets)
}

/// Returns the mapping in a file, or the mappings in a list if the file contains a list.
fn mappings_in_file(file: &str, text: &str) -> Result<Vec<Value>, ExpansionFailure> {
    let invalid_file = || ExpansionFailure::Mistake(format!("`{file}` is neither a mapping nor a list of mappings"));
    let documents = read_objects(text).map_err(|_| invalid_file())?;
    match documents.into_iter().next() {
        // An empty file counts as an empty mapping.
        None => Ok(vec![Value::Object(serde_json::Map::new())]),
        Some(value @ Value::Object(_)) => Ok(vec![value]),
        Some(Value::Array(items)) if items.iter().all(Value::is_object) => Ok(items),
        Some(_) => Err(invalid_file()),
    }
}

/// Adds the parameters for a directory and for a file in that directory.
fn add_path(
    params: &mut Params,
    git: &Value,
    directory: &str,
    file: Option<&str>,
    renderer: &Renderer<'_>,
) -> Result<(), ExpansionFailure> {
    let prefix = text(git, "pathParamPrefix");
    let base = path::base(directory);
    let mut fields = vec![("basename", base.to_owned()), ("basenameNormalized", normalize(base))];
    if let Some(file) = file {
        fields.extend([("filename", file.to_owned()), ("filenameNormalized", normalize(file))]);
    }
    let segments = || directory.split('/');
    if renderer.is_go {
        let mut entries: Params =
            fields.into_iter().map(|(key, value)| (key.to_owned(), TemplateValue::text(value))).collect();
        entries.insert("path".to_owned(), TemplateValue::text(directory));
        entries.insert("segments".to_owned(), TemplateValue::strings(segments()));
        let mut path = TemplateValue::map(MapKind::Any, entries).map_err(template_failure)?;
        if !prefix.is_empty() {
            path = TemplateValue::map(MapKind::Any, BTreeMap::from([("path".to_owned(), path)]))
                .map_err(template_failure)?;
        }
        params.insert(if prefix.is_empty() { "path" } else { prefix }.to_owned(), path);
        return Ok(());
    }
    let name = if prefix.is_empty() { "path".to_owned() } else { format!("{prefix}.path") };
    for (key, value) in fields {
        params.insert(format!("{name}.{key}"), TemplateValue::text(value));
    }
    for (index, segment) in segments().enumerate().filter(|(_, segment)| !segment.is_empty()) {
        params.insert(format!("{name}[{index}]"), TemplateValue::text(segment));
    }
    params.insert(name, TemplateValue::text(directory));
    Ok(())
}

/// Adds a generator's `values`, which are templates that use its other parameters (`appendTemplatedValues`).
pub fn with_values(generator: &Value, mut params: Params, renderer: &Renderer<'_>) -> Result<Params, ExpansionFailure> {
    let Some(values) = generator.get("values").and_then(Value::as_object).filter(|values| !values.is_empty()) else {
        return Ok(params);
    };
    let data = renderer.data(&params)?;
    let mut rendered_values = Params::new();
    for (key, value) in values {
        let value = renderer.text(value.as_str().unwrap_or_default(), &params, &data)?;
        rendered_values.insert(key.clone(), TemplateValue::text(value));
    }
    if renderer.is_go {
        params.insert(
            "values".to_owned(),
            TemplateValue::map(MapKind::Strings, rendered_values).map_err(template_failure)?,
        );
    } else {
        params.extend(rendered_values.into_iter().map(|(key, value)| (format!("values.{key}"), value)));
    }
    Ok(params)
}

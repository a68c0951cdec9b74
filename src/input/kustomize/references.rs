//! References from a kustomization to files, directories and remote bases.

use std::path::{Path, PathBuf};

use super::remote::fold_case;
use crate::yaml::{Entry, Node};

/// Fields of a kustomization that contain no paths. Their names must match exactly: kustomize ignores case, and fields
/// with a different spelling are searched like unknown fields.
pub const PLAIN_FIELDS: &[&str] = &[
    "apiVersion",
    "buildMetadata",
    "commonAnnotations",
    "commonLabels",
    "generatorOptions",
    "imageTags",
    "images",
    "kind",
    "labels",
    "metadata",
    "namePrefix",
    "nameSuffix",
    "namespace",
    "replicas",
    "sortOptions",
    "vars",
];

/// Nested fields that contain no paths: values, selectors and inline patches.
pub const PLAIN_NESTED_FIELDS: &[&str] = &[
    "annotations",
    "behavior",
    "immutable",
    "jsonOp",
    "labels",
    "literals",
    "metadata",
    "name",
    "namespace",
    "options",
    "patch",
    "source",
    "target",
    "targets",
    "type",
    "value",
];

/// Role of a string in a kustomization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Role {
    /// File with resources, or directory with a kustomization.
    Resource,
    /// Directory with a component.
    Component,
    /// A file, directory or inline object that configures a generator, transformer or validator.
    Plugin,
    /// A file or an inline patch.
    Patch,
    /// Any other file that the kustomization refers to, such as an OpenAPI schema.
    File,
    /// A file that a generator reads. The string may be a value in the wrong field.
    Data,
    /// A string in a field that contains no path in the current version of kustomize.
    Other,
}

/// A string that kustomize may interpret as a path.
pub(super) struct Reference<'d> {
    pub(super) role: Role,
    /// Field of the kustomization, as written.
    pub(super) field: &'d str,
    pub(super) node: Node<'d>,
    pub(super) text: &'d str,
}

impl Reference<'_> {
    /// Returns the path, relative to the kustomization's `directory`.
    pub(super) fn path(&self, directory: &Path) -> PathBuf {
        directory.join(match self.role {
            Role::Data => self.text.split_once('=').map_or(self.text, |(_, path)| path),
            _ => self.text,
        })
    }
}

/// Calls `visit` for each string in a kustomization that may be a path. Only fields that are known to contain no paths
/// are excluded, so that no path is overlooked.
pub(super) fn for_each_reference<'d>(root: Node<'d>, visit: &mut dyn FnMut(Reference<'d>)) {
    for Entry { key, value, .. } in root.entries().filter(|entry| !PLAIN_FIELDS.contains(&entry.key)) {
        let name = fold_case(key);
        for_each_string(value, None, &mut |nested, node, text| {
            visit(Reference { role: role(&name, nested), field: key, node, text });
        });
    }
}

/// Calls `visit` for each string in the configuration of a generator, transformer or validator.
pub(super) fn for_each_plugin_string<'d>(root: Node<'d>, visit: &mut dyn FnMut(Node<'d>, &'d str)) {
    for_each_string(root, None, &mut |_, node, text| visit(node, text));
}

/// Returns the fields that render Helm charts.
pub(super) fn charts(root: Node<'_>) -> impl Iterator<Item = Entry<'_>> {
    let is_chart = |key: &str| matches!(fold_case(key).as_str(), "helmcharts" | "helmchartinflationgenerator");
    root.entries().filter(move |entry| is_chart(entry.key) && entry.value.items().len() > 0)
}

fn for_each_string<'d>(
    node: Node<'d>,
    key: Option<&'d str>,
    visit: &mut dyn FnMut(Option<&'d str>, Node<'d>, &'d str),
) {
    if let Some(text) = node.as_str() {
        visit(key, node, text);
    }
    for item in node.items() {
        for_each_string(item, key, visit);
    }
    for entry in node.entries().filter(|entry| !PLAIN_NESTED_FIELDS.contains(&entry.key)) {
        for_each_string(entry.value, Some(entry.key), visit);
    }
}

fn role(field: &str, nested: Option<&str>) -> Role {
    let folded_nested = nested.map(fold_case);
    match (field, folded_nested.as_deref()) {
        ("resources" | "bases", None) => Role::Resource,
        ("components", None) => Role::Component,
        ("generators" | "transformers" | "validators", _) => Role::Plugin,
        ("patchesstrategicmerge", None) => Role::Patch,
        ("crds" | "configurations", None) => Role::File,
        ("openapi" | "patches" | "patchesjson6902" | "replacements", Some("path")) => Role::File,
        ("configmapgenerator" | "secretgenerator", Some("env" | "envs" | "files")) => Role::Data,
        _ => Role::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Source, Sources};
    use crate::yaml::{Limits, read_value};

    #[test]
    fn finds_strings_in_every_path_field() {
        let text = "\
namePrefix: no
resources: [a]
Bases: [b]
components: [c]
transformers: [d, {path: e}]
patchesStrategicMerge: [f]
patches: [{path: g, patch: no, target: {name: no}}]
replacements: [{path: h, source: {name: no}}]
openapi: {path: i}
secretGenerator: [{name: no, files: [j], ENVS: [k], env: l, literals: [no]}]
unknown: [{x: [m]}]
IMAGES: [{x: nn}]
x: !!binary bw==
";
        let mut sources = Sources::default();
        let id = sources.add(Source::new("a", text, true));
        let read = read_value(id, text, &Limits::default()).output;
        let mut actual = Vec::new();
        for_each_reference(read[0].root(), &mut |reference| actual.push((reference.text.to_owned(), reference.role)));
        let texts: Vec<_> = actual.iter().map(|(text, _)| text.as_str()).collect();
        assert_eq!(texts.concat(), "abcdefghijklmnno");
        let roles: Vec<_> = actual.iter().map(|(_, role)| *role).collect();
        use Role::*;
        assert_eq!(
            roles,
            [
                Resource, Resource, Component, Plugin, Plugin, Patch, File, File, File, Data, Data, Data, Other, Other,
                Other
            ]
        );
    }
}

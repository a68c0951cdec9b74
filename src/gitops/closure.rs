//! The files that a kustomization depends on, directly or indirectly. They are determined before kustomize runs, so
//! that it receives only these files and fetches nothing.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::artifact::{Artifact, PathKind};
use super::object::read_objects;
use super::path::{join, parent, resolve};
use super::tree::RepositoryTree;
use crate::input::kustomize::FILES;
use crate::input::{PLAIN_FIELDS, PLAIN_NESTED_FIELDS, is_remote};

/// Maximum number of kustomizations in a build.
const MAX_KUSTOMIZATIONS: usize = 2_000;

/// Maximum number of files in a build.
const MAX_FILES: usize = 20_000;

/// Kustomization fields that list resource files and directories.
const RESOURCE_FIELDS: [&str; 3] = ["resources", "bases", "components"];

/// Kustomization fields that list plugin configurations: files, directories or inline objects.
const PLUGIN_FIELDS: [&str; 3] = ["generators", "transformers", "validators"];

/// Fields of a kustomization whose files need not be YAML, in lowercase.
const DATA_FIELDS: [&str; 2] = ["configmapgenerator", "secretgenerator"];

/// Files of a build, and any obstacles to the build.
#[derive(Debug, Default)]
pub struct Closure {
    /// Repository path of each file, by its path in the artifact.
    pub files: BTreeMap<String, String>,
    /// Symlinks in the paths of the files, with their targets.
    pub links: BTreeMap<String, String>,
    /// Paths of the kustomization files.
    pub kustomizations: BTreeSet<String>,
    /// Paths in the artifact of the other files that kustomize parses. Files for ConfigMaps and Secrets may contain
    /// anything.
    pub parsed_files: BTreeSet<String>,
    pub obstacles: Vec<Obstacle>,
}

/// Reason why a kustomization is not built.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Obstacle {
    /// A reference that points outside the repository.
    Outside { kustomization: String, path: String },
    /// A reference to a file or directory that does not exist.
    Missing { kustomization: String, path: String, target: String },
    /// A file, base or component on a remote machine.
    Remote { kustomization: String, address: String },
    /// A Helm chart required by the kustomization.
    Chart { kustomization: String },
    /// A program that a generator, transformer or validator runs, such as `ksops`.
    Plugin { kind: String },
    /// A build that exceeds the limits on kustomizations or files.
    TooLarge,
}

impl Closure {
    /// Collects the files that the kustomization in a directory depends on. `top` contains the path and content of a
    /// kustomization that replaces the kustomization in the directory.
    pub fn new(tree: &RepositoryTree, artifact: &Artifact, directory: &str, top: Option<(&str, &Value)>) -> Self {
        let mut walk = Walk {
            tree,
            artifact,
            closure: Self::default(),
            open_directories: vec![directory.to_owned()],
            seen_paths: BTreeSet::new(),
        };
        if let Some((file, top)) = top {
            walk.open_directories.clear();
            walk.seen_paths.insert(directory.to_owned());
            walk.visit_kustomization(directory, file, top);
        }
        while let Some(directory) = walk.open_directories.pop() {
            if walk.seen_paths.insert(directory.clone()) {
                walk.visit_directory(&directory);
            }
            if walk.seen_paths.len() > MAX_KUSTOMIZATIONS || walk.closure.files.len() > MAX_FILES {
                walk.closure.obstacles = vec![Obstacle::TooLarge];
                break;
            }
        }
        walk.closure
    }

    /// Returns the most important obstacle. Mistakes take precedence over parts that are merely skipped.
    pub fn obstacle(&self) -> Option<&Obstacle> {
        self.obstacles.iter().min()
    }
}

struct Walk<'a> {
    tree: &'a RepositoryTree,
    artifact: &'a Artifact,
    closure: Closure,
    open_directories: Vec<String>,
    seen_paths: BTreeSet<String>,
}

impl Walk<'_> {
    fn visit_directory(&mut self, directory: &str) {
        for name in FILES {
            let path = join(directory, name);
            let Some((path, _)) = self.add_path(&path) else { continue };
            let text = self.artifact.file(&path).and_then(|file| self.tree.text(file)).unwrap_or_default();
            self.closure.kustomizations.insert(path.clone());
            // Unreadable kustomizations are ignored here, because kustomize reports the error.
            for kustomization in read_objects(&text).unwrap_or_default() {
                self.visit_kustomization(directory, &path, &kustomization);
            }
        }
    }

    fn visit_kustomization(&mut self, directory: &str, file: &str, kustomization: &Value) {
        let fields = kustomization.as_object().into_iter().flatten();
        for (field, value) in fields.filter(|(field, _)| !PLAIN_FIELDS.contains(&field.as_str())) {
            let lowercase_field = field.to_lowercase();
            let is_chart = matches!(lowercase_field.as_str(), "helmcharts" | "helmchartinflationgenerator");
            if is_chart && value.as_array().is_some_and(|charts| !charts.is_empty()) {
                self.closure.obstacles.push(Obstacle::Chart { kustomization: file.to_owned() });
                continue;
            }
            let is_resource = RESOURCE_FIELDS.contains(&lowercase_field.as_str());
            let is_plugin = PLUGIN_FIELDS.contains(&lowercase_field.as_str());
            let is_data = DATA_FIELDS.contains(&lowercase_field.as_str());
            for_each_string(value, &mut |text| {
                let is_required = is_resource || (is_plugin && !text.contains('\n'));
                if is_plugin && text.contains('\n') {
                    self.visit_plugin(directory, file, text);
                }
                let Some((path, PathKind::File)) = self.visit_reference(directory, file, text, is_required) else {
                    return;
                };
                if !is_data {
                    self.closure.parsed_files.insert(path.clone());
                }
                if is_plugin {
                    let text = self.artifact.file(&path).and_then(|file| self.tree.text(file)).unwrap_or_default();
                    self.visit_plugin(parent(&path), &path, &text);
                }
            });
        }
    }

    /// Finds the files that the configuration of a generator, transformer or validator refers to.
    fn visit_plugin(&mut self, directory: &str, file: &str, text: &str) {
        for object in read_objects(text).unwrap_or_default() {
            if super::object::text(&object, "kind").eq_ignore_ascii_case("HelmChartInflationGenerator") {
                self.closure.obstacles.push(Obstacle::Chart { kustomization: file.to_owned() });
                continue;
            }
            let (version, kind) = (super::object::text(&object, "apiVersion"), super::object::text(&object, "kind"));
            if !version.is_empty() && version != "builtin" {
                self.closure.obstacles.push(Obstacle::Plugin { kind: kind.to_owned() });
                continue;
            }
            for_each_string(&object, &mut |text| drop(self.visit_reference(directory, file, text, false)));
        }
    }

    /// Adds the file or directory that a string refers to. A string that is not a path is ignored, unless `is_required`
    /// is set.
    fn visit_reference(
        &mut self,
        directory: &str,
        file: &str,
        text: &str,
        is_required: bool,
    ) -> Option<(String, PathKind)> {
        if text.contains('\n') || text.is_empty() {
            return None;
        }
        let value = text.split_once('=').map(|(_, path)| path);
        let mut target = None;
        for path in [Some(text), value].into_iter().flatten() {
            if is_remote(path) {
                let (kustomization, address) = (file.to_owned(), path.to_owned());
                self.closure.obstacles.push(Obstacle::Remote { kustomization, address });
                return None;
            }
            let Some(resolved) = resolve(directory, path) else {
                let (kustomization, path) = (file.to_owned(), path.to_owned());
                self.closure.obstacles.push(Obstacle::Outside { kustomization, path });
                return None;
            };
            if target.is_none() {
                target = self.add_path(&resolved);
            }
        }
        if target.is_none() && is_required {
            let target = resolve(directory, text).unwrap_or_default();
            self.closure.obstacles.push(Obstacle::Missing {
                kustomization: file.to_owned(),
                path: text.to_owned(),
                target,
            });
        }
        target
    }

    /// Adds a path to the files of the build. A directory is queued to be searched later.
    fn add_path(&mut self, path: &str) -> Option<(String, PathKind)> {
        let (path, links) = self.artifact.follow(path)?;
        for link in links {
            if let Some(target) = self.artifact.link_path(&link) {
                self.closure.links.insert(link, target.to_owned());
            }
        }
        let kind = self.artifact.get(&path)?;
        match kind {
            PathKind::Directory => self.open_directories.push(path.clone()),
            PathKind::File => {
                let file = self.artifact.file(&path)?;
                self.closure.files.insert(path.clone(), file.to_owned());
            }
        }
        Some((path, kind))
    }
}

/// Calls `visit` for each string that may be a path.
fn for_each_string(value: &Value, visit: &mut dyn FnMut(&str)) {
    match value {
        Value::String(text) => visit(text),
        Value::Array(items) => items.iter().for_each(|item| for_each_string(item, visit)),
        Value::Object(entries) => {
            let entries = entries.iter().filter(|(key, _)| !PLAIN_NESTED_FIELDS.contains(&key.as_str()));
            entries.for_each(|(_, value)| for_each_string(value, visit));
        }
        _ => {}
    }
}

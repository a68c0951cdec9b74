//! Detection of files with operator resources that no cluster reads.

use std::collections::{BTreeMap, BTreeSet};

use super::cluster::Cluster;
use super::location::locate;
use super::object::{Object, read_objects, text};
use super::path::{can_be_deployed, is_manifest};
use super::tree::{RepositoryTree, TreeLimits};
use crate::api::Kind;
use crate::diagnostic::bound::limit_findings;
use crate::diagnostic::{Code, Diagnostic, EnvironmentError};
use crate::input::{Input, ReadLimits, add_origin_files, display_path};
use crate::printable::format_count;
use crate::source::{DocumentOrigin, Source, SourceId, Sources};
use crate::yaml::{Limits, Node, read};

/// Files with operator resources that no build of a cluster reads.
pub struct UnreachedFiles {
    tree: Option<RepositoryTree>,
    /// Repository paths of the files.
    pub paths: Vec<String>,
}

impl UnreachedFiles {
    /// Searches the files below `input`, except chart templates.
    pub fn search(input: &Input, clusters: &[Cluster], reading: &ReadLimits) -> Self {
        let location = input.path().and_then(|path| locate(path).ok());
        let tree = location.as_ref().and_then(|location| {
            let tree = RepositoryTree::read(&location.root, &TreeLimits::from(&reading.following));
            Some((tree.ok()?, location.entry.as_str()))
        });
        let Some((tree, directory)) = tree else {
            return Self { tree: None, paths: Vec::new() };
        };
        let builds = || clusters.iter().flat_map(|cluster| &cluster.roots).map(|root| &root.build);
        let files = builds().flat_map(|build| &build.files);
        let plain_files = builds().flat_map(|build| &build.objects).filter_map(|built| built.file.as_ref());
        let reached_files: BTreeSet<_> = files.chain(plain_files).map(String::as_str).collect();
        let files =
            tree.entries_below(directory).map(|(path, _)| path).filter(|path| is_manifest(path) && tree.is_file(path));
        let files = files.filter(|path| !reached_files.contains(path) && can_be_deployed(path, directory));
        let files = files.filter(|path| tree.text(path).is_some_and(|text| has_resource(&text)));
        let paths = files.map(str::to_owned).collect();
        Self { tree: Some(tree), paths }
    }

    /// Adds the files to `sources`, and returns a finding for each of them.
    ///
    /// # Errors
    ///
    /// Returns an error if the files are too large.
    pub fn findings(&self, reading: &ReadLimits, sources: &mut Sources) -> Result<Vec<Diagnostic>, EnvironmentError> {
        let Some(tree) = &self.tree else { return Ok(Vec::new()) };
        let names: Vec<_> = self.paths.iter().map(|path| display_path(&tree.root().join(path))).collect();
        let origins: Vec<_> = names.iter().map(|name| DocumentOrigin::in_file(name.clone())).collect();
        add_origin_files(&origins, reading, sources)?;
        let ids: BTreeMap<_, _> = sources.iter().map(|(id, source)| (source.name.as_str(), (id, source))).collect();
        let mut diagnostics: Vec<_> = names.iter().filter_map(|name| finding(*ids.get(name.as_str())?)).collect();
        limit_findings(&mut diagnostics);
        Ok(diagnostics)
    }
}

/// Finding for a file that no cluster reads, located at its first resource.
fn finding((id, source): (SourceId, &Source)) -> Option<Diagnostic> {
    let documents = read(id, &source.text, &Limits::default()).output;
    let resources = documents.iter().filter_map(|document| {
        let root = document.root();
        let text = |field| root.at(field).and_then(Node::as_str).unwrap_or_default();
        let kind = Kind::from_type(text("apiVersion"), text("kind")).filter(|kind| kind.is_custom())?;
        Some((kind, text("metadata.name"), root.at("metadata.name").or(root.get("kind"))?.span()))
    });
    let resources: Vec<_> = resources.collect();
    let (kind, name, span) = resources.first()?;
    let other_count = resources.len() - 1;
    let message = match other_count {
        0 => format!("{kind} `{name}` belongs to no cluster that was read"),
        _ => {
            let other_objects = format_count(other_count, "other object");
            format!("{kind} `{name}` and {other_objects} in this file belong to no cluster that was read")
        }
    };
    let diagnostic = Diagnostic::new(Code::GitopsUnreached, message).label(*span, "");
    Some(diagnostic.help("list the file in a kustomization that a cluster applies, or delete it"))
}

fn has_resource(file: &str) -> bool {
    let objects = || read_objects(file).unwrap_or_default().into_iter();
    let is_resource = |object: Object| {
        Kind::from_type(text(&object, "apiVersion"), text(&object, "kind")).is_some_and(Kind::is_custom)
            && object.get("spec").is_some()
    };
    RESOURCE_GROUPS.iter().any(|group| file.contains(group)) && objects().any(is_resource)
}

/// Prefixes of the operator's API versions.
const RESOURCE_GROUPS: [&str; 2] = ["monitoring.coreos.com/", "monitoring.grafana.com/"];

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::diagnostic::bound::MAX_LISTED;

    const MONITOR: &str = "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {name: a}\nspec: {}\n";

    #[test]
    fn patches_and_other_kinds_are_not_resources() {
        assert!(has_resource(MONITOR));
        for text in [MONITOR.replace("spec: {}\n", ""), MONITOR.replace("coreos.com", "example.com")] {
            assert!(!has_resource(&text), "{text}");
        }
    }

    #[test]
    fn limits_the_number_of_findings() {
        let directory = tempfile::tempdir().unwrap();
        let paths: Vec<_> = (0..MAX_LISTED + 2).map(|number| format!("{number}.yaml")).collect();
        paths.iter().for_each(|path| fs::write(directory.path().join(path), MONITOR).unwrap());
        let tree = RepositoryTree::read(directory.path(), &TreeLimits::default()).unwrap();
        let files = UnreachedFiles { tree: Some(tree), paths };
        let actual = files.findings(&ReadLimits::default(), &mut Sources::default()).unwrap();
        assert_eq!(actual.len(), MAX_LISTED + 1);
    }
}

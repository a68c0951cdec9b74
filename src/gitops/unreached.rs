//! Files with resources that no cluster reads.

use std::collections::BTreeSet;

use super::cluster::Cluster;
use super::location::locate;
use super::object::{Object, read_objects, text};
use super::path::{can_be_deployed, is_manifest};
use super::tree::{RepositoryTree, TreeLimits};
use crate::api::Kind;
use crate::input::{Input, ReadLimits};

/// Returns the paths in the repository of the files below `input` that contain one of the operator's resources and that no
/// build of the clusters reads, except for templates of charts.
pub fn unreached_files(input: &Input, clusters: &[Cluster], reading: &ReadLimits) -> Vec<String> {
    let location = input.path().and_then(|path| locate(path).ok());
    let tree = location.as_ref().and_then(|location| {
        let tree = RepositoryTree::read(&location.root, &TreeLimits::from(&reading.following));
        Some((tree.ok()?, location.entry.as_str()))
    });
    let Some((tree, directory)) = tree else {
        return Vec::new();
    };
    let builds = || clusters.iter().flat_map(|cluster| &cluster.roots).map(|root| &root.build);
    let files = builds().flat_map(|build| &build.files);
    let plain = builds().flat_map(|build| &build.objects).filter_map(|built| built.file.as_ref());
    let reached: BTreeSet<_> = files.chain(plain).map(String::as_str).collect();
    let files = tree.below(directory).map(|(path, _)| path).filter(|path| is_manifest(path) && tree.is_file(path));
    let files = files.filter(|path| !reached.contains(path) && can_be_deployed(path, directory));
    files.filter(|path| tree.text(path).is_some_and(|text| has_resource(&text))).map(str::to_owned).collect()
}

fn has_resource(file: &str) -> bool {
    let objects = || read_objects(file).unwrap_or_default().into_iter();
    let is_resource = |object: Object| {
        Kind::from_type(text(&object, "apiVersion"), text(&object, "kind")).is_some_and(Kind::is_custom)
            && object.get("spec").is_some()
    };
    GROUPS.iter().any(|group| file.contains(group)) && objects().any(is_resource)
}

/// API groups of the operator's resources.
const GROUPS: [&str; 2] = ["monitoring.coreos.com/", "monitoring.grafana.com/"];

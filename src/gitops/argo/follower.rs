//! Builds of the Applications and ApplicationSets among a cluster's objects.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::application::{Checkout, build, is_application};
use super::application_set::{GeneratorContext, SetLimits, expand, is_application_set, is_cluster};
use super::destination::Destination;
use super::guess::guess_addresses;
use crate::diagnostic::{Code, EnvironmentError};
use crate::gitops::artifact::Artifact;
use crate::gitops::cluster::{Cluster, Mistake, Root};
use crate::gitops::failure::Failure;
use crate::gitops::kustomize_build::process_in_parallel;
use crate::gitops::object::{Object, ObjectId, identity};
use crate::gitops::skipped::{Reason, SkipKind, Skipped};
use crate::gitops::sources::{Remotes, host_and_path};
use crate::gitops::tree::RepositoryTree;

/// Builder of the Applications and ApplicationSets among a cluster's objects.
pub struct ArgoFollower<'a> {
    tree: &'a RepositoryTree,
    remotes: &'a Remotes,
    /// All files of the repository, read when they are first needed.
    checkout: Option<Arc<Artifact>>,
    /// Applications that ApplicationSets generate.
    generated: Vec<Object>,
    /// Addresses that are assumed to refer to this repository, because no remote is known.
    guessed_addresses: BTreeSet<String>,
    finished_ids: BTreeSet<ObjectId>,
}

impl<'a> ArgoFollower<'a> {
    pub fn new(tree: &'a RepositoryTree, remotes: &'a Remotes) -> Self {
        let (generated, guessed, done) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
        Self { tree, remotes, checkout: None, generated, guessed_addresses: guessed, finished_ids: done }
    }

    /// Builds new Applications and expands new ApplicationSets, up to a total of `max_builds`. Returns whether there
    /// were any new Applications or ApplicationSets.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be written or kustomize cannot be run.
    pub fn build_round(&mut self, cluster: &mut Cluster, max_builds: usize) -> Result<bool, EnvironmentError> {
        let objects = || cluster.roots.iter().flat_map(|root| root.build.objects.iter().map(|built| &built.object));
        let mut seen_ids = BTreeSet::new();
        let mut is_new = |object: &&Object| {
            let id = identity(object);
            !self.finished_ids.contains(&id) && seen_ids.insert(id)
        };
        let sets: Vec<Object> =
            objects().filter(|object| is_application_set(object)).filter(&mut is_new).cloned().collect();
        let applications = objects().chain(&self.generated).filter(|object| is_application(object));
        let applications: Vec<Object> = applications.filter(&mut is_new).take(max_builds).cloned().collect();
        if sets.is_empty() && applications.is_empty() {
            return Ok(false);
        }
        // An Application may contain cluster Secrets, so ApplicationSets with cluster generators are expanded last.
        let (cluster_sets, other_sets): (Vec<_>, Vec<_>) = sets.into_iter().partition(has_clusters);
        let sets = if other_sets.is_empty() && applications.is_empty() { cluster_sets } else { other_sets };
        if self.remotes.is_empty() {
            self.guessed_addresses.extend(guess_addresses(self.tree, applications.iter().chain(&sets)));
        }
        let clusters: Vec<Object> = objects().filter(|object| is_cluster(object)).cloned().collect();
        for set in &sets {
            self.expand(set, &clusters.iter().collect::<Vec<_>>(), cluster);
        }
        self.build(applications, cluster)?;
        Ok(true)
    }

    fn expand(&mut self, set: &Object, clusters: &[&Object], cluster: &mut Cluster) {
        let id = identity(set);
        let is_own = |url: &str| self.remotes.contains(url) || self.guessed_addresses.contains(&host_and_path(url));
        let context = GeneratorContext { tree: self.tree, is_own: &is_own, clusters };
        let expansion = expand(set, &context, &SetLimits::default());
        cluster.skipped.extend(
            expansion.skipped.into_iter().map(|reason| Skipped::new(&id, Reason::new(SkipKind::Generator, reason))),
        );
        let mistake = |reason| {
            let (code, field) = (Code::GitopsBuild, "spec".to_owned());
            Mistake { code, object: id.to_string(), field, reason, cause: None }
        };
        cluster.mistakes.extend(expansion.mistake.map(mistake));
        let generated = expansion.applications.iter().map(|application| identity(application).to_string());
        cluster.generators.extend(generated.map(|application| (application, id.to_string())));
        self.generated.extend(expansion.applications);
        self.finished_ids.insert(id);
    }

    fn build(&mut self, applications: Vec<Object>, cluster: &mut Cluster) -> Result<(), EnvironmentError> {
        let tree = self.tree;
        let artifact = self.checkout.get_or_insert_with(|| Arc::new(Artifact::from_checkout(tree)));
        let artifact = Arc::clone(artifact);
        let is_own = |url: &str| self.remotes.contains(url) || self.guessed_addresses.contains(&host_and_path(url));
        let checkout = Checkout { tree, artifact: &artifact, is_own: &is_own };
        let results = process_in_parallel(applications, |application| {
            let id = identity(&application);
            match Destination::new(&application).other_cluster {
                Some(other) => (id, Err(Failure::skipped(SkipKind::OtherCluster, format!("another cluster: {other}")))),
                None => (id, build(&application, &checkout)),
            }
        });
        for (id, result) in results {
            match result {
                Ok(built) => {
                    cluster.skipped.extend(built.skipped);
                    cluster.applications += usize::from(!built.builds.is_empty());
                    cluster.mistakes.extend(built.mistakes);
                    let root = |build| Root::new(id.to_string(), build, Arc::clone(&artifact));
                    cluster.roots.extend(built.builds.into_iter().map(root));
                }
                Err(Failure::Skipped(reason)) => cluster.skipped.push(Skipped::new(&id, reason)),
                Err(Failure::Mistake { code, reason, field, cause }) => {
                    cluster.mistakes.push(Mistake { code, object: id.to_string(), field, reason, cause });
                }
                Err(Failure::Environment(error)) => return Err(error),
            }
            self.finished_ids.insert(id);
        }
        Ok(())
    }
}

/// Whether an ApplicationSet has a cluster generator.
fn has_clusters(set: &Object) -> bool {
    set.get("spec").is_some_and(|spec| spec.to_string().contains("\"clusters\":"))
}

//! Inputs as deployed: inputs that lead to other paths in their repositories are followed, and all others are read
//! directly.

use std::collections::BTreeMap;
use std::path::Path;

use memchr::memmem;

use super::cluster::Cluster;
use super::cluster_sources::add_cluster;
use super::diagnostics::{self, ObjectLocations};
use super::entry::{Entries, entries};
use super::follow::{FollowOptions, follow};
use super::location::{Location, locate};
use super::names::{NamedCluster, name_clusters, several_clusters};
use super::object::{Object, identity, read_objects, text};
use super::path::file_name;
use super::roots::FOLLOWED_GROUPS;
use super::sources::Remotes;
use super::tree::{RepositoryTree, TreeLimits};
use crate::diagnostic::bound::limit_findings;
use crate::diagnostic::{EnvironmentError, Warned};
use crate::input::kustomize::FILES;
use crate::input::{Input, ReadLimits, RevisionFiles, STDIN_NAME, load, load_more};
use crate::source::{Source, Sources};

/// Result of reading inputs as deployed.
pub enum DeployedInputs {
    /// All inputs as sources, along with the followed clusters.
    Sources { loaded: Warned<Sources>, clusters: Vec<Cluster> },
    /// Clusters that must be read separately, because the inputs contain several entry points.
    Several(Vec<NamedCluster>),
}

impl DeployedInputs {
    fn from_sources(loaded: Warned<Sources>) -> Self {
        Self::Sources { loaded, clusters: Vec::new() }
    }
}

/// Maximum number of clusters to read separately.
const MAX_CLUSTERS: usize = 200;

/// Reads inputs. Directories and files that lead to other paths of their repository are followed.
///
/// # Errors
///
/// Returns an error if an input cannot be read, if kustomize cannot be run, or if one of several inputs contains
/// several entry points.
pub fn load_deployed(inputs: &[Input], read_limits: &ReadLimits) -> Result<DeployedInputs, EnvironmentError> {
    load_with_remotes(inputs, read_limits, None)
}

/// Reads inputs as they were deployed at a git revision. Inputs that did not exist at that revision are skipped.
///
/// # Errors
///
/// Returns the errors of [`load_deployed`], and an error if the revision cannot be read or an input contained several
/// entry points.
pub fn load_deployed_at_revision(
    inputs: &[Input],
    revision: &str,
    read_limits: &ReadLimits,
) -> Result<Warned<Sources>, EnvironmentError> {
    let files = RevisionFiles::write(revision, read_limits)?;
    let earlier_inputs: Vec<_> =
        inputs.iter().filter_map(|input| files.input(input).transpose()).collect::<Result<_, _>>()?;
    if earlier_inputs.is_empty() {
        return Ok(Warned::default());
    }
    let read_limits = ReadLimits { reach: files.restriction()?, ..read_limits.clone() };
    match load_with_remotes(&earlier_inputs, &read_limits, Some(&Remotes::read(files.repository())))? {
        DeployedInputs::Sources { loaded, .. } => Ok(loaded),
        DeployedInputs::Several(several) => Err(several_clusters(inputs, &several)),
    }
}

/// Returns the roots of the repositories that contain inputs to follow. A change anywhere in them can change what is
/// deployed.
pub fn deployed_roots(inputs: &[Input], read_limits: &ReadLimits) -> Vec<Input> {
    let root = |path: &Path| {
        let Location { root, entry } = locate(path).ok()?;
        let tree = RepositoryTree::read(&root, &TreeLimits::from(&read_limits.following)).ok()?;
        (entries(&tree, &Remotes::read(&root), &entry) != Entries::Nothing).then_some(Input::Path(root))
    };
    let paths = inputs.iter().filter(|_| read_limits.follows).filter(|input| matches!(input, Input::Path(_)));
    paths.filter_map(|input| root(input.path()?)).collect()
}

/// Reads inputs as deployed. `remotes` replaces the remotes of their repositories.
fn load_with_remotes(
    inputs: &[Input],
    read_limits: &ReadLimits,
    remotes: Option<&Remotes>,
) -> Result<DeployedInputs, EnvironmentError> {
    let loaded = load(inputs, read_limits)?;
    let is_lead = |source: &Source| {
        FOLLOWED_GROUPS.iter().any(|lead| memmem::find(source.text.as_bytes(), lead.as_bytes()).is_some())
    };
    let has_leads = loaded.output.iter().any(|(_, source)| is_lead(source));
    // A kustomization can include files from other directories.
    let has_kustomization = loaded.output.iter().any(|(_, source)| FILES.contains(&file_name(&source.name)));
    if !read_limits.follows || !(has_leads || has_kustomization) {
        return Ok(DeployedInputs::from_sources(loaded));
    }
    let options = FollowOptions {
        should_follow: true,
        should_hide_secrets: true,
        outside_objects: outside_objects(inputs, &loaded.output, read_limits)?,
        own_sources: read_limits.own_sources.clone(),
        limits: read_limits.following.clone(),
    };
    let (mut clusters, mut other_inputs) = (Vec::new(), Vec::new());
    for input in inputs {
        let result = match follow_input(input, &options, remotes) {
            // A repository with too many files is ignored if no input leads to other paths.
            Err(_) if !has_leads => FollowedInput::Nothing,
            result => result?,
        };
        match result {
            FollowedInput::Cluster(followed_cluster) => {
                let (tree, cluster) = &*followed_cluster;
                let is_same_cluster = |(other, known): &(RepositoryTree, Cluster)| {
                    other.root() == tree.root() && known.entry == cluster.entry
                };
                if !clusters.iter().any(is_same_cluster) {
                    clusters.push(*followed_cluster);
                }
            }
            FollowedInput::Several(several) if inputs.len() == 1 && several.len() <= MAX_CLUSTERS => {
                return Ok(DeployedInputs::Several(several));
            }
            FollowedInput::Several(several) => return Err(several_clusters(inputs, &several)),
            // Standard input can be read only once, and its content is already loaded.
            FollowedInput::Nothing if *input == Input::Stdin => {}
            FollowedInput::Nothing => other_inputs.push(input.clone()),
        }
    }
    if clusters.is_empty() {
        return Ok(DeployedInputs::from_sources(loaded));
    }
    if let Some(named_clusters) = separate_clusters(&clusters) {
        return match other_inputs.is_empty() {
            true => Ok(DeployedInputs::Several(named_clusters)),
            false => Err(several_clusters(inputs, &named_clusters)),
        };
    }
    let mut sources = Sources::default();
    let mut findings = load_more(&other_inputs, read_limits, &mut sources)?;
    for (_, source) in loaded.output.iter().filter(|(_, source)| source.name == STDIN_NAME) {
        sources.add(source.with_text(source.text.clone()));
    }
    for (tree, cluster) in &clusters {
        let locations = add_cluster(tree, cluster, read_limits, &mut sources)?;
        findings
            .extend(diagnostics::cluster_findings(cluster, &ObjectLocations::new(tree, &locations, cluster, &sources)));
    }
    limit_findings(&mut findings);
    let clusters = clusters.into_iter().map(|(_, cluster)| cluster).collect();
    Ok(DeployedInputs::Sources { loaded: Warned { output: sources, diagnostics: findings }, clusters })
}

/// Returns a repository's clusters if they cannot be a single cluster, because two of them contain the same object.
fn separate_clusters(clusters: &[(RepositoryTree, Cluster)]) -> Option<Vec<NamedCluster>> {
    let (tree, _) = clusters.first()?;
    let mut owners = BTreeMap::new();
    let objects = clusters.iter().enumerate().flat_map(|(index, (_, cluster))| {
        let objects = cluster.objects.iter().map(|merged| &merged.object);
        objects.filter(|object| text(object, "kind") != "Namespace").map(move |object| (identity(object), index))
    });
    let mut shared = objects.filter(|(id, index)| *owners.entry(id.clone()).or_insert(*index) != *index);
    let is_same_tree = clusters.iter().all(|(other, _)| other.root() == tree.root());
    let entries: Vec<_> = clusters.iter().map(|(_, cluster)| cluster.entry.clone()).collect();
    (is_same_tree && shared.next().is_some()).then(|| name_clusters(tree, &entries))
}

/// Returns the objects from standard input and, if there are several inputs, from input files. These objects are
/// assumed to exist in a cluster but not in its repository. `loaded` contains standard input.
///
/// # Errors
///
/// Returns an error if a file cannot be read.
pub fn outside_objects(
    inputs: &[Input],
    loaded: &Sources,
    read_limits: &ReadLimits,
) -> Result<Vec<Object>, EnvironmentError> {
    let is_file = |input: &&Input| input.path().is_some_and(Path::is_file);
    let files: Vec<_> = inputs.iter().filter(|_| inputs.len() > 1).filter(is_file).cloned().collect();
    let mut sources = Sources::default();
    load_more(&files, read_limits, &mut sources)?;
    let sources = loaded.iter().filter(|(_, source)| source.name == STDIN_NAME).chain(sources.iter());
    Ok(sources.flat_map(|(_, source)| read_objects(&source.text).unwrap_or_default()).collect())
}

/// Result of following an input.
enum FollowedInput {
    Cluster(Box<(RepositoryTree, Cluster)>),
    Several(Vec<NamedCluster>),
    /// No other path: the input leads nowhere else.
    Nothing,
}

fn follow_input(
    input: &Input,
    options: &FollowOptions,
    remotes: Option<&Remotes>,
) -> Result<FollowedInput, EnvironmentError> {
    let Input::Path(path) = input else {
        return Ok(FollowedInput::Nothing);
    };
    let location = locate(path)?;
    let tree = RepositoryTree::read(&location.root, &TreeLimits::from(&options.limits))?;
    let own_remotes = Remotes::read(&location.root);
    let remotes = remotes.unwrap_or(&own_remotes);
    let entry = match entries(&tree, remotes, &location.entry) {
        Entries::Nothing => return Ok(FollowedInput::Nothing),
        Entries::Itself => location.entry,
        Entries::Below(several) => match several.as_slice() {
            [entry] => entry.clone(),
            several => return Ok(FollowedInput::Several(name_clusters(&tree, several))),
        },
    };
    let cluster = follow(&tree, remotes, &entry, options)?;
    let is_nothing = cluster.objects.is_empty() && cluster.skipped.is_empty() && cluster.mistakes.is_empty();
    Ok(if cluster.is_followed && !is_nothing {
        FollowedInput::Cluster(Box::new((tree, cluster)))
    } else {
        FollowedInput::Nothing
    })
}

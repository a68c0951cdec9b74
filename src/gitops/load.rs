//! Reads inputs as deployed: an input that leads to other paths of its repository is followed, and any other is read as
//! it is.

use std::collections::BTreeSet;
use std::path::Path;

use memchr::memmem;
use rayon::prelude::*;

use super::closure::FILES;
use super::cluster::{Cluster, Root};
use super::diagnostics::{self, Places};
use super::entry::{Entries, entries};
use super::flux::{BuiltObject, documents};
use super::follow::{FollowOptions, follow};
use super::location::locate;
use super::names::{NamedCluster, named};
use super::object::{Object, identity, read_objects, text};
use super::path::file_name;
use super::roots::LEADS;
use super::skipped::SkipKind;
use super::sources::Remotes;
use super::tree::{RepositoryTree, TreeLimits};
use crate::diagnostic::{EnvironmentError, Warned};
use crate::input::built;
use crate::input::{Input, ReadLimits, STDIN_NAME, add_origin_files, load, load_more, shown_path};
use crate::source::{DocumentOrigin, Source, Sources};
use crate::yaml::{LibraryStyle, write};

/// Inputs as deployed.
pub enum Deployed {
    /// Inputs as sources, and the clusters that were followed.
    Sources { loaded: Warned<Sources>, clusters: Vec<Cluster> },
    /// The only input contains the entry points of several clusters, which have to be read separately.
    Several(Vec<NamedCluster>),
}

impl Deployed {
    fn plain(loaded: Warned<Sources>) -> Self {
        Self::Sources { loaded, clusters: Vec::new() }
    }
}

/// Reads inputs. Directories and files that lead to other paths of their repository are followed.
///
/// # Errors
///
/// Returns an error if an input cannot be read, if kustomize cannot be run, or if one of several inputs contains several
/// entry points.
pub fn load_deployed(inputs: &[Input], reading: &ReadLimits) -> Result<Deployed, EnvironmentError> {
    let loaded = load(inputs, reading)?;
    let leads =
        |source: &Source| LEADS.iter().any(|lead| memmem::find(source.text.as_bytes(), lead.as_bytes()).is_some());
    let has_leads = loaded.output.iter().any(|(_, source)| leads(source));
    // A kustomization can include files of other directories.
    let has_kustomization = loaded.output.iter().any(|(_, source)| FILES.contains(&file_name(&source.name)));
    if !reading.follows || !(has_leads || has_kustomization) {
        return Ok(Deployed::plain(loaded));
    }
    let options = FollowOptions {
        outside: outside_objects(inputs, &loaded.output, reading)?,
        own_sources: reading.own_sources.clone(),
        ..FollowOptions::default()
    };
    let (mut clusters, mut others) = (Vec::new(), Vec::new());
    for input in inputs {
        let result = match followed(input, &options) {
            // A repository with too many files can contain a kustomization that leads nowhere.
            Err(_) if !has_leads => Followed::Nothing,
            result => result?,
        };
        match result {
            Followed::Cluster(tree, cluster) => clusters.push((tree, cluster)),
            Followed::Several(several) if inputs.len() == 1 => return Ok(Deployed::Several(several)),
            Followed::Several(several) => return Err(several_clusters(inputs, &several)),
            // Standard input can be read only once.
            Followed::Nothing if *input == Input::Stdin => {}
            Followed::Nothing => others.push(input.clone()),
        }
    }
    if clusters.is_empty() {
        return Ok(Deployed::plain(loaded));
    }
    let mut sources = Sources::default();
    let mut found = load_more(&others, reading, &mut sources)?;
    for (_, source) in loaded.output.iter().filter(|(_, source)| source.name == STDIN_NAME) {
        sources.add(source.with_text(source.text.clone()));
    }
    for (tree, cluster) in &clusters {
        let places = add(tree, cluster, reading, &mut sources)?;
        found.extend(cluster.mistakes.iter().map(|mistake| diagnostics::mistake(mistake, &places, &sources)));
        found.extend(diagnostics::unread(cluster, &places, &sources));
        found.extend(diagnostics::retyped(cluster, &places, &sources));
    }
    let clusters = clusters.into_iter().map(|(_, cluster)| cluster).collect();
    Ok(Deployed::Sources { loaded: Warned { output: sources, diagnostics: found }, clusters })
}

/// Returns the objects in the files and in standard input among several inputs: what exists in a cluster but not in its
/// repository. `loaded` contains standard input.
///
/// # Errors
///
/// Returns an error if a file cannot be read.
pub fn outside_objects(
    inputs: &[Input],
    loaded: &Sources,
    reading: &ReadLimits,
) -> Result<Vec<Object>, EnvironmentError> {
    let is_file = |input: &&Input| input.path().is_some_and(Path::is_file);
    let files: Vec<_> = inputs.iter().filter(|_| inputs.len() > 1).filter(is_file).cloned().collect();
    let mut sources = Sources::default();
    load_more(&files, reading, &mut sources)?;
    let sources = loaded.iter().filter(|(_, source)| source.name == STDIN_NAME).chain(sources.iter());
    Ok(sources.flat_map(|(_, source)| read_objects(&source.text).unwrap_or_default()).collect())
}

/// Result of following an input.
enum Followed {
    Cluster(RepositoryTree, Cluster),
    Several(Vec<NamedCluster>),
    /// The input does not lead to another path.
    Nothing,
}

/// Returns the error for inputs that are read together although they contain several clusters.
pub fn several_clusters(inputs: &[Input], clusters: &[NamedCluster]) -> EnvironmentError {
    let names: Vec<_> = clusters.iter().map(|cluster| format!("`{}`", cluster.name)).collect();
    let problem = format!("it contains several clusters: pass one of {}, or `--no-follow`", names.join(", "));
    EnvironmentError::unfit(inputs.first().and_then(Input::path).unwrap_or(Path::new(".")), problem)
}

fn followed(input: &Input, options: &FollowOptions) -> Result<Followed, EnvironmentError> {
    let Input::Path(path) = input else {
        return Ok(Followed::Nothing);
    };
    let location = locate(path)?;
    let tree = RepositoryTree::read(&location.root, &TreeLimits::default())?;
    let remotes = Remotes::read(&location.root);
    let entry = match entries(&tree, &remotes, &location.entry) {
        Entries::Nothing => return Ok(Followed::Nothing),
        Entries::Itself => location.entry,
        Entries::Below(several) => match several.as_slice() {
            [entry] => entry.clone(),
            several => return Ok(Followed::Several(named(&tree, several))),
        },
    };
    let cluster = follow(&tree, &remotes, &entry, options)?;
    let is_nothing = cluster.objects.is_empty() && cluster.skipped.is_empty() && cluster.mistakes.is_empty();
    Ok(if cluster.is_followed && !is_nothing { Followed::Cluster(tree, cluster) } else { Followed::Nothing })
}

/// Adds the objects of a cluster as sources, one for each build.
fn add(
    tree: &RepositoryTree,
    cluster: &Cluster,
    reading: &ReadLimits,
    sources: &mut Sources,
) -> Result<Places, EnvironmentError> {
    let mut places = Places::new();
    let mut used: Vec<Vec<usize>> = cluster.roots.iter().map(|_| Vec::new()).collect();
    for merged in &cluster.objects {
        used.get_mut(merged.root).into_iter().for_each(|used| used.push(merged.index));
    }
    // HelmReleases are too many, and their names are enough.
    let unread =
        cluster.skipped.iter().filter(|skipped| skipped.is_unread() && skipped.reason.kind != SkipKind::HelmRelease);
    let mistakes = cluster.mistakes.iter().map(|mistake| mistake.object.as_str());
    let named: BTreeSet<_> = unread.map(|skipped| skipped.object.as_str()).chain(mistakes).collect();
    let located: Vec<_> = cluster
        .roots
        .par_iter()
        .zip(&used)
        .map(|(root, used)| is_reported(&named, root, used).then(|| origins_of(tree, root)))
        .collect();
    let mut origins = Vec::new();
    for ((root, mut used), of_build) in cluster.roots.iter().zip(used).zip(located) {
        used.sort_unstable();
        let mut text = String::new();
        let mut starts = Vec::new();
        for built in used.iter().filter_map(|index| root.build.objects.get(*index)) {
            if !text.is_empty() {
                text.push_str("---\n");
            }
            starts.push((text.len(), built));
            text.push_str(&write(&built.object.clone().into(), LibraryStyle::Kubernetes));
        }
        if starts.is_empty() {
            continue;
        }
        let mut source = Source::new(format!("<{}>", root.owner), text, true);
        let has_places = of_build.is_some() || root.build.stage.is_none();
        let of_build = of_build.unwrap_or_default();
        let fallback = shown_path(&tree.root().join(&cluster.entry));
        let of_document = |start: usize, built: &BuiltObject| {
            let known = match &built.file {
                Some(file) => Some(plain(shown_path(&tree.root().join(file)))),
                None => of_build.get(built.document).cloned(),
            };
            let known = known.unwrap_or_else(|| plain(fallback.clone()));
            let name = (!built.replaced.is_empty()).then(|| built_name(root, built)).flatten();
            DocumentOrigin { start, name: known.name.or(name), ..known }
        };
        source
            .set_origins(starts.iter().map(|(start, built)| of_document(*start, built)).collect(), built::translation);
        origins.extend(source.origins.iter().cloned());
        let ids: Vec<_> = starts.iter().map(|(start, built)| (identity(&built.object).to_string(), *start)).collect();
        let id = sources.add(source);
        for (name, start) in ids.into_iter().filter(|_| has_places) {
            places.entry(name).or_insert((id, start));
        }
    }
    add_origin_files(&origins, reading, sources)?;
    Ok(places)
}

/// Whether a finding can be about an object of a build. Only then are the origins of its objects needed, for which
/// kustomize runs again. `named` contains the objects in the results of following.
fn is_reported(named: &BTreeSet<&str>, root: &Root, used: &[usize]) -> bool {
    let mut objects = used.iter().filter_map(|index| root.build.objects.get(*index));
    objects.any(|built| {
        !is_for_controllers(&built.object)
            || !built.retyped.is_empty()
            || named.contains(identity(&built.object).to_string().as_str())
    })
}

/// Groups of objects that no later stage reads.
const UNREAD_GROUPS: [&str; 5] = [
    ".toolkit.fluxcd.io",
    "argoproj.io",
    "apiextensions.k8s.io",
    "gateway.networking.k8s.io",
    "source.extensions.fluxcd.io",
];

/// Whether no later stage reads an object.
fn is_for_controllers(object: &Object) -> bool {
    let (group, _) = text(object, "apiVersion").split_once('/').unwrap_or_default();
    UNREAD_GROUPS.iter().any(|unread| group.ends_with(unread))
}

/// Returns the origin of an object that is in a file.
fn plain(file: String) -> DocumentOrigin {
    DocumentOrigin { start: 0, file, name: None, transformed_in: Vec::new() }
}

/// Returns the file to edit for each object of a build, if it is known.
pub fn files(tree: &RepositoryTree, root: &Root) -> Vec<Option<String>> {
    let origins = origins_of(tree, root);
    let file = |built: &BuiltObject| match &built.file {
        Some(file) => Some(shown_path(&tree.root().join(file))),
        None => origins.get(built.document).map(|origin| origin.file.clone()),
    };
    root.build.objects.iter().map(file).collect()
}

/// Returns the origins of the documents of a build.
fn origins_of(tree: &RepositoryTree, root: &Root) -> Vec<DocumentOrigin> {
    let shown = |path: &str| root.artifact.file(path).map(|file| shown_path(&tree.root().join(file)));
    root.build
        .stage
        .as_ref()
        .map(|stage| stage.origins(&root.build.directory, &root.build.text, &shown))
        .unwrap_or_default()
}

/// Returns the name of an object before variables were substituted.
fn built_name(root: &Root, built: &BuiltObject) -> Option<String> {
    let document = documents(&root.build.text).nth(built.document)?;
    let object = read_objects(document).ok()?.into_iter().next()?;
    Some(identity(&object).name)
}

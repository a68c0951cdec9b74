//! `agentctl build`: the objects that a cluster receives.

use std::io::Write;
use std::path::Path;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::args::{InputArgs, LimitSettings, SourceArgs};
use super::session::{ExitStatus, Outcome, Session};
use crate::diagnostic::EnvironmentError;
use crate::emit::write_pretty;
use crate::flags::Effect::Harmless;
use crate::gitops::{
    Cluster, Entries, FollowOptions, Location, MergedObject, Remotes, RepositoryTree, TreeLimits, count_unread,
    entries, follow, identity, locate, name_clusters, origin_files, outside_objects, several_clusters,
};
use crate::input::{Input, ReadLimits};
use crate::printable::format_count;
use crate::source::Sources;
use crate::yaml::{LibraryStyle, write};

/// Write the objects that a cluster receives
///
/// Follows Flux Kustomizations and Argo CD Applications from a directory or file, as their controllers do, but offline:
/// without a network, keys or Helm. A directory without them is built with kustomize, or read as it is. Objects are
/// sorted by kind, namespace and name. A note counts what is not read; -v lists it.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl build clusters/production
  agentctl build clusters/production -o json
  agentctl build clusters/production --origins
  agentctl build -k overlays/staging

Exit status:
  0  success
  1  Flux or Argo CD would report an error
  2  usage error, or a file that cannot be read")]
pub(super) struct BuildArgs {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    limits: LimitSettings,

    #[command(flatten)]
    sources: SourceArgs,

    /// Format of the objects
    #[arg(short, long, value_name = "FORMAT", default_value = "yaml", help_heading = "Output")]
    output: BuildFormat,

    /// Also show where each object comes from
    ///
    /// Shows the file, the build and the entry point.
    #[arg(long, help_heading = "Output", add = Harmless)]
    origins: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum BuildFormat {
    /// One YAML document per object
    Yaml,
    /// One List
    Json,
}

#[derive(Serialize)]
struct ObjectOrigin {
    object: String,
    file: String,
    build: String,
    entry: String,
}

impl BuildArgs {
    pub(super) fn run(&self, session: &Session) -> Outcome {
        let mut clusters = Vec::new();
        let inputs = self.input.inputs();
        let options = FollowOptions {
            should_hide_secrets: false,
            outside_objects: outside_objects(&inputs, &Sources::default(), &ReadLimits::default())?,
            should_follow: true,
            own_sources: self.sources.own_sources(),
            limits: self.limits.follow_limits(),
        };
        for input in &inputs {
            clusters.push(match input {
                Input::Path(path) => cluster(path, &options, self.input.is_given())?,
                Input::Kustomization(path) => {
                    cluster(path, &FollowOptions { should_follow: false, ..options.clone() }, true)?
                }
                Input::Stdin => {
                    return Err(
                        EnvironmentError::invalid_content("-", "an entry point is a directory or a file").into()
                    );
                }
            });
        }
        let mut has_mistakes = false;
        for (_, cluster) in &clusters {
            session.note_followed(cluster);
            for mistake in &cluster.mistakes {
                has_mistakes = true;
                session.print_mistake(mistake);
            }
        }
        if has_mistakes {
            return Ok(ExitStatus::Findings);
        }
        let objects = || clusters.iter().flat_map(|(_, cluster)| &cluster.objects);
        let origins: Vec<_> = match self.origins {
            true => clusters.iter().flat_map(|(tree, cluster)| origins(tree, cluster)).collect(),
            false => Vec::new(),
        };
        match self.output {
            BuildFormat::Json => {
                let items: Vec<_> = objects().map(|merged| &merged.object).collect();
                let mut list = serde_json::json!({"apiVersion": "v1", "items": items, "kind": "List"});
                if let Some(fields) = list.as_object_mut().filter(|_| self.origins) {
                    fields.insert("origins".to_owned(), serde_json::json!(origins));
                }
                session.write(|out| write_pretty(&list, out))
            }
            BuildFormat::Yaml => session.write(|out| {
                let mut origins = origins.iter();
                for merged in objects() {
                    out.write_all(b"---\n")?;
                    if let Some(ObjectOrigin { file, build, entry, .. }) = origins.next() {
                        writeln!(out, "# {}", format!("{file}, {build} of {entry}").replace(['\n', '\r'], " "))?;
                    }
                    out.write_all(write(&merged.object.clone().into(), LibraryStyle::Kubernetes).as_bytes())?;
                }
                Ok(())
            }),
        }
    }
}

/// Follows the entry point at `path`. Unless `is_entry` is set, a directory below `path` can also be the entry point if
/// it is the only one.
fn cluster(path: &Path, options: &FollowOptions, is_entry: bool) -> Outcome<(RepositoryTree, Cluster)> {
    let Location { root, entry } = locate(path)?;
    let tree = RepositoryTree::read(&root, &TreeLimits::from(&options.limits))?;
    let remotes = Remotes::read(&root);
    let entry = match entries(&tree, &remotes, &entry) {
        Entries::Below(entries) if !is_entry => match entries.as_slice() {
            [one] => one.clone(),
            several => {
                let clusters = name_clusters(&tree, several);
                return Err(several_clusters(&[Input::Path(path.to_owned())], &clusters).into());
            }
        },
        _ => entry,
    };
    let cluster = follow(&tree, &remotes, &entry, options)?;
    Ok((tree, cluster))
}

/// Returns the origins of a cluster's objects, in the order of the objects.
fn origins(tree: &RepositoryTree, cluster: &Cluster) -> Vec<ObjectOrigin> {
    let files: Vec<_> = cluster.roots.iter().map(|root| origin_files(tree, root)).collect();
    let origin = |merged: &MergedObject| ObjectOrigin {
        object: identity(&merged.object).to_string(),
        file: files.get(merged.root).and_then(|files| files.get(merged.index).cloned().flatten()).unwrap_or_default(),
        build: cluster.roots.get(merged.root).map(|root| root.owner.clone()).unwrap_or_default(),
        entry: cluster.display_entry().to_owned(),
    };
    cluster.objects.iter().map(origin).collect()
}

impl Session {
    /// Prints what was followed and what was not read.
    pub(super) fn note_followed(&self, cluster: &Cluster) {
        if cluster.is_followed {
            let mut followed_objects = Vec::new();
            for (count, name) in [(cluster.kustomizations, "Flux Kustomization"), (cluster.applications, "Application")]
            {
                followed_objects.extend((count > 0).then(|| format_count(count, name)));
            }
            followed_objects.push(format_count(cluster.objects.len(), "object"));
            let mut line = format!("followed {}: {}", cluster.display_entry(), followed_objects.join(", "));
            let unread_count = count_unread(&cluster.skipped);
            if !unread_count.is_empty() {
                line.push_str(&format!("; not read: {unread_count}"));
                if !self.is_verbose() {
                    line.push_str(" (-v lists them)");
                }
            }
            self.note(&line);
        }
        for skipped in cluster.skipped.iter().filter(|_| self.is_verbose()) {
            self.note(&skipped.to_string());
        }
    }
}

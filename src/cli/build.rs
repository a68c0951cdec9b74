//! `agentctl build`: the objects that a cluster receives.

use std::io::Write;
use std::path::Path;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::args::InputArgs;
use super::session::{ExitStatus, Outcome, Session};
use crate::diagnostic::EnvironmentError;
use crate::emit::write_pretty;
use crate::flags::Effect::Harmless;
use crate::gitops::{Cluster, FollowLimits, Remotes, RepositoryTree, TreeLimits, follow, identity, locate};
use crate::input::Input;
use crate::printable::counted;
use crate::yaml::{LibraryStyle, write};

/// Write the objects that a cluster receives
///
/// Follows the Flux Kustomizations of a GitOps repository from a directory or file, as their controllers do, but
/// offline: without network, keys or Helm. A directory without them is built with kustomize, or read as it is. Objects
/// are sorted by kind, namespace and name. What is not read is counted; -v names it.
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

    /// Format of the objects
    #[arg(short, long, value_name = "FORMAT", default_value = "yaml", help_heading = "Output")]
    output: BuildFormat,

    /// Also show where each object comes from
    ///
    /// Shows the build and the entry point.
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

/// Origin of an object.
#[derive(Serialize)]
struct ObjectOrigin<'c> {
    object: String,
    build: &'c str,
    entry: &'c str,
}

impl BuildArgs {
    pub(super) fn run(&self, session: &Session) -> Outcome {
        let mut clusters = Vec::new();
        for input in self.input.inputs() {
            clusters.push(match &input {
                Input::Path(path) => cluster(path, false)?,
                Input::Kustomization(path) => cluster(path, true)?,
                Input::Stdin => {
                    return Err(EnvironmentError::unfit("-", "an entry point is a directory or a file").into());
                }
            });
        }
        let mut has_mistakes = false;
        for cluster in &clusters {
            session.note_followed(cluster);
            for mistake in &cluster.mistakes {
                has_mistakes = true;
                session.print_mistake(mistake);
            }
        }
        if has_mistakes {
            return Ok(ExitStatus::Findings);
        }
        let objects =
            || clusters.iter().flat_map(|cluster| cluster.objects.iter().map(move |object| (cluster, object)));
        let origins = || {
            objects().map(|(cluster, merged)| ObjectOrigin {
                object: identity(&merged.object).to_string(),
                build: cluster.roots.get(merged.root).map_or("", |root| root.owner.as_str()),
                entry: &cluster.entry,
            })
        };
        match self.output {
            BuildFormat::Json => {
                let items: Vec<_> = objects().map(|(_, merged)| &merged.object).collect();
                let mut list = serde_json::json!({"apiVersion": "v1", "items": items, "kind": "List"});
                if let Some(fields) = list.as_object_mut().filter(|_| self.origins) {
                    let origins: Vec<_> = origins().collect();
                    fields.insert("origins".to_owned(), serde_json::json!(origins));
                }
                session.write(|out| write_pretty(&list, out))
            }
            BuildFormat::Yaml => session.write(|out| {
                for ((_, merged), origin) in objects().zip(origins()) {
                    out.write_all(b"---\n")?;
                    if self.origins {
                        writeln!(out, "# {} of {}", origin.build.replace('\n', " "), origin.entry.replace('\n', " "))?;
                    }
                    out.write_all(write(&merged.object.clone().into(), LibraryStyle::Kubernetes).as_bytes())?;
                }
                Ok(())
            }),
        }
    }
}

/// Follows the entry at a path.
fn cluster(path: &Path, is_kustomization: bool) -> Outcome<Cluster> {
    let location = locate(path)?;
    let tree = RepositoryTree::read(&location.root, &TreeLimits::default())?;
    let limits = FollowLimits { follows: !is_kustomization, hides_secrets: false, ..FollowLimits::default() };
    Ok(follow(&tree, &Remotes::read(&location.root), &location.entry, &limits)?)
}

impl Session {
    /// Prints what was followed and what was not read.
    pub(super) fn note_followed(&self, cluster: &Cluster) {
        let entry = if cluster.entry.is_empty() { "." } else { &cluster.entry };
        if cluster.is_followed {
            let mut counts = Vec::new();
            for (count, name) in [(cluster.kustomizations, "Flux Kustomization"), (cluster.applications, "Application")]
            {
                counts.extend((count > 0).then(|| counted(count, name)));
            }
            counts.push(counted(cluster.objects.len(), "object"));
            let unread = match cluster.skipped.len() {
                0 => String::new(),
                count if self.is_verbose() => format!("; {}", counted(count, "note")),
                count => format!("; {} (-v lists them)", counted(count, "note")),
            };
            self.note(&format!("followed {entry}: {}{unread}", counts.join(", ")));
        }
        for skipped in cluster.skipped.iter().filter(|_| self.is_verbose()) {
            self.note(&skipped.to_string());
        }
    }
}

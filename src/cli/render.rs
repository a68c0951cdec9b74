//! `agentctl render`: the manifests that the operator would create.

use std::env;
use std::path::Path;

use clap::Args;

use super::args::{InputArgs, OutputArgs, RenderFlags, Rendered, Rendering};
use super::session::{ExitStatus, Outcome, Session, Stop, print_line};
use super::watch::each_round;
use super::{krm, kubectl};
use crate::compile::Bundle;
use crate::diagnostic::{EnvironmentError, Severity, Warned, has_errors};
use crate::diff;
use crate::emit::{Directory, DirectoryPlan};
use crate::flags::Effect::Bounded;
use crate::gitops::{DeployedInputs, NamedCluster, several_clusters};
use crate::input::{OUTPUT_LIST, WorkTree};
use crate::manifest::Object;
use crate::printable::{format_count, quote_for_shell};
use crate::source::Sources;

/// Write the manifests that the operator would create
///
/// Reads GrafanaAgents, MetricsInstances, LogsInstances, Integrations, ServiceMonitors, PodMonitors, Probes, PodLogs,
/// and the Secrets and ConfigMaps that they refer to, and writes the Secrets, Services, StatefulSets, DaemonSets and
/// Deployments that the Grafana Agent Operator creates for them, byte for byte. Nothing is written if there is an
/// error. APIServices and ExternalNames are checked, but not written: see `agentctl aggregate render`.
///
/// With --output-dir, each object is written to the file <namespace>/<kind>_<name>.yaml. --prune keeps the files of
/// agents that are paused or excluded by --agent. --watch reports only new findings.
///
/// A ResourceList on standard input is handled as in `agentctl krm`. `agentctl template` is the same command.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl render manifests/ --output-dir - | kubectl apply --server-side -f -
  agentctl render manifests/ -o json
  agentctl render manifests/ -o name
  agentctl render manifests/ --output-dir rendered/ --prune
  agentctl render manifests/ --output-dir rendered/ --prune --check
  agentctl render manifests/ --output-dir rendered/ --prune --watch
  agentctl render -k overlays/production
  helm template chart/ | agentctl render --pass-through -
  agentctl render -f agent.yaml -f secrets.yaml --namespace monitoring

Exit status:
  0  success
  1  the input has errors, or nothing is rendered
  1  --check: the directory would change
  2  usage error, or a file that cannot be read or written")]
pub(super) struct RenderArgs {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    flags: RenderFlags,

    #[command(flatten)]
    output: OutputArgs,

    /// Remove files that are no longer rendered
    ///
    /// Only files that agentctl wrote to --output-dir are removed: each must be on agentctl's list, and contain the
    /// object that the file name refers to.
    #[arg(long, requires = "output_dir", help_heading = "Output", add = Bounded("removes files that agentctl wrote"))]
    prune: bool,

    /// Only show changes; exit with 1 if there are any
    ///
    /// Shows the changes that rendering would make to --output-dir, and writes nothing.
    #[arg(long, requires = "output_dir", help_heading = "Output")]
    check: bool,

    /// Watch the inputs and render again when they change
    #[arg(long, conflicts_with_all = ["check", "kustomize"], help_heading = "Output")]
    watch: bool,

    /// Also write objects of kinds that agentctl does not compile
    ///
    /// The rendered objects replace the operator's custom resources; everything else in the input is written unchanged,
    /// including Secrets, whatever --secrets is.
    #[arg(long, help_heading = "Output", hide_short_help = true)]
    pass_through: bool,
}

impl RenderArgs {
    pub(super) fn run(&self, session: &Session) -> Outcome {
        if self.watch {
            return self.watch(session);
        }
        if self.check && self.output.path().is_none() {
            let problem = "`--check` compares with a directory, not with standard output";
            return Err(EnvironmentError::invalid_content("-", problem).into());
        }
        let progress = session.progress("reading");
        let mut loaded = match session.load_deployed(&self.input.inputs(), &self.flags.compile.reading())? {
            DeployedInputs::Sources { loaded, .. } => loaded,
            DeployedInputs::Several(clusters) => {
                drop(progress);
                return self.render_clusters(clusters, session);
            }
        };
        drop(progress);
        let is_plain = self.output.path().is_none() && self.output.is_yaml() && !self.pass_through;
        if is_plain && krm::is_called(&loaded.output, &self.flags.compile.limits()) {
            return krm::answer(&self.flags, loaded, session);
        }
        let bundle = self.accept(&mut loaded, session)?;
        self.write(&bundle, &loaded.output, session)
    }

    /// Renders each cluster to a subdirectory of the output directory, named after the cluster. Nothing is written if a
    /// cluster has an error.
    fn render_clusters(&self, clusters: Vec<NamedCluster>, session: &Session) -> Outcome {
        if self.output.path().is_none() {
            return Err(several_clusters(&self.input.inputs(), &clusters).into());
        }
        let (mut rendered_clusters, mut is_rejected) = (Vec::new(), false);
        for NamedCluster { name, path } in clusters {
            let input = InputArgs::from_path(path.into_os_string());
            let cluster_args = Self { input, output: self.output.for_subdirectory(&name), ..self.clone() };
            let mut loaded = session.load(&cluster_args.input.inputs(), &self.flags.compile.reading())?;
            match cluster_args.accept(&mut loaded, session) {
                Ok(bundle) => rendered_clusters.push((cluster_args, bundle, loaded.output)),
                Err(Stop::Reported) => is_rejected = true,
                Err(stop) => return Err(stop),
            }
        }
        if is_rejected {
            return Err(Stop::Reported);
        }
        let mut status = ExitStatus::Success;
        for (cluster_args, bundle, sources) in &rendered_clusters {
            let written = cluster_args.write(bundle, sources, session)?;
            status = if status == ExitStatus::Success { written } else { status };
        }
        Ok(status)
    }

    /// Compiles the loaded sources, and reports findings.
    fn accept(&self, loaded: &mut Warned<Sources>, session: &Session) -> Outcome<Bundle> {
        let progress = session.progress("compiling");
        let Rendered { bundle, diagnostics } = self.compile(loaded, session);
        drop(progress);
        let result = session.accept_briefly(&diagnostics, &loaded.output);
        session.note_skipped(bundle.skipped);
        result.map(|()| bundle)
    }

    /// Writes manifests to the output directory, or to standard output.
    fn write(&self, bundle: &Bundle, sources: &Sources, session: &Session) -> Outcome {
        let Some(directory) = self.directory(bundle, sources) else {
            return self.output.show(bundle.objects.iter(), session);
        };
        let progress = session.progress("writing");
        let plan = directory.plan(bundle.objects.iter())?;
        session.warn_kept_files(directory.path, plan.kept_files());
        if self.check {
            return check(&plan, directory.path, session);
        }
        self.warn_of_values(&plan, directory.path, session);
        let write_counts = plan.write()?;
        drop(progress);
        session.note_written(directory.path, write_counts);
        Ok(ExitStatus::Success)
    }

    /// Renders the inputs, and renders them again whenever one of them changes.
    fn watch(&self, session: &Session) -> Outcome {
        let mut is_first = true;
        each_round(&self.input.inputs(), &self.flags.compile.reading(), |watching, mut loaded| {
            let rendered = self.compile(&mut loaded, session);
            watching.report(&rendered.diagnostics, &loaded.output, session);
            let errors = rendered.diagnostics.iter().filter(|d| d.severity == Severity::Error);
            if has_errors(&rendered.diagnostics) {
                print_line(format!("watch: {}, nothing written", format_count(errors.count(), "error")));
                return Ok(());
            }
            let (changed_keys, line) = watching.changes(&rendered.bundle);
            let differs = |object: &Object| changed_keys.contains(&object.key());
            self.write_changes(&rendered.bundle, &loaded.output, differs, is_first, session)?;
            is_first = false;
            print_line(line);
            Ok(())
        })
    }

    /// Compiles the loaded sources.
    fn compile(&self, loaded: &mut Warned<Sources>, session: &Session) -> Rendered {
        Rendering { passes_through: self.pass_through, ..self.flags.rendering() }.render(session, loaded)
    }

    /// Returns the output directory, or `None` if manifests are written to standard output.
    fn directory<'d>(&'d self, bundle: &'d Bundle, sources: &'d Sources) -> Option<Directory<'d>> {
        Some(Directory {
            prune: Some(sources).filter(|_| self.prune),
            excluded_agents: &bundle.left_alone,
            ..self.output.directory(OUTPUT_LIST)?
        })
    }

    /// Warns about Secret values that git might commit, unless the command line or the settings specify how values are
    /// delivered.
    fn warn_of_values(&self, plan: &DirectoryPlan<'_>, directory: &Path, session: &Session) {
        if self.flags.compile.sets_secrets() {
            return;
        }
        let Some(tree) = WorkTree::find(directory) else {
            return;
        };
        let files = plan.files_with_values().filter(|file| !tree.ignores(Path::new(file)));
        let files: Vec<_> = files.map(|file| directory.join(file).display().to_string()).collect();
        session.warn_of_values(&files);
    }

    /// Updates the output directory. If there is none, prints the objects that differ.
    fn write_changes(
        &self,
        bundle: &Bundle,
        sources: &Sources,
        differs: impl Fn(&Object) -> bool,
        is_first: bool,
        session: &Session,
    ) -> Outcome {
        if let Some(directory) = self.directory(bundle, sources) {
            let plan = directory.plan(bundle.objects.iter())?;
            session.warn_kept_files(directory.path, plan.kept_files());
            if is_first {
                self.warn_of_values(&plan, directory.path, session);
            }
            plan.write()?;
            return Ok(ExitStatus::Success);
        }
        let changed_objects: Vec<_> = bundle.objects.iter().filter(|object| differs(object)).collect();
        match changed_objects.is_empty() {
            true => Ok(ExitStatus::Success),
            false => self.output.show(changed_objects, session),
        }
    }
}

/// Shows the changes that would be written, without secret values.
fn check(plan: &DirectoryPlan<'_>, directory: &Path, session: &Session) -> Outcome {
    let mut stale_count = 0;
    plan.for_each_change(|change| {
        stale_count += 1;
        let (before, after) = (change.before.as_deref(), change.after.as_deref());
        let mut text = session.text();
        diff::show_file(directory, &change.path, before, after, &mut text);
        session.show(&text).map(drop)
    })?;
    if stale_count > 0 {
        session.note_stale(directory, stale_count, &updating_command());
    }
    Ok(ExitStatus::findings_if(stale_count > 0))
}

/// Returns this run's command line without `--check`.
fn updating_command() -> String {
    let mut command = "agentctl".to_owned();
    for arg in env::args_os().skip(1).filter(|arg| arg != "--check") {
        command.push(' ');
        command.push_str(&quote_for_shell(&arg.to_string_lossy()));
    }
    kubectl::example(&command).into_owned()
}

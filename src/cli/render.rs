//! `agentctl render`: what the operator would create.

use std::path::{Path, PathBuf};

use clap::Args;

use super::ExitStatus;
use super::compile_args::CompileArgs;
use super::input_args::InputArgs;
use super::policy_args::PolicyArgs;
use super::session::{Channel, Session};
use crate::compile::{Bundle, compile};
use crate::diagnostic::{Policy, has_errors};
use crate::diff;
use crate::emit::{Directory, Format, Plan, empty_render, write_stream};
use crate::environment::EnvironmentError;
use crate::source::load;

/// What `render` owns in a directory.
const LIST: &str = ".agentctl-files";

/// Write the manifests that the operator would create
///
/// Reads GrafanaAgents, MetricsInstances, LogsInstances, Integrations, ServiceMonitors, PodMonitors, Probes, PodLogs,
/// and the Secrets and ConfigMaps that they refer to, and writes the Secrets, Services, StatefulSets, DaemonSets and
/// Deployments that the Grafana Agent Operator creates for them, byte for byte. Nothing is written where there is an
/// error. APIServices and ExternalNames are checked, but not written: see `agentctl aggregate render`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl render manifests/ | kubectl apply -f -
  agentctl render manifests/ -o json
  agentctl render manifests/ --output-dir rendered/ --prune
  agentctl render manifests/ --output-dir rendered/ --prune --check
  kustomize build . | agentctl render -
  agentctl render -f agent.yaml -f secrets.yaml --namespace monitoring")]
pub(super) struct RenderArgs {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    compile: CompileArgs,

    #[command(flatten)]
    policy: PolicyArgs,

    /// How manifests are written
    #[arg(
        short,
        long,
        value_name = "FORMAT",
        default_value_t,
        value_enum,
        help_heading = "Output"
    )]
    output: Format,

    /// Write one file an object, <namespace>/<kind>_<name>.yaml, into this directory
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath, help_heading = "Output")]
    output_dir: Option<PathBuf>,

    /// Remove files from --output-dir that agentctl wrote and that are not rendered any more, but not those of agents that are paused or not asked for
    #[arg(long, requires = "output_dir", help_heading = "Output")]
    prune: bool,

    /// Write nothing: show how --output-dir would change, and exit with 1 where it would
    #[arg(long, requires = "output_dir", help_heading = "Output")]
    check: bool,

    /// Accept that nothing comes out; what applies an empty output may delete everything
    #[arg(long, help_heading = "Output")]
    allow_empty: bool,

    /// Refuse what Kubernetes or the agent would refuse later, as `check` does, although the operator renders it
    #[arg(long, help_heading = "Output")]
    strict: bool,

    /// Name GrafanaAgents that have a metadata.uid as owners of what is created for them
    #[arg(long, help_heading = "Output")]
    owner_references: bool,
}

impl RenderArgs {
    pub(super) fn run(&self, session: &Session) -> Result<ExitStatus, EnvironmentError> {
        let inputs = self.input.inputs();
        let loaded = load(&inputs)?;
        let mut sources = loaded.output;
        let policy = self.policy.policy(self.late_errors(), &inputs, &mut sources)?;
        let compiled = compile(&sources, &self.compile.options(self.owner_references));
        let bundle = compiled.output;
        let mut diagnostics = loaded.diagnostics;
        diagnostics.extend(policy.diagnostics);
        diagnostics.extend(compiled.diagnostics);
        let mut diagnostics = policy.output.apply(diagnostics, &bundle.allowances);
        if bundle.objects.is_empty() && !self.allow_empty && !has_errors(&diagnostics) {
            diagnostics.push(empty_render("`GrafanaAgent` to compile"));
        }
        session.report(&diagnostics, &sources, Channel::StandardError)?;
        session.note_skipped(bundle.skipped);
        if has_errors(&diagnostics) {
            return Ok(ExitStatus::Findings);
        }
        match &self.output_dir {
            Some(path) => self.directory(path, &bundle, session),
            None => {
                session.write(|out| write_stream(&bundle.objects, self.output, out))?;
                Ok(ExitStatus::Success)
            }
        }
    }

    fn directory(&self, path: &Path, bundle: &Bundle, session: &Session) -> Result<ExitStatus, EnvironmentError> {
        let directory = Directory {
            prune: self.prune,
            left_alone: &bundle.left_alone,
            ..Directory::new(path, LIST, self.output)
        };
        let plan = directory.plan(&bundle.objects)?;
        if self.check {
            return check(&plan, session);
        }
        plan.write()?;
        Ok(ExitStatus::Success)
    }

    fn late_errors(&self) -> Policy {
        if self.strict {
            Policy::default()
        } else {
            Policy::lenient()
        }
    }
}

/// Shows what would be written, without secret values.
fn check(plan: &Plan<'_>, session: &Session) -> Result<ExitStatus, EnvironmentError> {
    let changes = plan.changes()?;
    let mut text = String::new();
    for change in &changes {
        let (before, after) = (change.before.as_deref(), change.after.as_deref());
        text.push_str(&diff::unified_file(
            &change.path,
            before,
            after,
            session.colors_output(),
        ));
    }
    session.print(&text)?;
    Ok(match changes.is_empty() {
        true => ExitStatus::Success,
        false => ExitStatus::Findings,
    })
}

//! `agentctl render`: what the operator would create.

use std::path::PathBuf;

use clap::Args;

use super::ExitStatus;
use super::compile_args::CompileArgs;
use super::input_args::InputArgs;
use super::policy_args::PolicyArgs;
use super::session::{Channel, Session};
use crate::compile::compile;
use crate::diagnostic::{Policy, has_errors};
use crate::emit::{Format, empty_render, write_directory, write_stream};
use crate::environment::EnvironmentError;
use crate::source::load;

/// Write the manifests that the operator would create
///
/// Reads GrafanaAgents, MetricsInstances, LogsInstances, Integrations, ServiceMonitors, PodMonitors, Probes, PodLogs,
/// and the Secrets and ConfigMaps that they refer to, and writes the Secrets, Services, StatefulSets, DaemonSets and
/// Deployments that the Grafana Agent Operator creates for them, byte for byte. Nothing is written where there is an
/// error.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl render manifests/ | kubectl apply -f -
  agentctl render manifests/ -o json
  agentctl render manifests/ --output-dir rendered/
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
            Some(directory) => write_directory(&bundle.objects, self.output, directory)?,
            None => session.write(|out| write_stream(&bundle.objects, self.output, out))?,
        }
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

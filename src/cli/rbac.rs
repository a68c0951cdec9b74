//! `agentctl rbac`: the permissions that rendered agents need.

use clap::Args;

use super::args::{CompileArgs, InputArgs, OutputArgs};
use super::session::{Outcome, Session};
use crate::diagnostic::Severity;
use crate::{check, manifest, resolve};

/// File in the output directory that lists the files written by `rbac`. `render` has its own list.
const LIST: &str = ".agentctl-rbac-files";

/// Write the RBAC objects that the agents need
///
/// Writes exactly the permissions that the scrape jobs, log jobs and Integrations of each ServiceAccount need: a Role in each
/// namespace in which targets are discovered; a ClusterRole for discovery in all namespaces, for Nodes, and for paths such as
/// /metrics; and their bindings. A ServiceAccount that is in the input is not written. With
/// --alloy-discovery=dynamic, also writes the permissions to read the monitors and their Secrets.
///
/// `agentctl render --with-rbac` writes them before the manifests. `agentctl check` reports missing permissions of a
/// ServiceAccount if its roles are in the input.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl rbac manifests/
  agentctl rbac manifests/ --output-dir - | kubectl apply --server-side -f -
  agentctl rbac manifests/ --output-dir rights/
  agentctl rbac manifests/ --agent monitoring/agent -o json")]
pub(super) struct RbacArgs {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    compile: CompileArgs,

    #[command(flatten)]
    output: OutputArgs,
}

impl RbacArgs {
    pub(super) fn run(&self, session: &Session) -> Outcome {
        let compile_args = self.compile.without_values();
        compile_args.resolve(&self.input.inputs(), session, |input| {
            // Errors stop the run, because the permissions needed for rejected resources would be missing.
            let mut findings = input.errors();
            findings.retain(|diagnostic| !diagnostic.code.fails_at_runtime());
            let manifest = &input.options.render.manifest;
            // A pod without a token cannot use its permissions.
            let tokens = check::check_tokens(input.resources, input.hierarchies, manifest.target.watcher()).into_iter();
            findings.extend(tokens.map(|finding| finding.severity(Severity::Warning)));
            findings.extend(input.hierarchies.iter().flat_map(resolve::unknown_rights));
            session.accept(&findings, input.sources)?;
            let objects = manifest::rights(input.hierarchies, &input.resources.access, manifest);
            self.output.write(LIST, &objects, session)
        })
    }
}

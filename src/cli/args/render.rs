//! Flags of `render` that a function's configuration and an Argo CD application's parameters can also set.

use clap::Args;

use super::{CompileArgs, SeverityArgs};
use crate::cli::session::{Outcome, Session};
use crate::compile::{Bundle, compile};
use crate::diagnostic::severity::Policy;
use crate::diagnostic::{Code, Diagnostic, Warned, has_errors};
use crate::emit::{all_excluded, empty_render, krm};
use crate::flags::Effect::{Harmless, Weakens};
use crate::manifest::Object;
use crate::resolve::SecretMode;
use crate::source::Sources;

/// Effect of `--allow-empty` in `agentctl.yaml`.
pub(in crate::cli) const ALLOW_EMPTY: &str = "accepts an input without resources";

/// Rendering flags that apply to any input and output.
#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct RenderFlags {
    #[command(flatten)]
    pub(in crate::cli) compile: CompileArgs,

    #[command(flatten)]
    pub(in crate::cli) policy: SeverityArgs,

    /// Succeed even if nothing is rendered
    ///
    /// Applying empty output may delete everything.
    #[arg(long, hide_short_help = true, help_heading = "Output", add = Weakens(ALLOW_EMPTY, &[]))]
    pub(in crate::cli) allow_empty: bool,

    /// Fail if Kubernetes or the agent would reject the result, as `check` does
    #[arg(long, help_heading = "Output", hide_short_help = true, add = Harmless)]
    pub(in crate::cli) strict: bool,

    /// Also write the RBAC objects that the agents need, as `agentctl rbac` does
    #[arg(long, hide_short_help = true, help_heading = "Output", add = Harmless)]
    pub(in crate::cli) with_rbac: bool,

    /// Add ownerReferences that point to GrafanaAgents with a metadata.uid
    #[arg(long, hide_short_help = true, help_heading = "Output", add = Harmless)]
    pub(in crate::cli) owner_references: bool,
}

/// Result of rendering. The bundle is valid only if none of the diagnostics is an error.
#[derive(Debug)]
pub(in crate::cli) struct Rendered {
    /// Rendered manifests.
    pub(in crate::cli) bundle: Bundle,
    /// All findings, with the severities that the policy assigns.
    pub(in crate::cli) diagnostics: Vec<Diagnostic>,
}

impl RenderFlags {
    /// Creates a rendering with these flags.
    pub(in crate::cli) fn rendering(&self) -> Rendering<'_> {
        Rendering {
            flags: self,
            preset: match self.strict {
                true => Policy::default(),
                false => Policy::lenient(),
            },
            masks: false,
            passes_through: false,
            find_problems: None,
        }
    }
}

/// Function that searches the compiled bundle for problems.
type ProblemSearch<'f> = Box<dyn Fn(&Bundle) -> Vec<Diagnostic> + 'f>;

/// Everything that a rendering depends on, except its input.
pub(in crate::cli) struct Rendering<'f> {
    pub(in crate::cli) flags: &'f RenderFlags,
    /// Severities that apply unless flags or settings change them.
    pub(in crate::cli) preset: Policy,
    /// Whether to also generate configurations in which secrets are masked.
    pub(in crate::cli) masks: bool,
    /// Whether objects in the input that are not compiled are also written.
    pub(in crate::cli) passes_through: bool,
    /// Function that finds problems with writing the manifests to their destination.
    pub(in crate::cli) find_problems: Option<ProblemSearch<'f>>,
}

impl Rendering<'_> {
    /// Compiles the sources, and determines the severities of all findings. Adds the settings file to the sources.
    pub(in crate::cli) fn render(self, session: &Session, loaded: &mut Warned<Sources>) -> Rendered {
        let flags = self.flags;
        let mut diagnostics = std::mem::take(&mut loaded.diagnostics);
        let policy = flags.policy.policy(self.preset, session, &mut loaded.output);
        let policy = policy.report_to(&mut diagnostics);
        let mut options = flags.compile.options(session);
        options.rights = flags.with_rbac;
        options.render.masks = self.masks;
        options.render.manifest.owner_references = flags.owner_references;
        let mut bundle = compile(&loaded.output, &options).report_to(&mut diagnostics);
        if options.resolve.secrets == SecretMode::Placeholder {
            bundle.objects.rendered_mut().for_each(Object::write_strings);
        }
        if self.passes_through {
            let namespace = &options.admit.namespace;
            let passed_objects = krm::passed_objects(&loaded.output, &options.limits, &bundle.objects, namespace);
            bundle.objects.passed = passed_objects.report_to(&mut diagnostics);
        }
        diagnostics.extend(self.find_problems.into_iter().flat_map(|find| find(&bundle)));
        let mut diagnostics = policy.apply(diagnostics, &bundle.allowances, &|span| loaded.output.to_edit(span));
        if flags.allow_empty {
            diagnostics.retain(|diagnostic| diagnostic.code != Code::NoInput);
        } else if bundle.objects.is_empty() && !has_errors(&diagnostics) {
            diagnostics.push(match bundle.left_alone.len() {
                0 => empty_render("GrafanaAgent", &bundle.commands),
                agents => all_excluded(agents),
            });
        }
        Rendered { bundle, diagnostics }
    }

    /// Renders as [`Self::render`] does, but stops the run if there are errors.
    pub(in crate::cli) fn accept(self, session: &Session, loaded: &mut Warned<Sources>) -> Outcome<Bundle> {
        let Rendered { bundle, diagnostics } = self.render(session, loaded);
        session.accept_briefly(&diagnostics, &loaded.output)?;
        Ok(bundle)
    }
}

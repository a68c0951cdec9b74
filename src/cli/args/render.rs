//! What is rendered: the flags of `render` that are also fields of a function's configuration and parameters of Argo CD.

use clap::Args;

use super::{CompileArgs, SeverityArgs};
use crate::cli::session::Session;
use crate::compile::{Bundle, Memory, compile};
use crate::diagnostic::{Code, Diagnostic, has_errors};
use crate::emit::{all_left_alone, empty_render};
use crate::severity::Policy;
use crate::source::Sources;

/// What is rendered, wherever the resources come from and the manifests go.
#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct RenderFlags {
    #[command(flatten)]
    pub(in crate::cli) compile: CompileArgs,

    #[command(flatten)]
    policy: SeverityArgs,

    /// Succeed even if nothing is rendered; applying an empty output may delete everything
    #[arg(long, hide_short_help = true, help_heading = "Output")]
    allow_empty: bool,

    /// Fail on what Kubernetes or the agent would reject later, as `check` does
    #[arg(long, help_heading = "Output", hide_short_help = true)]
    strict: bool,

    /// Write the ServiceAccounts, roles and bindings the agents need, as `agentctl rbac`
    #[arg(long, hide_short_help = true, help_heading = "Output")]
    with_rbac: bool,

    /// Set ownerReferences to GrafanaAgents that have a metadata.uid
    #[arg(long, hide_short_help = true, help_heading = "Output")]
    owner_references: bool,
}

/// What came out. The bundle is to be used only where no diagnostic is an error.
#[derive(Debug)]
pub(in crate::cli) struct Rendered {
    /// The manifests.
    pub(in crate::cli) bundle: Bundle,
    /// All findings, with the severities that the policy gives them.
    pub(in crate::cli) diagnostics: Vec<Diagnostic>,
}

impl RenderFlags {
    /// What they render with.
    pub(in crate::cli) fn rendering(&self) -> Rendering<'_> {
        Rendering {
            preset: if self.strict {
                Policy::default()
            } else {
                Policy::lenient()
            },
            owner_references: self.owner_references,
            rights: self.with_rbac,
            allow_empty: self.allow_empty,
            ..Rendering::new(&self.compile, &self.policy)
        }
    }
}

/// Looks at what was compiled.
pub(in crate::cli) type Search<'f> = &'f dyn Fn(&Bundle) -> Vec<Diagnostic>;

/// What a rendering depends on besides its input.
pub(in crate::cli) struct Rendering<'f> {
    pub(in crate::cli) compile: &'f CompileArgs,
    pub(in crate::cli) policy: &'f SeverityArgs,
    /// What is made of findings where nothing else says so.
    pub(in crate::cli) preset: Policy,
    pub(in crate::cli) owner_references: bool,
    /// Whether what the agents need at the API server is rendered, too.
    pub(in crate::cli) rights: bool,
    pub(in crate::cli) allow_empty: bool,
    /// Whether configurations are also written without secrets.
    pub(in crate::cli) masks: bool,
    /// Whether the same process renders again.
    pub(in crate::cli) is_repeated: bool,
    /// What looks for findings where the manifests go.
    pub(in crate::cli) find: Option<Search<'f>>,
}

impl<'f> Rendering<'f> {
    /// A rendering as the operator does it.
    pub(in crate::cli) fn new(compile: &'f CompileArgs, policy: &'f SeverityArgs) -> Self {
        Rendering {
            compile,
            policy,
            preset: Policy::lenient(),
            owner_references: false,
            rights: false,
            allow_empty: false,
            masks: false,
            is_repeated: false,
            find: None,
        }
    }

    /// Compiles the sources, and decides the severities of all findings; `diagnostics` are what reading them found. The file of
    /// settings becomes one of the sources.
    pub(in crate::cli) fn render(
        self,
        session: &Session,
        sources: &mut Sources,
        mut diagnostics: Vec<Diagnostic>,
    ) -> Rendered {
        let policy = self.policy.policy(self.preset, session, sources);
        let policy = policy.report_to(&mut diagnostics);
        let mut options = self.compile.options(session);
        options.rights = self.rights;
        options.render.masks = self.masks;
        options.render.manifest.owner_references = self.owner_references;
        if !self.is_repeated {
            options.memory = Memory::Left;
        }
        let compiled = compile(sources, &options);
        let bundle = compiled.report_to(&mut diagnostics);
        diagnostics.extend(self.find.into_iter().flat_map(|find| find(&bundle)));
        let mut diagnostics = policy.apply(diagnostics, &bundle.allowances);
        if self.allow_empty {
            diagnostics.retain(|diagnostic| diagnostic.code != Code::NoInput);
        } else if bundle.objects.is_empty() && !has_errors(&diagnostics) {
            diagnostics.push(match bundle.left_alone.len() {
                0 => empty_render("GrafanaAgent", &bundle.commands),
                agents => all_left_alone(agents),
            });
        }
        Rendered { bundle, diagnostics }
    }
}

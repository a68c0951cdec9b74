//! `agentctl diff`: the changes that applying the rendered manifests would make.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::env;

use clap::Args;
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::args::{
    ALLOW_EMPTY, AgainstArgs, AnswerFormat, CompileArgs, InputArgs, RenderFlags, SeverityArgs, other_side,
};
use super::external_diff;
use super::session::{ExitStatus, Outcome, Session, Stop, or_closed};
use crate::api::OperatorVersion;
use crate::compile::Bundle;
use crate::diagnostic::{Code, ObjectKey};
use crate::diff::{self, ObjectChange, ObjectState, Summary, UnmanagedFields};
use crate::emit::Streamed;
use crate::flags::Effect::{Harmless, Weakens};
use crate::input::{Input, load};
use crate::manifest::{AgentName, ObjectRole};
use crate::yaml;

/// Show what applying the rendered manifests would change
///
/// Renders the resources and compares every object with committed or exported manifests, as `kubectl diff` does. Fields
/// that the API server fills in (uid, status, defaults and the like) are ignored, as are changes that others made to a
/// live object. Fields that are not rendered but that applying would not remove are marked with `=`. Secret values are
/// masked, even inside the agent's configuration, which is compared as text. An object that is not rendered counts as
/// removed if its label shows that the operator created it, unless its agent is paused or excluded by --agent-selector.
///
/// KUBECTL_EXTERNAL_DIFF selects a different program to show the differences. For APIServices and ExternalNames, use
/// `agentctl aggregate diff`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl diff manifests/ --against rendered/
  agentctl diff manifests/ --against rendered.yaml -o json
  agentctl diff -k overlays/production --against rendered/production
  kubectl get -A secrets,services,statefulsets,daemonsets,deployments -o yaml | agentctl diff manifests/ --against -

Exit status:
  0  nothing differs
  1  something differs
  2  usage error, or one side has errors or cannot be read")]
pub(super) struct DiffArgs {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    against: AgainstArgs,

    #[command(flatten)]
    compile: CompileArgs,

    #[command(flatten)]
    policy: SeverityArgs,

    /// Format of differences
    #[arg(short, long, value_name = "FORMAT", default_value = "text", help_heading = "Output")]
    output: AnswerFormat,

    /// Lines of context around each difference
    #[arg(
        long,
        hide_short_help = true,
        value_name = "LINES",
        default_value_t = 3,
        help_heading = "Output",
        add = Harmless
    )]
    context: u16,

    /// Show all differing jobs, not only the first 100
    #[arg(long, help_heading = "Output", add = Harmless)]
    full: bool,

    /// Show secret values
    #[arg(long, help_heading = "Output")]
    show_secrets: bool,

    /// Also compare the ServiceAccounts, roles and bindings that `render --with-rbac` writes
    #[arg(long, hide_short_help = true, help_heading = "Output", add = Harmless)]
    with_rbac: bool,

    /// Render and compare ownerReferences that point to GrafanaAgents with a metadata.uid
    #[arg(long, hide_short_help = true, help_heading = "Output", add = Harmless)]
    owner_references: bool,

    /// Succeed even if nothing is rendered and everything would be removed
    #[arg(long, hide_short_help = true, help_heading = "Output", add = Weakens(ALLOW_EMPTY, &[]))]
    allow_empty: bool,
}

impl DiffArgs {
    pub(super) fn run(&self, session: &Session) -> Outcome {
        match self.compare(session) {
            // Status 1 is reserved for differences.
            Err(Stop::Reported) => Ok(ExitStatus::Trouble),
            outcome => outcome,
        }
    }

    fn compare(&self, session: &Session) -> Outcome {
        let inputs = self.input.inputs();
        let against = other_side(self.against.path(), &inputs)?;
        let mut loaded = session.load(&inputs, &self.compile.reading())?;
        let is_pipe = against == Input::Stdin;
        let mut diagnostics = Vec::new();
        let sources = load(&[against], &self.compile.reading())?.report_to(&mut diagnostics);
        // The export of an empty cluster contains nothing.
        diagnostics.retain(|diagnostic| !is_pipe || diagnostic.code != Code::NoInput);
        let options = self.compile.options(session);
        let mut documents = Vec::new();
        for (id, source) in sources.iter().filter(|(_, source)| source.whole) {
            documents.extend(yaml::read(id, &source.text, &options.limits).report_to(&mut diagnostics));
        }
        let before = diff::read(&documents, &options.admit.namespace, &mut diagnostics);
        let mut compile = self.compile.clone();
        let is_other = |found: &OperatorVersion| *found != OperatorVersion::default();
        if compile.suggest_operator(|| diff::operator(&before).filter(is_other)) {
            let found = compile.operator();
            session.note(&format!(
                "comparing with the output of operator {found}, which created these objects; to apply the same output, render \
                 with --operator-version={found}"
            ));
        }
        let flags = RenderFlags {
            compile,
            policy: self.policy.clone(),
            allow_empty: self.allow_empty,
            strict: false,
            with_rbac: self.with_rbac,
            owner_references: self.owner_references,
        };
        let mut rendering = flags.rendering();
        rendering.masks = !self.show_secrets;
        let bundle = rendering.accept(session, &mut loaded)?;
        session.accept(&diagnostics, &sources)?;
        let external = external_diff::program(env::var_os("KUBECTL_EXTERNAL_DIFF").as_deref());
        let external = external.filter(|_| self.output == AnswerFormat::Text);
        let after: Vec<_> = bundle.objects.iter().map(ObjectState::rendered).collect();
        let options = diff::DiffOptions {
            owner_references: self.owner_references,
            show_secrets: self.show_secrets,
            operator: flags.compile.operator(),
            context: external.is_none().then_some(self.context.into()),
            jobs: (external.is_none() && !self.full).then_some(diff::MAX_JOBS),
        };
        let before = self.concerned(before, &after, &bundle);
        let live: BTreeMap<_, _> = before.iter().map(|state| (&state.key, state)).collect();
        let kept = after.iter().filter_map(|after| diff::unmanaged_fields(live.get(&after.key)?, after));
        let kept: Vec<_> = kept.collect();
        let changes = diff::diff(before, after, options);
        let summary = match (self.output, external) {
            (AnswerFormat::Text, Some(program)) => return Ok(external_diff::run(&program, changes)?),
            (AnswerFormat::Json, _) => self.show_json(changes, &kept, session)?,
            (AnswerFormat::Text, None) => self.show(changes, &kept, session)?,
        };
        Ok(ExitStatus::findings_if(summary != Summary::default()))
    }

    /// Returns the existing objects to compare: those that are also rendered, and those that the operator created for
    /// an agent in this run. A Secret that another tool creates is not reported as removed. Roles and bindings that are
    /// not rendered are included only with `--with-rbac`.
    fn concerned<'s>(
        &self,
        before: Vec<ObjectState<'s>>,
        after: &[ObjectState<'_>],
        bundle: &Bundle,
    ) -> Vec<ObjectState<'s>> {
        let rendered: std::collections::BTreeSet<_> = after.iter().map(|state| &state.key).collect();
        let is_left_alone = |state: &ObjectState<'_>| {
            let ObjectKey { kind, namespace, name } = &state.key;
            AgentName::any_has(&bundle.left_alone, kind, namespace, name)
        };
        let is_external = |state: &ObjectState<'_>| {
            let key = &state.key;
            let mut external = bundle.objects.agents.iter().filter(|of| of.has_external_values);
            let role_in = |agent: &AgentName| agent.role_of(&key.kind, &key.namespace, &key.name);
            let maker = ObjectKey { kind: "ExternalSecret".to_owned(), ..key.clone() };
            let is_made =
                rendered.contains(&maker) || external.any(|of| role_in(&of.agent) == Some(ObjectRole::Values));
            key.kind == "Secret" && is_made
        };
        let is_concerned = |state: &ObjectState<'_>| {
            let is_ours = (state.is_managed() && !is_external(state)) || (self.with_rbac && state.grants_rights());
            rendered.contains(&state.key) || (is_ours && !is_left_alone(state))
        };
        before.into_iter().filter(is_concerned).collect()
    }

    /// Writes each change as soon as it is found, then the fields that applying does not remove, and a summary.
    fn show(
        &self,
        changes: impl Iterator<Item = ObjectChange>,
        kept: &[UnmanagedFields],
        session: &Session,
    ) -> Outcome<Summary> {
        let mut summary = Summary::default();
        for change in changes {
            summary.add(&change);
            for text in change.show(self.context.into(), session.output) {
                or_closed(session.show(&text))?;
            }
            let mut text = session.text();
            for field in &change.recreate {
                let key = &change.key;
                text.item(format!("! `{field}` cannot be changed in place: delete {key} and create it again"));
            }
            or_closed(session.show(&text))?;
        }
        let mut text = session.text();
        for UnmanagedFields { key, fields } in kept {
            for field in fields {
                text.item(format!("= {key}: `{field}` is not rendered, but applying does not remove it"));
            }
        }
        let recreated = match summary.recreated {
            0 => String::new(),
            number => format!("; {number} must be recreated"),
        };
        text.item(format!(
            "{} added, {} changed, {} removed{recreated}",
            summary.added, summary.changed, summary.removed
        ));
        or_closed(session.show(&text))?;
        Ok(summary)
    }

    /// Writes one JSON object that contains all changes. The changes are counted while they are written.
    fn show_json(
        &self,
        changes: impl Iterator<Item = ObjectChange>,
        kept: &[UnmanagedFields],
        session: &Session,
    ) -> Outcome<Summary> {
        let summary = Cell::new(Summary::default());
        let changes = changes.map(|change| {
            let mut counted = summary.get();
            counted.add(&change);
            summary.set(counted);
            json!({
                "action": change.action,
                "kind": change.key.kind,
                "namespace": change.key.namespace,
                "name": change.key.name,
                "recreate": change.recreate,
                "diff": change.unified(self.context.into()),
            })
        });
        let object = |UnmanagedFields { key, fields }: &UnmanagedFields| json!({"kind": key.kind, "namespace": key.namespace, "name": key.name, "fields": fields});
        or_closed(session.json(&DiffAnswer {
            changes: Streamed::new(changes),
            kept: kept.iter().map(object).collect(),
            summary: &summary,
        }))?;
        Ok(summary.get())
    }
}

/// JSON output. The fields are written in this order.
#[derive(Serialize)]
struct DiffAnswer<'a, C> {
    changes: C,
    kept: Vec<Json>,
    summary: &'a Cell<Summary>,
}

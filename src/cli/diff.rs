//! `agentctl diff`: the changes that applying the rendered manifests would make.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::args::{
    AGAINST, ALLOW_EMPTY, CompileArgs, InputArgs, RenderFlags, Rendered, Rendering, SeverityArgs, other_side,
};
use super::external_diff;
use super::session::{ExitStatus, Outcome, Session, Stop};
use crate::api::{Kind, OperatorVersion};
use crate::compile::{Bundle, CompileOptions};
use crate::diagnostic::{Code, ObjectKey, has_errors};
use crate::diff::{self, ObjectChange, ObjectPlan, ObjectState, Summary, UnmanagedFields};
use crate::emit::StreamedItems;
use crate::flags::Effect::{Bounded, Harmless, Weakens};
use crate::input::{Input, STDIN_NAME, load};
use crate::insight::resolved::resolve;
use crate::insight::targets::{Differences, scraped_targets};
use crate::manifest::{AgentName, ObjectRole, Objects};
use crate::printable::{Line, Screen, Style};
use crate::source::{Source, Sources};
use crate::targets::observed::{self, ObservedKind};
use crate::yaml::{self, DocumentObject, Limits, for_each_object};

/// Show what applying the rendered manifests would change
///
/// Renders the resources and compares every object with committed or exported manifests, as `kubectl diff` does, or with
/// the objects of a git revision. Fields that the API server fills in (uid, status, defaults and the like) are ignored,
/// and so are changes that others made to a live object. `=` marks fields that only the live object has and that applying
/// would leave in place. Secret values are masked, even inside the agent's configuration, which is compared as text. An
/// object that is not rendered counts as removed if its label shows that the operator created it, unless its agent is
/// paused or excluded by --agent-selector.
///
/// With --since, also shows a plan: the objects, scrape jobs, clients and settings that are added, changed or removed. If
/// the input contains cluster objects (`kubectl get -A pods,services,endpoints -o yaml`), also compares the targets.
/// agentctl reads the revision's files with git; nothing is checked out, fetched or executed.
///
/// KUBECTL_EXTERNAL_DIFF selects a different program to show the differences. For APIServices and ExternalNames, use
/// `agentctl aggregate diff`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl diff manifests/ --against rendered/
  agentctl diff manifests/ --against rendered.yaml -o json
  agentctl diff -k overlays/production --against rendered/production
  agentctl diff --since origin/main -k overlays/production
  agentctl diff --since main -k overlays/production -o markdown > plan.md
  kubectl get -A secrets,services,statefulsets,daemonsets,deployments -o yaml | agentctl diff manifests/ --against -

Exit status:
  0  nothing differs
  1  something differs
  2  usage error, or one side has errors or cannot be read")]
pub(super) struct DiffArgs {
    #[command(flatten)]
    input: InputArgs,

    /// File, directory or - to compare with
    #[arg(
        long,
        value_name = "PATH",
        value_hint = clap::ValueHint::AnyPath,
        required_unless_present = "since",
        conflicts_with = "since",
        help_heading = "Input",
        add = Bounded(AGAINST)
    )]
    against: Option<OsString>,

    /// Compare with this git revision, and show a plan
    #[arg(long, value_name = "REVISION", help_heading = "Input")]
    since: Option<String>,

    #[command(flatten)]
    compile: CompileArgs,

    #[command(flatten)]
    policy: SeverityArgs,

    /// Format of the differences
    #[arg(short, long, value_name = "FORMAT", default_value = "text", help_heading = "Output")]
    output: DiffFormat,

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

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DiffFormat {
    /// Human-readable text
    Text,
    /// JSON for scripts
    Json,
    /// A comment for a pull request: the plan, with the differences folded
    Markdown,
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
        match (&self.since, &self.against) {
            (None, Some(against)) => self.compare_manifests(against.clone(), &inputs, session),
            (since, _) => self.compare_revision(since.as_deref().unwrap_or("HEAD"), &inputs, session),
        }
    }

    fn flags(&self, compile: CompileArgs) -> RenderFlags {
        RenderFlags {
            compile,
            policy: self.policy.clone(),
            allow_empty: self.allow_empty,
            strict: false,
            with_rbac: self.with_rbac,
            owner_references: self.owner_references,
        }
    }

    /// Compares the rendered objects with those rendered from a git revision.
    fn compare_revision(&self, revision: &str, inputs: &[Input], session: &Session) -> Outcome {
        let reading = self.compile.reading();
        let flags = self.flags(self.compile.clone());
        let rendering = || Rendering { masks: !self.show_secrets, ..flags.rendering() };
        let (mut sources_now, clusters) = session.load_one(inputs, &reading)?;
        let (exports, committed): (Vec<_>, Vec<_>) = inputs
            .iter()
            .cloned()
            .partition(|input| export(input, &sources_now.output, &flags.compile.limits()).is_some());
        let mut sources_then = session.load_at(&committed, revision, &reading, &clusters)?;
        for source in exports.iter().filter_map(|input| export(input, &sources_now.output, &flags.compile.limits())) {
            sources_then.output.add(source);
        }
        let targets = self.targets([&sources_then.output, &sources_now.output], session)?;
        let after = rendering().accept(session, &mut sources_now)?;
        let Rendered { bundle: mut before, diagnostics } = rendering().render(session, &mut sources_then);
        if has_errors(&diagnostics) {
            session.note(&format!(
                "the input at `{revision}` has errors, so nothing is rendered from it and everything counts as added"
            ));
            before.objects = Objects::default();
        }
        let states = before.objects.rendered_objects().map(ObjectState::from_rendered).collect();
        let plan = Comparison { since: Some(revision), targets };
        self.show_all(states, &after, &flags, &plan, session)
    }

    /// Compares the targets of two inputs, or returns `None` if one of them has no cluster objects.
    fn targets(&self, [then, now]: [&Sources; 2], session: &Session) -> Outcome<Option<Differences>> {
        let compile = self.compile.without_values();
        let options = CompileOptions { keep: Some(observed::kept_fields), ..compile.options(session) };
        let scraped = |sources| resolve(sources, Vec::new(), &options, |input| scraped_targets(&input));
        Ok(scraped(now).map(|now| Differences::compare(scraped(then).unwrap_or_default(), now)))
    }

    /// Compares the rendered objects with committed or exported manifests.
    fn compare_manifests(&self, against: OsString, inputs: &[Input], session: &Session) -> Outcome {
        let against = other_side(against, inputs)?;
        let mut loaded = session.load(inputs, &self.compile.reading())?;
        let is_pipe = against == Input::Stdin;
        let mut diagnostics = Vec::new();
        let sources = load(&[against], &self.compile.reading())?.report_to(&mut diagnostics);
        // The export of an empty cluster contains nothing, which is not a mistake.
        diagnostics.retain(|diagnostic| !is_pipe || diagnostic.code != Code::NoInput);
        let options = self.compile.options(session);
        let mut documents = Vec::new();
        for (id, source) in sources.iter().filter(|(_, source)| source.is_complete) {
            documents.extend(yaml::read(id, &source.text, &options.limits).report_to(&mut diagnostics));
        }
        let before = diff::read(&documents, &options.admit.namespace, &mut diagnostics);
        let mut compile = self.compile.clone();
        let is_other = |detected: &OperatorVersion| *detected != OperatorVersion::default();
        if compile.suggest_operator(|| diff::operator_version(&before).filter(is_other)) {
            let detected = compile.operator();
            session.note(&format!(
                "comparing with the output of operator {detected}, which created these objects; to apply the same output, render \
                 with --operator-version={detected}"
            ));
        }
        let flags = self.flags(compile);
        let mut rendering = flags.rendering();
        rendering.masks = !self.show_secrets;
        let bundle = rendering.accept(session, &mut loaded)?;
        session.accept(&diagnostics, &sources)?;
        self.show_all(before, &bundle, &flags, &Comparison { since: None, targets: None }, session)
    }

    /// Compares the existing objects with the rendered ones, and shows the differences.
    fn show_all(
        &self,
        before: Vec<ObjectState<'_>>,
        bundle: &Bundle,
        flags: &RenderFlags,
        comparison: &Comparison<'_>,
        session: &Session,
    ) -> Outcome {
        let external_program = external_diff::program(env::var_os("KUBECTL_EXTERNAL_DIFF").as_deref());
        let external_program = external_program.filter(|_| self.output == DiffFormat::Text);
        let after: Vec<_> = bundle.objects.iter().map(ObjectState::from_rendered).collect();
        let options = diff::DiffOptions {
            owner_references: self.owner_references,
            show_secrets: self.show_secrets,
            operator: flags.compile.operator(),
            context: external_program.is_none().then_some(self.context.into()),
            jobs: (external_program.is_none() && !self.full).then_some(diff::MAX_JOBS),
        };
        let before = self.relevant_objects(before, &after, bundle);
        let live_states: BTreeMap<_, _> = before.iter().map(|state| (&state.key, state)).collect();
        let unmanaged_fields =
            after.iter().filter_map(|after| diff::unmanaged_fields(live_states.get(&after.key)?, after));
        let unmanaged_fields: Vec<_> = unmanaged_fields.collect();
        let changes = diff::diff(before, after, options);
        let summary = match (self.output, external_program) {
            (DiffFormat::Text, Some(program)) => return Ok(external_diff::run(&program, changes)?),
            (DiffFormat::Json, _) => self.show_json(changes, &unmanaged_fields, comparison, session)?,
            (DiffFormat::Text, None) => self.show(changes, &unmanaged_fields, comparison, session)?,
            (DiffFormat::Markdown, _) => self.show_markdown(changes, comparison, session)?,
        };
        let has_other_targets = comparison.targets.as_ref().is_some_and(|targets| !targets.is_empty());
        Ok(ExitStatus::findings_if(summary != Summary::default() || has_other_targets))
    }

    /// Returns the existing objects to compare: those that are also rendered, and those that the operator created for
    /// an agent in this run. A Secret that another tool creates is not reported as removed. Roles and bindings that are
    /// not rendered are included only with `--with-rbac`.
    fn relevant_objects<'s>(
        &self,
        before: Vec<ObjectState<'s>>,
        after: &[ObjectState<'_>],
        bundle: &Bundle,
    ) -> Vec<ObjectState<'s>> {
        let rendered: std::collections::BTreeSet<_> = after.iter().map(|state| &state.key).collect();
        let is_ignored = |state: &ObjectState<'_>| {
            let ObjectKey { kind, namespace, name } = &state.key;
            AgentName::any_may_own(&bundle.left_alone, kind, namespace, name)
        };
        let is_external = |state: &ObjectState<'_>| {
            let key = &state.key;
            let mut external_agents = bundle.objects.agents.iter().filter(|rendered| rendered.has_external_values);
            let role_in = |agent: &AgentName| agent.infer_role(&key.kind, &key.namespace, &key.name);
            let external_secret = ObjectKey { kind: "ExternalSecret".to_owned(), ..key.clone() };
            let is_generated = rendered.contains(&external_secret)
                || external_agents.any(|objects| role_in(&objects.agent) == Some(ObjectRole::Values));
            key.kind == "Secret" && is_generated
        };
        let is_concerned = |state: &ObjectState<'_>| {
            let is_managed_here =
                (state.is_managed() && !is_external(state)) || (self.with_rbac && state.grants_rights());
            rendered.contains(&state.key) || (is_managed_here && !is_ignored(state))
        };
        before.into_iter().filter(is_concerned).collect()
    }

    /// Writes each change as soon as it is found, then the fields that applying the manifests would not remove, and a
    /// summary.
    fn show(
        &self,
        changes: impl Iterator<Item = ObjectChange>,
        kept: &[UnmanagedFields],
        comparison: &Comparison<'_>,
        session: &Session,
    ) -> Outcome<Summary> {
        let mut summary = Summary::default();
        let mut plan = ObjectPlan::new(self.max_changes());
        for change in changes {
            summary.add(&change);
            if comparison.since.is_some() {
                plan.add(&change);
            }
            for text in change.show(self.context.into(), session.output) {
                session.show(&text)?;
            }
            let mut text = session.text();
            for field in &change.recreate {
                let key = &change.key;
                text.item(format!("! `{field}` cannot be changed in place: delete {key} and create it again"));
            }
            session.show(&text)?;
        }
        let mut text = session.text();
        for UnmanagedFields { key, fields } in kept {
            for field in fields {
                text.item(format!("= {key}: `{field}` is not rendered, but applying does not remove it"));
            }
        }
        if let Some(revision) = comparison.since {
            text.line(Line::styled(Style::Strong, format!("Changes since {revision}:")));
            plan.show(&mut text);
            if let Some(targets) = &comparison.targets {
                text.append(&targets.text(session.output));
            }
            text.item(plan.summary());
            session.show(&text)?;
            return Ok(summary);
        }
        let recreated_note = match summary.recreated {
            0 => String::new(),
            number => format!("; {number} must be recreated"),
        };
        text.item(format!(
            "{} added, {} changed, {} removed{recreated_note}",
            summary.added, summary.changed, summary.removed
        ));
        session.show(&text)?;
        Ok(summary)
    }

    /// Maximum number of changes to show for each object of a plan, or `None` for no limit.
    fn max_changes(&self) -> Option<usize> {
        (!self.full).then_some(diff::MAX_JOBS)
    }

    /// Writes a comment for a pull request: the plan, followed by the differences in a collapsed section.
    fn show_markdown(
        &self,
        changes: impl Iterator<Item = ObjectChange>,
        comparison: &Comparison<'_>,
        session: &Session,
    ) -> Outcome<Summary> {
        let mut summary = Summary::default();
        let mut plan = ObjectPlan::new(self.max_changes());
        let mut differences = String::new();
        for change in changes {
            summary.add(&change);
            plan.add(&change);
            differences.push_str(&change.unified_diff(self.context.into()));
        }
        let since = comparison.since.map(|revision| format!(" since {}", diff::code(revision))).unwrap_or_default();
        let mut page = format!("**{}**{since}\n", plan.summary());
        if summary != Summary::default() {
            page.push_str(&format!("\n{}", plan.markdown()));
            page.push_str(&collapsible_block("Differences", "diff", &differences));
        }
        if let Some(targets) = &comparison.targets {
            let text = targets.text(Screen::FILE).into_string();
            let counts = text.lines().last().unwrap_or_default();
            page.push_str(&format!("\n{counts}\n"));
            if !targets.is_empty() {
                page.push_str(&collapsible_block("Targets", "text", &text));
            }
        }
        session.page(&page)?;
        Ok(summary)
    }

    /// Writes one JSON object that contains all changes. The changes are counted while they are written.
    fn show_json(
        &self,
        changes: impl Iterator<Item = ObjectChange>,
        kept: &[UnmanagedFields],
        comparison: &Comparison<'_>,
        session: &Session,
    ) -> Outcome<Summary> {
        let summary = Cell::new(Summary::default());
        let changes = changes.map(|change| {
            let mut counted_summary = summary.get();
            counted_summary.add(&change);
            summary.set(counted_summary);
            json!({
                "action": change.action,
                "kind": change.key.kind,
                "namespace": change.key.namespace,
                "name": change.key.name,
                "recreate": change.recreate,
                "configuration": change.configuration,
                "diff": change.unified_diff(self.context.into()),
            })
        });
        let object = |UnmanagedFields { key, fields }: &UnmanagedFields| json!({"kind": key.kind, "namespace": key.namespace, "name": key.name, "fields": fields});
        session.json(&DiffAnswer {
            changes: StreamedItems::new(changes),
            kept: kept.iter().map(object).collect(),
            summary: &summary,
            targets: comparison.targets.as_ref(),
        })?;
        Ok(summary.get())
    }
}

/// JSON output of `diff`. The fields are written in this order.
#[derive(Serialize)]
struct DiffAnswer<'a, C> {
    changes: C,
    kept: Vec<Json>,
    summary: &'a Cell<Summary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    targets: Option<&'a Differences>,
}

/// Git revision that the input is compared with, and differences other than those between objects.
struct Comparison<'c> {
    /// Git revision, or `None` if the input is compared with manifests.
    since: Option<&'c str>,
    /// Differences between the targets, if the input has cluster objects.
    targets: Option<Differences>,
}

/// Returns the source of an input if it is a cluster export. An export need not be in git, so both sides of a
/// comparison use it.
fn export(input: &Input, sources: &Sources, limits: &Limits) -> Option<Arc<Source>> {
    let name = match input {
        Input::Stdin => STDIN_NAME.into(),
        Input::Path(path) if path.is_file() => path.to_string_lossy(),
        Input::Path(_) | Input::Kustomization(_) => return None,
    };
    let (id, source) = sources.shared().find(|(_, source)| source.name == name)?;
    let (mut is_observed, mut is_compiled) = (false, false);
    for document in yaml::read(id, &source.text, limits).output {
        for_each_object(document.root(), &mut |object| {
            if let DocumentObject::Object(_, api_version, kind) = object {
                is_observed |= ObservedKind::from_type(api_version, kind).is_some();
                is_compiled |= Kind::from_type(api_version, kind).is_some_and(Kind::is_custom);
            }
        });
    }
    (is_observed && !is_compiled).then(|| Arc::clone(source))
}

/// Returns a collapsible code block for Markdown. Its fence is longer than any fence in the text.
fn collapsible_block(title: &str, language: &str, text: &str) -> String {
    let longest_run = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest_run.max(2) + 1);
    let end = if text.ends_with('\n') { "" } else { "\n" };
    format!("\n<details><summary>{title}</summary>\n\n{fence}{language}\n{text}{end}{fence}\n\n</details>\n")
}

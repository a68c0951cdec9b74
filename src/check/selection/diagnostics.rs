//! Findings about selection.

use std::fmt::Write;

use super::level::{Parent, SelectionLevel};
use super::nearest::is_misspelled;
use super::owner_labels::is_owner_label;
use crate::api::{Kind, Relation, ResourceHeader};
use crate::check::collected_data::cause_of_pair;
use crate::diagnostic::listed::join_words;
use crate::diagnostic::{Code, Diagnostic, FieldPath};
use crate::resolve::explain::{
    FoundLabel, MAX_REASONS, Mismatch, SelectionExplanation, SelectorMismatch, UnselectedReason,
};
use crate::resolve::{Condition, SelectorScope, misspelled_namespace};
use crate::source::Span;

/// Finding for a resource that nothing selects.
pub fn unselected_child(
    child: &ResourceHeader<'_>,
    parent: &Parent<'_, '_>,
    explanation: &SelectionExplanation<'_>,
) -> Diagnostic {
    let selector = parent.selector.relation.labels;
    let (kind, by) = (parent.head.kind, parent.head.meta.full_name());
    let message = format!(
        "no {kind} selects {}; the closest match, {kind} `{by}`, {}",
        child.display_name(),
        explanation.predicate(kind, child.kind)
    );
    let path = explanation.first().map_or(FieldPath::parse("metadata.name"), child_path);
    let field = explanation.first().map_or(selector, |reason| reason.field);
    let at = |code, message: String| child.finding(code, &path, message);
    let nearest = parent.head.locate(&FieldPath::parse(field));
    let this_kind = format!("this {kind}");
    let words = [this_kind.as_str(), "the label is required here"];
    let finding =
        explain_nearest_parent(at(Code::Unselected, message), at, (nearest, words), parent, child, explanation);
    Diagnostic { is_consequence: lacks_selector_only(parent, explanation), ..finding }
}

/// Whether the only obstacle is that the parent has a namespace selector but no label selector, which is reported
/// separately.
fn lacks_selector_only(parent: &Parent<'_, '_>, explanation: &SelectionExplanation<'_>) -> bool {
    let is_missing = |reason: &UnselectedReason<'_>| matches!(reason.problem, SelectorMismatch::NoSelector);
    parent.selector.namespaces != SelectorScope::Missing && explanation.reasons.iter().all(is_missing)
}

/// Explains in the finding why the nearest parent does not select the child. If that depends only on the labels of a
/// namespace that the input does not define, returns a different finding, which `at` creates.
fn explain_nearest_parent(
    finding: Diagnostic,
    at: impl Fn(Code, String) -> Diagnostic,
    (place, [near, asked]): (Span, [&str; 2]),
    parent: &Parent<'_, '_>,
    child: &ResourceHeader<'_>,
    explanation: &SelectionExplanation<'_>,
) -> Diagnostic {
    let (parent_head, reasons) = (parent.head, &explanation.reasons);
    if let Some((namespace, mismatch)) = explanation.unknown_label() {
        let requirement = &mismatch.requirement;
        let message = format!(
            "{} `{}` selects {} only if namespace `{namespace}` has `{requirement}`, but no manifest defines the namespace",
            parent_head.kind,
            parent_head.meta.full_name(),
            child.display_name()
        );
        return at(Code::UndescribedNamespace, message)
            .label(place, asked)
            .help(namespace_advice(namespace, mismatch))
            .cause(format!("labels of namespaces: {requirement}"));
    }
    let finding = finding.label(place, near);
    let is_other_namespace =
        |reason: &UnselectedReason<'_>| matches!(reason.problem, SelectorMismatch::OtherNamespace { .. });
    if reasons.iter().any(is_other_namespace) && is_misspelled(parent_head, child) {
        let cause = misspelled_namespace(parent_head.meta.namespace, child.meta.namespace);
        let help = format!("correct the namespace of the {}, or of the {}", child.kind, parent_head.kind);
        return finding.help(help).cause(cause);
    }
    let resource_of_reason = |reason: &UnselectedReason<'_>| resource_without_namespace(parent_head, child, reason);
    let help = explanation.first().and_then(|reason| match resource_of_reason(reason) {
        Some((kind, namespace)) => Some(format!(
            "set `metadata.namespace` in the {kind}, pass `--namespace {namespace}` if you deploy it to namespace `{namespace}`, or set `{}`",
            reason.field
        )),
        None => remedy(reason),
    });
    let cause = match reasons.iter().find_map(resource_of_reason) {
        Some((_, namespace)) => format!("no namespace, expected {namespace}"),
        None => typo_cause(parent, child.kind, explanation),
    };
    finding.help_if(help).cause(cause)
}

/// Returns the kind of the resource that lacks a namespace, and the namespace that it should set, if this explains why
/// the parent and child are in different namespaces.
fn resource_without_namespace<'d>(
    parent: &ResourceHeader<'d>,
    child: &ResourceHeader<'d>,
    reason: &UnselectedReason<'_>,
) -> Option<(Kind, &'d str)> {
    let sets_none = |header: &ResourceHeader<'_>| header.root.non_empty_str("metadata.namespace").is_none();
    match reason.problem {
        SelectorMismatch::OtherNamespace { .. } if sets_none(parent) => Some((parent.kind, child.meta.namespace)),
        SelectorMismatch::OtherNamespace { .. } if sets_none(child) => Some((child.kind, parent.meta.namespace)),
        _ => None,
    }
}

/// Returns a cause shared by all findings in which the same typo in a label or selector prevents a selection.
fn typo_cause(parent: &Parent<'_, '_>, child: Kind, explanation: &SelectionExplanation<'_>) -> String {
    let mut out = format!("{child} not selected by {}:", parent.head.kind);
    for reason in explanation.reasons.iter().take(MAX_REASONS) {
        let field = reason.field;
        let _ = match &reason.problem {
            SelectorMismatch::Label(Mismatch { requirement, found: FoundLabel::Similar(key, _) }) => {
                write!(out, " {requirement} instead of {key};")
            }
            SelectorMismatch::Label(_) | SelectorMismatch::NamespaceLabel(..) | SelectorMismatch::UnknownLabel(..) => {
                write!(out, " {};", reason.predicate(child, false))
            }
            SelectorMismatch::OtherNamespace { wanted, .. } => write!(out, " {field} of {wanted};"),
            SelectorMismatch::NoSelector => write!(out, " {field} in {};", parent.head.meta.namespace),
            SelectorMismatch::InvalidSelector => {
                write!(out, " {field} of {};", parent.head.meta.full_name())
            }
        };
    }
    out
}

/// Returns the path of the child's field that a reason refers to.
fn child_path<'p>(reason: &UnselectedReason<'p>) -> FieldPath<'p> {
    let label = |key| FieldPath::parse("metadata.labels").key(key);
    match &reason.problem {
        SelectorMismatch::Label(Mismatch { requirement, found }) => match found {
            FoundLabel::Similar(key, _) => label(*key),
            FoundLabel::Value(_) | FoundLabel::Nothing => label(requirement.key),
        },
        SelectorMismatch::OtherNamespace { .. }
        | SelectorMismatch::NamespaceLabel(..)
        | SelectorMismatch::UnknownLabel(..) => FieldPath::parse("metadata.namespace"),
        SelectorMismatch::NoSelector | SelectorMismatch::InvalidSelector => FieldPath::parse("metadata.name"),
    }
}

/// Returns advice on how to address a reason, or `None` if there is none.
fn remedy(reason: &UnselectedReason<'_>) -> Option<String> {
    let field = reason.field;
    match &reason.problem {
        SelectorMismatch::NoSelector => Some(format!("to select everything, set `{field}: {{}}`")),
        SelectorMismatch::InvalidSelector => None,
        SelectorMismatch::OtherNamespace { .. } => Some(format!("to select from all namespaces, set `{field}: {{}}`")),
        SelectorMismatch::UnknownLabel(namespace, mismatch) => Some(namespace_advice(namespace, mismatch)),
        // The control plane sets this label, so only the selector can change.
        SelectorMismatch::NamespaceLabel(namespace, mismatch) if mismatch.requirement.key == NAME_LABEL => {
            Some(format!("change `{field}` so that it selects namespace `{namespace}`"))
        }
        SelectorMismatch::NamespaceLabel(namespace, mismatch) => {
            let preposition = match mismatch.requirement.condition {
                Condition::DoesNotExist => "from",
                _ => "on",
            };
            let advice = label_advice(mismatch);
            Some(format!("{advice} {preposition} Namespace `{namespace}`, or change the selector"))
        }
        SelectorMismatch::Label(Mismatch { requirement, .. }) if is_owner_label(requirement.key) => {
            Some(format!("change the selector: Flux sets the label `{}`", requirement.key))
        }
        SelectorMismatch::Label(mismatch) => Some(format!("{}, or change the selector", label_advice(mismatch))),
    }
}

/// Label that Kubernetes sets on every Namespace. It cannot be changed.
const NAME_LABEL: &str = "kubernetes.io/metadata.name";

/// Returns advice on how to change a label so that it meets a requirement.
fn label_advice(mismatch: &Mismatch<'_>) -> String {
    let Mismatch { requirement, .. } = mismatch;
    let key = requirement.key;
    match &requirement.condition {
        Condition::In(values) if values.len() == 1 => format!("set the label `{key}: {}`", values.concat()),
        Condition::In(values) => {
            format!("set the label `{key}` to {}", join_words("or", values.iter().map(|value| format!("`{value}`"))))
        }
        Condition::Exists => format!("set the label `{key}`"),
        Condition::NotIn(_) => format!("change the label `{key}`"),
        Condition::DoesNotExist => format!("remove the label `{key}`"),
    }
}

/// Returns advice on how to declare a namespace's required label.
fn namespace_advice(namespace: &str, mismatch: &Mismatch<'_>) -> String {
    let requirement = &mismatch.requirement;
    let value = match &requirement.condition {
        Condition::In(values) => values.first().copied().unwrap_or("VALUE"),
        Condition::NotIn(_) | Condition::Exists | Condition::DoesNotExist => "VALUE",
    };
    format!(
        "add the Namespace to the input, or pass its labels: `--namespace-labels {namespace}:{}={value}`",
        requirement.key
    )
}

/// Finding for a resource that no parent selects or nearly selects.
pub fn unselected_by_all(child: &ResourceHeader<'_>, level: &SelectionLevel<'_, '_>) -> Diagnostic {
    let (kind, name, parent) = (child.kind, child.display_name(), level.relation.parent);
    let (message, help) = if level.parents.is_empty() {
        (
            format!("nothing selects {name}: there is no {parent} in the input"),
            format!("add a {parent} that selects it"),
        )
    } else {
        (
            format!("no {parent} selects {name}"),
            format!("compare its labels and namespace with the selectors of each {parent}"),
        )
    };
    let diagnostic = child.finding(Code::Unselected, &FieldPath::parse("metadata.name"), message);
    let cause = level.parents.is_empty().then(|| format!("{kind} without {parent}"));
    Diagnostic { cause, ..diagnostic }.help(help)
}

/// Creates a finding at a selector.
fn finding_at_selector(code: Code, parent: &Parent<'_, '_>, message: String) -> Diagnostic {
    let field = FieldPath::parse(parent.selector.relation.labels);
    parent.head.finding(code, &field, message)
}

/// Finding for a selector that selects nothing in the input.
pub fn selects_nothing(
    parent: &Parent<'_, '_>,
    level: &SelectionLevel<'_, '_>,
    nearest: Option<(&ResourceHeader<'_>, SelectionExplanation<'_>)>,
) -> Diagnostic {
    let (kind, name) = (parent.head.kind, parent.head.meta.name);
    let message = format!("{kind} `{name}` selects no {}", level.relation.child.plural_kind());
    let Some((child, explanation)) = nearest else {
        return finding_at_selector(Code::SelectsNothing, parent, message);
    };
    let message = format!(
        "{message}; the closest match is `{}`: the {kind} {}",
        child.meta.full_name(),
        explanation.predicate(kind, child.kind)
    );
    let at = |code, message| finding_at_selector(code, parent, message);
    let this = format!("this {}", child.kind);
    let words = [this.as_str(), "in this namespace"];
    explain_nearest_parent(
        at(Code::SelectsNothing, message),
        at,
        (child.name_span(), words),
        parent,
        child,
        &explanation,
    )
}

/// Finding for an agent that has no selector even though its namespace contains unselected resources.
pub fn missing_selector(agent: &Parent<'_, '_>, level: &SelectionLevel<'_, '_>, candidates: usize) -> Diagnostic {
    let field = agent.selector.relation.labels;
    let child = level.relation.child;
    let unselected = match candidates {
        1 => format!("does not select the {child}"),
        _ => format!("selects none of the {candidates} {}", child.plural_kind()),
    };
    let (kind, name) = (agent.head.kind, agent.head.meta.name);
    let message = format!("{kind} `{name}` has no `{field}`, so it {unselected} in its namespace");
    let problem = SelectorMismatch::NoSelector;
    let explanation = SelectionExplanation { reasons: vec![UnselectedReason { field, problem }] };
    let is_consequence = lacks_selector_only(agent, &explanation);
    let finding = finding_at_selector(Code::SelectsNothing, agent, message)
        .help(format!("to select everything in the agent's namespace, set `{field}: {{}}`"))
        .cause(typo_cause(agent, level.relation.child, &explanation));
    Diagnostic { is_consequence, ..finding }
}

/// Finding for a parent that has a namespace selector but lacks the label selector for this kind of child. Findings
/// about unselected resources may be consequences of this.
pub fn missing_label_selector(parent: &Parent<'_, '_>, child: Kind) -> Diagnostic {
    let relation = parent.selector.relation;
    let [labels, namespaces] = [relation.labels, relation.namespaces].map(last_field);
    let message = format!(
        "{} `{}` sets `{namespaces}` without `{labels}`, so it selects no {} in any namespace",
        parent.head.kind,
        parent.head.meta.name,
        child.plural_kind()
    );
    let problem = SelectorMismatch::NoSelector;
    let reasons = vec![UnselectedReason { field: relation.labels, problem }];
    let path = FieldPath::parse(relation.namespaces);
    parent
        .head
        .finding(Code::SelectsNothing, &path, message)
        .help(format!(
            "to select everything in these namespaces, set `{}: {{}}`; otherwise, remove `{namespaces}`",
            relation.labels
        ))
        .cause(typo_cause(parent, child, &SelectionExplanation { reasons }))
}

fn last_field(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// Finding for an agent whose `selectors` select nothing, or `None` if it has no selectors.
pub fn idle_agent(selectors: &[&Parent<'_, '_>]) -> Option<Diagnostic> {
    let agent = selectors.first()?;
    let kinds = join_words("or", selectors.iter().map(|parent| parent.selector.relation.child.plural_kind()));
    let message = format!(
        "{} `{}` selects no {kinds}, so the operator creates no pods for it",
        agent.head.kind, agent.head.meta.name
    );
    let is_set = |parent: &&&Parent<'_, '_>| parent.selector.labels != SelectorScope::Missing;
    let fields = |set: bool| {
        let fields = selectors.iter().filter(|parent| is_set(parent) == set);
        join_words("or", fields.map(|parent| format!("`{}`", parent.selector.relation.labels)))
    };
    let help = match selectors.iter().any(|parent| is_set(&parent)) {
        true => format!("add a resource that {} selects", fields(true)),
        false => format!("to select everything in the agent's namespace, set {} to `{{}}`", fields(false)),
    };
    let finding = agent.head.finding(Code::SelectsNothing, &FieldPath::parse("metadata.name"), message);
    Some(finding.help(help))
}

/// Finding for an instance that several agents select.
pub fn shared_instance(
    instance: &ResourceHeader<'_>,
    first: &Parent<'_, '_>,
    second: &Parent<'_, '_>,
    more: usize,
) -> Diagnostic {
    let (by, and) = (first.head.meta.full_name(), second.head.meta.full_name());
    let agents = match more {
        0 => format!("both `{by}` and `{and}`"),
        more => format!("{} agents, `{by}`, `{and}` and {more} more", more + 2),
    };
    let message = format!(
        "{} `{}` is selected by {agents}, so its data is collected more than once",
        instance.kind, instance.meta.name
    );
    let field = |agent: &Parent<'_, '_>| agent.head.locate(&FieldPath::parse(agent.selector.relation.labels));
    instance
        .finding(Code::SharedInstance, &FieldPath::parse("metadata.name"), message)
        .label(field(first), format!("selected by `{}`", first.head.meta.name))
        .label(field(second), format!("and by `{}`", second.head.meta.name))
        .help("change the selectors so that only one agent selects this instance")
}

/// Two of an agent's instances that select the same children.
pub struct OverlappingInstances<'h, 'd> {
    /// First agent that selects both instances.
    pub agent: &'h ResourceHeader<'d>,
    /// Number of agents that select both instances.
    pub agents: usize,
    pub first: &'h ResourceHeader<'d>,
    pub second: &'h ResourceHeader<'d>,
    /// Number of children that both instances select.
    pub children: usize,
    /// One of the children that both instances select.
    pub example: &'h ResourceHeader<'d>,
}

/// Finding for two of an agent's instances that select the same children.
pub fn selected_twice(overlap: &OverlappingInstances<'_, '_>) -> Diagnostic {
    let (first, second, example) = (overlap.first, overlap.second, overlap.example);
    let path =
        Relation::for_child(example.kind).map_or_else(FieldPath::default, |relation| FieldPath::parse(relation.labels));
    let agent = overlap.agent.meta.full_name();
    let (verb, data) = match example.kind {
        Kind::PodLogs => ("collect", "logs"),
        _ => ("scrape", "targets"),
    };
    let collects = match overlap.agents {
        ..=1 => format!("agent `{agent}` {verb}s the {data} of"),
        agents => format!("{agents} agents, such as `{agent}`, {verb} the {data} of"),
    };
    let name = example.meta.full_name();
    let (children, it) = match overlap.children {
        ..=1 => (format!("{} `{name}`", example.kind), "it"),
        count => (format!("{count} {}, such as `{name}`,", example.kind.plural_kind()), "them"),
    };
    let message = format!(
        "{collects} {children} twice: {}s `{}` and `{}` both select {it}",
        first.kind,
        first.meta.full_name(),
        second.meta.full_name()
    );
    second
        .finding(Code::DuplicateScrape, &path, message)
        .label(first.locate(&path), "selected here too")
        .label(example.name_span(), "selected twice")
        .help("narrow one of the two selectors")
}

/// Returns ` and N more` for a list of `count` items, of which one is named.
fn and_more(count: usize) -> String {
    match count {
        ..=1 => String::new(),
        count => format!(" and {} more", count - 1),
    }
}

/// A monitor's endpoint.
#[derive(Clone, Copy)]
pub struct EndpointRef<'h, 'd> {
    pub monitor: &'h ResourceHeader<'d>,
    /// Field in `spec` that contains the list of endpoints.
    pub field: &'static str,
    pub index: usize,
}

impl EndpointRef<'_, '_> {
    pub fn path(&self) -> FieldPath<'static> {
        FieldPath::parse("spec").key(self.field).index(self.index)
    }

    /// Returns the span of the endpoint's first line.
    fn span(&self) -> Span {
        let path = self.path();
        let head = path.find(self.monitor.root).and_then(|endpoint| endpoint.entries().next());
        head.map_or_else(|| self.monitor.locate(&path), |entry| entry.key_span)
    }
}

/// Two endpoints in one instance that scrape the same targets.
pub struct DuplicateEndpoints<'h, 'd> {
    pub first: EndpointRef<'h, 'd>,
    pub second: EndpointRef<'h, 'd>,
    /// Number of pairs of endpoints in the two monitors that scrape the same targets.
    pub times: usize,
    /// First instance that selects both monitors.
    pub instance: &'h ResourceHeader<'d>,
    /// Number of instances that select both monitors.
    pub instances: usize,
}

/// Finding for two endpoints with the same targets. `is_at_once` indicates whether both may be scraped at the same
/// time.
pub fn scraped_twice(duplicate: &DuplicateEndpoints<'_, '_>, is_at_once: bool) -> Diagnostic {
    let (first, second, instance) = (&duplicate.first, &duplicate.second, duplicate.instance);
    let pair_suffix = match duplicate.times {
        ..=1 => String::new(),
        2 => "; so does 1 more pair of endpoints".to_owned(),
        times => format!("; so do {} more pairs of endpoints", times - 1),
    };
    let (kind, first_name, other) =
        (first.monitor.kind, first.monitor.meta.full_name(), second.monitor.meta.full_name());
    let and_monitor = match first.monitor.object_ref() == second.monitor.object_ref() {
        true => format!("two endpoints of {kind} `{first_name}`"),
        false => format!("endpoints of {kind}s `{first_name}` and `{other}`"),
    };
    let other_instances = and_more(duplicate.instances);
    let message = format!(
        "{and_monitor} scrape the same targets for {} `{}`{other_instances}{pair_suffix}",
        instance.kind,
        instance.meta.full_name()
    );
    Diagnostic::new(Code::DuplicateScrape, message)
        .label(second.span(), "scraped again")
        .label(first.span(), "scraped here first")
        .resource(second.monitor.object_ref())
        .path(second.path())
        .cause(cause_of_pair(first.monitor.object_ref(), second.monitor.object_ref()))
        .help(match is_at_once {
            true => "remove one of the two endpoints: Alloy scrapes both at the same time, so a series may have two values for one timestamp",
            false => "remove one of the two endpoints",
        })
}

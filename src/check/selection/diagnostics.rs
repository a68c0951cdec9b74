//! What the rules for selection find, one function a finding.

use super::level::{Level, Parent};
use crate::api::{Head, ObjectRef};
use crate::diagnostic::{Code, Diagnostic, FieldPath};
use crate::resolve::Condition;
use crate::resolve::explain::{Explanation, FoundLabel, Reason};
use crate::source::Span;
use crate::yaml::Node;

/// `namespace/name`.
fn full_name(object: ObjectRef<'_>) -> String {
    format!("{}/{}", object.namespace, object.name)
}

/// Nothing selects a resource.
pub fn unselected(child: &Head<'_>, parent: &Parent<'_, '_>, explanation: &Explanation<'_>) -> Diagnostic {
    let selector = parent.selector.relation.labels;
    let (kind, by) = (parent.object.kind, full_name(parent.object));
    let message = format!(
        "no {kind}'s `{selector}` selects {} `{}`; nearest: {kind} `{by}` {explanation}",
        child.kind, child.meta.name
    );
    let path = explanation.first().map_or(FieldPath::of("metadata.name"), place_of);
    let field = explanation.first().map_or(selector, Reason::field);
    let diagnostic = Diagnostic::new(Code::Unselected, message)
        .label(child.locate(&path), "")
        .label(parent.locate(field), format!("the nearest {kind}"))
        .resource(child.object_ref())
        .path(&path);
    match explanation.first().and_then(remedy) {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}

/// The field of a child that a reason is about.
fn place_of<'p>(reason: &Reason<'p>) -> FieldPath<'p> {
    let label = |key| FieldPath::of("metadata.labels").key(key);
    match reason {
        Reason::Label {
            found: FoundLabel::Similar(key, _),
            ..
        } => label(*key),
        Reason::Label { requirement, .. } => label(requirement.key),
        Reason::OtherNamespace { .. } | Reason::NamespaceLabel { .. } => FieldPath::of("metadata.namespace"),
        Reason::NoSelector(_) | Reason::InvalidSelector(_) => FieldPath::of("metadata.name"),
    }
}

/// What would remove a reason.
fn remedy(reason: &Reason<'_>) -> Option<String> {
    match reason {
        Reason::NoSelector(field) => Some(format!("set `{field}`: `{{}}` selects everything")),
        Reason::InvalidSelector(_) => None,
        Reason::OtherNamespace { field, .. } => Some(format!("set `{field}`: `{{}}` looks in all namespaces")),
        Reason::NamespaceLabel { namespace, .. } => Some(format!(
            "add the label to the Namespace manifest of `{namespace}`, or change the selector"
        )),
        Reason::Label { requirement, .. } => Some(match &requirement.condition {
            Condition::In(values) if values.len() == 1 => {
                format!(
                    "set the label `{}: {}`, or change the selector",
                    requirement.key,
                    values.concat()
                )
            }
            Condition::In(_) | Condition::Exists => {
                format!("set the label `{}`, or change the selector", requirement.key)
            }
            Condition::NotIn(_) | Condition::DoesNotExist => {
                format!("change the label `{}`, or change the selector", requirement.key)
            }
        }),
    }
}

/// Nothing selects a resource, and nothing is near.
pub fn unselected_by_all(child: &Head<'_>, level: &Level<'_, '_>) -> Diagnostic {
    let (kind, name, parent) = (child.kind, child.meta.name, level.relation.parent);
    let (message, help) = if level.parents.is_empty() {
        (
            format!("nothing selects {kind} `{name}`: there is no {parent} in the input"),
            format!("add a {parent} that selects it"),
        )
    } else {
        (
            format!("no {parent} selects {kind} `{name}`"),
            format!("compare its labels and namespace with the selectors of the {parent}s"),
        )
    };
    Diagnostic::new(Code::Unselected, message)
        .label(child.name_span(), "")
        .resource(child.object_ref())
        .path("metadata.name")
        .help(help)
}

/// A finding at a selector.
fn at_selector(code: Code, parent: &Parent<'_, '_>, message: String) -> Diagnostic {
    let field = parent.selector.relation.labels;
    Diagnostic::new(code, message)
        .label(parent.locate(field), "")
        .resource(parent.object)
        .path(field)
}

/// A selector selects nothing of what there is.
pub fn selects_nothing(
    parent: &Parent<'_, '_>,
    level: &Level<'_, '_>,
    nearest: Option<(&Head<'_>, Explanation<'_>)>,
) -> Diagnostic {
    let (kind, name) = (parent.object.kind, parent.object.name);
    let message = format!("{kind} `{name}` selects no {}", level.relation.child);
    let Some((child, explanation)) = nearest else {
        return at_selector(Code::SelectsNothing, parent, message);
    };
    let near = full_name(child.object_ref());
    let message = format!("{message}; for the nearest, `{near}`, it {explanation}");
    let diagnostic = at_selector(Code::SelectsNothing, parent, message)
        .label(child.name_span(), format!("the nearest {}", child.kind));
    match explanation.first().and_then(remedy) {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}

/// An agent has no selector for what is in its namespace and left over.
pub fn no_selector(agent: &Parent<'_, '_>, level: &Level<'_, '_>, candidates: usize) -> Diagnostic {
    let field = agent.selector.relation.labels;
    let message = format!(
        "{} `{}` has no `{field}`, so that it selects none of what its namespace has: {candidates} {}",
        agent.object.kind,
        agent.object.name,
        counted(level.relation.child, candidates)
    );
    at_selector(Code::SelectsNothing, agent, message)
        .help(format!("set `{field}`: `{{}}` selects all of the agent's namespace"))
}

/// The name of a kind for so many of it.
fn counted(kind: impl ToString, count: usize) -> String {
    let kind = kind.to_string();
    if count == 1 || kind.ends_with('s') {
        kind
    } else {
        format!("{kind}s")
    }
}

/// Several agents select an instance.
pub fn shared(instance: &Head<'_>, first: &Parent<'_, '_>, second: &Parent<'_, '_>, more: usize) -> Diagnostic {
    let (by, and) = (full_name(first.object), full_name(second.object));
    let agents = match more {
        0 => format!("both `{by}` and `{and}`"),
        more => format!("{} agents, `{by}`, `{and}` and {more} more", more + 2),
    };
    let message = format!(
        "{} `{}` is selected by {agents}: each of them collects all of it",
        instance.kind, instance.meta.name
    );
    let field = |agent: &Parent<'_, '_>| agent.locate(agent.selector.relation.labels);
    Diagnostic::new(Code::SharedInstance, message)
        .label(instance.name_span(), "")
        .label(field(first), format!("selected by `{}`", first.object.name))
        .label(field(second), format!("and by `{}`", second.object.name))
        .resource(instance.object_ref())
        .path("metadata.name")
        .help("let the selectors of the agents tell their instances apart")
}

/// Two instances of an agent select the same children.
pub fn selected_twice(
    agent: ObjectRef<'_>,
    field: &'static str,
    first: &Head<'_>,
    second: &Head<'_>,
    children: usize,
    example: &Head<'_>,
) -> Diagnostic {
    let path = FieldPath::of(field);
    let many = if children == 1 {
        String::new()
    } else {
        format!(" and {} more", children - 1)
    };
    let message = format!(
        "agent `{}` collects {} `{}`{many} twice: {}s `{}` and `{}` both select it",
        full_name(agent),
        example.kind,
        full_name(example.object_ref()),
        first.kind,
        full_name(first.object_ref()),
        full_name(second.object_ref())
    );
    Diagnostic::new(Code::DuplicateScrape, message)
        .label(second.locate(&path), "")
        .label(first.locate(&path), "selected here too")
        .label(example.name_span(), "selected twice")
        .resource(second.object_ref())
        .path(&path)
        .help("narrow one of the two selectors")
}

/// An endpoint of a monitor.
#[derive(Clone, Copy)]
pub struct Site<'d> {
    /// The monitor.
    pub object: ObjectRef<'d>,
    /// Its outermost node.
    pub root: Node<'d>,
    /// The list of endpoints below `spec`.
    pub field: &'static str,
    /// Its place in it.
    pub index: usize,
}

impl Site<'_> {
    /// The field.
    pub fn path(&self) -> FieldPath<'static> {
        FieldPath::of("spec").key(self.field).index(self.index)
    }

    /// The head of the endpoint.
    fn span(&self) -> Span {
        let path = self.path();
        let head = path.find(self.root).and_then(|endpoint| endpoint.entries().next());
        head.map_or_else(|| path.locate(self.root), |entry| entry.key_span)
    }
}

/// Two endpoints of an instance that scrape the same targets.
pub struct Twice<'d> {
    /// The instance.
    pub instance: ObjectRef<'d>,
    /// The first endpoint.
    pub first: Site<'d>,
    /// The other.
    pub second: Site<'d>,
    /// How many further endpoints of the same two monitors do.
    pub more: usize,
}

/// Two endpoints find the same targets.
pub fn scraped_twice(twice: &Twice<'_>) -> Diagnostic {
    let (first, second) = (&twice.first, &twice.second);
    let more = match twice.more {
        0 => String::new(),
        more => format!(", and {more} more of theirs"),
    };
    let whose = if first.object == second.object {
        format!("two endpoints of {} `{}`", first.object.kind, full_name(first.object))
    } else {
        format!(
            "endpoints of {}s `{}` and `{}`",
            first.object.kind,
            full_name(first.object),
            full_name(second.object)
        )
    };
    let message = format!(
        "{whose} scrape the same targets for {} `{}`{more}",
        twice.instance.kind,
        full_name(twice.instance)
    );
    Diagnostic::new(Code::DuplicateScrape, message)
        .label(second.span(), "scraped again")
        .label(first.span(), "scraped here first")
        .resource(second.object)
        .path(second.path())
        .help("remove one of the two")
}

//! Explanations of why a parent does or does not select a child, as data for diagnostics and `agentctl why`.

use super::Namespaces;
use super::selection::{ParentSelector, SelectorScope};
use super::selector::{MAX_COMPARED, Requirement, Selector};
use crate::api::{Kind, ResourceHeader, TextMap};
use crate::diagnostic::suggest::closest;

/// Maximum number of reasons to list.
pub const MAX_REASONS: usize = 50;

/// Explanation of whether a parent selects a child.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectionExplanation<'d> {
    /// Reasons why the child is not selected. Empty if it is selected.
    pub reasons: Vec<UnselectedReason<'d>>,
}

/// A reason why a child is not selected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnselectedReason<'d> {
    /// Parent field that prevents the selection.
    pub field: &'static str,
    pub problem: SelectorMismatch<'d>,
}

/// A mismatch between a parent's selector and a child.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SelectorMismatch<'d> {
    /// The label selector is not set, so it selects nothing.
    NoSelector,
    /// Kubernetes rejects the selector.
    InvalidSelector,
    /// The parent has no namespace selector, and the child is not in the parent's namespace.
    OtherNamespace {
        /// Namespace of the parent.
        wanted: &'d str,
        /// Namespace of the child.
        found: &'d str,
    },
    /// The labels of the child's namespace do not match the namespace selector.
    NamespaceLabel(&'d str, Mismatch<'d>),
    /// The namespace selector requires labels of the child's namespace that the input does not define.
    UnknownLabel(&'d str, Mismatch<'d>),
    /// The child's labels do not match the label selector.
    Label(Mismatch<'d>),
}

/// A requirement that an object's labels do not meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch<'d> {
    pub requirement: Requirement<'d>,
    pub found: FoundLabel<'d>,
}

/// Label found on an object in place of the required label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundLabel<'d> {
    /// The label exists with this value.
    Value(&'d str),
    /// A similar label exists, with this name and value.
    Similar(&'d str, &'d str),
    Nothing,
}

impl<'d> ParentSelector<'d> {
    /// Returns the number of requirements in both selectors plus the number of their values.
    pub fn size(&self) -> usize {
        let selectors = [&self.labels, &self.namespaces].into_iter().filter_map(SelectorScope::set);
        selectors.map(Selector::size).sum()
    }

    /// Explains whether a child is selected and, if not, gives every reason.
    pub fn explain(&self, child: &ResourceHeader<'d>, namespaces: &Namespaces<'d>) -> SelectionExplanation<'d> {
        SelectionExplanation { reasons: self.reasons(child, namespaces).collect() }
    }

    /// Returns the same number as [`SelectionExplanation::distance`] without storing the reasons, because thousands of
    /// parents are compared with thousands of children.
    pub fn distance(&self, child: &ResourceHeader<'d>, namespaces: &Namespaces<'d>) -> u32 {
        let reasons = self.reasons(child, namespaces);
        reasons.map(|reason| reason.problem.distance()).sum()
    }

    fn reasons<'s>(
        &'s self,
        child: &'s ResourceHeader<'d>,
        namespaces: &'s Namespaces<'d>,
    ) -> impl Iterator<Item = UnselectedReason<'d>> {
        let (parent_namespace, child_namespace) = (self.parent.namespace, child.meta.namespace);
        let namespace_mismatch = (parent_namespace != child_namespace)
            .then_some(SelectorMismatch::OtherNamespace { wanted: parent_namespace, found: child_namespace });
        let label = move |mismatch: Mismatch<'d>| match namespaces.is_known(child_namespace, mismatch.requirement.key) {
            true => SelectorMismatch::NamespaceLabel(child_namespace, mismatch),
            false => SelectorMismatch::UnknownLabel(child_namespace, mismatch),
        };
        let (labels, namespace_labels) = (&child.meta.labels, namespaces.labels(child_namespace));
        let label_reasons = problems(&self.labels, Some(SelectorMismatch::NoSelector), labels, SelectorMismatch::Label);
        let namespace_reasons = problems(&self.namespaces, namespace_mismatch, namespace_labels, label);
        let with_field = |field: &'static str| move |problem| UnselectedReason { field, problem };
        let label_reasons = label_reasons.map(with_field(self.relation.labels));
        label_reasons.chain(namespace_reasons.map(with_field(self.relation.namespaces)))
    }
}

/// Returns the mismatches between a selector and an object's labels: `missing` if the selector is not set, and
/// otherwise the result of `label` for each mismatch.
fn problems<'s, 'd>(
    selector: &'s SelectorScope<'d>,
    missing: Option<SelectorMismatch<'d>>,
    labels: &'s TextMap<'d>,
    label: impl Fn(Mismatch<'d>) -> SelectorMismatch<'d>,
) -> impl Iterator<Item = SelectorMismatch<'d>> {
    let problem = match selector {
        SelectorScope::Missing => missing,
        SelectorScope::Invalid(_) => Some(SelectorMismatch::InvalidSelector),
        SelectorScope::Set(_) => None,
    };
    let mismatches = selector.set().into_iter().flat_map(move |selector| failing(selector, labels));
    problem.into_iter().chain(mismatches.map(label))
}

/// Returns a selector's unmet requirements, each with the object's actual label.
pub fn failing<'s, 'd>(selector: &'s Selector<'d>, labels: &'s TextMap<'d>) -> impl Iterator<Item = Mismatch<'d>> {
    let requirements = selector.requirements().iter();
    let failing = requirements.filter(|requirement| !requirement.holds(labels));
    failing.map(|requirement| Mismatch { requirement: requirement.clone(), found: find_label(requirement.key, labels) })
}

fn find_label<'d>(key: &str, labels: &TextMap<'d>) -> FoundLabel<'d> {
    if let Some(value) = labels.get(key) {
        return FoundLabel::Value(value);
    }
    let similar_key = closest(key, labels.keys().take(MAX_COMPARED));
    match similar_key.and_then(|similar| labels.iter().find(|(key, _)| *key == similar)) {
        Some((key, value)) => FoundLabel::Similar(key, value),
        None => FoundLabel::Nothing,
    }
}

impl<'d> SelectionExplanation<'d> {
    /// Returns a measure of how far the child is from being selected. A typo contributes less than a different
    /// namespace, which contributes less than different labels. A missing or invalid selector contributes the most.
    pub fn distance(&self) -> u32 {
        self.reasons.iter().map(|reason| reason.problem.distance()).sum()
    }

    /// Returns the namespace label that would determine the selection, or `None` if there are other reasons.
    pub fn unknown_label(&self) -> Option<(&'d str, &Mismatch<'d>)> {
        let has_unknown_label =
            |reason: &UnselectedReason<'d>| matches!(reason.problem, SelectorMismatch::UnknownLabel(..));
        match &self.reasons.iter().find(|_| self.reasons.iter().all(has_unknown_label))?.problem {
            SelectorMismatch::UnknownLabel(namespace, mismatch) => Some((namespace, mismatch)),
            _ => None,
        }
    }

    /// Returns the first reason, preferring reasons about the child's labels.
    pub fn first(&self) -> Option<&UnselectedReason<'d>> {
        self.reasons.first()
    }
}

impl SelectionExplanation<'_> {
    /// Returns the reasons as a phrase that follows the parent in a message, given the kinds of the parent and the
    /// child: `requires …, but the ServiceMonitor has …; the MetricsInstance also has no …`.
    pub fn predicate(&self, parent: Kind, child: Kind) -> String {
        let is_selector_missing =
            self.reasons.iter().any(|reason| matches!(reason.problem, SelectorMismatch::NoSelector));
        let listed_reasons = self.reasons.iter().take(MAX_REASONS);
        let reasons: Vec<_> = listed_reasons.map(|reason| reason.predicate(child, is_selector_missing)).collect();
        let reasons = reasons.join(&format!("; the {parent} also "));
        match self.reasons.len().saturating_sub(MAX_REASONS) {
            0 => reasons,
            1 => format!("{reasons}; there is 1 more reason"),
            more => format!("{reasons}; there are {more} more reasons"),
        }
    }
}

impl SelectorMismatch<'_> {
    /// Returns the mismatch's contribution to the distance.
    pub fn distance(&self) -> u32 {
        match self {
            SelectorMismatch::Label(Mismatch { requirement, found }) => match found {
                // The value is probably a typo.
                FoundLabel::Value(value) if requirement.nearly_matches(value) => 1,
                FoundLabel::Similar(..) => 1,
                FoundLabel::Value(_) | FoundLabel::Nothing => 3,
            },
            SelectorMismatch::OtherNamespace { .. }
            | SelectorMismatch::NamespaceLabel(..)
            | SelectorMismatch::UnknownLabel(..) => 2,
            SelectorMismatch::NoSelector => 5,
            SelectorMismatch::InvalidSelector => 9,
        }
    }
}

impl UnselectedReason<'_> {
    /// Returns the reason as a phrase that follows the parent in a message. `is_void` is `true` if another reason
    /// already prevents the parent from selecting anything.
    pub fn predicate(&self, child: Kind, is_void: bool) -> String {
        let field = self.field;
        match &self.problem {
            SelectorMismatch::NoSelector => format!("has no `{field}`, so it selects nothing"),
            SelectorMismatch::InvalidSelector => format!("has an invalid `{field}`"),
            SelectorMismatch::OtherNamespace { wanted, found } => {
                let select_verb = if is_void { "would select" } else { "selects" };
                format!(
                    "has no `{field}`, so it {select_verb} {} only in its own namespace `{wanted}`, not in `{found}`",
                    child.plural_kind()
                )
            }
            SelectorMismatch::NamespaceLabel(namespace, mismatch) => {
                let found_text = mismatch.describe(&format!("namespace `{namespace}`"));
                format!("requires namespaces with {found_text}")
            }
            SelectorMismatch::UnknownLabel(namespace, Mismatch { requirement, .. }) => {
                format!("requires namespaces with `{requirement}`, but no manifest defines namespace `{namespace}`")
            }
            SelectorMismatch::Label(mismatch) => format!(
                "requires `{}` in `{field}`, but {}",
                mismatch.requirement,
                mismatch.describe_found(&format!("the {child}"))
            ),
        }
    }
}

impl Mismatch<'_> {
    /// Returns the requirement and the label of `holder`: `` `a=b`, but the ServiceMonitor has `a=c` ``.
    pub fn describe(&self, holder: &str) -> String {
        format!("`{}`, but {}", self.requirement, self.describe_found(holder))
    }

    /// Describes the label that `holder` has: `` the ServiceMonitor has `a=c` ``.
    fn describe_found(&self, holder: &str) -> String {
        let key = self.requirement.key;
        match self.found {
            FoundLabel::Value(value) => format!("{holder} has `{key}={value}`"),
            FoundLabel::Similar(similar, value) => format!("{holder} has `{similar}={value}`"),
            FoundLabel::Nothing => format!("{holder} has no label `{key}`"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{LabelSelector, ObjectMeta, ObjectRef, Relation, Resources};
    use crate::testing;

    /// Returns the explanation and distance for a ServiceMonitor and a MetricsInstance in the `m` namespace.
    fn explain(
        namespace: &str,
        labels: &[(&str, &str)],
        wanted: Option<&LabelSelector<'_>>,
        namespaces: Option<&LabelSelector<'_>>,
    ) -> (String, u32) {
        let documents = testing::documents("{}");
        let child = ResourceHeader {
            kind: Kind::ServiceMonitor,
            meta: ObjectMeta {
                name: "web",
                namespace,
                labels: labels.iter().copied().collect(),
                ..ObjectMeta::default()
            },
            root: documents[0].root(),
        };
        let relation = Relation::for_child(Kind::ServiceMonitor).unwrap();
        let parent = ObjectRef { kind: Kind::MetricsInstance, namespace: "m", name: "primary" };
        let parent = ParentSelector::new(relation, parent, [&wanted.cloned(), &namespaces.cloned()], |_| false);
        let namespaces = Namespaces::new(&Resources::default());
        let explanation = parent.explain(&child, &namespaces);
        (explanation.predicate(Kind::MetricsInstance, Kind::ServiceMonitor), explanation.distance())
    }

    #[test]
    fn reasons_show_expected_and_actual_labels() {
        let wanted_selector =
            LabelSelector { match_labels: TextMap::from([("instance", "primary")]), ..LabelSelector::default() };
        let empty_selector = LabelSelector::default();
        let matching_labels = [("instance", "primary")];
        let table = [
            (explain("m", &matching_labels, Some(&wanted_selector), None), "", 0),
            (
                explain("m", &[("instance", "primry")], Some(&wanted_selector), None),
                "requires `instance=primary` in `spec.serviceMonitorSelector`, but the ServiceMonitor has `instance=primry`",
                1,
            ),
            (
                explain("m", &[("instnce", "primary")], Some(&wanted_selector), None),
                "requires `instance=primary` in `spec.serviceMonitorSelector`, but the ServiceMonitor has `instnce=primary`",
                1,
            ),
            (
                explain("m", &[], Some(&wanted_selector), None),
                "requires `instance=primary` in `spec.serviceMonitorSelector`, but the ServiceMonitor has no label `instance`",
                3,
            ),
            (
                explain("app", &matching_labels, Some(&wanted_selector), None),
                "has no `spec.serviceMonitorNamespaceSelector`, so it selects ServiceMonitors only in its own namespace `m`, not in `app`",
                2,
            ),
            (
                explain("app", &matching_labels, Some(&wanted_selector), Some(&wanted_selector)),
                "requires namespaces with `instance=primary`, but no manifest defines namespace `app`",
                2,
            ),
            (explain("app", &[], Some(&empty_selector), Some(&empty_selector)), "", 0),
            (
                explain("m", &matching_labels, None, None),
                "has no `spec.serviceMonitorSelector`, so it selects nothing",
                5,
            ),
        ];
        for ((text, distance), expected, expected_distance) in table {
            assert_eq!(text, expected);
            assert_eq!(distance, expected_distance, "{expected}");
        }
    }
}

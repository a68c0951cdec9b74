//! Why a parent selects a child, or why not: as data, for diagnostics and for `agentctl why`.

use std::fmt;

use super::Namespaces;
use super::selection::{ParentSelector, Scope};
use super::selector::{Requirement, Selector};
use crate::api::{Head, TextMap};
use crate::diagnostic::suggest::closest;

/// Whether a parent selects a child.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation<'d> {
    /// All that stands in the way; nothing where the child is selected.
    pub reasons: Vec<Reason<'d>>,
}

/// Why a child is not selected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason<'d> {
    /// The parent's label selector, this field, is not set, so it selects nothing.
    NoSelector(&'static str),
    /// A selector of the parent, this field, is one that Kubernetes refuses.
    InvalidSelector(&'static str),
    /// The parent has no namespace selector and looks in its own namespace, where the child is not.
    OtherNamespace {
        /// The field of the namespace selector.
        field: &'static str,
        /// The parent's namespace.
        wanted: &'d str,
        /// The child's namespace.
        found: &'d str,
    },
    /// The labels of the child's namespace are not those of the namespace selector.
    NamespaceLabel {
        /// The field of the namespace selector.
        field: &'static str,
        /// The child's namespace.
        namespace: &'d str,
        /// What does not hold.
        requirement: Requirement<'d>,
        /// What was found.
        found: FoundLabel<'d>,
    },
    /// The child's labels are not those of the label selector.
    Label {
        /// The field of the label selector.
        field: &'static str,
        /// What does not hold.
        requirement: Requirement<'d>,
        /// What was found.
        found: FoundLabel<'d>,
    },
}

/// The actual label where a requirement does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundLabel<'d> {
    /// The label, with this value.
    Value(&'d str),
    /// A label with nearly this name, and its value.
    Similar(&'d str, &'d str),
    /// Nothing.
    Nothing,
}

impl<'d> ParentSelector<'d> {
    /// Whether a child is selected, and all reasons why not.
    pub fn explain(&self, child: &Head<'d>, namespaces: &Namespaces<'d>) -> Explanation<'d> {
        let mut reasons = Vec::new();
        let namespace = child.meta.namespace;
        let no_labels = TextMap::default();
        let namespace_labels = namespaces.labels(namespace).unwrap_or(&no_labels);
        match &self.labels {
            Scope::Missing => reasons.push(Reason::NoSelector(self.relation.labels)),
            Scope::Invalid => reasons.push(Reason::InvalidSelector(self.relation.labels)),
            Scope::Set(selector) => {
                reasons.extend(
                    failing(selector, &child.meta.labels).map(|(requirement, found)| Reason::Label {
                        field: self.relation.labels,
                        requirement: requirement.clone(),
                        found,
                    }),
                );
            }
        }
        match &self.namespaces {
            Scope::Missing if namespace == self.parent.namespace => {}
            Scope::Missing => reasons.push(Reason::OtherNamespace {
                field: self.relation.namespaces,
                wanted: self.parent.namespace,
                found: namespace,
            }),
            Scope::Invalid => reasons.push(Reason::InvalidSelector(self.relation.namespaces)),
            Scope::Set(selector) => {
                reasons.extend(failing(selector, namespace_labels).map(|(requirement, found)| {
                    Reason::NamespaceLabel {
                        field: self.relation.namespaces,
                        namespace,
                        requirement: requirement.clone(),
                        found,
                    }
                }));
            }
        }
        Explanation { reasons }
    }

    /// What the labels of a child add to [`Explanation::distance`].
    pub fn distance_of_labels(&self, labels: &TextMap<'d>) -> u32 {
        match &self.labels {
            Scope::Missing => NO_SELECTOR,
            Scope::Invalid => INVALID_SELECTOR,
            Scope::Set(selector) => failing(selector, labels)
                .map(|(requirement, found)| distance_of_label(requirement, found))
                .sum(),
        }
    }

    /// What the namespace of a child adds to [`Explanation::distance`].
    pub fn distance_of_namespace(&self, namespace: &str, namespaces: &Namespaces<'d>) -> u32 {
        let no_labels = TextMap::default();
        let labels = || namespaces.labels(namespace).unwrap_or(&no_labels);
        match &self.namespaces {
            Scope::Missing if namespace == self.parent.namespace => 0,
            Scope::Missing => OTHER_NAMESPACE,
            Scope::Invalid => INVALID_SELECTOR,
            Scope::Set(selector) => failing_requirements(selector, labels()).map(|_| OTHER_NAMESPACE).sum(),
        }
    }
}

/// The shares of reasons in a distance. Of a label that is a slip of the pen away it is 1, of another one 3.
const OTHER_NAMESPACE: u32 = 2;
const NO_SELECTOR: u32 = 5;
const INVALID_SELECTOR: u32 = 9;

fn distance_of_label(requirement: &Requirement<'_>, found: FoundLabel<'_>) -> u32 {
    match found {
        FoundLabel::Value(value) if requirement.is_nearly(value) => 1,
        FoundLabel::Similar(..) => 1,
        FoundLabel::Value(_) | FoundLabel::Nothing => 3,
    }
}

/// The requirements of a selector that do not hold, with what is there instead.
pub fn failing<'s, 'd>(
    selector: &'s Selector<'d>,
    labels: &'s TextMap<'d>,
) -> impl Iterator<Item = (&'s Requirement<'d>, FoundLabel<'d>)> {
    failing_requirements(selector, labels).map(|requirement| (requirement, found(requirement.key, labels)))
}

fn failing_requirements<'s, 'd>(
    selector: &'s Selector<'d>,
    labels: &'s TextMap<'d>,
) -> impl Iterator<Item = &'s Requirement<'d>> {
    let requirements = selector.requirements().iter();
    requirements.filter(|requirement| !requirement.holds(labels))
}

fn found<'d>(key: &str, labels: &TextMap<'d>) -> FoundLabel<'d> {
    if let Some(value) = labels.get(key) {
        return FoundLabel::Value(value);
    }
    let similar = closest(key, labels.keys().copied());
    match similar.and_then(|similar| labels.iter().find(|(key, _)| **key == similar)) {
        Some((key, value)) => FoundLabel::Similar(key, value),
        None => FoundLabel::Nothing,
    }
}

impl<'d> Explanation<'d> {
    /// How far the child is from being selected: a slip of the pen is nearer than another namespace, that is nearer
    /// than other labels, and a parent without a selector is farther still.
    pub fn distance(&self) -> u32 {
        self.reasons.iter().map(Reason::distance).sum()
    }

    /// The first reason, which is about the child's labels where any is.
    pub fn first(&self) -> Option<&Reason<'d>> {
        self.reasons.first()
    }
}

impl fmt::Display for Explanation<'_> {
    /// Writes the reasons as what the parent does: `wants label …, found … and …`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, reason) in self.reasons.iter().enumerate() {
            let separator = if i == 0 { "" } else { ", and " };
            write!(f, "{separator}{reason}")?;
        }
        Ok(())
    }
}

impl Reason<'_> {
    /// The field of the parent that it is about.
    pub fn field(&self) -> &'static str {
        match self {
            Reason::NoSelector(field) | Reason::InvalidSelector(field) => field,
            Reason::OtherNamespace { field, .. }
            | Reason::NamespaceLabel { field, .. }
            | Reason::Label { field, .. } => field,
        }
    }

    /// Its share of the distance.
    pub fn distance(&self) -> u32 {
        match self {
            Reason::Label { requirement, found, .. } => distance_of_label(requirement, *found),
            Reason::OtherNamespace { .. } | Reason::NamespaceLabel { .. } => OTHER_NAMESPACE,
            Reason::NoSelector(_) => NO_SELECTOR,
            Reason::InvalidSelector(_) => INVALID_SELECTOR,
        }
    }
}

impl fmt::Display for Reason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::NoSelector(field) => {
                write!(f, "has no `{field}`, so it selects nothing (`{{}}` selects everything)")
            }
            Reason::InvalidSelector(field) => write!(f, "has an invalid `{field}`"),
            Reason::OtherNamespace { field, wanted, found } => write!(
                f,
                "has no `{field}`, so that it looks in its own namespace `{wanted}`, found `{found}`"
            ),
            Reason::NamespaceLabel {
                namespace,
                requirement,
                found,
                ..
            } => {
                write!(f, "wants namespaces with `{requirement}`, found ")?;
                found.write(f, requirement.key)?;
                write!(f, " on namespace `{namespace}`")
            }
            Reason::Label { requirement, found, .. } => {
                write!(f, "wants `{requirement}`, found ")?;
                found.write(f, requirement.key)
            }
        }
    }
}

impl FoundLabel<'_> {
    fn write(&self, f: &mut fmt::Formatter<'_>, key: &str) -> fmt::Result {
        match self {
            FoundLabel::Value(value) => write!(f, "`{key}={value}`"),
            FoundLabel::Similar(similar, value) => write!(f, "`{similar}={value}`"),
            FoundLabel::Nothing => write!(f, "no label `{key}`"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{Kind, LabelSelector, ObjectMeta, ObjectRef, Relation, Resources};
    use crate::source::{Source, Sources};
    use crate::yaml::{self, Limits};

    /// What a MetricsInstance in namespace `m` says of a ServiceMonitor.
    fn explain(
        namespace: &str,
        labels: &[(&str, &str)],
        wanted: Option<&LabelSelector<'_>>,
        namespaces: Option<&LabelSelector<'_>>,
    ) -> (String, u32) {
        let mut sources = Sources::default();
        let id = sources.add(Source::new("x", "{}", true));
        let documents = yaml::read(id, "{}", &Limits::default()).output;
        let child = Head {
            kind: Kind::ServiceMonitor,
            meta: ObjectMeta {
                name: "web",
                namespace,
                labels: labels.iter().copied().collect(),
                ..ObjectMeta::default()
            },
            root: documents[0].root(),
        };
        let relation = Relation::to(Kind::ServiceMonitor).unwrap();
        let parent = ObjectRef {
            kind: Kind::MetricsInstance,
            namespace: "m",
            name: "primary",
        };
        let parent = ParentSelector::new(relation, parent, [&wanted.cloned(), &namespaces.cloned()], |_, _| {});
        let namespaces = Namespaces::new(&Resources::default());
        let explanation = parent.explain(&child, &namespaces);
        let distance = parent.distance_of_labels(&child.meta.labels);
        let distance = distance + parent.distance_of_namespace(namespace, &namespaces);
        assert_eq!(distance, explanation.distance());
        (explanation.to_string(), distance)
    }

    #[test]
    fn each_reason_says_what_is_wanted_and_what_is_there() {
        let wants = LabelSelector {
            match_labels: TextMap::from([("instance", "primary")]),
            ..LabelSelector::default()
        };
        let everything = LabelSelector::default();
        let right = [("instance", "primary")];
        let table = [
            (explain("m", &right, Some(&wants), None), "", 0),
            (
                explain("m", &[("instance", "primry")], Some(&wants), None),
                "wants `instance=primary`, found `instance=primry`",
                1,
            ),
            (
                explain("m", &[("instnce", "primary")], Some(&wants), None),
                "wants `instance=primary`, found `instnce=primary`",
                1,
            ),
            (
                explain("m", &[], Some(&wants), None),
                "wants `instance=primary`, found no label `instance`",
                3,
            ),
            (
                explain("app", &right, Some(&wants), None),
                "has no `spec.serviceMonitorNamespaceSelector`, so that it looks in its own namespace `m`, found `app`",
                2,
            ),
            (
                explain("app", &right, Some(&wants), Some(&wants)),
                "wants namespaces with `instance=primary`, found no label `instance` on namespace `app`",
                2,
            ),
            (explain("app", &[], Some(&everything), Some(&everything)), "", 0),
            (
                explain("m", &right, None, None),
                "has no `spec.serviceMonitorSelector`, so it selects nothing (`{}` selects everything)",
                5,
            ),
        ];
        for ((text, distance), expected, expected_distance) in table {
            assert_eq!(text, expected);
            assert_eq!(distance, expected_distance, "{expected}");
        }
    }
}

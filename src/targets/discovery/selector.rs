//! The `selectors` of a watch: filters that the API server applies to objects.

use crate::go::field_selector::{self, FieldTerm};
use crate::go::label_selector::ParsedSelector;
use crate::plan::DiscoveryRole;
use crate::targets::observed::ClusterObject;

/// Filters for the objects of each role. Without filters, all objects are watched.
#[derive(Clone, Debug, Default)]
pub struct RoleSelectors(Vec<RoleSelector>);

#[derive(Clone, Debug)]
struct RoleSelector {
    role: DiscoveryRole,
    labels: ParsedSelector,
    fields: Vec<FieldRequirement>,
}

#[derive(Clone, Debug)]
struct FieldRequirement {
    term: FieldTerm,
    /// Value that is used if the field is missing.
    default: &'static str,
}

/// Fields that the API server can select by, except name and namespace, with their defaults (`ToSelectableFields`).
const FIELDS: [(DiscoveryRole, &str, &str); 11] = [
    (DiscoveryRole::Node, "spec.unschedulable", "false"),
    (DiscoveryRole::Pod, "spec.hostNetwork", "false"),
    (DiscoveryRole::Pod, "spec.nodeName", ""),
    (DiscoveryRole::Pod, "spec.restartPolicy", "Always"),
    (DiscoveryRole::Pod, "spec.schedulerName", "default-scheduler"),
    (DiscoveryRole::Pod, "spec.serviceAccountName", ""),
    (DiscoveryRole::Pod, "status.nominatedNodeName", ""),
    (DiscoveryRole::Pod, "status.phase", ""),
    (DiscoveryRole::Pod, "status.podIP", ""),
    (DiscoveryRole::Service, "spec.clusterIP", ""),
    (DiscoveryRole::Service, "spec.type", "ClusterIP"),
];

impl RoleSelectors {
    /// Adds the selectors of a role, which may be empty. Returns `None` if the API server rejects a selector, because
    /// the selector is invalid or uses an unsupported field.
    #[must_use]
    pub fn add(&mut self, role: DiscoveryRole, labels: &str, fields: &str) -> Option<()> {
        let fields = field_selector::parse(fields)?.into_iter();
        let fields = fields.map(|term| FieldRequirement::new(role, term));
        self.0.push(RoleSelector {
            role,
            labels: ParsedSelector::parse(labels)?,
            fields: fields.collect::<Option<_>>()?,
        });
        Some(())
    }

    /// Returns the approximate cost of checking all requirements, expressed as a number of labels.
    pub fn width(&self) -> usize {
        let widths = self.0.iter().map(|selector| selector.labels.size() + selector.fields.len());
        widths.sum()
    }

    /// Whether an object of a role is watched.
    pub fn admit(&self, role: DiscoveryRole, object: &ClusterObject<'_>) -> bool {
        let role_selectors = self.0.iter().filter(|selector| selector.role == role);
        role_selectors.into_iter().all(|selector| selector.admits(object))
    }
}

impl RoleSelector {
    fn admits(&self, object: &ClusterObject<'_>) -> bool {
        self.labels.matches(|name| object.label(name)) && self.fields.iter().all(|field| field.holds(object))
    }
}

impl FieldRequirement {
    /// Creates a requirement for a field of a role, or returns `None` if the API server does not support the field.
    fn new(role: DiscoveryRole, term: FieldTerm) -> Option<Self> {
        let known_field = FIELDS.iter().find(|(known_role, known, _)| *known_role == role && *known == term.path);
        let default = match (term.path.as_str(), known_field) {
            ("metadata.name", _) => "",
            ("metadata.namespace", _) if role != DiscoveryRole::Node => "",
            (_, known) => known?.2,
        };
        Some(Self { term, default })
    }

    fn holds(&self, object: &ClusterObject<'_>) -> bool {
        let values = match self.term.path.as_str() {
            "metadata.name" => object.name,
            "metadata.namespace" => object.namespace,
            path => {
                let part = path.split('.').fold(object.root, |part, step| part.part(step));
                part.as_text().filter(|text| !text.is_empty()).unwrap_or(self.default)
            }
        };
        (values == self.term.value) == self.term.is_equal
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_role_supports_only_its_own_fields() {
        for (role, labels, fields, is_known) in [
            (DiscoveryRole::Pod, "", "metadata.name=c,status.phase!=Failed", true),
            (DiscoveryRole::Service, "n>5", "spec.clusterIP!=", true),
            (DiscoveryRole::Service, "", "status.phase=c", false),
            (DiscoveryRole::Pod, "", "metadata.name", false),
            (DiscoveryRole::Pod, "a=b,", "", false),
            (DiscoveryRole::Pod, "", "metadata.namespace!=c", true),
            (DiscoveryRole::Node, "", "metadata.name!=c", true),
            (DiscoveryRole::Node, "", "metadata.namespace!=c", false),
        ] {
            let actual = RoleSelectors::default().add(role, labels, fields);
            assert_eq!(actual.is_some(), is_known, "{labels} {fields}");
        }
    }
}

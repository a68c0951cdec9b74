//! `selectors` of a watch: which objects the API server returns for it.

use crate::api::{LabelSelector, TextMap};
use crate::observed::Object;
use crate::plan::Role;
use crate::resolve::{Selector, parse_selector};

/// What filters the objects of each role; without any, all objects are watched.
#[derive(Clone, Debug, Default)]
pub struct Selectors(Vec<RoleSelector>);

#[derive(Clone, Debug)]
struct RoleSelector {
    role: Role,
    /// Labels, as on the command line of kubectl.
    labels: String,
    fields: Vec<FieldRequirement>,
}

/// A condition on a field.
#[derive(Clone, Debug)]
struct FieldRequirement {
    path: String,
    /// What the field has where it is missing.
    default: &'static str,
    value: String,
    is_equal: bool,
}

/// The fields by which the API server selects objects besides name and namespace, and their defaults (`ToSelectableFields`).
const FIELDS: [(Role, &str, &str); 11] = [
    (Role::Node, "spec.unschedulable", "false"),
    (Role::Pod, "spec.hostNetwork", "false"),
    (Role::Pod, "spec.nodeName", ""),
    (Role::Pod, "spec.restartPolicy", "Always"),
    (Role::Pod, "spec.schedulerName", "default-scheduler"),
    (Role::Pod, "spec.serviceAccountName", ""),
    (Role::Pod, "status.nominatedNodeName", ""),
    (Role::Pod, "status.phase", ""),
    (Role::Pod, "status.podIP", ""),
    (Role::Service, "spec.clusterIP", ""),
    (Role::Service, "spec.type", "ClusterIP"),
];

impl Selectors {
    /// Adds the selectors of a role, of which each may be empty; `None` where the API server refuses one: it cannot be read, or names a
    /// field by which the API server does not select.
    #[must_use]
    pub fn add(&mut self, role: Role, labels: &str, fields: &str) -> Option<()> {
        selector(labels)?;
        let fields = fields.split(',').filter(|field| !field.is_empty());
        let fields = fields.map(|field| FieldRequirement::read(role, field));
        self.0.push(RoleSelector {
            role,
            labels: labels.to_owned(),
            fields: fields.collect::<Option<_>>()?,
        });
        Some(())
    }

    /// About the number of labels that take as long as all conditions: the text is read anew for each object.
    pub fn width(&self) -> usize {
        let widths = self
            .0
            .iter()
            .map(|selector| selector.labels.len() / 16 + selector.fields.len());
        widths.sum()
    }

    /// Whether an object of a role is watched.
    pub fn admit(&self, role: Role, object: &Object<'_>) -> bool {
        let of_role = self.0.iter().filter(|selector| selector.role == role);
        of_role.into_iter().all(|selector| selector.admits(object))
    }
}

impl RoleSelector {
    fn admits(&self, object: &Object<'_>) -> bool {
        let labels: TextMap<'_> = object.labels.iter().copied().collect();
        let has_labels = selector(&self.labels).is_some_and(|selector| selector.matches(&labels));
        has_labels && self.fields.iter().all(|field| field.holds(object))
    }
}

fn selector(text: &str) -> Option<Selector<'_>> {
    if text.is_empty() {
        return Some(Selector::default());
    }
    let selector: LabelSelector<'_> = parse_selector(text).ok()?;
    Selector::new(&selector).ok()
}

impl FieldRequirement {
    /// `path=value`, `path==value` or `path!=value` (`fields.ParseSelector`).
    fn read(role: Role, text: &str) -> Option<Self> {
        let (path, value) = text.split_once('=')?;
        let is_equal = !path.ends_with('!');
        let value = value.strip_prefix('=').filter(|_| is_equal).unwrap_or(value);
        let path = path.trim_end_matches('!');
        let known = FIELDS.iter().find(|(of, known, _)| *of == role && *known == path);
        let default = match (path, known) {
            ("metadata.name" | "metadata.namespace", _) => "",
            (_, known) => known?.2,
        };
        Some(Self {
            path: path.to_owned(),
            default,
            value: value.to_owned(),
            is_equal,
        })
    }

    fn holds(&self, object: &Object<'_>) -> bool {
        let found = match self.path.as_str() {
            "metadata.name" => object.name,
            "metadata.namespace" => object.namespace,
            path => {
                let part = path.split('.').fold(object.root, |part, step| part.part(step));
                part.as_text().filter(|text| !text.is_empty()).unwrap_or(self.default)
            }
        };
        (found == self.value) == self.is_equal
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requirements_of_fields_are_read() {
        for (role, text, expected) in [
            (Role::Pod, "metadata.name=c", Some(("metadata.name", "c", true))),
            (Role::Pod, "status.phase==c", Some(("status.phase", "c", true))),
            (Role::Service, "spec.clusterIP!=", Some(("spec.clusterIP", "", false))),
            (Role::Service, "status.phase=c", None),
            (Role::Pod, "metadata.name", None),
        ] {
            let found = FieldRequirement::read(role, text);
            let found = found.as_ref().map(|f| (f.path.as_str(), f.value.as_str(), f.is_equal));
            assert_eq!(found, expected, "{text}");
        }
    }
}

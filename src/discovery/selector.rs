//! `selectors` of a watch: which objects the API server returns for it.

use super::role::Role;
use crate::api::{LabelSelector, TextMap};
use crate::observed::Meta;
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
    value: String,
    is_equal: bool,
}

/// A selector that the API server refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidSelector;

impl Selectors {
    /// Adds the selectors of a role, of which each may be empty.
    ///
    /// # Errors
    /// A selector that cannot be read.
    pub fn add(&mut self, role: Role, labels: &str, fields: &str) -> Result<(), InvalidSelector> {
        selector(labels).ok_or(InvalidSelector)?;
        let fields = fields.split(',').filter(|field| !field.is_empty());
        let fields = fields.map(|field| FieldRequirement::read(field).ok_or(InvalidSelector));
        self.0.push(RoleSelector {
            role,
            labels: labels.to_owned(),
            fields: fields.collect::<Result<_, _>>()?,
        });
        Ok(())
    }

    /// Whether an object of a role is watched.
    pub fn admit(&self, role: Role, meta: &Meta<'_>) -> bool {
        let of_role = self.0.iter().filter(|selector| selector.role == role);
        of_role.into_iter().all(|selector| selector.admits(meta))
    }
}

impl RoleSelector {
    fn admits(&self, meta: &Meta<'_>) -> bool {
        let labels: TextMap<'_> = meta.labels.iter().copied().collect();
        let has_labels = selector(&self.labels).is_some_and(|selector| selector.matches(&labels));
        has_labels && self.fields.iter().all(|field| field.holds(meta))
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
    fn read(text: &str) -> Option<Self> {
        let (path, value) = text.split_once('=')?;
        let is_equal = !path.ends_with('!');
        let value = value.strip_prefix('=').filter(|_| is_equal).unwrap_or(value);
        Some(Self {
            path: path.trim_end_matches('!').to_owned(),
            value: value.to_owned(),
            is_equal,
        })
    }

    fn holds(&self, meta: &Meta<'_>) -> bool {
        let found = match self.path.as_str() {
            "metadata.name" => meta.name,
            "metadata.namespace" => meta.namespace,
            path => {
                let part = path.split('.').fold(meta.root, |part, step| part.part(step));
                part.as_text().unwrap_or_default()
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
        for (text, expected) in [
            ("a.b=c", Some(("a.b", "c", true))),
            ("a==c", Some(("a", "c", true))),
            ("a!=", Some(("a", "", false))),
            ("a", None),
        ] {
            let found = FieldRequirement::read(text);
            let found = found.as_ref().map(|f| (f.path.as_str(), f.value.as_str(), f.is_equal));
            assert_eq!(found, expected, "{text}");
        }
    }
}

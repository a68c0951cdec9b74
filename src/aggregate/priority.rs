//! The order of groups and of the versions in them.

use std::cmp::Reverse;

use super::api_service::ApiService;
use super::version::Version;

/// The APIServices of one group, the preferred version in front; never empty.
#[derive(Clone)]
pub(super) struct Group<'r, 'd> {
    pub(super) name: &'d str,
    pub(super) versions: Vec<&'r ApiService<'d>>,
}

impl<'r, 'd> Group<'r, 'd> {
    /// The version that clients use unless they ask for another.
    pub(super) fn preferred(&self) -> Option<&'r ApiService<'d>> {
        self.versions.first().copied()
    }
}

/// The groups by the highest priority of their APIServices, then by the name of that APIService; the versions by their
/// priority, then by Kubernetes' order of versions (`SortedByGroupAndVersion`).
pub(super) fn sorted_by_group_and_version<'r, 'd>(services: &'r [ApiService<'d>]) -> Vec<Group<'r, 'd>> {
    let mut sorted: Vec<_> = services.iter().collect();
    sorted.sort_by(|a, b| {
        let key = |s: &'r ApiService<'d>| (Reverse(s.group_priority_minimum), s.name.as_ref());
        key(a).cmp(&key(b))
    });
    let mut groups: Vec<Group<'r, 'd>> = Vec::new();
    for service in sorted {
        match groups.iter_mut().find(|group| group.name == service.group) {
            Some(group) => group.versions.push(service),
            None => groups.push(Group {
                name: service.group,
                versions: vec![service],
            }),
        }
    }
    for group in &mut groups {
        group
            .versions
            .sort_by_key(|s| Reverse((s.version_priority, Version::new(s.version))));
    }
    groups
}

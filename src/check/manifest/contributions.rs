//! What fills a Secret: looked into only where one is too large.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::api::{Kind, ObjectRef};
use crate::manifest::Role;
use crate::plan::{Part, Plan};
use crate::resolve::{Hierarchy, MetricsHierarchy};
use crate::target::agent;
use crate::yaml::{Style, write};

/// Among more monitors than these one hardly matters, and to make all their jobs once more takes half as long as the whole
/// run did.
const MANY: usize = 10_000;

/// The parts of a Secret with this role, with their bytes before compression, the largest first; none where there are too many.
pub(super) fn of(hierarchy: &Hierarchy<'_, '_>, role: Role) -> Vec<(String, usize)> {
    let Role::Configuration(part) = role else {
        return sorted(values(hierarchy));
    };
    let monitors = hierarchy.metrics.iter().flat_map(MetricsHierarchy::monitors);
    if part == Part::Metrics && monitors.count() > MANY {
        return Vec::new();
    }
    let plan = Plan::new(hierarchy, &[part], &mut Vec::new());
    let mut parts = BTreeMap::new();
    for piece in agent::pieces(&plan) {
        let mut name = match piece.object {
            Some(object) if object.kind == Kind::GrafanaAgent => continue,
            object => object.map(|object| described(object, &plan)),
        };
        let mut bytes = 0;
        piece.each_value(&mut |job, value| {
            name.get_or_insert_with(|| format!("job `{}`", job.unwrap_or_default()));
            bytes += write(&value, Style::V3).len();
        });
        *parts.entry(name.unwrap_or_default()).or_default() += bytes;
    }
    sorted(parts)
}

/// An instance or a monitor by its name, an integration by what it integrates.
fn described(object: ObjectRef<'_>, plan: &Plan<'_>) -> String {
    let ObjectRef { kind, namespace, name } = object;
    let integration = plan.integrations.iter().find(|i| i.resource.object_ref() == object);
    match (kind, integration) {
        (_, Some(integration)) => format!("integration `{}`", integration.resource.spec.name),
        (Kind::MetricsInstance | Kind::LogsInstance, _) => format!("instance `{namespace}/{name}`"),
        _ => format!("{kind} `{namespace}/{name}`"),
    }
}

/// The values that `<agent>-secrets` copies.
fn values(hierarchy: &Hierarchy<'_, '_>) -> BTreeMap<String, usize> {
    let values = hierarchy.secrets.iter();
    values.map(|(key, value)| (format!("`{key}`"), value.len())).collect()
}

fn sorted(parts: BTreeMap<String, usize>) -> Vec<(String, usize)> {
    let mut parts: Vec<_> = parts.into_iter().collect();
    parts.sort_by_key(|(_, bytes)| Reverse(*bytes));
    parts
}

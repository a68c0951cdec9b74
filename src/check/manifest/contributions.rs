//! What fills a Secret: looked into only where one is too large.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::lower::config::{self, Outline, Part};
use crate::resolve::Hierarchy;
use crate::yaml::{Style, Value, write};

/// Among more monitors than these one hardly matters, and to make all their jobs once more takes half as long as the whole
/// run did.
const MANY: usize = 10_000;

/// The parts of a Secret of this name with their bytes before compression, the largest first; none where there are too many.
pub(super) fn of(hierarchy: &Hierarchy<'_, '_>, name: &str) -> Vec<(String, usize)> {
    let part = match name.strip_prefix(hierarchy.agent.meta.name) {
        Some("-config") => Part::Metrics,
        Some("-logs-config") => Part::Logs,
        Some("-integrations-deploy-config") => Part::Integrations { all_nodes: false },
        Some("-integrations-ds-config") => Part::Integrations { all_nodes: true },
        _ => return sorted(values(hierarchy)),
    };
    let monitors = hierarchy
        .metrics
        .iter()
        .map(|m| m.service_monitors.len() + m.pod_monitors.len());
    if part == Part::Metrics && monitors.sum::<usize>() > MANY {
        return Vec::new();
    }
    let outline = config::outline(hierarchy, part, &mut Vec::new());
    let configuration = &outline.value;
    let mut parts = BTreeMap::new();
    for section in ["metrics", "logs"] {
        for instance in items(field(configuration, section).and_then(|section| field(section, "configs"))) {
            add_instance(&mut parts, instance, &outline);
        }
    }
    if let Some(Value::Mapping(integrations)) = field(configuration, "integrations") {
        for (name, list) in integrations.iter() {
            let name = name.strip_suffix("_configs").unwrap_or(name);
            *parts.entry(format!("integration `{name}`")).or_default() += write(list, Style::V3).len();
        }
    }
    sorted(parts)
}

/// Jobs by the resource that they come from, and the rest by the instance.
fn add_instance(parts: &mut BTreeMap<String, usize>, instance: &Value<'_>, outline: &Outline<'_, '_>) {
    let all = write(instance, Style::V3).len();
    let mut of_jobs = 0;
    let mut add_job = |job: &Value<'_>| {
        let bytes = write(job, Style::V3).len();
        *parts.entry(source(text(job, "job_name"))).or_default() += bytes;
        bytes
    };
    match field(instance, "scrape_configs") {
        Some(Value::Later(number)) => outline.jobs(*number, &mut |job| {
            add_job(job);
        }),
        jobs => of_jobs = items(jobs).iter().map(add_job).sum(),
    }
    let name = format!("instance `{}`", text(instance, "name"));
    *parts.entry(name).or_default() += all.saturating_sub(of_jobs);
}

/// The resource that a job was made of: `serviceMonitor/namespace/name/0`.
fn source(job: &str) -> String {
    let mut parts = job.split('/');
    let (kind, namespace, name) = (parts.next(), parts.next(), parts.next());
    let kind = match kind {
        Some("serviceMonitor") => "ServiceMonitor",
        Some("podMonitor") => "PodMonitor",
        Some("probe") => "Probe",
        Some("podLogs") => "PodLogs",
        _ => return format!("job `{job}`"),
    };
    format!(
        "{kind} `{}/{}`",
        namespace.unwrap_or_default(),
        name.unwrap_or_default()
    )
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

fn field<'v, 'd>(value: &'v Value<'d>, key: &str) -> Option<&'v Value<'d>> {
    match value {
        Value::Mapping(mapping) => mapping.get(key),
        _ => None,
    }
}

fn items<'v, 'd>(value: Option<&'v Value<'d>>) -> &'v [Value<'d>] {
    match value {
        Some(Value::Sequence(items)) => items,
        _ => &[],
    }
}

fn text<'v>(value: &'v Value<'_>, key: &str) -> &'v str {
    match field(value, key) {
        Some(Value::String(text)) => text,
        _ => "",
    }
}

//! A configuration in parts: what each resource of a hierarchy becomes.

use super::fields::Fields;
use super::origin::Trace;
use super::scrape_job::JobRules;
use super::{integrations, logs, metrics, pod_logs, pod_monitor, probe, server, service_monitor};
use crate::api::ObjectRef;
use crate::diagnostic::Diagnostic;
use crate::resolve::Hierarchy;
use crate::yaml::Value;

/// What a resource becomes in the configurations of an agent.
pub struct Fragment<'d> {
    /// The resource.
    pub object: ObjectRef<'d>,
    /// The names of the scrape jobs; none where the resource is no monitor.
    pub jobs: Vec<String>,
    /// The parts of the configuration: each scrape job of a monitor, the rest of an instance, an integration.
    pub parts: Vec<Value<'d>>,
}

/// What each resource of a hierarchy becomes: its monitors' scrape jobs as [`super::lower`] has them, its instances
/// without their jobs, its Integrations, and what the agent says of all of them. A monitor of several instances comes
/// once for each.
pub fn fragments<'d>(hierarchy: &Hierarchy<'d, 'd>, diagnostics: &mut Vec<Diagnostic>) -> Vec<Fragment<'d>> {
    let mut found = vec![Fragment {
        object: hierarchy.agent.object_ref(),
        jobs: Vec::new(),
        parts: vec![agent(hierarchy).into()],
    }];
    of_metrics(hierarchy, &mut found);
    of_logs(hierarchy, diagnostics, &mut found);
    found.extend(hierarchy.integrations.iter().map(|integration| Fragment {
        object: integration.object_ref(),
        jobs: Vec::new(),
        parts: vec![integrations::section(&[integration], integration.spec.r#type.all_nodes, Trace::off()).into()],
    }));
    found
}

fn agent<'d>(hierarchy: &Hierarchy<'d, 'd>) -> Fields<'d> {
    let metrics = (!hierarchy.metrics.is_empty()).then(|| metrics::shared(hierarchy));
    Fields::new()
        .always("server", server(hierarchy.agent, Trace::off()))
        .option("metrics", metrics)
}

fn of_metrics<'d>(hierarchy: &Hierarchy<'d, 'd>, found: &mut Vec<Fragment<'d>>) {
    let rules = JobRules::new(hierarchy.agent, &hierarchy.secrets, Trace::off());
    for metrics in &hierarchy.metrics {
        found.push(Fragment {
            object: metrics.instance.object_ref(),
            jobs: Vec::new(),
            parts: vec![metrics::instance(hierarchy, metrics, Vec::new(), Trace::off()).into()],
        });
        let service_monitors = metrics.service_monitors.iter();
        found.extend(service_monitors.map(|m| monitor(m.object_ref(), service_monitor::jobs(&rules, m).collect())));
        let pod_monitors = metrics.pod_monitors.iter();
        found.extend(pod_monitors.map(|m| monitor(m.object_ref(), pod_monitor::jobs(&rules, m).collect())));
        let probes = metrics.probes.iter();
        found.extend(probes.map(|p| monitor(p.object_ref(), probe::job(&rules, p).into_iter().collect())));
    }
}

fn of_logs<'d>(hierarchy: &Hierarchy<'d, 'd>, diagnostics: &mut Vec<Diagnostic>, found: &mut Vec<Fragment<'d>>) {
    for logs in &hierarchy.logs {
        found.push(Fragment {
            object: logs.instance.object_ref(),
            jobs: Vec::new(),
            parts: vec![logs::instance(hierarchy, logs, Vec::new(), Trace::off()).into()],
        });
        let jobs = pod_logs::jobs(hierarchy, &logs.pod_logs, Trace::off(), diagnostics);
        let pod_logs = logs.pod_logs.iter().zip(jobs);
        found.extend(pod_logs.map(|(pod_logs, job)| monitor(pod_logs.object_ref(), vec![job])));
    }
}

fn monitor<'d>(object: ObjectRef<'d>, jobs: Vec<Value<'d>>) -> Fragment<'d> {
    Fragment {
        object,
        jobs: jobs.iter().filter_map(name).collect(),
        parts: jobs,
    }
}

fn name(job: &Value<'_>) -> Option<String> {
    match job {
        Value::Mapping(fields) => match fields.get("job_name")? {
            Value::String(name) => Some(name.clone().into_owned()),
            _ => None,
        },
        _ => None,
    }
}

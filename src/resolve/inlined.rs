//! Values that the operator writes into the agent's configuration.

use std::borrow::Cow;

use super::references::{self, Reference, Usage};
use super::values::agent_use;
use super::{AssetKey, Hierarchy};
use crate::api::{ObjectRef, Resource};
use crate::diagnostic::FieldPath;
use crate::yaml::Node;

/// A credential of the configuration, and the field that refers to it. It has no `Debug`: it holds a secret value.
pub struct InlinedValue<'h, 'd> {
    /// The resource with the field.
    pub referrer: ObjectRef<'d>,
    /// The outermost node of that resource.
    pub root: Node<'d>,
    /// The field.
    pub path: FieldPath<'static>,
    /// The value.
    pub text: Cow<'h, str>,
}

/// All credentials that the configurations of a hierarchy hold; additional scrape configurations are none.
pub fn inlined_values<'h, 'd>(hierarchy: &Hierarchy<'h, 'd>) -> Vec<InlinedValue<'h, 'd>> {
    let agent = hierarchy.agent;
    let mut found = of(
        hierarchy,
        agent,
        references::of_agent(agent, agent_use(agent, hierarchy)),
    );
    for metrics in &hierarchy.metrics {
        let instance = metrics.instance;
        found.extend(of(hierarchy, instance, references::of_metrics_instance(&instance.spec)));
        for monitor in &metrics.service_monitors {
            found.extend(of(hierarchy, monitor, references::of_service_monitor(&monitor.spec)));
        }
        for monitor in &metrics.pod_monitors {
            found.extend(of(hierarchy, monitor, references::of_pod_monitor(&monitor.spec)));
        }
        for probe in &metrics.probes {
            found.extend(of(hierarchy, probe, references::of_probe(&probe.spec)));
        }
    }
    for logs in &hierarchy.logs {
        let instance = logs.instance;
        found.extend(of(hierarchy, instance, references::of_logs_instance(&instance.spec)));
    }
    found
}

fn of<'h, 'd, S>(
    hierarchy: &Hierarchy<'h, 'd>,
    referrer: &Resource<'d, S>,
    references: Vec<Reference<'d>>,
) -> Vec<InlinedValue<'h, 'd>> {
    let is_inlined = |reference: &Reference<'_>| reference.usage == Usage::Value;
    let references = references.into_iter().filter(is_inlined);
    references
        .filter_map(|reference| {
            let key = AssetKey::new(reference.kind, referrer.meta.namespace, &reference.selector);
            Some(InlinedValue {
                referrer: referrer.object_ref(),
                root: referrer.root,
                path: reference.path,
                text: hierarchy.secrets.text(&key)?,
            })
        })
        .collect()
}

//! Values that the operator writes into the agent's configuration.

use std::borrow::Cow;

use super::references::{self, Reference, Usage};
use super::values::agent_use;
use super::{AssetKey, Hierarchy, diagnostics};
use crate::api::{ObjectRef, Resource};
use crate::diagnostic::{Diagnostic, FieldPath};
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
    let fields = inlined(hierarchy).into_iter();
    let fields = fields.filter(|field| field.reference.usage == Usage::Value);
    fields
        .filter_map(|field| {
            let key = AssetKey::new(
                field.reference.kind,
                field.referrer.namespace,
                &field.reference.selector,
            );
            Some(InlinedValue {
                referrer: field.referrer,
                root: field.root,
                path: field.reference.path,
                text: hierarchy.secrets.text(&key)?,
            })
        })
        .collect()
}

/// A finding for every field whose value stands in a configuration (`--secrets=external`).
pub fn refused(hierarchy: &Hierarchy<'_, '_>) -> Vec<Diagnostic> {
    let fields = inlined(hierarchy).into_iter();
    let fields = fields.filter(|field| !field.reference.selector.name.is_empty());
    fields.map(|field| diagnostics::inlined_secret(&field)).collect()
}

/// A field that refers to a value of the configuration.
pub struct InlinedField<'d> {
    /// The resource with the field.
    pub referrer: ObjectRef<'d>,
    /// The outermost node of that resource.
    pub root: Node<'d>,
    /// The field.
    pub reference: Reference<'d>,
}

fn inlined<'d>(hierarchy: &Hierarchy<'_, 'd>) -> Vec<InlinedField<'d>> {
    let agent = hierarchy.agent;
    let mut found = Vec::new();
    add(
        &mut found,
        agent,
        references::of_agent(agent, agent_use(agent, hierarchy)),
    );
    for metrics in &hierarchy.metrics {
        let instance = metrics.instance;
        add(&mut found, instance, references::of_metrics_instance(&instance.spec));
        for monitor in &metrics.service_monitors {
            add(&mut found, monitor, references::of_service_monitor(&monitor.spec));
        }
        for monitor in &metrics.pod_monitors {
            add(&mut found, monitor, references::of_pod_monitor(&monitor.spec));
        }
        for probe in &metrics.probes {
            add(&mut found, probe, references::of_probe(&probe.spec));
        }
    }
    for logs in &hierarchy.logs {
        let instance = logs.instance;
        add(&mut found, instance, references::of_logs_instance(&instance.spec));
    }
    found
}

fn add<'d, S>(found: &mut Vec<InlinedField<'d>>, referrer: &Resource<'d, S>, references: Vec<Reference<'d>>) {
    let references = references.into_iter();
    let inlined = references.filter(|reference| reference.usage.is_needed());
    found.extend(inlined.map(|reference| InlinedField {
        referrer: referrer.object_ref(),
        root: referrer.root,
        reference,
    }));
}

//! What the labels of a namespace decide: the one resource that is about the selection of others.

use std::collections::BTreeSet;

use super::copied::{Copied, Referrer};
use super::dependencies::{Reach, integration_parts, runs_alike};
use super::part::{Part, Parts};
use crate::api::{MetricsInstance, ObjectRef, Resource, Resources, ServiceMonitor, TextMap, in_namespace};
use crate::resolve::references::{self, Reference};
use crate::resolve::{ChildSelector, Hierarchy, Namespaces, ParentSelector, Scope};

/// What of an agent may change with the labels of a namespace: what is selected with some and not with others.
pub fn reach<'d>(
    name: &'d str,
    hierarchy: &Hierarchy<'_, 'd>,
    resources: &Resources<'d>,
    namespaces: &Namespaces<'d>,
    copied: &Copied<'d>,
) -> Reach<'d> {
    let mut labels = Labels {
        name,
        hierarchy,
        resources,
        namespaces,
        copied,
        reach: Reach::default(),
        going: BTreeSet::new(),
        going_instances: BTreeSet::new(),
        coming: false,
    };
    labels.metrics_instances();
    labels.logs_instances();
    labels.integrations();
    labels.children_of_instances();
    labels.finish()
}

struct Labels<'r, 'h, 'd> {
    name: &'d str,
    hierarchy: &'r Hierarchy<'h, 'd>,
    resources: &'r Resources<'d>,
    namespaces: &'r Namespaces<'d>,
    copied: &'r Copied<'d>,
    reach: Reach<'d>,
    /// Those that may go, of what refers to values.
    going: BTreeSet<Referrer<'d>>,
    /// The instances that may go, with all that they select.
    going_instances: BTreeSet<ObjectRef<'d>>,
    /// Whether something may come that brings new values.
    coming: bool,
}

/// Which children of a parent are meant.
#[derive(Clone, Copy)]
enum Which {
    /// Those that it selects.
    Selected,
    /// Those that it selects with some labels of the namespace, and not with others.
    Moving,
}

/// A resource, and what it refers to.
type Referring<'d> = (ObjectRef<'d>, Vec<Reference<'d>>);

impl<'r, 'd> Labels<'r, '_, 'd> {
    fn metrics_instances(&mut self) {
        let agent = self.hierarchy.agent;
        let (selector, all) = (agent.spec.metrics_instances(), &self.resources.metrics_instances);
        let alone = self.selects_only_inside(agent, &selector, all);
        for instance in self.children(Which::Moving, agent, &selector, all) {
            let mut referring = self.monitors(Which::Selected, instance);
            referring.push((instance.object_ref(), references::of_metrics_instance(&instance.spec)));
            let config = Parts::of(&[Part::Metrics]).with_if(alone, Part::MetricsPods);
            self.instance_moves(instance.object_ref(), config, &referring);
        }
    }

    fn logs_instances(&mut self) {
        let agent = self.hierarchy.agent;
        let (selector, all) = (agent.spec.logs_instances(), &self.resources.logs_instances);
        let alone = self.selects_only_inside(agent, &selector, all);
        for instance in self.children(Which::Moving, agent, &selector, all) {
            let referring = [(instance.object_ref(), references::of_logs_instance(&instance.spec))];
            let config = Parts::of(&[Part::Logs]).with_if(alone, Part::LogsPods);
            self.instance_moves(instance.object_ref(), config, &referring);
        }
    }

    fn instance_moves(&mut self, instance: ObjectRef<'d>, parts: Parts, referring: &[Referring<'d>]) {
        let with_instances = Parts::of(&[Part::Integrations, Part::NodeIntegrations]);
        self.add(parts.and(with_instances), instance);
        if self.hierarchy.contains(instance) {
            self.going_instances.insert(instance);
        } else {
            self.come(referring);
        }
    }

    fn integrations(&mut self) {
        let hierarchy = self.hierarchy;
        let agent = hierarchy.agent;
        let moving = self.children(
            Which::Moving,
            agent,
            &agent.spec.integrations(),
            &self.resources.integrations,
        );
        for integration in &moving {
            let object = integration.object_ref();
            let stays = |other: &ObjectRef<'_>| moving.iter().all(|moving| moving.object_ref() != *other);
            let alike = hierarchy
                .integrations
                .iter()
                .filter(|other| runs_alike(other, integration));
            let alone = !alike.map(|other| other.object_ref()).any(|other| stays(&other));
            self.add(integration_parts(integration, alone), object);
            let referring = [(object, references::of_integration(&integration.spec))];
            self.referring_move(None, hierarchy.contains(object), &referring);
        }
    }

    /// Monitors and PodLogs in the namespace, of the instances that the agent has.
    fn children_of_instances(&mut self) {
        let hierarchy = self.hierarchy;
        for metrics in &hierarchy.metrics {
            let instance = metrics.instance.object_ref();
            let moving = self.monitors(Which::Moving, metrics.instance);
            let (going, coming): (Vec<_>, Vec<_>) = moving.into_iter().partition(|(monitor, _)| {
                let mut selected = metrics.service_monitors.iter().map(|r| r.object_ref());
                selected.any(|r| r == *monitor)
                    || metrics.pod_monitors.iter().any(|r| r.object_ref() == *monitor)
                    || metrics.probes.iter().any(|r| r.object_ref() == *monitor)
            });
            if !going.is_empty() || !coming.is_empty() {
                self.add(Parts::of(&[Part::Metrics]), instance);
            }
            self.referring_move(Some(instance), true, &going);
            self.referring_move(Some(instance), false, &coming);
        }
        for logs in &hierarchy.logs {
            let selector = logs.instance.spec.pod_logs();
            let moving = self.children(Which::Moving, logs.instance, &selector, &self.resources.pod_logs);
            if !moving.is_empty() {
                self.add(Parts::of(&[Part::Logs]), logs.instance.object_ref());
            }
        }
    }

    fn add(&mut self, parts: Parts, through: ObjectRef<'d>) {
        self.reach.parts = self.reach.parts.and(parts);
        self.reach.through.insert(through);
    }

    fn referring_move(&mut self, instance: Option<ObjectRef<'d>>, are_there: bool, referring: &[Referring<'d>]) {
        if are_there {
            let referrers = referring.iter().map(|(object, _)| Referrer {
                instance,
                object: *object,
            });
            self.going.extend(referrers);
        } else {
            self.come(referring);
        }
    }

    fn come(&mut self, referring: &[Referring<'d>]) {
        let brings =
            |(object, references): &Referring<'d>| self.copied.come_with(object.namespace, references, self.resources);
        self.coming |= referring.iter().any(brings);
    }

    fn finish(self) -> Reach<'d> {
        let goes = |referrer: &Referrer<'d>| {
            let with_instance = referrer
                .instance
                .is_some_and(|instance| self.going_instances.contains(&instance));
            with_instance || self.going.contains(referrer)
        };
        let values = self.coming || self.copied.go_with(goes);
        let parts = self.reach.parts.with_if(values, Part::Values);
        Reach { parts, ..self.reach }
    }

    /// The monitors of a MetricsInstance, with what they refer to.
    fn monitors(&self, which: Which, instance: &Resource<'d, MetricsInstance<'d>>) -> Vec<Referring<'d>> {
        let (resources, spec) = (self.resources, &instance.spec);
        let services = self.children(which, instance, &spec.service_monitors(), &resources.service_monitors);
        let services = services.into_iter().filter(|monitor| !self.is_denied(monitor));
        let pods = self.children(which, instance, &spec.pod_monitors(), &resources.pod_monitors);
        let probes = self.children(which, instance, &spec.probes(), &resources.probes);
        services
            .map(|r| (r.object_ref(), references::of_service_monitor(&r.spec)))
            .chain(
                pods.into_iter()
                    .map(|r| (r.object_ref(), references::of_pod_monitor(&r.spec))),
            )
            .chain(
                probes
                    .into_iter()
                    .map(|r| (r.object_ref(), references::of_probe(&r.spec))),
            )
            .collect()
    }

    fn is_denied(&self, monitor: &Resource<'d, ServiceMonitor<'d>>) -> bool {
        let denies = self.hierarchy.agent.spec.metrics.arbitrary_fs_access_through_sms.deny;
        denies && monitor.spec.endpoints.iter().any(|endpoint| endpoint.names_files())
    }

    fn children<P, C>(
        &self,
        which: Which,
        parent: &Resource<'d, P>,
        selector: &ChildSelector<'_, 'd>,
        children: &'r [Resource<'d, C>],
    ) -> Vec<&'r Resource<'d, C>> {
        let selector = ParentSelector::new(parent.meta.namespace, selector, |_, _| {});
        match (which, &selector.labels) {
            (Which::Selected, _) => {
                let all = children.iter();
                all.filter(|child| selector.selects(child, self.namespaces)).collect()
            }
            (Which::Moving, Scope::Set(labels)) if self.decides(&selector.namespaces) => {
                let inside = in_namespace(children, self.name).iter();
                inside.filter(|child| labels.matches(&child.meta.labels)).collect()
            }
            (Which::Moving, _) => Vec::new(),
        }
    }

    /// Whether all that a parent selects is in the namespace.
    fn selects_only_inside<P, C>(
        &self,
        parent: &Resource<'d, P>,
        selector: &ChildSelector<'_, 'd>,
        children: &'r [Resource<'d, C>],
    ) -> bool {
        let selected = self.children(Which::Selected, parent, selector, children);
        selected.iter().all(|child| child.meta.namespace == self.name)
    }

    /// Whether a namespace selector looks at labels that anybody can change.
    fn decides(&self, namespaces: &Scope<'d>) -> bool {
        let Scope::Set(selector) = namespaces else {
            return false;
        };
        let given = TextMap::from([(Namespaces::NAME_LABEL, self.name)]);
        let (by_name, by_labels): (Vec<_>, Vec<_>) = selector
            .requirements()
            .iter()
            .partition(|requirement| requirement.key == Namespaces::NAME_LABEL);
        !by_labels.is_empty() && by_name.iter().all(|requirement| requirement.holds(&given))
    }
}

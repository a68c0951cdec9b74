use super::*;
use crate::api::{LabelSelector, LabelSelectorRequirement, MetricsInstance, ObjectMeta, Resource, TextMap};
use crate::random::Random;
use crate::testing;
use crate::yaml::Document;

const NAMESPACES: [&str; 4] = ["a", "b", "c", "d"];
const KEYS: [&str; 3] = ["app", "team", "tier"];
const VALUES: [&str; 3] = ["x", "y", "z"];
const OPERATORS: [&str; 4] = ["In", "NotIn", "Exists", "DoesNotExist"];

fn labels(random: &mut Random) -> TextMap<'static> {
    (0..random.below(4)).map(|_| (random.one_of(&KEYS), random.one_of(&VALUES))).collect()
}

/// Returns a random selector, which may be empty or `None`.
fn selector(random: &mut Random) -> Option<LabelSelector<'static>> {
    let expressions = 0..random.below(3);
    let selector = LabelSelector {
        match_labels: if random.below(2) == 0 { labels(random) } else { TextMap::default() },
        match_expressions: expressions.map(|_| requirement(random)).collect(),
    };
    (random.below(8) > 0).then_some(selector)
}

fn requirement(random: &mut Random) -> LabelSelectorRequirement<'static> {
    let operator = random.one_of(&OPERATORS);
    let values = if operator.ends_with("In") { 1 + random.below(2) } else { 0 };
    LabelSelectorRequirement {
        key: random.one_of(&KEYS),
        operator,
        values: (0..values).map(|_| random.one_of(&VALUES)).collect(),
    }
}

fn resource<'d, S>(document: &'d Document<'d>, random: &mut Random, name: &'static str, spec: S) -> Resource<'d, S> {
    Resource {
        header: ResourceHeader {
            kind: Kind::ServiceMonitor,
            meta: ObjectMeta {
                name,
                namespace: random.one_of(&NAMESPACES),
                labels: labels(random),
                ..ObjectMeta::default()
            },
            root: document.root(),
        },
        spec,
    }
}

/// Returns the children that are selected if each of them is matched individually.
fn expected<C>(selector: &ParentSelector<'_>, children: &[Resource<'_, C>], namespaces: &Namespaces<'_>) -> Vec<usize> {
    let is_selected = |child: &Resource<'_, C>| {
        let in_scope = match &selector.namespaces {
            SelectorScope::Missing => child.meta.namespace == selector.parent.namespace,
            SelectorScope::Invalid(_) => false,
            SelectorScope::Set(wanted) => wanted.matches(namespaces.labels(child.meta.namespace)),
        };
        in_scope && selector.labels.set().is_some_and(|wanted| wanted.matches(&child.meta.labels))
    };
    (0..children.len()).filter(|&i| is_selected(&children[i])).collect()
}

#[test]
fn finds_exactly_the_matching_children() {
    let document = testing::document("a: b");
    let mut random = Random::new(0x5eed);
    let mut found = 0;
    for _ in 0..300 {
        let mut resources = Resources::default();
        for &name in &NAMESPACES {
            let mut namespace = resource(&document, &mut random, name, ());
            namespace.header.meta.namespace = "";
            resources.namespaces.push(namespace);
        }
        for _ in 0..random.below(30) {
            resources.pod_monitors.push(resource(&document, &mut random, "child", Default::default()));
        }
        for _ in 0..6 {
            let mut instance: Resource<'_, MetricsInstance<'_>> =
                resource(&document, &mut random, "parent", Default::default());
            instance.spec.pod_monitor_selector = selector(&mut random);
            instance.spec.pod_monitor_namespace_selector = selector(&mut random);
            resources.metrics_instances.push(instance);
        }
        resources.sort();
        let selections = Selections::new(&resources);
        for selected in selections.child_selections(Kind::PodMonitor) {
            let expected = expected(&selected.selector, &resources.pod_monitors, &selections.namespaces);
            assert_eq!(selected.indices[..], expected, "{:?}", selected.selector);
            let children = resources.pod_monitors.iter().enumerate();
            let explain = |child| selected.selector.explain(child, &selections.namespaces);
            let one_by_one = children.filter(|(_, child)| explain(child).reasons.is_empty());
            let one_by_one: Vec<_> = one_by_one.map(|(i, _)| i).collect();
            assert_eq!(one_by_one, expected, "{:?}", selected.selector);
            found += expected.len();
        }
    }
    assert!(found > 2000, "{found}");
}

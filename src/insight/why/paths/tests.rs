use super::*;
use crate::api::{LabelSelector, LabelSelectorRequirement, ObjectMeta, Resources, TextMap};
use crate::random::Random;
use crate::resolve::Selections;
use crate::testing;
use crate::yaml::Node;

const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];
const NAMESPACES: [&str; 3] = ["prod", "prd", "test"];
const KEYS: [&str; 4] = ["team", "tema", "tier", "kubernetes.io/metadata.name"];
const VALUES: [&str; 5] = ["primary", "primry", "web", "prod", "test"];

fn labels(random: &mut Random) -> TextMap<'static> {
    let labels = (0..random.below(3)).map(|_| (random.one_of(&KEYS), random.one_of(&VALUES)));
    labels.collect()
}

/// Returns a random selector. It may be empty, `None`, or a selector that Kubernetes rejects.
fn selector(random: &mut Random) -> Option<LabelSelector<'static>> {
    let expressions = (0..random.below(2)).map(|_| LabelSelectorRequirement {
        key: random.one_of(&KEYS),
        operator: random.one_of(&["In", "In", "NotIn", "NoOperator"]),
        values: vec![random.one_of(&VALUES), random.one_of(&VALUES)],
    });
    let match_expressions = expressions.collect();
    let match_labels = if random.below(3) > 0 { labels(random) } else { TextMap::default() };
    let selector = LabelSelector { match_labels, match_expressions };
    (random.below(6) > 0).then_some(selector)
}

fn resources<'d, S: Default>(random: &mut Random, kind: Kind, root: Node<'d>, most: usize) -> Vec<Resource<'d, S>> {
    let names = NAMES.iter().take(random.below(most + 1));
    let mut resources: Vec<_> = names
        .map(|name| Resource {
            header: ResourceHeader {
                kind,
                meta: ObjectMeta {
                    name,
                    namespace: random.one_of(&NAMESPACES),
                    labels: labels(random),
                    ..ObjectMeta::default()
                },
                root,
            },
            spec: S::default(),
        })
        .collect();
    resources.sort_by_key(|resource| (resource.meta.namespace, resource.meta.name));
    resources
}

fn weight(path: &SelectionPath<'_, '_>) -> u32 {
    path.obstacles().map(Obstacle::distance).sum()
}

/// Computes the paths directly from their definition, by examining every instance.
fn expected_paths(
    paths: &SelectionPaths<'_, '_, '_>,
    resources: &Resources<'_>,
    agent: AnyResource<'_, '_>,
) -> Vec<Option<usize>> {
    let graph = paths.relations.graph;
    let agent = graph.resources.get(agent.object_ref()).unwrap();
    let instances = resources.metrics_instances.iter().enumerate();
    let mut all_paths: Vec<_> = instances
        .map(|(number, instance)| {
            let selects = |link: Option<Link<'_, '_>>| link.unwrap().obstacles.is_empty();
            let selects_target = selects(graph.link(instance, paths.target.header()));
            let is_taken = selects_target && file_access_obstacle(agent, paths.target).is_none();
            let is_related = is_taken || selects(graph.link(agent.header(), instance));
            (weight(&paths.path(agent, Some(number))), number, is_related)
        })
        .collect();
    all_paths.sort_unstable();
    let related_paths: Vec<_> = all_paths.iter().filter(|(.., is_related)| *is_related).collect();
    let shown_paths = if related_paths.is_empty() { all_paths.iter().take(1).collect() } else { related_paths };
    shown_paths.into_iter().map(|&(_, number, _)| Some(number)).collect()
}

#[test]
fn path_weights_match_obstacle_counts() {
    let document = testing::document("a: b");
    let mut random = Random::new(0x5eed);
    let (mut related_count, mut barred_count) = (0, 0);
    for _ in 0..300 {
        let root = document.root();
        let mut resources = Resources {
            agents: resources(&mut random, Kind::GrafanaAgent, root, 4),
            metrics_instances: resources(&mut random, Kind::MetricsInstance, root, 6),
            service_monitors: resources(&mut random, Kind::ServiceMonitor, root, 5),
            ..Resources::default()
        };
        for agent in &mut resources.agents {
            let metrics = &mut agent.spec.metrics;
            metrics.instance_selector = selector(&mut random);
            metrics.instance_namespace_selector = selector(&mut random);
            metrics.arbitrary_fs_access_through_sms.deny = random.below(2) == 0;
        }
        for instance in &mut resources.metrics_instances {
            instance.spec.service_monitor_selector = selector(&mut random);
            instance.spec.service_monitor_namespace_selector = selector(&mut random);
        }
        for monitor in &mut resources.service_monitors {
            monitor.spec.endpoints.resize_with(1, Default::default);
            monitor.spec.endpoints[0].bearer_token_file = ["", "/token"][random.below(2)];
        }
        let selections = Selections::new(&resources);
        let relations = Relations::new(Graph { resources: &resources, selections: &selections, hierarchies: &[] });
        for monitor in &resources.service_monitors {
            let paths = SelectionPaths::new(&relations, AnyResource::ServiceMonitor(monitor));
            for (number, agent) in resources.agents.iter().enumerate() {
                let any_agent = AnyResource::GrafanaAgent(agent);
                let actual = paths.instances_from(agent, number);
                assert_eq!(actual, expected_paths(&paths, &resources, any_agent));
                let nearest_weight = actual.first().map(|&instance| weight(&paths.path(any_agent, instance)));
                assert_eq!(paths.distance(agent, number), nearest_weight);
                related_count += actual.len();
                barred_count += usize::from(nearest_weight > Some(5));
            }
        }
    }
    assert!(related_count > 1500 && barred_count > 300, "{related_count} {barred_count}");
}

use super::*;
use crate::api::{LabelSelector, LabelSelectorRequirement, ObjectMeta, Resources, TextMap, sort_by_name};
use crate::resolve::Selections;
use crate::source::{Source, Sources};
use crate::yaml::{Limits, Node, read};

const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];
const NAMESPACES: [&str; 3] = ["prod", "prd", "test"];
const KEYS: [&str; 4] = ["team", "tema", "tier", "kubernetes.io/metadata.name"];
const VALUES: [&str; 5] = ["primary", "primry", "web", "prod", "test"];

/// Numbers that look random and are always the same.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }

    fn one_of(&mut self, words: &[&'static str]) -> &'static str {
        words[self.below(words.len())]
    }

    fn labels(&mut self) -> TextMap<'static> {
        let labels = (0..self.below(3)).map(|_| (self.one_of(&KEYS), self.one_of(&VALUES)));
        labels.collect()
    }

    /// Some selector, now and then an empty one, none, or one that Kubernetes refuses.
    fn selector(&mut self) -> Option<LabelSelector<'static>> {
        let expressions = (0..self.below(2)).map(|_| LabelSelectorRequirement {
            key: self.one_of(&KEYS),
            operator: self.one_of(&["In", "In", "NotIn", "NoOperator"]),
            values: vec![self.one_of(&VALUES), self.one_of(&VALUES)],
        });
        let match_expressions = expressions.collect();
        let match_labels = if self.below(3) > 0 {
            self.labels()
        } else {
            TextMap::default()
        };
        let selector = LabelSelector {
            match_labels,
            match_expressions,
        };
        (self.below(6) > 0).then_some(selector)
    }

    fn resources<'d, S: Default>(&mut self, kind: Kind, root: Node<'d>, most: usize) -> Vec<Resource<'d, S>> {
        let names = NAMES.iter().take(self.below(most + 1));
        let mut resources: Vec<_> = names
            .map(|name| Resource {
                head: Head {
                    kind,
                    meta: ObjectMeta {
                        name,
                        namespace: self.one_of(&NAMESPACES),
                        labels: self.labels(),
                        ..ObjectMeta::default()
                    },
                    root,
                },
                spec: S::default(),
            })
            .collect();
        sort_by_name(&mut resources);
        resources
    }
}

fn weight(way: &Way<'_, '_>) -> u32 {
    way.obstacles().map(Obstacle::distance).sum()
}

/// By the definition: every instance is looked at.
fn expected(ways: &Ways<'_, '_, '_>, resources: &Resources<'_>, agent: AnyResource<'_, '_>) -> Vec<Option<usize>> {
    let graph = ways.relations.graph;
    let agent = graph.get(agent.object_ref()).unwrap();
    let instances = resources.metrics_instances.iter().enumerate();
    let mut all: Vec<_> = instances
        .map(|(number, instance)| {
            let selects = graph.selects(instance, &ways.target) && graph.denied(agent, ways.target).is_none();
            let is_related = selects || graph.selects(&agent, instance);
            (weight(&ways.way(agent, Some(number))), number, is_related)
        })
        .collect();
    all.sort_unstable();
    let related: Vec<_> = all.iter().filter(|(.., is_related)| *is_related).collect();
    let shown = if related.is_empty() {
        all.iter().take(1).collect()
    } else {
        related
    };
    shown.into_iter().map(|&(_, number, _)| Some(number)).collect()
}

#[test]
fn the_numbers_are_the_weights_of_the_obstacles() {
    let source = Sources::default().add(Source::new("x.yaml", "", true));
    let document = read(source, "a: b", &Limits::default()).output.remove(0);
    let mut random = Random(0x5eed);
    let (mut related, mut barred) = (0, 0);
    for _ in 0..300 {
        let root = document.root();
        let mut resources = Resources {
            agents: random.resources(Kind::GrafanaAgent, root, 4),
            metrics_instances: random.resources(Kind::MetricsInstance, root, 6),
            service_monitors: random.resources(Kind::ServiceMonitor, root, 5),
            ..Resources::default()
        };
        for agent in &mut resources.agents {
            let metrics = &mut agent.spec.metrics;
            metrics.instance_selector = random.selector();
            metrics.instance_namespace_selector = random.selector();
            metrics.arbitrary_fs_access_through_sms.deny = random.below(2) == 0;
        }
        for instance in &mut resources.metrics_instances {
            instance.spec.service_monitor_selector = random.selector();
            instance.spec.service_monitor_namespace_selector = random.selector();
        }
        for monitor in &mut resources.service_monitors {
            monitor.spec.endpoints.resize_with(1, Default::default);
            monitor.spec.endpoints[0].bearer_token_file = ["", "/token"][random.below(2)];
        }
        let selections = Selections::new(&resources);
        let relations = Relations::new(Graph {
            resources: &resources,
            selections: &selections,
            hierarchies: &[],
        });
        for monitor in &resources.service_monitors {
            let ways = Ways::new(&relations, AnyResource::ServiceMonitor(monitor));
            for (number, agent) in resources.agents.iter().enumerate() {
                let any = AnyResource::GrafanaAgent(agent);
                let found = ways.from(agent, number);
                assert_eq!(found, expected(&ways, &resources, any));
                let nearest = found.first().map(|&instance| weight(&ways.way(any, instance)));
                assert_eq!(ways.distance(agent, number), nearest);
                related += found.len();
                barred += usize::from(nearest > Some(5));
            }
        }
    }
    assert!(related > 1500 && barred > 300, "{related} {barred}");
}

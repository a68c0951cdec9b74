//! Parts of each agent's configuration that are generated from a resource, without secret values.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexSet;

use super::model::Tree;
use crate::api::ObjectRef;
use crate::output::Target;
use crate::output::agent::{PartSource, for_each_piece};
use crate::output::alloy;
use crate::plan::{ConfigKind, Plan, SecretRepresentation};
use crate::resolve::Hierarchy;
use crate::yaml::{self, LibraryStyle, Value};

/// Configuration generated from a resource, for a single agent or for several agents with identical results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedConfiguration<'d> {
    pub agents: Vec<ObjectRef<'d>>,
    /// Names of the scrape jobs in the configuration.
    pub jobs: Vec<String>,
    /// Lines of the configuration: a sequence of YAML documents, or Alloy components.
    pub text: Box<[LineId]>,
}

/// Returns the configuration generated from the resources in a tree, grouped by resource and then by agent.
/// `hierarchies` contains the hierarchies of the compiled agents. The lines of the configuration are added to `lines`.
pub fn generated_configuration<'d>(
    tree: &Tree<'d>,
    hierarchies: &[Hierarchy<'d, 'd>],
    target: &Target,
    lines: &mut DistinctLines,
) -> BTreeMap<ObjectRef<'d>, Vec<GeneratedConfiguration<'d>>> {
    let mut by_monitor: BTreeMap<_, Vec<GeneratedConfiguration<'d>>> = BTreeMap::new();
    // If the configurations exceed this limit, `check` and `render` report an error.
    let repetitions = alloy::repetitions();
    for hierarchy in hierarchies {
        let Some(agent) = tree.get(hierarchy.agent.object_ref()) else {
            continue;
        };
        let mut plan = Plan::new(hierarchy, &ConfigKind::non_empty_kinds(hierarchy), &mut Vec::new());
        match target {
            Target::Agent => {}
            Target::Alloy(settings) => {
                if alloy::spend_repetitions(&plan, &repetitions).is_err() {
                    plan.clear();
                }
                plan.take_credentials(settings.is_public);
            }
        }
        let mut components = match target {
            Target::Agent => None,
            Target::Alloy(settings) => Some(components(tree, &plan, settings, lines)),
        };
        let mut pieces: Vec<(ObjectRef<'_>, Vec<String>, Vec<LineId>)> = Vec::new();
        for_each_piece(&plan, &mut |object, name, value| {
            if name.is_none() && tree.get(object).is_some() {
                pieces.push((object, Vec::new(), Vec::new()));
            }
            if value == Value::Null {
                return;
            }
            let Some((_, jobs, text)) = pieces.last_mut().filter(|(last, ..)| *last == object) else {
                return;
            };
            jobs.extend(name.map(|name| name.to_string()));
            if components.is_none() {
                if !text.is_empty() {
                    text.extend(lines.add("---"));
                }
                text.extend(lines.add(&yaml::write(&value, LibraryStyle::V3)));
            }
        });
        for (object, jobs, mut text) in pieces {
            if let Some(components) = &mut components {
                // The components of all of the resource's configurations are attached to its first part.
                let Some(own_components) = components.remove(&object) else {
                    continue;
                };
                text = own_components;
            }
            if let Some(entry) = tree.get(object) {
                add(by_monitor.entry(entry.object).or_default(), agent.object, jobs, text.into());
            }
        }
    }
    by_monitor
}

fn add<'d>(texts: &mut Vec<GeneratedConfiguration<'d>>, agent: ObjectRef<'d>, jobs: Vec<String>, text: Box<[LineId]>) {
    match texts.iter_mut().find(|other| other.text == text) {
        Some(same) if same.agents.contains(&agent) => {}
        Some(same) => same.agents.push(agent),
        None => texts.push(GeneratedConfiguration { agents: vec![agent], jobs, text }),
    }
}

/// Returns the Alloy components generated from each resource. Components shared by several configurations are returned
/// only once. Components generated from Secret keys are omitted, because they contain secret text.
fn components<'p>(
    tree: &Tree<'_>,
    plan: &'p Plan<'p>,
    settings: &alloy::AlloySettings,
    lines: &mut DistinctLines,
) -> BTreeMap<ObjectRef<'p>, Vec<LineId>> {
    let mut lines_by_object: BTreeMap<ObjectRef<'p>, Vec<LineId>> = BTreeMap::new();
    let mut seen_components = BTreeSet::new();
    let blank = lines.add("\n");
    for &part in &plan.parts {
        alloy::write_traced(plan, part, settings, SecretRepresentation::Named, &mut |text, components| {
            for component in components {
                let Some(element) = component.elements.first() else {
                    continue;
                };
                let Some(object) = element.source.map(PartSource::object) else {
                    continue;
                };
                let is_shown = !object.kind.is_data() && tree.get(object).is_some();
                if !is_shown || !seen_components.insert((object, component.kind, component.label.clone())) {
                    continue;
                }
                let object_lines = lines_by_object.entry(object).or_default();
                for block in text.get(element.bytes.clone()).unwrap_or_default().split("\n\n") {
                    if !object_lines.is_empty() {
                        object_lines.extend_from_slice(&blank);
                    }
                    object_lines.extend(lines.add(block));
                }
            }
        });
    }
    lines_by_object
}

/// Index of a line in [`DistinctLines`].
pub type LineId = u32;

/// Distinct lines from many sources.
#[derive(Debug, Default)]
pub struct DistinctLines(IndexSet<String>);

impl DistinctLines {
    /// Adds the lines of `text`, and returns the index of each.
    pub fn add(&mut self, text: &str) -> Vec<LineId> {
        let line_index = |line: &str| match self.0.get_index_of(line) {
            Some(place) => place,
            None => self.0.insert_full(line.to_owned()).0,
        };
        let line_indices = text.lines().map(line_index);
        line_indices.map(|place| LineId::try_from(place).unwrap_or(LineId::MAX)).collect()
    }

    /// Returns the lines in index order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::CompileOptions;
    use crate::insight::resolved::{resolve, resolve_text};
    use crate::insight::tree::build;
    use crate::output::AlloyDiscovery;
    use crate::testing::TestInput;

    #[test]
    fn stores_repeated_lines_once() {
        let mut lines = DistinctLines::default();
        assert_eq!(*lines.add("a\nb\na\n"), [0, 1, 0]);
        assert_eq!(*lines.add("b\nc"), [1, 2]);
        assert!(lines.iter().eq(["a", "b", "c"]));
    }

    #[test]
    fn lists_shared_components_once() {
        let agent = "apiVersion: monitoring.grafana.com/v1alpha1\nkind: GrafanaAgent\nmetadata: {name: a, namespace: a}\n\
                     spec: {logLevel: debug, metrics: {instanceSelector: {}}, logs: {instanceSelector: {}}}\n";
        let instance = |kind: &str, spec: &str| {
            format!(
                "---\napiVersion: monitoring.grafana.com/v1alpha1\nkind: {kind}\nmetadata: {{name: a, namespace: a}}\nspec: {spec}\n"
            )
        };
        let instances = [
            instance("MetricsInstance", "{remoteWrite: [{url: 'https://a'}]}"),
            instance("LogsInstance", "{clients: [{url: 'https://a'}]}"),
        ];
        let sources = TestInput::new(agent.to_owned() + &instances.concat()).sources;
        let options = CompileOptions::default();
        let target = Target::Alloy(alloy::AlloySettings {
            image: String::new(),
            has_files_of_credentials: true,
            is_public: false,
            discovery: AlloyDiscovery::Static,
        });
        resolve(&sources, Vec::new(), &options, |input| {
            assert_eq!(input.hierarchies.len(), 1, "{:?}", input.admission_findings);
            let tree = build(input.graph(), input.sources, &options.resolve, &[]);
            let mut lines = DistinctLines::default();
            let actual = generated_configuration(&tree, input.hierarchies, &target, &mut lines);
            let lines: Vec<_> = lines.iter().collect();
            let headers_by_object = actual.values().map(|generated| {
                let text = generated.iter().flat_map(|one| one.text.iter().map(|line| lines[*line as usize]));
                let headers = text.filter(|line| line.ends_with('{') && !line.starts_with('\t'));
                headers.collect::<Vec<_>>().join(" ")
            });
            let expected = ["logging {", "prometheus.remote_write \"a_a\" {", "loki.write \"a_a\" {"];
            assert_eq!(headers_by_object.collect::<Vec<_>>(), expected);
            // Blank lines occur only between the blocks of a configuration.
            let blanks = actual.values().map(|generated| {
                let text: Vec<_> = generated[0].text.iter().map(|line| lines[*line as usize]).collect();
                assert!(!text[0].is_empty() && text.last() == Some(&"}"), "{text:?}");
                text.iter().filter(|line| line.is_empty()).count()
            });
            assert_eq!(blanks.collect::<Vec<_>>(), [0, 2, 0]);
        });
    }

    #[test]
    fn merges_equal_configurations_of_agents() {
        let agent = |name: &str, more: &str| {
            format!(
                "apiVersion: monitoring.grafana.com/v1alpha1\nkind: GrafanaAgent\nmetadata: {{name: {name}, namespace: m}}\n\
                 spec: {{metrics: {{instanceSelector: {{}}{more}}}, integrations: {{selector: {{}}}}}}\n---\n"
            )
        };
        let other_configuration = "\
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: i, namespace: m}
spec: {podMonitorSelector: {}, additionalScrapeConfigs: {name: jobs, key: j}}
---
apiVersion: v1
kind: Secret
metadata: {name: jobs, namespace: m}
stringData: {j: '[{job_name: hidden, static_configs: [{targets: [c]}]}]'}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: Integration
metadata: {name: x, namespace: m}
spec: {name: agent, type: {unique: true}, config: {}}
---
apiVersion: monitoring.coreos.com/v1
kind: PodMonitor
metadata: {name: p, namespace: m}
spec: {selector: {}, podMetricsEndpoints: [{port: web}, {port: none}]}
";
        let input = [&agent("a", ""), &agent("b", ""), &agent("c", ", shards: 2"), other_configuration].concat();
        let expected = "\
GrafanaAgent/m/a of a []: metrics: server: {}
GrafanaAgent/m/b of b []: metrics: server: {}
GrafanaAgent/m/c of c []: metrics: server: {}
MetricsInstance/m/i of a b c []: name: m/i
Integration/m/x of a b c []: agent_configs: metrics:
PodMonitor/m/p of a b [\"podMonitor/m/p/0\", \"podMonitor/m/p/1\"]: honor_labels: false job_name: podMonitor/m/p/0 \
kubernetes_sd_configs: relabel_configs: --- honor_labels: false job_name: podMonitor/m/p/1 kubernetes_sd_configs: relabel_configs:
PodMonitor/m/p of c [\"podMonitor/m/p/0\", \"podMonitor/m/p/1\"]: honor_labels: false job_name: podMonitor/m/p/0 \
kubernetes_sd_configs: relabel_configs: --- honor_labels: false job_name: podMonitor/m/p/1 kubernetes_sd_configs: relabel_configs:
";
        resolve_text(&input, |input| {
            let tree = build(input.graph(), input.sources, &input.options.resolve, &[]);
            let mut lines = DistinctLines::default();
            let actual = generated_configuration(&tree, input.hierarchies, &Target::Agent, &mut lines);
            let lines: Vec<_> = lines.iter().collect();
            let all_configurations = actual.iter().flat_map(|(object, all)| all.iter().map(move |one| (object, one)));
            let descriptions = all_configurations.map(|(object, one)| {
                let agents: Vec<_> = one.agents.iter().map(|agent| agent.name).collect();
                let text = one.text.iter().map(|line| lines[*line as usize]);
                let keys: Vec<_> = text.filter(|line| !line.starts_with(' ')).collect();
                format!("{object} of {} {:?}: {}\n", agents.join(" "), one.jobs, keys.join(" "))
            });
            assert_eq!(descriptions.collect::<String>(), expected);
        });
    }
}

//! JSON output of `agentctl why`.

use std::collections::BTreeMap;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Value as Json, json};

use super::explainer::MAX_AGENTS;
use super::paths::MAX_PATHS;
use super::{AgentAnswer, SelectionFixes, SelectionPath, WhyAnswer};
use crate::api::ObjectRef;
use crate::emit::StreamedItems;
use crate::insight::obstacle::Obstacle;
use crate::insight::referrers::Referrer;
use crate::resolve::references::Usage;
use crate::source::{Sources, Span};

/// Serializes all answers as `{"resources": […]}`:
///
/// ```text
/// resource  kind, namespace, name, file, line, selected, refused, jobs, agents, moreAgents, refusedParents, referrers,
///           targets (if the input contains cluster objects)
/// agent     namespace, name, file, line, selected, obstacles, ways, moreWays, patches, byHand
/// way       instance (null if the agent selects the resource itself), selected, obstacles
/// obstacle  code, by, field, wants, found, message, file, line
/// referrer  kind, namespace, name, field, file, line, key, used, agents
/// targets   agent, instance, job, targets, potential, refused, steps
/// step      text, ok, file, line
/// ```
///
/// `file` and `line` are `null` for a Secret or ConfigMap that is only referred to.
///
/// Obstacle codes are `label`, `namespace-label`, `other-namespace`, `no-selector`, `invalid-selector`, `paused`,
/// `agent-selector` and `file-system-access`.
///
/// If there is only one answer, it is complete. If there are several, each contains only the agents and ways that the
/// text output shows, and `moreAgents` and `moreWays` count the rest: a thousand agents that do not select five
/// thousand monitors would yield gigabytes. Each agent's record is created only when it is written. Keys are in
/// alphabetical order.
pub fn to_json<'w, 'h: 'w, 'd: 'h>(
    answers: impl ExactSizeIterator<Item = WhyAnswer<'w, 'h, 'd>>,
    sources: &Sources,
) -> impl Serialize {
    let [agents, paths] = if answers.len() == 1 { [usize::MAX; 2] } else { [MAX_AGENTS, MAX_PATHS] };
    let context = RecordContext { sources, agents, paths };
    let resources = StreamedItems::new(answers.map(move |why| JsonAnswer(context, why)));
    BTreeMap::from([("resources", resources)])
}

/// Context shared by all JSON records.
#[derive(Clone, Copy)]
struct RecordContext<'s> {
    sources: &'s Sources,
    /// Maximum number of agents per record, among those that do not select the resource.
    agents: usize,
    /// Maximum number of paths per agent.
    paths: usize,
}

/// Answer to be written as JSON.
struct JsonAnswer<'s, 'w, 'h, 'd>(RecordContext<'s>, WhyAnswer<'w, 'h, 'd>);

impl Serialize for JsonAnswer<'_, '_, '_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let JsonAnswer(context, why) = self;
        let ObjectRef { kind, namespace, name } = why.target.object;
        let location = (!why.target.is_absent).then(|| context.place(why.target.name_span()));
        let (file, line) = location.unwrap_or_default();
        let is_selected = why.is_selected();
        let other_answers = why.other_answers(context.agents);
        let more_agents = why.count_others() - other_answers.len();
        let shown_agents = why.selecting_agents().chain(other_answers);
        let jobs: &[String] = if is_selected { &why.jobs } else { &[] };
        let referrers = why.referrers.iter().map(|referrer| context.referrer(referrer));
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("agents", &StreamedItems::new(shown_agents.map(|answer| context.agent(&answer))))?;
        map.serialize_entry("file", &file)?;
        map.serialize_entry("jobs", jobs)?;
        map.serialize_entry("kind", &kind)?;
        map.serialize_entry("line", &line)?;
        if more_agents > 0 {
            map.serialize_entry("moreAgents", &more_agents)?;
        }
        map.serialize_entry("name", name)?;
        map.serialize_entry("namespace", namespace)?;
        map.serialize_entry("referrers", &StreamedItems::new(referrers))?;
        map.serialize_entry("refused", &why.target.refused)?;
        map.serialize_entry("refusedParents", &json!(why.refused))?;
        map.serialize_entry("selected", &is_selected)?;
        if !why.steps.is_empty() {
            map.serialize_entry("targets", &why.steps)?;
        }
        map.end()
    }
}

impl<'s> RecordContext<'s> {
    /// Returns the file and line of a span.
    fn place(&self, span: Span) -> (Option<&'s str>, Option<u32>) {
        let location = self.sources.location(span);
        location.map(|place| (place.file, place.start.line)).unzip()
    }

    fn agent(&self, answer: &AgentAnswer<'_, '_, '_>) -> Json {
        let fixes = match answer.is_selected {
            true => SelectionFixes::default(),
            false => SelectionFixes::new(answer),
        };
        let manual_changes = fixes.by_hand.into_iter().map(|(advice, _)| advice);
        let patches = fixes.patches.into_values();
        let paths = answer.paths().take(self.paths);
        let (file, line) = self.place(answer.agent.name_span());
        let mut agent = json!({
            "byHand": manual_changes.collect::<Vec<_>>(),
            "file": file,
            "line": line,
            "name": answer.agent.meta.name,
            "namespace": answer.agent.meta.namespace,
            "obstacles": self.obstacles(answer.idle),
            "patches": patches.collect::<Vec<_>>(),
            "selected": answer.is_selected,
            "ways": paths.map(|path| self.path(&path)).collect::<Vec<_>>(),
        });
        let more_paths = answer.count().saturating_sub(self.paths);
        if let (Some(agent), true) = (agent.as_object_mut(), more_paths > 0) {
            agent.insert("moreWays".to_owned(), more_paths.into());
        }
        agent
    }

    fn path(&self, path: &SelectionPath<'_, '_>) -> Json {
        let instance = path.instance.map(|instance| {
            let (file, line) = self.place(instance.name_span());
            json!({
                "file": file,
                "kind": instance.kind,
                "line": line,
                "name": instance.meta.name,
                "namespace": instance.meta.namespace,
            })
        });
        json!({
            "instance": instance,
            "obstacles": self.obstacles(path.obstacles()),
            "selected": path.is_open(),
        })
    }

    fn obstacles<'o, 'd: 'o>(&self, obstacles: impl IntoIterator<Item = &'o Obstacle<'d>>) -> Json {
        let obstacle = |obstacle: &Obstacle<'_>| {
            let (file, line) = self.place(obstacle.span);
            json!({
                "by": obstacle.by.to_string(),
                "code": obstacle.code(),
                "field": obstacle.field,
                "file": file,
                "found": obstacle.found_value(),
                "line": line,
                "message": obstacle.to_string(),
                "wants": obstacle.wanted_value(),
            })
        };
        obstacles.into_iter().map(obstacle).collect()
    }

    fn referrer(&self, referrer: &Referrer<'_, '_>) -> Json {
        let ObjectRef { kind, namespace, name } = referrer.object;
        let (file, line) = self.place(referrer.span);
        let agents = referrer.agents.iter();
        let agents = agents.map(|agent| format!("{}/{}", agent.namespace, agent.name));
        json!({
            "agents": agents.collect::<Vec<_>>(),
            "field": referrer.field,
            "file": file,
            "key": referrer.key,
            "kind": kind,
            "line": line,
            "name": name,
            "namespace": namespace,
            "used": referrer.usage != Usage::Unused,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::insight::resolved::resolve_text;
    use crate::insight::why::Explainer;

    fn resource(kind: &str, name: &str, spec: &str) -> String {
        format!(
            "---\napiVersion: monitoring.grafana.com/v1alpha1\nkind: {kind}\nmetadata: {{name: {name}, namespace: a}}\nspec: {spec}\n"
        )
    }

    fn monitors(names: &[&str]) -> String {
        let monitor = |name: &&str| {
            format!(
                "---\napiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {{name: {name}, namespace: a, labels: {{team: b}}}}\n\
                 spec: {{selector: {{}}, endpoints: [{{port: a}}]}}\n"
            )
        };
        names.iter().map(monitor).collect()
    }

    /// Returns the records for all resources of `kind`.
    fn records(text: &str, kind: &str) -> Vec<Json> {
        resolve_text(text, |input| {
            let explainer = Explainer::new(input.graph(), &input.options.resolve).unwrap();
            let catalog = input.catalog();
            let requested_resources = catalog.iter().copied().filter(|located| located.object.kind.as_str() == kind);
            let answers = json!(to_json(explainer.explain(requested_resources.collect()), input.sources));
            answers["resources"].as_array().unwrap().clone()
        })
    }

    #[test]
    fn answers_contain_agents_paths_and_obstacles() {
        let selector = "{serviceMonitorSelector: {matchLabels: {team: a}}}";
        let text = resource("GrafanaAgent", "g", "{metrics: {instanceSelector: {}}}")
            + &resource("GrafanaAgent", "p", "{paused: true, metrics: {instanceSelector: {}}}")
            + &resource("MetricsInstance", "i", selector)
            + &monitors(&["m"]);
        let actual = records(&text, "ServiceMonitor");
        let obstacle = json!({
            "by": "MetricsInstance/a/i", "code": "label", "field": "spec.serviceMonitorSelector", "file": "x.yaml", "line": 15,
            "found": "team=b", "wants": "team=a", "message": "`spec.serviceMonitorSelector` requires `team=a`, but the resource has `team=b`",
        });
        let instance = json!({"file": "x.yaml", "kind": "MetricsInstance", "line": 14, "name": "i", "namespace": "a"});
        let patch = json!({
            "apiVersion": "monitoring.coreos.com/v1", "kind": "ServiceMonitor",
            "metadata": {"name": "m", "namespace": "a", "labels": {"team": "a"}},
        });
        let unpause_patch = json!({
            "apiVersion": "monitoring.grafana.com/v1alpha1", "kind": "GrafanaAgent",
            "metadata": {"name": "p", "namespace": "a"}, "spec": {"paused": false},
        });
        let paused_obstacle = json!({
            "by": "GrafanaAgent/a/p", "code": "paused", "field": "spec.paused", "file": "x.yaml", "line": 10,
            "found": null, "wants": null, "message": "`spec.paused` is set, so nothing is rendered for the agent",
        });
        let agent = |name: &str, line: u32, obstacles: Json, patches: Json| {
            json!({
                "byHand": [], "file": "x.yaml", "line": line, "name": name, "namespace": "a", "obstacles": obstacles,
                "patches": patches, "selected": false, "ways": [{"instance": instance, "obstacles": [obstacle], "selected": false}],
            })
        };
        let agents = json!([
            agent("g", 4, json!([]), json!([patch])),
            agent("p", 9, json!([paused_obstacle]), json!([unpause_patch, patch]))
        ]);
        assert_eq!(
            actual,
            [json!({
                "agents": agents, "file": "x.yaml", "jobs": [], "kind": "ServiceMonitor", "line": 19, "name": "m", "namespace": "a",
                "referrers": [], "refused": false, "refusedParents": [], "selected": false,
            })]
        );
        let selected_records = records(&text.replace("team: a", "team: b"), "ServiceMonitor");
        assert_eq!(
            (&selected_records[0]["jobs"], &selected_records[0]["selected"]),
            (&json!(["serviceMonitor/a/m/0"]), &json!(true))
        );
        assert_eq!(selected_records[0]["agents"][0]["patches"], json!([]));
    }

    #[test]
    fn truncates_lists_unless_there_is_a_single_answer() {
        let agents = |count: usize| -> String {
            let agent = |number| resource("GrafanaAgent", &format!("g{number}"), "{metrics: {instanceSelector: {}}}");
            (0..count).map(agent).collect()
        };
        let instances = |count: usize| -> String {
            let instance = |number| {
                resource("MetricsInstance", &format!("i{number}"), "{serviceMonitorSelector: {matchLabels: {team: a}}}")
            };
            (0..count).map(instance).collect()
        };
        for (names, more) in [(&["m"][..], [0, 0]), (&["m", "other"], [2, 1])] {
            let text = agents(MAX_AGENTS + 2) + &instances(MAX_PATHS + 1) + &monitors(names);
            for record in records(&text, "ServiceMonitor") {
                let (shown_agents, agent) = (record["agents"].as_array().unwrap().len(), &record["agents"][0]);
                assert_eq!(shown_agents, MAX_AGENTS + 2 - more[0], "{names:?}");
                assert_eq!(agent["ways"].as_array().unwrap().len(), MAX_PATHS + 1 - more[1], "{names:?}");
                let number = |number: usize| (number > 0).then(|| json!(number));
                assert_eq!(record.get("moreAgents").cloned(), number(more[0]));
                assert_eq!(agent.get("moreWays").cloned(), number(more[1]));
            }
        }
        let exact = agents(MAX_AGENTS) + &instances(MAX_PATHS) + &monitors(&["m", "other"]);
        let record = &records(&exact, "ServiceMonitor")[0];
        assert!(record.get("moreAgents").is_none() && record["agents"][0].get("moreWays").is_none());
    }
}

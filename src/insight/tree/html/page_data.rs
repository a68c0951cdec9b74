//! Data for the page, in the form that its scripts read.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::{Serialize, Serializer};
use serde_json::{Value as Json, json};

use crate::api::{Kind, ObjectRef};
use crate::diagnostic::{Diagnostic, ObjectKey};
use crate::insight::tree::focus::about_resources;
use crate::insight::tree::generated::{DistinctLines, GeneratedConfiguration, LineId};
use crate::insight::tree::model::{Edge, Tree, TreeItem};
use crate::insight::tree::targets::JobTargets;
use crate::printable::printable;
use crate::secrecy::{MASK, SecretDetector, ValueForm, redact_message};
use crate::yaml::{self, LibraryStyle, Node};

/// A string from the input, escaped for display.
struct EscapedString<'g>(&'g str);

impl Serialize for EscapedString<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&printable(self.0))
    }
}

#[derive(Serialize)]
pub struct PageData<'g> {
    agents: Vec<usize>,
    kinds: Vec<&'static str>,
    lines: Vec<EscapedString<'g>>,
    refused: Vec<usize>,
    resources: Vec<ResourceData<'g>>,
    unselected: Vec<usize>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResourceData<'g> {
    edges: Vec<EdgeData<'g>>,
    file: Option<EscapedString<'g>>,
    findings: Vec<Json>,
    generated: Vec<GeneratedData<'g>>,
    keys: Vec<EscapedString<'g>>,
    kind: &'static str,
    line: Option<u32>,
    made_by: Option<EscapedString<'g>>,
    name: EscapedString<'g>,
    namespace: EscapedString<'g>,
    /// Lines of a patch that would cause the resource to be selected. Empty if there is no such patch.
    patch: Vec<EscapedString<'g>>,
    /// Whether `tree --problems` includes the resource.
    problem: bool,
    source: Option<Vec<LineId>>,
    state: &'static str,
    /// Targets by job, if the input contains cluster objects.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    targets: &'g [JobTargets],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EdgeData<'g> {
    denied_by: Vec<usize>,
    references: Vec<ReferenceData<'g>>,
    to: usize,
}

#[derive(Serialize)]
struct ReferenceData<'g> {
    field: EscapedString<'g>,
    key: Option<EscapedString<'g>>,
    missing: bool,
}

#[derive(Serialize)]
struct GeneratedData<'g> {
    agents: Vec<usize>,
    jobs: Vec<EscapedString<'g>>,
    text: &'g [LineId],
}

impl<'g> PageData<'g> {
    /// Collects the data for a tree. `lines` contains the lines of the generated configuration.
    pub fn new<'d>(
        tree: &'g Tree<'d>,
        generated: &'g BTreeMap<ObjectRef<'d>, Vec<GeneratedConfiguration<'d>>>,
        lines: &'g mut DistinctLines,
        diagnostics: &'g [Diagnostic],
        patches: &'g BTreeMap<ObjectRef<'d>, String>,
        targets: &'g BTreeMap<ObjectRef<'d>, Vec<JobTargets>>,
    ) -> Self {
        let mut findings: HashMap<&ObjectKey, Vec<Json>> = HashMap::new();
        for (resource, diagnostic) in about_resources(diagnostics) {
            findings.entry(resource).or_default().push(finding(diagnostic));
        }
        let mut secret_detector = SecretDetector::new(ValueForm::PageResource);
        let problems: HashSet<_> = tree.problems().into_iter().collect();
        let resources = tree.iter().map(|(object, entry)| {
            let source = source(entry, &mut secret_detector).map(|text| lines.add(&text));
            let generated = generated.get(&object).into_iter().flatten().map(|one| GeneratedData {
                agents: tree.indexes(&one.agents),
                jobs: one.jobs.iter().map(|job| EscapedString(job)).collect(),
                text: &one.text,
            });
            let patch = patches.get(&object).into_iter().flat_map(|patch| patch.lines());
            ResourceData {
                kind: object.kind.as_str(),
                namespace: EscapedString(object.namespace),
                name: EscapedString(object.name),
                state: entry.state.as_str(),
                made_by: entry.state.creator().map(EscapedString),
                file: entry.place.map(|(file, _)| EscapedString(file)),
                line: entry.place.map(|(_, line)| line),
                keys: keys(entry),
                edges: entry.edges.iter().map(|one| edge(tree, one)).collect(),
                source,
                generated: generated.collect(),
                findings: findings.remove(&ObjectKey::from(object)).unwrap_or_default(),
                patch: patch.map(EscapedString).collect(),
                problem: problems.contains(&object),
                targets: targets.get(&object).map(Vec::as_slice).unwrap_or_default(),
            }
        });
        let resources = resources.collect();
        let lines: &DistinctLines = lines;
        Self {
            kinds: Kind::ALL.iter().map(|kind| kind.as_str()).collect(),
            agents: tree.indexes(&tree.agents),
            unselected: tree.indexes(&tree.unselected),
            refused: tree.indexes(&tree.refused),
            resources,
            lines: lines.iter().map(EscapedString).collect(),
        }
    }
}

/// Returns the names of the keys in a Secret or ConfigMap.
fn keys<'g>(entry: &'g TreeItem<'_>) -> Vec<EscapedString<'g>> {
    let Some(root) = entry.root.filter(|_| entry.is_referred_to()) else {
        return Vec::new();
    };
    let maps = ["data", "stringData", "binaryData"].into_iter().filter_map(|field| root.get(field));
    let mut keys: Vec<_> = maps.flat_map(Node::entries).map(|entry| entry.key).collect();
    keys.sort_unstable();
    keys.dedup();
    keys.into_iter().map(EscapedString).collect()
}

fn edge<'g>(tree: &Tree<'_>, edge: &'g Edge<'_>) -> EdgeData<'g> {
    EdgeData {
        to: tree.entries.get_index_of(&edge.to).unwrap_or_default(),
        references: (edge.references.iter())
            .map(|reference| ReferenceData {
                field: EscapedString(&reference.field),
                key: reference.key.map(EscapedString),
                missing: reference.is_missing,
            })
            .collect(),
        denied_by: tree.indexes(&edge.denied_by),
    }
}

/// Returns the admitted resource without credentials, or `None` for a Secret or ConfigMap.
fn source(entry: &TreeItem<'_>, judge: &mut SecretDetector) -> Option<String> {
    let root = entry.root.filter(|_| !entry.is_referred_to())?;
    let mut value = yaml::to_value(root);
    judge.for_each_secret(&mut value, &mut |_, value| *value = MASK.into());
    Some(yaml::write(&value, LibraryStyle::Kubernetes))
}

/// Returns a finding with secrets masked.
fn finding(diagnostic: &Diagnostic) -> Json {
    let display_text = |text: &str| printable(&redact_message(text)).into_owned();
    json!({
        "code": diagnostic.code.as_str(),
        "help": diagnostic.help.as_deref().map(display_text),
        "message": display_text(&diagnostic.message),
        "path": diagnostic.path.as_deref().map(printable),
        "severity": diagnostic.severity.as_str(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::diagnostic::Code;
    use crate::insight::resolved::resolve_text;
    use crate::insight::tree::build;

    const INPUT: &str = "\
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: agent, namespace: a}
spec: {metrics: {instanceSelector: {matchLabels: {team: x}}}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: in, namespace: a, labels: {team: x}}
spec:
  remoteWrite:
  - url: https://u:hunter2@host
    bearerToken: hunter2
    basicAuth:
      username: {name: credentials, key: user}
      password: {name: credentials, key: gone}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: LogsInstance
metadata: {name: out, namespace: a}
---
apiVersion: v1
kind: Secret
metadata: {name: credentials, namespace: a}
stringData: {user: hunter2, other: hunter2}
data: {user: aHVudGVyMg==}
";

    #[test]
    fn page_contains_everything_except_credentials() {
        resolve_text(INPUT, |input| {
            let tree = build(input.graph(), input.sources, &input.options.resolve, &[]);
            let object = |name: &str| tree.iter().map(|(object, _)| object).find(|object| object.name == name).unwrap();
            let finding = Diagnostic::new(Code::DuplicateKey, "http://u:hunter2@host\n")
                .resource(object("in"))
                .path("spec")
                .help("do it");
            let text = GeneratedConfiguration {
                agents: vec![object("agent")],
                jobs: vec!["job".to_owned()],
                text: vec![0].into(),
            };
            let (generated, patches) = (
                BTreeMap::from([(object("in"), vec![text])]),
                BTreeMap::from([(object("out"), "p: 1\nq: 2\n".to_owned())]),
            );
            let mut lines = DistinctLines::default();
            lines.add("made");
            let targets = BTreeMap::new();
            let page = PageData::new(&tree, &generated, &mut lines, std::slice::from_ref(&finding), &patches, &targets);
            let page = json!(page);
            assert!(!page.to_string().contains("hunter2"), "{page}");
            let resources = page["resources"].as_array().unwrap();
            let number = |name: &str| resources.iter().position(|one| one["name"] == name).unwrap();
            assert_eq!(page["agents"], json!([number("agent")]));
            assert_eq!(page["unselected"], json!([number("out")]));
            assert_eq!(page["refused"], json!([]));
            let source = |name: &str| -> Vec<&str> {
                let source = resources[number(name)]["source"].as_array().into_iter().flatten();
                source.map(|line| page["lines"][line.as_u64().unwrap() as usize].as_str().unwrap()).collect()
            };
            assert_eq!(
                source("out"),
                [
                    "apiVersion: monitoring.grafana.com/v1alpha1",
                    "kind: LogsInstance",
                    "metadata:",
                    "  name: out",
                    "  namespace: a"
                ]
            );
            assert!(source("in").iter().any(|line| line.trim_start() == "bearerToken: '***'"), "{:?}", source("in"));
            assert_eq!(source("credentials"), [""; 0]);
            let secret = &resources[number("credentials")];
            assert_eq!((&secret["source"], &secret["keys"]), (&Value::Null, &json!(["other", "user"])));
            let instance = &resources[number("in")];
            assert_eq!(instance["keys"], json!([]));
            let path = "spec.remoteWrite[0].basicAuth";
            assert_eq!(
                instance["edges"],
                json!([{"deniedBy": [], "to": number("credentials"), "references": [
                    {"field": format!("{path}.username"), "key": "user", "missing": false},
                    {"field": format!("{path}.password"), "key": "gone", "missing": true},
                ]}])
            );
            assert_eq!(instance["generated"], json!([{"agents": [number("agent")], "jobs": ["job"], "text": [0]}]));
            assert_eq!(
                instance["findings"],
                json!([{"code": "duplicate-key", "help": "do it", "message": "http://***@host\\n", "path": "spec", "severity": "error"}])
            );
            assert_eq!(resources[number("out")]["patch"], json!(["p: 1", "q: 2"]));
            let values = |key: &str| ["agent", "in", "out"].map(|name| resources[number(name)][key].clone());
            assert_eq!(values("state"), ["present", "present", "unselected"]);
            assert_eq!(values("kind"), ["GrafanaAgent", "MetricsInstance", "LogsInstance"]);
            assert_eq!(values("line"), [3, 8, 19]);
            assert_eq!(values("file"), ["x.yaml"; 3]);
            assert_eq!(values("problem"), [false, false, true]);
        });
    }
}

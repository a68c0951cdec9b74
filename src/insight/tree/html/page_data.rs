//! What the page knows, as its scripts read it.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::{Serialize, Serializer};

use crate::api::{Kind, ObjectRef};
use crate::diagnostic::{Diagnostic, ObjectKey};
use crate::insight::tree::focus::about_resources;
use crate::insight::tree::generated::{Generated, LineId, Lines};
use crate::insight::tree::model::{Edge, Entry, Tree};
use crate::insight::tree::targets::JobTargets;
use crate::printable::printable;
use crate::secrecy::{Form, MASK, SecretDetector, without_secrets_told};
use crate::yaml::{self, Node, Style};

/// A text of the input, which is shown to people.
struct Shown<'g>(&'g str);

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&printable(self.0))
    }
}

/// A text of a finding, without what it tells of secrets.
struct Told<'g>(&'g str);

impl Serialize for Told<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&printable(&without_secrets_told(self.0)))
    }
}

/// Everything.
#[derive(Serialize)]
pub struct PageData<'g> {
    agents: Vec<usize>,
    kinds: Vec<&'static str>,
    lines: Vec<Shown<'g>>,
    refused: Vec<usize>,
    resources: Vec<ResourceData<'g>>,
    unselected: Vec<usize>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResourceData<'g> {
    edges: Vec<EdgeData<'g>>,
    file: Option<Shown<'g>>,
    findings: Vec<FindingData<'g>>,
    generated: Vec<GeneratedData<'g>>,
    keys: Vec<Shown<'g>>,
    kind: &'static str,
    line: Option<u32>,
    made_by: Option<Shown<'g>>,
    name: Shown<'g>,
    namespace: Shown<'g>,
    /// The lines of the patch that has it selected; none without one.
    patch: Vec<Shown<'g>>,
    /// Whether `tree --problems` shows it.
    problem: bool,
    source: Option<Vec<LineId>>,
    state: &'static str,
    /// Its targets, job by job, where objects of the cluster are in the input.
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
    field: Shown<'g>,
    key: Option<Shown<'g>>,
    missing: bool,
}

#[derive(Serialize)]
struct GeneratedData<'g> {
    agents: Vec<usize>,
    jobs: Vec<Shown<'g>>,
    text: &'g [LineId],
}

#[derive(Serialize)]
struct FindingData<'g> {
    code: &'static str,
    help: Option<Told<'g>>,
    message: Told<'g>,
    path: Option<Shown<'g>>,
    severity: &'static str,
}

impl<'g> PageData<'g> {
    /// The facts about a tree; what is generated consists of `lines`.
    pub fn of<'d>(
        tree: &'g Tree<'d>,
        generated: &'g BTreeMap<ObjectRef<'d>, Vec<Generated<'d>>>,
        lines: &'g mut Lines,
        diagnostics: &'g [Diagnostic],
        patches: &'g BTreeMap<ObjectRef<'d>, String>,
        targets: &'g BTreeMap<ObjectRef<'d>, Vec<JobTargets>>,
    ) -> Self {
        let mut findings: HashMap<&ObjectKey, Vec<FindingData<'g>>> = HashMap::new();
        for (resource, found) in about_resources(diagnostics) {
            findings.entry(resource).or_default().push(finding(found));
        }
        let mut judge = SecretDetector::new(Form::PageResource);
        let problems: HashSet<_> = tree.problems().into_iter().collect();
        let resources = tree.iter().map(|(object, entry)| {
            let source = source(entry, &mut judge).map(|text| lines.add(&text));
            let generated = generated.get(&object).into_iter().flatten().map(|one| GeneratedData {
                agents: tree.numbers(&one.agents),
                jobs: one.jobs.iter().map(|job| Shown(job)).collect(),
                text: &one.text,
            });
            let patch = patches.get(&object).into_iter().flat_map(|patch| patch.lines());
            ResourceData {
                kind: object.kind.as_str(),
                namespace: Shown(object.namespace),
                name: Shown(object.name),
                state: entry.state.as_str(),
                made_by: entry.state.made_by().map(Shown),
                file: entry.place.map(|(file, _)| Shown(file)),
                line: entry.place.map(|(_, line)| line),
                keys: keys(entry),
                edges: entry.edges.iter().map(|one| edge(tree, one)).collect(),
                source,
                generated: generated.collect(),
                findings: findings.remove(&ObjectKey::from(object)).unwrap_or_default(),
                patch: patch.map(Shown).collect(),
                problem: problems.contains(&object),
                targets: targets.get(&object).map(Vec::as_slice).unwrap_or_default(),
            }
        });
        let resources = resources.collect();
        let lines: &Lines = lines;
        Self {
            kinds: Kind::ALL.iter().map(|kind| kind.as_str()).collect(),
            agents: tree.numbers(&tree.agents),
            unselected: tree.numbers(&tree.unselected),
            refused: tree.numbers(&tree.refused),
            resources,
            lines: lines.iter().map(Shown).collect(),
        }
    }
}

/// The names of the keys of a Secret or ConfigMap.
fn keys<'g>(entry: &'g Entry<'_>) -> Vec<Shown<'g>> {
    let Some(root) = entry.root.filter(|_| entry.is_referred_to()) else {
        return Vec::new();
    };
    let maps = ["data", "stringData", "binaryData"]
        .into_iter()
        .filter_map(|field| root.get(field));
    let mut keys: Vec<_> = maps.flat_map(Node::entries).map(|entry| entry.key).collect();
    keys.sort_unstable();
    keys.dedup();
    keys.into_iter().map(Shown).collect()
}

fn edge<'g>(tree: &Tree<'_>, edge: &'g Edge<'_>) -> EdgeData<'g> {
    EdgeData {
        to: tree.entries.get_index_of(&edge.to).unwrap_or_default(),
        references: (edge.references.iter())
            .map(|reference| ReferenceData {
                field: Shown(&reference.field),
                key: reference.key.map(Shown),
                missing: reference.is_missing,
            })
            .collect(),
        denied_by: tree.numbers(&edge.denied_by),
    }
}

/// The resource as it is admitted, without credentials; none of a Secret or ConfigMap.
fn source(entry: &Entry<'_>, judge: &mut SecretDetector) -> Option<String> {
    let root = entry.root.filter(|_| !entry.is_referred_to())?;
    let mut value = yaml::to_value(root);
    judge.each_secret(&mut value, &mut |_, value| *value = MASK.into());
    Some(yaml::write(&value, Style::Kubernetes))
}

fn finding(diagnostic: &Diagnostic) -> FindingData<'_> {
    FindingData {
        severity: diagnostic.severity.as_str(),
        code: diagnostic.code.as_str(),
        message: Told(&diagnostic.message),
        help: diagnostic.help.as_deref().map(Told),
        path: diagnostic.path.as_deref().map(Shown),
    }
}
